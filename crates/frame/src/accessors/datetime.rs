//! `Series::dt`: parts and functions of times.

use std::borrow::Cow;

use cuprum_column::{Error, Result, TimeUnit};
use cuprum_compute::datetime::{Ambiguous, DatetimeComponent, Nonexistent, RoundingFrequency};

use super::datetime_functions::{Rounding, TimeFunction, time_functions};
use super::methods::series_methods;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn, date, local_times};

/// Parts of the times of a timestamp series; missing elements stay missing.
#[derive(Clone, Debug)]
pub struct DatetimeProperties<'a> {
    /// The times; those of categories too.
    series: Cow<'a, Series>,
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
        Ok(Self { series })
    }

    pub(crate) fn call(&self, function: &TimeFunction) -> Result<Series> {
        let call = |times: &TypedColumn| function.call(times, &local_times(times, "`dt`")?);
        Ok(self.series.with_column(self.series.column().each(call)?))
    }
}

time_functions!(series_methods DatetimeProperties<'_>);
