//! A range of rows replaced by one value.

use cuprum_column::{Column, Context, Error, Result, Scalar};
use cuprum_runtime::backend::{check, check_device};
use cuprum_runtime::nvtx::func_range;

use crate::copying::{copy_range, copy_range_in_place};

/// `column` with the rows `[begin, end)` replaced by `value`, which may be null.
///
/// Fails with `OutOfRange` where the range leaves the column or ends before it begins, and with `DataType` where the
/// value is of another type.
pub fn fill(column: &Column, begin: usize, end: usize, value: &Scalar, ctx: &Context) -> Result<Column> {
    func_range!(c"filling.fill");
    check_device!(ctx, [column, value]);
    let rows = replacement(column, begin, end, value, ctx)?;
    copy_range(&rows, column, 0, rows.len(), begin, ctx)
}

/// [`fill`] into `column`: into its memory where nobody else uses that, else a copy takes its place. Columns that share
/// memory with it keep their rows.
///
/// Fails as [`fill`] does, and with `DataType` for types of no fixed width.
pub fn fill_in_place(
    column: &mut Column,
    begin: usize,
    end: usize,
    value: &Scalar,
    ctx: &Context,
) -> Result<()> {
    func_range!(c"filling.fill_in_place");
    check_device!(ctx, [value]);
    check("column", &*column, ctx)?;
    let rows = replacement(column, begin, end, value, ctx)?;
    copy_range_in_place(&rows, column, 0, rows.len(), begin, ctx)
}

/// The rows that take the place of others.
fn replacement(column: &Column, begin: usize, end: usize, value: &Scalar, ctx: &Context) -> Result<Column> {
    let Some(len) = end.checked_sub(begin) else {
        return Err(Error::out_of_range(format!("`end` is {end}, before `begin`, which is {begin}")));
    };
    if end > column.len() {
        return Err(Error::out_of_range(format!("`end` is {end}, the column has {} rows", column.len())));
    }
    if value.data_type() != column.data_type() {
        return Err(Error::data_type(format!(
            "`value` is {}, the column {}",
            value.data_type(),
            column.data_type()
        )));
    }
    Column::from_scalar(value, len, ctx)
}
