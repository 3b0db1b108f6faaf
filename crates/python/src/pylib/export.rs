//! Arrow with the names of fields, time zones and precisions, which columns do not know.

use cuprum_column::arrow::{self as arrow_column, ColumnMetadata};
use cuprum_column::validate::MAX_DEPTH;
use cuprum_column::{Column, Table};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arrow;
use crate::errors::IntoPyResult;

/// The metadata of one column from a `ColumnMetadata` of Python, or a name.
pub fn metadata_of(metadata: &Bound<'_, PyAny>) -> PyResult<ColumnMetadata> {
    read(metadata, MAX_DEPTH)
}

fn read(metadata: &Bound<'_, PyAny>, depth: usize) -> PyResult<ColumnMetadata> {
    if let Ok(name) = metadata.cast::<PyString>() {
        return Ok(ColumnMetadata::named(name.to_str()?));
    }
    if depth == 0 || !metadata.hasattr("children_meta")? {
        return Err(PyTypeError::new_err(format!(
            "`metadata` must be a ColumnMetadata or a name, not {}",
            metadata.get_type()
        )));
    }
    let children = metadata.getattr("children_meta")?;
    let timezone: String = metadata.getattr("timezone")?.extract()?;
    Ok(ColumnMetadata {
        name: metadata.getattr("name")?.extract()?,
        timezone: Some(timezone).filter(|zone| !zone.is_empty()),
        precision: metadata.getattr("precision")?.extract()?,
        binary: false,
        extension: None,
        ordered: false,
        children: children.try_iter()?.map(|child| read(&child?, depth - 1)).collect::<PyResult<_>>()?,
    })
}

/// The same of one column; nothing where there is none.
fn optional(metadata: Option<&Bound<'_, PyAny>>) -> PyResult<ColumnMetadata> {
    metadata.map(metadata_of).transpose().map(Option::unwrap_or_default)
}

/// The Arrow schema of a column with `metadata`, in a capsule.
pub fn schema<'py>(
    py: Python<'py>,
    column: &Column,
    metadata: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    arrow::field_capsule(py, &arrow_column::field(column, &optional(metadata)?).py_argument()?)
}

/// The Arrow schema of the rows of a table as structs, whose columns a list describes.
pub fn rows_schema<'py>(
    py: Python<'py>,
    table: &Table,
    metadata: &[ColumnMetadata],
) -> PyResult<Bound<'py, PyAny>> {
    arrow::table_schema_capsule(py, table, metadata)
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
    let pair = arrow::array_capsules_with(py, column, &optional(metadata)?, None)?;
    let capsules = Bound::new(py, Capsules(pair.get_item(0)?.unbind(), pair.get_item(1)?.unbind()))?;
    py.import("pyarrow")?.call_method1("array", (capsules,))
}
