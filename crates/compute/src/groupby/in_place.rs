//! The rows of the first groups, accumulated where they lie while only the others are moved.
//!
//! Frequent keys come early, so the first part of the groups has most rows of Zipf's law or of one heavy key. To move
//! them costs more than to read them among the others, of which a pass over a block makes a list without a branch.
//! A unit is a range of rows with as many rows of the first part as a chunk of moved rows has: sums are those of moved
//! rows to the bit.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Context, HostUVec, Native, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{self, for_ranges};

use super::layout::Parts;
use crate::distribute::{BLOCK, Destinations, changed, running_sum};
use crate::row_keys::parted::Moved;

/// Rows that are told apart together.
const STEP: usize = 1024;

pub(super) struct InPlace<'a> {
    /// The group of every row, counted from the first of all.
    pub(super) ids: &'a [u32],
    /// Ranges of all rows with a chunk of rows of the first part each.
    pub(super) pieces: Vec<Range<usize>>,
    /// The rows of the other parts and where they are moved.
    rows: HostUVec<u32>,
    places: HostUVec<u32>,
}

impl<'a> InPlace<'a> {
    /// Whether more than `above` of 256 rows are in the first part, as far as rows from all over tell.
    pub(super) fn pays(ids: &[u32], parts: Parts, above: usize) -> bool {
        const SAMPLE: usize = 4096;
        let looked_at = ids.iter().step_by(ids.len().div_ceil(SAMPLE).max(1));
        let (rows, first) = looked_at.fold((0, 0), |(rows, first), id| {
            (rows + 1, first + usize::from((*id as usize) < parts.first_groups()))
        });
        first * 256 > rows * above
    }

    /// The rows of the first part in place, and those of the other parts moved; none has a place in the first.
    pub(super) fn new(ids: &'a [u32], parts: Parts, ctx: &Context) -> Result<(Moved, Self)> {
        let blocks = ids.len().div_ceil(BLOCK);
        let in_first: Vec<AtomicUsize> = host_vec::collect((0..blocks).map(|_| AtomicUsize::new(0)))?;
        let destinations = Destinations::new(ids.len(), parts.len(), ctx, &|block, counts| {
            let mut others = 0;
            each_other(&ids[block.clone()], parts, |_, id| {
                others += 1;
                if (id as usize) < parts.groups {
                    counts[id as usize >> parts.shift] += 1;
                }
            });
            in_first[block.start / BLOCK].store(block.len() - others, Ordering::Relaxed);
            Ok(())
        })?;
        let in_first = running_sum(in_first.iter().map(|count| count.load(Ordering::Relaxed)));
        let mut moved = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let mut rows = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let mut places = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let (moved_out, rows_out, places_out) = (moved.output(), rows.output(), places.output());
        let next = AtomicUsize::new(0);
        destinations.each_block(ctx, &|block, cursors| {
            // Where in the lists a block begins is of no importance.
            let mut at = next.fetch_add(cursors.len(), Ordering::Relaxed);
            each_other(&ids[block.clone()], parts, |i, id| {
                let inside = (id as usize) < parts.groups;
                let place = if inside { cursors.next(id as usize >> parts.shift) } else { None };
                if let Some(place) = place {
                    // SAFETY: cursors give out places below the length, each once, and as many as they have: so many
                    // positions of the lists are the block's own.
                    unsafe {
                        moved_out.write(place, id & ((1 << parts.shift) - 1));
                        rows_out.write(at, (block.start + i) as u32);
                        places_out.write(at, place as u32);
                    }
                    at += 1;
                }
            });
            Ok(())
        })?;
        // SAFETY: all places were given out, and a position of the lists with each.
        let (moved, rows, places) =
            unsafe { (moved.assume_init(), rows.assume_init(), places.assume_init()) };
        let pieces = pieces(ids, &in_first, parts, ctx)?;
        let to = HostUVec::from_slice(&[], ctx)?;
        Ok((Moved { to, destinations, ids: moved }, Self { ids, pieces, rows, places }))
    }

    /// Values of the rows that are moved, `len` of them.
    pub(super) fn move_values<T: Native>(
        &self,
        value: impl Fn(usize) -> T + Sync,
        len: usize,
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        if self.rows.len() != len {
            return Err(changed());
        }
        let mut moved = HostUVec::<T>::uninit(len, ctx)?;
        let out = moved.output();
        for_ranges(len, BLOCK, ctx, &|range| {
            for (&row, &place) in self.rows[range.clone()].iter().zip(&self.places[range]) {
                // SAFETY: every place below the length is in the list, once.
                unsafe { out.write(place as usize, value(row as usize)) };
            }
            Ok(())
        })?;
        // SAFETY: as above.
        Ok(unsafe { moved.assume_init() })
    }
}

/// `f(position, id)` of those that are not in the first part.
#[inline(always)]
fn each_other(ids: &[u32], parts: Parts, mut f: impl FnMut(usize, u32)) {
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

/// Ranges of all rows that begin with rows of the first part whose number there divides by a chunk's length; so many
/// are before each block.
fn pieces(ids: &[u32], before: &[usize], parts: Parts, ctx: &Context) -> Result<Vec<Range<usize>>> {
    let first_groups = parts.first_groups();
    let in_first = |id: u32| (id as usize) < first_groups;
    let starts = parallel::map_ranges(ids.len(), BLOCK, ctx, |block| {
        let mut starts = Vec::new();
        let mut number = before[block.start / BLOCK];
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
                    starts.push(row);
                    next += parts.chunk;
                }
                number += 1;
            }
        }
        Ok(starts)
    })?;
    let mut bounds = vec![0];
    bounds.extend(starts.into_iter().flatten());
    bounds.push(ids.len());
    Ok(bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).collect())
}
