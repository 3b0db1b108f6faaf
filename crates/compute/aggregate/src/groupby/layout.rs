//! In which order rows are accumulated, so that accumulators stay in the cache and sums do not
//! depend on threads.
//!
//! - Few groups: chunks of rows of a fixed size have accumulators for all groups, which are merged in
//!   the order of the chunks. Of so few that the accumulators of all columns fit the cache, columns are accumulated
//!   together, a few rows of each at a time ([`passes`](super::passes)).
//! - Many groups: rows are moved to parts by ranges of groups, stably, one [stretch](super::stretches) of rows after the
//!   other; each part has the accumulators of its groups alone. A part with many more rows than others, as that of a
//!   frequent key, is accumulated in chunks too. Rows that were moved to parts by their keys when they were grouped stay
//!   there.
//! - Many groups and little memory: the same parts, but nothing is moved. One run of rows after the other
//!   is listed by parts, whose accumulators go from run to run; so they see the same rows in the same order.

use std::any::Any;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cuprum_column::{Context, Error, HostUVec, Result};
use cuprum_runtime::parallel::{self, for_ranges};
use cuprum_runtime::{Device, host_vec, spill};

use super::Grouped;
use super::coded::Coded;
use super::stretches::{MovedValues, Mover, Place, Stretches};
use cuprum_elements::distribute::{BLOCK, Destinations};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::radix_partitioned::RadixPartitioned;

/// When to do what; tests force the rare ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayoutTuning {
    /// With more groups than this, rows are moved.
    pub(super) chunks_up_to: usize,
    /// Rows of a chunk, at least.
    pub(super) chunk: usize,
    /// Rows of a run, where rows are not to be moved.
    pub(super) run: Option<usize>,
    /// Rows that are moved together.
    pub(super) stretch: usize,
    /// With more rows of the first part than this, of 256, they stay where they are.
    pub(super) in_place_above: usize,
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
        Self { chunks_up_to: 1 << 17, chunk: 1 << 16, run, stretch: 1 << 21, in_place_above: 64 }
    }
}

/// About as many accumulators of one statistic are made for chunks.
const MOST_ACCUMULATORS: usize = 4 << 20;

/// Chunks of more groups have fewer rows for each. Their accumulators, one statistic at a time, just fit a cache of the
/// second level; moving rows to parts takes longer still.
const MANY_GROUPS: usize = 1 << 16;

/// Rows whose groups are neighbours in the order of the layout.
pub(super) struct Unit<'a> {
    /// Group of each row, counted from the first one of the unit; rows with another number are in none.
    pub(super) ids: &'a [u32],
    pub(super) rows: UnitRows<'a>,
    /// The groups, in the order of the layout.
    pub(super) groups: Range<usize>,
    /// Values where rows were moved, which consecutive rows are positions in.
    pub(super) values: Option<&'a MovedValues>,
}

/// Positions of rows in columns.
#[derive(Clone)]
pub(super) enum UnitRows<'a> {
    /// In columns of the layout.
    Consecutive(Range<usize>),
    Listed(&'a [u32]),
    /// In columns as they are, whatever the layout has moved; rows in other groups lie between them.
    InPlace(Range<usize>),
}

impl UnitRows<'_> {
    /// Position `i`.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> usize {
        match self {
            Self::Consecutive(rows) | Self::InPlace(rows) => rows.start + i,
            Self::Listed(rows) => rows[i] as usize,
        }
    }
}

/// Where the groups are in a layout.
#[derive(Clone, Copy)]
pub(super) enum Places<'a> {
    /// In their order, `1 << shift` to a part.
    InOrder { shift: u32 },
    /// For each group its part, in the upper 32 bits, and its place there.
    Listed(&'a [u64]),
}

impl Places<'_> {
    #[inline(always)]
    fn of(self, group: usize) -> (usize, usize) {
        match self {
            Self::InOrder { shift } => (group >> shift, group & ((1 << shift) - 1)),
            Self::Listed(places) => ((places[group] >> 32) as usize, places[group] as u32 as usize),
        }
    }
}

/// What each group has got, part by part.
pub(super) struct Segments<'a, A> {
    places: Places<'a>,
    parts: Vec<A>,
}

impl<A> Segments<'_, A> {
    /// The part with group `g`, and the position of the group in it.
    #[inline(always)]
    pub(super) fn get(&self, g: usize) -> (&A, usize) {
        let (part, place) = self.places.of(g);
        (&self.parts[part], place)
    }
}

/// What is done with units.
pub(super) struct Kernel<'k, A> {
    /// Accumulators of so many groups.
    pub(super) new: &'k (dyn Fn(usize) -> Result<A> + Sync),
    /// Takes in the rows of a unit.
    pub(super) update: &'k (dyn Fn(&Unit<'_>, &mut A) + Sync),
    /// Takes in what later rows of the same groups came to, in the order of the rows.
    pub(super) merge: &'k (dyn Fn(&mut A, &[A]) + Sync),
}

pub(super) enum AccumulationLayout<'a> {
    Chunks {
        ids: ChunkIds<'a>,
        groups: usize,
        chunk: usize,
    },
    /// Rows that were moved when they were grouped.
    Parts {
        parted: &'a RadixPartitioned,
        /// Rows of a part that are accumulated together, so many that merging costs at most a sixteenth.
        chunk: usize,
    },
    Stretches(Stretches<'a>),
    Runs {
        ids: &'a [u32],
        parts: Parts,
        run: usize,
    },
}

/// The groups of the rows of chunks.
#[derive(Clone, Copy)]
pub(super) enum ChunkIds<'a> {
    Numbered(&'a [u32]),
    /// They are looked up piece by piece.
    Coded(&'a Coded),
}

impl ChunkIds<'_> {
    fn len(self) -> usize {
        match self {
            Self::Numbered(ids) => ids.len(),
            Self::Coded(coded) => coded.len(),
        }
    }

    /// `f` of the rows of a chunk, as units one after the other.
    fn each_unit(self, rows: Range<usize>, groups: usize, f: &mut dyn FnMut(&Unit<'_>)) -> Result<()> {
        let mut each = |ids: &[u32], rows| {
            f(&Unit { ids, rows: UnitRows::Consecutive(rows), groups: 0..groups, values: None })
        };
        match self {
            Self::Numbered(ids) => {
                each(&ids[rows.clone()], rows);
                Ok(())
            }
            Self::Coded(coded) => coded.each_piece(rows, &mut each),
        }
    }
}

/// Groups in parts of `1 << shift`.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) groups: usize,
    pub(super) shift: u32,
    /// Rows of a part that are accumulated together, so many that merging costs at most a sixteenth.
    pub(super) chunk: usize,
}

impl Parts {
    fn new(groups: usize, chunk: usize) -> Self {
        let shift = groups.div_ceil(256).next_power_of_two().trailing_zeros().max(12);
        Self { groups, shift, chunk: chunk.max(16 << shift) }
    }

    pub(super) fn len(self) -> usize {
        self.groups.div_ceil(1 << self.shift)
    }

    /// How many groups the first part has.
    pub(super) fn first_groups(self) -> usize {
        self.groups.min(1 << self.shift)
    }

    /// The groups of a part.
    pub(super) fn part(self, part: usize) -> Range<usize> {
        part << self.shift..((part + 1) << self.shift).min(self.groups)
    }

    /// The part of a group.
    #[inline(always)]
    pub(super) fn of(self, group: u32) -> usize {
        group as usize >> self.shift
    }

    /// The bits that tell apart the groups of a part.
    pub(super) fn mask(self) -> u32 {
        (1 << self.shift) - 1
    }

    /// Where rows with these ids are moved, so many at a time.
    pub(super) fn destinations(self, ids: &[u32], block: usize, ctx: &Context) -> Result<Destinations> {
        Destinations::in_blocks(ids.len(), block, self.len(), ctx, &|block, counts| {
            for &id in &ids[block] {
                if (id as usize) < self.groups {
                    counts[self.of(id)] += 1;
                }
            }
            Ok(())
        })
    }

    /// `place(row, destination, id)` for every row, with ids that are counted from the first one of the part;
    /// [`NONE`] is the destination of rows in no group.
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
                let to = if inside { cursors.next(self.of(id)) } else { None };
                place(row, to.map_or(NONE, |to| to as u32), id & self.mask());
            }
            Ok(())
        })
    }
}

impl<'a> AccumulationLayout<'a> {
    pub(super) fn new(grouping: Grouped<'a>, tuning: LayoutTuning, ctx: &Context) -> Result<Self> {
        let Grouped { ids, groups, parted, coded } = grouping;
        if let Some(parted) = parted {
            let most = parted.starts.windows(2).map(|part| part[1] - part[0]).max().unwrap_or(0);
            return Ok(Self::Parts { parted, chunk: tuning.chunk.max(16 * most) });
        }
        let chunk_ids = coded.map_or(ChunkIds::Numbered(ids), ChunkIds::Coded);
        if groups <= tuning.chunks_up_to {
            // Merging all chunks costs at most a sixteenth of accumulating; a fourth, by all threads, of many groups,
            // whose chunks would be too few else. However many rows there are,
            // chunks are no more than threads need, and less where groups are many: all of them have
            // accumulators at the same time.
            let chunks = (MOST_ACCUMULATORS / groups.max(1)).clamp(32, 256);
            let rows_of_group = if groups > MANY_GROUPS { 4 } else { 16 };
            let least = tuning.chunk.max(rows_of_group * groups);
            let chunk = least.max(chunk_ids.len().div_ceil(chunks)).next_multiple_of(64);
            return Ok(Self::Chunks { ids: chunk_ids, groups, chunk });
        }
        let parts = Parts::new(groups, tuning.chunk);
        if let Some(run) = tuning.run {
            return Ok(Self::Runs { ids, parts, run });
        }
        Stretches::new(ids, parts, tuning, ctx).map(Self::Stretches)
    }

    /// The rows of every unit through `update`, which changes what `new` made for so many groups; `merge` takes what
    /// later rows of the same groups came to into the first, in the order of the rows.
    ///
    /// At no time is there more than one accumulator per group and one for 16 rows of large parts, or, where groups
    /// are few, 4 Mi of them or 32 per group, whatever the number of rows.
    /// Where rows are moved, their values are by `mover`, if the units need any.
    pub(super) fn run<A: Send>(
        &self,
        ctx: &Context,
        mover: Option<&Mover<'_>>,
        new: &(dyn Fn(usize) -> Result<A> + Sync),
        update: &(dyn Fn(&Unit<'_>, &mut A) + Sync),
        merge: &(dyn Fn(&mut A, &[A]) + Sync),
    ) -> Result<Segments<'a, A>> {
        match self {
            Self::Chunks { ids, groups, chunk } => {
                let accumulate = |rows: Range<usize>| {
                    let mut state = new(*groups)?;
                    ids.each_unit(rows, *groups, &mut |unit| update(unit, &mut state))?;
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
                    match &mut all {
                        None => all = merged(states, merge),
                        Some(all) => merge(all, &states),
                    }
                }
                let all = all.map_or_else(|| accumulate(0..0), Ok)?;
                Ok(Segments { places: Places::InOrder { shift: usize::BITS - 1 }, parts: vec![all] })
            }
            Self::Parts { parted, chunk } => {
                let RadixPartitioned { rows: moved, starts, .. } = parted;
                let values = mover.map(|mover| mover.values(&Place::Parted(moved), ctx)).transpose()?;
                let mut pieces = Vec::new();
                for part in 0..moved.destinations.num_parts() {
                    let rows = moved.destinations.part(part);
                    let mut piece = |rows| pieces.push((part, rows));
                    piece(rows.start..rows.end.min(rows.start + chunk));
                    let others = (rows.start + chunk..rows.end).step_by(*chunk);
                    others.for_each(|start| piece(start..rows.end.min(start + chunk)));
                }
                let states = parallel::map_ranges(pieces.len(), 1, ctx, |piece| {
                    let (part, rows) = pieces[piece.start].clone();
                    let groups = starts[part]..starts[part + 1];
                    let mut state = new(groups.len())?;
                    let (ids, rows) = (&moved.ids[rows.clone()], UnitRows::Consecutive(rows));
                    update(&Unit { ids, rows, groups, values: values.as_deref() }, &mut state);
                    Ok(state)
                })?;
                let mut states = states.into_iter();
                let of_part = |pieces: &[(usize, Range<usize>)]| {
                    merged(states.by_ref().take(pieces.len()).collect(), merge)
                };
                let parts = pieces.chunk_by(|a, b| a.0 == b.0).filter_map(of_part).collect();
                Ok(Segments { places: Places::Listed(&parted.places), parts })
            }
            Self::Stretches(stretches) => {
                let parts = stretches.run(ctx, mover, &Kernel { new, update, merge })?;
                Ok(Segments { places: Places::InOrder { shift: stretches.shift() }, parts })
            }
            Self::Runs { ids, parts, run } => {
                let states = (0..parts.len()).map(|part| {
                    let current = new(parts.part(part).len())?;
                    Ok(Mutex::new(Chunked { earlier: None, current, rows: 0 }))
                });
                let states: Vec<Mutex<Chunked<A>>> = states.collect::<Result<_>>()?;
                for start in (0..ids.len()).step_by(*run) {
                    let end = (start + run).min(ids.len());
                    let listed = Listed::new(&ids[start..end], start, *parts, ctx)?;
                    for_ranges(parts.len(), 1, ctx, &|part| {
                        let mut state = states[part.start].lock().unwrap_or_else(PoisonError::into_inner);
                        let mut places = listed.destinations.part(part.start);
                        let groups = parts.part(part.start);
                        while !places.is_empty() {
                            if state.rows == parts.chunk {
                                let full = std::mem::replace(&mut state.current, new(groups.len())?);
                                state.rows = 0;
                                match &mut state.earlier {
                                    Some(earlier) => merge(earlier, &[full]),
                                    None => state.earlier = Some(full),
                                }
                            }
                            let len = places.len().min(parts.chunk - state.rows);
                            let these = places.start..places.start + len;
                            let (ids, rows) = (&listed.ids[these.clone()], &listed.rows[these]);
                            let unit = Unit {
                                ids,
                                rows: UnitRows::Listed(rows),
                                groups: groups.clone(),
                                values: None,
                            };
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
                    merge(&mut earlier, &[state.current]);
                    earlier
                };
                let places = Places::InOrder { shift: parts.shift };
                Ok(Segments { places, parts: states.into_iter().map(whole).collect() })
            }
        }
    }

    /// `value` of every one of so many groups, in the order in which units have them.
    pub(super) fn by_unit<T: Copy + Send + Sync>(
        &self,
        groups: usize,
        value: impl Fn(usize) -> T + Sync,
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        let Self::Parts { parted, .. } = self else {
            return HostUVec::from_fn(groups, ctx, value);
        };
        let RadixPartitioned { places, starts, .. } = parted;
        let mut group_at = host_vec::zeroed::<u32>(groups)?;
        for (group, place) in places.iter().enumerate() {
            group_at[starts[(place >> 32) as usize] + *place as u32 as usize] = group as u32;
        }
        HostUVec::from_fn(groups, ctx, |at| value(group_at[at] as usize))
    }
}

impl<A> Segments<'_, A> {
    pub(super) fn parts_mut(&mut self) -> &mut [A] {
        &mut self.parts
    }
}

impl<'a, A> Segments<'a, Vec<A>> {
    /// What the statistics that were accumulated together have got, one by one.
    pub(super) fn apart(self) -> Vec<Segments<'a, A>> {
        let mut apart: Vec<Segments<'a, A>> = Vec::new();
        for part in self.parts {
            if apart.is_empty() {
                apart.extend(part.iter().map(|_| Segments { places: self.places, parts: Vec::new() }));
            }
            apart.iter_mut().zip(part).for_each(|(own, state)| own.parts.push(state));
        }
        apart
    }
}

impl<'a> Segments<'a, Box<dyn Any + Send>> {
    /// The same as what they are.
    pub(super) fn typed<A: 'static>(self) -> Result<Segments<'a, A>> {
        let typed = self.parts.into_iter().map(|part| part.downcast().map(|part| *part));
        let parts =
            typed.collect::<Result<_, _>>().map_err(|_| Error::logic("statistics of another type"))?;
        Ok(Segments { places: self.places, parts })
    }
}

/// The first of the states, with the others in it.
pub(super) fn merged<A>(mut states: Vec<A>, merge: &dyn Fn(&mut A, &[A])) -> Option<A> {
    let (first, later) = states.split_first_mut()?;
    merge(first, later);
    states.truncate(1);
    states.pop()
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
        let destinations = parts.destinations(ids, BLOCK, ctx)?;
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
