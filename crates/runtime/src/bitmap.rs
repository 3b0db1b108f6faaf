//! Bits in host memory, least significant bit first.

use std::ops::Range;

use crate::cache;

/// A borrowed run of `len` bits that starts at any bit of a byte.
#[derive(Clone, Copy, Debug)]
pub struct Bitmap<'a> {
    bytes: &'a [u8],
    offset: usize,
    len: usize,
}

impl<'a> Bitmap<'a> {
    /// The bits `[offset, offset + len)` of `bytes`, which must hold them.
    pub fn new(bytes: &'a [u8], offset: usize, len: usize) -> Self {
        assert!(
            offset.checked_add(len).is_some_and(|end| end.div_ceil(8) <= bytes.len()),
            "bits [{offset}, {offset} + {len}) of {} bytes",
            bytes.len()
        );
        Self { bytes, offset, len }
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`; panics outside the map.
    #[inline(always)]
    pub fn get(&self, i: usize) -> bool {
        assert!(i < self.len);
        let bit = self.offset + i;
        self.bytes[bit >> 3] >> (bit & 7) & 1 != 0
    }

    /// Bit `i` without a check.
    ///
    /// # Safety
    /// `i < len`.
    #[inline(always)]
    pub unsafe fn get_unchecked(&self, i: usize) -> bool {
        debug_assert!(i < self.len);
        let bit = self.offset + i;
        // SAFETY: bit < offset + len, which the constructor has checked against the bytes.
        unsafe { self.bytes.get_unchecked(bit >> 3) >> (bit & 7) & 1 != 0 }
    }

    /// The bits `[range)` of this map.
    pub fn slice(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len);
        Self { bytes: self.bytes, offset: self.offset + range.start, len: range.len() }
    }

    /// Bits `[64 w, 64 w + 64)` as a word; bits past the end are 0.
    #[inline]
    pub fn word(&self, w: usize) -> u64 {
        let start = w * 64;
        if start >= self.len {
            return 0;
        }
        let bit = self.offset + start;
        let (first, shift) = (bit >> 3, bit & 7);
        let bytes = &self.bytes[first..];
        let word = if bytes.len() >= 9 {
            let low = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes"));
            if shift == 0 { low } else { low >> shift | u64::from(bytes[8]) << (64 - shift) }
        } else {
            let mut padded = [0u8; 16];
            padded[..bytes.len()].copy_from_slice(bytes);
            (u128::from_le_bytes(padded) >> shift) as u64
        };
        let rest = self.len - start;
        if rest < 64 { word & ((1 << rest) - 1) } else { word }
    }

    /// Words `[first, first + out.len())` as [`word`](Self::word) gives them, many at a time.
    pub fn read_words(&self, first: usize, out: &mut [u64]) {
        self.combine_words(first, out, |_, word| word);
    }

    /// Each of `out` combined with its word, of those from `first` on.
    #[inline(always)]
    pub fn combine_words(&self, first: usize, out: &mut [u64], combine: impl Fn(u64, u64) -> u64) {
        // Words that are not the last one: all their bits are there, and a ninth byte.
        let inner = (self.len / 64).saturating_sub(first + 1).min(out.len());
        let (inside, rest) = out.split_at_mut(inner);
        if inner > 0 {
            let bit = self.offset + first * 64;
            let (bytes, shift) = (&self.bytes[bit >> 3..], bit & 7);
            cache::fetch_ahead(&bytes[..inner * 8]);
            let words = inside.iter_mut().zip(bytes.as_chunks().0);
            if shift == 0 {
                words.for_each(|(place, &word)| *place = combine(*place, u64::from_le_bytes(word)));
            } else {
                // The ninth byte is the last one of the word that begins a byte later.
                for ((place, &word), &ahead) in words.zip(bytes[1..].as_chunks().0) {
                    let ninth = u64::from_le_bytes(ahead) >> 56;
                    *place = combine(*place, u64::from_le_bytes(word) >> shift | ninth << (64 - shift));
                }
            }
        }
        for (i, place) in rest.iter_mut().enumerate() {
            *place = combine(*place, self.word(first + inner + i));
        }
    }

    /// The number of words.
    pub fn num_words(&self) -> usize {
        self.len.div_ceil(64)
    }

    /// All words in order; see [`word`](Self::word).
    pub fn words(&self) -> impl Iterator<Item = u64> + use<'a> {
        let this = *self;
        (0..this.num_words()).map(move |w| this.word(w))
    }

    /// The number of 1 bits.
    pub fn count_set(&self) -> usize {
        // Beginning at a whole byte, the bits are counted where they are.
        let lead = (self.offset.next_multiple_of(8) - self.offset).min(self.len);
        let (start, end) = ((self.offset + lead) / 8, (self.offset + self.len) / 8);
        let (lines, bytes) = self.bytes.get(start..end).unwrap_or_default().as_chunks::<64>();
        let ones_of_line = |line: &[u8; 64]| {
            cache::fetch_ahead(line);
            let (words, _) = line.as_chunks();
            words.iter().map(|&word| u64::from_le_bytes(word).count_ones() as usize).sum::<usize>()
        };
        let inside: usize = lines.iter().map(ones_of_line).sum();
        let between: usize = bytes.iter().map(|byte| byte.count_ones() as usize).sum();
        let tail = lead + (end.max(start) - start) * 8;
        let ends = (0..lead).chain(tail..self.len).filter(|&i| self.get(i)).count();
        inside + between + ends
    }

    /// The positions of the 1 bits, ascending.
    pub fn set_bits(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.words().enumerate().flat_map(|(w, word)| SetBits(word).map(move |bit| w * 64 + bit))
    }

    /// All bits in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + use<'a> {
        let this = *self;
        (0..this.len).map(move |i| this.get(i))
    }
}

/// The positions of the 1 bits of one word, ascending.
#[derive(Clone, Debug)]
pub struct SetBits(pub u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
