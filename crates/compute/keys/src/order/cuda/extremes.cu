// The row of the smallest or the largest value, of one column or of those that structs are compared by, found by comparing rows two by two. THREADS comes from the declaration in
// extremes.rs.
#include "cuprum/block.cuh"
#include "cuprum/order.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u64 NO_ROW = ~0ull;

// The better one of two rows, the first of equal ones; rows without a value are none.
__forceinline__ u64 better(const ColumnDeviceView* columns, const RowOrder& order, u64 a, u64 b) {
    if (a == NO_ROW || b == NO_ROW) return a == NO_ROW ? b : a;
    const i32 found = compare_rows(columns, a, columns, b, order, nullptr);
    return found < 0 || (found == 0 && a < b) ? a : b;
}

// The best of n rows for each block, those of a list where there is one. The first column says which rows have a value; what is
// missing in others is behind what is there.
__global__ void __launch_bounds__(THREADS)
    best_rows(const ColumnDeviceView* columns, u32 num_columns, const u64* rows, u64 n, u32 descending,
              u64* __restrict__ best) {
    __shared__ u64 of_warps[WARPS];
    const ColumnDeviceView first = columns[0];
    const RowOrder order = {0, num_columns, descending, 0, 0};
    u64 own = NO_ROW;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u64 row = rows == nullptr ? i : rows[i];
        if (row < first.len && first.is_valid(row)) own = better(columns, order, own, row);
    }
#pragma unroll
    for (u32 offset = WARP / 2; offset > 0; offset /= 2) {
        own = better(columns, order, own, __shfl_xor_sync(ALL_LANES, own, offset));
    }
    if (lane_id() == 0) of_warps[warp_id()] = own;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (u32 warp = 1; warp < WARPS; ++warp) own = better(columns, order, own, of_warps[warp]);
    best[blockIdx.x] = own;
}
