//! The devices that one body of a test runs on.

use std::sync::Arc;

use cuprum_runtime::driver::emulator::{Emulator, Schedule};
use cuprum_runtime::memory::{CudaAsyncMemoryResource, SharedResource, Tracked};
use cuprum_runtime::{CpuMemoryResource, Device};

/// The CPU, the GPUs where there are any, and the emulator: as it is, and under the race check with its
/// threads in order, in reverse, and at random with as many seeds as `CUPRUM_EMULATOR_SEEDS` says (1). Its
/// settings hold from when a context is handed out. A test fails where memory of a context is never given
/// back.
pub fn contexts() -> impl Iterator<Item = Tracked> {
    let seeds = std::env::var("CUPRUM_EMULATOR_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number"));
    let checked = [Schedule::Fifo, Schedule::Reverse].into_iter().chain((1..=seeds).map(Schedule::Random));
    let emulated = std::iter::once((Schedule::Fifo, false)).chain(checked.map(|schedule| (schedule, true)));
    let devices = Device::all().into_iter().map(|device| (device, None));
    devices.chain(emulated.map(|settings| (Device::EMULATOR, Some(settings)))).map(|(device, settings)| {
        if let Some((schedule, race_check)) = settings {
            Emulator::set_schedule(schedule);
            Emulator::set_race_check(race_check);
        }
        let resource: SharedResource = match device {
            Device::Cpu => CpuMemoryResource::global(),
            Device::Cuda(_) => Arc::new(CudaAsyncMemoryResource::new(device, None).expect("there is memory")),
        };
        Tracked::new(resource).expect("the device works")
    })
}
