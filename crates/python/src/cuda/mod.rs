//! `cuprum.cuda`: devices, and kernels compiled ahead of time.

pub mod device;
mod kernels;

use pyo3::prelude::*;

/// Adds the classes and functions that `cuprum.cuda` is made of.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    device::register(module)?;
    kernels::register(module)
}
