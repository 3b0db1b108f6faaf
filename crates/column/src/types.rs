//! Data types: one table that everything else is made from.
//!
//! | type | stored as | Python name | pylibcuprum name |
//! |---|---|---|---|
//! | signed and unsigned integers, floats | themselves | `int64`, … | `INT64`, … |
//! | `Bool8` | `u8`, 0 or 1 | `bool` | `BOOL8` |
//! | `Timestamp(unit)` | `i64` since 1970-01-01 UTC; days as `i32` | `datetime64[ns]`, … | `TIMESTAMP_NANOSECONDS`, … |
//! | `Duration(unit)` | `i64`; days as `i32` | `timedelta64[ns]`, … | `DURATION_NANOSECONDS`, … |
//! | `Decimal32(scale)`, … | `i32`, `i64`, `i128`: the value divided by 10^scale | `decimal32[-2]`, … | `DECIMAL32`, … |
//! | `String` | UTF-8 bytes and 32- or 64-bit offsets | `str` | `STRING` |
//! | `List` | offsets and a column of the elements | `list` | `LIST` |
//! | `Struct` | a column for each field | `struct` | `STRUCT` |
//! | `Dictionary32` | unsigned indices into a column of distinct, sorted keys | `dictionary` | `DICTIONARY32` |
//! | `Empty` | nothing; every element is null | `empty` | `EMPTY` |
//!
//! A data type does not give the types inside a list, struct or dictionary: the child columns do.
//! [`have_same_types`](crate::have_same_types) compares columns all the way down.
//!
//! Code that is generic over the stored element goes through [`dispatch_storage!`](crate::dispatch_storage).

use std::fmt;

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
    /// The number of units in one day.
    pub const fn per_day(self) -> i64 {
        match self {
            Self::Days => 1,
            Self::Seconds => 86_400,
            Self::Milliseconds => 86_400_000,
            Self::Microseconds => 86_400_000_000,
            Self::Nanoseconds => 86_400_000_000_000,
        }
    }

    /// The number of units in one second; `None` for days.
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
    /// Decimal number, stored in 32 bits as the value divided by 10 to the power of the scale: 1.23 is
    /// 123 with scale −2.
    Decimal32(i32),
    /// The same in 64 bits.
    Decimal64(i32),
    /// The same in 128 bits.
    Decimal128(i32),
    /// UTF-8 text.
    String,
    /// Lists of elements of any one type.
    List,
    /// Fields of any types side by side.
    Struct,
    /// Values of any type, each kept once.
    Dictionary32,
    /// Nulls of no type.
    Empty,
}

/// The stored type of a data type; the target of dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    I128,
    /// Variable width: bytes with offsets.
    Bytes,
    /// Nothing of its own: child columns, or nothing at all.
    Children,
}

impl Storage {
    /// Bytes of one element; `None` where there is no fixed width.
    pub const fn size(self) -> Option<usize> {
        match self {
            Self::I8 | Self::U8 => Some(1),
            Self::I16 | Self::U16 => Some(2),
            Self::I32 | Self::U32 | Self::F32 => Some(4),
            Self::I64 | Self::U64 | Self::F64 => Some(8),
            Self::I128 => Some(16),
            Self::Bytes | Self::Children => None,
        }
    }
}

/// The kinds of data types; the traits of types are made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Float,
    Boolean,
    Timestamp,
    Duration,
    Decimal,
    Text,
    List,
    Struct,
    Dictionary,
    Empty,
}

/// A row of the table of data types.
struct Entry {
    id: TypeId,
    /// The name in pylibcuprum.
    name: &'static str,
    storage: Storage,
    kind: Kind,
}

/// The token `_` of a row of the table as something else.
macro_rules! scale {
    (_, $value:expr) => {
        $value
    };
}

macro_rules! data_types {
    ($(
        $id:ident = $number:literal, $name:literal, $storage:ident, $kind:ident,
        $variant:ident $(($unit:ident))? $([$scale:tt])?;
    )*) => {
        /// Names a data type without its scale; the numbers are those of libcudf.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum TypeId {
            $($id = $number,)*
        }

        /// The table, in the order of the numbers.
        const TABLE: &[Entry] = &[$(
            Entry { id: TypeId::$id, name: $name, storage: Storage::$storage, kind: Kind::$kind },
        )*];

        impl TypeId {
            /// Every identifier, in the order of the numbers.
            pub const ALL: [Self; TABLE.len()] = [$(Self::$id,)*];

            /// The data type; `scale` is that of a decimal and means nothing otherwise.
            pub const fn with_scale(self, scale: i32) -> DataType {
                // Only rows of decimals use it.
                let _ = scale;
                match self {
                    $(Self::$id => DataType::$variant $((TimeUnit::$unit))? $((scale!($scale, scale)))?,)*
                }
            }
        }

        impl DataType {
            /// The type without its scale.
            pub const fn id(self) -> TypeId {
                match self {
                    $(Self::$variant $((TimeUnit::$unit))? $(($scale))? => TypeId::$id,)*
                }
            }
        }
    };
}

data_types! {
    Empty = 0, "EMPTY", Children, Empty, Empty;
    Int8 = 1, "INT8", I8, Signed, Int8;
    Int16 = 2, "INT16", I16, Signed, Int16;
    Int32 = 3, "INT32", I32, Signed, Int32;
    Int64 = 4, "INT64", I64, Signed, Int64;
    UInt8 = 5, "UINT8", U8, Unsigned, UInt8;
    UInt16 = 6, "UINT16", U16, Unsigned, UInt16;
    UInt32 = 7, "UINT32", U32, Unsigned, UInt32;
    UInt64 = 8, "UINT64", U64, Unsigned, UInt64;
    Float32 = 9, "FLOAT32", F32, Float, Float32;
    Float64 = 10, "FLOAT64", F64, Float, Float64;
    Bool8 = 11, "BOOL8", U8, Boolean, Bool8;
    TimestampDays = 12, "TIMESTAMP_DAYS", I32, Timestamp, Timestamp(Days);
    TimestampSeconds = 13, "TIMESTAMP_SECONDS", I64, Timestamp, Timestamp(Seconds);
    TimestampMilliseconds = 14, "TIMESTAMP_MILLISECONDS", I64, Timestamp, Timestamp(Milliseconds);
    TimestampMicroseconds = 15, "TIMESTAMP_MICROSECONDS", I64, Timestamp, Timestamp(Microseconds);
    TimestampNanoseconds = 16, "TIMESTAMP_NANOSECONDS", I64, Timestamp, Timestamp(Nanoseconds);
    DurationDays = 17, "DURATION_DAYS", I32, Duration, Duration(Days);
    DurationSeconds = 18, "DURATION_SECONDS", I64, Duration, Duration(Seconds);
    DurationMilliseconds = 19, "DURATION_MILLISECONDS", I64, Duration, Duration(Milliseconds);
    DurationMicroseconds = 20, "DURATION_MICROSECONDS", I64, Duration, Duration(Microseconds);
    DurationNanoseconds = 21, "DURATION_NANOSECONDS", I64, Duration, Duration(Nanoseconds);
    Dictionary32 = 22, "DICTIONARY32", Children, Dictionary, Dictionary32;
    String = 23, "STRING", Bytes, Text, String;
    List = 24, "LIST", Children, List, List;
    Decimal32 = 25, "DECIMAL32", I32, Decimal, Decimal32[_];
    Decimal64 = 26, "DECIMAL64", I64, Decimal, Decimal64[_];
    Decimal128 = 27, "DECIMAL128", I128, Decimal, Decimal128[_];
    Struct = 28, "STRUCT", Children, Struct, Struct;
}

impl TypeId {
    const fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    /// The name in pylibcuprum: `INT8`, `TIMESTAMP_DAYS`, ….
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The identifier with this number; `None` where there is none.
    pub fn from_number(number: i32) -> Option<Self> {
        TABLE.get(usize::try_from(number).ok()?).map(|entry| entry.id)
    }
}

/// Comparisons of [`Kind`]s that may stand in constant functions.
macro_rules! is_kind {
    ($data_type:expr, $($kind:ident)|+) => {
        matches!($data_type.id().entry().kind, $(Kind::$kind)|+)
    };
}

impl DataType {
    /// Every data type, decimals with scale 0; in the order of the numbers of [`TypeId`].
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Empty; TABLE.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = TABLE[i].id.with_scale(0);
            i += 1;
        }
        all
    };

    /// The stored type of the elements.
    #[inline]
    pub const fn storage(self) -> Storage {
        self.id().entry().storage
    }

    /// Bytes of one element; `None` for variable width and nesting.
    pub const fn size(self) -> Option<usize> {
        self.storage().size()
    }

    /// The scale of a decimal type, 0 for others.
    pub const fn scale(self) -> i32 {
        match self {
            Self::Decimal32(scale) | Self::Decimal64(scale) | Self::Decimal128(scale) => scale,
            _ => 0,
        }
    }

    /// Signed or unsigned integers.
    pub const fn is_integer(self) -> bool {
        is_kind!(self, Signed | Unsigned)
    }

    /// `Int8` to `Int64`.
    pub const fn is_signed_integer(self) -> bool {
        is_kind!(self, Signed)
    }

    /// `UInt8` to `UInt64`.
    pub const fn is_unsigned_integer(self) -> bool {
        is_kind!(self, Unsigned)
    }

    /// `Float32` and `Float64`.
    pub const fn is_float(self) -> bool {
        is_kind!(self, Float)
    }

    /// Integers, floats and booleans, the types of arithmetic.
    pub const fn is_numeric(self) -> bool {
        is_kind!(self, Signed | Unsigned | Float | Boolean)
    }

    /// Timestamps of any unit.
    pub const fn is_timestamp(self) -> bool {
        is_kind!(self, Timestamp)
    }

    /// Durations of any unit.
    pub const fn is_duration(self) -> bool {
        is_kind!(self, Duration)
    }

    /// Timestamps and durations.
    pub const fn is_chrono(self) -> bool {
        is_kind!(self, Timestamp | Duration)
    }

    /// Decimals of any width.
    pub const fn is_decimal(self) -> bool {
        is_kind!(self, Decimal)
    }

    /// Every type whose elements have one size.
    pub const fn is_fixed_width(self) -> bool {
        self.size().is_some()
    }

    /// Types whose columns have columns inside: text, lists, structs, dictionaries.
    pub const fn is_compound(self) -> bool {
        is_kind!(self, Text | List | Struct | Dictionary)
    }

    /// Lists and structs.
    pub const fn is_nested(self) -> bool {
        is_kind!(self, List | Struct)
    }

    /// Whether elements can be compared for equality. For lists, structs and dictionaries it also takes
    /// that the types inside can.
    pub const fn is_equality_comparable(self) -> bool {
        !is_kind!(self, Empty)
    }

    /// Whether elements have an order. For lists, structs and dictionaries it also takes that the types
    /// inside have one.
    pub const fn is_relationally_comparable(self) -> bool {
        !is_kind!(self, Empty)
    }

    /// Whether a column of this type may be read as one of `other` without touching its memory: both
    /// have elements of one size.
    pub fn is_bit_castable_to(self, other: Self) -> bool {
        self.size().is_some() && self.size() == other.size()
    }

    /// The type by its Python name (`int64`, `datetime64[ns]`, `str`, …), also by NumPy's short
    /// codes (`i8`, `M8[s]`) and common synonyms (`int`, `float`, `object`, `string`). Lists, structs
    /// and dictionaries have no name that would say all of their type.
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
        if let Some((width, scale)) = name.strip_suffix(']').and_then(|n| n.split_once('[')) {
            let scale = scale.parse().ok()?;
            return match width {
                "decimal32" => Some(Self::Decimal32(scale)),
                "decimal64" => Some(Self::Decimal64(scale)),
                "decimal128" => Some(Self::Decimal128(scale)),
                _ => None,
            };
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
            Self::List => "list",
            Self::Struct => "struct",
            Self::Dictionary32 => "dictionary",
            Self::Empty => "empty",
            Self::Timestamp(unit) => return write!(f, "datetime64[{}]", unit.code()),
            Self::Duration(unit) => return write!(f, "timedelta64[{}]", unit.code()),
            Self::Decimal32(scale) => return write!(f, "decimal32[{scale}]"),
            Self::Decimal64(scale) => return write!(f, "decimal64[{scale}]"),
            Self::Decimal128(scale) => return write!(f, "decimal128[{scale}]"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch_storage;

    #[test]
    fn the_table_is_in_order_and_says_what_dispatch_does() {
        for (number, id) in TypeId::ALL.into_iter().enumerate() {
            assert_eq!(id as usize, number);
            assert_eq!(TypeId::from_number(number as i32), Some(id));
            for scale in [0, -3] {
                let data_type = id.with_scale(scale);
                assert_eq!(data_type.id(), id);
                assert_eq!(data_type.scale(), if data_type.is_decimal() { scale } else { 0 });
            }
            let data_type = id.with_scale(0);
            let size = dispatch_storage!(data_type, T => Some(size_of::<T>()), else => None);
            let wide = data_type.storage() == Storage::I128;
            assert_eq!(size, data_type.size().filter(|_| !wide), "{data_type}");
        }
        assert_eq!(TypeId::from_number(29), None);
        assert_eq!(TypeId::from_number(-1), None);
    }

    #[test]
    fn names_round_trip() {
        for data_type in DataType::ALL {
            let named = data_type.is_fixed_width() || data_type == DataType::String;
            assert_eq!(DataType::from_name(&data_type.to_string()), named.then_some(data_type));
        }
        assert_eq!(DataType::from_name("M8[us]"), Some(DataType::Timestamp(TimeUnit::Microseconds)));
        assert_eq!(DataType::from_name("decimal64[-2]"), Some(DataType::Decimal64(-2)));
        for name in ["", "int128", "datetime64[h]", "datetime64[ns", "list", "decimal64[]", "decimal64[x]"] {
            assert_eq!(DataType::from_name(name), None, "{name}");
        }
    }
}
