//! Days of the calendar.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, TimeUnit};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary;

use super::operate::{operate_as, run};
use super::{Datetime, Dtype, MissingTruth, Timedelta, TypeRules, TypedColumn, no_aggregation, no_operator};

/// Days of the calendar, without a time of day: Python's `datetime.date`, Arrow's `date32`.
///
/// A day is no point in time. It is compared with days alone; beside the points in time of a column it is its midnight,
/// as in pandas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date;

impl Date {
    /// The dtype of the difference of two days.
    const DIFFERENCE: Timedelta = Timedelta { unit: TimeUnit::Microseconds };
}

impl TypeRules for Date {
    /// As Arrow calls it; pandas has Python's objects.
    fn name(&self) -> String {
        "date32".into()
    }

    fn storage(&self) -> DataType {
        DataType::Timestamp(TimeUnit::Days)
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn common(&self, _: &Dtype) -> Option<Dtype> {
        None
    }

    /// Days are compared and subtracted; a timedelta moves them by its whole days.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        match other {
            Dtype::Date(_) | Dtype::Datetime(_) if op.is_comparison() => Ok(Dtype::plain(DataType::Bool8)),
            Dtype::Date(_) if op == BinaryOperator::Sub => Ok(Dtype::Timedelta(Self::DIFFERENCE)),
            Dtype::Timedelta(_) if matches!(op, BinaryOperator::Add | BinaryOperator::Sub) => {
                Ok(Dtype::Date(*self))
            }
            _ => Err(no_operator(op, &self.name(), &other.name())),
        }
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how.result_type(self.storage())? {
            storage if storage == self.storage() && !is_between(how) => Ok(Dtype::Date(*self)),
            DataType::Int64 => Ok(Dtype::plain(DataType::Int64)),
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}

/// Whether an aggregation gives what may lie between two elements.
fn is_between(how: Aggregation) -> bool {
    matches!(how, Aggregation::Mean | Aggregation::Median | Aggregation::Quantile(_))
}

/// The points in time at which days begin.
pub(crate) fn midnights(days: &TypedColumn, unit: TimeUnit) -> Result<TypedColumn> {
    Ok(unary::cast(days.data()?, DataType::Timestamp(unit), &days.context()?)?.into())
}

/// The days of points in time without a zone.
pub(crate) fn days(times: &TypedColumn) -> Result<TypedColumn> {
    Ok(unary::cast(times.values("dt.date")?, Date.storage(), &times.context()?)?.into())
}

/// Midnights as days. Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another time of day.
pub(super) fn whole_days(times: &TypedColumn, ctx: &Context) -> Result<TypedColumn> {
    let whole = days(times)?;
    let back = TypedColumn::from(unary::cast(whole.data()?, times.dtype().storage(), ctx)?);
    if back.equals(times)? {
        return Ok(whole);
    }
    Err(Error::invalid_argument(format!(
        "cannot cast {} to {}: some times are no midnights; `dt.date` gives the days that they are in",
        times.dtype(),
        Dtype::Date(Date)
    )))
}

/// `left op right` where at least one column has days.
pub(super) fn operate(
    left: &TypedColumn,
    right: &TypedColumn,
    op: BinaryOperator,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    let result =
        Date.binary(op, if let Dtype::Date(_) = left.dtype() { right.dtype() } else { left.dtype() });
    let refused = || no_operator(op, &left.dtype().name(), &right.dtype().name());
    let result = result.map_err(|_| refused())?;
    match (left.dtype(), right.dtype()) {
        (Dtype::Date(_), Dtype::Date(_)) => {
            let both = run(left.data()?.into(), right.data()?.into(), op, truth)?;
            TypedColumn::new(result.clone(), unary::cast(&both, result.storage(), &both.context()?)?)
        }
        (Dtype::Date(_), Dtype::Datetime(Datetime { unit, .. })) => {
            operate_as(&midnights(left, *unit)?, right, op, truth)
        }
        (Dtype::Datetime(Datetime { unit, .. }), Dtype::Date(_)) => {
            operate_as(left, &midnights(right, *unit)?, op, truth)
        }
        (Dtype::Date(_), Dtype::Timedelta(_)) => {
            let by = unary::cast(right.data()?, WHOLE_DAYS, &right.context()?)?;
            TypedColumn::new(result, run(left.data()?.into(), (&by).into(), op, truth)?)
        }
        (Dtype::Timedelta(_), Dtype::Date(_)) if op == BinaryOperator::Add => operate(right, left, op, truth),
        _ => Err(refused()),
    }
}

/// `days op scalar`, or `scalar op days` when `reflected`.
pub(super) fn operate_scalar(
    days: &TypedColumn,
    scalar: &Scalar,
    op: BinaryOperator,
    reflected: bool,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    let stored = scalar.data_type();
    let (dtype, other) = match stored {
        _ if scalar.is_null() => (Dtype::Date(Date), Scalar::null(Date.storage())),
        _ if stored == Date.storage() => (Dtype::Date(Date), scalar.clone()),
        _ if stored.is_duration() => {
            let one = Column::from_scalar(scalar, 1, &Context::beside(Device::Cpu)?)?;
            let whole = unary::cast(&one, WHOLE_DAYS, &one.context()?)?.get(0)?;
            (Dtype::plain(stored), whole)
        }
        // No day is equal to a point in time, a text or a number.
        _ if matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual) => {
            return TypedColumn::computed(truth.never_equal(op, &[days.data()?]));
        }
        _ => return Err(no_operator(op, &days.dtype().name(), &Dtype::plain(stored).name())),
    };
    let result = Date.binary(op, &dtype);
    let is_known = dtype == Dtype::Date(Date) || !reflected || op == BinaryOperator::Add;
    let result = result.ok().filter(|_| is_known).ok_or_else(|| {
        let (left, right) = if reflected { (&dtype, days.dtype()) } else { (days.dtype(), &dtype) };
        no_operator(op, &left.name(), &right.name())
    })?;
    // Days and a duration are added in this order only.
    let is_reflected = reflected && dtype == Dtype::Date(Date);
    let (days, other) = (days.data()?.into(), (&other).into());
    let made = if is_reflected { run(other, days, op, truth)? } else { run(days, other, op, truth)? };
    TypedColumn::new(result.clone(), unary::cast(&made, result.storage(), &made.context()?)?)
}

/// The unit in which a timedelta moves days: whole days, rounded down, as `datetime.date` does.
const WHOLE_DAYS: DataType = DataType::Duration(TimeUnit::Days);
