//! Settings of spilling, and what the environment says of them.

use std::path::PathBuf;

/// How memory is moved out of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpillOptions {
    /// Whether memory made from now on can be moved. Memory that was made so stays it.
    pub enabled: bool,
    /// Whether an allocation that fails spills and is tried again.
    pub on_demand: bool,
    /// Bytes that may be in use on each device, the CPU being one; `None` for as many as there are. The
    /// limit is soft: what cannot be moved may be more.
    pub device_limit: Option<usize>,
    /// Bytes of host memory that columns of the CPU and what GPUs spilled may have together.
    pub host_limit: Option<usize>,
    /// Where files of spilled memory are; `None` for the system's directory of temporary files.
    pub directory: Option<PathBuf>,
    /// What is counted: 0 nothing, 1 bytes and seconds of moves, 2 also who exposed memory.
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
    /// What the variables `CUPRUM_SPILL`, `_SPILL_ON_DEMAND`, `_SPILL_DEVICE_LIMIT`, `_SPILL_HOST_LIMIT`,
    /// `_SPILL_DIRECTORY` and `_SPILL_STATS` say, or those with `CUDF_` where one is not set. What cannot
    /// be understood is taken as not set, with a warning in the log.
    pub fn from_environment() -> Self {
        let default = Self::default();
        Self {
            enabled: flag("SPILL").unwrap_or(default.enabled),
            on_demand: flag("SPILL_ON_DEMAND").unwrap_or(default.on_demand),
            device_limit: parsed("SPILL_DEVICE_LIMIT"),
            host_limit: parsed("SPILL_HOST_LIMIT"),
            directory: variable("SPILL_DIRECTORY").map(|(_, directory)| directory.into()),
            statistics_level: parsed("SPILL_STATS")
                .filter(|level| *level <= 2)
                .unwrap_or(default.statistics_level),
        }
    }
}

/// The environment variable that begins with `CUPRUM_`, else the one with `CUDF_`, and its name.
pub(crate) fn variable(name: &str) -> Option<(String, String)> {
    ["CUPRUM_", "CUDF_"].iter().find_map(|prefix| {
        let name = format!("{prefix}{name}");
        std::env::var(&name).ok().filter(|text| !text.is_empty()).map(|text| (name, text))
    })
}

/// What a variable says: yes or no.
pub(crate) fn flag(name: &str) -> Option<bool> {
    let (name, text) = variable(name)?;
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" | "yes" => Some(true),
        "0" | "off" | "false" | "no" => Some(false),
        _ => {
            crate::log::warn!("{name} is '{text}', which is neither on nor off: it is ignored");
            None
        }
    }
}

fn parsed<T: std::str::FromStr>(name: &str) -> Option<T> {
    let (name, text) = variable(name)?;
    let value = text.trim().parse().ok();
    if value.is_none() && !text.eq_ignore_ascii_case("none") {
        crate::log::warn!("{name} is '{text}', which is no number: it is ignored");
    }
    value
}
