//! Values to text, as pandas writes them.

use cuprum_column::{Bitmap, ColumnView, Context, Result, TimeUnit};
use cuprum_runtime::parallel;

use super::WriteOptions;
use super::date::civil_from_days;
use super::write::RecordFormat;
use crate::text::{Values, integer};

/// A column that gives its values as text.
pub(super) struct Field<'a> {
    values: Values<'a>,
    /// The precision of the times, where there are any.
    precision: Precision,
    validity: Option<Bitmap<'a>>,
}

/// The precision of times that every value of a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    Day,
    Second,
    Milli,
    Micro,
    Nano,
}

impl Precision {
    /// The precision that one value needs.
    fn of(value: i64, unit: TimeUnit) -> Self {
        if value.rem_euclid(unit.per_day()) == 0 {
            return Self::Day;
        }
        let per_second = unit.per_second().unwrap_or(1);
        let nanos = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
        match nanos {
            0 => Self::Second,
            n if n % 1_000_000 == 0 => Self::Milli,
            n if n % 1000 == 0 => Self::Micro,
            _ => Self::Nano,
        }
    }

    fn of_column(
        values: &[i64],
        validity: Option<Bitmap<'_>>,
        unit: TimeUnit,
        ctx: &Context,
    ) -> Result<Self> {
        let parts = parallel::map_morsels(values.len(), ctx, |range| {
            let valid = range.filter(|&i| validity.is_none_or(|bits| bits.get(i)));
            Ok(valid.map(|i| Self::of(values[i], unit)).max())
        })?;
        Ok(parts.into_iter().flatten().max().unwrap_or(Self::Day))
    }
}

impl<'a> Field<'a> {
    pub(super) fn new(view: &'a ColumnView<'_>, ctx: &Context) -> Result<Self> {
        let validity = view.validity();
        // Values of no other kind have been made text before, or are refused here.
        let values = match Values::of(view)? {
            Some(values) => values,
            None => Values::Text(view.strings()?),
        };
        let precision = match &values {
            Values::Timestamp(values, unit) | Values::Duration(values, unit) => {
                Precision::of_column(values, validity, *unit, ctx)?
            }
            _ => Precision::Day,
        };
        Ok(Self { values, precision, validity })
    }

    /// Appends the value of `row` as a field.
    #[inline]
    pub(super) fn write(&self, row: usize, layout: &RecordFormat<'_>, out: &mut Vec<u8>) {
        let options = layout.options;
        if self.validity.is_some_and(|bits| !bits.get(row)) {
            layout.text(options.na_rep.as_bytes(), out);
            return;
        }
        let start = out.len();
        let precision = self.precision;
        match &self.values {
            Values::Float32(v) if v[row].is_nan() => return layout.text(options.na_rep.as_bytes(), out),
            Values::Float64(v) if v[row].is_nan() => return layout.text(options.na_rep.as_bytes(), out),
            Values::Float32(v) => float(v[row], f64::from(v[row]), options, out),
            Values::Float64(v) => float(v[row], v[row], options, out),
            Values::Bool(v) => out.extend_from_slice(if v[row] == 0 { b"False" } else { b"True" }),
            Values::Text(v) => return layout.text_in(v.chars(), v.range(row), out),
            Values::Days(v) => {
                date(i64::from(v[row]), out);
                return layout.plain_text(start, out);
            }
            Values::Timestamp(v, unit) => {
                let per_day = unit.per_day();
                date(v[row].div_euclid(per_day), out);
                if precision > Precision::Day {
                    out.push(b' ');
                    time(v[row].rem_euclid(per_day), *unit, precision, out);
                }
                return layout.plain_text(start, out);
            }
            Values::DurationDays(v) => {
                integer(v[row], out);
                out.extend_from_slice(b" days");
                return layout.plain_text(start, out);
            }
            Values::Duration(v, unit) => {
                let per_day = unit.per_day();
                let days = v[row].div_euclid(per_day);
                integer(days, out);
                out.extend_from_slice(b" days");
                if precision > Precision::Day {
                    out.extend_from_slice(if days < 0 { b" +" } else { b" " });
                    // pandas shows six or nine digits, as each value needs.
                    let own = match Precision::of(v[row], *unit) {
                        Precision::Milli => Precision::Micro,
                        own => own.max(Precision::Second),
                    };
                    time(v[row].rem_euclid(per_day), *unit, own, out);
                }
                return layout.plain_text(start, out);
            }
            integers => {
                integers.write_integer(row, out);
            }
        }
        layout.number(start, out);
    }
}

/// A finite or infinite float: with a fixed number of decimals, else the shortest text that reads
/// back the same, in Python's notation.
#[inline]
fn float<F: zmij::Float>(value: F, wide: f64, options: &WriteOptions, out: &mut Vec<u8>) {
    let start = out.len();
    if wide.is_infinite() {
        out.extend_from_slice(if wide > 0.0 { b"inf" } else { b"-inf" });
    } else if let Some(decimals) = options.float_decimals {
        // Writing to memory does not fail.
        let _ = std::io::Write::write_fmt(out, format_args!("{wide:.decimals$}"));
    } else {
        python_notation(zmij::Buffer::new().format_finite(value).as_bytes(), out);
    }
    if options.decimal != b'.' {
        for byte in &mut out[start..] {
            if *byte == b'.' {
                *byte = options.decimal;
            }
        }
    }
}

/// Zmij's text of a float in the notation of Python's `repr`: exponents have at least two digits,
/// and begin at 1e-05 (Zmij: 1e-6).
#[inline]
fn python_notation(text: &[u8], out: &mut Vec<u8>) {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if let Some(small) = digits.strip_prefix(b"0.0000") {
        out.extend_from_slice(&text[..text.len() - digits.len()]);
        out.push(small[0]);
        if small.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&small[1..]);
        }
        out.extend_from_slice(b"e-05");
        return;
    }
    match text {
        [before @ .., b'e', sign @ (b'+' | b'-'), digit] => {
            out.extend_from_slice(before);
            out.extend_from_slice(&[b'e', *sign, b'0', *digit]);
        }
        _ => out.extend_from_slice(text),
    }
}

/// `value` in decimal, with leading zeros to at least `width` digits.
fn padded(value: i64, width: usize, out: &mut Vec<u8>) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(value.unsigned_abs()).as_bytes();
    if value < 0 {
        out.push(b'-');
    }
    out.extend(std::iter::repeat_n(b'0', width.saturating_sub(digits.len())));
    out.extend_from_slice(digits);
}

fn date(days: i64, out: &mut Vec<u8>) {
    let (year, month, day) = civil_from_days(days);
    padded(year, 4, out);
    out.push(b'-');
    padded(month, 2, out);
    out.push(b'-');
    padded(day, 2, out);
}

/// `hh:mm:ss` with the fraction; `of_day` counts units since midnight.
fn time(of_day: i64, unit: TimeUnit, precision: Precision, out: &mut Vec<u8>) {
    let per_second = unit.per_second().unwrap_or(1);
    let (seconds, fraction) = (of_day / per_second, of_day % per_second);
    padded(seconds / 3600, 2, out);
    out.push(b':');
    padded(seconds / 60 % 60, 2, out);
    out.push(b':');
    padded(seconds % 60, 2, out);
    let nanos = fraction * (1_000_000_000 / per_second);
    let (digits, divisor) = match precision {
        Precision::Day | Precision::Second => return,
        Precision::Milli => (3, 1_000_000),
        Precision::Micro => (6, 1000),
        Precision::Nano => (9, 1),
    };
    out.push(b'.');
    padded(nanos / divisor, digits, out);
}
