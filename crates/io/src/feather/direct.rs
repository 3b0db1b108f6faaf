//! Decoding straight into columns: packed buffers of numbers, times and texts that are not nested.
//!
//! The memory of a column is taken once, and every batch is unpacked into its place by a task of its own. Odd
//! batches are left to the `arrow-ipc` crate, which reports the fault.

use std::mem::MaybeUninit;

use arrow_ipc::{CompressionType, RecordBatch};
use arrow_schema::{DataType as ArrowType, Schema};
use bytemuck::Pod;
use cuprum_column::null_mask::Bitmap;
use cuprum_column::{Column, Context, DataType, Native, Result};
use cuprum_runtime::{host_vec, parallel};

use super::lz4;
use super::messages::NOT_COMPRESSED;
use crate::places::{BLOCK, are_texts, copy, each};
use crate::room::{self, Texts};
use crate::validity::Validity;

/// The buffers of one column in one batch.
struct Part<'a> {
    rows: usize,
    nulls: usize,
    codec: CompressionType,
    buffers: Vec<&'a [u8]>,
}

/// The columns at `positions` in batches with what their bodies are, on the device of the context; `None` for those
/// that this does not decode.
pub(super) fn columns(
    schema: &Schema,
    positions: &[usize],
    batches: &[(RecordBatch<'_>, &[u8])],
    (host, ctx): (&Context, &Context),
) -> Result<Vec<Option<Column>>> {
    let parts: Vec<Vec<Part<'_>>> = batches.iter().map(|(batch, body)| parts(schema, *batch, body)).collect();
    parallel::map_items(positions, host, |&position| {
        let own: Option<Vec<&Part<'_>>> = parts.iter().map(|batch| batch.get(position)).collect();
        match own.filter(|own| !own.is_empty()) {
            Some(own) => column(schema.field(position).data_type(), &own, (host, ctx)),
            None => Ok(None),
        }
    })
}

/// The buffers of the first columns of a batch: of all where it is packed, up to the first that is nested.
fn parts<'a>(schema: &Schema, batch: RecordBatch<'a>, body: &'a [u8]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let (Some(compression), Ok(rows)) = (batch.compression(), usize::try_from(batch.length())) else {
        return parts;
    };
    let mut nodes = batch.nodes().into_iter().flatten();
    let mut buffers = batch.buffers().into_iter().flatten();
    let mut counts = batch.variadicBufferCounts().into_iter().flatten();
    for field in schema.fields() {
        let count = match field.data_type() {
            ArrowType::Null => Some(0),
            ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Binary | ArrowType::LargeBinary => Some(3),
            ArrowType::Utf8View | ArrowType::BinaryView => {
                counts.next().and_then(|count| usize::try_from(count).ok()?.checked_add(2))
            }
            ArrowType::Boolean | ArrowType::FixedSizeBinary(_) | ArrowType::Dictionary(..) => Some(2),
            other => other.is_primitive().then_some(2),
        };
        let (Some(count), Some(node)) = (count, nodes.next()) else { break };
        let place = |buffer: &arrow_ipc::Buffer| {
            let (start, len) =
                (usize::try_from(buffer.offset()).ok()?, usize::try_from(buffer.length()).ok()?);
            body.get(start..start.checked_add(len)?)
        };
        let own: Vec<&[u8]> = buffers.by_ref().take(count).map_while(place).collect();
        let Ok(nulls) = usize::try_from(node.null_count()) else { break };
        if own.len() != count || usize::try_from(node.length()) != Ok(rows) {
            break;
        }
        parts.push(Part { rows, nulls, codec: compression.codec(), buffers: own });
    }
    parts
}

/// Contexts of the host and of the device that columns are wanted on.
type Contexts<'a> = (&'a Context, &'a Context);

fn column(arrow: &ArrowType, parts: &[&Part<'_>], to: Contexts<'_>) -> Result<Option<Column>> {
    let data_type = match arrow {
        ArrowType::Timestamp(unit, _) => DataType::from_arrow(&ArrowType::Timestamp(*unit, None))?,
        ArrowType::Date32 | ArrowType::Duration(_) => DataType::from_arrow(arrow)?,
        other if other.is_integer() || matches!(other, ArrowType::Float32 | ArrowType::Float64) => {
            DataType::from_arrow(other)?
        }
        ArrowType::Utf8 => return texts(parts, Offsets::<i32>::read, to),
        ArrowType::LargeUtf8 => return texts(parts, Offsets::<i64>::read, to),
        ArrowType::Utf8View => return texts(parts, Views::read, to),
        _ => return Ok(None),
    };
    match data_type.size() {
        Some(1) => fixed::<u8>(data_type, parts, to),
        Some(2) => fixed::<u16>(data_type, parts, to),
        Some(4) => fixed::<u32>(data_type, parts, to),
        Some(8) => fixed::<u64>(data_type, parts, to),
        _ => Ok(None),
    }
}

fn fixed<T: Native + Pod>(
    data_type: DataType,
    parts: &[&Part<'_>],
    to: Contexts<'_>,
) -> Result<Option<Column>> {
    // Memory is taken for what there is, not for what a batch says.
    if !parts.iter().all(|part| part.holds(1, part.rows, size_of::<T>())) {
        return Ok(None);
    }
    let pieces = parts.iter().map(|&part| (part, part.rows)).collect();
    let fill = |part: &Part<'_>, place: &mut [MaybeUninit<T>]| {
        Ok(part.unpack(1, bytes_of(place)).and_then(|()| part.validity()))
    };
    // SAFETY: `unpack` fills the place, or has nothing to give.
    unsafe { room::fixed(data_type, pieces, to, fill) }
}

fn texts<'a, T: Texts>(
    parts: &[&'a Part<'a>],
    read: impl Fn(&'a Part<'a>) -> Option<T> + Sync + Send,
    (host, ctx): Contexts<'_>,
) -> Result<Option<Column>> {
    match each(parts, host, |&part| Ok(read(part)))? {
        Some(pieces) => room::texts(&pieces, host, ctx),
        None => Ok(None),
    }
}

/// Texts with their offsets.
struct Offsets<'a, O> {
    part: &'a Part<'a>,
    /// The offsets; none without rows.
    bounds: Vec<O>,
    validity: Validity,
}

impl<'a, O: Pod + Into<i64> + Send + Sync> Offsets<'a, O> {
    fn read(part: &'a Part<'a>) -> Option<Self> {
        let len = if part.rows == 0 { 0 } else { part.rows.checked_add(1)? };
        let offsets: Vec<O> = part.values(1, len)?;
        let last =
            offsets.iter().try_fold(0, |last, &offset| Some(offset.into()).filter(|&own| last <= own))?;
        if usize::try_from(last).ok()? > part.len(2)? {
            return None;
        }
        Some(Offsets { part, bounds: offsets, validity: part.validity()? })
    }

    fn first(&self) -> usize {
        self.bounds.first().map_or(0, |&offset| offset.into() as usize)
    }
}

// SAFETY: `unpack` fills the characters; there is an end for each row, they were checked not to decrease, the last is as
// far behind the first as there are characters, and the characters are looked at.
unsafe impl<F: Pod + Into<i64> + Send + Sync> Texts for Offsets<'_, F> {
    fn rows(&self) -> usize {
        self.part.rows
    }

    fn validity(&self) -> &Validity {
        &self.validity
    }

    fn bytes(&self) -> usize {
        self.bounds.last().map_or(0, |&offset| offset.into() as usize) - self.first()
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        let (part, first) = (self.part, self.first());
        let mut copy = || {
            if first == 0 {
                return part.unpack(2, chars);
            }
            let whole: Vec<u8> = part.values(2, part.len(2)?)?;
            chars.write_copy_of_slice(&whole[first..first + chars.len()]);
            Some(())
        };
        if copy().is_none() {
            return Ok(None);
        }
        for (slot, &end) in ends.iter_mut().zip(self.bounds.iter().skip(1)) {
            slot.write(O::from_i64((base + (end.into() as usize - first)) as i64));
        }
        // SAFETY: both have just been written: there are as many bounds as rows, and one.
        Ok(unsafe { are_texts(chars, base, ends) }.then_some(()))
    }
}

/// Texts that are short and stand in their views, or are somewhere in other buffers.
struct Views<'a> {
    part: &'a Part<'a>,
    /// Four bytes of length; then the text, or four of its bytes, the number of a buffer and a place in it.
    rows: Vec<[u8; 16]>,
    validity: Validity,
    bytes: usize,
    /// Whether the other buffers hold the texts one behind the other, and none stands in its view.
    in_a_row: bool,
}

/// The longest text that stands in its view.
const INLINE: usize = 12;

impl<'a> Views<'a> {
    fn read(part: &'a Part<'a>) -> Option<Self> {
        let views: Vec<[u8; 16]> = part.values(1, part.rows)?;
        let validity = part.validity()?;
        let mut this = Views { part, rows: views, validity, bytes: 0, in_a_row: true };
        // The place behind the text before.
        let (mut buffer, mut at) = (0, 0);
        let (mut bytes, mut in_a_row) = (0usize, true);
        for (row, view) in this.rows.iter().enumerate() {
            let len = this.len(row);
            bytes = bytes.checked_add(len)?;
            if len == 0 || !in_a_row {
                continue;
            }
            while at == part.len(2 + buffer).unwrap_or(usize::MAX) {
                (buffer, at) = (buffer + 1, 0);
            }
            in_a_row = len > INLINE && Self::word(view, 8) == buffer && Self::word(view, 12) == at;
            at = at.checked_add(len)?;
        }
        (this.bytes, this.in_a_row) = (bytes, in_a_row);
        Some(this)
    }

    fn word(view: &[u8; 16], at: usize) -> usize {
        u32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize
    }

    /// The texts that buffers hold one behind the other: these are the characters of the column.
    fn put_in_a_row<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Option<()> {
        let (mut rest, mut buffer) = (chars, 2);
        while !rest.is_empty() {
            let (place, behind) = rest.split_at_mut(self.part.len(buffer)?.min(rest.len()));
            self.part.unpack(buffer, place)?;
            (rest, buffer) = (behind, buffer + 1);
        }
        let mut at = base;
        for (row, end) in ends.iter_mut().enumerate() {
            at += self.len(row);
            end.write(O::from_i64(at as i64));
        }
        Some(())
    }

    fn put_each<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Option<()> {
        let mut others = Vec::new();
        for buffer in 2..self.part.buffers.len() {
            let len = self.part.len(buffer)?;
            let mut own: Vec<u8> = host_vec::with_capacity(len.checked_add(BLOCK)?).ok()?;
            let (place, behind) = own.spare_capacity_mut().split_at_mut(len);
            self.part.unpack(buffer, place)?;
            behind[..BLOCK].fill(MaybeUninit::new(0));
            // SAFETY: `unpack` has filled its place, and the block behind it has been written.
            unsafe { own.set_len(len + BLOCK) };
            others.push(own);
        }
        let mut at = 0;
        for ((row, view), end) in self.rows.iter().enumerate().zip(ends) {
            let len = self.len(row);
            if len <= INLINE {
                let mut block = [0; BLOCK];
                block[..INLINE].copy_from_slice(&view[4..]);
                copy(&block, 0, len, chars, at);
            } else {
                let (from, start) = (others.get(Self::word(view, 8))?, Self::word(view, 12));
                if start.checked_add(len)? > from.len() - BLOCK {
                    return None;
                }
                copy(from, start, len, chars, at);
            }
            at += len;
            end.write(O::from_i64((base + at) as i64));
        }
        Some(())
    }

    /// The length of a row; none of a null.
    fn len(&self, row: usize) -> usize {
        if self.validity.get(row) { Self::word(&self.rows[row], 0) } else { 0 }
    }
}

// SAFETY: there is a view for each row, whose lengths add up to `bytes`, and as many characters are written one behind
// the other; they are looked at.
unsafe impl Texts for Views<'_> {
    fn rows(&self) -> usize {
        self.part.rows
    }

    fn validity(&self) -> &Validity {
        &self.validity
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
        let put = if self.in_a_row {
            self.put_in_a_row(base, ends, chars)
        } else {
            self.put_each(base, ends, chars)
        };
        // SAFETY: where there is something, both have just been written.
        Ok(put.filter(|()| unsafe { are_texts(chars, base, ends) }))
    }
}

impl Part<'_> {
    /// The length of a buffer when it is unpacked.
    fn len(&self, buffer: usize) -> Option<usize> {
        let buffer = self.buffers.get(buffer)?;
        if buffer.is_empty() {
            return Some(0);
        }
        match i64::from_le_bytes(*buffer.first_chunk::<8>()?) {
            NOT_COMPRESSED => Some(buffer.len() - 8),
            len => usize::try_from(len).ok(),
        }
    }

    /// Whether a buffer has as many values.
    fn holds(&self, buffer: usize, values: usize, size: usize) -> bool {
        values.checked_mul(size).is_some_and(|bytes| self.len(buffer).is_some_and(|len| bytes <= len))
    }

    /// The first values of a buffer.
    fn values<T: Pod>(&self, buffer: usize, len: usize) -> Option<Vec<T>> {
        if !self.holds(buffer, len, size_of::<T>()) {
            return None;
        }
        let mut values: Vec<T> = host_vec::with_capacity(len).ok()?;
        self.unpack(buffer, bytes_of(&mut values.spare_capacity_mut()[..len]))?;
        // SAFETY: there is room for as many, which `unpack` has filled.
        unsafe { values.set_len(len) };
        Some(values)
    }

    fn validity(&self) -> Option<Validity> {
        let mut validity = Validity::default();
        if self.nulls > 0 {
            let bits: Vec<u8> = self.values(0, self.rows.div_ceil(8))?;
            let bits = Bitmap::new(&bits, 0, self.rows);
            for w in 0..self.rows.div_ceil(64) {
                validity.clear_zeros(w * 64, bits.word(w), (self.rows - w * 64).min(64));
            }
        }
        Some(validity)
    }

    /// Unpacks the start of a buffer to `out`, which it fills.
    fn unpack(&self, buffer: usize, out: &mut [MaybeUninit<u8>]) -> Option<()> {
        if out.is_empty() {
            return Some(());
        }
        let len = self.len(buffer)?;
        if len < out.len() {
            return None;
        }
        let (size, packed) = self.buffers.get(buffer)?.split_first_chunk::<8>()?;
        if i64::from_le_bytes(*size) == NOT_COMPRESSED {
            out.write_copy_of_slice(&packed[..out.len()]);
            return Some(());
        }
        if len > out.len() {
            let whole: Vec<u8> = self.values(buffer, len)?;
            out.write_copy_of_slice(&whole[..out.len()]);
            return Some(());
        }
        self.frame(packed, out)
    }

    fn frame(&self, packed: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<()> {
        match self.codec {
            CompressionType::LZ4_FRAME => lz4::unpack(packed, out),
            CompressionType::ZSTD => {
                let out = zeroed(out);
                let len = zstd::bulk::decompress_to_buffer(packed, out).ok()?;
                (len == out.len()).then_some(())
            }
            _ => None,
        }
    }
}

/// Memory of values as memory of their bytes.
fn bytes_of<T: Pod>(place: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    let len = size_of_val(place);
    // SAFETY: it is the same memory, borrowed as long; bytes have no alignment, and values may be of any bytes.
    unsafe { std::slice::from_raw_parts_mut(place.as_mut_ptr().cast(), len) }
}

/// Memory whose bytes are all 0, which costs little: it is then in the cache.
fn zeroed(place: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    place.fill(MaybeUninit::new(0));
    // SAFETY: it has just been written whole.
    unsafe { place.assume_init_mut() }
}
