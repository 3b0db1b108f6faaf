//! Decoding straight into columns: records of numbers, truths, times and texts, or of these and null.
//!
//! The memory of a column is taken once for the rows of all blocks. Where a file is odd, [`check`](super::check) says
//! what is wrong.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_schema::{DataType as ArrowType, Schema};
use cuprum_column::{Column, Context, DataType, Error, HostUVec, Native, Result};
use cuprum_runtime::parallel::MORSEL;
use jiter::JsonValue;

use super::blocks::Block;
use crate::places::{self, are_texts, each, split, sum};
use crate::room::{self, Room, Texts};
use crate::validity::Validity;

/// The most bytes of blocks in memory for a byte of the file; files of more are decoded block by block.
const MOST: usize = 64;

/// Encodings of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Boolean,
    Int,
    Long,
    /// So many bytes.
    Four,
    Eight,
    Text,
}

/// A field of the records.
pub(super) struct Shape {
    kind: Kind,
    /// The number of the branch that is null, of two.
    null: Option<u8>,
    data_type: DataType,
}

/// The fields of records, by the file's schema and the crate's; `None` where one of them is of a type that is
/// not decoded here.
pub(super) fn shapes(said: &[u8], schema: &Schema) -> Option<Vec<Shape>> {
    let said = JsonValue::parse(said, false).ok()?;
    let JsonValue::Array(own) = member(&said, "fields")? else { return None };
    if own.len() != schema.fields().len() || own.is_empty() {
        return None;
    }
    own.iter()
        .zip(schema.fields())
        .map(|(own, field)| {
            let (of, null) = match member(own, "type")? {
                JsonValue::Array(branches) => match &branches[..] {
                    [null, of] if text(null) == Some("null") => (of, Some(0)),
                    [of, null] if text(null) == Some("null") => (of, Some(1)),
                    _ => return None,
                },
                of => (of, None),
            };
            let name = text(of).or_else(|| text(member(of, "type")?))?;
            let kind = match (name, field.data_type()) {
                ("boolean", ArrowType::Boolean) => Kind::Boolean,
                ("int", ArrowType::Int32 | ArrowType::Date32) => Kind::Int,
                ("long", ArrowType::Int64 | ArrowType::Timestamp(..)) => Kind::Long,
                ("float", ArrowType::Float32) => Kind::Four,
                ("double", ArrowType::Float64) => Kind::Eight,
                ("string", ArrowType::Utf8) => Kind::Text,
                _ => return None,
            };
            let data_type = match field.data_type() {
                ArrowType::Timestamp(unit, _) => DataType::from_arrow(&ArrowType::Timestamp(*unit, None)),
                other => DataType::from_arrow(other),
            };
            (field.is_nullable() == null.is_some()).then_some(Shape {
                kind,
                null,
                data_type: data_type.ok()?,
            })
        })
        .collect()
}

/// A member of an object.
pub(super) fn member<'a>(of: &'a JsonValue<'_>, name: &str) -> Option<&'a JsonValue<'a>> {
    let JsonValue::Object(members) = of else { return None };
    // Of two of a name neither is believed.
    let mut found = members.iter().filter(|(own, _)| own == name);
    found.next().filter(|_| found.next().is_none()).map(|(_, value)| value)
}

/// The text of a JSON string.
pub(super) fn text<'a>(of: &'a JsonValue<'_>) -> Option<&'a str> {
    if let JsonValue::Str(text) = of { Some(text) } else { None }
}

/// Something for the values of a column, by their size.
enum BySize<One, Four, Eight, Texts> {
    /// Nobody wants them.
    None,
    One(One),
    Four(Four),
    Eight(Eight),
    Texts(Texts),
}

/// The offset of a text in the content of its block, and its length.
type Span = MaybeUninit<[u32; 2]>;

/// The memory of a column.
type Memory = BySize<Room<u8>, Room<u32>, Room<u64>, HostUVec<Span>>;

/// The place of some rows in it.
type Place<'a> = BySize<room::Place<'a, u8>, room::Place<'a, u32>, room::Place<'a, u64>, &'a mut [Span]>;

/// The memory of some rows.
type Slots<'a> =
    BySize<&'a mut [MaybeUninit<u8>], &'a mut [MaybeUninit<u32>], &'a mut [MaybeUninit<u64>], &'a mut [Span]>;

impl Memory {
    fn new(kind: Kind, rows: usize, (host, ctx): (&Context, &Context)) -> Result<Self> {
        Ok(match kind {
            Kind::Boolean => Self::One(Room::new(rows, ctx)?),
            Kind::Int | Kind::Four => Self::Four(Room::new(rows, ctx)?),
            Kind::Long | Kind::Eight => Self::Eight(Room::new(rows, ctx)?),
            Kind::Text => Self::Texts(HostUVec::uninit(rows, host)?),
        })
    }
}

impl Place<'_> {
    fn slots(&mut self, rows: Range<usize>, host: &Context) -> Result<Slots<'_>> {
        Ok(match self {
            BySize::None => BySize::None,
            BySize::One(place) => BySize::One(&mut place.values(host)?[rows]),
            BySize::Four(place) => BySize::Four(&mut place.values(host)?[rows]),
            BySize::Eight(place) => BySize::Eight(&mut place.values(host)?[rows]),
            BySize::Texts(spans) => BySize::Texts(&mut spans[rows]),
        })
    }

    /// # Safety
    /// Every value has been written.
    unsafe fn finish(self) -> Result<()> {
        // SAFETY: the caller has written every value.
        unsafe {
            match self {
                BySize::One(place) => place.finish(),
                BySize::Four(place) => place.finish(),
                BySize::Eight(place) => place.finish(),
                BySize::None | BySize::Texts(_) => Ok(()),
            }
        }
    }
}

/// Calls `work` with a place in every column for each of the lengths.
fn in_places<R>(
    memory: &mut [Memory],
    lengths: &[usize],
    mut places: Vec<Vec<Place<'_>>>,
    work: impl FnOnce(Vec<Vec<Place<'_>>>) -> Result<R>,
) -> Result<R> {
    fn with<'a, P>(
        mut places: Vec<Vec<Place<'a>>>,
        own: Vec<P>,
        place: impl Fn(P) -> Place<'a>,
    ) -> Vec<Vec<Place<'a>>> {
        places.iter_mut().zip(own).for_each(|(places, own)| places.push(place(own)));
        places
    }
    let Some((first, rest)) = memory.split_first_mut() else { return work(places) };
    let each = lengths.iter().copied();
    match first {
        BySize::None => {
            for places in &mut places {
                places.push(BySize::None);
            }
            in_places(rest, lengths, places, work)
        }
        BySize::One(room) => {
            room.in_places(each, |own| in_places(rest, lengths, with(places, own, BySize::One), work))
        }
        BySize::Four(room) => {
            room.in_places(each, |own| in_places(rest, lengths, with(places, own, BySize::Four), work))
        }
        BySize::Eight(room) => {
            room.in_places(each, |own| in_places(rest, lengths, with(places, own, BySize::Eight), work))
        }
        BySize::Texts(spans) => {
            in_places(rest, lengths, with(places, split(spans, each), BySize::Texts), work)
        }
    }
}

/// Validity and size of some decoded rows of a column.
#[derive(Default)]
struct Found {
    validity: Validity,
    /// Of all texts.
    bytes: usize,
}

/// Some rows of a block that have been decoded.
struct Part<'a> {
    /// The content of the block, where somebody wants its texts.
    content: Arc<Cow<'a, [u8]>>,
    rows: usize,
    /// For every field.
    found: Vec<Found>,
}

/// Blocks that a thread decodes one after the other: each by itself, and for a GPU as many as are worth a copy of every
/// column.
fn runs<'b>(blocks: &'b [&'b Block], worth: usize) -> Vec<&'b [&'b Block]> {
    let mut rows = 0usize;
    let ends_run = |block: &&Block| {
        rows = rows.saturating_add(block.rows);
        let is_worth = rows >= worth;
        rows = if is_worth { 0 } else { rows };
        is_worth
    };
    blocks.split_inclusive(ends_run).collect()
}

/// The columns at `positions` of the blocks' records, each of which `unpack` unpacks, on the device of the context: the
/// host decodes some rows, which are copied while others are decoded. `None` where that does not work out.
pub(super) fn columns<'a>(
    shapes: &[Shape],
    positions: &[usize],
    blocks: &[&Block],
    file_len: usize,
    unpack: impl Fn(&Block) -> Option<Cow<'a, [u8]>> + Sync + Send,
    (host, ctx): (&Context, &Context),
) -> Result<Option<Vec<Column>>> {
    let most = file_len.saturating_mul(MOST);
    let Some(rows) = sum(blocks.iter().map(|block| block.rows)) else { return Ok(None) };
    // Every field takes a byte at least. Memory is taken for what there can be, not for what a block says.
    if rows.saturating_mul(shapes.len()) > most {
        return Ok(None);
    }
    let runs = runs(blocks, if ctx.is_on_gpu() { MORSEL } else { 0 });
    // The rows of each stretch, of which a run has some.
    let stretches: Vec<Vec<usize>> = runs
        .iter()
        .map(|run| {
            let rows: usize = run.iter().map(|block| block.rows).sum();
            (0..rows).step_by(MORSEL).map(|start| MORSEL.min(rows - start)).collect()
        })
        .collect();
    let lengths: Vec<usize> = stretches.iter().flatten().copied().collect();
    let of_field = |(i, shape): (usize, &Shape)| {
        if positions.contains(&i) { Memory::new(shape.kind, rows, (host, ctx)) } else { Ok(Memory::None) }
    };
    let mut memory = shapes.iter().enumerate().map(of_field).collect::<Result<Vec<Memory>>>()?;
    let has_texts = memory.iter().any(|memory| matches!(memory, BySize::Texts(_)));
    let total = AtomicUsize::new(0);
    let content = |block: &Block| {
        if total.load(Ordering::Relaxed) > most {
            return None;
        }
        let content = unpack(block)?;
        total.fetch_add(content.len(), Ordering::Relaxed);
        u32::try_from(content.len()).is_ok().then_some(content)
    };
    let decode = |(run, lengths, mut places): (&[&Block], &[usize], std::vec::IntoIter<Vec<Place<'_>>>)| {
        let mut parts = Vec::with_capacity(run.len());
        let mut lengths = lengths.iter();
        // The stretch that is filled, how long it is, and how far it is.
        let (mut own, mut len, mut at) = (Vec::new(), 0, 0);
        for block in run {
            host.check()?;
            let Some(content) = content(block) else { return Ok(None) };
            let mut input = Input { content: &content, at: 0 };
            let (mut left, mut found) = (block.rows, Vec::new());
            while left > 0 {
                if at == len {
                    let (Some(next), Some(&next_len)) = (places.next(), lengths.next()) else {
                        return Err(Error::logic("stretches are shorter than their blocks"));
                    };
                    (own, len, at) = (next, next_len, 0);
                }
                let rows = left.min(len - at);
                let slots = own.iter_mut().map(|place| place.slots(at..at + rows, host));
                let mut slots = slots.collect::<Result<Vec<_>>>()?;
                let Some(records) = input.records(shapes, rows, &mut slots) else { return Ok(None) };
                found.push((rows, records));
                (left, at) = (left - rows, at + rows);
                if at == len {
                    // SAFETY: `records` has written every row of the stretch.
                    own.drain(..).try_for_each(|place| unsafe { place.finish() })?;
                }
            }
            if input.at != content.len() {
                return Ok(None);
            }
            let content = Arc::new(if has_texts { content } else { Cow::Borrowed(&[][..]) });
            let part = |(rows, found)| Part { content: Arc::clone(&content), rows, found };
            parts.extend(found.into_iter().map(part));
        }
        Ok(Some(parts))
    };
    let places = lengths.iter().map(|_| Vec::with_capacity(shapes.len())).collect();
    let parts = in_places(&mut memory, &lengths, places, |places| {
        let mut places = places.into_iter();
        let mut work = Vec::with_capacity(runs.len());
        for (run, lengths) in runs.iter().zip(&stretches) {
            let places: Vec<_> = places.by_ref().take(lengths.len()).collect();
            work.push((*run, &lengths[..], places.into_iter()));
        }
        each(work, host, decode)
    })?;
    let Some(parts) = parts else { return Ok(None) };
    let parts: Vec<Part<'_>> = parts.into_iter().flatten().collect();
    let mut columns: Vec<Option<Column>> = Vec::with_capacity(shapes.len());
    for (i, (memory, shape)) in memory.into_iter().zip(shapes).enumerate() {
        let of = |values| {
            let validity = parts.iter().map(|part| (&part.found[i].validity, part.rows));
            let mask = room::mask(validity, rows, host, ctx)?;
            Column::from_buffer(shape.data_type, rows, values, mask).map(Some)
        };
        // SAFETY: `records` has written every row of every part, and the parts cover the column.
        let column = unsafe {
            match memory {
                BySize::None => None,
                BySize::One(values) => of(values.assume_init()?)?,
                BySize::Four(values) => of(values.assume_init()?)?,
                BySize::Eight(values) => of(values.assume_init()?)?,
                BySize::Texts(mut values) => {
                    let spans = split(&mut values, parts.iter().map(|part| part.rows));
                    let pieces: Vec<Piece<'_>> = spans
                        .into_iter()
                        .zip(&parts)
                        .map(|(spans, part)| Piece {
                            content: &part.content,
                            spans: spans.assume_init_ref(),
                            found: &part.found[i],
                        })
                        .collect();
                    let Some(column) = room::texts(&pieces, host, ctx)? else { return Ok(None) };
                    Some(column)
                }
            }
        };
        columns.push(column);
    }
    Ok(positions.iter().map(|&i| columns.get(i).cloned().flatten()).collect())
}

/// Texts in the content of a block.
struct Piece<'a> {
    content: &'a [u8],
    spans: &'a [[u32; 2]],
    found: &'a Found,
}

// SAFETY: the lengths of the spans add up to `bytes`, as `Input::value` has counted them, and as many characters are
// written one behind the other; they are looked at.
unsafe impl Texts for Piece<'_> {
    fn rows(&self) -> usize {
        self.spans.len()
    }

    fn validity(&self) -> &Validity {
        &self.found.validity
    }

    fn bytes(&self) -> usize {
        self.found.bytes
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        let mut at = 0;
        for (end, &[start, len]) in ends.iter_mut().zip(self.spans) {
            places::copy(self.content, start as usize, len as usize, chars, at);
            at += len as usize;
            end.write(O::from_i64((base + at) as i64));
        }
        // SAFETY: both have just been written: there are as many spans as rows.
        Ok(unsafe { are_texts(chars, base, ends) }.then_some(()))
    }
}

/// The content of a block, and how far it has been read.
pub(super) struct Input<'a> {
    pub(super) content: &'a [u8],
    pub(super) at: usize,
}

impl Input<'_> {
    /// Reads the next records, of which every place has a row for each.
    fn records(&mut self, shapes: &[Shape], rows: usize, places: &mut [Slots<'_>]) -> Option<Vec<Found>> {
        let mut found: Vec<Found> = shapes.iter().map(|_| Found::default()).collect();
        for row in 0..rows {
            for ((shape, place), found) in shapes.iter().zip(&mut *places).zip(&mut found) {
                if let Some(null) = shape.null {
                    let branch = self.bytes::<1>()?[0];
                    if branch == null << 1 {
                        found.validity.clear(row);
                        match place {
                            BySize::None => {}
                            BySize::One(place) => _ = place[row].write(0),
                            BySize::Four(place) => _ = place[row].write(0),
                            BySize::Eight(place) => _ = place[row].write(0),
                            BySize::Texts(place) => _ = place[row].write([0, 0]),
                        }
                        continue;
                    }
                    if branch != (1 - null) << 1 {
                        return None;
                    }
                }
                self.value(shape.kind, row, place, found)?;
            }
        }
        Some(found)
    }

    #[inline(always)]
    fn value(&mut self, kind: Kind, row: usize, place: &mut Slots<'_>, found: &mut Found) -> Option<()> {
        match kind {
            Kind::Boolean => {
                let value = self.bytes::<1>()?[0];
                if value > 1 {
                    return None;
                }
                if let BySize::One(place) = place {
                    place[row].write(value);
                }
            }
            Kind::Int | Kind::Four => {
                let value = match kind {
                    Kind::Int => i32::try_from(self.long()?).ok()?.cast_unsigned(),
                    _ => u32::from_le_bytes(self.bytes()?),
                };
                if let BySize::Four(place) = place {
                    place[row].write(value);
                }
            }
            Kind::Long | Kind::Eight => {
                let value = match kind {
                    Kind::Long => self.long()?.cast_unsigned(),
                    _ => u64::from_le_bytes(self.bytes()?),
                };
                if let BySize::Eight(place) = place {
                    place[row].write(value);
                }
            }
            Kind::Text => {
                let len = usize::try_from(self.long()?).ok()?;
                let start = self.at;
                if len > self.content.len() - start {
                    return None;
                }
                self.at += len;
                if let BySize::Texts(place) = place {
                    // A content has less than 2³² bytes.
                    place[row].write([start as u32, len as u32]);
                    found.bytes += len;
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.content[self.at..].first_chunk()?;
        self.at += N;
        Some(bytes)
    }

    /// A number of variable length.
    #[inline(always)]
    pub(super) fn long(&mut self) -> Option<i64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.bytes::<1>()?[0];
            // The tenth has one bit of a number.
            if shift == 63 && byte > 1 {
                return None;
            }
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed());
            }
        }
        None
    }
}
