//! Pieces of a column: the parts of its memory, and texts that are copied to them.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_column::{Context, Native, Result};
use cuprum_runtime::parallel;

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

/// `work` on every piece, in parallel; `None` where one of them has nothing to give: those that were not begun are then left out.
pub(crate) fn each<I: Send, R: Send>(
    pieces: impl IntoIterator<Item = I>,
    ctx: &Context,
    work: impl Fn(I) -> Result<Option<R>> + Sync,
) -> Result<Option<Vec<R>>> {
    let declined = AtomicBool::new(false);
    let done = parallel::map_items(pieces, ctx, |piece| {
        if declined.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let made = work(piece)?;
        declined.fetch_or(made.is_none(), Ordering::Relaxed);
        Ok(made)
    })?;
    Ok(done.into_iter().collect())
}

pub(crate) fn sum(mut lengths: impl Iterator<Item = usize>) -> Option<usize> {
    lengths.try_fold(0, usize::checked_add)
}

/// Copies `from[start..start + length]` to `to[at..]`; what is behind it may change.
#[inline(always)]
pub(crate) fn copy(from: &[u8], start: usize, length: usize, to: &mut [MaybeUninit<u8>], at: usize) {
    /// The most blocks that are copied one by one: a call takes as long.
    const MOST: usize = 4;
    let (from, to) = (&from[start..], &mut to[at..]);
    let blocks = length.div_ceil(BLOCK);
    let bytes = blocks * BLOCK;
    if blocks <= MOST && bytes <= from.len() && bytes <= to.len() {
        let (from, to) = (from.as_ptr().cast::<[u8; BLOCK]>(), to.as_mut_ptr().cast::<[u8; BLOCK]>());
        for block in 0..blocks {
            // SAFETY: both have so many blocks, and are different memory, for one is borrowed alone; bytes have no
            // alignment.
            unsafe { to.add(block).write_unaligned(from.add(block).read_unaligned()) };
        }
    } else {
        to[..length].write_copy_of_slice(&from[..length]);
    }
}

/// Whether the texts in `text` that end at `ends` are UTF-8, each by itself.
pub(crate) fn are_utf8(text: &[u8], mut ends: impl Iterator<Item = usize>) -> bool {
    // Most are: it is known in one pass.
    if text.is_ascii() {
        return true;
    }
    let Ok(text) = std::str::from_utf8(text) else { return false };
    ends.all(|end| text.is_char_boundary(end))
}

/// Whether the texts in `chars`, which begin at `base` and end at `ends`, are UTF-8.
///
/// # Safety
/// Both have been written whole.
pub(crate) unsafe fn are_texts<O: Native>(
    chars: &[MaybeUninit<u8>],
    base: usize,
    ends: &[MaybeUninit<O>],
) -> bool {
    // SAFETY: the caller has written all characters and ends.
    let text = unsafe { chars.assume_init_ref() };
    // SAFETY: likewise.
    are_utf8(text, ends.iter().map(|end| unsafe { end.assume_init() }.as_i64() as usize - base))
}
