//! Windows of expressions: `rolling`, `expanding` and `ewm`.

use std::fmt;

use cuprum_column::{Column, Error, Result};
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::sorting::{Order, RankMethod};

use super::evaluate::Evaluated;
use super::rows::method_name;
use super::{Exact, Expr};
use crate::series::Series;
use crate::types::{Closed, TypedColumn};
use crate::window::{
    EwmOptions, Exponential, ExponentialStatistic, Rolling, WindowOptions, WindowSize, WindowStatistic,
};

/// A statistic of the rows around each row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WindowFunction {
    Rolling(Shape, Exact<WindowStatistic>),
    Exponential(Exact<EwmOptions>, ExponentialStatistic),
}

/// [`WindowOptions`] without the times, which stand beside the function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    size: Size,
    min_periods: Option<usize>,
    center: bool,
    closed: Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Size {
    Rows(usize),
    Span {
        nanoseconds: i64,
    },
    Expanding,
    /// Of the bounds of a column: none for expressions.
    Bounds,
}

impl Shape {
    /// The windows, of the times beside the function.
    pub(super) fn options(&self, times: Option<TypedColumn>) -> Result<WindowOptions> {
        let size = match (self.size, times) {
            (Size::Rows(rows), None) => WindowSize::Rows(rows),
            (Size::Expanding, None) => WindowSize::Expanding,
            (Size::Span { nanoseconds }, Some(times)) => WindowSize::Span { times, nanoseconds },
            (Size::Bounds, _) => {
                return Err(Error::unsupported(
                    "`size` of windows of an expression is Bounds: use Series::rolling, which has them",
                ));
            }
            (size, times) => {
                return Err(Error::logic(format!("windows of {size:?}, times: {}", times.is_some())));
            }
        };
        Ok(WindowOptions { size, min_periods: self.min_periods, center: self.center, closed: self.closed })
    }
}

impl WindowFunction {
    /// The statistic of all rows of a series.
    pub(super) fn call(&self, series: &Series, beside: &[Evaluated]) -> Result<Series> {
        self.of(series, times(beside, series.len())?, None)
    }

    /// The same in groups, where `groups` has the number of each row's and rows of a group are neighbours. Weights
    /// have no groups: they begin with the first row.
    pub(super) fn of(
        &self,
        series: &Series,
        times: Option<TypedColumn>,
        groups: Option<&Column>,
    ) -> Result<Series> {
        match self {
            Self::Rolling(shape, statistic) => {
                let options = shape.options(times)?;
                match groups {
                    Some(groups) => Rolling::in_groups(series.clone(), &options, groups)?,
                    None => Rolling::new(series.clone(), &options)?,
                }
                .statistic(statistic.0)
            }
            Self::Exponential(weights, statistic) => {
                Exponential::new(series.clone(), weights.0).statistic(*statistic)
            }
        }
    }
}

/// The times beside a window, in rows.
pub(super) fn times(beside: &[Evaluated], rows: usize) -> Result<Option<TypedColumn>> {
    beside.first().map(|times| times.clone().into_column(rows)).transpose()
}

/// As methods of pandas, with the arguments that are not its defaults.
impl fmt::Display for WindowFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rolling(Shape { size, min_periods, center, closed }, statistic) => {
                let mut given = vec![];
                let name = match size {
                    Size::Rows(rows) => {
                        given.push(rows.to_string());
                        "rolling"
                    }
                    Size::Span { nanoseconds } => {
                        given.push(format!("\"{nanoseconds}ns\""));
                        "rolling"
                    }
                    Size::Bounds => "rolling",
                    Size::Expanding => "expanding",
                };
                given.extend(min_periods.map(|least| format!("min_periods={least}")));
                if *center {
                    given.push("center=True".into());
                }
                if *closed != Closed::default() {
                    given.push(format!("closed={:?}", format!("{closed:?}").to_lowercase()));
                }
                write!(f, "{name}({}).{}", given.join(", "), statistic_name(statistic.0))
            }
            Self::Exponential(weights, statistic) => {
                let EwmOptions { center_of_mass, adjust, ignore_missing, min_periods } = weights.0;
                let mut given = vec![format!("com={center_of_mass}")];
                if min_periods > 0 {
                    given.push(format!("min_periods={min_periods}"));
                }
                if !adjust {
                    given.push("adjust=False".into());
                }
                if ignore_missing {
                    given.push("ignore_na=True".into());
                }
                let statistic = match statistic {
                    ExponentialStatistic::Mean => "mean()",
                    ExponentialStatistic::Sum => "sum()",
                    ExponentialStatistic::Var { bias: false } => "var()",
                    ExponentialStatistic::Var { bias: true } => "var(bias=True)",
                    ExponentialStatistic::Std { bias: false } => "std()",
                    ExponentialStatistic::Std { bias: true } => "std(bias=True)",
                };
                write!(f, "ewm({}).{statistic}", given.join(", "))
            }
        }
    }
}

fn statistic_name(statistic: WindowStatistic) -> String {
    let spread = |name: &str, ddof: i64| match ddof {
        1 => format!("{name}()"),
        ddof => format!("{name}(ddof={ddof})"),
    };
    match statistic {
        WindowStatistic::Var { ddof } => spread("var", ddof),
        WindowStatistic::Std { ddof } => spread("std", ddof),
        WindowStatistic::Sem { ddof } => spread("sem", ddof),
        WindowStatistic::Quantile { q: 0.5, interpolation: Interpolation::Linear } => "median()".into(),
        WindowStatistic::Quantile { q, interpolation } => {
            format!("quantile({q}, {:?})", format!("{interpolation:?}").to_lowercase())
        }
        WindowStatistic::Rank { method, order, percentage } => {
            let (ascending, pct) = (order == Order::Ascending, if percentage { ", pct=True" } else { "" });
            let ascending = if ascending { "" } else { ", ascending=False" };
            format!("rank({:?}{ascending}{pct})", method_name(method))
        }
        other => format!("{other:?}()").to_lowercase(),
    }
}

/// Windows of the rows of an expression: what [`Expr::rolling`] and [`Expr::expanding`] give.
///
/// Statistics are those of [`window`](crate::window): `float64`, of values that are neither missing nor infinite;
/// missing where a window has fewer of them than it needs. Evaluating one fails as
/// [`Windows::new`](crate::window::Windows::new) and [`Rolling::statistic`].
#[derive(Clone, Debug)]
pub struct RollingExpr {
    values: Expr,
    shape: Shape,
    times: Option<Expr>,
}

/// Weights of the rows of an expression that fade: what [`Expr::ewm`] gives.
///
/// Statistics are those of [`Exponential`], `float64`.
#[derive(Clone, Debug)]
pub struct ExponentialExpr {
    values: Expr,
    weights: EwmOptions,
}

impl Expr {
    /// Windows of the rows: of so many, or of what [`WindowOptions`] say, whose times are an expression.
    /// [`over`](Expr::over) keeps windows within groups. Windows of `Bounds` are refused.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::window::{WindowOptions, WindowSize};
    ///
    /// let frame = df! { "day" => ["a", "a", "b", "a"], "sold" => [1i64, 2, 3, 4] }?;
    /// let sums = frame.evaluate(&col("sold").rolling(2).sum().over(["day"]))?;
    /// assert_eq!(sums.get(3)?, Scalar::from(6.0));
    /// let one = WindowOptions { min_periods: Some(1), ..2.into() };
    /// assert_eq!(frame.evaluate(&col("sold").rolling(one).sum())?.count()?, 4);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn rolling(&self, options: impl Into<WindowOptions<Self>>) -> RollingExpr {
        let WindowOptions { size, min_periods, center, closed } = options.into();
        let (size, times) = match size {
            WindowSize::Rows(rows) => (Size::Rows(rows), None),
            WindowSize::Span { times, nanoseconds } => (Size::Span { nanoseconds }, Some(times)),
            WindowSize::Expanding => (Size::Expanding, None),
            WindowSize::Bounds { .. } => (Size::Bounds, None),
        };
        RollingExpr { values: self.clone(), shape: Shape { size, min_periods, center, closed }, times }
    }

    /// Windows of all rows so far, with a result where they have `min_periods` values.
    pub fn expanding(&self, min_periods: usize) -> RollingExpr {
        self.rolling(WindowOptions { min_periods: Some(min_periods), ..WindowSize::Expanding.into() })
    }

    /// All rows so far with weights that fade. Within groups weights begin anew with each, one after the other.
    pub fn ewm(&self, weights: EwmOptions) -> ExponentialExpr {
        ExponentialExpr { values: self.clone(), weights }
    }
}

macro_rules! statistics {
    ($($(#[$doc:meta])* $method:ident $statistic:expr;)*) => {
        impl RollingExpr {$(
            $(#[$doc])*
            pub fn $method(&self) -> Expr {
                self.statistic($statistic)
            }
        )*}
    };
}

statistics! {
    /// The number of values, of expressions of any type; missing in windows of fewer rows than `min_periods`.
    count WindowStatistic::Count;
    /// Their sum.
    sum WindowStatistic::Sum;
    /// Their mean.
    mean WindowStatistic::Mean;
    /// The smallest.
    min WindowStatistic::Min;
    /// The largest.
    max WindowStatistic::Max;
    /// The middle one, or the mean of the two in the middle.
    median WindowStatistic::Quantile { q: 0.5, interpolation: Interpolation::Linear };
    /// Their sample variance.
    var WindowStatistic::Var { ddof: 1 };
    /// Their sample standard deviation.
    std WindowStatistic::Std { ddof: 1 };
    /// The standard error of their mean.
    sem WindowStatistic::Sem { ddof: 1 };
    /// Their skewness.
    skew WindowStatistic::Skew;
    /// The excess of their kurtosis.
    kurt WindowStatistic::Kurt;
    /// The first.
    first WindowStatistic::First;
    /// The last.
    last WindowStatistic::Last;
    /// The number of different ones.
    nunique WindowStatistic::NUnique;
}

impl RollingExpr {
    /// A statistic of each row's window.
    pub fn statistic(&self, statistic: WindowStatistic) -> Expr {
        let function = WindowFunction::Rolling(self.shape.clone(), Exact(statistic));
        self.values.window(function, self.times.as_ref())
    }

    /// The value at a share of their order, and what lies between two values.
    pub fn quantile(&self, q: f64, interpolation: Interpolation) -> Expr {
        self.statistic(WindowStatistic::Quantile { q, interpolation })
    }

    /// The place of the window's last value among them, from 1 on, or as a share; equal values have the rank of
    /// `method`, which is `Average`, `Min` or `Max`.
    pub fn rank(&self, method: RankMethod, order: Order, percentage: bool) -> Expr {
        self.statistic(WindowStatistic::Rank { method, order, percentage })
    }
}

impl ExponentialExpr {
    /// A statistic of the weighted values so far.
    pub fn statistic(&self, statistic: ExponentialStatistic) -> Expr {
        self.values.window(WindowFunction::Exponential(Exact(self.weights), statistic), None)
    }

    /// Their mean.
    pub fn mean(&self) -> Expr {
        self.statistic(ExponentialStatistic::Mean)
    }

    /// Their sum.
    pub fn sum(&self) -> Expr {
        self.statistic(ExponentialStatistic::Sum)
    }

    /// Their variance, corrected for the weights.
    pub fn var(&self) -> Expr {
        self.statistic(ExponentialStatistic::Var { bias: false })
    }

    /// Their standard deviation, corrected for the weights.
    pub fn std(&self) -> Expr {
        self.statistic(ExponentialStatistic::Std { bias: false })
    }
}
