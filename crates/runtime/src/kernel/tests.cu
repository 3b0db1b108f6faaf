// Kernels of the tests of launching.
#include "cuprum/types.cuh"

struct Twice {
    static constexpr int TIMES = 2;
};
struct Thrice {
    static constexpr int TIMES = 3;
};

template <typename How, typename T>
__global__ void __launch_bounds__(THREADS) multiply(const T* __restrict__ values, u64 n, T* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[i] = T(values[i] * How::TIMES);
}

__global__ void add_all(Array<const i32*, 3> terms, Array<i64, 3> factors, bool negative, i64* out) {
    i64 sum = 0;
    for (u32 i = 0; i < 3; ++i) {
        if (terms[i] != nullptr) sum += factors[i] * *terms[i];
    }
    *out = negative ? -sum : sum;
}
