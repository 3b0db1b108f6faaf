//! Memory of a column that pieces are decoded into: its parts, and texts in them.

use std::mem::MaybeUninit;

use cuprum_column::{Column, Context, HostUVec, Native, Result, strings};
use cuprum_runtime::parallel;
use rayon::prelude::*;

use crate::validity::{self, Validity};

/// The size of the block that a short text is copied as; so many bytes are wanted behind the last one.
pub(crate) const BLOCK: usize = 32;

/// Parts of the lengths given, one after the other.
pub(crate) fn split<T>(mut whole: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    lengths
        .map(|len| {
            let (part, rest) = std::mem::take(&mut whole).split_at_mut(len);
            whole = rest;
            part
        })
        .collect()
}

/// `work` on every piece, in parallel; `None` where one of them has nothing to give.
pub(crate) fn each<I: Send, R: Send>(
    pieces: impl IndexedParallelIterator<Item = I>,
    ctx: &Context,
    work: impl Fn(I) -> Option<R> + Sync + Send,
) -> Result<Option<Vec<R>>> {
    let work = |piece| {
        ctx.check()?;
        Ok(work(piece))
    };
    let done = parallel::install(|| pieces.map(work).collect::<Result<Vec<_>>>())?;
    Ok(done.into_iter().collect())
}

pub(crate) fn sum(mut lengths: impl Iterator<Item = usize>) -> Option<usize> {
    lengths.try_fold(0, usize::checked_add)
}

/// Copies `from[start..start + length]` to `to[at..]`; what is behind it may change.
#[inline(always)]
pub(crate) fn copy(from: &[u8], start: usize, length: usize, to: &mut [MaybeUninit<u8>], at: usize) {
    let to = &mut to[at..];
    if length <= BLOCK
        && let (Some(from), Some(to)) = (from[start..].first_chunk::<BLOCK>(), to.first_chunk_mut())
    {
        let to: &mut [MaybeUninit<u8>; BLOCK] = to;
        // SAFETY: `to` has room for the block; bytes have no alignment.
        unsafe { to.as_mut_ptr().cast::<[u8; BLOCK]>().write(*from) };
    } else {
        to[..length].write_copy_of_slice(&from[start..start + length]);
    }
}

/// Whether the texts in `text` that end at `ends` are UTF-8, each by itself.
pub(crate) fn are_utf8(text: &[u8], mut ends: impl Iterator<Item = usize>) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    text.is_ascii() || ends.all(|end| text.is_char_boundary(end))
}

/// The texts of some rows, found but not yet in their place.
pub(crate) trait Texts: Sync + Send {
    fn rows(&self) -> usize;

    fn validity(&self) -> &Validity;

    /// The length of all of them.
    fn bytes(&self) -> usize;

    /// Copies the characters to `chars`, which they fill, and tells `end` where each row ends in it.
    fn put(&self, chars: &mut [MaybeUninit<u8>], end: &mut dyn FnMut(usize, usize)) -> Option<()>;
}

/// The texts of all pieces; `None` where one is not UTF-8 or has nothing to give.
pub(crate) fn texts(pieces: &[&dyn Texts], ctx: &Context) -> Result<Option<Column>> {
    let Some(rows) = sum(pieces.iter().map(|piece| piece.rows())) else { return Ok(None) };
    let Some(total) = sum(pieces.iter().map(|piece| piece.bytes())) else { return Ok(None) };
    if total <= strings::SMALL_STRINGS {
        put_texts::<i32>(pieces, rows, total, ctx)
    } else {
        put_texts::<i64>(pieces, rows, total, ctx)
    }
}

fn put_texts<O: Native>(
    pieces: &[&dyn Texts],
    rows: usize,
    total: usize,
    ctx: &Context,
) -> Result<Option<Column>> {
    let mut offsets = HostUVec::<O>::uninit(rows + 1, ctx)?;
    let mut chars = HostUVec::<u8>::uninit(total, ctx)?;
    let (first, ends) = offsets.split_at_mut(1);
    first[0].write(O::from_i64(0));
    let mut base = 0;
    let bases: Vec<usize> = pieces
        .iter()
        .map(|piece| {
            base += piece.bytes();
            base - piece.bytes()
        })
        .collect();
    let ends = split(ends, pieces.iter().map(|piece| piece.rows()));
    let places = split(&mut chars, pieces.iter().map(|piece| piece.bytes()));
    let work = pieces.par_iter().zip(bases).zip(ends).zip(places);
    let put = each(work, ctx, |(((piece, base), ends), chars)| {
        piece.put(chars, &mut |row, end| {
            ends[row].write(O::from_i64((base + end) as i64));
        })?;
        // SAFETY: `put` has filled it.
        let text = unsafe { chars.assume_init_ref() };
        // SAFETY: and told of every row where it ends.
        let ends = ends.iter().map(|end| unsafe { end.assume_init() }.as_i64() as usize - base);
        are_utf8(text, ends).then_some(())
    })?;
    if put.is_none() {
        return Ok(None);
    }
    let mask = validity::join(pieces.iter().map(|piece| (piece.validity(), piece.rows())), rows, ctx)?;
    // SAFETY: every piece has written the ends of its rows and all of its characters.
    let (offsets, chars) = unsafe { (offsets.assume_init(), chars.assume_init()) };
    // SAFETY: ends grow within a piece and pieces follow each other; every text was checked to be UTF-8.
    unsafe { strings::from_parts(rows, Column::from_values(offsets), chars.into_buffer(), mask) }.map(Some)
}
