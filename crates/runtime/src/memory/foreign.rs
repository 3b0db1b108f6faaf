//! Memory that somebody else owns, as a resource of one block.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;

use super::MemoryResource;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::log;
use crate::stream::Stream;

/// Keeps the owner of one block alive; gives nothing out and takes nothing back.
pub(crate) struct ForeignMemory {
    device: Device,
    _keep_alive: AssertUnwindSafe<Box<dyn Any + Send + Sync>>,
}

impl ForeignMemory {
    pub(crate) fn new(device: Device, keep_alive: impl Any + Send + Sync) -> Self {
        Self { device, _keep_alive: AssertUnwindSafe(Box::new(keep_alive)) }
    }
}

impl MemoryResource for ForeignMemory {
    fn allocate(&self, bytes: usize, _: &Stream) -> Result<NonNull<u8>> {
        Err(Error::unsupported(format!("cannot allocate {bytes} bytes from memory of another library")))
    }

    /// Waits for work that uses the block: its owner knows nothing of our streams.
    unsafe fn deallocate(&self, _: NonNull<u8>, bytes: usize, stream: &Stream) {
        if let Err(error) = stream.synchronize() {
            log::error!(
                "{bytes} bytes of another library on {} are released after a failure: {error}",
                self.device
            );
        }
    }

    fn device(&self) -> Device {
        self.device
    }

    fn name(&self) -> &'static str {
        "ForeignMemory"
    }
}
