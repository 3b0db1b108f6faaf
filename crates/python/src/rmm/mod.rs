//! `cuprum.rmm`: memory resources, buffers, streams and logging under RMM's names.

pub mod buffer;
mod logging;
pub mod resource;
pub mod stream;

use pyo3::prelude::*;

/// Adds the classes and functions that `cuprum.rmm` is made of.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    stream::register(module)?;
    resource::register(module)?;
    module.add_class::<buffer::PyDeviceBuffer>()?;
    logging::register(module)
}
