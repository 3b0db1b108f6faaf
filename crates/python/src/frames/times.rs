//! The functions of times of `_cuprum.Series`.

use cuprum::{DataType, Frame};
use cuprum_compute::datetime::{self, DatetimeComponent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::series::PySeries;
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
            let data = s.column().values(how.as_str())?;
            s.dt()?;
            let ctx = cuprum::Context::current();
            let column = match how.as_str() {
                "floor" => datetime::floor(data, frequency, &ctx)?,
                "ceil" => datetime::ceil(data, frequency, &ctx)?,
                _ => datetime::round(data, frequency, &ctx)?,
            };
            s.with_columns(vec![column.into()])
        })
    }

    fn dt_strftime(&self, py: Python<'_>, format: &str) -> PyResult<Self> {
        self.run(py, "strftime", |s| s.dt()?.strftime(format))
    }

    /// Texts as times: by a format, or ISO 8601 without one.
    #[pyo3(signature = (format=None, unit="us"))]
    fn to_datetime(&self, py: Python<'_>, format: Option<&str>, unit: &str) -> PyResult<Self> {
        let Some(DataType::Timestamp(unit)) = DataType::from_name(&format!("datetime64[{unit}]")) else {
            return Err(PyValueError::new_err(format!("`unit` is '{unit}'; known are D, s, ms, us and ns")));
        };
        self.run(py, "to_datetime", |s| s.str()?.apply(|c, ctx| datetime::strptime(c, format, unit, ctx)))
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
