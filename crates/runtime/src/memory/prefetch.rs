//! Managed memory that is on the device before it is used.

use std::ptr::NonNull;

use super::{MemoryResource, SharedResource};
use crate::device::Device;
use crate::driver;
use crate::error::Result;
use crate::log;
use crate::stream::Stream;

/// Moves each block of managed memory to the GPU when it is allocated, so that the first kernel that
/// writes to it meets no page faults.
pub struct PrefetchResourceAdaptor {
    upstream: SharedResource,
}

impl PrefetchResourceAdaptor {
    /// In front of a [`ManagedMemoryResource`](super::ManagedMemoryResource), or of others that take
    /// their memory from one. Other memory is handed on as it is.
    pub fn new(upstream: SharedResource) -> Self {
        Self { upstream }
    }
}

impl MemoryResource for PrefetchResourceAdaptor {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        let ptr = self.upstream.allocate(bytes, stream)?;
        if bytes > 0
            && let (Device::Cuda(ordinal), Some((_, _, on))) = (self.device(), stream.driver())
        {
            // SAFETY: the range is the block just handed out.
            let moved = unsafe { driver::of(ordinal)?.prefetch(ordinal, ptr, bytes, on) };
            // It is an optimisation: without it the memory works as well.
            if let Err(error) = moved {
                log::info!("{bytes} bytes were not prefetched to {}: {error}", self.device());
            }
        }
        Ok(ptr)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "PrefetchResourceAdaptor"
    }
}
