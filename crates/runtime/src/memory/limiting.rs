//! A limit on the memory of a resource.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::resource::exhausted;
use super::{MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::Result;
use crate::stream::Stream;

/// Refuses allocations that would bring the bytes in use above a limit.
pub struct LimitingResourceAdaptor {
    upstream: SharedResource,
    limit: usize,
    in_use: AtomicUsize,
}

impl LimitingResourceAdaptor {
    /// At most `limit` bytes of `upstream` at a time.
    pub fn new(upstream: SharedResource, limit: usize) -> Self {
        Self { upstream, limit, in_use: AtomicUsize::new(0) }
    }

    /// Bytes handed out.
    pub fn allocated_bytes(&self) -> usize {
        self.in_use.load(Ordering::Relaxed)
    }

    /// The limit in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }
}

impl MemoryResource for LimitingResourceAdaptor {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        let fits = |in_use: usize| in_use.checked_add(bytes).filter(|&after| after <= self.limit);
        self.in_use
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits)
            .map_err(|in_use| exhausted(self, bytes, in_use, Some(self.limit)))?;
        self.upstream.allocate(bytes, stream).inspect_err(|_| {
            self.in_use.fetch_sub(bytes, Ordering::Relaxed);
        })
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
        self.in_use.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "LimitingResourceAdaptor"
    }
}
