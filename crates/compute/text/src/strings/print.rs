//! Numbers and times as text, in the spelling of Python and pandas.

use std::fmt::Write;

use cuprum_column::{Column, Context, DataType, Native, Result, TimeUnit};
use cuprum_runtime::parallel;

use super::integers;
use cuprum_elements::string_map as rows;
use cuprum_times::datetime::calendar::{Civil, push_digits, push_two};

/// Adds a float as Python's `repr` has it: the shortest digits that give the same value back,
/// `1.0`, `1e+16`, `1e-05`, `nan`, `inf`, `-0.0`.
pub(crate) fn push_float<F: ryu::Float + Native>(value: F, out: &mut String) {
    let wide = value.as_f64();
    if wide.is_nan() {
        return out.push_str("nan");
    }
    if wide.is_infinite() {
        return out.push_str(if wide > 0.0 { "inf" } else { "-inf" });
    }
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    // The digits are right; only the form depends on the exponent.
    let magnitude = wide.abs();
    if (1e-4..1e16).contains(&magnitude) && !text.contains('e') || magnitude == 0.0 {
        return out.push_str(text);
    }
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // digits × 10^scale, without zeros at the ends.
    let mut digits: String = format!("{whole}{fraction}");
    let mut scale = exponent - fraction.len() as i32;
    while digits.len() > 1 && digits.ends_with('0') {
        digits.pop();
        scale += 1;
    }
    let digits = digits.trim_start_matches('0');
    let point = digits.len() as i32 + scale;
    out.push_str(sign);
    if (-3..=16).contains(&point) {
        if point <= 0 {
            out.push_str("0.");
            (point..0).for_each(|_| out.push('0'));
            out.push_str(digits);
        } else if (point as usize) < digits.len() {
            let (whole, fraction) = digits.split_at(point as usize);
            let _ = write!(out, "{whole}.{fraction}");
        } else {
            out.push_str(digits);
            (digits.len()..point as usize).for_each(|_| out.push('0'));
            out.push_str(".0");
        }
        return;
    }
    let (first, rest) = digits.split_at(1);
    out.push_str(first);
    if !rest.is_empty() {
        let _ = write!(out, ".{rest}");
    }
    let power = point - 1;
    let _ = write!(out, "e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs());
}

/// The finest unit of a time to be printed, so that no row loses anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resolution {
    Days,
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl Resolution {
    /// The numbers that kernels have for them are their places.
    pub(super) const ALL: [Self; 5] =
        [Self::Days, Self::Seconds, Self::Milliseconds, Self::Microseconds, Self::Nanoseconds];

    /// What durations have: never three digits of a second.
    pub(super) fn of_durations(self) -> Self {
        if self == Self::Milliseconds { Self::Microseconds } else { self }
    }

    fn of(nanos_of_day: i64) -> Self {
        match nanos_of_day {
            0 => Self::Days,
            n if n % 1_000_000_000 == 0 => Self::Seconds,
            n if n % 1_000_000 == 0 => Self::Milliseconds,
            n if n % 1_000 == 0 => Self::Microseconds,
            _ => Self::Nanoseconds,
        }
    }

    /// Adds a fraction of a second with the digits of the resolution.
    fn push_fraction(self, nanos: u32, out: &mut String) {
        let (number, width) = match self {
            Self::Days | Self::Seconds => return,
            Self::Milliseconds => (nanos / 1_000_000, 3),
            Self::Microseconds => (nanos / 1_000, 6),
            Self::Nanoseconds => (nanos, 9),
        };
        out.push('.');
        push_digits(number, width, out);
    }
}

/// The finest resolution that a valid row needs.
fn resolution<T: Native>(column: &Column, unit: TimeUnit, ctx: &Context) -> Result<Resolution> {
    let view = column.view()?;
    let values = view.values::<T>()?;
    let valid = view.validity();
    let per_day = unit.per_day();
    let nanos = TimeUnit::Nanoseconds.per_day() / per_day;
    let parts = parallel::map_morsels(values.len(), ctx, |range| {
        Ok(range
            .filter(|&i| valid.is_none_or(|bits| bits.get(i)))
            .map(|i| Resolution::of(values[i].as_i64().rem_euclid(per_day) * nanos))
            .max()
            .unwrap_or(Resolution::Days))
    })?;
    Ok(parts.into_iter().max().unwrap_or(Resolution::Days))
}

/// Timestamps as pandas prints a column: dates alone where every time is midnight, else with as
/// many digits of the second as some row needs (0, 3, 6 or 9).
pub(super) fn timestamps<T: Native>(column: &Column, unit: TimeUnit, ctx: &Context) -> Result<Column> {
    let shown = resolution::<T>(column, unit, ctx)?;
    let view = column.view()?;
    let values = view.values::<T>()?;
    let valid = view.validity();
    rows::from_writer(values.len(), ctx, |i, out| {
        if valid.is_some_and(|bits| !bits.get(i)) {
            return Ok(false);
        }
        let time = Civil::from_units(values[i].as_i64(), unit);
        time.push_date(out);
        if shown > Resolution::Days {
            out.push(' ');
            time.push_time(out);
            shown.push_fraction(time.nanosecond, out);
        }
        Ok(true)
    })
}

/// Durations as pandas prints a column: `1 days` where all are whole days, else
/// `1 days 02:03:04` with as many digits of the second as some row needs (0, 6 or 9).
pub(super) fn durations<T: Native>(column: &Column, unit: TimeUnit, ctx: &Context) -> Result<Column> {
    let shown = resolution::<T>(column, unit, ctx)?.of_durations();
    let view = column.view()?;
    let values = view.values::<T>()?;
    let valid = view.validity();
    let per_day = unit.per_day();
    let nanos = TimeUnit::Nanoseconds.per_day() / per_day;
    rows::from_writer(values.len(), ctx, |i, out| {
        if valid.is_some_and(|bits| !bits.get(i)) {
            return Ok(false);
        }
        let value = values[i].as_i64();
        let (days, rest) = (value.div_euclid(per_day), value.rem_euclid(per_day) * nanos);
        out.push_str(itoa::Buffer::new().format(days));
        out.push_str(" days");
        if shown > Resolution::Days {
            out.push_str(if days < 0 { " +" } else { " " });
            let seconds = (rest / 1_000_000_000) as u32;
            push_two(seconds / 3600, out);
            out.push(':');
            push_two(seconds / 60 % 60, out);
            out.push(':');
            push_two(seconds % 60, out);
            shown.push_fraction((rest % 1_000_000_000) as u32, out);
        }
        Ok(true)
    })
}

/// Integers, floats and booleans.
pub(super) fn numbers(column: &Column, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let valid = view.validity();
    let is_valid = |i: usize| valid.is_none_or(|bits| bits.get(i));
    macro_rules! print {
        ($T:ty, $push:expr) => {{
            let values = view.values::<$T>()?;
            rows::from_writer(values.len(), ctx, |i, out| {
                if is_valid(i) {
                    $push(values[i], out);
                }
                Ok(is_valid(i))
            })
        }};
    }
    match column.data_type() {
        DataType::Int8 => integers::print::<i8>(column, ctx),
        DataType::Int16 => integers::print::<i16>(column, ctx),
        DataType::Int32 => integers::print::<i32>(column, ctx),
        DataType::UInt8 => integers::print::<u8>(column, ctx),
        DataType::UInt16 => integers::print::<u16>(column, ctx),
        DataType::UInt32 => integers::print::<u32>(column, ctx),
        DataType::UInt64 => integers::print::<u64>(column, ctx),
        DataType::Float32 => print!(f32, push_float),
        DataType::Float64 => print!(f64, push_float),
        DataType::Bool8 => {
            print!(u8, |value: u8, out: &mut String| out.push_str(if value == 0 { "False" } else { "True" }))
        }
        _ => integers::print::<i64>(column, ctx),
    }
}
