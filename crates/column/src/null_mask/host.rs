//! Masks made by the algorithms of the CPU: word by word, or bit by bit.

use std::mem::MaybeUninit;

use cuprum_runtime::parallel::{self, MORSEL};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Bitmap, Buffer, Context, Error, HostUVec, Result, host_vec};

use super::mask_buffer::bitmask_allocation_size_bytes;

/// A mask buffer for `len` elements from a function that gives word `w` (bits past `len` are
/// cleared), with the number of null (0) elements. Parallel over morsels.
pub fn from_words(len: usize, ctx: &Context, word: impl Fn(usize) -> u64 + Sync) -> Result<(Buffer, usize)> {
    fill_words(len, ctx, &|first, out| {
        for (i, slot) in out.iter_mut().enumerate() {
            slot.write(word(first + i));
        }
    })
}

/// [`from_words`] with a function that gets the number of a word and writes that word and those after
/// it: all of the slice. Compiled once and not for every kind of word.
fn fill_words(
    len: usize,
    ctx: &Context,
    fill: &(dyn Fn(usize, &mut [MaybeUninit<u64>]) + Sync),
) -> Result<(Buffer, usize)> {
    let (used, words) = (len.div_ceil(64), bitmask_allocation_size_bytes(len) / 8);
    let mut mask = HostUVec::<u64>::uninit(words, ctx)?;
    let out = mask.output();
    let valid = parallel::map_ranges(words, MORSEL / 64 * 4, ctx, |range| {
        // SAFETY: the ranges are disjoint and lie inside the mask.
        let out = unsafe { out.slice(range.clone()) };
        let (inside, padding) = out.split_at_mut(used.clamp(range.start, range.end) - range.start);
        fill(range.start, inside);
        padding.fill(MaybeUninit::new(0));
        // SAFETY: `fill` and the line above have written every word.
        let out = unsafe { out.assume_init_mut() };
        if range.contains(&(len / 64)) {
            out[len / 64 - range.start] &= (1 << (len % 64)) - 1;
        }
        let mut valid = 0;
        for word in out {
            valid += word.count_ones() as usize;
            *word = word.to_le();
        }
        Ok(valid)
    })?;
    let valid: usize = valid.into_iter().sum();
    // SAFETY: the ranges cover all words.
    let mask = unsafe { mask.assume_init() };
    Ok((mask.into_buffer(), len - valid))
}

/// A mask buffer whose bit `i` is `f(i)`, with the number of nulls.
pub fn from_fn(len: usize, ctx: &Context, f: impl Fn(usize) -> bool + Sync) -> Result<(Buffer, usize)> {
    from_words(len, ctx, |w| {
        let start = w * 64;
        let mut bits = 0u64;
        for (bit, i) in (start..(start + 64).min(len)).enumerate() {
            bits |= u64::from(f(i)) << bit;
        }
        bits
    })
}

/// A mask buffer with every one of `len` bits set (`true`) or clear.
pub fn uniform(valid: bool, len: usize, ctx: &Context) -> Result<Buffer> {
    Ok(from_words(len, ctx, |_| if valid { u64::MAX } else { 0 })?.0)
}

/// The bitwise and of masks of `len` bits, with the number of nulls; `None` when no mask is given.
pub fn and(masks: &[Bitmap<'_>], len: usize, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    match masks {
        [] => Ok(None),
        _ => {
            from_words(len, ctx, |w| masks.iter().fold(u64::MAX, |bits, mask| bits & mask.word(w))).map(Some)
        }
    }
}

/// The first `len` bits of a mask that may be there, for a [`Bitmap`] to read while they are kept.
pub fn bits(mask: Option<&(Buffer, usize)>, len: usize) -> Result<Option<Bits<'_>>> {
    mask.map(|(mask, _)| Bits::of(mask, 0, len)).transpose()
}

/// The masks of parts of so many elements, one after the other, with the number of nulls; a part without a
/// mask is all valid.
pub fn concatenated(parts: &[(usize, Option<Bitmap<'_>>)], ctx: &Context) -> Result<(Buffer, usize)> {
    let mut starts = host_vec::with_capacity(parts.len() + 1)?;
    let mut len = 0usize;
    for (rows, _) in parts {
        starts.push(len);
        len = len.checked_add(*rows).ok_or_else(|| Error::overflow("the masks have more than 2^64 bits"))?;
    }
    starts.push(len);
    fill_words(len, ctx, &|first, out| {
        out.fill(MaybeUninit::new(0));
        // SAFETY: the line above has written every word.
        let out = unsafe { out.assume_init_mut() };
        let (origin, end) = (first * 64, len.min((first + out.len()) * 64));
        let mut at = origin;
        let mut part = starts.partition_point(|&bound| bound <= at).saturating_sub(1);
        while at < end {
            let stop = starts[part + 1].min(end);
            let rows = at - starts[part]..stop - starts[part];
            let (place, shift) = ((at - origin) / 64, (at - origin) % 64);
            if shift == 0 && rows.len() >= 64 {
                let whole = rows.len() / 64;
                match &parts[part].1 {
                    Some(bits) => bits.slice(rows).read_words(0, &mut out[place..place + whole]),
                    None => out[place..place + whole].fill(u64::MAX),
                }
                at += whole * 64;
            } else if !rows.is_empty() {
                let some = rows.len().min(64 - shift);
                let piece = match &parts[part].1 {
                    Some(bits) => bits.slice(rows.start..rows.start + some).word(0),
                    None => u64::MAX >> (64 - some),
                };
                out[place] |= piece << shift;
                at += some;
            }
            part += usize::from(at == stop);
        }
    })
}

/// A mask that is built bit by bit, for outputs whose length is not known beforehand.
#[derive(Debug, Default)]
pub struct MaskBuilder {
    /// In the byte order of masks; empty until the first null.
    words: Vec<u64>,
    len: usize,
    nulls: usize,
}

impl MaskBuilder {
    /// Appends one bit.
    #[inline]
    pub fn push(&mut self, valid: bool) {
        if self.nulls == 0 && valid {
            self.len += 1;
        } else {
            self.push_bit(valid);
        }
    }

    #[inline]
    fn push_bit(&mut self, valid: bool) {
        if self.nulls == 0 {
            self.begin();
        }
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        if valid {
            *self.words.last_mut().expect("a word was pushed") |= (1u64 << (self.len % 64)).to_le();
        } else {
            self.nulls += 1;
        }
        self.len += 1;
    }

    /// Writes down the bits so far, all of which are set.
    #[cold]
    fn begin(&mut self) {
        self.words.resize(self.len / 64, u64::MAX);
        if !self.len.is_multiple_of(64) {
            self.words.push(((1u64 << (self.len % 64)) - 1).to_le());
        }
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All bits; `None` when every one is set.
    pub fn bits(&self) -> Option<Bitmap<'_>> {
        (self.nulls > 0).then(|| Bitmap::new(bytemuck::cast_slice(&self.words), 0, self.len))
    }

    /// The number of 0 bits.
    pub fn null_count(&self) -> usize {
        self.nulls
    }

    /// The mask and its null count; `None` when every bit is set.
    pub fn finish(self, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        match self.bits() {
            None => Ok(None),
            Some(bits) => from_words(self.len, ctx, |w| bits.word(w)).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(i: usize) -> bool {
        i.wrapping_mul(2_654_435_761) >> 7 & 3 != 0
    }

    #[test]
    fn every_offset_and_length() {
        let ctx = Context::current();
        let (mask, nulls) = from_fn(300, &ctx, pattern).unwrap();
        assert_eq!(mask.len(), 64);
        assert_eq!(nulls, (0..300).filter(|&i| !pattern(i)).count());
        for offset in 0..70 {
            for len in [0, 1, 31, 32, 33, 63, 64, 65, 128, 200, 300 - offset] {
                let bits = Bits::of(&mask, offset, len).unwrap();
                let map = bits.to_bitmap().unwrap();
                let expected: Vec<bool> = (offset..offset + len).map(pattern).collect();
                assert!(map.iter().eq(expected.iter().copied()));
                assert_eq!(map.count_set(), expected.iter().filter(|b| **b).count());
                let set: Vec<usize> = (0..len).filter(|&i| expected[i]).collect();
                assert_eq!(map.set_bits().collect::<Vec<_>>(), set);
            }
        }
    }

    #[test]
    fn builders_write_down_what_was_all_valid_before() {
        let ctx = Context::current();
        for first in [0, 1, 63, 64, 65, 128, 200] {
            let mut builder = MaskBuilder::default();
            (0..300).for_each(|i| builder.push(i < first || i % 3 != 0));
            let bits: Vec<bool> = builder.bits().unwrap().iter().collect();
            assert!(bits.iter().copied().eq((0..300).map(|i| i < first || i % 3 != 0)), "{first}");
            assert_eq!(builder.null_count(), bits.iter().filter(|bit| !**bit).count());
            // Behind one another with parts that are all valid and empty ones.
            let bits = builder.bits();
            let all =
                concatenated(&[(0, None), (70, None), (300, bits), (0, None), (1, None), (300, bits)], &ctx);
            let (mask, nulls) = all.unwrap();
            assert_eq!(nulls, 2 * builder.null_count());
            let all = Bits::of(&mask, 0, 671).unwrap();
            let expected = (0..671).map(|i| match i {
                0..70 | 370 => true,
                70..370 => i - 70 < first || (i - 70) % 3 != 0,
                _ => i - 371 < first || (i - 371) % 3 != 0,
            });
            assert!(all.to_bitmap().unwrap().iter().eq(expected), "{first}");
        }
    }

    #[test]
    fn builder_and_combination() {
        let ctx = Context::current();
        let mut builder = MaskBuilder::default();
        (0..1000).for_each(|i| builder.push(i % 3 != 0));
        let (mask, nulls) = builder.finish(&ctx).unwrap().unwrap();
        assert_eq!(nulls, 334);
        assert_eq!(mask.len(), 128);
        assert!(
            mask.span::<u8>().unwrap().to_vec().unwrap()[125..].iter().all(|&b| b == 0),
            "padding is zero"
        );
        let pair = [0, 10].map(|offset| Bits::of(&mask, offset, 990).unwrap());
        let pair = pair.each_ref().map(|bits| bits.to_bitmap().unwrap());
        let both = and(&pair, 990, &ctx).unwrap();
        let both = bits(both.as_ref(), 990).unwrap().unwrap();
        let both = both.to_bitmap().unwrap();
        assert!((0..990).all(|i| both.get(i) == (i % 3 != 0 && (i + 10) % 3 != 0)));
    }
}
