// Keys of rows, as integers or to be compared. THREADS and ITEMS, the rows that a thread has in flight, come from those who
// include this.
//
// Each column of keys has a part of four words: the least ordered form, the factor of the code, the
// code of missing values, and whether rows that miss it are left out.
#pragma once
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"
#include "cuprum/row_groups.cuh"
#include "cuprum/value_bytes.cuh"

constexpr u64 NO_CODE = ~0ull;  // no key's: codes are below

// A value that another thread may change meanwhile.
template <typename T>
T changing(const T* at) {
    return *reinterpret_cast<const volatile T*>(at);
}

// Sets a flag that may be set already.
inline void set_flag(u32* flag) {
    if (changing(flag) == 0) atomicOr(flag, 1u);
}

// ---- values ------------------------------------------------------------------------------------------

// Calls `f` with a function from rows to the ordered forms of their values of up to 8 bytes, see
// `compute::ordered`, which returns false for NaN. The type is looked up once for many rows, so that their
// loads follow each other.
template <typename F>
__forceinline__ void with_ordered(const ColumnDeviceView& column, F f) {
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        if constexpr (sizeof(T) <= 8) {
            f([&](u64 row, u64& bits) {
                const T value = column.value<T>(row);
                // Of truth values, all that is not 0 is true.
                bits = sizeof(T) == 1 && column.type_id == BOOL8 ? u64(value != 0) : ordered(value);
                return !is_nan(value);
            });
        }
    });
}

// The ordered form of a value of up to 8 bytes; false where it is null or NaN.
inline bool ordered_value(const ColumnDeviceView& column, u64 row, u64& bits) {
    if (!column.is_valid(row)) return false;
    bool is_there = false;
    with_ordered(column, [&](auto ordered) { is_there = ordered(row, bits); });
    return is_there;
}

// The same of ITEMS of n rows, `THREADS` apart from `begin` on; rows behind the end are not there.
__forceinline__ void ordered_values(const ColumnDeviceView& column, u64 begin, u64 n, u64 (&bits)[ITEMS],
                                    bool (&is_there)[ITEMS]) {
    with_ordered(column, [&](auto ordered) {
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            bits[k] = 0;
            is_there[k] = row < n && column.type_id != EMPTY && ordered(row, bits[k]);
        }
    });
    if (column.mask_address == 0) return;
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k) {
        const u64 row = begin + k * THREADS;
        is_there[k] = is_there[k] && column.is_valid(row);
    }
}

// Every bit of the result depends on every bit of `x` (the finaliser of MurmurHash3).
inline u64 mixed(u64 x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

// A hash of any value; false where it is missing.
inline bool hashed_value(const ColumnDeviceView& column, u64 row, u64& hash) {
    if (column.type_id == STRING) {
        if (!column.is_valid(row)) return false;
        const StringView string = column.string(row);
        hash = xxhash_64(MemoryBytes{string.bytes, string.size}, 0);
        return true;
    }
    if (column.type_id == DECIMAL128) {
        if (!column.is_valid(row)) return false;
        const auto bytes = column.value<FixedBytes<16>>(row);
        hash = mixed(bytes.low) ^ bytes.high;
        return true;
    }
    return ordered_value(column, row, hash);
}

inline bool equal_values(const ColumnDeviceView& a, u64 row, const ColumnDeviceView& b, u64 other) {
    if (a.type_id == STRING || a.type_id == DECIMAL128) {
        const bool is_valid = a.is_valid(row);
        if (is_valid != b.is_valid(other)) return false;
        if (!is_valid) return true;
        if (a.type_id == DECIMAL128) {
            const auto x = a.value<FixedBytes<16>>(row), y = b.value<FixedBytes<16>>(other);
            return x.low == y.low && x.high == y.high;
        }
        const StringView x = a.string(row), y = b.string(other);
        if (x.size != y.size) return false;
        // Eight bytes at a time: loads that wait for each other cost more than those of bytes that differ early.
        const MemoryBytes own = {x.bytes, x.size}, others = {y.bytes, y.size};
        u64 i = 0;
        for (; i + 8 <= x.size; i += 8) {
            if (own.long_word(i) != others.long_word(i)) return false;
        }
        u8 differences = 0;
        for (; i < x.size; ++i) differences |= own.byte(i) ^ others.byte(i);
        return differences == 0;
    }
    u64 x = 0, y = 0;
    const bool is_valid = ordered_value(a, row, x);
    return is_valid == ordered_value(b, other, y) && (!is_valid || x == y);
}

inline bool equal_rows(const ColumnDeviceView* a, u64 row, const ColumnDeviceView* b, u64 other,
                       u32 num_columns) {
    for (u32 c = 0; c < num_columns; ++c) {
        if (!equal_values(a[c], row, b[c], other)) return false;
    }
    return true;
}

struct Codes;      // of rows whose columns are packed
struct WholeRows;  // hashes

// The code or the hash of ITEMS of n rows, `THREADS` apart from `begin` on, and which of them count.
template <typename Key>
__forceinline__ void keys_of_rows(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 begin,
                                  u64 n, u64 (&keys)[ITEMS], bool (&counts)[ITEMS]) {
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k) {
        keys[k] = 0;
        counts[k] = begin + k * THREADS < n;
    }
    for (u32 c = 0; c < num_columns; ++c) {
        const ColumnDeviceView column = columns[c];
        const u64 least = parts[4 * c], factor = parts[4 * c + 1], missing = parts[4 * c + 2];
        const bool drops = parts[4 * c + 3] != 0;
        if constexpr (IS_SAME<Key, Codes>) {
            u64 values[ITEMS];
            bool is_there[ITEMS];
            ordered_values(column, begin, n, values, is_there);
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                keys[k] += (is_there[k] ? values[k] - least : missing) * factor;
                if (drops && !is_there[k]) counts[k] = false;
            }
        } else {
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                const u64 row = begin + k * THREADS;
                if (row >= n) continue;
                u64 value = 0;
                const bool is_there = hashed_value(column, row, value);
                keys[k] = mixed(keys[k] * 31 + (is_there ? value : 0x9e3779b97f4a7c15ull));
                if (drops && !is_there) counts[k] = false;
            }
        }
    }
}

// Adds up over the threads that come here, which are whole warps.
__forceinline__ void add_up(u32 own, u32* num) {
    if (num == nullptr) return;
    const u32 all = warp_reduce(own, Sum());
    if (lane_id() == 0 && all != 0) atomicAdd(num, all);
}
