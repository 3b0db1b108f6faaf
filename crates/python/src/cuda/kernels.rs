//! Compiling kernels ahead of time.

use std::path::PathBuf;

use cuprum_runtime::kernel::{self, Architecture, Family};
use cuprum_runtime::{Device, Error};
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// The architecture `spelling`: `sm_90`, `emulator`; that of every GPU of this machine where there is none.
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

/// The families of these names; all without names.
fn families(names: Option<Vec<String>>) -> cuprum_runtime::Result<Vec<&'static Family>> {
    let all = &*cuprum_compute::FAMILIES;
    let Some(names) = names else { return Ok(all.clone()) };
    let find = |name: &String| {
        all.iter().copied().find(|family| family.name() == name).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|family| family.name()).collect();
            let known = names.join(", ");
            Error::invalid_argument(format!("`families` names '{name}'; there are {known}"))
        })
    };
    names.iter().map(find).collect()
}

/// Compile the kernels of these families, or all, into the cache; return how many there are.
#[pyfunction]
#[pyo3(signature = (architecture, names))]
fn warm_up(py: Python<'_>, architecture: Option<&str>, names: Option<Vec<String>>) -> PyResult<usize> {
    py.detach(|| {
        let (families, mut compiled) = (families(names)?, 0);
        for architecture in architectures(architecture)? {
            compiled += kernel::warm_up(architecture, &families)?;
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
