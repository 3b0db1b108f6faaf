//! ISO 8601 text to timestamps.
//!
//! Year first: `2024-03-01`, `2024/3/1`, `20240301`, `2024-03`, `2024`; then, after a `T` or a
//! blank, `12`, `12:30`, `12:30:15`, `12:30:15.123456789`; then `Z`, `±hh`, `±hhmm` or `±hh:mm`,
//! which is converted to UTC. Digits of the fraction beyond the ninth are dropped. Proleptic
//! Gregorian calendar, years 0 to 9999.

use cuprum_column::TimeUnit;

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instant {
    /// Seconds since 1970-01-01 00:00:00.
    seconds: i64,
    /// Nanoseconds of the second.
    nanos: u32,
    /// Digits of the fraction as they were written.
    pub(super) fraction_digits: usize,
    /// The minutes by which the clock is ahead of UTC, if they were written.
    pub(super) offset: Option<i16>,
}

impl Instant {
    /// The count of `unit`, rounded down; `None` where it does not fit 64 bits.
    pub(super) fn in_unit(self, unit: TimeUnit) -> Option<i64> {
        match unit.per_second() {
            None => Some(self.seconds.div_euclid(86_400)),
            Some(per_second) => {
                let fraction = i64::from(self.nanos) / (1_000_000_000 / per_second);
                if self.seconds < 0 {
                    // From above, so that the smallest value does not overflow on the way.
                    (self.seconds + 1).checked_mul(per_second)?.checked_add(fraction - per_second)
                } else {
                    self.seconds.checked_mul(per_second)?.checked_add(fraction)
                }
            }
        }
    }
}

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar (Hinnant, "chrono-compatible
/// low-level date algorithms").
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Reads text from the left.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// `least` to `most` decimal digits.
    #[inline(always)]
    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let (mut value, mut n) = (0i64, 0);
        while n < most && self.0.get(n).is_some_and(u8::is_ascii_digit) {
            value = value * 10 + i64::from(self.0[n] - b'0');
            n += 1;
        }
        self.0 = &self.0[n..];
        (n >= least).then_some(value)
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        self.0 = &self.0[usize::from(found)..];
        found
    }
}

/// `text` as a point in time; blanks around it do not matter.
pub(super) fn instant(text: &[u8]) -> Option<Instant> {
    if let Some(instant) = plain(text) {
        return Some(instant);
    }
    let mut rest = Cursor(text.trim_ascii());
    let days = date(&mut rest)?;
    let mut instant = Instant { seconds: days * 86_400, nanos: 0, fraction_digits: 0, offset: None };
    if rest.take(b'T') || rest.take(b't') || (rest.0.len() > 1 && rest.take(b' ')) {
        time(&mut rest, &mut instant)?;
    }
    rest.0.is_empty().then_some(instant)
}

/// The most common forms, read at fixed places: `2024-03-01` and `2024-03-01 12:30:15` (or with a `T`; a `Z` or
/// `+01:00` may be behind).
#[inline(always)]
fn plain(text: &[u8]) -> Option<Instant> {
    let mut all_digits = true;
    let mut two = |tens: u8, ones: u8| {
        let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
        all_digits &= tens <= 9 && ones <= 9;
        i64::from(tens) * 10 + i64::from(ones)
    };
    let (date, time) = text.split_first_chunk::<10>()?;
    let &[y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = date else { return None };
    let (year, month, day) = (two(y0, y1) * 100 + two(y2, y3), two(m0, m1), two(d0, d1));
    let (mut of_day, mut offset) = (0, None);
    match *time {
        [] => {}
        [b' ' | b'T', h0, h1, b':', n0, n1, b':', s0, s1, ref clock @ ..] => {
            let (hour, minute, second) = (two(h0, h1), two(n0, n1), two(s0, s1));
            let (hours, minutes) = match *clock {
                [] | [b'Z'] => (0, 0),
                [b'+' | b'-', o0, o1, b':', p0, p1] => (two(o0, o1), two(p0, p1)),
                _ => return None,
            };
            if hour.max(hours) > 23 || minute.max(second).max(minutes) > 59 {
                return None;
            }
            let ahead = (hours * 60 + minutes) * if clock.first() == Some(&b'-') { -1 } else { 1 };
            offset = (!clock.is_empty()).then_some(ahead as i16);
            of_day = hour * 3_600 + (minute - ahead) * 60 + second;
        }
        _ => return None,
    }
    let exists = all_digits && (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    let seconds = exists.then(|| days_from_civil(year, month, day) * 86_400 + of_day)?;
    Some(Instant { seconds, nanos: 0, fraction_digits: 0, offset })
}

#[inline(always)]
fn date(rest: &mut Cursor<'_>) -> Option<i64> {
    let year = rest.number(4, 4)?;
    let (month, day) = match rest.0.first() {
        Some(&separator @ (b'-' | b'/')) => {
            rest.take(separator);
            let month = rest.number(1, 2)?;
            (month, if rest.take(separator) { rest.number(1, 2)? } else { 1 })
        }
        Some(b'0'..=b'9') => (rest.number(2, 2)?, rest.number(2, 2)?),
        _ => (1, 1),
    };
    let exists = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    exists.then(|| days_from_civil(year, month, day))
}

#[inline(always)]
fn time(rest: &mut Cursor<'_>, instant: &mut Instant) -> Option<()> {
    let hour = rest.number(2, 2)?;
    let (mut minute, mut second) = (0, 0);
    if rest.take(b':') {
        minute = rest.number(2, 2)?;
        if rest.take(b':') {
            second = rest.number(2, 2)?;
            if rest.take(b'.') || rest.take(b',') {
                let digits = rest.0.iter().take_while(|b| b.is_ascii_digit()).count();
                let kept = digits.min(9);
                let value = rest.number(1, 9)?;
                instant.nanos = (value * 10i64.pow(9 - kept as u32)) as u32;
                instant.fraction_digits = digits;
                rest.0 = &rest.0[digits - kept..];
            }
        }
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    instant.seconds += hour * 3_600 + minute * 60 + second;
    rest.take(b' ');
    if rest.take(b'Z') || rest.take(b'z') {
        instant.offset = Some(0);
        return Some(());
    }
    let east = rest.take(b'+');
    if east || rest.take(b'-') {
        let hours = rest.number(2, 2)?;
        let minutes = if rest.take(b':') || !rest.0.is_empty() { rest.number(2, 2)? } else { 0 };
        if hours > 23 || minutes > 59 {
            return None;
        }
        let ahead = (hours * 60 + minutes) * if east { 1 } else { -1 };
        instant.offset = Some(ahead as i16);
        instant.seconds -= ahead * 60;
    }
    Some(())
}

/// The date of the proleptic Gregorian calendar that many days after 1970-01-01: year, month, day
/// (Hinnant, as [`days_from_civil`]).
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days.saturating_add(719_468);
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}
