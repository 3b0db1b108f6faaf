//! The columns of one stripe.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, ListArray, MapArray, PrimitiveArray,
    StringArray, StructArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType as ArrowType, TimeUnit};
use bytes::Bytes;
use cuprum_column::{Detail, Error, Result};
use cuprum_runtime::host_vec;

use super::blocks::Packing;
use super::footers::StripeFooter;
use super::input::Input;
use super::instants::{Clock, Unit};
use super::runs;
use super::schema::{Kind, Node};

/// Streams, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamKind {
    Present = 0,
    Data = 1,
    Length = 2,
    Dictionary = 3,
    Secondary = 5,
}

impl StreamKind {
    fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Data => "data",
            Self::Length => "length",
            Self::Dictionary => "dictionary",
            Self::Secondary => "secondary",
        }
    }
}

/// The encoding of numbers and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Encoding {
    is_second: bool,
    has_dictionary: bool,
}

/// The most bytes of a number in a stream, with its share of what describes a run.
const NUMBER: usize = 16;

/// A stripe that is decoded.
pub(super) struct Stripe<'a> {
    pub(super) input: &'a Input,
    pub(super) packing: Packing,
    pub(super) footer: &'a StripeFooter,
    pub(super) clock: &'a Clock,
    pub(super) has_short_decimals: bool,
    /// Days before October 15th, 1582 are Julian.
    pub(super) is_julian: bool,
}

/// The validity of some rows, within the valid rows of the column around them.
struct Presence {
    /// `None` where all have.
    valid: Option<NullBuffer>,
    rows: usize,
    /// The number of valid rows.
    count: usize,
}

impl Stripe<'_> {
    /// The column of `rows` rows, of which those have no value that `around` has none for.
    pub(super) fn column(&self, node: &Node, rows: usize, around: Option<&NullBuffer>) -> Result<ArrayRef> {
        let read = || {
            let presence = self.presence(node, rows, around)?;
            self.values(node, &presence)
        };
        read().map_err(|e| {
            // A column inside of this one has said already where it is.
            if matches!(e.detail(), Some(Detail::InColumn)) {
                e
            } else {
                e.context(format!("column '{}'", node.path)).with_detail(Detail::InColumn)
            }
        })
    }

    /// Fails where rows are missing as a whole.
    pub(super) fn check_rows(&self, top: &Node, rows: usize) -> Result<()> {
        if self.presence(top, rows, None)?.valid.is_some() {
            return Err(Error::unsupported("rows that are missing as a whole"));
        }
        Ok(())
    }

    fn presence(&self, node: &Node, rows: usize, around: Option<&NullBuffer>) -> Result<Presence> {
        let outer = rows - around.map_or(0, NullBuffer::null_count);
        let Some(packed) = self.packed(node, StreamKind::Present)? else {
            let valid = around.filter(|_| outer < rows).cloned();
            return Ok(Presence { valid, rows, count: outer });
        };
        let own =
            self.decode(StreamKind::Present, &packed, room(outer / 8, 2), |bytes| runs::bits(bytes, outer))?;
        let own = BooleanBuffer::new(Buffer::from_vec(own), 0, outer);
        let valid = match around.filter(|_| outer < rows) {
            None => own,
            // Those rows that have something around them, one after the other, have what `own` says.
            Some(around) => {
                let mut next = 0;
                BooleanBuffer::collect_bool(rows, |row| {
                    around.is_valid(row) && {
                        next += 1;
                        own.value(next - 1)
                    }
                })
            }
        };
        let count = valid.count_set_bits();
        let valid = (count < rows).then(|| NullBuffer::new(valid));
        Ok(Presence { valid, rows, count })
    }

    fn values(&self, node: &Node, presence: &Presence) -> Result<ArrayRef> {
        let count = presence.count;
        match &node.kind {
            Kind::Boolean => {
                let bits = self
                    .stream(node, StreamKind::Data, room(count / 8, 2), |bytes| runs::bits(bytes, count))?;
                let dense = BooleanBuffer::new(Buffer::from_vec(bits), 0, count);
                let values = match &presence.valid {
                    None => dense,
                    Some(valid) => {
                        let mut next = 0;
                        BooleanBuffer::collect_bool(presence.rows, |row| {
                            valid.is_valid(row) && {
                                next += 1;
                                dense.value(next - 1)
                            }
                        })
                    }
                };
                Ok(Arc::new(BooleanArray::new(values, presence.valid.clone())))
            }
            Kind::Byte => {
                let bytes =
                    self.stream(node, StreamKind::Data, room(count, 2), |bytes| runs::bytes(bytes, count))?;
                let values: Vec<i8> = bytemuck::cast_vec(bytes);
                presence.primitive::<Int8Type>(values, &node.field)
            }
            Kind::Integer(2) => {
                let values = self.narrow(node, count)?;
                presence.primitive::<Int16Type>(values, &node.field)
            }
            Kind::Integer(4) => {
                let values = self.narrow(node, count)?;
                presence.primitive::<Int32Type>(values, &node.field)
            }
            Kind::Integer(_) => {
                let values = self.numbers(node, StreamKind::Data, count, true)?;
                presence.primitive::<Int64Type>(values, &node.field)
            }
            Kind::Date => {
                let values: Vec<i32> = self.narrow(node, count)?;
                if self.is_julian && values.iter().any(|&day| day < super::instants::GREGORIAN) {
                    return Err(Error::unsupported("days of the Julian calendar, before 1582-10-15"));
                }
                presence.primitive::<Date32Type>(values, &node.field)
            }
            Kind::Float => {
                let values = self.fixed(node, count, f32::from_le_bytes)?;
                presence.primitive::<Float32Type>(values, &node.field)
            }
            Kind::Double => {
                let values = self.fixed(node, count, f64::from_le_bytes)?;
                presence.primitive::<Float64Type>(values, &node.field)
            }
            Kind::Timestamp { is_instant } => self.timestamps(node, presence, *is_instant),
            Kind::Decimal { precision, scale } => {
                let values = self.decimals(node, count, *precision, *scale)?;
                presence.primitive::<Decimal128Type>(values, &node.field)
            }
            Kind::String => self.texts(node, presence),
            Kind::Binary => {
                let (offsets, bytes) = self.pieces(node, presence)?;
                Ok(Arc::new(BinaryArray::try_new(offsets, bytes, presence.valid.clone()).map_err(damaged)?))
            }
            Kind::List => {
                let (offsets, rows) = self.offsets(node, presence)?;
                let items = self.column(&node.children[0], rows, None)?;
                let field = Arc::clone(&node.children[0].field);
                let list = ListArray::try_new(field, offsets, items, presence.valid.clone());
                Ok(Arc::new(list.map_err(damaged)?))
            }
            Kind::Map => {
                let (offsets, rows) = self.offsets(node, presence)?;
                let keys = self.column(&node.children[0], rows, None)?;
                let values = self.column(&node.children[1], rows, None)?;
                let ArrowType::Map(entries, _) = node.field.data_type() else {
                    unreachable!("the field was made for a map")
                };
                let ArrowType::Struct(fields) = entries.data_type() else {
                    unreachable!("the field was made for a map")
                };
                if keys.null_count() > 0 {
                    return Err(Error::invalid_argument("a key of a map is missing"));
                }
                let pairs =
                    StructArray::try_new(fields.clone(), vec![keys, values], None).map_err(damaged)?;
                let valid = presence.valid.clone();
                let map = MapArray::try_new(Arc::clone(entries), offsets, pairs, valid, false);
                Ok(Arc::new(map.map_err(damaged)?))
            }
            Kind::Struct => {
                let inside = |child| self.column(child, presence.rows, presence.valid.as_ref());
                let columns = node.children.iter().map(inside).collect::<Result<Vec<_>>>()?;
                let fields = node.children.iter().map(|child| Arc::clone(&child.field)).collect();
                let valid = presence.valid.clone();
                let rows = presence.rows;
                let of = StructArray::try_new_with_length(fields, columns, valid, rows);
                Ok(Arc::new(of.map_err(damaged)?))
            }
            Kind::Unknown(kind) => Err(Error::unsupported(format!("type {kind}"))),
        }
    }

    fn narrow<T: TryFrom<i64>>(&self, node: &Node, count: usize) -> Result<Vec<T>> {
        let values = self.numbers(node, StreamKind::Data, count, true)?;
        let mut narrow = host_vec::with_capacity(count)?;
        for value in values {
            narrow.push(T::try_from(value).map_err(|_| {
                Error::invalid_argument(format!("{value} is no number of {} bytes", size_of::<T>()))
            })?);
        }
        Ok(narrow)
    }

    fn fixed<const N: usize, T>(&self, node: &Node, count: usize, of: fn([u8; N]) -> T) -> Result<Vec<T>> {
        self.stream(node, StreamKind::Data, room(count, N), |bytes| {
            let (values, _) = bytes.as_chunks::<N>();
            let Some(values) = values.get(..count) else {
                let len = bytes.len();
                return Err(Error::invalid_argument(format!("byte {len}: the stream ends too early")));
            };
            host_vec::collect(values.iter().map(|&bytes| of(bytes)))
        })
    }

    fn timestamps(&self, node: &Node, presence: &Presence, is_instant: bool) -> Result<ArrayRef> {
        let count = presence.count;
        let mut seconds = self.numbers(node, StreamKind::Data, count, true)?;
        let nanos = self.numbers(node, StreamKind::Secondary, count, false)?;
        let ArrowType::Timestamp(unit, _) = node.field.data_type() else {
            unreachable!("the field was made for timestamps")
        };
        let unit = Unit::of(*unit);
        let reader = self.clock.reader(is_instant);
        for (second, &nanos) in seconds.iter_mut().zip(&nanos) {
            *second = reader.instant(*second, nanos, &unit)?;
        }
        if self.is_julian
            && let Some(first) = seconds.iter().min()
            && first.div_euclid(unit.per_second) < i64::from(super::instants::GREGORIAN) * 86_400
        {
            return Err(Error::unsupported("days of the Julian calendar, before 1582-10-15"));
        }
        match unit.unit {
            TimeUnit::Second => presence.primitive::<TimestampSecondType>(seconds, &node.field),
            TimeUnit::Millisecond => presence.primitive::<TimestampMillisecondType>(seconds, &node.field),
            TimeUnit::Microsecond => presence.primitive::<TimestampMicrosecondType>(seconds, &node.field),
            TimeUnit::Nanosecond => presence.primitive::<TimestampNanosecondType>(seconds, &node.field),
        }
    }

    fn decimals(&self, node: &Node, count: usize, precision: u8, scale: i8) -> Result<Vec<i128>> {
        let most = 10i128.pow(u32::from(precision));
        let fits = |value: i128| {
            if value.unsigned_abs() < most.unsigned_abs() {
                Ok(value)
            } else {
                Err(Error::invalid_argument(format!("a decimal has more than {precision} digits")))
            }
        };
        if self.has_short_decimals && precision <= 18 {
            let numbers = self.stream(node, StreamKind::Data, room(count, NUMBER), |bytes| {
                runs::numbers_v2(bytes, count, true)
            })?;
            let mut values = host_vec::with_capacity(count)?;
            for number in numbers {
                values.push(fits(i128::from(number))?);
            }
            return Ok(values);
        }
        let scales = self.numbers(node, StreamKind::Secondary, count, true)?;
        self.stream(node, StreamKind::Data, room(count, 20), |bytes| {
            let mut input = runs::Input::of(bytes);
            let mut values = host_vec::with_capacity(count)?;
            for own in scales {
                let value = input.wide()?;
                let rescaled = match i64::from(scale).checked_sub(own) {
                    Some(0) => Some(value),
                    Some(more @ 1..=38) => value.checked_mul(10i128.pow(more as u32)),
                    Some(less @ -38..=-1) => {
                        let by = 10i128.pow(-less as u32);
                        (value % by == 0).then(|| value / by)
                    }
                    _ => (value == 0).then_some(0),
                };
                let Some(value) = rescaled else {
                    return Err(Error::invalid_argument(format!(
                        "{value} with {own} digits behind the point is no decimal({precision}, {scale})"
                    )));
                };
                values.push(fits(value)?);
            }
            Ok(values)
        })
    }

    /// The offsets of lists, maps or texts, and the sum of their lengths.
    fn offsets(&self, node: &Node, presence: &Presence) -> Result<(OffsetBuffer<i32>, usize)> {
        let lengths = self.numbers(node, StreamKind::Length, presence.count, false)?;
        let offsets = presence.offsets(&lengths)?;
        let sum = offsets.last().copied().unwrap_or(0) as usize;
        Ok((offsets, sum))
    }

    fn pieces(&self, node: &Node, presence: &Presence) -> Result<(OffsetBuffer<i32>, Buffer)> {
        let (offsets, sum) = self.offsets(node, presence)?;
        let bytes = self.blob(node, StreamKind::Data, sum)?;
        Ok((offsets, bytes))
    }

    /// The first bytes of a stream.
    fn blob(&self, node: &Node, kind: StreamKind, len: usize) -> Result<Buffer> {
        let Some(packed) = self.packed(node, kind)? else {
            return if len == 0 { Ok(Buffer::default()) } else { Err(missing(kind)) };
        };
        let bytes = self.unpacked(kind, &packed, len)?;
        if bytes.len() < len {
            let have = bytes.len();
            return Err(Error::invalid_argument(format!(
                "{} stream: byte {have}: it ends too early: {len} bytes are wanted",
                kind.name()
            )));
        }
        Ok(match bytes {
            Cow::Owned(bytes) => Buffer::from_vec(bytes),
            Cow::Borrowed(bytes) => Buffer::from_vec(host_vec::collect(bytes.iter().copied())?),
        })
    }

    fn texts(&self, node: &Node, presence: &Presence) -> Result<ArrayRef> {
        let valid = presence.valid.clone();
        let encoding = self.encoding(node)?;
        if !encoding.has_dictionary {
            let (offsets, bytes) = self.pieces(node, presence)?;
            return Ok(Arc::new(StringArray::try_new(offsets, bytes, valid).map_err(damaged)?));
        }
        let size = self.footer.encodings[node.id as usize].dictionary;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let lengths = self.numbers(node, StreamKind::Length, size, false)?;
        let all = Presence { valid: None, rows: size, count: size };
        let offsets = all.offsets(&lengths)?;
        let sum = offsets.last().copied().unwrap_or(0) as usize;
        let bytes = self.blob(node, StreamKind::Dictionary, sum)?;
        let dictionary = StringArray::try_new(offsets, bytes, None).map_err(damaged)?;
        let keys = self.numbers(node, StreamKind::Data, presence.count, false)?;
        if let Some(key) = keys.iter().find(|&&key| key as u64 >= size as u64) {
            return Err(Error::invalid_argument(format!("entry {} of a dictionary of {size}", *key as u64)));
        }
        let mut lengths = host_vec::with_capacity(keys.len())?;
        lengths.extend(keys.iter().map(|&key| i64::from(dictionary.value_length(key as usize))));
        let offsets = presence.offsets(&lengths)?;
        let sum = offsets.last().copied().unwrap_or(0) as usize;
        let mut bytes: Vec<u8> = host_vec::with_capacity(sum)?;
        let (from, values) = (dictionary.value_offsets(), dictionary.value_data());
        for &key in &keys {
            let key = key as usize;
            bytes.extend_from_slice(&values[from[key] as usize..from[key + 1] as usize]);
        }
        // SAFETY: the bytes are whole texts of the dictionary, which are UTF-8, one after the other; the offsets are
        // the sums of their lengths, and those of rows without a value are the same twice.
        Ok(Arc::new(unsafe { StringArray::new_unchecked(offsets, Buffer::from_vec(bytes), valid) }))
    }

    /// The numbers of a stream, as the column has them.
    fn numbers(&self, node: &Node, kind: StreamKind, count: usize, signed: bool) -> Result<Vec<i64>> {
        let is_second = self.encoding(node)?.is_second;
        self.stream(node, kind, room(count, NUMBER), |bytes| {
            if is_second {
                runs::numbers_v2(bytes, count, signed)
            } else {
                runs::numbers_v1(bytes, count, signed)
            }
        })
    }

    fn encoding(&self, node: &Node) -> Result<Encoding> {
        let Some(encoding) = self.footer.encodings.get(node.id as usize) else {
            return Err(Error::invalid_argument("the stripe does not say how it is encoded"));
        };
        let (is_second, has_dictionary) = match encoding.kind {
            0 => (false, false),
            1 => (false, true),
            2 => (true, false),
            3 => (true, true),
            other => return Err(Error::unsupported(format!("encoding {other}"))),
        };
        if has_dictionary && node.kind != Kind::String {
            return Err(Error::invalid_argument("a dictionary of what is no text"));
        }
        Ok(Encoding { is_second, has_dictionary })
    }

    /// Decodes a stream of `count` values, in at most `limit` bytes. A missing stream has none.
    fn stream<R>(
        &self,
        node: &Node,
        kind: StreamKind,
        limit: usize,
        decode: impl FnOnce(&[u8]) -> Result<R>,
    ) -> Result<R> {
        match self.packed(node, kind)? {
            Some(packed) => self.decode(kind, &packed, limit, decode),
            None => decode(&[]).map_err(|_| missing(kind)),
        }
    }

    fn decode<R>(
        &self,
        kind: StreamKind,
        packed: &[u8],
        limit: usize,
        decode: impl FnOnce(&[u8]) -> Result<R>,
    ) -> Result<R> {
        let bytes = self.unpacked(kind, packed, limit)?;
        decode(&bytes).map_err(|e| e.context(format!("{} stream", kind.name())))
    }

    fn unpacked<'a>(&self, kind: StreamKind, packed: &'a [u8], limit: usize) -> Result<Cow<'a, [u8]>> {
        self.packing.unpack(packed, limit).map_err(|e| e.context(format!("packed {} stream", kind.name())))
    }

    fn packed(&self, node: &Node, kind: StreamKind) -> Result<Option<Bytes>> {
        let is_it = |stream: &&super::footers::Stream| stream.column == node.id && stream.kind == kind as u64;
        match self.footer.streams.iter().find(is_it) {
            Some(stream) => self.input.bytes(stream.place.clone()).map(Some),
            None => Ok(None),
        }
    }
}

fn missing(kind: StreamKind) -> Error {
    Error::invalid_argument(format!("there is no {} stream", kind.name()))
}

/// The most bytes of so many values of `size` bytes.
fn room(count: usize, size: usize) -> usize {
    count.saturating_mul(size).saturating_add(4096)
}

fn damaged(error: arrow_schema::ArrowError) -> Error {
    Error::invalid_argument(error.to_string())
}

impl Presence {
    /// An array of the values of those rows that have one.
    fn primitive<T: ArrowPrimitiveType>(
        &self,
        mut values: Vec<T::Native>,
        field: &arrow_schema::Field,
    ) -> Result<ArrayRef> {
        if let Some(valid) = &self.valid {
            // From the end on: no value goes to a place before its own.
            let mut next = values.len();
            host_vec::reserve(&mut values, self.rows - next)?;
            values.resize(self.rows, T::Native::default());
            for row in (0..self.rows).rev() {
                values[row] = if valid.is_valid(row) {
                    next -= 1;
                    values[next]
                } else {
                    T::Native::default()
                };
            }
        }
        let array = PrimitiveArray::<T>::try_new(ScalarBuffer::from(values), self.valid.clone());
        Ok(Arc::new(array.map_err(damaged)?.with_data_type(field.data_type().clone())))
    }

    /// The offsets of pieces of these lengths.
    fn offsets(&self, lengths: &[i64]) -> Result<OffsetBuffer<i32>> {
        let mut offsets = host_vec::with_capacity(self.rows.saturating_add(1))?;
        let mut sum = 0i32;
        offsets.push(sum);
        let mut lengths = lengths.iter();
        for row in 0..self.rows {
            if self.valid.as_ref().is_none_or(|valid| valid.is_valid(row)) {
                let &length = lengths.next().expect("one for each row with a value");
                if length < 0 {
                    return Err(Error::invalid_argument(format!("a length of {}", length as u64)));
                }
                let next = i32::try_from(length).ok();
                sum = next.and_then(|length| sum.checked_add(length)).ok_or_else(|| {
                    let most = i32::MAX;
                    Error::unsupported(format!(
                        "lengths that come to {} in a stripe, where {most} are the most",
                        i64::from(sum).saturating_add(length)
                    ))
                })?;
            }
            offsets.push(sum);
        }
        // SAFETY: they begin with 0 and no length is negative.
        Ok(unsafe { OffsetBuffer::new_unchecked(ScalarBuffer::from(offsets)) })
    }
}
