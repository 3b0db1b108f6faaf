//! Text to numbers.
//!
//! The `*_field` functions read a number straight from the text and stop behind it: they know only
//! the plain forms and leave everything else to the functions that get the field's bytes.

use crate::rounding::exact;

/// The integer at `at` (an optional `-`, 1 to 18 digits) and the position behind its last digit.
/// `data` must go on for at least one byte after the number.
#[inline(always)]
pub(super) fn int_field(data: &[u8], at: usize) -> Option<(i64, usize)> {
    let negative = data[at] == b'-';
    let first = at + usize::from(negative);
    let (value, stop) = digits(data, first, 0);
    if stop == first || stop - first > 18 {
        return None;
    }
    let value = value as i64;
    Some((if negative { -value } else { value }, stop))
}

/// Appends the decimal digits at `at` to `value` (wrapping), and the position behind them.
#[inline(always)]
fn digits(data: &[u8], at: usize, value: u64) -> (u64, usize) {
    let (mut value, mut at) = (value, at);
    while let Some(&byte) = data.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (value, at)
}

/// The float at `at` (an optional `-`, digits, an optional fraction and exponent) and the position
/// behind it. Correctly rounded: Clinger's exact case (PLDI 1990), else fast-float2.
#[inline(always)]
pub(super) fn float_field(data: &[u8], at: usize) -> Option<(f64, usize)> {
    let negative = data[at] == b'-';
    let first = at + usize::from(negative);
    let (whole, point) = digits(data, first, 0);
    let (mut mantissa, mut stop, mut scale, mut count) = (whole, point, 0i64, point - first);
    if data.get(point) == Some(&b'.') {
        (mantissa, stop) = digits(data, point + 1, whole);
        scale = (stop - point - 1) as i64;
        count += stop - point - 1;
    }
    if count == 0 {
        return None;
    }
    let mut exponent = -scale;
    if matches!(data.get(stop), Some(b'e' | b'E')) {
        let minus = data.get(stop + 1) == Some(&b'-');
        let signed = minus || data.get(stop + 1) == Some(&b'+');
        let start = stop + 1 + usize::from(signed);
        let (power, after) = digits(data, start, 0);
        if after == start || after - start > 9 {
            return None;
        }
        exponent += if minus { -(power as i64) } else { power as i64 };
        stop = after;
    }
    if count <= 19
        && let Some(value) = exact(mantissa, exponent)
    {
        return Some((if negative { -value } else { value }, stop));
    }
    if count > 19 && point == stop {
        // More digits than 64 bits hold and no fraction: the careful path decides what it is.
        return None;
    }
    fast_float2::parse(&data[at..stop]).ok().map(|value| (value, stop))
}

/// A whole number of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer {
    /// It fits `i64`.
    Signed(i64),
    /// It fits `u64` only.
    Unsigned(u64),
    /// It fits neither.
    Huge,
}

/// `text` as a whole number: blanks around, a sign, decimal digits.
pub(super) fn integer(text: &[u8]) -> Option<Integer> {
    let text = text.trim_ascii();
    let (negative, body) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if body.is_empty() || !body.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = body
        .iter()
        .try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
    Some(match value {
        Some(value) if negative => 0i64.checked_sub_unsigned(value).map_or(Integer::Huge, Integer::Signed),
        Some(value) => i64::try_from(value).map_or(Integer::Unsigned(value), Integer::Signed),
        None => Integer::Huge,
    })
}

/// `text` as a float: blanks around, a sign, decimal digits with a fraction and an exponent; or,
/// without blanks, `inf` and `infinity` in any case. NaN has no spelling of its own: the missing
/// value strings stand for it.
pub(super) fn float(text: &[u8]) -> Option<f64> {
    let trimmed = text.trim_ascii();
    let (negative, body) = match trimmed {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, trimmed),
    };
    let value = match body.first()? {
        b'0'..=b'9' | b'.' => fast_float2::parse(body).ok()?,
        b'i' | b'I' if trimmed.len() == text.len() => {
            if !body.eq_ignore_ascii_case(b"inf") && !body.eq_ignore_ascii_case(b"infinity") {
                return None;
            }
            f64::INFINITY
        }
        _ => return None,
    };
    Some(if negative { -value } else { value })
}
