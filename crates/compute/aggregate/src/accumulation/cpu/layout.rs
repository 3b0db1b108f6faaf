//! In which order rows are accumulated, so that accumulators stay in the cache and sums do not
//! depend on threads.
//!
//! - Few groups: chunks of rows of a fixed size have accumulators for all groups, which are merged in
//!   the order of the chunks. Of so few that the accumulators of all columns fit the cache, columns are accumulated
//!   together, a few rows of each at a time ([`passes`](super::passes)).
//! - Many groups: rows are moved to parts by ranges of groups, stably, one [run](super::partition_runs) of rows after the
//!   other; each part has the accumulators of its groups alone. A part with many more rows than others, as that of a
//!   frequent key, is accumulated in chunks too. Rows that were moved to parts by their keys when they were grouped stay
//!   there.
//! - Many groups and little memory: the same parts, but nothing is moved. Some rows after the other
//!   are listed by parts, whose accumulators go from list to list; so they see the same rows in the same order.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cuprum_column::{Context, HostUVec, Result};
use cuprum_elements::stable_partition::{BLOCK, Destinations};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::radix_partitioned::RadixPartitioned;
use cuprum_runtime::parallel::{self, for_ranges};
use cuprum_runtime::{Device, host_vec, spill};

use super::block::{Unit, UnitRows};
use super::coded_groups::CodedGroups;
use super::group_ranges::{GroupRanges, Kernel, merged};
use super::grouped::Grouped;
use super::layout_tuning::LayoutTuning;
use super::moved_values::{Mover, Place};
use super::partition_runs::PartitionRuns;
use super::segments::{Places, Segments};

/// About as many accumulators of one statistic are made for chunks.
const MOST_ACCUMULATORS: usize = 4 << 20;

/// Chunks of more groups have fewer rows for each. Their accumulators, one statistic at a time, just fit a cache of the
/// second level; moving rows to parts takes longer still.
const MANY_GROUPS: usize = 1 << 16;

pub(crate) enum AccumulationLayout<'a> {
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
    PartitionRuns(PartitionRuns<'a>),
    Listed {
        ids: &'a [u32],
        parts: GroupRanges,
        step: usize,
    },
}

/// The groups of the rows of chunks.
#[derive(Clone, Copy)]
pub(crate) enum ChunkIds<'a> {
    Numbered(&'a [u32]),
    /// They are looked up piece by piece.
    Coded(&'a CodedGroups),
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

impl<'a> AccumulationLayout<'a> {
    pub(crate) fn new(grouping: Grouped<'a>, tuning: LayoutTuning, ctx: &Context) -> Result<Self> {
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
        let parts = GroupRanges::new(groups, tuning.chunk);
        if let Some(step) = tuning.listed {
            return Ok(Self::Listed { ids, parts, step });
        }
        PartitionRuns::new(ids, parts, tuning, ctx).map(Self::PartitionRuns)
    }

    /// Passes the rows of every unit to `update`, with accumulators from `new`; `merge` merges those of later
    /// rows of the same groups into the first, in the order of the rows.
    ///
    /// At no time is there more than one accumulator per group and one for 16 rows of large parts, or, where groups
    /// are few, 4 Mi of them or 32 per group, whatever the number of rows.
    /// Moved rows have their values from `mover`, if the units need any.
    pub(crate) fn run<A: Send>(
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
                // With limited memory chunks are taken in waves, so that few have accumulators.
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
            Self::PartitionRuns(runs) => {
                let parts = runs.run(ctx, mover, &Kernel { new, update, merge })?;
                Ok(Segments { places: Places::InOrder { shift: runs.shift() }, parts })
            }
            Self::Listed { ids, parts, step } => {
                let states = (0..parts.len()).map(|part| {
                    let current = new(parts.part(part).len())?;
                    Ok(Mutex::new(Chunked { earlier: None, current, rows: 0 }))
                });
                let states: Vec<Mutex<Chunked<A>>> = states.collect::<Result<_>>()?;
                for start in (0..ids.len()).step_by(*step) {
                    let end = (start + step).min(ids.len());
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
    pub(crate) fn by_unit<T: Copy + Send + Sync>(
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

/// The accumulators of a part whose rows come in runs: of its full chunks, and of the one that is not full
/// yet.
struct Chunked<A> {
    earlier: Option<A>,
    current: A,
    /// Rows in `current`.
    rows: usize,
}

/// Some rows by parts.
struct Listed {
    ids: HostUVec<u32>,
    rows: HostUVec<u32>,
    destinations: Destinations,
}

impl Listed {
    /// The rows from `first` on, which have these ids.
    fn new(ids: &[u32], first: usize, parts: GroupRanges, ctx: &Context) -> Result<Self> {
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
