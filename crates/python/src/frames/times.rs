//! The functions of times of `_cuprum.Series`.

use cuprum::accessors::TimedeltaComponent;
use cuprum::plan::{Cost, LazySeries};
use cuprum::tools::datetimes::{DatetimeOptions, Origin, TimeFormat};
use cuprum::tools::frequency::{Frequency, Grid};
use cuprum::tools::numeric::{Downcast, Invalid, NumericOptions};
use cuprum::tools::offsets::{Offset, shift_times, snap_times};
use cuprum::types::{convert_zone, localize, round_times};
use cuprum::{DataType, Dtype, Frame};
use cuprum_compute::datetime::{self, Ambiguous, DatetimeComponent, Nonexistent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use crate::errors::IntoPyResult;

/// The treatment of local times that are ambiguous or do not exist.
fn changed_clocks(ambiguous: &str, nonexistent: &str) -> PyResult<(Ambiguous, Nonexistent)> {
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
    Ok((ambiguous, nonexistent))
}

/// The days of a frequency that has some.
fn grid(frequency: &str) -> PyResult<Grid> {
    match frequency.parse().py()? {
        Frequency::Grid(grid, _) => Ok(grid),
        _ => Err(PyValueError::new_err(format!("`freq` is '{frequency}', which names no days"))),
    }
}

fn invalid(coerce: bool) -> Invalid {
    if coerce { Invalid::Coerce } else { Invalid::Raise }
}

#[pymethods]
impl PyDataFrame {
    /// Times of which the columns are the parts.
    fn to_datetime(&self, py: Python<'_>, coerce: bool) -> PyResult<PySeries> {
        self.ask(py, "to_datetime", |f| f.to_datetime(invalid(coerce))).map(PySeries::from)
    }
}

#[pymethods]
impl PySeries {
    fn dt_component(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        let component = component(name)?;
        let each = |own: &LazySeries| own.each(Cost::Low, move |s| s.dt()?.component(component));
        if let Some(plan) = self.0.try_plan(each)? {
            return Ok(plan.into());
        }
        self.run(py, name, |s| s.dt()?.component(component))
    }

    fn dt_round(
        &self,
        py: Python<'_>,
        how: &str,
        frequency: &str,
        ambiguous: &str,
        nonexistent: &str,
    ) -> PyResult<Self> {
        let clocks = changed_clocks(ambiguous, nonexistent)?;
        let frequency: datetime::RoundingFrequency = frequency.parse().py()?;
        let how = how.to_owned();
        self.run(py, "round", move |s| {
            let column = round_times(s.column(), &how, clocks, |times, ctx| match how.as_str() {
                "floor" => datetime::floor(times, frequency, ctx),
                "ceil" => datetime::ceil(times, frequency, ctx),
                _ => datetime::round(times, frequency, ctx),
            })?;
            s.replace_columns(vec![column])
        })
    }

    /// Times so many months and then nanoseconds later on the clock, or moved by a frequency of days of the calendar.
    #[pyo3(signature = (frequency, months, nanoseconds, normalize))]
    fn dt_offset(
        &self,
        py: Python<'_>,
        frequency: Option<(&str, i64)>,
        months: i64,
        nanoseconds: i64,
        normalize: bool,
    ) -> PyResult<Self> {
        let offset = match frequency {
            Some((frequency, n)) => Offset::Grid(grid(frequency)?, n),
            None => Offset::Calendar { months, nanoseconds },
        };
        self.run(py, "offset", |s| s.replace_columns(vec![shift_times(s.column(), offset, normalize)?]))
    }

    /// Times at the nearest days of a frequency.
    fn dt_snap(&self, py: Python<'_>, frequency: &str) -> PyResult<Self> {
        let grid = grid(frequency)?;
        self.run(py, "snap", |s| s.replace_columns(vec![snap_times(s.column(), grid)?]))
    }

    /// The days that clocks show, of dtype `date32`.
    fn dt_date(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "date", |s| s.dt()?.date())
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
        let (ambiguous, nonexistent) = changed_clocks(ambiguous, nonexistent)?;
        self.run(py, "tz_localize", |s| {
            s.replace_columns(vec![localize(s.column(), zone, ambiguous, nonexistent)?])
        })
    }

    fn dt_strftime(&self, py: Python<'_>, format: &str) -> PyResult<Self> {
        self.run(py, "strftime", |s| s.dt()?.strftime(format))
    }

    /// Times of texts and numbers. `origin` is None, `'julian'` or nanoseconds after 1970.
    #[allow(clippy::too_many_arguments)] // pandas'
    #[pyo3(signature = (format=None, utc=false, dayfirst=false, unit=None, origin=None, coerce=false))]
    fn to_datetime(
        &self,
        py: Python<'_>,
        format: Option<String>,
        utc: bool,
        dayfirst: bool,
        unit: Option<&str>,
        origin: Option<Bound<'_, PyAny>>,
        coerce: bool,
    ) -> PyResult<Self> {
        let unit = match unit.map(|unit| (unit, DataType::from_name(&format!("datetime64[{unit}]")))) {
            None => None,
            Some((_, Some(DataType::Timestamp(unit)))) => Some(unit),
            Some((unit, _)) => {
                return Err(PyValueError::new_err(format!(
                    "`unit` is '{unit}'; known are D, s, ms, us and ns"
                )));
            }
        };
        let origin = match origin {
            None => Origin::Unix,
            Some(origin) if origin.extract::<&str>().is_ok_and(|name| name == "julian") => Origin::Julian,
            Some(origin) => Origin::At(origin.extract()?),
        };
        let format = match format.as_deref() {
            None => TimeFormat::First,
            Some("ISO8601") => TimeFormat::Iso8601,
            Some("mixed") => TimeFormat::Mixed,
            Some(directives) => TimeFormat::Directives(directives.to_owned()),
        };
        let is_total = matches!(self.0.schema().dtype(), Dtype::Date(_)) && !utc && origin == Origin::Unix;
        let options = DatetimeOptions { invalid: invalid(coerce), format, dayfirst, utc, unit, origin };
        if is_total {
            let options = options.clone();
            let each = |own: &LazySeries| own.each(Cost::Low, move |s| s.to_datetime(&options));
            if let Some(plan) = self.0.try_plan(each)? {
                return Ok(plan.into());
            }
        }
        self.run(py, "to_datetime", |s| s.to_datetime(&options))
    }

    /// Numbers of texts; `downcast` is `'signed'`, `'unsigned'` or `'float'`.
    fn to_numeric(&self, py: Python<'_>, coerce: bool, downcast: Option<&str>) -> PyResult<Self> {
        let downcast = match downcast {
            None => None,
            Some("signed" | "integer") => Some(Downcast::Signed),
            Some("unsigned") => Some(Downcast::Unsigned),
            Some("float") => Some(Downcast::Float),
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "invalid downcasting method provided: `downcast` is '{other}'; known are integer, signed, \
                     unsigned and float"
                )));
            }
        };
        let options = NumericOptions { invalid: invalid(coerce), downcast };
        self.run(py, "to_numeric", |s| s.to_numeric(options))
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
        self.ask(py, "components", |f| f.td()?.components()).map(PyDataFrame::from)
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
