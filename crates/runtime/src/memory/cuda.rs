//! Memory straight from a CUDA driver.

use std::ptr::NonNull;

use super::{MemoryResource, NO_BYTES};
use crate::device::Device;
use crate::driver::{self, Driver, MemoryKind};
use crate::error::{Error, ErrorKind, Result};
use crate::log;
use crate::stream::Stream;

/// The driver of `device`, or an error that says it is no GPU.
fn driver_of(device: Device, resource: &str) -> Result<(&'static dyn Driver, u32)> {
    match device {
        Device::Cuda(ordinal) => {
            let driver = driver::of(ordinal)?;
            driver.memory_info(ordinal)?;
            Ok((driver, ordinal))
        }
        Device::Cpu => Err(Error::invalid_argument(format!(
            "`device` is cpu: {resource} is memory of a GPU; use CpuMemoryResource"
        ))),
    }
}

/// Says how much was asked for and how full the device is.
#[cold]
fn explain(error: Error, resource: &dyn MemoryResource, device: Device, bytes: usize) -> Error {
    if error.kind() != ErrorKind::OutOfMemory {
        return error;
    }
    let room = device.memory_info().map_or_else(
        |_| String::new(),
        |memory| format!(": {} bytes in use of at most {}", memory.total - memory.free, memory.total),
    );
    Error::new(
        ErrorKind::OutOfMemory,
        format!("cannot allocate {bytes} bytes on {device}{room} ({})", resource.name()),
    )
}

/// A block that cannot be given back is reported, not lost in silence.
fn report(result: Result<()>, device: Device, bytes: usize) {
    if let Err(error) = result {
        log::error!("cannot free {bytes} bytes on {device}: {error}");
    }
}

macro_rules! synchronous_resource {
    ($(#[$doc:meta])* $name:ident, $kind:expr, $device:expr) => {
        $(#[$doc])*
        pub struct $name {
            driver: &'static dyn Driver,
            ordinal: u32,
        }

        impl $name {
            /// The memory of `device`, which must be a CUDA device that can be used.
            pub fn new(device: Device) -> Result<Self> {
                let (driver, ordinal) = driver_of(device, stringify!($name))?;
                Ok(Self { driver, ordinal })
            }
        }

        impl MemoryResource for $name {
            fn allocate(&self, bytes: usize, _stream: &Stream) -> Result<NonNull<u8>> {
                if bytes == 0 {
                    return Ok(NO_BYTES);
                }
                let result = self.driver.allocate(self.ordinal, bytes, $kind);
                result.map_err(|e| explain(e, self, Device::Cuda(self.ordinal), bytes))
            }

            unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
                if bytes == 0 {
                    return;
                }
                // The driver waits for the device before it frees; the stream's failures are reported
                // to those who synchronise with it.
                let _ = stream;
                // SAFETY: the caller gives back a block of `allocate` above, which no later work uses.
                let result = unsafe { self.driver.free(self.ordinal, ptr, $kind) };
                report(result, Device::Cuda(self.ordinal), bytes);
            }

            fn device(&self) -> Device {
                let of_gpu: fn(u32) -> Device = $device;
                of_gpu(self.ordinal)
            }

            fn name(&self) -> &'static str {
                stringify!($name)
            }
        }
    };
}

synchronous_resource! {
    /// Memory of a GPU, allocated and freed one block at a time (`cuMemAlloc`).
    ///
    /// Each call may wait for the device: put a [`PoolMemoryResource`](super::PoolMemoryResource) in
    /// front of it, or use [`CudaAsyncMemoryResource`].
    CudaMemoryResource, MemoryKind::Device, Device::Cuda
}

synchronous_resource! {
    /// Memory that moves between host and GPU on demand (`cuMemAllocManaged`), so that more can be
    /// allocated than the GPU has. Treated as memory of the GPU.
    ManagedMemoryResource, MemoryKind::Managed, Device::Cuda
}

synchronous_resource! {
    /// Page-locked memory of the host (`cuMemHostAlloc`): copies between it and a GPU are
    /// asynchronous and run at the full speed of the bus. It is memory of the CPU; the GPU named is
    /// the one that locks it.
    ///
    /// Locking pages is slow: keep such memory in a [`PoolMemoryResource`](super::PoolMemoryResource).
    PinnedHostMemoryResource, MemoryKind::Pinned, |_| Device::Cpu
}

/// Memory of a GPU from the driver's own stream-ordered pool (`cuMemAllocAsync`).
pub struct CudaAsyncMemoryResource {
    driver: &'static dyn Driver,
    ordinal: u32,
}

impl CudaAsyncMemoryResource {
    /// The pool of `device`, which must be a CUDA device that can be used. It keeps up to
    /// `release_threshold` unused bytes; `None` keeps everything, which is fastest.
    pub fn new(device: Device, release_threshold: Option<usize>) -> Result<Self> {
        let (driver, ordinal) = driver_of(device, "CudaAsyncMemoryResource")?;
        driver.set_pool_release_threshold(ordinal, release_threshold.unwrap_or(usize::MAX))?;
        Ok(Self { driver, ordinal })
    }
}

impl MemoryResource for CudaAsyncMemoryResource {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        if bytes == 0 {
            return Ok(NO_BYTES);
        }
        let device = self.device();
        match stream.driver() {
            Some((_, ordinal, handle)) if ordinal == self.ordinal => self
                .driver
                .allocate_async(self.ordinal, bytes, handle)
                .map_err(|e| explain(e, self, device, bytes)),
            _ => Err(Error::invalid_argument(format!(
                "`stream` is a stream of {}, the memory resource is one of {device}",
                stream.device()
            ))),
        }
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // Memory that a forked child inherits is given back by its parent.
        if bytes == 0 || self.driver.is_inherited() {
            return;
        }
        let result = Stream::current(self.device()).and_then(|mine| {
            // Freed on a stream of another device (the CPU's, say): that stream is done here, and
            // any stream of ours will do.
            let stream = if stream.device() == self.device() { stream } else { &mine };
            let handle = stream.driver().map_or(driver::StreamHandle(0), |(_, _, handle)| handle);
            // SAFETY: the caller gives back a block of `allocate` above; the stream comes after its last use.
            unsafe { self.driver.free_async(self.ordinal, ptr, handle) }
        });
        report(result, self.device(), bytes);
    }

    fn device(&self) -> Device {
        Device::Cuda(self.ordinal)
    }

    fn name(&self) -> &'static str {
        "CudaAsyncMemoryResource"
    }
}
