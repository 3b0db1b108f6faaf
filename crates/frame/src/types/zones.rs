//! Instants in zones: what clocks there show, and back.

use cuprum_column::{Column, Context, DataType, Detail, Device, Error, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::datetime::{self, Ambiguous, Nonexistent, Zone, ZoneText};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::{copying, replace, strings, unary};

use super::operate::run;
use super::{Datetime, Dtype, MissingTruth, TypedColumn, promotion};

/// The local times of a column: those of the zone, or the times themselves without one.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other dtypes than times.
pub fn local_times(column: &TypedColumn, operation: &str) -> Result<Column> {
    match column.dtype() {
        Dtype::Datetime(Datetime { zone: Some(zone), .. }) => {
            datetime::to_local(column.data()?, zone.parse()?, &column.context()?)
        }
        Dtype::Datetime(_) => column.data().cloned(),
        dtype => dtype.refuse(operation),
    }
}

/// The instants of a column in another zone, `None` for times without one in UTC.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for times without a zone and with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a zone that does not exist.
pub fn convert_zone(column: &TypedColumn, zone: Option<&str>) -> Result<TypedColumn> {
    let Dtype::Datetime(Datetime { unit, zone: Some(_) }) = column.dtype() else {
        return Err(Error::data_type(format!(
            "cannot convert {} to another time zone: give one with tz_localize first",
            column.dtype()
        )));
    };
    let zone = zone.map(|zone| zone.parse::<Zone>().map(|_| zone.into())).transpose()?;
    TypedColumn::new(Dtype::Datetime(Datetime { unit: *unit, zone }), column.data()?.clone())
}

/// Local times in `zone` as instants; `None` takes the zone of instants away and leaves their local times.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for instants that are given a zone, with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a zone that does not exist and for
/// times that come twice or never, unless told what to make of them.
pub fn localize(
    column: &TypedColumn,
    zone: Option<&str>,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
) -> Result<TypedColumn> {
    let local = local_times(column, "tz_localize")?;
    let Some(zone) = zone else { return Ok(local.into()) };
    let Dtype::Datetime(Datetime { zone: None, .. }) = column.dtype() else {
        return Err(Error::data_type(format!(
            "{} has a time zone already: change it with tz_convert",
            column.dtype()
        )));
    };
    let instants = datetime::from_local(&local, zone.parse()?, ambiguous, nonexistent, &local.context()?)?;
    let DataType::Timestamp(unit) = instants.data_type() else {
        return Err(Error::logic("instants are timestamps"));
    };
    TypedColumn::new(Dtype::Datetime(Datetime { unit, zone: Some(zone.into()) }), instants)
}

/// A scalar beside instants of a zone, as a timestamp in UTC: texts are what clocks there show, those with
/// an offset (`2020-01-01T00:00+02:00`, `Z`) instants themselves.
pub fn instant_beside(column: &TypedColumn, scalar: &Scalar) -> Result<Scalar> {
    let (Dtype::Datetime(Datetime { unit, zone: Some(zone) }), DataType::String) =
        (column.dtype(), scalar.data_type())
    else {
        return Ok(scalar.clone());
    };
    let ctx = Context::beside(Device::Cpu)?;
    let text = Column::from_scalar(scalar, 1, &ctx)?;
    // Years that nanoseconds do not reach are of the column's unit.
    let time = promotion::parse_time(scalar, DataType::Timestamp(TimeUnit::Nanoseconds))
        .or_else(|_| promotion::parse_time(scalar, DataType::Timestamp(*unit)))?;
    if !datetime::utc_offsets(&text, None, &ctx)?.has_nulls() {
        return Ok(time);
    }
    instant_on_clocks(&time, zone)
}

/// The instant, in UTC, at which clocks in a zone show a time.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for times that come twice or never.
pub(crate) fn instant_on_clocks(time: &Scalar, zone: &str) -> Result<Scalar> {
    let ctx = Context::beside(Device::Cpu)?;
    let local = Column::from_scalar(time, 1, &ctx)?;
    datetime::from_local(&local, zone.parse()?, Ambiguous::Raise, Nonexistent::Raise, &ctx)?.get(0)
}

/// Instants of a zone and a text that [`instant_beside`] reads, in a unit that holds both: for storing it
/// among them.
pub fn instant_among(column: &TypedColumn, text: &Scalar) -> Result<(TypedColumn, Scalar)> {
    let Dtype::Datetime(kind) = column.dtype() else { return column.dtype().refuse("an instant") };
    let ctx = Context::beside(Device::Cpu)?;
    let instant = Column::from_scalar(&instant_beside(column, text)?, 1, &ctx)?;
    for unit in [kind.unit, TimeUnit::Milliseconds, TimeUnit::Microseconds] {
        if unit < kind.unit {
            continue;
        }
        let coarse = unary::cast(&instant, DataType::Timestamp(unit), &ctx)?;
        let fine = unary::cast(&coarse, instant.data_type(), &ctx)?.get(0)?;
        if fine.as_i64() == instant.get(0)?.as_i64() {
            let to = Dtype::Datetime(Datetime { unit, zone: kind.zone.clone() });
            return Ok((super::cast(column, &to)?, coarse.get(0)?));
        }
    }
    let DataType::Timestamp(unit) = instant.data_type() else { return Err(Error::logic("instants")) };
    let to = Dtype::Datetime(Datetime { unit, zone: kind.zone.clone() });
    Ok((super::cast(column, &to)?, instant.get(0)?))
}

/// The local times of a column of instants, with the offset from UTC, as texts.
pub fn print_instants(column: &TypedColumn) -> Result<Column> {
    let ctx = column.context()?;
    let times = local_times(column, "printing")?;
    let local = unary::cast(&times, DataType::String, &ctx)?;
    // Of midnights the cast prints the day alone, behind which no offset can stand.
    let clocks = strings::find::contains(&local, ":", false, true, &ctx)?;
    let clocks = replace::replace_nulls(&clocks, &Scalar::from(true), false, &ctx)?;
    let whole = datetime::strftime(&times, "%Y-%m-%d %H:%M:%S", &ctx)?;
    let local = copying::copy_if_else(&local, &whole, &clocks, &ctx)?;
    let zone = zone_texts(column, ZoneText::OffsetWithColon)?;
    let parts = [Some(&local), zone.as_ref()].into_iter().flatten().collect::<Vec<_>>();
    strings::combine::concatenate(&parts, "", None, &ctx)
}

/// Times as texts by a format with Python's directives, `%z` and `%Z` being those of the zone.
pub fn print_times(column: &TypedColumn, format: &str) -> Result<Column> {
    let ctx = column.context()?;
    let local = local_times(column, "`dt`")?;
    let mut parts = vec![];
    let (mut plain, mut chars) = (String::new(), format.chars());
    while let Some(c) = chars.next() {
        let directive = if c == '%' { chars.next() } else { None };
        let text = match directive {
            Some('z') => ZoneText::Offset,
            Some('Z') => ZoneText::Name,
            other => {
                plain.push(c);
                plain.extend(other);
                continue;
            }
        };
        if let Some(zone) = zone_texts(column, text)? {
            parts.push(datetime::strftime(&local, &std::mem::take(&mut plain), &ctx)?);
            parts.push(zone);
        }
    }
    parts.push(datetime::strftime(&local, &plain, &ctx)?);
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    strings::combine::concatenate(&parts.iter().collect::<Vec<_>>(), "", None, &ctx)
}

/// The zone of every instant in words; `None` for times without one.
fn zone_texts(column: &TypedColumn, text: ZoneText) -> Result<Option<Column>> {
    let Dtype::Datetime(Datetime { zone: Some(zone), .. }) = column.dtype() else { return Ok(None) };
    datetime::print_zone(column.data()?, zone.parse()?, text, &column.context()?).map(Some)
}

/// Texts as times of `unit`: by a format, or ISO 8601 without one. Texts that say an offset are instants of
/// that one; with `utc` all are instants in UTC.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a text that is no time and,
/// without `utc`, for texts of several offsets.
pub fn read_times(texts: &Column, format: Option<&str>, unit: TimeUnit, utc: bool) -> Result<TypedColumn> {
    let ctx = texts.context()?;
    let times = datetime::strptime(texts, format, unit, &ctx)?;
    if utc {
        return times_by_clock(times, 0);
    }
    let offsets = datetime::utc_offsets(texts, format, &ctx)?;
    let bound = |how| Ok::<_, Error>(reduce(&offsets, how, &ctx)?.as_i64());
    let (Some(least), Some(most)) = (bound(Aggregation::Min)?, bound(Aggregation::Max)?) else {
        return Ok(times.into());
    };
    if least != most || offsets.null_count()? != texts.null_count()? {
        return Err(Error::invalid_argument(
            "mixed time zones detected: texts with several offsets from UTC become times with `utc`=True",
        )
        .with_detail(Detail::MixedOffsets));
    }
    times_by_clock(times, least / 60)
}

/// Times of UTC as those of the zone whose clocks are always so many minutes ahead.
pub(crate) fn times_by_clock(times: Column, minutes: i64) -> Result<TypedColumn> {
    let (sign, ahead) = (if minutes < 0 { '-' } else { '+' }, minutes.abs());
    let zone = match minutes {
        0 => "UTC".to_string(),
        _ => format!("{sign}{:02}:{:02}", ahead / 60, ahead % 60),
    };
    let DataType::Timestamp(unit) = times.data_type() else {
        return Err(Error::data_type(format!("times in a zone cannot be {}", times.data_type())));
    };
    TypedColumn::new(Dtype::Datetime(Datetime { unit, zone: Some(zone.into()) }), times)
}

/// Whether a date and time in text ends with a distance from UTC.
pub(crate) fn says_offset(text: &str) -> bool {
    let clock = text.find(['T', 't', ' ']).map_or("", |at| &text[at + 1..]);
    clock.contains(['+', '-']) || clock.ends_with(['Z', 'z'])
}

/// `column op instant` for instants of a zone, the other one a timestamp in UTC; or `instant op column`.
pub fn operate_instant(
    column: &TypedColumn,
    instant: &Scalar,
    op: BinaryOperator,
    reflected: bool,
) -> Result<TypedColumn> {
    operate_instant_as(column, instant, op, reflected, MissingTruth::Decided)
}

/// [`operate_instant`] with a choice of what truth values come of missing elements.
pub fn operate_instant_as(
    column: &TypedColumn,
    instant: &Scalar,
    op: BinaryOperator,
    reflected: bool,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    if let Dtype::Categorical(_) = column.dtype()
        && matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual)
    {
        return operate_instant_as(&column.decoded()?, instant, op, reflected, truth);
    }
    if !matches!(column.dtype(), Dtype::Datetime(Datetime { zone: Some(_), .. })) {
        return Err(Error::data_type(format!(
            "operator {op} does not take {} and an instant in a time zone",
            column.dtype()
        )));
    }
    let result = column.dtype().binary(op, column.dtype())?;
    let data = column.data()?;
    let (left, right) = if reflected { (instant.into(), data.into()) } else { (data.into(), instant.into()) };
    let data = run(left, right, op, truth)?;
    match result {
        Dtype::Timedelta(_) => Ok(data.into()),
        result => TypedColumn::new(result, data),
    }
}

/// Times rounded to a multiple of a frequency by `round`: in local time, where there is a zone. Results that
/// are ambiguous or do not exist there are treated as in [`localize`].
pub fn round_times(
    column: &TypedColumn,
    operation: &str,
    (ambiguous, nonexistent): (Ambiguous, Nonexistent),
    round: impl FnOnce(&Column, &Context) -> Result<Column>,
) -> Result<TypedColumn> {
    let ctx = column.context()?;
    if let Dtype::Timedelta(_) = column.dtype() {
        return column.moved(|data| round(data, &ctx));
    }
    let rounded = round(&local_times(column, operation)?, &ctx)?;
    match column.dtype() {
        Dtype::Datetime(Datetime { zone: Some(zone), unit }) => {
            let local: TypedColumn = unary::cast(&rounded, DataType::Timestamp(*unit), &ctx)?.into();
            localize(&local, Some(zone), ambiguous, nonexistent)
        }
        _ => Ok(rounded.into()),
    }
}
