//! [`Rolling`]: statistics of windows of rows.

use cuprum_column::{Column, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::copy_if_else;
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::replace;
use cuprum_compute::rolling::{PairFunction, WindowFunction, rolling_pairs, rolling_window};
use cuprum_compute::sorting::{Order, RankMethod};
use cuprum_compute::unary::{UnaryOperator, cast, unary_operation};

use super::bounds::{WindowOptions, Windows};
use super::numbers;
use super::pairs::pairwise;
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::series::Series;
use crate::types::TypedColumn;

/// Statistics of the values of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowStatistic {
    /// The number of values, of columns of any type; missing in windows of fewer rows than `min_periods`.
    Count,
    /// Their sum, 0 of none.
    Sum,
    /// Their mean.
    Mean,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// Their variance.
    Var {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// Their standard deviation.
    Std {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// The standard error of their mean.
    Sem {
        /// Delta degrees of freedom.
        ddof: i64,
    },
    /// Their skewness without bias, of three values or more that are not all equal.
    Skew,
    /// The excess of their kurtosis without bias, of four values or more that are not all equal.
    Kurt,
    /// The first.
    First,
    /// The last.
    Last,
    /// The number of distinct values.
    NUnique,
    /// The value at a fraction of their order.
    Quantile {
        /// From 0 to 1.
        q: f64,
        /// The value between two values.
        interpolation: Interpolation,
    },
    /// The place of the window's last element among them, from 1 on.
    Rank {
        /// Of equal values: `Average`, `Min` or `Max`.
        method: RankMethod,
        /// Whether the smallest value is the first.
        order: Order,
        /// Whether places are divided by the number of values.
        percentage: bool,
    },
}

impl WindowStatistic {
    fn function(self) -> WindowFunction {
        match self {
            Self::Count => WindowFunction::CountValid,
            Self::Sum => WindowFunction::Sum,
            Self::Mean => WindowFunction::Mean,
            Self::Min => WindowFunction::Min,
            Self::Max => WindowFunction::Max,
            Self::Var { ddof } => WindowFunction::Var { ddof },
            Self::Std { ddof } | Self::Sem { ddof } => WindowFunction::Std { ddof },
            Self::Skew => WindowFunction::Skewness,
            Self::Kurt => WindowFunction::Kurtosis,
            Self::First => WindowFunction::Nth { n: 0, with_nulls: false },
            Self::Last => WindowFunction::Nth { n: -1, with_nulls: false },
            Self::NUnique => WindowFunction::NUnique { with_nulls: false },
            Self::Quantile { q, interpolation } => WindowFunction::Quantile { q, interpolation },
            Self::Rank { method, order, percentage } => WindowFunction::Rank { method, order, percentage },
        }
    }
}

/// A frame or series and the windows of its rows.
///
/// ```
/// use cuprum::prelude::*;
/// use cuprum::window::WindowStatistic;
///
/// # fn main() -> cuprum::Result<()> {
/// let s = Series::from(vec![Some(1.0), None, Some(4.0), Some(2.0)]);
/// let means = s.rolling(&2.into())?.statistic(WindowStatistic::Sum)?;
/// assert_eq!(means.count()?, 1);
/// assert_eq!(means.get(3)?, Scalar::from(6.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Rolling<F> {
    frame: F,
    windows: Windows,
}

macro_rules! rolling {
    ($($frame:ident)*) => {$(
        impl $frame {
            /// Windows of rows; fails as [`Windows::new`].
            pub fn rolling(&self, options: &WindowOptions) -> Result<Rolling<Self>> {
                Rolling::new(self.clone(), options)
            }
        }
    )*};
}

rolling! { Series DataFrame }

impl<F: IndexedFrame> Rolling<F> {
    /// The windows of a frame's rows; fails as [`Windows::new`].
    pub fn new(frame: F, options: &WindowOptions) -> Result<Self> {
        let windows = Windows::new(frame.num_rows(), options, None, &frame.context()?)?;
        Ok(Self { frame, windows })
    }

    /// The same windows of the rows of another frame.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of rows.
    pub fn of<G: IndexedFrame>(&self, frame: G) -> Result<Rolling<G>> {
        if frame.num_rows() != self.frame.num_rows() {
            return Err(Error::invalid_argument(format!(
                "windows of {} rows of a frame of {}",
                self.frame.num_rows(),
                frame.num_rows()
            )));
        }
        Ok(Rolling { frame, windows: self.windows.clone() })
    }

    /// The same within groups, where `groups` has the number of each row's and rows of a group are neighbours.
    pub fn in_groups(frame: F, options: &WindowOptions, groups: &Column) -> Result<Self> {
        let windows = Windows::new(frame.num_rows(), options, Some(groups), &frame.context()?)?;
        Ok(Self { frame, windows })
    }

    /// The frame.
    pub fn frame(&self) -> &F {
        &self.frame
    }

    /// The windows.
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// A value for every element from its window, `float64`: missing where the window has fewer values than
    /// `min_periods`, or none where that needs one.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are no numbers, but for counts,
    /// and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a fraction outside of 0 to 1.
    pub fn statistic(&self, statistic: WindowStatistic) -> Result<F> {
        let columns = self.frame.columns().iter().enumerate().map(|(at, column)| {
            let result = TypedColumn::computed(self.of_column(column, statistic));
            result.map_err(|e| match self.frame.label(at) {
                Some(label) => e.context(format!("column '{label}'")),
                None => e,
            })
        });
        self.frame.replace_columns(columns.collect::<Result<_>>()?)
    }

    fn of_column(&self, column: &TypedColumn, statistic: WindowStatistic) -> Result<Column> {
        let ctx = column.context()?;
        let least = self.windows.min_periods;
        let of = |data: &Column, least, function| {
            let (preceding, following) = (&self.windows.preceding, &self.windows.following);
            rolling_window(data, preceding, following, least, function, &ctx)
        };
        let counts = |least| {
            let counts = of(&present(column)?, least, WindowFunction::Sum)?;
            cast(&counts, DataType::Float64, &ctx)
        };
        if statistic == WindowStatistic::Count {
            return counts(least);
        }
        let data = numbers(column, "a window function")?;
        match statistic {
            WindowStatistic::First | WindowStatistic::Last => {
                // Those by number ask for as many rows, not values.
                let found = of(&data, 0, statistic.function())?;
                let enough = of(&data, 0, WindowFunction::CountValid)?;
                let least = Scalar::from(i64::try_from(least).unwrap_or(i64::MAX));
                let enough = binary_operation(&enough, &least, BinaryOperator::GreaterEqual, &ctx)?;
                copy_if_else(&found, &Scalar::null(DataType::Float64), &enough, &ctx)
            }
            WindowStatistic::Sem { .. } => {
                let spread = of(&data, least, statistic.function())?;
                let root = unary_operation(&counts(least)?, UnaryOperator::Sqrt, &ctx)?;
                binary_operation(&spread, &root, BinaryOperator::TrueDiv, &ctx)
            }
            _ => cast(&of(&data, least, statistic.function())?, DataType::Float64, &ctx),
        }
    }

    fn pair(&self, left: &TypedColumn, right: &TypedColumn, function: PairFunction) -> Result<TypedColumn> {
        let ctx = left.context()?;
        let (x, y) = (numbers(left, "a window function")?, numbers(right, "a window function")?);
        let Windows { preceding, following, min_periods } = &self.windows;
        let of_pairs = rolling_pairs(&x, &y, preceding, following, *min_periods, function, &ctx);
        TypedColumn::computed(of_pairs)
    }

    /// The statistic of every column and `other`, which has as many rows, in the windows; `float64`, missing
    /// where these have fewer pairs than `min_periods` or too few.
    pub fn beside(&self, other: &Series, function: PairFunction) -> Result<F> {
        self.frame.map_columns(|column| self.pair(column, other.column(), function))
    }
}

impl Rolling<DataFrame> {
    /// The statistic of every two columns in the windows: for each row as many rows as columns, whose labels
    /// are the last level of those of rows.
    pub fn pairwise(&self, function: PairFunction) -> Result<DataFrame> {
        pairwise(&self.frame, |left, right| self.pair(left, right, function))
    }
}

/// 1 where an element is not missing, else 0.
fn present(column: &TypedColumn) -> Result<Column> {
    let ctx = column.context()?;
    let present = unary_operation(&column.missing()?, UnaryOperator::Not, &ctx)?;
    replace::replace_nulls(&cast(&present, DataType::Int64, &ctx)?, &Scalar::from(0i64), false, &ctx)
}
