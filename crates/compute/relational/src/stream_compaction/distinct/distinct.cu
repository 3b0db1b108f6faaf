// Rows that are kept of those with equal keys, as bits. THREADS comes from the declaration in cuda.rs.
#include "cuprum/bits.cuh"
#include "cuprum/types.cuh"

constexpr u32 NONE = ~0u;

inline void mark(u32* words, u32 row) { atomicOr(words + row / 32, 1u << row % 32); }

// The last row of each group; `last` was 0.
__global__ void __launch_bounds__(THREADS) last_rows(const u32* __restrict__ ids, u64 n, u32* last) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (ids[i] == NONE) continue;
        u32* const at = last + ids[i];
        if (*reinterpret_cast<volatile u32*>(at) < u32(i)) atomicMax(at, u32(i));
    }
}

// Unsets the first rows of groups that have others: `words` has the bits of all first rows.
__global__ void __launch_bounds__(THREADS)
    unmark_repeated(const u32* __restrict__ ids, const u32* __restrict__ first, u64 n, u32* words) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (ids[i] == NONE) continue;
        const u32 row = first[ids[i]];
        const u32 bit = 1u << row % 32;
        if (row == u32(i)) continue;
        u32* const word = words + row / 32;
        if ((*reinterpret_cast<volatile u32*>(word) & bit) != 0) atomicAnd(word, ~bit);
    }
}

// Sets the bits of rows.
__global__ void __launch_bounds__(THREADS) mark_rows(const u32* __restrict__ rows, u64 n, u32* words) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) mark(words, rows[i]);
}

// Sets the bits of rows in no group.
__global__ void __launch_bounds__(THREADS) mark_ungrouped(const u32* __restrict__ ids, u64 n, u32* words) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (ids[i] == NONE) mark(words, u32(i));
    }
}

// 1 for each row whose bit is not set.
__global__ void __launch_bounds__(THREADS)
    unmarked(const u32* __restrict__ words, u64 n, u8* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        out[i] = (words[i / 32] >> i % 32 & 1) == 0;
    }
}
