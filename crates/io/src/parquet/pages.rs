//! The pages of a column chunk: decompressed, levels turned into validity, values left encoded.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::damaged;
use super::hybrid::Hybrid;
use super::input::Input;
use crate::validity::Validity;

/// The first rows of a chunk of a column without nesting, page after page.
pub(super) struct Pages {
    reader: SerializedPageReader<Input>,
    nullable: bool,
    row: usize,
    rows: usize,
}

/// What a page holds.
pub(super) enum Content {
    /// `len` plain values, to which the codes of later pages refer.
    Dictionary {
        values: Bytes,
        len: usize,
    },
    Data(DataPage),
}

/// The values of some rows.
pub(super) struct DataPage {
    /// The rows of the chunk, up to where it is wanted.
    pub(super) rows: Range<usize>,
    /// How many of the rows are not null. Only these have values, one after the other.
    pub(super) valid: usize,
    pub(super) encoding: Encoding,
    pub(super) values: Bytes,
}

impl Pages {
    /// The pages of column `leaf` of a row group, up to `rows` rows, which the group has.
    pub(super) fn new(input: &Input, group: &RowGroupMetaData, leaf: usize, rows: usize) -> Result<Self> {
        let column = group.column(leaf);
        let total = group.num_rows() as usize;
        let reader = SerializedPageReader::new(Arc::new(input.clone()), column, total, None)?;
        Ok(Self { reader, nullable: column.column_descr().max_def_level() > 0, row: 0, rows })
    }

    /// The next page, or `None` after the last row that is wanted. Nulls go to `validity`.
    pub(super) fn next(&mut self, validity: &mut Validity) -> Result<Option<Content>> {
        if self.row == self.rows {
            return Ok(None);
        }
        let page = self.reader.get_next_page()?.ok_or_else(|| {
            damaged(&format!("a column chunk of {} rows ends after {}", self.rows, self.row))
        })?;
        let num_values = page.num_values() as usize;
        let (levels, encoding, values) = match page {
            Page::DictionaryPage { buf, .. } => {
                return Ok(Some(Content::Dictionary { values: buf, len: num_values }));
            }
            Page::DataPage { buf, encoding, def_level_encoding, .. } => {
                let (levels, values) = self.split_levels(buf, num_values, def_level_encoding)?;
                (levels, encoding, values)
            }
            Page::DataPageV2 { buf, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let start = rep_levels_byte_len as usize;
                let end = start + def_levels_byte_len as usize;
                if end > buf.len() {
                    return Err(damaged("levels longer than their page"));
                }
                (buf.slice(start..end), encoding, buf.slice(end..))
            }
        };
        let rows = self.row..self.row + num_values.min(self.rows - self.row);
        self.row = rows.end;
        let nulls_before = validity.nulls();
        if self.nullable {
            Hybrid::new(&levels, 1)?.bits(rows.len(), |at, bits, n| {
                validity.clear_zeros(rows.start + at, bits, n);
            })?;
        }
        let valid = rows.len() - (validity.nulls() - nulls_before);
        Ok(Some(Content::Data(DataPage { rows, valid, encoding, values })))
    }

    /// The definition levels and the values of a page of the first version.
    fn split_levels(&self, page: Bytes, num_values: usize, encoding: Encoding) -> Result<(Bytes, Bytes)> {
        if !self.nullable || num_values == 0 {
            return Ok((Bytes::new(), page));
        }
        if encoding != Encoding::RLE {
            return Err(ParquetError::NYI(format!("levels as {encoding}")));
        }
        let (start, len) = length_prefix(&page)?;
        Ok((page.slice(start..start + len), page.slice(start + len..)))
    }
}

/// Where what follows a length of four bytes starts, and its length.
pub(super) fn length_prefix(bytes: &[u8]) -> Result<(usize, usize)> {
    let Some((len, rest)) = bytes.split_first_chunk::<4>() else {
        return Err(damaged("a page ends in a length"));
    };
    let len = u32::from_le_bytes(*len) as usize;
    if len > rest.len() {
        return Err(damaged(&format!("{len} bytes are wanted of {}", rest.len())));
    }
    Ok((4, len))
}
