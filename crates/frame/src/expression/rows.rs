//! Functions of rows that look at other rows: of the frame, or [of their group](Expr::over).

use std::fmt;

use cuprum_column::{Result, Scalar};
use cuprum_compute::reduce::CumulativeOp;
use cuprum_compute::sorting::{RankMethod, RankOptions};
use cuprum_compute::stream_compaction::distinct::Keep;

use super::evaluate::Evaluated;
use super::windows::WindowFunction;
use super::{Exact, Expr, Function};
use crate::frame::{Frame, IndexedFrame};
use crate::operations::fill::{FillArea, NeighbourFill};
use crate::series::Series;

/// A function whose value in a row depends on other rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RowFunction {
    /// The value so many rows before, and what stands where there is none.
    Shift(i64, Option<Exact<Scalar>>),
    Diff(i64),
    PctChange(i64),
    /// Of all rows so far.
    Cumulative(CumulativeOp),
    Rank(RankOptions),
    Fill(NeighbourFill),
    Duplicated(Keep),
    /// Of the rows around each row.
    Window(WindowFunction),
}

impl RowFunction {
    /// The function of all rows of a series.
    pub(super) fn call(&self, series: &Series, beside: &[Evaluated]) -> Result<Series> {
        match self {
            Self::Shift(periods, None) => series.shift(*periods),
            Self::Shift(periods, Some(fill)) => series.shift_filled(*periods, &fill.0),
            Self::Diff(periods) => series.diff(*periods),
            Self::PctChange(periods) => series.pct_change(*periods),
            Self::Cumulative(op) => series.cumulative(*op),
            Self::Rank(options) => series.rank(*options),
            Self::Fill(fill) => series.fill_from_neighbours(*fill),
            Self::Duplicated(keep) => series.duplicated(*keep),
            Self::Window(function) => function.call(series, beside),
        }
    }
}

/// As a method of pandas, with the arguments that are not its defaults.
impl fmt::Display for RowFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shift(periods, None) => write!(f, "shift({periods})"),
            Self::Shift(periods, Some(fill)) => write!(f, "shift({periods}, fill_value={})", fill.0),
            Self::Diff(periods) => write!(f, "diff({periods})"),
            Self::PctChange(periods) => write!(f, "pct_change({periods})"),
            Self::Cumulative(op) => write!(f, "{op}()"),
            Self::Rank(RankOptions { method, ascending, missing, pct }) => {
                let defaults = RankOptions::default();
                let mut given = vec![];
                if *method != defaults.method {
                    given.push(format!("method={:?}", method_name(*method)));
                }
                if !ascending {
                    given.push("ascending=False".into());
                }
                if *missing != defaults.missing {
                    given.push(format!("na_option={:?}", format!("{missing:?}").to_lowercase()));
                }
                if *pct {
                    given.push("pct=True".into());
                }
                write!(f, "rank({})", given.join(", "))
            }
            Self::Fill(NeighbourFill { direction, limit, area }) => {
                let name = match direction {
                    crate::operations::FillDirection::Forward => "ffill",
                    crate::operations::FillDirection::Backward => "bfill",
                };
                let mut given: Vec<String> = limit.iter().map(|limit| format!("limit={limit}")).collect();
                if *area != FillArea::Anywhere {
                    given.push(format!("limit_area={:?}", format!("{area:?}").to_lowercase()));
                }
                write!(f, "{name}({})", given.join(", "))
            }
            Self::Duplicated(Keep::First) => f.write_str("duplicated()"),
            Self::Duplicated(keep) => write!(f, "duplicated(keep={:?})", format!("{keep:?}").to_lowercase()),
            Self::Window(function) => write!(f, "{function}"),
        }
    }
}

/// As pandas calls it.
pub(super) fn method_name(method: RankMethod) -> String {
    format!("{method:?}").to_lowercase()
}

/// Functions that look at other rows. The rows keep their order; [`over`](Expr::over) keeps the functions within groups.
impl Expr {
    fn of_rows(&self, function: RowFunction) -> Self {
        self.call(Function::Rows(function))
    }

    /// The value `periods` rows before (after, for negative), missing where there is none.
    pub fn shift(&self, periods: i64) -> Self {
        self.of_rows(RowFunction::Shift(periods, None))
    }

    /// [`shift`](Self::shift) with a value where there was none, in a type that holds both; where no row is emptied the
    /// type stays.
    pub fn shift_filled(&self, periods: i64, fill: impl Into<Scalar>) -> Self {
        self.of_rows(RowFunction::Shift(periods, Some(Exact(fill.into()))))
    }

    /// The difference to the value `periods` rows before, missing where there is none or either is missing. Times give
    /// durations, integers `int64` (`uint64` `float64`); texts are refused.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// let frame = df! { "car" => ["a", "b", "a"], "km" => [10i64, 70, 25] }?;
    /// let driven = frame.evaluate(&col("km").diff(1).over(["car"]))?;
    /// assert_eq!(driven.get(2)?, Scalar::from(15i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn diff(&self, periods: i64) -> Self {
        self.of_rows(RowFunction::Diff(periods))
    }

    /// The difference to the value `periods` rows before, as a share of that.
    pub fn pct_change(&self, periods: i64) -> Self {
        self.of_rows(RowFunction::PctChange(periods))
    }

    /// A running sum, product, minimum or maximum of the rows so far; missing values stay missing and are skipped.
    pub fn cumulative(&self, op: CumulativeOp) -> Self {
        self.of_rows(RowFunction::Cumulative(op))
    }

    /// The sum of the rows so far; see [`cumulative`](Self::cumulative).
    pub fn cumsum(&self) -> Self {
        self.cumulative(CumulativeOp::Sum)
    }

    /// The product of the rows so far; see [`cumulative`](Self::cumulative).
    pub fn cumprod(&self) -> Self {
        self.cumulative(CumulativeOp::Product)
    }

    /// The smallest of the rows so far; see [`cumulative`](Self::cumulative).
    pub fn cummin(&self) -> Self {
        self.cumulative(CumulativeOp::Min)
    }

    /// The largest of the rows so far; see [`cumulative`](Self::cumulative).
    pub fn cummax(&self) -> Self {
        self.cumulative(CumulativeOp::Max)
    }

    /// The place of the value in the order of all, from 1 on, `float64`; [`RankOptions`] say which rank equal and
    /// missing values have. Categories are in their order; within groups those without one are refused.
    pub fn rank(&self, options: RankOptions) -> Self {
        self.of_rows(RowFunction::Rank(options))
    }

    /// Missing values replaced by the nearest value before or after them, as far as `fill` says: pandas' `ffill` and
    /// `bfill`.
    ///
    /// Evaluating it fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a limit of 0, and
    /// with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for an area within groups.
    pub fn fill_from_neighbours(&self, fill: impl Into<NeighbourFill>) -> Self {
        self.of_rows(RowFunction::Fill(fill.into()))
    }

    /// Whether the value repeats one that `keep` keeps; missing ones are equal.
    pub fn duplicated(&self, keep: Keep) -> Self {
        self.of_rows(RowFunction::Duplicated(keep))
    }

    pub(super) fn window(&self, function: WindowFunction, times: Option<&Self>) -> Self {
        let beside: Vec<Self> = times.into_iter().cloned().collect();
        self.call_beside(Function::Rows(RowFunction::Window(function)), beside)
    }
}
