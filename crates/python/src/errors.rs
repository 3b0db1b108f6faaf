//! The library's errors as Python exceptions.

use cuprum_column::{Detail, Error, ErrorKind};
use pyo3::exceptions::{
    PyIndexError, PyKeyError, PyKeyboardInterrupt, PyMemoryError, PyNameError, PyNotImplementedError,
    PyOSError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The exception for an error of the library: its class follows the kind, its text is the message
/// with its context; a name in a formula that stands for nothing is a `NameError`. I/O errors carry the operating system's number, so that `FileNotFoundError`,
/// `PermissionError` and their like come out.
/// Details are the attribute [`DETAIL`]: a tuple of their name and their values.
pub fn to_py(error: Error) -> PyErr {
    let raised = of_kind(&error);
    if let Some(detail) = error.detail() {
        Python::attach(|py| {
            // An exception that takes no attribute is raised without its details.
            let _ = fields(py, detail).and_then(|fields| raised.value(py).setattr(DETAIL, fields));
        });
    }
    raised
}

/// The attribute of an exception that has the details of its error.
pub const DETAIL: &str = "_cuprum_detail";

fn fields<'py>(py: Python<'py>, detail: &Detail) -> PyResult<Bound<'py, PyAny>> {
    let tuple = match detail {
        Detail::MergeKeys => ("MergeKeys",).into_pyobject(py)?.into_any(),
        Detail::UndefinedName => ("UndefinedName",).into_pyobject(py)?.into_any(),
        Detail::EmptyData => ("EmptyData",).into_pyobject(py)?.into_any(),
        Detail::FieldCount { found, expected } => {
            ("FieldCount", found, expected).into_pyobject(py)?.into_any()
        }
        Detail::NameCount { names, fields } => ("NameCount", names, fields).into_pyobject(py)?.into_any(),
        Detail::UnterminatedField => ("UnterminatedField",).into_pyobject(py)?.into_any(),
        Detail::UnknownColumn { argument } => ("UnknownColumn", argument).into_pyobject(py)?.into_any(),
        Detail::NotUtf8 { byte, offset } => ("NotUtf8", byte, offset).into_pyobject(py)?.into_any(),
        Detail::DamagedCompression => ("DamagedCompression",).into_pyobject(py)?.into_any(),
        Detail::MixedOffsets => ("MixedOffsets",).into_pyobject(py)?.into_any(),
        Detail::NotFinite => ("NotFinite",).into_pyobject(py)?.into_any(),
        Detail::InexactInteger { value } => ("InexactInteger", value).into_pyobject(py)?.into_any(),
        Detail::InColumn => ("InColumn",).into_pyobject(py)?.into_any(),
        Detail::Pattern => ("Pattern",).into_pyobject(py)?.into_any(),
        // Any detail added later.
        _ => PyTuple::empty(py).into_any(),
    };
    Ok(tuple)
}

fn of_kind(error: &Error) -> PyErr {
    let text = error.to_string();
    if error.detail() == Some(&Detail::UndefinedName) {
        return PyNameError::new_err(text);
    }
    match error.kind() {
        ErrorKind::DataType => PyTypeError::new_err(text),
        ErrorKind::OutOfRange => PyIndexError::new_err(text),
        ErrorKind::InvalidArgument => PyValueError::new_err(text),
        ErrorKind::KeyNotFound => PyKeyError::new_err(text),
        ErrorKind::Overflow => PyOverflowError::new_err(text),
        ErrorKind::OutOfMemory => PyMemoryError::new_err(text),
        ErrorKind::Io => match error.os_error() {
            Some(number) => PyOSError::new_err((number, text)),
            None => PyOSError::new_err(text),
        },
        ErrorKind::Unsupported => PyNotImplementedError::new_err(text),
        ErrorKind::Interrupted => PyKeyboardInterrupt::new_err(text),
        // Logic and Cuda, and any kind added later.
        _ => PyRuntimeError::new_err(text),
    }
}

/// `?` for results of the library inside functions that return `PyResult`.
pub trait IntoPyResult<T> {
    /// The same result with the error as a Python exception.
    fn py(self) -> Result<T, PyErr>;

    /// [`py`](Self::py) where what is wrong is what the caller gave: parts that do not fit each other
    /// are a `ValueError`.
    fn py_argument(self) -> Result<T, PyErr>;
}

impl<T> IntoPyResult<T> for cuprum_column::Result<T> {
    fn py(self) -> Result<T, PyErr> {
        self.map_err(to_py)
    }

    fn py_argument(self) -> Result<T, PyErr> {
        self.map_err(|error| match error.kind() {
            ErrorKind::Logic => PyValueError::new_err(error.to_string()),
            _ => to_py(error),
        })
    }
}
