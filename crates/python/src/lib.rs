//! The extension module `cuprum._cuprum`: conversions between Python and the Rust crates, and
//! nothing else.
//!
//! | module | subject |
//! |---|---|
//! | [`errors`] | [`Error`](cuprum_column::Error) and [`PyErr`] |
//! | [`run`] | doing work without the GIL, with Ctrl-C and caught panics |
//! | [`objects`] | columns from lists, dicts, decimals and bytes |
//! | [`dtype`] | `DType`, and what names a data type in Python |
//! | [`buffer`] | `Buffer`, memory that objects share |
//! | [`options`] | options whose values live in Rust |
//! | [`scalar`] | Python objects and [`Scalar`](cuprum_column::Scalar)s |
//! | [`sequence`] | sequences of Python objects and columns |
//! | [`array_interface`] | columns from NumPy arrays |
//! | [`host_array`] | columns as Python buffers, which NumPy views without a copy |
//! | [`arrow`] | the Arrow C data interface, both ways |
//! | [`column`] | `Column` |
//! | [`contiguous_split`] | tables in one block of memory |
//! | [`frames`] | the frame layer |
//! | [`pylib`] | the low-level package |
//! | [`copying`], [`concatenate`], [`lists`], [`partitioning`] | its families of algorithms |
//! | [`cuda`] | devices, kernels compiled ahead of time |
//! | [`rmm`] | memory resources, streams, logging |
//! | [`spill`] | memory moved out of the way |

// Documentation of classes and functions is read in Python, where backticks mean something else.
#![allow(clippy::doc_markdown, clippy::doc_lazy_continuation, clippy::doc_link_with_quotes)]

use pyo3::prelude::*;

mod array_interface;
mod arrow;
mod buffer;
mod column;
mod concatenate;
mod contiguous_split;
mod copying;
mod cuda;
mod dataset;
mod dtype;
mod errors;
mod frames;
mod host_array;
mod lists;
mod numpy_array;
mod numpy_scalar;
mod object_store;
mod objects;
mod options;
mod partitioning;
mod pylib;
mod rmm;
mod run;
mod scalar;
mod sequence;
mod spill;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

unsafe extern "C" {
    /// mimalloc gives pages that nothing uses back to the system.
    fn mi_collect(force: bool);
}

/// Gives memory of the host that nothing uses back to the system.
#[pyfunction]
fn trim_memory(py: Python<'_>) {
    py.detach(|| {
        cuprum_runtime::memory::trim();
        // SAFETY: it may be called at any time, in any thread.
        unsafe { mi_collect(true) };
    });
}

/// Conversions between Python and the Rust crates; everything else is in those.
#[pymodule]
fn _cuprum(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // A device that cannot be used is refused here, not ignored.
    cuprum_runtime::Device::from_environment().map_err(errors::to_py)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    contiguous_split::register(module)?;
    frames::register(module)?;
    dataset::register(module)?;
    cuda::register(module)?;
    pylib::register(module)?;
    concatenate::register(module)?;
    copying::register(module)?;
    lists::register(module)?;
    partitioning::register(module)?;
    rmm::register(module)?;
    spill::register(module)?;
    buffer::register(module)?;
    options::register(module)?;
    module.add_class::<dtype::DType>()?;
    module.add_class::<column::PyColumn>()?;
    module.add_class::<host_array::HostArray>()?;
    module.add_function(wrap_pyfunction!(dtype::check_unit, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::columns_from_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::typed_column_from_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::metadata_from_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::columns_to_stream, module)?)?;
    module.add_function(wrap_pyfunction!(run::_raise, module)?)?;
    module.add_function(wrap_pyfunction!(run::_spin, module)?)?;
    module.add_function(wrap_pyfunction!(trim_memory, module)?)?;
    Ok(())
}
