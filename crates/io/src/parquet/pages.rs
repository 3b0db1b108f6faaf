//! The pages of a column chunk: decompressed, levels turned into validity, values left encoded.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::damaged;
use super::hybrid::Hybrid;
use super::input::{Input, zeroed};
use super::levels::{Around, Level, Levels};
use crate::snappy;
use crate::source::read_at;
use crate::validity::Validity;

/// Some rows of a chunk that follow each other, page after page.
pub(super) struct Pages {
    reader: SerializedPageReader<Reused>,
    /// Whether pages come packed with Snappy. The reader is then told that they are not packed, for
    /// it would take fresh memory for every page: that costs as much as the unpacking.
    snappy: bool,
    /// The page that was read last, as it is in the file.
    page: Bytes,
    unpacked: Scratch,
    /// Whether a column without nesting has nulls.
    nullable: bool,
    /// The bytes of a plain value of a column without nesting, where all have as many.
    width: Option<usize>,
    /// Of a leaf that is inside of something.
    levels: Option<Levels>,
    /// The rows of the chunk that the pages so far have.
    row: usize,
    /// The rows of the chunk that are wanted.
    wanted: Range<usize>,
    /// Whether all of these have been read.
    is_over: bool,
}

/// The content of a page.
pub(super) enum Content<'a> {
    /// `len` plain values, to which the codes of later pages refer.
    Dictionary {
        values: &'a [u8],
        len: usize,
    },
    Data(DataPage<'a>),
}

/// The values of some rows.
pub(super) struct DataPage<'a> {
    /// The rows, counted from the first that is wanted; of a leaf inside of lists its places in these.
    pub(super) rows: Range<usize>,
    /// The number of values of rows before these.
    pub(super) before: usize,
    /// The number of rows that are not null. Only these have values, one after the other.
    pub(super) valid: usize,
    pub(super) encoding: Encoding,
    pub(super) values: &'a [u8],
}

impl Pages {
    /// The pages of column `leaf` of a row group that have rows which are `wanted`, all of them rows of the group; what
    /// is around the leaf, if something is. With the places of pages in the file those without such rows are not read.
    pub(super) fn new(
        input: &Input,
        group: &RowGroupMetaData,
        leaf: usize,
        wanted: Range<usize>,
        around: Option<&Around>,
        places: Option<Vec<PageLocation>>,
    ) -> Result<Self> {
        let column = group.column(leaf);
        let total = group.num_rows() as usize;
        let snappy = column.compression() == Compression::SNAPPY;
        let mut told = column.clone();
        if snappy {
            told = told.into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
        }
        let reader = SerializedPageReader::new(Arc::new(Reused(input.clone())), &told, total, places)?;
        let nullable = column.column_descr().max_def_level() > 0;
        let width = match column.column_type() {
            Type::INT32 | Type::FLOAT if around.is_none() => Some(4),
            Type::INT64 | Type::DOUBLE if around.is_none() => Some(8),
            _ => None,
        };
        let (page, unpacked, levels) = (Bytes::new(), Scratch::take(), around.map(Levels::new));
        Ok(Self { reader, snappy, page, unpacked, nullable, width, levels, row: 0, wanted, is_over: false })
    }

    /// The levels of all that is around the leaf, from the outside in.
    pub(super) fn finish(self) -> Vec<Level> {
        self.levels.map(Levels::finish).unwrap_or_default()
    }

    /// The rows that have been read; of a leaf inside of lists its places in these.
    pub(super) fn len(&self) -> usize {
        match &self.levels {
            Some(levels) => levels.len(),
            None => self.wanted.len(),
        }
    }

    /// Whether the last row that is wanted has been read to its end: rows of lists may go on in the next page.
    fn is_over(&self) -> bool {
        let goes_on = self.levels.as_ref().is_some_and(Levels::repeat) && !self.is_over;
        self.row >= self.wanted.end && !goes_on
    }

    /// The next page, or `None` after the last row that is wanted. Nulls go to `validity`.
    pub(super) fn next(&mut self, validity: &mut Validity) -> Result<Option<Content<'_>>> {
        if self.is_over() {
            return Ok(None);
        }
        // Its memory is there for the next one.
        self.page = Bytes::new();
        self.pass()?;
        let Some(page) = self.reader.get_next_page()? else {
            if self.row >= self.wanted.end {
                return Ok(None);
            }
            return Err(damaged(&format!(
                "{} rows of a column chunk are wanted, which ends after {}",
                self.wanted.end, self.row
            )));
        };
        let num_values = page.num_values() as usize;
        self.page = page.buffer().clone();
        let (repeat, are_defined) = match &self.levels {
            Some(levels) => (levels.repeat(), levels.are_defined()),
            None => (false, self.nullable),
        };
        // Bytes behind the last value that is wanted need not be unpacked.
        let end = self.wanted.end.saturating_sub(self.row).min(num_values);
        let width = self.width.filter(|_| end < num_values && page.encoding() == Encoding::PLAIN);
        let most = width.map(|width| end.saturating_mul(width));
        let (reps, defs, values, encoding) = match page {
            Page::DictionaryPage { .. } => {
                let values = unpack(&self.page, self.snappy, &mut self.unpacked, None)?;
                return Ok(Some(Content::Dictionary { values, len: num_values }));
            }
            Page::DataPage { encoding, def_level_encoding, rep_level_encoding, .. } => {
                let most = match most {
                    Some(values) if are_defined => {
                        let start = unpack(&self.page, self.snappy, &mut self.unpacked, Some(LENGTH))?;
                        let levels = start.first_chunk().map_or(0, |len| u32::from_le_bytes(*len) as usize);
                        Some(values.saturating_add(levels).saturating_add(LENGTH))
                    }
                    most => most,
                };
                let page = unpack(&self.page, self.snappy, &mut self.unpacked, most)?;
                let (reps, page) = levels(page, repeat && num_values > 0, rep_level_encoding)?;
                let (defs, values) = levels(page, are_defined && num_values > 0, def_level_encoding)?;
                (reps, defs, values, encoding)
            }
            Page::DataPageV2 {
                encoding, def_levels_byte_len, rep_levels_byte_len, is_compressed, ..
            } => {
                let start = rep_levels_byte_len as usize;
                let (levels, values) = self
                    .page
                    .split_at_checked(start + def_levels_byte_len as usize)
                    .ok_or_else(|| damaged("levels longer than their page"))?;
                // A page of nulls has nothing to unpack.
                let packed = self.snappy && is_compressed && !values.is_empty();
                let values = unpack(values, packed, &mut self.unpacked, most)?;
                (&levels[..start], &levels[start..], values, encoding)
            }
        };
        if let Some(levels) = &mut self.levels {
            let page = levels.page((reps, defs), num_values, self.row, &self.wanted, validity)?;
            (self.row, self.is_over) = (page.row, page.is_over);
            let (rows, before, valid) = (page.places, page.before, page.valid);
            return Ok(Some(Content::Data(DataPage { rows, before, valid, encoding, values })));
        }
        let first = self.row;
        self.row = first.saturating_add(num_values);
        let start = first.max(self.wanted.start).min(self.row);
        let end = self.row.min(self.wanted.end).max(start);
        let mut before = start - first;
        // Of a page without rows that are wanted there are none, and they are nowhere.
        let at = start.saturating_sub(self.wanted.start);
        let rows = at..at + (end - start);
        let nulls_before = validity.nulls();
        if self.nullable {
            let mut levels = Hybrid::new(defs, 1)?;
            let passed = before;
            levels.bits(passed, |_, bits, n| {
                let of = if n < 64 { (1 << n) - 1 } else { u64::MAX };
                before -= (!bits & of).count_ones() as usize;
            })?;
            levels.bits(rows.len(), |at, bits, n| {
                validity.clear_zeros(rows.start + at, bits, n);
            })?;
        }
        let valid = rows.len() - (validity.nulls() - nulls_before);
        Ok(Some(Content::Data(DataPage { rows, before, valid, encoding, values })))
    }

    /// Passes over pages whose rows are all before those that are wanted, without unpacking them.
    fn pass(&mut self) -> Result<()> {
        while self.row < self.wanted.start {
            let Some(next) = self.reader.peek_next_page()? else { break };
            // Without lists there is one entry for every row.
            let entries = next.num_levels.filter(|_| !self.levels.as_ref().is_some_and(Levels::repeat));
            let Some(rows) = next.num_rows.or(entries).filter(|_| !next.is_dict) else { break };
            if self.row.saturating_add(rows) > self.wanted.start {
                break;
            }
            self.reader.skip_next_page()?;
            self.row += rows;
            if let Some(levels) = &mut self.levels {
                levels.pass();
            }
        }
        Ok(())
    }
}

/// The levels at the start of a page, where it has some, and the bytes behind them.
fn levels(page: &[u8], are_there: bool, encoding: Encoding) -> Result<(&[u8], &[u8])> {
    if !are_there {
        return Ok((&[], page));
    }
    if encoding != Encoding::RLE {
        return Err(ParquetError::NYI(format!("levels as {encoding}")));
    }
    let (start, len) = length_prefix(page)?;
    Ok(page[start..].split_at(len))
}

/// The content of `bytes`, unpacked to `scratch` if they are `packed` with Snappy; no more than `most` of it.
fn unpack<'a>(
    bytes: &'a [u8],
    packed: bool,
    scratch: &'a mut Scratch,
    most: Option<usize>,
) -> Result<&'a [u8]> {
    /// Snappy makes at most 64 bytes of three.
    const MOST: usize = 32;
    if !packed {
        return Ok(bytes);
    }
    let len = snap::raw::decompress_len(bytes).map_err(|e| damaged(&e.to_string()))?;
    if len / MOST > bytes.len() {
        return Err(damaged(&format!("{} bytes that claim to be {len} unpacked", bytes.len())));
    }
    let len = most.map_or(len, |most| len.min(most));
    if scratch.0.len() < len {
        scratch.0.resize(len, 0);
    }
    let out = &mut scratch.0[..len];
    snappy::unpack(bytes, out).map_err(|e| damaged(&format!("Snappy: {e}")))?;
    Ok(out)
}

thread_local! {
    /// Memory that the thread's last chunk was unpacked to.
    static IDLE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    /// Memory that the thread's last page was read to.
    static READ: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Of the common size of pages; larger ones are rare and not worth keeping.
const KEPT: usize = 4 << 20;

/// A file whose pages are read to the same memory, one after the other: taking it afresh, as zeros, costs about as
/// much as reading.
struct Reused(Input);

/// The memory of a page that was read.
struct Read(Vec<u8>);

impl AsRef<[u8]> for Read {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        if self.0.len() <= KEPT {
            // Threads that end have no more use for it.
            let _ = READ.try_with(|read| read.set(std::mem::take(&mut self.0)));
        }
    }
}

impl Length for Reused {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Reused {
    type T = <Input as ChunkReader>::T;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.0.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let Input::File(file, len) = &self.0 else { return self.0.get_bytes(start, length) };
        if length > KEPT || start.checked_add(length as u64).is_none_or(|end| end > *len) {
            return self.0.get_bytes(start, length);
        }
        let mut bytes = READ.take();
        if bytes.len() < length {
            bytes = zeroed(length)?;
        }
        read_at(file, start, &mut bytes[..length]).map_err(|e| ParquetError::External(Box::new(e)))?;
        Ok(Bytes::from_owner(Read(bytes)).slice(..length))
    }
}

/// Memory for unpacking, handed from one chunk to the next on the same thread.
struct Scratch(Vec<u8>);

impl Scratch {
    fn take() -> Self {
        Self(IDLE.take())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.0.len() <= KEPT {
            IDLE.set(std::mem::take(&mut self.0));
        }
    }
}

/// The bytes of the length before levels.
const LENGTH: usize = 4;

/// The offset and the size of the bytes behind a length of four bytes.
pub(super) fn length_prefix(bytes: &[u8]) -> Result<(usize, usize)> {
    let Some((len, rest)) = bytes.split_first_chunk::<LENGTH>() else {
        return Err(damaged("a page ends in a length"));
    };
    let len = u32::from_le_bytes(*len) as usize;
    if len > rest.len() {
        return Err(damaged(&format!("{len} bytes are wanted of {}", rest.len())));
    }
    Ok((LENGTH, len))
}
