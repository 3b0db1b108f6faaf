//! Instants and the local times of a zone.
//!
//! Zones are those of the IANA database as `chrono-tz` carries it, or fixed offsets.

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{
    DateTime, Datelike, FixedOffset, MappedLocalTime, NaiveDate, NaiveDateTime, Offset, TimeZone, Utc,
};
use chrono_tz::{OffsetName, Tz};
use cuprum_column::{
    Bitmap, Column, Context, DataType, Error, HostUVec, Result, Scalar, StringBuilder, TimeUnit, Value,
    null_mask,
};
use cuprum_runtime::parallel;

use super::timestamp_unit;

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone(Rule);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// By the IANA database.
    Named(Tz),
    /// Ahead of UTC, always.
    Fixed(FixedOffset),
}

impl FromStr for Zone {
    type Err = Error;

    /// A zone by its name (`Europe/Berlin`, `UTC`) or offset (`+01:00`, `-0530`, `UTC+01:00`).
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for other texts.
    fn from_str(name: &str) -> Result<Self> {
        if let Ok(zone) = name.parse() {
            return Ok(Self(Rule::Named(zone)));
        }
        let offset = name.strip_prefix("UTC").unwrap_or(name);
        match offset.parse() {
            Ok(offset) => Ok(Self(Rule::Fixed(offset))),
            Err(_) => Err(Error::invalid_argument(format!("'{name}' is no time zone of the IANA database"))),
        }
    }
}

/// Treatments of local times that a clock showed twice, when it was put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ambiguous {
    /// An error.
    Raise,
    /// Missing.
    Null,
    /// The first of the two instants, in summer time.
    Earlier,
    /// The second of the two instants, in standard time.
    Later,
}

/// Treatments of local times that a clock never showed, because it was put forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nonexistent {
    /// An error.
    Raise,
    /// Missing.
    Null,
    /// The instant at which the clock was put forward.
    ShiftForward,
    /// The last instant before it.
    ShiftBackward,
}

impl Zone {
    /// Whether its clocks show UTC, at all times.
    fn is_utc(self) -> bool {
        match self.0 {
            Rule::Named(zone) => matches!(
                zone,
                Tz::UTC
                    | Tz::UCT
                    | Tz::Zulu
                    | Tz::Universal
                    | Tz::Etc__UTC
                    | Tz::Etc__UCT
                    | Tz::Etc__Zulu
                    | Tz::Etc__Universal
            ),
            Rule::Fixed(offset) => offset.local_minus_utc() == 0,
        }
    }

    /// Seconds ahead of UTC at an instant in seconds since 1970; `None` for an instant that no calendar has.
    #[inline]
    pub fn offset_at(self, instant: i64) -> Option<i64> {
        let utc = DateTime::from_timestamp(self.in_database(instant), 0)?.naive_utc();
        let offset = match self.0 {
            Rule::Named(zone) => zone.offset_from_utc_datetime(&utc).fix(),
            Rule::Fixed(offset) => offset,
        };
        Some(i64::from(offset.local_minus_utc()))
    }

    /// The offsets that a clock may have when it shows `local` seconds.
    fn offsets_of(self, local: i64) -> Option<MappedLocalTime<i64>> {
        let local: NaiveDateTime = DateTime::from_timestamp(self.in_database(local), 0)?.naive_utc();
        let seconds = |offset: FixedOffset| i64::from(offset.local_minus_utc());
        Some(match self.0 {
            Rule::Named(zone) => zone.offset_from_local_datetime(&local).map(|offset| seconds(offset.fix())),
            Rule::Fixed(offset) => MappedLocalTime::Single(seconds(offset)),
        })
    }

    /// The same moment of a year in the database that has the same days of the week: the last rules go on for ever.
    fn in_database(self, seconds: i64) -> i64 {
        // Changes of clocks that follow the months of Ramadan are in tables, which end before.
        let goes_on = match self.0 {
            Rule::Named(zone) => !matches!(zone, Tz::Africa__Casablanca | Tz::Africa__El_Aaiun),
            Rule::Fixed(_) => false,
        };
        if seconds < DATABASE || !goes_on {
            return seconds;
        }
        let start = |year| NaiveDate::from_yo_opt(year, 1);
        let Some(own) = DateTime::from_timestamp(seconds, 0).and_then(|at| start(at.year())) else {
            return seconds;
        };
        // 28 years have each kind of year.
        let mut like = (2071..2099).rev().filter_map(start);
        let like = like.find(|year| year.leap_year() == own.leap_year() && year.weekday() == own.weekday());
        like.map_or(seconds, |year| seconds - own.signed_duration_since(year).num_seconds())
    }

    /// The instant of the change that a clock skipped `local` seconds at.
    fn change_before(self, local: i64) -> Option<i64> {
        // A clock is put forward by less than a day: the offset changes once in between.
        let (mut low, mut high) = (local - 2 * DAY, local + 2 * DAY);
        let after = self.offset_at(high)?;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.offset_at(middle)? == after { high = middle } else { low = middle }
        }
        Some(high)
    }
}

/// The text of a zone at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneText {
    /// The offset as `+0100`.
    Offset,
    /// The offset as `+01:00`.
    OffsetWithColon,
    /// The abbreviation (`CET`); that of a fixed offset is `UTC+01:00`.
    Name,
}

/// See [`super::print_zone`].
pub(super) fn print_zone(column: &Column, zone: Zone, text: ZoneText, ctx: &Context) -> Result<Column> {
    let unit = timestamp_unit(column)?;
    let per_day = unit.per_day();
    let view = column.view()?;
    let valid = view.validity();
    let (days, ticks) = match unit {
        TimeUnit::Days => (Some(view.values::<i32>()?), None),
        _ => (None, Some(view.values::<i64>()?)),
    };
    let seconds = |row: usize| match (days, ticks) {
        (Some(days), _) => i64::from(days[row]) * DAY,
        (_, Some(ticks)) => ticks[row].div_euclid(per_day / DAY),
        _ => 0,
    };
    let parts = parallel::map_ranges(column.len(), parallel::MORSEL, ctx, |range| {
        let mut builder = StringBuilder::with_capacity(range.len(), range.len() * 6);
        for row in range {
            if !valid.as_ref().is_none_or(|bits| bits.get(row)) {
                builder.push_null();
                continue;
            }
            let written = zone.text_at(seconds(row), text).ok_or_else(|| {
                Error::overflow(format!("row {row}: the time is out of range in the time zone"))
            })?;
            builder.push(&written);
        }
        Ok(builder)
    })?;
    StringBuilder::finish_all(parts, ctx)
}

impl Zone {
    fn text_at(self, instant: i64, text: ZoneText) -> Option<String> {
        let utc = DateTime::from_timestamp(self.in_database(instant), 0)?.naive_utc();
        if let (Rule::Named(zone), ZoneText::Name) = (self.0, text) {
            return Some(zone.offset_from_utc_datetime(&utc).abbreviation().unwrap_or_default().to_owned());
        }
        let offset = self.offset_at(instant)?;
        let (sign, minutes, seconds) =
            (if offset < 0 { '-' } else { '+' }, offset.abs() / 60, offset.abs() % 60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        let colon = if text == ZoneText::Offset { "" } else { ":" };
        let rest = if seconds == 0 { String::new() } else { format!("{colon}{seconds:02}") };
        let prefix = if text == ZoneText::Name { "UTC" } else { "" };
        Some(format!("{prefix}{sign}{hours:02}{colon}{minutes:02}{rest}"))
    }
}

const DAY: i64 = 86_400;
/// December 31st, 2099, in seconds since 1970, a day before the database ends in any zone.
const DATABASE: i64 = 4_102_358_400;

/// See [`super::to_local`].
pub(super) fn to_local(column: &Column, zone: Zone, ctx: &Context) -> Result<Column> {
    if let Some(same) = as_it_is(column, zone, ctx)? {
        return Ok(same);
    }
    convert(column, ctx, |seconds, _| Place::At(zone.offset_at(seconds)))
}

/// See [`super::from_local`].
pub(super) fn from_local(
    column: &Column,
    zone: Zone,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
    ctx: &Context,
) -> Result<Column> {
    if let Some(same) = as_it_is(column, zone, ctx)? {
        return Ok(same);
    }
    convert(column, ctx, |local, per_second| match zone.offsets_of(local) {
        None => Place::At(None),
        Some(MappedLocalTime::Single(offset)) => Place::At(Some(-offset)),
        Some(MappedLocalTime::Ambiguous(first, second)) => match ambiguous {
            Ambiguous::Raise => Place::Refused("was shown twice in the time zone: give `ambiguous`"),
            Ambiguous::Null => Place::Null,
            Ambiguous::Earlier => Place::At(Some(-first.max(second))),
            Ambiguous::Later => Place::At(Some(-first.min(second))),
        },
        Some(MappedLocalTime::None) => match nonexistent {
            Nonexistent::Raise => Place::Refused("was never shown in the time zone: give `nonexistent`"),
            Nonexistent::Null => Place::Null,
            Nonexistent::ShiftForward => Place::Exactly(zone.change_before(local).map(|at| at * per_second)),
            Nonexistent::ShiftBackward => {
                Place::Exactly(zone.change_before(local).map(|at| at * per_second - 1))
            }
        },
    })
}

/// Times as clocks of UTC show them: themselves, in the same memory. `None` in other zones, for days, and where one of
/// them is out of the calendar.
fn as_it_is(column: &Column, zone: Zone, ctx: &Context) -> Result<Option<Column>> {
    let Some(per_second) = timestamp_unit(column)?.per_second().filter(|_| zone.is_utc()) else {
        return Ok(None);
    };
    let first = DateTime::<Utc>::MIN_UTC.timestamp().saturating_mul(per_second);
    let last = DateTime::<Utc>::MAX_UTC.timestamp().saturating_mul(per_second);
    let view = column.view()?;
    let values = view.values::<i64>()?;
    let are_times = parallel::map_morsels(values.len(), ctx, |rows| {
        Ok(values[rows].iter().fold(true, |all, value| all & (first..=last).contains(value)))
    })?;
    Ok((!are_times.contains(&false)).then(|| column.clone()))
}

/// The destination of a time.
enum Place {
    /// By so many seconds; `None` where no calendar has the time.
    At(Option<i64>),
    /// To this many ticks.
    Exactly(Option<i64>),
    /// Missing.
    Null,
    /// No result, for this reason.
    Refused(&'static str),
}

/// Every time moved to the place that `f` gives for its seconds and the ticks of a second.
fn convert(column: &Column, ctx: &Context, f: impl Fn(i64, i64) -> Place + Sync) -> Result<Column> {
    let unit = timestamp_unit(column)?;
    if unit == TimeUnit::Days {
        let view = column.view()?;
        let days = view.values::<i32>()?;
        let second = |row: usize| i64::from(days[row]) * TimeUnit::Seconds.per_day();
        let seconds = HostUVec::from_fn(days.len(), ctx, second)?;
        let seconds = Column::new(DataType::Timestamp(TimeUnit::Seconds), seconds, column.copy_mask(ctx)?)?;
        return convert(&seconds, ctx, f);
    }
    let per_second = unit.per_second().unwrap_or(1);
    let view = column.view()?;
    let (values, valid) = (view.values::<i64>()?, view.validity());
    let is_valid = |row: usize| valid.as_ref().is_none_or(|bits: &Bitmap<'_>| bits.get(row));
    let bad = AtomicUsize::new(usize::MAX);
    let null = AtomicUsize::new(usize::MAX);
    let moved = HostUVec::from_fn(values.len(), ctx, |row| {
        if !is_valid(row) {
            return 0;
        }
        let value = values[row];
        let place = match f(value.div_euclid(per_second), per_second) {
            Place::At(Some(offset)) => offset.checked_mul(per_second).and_then(|o| value.checked_add(o)),
            Place::Exactly(ticks) => ticks,
            Place::Null => {
                null.fetch_min(row, Ordering::Relaxed);
                return NULL;
            }
            Place::At(None) | Place::Refused(_) => None,
        };
        place.filter(|ticks| *ticks != NULL).unwrap_or_else(|| {
            bad.fetch_min(row, Ordering::Relaxed);
            0
        })
    })?;
    let bad = bad.into_inner();
    if bad != usize::MAX {
        let time = Scalar::new(column.data_type(), Value::Int(values[bad]))?;
        let shown =
            super::strftime(&Column::from_scalar(&time, 1, ctx)?, "%Y-%m-%d %H:%M:%S", ctx)?.get(0)?;
        let shown = shown.as_str().unwrap_or("a time").to_owned();
        return Err(match f(values[bad].div_euclid(per_second), per_second) {
            Place::Refused(why) => Error::invalid_argument(format!("{shown} {why}")),
            _ => Error::overflow(format!("{shown} is out of range in the time zone")),
        });
    }
    let mask = if null.into_inner() == usize::MAX {
        column.copy_mask(ctx)?
    } else {
        Some(null_mask::from_fn(values.len(), ctx, |row| is_valid(row) && moved[row] != NULL)?)
    };
    Column::new(column.data_type(), moved, mask)
}

/// The value under a null that a conversion made; no time, since NumPy has it for `NaT`.
const NULL: i64 = i64::MIN;
