// Selected rows as bits, and moves of selected rows. THREADS and ITEMS come from the declaration in cuda.rs.
//
// A tile is a word of 32 rows for each thread of a block. Its bits are made in one pass, which also tells how
// many rows are selected before each tile, by look-back.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/column.cuh"
#include "cuprum/look_back.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/pack.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u64 TILE = u64(THREADS) * WARP;

// ---- which rows --------------------------------------------------------------------------------------

// The loop of all selections: `test(first, selected)` says of rows `first + k * WARP` whether they are
// selected. `starts` has the selected rows before each tile, and in all. `states` was 0: a ticket, then words
// of tiles.
template <typename Test>
__forceinline__ void select_rows(u64 n, Test test, u32* words, u64* starts, u64* states) {
    __shared__ u32 warp_counts[WARPS];
    const u64 tile = next_tile(states);
    const u64 first = tile * TILE + warp_id() * WARP * WARP + lane_id();
    u32 own = 0;
    for (u32 w = 0; w < WARP; w += ITEMS) {
        bool selected[ITEMS];
        test(first + w * WARP, selected);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u32 bits = __ballot_sync(ALL_LANES, selected[k] && first + (w + k) * WARP < n);
            if (lane_id() == w + k) own = bits;
        }
    }
    words[tile * THREADS + threadIdx.x] = own;
    const u32 warp_count = __shfl_sync(ALL_LANES, warp_reduce(u32(__popc(own)), Sum()), 0);
    const WarpPrefix<u32> warp = scan_warps<THREADS>(warp_count, 0u, Sum(), warp_counts);
    if (warp_id() != 0) return;
    if (lane_id() == 0) publish_aggregate(states + 1, tile, u64(warp.total));
    __syncwarp();
    const u64 before = look_back(tile, u64(warp.total), u64(0), Sum(), states + 1);
    if (lane_id() != 0) return;
    starts[tile] = before;
    if (tile == gridDim.x - 1) starts[tile + 1] = before + warp.total;
}

// Rows where a boolean is true and not null.
__global__ void __launch_bounds__(THREADS)
    select_true(ColumnDeviceView mask, u32* __restrict__ words, u64* starts, u64* states) {
    const u64 n = mask.len;
    select_rows(n, [=](u64 first, bool (&selected)[ITEMS]) {
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = first + k * WARP;
            selected[k] = row < n && mask.value<u8>(row) != 0 && mask.is_valid(row);
        }
    }, words, starts, states);
}

// Places of a number where it is to be `there`, else of all others.
__global__ void __launch_bounds__(THREADS)
    select_numbers(const u32* __restrict__ numbers, u64 n, u32 number, bool there, u32* __restrict__ words,
                   u64* starts, u64* states) {
    select_rows(n, [=](u64 first, bool (&selected)[ITEMS]) {
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = first + k * WARP;
            selected[k] = row < n && (numbers[row] == number) == there;
        }
    }, words, starts, states);
}

inline bool is_nan(const ColumnDeviceView& column, u64 row) {
    if (column.type_id == FLOAT32) {
        const f32 value = column.value<f32>(row);
        return value != value;
    }
    if (column.type_id != FLOAT64) return false;
    const f64 value = column.value<f64>(row);
    return value != value;
}

// Rows with at least `threshold` values that are not null, nor NaN where that `nan_is_null`.
__global__ void __launch_bounds__(THREADS)
    select_present(const ColumnDeviceView* columns, u32 num_columns, u32 threshold, bool nan_is_null, u64 n,
                   u32* __restrict__ words, u64* starts, u64* states) {
    select_rows(n, [=](u64 first, bool (&selected)[ITEMS]) {
        u32 counts[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) counts[k] = 0;
        for (u32 c = 0; c < num_columns; ++c) {
            const ColumnDeviceView column = columns[c];
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                const u64 row = first + k * WARP;
                if (row < n && column.is_valid(row) && !(nan_is_null && is_nan(column, row))) ++counts[k];
            }
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) selected[k] = counts[k] >= threshold;
    }, words, starts, states);
}

// ---- their contents ----------------------------------------------------------------------------------

// The word of a thread, and where its first selected row goes.
struct OwnWord {
    u32 bits;
    u32 before;  // selected rows of the tile before the word
    u32 total;   // selected rows of the tile
};

inline OwnWord own_word(const u32* words) {
    __shared__ u32 warp_counts[WARPS];
    OwnWord own;
    own.bits = words[u64(blockIdx.x) * THREADS + threadIdx.x];
    const u32 count = __popc(own.bits);
    const u32 up_to_own = warp_inclusive_scan(count, Sum());
    const u32 warp_count = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const WarpPrefix<u32> warp = scan_warps<THREADS>(warp_count, 0u, Sum(), warp_counts);
    own.before = warp.before + up_to_own - count;
    own.total = warp.total;
    return own;
}

// Calls `move(rows, places, is_selected)` for ITEMS rows of each lane at a time. For all threads.
template <typename Move>
__forceinline__ void each_selected(const u32* words, const u64* starts, Move move) {
    const OwnWord own = own_word(words);
    if (own.total == 0) return;
    const u64 start = starts[blockIdx.x];
    const u64 first = u64(blockIdx.x) * TILE + warp_id() * WARP * WARP + lane_id();
    for (u32 w = 0; w < WARP; w += ITEMS) {
        u64 places[ITEMS];
        bool selected[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u32 bits = __shfl_sync(ALL_LANES, own.bits, w + k);
            const u32 before = __shfl_sync(ALL_LANES, own.before, w + k);
            selected[k] = bits >> lane_id() & 1;
            places[k] = start + before + __popc(bits & ((1u << lane_id()) - 1));
        }
        move(first + w * WARP, places, selected);
    }
}

// The values of the selected rows.
template <typename Value>
__global__ void __launch_bounds__(THREADS)
    keep_values(ColumnDeviceView column, const u32* __restrict__ words, const u64* __restrict__ starts,
                u8* __restrict__ out) {
    each_selected(words, starts, [=](u64 first, const u64 (&places)[ITEMS], const bool (&selected)[ITEMS]) {
        Value values[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (selected[k]) values[k] = column.value<Value>(first + k * WARP);
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (selected[k]) reinterpret_cast<Value*>(out)[places[k]] = values[k];
        }
    });
}

// The numbers at the selected places.
__global__ void __launch_bounds__(THREADS)
    keep_numbers(const u32* __restrict__ numbers, const u32* __restrict__ words,
                 const u64* __restrict__ starts, u32* __restrict__ out) {
    each_selected(words, starts, [=](u64 first, const u64 (&places)[ITEMS], const bool (&selected)[ITEMS]) {
        u32 values[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (selected[k]) values[k] = numbers[first + k * WARP];
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (selected[k]) out[places[k]] = values[k];
        }
    });
}

// The numbers of the selected rows.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    keep_rows(const u32* __restrict__ words, const u64* __restrict__ starts, I* __restrict__ out) {
    each_selected(words, starts, [=](u64 first, const u64 (&places)[ITEMS], const bool (&selected)[ITEMS]) {
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (selected[k]) out[places[k]] = I(first + k * WARP);
        }
    });
}

// The 32 bits of a mask from row `row` on; those behind the last row are 0. Masks may begin at any byte.
inline u32 mask_word(const ColumnDeviceView& column, u64 row) {
    const u8* const bytes = reinterpret_cast<const u8*>(column.mask_address);
    if (row >= column.len) return 0;
    const u64 bit = column.offset + row, last = (column.offset + column.len - 1) / 8;
    u64 bits = 0;
#pragma unroll
    for (u32 k = 0; k < 5; ++k) {
        if (bit / 8 + k <= last) bits |= u64(bytes[bit / 8 + k]) << 8 * k;
    }
    return u32(bits >> bit % 8);
}

// The bits of `bits` under the ones of `mask`, side by side from the lowest on (Warren, "Hacker's Delight",
// 7-4).
inline u32 compressed(u32 bits, u32 mask) {
    bits &= mask;
    u32 zeros = ~mask << 1;
#pragma unroll
    for (u32 step = 0; step < 5; ++step) {
        u32 odd = zeros ^ zeros << 1;
        odd ^= odd << 2;
        odd ^= odd << 4;
        odd ^= odd << 8;
        odd ^= odd << 16;
        const u32 moves = odd & mask;
        mask = (mask ^ moves) | moves >> (1u << step);
        const u32 moved = bits & moves;
        bits = (bits ^ moved) | moved >> (1u << step);
        zeros &= ~odd;
    }
    return bits;
}

// The validity of the selected rows. `out` was 0 before the launch.
__global__ void __launch_bounds__(THREADS)
    keep_validity(ColumnDeviceView column, const u32* __restrict__ words, const u64* __restrict__ starts,
                  u32* out) {
    __shared__ u32 packed[THREADS + 1];
    for (u32 i = threadIdx.x; i <= THREADS; i += THREADS) packed[i] = 0;
    const OwnWord own = own_word(words);
    if (own.total == 0) return;
    const u64 start = starts[blockIdx.x];
    const u32 shift = u32(start % 32);
    const u32 valid = mask_word(column, u64(blockIdx.x) * TILE + u64(threadIdx.x) * WARP);
    const u32 bits = compressed(valid, own.bits);
    const u32 at = shift + own.before;
    __syncthreads();
    if (bits != 0) {
        atomicOr(packed + at / 32, bits << at % 32);
        const u32 above = at % 32 == 0 ? 0 : bits >> (32 - at % 32);
        if (above != 0) atomicOr(packed + at / 32 + 1, above);
    }
    __syncthreads();
    const u32 end = (shift + own.total + 31) / 32;
    for (u32 i = threadIdx.x; i < end; i += THREADS) {
        u32* const to = out + start / 32 + i;
        // Neighbours share the words at both ends.
        if (i == 0 || i == end - 1) {
            if (packed[i] != 0) atomicOr(to, packed[i]);
        } else {
            *to = packed[i];
        }
    }
}

// ---- bits that are there -----------------------------------------------------------------------------

// Tells of bits in whole tiles how many are set before each tile, in all, and before each word.
__global__ void __launch_bounds__(THREADS)
    rank_words(const u32* __restrict__ words, u64* starts, u32* __restrict__ ranks, u64* states) {
    __shared__ u32 warp_counts[WARPS];
    __shared__ u64 tile_before;
    const u64 tile = next_tile(states);
    const u32 count = __popc(words[tile * THREADS + threadIdx.x]);
    const u32 up_to_own = warp_inclusive_scan(count, Sum());
    const u32 warp_count = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const WarpPrefix<u32> warp = scan_warps<THREADS>(warp_count, 0u, Sum(), warp_counts);
    if (warp_id() == 0) {
        if (lane_id() == 0) publish_aggregate(states + 1, tile, u64(warp.total));
        __syncwarp();
        const u64 before = look_back(tile, u64(warp.total), u64(0), Sum(), states + 1);
        if (lane_id() == 0) {
            tile_before = before;
            starts[tile] = before;
            if (tile == gridDim.x - 1) starts[tile + 1] = before + warp.total;
        }
    }
    __syncthreads();
    ranks[tile * THREADS + threadIdx.x] = u32(tile_before) + warp.before + up_to_own - count;
}
