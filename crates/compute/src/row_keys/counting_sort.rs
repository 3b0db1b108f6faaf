//! Stable distribution of rows: where each row goes when rows are moved part by part, and the rows
//! of each group.

use std::ops::Range;

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::parallel::{self, for_ranges};

/// Rows that one thread distributes at a time. Fixed, so that destinations do not depend on threads.
pub(crate) const BLOCK: usize = 64 << 10;

/// The places of rows that are distributed to parts, in row order within each part.
pub(crate) struct Destinations {
    /// For every block, the first place of its rows in every part.
    starts: Vec<usize>,
    /// The first place of every part, and the number of places.
    parts: Vec<usize>,
}

impl Destinations {
    /// Counts: `count_block` is called for blocks of rows and adds the rows of each part to the
    /// counts it gets.
    pub(crate) fn new(
        rows: usize,
        parts: usize,
        ctx: &Context,
        count_block: &(dyn Fn(Range<usize>, &mut [usize]) + Sync),
    ) -> Result<Self> {
        let counts = parallel::map_ranges(rows, BLOCK, ctx, |block| {
            let mut counts = vec![0usize; parts];
            count_block(block, &mut counts);
            Ok(counts)
        })?;
        Ok(Self::from_counts(&counts, parts))
    }

    /// From the number of rows of every part in every block.
    pub(crate) fn from_counts(counts: &[Vec<usize>], parts: usize) -> Self {
        let mut starts = vec![0; counts.len() * parts];
        let mut part_starts = Vec::with_capacity(parts + 1);
        let mut sum = 0;
        for part in 0..parts {
            part_starts.push(sum);
            for (block, counts) in counts.iter().enumerate() {
                starts[block * parts + part] = sum;
                sum += counts[part];
            }
        }
        part_starts.push(sum);
        Self { starts, parts: part_starts }
    }

    /// The number of rows that have a place.
    pub(crate) fn len(&self) -> usize {
        self.parts[self.num_parts()]
    }

    pub(crate) fn num_parts(&self) -> usize {
        self.parts.len() - 1
    }

    /// The places of a part.
    pub(crate) fn part(&self, part: usize) -> Range<usize> {
        self.parts[part]..self.parts[part + 1]
    }

    /// The next place in every part for the rows of a block.
    pub(crate) fn cursors(&self, block: usize) -> Cursors {
        let parts = self.num_parts();
        Cursors(self.starts[block * parts..(block + 1) * parts].to_vec())
    }
}

/// The next place of one block's rows in every part.
pub(crate) struct Cursors(Vec<usize>);

impl Cursors {
    #[inline(always)]
    pub(crate) fn next(&mut self, part: usize) -> usize {
        let place = self.0[part];
        self.0[part] = place + 1;
        place
    }
}

/// The rows of each group, ascending within it.
pub(crate) struct RowsByGroup {
    /// Group `g` has the places `offsets[g]..offsets[g + 1]`.
    pub(crate) offsets: HostUVec<u32>,
    /// Row numbers.
    pub(crate) rows: HostUVec<u32>,
}

/// Parts of a two-step counting sort.
const PARTS: usize = 256;

/// The rows that have each of `groups` ids; rows with an id that is not below `groups`, and rows that
/// are not set in `keep`, are in no group.
///
/// A stable distribution to at most 256 ranges of ids, then a counting sort inside each range, whose
/// counters fit the cache.
pub(crate) fn rows_by_group(
    ids: &[u32],
    groups: usize,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<RowsByGroup> {
    let shift = groups.div_ceil(PARTS).next_power_of_two().trailing_zeros().max(8);
    let parts = groups.div_ceil(1 << shift).max(1);
    let part_of = |row: usize| {
        let id = ids[row] as usize;
        (id < groups && keep.is_none_or(|bits| bits.get(row))).then_some(id >> shift)
    };
    let destinations = Destinations::new(ids.len(), parts, ctx, &|block, counts| {
        block.filter_map(part_of).for_each(|part| counts[part] += 1);
    })?;
    let len = destinations.len();
    let mut moved = HostUVec::<u32>::uninit(len, ctx)?;
    let out = moved.output();
    for_ranges(ids.len(), BLOCK, ctx, &|block| {
        let mut cursors = destinations.cursors(block.start / BLOCK);
        for row in block {
            if let Some(part) = part_of(row) {
                // SAFETY: cursors of all blocks run through places of their own, each counted above.
                unsafe { out.write(cursors.next(part), row as u32) };
            }
        }
        Ok(())
    })?;
    // SAFETY: every place was written by the one row that was counted for it.
    let moved = unsafe { moved.assume_init() };

    let mut offsets = HostUVec::<u32>::uninit(groups + 1, ctx)?;
    let mut rows = HostUVec::<u32>::uninit(len, ctx)?;
    let (offsets_out, rows_out) = (offsets.output(), rows.output());
    for_ranges(parts, 1, ctx, &|part| {
        let part = part.start;
        let base = part << shift;
        let places = destinations.part(part);
        let mut cursors = vec![0u32; ((part + 1) << shift).min(groups) - base];
        let moved = &moved[places.clone()];
        for &row in moved {
            cursors[ids[row as usize] as usize - base] += 1;
        }
        let mut sum = places.start as u32;
        for (i, cursor) in cursors.iter_mut().enumerate() {
            // SAFETY: the parts' groups are disjoint.
            unsafe { offsets_out.write(base + i, sum) };
            sum += std::mem::replace(cursor, sum);
        }
        for &row in moved {
            let cursor = &mut cursors[ids[row as usize] as usize - base];
            // SAFETY: the part's places are its own, and the counters stay within them.
            unsafe { rows_out.write(*cursor as usize, row) };
            *cursor += 1;
        }
        Ok(())
    })?;
    offsets[groups] = std::mem::MaybeUninit::new(len as u32);
    // SAFETY: the parts cover all groups and all places.
    Ok(unsafe { RowsByGroup { offsets: offsets.assume_init(), rows: rows.assume_init() } })
}
