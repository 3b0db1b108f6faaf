//! Work on a GPU for which there is no kernel: counts of functions done on the host, and warnings of it.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_runtime::fork::Mutex;
use cuprum_runtime::{Device, backend};
use pyo3::create_exception;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

create_exception!(
    cuprum.cuda,
    FallbackWarning,
    PyUserWarning,
    "The CPU did work on a GPU's data, for want of a kernel."
);

/// Warnings that have not been issued in Python yet: the work is done without the GIL.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ANY: AtomicBool = AtomicBool::new(false);

fn keep(message: String) {
    WARNINGS.lock().push(message);
    ANY.store(true, Ordering::Release);
}

/// Issues the warnings of work that is done, for the line that calls the library; fails where Python makes errors of
/// them.
pub fn issue_warnings(py: Python<'_>) -> PyResult<()> {
    if !ANY.load(Ordering::Relaxed) || !ANY.swap(false, Ordering::Acquire) {
        return Ok(());
    }
    let messages = std::mem::take(&mut *WARNINGS.lock());
    let category = py.get_type::<FallbackWarning>();
    let level = py.import("cuprum.core.stack_level")?.call_method0("frames_to_caller")?.extract()?;
    for message in messages {
        PyErr::warn(py, &category, &CString::new(message)?, level)?;
    }
    Ok(())
}

/// The number of times each function was done on the host for want of a kernel; with `reset`, counting begins anew.
#[pyfunction]
#[pyo3(signature = (reset=false))]
fn fallbacks(reset: bool) -> BTreeMap<String, u64> {
    let counts = backend::fallbacks();
    if reset {
        backend::reset_fallbacks();
    }
    counts
}

/// Treats what Python does in host memory with the data of a device as the option `fallback` says.
#[pyfunction]
fn work_on_host(py: Python<'_>, function: &str, device: &str) -> PyResult<()> {
    backend::work_on_host(function, Device::parse(device).py()?, &String::new).py()?;
    issue_warnings(py)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    backend::hand_warnings_to(keep);
    module.add("FallbackWarning", module.py().get_type::<FallbackWarning>())?;
    module.add_function(wrap_pyfunction!(fallbacks, module)?)?;
    module.add_function(wrap_pyfunction!(work_on_host, module)?)
}
