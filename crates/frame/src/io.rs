//! Frames from and to files.

use std::path::Path;

use cuprum_column::{Context, Error, Result, Table};
use cuprum_io::source::Source;
use cuprum_io::{csv, parquet};
use serde_json::{Value, json};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, RangeIndex};
use crate::label::Label;
use crate::types::TypedColumn;

const PANDAS: &str = "pandas";

/// Reads a CSV file or text; see [`csv::read_csv`].
pub fn read_csv(source: &Source, options: &csv::ReadOptions) -> Result<DataFrame> {
    let read = csv::read_csv(source, options, &Context::current())?;
    from_names(read.names, read.table)
}

/// Writes a frame as CSV, to `target` or as the text that is returned. The row labels come first
/// when `index` is true, under the names of their levels. See [`csv::write_csv`].
pub fn write_csv(
    frame: &DataFrame,
    target: Option<&Path>,
    index: bool,
    options: &csv::WriteOptions,
) -> Result<Option<String>> {
    let mut names: Vec<String> = frame.labels().iter().map(ToString::to_string).collect();
    let mut columns = frame.columns().to_vec();
    if index {
        let levels = frame.index().names().iter();
        let level_names = levels.map(|n| n.as_ref().map_or_else(String::new, ToString::to_string));
        names.splice(0..0, level_names);
        columns.splice(0..0, frame.index().typed_columns()?);
    }
    let text = |column: &TypedColumn| Ok(column.decoded()?.values("writing CSV")?.clone());
    let table = Table::with_rows(columns.iter().map(text).collect::<Result<_>>()?, frame.num_rows())?;
    csv::write_csv(&table, &names, target, options, &Context::current())
}

/// Reads a Parquet file; see [`parquet::read_parquet`]. Row labels that pandas or Cuprum wrote are
/// restored.
pub fn read_parquet(source: &Source, options: &parquet::ReadOptions) -> Result<DataFrame> {
    let read = parquet::read_parquet(source, options, &Context::current())?;
    let metadata = read.metadata.iter().find(|(key, _)| key == PANDAS).map(|(_, value)| value.clone());
    let frame = from_names(read.data.names, read.data.table)?;
    match metadata.and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
        Some(metadata) => restore_index(frame, &metadata),
        None => Ok(frame),
    }
}

/// Writes a frame as Parquet; see [`parquet::write_parquet`]. Row labels are written as columns,
/// but for a range, which is a note in the metadata; without them when `index` is false.
pub fn write_parquet(
    frame: &DataFrame,
    path: &Path,
    index: bool,
    options: &parquet::WriteOptions,
) -> Result<()> {
    let mut names: Vec<String> = frame.labels().iter().map(ToString::to_string).collect();
    if let Some((twice, _)) =
        names.iter().enumerate().find_map(|(i, n)| names[..i].contains(n).then_some((n, i)))
    {
        return Err(Error::invalid_argument(format!(
            "duplicate column name '{twice}': Parquet needs different ones"
        )));
    }
    let mut columns = frame.columns().to_vec();
    let mut index_columns = vec![];
    if index {
        if let Some(r) = frame.index().as_range() {
            let name = frame.index().name().map(ToString::to_string);
            index_columns.push(json!({
                "kind": "range", "name": name, "start": r.start, "stop": r.stop, "step": r.step,
            }));
        } else {
            for (level, column) in frame.index().typed_columns()?.into_iter().enumerate() {
                let name = match &frame.index().names()[level] {
                    Some(name) => name.to_string(),
                    None => format!("__index_level_{level}__"),
                };
                index_columns.push(Value::String(name.clone()));
                names.push(name);
                columns.push(column);
            }
        }
    }
    let described: Vec<Value> = names
        .iter()
        .zip(&columns)
        .map(|(name, column)| {
            let hidden = name.starts_with("__index_level_");
            let numpy_type = column.dtype().name();
            let pandas_type = match numpy_type.as_str() {
                "str" => "unicode",
                t if t.starts_with("datetime64") => "datetime",
                t if t.starts_with("timedelta64") => "timedelta",
                t => t,
            };
            json!({
                "name": if hidden { Value::Null } else { Value::String(name.clone()) },
                "field_name": name,
                "pandas_type": pandas_type,
                "numpy_type": numpy_type,
                "metadata": null,
            })
        })
        .collect();
    let metadata = json!({
        "index_columns": index_columns,
        "column_indexes": [],
        "columns": described,
        "creator": {"library": "cuprum", "version": env!("CARGO_PKG_VERSION")},
    });
    let mut options = options.clone();
    options.metadata.push((PANDAS.into(), metadata.to_string()));
    let stored = |column: &TypedColumn| Ok(column.values("writing Parquet")?.clone());
    let table = Table::with_rows(columns.iter().map(stored).collect::<Result<_>>()?, frame.num_rows())?;
    parquet::write_parquet(&table, &names, path, &options, &Context::current())
}

fn from_names(names: Vec<String>, table: Table) -> Result<DataFrame> {
    let rows = table.num_rows();
    let labels = names.into_iter().map(Label::from).collect();
    DataFrame::from_parts(labels, table.into_columns(), Index::range(rows))
}

/// Makes the columns that the metadata names the row labels, where they were read.
fn restore_index(frame: DataFrame, metadata: &Value) -> Result<DataFrame> {
    let Some(levels) = metadata.get("index_columns").and_then(Value::as_array) else { return Ok(frame) };
    if let [level] = &levels[..]
        && level.get("kind").and_then(Value::as_str) == Some("range")
    {
        let number = |key| level.get(key).and_then(Value::as_i64);
        let name = level.get("name").and_then(Value::as_str).map(Label::from);
        if let (Some(start), Some(stop), Some(step)) = (number("start"), number("stop"), number("step"))
            && step != 0
        {
            let range = RangeIndex { start, stop, step };
            if range.len() == frame.num_rows() {
                return frame.with_index(Index::from_range(range, name));
            }
        }
        return Ok(frame);
    }
    let labels: Vec<Label> = levels.iter().filter_map(Value::as_str).map(Label::from).collect();
    if labels.is_empty() || labels.len() != levels.len() || !labels.iter().all(|l| frame.contains(l)) {
        return Ok(frame);
    }
    let frame = frame.set_index(&labels, true)?;
    let names =
        labels.into_iter().map(|l| (!l.to_string().starts_with("__index_level_")).then_some(l)).collect();
    frame.with_index(frame.index().with_names(names)?)
}
