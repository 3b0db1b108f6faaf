//! Casts between dtypes, and columns brought to a common one.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::datetime::{Ambiguous, Nonexistent};
use cuprum_compute::reduce::{self, Aggregation};
use cuprum_compute::{copying, unary};

use super::string::{are_not_empty, reduce_texts};
use super::{Datetime, Dtype, TypeRules, TypedColumn, date, interval, period};
use crate::types::promotion;

/// The same values as `to`.
///
/// Categories become their values, values become categories (missing where they are none); instants keep
/// their moment in another zone. Elements of lists are cast as such, fields of structs by their names.
/// A text is true that is not empty, as in Python. Everything else is [`unary::cast`] of plain values, in which what is
/// missing stays so: a NaN has no text.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType), naming both types, where there is no such
/// cast: between clocks and instants, between what is nested and what is not, for a field that is missing.
pub fn cast(column: &TypedColumn, to: &Dtype) -> Result<TypedColumn> {
    cast_in(column, to, &column.context()?)
}

/// [`cast`] in a context of the column's device, for a column that has no memory and so is on any.
pub(super) fn cast_in(column: &TypedColumn, to: &Dtype, ctx: &Context) -> Result<TypedColumn> {
    let from = column.dtype();
    let data = match (from, to) {
        _ if from == to => return Ok(column.clone()),
        (Dtype::Objects(own), Dtype::Objects(all)) => {
            return TypedColumn::new(to.clone(), own.positions_in(all, column.rows()?, ctx)?);
        }
        (Dtype::Decimal(_), to) if *to == Dtype::plain(DataType::Float64) => match column.as_late_floats()? {
            Some(floats) => return Ok(floats),
            None => column.rows()?,
        },
        _ => column.rows()?,
    };
    match (from, to) {
        (Dtype::Objects(_), _) if !column.is_all_null()? => Err(no_cast(from, to)),
        (Dtype::Null(_), to) => TypedColumn::nulls(to, column.len(), ctx),
        (Dtype::Categorical(kind), Dtype::Categorical(to)) => to.encode(&kind.decode(data)?),
        (Dtype::Categorical(kind), to) => cast(&kind.decode(data)?, to),
        (from, Dtype::Categorical(to))
            if from.is_plain() || matches!(from, Dtype::Interval(_) | Dtype::Date(_) | Dtype::Period(_)) =>
        {
            to.encode(column)
        }
        (Dtype::Interval(from), Dtype::Interval(to)) if from.closed() == to.closed() => {
            let (left, right) = super::bounds(column)?;
            interval::of_bounds(to.clone(), &cast(&left, to.bounds())?, &cast(&right, to.bounds())?)
        }
        (from, Dtype::Interval(_)) if from.is_plain() && all_missing(column)? => {
            TypedColumn::nulls(to, column.len(), ctx)
        }
        (Dtype::Interval(kind), Dtype::String(_)) => Ok(interval::print(column, kind)?.into()),
        (Dtype::Date(_), Dtype::Datetime(Datetime { unit, zone: None })) => date::midnights(column, *unit),
        (Dtype::Date(_), Dtype::String(_)) => {
            TypedColumn::new(to.clone(), unary::cast(data, to.storage(), ctx)?)
        }
        (Dtype::Datetime(Datetime { zone: None, .. }), Dtype::Date(_)) => date::whole_days(column, ctx),
        (Dtype::String(_), Dtype::Date(_)) => {
            let times = cast_in(column, &Dtype::plain(DataType::Timestamp(TimeUnit::Microseconds)), ctx)?;
            date::whole_days(&times, ctx)
        }
        (from, Dtype::Period(to)) if period::are_clocks(from) => super::to_periods(column, *to),
        (Dtype::Period(_), to) if period::are_clocks(to) => {
            cast_in(&super::period_bounds(column, super::PeriodEdge::Start)?, to, ctx)
        }
        (Dtype::Period(_), Dtype::Period(to)) => super::period_as(column, *to, super::PeriodEdge::End),
        (Dtype::Period(_), Dtype::String(_)) => Ok(super::print_periods(column)?.into()),
        (Dtype::String(_), Dtype::Period(to)) => period::read_periods(data, *to, ctx),
        (Dtype::Period(_), to) if *to == Dtype::plain(DataType::Int64) => Ok(data.clone().into()),
        (Dtype::Datetime(from), Dtype::Datetime(to)) if from.zone.is_some() == to.zone.is_some() => {
            TypedColumn::new(
                Dtype::Datetime(to.clone()),
                unary::cast(data, DataType::Timestamp(to.unit), ctx)?,
            )
        }
        (Dtype::Datetime(_), Dtype::Datetime(_)) if column.is_all_null()? => {
            TypedColumn::nulls(to, column.len(), ctx)
        }
        (Dtype::Datetime(from), Dtype::Datetime(to)) => Err(Error::data_type(format!(
            "cannot cast {} to {}: a zone is given with tz_localize, taken away with tz_localize(None) or \
             tz_convert(None)",
            Dtype::Datetime(from.clone()),
            Dtype::Datetime(to.clone())
        ))),
        (Dtype::Datetime(from), Dtype::String(_)) if from.zone.is_some() => {
            Ok(super::print_instants(column)?.into())
        }
        (_, Dtype::Datetime(_) | Dtype::Timedelta(_)) if data.data_type() == DataType::Int64 => {
            TypedColumn::new(to.clone(), unary::cast(&marks_to_nulls(data)?, to.storage(), ctx)?)
        }
        // Instants are counted from 1970 in UTC.
        (Dtype::Datetime(from), Dtype::Numeric(_)) if from.zone.is_some() => {
            TypedColumn::new(to.clone(), unary::cast(data, to.storage(), ctx)?)
        }
        (Dtype::Numeric(_), Dtype::Datetime(instants)) if instants.zone.is_some() => {
            TypedColumn::new(to.clone(), unary::cast(data, to.storage(), ctx)?)
        }
        (Dtype::String(_), Dtype::Datetime(Datetime { unit, zone: Some(zone) })) => {
            let read = super::read_times(data, None, *unit, false)?;
            match read.dtype() {
                Dtype::Datetime(Datetime { zone: Some(_), .. }) => super::convert_zone(&read, Some(zone)),
                _ => super::localize(&read, Some(zone), Ambiguous::Raise, Nonexistent::Raise),
            }
        }
        // Fewer digits may not hold the values; more do.
        (Dtype::Decimal(a), Dtype::Decimal(b))
            if from.storage() == to.storage() && a.precision() <= b.precision() =>
        {
            TypedColumn::new(to.clone(), data.clone())
        }
        (Dtype::Decimal(own), Dtype::Decimal(kind)) => {
            let fewer = unary::cast(data, kind.storage(), ctx)?;
            let cast = super::decimal::checked(TypedColumn::new(to.clone(), fewer.clone())?, *kind)?;
            if kind.scale() < own.scale()
                && !column.equals(&column.like(unary::cast(&fewer, from.storage(), ctx)?))?
            {
                return Err(Error::invalid_argument(format!(
                    "cannot cast {from} to {to}: some values have more digits behind the point; `round` them first"
                )));
            }
            Ok(cast)
        }
        (from, Dtype::Decimal(kind)) if from.is_plain() => {
            let data = unary::cast(data, kind.storage(), ctx)?;
            super::decimal::checked(TypedColumn::new(to.clone(), data)?, *kind)
        }
        (Dtype::Decimal(_), to) if to.is_plain() => {
            TypedColumn::new(to.clone(), unary::cast(data, to.storage(), ctx)?)
        }
        (Dtype::String(_), Dtype::Bool(_)) => TypedColumn::new(to.clone(), are_not_empty(data, ctx)?),
        (from, to) if from.is_plain() && to.is_plain() => {
            TypedColumn::new(to.clone(), promotion::cast_elements(data, to.storage())?)
        }
        (Dtype::List(from), Dtype::List(kind)) => {
            let lists = from.map(data, ctx, |elements| cast_inside(elements, kind.element(), ctx))?;
            TypedColumn::new(to.clone(), lists)
        }
        (Dtype::Struct(from), Dtype::Struct(kind)) => {
            let structs = from.map_to(kind, data, ctx, |field, to| cast_inside(field, to, ctx))?;
            TypedColumn::new(to.clone(), structs)
        }
        (_, to) if column.is_all_null()? => TypedColumn::nulls(to, column.len(), ctx),
        (from, to) => Err(no_cast(from, to)),
    }
}

fn no_cast(from: &Dtype, to: &Dtype) -> Error {
    Error::data_type(format!("cannot cast {from} to {to}"))
}

/// [`cast_in`] of what is inside of lists or structs, where no categories can be.
fn cast_inside(column: &TypedColumn, to: &Dtype, ctx: &Context) -> Result<TypedColumn> {
    match to {
        Dtype::Categorical(_) => Err(Error::data_type(format!(
            "cannot cast what is inside of lists or structs to {to}: categories are of whole columns"
        ))),
        _ => cast_in(column, to, ctx),
    }
}

/// Integers of 64 bits, missing where they are the one that stands for a missing time.
pub(crate) fn marks_to_nulls(numbers: &Column) -> Result<Column> {
    let ctx = &numbers.context()?;
    let least = reduce::reduce(numbers, Aggregation::Min, ctx)?;
    if least.as_i64() != Some(i64::MIN) {
        return Ok(numbers.clone());
    }
    let kept = binary_operation(numbers, &Scalar::from(i64::MIN), BinaryOperator::NotEqual, ctx)?;
    copying::copy_if_else(numbers, &Scalar::null(DataType::Int64), &kept, ctx)
}

/// Whether nothing but null and NaN is there.
fn all_missing(column: &TypedColumn) -> Result<bool> {
    let missing = column.missing()?;
    Ok(reduce::reduce(&missing, Aggregation::All, &missing.context()?)?.as_bool() != Some(false))
}

/// All columns in their common dtype. A column of nothing but missing values takes that of the others.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType), naming two types, where there is none.
pub fn unify(columns: &[&TypedColumn]) -> Result<Vec<TypedColumn>> {
    let Some(first) = columns.first() else { return Ok(Vec::new()) };
    let mut to = first.dtype().clone();
    let mut decided = !first.is_all_null()?;
    for column in &columns[1..] {
        to = match to.common(column.dtype()) {
            Some(common) => common,
            None if !decided && !column.is_all_null()? => column.dtype().clone(),
            None if column.is_all_null()? => continue,
            None => {
                return Err(Error::data_type(format!(
                    "columns of type {to} and {} have no common type",
                    column.dtype()
                )));
            }
        };
        decided |= !column.is_all_null()?;
    }
    let ctx = Context::beside(columns.iter().find_map(|column| column.place()))?;
    let bring = |column: &&TypedColumn| match column.dtype().common(&to) {
        Some(_) => cast_in(column, &to, &ctx),
        None => TypedColumn::nulls(&to, column.len(), &ctx),
    };
    columns.iter().map(bring).collect()
}

/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for truth values and numbers, which are no values of
/// one column, though operators take the ones for the others.
pub(crate) fn check_kinds(columns: &[&TypedColumn]) -> Result<()> {
    let known = columns.iter().filter(|column| !column.is_empty());
    let (mut truth, mut number) = (None, None);
    for column in known {
        match column.dtype() {
            Dtype::Bool(_) => truth = Some(column),
            Dtype::Numeric(_) => number = Some(column),
            _ => {}
        }
    }
    if let (Some(truth), Some(number)) = (truth, number)
        && !truth.is_all_null()?
        && !all_missing(number)?
    {
        return Err(Error::data_type(format!(
            "columns of type {} and {} have no common type: cast one of them first",
            truth.dtype(),
            number.dtype()
        )));
    }
    Ok(())
}

/// Two key columns in a dtype in which equal values are equal, for joins and look-ups by label.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for dtypes that never compare.
pub fn unify_keys(left: &TypedColumn, right: &TypedColumn) -> Result<(TypedColumn, TypedColumn)> {
    let (l, r) = (left.dtype(), right.dtype());
    if l == r {
        return Ok((left.clone(), right.clone()));
    }
    if l.is_plain() && r.is_plain() {
        let (l, r) = promotion::unify_keys(left.data()?, right.data()?)?;
        return Ok((l.into(), r.into()));
    }
    if matches!(l, Dtype::Categorical(_)) || matches!(r, Dtype::Categorical(_)) {
        return unify_keys(&left.decoded()?, &right.decoded()?);
    }
    let to = l.common(r).ok_or_else(|| {
        Error::data_type(format!("cannot match keys of type {l} and {r}; convert one with astype first"))
    })?;
    Ok((cast(left, &to)?, cast(right, &to)?))
}

/// [`unify_keys`] for row labels, of which truth values equal no numbers.
pub fn unify_labels(left: &TypedColumn, right: &TypedColumn) -> Result<(TypedColumn, TypedColumn)> {
    let (l, r) = (left.decoded()?, right.decoded()?);
    if l.dtype().is_truth_beside_number(r.dtype()) {
        let (l, r) = (l.dtype(), r.dtype());
        return Err(Error::data_type(format!("cannot match labels of type {l} and {r}")));
    }
    unify_keys(left, right)
}

impl TypedColumn {
    /// The values themselves: those of categories, others as they are.
    pub fn decoded(&self) -> Result<Self> {
        match self.dtype() {
            Dtype::Categorical(kind) => kind.decode(self.data()?),
            _ => Ok(self.clone()),
        }
    }

    /// The column for ranks: the values of categories that have no order, others as they are.
    pub(crate) fn ranked(&self) -> Result<Self> {
        match self.dtype() {
            Dtype::Categorical(kind) if !kind.categories().is_ordered() => self.decoded(),
            _ => Ok(self.clone()),
        }
    }

    /// A plain column from plain data; the common case of an operation's result.
    pub(crate) fn computed(data: Result<Column>) -> Result<Self> {
        data.map(Self::from)
    }
}

/// One value of all rows, in a column of one row; missing ones are skipped.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for aggregations that the dtype has not.
pub fn reduce_to_column(column: &TypedColumn, how: Aggregation) -> Result<TypedColumn> {
    let (dtype, value) = reduced(column, how)?;
    one_value(&dtype, &value, &column.context()?)
}

/// The dtype of a reduction, and its stored value.
fn reduced(column: &TypedColumn, how: Aggregation) -> Result<(Dtype, Scalar)> {
    let result = column.dtype().reduce(how)?;
    let value = match column.dtype() {
        Dtype::Null(_) => Scalar::from(if how == Aggregation::Size { column.len() as i64 } else { 0 }),
        Dtype::Objects(_) => column.reduce_objects(how)?,
        Dtype::String(_) => reduce_texts(column.data()?, how, &column.context()?)?,
        _ => reduce::reduce(column.data()?, how, &column.context()?)?,
    };
    let value = stored(&result, value)?;
    Ok((result, value))
}

/// A number as a dtype stores it: [smaller](super::keeps_width) than it was computed.
pub(crate) fn stored(dtype: &Dtype, value: Scalar) -> Result<Scalar> {
    match (dtype.storage(), value.as_f64()) {
        (DataType::Float32, Some(number)) if value.data_type() == DataType::Float64 => {
            Scalar::new(DataType::Float32, Value::Float(f64::from(number as f32)))
        }
        _ => Ok(value),
    }
}

/// [`reduce_to_column`] of several aggregations, for which the values are read together.
pub(crate) fn reduce_to_columns(column: &TypedColumn, each: &[Aggregation]) -> Result<Vec<TypedColumn>> {
    if each.len() < 2 || matches!(column.dtype(), Dtype::Null(_) | Dtype::String(_) | Dtype::Objects(_)) {
        return each.iter().map(|how| reduce_to_column(column, *how)).collect();
    }
    let dtypes = each.iter().map(|how| column.dtype().reduce(*how)).collect::<Result<Vec<_>>>()?;
    let ctx = column.context()?;
    let values = reduce::reduce_all(column.data()?, each, &ctx)?;
    let stored = |(dtype, value)| one_value(dtype, &stored(dtype, value)?, &ctx);
    dtypes.iter().zip(values).map(stored).collect()
}

/// A stored value of a dtype in a column of one row; a null of any type is a missing one.
pub(crate) fn one_value(dtype: &Dtype, value: &Scalar, to: &Context) -> Result<TypedColumn> {
    if value.is_null() {
        return TypedColumn::nulls(dtype, 1, to);
    }
    TypedColumn::new(dtype.clone(), Column::from_scalar(value, 1, to)?)
}

/// [`reduce_to_column`] as the value, which [`TypedColumn::get`] describes.
pub fn reduce(column: &TypedColumn, how: Aggregation) -> Result<Scalar> {
    let (dtype, value) = reduced(column, how)?;
    match value.value() {
        Value::Nested(_) => one_value(&dtype, &value, &Context::beside(Device::Cpu)?)?.get(0),
        Value::Null => dtype.value_of(Scalar::null(dtype.storage())),
        _ => dtype.value_of(value),
    }
}
