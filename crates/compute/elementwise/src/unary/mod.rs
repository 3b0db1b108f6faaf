//! One column in, one column out, element by element: casts, null tests, mathematics.
//!
//! Nulls stay null, except in [`is_null`], [`is_valid`] and [`is_nan`], whose results have no nulls.

mod cast;
pub mod cpu;
pub mod cuda;
mod decimals;
mod halves;
mod operator;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_text::strings::convert;

pub use halves::{Halves, round_halves};
pub use operator::UnaryOperator;

/// `op` of every element.
///
/// Decimals stay of their type: rounding (`Ceil`, `Floor`, `Trunc`, `Rint`) leaves zeros behind the point.
///
/// Fails with `DataType` for a type the operator does not take, and with `Overflow`, naming the first row, for a
/// decimal that its type cannot hold.
pub fn unary_operation(column: &Column, op: UnaryOperator, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.unary_operation");
    check_device!(ctx, [column]);
    use UnaryOperator::{Abs, BitNot, Ceil, Floor, Negate, Not, Rint, Sign, Trunc};
    let data_type = column.data_type();
    let result = result_type(data_type, op)?;
    match op {
        Ceil | Floor | Trunc | Rint if is_whole(data_type) => Ok(column.clone()),
        _ if ctx.is_on_gpu() => cuda::operate(column, op, result, ctx),
        _ if data_type.is_decimal() => decimals::operate(column, op, ctx),
        Negate | Abs | Sign => cpu::change_sign(column, op, ctx),
        Not => cpu::is_zero(column, ctx),
        BitNot if data_type == DataType::Bool8 => cpu::is_zero(column, ctx),
        BitNot => cpu::invert_bits(column, ctx),
        _ => cpu::function(column, op, ctx),
    }
}

/// The type that `op` gives for elements of `data_type`.
///
/// Fails with `DataType`, naming both, for a type the operator does not take.
pub fn result_type(data_type: DataType, op: UnaryOperator) -> Result<DataType> {
    use UnaryOperator::{Abs, BitNot, Ceil, Floor, Negate, Not, Rint, Sign, Trunc};
    match op {
        Negate | Abs if data_type.is_duration() => Ok(data_type),
        Negate | Abs | Ceil | Floor | Trunc | Rint if data_type.is_decimal() => Ok(data_type),
        Negate if data_type == DataType::Bool8 => Err(unsupported(data_type, op)),
        BitNot if data_type.is_float() => Err(unsupported(data_type, op)),
        _ if !data_type.is_numeric() => Err(unsupported(data_type, op)),
        Not => Ok(DataType::Bool8),
        Negate | Abs | Sign | BitNot | Ceil | Floor | Trunc | Rint => Ok(data_type),
        _ if data_type == DataType::Float32 => Ok(data_type),
        _ => Ok(DataType::Float64),
    }
}

/// Whether values of the type have nothing behind the point.
pub fn is_whole(data_type: DataType) -> bool {
    !data_type.is_float() && (!data_type.is_decimal() || data_type.scale() >= 0)
}

fn unsupported(data_type: DataType, op: UnaryOperator) -> Error {
    Error::data_type(format!("{op} does not take {data_type}"))
}

/// Whether each element is null; a `bool` column without nulls. NaN is not null.
pub fn is_null(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.is_null");
    check_device!(ctx, [column]);
    on_device!(ctx, null_test(column, true))
}

/// Whether each element is valid; a `bool` column without nulls.
pub fn is_valid(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.is_valid");
    check_device!(ctx, [column]);
    on_device!(ctx, null_test(column, false))
}

/// Whether each element is NaN; a `bool` column without nulls: a null is not NaN, and types that
/// are no floats have none.
pub fn is_nan(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.is_nan");
    check_device!(ctx, [column]);
    on_device!(ctx, is_nan(column))
}

/// Every number rounded to `decimals` digits after the point (before it, where negative), halves to
/// even, by `NumPy`'s method of scaling, rounding and scaling back. Integers stay as they are unless
/// `decimals` is negative. Decimals stay of their type.
///
/// Fails with `DataType` for types that are no numbers, and with `Overflow` for a decimal or an integer that its type
/// cannot hold.
pub fn round(column: &Column, decimals: i32, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.round");
    check_device!(ctx, [column]);
    match column.data_type() {
        data_type if data_type.is_decimal() => {
            // No digit is behind those that are asked for.
            if i64::from(decimals) >= -i64::from(data_type.scale()) {
                return Ok(column.clone());
            }
            cast(&round_halves(column, decimals, Halves::Even, ctx)?, data_type, ctx)
        }
        data_type if !data_type.is_numeric() => Err(Error::data_type(format!("cannot round {data_type}"))),
        data_type if data_type.is_float() && decimals > 330 => Ok(column.clone()),
        data_type if !data_type.is_float() && (decimals >= 0 || data_type == DataType::Bool8) => {
            Ok(column.clone())
        }
        data_type if data_type.is_integer() => round_halves(column, decimals, Halves::Even, ctx),
        _ => on_device!(ctx, round(column, decimals)),
    }
}

/// The column as another type.
///
/// | from | to | how |
/// |---|---|---|
/// | number | integer | exact; floats lose their fraction |
/// | number | float | nearest value |
/// | number | bool | whether it is not 0 (NaN is not) |
/// | bool | number | 0 or 1 |
/// | time | same kind of time | exact to a finer unit, rounded down to a coarser one |
/// | time | integer | the number of units |
/// | integer | time | as a number of units |
/// | float | time | as a number of units, without its fraction; NaN is null |
/// | decimal | decimal, integer | digits beyond the scale are cut off |
/// | integer, bool | decimal | exact |
/// | decimal | float | nearest value |
/// | float | decimal | nearest value, halves to even |
/// | decimal | bool | whether it is not 0 |
/// | decimal | str | with all digits of the scale |
/// | str | decimal | digits with a sign, a point and an exponent; none beyond the scale |
/// | str | any | parsed, see [`cuprum_text::strings::convert`] |
/// | any | str | printed, see [`cuprum_text::strings::convert`] |
///
/// Fails with `InvalidArgument` for a NaN or an infinity to an integer, with `Overflow` for a value
/// that the new type cannot hold (both name the row; values under nulls do not count) and with
/// `DataType` for every other pair.
pub fn cast(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    func_range!(c"unary.cast");
    check_device!(ctx, [column]);
    let from = column.data_type();
    if from == to {
        return Ok(column.clone());
    }
    if !is_there(from, to) {
        let none = Error::data_type(format!("there is no conversion from {from} to {to}"));
        return Err(none.context(format!("cast from {from} to {to}")));
    }
    if from.is_decimal() || to.is_decimal() {
        return cast::cast_decimals(column, to, ctx)
            .map_err(|e| e.context(format!("cast from {from} to {to}")));
    }
    if from == DataType::String {
        return convert::from_strings(column, to, ctx);
    }
    if to == DataType::String {
        return convert::to_strings(column, ctx);
    }
    cast::check(from, to)
        .and_then(|()| on_device!(ctx, cast::cast(column, to, ctx), cuda::cast_column(column, to, ctx)))
        .map_err(|e| e.context(format!("cast from {from} to {to}")))
}

/// Whether there may be a conversion; of nested columns there is none.
fn is_there(from: DataType, to: DataType) -> bool {
    cuda::has_cast(from, to)
        || from == DataType::String
        || to == DataType::String && convert::is_printed(from)
}
