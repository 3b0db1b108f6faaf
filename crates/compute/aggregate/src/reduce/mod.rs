//! A column to one value, and running reductions.
//!
//! Missing values are skipped: nulls, and NaN in columns of floats. The sum of nothing is 0, the
//! product 1, `Any` false and `All` true; every other reduction of nothing is null.
//!
//! | aggregation | takes | gives |
//! |---|---|---|
//! | `Sum` | numbers, bool, durations | int64 or uint64 for integers, int64 for bool, else the same type |
//! | `Product` | numbers, bool | as `Sum` |
//! | `Min`, `Max`, `First`, `Last` | all | the same type |
//! | `Mean`, `Median`, `Quantile` | numbers, bool; times | float64; the same type |
//! | `Var`, `Std`, `Sem` | numbers, bool; `Std` of durations | float64; the same type |
//! | `Count`, `Size`, `NUnique` | all | int64 |
//! | `Any`, `All` | numbers, bool | bool |
//! | `BitAnd`, `BitOr`, `BitXor` | integers, bool | the same type |
//!
//! Integer sums and products wrap; a sum of durations that does not fit is an `Overflow` error.
//! Float sums are computed per block in eight lanes and added up in the order of the rows with
//! compensation (Neumaier 1974), so they are the same whatever the number of threads. On a GPU they are exact and
//! rounded once where the exponents of the values allow it, which is while they span no more than some 80 binades.

mod co_moments;
mod cpu;
mod cuda;
pub mod cumulative;
mod decimals;
mod distinct_in_pieces;
pub(crate) mod kendall;
mod options;
mod order;
mod pair_matrix;
mod pieces;
pub(crate) mod running_texts;
#[cfg(test)]
pub mod tests;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use crate::accumulation::cpu::morsels;
pub use crate::aggregation::{Aggregation, CumulativeOp};
pub use co_moments::{CoMoments, co_moments};
use cuprum_keys::flatten::is_flattened_type;
pub use kendall::kendall;
use options::ScanRows;
pub use pair_matrix::{PairStatistic, pair_matrix};

/// One value of all rows; see the [module](self) for types and missing values.
///
/// Fails with `DataType` for a type the aggregation does not take, with `InvalidArgument` for a
/// quantile outside [0, 1] and with `Overflow` for a sum of durations that does not fit.
pub fn reduce(column: &Column, agg: Aggregation, ctx: &Context) -> Result<Scalar> {
    func_range!(c"reduce.reduce");
    check_device!(ctx, [column]);
    let result = agg.result_type(column.data_type())?;
    match agg {
        Aggregation::Size => Ok(Scalar::from(column.len() as i64)),
        _ => on_device!(ctx, reduce_rows(column, agg, result)),
    }
}

/// [`reduce`], to the bit, of a few rows in host memory of which none is null: `None` for other columns, and for
/// aggregations that are not merged from the values one by one (quantiles, distinct values, ends). It
/// allocates nothing and needs no context, which takes longer to find than a few rows to add up.
///
/// Fails as [`reduce`].
pub fn reduce_few(column: &Column, agg: Aggregation) -> Result<Option<Scalar>> {
    if column.device() != Device::Cpu {
        return Ok(None);
    }
    morsels::of_one_block(column, agg, agg.result_type(column.data_type())?)
}

/// Several reductions of one column, each as [`reduce`] gives it. The values are read once for all but quantiles,
/// distinct values, texts and decimals; on a GPU also products and bits are made by themselves.
///
/// Fails as [`reduce`].
pub fn reduce_all(column: &Column, aggregations: &[Aggregation], ctx: &Context) -> Result<Vec<Scalar>> {
    func_range!(c"reduce.reduce_all");
    check_device!(ctx, [column]);
    let with_result = |agg: &Aggregation| Ok((*agg, agg.result_type(column.data_type())?));
    let requests = aggregations.iter().map(with_result).collect::<Result<Vec<_>>>()?;
    on_device!(ctx, reduce_several(column, &requests))
}

/// The reduction of the rows up to each row. A missing value (null or NaN) stays as it is and does
/// not take part. Texts are compared by their bytes, and their sum is one behind the other.
///
/// Fails with `DataType` for structs, and for sums and products of types that have none, and with
/// `Overflow` for sums of durations that do not fit.
pub fn cumulative(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.cumulative");
    check_device!(ctx, [column]);
    scan(column, op, ScanRows::UpToEach, ctx)
}

/// [`cumulative`] without the row itself, an exclusive scan: the reduction of the rows before each row.
/// Without a value before, it is the identity: 0 for sums, 1 for products, the greatest value of the type
/// (infinity for floats) for `Min` and the least for `Max`.
///
/// Fails as [`cumulative`], and with `DataType` for texts and for `Min` and `Max` of decimals, which have no such value.
pub fn cumulative_exclusive(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.cumulative_exclusive");
    check_device!(ctx, [column]);
    scan(column, op, ScanRows::BeforeEach, ctx)
}

fn scan(column: &Column, op: CumulativeOp, rows: ScanRows, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    if data_type == DataType::String && rows == ScanRows::UpToEach && op != CumulativeOp::Product {
        return on_device!(ctx, cumulative::texts(column, op, ctx), running_texts::texts(column, op, ctx));
    }
    let result = match op {
        _ if data_type == DataType::String || is_flattened_type(data_type) => None,
        CumulativeOp::Sum => Aggregation::Sum.result_type(data_type).ok(),
        CumulativeOp::Product => Aggregation::Product.result_type(data_type).ok(),
        CumulativeOp::Min | CumulativeOp::Max => Aggregation::Min.result_type(data_type).ok(),
    };
    match result {
        Some(result) if data_type.is_decimal() => {
            if rows == ScanRows::BeforeEach && op != CumulativeOp::Sum {
                return Err(Error::data_type(format!("exclusive {op} does not take {data_type}")));
            }
            on_device!(
                ctx,
                decimals::cumulative(column, op, rows, result, ctx),
                cuda::cumulative_decimals(column, op, rows, result, ctx)
            )
        }
        Some(result) => on_device!(
            ctx,
            cumulative::cumulative(column, op, rows, result, ctx),
            cuda::cumulative(column, op, rows, result, ctx)
        ),
        None => Err(Error::data_type(format!("{op} does not take {data_type}"))),
    }
}
