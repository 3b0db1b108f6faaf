//! Counts of moves, and of memory that can move no more.

use std::backtrace::Backtrace;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::room;
use crate::device::Device;
use crate::error::Result;
use crate::fork::Mutex;

/// The counts so far; `None` where nothing was counted.
static STATISTICS: Mutex<Option<SpillStatistics>> = Mutex::new(None);
static TRACEBACK_HOOK: OnceLock<fn() -> Option<String>> = OnceLock::new();

/// Has the frames of another language added to those that expose memory; the first call counts.
pub fn set_traceback_hook(hook: fn() -> Option<String>) {
    let _ = TRACEBACK_HOOK.set(hook);
}

/// Kinds of memory, from fast to slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// A GPU's.
    Gpu,
    /// The host's.
    Cpu,
    /// A file's.
    Disk,
}

impl Tier {
    /// The tier that columns of `device` are in while they are worked with.
    pub fn of(device: Device) -> Self {
        if device == Device::Cpu { Self::Cpu } else { Self::Gpu }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::Disk => "disk",
        })
    }
}

/// Moves in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Bytes in all.
    pub bytes: usize,
    /// Time in all, of all threads.
    pub time: Duration,
}

/// Exposures from one place in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exposure {
    /// The number of exposures.
    pub count: usize,
    /// Bytes of all of them.
    pub bytes: usize,
    /// Bytes of those that were away and had to be brought back.
    pub spilled_bytes: usize,
}

/// The statistics of the manager; see [`SpillOptions::statistics_level`](super::SpillOptions).
#[derive(Clone, Debug, Default)]
pub struct SpillStatistics {
    /// The level of statistics.
    pub level: u8,
    /// Moves, by source and destination.
    pub moves: BTreeMap<(Tier, Tier), Moved>,
    /// Exposures, by the frames of the program that led to them.
    pub exposures: HashMap<String, Exposure>,
}

fn level() -> u8 {
    room::with_options(|options| options.statistics_level)
}

/// Whether moves are counted.
pub(super) fn are_counted() -> bool {
    level() > 0
}

/// The counts so far.
pub(super) fn statistics() -> SpillStatistics {
    let level = level();
    SpillStatistics { level, ..STATISTICS.lock().clone().unwrap_or_default() }
}

/// Forgets the counts.
pub(super) fn reset() {
    *STATISTICS.lock() = None;
}

/// Does the work of moving `bytes`, and counts it where moves are counted.
pub(super) fn timed<T>(way: (Tier, Tier), bytes: usize, work: impl FnOnce() -> Result<T>) -> Result<T> {
    if !are_counted() {
        return work();
    }
    let start = Instant::now();
    let result = work()?;
    let mut statistics = STATISTICS.lock();
    let moved = statistics.get_or_insert_default().moves.entry(way).or_default();
    moved.bytes += bytes;
    moved.time += start.elapsed();
    Ok(result)
}

/// Counts that memory can move no more, and who did it.
pub(crate) fn note_exposure(bytes: usize, was_away: bool) {
    if level() < 2 {
        return;
    }
    let here = Backtrace::force_capture();
    let there = TRACEBACK_HOOK.get().and_then(|frames| frames()).unwrap_or_default();
    let mut statistics = STATISTICS.lock();
    let exposure = statistics.get_or_insert_default().exposures.entry(format!("{there}{here}")).or_default();
    exposure.count += 1;
    exposure.bytes += bytes;
    exposure.spilled_bytes += if was_away { bytes } else { 0 };
}

/// As cuDF prints them.
impl fmt::Display for SpillStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spill Statistics (level={}):", self.level)?;
        if self.level == 0 {
            return f.write_str(" N/A");
        }
        write!(f, "\n  Spilling (level >= 1):{}", if self.moves.is_empty() { " None" } else { "" })?;
        for ((from, to), moved) in &self.moves {
            write!(f, "\n    {from} => {to}: {} in {:.4}", Bytes(moved.bytes), moved.time.as_secs_f64())?;
        }
        if self.level < 2 {
            return Ok(());
        }
        write!(
            f,
            "\n  Exposed buffers (level >= 2):{}",
            if self.exposures.is_empty() { " None" } else { "" }
        )?;
        let mut exposures: Vec<_> = self.exposures.iter().collect();
        exposures.sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(b.0)));
        for (traceback, exposure) in exposures {
            write!(
                f,
                "\n    exposed {} times, total: {}, spilled: {}, traceback:",
                exposure.count,
                Bytes(exposure.bytes),
                Bytes(exposure.spilled_bytes)
            )?;
            for line in traceback.lines() {
                write!(f, "\n      {line}")?;
            }
        }
        Ok(())
    }
}

/// `24B`, `1.50KiB`, `2.00GiB`.
pub(super) struct Bytes(pub(super) usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut amount = self.0 as f64;
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if amount < 1024.0 {
                return if unit == "B" { write!(f, "{amount}B") } else { write!(f, "{amount:.2}{unit}") };
            }
            amount /= 1024.0;
        }
        write!(f, "{amount:.2}TiB")
    }
}
