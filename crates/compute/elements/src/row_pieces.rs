//! Row pieces: any number of pieces for each row, one row's after the other's, as lists have elements. Those of a GPU
//! are [`device_pieces`](crate::device_pieces).

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::nested::ListsView;
use cuprum_column::strings::SMALL_STRINGS;
use cuprum_column::{Bitmap, Column, ColumnView, Context, Error, HostUVec, Native, Result};
use cuprum_runtime::parallel::{MORSEL, for_ranges, map_morsels};

/// Rows in a morsel of work that is long for every row.
const SHORT_MORSEL: usize = 1 << 10;

/// The lists of a column in host memory; those that are null have no elements.
pub struct Lists<'a> {
    lists: ListsView<'a>,
    validity: Option<Bitmap<'a>>,
}

impl<'a> Lists<'a> {
    /// Access to the pieces of a column of lists or strings.
    pub fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        Ok(Self { lists: view.lists()?, validity: view.validity() })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// The elements that spans are of.
    pub fn elements(&self) -> &'a Column {
        self.lists.elements()
    }

    /// Whether the row exists and is not null.
    #[inline]
    pub fn is_valid(&self, row: usize) -> bool {
        row < self.len() && self.validity.is_none_or(|bits| bits.get(row))
    }

    /// The first element and the length of a list; no elements where there is no such row.
    #[inline]
    pub fn span(&self, row: usize) -> [usize; 2] {
        if !self.is_valid(row) {
            return [0, 0];
        }
        let (range, most) = (self.lists.range(row), self.elements().len());
        // Offsets stay within the elements, unless others write to them meanwhile.
        let [start, end] = [range.start, range.end].map(|offset| offset.min(most));
        [start, end.saturating_sub(start)]
    }
}

/// The number of pieces of each row, as offsets among all of them.
pub struct RowPieces {
    /// One more than there are rows.
    offsets: HostUVec<usize>,
}

impl RowPieces {
    /// `count(row)` pieces for each row; it is asked once.
    ///
    /// Fails with `Overflow` where all of them are more than 2⁶³ − 1.
    pub fn new(rows: usize, ctx: &Context, count: impl Fn(usize) -> usize + Sync) -> Result<Self> {
        Self::of_counts(&HostUVec::from_fn(rows, ctx, count)?, ctx)
    }

    fn of_counts(counts: &[usize], ctx: &Context) -> Result<Self> {
        let rows = counts.len();
        let sums = map_morsels(rows, ctx, |range| {
            counts[range].iter().try_fold(0usize, |sum, count| sum.checked_add(*count)).ok_or_else(too_many)
        })?;
        let mut total = 0usize;
        let mut starts = Vec::with_capacity(sums.len());
        for sum in sums {
            starts.push(total);
            total = total.checked_add(sum).filter(|&n| i64::try_from(n).is_ok()).ok_or_else(too_many)?;
        }
        let mut offsets = HostUVec::<usize>::uninit(rows.saturating_add(1), ctx)?;
        let out = offsets.output();
        map_morsels(rows, ctx, |range| {
            let mut at = starts[range.start / MORSEL];
            // SAFETY: morsels are disjoint.
            let slots = unsafe { out.slice(range.clone()) };
            for (slot, count) in slots.iter_mut().zip(&counts[range]) {
                slot.write(at);
                at += count;
            }
            Ok(())
        })?;
        offsets[rows] = MaybeUninit::new(total);
        // SAFETY: the morsels cover all rows, and the last offset is written above.
        let offsets = unsafe { offsets.assume_init() };
        Ok(Self { offsets })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of pieces of all rows.
    pub fn total(&self) -> usize {
        self.offsets[self.rows()]
    }

    /// The range of a row's pieces among all of them.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.offsets[row]..self.offsets[row + 1]
    }

    /// The number of pieces of a row.
    #[inline]
    pub fn count(&self, row: usize) -> usize {
        self.range(row).len()
    }

    /// The offsets of the rows' pieces, as those of lists: `Int32` where they fit, else `Int64`.
    pub fn offsets(&self, ctx: &Context) -> Result<Column> {
        let offset = |i: usize| self.offsets[i];
        Ok(if self.total() <= SMALL_STRINGS {
            Column::from_values(HostUVec::from_fn(self.offsets.len(), ctx, |i| offset(i) as i32)?)
        } else {
            Column::from_values(HostUVec::from_fn(self.offsets.len(), ctx, |i| offset(i) as i64)?)
        })
    }

    /// `value(row, k)` for piece `k` of each row.
    pub fn fill<T: Native>(
        &self,
        ctx: &Context,
        value: impl Fn(usize, usize) -> T + Sync,
    ) -> Result<HostUVec<T>> {
        let mut values = HostUVec::<T>::uninit(self.total(), ctx)?;
        let out = values.output();
        map_morsels(self.rows(), ctx, |rows| {
            for row in rows {
                // SAFETY: the pieces of rows follow each other.
                let slots = unsafe { out.slice(self.range(row)) };
                slots.iter_mut().enumerate().for_each(|(k, slot)| {
                    slot.write(value(row, k));
                });
            }
            Ok(())
        })?;
        // SAFETY: the rows' pieces are all pieces.
        Ok(unsafe { values.assume_init() })
    }

    /// The pieces that `write` makes of each row, in memory of zeros.
    pub fn fill_rows<T: Native>(
        &self,
        ctx: &Context,
        write: impl Fn(usize, &mut [T]) -> Result<()> + Sync,
    ) -> Result<HostUVec<T>> {
        let mut values = HostUVec::<T>::uninit(self.total(), ctx)?;
        let out = values.output();
        for_ranges(self.rows(), SHORT_MORSEL, ctx, &|rows| {
            for row in rows {
                // SAFETY: the pieces of rows follow each other.
                let slots = unsafe { out.slice(self.range(row)) };
                slots.fill(MaybeUninit::new(T::zeroed()));
                // SAFETY: all of them are written.
                write(row, unsafe { slots.assume_init_mut() })?;
            }
            Ok(())
        })?;
        // SAFETY: the rows' pieces are all pieces.
        Ok(unsafe { values.assume_init() })
    }
}

pub fn too_many() -> Error {
    Error::overflow("all rows have more than 2^63 - 1 elements")
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;

    use super::*;

    #[test]
    fn pieces_follow_each_other() {
        let ctx = &Context::current();
        for rows in [0, 1, 5, MORSEL, 2 * MORSEL + 3] {
            let pieces = RowPieces::new(rows, ctx, |row| row % 3).unwrap();
            let expected: Vec<[usize; 2]> =
                (0..rows).flat_map(|row| (0..row % 3).map(move |k| [row, k])).collect();
            assert_eq!((pieces.rows(), pieces.total()), (rows, expected.len()));
            let filled = pieces.fill(ctx, |row, k| (row * 3 + k) as u64).unwrap();
            let model: Vec<u64> = expected.iter().map(|[row, k]| (row * 3 + k) as u64).collect();
            assert_eq!(*filled, *model);
            let offsets = pieces.offsets(ctx).unwrap();
            assert_eq!(offsets.len(), rows + 1);
            assert_eq!(offsets.get(rows).unwrap().as_i64(), Some(expected.len() as i64));
        }
        let error = RowPieces::new(3, ctx, |_| usize::MAX / 2).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Overflow);
        let error = RowPieces::new(1, ctx, |_| usize::MAX / 2 + 1).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Overflow);
    }
}
