//! Decoding straight into columns: plain and dictionary-encoded values.
//!
//! The memory of the column is taken once, and every column chunk is decoded into its place by a task of its
//! own; where that is on a GPU, it is copied there while others are decoded. The levels of a leaf inside of
//! lists give its length: it gets room for that in the file, and is moved together where there are fewer
//! ([`nested`](super::nested) does the rest). The place of strings depends on the lengths of all strings before
//! them. Where the file tells how long those of each chunk are together, they are decoded in one step, too; else
//! in two: first pages are decompressed and codes decoded, then characters copied.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::OnceLock;

use bytemuck::Zeroable;
use cuprum_column::null_mask::Bitmap;
use cuprum_column::{Column, Context, DataType, Error, ErrorKind, HostUVec, Result};
use cuprum_column::{Native, Stored};
use cuprum_runtime::{host_vec, parallel};
use parquet::basic::{Encoding, Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaData;

use super::group::Group;
use super::hybrid::Hybrid;
use super::input::Input;
use super::levels::{Around, Level};
use super::pages::{Content, DataPage, Pages, length_prefix};
use super::strings::{self, Piece, TextChunk};
use super::{damaged, guarded};
use crate::Source;
use crate::places::{split, sum};
use crate::progress::Progress;
use crate::room::{self, Texts};
use crate::validity::{self, Validity};

/// The chunks of one column in the row groups that are wanted.
#[derive(Clone, Copy)]
pub(super) struct Chunks<'a> {
    pub(super) source: &'a Source,
    pub(super) input: &'a Input,
    pub(super) metadata: &'a ParquetMetaData,
    pub(super) groups: &'a [Group],
    /// The number of the column among those that have values.
    pub(super) leaf: usize,
    /// The lists and structs around it, if there are any.
    pub(super) around: Option<&'a Around>,
    pub(super) progress: &'a Progress,
    /// For what is decoded; of the host.
    pub(super) host: &'a Context,
}

/// The layout of values in the file, where this module knows it.
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
    /// 32-bit integers, which are decimals of 16 bytes.
    Decimals32,
    /// 64-bit integers, which are decimals of 16 bytes.
    Decimals64,
    /// Decimals of 16 bytes as so many of them, 1 to 16, the highest first.
    DecimalBytes(usize),
    /// Strings.
    Text,
}

impl ValueLayout {
    /// The layout of values of a physical type, with its length where it has one, that become a column of `data_type`.
    pub(super) fn of(physical: Type, length: i32, data_type: DataType) -> Option<Self> {
        Some(match (physical, data_type.size()) {
            (Type::INT32, Some(16)) if data_type.is_decimal() => Self::Decimals32,
            (Type::INT64, Some(16)) if data_type.is_decimal() => Self::Decimals64,
            (Type::FIXED_LEN_BYTE_ARRAY, Some(16))
                if data_type.is_decimal() && (1..=16).contains(&length) =>
            {
                Self::DecimalBytes(length as usize)
            }
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
    match layout {
        ValueLayout::Booleans => chunks.fixed(data_type, &Bits, ctx),
        ValueLayout::Narrow8 => chunks.fixed(data_type, &Words(|v| u32::from_le_bytes(v) as u8), ctx),
        ValueLayout::Narrow16 => chunks.fixed(data_type, &Words(|v| u32::from_le_bytes(v) as u16), ctx),
        ValueLayout::Words32 => chunks.fixed(data_type, &Words(u32::from_le_bytes), ctx),
        ValueLayout::Words64 => chunks.fixed(data_type, &Words(u64::from_le_bytes), ctx),
        ValueLayout::Decimals32 => {
            chunks.fixed(data_type, &Words(|v| i128::from(i32::from_le_bytes(v))), ctx)
        }
        ValueLayout::Decimals64 => {
            chunks.fixed(data_type, &Words(|v| i128::from(i64::from_le_bytes(v))), ctx)
        }
        ValueLayout::DecimalBytes(length) => chunks.fixed(data_type, &DecimalBytes(length), ctx),
        ValueLayout::Text => match chunks.told_text(ctx)? {
            Some(column) => Ok(column),
            None => Ok(chunks.text(ctx)?.0),
        },
    }
}

/// The values of a leaf that is inside of something, as a column of the host, and for every group the levels
/// of all that is around it, from the outside in. Fails as [`column`].
pub(super) fn leaf(
    chunks: &Chunks<'_>,
    layout: ValueLayout,
    data_type: DataType,
) -> Result<(Column, Vec<Vec<Level>>)> {
    match layout {
        ValueLayout::Booleans => chunks.fixed_leaf(data_type, &Bits),
        ValueLayout::Narrow8 => chunks.fixed_leaf(data_type, &Words(|v| u32::from_le_bytes(v) as u8)),
        ValueLayout::Narrow16 => chunks.fixed_leaf(data_type, &Words(|v| u32::from_le_bytes(v) as u16)),
        ValueLayout::Words32 => chunks.fixed_leaf(data_type, &Words(u32::from_le_bytes)),
        ValueLayout::Words64 => chunks.fixed_leaf(data_type, &Words(u64::from_le_bytes)),
        ValueLayout::Decimals32 => {
            chunks.fixed_leaf(data_type, &Words(|v| i128::from(i32::from_le_bytes(v))))
        }
        ValueLayout::Decimals64 => {
            chunks.fixed_leaf(data_type, &Words(|v| i128::from(i64::from_le_bytes(v))))
        }
        ValueLayout::DecimalBytes(length) => chunks.fixed_leaf(data_type, &DecimalBytes(length)),
        ValueLayout::Text => chunks.text(chunks.host),
    }
}

impl Chunks<'_> {
    fn pages(&self, own: &Group) -> ParquetResult<Pages> {
        let group = self.metadata.row_group(own.number);
        // The headers of pages do not tell how many rows of lists they have.
        let index = self.metadata.offset_index().filter(|_| own.start > 0 && self.has_lists());
        let index = index.and_then(|index| index.get(own.number)?.get(self.leaf));
        let places = index.map(|index| index.page_locations().clone());
        Pages::new(self.input, group, self.leaf, own.wanted(), self.around, places)
    }

    fn has_lists(&self) -> bool {
        self.around.is_some_and(|around| around.lists > 0)
    }

    /// The most places of the leaf in the rows of a group; 0 where only its levels tell.
    fn room(&self, own: &Group) -> usize {
        let group = self.metadata.row_group(own.number);
        match usize::try_from(group.num_rows()) {
            _ if !self.has_lists() => own.rows,
            Ok(rows) if own.rows == rows => {
                usize::try_from(group.column(self.leaf).num_values()).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Calls `decode` for the chunk of a group, and reports the progress.
    fn decode<R>(&self, own: &Group, decode: impl FnOnce() -> Result<R>) -> Result<R> {
        let decoded = decode().map_err(|e| e.context(format!("row group {}", own.number)))?;
        let group = self.metadata.row_group(own.number);
        self.progress.advance(own.part_of(group.column(self.leaf).compressed_size(), group));
        Ok(decoded)
    }

    /// A column of values of a fixed size.
    fn fixed<D: Decode>(&self, data_type: DataType, decode: &D, ctx: &Context) -> Result<Column> {
        let chunk = |own: &Group, out: &mut [MaybeUninit<D::Value>]| {
            self.decode(own, || {
                let decode = || fixed_chunk(&mut self.pages(own)?, &mut Room::Place(out), decode);
                guarded(self.source, decode)
            })
            .map(Some)
        };
        let groups = self.groups.iter().map(|group| (group, group.rows)).collect();
        // SAFETY: a chunk writes its part whole, or fails.
        let column = unsafe { room::fixed(data_type, groups, (self.host, ctx), chunk)? };
        column.ok_or_else(too_many)
    }

    /// [`fixed`](Self::fixed) of a leaf that is inside of something, and its levels.
    fn fixed_leaf<D: Decode>(&self, data_type: DataType, decode: &D) -> Result<(Column, Vec<Vec<Level>>)> {
        let room: Vec<usize> = self.groups.iter().map(|own| self.room(own)).collect();
        let mut whole = HostUVec::uninit(sum(room.iter().copied()).ok_or_else(too_many)?, self.host)?;
        let places = split(&mut whole, room.iter().copied());
        let pieces = parallel::map_items(self.groups.iter().zip(places), self.host, |(own, place)| {
            let is_known = self.room(own) > 0;
            let mut room = if is_known { Room::Place(place) } else { Room::Own(Vec::new()) };
            let read = || {
                let mut pages = self.pages(own)?;
                let validity = fixed_chunk(&mut pages, &mut room, decode)?;
                Ok((validity, pages.len(), pages.finish()))
            };
            let found = self.decode(own, || guarded(self.source, read))?;
            Ok((room, found))
        })?;
        let lengths = || pieces.iter().map(|(_, (_, len, _))| *len);
        let rows = sum(lengths()).ok_or_else(too_many)?;
        let mask =
            validity::join(pieces.iter().map(|(_, (validity, len, _))| (validity, *len)), rows, self.host)?;
        let own = if lengths().eq(room.iter().copied()) {
            None
        } else {
            let mut own = HostUVec::uninit(rows, self.host)?;
            let work = pieces.iter().zip(split(&mut own, lengths()));
            parallel::map_items(work, self.host, |((room, _), out)| {
                out.copy_from_slice(room.first(out.len()));
                Ok(())
            })?;
            Some(own)
        };
        let levels = pieces.into_iter().map(|(_, (_, _, levels))| levels).collect();
        // SAFETY: every chunk has written all of its places, or failed; they fill the memory, or were copied to such.
        let values = unsafe { own.unwrap_or(whole).assume_init() };
        Ok((Column::from_buffer(data_type, rows, values.into_buffer(), mask)?, levels))
    }

    /// A column of strings whose lengths together the file tells for every chunk, so that they are decoded straight into
    /// their place. `None` where it does not tell them, or not as they are.
    fn told_text(&self, ctx: &Context) -> Result<Option<Column>> {
        let told = |own: &Group| {
            let group = self.metadata.row_group(own.number);
            let bytes = group.column(self.leaf).unencoded_byte_array_data_bytes()?;
            let is_whole = own.start == 0 && usize::try_from(group.num_rows()).ok()? == own.rows;
            if is_whole { usize::try_from(bytes).ok() } else { None }
        };
        let piece =
            |own| Some(ToldPiece { chunks: self, group: own, bytes: told(own)?, validity: OnceLock::new() });
        let Some(pieces) = self.groups.iter().map(piece).collect::<Option<Vec<_>>>() else { return Ok(None) };
        match room::texts(&pieces, self.host, ctx) {
            // A damaged length may be any: what is in the pages is known when they have been decoded.
            Err(error) if error.kind() == ErrorKind::OutOfMemory => Ok(None),
            column => column,
        }
    }

    /// A column of strings, and the levels of all that is around it.
    fn text(&self, ctx: &Context) -> Result<(Column, Vec<Vec<Level>>)> {
        let chunks = parallel::map_items(self.groups, self.host, |own| {
            let read = || {
                let mut pages = self.pages(own)?;
                Ok((TextChunk::read(&mut pages)?, pages.finish()))
            };
            self.decode(own, || guarded(self.source, read))
        })?;
        let (chunks, levels): (Vec<_>, Vec<_>) = chunks.into_iter().unzip();
        let pieces: Vec<Piece<'_>> =
            chunks.iter().map(|chunk| Piece { chunk, source: self.source }).collect();
        Ok((room::texts(&pieces, self.host, ctx)?.ok_or_else(too_many)?, levels))
    }
}

/// The strings of a chunk whose total length is in the file; they are not decoded yet.
struct ToldPiece<'a> {
    chunks: &'a Chunks<'a>,
    group: &'a Group,
    bytes: usize,
    /// Known when it has been decoded.
    validity: OnceLock<Validity>,
}

// SAFETY: `strings::decode` writes the end of every row and, between the first and the last, all characters, which it has
// looked at; it fails or gives nothing where they are not as many.
unsafe impl Texts for ToldPiece<'_> {
    fn rows(&self) -> usize {
        self.group.rows
    }

    fn validity(&self) -> &Validity {
        self.validity.get_or_init(Validity::default)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        let decode = || strings::decode(&mut self.chunks.pages(self.group)?, base, ends, chars);
        let found = self.chunks.decode(self.group, || guarded(self.chunks.source, decode))?;
        Ok(found.map(|validity| self.validity.get_or_init(|| validity)).map(|_| ()))
    }
}

/// Memory that a chunk of values is decoded to.
enum Room<'a, T> {
    /// Its place in the column.
    Place(&'a mut [MaybeUninit<T>]),
    /// Its own, as much as levels tell.
    Own(Vec<MaybeUninit<T>>),
}

impl<T> Room<'_, T> {
    /// The memory of these values.
    fn at(&mut self, values: Range<usize>) -> ParquetResult<&mut [MaybeUninit<T>]> {
        match self {
            Self::Place(place) => place.get_mut(values),
            Self::Own(own) => {
                let more = values.end.saturating_sub(own.len());
                host_vec::reserve(own, more).map_err(|e| ParquetError::External(Box::new(e)))?;
                own.resize_with(own.len() + more, MaybeUninit::uninit);
                own.get_mut(values)
            }
        }
        .ok_or_else(|| damaged("more values than there is room for"))
    }

    /// The first values.
    fn first(&self, len: usize) -> &[MaybeUninit<T>] {
        match self {
            Self::Place(place) => &place[..len],
            Self::Own(own) => &own[..len],
        }
    }
}

pub(super) fn too_many() -> Error {
    Error::overflow("more rows or characters than can be counted")
}

/// How values of pages become those of a column.
trait Decode: Sync {
    type Value: Stored;
    /// An entry of a dictionary, no larger than in the file: more of them are in the cache.
    type Entry: Copy;

    /// Decodes plain values from the one numbered `first` on.
    fn plain(&self, page: &[u8], first: usize, out: &mut [MaybeUninit<Self::Value>]) -> ParquetResult<()>;

    /// The first `len` plain values, checked and, where they are not taken as they are, made entries.
    fn entries(&self, page: &[u8], len: usize) -> ParquetResult<Vec<Self::Entry>>;

    /// The dictionary of a page: the entries that [`entries`](Self::entries) has `made` of it, or those in the page itself.
    fn dictionary<'a>(&self, _page: &DataPage<'a>, made: &'a [Self::Entry]) -> &'a [Self::Entry] {
        made
    }

    fn value(&self, entry: Self::Entry) -> Self::Value;

    /// Decodes runs from the value numbered `first` on.
    fn runs(&self, _page: &[u8], _first: usize, _out: &mut [MaybeUninit<Self::Value>]) -> ParquetResult<()> {
        Err(ParquetError::NYI(format!("values as {}", Encoding::RLE)))
    }
}

/// Values of `N` bytes each, and what they are in a column.
struct Words<const N: usize, T, F: Fn([u8; N]) -> T>(F);

impl<const N: usize, T: Stored, F: Fn([u8; N]) -> T + Sync> Decode for Words<N, T, F> {
    type Value = T;
    type Entry = [u8; N];

    fn plain(&self, page: &[u8], first: usize, out: &mut [MaybeUninit<T>]) -> ParquetResult<()> {
        let (values, _) = page.as_chunks::<N>();
        let values = values.get(first..).filter(|values| values.len() >= out.len());
        let values = values.ok_or_else(|| short(page.len() / N, first + out.len()))?;
        for (slot, bytes) in out.iter_mut().zip(values) {
            slot.write(self.value(*bytes));
        }
        Ok(())
    }

    fn entries(&self, page: &[u8], len: usize) -> ParquetResult<Vec<[u8; N]>> {
        let found = page.len() / N;
        if found < len { Err(short(found, len)) } else { Ok(Vec::new()) }
    }

    fn dictionary<'a>(&self, page: &DataPage<'a>, _made: &'a [[u8; N]]) -> &'a [[u8; N]] {
        let (values, len) = page.dictionary;
        values.as_chunks().0.get(..len).unwrap_or_default()
    }

    #[inline(always)]
    fn value(&self, entry: [u8; N]) -> T {
        self.0(entry)
    }
}

/// Decimals of so many bytes each, 1 to 16, the highest first.
struct DecimalBytes(usize);

impl DecimalBytes {
    fn each(&self, page: &[u8], first: usize, len: usize, mut put: impl FnMut(i128)) -> ParquetResult<()> {
        const WHOLE: usize = size_of::<i128>();
        let (length, last) = (self.0, first.saturating_add(len));
        let bytes = page.get(first.saturating_mul(length)..last.saturating_mul(length));
        let bytes = bytes.ok_or_else(|| short(page.len() / length, last))?;
        for at in (0..len).map(|i| i * length) {
            let mut high = [0; WHOLE];
            match bytes[at..].first_chunk() {
                Some(whole) => high = *whole,
                // Behind the last values there is nothing.
                None => high[..length].copy_from_slice(&bytes[at..at + length]),
            }
            put(i128::from_be_bytes(high) >> (8 * (WHOLE - length)));
        }
        Ok(())
    }
}

impl Decode for DecimalBytes {
    type Value = i128;
    type Entry = i128;

    fn plain(&self, page: &[u8], first: usize, out: &mut [MaybeUninit<i128>]) -> ParquetResult<()> {
        let (len, mut slots) = (out.len(), out.iter_mut());
        self.each(page, first, len, |value| {
            if let Some(slot) = slots.next() {
                slot.write(value);
            }
        })
    }

    fn entries(&self, page: &[u8], len: usize) -> ParquetResult<Vec<i128>> {
        let mut entries = Vec::with_capacity(len.min(page.len()));
        self.each(page, 0, len, |value| entries.push(value))?;
        Ok(entries)
    }

    #[inline(always)]
    fn value(&self, entry: i128) -> i128 {
        entry
    }
}

/// Values of one bit each, as bytes.
struct Bits;

impl Decode for Bits {
    type Value = u8;
    type Entry = u8;

    fn plain(&self, page: &[u8], first: usize, out: &mut [MaybeUninit<u8>]) -> ParquetResult<()> {
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

    fn entries(&self, page: &[u8], len: usize) -> ParquetResult<Vec<u8>> {
        if page.len() < len.div_ceil(8) {
            return Err(short(page.len() * 8, len));
        }
        Ok((0..len).map(|i| page[i / 8] >> (i % 8) & 1).collect())
    }

    #[inline(always)]
    fn value(&self, entry: u8) -> u8 {
        entry
    }

    fn runs(&self, page: &[u8], first: usize, out: &mut [MaybeUninit<u8>]) -> ParquetResult<()> {
        let (start, len) = length_prefix(page)?;
        let mut bits = Hybrid::new(&page[start..start + len], 1)?;
        bits.skip(first)?;
        look_up(&mut bits, self, &[0, 1], out)
    }
}

/// Decodes a chunk into `room`, which is written whole where there is no error.
fn fixed_chunk<D: Decode>(
    pages: &mut Pages,
    room: &mut Room<'_, D::Value>,
    decode: &D,
) -> ParquetResult<Validity> {
    let mut validity = Validity::default();
    let mut made = Vec::new();
    while let Some(content) = pages.next(&mut validity)? {
        let page = match content {
            Content::Dictionary { values, len } => {
                made = decode.entries(values, len)?;
                continue;
            }
            Content::Data(page) => page,
        };
        let out = room.at(page.rows.clone())?;
        let values = &mut out[..page.valid];
        match page.encoding {
            Encoding::PLAIN => decode.plain(page.values, page.before, values)?,
            Encoding::RLE => decode.runs(page.values, page.before, values)?,
            encoding => {
                let dictionary = decode.dictionary(&page, &made);
                look_up(&mut codes(&page, encoding)?, decode, dictionary, values)?;
            }
        }
        let null = MaybeUninit::new(D::Value::zeroed());
        spread(out, page.valid, null, |row| validity.get(page.rows.start + row));
    }
    Ok(validity)
}

fn short(found: usize, wanted: usize) -> ParquetError {
    damaged(&format!("a page has {found} values of {wanted}"))
}

/// The codes of a page of dictionary-encoded values, from the first that is wanted on.
pub(super) fn codes<'a>(page: &DataPage<'a>, encoding: Encoding) -> ParquetResult<Hybrid<'a>> {
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
fn look_up<D: Decode>(
    codes: &mut Hybrid<'_>,
    decode: &D,
    dictionary: &[D::Entry],
    out: &mut [MaybeUninit<D::Value>],
) -> ParquetResult<()> {
    if codes.width() > u8::BITS as usize {
        return codes.blocks(out, |block: &[u32], out| {
            check(block, dictionary.len())?;
            for (slot, &code) in out.iter_mut().zip(block) {
                // SAFETY: all codes of the block are below the length.
                slot.write(decode.value(unsafe { *dictionary.get_unchecked(code as usize) }));
            }
            Ok(())
        });
    }
    // Every byte stands for something: there is nothing to be looked at for each.
    let mut table = [D::Value::zeroed(); 1 << u8::BITS];
    for (value, &entry) in table.iter_mut().zip(dictionary) {
        *value = decode.value(entry);
    }
    let len = dictionary.len().min(table.len());
    codes.blocks(out, |block: &[u8], out| {
        check(block, len)?;
        for (slot, &code) in out.iter_mut().zip(block) {
            slot.write(table[usize::from(code)]);
        }
        Ok(())
    })
}

/// Checks that all codes are below `len`.
pub(super) fn check<C: Copy + Ord + Into<u32>>(codes: &[C], len: usize) -> ParquetResult<()> {
    let Some(&first) = codes.first() else { return Ok(()) };
    let mut largest = first;
    for &code in codes {
        largest = largest.max(code);
    }
    let largest: u32 = largest.into();
    if (largest as usize) < len {
        return Ok(());
    }
    Err(damaged(&format!("code {largest} of a dictionary of {len} values")))
}

/// Moves the `filled` values at the start of `out` to the rows that are valid, in order; the others
/// get `null`.
pub(super) fn spread<T: Copy>(out: &mut [T], filled: usize, null: T, valid: impl Fn(usize) -> bool) {
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
