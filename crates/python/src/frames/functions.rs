//! Formulas in steps, which functions of Python become (`cuprum.core.functions`).

use std::sync::Arc;

use cuprum_column::{Column, Context, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::datetime::DatetimeComponent;
use cuprum_compute::expression::{Expression, Function, Values, evaluate, reduce};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::strings::attributes::CharacterClass;
use cuprum_compute::strings::strip::Side;
use cuprum_compute::unary::UnaryOperator;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::{dtype, scalar};

const UNARY: [(&str, UnaryOperator); 25] = [
    ("-", UnaryOperator::Negate),
    ("~", UnaryOperator::Not),
    ("abs", UnaryOperator::Abs),
    ("sqrt", UnaryOperator::Sqrt),
    ("exp", UnaryOperator::Exp),
    ("expm1", UnaryOperator::Expm1),
    ("log", UnaryOperator::Log),
    ("log10", UnaryOperator::Log10),
    ("log1p", UnaryOperator::Log1p),
    ("sin", UnaryOperator::Sin),
    ("cos", UnaryOperator::Cos),
    ("tan", UnaryOperator::Tan),
    ("asin", UnaryOperator::Arcsin),
    ("acos", UnaryOperator::Arccos),
    ("atan", UnaryOperator::Arctan),
    ("sinh", UnaryOperator::Sinh),
    ("cosh", UnaryOperator::Cosh),
    ("tanh", UnaryOperator::Tanh),
    ("asinh", UnaryOperator::Arcsinh),
    ("acosh", UnaryOperator::Arccosh),
    ("atanh", UnaryOperator::Arctanh),
    ("floor", UnaryOperator::Floor),
    ("ceil", UnaryOperator::Ceil),
    ("rint", UnaryOperator::Rint),
    ("trunc", UnaryOperator::Trunc),
];

const CLASSES: [(&str, CharacterClass); 7] = [
    ("isalpha", CharacterClass::Alphabetic),
    ("isdecimal", CharacterClass::Decimal),
    ("isdigit", CharacterClass::Digit),
    ("isnumeric", CharacterClass::Numeric),
    ("isalnum", CharacterClass::Alphanumeric),
    ("isspace", CharacterClass::Space),
    ("isascii", CharacterClass::Ascii),
];

/// Parts of times, which are named as they are here, in small letters.
const COMPONENTS: [DatetimeComponent; 22] = {
    use DatetimeComponent as C;
    [
        C::Year,
        C::Month,
        C::Day,
        C::Hour,
        C::Minute,
        C::Second,
        C::Microsecond,
        C::Nanosecond,
        C::DayOfWeek,
        C::DayOfYear,
        C::Quarter,
        C::IsoYear,
        C::IsoWeek,
        C::IsoDay,
        C::DaysInMonth,
        C::IsLeapYear,
        C::IsMonthStart,
        C::IsMonthEnd,
        C::IsQuarterStart,
        C::IsQuarterEnd,
        C::IsYearStart,
        C::IsYearEnd,
    ]
};

/// The function of a step `(name, step, …)`, named and called as Python's method of texts is.
fn function(name: &str, step: &Bound<'_, PyTuple>) -> PyResult<Option<Function>> {
    let text = |at: usize| -> PyResult<Arc<str>> { Ok(step.get_item(at)?.extract::<String>()?.into()) };
    let place = |at: usize| -> PyResult<Option<i64>> { step.get_item(at)?.extract() };
    let size = |at: usize| -> PyResult<usize> { step.get_item(at)?.extract() };
    let stripped = |side: Side| -> PyResult<Function> {
        let characters: Option<String> = step.get_item(2)?.extract()?;
        Ok(Function::Strip(side, characters.map(Into::into)))
    };
    let padded = |side: Side| -> PyResult<Function> {
        Ok(Function::Pad(size(2)?, side, step.get_item(3)?.extract()?))
    };
    Ok(Some(match name {
        "len" => Function::Length,
        "upper" => Function::Upper,
        "lower" => Function::Lower,
        "title" => Function::Title,
        "capitalize" => Function::Capitalize,
        "swapcase" => Function::SwapCase,
        "islower" => Function::IsLower,
        "isupper" => Function::IsUpper,
        "istitle" => Function::IsTitle,
        "strip" => stripped(Side::Both)?,
        "lstrip" => stripped(Side::Left)?,
        "rstrip" => stripped(Side::Right)?,
        "startswith" => Function::StartsWith(text(2)?),
        "endswith" => Function::EndsWith(text(2)?),
        "contains" => Function::Contains(text(2)?),
        "fullmatch" => Function::Matches(text(2)?),
        "find" => Function::Find(text(2)?, place(3)?.unwrap_or(0), place(4)?),
        "rfind" => Function::FindLast(text(2)?, place(3)?.unwrap_or(0), place(4)?),
        "count" => Function::Count(text(2)?),
        "replace" => Function::Replace(text(2)?, text(3)?, step.get_item(4)?.extract()?),
        "removeprefix" => Function::RemovePrefix(text(2)?),
        "removesuffix" => Function::RemoveSuffix(text(2)?),
        "slice" => Function::Slice(place(2)?, place(3)?, place(4)?),
        "part" => {
            let separator: Option<String> = step.get_item(2)?.extract()?;
            Function::Part(separator.map(Into::into), step.get_item(3)?.extract()?)
        }
        "ljust" => padded(Side::Right)?,
        "rjust" => padded(Side::Left)?,
        "center" => padded(Side::Both)?,
        "zfill" => Function::ZeroFill(size(2)?),
        "repeat" => Function::Repeat(size(2)?),
        "parsed" => Function::Parsed(dtype::require_storage(&step.get_item(2)?)?),
        "component" => {
            let part: String = step.get_item(2)?.extract()?;
            match COMPONENTS.into_iter().find(|known| format!("{known:?}").to_lowercase() == part) {
                Some(component) => Function::Component(component),
                None => return Err(PyTypeError::new_err(format!("`{part}` is no part of a time"))),
            }
        }
        "is_in" => {
            let data_type = dtype::require_storage(&step.get_item(3)?)?;
            let value = |value: Bound<'_, PyAny>| {
                let value = scalar::from_py(&value)?.scalar;
                Scalar::new(data_type, value.value().clone()).py()
            };
            let values = step.get_item(2)?.try_iter()?.map(|one| value(one?)).collect::<PyResult<_>>()?;
            Function::IsIn(Values::new(values).py()?)
        }
        _ => match CLASSES.iter().find(|(known, _)| *known == name) {
            Some((_, class)) => Function::AllAre(*class),
            None => return Ok(None),
        },
    }))
}

/// The expressions of all steps. A step is a name and what it takes, in which numbers are earlier steps:
/// `("column", position)`, `("literal", value, type)`, `("cast", step, type)`, `("missing", step)`,
/// `("choose", condition, then, otherwise)`, `(operator, step)`, `(operator, left, right)`, and functions as in
/// [`function`].
fn expressions(columns: &[Column], steps: &[Bound<'_, PyTuple>]) -> PyResult<Vec<Expression>> {
    let mut made: Vec<Expression> = Vec::with_capacity(steps.len());
    for step in steps {
        let name: String = step.get_item(0)?.extract()?;
        let operand = |at: usize| -> PyResult<Expression> {
            let number: usize = step.get_item(at)?.extract()?;
            let known = made.get(number).cloned();
            known.ok_or_else(|| PyTypeError::new_err(format!("step {number} comes after `{name}`")))
        };
        if let Some(function) = function(&name, step)? {
            made.push(Expression::function(function, operand(1)?).py()?);
            continue;
        }
        let result: Result<Expression> = match name.as_str() {
            "column" => {
                let position: usize = step.get_item(1)?.extract()?;
                let column = columns.get(position);
                let data_type = column.map(Column::data_type);
                data_type
                    .map(|data_type| Expression::column(position, data_type))
                    .ok_or_else(|| Error::out_of_range(format!("column {position} of {}", columns.len())))
            }
            "literal" => {
                let value = scalar::from_py(&step.get_item(1)?)?.scalar;
                let data_type = dtype::require_storage(&step.get_item(2)?)?;
                Scalar::new(data_type, value.value().clone()).map(Expression::literal)
            }
            "cast" => operand(1)?.cast(dtype::require_storage(&step.get_item(2)?)?),
            "missing" => operand(1)?.is_missing(true),
            "choose" => Expression::conditional(operand(1)?, operand(2)?, operand(3)?),
            _ if step.len() == 2 => match UNARY.iter().find(|(known, _)| *known == name) {
                Some((_, op)) => Expression::unary(*op, operand(1)?),
                None => return Err(PyTypeError::new_err(format!("`{name}` is no step of one operand"))),
            },
            _ => match BinaryOperator::ALL.into_iter().find(|op| op.symbol() == name) {
                Some(op) => Expression::binary(op, operand(1)?, operand(2)?),
                None => return Err(PyTypeError::new_err(format!("`{name}` is no step of two operands"))),
            },
        };
        made.push(result.py()?);
    }
    Ok(made)
}

/// The steps of `wanted`, the table that they are over, and the context in which they are computed.
fn formulas(
    columns: &[PyRef<'_, PyColumn>],
    steps: &[Bound<'_, PyTuple>],
    wanted: &[usize],
) -> PyResult<(Vec<Expression>, Table, Context)> {
    let ctx = columns.first().map_or_else(|| Ok(Context::current()), |column| column.0.context()).py()?;
    let columns: Vec<Column> = columns.iter().map(|column| column.0.clone()).collect();
    let made = expressions(&columns, steps)?;
    let pick = |at: &usize| {
        made.get(*at).cloned().ok_or_else(|| PyTypeError::new_err(format!("there is no step {at}")))
    };
    Ok((wanted.iter().map(pick).collect::<PyResult<_>>()?, Table::new(columns).py()?, ctx))
}

/// The columns of the steps `wanted`, computed together.
#[pyfunction]
pub fn formula_columns(
    py: Python<'_>,
    columns: Vec<PyRef<'_, PyColumn>>,
    steps: Vec<Bound<'_, PyTuple>>,
    wanted: Vec<usize>,
) -> PyResult<Vec<PyColumn>> {
    let (formulas, table, ctx) = formulas(&columns, &steps, &wanted)?;
    let made = crate::run::run_on(py, "apply", table.num_rows(), ctx, |ctx: &Context| {
        evaluate(&formulas, &table, ctx)
    })?;
    Ok(made.into_iter().map(PyColumn::plain).collect())
}

/// Whether truth values of the steps `wanted` are true in some row, all of them in one pass.
#[pyfunction]
pub fn formula_any(
    py: Python<'_>,
    columns: Vec<PyRef<'_, PyColumn>>,
    steps: Vec<Bound<'_, PyTuple>>,
    wanted: Vec<usize>,
) -> PyResult<Vec<bool>> {
    let (formulas, table, ctx) = formulas(&columns, &steps, &wanted)?;
    let requests: Vec<_> = formulas.into_iter().map(|formula| (formula, Aggregation::Any)).collect();
    let values = crate::run::run_on(py, "apply", table.num_rows(), ctx, |ctx: &Context| {
        reduce(&requests, None, &table, ctx)
    })?;
    Ok(values.iter().map(|value| value.as_bool() == Some(true)).collect())
}
