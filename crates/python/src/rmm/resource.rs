//! Memory resources.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use cuprum_runtime::memory::{self, MemoryResource, SharedResource};
use cuprum_runtime::{Device, Stream, log};
use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer};

use crate::cuda::device::{self, PyDevice};
use crate::errors::IntoPyResult;

/// Hands out memory of a device and takes it back.
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> rmm.mr.get_per_device_resource("cpu").device
/// Device('cpu')
#[pyclass(name = "DeviceMemoryResource", module = "cuprum.rmm.mr", subclass, frozen)]
pub struct PyResource(pub SharedResource);

#[pymethods]
impl PyResource {
    /// The device the memory lives on.
    #[getter]
    fn device(&self) -> PyDevice {
        PyDevice(self.0.device())
    }

    fn __repr__(&self) -> String {
        format!("<{} on {}>", self.0.name(), self.0.device())
    }
}

/// The Python object of a resource whose class has methods of its own.
fn with_base<T>(class: T, resource: SharedResource) -> PyClassInitializer<T>
where
    T: PyClass<BaseType = PyResource>,
{
    PyClassInitializer::from(PyResource(resource)).add_subclass(class)
}

/// Memory of the host, from a pool of size classes that keeps its pages.
///
/// Examples
/// --------
/// >>> from cuprum.rmm import DeviceBuffer, mr
/// >>> host = mr.CpuMemoryResource()
/// >>> buffer = DeviceBuffer(size=1 << 20, mr=host)
/// >>> host.used_bytes() >= 1 << 20
/// True
/// >>> host.release_idle()
#[pyclass(extends = PyResource, module = "cuprum.rmm.mr", frozen)]
struct CpuMemoryResource(Arc<memory::CpuMemoryResource>);

#[pymethods]
impl CpuMemoryResource {
    /// Keeps up to `maximum_idle_bytes` for about `decay` seconds each.
    #[new]
    #[pyo3(signature = (maximum_idle_bytes=None, decay=10.0))]
    fn new(maximum_idle_bytes: Option<usize>, decay: f64) -> PyResult<PyClassInitializer<Self>> {
        let decay = std::time::Duration::try_from_secs_f64(decay)
            .map_err(|e| pyo3::exceptions::PyValueError::new_err(format!("`decay` is {decay}: {e}")))?;
        let cap = match maximum_idle_bytes {
            Some(cap) => cap,
            None => Device::Cpu.memory_info().py()?.total / 4,
        };
        let resource = Arc::new(memory::CpuMemoryResource::new(cap, decay));
        Ok(with_base(Self(resource.clone()), resource))
    }

    /// Bytes of large blocks (64 KiB and more) that are handed out.
    fn used_bytes(&self) -> usize {
        self.0.used_bytes()
    }

    /// Bytes kept for reuse.
    fn idle_bytes(&self) -> usize {
        self.0.idle_bytes()
    }

    /// Gives what is kept back to the system.
    fn release_idle(&self) {
        self.0.release_idle();
    }
}

macro_rules! gpu_resource {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[pyclass(extends = PyResource, module = "cuprum.rmm.mr", frozen)]
        struct $name;

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (*, device=None))]
            fn new(device: Option<&Bound<'_, PyAny>>) -> PyResult<PyClassInitializer<Self>> {
                let resource = memory::$name::new(device::parse_gpu(device)?).py()?;
                Ok(with_base(Self, Arc::new(resource)))
            }
        }
    };
}

gpu_resource! {
    /// Memory of a GPU, allocated and freed one block at a time.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import mr
    /// >>> mr.CudaMemoryResource()  # doctest: +SKIP
    CudaMemoryResource
}
gpu_resource! {
    /// Memory that moves between host and GPU on demand.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import mr
    /// >>> mr.ManagedMemoryResource()  # doctest: +SKIP
    ManagedMemoryResource
}
gpu_resource! {
    /// Page-locked memory of the host.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import mr
    /// >>> mr.PinnedHostMemoryResource()  # doctest: +SKIP
    PinnedHostMemoryResource
}

/// Memory of a GPU from the driver's own stream-ordered pool.
///
/// Examples
/// --------
/// >>> from cuprum.rmm import mr
/// >>> mr.CudaAsyncMemoryResource(release_threshold=1 << 30)  # doctest: +SKIP
#[pyclass(extends = PyResource, module = "cuprum.rmm.mr", frozen)]
struct CudaAsyncMemoryResource;

#[pymethods]
impl CudaAsyncMemoryResource {
    #[new]
    #[pyo3(signature = (initial_pool_size=None, release_threshold=None, *, device=None))]
    fn new(
        initial_pool_size: Option<usize>,
        release_threshold: Option<usize>,
        device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let device = device::parse_gpu(device)?;
        let resource = memory::CudaAsyncMemoryResource::new(device, release_threshold).py()?;
        if let Some(bytes) = initial_pool_size {
            // The driver keeps what was had once.
            let stream = Stream::current(device).py()?;
            let block = resource.allocate(bytes, &stream).py()?;
            // SAFETY: handed back as taken.
            unsafe { resource.deallocate(block, bytes, &stream) };
        }
        Ok(with_base(Self, Arc::new(resource)))
    }
}

/// A class for a resource that stands in front of another.
macro_rules! adaptor {
    (
        $(#[$doc:meta])* $name:ident($($field:ident: $type:ty),*)
        $(#[$attribute:meta])* new($($argument:ident: $argument_type:ty),*) $make:expr;
        $($methods:tt)*
    ) => {
        $(#[$doc])*
        #[pyclass(extends = PyResource, module = "cuprum.rmm.mr", frozen)]
        struct $name {
            upstream: Py<PyResource>,
            #[allow(dead_code)] // not every class has methods
            resource: Arc<memory::$name>,
            $($field: $type,)*
        }

        #[pymethods]
        impl $name {
            $(#[$attribute])*
            #[new]
            fn new(upstream_mr: &Bound<'_, PyResource>, $($argument: $argument_type),*) -> PyResult<PyClassInitializer<Self>> {
                let make: fn(SharedResource, $($argument_type),*) -> PyResult<(Arc<memory::$name>, ($($type,)*))> = $make;
                let (resource, ($($field,)*)) = make(upstream_mr.get().0.clone(), $($argument),*)?;
                let shared: SharedResource = resource.clone();
                Ok(with_base(Self { upstream: upstream_mr.clone().unbind(), resource, $($field),* }, shared))
            }

            /// The resource behind this one.
            fn get_upstream(&self, py: Python<'_>) -> Py<PyResource> {
                self.upstream.clone_ref(py)
            }

            /// The resource behind this one.
            #[getter]
            fn upstream_mr(&self, py: Python<'_>) -> Py<PyResource> {
                self.upstream.clone_ref(py)
            }

            $($methods)*
        }
    };
}

adaptor! {
    /// Parts of large blocks of another resource, which it keeps; in stream order, coalescing best fit.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> pool = mr.PoolMemoryResource(host, 1 << 20)
    /// >>> pool.pool_size(), pool.get_upstream() is host
    /// (1048576, True)
    PoolMemoryResource()
    #[pyo3(signature = (upstream_mr, initial_pool_size=None, maximum_pool_size=None))]
    new(initial_pool_size: Option<usize>, maximum_pool_size: Option<usize>)
    |upstream, initial, maximum| {
        let pool = memory::PoolMemoryResource::new(upstream, initial.unwrap_or(0), maximum).py()?;
        Ok((Arc::new(pool), ()))
    };

    /// Bytes taken from the resource behind.
    fn pool_size(&self) -> usize {
        self.resource.pool_size()
    }
}

adaptor! {
    /// Blocks of one size, taken from another resource many at a time.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> mr.FixedSizeMemoryResource(host, 1 << 16, 4).get_block_size()
    /// 65536
    FixedSizeMemoryResource()
    #[pyo3(signature = (upstream_mr, block_size=1 << 20, blocks_to_preallocate=128))]
    new(block_size: usize, blocks_to_preallocate: usize)
    |upstream, size, count| {
        Ok((Arc::new(memory::FixedSizeMemoryResource::new(upstream, size, count).py()?), ()))
    };

    /// The size of the blocks.
    fn get_block_size(&self) -> usize {
        self.resource.block_size()
    }
}

adaptor! {
    /// Refuses allocations that would bring the bytes in use above a limit.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> limited = mr.LimitingResourceAdaptor(host, 1000)
    /// >>> buffer = DeviceBuffer(size=512, mr=limited)
    /// >>> limited.get_allocated_bytes(), limited.get_allocation_limit()
    /// (512, 1000)
    LimitingResourceAdaptor()
    #[pyo3(signature = (upstream_mr, allocation_limit))]
    new(allocation_limit: usize)
    |upstream, limit| Ok((Arc::new(memory::LimitingResourceAdaptor::new(upstream, limit)), ()));

    /// Bytes handed out.
    fn get_allocated_bytes(&self) -> usize {
        self.resource.allocated_bytes()
    }

    /// The limit in bytes.
    fn get_allocation_limit(&self) -> usize {
        self.resource.limit()
    }
}

/// The counts since a section began.
///
/// Examples
/// --------
/// >>> from cuprum.rmm import DeviceBuffer, mr
/// >>> host = mr.CpuMemoryResource()
/// >>> mr.StatisticsResourceAdaptor(host).allocation_counts.current_bytes
/// 0
#[pyclass(module = "cuprum.rmm.statistics", frozen, eq, get_all)]
#[derive(PartialEq)]
pub struct Statistics {
    /// Bytes in use, relative to the beginning of the section.
    current_bytes: i64,
    /// Allocations in use, relative to the beginning of the section.
    current_count: i64,
    /// The most bytes in use at a time.
    peak_bytes: i64,
    /// The most allocations in use at a time.
    peak_count: i64,
    /// Bytes allocated in all.
    total_bytes: i64,
    /// Allocations in all.
    total_count: i64,
}

#[pymethods]
impl Statistics {
    fn __repr__(&self) -> String {
        format!(
            "Statistics(current_bytes={}, current_count={}, peak_bytes={}, peak_count={}, \
             total_bytes={}, total_count={})",
            self.current_bytes,
            self.current_count,
            self.peak_bytes,
            self.peak_count,
            self.total_bytes,
            self.total_count
        )
    }
}

impl From<memory::Statistics> for Statistics {
    fn from(statistics: memory::Statistics) -> Self {
        let memory::Statistics { bytes, count } = statistics;
        Self {
            current_bytes: bytes.current,
            current_count: count.current,
            peak_bytes: bytes.peak,
            peak_count: count.peak,
            total_bytes: bytes.total,
            total_count: count.total,
        }
    }
}

adaptor! {
    /// Counts bytes and allocations.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> counting = mr.StatisticsResourceAdaptor(host)
    /// >>> before = counting.push_counters()
    /// >>> buffer = DeviceBuffer(size=512, mr=counting)
    /// >>> counting.pop_counters().total_bytes
    /// 512
    StatisticsResourceAdaptor()
    #[pyo3(signature = (upstream_mr))]
    new()
    |upstream| Ok((Arc::new(memory::StatisticsResourceAdaptor::new(upstream)), ()));

    /// The counts of the innermost section so far.
    #[getter]
    fn allocation_counts(&self) -> Statistics {
        self.resource.statistics().into()
    }

    /// Begins a section that counts from zero; returns what the surrounding one has counted.
    fn push_counters(&self) -> Statistics {
        self.resource.push().into()
    }

    /// Ends the innermost section and returns what it counted.
    fn pop_counters(&self) -> PyResult<Statistics> {
        self.resource.pop().py().map(Into::into)
    }
}

adaptor! {
    /// Remembers what was handed out and not given back.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> tracking = mr.TrackingResourceAdaptor(host)
    /// >>> buffer = DeviceBuffer(size=512, mr=tracking)
    /// >>> tracking.get_allocated_bytes()
    /// 512
    /// >>> tracking.log_outstanding_allocations()
    TrackingResourceAdaptor()
    #[pyo3(signature = (upstream_mr, capture_stacks=false))]
    new(capture_stacks: bool)
    |upstream, stacks| Ok((Arc::new(memory::TrackingResourceAdaptor::new(upstream, stacks)), ()));

    /// Bytes of the outstanding allocations.
    fn get_allocated_bytes(&self) -> usize {
        self.resource.allocated_bytes()
    }

    /// The outstanding allocations as text; empty when there are none.
    fn get_outstanding_allocations_str(&self) -> String {
        self.resource.report()
    }

    /// Writes the outstanding allocations to the log, at the level INFO.
    fn log_outstanding_allocations(&self) {
        for line in self.resource.report().lines() {
            log::info!("{line}");
        }
    }
}

adaptor! {
    /// Writes every allocation to a CSV file: Thread,Time,Action,Pointer,Size,Stream.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> import os, tempfile
    /// >>> path = os.path.join(tempfile.mkdtemp(), "allocations.csv")
    /// >>> logging = mr.LoggingResourceAdaptor(host, path)
    /// >>> logging.flush()
    /// >>> str(logging.get_file_name()) == path
    /// True
    LoggingResourceAdaptor(path: PathBuf)
    #[pyo3(signature = (upstream_mr, log_file_name=None))]
    new(log_file_name: Option<PathBuf>)
    |upstream, path| {
        let path = path.or_else(|| std::env::var_os("RMM_LOG_FILE").map(PathBuf::from)).ok_or_else(|| {
            pyo3::exceptions::PyValueError::new_err("give `log_file_name`, or set RMM_LOG_FILE")
        })?;
        let resource = memory::LoggingResourceAdaptor::to_file(upstream, &path).py()?;
        Ok((Arc::new(resource), (path,)))
    };

    /// Hands what is buffered to the operating system.
    fn flush(&self) -> PyResult<()> {
        Ok(self.resource.flush()?)
    }

    /// The name of the file.
    fn get_file_name(&self) -> PathBuf {
        self.path.clone()
    }
}

adaptor! {
    /// Calls ``callback(bytes)`` when memory is exhausted and tries again while it returns True.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> mr.FailureCallbackResourceAdaptor(host, lambda size: False).get_upstream() is host
    /// True
    FailureCallbackResourceAdaptor()
    #[pyo3(signature = (upstream_mr, callback))]
    new(callback: Py<PyAny>)
    |upstream, callback| {
        let callback = std::panic::AssertUnwindSafe(callback);
        let call = move |bytes: usize| {
            let callback = &callback;
            Python::attach(|py| {
                let answer = callback.call1(py, (bytes,)).and_then(|answer| answer.is_truthy(py));
                answer.unwrap_or_else(|error| {
                    // The allocation fails with an error of its own; this one must not be lost.
                    error.write_unraisable(py, None);
                    false
                })
            })
        };
        Ok((Arc::new(memory::FailureCallbackResourceAdaptor::new(upstream, call)), ()))
    };
}

adaptor! {
    /// Moves each block of managed memory to the GPU when it is allocated.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import mr
    /// >>> mr.PrefetchResourceAdaptor(mr.ManagedMemoryResource())  # doctest: +SKIP
    PrefetchResourceAdaptor()
    #[pyo3(signature = (upstream_mr))]
    new()
    |upstream| Ok((Arc::new(memory::PrefetchResourceAdaptor::new(upstream)), ()));
}

adaptor! {
    /// Sends each allocation to the smallest bin it fits, and what fits none to another resource.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> mr.BinningMemoryResource(host, 18, 20).bin_mrs
    /// [262144, 524288, 1048576]
    BinningMemoryResource()
    #[pyo3(signature = (upstream_mr, min_size_exponent=-1, max_size_exponent=-1))]
    new(min_size_exponent: i32, max_size_exponent: i32)
    |upstream, smallest, largest| {
        let bins = match (u32::try_from(smallest), u32::try_from(largest)) {
            (Ok(smallest), Ok(largest)) => {
                memory::BinningMemoryResource::with_powers_of_two(upstream, smallest, largest).py()?
            }
            // -1, as in RMM: no bins yet.
            _ => memory::BinningMemoryResource::new(upstream),
        };
        Ok((Arc::new(bins), ()))
    };

    /// Adds a bin for allocations of up to a size.
    ///
    /// Parameters
    /// ----------
    /// allocation_size : int
    ///     The size in bytes.
    /// bin_resource : DeviceMemoryResource, optional
    ///     Where they come from; blocks of that size by default.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a size of 0.
    ///
    /// Examples
    /// --------
    /// >>> from cuprum.rmm import DeviceBuffer, mr
    /// >>> host = mr.CpuMemoryResource()
    /// >>> bins = mr.BinningMemoryResource(host)
    /// >>> bins.add_bin(1 << 10)
    /// >>> bins.bin_mrs
    /// [1024]
    #[pyo3(signature = (allocation_size, bin_resource=None))]
    fn add_bin(&self, allocation_size: usize, bin_resource: Option<&Bound<'_, PyResource>>) -> PyResult<()> {
        self.resource.add_bin(allocation_size, bin_resource.map(|bin| bin.get().0.clone())).py()
    }

    /// The sizes of the bins, ascending.
    #[getter]
    fn bin_mrs(&self) -> Vec<usize> {
        self.resource.bin_sizes()
    }
}

/// The Python objects of the current resources, so that asking gives back what was set.
static CURRENT: Mutex<Vec<(Device, Py<PyResource>)>> = Mutex::new(Vec::new());

fn device_or_cpu(device: Option<&Bound<'_, PyAny>>) -> PyResult<Device> {
    device.map_or(Ok(Device::Cpu), device::parse)
}

/// Return the memory resource that is used on a device where none is named.
///
/// Parameters
/// ----------
/// device : str or int, default ``'cpu'``
///     The device, by its name or the number of a CUDA device.
///
/// Returns
/// -------
/// DeviceMemoryResource
///     The object that was set, if any was.
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> rmm.mr.get_per_device_resource("cpu")
/// <CpuMemoryResource on cpu>
#[pyfunction]
#[pyo3(signature = (device=None))]
fn get_per_device_resource(py: Python<'_>, device: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyResource>> {
    let device = device_or_cpu(device)?;
    let resource = memory::current_resource(device).py()?;
    let known = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    let same = known.iter().find(|(d, object)| *d == device && Arc::ptr_eq(&object.get().0, &resource));
    match same {
        Some((_, object)) => Ok(object.clone_ref(py)),
        None => Py::new(py, PyResource(resource)),
    }
}

/// Allocate from a memory resource on its device from now on.
///
/// Parameters
/// ----------
/// device : str or int
///     The device, by its name or the number of a CUDA device.
/// mr : DeviceMemoryResource
///     The resource, of memory of that device.
///
/// Raises
/// ------
/// ValueError
///     For a resource of another device.
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> before = rmm.mr.get_per_device_resource("cpu")
/// >>> rmm.mr.set_per_device_resource("cpu", rmm.mr.StatisticsResourceAdaptor(before))
/// >>> rmm.mr.set_per_device_resource("cpu", before)
#[pyfunction]
fn set_per_device_resource(device: &Bound<'_, PyAny>, mr: &Bound<'_, PyResource>) -> PyResult<()> {
    let device = device::parse(device)?;
    memory::set_current_resource(device, mr.get().0.clone()).py()?;
    let before = {
        let mut known = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(d, _)| *d == device);
        known.push((device, mr.clone().unbind()));
        at.map(|at| known.swap_remove(at))
    };
    // Dropped outside the lock: a resource may call back into Python when it goes.
    drop(before);
    Ok(())
}

/// Allocate from the memory resource that a device had at first.
///
/// Parameters
/// ----------
/// device : str or int, default ``'cpu'``
///     The device, by its name or the number of a CUDA device.
///
/// Examples
/// --------
/// >>> from cuprum import rmm
/// >>> rmm.mr.reset_per_device_resource("cpu")
/// >>> rmm.mr.get_per_device_resource("cpu")
/// <CpuMemoryResource on cpu>
#[pyfunction]
#[pyo3(signature = (device=None))]
fn reset_per_device_resource(device: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let device = device_or_cpu(device)?;
    memory::reset_current_resource(device).py()?;
    let before = {
        let mut known = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().position(|(d, _)| *d == device).map(|at| known.swap_remove(at))
    };
    drop(before);
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyResource>()?;
    module.add_class::<CpuMemoryResource>()?;
    module.add_class::<CudaMemoryResource>()?;
    module.add_class::<ManagedMemoryResource>()?;
    module.add_class::<PinnedHostMemoryResource>()?;
    module.add_class::<CudaAsyncMemoryResource>()?;
    module.add_class::<PoolMemoryResource>()?;
    module.add_class::<FixedSizeMemoryResource>()?;
    module.add_class::<BinningMemoryResource>()?;
    module.add_class::<LimitingResourceAdaptor>()?;
    module.add_class::<StatisticsResourceAdaptor>()?;
    module.add_class::<TrackingResourceAdaptor>()?;
    module.add_class::<LoggingResourceAdaptor>()?;
    module.add_class::<FailureCallbackResourceAdaptor>()?;
    module.add_class::<PrefetchResourceAdaptor>()?;
    module.add_class::<Statistics>()?;
    module.add_function(wrap_pyfunction!(get_per_device_resource, module)?)?;
    module.add_function(wrap_pyfunction!(set_per_device_resource, module)?)?;
    module.add_function(wrap_pyfunction!(reset_per_device_resource, module)?)
}
