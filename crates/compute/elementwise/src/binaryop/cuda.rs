//! Operations of elements of fixed width on a GPU, as parts of a [`JitExpression`].

use cuprum_column::{Column, Context, DataType, Result, TimeUnit};

use super::times::factor;
use super::types::finer;
use super::{BinaryOperator, Operand, binary_operation, promote};
use cuprum_elements::decimals::scale;
use cuprum_elements::fused::{JitExpression, Valid, Value, by_cpu, computed_as, stored_as};

/// See [`super::binary_operation`]; `result` is the type of the result.
pub(super) fn operate(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    result: DataType,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let mut formula = JitExpression::new(len);
    let (l, r) = (formula.operand_of_any(lhs, ctx)?, formula.operand_of_any(rhs, ctx)?);
    let value = operated(&mut formula, op, &l, &r, result);
    match formula.one(value, result, ctx)? {
        Some(column) => Ok(column),
        None => by_cpu(&(lhs, rhs), ctx, |(lhs, rhs), host| binary_operation(&lhs, &rhs, op, host)),
    }
}

/// `lhs op rhs`, whose type is `result`.
pub fn operated(
    formula: &mut JitExpression,
    op: BinaryOperator,
    lhs: &Value,
    rhs: &Value,
    result: DataType,
) -> Value {
    let (l, r) = (lhs.data_type, rhs.data_type);
    if l.is_decimal() || r.is_decimal() {
        decimal(formula, op, lhs, rhs, result)
    } else if l == DataType::String {
        formula.compared_texts(op.symbol(), lhs, rhs)
    } else if !(l.is_numeric() && r.is_numeric()) {
        if op.is_comparison() && l == r {
            compared(formula, op, lhs, rhs)
        } else {
            timed(formula, op, lhs, rhs, result)
        }
    } else if op.is_comparison() {
        compared(formula, op, lhs, rhs)
    } else if result == DataType::Bool8 {
        logical(formula, op, lhs, rhs)
    } else {
        arithmetic(formula, op, lhs, rhs, result)
    }
}

fn arithmetic(
    formula: &mut JitExpression,
    op: BinaryOperator,
    lhs: &Value,
    rhs: &Value,
    result: DataType,
) -> Value {
    let valid = formula.all(&[&lhs.valid, &rhs.valid]);
    if op == BinaryOperator::Pow && result.is_signed_integer() && rhs.data_type != DataType::Bool8 {
        formula.check(&valid, &format!("{} >= 0", rhs.name));
    }
    let (a, b) = (formula.converted(lhs, result).name, formula.converted(rhs, result).name);
    let stored = stored_as(result).unwrap_or("u8");
    let division = if result.is_float() { 120 } else { 40 };
    let (cost, text) = match op {
        BinaryOperator::Add => (1, format!("add<{stored}>({a}, {b})")),
        BinaryOperator::Sub => (1, format!("sub<{stored}>({a}, {b})")),
        BinaryOperator::Mul => (1, format!("mul<{stored}>({a}, {b})")),
        BinaryOperator::TrueDiv => (8, format!("{a} / {b}")),
        BinaryOperator::FloorDiv => (division, format!("floor_div<{stored}>({a}, {b})")),
        BinaryOperator::Mod => (division, format!("modulo<{stored}>({a}, {b})")),
        BinaryOperator::And => (1, format!("{stored}({a} & {b})")),
        BinaryOperator::Or => (1, format!("{stored}({a} | {b})")),
        BinaryOperator::Xor => (1, format!("{stored}({a} ^ {b})")),
        _ => (120, format!("power<{stored}>({a}, {b})")),
    };
    formula.value(result, valid, cost, &text)
}

fn compared(formula: &mut JitExpression, op: BinaryOperator, lhs: &Value, rhs: &Value) -> Value {
    let (l, r) = (lhs.data_type, rhs.data_type);
    let valid = formula.all(&[&lhs.valid, &rhs.valid]);
    let (a, b) = (&lhs.name, &rhs.name);
    let text = if l.is_signed_integer() && r == DataType::UInt64 {
        mixed(op, a, b)
    } else if l == DataType::UInt64 && r.is_signed_integer() {
        mixed(super::cpu::mirrored(op), b, a)
    } else {
        let common = promote(l, r).unwrap_or(l);
        let (a, b) = (formula.converted(lhs, common).name, formula.converted(rhs, common).name);
        format!("u8({a} {} {b})", op.symbol())
    };
    formula.value(DataType::Bool8, valid, 1, &text)
}

/// A signed number and an unsigned one of 64 bits.
fn mixed(op: BinaryOperator, a: &str, b: &str) -> String {
    match op {
        BinaryOperator::Equal => format!("u8(equal(i64({a}), {b}))"),
        BinaryOperator::NotEqual => format!("u8(!equal(i64({a}), {b}))"),
        BinaryOperator::Less => format!("u8(below(i64({a}), {b}))"),
        BinaryOperator::GreaterEqual => format!("u8(!below(i64({a}), {b}))"),
        BinaryOperator::LessEqual => format!("u8(below(i64({a}), {b}) || equal(i64({a}), {b}))"),
        _ => format!("u8(!below(i64({a}), {b}) && !equal(i64({a}), {b}))"),
    }
}

/// Operators of booleans; `And` and `Or` follow Kleene's logic.
fn logical(formula: &mut JitExpression, op: BinaryOperator, lhs: &Value, rhs: &Value) -> Value {
    let (a, b) = (format!("({} != 0)", lhs.name), format!("({} != 0)", rhs.name));
    let (sign, decides) = match op {
        BinaryOperator::And | BinaryOperator::Mul => ("&", "!"),
        BinaryOperator::Or | BinaryOperator::Add => ("|", ""),
        _ => ("!=", ""),
    };
    let kleene = matches!(op, BinaryOperator::And | BinaryOperator::Or);
    let is_nullable = lhs.valid != Valid::Always || rhs.valid != Valid::Always;
    let valid = if kleene && is_nullable {
        // One operand decides alone where it is known.
        let (known_a, known_b) = (lhs.valid.text().to_owned(), rhs.valid.text().to_owned());
        formula.condition(&format!(
            "({known_a} & {known_b}) | ({known_a} & {decides}{a}) | ({known_b} & {decides}{b})"
        ))
    } else {
        formula.all(&[&lhs.valid, &rhs.valid])
    };
    formula.value(DataType::Bool8, valid, 1, &format!("u8({a} {sign} {b})"))
}

/// Operators of decimals, among each other and with integers: as [`decimals`](super::decimals), exact or refused.
fn decimal(
    formula: &mut JitExpression,
    op: BinaryOperator,
    lhs: &Value,
    rhs: &Value,
    result: DataType,
) -> Value {
    let (l, r) = (scale(lhs.data_type), scale(rhs.data_type));
    let valid = formula.all(&[&lhs.valid, &rhs.valid]);
    let (a, b) = (format!("i128({})", lhs.name), format!("i128({})", rhs.name));
    if op.is_comparison() {
        let fine = l.min(r);
        let (x, y) = (digits(&a, l, fine), digits(&b, r, fine));
        let text = format!("u8(digits_order({x}, {a}, {y}, {b}) {} 0)", op.symbol());
        return formula.value(result, valid, 30, &text);
    }
    let to = scale(result);
    let text = match op {
        BinaryOperator::Mul => format!("digits_product({a}, {b})"),
        BinaryOperator::TrueDiv => format!("digits_quotient({a}, {b})"),
        BinaryOperator::FloorDiv | BinaryOperator::Mod => {
            let fine = l.min(r);
            let name = if op == BinaryOperator::Mod { "digits_modulo" } else { "digits_floor_div" };
            format!("{name}({}, {})", digits(&a, l, fine), digits(&b, r, fine))
        }
        _ => {
            let name = if op == BinaryOperator::Add { "digits_sum" } else { "digits_difference" };
            format!("{name}({}, {})", digits(&a, l, to), digits(&b, r, to))
        }
    };
    let divides = matches!(op, BinaryOperator::TrueDiv | BinaryOperator::FloorDiv | BinaryOperator::Mod);
    let made = formula.named("Digits", &text);
    let stored = computed_as(result).unwrap_or("i128");
    formula.check(&valid, &format!("{made}.fits && i128({stored}({made}.value)) == {made}.value"));
    // A quotient by zero is null.
    let valid = if divides { formula.condition(&format!("{} & ({b} != 0)", valid.text())) } else { valid };
    let cost = if divides { 150 } else { 30 };
    formula.value(result, valid, cost, &format!("{stored}({made}.value)"))
}

/// C++ for the `Digits` of a decimal in units of another scale; digits beyond it are cut off.
pub(crate) fn digits(value: &str, from: i32, to: i32) -> String {
    if from == to {
        return format!("digits({value})");
    }
    match 10u128.checked_pow(from.abs_diff(to)).filter(|power| *power <= i128::MAX as u128) {
        Some(power) => {
            let power = wide(power as i128);
            if from > to {
                format!("digits_product({value}, {power})")
            } else {
                format!("digits({value} / {power})")
            }
        }
        // More digits than any value has.
        None if from > to => format!("Digits{{0, {value} == 0}}"),
        None => "digits(0)".into(),
    }
}

/// A decimal, which a row refuses that has more digits.
pub fn within_digits(formula: &mut JitExpression, decimal: &Value, digits: u8) -> Value {
    let limit = wide(10i128.pow(digits.into()));
    let x = format!("i128({})", decimal.name);
    formula.check(&decimal.valid, &format!("{x} < {limit} && {x} > -{limit}"));
    decimal.clone()
}

/// C++ for an integer of 128 bits.
pub(crate) fn wide(value: i128) -> String {
    format!("wide({}ull, {}ull)", (value >> 64) as u64, value as u64)
}

/// Operators of timestamps and durations, of different units or with numbers.
fn timed(
    formula: &mut JitExpression,
    op: BinaryOperator,
    lhs: &Value,
    rhs: &Value,
    result: DataType,
) -> Value {
    let (Some(a), Some(b)) = (unit(lhs.data_type), unit(rhs.data_type)) else {
        let (duration, number) = if unit(lhs.data_type).is_some() { (lhs, rhs) } else { (rhs, lhs) };
        return scaled(formula, op, duration, number, result);
    };
    let common = finer(a, b);
    let valid = formula.all(&[&lhs.valid, &rhs.valid]);
    let (of_a, of_b) = (formula.number(factor(a, common)), formula.number(factor(b, common)));
    let operands = format!("i64({}), {of_a}, i64({}), {of_b}", lhs.name, rhs.name);
    if op.is_comparison() {
        let text = format!("u8(time_order({operands}) {} 0)", op.symbol());
        return formula.value(result, valid, 12, &text);
    }
    let function = match op {
        BinaryOperator::Add => "time_sum",
        BinaryOperator::Sub => "time_difference",
        BinaryOperator::Mod => "time_modulo",
        BinaryOperator::FloorDiv => "time_floor_div",
        _ => {
            let text = format!("(f64({}) * f64({of_a})) / (f64({}) * f64({of_b}))", lhs.name, rhs.name);
            return formula.value(result, valid, 12, &text);
        }
    };
    let is_division = matches!(op, BinaryOperator::Mod | BinaryOperator::FloorDiv);
    from_cell(formula, &format!("{function}({operands})"), valid, is_division, result)
}

/// A duration multiplied or divided by a number.
fn scaled(
    formula: &mut JitExpression,
    op: BinaryOperator,
    duration: &Value,
    number: &Value,
    result: DataType,
) -> Value {
    let valid = formula.all(&[&duration.valid, &number.valid]);
    let (x, y) = (&duration.name, &number.name);
    let (text, may_be_null) = if number.data_type.is_float() {
        let value = match op {
            BinaryOperator::Mul => format!("f64({x}) * f64({y})"),
            BinaryOperator::TrueDiv => format!("f64({x}) / f64({y})"),
            _ => format!("floor(f64({x}) / f64({y}))"),
        };
        (format!("time_of_float({value}, f64({y}))"), true)
    } else {
        match op {
            BinaryOperator::Mul => (format!("time_times(i64({x}), i64({y}))"), false),
            BinaryOperator::TrueDiv => (format!("time_divided(i64({x}), i64({y}))"), true),
            _ => (format!("time_floor_div(i64({x}), 1, i64({y}), 1)"), true),
        }
    };
    from_cell(formula, &text, valid, may_be_null, result)
}

/// The value of a `Cell`, which a row refuses where it does not fit the type.
pub(crate) fn from_cell(
    formula: &mut JitExpression,
    text: &str,
    valid: Valid,
    may_be_null: bool,
    result: DataType,
) -> Value {
    let cell = formula.named("Cell", text);
    let stored = stored_as(result).unwrap_or("i64");
    formula
        .check(&valid, &format!("{cell}.is_null | ({cell}.fits & ({stored}({cell}.value) == {cell}.value))"));
    let valid = match (&valid, may_be_null) {
        (Valid::Never, _) | (_, false) => valid,
        (Valid::Always, true) => formula.condition(&format!("!{cell}.is_null")),
        (Valid::Where(name), true) => {
            let text = format!("{name} & !{cell}.is_null");
            formula.condition(&text)
        }
    };
    formula.value(result, valid, 30, &format!("{stored}({cell}.value)"))
}

/// Times in another unit: exact where it is finer, rounded down where it is coarser.
pub fn rescaled(
    formula: &mut JitExpression,
    value: &Value,
    from: TimeUnit,
    to: TimeUnit,
    result: DataType,
) -> Value {
    let finest = finer(from, to);
    let factor = formula.number(factor(from, finest) * factor(to, finest));
    let text = if finest == to {
        format!("time_times(i64({}), {factor})", value.name)
    } else {
        format!("time_floor_div(i64({}), 1, {factor}, 1)", value.name)
    };
    from_cell(formula, &text, value.valid.clone(), false, result)
}

fn unit(data_type: DataType) -> Option<TimeUnit> {
    match data_type {
        DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit),
        _ => None,
    }
}
