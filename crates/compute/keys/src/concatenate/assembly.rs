//! Columns assembled piece by piece.
//!
//! [`concatenate`](super::concatenate) reads all of its columns at the same time. An [`Assembly`] has room
//! for the whole result from the start and reads one piece after the other, each from whatever memory it
//! is in, so that no more than the result and a piece are in memory. Columns of columns (lists, structs,
//! dictionaries) are the exception: their pieces are kept and concatenated at the end.

use cuprum_column::strings::{self, Offsets, SMALL_STRINGS};
use cuprum_column::{Bitmap, Buffer, Column, Context, DataType, Error, HostUVec, Native, Result, null_mask};
use cuprum_runtime::DeviceBuffer;

use super::concatenate;

/// A column of the CPU that is being assembled; see the module.
pub(crate) struct Assembly {
    /// The type, with all that is inside.
    like: Column,
    len: usize,
    filled: usize,
    elements: Elements,
    /// A bit per row, from the first piece with nulls on.
    valid: Option<HostUVec<u64>>,
}

enum Elements {
    Fixed { data: DeviceBuffer, size: usize },
    Strings { ends: Ends, chars: DeviceBuffer, used: usize },
    Nested(Vec<Column>),
}

/// The end offsets of strings, after a 0.
enum Ends {
    Small(HostUVec<i32>),
    Large(HostUVec<i64>),
}

impl Assembly {
    /// Room for `len` rows of the type of `like`; strings of no more than `num_bytes` bytes in all.
    pub(crate) fn new(like: &Column, len: usize, num_bytes: usize, ctx: &Context) -> Result<Self> {
        let elements = match (like.data_type(), like.data_type().size()) {
            (_, Some(size)) => {
                let bytes = len.checked_mul(size);
                let bytes =
                    bytes.ok_or_else(|| Error::overflow(format!("{len} elements of {size} bytes")))?;
                Elements::Fixed { data: DeviceBuffer::uninit(bytes, ctx)?, size }
            }
            (DataType::String, None) => {
                let ends = if num_bytes <= SMALL_STRINGS {
                    Ends::Small(HostUVec::zeroed(len + 1, ctx)?)
                } else {
                    Ends::Large(HostUVec::zeroed(len + 1, ctx)?)
                };
                Elements::Strings { ends, chars: DeviceBuffer::uninit(num_bytes, ctx)?, used: 0 }
            }
            _ => Elements::Nested(Vec::new()),
        };
        Ok(Self { like: like.slice(0, 0)?, len, filled: 0, elements, valid: None })
    }

    /// Appends the rows of `piece`, a column of the same type.
    ///
    /// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where there is no room for them.
    pub fn push(&mut self, piece: &Column, ctx: &Context) -> Result<()> {
        let (at, end) = (self.filled, self.filled + piece.len());
        if end > self.len || piece.data_type() != self.like.data_type() {
            return Err(Error::logic(format!(
                "{} rows of {} after {at} of {} rows of {}",
                piece.len(),
                piece.data_type(),
                self.len,
                self.like.data_type()
            )));
        }
        match &mut self.elements {
            _ if piece.is_empty() => {}
            Elements::Fixed { data, size } if piece.mask().is_none() => append(piece, *size, data, at)?,
            Elements::Nested(pieces) => pieces.push(piece.copy_rows(0, piece.len(), ctx)?),
            _ => self.push_resident(&piece.copy_rows(0, piece.len(), ctx)?, ctx)?,
        }
        self.filled = end;
        if let (None, Some(valid)) = (piece.mask(), &mut self.valid) {
            set(valid, at, piece.len(), None);
        }
        Ok(())
    }

    /// Appends strings, or elements with a mask, that are in memory already.
    fn push_resident(&mut self, piece: &Column, ctx: &Context) -> Result<()> {
        let at = self.filled;
        let view = piece.view()?;
        match &mut self.elements {
            Elements::Fixed { data, size } => append(piece, *size, data, at)?,
            Elements::Strings { ends, chars, used } => {
                let strings = view.strings()?;
                let offsets = strings.offsets();
                let bytes = offsets.range(0).start..offsets.range(piece.len() - 1).end;
                let ends_at = at + 1..=at + piece.len();
                match ends {
                    Ends::Small(ends) => follow(&mut ends[ends_at], offsets, *used),
                    Ends::Large(ends) => follow(&mut ends[ends_at], offsets, *used),
                }
                chars.copy_from_host(*used, &strings.chars()[bytes.clone()])?;
                *used += bytes.len();
            }
            Elements::Nested(_) => {}
        }
        if piece.mask().is_some() {
            let bits = view.validity();
            if self.valid.is_none() && bits.is_some() {
                let mut valid = HostUVec::zeroed(self.len.div_ceil(64), ctx)?;
                set(&mut valid, 0, at, None);
                self.valid = Some(valid);
            }
            if let Some(valid) = &mut self.valid {
                set(valid, at, piece.len(), bits);
            }
        }
        Ok(())
    }

    /// The column.
    ///
    /// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where rows are missing.
    pub fn finish(self, ctx: &Context) -> Result<Column> {
        let (len, data_type) = (self.len, self.like.data_type());
        if self.filled != len {
            return Err(Error::logic(format!("{} rows of {len} were appended", self.filled)));
        }
        let mask = match self.valid {
            Some(valid) => Some(null_mask::from_words(len, ctx, |word| valid[word])?),
            None => None,
        };
        match self.elements {
            Elements::Fixed { data, .. } => Column::from_buffer(data_type, len, data.try_into()?, mask),
            Elements::Strings { ends, chars, used } => {
                let chars = Buffer::try_from(chars)?.slice(0, used)?;
                let offsets = match ends {
                    Ends::Small(ends) => Column::from_values(ends),
                    Ends::Large(ends) => Column::from_values(ends),
                };
                // SAFETY: every row ends as many bytes behind the one before as its string has, and the
                // strings of all pieces follow each other in `chars`.
                unsafe { strings::from_parts(len, offsets, chars, mask) }
            }
            Elements::Nested(pieces) if pieces.is_empty() => Ok(self.like),
            Elements::Nested(pieces) => concatenate(&pieces.iter().collect::<Vec<_>>(), ctx),
        }
    }
}

/// Copies the elements of a fixed-width column to row `at` of `data`.
fn append(piece: &Column, size: usize, data: &mut DeviceBuffer, at: usize) -> Result<()> {
    let Some(elements) = piece.data() else { return Ok(()) };
    elements.slice(piece.offset() * size, piece.len() * size)?.copy_to(data, at * size)
}

/// The ends of strings that follow `used` bytes.
fn follow<O: Native>(ends: &mut [O], offsets: Offsets<'_>, used: usize) {
    let shift = used as i64 - offsets.range(0).start as i64;
    match offsets {
        Offsets::Small(offsets) => shifted(ends, &offsets[1..], shift),
        Offsets::Large(offsets) => shifted(ends, &offsets[1..], shift),
    }
}

fn shifted<O: Native, S: Native>(ends: &mut [O], offsets: &[S], shift: i64) {
    for (end, offset) in ends.iter_mut().zip(offsets) {
        *end = O::from_i64(offset.as_i64() + shift);
    }
}

/// Writes `len` bits from bit `at` on, where all are 0: those of `bits`, or ones.
fn set(words: &mut [u64], at: usize, len: usize, bits: Option<Bitmap<'_>>) {
    for word in 0..len.div_ceil(64) {
        let rows = (len - word * 64).min(64);
        let piece = bits.as_ref().map_or(u64::MAX, |bits| bits.word(word)) & (u64::MAX >> (64 - rows));
        let (to, shift) = ((at + word * 64) / 64, (at + word * 64) % 64);
        words[to] |= piece << shift;
        if shift + rows > 64 {
            words[to + 1] |= piece >> (64 - shift);
        }
    }
}
