//! [`MutableColumnView`]: a column that is written in place.

use std::ops::Range;

use cuprum_runtime::{Context, DeviceSpanMut, Error, HostSliceMut, Result};

use crate::column::{Column, UNKNOWN_NULL_COUNT};
use crate::null_mask::{self, MaskState};
use crate::stored::{Native, Stored};

/// Exclusive access to a fixed-width column whose values and validity are to change.
///
/// Nobody else sees the writes: a column that shares its memory has become a copy of its own by then.
pub struct MutableColumnView<'a> {
    column: &'a mut Column,
    ctx: Context,
}

impl Column {
    /// Access for writing, with a context of the column's device. If the column shares its values with
    /// another one, or with another library, its rows are copied first.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for types without fixed width: strings and lists
    /// cannot change their length in place, and fields of structs are columns of their own.
    pub fn view_mut(&mut self, ctx: &Context) -> Result<MutableColumnView<'_>> {
        let Some(size) = self.data_type().size() else {
            return Err(Error::data_type(format!(
                "columns of {} are not written in place",
                self.data_type()
            )));
        };
        if let Some(data) = self.data().filter(|data| !data.is_exclusive()) {
            // The rows alone, not the rest of the memory.
            let data = data.slice(self.offset() * size, self.len() * size)?;
            *self = Self::from_buffer(self.data_type(), self.len(), data, self.copy_mask(ctx)?)?;
        }
        if let Some(data) = self.data_mut() {
            data.make_mut::<u8>(ctx)?;
        }
        Ok(MutableColumnView { column: self, ctx: ctx.clone() })
    }
}

impl MutableColumnView<'_> {
    /// The column as it is now.
    pub fn column(&self) -> &Column {
        self.column
    }

    /// The stored values, where they are in host memory.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not the stored type, with
    /// [`Logic`](crate::ErrorKind::Logic) on a GPU.
    pub fn values_mut<T: Stored>(&mut self) -> Result<HostSliceMut<'_, T>> {
        match self.span()? {
            Some(span) => span.into_host_slice(),
            None => Ok(HostSliceMut::default()),
        }
    }

    /// The stored values on whatever device they are, for kernels that write them; `None` where there are
    /// none. Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not the stored type.
    pub fn span_mut<T: Native>(&mut self) -> Result<Option<DeviceSpanMut<'_, T>>> {
        self.span()
    }

    fn span<T: Stored>(&mut self) -> Result<Option<DeviceSpanMut<'_, T>>> {
        let (data_type, offset, len) = (self.column.data_type(), self.column.offset(), self.column.len());
        if data_type.storage() != T::STORAGE {
            return Err(Error::data_type(format!("{data_type} is not stored as {:?}", T::STORAGE)));
        }
        match self.column.data_mut().filter(|_| len > 0) {
            Some(data) => data.make_mut::<T>(&self.ctx)?.slice(offset..offset + len).map(Some),
            None => Ok(None),
        }
    }

    /// Writes the stored values of a column of the same type, on the same device, from row `at` on; their validity stays
    /// what it is.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for another type and with
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) where there are not as many rows.
    pub fn copy_values(&mut self, source: &Column, at: usize) -> Result<()> {
        let (data_type, offset, len) = (self.column.data_type(), self.column.offset(), self.column.len());
        let (Some(size), true) = (data_type.size(), source.data_type() == data_type) else {
            return Err(Error::data_type(format!(
                "values of {} for a column of {data_type}",
                source.data_type()
            )));
        };
        if at.checked_add(source.len()).is_none_or(|end| end > len) {
            let rows = source.len();
            return Err(Error::out_of_range(format!(
                "{rows} rows from row {at} on of a column of {len} rows"
            )));
        }
        let bytes_of = |from: usize| from * size..(from + source.len()) * size;
        if let (Some(from), Some(to)) = (source.data(), self.column.data_mut())
            && !source.is_empty()
        {
            let from = from.span::<u8>()?.slice(bytes_of(source.offset()))?;
            to.make_mut::<u8>(&self.ctx)?.slice(bytes_of(offset + at))?.copy_from(&from)?;
        }
        Ok(())
    }

    /// Marks rows as valid or as null. The null count is counted when it is next asked for.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where there are not as many rows.
    pub fn set_valid(&mut self, rows: Range<usize>, valid: bool) -> Result<()> {
        let (offset, len) = (self.column.offset(), self.column.len());
        if rows.start > rows.end || rows.end > len {
            return Err(Error::out_of_range(format!("rows {rows:?} of a column of {len} rows")));
        }
        if rows.is_empty() || (valid && self.column.mask().is_none()) {
            return Ok(());
        }
        let (mask, nulls) = self.column.mask_mut();
        let mask = match mask {
            Some(mask) => mask,
            None => mask.insert(null_mask::create_null_mask(offset + len, MaskState::AllValid, &self.ctx)?),
        };
        *nulls = UNKNOWN_NULL_COUNT;
        null_mask::set_null_mask(mask, offset + rows.start, offset + rows.end, valid, &self.ctx)
    }

    /// The validity bits where they are in host memory, as a mask of the column's own, which is made where
    /// it has none.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) on a GPU.
    pub fn validity_mut(&mut self) -> Result<MutableValidity<'_>> {
        let (offset, end) = (self.column.offset(), self.column.offset() + self.column.len());
        let (mask, nulls) = self.column.mask_mut();
        let mask = match mask {
            Some(mask) => mask,
            None => mask.insert(null_mask::create_null_mask(end, MaskState::AllValid, &self.ctx)?),
        };
        Ok(MutableValidity { bytes: mask.make_mut::<u8>(&self.ctx)?.into_host_slice()?, offset, nulls })
    }

    /// Says how many rows are null, for who knows without counting; [`UNKNOWN_NULL_COUNT`] has them counted.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where there are more nulls than rows, or nulls and no
    /// mask.
    pub fn set_null_count(&mut self, nulls: usize) -> Result<()> {
        let len = self.column.len();
        let most = if self.column.mask().is_some() { len } else { 0 };
        if nulls > most && nulls != UNKNOWN_NULL_COUNT {
            return Err(Error::logic(format!(
                "`nulls` is {nulls}; of {len} rows at most {most} are null by the mask"
            )));
        }
        *self.column.mask_mut().1 = if most == 0 { 0 } else { nulls };
        Ok(())
    }
}

/// The validity bits of a column in host memory, for writing one by one.
pub struct MutableValidity<'a> {
    bytes: HostSliceMut<'a, u8>,
    offset: usize,
    nulls: &'a mut usize,
}

impl MutableValidity<'_> {
    /// Marks a row as valid or as null; a null count that is known stays right.
    ///
    /// # Panics
    /// Outside the mask.
    pub fn set(&mut self, row: usize, valid: bool) {
        let at = self.offset + row;
        let (byte, bit) = (&mut self.bytes[at / 8], 1 << (at % 8));
        if (*byte & bit != 0) == valid {
            return;
        }
        *byte ^= bit;
        if *self.nulls != UNKNOWN_NULL_COUNT {
            *self.nulls = if valid { *self.nulls - 1 } else { *self.nulls + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, DataType, ErrorKind};

    /// Values move from slice to slice; the validity, and columns that shared the memory, stay as they were.
    #[test]
    fn values_are_copied_to_rows() {
        let ctx = Context::current();
        let original = Column::from_options(&[Some(1i32), None, Some(3), Some(4), Some(5)], &ctx).unwrap();
        let source = Column::from_slice(&[6i32, 7, 8, 9], &ctx).unwrap();
        let mut column = original.slice(1, 4).unwrap();
        let mut view = column.view_mut(&ctx).unwrap();
        view.copy_values(&source.slice(1, 2).unwrap(), 2).unwrap();
        view.copy_values(&source.slice(0, 0).unwrap(), 4).unwrap();
        let wide = Column::from_slice(&[1i64], &ctx).unwrap();
        assert_eq!(view.copy_values(&wide, 0).unwrap_err().kind(), ErrorKind::DataType);
        let texts = Column::nulls(DataType::String, 1, &ctx).unwrap();
        assert_eq!(view.copy_values(&texts, 0).unwrap_err().kind(), ErrorKind::DataType);
        for at in [1, 4, usize::MAX] {
            assert_eq!(view.copy_values(&source, at).unwrap_err().kind(), ErrorKind::OutOfRange);
        }
        let rows = |column: &Column| -> Vec<Option<i64>> {
            (0..column.len()).map(|row| column.get(row).unwrap().as_i64()).collect()
        };
        assert_eq!(rows(&column), [None, Some(3), Some(7), Some(8)]);
        assert_eq!(rows(&original), [Some(1), None, Some(3), Some(4), Some(5)]);
    }

    /// Nulls set and cleared one by one in masks of every kind, whose counts stay right.
    #[test]
    fn validity_is_written_bit_by_bit() {
        let ctx = Context::current();
        for len in [1usize, 31, 32, 33, 63, 64, 65, 200] {
            for (start, counted) in [(0, true), (len / 3, true), (len / 3, false)] {
                let whole: Vec<Option<i32>> = (0..len).map(|i| (i % 5 > 0).then_some(i as i32)).collect();
                for values in [whole, (0..len as i32).map(Some).collect()] {
                    let original = Column::from_options(&values, &ctx).unwrap();
                    let mut column = original.slice(start, len - start).unwrap();
                    if counted {
                        column.null_count().unwrap();
                    }
                    let mut expected: Vec<bool> = values[start..].iter().map(Option::is_some).collect();
                    let mut view = column.view_mut(&ctx).unwrap();
                    let mut validity = view.validity_mut().unwrap();
                    for row in (0..expected.len()).step_by(3).chain([0, expected.len() - 1]) {
                        validity.set(row, row % 2 == 0);
                        expected[row] = row % 2 == 0;
                    }
                    let nulls = expected.iter().filter(|valid| !**valid).count();
                    assert_eq!(column.null_count().unwrap(), nulls);
                    for (row, valid) in expected.into_iter().enumerate() {
                        assert_eq!(!column.get(row).unwrap().is_null(), valid, "row {row} of {len}");
                    }
                    assert_eq!(original.null_count().unwrap(), values.iter().filter(|v| v.is_none()).count());
                }
            }
        }
    }
}
