//! Element-wise functions on the CPU: one loop per function over chunks that stay in the cache.

use std::mem::MaybeUninit;

use cuprum_column::{Column, Context, DataType, HostUVec, Native, Result, dispatch_storage};

use super::UnaryOperator;
use crate::binaryop::arithmetic::{Arithmetic, Integer};
use cuprum_elements::elements::{FillMorsel, Input, Outgoing, PIECE, chunk_buffer, each};
use cuprum_elements::selection::unpack_bits;

/// A loop over the elements of a chunk.
pub type Kernel<A, R> = fn(&[A], &mut [MaybeUninit<R>]);

/// A column of `kernel` over the elements converted to `A`; nulls stay.
pub(super) fn run<A: Native, R: Native>(
    column: &Column,
    result: DataType,
    ctx: &Context,
    kernel: impl Fn(&[A], &mut [MaybeUninit<R>]) + Sync,
) -> Result<Column> {
    let mask = column.copy_mask(ctx)?;
    let view = column.view()?;
    let input = Input::<A>::of_column(&view)?;
    let morsel: &FillMorsel<'_, R> = &|range, out| {
        let (mut buffer, mut outgoing) = (chunk_buffer(), Outgoing::new(column.len()));
        for (i, out) in out.chunks_mut(PIECE).enumerate() {
            let start = range.start + i * PIECE;
            let values = input.chunk(start..start + out.len(), &mut buffer);
            outgoing.write(out, |out| kernel(values, out));
        }
        Ok(())
    };
    // SAFETY: a kernel writes all elements of the chunk it gets, which is as long as its input; the
    // chunks cover the morsel.
    let values = unsafe { HostUVec::<R>::from_morsels(column.len(), ctx, morsel)? };
    Column::new(result, values, mask)
}

/// `Negate`, `Abs` and `Sign`.
pub(super) fn change_sign(column: &Column, op: UnaryOperator, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    dispatch_storage!(data_type, T => run(column, data_type, ctx, sign_kernel::<T>(op)), else => unreachable!("numbers only"))
}

/// The loops of [`change_sign`].
pub fn sign_kernel<T: Arithmetic>(op: UnaryOperator) -> Kernel<T, T> {
    match op {
        UnaryOperator::Negate if T::IS_FLOAT => |v, out| each(v, out, |x| T::from_i64(-1).mul(x)),
        UnaryOperator::Negate => |v, out| each(v, out, |x| T::zeroed().sub(x)),
        UnaryOperator::Abs if T::IS_FLOAT => |v, out| each(v, out, |x| T::from_f64(x.as_f64().abs())),
        UnaryOperator::Abs => |v, out| each(v, out, |x| if x < T::zeroed() { T::zeroed().sub(x) } else { x }),
        _ => |v, out| {
            each(v, out, |x| {
                let (above, below) = (i64::from(x > T::zeroed()), i64::from(x < T::zeroed()));
                if x.is_nan() { x } else { T::from_i64(above - below) }
            });
        },
    }
}

/// Whether each number is zero.
pub(super) fn is_zero(column: &Column, ctx: &Context) -> Result<Column> {
    dispatch_storage!(column.data_type(), T => run(column, DataType::Bool8, ctx, zero_kernel::<T>()), else => unreachable!("numbers only"))
}

/// The loop of [`is_zero`].
pub fn zero_kernel<T: Native>() -> Kernel<T, u8> {
    |v, out| each(v, out, |x| u8::from(x == T::from_i64(0)))
}

/// Every bit inverted; the sign of the storage does not matter.
pub(super) fn invert_bits(column: &Column, ctx: &Context) -> Result<Column> {
    fn invert<T: Integer>(column: &Column, ctx: &Context) -> Result<Column> {
        run(column, column.data_type(), ctx, invert_kernel::<T>())
    }
    match column.data_type() {
        DataType::Int8 => invert::<i8>(column, ctx),
        DataType::Int16 => invert::<i16>(column, ctx),
        DataType::Int32 => invert::<i32>(column, ctx),
        DataType::Int64 => invert::<i64>(column, ctx),
        DataType::UInt8 => invert::<u8>(column, ctx),
        DataType::UInt16 => invert::<u16>(column, ctx),
        DataType::UInt32 => invert::<u32>(column, ctx),
        _ => invert::<u64>(column, ctx),
    }
}

/// The loop of [`invert_bits`].
pub fn invert_kernel<T: Integer>() -> Kernel<T, T> {
    |v, out| each(v, out, |x| x.xor(T::from_i64(-1)))
}

/// Functions of floats.
macro_rules! float_kernel {
    ($T:ident, $op:expr, $($name:ident => $f:expr;)*) => {
        match $op {
            $(UnaryOperator::$name => |v: &[$T], out: &mut [MaybeUninit<$T>]| each(v, out, $f),)*
            _ => |v: &[$T], out: &mut [MaybeUninit<$T>]| each(v, out, |x| x),
        }
    };
}

macro_rules! float_functions {
    ($T:ident, $op:expr) => {
        float_kernel! {$T, $op,
            Sqrt => $T::sqrt; Cbrt => $T::cbrt; Exp => $T::exp; Expm1 => $T::exp_m1; Log => $T::ln;
            Log1p => $T::ln_1p; Log2 => $T::log2; Log10 => $T::log10; Sin => $T::sin; Cos => $T::cos;
            Tan => $T::tan; Arcsin => $T::asin; Arccos => $T::acos; Arctan => $T::atan;
            Sinh => $T::sinh; Cosh => $T::cosh; Tanh => $T::tanh; Arcsinh => $T::asinh;
            Arccosh => $T::acosh; Arctanh => $T::atanh; Ceil => $T::ceil; Floor => $T::floor;
            Trunc => $T::trunc; Rint => $T::round_ties_even;
        }
    };
}

/// Mathematics and rounding.
pub(super) fn function(column: &Column, op: UnaryOperator, ctx: &Context) -> Result<Column> {
    if column.data_type() == DataType::Float32 {
        run(column, DataType::Float32, ctx, single_kernel(op))
    } else {
        run(column, DataType::Float64, ctx, double_kernel(op))
    }
}

/// The loops of [`function`] for `float32`.
pub fn single_kernel(op: UnaryOperator) -> Kernel<f32, f32> {
    float_functions!(f32, op)
}

/// The loops of [`function`] for every other number.
pub fn double_kernel(op: UnaryOperator) -> Kernel<f64, f64> {
    float_functions!(f64, op)
}

/// See [`super::round`]; the column is of floats.
pub(super) fn round(column: &Column, decimals: i32, ctx: &Context) -> Result<Column> {
    let data_type = column.data_type();
    match data_type {
        DataType::Float32 => {
            let factor = 10f32.powi(decimals.unsigned_abs().min(400) as i32);
            run(column, data_type, ctx, |v: &[f32], out| match decimals {
                0.. => each(v, out, |x| finite_or(x, (x * factor).round_ties_even() / factor)),
                _ if factor.is_infinite() => each(v, out, |x| if x.is_finite() { 0.0 * x } else { x }),
                _ => each(v, out, |x| finite_or(x, (x / factor).round_ties_even() * factor)),
            })
        }
        _ => {
            let factor = 10f64.powi(decimals.unsigned_abs().min(400) as i32);
            run(column, data_type, ctx, |v: &[f64], out| match decimals {
                0.. => each(v, out, |x| finite_or(x, (x * factor).round_ties_even() / factor)),
                _ if factor.is_infinite() => each(v, out, |x| if x.is_finite() { 0.0 * x } else { x }),
                _ => each(v, out, |x| finite_or(x, (x / factor).round_ties_even() * factor)),
            })
        }
    }
}

/// `rounded`, or `x` where the scaling left the range of floats.
#[inline(always)]
fn finite_or<T: Native>(x: T, rounded: T) -> T {
    if rounded.as_f64().is_finite() { rounded } else { x }
}

/// Whether each row is null (`null`) or valid.
pub(super) fn null_test(column: &Column, null: bool, ctx: &Context) -> Result<Column> {
    let values = match column.view()?.validity() {
        // Its elements are null without a mask.
        None if column.data_type() == DataType::Empty => HostUVec::filled(u8::from(null), column.len(), ctx)?,
        None => HostUVec::filled(u8::from(!null), column.len(), ctx)?,
        Some(bits) => {
            let morsel: &FillMorsel<'_, u8> = &|range, out| {
                for (w, out) in out.chunks_mut(64).enumerate() {
                    for (slot, is_valid) in out.iter_mut().zip(unpack_bits(bits.word(range.start / 64 + w))) {
                        slot.write(u8::from((is_valid == 0) == null));
                    }
                }
                Ok(())
            };
            // SAFETY: a morsel, which begins at a word, writes all of its elements.
            unsafe { HostUVec::from_morsels(column.len(), ctx, morsel)? }
        }
    };
    Column::new(DataType::Bool8, values, None)
}

pub(super) fn is_nan(column: &Column, ctx: &Context) -> Result<Column> {
    fn test<T: Native>(column: &Column, ctx: &Context) -> Result<Column> {
        let view = column.view()?;
        let values = view.values::<T>()?;
        let validity = view.validity();
        let data = HostUVec::from_fn(column.len(), ctx, |i| {
            u8::from(values[i].is_nan() && validity.is_none_or(|bits| bits.get(i)))
        })?;
        Column::new(DataType::Bool8, data, None)
    }
    match column.data_type() {
        DataType::Float32 => test::<f32>(column, ctx),
        DataType::Float64 => test::<f64>(column, ctx),
        _ => Column::new(DataType::Bool8, HostUVec::<u8>::zeroed(column.len(), ctx)?, None),
    }
}
