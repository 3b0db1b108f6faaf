//! Texts that name times: `"2013-01"` is a month, `"2013-01-05 12"` an hour.
//!
//! A text names every time of the unit that it is written in: as a slice's first label it means the start
//! of that unit, as the last one its end. As a label by itself it selects the whole unit where some label is
//! finer than it, and is the one time at its start where none is. Years, quarters and months are always units.
//! Dates with a zone name one time, and so do those in forms that neither ISO 8601 nor `date_spellings` has.

use std::ops::RangeInclusive;

use cuprum_column::{Column, DataType, Result, Scalar, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary::cast;

use super::date_spellings::iso;
use super::promotion;

/// The unit that a date is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    Year,
    Quarter,
    Month,
    /// A whole number of these in a day.
    PerDay(i64),
}

const DAY: i64 = 86_400;

/// The ticks of `unit` that `text` names; `None` for a text of another form.
///
/// The range is empty where the text lies between two ticks.
pub(crate) fn ticks(text: &str, unit: TimeUnit) -> Option<RangeInclusive<i64>> {
    let text = &*iso(text);
    let precision = precision(text)?;
    // A tick that is fine enough for both.
    let fine = match precision {
        Precision::PerDay(per_day) => {
            let units =
                [TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds, TimeUnit::Nanoseconds];
            let needed = units.into_iter().find(|unit| unit.per_day() >= per_day);
            needed.unwrap_or(TimeUnit::Nanoseconds).max(unit)
        }
        _ => unit,
    };
    let tick =
        |text: &str| promotion::parse_time(&Scalar::string(text), DataType::Timestamp(fine)).ok()?.as_i64();
    let first = match precision {
        Precision::Quarter => tick(&quarter_start(text)),
        _ => tick(text),
    }?;
    let last = match precision {
        Precision::PerDay(per_day) => first.saturating_add(fine.per_day() / per_day - 1),
        _ => tick(&following(text, precision)).map_or(i64::MAX, |next| next - 1),
    };
    let ratio = fine.per_day() / unit.per_day();
    Some(-(-first).div_euclid(ratio)..=last.div_euclid(ratio))
}

/// Whether `text` as a label selects a unit of time among labels stored in ticks of `unit`, not one time;
/// `resolution` says which [`resolution`] they have.
pub(crate) fn is_span(text: &str, unit: TimeUnit, resolution: impl FnOnce() -> Result<i64>) -> Result<bool> {
    match precision(&iso(text)) {
        None => Ok(false),
        Some(Precision::Year | Precision::Quarter | Precision::Month) => Ok(ticks(text, unit).is_some()),
        Some(Precision::PerDay(per_day)) => Ok(per_day < unit.per_day() && per_day < resolution()?),
    }
}

/// The number of the coarsest units in a day at whose starts all times are: 1 for days, 24 for hours.
pub(crate) fn resolution(times: &Column) -> Result<i64> {
    let DataType::Timestamp(unit) = times.data_type() else { return Ok(1) };
    let ctx = times.context()?;
    let ticks = cast(times, DataType::Int64, &ctx)?;
    for per_day in [1, 24, 24 * 60, DAY, DAY * 1_000, DAY * 1_000_000] {
        if per_day >= unit.per_day() {
            break;
        }
        let divisor = Scalar::from(unit.per_day() / per_day);
        let rest = binary_operation(&ticks, &divisor, BinaryOperator::Mod, &ctx)?;
        let within = reduce(&cast(&rest, DataType::Bool8, &ctx)?, Aggregation::Any, &ctx)?;
        if within.as_bool() != Some(true) {
            return Ok(per_day);
        }
    }
    Ok(unit.per_day())
}

/// A mask of the labels in `range`.
pub(crate) fn within(level: &Column, range: &RangeInclusive<i64>) -> Result<Column> {
    let ctx = level.context()?;
    let time = |tick: i64| Scalar::new(level.data_type(), Value::Int(tick));
    let from = binary_operation(level, &time(*range.start())?, BinaryOperator::GreaterEqual, &ctx)?;
    let to = binary_operation(level, &time(*range.end())?, BinaryOperator::LessEqual, &ctx)?;
    binary_operation(&from, &to, BinaryOperator::And, &ctx)
}

/// The unit of a date in one of the forms of ISO 8601 without a zone, or of a quarter.
fn precision(text: &str) -> Option<Precision> {
    let text = text.as_bytes();
    let digits = |part: &[u8], count: usize| part.len() == count && part.iter().all(u8::is_ascii_digit);
    let (date, clock) = match text.iter().position(|b| matches!(b, b'T' | b't' | b' ')) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let of_date = match date.len() {
        4 if digits(date, 4) => Precision::Year,
        6 if digits(&date[..4], 4) && matches!(date[4..], [b'Q', b'1'..=b'4']) => Precision::Quarter,
        7 if digits(&date[..4], 4) && matches!(date[4], b'-' | b'/') && digits(&date[5..], 2) => {
            Precision::Month
        }
        8 if digits(date, 8) => Precision::PerDay(1),
        10 if matches!(date[4], b'-' | b'/') && date[4] == date[7] => Precision::PerDay(1),
        _ => return None,
    };
    let Some(clock) = clock else { return Some(of_date) };
    if of_date != Precision::PerDay(1) {
        return None;
    }
    let (clock, fraction) = match clock.iter().position(|b| matches!(b, b'.' | b',')) {
        Some(at) => (&clock[..at], Some(&clock[at + 1..])),
        None => (clock, None),
    };
    let parts: Vec<&[u8]> = clock.split(|&b| b == b':').collect();
    if !parts.iter().all(|part| digits(part, 2)) {
        return None;
    }
    Some(Precision::PerDay(match (parts.len(), fraction) {
        (1, None) => 24,
        (2, None) => 24 * 60,
        (3, None) => DAY,
        (3, Some(fraction)) if digits(fraction, fraction.len()) => match fraction.len() {
            1..=3 => DAY * 1_000,
            4..=6 => DAY * 1_000_000,
            7..=9 => DAY * 1_000_000_000,
            _ => return None,
        },
        _ => return None,
    }))
}

/// The first month of the quarter in `text`, which [`precision`] has read.
fn quarter_start(text: &str) -> String {
    let quarter = text[5..].parse().unwrap_or(1_u32);
    format!("{}-{:02}", &text[..4], 3 * quarter - 2)
}

/// The text of the month behind the year, quarter or month in `text`, which [`precision`] has read.
fn following(text: &str, precision: Precision) -> String {
    let year: i64 = text[..4].parse().unwrap_or(0);
    match precision {
        Precision::Quarter if &text[5..] != "4" => {
            format!("{year:04}-{:02}", 3 * text[5..].parse::<u32>().unwrap_or(0) + 1)
        }
        Precision::Month if &text[5..] != "12" => {
            format!("{year:04}-{:02}", text[5..].parse::<u32>().unwrap_or(0) + 1)
        }
        _ => format!("{:04}-01", year + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_a_unit_of_time() {
        let day = |text| ticks(text, TimeUnit::Days);
        assert_eq!(day("1970"), Some(0..=364));
        assert_eq!(day("1970-02"), Some(31..=58));
        assert_eq!(day("1969-12"), Some(-31..=-1));
        assert_eq!(day("1970Q1"), Some(0..=89));
        assert_eq!(day("1969q4"), Some(-92..=-1));
        assert_eq!(day("Feb 1970"), Some(31..=58));
        assert_eq!(day("2/1/1970"), Some(31..=31));
        assert_eq!(day("19700103"), Some(2..=2));
        assert_eq!(day("9999"), Some(2_932_532..=i64::MAX));
        assert_eq!(day("1970-02-01Z"), None);
        assert_eq!(day("1970Q5"), None);
        let second = |text| ticks(text, TimeUnit::Seconds);
        assert_eq!(second("1970-01-01"), Some(0..=86_399));
        assert_eq!(second("1970-01-01 01"), Some(3_600..=7_199));
        assert_eq!(second("1970-01-01T01:01"), Some(3_660..=3_719));
        // Between two ticks there is no time.
        assert!(second("1970-01-01 00:00:00.5").unwrap().is_empty());
        assert_eq!(second("1970-01-01 00:00:00.0"), Some(0..=0));
        assert!(day("1970-01-02 05:00").unwrap().is_empty());
    }
}
