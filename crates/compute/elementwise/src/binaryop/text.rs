//! Operators of two strings: comparison by bytes, which is the order of code points, and
//! concatenation; strings times integers.

use std::cmp::Ordering;

use cuprum_column::{Column, Context, DataType, HostUVec, Result, StringBuilder, Value};
use cuprum_runtime::parallel;

use super::cpu::validity;
use super::{BinaryOperator, Operand};
use cuprum_elements::elements::{OperandView, Texts};
use cuprum_elements::string_map::{counts_of, repeated};
use cuprum_text::strings;

pub(super) fn operate(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    match op {
        BinaryOperator::Add => return concatenate(lhs, rhs, len, ctx),
        BinaryOperator::Mul => return repeat(lhs, rhs, len, ctx),
        _ => {}
    }
    let mask = validity(lhs, rhs, len, ctx)?;
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let (a, b) = (Texts::new(&lhs)?, Texts::new(&rhs)?);
    let values = match op {
        BinaryOperator::Equal => HostUVec::from_fn(len, ctx, |i| u8::from(a.bytes(i) == b.bytes(i)))?,
        BinaryOperator::NotEqual => HostUVec::from_fn(len, ctx, |i| u8::from(a.bytes(i) != b.bytes(i)))?,
        _ => HostUVec::from_fn(len, ctx, |i| u8::from(holds(op, a.bytes(i).cmp(b.bytes(i)))))?,
    };
    Column::new(DataType::Bool8, values, mask)
}

/// Texts behind each other, or so many times, by the kernels of `strings`.
pub(super) fn made_on_device(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let (left, right) = (lhs.to_column(len, temporary)?, rhs.to_column(len, temporary)?);
    match op {
        BinaryOperator::Add => strings::combine::concatenate(&[&left, &right], "", None, ctx),
        _ if left.data_type() == DataType::String => strings::pad::repeat_each(&left, &right, ctx),
        _ => strings::pad::repeat_each(&right, &left, ctx),
    }
}

/// Whether a comparison holds for two values in this order.
#[inline(always)]
pub(super) fn holds(op: BinaryOperator, order: Ordering) -> bool {
    match op {
        BinaryOperator::Equal => order.is_eq(),
        BinaryOperator::NotEqual => order.is_ne(),
        BinaryOperator::Less => order.is_lt(),
        BinaryOperator::LessEqual => order.is_le(),
        BinaryOperator::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn concatenate(lhs: Operand<'_>, rhs: Operand<'_>, len: usize, ctx: &Context) -> Result<Column> {
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let (a, b) = (Texts::new(&lhs)?, Texts::new(&rhs)?);
    let parts = parallel::map_morsels(len, ctx, |range| {
        let bytes = range.clone().map(|i| a.bytes(i).len() + b.bytes(i).len()).sum();
        let mut builder = StringBuilder::with_capacity(range.len(), bytes);
        for i in range {
            match (a.get(i), b.get(i)) {
                (Some(a), Some(b)) => {
                    builder.write_str(a);
                    builder.write_str(b);
                    builder.end_row();
                }
                _ => builder.push_null(),
            }
        }
        Ok(builder)
    })?;
    StringBuilder::finish_all(parts, ctx)
}

/// Strings times integers, on whichever side.
fn repeat(lhs: Operand<'_>, rhs: Operand<'_>, len: usize, ctx: &Context) -> Result<Column> {
    let mask = validity(lhs, rhs, len, ctx)?;
    let (texts, counts) = if lhs.data_type() == DataType::String { (lhs, rhs) } else { (rhs, lhs) };
    let (texts, counts) = (texts.view()?, counts.view()?);
    let texts = Texts::new(&texts)?;
    match &counts {
        OperandView::Column(counts) => {
            let counts = counts_of(counts, ctx)?;
            repeated(len, |i| texts.get(i), |i| counts[i], mask, ctx)
        }
        OperandView::Scalar(count) => {
            let count = match *count.value() {
                Value::Int(count) => usize::try_from(count).unwrap_or(0),
                Value::UInt(count) => usize::try_from(count).unwrap_or(usize::MAX),
                _ => 0,
            };
            repeated(len, |i| texts.get(i), |_| count, mask, ctx)
        }
    }
}
