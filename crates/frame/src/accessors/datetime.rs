//! `Series::dt`: parts and functions of times.

use std::borrow::Cow;

use cuprum_column::{Column, Context, Error, Result, TimeUnit};
use cuprum_compute::datetime::{self, Ambiguous, DatetimeComponent, Nonexistent, RoundingFrequency};

use crate::frame::Frame;
use crate::series::Series;
use crate::types::{Dtype, date, local_times, print_times, round_times};

/// Parts of the times of a timestamp series; missing elements stay missing.
#[derive(Clone, Debug)]
pub struct DatetimeProperties<'a> {
    /// The times; those of categories too.
    series: Cow<'a, Series>,
    /// The local times.
    local: Column,
}

impl Series {
    /// Parts of times, for timestamp series.
    pub fn dt(&self) -> Result<DatetimeProperties<'_>> {
        DatetimeProperties::new(self)
    }
}

impl<'a> DatetimeProperties<'a> {
    pub(crate) fn new(series: &'a Series) -> Result<Self> {
        let series = match series.dtype() {
            Dtype::Categorical(_) => Cow::Owned(series.with_column(series.column().decoded()?)),
            Dtype::Date(_) => {
                Cow::Owned(series.with_column(date::midnights(series.column(), TimeUnit::Seconds)?))
            }
            _ => Cow::Borrowed(series),
        };
        if !series.dtype().storage().is_timestamp() {
            return Err(Error::data_type(format!(
                "`dt` needs a series of timestamps, this one is {}",
                series.dtype()
            )));
        }
        let local = local_times(series.column(), "`dt`")?;
        Ok(Self { series, local })
    }

    /// A part of the times as an integer.
    pub fn component(&self, component: DatetimeComponent) -> Result<Series> {
        let column = datetime::extract_component(&self.local, component, &self.series.context()?)?;
        Ok(self.series.with_column(column))
    }

    /// The year.
    pub fn year(&self) -> Result<Series> {
        self.component(DatetimeComponent::Year)
    }

    /// The month, 1 to 12.
    pub fn month(&self) -> Result<Series> {
        self.component(DatetimeComponent::Month)
    }

    /// The day of the month.
    pub fn day(&self) -> Result<Series> {
        self.component(DatetimeComponent::Day)
    }

    /// The days that clocks show.
    pub fn date(&self) -> Result<Series> {
        Ok(self.series.with_column(date::days(&self.local.clone().into())?))
    }

    /// The hour.
    pub fn hour(&self) -> Result<Series> {
        self.component(DatetimeComponent::Hour)
    }

    /// The day of the week, Monday being 0.
    pub fn dayofweek(&self) -> Result<Series> {
        self.component(DatetimeComponent::DayOfWeek)
    }

    /// Rounded down to a multiple of `frequency`.
    pub fn floor(&self, frequency: RoundingFrequency) -> Result<Series> {
        let floor = |times: &Column, ctx: &Context| datetime::floor(times, frequency, ctx);
        let column =
            round_times(self.series.column(), "floor", (Ambiguous::Raise, Nonexistent::Raise), floor)?;
        Ok(self.series.with_column(column))
    }

    /// Printed by a format with Python's directives; `%z` and `%Z` are empty without a zone.
    pub fn strftime(&self, format: &str) -> Result<Series> {
        let printed = print_times(self.series.column(), format)?;
        Ok(self.series.with_column(printed))
    }
}
