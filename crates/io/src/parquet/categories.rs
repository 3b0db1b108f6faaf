//! Dictionaries that keep their values and the order of these: categories.
//!
//! The `parquet` crate gathers the values of a dictionary anew while it writes, in the order in which rows have
//! them, so columns that are dictionaries already are written here: the dictionary as it is as one page, codes
//! as the others. Readers that keep dictionaries (Arrow's C++, and so pandas) find their categories as they
//! were. Chunks are packed with Snappy or, where another way of packing is asked for, not at all: what is
//! packed as bits has little to gain.

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_cast::cast;
use arrow_schema::DataType as ArrowType;
use bytes::Bytes;
use cuprum_column::{Column, Context, DataType, Native, Result as OwnResult, strings};
use cuprum_compute::unary::cast as cast_values;
use parquet::basic::{Compression as Codec, Type};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescPtr;

use super::codes::{self, Dictionary};
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

/// The dictionary of an array; `None` for other arrays, and for values that Parquet has no dictionary of.
pub(super) fn of(array: &ArrayRef, column: &ColumnDescPtr) -> Option<Dictionary> {
    Dictionary::of(array.as_any_dictionary_opt()?.values(), column)
}

/// The column chunk of the rows of a dictionary array, and its metadata.
pub(super) fn chunk(
    dictionary: &Dictionary,
    rows: &ArrayRef,
    column: &ColumnDescPtr,
    how: &codes::Layout,
) -> Result<(Bytes, ColumnCloseResult)> {
    let codec = if how.codec == Codec::SNAPPY { how.codec } else { Codec::UNCOMPRESSED };
    let codes = cast(rows.as_any_dictionary().keys(), &ArrowType::Int32)
        .map_err(|e| ParquetError::External(Box::new(e)))?;
    let codes: Vec<i32> = codes.as_primitive::<Int32Type>().iter().map(|code| code.unwrap_or(-1)).collect();
    codes::chunk(dictionary, &codes, PAGE_ROWS, None, column, &codes::Layout { codec, ..*how })
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
    let mut pages = Pages::new(input, group, leaf, 0..1, None, None)?;
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
