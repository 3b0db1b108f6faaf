//! The rows of a table to one value each, as [`reduce`](crate::reduce) does for columns.

mod cpu;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

use crate::aggregation::Aggregation;

/// One value of the elements of every row, from left to right; types and missing values as of
/// [`reduce`](crate::reduce), sums of integers wrap around.
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for columns of several types and for one that the
/// aggregation does not take, and with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a table
/// without columns.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::{reduce::Aggregation, row_reduce::reduce_rows};
///
/// let ctx = &Context::current();
/// let columns = vec![Column::from_slice(&[1i64, 2], ctx)?, Column::from_slice(&[10i64, 20], ctx)?];
/// let sums = reduce_rows(&Table::new(columns)?, Aggregation::Sum, ctx)?;
/// assert_eq!(sums.view()?.values::<i64>()?, [11, 22]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn reduce_rows(table: &Table, aggregation: Aggregation, ctx: &Context) -> Result<Column> {
    func_range!(c"row_reduce.reduce_rows");
    host_only!(ctx, [table], reduce_rows(&table, aggregation));
    let (columns, rows) = (table.columns(), table.num_rows());
    let Some(of) = columns.first().map(Column::data_type) else {
        return Err(Error::invalid_argument("`table` has no columns to reduce the rows of"));
    };
    if let Some(other) = columns.iter().map(Column::data_type).find(|other| *other != of) {
        return Err(Error::data_type(format!(
            "`table` has columns of {of} and of {other}: rows need one type"
        )));
    }
    match aggregation {
        Aggregation::Sum if of.is_numeric() => cpu::sums(columns, rows, aggregation.result_type(of)?, ctx),
        Aggregation::Mean if of.is_numeric() => cpu::means(columns, rows, ctx),
        Aggregation::Min | Aggregation::Max if of.is_numeric() || of.is_chrono() => {
            cpu::extremes(columns, rows, aggregation == Aggregation::Min, ctx)
        }
        Aggregation::Any | Aggregation::All if of == DataType::Bool8 => {
            cpu::truths(columns, rows, aggregation == Aggregation::Any, ctx)
        }
        _ => cpu::by_groups(columns, rows, aggregation, ctx),
    }
}
