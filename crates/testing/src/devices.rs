//! The devices that one body of a test runs on.

use std::sync::Arc;

use cuprum_runtime::driver::emulator::Emulator;
use cuprum_runtime::memory::{CudaAsyncMemoryResource, SharedResource, Tracked};
use cuprum_runtime::{CpuMemoryResource, Device};

/// The CPU, the GPUs where there are any, and the emulator in [all the ways](Emulator::ways_of_tests) in which
/// tests run kernels, whose settings hold from when a context is handed out. A test fails where memory of a
/// context is never given back.
pub fn contexts() -> impl Iterator<Item = Tracked> {
    Device::all().into_iter().chain(Emulator::ways_of_tests().map(|()| Device::EMULATOR)).map(|device| {
        let resource: SharedResource = match device {
            Device::Cpu => CpuMemoryResource::global(),
            Device::Cuda(_) => Arc::new(CudaAsyncMemoryResource::new(device, None).expect("there is memory")),
        };
        Tracked::new(resource).expect("the device works")
    })
}
