// A column for each category. THREADS comes from the declaration in cuda.rs.
#include "cuprum/types.cuh"

// Whether each of n rows has the number of a category.
__global__ void __launch_bounds__(THREADS)
    rows_of_category(const u32* __restrict__ numbers, u64 n, const u32* __restrict__ categories, u64 category,
                     u8* __restrict__ out) {
    const u32 wanted = categories[category];
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[i] = numbers[i] == wanted;
}
