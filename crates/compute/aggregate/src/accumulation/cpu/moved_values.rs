//! The values of columns where their rows were moved.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_elements::stable_partition::{self, Destinations};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::cpu::radix_partitioned::PartitionedRows;
use cuprum_runtime::parallel::for_ranges;

use super::block::MovedValues;
use super::group_ranges::{GroupRanges, MOVED_BLOCK};
use super::in_place::Others;

/// Rows next to each other.
pub(crate) struct Run {
    pub(super) rows: Range<usize>,
    /// The destinations of the moved rows.
    pub(super) destinations: Destinations,
    /// The group of every place, counted from the first of its part.
    pub(super) ids: HostUVec<u32>,
    /// The rows that are moved, where most are not.
    pub(super) others: Option<Others>,
}

impl Run {
    /// `value(row)` of the rows that are moved, where they are moved; `ids` are those of all rows.
    pub(super) fn moved<T: Copy + Send + Sync>(
        &self,
        ids: &[u32],
        parts: GroupRanges,
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
                    for &i in others.of_block((block.start - start) / MOVED_BLOCK) {
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

/// The destinations of rows.
pub(crate) enum Place<'p> {
    /// The destinations that the grouping computed.
    Parted(&'p PartitionedRows),
    Run {
        number: usize,
        of: &'p Run,
        ids: &'p [u32],
        parts: GroupRanges,
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
            Self::Run { of, ids, parts, .. } => return of.moved(ids, *parts, ctx, value),
        };
        let mut moved = HostUVec::<T>::uninit(destinations.len(), ctx)?;
        let out = moved.output();
        for_ranges(to.len(), stable_partition::BLOCK, ctx, &|block| {
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
    pub(crate) fn moved<T: Copy + Send + Sync + 'static>(
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

/// A function that moves the values of a column.
type MoveTo<'m> = dyn Fn(&Place<'_>, &Context) -> Result<MovedValues> + 'm;

/// Moves the values of a column, which are kept where they are passed several times.
pub(crate) struct Mover<'m> {
    to: Box<MoveTo<'m>>,
    kept: Option<Mutex<Vec<Arc<MovedValues>>>>,
}

impl<'m> Mover<'m> {
    /// For so many passes by what `to` moves.
    pub(crate) fn new(passes: usize, to: impl Fn(&Place<'_>, &Context) -> Result<MovedValues> + 'm) -> Self {
        Self { to: Box::new(to), kept: (passes > 1).then(Mutex::default) }
    }

    /// The values at a place, which come in their order in each pass.
    pub(crate) fn values(&self, place: &Place<'_>, ctx: &Context) -> Result<Arc<MovedValues>> {
        let number = match place {
            Place::Parted(_) => 0,
            Place::Run { number, .. } => *number,
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
