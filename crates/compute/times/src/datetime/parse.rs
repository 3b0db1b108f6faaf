//! Reading times in a format.

use cuprum_column::{Column, Context, DataType, ErrorKind, Result, TimeUnit};

use super::calendar::{self, DAY, MONTHS, WEEKDAYS};
use super::format::{Field, Item, parse_format};
use super::iso;
use cuprum_elements::string_map::{self as rows, OnError};
use layout::Layout;

pub(crate) mod cuda;
mod layout;
#[cfg(test)]
mod tests;

/// Texts as times; see [`strptime`](super::strptime).
#[doc(hidden)]
pub fn strptime(
    column: &Column,
    format: Option<&str>,
    unit: TimeUnit,
    on_error: OnError,
    ctx: &Context,
) -> Result<Column> {
    let items = format.map(parse_format).transpose()?;
    let to = DataType::Timestamp(unit);
    let layout = items.as_deref().and_then(Layout::new);
    let parse = |row: &str| -> Result<i64, ErrorKind> {
        let parsed = match &items {
            None => iso::parse_iso(row.as_bytes()),
            Some(items) => layout
                .as_ref()
                .and_then(|layout| layout.parse(row.as_bytes()))
                .map(|(seconds, nanos, ahead)| (seconds - ahead.unwrap_or(0), nanos))
                .or_else(|| parse_items(row, items)),
        };
        let (seconds, nanos) = parsed.ok_or(ErrorKind::InvalidArgument)?;
        calendar::to_units(seconds, nanos, unit).ok_or(ErrorKind::Overflow)
    };
    // Days of 32 bits are read as such, in order that what they do not hold is out of their range.
    let parse = |row: &str| match parse(row) {
        Ok(days) if unit == TimeUnit::Days && i32::try_from(days).is_err() => Err(ErrorKind::Overflow),
        parsed => parsed,
    };
    if ctx.is_on_gpu() {
        return cuda::times(column, items.as_deref(), unit, on_error, parse, ctx);
    }
    if unit == TimeUnit::Days {
        return rows::parse_values::<i32>(column, to, on_error, ctx, |row| {
            parse(row).map(|days| days as i32)
        });
    }
    rows::parse_values::<i64>(column, to, on_error, ctx, parse)
}

/// See [`super::utc_offsets`].
pub(super) fn utc_offsets(column: &Column, format: Option<&str>, ctx: &Context) -> Result<Column> {
    let items = format.map(parse_format).transpose()?;
    let says = |item: &Item| matches!(item, Item::Field(Field::Offset | Field::Zone, _));
    if column.data_type() == DataType::String && items.as_ref().is_some_and(|items| !items.iter().any(says)) {
        return Column::nulls(DataType::Int32, column.len(), ctx);
    }
    let layout = items.as_deref().and_then(Layout::new);
    let said = |row: &str| match &items {
        None => iso::stated_offset(row.as_bytes()),
        Some(items) => match layout.as_ref().and_then(|layout| layout.parse(row.as_bytes())) {
            Some((_, _, ahead)) => ahead,
            None => parse_parts(row, items)?.offset,
        },
    };
    let parse =
        |row: &str| said(row).and_then(|offset| i32::try_from(offset).ok()).ok_or(ErrorKind::InvalidArgument);
    if ctx.is_on_gpu() {
        return cuda::utc_offsets(column, items.as_deref(), parse, ctx);
    }
    rows::parse_values::<i32>(column, DataType::Int32, OnError::Null, ctx, parse)
}

/// The fields read by the directives of a format so far.
#[derive(Default)]
struct Parts {
    year: Option<i64>,
    century: Option<i64>,
    year_of_century: Option<i64>,
    month: Option<u32>,
    day: Option<u32>,
    hour: u32,
    hour12: Option<u32>,
    afternoon: Option<bool>,
    minute: u32,
    second: u32,
    nanos: u32,
    day_of_year: Option<u32>,
    week_sunday: Option<u32>,
    week_monday: Option<u32>,
    /// Monday is 0.
    weekday: Option<u32>,
    iso_year: Option<i64>,
    iso_week: Option<u32>,
    /// Seconds ahead of UTC.
    offset: Option<i64>,
}

fn parse_items(row: &str, items: &[Item]) -> Option<(i64, u32)> {
    parse_parts(row, items)?.resolve()
}

fn parse_parts(row: &str, items: &[Item]) -> Option<Parts> {
    let mut parts = Parts::default();
    let mut rest = row.as_bytes();
    for item in items {
        match item {
            Item::Text(text) => rest = skip_text(rest, text)?,
            Item::Field(field, _) => parse_field(*field, &mut rest, &mut parts)?,
        }
    }
    rest.is_empty().then_some(parts)
}

/// Skips literal text; case does not count, white space stands for any amount of it (at least one).
fn skip_text<'a>(mut rest: &'a [u8], text: &str) -> Option<&'a [u8]> {
    let mut chars = text.bytes().peekable();
    while let Some(wanted) = chars.next() {
        if wanted.is_ascii_whitespace() {
            while chars.next_if(u8::is_ascii_whitespace).is_some() {}
            let trimmed = rest.trim_ascii_start();
            if trimmed.len() == rest.len() {
                return None;
            }
            rest = trimmed;
        } else {
            let (found, behind) = rest.split_first()?;
            if !found.eq_ignore_ascii_case(&wanted) {
                return None;
            }
            rest = behind;
        }
    }
    Some(rest)
}

/// A number of up to `width` digits within `[low, high]`. As a backtracking match would, takes a
/// digit less where the number is too large with it.
fn number(rest: &mut &[u8], width: usize, low: u32, high: u32) -> Option<u32> {
    let digits = rest.iter().take(width).take_while(|b| b.is_ascii_digit()).count();
    (1..=digits).rev().find_map(|count| {
        let value = rest[..count].iter().fold(0, |n, b| n * 10 + u32::from(b - b'0'));
        (low..=high).contains(&value).then(|| {
            *rest = &rest[count..];
            value
        })
    })
}

/// A name of a table (or its first `letters` letters), whatever the case.
fn name(rest: &mut &[u8], names: &[&str], letters: Option<usize>) -> Option<u32> {
    let found = names.iter().position(|name| {
        let name = &name.as_bytes()[..letters.unwrap_or(name.len())];
        rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
    })?;
    *rest = &rest[letters.unwrap_or(names[found].len())..];
    Some(found as u32)
}

fn four_digits(rest: &mut &[u8]) -> Option<i64> {
    let digits = rest.first_chunk::<4>().filter(|d| d.iter().all(u8::is_ascii_digit))?;
    let value = digits.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'));
    *rest = &rest[4..];
    Some(value)
}

fn two_digits(rest: &mut &[u8]) -> Option<i64> {
    let digits = rest.first_chunk::<2>().filter(|d| d.iter().all(u8::is_ascii_digit))?;
    let value = i64::from((digits[0] - b'0') * 10 + (digits[1] - b'0'));
    *rest = &rest[2..];
    Some(value)
}

fn parse_field(field: Field, rest: &mut &[u8], parts: &mut Parts) -> Option<()> {
    match field {
        Field::Year => parts.year = Some(four_digits(rest)?),
        Field::Century => parts.century = Some(two_digits(rest)?),
        Field::YearOfCentury => parts.year_of_century = Some(two_digits(rest)?),
        Field::IsoYear => parts.iso_year = Some(four_digits(rest)?),
        Field::Month => parts.month = Some(number(rest, 2, 1, 12)?),
        Field::Day => {
            if let [b' ', behind @ ..] = *rest {
                *rest = behind;
            }
            parts.day = Some(number(rest, 2, 1, 31)?);
        }
        Field::Hour => parts.hour = number(rest, 2, 0, 23)?,
        Field::Hour12 => parts.hour12 = Some(number(rest, 2, 1, 12)?),
        Field::Minute => parts.minute = number(rest, 2, 0, 59)?,
        Field::Second => parts.second = number(rest, 2, 0, 59)?,
        Field::Fraction => {
            let count = rest.iter().take(9).take_while(|b| b.is_ascii_digit()).count();
            if count == 0 {
                return None;
            }
            parts.nanos = iso::fraction(&rest[..count]);
            *rest = &rest[count..];
        }
        Field::DayOfYear => parts.day_of_year = Some(number(rest, 3, 1, 366)?),
        Field::MonthName => parts.month = Some(name(rest, &MONTHS, None)? + 1),
        Field::MonthShort => parts.month = Some(name(rest, &MONTHS, Some(3))? + 1),
        Field::WeekdayName => parts.weekday = Some(name(rest, &WEEKDAYS, None)?),
        Field::WeekdayShort => parts.weekday = Some(name(rest, &WEEKDAYS, Some(3))?),
        Field::HalfDay => parts.afternoon = Some(name(rest, &["AM", "PM"], None)? == 1),
        Field::WeekSunday => parts.week_sunday = Some(number(rest, 2, 0, 53)?),
        Field::WeekMonday => parts.week_monday = Some(number(rest, 2, 0, 53)?),
        Field::WeekdaySunday => parts.weekday = Some((number(rest, 1, 0, 6)? + 6) % 7),
        Field::WeekdayIso => parts.weekday = Some(number(rest, 1, 1, 7)? - 1),
        Field::IsoWeek => parts.iso_week = Some(number(rest, 2, 1, 53)?),
        Field::Nanosecond => {
            let digits = *rest.first_chunk::<9>().filter(|d| d.iter().all(u8::is_ascii_digit))?;
            parts.nanos = iso::fraction(&digits);
            *rest = &rest[digits.len()..];
        }
        Field::Offset => {
            // The longest offset that reads.
            let (offset, len) =
                [9, 7, 6, 5, 3, 1].into_iter().find_map(|len| Some((iso::offset(rest.get(..len)?)?, len)))?;
            parts.offset = Some(offset);
            *rest = &rest[len..];
        }
        Field::Zone => {
            name(rest, &["UTC", "GMT", "Z"], None)?;
            parts.offset.get_or_insert(0);
        }
    }
    Some(())
}

impl Parts {
    /// The time; a date that is not said is 1900-01-01.
    fn resolve(self) -> Option<(i64, u32)> {
        let year = self.year.or_else(|| match (self.century, self.year_of_century) {
            (Some(century), year) => Some(century * 100 + year.unwrap_or(0)),
            // POSIX: 69 to 99 are of the twentieth century.
            (None, Some(year)) => Some(if year < 69 { 2000 + year } else { 1900 + year }),
            (None, None) => None,
        });
        let hour = match (self.hour12, self.afternoon) {
            (Some(hour), Some(true)) => hour % 12 + 12,
            (Some(hour), _) => hour % 12,
            (None, _) => self.hour,
        };
        let seconds = i64::from(hour * 3600 + self.minute * 60 + self.second);
        Some((self.days(year)? * DAY + seconds - self.offset.unwrap_or(0), self.nanos))
    }

    fn days(&self, year: Option<i64>) -> Option<i64> {
        if let (Some(year), Some(week)) = (self.iso_year, self.iso_week) {
            let days = calendar::iso_year_start(year) + i64::from((week - 1) * 7 + self.weekday?);
            return (calendar::iso_week(days) == (year, week)).then_some(days);
        }
        let start = |year: i64| calendar::days_from_civil(year, 1, 1);
        if let (Some(year), Some(day)) = (year, self.day_of_year) {
            return (day <= 365 || calendar::is_leap_year(year)).then(|| start(year) + i64::from(day) - 1);
        }
        if let (Some(year), Some(weekday), None, None) = (year, self.weekday, self.month, self.day) {
            let first = calendar::weekday(start(year));
            // Days before the first Sunday (Monday) are in week 0.
            let of_week = |week: u32, first: u32, weekday: u32| {
                start(year) + i64::from((7 - first) % 7) + (i64::from(week) - 1) * 7 + i64::from(weekday)
            };
            let days = match (self.week_sunday, self.week_monday) {
                (Some(week), _) => Some(of_week(week, (first + 1) % 7, (weekday + 1) % 7)),
                (None, Some(week)) => Some(of_week(week, first, weekday)),
                (None, None) => None,
            };
            if days.is_some() {
                return days;
            }
        }
        let (year, month, day) = (year.unwrap_or(1900), self.month.unwrap_or(1), self.day.unwrap_or(1));
        (day <= calendar::days_in_month(year, month)).then(|| calendar::days_from_civil(year, month, day))
    }
}
