//! NumPy's scalars of numbers and truth values, made by its C interface: a call of their classes takes several times as
//! long.

use std::ffi::c_void;
use std::ptr;

use cuprum_column::{DataType, Native, Scalar, dispatch_storage};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// `PyArray_Scalar(data, descr, base)`: copies a value of the type `descr` into a scalar of its own.
type NewScalar =
    unsafe extern "C" fn(*mut c_void, *mut ffi::PyObject, *mut ffi::PyObject) -> *mut ffi::PyObject;

/// The position in NumPy's table of functions, in which none ever moves.
const NEW_SCALAR: usize = 60;

/// The element of a NumPy array that a number or a truth value is; `None` for nulls and other types.
pub fn number<'py>(py: Python<'py>, scalar: &Scalar) -> PyResult<Option<Bound<'py, PyAny>>> {
    let data_type = scalar.data_type();
    let Some(descr) = descr(py, data_type)?.filter(|_| !scalar.is_null()) else { return Ok(None) };
    dispatch_storage!(data_type, T => {
        let Ok(Some(value)) = scalar.to_native::<T>() else { return Ok(None) };
        new_scalar(descr, value).map(Some)
    }, else => Ok(None))
}

/// NumPy's classes of numbers and truth values, once one of them has been met.
static CLASSES: PyOnceLock<Vec<(Py<PyType>, DataType)>> = PyOnceLock::new();

/// The type of the scalars of a class of NumPy, as far as [`learn`] knows it. Names of types take Python several
/// microseconds each.
pub fn of_class(class: &Bound<'_, PyType>) -> Option<DataType> {
    let known = CLASSES.get(class.py())?;
    known.iter().find(|(known, _)| known.is(class)).map(|(_, data_type)| *data_type)
}

/// Finds the classes that [`of_class`] tells apart.
pub fn learn(py: Python<'_>) -> PyResult<()> {
    let class = |data_type| {
        let Some(descr) = descr(py, data_type)? else { return Ok(None) };
        Ok(Some((descr.getattr("type")?.cast_into::<PyType>()?.unbind(), data_type)))
    };
    let find =
        || NUMBERS.into_iter().filter_map(|data_type| class(data_type).transpose()).collect::<PyResult<_>>();
    CLASSES.get_or_try_init(py, find).map(|_| ())
}

const NUMBERS: [DataType; 11] = [
    DataType::Float64,
    DataType::Int64,
    DataType::Bool8,
    DataType::Float32,
    DataType::Int32,
    DataType::Int16,
    DataType::Int8,
    DataType::UInt64,
    DataType::UInt32,
    DataType::UInt16,
    DataType::UInt8,
];

/// A value of the type that `descr` describes, which is that of `T`.
fn new_scalar<'py, T: Native>(descr: &Bound<'py, PyAny>, mut value: T) -> PyResult<Bound<'py, PyAny>> {
    let function = function(descr.py())?;
    // SAFETY: `function` is NumPy's, which reads as many bytes from `value` as `descr` says, those of a `T`; without a
    // base, which only text and records have, it keeps nothing of both. It returns a reference of our own, or null
    // and an exception.
    unsafe {
        let made = function((&raw mut value).cast(), descr.as_ptr(), ptr::null_mut());
        Bound::from_owned_ptr_or_err(descr.py(), made)
    }
}

fn function(py: Python<'_>) -> PyResult<NewScalar> {
    let table = table(py)?;
    // SAFETY: `NEW_SCALAR` is the place of a function of this type.
    Ok(unsafe { std::mem::transmute::<*const c_void, NewScalar>(*table.add(NEW_SCALAR)) })
}

/// NumPy's table of functions and types.
pub fn table(py: Python<'_>) -> PyResult<*const *const c_void> {
    static TABLE: PyOnceLock<usize> = PyOnceLock::new();
    let find = || {
        let before_2 = |_| py.import("numpy.core._multiarray_umath");
        let module = py.import("numpy._core._multiarray_umath").or_else(before_2)?;
        let capsule = module.getattr("_ARRAY_API")?;
        // SAFETY: the capsule has no name; the module keeps it alive, and with it the table.
        let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), ptr::null()) };
        if table.is_null() { Err(PyErr::fetch(py)) } else { Ok(table.expose_provenance()) }
    };
    TABLE.get_or_try_init(py, find).map(|table| ptr::with_exposed_provenance(*table))
}

/// NumPy's dtype of numbers and truth values of a type; `None` for other types.
pub fn descr(py: Python<'_>, data_type: DataType) -> PyResult<Option<&Bound<'_, PyAny>>> {
    macro_rules! descr {
        ($name:literal) => {{
            static DESCR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let make = || Ok::<_, PyErr>(py.import("numpy")?.getattr("dtype")?.call1(($name,))?.unbind());
            Some(DESCR.get_or_try_init(py, make)?.bind(py))
        }};
    }
    Ok(match data_type {
        DataType::Int8 => descr!("int8"),
        DataType::Int16 => descr!("int16"),
        DataType::Int32 => descr!("int32"),
        DataType::Int64 => descr!("int64"),
        DataType::UInt8 => descr!("uint8"),
        DataType::UInt16 => descr!("uint16"),
        DataType::UInt32 => descr!("uint32"),
        DataType::UInt64 => descr!("uint64"),
        DataType::Float32 => descr!("float32"),
        DataType::Float64 => descr!("float64"),
        DataType::Bool8 => descr!("bool"),
        _ => None,
    })
}
