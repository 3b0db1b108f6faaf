// Running combinations of rows in an order that their number alone decides: a total for each tile, those in one block, then
// every tile from what comes before it. An `Op` has a `State` of whole words of 64 bits, `identity()`, and `combine(a, b)`,
// which is associative but for rounding. All threads of a block take part.
#pragma once
#include "cuprum/block.cuh"

template <typename State>
__forceinline__ State shuffled_up(const State& state, u32 offset) {
    constexpr u32 WORDS = sizeof(State) / 8;
    u64 words[WORDS];
    memcpy(words, &state, sizeof(State));
#pragma unroll
    for (u32 w = 0; w < WORDS; ++w) words[w] = __shfl_up_sync(ALL_LANES, words[w], offset);
    State earlier;
    memcpy(&earlier, words, sizeof(State));
    return earlier;
}

// The state of all threads before this one, and in `total` that of all.
template <u32 THREADS, typename Op>
__forceinline__ typename Op::State before_own(const typename Op::State& own, const Op& op,
                                              typename Op::State (&of_warps)[THREADS / WARP],
                                              typename Op::State& total) {
    using State = typename Op::State;
    State up_to_own = own;
#pragma unroll
    for (u32 offset = 1; offset < WARP; offset *= 2) {
        const State earlier = shuffled_up(up_to_own, offset);
        if (lane_id() >= offset) up_to_own = op.combine(earlier, up_to_own);
    }
    State before = shuffled_up(up_to_own, 1);
    if (lane_id() == 0) before = op.identity();
    if (lane_id() == WARP - 1) of_warps[warp_id()] = up_to_own;
    __syncthreads();
    State earlier_warps = op.identity();
    total = op.identity();
    for (u32 warp = 0; warp < THREADS / WARP; ++warp) {
        if (warp == warp_id()) earlier_warps = total;
        total = op.combine(total, of_warps[warp]);
    }
    __syncthreads();
    return op.combine(earlier_warps, before);
}

// The total of the tile of this block, of ITEMS rows for each thread; `load(row)` is the state of a row of
// `n`.
template <u32 THREADS, u32 ITEMS, typename Op, typename Load>
__forceinline__ void total_of_tile(u64 n, const Op& op, typename Op::State* totals, Load load) {
    using State = typename Op::State;
    __shared__ State of_warps[THREADS / WARP];
    const u64 first = (u64(blockIdx.x) * THREADS + threadIdx.x) * ITEMS;
    State own = op.identity();
    for (u32 k = 0; k < ITEMS && first + k < n; ++k) own = op.combine(own, load(first + k));
    State total;
    before_own<THREADS>(own, op, of_warps, total);
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// Turns the totals of tiles into the state before each; one block, whose threads take TILES side by side.
template <u32 THREADS, u32 TILES, typename Op>
__forceinline__ void totals_before(typename Op::State* totals, u64 tiles, const Op& op) {
    using State = typename Op::State;
    __shared__ State of_warps[THREADS / WARP];
    State carried = op.identity();
    for (u64 begin = 0; begin < tiles; begin += THREADS * TILES) {
        const u64 first = begin + threadIdx.x * TILES;
        State each[TILES];
#pragma unroll
        for (u32 k = 0; k < TILES; ++k) each[k] = first + k < tiles ? totals[first + k] : op.identity();
        State own = each[0];
#pragma unroll
        for (u32 k = 1; k < TILES; ++k) own = op.combine(own, each[k]);
        State total;
        State before = op.combine(carried, before_own<THREADS>(own, op, of_warps, total));
        carried = op.combine(carried, total);
#pragma unroll
        for (u32 k = 0; k < TILES; ++k) {
            if (first + k >= tiles) break;
            totals[first + k] = before;
            before = op.combine(before, each[k]);
        }
    }
}

// Calls `write(row, before, after)` for the rows of the tile of this block, with the state before each and
// with it.
template <u32 THREADS, u32 ITEMS, typename Op, typename Load, typename Write>
__forceinline__ void run_tile(u64 n, const Op& op, const typename Op::State* totals, Load load, Write write) {
    using State = typename Op::State;
    __shared__ State of_warps[THREADS / WARP];
    const u64 first = (u64(blockIdx.x) * THREADS + threadIdx.x) * ITEMS;
    State own = op.identity(), total;
    for (u32 k = 0; k < ITEMS && first + k < n; ++k) own = op.combine(own, load(first + k));
    State state = op.combine(totals[blockIdx.x], before_own<THREADS>(own, op, of_warps, total));
    for (u32 k = 0; k < ITEMS && first + k < n; ++k) {
        const State before = state;
        state = op.combine(before, load(first + k));
        write(first + k, before, state);
    }
}
