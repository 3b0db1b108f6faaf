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

/// What `unary.unary_operation` takes.
pub struct Unary(pub Operator);

impl Argument for Unary {
    fn read(_: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Operator::of("UnaryOperator", object).map(Self)
    }
}

/// What `binaryop.binary_operation` takes.
pub struct Binary(pub Operator);

impl Argument for Binary {
    fn read(_: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Operator::of("BinaryOperator", object).map(Self)
    }
}

/// What takes one operand, and what computes it.
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

    fn simple(&self) -> Option<U> {
        UNARY.iter().find(|(name, _)| *name == self.0).map(|(_, op)| *op)
    }

    fn unsupported(&self, types: &[DataType]) -> Error {
        let types: Vec<String> = types.iter().map(ToString::to_string).collect();
        Error::unsupported(format!("operator {self} of {} does not exist", types.join(" and ")))
    }
}

/// `op` of one operand.
pub fn unary(op: &Operator, operand: Expression) -> Result<Expression> {
    match (op.0.as_str(), op.simple()) {
        ("IDENTITY", _) => Ok(operand),
        ("IS_NULL", _) => operand.is_missing(false),
        (_, Some(simple)) => Expression::unary(simple, operand),
        _ => Err(op.unsupported(&[operand.data_type()])),
    }
}

/// `op` of two operands.
pub fn binary(op: &Operator, left: Expression, right: Expression) -> Result<Expression> {
    let types = [left.data_type(), right.data_type()];
    let integers = types.iter().all(|data_type| data_type.is_integer());
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
        "MOD" if integers => remainder(left, right),
        "PMOD" if integers => {
            let rest = remainder(left, right.clone())?;
            let zero = zero(rest.data_type());
            let below = Expression::binary(B::Less, rest.clone(), zero)?;
            let shifted = remainder(Expression::binary(B::Add, rest.clone(), right.clone())?, right)?;
            Expression::conditional(below, shifted.cast(rest.data_type())?, rest)
        }
        "LOG_BASE" if types.iter().all(|data_type| data_type.is_numeric()) => Expression::binary(
            B::TrueDiv,
            Expression::unary(U::Log, left)?,
            Expression::unary(U::Log, right)?,
        ),
        _ => Err(op.unsupported(&types)),
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
    if found == output_type {
        return Ok(formula);
    }
    check_cast(found, output_type)?;
    formula.cast(output_type)
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

/// The remainder of integers with the sign of the dividend.
fn remainder(left: Expression, right: Expression) -> Result<Expression> {
    let beyond = rounds_differently(&left, &right)?;
    let rest = Expression::binary(B::Mod, left, right.clone())?;
    let data_type = rest.data_type();
    let back = Expression::binary(B::Sub, rest.clone(), right)?.cast(data_type)?;
    Expression::conditional(beyond, back, rest)
}
