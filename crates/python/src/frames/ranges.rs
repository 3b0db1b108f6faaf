//! `_cuprum.regular_times`.

use cuprum::tools::frequency::Frequency;
use cuprum::tools::ranges::{RangeOptions, date_range, timedelta_range};
use cuprum::{Scalar, TimeUnit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{names, work};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;

/// Regular times from `start` to `end`, columns of one time each: two of these and `periods`, and a
/// frequency; durations, or timestamps.
#[pyfunction]
#[pyo3(signature = (start, end, periods, frequency, unit, zone, normalize, inclusive, durations))]
#[allow(clippy::too_many_arguments)]
pub fn regular_times(
    py: Python<'_>,
    start: Option<PyRef<'_, PyColumn>>,
    end: Option<PyRef<'_, PyColumn>>,
    periods: Option<usize>,
    frequency: Option<&str>,
    unit: Option<&str>,
    zone: Option<&str>,
    normalize: bool,
    inclusive: &str,
    durations: bool,
) -> PyResult<PyColumn> {
    let time = |column: Option<PyRef<'_, PyColumn>>| -> PyResult<Option<Scalar>> {
        column.map(|column| column.typed()?.get(0).py()).transpose()
    };
    let unit = match unit {
        None => None,
        Some("s") => Some(TimeUnit::Seconds),
        Some("ms") => Some(TimeUnit::Milliseconds),
        Some("us") => Some(TimeUnit::Microseconds),
        Some("ns") => Some(TimeUnit::Nanoseconds),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "'unit' must be one of 's', 'ms', 'us', 'ns', not '{other}'"
            )));
        }
    };
    let inclusive = names::inclusive(inclusive)?;
    let frequency = frequency.map(str::parse).transpose().py()?;
    let (start, end) = (time(start)?, time(end)?);
    let options = RangeOptions { start, end, periods, frequency, unit, zone, normalize, inclusive };
    let range = if durations { timedelta_range } else { date_range };
    let column = work(py, "date_range", periods.unwrap_or(0), || range(&options))?;
    PyColumn::of(&column)
}

/// Whether a text is a frequency that is known here, not only to pandas.
#[pyfunction]
pub fn is_frequency(text: &str) -> bool {
    text.parse::<Frequency>().is_ok()
}
