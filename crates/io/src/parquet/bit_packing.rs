//! Unpacking of values of some bits each, which follow each other with the least significant bit first. There may be
//! more bytes behind them, which lets registers be loaded to the last value.
//!
//! Eight values fill whole bytes: a group. On x86 the bytes that a value is in are put into a lane of its own by a
//! shuffle, and moved to the top of the lane by a multiplication and to its bottom by a shift, many values at once.

/// Values `first ..` of `width` bits, 1 to 32, from `bytes`, which hold as many as `out` takes.
pub(super) fn unpack(bytes: &[u8], width: usize, first: usize, out: &mut [u32]) {
    macro_rules! groups {
        ($($w:literal)*) => {
            match width {
                $($w => unpack_groups::<$w>(&bytes[first / 8 * $w..], out),)*
                _ => 0,
            }
        };
    }
    let mut done = 0;
    if first.is_multiple_of(8) {
        done =
            groups!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
    }
    let mask = u32::MAX >> (32 - width);
    for (i, slot) in out.iter_mut().enumerate().skip(done) {
        let bit = (first + i) * width;
        let rest = &bytes[bit / 8..];
        let mut word = [0; 8];
        let n = rest.len().min(8);
        word[..n].copy_from_slice(&rest[..n]);
        *slot = (u64::from_le_bytes(word) >> (bit % 8)) as u32 & mask;
    }
}

/// [`unpack`] of values of 1 to 8 bits.
pub(super) fn unpack_bytes(bytes: &[u8], width: usize, first: usize, out: &mut [u8]) {
    macro_rules! groups {
        ($bytes:expr, $out:expr, $($w:literal)*) => {
            match width {
                $($w => unpack_byte_groups::<$w>($bytes, $out),)*
                _ => 0,
            }
        };
    }
    let mask = u8::MAX >> (8 - width);
    let group = |g: usize| {
        let rest = &bytes[g * width..];
        if let Some(word) = rest.first_chunk() {
            return u64::from_le_bytes(*word);
        }
        let mut word = [0; 8];
        let n = rest.len().min(width);
        word[..n].copy_from_slice(&rest[..n]);
        u64::from_le_bytes(word)
    };
    // Those of the group that has been begun.
    let head = ((8 - first % 8) % 8).min(out.len());
    for (i, slot) in out[..head].iter_mut().enumerate() {
        *slot = (group(first / 8) >> ((first + i) % 8 * width)) as u8 & mask;
    }
    let (g, out) = ((first + head) / 8, &mut out[head..]);
    let done = if out.is_empty() { 0 } else { groups!(&bytes[g * width..], out, 1 2 3 4 5 6 7 8) };
    for (g, out) in (g + done / 8..).zip(out[done..].chunks_mut(8)) {
        let word = group(g);
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = (word >> (i * width)) as u8 & mask;
        }
    }
}

/// The values of groups, of `W` bits each, as long as some more bytes are there; how many.
fn unpack_groups<const W: usize>(bytes: &[u8], out: &mut [u32]) -> usize {
    #[cfg(target_feature = "sse4.1")]
    if W <= shuffles::WIDEST {
        return shuffles::groups::<W>(bytes, out);
    }
    let mask = u32::MAX >> (32 - W);
    let (groups, _) = out.as_chunks_mut::<8>();
    let mut done = 0;
    for (g, group) in groups.iter_mut().enumerate() {
        let Some(bytes) = bytes.get(g * W..g * W + W + 8) else { break };
        for (i, slot) in group.iter_mut().enumerate() {
            let at = i * W / 8;
            let word: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
            *slot = (u64::from_le_bytes(word) >> (i * W % 8)) as u32 & mask;
        }
        done += 8;
    }
    done
}

/// [`unpack_groups`] of values of at most 8 bits.
fn unpack_byte_groups<const W: usize>(bytes: &[u8], out: &mut [u8]) -> usize {
    #[cfg(target_feature = "sse4.1")]
    return shuffles::byte_groups::<W>(bytes, out);
    #[cfg(not(target_feature = "sse4.1"))]
    {
        let mask = u8::MAX >> (8 - W);
        let (groups, _) = out.as_chunks_mut::<8>();
        let mut done = 0;
        for (g, group) in groups.iter_mut().enumerate() {
            let Some(word) = bytes.get(g * W..).and_then(<[u8]>::first_chunk) else { break };
            let word = u64::from_le_bytes(*word);
            for (i, slot) in group.iter_mut().enumerate() {
                *slot = (word >> (i * W)) as u8 & mask;
            }
            done += 8;
        }
        done
    }
}

#[cfg(target_feature = "sse4.1")]
mod shuffles {
    use std::arch::x86_64::{
        __m128i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_mullo_epi16, _mm_mullo_epi32, _mm_packus_epi16,
        _mm_shuffle_epi8, _mm_srl_epi16, _mm_srl_epi32, _mm_storel_epi64, _mm_storeu_si128,
    };

    /// The most bits of a value that is in four bytes wherever it begins.
    pub(super) const WIDEST: usize = 25;
    /// The bytes of a register.
    const BYTES: usize = 16;

    /// For either half of a group, from the byte on that it begins in: the bytes of each value, and the factor that moves
    /// it to the top of its lane.
    const fn halves<const W: usize>() -> ([[u8; BYTES]; 2], [[u32; 4]; 2]) {
        let (mut bytes, mut factors) = ([[0; BYTES]; 2], [[0; 4]; 2]);
        let mut value = 0;
        while value < 8 {
            let (half, lane) = (value / 4, value % 4);
            let bit = value * W - half * 4 * W / 8 * 8;
            let mut byte = 0;
            while byte < 4 {
                bytes[half][lane * 4 + byte] = (bit / 8 + byte) as u8;
                byte += 1;
            }
            if W <= WIDEST {
                factors[half][lane] = 1 << (32 - W - bit % 8);
            }
            value += 1;
        }
        (bytes, factors)
    }

    /// For either of two groups, from the start of the first on, the same in lanes of two bytes.
    const fn two<const W: usize>() -> ([[u8; BYTES]; 2], [u16; 8]) {
        let (mut bytes, mut factors) = ([[0; BYTES]; 2], [0; 8]);
        let mut value = 0;
        while value < 16 {
            let (group, lane) = (value / 8, value % 8);
            let bit = lane * W;
            let byte = group * W + bit / 8;
            bytes[group][lane * 2] = byte as u8;
            // Behind the last there is nothing, which the highest bit stands for.
            bytes[group][lane * 2 + 1] = if byte + 1 < BYTES { byte as u8 + 1 } else { 0x80 };
            factors[lane] = 1 << (16 - W - bit % 8);
            value += 1;
        }
        (bytes, factors)
    }

    fn register<T: bytemuck::NoUninit>(lanes: &T) -> __m128i {
        const { assert!(size_of::<T>() == BYTES) };
        // SAFETY: there are as many bytes as a register has; they need no alignment.
        unsafe { _mm_loadu_si128(std::ptr::from_ref(lanes).cast()) }
    }

    /// The values of groups of `W` bits each, at most [`WIDEST`], as long as registers can be loaded; how many.
    pub(super) fn groups<const W: usize>(bytes: &[u8], out: &mut [u32]) -> usize {
        let (controls, factors) = const { halves::<W>() };
        let (first, second) = (register(&controls[0]), register(&controls[1]));
        let (first_factors, second_factors) = (register(&factors[0]), register(&factors[1]));
        let (groups, _) = out.as_chunks_mut::<8>();
        let mut done = 0;
        for (g, group) in groups.iter_mut().enumerate() {
            let Some(bytes) = bytes.get(g * W..g * W + W / 2 + BYTES) else { break };
            let (from, to) = (bytes.as_ptr(), group.as_mut_ptr());
            // SAFETY: a register from the start of either half of the group on is in `bytes`; the eight values are two
            // registers. Neither needs alignment. The instructions are of SSE 4.1, which this is compiled for.
            unsafe {
                let low = _mm_shuffle_epi8(_mm_loadu_si128(from.cast()), first);
                let high = _mm_shuffle_epi8(_mm_loadu_si128(from.add(W / 2).cast()), second);
                let down = _mm_cvtsi32_si128(32 - W as i32);
                _mm_storeu_si128(to.cast(), _mm_srl_epi32(_mm_mullo_epi32(low, first_factors), down));
                _mm_storeu_si128(
                    to.add(4).cast(),
                    _mm_srl_epi32(_mm_mullo_epi32(high, second_factors), down),
                );
            }
            done += 8;
        }
        done
    }

    /// The values of groups of `W` bits each, at most 8, as long as registers can be loaded; how many.
    pub(super) fn byte_groups<const W: usize>(bytes: &[u8], out: &mut [u8]) -> usize {
        let (controls, factors) = const { two::<W>() };
        let (first, second, factors) = (register(&controls[0]), register(&controls[1]), register(&factors));
        let (pairs, _) = out.as_chunks_mut::<BYTES>();
        let mut done = 0;
        for (g, pair) in pairs.iter_mut().enumerate() {
            let Some(bytes) = bytes.get(g * 2 * W..g * 2 * W + BYTES) else { break };
            // SAFETY: `bytes` and the values of two groups are a register each, and need no alignment. The instructions
            // are of SSE 4.1, which this is compiled for.
            unsafe {
                let bits = _mm_loadu_si128(bytes.as_ptr().cast());
                let down = _mm_cvtsi32_si128(16 - W as i32);
                let low = _mm_srl_epi16(_mm_mullo_epi16(_mm_shuffle_epi8(bits, first), factors), down);
                let high = _mm_srl_epi16(_mm_mullo_epi16(_mm_shuffle_epi8(bits, second), factors), down);
                _mm_storeu_si128(pair.as_mut_ptr().cast(), _mm_packus_epi16(low, high));
            }
            done += BYTES;
        }
        // The last group, if it is one alone.
        if let Some(group) = out[done..].first_chunk_mut::<8>()
            && let Some(bytes) = bytes.get(done / 8 * W..).and_then(<[u8]>::first_chunk::<BYTES>)
        {
            // SAFETY: as above, for half a register of values.
            unsafe {
                let bits = _mm_loadu_si128(bytes.as_ptr().cast());
                let down = _mm_cvtsi32_si128(16 - W as i32);
                let low = _mm_srl_epi16(_mm_mullo_epi16(_mm_shuffle_epi8(bits, first), factors), down);
                _mm_storel_epi64(group.as_mut_ptr().cast(), _mm_packus_epi16(low, low));
            }
            done += 8;
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use cuprum_testing::Random;

    use super::*;

    /// Every width, start and length near the borders of groups, in no more bytes than the values need.
    #[test]
    fn values_are_bits() {
        for width in 1..=32usize {
            let count = 200;
            let mut random = Random(width as u64);
            let bytes: Vec<u8> = (0..count / 8 * width).map(|_| random.next() as u8).collect();
            let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
            let value = |i: usize| (0..width).fold(0, |value, b| value | bit(i * width + b) << b);
            for first in [0, 1, 7, 8, 9, 16, 40, 184, 192] {
                for len in [0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, count - first] {
                    let len = len.min(count - first);
                    let expected: Vec<u32> = (first..first + len).map(value).collect();
                    let mut found = vec![7; len];
                    unpack(&bytes, width, first, &mut found);
                    assert_eq!(found, expected, "{width} bits, {len} from {first}");
                    if width <= 8 {
                        let mut found = vec![7; len];
                        unpack_bytes(&bytes, width, first, &mut found);
                        assert!(
                            found.iter().map(|&v| u32::from(v)).eq(expected),
                            "{width} bits, {len} from {first}"
                        );
                    }
                }
            }
        }
    }
}
