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
use std::sync::atomic::{AtomicUsize, Ordering};

use bytemuck::Zeroable;
use cuprum_column::null_mask::Bitmap;
use cuprum_column::scalar::decimal_to_f64;
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

/// What is made of the chunks of a column.
pub(super) trait Make {
    type Made;

    /// Of values of a fixed size.
    fn fixed<D: Decode>(&self, data_type: DataType, decode: &D) -> Result<Self::Made>;

    /// Of strings.
    fn text(&self) -> Result<Self::Made>;

    /// Of values in a layout that become a column of `data_type`; of decimals, multiples of `10^scale` with such a `scale`,
    /// as the nearest floats.
    ///
    /// Fails with [`Unsupported`](ErrorKind::Unsupported) for encodings that are not known here: the `parquet` crate may
    /// know them.
    fn make(&self, layout: ValueLayout, data_type: DataType, scale: Option<i32>) -> Result<Self::Made> {
        if let Some(scale) = scale {
            const FLOAT: DataType = DataType::Float64;
            let float = move |value: i128| decimal_to_f64(value, scale);
            return match layout {
                ValueLayout::Words32 | ValueLayout::Decimals32 => {
                    self.fixed(FLOAT, &Words(|v| float(i32::from_le_bytes(v).into())))
                }
                ValueLayout::Words64 | ValueLayout::Decimals64 => {
                    self.fixed(FLOAT, &Words(|v| float(i64::from_le_bytes(v).into())))
                }
                ValueLayout::DecimalBytes(length) => self.fixed(FLOAT, &DecimalBytes(length, float)),
                _ => Err(Error::logic("floats of other columns than decimals")),
            };
        }
        match layout {
            ValueLayout::Booleans => self.fixed(data_type, &Bits),
            ValueLayout::Narrow8 => self.fixed(data_type, &Words(|v| u32::from_le_bytes(v) as u8)),
            ValueLayout::Narrow16 => self.fixed(data_type, &Words(|v| u32::from_le_bytes(v) as u16)),
            ValueLayout::Words32 => self.fixed(data_type, &Words(u32::from_le_bytes)),
            ValueLayout::Words64 => self.fixed(data_type, &Words(u64::from_le_bytes)),
            ValueLayout::Decimals32 => self.fixed(data_type, &Words(|v| i128::from(i32::from_le_bytes(v)))),
            ValueLayout::Decimals64 => self.fixed(data_type, &Words(|v| i128::from(i64::from_le_bytes(v)))),
            ValueLayout::DecimalBytes(length) => {
                self.fixed(data_type, &DecimalBytes(length, |value: i128| value))
            }
            ValueLayout::Text => self.text(),
        }
    }
}

/// The column of the chunks, on the device of the context.
pub(super) struct Whole<'a>(pub(super) &'a Chunks<'a>, pub(super) &'a Context);

impl Make for Whole<'_> {
    type Made = Column;

    fn fixed<D: Decode>(&self, data_type: DataType, decode: &D) -> Result<Column> {
        self.0.fixed(data_type, decode, self.1)
    }

    fn text(&self) -> Result<Column> {
        match self.0.told_text(self.1)? {
            Some(column) => Ok(column),
            None => Ok(self.0.text(self.1)?.0),
        }
    }
}

/// The values of a leaf that is inside of something, as a column of the host, and for every group the levels of all that is
/// around it, from the outside in.
pub(super) struct Leaf<'a>(pub(super) &'a Chunks<'a>);

impl Make for Leaf<'_> {
    type Made = (Column, Vec<Vec<Level>>);

    fn fixed<D: Decode>(&self, data_type: DataType, decode: &D) -> Result<Self::Made> {
        self.0.fixed_leaf(data_type, decode)
    }

    fn text(&self) -> Result<Self::Made> {
        self.0.text(self.0.host)
    }
}

/// The rows of the chunks of a column without nesting that have these ascending numbers, which may repeat, on the device
/// of the context.
pub(super) struct Rows<'a, N> {
    pub(super) chunks: &'a Chunks<'a>,
    pub(super) numbers: &'a [N],
    /// The rows of pages that are unpacked, and values of dictionaries, are counted here.
    pub(super) unpacked: &'a AtomicUsize,
    pub(super) ctx: &'a Context,
}

impl<N: Native> Make for Rows<'_, N> {
    type Made = Column;

    fn fixed<D: Decode>(&self, data_type: DataType, decode: &D) -> Result<Column> {
        let Self { chunks, ctx, .. } = self;
        let part = |(own, numbers): (&Group, RowsOfGroup<'_, N>), out: &mut [MaybeUninit<D::Value>]| {
            let read = || fixed_rows(&mut chunks.pages(own)?, &numbers, out, decode);
            chunks.decode(own, || guarded(chunks.source, read)).map(Some)
        };
        let parts = self.by_group()?.into_iter().map(|part| {
            let rows = part.1.len();
            (part, rows)
        });
        // SAFETY: a part writes its place whole, or fails.
        let column = unsafe { room::fixed(data_type, parts.collect(), (chunks.host, ctx), part)? };
        column.ok_or_else(too_many)
    }

    fn text(&self) -> Result<Column> {
        let Self { chunks, ctx, .. } = self;
        let pieces = parallel::map_items(self.by_group()?, chunks.host, |(own, numbers)| {
            let read = || TextChunk::read_rows(&mut chunks.pages(own)?, &numbers);
            chunks.decode(own, || guarded(chunks.source, read))
        })?;
        let piece = |chunk| Piece { chunk, source: chunks.source };
        let pieces: Vec<_> = pieces.iter().map(piece).collect();
        room::texts(&pieces, chunks.host, ctx)?.ok_or_else(too_many)
    }
}

impl<N: Native> Rows<'_, N> {
    /// The groups that have some of the rows, and these.
    fn by_group(&self) -> Result<Vec<(&Group, RowsOfGroup<'_, N>)>> {
        let (mut left, mut first, mut parts) = (self.numbers, 0, Vec::new());
        for group in self.chunks.groups {
            let end = first + group.rows;
            let (own, rest) = left.split_at(left.partition_point(|number| (number.as_i64() as usize) < end));
            if !own.is_empty() {
                parts.push((
                    group,
                    RowsOfGroup { numbers: own, first, start: group.start, unpacked: self.unpacked },
                ));
            }
            (left, first) = (rest, end);
        }
        if left.is_empty() { Ok(parts) } else { Err(Error::logic("rows beyond the last one are wanted")) }
    }
}

/// Numbers of rows that are in one group.
pub(super) struct RowsOfGroup<'a, N> {
    numbers: &'a [N],
    /// The number of the first row of the group that is read, and its number in the row group.
    first: usize,
    start: usize,
    unpacked: &'a AtomicUsize,
}

/// The rows of a page that are wanted.
pub(super) struct SomeRows<'a, N> {
    numbers: &'a [N],
    /// The number of the first row of the page.
    first: usize,
    /// The places of the rows among those that are wanted of the group; at least one.
    pub(super) places: Range<usize>,
}

impl<N: Native> SomeRows<'_, N> {
    /// The rows in the page, in order.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.numbers.iter().map(|number| number.as_i64() as usize - self.first)
    }
}

impl<'a, N: Native> RowsOfGroup<'a, N> {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Calls `each` with every page that has some of the rows, its dictionary as `entries` makes it, these rows and the
    /// page's nulls. The dictionary.
    pub(super) fn pages<E: Default>(
        &self,
        pages: &mut Pages,
        entries: impl Fn(&[u8], usize) -> ParquetResult<E>,
        mut each: impl FnMut(&DataPage<'_>, &E, SomeRows<'a, N>, &Validity) -> ParquetResult<()>,
    ) -> ParquetResult<E> {
        let (mut made, mut at) = (E::default(), 0);
        while at < self.len() {
            let first = self.numbers[at].as_i64() as usize;
            pages.seek(first - self.first + self.start);
            let mut nulls = Validity::default();
            let page = match pages.next(&mut nulls)? {
                Some(Content::Dictionary { values, len }) => {
                    self.unpacked.fetch_add(len, Ordering::Relaxed);
                    made = entries(values, len)?;
                    continue;
                }
                Some(Content::Data(page)) => page,
                None => return Err(damaged("a column chunk ends before rows that are wanted")),
            };
            self.unpacked.fetch_add(page.rows.len(), Ordering::Relaxed);
            let end = first + page.rows.len();
            let own = self.numbers[at..].partition_point(|number| (number.as_i64() as usize) < end);
            if own > 0 {
                let places = at..at + own;
                each(
                    &page,
                    &made,
                    SomeRows { numbers: &self.numbers[places.clone()], first, places },
                    &nulls,
                )?;
            }
            at += own;
        }
        Ok(made)
    }
}

/// Decodes the rows of a chunk to `out`, which is written whole where there is no error.
fn fixed_rows<D: Decode, N: Native>(
    pages: &mut Pages,
    rows: &RowsOfGroup<'_, N>,
    out: &mut [MaybeUninit<D::Value>],
    decode: &D,
) -> ParquetResult<Validity> {
    let (mut validity, mut scratch) = (Validity::default(), Vec::new());
    let entries = |values: &[u8], len| decode.entries(values, len);
    rows.pages(pages, entries, |page, made, some, nulls| {
        // Values behind the last row that is wanted are not decoded.
        let needed = some.rows().next_back().map_or(0, |last| last + 1);
        let has_nulls = nulls.nulls() > 0;
        let valid = if has_nulls { page.valid } else { needed };
        if scratch.len() < page.rows.len() {
            scratch.resize_with(page.rows.len(), MaybeUninit::uninit);
        }
        page_values(page, made, decode, &mut scratch[..valid])?;
        let values = &mut scratch[..page.rows.len()];
        if has_nulls {
            spread(values, page.valid, MaybeUninit::new(D::Value::zeroed()), |row| nulls.get(row));
            let places = some.places.clone().zip(some.rows());
            places.filter(|&(_, row)| !nulls.get(row)).for_each(|(place, _)| validity.clear(place));
        }
        for (slot, row) in out[some.places.clone()].iter_mut().zip(some.rows()) {
            *slot = values[row];
        }
        Ok(())
    })?;
    Ok(validity)
}

impl Chunks<'_> {
    pub(super) fn pages(&self, own: &Group) -> ParquetResult<Pages> {
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
    pub(super) fn decode<R>(&self, own: &Group, decode: impl FnOnce() -> Result<R>) -> Result<R> {
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
pub(super) trait Decode: Sync {
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

/// Decimals of so many bytes each, 1 to 16, the highest first, and what they are in a column.
struct DecimalBytes<F>(usize, F);

impl<F> DecimalBytes<F> {
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

impl<T: Stored, F: Fn(i128) -> T + Sync> Decode for DecimalBytes<F> {
    type Value = T;
    type Entry = i128;

    fn plain(&self, page: &[u8], first: usize, out: &mut [MaybeUninit<T>]) -> ParquetResult<()> {
        let (len, mut slots) = (out.len(), out.iter_mut());
        self.each(page, first, len, |value| {
            if let Some(slot) = slots.next() {
                slot.write(self.1(value));
            }
        })
    }

    fn entries(&self, page: &[u8], len: usize) -> ParquetResult<Vec<i128>> {
        let mut entries = Vec::with_capacity(len.min(page.len()));
        self.each(page, 0, len, |value| entries.push(value))?;
        Ok(entries)
    }

    #[inline(always)]
    fn value(&self, entry: i128) -> T {
        self.1(entry)
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
        page_values(&page, &made, decode, &mut out[..page.valid])?;
        let null = MaybeUninit::new(D::Value::zeroed());
        spread(out, page.valid, null, |row| validity.get(page.rows.start + row));
    }
    Ok(validity)
}

/// The first values of a page that are wanted, as many as `out` takes.
fn page_values<D: Decode>(
    page: &DataPage<'_>,
    made: &[D::Entry],
    decode: &D,
    out: &mut [MaybeUninit<D::Value>],
) -> ParquetResult<()> {
    match page.encoding {
        Encoding::PLAIN => decode.plain(page.values, page.before, out),
        Encoding::RLE => decode.runs(page.values, page.before, out),
        encoding => {
            let dictionary = decode.dictionary(page, made);
            look_up(&mut codes(page, encoding)?, decode, dictionary, out)
        }
    }
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
