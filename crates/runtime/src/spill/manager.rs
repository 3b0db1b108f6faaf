//! [`SpillManager`]: settings, limits, and the choice of the memory that is moved next.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::movable::{self, Movable};
use super::options::SpillOptions;
use super::room::{self, RoomMaker};
use super::statistics::{self, SpillStatistics, Tier};
use super::tiers;
use crate::device::Device;
use crate::error::{Error, Result, ResultExt};
use crate::fork::{self, Mutex};
use crate::log;

/// Knows all memory that can be moved, and moves it. There is one, [`global`](Self::global).
pub struct SpillManager {
    /// Held by those who change some settings and keep the others.
    changing: Mutex<()>,
    /// Held while settings take effect.
    taking: Mutex<()>,
}

/// Bytes of one device that are in one tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierUse {
    /// The device whose columns they are.
    pub device: Device,
    /// The tier of the bytes.
    pub tier: Tier,
    /// The number of bytes.
    pub bytes: usize,
}

/// One allocation that the manager knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManagedBuffer {
    /// The device whose columns it holds.
    pub device: Device,
    /// The tier of the bytes.
    pub tier: Tier,
    /// The number of bytes.
    pub bytes: usize,
    /// Whether it can be moved at this moment: nobody has it in use, and it was not exposed.
    pub is_spillable: bool,
    /// When it was last used, by a clock that counts uses.
    pub last_use: u64,
}

type Move = fn(&Movable) -> Result<usize>;

impl SpillManager {
    /// The manager of the process, at first with what the [environment](SpillOptions::from_environment)
    /// says.
    pub fn global() -> &'static Self {
        static MANAGER: OnceLock<SpillManager> = OnceLock::new();
        let begin = || {
            let directory = room::with_options(|options| options.directory.clone());
            if let Err(error) = tiers::set_directory(directory.as_deref()) {
                log::error!("spilling is off: {error}");
                room::set_options(SpillOptions::default());
            }
            SpillManager { changing: Mutex::default(), taking: Mutex::default() }
        };
        MANAGER.get().unwrap_or_else(|| {
            let _section = fork::section();
            let manager = MANAGER.get_or_init(begin);
            room::install(manager);
            manager
        })
    }

    // Settings.

    /// The settings.
    pub fn options(&self) -> SpillOptions {
        room::with_options(SpillOptions::clone)
    }

    /// Changes the settings, and spills memory over new limits.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a level of statistics above 2, with
    /// [`Io`](crate::ErrorKind::Io) where the directory is not there or cannot be written to; then nothing is
    /// changed.
    pub fn set_options(&self, options: SpillOptions) -> Result<()> {
        self.take_options(options)?;
        for device in room::devices() {
            self.keep_to_limits(device);
        }
        Ok(())
    }

    /// [`set_options`](Self::set_options) of those that are set with a change; no other is made meanwhile.
    pub fn change_options(&self, change: impl FnOnce(&mut SpillOptions)) -> Result<()> {
        let _changing = self.changing.lock();
        let mut options = self.options();
        change(&mut options);
        self.set_options(options)
    }

    fn take_options(&self, options: SpillOptions) -> Result<()> {
        if options.statistics_level > 2 {
            let level = options.statistics_level;
            return Err(Error::invalid_argument(format!("`spill_stats` is {level}; levels are 0, 1 and 2")));
        }
        let _taking = self.taking.lock();
        let current = self.options();
        if options.directory != current.directory {
            tiers::set_directory(options.directory.as_deref())?;
        }
        let has_other_limit = options.host_limit != current.host_limit;
        room::set_options(options);
        if has_other_limit {
            tiers::renew_pools();
        }
        Ok(())
    }

    /// Whether memory made from now on is managed.
    pub fn is_enabled(&self) -> bool {
        room::is_enabled()
    }

    /// The limit of memory for work on `device`, in bytes.
    pub fn budget(&self, device: Device) -> Option<usize> {
        let (on_device, on_host) = room::limits(device);
        on_device.into_iter().chain(on_host).min()
    }

    // Contents.

    /// Every allocation that can be moved, in no order.
    pub fn buffers(&self) -> Vec<ManagedBuffer> {
        let describe = |movable: Arc<Movable>| ManagedBuffer {
            device: movable.device(),
            tier: movable.tier(),
            bytes: movable.len(),
            is_spillable: movable.is_idle(),
            last_use: movable.last_use(),
        };
        movable::all().into_iter().map(describe).collect()
    }

    /// Bytes of columns by device and tier.
    pub fn usage_by_tier(&self) -> Vec<TierUse> {
        let mut sums = BTreeMap::new();
        for buffer in self.buffers() {
            *sums.entry((buffer.device, buffer.tier)).or_insert(0) += buffer.bytes;
        }
        sums.into_iter().map(|((device, tier), bytes)| TierUse { device, tier, bytes }).collect()
    }

    /// Bytes allocated on `device` while spilling was on, temporary memory included; on the CPU also what
    /// GPUs spilled there.
    pub fn used(&self, device: Device) -> usize {
        room::used(device)
    }

    /// The highest [`used`](Self::used) since this was last called.
    pub fn take_peak(&self, device: Device) -> usize {
        room::take_peak(device)
    }

    // Moves.

    /// Moves columns of `device` out of its memory, least recently used first, until `bytes` are free or
    /// nothing more can be moved; gives the bytes that are free now.
    ///
    /// Columns that cannot be moved stay where they were, with [`Io`](crate::ErrorKind::Io) if the disk is full. That is
    /// an error where nothing else could be moved either, and logged otherwise.
    pub fn spill_device_memory(&self, device: Device, bytes: usize) -> Result<usize> {
        if device == Device::Cpu {
            return spill_host_memory(bytes);
        }
        spill_least_recent(bytes, |movable| (movable.device() == device).then_some(Movable::spill as Move))
    }

    /// [`spill_device_memory`](Self::spill_device_memory) of memory over `limit`; without one, over those of
    /// the options.
    pub fn spill_to_device_limit(&self, device: Device, limit: Option<usize>) -> Result<usize> {
        let (on_device, on_host) = room::limits(device);
        spill_to_limits(device, limit.or(on_device), on_host)
    }

    // Statistics.

    /// The counts so far.
    pub fn statistics(&self) -> SpillStatistics {
        statistics::statistics()
    }

    /// Forgets the counts.
    pub fn reset_statistics(&self) {
        statistics::reset();
    }
}

impl RoomMaker for SpillManager {
    fn keep_to_limits(&self, device: Device) {
        let (on_device, on_host) = room::limits(device);
        let moved = spill_to_limits(device, on_device, on_host);
        if let Err(error) = moved {
            log::warn!("{device} goes over its limit: {error}");
        }
    }

    fn make_room(&self, device: Device, bytes: usize) -> bool {
        if !room::with_options(|options| options.on_demand) {
            return false;
        }
        let freed = self.spill_device_memory(device, bytes).and_then(|freed| {
            // Memory freed in the order of streams is there for all of them once they are done.
            for movable in movable::all().iter().filter(|movable| movable.device() == device && freed > 0) {
                movable.settle()?;
            }
            Ok(freed)
        });
        match freed {
            Ok(freed) => freed > 0,
            Err(error) => {
                log::warn!("nothing can be spilled for {bytes} bytes on {device}: {error}");
                false
            }
        }
    }
}

/// Moves memory of `device` that is over the limits; gives the bytes that were moved.
fn spill_to_limits(device: Device, on_device: Option<usize>, on_host: Option<usize>) -> Result<usize> {
    // Memory that GPUs have spilled to the host is not the CPU's own.
    let of_gpus = if device == Device::Cpu { tiers::spilled_to_host() } else { 0 };
    let over = |limit: Option<usize>, but: usize| {
        limit.map_or(0, |limit| room::used(device).saturating_sub(but).saturating_sub(limit))
    };
    let own = |movable: &Movable| (movable.device() == device).then_some(Movable::spill as Move);
    let moved = spill_least_recent(over(on_device, of_gpus), own)?;
    Ok(moved + spill_host_memory(over(on_host, 0))?)
}

/// Moves host memory to disk: memory that GPUs spilled and columns of the CPU.
fn spill_host_memory(bytes: usize) -> Result<usize> {
    spill_least_recent(bytes, |movable| {
        Some(if movable.device() == Device::Cpu { Movable::spill as Move } else { Movable::spill_to_disk })
    })
}

/// Moves allocations for which `how` returns a move, least recently used first.
fn spill_least_recent(bytes: usize, how: impl Fn(&Movable) -> Option<Move>) -> Result<usize> {
    if bytes == 0 {
        return Ok(0);
    }
    // Not kept alive meanwhile: dropped memory need not be moved.
    let candidates = movable::all()
        .into_iter()
        .filter_map(|movable| Some((movable.last_use(), how(&movable)?, Arc::downgrade(&movable))));
    let mut candidates: Vec<_> = candidates.collect();
    candidates.sort_by_key(|(last_use, ..)| *last_use);
    let (mut freed, mut failed) = (0, None);
    for (_, spill, movable) in candidates {
        if freed >= bytes {
            break;
        }
        let Some(movable) = movable.upgrade() else { continue };
        match spill(&movable).context(|| format!("spilling {} bytes", movable.len())) {
            Ok(bytes) => freed += bytes,
            // Others may be small enough.
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        Some(error) if freed == 0 => Err(error),
        Some(error) => {
            log::warn!("{error}");
            Ok(freed)
        }
        None => Ok(freed),
    }
}
