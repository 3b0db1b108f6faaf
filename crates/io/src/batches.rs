//! Record batches of the crates that decode, and the columns of all of them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::{ArrowError, DataType as ArrowType, Field, SchemaRef};
use cuprum_column::{Column, Context, DataType, Error, ErrorKind, Result, Table, arrow, closest_name};
use cuprum_compute::concatenate::concatenate;
use cuprum_runtime::parallel;

use crate::{Content, NamedTable};

/// The rows of record batches below each other. A dictionary is read as its values, which are kept beside it
/// where all batches have the same.
///
/// Fails with [`Unsupported`](ErrorKind::Unsupported), naming the column, for types without a counterpart.
pub(crate) fn content(
    schema: &SchemaRef,
    batches: &[RecordBatch],
    metadata: Vec<(String, String)>,
    ctx: &Context,
) -> Result<Content> {
    let num_rows = batches
        .iter()
        .try_fold(0usize, |sum, batch| sum.checked_add(batch.num_rows()))
        .ok_or_else(|| Error::invalid_argument("more rows than can be counted"))?;
    let fields: Vec<Field> = schema.fields().iter().map(|field| stored(field)).collect();
    let columns = parallel::map_items(fields.iter().enumerate(), ctx, |(i, field)| {
        let arrays: Vec<&ArrayRef> = batches.iter().map(|batch| batch.column(i)).collect();
        let one = || Ok((column(field, &arrays, num_rows, ctx)?, dictionary(field, &arrays, ctx)));
        one().map_err(|e: Error| e.context(format!("column '{}'", field.name())))
    })?;
    let (columns, dictionaries): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let names = fields.iter().map(|field| field.name().clone()).collect();
    let data = NamedTable { names, table: Table::with_rows(columns, num_rows)? };
    Ok(Content { data, fields, dictionaries, metadata, rows: None })
}

/// The field with a type that has a column.
fn stored(field: &Field) -> Field {
    let field = field.clone();
    match field.data_type() {
        ArrowType::BinaryView => field.with_data_type(ArrowType::LargeBinary),
        _ => field,
    }
}

/// The column of arrays of a field, one below the other.
pub(crate) fn column(field: &Field, arrays: &[&ArrayRef], num_rows: usize, ctx: &Context) -> Result<Column> {
    if let ArrowType::Dictionary(_, values) = field.data_type()
        && **values == ArrowType::Null
    {
        return Column::nulls(DataType::stored_as(values)?, num_rows, ctx);
    }
    let plain = |array: &dyn Array| -> Result<Column> {
        let to = match field.data_type() {
            ArrowType::Dictionary(_, values) => values.as_ref().clone(),
            own if own != array.data_type() => own.clone(),
            _ => return arrow::from_arrow(array, ctx),
        };
        let values =
            arrow_cast::cast(array, &to).map_err(|e| Error::unsupported(e.to_string()).with_source(e))?;
        arrow::from_arrow(&values, ctx)
    };
    match arrays {
        [] => plain(&new_empty_array(field.data_type())),
        [only] => plain(only),
        _ => {
            let parts = arrays.iter().map(|array| plain(array)).collect::<Result<Vec<_>>>()?;
            concatenate(&parts.iter().collect::<Vec<_>>(), ctx)
        }
    }
}

/// The values of a dictionary, in their order; `None` for other columns, and where batches differ in them.
fn dictionary(field: &Field, arrays: &[&ArrayRef], ctx: &Context) -> Option<Column> {
    let values: Vec<&ArrayRef> =
        arrays.iter().filter_map(|array| Some(array.as_any_dictionary_opt()?.values())).collect();
    let first = values.first()?;
    let is_same = |other: &&&ArrayRef| Arc::ptr_eq(first, other) || first.as_ref() == other.as_ref();
    if values.len() != arrays.len()
        || !matches!(field.data_type(), ArrowType::Dictionary(..))
        || !values.iter().all(|values| is_same(&values))
        || first.null_count() > 0
    {
        return None;
    }
    // Types without a column have been refused before.
    arrow::from_arrow(first, ctx).ok()
}

/// The positions of columns by name in a schema, in the order in which they are wanted; all without names.
pub(crate) fn positions(
    source: &dyn std::fmt::Display,
    schema: &SchemaRef,
    columns: Option<&[String]>,
) -> Result<Vec<usize>> {
    let names = || schema.fields().iter().map(|field| field.name().as_str());
    let Some(columns) = columns else { return Ok((0..schema.fields().len()).collect()) };
    let position = |name: &String| {
        names().position(|own| own == name).ok_or_else(|| {
            let hint = match closest_name(name, names()) {
                Some(closest) => format!("; did you mean '{closest}'?"),
                None => String::new(),
            };
            Error::new(ErrorKind::KeyNotFound, format!("{source}: there is no column '{name}'{hint}"))
        })
    };
    columns.iter().map(position).collect()
}

/// Runs code of a crate that decodes `format` on bytes that may be damaged; a panic becomes an error with its
/// message.
pub(crate) fn guarded<R>(
    source: &dyn std::fmt::Display,
    format: &str,
    work: impl FnOnce() -> Result<R>,
) -> Result<R> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => {
            let why = panic_message(&*panic);
            Err(Error::invalid_argument(format!("{source}: the {format} data is damaged: {why}")))
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("the decoder gave up").lines().next().unwrap_or_default().to_owned()
}

/// An error of arrow-rs about what is read from, or written to, `source`.
pub(crate) fn describe(source: &dyn std::fmt::Display, error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, io) => match io.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                Error::invalid_argument(format!("{source}: the data is truncated"))
            }
            // An error of the operating system; decoders wrap errors of the data in such, too.
            _ if io.raw_os_error().is_some() => Error::io(Path::new(&source.to_string()), io),
            _ => Error::invalid_argument(format!("{source}: {io}")),
        },
        ArrowError::ExternalError(inner) => match inner.downcast::<Error>() {
            Ok(error) => error.context(source.to_string()),
            Err(other) => Error::invalid_argument(format!("{source}: {other}")),
        },
        ArrowError::NotYetImplemented(message) => Error::unsupported(format!("{source}: {message}")),
        other => Error::invalid_argument(format!("{source}: {other}")),
    }
}
