//! Streams: the order of work on a device.

use crate::device::Device;
use crate::error::Result;

/// A queue of work on one device. On the CPU it is immediate: a call returns when its work is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    device: Device,
}

impl Stream {
    /// The stream of the CPU.
    pub const fn cpu() -> Self {
        Self { device: Device::Cpu }
    }

    /// The device the stream belongs to.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Waits until all work given to the stream is done.
    pub fn synchronize(&self) -> Result<()> {
        Ok(())
    }
}
