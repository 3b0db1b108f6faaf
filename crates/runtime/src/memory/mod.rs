//! Memory resources: who hands out memory and takes it back.
//!
//! | resource | memory |
//! |---|---|
//! | [`CpuMemoryResource`] | the host's, from a pool of size classes that keeps its pages |
//! | [`PinnedHostMemoryResource`] | page-locked host memory, for asynchronous copies |
//! | [`CudaMemoryResource`], [`CudaAsyncMemoryResource`], [`ManagedMemoryResource`] | a GPU's |
//! | [`PoolMemoryResource`] | parts of large blocks of another resource, in stream order |
//! | [`FixedSizeMemoryResource`], [`BinningMemoryResource`] | blocks of one size, or of several |
//!
//! Adaptors stand in front of another resource: [`LimitingResourceAdaptor`],
//! [`StatisticsResourceAdaptor`], [`TrackingResourceAdaptor`], [`LoggingResourceAdaptor`],
//! [`FailureCallbackResourceAdaptor`], [`PrefetchResourceAdaptor`]. The names are those of RMM.

mod binning;
mod cpu;
mod cuda;
mod current;
mod failure_callback;
mod fixed_size;
mod foreign;
mod limiting;
mod logging;
mod pool;
mod prefetch;
mod statistics;
mod tracked;
mod tracking;

#[cfg(test)]
mod tests;

pub use binning::BinningMemoryResource;
pub use cpu::CpuMemoryResource;
pub use cuda::{
    CudaAsyncMemoryResource, CudaMemoryResource, ManagedMemoryResource, PinnedHostMemoryResource,
};
pub(crate) use current::generation;
pub use current::{current_resource, reset_current_resource, set_current_resource};
pub use failure_callback::FailureCallbackResourceAdaptor;
pub use fixed_size::FixedSizeMemoryResource;
pub(crate) use foreign::ForeignMemory;
pub use limiting::LimitingResourceAdaptor;
pub use logging::LoggingResourceAdaptor;
pub use pool::PoolMemoryResource;
pub use prefetch::PrefetchResourceAdaptor;
pub use statistics::{Counter, Statistics, StatisticsResourceAdaptor};
pub use tracked::Tracked;
pub use tracking::{Allocation, TrackingResourceAdaptor};

use std::panic::RefUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::stream::Stream;

/// Gives host memory that is kept for reuse back to the system, and what the system's allocator has free.
pub fn trim() {
    CpuMemoryResource::trim();
}

/// Every allocation starts at a multiple of this many bytes.
pub const ALIGNMENT: usize = 64;

/// A resource that may be shared.
pub type SharedResource = Arc<dyn MemoryResource>;

/// Hands out memory and takes it back, in the order of streams.
///
/// A block may be used by work given to `stream` after `allocate` returned. It may be given back on
/// any stream that comes after the last use of it; a later `allocate` hands it out to other streams
/// only once that stream has got there.
pub trait MemoryResource: Send + Sync + RefUnwindSafe {
    /// `bytes` of uninitialised memory, aligned to [`ALIGNMENT`]; usable on `stream`.
    ///
    /// Fails with [`ErrorKind::OutOfMemory`] and a message that says how much was asked for, how
    /// much is in use and what the limit is.
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>>;

    /// Takes a block back.
    ///
    /// # Safety
    /// `ptr` came from `allocate(bytes, ..)` of this resource and is not used by work given to
    /// `stream` afterwards.
    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream);

    /// The device the memory lives on: memory of [`Device::Cpu`] can be read and written by the host.
    fn device(&self) -> Device;

    /// The name of the type, for messages.
    fn name(&self) -> &'static str;
}

/// What `allocate(0, ..)` returns: an address that is never read, and that `deallocate` ignores.
pub(crate) const NO_BYTES: NonNull<u8> = match NonNull::new(std::ptr::without_provenance_mut(ALIGNMENT)) {
    Some(ptr) => ptr,
    None => unreachable!(),
};

/// The error of a resource that has no more to give.
#[cold]
pub(crate) fn exhausted(
    resource: &dyn MemoryResource,
    bytes: usize,
    in_use: usize,
    limit: Option<usize>,
) -> Error {
    let limit = limit.map_or_else(String::new, |limit| format!(" of at most {limit}"));
    Error::new(
        ErrorKind::OutOfMemory,
        format!(
            "cannot allocate {bytes} bytes on {}: {in_use} bytes in use{limit} ({})",
            resource.device(),
            resource.name()
        ),
    )
}
