//! Settings of spilling, and their environment variables.

use std::path::PathBuf;

use crate::env::{flag, number, variable};

/// Settings of spilling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpillOptions {
    /// Whether memory made from now on can be moved. Memory that was made so stays so.
    pub enabled: bool,
    /// Whether an allocation that fails spills and is tried again.
    pub on_demand: bool,
    /// Bytes that may be in use on each device, the CPU being one; `None` for as many as there are. The
    /// limit is soft: memory that cannot be moved may be more.
    pub device_limit: Option<usize>,
    /// Bytes of host memory for columns of the CPU and memory that GPUs spilled, together.
    pub host_limit: Option<usize>,
    /// The folder of files of spilled memory; `None` for the system's directory of temporary files.
    pub directory: Option<PathBuf>,
    /// The level of statistics: 0 none, 1 bytes and seconds of moves, 2 also who exposed memory.
    pub statistics_level: u8,
}

impl Default for SpillOptions {
    fn default() -> Self {
        Self {
            enabled: false,
            on_demand: true,
            device_limit: None,
            host_limit: None,
            directory: None,
            statistics_level: 0,
        }
    }
}

impl SpillOptions {
    /// The options of the variables `CUPRUM_SPILL`, `_SPILL_ON_DEMAND`, `_SPILL_DEVICE_LIMIT`,
    /// `_SPILL_HOST_LIMIT`, `_SPILL_DIRECTORY` and `_SPILL_STATS`, or of those with `CUDF_` where one is not
    /// set. Invalid values are taken as not set, with a warning in the log.
    pub fn from_environment() -> Self {
        let default = Self::default();
        Self {
            enabled: flag("SPILL").unwrap_or(default.enabled),
            on_demand: flag("SPILL_ON_DEMAND").unwrap_or(default.on_demand),
            device_limit: number("SPILL_DEVICE_LIMIT"),
            host_limit: number("SPILL_HOST_LIMIT"),
            directory: variable("SPILL_DIRECTORY").map(|(_, directory)| directory.into()),
            statistics_level: number("SPILL_STATS")
                .filter(|level| *level <= 2)
                .unwrap_or(default.statistics_level),
        }
    }
}
