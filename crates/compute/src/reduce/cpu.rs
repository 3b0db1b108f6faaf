//! Sums, moments, products and truth on the CPU: a partial per morsel, combined in order.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, Native, Result, Scalar, dispatch_storage};
use cuprum_runtime::parallel;

use super::{Aggregation, decimals, order};
use crate::elements::{CHUNK, Input, time_scalar};

/// Values that are looked at together; divides a morsel, a multiple of 64.
pub(super) const BLOCK: usize = 512;

/// The number of values that are neither null nor NaN.
pub(super) fn count(column: &Column, ctx: &Context) -> Result<usize> {
    if !column.data_type().is_float() {
        return Ok(column.len() - column.count_nulls()?);
    }
    let counts = parallel::map_morsels(column.len(), ctx, |range| {
        let mut count = 0;
        for_blocks(column, range, f64::NAN, &mut |block| {
            count += block.iter().map(|x| u64::from(!x.is_nan())).sum::<u64>();
        })?;
        Ok(count as usize)
    })?;
    Ok(counts.into_iter().sum())
}

/// Calls `f` with blocks of the rows `range` (which starts at a multiple of 64), converted to `U` as
/// by `as`; nulls are replaced by `fill`, NaN is left to `f`. Compiled once for a type of result: the loops
/// that convert are all that is made for every pair of types.
pub(super) fn for_blocks<U: Native>(
    column: &Column,
    range: Range<usize>,
    fill: U,
    f: &mut dyn FnMut(&[U]),
) -> Result<()> {
    let view = column.view()?;
    let input = Input::<U>::of_column(&view)?;
    let validity = view.validity();
    let mut converted = [fill; CHUNK];
    let mut buffer = [fill; BLOCK];
    for start in range.clone().step_by(BLOCK) {
        let rows = start..range.end.min(start + BLOCK);
        let values = input.chunk(rows, &mut converted);
        let Some(bits) = validity else {
            f(values);
            continue;
        };
        let buffer = &mut buffer[..values.len()];
        buffer.copy_from_slice(values);
        for (w, slots) in buffer.chunks_mut(64).enumerate() {
            let word = bits.word(start / 64 + w);
            if word != u64::MAX {
                for (bit, slot) in slots.iter_mut().enumerate() {
                    *slot = if word >> bit & 1 != 0 { *slot } else { fill };
                }
            }
        }
        f(buffer);
    }
    Ok(())
}

/// A sum that keeps what rounding took away.
#[derive(Clone, Copy, Default)]
struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost +=
            if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.sum = sum;
    }

    fn total(self) -> f64 {
        // Infinities leave NaN in what was lost.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// What eight lanes hold, in a fixed order.
#[inline(always)]
fn fold_eight<U: Copy>([a, b, c, d, e, g, h, i]: [U; 8], f: impl Fn(U, U) -> U) -> U {
    f(f(f(a, b), f(c, d)), f(f(e, g), f(h, i)))
}

/// Folds a block in eight lanes, so that the loop can be vectorised, in a fixed order; NaN is `identity`.
#[inline(always)]
fn fold_lanes<U: Native>(block: &[U], identity: U, f: impl Fn(U, U) -> U) -> U {
    let mut lanes = [identity; 8];
    let mut add = |values: &[U]| {
        for (lane, &value) in lanes.iter_mut().zip(values) {
            *lane = f(*lane, if value.is_nan() { identity } else { value });
        }
    };
    let (eights, rest) = block.as_chunks::<8>();
    for eight in eights {
        add(eight);
    }
    add(rest);
    fold_eight(lanes, f)
}

/// How many numbers of a block are not NaN, and the sum of `term` of them, in the lanes of [`fold_lanes`].
#[inline(always)]
fn sum_present(block: &[f64], term: impl Fn(f64) -> f64) -> (u64, f64) {
    let (mut counts, mut sums) = ([0u64; 8], [0.0; 8]);
    let (eights, rest) = block.as_chunks::<8>();
    let mut add = |values: &[f64]| {
        for ((count, sum), &x) in counts.iter_mut().zip(&mut sums).zip(values) {
            *count += u64::from(!x.is_nan());
            *sum += if x.is_nan() { 0.0 } else { term(x) };
        }
    };
    for eight in eights {
        add(eight);
    }
    add(rest);
    (counts.iter().sum(), fold_eight(sums, |a, b| a + b))
}

/// Of the numbers of a morsel: how many there are, their sum, and that of the squares of their deviations
/// from their own mean.
#[derive(Clone, Copy)]
struct Moments {
    count: u64,
    sum: Compensated,
    squares: f64,
}

/// Moments of all values as `f64`, in one pass over memory: a morsel's second look finds it in the cache.
/// Those of morsels are put together as by Chan, Golub and LeVeque (1979).
fn moments(column: &Column, deviations: bool, ctx: &Context) -> Result<Moments> {
    let partials = parallel::map_morsels(column.len(), ctx, |range| {
        let (mut count, mut sum, mut squares) = (0, Compensated::default(), Compensated::default());
        for_blocks(column, range.clone(), f64::NAN, &mut |block| {
            let (present, total) = sum_present(block, |x| x);
            count += present;
            sum.add(total);
        })?;
        if deviations && count > 0 {
            let mean = sum.total() / count as f64;
            for_blocks(column, range, f64::NAN, &mut |block| {
                squares.add(sum_present(block, |x| (x - mean) * (x - mean)).1);
            })?;
        }
        Ok(Moments { count, sum, squares: squares.total() })
    })?;
    let (mut count, mut sum, mut squares) = (0, Compensated::default(), Compensated::default());
    for partial in &partials {
        count += partial.count;
        sum.add(partial.sum.sum);
        if partial.sum.lost.is_finite() {
            sum.add(partial.sum.lost);
        }
    }
    let mean = sum.total() / count as f64;
    for partial in partials.iter().filter(|partial| deviations && partial.count > 0) {
        let off = partial.sum.total() / partial.count as f64 - mean;
        squares.add(partial.squares);
        squares.add(partial.count as f64 * off * off);
    }
    Ok(Moments { count, sum, squares: squares.total() })
}

/// A fold of the values, converted to `U`, with a partial per morsel; missing ones are `identity`.
pub(super) fn fold<U: Native>(
    column: &Column,
    identity: U,
    ctx: &Context,
    f: impl Fn(U, U) -> U + Sync,
) -> Result<U> {
    let partials = parallel::map_morsels(column.len(), ctx, |range| {
        let mut total = identity;
        for_blocks(column, range, identity, &mut |block| {
            total = f(total, fold_lanes(block, identity, &f));
        })?;
        Ok(total)
    })?;
    Ok(partials.into_iter().fold(identity, f))
}

/// The sum of integers, which cannot overflow or round: the halves of the values are summed apart,
/// so that a morsel's sums fit 64 bits and the loops can be vectorised.
fn exact_sum(column: &Column, ctx: &Context) -> Result<i128> {
    // Signed values are moved into the range of unsigned ones: shifts of these are vectorised everywhere.
    let bias = if column.data_type().is_unsigned_integer() { 0 } else { 1 << 63 };
    let partials = parallel::map_morsels(column.len(), ctx, |range| {
        let (mut low, mut high) = (0u64, 0u64);
        for_blocks(column, range.clone(), 0, &mut |block: &[i64]| {
            let values = || block.iter().map(|&x| x as u64 ^ bias);
            low += values().map(|x| x & 0xFFFF_FFFF).sum::<u64>();
            high += values().map(|x| x >> 32).sum::<u64>();
        })?;
        Ok((i128::from(high) << 32) + i128::from(low) - i128::from(bias) * range.len() as i128)
    })?;
    Ok(partials.into_iter().sum())
}

/// See [`super::reduce`].
pub(super) fn reduce_rows(
    column: &Column,
    agg: Aggregation,
    result: DataType,
    ctx: &Context,
) -> Result<Scalar> {
    match agg {
        Aggregation::Count => Ok(Scalar::from(count(column, ctx)? as i64)),
        Aggregation::Sum | Aggregation::Mean | Aggregation::Min | Aggregation::Max
            if column.data_type().is_decimal() =>
        {
            decimals::reduce(column, agg, result)
        }
        Aggregation::Min | Aggregation::Max => order::extreme(column, agg == Aggregation::Min, ctx),
        Aggregation::First | Aggregation::Last => order::end(column, agg == Aggregation::First),
        Aggregation::NUnique => order::count_distinct(column, ctx),
        Aggregation::Median => crate::quantiles::cpu::one(column, 0.5, ctx),
        Aggregation::Quantile(q) => crate::quantiles::cpu::one(column, q, ctx),
        _ => reduce(column, agg, result, ctx),
    }
}

/// `Sum`, `Product`, `Mean`, `Var`, `Std`, `Sem`, `Any`, `All` and the bits of fixed-width types.
fn reduce(column: &Column, agg: Aggregation, result: DataType, ctx: &Context) -> Result<Scalar> {
    let data_type = column.data_type();
    let time = data_type.is_timestamp() || data_type.is_duration();
    match agg {
        Aggregation::Any | Aggregation::All => {
            let all = agg == Aggregation::All;
            let truth = if data_type.is_float() {
                truth::<f64>(column, all, ctx)
            } else {
                truth::<i64>(column, all, ctx)
            };
            Ok(Scalar::from(truth?))
        }
        Aggregation::BitAnd | Aggregation::BitOr | Aggregation::BitXor => bits(column, agg, ctx),
        Aggregation::Product if result.is_float() => {
            Ok(float_scalar(result, fold(column, 1.0, ctx, |a: f64, b| a * b)?))
        }
        Aggregation::Product => Ok(integer_scalar(result, fold(column, 1, ctx, i64::wrapping_mul)?)),
        Aggregation::Sum if !time && !result.is_float() => {
            Ok(integer_scalar(result, fold(column, 0, ctx, i64::wrapping_add)?))
        }
        Aggregation::Sum if time => time_scalar(result, exact_sum(column, ctx)?),
        Aggregation::Mean if !data_type.is_float() => {
            let sum = exact_sum(column, ctx)?;
            match count(column, ctx)? {
                0 => Ok(Scalar::null(result)),
                // Towards zero, as pandas.
                n if time => time_scalar(result, sum / n as i128),
                n => Ok(Scalar::from(sum as f64 / n as f64)),
            }
        }
        _ => floating(column, agg, result, ctx),
    }
}

/// The bits of all values, one by one.
fn bits(column: &Column, agg: Aggregation, ctx: &Context) -> Result<Scalar> {
    let of = column.data_type();
    if count(column, ctx)? == 0 {
        return Ok(Scalar::null(of));
    }
    let found = match agg {
        Aggregation::BitAnd => fold(column, -1, ctx, |a: i64, b| a & b)?,
        Aggregation::BitOr => fold(column, 0, ctx, |a: i64, b| a | b)?,
        _ => fold(column, 0, ctx, |a: i64, b| a ^ b)?,
    };
    dispatch_storage!(of, T => Ok(Scalar::from_native(of, T::from_i64(found))),
        else => Err(Error::data_type(format!("{of} has no bits"))))
}

/// Whether all values, or any of them, are not zero.
fn truth<U: Native>(column: &Column, all: bool, ctx: &Context) -> Result<bool> {
    let (zero, one) = (U::from_i64(0), U::from_i64(1));
    let found = if all {
        fold(column, one, ctx, |a, b| if b == zero { b } else { a })?
    } else {
        fold(column, zero, ctx, |a, b| if b == zero { a } else { b })?
    };
    Ok(found != zero)
}

/// `Sum` of floats, `Mean`, `Var`, `Std` and `Sem`.
fn floating(column: &Column, agg: Aggregation, result: DataType, ctx: &Context) -> Result<Scalar> {
    let of_deviations = !matches!(agg, Aggregation::Sum | Aggregation::Mean);
    let Moments { count, sum, squares } = moments(column, of_deviations, ctx)?;
    if agg == Aggregation::Sum {
        return Ok(float_scalar(result, sum.total()));
    }
    if count == 0 {
        return Ok(Scalar::null(result));
    }
    let (Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof }) = agg else {
        return Ok(Scalar::from(sum.total() / count as f64));
    };
    let freedom = count as i128 - i128::from(ddof);
    if freedom <= 0 {
        return Ok(Scalar::null(result));
    }
    let variance = squares / freedom as f64;
    match agg {
        Aggregation::Var { .. } => Ok(Scalar::from(variance)),
        Aggregation::Sem { .. } => Ok(Scalar::from((variance / count as f64).sqrt())),
        _ if result.is_duration() => time_scalar(result, variance.sqrt() as i128),
        _ => Ok(Scalar::from(variance.sqrt())),
    }
}

fn float_scalar(data_type: DataType, value: f64) -> Scalar {
    if data_type == DataType::Float32 {
        Scalar::from_native(data_type, value as f32)
    } else {
        Scalar::from(value)
    }
}

fn integer_scalar(data_type: DataType, value: i64) -> Scalar {
    if data_type == DataType::UInt64 { Scalar::from(value as u64) } else { Scalar::from(value) }
}
