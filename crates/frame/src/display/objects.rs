//! Lists, structs and bytes as pandas prints the objects of Python that they are to it.

use cuprum_column::{Result, Scalar, Value};

use super::cells::escape;
use crate::label::Label;
use crate::types::Dtype;

/// The most elements of one container that are printed (pandas' option `display.max_seq_items`).
const MOST_ELEMENTS: usize = 100;
/// The containers in each other that are printed element by element (pandas' `display.pprint_nest_depth`).
const MOST_DEPTH: usize = 3;

/// The place of a value.
#[derive(Clone, Copy)]
struct Place {
    /// In so many containers.
    depth: usize,
    /// In a dict somewhere, in which texts have quotes.
    in_dict: bool,
    /// In a list, which prints floats with so many digits.
    digits: Option<usize>,
}

/// A value in a cell; floats of lists have at most `precision` digits behind the point.
pub(super) fn object(dtype: &Dtype, value: &Scalar, precision: usize) -> Result<String> {
    printed(dtype, value, precision, Place { depth: 0, in_dict: false, digits: None })
}

fn printed(dtype: &Dtype, value: &Scalar, precision: usize, place: Place) -> Result<String> {
    let row = match value.value() {
        _ if value.is_null() => return Ok("None".into()),
        Value::Nested(row) => row,
        Value::String(text) if place.depth > MOST_DEPTH => return Ok(text_literal(text)),
        Value::String(text) if place.in_dict => return Ok(format!("'{text}'")),
        Value::String(text) => return Ok(escape(text)),
        Value::Float(x) => return Ok(float(*x, place.digits)),
        _ => return Ok(Label::of(dtype, value)?.to_string()),
    };
    let deeper = Place { depth: place.depth + 1, ..place };
    let is_literal = place.depth >= MOST_DEPTH;
    let most = if is_literal { usize::MAX } else { MOST_ELEMENTS };
    let joined = |mut items: Vec<String>, all: usize| {
        if all > items.len() {
            items.push("...".into());
        }
        items.join(", ")
    };
    match dtype {
        Dtype::Binary(_) => {
            let bytes = row.elements()?;
            let bytes = (0..bytes.len()).map(|i| Ok(bytes.get(i)?.as_i64().unwrap_or(0) as u8));
            Ok(bytes_literal(&bytes.collect::<Result<Vec<_>>>()?))
        }
        Dtype::List(list) => {
            let elements = row.elements()?;
            let within = Place { digits: (!is_literal).then_some(precision), ..deeper };
            let items = (0..elements.len().min(most))
                .map(|i| printed(list.element(), &elements.get(i)?, precision, within));
            Ok(format!("[{}]", joined(items.collect::<Result<Vec<_>>>()?, elements.len())))
        }
        Dtype::Struct(fields) => {
            let within = Place { in_dict: true, digits: None, ..deeper };
            let fields = fields.fields();
            let items = fields.iter().take(most).enumerate().map(|(i, field)| {
                let value = printed(&field.dtype, &row.field(i)?.get(0)?, precision, within)?;
                Ok(format!("'{}': {value}", field.name))
            });
            Ok(format!("{{{}}}", joined(items.collect::<Result<Vec<_>>>()?, fields.len())))
        }
        Dtype::Interval(_) => Label::of(dtype, value).map(|label| label.to_string()),
        _ => Ok(value.to_string()),
    }
}

/// A float with at most so many digits behind the point, at least one, or as Python writes it.
fn float(x: f64, digits: Option<usize>) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    let Some(digits) = digits.filter(|_| x.is_finite()) else { return float_literal(x) };
    let text = format!("{x:.digits$}");
    let Some((whole, fraction)) = text.split_once('.') else { return text };
    let fraction = fraction.trim_end_matches('0');
    format!("{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}

fn float_literal(x: f64) -> String {
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
            format!("{}e{sign}{exponent:0>2}", digits.strip_suffix(".0").unwrap_or(digits))
        }
        None => text,
    }
}

/// A text as Python writes it.
fn text_literal(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if c == quote => out.extend(['\\', quote]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Bytes as Python prints them.
fn bytes_literal(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b if char::from(b) == quote => text.extend(['\\', quote]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push(quote);
    text
}
