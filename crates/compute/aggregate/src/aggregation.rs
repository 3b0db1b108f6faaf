//! Aggregations of many values to one, and their result types.

use std::fmt;

use cuprum_column::{DataType, Error, Result};
use cuprum_elements::decimals::scale;
use cuprum_keys::flatten::is_flattened_type;
use cuprum_runtime::backend::on_no_device;

/// The decimal places that a mean has beyond those of the values.
pub(crate) const DIGITS_OF_MEANS: i32 = 6;

/// Aggregations of many values to one.
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
            _ if input.is_decimal() => decimal_result_type(self, input)
                .ok_or_else(|| Error::data_type(format!("{self} does not take {input}")))?,
            Self::Min | Self::Max if input.is_numeric() || time => input,
            Self::Min | Self::Max if input == DataType::String || is_flattened_type(input) => input,
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

/// The type of a reduction of decimals; `None` where there is none.
fn decimal_result_type(how: Aggregation, of: DataType) -> Option<DataType> {
    match how {
        Aggregation::Sum => Some(DataType::Decimal128(scale(of))),
        Aggregation::Min | Aggregation::Max => Some(of),
        Aggregation::Mean => Some(DataType::Decimal128(scale(of).checked_sub(DIGITS_OF_MEANS)?)),
        _ => None,
    }
}

/// Running reductions.
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
