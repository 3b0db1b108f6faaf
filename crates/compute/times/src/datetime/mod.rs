//! Parts, rounding, parsing and printing of times.
//!
//! Times are counted from 1970-01-01 in the proleptic Gregorian calendar, without leap seconds and
//! without a zone (or in UTC). All units are taken, negative times included; parts of a time in
//! days are those of its midnight. A null row gives a null. A column of another type fails with
//! [`DataType`](cuprum_column::ErrorKind::DataType).
//!
//! | function | pandas |
//! |---|---|
//! | [`extract_component`] | `dt.year`, `dt.is_month_end`, `dt.days_in_month`, … |
//! | [`isocalendar`], [`day_names`], [`month_names`] | `dt.isocalendar()`, `dt.day_name()`, `dt.month_name()` |
//! | [`floor`], [`ceil`], [`round`] | `dt.floor("15min")`, … |
//! | [`strftime`], [`strptime`] | `dt.strftime`, `to_datetime` |
//! | [`timestamps_from_components`] | `to_datetime` of a frame |
//! | [`to_local`], [`from_local`], [`print_zone`] | `dt.tz_convert`, `dt.tz_localize`, `%z` |
//! | [`utc_offsets`] | `to_datetime` of texts with offsets |
//! | [`add_months`] | `DateOffset(months=…)` |
//!
//! Directives of [`strftime`] and [`strptime`]: `%Y %m %d %H %M %S %f %j %y %C %b %h %B %a %A %p
//! %I %U %W %u %w %G %V %z %Z %%`, the compositions `%F %T %D %R %r %c %x %X`, `%e` (day filled with
//! a space), `%N` (the nine digits of a fraction), `%n`, `%t`, and `%-d` and the like for numbers that are not filled up.

use cuprum_column::{Column, Context, DataType, Error, Result, Table, TimeUnit};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elements::string_map::OnError;

mod build;
pub mod calendar;
mod component;
mod components;
pub mod cuda;
mod fast_civil;
pub(crate) mod format;
mod iso;
pub mod parse;
mod rounding;
pub(crate) mod time_map;
mod zones;

#[cfg(test)]
mod tests;

use build::Months;
pub use build::{ComponentColumns, MovedComponents};
pub use calendar::civil_from_days;
pub use component::DatetimeComponent;
use format::Field;
pub use iso::parse_iso;
pub use rounding::{RoundingFrequency, RoundingUnit};
pub use zones::{Ambiguous, Nonexistent, Zone, ZoneText};

/// The local times of `zone` at instants: timestamps without a zone, in the same unit (seconds for days).
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) for instants that the unit does not hold as
/// local time or that no calendar has.
pub fn to_local(column: &Column, zone: Zone, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.to_local");
    check_device!(ctx, [column]);
    zones::to_local(column, zone, ctx)
}

/// The instants at which clocks in `zone` show the times of a column, in the same unit (seconds for days).
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), naming the time, for those
/// that come twice or never, unless the options treat them, and like [`to_local`].
pub fn from_local(
    column: &Column,
    zone: Zone,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"datetime.from_local");
    check_device!(ctx, [column]);
    zones::from_local(column, zone, ambiguous, nonexistent, ctx)
}

/// The text of the zone at every instant: its offset from UTC or its abbreviation.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) for instants that no calendar has.
pub fn print_zone(column: &Column, zone: Zone, text: ZoneText, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.print_zone");
    check_device!(ctx, [column]);
    zones::print_zone(column, zone, text, ctx)
}

/// The seconds that every text is ahead of UTC by its own offset (`+02:00`, `Z`), as `Int32`; null
/// where it does not say and where it is no time. `format` is that of [`strptime`].
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a directive that is not
/// known.
pub fn utc_offsets(column: &Column, format: Option<&str>, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.utc_offsets");
    check_device!(ctx, [column]);
    parse::utc_offsets(column, format, ctx)
}

/// The unit of a column of timestamps.
fn timestamp_unit(column: &Column) -> Result<TimeUnit> {
    match column.data_type() {
        DataType::Timestamp(unit) => Ok(unit),
        other => Err(Error::data_type(format!("expected timestamps, found {other}"))),
    }
}

/// A part of every timestamp, as `Int32` or `Bool8` ([`DatetimeComponent::data_type`]).
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) for a year that does not fit 32 bits.
pub fn extract_component(column: &Column, component: DatetimeComponent, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.extract_component");
    check_device!(ctx, [column]);
    let unit = timestamp_unit(column)?;
    on_device!(
        ctx,
        components::extract(column, unit, component, ctx),
        cuda::extract(column, unit, component, ctx)
    )
}

/// Year, week and day of the week of ISO 8601 as three `Int32` columns.
pub fn isocalendar(column: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"datetime.isocalendar");
    check_device!(ctx, [column]);
    use DatetimeComponent::{IsoDay, IsoWeek, IsoYear};
    Table::new(
        [IsoYear, IsoWeek, IsoDay]
            .into_iter()
            .map(|part| extract_component(column, part, ctx))
            .collect::<Result<_>>()?,
    )
}

/// The number of days of the month of every timestamp; `Int32`.
pub fn days_in_month(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.days_in_month");
    check_device!(ctx, [column]);
    extract_component(column, DatetimeComponent::DaysInMonth, ctx)
}

/// The English name of the day of the week, `Monday` to `Sunday`.
pub fn day_names(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.day_names");
    check_device!(ctx, [column]);
    names(column, Field::WeekdayName, ctx)
}

/// The English name of the month.
pub fn month_names(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.month_names");
    check_device!(ctx, [column]);
    names(column, Field::MonthName, ctx)
}

/// The names that a field of each time has.
fn names(column: &Column, field: Field, ctx: &Context) -> Result<Column> {
    timestamp_unit(column)?;
    let Some((component, names)) = field.names() else { return Err(Error::logic("fields of names")) };
    // Each row takes one of a few names by its number.
    let numbers = extract_component(column, component, ctx)?;
    gather_column(&Column::from_strs(&names, ctx)?, &numbers, OutOfBoundsPolicy::Nullify, ctx)
}

/// Every timestamp or duration rounded down to a multiple of `frequency` (counted from 1970-01-01),
/// in the type of the column.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) when the multiples are
/// no whole numbers of the unit of the column (1500 ms of seconds, say), and with
/// [`Overflow`](cuprum_column::ErrorKind::Overflow) when a result leaves the range of the type.
pub fn floor(column: &Column, frequency: RoundingFrequency, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.floor");
    check_device!(ctx, [column]);
    rounding::run(column, frequency, rounding::Mode::Floor, ctx)
}

/// [`floor`], rounding up.
pub fn ceil(column: &Column, frequency: RoundingFrequency, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.ceil");
    check_device!(ctx, [column]);
    rounding::run(column, frequency, rounding::Mode::Ceil, ctx)
}

/// [`floor`], rounding to the nearest multiple; of two as near, to the even one.
pub fn round(column: &Column, frequency: RoundingFrequency, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.round");
    check_device!(ctx, [column]);
    rounding::run(column, frequency, rounding::Mode::HalfEven, ctx)
}

/// Every timestamp as text in a format of [directives](self), in English, without a zone (`%z` and
/// `%Z` are empty).
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) naming a directive that
/// is not known.
pub fn strftime(column: &Column, format: &str, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.strftime");
    check_device!(ctx, [column]);
    let (unit, items) = (timestamp_unit(column)?, format::parse_format(format)?);
    if let [format::Item::Field(field, _)] = items[..]
        && field.names().is_some()
    {
        return names(column, field, ctx);
    }
    on_device!(
        ctx,
        components::print(column, unit, &items, ctx),
        format::cuda::print(column, unit, &items, ctx)
    )
}

/// Text as timestamps of `unit`; finer digits are dropped (rounded down).
///
/// `format` has the [directives](self) of Python's `strptime` and must account for the whole text;
/// parts it does not name are those of 1900-01-01 00:00:00. White space in it matches any amount of
/// it, letters match in either case, `%f` takes up to nine digits, `%z` converts to UTC. Without a
/// format the rows are in a form of ISO 8601 ([`parse_iso`]), each in its own.
///
/// The first row that does not parse fails with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), one out of the range of the type
/// with [`Overflow`](cuprum_column::ErrorKind::Overflow); both name the row and its text.
pub fn strptime(column: &Column, format: Option<&str>, unit: TimeUnit, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.strptime");
    check_device!(ctx, [column]);
    parse::strptime(column, format, unit, OnError::Fail, ctx)
}

/// [`strptime`] that gives null for rows that do not parse or do not fit (pandas'
/// `errors="coerce"`).
pub fn strptime_or_null(
    column: &Column,
    format: Option<&str>,
    unit: TimeUnit,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"datetime.strptime_or_null");
    check_device!(ctx, [column]);
    parse::strptime(column, format, unit, OnError::Null, ctx)
}

/// Timestamps of `unit` from their parts, row by row; null where a part is null.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) naming the first row
/// whose parts are no date and time, with [`Overflow`](cuprum_column::ErrorKind::Overflow) where it
/// is out of the range of the type, with [`Logic`](cuprum_column::ErrorKind::Logic) when the lengths
/// differ, with [`DataType`](cuprum_column::ErrorKind::DataType) for a column that is not of
/// integers.
pub fn timestamps_from_components(
    parts: &ComponentColumns<'_>,
    unit: TimeUnit,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"datetime.timestamps_from_components");
    check_device!(ctx, [parts]);
    build::from_components(parts, unit, ctx)
}

/// Every timestamp `months` calendar months later (earlier where negative), at the same time of
/// the day; where the month is too short, on its last day.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) naming the first row whose result is
/// out of the range of the type.
pub fn add_months(column: &Column, months: i64, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.add_months");
    check_device!(ctx, [column]);
    build::add_months(column, timestamp_unit(column)?, Months::All(months), ctx)
}

/// [`add_months`] with a number of months for every row: `months` is a column of integers; null
/// where either is null.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) when the lengths differ as well.
pub fn add_months_each(column: &Column, months: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"datetime.add_months_each");
    check_device!(ctx, [column, months]);
    build::add_months(column, timestamp_unit(column)?, Months::Of(months), ctx)
}
