//! Room for allocations: the bytes in use on each device while spilling is on, and the hook that moves memory out of the
//! way where they are too many.
//!
//! Allocations ask for room, and making room moves buffers, which are allocations: so this stands beneath
//! both, and the [manager](super::SpillManager) installs itself as the [`RoomMaker`].

use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use super::options::SpillOptions;
use crate::device::Device;
use crate::error::{ErrorKind, Result};
use crate::fork::{Mutex, RwLock};
use crate::memory::CpuMemoryResource;

/// Moves memory out of the way of allocations.
pub(super) trait RoomMaker: Sync {
    /// Moves memory of `device` away until it is within its limits. Memory that cannot move stays: limits are soft.
    fn keep_to_limits(&self, device: Device);

    /// Moves memory of `device` away for `bytes` that could not be allocated; whether any was moved.
    fn make_room(&self, device: Device, bytes: usize) -> bool;
}

/// Whether spilling is on: 0 until the environment was asked, then 1 for no and 2 for yes.
static STATE: AtomicU8 = AtomicU8::new(0);
/// The settings; `None` until the environment was asked.
static OPTIONS: RwLock<Option<SpillOptions>> = RwLock::new(None);
/// Bytes allocated on each device, of buffers and temporary memory alike.
static USAGE: Mutex<BTreeMap<Device, Usage>> = Mutex::new(BTreeMap::new());
static MAKER: OnceLock<&'static dyn RoomMaker> = OnceLock::new();

#[derive(Clone, Copy, Default)]
struct Usage {
    now: usize,
    peak: usize,
}

/// Has `maker` make room from now on; the first call counts.
pub(super) fn install(maker: &'static dyn RoomMaker) {
    let _ = MAKER.set(maker);
}

/// Whether memory made from now on is managed.
#[inline]
pub(super) fn is_enabled() -> bool {
    match STATE.load(Ordering::Relaxed) {
        0 => with_options(|options| options.enabled),
        state => state == 2,
    }
}

/// A look at the settings, at first those of the [environment](SpillOptions::from_environment).
pub(super) fn with_options<R>(look: impl FnOnce(&SpillOptions) -> R) -> R {
    if let Some(options) = &*OPTIONS.read() {
        return look(options);
    }
    // No lock is held: errors there are logged, which may call the program.
    let first = SpillOptions::from_environment();
    let mut options = OPTIONS.write();
    look(options.get_or_insert_with(|| {
        take_effect(&first);
        first
    }))
}

/// Changes the settings.
pub(super) fn set_options(options: SpillOptions) {
    let mut current = OPTIONS.write();
    take_effect(&options);
    *current = Some(options);
}

fn take_effect(options: &SpillOptions) {
    let of_host = [options.device_limit, options.host_limit].into_iter().flatten().min();
    CpuMemoryResource::keep_below(of_host.filter(|_| options.enabled));
    STATE.store(1 + u8::from(options.enabled), Ordering::Relaxed);
}

/// The limits of a device's columns, and of the host's memory if the device is the CPU.
pub(super) fn limits(device: Device) -> (Option<usize>, Option<usize>) {
    with_options(|options| (options.device_limit, options.host_limit.filter(|_| device == Device::Cpu)))
}

/// The devices that memory was allocated on while spilling was on.
pub(super) fn devices() -> Vec<Device> {
    USAGE.lock().keys().copied().collect()
}

/// Bytes in use on `device`.
pub(super) fn used(device: Device) -> usize {
    USAGE.lock().get(&device).map_or(0, |usage| usage.now)
}

/// The highest [`used`] since this was last called.
pub(super) fn take_peak(device: Device) -> usize {
    let mut usage = USAGE.lock();
    let usage = usage.entry(device).or_default();
    std::mem::replace(&mut usage.peak, usage.now)
}

/// The block that `allocate` gives, once there is room for it. Also whether it was counted, in which case
/// [`freed`] is to be told.
#[inline]
pub(crate) fn with_room(
    device: Device,
    bytes: usize,
    allocate: impl Fn() -> Result<NonNull<u8>>,
) -> Result<(NonNull<u8>, bool)> {
    if !is_enabled() {
        return Ok((allocate()?, false));
    }
    Ok((counted(device, bytes, &allocate)?, true))
}

/// [`with_room`] where spilling is on: memory that could not be had is tried for again as long as something is moved.
fn counted(device: Device, bytes: usize, allocate: &dyn Fn() -> Result<NonNull<u8>>) -> Result<NonNull<u8>> {
    // Counted first, so that threads that allocate at once know of each other.
    USAGE.lock().entry(device).or_default().now += bytes;
    // Before there is a manager there is nothing that could move.
    let maker = MAKER.get();
    if let Some(maker) = maker {
        maker.keep_to_limits(device);
    }
    loop {
        match allocate() {
            Err(error)
                if error.kind() == ErrorKind::OutOfMemory
                    && maker.is_some_and(|maker| maker.make_room(device, bytes)) => {}
            Err(error) => {
                freed(device, bytes);
                return Err(error);
            }
            given => {
                let mut usage = USAGE.lock();
                let usage = usage.entry(device).or_default();
                usage.peak = usage.peak.max(usage.now);
                return given;
            }
        }
    }
}

/// Takes memory that was counted off the account: it is given back.
pub(crate) fn freed(device: Device, bytes: usize) {
    if let Some(usage) = USAGE.lock().get_mut(&device) {
        usage.now = usage.now.saturating_sub(bytes);
    }
}
