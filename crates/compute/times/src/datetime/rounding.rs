//! Rounding to multiples of a length of time.

use std::str::FromStr;

use cuprum_column::{Column, Context, DataType, Error, Result, TimeUnit};
use cuprum_runtime::backend::on_device;

use super::components::Stored;
use super::time_map::{cuda, integer_at, map_times};

/// A unit of [`RoundingFrequency`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum RoundingUnit {
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
}

impl RoundingUnit {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Day, "D"),
        (Self::Hour, "h"),
        (Self::Minute, "min"),
        (Self::Second, "s"),
        (Self::Millisecond, "ms"),
        (Self::Microsecond, "us"),
        (Self::Nanosecond, "ns"),
    ];

    /// Nanoseconds of the unit.
    pub const fn nanoseconds(self) -> i64 {
        match self {
            Self::Day => 86_400_000_000_000,
            Self::Hour => 3_600_000_000_000,
            Self::Minute => 60_000_000_000,
            Self::Second => 1_000_000_000,
            Self::Millisecond => 1_000_000,
            Self::Microsecond => 1_000,
            Self::Nanosecond => 1,
        }
    }
}

/// A length of time to round to: `count` (at least 1) times a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoundingFrequency {
    /// The number of units.
    pub count: i64,
    /// The unit.
    pub unit: RoundingUnit,
}

/// pandas' spelling: an optional count and `D`, `h`, `min`, `s`, `ms`, `us` or `ns`, as in `15min`.
impl FromStr for RoundingFrequency {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || {
            Error::invalid_argument(format!(
                "`freq` {text:?} is not a number of D, h, min, s, ms, us or ns, such as \"15min\""
            ))
        };
        let trimmed = text.trim();
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let (count, unit) = trimmed.split_at(digits);
        let count = if count.is_empty() { 1 } else { count.parse().map_err(|_| bad())? };
        let unit = unit.trim_start();
        let (unit, _) = RoundingUnit::ALL.into_iter().find(|(_, code)| *code == unit).ok_or_else(bad)?;
        if count < 1 {
            return Err(bad());
        }
        Ok(Self { count, unit })
    }
}

impl std::fmt::Display for RoundingFrequency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = RoundingUnit::ALL.iter().find(|(unit, _)| *unit == self.unit).map_or("", |(_, code)| code);
        write!(f, "{}{code}", self.count)
    }
}

/// As `map_times.cu` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Floor = 0,
    Ceil = 1,
    HalfEven = 2,
}

pub(super) fn run(
    column: &Column,
    frequency: RoundingFrequency,
    mode: Mode,
    ctx: &Context,
) -> Result<Column> {
    let (DataType::Timestamp(unit) | DataType::Duration(unit)) = column.data_type() else {
        return Err(Error::data_type(format!(
            "expected timestamps or durations, found {}",
            column.data_type()
        )));
    };
    if frequency.count < 1 {
        return Err(Error::invalid_argument(format!("`frequency` {frequency} must be at least 1")));
    }
    let nanos_of_unit = i128::from(TimeUnit::Nanoseconds.per_day() / unit.per_day());
    let nanos = i128::from(frequency.count) * i128::from(frequency.unit.nanoseconds());
    if nanos_of_unit % nanos == 0 {
        // Every time of the column is a multiple.
        return Ok(column.clone());
    }
    if nanos % nanos_of_unit != 0 {
        return Err(Error::invalid_argument(format!(
            "`frequency` {frequency} is no whole number of the unit {} of the column",
            unit.code()
        )));
    }
    let period = i64::try_from(nanos / nanos_of_unit)
        .map_err(|_| Error::overflow(format!("`frequency` {frequency} is longer than the range of times")))?;
    let to = column.data_type();
    let refuse = |row: usize| {
        let value = integer_at(column, row)?;
        Ok(Error::overflow(format!(
            "row {row}: {value} rounded to a multiple of {period} is out of the range of {to}"
        )))
    };
    on_device!(
        ctx,
        rounded(column, period, mode, ctx, refuse),
        cuda::rounded(column, period, mode as u32, ctx, refuse)
    )
}

fn rounded(
    column: &Column,
    period: i64,
    mode: Mode,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    let view = column.view()?;
    let (len, to, mask) = (column.len(), column.data_type(), column.copy_mask(ctx)?);
    let round = |value: i64| {
        let (quotient, rest) = (value.div_euclid(period), value.rem_euclid(period));
        // The other part of the length: twice the rest could overflow.
        let other = period - rest;
        let is_up = match mode {
            Mode::Floor => false,
            Mode::Ceil => rest > 0,
            Mode::HalfEven => rest > other || (rest == other && quotient & 1 == 1),
        };
        if is_up { value.checked_add(other) } else { value.checked_sub(rest) }
    };
    match Stored::of(&view)? {
        Stored::Days(values) => map_times(len, to, mask, ctx, |row| round(values[row].into()), refuse),
        Stored::Other(values) => map_times(len, to, mask, ctx, |row| round(values[row]), refuse),
    }
}
