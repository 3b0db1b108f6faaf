//! On the CPU: parallel morsels.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cuprum_column::strings::{self, SMALL_STRINGS};
use cuprum_column::{
    Buffer, Column, ColumnView, Context, DataType, Error, ErrorKind, HostUVec, Native, Result, StringBuilder,
    StringsView, dispatch_storage, null_mask,
};
use cuprum_runtime::parallel;

/// Rows in a morsel of work that is long for every row, such as matching.
pub const SHORT_MORSEL: usize = 16 << 10;

/// The string column of the rows that `f` builds for every run of `step` rows.
fn build_morsels(
    len: usize,
    step: usize,
    ctx: &Context,
    f: impl Fn(Range<usize>) -> Result<StringBuilder> + Sync,
) -> Result<Column> {
    StringBuilder::finish_all(parallel::map_ranges(len, step, ctx, f)?, ctx)
}

/// The fixed-width column of `f(row)` for every valid row, with the nulls of `column`.
pub fn map_values<T: Native>(
    column: &Column,
    data_type: DataType,
    ctx: &Context,
    f: impl Fn(&str) -> T + Sync,
) -> Result<Column> {
    map_values_with(column, data_type, ctx, || (), |(), row| f(row))
}

/// [`map_values`] with a state that is made anew for every morsel (a regex and its caches, say).
pub fn map_values_with<T: Native, S>(
    column: &Column,
    data_type: DataType,
    ctx: &Context,
    state: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, &str) -> T + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    // SAFETY: the closure writes one value for every row of its range, which `out` matches.
    let values = unsafe {
        HostUVec::from_morsels(rows.len(), ctx, |range, out| {
            let mut state = state();
            for (slot, i) in out.iter_mut().zip(range) {
                slot.write(rows.get_opt(i).map_or(T::zeroed(), |row| f(&mut state, row)));
            }
            Ok(())
        })?
    };
    Column::new(data_type, values, column.copy_mask(ctx)?)
}

/// The boolean column of `f(row)` for every valid row.
pub fn map_bools(column: &Column, ctx: &Context, f: impl Fn(&str) -> bool + Sync) -> Result<Column> {
    map_values(column, DataType::Bool8, ctx, |row| u8::from(f(row)))
}

/// The number of bytes of the rows in `range`.
#[inline]
pub fn bytes_of(rows: &StringsView<'_>, range: &Range<usize>) -> usize {
    if range.is_empty() { 0 } else { rows.range(range.end - 1).end - rows.range(range.start).start }
}

/// The string column whose rows are parts of the rows of `column`; `None` makes a null.
pub fn map_parts(
    column: &Column,
    ctx: &Context,
    f: impl for<'a> Fn(&'a str) -> Option<&'a str> + Sync,
) -> Result<Column> {
    map_parts_with(column, ctx, || (), |(), row| f(row))
}

/// [`map_parts`] with a state that is made anew for every morsel.
pub fn map_parts_with<S>(
    column: &Column,
    ctx: &Context,
    state: impl Fn() -> S + Sync,
    f: impl for<'a> Fn(&mut S, &'a str) -> Option<&'a str> + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    build_morsels(rows.len(), parallel::MORSEL, ctx, |range| {
        let mut builder = StringBuilder::with_capacity(range.len(), bytes_of(&rows, &range));
        let mut state = state();
        for i in range {
            builder.push_opt(rows.get_opt(i).and_then(|row| f(&mut state, row)));
        }
        Ok(builder)
    })
}

/// The string column whose rows `f` writes into an empty `String`; `false` makes a null.
pub fn map_text(
    column: &Column,
    ctx: &Context,
    f: impl Fn(&str, &mut String) -> bool + Sync,
) -> Result<Column> {
    map_text_with(column, ctx, || (), |(), row, out| f(row, out))
}

/// [`map_text`] with a state that is made anew for every morsel.
pub fn map_text_with<S>(
    column: &Column,
    ctx: &Context,
    state: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, &str, &mut String) -> bool + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    build_morsels(rows.len(), SHORT_MORSEL, ctx, |range| {
        let mut builder = StringBuilder::with_capacity(range.len(), bytes_of(&rows, &range));
        let (mut state, mut out) = (state(), String::new());
        for i in range {
            out.clear();
            match rows.get_opt(i) {
                Some(row) if f(&mut state, row, &mut out) => builder.push(&out),
                _ => builder.push_null(),
            }
        }
        Ok(builder)
    })
}

/// The string column of `len` rows that `write` appends to a `String`; `false` makes a null.
pub fn from_writer(
    len: usize,
    ctx: &Context,
    write: impl Fn(usize, &mut String) -> Result<bool> + Sync,
) -> Result<Column> {
    build_morsels(len, SHORT_MORSEL, ctx, |range| {
        let mut builder = StringBuilder::with_capacity(range.len(), range.len() * 8);
        let mut out = String::new();
        for i in range {
            out.clear();
            if write(i, &mut out)? {
                builder.push(&out);
            } else {
                builder.push_null();
            }
        }
        Ok(builder)
    })
}

/// The output of a row of known size, written piece by piece.
pub struct RowWriter<'a> {
    out: &'a mut [MaybeUninit<u8>],
    at: usize,
}

impl RowWriter<'_> {
    /// Adds text; bytes beyond the announced size are left out, and an error in the end.
    #[inline]
    pub fn push(&mut self, text: &str) {
        if let Some(place) = self.place(text.len()) {
            place.write_copy_of_slice(text.as_bytes());
        }
    }

    /// Adds a text `count` times; see [`push`](Self::push).
    #[inline]
    pub fn push_times(&mut self, text: &str, count: usize) {
        let Some(place) = text.len().checked_mul(count).and_then(|len| self.place(len)) else { return };
        match text.as_bytes() {
            [] => {}
            [byte] => place.fill(MaybeUninit::new(*byte)),
            bytes => place.chunks_mut(bytes.len()).for_each(|place| {
                place.write_copy_of_slice(bytes);
            }),
        }
    }

    /// The next `len` bytes; none where they are not there, and then never again.
    #[inline]
    fn place(&mut self, len: usize) -> Option<&mut [MaybeUninit<u8>]> {
        let place = self.out.get_mut(self.at..).and_then(|rest| rest.get_mut(..len));
        self.at = if place.is_some() { self.at + len } else { usize::MAX };
        place
    }
}

/// The string column of `len` rows of `size(i)` bytes (`None` where they do not fit an address)
/// that `write` fills: memory is asked for once, so that a size out of all proportion is an error.
pub fn from_sizes(
    len: usize,
    ctx: &Context,
    mask: Option<(Buffer, usize)>,
    size: impl Fn(usize) -> Option<usize> + Sync,
    write: impl Fn(usize, &mut RowWriter<'_>) + Sync,
) -> Result<Column> {
    let too_long = || Error::overflow(format!("{len} strings of that length do not fit in memory"));
    let sizes = parallel::map_morsels(len, ctx, |mut range| {
        range.try_fold(0usize, |sum, i| sum.checked_add(size(i)?)).ok_or_else(too_long)
    })?;
    let mut starts = Vec::with_capacity(sizes.len());
    let mut total = 0usize;
    for size in sizes {
        starts.push(total);
        total = total.checked_add(size).filter(|&t| isize::try_from(t).is_ok()).ok_or_else(too_long)?;
    }
    if total <= SMALL_STRINGS {
        fill::<i32>(len, ctx, mask, &starts, total, size, write)
    } else {
        fill::<i64>(len, ctx, mask, &starts, total, size, write)
    }
}

/// `text(i)` of `len` rows `count(i)` times in a row; nothing where it is null.
pub fn repeated<'a>(
    len: usize,
    text: impl Fn(usize) -> Option<&'a str> + Sync,
    count: impl Fn(usize) -> usize + Sync,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let row = |i: usize| text(i).filter(|text| !text.is_empty()).map(|text| (text, count(i)));
    from_sizes(
        len,
        ctx,
        mask,
        |i| row(i).map_or(Some(0), |(text, count)| text.len().checked_mul(count)),
        |i, out| {
            if let Some((text, count)) = row(i) {
                out.push_times(text, count);
            }
        },
    )
}

/// The integers of a column as numbers of times: 0 where they are negative or null.
pub fn counts_of(counts: &ColumnView<'_>, ctx: &Context) -> Result<HostUVec<usize>> {
    let valid = counts.validity();
    dispatch_storage!(counts.data_type(), T => {
        let values = counts.values::<T>()?;
        HostUVec::from_fn(values.len(), ctx, |i| match values[i].as_i64() {
            _ if valid.is_some_and(|bits| !bits.get(i)) => 0,
            count if T::IS_SIGNED => usize::try_from(count).unwrap_or(0),
            count => count as usize,
        })
    }, else => Err(Error::data_type(format!("{} are no numbers of times", counts.data_type()))))
}

#[cold]
fn changed() -> Error {
    Error::logic("the rows of a string column changed while they were read")
}

fn fill<O: Native>(
    len: usize,
    ctx: &Context,
    mask: Option<(Buffer, usize)>,
    starts: &[usize],
    total: usize,
    size: impl Fn(usize) -> Option<usize> + Sync,
    write: impl Fn(usize, &mut RowWriter<'_>) + Sync,
) -> Result<Column> {
    let mut offsets = HostUVec::<O>::uninit(len + 1, ctx)?;
    let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
    let (offsets_out, chars_out) = (offsets.output(), chars.output());
    parallel::for_ranges(len, parallel::MORSEL, ctx, &|range| {
        let m = range.start / parallel::MORSEL;
        let (base, end) = (starts[m], starts.get(m + 1).copied().unwrap_or(total));
        // SAFETY: the morsels' character ranges are disjoint and lie in the output.
        let out = unsafe { chars_out.slice(base..end) };
        let mut at = 0;
        for i in range {
            let size = size(i).unwrap_or(0);
            // SAFETY: position i belongs to this morsel alone.
            unsafe { offsets_out.write(i, O::from_i64((base + at) as i64)) };
            let Some(out) = at.checked_add(size).and_then(|end| out.get_mut(at..end)) else {
                return Err(changed());
            };
            let mut row = RowWriter { out, at: 0 };
            write(i, &mut row);
            if row.at != size {
                return Err(changed());
            }
            at += size;
        }
        if at == end - base { Ok(()) } else { Err(changed()) }
    })?;
    offsets[len] = MaybeUninit::new(O::from_i64(total as i64));
    // SAFETY: all offsets and characters are written: the morsels cover all rows, and each row was
    // filled to its end.
    let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
    // SAFETY: the offsets are a running sum of the lengths of rows of whole `&str`s.
    unsafe { strings::from_parts(len, Column::from_values(offsets), chars.into_buffer(), mask) }
}

/// The column with every character replaced by one of as many bytes: ASCII by `ascii`, which keeps it ASCII, others by
/// `other`; `None` where a character has no such one. One pass over all bytes: the rows keep their places.
pub fn map_characters(
    column: &Column,
    ctx: &Context,
    ascii: impl Fn(u8) -> u8 + Sync,
    other: impl Fn(char) -> Option<char> + Sync,
) -> Result<Option<Column>> {
    let view = column.view()?;
    let rows = view.strings()?;
    let len = rows.len();
    if len == 0 {
        return Ok(None);
    }
    let (first, last) = (rows.range(0).start, rows.range(len - 1).end);
    let chars = &rows.chars()[first..last];
    let is_left_out = AtomicBool::new(false);
    // SAFETY: the closure writes the whole slice it gets: the range has its length.
    let mapped = unsafe {
        HostUVec::from_morsels(chars.len(), ctx, |range, out| {
            let bytes = out.write_copy_of_slice(&chars[range.clone()]);
            bytes.iter_mut().for_each(|byte| *byte = if byte.is_ascii() { ascii(*byte) } else { *byte });
            if !is_left_out.load(Ordering::Relaxed) && replace_others(chars, range, bytes, &other).is_none() {
                is_left_out.store(true, Ordering::Relaxed);
            }
            Ok(())
        })?
    };
    if is_left_out.into_inner() {
        return Ok(None);
    }
    let offsets = match rows.offsets() {
        strings::Offsets::Small(o) => {
            Column::from_values(HostUVec::from_fn(len + 1, ctx, |i| o[i] - first as i32)?)
        }
        strings::Offsets::Large(o) => {
            Column::from_values(HostUVec::from_fn(len + 1, ctx, |i| o[i] - first as i64)?)
        }
    };
    // SAFETY: the offsets are those of the input, moved by the start of the characters, each of which became one of
    // as many bytes, so every row is UTF-8.
    unsafe { strings::from_parts(len, offsets, mapped.into_buffer(), column.copy_mask(ctx)?) }.map(Some)
}

/// Writes the result of `other` for the characters outside ASCII into `out`, the bytes of a range of `chars`:
/// of one that another range has a part of, the bytes that are here. `None` where it makes nothing, or no
/// character of as many bytes.
fn replace_others(
    chars: &[u8],
    range: Range<usize>,
    out: &mut [u8],
    other: impl Fn(char) -> Option<char>,
) -> Option<()> {
    let mut at = range.start;
    // The first one may have begun before.
    while at > 0 && chars[at] & 0xC0 == 0x80 {
        at -= 1;
    }
    while at < range.end {
        if chars.get(at..at + 16).is_some_and(<[u8]>::is_ascii) {
            at += 16;
        } else if chars[at].is_ascii() {
            at += 1;
        } else {
            let (c, len) = character_at(&chars[at..])?;
            let replaced = other(c).filter(|replaced| replaced.len_utf8() == len)?;
            let mut encoded = [0; 4];
            for (place, byte) in (at..).zip(replaced.encode_utf8(&mut encoded).bytes()) {
                if range.contains(&place) {
                    out[place - range.start] = byte;
                }
            }
            at += len;
        }
    }
    Some(())
}

/// The character that UTF-8 begins with, and its bytes.
fn character_at(text: &[u8]) -> Option<(char, usize)> {
    let (len, lead) = match text.first()? {
        b @ 0..0x80 => (1, *b),
        b @ 0xC0..0xE0 => (2, b & 0x1F),
        b @ 0xE0..0xF0 => (3, b & 0x0F),
        b @ 0xF0.. => (4, b & 0x07),
        _ => return None,
    };
    let code = text.get(1..len)?.iter().fold(u32::from(lead), |code, b| code << 6 | u32::from(b & 0x3F));
    Some((char::from_u32(code)?, len))
}

/// Treatments of a row that cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// The first one is the error of the operation.
    Fail,
    /// They are null.
    Null,
}

/// The column of `to` with `parse(row)` for every valid row. A row that does not parse becomes null,
/// or the first of them an error of the kind that `parse` gives, naming row and text.
pub fn parse_values<T: Native>(
    column: &Column,
    to: DataType,
    on_error: OnError,
    ctx: &Context,
    parse: impl Fn(&str) -> Result<T, ErrorKind> + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    let first_bad = AtomicUsize::new(usize::MAX);
    // SAFETY: the closure writes one value for every row of its range, which `out` matches.
    let values = unsafe {
        HostUVec::from_morsels(rows.len(), ctx, |range, out| {
            // Behind a known failure nothing matters any more.
            let skip = on_error == OnError::Fail && first_bad.load(Ordering::Relaxed) < range.start;
            for (slot, i) in out.iter_mut().zip(range) {
                let parsed = rows.get_opt(i).filter(|_| !skip).map_or(Ok(T::zeroed()), &parse);
                slot.write(parsed.unwrap_or_else(|_| {
                    first_bad.fetch_min(i, Ordering::Relaxed);
                    T::zeroed()
                }));
            }
            Ok(())
        })?
    };
    let bad = first_bad.into_inner();
    let mask = if bad == usize::MAX {
        column.copy_mask(ctx)?
    } else if on_error == OnError::Null {
        Some({
            let is_good: &(dyn Fn(usize) -> bool + Sync) =
                &|i| rows.get_opt(i).is_some_and(|row| parse(row).is_ok());
            null_mask::from_fn(rows.len(), ctx, is_good)?
        })
    } else {
        let row = rows.get(bad);
        return Err(no_value(bad, row, to, parse(row).err()));
    };
    Column::new(to, values, mask)
}

/// The error for the first row that has no value of `to`, of the kind that reading it gives.
#[cold]
pub(super) fn no_value(row: usize, text: &str, to: DataType, kind: Option<ErrorKind>) -> Error {
    let shown: String = text.chars().take(100).collect();
    match kind {
        Some(ErrorKind::Overflow) => {
            Error::overflow(format!("row {row}: {shown:?} is out of the range of {to}"))
        }
        Some(kind) => Error::new(kind, format!("row {row}: {shown:?} is not a valid {to}")),
        None => Error::logic(format!("row {row}: {shown:?} was parsed with two results")),
    }
}
