//! `DeviceBuffer`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_runtime::{Buffer, Context, Device, DeviceBuffer, Error, Result};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyByteArray, PyBytes, PyDict};

use super::context;
use super::resource::PyResource;
use super::stream::StreamArgument;
use crate::cuda::device::PyDevice;
use crate::errors::IntoPyResult;

/// Bytes on a device, allocated and freed in the order of a stream.
///
/// Once a column or a view shares them they cannot be changed any more.
///
/// Examples
/// --------
/// >>> from cuprum.rmm import DeviceBuffer
/// >>> buffer = DeviceBuffer.to_device(b"abc")
/// >>> buffer.size, buffer.tobytes()
/// (3, b'abc')
#[pyclass(name = "DeviceBuffer", module = "cuprum.rmm", frozen)]
pub struct PyDeviceBuffer {
    memory: Mutex<Memory>,
    /// Whether somebody was given the address.
    is_exposed: AtomicBool,
}

/// The bytes of a [`PyDeviceBuffer`].
enum Memory {
    Own(DeviceBuffer),
    /// Also used by a column or a view, and so read-only.
    Shared(Buffer),
}

impl Memory {
    fn len(&self) -> usize {
        match self {
            Self::Own(memory) => memory.len(),
            Self::Shared(buffer) => buffer.len(),
        }
    }

    /// The address, good for as long as the memory lives.
    fn address(&self) -> Result<usize> {
        match self {
            Self::Own(memory) => Ok(memory.as_ptr() as usize),
            Self::Shared(buffer) => Ok(buffer.expose()?.as_ptr() as usize),
        }
    }

    fn device(&self) -> Device {
        match self {
            Self::Own(memory) => memory.device(),
            Self::Shared(buffer) => buffer.device(),
        }
    }

    fn to_vec(&self) -> Result<Vec<u8>> {
        match self {
            Self::Own(memory) => memory.to_vec(),
            Self::Shared(buffer) => buffer.span()?.to_vec(),
        }
    }

    fn copy(&self) -> Result<DeviceBuffer> {
        match self {
            Self::Own(memory) => {
                memory.copy(&Context::new(memory.stream().clone(), memory.resource().clone()))
            }
            Self::Shared(buffer) => {
                let mut copy = DeviceBuffer::uninit(buffer.len(), &Context::on(buffer.device())?)?;
                buffer.copy_to(&mut copy, 0)?;
                Ok(copy)
            }
        }
    }

    /// The memory, to be changed.
    fn own(&mut self) -> Result<&mut DeviceBuffer> {
        match self {
            Self::Own(memory) => Ok(memory),
            Self::Shared(_) => Err(Error::invalid_argument(
                "the buffer is shared with a column or a view and cannot be changed; copy it first",
            )),
        }
    }
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
    fn attached(&self, py: Python<'_>) -> MutexGuard<'_, Memory> {
        self.memory.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The buffer, for a thread that has let go of the GIL.
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `change` with the memory, for a thread that has let go of the GIL.
    pub fn change<R>(&self, change: impl FnOnce(&mut DeviceBuffer) -> Result<R>) -> Result<R> {
        change(self.lock().own()?)
    }

    /// A Python object that owns the memory.
    pub fn own(memory: DeviceBuffer) -> Self {
        Self { memory: Mutex::new(Memory::Own(memory)), is_exposed: AtomicBool::new(false) }
    }

    /// A Python object over memory that a column or a view may use too.
    pub fn shared(buffer: Buffer) -> Self {
        Self { memory: Mutex::new(Memory::Shared(buffer)), is_exposed: AtomicBool::new(false) }
    }

    /// The bytes, which cannot be changed from now on.
    pub fn share(&self, py: Python<'_>) -> Result<Buffer> {
        py.detach(|| {
            let mut memory = self.lock();
            if let Memory::Shared(buffer) = &*memory {
                return Ok(buffer.clone());
            }
            let taken = std::mem::replace(
                &mut *memory,
                Memory::Own(DeviceBuffer::from_host(&[], &Context::current())?),
            );
            let Memory::Own(own) = taken else { return Err(Error::logic("the memory was shared meanwhile")) };
            let buffer = Buffer::try_from(own)?;
            if self.is_exposed.load(Ordering::Acquire) {
                buffer.expose()?;
            }
            *memory = Memory::Shared(buffer.clone());
            Ok(buffer)
        })
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
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let ctx = context(Device::Cpu, stream, mr)?;
        py.detach(|| DeviceBuffer::uninit(size, &ctx)).py().map(Self::own)
    }

    /// A copy of bytes on a device.
    ///
    /// Parameters
    /// ----------
    /// data : bytes or buffer
    ///     The bytes.
    /// stream : Stream, optional
    ///     The stream of the device that the work is given to.
    /// mr : DeviceMemoryResource, optional
    ///     Where memory is allocated; by default from the current resource of the device.
    ///
    /// Returns
    /// -------
    /// DeviceBuffer
    ///     The copy, on the device of ``mr`` or of ``stream``, else in host memory.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> buffer = DeviceBuffer.to_device(b"abc")
    /// >>> buffer
    /// DeviceBuffer(size=3, device='cpu')
    #[staticmethod]
    #[pyo3(signature = (data, stream=None, mr=None))]
    fn to_device(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        stream: Option<StreamArgument>,
        mr: Option<&Bound<'_, PyResource>>,
    ) -> PyResult<Self> {
        let (ctx, bytes) = (context(Device::Cpu, stream, mr)?, bytes_of(data)?);
        py.detach(|| DeviceBuffer::from_host(&bytes, &ctx)).py().map(Self::own)
    }

    /// A copy on the same device.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        py.detach(|| self.lock().copy()).py().map(Self::own)
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

    /// The bytes in host memory.
    ///
    /// Parameters
    /// ----------
    /// ary : writable buffer, optional
    ///     Where they are written, with room for exactly as many; a new bytearray by default.
    ///
    /// Returns
    /// -------
    /// object
    ///     ``ary``, or the bytearray.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For room of another size.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> buffer = DeviceBuffer.to_device(b"abc")
    /// >>> buffer.copy_to_host()
    /// bytearray(b'abc')
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

    /// Replaces the bytes by those of a buffer of Python.
    ///
    /// Parameters
    /// ----------
    /// ary : bytes or buffer
    ///     As many bytes.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For another number of bytes, and where a column or a view shares them.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> buffer = DeviceBuffer.to_device(b"abc")
    /// >>> buffer.copy_from_host(b"xyz")
    /// >>> buffer.tobytes()
    /// b'xyz'
    fn copy_from_host(&self, py: Python<'_>, ary: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = bytes_of(ary)?;
        py.detach(|| {
            let mut memory = self.lock();
            let buffer = memory.own()?;
            if bytes.len() != buffer.len() {
                return Err(Error::invalid_argument(format!(
                    "`ary` has {} bytes, the buffer {}",
                    bytes.len(),
                    buffer.len()
                )));
            }
            buffer.copy_from_host(0, &bytes)
        })
        .py()
    }

    /// Makes room for bytes, so that `resize` to them need not allocate.
    ///
    /// Parameters
    /// ----------
    /// new_capacity : int
    ///     The number of bytes.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where a column or a view shares the bytes.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> buffer = DeviceBuffer.to_device(b"abc")
    /// >>> buffer.reserve(100)
    /// >>> buffer.capacity() >= 100, buffer.size
    /// (True, 3)
    fn reserve(&self, py: Python<'_>, new_capacity: usize) -> PyResult<()> {
        py.detach(|| self.lock().own()?.reserve(new_capacity)).py()
    }

    /// Changes the size; what is added holds anything.
    ///
    /// Parameters
    /// ----------
    /// new_size : int
    ///     The number of bytes.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where a column or a view shares the bytes.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> buffer = DeviceBuffer.to_device(b"abc")
    /// >>> buffer.resize(2)
    /// >>> buffer.tobytes()
    /// b'ab'
    fn resize(&self, py: Python<'_>, new_size: usize) -> PyResult<()> {
        py.detach(|| self.lock().own()?.resize(new_size)).py()
    }

    /// Bytes that `resize` can reach without allocating.
    fn capacity(&self, py: Python<'_>) -> usize {
        match &*self.attached(py) {
            Memory::Own(memory) => memory.capacity(),
            Memory::Shared(buffer) => buffer.len(),
        }
    }

    /// Sets every byte to a value.
    ///
    /// Parameters
    /// ----------
    /// value : int
    ///     The value, 0 to 255.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where a column or a view shares the bytes.
    /// OverflowError
    ///     For another value.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> buffer = DeviceBuffer.to_device(b"abc")
    /// >>> buffer.fill(0)
    /// >>> buffer.tobytes()
    /// b'\x00\x00\x00'
    fn fill(&self, py: Python<'_>, value: u8) -> PyResult<()> {
        py.detach(|| self.lock().own()?.fill(value)).py()
    }

    /// The address on the device.
    #[getter]
    fn ptr(&self, py: Python<'_>) -> PyResult<usize> {
        let memory = self.attached(py);
        self.is_exposed.store(true, Ordering::Release);
        memory.address().py()
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
        let Memory::Own(memory) = &*buffer else {
            drop(buffer);
            return Err(pyo3::exceptions::PyAttributeError::new_err(
                "the buffer is shared with a column or a view; take gpumemoryview(buffer)",
            ));
        };
        self.is_exposed.store(true, Ordering::Release);
        interface.set_item("data", (buffer.address().py()?, false))?;
        interface.set_item("shape", (buffer.len(),))?;
        interface.set_item("strides", py.None())?;
        interface.set_item("typestr", "|u1")?;
        interface.set_item("version", 3)?;
        interface.set_item("stream", memory.stream().as_raw())?;
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
