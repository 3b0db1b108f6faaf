//! The extension module `cuprum._cuprum`.

use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Conversions between Python and the Rust crates; everything else is in those.
#[pymodule]
fn _cuprum(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
