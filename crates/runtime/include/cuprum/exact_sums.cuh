// Sums of numbers as integers of any number of words of 32 bits, exact whatever the order in which threads add to them.
#pragma once
#include "cuprum/operators.cuh"

template <typename T>
constexpr bool IS_FLOAT = T(0.5) != T(0);
template <typename T>
constexpr bool IS_SIGNED = T(-1) < T(0);

// The integers that floats are in sums in shared memory: of `bits` bits below two to the power of `exponent`, the lowest
// `spare` of which are 0, since no digit is for them.
struct Unit {
    i32 exponent;
    u32 bits, spare;

    __forceinline__ Unit(i32 exponent, u32 bits, u32 num_digits, u32 width)
        : exponent(exponent), bits(bits), spare(bits > num_digits * width ? bits - num_digits * width : 0) {}
};

// A value as such an integer: three words of 32 bits from word `start` on, and what is in all words above.
struct Term {
    u32 words[3];
    u32 start, above;
};

// A value as a term; false, and a term of zeros, where it is too large or has bits that the unit has none for.
template <typename T>
__forceinline__ bool term_of(T value, const Unit& unit, Term& term) {
    if constexpr (IS_FLOAT<T>) {
        const f64 wide = f64(value);
        u64 bits;
        memcpy(&bits, &wide, sizeof(bits));
        const u32 stored = u32(bits >> 52) & 2047;
        u64 digits = bits & ((1ull << 52) - 1);
        if (stored != 0) digits |= 1ull << 52;
        i32 shift = i32(stored != 0 ? stored : 1) - 1075 - (unit.exponent - i32(unit.bits));
        // Infinity is larger than any exponent.
        bool is_held = shift + 53 <= i32(unit.bits);
        if (shift < i32(unit.spare)) {
            is_held = is_held && (digits == 0 || __ffsll(i64(digits)) - 1 >= i32(unit.spare) - shift);
            if (shift < 0) digits = shift > -64 ? digits >> -shift : 0;
            shift = Max()(shift, 0);
        }
        if (!is_held) {
            digits = 0;
            shift = 0;
        }
        const u32 within = u32(shift) & 31;
        u64 low = digits << within;
        u32 high = u32(digits >> 1 >> (63 - within));
        const bool is_negative = (bits >> 63) != 0 && digits != 0;
        if (is_negative) {
            low = 0 - low;
            high = ~high + (low == 0 ? 1 : 0);
        }
        term = {{u32(low), u32(low >> 32), high}, u32(shift) >> 5, is_negative ? ~0u : 0};
        return is_held;
    } else {
        const u32 above = IS_SIGNED<T> && value < T(0) ? ~0u : 0;
        const u64 bits = u64(i64(value));
        // Unsigned numbers of 64 bits are no negative ones.
        term = {{u32(bits), u32(bits >> 32), above}, 0, above};
        return true;
    }
}

// Adds terms of N rows to the sums that `words_of` has for them: `num_words` words at `sum`, `stride` apart. One word of all rows comes before the next one of any, so
// that what waits for a carry has the others to do. Whoever makes a word overflow carries to the next one.
template <u32 N, typename WordsOf>
__forceinline__ void add_terms(const Term (&terms)[N], WordsOf words_of) {
    u32 carry[N];
#pragma unroll
    for (u32 r = 0; r < N; ++r) carry[r] = 0;
#pragma unroll
    for (u32 k = 0; k < 3; ++k) {
        u32 given[N], before[N];
#pragma unroll
        for (u32 r = 0; r < N; ++r) {
            given[r] = terms[r].words[k] + carry[r];
            carry[r] = given[r] < carry[r] ? 1 : 0;
            before[r] = 0;
            if (given[r] == 0) continue;
            const auto words = words_of(r);
            const u32 word = terms[r].start + k;
            if (word < words.num_words) before[r] = atomicAdd(words.sum + word * words.stride, given[r]);
        }
#pragma unroll
        for (u32 r = 0; r < N; ++r) carry[r] += before[r] + given[r] < given[r] ? 1 : 0;
    }
#pragma unroll
    for (u32 r = 0; r < N; ++r) {
        if (terms[r].above + carry[r] == 0) continue;
        const auto words = words_of(r);
        for (u32 word = terms[r].start + 3; word < words.num_words; ++word) {
            const u32 given = terms[r].above + carry[r];
            // Either nothing is carried to a number above 0, or to one below.
            if (given == 0) break;
            const u32 before = atomicAdd(words.sum + word * words.stride, given);
            carry[r] = (given < carry[r] ? 1 : 0) + (before + given < given ? 1 : 0);
        }
    }
}

// 64 bits of an integer of words of 32 bits, `stride` apart, from bit `from` on, which may be below the first.
__forceinline__ u64 bits_from(const u32* words, u32 stride, u32 num_words, i32 from) {
    const auto word = [&](i32 i) -> u64 {
        if (i < 0) return 0;
        if (i < i32(num_words)) return words[u32(i) * stride];
        return words[(num_words - 1) * stride] >> 31 ? ~0u : 0;
    };
    const i32 first = from >> 5;
    const u32 within = u32(from) & 31;
    const u64 low = word(first) | word(first + 1) << 32;
    return within == 0 ? low : low >> within | word(first + 2) << (64 - within);
}
