//! The rows of a table to one value each, as [`reduce`](crate::reduce) does for columns.

mod cpu;
pub mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use crate::aggregation::Aggregation;
use crate::groupby::{self, Grouping};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elementwise::filling::sequence;
use cuprum_elementwise::unary::cast;
use cuprum_keys::concatenate::concatenate;

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
    check_device!(ctx, [table]);
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
        _ if !is_walked(of, aggregation) => by_groups(columns, rows, aggregation, ctx),
        Aggregation::Sum => on_device!(ctx, sums(columns, rows, aggregation.result_type(of)?)),
        Aggregation::Mean => on_device!(ctx, means(columns, rows)),
        Aggregation::Min | Aggregation::Max => {
            on_device!(ctx, extremes(columns, rows, aggregation == Aggregation::Min))
        }
        _ => on_device!(ctx, truths(columns, rows, aggregation == Aggregation::Any)),
    }
}

/// Whether rows are gone over from left to right; for other reductions the elements of each are a group.
fn is_walked(of: DataType, aggregation: Aggregation) -> bool {
    match aggregation {
        Aggregation::Sum | Aggregation::Mean => of.is_numeric(),
        Aggregation::Min | Aggregation::Max => of.is_numeric() || of.is_chrono(),
        Aggregation::Any | Aggregation::All => of == DataType::Bool8,
        _ => false,
    }
}

/// Any reduction: the columns end to end, in which the elements of a row are a group.
fn by_groups(columns: &[Column], rows: usize, aggregation: Aggregation, ctx: &Context) -> Result<Column> {
    let stacked = concatenate(&columns.iter().collect::<Vec<_>>(), ctx)?;
    let narrow = if rows_fit_32_bits(stacked.len()) { DataType::Int32 } else { DataType::Int64 };
    let numbers = cast(&sequence(0, 1, rows, ctx)?, narrow, ctx)?;
    let ids = concatenate(&vec![&numbers; columns.len()], ctx)?;
    let grouping = Grouping::new(ids, numbers, rows);
    let mut values = groupby::aggregate(&grouping, &[(&stacked, aggregation)], ctx)?;
    values.pop().ok_or_else(|| Error::logic("one request has one result"))
}
