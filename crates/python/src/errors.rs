//! The library's errors as Python exceptions.

use cuprum_column::{Error, ErrorKind};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyIndexError, PyKeyError, PyKeyboardInterrupt, PyMemoryError, PyNotImplementedError, PyOSError,
    PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};

/// The exception for an error of the library: its class follows the kind, its text is the message
/// with its context. I/O errors carry the operating system's number, so that `FileNotFoundError`,
/// `PermissionError` and their like come out.
pub fn to_py(error: Error) -> PyErr {
    let text = error.to_string();
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
