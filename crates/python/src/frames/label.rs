//! Labels of columns and index levels as Python objects: `str`, `int`, tuples and `None`.

use cuprum::Label;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};

/// The label that a Python object is.
pub fn from_py(obj: &Bound<'_, PyAny>) -> PyResult<Label> {
    if let Ok(text) = obj.cast::<PyString>() {
        return Ok(Label::from(text.to_str()?));
    }
    if obj.is_none() {
        return Ok(Label::Missing);
    }
    if let Ok(parts) = obj.cast::<PyTuple>() {
        return Ok(Label::tuple(parts.iter().map(|p| from_py(&p)).collect::<PyResult<Vec<_>>>()?));
    }
    if !obj.is_instance_of::<PyBool>() && (obj.is_instance_of::<PyInt>() || obj.hasattr("__index__")?) {
        return Ok(Label::Int(obj.extract()?));
    }
    Err(PyTypeError::new_err(format!(
        "{} is not a label: column labels and names are str, int or tuples of them",
        obj.repr()?
    )))
}

/// The labels of an iterable.
pub fn list_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Vec<Label>> {
    obj.try_iter()?.map(|item| from_py(&item?)).collect()
}

/// A name: a label, or `None` for no name.
pub fn name_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Option<Label>> {
    if obj.is_none() { Ok(None) } else { from_py(obj).map(Some) }
}

/// The names of an iterable.
pub fn names_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Label>>> {
    obj.try_iter()?.map(|item| name_from_py(&item?)).collect()
}

/// A label as a Python object.
pub fn to_py<'py>(py: Python<'py>, label: &Label) -> PyResult<Bound<'py, PyAny>> {
    Ok(match label {
        Label::Missing => py.None().into_bound(py),
        Label::Int(i) => i.into_pyobject(py)?.into_any(),
        Label::Str(text) => PyString::new(py, text).into_any(),
        Label::Tuple(parts) => {
            let parts = parts.iter().map(|p| to_py(py, p)).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, parts)?.into_any()
        }
    })
}

/// A name as a Python object.
pub fn name_to_py<'py>(py: Python<'py>, name: Option<&Label>) -> PyResult<Bound<'py, PyAny>> {
    name.map_or_else(|| Ok(py.None().into_bound(py)), |label| to_py(py, label))
}

/// Labels as a list of Python objects.
pub fn list_to_py<'py>(py: Python<'py>, labels: &[Label]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    labels.iter().map(|label| to_py(py, label)).collect()
}

/// Names as a list of Python objects.
pub fn names_to_py<'py>(py: Python<'py>, names: &[Option<Label>]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    names.iter().map(|name| name_to_py(py, name.as_ref())).collect()
}
