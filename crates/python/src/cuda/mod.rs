//! `cuprum.cuda`: devices, kernels compiled ahead of time, and work done without them.

pub mod device;
pub mod fallbacks;
mod kernels;

use pyo3::prelude::*;

/// Adds the classes and functions of `cuprum.cuda`.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    device::register(module)?;
    fallbacks::register(module)?;
    kernels::register(module)
}
