//! Hash functions of bytes.
//!
//! `MurmurHash3` as Austin Appleby published it
//! (<https://github.com/aappleby/smhasher/wiki/MurmurHash3>); xxHash comes from a crate.

/// `MurmurHash3_x86_32`.
#[inline(always)]
pub fn murmur3_x86_32(bytes: &[u8], seed: u32) -> u32 {
    let mix = |k: u32| k.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (words, rest) = bytes.as_chunks::<4>();
    let mut hash = seed;
    for &word in words {
        hash =
            (hash ^ mix(u32::from_le_bytes(word))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    let rest = rest.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    hash ^= mix(rest) ^ bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// `MurmurHash3_x64_128`: the first 64 bits and the others.
#[inline(always)]
pub fn murmur3_x64_128(bytes: &[u8], seed: u64) -> [u64; 2] {
    const C: [u64; 2] = [0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f];
    let mix_low = |k: u64| k.wrapping_mul(C[0]).rotate_left(31).wrapping_mul(C[1]);
    let mix_high = |k: u64| k.wrapping_mul(C[1]).rotate_left(33).wrapping_mul(C[0]);
    let finish = |k: u64| {
        let k = (k ^ k >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let k = (k ^ k >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        k ^ k >> 33
    };
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let (blocks, rest) = bytes.as_chunks::<16>();
    let [mut low, mut high] = [seed; 2];
    for block in blocks {
        low = (low ^ mix_low(word(&block[..8]))).rotate_left(27).wrapping_add(high);
        low = low.wrapping_mul(5).wrapping_add(0x52dc_e729);
        high = (high ^ mix_high(word(&block[8..]))).rotate_left(31).wrapping_add(low);
        high = high.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (rest_low, rest_high) = rest.split_at(rest.len().min(8));
    high ^= mix_high(word(rest_high)) ^ bytes.len() as u64;
    low ^= mix_low(word(rest_low)) ^ bytes.len() as u64;
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    let (low, high) = (finish(low), finish(high));
    let low = low.wrapping_add(high);
    [low, high.wrapping_add(low)]
}

/// The hash of several values in a row from that of those before and that of the next.
#[inline(always)]
pub(super) fn combine(before: u32, next: u32) -> u32 {
    before ^ next.wrapping_add(0x9e37_79b9).wrapping_add(before << 6).wrapping_add(before >> 2)
}
