//! `cuprum.rmm`: memory resources, buffers, streams and logging under RMM's names.

mod buffer;
mod logging;
mod resource;
mod stream;

use pyo3::prelude::*;

/// Adds the classes and functions that `cuprum.rmm` is made of.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    stream::register(module)?;
    resource::register(module)?;
    module.add_class::<buffer::PyDeviceBuffer>()?;
    logging::register(module)
}
