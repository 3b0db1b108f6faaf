// Pieces of rows: any number of them for each row, one row's after the other's, as lists have elements. Those of row
// `i` are at the positions [starts[i], starts[i + 1]).
#pragma once
#include "cuprum/block.cuh"
#include "cuprum/search.cuh"

// The rows [range[0], range[1]) that the positions [begin, end) belong to. For all threads.
inline void rows_of_tile(const u64* starts, u64 n, u64 begin, u64 end, u64* range) {
    if (threadIdx.x == 0) range[0] = piece_at(starts, 0, n, begin);
    if (threadIdx.x == WARP) range[1] = piece_at(starts, 0, n, end - 1) + 1;
    __syncthreads();
}

// Calls `f(position, row, k)` for piece `k` of each of n rows, `total` pieces in all. Each block has TILE of them.
template <u64 TILE, typename F>
__forceinline__ void for_each_piece(const u64* starts, u64 n, u64 total, F f) {
    __shared__ u64 range[2];
    const u64 begin = u64(blockIdx.x) * TILE;
    if (begin >= total) return;
    const u64 end = begin + TILE < total ? begin + TILE : total;
    rows_of_tile(starts, n, begin, end, range);
    for (u64 position = begin + threadIdx.x; position < end; position += blockDim.x) {
        const u64 row = piece_at(starts, range[0], range[1], position);
        f(position, row, position - starts[row]);
    }
}
