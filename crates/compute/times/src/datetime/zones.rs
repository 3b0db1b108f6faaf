//! Instants and the local times of a zone.
//!
//! Zones are those of the IANA database as `chrono-tz` carries it, or fixed offsets. Times are looked up in pieces of
//! time that are made of it once, on all devices.

mod database;
mod pieces;
#[cfg(test)]
mod tests;

use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, TimeUnit, null_mask};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_runtime::parallel;

use super::calendar::{Civil, DAY};
use super::components::is_valid;
use super::time_map::{cuda, integer_at};
use super::timestamp_unit;
use database::{Rule, calendar};
use pieces::{Clock, Pieces, Place, ZonePieces};

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone(Rule);

impl FromStr for Zone {
    type Err = Error;

    /// A zone by its name (`Europe/Berlin`, `UTC`) or offset (`+01:00`, `-0530`, `UTC+01:00`).
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for other texts.
    fn from_str(name: &str) -> Result<Self> {
        Rule::new(name).map(Self)
    }
}

impl Zone {
    /// Seconds ahead of UTC at an instant in seconds since 1970; `None` for an instant that no calendar has.
    #[inline]
    pub fn offset_at(self, instant: i64) -> Option<i64> {
        self.0.offset_at(instant)
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
    let pieces = ZonePieces::of(zone.0);
    let mut texts: Vec<String> = Vec::new();
    let numbers = pieces.periods.iter().map(|(offset, abbreviation)| {
        let text = match (zone.0, text) {
            (Rule::Named(_), ZoneText::Name) => abbreviation.clone(),
            _ => offset_text(*offset, text),
        };
        texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        })
    });
    let numbers: Vec<usize> = numbers.collect();
    let places = pieces.by_instant.map(|period| Place::Number(numbers[period] as i64));
    let refuse =
        |row: usize| Error::overflow(format!("row {row}: the time is out of range in the time zone"));
    let numbers = placed(column, DataType::Int64, &places, false, ctx, |row, _, _| refuse(row))?;
    gather_column(&Column::from_strs(&texts, ctx)?, &numbers, OutOfBoundsPolicy::Nullify, ctx)
}

fn offset_text(offset: i64, text: ZoneText) -> String {
    let (sign, minutes, seconds) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60, offset.abs() % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let colon = if text == ZoneText::Offset { "" } else { ":" };
    let rest = if seconds == 0 { String::new() } else { format!("{colon}{seconds:02}") };
    let prefix = if text == ZoneText::Name { "UTC" } else { "" };
    format!("{prefix}{sign}{hours:02}{colon}{minutes:02}{rest}")
}

/// See [`super::to_local`].
pub(super) fn to_local(column: &Column, zone: Zone, ctx: &Context) -> Result<Column> {
    let pieces = ZonePieces::of(zone.0);
    let places = pieces.by_instant.map(|period| Place::Moved(pieces.periods[period].0));
    converted(column, zone, &places, ctx)
}

/// See [`super::from_local`].
pub(super) fn from_local(
    column: &Column,
    zone: Zone,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
    ctx: &Context,
) -> Result<Column> {
    let places = ZonePieces::of(zone.0).by_clock.map(|clock| match clock {
        Clock::Once(offset) => Place::Moved(-offset),
        Clock::Twice(first, second) => match ambiguous {
            Ambiguous::Raise => Place::Twice,
            Ambiguous::Null => Place::Nowhere,
            Ambiguous::Earlier => Place::Moved(-first.max(second)),
            Ambiguous::Later => Place::Moved(-first.min(second)),
        },
        Clock::Never(change) => match nonexistent {
            Nonexistent::Raise => Place::Never,
            Nonexistent::Null => Place::Nowhere,
            Nonexistent::ShiftForward => Place::At(change),
            Nonexistent::ShiftBackward => Place::Before(change),
        },
    });
    converted(column, zone, &places, ctx)
}

/// Every time at its place: timestamps of the same unit, of seconds for days.
fn converted(column: &Column, zone: Zone, places: &Pieces<Place>, ctx: &Context) -> Result<Column> {
    let unit = timestamp_unit(column)?;
    let to = if unit == TimeUnit::Days { TimeUnit::Seconds } else { unit };
    let are_their_own = zone.0.is_utc() && to == unit;
    placed(column, DataType::Timestamp(to), places, are_their_own, ctx, |_, value, place| {
        let time = Civil::from_units(value, to);
        let mut shown = String::new();
        time.push_date(&mut shown);
        shown.push(' ');
        time.push_time(&mut shown);
        match place {
            Some(Place::Twice) => {
                Error::invalid_argument(format!("{shown} was shown twice in the time zone: give `ambiguous`"))
            }
            Some(Place::Never) => Error::invalid_argument(format!(
                "{shown} was never shown in the time zone: give `nonexistent`"
            )),
            _ => Error::overflow(format!("{shown} is out of range in the time zone")),
        }
    })
}

/// The column of `to` with the places of times. Fails for the first row without one, with what `refuse` says of its
/// number, its value (in seconds for days) and the place that it was to have.
fn placed(
    column: &Column,
    to: DataType,
    places: &Pieces<Place>,
    are_their_own: bool,
    ctx: &Context,
    refuse: impl FnOnce(usize, i64, Option<Place>) -> Error,
) -> Result<Column> {
    let unit = timestamp_unit(column)?;
    let (per_second, scale) = (unit.per_second().unwrap_or(1), if unit == TimeUnit::Days { DAY } else { 1 });
    let refuse = |row: usize| {
        let value = integer_at(column, row)? * scale;
        let seconds = value.div_euclid(per_second);
        let place =
            calendar().contains(&seconds).then(|| places.at(seconds - places.cycles(seconds), &mut 0));
        Ok(refuse(row, value, place))
    };
    if !ctx.is_on_gpu() {
        return placed_on_cpu(column, unit, to, places, are_their_own, ctx, refuse);
    }
    let encoded: Vec<i64> = places.values.iter().flat_map(|place| place.encoded()).collect();
    let places = cuda::Places {
        range: [*calendar().start(), *calendar().end()],
        repeats_from: places.repeats_from,
        starts: &places.starts,
        places: &encoded,
        have_nulls: places.values.contains(&Place::Nowhere),
        are_their_own,
    };
    cuda::placed(column, unit, to, &places, ctx, refuse)
}

fn placed_on_cpu(
    column: &Column,
    unit: TimeUnit,
    to: DataType,
    places: &Pieces<Place>,
    are_their_own: bool,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    if are_their_own && are_in_calendar(column, unit, ctx)? {
        return Ok(column.clone());
    }
    let view = column.view()?;
    if unit == TimeUnit::Days {
        let days = view.values::<i32>()?;
        return place_each::<1>(column, to, places, ctx, refuse, |row| i64::from(days[row]) * DAY);
    }
    let values = view.values::<i64>()?;
    let value = |row: usize| values[row];
    match unit {
        TimeUnit::Milliseconds => place_each::<1_000>(column, to, places, ctx, refuse, value),
        TimeUnit::Microseconds => place_each::<1_000_000>(column, to, places, ctx, refuse, value),
        TimeUnit::Nanoseconds => place_each::<1_000_000_000>(column, to, places, ctx, refuse, value),
        _ => place_each::<1>(column, to, places, ctx, refuse, value),
    }
}

/// The value under a null that a conversion made; no time, since NumPy has it for `NaT`.
const NULL: i64 = i64::MIN;

fn place_each<const PER_SECOND: i64>(
    column: &Column,
    to: DataType,
    places: &Pieces<Place>,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
    value: impl Fn(usize) -> i64 + Sync,
) -> Result<Column> {
    let (view, range) = (column.view()?, calendar());
    let valid = view.validity();
    let (first_bad, nulls) = (AtomicUsize::new(usize::MAX), AtomicUsize::new(0));
    // SAFETY: each place of a morsel is written.
    let moved = unsafe {
        HostUVec::from_morsels(column.len(), ctx, |rows, out| {
            let mut piece = 0;
            for (row, slot) in rows.zip(out) {
                if !is_valid(valid.as_ref(), row) {
                    slot.write(0);
                    continue;
                }
                let value = value(row);
                let seconds = value.div_euclid(PER_SECOND);
                let mut place = None;
                if range.contains(&seconds) {
                    let cycles = places.cycles(seconds);
                    let found = places.at(seconds - cycles, &mut piece);
                    if found == Place::Nowhere {
                        nulls.fetch_add(1, Ordering::Relaxed);
                        slot.write(NULL);
                        continue;
                    }
                    place = found.of(value, PER_SECOND, cycles).filter(|time| *time != NULL);
                }
                slot.write(place.unwrap_or_else(|| {
                    first_bad.fetch_min(row, Ordering::Relaxed);
                    0
                }));
            }
            Ok(())
        })?
    };
    let bad = first_bad.into_inner();
    if bad != usize::MAX {
        return Err(refuse(bad)?);
    }
    let mask = if nulls.into_inner() == 0 {
        column.copy_mask(ctx)?
    } else {
        let is_there = |row: usize| is_valid(valid.as_ref(), row) && moved[row] != NULL;
        Some(null_mask::from_fn(column.len(), ctx, is_there)?)
    };
    Column::new(to, moved, mask)
}

/// Whether a calendar has all times, which are not in days, those under nulls too.
fn are_in_calendar(column: &Column, unit: TimeUnit, ctx: &Context) -> Result<bool> {
    let per_second = unit.per_second().unwrap_or(1);
    let first = calendar().start().saturating_mul(per_second);
    let last = calendar().end().saturating_mul(per_second);
    let view = column.view()?;
    let values = view.values::<i64>()?;
    let are_times = parallel::map_morsels(values.len(), ctx, |rows| {
        Ok(values[rows].iter().fold(true, |all, value| all & (first..=last).contains(value)))
    })?;
    Ok(!are_times.contains(&false))
}
