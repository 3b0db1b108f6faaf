//! Functions of windows.

use cuprum_aggregate::quantiles::Interpolation;
use cuprum_aggregate::reduce::Aggregation;
use cuprum_column::{DataType, Error, Result};
use cuprum_keys::order::Order;
use cuprum_keys::sorting::RankMethod;
use cuprum_lists::lists::{NanEquality, NullEquality};

use super::rows;

/// Functions of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowFunction {
    /// The sum.
    Sum,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The row of the smallest value, the first of several.
    ArgMin,
    /// The row of the largest value, the first of several.
    ArgMax,
    /// The arithmetic mean.
    Mean,
    /// The variance.
    Var {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// The square root of the variance.
    Std {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// The skewness, without bias.
    Skewness,
    /// The excess of the kurtosis over that of a normal distribution, without bias.
    Kurtosis,
    /// The value at a fraction of the ordered values.
    Quantile {
        /// The fraction, from 0 to 1.
        q: f64,
        /// The value between two neighbours.
        interpolation: Interpolation,
    },
    /// The place of the window's last element among its values, from 1 on.
    Rank {
        /// Of equal values: `Average`, `Min` or `Max`.
        method: RankMethod,
        /// Whether the smallest value is the first.
        order: Order,
        /// Whether places are divided by the number of values.
        percentage: bool,
    },
    /// The number of values.
    CountValid,
    /// The number of rows.
    CountAll,
    /// The number of distinct values.
    NUnique {
        /// Whether null is one of them.
        with_nulls: bool,
    },
    /// One element by its number.
    Nth {
        /// From 0 on; negative numbers count from the end, −1 is the last.
        n: i64,
        /// Whether nulls are counted.
        with_nulls: bool,
    },
    /// The element so many rows behind the row; null where the window does not have it.
    Lead(usize),
    /// The element so many rows before the row; null where the window does not have it.
    Lag(usize),
    /// The number of the row in its window, from 1 on; null where it is not in it.
    RowNumber,
    /// All elements.
    CollectList {
        /// Whether nulls are among them.
        with_nulls: bool,
    },
    /// The distinct elements, in the order of their first rows.
    CollectSet {
        /// Whether nulls are among them.
        with_nulls: bool,
        /// Whether nulls are equal.
        nulls: NullEquality,
        /// Whether NaN are equal.
        nans: NanEquality,
    },
}

impl WindowFunction {
    /// The type of the results for values of type `of`.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType), naming the function and the type, where there is
    /// none.
    pub fn result_type(self, of: DataType) -> Result<DataType> {
        let refuse = || Err(Error::data_type(format!("window function {self:?} does not take {of}")));
        Ok(match self {
            Self::Sum => return Aggregation::Sum.result_type(of).or_else(|_| refuse()),
            Self::Mean => return Aggregation::Mean.result_type(of).or_else(|_| refuse()),
            Self::Var { .. }
            | Self::Std { .. }
            | Self::Skewness
            | Self::Kurtosis
            | Self::Quantile { .. }
            | Self::Rank { .. } => {
                if !of.is_numeric() {
                    return refuse();
                }
                DataType::Float64
            }
            Self::Min | Self::Max if rows::is_ordered(of) => of,
            Self::ArgMin | Self::ArgMax | Self::NUnique { .. } if rows::is_ordered(of) => DataType::Int64,
            Self::CollectSet { .. } if rows::is_ordered(of) && of != DataType::Struct => DataType::List,
            Self::Min
            | Self::Max
            | Self::ArgMin
            | Self::ArgMax
            | Self::NUnique { .. }
            | Self::CollectSet { .. } => return refuse(),
            Self::CountValid | Self::CountAll | Self::RowNumber => DataType::Int64,
            Self::Nth { .. } | Self::Lead(_) | Self::Lag(_) => of,
            Self::CollectList { .. } => DataType::List,
        })
    }

    /// Whether `min_periods` is a number of rows, not of values.
    pub(super) fn counts_rows(self) -> bool {
        matches!(
            self,
            Self::CountValid
                | Self::CountAll
                | Self::RowNumber
                | Self::Nth { .. }
                | Self::Lead(_)
                | Self::Lag(_)
                | Self::CollectList { .. }
                | Self::CollectSet { .. }
        )
    }
}
