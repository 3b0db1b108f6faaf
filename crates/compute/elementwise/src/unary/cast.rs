//! Conversions between fixed-width types, checked.

use cuprum_column::{
    Column, Context, DataType, Detail, Error, ErrorKind, HostUVec, Native, Result, dispatch_storage,
    null_mask,
};

use cuprum_runtime::backend::on_device;

use super::cpu::run;
use crate::binaryop::rescale;
use cuprum_elements::elements::{FillMorsel, Input, Outgoing, PIECE, chunk_buffer, convert};
use cuprum_elements::selection::present_words;

/// Fails where there is no conversion between two types, neither of which is a string or a decimal.
pub(super) fn check(from: DataType, to: DataType) -> Result<()> {
    let is_there = match (from, to) {
        (DataType::Timestamp(_), DataType::Timestamp(_)) | (DataType::Duration(_), DataType::Duration(_)) => {
            true
        }
        _ => {
            (from.is_numeric() && to.is_numeric())
                || (is_time(from) && to.is_integer())
                || ((from.is_float() || from.is_integer()) && is_time(to))
        }
    };
    if is_there {
        Ok(())
    } else {
        Err(Error::data_type(format!("there is no conversion from {from} to {to}")))
    }
}

/// See [`super::cast`]; there is a [conversion](check), and the types differ.
pub(super) fn cast(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let from = column.data_type();
    match (from, to) {
        (DataType::Timestamp(a), DataType::Timestamp(b)) | (DataType::Duration(a), DataType::Duration(b)) => {
            rescale(column, a, b, to, ctx)
        }
        _ if from.is_numeric() && to.is_numeric() => numeric(column, to, ctx),
        // Times are integers of their unit.
        _ if to.is_integer() && is_time(from) => cast_or_share(&column.bit_cast(stored(from))?, to, ctx),
        // A NaN is no time; a part of a tick is cut off.
        _ if from.is_float() && is_time(to) => {
            numeric(&without_nans(column, ctx)?, stored(to), ctx)?.bit_cast(to)
        }
        _ => cast_or_share(column, stored(to), ctx)?.bit_cast(to),
    }
}

/// Floats with a null for every NaN.
fn without_nans(column: &Column, ctx: &Context) -> Result<Column> {
    let words = present_words(&[column], 1, true, column.len(), ctx)?;
    column.with_mask(Some(null_mask::from_words(column.len(), ctx, |w| words[w])?), ctx)
}

/// [`super::cast`] from or to decimals, on either device.
pub(super) fn cast_decimals(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    if column.data_type().is_float() {
        cuprum_elements::decimals::places_of_floats(to)?;
    }
    if [column.data_type(), to].contains(&DataType::String) {
        return decimals(column, to, ctx);
    }
    on_device!(ctx, decimals(column, to, ctx), super::cuda::cast_column(column, to, ctx))
}

/// [`super::cast`] on the CPU between types that kernels cast.
pub(super) fn on_cpu(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    if column.data_type().is_decimal() || to.is_decimal() {
        decimals(column, to, ctx)
    } else {
        cast(column, to, ctx)
    }
}

/// [`super::cast`] from or to decimals.
fn decimals(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    use cuprum_elements::decimals::{cast, from_floats, from_texts, to_bools, to_floats, to_texts};
    let from = column.data_type();
    let whole = |t: DataType| t.is_decimal() || t.is_integer();
    match (from, to) {
        (DataType::String, _) => from_texts(column, to, ctx),
        (_, DataType::String) => to_texts(column, ctx),
        (DataType::Bool8, _) => cast(column, to, ctx),
        (_, DataType::Bool8) => to_bools(column, ctx),
        (_, DataType::Float64) => to_floats(column, ctx),
        (_, DataType::Float32) => numeric(&to_floats(column, ctx)?, to, ctx),
        (DataType::Float64, _) => from_floats(&without_nans(column, ctx)?, to, ctx),
        (DataType::Float32, _) => {
            from_floats(&without_nans(&numeric(column, DataType::Float64, ctx)?, ctx)?, to, ctx)
        }
        _ if whole(from) && whole(to) => cast(column, to, ctx),
        _ => Err(Error::data_type(format!("there is no conversion from {from} to {to}"))),
    }
}

fn is_time(data_type: DataType) -> bool {
    data_type.is_timestamp() || data_type.is_duration()
}

/// The integer type a time is stored as.
fn stored(time: DataType) -> DataType {
    if time.size() == Some(4) { DataType::Int32 } else { DataType::Int64 }
}

fn cast_or_share(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    if column.data_type() == to { Ok(column.clone()) } else { numeric(column, to, ctx) }
}

fn numeric(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let from = column.data_type();
    match to {
        DataType::Bool8 => dispatch_storage!(from, S => run(column, to, ctx, |v: &[S], out| {
            for (slot, value) in out.iter_mut().zip(v) {
                slot.write(u8::from(*value != S::from_i64(0)));
            }
        }), else => unreachable!("numbers only")),
        DataType::Float64 => run(column, to, ctx, copy::<f64>),
        // Not through float64, which would round twice.
        DataType::Float32 if from == DataType::Int64 => run(column, to, ctx, |v: &[i64], out| {
            out.iter_mut().zip(v).for_each(|(slot, value)| {
                slot.write(*value as f32);
            });
        }),
        DataType::Float32 if from == DataType::UInt64 => run(column, to, ctx, |v: &[u64], out| {
            out.iter_mut().zip(v).for_each(|(slot, value)| {
                slot.write(*value as f32);
            });
        }),
        DataType::Float32 => run(column, to, ctx, copy::<f32>),
        _ => dispatch_storage!(to, T => match from {
            DataType::Float32 | DataType::Float64 => to_integer::<f64, T>(column, to, fits_float::<T>, ctx),
            DataType::UInt64 => to_integer::<u64, T>(column, to, fits_integer::<u64, T>, ctx),
            _ => to_integer::<i64, T>(column, to, fits_integer::<i64, T>, ctx),
        }, else => unreachable!("numbers only")),
    }
}

fn copy<T: Native>(values: &[T], out: &mut [std::mem::MaybeUninit<T>]) {
    out.write_copy_of_slice(values);
}

/// Numbers, converted to the wide type `W` that holds them all, to integers, with every valid row
/// checked by `fits`.
fn to_integer<W: Native, T: Native>(
    column: &Column,
    to: DataType,
    fits: impl Fn(W) -> bool + Sync,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let validity = view.validity();
    let input = Input::<W>::of_column(&view)?;
    let morsel: &FillMorsel<'_, T> = &|range, out| {
        let (mut buffer, mut outgoing) = (chunk_buffer(), Outgoing::new(column.len()));
        for (start, out) in range.step_by(PIECE).zip(out.chunks_mut(PIECE)) {
            let values = input.chunk(start..start + out.len(), &mut buffer);
            let mut all_fit = true;
            outgoing.write(out, |out| {
                for (slot, value) in out.iter_mut().zip(values) {
                    all_fit &= fits(*value);
                    slot.write(convert(*value));
                }
            });
            if !all_fit {
                let bad = |i: &usize| !fits(values[*i]) && validity.is_none_or(|bits| bits.get(start + i));
                if let Some(i) = (0..values.len()).find(bad) {
                    return Err(unfit(start + i, values[i], column.data_type(), to));
                }
            }
        }
        Ok(())
    };
    // SAFETY: the chunks cover the morsel, and the loop writes every element of each.
    let data = unsafe { HostUVec::<T>::from_morsels(column.len(), ctx, morsel)? };
    Column::new(to, data, column.copy_mask(ctx)?)
}

/// Whether a float, without its fraction, is a value of the integer type `T`.
#[inline(always)]
fn fits_float<T: Native>(value: f64) -> bool {
    let bits = size_of::<T>() as i32 * 8 - i32::from(T::IS_SIGNED);
    let high = 2f64.powi(bits);
    let low = if T::IS_SIGNED { -high } else { 0.0 };
    let whole = value.trunc();
    whole >= low && whole < high
}

/// Whether an integer is a value of the integer type `T`.
#[inline(always)]
fn fits_integer<W: Native, T: Native>(value: W) -> bool {
    let wide = value.as_i64();
    T::from_i64(wide).as_i64() == wide && (W::IS_SIGNED == T::IS_SIGNED || wide >= 0)
}

#[cold]
fn unfit<W: Native>(row: usize, value: W, from: DataType, to: DataType) -> Error {
    let number = value.as_f64();
    let text = if from == DataType::Float32 { format!("{:?}", number as f32) } else { format!("{value:?}") };
    if number.is_finite() {
        return Error::new(ErrorKind::Overflow, format!("row {row}: {text} does not fit {to}"));
    }
    Error::invalid_argument(format!("row {row}: {text} is no integer")).with_detail(Detail::NotFinite)
}
