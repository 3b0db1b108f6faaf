//! Arrow through the PyCapsule protocol, both ways: arrays, streams and arrays of devices.
//!
//! Imported data is validated in full (structure, offsets, indices, UTF-8) before it is trusted; its memory
//! is shared where the layouts agree, and released through the producer's callback when the last column that
//! uses it goes. Exported data shares the columns' memory the same way.

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_schema::{DataType as ArrowType, Field};
use cuprum::{Dtype, TypedColumn};
use cuprum_column::ResultExt;
use cuprum_column::arrow::{
    self, ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowSchema, Chunks, ColumnMetadata, KeyOrder,
};
use cuprum_column::{Column, Context, DataType, Device, Error, Result, Table};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::run::{UNKNOWN_SIZE, run, run_on};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";
const DEVICE_ARRAY: &CStr = c"arrow_device_array";

/// The field that a schema capsule describes.
fn field_in(capsule: &Bound<'_, PyCapsule>) -> PyResult<Field> {
    let pointer: NonNull<ArrowSchema> = capsule.pointer_checked(Some(SCHEMA))?.cast();
    // SAFETY: a capsule of this name holds an ArrowSchema (PyCapsule protocol) and owns it; the reference
    // does not outlive the capsule.
    unsafe { arrow::import_schema(pointer.as_ref()) }.py()
}

/// The field that an object with `__arrow_c_schema__` describes.
pub fn field_from_schema(obj: &Bound<'_, PyAny>) -> PyResult<Field> {
    field_in(&obj.call_method0("__arrow_c_schema__")?.cast_into::<PyCapsule>()?)
}

/// The Arrow type an object with `__arrow_c_schema__` describes, as a data type.
pub fn data_type_from_schema(obj: &Bound<'_, PyAny>) -> PyResult<DataType> {
    DataType::from_arrow(field_from_schema(obj)?.data_type()).py()
}

/// The dtype of a frame that an object with `__arrow_c_schema__` describes.
pub fn dtype_from_schema(obj: &Bound<'_, PyAny>) -> PyResult<Dtype> {
    Dtype::from_field(&field_from_schema(obj)?).py()
}

/// A column of a frame as the pair of capsules that `__arrow_c_array__` returns.
pub fn typed_array_capsules<'py>(py: Python<'py>, column: &TypedColumn) -> PyResult<Bound<'py, PyTuple>> {
    let (field, array) = run(py, "to_arrow", column.len(), |_| column.export_array(""))?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    (field_capsule(py, &field)?, array).into_pyobject(py)
}

/// Columns of a frame as the capsule that `__arrow_c_stream__` returns: one record batch.
pub fn frame_stream<'py>(
    py: Python<'py>,
    columns: &[TypedColumn],
    names: &[String],
    rows: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (field, array) = run(py, "to_arrow", rows, |_| cuprum::types::export_table(columns, names, rows))?;
    let stream = arrow::export_stream(field, vec![array]);
    Ok(PyCapsule::new_with_value(py, stream, STREAM)?.into_any())
}

/// A capsule with the schema of a field.
pub fn field_capsule<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyAny>> {
    let schema = arrow::export_schema(field).py()?;
    Ok(PyCapsule::new_with_value(py, schema, SCHEMA)?.into_any())
}

/// The columns of one field that an object exports, in order.
struct Imported {
    field: Field,
    chunks: Vec<Column>,
}

impl Imported {
    /// One column of the chunks; a single chunk is shared, several are copied together.
    fn join(self, py: Python<'_>) -> PyResult<Column> {
        let Self { field, chunks } = self;
        run(py, "from_arrow", UNKNOWN_SIZE, move |_| placed(joined(&field, chunks)?))
    }
}

/// The rows of all columns, which have the given Arrow type.
fn join(arrow: &ArrowType, columns: &[Column]) -> Result<Column> {
    let ctx = &Context::beside(columns.iter().find_map(Column::place).unwrap_or(Device::Cpu))?;
    match columns {
        [] => arrow::from_arrow(&arrow_array::new_empty_array(arrow), ctx),
        [first, ..] if first.data_type().is_fixed_width() || first.data_type() == DataType::String => {
            cuprum_compute::concatenate::concatenate(&columns.iter().collect::<Vec<_>>(), ctx)
        }
        _ => {
            let host = &Context::beside(Device::Cpu)?;
            let arrays = columns.iter().map(arrow::to_arrow).collect::<Result<Vec<_>>>()?;
            let parts: Vec<_> = arrays.iter().map(AsRef::as_ref).collect();
            let joined = arrow_select::concat::concat(&parts).map_err(|e| {
                Error::invalid_argument(format!("the chunks do not join: {e}")).with_source(e)
            })?;
            arrow::from_arrow(&joined, host)?.to_device(ctx)
        }
    }
}

/// Takes what an object offers: an array of any device, an array, a stream.
fn import(obj: &Bound<'_, PyAny>, keys: KeyOrder) -> PyResult<Imported> {
    if obj.hasattr("__arrow_c_device_array__")? {
        import_device_array(obj, keys)
    } else if obj.hasattr("__arrow_c_array__")? {
        import_array(obj, keys)
    } else if obj.hasattr("__arrow_c_stream__")? {
        import_stream(obj, keys)
    } else {
        Err(PyTypeError::new_err(format!(
            "an object of type '{}' does not export Arrow data (__arrow_c_array__, \
             __arrow_c_device_array__ or __arrow_c_stream__)",
            obj.get_type().name()?
        )))
    }
}

/// The field and the second capsule of a pair that an object's method returns.
fn pair<'py>(obj: &Bound<'py, PyAny>, method: &str) -> PyResult<(Field, Bound<'py, PyCapsule>)> {
    let pair = obj.call_method0(method)?.cast_into::<PyTuple>()?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
    Ok((field_in(&schema)?, array))
}

fn used(what: &str) -> PyErr {
    PyValueError::new_err(format!("the exported Arrow {what} has already been used"))
}

fn import_array(obj: &Bound<'_, PyAny>, keys: KeyOrder) -> PyResult<Imported> {
    let (field, capsule) = pair(obj, "__arrow_c_array__")?;
    let pointer = capsule.pointer_checked(Some(ARRAY))?;
    // SAFETY: a capsule of this name holds an ArrowArray (PyCapsule protocol). It is moved out: the
    // capsule is left with a released one, so that nothing is released twice.
    let array = unsafe { ArrowArray::take(pointer.cast().as_ptr()) };
    if array.is_released() {
        return Err(used("array"));
    }
    let of = field.clone();
    // SAFETY: the producer promises a structure that follows the C data interface and matches the schema;
    // what memory can prove is checked.
    let work = move |ctx: &Context| unsafe { arrow::import_array(array, &of, keys, ctx) };
    let chunk = run_on(obj.py(), "from_arrow", UNKNOWN_SIZE, host()?, work)?;
    Ok(Imported { field, chunks: vec![chunk] })
}

/// The context in which arrays in host memory are read.
fn host() -> PyResult<Context> {
    Context::beside(Device::Cpu).py()
}

/// A column read from host memory, on the chosen device; one on another device stays there.
fn placed(column: Column) -> Result<Column> {
    let ctx = Context::current();
    if column.place() == Some(Device::Cpu) { column.to_device(&ctx) } else { Ok(column) }
}

fn import_device_array(obj: &Bound<'_, PyAny>, keys: KeyOrder) -> PyResult<Imported> {
    let (field, capsule) = pair(obj, "__arrow_c_device_array__")?;
    let pointer = capsule.pointer_checked(Some(DEVICE_ARRAY))?;
    // SAFETY: as for arrays, with a capsule that holds an ArrowDeviceArray.
    let array = unsafe { ArrowDeviceArray::take(pointer.cast().as_ptr()) };
    if array.is_released() {
        return Err(used("array"));
    }
    let of = field.clone();
    // SAFETY: as for arrays.
    let work = move |ctx: &Context| unsafe { arrow::import_device_array(array, &of, keys, ctx) };
    let chunk = run_on(obj.py(), "from_arrow", UNKNOWN_SIZE, host()?, work)?;
    Ok(Imported { field, chunks: vec![chunk] })
}

fn import_stream(obj: &Bound<'_, PyAny>, keys: KeyOrder) -> PyResult<Imported> {
    let capsule = obj.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds an ArrowArrayStream (PyCapsule protocol); it is moved out.
    let stream = unsafe { ArrowArrayStream::take(pointer.cast().as_ptr()) };
    if stream.is_released() {
        return Err(used("stream"));
    }
    run_on(obj.py(), "from_arrow", UNKNOWN_SIZE, host()?, move |ctx| {
        // SAFETY: as for arrays.
        let chunks = unsafe { Chunks::new(stream, keys, ctx)? };
        let field = chunks.field().clone();
        Ok(Imported { field, chunks: chunks.collect::<Result<_>>()? })
    })
}

/// A column from an object that exports an Arrow array or a stream of arrays of one type. Timestamps in
/// any zone come in as what they are, instants.
pub fn column_from(obj: &Bound<'_, PyAny>) -> PyResult<Column> {
    import(obj, KeyOrder::Ascending)?.join(obj.py())
}

/// The names and columns of an object that exports Arrow record batches, as [`column_from`] has them.
pub fn table_from(obj: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Table)> {
    as_table(obj.py(), import_table(obj, KeyOrder::Ascending)?)
}

/// The metadata of a column for `ColumnMetadata` of Python, from an object with `__arrow_c_schema__`, as pairs
/// of names and values.
#[pyfunction]
pub fn metadata_from_arrow<'py>(
    obj: &Bound<'py, PyAny>,
    class: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    fn made<'py>(metadata: &ColumnMetadata, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let children =
            metadata.children.iter().map(|child| made(child, class)).collect::<PyResult<Vec<_>>>()?;
        let zone = metadata.timezone.as_deref().unwrap_or_default();
        class.call1((metadata.name.as_str(), zone, metadata.precision, children))
    }
    made(&ColumnMetadata::from(&field_from_schema(obj)?), class)
}

fn import_table(obj: &Bound<'_, PyAny>, keys: KeyOrder) -> PyResult<Imported> {
    // Tables export both in some libraries; the stream is the one that means a table.
    if obj.hasattr("__arrow_c_stream__")? { import_stream(obj, keys) } else { import(obj, keys) }
}

fn as_table(py: Python<'_>, imported: Imported) -> PyResult<(Vec<String>, Table)> {
    let names =
        ColumnMetadata::from(&imported.field).children.into_iter().map(|column| column.name).collect();
    let column = |field: &Field, parts: Vec<Column>| placed(joined(field, parts)?);
    let (columns, rows) = columns(py, imported, column)?;
    Ok((names, Table::with_rows(columns, rows).py()?))
}

/// The columns of a table, each made of its field and its parts, and the number of rows.
fn columns<T: Send>(
    py: Python<'_>,
    imported: Imported,
    made: impl Fn(&Field, Vec<Column>) -> Result<T> + Send,
) -> PyResult<(Vec<T>, usize)> {
    let Imported { field, chunks } = imported;
    let ArrowType::Struct(fields) = field.data_type() else {
        return Err(PyTypeError::new_err(format!(
            "the object exports Arrow data of type {}, not a table of named columns",
            field.data_type()
        )));
    };
    let fields = fields.clone();
    run(py, "from_arrow", UNKNOWN_SIZE, move |_| {
        if chunks.iter().any(Column::has_nulls) {
            return Err(Error::invalid_argument("the rows of a table cannot be null"));
        }
        let rows = chunks.iter().map(Column::len).sum();
        let column = |(i, field): (usize, &arrow_schema::FieldRef)| {
            let parts = chunks.iter().map(|chunk| chunk.field(i)).collect::<Result<Vec<_>>>()?;
            made(field, parts).context(|| format!("column '{}'", field.name()))
        };
        Ok((fields.iter().enumerate().map(column).collect::<Result<_>>()?, rows))
    })
}

/// The rows of all parts of a field, shared where there is one.
fn joined(field: &Field, parts: Vec<Column>) -> Result<Column> {
    match <[Column; 1]>::try_from(parts) {
        Ok([only]) => Ok(only),
        Err(parts) => join(field.data_type(), &parts),
    }
}

/// The column of a frame that the parts of a field are.
fn typed(field: &Field, parts: Vec<Column>) -> Result<TypedColumn> {
    if parts.len() > 1 && matches!(field.data_type(), ArrowType::Dictionary(..)) {
        let parts = parts.into_iter().map(|part| TypedColumn::from_arrow(field, placed(part)?));
        return TypedColumn::join_categories(&parts.collect::<Result<Vec<_>>>()?);
    }
    TypedColumn::from_arrow(field, placed(joined(field, parts)?)?)
}

/// The column that a data frame makes of an object that exports Arrow data.
#[pyfunction]
pub fn typed_column_from_arrow(obj: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
    let Imported { field, chunks } = import(obj, KeyOrder::OfArray)?;
    PyColumn::of(&run(obj.py(), "from_arrow", UNKNOWN_SIZE, move |_| typed(&field, chunks))?)
}

/// The names, the columns and the number of rows of an object that exports Arrow record batches, for data
/// frames.
#[pyfunction]
pub fn columns_from_arrow(obj: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Vec<PyColumn>, usize)> {
    let imported = import_table(obj, KeyOrder::OfFields)?;
    let names =
        ColumnMetadata::from(&imported.field).children.into_iter().map(|column| column.name).collect();
    let (columns, rows) = columns(obj.py(), imported, typed)?;
    Ok((names, columns.iter().map(PyColumn::of).collect::<PyResult<_>>()?, rows))
}

/// The field that a `requested_schema` asks for; none where it cannot be had, for the protocol lets a
/// producer ignore requests.
fn requested(schema: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Field>> {
    match schema.filter(|schema| !schema.is_none()) {
        None => Ok(None),
        Some(schema) => Ok(field_in(schema.cast::<PyCapsule>()?).ok()),
    }
}

/// A column as the pair of capsules that `__arrow_c_array__` returns.
pub fn array_capsules<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyTuple>> {
    array_capsules_with(py, column, &ColumnMetadata::default(), None)
}

/// [`array_capsules`] with metadata, of the type of a `requested_schema` where that costs little and
/// changes no value. A column on a GPU is copied to the host.
pub fn array_capsules_with<'py>(
    py: Python<'py>,
    column: &Column,
    metadata: &ColumnMetadata,
    requested_schema: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let asked = requested(requested_schema)?;
    let (field, array) = run(py, "to_arrow", column.len(), |_| {
        let column = column.to_host()?;
        match &asked {
            Some(asked) => arrow::export_as(&column, metadata, asked),
            None => Ok((arrow::field(&column, metadata)?, arrow::export_array(&column, metadata)?)),
        }
    })?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    (field_capsule(py, &field)?, array).into_pyobject(py)
}

/// A column as the pair of capsules that `__arrow_c_device_array__` returns, in its own memory.
pub fn device_array_capsules<'py>(
    py: Python<'py>,
    column: &Column,
    metadata: &ColumnMetadata,
) -> PyResult<Bound<'py, PyTuple>> {
    let (field, array) = run(py, "to_arrow", column.len(), |_| {
        Ok((arrow::field(column, metadata)?, arrow::export_device_array(column, metadata)?))
    })?;
    let array = PyCapsule::new_with_value(py, array, DEVICE_ARRAY)?;
    (field_capsule(py, &field)?, array).into_pyobject(py)
}

/// A table as the capsule that `__arrow_c_stream__` returns: one record batch.
pub fn stream_capsule<'py>(py: Python<'py>, table: &Table, names: &[String]) -> PyResult<Bound<'py, PyAny>> {
    let metadata: Vec<_> = names.iter().map(ColumnMetadata::named).collect();
    stream_capsule_with(py, table, &metadata)
}

/// [`stream_capsule`] with metadata of each column. A table on a GPU is copied to the host.
pub fn stream_capsule_with<'py>(
    py: Python<'py>,
    table: &Table,
    metadata: &[ColumnMetadata],
) -> PyResult<Bound<'py, PyAny>> {
    let (field, array) =
        run(py, "to_arrow", table.num_rows(), |_| arrow::export_table(&table.to_host()?, metadata))?;
    let stream = arrow::export_stream(field, vec![array]);
    Ok(PyCapsule::new_with_value(py, stream, STREAM)?.into_any())
}

/// The schema of a table with metadata of each column, as a capsule.
pub fn table_schema_capsule<'py>(
    py: Python<'py>,
    table: &Table,
    metadata: &[ColumnMetadata],
) -> PyResult<Bound<'py, PyAny>> {
    field_capsule(py, &arrow::table_field(table, metadata).py()?)
}

/// A table as the pair of capsules that `__arrow_c_array__` returns: structs.
pub fn table_array_capsules<'py>(
    py: Python<'py>,
    table: &Table,
    metadata: &[ColumnMetadata],
) -> PyResult<Bound<'py, PyTuple>> {
    let (field, array) =
        run(py, "to_arrow", table.num_rows(), |_| arrow::export_table(&table.to_host()?, metadata))?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    (field_capsule(py, &field)?, array).into_pyobject(py)
}

/// A table as the pair of capsules that `__arrow_c_device_array__` returns; its columns are on one device.
pub fn table_device_array_capsules<'py>(
    py: Python<'py>,
    table: &Table,
    metadata: &[ColumnMetadata],
) -> PyResult<Bound<'py, PyTuple>> {
    let structs = Column::structs(table.num_rows(), table.columns().to_vec(), None).py()?;
    let metadata = ColumnMetadata { children: metadata.to_vec(), ..ColumnMetadata::default() };
    device_array_capsules(py, &structs, &metadata)
}

/// A stream capsule of one record batch with the given columns under the given names.
#[pyfunction]
pub fn columns_to_stream<'py>(
    py: Python<'py>,
    names: Vec<String>,
    columns: Vec<PyRef<'py, PyColumn>>,
    num_rows: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if names.len() != columns.len() {
        return Err(PyValueError::new_err(format!("{} names for {} columns", names.len(), columns.len())));
    }
    let columns = columns.iter().map(|c| c.0.clone()).collect();
    stream_capsule(py, &Table::with_rows(columns, num_rows).py()?, &names)
}
