//! Dictionaries that keep their values and the order of these: categories.
//!
//! The `parquet` crate gathers the values of a dictionary anew while it writes, in the order in which rows have
//! them, so columns that are dictionaries already are written here: the dictionary as it is as one page, codes
//! as the others. Readers that keep dictionaries (Arrow's C++, and so pandas) find their categories as they
//! were. Chunks are packed with Snappy or, where another way of packing is asked for, not at all: what is
//! packed as bits has little to gain.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, make_array};
use arrow_cast::cast;
use arrow_schema::DataType as ArrowType;
use bytes::Bytes;
use cuprum_column::{Column, Context, DataType, Native, Result as OwnResult, strings};
use cuprum_compute::unary::cast as cast_values;
use parquet::basic::{Compression as Codec, Encoding, Type};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::damaged;
use super::input::Input;
use super::pages::{Content, Pages};
use crate::validity::Validity;

/// The most rows of a page.
const PAGE_ROWS: usize = 1 << 20;

/// Whether the order of a dictionary of such values is that of its column in a file of this writer: Arrow's C++
/// gathers what is no text anew.
pub(super) fn keeps_order(created_by: Option<&str>, values: &ArrowType) -> bool {
    let is_text = matches!(values, ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Utf8View);
    created_by.is_some_and(|by| by.starts_with("cuprum ") || (is_text && by.starts_with("parquet-cpp")))
}

/// A dictionary as a page has it.
pub(super) struct Dictionary {
    /// Its values as plain ones.
    plain: Bytes,
    len: usize,
}

impl Dictionary {
    /// The dictionary of an array; `None` for other arrays, and for values that Parquet has no dictionary of.
    pub(super) fn of(array: &ArrayRef, column: &ColumnDescPtr) -> Option<Self> {
        let values = array.as_any_dictionary_opt()?.values();
        if values.null_count() > 0 || column.max_def_level() != 1 || column.max_rep_level() != 0 {
            return None;
        }
        let plain = match column.physical_type() {
            Type::BYTE_ARRAY => {
                let texts = cast(values, &ArrowType::LargeUtf8).ok()?;
                let mut plain = Vec::new();
                for text in texts.as_string::<i64>().iter().flatten() {
                    plain.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
                    plain.extend(text.as_bytes());
                }
                plain
            }
            Type::INT32 => match values.data_type() {
                ArrowType::UInt8 | ArrowType::UInt16 | ArrowType::UInt32 => bytes_of::<UInt32Type>(values)?,
                ArrowType::Int8 | ArrowType::Int16 | ArrowType::Int32 | ArrowType::Date32 => {
                    bytes_of::<Int32Type>(values)?
                }
                _ => return None,
            },
            Type::INT64 => match values.data_type() {
                ArrowType::UInt64 => bytes_of::<UInt64Type>(values)?,
                ArrowType::Int64 | ArrowType::Timestamp(..) | ArrowType::Duration(_) => {
                    bytes_of::<Int64Type>(values)?
                }
                _ => return None,
            },
            Type::FLOAT => bytes_of::<Float32Type>(values)?,
            Type::DOUBLE => bytes_of::<Float64Type>(values)?,
            _ => return None,
        };
        Some(Self { plain: plain.into(), len: values.len() })
    }
}

/// Values as they are stored in little-endian words of `T`.
fn bytes_of<T: ArrowPrimitiveType>(values: &ArrayRef) -> Option<Vec<u8>> {
    let wide = match values.data_type() {
        // What a type of times is stored as.
        ArrowType::Timestamp(..) | ArrowType::Duration(_) | ArrowType::Date32 => {
            let data = values.to_data().into_builder().data_type(T::DATA_TYPE).build().ok()?;
            make_array(data)
        }
        _ => cast(values, &T::DATA_TYPE).ok()?,
    };
    Some(wide.as_primitive_opt::<T>()?.values().inner().as_slice().to_vec())
}

/// The column chunk of the rows of a dictionary array, and what the file says of it.
pub(super) fn chunk(
    dictionary: &Dictionary,
    rows: &ArrayRef,
    column: &ColumnDescPtr,
    codec: Codec,
) -> Result<(Bytes, ColumnCloseResult)> {
    let codec = if codec == Codec::SNAPPY { codec } else { Codec::UNCOMPRESSED };
    let codes = cast(rows.as_any_dictionary().keys(), &ArrowType::UInt32)
        .map_err(|e| ParquetError::External(Box::new(e)))?;
    let codes = codes.as_primitive::<UInt32Type>();
    let width = (usize::BITS - dictionary.len.saturating_sub(1).leading_zeros()).max(1) as usize;
    let mut out = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut out);
    let mut unpacked = 0;
    let mut put = |body: &[u8], page: &dyn Fn(Bytes) -> Page| -> Result<u64> {
        let packed = pack(body, codec)?;
        let spec = writer.write_page(CompressedPage::new(page(packed.into()), body.len()))?;
        unpacked += spec.uncompressed_size;
        Ok(spec.bytes_written)
    };
    let num_values = dictionary.len as u32;
    let first_page = put(&dictionary.plain, &|buf| Page::DictionaryPage {
        buf,
        num_values,
        encoding: Encoding::PLAIN,
        is_sorted: false,
    })?;
    for start in (0..codes.len()).step_by(PAGE_ROWS) {
        let codes = codes.slice(start, PAGE_ROWS.min(codes.len() - start));
        let is_valid = |row: usize| u32::from(codes.is_valid(row));
        let levels = bit_packed(codes.len(), 1, is_valid);
        let present: Vec<u32> = codes.iter().flatten().collect();
        let mut body = (levels.len() as u32).to_le_bytes().to_vec();
        body.extend(levels);
        body.push(width as u8);
        body.extend(bit_packed(present.len(), width, |i| present[i]));
        let num_values = codes.len() as u32;
        put(&body, &|buf| Page::DataPage {
            buf,
            num_values,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        })?;
    }
    writer.close()?;
    let bytes = Bytes::from(out.into_inner()?);
    let metadata = ColumnChunkMetaData::builder(column.clone())
        .set_compression(codec)
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
        .set_num_values(codes.len() as i64)
        .set_total_compressed_size(bytes.len() as i64)
        .set_total_uncompressed_size(unpacked as i64)
        .set_dictionary_page_offset(Some(0))
        .set_data_page_offset(first_page as i64)
        .build()?;
    let close = ColumnCloseResult {
        bytes_written: bytes.len() as u64,
        rows_written: codes.len() as u64,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    Ok((bytes, close))
}

fn pack(body: &[u8], codec: Codec) -> Result<Vec<u8>> {
    if codec != Codec::SNAPPY {
        return Ok(body.to_vec());
    }
    snap::raw::Encoder::new().compress_vec(body).map_err(|e| ParquetError::External(Box::new(e)))
}

/// Values of `width` bits as one run of packed ones, in the hybrid encoding.
fn bit_packed(len: usize, width: usize, value: impl Fn(usize) -> u32) -> Vec<u8> {
    let groups = len.div_ceil(8);
    let mut out = Vec::with_capacity(groups * width + 5);
    let mut header = groups << 1 | 1;
    while header > 127 {
        out.push(header as u8 | 0x80);
        header >>= 7;
    }
    out.push(header as u8);
    let (mut word, mut bits) = (0u64, 0);
    for i in 0..groups * 8 {
        let value = if i < len { value(i) } else { 0 };
        word |= u64::from(value) << bits;
        bits += width;
        while bits >= 8 {
            out.push(word as u8);
            word >>= 8;
            bits -= 8;
        }
    }
    out
}

/// The dictionary of a column chunk in its order, as values of `arrow`; `None` where there is none, or of what
/// this does not read.
pub(super) fn dictionary(
    input: &Input,
    group: &RowGroupMetaData,
    leaf: usize,
    arrow: &ArrowType,
    ctx: &Context,
) -> Result<Option<OwnResult<Column>>> {
    let column = group.column(leaf).column_descr();
    if group.num_rows() <= 0 || group.column(leaf).dictionary_page_offset().is_none() {
        return Ok(None);
    }
    let mut pages = Pages::new(input, group, leaf, 1)?;
    let mut validity = Validity::default();
    let Some(Content::Dictionary { values, len }) = pages.next(&mut validity)? else { return Ok(None) };
    let short = || damaged("a dictionary page is shorter than its values");
    let words = |size: usize| values.get(..len.saturating_mul(size)).ok_or_else(short);
    let made = match column.physical_type() {
        Type::BYTE_ARRAY if DataType::from_arrow(arrow).ok() == Some(DataType::String) => {
            let mut rest = values;
            let mut texts = Vec::new();
            for _ in 0..len {
                let (size, behind) = rest.split_first_chunk().ok_or_else(short)?;
                let (text, behind) =
                    behind.split_at_checked(u32::from_le_bytes(*size) as usize).ok_or_else(short)?;
                texts.push(std::str::from_utf8(text).map_err(|_| damaged("a text is not UTF-8"))?);
                rest = behind;
            }
            strings::from_fn(texts.len(), ctx, |i| Some(texts[i]))
        }
        Type::INT32 => numbers(words(4)?, i32::from_le_bytes, arrow, ctx),
        Type::INT64 => numbers(words(8)?, i64::from_le_bytes, arrow, ctx),
        Type::FLOAT => numbers(words(4)?, f32::from_le_bytes, arrow, ctx),
        Type::DOUBLE => numbers(words(8)?, f64::from_le_bytes, arrow, ctx),
        _ => return Ok(None),
    };
    Ok(Some(made))
}

/// Words as values of an Arrow type, whose low bits they are.
fn numbers<T: Native, const N: usize>(
    words: &[u8],
    read: fn([u8; N]) -> T,
    arrow: &ArrowType,
    ctx: &Context,
) -> OwnResult<Column> {
    let data_type = DataType::stored_as(arrow)?;
    let words: Vec<T> = words.as_chunks::<N>().0.iter().map(|word| read(*word)).collect();
    let stored = Column::from_slice(&words, ctx)?;
    if stored.data_type() == data_type {
        Ok(stored)
    } else if stored.data_type().is_bit_castable_to(data_type) {
        stored.bit_cast(data_type)
    } else {
        cast_values(&stored, data_type, ctx)
    }
}
