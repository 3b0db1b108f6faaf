//! Data types: one table that everything else is made from.
//!
//! | type | stored as | Python name | pylibcuprum name |
//! |---|---|---|---|
//! | signed and unsigned integers, floats | themselves | `int64`, … | `INT64`, … |
//! | `Bool8` | `u8`, 0 or 1 | `bool` | `BOOL8` |
//! | `Timestamp(unit)` | `i64` since 1970-01-01 UTC; days as `i32` | `datetime64[ns]`, … | `TIMESTAMP_NANOSECONDS`, … |
//! | `Duration(unit)` | `i64`; days as `i32` | `timedelta64[ns]`, … | `DURATION_NANOSECONDS`, … |
//! | `String` | UTF-8 bytes and 32- or 64-bit offsets | `str` | `STRING` |
//!
//! Code that is generic over the stored element goes through [`dispatch_storage!`](crate::dispatch_storage).

use std::fmt;

use cuprum_runtime::kernel::KernelType;

/// The unit of timestamps and durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeUnit {
    /// Days, stored in 32 bits.
    Days,
    /// Seconds.
    Seconds,
    /// 10⁻³ s.
    Milliseconds,
    /// 10⁻⁶ s.
    Microseconds,
    /// 10⁻⁹ s.
    Nanoseconds,
}

impl TimeUnit {
    /// How many of the unit make one day.
    pub const fn per_day(self) -> i64 {
        match self {
            Self::Days => 1,
            Self::Seconds => 86_400,
            Self::Milliseconds => 86_400_000,
            Self::Microseconds => 86_400_000_000,
            Self::Nanoseconds => 86_400_000_000_000,
        }
    }

    /// How many of the unit make one second; `None` for days.
    pub const fn per_second(self) -> Option<i64> {
        match self {
            Self::Days => None,
            _ => Some(self.per_day() / 86_400),
        }
    }

    /// NumPy's code: `D`, `s`, `ms`, `us`, `ns`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Days => "D",
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Nanoseconds => "ns",
        }
    }

    fn from_code(code: &str) -> Option<Self> {
        [Self::Days, Self::Seconds, Self::Milliseconds, Self::Microseconds, Self::Nanoseconds]
            .into_iter()
            .find(|unit| unit.code() == code)
    }
}

/// The type of a column's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataType {
    /// 8-bit signed integer.
    Int8,
    /// 16-bit signed integer.
    Int16,
    /// 32-bit signed integer.
    Int32,
    /// 64-bit signed integer.
    Int64,
    /// 8-bit unsigned integer.
    UInt8,
    /// 16-bit unsigned integer.
    UInt16,
    /// 32-bit unsigned integer.
    UInt32,
    /// 64-bit unsigned integer.
    UInt64,
    /// IEEE 754 single precision.
    Float32,
    /// IEEE 754 double precision.
    Float64,
    /// Boolean, one byte each.
    Bool8,
    /// Point in time (UTC, or a wall clock without a zone).
    Timestamp(TimeUnit),
    /// Length of time.
    Duration(TimeUnit),
    /// UTF-8 text.
    String,
}

/// What the elements of a fixed-width column are stored as.
pub trait Native: KernelType + PartialOrd + Send + Sync + fmt::Debug + 'static {
    /// The plain data type that stores this (`u8` is `UInt8`, although `Bool8` stores it too).
    const DATA_TYPE: DataType;
    /// Whether it is a float.
    const IS_FLOAT: bool = false;
    /// Whether it is a signed number.
    const IS_SIGNED: bool;
    /// Conversion as by `as`.
    fn as_f64(self) -> f64;
    /// Conversion as by `as`: wraps, saturates from floats.
    fn as_i64(self) -> i64;
    /// Conversion as by `as` from `f64`.
    fn from_f64(value: f64) -> Self;
    /// Conversion as by `as` from `i64`: wraps.
    fn from_i64(value: i64) -> Self;
    /// Whether it is a NaN.
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! native {
    ($($t:ty => $variant:ident, float: $float:expr, signed: $signed:expr;)*) => {$(
        impl Native for $t {
            const DATA_TYPE: DataType = DataType::$variant;
            const IS_FLOAT: bool = $float;
            const IS_SIGNED: bool = $signed;
            #[inline(always)]
            fn as_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn as_i64(self) -> i64 { self as i64 }
            #[inline(always)]
            fn from_f64(value: f64) -> Self { value as Self }
            #[inline(always)]
            fn from_i64(value: i64) -> Self { value as Self }
            #[inline(always)]
            #[allow(clippy::eq_op)]
            fn is_nan(self) -> bool { self != self }
        }
    )*};
}

native! {
    i8 => Int8, float: false, signed: true;
    i16 => Int16, float: false, signed: true;
    i32 => Int32, float: false, signed: true;
    i64 => Int64, float: false, signed: true;
    u8 => UInt8, float: false, signed: false;
    u16 => UInt16, float: false, signed: false;
    u32 => UInt32, float: false, signed: false;
    u64 => UInt64, float: false, signed: false;
    f32 => Float32, float: true, signed: true;
    f64 => Float64, float: true, signed: true;
}

/// Runs code with a type alias bound to what a fixed-width data type is stored as.
///
/// ```
/// # use cuprum_column::{dispatch_storage, DataType};
/// let size = dispatch_storage!(DataType::Int16, T => size_of::<T>(), else => 0);
/// assert_eq!(size, 2);
/// let none = dispatch_storage!(DataType::String, T => size_of::<T>(), else => 0);
/// assert_eq!(none, 0);
/// ```
#[macro_export]
macro_rules! dispatch_storage {
    ($data_type:expr, $T:ident => $body:expr, else => $otherwise:expr) => {{
        use $crate::types::Storage;
        match $crate::DataType::storage($data_type) {
            Storage::I8 => {
                type $T = i8;
                $body
            }
            Storage::I16 => {
                type $T = i16;
                $body
            }
            Storage::I32 => {
                type $T = i32;
                $body
            }
            Storage::I64 => {
                type $T = i64;
                $body
            }
            Storage::U8 => {
                type $T = u8;
                $body
            }
            Storage::U16 => {
                type $T = u16;
                $body
            }
            Storage::U32 => {
                type $T = u32;
                $body
            }
            Storage::U64 => {
                type $T = u64;
                $body
            }
            Storage::F32 => {
                type $T = f32;
                $body
            }
            Storage::F64 => {
                type $T = f64;
                $body
            }
            Storage::Bytes => $otherwise,
        }
    }};
}

/// What a data type is stored as; the target of dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Storage {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// Variable width: bytes with offsets.
    Bytes,
}

impl DataType {
    /// Every data type.
    pub const ALL: [Self; 22] = [
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::UInt8,
        Self::UInt16,
        Self::UInt32,
        Self::UInt64,
        Self::Float32,
        Self::Float64,
        Self::Bool8,
        Self::Timestamp(TimeUnit::Days),
        Self::Timestamp(TimeUnit::Seconds),
        Self::Timestamp(TimeUnit::Milliseconds),
        Self::Timestamp(TimeUnit::Microseconds),
        Self::Timestamp(TimeUnit::Nanoseconds),
        Self::Duration(TimeUnit::Days),
        Self::Duration(TimeUnit::Seconds),
        Self::Duration(TimeUnit::Milliseconds),
        Self::Duration(TimeUnit::Microseconds),
        Self::Duration(TimeUnit::Nanoseconds),
        Self::String,
    ];

    /// What the elements are stored as.
    #[inline]
    pub const fn storage(self) -> Storage {
        match self {
            Self::Int8 => Storage::I8,
            Self::Int16 => Storage::I16,
            Self::Int32 | Self::Timestamp(TimeUnit::Days) | Self::Duration(TimeUnit::Days) => Storage::I32,
            Self::Int64 | Self::Timestamp(_) | Self::Duration(_) => Storage::I64,
            Self::UInt8 | Self::Bool8 => Storage::U8,
            Self::UInt16 => Storage::U16,
            Self::UInt32 => Storage::U32,
            Self::UInt64 => Storage::U64,
            Self::Float32 => Storage::F32,
            Self::Float64 => Storage::F64,
            Self::String => Storage::Bytes,
        }
    }

    /// Bytes of one element; `None` for variable width.
    pub const fn size(self) -> Option<usize> {
        match self.storage() {
            Storage::I8 | Storage::U8 => Some(1),
            Storage::I16 | Storage::U16 => Some(2),
            Storage::I32 | Storage::U32 | Storage::F32 => Some(4),
            Storage::I64 | Storage::U64 | Storage::F64 => Some(8),
            Storage::Bytes => None,
        }
    }

    /// Signed or unsigned integers.
    pub const fn is_integer(self) -> bool {
        self.is_signed_integer() || self.is_unsigned_integer()
    }

    /// `Int8` to `Int64`.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64)
    }

    /// `UInt8` to `UInt64`.
    pub const fn is_unsigned_integer(self) -> bool {
        matches!(self, Self::UInt8 | Self::UInt16 | Self::UInt32 | Self::UInt64)
    }

    /// `Float32` and `Float64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float32 | Self::Float64)
    }

    /// Integers, floats and booleans: what arithmetic takes.
    pub const fn is_numeric(self) -> bool {
        self.is_integer() || self.is_float() || matches!(self, Self::Bool8)
    }

    /// Timestamps of any unit.
    pub const fn is_timestamp(self) -> bool {
        matches!(self, Self::Timestamp(_))
    }

    /// Durations of any unit.
    pub const fn is_duration(self) -> bool {
        matches!(self, Self::Duration(_))
    }

    /// Every type whose elements have one size.
    pub const fn is_fixed_width(self) -> bool {
        self.size().is_some()
    }

    /// The type by its Python name (`int64`, `datetime64[ns]`, `str`, …), also by NumPy's short
    /// codes (`i8`, `M8[s]`) and common synonyms (`int`, `float`, `object`, `string`).
    pub fn from_name(name: &str) -> Option<Self> {
        let time = |prefixes: [&str; 2]| {
            prefixes
                .iter()
                .find_map(|p| name.strip_prefix(p)?.strip_suffix(']'))
                .and_then(TimeUnit::from_code)
        };
        if let Some(unit) = time(["datetime64[", "M8["]) {
            return Some(Self::Timestamp(unit));
        }
        if let Some(unit) = time(["timedelta64[", "m8["]) {
            return Some(Self::Duration(unit));
        }
        Some(match name {
            "int8" | "i1" | "Int8" => Self::Int8,
            "int16" | "i2" | "Int16" => Self::Int16,
            "int32" | "i4" | "Int32" => Self::Int32,
            "int64" | "i8" | "int" | "Int64" => Self::Int64,
            "uint8" | "u1" | "UInt8" => Self::UInt8,
            "uint16" | "u2" | "UInt16" => Self::UInt16,
            "uint32" | "u4" | "UInt32" => Self::UInt32,
            "uint64" | "u8" | "uint" | "UInt64" => Self::UInt64,
            "float32" | "f4" | "Float32" => Self::Float32,
            "float64" | "f8" | "float" | "Float64" => Self::Float64,
            "bool" | "boolean" | "b1" | "?" => Self::Bool8,
            "str" | "string" | "object" | "O" | "U" => Self::String,
            _ => return None,
        })
    }
}

/// The Python name.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::UInt8 => "uint8",
            Self::UInt16 => "uint16",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Bool8 => "bool",
            Self::String => "str",
            Self::Timestamp(unit) => return write!(f, "datetime64[{}]", unit.code()),
            Self::Duration(unit) => return write!(f, "timedelta64[{}]", unit.code()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_sizes_agree_with_storage() {
        for data_type in DataType::ALL {
            assert_eq!(DataType::from_name(&data_type.to_string()), Some(data_type));
            let size = dispatch_storage!(data_type, T => Some(size_of::<T>()), else => None);
            assert_eq!(size, data_type.size(), "{data_type}");
        }
        assert_eq!(DataType::from_name("M8[us]"), Some(DataType::Timestamp(TimeUnit::Microseconds)));
        for name in ["", "int128", "datetime64[h]", "datetime64[ns", "list"] {
            assert_eq!(DataType::from_name(name), None, "{name}");
        }
    }
}
