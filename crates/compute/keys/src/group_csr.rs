//! The rows of each group, or their values, by a stable counting sort.

use std::ops::Range;
use std::sync::atomic::Ordering;

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};
use cuprum_runtime::{OutputSlice, host_vec};

use crate::equality::cpu::renumber::atomic;
use cuprum_elements::stable_partition::{Destinations, changed};

/// The rows of each group, ascending within it.
pub struct RowsByGroup {
    /// Group `g` has the places `offsets[g]..offsets[g + 1]`.
    pub offsets: HostUVec<u32>,
    /// Row numbers.
    pub rows: HostUVec<u32>,
}

/// Parts of a two-step counting sort.
const PARTS: usize = 256;

/// The most groups for [`values_by_group`]: with that of rows in none, their numbers fit a byte.
pub const FEW_GROUPS: usize = 255;

/// Rows whose values are fetched together on their way to their groups.
const FETCHED: usize = 1024;

/// Writes the values of rows to as many places.
pub type Fetch<'f, N> = dyn Fn(&[u32], &mut [N]) + Sync + 'f;

/// Rows of which none may have a group, which are passed over together.
const SPAN: usize = 32;

/// The ids of rows, which lie in memory or are found piece by piece.
pub trait RowIds: Sync {
    /// The number of rows.
    fn len(&self) -> usize;

    /// `f` of the ids of pieces of `rows`, one after the other, and of where each piece is.
    fn each_piece(&self, rows: Range<usize>, f: &mut dyn FnMut(&[u32], Range<usize>)) -> Result<()>;
}

impl RowIds for &[u32] {
    fn len(&self) -> usize {
        <[u32]>::len(self)
    }

    fn each_piece(&self, rows: Range<usize>, f: &mut dyn FnMut(&[u32], Range<usize>)) -> Result<()> {
        f(&self[rows.clone()], rows);
        Ok(())
    }
}

/// Calls `f` with each group, of which there are [`FEW_GROUPS`] at most, and the values of its rows, in their order, which
/// `fetch` reads. The values of `at_once` rows, or of the largest group, are in memory at a time, and a byte for each row.
///
/// Values move while they are read one after the other; read by row numbers each would come with a line of memory.
pub fn values_by_group<N: Copy + Default + Send + Sync>(
    rows: InGroups<'_, impl RowIds>,
    at_once: usize,
    fetch: &Fetch<'_, N>,
    ctx: &Context,
    f: &(dyn Fn(usize, &mut [N]) + Sync),
) -> Result<()> {
    debug_assert!(rows.groups <= FEW_GROUPS);
    // Ids are looked up once; the places of rows show which have none.
    let mut ids = HostUVec::filled(rows.groups as u8, rows.ids.len(), ctx)?;
    let out = OutputSlice::new(&mut ids[..]);
    let destinations = Destinations::new(rows.ids.len(), rows.groups + 1, ctx, &|block, counts| {
        rows.ids.each_piece(block, &mut |ids, piece| {
            // SAFETY: pieces are disjoint, and lie inside.
            let out = unsafe { out.slice(piece.clone()) };
            for ((row, &id), out) in piece.zip(ids).zip(out) {
                let group = rows.group_of(id, row);
                counts[group.unwrap_or(rows.groups)] += 1;
                out.write(group.unwrap_or(rows.groups) as u8);
            }
        })
    })?;
    let bounds = &destinations.bounds()[..=rows.groups];
    let mut windows = Vec::new();
    let mut start = 0;
    while start < rows.groups {
        let end = start + bounds[start + 1..].partition_point(|&end| end - bounds[start] <= at_once).max(1);
        windows.push(start..end);
        start = end;
    }
    let places_of = |groups: &Range<usize>| bounds[groups.start]..bounds[groups.end];
    // All windows have the same memory: others would come on top of memory not yet returned to the system.
    let most = windows.iter().map(|groups| places_of(groups).len()).max().unwrap_or(0);
    let mut values = HostUVec::<N>::uninit(most, ctx)?;
    let values = values.output();
    for groups in windows {
        let window = places_of(&groups);
        destinations.each_block(ctx, &|block, cursors| {
            let (mut numbers, mut places) = ([0u32; FETCHED], [0usize; FETCHED]);
            let mut fetched = [N::default(); FETCHED];
            for piece in block.clone().step_by(FETCHED).map(|start| start..block.end.min(start + FETCHED)) {
                let mut count = 0;
                for row in piece {
                    let Some(place) = cursors.next(usize::from(ids[row])) else { return Err(changed()) };
                    // Without a branch: whether a row is in the window is anyone's guess.
                    (numbers[count], places[count]) = (row as u32, place.wrapping_sub(window.start));
                    count += usize::from(window.contains(&place));
                }
                fetch(&numbers[..count], &mut fetched[..count]);
                for (&place, &value) in places[..count].iter().zip(&fetched) {
                    // SAFETY: cursors give out each place once, and those of the window lie in it.
                    unsafe { values.write(place, value) };
                }
            }
            Ok(())
        })?;
        for_ranges(groups.len(), 1, ctx, &|group| {
            let group = groups.start + group.start;
            // SAFETY: groups are disjoint.
            let own = unsafe { values.slice(bounds[group] - window.start..bounds[group + 1] - window.start) };
            // SAFETY: every place of the window was given out above.
            f(group, unsafe { own.assume_init_mut() });
            Ok(())
        })?;
    }
    Ok(())
}

/// Rows in the group of their id. A row whose id is not below `groups`, or that is not set in `keep`, is in none.
pub struct InGroups<'a, I> {
    /// The group of each row.
    pub ids: &'a I,
    /// The number of groups.
    pub groups: usize,
    /// The rows that are in a group; `None` for all.
    pub keep: Option<Bitmap<'a>>,
}

impl<I: RowIds> InGroups<'_, I> {
    /// The group of a row, if it is in one.
    #[inline(always)]
    fn group_of(&self, id: u32, row: usize) -> Option<usize> {
        let id = id as usize;
        (id < self.groups && self.keep.is_none_or(|bits| bits.get(row))).then_some(id)
    }
}

/// The positions of `ids` without spans in which no id is below `groups`: where few rows have one, most are passed over.
#[inline(always)]
fn grouped_rows(ids: &[u32], groups: usize) -> impl Iterator<Item = usize> {
    let has_group = move |span: &Range<usize>| {
        ids[span.clone()].iter().fold(false, |any, &id| any | ((id as usize) < groups))
    };
    let spans = (0..ids.len()).step_by(SPAN).map(move |start| start..ids.len().min(start + SPAN));
    spans.filter(has_group).flatten()
}

/// The rows that have each of `groups` ids; rows with an id that is not below `groups`, and rows that
/// are not set in `keep`, are in no group.
///
/// A stable distribution to at most 256 ranges of ids; where these have more than one, then a counting sort inside
/// each range, whose counters fit the cache.
pub fn rows_by_group(
    ids: &[u32],
    groups: usize,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<RowsByGroup> {
    if keep.is_none()
        && groups > PARTS
        && let Some(rows) = rows_of_ascending(ids, groups, ctx)?
    {
        return Ok(rows);
    }
    list_rows(&ids, groups, keep, ctx)
}

/// Whether ids are of groups and never descend, as in a table that is stored in the order of its key. A few samples rule
/// out most others.
pub fn ascend(ids: &[u32], groups: usize, ctx: &Context) -> Result<bool> {
    const SAMPLES: usize = 64;
    let all_in_groups = ids.last().is_some_and(|&id| (id as usize) < groups);
    if !all_in_groups || !ids.iter().step_by(ids.len().div_ceil(SAMPLES)).is_sorted() {
        return Ok(false);
    }
    let ascends = parallel::map_morsels(ids.len(), ctx, |range| {
        Ok(ids[range.start.saturating_sub(1)..range.end].is_sorted())
    })?;
    Ok(ascends.into_iter().all(|ascends| ascends))
}

/// [`rows_by_group`] of ids that never descend, [`ascend`]: the rows of a group are neighbours. `None` for other ids.
fn rows_of_ascending(ids: &[u32], groups: usize, ctx: &Context) -> Result<Option<RowsByGroup>> {
    if ascend(ids, groups, ctx)? { rows_of_neighbours(ids, groups, ctx) } else { Ok(None) }
}

/// [`rows_of_ascending`] of ids that ascended a moment ago, and which somebody else may write to: `None` where offsets
/// would descend.
fn rows_of_neighbours(ids: &[u32], groups: usize, ctx: &Context) -> Result<Option<RowsByGroup>> {
    // A group begins at the first row whose id is not below its own.
    let mut offsets = HostUVec::filled(ids.len() as u32, groups + 1, ctx)?;
    let begins = atomic(&mut offsets);
    for_ranges(ids.len(), MORSEL, ctx, &|range| {
        let mut next = range.start.checked_sub(1).map_or(0, |row| ids[row] as usize + 1);
        for row in range {
            let id = ids[row] as usize;
            if id >= next && id < groups {
                begins[next..=id].iter().for_each(|begin| begin.store(row as u32, Ordering::Relaxed));
                next = id + 1;
            }
        }
        Ok(())
    })?;
    if !offsets.is_sorted() {
        return Ok(None);
    }
    let rows = HostUVec::from_fn(ids.len(), ctx, |row| row as u32)?;
    Ok(Some(RowsByGroup { offsets, rows }))
}

/// [`rows_by_group`] of ids from anywhere.
pub fn list_rows(
    ids: &impl RowIds,
    groups: usize,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<RowsByGroup> {
    let shift = groups.div_ceil(PARTS).next_power_of_two().trailing_zeros();
    let parts = groups.div_ceil(1 << shift);
    let rows = InGroups { ids, groups, keep };
    let group_of = |id: u32, row: usize| rows.group_of(id, row);
    let destinations = Destinations::new(ids.len(), parts, ctx, &|block, counts| {
        ids.each_piece(block, &mut |ids, rows| {
            for i in grouped_rows(ids, groups) {
                group_of(ids[i], rows.start + i).into_iter().for_each(|id| counts[id >> shift] += 1);
            }
        })
    })?;
    let len = destinations.len();
    if shift == 0 {
        let mut rows = HostUVec::<u32>::uninit(len, ctx)?;
        let out = rows.output();
        destinations.each_block(ctx, &|block, cursors| {
            ids.each_piece(block, &mut |ids, rows| {
                for i in grouped_rows(ids, groups) {
                    let row = rows.start + i;
                    if let Some(place) = group_of(ids[i], row).and_then(|id| cursors.next(id)) {
                        // SAFETY: cursors give out places below `len`, each once.
                        unsafe { out.write(place, row as u32) };
                    }
                }
            })
        })?;
        let bounds = destinations.bounds();
        let offsets = HostUVec::from_fn(groups + 1, ctx, |group| bounds[group] as u32)?;
        // SAFETY: every place was given out.
        return Ok(RowsByGroup { offsets, rows: unsafe { rows.assume_init() } });
    }
    // Groups travel with their rows: the ids are read once after they were counted, and may have changed.
    let mut moved = HostUVec::<[u32; 2]>::uninit(len, ctx)?;
    let out = moved.output();
    destinations.each_block(ctx, &|block, cursors| {
        ids.each_piece(block, &mut |ids, rows| {
            for i in grouped_rows(ids, groups) {
                let row = rows.start + i;
                if let Some(id) = group_of(ids[i], row)
                    && let Some(place) = cursors.next(id >> shift)
                {
                    // SAFETY: cursors give out places below `len`, each once.
                    unsafe { out.write(place, [id as u32, row as u32]) };
                }
            }
        })
    })?;
    // SAFETY: every place was given out.
    let moved = unsafe { moved.assume_init() };

    let mut offsets = HostUVec::<u32>::uninit(groups + 1, ctx)?;
    let mut rows = HostUVec::<u32>::uninit(len, ctx)?;
    let (offsets_out, rows_out) = (offsets.output(), rows.output());
    for_ranges(parts, 1, ctx, &|part| {
        let part = part.start;
        let base = part << shift;
        let places = destinations.part(part);
        let mut cursors = host_vec::zeroed::<u32>(((part + 1) << shift).min(groups) - base)?;
        let moved = &moved[places.clone()];
        for [id, _] in moved {
            cursors[*id as usize - base] += 1;
        }
        let mut sum = places.start as u32;
        for (i, cursor) in cursors.iter_mut().enumerate() {
            // SAFETY: the parts' groups are disjoint.
            unsafe { offsets_out.write(base + i, sum) };
            sum += std::mem::replace(cursor, sum);
        }
        for [id, row] in moved {
            let cursor = &mut cursors[*id as usize - base];
            // SAFETY: the part's places are its own, and the counters, which are of the same memory that
            // nobody else has, stay within them.
            unsafe { rows_out.write(*cursor as usize, *row) };
            *cursor += 1;
        }
        Ok(())
    })?;
    offsets[groups] = std::mem::MaybeUninit::new(len as u32);
    // SAFETY: the parts cover all groups and all places.
    Ok(unsafe { RowsByGroup { offsets: offsets.assume_init(), rows: rows.assume_init() } })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use cuprum_testing::Random;

    use super::*;

    #[test]
    fn rows_of_ascending_ids_are_those_of_any() {
        let ctx = &Context::current();
        for (rows, groups) in
            [(1, 300), (65, 300), (MORSEL, 5000), (MORSEL + 1, 900), (3 * MORSEL - 1, 200_000)]
        {
            for (step, start) in [(1, 0), (2, 1), (7, groups / 2)] {
                let id = |row: usize| (start + row * step * groups / (rows * 8)).min(groups - 1) as u32;
                let mut ids: Vec<u32> = (0..rows).map(id).collect();
                let found = rows_of_ascending(&ids, groups, ctx).unwrap().unwrap();
                let expected = list_rows(&&ids[..], groups, None, ctx).unwrap();
                assert_eq!(
                    (&found.offsets[..], &found.rows[..]),
                    (&expected.offsets[..], &expected.rows[..])
                );
                // Ids of no group, and one that descends.
                *ids.last_mut().unwrap() = groups as u32;
                assert!(rows_of_ascending(&ids, groups, ctx).unwrap().is_none());
                if rows > 1 {
                    *ids.last_mut().unwrap() = 0;
                    ids[rows - 2] = 1;
                    assert!(rows_of_ascending(&ids, groups, ctx).unwrap().is_none());
                }
            }
        }
        assert!(rows_of_ascending(&[], 300, ctx).unwrap().is_none());
    }

    /// Ids that others write to between the look at their order and the listing are any.
    #[test]
    fn rows_of_neighbours_are_in_bounds_for_any_ids() {
        let ctx = &Context::current();
        let mut random = Random(7);
        for rows in [0usize, 1, 65, MORSEL + 1, 3 * MORSEL] {
            for most in [1u64, 300, 1 << 32] {
                let ids: Vec<u32> = (0..rows).map(|_| random.below(most) as u32).collect();
                if let Some(found) = rows_of_neighbours(&ids, 300, ctx).unwrap() {
                    assert!(
                        found.offsets.is_sorted()
                            && found.offsets.last().is_some_and(|&end| end as usize <= rows)
                    );
                    assert_eq!(found.rows.len(), rows);
                }
            }
        }
    }

    /// However few values are in memory at a time, groups have those of their rows, in their order.
    #[test]
    fn values_move_to_their_groups_in_windows() {
        let ctx = &Context::current();
        let mut random = Random(31);
        for (rows, groups) in [(0usize, 0), (0, 3), (1, 1), (1000, 1), (70_000, 7), (30_001, FEW_GROUPS)] {
            // Some ids are of no group, one group is heavy and one is empty.
            let id = |value: usize| if value.is_multiple_of(3) { 0 } else { value % (groups + 2) };
            let ids: Vec<u32> = (0..rows).map(|_| id(random.below(1 << 20) as usize) as u32).collect();
            let bits: Vec<u64> = (0..rows.div_ceil(64)).map(|_| random.next() | random.next()).collect();
            let bits = Bitmap::new(bytemuck::cast_slice(&bits), 0, rows);
            for keep in [None, Some(bits)] {
                let is_in = |row: usize, group: usize| {
                    ids[row] as usize == group && keep.is_none_or(|bits| bits.get(row))
                };
                for at_once in [1, rows / 3 + 1, usize::MAX] {
                    let found = Mutex::new(vec![None; groups]);
                    let fetch: &Fetch<'_, u64> = &|rows, out| {
                        out.iter_mut().zip(rows).for_each(|(out, &row)| *out = u64::from(row) * 3);
                    };
                    let of = InGroups { ids: &&ids[..], groups, keep };
                    values_by_group(of, at_once, fetch, ctx, &|group, values| {
                        assert!(found.lock().unwrap()[group].replace(values.to_vec()).is_none());
                    })
                    .unwrap();
                    for (group, found) in found.into_inner().unwrap().into_iter().enumerate() {
                        let wanted = (0..rows).filter(|&row| is_in(row, group)).map(|row| row as u64 * 3);
                        assert!(
                            found.unwrap().into_iter().eq(wanted),
                            "{rows} rows, group {group}, {at_once}"
                        );
                    }
                }
            }
        }
    }
}
