//! One column's values as the texts of its cells.

use cuprum_column::{Column, Context, DataType, Device, Result, Scalar, TimeUnit, Value};
use cuprum_compute::datetime;

use super::objects::object;
use super::{DisplayOptions, FloatFormat};
use crate::label::Label;
use crate::types::{Dtype, TypedColumn, local_times, print_periods};

/// The cells of a column, given in parts (top and bottom of a frame that is cut), with the leading
/// space that pandas reserves for a sign.
///
/// Columns of another device are copied to the host, so `parts` are the rows that are shown.
pub(super) fn column_cells(parts: &[&TypedColumn], options: &DisplayOptions) -> Result<Vec<String>> {
    let host = Context::beside(Device::Cpu)?;
    let parts = parts.iter().map(|part| part.placed(&host)).collect::<Result<Vec<_>>>()?;
    let parts = &parts.iter().map(AsRef::as_ref).collect::<Vec<&TypedColumn>>()[..];
    let mut cells = formatted_cells(parts, options)?;
    let of_objects = parts.iter().any(|part| matches!(part.dtype(), Dtype::Objects(_)));
    if let Some(text) = options.missing.as_ref().filter(|_| !of_objects) {
        // Other than with numbers and times, the space for a sign stays.
        let stored = parts.first().map(|part| part.dtype().storage());
        let sign = stored.is_none_or(|t| !t.is_float() && !t.is_timestamp() && !t.is_duration());
        let text = if sign { format!(" {text}") } else { text.clone() };
        let rows = parts.iter().flat_map(|part| (0..part.len()).map(move |row| part.get(row)));
        for (cell, value) in cells.iter_mut().zip(rows) {
            let value = value?;
            if value.is_null() || value.as_f64().is_some_and(f64::is_nan) {
                cell.clone_from(&text);
            }
        }
    }
    Ok(cells)
}

fn formatted_cells(parts: &[&TypedColumn], options: &DisplayOptions) -> Result<Vec<String>> {
    let Some(first) = parts.first() else { return Ok(vec![]) };
    if matches!(first.dtype(), Dtype::Categorical(_)) {
        let parts = parts.iter().map(|part| part.decoded()).collect::<Result<Vec<_>>>()?;
        let mut cells = formatted_cells(&parts.iter().collect::<Vec<_>>(), options)?;
        if parts[0].dtype().storage().is_integer() || parts[0].dtype().storage() == DataType::Bool8 {
            // No category is written like this.
            cells.iter_mut().filter(|cell| *cell == " <NA>").for_each(|cell| " NaN".clone_into(cell));
        }
        return Ok(cells);
    }
    if first.dtype().is_plain() {
        let parts = parts.iter().map(|part| part.data()).collect::<Result<Vec<_>>>()?;
        return stored_cells(&parts, options);
    }
    if let Dtype::Date(_) = first.dtype() {
        let days = parts.iter().map(|part| part.data()).collect::<Result<Vec<_>>>()?;
        return Ok(times(&days, true)?.into_iter().map(|day| format!(" {day}")).collect());
    }
    if let Dtype::Datetime(_) = first.dtype() {
        return instants(parts);
    }
    if let Dtype::Interval(_) = first.dtype() {
        return intervals(parts);
    }
    if let Dtype::Period(_) = first.dtype() {
        let texts = parts.iter().map(|part| print_periods(part)).collect::<Result<Vec<_>>>()?;
        let mut cells = vec![];
        for texts in texts {
            for row in 0..texts.len() {
                cells.push(format!(" {}", texts.get(row)?.as_str().unwrap_or("NaT")));
            }
        }
        return Ok(cells);
    }
    if let Dtype::Objects(_) = first.dtype() {
        return objects(parts, options);
    }
    let mut cells = vec![];
    for part in parts {
        for row in 0..part.len() {
            cells.push(format!(" {}", object(part.dtype(), &part.get(row)?, options.precision)?));
        }
    }
    Ok(cells)
}

/// Intervals as labels are printed; beside missing ones bounds are floats, as pandas stores them.
fn intervals(parts: &[&TypedColumn]) -> Result<Vec<String>> {
    let mut labels = vec![];
    for part in parts {
        for row in 0..part.len() {
            labels.push(Label::of(part.dtype(), &part.get(row)?)?);
        }
    }
    let missing = labels.contains(&Label::Missing);
    let float = |bound: &Label| match bound {
        Label::Int(number) => Label::Float(*number as f64),
        bound => bound.clone(),
    };
    let text = |label: &Label| match label {
        Label::Missing => " NaN".to_owned(),
        Label::Interval(bounds, closed) if missing => {
            format!(" {}", Label::interval(float(&bounds.0), float(&bounds.1), *closed))
        }
        label => format!(" {label}"),
    };
    Ok(labels.iter().map(text).collect())
}

/// Objects as their language prints them.
fn objects(parts: &[&TypedColumn], options: &DisplayOptions) -> Result<Vec<String>> {
    let missing = options.missing.as_deref().unwrap_or("NaN");
    let mut cells = vec![];
    for part in parts {
        for object in part.objects()? {
            let cell = match object {
                Some((store, at)) => store.cell(at, options.precision)?,
                None => None,
            };
            cells.push(cell.unwrap_or_else(|| format!(" {missing}")));
        }
    }
    Ok(cells)
}

/// The local times in the zone, with their offsets from UTC.
fn instants(parts: &[&TypedColumn]) -> Result<Vec<String>> {
    let locals = parts.iter().map(|part| local_times(part, "printing")).collect::<Result<Vec<_>>>()?;
    let mut cells = times(&locals.iter().collect::<Vec<_>>(), false)?.into_iter();
    let mut shown = vec![];
    for (part, local) in parts.iter().zip(&locals) {
        for row in 0..part.len() {
            let cell = cells.next().unwrap_or_default();
            let (Some(utc), Some(here)) = (part.get(row)?.as_i64(), local.get(row)?.as_i64()) else {
                shown.push(cell);
                continue;
            };
            let DataType::Timestamp(unit) = local.data_type() else { return Ok(shown) };
            let unit_of_utc = part.dtype().storage();
            let seconds =
                |ticks: i64, unit: TimeUnit| i128::from(ticks) * 86_400 / i128::from(unit.per_day());
            let utc = match unit_of_utc {
                DataType::Timestamp(unit) => seconds(utc, unit),
                _ => 0,
            };
            let minutes = (seconds(here, unit) - utc) / 60;
            let sign = if minutes < 0 { '-' } else { '+' };
            shown.push(format!("{cell}{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60));
        }
    }
    Ok(shown)
}

/// [`column_cells`] of values that are what is stored.
fn stored_cells(parts: &[&Column], options: &DisplayOptions) -> Result<Vec<String>> {
    let mut values: Vec<Scalar> = Vec::new();
    for part in parts {
        for row in 0..part.len() {
            values.push(part.get(row)?);
        }
    }
    let data_type = parts[0].data_type();
    Ok(match data_type {
        t if t.is_float() => floats(&values, options.precision, options.float_format),
        t if t.is_timestamp() => times(parts, true)?,
        DataType::Duration(unit) => durations(&values, unit),
        _ => values.iter().map(|v| plain(v, data_type)).collect(),
    })
}

/// The labels of an index level: as cells, without the space for a sign.
pub(super) fn label_cells(parts: &[&TypedColumn], options: &DisplayOptions) -> Result<Vec<String>> {
    let host = Context::beside(Device::Cpu)?;
    let parts = parts.iter().map(|part| part.placed(&host)).collect::<Result<Vec<_>>>()?;
    let parts = &parts.iter().map(AsRef::as_ref).collect::<Vec<&TypedColumn>>()[..];
    let cells = formatted_cells(parts, options)?;
    Ok(match parts.first().map(|part| part.dtype()) {
        Some(Dtype::Datetime(_)) => cells,
        // A text may begin with spaces of its own.
        Some(dtype) if dtype.storage() == DataType::String || matches!(dtype, Dtype::Categorical(_)) => {
            cells.into_iter().map(|c| c.strip_prefix(' ').unwrap_or(&c).to_owned()).collect()
        }
        _ => without_common_spaces(cells),
    })
}

/// Cells without the spaces that all of them begin with: signs stay one below the other.
fn without_common_spaces(cells: Vec<String>) -> Vec<String> {
    let spaces = cells.iter().map(|c| c.len() - c.trim_start_matches(' ').len()).min().unwrap_or(0);
    cells.into_iter().map(|cell| cell[spaces..].to_owned()).collect()
}

fn plain(value: &Scalar, data_type: DataType) -> String {
    match value.value() {
        Value::Null if data_type == DataType::String => " NaN".into(),
        Value::Null => " <NA>".into(),
        Value::Bool(true) => " True".into(),
        Value::Bool(false) => " False".into(),
        Value::Int(i) if *i < 0 => i.to_string(),
        Value::Int(i) => format!(" {i}"),
        Value::UInt(u) => format!(" {u}"),
        Value::Float(x) => format!(" {x}"),
        Value::String(text) => format!(" {}", escape(text)),
        Value::Decimal(_) | Value::Nested(_) => format!(" {value}"),
    }
}

pub(super) fn escape(text: &str) -> String {
    if !text.contains(['\t', '\r', '\n']) {
        return text.to_owned();
    }
    text.replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n")
}

/// Fixed point with `precision` digits, zeros trimmed that all have in common; scientific where
/// there are very small values, or large ones that would make the column wide.
fn floats(values: &[Scalar], precision: usize, format: Option<FloatFormat>) -> Vec<String> {
    /// No float of 64 bits has more digits behind the point; formatting takes no more than 65 535.
    const MOST: usize = 1074;
    let precision = precision.min(MOST);
    let numbers: Vec<f64> = values.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect();
    // Where all are missing there is no place for a sign.
    let alone = numbers.iter().all(|x| x.is_nan());
    let special = |x: f64| match x {
        x if x.is_nan() => Some(if alone { "NaN" } else { " NaN" }),
        f64::INFINITY => Some(" inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    };
    let print = |format: &dyn Fn(f64) -> String| -> Vec<String> {
        let sign = |x: f64| if x.is_sign_negative() { "" } else { " " };
        numbers
            .iter()
            .map(|&x| special(x).map_or_else(|| format!("{}{}", sign(x), format(x)), str::to_owned))
            .collect()
    };
    if let Some(format) = format {
        let cells = numbers
            .iter()
            .map(|&x| special(x).map_or_else(|| format.print(x), |s| s.trim_start().to_owned()));
        return cells.collect();
    }
    let fixed = trim_zeros(print(&|x| format!("{x:.precision$}")));
    let longest = fixed.iter().map(String::len).max().unwrap_or(0);
    let smallest = 10f64.powi(-(precision as i32));
    let finite = || numbers.iter().map(|x| x.abs()).filter(|x| !x.is_nan());
    let has_large = finite().any(|x| x > 1e6);
    let has_small = finite().any(|x| x > 0.0 && x < smallest);
    if has_small || (longest > precision + 6 && has_large) {
        return print(&|x| scientific(x, precision));
    }
    fixed
}

impl FloatFormat {
    fn print(self, x: f64) -> String {
        // Formatting takes no more digits, of which one stands before the point.
        let digits = self.digits.min(usize::from(u16::MAX) - 1);
        if self.scientific {
            return scientific(x, digits);
        }
        let text = format!("{x:.digits$}");
        if !self.thousands {
            return text;
        }
        let whole = text.find('.').unwrap_or(text.len());
        let start = usize::from(text.starts_with('-'));
        let mut grouped = String::new();
        for (at, digit) in text.chars().enumerate() {
            if at > start && at < whole && (whole - at) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped
    }
}

/// As Python's `e` format: an exponent of at least two digits with a sign.
fn scientific(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn trim_zeros(mut cells: Vec<String>) -> Vec<String> {
    let is_number = |cell: &String| cell.contains('.');
    while cells.iter().any(is_number) && cells.iter().filter(|c| is_number(c)).all(|c| c.ends_with('0')) {
        for cell in cells.iter_mut().filter(|c| is_number(c)) {
            cell.pop();
        }
    }
    for cell in cells.iter_mut().filter(|c| c.ends_with('.')) {
        cell.push('0');
    }
    cells
}

/// Dates alone where every time is midnight and they may be, else with as many digits of the second as are needed.
fn times(parts: &[&Column], may_be_dates: bool) -> Result<Vec<String>> {
    let ctx = Context::beside(Device::Cpu)?;
    let unit = match parts[0].data_type() {
        DataType::Timestamp(unit) => unit,
        _ => TimeUnit::Nanoseconds,
    };
    let values: Vec<Option<i64>> = parts
        .iter()
        .map(|part| (0..part.len()).map(|row| Ok(part.get(row)?.as_i64())).collect::<Result<Vec<_>>>())
        .collect::<Result<Vec<_>>>()?
        .concat();
    let per_second = unit.per_second().unwrap_or(1);
    let midnight = |v: &i64| v % unit.per_day() == 0;
    let dates_only = may_be_dates && (unit == TimeUnit::Days || values.iter().flatten().all(midnight));
    let fraction = |v: i64| v.rem_euclid(per_second) * (1_000_000_000 / per_second);
    let digits = values.iter().flatten().map(|&v| digits_needed(fraction(v))).max().unwrap_or(0);
    let format = if dates_only { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S" };
    let mut cells = vec![];
    for part in parts {
        let text = datetime::strftime(part, format, &ctx)?;
        for row in 0..text.len() {
            let cell = text.get(row)?;
            cells.push(cell.as_str().map_or_else(|| "NaT".to_owned(), str::to_owned));
        }
    }
    if !dates_only && digits > 0 {
        for (cell, value) in cells.iter_mut().zip(&values) {
            if let Some(value) = value {
                let nanos = format!("{:09}", fraction(*value));
                cell.push('.');
                cell.push_str(&nanos[..digits]);
            }
        }
    }
    Ok(cells)
}

fn digits_needed(nanoseconds: i64) -> usize {
    match nanoseconds {
        0 => 0,
        n if n % 1_000_000 == 0 => 3,
        n if n % 1_000 == 0 => 6,
        _ => 9,
    }
}

/// `2 days 03:00:00`; days alone where every value is whole days.
fn durations(values: &[Scalar], unit: TimeUnit) -> Vec<String> {
    let per_second = unit.per_second().unwrap_or(1);
    let whole_days =
        unit == TimeUnit::Days || values.iter().filter_map(Scalar::as_i64).all(|v| v % unit.per_day() == 0);
    let fraction_of = |v: i64| v.rem_euclid(unit.per_day()) % per_second * (1_000_000_000 / per_second);
    // As many digits as the one that needs most.
    let digits =
        values.iter().filter_map(Scalar::as_i64).map(fraction_of).fold(0, |most, fraction| match fraction {
            0 => most,
            fraction if fraction % 1000 == 0 => most.max(6),
            _ => 9,
        });
    values
        .iter()
        .map(|value| {
            let Some(v) = value.as_i64() else { return "NaT".to_owned() };
            let days = v.div_euclid(unit.per_day());
            if whole_days {
                return format!("{days} days");
            }
            let (seconds, fraction) = (v.rem_euclid(unit.per_day()) / per_second, fraction_of(v));
            let sign = if days < 0 { "+" } else { "" };
            let mut cell = format!(
                "{days} days {sign}{:02}:{:02}:{:02}",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60
            );
            if digits > 0 {
                cell.push('.');
                cell.push_str(&format!("{fraction:09}")[..digits]);
            }
            cell
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(values: &[f64]) -> Vec<String> {
        floats(&values.iter().map(|&x| Scalar::from(x)).collect::<Vec<_>>(), 6, None)
    }

    #[test]
    fn floats_print_as_in_pandas() {
        assert_eq!(cells(&[1.0, -2.5, f64::NAN]), [" 1.0", "-2.5", " NaN"]);
        assert_eq!(cells(&[0.1, 1.0 / 3.0]), [" 0.100000", " 0.333333"]);
        assert_eq!(cells(&[1e-7, 1.0]), [" 1.000000e-07", " 1.000000e+00"]);
        assert_eq!(cells(&[123_456_789.5]), [" 123456789.5"]);
        assert_eq!(cells(&[1_234_567.25, 0.123_456]), [" 1.234567e+06", " 1.234560e-01"]);
        assert_eq!(cells(&[f64::INFINITY, f64::NEG_INFINITY, 2.0]), [" inf", "-inf", " 2.0"]);
        assert_eq!(cells(&[f64::INFINITY, f64::NAN]), [" inf", " NaN"]);
        assert_eq!(cells(&[f64::NAN]), ["NaN"]);
    }
}
