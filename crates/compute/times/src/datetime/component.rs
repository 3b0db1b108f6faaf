//! The parts of times.

use cuprum_column::DataType;

/// A part of a time, or a statement about its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatetimeComponent {
    /// The year; there is a year 0.
    Year,
    /// 1 to 12.
    Month,
    /// 1 to 31.
    Day,
    /// 0 to 23.
    Hour,
    /// 0 to 59.
    Minute,
    /// 0 to 59.
    Second,
    /// Milliseconds of the second, 0 to 999.
    Millisecond,
    /// Microseconds of the second, 0 to 999 999 (as pandas, milliseconds included).
    Microsecond,
    /// Nanoseconds of the microsecond, 0 to 999 (as pandas).
    Nanosecond,
    /// Monday 0 to Sunday 6.
    DayOfWeek,
    /// 1 to 366.
    DayOfYear,
    /// 1 to 4.
    Quarter,
    /// The year that the week of ISO 8601 belongs to.
    IsoYear,
    /// The week of ISO 8601, 1 to 53.
    IsoWeek,
    /// The day of the week of ISO 8601, Monday 1 to Sunday 7.
    IsoDay,
    /// 28 to 31.
    DaysInMonth,
    /// Whether the year has 366 days; `Bool8`, as all that follow.
    IsLeapYear,
    /// The first day of a month.
    IsMonthStart,
    /// The last day of a month.
    IsMonthEnd,
    /// The first day of a quarter.
    IsQuarterStart,
    /// The last day of a quarter.
    IsQuarterEnd,
    /// 1 January.
    IsYearStart,
    /// 31 December.
    IsYearEnd,
}

impl DatetimeComponent {
    /// The type of its column: `Int32`, or `Bool8` for those that say yes or no.
    pub fn data_type(self) -> DataType {
        match self {
            Self::IsLeapYear
            | Self::IsMonthStart
            | Self::IsMonthEnd
            | Self::IsQuarterStart
            | Self::IsQuarterEnd
            | Self::IsYearStart
            | Self::IsYearEnd => DataType::Bool8,
            _ => DataType::Int32,
        }
    }
}
