//! In which order rows are accumulated, so that accumulators stay in the cache and sums do not
//! depend on threads.
//!
//! - Few groups: chunks of rows of a fixed size have accumulators for all groups, which are merged in
//!   the order of the chunks.
//! - Many groups: rows are moved to parts by ranges of groups, stably; each part has the accumulators
//!   of its groups alone. Destinations are computed once, then one column after the other is moved.

use std::ops::Range;

use cuprum_column::{Column, Context, HostUVec, Native, Result, null_mask};
use cuprum_runtime::parallel::{self, for_ranges};

use crate::row_keys::counting_sort::{BLOCK, Destinations};
use crate::row_keys::hash_table::NONE;

/// When to do what; tests force the rare ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutTuning {
    /// With more groups than this, rows are moved.
    pub(super) chunks_up_to: usize,
    /// Rows of a chunk, at least.
    pub(super) chunk: usize,
}

impl Default for LayoutTuning {
    fn default() -> Self {
        Self { chunks_up_to: 1 << 16, chunk: 1 << 18 }
    }
}

/// Rows whose groups are `base..base + groups` or none.
pub(super) struct Unit<'a> {
    /// Group of each row.
    pub(super) ids: &'a [u32],
    /// Positions of the rows in columns of the layout.
    pub(super) rows: Range<usize>,
    pub(super) base: usize,
    pub(super) groups: usize,
}

/// What each group has got, in pieces of `1 << shift` groups.
pub(super) struct Segments<A> {
    shift: u32,
    parts: Vec<A>,
}

impl<A> Segments<A> {
    /// The piece with group `g`, and the position of the group in it.
    #[inline(always)]
    pub(super) fn get(&self, g: usize) -> (&A, usize) {
        (&self.parts[g >> self.shift], g & ((1 << self.shift) - 1))
    }
}

pub(super) enum Layout<'a> {
    Chunks { ids: &'a [u32], groups: usize, chunk: usize },
    Parts { ids: HostUVec<u32>, groups: usize, shift: u32, to: HostUVec<u32>, destinations: Destinations },
}

impl<'a> Layout<'a> {
    pub(super) fn new(ids: &'a [u32], groups: usize, tuning: LayoutTuning, ctx: &Context) -> Result<Self> {
        if groups <= tuning.chunks_up_to {
            // Merging all chunks costs at most a sixteenth of accumulating.
            let chunk = tuning.chunk.max(16 * groups).next_multiple_of(64);
            return Ok(Self::Chunks { ids, groups, chunk });
        }
        let shift = groups.div_ceil(256).next_power_of_two().trailing_zeros().max(12);
        let parts = groups.div_ceil(1 << shift);
        let destinations = Destinations::new(ids.len(), parts, ctx, &|block, counts| {
            for &id in &ids[block] {
                if (id as usize) < groups {
                    counts[id as usize >> shift] += 1;
                }
            }
        })?;
        let mut to = HostUVec::<u32>::uninit(ids.len(), ctx)?;
        let mut moved = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let (to_out, moved_out) = (to.output(), moved.output());
        for_ranges(ids.len(), BLOCK, ctx, &|block| {
            let mut cursors = destinations.cursors(block.start / BLOCK);
            for row in block {
                let id = ids[row];
                let place =
                    if (id as usize) < groups { cursors.next(id as usize >> shift) as u32 } else { NONE };
                // SAFETY: each row belongs to one block; the cursors of all blocks run through
                // places of their own, which were counted from the same ids.
                unsafe {
                    to_out.write(row, place);
                    if place != NONE {
                        moved_out.write(place as usize, id);
                    }
                }
            }
            Ok(())
        })?;
        // SAFETY: the blocks cover all rows, and the cursors all places.
        let (to, ids) = unsafe { (to.assume_init(), moved.assume_init()) };
        Ok(Self::Parts { ids, groups, shift, to, destinations })
    }

    /// The rows of every unit through `work`; `merge` joins the results of two units of the same
    /// groups, the earlier one first.
    pub(super) fn run<A: Send>(
        &self,
        ctx: &Context,
        work: &(dyn Fn(&Unit<'_>) -> A + Sync),
        merge: &dyn Fn(&mut A, A),
    ) -> Result<Segments<A>> {
        match self {
            Self::Chunks { ids, groups, chunk } => {
                let unit =
                    |rows: Range<usize>| Unit { ids: &ids[rows.clone()], rows, base: 0, groups: *groups };
                let parts = parallel::map_ranges(ids.len(), *chunk, ctx, |rows| Ok(work(&unit(rows))))?;
                let mut parts = parts.into_iter();
                let mut all = parts.next().unwrap_or_else(|| work(&unit(0..0)));
                parts.for_each(|part| merge(&mut all, part));
                Ok(Segments { shift: usize::BITS - 1, parts: vec![all] })
            }
            Self::Parts { ids, groups, shift, destinations, .. } => {
                let parts = parallel::map_ranges(destinations.num_parts(), 1, ctx, |part| {
                    let rows = destinations.part(part.start);
                    let base = part.start << shift;
                    let groups = (1 << shift).min(groups - base);
                    Ok(work(&Unit { ids: &ids[rows.clone()], rows, base, groups }))
                })?;
                Ok(Segments { shift: *shift, parts })
            }
        }
    }

    /// Values, one per row, where the layout wants them; `None` where they already are.
    pub(super) fn move_values<T: Native>(
        &self,
        value: impl Fn(usize) -> T + Sync,
        ctx: &Context,
    ) -> Result<Option<HostUVec<T>>> {
        let Self::Parts { to, destinations, .. } = self else { return Ok(None) };
        let mut moved = HostUVec::<T>::uninit(destinations.len(), ctx)?;
        let out = moved.output();
        for_ranges(to.len(), BLOCK, ctx, &|block| {
            for (row, &place) in block.clone().zip(&to[block]) {
                if place != NONE {
                    // SAFETY: `to` gives each row that has a place one of its own below the length.
                    unsafe { out.write(place as usize, value(row)) };
                }
            }
            Ok(())
        })?;
        // SAFETY: every place belongs to a row.
        Ok(Some(unsafe { moved.assume_init() }))
    }

    /// The validity of a column where the layout wants it, as a mask.
    pub(super) fn move_validity(
        &self,
        column: &Column,
        ctx: &Context,
    ) -> Result<Option<(cuprum_column::Buffer, usize)>> {
        let view = column.view()?;
        let Some(valid) = view.validity() else { return Ok(None) };
        let Some(bytes) = self.move_values::<u8>(|row| u8::from(valid.get(row)), ctx)? else {
            return Ok(None);
        };
        null_mask::from_fn(bytes.len(), ctx, |i| bytes[i] != 0).map(Some)
    }
}
