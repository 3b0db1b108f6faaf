//! One column of a stripe, as it is written.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, BooleanArray, OffsetSizeTrait};
use arrow_schema::{DataType as ArrowType, Field, TimeUnit};
use cuprum_column::{Error, Result};
use cuprum_runtime::host_vec;

use super::blocks::Packing;
use super::instants::{EPOCH, Unit};
use super::messages::Message;
use super::pack;
use super::statistics::{Range, Statistics, least_and_greatest};
use super::stripe::StreamKind;

/// The number of values that are looked at to see whether there are few different ones.
const SAMPLE: usize = 4096;

/// A column of a stripe, without those inside it.
pub(super) struct Encoded {
    pub(super) streams: Vec<(StreamKind, Vec<u8>)>,
    /// 0 without and 2 with numbers of the second version, 3 for a dictionary.
    pub(super) encoding: u64,
    pub(super) dictionary: u64,
    pub(super) statistics: Statistics,
}

/// The packing of streams.
pub(super) struct Encoder {
    pub(super) packing: Packing,
    pub(super) level: i32,
}

/// The type as an ORC file has it: that of the column, and of those inside it, each behind that it is in.
///
/// Fails for types that it has not.
pub(super) fn types(field: &Field, types: &mut Vec<Message>) -> Result<()> {
    let own = types.len();
    types.push(Message::default());
    let kind = |kind| Message::default().number(1, kind);
    types[own] = match field.data_type() {
        ArrowType::Boolean => kind(0),
        ArrowType::Int8 => kind(1),
        ArrowType::Int16 => kind(2),
        ArrowType::Int32 => kind(3),
        ArrowType::Int64 => kind(4),
        ArrowType::Float32 => kind(5),
        ArrowType::Float64 => kind(6),
        ArrowType::Utf8 | ArrowType::LargeUtf8 => kind(7),
        ArrowType::Binary | ArrowType::LargeBinary => kind(8),
        ArrowType::Timestamp(_, None) => kind(9),
        ArrowType::Timestamp(_, Some(_)) => kind(18),
        ArrowType::Date32 => kind(15),
        ArrowType::Decimal128(precision, scale @ 0..) => {
            kind(14).number(5, u64::from(*precision)).number(6, *scale as u64)
        }
        ArrowType::List(item) | ArrowType::LargeList(item) => {
            let child = types.len() as u64;
            self::types(item, types)?;
            kind(10).numbers(2, [child])
        }
        ArrowType::Struct(fields) if !fields.is_empty() => {
            let mut children = Vec::new();
            for field in fields {
                children.push(types.len() as u64);
                self::types(field, types).map_err(|e| e.context(format!("field '{}'", field.name())))?;
            }
            let message = kind(12).numbers(2, children);
            fields.iter().fold(message, |message, field| message.bytes(3, field.name().as_bytes()))
        }
        other => return Err(Error::unsupported(format!("ORC has no type for {other}"))),
    };
    Ok(())
}

/// The array with a type that a file has, where there is one of the same values.
pub(super) fn storable(array: ArrayRef, field: &Field) -> Result<(ArrayRef, Arc<Field>)> {
    let to = plain(field);
    let array = if to.data_type() == array.data_type() {
        array
    } else {
        arrow_cast::cast(&array, to.data_type()).map_err(|e| Error::unsupported(e.to_string()))?
    };
    Ok((array, Arc::new(to)))
}

fn plain(field: &Field) -> Field {
    let to = match field.data_type() {
        ArrowType::Dictionary(_, values) => {
            return plain(&Field::new(field.name(), (**values).clone(), true));
        }
        ArrowType::Decimal32(precision, scale) | ArrowType::Decimal64(precision, scale) => {
            ArrowType::Decimal128(*precision, *scale)
        }
        ArrowType::Utf8View => ArrowType::LargeUtf8,
        ArrowType::BinaryView | ArrowType::FixedSizeBinary(_) => ArrowType::LargeBinary,
        ArrowType::FixedSizeList(item, _) | ArrowType::List(item) => ArrowType::List(Arc::new(plain(item))),
        ArrowType::LargeList(item) => ArrowType::LargeList(Arc::new(plain(item))),
        ArrowType::Struct(fields) => ArrowType::Struct(fields.iter().map(|field| plain(field)).collect()),
        other => other.clone(),
    };
    field.clone().with_data_type(to)
}

impl Encoder {
    /// Appends the column, and behind it those inside it.
    pub(super) fn column(&self, array: &ArrayRef, out: &mut Vec<Encoded>) -> Result<()> {
        let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
        let mut streams = Vec::new();
        // From here on only of rows that have a value.
        let array = match &nulls {
            None => Arc::clone(array),
            Some(nulls) => {
                streams.push((StreamKind::Present, pack::bits(nulls.iter())));
                let kept = BooleanArray::new(nulls.inner().clone(), None);
                arrow_select::filter::filter(array, &kept)
                    .map_err(|e| Error::invalid_argument(e.to_string()))?
            }
        };
        let own = out.len();
        let statistics =
            Statistics { count: array.len() as u64, has_null: nulls.is_some(), range: Range::None };
        out.push(Encoded { streams: Vec::new(), encoding: 0, dictionary: 0, statistics });
        let mut encoded = Parts { streams, encoding: 0, dictionary: 0, range: Range::None };
        self.values(&array, &mut encoded, out)?;
        for (kind, bytes) in encoded.streams {
            let mut packed = Vec::new();
            self.packing.pack(&bytes, self.level, &mut packed)?;
            out[own].streams.push((kind, packed));
        }
        (out[own].encoding, out[own].dictionary) = (encoded.encoding, encoded.dictionary);
        if !array.is_empty() {
            out[own].statistics.range = encoded.range;
        }
        Ok(())
    }

    fn values(&self, array: &ArrayRef, to: &mut Parts, out: &mut Vec<Encoded>) -> Result<()> {
        match array.data_type() {
            ArrowType::Boolean => {
                let values = array.as_boolean().values();
                to.push(StreamKind::Data, pack::bits(values.iter()));
                to.range = Range::Booleans(values.count_set_bits() as u64);
            }
            ArrowType::Int8 => {
                let values = array.as_primitive::<Int8Type>().values();
                to.push(StreamKind::Data, pack::bytes(bytemuck::cast_slice(values)));
                to.range = integers(&host_vec::collect(values.iter().map(|&value| i64::from(value)))?);
            }
            ArrowType::Int16 => {
                let values = array.as_primitive::<Int16Type>().values().iter();
                to.integers(&host_vec::collect(values.map(|&value| i64::from(value)))?);
            }
            ArrowType::Int32 => {
                let values = array.as_primitive::<Int32Type>().values().iter();
                to.integers(&host_vec::collect(values.map(|&value| i64::from(value)))?);
            }
            ArrowType::Int64 => to.integers(array.as_primitive::<Int64Type>().values()),
            ArrowType::Float32 => {
                let values = array.as_primitive::<Float32Type>().values();
                to.push(StreamKind::Data, values.iter().flat_map(|value| value.to_le_bytes()).collect());
                to.range = floats(values.iter().map(|&value| f64::from(value)));
            }
            ArrowType::Float64 => {
                let values = array.as_primitive::<Float64Type>().values();
                to.push(StreamKind::Data, values.iter().flat_map(|value| value.to_le_bytes()).collect());
                to.range = floats(values.iter().copied());
            }
            ArrowType::Date32 => {
                let values = array.as_primitive::<Date32Type>().values().iter();
                let values = host_vec::collect(values.map(|&value| i64::from(value)))?;
                to.integers(&values);
                to.range = least_and_greatest(&values).map_or(Range::None, |(a, b)| Range::Dates(a, b));
            }
            ArrowType::Timestamp(unit, _) => {
                let values = match unit {
                    TimeUnit::Second => array.as_primitive::<TimestampSecondType>().values(),
                    TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().values(),
                    TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().values(),
                    TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().values(),
                };
                to.timestamps(values, &Unit::of(*unit))?;
            }
            ArrowType::Decimal128(_, scale) => {
                let values = array.as_primitive::<Decimal128Type>().values();
                let mut bytes = host_vec::with_capacity(values.len())?;
                values.iter().for_each(|&value| pack::wide(value, &mut bytes));
                to.push(StreamKind::Data, bytes);
                let scales = host_vec::filled(i64::from(*scale), values.len())?;
                to.push(StreamKind::Secondary, pack::numbers(&scales, true));
                to.encoding = 2;
            }
            ArrowType::Utf8 => {
                let array = array.as_string::<i32>();
                to.texts(array.value_offsets(), array.value_data())?;
            }
            ArrowType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                to.texts(array.value_offsets(), array.value_data())?;
            }
            ArrowType::Binary => {
                let array = array.as_binary::<i32>();
                to.pieces(array.value_offsets(), array.value_data())?;
            }
            ArrowType::LargeBinary => {
                let array = array.as_binary::<i64>();
                to.pieces(array.value_offsets(), array.value_data())?;
            }
            ArrowType::List(_) => {
                let list = array.as_list::<i32>();
                let (start, len) = to.lengths(list.value_offsets())?;
                self.column(&list.values().slice(start, len), out)?;
            }
            ArrowType::LargeList(_) => {
                let list = array.as_list::<i64>();
                let (start, len) = to.lengths(list.value_offsets())?;
                self.column(&list.values().slice(start, len), out)?;
            }
            ArrowType::Struct(_) => {
                for child in array.as_struct().columns() {
                    self.column(child, out)?;
                }
            }
            other => return Err(Error::unsupported(format!("ORC has no type for {other}"))),
        }
        Ok(())
    }
}

/// The encoded parts of a column.
struct Parts {
    streams: Vec<(StreamKind, Vec<u8>)>,
    encoding: u64,
    dictionary: u64,
    range: Range,
}

impl Parts {
    fn push(&mut self, kind: StreamKind, bytes: Vec<u8>) {
        self.streams.push((kind, bytes));
    }

    fn integers(&mut self, values: &[i64]) {
        self.push(StreamKind::Data, pack::numbers(values, true));
        self.encoding = 2;
        self.range = integers(values);
    }

    fn timestamps(&mut self, values: &[i64], unit: &Unit) -> Result<()> {
        let (mut seconds, mut nanos) =
            (host_vec::with_capacity(values.len())?, host_vec::with_capacity(values.len())?);
        let per_nano = 1_000_000_000 / unit.per_second;
        for &value in values {
            let second = value.div_euclid(unit.per_second);
            let nano = value.rem_euclid(unit.per_second) * per_nano;
            // Readers take one second from times before 1970 with a fraction of a millisecond or more.
            let second = if second < 0 && nano > 999_999 { second + 1 } else { second };
            // But not for the last second before 1970: its nanoseconds are negative, as all of pyarrow's.
            let nano = if second == 0 && value < 0 { nano - 1_000_000_000 } else { nano };
            seconds.push(
                second.checked_sub(EPOCH).ok_or_else(|| {
                    Error::unsupported(format!("ORC has no timestamp {second} s after 1970"))
                })?,
            );
            let zeros = if nano == 0 {
                0
            } else {
                (1..=8).rev().find(|&zeros| nano % 10i64.pow(zeros) == 0).unwrap_or(0)
            };
            // At least two are left out, or none.
            nanos.push(if zeros < 2 {
                nano << 3
            } else {
                ((nano / 10i64.pow(zeros)) << 3) | i64::from(zeros - 1)
            });
        }
        self.push(StreamKind::Data, pack::numbers(&seconds, true));
        self.push(StreamKind::Secondary, pack::numbers(&nanos, false));
        self.encoding = 2;
        let millis = |value: i64| i128::from(value) * 1000;
        self.range = match least_and_greatest(values) {
            None => Range::None,
            Some((least, greatest)) => {
                let floor = |value| i64::try_from(millis(value).div_euclid(i128::from(unit.per_second)));
                match (floor(least), floor(greatest)) {
                    (Ok(least), Ok(greatest)) => Range::Timestamps(least, greatest),
                    _ => Range::None,
                }
            }
        };
        Ok(())
    }

    /// Writes the lengths of lists or texts; returns the start of their elements, and the number of these.
    fn lengths<O: OffsetSizeTrait>(&mut self, offsets: &[O]) -> Result<(usize, usize)> {
        let lengths = offsets.windows(2).map(|pair| (pair[1] - pair[0]).as_usize() as i64);
        self.push(StreamKind::Length, pack::numbers(&host_vec::collect(lengths)?, false));
        self.encoding = 2;
        let start = offsets[0].as_usize();
        Ok((start, offsets[offsets.len() - 1].as_usize() - start))
    }

    fn pieces<O: OffsetSizeTrait>(&mut self, offsets: &[O], bytes: &[u8]) -> Result<()> {
        let (start, len) = self.lengths(offsets)?;
        self.push(StreamKind::Data, host_vec::collect(bytes[start..start + len].iter().copied())?);
        self.range = Range::Bytes(len as u64);
        Ok(())
    }

    fn texts<O: OffsetSizeTrait>(&mut self, offsets: &[O], bytes: &[u8]) -> Result<()> {
        let rows = offsets.len() - 1;
        let text = |row: usize| &bytes[offsets[row].as_usize()..offsets[row + 1].as_usize()];
        let total = (offsets[rows].as_usize() - offsets[0].as_usize()) as u64;
        let Some((keys, values)) = dictionary(rows, text)? else {
            self.pieces(offsets, bytes)?;
            let least = (0..rows).map(text).min().unwrap_or_default().to_vec();
            let greatest = (0..rows).map(text).max().unwrap_or_default().to_vec();
            self.range = Range::Texts(least, greatest, total);
            return Ok(());
        };
        self.push(StreamKind::Data, pack::numbers(&keys, false));
        self.push(StreamKind::Dictionary, values.concat());
        let lengths = values.iter().map(|value| value.len() as i64);
        self.push(StreamKind::Length, pack::numbers(&host_vec::collect(lengths)?, false));
        (self.encoding, self.dictionary) = (3, values.len() as u64);
        let least = values.iter().min().copied().unwrap_or_default().to_vec();
        let greatest = values.iter().max().copied().unwrap_or_default().to_vec();
        self.range = Range::Texts(least, greatest, total);
        Ok(())
    }
}

/// The code of each row's text, and the texts.
type Dictionary<'a> = (Vec<i64>, Vec<&'a [u8]>);

/// The different texts in the order in which they come, and which each row has; `None` where there are more than
/// half as many as rows.
fn dictionary<'a>(rows: usize, text: impl Fn(usize) -> &'a [u8]) -> Result<Option<Dictionary<'a>>> {
    let mut known: HashMap<&[u8], i64> = HashMap::new();
    let mut values: Vec<&[u8]> = Vec::new();
    let mut keys = host_vec::with_capacity(rows)?;
    for row in 0..rows {
        let text = text(row);
        let next = values.len() as i64;
        let key = *known.entry(text).or_insert(next);
        if key == next {
            values.push(text);
            if values.len() > rows / 2 || (row < SAMPLE && values.len() > SAMPLE / 2) {
                return Ok(None);
            }
        }
        keys.push(key);
    }
    Ok((rows > 0).then_some((keys, values)))
}

fn integers(values: &[i64]) -> Range {
    let sum = values.iter().try_fold(0i64, |sum, &value| sum.checked_add(value));
    least_and_greatest(values).map_or(Range::None, |(least, greatest)| Range::Integers(least, greatest, sum))
}

fn floats(mut values: impl Iterator<Item = f64>) -> Range {
    let range = values.try_fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| {
        (!value.is_nan()).then(|| (least.min(value), greatest.max(value)))
    });
    range.map_or(Range::None, |(least, greatest)| Range::Floats(least, greatest))
}
