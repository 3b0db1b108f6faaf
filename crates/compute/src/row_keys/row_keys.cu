// Rows numbered by their keys. THREADS and ITEMS come from the declaration in cuda.rs.
//
// A key is a code that indexes a table, a code that is looked for in a hash table, or the whole row, which is
// compared. Each column of keys has a part of four words: the least ordered form, the factor of the code, the
// code of what is missing, and whether rows that miss it are left out.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/look_back.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/value_bytes.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 NONE = ~0u;
constexpr u64 NO_CODE = ~0ull;

// ---- values ------------------------------------------------------------------------------------------

template <typename Bits, typename T>
inline u64 ordered_float(T value) {
    constexpr u32 TOP = 8 * sizeof(T) - 1;
    value += T(0);  // one zero
    Bits bits;
    memcpy(&bits, &value, sizeof(T));
    return bits >> TOP ? Bits(~bits) : Bits(bits | Bits(1) << TOP);
}

// The ordered form of a value of up to 8 bytes, see `compute::ordered`; false where it is null or NaN.
inline bool ordered_value(const ColumnDeviceView& column, u64 row, u64& bits) {
    constexpr u64 TOP = 1ull << 63;
    if (!column.is_valid(row)) return false;
    switch (column.type_id) {
        case INT8: bits = u64(i64(column.value<i8>(row))) ^ TOP; return true;
        case INT16: bits = u64(i64(column.value<i16>(row))) ^ TOP; return true;
        case INT32:
        case TIMESTAMP_DAYS:
        case DURATION_DAYS:
        case DECIMAL32: bits = u64(i64(column.value<i32>(row))) ^ TOP; return true;
        case UINT8: bits = column.value<u8>(row); return true;
        case BOOL8: bits = column.value<u8>(row) != 0; return true;
        case UINT16: bits = column.value<u16>(row); return true;
        case UINT32: bits = column.value<u32>(row); return true;
        case UINT64: bits = column.value<u64>(row); return true;
        case FLOAT32: {
            const f32 value = column.value<f32>(row);
            bits = ordered_float<u32>(value);
            return value == value;
        }
        case FLOAT64: {
            const f64 value = column.value<f64>(row);
            bits = ordered_float<u64>(value);
            return value == value;
        }
        default: bits = column.value<u64>(row) ^ TOP; return true;
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
        for (u64 i = 0; i < x.size; ++i) {
            if (x.bytes[i] != y.bytes[i]) return false;
        }
        return true;
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
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            if (row >= n) continue;
            u64 value = 0;
            bool is_there;
            if constexpr (IS_SAME<Key, Codes>) {
                is_there = ordered_value(column, row, value);
                keys[k] += (is_there ? value - least : missing) * factor;
            } else {
                is_there = hashed_value(column, row, value);
                keys[k] = mixed(keys[k] * 31 + (is_there ? value : 0x9e3779b97f4a7c15ull));
            }
            if (drops && !is_there) counts[k] = false;
        }
    }
}

// ---- a look at the keys ------------------------------------------------------------------------------

// For each column of up to 8 bytes the least and the greatest ordered form and whether any value is missing.
// `ranges` was the greatest number, 0 and 0 for each.
__global__ void __launch_bounds__(THREADS)
    key_ranges(const ColumnDeviceView* columns, u32 num_columns, u64 n, u64* ranges) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    const u64 first = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x;
    for (u32 c = 0; c < num_columns; ++c) {
        const ColumnDeviceView column = columns[c];
        u64 least = ~0ull, greatest = 0;
        bool misses = false;
        for (u64 begin = first; begin < n; begin += step) {
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                const u64 row = begin + k * THREADS;
                u64 bits = 0;
                if (row >= n) continue;
                if (!ordered_value(column, row, bits)) {
                    misses = true;
                } else {
                    least = Min()(least, bits);
                    greatest = Max()(greatest, bits);
                }
            }
        }
        least = warp_reduce(least, Min());
        greatest = warp_reduce(greatest, Max());
        const bool any_misses = __any_sync(ALL_LANES, misses);
        if (lane_id() != 0) continue;
        if (least <= greatest) {
            atomicMin(ranges + 3 * c, least);
            atomicMax(ranges + 3 * c + 1, greatest);
        }
        if (any_misses) atomicOr(ranges + 3 * c + 2, 1ull);
    }
}

// ---- tables ------------------------------------------------------------------------------------------

// What another thread may change meanwhile.
template <typename T>
T changing(const T* at) {
    return *reinterpret_cast<const volatile T*>(at);
}

// The first row of every code, which are below the length of the table. `table` was NONE.
__global__ void __launch_bounds__(THREADS)
    first_rows(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u32* table) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u32 row = u32(begin + k * THREADS);
            // Rows ascend, so nearly always an earlier one is there.
            if (counts[k] && changing(table + keys[k]) > row) atomicMin(table + keys[k], row);
        }
    }
}

// Puts rows into a hash table of 2 to the power of `bits` slots, linear probing: each slot gets the first row
// of its key, and each row the number of its slot, NONE where it does not count. Gives up, which `full` says,
// where a search takes more than `most_steps`.
//
// A slot of codes is four u32: the code and, as the third, the row; one of whole rows is the row. The table
// was NONE.
template <typename Key>
__global__ void __launch_bounds__(THREADS)
    insert_rows(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u32* table, u32 bits,
                u64 most_steps, u32* __restrict__ slots, u32* full) {
    const u64 mask = (1ull << bits) - 1;
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        if (changing(full) != 0) return;
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<Key>(columns, parts, num_columns, begin, n, keys, counts);
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            if (row >= n) break;
            if (!counts[k]) {
                slots[row] = NONE;
                continue;
            }
            u64 at = (IS_SAME<Key, Codes> ? mixed(keys[k]) : keys[k]) >> (64 - bits);
            u64 steps = 0;
            for (;; at = (at + 1) & mask) {
                if constexpr (IS_SAME<Key, Codes>) {
                    u64* const code = reinterpret_cast<u64*>(table + 4 * at);
                    u64 found = changing(code);
                    if (found == NO_CODE) {
                        found = atomicCAS(code, NO_CODE, keys[k]);
                        if (found == NO_CODE) found = keys[k];
                    }
                    if (found == keys[k]) break;
                } else {
                    u32 found = changing(table + at);
                    if (found == NONE) {
                        found = atomicCAS(table + at, NONE, u32(row));
                        if (found == NONE) found = u32(row);
                    }
                    // Any row of the key stands for it.
                    if (found == u32(row) || equal_rows(columns, row, columns, found, num_columns)) break;
                }
                if (++steps > most_steps) {
                    atomicOr(full, 1u);
                    return;
                }
            }
            u32* const first = IS_SAME<Key, Codes> ? table + 4 * at + 2 : table + at;
            if (changing(first) > u32(row)) atomicMin(first, u32(row));
            slots[row] = u32(at);
        }
    }
}

// ---- numbers -----------------------------------------------------------------------------------------

// A bit for the first row of each slot. Rows are every `step`-th u32 of the table from `first` on; `words` was 0.
__global__ void __launch_bounds__(THREADS)
    mark_first_rows(const u32* __restrict__ table, u64 slots, u32 step, u32 first, u32* words) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < slots; i += stride) {
        const u32 row = table[i * step + first];
        if (row != NONE) atomicOr(words + row / 32, 1u << row % 32);
    }
}

// The first rows in the table become their numbers: how many bits are set before theirs.
__global__ void __launch_bounds__(THREADS)
    number_slots(u32* __restrict__ table, u64 slots, u32 step, u32 first, const u32* __restrict__ words,
                 const u32* __restrict__ ranks) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < slots; i += stride) {
        const u32 row = table[i * step + first];
        if (row != NONE) {
            table[i * step + first] = ranks[row / 32] + __popc(words[row / 32] & ((1u << row % 32) - 1));
        }
    }
}

// The slots of rows become the numbers in these.
__global__ void __launch_bounds__(THREADS)
    numbers_of_slots(const u32* __restrict__ table, u32 step, u32 first, u64 n, u32* __restrict__ slots) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) {
        const u32 slot = slots[i];
        if (slot != NONE) slots[i] = table[u64(slot) * step + first];
    }
}

// The number of the code of each row; NONE where no row has it, or the row does not count.
__global__ void __launch_bounds__(THREADS)
    numbers_of_codes(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n,
                     const u32* __restrict__ table, u32* __restrict__ numbers) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            if (row < n) numbers[row] = counts[k] ? table[keys[k]] : NONE;
        }
    }
}

// The same from a hash table that other rows were put into, of which `first` has the first of each number.
template <typename Key>
__global__ void __launch_bounds__(THREADS)
    find_numbers(const ColumnDeviceView* columns, const ColumnDeviceView* others, const u64* parts,
                 u32 num_columns, u64 n, const u32* __restrict__ table, u32 bits,
                 const u32* __restrict__ first, u32* __restrict__ numbers) {
    const u64 mask = (1ull << bits) - 1;
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<Key>(columns, parts, num_columns, begin, n, keys, counts);
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            if (row >= n) break;
            u32 number = NONE;
            u64 at = (IS_SAME<Key, Codes> ? mixed(keys[k]) : keys[k]) >> (64 - bits);
            for (; counts[k]; at = (at + 1) & mask) {
                if constexpr (IS_SAME<Key, Codes>) {
                    const u64 found = *reinterpret_cast<const u64*>(table + 4 * at);
                    if (found == keys[k]) number = table[4 * at + 2];
                    if (found == keys[k] || found == NO_CODE) break;
                } else {
                    const u32 found = table[at];
                    if (found == NONE) break;
                    if (equal_rows(columns, row, others, first[found], num_columns)) {
                        number = found;
                        break;
                    }
                }
            }
            numbers[row] = number;
        }
    }
}

// Row numbers in 64 bits; NONE becomes -1.
__global__ void __launch_bounds__(THREADS) wide_rows(const u32* __restrict__ rows, u64 n, i64* __restrict__ out) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) {
        out[i] = rows[i] == NONE ? -1 : i64(rows[i]);
    }
}

// Row numbers in 32 bits; what does not fit becomes NONE.
__global__ void __launch_bounds__(THREADS) narrow_rows(ColumnDeviceView rows, u32* __restrict__ out) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < rows.len; i += stride) {
        const u64 row = rows.value<u64>(i);
        out[i] = row < NONE ? u32(row) : NONE;
    }
}
