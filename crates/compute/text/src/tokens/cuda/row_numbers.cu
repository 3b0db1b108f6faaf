// Numbers of rows that are put in order.
#include "cuprum/column.cuh"

// The order of integers as unsigned ones.
__global__ void __launch_bounds__(THREADS) ordered_numbers(ColumnDeviceView numbers, u64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < numbers.len; i += step) {
        out[i] = integer_at(numbers, i) ^ 1ull << 63;
    }
}

// Whether each of n numbers in order is another one than that before it. One more is set.
__global__ void __launch_bounds__(THREADS)
    flag_new_numbers(const u64* __restrict__ numbers, u64 n, u8* __restrict__ flags) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= n; i += step) {
        flags[i] = i == 0 || i == n || numbers[i] != numbers[i - 1];
    }
}
