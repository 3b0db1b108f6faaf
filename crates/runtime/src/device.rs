//! The devices a column can live on.

use std::fmt;

use crate::error::{Error, Result};

/// Where memory lives and work runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The host: all cores of the machine.
    #[default]
    Cpu,
    /// The CUDA device of this ordinal.
    Cuda(u32),
}

impl Device {
    /// Reads a device from the spelling of `CUPRUM_DEVICE`: `auto`, `cpu`, `cuda`, `cuda:N`.
    ///
    /// `auto` takes a GPU where one can be used; this build has only the CPU backend, so it is
    /// the CPU and asking for another device is [`Unsupported`](crate::ErrorKind::Unsupported).
    pub fn parse(spelling: &str) -> Result<Self> {
        let ordinal = spelling.strip_prefix("cuda").map(|rest| match rest {
            "" => Some(0),
            _ => rest.strip_prefix(':').and_then(|n| n.parse::<u32>().ok()),
        });
        match (spelling, ordinal) {
            ("auto" | "cpu", _) => Ok(Self::Cpu),
            ("emulator", _) | (_, Some(Some(_))) => Err(Error::unsupported(format!(
                "device '{spelling}': this build of Cuprum has no CUDA backend yet; set CUPRUM_DEVICE to 'cpu' or 'auto'"
            ))),
            _ => Err(Error::invalid_argument(format!(
                "device '{spelling}' is unknown; use 'auto', 'cpu', 'cuda', 'cuda:N' or 'emulator'"
            ))),
        }
    }

    /// The device that `CUPRUM_DEVICE` names, `auto` where it is not set.
    pub fn from_environment() -> Result<Self> {
        match std::env::var("CUPRUM_DEVICE") {
            Ok(spelling) => Self::parse(&spelling).map_err(|e| e.context("CUPRUM_DEVICE")),
            Err(_) => Ok(Self::Cpu),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn spellings() {
        assert_eq!(Device::parse("auto").unwrap(), Device::Cpu);
        assert_eq!(Device::parse("cpu").unwrap(), Device::Cpu);
        for s in ["cuda", "cuda:3", "emulator"] {
            assert_eq!(Device::parse(s).unwrap_err().kind(), ErrorKind::Unsupported, "{s}");
        }
        for s in ["", "gpu", "cuda:x", "cuda3", "cuda:-1"] {
            assert_eq!(Device::parse(s).unwrap_err().kind(), ErrorKind::InvalidArgument, "{s}");
        }
        assert_eq!(Device::Cuda(2).to_string(), "cuda:2");
    }
}
