//! The devices a column can live on.

use std::fmt;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::context::Context;
use crate::error::{Error, Result, ResultExt};
use crate::spill::options::variable;
use crate::{driver, fork};

/// The chosen device: 0 for the CPU, else the ordinal of a CUDA device plus one.
static CHOSEN: AtomicU32 = AtomicU32::new(0);

/// Where memory lives and work runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    /// The host: all cores of the machine.
    #[default]
    Cpu,
    /// The CUDA device of this ordinal. Ordinals from [`Device::EMULATOR`]'s on are devices of the
    /// emulator, which exist on every machine.
    Cuda(u32),
}

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceProperties {
    /// The name its maker gave it.
    pub name: String,
    /// Bytes of memory in all.
    pub total_memory: usize,
    /// Major and minor compute capability; `None` on the CPU.
    pub compute_capability: Option<(u32, u32)>,
    /// Multiprocessors of a GPU, worker threads of the CPU.
    pub processors: u32,
}

/// Bytes of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Not in use by anybody.
    pub free: usize,
    /// In all.
    pub total: usize,
}

impl Device {
    /// The first device of the emulator.
    pub const EMULATOR: Self = Self::Cuda(1 << 16);

    /// Whether the device is one of the emulator's.
    pub fn is_emulated(self) -> bool {
        self >= Self::EMULATOR
    }

    /// Reads a device from the spelling of `CUPRUM_DEVICE`: `auto`, `cpu`, `cuda`, `cuda:N` or
    /// `emulator`, and checks that it can be used.
    ///
    /// `auto` is the first CUDA device where there is one, else the CPU. Fails with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for other spellings and ordinals that
    /// do not exist, with [`Cuda`](crate::ErrorKind::Cuda) where the driver is missing or too old.
    pub fn parse(spelling: &str) -> Result<Self> {
        let ordinal = spelling.strip_prefix("cuda").and_then(|rest| match rest {
            "" => Some(0),
            _ => rest.strip_prefix(':').and_then(|n| n.parse::<u32>().ok()),
        });
        match (spelling, ordinal) {
            ("auto", _) => Ok(Self::all().into_iter().nth(1).unwrap_or(Self::Cpu)),
            ("cpu", _) => Ok(Self::Cpu),
            ("emulator", _) => Ok(Self::EMULATOR),
            (_, Some(ordinal)) if Self::Cuda(ordinal) < Self::EMULATOR => {
                let count = driver::cuda().context(|| format!("device '{spelling}'"))?.device_count()?;
                if ordinal < count {
                    return Ok(Self::Cuda(ordinal));
                }
                let there = match count {
                    0 => "no CUDA device".to_owned(),
                    1 => "one CUDA device, cuda:0".to_owned(),
                    n => format!("CUDA devices cuda:0 to cuda:{}", n - 1),
                };
                Err(Error::invalid_argument(format!("device '{spelling}': this machine has {there}")))
            }
            _ => Err(Error::invalid_argument(format!(
                "device '{spelling}' is unknown; use 'auto', 'cpu', 'cuda', 'cuda:N' or 'emulator'"
            ))),
        }
    }

    /// The device that `CUPRUM_DEVICE` (else `CUDF_DEVICE`) names, the CPU where it is not set.
    pub fn from_environment() -> Result<Self> {
        match variable("DEVICE") {
            Some((name, spelling)) => Self::parse(&spelling).context(|| name),
            None => Ok(Self::Cpu),
        }
    }

    /// The device of data that come in: that of [`choose`](Self::choose), else
    /// [`from_environment`](Self::from_environment), which is read once. A device that cannot be used is
    /// taken as not set, with an error in the log.
    pub fn chosen() -> Self {
        static ONCE: Once = Once::new();
        if !ONCE.is_completed() {
            let _section = fork::section();
            ONCE.call_once(|| match Self::from_environment() {
                Ok(device) => CHOSEN.store(device.number(), Ordering::Relaxed),
                Err(error) => crate::log::error!("{error}: data live on the CPU"),
            });
        }
        match CHOSEN.load(Ordering::Relaxed) {
            0 => Self::Cpu,
            number => Self::Cuda(number - 1),
        }
    }

    /// Makes a device that of data that come in from now on, in every thread; returns the one that was.
    ///
    /// Fails where the device cannot be used; the choice is as before then.
    pub fn choose(self) -> Result<Self> {
        Context::on(self)?;
        let before = Self::chosen();
        CHOSEN.store(self.number(), Ordering::Relaxed);
        Ok(before)
    }

    fn number(self) -> u32 {
        match self {
            Self::Cpu => 0,
            Self::Cuda(ordinal) => ordinal.saturating_add(1),
        }
    }

    /// The CPU and every CUDA device of this machine. Without a usable driver, the CPU alone.
    pub fn all() -> Vec<Self> {
        let count = driver::cuda().and_then(driver::Driver::device_count).unwrap_or(0);
        std::iter::once(Self::Cpu).chain((0..count).map(Self::Cuda)).collect()
    }

    /// The device's name, memory and compute capability.
    pub fn properties(self) -> Result<DeviceProperties> {
        match self {
            Self::Cpu => Ok(DeviceProperties {
                name: processor_name(),
                total_memory: host_memory().total,
                compute_capability: None,
                processors: crate::parallel::num_threads() as u32,
            }),
            Self::Cuda(ordinal) => driver::of(ordinal)?.properties(ordinal),
        }
    }

    /// The device's free and total memory at this moment.
    pub fn memory_info(self) -> Result<MemoryInfo> {
        match self {
            Self::Cpu => Ok(host_memory()),
            Self::Cuda(ordinal) => driver::of(ordinal)?.memory_info(ordinal),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, Self::EMULATOR) {
            (Self::Cpu, _) => f.write_str("cpu"),
            (Self::Cuda(ordinal), Self::Cuda(first)) if *ordinal > first => {
                write!(f, "emulator:{}", ordinal - first)
            }
            (Self::Cuda(_), _) if self.is_emulated() => f.write_str("emulator"),
            (Self::Cuda(ordinal), _) => write!(f, "cuda:{ordinal}"),
        }
    }
}

/// What Linux says of the host's memory; elsewhere the physical memory, all of it free.
pub(crate) fn host_memory() -> MemoryInfo {
    // SAFETY: sysconf has no preconditions.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let total = if pages > 0 && size > 0 { pages as usize * size as usize } else { 4 << 30 };
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = text.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB")?;
        Some(kilobytes.parse::<usize>().ok()? << 10)
    });
    MemoryInfo { free: available.unwrap_or(total).min(total), total }
}

fn processor_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn spellings() {
        assert_eq!(Device::parse("auto").unwrap(), *Device::all().get(1).unwrap_or(&Device::Cpu));
        assert_eq!(Device::parse("cpu").unwrap(), Device::Cpu);
        assert_eq!(Device::parse("emulator").unwrap(), Device::EMULATOR);
        for s in ["", "gpu", "cuda:x", "cuda3", "cuda:-1", "cuda:70000"] {
            assert_eq!(Device::parse(s).unwrap_err().kind(), ErrorKind::InvalidArgument, "{s}");
        }
        assert_eq!(Device::Cuda(2).to_string(), "cuda:2");
        assert_eq!(Device::EMULATOR.to_string(), "emulator");
        assert_eq!(Device::Cuda((1 << 16) + 1).to_string(), "emulator:1");
    }

    #[test]
    fn an_absent_device_says_what_is_there() {
        match Device::parse("cuda:65535").unwrap_err() {
            e if e.kind() == ErrorKind::Cuda => assert!(e.to_string().contains("driver"), "{e}"),
            e => {
                assert_eq!(e.kind(), ErrorKind::InvalidArgument);
                assert!(e.to_string().contains("this machine has"), "{e}");
            }
        }
    }

    #[test]
    fn every_device_has_a_name_and_memory() {
        for device in Device::all().into_iter().chain([Device::EMULATOR]) {
            let properties = device.properties().unwrap();
            assert!(!properties.name.is_empty() && properties.processors > 0, "{device}");
            assert_eq!(properties.compute_capability.is_some(), device != Device::Cpu);
            let memory = device.memory_info().unwrap();
            assert!(0 < memory.free && memory.free <= memory.total, "{device}");
        }
        assert_eq!(Device::Cuda((1 << 16) + 99).properties().unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
