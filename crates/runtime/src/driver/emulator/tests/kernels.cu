// Kernels of the kinds that the library has.
using u32 = unsigned;
using u64 = unsigned long long;
using i64 = long long;
constexpr u32 ALL = 0xffffffff;

// One bit per element that is not negative, 32 elements a word.
__global__ void null_mask(const int* __restrict__ values, u32* __restrict__ mask, u64 n) {
    const u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    const u32 word = __ballot_sync(ALL, i < n && values[i] >= 0);
    if (i < n && i % 32 == 0) mask[i / 32] = word;
}

__device__ __forceinline__ i64 warp_sum(i64 value) {
    for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(ALL, value, delta);
    return value;
}

template <int BLOCK> __global__ __launch_bounds__(BLOCK) void sum(const int* values, u64* total, u64 n) {
    __shared__ i64 partial[BLOCK / 32];
    i64 value = 0;
    for (u64 i = blockIdx.x * (u64)BLOCK + threadIdx.x; i < n; i += gridDim.x * (u64)BLOCK) value += values[i];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = warp_sum(threadIdx.x < BLOCK / 32 ? partial[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(total, (u64)value);
    }
}

// Inclusive sums in one pass (Merrill and Garland, 2016). A tile's state holds 2 bits of status, then
// the value.
__global__ void scan(const u32* values, u32* out, volatile u64* states, u32* ticket, u64 n) {
    constexpr u64 AGGREGATE = 1ull << 62, PREFIX = 2ull << 62, VALUE = AGGREGATE - 1;
    __shared__ u32 tile, warp_totals[32];
    __shared__ u64 before;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
    __syncthreads();
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const u64 i = tile * (u64)blockDim.x + threadIdx.x;
    u32 sum = i < n ? values[i] : 0;
    for (u32 delta = 1; delta < 32; delta *= 2) {
        const u32 other = __shfl_up_sync(ALL, sum, delta);
        if (lane >= delta) sum += other;
    }
    if (lane == 31) warp_totals[warp] = sum;
    __syncthreads();
    u32 aggregate = 0, offset = 0;
    for (u32 w = 0; w < warps; w++) {
        if (w == warp) offset = aggregate;
        aggregate += warp_totals[w];
    }
    if (threadIdx.x == 0) {
        states[tile] = (tile == 0 ? PREFIX : AGGREGATE) | aggregate;
        u64 sum_before = 0;
        for (i64 t = (i64)tile - 1; t >= 0;) {
            const u64 state = states[t];
            if (state == 0) {
                __nanosleep(20);
                continue;
            }
            sum_before += state & VALUE;
            if (state & PREFIX) break;
            t--;
        }
        states[tile] = PREFIX | ((sum_before + aggregate) & VALUE);
        before = sum_before;
    }
    __syncthreads();
    if (i < n) out[i] = (u32)before + offset + sum;
}

// Counts equal keys in an open-addressing table. Keys are not 0.
__global__ void count_keys(const u32* keys, u32* slots, u32* counts, u32 capacity, u64 n) {
    const u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 key = keys[i];
    for (u32 slot = key * 2654435769u % capacity;; slot = slot + 1 == capacity ? 0 : slot + 1) {
        const u32 there = atomicCAS(&slots[slot], 0u, key);
        if (there == 0 || there == key) {
            atomicAdd(&counts[slot], 1u);
            return;
        }
    }
}

// The stable rank of each element among those of its digit, in its block; and the block's histogram.
__global__ void radix_rank(const u32* keys, u32* ranks, u32* histograms, u64 n) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    u32 (*counts)[16] = reinterpret_cast<u32 (*)[16]>(dyn_smem);
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (u32 i = threadIdx.x; i < warps * 16; i += blockDim.x) counts[i / 16][i % 16] = 0;
    __syncthreads();
    const u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    const u32 digit = i < n ? keys[i] & 15 : 16;
    const u32 peers = __match_any_sync(ALL, digit);
    const u32 rank = __popc(peers & ((1u << lane) - 1));
    if (rank == 0 && digit < 16) counts[warp][digit] = __popc(peers);
    __syncthreads();
    if (threadIdx.x < 16) {
        u32 total = 0;
        for (u32 w = 0; w < warps; w++) {
            const u32 count = counts[w][threadIdx.x];
            counts[w][threadIdx.x] = total;
            total += count;
        }
        histograms[blockIdx.x * 16 + threadIdx.x] = total;
    }
    __syncthreads();
    if (i < n) ranks[i] = counts[warp][digit] + rank;
}

// Reverses the lanes' values through memory, with barriers of the warp alone.
__global__ void reverse_in_warp(u32* values) {
    __shared__ u32 staged[1024];
    const u32 warp = threadIdx.x & ~31u;
    for (int round = 0; round < 3; round++) {
        staged[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
        __syncwarp();
        values[blockIdx.x * blockDim.x + threadIdx.x] = staged[warp + 31 - threadIdx.x % 32];
        __syncwarp();
    }
}

// The last block to finish adds up the sums of the others: ordered by fences.
__global__ void sum_of_blocks(const u32* values, volatile u32* partial, u32* finished, u32* total, u64 n) {
    __shared__ bool last;
    u32 value = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (u64)blockDim.x)
        value += values[i];
    value = __reduce_add_sync(ALL, value);
    __shared__ u32 sums[32];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 sum = 0;
        for (u32 w = 0; w < blockDim.x / 32; w++) sum += sums[w];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        u32 sum = 0;
        for (u32 b = 0; b < gridDim.x; b++) sum += partial[b];
        *total = sum;
    }
}
