//! The narrow interface between the runtime and a CUDA driver.
//!
//! Two implementations: `cuda`, the one that NVIDIA's driver library offers, loaded at run time, and
//! [`emulator`], which runs on the host and exists everywhere. The ordinal of a device selects the
//! implementation, so that both can be at work in one process.

pub(crate) mod cuda;
mod devices;
pub mod emulator;
mod interface;
mod started;

use std::sync::OnceLock;

use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::fork;

pub(crate) use interface::Image;
pub use interface::{
    Driver, EventHandle, FunctionHandle, LaunchShape, MemoryKind, ModuleHandle, StreamHandle,
};
use started::forked;

/// NVIDIA's driver, loaded and checked on the first call.
pub(crate) fn cuda() -> Result<&'static dyn Driver> {
    static CUDA: OnceLock<std::result::Result<cuda::CudaDriver, String>> = OnceLock::new();
    let loaded = CUDA.get().unwrap_or_else(|| {
        let _section = fork::section();
        CUDA.get_or_init(cuda::CudaDriver::load)
    });
    match loaded {
        Ok(driver) if driver.is_inherited() => Err(forked()),
        Ok(driver) => Ok(driver),
        Err(why) => Err(Error::new(ErrorKind::Cuda, why.clone())),
    }
}

/// The driver that serves the CUDA device of this ordinal.
pub(crate) fn of(ordinal: u32) -> Result<&'static dyn Driver> {
    if !Device::Cuda(ordinal).is_emulated() {
        return cuda();
    }
    let emulator = emulator::Emulator::get();
    if emulator.is_inherited() { Err(forked()) } else { Ok(emulator) }
}
