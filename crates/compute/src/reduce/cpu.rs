//! Sums, moments, products and truth on the CPU: a partial per morsel, combined in order.

use std::ops::Range;

use cuprum_column::{
    Bitmap, Column, Context, DataType, Error, ErrorKind, Native, Result, Scalar, Value, dispatch_storage,
};
use cuprum_runtime::parallel;

use super::Aggregation;
use crate::stream_compaction::cpu::present_words;

/// Values that are looked at together; divides a morsel, a multiple of 64.
pub(super) const BLOCK: usize = 512;

/// The number of values that are neither null nor NaN.
pub(super) fn count(column: &Column, ctx: &Context) -> Result<usize> {
    if !column.data_type().is_float() {
        return Ok(column.len() - column.null_count());
    }
    let words = present_words(&[column], 1, true, column.len(), ctx)?;
    Ok(words.iter().map(|w| w.count_ones() as usize).sum())
}

/// Calls `f` with blocks of the rows `range` (which starts at a multiple of 64) converted by
/// `convert`; missing values are replaced by `fill`.
pub(super) fn for_blocks<T: Native, U: Copy>(
    values: &[T],
    validity: Option<Bitmap<'_>>,
    range: Range<usize>,
    fill: U,
    convert: impl Fn(T) -> U,
    mut f: impl FnMut(&[U]),
) {
    let mut buffer = [fill; BLOCK];
    for start in range.clone().step_by(BLOCK) {
        let rows = &values[start..range.end.min(start + BLOCK)];
        let buffer = &mut buffer[..rows.len()];
        for (slot, value) in buffer.iter_mut().zip(rows) {
            *slot = if T::IS_FLOAT && value.is_nan() { fill } else { convert(*value) };
        }
        if let Some(bits) = validity {
            for (w, slots) in buffer.chunks_mut(64).enumerate() {
                let word = bits.word(start / 64 + w);
                if word != u64::MAX {
                    for (bit, slot) in slots.iter_mut().enumerate() {
                        *slot = if word >> bit & 1 != 0 { *slot } else { fill };
                    }
                }
            }
        }
        f(buffer);
    }
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

/// Folds a block in eight lanes, so that the loop can be vectorised, in a fixed order.
#[inline(always)]
fn fold_lanes<U: Copy>(block: &[U], identity: U, f: impl Fn(U, U) -> U) -> U {
    let mut lanes = [identity; 8];
    let (eights, rest) = block.as_chunks::<8>();
    for eight in eights {
        for (lane, value) in lanes.iter_mut().zip(eight) {
            *lane = f(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = f(*lane, *value);
    }
    let [a, b, c, d, e, g, h, i] = lanes;
    f(f(f(a, b), f(c, d)), f(f(e, g), f(h, i)))
}

/// The sum of `f(x)` over the values as `f64`; missing ones count 0.
fn sum_f64(column: &Column, ctx: &Context, f: impl Fn(f64) -> f64 + Sync) -> Result<f64> {
    let validity = column.view().validity();
    dispatch_storage!(column.data_type(), T => {
        let values = column.view().values::<T>()?;
        let morsel: &(dyn Fn(Range<usize>) -> Result<Compensated> + Sync) = &|range| {
            let mut sum = Compensated::default();
            for_blocks(values, validity, range, 0.0, |x: T| f(x.as_f64()), |block| {
                sum.add(fold_lanes(block, 0.0, |a, b| a + b));
            });
            Ok(sum)
        };
        let mut total = Compensated::default();
        for partial in parallel::map_morsels(values.len(), ctx, morsel)? {
            total.add(partial.sum);
            if partial.lost.is_finite() {
                total.add(partial.lost);
            }
        }
        Ok(total.total())
    }, else => unreachable!("numbers only"))
}

/// A fold of the values, converted to `U`, with a partial per morsel; missing ones are `identity`.
pub(super) fn fold<T: Native, U: Copy + Send + Sync>(
    column: &Column,
    identity: U,
    ctx: &Context,
    convert: impl Fn(T) -> U + Sync,
    f: impl Fn(U, U) -> U + Sync,
) -> Result<U> {
    let (values, validity) = (column.view().values::<T>()?, column.view().validity());
    // Behind a reference, so that the parallel driver is compiled once per result type.
    let morsel: &(dyn Fn(Range<usize>) -> Result<U> + Sync) = &|range| {
        let mut total = identity;
        for_blocks(values, validity, range, identity, &convert, |block| {
            total = f(total, fold_lanes(block, identity, &f));
        });
        Ok(total)
    };
    let partials = parallel::map_morsels(values.len(), ctx, morsel)?;
    Ok(partials.into_iter().fold(identity, f))
}

/// The sum of integers, which cannot overflow or round: the halves of the values are summed apart,
/// so that a morsel's sums fit 64 bits and the loops can be vectorised.
fn exact_sum<T: Native>(column: &Column, ctx: &Context) -> Result<i128> {
    let (values, validity) = (column.view().values::<T>()?, column.view().validity());
    let unsigned = column.data_type().is_unsigned_integer();
    let morsel: &(dyn Fn(Range<usize>) -> Result<i128> + Sync) = &|range| {
        let (mut low, mut high) = (0, 0);
        for_blocks(values, validity, range, 0, T::as_i64, |block| {
            low += block.iter().map(|&x| x & 0xFFFF_FFFF).sum::<i64>();
            high += match unsigned {
                true => block.iter().map(|&x| (x as u64 >> 32) as i64).sum::<i64>(),
                false => block.iter().map(|&x| x >> 32).sum::<i64>(),
            };
        });
        Ok((i128::from(high) << 32) + i128::from(low))
    };
    Ok(parallel::map_morsels(values.len(), ctx, morsel)?.into_iter().sum())
}

/// `Sum`, `Product`, `Mean`, `Var`, `Std`, `Any` and `All` of fixed-width types.
pub(super) fn reduce(column: &Column, agg: Aggregation, result: DataType, ctx: &Context) -> Result<Scalar> {
    let data_type = column.data_type();
    let time = data_type.is_timestamp() || data_type.is_duration();
    dispatch_storage!(data_type, T => {
        match agg {
            Aggregation::Any => {
                let any = fold(column, false, ctx, |x: T| x != T::from_i64(0), |a, b| a | b)?;
                Ok(Scalar::from(any))
            }
            Aggregation::All => {
                let all = fold(column, true, ctx, |x: T| x != T::from_i64(0), |a, b| a & b)?;
                Ok(Scalar::from(all))
            }
            Aggregation::Product if result.is_float() => {
                let product = fold(column, 1.0, ctx, T::as_f64, |a: f64, b| a * b)?;
                Ok(float_scalar(result, product))
            }
            Aggregation::Product => {
                let product = fold(column, 1, ctx, T::as_i64, i64::wrapping_mul)?;
                Ok(integer_scalar(result, product))
            }
            Aggregation::Sum if !time && !result.is_float() => {
                let sum = fold(column, 0, ctx, T::as_i64, i64::wrapping_add)?;
                Ok(integer_scalar(result, sum))
            }
            Aggregation::Sum if time => time_scalar(result, exact_sum::<T>(column, ctx)?),
            Aggregation::Mean if !data_type.is_float() => {
                let sum = exact_sum::<T>(column, ctx)?;
                match count(column, ctx)? {
                    0 => Ok(Scalar::null(result)),
                    // Towards zero, as pandas.
                    n if time => time_scalar(result, sum / n as i128),
                    n => Ok(Scalar::from(sum as f64 / n as f64)),
                }
            }
            _ => floating(column, agg, result, ctx),
        }
    }, else => unreachable!("strings are refused by the result type"))
}

/// `Sum` of floats, `Mean`, `Var` and `Std`.
fn floating(column: &Column, agg: Aggregation, result: DataType, ctx: &Context) -> Result<Scalar> {
    let sum = sum_f64(column, ctx, |x| x)?;
    if agg == Aggregation::Sum {
        return Ok(float_scalar(result, sum));
    }
    let count = count(column, ctx)?;
    if count == 0 {
        return Ok(Scalar::null(result));
    }
    let mean = sum / count as f64;
    let (Aggregation::Var { ddof } | Aggregation::Std { ddof }) = agg else {
        return Ok(Scalar::from(mean));
    };
    let freedom = count as i128 - i128::from(ddof);
    if freedom <= 0 {
        return Ok(Scalar::null(result));
    }
    // Two passes: the deviations from the mean do not cancel.
    let squares = sum_f64(column, ctx, |x| (x - mean) * (x - mean))?;
    let variance = squares / freedom as f64;
    match agg {
        Aggregation::Var { .. } => Ok(Scalar::from(variance)),
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

/// A time that must fit the storage of its type.
pub(crate) fn time_scalar(data_type: DataType, value: i128) -> Result<Scalar> {
    let fit = i64::try_from(value).ok().and_then(|v| Scalar::new(data_type, Value::Int(v)).ok());
    fit.ok_or_else(|| Error::new(ErrorKind::Overflow, format!("{value} does not fit {data_type}")))
}
