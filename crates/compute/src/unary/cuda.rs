//! Functions and casts of elements of fixed width on a GPU, as parts of a [`Formula`].

use cuprum_column::{Column, Context, DataType, Result};

use super::{Halves, UnaryOperator, cast, round_halves};
use crate::binaryop::cuda::rescaled;
use crate::fused::{Formula, Valid, Value, by_cpu, stored_as};

/// See [`super::unary_operation`]; the column is of a type that `op` takes, and the result of another one.
pub(super) fn operate(column: &Column, op: UnaryOperator, result: DataType, ctx: &Context) -> Result<Column> {
    let mut formula = Formula::new(column.len());
    let operand = formula.column(column);
    let value = operated(&mut formula, op, &operand, result);
    formula.unchecked(value, result, ctx)
}

/// `op` of a number or a duration, whose type is `result`.
pub(crate) fn operated(formula: &mut Formula, op: UnaryOperator, operand: &Value, result: DataType) -> Value {
    use UnaryOperator::{Abs, BitNot, Ceil, Floor, Negate, Not, Rint, Sign, Trunc};
    let of = operand.data_type;
    let x = &operand.name;
    let stored = stored_as(of).unwrap_or("u8");
    let (cost, text) = match op {
        Ceil | Floor | Trunc | Rint if !of.is_float() => return operand.clone(),
        Negate if of.is_float() => (1, format!("{stored}(-1) * {x}")),
        Negate => (1, format!("sub<{stored}>(0, {x})")),
        Abs => (1, format!("absolute<{stored}>({x})")),
        Sign => (3, format!("sign<{stored}>({x})")),
        Not => (1, format!("u8({x} == {stored}(0))")),
        BitNot if of == DataType::Bool8 => (1, format!("u8({x} == 0)")),
        BitNot => (1, format!("{stored}(~{x})")),
        _ => {
            let (cost, function) = function(op);
            let x = formula.converted(operand, result).name;
            (cost, format!("{function}({x})"))
        }
    };
    formula.value(result, operand.valid.clone(), cost, &text)
}

/// What a function of floats costs, and its name.
fn function(op: UnaryOperator) -> (usize, &'static str) {
    use UnaryOperator as Op;
    match op {
        Op::Sqrt => (10, "sqrt"),
        Op::Cbrt => (40, "cbrt"),
        Op::Exp => (40, "exp"),
        Op::Expm1 => (40, "expm1"),
        Op::Log => (40, "log"),
        Op::Log1p => (40, "log1p"),
        Op::Log2 => (40, "log2"),
        Op::Log10 => (40, "log10"),
        Op::Sin => (120, "sin"),
        Op::Cos => (120, "cos"),
        Op::Tan => (120, "tan"),
        Op::Arcsin => (40, "asin"),
        Op::Arccos => (40, "acos"),
        Op::Arctan => (40, "atan"),
        Op::Sinh => (60, "sinh"),
        Op::Cosh => (60, "cosh"),
        Op::Tanh => (60, "tanh"),
        Op::Arcsinh => (100, "area_sine"),
        Op::Arccosh => (100, "area_cosine"),
        Op::Arctanh => (80, "area_tangent"),
        Op::Ceil => (1, "ceil"),
        Op::Floor => (1, "floor"),
        Op::Trunc => (1, "trunc"),
        _ => (1, "rint"),
    }
}

/// Whether each row of a column of any type is null (`null`) or valid.
pub(super) fn null_test(column: &Column, null: bool, ctx: &Context) -> Result<Column> {
    let mut formula = Formula::new(column.len());
    let valid = formula.validity(column);
    let value = formula.truth(&valid, !null);
    formula.unchecked(value, DataType::Bool8, ctx)
}

/// See [`super::is_nan`].
pub(super) fn is_nan(column: &Column, ctx: &Context) -> Result<Column> {
    let mut formula = Formula::new(column.len());
    let value = if column.data_type().is_float() {
        let operand = formula.column(column);
        nan_test(&mut formula, &operand)
    } else {
        formula.truth(&Valid::Never, true)
    };
    formula.unchecked(value, DataType::Bool8, ctx)
}

/// Whether a float is there and NaN.
fn nan_test(formula: &mut Formula, operand: &Value) -> Value {
    let text = format!("u8({1} & ({0} != {0}))", operand.name, operand.valid.text());
    formula.value(DataType::Bool8, Valid::Always, 1, &text)
}

/// See [`super::round`]; the column is of floats, or of integers that are rounded to tens or more.
pub(super) fn round(column: &Column, decimals: i32, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    let mut formula = Formula::new(column.len());
    let operand = formula.column(column);
    let x = &operand.name;
    let places = decimals.unsigned_abs().min(400) as i32;
    let text = if data_type.is_float() {
        let (factor, is_infinite) = if data_type == DataType::Float32 {
            let factor = 10f32.powi(places);
            (formula.number(factor), factor.is_infinite())
        } else {
            let factor = 10f64.powi(places);
            (formula.number(factor), factor.is_infinite())
        };
        let stored = stored_as(data_type).unwrap_or("f64");
        match decimals {
            0.. => format!("finite_or({x}, rint({x} * {factor}) / {factor})"),
            _ if is_infinite => format!("isfinite({x}) ? {stored}(0) * {x} : {x}"),
            _ => format!("finite_or({x}, rint({x} / {factor}) * {factor})"),
        }
    } else {
        to_unit(&mut formula, &operand, decimals)
    };
    let value = formula.value(data_type, operand.valid.clone(), 30, &text);
    formula.unchecked(value, data_type, ctx)
}

/// An integer to a multiple of 10^−decimals.
fn to_unit(formula: &mut Formula, operand: &Value, decimals: i32) -> String {
    let stored = stored_as(operand.data_type).unwrap_or("i64");
    match 10u64.checked_pow(decimals.unsigned_abs()) {
        Some(unit) => {
            let unit = formula.number(unit);
            format!("rounded_to<{stored}>({}, {unit})", operand.name)
        }
        // More than twice what an integer can be.
        None => format!("{stored}(0)"),
    }
}

/// Whether kernels do a cast between these types, or there is nothing to do.
pub(crate) fn has_cast(from: DataType, to: DataType) -> bool {
    from == to || [from, to].iter().all(|t| t.is_numeric() || is_time(*t))
}

/// See [`super::cast`]; the types differ, and there is a conversion.
pub(super) fn cast_column(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let from = column.data_type();
    if stored_as(from) == stored_as(to)
        && (is_time(from) || is_time(to))
        && from.is_integer() != to.is_integer()
    {
        return column.bit_cast(to);
    }
    let mut formula = Formula::new(column.len());
    let operand = formula.column(column);
    let value = casted(&mut formula, &operand, to);
    match formula.one(value, to, ctx)? {
        Some(column) => Ok(column),
        None => by_cpu(column, ctx, |column, host| cast::cast(&column, to, host)),
    }
}

/// A number or a time as another type, by [`super::cast`].
pub(crate) fn casted(formula: &mut Formula, value: &Value, to: DataType) -> Value {
    let from = value.data_type;
    if from == to {
        return value.clone();
    }
    match (from, to) {
        (DataType::Timestamp(a), DataType::Timestamp(b)) | (DataType::Duration(a), DataType::Duration(b)) => {
            rescaled(formula, value, a, b, to)
        }
        (_, DataType::Bool8) => {
            let text = format!("u8({} != {}(0))", value.name, stored_as(from).unwrap_or("u8"));
            formula.value(to, value.valid.clone(), 1, &text)
        }
        _ if to.is_float() => formula.converted(value, to),
        // A NaN is no time.
        _ if from.is_float() && is_time(to) => {
            let valid = formula.present(value, true);
            let number = Value { valid, ..value.clone() };
            checked_integer(formula, &number, to)
        }
        _ => checked_integer(formula, value, to),
    }
}

/// A number as an integer, or what is stored as one; a row refuses a value that does not fit.
fn checked_integer(formula: &mut Formula, value: &Value, to: DataType) -> Value {
    let stored = stored_as(to).unwrap_or("i64");
    if stored_as(value.data_type) != Some(stored) {
        let wide = match value.data_type {
            from if from.is_float() => "f64",
            DataType::UInt64 => "u64",
            _ => "i64",
        };
        formula.check(&value.valid, &format!("fits<{stored}>({wide}({}))", value.name));
    }
    formula.converted(value, to)
}

/// See [`super::round_halves`]; the column is of numbers, no decimals.
pub(super) fn round_to_halves(column: &Column, places: i32, halves: Halves, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    let mut formula = Formula::new(column.len());
    let operand = formula.column(column);
    let x = &operand.name;
    let is_up = halves == Halves::Up;
    let text = if data_type.is_float() {
        let stored = stored_as(data_type).unwrap_or("f64");
        if (-400..=330).contains(&places) {
            let factor = formula.number(10f64.powi(places.abs()));
            format!("{stored}(rounded_halves(f64({x}), {factor}, {}, {is_up}))", places.signum())
        } else if places > 0 {
            x.clone()
        } else {
            format!("isfinite({x}) ? {stored}(0) * {x} : {x}")
        }
    } else {
        match 10u64.checked_pow(places.unsigned_abs()) {
            Some(unit) => {
                let unit = formula.number(unit);
                let rounded = formula.named("__int128", &format!("multiple_of({x}, {unit}, {is_up})"));
                let stored = stored_as(data_type).unwrap_or("i64");
                formula.check(&operand.valid, &format!("__int128({stored}({rounded})) == {rounded}"));
                format!("{stored}({rounded})")
            }
            None => "0".to_owned(),
        }
    };
    let value = formula.value(data_type, operand.valid.clone(), 40, &text);
    match formula.one(value, data_type, ctx)? {
        Some(column) => Ok(column),
        None => by_cpu(column, ctx, |column, host| round_halves(&column, places, halves, host)),
    }
}

fn is_time(data_type: DataType) -> bool {
    data_type.is_timestamp() || data_type.is_duration()
}
