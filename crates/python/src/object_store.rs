//! Python's objects in columns of dtype `object`.

use std::any::Any;
use std::sync::Arc;

use cuprum::types::{ObjectPlace, ObjectStore, Objects};
use cuprum::{Dtype, TypedColumn};
use cuprum_column::{Context, Device, Error, Scalar};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::errors::IntoPyResult;
use crate::scalar::{self, Item};

/// Objects that nobody replaces.
#[derive(Debug)]
struct PyObjects {
    objects: Vec<Py<PyAny>>,
    missing: Vec<bool>,
}

impl ObjectStore for PyObjects {
    fn len(&self) -> usize {
        self.objects.len()
    }

    fn is_missing(&self, at: usize) -> bool {
        self.missing[at]
    }

    fn equals(&self, at: usize, other: &dyn ObjectStore, other_at: usize) -> cuprum::Result<bool> {
        let Some(other) = other.as_any().downcast_ref::<Self>() else { return Ok(false) };
        let (own, other) = (&self.objects[at], &other.objects[other_at]);
        Python::attach(|py| {
            if own.is(other) {
                return Ok(true);
            }
            own.bind(py)
                .eq(other)
                .map_err(|error| Error::data_type(format!("objects do not compare: {error}")))
        })
    }

    fn cell(&self, at: usize, precision: usize) -> cuprum::Result<Option<String>> {
        Python::attach(|py| {
            let cell = py.import("cuprum.core.printing")?.getattr("cell_of_object")?;
            cell.call1((&self.objects[at], precision))?.extract()
        })
        .map_err(|error: PyErr| Error::data_type(format!("an object has no text: {error}")))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Whether pandas takes an object for a missing element: None, NaN, NaT and NA.
fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    if object.is_none() {
        return true;
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        return float.value().is_nan();
    }
    if object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyTuple>()
        || object.is_exact_instance_of::<PyDict>()
        || object.is_exact_instance_of::<PyList>()
    {
        return false;
    }
    match scalar::classify(object) {
        Ok(Item::NaT | Item::Null) => true,
        Ok(Item::Float(value)) => value.is_nan(),
        Ok(Item::Typed(value)) => value.is_null() || value.as_f64().is_some_and(f64::is_nan),
        // Decimals have a NaN, too.
        _ => object.call_method0("is_nan").is_ok_and(|nan| nan.is_truthy().unwrap_or(false)),
    }
}

/// A column of dtype `object` with the elements of a list.
pub fn column_of_objects(list: &Bound<'_, PyList>) -> PyResult<TypedColumn> {
    let missing = list.iter().map(|object| is_missing(&object)).collect();
    let objects = list.iter().map(Bound::unbind).collect();
    Objects::column_of(Arc::new(PyObjects { objects, missing }), &Context::current()).py()
}

/// The objects of a column's rows, `null` where there is none.
pub fn objects_of<'py>(
    py: Python<'py>,
    column: &TypedColumn,
    null: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let column = column.placed(&Context::beside(Device::Cpu).py()?).py()?;
    let object = |found: Option<ObjectPlace<'_>>| match found.and_then(|(store, at)| object_in(store, at)) {
        Some(object) => object.bind(py).clone(),
        None => null.clone(),
    };
    PyList::new(py, column.objects().py()?.into_iter().map(object))
}

fn object_in(store: &dyn ObjectStore, at: usize) -> Option<&Py<PyAny>> {
    store.as_any().downcast_ref::<PyObjects>()?.objects.get(at)
}

/// Whether a column is one of objects.
pub fn is_object(column: &TypedColumn) -> bool {
    matches!(column.dtype(), Dtype::Objects(_))
}

/// The element of a row: the object of one of [`Objects`], else what `of` makes of the value.
pub fn element<'py>(
    py: Python<'py>,
    column: &TypedColumn,
    row: usize,
    of: impl Fn(Python<'py>, &Dtype, &Scalar) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if !is_object(column) {
        return of(py, column.dtype(), &column.get(row).py()?);
    }
    let row = column.slice(row, 1).py()?;
    objects_of(py, &row, &PyFloat::new(py, f64::NAN).into_any())?.get_item(0)
}
