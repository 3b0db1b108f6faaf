//! Memory of a column that pieces are decoded into: its parts, and texts in them.

use std::mem::MaybeUninit;

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
