// The kernels that gather several columns at once: their rows are packed first, because a random access costs
// the same for 8 bytes and for 32. THREADS, PACKED_ITEMS, GATHERED_ITEMS and SAMPLE come from the declaration
// in packed.rs.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/pack.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;

// A column in packed rows: `width` bytes (1, 2, 4, 8 or 16) from byte `offset` of each row on, a
// multiple of the width. Addresses are numbers, so that Rust can declare them.
struct PackedColumn {
    u64 source;       // the first row's value
    u64 mask;         // words of validity, or 0; the first row's bit is `first_bit`
    u64 first_bit;
    u64 target;       // of the gathered values
    u64 target_mask;  // of their validity, or 0
    u64 width;
    u64 offset;
    // A column before the packed ones, whose rows come first in the numbering and are read where they are; of no
    // rows where these are 0.
    u64 first_source;
    u64 first_mask;
    u64 first_first_bit;
};

struct Row16 {
    static constexpr u32 WORDS = 2;
};
struct Row32 {
    static constexpr u32 WORDS = 4;
};

// The words of a row, which are in registers and therefore chosen without an index.
template <u32 WORDS>
struct RowWords {
    u64 words[WORDS];

    __forceinline__ void add(u32 at, u64 bits) {
#pragma unroll
        for (u32 w = 0; w < WORDS; ++w) words[w] |= at / 8 == w ? bits << at % 8 * 8 : 0;
    }
    __forceinline__ u64 from(u32 at) const {
        u64 bits = 0;
#pragma unroll
        for (u32 w = 0; w < WORDS; ++w) bits |= words[w] & (at / 8 == w ? ~0ull : 0);
        return bits >> at % 8 * 8;
    }
};

// The columns of one width, which follow each other from column `c` on: `f` for each, and where they end.
template <typename Value, typename F>
__forceinline__ u32 columns_of_width(const PackedColumn* columns, u32 c, u32 num_columns, F f) {
    for (; c < num_columns && columns[c].width == sizeof(Value); ++c) f(columns[c], Value{});
    return c;
}

// All columns, of which the widest come first.
template <typename F>
__forceinline__ void each_column(const PackedColumn* columns, u32 num_columns, F f) {
    u32 c = columns_of_width<Word16>(columns, 0, num_columns, f);
    c = columns_of_width<u64>(columns, c, num_columns, f);
    c = columns_of_width<u32>(columns, c, num_columns, f);
    c = columns_of_width<u16>(columns, c, num_columns, f);
    columns_of_width<u8>(columns, c, num_columns, f);
}

// The rows of several columns as packed rows. Bit c of the byte at `flags_at` is the validity of column c;
// there is no such byte where `flags_at` is beyond the row.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    pack_rows(const u64* __restrict__ column_words, u32 num_columns, u32 flags_at, u64 n, u8* __restrict__ packed) {
    constexpr u32 WORDS = Row::WORDS;
    const PackedColumn* const columns = reinterpret_cast<const PackedColumn*>(column_words);
    const u64 begin = u64(blockIdx.x) * THREADS * PACKED_ITEMS + threadIdx.x;
    RowWords<WORDS> rows[PACKED_ITEMS];
#pragma unroll
    for (u32 r = 0; r < PACKED_ITEMS; ++r) {
#pragma unroll
        for (u32 w = 0; w < WORDS; ++w) rows[r].words[w] = 0;
    }
    each_column(columns, num_columns, [&](const PackedColumn& column, auto zero) {
        using Value = decltype(zero);
        const Value* const source = reinterpret_cast<const Value*>(column.source);
        Value values[PACKED_ITEMS];
#pragma unroll
        for (u32 r = 0; r < PACKED_ITEMS; ++r) {
            const u64 row = begin + r * THREADS;
            values[r] = row < n ? source[row] : zero;
        }
#pragma unroll
        for (u32 r = 0; r < PACKED_ITEMS; ++r) {
            if constexpr (sizeof(Value) == 16) {
                const u32* const parts = values[r].parts;
                rows[r].add(u32(column.offset), u64(parts[1]) << 32 | parts[0]);
                rows[r].add(u32(column.offset) + 8, u64(parts[3]) << 32 | parts[2]);
            } else {
                rows[r].add(u32(column.offset), u64(values[r]));
            }
        }
    });
    for (u32 c = 0; c < num_columns && flags_at < WORDS * 8; ++c) {
        const u8* const mask = reinterpret_cast<const u8*>(columns[c].mask);
        const u64 first_bit = columns[c].first_bit;
#pragma unroll
        for (u32 r = 0; r < PACKED_ITEMS; ++r) {
            const u64 row = begin + r * THREADS;
            if (row < n && is_set(mask, first_bit + row)) rows[r].add(flags_at, 1ull << c);
        }
    }
#pragma unroll
    for (u32 r = 0; r < PACKED_ITEMS; ++r) {
        const u64 row = begin + r * THREADS;
        const u64* const words = rows[r].words;
        if constexpr (WORDS == 2) {
            if (row < n) reinterpret_cast<ulonglong2*>(packed)[row] = {words[0], words[1]};
        } else {
            // Two lanes write the halves of one row and then of the other: whole sectors.
            const bool is_odd = lane_id() & 1;
            const u64 other0 = __shfl_xor_sync(ALL_LANES, is_odd ? words[0] : words[2], 1);
            const u64 other1 = __shfl_xor_sync(ALL_LANES, is_odd ? words[1] : words[3], 1);
            const u64 even_row = row - is_odd;
            const ulonglong2 of_even = is_odd ? ulonglong2{other0, other1} : ulonglong2{words[0], words[1]};
            const ulonglong2 of_odd = is_odd ? ulonglong2{words[2], words[3]} : ulonglong2{other0, other1};
            ulonglong2* const to = reinterpret_cast<ulonglong2*>(packed) + even_row * 2 + is_odd;
            if (even_row < n) to[0] = of_even;
            if (even_row + 1 < n) to[2] = of_odd;
        }
    }
}

// The rows with these numbers, as columns again: the first `first_rows` lie in columns, the others are packed
// rows. Rows that do not exist are zeros and null.
template <typename Row, typename I>
__global__ void __launch_bounds__(THREADS)
    gather_packed(const u8* __restrict__ packed, u64 first_rows, u64 num_rows,
                  const u64* __restrict__ column_words, u32 num_columns, u32 flags_at,
                  const I* __restrict__ numbers, u64 n) {
    constexpr u32 WORDS = Row::WORDS;
    const PackedColumn* const columns = reinterpret_cast<const PackedColumn*>(column_words);
    const u64 begin = u64(blockIdx.x) * THREADS * GATHERED_ITEMS + threadIdx.x;
    u64 sources[GATHERED_ITEMS];
#pragma unroll
    for (u32 r = 0; r < GATHERED_ITEMS; ++r) {
        const u64 i = begin + r * THREADS;
        sources[r] = i < n ? u64(numbers[i]) : ~0ull;
    }
    RowWords<WORDS> rows[GATHERED_ITEMS];
#pragma unroll
    for (u32 r = 0; r < GATHERED_ITEMS; ++r) {
        const u64 row = sources[r] - first_rows;
        const bool exists = sources[r] >= first_rows && row < num_rows;
#pragma unroll
        for (u32 w = 0; w < WORDS; w += 2) {
            ulonglong2 half = {0, 0};
            if (exists) half = reinterpret_cast<const ulonglong2*>(packed)[row * (WORDS / 2) + w / 2];
            rows[r].words[w] = half.x;
            rows[r].words[w + 1] = half.y;
        }
    }
    each_column(columns, num_columns, [&](const PackedColumn& column, auto zero) {
        using Value = decltype(zero);
        Value* const target = reinterpret_cast<Value*>(column.target);
        const Value* const first = reinterpret_cast<const Value*>(column.first_source);
#pragma unroll
        for (u32 r = 0; r < GATHERED_ITEMS; ++r) {
            const u64 i = begin + r * THREADS;
            Value value;
            const u64 low = rows[r].from(u32(column.offset));
            if constexpr (sizeof(Value) == 16) {
                const u64 high = rows[r].from(u32(column.offset) + 8);
                value = {u32(low), u32(low >> 32), u32(high), u32(high >> 32)};
            } else {
                value = Value(low);
            }
            if (sources[r] < first_rows) value = first[sources[r]];
            if (i < n) target[i] = value;
        }
    });
    for (u32 c = 0; c < num_columns && flags_at < WORDS * 8; ++c) {
        u32* const words = reinterpret_cast<u32*>(columns[c].target_mask);
        if (words == nullptr) continue;
        const u8* const first_mask = reinterpret_cast<const u8*>(columns[c].first_mask);
        const u64 first_first_bit = columns[c].first_first_bit;
#pragma unroll
        for (u32 r = 0; r < GATHERED_ITEMS; ++r) {
            const u64 i = begin + r * THREADS;
            bool is_valid = rows[r].from(flags_at) >> c & 1;
            if (sources[r] < first_rows) is_valid = is_set(first_mask, first_first_bit + sources[r]);
            const u32 bits = __ballot_sync(ALL_LANES, is_valid);
            if (lane_id() == 0 && i < n) words[i / WARP] = bits;
        }
    }
}

// The number of different groups of 8 neighbours that the numbers of each sample name, added up; a block
// takes one sample of SAMPLE numbers that follow each other, the samples are `step` apart.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    count_neighbourhoods(const I* __restrict__ numbers, u64 n, u64 step, u64* count) {
    constexpr u32 BITS = 16 * SAMPLE;
    __shared__ u32 seen[BITS / 32];
    __shared__ u32 warp_results[WARPS];
    for (u32 w = threadIdx.x; w < BITS / 32; w += THREADS) seen[w] = 0;
    __syncthreads();
    for (u32 k = threadIdx.x; k < SAMPLE; k += THREADS) {
        const u64 i = blockIdx.x * step + k;
        if (i >= n) break;
        const u32 bit = u32((u64(numbers[i]) / 8 * 0x9e3779b97f4a7c15ull) >> 32) % BITS;
        atomicOr(seen + bit / 32, 1u << bit % 32);
    }
    __syncthreads();
    u32 found = 0;
    for (u32 w = threadIdx.x; w < BITS / 32; w += THREADS) found += __popc(seen[w]);
    found = block_reduce<THREADS>(found, Sum(), warp_results);
    if (threadIdx.x == 0) atomicAdd(count, u64(found));
}
