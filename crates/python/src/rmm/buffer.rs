//! `DeviceBuffer`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_runtime::{Buffer, Context, Device, DeviceBuffer, Result, Stream, memory};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyByteArray, PyBytes, PyDict};

use super::resource::PyResource;
use super::stream::PyStream;
use crate::cuda::device::PyDevice;
use crate::errors::IntoPyResult;

/// Bytes on a device, allocated and freed in the order of a stream.
#[pyclass(name = "DeviceBuffer", module = "cuprum.rmm", frozen)]
pub struct PyDeviceBuffer(Mutex<DeviceBuffer>);

/// The resource and stream that the arguments name, or those that are current.
fn context(mr: Option<&Bound<'_, PyResource>>, stream: Option<&Bound<'_, PyStream>>) -> PyResult<Context> {
    let resource = match (mr, stream) {
        (Some(mr), _) => mr.get().0.clone(),
        (None, Some(stream)) => memory::current_resource(stream.get().0.device()).py()?,
        (None, None) => memory::current_resource(Device::Cpu).py()?,
    };
    let stream = match stream {
        Some(stream) => stream.get().0.clone(),
        None => Stream::current(resource.device()).py()?,
    };
    Ok(Context::new(stream, resource))
}

/// A copy of the bytes of a Python buffer.
fn bytes_of(data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let view =
        data.py().import("builtins")?.getattr("memoryview")?.call1((data,)).map_err(|_| {
            PyTypeError::new_err(format!("expected bytes or a buffer, not {}", data.get_type()))
        })?;
    view.call_method0("tobytes")?.extract()
}

impl PyDeviceBuffer {
    /// The buffer, for a thread that holds the GIL: lets go of it while another thread has the
    /// buffer, which may wait for the GIL itself (a callback on exhausted memory).
    fn attached(&self, py: Python<'_>) -> MutexGuard<'_, DeviceBuffer> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The buffer, for a thread that has let go of the GIL.
    fn lock(&self) -> MutexGuard<'_, DeviceBuffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `change` makes of the buffer, for a thread that has let go of the GIL.
    pub fn change<R>(&self, change: impl FnOnce(&mut DeviceBuffer) -> Result<R>) -> Result<R> {
        change(&mut self.lock())
    }

    /// A copy of `bytes` in memory of the context.
    pub fn copy_of(py: Python<'_>, bytes: &Buffer, ctx: &Context) -> PyResult<Self> {
        let copy = py.detach(|| {
            let mut copy = DeviceBuffer::uninit(bytes.len(), ctx)?;
            bytes.copy_to(&mut copy, 0)?;
            Ok(copy)
        });
        copy.py().map(|copy| Self(Mutex::new(copy)))
    }

    /// A copy on the same device, in order of `stream` or the buffer's own, that nobody can change.
    pub fn copy_out(&self, py: Python<'_>, stream: Option<&Stream>) -> PyResult<Buffer> {
        py.detach(|| {
            let buffer = self.lock();
            let stream = stream.unwrap_or(buffer.stream()).clone();
            buffer.copy(&Context::new(stream, buffer.resource().clone()))?.try_into()
        })
        .py()
    }
}

#[pymethods]
impl PyDeviceBuffer {
    /// `size` bytes that hold anything.
    #[new]
    #[pyo3(signature = (*, size=0, stream=None, mr=None))]
    fn new(
        py: Python<'_>,
        size: usize,
        stream: Option<&Bound<'_, PyStream>>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let ctx = context(mr, stream)?;
        py.detach(|| DeviceBuffer::uninit(size, &ctx)).py().map(|buffer| Self(Mutex::new(buffer)))
    }

    /// A copy of `data` (bytes or any buffer) on a device.
    #[staticmethod]
    #[pyo3(signature = (data, stream=None, mr=None))]
    fn to_device(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyStream>>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let (ctx, bytes) = (context(mr, stream)?, bytes_of(data)?);
        py.detach(|| DeviceBuffer::from_host(&bytes, &ctx)).py().map(|buffer| Self(Mutex::new(buffer)))
    }

    /// A copy on the same device.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let copy = py.detach(|| {
            let buffer = self.lock();
            buffer.copy(&Context::new(buffer.stream().clone(), buffer.resource().clone()))
        });
        copy.py().map(|buffer| Self(Mutex::new(buffer)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    /// The bytes.
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.lock().to_vec()).py()?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes, written to `ary` (a writable buffer of their number) or a new bytearray.
    #[pyo3(signature = (ary=None))]
    fn copy_to_host<'py>(
        &self,
        py: Python<'py>,
        ary: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bytes = py.detach(|| self.lock().to_vec()).py()?;
        let Some(ary) = ary else { return Ok(PyByteArray::new(py, &bytes).into_any()) };
        let view =
            py.import("builtins")?.getattr("memoryview")?.call1((&ary,))?.call_method1("cast", ("B",))?;
        let room: usize = view.len()?;
        if room != bytes.len() {
            return Err(PyValueError::new_err(format!("`ary` has {room} bytes, the buffer {}", bytes.len())));
        }
        view.set_item(pyo3::types::PySlice::full(py), PyBytes::new(py, &bytes))?;
        Ok(ary)
    }

    /// Replaces the bytes by those of `ary`, which has as many.
    fn copy_from_host(&self, py: Python<'_>, ary: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = bytes_of(ary)?;
        py.detach(|| {
            let mut buffer = self.lock();
            if bytes.len() != buffer.len() {
                return Err(cuprum_runtime::Error::invalid_argument(format!(
                    "`ary` has {} bytes, the buffer {}",
                    bytes.len(),
                    buffer.len()
                )));
            }
            buffer.copy_from_host(0, &bytes)
        })
        .py()
    }

    /// Makes room for `new_capacity` bytes.
    fn reserve(&self, py: Python<'_>, new_capacity: usize) -> PyResult<()> {
        py.detach(|| self.lock().reserve(new_capacity)).py()
    }

    /// Changes the size; what is added holds anything.
    fn resize(&self, py: Python<'_>, new_size: usize) -> PyResult<()> {
        py.detach(|| self.lock().resize(new_size)).py()
    }

    /// Bytes that `resize` can reach without allocating.
    fn capacity(&self, py: Python<'_>) -> usize {
        self.attached(py).capacity()
    }

    /// Sets every byte to `value`.
    fn fill(&self, py: Python<'_>, value: u8) -> PyResult<()> {
        py.detach(|| self.lock().fill(value)).py()
    }

    /// The address on the device.
    #[getter]
    fn ptr(&self, py: Python<'_>) -> usize {
        self.attached(py).as_ptr() as usize
    }

    /// Length in bytes.
    #[getter]
    fn size(&self, py: Python<'_>) -> usize {
        self.attached(py).len()
    }

    /// Length in bytes.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> usize {
        self.size(py)
    }

    /// The device the bytes are on.
    #[getter]
    fn device(&self, py: Python<'_>) -> PyDevice {
        PyDevice(self.attached(py).device())
    }

    /// CUDA array interface, version 3; only where the bytes are on a GPU.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let buffer = self.attached(py);
        if buffer.device() == Device::Cpu || buffer.device().is_emulated() {
            return Err(pyo3::exceptions::PyAttributeError::new_err(format!(
                "a buffer on {} has no __cuda_array_interface__",
                buffer.device()
            )));
        }
        let interface = PyDict::new(py);
        interface.set_item("data", (buffer.as_ptr() as usize, false))?;
        interface.set_item("shape", (buffer.len(),))?;
        interface.set_item("strides", py.None())?;
        interface.set_item("typestr", "|u1")?;
        interface.set_item("version", 3)?;
        interface.set_item("stream", buffer.stream().as_raw())?;
        Ok(interface)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.size(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let buffer = self.attached(py);
        format!("DeviceBuffer(size={}, device='{}')", buffer.len(), buffer.device())
    }
}
