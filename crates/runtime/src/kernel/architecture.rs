//! [`Architecture`]: the kinds of devices that machine code is made for.

use std::fmt;

use super::nvrtc;
use crate::device::Device;
use crate::driver::emulator::compile as emulator;
use crate::error::{Error, Result};

/// The kind of device that a kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// GPUs of a compute capability: 90 is 9.0.
    Sm(u32),
    /// The emulator's devices.
    Emulator,
}

impl Architecture {
    /// The architecture of a device; fails with [`Logic`](crate::ErrorKind::Logic) for the CPU.
    pub fn of(device: Device) -> Result<Self> {
        if device.is_emulated() {
            return Ok(Self::Emulator);
        }
        let (major, minor) = device
            .properties()?
            .compute_capability
            .ok_or_else(|| Error::logic(format!("{device} runs no kernels")))?;
        Ok(Self::Sm(major * 10 + minor))
    }

    pub(super) fn compiler_version(self) -> Result<String> {
        match self {
            Self::Sm(_) => nvrtc::version(),
            Self::Emulator => emulator::version(),
        }
    }

    /// Fails where no compiler at hand makes machine code for it.
    pub(super) fn check_known(self) -> Result<()> {
        if let Self::Sm(number) = self
            && !nvrtc::architectures()?.contains(&number)
        {
            return Err(Error::invalid_argument(format!(
                "architecture {self} is unknown to {}, which knows {:?}",
                nvrtc::version()?,
                nvrtc::architectures()?
            )));
        }
        Ok(())
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sm(number) => write!(f, "sm_{number}"),
            Self::Emulator => f.write_str("emulator"),
        }
    }
}
