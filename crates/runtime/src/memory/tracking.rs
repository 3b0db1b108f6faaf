//! Knowing every outstanding allocation and where it came from.

use std::backtrace::Backtrace;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ptr::NonNull;
use std::sync::Arc;

use super::{MemoryResource, SharedResource};
use crate::device::Device;
use crate::error::Result;
use crate::fork::{Mutex, MutexGuard};
use crate::log;
use crate::stream::Stream;

/// Remembers allocations not given back, to find leaks.
pub struct TrackingResourceAdaptor {
    upstream: SharedResource,
    capture_stacks: bool,
    allocations: Mutex<BTreeMap<usize, Allocation>>,
}

/// An outstanding allocation.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Its address.
    pub address: usize,
    /// Its size.
    pub bytes: usize,
    /// The calls that led to it, where stacks are captured.
    pub stack: Option<Arc<Backtrace>>,
}

impl TrackingResourceAdaptor {
    /// Tracks the allocations of `upstream`; with `capture_stacks`, also their call stacks, which
    /// cost some microseconds each.
    pub fn new(upstream: SharedResource, capture_stacks: bool) -> Self {
        Self { upstream, capture_stacks, allocations: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Allocation>> {
        self.allocations.lock()
    }

    /// The outstanding allocations, by address.
    pub fn outstanding(&self) -> Vec<Allocation> {
        self.lock().values().cloned().collect()
    }

    /// Bytes of the outstanding allocations.
    pub fn allocated_bytes(&self) -> usize {
        self.lock().values().map(|a| a.bytes).sum()
    }

    /// The outstanding allocations as text, one paragraph each; empty when there are none.
    pub fn report(&self) -> String {
        let mut text = String::new();
        for Allocation { address, bytes, stack } in self.outstanding() {
            let _ = writeln!(text, "{address:#x}: {bytes} bytes");
            if let Some(stack) = stack {
                let _ = writeln!(text, "{stack}");
            }
        }
        text
    }
}

impl MemoryResource for TrackingResourceAdaptor {
    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        let ptr = self.upstream.allocate(bytes, stream)?;
        if bytes > 0 {
            let address = ptr.as_ptr() as usize;
            let stack = self.capture_stacks.then(|| Arc::new(Backtrace::force_capture()));
            self.lock().insert(address, Allocation { address, bytes, stack });
        }
        Ok(ptr)
    }

    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize, stream: &Stream) {
        if bytes > 0 {
            match self.lock().remove(&(ptr.as_ptr() as usize)) {
                Some(allocation) if allocation.bytes == bytes => {}
                Some(allocation) => log::error!(
                    "{ptr:p} was allocated with {} bytes and freed with {bytes}",
                    allocation.bytes
                ),
                None => log::error!("{ptr:p} ({bytes} bytes) was freed but is not allocated"),
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { self.upstream.deallocate(ptr, bytes, stream) };
    }

    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn name(&self) -> &'static str {
        "TrackingResourceAdaptor"
    }
}

impl Drop for TrackingResourceAdaptor {
    fn drop(&mut self) {
        let (bytes, count) = (self.allocated_bytes(), self.lock().len());
        if count > 0 {
            log::warn!("{count} allocations of {bytes} bytes in all were never given back");
        }
    }
}
