//! From the parts of chunks to columns.

use std::mem::MaybeUninit;

use cuprum_column::Native;
use cuprum_column::{Buffer, Column, Context, DataType, HostUVec, Result, strings};
use cuprum_runtime::parallel;

use super::chunk::{Chars, Storage, Writer, bounds};
use crate::validity::{self, Validity};

/// The memory of one column, with room for `lines` rows of every span, one span after the other.
pub(super) enum Output {
    None,
    Words(HostUVec<MaybeUninit<u64>>),
    Bytes(HostUVec<MaybeUninit<u8>>),
    Ends(HostUVec<MaybeUninit<u32>>),
}

/// The part of a column that one chunk has parsed.
pub(super) struct Part {
    pub(super) validity: Validity,
    pub(super) chars: Chars,
}

/// The rows of one span: where they start in the output, and how many were written.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowRange {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Output {
    pub(super) fn new(storage: Storage, rows: usize, ctx: &Context) -> Result<Self> {
        Ok(match storage {
            Storage::None => Self::None,
            Storage::Words => Self::Words(HostUVec::uninit(rows, ctx)?),
            Storage::Bytes => Self::Bytes(HostUVec::uninit(rows, ctx)?),
            Storage::Ends => Self::Ends(HostUVec::uninit(rows, ctx)?),
        })
    }

    /// Shared access for the threads that fill it.
    pub(super) fn places(&mut self) -> Places<'_> {
        match self {
            Self::None => Places::None,
            Self::Words(out) => Places::Words(out.output()),
            Self::Bytes(out) => Places::Bytes(out.output()),
            Self::Ends(out) => Places::Ends(out.output()),
        }
    }

    /// The column of `data_type` (a column of nulls where nothing was stored).
    ///
    /// # Safety
    /// Every chunk has written as many rows as `rows` says, to its place in this output, and the
    /// characters between any two ends are UTF-8.
    pub(super) unsafe fn finish(
        self,
        data_type: DataType,
        rows: &[RowRange],
        parts: &[Part],
        ctx: &Context,
    ) -> Result<Column> {
        let len = rows.iter().map(|r| r.len).sum();
        let pieces = parts.iter().zip(rows).map(|(part, rows)| (&part.validity, rows.len));
        let mask = validity::join(pieces, len, ctx)?;
        match self {
            Self::None => Column::nulls(data_type, len, ctx),
            Self::Bytes(mut out) => {
                close_gaps(&mut out, rows);
                out.truncate(len);
                // SAFETY: the caller has written all rows, and the gaps are closed.
                let out = unsafe { out.assume_init() };
                Column::new(data_type, out, mask)
            }
            Self::Words(mut out) => {
                close_gaps(&mut out, rows);
                out.truncate(len);
                // SAFETY: the caller has written all rows, and the gaps are closed.
                let out = unsafe { out.assume_init() };
                narrow(data_type, out, mask, ctx)
            }
            Self::Ends(mut out) => {
                let total: usize = parts.iter().map(|p| p.chars.as_slice().len()).sum();
                if total <= strings::SMALL_STRINGS {
                    // SAFETY: the caller has written the ends of all rows, and checked that characters are UTF-8.
                    unsafe { text::<i32>(&mut out, rows, parts, (len, total), mask, ctx) }
                } else {
                    // SAFETY: the caller has written the ends of all rows, and checked that characters are UTF-8.
                    unsafe { text::<i64>(&mut out, rows, parts, (len, total), mask, ctx) }
                }
            }
        }
    }
}

/// Moves the rows of every span up to those of the span before it.
fn close_gaps<T: Copy>(out: &mut [MaybeUninit<T>], rows: &[RowRange]) {
    let mut at = 0;
    for span in rows {
        if span.start != at {
            out.copy_within(span.start..span.start + span.len, at);
        }
        at += span.len;
    }
}

/// The values as elements of the size of `data_type`. They have been checked to fit.
fn narrow(
    data_type: DataType,
    values: HostUVec<u64>,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let len = values.len();
    match data_type {
        DataType::Float32 => {
            let out = HostUVec::from_fn(len, ctx, |i| f64::from_bits(values[i]) as f32)?;
            Column::new(data_type, out, mask)
        }
        _ if data_type.size() == Some(8) => Column::from_buffer(data_type, len, values.into_buffer(), mask),
        _ => cuprum_column::dispatch_storage!(data_type, T => {
            let out = HostUVec::from_fn(len, ctx, |i| T::from_i64(values[i] as i64))?;
            Column::new(data_type, out, mask)
        }, else => unreachable!("strings are not stored in words")),
    }
}

/// The string column over all parts.
///
/// # Safety
/// As [`Output::finish`].
unsafe fn text<O: Native>(
    ends: &mut HostUVec<MaybeUninit<u32>>,
    rows: &[RowRange],
    parts: &[Part],
    (len, total): (usize, usize),
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
    let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
    let mut places = Vec::with_capacity(parts.len());
    let (mut row, mut at) = (0, 0);
    for (span, part) in rows.iter().zip(parts) {
        places.push((*span, part, row, at));
        row += span.len;
        at += part.chars.as_slice().len();
    }
    let (offsets_out, chars_out) = (offsets.output(), chars.output());
    let ends: &[MaybeUninit<u32>] = ends;
    parallel::map_ranges(places.len(), 1, ctx, |range| {
        for &(span, part, row, at) in &places[range] {
            // SAFETY: rows and characters of the parts are disjoint; every end of the span's rows
            // has been written, by the caller's promise.
            unsafe {
                chars_out
                    .slice(at..at + part.chars.as_slice().len())
                    .write_copy_of_slice(part.chars.as_slice());
                let out = offsets_out.slice(row + 1..row + 1 + span.len);
                for (slot, end) in out.iter_mut().zip(&ends[span.start..span.start + span.len]) {
                    slot.write(O::from_i64((at + end.assume_init() as usize) as i64));
                }
            }
        }
        Ok(())
    })?;
    offsets[0] = MaybeUninit::new(O::from_i64(0));
    // SAFETY: the parts cover all rows and all characters.
    let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
    // SAFETY: ends grow within a part and parts follow each other; the caller has checked that characters are UTF-8.
    unsafe { strings::from_parts(len, Column::from_values(offsets), chars.into_buffer(), mask) }
}

/// The places of a column, for one span after another.
#[derive(Clone, Copy)]
pub(super) enum Places<'a> {
    None,
    Words(cuprum_runtime::OutputSlice<'a, u64>),
    Bytes(cuprum_runtime::OutputSlice<'a, u8>),
    Ends(cuprum_runtime::OutputSlice<'a, u32>),
}

impl<'a> Places<'a> {
    /// A writer for values of `data_type` to the rows `range`.
    ///
    /// # Safety
    /// The range lies inside the output, and nobody else uses it while the writer lives.
    pub(super) unsafe fn writer(&self, data_type: DataType, range: std::ops::Range<usize>) -> Writer<'a> {
        match self {
            Self::None => Writer::Classify,
            // SAFETY: the range lies inside the output, and is the caller's alone.
            Self::Bytes(out) => Writer::Bool { out: unsafe { out.slice(range) } },
            // SAFETY: the range lies inside the output, and is the caller's alone.
            Self::Ends(out) => Writer::Text { ends: unsafe { out.slice(range) }, chars: Chars::default() },
            Self::Words(out) => {
                // SAFETY: the range lies inside the output, and is the caller's alone.
                let out = unsafe { out.slice(range) };
                match data_type {
                    DataType::Float32 | DataType::Float64 => Writer::Float { out },
                    DataType::UInt64 => Writer::UInt { out },
                    DataType::Timestamp(unit) => Writer::Time { out, unit },
                    _ => {
                        let (low, high) = bounds(data_type);
                        Writer::Int { out, low, high }
                    }
                }
            }
        }
    }
}
