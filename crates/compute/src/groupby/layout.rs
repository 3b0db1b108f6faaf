//! In which order rows are accumulated, so that accumulators stay in the cache and sums do not
//! depend on threads.
//!
//! - Few groups: chunks of rows of a fixed size have accumulators for all groups, which are merged in
//!   the order of the chunks.
//! - Many groups: rows are moved to parts by ranges of groups, stably; each part has the accumulators
//!   of its groups alone. Destinations are computed once, then one column after the other is moved. A part with
//!   many more rows than others is accumulated in chunks too.
//! - Many groups of which some have many of the rows: these [`FrequentGroups`] are accumulated in chunks, and the others
//!   by parts in which rows are listed and not moved.
//! - Many groups and little memory: the same parts, but nothing is moved. One run of rows after the other
//!   is listed by parts, whose accumulators go from run to run; so they see the same rows in the same order.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cuprum_column::{Column, Context, HostUVec, Native, Result, null_mask};
use cuprum_runtime::parallel::{self, for_ranges};
use cuprum_runtime::{Device, host_vec, spill};

use super::frequent::FrequentGroups;
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

/// With more groups chunks are shorter beside them.
const MANY_GROUPS: usize = 1 << 16;

/// Rows whose groups are `base..base + groups`, or none of interest.
pub(super) struct Unit<'a> {
    /// Group of each row, or, where groups are frequent ones, what stands for it.
    pub(super) ids: &'a [u32],
    pub(super) rows: UnitRows<'a>,
    pub(super) base: usize,
    pub(super) groups: usize,
    /// The frequent groups that these are.
    pub(super) frequent: Option<&'a FrequentGroups>,
    /// Whether rows are places that they were moved to.
    pub(super) moved: bool,
}

/// Groups that accumulators are made for.
#[derive(Clone, Copy)]
pub(super) struct UnitGroups {
    pub(super) len: usize,
    /// They are frequent ones.
    pub(super) frequent: bool,
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
    /// What frequent groups have got, at their numbers, and not in the pieces.
    frequent: Option<(Arc<FrequentGroups>, A)>,
}

impl<A> Segments<A> {
    /// The piece with group `g`, and the position of the group in it.
    #[inline(always)]
    pub(super) fn get(&self, g: usize) -> (&A, usize) {
        if let Some((frequent, state)) = &self.frequent
            && let Some(number) = frequent.number(g)
        {
            return (state, number);
        }
        (&self.parts[g >> self.shift], g & ((1 << self.shift) - 1))
    }

    /// Something of every piece.
    pub(super) fn map<B>(&mut self, f: impl Fn(&mut A) -> Result<B>) -> Result<Segments<B>> {
        let frequent = match &mut self.frequent {
            Some((groups, state)) => Some((groups.clone(), f(state)?)),
            None => None,
        };
        Ok(Segments { shift: self.shift, parts: self.parts.iter_mut().map(f).collect::<Result<_>>()?, frequent })
    }

    /// What frequent groups have got.
    pub(super) fn frequent_mut(&mut self) -> Option<&mut A> {
        self.frequent.as_mut().map(|(_, state)| state)
    }
}

#[expect(clippy::large_enum_variant, reason = "one value for a whole operation")]
pub(super) enum AccumulationLayout<'a> {
    Chunks { ids: &'a [u32], groups: usize, chunk: usize },
    /// Ids at the places that rows are moved to, and the place of every row.
    Parts { ids: HostUVec<u32>, parts: Parts, to: HostUVec<u32>, destinations: Destinations },
    /// All rows but those of frequent groups by parts, and the codes of all rows.
    Few { listed: Listed, parts: Parts, codes: HostUVec<u32> },
    Runs { ids: &'a [u32], parts: Parts, run: usize },
}

/// Groups in parts of `1 << shift`, but for the frequent ones.
pub(super) struct Parts {
    groups: usize,
    shift: u32,
    frequent: Option<Arc<FrequentGroups>>,
    /// Rows of a part that are accumulated together, so many that merging costs at most a sixteenth.
    chunk: usize,
}

impl Parts {
    fn new(ids: &[u32], groups: usize, chunk: usize, ctx: &Context) -> Result<Self> {
        let shift = groups.div_ceil(256).next_power_of_two().trailing_zeros().max(12);
        let frequent = FrequentGroups::find(ids, groups, chunk, ctx)?.map(Arc::new);
        Ok(Self { groups, shift, frequent, chunk: chunk.max(16 << shift) })
    }

    /// The part of a group, or the number of parts for frequent groups, and where there is no such group; and the code
    /// of a frequent group, else [`NONE`].
    #[inline(always)]
    fn of(&self, id: u32) -> (usize, u32) {
        let none = self.len();
        let part = if (id as usize) < self.groups { id as usize >> self.shift } else { none };
        match self.frequent.as_ref().map_or(NONE, |frequent| frequent.code(id)) {
            NONE => (part, NONE),
            code => (none, code),
        }
    }

    fn len(&self) -> usize {
        self.groups.div_ceil(1 << self.shift)
    }

    /// The first group of a part and how many it has.
    fn part(&self, part: usize) -> (usize, usize) {
        let base = part << self.shift;
        (base, (1 << self.shift).min(self.groups - base))
    }

    fn destinations(&self, ids: &[u32], ctx: &Context) -> Result<Destinations> {
        Destinations::new(ids.len(), self.len(), ctx, &|block, counts| {
            // Rows of no part are counted, too: they may be many, and come in no order.
            let mut all = host_vec::zeroed::<usize>(counts.len() + 1)?;
            for &id in &ids[block] {
                all[self.of(id).0] += 1;
            }
            counts.iter_mut().zip(all).for_each(|(count, more)| *count += more);
            Ok(())
        })
    }

    /// `place(row, destination, id)` for every row. Rows of frequent groups have the group's code instead of a
    /// destination, and rows in no group [`NONE`]. Destinations are different and below the length of `destinations`,
    /// which are those of `ids`.
    fn each(
        &self,
        ids: &[u32],
        destinations: &Destinations,
        ctx: &Context,
        place: impl Fn(usize, u32, u32) + Sync,
    ) -> Result<()> {
        destinations.each_block(ctx, &|block, cursors| {
            for row in block {
                let id = ids[row];
                let (part, code) = self.of(id);
                let to = cursors.next(part).map_or(code, |to| to as u32);
                place(row, to, id);
            }
            Ok(())
        })
    }
}

/// What makes, feeds and merges the accumulators of a layout.
type Steps<'s, A> = (
    &'s (dyn Fn(UnitGroups) -> Result<A> + Sync),
    &'s (dyn Fn(&Unit<'_>, &mut A) + Sync),
    &'s (dyn Fn(&mut A, A) + Sync),
);

/// Calls a function with the unit of the rows at some places, whose part has its first group and so many.
type UnitAt<'u> = dyn Fn(Range<usize>, usize, usize, &mut dyn FnMut(&Unit<'_>)) + Sync + 'u;

/// Calls a function with the codes of rows.
type CodesOf<'c> = dyn Fn(Range<usize>, &mut dyn FnMut(&[u32])) + Sync + 'c;

impl Parts {
    /// What the groups of every part get, in chunks where a part has many rows.
    fn in_pieces<A: Send>(
        &self,
        destinations: &Destinations,
        ctx: &Context,
        (new, update, merge): Steps<'_, A>,
        unit_at: &UnitAt<'_>,
    ) -> Result<Vec<A>> {
        let mut pieces = Vec::with_capacity(self.len());
        for part in 0..self.len() {
            let rows = destinations.part(part);
            pieces.push((part, rows.start..rows.end.min(rows.start + self.chunk)));
            let others = (rows.start + self.chunk..rows.end).step_by(self.chunk);
            pieces.extend(others.map(|start| (part, start..rows.end.min(start + self.chunk))));
        }
        let states = parallel::map_ranges(pieces.len(), 1, ctx, |piece| {
            let (part, places) = pieces[piece.start].clone();
            let (base, groups) = self.part(part);
            let mut state = new(UnitGroups { len: groups, frequent: false })?;
            unit_at(places, base, groups, &mut |unit| update(unit, &mut state));
            Ok(state)
        })?;
        let mut merged: Vec<A> = Vec::with_capacity(self.len());
        for ((part, _), state) in pieces.into_iter().zip(states) {
            match merged.get_mut(part) {
                Some(earlier) => merge(earlier, state),
                None => merged.push(state),
            }
        }
        Ok(merged)
    }

    /// What the frequent groups get from all `rows`, whose codes `codes_of` gives block by block.
    fn frequent_groups<A: Send>(
        &self,
        rows: usize,
        ctx: &Context,
        (new, update, merge): Steps<'_, A>,
        codes_of: &CodesOf<'_>,
    ) -> Result<Option<(Arc<FrequentGroups>, A)>> {
        let Some(frequent) = &self.frequent else { return Ok(None) };
        let (base, groups) = (frequent.base() as usize, frequent.len());
        let states = parallel::map_ranges(rows, frequent.chunk, ctx, |chunk| {
            let mut state = new(UnitGroups { len: groups, frequent: true })?;
            for start in chunk.clone().step_by(BLOCK) {
                let rows = start..chunk.end.min(start + BLOCK);
                codes_of(rows.clone(), &mut |ids| {
                    let (rows, frequent) = (UnitRows::Consecutive(rows.clone()), Some(&**frequent));
                    update(&Unit { ids, rows, base, groups, frequent, moved: false }, &mut state);
                });
            }
            Ok(state)
        })?;
        let all = states.into_iter().reduce(|mut all, later| {
            merge(&mut all, later);
            all
        });
        Ok(all.map(|state| (frequent.clone(), state)))
    }
}

impl<'a> AccumulationLayout<'a> {
    pub(super) fn new(ids: &'a [u32], groups: usize, tuning: LayoutTuning, ctx: &Context) -> Result<Self> {
        if groups <= tuning.chunks_up_to {
            // Merging all chunks costs at most a sixteenth of accumulating; a fourth, by all threads, where groups
            // are many: their accumulators are at the end of the second-level cache. However many rows there are,
            // chunks are no more than threads need, and less where groups are many: all of them have
            // accumulators at the same time.
            let chunks = (MOST_ACCUMULATORS / groups.max(1)).clamp(32, 256);
            let merged = if groups > MANY_GROUPS { 4 } else { 16 };
            let chunk = tuning.chunk.max(merged * groups).max(ids.len().div_ceil(chunks)).next_multiple_of(64);
            return Ok(Self::Chunks { ids, groups, chunk });
        }
        let parts = Parts::new(ids, groups, tuning.chunk, ctx)?;
        if let Some(run) = tuning.run {
            return Ok(Self::Runs { ids, parts, run });
        }
        if let Some(frequent) = &parts.frequent {
            let codes = HostUVec::from_fn(ids.len(), ctx, |row| frequent.code(ids[row]))?;
            let listed = Listed::new(ids, 0, &parts, ctx)?;
            return Ok(Self::Few { listed, parts, codes });
        }
        let destinations = parts.destinations(ids, ctx)?;
        let mut to = HostUVec::<u32>::uninit(ids.len(), ctx)?;
        let mut moved = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let (to_out, moved_out) = (to.output(), moved.output());
        parts.each(ids, &destinations, ctx, |row, place, id| {
            // SAFETY: each row is given once, and the places are different and inside, as `each` says.
            unsafe {
                to_out.write(row, place);
                if (place as usize) < destinations.len() {
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
        new: &(dyn Fn(UnitGroups) -> Result<A> + Sync),
        update: &(dyn Fn(&Unit<'_>, &mut A) + Sync),
        merge: &(dyn Fn(&mut A, A) + Sync),
    ) -> Result<Segments<A>> {
        match self {
            Self::Chunks { ids, groups, chunk } => {
                let accumulate = |rows: Range<usize>| {
                    let mut state = new(UnitGroups { len: *groups, frequent: false })?;
                    let rows_ids = &ids[rows.clone()];
                    let (rows, groups) = (UnitRows::Consecutive(rows), *groups);
                    let unit = Unit { ids: rows_ids, rows, base: 0, groups, frequent: None, moved: false };
                    update(&unit, &mut state);
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
                Ok(Segments { shift: usize::BITS - 1, parts: vec![all], frequent: None })
            }
            Self::Parts { ids, parts, destinations, .. } => {
                let states = parts.in_pieces(destinations, ctx, (new, update, merge), &|places, base, groups, f| {
                    let (ids, rows) = (&ids[places.clone()], UnitRows::Consecutive(places));
                    f(&Unit { ids, rows, base, groups, frequent: None, moved: true });
                })?;
                Ok(Segments { shift: parts.shift, parts: states, frequent: None })
            }
            Self::Few { listed, parts, codes } => {
                let steps = (new, update, merge);
                let frequent = parts.frequent_groups(codes.len(), ctx, steps, &|rows, f| f(&codes[rows]))?;
                let states = parts.in_pieces(&listed.destinations, ctx, steps, &|places, base, groups, f| {
                    let (ids, rows) = (&listed.ids[places.clone()], UnitRows::Listed(&listed.rows[places]));
                    f(&Unit { ids, rows, base, groups, frequent: None, moved: false });
                })?;
                Ok(Segments { shift: parts.shift, parts: states, frequent })
            }
            Self::Runs { ids, parts, run } => {
                let code = |id: &u32| parts.frequent.as_ref().map_or(NONE, |frequent| frequent.code(*id));
                let codes = |rows: Range<usize>, f: &mut dyn FnMut(&[u32])| {
                    f(&ids[rows].iter().map(code).collect::<Vec<_>>());
                };
                let frequent = parts.frequent_groups(ids.len(), ctx, (new, update, merge), &codes)?;
                let states = (0..parts.len()).map(|part| {
                    let current = new(UnitGroups { len: parts.part(part).1, frequent: false })?;
                    Ok(Mutex::new(Chunked { earlier: None, current, rows: 0 }))
                });
                let states: Vec<Mutex<Chunked<A>>> = states.collect::<Result<_>>()?;
                for start in (0..ids.len()).step_by(*run) {
                    let end = (start + run).min(ids.len());
                    let listed = Listed::new(&ids[start..end], start, parts, ctx)?;
                    for_ranges(parts.len(), 1, ctx, &|part| {
                        let mut state = states[part.start].lock().unwrap_or_else(PoisonError::into_inner);
                        let mut places = listed.destinations.part(part.start);
                        let (base, groups) = parts.part(part.start);
                        while !places.is_empty() {
                            if state.rows == parts.chunk {
                                let fresh = new(UnitGroups { len: groups, frequent: false })?;
                                let full = std::mem::replace(&mut state.current, fresh);
                                state.rows = 0;
                                match &mut state.earlier {
                                    Some(earlier) => merge(earlier, full),
                                    None => state.earlier = Some(full),
                                }
                            }
                            let len = places.len().min(parts.chunk - state.rows);
                            let these = places.start..places.start + len;
                            let ids = &listed.ids[these.clone()];
                            let rows = UnitRows::Listed(&listed.rows[these]);
                            let unit = Unit { ids, rows, base, groups, frequent: None, moved: false };
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
                let states = states.into_iter().map(whole).collect();
                Ok(Segments { shift: parts.shift, parts: states, frequent })
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
        let (len, out) = (destinations.len(), moved.output());
        for_ranges(to.len(), BLOCK, ctx, &|block| {
            for (row, &place) in block.clone().zip(&to[block]) {
                if (place as usize) < len {
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
pub(super) struct Listed {
    ids: HostUVec<u32>,
    rows: HostUVec<u32>,
    destinations: Destinations,
}

impl Listed {
    /// The rows from `first` on, which have these ids.
    fn new(ids: &[u32], first: usize, parts: &Parts, ctx: &Context) -> Result<Self> {
        let destinations = parts.destinations(ids, ctx)?;
        let mut moved = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let mut rows = HostUVec::<u32>::uninit(destinations.len(), ctx)?;
        let (moved_out, rows_out) = (moved.output(), rows.output());
        parts.each(ids, &destinations, ctx, |row, place, id| {
            if (place as usize) < destinations.len() {
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
