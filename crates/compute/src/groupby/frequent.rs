//! Groups that many of the rows are in, where groups are many.
//!
//! Rows of other groups are moved to parts whose accumulators fit the cache. Those of a frequent group need not be:
//! its accumulators are in the cache anyway. So rows of frequent groups are accumulated where they are, in chunks of a
//! fixed size, and all other rows are as few as they are.

use cuprum_column::{Context, Result};
use cuprum_runtime::host_vec;

use super::accumulate::LANES;
use crate::row_keys::hash_table::NONE;

/// The most groups that are taken for frequent: their accumulators, in all lanes, fit the first-level cache.
const MOST: usize = 512;

/// Rows that are looked at.
const SAMPLE: usize = 16 << 10;

/// Groups with as many rows of the sample are frequent.
const HITS: u16 = 4;

/// One row of so many must be in a frequent group.
const SHARE: usize = 8;

/// The number of a group that is not frequent.
const RARE: u16 = u16::MAX;

/// The frequent groups of some rows.
pub(super) struct FrequentGroups {
    /// The groups, ascending.
    groups: Vec<u32>,
    /// For every group its number among these, or [`RARE`].
    number_of: Vec<u16>,
    /// Rows of a chunk: merging costs at most a sixteenth, and there are no more chunks than threads need.
    pub(super) chunk: usize,
}

impl FrequentGroups {
    /// Those of rows with `ids`, of which a sample is looked at that depends on the number of rows alone; none
    /// where they have few of all rows. Chunks have `chunk` rows at least.
    pub(super) fn find(ids: &[u32], groups: usize, chunk: usize, ctx: &Context) -> Result<Option<Self>> {
        ctx.check()?;
        let step = ids.len().div_ceil(SAMPLE);
        // Numbers of frequent groups lie between places of rows and `NONE`.
        if step == 0 || ids.len() >= NONE as usize - MOST {
            return Ok(None);
        }
        let mut hits = host_vec::zeroed::<u16>(groups)?;
        let mut candidates = Vec::new();
        let mut random = 0x2545_F491_4F6C_DD1Du64;
        for rows in ids.chunks(step) {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let id = rows[(random >> 33) as usize % rows.len()];
            // There are fewer rows in the sample than the counter holds.
            if let Some(hits) = hits.get_mut(id as usize) {
                *hits += 1;
                if *hits == HITS {
                    candidates.push(id);
                }
            }
        }
        candidates.sort_unstable_by_key(|&group| (u16::MAX - hits[group as usize], group));
        candidates.truncate(MOST);
        let sampled = ids.len().div_ceil(step);
        let share: usize = candidates.iter().map(|&group| usize::from(hits[group as usize])).sum();
        if share < sampled.div_ceil(SHARE) {
            return Ok(None);
        }
        candidates.sort_unstable();
        let mut number_of = hits;
        number_of.fill(RARE);
        candidates.iter().zip(0..).for_each(|(&group, number)| number_of[group as usize] = number);
        let chunk = chunk.max(16 * LANES * candidates.len()).max(ids.len().div_ceil(256));
        Ok(Some(Self { groups: candidates, number_of, chunk: chunk.next_multiple_of(64) }))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The number of a group among them.
    #[inline(always)]
    pub(super) fn number(&self, group: usize) -> Option<usize> {
        match self.number_of.get(group) {
            None | Some(&RARE) => None,
            Some(&number) => Some(usize::from(number)),
        }
    }

    /// What stands for number 0 in place of the row of a place; the others follow it, and then comes [`NONE`].
    pub(super) fn base(&self) -> u32 {
        NONE - self.len() as u32
    }

    /// [`base`](Self::base) and the number of a group; [`NONE`] where it is not among them.
    #[inline(always)]
    pub(super) fn code(&self, group: u32) -> u32 {
        self.number(group as usize).map_or(NONE, |number| self.base() + number as u32)
    }

    /// The values of these groups among those of all.
    pub(super) fn gather<T: Copy>(&self, of_all: &[T]) -> Vec<T> {
        self.groups.iter().map(|&group| of_all[group as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_groups_are_found() {
        let ctx = &Context::current();
        let rows = 300_000usize;
        // Half of the rows are in groups 7 and 40 000, the others in one of many.
        let ids: Vec<u32> = (0..rows as u32)
            .map(|row| match row.wrapping_mul(0x9E37_79B9) >> 30 {
                0 => 7,
                1 => 40_000,
                _ => row % 90_000,
            })
            .collect();
        let found = FrequentGroups::find(&ids, 90_000, 64, ctx).unwrap().unwrap();
        assert_eq!(found.groups, [7, 40_000]);
        assert_eq!((found.number(7), found.number(40_000), found.number(8)), (Some(0), Some(1), None));
        assert_eq!((found.number(90_000), found.number(usize::MAX)), (None, None));
        assert_eq!((found.code(7), found.code(40_000), found.code(9)), (NONE - 2, NONE - 1, NONE));
        assert_eq!(found.gather(&(0..90_000).collect::<Vec<_>>()), [7, 40_000]);
        assert!(found.chunk >= 16 * LANES * 2 && found.chunk.is_multiple_of(64));
        // Groups of equal size, and rows in no group.
        let ids: Vec<u32> = (0..rows as u32).map(|row| row % 90_000).collect();
        assert!(FrequentGroups::find(&ids, 90_000, 64, ctx).unwrap().is_none());
        assert!(FrequentGroups::find(&vec![NONE; 1000], 5, 64, ctx).unwrap().is_none());
        assert!(FrequentGroups::find(&[], 0, 64, ctx).unwrap().is_none());
        // No more than there may be, those with the most rows.
        let ids: Vec<u32> = (0..20_000u32).map(|row| if row % 3 == 0 { 1999 } else { row % 2000 }).collect();
        let found = FrequentGroups::find(&ids, 2000, 64, ctx).unwrap().unwrap();
        assert_eq!((found.len(), found.number(1999)), (MOST, Some(MOST - 1)));
    }
}
