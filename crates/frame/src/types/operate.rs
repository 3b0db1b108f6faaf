//! Operators between columns and scalars of any dtypes: the rules decide, then `compute` runs.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{self, BinaryOperator, Operand, binary_operation};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary::{self, UnaryOperator};
use cuprum_compute::{copying, replace};

use super::cast::cast_in;
use super::missing_truth::MissingTruth;
use super::zones::{instant_beside, operate_instant_as};
use super::{Categorical, Decimal, Dtype, TypeRules, TypedColumn, date, decimal, interval};
use crate::types::promotion;

/// `left op right`, row by row. Arithmetic with a missing element is missing, truth values are
/// [decided](MissingTruth::Decided).
pub fn operate(left: &TypedColumn, right: &TypedColumn, op: BinaryOperator) -> Result<TypedColumn> {
    operate_as(left, right, op, MissingTruth::Decided)
}

/// [`operate`] with a choice of what truth values come of missing elements.
pub fn operate_as(
    left: &TypedColumn,
    right: &TypedColumn,
    op: BinaryOperator,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    match (left.dtype(), right.dtype()) {
        (l, r) if l.is_plain() && r.is_plain() => {
            run(left.data()?.into(), right.data()?.into(), op, truth).map(TypedColumn::from)
        }
        (Dtype::Null(_), r) if *r != *left.dtype() => {
            operate_as(&cast_in(left, r, &right.context()?)?, right, op, truth)
        }
        (l, Dtype::Null(_)) if *l != *right.dtype() => {
            operate_as(left, &cast_in(right, l, &left.context()?)?, op, truth)
        }
        (Dtype::Categorical(_), Dtype::Interval(_)) | (Dtype::Interval(_), Dtype::Categorical(_)) => {
            left.dtype().binary(op, right.dtype())?;
            operate_as(&left.decoded()?, &right.decoded()?, op, truth)
        }
        (Dtype::Interval(_), _) | (_, Dtype::Interval(_)) => interval::compare(left, right, op, truth),
        (Dtype::Date(_), other) | (other, Dtype::Date(_)) if !matches!(other, Dtype::Categorical(_)) => {
            date::operate(left, right, op, truth)
        }
        // Elements and fields meet as columns of their types do.
        (l @ (Dtype::List(_) | Dtype::Struct(_)), r) if l != r && l.common(r).is_some() => {
            let both = super::unify(&[left, right])?;
            operate_as(&both[0], &both[1], op, truth)
        }
        (l, r) => {
            let result = l.binary(op, r)?;
            if let (Some(a), Some(b)) = (digits_of(l), digits_of(r)) {
                return decimal::operate((left.data()?.into(), a), (right.data()?.into(), b), op, truth);
            }
            // The same categories are compared by their codes, others and values by value.
            let by_value = match (l, r) {
                (Dtype::Categorical(a), Dtype::Categorical(b)) => a != b,
                (Dtype::Categorical(_), other) | (other, Dtype::Categorical(_)) => {
                    other.is_plain() || matches!(other, Dtype::Date(_) | Dtype::Period(_))
                }
                _ => false,
            };
            if by_value {
                return operate_as(&left.decoded()?, &right.decoded()?, op, truth);
            }
            TypedColumn::new(result, run(left.data()?.into(), right.data()?.into(), op, truth)?)
        }
    }
}

/// `column op scalar`, or `scalar op column` when `reflected`. The scalar takes the type of the column
/// where it can hold its kind (an `int8` column plus 1 stays `int8`).
pub fn operate_scalar(
    column: &TypedColumn,
    scalar: &Scalar,
    op: BinaryOperator,
    reflected: bool,
) -> Result<TypedColumn> {
    operate_scalar_as(column, scalar, op, reflected, MissingTruth::Decided)
}

/// [`operate_scalar`] with a choice of what truth values come of missing elements.
pub fn operate_scalar_as(
    column: &TypedColumn,
    scalar: &Scalar,
    op: BinaryOperator,
    reflected: bool,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    let data = column.data()?;
    let sides = |scalar| if reflected { (scalar, data.into()) } else { (data.into(), scalar) };
    match column.dtype() {
        dtype if dtype.is_plain() => {
            // A truth value is no integer where that makes a difference.
            let is_truth = scalar.data_type() == DataType::Bool8
                && (op.is_bitwise() || matches!(op, BinaryOperator::FloorDiv | BinaryOperator::Mod));
            if is_truth && data.data_type().is_integer() {
                let (left, right): (Operand<'_>, Operand<'_>) = sides(scalar.into());
                return run(left, right, op, truth).map(TypedColumn::from);
            }
            let scalar = match promotion::coerce_operand_of(op, scalar, data.data_type()) {
                // No text is a time that is none.
                Err(_)
                    if scalar.data_type() == DataType::String
                        && matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual) =>
                {
                    return TypedColumn::computed(truth.never_equal(op, &[data]));
                }
                coerced => coerced?,
            };
            let (left, right): (Operand<'_>, Operand<'_>) = sides((&*scalar).into());
            run(left, right, op, truth).map(TypedColumn::from)
        }
        Dtype::Interval(_) => {
            let other = interval::beside(column, scalar)?;
            if reflected {
                operate_as(&other, column, op, truth)
            } else {
                operate_as(column, &other, op, truth)
            }
        }
        Dtype::Categorical(kind) => {
            let of = if scalar.is_null() || scalar.data_type() == DataType::Struct {
                kind.value_type()
            } else {
                Dtype::plain(scalar.data_type())
            };
            let result = column.dtype().binary(op, &of)?;
            let code = category_code(kind, scalar, op)?;
            let (left, right) = sides((&code).into());
            TypedColumn::new(result, run(left, right, op, truth)?)
        }
        Dtype::Decimal(kind) => {
            let other = if scalar.is_null() { Some(*kind) } else { Decimal::of_value(scalar) };
            let other = other.ok_or_else(|| {
                super::no_operator(op, &column.dtype().name(), &scalar.data_type().to_string())
            })?;
            let null = Scalar::null(kind.storage());
            let value = if scalar.is_null() { &null } else { scalar };
            if reflected {
                decimal::operate((value.into(), other), (data.into(), *kind), op, truth)
            } else {
                decimal::operate((data.into(), *kind), (value.into(), other), op, truth)
            }
        }
        Dtype::Null(_) => {
            let like =
                TypedColumn::nulls(&Dtype::plain(scalar.data_type()), column.len(), &column.context()?)?;
            operate_scalar_as(&like, scalar, op, reflected, truth)
        }
        Dtype::Date(_) => date::operate_scalar(column, scalar, op, reflected, truth),
        Dtype::Datetime(_) if scalar.is_null() || scalar.data_type().is_duration() => {
            let of = if scalar.is_null() { column.dtype().clone() } else { Dtype::plain(scalar.data_type()) };
            let result = column.dtype().binary(op, &of)?;
            let null = Scalar::null(data.data_type());
            let (left, right) = sides(if scalar.is_null() { (&null).into() } else { scalar.into() });
            TypedColumn::new(result, run(left, right, op, truth)?)
        }
        Dtype::Datetime(_) if scalar.data_type() == DataType::String && op.is_comparison() => {
            operate_instant_as(column, &instant_beside(column, scalar)?, op, reflected, truth)
        }
        dtype => {
            dtype.binary(op, &Dtype::plain(scalar.data_type()))?;
            dtype.refuse(format_args!("{op} with {scalar}"))
        }
    }
}

/// The decimals that a dtype is, or that hold its integers where the other side is decimal.
fn digits_of(dtype: &Dtype) -> Option<Decimal> {
    match dtype {
        Dtype::Decimal(kind) => Some(*kind),
        other => Decimal::of_integers(other.storage()).filter(|_| other.is_plain()),
    }
}

/// The code of a scalar; −1, which no row has, for a scalar that is no category.
fn category_code(kind: &Categorical, scalar: &Scalar, op: BinaryOperator) -> Result<Scalar> {
    if scalar.is_null() {
        return Ok(Scalar::null(kind.storage()));
    }
    match kind.code(scalar)? {
        Some(code) => Scalar::new(kind.storage(), Value::Int(code)),
        None if matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual) => {
            Scalar::new(kind.storage(), Value::Int(-1))
        }
        None => {
            Err(Error::data_type(format!("cannot compare a categorical with {scalar}, which is no category")))
        }
    }
}

/// `op` of stored values.
pub(super) fn run(
    left: Operand<'_>,
    right: Operand<'_>,
    op: BinaryOperator,
    truth: MissingTruth,
) -> Result<Column> {
    let place = |operand| if let Operand::Column(column) = operand { column.place() } else { None };
    let ctx = Context::beside(place(left).or_else(|| place(right)))?;
    let (l, r) = (left.data_type(), right.data_type());
    let bool8 = DataType::Bool8;
    if l == bool8
        && r == bool8
        && matches!(op, BinaryOperator::TrueDiv | BinaryOperator::FloorDiv | BinaryOperator::Pow)
    {
        return Err(Error::data_type(format!("operator {op} does not take operands of bool and bool")));
    }
    if op.is_bitwise() && l == bool8 && r == bool8 {
        return match truth {
            MissingTruth::Decided => logic(left, right, op, &ctx),
            MissingTruth::Missing => {
                MissingTruth::of_unknown(binary_operation(left, right, op, &ctx)?, left, right)
            }
        };
    }
    if op.is_bitwise() && ((l == bool8 && r.is_integer()) || (l.is_integer() && r == bool8)) {
        // As in pandas: whether a bit is left.
        return unary::cast(&binary_operation(left, right, op, &ctx)?, bool8, &ctx);
    }
    if let (BinaryOperator::Pow, Operand::Column(base), Operand::Scalar(exponent)) = (op, left, right)
        && let Some((power, float)) = Power::of(base.data_type(), exponent)?
    {
        let base = unary::cast(base, float, &ctx)?;
        return match power {
            Power::Root => unary::unary_operation(&base, UnaryOperator::Sqrt, &ctx),
            Power::Reciprocal => binary_operation(&one(float)?, &base, BinaryOperator::TrueDiv, &ctx),
        };
    }
    if let Some(zeros) = zero_divisors(left, right, op)? {
        return divide_integers(left, right, op, &zeros, &ctx);
    }
    let result = binary_operation(left, right, op, &ctx)?;
    match op {
        BinaryOperator::Pow if result.has_nulls() => power_of_missing(left, right, &result, &ctx),
        op if op.is_comparison() => truth.told(result, op),
        _ => Ok(result),
    }
}

/// A power of floats by one exponent that `NumPy` makes another way: bits differ, and −0.0 and −∞ have other roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Power {
    /// By 0.5: the square root.
    Root,
    /// By −1: one divided by it.
    Reciprocal,
}

impl Power {
    /// The power of numbers of a type by an exponent, and the type of its floats; `None` for other powers.
    pub(crate) fn of(base: DataType, exponent: &Scalar) -> Result<Option<(Self, DataType)>> {
        let power = match exponent.as_f64() {
            Some(0.5) => Self::Root,
            Some(-1.0) => Self::Reciprocal,
            _ => return Ok(None),
        };
        if !base.is_integer() && !base.is_float() {
            return Ok(None);
        }
        let exponent = promotion::coerce_operand_of(BinaryOperator::Pow, exponent, base)?.data_type();
        let result = binaryop::result_type(base, exponent, BinaryOperator::Pow)?;
        Ok(result.is_float().then_some((power, result)))
    }
}

/// The number 1 in a type of float.
pub(crate) fn one(float: DataType) -> Result<Scalar> {
    Scalar::new(float, Value::Float(1.0))
}

/// A power with 1 where the base is 1 or the exponent 0, whatever the missing other one is.
fn power_of_missing(left: Operand<'_>, right: Operand<'_>, result: &Column, ctx: &Context) -> Result<Column> {
    let one =
        unary::cast(&Column::from_scalar(&Scalar::from(1), 1, ctx)?, result.data_type(), ctx)?.get(0)?;
    let mut result = result.clone();
    for (side, value) in [(left, 1.0), (right, 0.0)] {
        let known = match side {
            Operand::Column(column) => unary::cast(column, DataType::Float64, ctx)?,
            Operand::Scalar(scalar) => {
                unary::cast(&Column::from_scalar(scalar, result.len(), ctx)?, DataType::Float64, ctx)?
            }
        };
        let sure = binary_operation(&known, &Scalar::from(value), BinaryOperator::Equal, ctx)?;
        let sure = replace::replace_nulls(&sure, &Scalar::from(false), false, ctx)?;
        result = copying::copy_if_else(&one, &result, &sure, ctx)?;
    }
    Ok(result)
}

/// Truth values with truth values, [decided](MissingTruth::Decided): false where the first operand (of a scalar and a
/// column, the column) is missing; a missing second one counts as false.
fn logic(left: Operand<'_>, right: Operand<'_>, op: BinaryOperator, ctx: &Context) -> Result<Column> {
    let no = Scalar::from(false);
    let filled = |column: &Column| replace::replace_nulls(column, &no, false, ctx);
    let known = |column: &Column, result: Column| {
        if op == BinaryOperator::And || !column.has_nulls() {
            return Ok(result);
        }
        binary_operation(&result, &unary::is_valid(column, ctx)?, BinaryOperator::And, ctx)
    };
    let or_no = |scalar: &Scalar| if scalar.is_null() { no.clone() } else { scalar.clone() };
    match (left, right) {
        (Operand::Column(l), Operand::Column(r)) => {
            known(l, binary_operation(&filled(l)?, &filled(r)?, op, ctx)?)
        }
        (Operand::Column(l), Operand::Scalar(r)) => {
            known(l, binary_operation(&filled(l)?, &or_no(r), op, ctx)?)
        }
        (Operand::Scalar(l), Operand::Column(r)) => {
            known(r, binary_operation(&or_no(l), &filled(r)?, op, ctx)?)
        }
        (left, right) => binary_operation(left, right, op, ctx),
    }
}

/// A mask of integers divided by zero, which pandas makes infinite or NaN, so that the result is float;
/// `None` without any. Remainders of truth values are integers there: by False they are 0.
fn zero_divisors(left: Operand<'_>, right: Operand<'_>, op: BinaryOperator) -> Result<Option<Column>> {
    let whole = |t: DataType| t.is_integer() || t == DataType::Bool8;
    let (l, r) = (left.data_type(), right.data_type());
    let divides = match op {
        BinaryOperator::FloorDiv => whole(l) && whole(r),
        BinaryOperator::Mod => whole(l) && r.is_integer(),
        _ => false,
    };
    if !divides {
        return Ok(None);
    }
    let zeros = match (left, right) {
        (_, Operand::Column(divisor)) => {
            let ctx = divisor.context()?;
            let zero = Scalar::new(
                r,
                match r {
                    DataType::Bool8 => Value::Bool(false),
                    _ => Value::Int(0),
                },
            )?;
            binary_operation(divisor, &zero, BinaryOperator::Equal, &ctx)?
        }
        (Operand::Column(dividend), Operand::Scalar(divisor)) => {
            if divisor.as_i64() != Some(0) && divisor.as_bool() != Some(false) {
                return Ok(None);
            }
            Column::from_scalar(&Scalar::from(true), dividend.len(), &dividend.context()?)?
        }
        _ => return Ok(None),
    };
    let any = reduce(&zeros, Aggregation::Any, &zeros.context()?)?.as_bool() == Some(true);
    Ok(any.then_some(zeros))
}

/// Quotients and remainders of integers, as floats: exact, and where the divisor is zero infinite or NaN.
fn divide_integers(
    left: Operand<'_>,
    right: Operand<'_>,
    op: BinaryOperator,
    zeros: &Column,
    ctx: &Context,
) -> Result<Column> {
    let exact = unary::cast(&binary_operation(left, right, op, ctx)?, DataType::Float64, ctx)?;
    let limits = match right {
        Operand::Column(divisor) => {
            binary_operation(left, &unary::cast(divisor, DataType::Float64, ctx)?, op, ctx)?
        }
        Operand::Scalar(_) => binary_operation(left, &Scalar::from(0.0), op, ctx)?,
    };
    copying::copy_if_else(&limits, &exact, zeros, ctx)
}
