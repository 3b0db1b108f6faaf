//! [`SpillManager`]: which memory is known, how much there may be, and what goes next.

use std::backtrace::Backtrace;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

use super::STATE;
use super::disk::{Extent, SpillFile};
use super::movable::{self, Movable, Place};
use super::options::SpillOptions;
use super::statistics::{SpillStatistics, Tier};
use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::fork::{self, Mutex, RwLock};
use crate::log;
use crate::memory::{CpuMemoryResource, PinnedHostMemoryResource, PoolMemoryResource, SharedResource};
use crate::stream::Stream;

/// Knows all memory that can be moved, and moves it. There is one, [`global`](Self::global).
pub struct SpillManager {
    options: RwLock<SpillOptions>,
    changing: Mutex<()>,
    movables: Mutex<HashMap<u64, Weak<Movable>>>,
    next_id: AtomicU64,
    clock: AtomicU64,
    /// Bytes allocated on each device, of buffers and temporary memory alike.
    usage: Mutex<BTreeMap<Device, Usage>>,
    /// Those of them in host memory that GPUs have spilled.
    spilled_to_host: AtomicUsize,
    /// Page-locked host memory for each GPU.
    host_resources: Mutex<HashMap<Device, SharedResource>>,
    file: Mutex<Option<Arc<SpillFile>>>,
    statistics_level: AtomicU8,
    statistics: Mutex<SpillStatistics>,
}

#[derive(Clone, Copy, Default)]
struct Usage {
    now: usize,
    peak: usize,
}

/// Bytes of one device that are in one tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierUse {
    /// The device whose columns they are.
    pub device: Device,
    /// Where they are.
    pub tier: Tier,
    /// How many.
    pub bytes: usize,
}

/// One allocation that the manager knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManagedBuffer {
    /// The device whose columns it holds.
    pub device: Device,
    /// Where the bytes are.
    pub tier: Tier,
    /// How many.
    pub bytes: usize,
    /// Whether it can be moved at this moment: nobody has it in use, and it was not exposed.
    pub is_spillable: bool,
    /// When it was last used, by a clock that counts uses.
    pub last_use: u64,
}

static TRACEBACK_HOOK: OnceLock<fn() -> Option<String>> = OnceLock::new();

/// Has the frames of another language added to those that expose memory; the first call counts.
pub fn set_traceback_hook(hook: fn() -> Option<String>) {
    let _ = TRACEBACK_HOOK.set(hook);
}

/// How much of a GPU's memory is in host memory at a time on its way from or to a file.
pub(super) const PIECE: usize = 16 << 20;

type Move = fn(&Movable) -> Result<usize>;

impl SpillManager {
    /// The manager of the process, at first with what the [environment](SpillOptions::from_environment)
    /// says.
    pub fn global() -> &'static Self {
        static MANAGER: OnceLock<SpillManager> = OnceLock::new();
        let begin = || {
            let manager = SpillManager {
                options: RwLock::default(),
                changing: Mutex::default(),
                movables: Mutex::default(),
                next_id: AtomicU64::new(0),
                clock: AtomicU64::new(0),
                usage: Mutex::default(),
                spilled_to_host: AtomicUsize::new(0),
                host_resources: Mutex::default(),
                file: Mutex::default(),
                statistics_level: AtomicU8::new(0),
                statistics: Mutex::default(),
            };
            if let Err(error) = manager.take_options(SpillOptions::from_environment()) {
                log::error!("spilling is off: {error}");
                let off = SpillOptions::default();
                manager.take_options(off).unwrap_or_else(|error| log::error!("{error}"));
            }
            manager
        };
        MANAGER.get().unwrap_or_else(|| {
            let _section = fork::section();
            MANAGER.get_or_init(begin)
        })
    }

    // Settings.

    /// The settings.
    pub fn options(&self) -> SpillOptions {
        self.options.read().clone()
    }

    /// Changes the settings, and spills what is over new limits.
    ///
    /// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) for a level of statistics above 2, with
    /// [`Io`](ErrorKind::Io) where the directory is not there or cannot be written to; then nothing is
    /// changed.
    pub fn set_options(&self, options: SpillOptions) -> Result<()> {
        self.take_options(options)?;
        for device in self.devices() {
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
        let mut current = self.options.write();
        if options.directory != current.directory {
            // Tried now rather than when memory is short.
            let file = options.directory.as_deref().map(SpillFile::open).transpose()?;
            *self.file.lock() = file;
        }
        if options.host_limit != current.host_limit {
            // Pools of page-locked memory grow up to the limit and do not shrink: new ones are made.
            self.host_resources.lock().clear();
        }
        let of_host = [options.device_limit, options.host_limit].into_iter().flatten().min();
        CpuMemoryResource::keep_below(of_host.filter(|_| options.enabled));
        self.statistics_level.store(options.statistics_level, Ordering::Relaxed);
        self.statistics.lock().level = options.statistics_level;
        STATE.store(1 + u8::from(options.enabled), Ordering::Relaxed);
        *current = options;
        Ok(())
    }

    /// Whether memory made from now on is managed.
    pub fn is_enabled(&self) -> bool {
        STATE.load(Ordering::Relaxed) == 2
    }

    /// How many bytes of memory work on `device` is to stay within.
    pub fn budget(&self, device: Device) -> Option<usize> {
        let (on_device, on_host) = self.limits(device);
        on_device.into_iter().chain(on_host).min()
    }

    // What there is.

    /// Every allocation that can be moved, in no order.
    pub fn buffers(&self) -> Vec<ManagedBuffer> {
        let describe = |movable: Arc<Movable>| ManagedBuffer {
            device: movable.device(),
            tier: movable.tier(),
            bytes: movable.len(),
            is_spillable: movable.is_idle(),
            last_use: movable.last_use(),
        };
        self.all().into_iter().map(describe).collect()
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
        self.usage.lock().get(&device).map_or(0, |usage| usage.now)
    }

    /// The highest [`used`](Self::used) since this was last called.
    pub fn take_peak(&self, device: Device) -> usize {
        let mut usage = self.usage.lock();
        let usage = usage.entry(device).or_default();
        std::mem::replace(&mut usage.peak, usage.now)
    }

    fn devices(&self) -> Vec<Device> {
        self.usage.lock().keys().copied().collect()
    }

    fn all(&self) -> Vec<Arc<Movable>> {
        self.movables.lock().values().filter_map(Weak::upgrade).collect()
    }

    // Buffers come and go.

    pub(crate) fn manage(&'static self, memory: DeviceBuffer) -> Arc<Movable> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let movable = Arc::new(Movable::new(memory, self, id));
        self.movables.lock().insert(id, Arc::downgrade(&movable));
        movable
    }

    pub(super) fn forget(&self, id: u64) {
        self.movables.lock().remove(&id);
    }

    /// The time of a use.
    pub(super) fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    // Room.

    /// What `allocate` gives, after room was made for it; memory that could not be had is tried for again
    /// as long as something can be spilled, if the options say so.
    pub(super) fn with_room(
        &self,
        device: Device,
        bytes: usize,
        allocate: &dyn Fn() -> Result<NonNull<u8>>,
    ) -> Result<NonNull<u8>> {
        // Counted first, so that threads that allocate at once know of each other.
        self.count(device, bytes);
        self.keep_to_limits(device);
        loop {
            match allocate() {
                Err(error)
                    if error.kind() == ErrorKind::OutOfMemory && self.spill_on_demand(device, bytes) => {}
                Err(error) => {
                    self.freed(device, bytes);
                    return Err(error);
                }
                given => {
                    let mut usage = self.usage.lock();
                    let usage = usage.entry(device).or_default();
                    usage.peak = usage.peak.max(usage.now);
                    return given;
                }
            }
        }
    }

    fn count(&self, device: Device, bytes: usize) {
        self.usage.lock().entry(device).or_default().now += bytes;
    }

    pub(super) fn freed(&self, device: Device, bytes: usize) {
        if let Some(usage) = self.usage.lock().get_mut(&device) {
            usage.now = usage.now.saturating_sub(bytes);
        }
    }

    /// Spills what is over the limits. What cannot be spilled stays: the limits are soft.
    fn keep_to_limits(&self, device: Device) {
        let (on_device, on_host) = self.limits(device);
        let moved = self.spill_to_limits(device, on_device, on_host);
        if let Err(error) = moved {
            log::warn!("{device} goes over its limit: {error}");
        }
    }

    /// The limits of a device's columns, and of the host's memory if the device is the CPU.
    fn limits(&self, device: Device) -> (Option<usize>, Option<usize>) {
        let options = self.options.read();
        (options.device_limit, options.host_limit.filter(|_| device == Device::Cpu))
    }

    fn spill_to_limits(
        &self,
        device: Device,
        on_device: Option<usize>,
        on_host: Option<usize>,
    ) -> Result<usize> {
        // What GPUs have spilled to the host is not the CPU's own.
        let of_gpus = if device == Device::Cpu { self.spilled_to_host.load(Ordering::Relaxed) } else { 0 };
        let over = |limit: Option<usize>, but: usize| {
            limit.map_or(0, |limit| self.used(device).saturating_sub(but).saturating_sub(limit))
        };
        let own = |movable: &Movable| (movable.device() == device).then_some(Movable::spill as Move);
        let moved = self.spill_least_recent(over(on_device, of_gpus), own)?;
        Ok(moved + self.spill_host_memory(over(on_host, 0))?)
    }

    /// Whether something was spilled for an allocation that failed.
    fn spill_on_demand(&self, device: Device, bytes: usize) -> bool {
        if !self.options.read().on_demand {
            return false;
        }
        let freed = self.spill_device_memory(device, bytes).and_then(|freed| {
            // What was freed in the order of streams is there for all of them once they are done.
            for movable in self.all().iter().filter(|movable| movable.device() == device && freed > 0) {
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

    /// Moves columns of `device` out of its memory, least recently used first, until `bytes` are free or
    /// nothing more can be moved; gives the bytes that are free now.
    ///
    /// What cannot be moved, with [`Io`](ErrorKind::Io) if the disk is full, stays where it was; that is an
    /// error where nothing else could be moved either, and logged otherwise.
    pub fn spill_device_memory(&self, device: Device, bytes: usize) -> Result<usize> {
        if device == Device::Cpu {
            return self.spill_host_memory(bytes);
        }
        self.spill_least_recent(bytes, |movable| {
            (movable.device() == device).then_some(Movable::spill as Move)
        })
    }

    /// [`spill_device_memory`](Self::spill_device_memory) of what is over `limit`; without one, over those of
    /// the options.
    pub fn spill_to_device_limit(&self, device: Device, limit: Option<usize>) -> Result<usize> {
        let (on_device, on_host) = self.limits(device);
        self.spill_to_limits(device, limit.or(on_device), on_host)
    }

    /// Moves host memory to disk: what GPUs spilled and columns of the CPU.
    fn spill_host_memory(&self, bytes: usize) -> Result<usize> {
        self.spill_least_recent(bytes, |movable| {
            Some(if movable.device() == Device::Cpu {
                Movable::spill as Move
            } else {
                Movable::spill_to_disk
            })
        })
    }

    /// Moves what `how` has a way for, least recently used first.
    fn spill_least_recent(&self, bytes: usize, how: impl Fn(&Movable) -> Option<Move>) -> Result<usize> {
        if bytes == 0 {
            return Ok(0);
        }
        // Not kept alive meanwhile: what is dropped need not be moved.
        let candidates = self
            .all()
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

    // Moves. Where one fails, both ends are as they were.

    /// The bytes of memory at home, in the next tier.
    pub(super) fn away(&'static self, memory: &DeviceBuffer) -> Result<Place> {
        if memory.device() == Device::Cpu {
            return self.to_disk(memory).map(Place::Disk);
        }
        let (_, on_host) = self.limits(Device::Cpu);
        let fits = on_host.is_none_or(|limit| memory.len() <= limit);
        let host = if fits { self.to_host(memory) } else { Err(Error::new(ErrorKind::OutOfMemory, "")) };
        match host {
            Ok(host) => Ok(Place::Host(host)),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => self.to_disk(memory).map(Place::Disk),
            Err(error) => Err(error),
        }
    }

    fn to_host(&'static self, memory: &DeviceBuffer) -> Result<HostCopy> {
        self.timed((Tier::Gpu, Tier::Cpu), memory.len(), || {
            let ctx = Context::new(Stream::cpu(), self.host_resource(memory.device())?);
            let mut host = HostCopy::uninit(memory.len(), &ctx, self)?;
            host.memory.copy_range_from(0, memory, 0..memory.len())?;
            if self.statistics_level.load(Ordering::Relaxed) > 0 {
                // Seconds can only be told by waiting.
                host.memory.as_host_slice()?;
            }
            Ok(host)
        })
    }

    /// The bytes of memory of any device, on disk.
    fn to_disk(&self, memory: &DeviceBuffer) -> Result<Extent> {
        self.timed((Tier::of(memory.device()), Tier::Disk), memory.len(), || {
            let file = self.file()?;
            if memory.device() == Device::Cpu {
                return file.write(memory.as_host_slice()?);
            }
            let mut writer = file.writer(memory.len())?;
            let mut piece = vec![0; memory.len().min(PIECE)];
            for at in (0..memory.len()).step_by(PIECE) {
                let piece = &mut piece[..PIECE.min(memory.len() - at)];
                memory.copy_range_to_host(at, piece)?;
                writer.append(piece)?;
            }
            writer.finish()
        })
    }

    /// The bytes that a GPU has spilled to the host, on disk.
    pub(super) fn host_to_disk(&self, host: &HostCopy) -> Result<Place> {
        self.to_disk(&host.memory).map(Place::Disk)
    }

    /// Writes what was spilled to the host to memory at home.
    pub(super) fn back_from_host(&self, host: &HostCopy, home: &mut DeviceBuffer) -> Result<()> {
        self.timed((Tier::Cpu, Tier::Gpu), home.len(), || {
            home.copy_range_from(0, &host.memory, 0..host.memory.len())?;
            if self.statistics_level.load(Ordering::Relaxed) > 0 {
                home.stream().synchronize()?;
            }
            Ok(())
        })
    }

    /// Writes what was spilled to disk to memory at home.
    pub(super) fn back_from_disk(&self, extent: &Extent, home: &mut DeviceBuffer) -> Result<()> {
        self.timed((Tier::Disk, Tier::of(home.device())), extent.len(), || {
            movable::read_into(extent, 0..extent.len(), home, 0)
        })
    }

    /// The resource that memory of a GPU is spilled to: page-locked where that can be had.
    fn host_resource(&self, device: Device) -> Result<SharedResource> {
        let (_, on_host) = self.limits(Device::Cpu);
        let mut resources = self.host_resources.lock();
        if let Some(resource) = resources.get(&device) {
            return Ok(Arc::clone(resource));
        }
        let pinned = PinnedHostMemoryResource::new(device)?;
        // Some more than the limit, which counts bytes: blocks are rounded up, and gaps stay between them.
        let most = on_host.map(|limit| limit + limit / 8 + (64 << 10));
        let pool = Arc::new(PoolMemoryResource::new(Arc::new(pinned), 0, most)?);
        Ok(Arc::clone(resources.entry(device).or_insert(pool)))
    }

    /// The file of this process: a forked child must not write to its parent's.
    fn file(&self) -> Result<Arc<SpillFile>> {
        // Asked for before the lock is taken: whoever sets options takes them in the other order.
        let directory = self.options().directory;
        let mut file = self.file.lock();
        if let Some(file) = file.as_ref().filter(|file| file.is_ours()) {
            return Ok(Arc::clone(file));
        }
        Ok(Arc::clone(file.insert(SpillFile::open(&directory.unwrap_or_else(default_directory))?)))
    }

    // Statistics.

    /// What was counted so far.
    pub fn statistics(&self) -> SpillStatistics {
        self.statistics.lock().clone()
    }

    /// Forgets what was counted.
    pub fn reset_statistics(&self) {
        let mut statistics = self.statistics.lock();
        *statistics = SpillStatistics { level: statistics.level, ..SpillStatistics::default() };
    }

    fn timed<T>(&self, way: (Tier, Tier), bytes: usize, work: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.statistics_level.load(Ordering::Relaxed) == 0 {
            return work();
        }
        let start = Instant::now();
        let result = work()?;
        let mut statistics = self.statistics.lock();
        let moved = statistics.moves.entry(way).or_default();
        moved.bytes += bytes;
        moved.time += start.elapsed();
        Ok(result)
    }

    /// Counts that memory can move no more, and who did it.
    pub(crate) fn note_exposure(&self, bytes: usize, was_away: bool) {
        if self.statistics_level.load(Ordering::Relaxed) < 2 {
            return;
        }
        let here = Backtrace::force_capture();
        let there = TRACEBACK_HOOK.get().and_then(|frames| frames()).unwrap_or_default();
        let mut statistics = self.statistics.lock();
        let exposure = statistics.exposures.entry(format!("{there}{here}")).or_default();
        exposure.count += 1;
        exposure.bytes += bytes;
        exposure.spilled_bytes += if was_away { bytes } else { 0 };
    }
}

/// The system's directory of temporary files, preferably one that is not in memory.
fn default_directory() -> PathBuf {
    let on_disk = PathBuf::from("/var/tmp");
    if std::env::var_os("TMPDIR").is_none() && on_disk.is_dir() { on_disk } else { std::env::temp_dir() }
}

/// Host memory with what a GPU has spilled.
pub(super) struct HostCopy {
    pub(super) memory: DeviceBuffer,
    manager: &'static SpillManager,
}

impl HostCopy {
    /// Memory for `len` bytes, which counts as spilled from before it is there: it must not push out what
    /// the CPU has within its own limit.
    fn uninit(len: usize, ctx: &Context, manager: &'static SpillManager) -> Result<Self> {
        manager.spilled_to_host.fetch_add(len, Ordering::Relaxed);
        match DeviceBuffer::uninit(len, ctx) {
            Ok(memory) => Ok(Self { memory, manager }),
            Err(error) => {
                manager.spilled_to_host.fetch_sub(len, Ordering::Relaxed);
                Err(error)
            }
        }
    }
}

impl Drop for HostCopy {
    fn drop(&mut self) {
        self.manager.spilled_to_host.fetch_sub(self.memory.len(), Ordering::Relaxed);
    }
}
