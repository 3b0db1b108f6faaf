//! The device of data that come in.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::context::Context;
use crate::device::Device;
use crate::driver;
use crate::env::variable;
use crate::error::{Result, ResultExt};
use crate::fork;
use crate::log;
use crate::memory;
use crate::primitives;
use crate::stream::Stream;

/// The chosen device: 0 for the CPU, else the ordinal of a CUDA device plus one.
static CHOSEN: AtomicU32 = AtomicU32::new(0);
/// Whether nobody named the chosen device.
static AUTOMATIC: AtomicBool = AtomicBool::new(false);

impl Device {
    /// The device that `CUPRUM_DEVICE` (else `CUDF_DEVICE`) names; `None` for `auto` and where it
    /// is not set.
    pub fn from_environment() -> Result<Option<Self>> {
        let Some((name, spelling)) = variable("DEVICE").filter(|(_, spelling)| spelling != "auto") else {
            return Ok(None);
        };
        Self::parse(&spelling).map(Some).context(|| name)
    }

    /// The first GPU that works, else the CPU. A GPU works if a kernel runs on it; one that does not is said in the
    /// log (`INFO`).
    pub fn automatic() -> Self {
        let gpus = match driver::cuda().and_then(driver::Driver::device_count) {
            Ok(count) => (0..count).map(Self::Cuda),
            Err(error) => {
                log::info!("no GPU is used: {error}");
                return Self::Cpu;
            }
        };
        let works = |gpu: &Self| match gpu.try_kernel() {
            Ok(()) => true,
            Err(error) => {
                log::info!("{gpu} is not used: {error}");
                false
            }
        };
        gpus.into_iter().find(works).unwrap_or(Self::Cpu)
    }

    fn try_kernel(self) -> Result<()> {
        let ctx = &Context::on(self)?;
        primitives::fill(1u32, 1, ctx)?.to_vec()?;
        Ok(())
    }

    /// The device of data that come in: that of [`choose`](Self::choose), else
    /// [`from_environment`](Self::from_environment), else [`automatic`](Self::automatic), which are asked once. A
    /// device that was named and cannot be used is the CPU, with an error in the log. So is a GPU that nobody named
    /// in a process that was forked from one that uses it.
    pub fn chosen() -> Self {
        static ONCE: Once = Once::new();
        if !ONCE.is_completed() {
            let _section = fork::section();
            ONCE.call_once(|| {
                let device = Self::from_environment().unwrap_or_else(|error| {
                    log::error!("{error}: data live on the CPU");
                    Some(Self::Cpu)
                });
                AUTOMATIC.store(device.is_none(), Ordering::Relaxed);
                CHOSEN.store(device.unwrap_or_else(Self::automatic).number(), Ordering::Relaxed);
            });
        }
        match CHOSEN.load(Ordering::Relaxed) {
            0 => Self::Cpu,
            number if Self::is_automatic() && driver::of(number - 1).is_err() => Self::Cpu,
            number => Self::Cuda(number - 1),
        }
    }

    /// Whether nobody named the [chosen](Self::chosen) device.
    pub(crate) fn is_automatic() -> bool {
        AUTOMATIC.load(Ordering::Relaxed)
    }

    /// Makes a device that of data that come in from now on, in every thread; returns the one that was.
    ///
    /// Fails where the device cannot be used; the choice is as before then.
    pub fn choose(self) -> Result<Self> {
        Stream::current(self)?;
        memory::current_resource(self)?;
        let before = Self::chosen();
        AUTOMATIC.store(false, Ordering::Relaxed);
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
