//! Frames as files of typed columns have them: their dtypes, labels and row labels, which pandas' metadata tell.

use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Column, Context, DataType, Error, Result, ResultExt, Table};
use cuprum_io::parquet::{EncodedColumn, EncodedContent};
use cuprum_io::{Content, FileRows};
use cuprum_runtime::parallel;
use serde_json::{Value, json};

use super::{stored_categories, stored_labels};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, RangeIndex};
use crate::label::Label;
use crate::types::{Categorical, Categories, Datetime, Dtype, TypedColumn};

const PANDAS: &str = "pandas";

/// The frame that a file holds, of which `read` reads the columns of these names, or all. Row labels that pandas
/// or Cuprum wrote are restored, also where only some `columns` are asked for, and so are labels of columns that
/// are no texts, unless `labels` is `None`: it has the number of the file's first row among those of several files.
pub(super) fn read(
    columns: Option<&[String]>,
    labels: Option<usize>,
    read: impl Fn(Option<&[String]>) -> Result<FileContent>,
) -> Result<DataFrame> {
    let content = read(columns)?;
    let metadata = pandas_metadata(&content.metadata).filter(|_| labels.is_some());
    let mut rest = (Vec::new(), Vec::new());
    if let (Some(metadata), Some(_)) = (&metadata, columns) {
        let names = &content.names;
        let absent: Vec<String> = index_columns(metadata).filter(|name| !names.contains(name)).collect();
        if !absent.is_empty() {
            rest = typed_columns(read(Some(&absent))?)?;
        }
    }
    let rows = content.num_rows;
    let read = content.rows.clone().unwrap_or_else(|| FileRows::all(rows));
    let first = labels.unwrap_or(0);
    let (mut names, mut columns) = typed_columns(content)?;
    names.append(&mut rest.0);
    columns.append(&mut rest.1);
    let frame = DataFrame::from_parts(names, columns, Index::range(rows))?;
    match metadata {
        Some(metadata) => stored_labels::restore(restore_index(frame, &metadata, &read, first)?, &metadata),
        None => Ok(frame),
    }
}

/// What a file holds: names of columns, their Arrow fields and values.
pub(super) struct FileContent {
    pub(super) names: Vec<String>,
    fields: Vec<Field>,
    columns: Vec<FileValues>,
    pub(super) num_rows: usize,
    /// As in [`Content`].
    metadata: Vec<(String, String)>,
    /// As in [`Content`].
    rows: Option<FileRows>,
}

/// The values of a column of a file.
enum FileValues {
    /// Decoded, with the values of the dictionary that it is in the file.
    Decoded(Column, Option<Column>),
    Encoded(EncodedColumn),
}

impl FileContent {
    /// The columns of a file on the current device.
    pub(super) fn new(content: Content) -> Result<Self> {
        let Content { data, fields, dictionaries, metadata, rows } = content;
        let table = data.table.to_device(&Context::current())?;
        let num_rows = table.num_rows();
        let columns = table.into_columns().into_iter().zip(dictionaries);
        let columns = columns.map(|(column, dictionary)| FileValues::Decoded(column, dictionary)).collect();
        Ok(Self { names: data.names, fields, columns, num_rows, metadata, rows })
    }

    /// The columns of a file on the CPU. Those are decoded at once whose dtype depends on their values.
    pub(super) fn encoded(content: EncodedContent, ctx: &Context) -> Result<Self> {
        let EncodedContent { names, fields, columns, num_rows, metadata, rows } = content;
        let pandas = pandas_metadata(&metadata);
        let values = |(field, column): (&Field, EncodedColumn)| {
            let (stored, in_file) = (column.data_type(), field.data_type());
            let has_categories = matches!(in_file, ArrowType::Dictionary(..) | ArrowType::RunEndEncoded(..))
                || pandas.as_ref().is_some_and(|said| stored_categories::are_ordered(said, field.name()));
            if (stored.is_fixed_width() || stored == DataType::String) && !has_categories {
                Ok(FileValues::Encoded(column))
            } else {
                Ok(FileValues::Decoded(column.decode(ctx)?, column.dictionary()?))
            }
        };
        let columns = parallel::map_items(fields.iter().zip(columns), ctx, values)?;
        Ok(Self { names, fields, columns, num_rows, metadata, rows })
    }
}

/// pandas' metadata in a file.
fn pandas_metadata(metadata: &[(String, String)]) -> Option<Value> {
    let (_, text) = metadata.iter().find(|(key, _)| key == PANDAS)?;
    serde_json::from_str(text).ok()
}

/// What a file holds, under its names.
pub(super) fn typed_columns(read: FileContent) -> Result<(Vec<Label>, Vec<TypedColumn>)> {
    let FileContent { names, fields, columns, metadata, .. } = read;
    let metadata = pandas_metadata(&metadata);
    let typed = |field: &Field, column: Column, values: Option<Column>| {
        let is_ordered = field.dict_is_ordered() == Some(true)
            || metadata.as_ref().is_some_and(|said| stored_categories::are_ordered(said, field.name()));
        let values = match (values, &metadata, field.data_type()) {
            (None, Some(metadata), ArrowType::Dictionary(_, values)) => {
                stored_categories::read(metadata, field.name(), values)?
            }
            (values, ..) => values,
        };
        if let (Some(values), ArrowType::Dictionary(_, of)) = (values, field.data_type())
            && let Some(kept) = among(&column, values, &Dtype::from_arrow(of)?, is_ordered)?
        {
            return Ok(kept);
        }
        // Where there are no values, there is no order to be known.
        if is_ordered && column.null_count()? < column.len() {
            return Err(Error::unsupported(format!(
                "column '{}': ordered categories whose order the file does not tell",
                field.name()
            )));
        }
        TypedColumn::from_arrow(field, column).context(|| format!("column '{}'", field.name()))
    };
    let typed = |(field, values): (&Field, FileValues)| match values {
        FileValues::Decoded(column, values) => typed(field, column, values),
        FileValues::Encoded(column) => {
            let no_rows = typed(field, Column::empty(column.data_type()), None)?;
            TypedColumn::of_file(no_rows.dtype().clone(), column)
        }
    };
    let columns = fields.iter().zip(columns).map(typed).collect::<Result<_>>()?;
    Ok((names.into_iter().map(Label::from).collect(), columns))
}

/// A column of `dtype` as categories of these values; `None` where they are none, or not all that the column has.
fn among(column: &Column, values: Column, dtype: &Dtype, ordered: bool) -> Result<Option<TypedColumn>> {
    let typed = |data| TypedColumn::new(dtype.clone(), data);
    let Ok(categories) = typed(values).and_then(|values| Categories::new(values, ordered)) else {
        return Ok(None);
    };
    let encoded = Categorical::of(categories).encode(&typed(column.clone())?)?;
    let has_all = encoded.data()?.null_count()? == column.null_count()?;
    Ok(has_all.then_some(encoded))
}

/// The columns of the file that are levels of the row labels.
fn index_columns(metadata: &Value) -> impl Iterator<Item = String> {
    let levels = metadata.get("index_columns").and_then(Value::as_array);
    levels.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}

/// A frame as a file has it.
pub(super) struct StoredFrame {
    /// The columns, those of the row labels last.
    pub(super) table: Table,
    /// What Arrow says of them.
    pub(super) columns: Vec<ColumnMetadata>,
    /// pandas' metadata and their key.
    pub(super) metadata: (String, String),
}

/// The frame as a file of `format` has it. Row labels are columns, but for a range, which is a note in the
/// metadata; they are left out when `index` is false.
pub(super) fn of(frame: &DataFrame, index: bool, format: &str) -> Result<StoredFrame> {
    let mut names: Vec<String> = frame.labels().iter().map(stored_labels::name).collect();
    if let Some((twice, _)) =
        names.iter().enumerate().find_map(|(i, n)| names[..i].contains(n).then_some((n, i)))
    {
        return Err(Error::invalid_argument(format!(
            "duplicate column name '{twice}': {format} needs different ones"
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
            for (level, column) in frame.index().columns()?.into_iter().enumerate() {
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
            let (pandas_type, numpy_type, mut metadata) = pandas_types(column.dtype());
            if let Dtype::Categorical(kind) = column.dtype() {
                metadata["categories"] = stored_categories::describe(kind.categories(), column.len())?;
            }
            Ok(json!({
                "name": if hidden { Value::Null } else { Value::String(name.clone()) },
                "field_name": name,
                "pandas_type": pandas_type,
                "numpy_type": numpy_type,
                "metadata": metadata,
            }))
        })
        .collect::<Result<_>>()?;
    let metadata = json!({
        "index_columns": index_columns,
        "column_indexes": stored_labels::describe(frame.accessor())?,
        "columns": described,
        "creator": {"library": "cuprum", "version": env!("CARGO_PKG_VERSION")},
    });
    let stored = columns.iter().map(TypedColumn::exported).collect::<Result<_>>()?;
    let table = Table::with_rows(stored, frame.num_rows())?;
    let columns = columns.iter().zip(&names).map(|(c, name)| c.dtype().metadata(name)).collect();
    Ok(StoredFrame { table, columns, metadata: (PANDAS.into(), metadata.to_string()) })
}

/// What pandas' metadata call a dtype: its type there, NumPy's, and what else belongs to it.
fn pandas_types(dtype: &Dtype) -> (String, String, Value) {
    let name = dtype.name();
    let object = |kind: &str| (kind.to_owned(), "object".to_owned(), Value::Null);
    match dtype {
        Dtype::String(_) => ("unicode".into(), name, Value::Null),
        Dtype::Date(_) => object("date"),
        Dtype::Datetime(Datetime { zone: Some(zone), unit }) => {
            ("datetimetz".into(), format!("datetime64[{}]", unit.code()), json!({"timezone": &**zone}))
        }
        Dtype::Datetime(_) => ("datetime".into(), name, Value::Null),
        Dtype::Timedelta(_) => ("timedelta".into(), name, Value::Null),
        Dtype::Categorical(kind) => (
            "categorical".into(),
            dtype.storage().to_string(),
            json!({"num_categories": kind.categories().len(), "ordered": kind.categories().is_ordered()}),
        ),
        Dtype::Decimal(decimal) => {
            let metadata = json!({"precision": decimal.precision(), "scale": decimal.scale()});
            ("decimal".into(), "object".into(), metadata)
        }
        Dtype::Binary(_) => object("bytes"),
        Dtype::Null(_) => object("empty"),
        Dtype::List(list) => object(&format!("list[{}]", pandas_types(list.element()).0)),
        // As pyarrow describes an extension type.
        Dtype::Interval(_) | Dtype::Period(_) => ("object".into(), name, Value::Null),
        Dtype::Struct(_) | Dtype::Objects(_) => object("object"),
        Dtype::Numeric(_) | Dtype::Bool(_) => (name.clone(), name, Value::Null),
    }
}

/// Makes the columns that the metadata names the row labels, where they were read, or the labels of these rows of the
/// file where it notes a range of all. `first` is the number of the first one among those of several files.
fn restore_index(frame: DataFrame, metadata: &Value, read: &FileRows, first: usize) -> Result<DataFrame> {
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
            if range.len() == read.total {
                let counted = name.is_none() && range == RangeIndex::of_len(read.total);
                let moved = i64::try_from(first).ok().and_then(|first| range.plus(first));
                let range = moved.filter(|_| counted).unwrap_or(range);
                return frame.with_index(labels_of(&Index::from_range(range, name), read)?);
            }
        }
        return Ok(frame);
    }
    let labels: Vec<Label> = levels.iter().filter_map(Value::as_str).map(Label::from).collect();
    if labels.is_empty() || labels.len() != levels.len() || !labels.iter().all(|l| frame.contains(l)) {
        return Ok(frame);
    }
    let frame = frame.set_index(&labels, true)?;
    let names = labels.into_iter().map(|label| level_name(metadata, label)).collect();
    frame.with_index(frame.index().with_names(names)?)
}

/// The labels of the rows of a file that are read, of those of all.
fn labels_of(all: &Index, read: &FileRows) -> Result<Index> {
    if read.runs.is_empty() {
        return all.slice(0, 0);
    }
    let runs = read.runs.iter().map(|run| all.slice(run.start, run.len())).collect::<Result<Vec<_>>>()?;
    Index::concat(&runs.iter().collect::<Vec<_>>())
}

/// What a level of the row labels is called that is stored in this column: what the metadata say, else as the column,
/// unless that has a number in place of a name.
fn level_name(metadata: &Value, column: Label) -> Option<Label> {
    let text = column.to_string();
    let columns = metadata.get("columns").and_then(Value::as_array);
    let said = columns
        .into_iter()
        .flatten()
        .find(|said| said.get("field_name").and_then(Value::as_str) == Some(&text));
    match said.and_then(|said| said.get("name")).and_then(Value::as_str) {
        Some(name) => Some(name.into()),
        None => (!text.starts_with("__index_level_")).then_some(column),
    }
}
