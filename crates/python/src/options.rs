//! Options whose values live in Rust: `cuprum.options` reads and sets them through these functions.

use cuprum_runtime::{Device, backend};
use pyo3::prelude::*;

use crate::cuda::device::parse;
use crate::errors::IntoPyResult;

/// Adds the functions of this module to the extension module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fallback, module)?)?;
    module.add_function(wrap_pyfunction!(set_fallback, module)?)?;
    module.add_function(wrap_pyfunction!(chosen_device, module)?)?;
    module.add_function(wrap_pyfunction!(choose_device, module)?)?;
    module.add_function(wrap_pyfunction!(copy_on_write, module)?)?;
    module.add_function(wrap_pyfunction!(set_copy_on_write, module)?)
}

/// Whether memory made from now on is copied on write.
#[pyfunction]
fn copy_on_write() -> bool {
    cuprum_runtime::buffer::copy_on_write()
}

/// The device of data that come in.
#[pyfunction]
fn chosen_device() -> String {
    Device::chosen().to_string()
}

/// Makes a device that of data that come in from now on.
#[pyfunction]
fn choose_device(device: &Bound<'_, PyAny>) -> PyResult<()> {
    parse(device)?.choose().py()?;
    Ok(())
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
