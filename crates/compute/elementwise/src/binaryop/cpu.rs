//! Numeric operations on the CPU.
//!
//! There is one loop per operator and result type, over chunks that stay in the cache. Operands of
//! another type are converted chunk by chunk, a scalar is a chunk that is filled once, so that types
//! and shapes do not multiply the loops.

use std::mem::MaybeUninit;

use cuprum_column::{
    Buffer, Column, ColumnView, Context, DataType, Error, HostUVec, Native, Result, dispatch_storage,
    null_mask,
};
use cuprum_runtime::parallel;

use super::arithmetic::{Arithmetic, Integer, Real};
use super::{BinaryOperator, Operand, promote};
use cuprum_elements::elements::{
    CHUNK, FillMorsel, Input, Outgoing, PIECE, chunk_buffer, each, each_pair, each_pair_plain,
};

/// A loop over two chunks of equal length.
pub type Kernel<A, B, R> = fn(&[A], &[B], &mut [MaybeUninit<R>]);

/// A kernel from a function of two elements.
macro_rules! kernel {
    ($A:ty, $B:ty, $R:ty, $f:expr) => {
        kernel!($A, $B, $R, $f, each_pair)
    };
    ($A:ty, $B:ty, $R:ty, $f:expr, $each:ident) => {
        |a: &[$A], b: &[$B], out: &mut [MaybeUninit<$R>]| $each(a, b, out, $f)
    };
}

/// A column of `kernel` over two operands.
pub(crate) fn run<A: Native, B: Native, R: Native>(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    kernel: Kernel<A, B, R>,
    result: DataType,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let mask = validity(lhs, rhs, len, ctx)?;
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let (lhs, rhs) = (Input::<A>::new(&lhs, len)?, Input::<B>::new(&rhs, len)?);
    let morsel: &FillMorsel<'_, R> = &|range, out| {
        let (mut left, mut right, mut outgoing) = (chunk_buffer(), chunk_buffer(), Outgoing::new(len));
        let mut start = range.start;
        for out in out.chunks_mut(PIECE) {
            let rows = start..start + out.len();
            let (left, right) = (lhs.chunk(rows.clone(), &mut left), rhs.chunk(rows, &mut right));
            start += out.len();
            outgoing.write(out, |out| kernel(left, right, out));
        }
        Ok(())
    };
    // SAFETY: a kernel writes all elements of the chunk it gets, and the chunks cover the morsel.
    let values = unsafe { HostUVec::<R>::from_morsels(len, ctx, morsel)? };
    Column::new(result, values, mask)
}

/// The rows in which both operands are valid.
#[doc(hidden)]
pub fn validity(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    len: usize,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    let mut masked = Vec::new();
    for operand in [lhs, rhs] {
        match operand {
            Operand::Scalar(scalar) if scalar.is_null() => {
                return Ok(Some((null_mask::uniform(false, len, ctx)?, len)));
            }
            Operand::Column(column) if column.has_nulls() => masked.push(column),
            _ => {}
        }
    }
    match masked.as_slice() {
        [] => Ok(None),
        [only] => only.copy_mask(ctx),
        several => {
            let views = several.iter().map(|c| c.view()).collect::<Result<Vec<_>>>()?;
            let bits: Vec<_> = views.iter().filter_map(ColumnView::validity).collect();
            null_mask::and(&bits, len, ctx)
        }
    }
}

/// Arithmetic, comparisons and bitwise operators of numbers and booleans.
pub(super) fn operate(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    result: DataType,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    if op.is_comparison() {
        return compare(lhs, rhs, op, len, ctx);
    }
    if op == BinaryOperator::Pow && result.is_signed_integer() {
        refuse_negative_powers(lhs, rhs, len, ctx)?;
    }
    macro_rules! integers {
        ($($t:ident: $T:ty),*) => {
            match result {
                $(DataType::$t => run(lhs, rhs, integer_kernel::<$T>(op), result, len, ctx),)*
                DataType::Float32 => run(lhs, rhs, real_kernel::<f32>(op), result, len, ctx),
                _ => run(lhs, rhs, real_kernel::<f64>(op), result, len, ctx),
            }
        };
    }
    integers!(Int8: i8, Int16: i16, Int32: i32, Int64: i64, UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64)
}

fn arithmetic_kernel<T: Arithmetic>(op: BinaryOperator) -> Kernel<T, T, T> {
    match op {
        BinaryOperator::Add => kernel!(T, T, T, T::add),
        BinaryOperator::Sub => kernel!(T, T, T, T::sub),
        BinaryOperator::Mul => kernel!(T, T, T, T::mul),
        BinaryOperator::FloorDiv => |a, b, out| match the_same(b).and_then(T::divider) {
            Some(by) => each(a, out, |x: T| T::from_i64(by.quotient(x.as_i64()))),
            None => each_pair_plain(a, b, out, T::floor_div),
        },
        BinaryOperator::Mod => |a, b, out| match the_same(b).and_then(T::divider) {
            Some(by) => each(a, out, |x: T| T::from_i64(by.rest(x.as_i64()))),
            None => each_pair_plain(a, b, out, T::modulo),
        },
        _ => |a, b, out| match the_same(b) {
            Some(exponent) if exponent == T::from_i64(2) => each(a, out, |x: T| x.mul(x)),
            _ => each_pair_plain(a, b, out, T::pow),
        },
    }
}

/// The element that all of a chunk are: of a scalar, for one.
fn the_same<T: Native>(chunk: &[T]) -> Option<T> {
    let (first, last) = (*chunk.first()?, *chunk.last()?);
    (first == last && chunk.iter().fold(true, |same, x| same & (*x == first))).then_some(first)
}

/// The loop of an arithmetic or bitwise operator of integers.
pub fn integer_kernel<T: Integer>(op: BinaryOperator) -> Kernel<T, T, T> {
    match op {
        BinaryOperator::And => kernel!(T, T, T, T::and),
        BinaryOperator::Or => kernel!(T, T, T, T::or),
        BinaryOperator::Xor => kernel!(T, T, T, T::xor),
        _ => arithmetic_kernel(op),
    }
}

/// The loop of an arithmetic operator of floats.
pub fn real_kernel<T: Real>(op: BinaryOperator) -> Kernel<T, T, T> {
    match op {
        BinaryOperator::TrueDiv => kernel!(T, T, T, T::div),
        _ => arithmetic_kernel(op),
    }
}

/// Fails where a row with both values has a negative exponent.
fn refuse_negative_powers(lhs: Operand<'_>, rhs: Operand<'_>, len: usize, ctx: &Context) -> Result<()> {
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let exponents = Input::<i64>::new(&rhs, len)?;
    let (lhs, rhs) = (lhs.validity(), rhs.validity());
    let found = parallel::map_morsels(len, ctx, |range| {
        let mut buffer = chunk_buffer();
        for start in range.clone().step_by(CHUNK) {
            let rows = start..range.end.min(start + CHUNK);
            let chunk = exponents.chunk(rows, &mut buffer);
            if chunk.iter().all(|&e| e >= 0) {
                continue;
            }
            let bad = |i: &usize| chunk[*i] < 0 && lhs.get(start + i) && rhs.get(start + i);
            if let Some(i) = (0..chunk.len()).find(bad) {
                return Ok(Some((start + i, chunk[i])));
            }
        }
        Ok(None)
    })?;
    match found.into_iter().flatten().next() {
        None => Ok(()),
        Some((row, exponent)) => Err(Error::invalid_argument(format!(
            "row {row} has the exponent {exponent}: integers cannot be raised to negative integer powers"
        ))),
    }
}

/// Comparison of numbers and booleans, or of times of one unit.
pub(super) fn compare(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let (l, r) = (lhs.data_type(), rhs.data_type());
    let bool = DataType::Bool8;
    if l.is_signed_integer() && r == DataType::UInt64 {
        return run(lhs, rhs, mixed_kernel(op), bool, len, ctx);
    }
    if l == DataType::UInt64 && r.is_signed_integer() {
        return run(rhs, lhs, mixed_kernel(mirrored(op)), bool, len, ctx);
    }
    let common = promote(l, r).unwrap_or(l);
    // `a > b` is `b < a`: two loops less per type.
    match op {
        BinaryOperator::Greater | BinaryOperator::GreaterEqual => {
            dispatch_storage!(common, T => {
                run(rhs, lhs, comparison_kernel::<T>(mirrored(op)), bool, len, ctx)
            }, else => Err(Error::data_type(format!("cannot compare {l} as numbers"))))
        }
        _ => dispatch_storage!(common, T => {
            run(lhs, rhs, comparison_kernel::<T>(op), bool, len, ctx)
        }, else => Err(Error::data_type(format!("cannot compare {l} as numbers")))),
    }
}

/// The comparison with its operands exchanged.
pub fn mirrored(op: BinaryOperator) -> BinaryOperator {
    match op {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        other => other,
    }
}

/// The loop of a comparison.
pub fn comparison_kernel<T: Native>(op: BinaryOperator) -> Kernel<T, T, u8> {
    match op {
        BinaryOperator::Equal => kernel!(T, T, u8, |a, b| u8::from(a == b)),
        BinaryOperator::NotEqual => kernel!(T, T, u8, |a, b| u8::from(a != b)),
        BinaryOperator::Less => kernel!(T, T, u8, |a, b| u8::from(a < b)),
        _ => kernel!(T, T, u8, |a, b| u8::from(a <= b)),
    }
}

/// Signed with unsigned: a negative number is below every unsigned one.
pub fn mixed_kernel(op: BinaryOperator) -> Kernel<i64, u64, u8> {
    match op {
        BinaryOperator::Equal => kernel!(i64, u64, u8, |a, b| u8::from(a >= 0 && a as u64 == b)),
        BinaryOperator::NotEqual => kernel!(i64, u64, u8, |a, b| u8::from(a < 0 || a as u64 != b)),
        BinaryOperator::Less => kernel!(i64, u64, u8, |a, b| u8::from(a < 0 || (a as u64) < b)),
        BinaryOperator::LessEqual => kernel!(i64, u64, u8, |a, b| u8::from(a < 0 || a as u64 <= b)),
        BinaryOperator::Greater => kernel!(i64, u64, u8, |a, b| u8::from(a >= 0 && a as u64 > b)),
        _ => kernel!(i64, u64, u8, |a, b| u8::from(a >= 0 && a as u64 >= b)),
    }
}
