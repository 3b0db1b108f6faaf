//! Finding the next special byte, and counting line ends and quotes.

/// The first position in `[from, end)` whose byte is one of `needles`, or `end`.
///
/// Sixteen bytes at a time; `data` may extend past `end` (padding makes short tails fast).
#[inline(always)]
pub(super) fn find(data: &[u8], from: usize, end: usize, needles: [u8; 4]) -> usize {
    let mut at = from;
    while at < end {
        let Some(block) = data.get(at..).and_then(<[u8]>::first_chunk::<16>) else {
            return (at..end).find(|&i| needles.contains(&data[i])).unwrap_or(end);
        };
        let hits = matches(block, needles);
        if hits != 0 {
            return (at + hits.trailing_zeros() as usize).min(end);
        }
        at += 16;
    }
    end
}

/// Bit `i` is 1 where byte `i` is one of `needles`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn matches(block: &[u8; 16], needles: [u8; 4]) -> u32 {
    use std::arch::x86_64::*;
    // SAFETY: SSE2 is part of every x86-64 processor; the load is unaligned, of 16 bytes that
    // `block` holds.
    unsafe {
        let block = _mm_loadu_si128(block.as_ptr().cast());
        let is = |byte: u8| _mm_cmpeq_epi8(block, _mm_set1_epi8(byte as i8));
        let any = _mm_or_si128(
            _mm_or_si128(is(needles[0]), is(needles[1])),
            _mm_or_si128(is(needles[2]), is(needles[3])),
        );
        _mm_movemask_epi8(any) as u32
    }
}

/// Bit `i` is 1 where byte `i` is one of `needles`.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn matches(block: &[u8; 16], needles: [u8; 4]) -> u32 {
    block.iter().enumerate().fold(0, |bits, (i, byte)| bits | u32::from(needles.contains(byte)) << i)
}

/// Line ends and quotes in a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// `\n`, and `\r` that no `\n` follows within the piece.
    pub(super) lines: usize,
    /// Quotes.
    pub(super) quotes: usize,
}

/// Counts line ends and quotes in `piece`.
pub(super) fn count(piece: &[u8], quote: u8) -> Counts {
    let (mut newlines, mut returns, mut quotes) = (0usize, 0usize, 0usize);
    // Sums of 0/1 bytes over at most 255 bytes: the compiler turns this into byte compares.
    for block in piece.chunks(128) {
        let (mut n, mut r, mut q) = (0u8, 0u8, 0u8);
        for &byte in block {
            n += u8::from(byte == b'\n');
            r += u8::from(byte == b'\r');
            q += u8::from(byte == quote);
        }
        newlines += usize::from(n);
        returns += usize::from(r);
        quotes += usize::from(q);
    }
    if returns > 0 {
        let crlf = memchr::memchr_iter(b'\r', piece).filter(|&i| piece.get(i + 1) == Some(&b'\n')).count();
        returns -= crlf;
    }
    Counts { lines: newlines + returns, quotes }
}
