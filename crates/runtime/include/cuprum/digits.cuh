// Decimal digits of texts, eight at a time.
#pragma once
#include "cuprum/column.cuh"

// `count` bytes from `at` on, 8 at most, the first in the lowest bits; bits of others are 0. It reads whole words of eight bytes
// around them, which a stage has.
__forceinline__ u64 bytes_at(const u8* at, u32 count) {
    const u32 shift = 8 * (u32(reinterpret_cast<u64>(at)) & 7);
    const u64* const words = reinterpret_cast<const u64*>(at - shift / 8);
    u64 bytes = words[0] >> shift;
    if (shift / 8 + count > 8) bytes |= words[1] << (64 - shift);
    return count < 8 ? bytes & ((1ull << 8 * count) - 1) : bytes;
}

constexpr u64 EIGHT_ZEROS = 0x3030303030303030, HIGH_BITS = 0x8080808080808080;

// The high bit of each byte that is no digit, up to the first of these; those behind it may be wrong.
__forceinline__ u64 other_than_digits(u64 bytes) {
    return ((bytes + 0x4646464646464646) | (bytes - EIGHT_ZEROS)) & HIGH_BITS;
}

// The number that eight digits are: of two, of four, and of all.
__forceinline__ u32 number_of_eight(u64 bytes) {
    constexpr u64 PAIRS = 0x000000ff000000ff;
    bytes -= EIGHT_ZEROS;
    bytes = bytes * 10 + (bytes >> 8);
    return u32(((bytes & PAIRS) * (100 + (1000000ull << 32)) + (bytes >> 16 & PAIRS) * (1 + (10000ull << 32))) >> 32);
}

// Puts `count` digits behind a number, which wraps; whether they are digits.
__forceinline__ bool append_digits(u64& number, const u8* at, u32 count) {
    u64 others = 0;
    for (; count >= 8; count -= 8, at += 8) {
        const u64 bytes = bytes_at(at, 8);
        others |= other_than_digits(bytes);
        number = number * 100000000 + number_of_eight(bytes);
    }
    if (count > 0) {
        // With zeros before them.
        const u64 bytes = bytes_at(at, count) << (64 - 8 * count) | EIGHT_ZEROS >> 8 * count;
        others |= other_than_digits(bytes);
        const u64 power = u64((count & 1) != 0 ? 10 : 1) * ((count & 2) != 0 ? 100 : 1) * ((count & 4) != 0 ? 10000 : 1);
        number = number * power + number_of_eight(bytes);
    }
    return others == 0;
}
