//! The values of a column that has something to write.

use cuprum_column::{ColumnView, DataType, Result, StringsView, TimeUnit};

/// The values of a column without anything inside, as they are stored.
pub(crate) enum Values<'a> {
    Int8(&'a [i8]),
    Int16(&'a [i16]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    UInt8(&'a [u8]),
    UInt16(&'a [u16]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
    Float32(&'a [f32]),
    Float64(&'a [f64]),
    Bool(&'a [u8]),
    Text(StringsView<'a>),
    Days(&'a [i32]),
    Timestamp(&'a [i64], TimeUnit),
    DurationDays(&'a [i32]),
    Duration(&'a [i64], TimeUnit),
}

impl<'a> Values<'a> {
    /// `None` for types that are not among these.
    pub(crate) fn of(view: &'a ColumnView<'_>) -> Result<Option<Self>> {
        Ok(Some(match view.data_type() {
            DataType::Int8 => Self::Int8(view.values()?),
            DataType::Int16 => Self::Int16(view.values()?),
            DataType::Int32 => Self::Int32(view.values()?),
            DataType::Int64 => Self::Int64(view.values()?),
            DataType::UInt8 => Self::UInt8(view.values()?),
            DataType::UInt16 => Self::UInt16(view.values()?),
            DataType::UInt32 => Self::UInt32(view.values()?),
            DataType::UInt64 => Self::UInt64(view.values()?),
            DataType::Float32 => Self::Float32(view.values()?),
            DataType::Float64 => Self::Float64(view.values()?),
            DataType::Bool8 => Self::Bool(view.values()?),
            DataType::String => Self::Text(view.strings()?),
            DataType::Timestamp(TimeUnit::Days) => Self::Days(view.values()?),
            DataType::Timestamp(unit) => Self::Timestamp(view.values()?, unit),
            DataType::Duration(TimeUnit::Days) => Self::DurationDays(view.values()?),
            DataType::Duration(unit) => Self::Duration(view.values()?, unit),
            _ => return Ok(None),
        }))
    }

    /// Appends the value of `row`, if it is an integer; whether it is one.
    #[inline]
    pub(crate) fn write_integer(&self, row: usize, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Int8(v) => integer(v[row], out),
            Self::Int16(v) => integer(v[row], out),
            Self::Int32(v) => integer(v[row], out),
            Self::Int64(v) => integer(v[row], out),
            Self::UInt8(v) => integer(v[row], out),
            Self::UInt16(v) => integer(v[row], out),
            Self::UInt32(v) => integer(v[row], out),
            Self::UInt64(v) => integer(v[row], out),
            _ => return false,
        }
        true
    }
}

#[inline]
pub(crate) fn integer(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}
