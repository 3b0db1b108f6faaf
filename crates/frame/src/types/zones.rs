//! Instants in zones: what clocks there show, and back.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::datetime::{self, Ambiguous, Nonexistent, Zone};
use cuprum_compute::unary;

use super::operate::run;
use super::{Datetime, Dtype, TypedColumn};

/// What clocks show at the times of a column: those of the zone, or the times themselves without one.
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

/// Times without a zone as what clocks in `zone` showed; `None` takes the zone of instants away and leaves
/// what clocks there show.
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

/// A scalar beside instants of a zone, as a timestamp in UTC: texts are what clocks there show, unless they
/// say how far ahead of UTC those are.
pub fn instant_beside(column: &TypedColumn, scalar: &Scalar) -> Result<Scalar> {
    let (Dtype::Datetime(Datetime { unit, zone: Some(zone) }), Some(text)) =
        (column.dtype(), scalar.as_str())
    else {
        return Ok(scalar.clone());
    };
    let ctx = Context::beside(Device::Cpu)?;
    let time = datetime::strptime(&Column::from_scalar(scalar, 1, &ctx)?, None, *unit, &ctx)?;
    if says_offset(text) { time.get(0) } else { instant_on_clocks(&time.get(0)?, zone) }
}

/// The instant, in UTC, at which clocks in a zone show a time.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for times that come twice or never.
pub(crate) fn instant_on_clocks(time: &Scalar, zone: &str) -> Result<Scalar> {
    let ctx = Context::beside(Device::Cpu)?;
    let local = Column::from_scalar(time, 1, &ctx)?;
    datetime::from_local(&local, zone.parse()?, Ambiguous::Raise, Nonexistent::Raise, &ctx)?.get(0)
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
    if !matches!(column.dtype(), Dtype::Datetime(Datetime { zone: Some(_), .. })) {
        return Err(Error::data_type(format!(
            "operator {op:?} does not take {} and an instant in a time zone",
            column.dtype()
        )));
    }
    let result = column.dtype().binary(op, column.dtype())?;
    let data = column.data()?;
    let data =
        if reflected { run(instant.into(), data.into(), op)? } else { run(data.into(), instant.into(), op)? };
    match result {
        Dtype::Timedelta(_) => Ok(data.into()),
        result => TypedColumn::new(result, data),
    }
}

/// Times rounded to a multiple of a frequency by `round`: by what clocks show, where there is a zone.
pub fn round_times(
    column: &TypedColumn,
    operation: &str,
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
            localize(&local, Some(zone), Ambiguous::Raise, Nonexistent::Raise)
        }
        _ => Ok(rounded.into()),
    }
}
