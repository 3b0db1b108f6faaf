//! Decoding straight into columns: records of numbers, truths, times and texts, or of these and null.
//!
//! The memory of a column is taken once for the rows of all blocks. Where a file is odd, [`check`](super::check) says
//! what is wrong.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_schema::{DataType as ArrowType, Schema};
use cuprum_column::{Column, Context, DataType, HostUVec, Native, Result};
use cuprum_runtime::parallel::MORSEL;
use jiter::JsonValue;
use rayon::prelude::*;

use super::blocks::Block;
use crate::places::{self, are_texts, each, split};
use crate::room::{self, Texts};
use crate::validity::{self, Validity};

/// How many times the bytes of a file blocks may have in memory; files of more are decoded block by block.
const MOST: usize = 64;

/// How a value is written.
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
    /// Which of two branches null is.
    null: Option<u8>,
    data_type: DataType,
}

/// What the fields of records are, of which a file says this and the crate that; `None` where one of them is
/// something else.
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

/// What is a text.
pub(super) fn text<'a>(of: &'a JsonValue<'_>) -> Option<&'a str> {
    if let JsonValue::Str(text) = of { Some(text) } else { None }
}

/// The memory of a column.
enum Memory {
    /// Nobody wants it.
    None,
    One(HostUVec<MaybeUninit<u8>>),
    Four(HostUVec<MaybeUninit<u32>>),
    Eight(HostUVec<MaybeUninit<u64>>),
    /// Where texts are in the content of their block, and how long they are.
    Texts(HostUVec<MaybeUninit<[u32; 2]>>),
}

/// The place of some rows in it.
enum Place<'a> {
    None,
    One(&'a mut [MaybeUninit<u8>]),
    Four(&'a mut [MaybeUninit<u32>]),
    Eight(&'a mut [MaybeUninit<u64>]),
    Texts(&'a mut [MaybeUninit<[u32; 2]>]),
}

/// What is known of the values of a column in some rows once they have been decoded.
#[derive(Default)]
struct Found {
    validity: Validity,
    /// Of all texts.
    bytes: usize,
}

/// The columns at `positions` of the blocks' records, each of which `unpack` unpacks, on the device of the context:
/// records are decoded by the host, texts and the columns of others are copied as they are ready. `None` where that
/// does not work out.
pub(super) fn columns<'a>(
    shapes: &[Shape],
    positions: &[usize],
    blocks: &[&Block],
    file_len: usize,
    unpack: impl Fn(&Block) -> Option<Cow<'a, [u8]>> + Sync + Send,
    (host, ctx): (&Context, &Context),
) -> Result<Option<Vec<Column>>> {
    let total = AtomicUsize::new(0);
    let contents = each(blocks.par_iter(), host, |block| {
        if total.load(Ordering::Relaxed) > file_len.saturating_mul(MOST) {
            return None;
        }
        let content = unpack(block)?;
        total.fetch_add(content.len(), Ordering::Relaxed);
        // A record has a byte at least. Memory is taken for what there is, not for what a block says.
        (block.rows <= content.len() && u32::try_from(content.len()).is_ok()).then_some(content)
    })?;
    let Some(contents) = contents else { return Ok(None) };
    // The rows of each piece; a block has one, or some of `MORSEL` rows.
    let pieces: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| (0..block.rows).step_by(MORSEL).map(|start| MORSEL.min(block.rows - start)).collect())
        .collect();
    let lengths = || pieces.iter().flatten().copied();
    let Some(rows) = lengths().try_fold(0, usize::checked_add) else { return Ok(None) };
    let mut memory = shapes
        .iter()
        .enumerate()
        .map(|(i, shape)| {
            Ok(match shape.kind {
                _ if !positions.contains(&i) => Memory::None,
                Kind::Boolean => Memory::One(HostUVec::uninit(rows, host)?),
                Kind::Int | Kind::Four => Memory::Four(HostUVec::uninit(rows, host)?),
                Kind::Long | Kind::Eight => Memory::Eight(HostUVec::uninit(rows, host)?),
                Kind::Text => Memory::Texts(HostUVec::uninit(rows, host)?),
            })
        })
        .collect::<Result<Vec<Memory>>>()?;
    let mut places: Vec<Vec<Place<'_>>> = lengths().map(|_| Vec::with_capacity(shapes.len())).collect();
    for memory in &mut memory {
        fn add<'m, T>(
            places: &mut [Vec<Place<'m>>],
            memory: &'m mut [MaybeUninit<T>],
            lengths: impl Iterator<Item = usize>,
            place: impl Fn(&'m mut [MaybeUninit<T>]) -> Place<'m>,
        ) {
            for (places, own) in places.iter_mut().zip(split(memory, lengths)) {
                places.push(place(own));
            }
        }
        match memory {
            Memory::None => places.iter_mut().for_each(|places| places.push(Place::None)),
            Memory::One(memory) => add(&mut places, memory, lengths(), Place::One),
            Memory::Four(memory) => add(&mut places, memory, lengths(), Place::Four),
            Memory::Eight(memory) => add(&mut places, memory, lengths(), Place::Eight),
            Memory::Texts(memory) => add(&mut places, memory, lengths(), Place::Texts),
        }
    }
    let mut places = places.into_iter();
    let work: Vec<_> = contents
        .iter()
        .zip(&pieces)
        .map(|(content, pieces)| {
            let places: Vec<Vec<Place<'_>>> = places.by_ref().take(pieces.len()).collect();
            (&content[..], pieces, places)
        })
        .collect();
    let found = each(work.into_par_iter(), host, |(content, pieces, mut places)| {
        let mut input = Input { content, at: 0 };
        let mut found = Vec::with_capacity(pieces.len());
        for (&rows, places) in pieces.iter().zip(&mut places) {
            found.push(input.records(shapes, rows, places)?);
        }
        (input.at == content.len()).then_some(found)
    })?;
    let Some(found) = found else { return Ok(None) };
    let found: Vec<Vec<Found>> = found.into_iter().flatten().collect();
    let contents: Vec<&[u8]> = contents
        .iter()
        .zip(&pieces)
        .flat_map(|(content, pieces)| pieces.iter().map(|_| &content[..]))
        .collect();
    let mut columns: Vec<Option<Column>> = Vec::with_capacity(shapes.len());
    for (i, (memory, shape)) in memory.into_iter().zip(shapes).enumerate() {
        let mask = || validity::join(found.iter().map(|own| &own[i].validity).zip(lengths()), rows, host);
        let of =
            |values| Column::from_buffer(shape.data_type, rows, values, mask()?)?.to_device(ctx).map(Some);
        // SAFETY: `records` has written every row of every place, and the places cover the column.
        let column = unsafe {
            match memory {
                Memory::None => None,
                Memory::One(values) => of(values.assume_init().into_buffer())?,
                Memory::Four(values) => of(values.assume_init().into_buffer())?,
                Memory::Eight(values) => of(values.assume_init().into_buffer())?,
                Memory::Texts(mut values) => {
                    let spans = split(&mut values, lengths());
                    let pieces: Vec<Piece<'_>> = spans
                        .into_iter()
                        .zip(&contents)
                        .zip(&found)
                        .map(|((spans, content), own)| Piece {
                            content,
                            spans: spans.assume_init_ref(),
                            found: &own[i],
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
    fn records(&mut self, shapes: &[Shape], rows: usize, places: &mut [Place<'_>]) -> Option<Vec<Found>> {
        let mut found: Vec<Found> = shapes.iter().map(|_| Found::default()).collect();
        for row in 0..rows {
            for ((shape, place), found) in shapes.iter().zip(&mut *places).zip(&mut found) {
                if let Some(null) = shape.null {
                    let branch = self.bytes::<1>()?[0];
                    if branch == null << 1 {
                        found.validity.clear(row);
                        match place {
                            Place::None => {}
                            Place::One(place) => _ = place[row].write(0),
                            Place::Four(place) => _ = place[row].write(0),
                            Place::Eight(place) => _ = place[row].write(0),
                            Place::Texts(place) => _ = place[row].write([0, 0]),
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
    fn value(&mut self, kind: Kind, row: usize, place: &mut Place<'_>, found: &mut Found) -> Option<()> {
        match kind {
            Kind::Boolean => {
                let value = self.bytes::<1>()?[0];
                if value > 1 {
                    return None;
                }
                if let Place::One(place) = place {
                    place[row].write(value);
                }
            }
            Kind::Int | Kind::Four => {
                let value = match kind {
                    Kind::Int => i32::try_from(self.long()?).ok()?.cast_unsigned(),
                    _ => u32::from_le_bytes(self.bytes()?),
                };
                if let Place::Four(place) = place {
                    place[row].write(value);
                }
            }
            Kind::Long | Kind::Eight => {
                let value = match kind {
                    Kind::Long => self.long()?.cast_unsigned(),
                    _ => u64::from_le_bytes(self.bytes()?),
                };
                if let Place::Eight(place) = place {
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
                if let Place::Texts(place) = place {
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
