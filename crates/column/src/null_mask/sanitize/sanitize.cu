// The rows of strings and lists: how long they are, and which elements are theirs. THREADS comes from the
// declaration in cuda.rs.
#include "cuprum/block.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;

// The length of each row. With bits, one for each row from bit `first_bit` on, only rows whose bit is `kind`
// count, others have length 0.
template <typename Offset>
__global__ void __launch_bounds__(THREADS)
    row_lengths_of(const Offset* __restrict__ offsets, const u32* __restrict__ words, u64 first_bit, u32 kind,
                u64 rows, Offset* __restrict__ lengths) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < rows; row += step) {
        const u64 bit = first_bit + row;
        const bool counts = words == nullptr || (words[bit / 32] >> bit % 32 & 1) == kind;
        lengths[row] = counts ? offsets[row + 1] - offsets[row] : Offset(0);
    }
}

// The flag of its row for each element, counted from the first row's; one warp for each row.
template <typename Offset>
__global__ void __launch_bounds__(THREADS)
    element_flags_of(const Offset* __restrict__ offsets, const u8* __restrict__ row_flags, u64 rows,
                  u8* __restrict__ flags, u64 elements) {
    const u64 step = u64(gridDim.x) * WARPS;
    for (u64 row = u64(blockIdx.x) * WARPS + warp_id(); row < rows; row += step) {
        const u64 start = u64(offsets[row] - offsets[0]);
        const u64 stop = u64(offsets[row + 1] - offsets[0]);
        const u64 end = stop < elements ? stop : elements;
        for (u64 i = start + lane_id(); i < end; i += WARP) flags[i] = row_flags[row];
    }
}
