//! Operators of timestamps and durations.
//!
//! Units differ by whole factors; comparisons across units are exact, arithmetic happens in the finer
//! unit and fails where a value does not fit.

use std::ops::Range;

use cuprum_column::{
    Column, Context, DataType, Error, HostUVec, Native, Result, Scalar, TimeUnit, null_mask,
};
use cuprum_runtime::parallel;
use cuprum_runtime::primitives::Bits;

use super::cpu::{self, validity};
use super::text::holds;
use super::{BinaryOperator, Operand, types::finer};
use cuprum_elements::elements::{CHUNK, FillMorsel, Input, chunk_buffer};

/// The result of one row of checked arithmetic.
enum Cell {
    Value(i64),
    Null,
    Overflow,
}

impl From<Option<i64>> for Cell {
    fn from(value: Option<i64>) -> Self {
        value.map_or(Self::Overflow, Self::Value)
    }
}

pub(super) fn operate(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    op: BinaryOperator,
    result: DataType,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    let (l, r) = (lhs.data_type(), rhs.data_type());
    if op.is_comparison() && l == r {
        return cpu::compare(lhs, rhs, op, len, ctx);
    }
    match (unit(l), unit(r)) {
        (Some(a), Some(b)) => {
            let common = finer(a, b);
            let (fa, fb) = (factor(a, common), factor(b, common));
            if op.is_comparison() {
                let order =
                    |x: i64, y: i64| (i128::from(x) * i128::from(fa)).cmp(&(i128::from(y) * i128::from(fb)));
                return map(lhs, rhs, DataType::Bool8, len, ctx, |x, y| u8::from(holds(op, order(x, y))));
            }
            let scaled = move |x: i64, y: i64| Some((x.checked_mul(fa)?, y.checked_mul(fb)?));
            let row = |f: fn(i64, i64) -> Cell| {
                move |x: i64, y: i64| scaled(x, y).map_or(Cell::Overflow, |(x, y)| f(x, y))
            };
            match op {
                BinaryOperator::Add => {
                    checked(lhs, rhs, result, len, ctx, row(|x, y| x.checked_add(y).into()))
                }
                BinaryOperator::Sub => {
                    checked(lhs, rhs, result, len, ctx, row(|x, y| x.checked_sub(y).into()))
                }
                BinaryOperator::Mod => checked(lhs, rhs, result, len, ctx, row(modulo)),
                BinaryOperator::FloorDiv => checked(lhs, rhs, result, len, ctx, row(floor_div)),
                _ => map(lhs, rhs, DataType::Float64, len, ctx, |x, y| {
                    (x as f64 * fa as f64) / (y as f64 * fb as f64)
                }),
            }
        }
        (None, _) => scale(rhs, lhs, op, result, len, ctx),
        _ => scale(lhs, rhs, op, result, len, ctx),
    }
}

/// A duration multiplied or divided by a number.
fn scale(
    duration: Operand<'_>,
    number: Operand<'_>,
    op: BinaryOperator,
    result: DataType,
    len: usize,
    ctx: &Context,
) -> Result<Column> {
    if number.data_type().is_float() {
        // Numbers travel as their bits, so that one loop serves.
        let bits = |f: fn(f64, f64) -> f64| {
            move |x: i64, y: f64| {
                let value = f(x as f64, y);
                if value.is_nan() || (value.is_infinite() && y == 0.0) {
                    Cell::Null
                } else if value.abs() < 9_223_372_036_854_775_808.0 {
                    Cell::Value(value as i64)
                } else {
                    Cell::Overflow
                }
            }
        };
        return match op {
            BinaryOperator::Mul => checked(duration, number, result, len, ctx, bits(|x, y| x * y)),
            BinaryOperator::TrueDiv => checked(duration, number, result, len, ctx, bits(|x, y| x / y)),
            _ => checked(duration, number, result, len, ctx, bits(|x, y| (x / y).floor())),
        };
    }
    match op {
        BinaryOperator::Mul => {
            checked(duration, number, result, len, ctx, |x: i64, y: i64| x.checked_mul(y).into())
        }
        BinaryOperator::TrueDiv => checked(duration, number, result, len, ctx, |x: i64, y: i64| {
            if y == 0 { Cell::Null } else { x.checked_div(y).into() }
        }),
        _ => checked(duration, number, result, len, ctx, floor_div),
    }
}

fn floor_div(x: i64, y: i64) -> Cell {
    match (y, x.checked_div(y)) {
        (0, _) => Cell::Null,
        (_, None) => Cell::Overflow,
        (_, Some(q)) => Cell::Value(if x % y != 0 && (x < 0) != (y < 0) { q - 1 } else { q }),
    }
}

fn modulo(x: i64, y: i64) -> Cell {
    if y == 0 {
        return Cell::Null;
    }
    let rest = x.wrapping_rem(y);
    Cell::Value(if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest })
}

fn unit(data_type: DataType) -> Option<TimeUnit> {
    match data_type {
        DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit),
        _ => None,
    }
}

/// The number of finer units in one of the coarser.
pub(crate) fn factor(coarse: TimeUnit, fine: TimeUnit) -> i64 {
    fine.per_day() / coarse.per_day()
}

/// Times in another unit: exact where it is finer, rounded down where it is coarser.
pub(crate) fn rescale(
    column: &Column,
    from: TimeUnit,
    to: TimeUnit,
    result: DataType,
    ctx: &Context,
) -> Result<Column> {
    let finest = finer(from, to);
    let scalar = Scalar::from(factor(from, finest) * factor(to, finest));
    let (times, scale) = (Operand::Column(column), Operand::Scalar(&scalar));
    if finest == to {
        checked(times, scale, result, column.len(), ctx, |x: i64, y: i64| x.checked_mul(y).into())
    } else {
        checked(times, scale, result, column.len(), ctx, floor_div)
    }
}

/// `f` of every row, for functions that cannot fail.
fn map<R: Native>(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    result: DataType,
    len: usize,
    ctx: &Context,
    f: impl Fn(i64, i64) -> R + Sync,
) -> Result<Column> {
    let mask = validity(lhs, rhs, len, ctx)?;
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let (lhs, rhs) = (Input::<i64>::new(&lhs, len)?, Input::<i64>::new(&rhs, len)?);
    let morsel: &FillMorsel<'_, R> = &|range, out| {
        let (mut left, mut right) = (chunk_buffer(), chunk_buffer());
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let start = range.start + i * CHUNK;
            let rows = start..start + out.len();
            let (a, b) = (lhs.chunk(rows.clone(), &mut left), rhs.chunk(rows, &mut right));
            for ((slot, a), b) in out.iter_mut().zip(a).zip(b) {
                slot.write(f(*a, *b));
            }
        }
        Ok(())
    };
    // SAFETY: the loop writes every element of the chunks, which cover the morsel.
    let values = unsafe { HostUVec::from_morsels(len, ctx, morsel)? };
    Column::new(result, values, mask)
}

/// `f` of every row where both operands are valid, as the storage of `result`.
fn checked<B: Native>(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    result: DataType,
    len: usize,
    ctx: &Context,
    f: impl Fn(i64, B) -> Cell + Sync,
) -> Result<Column> {
    if result.size() == Some(4) {
        checked_as::<B, i32>(lhs, rhs, result, len, ctx, f)
    } else {
        checked_as::<B, i64>(lhs, rhs, result, len, ctx, f)
    }
}

fn checked_as<B: Native, R: Native>(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    result: DataType,
    len: usize,
    ctx: &Context,
    f: impl Fn(i64, B) -> Cell + Sync,
) -> Result<Column> {
    let mask = validity(lhs, rhs, len, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), len)?;
    let bits = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let valid = |row: usize| bits.is_none_or(|bits| bits.get(row));
    let (lhs, rhs) = (lhs.view()?, rhs.view()?);
    let (lhs, rhs) = (Input::<i64>::new(&lhs, len)?, Input::<B>::new(&rhs, len)?);
    let mut values = HostUVec::<R>::uninit(len, ctx)?;
    let slots = values.output();
    let morsel: &(dyn Fn(Range<usize>) -> Result<Vec<usize>> + Sync) = &|range| {
        let (mut left, mut right) = (chunk_buffer(), chunk_buffer());
        let mut nulls = Vec::new();
        for start in range.clone().step_by(CHUNK) {
            let rows = start..range.end.min(start + CHUNK);
            let (a, b) = (lhs.chunk(rows.clone(), &mut left), rhs.chunk(rows.clone(), &mut right));
            for ((row, a), b) in rows.zip(a).zip(b) {
                let value = match f(*a, *b) {
                    Cell::Value(value) if R::from_i64(value).as_i64() == value => R::from_i64(value),
                    Cell::Null => {
                        nulls.push(row);
                        R::zeroed()
                    }
                    _ if valid(row) => {
                        return Err(Error::new(
                            cuprum_column::ErrorKind::Overflow,
                            format!("row {row}: {a} and {b:?} give a value that does not fit {result}"),
                        ));
                    }
                    _ => R::zeroed(),
                };
                // SAFETY: every row belongs to one morsel.
                unsafe { slots.write(row, value) };
            }
        }
        Ok(nulls)
    };
    let nulls: Vec<Vec<usize>> = parallel::map_morsels(len, ctx, morsel)?;
    // SAFETY: the morsels cover all rows.
    let values = unsafe { values.assume_init() };
    let nulls: Vec<usize> = nulls.into_iter().flatten().collect();
    let mask = if nulls.is_empty() {
        mask.clone()
    } else {
        Some(null_mask::from_fn(len, ctx, |row| valid(row) && nulls.binary_search(&row).is_err())?)
    };
    Column::new(result, values, mask)
}
