//! Two operands in, one column out, element by element.
//!
//! An operand is a column or a scalar; at least one is a column. The result is null where an operand
//! is, except for `And` and `Or` on booleans, which follow Kleene's logic (`false and null` is false,
//! `true or null` is true).
//!
//! # Types
//! Numbers are promoted as `NumPy` promotes arrays, for columns and scalars alike ([`result_type`]):
//! the smallest type that holds both, `float64` for `int64` with `uint64`. `TrueDiv` of integers is
//! `float64`. Comparisons give `bool`; those of `int64` with `uint64` are exact, those of integers
//! with floats happen in the promoted float type.
//!
//! | lhs | rhs | operators | result |
//! |---|---|---|---|
//! | number, bool | number, bool | arithmetic | the promoted type |
//! | bool | bool | `Add` (or), `Mul` (and); `FloorDiv`, `Mod`, `Pow` | bool; int8 |
//! | integer, bool | integer, bool | `And`, `Or`, `Xor` | the promoted type, bit by bit |
//! | any | same kind; structs and lists of the same types | comparisons | bool |
//! | str | str | `Add` | str, concatenated |
//! | str, integer | integer, str | `Mul` | str, so many times; empty for negative numbers |
//! | timestamp | timestamp | `Sub` | duration in the finer unit |
//! | timestamp | duration | `Add`, `Sub` | timestamp in the finer unit |
//! | duration | duration | `Add`, `Sub`, `Mod`; `TrueDiv`; `FloorDiv` | duration; float64; int64 |
//! | decimal | decimal, integer, bool | `Add`, `Sub`, `Mod`; `Mul`; `TrueDiv`; `FloorDiv` | decimal of the finer scale; of the sum of the scales; of their difference; of scale 0 |
//! | duration | number | `Mul`, `TrueDiv`, `FloorDiv` | duration in its unit, rounded to zero (`FloorDiv`: down) |
//!
//! # Values
//! Integer arithmetic wraps. `FloorDiv` and `Mod` round towards negative infinity, so a remainder has
//! the sign of the divisor; for integers `x // 0` and `x % 0` are 0 and `min // -1` wraps, for floats
//! they are those of IEEE and `NumPy`. An integer to a negative integer power is an error. Arithmetic
//! on times that leaves their range is an `Overflow` error, dividing a duration by zero gives null. So it is
//! with decimals, whose quotients lose the digits beyond their scale.
//! Comparisons with NaN are false, `NotEqual` is true.
//!
//! Structs, lists and dictionaries of the same types are compared field by field, element by element and by their
//! values. Inside of structs and lists, nulls equal each other and come before all else, NaN equals NaN and comes last.

pub mod arithmetic;
pub mod cpu;
pub mod cuda;
mod decimals;
mod divider;
pub mod logic;
mod nested;
mod operator;
mod text;
mod times;
mod types;

#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

pub use cuprum_elements::elements::{MovedOperand, Operand};
pub use operator::BinaryOperator;
pub(crate) use times::rescale;
pub use types::{promote, result_type};

/// `op` of every row of `lhs` and `rhs`; see the [module](self) for types and values.
///
/// Fails with `Logic` when both operands are scalars or the lengths differ, with `DataType` for types
/// the operator does not take, with `InvalidArgument` for a negative integer power of an integer and
/// with `Overflow` where arithmetic on times leaves their range.
pub fn binary_operation<'a>(
    lhs: impl Into<Operand<'a>>,
    rhs: impl Into<Operand<'a>>,
    op: BinaryOperator,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"binaryop.binary_operation");
    let (lhs, rhs) = (lhs.into(), rhs.into());
    check_device!(ctx, [lhs, rhs]);
    let len = match (lhs.len(), rhs.len()) {
        (Some(l), Some(r)) if l != r => {
            return Err(Error::logic(format!("`lhs` has {l} rows, `rhs` has {r}")));
        }
        (Some(len), _) | (None, Some(len)) => len,
        (None, None) => return Err(Error::logic("`lhs` and `rhs` are both scalars: one must be a column")),
    };
    if nested::is_flattened(lhs, rhs) {
        return nested::compare(lhs, rhs, op, len, ctx);
    }
    let result = result_type(lhs.data_type(), rhs.data_type(), op)?;
    if ctx.is_on_gpu() {
        return match result {
            DataType::String => text::made_on_device(lhs, rhs, op, len, ctx),
            _ => cuda::operate(lhs, rhs, op, result, len, ctx),
        };
    }
    let (l, r) = (lhs.data_type(), rhs.data_type());
    if l.is_decimal() || r.is_decimal() {
        decimals::operate(lhs, rhs, op, result, len, ctx)
    } else if l == DataType::String || r == DataType::String {
        text::operate(lhs, rhs, op, len, ctx)
    } else if !(l.is_numeric() && r.is_numeric()) {
        times::operate(lhs, rhs, op, result, len, ctx)
    } else if result == DataType::Bool8 && !op.is_comparison() {
        logic::operate(lhs, rhs, op, len, ctx)
    } else {
        cpu::operate(lhs, rhs, op, result, len, ctx)
    }
}
