//! The devices that one body of a test runs on.

use std::sync::Arc;

use cuprum_runtime::driver::emulator::Emulator;
use cuprum_runtime::memory::{CudaAsyncMemoryResource, SharedResource, Tracked};
use cuprum_runtime::{CpuMemoryResource, Device};

/// The CPU, the GPUs where there are any, and the emulator in [all the ways](Emulator::ways_of_tests) in which
/// tests run kernels, whose settings hold from when a context is handed out. A test fails where memory of a
/// context is never given back.
pub fn contexts() -> impl Iterator<Item = Tracked> {
    contexts_in_shares().map(|(ctx, _)| ctx)
}

/// The [contexts] for a test of many like cases, each with those of them that it is for.
pub fn contexts_in_shares() -> impl Iterator<Item = (Tracked, Share)> {
    let devices = Device::all().into_iter().map(|device| (device, false));
    let emulated = Emulator::ways_of_tests().map(|race_check| (Device::EMULATOR, race_check));
    devices.chain(emulated).enumerate().map(|(turn, (device, race_check))| {
        let resource: SharedResource = match device {
            Device::Cpu => CpuMemoryResource::global(),
            Device::Cuda(_) => Arc::new(CudaAsyncMemoryResource::new(device, None).expect("there is memory")),
        };
        (Tracked::new(resource).expect("the device works"), Share(race_check.then_some(turn)))
    })
}

/// A context's share of many like cases: all of them, but under the race check, which is slow, every second
/// one, other ones for each schedule.
#[derive(Clone, Copy)]
pub struct Share(Option<usize>);

impl Share {
    /// All cases.
    pub const ALL: Self = Self(None);

    /// Whether the case of this number is among them.
    pub fn has(self, case: usize) -> bool {
        // One of each pair, now the first, now the second: cases that come in pairs would always be the same of the two.
        self.0.is_none_or(|turn| (case + case / 2 + turn).is_multiple_of(2))
    }
}
