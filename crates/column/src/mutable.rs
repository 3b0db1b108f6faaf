//! [`MutableColumnView`]: a column that is written in place.

use std::ops::Range;

use cuprum_runtime::{Context, DeviceSpanMut, Error, Result};

use crate::column::{Column, UNKNOWN_NULL_COUNT};
use crate::null_mask::{self, MaskState};
use crate::stored::{Native, Stored};

/// Exclusive access to a fixed-width column whose values and validity are to change.
///
/// Nobody else sees what is written: a column that shares its memory has become a copy of its own by then.
pub struct MutableColumnView<'a> {
    column: &'a mut Column,
    ctx: Context,
}

impl Column {
    /// Access for writing, with a context of the column's device. Where the column shares its values with
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
            // The rows alone, not what else there is in the memory.
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
    /// Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not what the type is stored as, with
    /// [`Logic`](crate::ErrorKind::Logic) on a GPU.
    pub fn values_mut<T: Stored>(&mut self) -> Result<&mut [T]> {
        match self.span()? {
            Some(span) => span.into_host_slice(),
            None => Ok(&mut []),
        }
    }

    /// The stored values on whatever device they are, for kernels that write them; `None` where there are
    /// none. Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not what the type is stored as.
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
