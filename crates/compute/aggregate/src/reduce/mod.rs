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
pub mod compact_sums;
pub(crate) mod compensated;
mod cpu;
mod cuda;
pub mod cumulative;
pub mod decimal_sums;
pub mod decimals;
pub mod device_ewm;
pub mod device_moments;
mod ewm;
pub mod morsels;
mod order;
mod pair_matrix;
mod pieces;
pub mod running;
pub mod statistics;
#[cfg(test)]
pub mod tests;

use std::fmt;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar};
use cuprum_runtime::backend::{host_only, on_device, on_no_device};
use cuprum_runtime::nvtx::func_range;

pub use co_moments::{CoMoments, co_moments};
pub use ewm::{EwmOptions, ewm_covariance, ewm_mean, ewm_mean_at, ewm_sum};
pub use pair_matrix::{PairStatistic, pair_matrix};

/// How many values become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregation {
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The smallest value; strings by their bytes.
    Min,
    /// The largest value; strings by their bytes.
    Max,
    /// The arithmetic mean; of times rounded down to their unit.
    Mean,
    /// The middle value, or the mean of the two middle ones; of times rounded down.
    Median,
    /// The quantile at a fraction in [0, 1], with linear interpolation.
    Quantile(f64),
    /// The variance: squared deviations divided by the count minus `ddof`.
    Var {
        /// Delta degrees of freedom; null where the count does not exceed it.
        ddof: i64,
    },
    /// The square root of the variance.
    Std {
        /// Delta degrees of freedom; null where the count does not exceed it.
        ddof: i64,
    },
    /// The standard error of the mean: the standard deviation divided by the square root of the count.
    Sem {
        /// Delta degrees of freedom; null where the count does not exceed it.
        ddof: i64,
    },
    /// The number of values that are not missing.
    Count,
    /// The number of rows.
    Size,
    /// The number of distinct values that are not missing.
    NUnique,
    /// The first value that is not missing.
    First,
    /// The last value that is not missing.
    Last,
    /// Whether some value is not zero.
    Any,
    /// Whether no value is zero.
    All,
    /// The bits that are set in every value.
    BitAnd,
    /// The bits that are set in some value.
    BitOr,
    /// The bits that are set in an odd number of values.
    BitXor,
}

on_no_device!(Aggregation);

/// As pandas' method is called.
impl fmt::Display for Aggregation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Product => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
            Self::Median => "median",
            Self::Quantile(_) => "quantile",
            Self::Var { .. } => "var",
            Self::Std { .. } => "std",
            Self::Sem { .. } => "sem",
            Self::Count => "count",
            Self::Size => "size",
            Self::NUnique => "nunique",
            Self::First => "first",
            Self::Last => "last",
            Self::Any => "any",
            Self::All => "all",
            Self::BitAnd => "bit_and",
            Self::BitOr => "bit_or",
            Self::BitXor => "bit_xor",
        })
    }
}

impl Aggregation {
    /// One of each kind, for tests.
    #[doc(hidden)]
    pub const EACH: [Self; 20] = [
        Self::Sum,
        Self::Product,
        Self::Min,
        Self::Max,
        Self::Mean,
        Self::Median,
        Self::Quantile(0.3),
        Self::Var { ddof: 1 },
        Self::Std { ddof: 0 },
        Self::Sem { ddof: 1 },
        Self::Count,
        Self::Size,
        Self::NUnique,
        Self::First,
        Self::Last,
        Self::Any,
        Self::All,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
    ];

    /// The type of the result for values of type `input`.
    ///
    /// Fails with `DataType`, naming the aggregation and the type, where there is none.
    pub fn result_type(self, input: DataType) -> Result<DataType> {
        let time = input.is_timestamp() || input.is_duration();
        Ok(match self {
            Self::Count | Self::Size | Self::NUnique => DataType::Int64,
            Self::First | Self::Last => input,
            _ if input.is_decimal() => decimals::result_type(self, input)
                .ok_or_else(|| Error::data_type(format!("{self} does not take {input}")))?,
            Self::Min | Self::Max if input.is_numeric() || time => input,
            Self::Min | Self::Max if matches!(input, DataType::String | DataType::Struct) => input,
            Self::Any | Self::All if input.is_numeric() => DataType::Bool8,
            Self::BitAnd | Self::BitOr | Self::BitXor if input.is_numeric() && !input.is_float() => input,
            Self::Sum | Self::Product if input.is_float() || (self == Self::Sum && input.is_duration()) => {
                input
            }
            Self::Sum | Self::Product if input.is_unsigned_integer() => DataType::UInt64,
            Self::Sum | Self::Product if input.is_numeric() => DataType::Int64,
            Self::Mean | Self::Median | Self::Quantile(_) if time => input,
            Self::Std { .. } if input.is_duration() => input,
            Self::Mean
            | Self::Median
            | Self::Quantile(_)
            | Self::Var { .. }
            | Self::Std { .. }
            | Self::Sem { .. }
                if input.is_numeric() =>
            {
                DataType::Float64
            }
            _ => return Err(Error::data_type(format!("{self} does not take {input}"))),
        })
    }
}

/// One value of all rows; see the [module](self) for types and missing values.
///
/// Fails with `DataType` for a type the aggregation does not take, with `InvalidArgument` for a
/// quantile outside [0, 1] and with `Overflow` for a sum of durations that does not fit.
pub fn reduce(column: &Column, agg: Aggregation, ctx: &Context) -> Result<Scalar> {
    func_range!(c"reduce.reduce");
    host_only!(ctx, [column] if !cuda::has_kernel(column, agg), reduce(&column, agg));
    let result = agg.result_type(column.data_type())?;
    match agg {
        Aggregation::Size => Ok(Scalar::from(column.len() as i64)),
        _ => on_device!(ctx, reduce_rows(column, agg, result)),
    }
}

/// [`reduce`], to the bit, of a few rows in host memory of which none is null: `None` for other columns, and for
/// aggregations that are not put together of the values one by one (quantiles, distinct values, ends). It allocates
/// nothing and needs no context, which takes longer to find than a few rows to add up.
///
/// Fails as [`reduce`].
pub fn reduce_few(column: &Column, agg: Aggregation) -> Result<Option<Scalar>> {
    if column.device() != Device::Cpu {
        return Ok(None);
    }
    morsels::of_one_block(column, agg, agg.result_type(column.data_type())?)
}

/// Several reductions of one column, each as [`reduce`] gives it. On the CPU the values are read once for all but
/// quantiles, distinct values, texts and decimals.
///
/// Fails as [`reduce`].
pub fn reduce_all(column: &Column, aggregations: &[Aggregation], ctx: &Context) -> Result<Vec<Scalar>> {
    func_range!(c"reduce.reduce_all");
    host_only!(
        ctx,
        [column] if !aggregations.iter().all(|agg| cuda::has_kernel(column, *agg)),
        reduce_all(&column, aggregations)
    );
    let with_result = |agg: &Aggregation| Ok((*agg, agg.result_type(column.data_type())?));
    let requests = aggregations.iter().map(with_result).collect::<Result<Vec<_>>>()?;
    on_device!(
        ctx,
        cpu::reduce_several(column, &requests, ctx),
        aggregations.iter().map(|agg| reduce(column, *agg, ctx)).collect()
    )
}

/// What a running reduction keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CumulativeOp {
    /// The sum so far; types as [`Aggregation::Sum`].
    Sum,
    /// The product so far; types as [`Aggregation::Product`].
    Product,
    /// The smallest value so far.
    Min,
    /// The largest value so far.
    Max,
}

/// As pandas' method is called.
impl fmt::Display for CumulativeOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "cumsum",
            Self::Product => "cumprod",
            Self::Min => "cummin",
            Self::Max => "cummax",
        })
    }
}

/// The reduction of the rows up to each row. A missing value (null or NaN) stays as it is and does
/// not take part. Texts are compared by their bytes, and their sum is one behind the other.
///
/// Fails with `DataType` for structs, and for sums and products of types that have none, and with
/// `Overflow` for sums of durations that do not fit.
pub fn cumulative(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.cumulative");
    host_only!(ctx, [column] if !has_scan(column.data_type(), op), cumulative(&column, op));
    scan(column, op, Rows::UpToEach, ctx)
}

/// [`cumulative`] without the row itself, an exclusive scan: the reduction of the rows before each row. Where there
/// is no value before, it is what changes no other: 0 for sums, 1 for products, the greatest value of the type
/// (infinity for floats) for `Min` and the least for `Max`.
///
/// Fails as [`cumulative`], and with `DataType` for texts and for `Min` and `Max` of decimals, which have no such value.
pub fn cumulative_exclusive(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    func_range!(c"reduce.cumulative_exclusive");
    host_only!(ctx, [column] if !has_scan(column.data_type(), op), cumulative_exclusive(&column, op));
    scan(column, op, Rows::BeforeEach, ctx)
}

/// Whether there is a kernel for a running reduction of a type.
fn has_scan(of: DataType, op: CumulativeOp) -> bool {
    running::has_kernel(of, op) || of.is_decimal() && op != CumulativeOp::Product
}

/// What a running reduction has of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    UpToEach,
    BeforeEach,
}

fn scan(column: &Column, op: CumulativeOp, rows: Rows, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    if data_type == DataType::String && rows == Rows::UpToEach && op != CumulativeOp::Product {
        return cumulative::texts(column, op, ctx);
    }
    let result = match op {
        _ if matches!(data_type, DataType::String | DataType::Struct) => None,
        CumulativeOp::Sum => Aggregation::Sum.result_type(data_type).ok(),
        CumulativeOp::Product => Aggregation::Product.result_type(data_type).ok(),
        CumulativeOp::Min | CumulativeOp::Max => Aggregation::Min.result_type(data_type).ok(),
    };
    match result {
        Some(result) if data_type.is_decimal() => {
            if rows == Rows::BeforeEach && op != CumulativeOp::Sum {
                return Err(Error::data_type(format!("exclusive {op} does not take {data_type}")));
            }
            let exclusive = rows == Rows::BeforeEach;
            on_device!(
                ctx,
                decimals::cumulative(column, op, rows, result, ctx),
                match op {
                    CumulativeOp::Sum => running::decimals(column, exclusive, result, ctx),
                    _ if data_type.size() == Some(16) => {
                        running::decimal_extremes(column, op == CumulativeOp::Min, ctx)
                    }
                    _ => running::cumulative(column, op, false, result, ctx),
                }
            )
        }
        Some(result) => on_device!(
            ctx,
            cumulative::cumulative(column, op, rows, result, ctx),
            running::cumulative(column, op, rows == Rows::BeforeEach, result, ctx)
        ),
        None => Err(Error::data_type(format!("{op} does not take {data_type}"))),
    }
}
