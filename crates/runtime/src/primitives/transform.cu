// One expression over every element. EXPRESSION, defined in front of this file, says what becomes of
// `x`; so one pass does what would otherwise take one for each operation.
#include "cuprum/types.cuh"

template <typename A, typename R>
__global__ void transform(const A* __restrict__ values, R* __restrict__ out, u64 n) {
    const u64 step = u64(gridDim.x) * blockDim.x;
#pragma unroll 4
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const A x = values[i];
        out[i] = R(EXPRESSION);
    }
}
