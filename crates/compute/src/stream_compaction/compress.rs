//! Moving elements under set bits together with the instructions that newer processors have for it.
//!
//! AVX-512 compresses eight or sixteen elements in a register, which is then stored as far as it is
//! filled: compressing straight to memory is several times slower on some processors.

use std::mem::MaybeUninit;

use bytemuck::Pod;

/// Writes the elements of `source` under the set bits of `words` to `out`, which has as many places
/// as there are set bits among the first `source.len()`. False, and nothing is written, where the
/// processor has no instructions for elements of this size.
///
/// Panics where `words` are too few for `source`, or `out` has too few places.
pub(super) fn compress<T: Pod>(words: &[u64], source: &[T], out: &mut [MaybeUninit<T>]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        match size_of::<T>() {
            4 => {
                // SAFETY: the processor has AVX-512F.
                unsafe { avx512::compress_32(words, bytemuck::cast_slice(source), cast_places(out)) };
                return true;
            }
            8 => {
                // SAFETY: the processor has AVX-512F.
                unsafe { avx512::compress_64(words, bytemuck::cast_slice(source), cast_places(out)) };
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Writes the elements of `start, start + step, …` under the set bits of `words` to `out`, which has as many places as
/// there are set bits; the elements wrap around. False as for [`compress`].
///
/// Panics where `out` has too few places.
pub(super) fn compress_range(words: &[u64], start: i64, step: i64, out: &mut [MaybeUninit<i64>]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512F.
        unsafe { avx512::compress_range(words, start, step, out) };
        return true;
    }
    false
}

/// The same places for integers of the same size and alignment.
#[cfg(target_arch = "x86_64")]
fn cast_places<T: Pod, U: Pod>(out: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<U>] {
    assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>());
    // SAFETY: equal size and alignment; both types take any bytes.
    unsafe { &mut *(std::ptr::from_mut(out) as *mut [MaybeUninit<U>]) }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    use cuprum_column::null_mask::SetBits;

    /// Elements of 64 that are moved one by one, without reading the others.
    const FEW: usize = 6;

    /// How far ahead the elements are asked for, in bytes.
    const SOURCE_AHEAD: usize = 8192;

    /// How far ahead the places are asked for: these come slower, and only some of what is read goes there.
    const PLACES_AHEAD: usize = 1024;

    /// Asks for the line that lies so many bytes behind an address, whether there is any or not.
    #[inline(always)]
    fn fetch<T>(address: *const T, ahead: usize) {
        // SAFETY: a prefetch never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast::<i8>().wrapping_add(ahead)) };
    }

    /// Asks for as many bytes as there are places in `range`, some way behind them.
    #[inline(always)]
    fn fetch_places<T>(out: &[MaybeUninit<T>], range: std::ops::Range<usize>) {
        for place in range.step_by(64 / size_of::<T>()) {
            fetch(out.as_ptr().wrapping_add(place), PLACES_AHEAD);
        }
    }

    /// Stores the first `count` elements of a register at `out[at..]`, for which there must be room: the whole
    /// register where it has room, since what is behind these elements is written over by later ones.
    macro_rules! put {
        ($packed:expr, $count:expr, $out:expr, $at:expr, $lanes:literal, $Mask:ty, $store:ident, $store_some:ident) => {{
            let place = $out.as_mut_ptr().add($at).cast();
            if $out.len() - $at >= $lanes {
                $store(place, $packed);
            } else {
                $store_some(place, ((1u32 << $count) - 1) as $Mask, $packed);
            }
        }};
    }
    /// Defines a function for elements of one width: `$lanes` of them fill a register.
    macro_rules! compress {
        ($name:ident, $T:ty, $lanes:literal, $Mask:ty, $load:ident, $compress:ident, $store:ident, $store_some:ident) => {
            /// See [`compress`](super::compress).
            #[target_feature(enable = "avx512f")]
            pub(super) fn $name(words: &[u64], source: &[$T], out: &mut [MaybeUninit<$T>]) {
                assert!(source.len() <= words.len() * 64);
                let mut at = 0;
                for (&word, block) in words.iter().zip(source.chunks(64)) {
                    let word = word & (u64::MAX >> (64 - block.len()));
                    let end = at + word.count_ones() as usize;
                    assert!(end <= out.len());
                    if end - at <= FEW {
                        for bit in SetBits(word) {
                            out[at].write(block[bit]);
                            at += 1;
                        }
                        continue;
                    }
                    fetch_places(out, at..end);
                    let (registers, rest) = block.as_chunks::<$lanes>();
                    for (i, elements) in registers.iter().enumerate() {
                        fetch(elements.as_ptr(), SOURCE_AHEAD);
                        let mask = (word >> (i * $lanes)) as $Mask;
                        let count = mask.count_ones();
                        // SAFETY: the load reads the elements of one chunk. All chunks together have as many
                        // elements to store as `word` has set bits: up to `end`, which is not behind the end
                        // of `out`.
                        unsafe {
                            let packed = $compress(mask, $load(elements.as_ptr().cast()));
                            put!(packed, count, out, at, $lanes, $Mask, $store, $store_some);
                        }
                        at += count as usize;
                    }
                    let first = registers.len() * $lanes;
                    for (i, &element) in rest.iter().enumerate() {
                        if word >> (first + i) & 1 != 0 {
                            out[at].write(element);
                            at += 1;
                        }
                    }
                }
            }
        };
    }
    /// See [`compress_range`](super::compress_range).
    #[target_feature(enable = "avx512f")]
    pub(super) fn compress_range(words: &[u64], start: i64, step: i64, out: &mut [MaybeUninit<i64>]) {
        let lanes: [i64; 8] = std::array::from_fn(|lane| start.wrapping_add(step.wrapping_mul(lane as i64)));
        // SAFETY: there are eight elements to load.
        let mut elements = unsafe { _mm512_loadu_epi64(lanes.as_ptr()) };
        let next = _mm512_set1_epi64(step.wrapping_mul(8));
        let mut at = 0;
        for &word in words {
            assert!(word.count_ones() as usize <= out.len() - at);
            fetch_places(out, at..at + word.count_ones() as usize);
            for mask in word.to_le_bytes() {
                let count = mask.count_ones();
                // SAFETY: there is room for as many elements as `word` has set bits.
                unsafe {
                    let packed = _mm512_maskz_compress_epi64(mask, elements);
                    put!(packed, count, out, at, 8, u8, _mm512_storeu_epi64, _mm512_mask_storeu_epi64);
                }
                at += count as usize;
                elements = _mm512_add_epi64(elements, next);
            }
        }
    }

    compress!(
        compress_32,
        u32,
        16,
        u16,
        _mm512_loadu_epi32,
        _mm512_maskz_compress_epi32,
        _mm512_storeu_epi32,
        _mm512_mask_storeu_epi32
    );
    compress!(
        compress_64,
        u64,
        8,
        u8,
        _mm512_loadu_epi64,
        _mm512_maskz_compress_epi64,
        _mm512_storeu_epi64,
        _mm512_mask_storeu_epi64
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Pod + PartialEq + std::fmt::Debug>(element: impl Fn(usize) -> T) {
        let mut random = cuprum_testing::Random(11);
        for len in cuprum_testing::LENGTHS {
            let source: Vec<T> = (0..len).map(&element).collect();
            for density in 0..4 {
                let words: Vec<u64> = (0..len.div_ceil(64))
                    .map(|_| match density {
                        0 => 0,
                        1 => u64::MAX,
                        2 => random.below(u64::MAX),
                        _ => random.below(u64::MAX) & random.below(u64::MAX) & random.below(u64::MAX),
                    })
                    .collect();
                let expected: Vec<T> =
                    (0..len).filter(|i| words[i / 64] >> (i % 64) & 1 != 0).map(|i| source[i]).collect();
                let mut out = vec![MaybeUninit::new(element(usize::MAX)); expected.len() + 1];
                if compress(&words, &source, &mut out[..expected.len()]) {
                    // SAFETY: every place was initialised above.
                    let out: Vec<T> = out.iter().map(|slot| unsafe { slot.assume_init() }).collect();
                    assert_eq!(out[..expected.len()], expected, "{len} {density}");
                    assert_eq!(out[expected.len()], element(usize::MAX), "nothing is written behind the end");
                }
            }
        }
    }

    #[test]
    fn ranges_agree_with_the_bits() {
        let mut random = cuprum_testing::Random(12);
        for (start, step) in [(0, 1), (-7, 3), (i64::MAX - 5, 2), (5, -1), (9, 0)] {
            for len in 0..5 {
                let words: Vec<u64> = (0..len)
                    .map(|i| [random.below(u64::MAX), 0, u64::MAX, 1 << 63, random.below(u64::MAX)][i])
                    .collect();
                let expected: Vec<i64> = (0..len * 64)
                    .filter(|i| words[i / 64] >> (i % 64) & 1 != 0)
                    .map(|i| element(start, step, i))
                    .collect();
                let mut out = vec![MaybeUninit::new(-99); expected.len() + 1];
                if compress_range(&words, start, step, &mut out[..expected.len()]) {
                    // SAFETY: every place was initialised above.
                    let out: Vec<i64> = out.iter().map(|slot| unsafe { slot.assume_init() }).collect();
                    assert_eq!(out[..expected.len()], expected);
                    assert_eq!(out[expected.len()], -99, "nothing is written behind the end");
                }
            }
        }

        fn element(start: i64, step: i64, row: usize) -> i64 {
            start.wrapping_add(step.wrapping_mul(row as i64))
        }
    }

    #[test]
    fn agrees_with_the_bits() {
        check(|i| i as u32);
        check(|i| i as f64);
        check(|i| i as u8);
    }
}
