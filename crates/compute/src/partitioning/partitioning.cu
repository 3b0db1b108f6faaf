// The kernels of partitioning: a radix sort of row numbers by the partition of each row, 8 bits at a time
// from the lowest on. THREADS, ITEMS and BINS come from the declaration in cuda.rs: a warp has ITEMS * 32
// rows that follow each other.
#include "cuprum/block.cuh"
#include "cuprum/hash.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;
static_assert(BINS == 256 && THREADS == BINS, "a thread for each bin");

// The partition of each row with these hashes.
template <typename Id>
__global__ void __launch_bounds__(THREADS)
    hash_ids(const u32* __restrict__ hashes, u64 n, u32 num_partitions, Id* __restrict__ ids) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        ids[i] = partition_of_hash(hashes[i], num_partitions);
    }
}

inline u32 bin_of(u32 id, u32 shift) { return id >> shift & (BINS - 1); }

// How many rows of each block fall into each bin: counts[bin * blocks + block].
template <typename Count>
__global__ void __launch_bounds__(THREADS)
    bin_counts(const u32* __restrict__ ids, u64 n, u32 shift, Count* __restrict__ counts) {
    __shared__ u32 bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();
    const u64 first = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x;
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 i = first + item * THREADS;
        if (i < n) atomicAdd(bins + bin_of(ids[i], shift), 1u);
    }
    __syncthreads();
    counts[u64(threadIdx.x) * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// Moves ids and row numbers to their bins, in the order they have; where no row numbers are given they are
// 0, 1, 2, … `bases` are the running sums of the counts.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    move_to_bins(const u32* __restrict__ ids, const I* __restrict__ rows, u64 n, u32 shift,
                 const u64* __restrict__ bases, u32* __restrict__ ids_out, I* __restrict__ rows_out) {
    __shared__ u32 counts[WARPS][BINS];
    for (u32 warp = 0; warp < WARPS; ++warp) counts[warp][threadIdx.x] = 0;
    __syncthreads();
    const u64 first = (u64(blockIdx.x) * WARPS + warp_id()) * WARP * ITEMS + lane_id();
    u32* own = counts[warp_id()];
    u32 own_ids[ITEMS];
    u32 ranks[ITEMS];
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 i = first + item * WARP;
        own_ids[item] = i < n ? ids[i] : 0;
        // Lanes behind the end stay among themselves.
        const u32 bin = i < n ? bin_of(own_ids[item], shift) : BINS;
        const u32 peers = __match_any_sync(ALL_LANES, bin);
        const u32 before = i < n ? own[bin] : 0;
        __syncwarp();
        if (i < n && lane_id() == u32(__ffs(peers)) - 1) own[bin] = before + __popc(peers);
        __syncwarp();
        ranks[item] = before + __popc(peers & ((1u << lane_id()) - 1));
    }
    __syncthreads();
    u32 before = 0;
    for (u32 warp = 0; warp < WARPS; ++warp) {
        const u32 count = counts[warp][threadIdx.x];
        counts[warp][threadIdx.x] = before;
        before += count;
    }
    __syncthreads();
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 i = first + item * WARP;
        if (i >= n) break;
        const u32 bin = bin_of(own_ids[item], shift);
        const u64 place = bases[u64(bin) * gridDim.x + blockIdx.x] + own[bin] + ranks[item];
        ids_out[place] = own_ids[item];
        rows_out[place] = rows == nullptr ? I(i) : rows[i];
    }
}

// Which row is where once n rows have been dealt to players whose cards begin at `offsets`; player `start`
// gets the first one.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    dealt_rows(const u64* __restrict__ offsets, u64 players, u64 start, u64 n, I* __restrict__ rows) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        // The last player whose cards begin here or before: the others have got none.
        u64 low = 0;
        u64 high = players;
        while (high - low > 1) {
            const u64 middle = low + (high - low) / 2;
            if (offsets[middle] <= i) {
                low = middle;
            } else {
                high = middle;
            }
        }
        rows[i] = I((low + players - start) % players + (i - offsets[low]) * players);
    }
}
