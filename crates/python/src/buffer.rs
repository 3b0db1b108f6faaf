//! `Buffer`: memory that objects share, for `cuprum.core.buffer`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::{Buffer, Context, Device};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PySlice};

use crate::array_interface;
use crate::errors::IntoPyResult;
use crate::pylib::device_array;
use crate::run::run;
use crate::spill::PySpillLock;

/// Adds the classes and functions of this module to the extension module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBuffer>()?;
    module.add_class::<PyBufferOwner>()?;
    module.add_function(wrap_pyfunction!(as_buffer, module)?)
}

/// Memory of a device, which other objects may share.
///
/// ``Series.data`` is one; `as_buffer` makes them of other objects.
///
/// Examples
/// --------
/// >>> import cuprum
/// >>> data = cuprum.Series([1, 2, 3]).data
/// >>> data.size, data.memory_info()[2]
/// (24, 'cpu')
/// >>> bytes(data.memoryview()[:2])
/// b'\x01\x00'
#[pyclass(frozen, module = "cuprum.core.buffer", name = "Buffer")]
pub struct PyBuffer {
    state: Mutex<State>,
    /// The object whose values these are, with an attribute `data` and a method `_own_data`.
    origin: Option<Py<PyAny>>,
    /// Whether others may write: text is never written, or it might not be text afterwards.
    is_writable: bool,
}

struct State {
    memory: Buffer,
    /// Whether somebody has the address, and what it was the address of before: kept for them.
    lent: bool,
    before: Vec<Buffer>,
}

/// The allocation that buffers are slices of; equal for buffers of the same one.
///
/// Examples
/// --------
/// >>> import cuprum
/// >>> data = cuprum.Series([1, 2, 3]).data
/// >>> data.owner == data[8:].owner
/// True
#[pyclass(frozen, module = "cuprum.core.buffer", name = "BufferOwner")]
struct PyBufferOwner(Buffer);

impl PyBuffer {
    /// Memory, of the values of an object if it is that object's attribute `data`.
    pub fn new(memory: Buffer, origin: Option<&Bound<'_, PyAny>>, is_writable: bool) -> Self {
        let origin = origin.map(|origin| origin.clone().unbind());
        Self { state: Mutex::new(State { memory, lent: false, before: Vec::new() }), origin, is_writable }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory at this moment.
    fn memory(&self) -> Buffer {
        self.state().memory.clone()
    }

    fn replace(&self, memory: Buffer) {
        let mut state = self.state();
        let before = std::mem::replace(&mut state.memory, memory);
        if std::mem::take(&mut state.lent) {
            state.before.push(before);
        }
    }

    /// Gives it, and the object whose values it is, memory that nothing else shares.
    fn own(&self, py: Python<'_>) -> PyResult<()> {
        let memory = self.memory();
        let sharers = |known: usize| memory.use_count() > known || memory.is_foreign();
        let values = |origin: &Bound<'_, PyAny>| -> PyResult<Option<Buffer>> {
            let data: Option<Bound<'_, Self>> = origin.getattr("data")?.extract()?;
            Ok(data.map(|data| data.get().memory()))
        };
        let origin = match self.origin.as_ref().map(|origin| origin.bind(py)) {
            Some(origin) if values(origin)?.is_some_and(|now| now.is_same_memory(&memory)) => Some(origin),
            _ => None,
        };
        match origin {
            // This object's, the object's whose values they are, and the one of this function.
            Some(origin) if sharers(3) => {
                origin.call_method0("_own_data")?;
                if let Some(now) = values(origin)? {
                    self.replace(now);
                }
            }
            None if sharers(2) => {
                self.replace(run(py, "copy", memory.len(), |ctx| memory.copy(ctx))?);
            }
            _ => {}
        }
        Ok(())
    }

    /// [`own`](Self::own) where a write is not to be seen by others.
    fn own_for_writing(&self, py: Python<'_>) -> PyResult<()> {
        let memory = self.memory();
        let (copies, foreign) = (memory.copies_on_write(), memory.is_foreign());
        drop(memory);
        if copies || foreign { self.own(py) } else { Ok(()) }
    }

    /// Memory whose address somebody outside gets, who may write there: nobody else shares it where it copies
    /// on write, and later shallow copies are copies.
    fn give_away(&self, py: Python<'_>) -> PyResult<Buffer> {
        if self.is_writable {
            self.own_for_writing(py)?;
        }
        let mut state = self.state();
        state.lent = true;
        Ok(state.memory.clone())
    }

    /// An array interface of the bytes, which exposes them.
    fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = self.give_away(py)?;
        let interface = device_array::interface(py, &memory, memory.len(), "|u1")?;
        let address =
            if memory.is_empty() && memory.device() != Device::Cpu { 0 } else { memory.as_ptr().addr() };
        interface.set_item("data", (address, !self.is_writable))?;
        Ok(interface)
    }

    fn attribute_error(&self, name: &str) -> PyErr {
        PyAttributeError::new_err(format!("a buffer on {} has no {name}", self.memory().device()))
    }
}

#[pymethods]
impl PyBuffer {
    /// The address at this moment: tells memory apart, and is not to be read through.
    #[getter]
    fn _ptr(&self) -> usize {
        self.memory().as_ptr().addr()
    }

    /// The address, for reading or for writing, good while this object lives and is not written.
    ///
    /// Memory that may be moved stays where it is from then on: within `acquire_spill_lock` until its end,
    /// else for good, as memory that is exposed.
    ///
    /// Parameters
    /// ----------
    /// mode : ``'read'`` or ``'write'``
    ///     With ``'write'`` no other object shares the memory from then on, if it copies on write: a series whose
    ///     ``data`` this is has a copy of its own.
    ///
    /// Returns
    /// -------
    /// int
    ///     The address.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For another ``mode``.
    ///
    /// Examples
    /// --------
    /// >>> import cuprum
    /// >>> data = cuprum.Series([1, 2, 3]).data
    /// >>> data.get_ptr(mode="read") != 0
    /// True
    #[pyo3(signature = (*, mode))]
    fn get_ptr(&self, py: Python<'_>, mode: &str) -> PyResult<usize> {
        match mode {
            "read" => {}
            "write" => self.own_for_writing(py)?,
            other => {
                return Err(PyValueError::new_err(format!(
                    "`mode` is '{other}'; known are 'read' and 'write'"
                )));
            }
        }
        let memory = {
            let mut state = self.state();
            state.lent = true;
            state.memory.clone()
        };
        if memory.is_managed() {
            let locks = py.import("cuprum.core.buffer.spill_lock")?;
            let of_thread = locks.call_method0("get_spill_lock")?;
            if of_thread.is_none() {
                py.detach(|| memory.expose().map(drop)).py()?;
            } else {
                lock_in_place(&memory, &of_thread)?;
            }
        }
        if mode == "write" {
            py.detach(|| memory.settle_late_readers()).py()?;
        }
        Ok(memory.as_ptr().addr())
    }

    /// Keeps the memory where it is as long as a `SpillLock` lives, bringing it back first.
    ///
    /// Parameters
    /// ----------
    /// spill_lock : SpillLock
    ///     The lock.
    ///
    /// Examples
    /// --------
    /// >>> import cuprum
    /// >>> data = cuprum.Series([1, 2, 3]).data
    /// >>> from cuprum.core.buffer import SpillLock
    /// >>> lock = SpillLock()
    /// >>> data.spill_lock(lock)
    fn spill_lock(&self, spill_lock: &Bound<'_, PyAny>) -> PyResult<()> {
        lock_in_place(&self.memory(), spill_lock)
    }

    /// Whether the memory is away from its device.
    #[getter]
    fn is_spilled(&self) -> bool {
        self.memory().is_spilled()
    }

    /// Whether the memory may be moved at this moment.
    ///
    /// Spilling was on when it was made, nobody uses it or was given its address, and it is not away.
    #[getter]
    fn spillable(&self) -> bool {
        self.memory().is_spillable()
    }

    /// Moves the whole allocation to slower memory and returns the bytes that are free now.
    ///
    /// They are 0 where it cannot be moved at this moment.
    fn spill(&self, py: Python<'_>) -> PyResult<usize> {
        let memory = self.memory();
        py.detach(|| memory.spill()).py()
    }

    /// The address, the size, and where the memory is.
    ///
    /// The address is 0 where the memory is away; the place is ``"gpu"``, ``"cpu"`` or ``"disk"``.
    fn memory_info(&self) -> (usize, usize, String) {
        let memory = self.memory();
        let address = if memory.is_spilled() { 0 } else { memory.as_ptr().addr() };
        (address, memory.len(), memory.tier().to_string())
    }

    /// Length in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.memory().len()
    }

    /// Length in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.memory().len()
    }

    fn __len__(&self) -> usize {
        self.memory().len()
    }

    /// The allocation that it is a slice of.
    #[getter]
    fn owner(&self) -> PyBufferOwner {
        PyBufferOwner(self.memory().allocation())
    }

    /// Whether somebody outside of this library was given the address.
    #[getter]
    fn exposed(&self) -> bool {
        self.memory().is_exposed()
    }

    /// Says that somebody outside has the address.
    ///
    /// The memory stays where it is, and shallow copies of what lies in it are copies from now on, if it copies on
    /// write.
    fn mark_exposed(&self, py: Python<'_>) -> PyResult<()> {
        let memory = self.memory();
        py.detach(|| memory.expose().map(drop)).py()
    }

    /// Copies the memory where others share it.
    ///
    /// This object and the series whose ``data`` it is are alone with it then, or with those that see what is
    /// written to that series.
    fn make_single_owner_inplace(&self, py: Python<'_>) -> PyResult<()> {
        self.own(py)
    }

    /// The same bytes, in memory of their own or shared.
    ///
    /// Parameters
    /// ----------
    /// deep : bool, default True
    ///     False shares the memory, unless it copies on write and somebody outside may write to it.
    ///
    /// Returns
    /// -------
    /// Buffer
    ///     The bytes.
    ///
    /// Examples
    /// --------
    /// >>> import cuprum
    /// >>> data = cuprum.Series([1, 2, 3]).data
    /// >>> data.copy().size
    /// 24
    #[pyo3(signature = (deep=true))]
    fn copy(&self, py: Python<'_>, deep: bool) -> PyResult<Self> {
        let memory = self.memory();
        let escaped = memory.copies_on_write() && memory.is_exposed();
        if !deep && !escaped {
            return Ok(Self::new(memory, None, self.is_writable));
        }
        let copy = run(py, "copy", memory.len(), |ctx| memory.copy(ctx))?;
        Ok(Self::new(copy, None, true))
    }

    /// The bytes of a slice with the step 1, sharing the memory.
    fn __getitem__(&self, key: &Bound<'_, PySlice>) -> PyResult<Self> {
        let memory = self.memory();
        let indices = key.indices(isize::try_from(memory.len())?)?;
        if indices.step != 1 {
            return Err(PyValueError::new_err(format!(
                "the slice has the step {}; bytes are sliced with 1",
                indices.step
            )));
        }
        let part = memory.slice(indices.start as usize, indices.slicelength).py()?;
        Ok(Self::new(part, None, self.is_writable))
    }

    /// A ``memoryview`` of a copy of the bytes.
    fn memoryview<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let memory = self.memory();
        let bytes = run(py, "copy", memory.len(), |_| memory.span::<u8>()?.to_vec())?;
        PyMemoryView::from(PyBytes::new(py, &bytes).as_any())
    }

    /// NumPy's array interface, version 3, of bytes that may be written unless they are text; only in host
    /// memory. The memory is exposed for good, and copied first where others share it and it copies on write.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.memory().device() != Device::Cpu {
            return Err(self.attribute_error("__array_interface__"));
        }
        self.interface(py)
    }

    /// CUDA array interface, version 3; only where the bytes are on a GPU. The memory is exposed for good,
    /// and copied first where others share it and it copies on write.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let device = self.memory().device();
        if device == Device::Cpu || device.is_emulated() {
            return Err(self.attribute_error(device_array::ATTRIBUTE));
        }
        self.interface(py)
    }

    fn __repr__(&self) -> String {
        let memory = self.memory();
        format!(
            "<Buffer size={} ptr={:#x} device='{}' exposed={}>",
            memory.len(),
            memory.as_ptr().addr(),
            memory.device(),
            if memory.is_exposed() { "True" } else { "False" }
        )
    }
}

#[pymethods]
impl PyBufferOwner {
    /// The address of the first byte at this moment.
    #[getter]
    fn ptr(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The address of the first byte at this moment.
    #[getter]
    fn _ptr(&self) -> usize {
        self.ptr()
    }

    /// Length in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether somebody outside of this library was given the address.
    #[getter]
    fn exposed(&self) -> bool {
        self.0.is_exposed()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.is_same_memory(&other.0)
    }

    fn __hash__(&self) -> usize {
        self.0.allocation_id()
    }

    fn __repr__(&self) -> String {
        let exposed = if self.exposed() { "True" } else { "False" };
        format!("<BufferOwner size={} ptr={:#x} exposed={exposed}>", self.size(), self.ptr())
    }
}

fn lock_in_place(memory: &Buffer, spill_lock: &Bound<'_, PyAny>) -> PyResult<()> {
    let lock = spill_lock.py().detach(|| memory.spill_lock()).py()?;
    spill_lock.call_method1("add", (PySpillLock(lock),)).map(drop)
}

/// Return a buffer of the bytes of an object.
///
/// Parameters
/// ----------
/// obj : object
///     A Buffer (returned itself), an object on a GPU with ``__cuda_array_interface__`` (whose memory is shared and kept
///     alive), or anything in host memory with the buffer protocol or ``__array_interface__``, which is copied.
/// exposed : bool, default False
///     Whether others have the address and may write there.
///
/// Returns
/// -------
/// Buffer
///     The bytes.
///
/// Examples
/// --------
/// >>> from cuprum.core.buffer import as_buffer
/// >>> as_buffer(b"abc").nbytes
/// 3
#[pyfunction]
#[pyo3(signature = (obj, *, exposed=false))]
fn as_buffer<'py>(obj: &Bound<'py, PyAny>, exposed: bool) -> PyResult<Bound<'py, PyBuffer>> {
    let buffer = match obj.cast::<PyBuffer>() {
        Ok(buffer) => buffer.clone(),
        Err(_) => Bound::new(obj.py(), PyBuffer::new(memory_of(obj)?, None, true))?,
    };
    if exposed {
        buffer.get().mark_exposed(obj.py())?;
    }
    Ok(buffer)
}

fn memory_of(obj: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    let ctx = Context::beside(Device::Cpu).py()?;
    if obj.hasattr(device_array::ATTRIBUTE)? {
        return device_array::buffer_from(obj, Device::Cuda(0));
    }
    if let Ok(view) = PyMemoryView::from(obj) {
        let bytes = view.call_method0("tobytes")?.cast_into::<PyBytes>()?;
        return Buffer::copy_from_slice(bytes.as_bytes(), &ctx).py();
    }
    if obj.hasattr("__array_interface__")? {
        let column = array_interface::column_from_array(obj, true)?;
        return match column.data() {
            Some(data) => Ok(data.clone()),
            None => Buffer::copy_from_slice(&[], &ctx).py(),
        };
    }
    Err(PyTypeError::new_err(format!(
        "`obj` must be a Buffer or have the buffer protocol, __array_interface__ or __cuda_array_interface__, \
         not {}",
        obj.get_type()
    )))
}
