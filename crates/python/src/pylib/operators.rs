//! The operators of pylibcudf by their names, as expressions.

use std::fmt;

use cuprum_column::{DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator as B;
use cuprum_compute::expression::Expression;
use cuprum_compute::unary::UnaryOperator as U;
use pyo3::prelude::*;

use super::binding::{Argument, wrong_type};

/// An operator by the name that Python's enumerations give it.
#[derive(Clone, PartialEq, Eq)]
pub struct Operator(String);

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Operator {
    /// The operator `op` of the enumeration called `class`.
    pub fn of(class: &str, op: &Bound<'_, PyAny>) -> PyResult<Self> {
        let is_one = op.get_type().name().is_ok_and(|name| name == class);
        let operator = op.getattr("name").and_then(|name| name.extract());
        operator.ok().filter(|_| is_one).map(Self).ok_or_else(|| wrong_type("op", &format!("of {class}"), op))
    }
}

/// The operator of `unary.unary_operation`.
pub struct Unary(pub Operator);

impl Argument for Unary {
    fn read(_: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Operator::of("UnaryOperator", object).map(Self)
    }
}

/// The operator of `binaryop.binary_operation`.
pub struct Binary(pub Operator);

impl Argument for Binary {
    fn read(_: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Operator::of("BinaryOperator", object).map(Self)
    }
}

/// Unary operators by name.
const UNARY: [(&str, U); 23] = [
    ("SIN", U::Sin),
    ("COS", U::Cos),
    ("TAN", U::Tan),
    ("ARCSIN", U::Arcsin),
    ("ARCCOS", U::Arccos),
    ("ARCTAN", U::Arctan),
    ("SINH", U::Sinh),
    ("COSH", U::Cosh),
    ("TANH", U::Tanh),
    ("ARCSINH", U::Arcsinh),
    ("ARCCOSH", U::Arccosh),
    ("ARCTANH", U::Arctanh),
    ("EXP", U::Exp),
    ("LOG", U::Log),
    ("SQRT", U::Sqrt),
    ("CBRT", U::Cbrt),
    ("CEIL", U::Ceil),
    ("FLOOR", U::Floor),
    ("ABS", U::Abs),
    ("RINT", U::Rint),
    ("BIT_INVERT", U::BitNot),
    ("NOT", U::Not),
    ("NEGATE", U::Negate),
];

impl Operator {
    /// Whether it takes one operand.
    pub fn is_unary(&self) -> bool {
        self.simple().is_some() || matches!(self.0.as_str(), "IDENTITY" | "IS_NULL" | "BIT_COUNT")
    }

    /// Whether it compares two operands, or joins truth values.
    fn is_about_truth(&self) -> bool {
        self.0.contains("LOGICAL")
            || self.0.contains("EQUAL")
            || matches!(self.0.as_str(), "LESS" | "GREATER")
    }

    fn simple(&self) -> Option<U> {
        UNARY.iter().find(|(name, _)| *name == self.0).map(|(_, op)| *op)
    }

    /// There is no such operator of values of these types.
    fn undefined(&self, types: &[DataType; 2]) -> Error {
        Error::data_type(format!("operator {self} of {} and {} does not exist", types[0], types[1]))
    }
}

/// `op` of one operand.
pub fn unary(op: &Operator, operand: Expression) -> Result<Expression> {
    match (op.0.as_str(), op.simple()) {
        ("IDENTITY", _) => Ok(operand),
        ("IS_NULL", _) => operand.is_missing(false),
        (_, Some(simple)) => Expression::unary(simple, operand),
        _ => Err(Error::unsupported(format!("operator {op} of {} does not exist", operand.data_type()))),
    }
}

/// `op` of two operands.
pub fn binary(op: &Operator, left: Expression, right: Expression) -> Result<Expression> {
    let types = [left.data_type(), right.data_type()];
    let integers = types.iter().all(|data_type| data_type.is_integer());
    let numbers = types.iter().all(|data_type| data_type.is_integer() || data_type.is_float());
    let bools = types.iter().all(|data_type| *data_type == DataType::Bool8);
    let plain = |op: B| Expression::binary(op, left.clone(), right.clone());
    match op.0.as_str() {
        "ADD" => plain(B::Add),
        "SUB" => plain(B::Sub),
        "MUL" => plain(B::Mul),
        "TRUE_DIV" if types.iter().any(|data_type| data_type.is_decimal()) => {
            // The quotient of decimals has few digits.
            let float = |operand: Expression| operand.cast(DataType::Float64);
            Expression::binary(B::TrueDiv, float(left)?, float(right)?)
        }
        "TRUE_DIV" => plain(B::TrueDiv),
        "FLOOR_DIV" => plain(B::FloorDiv),
        "PYMOD" => plain(B::Mod),
        "POW" => plain(B::Pow),
        "INT_POW" if integers => plain(B::Pow),
        "EQUAL" => plain(B::Equal),
        "NOT_EQUAL" => plain(B::NotEqual),
        "LESS" => plain(B::Less),
        "GREATER" => plain(B::Greater),
        "LESS_EQUAL" => plain(B::LessEqual),
        "GREATER_EQUAL" => plain(B::GreaterEqual),
        "BITWISE_AND" if bools => strict(B::And, left, right),
        "BITWISE_OR" if bools => strict(B::Or, left, right),
        "BITWISE_AND" if integers => plain(B::And),
        "BITWISE_OR" if integers => plain(B::Or),
        "BITWISE_XOR" if integers || bools => plain(B::Xor),
        "NULL_LOGICAL_AND" => Expression::binary(B::And, truth(left)?, truth(right)?),
        "NULL_LOGICAL_OR" => Expression::binary(B::Or, truth(left)?, truth(right)?),
        "LOGICAL_AND" => strict(B::And, left, right),
        "LOGICAL_OR" => strict(B::Or, left, right),
        "NULL_EQUAL" | "NULL_EQUALS" => null_equals(left, right),
        "NULL_NOT_EQUALS" => Expression::unary(U::Not, null_equals(left, right)?),
        "NULL_MAX" => extreme(B::Greater, left, right),
        "NULL_MIN" => extreme(B::Less, left, right),
        "DIV" if types.iter().any(|data_type| data_type.is_float()) => plain(B::TrueDiv),
        "DIV" if integers => truncated_quotient(left, right),
        "DIV" if types[0].is_decimal() || types[0].is_duration() => plain(B::TrueDiv),
        "MOD" if numbers => remainder(left, right),
        "PMOD" if numbers => {
            let rest = remainder(left, right.clone())?;
            let below = Expression::binary(B::Less, rest.clone(), zero(rest.data_type()))?;
            let shifted = remainder(Expression::binary(B::Add, rest.clone(), right.clone())?, right)?;
            Expression::conditional(below, shifted.cast(rest.data_type())?, rest)
        }
        "ATAN2" if numbers => angle(left, right),
        "SHIFT_LEFT" if integers => {
            shift(left, right, |number, half| Expression::binary(B::Mul, number, half))
        }
        "SHIFT_RIGHT" if integers => {
            shift(left, right, |number, half| Expression::binary(B::FloorDiv, number, half))
        }
        "SHIFT_RIGHT_UNSIGNED" if integers => shift_unsigned(left, right),
        "LOG_BASE" if types.iter().all(|data_type| data_type.is_numeric()) => Expression::binary(
            B::TrueDiv,
            Expression::unary(U::Log, left)?,
            Expression::unary(U::Log, right)?,
        ),
        _ => Err(op.undefined(&types)),
    }
}

/// [`binary`] with a result of `output_type`, in which integers are computed that it has more room for than the type
/// that both promote to.
pub fn binary_as(
    op: &Operator,
    left: Expression,
    right: Expression,
    output_type: DataType,
) -> Result<Expression> {
    let whole = |data_type: DataType| data_type.is_integer() || data_type == DataType::Bool8;
    let formula = binary(op, left.clone(), right.clone())?;
    let found = formula.data_type();
    if found != output_type {
        check_cast(found, output_type)?;
    }
    let operands = [left.data_type(), right.data_type()];
    if output_type != DataType::Bool8 && op.is_about_truth()
        || output_type.is_chrono() && !operands.iter().any(|data_type| data_type.is_chrono())
    {
        return Err(Error::data_type(format!(
            "`output_type` is {output_type}, which {op} of {} and {} does not give",
            operands[0], operands[1]
        )));
    }
    let computes = [
        "ADD",
        "SUB",
        "MUL",
        "DIV",
        "MOD",
        "PMOD",
        "PYMOD",
        "FLOOR_DIV",
        "POW",
        "INT_POW",
        "NULL_MAX",
        "NULL_MIN",
    ]
    .contains(&op.0.as_str());
    if computes
        && output_type.is_integer()
        && [&left, &right].iter().all(|operand| whole(operand.data_type()))
        && (found.is_float() || found.size() < output_type.size())
    {
        return binary(op, left.cast(output_type)?, right.cast(output_type)?)?.cast(output_type);
    }
    if found == output_type { Ok(formula) } else { formula.cast(output_type) }
}

/// Text becomes numbers and the other way round in `strings.convert`.
pub fn check_cast(from: DataType, to: DataType) -> Result<()> {
    if from == DataType::String || to == DataType::String {
        return Err(Error::data_type(format!("no cast from {from} to {to}; see strings.convert")));
    }
    Ok(())
}

/// A number as a truth value.
fn truth(operand: Expression) -> Result<Expression> {
    match operand.data_type() {
        DataType::Bool8 => Ok(operand),
        data_type if data_type.is_numeric() => Expression::binary(B::NotEqual, operand, zero(data_type)),
        data_type => Err(Error::data_type(format!("a value of type {data_type} is no truth value"))),
    }
}

/// `op` of truth values, null where either is.
fn strict(op: B, left: Expression, right: Expression) -> Result<Expression> {
    let either = either_null(&left, &right)?;
    let known = Expression::binary(op, truth(left)?, truth(right)?)?;
    Expression::conditional(either, Expression::literal(Scalar::null(DataType::Bool8)), known)
}

fn either_null(left: &Expression, right: &Expression) -> Result<Expression> {
    Expression::binary(B::Or, left.clone().is_missing(false)?, right.clone().is_missing(false)?)
}

/// Whether both are equal or both null; never null.
fn null_equals(left: Expression, right: Expression) -> Result<Expression> {
    let both = Expression::binary(B::And, left.clone().is_missing(false)?, right.clone().is_missing(false)?)?;
    Expression::binary(B::Equal, left, right)?.fill(both, false)
}

/// The operand that `op` says, or the one that is not null.
fn extreme(op: B, left: Expression, right: Expression) -> Result<Expression> {
    if left.data_type() != right.data_type() {
        return Err(Error::data_type(format!(
            "the operands are of {} and {}, not of one type",
            left.data_type(),
            right.data_type()
        )));
    }
    let chosen = Expression::binary(op, left.clone(), right.clone())?;
    // Null where either is: then the one that is there.
    let chosen = chosen.fill(right.clone().is_missing(false)?, false)?;
    Expression::conditional(chosen, left, right)
}

fn zero(data_type: DataType) -> Expression {
    Expression::literal(Scalar::from(0i64))
        .cast(data_type)
        .unwrap_or_else(|_| Expression::literal(Scalar::from(0i64)))
}

/// Whether integers are of different sign and do not divide: where C and Python round differently.
fn rounds_differently(left: &Expression, right: &Expression) -> Result<Expression> {
    let rest = Expression::binary(B::Mod, left.clone(), right.clone())?;
    let negative =
        |operand: &Expression| Expression::binary(B::Less, operand.clone(), zero(operand.data_type()));
    let signs = Expression::binary(B::NotEqual, negative(left)?, negative(right)?)?;
    let zero = zero(rest.data_type());
    Expression::binary(B::And, Expression::binary(B::NotEqual, rest, zero)?, signs)
}

/// The quotient of integers, rounded towards zero.
fn truncated_quotient(left: Expression, right: Expression) -> Result<Expression> {
    let up = rounds_differently(&left, &right)?;
    let floor = Expression::binary(B::FloorDiv, left, right)?;
    let data_type = floor.data_type();
    Expression::binary(B::Add, floor, up.cast(data_type)?)
}

/// The remainder with the sign of the dividend.
fn remainder(left: Expression, right: Expression) -> Result<Expression> {
    let float = Expression::binary(B::Mod, left.clone(), right.clone())?.data_type();
    if float.is_float() {
        return float_remainder(left.cast(float)?, right.cast(float)?);
    }
    let beyond = rounds_differently(&left, &right)?;
    let rest = Expression::binary(B::Mod, left, right.clone())?;
    let data_type = rest.data_type();
    let back = Expression::binary(B::Sub, rest.clone(), right)?.cast(data_type)?;
    Expression::conditional(beyond, back, rest)
}

/// [`remainder`] of floats of one type, which is exact: that of what is not negative rounds nothing.
fn float_remainder(left: Expression, right: Expression) -> Result<Expression> {
    let size = |operand: &Expression| Expression::unary(U::Abs, operand.clone());
    let rest = Expression::binary(B::Mod, size(&left)?, size(&right)?)?;
    let is = |op: B, operand: &Expression| Expression::binary(op, operand.clone(), zero(operand.data_type()));
    // A zero keeps its sign where there is a remainder.
    let zeros = Expression::binary(B::And, is(B::Equal, &left)?, is(B::Equal, &rest)?)?;
    let positive = Expression::conditional(zeros, left.clone(), rest.clone())?;
    Expression::conditional(is(B::Less, &left)?, Expression::unary(U::Negate, rest)?, positive)
}

/// The angle of the point (`x`, `y`), from −π to π, as IEEE 754 has it for zeros and infinities; within two units in the
/// last place.
fn angle(y: Expression, x: Expression) -> Result<Expression> {
    let constant = |value: f64| Expression::literal(Scalar::from(value));
    let is =
        |op: B, operand: &Expression, value: f64| Expression::binary(op, operand.clone(), constant(value));
    let both = |a: Expression, b: Expression| Expression::binary(B::And, a, b);
    // Of zeros, what they divide tells the sign.
    let is_negative = |operand: &Expression| {
        let inverse = Expression::binary(B::TrueDiv, constant(1.0), operand.clone())?;
        Expression::binary(B::Or, is(B::Less, operand, 0.0)?, is(B::Less, &inverse, 0.0)?)
    };
    let is_infinite =
        |operand: &Expression| is(B::Equal, &Expression::unary(U::Abs, operand.clone())?, f64::INFINITY);
    let (y, x) = (y.cast(DataType::Float64)?, x.cast(DataType::Float64)?);
    // Two infinities are as far as two ones.
    let infinite = both(is_infinite(&y)?, is_infinite(&x)?)?;
    let near = |operand: &Expression| {
        let one = Expression::conditional(is(B::Less, operand, 0.0)?, constant(-1.0), constant(1.0))?;
        Expression::conditional(infinite.clone(), one, operand.clone())
    };
    let slope = Expression::unary(U::Arctan, Expression::binary(B::TrueDiv, near(&y)?, near(&x)?)?)?;
    let zeros = both(is(B::Equal, &y, 0.0)?, is(B::Equal, &x, 0.0)?)?;
    let right = Expression::conditional(zeros.clone(), y.clone(), slope.clone())?;
    let half = std::f64::consts::PI;
    let turn = Expression::conditional(is_negative(&y)?, constant(-half), constant(half))?;
    let left = Expression::conditional(zeros, constant(0.0), slope)?;
    Expression::conditional(is_negative(&x)?, Expression::binary(B::Add, left, turn)?, right)
}

/// Integers shifted by `by` bits: `step` is given the number and a power of 2, twice, as the power of all bits may not
/// fit. Whatever leaves the type is lost, all of it where `by` is as many bits as it has or more; where `by` is
/// negative the result is null.
fn shift(
    number: Expression,
    by: Expression,
    step: impl Fn(Expression, Expression) -> Result<Expression>,
) -> Result<Expression> {
    let data_type = number.data_type();
    let bits = data_type.size().unwrap_or(8) * 8;
    let constant = |value: i64| Expression::literal(Scalar::from(value));
    let by = by.cast(DataType::Int64)?;
    let negative = Expression::binary(B::Less, by.clone(), constant(0))?;
    // Twice half of the bits are all.
    let far = Expression::binary(B::Greater, by.clone(), constant(bits as i64))?;
    let by = Expression::conditional(far, constant(bits as i64), by)?;
    let by = Expression::conditional(negative.clone(), constant(0), by)?;
    let half = Expression::binary(B::FloorDiv, by.clone(), constant(2))?;
    let rest = Expression::binary(B::Sub, by, half.clone())?;
    let mut shifted = number;
    for bits in [half, rest] {
        // At most 32 bits, which INT64 has room for.
        let power = Expression::binary(B::Pow, constant(2), bits)?;
        shifted = step(shifted, power.cast(data_type)?)?.cast(data_type)?;
    }
    Expression::conditional(negative, Expression::literal(Scalar::null(data_type)), shifted)
}

/// [`shift`] to the right with zeros for the bits that become free: one bit first, after which no number is negative.
fn shift_unsigned(number: Expression, by: Expression) -> Result<Expression> {
    let data_type = number.data_type();
    if data_type.is_unsigned_integer() {
        return shift(number, by, |number, power| Expression::binary(B::FloorDiv, number, power));
    }
    let constant = |value: i64| Expression::literal(Scalar::from(value));
    let bits = data_type.size().unwrap_or(8) * 8;
    let largest = i64::MAX >> (64 - bits);
    let two = constant(2).cast(data_type)?;
    let once = Expression::binary(B::FloorDiv, number.clone(), two)?.cast(data_type)?;
    let once = Expression::binary(B::And, once, constant(largest).cast(data_type)?)?.cast(data_type)?;
    let by = by.cast(DataType::Int64)?;
    let none = Expression::binary(B::Equal, by.clone(), constant(0))?;
    let less = Expression::binary(B::Sub, by.clone(), constant(1))?;
    // Below 0 stays below 0.
    let shifted = shift(once, less, |number, power| Expression::binary(B::FloorDiv, number, power))?;
    Expression::conditional(none, number, shifted)
}
