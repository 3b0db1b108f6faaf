//! Common types: what columns of different types become when they meet.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DataType, Device, Error, ErrorKind, Result, Scalar, Value};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::unary::{UnaryOperator, cast, unary_operation};
use cuprum_compute::{copying, datetime};

use crate::types::equality;
use crate::types::time_texts::time_of_known_form;
use crate::types::{self, Dtype, TypedColumn};

/// The storage type that holds the values of both where they are what is stored; `None` where there is none.
/// The rules of their kinds say, see [`Dtype::common`].
pub fn common_type(a: DataType, b: DataType) -> Option<DataType> {
    if a == b { Some(a) } else { Dtype::plain(a).common(&Dtype::plain(b)).map(|common| common.storage()) }
}

/// Every element cast to `to`. Missing elements stay missing: a NaN has no text.
pub(crate) fn cast_elements(column: &Column, to: DataType) -> Result<Column> {
    let ctx = column.context()?;
    let cast = cast(column, to, &ctx)?;
    if to != DataType::String || !column.data_type().is_float() {
        return Ok(cast);
    }
    let present = unary_operation(&equality::missing(column)?, UnaryOperator::Not, &ctx)?;
    copying::copy_if_else(&cast, &Column::nulls(to, cast.len(), &ctx)?, &present, &ctx)
}

/// `columns` cast to their common type; see [`types::unify`].
pub fn unify(columns: &[&Column]) -> Result<Vec<Column>> {
    let typed: Vec<TypedColumn> = columns.iter().map(|&column| column.clone().into()).collect();
    let unified = types::unify(&typed.iter().collect::<Vec<_>>())?;
    unified.iter().map(|column| column.rows().cloned()).collect()
}

fn convert(column: &Column, to: DataType) -> Result<Column> {
    let ctx = column.context()?;
    if column.data_type() == to {
        Ok(column.clone())
    } else if column.null_count()? == column.len() {
        Column::nulls(to, column.len(), &ctx)
    } else {
        cast(column, to, &ctx)
    }
}

/// Two key columns in a type in which equal values are equal, for joins and label lookups.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for types that never compare.
pub fn unify_keys(left: &Column, right: &Column) -> Result<(Column, Column)> {
    let (l, r) = (left.data_type(), right.data_type());
    let mixed_signs =
        (l == DataType::UInt64 && r.is_signed_integer()) || (r == DataType::UInt64 && l.is_signed_integer());
    let to = if mixed_signs { Some(DataType::Int64) } else { common_type(l, r) };
    let cannot =
        || Error::data_type(format!("cannot match keys of type {l} and {r}; convert one with astype first"));
    let to = match to {
        Some(to) => to,
        None if left.is_empty() || left.null_count()? == left.len() => r,
        None if right.is_empty() || right.null_count()? == right.len() => l,
        None => return Err(cannot()),
    };
    if mixed_signs {
        let both = |to| Ok::<_, Error>((convert(left, to)?, convert(right, to)?));
        return both(DataType::Int64).or_else(|_| both(DataType::UInt64)).map_err(|_| {
            Error::data_type(format!(
                "cannot match keys of type {l} and {r}: some are negative and some above {}, which no integer \
                 type holds; convert one with astype first",
                i64::MAX
            ))
        });
    }
    Ok((convert(left, to)?, convert(right, to)?))
}

/// `scalar` as a value that meets elements of `column_type`: Python's numbers are weak and take the
/// column's type where it can hold their kind (NEP 50), texts meet timestamps as dates.
///
/// `Err(Overflow)` where an integer does not fit the column's integer type.
pub fn coerce_operand(scalar: &Scalar, column_type: DataType) -> Result<Cow<'_, Scalar>> {
    let weak = |to: DataType| Scalar::new(to, scalar.value().clone()).map(Cow::Owned);
    match (scalar.data_type(), column_type) {
        (from, to) if from == to => Ok(Cow::Borrowed(scalar)),
        _ if scalar.is_null() => Ok(Cow::Owned(Scalar::null(match column_type {
            // An absent number makes integers missing, not floats.
            to if to.is_numeric() => to,
            to => to,
        }))),
        (DataType::Int64 | DataType::Float64 | DataType::Bool8, to) if to.is_float() => weak(to),
        (DataType::Int64 | DataType::Bool8, to) if to.is_integer() => weak(to),
        (DataType::String, to) if to.is_timestamp() => parse_time(scalar, to).map(Cow::Owned),
        _ => Ok(Cow::Borrowed(scalar)),
    }
}

/// [`coerce_operand`] of an operator. An integer that the column's type cannot hold stays what it is in a comparison; one
/// text times a column of integers is refused, as in pandas (texts of a column are repeated), and so is arithmetic of
/// times and a text.
pub fn coerce_operand_of(
    op: BinaryOperator,
    scalar: &Scalar,
    column_type: DataType,
) -> Result<Cow<'_, Scalar>> {
    let is_text = scalar.data_type() == DataType::String && !scalar.is_null();
    let repeats = op == BinaryOperator::Mul && column_type.is_integer();
    if is_text && (repeats || (column_type.is_timestamp() && !op.is_comparison())) {
        return Err(types::no_operator(op, &column_type.to_string(), &scalar.data_type().to_string()));
    }
    match coerce_operand(scalar, column_type) {
        Err(e) if op.is_comparison() && e.kind() == ErrorKind::Overflow => Ok(Cow::Borrowed(scalar)),
        coerced => coerced,
    }
}

/// `scalar` as an element of `to`, exactly: for storing into a column and for label lookups.
pub fn coerce_element(scalar: &Scalar, to: DataType) -> Result<Scalar> {
    let from = scalar.data_type();
    if from == to {
        return Ok(scalar.clone());
    }
    if scalar.is_null() {
        return Ok(Scalar::null(to));
    }
    match scalar.value() {
        Value::String(_) if to.is_timestamp() => parse_time(scalar, to),
        Value::Float(x) if to.is_integer() && x.fract() == 0.0 && x.abs() < 9.0e18 => {
            Scalar::new(to, Value::Int(*x as i64))
        }
        _ if (from.is_timestamp() && to.is_timestamp()) || (from.is_duration() && to.is_duration()) => {
            let ctx = Context::beside(Device::Cpu)?;
            let given = Column::from_scalar(scalar, 1, &ctx)?;
            let time = cast(&given, to, &ctx)?;
            if cast(&time, from, &ctx)?.get(0)?.as_i64() != scalar.as_i64() {
                return Err(Error::data_type(format!("{scalar} ({from}) is finer than values of type {to}")));
            }
            time.get(0)
        }
        _ if from.is_numeric() && to.is_numeric() => Scalar::new(to, scalar.value().clone()),
        _ => Err(Error::data_type(format!("{scalar} ({from}) is not a value of type {to}"))),
    }
}

/// Whether a number that is finite is infinite in 32 bits.
pub(crate) fn exceeds_float32(x: f64) -> bool {
    x.is_finite() && (x as f32).is_infinite()
}

/// `scalar` as it is stored among elements of `to`: as [`coerce_element`] has it, unless it keeps its type and
/// `float32` has other digits than it.
pub(crate) fn coerce_stored(scalar: &Scalar, to: DataType) -> Result<Scalar> {
    let finer = |x: f64| !x.is_nan() && f64::from(x as f32) != x;
    if scalar.keeps_type() && to == DataType::Float32 && scalar.as_f64().is_some_and(finer) {
        return Err(Error::data_type(format!("{scalar} ({}) is no value of type {to}", scalar.data_type())));
    }
    coerce_element(scalar, to)
}

/// The type that a value has beside elements of another: beside integers that of a whole number is the narrowest that
/// holds it, signed where these are, as in pandas; of an integer that keeps its type it is that.
pub(crate) fn narrowest(value: &Scalar, beside: DataType) -> DataType {
    use DataType::{Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
    let own = value.data_type();
    let integer = match value.value() {
        Value::Int(integer) if own == Int64 && beside.is_integer() && !value.keeps_type() => *integer,
        Value::Float(x) if beside.is_integer() && x.fract() == 0.0 && x.abs() < 9.0e18 => *x as i64,
        _ => return own,
    };
    let types = if integer < 0 || beside.is_signed_integer() {
        [Int8, Int16, Int32, Int64]
    } else {
        [UInt8, UInt16, UInt32, UInt64]
    };
    types.into_iter().find(|&of| Scalar::new(of, Value::Int(integer)).is_ok()).unwrap_or(own)
}

/// Texts that stand for a missing time, as in pandas.
pub(crate) const NO_TIME: [&str; 7] = ["", "NaT", "nat", "NAT", "nan", "NaN", "NAN"];

/// Whether a scalar is a text that stands for a missing time.
fn is_no_time(scalar: &Scalar) -> bool {
    scalar.as_str().is_some_and(|text| NO_TIME.contains(&text))
}

/// Whether a scalar is a text that stands for a missing element of a dtype, which is one of times.
pub(crate) fn is_no_time_of(dtype: &Dtype, scalar: &Scalar) -> bool {
    matches!(dtype, Dtype::Datetime(_) | Dtype::Timedelta(_) | Dtype::Period(_)) && is_no_time(scalar)
}

/// A text as a time: of ISO 8601, or of another form that [`Series::to_datetime`](crate::Series::to_datetime) knows;
/// missing where it stands for that.
pub(crate) fn parse_time(text: &Scalar, to: DataType) -> Result<Scalar> {
    let DataType::Timestamp(unit) = to else { unreachable!("called for timestamps") };
    if is_no_time(text) {
        return Ok(Scalar::null(to));
    }
    let ctx = Context::beside(Device::Cpu)?;
    let column = Column::from_scalar(text, 1, &ctx)?;
    datetime::strptime(&column, None, unit, &ctx)
        .and_then(|time| time.get(0))
        .or_else(|not_iso| coerce_element(&time_of_known_form(&column)?.ok_or(not_iso)?, to))
}
