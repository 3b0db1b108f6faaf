//! The slower tiers, page-locked memory of the host and a file, and the moves to and from them.
//!
//! When a move fails, both ends are as they were.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::disk::{Extent, SpillFile};
use super::room;
use super::statistics::{Tier, are_counted, timed};
use crate::context::Context;
use crate::device::Device;
use crate::device_buffer::DeviceBuffer;
use crate::error::{Error, ErrorKind, Result};
use crate::fork::Mutex;
use crate::memory::SharedResource;
use crate::page_locked;
use crate::stream::Stream;

/// Bytes of a GPU's memory that are in host memory at a time on their way from or to a file.
const PIECE: usize = 16 << 20;

/// Bytes in host memory that GPUs have spilled.
static SPILLED_TO_HOST: AtomicUsize = AtomicUsize::new(0);
/// Page-locked host memory for each GPU.
static POOLS: Mutex<BTreeMap<Device, SharedResource>> = Mutex::new(BTreeMap::new());
static FILE: Mutex<Option<Arc<SpillFile>>> = Mutex::new(None);

/// The place of memory that may be away from its device.
pub(super) enum Place {
    /// On its device.
    Home,
    /// In the host's memory, where the device is a GPU.
    Host(HostCopy),
    Disk(Extent),
}

/// Bytes in host memory that GPUs have spilled.
pub(super) fn spilled_to_host() -> usize {
    SPILLED_TO_HOST.load(Ordering::Relaxed)
}

/// Spills to files in this directory from now on, `None` being the system's choice.
///
/// Fails with [`Io`](ErrorKind::Io) where the directory is not there or cannot be written to; then nothing is changed.
pub(super) fn set_directory(directory: Option<&Path>) -> Result<()> {
    // Tried now rather than when memory is short.
    let file = directory.map(SpillFile::open).transpose()?;
    *FILE.lock() = file;
    Ok(())
}

/// Makes new pools of page-locked memory for memory spilled from now on: they grow up to the limit and do not
/// shrink.
pub(super) fn renew_pools() {
    POOLS.lock().clear();
}

/// The bytes of memory at home, in the next tier.
pub(super) fn away(memory: &DeviceBuffer) -> Result<Place> {
    if memory.device() == Device::Cpu {
        return to_disk(memory).map(Place::Disk);
    }
    let (_, on_host) = room::limits(Device::Cpu);
    let fits = on_host.is_none_or(|limit| memory.len() <= limit);
    let host = if fits { to_host(memory) } else { Err(Error::new(ErrorKind::OutOfMemory, "")) };
    match host {
        Ok(host) => Ok(Place::Host(host)),
        Err(error) if error.kind() == ErrorKind::OutOfMemory => to_disk(memory).map(Place::Disk),
        Err(error) => Err(error),
    }
}

fn to_host(memory: &DeviceBuffer) -> Result<HostCopy> {
    timed((Tier::Gpu, Tier::Cpu), memory.len(), || {
        let ctx = Context::new(Stream::cpu(), host_resource(memory.device())?);
        let mut host = HostCopy::uninit(memory.len(), &ctx)?;
        host.memory.copy_range_from(0, memory, 0..memory.len())?;
        if are_counted() {
            // Seconds can only be measured by waiting.
            host.memory.as_host_slice()?;
        }
        Ok(host)
    })
}

/// The bytes of memory of any device, on disk.
fn to_disk(memory: &DeviceBuffer) -> Result<Extent> {
    timed((Tier::of(memory.device()), Tier::Disk), memory.len(), || {
        let file = file()?;
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
pub(super) fn host_to_disk(host: &HostCopy) -> Result<Place> {
    to_disk(&host.memory).map(Place::Disk)
}

/// Writes bytes that were spilled to the host to memory at home.
pub(super) fn back_from_host(host: &HostCopy, home: &mut DeviceBuffer) -> Result<()> {
    timed((Tier::Cpu, Tier::Gpu), home.len(), || {
        home.copy_range_from(0, &host.memory, 0..host.memory.len())?;
        if are_counted() {
            home.stream().synchronize()?;
        }
        Ok(())
    })
}

/// Writes bytes that were spilled to disk to memory at home.
pub(super) fn back_from_disk(extent: &Extent, home: &mut DeviceBuffer) -> Result<()> {
    timed((Tier::Disk, Tier::of(home.device())), extent.len(), || read_into(extent, 0..extent.len(), home, 0))
}

/// The resource that memory of a GPU is spilled to: page-locked where that can be had.
fn host_resource(device: Device) -> Result<SharedResource> {
    let (_, on_host) = room::limits(Device::Cpu);
    let mut pools = POOLS.lock();
    if let Some(pool) = pools.get(&device) {
        return Ok(Arc::clone(pool));
    }
    // Some more than the limit, which counts bytes: blocks are rounded up, and gaps stay between them.
    let most = on_host.map(|limit| limit.saturating_add(limit / 8).saturating_add(64 << 10));
    // A limit above the host's memory is none.
    let total = Device::Cpu.memory_info()?.total;
    let most = most.filter(|&most| most <= total);
    let pool = page_locked::resource(device, most)?;
    Ok(Arc::clone(pools.entry(device).or_insert(pool)))
}

/// The file of this process: a forked child must not write to its parent's.
fn file() -> Result<Arc<SpillFile>> {
    let directory = room::with_options(|options| options.directory.clone());
    let mut file = FILE.lock();
    if let Some(file) = file.as_ref().filter(|file| file.is_ours()) {
        return Ok(Arc::clone(file));
    }
    Ok(Arc::clone(file.insert(SpillFile::open(&directory.unwrap_or_else(default_directory))?)))
}

/// The system's directory of temporary files, preferably one that is not in memory.
fn default_directory() -> PathBuf {
    let on_disk = PathBuf::from("/var/tmp");
    if std::env::var_os("TMPDIR").is_none() && on_disk.is_dir() { on_disk } else { std::env::temp_dir() }
}

/// Host memory with bytes that a GPU has spilled.
pub(super) struct HostCopy {
    pub(super) memory: DeviceBuffer,
}

impl HostCopy {
    /// Memory for `len` bytes, which counts as spilled from before it is there: it must not push out what
    /// the CPU has within its own limit.
    fn uninit(len: usize, ctx: &Context) -> Result<Self> {
        SPILLED_TO_HOST.fetch_add(len, Ordering::Relaxed);
        match DeviceBuffer::uninit(len, ctx) {
            Ok(memory) => Ok(Self { memory }),
            Err(error) => {
                SPILLED_TO_HOST.fetch_sub(len, Ordering::Relaxed);
                Err(error)
            }
        }
    }
}

impl Drop for HostCopy {
    fn drop(&mut self) {
        SPILLED_TO_HOST.fetch_sub(self.memory.len(), Ordering::Relaxed);
    }
}

/// Reads bytes of an extent into memory of any device.
pub(super) fn read_into(
    extent: &Extent,
    range: Range<usize>,
    target: &mut DeviceBuffer,
    at: usize,
) -> Result<()> {
    target.check_range(at, range.len())?;
    if target.device() == Device::Cpu {
        let end = at + range.len();
        return extent.read(range, &mut target.as_host_slice_mut()?[at..end]);
    }
    let mut piece = vec![0; range.len().min(PIECE)];
    for from in range.clone().step_by(PIECE) {
        let piece = &mut piece[..PIECE.min(range.end - from)];
        extent.read(from..from + piece.len(), piece)?;
        target.copy_from_host(at + from - range.start, piece)?;
    }
    Ok(())
}
