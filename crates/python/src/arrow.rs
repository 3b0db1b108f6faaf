//! The Arrow C data interface, both ways, through the PyCapsule protocol.
//!
//! What comes in is validated in full (lengths, offsets, UTF-8) before it is trusted; its memory is
//! shared where the layouts agree, and released through the producer's callback when the last column
//! that uses it goes. What goes out shares the columns' memory the same way.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatchIterator, StructArray, make_array, new_empty_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType as ArrowType, Schema};
use cuprum_column::{Column, Context, DataType, Error, Result, Table, arrow};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::run::{UNKNOWN_SIZE, run};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn invalid(error: ArrowError) -> Error {
    Error::invalid_argument(format!("the Arrow data is not valid: {error}")).with_source(error)
}

/// The schema in a capsule, which keeps owning it.
fn schema_in<'a>(capsule: &'a Bound<'_, PyCapsule>) -> PyResult<&'a FFI_ArrowSchema> {
    let pointer = capsule.pointer_checked(Some(SCHEMA))?;
    // SAFETY: a capsule of this name holds an ArrowSchema (PyCapsule protocol) and owns it; the
    // reference does not outlive the capsule.
    let schema: &FFI_ArrowSchema = unsafe { pointer.cast().as_ref() };
    Ok(schema)
}

/// The Arrow type an object with `__arrow_c_schema__` describes, as a data type.
pub fn data_type_from_schema(obj: &Bound<'_, PyAny>) -> PyResult<DataType> {
    let capsule = obj.call_method0("__arrow_c_schema__")?.cast_into::<PyCapsule>()?;
    let arrow = ArrowType::try_from(schema_in(&capsule)?).map_err(invalid).py()?;
    DataType::from_arrow(&arrow).py()
}

/// A capsule with the schema of one Arrow type.
pub fn schema_capsule<'py>(py: Python<'py>, arrow: &ArrowType) -> PyResult<Bound<'py, PyAny>> {
    let schema = FFI_ArrowSchema::try_from(arrow).map_err(invalid).py()?;
    Ok(PyCapsule::new_with_value(py, schema, SCHEMA)?.into_any())
}

/// Arrays of one type that an object exports, in order, each validated.
struct Imported {
    arrow: ArrowType,
    chunks: Vec<ArrayRef>,
}

fn import(obj: &Bound<'_, PyAny>) -> PyResult<Imported> {
    if obj.hasattr("__arrow_c_array__")? {
        import_array(obj)
    } else if obj.hasattr("__arrow_c_stream__")? {
        import_stream(obj)
    } else {
        Err(PyTypeError::new_err(format!(
            "an object of type '{}' does not export Arrow data (__arrow_c_array__ or __arrow_c_stream__)",
            obj.get_type().name()?
        )))
    }
}

fn import_array(obj: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let pair = obj.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
    let schema_ref = schema_in(&schema)?;
    let arrow = ArrowType::try_from(schema_ref).map_err(invalid).py()?;
    let pointer = array.pointer_checked(Some(ARRAY))?;
    // SAFETY: a capsule of this name holds an ArrowArray (PyCapsule protocol). It is moved out: the
    // capsule is left with a released one, so that nothing is released twice.
    let array = unsafe { FFI_ArrowArray::from_raw(pointer.cast().as_ptr()) };
    if array.is_released() {
        return Err(PyValueError::new_err("the exported Arrow array has already been used"));
    }
    // Validation reads everything; done here, where the schema can be borrowed from its capsule.
    let own_schema = FFI_ArrowSchema::try_from(&arrow).map_err(invalid).py()?;
    let own_arrow = arrow.clone();
    let work = move |_: &Context| validated(array, &own_schema, &own_arrow);
    let chunk = run(obj.py(), "from_arrow", UNKNOWN_SIZE, work)?;
    Ok(Imported { arrow, chunks: vec![chunk] })
}

fn validated(array: FFI_ArrowArray, schema: &FFI_ArrowSchema, arrow: &ArrowType) -> Result<ArrayRef> {
    // An empty slice of text may start at any offset of characters it does not have; arrow-rs takes
    // it to have none at all and refuses it.
    if array.is_empty() {
        return Ok(new_empty_array(arrow));
    }
    // SAFETY: the producer promises a structure that follows the C data interface and matches the
    // schema; nothing in memory could prove more. What can be checked is checked next.
    let data: ArrayData = unsafe { from_ffi(array, schema) }.map_err(invalid)?;
    data.validate_full().map_err(invalid)?;
    Ok(make_array(data))
}

fn import_stream(obj: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let capsule = obj.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds an ArrowArrayStream (PyCapsule protocol); it is moved out.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
    if stream.release.is_none() {
        return Err(PyValueError::new_err("the exported Arrow stream has already been used"));
    }
    run(obj.py(), "from_arrow", UNKNOWN_SIZE, move |ctx| {
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the callbacks of a stream that is not released take the stream and a place to
        // write to (C stream interface).
        let status = stream.get_schema.map_or(-1, |f| unsafe { f(&raw mut stream, &raw mut schema) });
        check(&mut stream, status)?;
        let arrow = ArrowType::try_from(&schema).map_err(invalid)?;
        let mut chunks = Vec::new();
        loop {
            ctx.check()?;
            let mut array = FFI_ArrowArray::empty();
            // SAFETY: as above.
            let status = stream.get_next.map_or(-1, |f| unsafe { f(&raw mut stream, &raw mut array) });
            check(&mut stream, status)?;
            if array.is_released() {
                return Ok(Imported { arrow, chunks });
            }
            chunks.push(validated(array, &schema, &arrow)?);
        }
    })
}

fn check(stream: &mut FFI_ArrowArrayStream, status: i32) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the callback of a stream that is not released, called right after a failure, returns
    // null or text that lives until the next call (C stream interface).
    let message = unsafe {
        let text = stream.get_last_error.map_or(std::ptr::null(), |f| f(stream));
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    };
    Err(Error::invalid_argument(format!("the producer of the Arrow stream failed ({status}): {message}")))
}

/// One column of the chunks; a single chunk is shared, several are copied together.
fn join(arrow: &ArrowType, chunks: &[ArrayRef], ctx: &Context) -> Result<Column> {
    match chunks {
        [] => Ok(Column::empty(DataType::from_arrow(arrow)?)),
        [only] => arrow::from_arrow(only, ctx),
        _ => {
            DataType::from_arrow(arrow)?;
            let parts: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
            arrow::from_arrow(&arrow_select::concat::concat(&parts).map_err(invalid)?, ctx)
        }
    }
}

/// A column from an object that exports an Arrow array or a stream of arrays of one type.
pub fn column_from(obj: &Bound<'_, PyAny>) -> PyResult<Column> {
    let Imported { arrow, chunks } = import(obj)?;
    run(obj.py(), "from_arrow", UNKNOWN_SIZE, move |ctx| join(&arrow, &chunks, ctx))
}

/// The names and columns of an object that exports Arrow record batches, and their row count.
pub fn table_from(obj: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Table)> {
    // Tables export both in some libraries; the stream is the one that means a table.
    let imported = if obj.hasattr("__arrow_c_stream__")? { import_stream(obj) } else { import(obj) }?;
    let Imported { arrow, chunks } = imported;
    let ArrowType::Struct(fields) = arrow else {
        return Err(PyTypeError::new_err(format!(
            "the object exports Arrow data of type {arrow}, not a table of named columns"
        )));
    };
    let names = fields.iter().map(|field| field.name().clone()).collect();
    let table = run(obj.py(), "from_arrow", UNKNOWN_SIZE, move |ctx| {
        let rows = chunks.iter().map(Array::len).sum();
        let chunks: Vec<StructArray> = chunks.iter().map(|c| StructArray::from(c.to_data())).collect();
        if chunks.iter().any(|c| c.null_count() > 0) {
            return Err(Error::invalid_argument("the rows of a table cannot be null"));
        }
        let column = |(i, field): (usize, &arrow_schema::FieldRef)| {
            let parts: Vec<ArrayRef> = chunks.iter().map(|c| Arc::clone(c.column(i))).collect();
            join(field.data_type(), &parts, ctx).map_err(|e| e.context(format!("column '{}'", field.name())))
        };
        Table::with_rows(fields.iter().enumerate().map(column).collect::<Result<_>>()?, rows)
    })?;
    Ok((names, table))
}

/// The names, the columns and the number of rows of an object that exports Arrow record batches.
#[pyfunction]
pub fn columns_from_arrow(obj: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Vec<PyColumn>, usize)> {
    let (names, table) = table_from(obj)?;
    let rows = table.num_rows();
    Ok((names, table.into_columns().into_iter().map(PyColumn).collect(), rows))
}

/// A column as the pair of capsules that `__arrow_c_array__` returns.
pub fn array_capsules<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) =
        run(py, "to_arrow", column.len(), |_| to_ffi(&arrow::to_arrow(column)?.to_data()).map_err(invalid))?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    (schema, array).into_pyobject(py)
}

/// A table as the capsule that `__arrow_c_stream__` returns: one record batch.
pub fn stream_capsule<'py>(py: Python<'py>, table: &Table, names: &[String]) -> PyResult<Bound<'py, PyAny>> {
    let batch = run(py, "to_arrow", table.num_rows(), |_| arrow::batch_from_table(table, names))?;
    let schema: Arc<Schema> = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    Ok(PyCapsule::new_with_value(py, stream, STREAM)?.into_any())
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
