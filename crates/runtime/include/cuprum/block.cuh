// Reductions and scans of a warp and of a block. Blocks are one-dimensional and of whole warps, and
// all threads take part.
#pragma once
#include "cuprum/types.cuh"

constexpr u32 WARP = 32;
constexpr u32 ALL_LANES = 0xffffffff;

inline u32 lane_id() { return threadIdx.x % WARP; }
inline u32 warp_id() { return threadIdx.x / WARP; }

// A value that another block has written before a fence, read anew.
template <typename T>
T of_another_block(const T* at) {
    return *reinterpret_cast<const volatile T*>(at);
}

// The values of all lanes, combined in order of the lanes; right in lane 0 only.
template <typename T, typename Op>
T warp_reduce(T value, Op op) {
#pragma unroll
    for (u32 offset = 1; offset < WARP; offset *= 2) {
        const T later = __shfl_down_sync(ALL_LANES, value, offset);
        if (lane_id() + offset < WARP) value = op(value, later);
    }
    return value;
}

// The values of this lane and the ones before it, combined in order of the lanes.
template <typename T, typename Op>
T warp_inclusive_scan(T value, Op op) {
#pragma unroll
    for (u32 offset = 1; offset < WARP; offset *= 2) {
        const T earlier = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane_id() >= offset) value = op(earlier, value);
    }
    return value;
}

// The lanes that hold the same number of BITS bits as this one. A few votes are faster than
// `__match_any_sync`.
template <u32 BITS>
u32 lanes_with_same(u32 number) {
    u32 same = ALL_LANES;
#pragma unroll
    for (u32 bit = 0; bit < BITS; ++bit) {
        const bool is_set = number >> bit & 1;
        const u32 with_bit = __ballot_sync(ALL_LANES, is_set);
        same &= is_set ? with_bit : ~with_bit;
    }
    return same;
}

// The values of all threads, combined in order of the threads; right in thread 0 only. `shared` has
// room for one value of each warp and is free again after the next __syncthreads().
template <u32 THREADS, typename T, typename Op>
T block_reduce(T value, Op op, T* shared) {
    value = warp_reduce(value, op);
    if (lane_id() == 0) shared[warp_id()] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
        for (u32 warp = 1; warp < THREADS / WARP; ++warp) value = op(value, shared[warp]);
    }
    return value;
}

// The result of a scan over the warps of a block, for one thread.
template <typename T>
struct WarpPrefix {
    T before;  // the totals of all earlier warps
    T total;   // the totals of all warps
};

// A scan over one total of each warp, given by all its lanes. `shared` has room for one value of each
// warp and is free again after the next __syncthreads().
template <u32 THREADS, typename T, typename Op>
WarpPrefix<T> scan_warps(T warp_total, T identity, Op op, T* shared) {
    if (lane_id() == 0) shared[warp_id()] = warp_total;
    __syncthreads();
    WarpPrefix<T> prefix = {identity, identity};
#pragma unroll
    for (u32 warp = 0; warp < THREADS / WARP; ++warp) {
        if (warp == warp_id()) prefix.before = prefix.total;
        prefix.total = op(prefix.total, shared[warp]);
    }
    return prefix;
}
