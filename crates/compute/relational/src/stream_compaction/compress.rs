//! Moving elements under set bits together with the instructions that newer processors have for it.
//!
//! AVX-512 compresses eight or sixteen elements in a register, which is then stored as far as it is
//! filled: compressing straight to memory is several times slower on some processors.

use bytemuck::Pod;
use cuprum_runtime::cache::Appender;

/// Appends the elements of `source` under the set bits of `words` to `out`. False, and nothing is appended, where the
/// processor has no instructions for elements of this size.
///
/// Panics where `words` are too few for `source`.
pub(super) fn compress<T: Pod>(words: &[u64], source: &[T], out: &mut Appender<'_>) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        match size_of::<T>() {
            4 => {
                // SAFETY: the processor has AVX-512F.
                unsafe { avx512::compress_32(words, bytemuck::cast_slice(source), out) };
                return true;
            }
            8 => {
                // SAFETY: the processor has AVX-512F.
                unsafe { avx512::compress_64(words, bytemuck::cast_slice(source), out) };
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Appends the elements of `start, start + step, …` under the set bits of `words` to `out`; the elements wrap around.
/// False as for [`compress`].
pub(super) fn compress_range(words: &[u64], start: i64, step: i64, out: &mut Appender<'_>) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512F.
        unsafe { avx512::compress_range(words, start, step, out) };
        return true;
    }
    false
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use cuprum_column::null_mask::SetBits;
    use cuprum_runtime::cache::Appender;

    /// Elements of 64 that are moved one by one, without reading the others.
    const FEW: usize = 6;

    /// The distance of prefetched elements, in bytes.
    const SOURCE_AHEAD: usize = 8192;

    /// Bytes of 64 elements, and of a register.
    const BLOCK: usize = 64 * 8;
    const REGISTER: usize = 64;

    /// Asks for the line that lies so many bytes behind an address, whether there is any or not, to be in the second
    /// cache: the first one is left to the elements kept back.
    #[inline(always)]
    fn fetch<T>(address: *const T, ahead: usize) {
        // SAFETY: a prefetch never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast::<i8>().wrapping_add(ahead)) };
    }

    /// Defines a function for elements of one width: `$lanes` of them fill a register.
    macro_rules! compress {
        ($name:ident, $T:ty, $lanes:literal, $Mask:ty, $load:ident, $compress:ident, $store:ident) => {
            /// See [`compress`](super::compress).
            #[target_feature(enable = "avx512f")]
            pub(super) fn $name(words: &[u64], source: &[$T], out: &mut Appender<'_>) {
                const SIZE: usize = size_of::<$T>();
                assert!(source.len() <= words.len() * 64);
                for (&word, block) in words.iter().zip(source.chunks(64)) {
                    let word = word & (u64::MAX >> (64 - block.len()));
                    let places = out.place::<BLOCK>();
                    let mut at = 0;
                    if word.count_ones() as usize <= FEW {
                        for bit in SetBits(word) {
                            places[at..at + SIZE].copy_from_slice(&block[bit].to_ne_bytes());
                            at += SIZE;
                        }
                        out.take(at);
                        continue;
                    }
                    let (registers, rest) = block.as_chunks::<$lanes>();
                    for (i, elements) in registers.iter().enumerate() {
                        fetch(elements.as_ptr(), SOURCE_AHEAD);
                        let mask = (word >> (i * $lanes)) as $Mask;
                        // Bytes behind the elements are overwritten by the next ones.
                        let place: &mut [u8; REGISTER] =
                            places[at..].first_chunk_mut().expect("no more elements than were read");
                        // SAFETY: the load reads the elements of one chunk, the store fills the place.
                        unsafe {
                            let packed = $compress(mask, $load(elements.as_ptr().cast()));
                            $store(place.as_mut_ptr().cast(), packed);
                        }
                        at += mask.count_ones() as usize * SIZE;
                    }
                    let first = registers.len() * $lanes;
                    for (i, &element) in rest.iter().enumerate() {
                        if word >> (first + i) & 1 != 0 {
                            places[at..at + SIZE].copy_from_slice(&element.to_ne_bytes());
                            at += SIZE;
                        }
                    }
                    out.take(at);
                }
            }
        };
    }
    /// See [`compress_range`](super::compress_range).
    #[target_feature(enable = "avx512f")]
    pub(super) fn compress_range(words: &[u64], start: i64, step: i64, out: &mut Appender<'_>) {
        let lanes: [i64; 8] = std::array::from_fn(|lane| start.wrapping_add(step.wrapping_mul(lane as i64)));
        // SAFETY: there are eight elements to load.
        let mut elements = unsafe { _mm512_loadu_epi64(lanes.as_ptr()) };
        let next = _mm512_set1_epi64(step.wrapping_mul(8));
        for &word in words {
            let places = out.place::<BLOCK>();
            let mut at = 0;
            for mask in word.to_le_bytes() {
                let place: &mut [u8; REGISTER] =
                    places[at..].first_chunk_mut().expect("no more elements than there are bits");
                // SAFETY: the store fills the place.
                unsafe {
                    let packed = _mm512_maskz_compress_epi64(mask, elements);
                    _mm512_storeu_epi64(place.as_mut_ptr().cast(), packed);
                }
                at += mask.count_ones() as usize * 8;
                elements = _mm512_add_epi64(elements, next);
            }
            out.take(at);
        }
    }

    compress!(
        compress_32,
        u32,
        16,
        u16,
        _mm512_loadu_epi32,
        _mm512_maskz_compress_epi32,
        _mm512_storeu_epi32
    );
    compress!(compress_64, u64, 8, u8, _mm512_loadu_epi64, _mm512_maskz_compress_epi64, _mm512_storeu_epi64);
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

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
                let mut out = vec![MaybeUninit::new(0xA5u8); size_of_val(&expected[..]) + 1];
                for output_bytes in [0, usize::MAX] {
                    let (places, behind) = out.split_at_mut(size_of_val(&expected[..]));
                    let mut appender = Appender::new(output_bytes, places);
                    if compress(&words, &source, &mut appender) {
                        assert!(appender.finish(), "{len} {density}");
                        // SAFETY: every place was initialised above.
                        let found: Vec<u8> = places.iter().map(|b| unsafe { b.assume_init() }).collect();
                        assert_eq!(found, bytemuck::cast_slice::<T, u8>(&expected), "{len} {density}");
                        // SAFETY: the byte behind the places was initialised above.
                        assert_eq!(
                            unsafe { behind[0].assume_init() },
                            0xA5,
                            "nothing is written behind the end"
                        );
                    }
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
                let mut out = vec![MaybeUninit::new(0xA5u8); size_of_val(&expected[..]) + 1];
                let (places, behind) = out.split_at_mut(size_of_val(&expected[..]));
                let mut appender = Appender::new(0, places);
                if compress_range(&words, start, step, &mut appender) {
                    assert!(appender.finish());
                    // SAFETY: every place was initialised above.
                    let found: Vec<u8> = places.iter().map(|b| unsafe { b.assume_init() }).collect();
                    assert_eq!(found, bytemuck::cast_slice::<i64, u8>(&expected));
                    // SAFETY: the byte behind the places was initialised above.
                    assert_eq!(unsafe { behind[0].assume_init() }, 0xA5, "nothing is written behind the end");
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
