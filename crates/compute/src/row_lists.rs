//! Row lists: the rows of each group, by a stable counting sort.

use std::ops::Range;

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::for_ranges;

use crate::distribute::Destinations;

/// The rows of each group, ascending within it.
pub(crate) struct RowsByGroup {
    /// Group `g` has the places `offsets[g]..offsets[g + 1]`.
    pub(crate) offsets: HostUVec<u32>,
    /// Row numbers.
    pub(crate) rows: HostUVec<u32>,
}

/// Parts of a two-step counting sort.
const PARTS: usize = 256;

/// Rows of which none may have a group, which are passed over together.
const SPAN: usize = 32;

/// The ids of rows, which lie in memory or are found piece by piece.
pub(crate) trait RowIds: Sync {
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
pub(crate) fn rows_by_group(
    ids: &[u32],
    groups: usize,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<RowsByGroup> {
    list_rows(&ids, groups, keep, ctx)
}

/// [`rows_by_group`] of ids from anywhere.
pub(crate) fn list_rows(
    ids: &impl RowIds,
    groups: usize,
    keep: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<RowsByGroup> {
    let shift = groups.div_ceil(PARTS).next_power_of_two().trailing_zeros();
    let parts = groups.div_ceil(1 << shift);
    let group_of = |id: u32, row: usize| {
        let id = id as usize;
        (id < groups && keep.is_none_or(|bits| bits.get(row))).then_some(id)
    };
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
