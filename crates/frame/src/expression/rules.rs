//! Operators of operands that are not computed yet: the rules of frames as a formula of storage.
//!
//! Plain dtypes (whose stored value is the value) become one formula that goes over memory once; everything
//! else is done by the operations of frames. Both give the same: this module builds the formula for the calls
//! of [`operate_as`] and its neighbours.

use cuprum_column::{DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::expression::{Expression, Node};
use cuprum_compute::unary::UnaryOperator;

use crate::types::promotion;
use crate::types::{
    Decimal, Dtype, MissingTruth, Power, TypeRules, TypedColumn, one, operate_as, operate_scalar_as,
};

/// A subexpression that is computed when it is needed.
#[derive(Clone)]
pub(super) enum Lazy {
    /// A formula over the inputs, of a plain dtype: one value in each row.
    Pending(Expression),
    /// A formula over the inputs, of decimals of a kind.
    Digits(Expression, Decimal),
    /// One value in each row.
    Column(TypedColumn),
    /// One value, in a column of one row: the result of an aggregation.
    One(TypedColumn),
    /// One value, which takes the type of the other operand where that can hold it.
    Literal(Scalar),
}

/// An operand that a formula can have.
pub(super) enum Operand {
    Formula(Expression),
    /// Its type is still open.
    Literal(Scalar),
}

impl Operand {
    pub(super) fn data_type(&self) -> DataType {
        match self {
            Self::Formula(formula) => formula.data_type(),
            Self::Literal(scalar) => scalar.data_type(),
        }
    }
}

/// `left op right` as a formula; `None` where it depends on values what the type of the result is (integers
/// divided by integers that may be 0), and where truth values or texts have rules of their own. At least one
/// operand is no literal.
pub(super) fn binary(op: BinaryOperator, left: &Operand, right: &Operand) -> Result<Option<Expression>> {
    let divides = matches!(op, BinaryOperator::FloorDiv | BinaryOperator::Mod);
    let truths = [(left, right), (right, left)].map(|(operand, other)| {
        let no_value = matches!(operand, Operand::Literal(scalar) if scalar.is_null());
        (if no_value { other } else { operand }).data_type() == DataType::Bool8
    });
    let unlike = truths[0] != truths[1];
    if (truths.contains(&true) && (divides || (op.is_bitwise() && unlike)))
        || (truths == [true, true] && matches!(op, BinaryOperator::TrueDiv | BinaryOperator::Pow))
    {
        return Ok(None);
    }
    let equality = matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual);
    let mut formulas = match (beside(left, right.data_type(), op), beside(right, left.data_type(), op)) {
        (Err(_), _) | (_, Err(_)) if equality => return Ok(None),
        (l, r) => (l?, r?),
    };
    if divides && formulas.0.data_type().is_integer() && formulas.1.data_type().is_integer() {
        match right {
            Operand::Formula(_) => return Ok(None),
            // As in pandas: an infinity or NaN, so the result is float.
            Operand::Literal(scalar) if scalar.as_i64() == Some(0) => {
                formulas.1 = Expression::literal(Scalar::from(0.0));
            }
            Operand::Literal(_) => {}
        }
    }
    if let (BinaryOperator::Pow, Operand::Formula(base), Operand::Literal(exponent)) = (op, left, right)
        && let Some((power, float)) = Power::of(base.data_type(), exponent)?
    {
        let base = base.clone().cast(float)?;
        return match power {
            Power::Root => Expression::unary(UnaryOperator::Sqrt, base),
            Power::Reciprocal => {
                Expression::binary(BinaryOperator::TrueDiv, Expression::literal(one(float)?), base)
            }
        }
        .map(Some);
    }
    let truth = MissingTruth::chosen();
    if op.is_bitwise() && truths == [true, true] {
        return match truth {
            MissingTruth::Decided => logic(op, formulas, matches!(left, Operand::Literal(_))),
            MissingTruth::Missing => MissingTruth::of_unknown_by(op, formulas.0, formulas.1),
        }
        .map(Some);
    }
    let formula = Expression::binary(op, formulas.0, formulas.1)?;
    if !op.is_comparison() {
        return Ok(Some(formula));
    }
    truth.told_by(formula, op).map(Some)
}

/// Operands of decimals: decimals, integers and truth values, as formulas or one value; `None` for others.
/// A null is of the kind of the other side.
pub(super) fn digits(lazy: &Lazy, beside: Option<Decimal>) -> Option<(Expression, Decimal)> {
    let one = |scalar: &Scalar| {
        let kind = if scalar.is_null() { beside } else { Decimal::of_value(scalar) };
        kind.map(|kind| {
            let value = if scalar.is_null() { Scalar::null(kind.storage()) } else { scalar.clone() };
            (Expression::literal(value), kind)
        })
    };
    match lazy {
        Lazy::Digits(formula, kind) => Some((formula.clone(), *kind)),
        Lazy::Pending(formula) => {
            Decimal::of_integers(formula.data_type()).map(|kind| (formula.clone(), kind))
        }
        Lazy::Literal(scalar) => one(scalar),
        Lazy::Column(_) | Lazy::One(_) => None,
    }
}

/// Truth values with truth values, decided; `reflected` where the first is a scalar, so that the second decides what is
/// known.
fn logic(op: BinaryOperator, (left, right): (Expression, Expression), reflected: bool) -> Result<Expression> {
    fn is_known(truth: &Expression) -> bool {
        match truth.node() {
            Node::Literal(value) => !value.is_null(),
            Node::IsMissing { .. } => true,
            Node::Fill { with, .. } => is_known(with),
            Node::Unary(_, operand) => is_known(operand),
            Node::Binary(op, left, right) => op.is_bitwise() && is_known(left) && is_known(right),
            _ => false,
        }
    }
    let known = |truth: &Expression| {
        if is_known(truth) {
            return Ok(truth.clone());
        }
        truth.clone().fill(Expression::literal(Scalar::from(false)), false)
    };
    let result = Expression::binary(op, known(&left)?, known(&right)?)?;
    let first = if reflected { right } else { left };
    if op == BinaryOperator::And || is_known(&first) {
        return Ok(result);
    }
    let present = Expression::unary(UnaryOperator::Not, first.is_missing(false)?)?;
    Expression::binary(BinaryOperator::And, result, present)
}

/// An operand as it is beside values of `other`; see [`promotion::coerce_operand_of`].
fn beside(operand: &Operand, other: DataType, op: BinaryOperator) -> Result<Expression> {
    let scalar = match operand {
        Operand::Formula(formula) => return Ok(formula.clone()),
        Operand::Literal(scalar) => scalar,
    };
    let scalar = promotion::coerce_operand_of(op, scalar, other)?;
    Ok(Expression::literal(scalar.into_owned()))
}

/// Both operands in a type that holds the values of either; `None` where there is none among plain dtypes.
pub(super) fn common(left: &Operand, right: &Operand) -> Result<Option<(Expression, Expression)>> {
    match (left, right) {
        (Operand::Formula(l), Operand::Formula(r)) => {
            let Some(to) = promotion::common_type(l.data_type(), r.data_type()) else { return Ok(None) };
            if are_unlike(l.data_type(), r.data_type())
                || (to == DataType::String && l.data_type() != r.data_type())
            {
                return Ok(None);
            }
            Ok(Some((l.clone().cast(to)?, r.clone().cast(to)?)))
        }
        (Operand::Formula(formula), Operand::Literal(scalar)) => meet(formula, scalar),
        (Operand::Literal(scalar), Operand::Formula(formula)) => {
            Ok(meet(formula, scalar)?.map(|(formula, literal)| (literal, formula)))
        }
        (Operand::Literal(l), Operand::Literal(r)) => {
            let (null, present) = if l.is_null() { (l, r) } else { (r, l) };
            let to = if null.is_null() {
                Some(present.data_type())
            } else {
                promotion::common_type(l.data_type(), r.data_type())
            };
            let Some(to) = to else { return Ok(None) };
            let (l, r) = (promotion::coerce_element(l, to)?, promotion::coerce_element(r, to)?);
            Ok(Some((Expression::literal(l), Expression::literal(r))))
        }
    }
}

/// Whether one is of truth values and the other of numbers, which no column holds together.
fn are_unlike(a: DataType, b: DataType) -> bool {
    a.is_numeric() && b.is_numeric() && (a == DataType::Bool8) != (b == DataType::Bool8)
}

fn meet(formula: &Expression, scalar: &Scalar) -> Result<Option<(Expression, Expression)>> {
    let own = formula.data_type();
    if are_unlike(own, scalar.data_type()) && !scalar.is_null() {
        return Ok(None);
    }
    if let Ok(scalar) = promotion::coerce_element(scalar, own) {
        return Ok(Some((formula.clone(), Expression::literal(scalar))));
    }
    let Some(to) = promotion::common_type(own, promotion::narrowest(scalar, own)) else { return Ok(None) };
    if to == DataType::String {
        return Ok(None);
    }
    let literal = Expression::literal(promotion::coerce_element(scalar, to)?);
    Ok(Some((formula.clone().cast(to)?, literal)))
}

/// `left op right` of two literals. Integers are Python's: what 64 bits do not hold is an error.
pub(super) fn fold(op: BinaryOperator, left: &Scalar, right: &Scalar) -> Result<Scalar> {
    if let (Some(l), Some(r)) = (integer(left), integer(right))
        && (matches!(op, BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mul)
            || (op == BinaryOperator::Pow && r >= 0))
    {
        return exactly(op, l, r).ok_or_else(|| {
            Error::overflow(format!("{l} {op} {r}: integers above 64 bits are not supported"))
        });
    }
    // Of a text and an integer the text is the column: it is repeated.
    let reflected = op == BinaryOperator::Mul && right.data_type() == DataType::String;
    let (column, scalar) = if reflected { (right, left) } else { (left, right) };
    let ctx = cuprum_column::Context::current();
    let column = TypedColumn::from(cuprum_column::Column::from_scalar(column, 1, &ctx)?);
    operate_scalar_as(&column, scalar, op, reflected, MissingTruth::chosen())?.get(0)
}

fn integer(literal: &Scalar) -> Option<i128> {
    match (literal.data_type(), literal.value()) {
        (DataType::Int64, Value::Int(value)) => Some((*value).into()),
        (DataType::UInt64, Value::UInt(value)) => Some((*value).into()),
        _ => None,
    }
}

/// `left op right`, a sum, difference, product or power, in the type that holds it.
fn exactly(op: BinaryOperator, left: i128, right: i128) -> Option<Scalar> {
    let result = match op {
        BinaryOperator::Add => left.checked_add(right)?,
        BinaryOperator::Sub => left.checked_sub(right)?,
        BinaryOperator::Mul => left.checked_mul(right)?,
        _ if right > 0 && (left == 0 || left == 1) => left,
        _ => left.checked_pow(u32::try_from(right).ok()?)?,
    };
    match i64::try_from(result) {
        Ok(value) => Some(Scalar::from(value)),
        Err(_) => u64::try_from(result).ok().map(Scalar::from),
    }
}

/// `left op right` row by row; one side may be a literal.
pub(super) fn operated(op: BinaryOperator, left: &Lazy, right: &Lazy) -> Result<TypedColumn> {
    let truth = MissingTruth::chosen();
    match (left, right) {
        (Lazy::Column(l) | Lazy::One(l), Lazy::Column(r) | Lazy::One(r)) => operate_as(l, r, op, truth),
        (Lazy::Column(l) | Lazy::One(l), Lazy::Literal(r)) => operate_scalar_as(l, r, op, false, truth),
        (Lazy::Literal(l), Lazy::Column(r) | Lazy::One(r)) => operate_scalar_as(r, l, op, true, truth),
        _ => unreachable!("pending operands were computed, literals folded"),
    }
}

/// `-x` and `~x` of a literal, where there is one.
pub(super) fn negated(scalar: &Scalar, not: bool) -> Option<Scalar> {
    match (scalar.value(), not) {
        (Value::Bool(value), true) => Some(Scalar::from(!value)),
        (Value::Int(value), true) => Scalar::new(scalar.data_type(), Value::Int(!value)).ok(),
        (Value::Int(value), false) => Scalar::new(scalar.data_type(), Value::Int(value.checked_neg()?)).ok(),
        (Value::UInt(value), false) => i64::try_from(-i128::from(*value)).ok().map(Scalar::from),
        (Value::Float(value), false) => Scalar::new(scalar.data_type(), Value::Float(-value)).ok(),
        _ => None,
    }
}

/// Whether values of the dtype can be an input of a formula.
pub(super) fn is_formula(dtype: &Dtype) -> bool {
    let storage = dtype.storage();
    dtype.is_plain() && !storage.is_nested() && !storage.is_decimal()
}
