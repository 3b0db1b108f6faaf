// The order of values, of texts and of rows. The same is in `ordered_bits.rs` and `order/cpu/sort_keys.rs` for the CPU.
#pragma once
#include "cuprum/column.cuh"

// An unsigned integer of the same order; the two zeros are one. Means nothing for NaN.
template <typename T>
u64 ordered(T value) {
    if constexpr (IS_FLOAT<T>) {
        constexpr u64 top = 1ull << (sizeof(T) * 8 - 1);
        value = value + T(0);
        u64 bits = 0;
        memcpy(&bits, &value, sizeof(T));
        return (bits & top) != 0 ? ~bits & (top | (top - 1)) : bits | top;
    } else {
        return IS_SIGNED<T> ? u64(i64(value)) ^ 1ull << 63 : u64(value);
    }
}

template <typename T>
bool is_nan(T value) {
    return value != value;
}

// The comparable form of a value that is no text: 128 bits, and whether it is missing.
struct Comparable {
    u64 high, low;
    bool is_missing;
};

template <typename T>
Comparable comparable_of(T value) {
    if constexpr (IS_SAME<T, Decimal128>) {
        return {u64(value.high) ^ 1ull << 63, value.low, false};
    } else {
        return {0, ordered(value), is_nan(value)};
    }
}

__forceinline__ Comparable comparable(const ColumnDeviceView& view, u64 row) {
    Comparable found = {0, 0, true};
    if (!view.is_valid(row)) return found;
    with_stored(view.type_id, [&](auto type) { found = comparable_of(view.value<decltype(type)>(row)); });
    return found;
}

// The order of rows: the columns, the directions, and the position of missing values (null and NaN).
struct RowOrder {
    u32 first, end;       // of the columns
    u32 descending;       // unless there are directions for each
    u32 missing_first;
    u64 skip;             // so many bytes at the start of texts in the first column are known to be the same
};

// The bytes from `from` on that two texts begin with alike, and all before.
__forceinline__ u64 common_prefix(StringView a, StringView b, u64 from) {
    const u64 most = a.size < b.size ? a.size : b.size;
    u64 i = from < most ? from : most;
    while (i < most && a.bytes[i] == b.bytes[i]) ++i;
    return i;
}

// Below 0, 0 or above: texts by their bytes, of which the first `skip` are the same.
__forceinline__ i32 compare_texts(StringView a, StringView b, u64 skip) {
    const u64 i = common_prefix(a, b, skip);
    if (i < a.size && i < b.size) return i32(a.bytes[i]) - i32(b.bytes[i]);
    return a.size < b.size ? -1 : i32(a.size > b.size);
}

// Below 0, 0 or above: row `a` of some columns and row `b` of others of the same types.
__forceinline__ i32 compare_rows(const ColumnDeviceView* a_columns, u64 a, const ColumnDeviceView* b_columns, u64 b,
                                 const RowOrder& order, const u8* directions) {
    for (u32 c = order.first; c < order.end; ++c) {
        const ColumnDeviceView& a_view = a_columns[c];
        const ColumnDeviceView& b_view = b_columns[c];
        const bool descends = directions != nullptr ? directions[c] != 0 : order.descending != 0;
        bool a_missing, b_missing;
        i32 values = 0;
        if (a_view.type_id == STRING) {
            a_missing = !a_view.is_valid(a);
            b_missing = !b_view.is_valid(b);
            if (!a_missing && !b_missing) {
                values = compare_texts(a_view.string(a), b_view.string(b), c == order.first ? order.skip : 0);
            }
        } else {
            const Comparable x = comparable(a_view, a), y = comparable(b_view, b);
            a_missing = x.is_missing;
            b_missing = y.is_missing;
            if (x.high != y.high) {
                values = x.high < y.high ? -1 : 1;
            } else {
                values = x.low < y.low ? -1 : i32(x.low > y.low);
            }
        }
        if (a_missing || b_missing) {
            if (a_missing && b_missing) continue;
            return a_missing == (order.missing_first != 0) ? -1 : 1;
        }
        if (values != 0) return descends ? -values : values;
    }
    return 0;
}

// Words that begin with bytes of texts, as numbers whose digits are the bytes that a sample has, so that nothing lies between two of
// these. A byte that it does not have, and what follows, becomes the largest there is behind the next lower byte: words keep
// their order, though some become equal.
struct Alphabet {
    const u16* ranks;  // of each byte how many there are up to it, and in the highest bit whether it is one of these
    u64 base;          // of the words that there are
    u32 digits;        // bytes of a word, before four bits for how many of them there are

    static constexpr u32 IS_ONE = 1u << 15;

    // The rank of a byte, by 256 bits of those that there are.
    static __forceinline__ u16 rank(const u32* seen, u32 byte) {
        u32 rank = __popc(seen[byte / 32] & (2u << byte % 32) - 1);
        for (u32 word = 0; word < byte / 32; ++word) rank += __popc(seen[word]);
        return u16(rank | ((seen[byte / 32] >> byte % 32 & 1) != 0 ? IS_ONE : 0));
    }

    // 0 and words from `greatest` on stay the least and the greatest.
    __forceinline__ u64 spread(u64 word, u64 greatest) const {
        if (word == 0 || word >= greatest) return word == 0 ? 0 : ~0ull;
        const u64 size = (ranks[255] & (IS_ONE - 1)) + 1;
        u64 number = 0;
        bool is_known = true;
        for (u32 digit = digits; digit > 0; --digit) {
            const u32 rank = ranks[(word - base) >> (8 * digit - 4) & 255];
            number = number * size + (is_known ? rank & (IS_ONE - 1) : size - 1);
            is_known = is_known && (rank & IS_ONE) != 0;
        }
        return (number << 4 | (is_known ? (word - base) & 15 : 15)) + 1;
    }
};
