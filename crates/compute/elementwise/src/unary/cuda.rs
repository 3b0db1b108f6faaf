//! Functions and casts of elements of fixed width on a GPU, as parts of a [`JitExpression`].

use cuprum_column::{Column, Context, DataType, Result};

use super::decimals::power;
use super::{Halves, UnaryOperator, cast, is_whole, round_halves, unary_operation};
use crate::binaryop::cuda::{digits, rescaled, wide};
use cuprum_elements::decimals::scale;
use cuprum_elements::fused::{JitExpression, Valid, Value, by_cpu, computed_as, stored_as};

/// See [`super::unary_operation`]; the column is of a type that `op` takes, and the result of another one.
pub(super) fn operate(column: &Column, op: UnaryOperator, result: DataType, ctx: &Context) -> Result<Column> {
    let mut formula = JitExpression::new(column.len());
    let operand = formula.column(column);
    let value = operated(&mut formula, op, &operand, result);
    match formula.one(value, result, ctx)? {
        Some(column) => Ok(column),
        None => by_cpu(column, ctx, |column, host| unary_operation(&column, op, host)),
    }
}

/// `op` of a number or a duration, whose type is `result`.
pub fn operated(formula: &mut JitExpression, op: UnaryOperator, operand: &Value, result: DataType) -> Value {
    use UnaryOperator::{Abs, BitNot, Ceil, Floor, Negate, Not, Rint, Sign, Trunc};
    let of = operand.data_type;
    let x = &operand.name;
    let stored = stored_as(of).unwrap_or("u8");
    let (cost, text) = match op {
        Ceil | Floor | Trunc | Rint if is_whole(of) => return operand.clone(),
        _ if of.is_decimal() => return of_decimal(formula, op, operand),
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

/// `op` of a decimal, as [`super::decimals`] does it.
fn of_decimal(formula: &mut JitExpression, op: UnaryOperator, operand: &Value) -> Value {
    let x = format!("i128({})", operand.name);
    let text = match (op, power(scale(operand.data_type))) {
        (UnaryOperator::Negate, _) => format!("digits_negative({x})"),
        (UnaryOperator::Abs, _) => format!("digits_absolute({x})"),
        (UnaryOperator::Ceil, None) => format!("Digits{{0, {x} <= 0}}"),
        (UnaryOperator::Floor, None) => format!("Digits{{0, {x} >= 0}}"),
        (_, None) => "digits(0)".to_owned(),
        (_, Some(one)) => {
            let one = wide(one);
            let whole = match op {
                UnaryOperator::Ceil => {
                    format!("digits_floor_div(digits({x}), digits({one})).value + i128({x} % {one} != 0)")
                }
                UnaryOperator::Floor => format!("digits_floor_div(digits({x}), digits({one})).value"),
                UnaryOperator::Trunc => format!("{x} / {one}"),
                _ => format!("digits_rounded({x}, {one}, false)"),
            };
            format!("digits_product({whole}, {one})")
        }
    };
    stored_digits(formula, &text, operand.valid.clone(), operand.data_type)
}

/// The value of `Digits`, which a row refuses where it does not fit the type, of decimals or integers.
fn stored_digits(formula: &mut JitExpression, text: &str, valid: Valid, result: DataType) -> Value {
    let made = formula.named("Digits", text);
    let stored = computed_as(result).unwrap_or("i128");
    formula.check(&valid, &format!("{made}.fits && i128({stored}({made}.value)) == {made}.value"));
    formula.value(result, valid, 30, &format!("{stored}({made}.value)"))
}

/// See [`super::round_halves`]; the column is of decimals, and becomes of the scale of `to`.
pub(super) fn round_digits(column: &Column, to: DataType, halves: Halves, ctx: &Context) -> Result<Column> {
    let mut formula = JitExpression::new(column.len());
    let operand = formula.column(column);
    let x = format!("i128({})", operand.name);
    let (from, into) = (scale(column.data_type()), scale(to));
    let text = if into <= from {
        digits(&x, from, into)
    } else {
        match 10i128.checked_pow(into.abs_diff(from)) {
            Some(unit) => format!("digits(digits_rounded({x}, {}, {}))", wide(unit), halves == Halves::Up),
            // Less than a half.
            None => "digits(0)".to_owned(),
        }
    };
    let value = stored_digits(&mut formula, &text, operand.valid.clone(), to);
    match formula.one(value, to, ctx)? {
        Some(column) => Ok(column),
        None => by_cpu(column, ctx, |column, host| round_halves(&column, -into, halves, host)),
    }
}

/// The cost of a function of floats, and its name.
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
    let mut formula = JitExpression::new(column.len());
    let valid = formula.validity(column);
    let value = formula.truth(&valid, !null);
    formula.unchecked(value, DataType::Bool8, ctx)
}

/// See [`super::is_nan`].
pub(super) fn is_nan(column: &Column, ctx: &Context) -> Result<Column> {
    let mut formula = JitExpression::new(column.len());
    let value = if column.data_type().is_float() {
        let operand = formula.column(column);
        nan_test(&mut formula, &operand)
    } else {
        formula.truth(&Valid::Never, true)
    };
    formula.unchecked(value, DataType::Bool8, ctx)
}

/// Whether a float is there and NaN.
fn nan_test(formula: &mut JitExpression, operand: &Value) -> Value {
    let text = format!("u8({1} & ({0} != {0}))", operand.name, operand.valid.text());
    formula.value(DataType::Bool8, Valid::Always, 1, &text)
}

/// See [`super::round`]; the column is of floats.
pub(super) fn round(column: &Column, decimals: i32, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    let mut formula = JitExpression::new(column.len());
    let operand = formula.column(column);
    let x = &operand.name;
    let places = decimals.unsigned_abs().min(400) as i32;
    let (factor, is_infinite) = if data_type == DataType::Float32 {
        let factor = 10f32.powi(places);
        (formula.number(factor), factor.is_infinite())
    } else {
        let factor = 10f64.powi(places);
        (formula.number(factor), factor.is_infinite())
    };
    let stored = stored_as(data_type).unwrap_or("f64");
    let text = match decimals {
        0.. => format!("finite_or({x}, rint({x} * {factor}) / {factor})"),
        _ if is_infinite => format!("isfinite({x}) ? {stored}(0) * {x} : {x}"),
        _ => format!("finite_or({x}, rint({x} / {factor}) * {factor})"),
    };
    let value = formula.value(data_type, operand.valid.clone(), 30, &text);
    formula.unchecked(value, data_type, ctx)
}

/// Whether kernels do a cast between these types, or there is nothing to do.
pub fn has_cast(from: DataType, to: DataType) -> bool {
    from == to
        || [from, to].iter().all(|t| t.is_numeric() || is_time(*t))
        || [from, to].iter().all(|t| t.is_numeric() || t.is_decimal())
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
    let mut formula = JitExpression::new(column.len());
    let operand = formula.column(column);
    let value = casted(&mut formula, &operand, to);
    match formula.one(value, to, ctx)? {
        Some(column) => Ok(column),
        None => by_cpu(column, ctx, |column, host| cast::on_cpu(&column, to, host)),
    }
}

/// A number or a time as another type, by [`super::cast`].
pub fn casted(formula: &mut JitExpression, value: &Value, to: DataType) -> Value {
    let from = value.data_type;
    if from == to {
        return value.clone();
    }
    match (from, to) {
        _ if from.is_decimal() || to.is_decimal() => casted_decimal(formula, value, to),
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

/// A number from or to decimals.
fn casted_decimal(formula: &mut JitExpression, value: &Value, to: DataType) -> Value {
    let (from, x) = (value.data_type, &value.name);
    let (of_from, of_to) = (scale(from), scale(to));
    let valid = value.valid.clone();
    match to {
        DataType::Bool8 => formula.value(to, valid, 1, &format!("u8({x} != 0)")),
        DataType::Float64 => {
            let x = format!("i128({x})");
            let text = match 10i128.checked_pow(of_from.unsigned_abs()) {
                Some(power) if of_from <= 0 => format!("digits_ratio({x}, {})", wide(power)),
                Some(power) => {
                    let whole = formula.named("Digits", &format!("digits_product({x}, {})", wide(power)));
                    formula.check(&valid, &format!("{whole}.fits"));
                    format!("digits_ratio({whole}.value, 1)")
                }
                // The CPU prints it and reads it as a float.
                None => {
                    formula.check(&valid, &format!("{x} == 0"));
                    "0.0".to_owned()
                }
            };
            formula.value(to, valid, 100, &text)
        }
        _ if to.is_float() => {
            let wide = casted_decimal(formula, value, DataType::Float64);
            formula.converted(&wide, to)
        }
        _ if from.is_float() => {
            // A NaN is no number.
            let valid = formula.present(value, true);
            let text = match 10i128.checked_pow(of_to.unsigned_abs()) {
                Some(unit) => format!("digits_of_float(f64({x}), {})", wide(unit)),
                None => format!("Digits{{0, {x} == 0}}"),
            };
            stored_digits(formula, &text, valid, to)
        }
        _ => stored_digits(formula, &digits(&format!("i128({x})"), of_from, of_to), valid, to),
    }
}

/// A number as an integer, or the stored integer; a row refuses a value that does not fit.
fn checked_integer(formula: &mut JitExpression, value: &Value, to: DataType) -> Value {
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
    let mut formula = JitExpression::new(column.len());
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
