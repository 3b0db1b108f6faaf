//! Any number of texts for each row, in two passes: their sizes, then their bytes in their places.

use std::mem::MaybeUninit;

use cuprum_column::strings::{self, SMALL_STRINGS};
use cuprum_column::{Column, Context, Error, HostUVec, Native, Result};
use cuprum_runtime::parallel;

use cuprum_elements::row_pieces::RowPieces;

/// Rows in a morsel of work that is long for every row.
pub(super) const SHORT_MORSEL: usize = 1 << 10;

/// Takes the texts of a row, piece by piece: counts them, or writes them.
pub(super) struct Sink<'a> {
    texts: usize,
    bytes: usize,
    out: Option<Out<'a>>,
}

struct Out<'a> {
    /// The offset of each text, before the bytes of all rows up to here are added.
    starts: &'a mut [MaybeUninit<usize>],
    chars: &'a mut [MaybeUninit<u8>],
    /// The offset of the text that is being written.
    begun: usize,
}

impl Sink<'_> {
    /// Adds to the text that is being written.
    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        if let Some(out) = &mut self.out
            && let Some(place) = out.chars.get_mut(self.bytes..).and_then(|rest| rest.get_mut(..text.len()))
        {
            place.write_copy_of_slice(text.as_bytes());
        }
        self.bytes = self.bytes.saturating_add(text.len());
    }

    /// Ends the text.
    #[inline]
    pub(super) fn end(&mut self) {
        if let Some(out) = &mut self.out {
            if let Some(start) = out.starts.get_mut(self.texts) {
                start.write(out.begun);
            }
            out.begun = self.bytes;
        }
        self.texts += 1;
    }

    /// Adds a whole text.
    #[inline]
    pub(super) fn text(&mut self, text: &str) {
        self.push(text);
        self.end();
    }
}

/// The texts that `each` gives a sink for every row, which must be the same ones when it is called again: how many
/// each row has, and all of them.
///
/// Fails with `Overflow` where they do not fit in memory.
pub(super) fn texts_of_rows(
    rows: usize,
    ctx: &Context,
    each: impl Fn(usize, &mut Sink<'_>) + Sync,
) -> Result<(RowPieces, Column)> {
    let sizes = HostUVec::from_fn(rows, ctx, |row| {
        let mut sink = Sink { texts: 0, bytes: 0, out: None };
        each(row, &mut sink);
        [sink.texts, sink.bytes]
    })?;
    let texts = RowPieces::new(rows, ctx, |row| sizes[row][0])?;
    let bytes = RowPieces::new(rows, ctx, |row| sizes[row][1])?;
    drop(sizes);
    let column = if bytes.total() <= SMALL_STRINGS {
        write::<i32>(&texts, &bytes, ctx, each)
    } else {
        write::<i64>(&texts, &bytes, ctx, each)
    }?;
    Ok((texts, column))
}

fn write<O: Native>(
    texts: &RowPieces,
    bytes: &RowPieces,
    ctx: &Context,
    each: impl Fn(usize, &mut Sink<'_>) + Sync,
) -> Result<Column> {
    let count = texts.total();
    let mut starts = HostUVec::<usize>::uninit(count, ctx)?;
    let mut chars = HostUVec::<u8>::uninit(bytes.total(), ctx)?;
    let (starts_out, chars_out) = (starts.output(), chars.output());
    parallel::for_ranges(texts.rows(), parallel::MORSEL, ctx, &|range| {
        for row in range {
            let (places, span) = (texts.range(row), bytes.range(row));
            let wanted = (places.len(), span.len());
            // SAFETY: the texts of rows follow each other, and so do their bytes.
            let (starts, chars) = unsafe { (starts_out.slice(places), chars_out.slice(span.clone())) };
            let mut sink = Sink { texts: 0, bytes: 0, out: Some(Out { starts, chars, begun: 0 }) };
            each(row, &mut sink);
            if (sink.texts, sink.bytes) != wanted
                || sink.out.as_ref().is_some_and(|out| out.begun != span.len())
            {
                return Err(Error::logic("the rows of a string column changed while they were read"));
            }
        }
        Ok(())
    })?;
    // SAFETY: each row wrote as many texts and bytes as it has places, one after the other.
    let (starts, chars) = unsafe { (starts.assume_init(), chars.assume_init()) };
    let mut offsets = HostUVec::<O>::uninit(count + 1, ctx)?;
    let offsets_out = offsets.output();
    parallel::for_ranges(texts.rows(), parallel::MORSEL, ctx, &|range| {
        for row in range {
            let base = bytes.range(row).start;
            for text in texts.range(row) {
                // SAFETY: the texts of rows are different ones.
                unsafe { offsets_out.write(text, O::from_i64((base + starts[text]) as i64)) };
            }
        }
        Ok(())
    })?;
    offsets[count] = MaybeUninit::new(O::from_i64(bytes.total() as i64));
    // SAFETY: every text of every row has its offset, and the last one is written above.
    let offsets = unsafe { offsets.assume_init() };
    // SAFETY: within a row texts begin where the one before ends, rows follow each other, and all bytes are those of
    // `&str`s, each of which is whole.
    unsafe { strings::from_parts(count, Column::from_values(offsets), chars.into_buffer(), None) }
}

/// `f` of every row, which is long work, with a state that is made anew for every morsel.
pub(super) fn values_of_rows<T: Native, S>(
    rows: usize,
    ctx: &Context,
    state: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, usize) -> Result<T> + Sync,
) -> Result<HostUVec<T>> {
    let mut values = HostUVec::<T>::uninit(rows, ctx)?;
    let out = values.output();
    parallel::for_ranges(rows, SHORT_MORSEL, ctx, &|range| {
        let mut state = state();
        for row in range {
            let value = f(&mut state, row)?;
            // SAFETY: the row is of this range alone.
            unsafe { out.write(row, value) };
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all rows.
    Ok(unsafe { values.assume_init() })
}

/// The runs of `width` characters of a text, from left to right; none where it is shorter.
pub(super) fn windows(text: &str, width: usize) -> impl Iterator<Item = &str> {
    let places = || text.char_indices().map(|(place, _)| place);
    let ends = places().chain(std::iter::once(text.len())).skip(width);
    places().zip(ends).map(|(start, end)| &text[start..end])
}

/// [`windows`]; of a shorter text, unless it is empty, the whole.
pub(super) fn windows_or_whole(text: &str, width: usize) -> impl Iterator<Item = &str> {
    let mut windows = windows(text, width).peekable();
    let whole = (windows.peek().is_none() && !text.is_empty()).then_some(text);
    windows.chain(whole)
}
