// The registers of a HyperLogLog sketch: for the first `precision` bits of each hash the most zeros that the others begin
// with, and one. THREADS comes from the declaration in approximate.rs.
#include "cuprum/bits.cuh"

__global__ void __launch_bounds__(THREADS)
    fill_registers(const u64* __restrict__ hashes, const u8* mask, u64 n, u32 precision, u32* registers) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        if (!is_set(mask, row)) continue;
        const u64 hash = hashes[row], rest = hash << precision;
        const u32 most = 64 - precision, zeros = rest == 0 ? most : u32(__clzll(i64(rest)));
        const u32 value = (zeros < most ? zeros : most) + 1;
        u32* const at = registers + (hash >> (64 - precision));
        // Nearly always it is large enough already.
        if (*reinterpret_cast<volatile u32*>(at) < value) atomicMax(at, value);
    }
}
