//! Parsers of single values. Errors of either device about a row come from here.

use cuprum_column::{ErrorKind, Result, TimeUnit};

use super::categories::is_space;

fn trim(row: &str) -> &str {
    if row.as_bytes().first().is_some_and(u8::is_ascii_graphic)
        && row.as_bytes().last().is_some_and(u8::is_ascii_graphic)
    {
        return row;
    }
    row.trim_matches(is_space)
}

pub(super) fn parse_integer<T: std::str::FromStr<Err = std::num::ParseIntError>>(
    row: &str,
) -> Result<T, ErrorKind> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    let text = trim(row);
    text.parse().map_err(|e: std::num::ParseIntError| {
        // Unsigned types take no sign at all: a negative number is out of their range.
        let negative = text
            .strip_prefix('-')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
        if matches!(e.kind(), PosOverflow | NegOverflow) || negative {
            ErrorKind::Overflow
        } else {
            ErrorKind::InvalidArgument
        }
    })
}

pub(super) fn parse_float<T: fast_float2::FastFloat>(row: &str) -> Result<T, ErrorKind> {
    fast_float2::parse(trim(row)).map_err(|_| ErrorKind::InvalidArgument)
}

pub(super) fn parse_bool(row: &str) -> Result<u8, ErrorKind> {
    match trim(row) {
        "True" | "true" | "TRUE" => Ok(1),
        "False" | "false" | "FALSE" => Ok(0),
        _ => Err(ErrorKind::InvalidArgument),
    }
}

pub(super) fn parse_duration<T: TryFrom<i128>>(row: &str, unit: TimeUnit) -> Result<T, ErrorKind> {
    let nanos = duration_nanos(trim(row)).ok_or(ErrorKind::InvalidArgument)?;
    let per_unit = i128::from(TimeUnit::Nanoseconds.per_day() / unit.per_day());
    T::try_from(nanos.div_euclid(per_unit)).map_err(|_| ErrorKind::Overflow)
}

/// `[-]N day[s]`, `[+|-]HH:MM:SS[.f]`, or the first followed by the second.
fn duration_nanos(text: &str) -> Option<i128> {
    const SECOND: i128 = 1_000_000_000;
    let number = |digits: &str| -> Option<i128> {
        if digits.is_empty() || digits.len() > 18 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        digits.parse().ok()
    };
    let (days, clock) = match text.split_once(" day") {
        Some((days, rest)) => {
            let (sign, digits) = days.strip_prefix('-').map_or((1, days), |rest| (-1, rest));
            let rest = rest.strip_prefix('s').unwrap_or(rest);
            if !rest.is_empty() && !rest.starts_with(' ') {
                return None;
            }
            (sign * number(digits)? * 86_400 * SECOND, rest.trim_start())
        }
        None => (0, text),
    };
    if clock.is_empty() {
        return (!text.is_empty()).then_some(days);
    }
    let (sign, clock) = match clock.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, clock.strip_prefix('+').unwrap_or(clock)),
    };
    let mut fields = clock.splitn(3, ':');
    let (hours, minutes) = (number(fields.next()?)?, number(fields.next()?)?);
    let (seconds, fraction) = match fields.next() {
        Some(text) => text.split_once('.').map_or((text, None), |(s, f)| (s, Some(f))),
        None => ("0", None),
    };
    let seconds = number(seconds)?;
    let nanos = match fraction {
        Some(digits) if digits.len() <= 9 => number(digits)? * 10i128.pow(9 - digits.len() as u32),
        Some(_) => return None,
        None => 0,
    };
    if minutes > 59 || seconds > 59 {
        return None;
    }
    Some(days + sign * ((hours * 3600 + minutes * 60 + seconds) * SECOND + nanos))
}
