//! Operators of decimals, among each other and with integers: exact, or an error.

use cuprum_column::{Column, ColumnView, Context, DataType, Error, HostUVec, Result, Value};

use super::cpu::validity;
use super::text::holds;
use super::{BinaryOperator, Operand};
use cuprum_elements::decimals::{self, Digits, compare, floor_div, modulo, of_width, rescaled, scale};

/// The type of the result; `None` where there is no such operator. As in libcudf: sums have the finer scale,
/// products the sum of both, quotients the difference, remainders the finer one; the width is the wider one.
/// Quotients that are rounded down have the scale 0.
pub(super) fn result_type(lhs: DataType, rhs: DataType, op: BinaryOperator) -> Option<DataType> {
    let takes = |t: DataType| t.is_decimal() || t.is_integer() || t == DataType::Bool8;
    if !(lhs.is_decimal() || rhs.is_decimal()) || !takes(lhs) || !takes(rhs) {
        return None;
    }
    let (l, r) = (scale(lhs), scale(rhs));
    let scale = match op {
        _ if op.is_comparison() => return Some(DataType::Bool8),
        BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mod => l.min(r),
        BinaryOperator::Mul => l.checked_add(r)?,
        BinaryOperator::TrueDiv => l.checked_sub(r)?,
        BinaryOperator::FloorDiv => 0,
        _ => return None,
    };
    Some(of_width(lhs.size().max(rhs.size()).unwrap_or(16), scale))
}

/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow), naming the first row, where the result does
/// not fit; a quotient and a remainder by zero are null, digits of a quotient beyond the scale are cut off.
/// `FloorDiv` and `Mod` compare both in the finer scale, in which they have to fit, too.
pub(super) fn operate(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    result: DataType,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let mask = validity(lhs, rhs, len, ctx)?;
    let (l, r) = (scale(lhs.data_type()), scale(rhs.data_type()));
    let (left, right) = (view(lhs)?, view(rhs)?);
    let (left, right) = (digits(lhs, left.as_ref())?, digits(rhs, right.as_ref())?);
    if op.is_comparison() {
        let row = |row| u8::from(holds(op, compare(left.get(row), l, right.get(row), r)));
        return Column::new(DataType::Bool8, HostUVec::from_fn(len, ctx, row)?, mask);
    }
    let to = scale(result);
    let both = |row| Some((rescaled(left.get(row), l, to)?, rescaled(right.get(row), r, to)?));
    match op {
        BinaryOperator::Add => {
            decimals::column(len, result, mask, ctx, |row| both(row).and_then(|(a, b)| a.checked_add(b)))
        }
        BinaryOperator::Sub => {
            decimals::column(len, result, mask, ctx, |row| both(row).and_then(|(a, b)| a.checked_sub(b)))
        }
        BinaryOperator::Mul => {
            decimals::column(len, result, mask, ctx, |row| left.get(row).checked_mul(right.get(row)))
        }
        BinaryOperator::TrueDiv | BinaryOperator::FloorDiv | BinaryOperator::Mod => {
            let fine = l.min(r);
            let quotient = decimals::column(len, result, mask, ctx, |row| {
                let (dividend, divisor) = (left.get(row), right.get(row));
                if divisor == 0 {
                    return Some(0);
                }
                if op == BinaryOperator::TrueDiv {
                    return dividend.checked_div(divisor);
                }
                let (a, b) = (rescaled(dividend, l, fine)?, rescaled(divisor, r, fine)?);
                if op == BinaryOperator::Mod { Some(modulo(a, b)) } else { floor_div(a, b) }
            })?;
            let zero = |row: usize| right.get(row) == 0;
            if !(0..len).any(zero) {
                return Ok(quotient);
            }
            let bits = quotient.view()?;
            let valid = cuprum_column::null_mask::from_fn(len, ctx, |row| bits.is_valid(row) && !zero(row))?;
            quotient.with_mask(Some(valid), ctx)
        }
        _ => Err(Error::logic(format!("operator {op} of decimals"))),
    }
}

fn view(operand: Operand<'_>) -> Result<Option<ColumnView<'_>>> {
    match operand {
        Operand::Column(column) => column.view().map(Some),
        Operand::Scalar(_) => Ok(None),
    }
}

fn digits<'a>(operand: Operand<'_>, view: Option<&'a ColumnView<'_>>) -> Result<Digits<'a>> {
    match (operand, view) {
        (_, Some(view)) => Digits::new(view),
        (Operand::Scalar(scalar), None) => Ok(Digits::One(match scalar.value() {
            Value::Decimal(value) => *value,
            Value::Int(value) => (*value).into(),
            Value::UInt(value) => (*value).into(),
            Value::Bool(value) => (*value).into(),
            _ => 0,
        })),
        (Operand::Column(_), None) => Err(Error::logic("a column without a view")),
    }
}
