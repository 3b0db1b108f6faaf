//! The device of data that come in.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::device::Device;
use crate::env::variable;
use crate::error::{Result, ResultExt};
use crate::fork;
use crate::log;
use crate::memory;
use crate::stream::Stream;

/// The chosen device: 0 for the CPU, else the ordinal of a CUDA device plus one.
static CHOSEN: AtomicU32 = AtomicU32::new(0);

impl Device {
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
                Err(error) => log::error!("{error}: data live on the CPU"),
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
        Stream::current(self)?;
        memory::current_resource(self)?;
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
}
