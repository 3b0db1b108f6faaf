//! Rows that are moved to parts by ranges of groups, one run of all rows after the other.
//!
//! A run knows how many of its rows go to each part, and the groups of the moved rows. Values are moved when
//! a column is accumulated, one run at a time, and the accumulators of each part pass from run to run: so no
//! column is there twice, and moved values are still in a cache when they are added up. A part sees its rows
//! in their order, in chunks of a fixed size, whatever the runs are.
//!
//! Where the first groups have many of the rows, these are not moved ([`in_place`](super::in_place)).

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cuprum_column::{Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel;

use super::block::{Unit, UnitRows};
use super::group_ranges::{GroupRanges, Kernel, MOVED_BLOCK, merged};
use super::in_place::InPlace;
use super::layout_tuning::LayoutTuning;
use super::moved_values::{Mover, Place, Run};

/// All rows in runs.
pub(crate) struct PartitionRuns<'a> {
    /// The group of every row, counted from the first of all.
    ids: &'a [u32],
    parts: GroupRanges,
    runs: Vec<Run>,
    /// The rows of the first part, where they are not moved.
    in_place: Option<InPlace>,
}

impl<'a> PartitionRuns<'a> {
    pub(crate) fn new(
        ids: &'a [u32],
        parts: GroupRanges,
        tuning: LayoutTuning,
        ctx: &Context,
    ) -> Result<Self> {
        let mut in_place = InPlace::pays(ids, parts, tuning.in_place_above).then(|| InPlace::new(parts));
        let step = tuning.run.max(1);
        let mut runs = host_vec::with_capacity(ids.len().div_ceil(step))?;
        for start in (0..ids.len()).step_by(step) {
            let rows = start..(start + step).min(ids.len());
            let of_rows = &ids[rows.clone()];
            let (destinations, others) = match &mut in_place {
                Some(in_place) => {
                    let (destinations, others) = in_place.add(of_rows, start, ctx)?;
                    (destinations, Some(others))
                }
                None => (parts.destinations(of_rows, MOVED_BLOCK, ctx)?, None),
            };
            let mut run = Run { rows, destinations, ids: HostUVec::from_slice(&[], ctx)?, others };
            run.ids = run.moved(ids, parts, ctx, move |row| ids[row] & parts.mask())?;
            runs.push(run);
        }
        if let Some(in_place) = &mut in_place {
            in_place.end(ids.len());
        }
        Ok(Self { ids, parts, runs, in_place })
    }

    /// Each part has `1 << shift` groups.
    pub(crate) fn shift(&self) -> u32 {
        self.parts.shift
    }

    /// The accumulators of every part; see [`run`](super::layout::AccumulationLayout::run).
    pub(crate) fn run<A: Send>(
        &self,
        ctx: &Context,
        mover: Option<&Mover<'_>>,
        kernel: &Kernel<'_, A>,
    ) -> Result<Vec<A>> {
        let parts = self.parts;
        let mut states: Vec<Chunks<A>> = host_vec::with_capacity(parts.len())?;
        states.resize_with(parts.len(), Chunks::default);
        if let Some(in_place) = &self.in_place {
            let pieces = in_place.pieces();
            let of_pieces = parallel::map_ranges(pieces.len(), 1, ctx, |piece| {
                let rows = pieces[piece.start].clone();
                let groups = parts.part(0);
                let mut state = (kernel.new)(groups.len())?;
                let ids = &self.ids[rows.clone()];
                (kernel.update)(
                    &Unit { ids, rows: UnitRows::InPlace(rows), groups, values: None },
                    &mut state,
                );
                Ok(state)
            })?;
            states[0].current = merged(of_pieces, kernel.merge);
        }
        let first = usize::from(self.in_place.is_some());
        for (number, run) in self.runs.iter().enumerate() {
            let place = Place::Run { number, of: run, ids: self.ids, parts };
            let values = mover.map(|mover| mover.values(&place, ctx)).transpose()?;
            // Pieces of parts, of which the first goes on where the last run has ended.
            let mut pieces: Vec<(usize, Range<usize>, Mutex<Option<A>>)> = Vec::new();
            for (part, state) in states.iter_mut().enumerate().skip(first) {
                let mut rows = run.destinations.part(part);
                while !rows.is_empty() {
                    if state.rows == parts.chunk {
                        state.rows = 0;
                    }
                    let len = rows.len().min(parts.chunk - state.rows);
                    let current = if state.rows > 0 { state.current.take() } else { None };
                    pieces.push((part, rows.start..rows.start + len, Mutex::new(current)));
                    state.rows += len;
                    rows.start += len;
                }
            }
            let done = parallel::map_ranges(pieces.len(), 1, ctx, |piece| {
                let (part, rows, state) = &pieces[piece.start];
                let groups = parts.part(*part);
                let state = state.lock().unwrap_or_else(PoisonError::into_inner).take();
                let mut state = state.map_or_else(|| (kernel.new)(groups.len()), Ok)?;
                let (ids, rows) = (&run.ids[rows.clone()], UnitRows::Consecutive(rows.clone()));
                (kernel.update)(&Unit { ids, rows, groups, values: values.as_deref() }, &mut state);
                Ok(state)
            })?;
            let mut done = done.into_iter();
            for of_part in pieces.chunk_by(|a, b| a.0 == b.0) {
                states[of_part[0].0].add(done.by_ref().take(of_part.len()), kernel.merge);
            }
        }
        let whole = |(part, state): (usize, Chunks<A>)| match state.whole(kernel.merge) {
            Some(state) => Ok(state),
            None => (kernel.new)(parts.part(part).len()),
        };
        states.into_iter().enumerate().map(whole).collect()
    }
}

/// The chunks of a part.
struct Chunks<A> {
    /// The accumulators of full chunks.
    earlier: Option<A>,
    /// The accumulators of the last chunk.
    current: Option<A>,
    /// The number of rows of the last chunk.
    rows: usize,
}

impl<A> Default for Chunks<A> {
    fn default() -> Self {
        Self { earlier: None, current: None, rows: 0 }
    }
}

impl<A> Chunks<A> {
    /// Puts back the last chunk, if it was taken, and adds others.
    fn add(&mut self, chunks: impl Iterator<Item = A>, merge: &dyn Fn(&mut A, &[A])) {
        let mut full: Vec<A> = self.current.take().into_iter().chain(chunks).collect();
        self.current = full.pop();
        if !full.is_empty() {
            self.earlier = merged(self.earlier.take().into_iter().chain(full).collect(), merge);
        }
    }

    fn whole(self, merge: &dyn Fn(&mut A, &[A])) -> Option<A> {
        merged(self.earlier.into_iter().chain(self.current).collect(), merge)
    }
}
