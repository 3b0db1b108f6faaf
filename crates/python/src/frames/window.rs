//! `_cuprum.Rolling` and `_cuprum.Exponential`: statistics of the rows around each row.

use cuprum::tools::frequency::Frequency;
use cuprum::window::{
    EwmOptions, Exponential, ExponentialStatistic, Extent, PairFunction, Rolling, WeightedPair,
    WindowOptions, WindowSize, WindowStatistic,
};
use cuprum::{DataFrame, Frame, Series};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::{names, work, work_beside};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;

/// A frame or a series.
#[derive(FromPyObject)]
enum Either<'py> {
    Frame(PyRef<'py, PyDataFrame>),
    Series(PyRef<'py, PySeries>),
}

/// The rows of windows: `("rows", size)`, `("span", (times, length))`, `("expanding", None)` or `("bounds",
/// (starts, ends))`.
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

/// The nanoseconds of a window, given as a number or a frequency.
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

/// Windows of a frame or of a series.
enum Windowed<D, S> {
    Frame(D),
    Series(S),
}

impl<D: Sync, S: Sync> Windowed<D, S> {
    /// The frame or series that an operation over so many rows gives.
    fn run<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        rows: usize,
        of_frame: impl FnOnce(&D) -> cuprum::Result<DataFrame> + Send,
        of_series: impl FnOnce(&S) -> cuprum::Result<Series> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Frame(frame) => {
                let result = work(py, operation, rows, || of_frame(frame))?;
                Ok(Bound::new(py, PyDataFrame::from(result))?.into_any())
            }
            Self::Series(series) => {
                let result = work(py, operation, rows, || of_series(series))?;
                Ok(Bound::new(py, PySeries::from(result))?.into_any())
            }
        }
    }

    /// The frame that an operation gives of a frame, whose columns it pairs.
    fn pair(
        &self,
        py: Python<'_>,
        operation: &str,
        rows: usize,
        of_frame: impl FnOnce(&D) -> cuprum::Result<DataFrame> + Send,
    ) -> PyResult<PyDataFrame> {
        match self {
            Self::Frame(frame) => work(py, operation, rows, || of_frame(frame)).map(PyDataFrame::from),
            Self::Series(_) => Err(PyTypeError::new_err("a series has no pairs of columns")),
        }
    }
}

/// A frame or series and the windows of its rows.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Rolling")]
pub struct PyRolling {
    rolling: Windowed<Rolling<DataFrame>, Rolling<Series>>,
    rows: usize,
}

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
        Ok(match &frame {
            Either::Frame(frame) => {
                Self { rolling: Windowed::Frame(rolling!(frame.frame()?)), rows: frame.frame()?.num_rows() }
            }
            Either::Series(series) => {
                Self { rolling: Windowed::Series(rolling!(series.frame()?)), rows: series.frame()?.len() }
            }
        })
    }

    /// The same windows of another frame or series, `None` for one of another number of rows.
    fn of(&self, frame: Either<'_>) -> PyResult<Option<Self>> {
        macro_rules! of {
            ($frame:expr) => {
                match &self.rolling {
                    Windowed::Frame(windows) => windows.of($frame.clone()).py()?,
                    Windowed::Series(windows) => windows.of($frame.clone()).py()?,
                }
            };
        }
        let rows = self.rows;
        let rolling = match &frame {
            Either::Frame(frame) if frame.frame()?.num_rows() == rows => Windowed::Frame(of!(frame.frame()?)),
            Either::Series(series) if series.frame()?.len() == rows => Windowed::Series(of!(series.frame()?)),
            _ => return Ok(None),
        };
        Ok(Some(Self { rolling, rows }))
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
        self.rolling.run(py, name, self.rows, |r| r.statistic(statistic), |r| r.statistic(statistic))
    }

    /// `"cov"` or `"corr"` of every column and a series of as many rows.
    fn beside<'py>(
        &self,
        py: Python<'py>,
        other: PyRef<'_, PySeries>,
        name: &str,
        ddof: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (other, function) = (other.frame()?, pair_function(name, ddof));
        self.rolling.run(py, name, self.rows, |r| r.beside(other, function), |r| r.beside(other, function))
    }

    /// `"cov"` or `"corr"` of every two columns.
    fn pairwise(&self, py: Python<'_>, name: &str, ddof: i64) -> PyResult<PyDataFrame> {
        let function = pair_function(name, ddof);
        self.rolling.pair(py, name, self.rows, |rolling| rolling.pairwise(function))
    }

    /// The extents of windows before each row, itself included, and behind it: numbers or columns; and the
    /// least number of values of a statistic.
    fn extents<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, usize)> {
        let windows = match &self.rolling {
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

/// A frame or series whose rows are weighted, the more the nearer they are.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Exponential")]
pub struct PyExponential {
    weighted: Windowed<Exponential<DataFrame>, Exponential<Series>>,
    rows: usize,
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
    ) -> PyResult<Self> {
        let weights = EwmOptions { center_of_mass, adjust, ignore_missing, min_periods };
        Ok(match &frame {
            Either::Frame(frame) => {
                let weighted = Windowed::Frame(Exponential::new(frame.frame()?.clone(), weights));
                Self { weighted, rows: frame.frame()?.num_rows() }
            }
            Either::Series(series) => {
                let weighted = Windowed::Series(Exponential::new(series.frame()?.clone(), weights));
                Self { weighted, rows: series.frame()?.len() }
            }
        })
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
        let rows = self.rows;
        self.weighted.run(py, name, rows, |w| w.statistic(statistic), |w| w.statistic(statistic))
    }

    /// The mean for every element of rows at times; see `cuprum::window::Exponential::mean_at`.
    fn mean_at<'py>(
        &self,
        py: Python<'py>,
        times: PyRef<'_, PyColumn>,
        half_life: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = times.typed()?.data().cloned().py()?;
        let rows = self.rows;
        self.weighted.run(
            py,
            "mean",
            rows,
            |w| w.mean_at(&times, half_life),
            |w| w.mean_at(&times, half_life),
        )
    }

    /// `"cov"` or `"corr"` of every column and a series of as many rows.
    fn beside<'py>(
        &self,
        py: Python<'py>,
        other: PyRef<'_, PySeries>,
        name: &str,
        bias: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (other, function) = (other.frame()?, weighted_pair(name, bias));
        self.weighted.run(py, name, self.rows, |w| w.beside(other, function), |w| w.beside(other, function))
    }

    /// `"cov"` or `"corr"` of every two columns.
    fn pairwise(&self, py: Python<'_>, name: &str, bias: bool) -> PyResult<PyDataFrame> {
        let function = weighted_pair(name, bias);
        self.weighted.pair(py, name, self.rows, |weighted| weighted.pairwise(function))
    }
}
