//! Keeping some rows: boolean masks, dropping nulls, distinct rows.
//!
//! Rows that are kept stay in their order.

pub mod approximate;
mod checks;
mod compress;
pub mod cpu;
mod cuda;
pub mod distinct;
mod kept;
pub mod neighbours;
mod runs;
#[cfg(test)]
mod tests;
mod text;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

pub use approximate::approx_distinct_count;
pub use kept::{KeptRows, rows_where, rows_where_true, rows_with_values};
pub use runs::{apply_deletion_mask, drop_nans, unique_count, unique_rows};

use crate::expression::Expression;
use checks::check_mask;
use cuprum_elements::selection::true_rows;

/// The rows of `table` for which `mask` is true; a null in the mask drops its row.
///
/// Fails with `DataType` when the mask is not boolean and with `Logic` when its length differs.
pub fn apply_boolean_mask(table: &Table, mask: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"stream_compaction.apply_boolean_mask");
    check_device!(ctx, [table, mask]);
    check_mask(mask)?;
    if mask.len() != table.num_rows() {
        return Err(Error::logic(format!(
            "`mask` has {} rows, the table has {}",
            mask.len(),
            table.num_rows()
        )));
    }
    rows_where_true(mask, ctx)?.take(table, ctx)
}

/// The rows of `table` for which `condition`, a formula over the columns of `inputs`, is true; not those for which it
/// is null. `inputs` has as many rows as `table`, and may be the same.
///
/// The formula becomes a bit for each row; there is no column of truth values.
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_elementwise::binaryop;
/// #     pub use cuprum_relational::{expression, stream_compaction};
/// # }
/// use cuprum_column::{Column, Context, DataType, Scalar, Table};
/// use cuprum_compute::binaryop::BinaryOperator::Greater;
/// use cuprum_compute::expression::Expression;
/// use cuprum_compute::stream_compaction::filter;
///
/// let ctx = Context::current();
/// let table = Table::new(vec![Column::from_slice(&[1i64, 2, 3], &ctx)?])?;
/// let above = Expression::binary(
///     Greater,
///     Expression::column(0, DataType::Int64),
///     Expression::literal(Scalar::from(1i64)),
/// )?;
/// assert_eq!(filter(&table, &above, &table, &ctx)?.num_rows(), 2);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
///
/// Fails with `DataType` for a condition that is not boolean, with `Logic` where the tables have different numbers of
/// rows, and as [`evaluate`](crate::expression::evaluate).
pub fn filter(table: &Table, condition: &Expression, inputs: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"stream_compaction.filter");
    check_device!(ctx, [table, inputs]);
    if inputs.num_rows() != table.num_rows() {
        return Err(Error::logic(format!(
            "`inputs` has {} rows, the table has {}",
            inputs.num_rows(),
            table.num_rows()
        )));
    }
    rows_where(condition, inputs, ctx)?.take(table, ctx)
}

/// The numbers of the rows for which `mask` is true and not null, ascending; `Int32` while the rows
/// of the mask fit 32 bits, else `Int64`.
///
/// Fails with `DataType` when the mask is not boolean.
pub fn mask_to_rows(mask: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.mask_to_rows");
    check_device!(ctx, [mask]);
    check_mask(mask)?;
    true_rows(mask, ctx)
}

/// The rows of `table` with at least `threshold` values that are not missing among the columns
/// `keys`. Missing is null and, with `nan_is_null`, NaN.
///
/// `threshold = keys.len()` keeps the rows without any missing value, `threshold = 1` those with
/// some value, 0 all rows.
///
/// Fails with `OutOfRange` when a key is no column of the table.
pub fn drop_nulls(
    table: &Table,
    keys: &[usize],
    threshold: usize,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Table> {
    func_range!(c"stream_compaction.drop_nulls");
    check_device!(ctx, [table]);
    rows_with_values(table, keys, threshold, nan_is_null, ctx)?.take(table, ctx)
}
