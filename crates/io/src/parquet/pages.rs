//! The pages of a column chunk: decompressed, levels turned into validity, values left encoded.

use std::cell::Cell;
use std::fs::File;
use std::io::{Chain, Read as _};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, Bytes};
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::damaged;
use super::hybrid::Hybrid;
use super::input::{Input, PositionReader, zeroed};
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
    unpacked: Memory,
    /// The page of the dictionary, its bytes and the number of its values, once it has been read.
    dictionary: (Memory, usize, usize),
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
    /// The plain values of the dictionary, and how many they are.
    pub(super) dictionary: (&'a [u8], usize),
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
        let reused = Reused::new(input, column, wanted.len() >= total / 2);
        let reader = SerializedPageReader::new(Arc::new(reused), &told, total, places)?;
        let nullable = column.column_descr().max_def_level() > 0;
        let width = match column.column_type() {
            Type::INT32 | Type::FLOAT if around.is_none() => Some(4),
            Type::INT64 | Type::DOUBLE if around.is_none() => Some(8),
            Type::FIXED_LEN_BYTE_ARRAY if around.is_none() => {
                usize::try_from(column.column_descr().type_length()).ok()
            }
            _ => None,
        };
        Ok(Self {
            reader,
            snappy,
            page: Bytes::new(),
            unpacked: Memory::default(),
            dictionary: (Memory::default(), 0, 0),
            nullable,
            width,
            levels: around.map(Levels::new),
            row: 0,
            wanted,
            is_over: false,
        })
    }

    /// Passes over the rows before `row` of the chunk, of a column without nesting: pages of nothing else are not unpacked.
    /// Rows of pages are counted from this one on.
    pub(super) fn seek(&mut self, row: usize) {
        self.wanted.start = row;
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
            // Codes that were read before would get another meaning.
            Page::DictionaryPage { .. } if self.row > 0 => return Err(damaged("a dictionary behind values")),
            Page::DictionaryPage { .. } => {
                let (memory, bytes, len) = &mut self.dictionary;
                *bytes = if self.snappy {
                    unpack(&self.page, true, memory, None)?.len()
                } else {
                    memory.first(self.page.len())?.copy_from_slice(&self.page);
                    self.page.len()
                };
                *len = num_values;
                return Ok(Some(Content::Dictionary { values: &memory.0[..*bytes], len: *len }));
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
        let dictionary = (&self.dictionary.0.0[..self.dictionary.1], self.dictionary.2);
        if let Some(levels) = &mut self.levels {
            let page = levels.page((reps, defs), num_values, self.row, &self.wanted, validity)?;
            (self.row, self.is_over) = (page.row, page.is_over);
            let (rows, before, valid) = (page.places, page.before, page.valid);
            return Ok(Some(Content::Data(DataPage { rows, before, valid, encoding, values, dictionary })));
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
        Ok(Some(Content::Data(DataPage { rows, before, valid, encoding, values, dictionary })))
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
    scratch: &'a mut Memory,
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
    let out = scratch.first(len)?;
    snappy::unpack(bytes, out).map_err(|e| damaged(&format!("Snappy: {e}")))?;
    Ok(out)
}

/// Memory that holds anything, handed from one chunk to the next on the same thread: taking it afresh, as zeros, costs
/// about as much as reading or unpacking to it.
#[derive(Default)]
struct Memory(Vec<u8>);

thread_local! {
    static IDLE: Cell<Vec<Vec<u8>>> = const { Cell::new(Vec::new()) };
}

/// Of the common size of pages; larger ones are rare and not worth keeping.
const KEPT: usize = 4 << 20;
/// Bytes of the file, while the next are read, a page and a dictionary.
const IN_USE: usize = 4;

impl Memory {
    /// Memory of `size` bytes or more.
    fn take(size: usize) -> Result<Self> {
        let mut idle = IDLE.take();
        let found = idle.iter().position(|memory| memory.len() >= size);
        let memory = found.map(|at| idle.swap_remove(at));
        if memory.is_none() {
            // The new one is kept in its place.
            idle.pop();
        }
        IDLE.set(idle);
        memory.map_or_else(|| zeroed(size), Ok).map(Self)
    }

    /// The first `size` bytes, which hold anything.
    fn first(&mut self, size: usize) -> Result<&mut [u8]> {
        if self.0.len() < size {
            *self = Self::default();
            *self = Self::take(size)?;
        }
        Ok(&mut self.0[..size])
    }
}

impl AsRef<[u8]> for Memory {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.0.is_empty() || self.0.len() > KEPT {
            return;
        }
        let own = std::mem::take(&mut self.0);
        // Threads that end have no more use for it.
        let _ = IDLE.try_with(|kept| {
            let mut idle = kept.take();
            if idle.len() < IN_USE {
                idle.push(own);
            }
            kept.set(idle);
        });
    }
}

/// A column chunk of a file, of which some pages at a time are read: pages of a few KiB are not worth a call each.
struct Reused {
    input: Input,
    /// The end of the chunk.
    end: u64,
    /// The bytes that are read at once, or more where a page has more.
    ahead: usize,
    /// What was read last, and where that begins in the file.
    window: Mutex<(u64, Bytes)>,
}

impl Reused {
    /// What is read at once of a chunk of which most rows are wanted: it stays in the cache.
    const AHEAD: usize = 256 << 10;
    /// What is read at once where pages are passed over.
    const HEADER: usize = 8 << 10;

    fn new(input: &Input, chunk: &ColumnChunkMetaData, are_most: bool) -> Self {
        let (start, len) = chunk.byte_range();
        let ahead = if are_most { Self::AHEAD } else { Self::HEADER };
        Self { input: input.clone(), end: start.saturating_add(len), ahead, window: Mutex::default() }
    }

    /// The bytes from `start` on that are in memory, at least `length` of them or all that the file has.
    fn bytes(&self, file: &File, len: u64, start: u64, length: usize) -> Result<Bytes> {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = (length as u64).min(len.saturating_sub(start));
        let behind = start.checked_sub(window.0).and_then(|at| usize::try_from(at).ok());
        let there =
            behind.filter(|&at| at <= window.1.len()).map(|at| window.1.slice(at..)).unwrap_or_default();
        if there.len() as u64 >= wanted {
            return Ok(there);
        }
        let ahead = (self.ahead as u64).min(self.end.min(len).saturating_sub(start));
        let size = usize::try_from(wanted.max(ahead)).unwrap_or(usize::MAX);
        let mut bytes = Memory::take(size)?;
        let (old, new) = bytes.first(size)?.split_at_mut(there.len());
        old.copy_from_slice(&there);
        read_at(file, start + old.len() as u64, new).map_err(|e| ParquetError::External(Box::new(e)))?;
        *window = (start, Bytes::from_owner(bytes).slice(..size));
        Ok(window.1.clone())
    }
}

impl Length for Reused {
    fn len(&self) -> u64 {
        self.input.len()
    }
}

/// Bytes from a position on: those in memory, then others.
enum Reader {
    Window(Chain<bytes::buf::Reader<Bytes>, PositionReader>),
    Other(<Input as ChunkReader>::T),
}

impl std::io::Read for Reader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Window(window) => window.read(out),
            Self::Other(other) => other.read(out),
        }
    }
}

impl ChunkReader for Reused {
    type T = Reader;

    fn get_read(&self, start: u64) -> Result<Reader> {
        let Input::File(file, len) = &self.input else {
            return self.input.get_read(start).map(Reader::Other);
        };
        // Longer headers are rare.
        let bytes = self.bytes(file, *len, start, 256)?;
        let at = start.saturating_add(bytes.len() as u64);
        let behind = PositionReader { file: Arc::clone(file), at, len: *len };
        Ok(Reader::Window(bytes.reader().chain(behind)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let Input::File(file, len) = &self.input else { return self.input.get_bytes(start, length) };
        if length > KEPT || start.checked_add(length as u64).is_none_or(|end| end > *len) {
            return self.input.get_bytes(start, length);
        }
        Ok(self.bytes(file, *len, start, length)?.slice(..length))
    }
}

/// The bytes of the length before levels.
const LENGTH: usize = 4;

/// The offset and the size of the bytes behind a length of four bytes.
#[inline(always)]
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
