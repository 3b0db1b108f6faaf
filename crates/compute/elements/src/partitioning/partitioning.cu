// The kernels of partitioning by row numbers. THREADS comes from the declaration in cuda.rs.
#include "cuprum/hash.cuh"
#include "cuprum/types.cuh"

// The partition of each row with these hashes.
__global__ void __launch_bounds__(THREADS)
    hash_ids(const u32* __restrict__ hashes, u64 n, u32 num_partitions, u32* __restrict__ ids) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        ids[i] = partition_of_hash(hashes[i], num_partitions);
    }
}

// The row at each place once n rows have gone to partitions in turn, which begin at `offsets`; partition
// `first` gets the first one.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    rows_in_turn(const u64* __restrict__ offsets, u64 num_partitions, u64 first, u64 n, I* __restrict__ rows) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        // The last partition that begins here or before: the others are empty.
        u64 low = 0;
        u64 high = num_partitions;
        while (high - low > 1) {
            const u64 middle = low + (high - low) / 2;
            if (offsets[middle] <= i) {
                low = middle;
            } else {
                high = middle;
            }
        }
        rows[i] = I((low + num_partitions - first) % num_partitions + (i - offsets[low]) * num_partitions);
    }
}
