//! Reading ISO 8601.

use super::calendar::{DAY, days_from_civil, days_in_month};

/// A time in one of the forms of ISO 8601 as seconds since 1970-01-01 UTC and nanoseconds within
/// the second; `None` for anything else.
///
/// Forms: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, `YYYYMMDD`, and the last two followed by `T` or a space
/// and `HH[:MM[:SS[.fraction]]]` and, optionally behind a space, `Z` or `±HH[[:]MM]`, which is
/// converted to UTC. `/` may stand for `-` in the date, `,` for the decimal point. Digits of the
/// fraction behind the ninth are dropped. As people write them, month, day and hour may have one
/// digit where something stands between them: `2012-1-5 7:30`.
#[inline]
pub fn parse_iso(text: &[u8]) -> Option<(i64, u32)> {
    // By far the most frequent layouts.
    if let Some(date) = text.first_chunk::<10>()
        && let Some(days) = extended_date(date)
    {
        if text.len() == 10 {
            return Some((days * DAY, 0));
        }
        if text.len() == 19
            && let Some(clock) = text.last_chunk::<9>()
            && let Some(seconds) = full_clock(clock)
        {
            return Some((days * DAY + seconds, 0));
        }
        return time_of_day(days, &text[10..]);
    }
    parse_rare(text)
}

/// Two digits as a number; above 99 where they are not digits.
#[inline(always)]
fn two(high: u8, low: u8) -> u32 {
    let (high, low) = (high.wrapping_sub(b'0'), low.wrapping_sub(b'0'));
    if high > 9 || low > 9 { 1000 } else { u32::from(high) * 10 + u32::from(low) }
}

/// `YYYY-MM-DD` as days since the epoch.
#[inline(always)]
fn extended_date(b: &[u8; 10]) -> Option<i64> {
    if !(b[4] == b'-' && b[7] == b'-' || b[4] == b'/' && b[7] == b'/') {
        return None;
    }
    date(two(b[0], b[1]), two(b[2], b[3]), two(b[5], b[6]), two(b[8], b[9]))
}

/// The days since 1970 of a date of the years 0 to 9999; `None` where it is none.
#[inline(always)]
pub(super) fn date(century: u32, year: u32, month: u32, day: u32) -> Option<i64> {
    let whole = i64::from(century * 100 + year);
    if century > 99 || year > 99 || !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    (day <= 28 || day <= days_in_month(whole, month)).then(|| days_from_civil(whole, month, day))
}

/// `[T ]HH:MM:SS` as seconds.
#[inline(always)]
fn full_clock(b: &[u8; 9]) -> Option<i64> {
    let (hour, minute, second) = (two(b[1], b[2]), two(b[4], b[5]), two(b[7], b[8]));
    let separators = (b[0] == b'T' || b[0] == b' ') && b[3] == b':' && b[6] == b':';
    (separators && hour < 24 && minute < 60 && second < 60)
        .then(|| i64::from(hour * 3600 + minute * 60 + second))
}

fn parse_rare(text: &[u8]) -> Option<(i64, u32)> {
    let year = text.first_chunk::<4>()?;
    let (century, year) = (two(year[0], year[1]), two(year[2], year[3]));
    match &text[4..] {
        [] => Some((date(century, year, 1, 1)? * DAY, 0)),
        [separator @ (b'-' | b'/'), rest @ ..] => {
            let (month, rest) = one_or_two(rest)?;
            let Some((between, rest)) = rest.split_first() else {
                return Some((date(century, year, month, 1)? * DAY, 0));
            };
            let (day, rest) = one_or_two(rest).filter(|_| between == separator)?;
            time_of_day(date(century, year, month, day)?, rest)
        }
        [m1, m2, d1, d2, rest @ ..] => time_of_day(date(century, year, two(*m1, *m2), two(*d1, *d2))?, rest),
        _ => None,
    }
}

/// The text behind a date: nothing, or a time and a zone.
fn time_of_day(days: i64, text: &[u8]) -> Option<(i64, u32)> {
    let [b'T' | b' ' | b't', rest @ ..] = text else {
        return text.is_empty().then_some((days * DAY, 0));
    };
    let (hour, rest) = match rest {
        [hour @ b'0'..=b'9', b':', ..] => (u32::from(hour - b'0'), &rest[1..]),
        _ => field(rest, 24)?,
    };
    let (mut seconds, mut nanos, mut rest) = (i64::from(hour) * 3600, 0, rest);
    if let [b':', behind @ ..] = rest {
        let (minute, behind) = field(behind, 60)?;
        seconds += i64::from(minute) * 60;
        rest = behind;
        if let [b':', behind @ ..] = rest {
            let (second, behind) = field(behind, 60)?;
            seconds += i64::from(second);
            rest = behind;
            if let [b'.' | b',', digits @ ..] = rest {
                let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
                if count == 0 {
                    return None;
                }
                nanos = fraction(&digits[..count]);
                rest = &digits[count..];
            }
        }
    }
    if let [b' ', behind @ ..] = rest {
        rest = behind;
        if rest.is_empty() {
            return None;
        }
    }
    let offset = if rest.is_empty() { 0 } else { offset(rest)? };
    Some((days * DAY + seconds - offset, nanos))
}

/// Digits of a fraction of a second as nanoseconds.
pub(super) fn fraction(digits: &[u8]) -> u32 {
    (0..9).fold(0, |nanos, i| nanos * 10 + digits.get(i).map_or(0, |b| u32::from(b - b'0')))
}

/// A number of two digits, or of one where no second follows.
fn one_or_two(text: &[u8]) -> Option<(u32, &[u8])> {
    let digit = |b: &u8| b.is_ascii_digit().then(|| u32::from(b - b'0'));
    let (high, rest) = text.split_first()?;
    let high = digit(high)?;
    Some(match rest.split_first().and_then(|(low, rest)| Some((digit(low)?, rest))) {
        Some((low, rest)) => (high * 10 + low, rest),
        None => (high, rest),
    })
}

fn field(text: &[u8], end: u32) -> Option<(u32, &[u8])> {
    let [high, low, rest @ ..] = text else { return None };
    let value = two(*high, *low);
    (value < end).then_some((value, rest))
}

/// The offset that a time of ISO 8601 ends with, in seconds east of UTC; `None` where it has none.
pub(super) fn stated_offset(text: &[u8]) -> Option<i64> {
    let clock = text.iter().skip(8).position(|b| matches!(b, b'T' | b't' | b' '))? + 8;
    let sign = text[clock..].iter().position(|b| matches!(b, b'+' | b'-' | b'Z' | b'z'))?;
    offset(&text[clock + sign..])
}

/// `Z` or `±HH[[:]MM[[:]SS]]` in seconds east of UTC.
pub(super) fn offset(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        [b'Z' | b'z'] => return Some(0),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let (hours, mut rest) = field(digits, 24)?;
    let mut seconds = i64::from(hours) * 3600;
    for scale in [60, 1] {
        if rest.is_empty() {
            break;
        }
        let (value, behind) = field(rest.strip_prefix(b":").unwrap_or(rest), 60)?;
        seconds += i64::from(value) * scale;
        rest = behind;
    }
    rest.is_empty().then_some(sign * seconds)
}
