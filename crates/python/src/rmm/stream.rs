//! Streams.

use cuprum_runtime::{Device, Stream, StreamPool};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::cuda::device;
use crate::errors::IntoPyResult;

/// A queue of work on one device: a new one of a device, or that of an object with ``__cuda_stream__``.
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> stream = rmm.Stream("cpu")
/// >>> stream.synchronize()
/// >>> stream.is_done(), stream.device
/// (True, Device('cpu'))
#[pyclass(name = "Stream", module = "cuprum.rmm", frozen, eq)]
#[derive(PartialEq)]
pub struct PyStream(pub Stream);

/// The attribute of the handle in streams of other libraries.
const ATTRIBUTE: &str = "__cuda_stream__";

/// An argument `stream`: a [`PyStream`], or a stream of another library, see [`foreign`].
#[derive(Clone)]
pub struct StreamArgument(pub Stream);

impl<'py> FromPyObject<'_, 'py> for StreamArgument {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(stream) = obj.cast::<PyStream>() {
            return Ok(Self(stream.get().0.clone()));
        }
        match foreign(&obj)? {
            Some(stream) => Ok(Self(stream)),
            None => Err(PyTypeError::new_err(format!(
                "`stream` must be a Stream or an object with {ATTRIBUTE}, not {}",
                obj.get_type()
            ))),
        }
    }
}

/// The stream of an object with `__cuda_stream__`; `None` for other objects.
///
/// It is one of the chosen device. On the CPU work is done when its call returns, so that the default streams (0, 1
/// and 2) are that of the CPU; a stream of its own is one of the first GPU then.
fn foreign(obj: &Bound<'_, PyAny>) -> PyResult<Option<Stream>> {
    let Some(method) = obj.getattr_opt(ATTRIBUTE)? else { return Ok(None) };
    let wrong =
        || PyTypeError::new_err(format!("{ATTRIBUTE} of {} gives no pair of numbers", obj.get_type()));
    let (version, handle): (i64, usize) = method.call0()?.extract().map_err(|_| wrong())?;
    if version != 0 {
        return Err(PyValueError::new_err(format!("{ATTRIBUTE} is of version {version}; 0 is known")));
    }
    let device = match Device::chosen() {
        Device::Cpu if handle > 2 => device::parse_gpu(None)?,
        chosen => chosen,
    };
    if device.is_emulated() {
        if handle > 2 {
            return Err(PyValueError::new_err(format!(
                "{ATTRIBUTE} is {handle:#x}, but no other library has a stream of {device}"
            )));
        }
        return Stream::current(device).py().map(Some);
    }
    // SAFETY: by the protocol the stream lives as long as its object; the new stream holds a reference to the object.
    unsafe { Stream::foreign(device, handle, obj.clone().unbind()) }.py().map(Some)
}

#[pymethods]
impl PyStream {
    #[new]
    #[pyo3(signature = (device=None))]
    fn new(device: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        if let Some(obj) = device {
            if let Ok(stream) = obj.cast::<Self>() {
                return Ok(Self(stream.get().0.clone()));
            }
            if let Some(stream) = foreign(obj)? {
                return Ok(Self(stream));
            }
        }
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
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> rmm.StreamPool(4).get_pool_size()
/// 4
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

    /// The stream of a number, or the next in turn.
    ///
    /// Parameters
    /// ----------
    /// stream_id : int, optional
    ///     The number, taken modulo the size of the pool; the next in turn by default.
    ///
    /// Returns
    /// -------
    /// Stream
    ///     The stream.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum import rmm
    /// >>> pool = rmm.StreamPool(4)
    /// >>> pool.get_stream(1) == pool.get_stream(5)
    /// True
    #[pyo3(signature = (stream_id=None))]
    fn get_stream(&self, stream_id: Option<usize>) -> PyStream {
        PyStream(stream_id.map_or_else(|| self.0.stream(), |at| self.0.at(at)))
    }

    /// The number of streams.
    fn get_pool_size(&self) -> usize {
        self.0.size()
    }
}

/// Return the own stream of this thread on a device.
///
/// Parameters
/// ----------
/// device : str or int, default ``'cpu'``
///     The device, by its name or the number of a CUDA device.
///
/// Returns
/// -------
/// Stream
///     What work of this thread is given to where no stream is named.
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> rmm.current_stream("cpu")
/// Stream(device='cpu', ptr=0x0)
#[pyfunction]
#[pyo3(signature = (device=None))]
fn current_stream(device: Option<&Bound<'_, PyAny>>) -> PyResult<PyStream> {
    let device = device.map_or(Ok(Device::Cpu), device::parse)?;
    Stream::current(device).py().map(PyStream)
}

/// Work given to `stream` from now on comes after all that `streams` were given until now.
#[pyfunction]
fn join_streams(py: Python<'_>, streams: Vec<StreamArgument>, stream: StreamArgument) -> PyResult<()> {
    py.detach(|| streams.iter().try_for_each(|other| stream.0.join(&other.0))).py()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(join_streams, module)?)?;
    module.add_class::<PyStream>()?;
    module.add_class::<PyStreamPool>()?;
    module.add_function(wrap_pyfunction!(current_stream, module)?)
}
