//! The functions of times of `_cuprum.Series`.

use cuprum::accessors::TimedeltaComponent;
use cuprum::types::{convert_zone, localize, read_times, round_times};
use cuprum::{DataType, Frame};
use cuprum_compute::datetime::{self, Ambiguous, DatetimeComponent, Nonexistent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use super::work;
use crate::errors::IntoPyResult;

#[pymethods]
impl PySeries {
    fn dt_component(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        let component = component(name)?;
        self.run(py, name, |s| s.dt()?.component(component))
    }

    fn dt_round(&self, py: Python<'_>, how: &str, frequency: &str) -> PyResult<Self> {
        let frequency: datetime::RoundingFrequency = frequency.parse().py()?;
        let how = how.to_owned();
        self.run(py, "round", move |s| {
            let column = round_times(s.column(), &how, |times, ctx| match how.as_str() {
                "floor" => datetime::floor(times, frequency, ctx),
                "ceil" => datetime::ceil(times, frequency, ctx),
                _ => datetime::round(times, frequency, ctx),
            })?;
            s.replace_columns(vec![column])
        })
    }

    /// The instants in another zone; None for times without one, in UTC.
    #[pyo3(signature = (zone=None))]
    fn dt_convert_zone(&self, py: Python<'_>, zone: Option<&str>) -> PyResult<Self> {
        self.run(py, "tz_convert", |s| s.replace_columns(vec![convert_zone(s.column(), zone)?]))
    }

    /// The times as clocks in a zone showed them; None takes a zone away.
    fn dt_localize(
        &self,
        py: Python<'_>,
        zone: Option<&str>,
        ambiguous: &str,
        nonexistent: &str,
    ) -> PyResult<Self> {
        let ambiguous = match ambiguous {
            "raise" => Ambiguous::Raise,
            "NaT" => Ambiguous::Null,
            "earlier" => Ambiguous::Earlier,
            "later" => Ambiguous::Later,
            other => return Err(PyValueError::new_err(format!("`ambiguous` is '{other}'"))),
        };
        let nonexistent = match nonexistent {
            "raise" => Nonexistent::Raise,
            "NaT" => Nonexistent::Null,
            "shift_forward" => Nonexistent::ShiftForward,
            "shift_backward" => Nonexistent::ShiftBackward,
            other => {
                return Err(PyValueError::new_err(format!(
                    "`nonexistent` is '{other}'; known are raise, NaT, shift_forward and shift_backward"
                )));
            }
        };
        self.run(py, "tz_localize", |s| {
            s.replace_columns(vec![localize(s.column(), zone, ambiguous, nonexistent)?])
        })
    }

    fn dt_strftime(&self, py: Python<'_>, format: &str) -> PyResult<Self> {
        self.run(py, "strftime", |s| s.dt()?.strftime(format))
    }

    /// Texts as times: by a format, or ISO 8601 without one; in UTC where asked for.
    #[pyo3(signature = (format=None, unit="us", utc=false))]
    fn to_datetime(&self, py: Python<'_>, format: Option<&str>, unit: &str, utc: bool) -> PyResult<Self> {
        let Some(DataType::Timestamp(unit)) = DataType::from_name(&format!("datetime64[{unit}]")) else {
            return Err(PyValueError::new_err(format!("`unit` is '{unit}'; known are D, s, ms, us and ns")));
        };
        self.run(py, "to_datetime", |s| {
            s.replace_columns(vec![read_times(s.str()?.texts(), format, unit, utc)?])
        })
    }

    /// A part of lengths of time, named as in pandas.
    fn td_component(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        let component = match name {
            "days" => TimedeltaComponent::Days,
            "seconds" => TimedeltaComponent::SecondsOfDay,
            "microseconds" => TimedeltaComponent::MicrosecondsOfSecond,
            "nanoseconds" => TimedeltaComponent::Nanoseconds,
            other => return Err(PyValueError::new_err(format!("'{other}' is not a part of a duration"))),
        };
        self.run(py, name, |s| s.td()?.component(component))
    }

    /// All parts of lengths of time as columns.
    fn td_components(&self, py: Python<'_>) -> PyResult<PyDataFrame> {
        work(py, "components", self.0.len(), || self.0.td()?.components()).map(PyDataFrame)
    }

    /// Lengths of time in seconds.
    fn td_total_seconds(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "total_seconds", |s| s.td()?.total_seconds())
    }
}

fn component(name: &str) -> PyResult<DatetimeComponent> {
    Ok(match name {
        "year" => DatetimeComponent::Year,
        "month" => DatetimeComponent::Month,
        "day" => DatetimeComponent::Day,
        "hour" => DatetimeComponent::Hour,
        "minute" => DatetimeComponent::Minute,
        "second" => DatetimeComponent::Second,
        "millisecond" => DatetimeComponent::Millisecond,
        "microsecond" => DatetimeComponent::Microsecond,
        "nanosecond" => DatetimeComponent::Nanosecond,
        "dayofweek" => DatetimeComponent::DayOfWeek,
        "dayofyear" => DatetimeComponent::DayOfYear,
        "quarter" => DatetimeComponent::Quarter,
        "iso_year" => DatetimeComponent::IsoYear,
        "iso_week" => DatetimeComponent::IsoWeek,
        "iso_day" => DatetimeComponent::IsoDay,
        "days_in_month" => DatetimeComponent::DaysInMonth,
        "is_leap_year" => DatetimeComponent::IsLeapYear,
        "is_month_start" => DatetimeComponent::IsMonthStart,
        "is_month_end" => DatetimeComponent::IsMonthEnd,
        "is_quarter_start" => DatetimeComponent::IsQuarterStart,
        "is_quarter_end" => DatetimeComponent::IsQuarterEnd,
        "is_year_start" => DatetimeComponent::IsYearStart,
        "is_year_end" => DatetimeComponent::IsYearEnd,
        other => return Err(PyValueError::new_err(format!("'{other}' is not a part of a time"))),
    })
}
