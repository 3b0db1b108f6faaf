//! Text from and to every other data type.

use cuprum_column::{Column, Context, DataType, Error, Result, TextsView, TimeUnit};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::values::{parse_bool, parse_duration, parse_float, parse_integer};
use super::{cuda, print};
use cuprum_elements::decimals::to_texts;
use cuprum_elements::string_map::{self as rows, OnError};
use cuprum_times::datetime;

/// The values that the rows spell.
///
/// | type | spelling |
/// |---|---|
/// | integers | decimal digits with an optional sign |
/// | floats | decimal, with an optional exponent; `inf`, `infinity`, `nan` in any case |
/// | booleans | `True`, `False` (also `true`, `TRUE`, …) |
/// | timestamps | ISO 8601, as [`datetime::strptime`] without a format |
/// | durations | `1 days`, `1 days 02:03:04.5`, `-1 days +22:00:00`, `02:03:04` |
///
/// White space around a value does not count, except for timestamps. Digits of times that are finer than the unit are
/// dropped.
///
/// The first row that does not parse fails with
/// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument), a number or time out of the range of the type
/// with [`Overflow`](cuprum_column::ErrorKind::Overflow); both name the row and its text.
pub fn from_strings(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.from_strings");
    check_device!(ctx, [column]);
    convert(column, to, OnError::Fail, ctx)
}

/// [`from_strings`] that gives null for a row that does not parse or does not fit (pandas'
/// `errors="coerce"`).
pub fn from_strings_or_null(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.from_strings_or_null");
    check_device!(ctx, [column]);
    convert(column, to, OnError::Null, ctx)
}

/// The values of any column as text, spelt as pandas' `astype(str)` does.
///
/// | type | spelling |
/// |---|---|
/// | integers | decimal digits |
/// | floats | Python's `repr`: the shortest digits that give the same value back, `1.0`, `1e+16`, `nan`, `inf` |
/// | booleans | `True`, `False` |
/// | decimals | with all digits of the scale |
/// | timestamps | `2020-01-31 13:05:00.123`: the date alone where all rows are midnight, else as many digits of the second as some row needs (0, 3, 6 or 9) |
/// | durations | `1 days 02:03:04.500000`: the days alone where all rows are whole days, else 0, 6 or 9 digits of the second |
///
/// Fails with [`DataType`](crate::ErrorKind::DataType) for other types.
pub fn to_strings(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.to_strings");
    check_device!(ctx, [column]);
    match column.data_type() {
        kind if !is_printed(kind) => {
            Err(Error::data_type(format!("there is no conversion from {kind} to {}", DataType::String)))
        }
        DataType::String => Ok(column.clone()),
        kind if kind.is_decimal() => to_texts(column, ctx),
        DataType::Timestamp(unit) if ctx.is_on_gpu() => cuda::times::timestamps_as_texts(column, unit, ctx),
        DataType::Duration(unit) if ctx.is_on_gpu() => cuda::times::durations_as_texts(column, unit, ctx),
        DataType::Bool8 if ctx.is_on_gpu() => cuda::numbers::bools_as_texts(column, ctx),
        DataType::Float32 if ctx.is_on_gpu() => cuda::floats::as_texts::<f32>(column, ctx),
        DataType::Float64 if ctx.is_on_gpu() => cuda::floats::as_texts::<f64>(column, ctx),
        _ if ctx.is_on_gpu() => cuda::numbers::integers_as_texts(column, ctx),
        DataType::Timestamp(unit @ TimeUnit::Days) => print::timestamps::<i32>(column, unit, ctx),
        DataType::Timestamp(unit) => print::timestamps::<i64>(column, unit, ctx),
        DataType::Duration(unit @ TimeUnit::Days) => print::durations::<i32>(column, unit, ctx),
        DataType::Duration(unit) => print::durations::<i64>(column, unit, ctx),
        _ => print::numbers(column, ctx),
    }
}

/// Whether [`to_strings`] has a spelling for values of a type.
#[doc(hidden)]
pub fn is_printed(kind: DataType) -> bool {
    let is_number = kind.is_integer() || kind.is_float() || kind.is_decimal() || kind == DataType::Bool8;
    is_number || kind.is_timestamp() || kind.is_duration() || kind == DataType::String
}

fn convert(column: &Column, to: DataType, on_error: OnError, ctx: &Context) -> Result<Column> {
    macro_rules! integer {
        ($T:ty) => {
            if ctx.is_on_gpu() {
                cuda::numbers::texts_as_integers::<$T>(column, to, on_error, ctx)
            } else {
                rows::parse_values::<$T>(column, to, on_error, ctx, parse_integer)
            }
        };
    }
    macro_rules! float {
        ($T:ty) => {
            if ctx.is_on_gpu() {
                cuda::floats::of_texts::<$T>(column, to, on_error, ctx)
            } else {
                rows::parse_values::<$T>(column, to, on_error, ctx, parse_float)
            }
        };
    }
    match to {
        DataType::String if ctx.is_on_gpu() => TextsView::new(column).map(|_| column.clone()),
        DataType::String => {
            column.view()?.strings()?;
            Ok(column.clone())
        }
        DataType::Int8 => integer!(i8),
        DataType::Int16 => integer!(i16),
        DataType::Int32 => integer!(i32),
        DataType::Int64 => integer!(i64),
        DataType::UInt8 => integer!(u8),
        DataType::UInt16 => integer!(u16),
        DataType::UInt32 => integer!(u32),
        DataType::UInt64 => integer!(u64),
        DataType::Float32 => float!(f32),
        DataType::Float64 => float!(f64),
        DataType::Bool8 if ctx.is_on_gpu() => cuda::numbers::texts_as_bools(column, on_error, ctx),
        DataType::Bool8 => rows::parse_values::<u8>(column, to, on_error, ctx, parse_bool),
        DataType::Timestamp(unit) => datetime::parse::strptime(column, None, unit, on_error, ctx),
        DataType::Duration(unit @ TimeUnit::Days) if ctx.is_on_gpu() => {
            cuda::times::durations_of_texts::<i32>(column, unit, on_error, ctx)
        }
        DataType::Duration(unit) if ctx.is_on_gpu() => {
            cuda::times::durations_of_texts::<i64>(column, unit, on_error, ctx)
        }
        DataType::Duration(unit @ TimeUnit::Days) => {
            rows::parse_values::<i32>(column, to, on_error, ctx, |row| parse_duration(row, unit))
        }
        DataType::Duration(unit) => {
            rows::parse_values::<i64>(column, to, on_error, ctx, |row| parse_duration(row, unit))
        }
        _ => Err(cuprum_column::Error::data_type(format!("text cannot be converted to {to}"))),
    }
}
