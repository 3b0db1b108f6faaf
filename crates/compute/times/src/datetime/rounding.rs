//! Rounding to multiples of a length of time.

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Native, Result, TimeUnit};

use super::components::is_valid;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Floor,
    Ceil,
    HalfEven,
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
    match unit {
        TimeUnit::Days => round_stored::<i32>(column, period, mode, ctx),
        _ => round_stored::<i64>(column, period, mode, ctx),
    }
}

fn round_stored<T: Native + TryFrom<i64>>(
    column: &Column,
    period: i64,
    mode: Mode,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let values = view.values::<T>()?;
    let valid = view.validity();
    let first_bad = AtomicUsize::new(usize::MAX);
    let rounded = |value: i64| -> Option<T> {
        let quotient = value.div_euclid(period);
        // Wraps where the multiple below is out of range, and wraps back.
        let rest = value.wrapping_sub(quotient.wrapping_mul(period));
        let up = match mode {
            Mode::Floor => false,
            Mode::Ceil => rest > 0,
            // `period - rest` cannot overflow, twice the rest could.
            Mode::HalfEven => rest > period - rest || (rest == period - rest && quotient & 1 == 1),
        };
        let result = if up { value.checked_add(period - rest) } else { value.checked_sub(rest) };
        result.and_then(|value| T::try_from(value).ok())
    };
    let out = HostUVec::from_fn(values.len(), ctx, |i| {
        rounded(values[i].as_i64()).unwrap_or_else(|| {
            // Values under a null do not count.
            if is_valid(valid.as_ref(), i) {
                first_bad.fetch_min(i, Ordering::Relaxed);
            }
            T::zeroed()
        })
    })?;
    let bad = first_bad.into_inner();
    if bad != usize::MAX {
        return Err(Error::overflow(format!(
            "row {bad}: {} rounded to a multiple of {period} is out of the range of {}",
            values[bad].as_i64(),
            column.data_type()
        )));
    }
    Column::new(column.data_type(), out, column.copy_mask(ctx)?)
}
