//! Methods of Python's classes that answer the calls of every day themselves, and hand on all others.
//!
//! On few rows most of a call is Python's: a frame for each function on the way, a dict of keywords, look-ups of
//! attributes. A method here takes the place of one that is written in Python. Called as it is called nearly always
//! (without arguments, with one label) on few rows of plain numbers it answers from the column, without a context or
//! letting go of the GIL; where it has no answer, it calls the method whose place it has. So results, errors and
//! warnings are that method's, and it is the one place that says what the method does.

use std::ffi::{CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use cuprum::{Dtype, Frame, IndexedFrame, TypedColumn};
use cuprum_compute::reduce::Aggregation;
use cuprum_runtime::{Device, spill};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyTuple, PyType};
use pyo3::{ffi, intern};

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use crate::numpy_scalar;
use crate::run::is_few;

/// What a method answers for a handle and arguments without names; `None` to leave it to Python.
type Answer = for<'py> fn(&Bound<'py, PyAny>, &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>>;

/// A method in the place of Python's, which is `slow`.
struct Method {
    class: &'static str,
    name: &'static str,
    call: ffi::PyCFunctionFastWithKeywords,
    slow: &'static PyOnceLock<Py<PyAny>>,
}

/// A function of C for each method, since those of Python's classes know nothing but their arguments.
macro_rules! methods {
    ($($class:literal $name:literal => $answer:expr;)*) => {
        [$({
            static SLOW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            unsafe extern "C" fn call(
                slf: *mut ffi::PyObject,
                args: *const *mut ffi::PyObject,
                count: ffi::Py_ssize_t,
                names: *mut ffi::PyObject,
            ) -> *mut ffi::PyObject {
                // SAFETY: Python calls this function as one with the flags of `quicken`.
                unsafe { entered(&SLOW, $answer, slf, args, count, names) }
            }
            Method { class: $class, name: $name, call, slow: &SLOW }
        }),*]
    };
}

static METHODS: &[Method] = &methods! {
    "Series" "__len__" => |handle, _| length(handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?.0.len(), handle);
    "Series" "__getitem__" => element;
    "Series" "to_list" => list;
    "Series" "sum" => |handle, args| reduced(handle, args, Aggregation::Sum);
    "Series" "prod" => |handle, args| reduced(handle, args, Aggregation::Product);
    "Series" "min" => |handle, args| reduced(handle, args, Aggregation::Min);
    "Series" "max" => |handle, args| reduced(handle, args, Aggregation::Max);
    "Series" "mean" => |handle, args| reduced(handle, args, Aggregation::Mean);
    "Series" "var" => |handle, args| reduced(handle, args, Aggregation::Var { ddof: 1 });
    "Series" "std" => |handle, args| reduced(handle, args, Aggregation::Std { ddof: 1 });
    "Series" "sem" => |handle, args| reduced(handle, args, Aggregation::Sem { ddof: 1 });
    "DataFrame" "__len__" =>
        |handle, _| length(handle.cast_exact::<PyDataFrame>().ok()?.try_borrow().ok()?.0.num_rows(), handle);
};

fn length<'py>(rows: usize, handle: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    rows.into_pyobject(handle.py()).ok().map(Bound::into_any)
}

fn reduced<'py>(
    handle: &Bound<'py, PyAny>,
    args: &[Bound<'py, PyAny>],
    aggregation: Aggregation,
) -> Option<Bound<'py, PyAny>> {
    let series = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    if !args.is_empty() || !is_few(series.0.len()) {
        return None;
    }
    number_of(handle, &series.0.reduce_few(aggregation).ok()??)
}

/// The element under an integer that is a label of a range.
fn element<'py>(handle: &Bound<'py, PyAny>, args: &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>> {
    let [label] = args else { return None };
    let label: i64 = label.cast_exact::<PyInt>().ok()?.extract().ok()?;
    let series = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    let row = series.0.index().as_range()?.find(label)?;
    if !is_plain_on_host(series.0.column()) {
        return None;
    }
    number_of(handle, &series.0.data().ok()?.get(row).ok()?)
}

fn list<'py>(handle: &Bound<'py, PyAny>, args: &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>> {
    let series = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    if !args.is_empty() || !is_few(series.0.len()) {
        return None;
    }
    // What fails, fails again where it is Python's to say so.
    series.to_list(handle.py()).ok()?.map(Bound::into_any)
}

/// Whether elements are numbers and truth values that are read without waiting for a device or a disk.
pub fn is_plain_on_host(column: &TypedColumn) -> bool {
    matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_))
        && column.place() == Some(Device::Cpu)
        && !spill::is_enabled()
}

/// `None` for what is missing, which Python has names for.
fn number_of<'py>(handle: &Bound<'py, PyAny>, value: &cuprum::Scalar) -> Option<Bound<'py, PyAny>> {
    numpy_scalar::number(handle.py(), value).ok()?
}

/// Answers a call, or hands it on to `slow`.
///
/// # Safety
/// The caller is Python, attached, and calls a function with the flags `METH_FASTCALL` and `METH_KEYWORDS`: `args` are
/// `count` objects and one for each of `names`, a tuple or null.
unsafe fn entered(
    slow: &PyOnceLock<Py<PyAny>>,
    answer: Answer,
    slf: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the caller says so.
    let py = unsafe { Python::assume_attached() };
    let called = catch_unwind(AssertUnwindSafe(|| -> PyResult<Bound<'_, PyAny>> {
        // SAFETY: the caller's objects live as long as its call; there are as many arguments.
        let object = |object: *mut ffi::PyObject| unsafe { Bound::from_borrowed_ptr(py, object) };
        let many = |from: usize, count: usize| -> &[*mut ffi::PyObject] {
            // SAFETY: as above; none where the pointer may be null.
            if count == 0 { &[] } else { unsafe { slice::from_raw_parts(args.add(from), count) } }
        };
        let slf = object(slf);
        let count = usize::try_from(count).unwrap_or(0);
        let given: Vec<_> = many(0, count).iter().map(|arg| object(*arg)).collect();
        if names.is_null() {
            // SAFETY: both are objects; it gives a reference of our own, or null and an exception.
            let handle = unsafe {
                let found = ffi::PyObject_GenericGetAttr(slf.as_ptr(), intern!(py, "_handle").as_ptr());
                Bound::from_owned_ptr_or_opt(py, found)
            };
            match handle {
                Some(handle) => {
                    if let Some(found) = answer(&handle, &given) {
                        return Ok(found);
                    }
                }
                None => drop(PyErr::take(py)), // of an object that is yet to be made; Python says so once more
            }
        }
        let named = if names.is_null() {
            None
        } else {
            let (names, all) = (object(names).cast_into::<PyTuple>()?, PyDict::new(py));
            for (name, value) in names.iter().zip(many(count, names.len())) {
                all.set_item(name, object(*value))?;
            }
            Some(all)
        };
        let slow =
            slow.get(py).ok_or_else(|| PyRuntimeError::new_err("a method has no function of Python"))?;
        slow.bind(py)
            .call(PyTuple::new(py, std::iter::once(slf).chain(given).collect::<Vec<_>>())?, named.as_ref())
    }));
    let panicked = || Err(PyRuntimeError::new_err("a method failed inside the library; please report this"));
    match called.unwrap_or_else(|_| panicked()) {
        Ok(found) => found.into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    }
}

/// The names of the methods of a class that can be put in the place of Python's.
#[pyfunction]
pub fn quick_methods(class: &str) -> Vec<&'static str> {
    METHODS.iter().filter(|method| method.class == class).map(|method| method.name).collect()
}

/// Puts a method in the place of `slow`, a function of a class; `doc` begins with the signature, as those of C do.
#[pyfunction]
pub fn quicken(class: &Bound<'_, PyType>, name: &str, slow: Bound<'_, PyAny>, doc: CString) -> PyResult<()> {
    let py = class.py();
    let of_class = class.name()?;
    let known = |method: &&Method| method.class == of_class && method.name == name;
    let method = METHODS.iter().find(known).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    method
        .slow
        .set(py, slow.unbind())
        .map_err(|_| PyRuntimeError::new_err(format!("{name} is quick already")))?;
    // A method of a class has one description as long as the process lives; `slow` is set once.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: CString::new(name)?.into_raw(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: method.call },
        ml_flags: FLAGS,
        ml_doc: doc.into_raw(),
    }));
    // SAFETY: the definition lives on, and its flags are those of its function; it gives a reference of our own, or
    // null and an exception.
    let made = unsafe {
        let made = ffi::PyDescr_NewMethod(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    class.setattr(name, made)
}

const FLAGS: c_int = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;
