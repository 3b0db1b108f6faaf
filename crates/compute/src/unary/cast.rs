//! Conversions between fixed-width types, checked.

use cuprum_column::{
    Column, Context, DataType, Error, ErrorKind, HostUVec, Native, Result, dispatch_storage,
};

use super::cpu::run;
use crate::binaryop::cpu::{FillMorsel, convert};
use crate::binaryop::rescale;

/// See [`super::cast`]; the types differ and neither is a string.
pub(super) fn cast(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let from = column.data_type();
    match (from, to) {
        (DataType::Timestamp(a), DataType::Timestamp(b)) | (DataType::Duration(a), DataType::Duration(b)) => {
            rescale(column, a, b, to, ctx)
        }
        _ if from.is_numeric() && to.is_numeric() => numeric(column, to, ctx),
        // Times are integers of their unit.
        _ if to.is_integer() && is_time(from) => cast_or_share(&column.bit_cast(stored(from))?, to, ctx),
        _ if from.is_integer() && is_time(to) => cast_or_share(column, stored(to), ctx)?.bit_cast(to),
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
        _ => dispatch_storage!(from, S => {
            dispatch_storage!(to, T => to_integer::<S, T>(column, to, ctx), else => unreachable!("numbers only"))
        }, else => unreachable!("numbers only")),
    }
}

fn copy<T: Native>(values: &[T], out: &mut [std::mem::MaybeUninit<T>]) {
    out.write_copy_of_slice(values);
}

/// Numbers to integers, with every valid row checked.
fn to_integer<S: Native, T: Native>(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let values = column.view().values::<S>()?;
    let validity = column.view().validity();
    let morsel: &FillMorsel<'_, T> = &|range, out| {
        let mut all_fit = true;
        for (slot, value) in out.iter_mut().zip(&values[range.clone()]) {
            all_fit &= fits::<S, T>(*value);
            slot.write(convert(*value));
        }
        if all_fit {
            return Ok(());
        }
        let bad = |row: &usize| !fits::<S, T>(values[*row]) && validity.is_none_or(|bits| bits.get(*row));
        match range.into_iter().find(bad) {
            None => Ok(()),
            Some(row) => Err(unfit(row, values[row].as_f64(), &values[row], to)),
        }
    };
    // SAFETY: the loop writes every element of the morsel.
    let data = unsafe { HostUVec::<T>::from_morsels(values.len(), ctx, morsel)? };
    Column::new(to, data, column.copy_mask(ctx)?)
}

/// Whether a number, without its fraction, is a value of the integer type `T`.
#[inline(always)]
fn fits<S: Native, T: Native>(value: S) -> bool {
    if S::IS_FLOAT {
        let bits = size_of::<T>() as i32 * 8 - i32::from(T::IS_SIGNED);
        let high = 2f64.powi(bits);
        let low = if T::IS_SIGNED { -high } else { 0.0 };
        let whole = value.as_f64().trunc();
        return whole >= low && whole < high;
    }
    let wide = value.as_i64();
    T::from_i64(wide).as_i64() == wide && (S::IS_SIGNED == T::IS_SIGNED || wide >= 0)
}

#[cold]
fn unfit(row: usize, value: f64, text: &dyn std::fmt::Debug, to: DataType) -> Error {
    if value.is_finite() {
        return Error::new(ErrorKind::Overflow, format!("row {row}: {text:?} does not fit {to}"));
    }
    Error::invalid_argument(format!("row {row}: {text:?} is no integer"))
}
