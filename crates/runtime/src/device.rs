//! The devices a column can live on.

use std::fmt;

/// The place of memory and work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    /// The host: all cores of the machine.
    #[default]
    Cpu,
    /// The CUDA device of this ordinal. Ordinals from [`Device::EMULATOR`]'s on are devices of the
    /// emulator, which exist on every machine.
    Cuda(u32),
}

/// The properties of a device.
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
