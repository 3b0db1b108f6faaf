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
    let period = Period::new(period);
    match Stored::of(&view)? {
        Stored::Days(values) => {
            map_times(len, to, mask, ctx, |row| period.round(values[row].into(), mode), refuse)
        }
        Stored::Other(values) => map_times(len, to, mask, ctx, |row| period.round(values[row], mode), refuse),
    }
}

/// A length that times are divided by.
struct Period {
    length: i64,
    /// Of the lengths by which the product with it misses a quotient by less than 1; else 0.
    reciprocal: f64,
}

impl Period {
    fn new(length: i64) -> Self {
        // Three roundings of 53 bits are then less than 3/8 of quotients below 2^51, and twice the length fits.
        let has_reciprocal = (1 << 13..1 << 61).contains(&length);
        Self { length, reciprocal: if has_reciprocal { 1.0 / length as f64 } else { 0.0 } }
    }

    /// The quotient, rounded down, and the rest.
    #[inline(always)]
    fn divide(&self, value: i64) -> (i64, i64) {
        if self.reciprocal == 0.0 {
            return (value.div_euclid(self.length), value.rem_euclid(self.length));
        }
        let mut quotient = (value as f64 * self.reciprocal) as i64;
        // Wraps where the multiple is out of range, and wraps back.
        let mut rest = value.wrapping_sub(quotient.wrapping_mul(self.length));
        // Towards zero is one more than down where it is negative.
        for _ in 0..2 {
            let is_less = rest >> 63;
            quotient += is_less;
            rest += self.length & is_less;
        }
        let is_more = i64::from(rest >= self.length);
        (quotient + is_more, rest - self.length * is_more)
    }

    /// The multiple that a value is rounded to; `None` where it does not fit.
    #[inline(always)]
    fn round(&self, value: i64, mode: Mode) -> Option<i64> {
        let (quotient, rest) = self.divide(value);
        // The other part of the length: twice the rest could overflow.
        let other = self.length - rest;
        let is_up = match mode {
            Mode::Floor => false,
            Mode::Ceil => rest > 0,
            Mode::HalfEven => rest > other || (rest == other && quotient & 1 == 1),
        };
        if is_up { value.checked_add(other) } else { value.checked_sub(rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::Period;

    #[test]
    fn quotients_by_reciprocals_are_those_of_divisions() {
        let mut random = cuprum_testing::Random(3);
        let edges = [1, 2, (1 << 13) - 1, 1 << 13, (1 << 61) - 1, 1 << 61, i64::MAX];
        let any = (0..200).map(|i| ((random.next() as i64) >> (1 + i % 61)).max(1));
        for length in edges.into_iter().chain(any.collect::<Vec<_>>()) {
            let period = Period::new(length);
            let check = |value: i64| {
                let expected = (value.div_euclid(length), value.rem_euclid(length));
                assert_eq!(period.divide(value), expected, "{value} by {length}");
            };
            for value in [0, 1, -1, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1] {
                check(value);
            }
            for i in 0..2000 {
                let value = (random.next() as i64) >> (i % 64);
                let multiple = value.wrapping_sub(value.rem_euclid(length));
                check(value);
                for near in [multiple.wrapping_sub(1), multiple, multiple.wrapping_add(1)] {
                    check(near);
                }
            }
        }
    }
}
