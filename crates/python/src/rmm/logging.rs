//! The library's log, and ranges for profilers.

use std::path::PathBuf;

use cuprum_runtime::log::{self, Level};
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// Set the lowest level that is logged; return the one before.
#[pyfunction]
fn set_log_level(level: &str) -> PyResult<String> {
    Ok(log::set_level(level.parse::<Level>().py()?).to_string())
}

/// The lowest level that is logged.
#[pyfunction]
fn get_log_level() -> String {
    log::level().to_string()
}

/// Append messages to the file `path` from now on; to standard error without it.
#[pyfunction]
#[pyo3(signature = (path=None))]
fn set_log_file(path: Option<PathBuf>) -> PyResult<()> {
    if let Some(path) = path {
        return log::to_file(&path).py();
    }
    log::to_stderr();
    Ok(())
}

/// Hand what is buffered to the operating system.
#[pyfunction]
fn flush_log() -> PyResult<()> {
    Ok(log::flush()?)
}

/// Write a message if its level is logged.
#[pyfunction]
fn write_log(level: &str, message: &str) -> PyResult<()> {
    log::write(level.parse::<Level>().py()?, format_args!("{message}"));
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(set_log_level, module)?)?;
    module.add_function(wrap_pyfunction!(get_log_level, module)?)?;
    module.add_function(wrap_pyfunction!(set_log_file, module)?)?;
    module.add_function(wrap_pyfunction!(flush_log, module)?)?;
    module.add_function(wrap_pyfunction!(write_log, module)?)
}
