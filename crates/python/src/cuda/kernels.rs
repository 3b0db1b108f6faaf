//! Compiling kernels ahead of time.

use std::path::PathBuf;

use cuprum_runtime::kernel::{self, Architecture};
use cuprum_runtime::{Device, Error};
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// What `spelling` names: `sm_90`, `emulator`; that of every GPU of this machine where there is none.
fn architectures(spelling: Option<&str>) -> cuprum_runtime::Result<Vec<Architecture>> {
    let Some(spelling) = spelling else {
        let mut found: Vec<Architecture> = Vec::new();
        for device in Device::all().into_iter().filter(|&device| device != Device::Cpu) {
            let architecture = Architecture::of(device)?;
            if !found.contains(&architecture) {
                found.push(architecture);
            }
        }
        return Ok(found);
    };
    let number = spelling.strip_prefix("sm_").and_then(|number| number.parse().ok());
    match (spelling, number) {
        ("emulator", _) => Ok(vec![Architecture::Emulator]),
        (_, Some(number)) => Ok(vec![Architecture::Sm(number)]),
        _ => Err(Error::invalid_argument(format!(
            "`architecture` is '{spelling}'; it can be 'sm_80', 'sm_90', …, or 'emulator'"
        ))),
    }
}

/// Compile the common kernels into the cache; return how many there are.
#[pyfunction]
#[pyo3(signature = (architecture))]
fn warm_up(py: Python<'_>, architecture: Option<&str>) -> PyResult<usize> {
    py.detach(|| {
        let mut compiled = 0;
        for architecture in architectures(architecture)? {
            compiled += kernel::warm_up(architecture, &cuprum_compute::FAMILIES)?;
        }
        Ok(compiled)
    })
    .py()
}

/// Say where shipped machine code is, and which folders of packages may have the compiler.
#[pyfunction]
#[pyo3(signature = (shipped, packages))]
fn find_kernels(shipped: PathBuf, packages: Vec<PathBuf>) {
    kernel::set_shipped_folder(shipped);
    kernel::set_search_paths(packages);
}

/// Compile all kernels for the architectures that wheels have code for; return the size of the code.
#[pyfunction]
#[pyo3(signature = (folder))]
fn ship_kernels(py: Python<'_>, folder: PathBuf) -> PyResult<u64> {
    py.detach(|| kernel::ship(&folder, &cuprum_compute::FAMILIES)).py()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_kernels, module)?)?;
    module.add_function(wrap_pyfunction!(ship_kernels, module)?)?;
    module.add_function(wrap_pyfunction!(warm_up, module)?)
}
