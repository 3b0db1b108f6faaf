//! In which order rows are accumulated, so that accumulators stay in the cache and sums do not
//! depend on threads.
//!
//! - Few groups: chunks of rows of a fixed size have accumulators for all groups, which are merged in
//!   the order of the chunks.
//! - Many groups: rows are moved to parts by ranges of groups, stably; each part has the accumulators
//!   of its groups alone. Destinations are computed once, then one column after the other is moved. A part with
//!   many more rows than others, as that of a frequent key, is accumulated in chunks too.
//! - Many groups and little memory: the same parts, but nothing is moved. One run of rows after the other
//!   is listed by parts, whose accumulators go from run to run; so they see the same rows in the same order.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cuprum_column::{Column, Context, HostUVec, Native, Result, null_mask};
use cuprum_runtime::parallel::{self, for_ranges};
use cuprum_runtime::{Device, spill};

use crate::distribute::{BLOCK, Destinations};
use crate::row_keys::hash_table::NONE;

/// When to do what; tests force the rare ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutTuning {
    /// With more groups than this, rows are moved.
    pub(super) chunks_up_to: usize,
    /// Rows of a chunk, at least.
    pub(super) chunk: usize,
    /// Rows of a run, where rows are not to be moved.
    pub(super) run: Option<usize>,
}

impl LayoutTuning {
    /// For so many rows that are to be aggregated in `budget` bytes of memory.
    pub(super) fn within(budget: Option<usize>, rows: usize) -> Self {
        /// Bytes per row of moving a column: ids and destinations, the column before and after.
        const MOVING: usize = 28;
        /// Bytes per row of listing rows by parts.
        const LISTING: usize = 8;
        let budget = budget.filter(|&budget| rows.saturating_mul(MOVING) > budget);
        let run = budget.map(|budget| (budget / 8 / LISTING).max(BLOCK));
        Self { chunks_up_to: 1 << 17, chunk: 1 << 18, run }
    }
}

/// About as many accumulators of one statistic are made for chunks.
const MOST_ACCUMULATORS: usize = 4 << 20;

/// Chunks of more groups have fewer rows for each. Their accumulators, one statistic at a time, just fit a cache of the
/// second level; moving rows to parts takes longer still.
const MANY_GROUPS: usize = 1 << 16;

/// Rows whose groups are `base..base + groups` or none.
pub(super) struct Unit<'a> {
    /// Group of each row.
    pub(super) ids: &'a [u32],
    pub(super) rows: UnitRows<'a>,
    pub(super) base: usize,
    pub(super) groups: usize,
}

/// Positions of rows in columns of the layout.
pub(super) enum UnitRows<'a> {
    Consecutive(Range<usize>),
    Listed(&'a [u32]),
}

impl UnitRows<'_> {
    /// Position `i`.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> usize {
        match self {
            Self::Consecutive(rows) => rows.start + i,
            Self::Listed(rows) => rows[i] as usize,
        }
    }
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

#[expect(clippy::large_enum_variant, reason = "one value for a whole operation")]
pub(super) enum AccumulationLayout<'a> {
    Chunks { ids: &'a [u32], groups: usize, chunk: usize },
    Parts { ids: HostUVec<u32>, parts: Parts, to: HostUVec<u32>, destinations: Destinations },
    Runs { ids: &'a [u32], parts: Parts, run: usize },
}

/// Groups in parts of `1 << shift`.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    groups: usize,
    shift: u32,
    /// Rows of a part that are accumulated together, so many that merging costs at most a sixteenth.
    chunk: usize,
}

impl Parts {
    fn new(groups: usize, chunk: usize) -> Self {
        let shift = groups.div_ceil(256).next_power_of_two().trailing_zeros().max(12);
        Self { groups, shift, chunk: chunk.max(16 << shift) }
    }

    fn len(self) -> usize {
        self.groups.div_ceil(1 << self.shift)
    }

    /// The first group of a part and how many it has.
    fn part(self, part: usize) -> (usize, usize) {
        let base = part << self.shift;
        (base, (1 << self.shift).min(self.groups - base))
    }

    fn destinations(self, ids: &[u32], ctx: &Context) -> Result<Destinations> {
        Destinations::new(ids.len(), self.len(), ctx, &|block, counts| {
            for &id in &ids[block] {
                if (id as usize) < self.groups {
                    counts[id as usize >> self.shift] += 1;
                }
            }
            Ok(())
        })
    }

    /// `place(row, destination, id)` for every row; [`NONE`] is the destination of rows in no group.
    /// Destinations are different and below the length of `destinations`, which are those of `ids`.
    fn each(
        self,
        ids: &[u32],
        destinations: &Destinations,
        ctx: &Context,
        place: impl Fn(usize, u32, u32) + Sync,
    ) -> Result<()> {
        destinations.each_block(ctx, &|block, cursors| {
            for row in block {
                let id = ids[row];
                let inside = (id as usize) < self.groups;
                let to = if inside { cursors.next(id as usize >> self.shift) } else { None };
                place(row, to.map_or(NONE, |to| to as u32), id);
            }
            Ok(())
        })
    }
}

impl<'a> AccumulationLayout<'a> {
    pub(super) fn new(ids: &'a [u32], groups: usize, tuning: LayoutTuning, ctx: &Context) -> Result<Self> {
        if groups <= tuning.chunks_up_to {
            // Merging all chunks costs at most a sixteenth of accumulating; a fourth, by all threads, of many groups,
            // whose chunks would be too few else. However many rows there are,
            // chunks are no more than threads need, and less where groups are many: all of them have
            // accumulators at the same time.
            let chunks = (MOST_ACCUMULATORS / groups.max(1)).clamp(32, 256);
            let rows_of_group = if groups > MANY_GROUPS { 4 } else { 16 };
            let least = tuning.chunk.max(rows_of_group * groups);
            let chunk = least.max(ids.len().div_ceil(chunks)).next_multiple_of(64);
            return Ok(Self::Chunks { ids, groups, chunk });
        }
        let parts = Parts::new(groups, tuning.chunk);
        if let Some(run) = tuning.run {
            return Ok(Self::Runs { ids, parts, run });
        }
        let destinations = parts.destinations(ids, ctx)?;
        let mut to = HostUVec::<u32>::uninit(ids.len(), ctx)?;
        let mut moved = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let (to_out, moved_out) = (to.output(), moved.output());
        parts.each(ids, &destinations, ctx, |row, place, id| {
            // SAFETY: each row is given once, and the places are different and inside, as `each` says.
            unsafe {
                to_out.write(row, place);
                if place != NONE {
                    moved_out.write(place as usize, id);
                }
            }
        })?;
        // SAFETY: all rows were given, and the places of all that have one are all there are.
        let (to, ids) = unsafe { (to.assume_init(), moved.assume_init()) };
        Ok(Self::Parts { ids, parts, to, destinations })
    }

    /// The rows of every unit through `update`, which changes what `new` made for so many groups; `merge`
    /// joins two of the same groups, that of the earlier rows first.
    ///
    /// At no time is there more than one accumulator per group and one for 16 rows of large parts, or, where groups
    /// are few, 4 Mi of them or 32 per group, whatever the number of rows.
    pub(super) fn run<A: Send>(
        &self,
        ctx: &Context,
        new: &(dyn Fn(usize) -> Result<A> + Sync),
        update: &(dyn Fn(&Unit<'_>, &mut A) + Sync),
        merge: &(dyn Fn(&mut A, A) + Sync),
    ) -> Result<Segments<A>> {
        match self {
            Self::Chunks { ids, groups, chunk } => {
                let accumulate = |rows: Range<usize>| {
                    let mut state = new(*groups)?;
                    let rows_ids = &ids[rows.clone()];
                    let rows = UnitRows::Consecutive(rows);
                    update(&Unit { ids: rows_ids, rows, base: 0, groups: *groups }, &mut state);
                    Ok(state)
                };
                // Where memory is limited not all chunks at once, so that only some have accumulators.
                let wave = match spill::budget(Device::Cpu) {
                    Some(_) => *chunk * 4 * parallel::num_threads(),
                    None => ids.len().max(1),
                };
                let mut all = None;
                for start in (0..ids.len()).step_by(wave) {
                    let rows = wave.min(ids.len() - start);
                    let states = parallel::map_ranges(rows, *chunk, ctx, |rows| {
                        accumulate(start + rows.start..start + rows.end)
                    })?;
                    for state in states {
                        match &mut all {
                            None => all = Some(state),
                            Some(all) => merge(all, state),
                        }
                    }
                }
                let all = all.map_or_else(|| accumulate(0..0), Ok)?;
                Ok(Segments { shift: usize::BITS - 1, parts: vec![all] })
            }
            Self::Parts { ids, parts, destinations, .. } => {
                let mut pieces = Vec::with_capacity(parts.len());
                for part in 0..parts.len() {
                    let rows = destinations.part(part);
                    pieces.push((part, rows.start..rows.end.min(rows.start + parts.chunk)));
                    let others = (rows.start + parts.chunk..rows.end).step_by(parts.chunk);
                    pieces.extend(others.map(|start| (part, start..rows.end.min(start + parts.chunk))));
                }
                let states = parallel::map_ranges(pieces.len(), 1, ctx, |piece| {
                    let (part, rows) = pieces[piece.start].clone();
                    let (base, groups) = parts.part(part);
                    let mut state = new(groups)?;
                    let ids = &ids[rows.clone()];
                    update(&Unit { ids, rows: UnitRows::Consecutive(rows), base, groups }, &mut state);
                    Ok(state)
                })?;
                let mut merged: Vec<A> = Vec::with_capacity(parts.len());
                for ((part, _), state) in pieces.into_iter().zip(states) {
                    match merged.get_mut(part) {
                        Some(earlier) => merge(earlier, state),
                        None => merged.push(state),
                    }
                }
                Ok(Segments { shift: parts.shift, parts: merged })
            }
            Self::Runs { ids, parts, run } => {
                let states = (0..parts.len()).map(|part| {
                    let current = new(parts.part(part).1)?;
                    Ok(Mutex::new(Chunked { earlier: None, current, rows: 0 }))
                });
                let states: Vec<Mutex<Chunked<A>>> = states.collect::<Result<_>>()?;
                for start in (0..ids.len()).step_by(*run) {
                    let end = (start + run).min(ids.len());
                    let listed = Listed::new(&ids[start..end], start, *parts, ctx)?;
                    for_ranges(parts.len(), 1, ctx, &|part| {
                        let mut state = states[part.start].lock().unwrap_or_else(PoisonError::into_inner);
                        let mut places = listed.destinations.part(part.start);
                        let (base, groups) = parts.part(part.start);
                        while !places.is_empty() {
                            if state.rows == parts.chunk {
                                let full = std::mem::replace(&mut state.current, new(groups)?);
                                state.rows = 0;
                                match &mut state.earlier {
                                    Some(earlier) => merge(earlier, full),
                                    None => state.earlier = Some(full),
                                }
                            }
                            let len = places.len().min(parts.chunk - state.rows);
                            let these = places.start..places.start + len;
                            let (ids, rows) = (&listed.ids[these.clone()], &listed.rows[these]);
                            let unit = Unit { ids, rows: UnitRows::Listed(rows), base, groups };
                            update(&unit, &mut state.current);
                            state.rows += len;
                            places.start += len;
                        }
                        Ok(())
                    })?;
                }
                let whole = |state: Mutex<Chunked<A>>| {
                    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
                    let Some(mut earlier) = state.earlier else { return state.current };
                    merge(&mut earlier, state.current);
                    earlier
                };
                Ok(Segments { shift: parts.shift, parts: states.into_iter().map(whole).collect() })
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

/// What a part whose rows come in runs has got: of its full chunks, and of the one that is not full yet.
struct Chunked<A> {
    earlier: Option<A>,
    current: A,
    /// Rows in `current`.
    rows: usize,
}

/// A run of rows by parts.
struct Listed {
    ids: HostUVec<u32>,
    rows: HostUVec<u32>,
    destinations: Destinations,
}

impl Listed {
    /// The rows from `first` on, which have these ids.
    fn new(ids: &[u32], first: usize, parts: Parts, ctx: &Context) -> Result<Self> {
        let destinations = parts.destinations(ids, ctx)?;
        let mut moved = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let mut rows = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let (moved_out, rows_out) = (moved.output(), rows.output());
        parts.each(ids, &destinations, ctx, |row, place, id| {
            if place != NONE {
                // SAFETY: the places are different and inside, as `each` says.
                unsafe {
                    moved_out.write(place as usize, id);
                    rows_out.write(place as usize, (first + row) as u32);
                }
            }
        })?;
        // SAFETY: the places of all rows that have one are all there are.
        let (ids, rows) = unsafe { (moved.assume_init(), rows.assume_init()) };
        Ok(Self { ids, rows, destinations })
    }
}
