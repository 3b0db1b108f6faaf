//! The rows of the first groups, accumulated where they lie while only the others are moved.
//!
//! Frequent keys come early, so the first part of the groups has most rows of Zipf's law or of one heavy key. To move
//! them costs more than to read them among the others, of which a pass over a block makes a list without a branch.
//! A unit is a range of rows with as many rows of the first part as a chunk of moved rows has: sums are those of moved
//! rows to the bit.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel;

use super::group_ranges::{GroupRanges, MOVED_BLOCK};
use cuprum_elements::stable_partition::{Destinations, changed, running_sum};

/// Rows that are classified together.
const STEP: usize = 1024;

/// The rows of the first part.
pub(crate) struct InPlace {
    parts: GroupRanges,
    /// Their number so far.
    rows: usize,
    /// The bounds of the pieces of all rows that have a chunk of rows of the first part each.
    bounds: Vec<usize>,
}

/// The rows of other parts in a run: for each block their positions in it.
pub(crate) struct Others {
    positions: HostUVec<u16>,
    /// The offsets of each block's positions, and the end of the last.
    starts: Vec<usize>,
}

impl Others {
    pub(crate) fn of_block(&self, block: usize) -> &[u16] {
        &self.positions[self.starts[block]..self.starts[block + 1]]
    }
}

impl InPlace {
    /// Whether more than `above` of 256 rows are in the first part, by a sample of rows from all over.
    pub(crate) fn pays(ids: &[u32], parts: GroupRanges, above: usize) -> bool {
        const SAMPLE: usize = 4096;
        let looked_at = ids.iter().step_by(ids.len().div_ceil(SAMPLE).max(1));
        let (rows, first) = looked_at.fold((0, 0), |(rows, first), id| {
            (rows + 1, first + usize::from((*id as usize) < parts.first_groups()))
        });
        first * 256 > rows * above
    }

    pub(crate) fn new(parts: GroupRanges) -> Self {
        Self { parts, rows: 0, bounds: vec![0] }
    }

    /// Ranges of all rows with a chunk of rows of the first part each.
    pub(crate) fn pieces(&self) -> Vec<Range<usize>> {
        self.bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).collect()
    }

    /// There are so many rows in all.
    pub(crate) fn end(&mut self, rows: usize) {
        self.bounds.push(rows);
    }

    /// The next run, whose first row is `start`: where its rows of other parts are moved, and which these are.
    pub(crate) fn add(&mut self, ids: &[u32], start: usize, ctx: &Context) -> Result<(Destinations, Others)> {
        let parts = self.parts;
        let blocks = ids.len().div_ceil(MOVED_BLOCK);
        let in_first: Vec<AtomicUsize> = host_vec::collect((0..blocks).map(|_| AtomicUsize::new(0)))?;
        let destinations =
            Destinations::in_blocks(ids.len(), MOVED_BLOCK, parts.len(), ctx, &|block, counts| {
                let mut others = 0;
                each_other(&ids[block.clone()], parts, |_, id| {
                    others += 1;
                    if (id as usize) < parts.groups {
                        counts[parts.of(id)] += 1;
                    }
                });
                in_first[block.start / MOVED_BLOCK].store(block.len() - others, Ordering::Relaxed);
                Ok(())
            })?;
        let starts = running_sum((0..blocks).map(|block| destinations.rows_of_block(block)));
        let mut positions = HostUVec::<u16>::uninit(destinations.len(), ctx)?;
        let out = positions.output();
        parallel::for_ranges(ids.len(), MOVED_BLOCK, ctx, &|block| {
            let own = starts[block.start / MOVED_BLOCK]..starts[block.start / MOVED_BLOCK + 1];
            // SAFETY: the places of blocks are disjoint.
            let out = unsafe { out.slice(own) };
            let mut at = 0;
            each_other(&ids[block], parts, |i, id| {
                if let Some(place) = out.get_mut(at).filter(|_| (id as usize) < parts.groups) {
                    place.write(i as u16);
                    at += 1;
                }
            });
            if at == out.len() { Ok(()) } else { Err(changed()) }
        })?;
        // SAFETY: every block has written all of its own.
        let positions = unsafe { positions.assume_init() };
        let before = running_sum(in_first.iter().map(|count| count.load(Ordering::Relaxed)));
        self.bounds.extend(piece_starts(ids, (start, self.rows), &before, parts, ctx)?);
        self.rows += before[blocks];
        Ok((destinations, Others { positions, starts }))
    }
}

/// `f(position, id)` of those that are not in the first part.
#[inline(always)]
fn each_other(ids: &[u32], parts: GroupRanges, mut f: impl FnMut(usize, u32)) {
    let first_groups = parts.first_groups();
    let mut others = [0u32; STEP];
    for (start, ids) in (0..).step_by(STEP).zip(ids.chunks(STEP)) {
        let mut len = 0;
        for (i, id) in ids.iter().enumerate() {
            // No more than positions before it.
            others[len % STEP] = i as u32;
            len += usize::from(*id as usize >= first_groups);
        }
        for &i in &others[..len] {
            f(start + i as usize, ids[i as usize]);
        }
    }
}

/// The rows of the first part, but for the first of all, whose number there divides by a chunk's length. Before the ids
/// are `first` rows with so many of the part; so many more are before each block.
fn piece_starts(
    ids: &[u32],
    (first, earlier): (usize, usize),
    before: &[usize],
    parts: GroupRanges,
    ctx: &Context,
) -> Result<Vec<usize>> {
    let first_groups = parts.first_groups();
    let in_first = |id: u32| (id as usize) < first_groups;
    let starts = parallel::map_ranges(ids.len(), MOVED_BLOCK, ctx, |block| {
        let mut starts = Vec::new();
        let mut number = earlier + before[block.start / MOVED_BLOCK];
        let mut next = number.max(1).next_multiple_of(parts.chunk);
        for start in block.clone().step_by(STEP) {
            let end = (start + STEP).min(block.end);
            let count = ids[start..end].iter().fold(0u32, |count, id| count + u32::from(in_first(*id)));
            if number + (count as usize) <= next {
                number += count as usize;
                continue;
            }
            for row in (start..end).filter(|&row| in_first(ids[row])) {
                if number == next {
                    starts.push(first + row);
                    next += parts.chunk;
                }
                number += 1;
            }
        }
        Ok(starts)
    })?;
    Ok(starts.into_iter().flatten().collect())
}
