//! Functions of arguments rather than of frames, and conversions of whole columns: regular times, times and
//! numbers from texts.

pub mod datetimes;
pub mod frequency;
pub(crate) mod grid;
pub mod numeric;
pub mod offsets;
pub mod ranges;

use cuprum_column::{Context, Device, Error, Result, TimeUnit};

/// Nanoseconds of a unit.
pub(crate) fn nanoseconds(unit: TimeUnit) -> i64 {
    TimeUnit::Nanoseconds.per_day() / unit.per_day()
}

/// The coarsest unit from seconds on that counts so many nanoseconds.
fn unit_of(ticks: i64) -> TimeUnit {
    let units = [TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds];
    units.into_iter().find(|unit| ticks % nanoseconds(*unit) == 0).unwrap_or(TimeUnit::Nanoseconds)
}

/// The context of single times, in host memory; those of ranges come in from there like other data.
pub(crate) fn host() -> Result<Context> {
    Context::beside(Device::Cpu)
}

pub(crate) fn too_far() -> Error {
    Error::overflow("the times go beyond those that their unit holds")
}
