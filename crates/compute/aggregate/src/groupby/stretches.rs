//! Rows that are moved to parts by ranges of groups, one stretch of all rows after the other.
//!
//! A stretch knows how many of its rows go to each part, and the groups of the rows that were moved. Values are moved when
//! a column is accumulated, those of one stretch at a time, and what each part has got goes from stretch to stretch: so
//! no column is there twice, and what was moved is still in a cache when it is added up. A part sees its rows in their
//! order, cut in chunks by how many came before, whatever the stretches are.
//!
//! Where the first groups have many of the rows, these are not moved ([`in_place`](super::in_place)).

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{self, for_ranges};

use super::accumulate::Stored;
use super::in_place::{InPlace, Others};
use super::layout::{Kernel, LayoutTuning, Parts, Unit, UnitRows, merged};
use cuprum_elements::distribute::{self, Destinations};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::radix_partitioned::PartitionedRows;

/// Rows that one thread moves at a time; their positions in a block fit 16 bits.
pub(super) const BLOCK: usize = 32 << 10;

/// All rows in stretches.
pub(super) struct Stretches<'a> {
    /// The group of every row, counted from the first of all.
    ids: &'a [u32],
    parts: Parts,
    stretches: Vec<Stretch>,
    /// The rows of the first part, where they are not moved.
    in_place: Option<InPlace>,
}

/// Rows next to each other.
pub(super) struct Stretch {
    rows: Range<usize>,
    /// Where they are moved.
    destinations: Destinations,
    /// The group of every place, counted from the first of its part.
    ids: HostUVec<u32>,
    /// The rows that are moved, where most are not.
    others: Option<Others>,
}

impl<'a> Stretches<'a> {
    pub(super) fn new(ids: &'a [u32], parts: Parts, tuning: LayoutTuning, ctx: &Context) -> Result<Self> {
        let mut in_place = InPlace::pays(ids, parts, tuning.in_place_above).then(|| InPlace::new(parts));
        let step = tuning.stretch.max(1);
        let mut stretches = host_vec::with_capacity(ids.len().div_ceil(step))?;
        for start in (0..ids.len()).step_by(step) {
            let rows = start..(start + step).min(ids.len());
            let of_rows = &ids[rows.clone()];
            let (destinations, others) = match &mut in_place {
                Some(in_place) => {
                    let (destinations, others) = in_place.add(of_rows, start, ctx)?;
                    (destinations, Some(others))
                }
                None => (parts.destinations(of_rows, BLOCK, ctx)?, None),
            };
            let mut stretch = Stretch { rows, destinations, ids: HostUVec::from_slice(&[], ctx)?, others };
            stretch.ids = stretch.moved(ids, parts, ctx, move |row| ids[row] & parts.mask())?;
            stretches.push(stretch);
        }
        if let Some(in_place) = &mut in_place {
            in_place.end(ids.len());
        }
        Ok(Self { ids, parts, stretches, in_place })
    }

    /// Each part has `1 << shift` groups.
    pub(super) fn shift(&self) -> u32 {
        self.parts.shift
    }

    /// What every part has got; see [`run`](super::layout::AccumulationLayout::run).
    pub(super) fn run<A: Send>(
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
        for (number, stretch) in self.stretches.iter().enumerate() {
            let place = Place::Stretch { number, of: stretch, ids: self.ids, parts };
            let values = mover.map(|mover| mover.values(&place, ctx)).transpose()?;
            // Pieces of parts, of which the first goes on where the last stretch has ended.
            let mut pieces: Vec<(usize, Range<usize>, Mutex<Option<A>>)> = Vec::new();
            for (part, state) in states.iter_mut().enumerate().skip(first) {
                let mut rows = stretch.destinations.part(part);
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
                let (ids, rows) = (&stretch.ids[rows.clone()], UnitRows::Consecutive(rows.clone()));
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

impl Stretch {
    /// `value(row)` of the rows that are moved, where they are moved; `ids` are those of all rows.
    fn moved<T: Copy + Send + Sync>(
        &self,
        ids: &[u32],
        parts: Parts,
        ctx: &Context,
        value: impl Fn(usize) -> T + Sync + Copy,
    ) -> Result<HostUVec<T>> {
        let mut moved = HostUVec::<T>::uninit(self.destinations.len(), ctx)?;
        let out = moved.output();
        let start = self.rows.start;
        self.destinations.each_block(ctx, &|block, cursors| {
            // Copies of its own: stores through `out` might alias what references lead to.
            let (out, ids, parts, value) = (out, ids, parts, value);
            let block = start + block.start..start + block.end;
            let mut place = |row: usize, id: u32| {
                let place = if (id as usize) < parts.groups { cursors.next(parts.of(id)) } else { None };
                if let Some(place) = place {
                    // SAFETY: cursors give out places below the length, each once.
                    unsafe { out.write(place, value(row)) };
                }
            };
            match &self.others {
                None => {
                    for (row, &id) in block.clone().zip(&ids[block]) {
                        place(row, id);
                    }
                }
                Some(others) => {
                    for &i in others.of_block((block.start - start) / BLOCK) {
                        let row = block.start + i as usize;
                        place(row, ids[row]);
                    }
                }
            }
            Ok(())
        })?;
        // SAFETY: every place was given out.
        Ok(unsafe { moved.assume_init() })
    }
}

/// The chunks of a part.
struct Chunks<A> {
    /// What full chunks have got.
    earlier: Option<A>,
    /// What the last one has got.
    current: Option<A>,
    /// How many rows that one has.
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

/// Where rows are moved.
pub(super) enum Place<'p> {
    /// Where they were moved when they were grouped.
    Parted(&'p PartitionedRows),
    Stretch {
        number: usize,
        of: &'p Stretch,
        ids: &'p [u32],
        parts: Parts,
    },
}

impl Place<'_> {
    /// Values, one for each row of a column, where rows are moved.
    fn move_values<T: Copy + Send + Sync>(
        &self,
        value: impl Fn(usize) -> T + Sync + Copy,
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        let PartitionedRows { to, destinations, .. } = match self {
            Self::Parted(moved) => moved,
            Self::Stretch { of, ids, parts, .. } => return of.moved(ids, *parts, ctx, value),
        };
        let mut moved = HostUVec::<T>::uninit(destinations.len(), ctx)?;
        let out = moved.output();
        for_ranges(to.len(), distribute::BLOCK, ctx, &|block| {
            for (row, &place) in block.clone().zip(&to[block]) {
                if place != NONE {
                    // SAFETY: `to` gives each row that has a place one of its own below the length.
                    unsafe { out.write(place as usize, value(row)) };
                }
            }
            Ok(())
        })?;
        // SAFETY: every place belongs to a row.
        Ok(unsafe { moved.assume_init() })
    }

    /// Values where rows are moved, and which of them are there.
    pub(super) fn moved<T: Copy + Send + Sync + 'static>(
        &self,
        value: impl Fn(usize) -> T + Sync + Copy,
        valid: Option<Bitmap<'_>>,
        ctx: &Context,
    ) -> Result<MovedValues> {
        let values = self.move_values(value, ctx)?;
        let valid = match valid {
            None => None,
            Some(valid) => {
                let flags = self.move_values::<u8>(move |row| u8::from(valid.get(row)), ctx)?;
                let word = |at: usize| {
                    let flags = &flags[64 * at..flags.len().min(64 * (at + 1))];
                    flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag))
                };
                Some(HostUVec::from_fn(flags.len().div_ceil(64), ctx, word)?)
            }
        };
        Ok(MovedValues { values: Box::new(values), valid })
    }
}

/// Values that were moved.
pub(super) struct MovedValues {
    /// A [`HostUVec`] of them.
    values: Box<dyn Any + Send + Sync>,
    /// A bit for each.
    valid: Option<HostUVec<u64>>,
}

impl MovedValues {
    /// `f` of the values, which are of this type, and of which of them are there.
    pub(super) fn with<T: Copy + 'static>(&self, f: impl FnOnce(Stored<'_, T>)) {
        let values = self.values.downcast_ref::<HostUVec<T>>().expect("a column has one type");
        let valid =
            self.valid.as_ref().map(|words| Bitmap::new(bytemuck::cast_slice(words), 0, values.len()));
        f((&values[..], valid));
    }
}

/// How the values of a column are moved.
type MoveTo<'m> = dyn Fn(&Place<'_>, &Context) -> Result<MovedValues> + 'm;

/// Moves the values of a column, which are kept where they are passed several times.
pub(super) struct Mover<'m> {
    to: Box<MoveTo<'m>>,
    kept: Option<Mutex<Vec<Arc<MovedValues>>>>,
}

impl<'m> Mover<'m> {
    /// For so many passes by what `to` moves.
    pub(super) fn new(passes: usize, to: impl Fn(&Place<'_>, &Context) -> Result<MovedValues> + 'm) -> Self {
        Self { to: Box::new(to), kept: (passes > 1).then(Mutex::default) }
    }

    /// The values at a place, which come in their order in each pass.
    pub(super) fn values(&self, place: &Place<'_>, ctx: &Context) -> Result<Arc<MovedValues>> {
        let number = match place {
            Place::Parted(_) => 0,
            Place::Stretch { number, .. } => *number,
        };
        let Some(kept) = &self.kept else { return (self.to)(place, ctx).map(Arc::new) };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(values) = kept.get(number) {
            return Ok(Arc::clone(values));
        }
        let values = Arc::new((self.to)(place, ctx)?);
        kept.push(Arc::clone(&values));
        Ok(values)
    }
}
