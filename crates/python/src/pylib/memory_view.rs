//! `gpumemoryview`: read-only memory of any device.

use std::ffi::c_int;
use std::ptr::NonNull;

use cuprum_column::{Buffer, Device};
use cuprum_runtime::Stream;
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use super::binding::Argument;
use super::device_array;
use crate::cuda::device::PyDevice;
use crate::errors::IntoPyResult;
use crate::host_array::fill_view;
use crate::rmm::buffer::PyDeviceBuffer;

/// Read-only bytes on a device.
///
/// Wraps a `DeviceBuffer`, another view, any object with ``__cuda_array_interface__`` whose memory is
/// contiguous, or a `Span`. The memory is shared and kept alive.
///
/// Examples
/// --------
/// >>> from cuprum.rmm import DeviceBuffer
/// >>> from pylibcuprum import gpumemoryview
/// >>> view = gpumemoryview(DeviceBuffer.to_device(b"abc"))
/// >>> view.size, bytes(view)
/// (3, b'abc')
#[pyclass(frozen, weakref, module = "pylibcuprum.gpumemoryview", name = "gpumemoryview")]
pub struct MemoryView {
    pub buffer: Buffer,
    obj: Option<Py<PyAny>>,
}

impl MemoryView {
    /// A view of memory that belongs to nothing in Python.
    pub fn of(buffer: Buffer) -> Self {
        Self { buffer, obj: None }
    }

    fn attribute_error(&self, name: &str) -> PyErr {
        PyAttributeError::new_err(format!("memory on {} has no {name}", self.buffer.device()))
    }
}

/// The memory of an argument `name`: a view, a buffer, an object with a CUDA array interface, or one with an address
/// `ptr` and a `size` in bytes (`pylibcuprum.span.Span`), which is memory of the chosen device.
pub fn buffer_of(name: &str, obj: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    if let Ok(view) = obj.cast::<MemoryView>() {
        return Ok(view.get().buffer.clone());
    }
    if let Ok(buffer) = obj.cast::<PyDeviceBuffer>() {
        return buffer.get().share(obj.py()).py();
    }
    if obj.hasattr(device_array::ATTRIBUTE)? {
        return device_array::buffer_from(obj, Device::Cuda(0));
    }
    let (Some(ptr), Some(size)) = (obj.getattr_opt("ptr")?, obj.getattr_opt("size")?) else {
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be a gpumemoryview, a DeviceBuffer, an object with __cuda_array_interface__ or a Span \
             (with `ptr` and `size`), not {}",
            obj.get_type()
        )));
    };
    let (address, size) =
        (usize::read(&format!("{name}.ptr"), &ptr)?, usize::read(&format!("{name}.size"), &size)?);
    let wrong = || PyValueError::new_err(format!("`{name}` has {size} bytes at {address:#x}"));
    if isize::try_from(size).is_err() || address.checked_add(size).is_none() {
        return Err(wrong());
    }
    let first = match NonNull::new(address as *mut u8) {
        Some(first) => first,
        None if size == 0 => NonNull::<u128>::dangling().cast(),
        None => return Err(wrong()),
    };
    let stream = Stream::current(Device::chosen()).py()?;
    // SAFETY: the caller's object keeps this memory as long as it lives, and the buffer holds a reference to the object.
    // Whoever shares memory with a column does not write to it.
    Ok(unsafe { Buffer::from_foreign_on(&stream, first, size, obj.clone().unbind()) })
}

#[pymethods]
impl MemoryView {
    #[new]
    fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { buffer: buffer_of("data", data)?, obj: Some(data.clone().unbind()) })
    }

    /// The address on the device.
    #[getter]
    fn ptr(&self) -> PyResult<usize> {
        Ok(self.buffer.expose().py()?.as_ptr() as usize)
    }

    /// The object whose memory it is; None where that is a column.
    #[getter]
    fn obj(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.obj.as_ref().map(|obj| obj.clone_ref(py))
    }

    /// The CUDA array interface as a dict.
    #[getter]
    fn cai<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.__cuda_array_interface__(py)
    }

    /// Length in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.buffer.len()
    }

    /// Length in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.buffer.len()
    }

    fn __len__(&self) -> usize {
        self.buffer.len()
    }

    /// The device the bytes are on.
    #[getter]
    fn device(&self) -> PyDevice {
        PyDevice(self.buffer.device())
    }

    /// CUDA array interface, version 3; only where the bytes are on a GPU.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.buffer.device() == Device::Cpu || self.buffer.device().is_emulated() {
            return Err(self.attribute_error(device_array::ATTRIBUTE));
        }
        device_array::interface(py, &self.buffer, self.buffer.len(), "|u1")
    }

    /// NumPy's array interface, version 3; only where the bytes are in host memory.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.buffer.device() != Device::Cpu {
            return Err(self.attribute_error("__array_interface__"));
        }
        device_array::interface(py, &self.buffer, self.buffer.len(), "|u1")
    }

    /// The bytes of a slice, sharing memory.
    ///
    /// Parameters
    /// ----------
    /// s : slice
    ///     The slice, with the step 1.
    ///
    /// Returns
    /// -------
    /// gpumemoryview
    ///     The bytes.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For what is no slice.
    /// ValueError
    ///     For another step.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer
    /// >>> from pylibcuprum import gpumemoryview
    /// >>> view = gpumemoryview(DeviceBuffer.to_device(b"abc"))
    /// >>> bytes(view.byte_slice(slice(1, 3)))
    /// b'bc'
    fn byte_slice(slf: &Bound<'_, Self>, s: &Bound<'_, PyAny>) -> PyResult<Self> {
        let this = slf.get();
        let s = s
            .cast::<PySlice>()
            .map_err(|_| PyTypeError::new_err(format!("`s` is {s}; byte_slice requires a slice")))?;
        let length = isize::try_from(this.buffer.len())?;
        let indices = s.indices(length)?;
        if indices.step != 1 {
            return Err(PyValueError::new_err(format!(
                "`s` has the step {}; bytes are sliced with step=1",
                indices.step
            )));
        }
        let buffer = this.buffer.slice(indices.start as usize, indices.slicelength).py()?;
        Ok(Self { buffer, obj: Some(slf.clone().into_any().unbind()) })
    }

    /// Python's buffers, only where the bytes are in host memory.
    ///
    /// # Safety
    /// `view` is null or a buffer to fill in, as the interpreter calls it.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let buffer = &slf.get().buffer;
        if buffer.device() != Device::Cpu {
            if !view.is_null() {
                // SAFETY: the interpreter reads `obj` after a failure.
                unsafe { (*view).obj = std::ptr::null_mut() };
            }
            let device = buffer.device();
            return Err(PyBufferError::new_err(format!("memory on {device} is not the host's; copy it")));
        }
        // SAFETY: as the interpreter calls it.
        unsafe { fill_view(buffer, slf.as_any(), view, flags) }
    }

    fn __repr__(&self) -> String {
        format!("gpumemoryview(size={}, device='{}')", self.buffer.len(), self.buffer.device())
    }
}
