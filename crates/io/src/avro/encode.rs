//! Records as bytes, value by value.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, UInt8Type, UInt16Type,
    UInt32Type,
};
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType as ArrowType, TimeUnit};
use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;

/// The most bytes of a value without those that it points to: which of the union it is, and a number.
pub(super) const VALUE: usize = 24;

/// The values and nulls of a column that is encoded.
pub(super) struct Encoder<'a> {
    /// Those of a column without a type take no bytes.
    values: Values<'a>,
    nulls: Option<NullBuffer>,
}

enum Values<'a> {
    None,
    Booleans(&'a BooleanArray),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Decimals(&'a [i128]),
    Pieces32(&'a [i32], &'a [u8]),
    Pieces64(&'a [i64], &'a [u8]),
    Symbols(&'a [u32]),
    Lists32(&'a [i32], Box<Encoder<'a>>),
    Lists64(&'a [i64], Box<Encoder<'a>>),
    Record(Vec<Encoder<'a>>),
}

impl<'a> Encoder<'a> {
    /// Of an array of a type that a file has.
    pub(super) fn new(array: &'a ArrayRef) -> Result<Self> {
        let values = match array.data_type() {
            ArrowType::Null => Values::None,
            ArrowType::Boolean => Values::Booleans(array.as_boolean()),
            ArrowType::Int8 => Values::I8(array.as_primitive::<Int8Type>().values()),
            ArrowType::Int16 => Values::I16(array.as_primitive::<Int16Type>().values()),
            ArrowType::Int32 => Values::I32(array.as_primitive::<Int32Type>().values()),
            ArrowType::Int64 => Values::I64(array.as_primitive::<Int64Type>().values()),
            ArrowType::UInt8 => Values::U8(array.as_primitive::<UInt8Type>().values()),
            ArrowType::UInt16 => Values::U16(array.as_primitive::<UInt16Type>().values()),
            ArrowType::UInt32 => Values::U32(array.as_primitive::<UInt32Type>().values()),
            ArrowType::Float32 => Values::F32(array.as_primitive::<Float32Type>().values()),
            ArrowType::Float64 => Values::F64(array.as_primitive::<Float64Type>().values()),
            ArrowType::Date32 => Values::I32(array.as_primitive::<Date32Type>().values()),
            ArrowType::Timestamp(TimeUnit::Millisecond, _) => {
                Values::I64(array.as_primitive::<TimestampMillisecondType>().values())
            }
            ArrowType::Timestamp(TimeUnit::Microsecond, _) => {
                Values::I64(array.as_primitive::<TimestampMicrosecondType>().values())
            }
            ArrowType::Timestamp(TimeUnit::Nanosecond, _) => {
                Values::I64(array.as_primitive::<TimestampNanosecondType>().values())
            }
            ArrowType::Decimal128(..) => Values::Decimals(array.as_primitive::<Decimal128Type>().values()),
            ArrowType::Utf8 => {
                let array = array.as_string::<i32>();
                Values::Pieces32(array.value_offsets(), array.value_data())
            }
            ArrowType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                Values::Pieces64(array.value_offsets(), array.value_data())
            }
            ArrowType::Binary => {
                let array = array.as_binary::<i32>();
                Values::Pieces32(array.value_offsets(), array.value_data())
            }
            ArrowType::LargeBinary => {
                let array = array.as_binary::<i64>();
                Values::Pieces64(array.value_offsets(), array.value_data())
            }
            ArrowType::Dictionary(..) => Values::Symbols(array.as_dictionary::<UInt32Type>().keys().values()),
            ArrowType::List(_) => {
                let list = array.as_list::<i32>();
                Values::Lists32(list.value_offsets(), Box::new(Self::new(list.values())?))
            }
            ArrowType::LargeList(_) => {
                let list = array.as_list::<i64>();
                Values::Lists64(list.value_offsets(), Box::new(Self::new(list.values())?))
            }
            ArrowType::Struct(_) => {
                Values::Record(array.as_struct().columns().iter().map(Self::new).collect::<Result<_>>()?)
            }
            other => return Err(Error::unsupported(format!("Avro has no type for {other}"))),
        };
        let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
        Ok(Self { values, nulls })
    }

    /// Appends the value of a row. Where it points to no others, `out` has room for [`VALUE`] bytes.
    pub(super) fn put(&self, row: usize, out: &mut Vec<u8>) -> Result<()> {
        if matches!(self.values, Values::None) {
            return Ok(());
        }
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            out.push(0);
            return Ok(());
        }
        out.push(2);
        match &self.values {
            Values::None => {}
            Values::Booleans(values) => out.push(u8::from(values.value(row))),
            Values::I8(values) => long(i64::from(values[row]), out),
            Values::I16(values) => long(i64::from(values[row]), out),
            Values::I32(values) => long(i64::from(values[row]), out),
            Values::I64(values) => long(values[row], out),
            Values::U8(values) => long(i64::from(values[row]), out),
            Values::U16(values) => long(i64::from(values[row]), out),
            Values::U32(values) => long(i64::from(values[row]), out),
            Values::F32(values) => out.extend_from_slice(&values[row].to_le_bytes()),
            Values::F64(values) => out.extend_from_slice(&values[row].to_le_bytes()),
            Values::Decimals(values) => decimal(values[row], out),
            Values::Pieces32(offsets, bytes) => {
                piece(&bytes[offsets[row] as usize..offsets[row + 1] as usize], out)?;
            }
            Values::Pieces64(offsets, bytes) => {
                piece(&bytes[offsets[row] as usize..offsets[row + 1] as usize], out)?;
            }
            Values::Symbols(keys) => long(i64::from(keys[row]), out),
            Values::Lists32(offsets, items) => {
                items.list(offsets[row] as usize..offsets[row + 1] as usize, out)?;
            }
            Values::Lists64(offsets, items) => {
                items.list(offsets[row] as usize..offsets[row + 1] as usize, out)?;
            }
            Values::Record(fields) => {
                host_vec::reserve(out, fields.len() * VALUE)?;
                for field in fields {
                    field.put(row, out)?;
                }
            }
        }
        Ok(())
    }

    /// Items in one run, and a run of none behind it.
    fn list(&self, rows: std::ops::Range<usize>, out: &mut Vec<u8>) -> Result<()> {
        if !rows.is_empty() {
            long(rows.len() as i64, out);
            for row in rows {
                host_vec::reserve(out, VALUE)?;
                self.put(row, out)?;
            }
        }
        out.push(0);
        Ok(())
    }
}

/// A number of variable length: zigzag, then seven bits a byte.
#[inline]
pub(super) fn long(value: i64, out: &mut Vec<u8>) {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    if rest < 0x80 {
        out.push(rest as u8);
        return;
    }
    let (mut bytes, mut len) = ([0; 10], 0);
    while rest >= 0x80 {
        bytes[len] = rest as u8 | 0x80;
        rest >>= 7;
        len += 1;
    }
    bytes[len] = rest as u8;
    out.extend_from_slice(&bytes[..=len]);
}

/// A length and so many bytes.
pub(super) fn piece(bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    host_vec::reserve(out, bytes.len().saturating_add(VALUE))?;
    long(bytes.len() as i64, out);
    out.extend_from_slice(bytes);
    Ok(())
}

/// A length and the fewest bytes that hold the value, the greatest first.
fn decimal(value: i128, out: &mut Vec<u8>) {
    let bits = 128 - (value ^ (value >> 127)).leading_zeros() as usize + 1;
    let len = bits.div_ceil(8);
    long(len as i64, out);
    out.extend_from_slice(&value.to_be_bytes()[16 - len..]);
}
