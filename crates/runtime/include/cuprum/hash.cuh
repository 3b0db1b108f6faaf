// Published hash functions of bytes, whether these are the value of a register or lie in memory.
//
// MurmurHash3 (Austin Appleby, https://github.com/aappleby/smhasher/wiki/MurmurHash3) and xxHash
// (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
#pragma once
#include "cuprum/types.cuh"

// The bytes of a value of up to 16 of them, least significant first.
template <u32 SIZE>
struct FixedBytes {
    static constexpr u64 size = SIZE;
    u64 low, high;

    u8 byte(u64 i) const { return u8((i < 8 ? low : high) >> i % 8 * 8); }
    // Four bytes from byte i on, a multiple of 4; eight from a multiple of 8 on.
    u32 word(u64 i) const { return u32((i < 8 ? low : high) >> i % 8 * 8); }
    u64 long_word(u64 i) const { return i < 8 ? low : high; }
};

struct MemoryBytes {
    const u8* at;
    u64 size;

    u8 byte(u64 i) const { return at[i]; }
    u32 word(u64 i) const { return read<u32>(i); }
    u64 long_word(u64 i) const { return read<u64>(i); }

    // Byte by byte: strings begin anywhere.
    template <typename Word>
    Word read(u64 i) const {
        Word word = 0;
#pragma unroll
        for (u32 k = 0; k < sizeof(Word); ++k) word |= Word(at[i + k]) << 8 * k;
        return word;
    }
};

inline u32 rotate_left(u32 x, u32 by) { return x << by | x >> (32 - by); }
inline u64 rotate_left(u64 x, u32 by) { return x << by | x >> (64 - by); }

// ---- MurmurHash3 -------------------------------------------------------------------------------------

template <typename Bytes>
u32 murmur3_x86_32(const Bytes& bytes, u32 seed) {
    const auto mix = [](u32 k) { return rotate_left(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
    u32 h = seed;
    u64 i = 0;
    for (; i + 4 <= bytes.size; i += 4) {
        h = rotate_left(h ^ mix(bytes.word(i)), 13) * 5 + 0xe6546b64u;
    }
    u32 rest = 0;
    for (u64 k = bytes.size; k > i; --k) rest = rest << 8 | bytes.byte(k - 1);
    h ^= mix(rest) ^ u32(bytes.size);
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

struct Hash128 {
    u64 low, high;
};

template <typename Bytes>
Hash128 murmur3_x64_128(const Bytes& bytes, u64 seed) {
    const u64 c1 = 0x87c37b91114253d5ull, c2 = 0x4cf5ad432745937full;
    const auto mix_low = [=](u64 k) { return rotate_left(k * c1, 31) * c2; };
    const auto mix_high = [=](u64 k) { return rotate_left(k * c2, 33) * c1; };
    const auto finish = [](u64 k) {
        k = (k ^ k >> 33) * 0xff51afd7ed558ccdull;
        k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53ull;
        return k ^ k >> 33;
    };
    u64 low = seed, high = seed;
    u64 i = 0;
    for (; i + 16 <= bytes.size; i += 16) {
        low = (rotate_left(low ^ mix_low(bytes.long_word(i)), 27) + high) * 5 + 0x52dce729u;
        high = (rotate_left(high ^ mix_high(bytes.long_word(i + 8)), 31) + low) * 5 + 0x38495ab5u;
    }
    u64 rest_low = 0, rest_high = 0;
    for (u64 k = bytes.size; k > i + 8; --k) rest_high = rest_high << 8 | bytes.byte(k - 1);
    for (u64 k = bytes.size < i + 8 ? bytes.size : i + 8; k > i; --k) {
        rest_low = rest_low << 8 | bytes.byte(k - 1);
    }
    high ^= mix_high(rest_high) ^ bytes.size;
    low ^= mix_low(rest_low) ^ bytes.size;
    low += high;
    high += low;
    low = finish(low);
    high = finish(high);
    low += high;
    return {low, low + high};
}

// ---- xxHash ------------------------------------------------------------------------------------------

template <typename Bytes>
u32 xxhash_32(const Bytes& bytes, u32 seed) {
    const u32 p1 = 0x9e3779b1u, p2 = 0x85ebca77u, p3 = 0xc2b2ae3du, p4 = 0x27d4eb2fu, p5 = 0x165667b1u;
    u32 h = seed + p5;
    u64 i = 0;
    if (bytes.size >= 16) {
        u32 a = seed + p1 + p2, b = seed + p2, c = seed, d = seed - p1;
        const auto round = [=](u32 lane, u32 word) { return rotate_left(lane + word * p2, 13) * p1; };
        for (; i + 16 <= bytes.size; i += 16) {
            a = round(a, bytes.word(i));
            b = round(b, bytes.word(i + 4));
            c = round(c, bytes.word(i + 8));
            d = round(d, bytes.word(i + 12));
        }
        h = rotate_left(a, 1) + rotate_left(b, 7) + rotate_left(c, 12) + rotate_left(d, 18);
    }
    h += u32(bytes.size);
    for (; i + 4 <= bytes.size; i += 4) h = rotate_left(h + bytes.word(i) * p3, 17) * p4;
    for (; i < bytes.size; ++i) h = rotate_left(h + bytes.byte(i) * p5, 11) * p1;
    h = (h ^ h >> 15) * p2;
    h = (h ^ h >> 13) * p3;
    return h ^ h >> 16;
}

template <typename Bytes>
u64 xxhash_64(const Bytes& bytes, u64 seed) {
    const u64 p1 = 0x9e3779b185ebca87ull, p2 = 0xc2b2ae3d27d4eb4full, p3 = 0x165667b19e3779f9ull,
              p4 = 0x85ebca77c2b2ae63ull, p5 = 0x27d4eb2f165667c5ull;
    const auto round = [=](u64 lane, u64 word) { return rotate_left(lane + word * p2, 31) * p1; };
    u64 h = seed + p5;
    u64 i = 0;
    if (bytes.size >= 32) {
        u64 a = seed + p1 + p2, b = seed + p2, c = seed, d = seed - p1;
        for (; i + 32 <= bytes.size; i += 32) {
            a = round(a, bytes.long_word(i));
            b = round(b, bytes.long_word(i + 8));
            c = round(c, bytes.long_word(i + 16));
            d = round(d, bytes.long_word(i + 24));
        }
        h = rotate_left(a, 1) + rotate_left(b, 7) + rotate_left(c, 12) + rotate_left(d, 18);
        const auto merge = [=](u64 h, u64 lane) { return (h ^ round(0, lane)) * p1 + p4; };
        h = merge(merge(merge(merge(h, a), b), c), d);
    }
    h += bytes.size;
    for (; i + 8 <= bytes.size; i += 8) h = rotate_left(h ^ round(0, bytes.long_word(i)), 27) * p1 + p4;
    if (i + 4 <= bytes.size) {
        h = rotate_left(h ^ bytes.word(i) * p1, 23) * p2 + p3;
        i += 4;
    }
    for (; i < bytes.size; ++i) h = rotate_left(h ^ bytes.byte(i) * p5, 11) * p1;
    h = (h ^ h >> 33) * p2;
    h = (h ^ h >> 29) * p3;
    return h ^ h >> 32;
}

// ---- rows --------------------------------------------------------------------------------------------

// The hash of several values in a row from that of those before and that of the next.
inline u32 combine_hashes(u32 before, u32 next) {
    return before ^ (next + 0x9e3779b9u + (before << 6) + (before >> 2));
}

// The partition of `n` that a row with this hash belongs to.
inline u32 partition_of_hash(u32 hash, u32 n) { return (n & (n - 1)) == 0 ? hash & (n - 1) : hash % n; }
