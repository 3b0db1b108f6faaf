//! The numbers of rows by their keys on a GPU, and columns of row numbers.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DataType, DeviceView, Error, Result};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_runtime::DeviceUVec;

use super::kernels::{narrow_rows, striding, wide_rows};

/// Rows numbered by their distinct keys.
pub struct GroupIds {
    /// The number of each row's key, `u32::MAX` for rows that are left out.
    pub ids: DeviceUVec<u32>,
    /// The first row of each number, ascending.
    pub first_rows: DeviceUVec<u32>,
}

/// Row numbers below `rows` as a column, see [`cuprum_elements::row_numbers::row_column`].
#[doc(hidden)]
pub fn row_column(numbers: DeviceUVec<u32>, rows: usize, ctx: &Context) -> Result<Column> {
    let len = numbers.len();
    if rows_fit_32_bits(rows) {
        // The bits of the largest number are those of -1.
        return Column::from_buffer(DataType::Int32, len, numbers.into_buffer().try_into()?, None);
    }
    let mut wide = DeviceUVec::<i64>::uninit(len, ctx)?;
    // SAFETY: both have `len` elements.
    unsafe { wide_rows(ctx, striding(len), &numbers, len, &mut wide)? };
    Column::from_buffer(DataType::Int64, len, wide.into_buffer().try_into()?, None)
}

/// Group ids as `Int32`, checked as [`NarrowRows`](cuprum_elements::row_numbers::NarrowRows) does; `name` is that of the
/// argument in messages.
#[doc(hidden)]
pub fn narrow_ids<'a>(name: &str, ids: &'a Column, ctx: &Context) -> Result<Cow<'a, Column>> {
    if ids.mask().is_some() {
        return Err(Error::invalid_argument(format!("`{name}` has nulls; no row is -1")));
    }
    match ids.data_type() {
        DataType::Int32 => Ok(Cow::Borrowed(ids)),
        DataType::Int64 => Ok(Cow::Owned(narrow_column(ids, ctx)?)),
        other => Err(Error::data_type(format!("`{name}` must be of int32 or int64, not {other}"))),
    }
}

/// Row numbers of `Int64` as `Int32`; numbers of no row become -1.
fn narrow_column(rows: &Column, ctx: &Context) -> Result<Column> {
    let (len, mut narrow) = (rows.len(), DeviceUVec::<u32>::uninit(rows.len(), ctx)?);
    let view = DeviceView::new(rows)?;
    // SAFETY: the rows are of 64 bits, with a place for each.
    unsafe { narrow_rows(ctx, striding(len), &view, &mut narrow)? };
    Column::from_buffer(DataType::Int32, len, narrow.into_buffer().try_into()?, None)
}
