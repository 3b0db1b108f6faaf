//! `_cuprum.Rolling` and `_cuprum.Exponential`: statistics of the rows around each row.

use cuprum::tools::frequency::Frequency;
use cuprum::windows::{
    EwmOptions, Exponential, ExponentialStatistic, Extent, PairFunction, Rolling, WeightedPair,
    WindowOptions, WindowSize, WindowStatistic,
};
use cuprum::{DataFrame, Series};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::{names, work_beside};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;

/// A frame or a series.
#[derive(FromPyObject)]
enum Either<'py> {
    Frame(PyRef<'py, PyDataFrame>),
    Series(PyRef<'py, PySeries>),
}

/// Which rows windows have: `("rows", size)`, `("span", (times, length))`, `("expanding", None)` or
/// `("bounds", (starts, ends))`.
fn window_size(what: &str, size: &Bound<'_, PyAny>) -> PyResult<WindowSize> {
    Ok(match what {
        "rows" => WindowSize::Rows(size.extract()?),
        "expanding" => WindowSize::Expanding,
        "span" => {
            let (times, length): (PyRef<'_, PyColumn>, Bound<'_, PyAny>) = size.extract()?;
            WindowSize::Span { times: times.typed()?, nanoseconds: nanoseconds(&length)? }
        }
        _ => {
            let (starts, ends): (PyRef<'_, PyColumn>, PyRef<'_, PyColumn>) = size.extract()?;
            let data = |column: PyRef<'_, PyColumn>| column.typed()?.data().cloned().py();
            WindowSize::Bounds { starts: data(starts)?, ends: data(ends)? }
        }
    })
}

/// How many nanoseconds a window has: as a number, or a frequency.
fn nanoseconds(length: &Bound<'_, PyAny>) -> PyResult<i64> {
    let refused = || {
        PyValueError::new_err(format!("passed window {length} is not compatible with a datetimelike index"))
    };
    let nanoseconds = match length.extract::<i64>() {
        Ok(nanoseconds) => Some(nanoseconds),
        Err(_) => match length.extract::<&str>()?.parse() {
            Ok(Frequency::Ticks(nanoseconds)) => Some(nanoseconds),
            Ok(Frequency::Days(days)) => days.checked_mul(86_400_000_000_000),
            _ => None,
        },
    };
    nanoseconds.filter(|&nanoseconds| nanoseconds > 0).ok_or_else(refused)
}

fn pair_function(name: &str, ddof: i64) -> PairFunction {
    if name == "corr" { PairFunction::Correlation } else { PairFunction::Covariance { ddof } }
}

enum Windowed {
    Frame(Rolling<DataFrame>),
    Series(Rolling<Series>),
}

/// A frame or series and the windows of its rows.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Rolling")]
pub struct PyRolling(Windowed);

#[pymethods]
impl PyRolling {
    /// The windows of the rows of `frame`; those of a group stay in it, where `groups` has the number of each row's.
    #[new]
    #[pyo3(signature = (frame, what, size, min_periods, center, closed, groups=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        frame: Either<'_>,
        what: &str,
        size: &Bound<'_, PyAny>,
        min_periods: Option<usize>,
        center: bool,
        closed: &str,
        groups: Option<PyRef<'_, PyColumn>>,
    ) -> PyResult<Self> {
        let (size, closed) = (window_size(what, size)?, closed.parse().py()?);
        let options = WindowOptions { size, min_periods, center, closed };
        let groups = groups.map(|groups| groups.typed()?.data().cloned().py()).transpose()?;
        let groups = groups.as_ref();
        macro_rules! rolling {
            ($frame:expr) => {{
                let frame = $frame.clone();
                work_beside(py, "rolling", $frame, || match groups {
                    Some(groups) => Rolling::in_groups(frame, &options, groups),
                    None => Rolling::new(frame, &options),
                })?
            }};
        }
        Ok(Self(match &frame {
            Either::Frame(frame) => Windowed::Frame(rolling!(&frame.0)),
            Either::Series(series) => Windowed::Series(rolling!(&series.0)),
        }))
    }

    /// A value for every element from its window. `how` is the method of ranks or between values, `parameter` the
    /// degrees of freedom or the fraction.
    #[pyo3(signature = (name, parameter=None, how=None, ascending=true, percentage=false))]
    fn statistic<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        parameter: Option<f64>,
        how: Option<&str>,
        ascending: bool,
        percentage: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        #[allow(clippy::cast_possible_truncation)] // degrees of freedom are small integers
        let ddof = parameter.unwrap_or(1.0) as i64;
        let statistic = match name {
            "count" => WindowStatistic::Count,
            "sum" => WindowStatistic::Sum,
            "mean" => WindowStatistic::Mean,
            "min" => WindowStatistic::Min,
            "max" => WindowStatistic::Max,
            "var" => WindowStatistic::Var { ddof },
            "std" => WindowStatistic::Std { ddof },
            "sem" => WindowStatistic::Sem { ddof },
            "skew" => WindowStatistic::Skew,
            "kurt" => WindowStatistic::Kurt,
            "first" => WindowStatistic::First,
            "last" => WindowStatistic::Last,
            "nunique" => WindowStatistic::NUnique,
            "quantile" => WindowStatistic::Quantile {
                q: parameter.unwrap_or(0.5),
                interpolation: names::interpolation(how.unwrap_or("linear"))?,
            },
            "rank" => WindowStatistic::Rank {
                method: names::rank_options(how.unwrap_or("average"), true, "keep", false)?.method,
                order: names::order(ascending),
                percentage,
            },
            other => return Err(PyTypeError::new_err(format!("no window function is called '{other}'"))),
        };
        match &self.0 {
            Windowed::Frame(rolling) => {
                let result = work_beside(py, name, rolling.frame(), || rolling.statistic(statistic))?;
                Ok(Bound::new(py, PyDataFrame(result))?.into_any())
            }
            Windowed::Series(rolling) => {
                let result = work_beside(py, name, rolling.frame(), || rolling.statistic(statistic))?;
                Ok(Bound::new(py, PySeries(result))?.into_any())
            }
        }
    }

    /// `"cov"` or `"corr"` of every column and a series of as many rows.
    fn beside<'py>(
        &self,
        py: Python<'py>,
        other: PyRef<'_, PySeries>,
        name: &str,
        ddof: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (other, function) = (&other.0, pair_function(name, ddof));
        match &self.0 {
            Windowed::Frame(rolling) => {
                let result = work_beside(py, name, rolling.frame(), || rolling.beside(other, function))?;
                Ok(Bound::new(py, PyDataFrame(result))?.into_any())
            }
            Windowed::Series(rolling) => {
                let result = work_beside(py, name, rolling.frame(), || rolling.beside(other, function))?;
                Ok(Bound::new(py, PySeries(result))?.into_any())
            }
        }
    }

    /// `"cov"` or `"corr"` of every two columns.
    fn pairwise(&self, py: Python<'_>, name: &str, ddof: i64) -> PyResult<PyDataFrame> {
        let function = pair_function(name, ddof);
        match &self.0 {
            Windowed::Frame(rolling) => {
                work_beside(py, name, rolling.frame(), || rolling.pairwise(function)).map(PyDataFrame)
            }
            Windowed::Series(_) => Err(PyTypeError::new_err("a series has no pairs of columns")),
        }
    }

    /// How many rows windows have before each row, itself included, and behind it: numbers or columns; and of how
    /// many values a statistic is made at least.
    fn extents<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, usize)> {
        let windows = match &self.0 {
            Windowed::Frame(rolling) => rolling.windows(),
            Windowed::Series(rolling) => rolling.windows(),
        };
        let of = |extent: &Extent| match extent {
            Extent::All(number) => {
                let number = number.as_i64().unwrap_or(i64::MAX).into_pyobject(py)?;
                Ok::<_, PyErr>(number.into_any())
            }
            Extent::Each(numbers) => Ok(Bound::new(py, PyColumn::of(&numbers.clone().into())?)?.into_any()),
        };
        let (preceding, following, min_periods) = windows.extents();
        Ok((of(preceding)?, of(following)?, min_periods))
    }
}

enum Weighted {
    Frame(Exponential<DataFrame>),
    Series(Exponential<Series>),
}

/// A frame or series whose rows are weighted, the more the nearer they are.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Exponential")]
pub struct PyExponential(Weighted, usize);

impl PyExponential {
    fn run<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        of_frame: impl FnOnce(&Exponential<DataFrame>) -> cuprum::Result<DataFrame> + Send,
        of_series: impl FnOnce(&Exponential<Series>) -> cuprum::Result<Series> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Weighted::Frame(weighted) => {
                let result = super::work(py, operation, self.1, || of_frame(weighted))?;
                Ok(Bound::new(py, PyDataFrame(result))?.into_any())
            }
            Weighted::Series(weighted) => {
                let result = super::work(py, operation, self.1, || of_series(weighted))?;
                Ok(Bound::new(py, PySeries(result))?.into_any())
            }
        }
    }
}

fn weighted_pair(name: &str, bias: bool) -> WeightedPair {
    if name == "corr" { WeightedPair::Correlation } else { WeightedPair::Covariance { bias } }
}

#[pymethods]
impl PyExponential {
    /// The weights of the rows of `frame`.
    #[new]
    fn new(
        frame: Either<'_>,
        center_of_mass: f64,
        adjust: bool,
        ignore_missing: bool,
        min_periods: usize,
    ) -> Self {
        let weights = EwmOptions { center_of_mass, adjust, ignore_missing, min_periods };
        match &frame {
            Either::Frame(frame) => {
                let rows = cuprum::Frame::num_rows(&frame.0);
                Self(Weighted::Frame(Exponential::new(frame.0.clone(), weights)), rows)
            }
            Either::Series(series) => {
                Self(Weighted::Series(Exponential::new(series.0.clone(), weights)), series.0.len())
            }
        }
    }

    /// A value for every element: `"mean"`, `"sum"`, `"var"` or `"std"`.
    fn statistic<'py>(&self, py: Python<'py>, name: &str, bias: bool) -> PyResult<Bound<'py, PyAny>> {
        let statistic = match name {
            "mean" => ExponentialStatistic::Mean,
            "sum" => ExponentialStatistic::Sum,
            "var" => ExponentialStatistic::Var { bias },
            "std" => ExponentialStatistic::Std { bias },
            other => return Err(PyTypeError::new_err(format!("no window function is called '{other}'"))),
        };
        self.run(py, name, |frame| frame.statistic(statistic), |series| series.statistic(statistic))
    }

    /// `"cov"` or `"corr"` of every column and a series of as many rows.
    fn beside<'py>(
        &self,
        py: Python<'py>,
        other: PyRef<'_, PySeries>,
        name: &str,
        bias: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (other, function) = (&other.0, weighted_pair(name, bias));
        self.run(py, name, |frame| frame.beside(other, function), |series| series.beside(other, function))
    }

    /// `"cov"` or `"corr"` of every two columns.
    fn pairwise(&self, py: Python<'_>, name: &str, bias: bool) -> PyResult<PyDataFrame> {
        let function = weighted_pair(name, bias);
        match &self.0 {
            Weighted::Frame(weighted) => {
                super::work(py, name, self.1, || weighted.pairwise(function)).map(PyDataFrame)
            }
            Weighted::Series(_) => Err(PyTypeError::new_err("a series has no pairs of columns")),
        }
    }
}
