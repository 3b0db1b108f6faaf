//! Arithmetic of the proleptic Gregorian calendar.
//!
//! The conversions between days and dates are those of Howard Hinnant, "chrono-Compatible Low-Level
//! Date Algorithms" (<https://howardhinnant.github.io/date_algorithms.html>): years start in March,
//! so that the leap day comes last, and are counted in eras of 400 years, all of the same length. Loops over
//! columns have faster ones for most days, see [`near`](super::near).

use cuprum_column::TimeUnit;

/// Days of an era of 400 years.
const ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;
/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;
const SECOND: i64 = 1_000_000_000;

/// The date of a day counted from 1970-01-01: year, month (1 to 12), day (1 to 31).
#[inline]
pub fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days + EPOCH;
    let era = days.div_euclid(ERA);
    let day_of_era = days.rem_euclid(ERA) as u32;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + i64::from(year_of_era) + i64::from(month <= 2), month, day)
}

/// The day, counted from 1970-01-01, of a date; the year within ±10¹⁵.
#[inline]
pub(crate) fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400) as u32;
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * ERA + i64::from(day_of_era) - EPOCH
}

/// Whether a year has 366 days.
#[inline]
pub(crate) fn is_leap_year(year: i64) -> bool {
    // Divisible by 400 is divisible by 100 and by 16.
    year % if year % 100 == 0 { 16 } else { 4 } == 0
}

/// The number of days of a month (1 to 12).
#[inline]
pub(crate) fn days_in_month(year: i64, month: u32) -> u32 {
    if month == 2 { 28 + u32::from(is_leap_year(year)) } else { 30 + ((month ^ month >> 3) & 1) }
}

/// The day of the week, Monday being 0.
#[inline]
pub(crate) fn weekday(days: i64) -> u32 {
    // 1970-01-01 was a Thursday.
    (days + 3).rem_euclid(7) as u32
}

/// The day of the year, from 1.
#[inline]
pub(crate) fn day_of_year(days: i64, year: i64) -> u32 {
    (days - days_from_civil(year, 1, 1)) as u32 + 1
}

/// Year and week of ISO 8601: the week belongs to the year that has its Thursday.
#[inline]
pub(crate) fn iso_week(days: i64) -> (i64, u32) {
    let thursday = days - i64::from(weekday(days)) + 3;
    let (year, ..) = civil_from_days(thursday);
    (year, (day_of_year(thursday, year) - 1) / 7 + 1)
}

/// The first day of week 1 of an ISO year.
pub(crate) fn iso_year_start(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - i64::from(weekday(fourth))
}

/// Seconds since the epoch and nanoseconds within the second, in a unit, rounded down; `None` where
/// it does not fit.
#[inline]
pub(crate) fn to_units(seconds: i64, nanos: u32, unit: TimeUnit) -> Option<i64> {
    match unit {
        TimeUnit::Days => Some(seconds.div_euclid(DAY)),
        TimeUnit::Seconds => Some(seconds),
        _ => {
            let per_second = unit.per_day() / DAY;
            let value = i128::from(seconds) * i128::from(per_second)
                + i128::from(i64::from(nanos) / (SECOND / per_second));
            i64::try_from(value).ok()
        }
    }
}

/// A point in time as people write it.
#[derive(Clone, Copy, Debug)]
pub struct Civil {
    /// Days since 1970-01-01.
    pub(crate) days: i64,
    pub(crate) year: i64,
    /// 1 to 12.
    pub(crate) month: u32,
    /// 1 to 31.
    pub(crate) day: u32,
    /// 0 to 86 399.
    pub(crate) second_of_day: u32,
    /// 0 to 999 999 999.
    pub nanosecond: u32,
}

impl Civil {
    /// The time of a stored value.
    #[inline]
    pub fn from_units(value: i64, unit: TimeUnit) -> Self {
        // Divisions by constants are several times faster.
        match unit {
            TimeUnit::Days => Self::from_parts_of_days::<{ TimeUnit::Days.per_day() }>(value),
            TimeUnit::Seconds => Self::from_parts_of_days::<{ TimeUnit::Seconds.per_day() }>(value),
            TimeUnit::Milliseconds => Self::from_parts_of_days::<{ TimeUnit::Milliseconds.per_day() }>(value),
            TimeUnit::Microseconds => Self::from_parts_of_days::<{ TimeUnit::Microseconds.per_day() }>(value),
            TimeUnit::Nanoseconds => Self::from_parts_of_days::<{ TimeUnit::Nanoseconds.per_day() }>(value),
        }
    }

    #[inline]
    fn from_parts_of_days<const PER_DAY: i64>(value: i64) -> Self {
        let (days, rest) = (value.div_euclid(PER_DAY), value.rem_euclid(PER_DAY));
        let nanos = rest * const { TimeUnit::Nanoseconds.per_day() / PER_DAY };
        let (year, month, day) = civil_from_days(days);
        Self {
            days,
            year,
            month,
            day,
            second_of_day: (nanos / SECOND) as u32,
            nanosecond: (nanos % SECOND) as u32,
        }
    }

    pub(crate) fn hour(&self) -> u32 {
        self.second_of_day / 3600
    }

    pub(crate) fn minute(&self) -> u32 {
        self.second_of_day / 60 % 60
    }

    pub(crate) fn second(&self) -> u32 {
        self.second_of_day % 60
    }

    /// `YYYY-MM-DD`.
    #[inline]
    pub fn push_date(&self, out: &mut String) {
        push_year(self.year, out);
        out.push('-');
        push_two(self.month, out);
        out.push('-');
        push_two(self.day, out);
    }

    /// `HH:MM:SS`.
    #[inline]
    pub fn push_time(&self, out: &mut String) {
        push_two(self.hour(), out);
        out.push(':');
        push_two(self.minute(), out);
        out.push(':');
        push_two(self.second(), out);
    }
}

/// A year of at least four digits.
#[inline]
pub(crate) fn push_year(year: i64, out: &mut String) {
    if (0..10_000).contains(&year) {
        push_two(year as u32 / 100, out);
        push_two(year as u32 % 100, out);
    } else {
        use std::fmt::Write;
        let sign = if year < 0 { "-" } else { "" };
        let _ = write!(out, "{sign}{:04}", year.unsigned_abs());
    }
}

/// The numbers 00 to 99, two digits each.
pub(crate) const PAIRS: &str = {
    const DIGITS: [u8; 200] = {
        let mut digits = [b'0'; 200];
        let mut n = 0;
        while n < 100 {
            digits[2 * n] += (n / 10) as u8;
            digits[2 * n + 1] += (n % 10) as u8;
            n += 1;
        }
        digits
    };
    match std::str::from_utf8(&DIGITS) {
        Ok(pairs) => pairs,
        Err(_) => unreachable!(),
    }
};

/// The last two digits of a number.
#[inline]
pub fn push_two(number: u32, out: &mut String) {
    let at = (number % 100) as usize * 2;
    out.push_str(&PAIRS[at..at + 2]);
}

/// The last `width` (up to 9) digits of a number, filled up with zeros.
#[inline]
pub fn push_digits(number: u32, mut width: u32, out: &mut String) {
    if width % 2 == 1 {
        width -= 1;
        out.push(char::from(b'0' + (number / 10u32.pow(width) % 10) as u8));
    }
    while width > 0 {
        width -= 2;
        push_two(number / 10u32.pow(width), out);
    }
}

/// The names of the months and, behind these, of the days of the week, as kernels look them up: their size and nine
/// bytes each.
pub(crate) fn name_entries(spelling: impl Fn(&str) -> String) -> Vec<u8> {
    let entry = |name: &&str| {
        let mut entry = [0; 10];
        entry[0] = name.len() as u8;
        entry[1..=name.len()].copy_from_slice(spelling(name).as_bytes());
        entry
    };
    MONTHS.iter().chain(&WEEKDAYS).flat_map(entry).collect()
}

/// Full English names of the months, January first.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Full English names of the days, Monday first.
pub(crate) const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
