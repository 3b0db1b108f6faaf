//! [`Exponential`]: statistics of all rows so far, whose weights fade.

use cuprum_column::{Column, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::copy_if_else;
use cuprum_compute::ewm::{self, EwmOptions};
use cuprum_compute::unary::{UnaryOperator, is_valid, unary_operation};

use super::numbers;
use super::pairs::pairwise;
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::series::Series;
use crate::types::TypedColumn;

/// Statistics of weighted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExponentialStatistic {
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
    /// Their variance.
    Var {
        /// Whether the divisor is not corrected for the weights.
        bias: bool,
    },
    /// Their standard deviation.
    Std {
        /// Whether the divisor is not corrected for the weights.
        bias: bool,
    },
}

/// Statistics of the weighted values of two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WeightedPair {
    /// Their covariance.
    Covariance {
        /// Whether the divisor is not corrected for the weights.
        bias: bool,
    },
    /// Their correlation.
    Correlation,
}

/// A frame or series whose rows are weighted, the more the nearer they are.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::window::{EwmOptions, Exponential, ExponentialStatistic};
///
/// # fn main() -> cuprum::Result<()> {
/// let s = Series::from(vec![Some(1.0), Some(4.0)]);
/// let weights = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
/// let means = Exponential::new(s, weights).statistic(ExponentialStatistic::Mean)?;
/// assert_eq!(means.get(1)?, Scalar::from(3.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Exponential<F> {
    frame: F,
    weights: EwmOptions,
}

impl<F: IndexedFrame> Exponential<F> {
    /// A frame with weights.
    pub fn new(frame: F, weights: EwmOptions) -> Self {
        Self { frame, weights }
    }

    /// A value for every element, `float64`; see [`ewm::mean`], [`ewm::sum`] and [`ewm::covariance`] for missing
    /// elements and errors. Columns are numbers.
    pub fn statistic(&self, statistic: ExponentialStatistic) -> Result<F> {
        self.frame.map_columns(|column| {
            let ctx = column.context()?;
            let (data, weights) = (numbers(column, "an exponentially weighted window")?, self.weights);
            TypedColumn::computed(match statistic {
                ExponentialStatistic::Mean => ewm::mean(&data, weights, &ctx),
                ExponentialStatistic::Sum => ewm::sum(&data, weights, &ctx),
                ExponentialStatistic::Var { bias } => ewm::covariance(&data, &data, weights, bias, &ctx),
                ExponentialStatistic::Std { bias } => {
                    let variances = ewm::covariance(&data, &data, weights, bias, &ctx)?;
                    unary_operation(&variances, UnaryOperator::Sqrt, &ctx)
                }
            })
        })
    }

    /// The mean for every element of rows at times, `float64`; see [`ewm::mean_at`] for `times`, of whose unit `half_life`
    /// is, and errors. Columns are numbers.
    pub fn mean_at(&self, times: &Column, half_life: f64) -> Result<F> {
        self.frame.map_columns(|column| {
            let ctx = column.context()?;
            let data = numbers(column, "an exponentially weighted window")?;
            let times = times.placed(&ctx)?;
            TypedColumn::computed(ewm::mean_at(&data, &times, half_life, self.weights, &ctx))
        })
    }

    fn pair(&self, left: &TypedColumn, right: &TypedColumn, what: WeightedPair) -> Result<TypedColumn> {
        let ctx = left.context()?;
        let (x, y) = (numbers(left, "a weighted window")?, numbers(right, "a weighted window")?);
        let covariance = |x: &Column, y: &Column, bias| ewm::covariance(x, y, self.weights, bias, &ctx);
        let WeightedPair::Covariance { bias } = what else {
            // Both columns are missing where one is.
            let (x, y) = (only_beside(&x, &y)?, only_beside(&y, &x)?);
            let product = binary_operation(
                &covariance(&x, &x, true)?,
                &covariance(&y, &y, true)?,
                BinaryOperator::Mul,
                &ctx,
            )?;
            let scale = unary_operation(&product, UnaryOperator::Sqrt, &ctx)?;
            let of_pairs =
                binary_operation(&covariance(&x, &y, true)?, &scale, BinaryOperator::TrueDiv, &ctx);
            return TypedColumn::computed(of_pairs);
        };
        TypedColumn::computed(covariance(&x, &y, bias))
    }

    /// The statistic of every column and `other`, which has as many rows; `float64`.
    pub fn beside(&self, other: &Series, function: WeightedPair) -> Result<F> {
        self.frame.map_columns(|column| self.pair(column, other.column(), function))
    }
}

impl Exponential<DataFrame> {
    /// The statistic of every two columns: for each row as many rows as columns, whose labels are the last
    /// level of those of rows.
    pub fn pairwise(&self, function: WeightedPair) -> Result<DataFrame> {
        pairwise(&self.frame, |left, right| self.pair(left, right, function))
    }
}

/// A column without the values in whose rows another has none.
fn only_beside(column: &Column, other: &Column) -> Result<Column> {
    let ctx = column.context()?;
    let there = is_valid(other, &ctx)?;
    let nothing = Scalar::null(column.data_type());
    copy_if_else(column, &nothing, &there, &ctx)
}
