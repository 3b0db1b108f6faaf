//! [`Scalar`]: one value of any data type, or null.

use std::fmt;
use std::sync::Arc;

use cuprum_runtime::{Error, Result};

use crate::types::{DataType, Native};

/// One nullable element of a data type.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    data_type: DataType,
    value: Value,
}

/// What a [`Scalar`] holds.
///
/// Signed integers, timestamps and durations are `Int` (in the unit of their type), unsigned
/// integers `UInt`, both float widths `Float`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    String(Arc<str>),
}

impl Scalar {
    /// A null of `data_type`.
    pub fn null(data_type: DataType) -> Self {
        Self { data_type, value: Value::Null }
    }

    /// A string.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self { data_type: DataType::String, value: Value::String(text.into()) }
    }

    /// An element of a fixed-width type from what it is stored as.
    pub fn from_native<T: Native>(data_type: DataType, stored: T) -> Self {
        let value = match data_type {
            DataType::Bool8 => Value::Bool(stored.as_i64() != 0),
            DataType::Float32 | DataType::Float64 => Value::Float(stored.as_f64()),
            DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => {
                Value::UInt(stored.as_i64() as u64)
            }
            _ => Value::Int(stored.as_i64()),
        };
        Self { data_type, value }
    }

    /// A scalar of `data_type` from a value that must fit it exactly: integers within range,
    /// floats only in float types, times as integers of their unit.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for a value of another kind and with
    /// [`Overflow`](crate::ErrorKind::Overflow) for an integer outside the range of the type.
    pub fn new(data_type: DataType, value: Value) -> Result<Self> {
        let int = match &value {
            Value::Bool(b) => Some(i128::from(*b)),
            Value::Int(i) => Some(i128::from(*i)),
            Value::UInt(u) => Some(i128::from(*u)),
            _ => None,
        };
        let value = match (data_type, &value, int) {
            (_, Value::Null, _) => Value::Null,
            (DataType::String, Value::String(_), _) | (DataType::Bool8, Value::Bool(_), _) => value,
            (t, Value::Float(_), _) if t.is_float() => value,
            (t, _, Some(i)) if t.is_float() => Value::Float(i as f64),
            (t, _, Some(i)) if t.is_fixed_width() && t != DataType::Bool8 => {
                let (low, high) = integer_range(t);
                if i < low || i > high {
                    return Err(Error::overflow(format!("{i} does not fit {t} ({low} to {high})")));
                }
                if t.is_unsigned_integer() { Value::UInt(i as u64) } else { Value::Int(i as i64) }
            }
            _ => return Err(Error::data_type(format!("{value:?} is not a value of type {data_type}"))),
        };
        Ok(Self { data_type, value })
    }

    /// The data type.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        self.value == Value::Null
    }

    /// The value as what its type is stored as; `None` for null.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) for strings or another storage type.
    pub fn to_native<T: Native>(&self) -> Result<Option<T>> {
        if self.data_type.storage() != T::DATA_TYPE.storage() {
            return Err(Error::data_type(format!("{} is not stored as {}", self.data_type, T::DATA_TYPE)));
        }
        Ok(match &self.value {
            Value::Null | Value::String(_) => None,
            Value::Bool(b) => Some(T::from_i64(i64::from(*b))),
            Value::Int(i) => Some(T::from_i64(*i)),
            Value::UInt(u) => Some(T::from_i64(*u as i64)),
            Value::Float(f) => Some(T::from_f64(*f)),
        })
    }

    /// Numbers and booleans as `f64`; `None` for nulls and strings.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.value {
            Value::Null | Value::String(_) => None,
            Value::Bool(b) => Some(f64::from(*b)),
            Value::Int(i) => Some(*i as f64),
            Value::UInt(u) => Some(*u as f64),
            Value::Float(f) => Some(*f),
        }
    }

    /// Integers, booleans and times as `i64`; `None` for the rest and where it does not fit.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.value {
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Int(i) => Some(*i),
            Value::UInt(u) => i64::try_from(*u).ok(),
            _ => None,
        }
    }

    /// The text of a string scalar.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth of a boolean scalar.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }
}

/// The smallest and largest value of a type that is stored as an integer.
fn integer_range(data_type: DataType) -> (i128, i128) {
    let bits = data_type.size().unwrap_or(8) as u32 * 8;
    if data_type.is_unsigned_integer() {
        (0, (1 << bits) - 1)
    } else {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Self {
        Self { data_type: DataType::Int64, value: Value::Int(value) }
    }
}

impl From<i32> for Scalar {
    fn from(value: i32) -> Self {
        Self { data_type: DataType::Int32, value: Value::Int(value.into()) }
    }
}

impl From<u64> for Scalar {
    fn from(value: u64) -> Self {
        Self { data_type: DataType::UInt64, value: Value::UInt(value) }
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Self {
        Self { data_type: DataType::Float64, value: Value::Float(value) }
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Self { data_type: DataType::Bool8, value: Value::Bool(value) }
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Self::string(value)
    }
}

impl From<String> for Scalar {
    fn from(value: String) -> Self {
        Self::string(value)
    }
}

/// The plain value; `null` for nulls, strings in quotes.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::UInt(u) => write!(f, "{u}"),
            Value::Float(x) => write!(f, "{x:?}"),
            Value::String(text) => write!(f, "{text:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Context, ErrorKind};

    #[test]
    fn fits_exactly_or_fails() {
        let ok = |t, v| Scalar::new(t, v).unwrap();
        assert_eq!(ok(DataType::UInt8, Value::Int(255)).value(), &Value::UInt(255));
        assert_eq!(ok(DataType::Float32, Value::Int(-3)).value(), &Value::Float(-3.0));
        assert_eq!(ok(DataType::UInt64, Value::UInt(u64::MAX)).value(), &Value::UInt(u64::MAX));
        let kind = |t, v| Scalar::new(t, v).unwrap_err().kind();
        assert_eq!(kind(DataType::Int8, Value::Int(128)), ErrorKind::Overflow);
        assert_eq!(kind(DataType::UInt32, Value::Int(-1)), ErrorKind::Overflow);
        assert_eq!(kind(DataType::Int64, Value::Float(1.5)), ErrorKind::DataType);
        assert_eq!(kind(DataType::Int64, Value::String("1".into())), ErrorKind::DataType);
    }

    #[test]
    fn every_type_fills_a_column_and_comes_back() {
        let ctx = Context::current();
        for data_type in DataType::ALL {
            let scalar = match data_type {
                DataType::String => Scalar::string("x"),
                DataType::Bool8 => Scalar::from(true),
                t => Scalar::new(t, Value::Int(7)).unwrap(),
            };
            for scalar in [scalar, Scalar::null(data_type)] {
                let column = Column::from_scalar(&scalar, 65, &ctx).unwrap();
                assert_eq!(column.get(64).unwrap(), scalar);
                assert_eq!(column.null_count(), if scalar.is_null() { 65 } else { 0 });
            }
        }
    }
}
