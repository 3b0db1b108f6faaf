//! Decoding straight into columns: plain and dictionary-encoded values.
//!
//! The memory of the column is taken once, and every column chunk is decoded into its place by a task of its
//! own; where that is on a GPU, it is copied there while others are decoded. The levels of a leaf inside of
//! lists give its length: it gets room for that in the file, and is moved together where there are fewer
//! ([`nested`](super::nested) does the rest). Strings take two steps, because their place depends on the
//! lengths of all strings before them: first pages are decompressed and codes decoded, then characters
//! copied.

use std::mem::MaybeUninit;
use std::ops::Range;

use cuprum_column::Native;
use cuprum_column::null_mask::Bitmap;
use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result};
use cuprum_runtime::{host_vec, parallel};
use parquet::basic::{Encoding, Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaData;

use super::group::Group;
use super::hybrid::Hybrid;
use super::input::Input;
use super::levels::{Around, Level};
use super::pages::{Content, DataPage, Pages, length_prefix};
use super::strings::{Piece, TextChunk};
use super::{damaged, guarded};
use crate::Source;
use crate::places::{split, sum};
use crate::progress::Progress;
use crate::room;
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
        ValueLayout::Text => Ok(chunks.text(ctx)?.0),
    }
}

/// The values of a leaf that is inside of something, as a column of the host, and for every group the levels
/// of all that is around it, from the outside in. Fails as [`column`].
pub(super) fn leaf(
    chunks: &Chunks<'_>,
    layout: ValueLayout,
    data_type: DataType,
) -> Result<(Column, Vec<Vec<Level>>)> {
    let narrow = |bytes| u32::from_le_bytes(bytes);
    match layout {
        ValueLayout::Booleans => chunks.fixed_leaf(layout, data_type, booleans),
        ValueLayout::Narrow8 => chunks.fixed_leaf(layout, data_type, plain(|v| narrow(v) as u8)),
        ValueLayout::Narrow16 => chunks.fixed_leaf(layout, data_type, plain(|v| narrow(v) as u16)),
        ValueLayout::Words32 => chunks.fixed_leaf(layout, data_type, plain(u32::from_le_bytes)),
        ValueLayout::Words64 => chunks.fixed_leaf(layout, data_type, plain(u64::from_le_bytes)),
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
                let decode = || fixed_chunk(&mut self.pages(own)?, &mut Room::Place(out), layout, &plain);
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
    fn fixed_leaf<T: Native>(
        &self,
        layout: ValueLayout,
        data_type: DataType,
        plain: impl Fn(&[u8], usize, &mut [MaybeUninit<T>]) -> ParquetResult<()> + Sync,
    ) -> Result<(Column, Vec<Vec<Level>>)> {
        let room: Vec<usize> = self.groups.iter().map(|own| self.room(own)).collect();
        let mut whole = HostUVec::uninit(sum(room.iter().copied()).ok_or_else(too_many)?, self.host)?;
        let places = split(&mut whole, room.iter().copied());
        let pieces = parallel::map_items(self.groups.iter().zip(places), self.host, |(own, place)| {
            let is_known = self.room(own) > 0;
            let mut room = if is_known { Room::Place(place) } else { Room::Own(Vec::new()) };
            let decode = || {
                let mut pages = self.pages(own)?;
                let validity = fixed_chunk(&mut pages, &mut room, layout, &plain)?;
                Ok((validity, pages.len(), pages.finish()))
            };
            let found = self.decode(own, || guarded(self.source, decode))?;
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
        Ok((Column::new(data_type, values, mask)?, levels))
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

/// Decodes a chunk into `room`, which is written whole where there is no error.
fn fixed_chunk<T: Native>(
    pages: &mut Pages,
    room: &mut Room<'_, T>,
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
        let out = room.at(page.rows.clone())?;
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
fn look_up<T: Native>(
    codes: &mut Hybrid<'_>,
    dictionary: &[T],
    out: &mut [MaybeUninit<T>],
) -> ParquetResult<()> {
    const BLOCK: usize = 1024;
    if codes.width() <= u8::BITS as usize {
        // Every byte stands for something: there is nothing to be looked at for each.
        let mut table = [T::from_i64(0); 1 << u8::BITS];
        let len = dictionary.len().min(table.len());
        table[..len].copy_from_slice(&dictionary[..len]);
        let mut block = [0u8; BLOCK];
        for out in out.chunks_mut(BLOCK) {
            let block = &mut block[..out.len()];
            codes.fill_bytes(block)?;
            check(block, len)?;
            for (slot, &code) in out.iter_mut().zip(&*block) {
                slot.write(table[usize::from(code)]);
            }
        }
        return Ok(());
    }
    let mut block = [0; BLOCK];
    for out in out.chunks_mut(BLOCK) {
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
