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

use cuprum::{Dtype, Frame, IndexedFrame, Series, TypedColumn};
use cuprum_compute::reduce::Aggregation;
use cuprum_runtime::{Device, spill};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};

use super::dataframe::PyDataFrame;
use super::selection;
use super::series::PySeries;
use crate::numpy_scalar;
use crate::run::is_few;

/// A method of a handle with positional arguments; `None` leaves the call to Python.
type Answer = for<'py> fn(&Bound<'py, PyAny>, &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>>;

/// The holder of a method.
#[derive(Clone, Copy)]
enum Holder {
    /// A frame or a series, which has a handle.
    Object,
    /// An indexer of one.
    Indexer,
}

/// A method in the place of Python's, which is `slow`.
struct Method {
    class: &'static str,
    name: &'static str,
    call: ffi::PyCFunctionFastWithKeywords,
    slow: &'static PyOnceLock<Py<PyAny>>,
}

/// A function of C for each method, since those of Python's classes know nothing but their arguments.
macro_rules! methods {
    ($($class:literal $name:literal of $holder:ident => $answer:expr;)*) => {
        [$({
            static SLOW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            unsafe extern "C" fn call(
                slf: *mut ffi::PyObject,
                args: *const *mut ffi::PyObject,
                count: ffi::Py_ssize_t,
                names: *mut ffi::PyObject,
            ) -> *mut ffi::PyObject {
                // SAFETY: Python calls this function as one with the flags of `quicken`.
                unsafe { entered(&SLOW, Holder::$holder, $answer, slf, args, count, names) }
            }
            Method { class: $class, name: $name, call, slow: &SLOW }
        }),*]
    };
}

static METHODS: &[Method] = &methods! {
    "Series" "__len__" of Object => |handle, _| length(handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?.0.now()?.len(), handle);
    "Series" "__getitem__" of Object => element;
    "Series" "to_list" of Object => list;
    "Series" "sum" of Object => |handle, args| reduced(handle, args, Aggregation::Sum);
    "Series" "prod" of Object => |handle, args| reduced(handle, args, Aggregation::Product);
    "Series" "min" of Object => |handle, args| reduced(handle, args, Aggregation::Min);
    "Series" "max" of Object => |handle, args| reduced(handle, args, Aggregation::Max);
    "Series" "mean" of Object => |handle, args| reduced(handle, args, Aggregation::Mean);
    "Series" "var" of Object => |handle, args| reduced(handle, args, Aggregation::Var { ddof: 1 });
    "Series" "std" of Object => |handle, args| reduced(handle, args, Aggregation::Std { ddof: 1 });
    "Series" "sem" of Object => |handle, args| reduced(handle, args, Aggregation::Sem { ddof: 1 });
    "DataFrame" "__len__" of Object =>
        |handle, _| length(handle.cast_exact::<PyDataFrame>().ok()?.try_borrow().ok()?.0.now()?.num_rows(), handle);
    "LocIndexer" "__getitem__" of Indexer => |handle, args| element(handle, args).or_else(|| row(handle, args, true));
    "ILocIndexer" "__getitem__" of Indexer => |handle, args| element_at(handle, args).or_else(|| row(handle, args, false));
};

fn length<'py>(rows: usize, handle: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    rows.into_pyobject(handle.py()).ok().map(Bound::into_any)
}

fn reduced<'py>(
    handle: &Bound<'py, PyAny>,
    args: &[Bound<'py, PyAny>],
    aggregation: Aggregation,
) -> Option<Bound<'py, PyAny>> {
    let handle_of = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    let series = handle_of.0.now()?;
    if !args.is_empty() || !is_few(series.len()) {
        return None;
    }
    number_of(handle, &series.reduce_few(aggregation).ok()??)
}

/// The element under an integer that is a label of a range.
fn element<'py>(handle: &Bound<'py, PyAny>, args: &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>> {
    let handle_of = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    let series = handle_of.0.now()?;
    let row = series.index().as_range()?.find(integer(args)?)?;
    number_in(handle, series, row)
}

/// The element at a position.
fn element_at<'py>(handle: &Bound<'py, PyAny>, args: &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>> {
    let handle_of = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    let series = handle_of.0.now()?;
    number_in(handle, series, position(integer(args)?, series.len())?)
}

/// The row of a frame of numbers, truth values and texts under a label of a range or at a position: objects, unless
/// a value is missing or the columns have a type in common.
fn row<'py>(
    handle: &Bound<'py, PyAny>,
    args: &[Bound<'py, PyAny>],
    by_label: bool,
) -> Option<Bound<'py, PyAny>> {
    static RECORD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let handle = handle.cast_exact::<PyDataFrame>().ok()?;
    let (py, this, at) = (handle.py(), handle.try_borrow().ok()?, integer(args)?);
    let frame = this.0.now()?;
    let labels = frame.index().as_range()?;
    let row = if by_label { labels.find(at)? } else { position(at, labels.len())? };
    let is_read = |column: &TypedColumn| {
        is_on_host(column) && (is_plain(column) || matches!(column.dtype(), Dtype::String(_)))
    };
    if frame.rows_are_series() || !frame.columns().iter().all(is_read) {
        return None;
    }
    let parts = selection::row_parts(py, frame, row, false, Some(handle)).ok()?;
    let (labels, values, name, level_names, None) = parts else { return None };
    RECORD
        .import(py, "cuprum.core.object_columns", "record")
        .ok()?
        .call1((labels, values, name, level_names))
        .ok()
}

fn integer(args: &[Bound<'_, PyAny>]) -> Option<i64> {
    let [key] = args else { return None };
    key.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// The row at a position of so many rows; negative positions count from the end.
fn position(at: i64, rows: usize) -> Option<usize> {
    let at = if at < 0 { at.checked_add(i64::try_from(rows).ok()?)? } else { at };
    usize::try_from(at).ok().filter(|at| *at < rows)
}

fn number_in<'py>(handle: &Bound<'py, PyAny>, series: &Series, row: usize) -> Option<Bound<'py, PyAny>> {
    if !is_plain_on_host(series.column()) {
        return None;
    }
    number_of(handle, &series.data().ok()?.get(row).ok()?)
}

fn list<'py>(handle: &Bound<'py, PyAny>, args: &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>> {
    let handle_of = handle.cast_exact::<PySeries>().ok()?.try_borrow().ok()?;
    let series = handle_of.0.now()?;
    if !args.is_empty() || !is_few(series.len()) {
        return None;
    }
    // An error here is raised again by Python's method.
    handle_of.to_list(handle.py()).ok()?.map(Bound::into_any)
}

/// Whether elements are numbers and truth values that are read without waiting for a device or a disk.
pub fn is_plain_on_host(column: &TypedColumn) -> bool {
    is_plain(column) && is_on_host(column)
}

fn is_plain(column: &TypedColumn) -> bool {
    matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_))
}

fn is_on_host(column: &TypedColumn) -> bool {
    column.place() == Some(Device::Cpu) && !column.is_late() && !spill::is_enabled()
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
    holder: Holder,
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
            // SAFETY: the caller's objects live as long as its call, and there are as many arguments; none where the pointer may be null.
            if count == 0 { &[] } else { unsafe { slice::from_raw_parts(args.add(from), count) } }
        };
        let slf = object(slf);
        let count = usize::try_from(count).unwrap_or(0);
        let given: Vec<_> = many(0, count).iter().map(|arg| object(*arg)).collect();
        if names.is_null() {
            // SAFETY: both are objects; it gives a reference of our own, or null and an exception.
            let of = |object: &Bound<'_, PyAny>, name: &Bound<'_, PyString>| unsafe {
                Bound::from_owned_ptr_or_opt(py, ffi::PyObject_GenericGetAttr(object.as_ptr(), name.as_ptr()))
            };
            let object = match holder {
                Holder::Object => Some(slf.clone()),
                Holder::Indexer => of(&slf, intern!(py, "_target")),
            };
            let handle = object.and_then(|object| of(&object, intern!(py, "_handle")));
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
