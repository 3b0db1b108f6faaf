//! Streams.

use cuprum_runtime::{Device, Stream, StreamPool};
use pyo3::prelude::*;

use crate::cuda::device;
use crate::errors::IntoPyResult;

/// A queue of work on one device.
#[pyclass(name = "Stream", module = "cuprum.rmm", frozen, eq)]
#[derive(PartialEq)]
pub struct PyStream(pub Stream);

#[pymethods]
impl PyStream {
    #[new]
    #[pyo3(signature = (device=None))]
    fn new(device: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let device = device.map_or(Ok(Device::Cpu), device::parse)?;
        Stream::new(device).py().map(Self)
    }

    /// Wait until all work given to the stream is done.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.synchronize()).py()
    }

    /// Whether all work given to the stream is done.
    fn is_done(&self) -> PyResult<bool> {
        self.0.is_done().py()
    }

    /// The device the stream belongs to.
    #[getter]
    fn device(&self) -> device::PyDevice {
        device::PyDevice(self.0.device())
    }

    /// The driver's handle; 0 on the CPU.
    #[getter]
    fn ptr(&self) -> usize {
        self.0.as_raw()
    }

    fn __cuda_stream__(&self) -> (u32, usize) {
        (0, self.0.as_raw())
    }

    fn __repr__(&self) -> String {
        format!("Stream(device='{}', ptr={:#x})", self.0.device(), self.0.as_raw())
    }
}

/// A fixed number of streams on one device, handed out in turn.
#[pyclass(name = "StreamPool", module = "cuprum.rmm", frozen)]
pub struct PyStreamPool(StreamPool);

#[pymethods]
impl PyStreamPool {
    #[new]
    #[pyo3(signature = (pool_size=16, device=None))]
    fn new(pool_size: usize, device: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let device = device.map_or(Ok(Device::Cpu), device::parse)?;
        StreamPool::new(device, pool_size).py().map(Self)
    }

    /// The stream at `stream_id` modulo the size of the pool; the next in turn without it.
    #[pyo3(signature = (stream_id=None))]
    fn get_stream(&self, stream_id: Option<usize>) -> PyStream {
        PyStream(stream_id.map_or_else(|| self.0.stream(), |at| self.0.at(at)))
    }

    /// How many streams there are.
    fn get_pool_size(&self) -> usize {
        self.0.size()
    }
}

/// This thread's own stream on `device`.
#[pyfunction]
#[pyo3(signature = (device=None))]
fn current_stream(device: Option<&Bound<'_, PyAny>>) -> PyResult<PyStream> {
    let device = device.map_or(Ok(Device::Cpu), device::parse)?;
    Stream::current(device).py().map(PyStream)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyStream>()?;
    module.add_class::<PyStreamPool>()?;
    module.add_function(wrap_pyfunction!(current_stream, module)?)
}
