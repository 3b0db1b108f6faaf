//! A last chance before an allocation fails.

use std::panic::RefUnwindSafe;
use std::ptr::NonNull;

use super::{MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::{ErrorKind, Result};
use crate::stream::Stream;

/// Calls back when memory is exhausted; the callback may free some and have it tried again.
pub struct FailureCallbackResourceAdaptor {
    upstream: SharedResource,
    callback: Box<Callback>,
}

type Callback = dyn Fn(usize) -> bool + Send + Sync + RefUnwindSafe;

impl FailureCallbackResourceAdaptor {
    /// If `upstream` has no memory left, calls `callback` with the bytes asked for and tries again for as
    /// long as it returns `true`. It runs on the thread that allocates, with no lock held, and may itself
    /// allocate and free.
    pub fn new(
        upstream: SharedResource,
        callback: impl Fn(usize) -> bool + Send + Sync + RefUnwindSafe + 'static,
    ) -> Self {
        Self { upstream, callback: Box::new(callback) }
    }
}

impl MemoryResource for FailureCallbackResourceAdaptor {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        loop {
            match self.upstream.allocate(bytes, stream) {
                Err(error) if error.kind() == ErrorKind::OutOfMemory && (self.callback)(bytes) => {}
                result => return result,
            }
        }
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "FailureCallbackResourceAdaptor"
    }
}
