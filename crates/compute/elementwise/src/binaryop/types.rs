//! The result types of operations.

use cuprum_column::{DataType, Error, Result, TimeUnit};

use super::BinaryOperator;

/// The type both numbers (or booleans) are converted to, by `NumPy`'s rules for arrays; `None` where a
/// type is not a number.
pub fn promote(lhs: DataType, rhs: DataType) -> Option<DataType> {
    use DataType::{Bool8, Float32, Float64, Int16, Int32, Int64};
    if !lhs.is_numeric() || !rhs.is_numeric() {
        return None;
    }
    if lhs == rhs {
        return Some(lhs);
    }
    let size = |t: DataType| t.size().unwrap_or(8);
    Some(match (lhs, rhs) {
        (Bool8, other) | (other, Bool8) => other,
        (Float64, _) | (_, Float64) => Float64,
        (Float32, int) | (int, Float32) => {
            if size(int) <= 2 {
                Float32
            } else {
                Float64
            }
        }
        _ if lhs.is_signed_integer() == rhs.is_signed_integer() => {
            if size(lhs) >= size(rhs) {
                lhs
            } else {
                rhs
            }
        }
        _ => {
            let (signed, unsigned) = if lhs.is_signed_integer() { (lhs, rhs) } else { (rhs, lhs) };
            match size(signed).max(2 * size(unsigned)) {
                2 => Int16,
                4 => Int32,
                8 => Int64,
                _ => Float64,
            }
        }
    })
}

/// The type of the result of `op` on operands of these types.
///
/// Fails with `DataType`, naming operator and types, where the operation does not exist.
pub fn result_type(lhs: DataType, rhs: DataType, op: BinaryOperator) -> Result<DataType> {
    use BinaryOperator::{Add, And, FloorDiv, Mod, Mul, Or, Pow, Sub, TrueDiv, Xor};
    use DataType::{Bool8, Duration, Float64, Int8, Int64, Timestamp};
    let unsupported =
        || Err(Error::data_type(format!("operator {op} does not take operands of {lhs} and {rhs}")));
    if let Some(promoted) = promote(lhs, rhs) {
        return match op {
            _ if op.is_comparison() => Ok(Bool8),
            And | Or | Xor if promoted.is_float() => unsupported(),
            TrueDiv if !promoted.is_float() => Ok(Float64),
            Sub if promoted == Bool8 => {
                Err(Error::data_type("operator - does not take booleans; ^ is their difference"))
            }
            FloorDiv | Mod | Pow if promoted == Bool8 => Ok(Int8),
            _ => Ok(promoted),
        };
    }
    if let Some(result) = super::decimals::result_type(lhs, rhs, op) {
        return Ok(result);
    }
    match (lhs, rhs) {
        (DataType::String, DataType::String) if op == Add => Ok(DataType::String),
        (DataType::String, count) | (count, DataType::String) if op == Mul && count.is_integer() => {
            Ok(DataType::String)
        }
        (DataType::String, DataType::String) | (Timestamp(_), Timestamp(_)) | (Duration(_), Duration(_))
            if op.is_comparison() =>
        {
            Ok(Bool8)
        }
        (Timestamp(a), Timestamp(b)) if op == Sub => Ok(Duration(a.max(b))),
        (Timestamp(a), Duration(b)) if matches!(op, Add | Sub) => Ok(Timestamp(a.max(b))),
        (Duration(a), Timestamp(b)) if op == Add => Ok(Timestamp(a.max(b))),
        (Duration(a), Duration(b)) => match op {
            Add | Sub | Mod => Ok(Duration(finer(a, b))),
            TrueDiv => Ok(Float64),
            FloorDiv => Ok(Int64),
            _ => unsupported(),
        },
        // A truth value is no number of times.
        (Duration(_), Bool8) | (Bool8, Duration(_)) => unsupported(),
        (Duration(_), number) if number.is_numeric() && matches!(op, Mul | TrueDiv | FloorDiv) => Ok(lhs),
        (number, Duration(_)) if number.is_numeric() && op == Mul => Ok(rhs),
        _ => unsupported(),
    }
}

/// The finer of two units: the order of [`TimeUnit`] is from coarse to fine.
pub(super) fn finer(a: TimeUnit, b: TimeUnit) -> TimeUnit {
    a.max(b)
}
