//! Labels of columns in files, whose columns are named by texts: as pandas writes and reads them.
//!
//! The name of a column is the label as Python's `str` has it, a tuple as a literal; the types of the levels
//! are told by the metadata `column_indexes`.

use cuprum_column::{Column, Context, DataType, Device, Result};
use cuprum_compute::unary::cast;
use serde_json::{Value, json};

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::label::Label;

/// The name that a column of this label has in a file.
pub(super) fn name(label: &Label) -> String {
    match label {
        Label::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(literal).collect();
            format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" })
        }
        other => other.to_string(),
    }
}

/// As Python's `repr`.
fn literal(label: &Label) -> String {
    let Label::Str(text) = label else { return name(label) };
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote || c == '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// What the metadata say of the levels of the labels.
pub(super) fn describe(columns: &ColumnAccessor) -> Result<Vec<Value>> {
    let index = columns.to_index()?;
    let mixed = index.as_mixed().is_some();
    let level = |level: usize| {
        let numpy = if mixed { "object".to_owned() } else { index.data_type(level).to_string() };
        let (pandas, numpy) = match numpy.as_str() {
            "object" => ("mixed", "object"),
            "str" => ("unicode", "object"),
            t if t.starts_with("datetime64") => ("datetime", t),
            t if t.starts_with("timedelta64") => ("timedelta", t),
            t => (t, t),
        };
        let name = index.names()[level].as_ref().map(ToString::to_string);
        json!({"name": name, "field_name": name, "pandas_type": pandas, "numpy_type": numpy, "metadata": null})
    };
    Ok((0..index.num_levels()).map(level).collect())
}

/// The frame with the labels and names of levels that its texts stand for.
pub(super) fn restore(frame: DataFrame, metadata: &Value) -> Result<DataFrame> {
    let Some(levels) = metadata.get("column_indexes").and_then(Value::as_array) else { return Ok(frame) };
    let names: Vec<Option<Label>> =
        levels.iter().map(|level| level.get("name").and_then(Value::as_str).map(Label::from)).collect();
    let texts: Option<Vec<&str>> = frame.labels().iter().map(Label::as_str).collect();
    let (Some(texts), false) = (texts, levels.is_empty()) else { return Ok(frame) };
    let type_of = |level: &'_ Value| level.get("numpy_type").and_then(Value::as_str).unwrap_or("").to_owned();
    let labels = match &levels[..] {
        [level] => of_type(&texts, &type_of(level))?,
        _ => texts.iter().map(|text| tuple(text).filter(|l| l.parts().len() == levels.len())).collect(),
    };
    let Some(mut labels) = labels else { return Ok(frame) };
    if levels.len() > 1 {
        // pandas writes the parts as texts, whatever they are.
        let mut columns: Vec<Vec<Label>> = vec![];
        for (i, level) in levels.iter().enumerate() {
            let parts: Vec<Label> = labels.iter().map(|label| label.parts()[i].clone()).collect();
            let texts: Option<Vec<&str>> = parts.iter().map(Label::as_str).collect();
            let typed = texts.map(|texts| of_type(&texts, &type_of(level))).transpose()?.flatten();
            columns.push(typed.unwrap_or(parts));
        }
        let row = |row: usize| Label::tuple(columns.iter().map(|column| column[row].clone()));
        labels = (0..labels.len()).map(row).collect();
    }
    let data = frame.accessor().with_labels(labels)?.with_level_names(names);
    DataFrame::from_accessor(data, frame.index().clone())
}

/// Labels of one type from their texts; `None` where a text is none.
fn of_type(texts: &[&str], numpy_type: &str) -> Result<Option<Vec<Label>>> {
    let times = |unit: &str,
                 data_type: fn(cuprum_column::TimeUnit) -> DataType|
     -> Result<Option<Vec<Label>>> {
        use cuprum_column::TimeUnit::{Microseconds, Milliseconds, Nanoseconds, Seconds};
        let units = [Seconds, Milliseconds, Microseconds, Nanoseconds];
        let Some(unit) = units.into_iter().find(|u| u.code() == unit.trim_end_matches(']')) else {
            return Ok(None);
        };
        let ctx = Context::beside(Device::Cpu)?;
        let Ok(column) = cast(&Column::from_strs(texts, &ctx)?, data_type(unit), &ctx) else {
            return Ok(None);
        };
        (0..column.len()).map(|row| Label::from_scalar(&column.get(row)?)).collect::<Result<_>>().map(Some)
    };
    Ok(match numpy_type.split_once('[') {
        Some(("datetime64", unit)) => times(unit, DataType::Timestamp)?,
        Some(("timedelta64", unit)) => times(unit, DataType::Duration)?,
        _ if numpy_type.starts_with("int") || numpy_type.starts_with("uint") => {
            texts.iter().map(|text| text.parse().ok().map(Label::Int)).collect()
        }
        _ if numpy_type.starts_with("float") => {
            texts.iter().map(|text| text.parse().ok().map(Label::Float)).collect()
        }
        _ if numpy_type == "bool" => texts
            .iter()
            .map(|text| match *text {
                "True" => Some(Label::Bool(true)),
                "False" => Some(Label::Bool(false)),
                _ => None,
            })
            .collect(),
        _ => Some(texts.iter().map(|text| Label::from(*text)).collect()),
    })
}

/// The label that a literal of a Python tuple of texts, numbers, truth values and `None` stands for.
fn tuple(text: &str) -> Option<Label> {
    let mut rest = text.trim().strip_prefix('(')?.strip_suffix(')')?.trim_start();
    let mut parts = vec![];
    while !rest.is_empty() {
        let (part, behind) = if let quote @ ('\'' | '"') = rest.chars().next()? {
            quoted(&rest[1..], quote)?
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            let part = match rest[..end].trim() {
                "True" => Label::Bool(true),
                "False" => Label::Bool(false),
                "None" => Label::Missing,
                number => match number.parse::<i64>() {
                    Ok(value) => Label::Int(value),
                    Err(_) => Label::Float(number.parse().ok()?),
                },
            };
            (part, &rest[end..])
        };
        parts.push(part);
        let behind = behind.trim_start();
        rest = if behind.is_empty() { behind } else { behind.strip_prefix(',')?.trim_start() };
    }
    Some(Label::tuple(parts))
}

/// A text up to its closing quote, and what is behind that.
fn quoted(text: &str, quote: char) -> Option<(Label, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((Label::from(out), &text[at + c.len_utf8()..])),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                c @ ('\\' | '\'' | '"') => out.push(c),
                _ => return None,
            },
            c => out.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tuples_are_read_back() {
        let texts = ["it's", "a\"b'c", "back\\slash", "new\nline", "", "(a, 'b')", "ü"];
        for a in texts {
            for b in [Label::from(a), Label::Int(-7), Label::Float(1.5), Label::Bool(true), Label::Missing] {
                let label = Label::tuple([Label::from(a), b]);
                assert_eq!(tuple(&name(&label)), Some(label.clone()), "{label}");
            }
        }
        assert_eq!(name(&Label::tuple([Label::from("a")])), "('a',)");
        assert_eq!(tuple("('a',)"), Some(Label::tuple([Label::from("a")])));
        for wrong in ["", "(", "('a", "('a' 'b')", "(x, y)", "('a\\x41',)", "(1"] {
            assert_eq!(tuple(wrong), None, "{wrong}");
        }
    }
}
