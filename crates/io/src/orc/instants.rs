//! Timestamps: seconds since 2015 on the clocks of where the file was written, and nanoseconds.

use arrow_schema::TimeUnit;
use cuprum_column::{Error, Result};
use cuprum_compute::datetime::Zone;

/// The first day of the Gregorian calendar, October 15th, 1582, in days since 1970.
pub(super) const GREGORIAN: i32 = -141_427;
/// January 1st, 2015, in seconds since 1970: where a file counts from.
pub(super) const EPOCH: i64 = 1_420_070_400;

/// The clocks of a zone.
pub(super) struct Clock {
    zone: Option<Zone>,
    /// When the year 2015 began there.
    epoch: i64,
}

/// The unit of timestamps.
pub(super) struct Unit {
    pub(super) unit: TimeUnit,
    pub(super) per_second: i64,
}

impl Unit {
    pub(super) fn of(unit: TimeUnit) -> Self {
        let per_second = match unit {
            TimeUnit::Second => 1,
            TimeUnit::Millisecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Nanosecond => 1_000_000_000,
        };
        Self { unit, per_second }
    }
}

impl Clock {
    /// The clocks of a zone by its name; without a name those of UTC.
    pub(super) fn of(name: &str) -> Result<Self> {
        if matches!(name, "" | "UTC" | "GMT" | "Etc/UTC") {
            return Ok(Self { zone: None, epoch: EPOCH });
        }
        let zone: Zone = name
            .parse()
            .map_err(|_| Error::unsupported(format!("timestamps of an unknown zone, '{name}'")))?;
        // No zone changed its clocks when that year began.
        let epoch = EPOCH - offset(zone, EPOCH);
        Ok(Self { zone: Some(zone), epoch })
    }

    pub(super) fn reader(&self, is_instant: bool) -> Reader {
        if is_instant {
            Reader { zone: None, epoch: EPOCH }
        } else {
            Reader { zone: self.zone, epoch: self.epoch }
        }
    }
}

/// The offset of clocks from UTC at a second since 1970.
fn offset(zone: Zone, at: i64) -> i64 {
    zone.offset_at(at).unwrap_or(0)
}

pub(super) struct Reader {
    zone: Option<Zone>,
    epoch: i64,
}

impl Reader {
    /// The time that clocks showed, in units since 1970.
    pub(super) fn instant(&self, seconds: i64, nanos: i64, unit: &Unit) -> Result<i64> {
        // Three bits say how many zeros were left out at the end.
        let zeros = nanos & 7;
        let nanos =
            if zeros == 0 { nanos >> 3 } else { (nanos >> 3).saturating_mul(10i64.pow(zeros as u32 + 1)) };
        let out_of_range = || {
            let unit = match unit.unit {
                TimeUnit::Second => "s",
                TimeUnit::Millisecond => "ms",
                TimeUnit::Microsecond => "us",
                TimeUnit::Nanosecond => "ns",
            };
            Error::overflow(format!(
                "a timestamp {seconds} s from 2015 on is out of range for datetime64[{unit}]; `timestamp_type` \
                 names another"
            ))
        };
        // Some writers have less than none before 1970.
        if nanos.unsigned_abs() > 999_999_999 {
            return Err(Error::invalid_argument(format!("a timestamp with {nanos} nanoseconds")));
        }
        let mut second = seconds.checked_add(self.epoch).ok_or_else(out_of_range)?;
        if let Some(zone) = self.zone {
            second = second.checked_add(offset(zone, second)).ok_or_else(out_of_range)?;
        }
        // Others round the seconds towards 1970, where there is a fraction of a millisecond or more.
        if second < 0 && nanos > 999_999 {
            second = second.checked_sub(1).ok_or_else(out_of_range)?;
        }
        let fraction = nanos.div_euclid(1_000_000_000 / unit.per_second);
        // Before 1970 the product can be too small where the sum is not.
        let value = i128::from(second) * i128::from(unit.per_second) + i128::from(fraction);
        i64::try_from(value).map_err(|_| out_of_range())
    }
}
