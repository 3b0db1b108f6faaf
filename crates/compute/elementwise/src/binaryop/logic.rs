//! Operators of two booleans: Kleene's `And` and `Or`, and those that propagate nulls.

use cuprum_column::{Bitmap, Column, Context, DataType, Result, Scalar, null_mask};

use super::cpu::{self, Kernel};
use super::{BinaryOperator, Operand};
use cuprum_elements::elements::{OperandView, each_pair};
use cuprum_elements::selection::pack_bools;

/// `And`, `Or`, `Xor`, and `Add` and `Mul`, which are or and and with nulls propagated.
pub(super) fn operate(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let kleene = matches!(op, BinaryOperator::And | BinaryOperator::Or);
    let values = cpu::run(lhs, rhs, kernel(op), DataType::Bool8, len, ctx)?;
    if !kleene || !(lhs.has_nulls() || rhs.has_nulls()) {
        return Ok(values);
    }
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let (lhs, rhs) = (Truth::of(&lhs)?, Truth::of(&rhs)?);
    let mask = null_mask::from_words(len, ctx, |w| kleene_validity(op, words(lhs, w), words(rhs, w)))?;
    values.with_mask(Some(mask), ctx)
}

/// The loop of an operator; nulls are not its business.
pub fn kernel(op: BinaryOperator) -> Kernel<u8, u8, u8> {
    match op {
        BinaryOperator::And | BinaryOperator::Mul => {
            |a, b, out| each_pair(a, b, out, |a, b| u8::from(a != 0) & u8::from(b != 0))
        }
        BinaryOperator::Or | BinaryOperator::Add => {
            |a, b, out| each_pair(a, b, out, |a, b| u8::from((a | b) != 0))
        }
        _ => |a, b, out| each_pair(a, b, out, |a, b| u8::from((a != 0) != (b != 0))),
    }
}

/// The validity of 64 rows of Kleene's `And` or `Or`, from the validity and the truth of the operands.
///
/// A valid operand that is false (And) or true (Or) decides alone. The value under the other operand's null
/// has no effect then: 0 & x = 0 and 1 | x = 1.
#[inline(always)]
pub fn kleene_validity(op: BinaryOperator, lhs: (u64, u64), rhs: (u64, u64)) -> u64 {
    let decides = |(valid, truth): (u64, u64)| valid & if op == BinaryOperator::And { !truth } else { truth };
    (lhs.0 & rhs.0) | decides(lhs) | decides(rhs)
}

/// A boolean operand that can be read.
#[derive(Clone, Copy)]
enum Truth<'a> {
    Column(&'a [u8], Option<Bitmap<'a>>),
    Scalar(&'a Scalar),
}

impl<'a> Truth<'a> {
    fn of(operand: &'a OperandView<'_>) -> Result<Self> {
        Ok(match operand {
            OperandView::Column(view) => Self::Column(view.values()?, view.validity()),
            OperandView::Scalar(scalar) => Self::Scalar(scalar),
        })
    }
}

/// The validity and the truth of 64 rows.
fn words(truth: Truth<'_>, w: usize) -> (u64, u64) {
    let all = |bit: bool| if bit { u64::MAX } else { 0 };
    match truth {
        Truth::Column(values, validity) => {
            let truth = pack_bools(&values[w * 64..values.len().min(w * 64 + 64)]);
            (validity.map_or(u64::MAX, |bits| bits.word(w)), truth)
        }
        Truth::Scalar(scalar) => (all(!scalar.is_null()), all(scalar.as_bool() == Some(true))),
    }
}
