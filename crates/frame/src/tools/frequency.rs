//! Frequencies as pandas writes them: `D`, `15min`, `2W-WED`, `B`, `ME`, `BQS-FEB`, `-1YE-JUN`.

use std::str::FromStr;

use cuprum_column::{Error, Result};

/// The distance of regular times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequency {
    /// As many nanoseconds: hours and shorter units, backwards where negative.
    Ticks(i64),
    /// As many days of the calendar, whose clocks show the same.
    Days(i64),
    /// Every so many points of a grid of days, backwards where negative.
    Grid(Grid, i64),
}

/// Days that come again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// One day of every week, Monday being 0.
    Week(i64),
    /// Monday to Friday.
    BusinessDays,
    /// The first or last days of months: of every `every`th, one of which is month `phase` (January is 0).
    Months {
        /// 1, 3, 6 or 12.
        every: i64,
        /// Less than `every`.
        phase: i64,
        /// The last days, else the first.
        ends: bool,
        /// The last or first from Monday to Friday.
        business: bool,
    },
}

const WEEKDAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/// Units of fixed length and their nanoseconds.
const TICKS: [(&str, i64); 6] = [
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1000),
    ("ns", 1),
];
/// Months of the calendar: name, length, the month after which they are counted unless they say; with `B`
/// before the name days from Monday to Friday.
const CALENDAR: [(&str, i64, i64, bool); 8] = [
    ("MS", 1, 0, false),
    ("ME", 1, 0, true),
    ("QS", 3, 0, false),
    ("QE", 3, 11, true),
    ("HYS", 6, 0, false),
    ("HYE", 6, 11, true),
    ("YS", 12, 0, false),
    ("YE", 12, 11, true),
];
/// Frequencies that only pandas knows: rules with holidays, hours of business and fiscal years.
const OTHERS: [&str; 11] = ["C", "CBMS", "CBME", "SMS", "SME", "REQ", "RE", "bh", "cbh", "WOM", "LWOM"];

impl FromStr for Frequency {
    type Err = Error;

    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for what is no frequency, with
    /// [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for one that only pandas has.
    fn from_str(text: &str) -> Result<Self> {
        let invalid = || Error::invalid_argument(format!("Invalid frequency: {text}"));
        let start = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(invalid)?;
        let (count, name) = text.split_at(start);
        let count: i64 = match count.trim() {
            "" => 1,
            "-" => -1,
            digits => digits.parse().map_err(|_| invalid())?,
        };
        if count == 0 {
            return Err(Error::invalid_argument(format!("Invalid frequency: {text}: it does not move")));
        }
        let (name, anchor) = match name.split_once('-') {
            Some((name, anchor)) => (name, Some(anchor)),
            None => (name, None),
        };
        if let (Some((_, nanoseconds)), None) = (TICKS.iter().find(|(unit, _)| *unit == name), anchor) {
            return count.checked_mul(*nanoseconds).map(Self::Ticks).ok_or_else(invalid);
        }
        let place = |names: &[&str], default: i64| match anchor {
            None => Ok(default),
            Some(anchor) => names.iter().position(|n| *n == anchor).map(|i| i as i64).ok_or_else(invalid),
        };
        let of_months = |name: &str| CALENDAR.iter().find(|(unit, ..)| *unit == name);
        let business = name.strip_prefix('B').and_then(of_months);
        let calendar = of_months(name).or(business);
        let business = business.is_some();
        let grid = match (name, calendar) {
            ("D", _) if anchor.is_none() => return Ok(Self::Days(count)),
            ("W", _) => Grid::Week(place(&WEEKDAYS, 6)?),
            ("B", _) if anchor.is_none() => Grid::BusinessDays,
            (_, Some(&(_, 1, _, ends))) if anchor.is_none() => {
                Grid::Months { every: 1, phase: 0, ends, business }
            }
            (_, Some(&(_, every, default, ends))) if every > 1 => {
                Grid::Months { every, phase: place(&MONTHS, default)?.rem_euclid(every), ends, business }
            }
            _ if OTHERS.contains(&name) => {
                return Err(Error::unsupported(format!("`freq` is '{text}', which is not supported")));
            }
            _ => return Err(invalid()),
        };
        Ok(Self::Grid(grid, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    #[test]
    fn frequencies_are_read() {
        let months =
            |every, phase, ends, n| Frequency::Grid(Grid::Months { every, phase, ends, business: false }, n);
        for (text, expected) in [
            ("D", Frequency::Days(1)),
            ("-2D", Frequency::Days(-2)),
            ("15min", Frequency::Ticks(900_000_000_000)),
            ("-h", Frequency::Ticks(-3_600_000_000_000)),
            ("W", Frequency::Grid(Grid::Week(6), 1)),
            ("2W-WED", Frequency::Grid(Grid::Week(2), 2)),
            ("3B", Frequency::Grid(Grid::BusinessDays, 3)),
            ("MS", months(1, 0, false, 1)),
            ("2ME", months(1, 0, true, 2)),
            ("QS", months(3, 0, false, 1)),
            ("QS-FEB", months(3, 1, false, 1)),
            ("QE", months(3, 2, true, 1)),
            ("YE-JUN", months(12, 5, true, 1)),
            ("-1ME", months(1, 0, true, -1)),
            ("HYS-AUG", months(6, 1, false, 1)),
            ("2BQE", Frequency::Grid(Grid::Months { every: 3, phase: 2, ends: true, business: true }, 2)),
        ] {
            assert_eq!(text.parse::<Frequency>().unwrap(), expected, "{text}");
        }
        for (text, kind) in [
            ("", ErrorKind::InvalidArgument),
            ("H", ErrorKind::InvalidArgument),
            ("0D", ErrorKind::InvalidArgument),
            ("D-MON", ErrorKind::InvalidArgument),
            ("W-JAN", ErrorKind::InvalidArgument),
            ("9223372036854775807h", ErrorKind::InvalidArgument),
            ("CBME", ErrorKind::Unsupported),
            ("BB", ErrorKind::InvalidArgument),
        ] {
            assert_eq!(text.parse::<Frequency>().unwrap_err().kind(), kind, "{text}");
        }
    }
}
