//! NumPy's arrays over memory of columns, made by its C interface: `numpy.frombuffer` takes several times as long.

use std::ffi::{c_int, c_void};
use std::ptr;

use cuprum_column::DataType;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;
use crate::host_array::HostArray;
use crate::numpy_scalar::{descr, table};

/// `PyArray_NewFromDescr(subtype, descr, nd, dims, strides, data, flags, obj)`; takes over `descr`.
type NewFromDescr = unsafe extern "C" fn(
    *mut ffi::PyTypeObject,
    *mut ffi::PyObject,
    c_int,
    *const ffi::Py_ssize_t,
    *const ffi::Py_ssize_t,
    *mut c_void,
    c_int,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// `PyArray_SetBaseObject(array, base)`; takes over `base`.
type SetBase = unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject) -> c_int;

// Positions in NumPy's table, in which nothing ever moves.
const ARRAY_TYPE: usize = 2;
const NEW_FROM_DESCR: usize = 94;
const SET_BASE: usize = 282;

/// `NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED`: packed, and read-only.
const FLAGS: c_int = 0x1 | 0x2 | 0x100;

/// A read-only array of one dimension over values of `data_type`, which it keeps alive; `None` for types that are no
/// numbers or truth values.
pub fn of_memory(
    py: Python<'_>,
    memory: HostArray,
    data_type: DataType,
) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Some(descr) = descr(py, data_type)? else { return Ok(None) };
    let len = memory.len() as ffi::Py_ssize_t;
    let data = memory.address().py()?;
    let owner = Bound::new(py, memory)?.into_any();
    let table = table(py)?;
    // SAFETY: the table is NumPy's, whose entries at these places are the array type and functions of these types.
    // `data` has `len` values of the type that `descr` describes, aligned for it, for as long as `owner` lives, which
    // the array then holds a reference to; nothing writes to them, as the flags say. Both functions take over one
    // reference, and the array is ours.
    unsafe {
        let subtype = (*table.add(ARRAY_TYPE)).cast_mut().cast::<ffi::PyTypeObject>();
        let new = std::mem::transmute::<*const c_void, NewFromDescr>(*table.add(NEW_FROM_DESCR));
        let set_base = std::mem::transmute::<*const c_void, SetBase>(*table.add(SET_BASE));
        let array = new(
            subtype,
            descr.clone().into_ptr(),
            1,
            &raw const len,
            ptr::null(),
            data.cast_mut().cast(),
            FLAGS,
            ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        if set_base(array.as_ptr(), owner.into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(Some(array))
    }
}
