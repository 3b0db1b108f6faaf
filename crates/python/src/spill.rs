//! The spill manager and its settings.

use std::path::PathBuf;

use cuprum_runtime::Device;
use cuprum_runtime::buffer;
use cuprum_runtime::spill::{self, SpillManager, SpillOptions};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cuda::device;
use crate::errors::IntoPyResult;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    spill::set_traceback_hook(python_frames);
    module.add_class::<PySpillLock>()?;
    for function in [
        wrap_pyfunction!(spill_option, module)?,
        wrap_pyfunction!(set_spill_option, module)?,
        wrap_pyfunction!(spill_device_memory, module)?,
        wrap_pyfunction!(spill_to_device_limit, module)?,
        wrap_pyfunction!(spill_statistics, module)?,
        wrap_pyfunction!(spill_reset_statistics, module)?,
        wrap_pyfunction!(spill_buffers, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}

/// The frames of the program, for those who expose memory.
fn python_frames() -> Option<String> {
    Python::attach(|py| {
        let frames = py.import("traceback")?.call_method0("format_stack")?;
        frames.extract::<Vec<String>>().map(|frames| frames.concat())
    })
    .ok()
}

/// Keeps memory where it is until it is released or dropped.
#[pyclass(frozen, module = "cuprum._cuprum", name = "SpillLock")]
pub struct PySpillLock(#[expect(dead_code, reason = "its drop is its use")] pub buffer::SpillLock);

/// The value of option `name`.
#[pyfunction]
fn spill_option<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let options = SpillManager::global().options();
    Ok(match name {
        "spill" => options.enabled.into_pyobject(py)?.to_owned().into_any(),
        "spill_on_demand" => options.on_demand.into_pyobject(py)?.to_owned().into_any(),
        "spill_device_limit" => options.device_limit.into_pyobject(py)?.into_any(),
        "spill_host_limit" => options.host_limit.into_pyobject(py)?.into_any(),
        "spill_directory" => {
            options.directory.map(|path| path.to_string_lossy().into_owned()).into_pyobject(py)?.into_any()
        }
        "spill_stats" => options.statistics_level.into_pyobject(py)?.into_any(),
        _ => return Err(PyKeyError::new_err(name.to_owned())),
    })
}

/// Sets option `name`; fails where the value cannot be had, and changes nothing then.
#[pyfunction]
fn set_spill_option(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let wrong = |what: &str| PyValueError::new_err(format!("option '{name}' must be {what}, not {value}"));
    let flag = || value.extract::<bool>().map_err(|_| wrong("True or False"));
    let number = || value.extract::<Option<usize>>().map_err(|_| wrong("a number of bytes or None"));
    let change: Box<dyn FnOnce(&mut SpillOptions) + Send> = match name {
        "spill" => {
            let on = flag()?;
            Box::new(move |options| options.enabled = on)
        }
        "spill_on_demand" => {
            let on = flag()?;
            Box::new(move |options| options.on_demand = on)
        }
        "spill_device_limit" => {
            let limit = number()?;
            Box::new(move |options| options.device_limit = limit)
        }
        "spill_host_limit" => {
            let limit = number()?;
            Box::new(move |options| options.host_limit = limit)
        }
        "spill_directory" => {
            let directory: Option<PathBuf> = value.extract().map_err(|_| wrong("a directory or None"))?;
            Box::new(move |options| options.directory = directory)
        }
        "spill_stats" => {
            let level = value.extract().map_err(|_| wrong("0, 1 or 2"))?;
            Box::new(move |options| options.statistics_level = level)
        }
        _ => return Err(PyKeyError::new_err(name.to_owned())),
    };
    py.detach(|| SpillManager::global().change_options(change)).py()
}

/// Moves at least `nbytes` of the device's memory away, as far as it can be moved.
#[pyfunction]
#[pyo3(signature = (nbytes, device=None))]
fn spill_device_memory(py: Python<'_>, nbytes: usize, device: Option<Bound<'_, PyAny>>) -> PyResult<usize> {
    let device = device_or_cpu(device)?;
    py.detach(|| SpillManager::global().spill_device_memory(device, nbytes)).py()
}

/// Moves what of the device's memory is over the limit.
#[pyfunction]
#[pyo3(signature = (device_limit=None, device=None))]
fn spill_to_device_limit(
    py: Python<'_>,
    device_limit: Option<usize>,
    device: Option<Bound<'_, PyAny>>,
) -> PyResult<usize> {
    let device = device_or_cpu(device)?;
    py.detach(|| SpillManager::global().spill_to_device_limit(device, device_limit)).py()
}

fn device_or_cpu(device: Option<Bound<'_, PyAny>>) -> PyResult<Device> {
    device.map_or(Ok(Device::Cpu), |spelling| device::parse(&spelling))
}

/// Level, moves, exposures and the text of all that.
#[pyfunction]
fn spill_statistics(py: Python<'_>) -> PyResult<(u8, Bound<'_, PyDict>, Bound<'_, PyDict>, String)> {
    let statistics = SpillManager::global().statistics();
    let (moves, exposures) = (PyDict::new(py), PyDict::new(py));
    for ((from, to), moved) in &statistics.moves {
        moves.set_item((from.to_string(), to.to_string()), (moved.bytes, moved.time.as_secs_f64()))?;
    }
    for (traceback, exposure) in &statistics.exposures {
        exposures.set_item(traceback, (exposure.count, exposure.bytes, exposure.spilled_bytes))?;
    }
    Ok((statistics.level, moves, exposures, statistics.to_string()))
}

/// Forgets what was counted so far.
#[pyfunction]
fn spill_reset_statistics() {
    SpillManager::global().reset_statistics();
}

/// Device, tier, size, whether it can be moved and time of last use of every managed allocation.
#[pyfunction]
fn spill_buffers(py: Python<'_>) -> Vec<(String, String, usize, bool, u64)> {
    let buffers = py.detach(|| SpillManager::global().buffers()).into_iter();
    let describe = |b: spill::ManagedBuffer| {
        (b.device.to_string(), b.tier.to_string(), b.bytes, b.is_spillable, b.last_use)
    };
    buffers.map(describe).collect()
}
