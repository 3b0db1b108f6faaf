//! [`TimeFunction`]: the functions of times that `Series::dt` and `Expr::dt` have.

use std::fmt;

use cuprum_column::{Column, Context, Result};
use cuprum_compute::datetime::{self, Ambiguous, DatetimeComponent, Nonexistent, RoundingFrequency};

use crate::types::{TypedColumn, convert_zone, date, localize, print_times, round_times};

/// A function of a time, missing where that is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TimeFunction {
    Component(DatetimeComponent),
    Date,
    Round(Rounding, RoundingFrequency, Ambiguous, Nonexistent),
    Strftime(String),
    DayName,
    MonthName,
    ConvertZone(Option<String>),
    Localize(Option<String>, Ambiguous, Nonexistent),
}

/// Where a time goes that is no multiple of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rounding {
    Floor,
    Ceil,
    Round,
}

impl Rounding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
        }
    }

    /// Times or lengths of time rounded.
    pub(crate) fn of(
        self,
        column: &TypedColumn,
        frequency: RoundingFrequency,
        clocks: (Ambiguous, Nonexistent),
    ) -> Result<TypedColumn> {
        round_times(column, self.name(), clocks, |times: &Column, ctx: &Context| match self {
            Self::Floor => datetime::floor(times, frequency, ctx),
            Self::Ceil => datetime::ceil(times, frequency, ctx),
            Self::Round => datetime::round(times, frequency, ctx),
        })
    }
}

impl TimeFunction {
    /// The function of every row of `times`; `local` are the same times as local clocks show them.
    pub(crate) fn call(&self, times: &TypedColumn, local: &Column) -> Result<TypedColumn> {
        let ctx = &local.context()?;
        match self {
            Self::Component(component) => {
                TypedColumn::computed(datetime::extract_component(local, *component, ctx))
            }
            Self::Date => date::days(&local.clone().into()),
            Self::Round(how, frequency, ambiguous, nonexistent) => {
                how.of(times, *frequency, (*ambiguous, *nonexistent))
            }
            Self::Strftime(format) => TypedColumn::computed(print_times(times, format)),
            Self::DayName => TypedColumn::computed(datetime::day_names(local, ctx)),
            Self::MonthName => TypedColumn::computed(datetime::month_names(local, ctx)),
            Self::ConvertZone(zone) => convert_zone(times, zone.as_deref()),
            Self::Localize(zone, ambiguous, nonexistent) => {
                localize(times, zone.as_deref(), *ambiguous, *nonexistent)
            }
        }
    }
}

/// As a method or property of pandas.
impl fmt::Display for TimeFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zone = |zone: &Option<String>| match zone {
            Some(zone) => format!("{zone:?}"),
            None => "None".into(),
        };
        match self {
            Self::Component(component) => f.write_str(component_name(*component)),
            Self::Date => f.write_str("date"),
            Self::Round(how, frequency, ..) => write!(f, "{}(\"{frequency}\")", how.name()),
            Self::Strftime(format) => write!(f, "strftime({format:?})"),
            Self::DayName => f.write_str("day_name()"),
            Self::MonthName => f.write_str("month_name()"),
            Self::ConvertZone(to) => write!(f, "tz_convert({})", zone(to)),
            Self::Localize(to, ..) => write!(f, "tz_localize({})", zone(to)),
        }
    }
}

/// As pandas calls it.
fn component_name(component: DatetimeComponent) -> &'static str {
    match component {
        DatetimeComponent::Year => "year",
        DatetimeComponent::Month => "month",
        DatetimeComponent::Day => "day",
        DatetimeComponent::Hour => "hour",
        DatetimeComponent::Minute => "minute",
        DatetimeComponent::Second => "second",
        DatetimeComponent::Millisecond => "millisecond",
        DatetimeComponent::Microsecond => "microsecond",
        DatetimeComponent::Nanosecond => "nanosecond",
        DatetimeComponent::DayOfWeek => "dayofweek",
        DatetimeComponent::DayOfYear => "dayofyear",
        DatetimeComponent::Quarter => "quarter",
        DatetimeComponent::IsoYear => "iso_year",
        DatetimeComponent::IsoWeek => "iso_week",
        DatetimeComponent::IsoDay => "iso_day",
        DatetimeComponent::DaysInMonth => "days_in_month",
        DatetimeComponent::IsLeapYear => "is_leap_year",
        DatetimeComponent::IsMonthStart => "is_month_start",
        DatetimeComponent::IsMonthEnd => "is_month_end",
        DatetimeComponent::IsQuarterStart => "is_quarter_start",
        DatetimeComponent::IsQuarterEnd => "is_quarter_end",
        DatetimeComponent::IsYearStart => "is_year_start",
        DatetimeComponent::IsYearEnd => "is_year_end",
    }
}

/// The methods of times, for `$each` to make methods of: a name, its parameters and the [`TimeFunction`].
macro_rules! time_functions {
    ($each:ident $($of:tt)*) => {
        $each! {
            $($of)*;
            /// A part of the times as an integer, or whether something holds of their days.
            component(component: DatetimeComponent) TimeFunction::Component(component);
            /// The year.
            year() TimeFunction::Component(DatetimeComponent::Year);
            /// The month, 1 to 12.
            month() TimeFunction::Component(DatetimeComponent::Month);
            /// The day of the month.
            day() TimeFunction::Component(DatetimeComponent::Day);
            /// The hour.
            hour() TimeFunction::Component(DatetimeComponent::Hour);
            /// The minute.
            minute() TimeFunction::Component(DatetimeComponent::Minute);
            /// The second.
            second() TimeFunction::Component(DatetimeComponent::Second);
            /// The milliseconds of the second.
            millisecond() TimeFunction::Component(DatetimeComponent::Millisecond);
            /// The microseconds of the second, 0 to 999 999.
            microsecond() TimeFunction::Component(DatetimeComponent::Microsecond);
            /// The nanoseconds of the microsecond.
            nanosecond() TimeFunction::Component(DatetimeComponent::Nanosecond);
            /// The day of the week, Monday being 0.
            dayofweek() TimeFunction::Component(DatetimeComponent::DayOfWeek);
            /// The day of the year, 1 to 366.
            dayofyear() TimeFunction::Component(DatetimeComponent::DayOfYear);
            /// The quarter, 1 to 4.
            quarter() TimeFunction::Component(DatetimeComponent::Quarter);
            /// The year that the week of ISO 8601 belongs to.
            iso_year() TimeFunction::Component(DatetimeComponent::IsoYear);
            /// The week of ISO 8601, 1 to 53.
            iso_week() TimeFunction::Component(DatetimeComponent::IsoWeek);
            /// The day of the week of ISO 8601, Monday being 1.
            iso_day() TimeFunction::Component(DatetimeComponent::IsoDay);
            /// The number of days of the month.
            days_in_month() TimeFunction::Component(DatetimeComponent::DaysInMonth);
            /// Whether the year has 366 days.
            is_leap_year() TimeFunction::Component(DatetimeComponent::IsLeapYear);
            /// Whether it is the first day of the month.
            is_month_start() TimeFunction::Component(DatetimeComponent::IsMonthStart);
            /// Whether it is the last day of the month.
            is_month_end() TimeFunction::Component(DatetimeComponent::IsMonthEnd);
            /// Whether it is the first day of the quarter.
            is_quarter_start() TimeFunction::Component(DatetimeComponent::IsQuarterStart);
            /// Whether it is the last day of the quarter.
            is_quarter_end() TimeFunction::Component(DatetimeComponent::IsQuarterEnd);
            /// Whether it is 1 January.
            is_year_start() TimeFunction::Component(DatetimeComponent::IsYearStart);
            /// Whether it is 31 December.
            is_year_end() TimeFunction::Component(DatetimeComponent::IsYearEnd);
            /// The days that clocks show.
            date() TimeFunction::Date;
            /// Rounded down to a multiple of `frequency`, on the clock where there is a zone. A result that clocks there
            /// show twice or never is an error; see [`floor_with`](Self::floor_with).
            floor(frequency: RoundingFrequency)
                TimeFunction::Round(Rounding::Floor, frequency, Ambiguous::Raise, Nonexistent::Raise);
            /// Rounded up; see [`floor`](Self::floor).
            ceil(frequency: RoundingFrequency)
                TimeFunction::Round(Rounding::Ceil, frequency, Ambiguous::Raise, Nonexistent::Raise);
            /// Rounded to the nearest multiple, halves to the even one; see [`floor`](Self::floor).
            round(frequency: RoundingFrequency)
                TimeFunction::Round(Rounding::Round, frequency, Ambiguous::Raise, Nonexistent::Raise);
            /// [`floor`](Self::floor) with what becomes of times that clocks show twice or never.
            floor_with(frequency: RoundingFrequency, ambiguous: Ambiguous, nonexistent: Nonexistent)
                TimeFunction::Round(Rounding::Floor, frequency, ambiguous, nonexistent);
            /// [`ceil`](Self::ceil) with what becomes of times that clocks show twice or never.
            ceil_with(frequency: RoundingFrequency, ambiguous: Ambiguous, nonexistent: Nonexistent)
                TimeFunction::Round(Rounding::Ceil, frequency, ambiguous, nonexistent);
            /// [`round`](Self::round) with what becomes of times that clocks show twice or never.
            round_with(frequency: RoundingFrequency, ambiguous: Ambiguous, nonexistent: Nonexistent)
                TimeFunction::Round(Rounding::Round, frequency, ambiguous, nonexistent);
            /// Printed by a format with Python's directives; `%z` and `%Z` are empty without a zone.
            strftime(format: &str) TimeFunction::Strftime(format.into());
            /// The English name of the day of the week.
            day_name() TimeFunction::DayName;
            /// The English name of the month.
            month_name() TimeFunction::MonthName;
            /// The instants in another zone, `None` for times without one in UTC. Fails with
            /// [`DataType`](cuprum_column::ErrorKind::DataType) for times without a zone.
            convert_zone(zone: Option<&str>) TimeFunction::ConvertZone(zone.map(Into::into));
            /// The times as clocks in `zone` showed them; `None` takes a zone away. Fails as
            /// [`localize`](crate::types::localize).
            localize(zone: Option<&str>, ambiguous: Ambiguous, nonexistent: Nonexistent)
                TimeFunction::Localize(zone.map(Into::into), ambiguous, nonexistent);
        }
    };
}

pub(crate) use time_functions;
