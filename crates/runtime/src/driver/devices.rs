//! The devices of this machine: names, properties and memory, as their drivers report them.

use super::interface::Driver;
use super::{cuda, of};
use crate::device::{Device, DeviceProperties, MemoryInfo};
use crate::error::{Error, Result, ResultExt};
use crate::host;
use crate::parallel::num_threads;

impl Device {
    /// Reads a device from the spelling of `CUPRUM_DEVICE`: `auto`, `cpu`, `cuda`, `cuda:N` or
    /// `emulator`, and checks that it can be used.
    ///
    /// `auto` is [`automatic`](Self::automatic). Fails with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for other spellings and ordinals that
    /// do not exist, with [`Cuda`](crate::ErrorKind::Cuda) where the driver is missing or too old.
    pub fn parse(spelling: &str) -> Result<Self> {
        let ordinal = spelling.strip_prefix("cuda").and_then(|rest| match rest {
            "" => Some(0),
            _ => rest.strip_prefix(':').and_then(|n| n.parse::<u32>().ok()),
        });
        match (spelling, ordinal) {
            ("auto", _) => Ok(Self::automatic()),
            ("cpu", _) => Ok(Self::Cpu),
            ("emulator", _) => Ok(Self::EMULATOR),
            (_, Some(ordinal)) if Self::Cuda(ordinal) < Self::EMULATOR => {
                let count = cuda().context(|| format!("device '{spelling}'"))?.device_count()?;
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

    /// The CPU and every CUDA device of this machine. Without a usable driver, the CPU alone.
    pub fn all() -> Vec<Self> {
        let count = cuda().and_then(Driver::device_count).unwrap_or(0);
        std::iter::once(Self::Cpu).chain((0..count).map(Self::Cuda)).collect()
    }

    /// The device's name, memory and compute capability.
    pub fn properties(self) -> Result<DeviceProperties> {
        match self {
            Self::Cpu => Ok(DeviceProperties {
                name: host::processor_name(),
                total_memory: host::memory().total,
                compute_capability: None,
                processors: num_threads() as u32,
            }),
            Self::Cuda(ordinal) => of(ordinal)?.properties(ordinal),
        }
    }

    /// The device's free and total memory at this moment.
    pub fn memory_info(self) -> Result<MemoryInfo> {
        match self {
            Self::Cpu => Ok(host::memory()),
            Self::Cuda(ordinal) => of(ordinal)?.memory_info(ordinal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn spellings() {
        assert_eq!(Device::parse("auto").unwrap(), Device::automatic());
        assert!(Device::all().contains(&Device::automatic()));
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
