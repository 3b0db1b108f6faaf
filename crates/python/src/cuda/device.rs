//! Devices, as Python names them.

use cuprum_runtime::Device;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

/// The device that `spelling` names: `"cpu"`, `"cuda"`, `"cuda:1"`, `"emulator"` or the number of a
/// CUDA device; it must be usable.
pub fn parse(spelling: &Bound<'_, PyAny>) -> PyResult<Device> {
    if let Ok(device) = spelling.cast::<PyDevice>() {
        return Ok(device.get().0);
    }
    if let Ok(ordinal) = spelling.extract::<u32>() {
        return Device::parse(&format!("cuda:{ordinal}")).py();
    }
    let text: String = spelling.extract().map_err(|_| {
        PyTypeError::new_err(format!("`device` must be a name or a number of a CUDA device, not {spelling}"))
    })?;
    Device::parse(&text).py()
}

/// The device of a GPU's memory resource where none is named: the first.
pub fn parse_gpu(spelling: Option<&Bound<'_, PyAny>>) -> PyResult<Device> {
    spelling.map_or_else(|| Device::parse("cuda").py(), parse)
}

/// A device that memory can live on.
///
/// Examples
/// --------
/// >>> import cuprum
/// >>> cuprum.cuda.Device("cpu").compute_capability is None
/// True
#[pyclass(name = "Device", module = "cuprum.cuda", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct PyDevice(pub Device);

#[pymethods]
impl PyDevice {
    #[new]
    fn new(device: &Bound<'_, PyAny>) -> PyResult<Self> {
        parse(device).map(Self)
    }

    /// The name that its maker gave it.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.0.properties().py()?.name)
    }

    /// Major and minor compute capability of a GPU; None for the CPU.
    #[getter]
    fn compute_capability(&self) -> PyResult<Option<(u32, u32)>> {
        Ok(self.0.properties().py()?.compute_capability)
    }

    /// Multiprocessors of a GPU, worker threads of the CPU.
    #[getter]
    fn processors(&self) -> PyResult<u32> {
        Ok(self.0.properties().py()?.processors)
    }

    /// Free and total bytes of memory at this moment.
    #[getter]
    fn memory_info(&self) -> PyResult<(usize, usize)> {
        let memory = self.0.memory_info().py()?;
        Ok((memory.free, memory.total))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Device('{}')", self.0)
    }
}

/// Return the CPU and the CUDA devices of this machine.
///
/// Returns
/// -------
/// list of Device
///     The CPU first.
///
/// Examples
/// --------
/// >>> import cuprum
/// >>> cuprum.cuda.devices()[0]
/// Device('cpu')
#[pyfunction]
fn devices() -> Vec<PyDevice> {
    Device::all().into_iter().map(PyDevice).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyDevice>()?;
    module.add_function(wrap_pyfunction!(devices, module)?)
}
