//! Conversion from and to arrow-rs arrays.
//!
//! Buffers are shared wherever the layouts agree. These copy: booleans (bits there, bytes here),
//! validity that does not start at a whole byte, string views, dictionaries and misaligned buffers.
//! Dates become day timestamps; a timestamp may carry the zone UTC, which is what timestamps mean
//! here; other zones are refused rather than dropped.

use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{DataType as ArrowType, Field, Schema, TimeUnit as ArrowUnit};
use cuprum_runtime::{Buffer, Context, Error, HostUVec, Result};

use crate::column::Column;
use crate::null_mask;
use crate::stored::Native;
use crate::strings;
use crate::table::Table;
use crate::types::{DataType, TimeUnit};

impl DataType {
    /// The Arrow type a column of this type is exported as; nested types with nothing inside, since a
    /// data type does not say what is: see [`arrow_type`].
    pub fn to_arrow(self) -> ArrowType {
        match self {
            Self::Int8 => ArrowType::Int8,
            Self::Int16 => ArrowType::Int16,
            Self::Int32 => ArrowType::Int32,
            Self::Int64 => ArrowType::Int64,
            Self::UInt8 => ArrowType::UInt8,
            Self::UInt16 => ArrowType::UInt16,
            Self::UInt32 => ArrowType::UInt32,
            Self::UInt64 => ArrowType::UInt64,
            Self::Float32 => ArrowType::Float32,
            Self::Float64 => ArrowType::Float64,
            Self::Bool8 => ArrowType::Boolean,
            Self::String => ArrowType::Utf8,
            Self::Timestamp(TimeUnit::Days) => ArrowType::Date32,
            // Arrow has no duration in days: exported in seconds.
            Self::Duration(TimeUnit::Days) => ArrowType::Duration(ArrowUnit::Second),
            Self::Timestamp(unit) => ArrowType::Timestamp(arrow_unit(unit), None),
            Self::Duration(unit) => ArrowType::Duration(arrow_unit(unit)),
            Self::Decimal32(scale) => ArrowType::Decimal32(9, arrow_scale(scale)),
            Self::Decimal64(scale) => ArrowType::Decimal64(18, arrow_scale(scale)),
            Self::Decimal128(scale) => ArrowType::Decimal128(38, arrow_scale(scale)),
            Self::Empty => ArrowType::Null,
            Self::List => ArrowType::List(Arc::new(Field::new_list_field(ArrowType::Null, true))),
            Self::Struct => ArrowType::Struct(arrow_schema::Fields::empty()),
            Self::Dictionary32 => {
                ArrowType::Dictionary(Box::new(ArrowType::UInt32), Box::new(ArrowType::Null))
            }
        }
    }

    /// The type an Arrow array of this type is imported as.
    ///
    /// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no column here.
    pub fn from_arrow(arrow: &ArrowType) -> Result<Self> {
        Ok(match arrow {
            ArrowType::Int8 => Self::Int8,
            ArrowType::Int16 => Self::Int16,
            ArrowType::Int32 => Self::Int32,
            ArrowType::Int64 => Self::Int64,
            ArrowType::UInt8 => Self::UInt8,
            ArrowType::UInt16 => Self::UInt16,
            ArrowType::UInt32 => Self::UInt32,
            ArrowType::UInt64 => Self::UInt64,
            ArrowType::Float32 => Self::Float32,
            ArrowType::Float64 => Self::Float64,
            ArrowType::Null => Self::Empty,
            ArrowType::Decimal32(_, scale) => Self::Decimal32(-i32::from(*scale)),
            ArrowType::Decimal64(_, scale) => Self::Decimal64(-i32::from(*scale)),
            ArrowType::Decimal128(_, scale) => Self::Decimal128(-i32::from(*scale)),
            ArrowType::List(_) | ArrowType::LargeList(_) => Self::List,
            ArrowType::Struct(_) => Self::Struct,
            ArrowType::Boolean => Self::Bool8,
            ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Utf8View => Self::String,
            ArrowType::Date32 => Self::Timestamp(TimeUnit::Days),
            ArrowType::Date64 => Self::Timestamp(TimeUnit::Milliseconds),
            ArrowType::Timestamp(unit, zone) => match zone.as_deref() {
                None | Some("UTC" | "Etc/UTC" | "+00:00" | "Z") => Self::Timestamp(from_arrow_unit(*unit)),
                Some(zone) => {
                    return Err(Error::unsupported(format!(
                        "timestamps in the time zone '{zone}'; convert them to UTC first"
                    )));
                }
            },
            ArrowType::Duration(unit) => Self::Duration(from_arrow_unit(*unit)),
            ArrowType::Dictionary(..) => Self::Dictionary32,
            other => {
                return Err(Error::unsupported(format!("Arrow type {other} has no Cuprum data type yet")));
            }
        })
    }
}

/// Arrow counts digits behind the point; scales beyond what it can say are cut.
fn arrow_scale(scale: i32) -> i8 {
    i8::try_from(-scale).unwrap_or(if scale < 0 { i8::MAX } else { i8::MIN })
}

/// The Arrow type a column is exported as, with all that is inside.
pub fn arrow_type(column: &Column) -> ArrowType {
    let inside = |column: &Column| Arc::new(Field::new_list_field(arrow_type(column), true));
    let wide = || column.children().first().is_some_and(|offsets| offsets.data_type() == DataType::Int64);
    match (column.data_type(), column.children()) {
        (DataType::String, _) if wide() => ArrowType::LargeUtf8,
        (DataType::List, [_, elements]) if wide() => ArrowType::LargeList(inside(elements)),
        (DataType::List, [_, elements]) => ArrowType::List(inside(elements)),
        (DataType::Struct, fields) => {
            let field = |(i, field): (usize, &Column)| Field::new(i.to_string(), arrow_type(field), true);
            ArrowType::Struct(fields.iter().enumerate().map(field).collect())
        }
        (DataType::Dictionary32, [indices, keys]) => {
            ArrowType::Dictionary(Box::new(arrow_type(indices)), Box::new(arrow_type(keys)))
        }
        (data_type, _) => data_type.to_arrow(),
    }
}

fn arrow_unit(unit: TimeUnit) -> ArrowUnit {
    match unit {
        TimeUnit::Days | TimeUnit::Seconds => ArrowUnit::Second,
        TimeUnit::Milliseconds => ArrowUnit::Millisecond,
        TimeUnit::Microseconds => ArrowUnit::Microsecond,
        TimeUnit::Nanoseconds => ArrowUnit::Nanosecond,
    }
}

fn from_arrow_unit(unit: ArrowUnit) -> TimeUnit {
    match unit {
        ArrowUnit::Second => TimeUnit::Seconds,
        ArrowUnit::Millisecond => TimeUnit::Milliseconds,
        ArrowUnit::Microsecond => TimeUnit::Microseconds,
        ArrowUnit::Nanosecond => TimeUnit::Nanoseconds,
    }
}

/// A column over an Arrow array.
///
/// The array must be valid by Arrow's rules (arrow-rs arrays are; what comes through the C data
/// interface has to be validated by the importer first).
pub fn from_arrow(array: &dyn Array, ctx: &Context) -> Result<Column> {
    let data_type = DataType::from_arrow(array.data_type())?;
    match array.data_type() {
        ArrowType::Null => return Column::nulls(data_type, array.len(), ctx),
        ArrowType::Utf8View => return from_arrow(&cast(array, &ArrowType::LargeUtf8)?, ctx),
        _ => {}
    }
    let mask = import_mask(array.nulls(), ctx)?;
    match array.data_type() {
        ArrowType::Boolean => {
            let bits = array.as_boolean().values();
            let values = HostUVec::from_fn(array.len(), ctx, |i| u8::from(bits.value(i)))?;
            Column::new(data_type, values, mask)
        }
        ArrowType::Utf8 => import_strings::<Utf8Type>(array, mask, ctx),
        ArrowType::LargeUtf8 => import_strings::<LargeUtf8Type>(array, mask, ctx),
        ArrowType::List(_) => import_list(array.as_list::<i32>(), mask, ctx),
        ArrowType::LargeList(_) => import_list(array.as_list::<i64>(), mask, ctx),
        ArrowType::Struct(_) => {
            let fields = array.as_struct().columns().iter().map(|field| from_arrow(field, ctx));
            Column::structs(array.len(), fields.collect::<Result<_>>()?, mask)
        }
        ArrowType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let keys = from_arrow(dictionary.values(), ctx)?;
            let indices = from_arrow(dictionary.keys(), ctx)?;
            let unsigned = match indices.data_type().size() {
                Some(1) => DataType::UInt8,
                Some(2) => DataType::UInt16,
                Some(4) => DataType::UInt32,
                _ => DataType::UInt64,
            };
            Column::dictionary(indices.bit_cast(unsigned)?.with_mask(None, ctx)?, keys, mask)
        }
        _ => {
            let size = data_type.size().expect("strings are handled above");
            let data = array.to_data();
            let bytes =
                &data.buffers()[0].as_slice()[data.offset() * size..(data.offset() + data.len()) * size];
            let buffer = share(bytes, &data.buffers()[0], size, ctx)?;
            Column::from_buffer(data_type, array.len(), buffer, mask)
        }
    }
}

/// The type that [`flat`] gives a column of this Arrow type.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where it has none.
pub fn flat_type(arrow: &ArrowType) -> Result<DataType> {
    match arrow {
        ArrowType::Dictionary(_, values) => flat_type(values),
        // pandas' column of nothing but missing values is float64.
        ArrowType::Null => Ok(DataType::Float64),
        other => match DataType::from_arrow(other)? {
            t if t.is_nested() || t.is_decimal() => {
                Err(Error::unsupported(format!("data frames hold no columns of type {other} yet")))
            }
            t => Ok(t),
        },
    }
}

/// A column of plain values: those of a dictionary, NaN for nulls of no type, others as they are. What
/// data frames compute with.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for lists, structs and decimals.
pub fn flat(column: Column, ctx: &Context) -> Result<Column> {
    match column.data_type() {
        DataType::Dictionary32 => {
            let array = to_arrow(&column)?;
            let ArrowType::Dictionary(_, values) = array.data_type() else {
                return Err(Error::logic(format!("a dictionary became {}", array.data_type())));
            };
            flat(from_arrow(&cast(&array, values)?, ctx)?, ctx)
        }
        DataType::Empty => Column::nulls(DataType::Float64, column.len(), ctx),
        t if t.is_nested() || t.is_decimal() => flat_type(&arrow_type(&column)).map(|_| column),
        _ => Ok(column),
    }
}

fn cast(array: &dyn Array, to: &ArrowType) -> Result<ArrayRef> {
    arrow_cast::cast(array, to).map_err(|e| Error::unsupported(e.to_string()).with_source(e))
}

fn import_strings<T: ByteArrayType>(
    array: &dyn Array,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column>
where
    T::Offset: Native,
{
    let array = array.as_bytes::<T>();
    let offsets = array.offsets();
    let bytes: &[u8] = bytemuck::cast_slice(offsets);
    let buffer = share(bytes, offsets.inner().inner(), size_of::<T::Offset>(), ctx)?;
    let offset_type = <T::Offset as Native>::DATA_TYPE;
    let offsets = Column::from_buffer(offset_type, array.len() + 1, buffer, None)?;
    let chars = share(array.values().as_slice(), array.values(), 1, ctx)?;
    // SAFETY: the array is valid by Arrow's rules, which are the ones demanded here.
    unsafe { strings::from_parts(array.len(), offsets, chars, mask) }
}

fn import_list<O: arrow_array::OffsetSizeTrait + Native>(
    array: &arrow_array::GenericListArray<O>,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let offsets = array.offsets();
    let buffer = share(bytemuck::cast_slice(offsets), offsets.inner().inner(), size_of::<O>(), ctx)?;
    let offsets = Column::from_buffer(O::DATA_TYPE, array.len() + 1, buffer, None)?;
    let elements = from_arrow(array.values(), ctx)?;
    // SAFETY: the array is valid by Arrow's rules, which are the ones demanded here.
    unsafe {
        Column::from_parts_unchecked(DataType::List, array.len(), 0, None, mask, vec![offsets, elements])
    }
}

/// A buffer over `bytes`, which lie in `owner`; copied only when not aligned to `align`.
fn share(bytes: &[u8], owner: &arrow_buffer::Buffer, align: usize, ctx: &Context) -> Result<Buffer> {
    if bytes.is_empty() || !(bytes.as_ptr() as usize).is_multiple_of(align) {
        return Buffer::copy_from_slice(bytes, ctx);
    }
    let ptr = NonNull::from(bytes).cast();
    // SAFETY: the bytes belong to `owner`, whose clone keeps them alive and unchanged.
    Ok(unsafe { Buffer::from_foreign(ptr, bytes.len(), AssertUnwindSafe(owner.clone())) })
}

fn import_mask(nulls: Option<&NullBuffer>, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    let Some(nulls) = nulls.filter(|n| n.null_count() > 0) else { return Ok(None) };
    let bits = nulls.inner();
    if bits.offset().is_multiple_of(8) {
        let first = bits.offset() / 8;
        let bytes = &bits.values()[first..first + bits.len().div_ceil(8)];
        return Ok(Some((share(bytes, bits.inner(), 1, ctx)?, nulls.null_count())));
    }
    let source = null_mask::Bitmap::new(bits.values(), bits.offset(), bits.len());
    null_mask::from_words(nulls.len(), ctx, |w| source.word(w)).map(Some)
}

/// An Arrow array over a column in host memory; buffers are shared, booleans are packed. The fields of
/// structs are called by their numbers.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for a column on a GPU.
pub fn to_arrow(column: &Column) -> Result<ArrayRef> {
    column.view()?;
    let data_type = column.data_type();
    let len = column.len();
    let nulls = column
        .mask()
        .filter(|_| column.has_nulls())
        .map(|mask| NullBuffer::new(BooleanBuffer::new(export(mask), column.offset(), len)));
    let array = match data_type {
        DataType::Bool8 => {
            let values = column.view()?.values::<u8>()?;
            let bits = BooleanBuffer::collect_bool(len, |i| values[i] != 0);
            return Ok(Arc::new(arrow_array::BooleanArray::new(bits, nulls)));
        }
        DataType::Duration(TimeUnit::Days) => {
            let days = column.view()?.values::<i32>()?;
            let seconds = days.iter().map(|&d| i64::from(d) * 86_400).collect::<Vec<_>>();
            return Ok(Arc::new(arrow_array::DurationSecondArray::new(seconds.into(), nulls)));
        }
        DataType::String => {
            let arrow = arrow_type(column);
            if len == 0 {
                return Ok(arrow_array::new_empty_array(&arrow));
            }
            let offsets = &column.children()[0];
            let width = if arrow == ArrowType::LargeUtf8 { 8 } else { 4 };
            let first = (offsets.offset() + column.offset()) * width;
            let shared = offsets.data().expect("offsets have data").slice(first, (len + 1) * width)?;
            let chars = column.data().map_or_else(|| arrow_buffer::Buffer::from(&[][..]), export);
            builder(arrow, len, nulls).add_buffer(export(&shared)).add_buffer(chars)
        }
        DataType::Empty => return Ok(Arc::new(arrow_array::NullArray::new(len))),
        DataType::List => {
            let (offsets, elements) = (&column.children()[0], &column.children()[1]);
            if column.is_empty() {
                return Ok(arrow_array::new_empty_array(&arrow_type(column)));
            }
            let offsets = offsets.slice(column.offset(), len + 1)?;
            let offsets = to_arrow(&offsets)?.to_data().buffers()[0].clone();
            builder(arrow_type(column), len, nulls)
                .add_buffer(offsets)
                .add_child_data(to_arrow(elements)?.to_data())
        }
        DataType::Struct => {
            let mut array = builder(arrow_type(column), len, nulls);
            for i in 0..column.children().len() {
                array = array.add_child_data(to_arrow(&column.field(i)?)?.to_data());
            }
            array
        }
        DataType::Dictionary32 => {
            let indices = to_arrow(&column.indices()?)?.to_data().buffers()[0].clone();
            let keys = to_arrow(column.keys()?)?.to_data();
            builder(arrow_type(column), len, nulls).add_buffer(indices).add_child_data(keys)
        }
        _ => {
            let size = data_type.size().expect("fixed width");
            let shared = match column.data() {
                Some(data) => export(&data.slice(column.offset() * size, len * size)?),
                None => arrow_buffer::Buffer::from(&[][..]),
            };
            builder(data_type.to_arrow(), len, nulls).add_buffer(shared)
        }
    };
    Ok(make_array(finish(array)))
}

fn builder(arrow: ArrowType, len: usize, nulls: Option<NullBuffer>) -> ArrayDataBuilder {
    ArrayData::builder(arrow).len(len).nulls(nulls)
}

fn finish(builder: ArrayDataBuilder) -> ArrayData {
    // SAFETY: a column keeps the invariants of Arrow's layout: buffers hold `len` elements, offsets
    // never decrease and stay within the characters, which are UTF-8.
    unsafe { builder.align_buffers(true).build_unchecked() }
}

fn export(buffer: &Buffer) -> arrow_buffer::Buffer {
    let ptr = NonNull::new(buffer.as_ptr().cast_mut()).expect("buffers have an address");
    // SAFETY: the clone of the buffer keeps the memory alive and unchanged.
    unsafe {
        arrow_buffer::Buffer::from_custom_allocation(
            ptr,
            buffer.len(),
            Arc::new(AssertUnwindSafe(buffer.clone())),
        )
    }
}

/// The columns of a record batch.
pub fn table_from_batch(batch: &RecordBatch, ctx: &Context) -> Result<Table> {
    let columns = batch
        .schema_ref()
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, array)| {
            from_arrow(array, ctx).map_err(|e| e.context(format!("column '{}'", field.name())))
        })
        .collect::<Result<_>>()?;
    Table::with_rows(columns, batch.num_rows())
}

/// A record batch of the columns of `table` under `names`.
pub fn batch_from_table<S: AsRef<str>>(table: &Table, names: &[S]) -> Result<RecordBatch> {
    let arrays = table.columns().iter().map(to_arrow).collect::<Result<Vec<_>>>()?;
    let fields: Vec<Field> = names
        .iter()
        .zip(&arrays)
        .map(|(name, array)| Field::new(name.as_ref(), array.data_type().clone(), true))
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(table.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
        .map_err(|e| Error::logic(e.to_string()).with_source(e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::stored::Native;
    use arrow_array::*;
    use proptest::prelude::*;

    fn ctx() -> Context {
        Context::current()
    }

    fn round_trip(array: &dyn Array) {
        let column = from_arrow(array, &ctx()).unwrap();
        assert_eq!(column.len(), array.len());
        assert_eq!(column.null_count(), array.logical_null_count());
        let back = to_arrow(&column).unwrap();
        assert_eq!(back.to_data().validate_full().map_err(|e| e.to_string()), Ok(()));
        let expected = cast(array, back.data_type()).unwrap();
        assert_eq!(&back, &expected);
        for (start, len) in [(0, array.len()), (1, array.len().saturating_sub(2)), (array.len() / 2, 0)] {
            if start + len <= array.len() {
                let slice = column.slice(start, len).unwrap();
                assert_eq!(&to_arrow(&slice).unwrap(), &expected.slice(start, len));
            }
        }
    }

    proptest! {
        #[test]
        fn any_numbers_and_offsets(values: Vec<Option<i32>>, start in 0usize..9) {
            let array = Int32Array::from(values.clone());
            round_trip(&array);
            let start = start.min(values.len());
            round_trip(&array.slice(start, values.len() - start));
            round_trip(&BooleanArray::from(values.iter().map(|v| v.map(|v| v > 0)).collect::<Vec<_>>()).slice(start, values.len() - start));
        }

        #[test]
        fn any_strings_and_offsets(values: Vec<Option<String>>, start in 0usize..9) {
            let start = start.min(values.len());
            let len = values.len() - start;
            round_trip(&StringArray::from(values.clone()).slice(start, len));
            round_trip(&LargeStringArray::from(values.clone()).slice(start, len));
            round_trip(&StringViewArray::from(values).slice(start, len));
        }
    }

    #[test]
    fn other_types() {
        round_trip(&Date32Array::from(vec![Some(-1), None, Some(19_000)]));
        round_trip(&TimestampNanosecondArray::from(vec![i64::MIN, 0, i64::MAX]));
        round_trip(&DurationSecondArray::from(vec![Some(1), None]));
        round_trip(&Float32Array::from(vec![f32::NAN.to_bits() as f32, -0.0, f32::INFINITY]));
        round_trip(&NullArray::new(3));
        let dictionary: DictionaryArray<Int8Type> =
            vec![Some("a"), None, Some("é"), Some("a")].into_iter().collect();
        round_trip(&dictionary);
        round_trip(&TimestampSecondArray::from(vec![1, 2]).with_timezone("UTC"));
        let zoned = TimestampSecondArray::from(vec![1, 2]).with_timezone("Europe/Vienna");
        let error = from_arrow(&zoned, &ctx()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains("Europe/Vienna"));
    }

    #[test]
    fn numbers_and_strings_are_shared() {
        let array = Int64Array::from(vec![1, 2, 3]);
        let column = from_arrow(&array, &ctx()).unwrap();
        assert_eq!(column.data().unwrap().as_ptr(), array.values().as_ptr().cast());
        let back = to_arrow(&column).unwrap();
        assert_eq!(back.as_primitive::<Int64Type>().values().as_ptr(), array.values().as_ptr());
        assert_eq!(<i64 as Native>::DATA_TYPE, DataType::Int64);
        drop((array, column));
        assert_eq!(back.as_primitive::<Int64Type>().values(), &[1, 2, 3]);
    }
}
