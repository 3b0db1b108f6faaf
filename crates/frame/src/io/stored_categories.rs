//! Categories that the pages of a Parquet file do not tell: those of no rows, and truth values, of which Parquet
//! has no dictionary. They stand in pandas' metadata, beside the number of categories.

use arrow_schema::DataType as ArrowType;
use cuprum_column::{Column, Context, DataType, Device, Result, TimeUnit, Value as Element};
use cuprum_compute::unary::cast;
use serde_json::{Value, json};

use crate::types::{Categories, Dtype};

/// What the metadata say of the categories of a column of so many rows: `Null` where its pages tell them.
pub(super) fn describe(categories: &Categories, rows: usize) -> Result<Value> {
    match categories.values().dtype().storage() {
        DataType::Bool8 => {}
        // They are milliseconds in the file.
        DataType::Timestamp(TimeUnit::Seconds) => return Ok(Value::Null),
        _ if rows > 0 => return Ok(Value::Null),
        _ => {}
    }
    let value = |row| {
        Ok(match categories.values().get(row)?.value() {
            Element::Bool(value) => json!(value),
            Element::Int(value) => json!(value),
            Element::UInt(value) => json!(value),
            // JSON has not all floats: their bits.
            Element::Float(value) => json!(value.to_bits()),
            Element::String(text) => json!(&**text),
            _ => Value::Null,
        })
    };
    (0..categories.len()).map(value).collect::<Result<Vec<_>>>().map(Value::Array)
}

/// What the metadata of a file say of its column `name`, beside its types.
fn said<'a>(metadata: &'a Value, name: &str) -> Option<&'a Value> {
    let mut columns = metadata.get("columns")?.as_array()?.iter();
    columns.find(|column| column.get("field_name").and_then(Value::as_str) == Some(name))?.get("metadata")
}

/// Whether the metadata of a file have it that the categories of its column `name` have an order, as a format may
/// have no place for that.
pub(super) fn are_ordered(metadata: &Value, name: &str) -> bool {
    said(metadata, name).and_then(|said| said.get("ordered")?.as_bool()) == Some(true)
}

/// The categories that the metadata of a file have for its column `name`, a dictionary of such values.
pub(super) fn read(metadata: &Value, name: &str, values: &ArrowType) -> Result<Option<Column>> {
    let categories = said(metadata, name).and_then(|said| said.get("categories"));
    let Some(items) = categories.and_then(Value::as_array) else { return Ok(None) };
    let (ctx, to) = (&Context::beside(Device::Cpu)?, Dtype::from_arrow(values)?.storage());
    fn all<'a, T>(items: &'a [Value], item: impl Fn(&'a Value) -> Option<T>) -> Option<Vec<T>> {
        items.iter().map(item).collect()
    }
    let stored = match to {
        DataType::String => all(items, Value::as_str).map(|texts| Column::from_strs(&texts, ctx)),
        DataType::Bool8 => all(items, Value::as_bool).map(|bools| Column::from_bools(&bools, ctx)),
        DataType::UInt64 => all(items, Value::as_u64).map(|numbers| Column::from_slice(&numbers, ctx)),
        _ if to.is_float() => {
            let floats = all(items, |item| item.as_u64().map(f64::from_bits));
            floats.map(|floats| Column::from_slice(&floats, ctx))
        }
        _ => all(items, Value::as_i64).map(|numbers| Column::from_slice(&numbers, ctx)),
    };
    let Some(stored) = stored.transpose()? else { return Ok(None) };
    // Other types than those that are described have none.
    Ok(cast(&stored, to, ctx).ok())
}
