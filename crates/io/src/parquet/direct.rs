//! Decoding straight into columns: plain and dictionary-encoded values of columns without nesting.
//!
//! The memory of the column is taken once, and every column chunk is decoded into its place by a
//! task of its own; where that is on a GPU, it is copied there while others are decoded. Strings
//! take two steps, because their place depends on the lengths of all strings before them: first
//! pages are decompressed and codes decoded, then characters copied.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::Native;
use cuprum_column::null_mask::Bitmap;
use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_runtime::parallel;
use parquet::basic::{Encoding, Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaData;
use rayon::prelude::*;

use super::group::Group;
use super::hybrid::Hybrid;
use super::input::{Input, zeroed};
use super::pages::{Content, DataPage, Pages, length_prefix};
use super::{damaged, guarded};
use crate::Source;
use crate::places::{BLOCK, are_utf8, copy};
use crate::progress::Progress;
use crate::room::{self, Texts};
use crate::validity::Validity;

/// The chunks of one column in the row groups that are wanted.
pub(super) struct Chunks<'a> {
    pub(super) source: &'a Source,
    pub(super) input: &'a Input,
    pub(super) metadata: &'a ParquetMetaData,
    pub(super) groups: &'a [Group],
    /// The number of the column among those that have values.
    pub(super) leaf: usize,
    pub(super) progress: &'a Progress,
    /// For what is decoded; of the host.
    pub(super) host: &'a Context,
}

/// How values are stored in the file, where this module knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueLayout {
    /// Bits.
    Booleans,
    /// 32-bit integers, of which the lowest 8 bits count.
    Narrow8,
    /// 32-bit integers, of which the lowest 16 bits count.
    Narrow16,
    /// Four bytes, as in the column.
    Words32,
    /// Eight bytes, as in the column.
    Words64,
    /// Strings.
    Text,
}

impl ValueLayout {
    /// The layout of values of a physical type that become a column of `data_type`.
    pub(super) fn of(physical: Type, data_type: DataType) -> Option<Self> {
        Some(match (physical, data_type.size()) {
            (Type::BOOLEAN, _) if data_type == DataType::Bool8 => Self::Booleans,
            (Type::BYTE_ARRAY, _) if data_type == DataType::String => Self::Text,
            (Type::INT32, Some(1)) if data_type != DataType::Bool8 => Self::Narrow8,
            (Type::INT32, Some(2)) => Self::Narrow16,
            (Type::INT32, Some(4)) if data_type != DataType::Float32 => Self::Words32,
            (Type::INT64, Some(8)) if data_type != DataType::Float64 => Self::Words64,
            (Type::FLOAT, _) if data_type == DataType::Float32 => Self::Words32,
            (Type::DOUBLE, _) if data_type == DataType::Float64 => Self::Words64,
            _ => return None,
        })
    }
}

/// The column of the chunks, on the device of the context.
///
/// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for encodings that are not
/// known here: the `parquet` crate may know them.
pub(super) fn column(
    chunks: &Chunks<'_>,
    layout: ValueLayout,
    data_type: DataType,
    ctx: &Context,
) -> Result<Column> {
    let narrow = |bytes| u32::from_le_bytes(bytes);
    match layout {
        ValueLayout::Booleans => chunks.fixed(layout, data_type, booleans, ctx),
        ValueLayout::Narrow8 => chunks.fixed(layout, data_type, plain(|v| narrow(v) as u8), ctx),
        ValueLayout::Narrow16 => chunks.fixed(layout, data_type, plain(|v| narrow(v) as u16), ctx),
        ValueLayout::Words32 => chunks.fixed(layout, data_type, plain(u32::from_le_bytes), ctx),
        ValueLayout::Words64 => chunks.fixed(layout, data_type, plain(u64::from_le_bytes), ctx),
        ValueLayout::Text => chunks.text(ctx),
    }
}

impl Chunks<'_> {
    fn pages(&self, own: &Group) -> ParquetResult<Pages> {
        Pages::new(self.input, self.metadata.row_group(own.number), self.leaf, own.wanted())
    }

    /// What `decode` makes of the chunk of a group.
    fn decode<R>(&self, own: &Group, decode: impl FnOnce() -> Result<R>) -> Result<R> {
        let decoded = decode().map_err(|e| e.context(format!("row group {}", own.number)))?;
        let group = self.metadata.row_group(own.number);
        self.progress.advance(own.part_of(group.column(self.leaf).compressed_size(), group));
        Ok(decoded)
    }

    /// A column of values of a fixed size; `plain` decodes values of a plain page, from one of them on.
    fn fixed<T: Native>(
        &self,
        layout: ValueLayout,
        data_type: DataType,
        plain: impl Fn(&[u8], usize, &mut [MaybeUninit<T>]) -> ParquetResult<()> + Sync,
        ctx: &Context,
    ) -> Result<Column> {
        let chunk = |own: &Group, out: &mut [MaybeUninit<T>]| {
            self.decode(own, || {
                guarded(self.source, || fixed_chunk(&mut self.pages(own)?, out, layout, &plain))
            })
            .map(Some)
        };
        let groups = self.groups.iter().map(|group| (group, group.rows)).collect();
        // SAFETY: a chunk writes its part whole, or fails.
        let column = unsafe { room::fixed(data_type, groups, (self.host, ctx), chunk)? };
        column.ok_or_else(too_many)
    }

    /// A column of strings.
    fn text(&self, ctx: &Context) -> Result<Column> {
        let chunks = parallel::install(|| {
            let read = |own: &Group| {
                self.host.check()?;
                self.decode(own, || guarded(self.source, || TextChunk::read(&mut self.pages(own)?, own.rows)))
            };
            self.groups.par_iter().map(read).collect::<Result<Vec<_>>>()
        })?;
        let pieces: Vec<Piece<'_>> =
            chunks.iter().map(|chunk| Piece { chunk, source: self.source }).collect();
        room::texts(&pieces, self.host, ctx)?.ok_or_else(too_many)
    }
}

fn too_many() -> Error {
    Error::overflow("more rows or characters than can be counted")
}

/// The strings of a chunk of a file.
struct Piece<'a> {
    chunk: &'a TextChunk,
    source: &'a Source,
}

// SAFETY: `TextChunk::put` writes the end of every row and, between the first and the last, all characters, of which
// those of a dictionary were looked at before and others are there; it panics or fails where they are not as many.
unsafe impl Texts for Piece<'_> {
    fn rows(&self) -> usize {
        self.chunk.rows
    }

    fn validity(&self) -> &Validity {
        &self.chunk.validity
    }

    fn bytes(&self) -> usize {
        self.chunk.bytes
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        guarded(self.source, || self.chunk.put(base, ends, chars)).map(Some)
    }
}

/// Decodes a chunk into `out`, which is written whole where there is no error.
fn fixed_chunk<T: Native>(
    pages: &mut Pages,
    out: &mut [MaybeUninit<T>],
    layout: ValueLayout,
    plain: impl Fn(&[u8], usize, &mut [MaybeUninit<T>]) -> ParquetResult<()>,
) -> ParquetResult<Validity> {
    let mut validity = Validity::default();
    let mut dictionary: Vec<T> = Vec::new();
    while let Some(content) = pages.next(&mut validity)? {
        let page = match content {
            Content::Dictionary { values, len } => {
                // A damaged number must not decide how much memory is taken.
                let mut words = vec![MaybeUninit::uninit(); len.min(values.len() * 8)];
                plain(values, 0, &mut words)?;
                // SAFETY: `plain` has written all of them.
                dictionary = words.iter().map(|word| unsafe { word.assume_init() }).collect();
                continue;
            }
            Content::Data(page) => page,
        };
        let out = &mut out[page.rows.clone()];
        let values = &mut out[..page.valid];
        match page.encoding {
            Encoding::PLAIN => plain(page.values, page.before, values)?,
            Encoding::RLE if layout == ValueLayout::Booleans => {
                let (start, len) = length_prefix(page.values)?;
                let mut bits = Hybrid::new(&page.values[start..start + len], 1)?;
                bits.skip(page.before)?;
                look_up(&mut bits, &[T::from_i64(0), T::from_i64(1)], values)?;
            }
            encoding => look_up(&mut codes(&page, encoding)?, &dictionary, values)?,
        }
        spread(out, page.valid, MaybeUninit::new(T::from_i64(0)), |row| validity.get(page.rows.start + row));
    }
    Ok(validity)
}

/// Decodes plain values of `N` bytes each.
fn plain<const N: usize, T>(
    value: impl Fn([u8; N]) -> T,
) -> impl Fn(&[u8], usize, &mut [MaybeUninit<T>]) -> ParquetResult<()> {
    move |page, first, out| {
        let (values, _) = page.as_chunks::<N>();
        let values = values.get(first..).filter(|values| values.len() >= out.len());
        let values = values.ok_or_else(|| short(page.len() / N, first + out.len()))?;
        for (slot, bytes) in out.iter_mut().zip(values) {
            slot.write(value(*bytes));
        }
        Ok(())
    }
}

/// Values of one bit each, as bytes.
fn booleans(page: &[u8], first: usize, out: &mut [MaybeUninit<u8>]) -> ParquetResult<()> {
    if page.len() < (first + out.len()).div_ceil(8) {
        return Err(short(page.len() * 8, first + out.len()));
    }
    let bits = Bitmap::new(page, first, out.len());
    for (w, slots) in out.chunks_mut(64).enumerate() {
        let word = bits.word(w);
        for (i, slot) in slots.iter_mut().enumerate() {
            slot.write((word >> i & 1) as u8);
        }
    }
    Ok(())
}

fn short(found: usize, wanted: usize) -> ParquetError {
    damaged(&format!("a page has {found} values of {wanted}"))
}

/// The codes of a page of dictionary-encoded values, from the first that is wanted on.
fn codes<'a>(page: &DataPage<'a>, encoding: Encoding) -> ParquetResult<Hybrid<'a>> {
    if !matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY) {
        return Err(ParquetError::NYI(format!("values as {encoding}")));
    }
    let mut codes = match page.values.split_first() {
        Some((&width, codes)) => Hybrid::new(codes, width)?,
        // A page of nulls need not say how wide its codes are.
        None => Hybrid::new(&[], 0)?,
    };
    if page.valid > 0 {
        codes.skip(page.before)?;
    }
    Ok(codes)
}

/// The values that codes stand for.
fn look_up<T: Copy>(
    codes: &mut Hybrid<'_>,
    dictionary: &[T],
    out: &mut [MaybeUninit<T>],
) -> ParquetResult<()> {
    let mut block = [0; 1024];
    for out in out.chunks_mut(block.len()) {
        let block = &mut block[..out.len()];
        codes.fill(block)?;
        check(block, dictionary.len())?;
        for (slot, &code) in out.iter_mut().zip(&*block) {
            slot.write(dictionary[code as usize]);
        }
    }
    Ok(())
}

/// Checks that all codes are below `len`.
fn check(codes: &[u32], len: usize) -> ParquetResult<()> {
    let mut largest = 0;
    for &code in codes {
        largest = largest.max(code);
    }
    if codes.is_empty() || (largest as usize) < len {
        return Ok(());
    }
    Err(damaged(&format!("code {largest} of a dictionary of {len} values")))
}

/// Moves the `filled` values at the start of `out` to the rows that are valid, in order; the others
/// get `null`.
fn spread<T: Copy>(out: &mut [T], filled: usize, null: T, valid: impl Fn(usize) -> bool) {
    let mut left = filled;
    for row in (0..out.len()).rev() {
        if left == row + 1 {
            // All rows up to here are valid: they are in their places.
            return;
        }
        out[row] = if valid(row) {
            left -= 1;
            out[left]
        } else {
            null
        };
    }
}

/// Strings of one column chunk, found but not yet in their place.
struct TextChunk {
    rows: usize,
    dictionary: Dictionary,
    pages: Vec<TextPage>,
    validity: Validity,
    /// The length of all strings together.
    bytes: usize,
}

/// The strings of some rows of a chunk.
struct TextPage {
    rows: Range<usize>,
    strings: Strings,
}

enum Strings {
    /// A code for every row; that of nulls stands for the empty string.
    Codes(Vec<u32>),
    /// Each after its length in four bytes; nulls have neither.
    Plain(Vec<u8>),
}

/// Strings that codes stand for, and the empty string at the end.
#[derive(Default)]
struct Dictionary {
    /// The characters, with [`BLOCK`] more bytes behind.
    chars: Vec<u8>,
    /// Where each string starts in `chars`, and its length: all of it is there, and [`BLOCK`] bytes from its start on.
    places: Vec<(u32, u32)>,
    /// The length of the longest.
    longest: u32,
}

impl Dictionary {
    fn read(page: &[u8], len: usize) -> ParquetResult<Self> {
        let mut this = Self { chars: Vec::with_capacity(page.len() + BLOCK), places: Vec::new(), longest: 0 };
        let mut at = 0;
        for _ in 0..len {
            let (start, length) = length_prefix(&page[at..])?;
            let text = &page[at + start..at + start + length];
            if std::str::from_utf8(text).is_err() {
                return Err(not_utf8());
            }
            this.places.push((this.chars.len() as u32, length as u32));
            this.longest = this.longest.max(length as u32);
            this.chars.extend_from_slice(text);
            at += start + length;
        }
        this.places.push((0, 0));
        this.chars.resize(this.chars.len() + BLOCK, 0);
        Ok(this)
    }

    /// Copies the strings of codes to `chars[at..]`, one after the other, and writes where each ends in the column, in
    /// which `chars` begin at `base`. Returns where the last ends in `chars`.
    ///
    /// Panics for a code that there is not, and where `chars` are too few.
    fn put<O: Native>(
        &self,
        codes: &[u32],
        (base, mut at): (usize, usize),
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> usize {
        /// So many are looked at before they are copied.
        const RUN: usize = 128;
        for (codes, ends) in codes.chunks(RUN).zip(ends.chunks_mut(RUN)) {
            let mut largest = 0;
            for &code in codes {
                largest = largest.max(code);
            }
            let has_room = chars.len().saturating_sub(at) >= (RUN + 1) * BLOCK;
            if self.longest as usize <= BLOCK && (largest as usize) < self.places.len() && has_room {
                let (places, from, to) = (self.places.as_ptr(), self.chars.as_ptr(), chars.as_mut_ptr());
                for (end, &code) in ends.iter_mut().zip(codes) {
                    // SAFETY: no code is above the largest, which has a place.
                    let (start, length) = unsafe { *places.add(code as usize) };
                    // SAFETY: a block from the start of every string on is in `chars` of the dictionary. To the place
                    // where it goes no more than `RUN` strings of at most `BLOCK` bytes were written, and one more
                    // has room. Bytes have no alignment.
                    unsafe {
                        let block = from.add(start as usize).cast::<[u8; BLOCK]>().read_unaligned();
                        to.add(at).cast::<[u8; BLOCK]>().write_unaligned(block);
                    }
                    at += length as usize;
                    end.write(O::from_i64((base + at) as i64));
                }
                continue;
            }
            for (end, &code) in ends.iter_mut().zip(codes) {
                let (start, length) = self.places[code as usize];
                copy(&self.chars, start as usize, length as usize, chars, at);
                at += length as usize;
                end.write(O::from_i64((base + at) as i64));
            }
        }
        at
    }

    /// The code of the empty string at the end; all those below it are of the file.
    fn empty(&self) -> usize {
        self.places.len().saturating_sub(1)
    }
}

impl TextChunk {
    fn read(pages: &mut Pages, rows: usize) -> ParquetResult<Self> {
        let mut this = Self {
            rows,
            dictionary: Dictionary::default(),
            pages: Vec::new(),
            validity: Validity::default(),
            bytes: 0,
        };
        while let Some(content) = pages.next(&mut this.validity)? {
            let page = match content {
                // Codes that were read before would get another meaning.
                Content::Dictionary { .. } if !this.pages.is_empty() => {
                    return Err(damaged("a dictionary behind values"));
                }
                Content::Dictionary { values, len } => {
                    this.dictionary = Dictionary::read(values, len)?;
                    continue;
                }
                Content::Data(page) => page,
            };
            let strings = match page.encoding {
                Encoding::PLAIN => {
                    let values = &page.values[plain_bytes(page.values, page.before)?..];
                    let used = plain_bytes(values, page.valid)?;
                    this.bytes += used - 4 * page.valid;
                    Strings::Plain(values[..used].to_vec())
                }
                encoding => {
                    let empty = this.dictionary.empty();
                    let mut values = zeroed(page.rows.len())?;
                    codes(&page, encoding)?.fill(&mut values[..page.valid])?;
                    check(&values[..page.valid], empty)?;
                    let places = this.dictionary.places.as_slice();
                    for &code in &values[..page.valid] {
                        this.bytes += places[code as usize].1 as usize;
                    }
                    spread(&mut values, page.valid, empty as u32, |row| {
                        this.validity.get(page.rows.start + row)
                    });
                    Strings::Codes(values)
                }
            };
            this.pages.push(TextPage { rows: page.rows, strings });
        }
        Ok(this)
    }

    /// Copies the characters to `chars`, which begin at `base` of the column, and writes where each
    /// row ends.
    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> ParquetResult<()> {
        let mut at = 0;
        for page in &self.pages {
            let ends = &mut ends[page.rows.clone()];
            match &page.strings {
                Strings::Codes(codes) => at = self.dictionary.put(codes, (base, at), ends, chars),
                Strings::Plain(bytes) => {
                    let (first, mut from) = (at, 0);
                    for (end, row) in ends.iter_mut().zip(page.rows.clone()) {
                        if self.validity.get(row) {
                            let (start, length) = length_prefix(&bytes[from..])?;
                            copy(bytes, from + start, length, chars, at);
                            at += length;
                            from += start + length;
                        }
                        end.write(O::from_i64((base + at) as i64));
                    }
                    // SAFETY: the loop has written these characters.
                    let text = unsafe { chars[first..at].assume_init_ref() };
                    // SAFETY: and the ends of these rows.
                    let ends = ends.iter().map(|end| unsafe { end.assume_init() }.as_i64() as usize);
                    if !are_utf8(text, ends.map(|end| end - base - first)) {
                        return Err(not_utf8());
                    }
                }
            }
        }
        Ok(())
    }
}

/// The bytes of `count` plain strings at the start of a page, their lengths included.
fn plain_bytes(page: &[u8], count: usize) -> ParquetResult<usize> {
    let mut at = 0;
    for _ in 0..count {
        let (start, length) = length_prefix(&page[at..])?;
        at += start + length;
    }
    Ok(at)
}

fn not_utf8() -> ParquetError {
    damaged("a string that is not UTF-8")
}
