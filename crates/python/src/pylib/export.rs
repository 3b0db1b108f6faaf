//! Arrow with the names of fields, time zones and precisions, which columns do not know.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field, Fields};
use cuprum_column::Column;
use cuprum_column::arrow::arrow_type;
use cuprum_column::validate::MAX_DEPTH;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyString, PyTuple};

use crate::arrow;
use crate::errors::IntoPyResult;

/// What `ColumnMetadata` says of one column.
#[derive(Default)]
struct Metadata {
    name: String,
    timezone: String,
    precision: Option<u8>,
    children: Vec<Metadata>,
}

fn read(metadata: &Bound<'_, PyAny>, depth: usize) -> PyResult<Metadata> {
    if let Ok(name) = metadata.cast::<PyString>() {
        return Ok(Metadata { name: name.to_str()?.to_owned(), ..Metadata::default() });
    }
    if depth == 0 || !metadata.hasattr("children_meta")? {
        return Err(PyTypeError::new_err(format!(
            "`metadata` must be a ColumnMetadata or a name, not {}",
            metadata.get_type()
        )));
    }
    let children = metadata.getattr("children_meta")?;
    let children = children.try_iter()?.map(|child| read(&child?, depth - 1)).collect::<PyResult<_>>()?;
    Ok(Metadata {
        name: metadata.getattr("name")?.extract()?,
        timezone: metadata.getattr("timezone")?.extract()?,
        precision: metadata.getattr("precision")?.extract()?,
        children,
    })
}

/// The name that `metadata` gives.
pub fn name(metadata: &Bound<'_, PyAny>) -> PyResult<String> {
    read(metadata, MAX_DEPTH).map(|metadata| metadata.name)
}

/// The type with the names, zones and precisions of `metadata`; its memory is laid out the same.
fn described(arrow: ArrowType, metadata: &Metadata) -> PyResult<ArrowType> {
    let none = Metadata::default();
    let field = |field: &Field, metadata: &Metadata, name: &str| -> PyResult<Arc<Field>> {
        Ok(Arc::new(Field::new(name, described(field.data_type().clone(), metadata)?, true)))
    };
    let decimal = |most: u8| match metadata.precision {
        Some(precision) if precision == 0 || precision > most => Err(PyValueError::new_err(format!(
            "`precision` is {precision}; a decimal of this width has 1 to {most} digits"
        ))),
        precision => Ok(precision.unwrap_or(most)),
    };
    Ok(match arrow {
        ArrowType::Struct(fields) => {
            if !metadata.children.is_empty() && metadata.children.len() != fields.len() {
                return Err(PyValueError::new_err(format!(
                    "`children_meta` describes {} fields, there are {}",
                    metadata.children.len(),
                    fields.len()
                )));
            }
            let named = fields.iter().enumerate().map(|(i, f)| match metadata.children.get(i) {
                Some(child) => field(f, child, &child.name),
                None => field(f, &none, f.name()),
            });
            ArrowType::Struct(named.collect::<PyResult<Fields>>()?)
        }
        // In pylibcudf the children of a list are its offsets and its elements.
        ArrowType::List(f) => {
            ArrowType::List(field(&f, metadata.children.last().unwrap_or(&none), f.name())?)
        }
        ArrowType::LargeList(f) => {
            ArrowType::LargeList(field(&f, metadata.children.last().unwrap_or(&none), f.name())?)
        }
        ArrowType::Timestamp(unit, None) if !metadata.timezone.is_empty() => {
            ArrowType::Timestamp(unit, Some(metadata.timezone.as_str().into()))
        }
        ArrowType::Decimal32(_, scale) => ArrowType::Decimal32(decimal(9)?, scale),
        ArrowType::Decimal64(_, scale) => ArrowType::Decimal64(decimal(18)?, scale),
        ArrowType::Decimal128(_, scale) => ArrowType::Decimal128(decimal(38)?, scale),
        other => other,
    })
}

/// The Arrow schema of a column with `metadata`, in a capsule.
pub fn schema<'py>(
    py: Python<'py>,
    column: &Column,
    metadata: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let metadata = metadata.map(|m| read(m, MAX_DEPTH)).transpose()?.unwrap_or_default();
    arrow::schema_capsule(py, &described(arrow_type(column), &metadata)?)
}

/// The Arrow schema of rows as structs, whose columns a list describes.
pub fn rows_schema<'py>(
    py: Python<'py>,
    rows: &Column,
    metadata: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let each = match metadata {
        Some(metadata) => metadata.try_iter()?.map(|m| read(&m?, MAX_DEPTH)).collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    let metadata = Metadata { children: each, ..Metadata::default() };
    arrow::schema_capsule(py, &described(arrow_type(rows), &metadata)?)
}

/// An array in two capsules, as the protocol hands them over.
#[pyclass(frozen, module = "pylibcuprum.column")]
struct Capsules(Py<PyAny>, Py<PyAny>);

#[pymethods]
impl Capsules {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        (self.0.bind(py), self.1.bind(py)).into_pyobject(py)
    }
}

/// The column as a `pyarrow.Array`, from host memory; shared where the layouts agree.
pub fn to_pyarrow<'py>(
    py: Python<'py>,
    column: &Column,
    metadata: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let schema = schema(py, column, metadata)?;
    let array = arrow::array_capsules(py, &column.to_host().py()?)?.get_item(1)?;
    let capsules = Bound::new(py, Capsules(schema.unbind(), array.unbind()))?;
    py.import("pyarrow")?.call_method1("array", (capsules,))
}
