//! Options whose values live in Rust: `cuprum.options` reads and sets them through these functions.

use cuprum_runtime::backend;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// Adds the functions of this module to the extension module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fallback, module)?)?;
    module.add_function(wrap_pyfunction!(set_fallback, module)?)?;
    module.add_function(wrap_pyfunction!(copy_on_write, module)?)?;
    module.add_function(wrap_pyfunction!(set_copy_on_write, module)?)
}

/// Whether memory made from now on is copied on write.
#[pyfunction]
fn copy_on_write() -> bool {
    cuprum_runtime::buffer::copy_on_write()
}

/// What becomes of work on a GPU for which there is no kernel.
#[pyfunction]
fn fallback() -> String {
    backend::fallback().to_string()
}

#[pyfunction]
fn set_fallback(name: &str) -> PyResult<()> {
    backend::set_fallback(name.parse().py()?);
    Ok(())
}

#[pyfunction]
fn set_copy_on_write(on: bool) {
    cuprum_runtime::buffer::set_copy_on_write(on);
}
