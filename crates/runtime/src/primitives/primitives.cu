// The kernels of the primitives. The constants come from the declaration in cuda.rs: a block has THREADS
// threads, and each of them has ITEMS elements in flight; scans and compactions have numbers of their own.
#include "cuprum/block.cuh"
#include "cuprum/look_back.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/pack.cuh"
#include "cuprum/search.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;

// The packs that hold the ITEMS elements of a thread.
template <typename T>
constexpr u32 PACKS = ITEMS / PACK<T>;
template <typename T>
constexpr u32 SCAN_PACKS = (sizeof(T) == 4 ? SCAN_ITEMS_OF_4 : SCAN_ITEMS) / PACK<T>;

// Blocks on one multiprocessor for which the compiler spares registers: as many as it takes to load while
// others wait in a look-back, and as few as it takes to spill next to nothing.
template <typename T>
constexpr u32 SCAN_BLOCKS = sizeof(T) == 8 ? 2 : 3;
template <typename T>
constexpr u32 COMPACT_BLOCKS = sizeof(T) == 8 ? 5 : 8;

// ---- fill and sequence: each block writes THREADS * ITEMS neighbours ------------------------------

template <typename T>
__global__ void __launch_bounds__(THREADS) fill(T* __restrict__ out, u64 n, T value) {
    const u64 first = u64(blockIdx.x) * THREADS * PACKS<T> + threadIdx.x;
    Pack<T> pack;
#pragma unroll
    for (u32 k = 0; k < PACK<T>; ++k) pack.items[k] = value;
#pragma unroll
    for (u32 p = 0; p < PACKS<T>; ++p) store_pack(out, (first + p * THREADS) * PACK<T>, n, pack);
}

template <typename T>
__global__ void __launch_bounds__(THREADS) sequence(T* __restrict__ out, u64 n, T start, T step) {
    const u64 first = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x;
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 i = first + item * THREADS;
        if (i >= n) break;
        if constexpr (IS_FLOAT<T>) {
            out[i] = start + T(i) * step;
        } else {
            out[i] = T(u64(start) + i * u64(step));  // wraps
        }
    }
}

template <typename T, typename R>
__global__ void __launch_bounds__(THREADS) convert(const T* __restrict__ values, u64 n, R* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[i] = R(values[i]);
}

// ---- reduce ------------------------------------------------------------------------------------------

// Each block leaves a partial result, and the last one to finish combines them in order of the blocks.
// `finished` was 0 before the launch.
template <typename T, typename Op>
__global__ void __launch_bounds__(THREADS)
    reduce(const T* __restrict__ values, u64 n, T identity, T* partials, u32* finished, T* out) {
    __shared__ T warp_results[WARPS];
    __shared__ bool is_last;
    const Op op;
    T result = identity;
    const u64 step = u64(gridDim.x) * THREADS * PACKS<T>;
    for (u64 first = u64(blockIdx.x) * THREADS * PACKS<T> + threadIdx.x; first * PACK<T> < n; first += step) {
        Pack<T> packs[PACKS<T>];
#pragma unroll
        for (u32 p = 0; p < PACKS<T>; ++p) {
            packs[p] = load_pack(values, (first + p * THREADS) * PACK<T>, n, identity);
        }
#pragma unroll
        for (u32 p = 0; p < PACKS<T>; ++p) {
#pragma unroll
            for (u32 k = 0; k < PACK<T>; ++k) result = op(result, packs[p].items[k]);
        }
    }
    result = block_reduce<THREADS>(result, op, warp_results);
    if (threadIdx.x == 0) {
        *reinterpret_cast<volatile T*>(partials + blockIdx.x) = result;
        __threadfence();
        is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    result = identity;
    for (u32 block = threadIdx.x; block < gridDim.x; block += THREADS) {
        result = op(result, of_another_block(partials + block));
    }
    result = block_reduce<THREADS>(result, op, warp_results);
    if (threadIdx.x == 0) *out = result;
}

// ---- scan --------------------------------------------------------------------------------------------

// A warp scans SCAN_PACKS packs of each lane that follow each other; blocks meet by look-back. Element i counts
// for itself where `inclusive` is not 0.
template <typename T, typename Op>
__global__ void __launch_bounds__(THREADS, SCAN_BLOCKS<T>)
    scan(const T* __restrict__ values, T* __restrict__ out, u64 n, u32 inclusive, T identity, u64* ticket,
         u64* words) {
    __shared__ T warp_totals[WARPS];
    __shared__ T tile_before;
    const Op op;
    const u64 tile = next_tile(ticket);
    const u64 first = (tile * WARPS + warp_id()) * WARP * SCAN_PACKS<T> + lane_id();
    Pack<T> packs[SCAN_PACKS<T>];
#pragma unroll
    for (u32 p = 0; p < SCAN_PACKS<T>; ++p) {
        packs[p] = load_pack(values, (first + p * WARP) * PACK<T>, n, identity);
    }
    // Within the warp: each pack on its own, then behind the packs before it.
    T warp_total = identity;
#pragma unroll
    for (u32 p = 0; p < SCAN_PACKS<T>; ++p) {
        T* const items = packs[p].items;
#pragma unroll
        for (u32 k = 1; k < PACK<T>; ++k) items[k] = op(items[k - 1], items[k]);
        const T up_to_lane = warp_inclusive_scan(items[PACK<T> - 1], op);
        const T before_lane = __shfl_up_sync(ALL_LANES, up_to_lane, 1);
        const T before = lane_id() == 0 ? warp_total : op(warp_total, before_lane);
#pragma unroll
        for (u32 k = 0; k < PACK<T>; ++k) items[k] = op(before, items[k]);
        warp_total = op(warp_total, T(__shfl_sync(ALL_LANES, up_to_lane, WARP - 1)));
    }
    const WarpPrefix<T> warp = scan_warps<THREADS>(warp_total, identity, op, warp_totals);
    if (warp_id() == 0) {
        if (lane_id() == 0) publish_aggregate(words, tile, warp.total);
        const T found = look_back(tile, warp.total, identity, op, words);
        if (lane_id() == 0) tile_before = found;
    }
    __syncthreads();
    const T base = op(tile_before, warp.before);
    T previous = base;  // what comes before the pack of lane 0
#pragma unroll
    for (u32 p = 0; p < SCAN_PACKS<T>; ++p) {
        T* const items = packs[p].items;
#pragma unroll
        for (u32 k = 0; k < PACK<T>; ++k) items[k] = op(base, items[k]);
        if (!inclusive) {
            const T last = items[PACK<T> - 1];
            const T before_lane = __shfl_up_sync(ALL_LANES, last, 1);
#pragma unroll
            for (u32 k = PACK<T> - 1; k > 0; --k) items[k] = items[k - 1];
            items[0] = lane_id() == 0 ? previous : before_lane;
            previous = __shfl_sync(ALL_LANES, last, WARP - 1);
        }
        store_pack(out, (first + p * WARP) * PACK<T>, n, packs[p]);
    }
}

// ---- compact and partition ---------------------------------------------------------------------------

struct DropRest {
    static constexpr bool IS_KEPT = false;
};
struct KeepRest {
    static constexpr bool IS_KEPT = true;
};

// Flags of one pack, and how many flags of the tile come before them.
struct FlagGroup {
    u16 mask, before;
};
constexpr u32 GROUP = PACK<u8>;

// Elements whose flag is not 0 go to `kept`, the others to `rest` if they are kept too, both in their
// old order. `count` receives how many have a flag.
//
// The flags alone give a tile's count, so it is published while the values are still on their way. They
// meet in shared memory, from where neighbours are stored together.
template <typename T, typename Rest>
__global__ void __launch_bounds__(THREADS, COMPACT_BLOCKS<T>)
    compact(const T* __restrict__ values, const u8* __restrict__ flags, u64 n, T* __restrict__ kept,
            T* __restrict__ rest, u64* count, u64* ticket, u64* words) {
    constexpr u32 TILE = THREADS * ITEMS;
    constexpr u32 GROUPS = ITEMS / GROUP;
    __shared__ __align__(16) T exchange[TILE];
    __shared__ FlagGroup groups[TILE / GROUP];
    __shared__ u32 warp_counts[WARPS];
    __shared__ u64 tile_before;
    const u64 tile = next_tile(ticket);
    const u64 tile_first = tile * TILE;
    Pack<u8> flag_packs[GROUPS];
#pragma unroll
    for (u32 g = 0; g < GROUPS; ++g) {
        flag_packs[g] = load_pack(flags, tile_first + (threadIdx.x * GROUPS + g) * GROUP, n, u8(0));
    }
    Pack<T> packs[ITEMS / PACK<T>];
#pragma unroll
    for (u32 p = 0; p < ITEMS / PACK<T>; ++p) {
        packs[p] = load_pack(values, tile_first + (p * THREADS + threadIdx.x) * PACK<T>, n, T(0));
    }

    u32 masks[GROUPS];
    u32 own_count = 0;
#pragma unroll
    for (u32 g = 0; g < GROUPS; ++g) {
        masks[g] = 0;
#pragma unroll
        for (u32 k = 0; k < GROUP; ++k) masks[g] |= u32(flag_packs[g].items[k] != 0) << k;
        own_count += __popc(masks[g]);
    }
    const u32 up_to_own = warp_inclusive_scan(own_count, Sum());
    const u32 warp_count = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const WarpPrefix<u32> warp = scan_warps<THREADS>(warp_count, 0u, Sum(), warp_counts);
    if (threadIdx.x == 0) publish_aggregate(words, tile, u64(warp.total));
    u32 before = warp.before + up_to_own - own_count;
#pragma unroll
    for (u32 g = 0; g < GROUPS; ++g) {
        groups[threadIdx.x * GROUPS + g] = {u16(masks[g]), u16(before)};
        before += __popc(masks[g]);
    }
    if (warp_id() == 0) {
        const u64 found = look_back(tile, u64(warp.total), u64(0), Sum(), words);
        if (lane_id() == 0) {
            tile_before = found;
            if (tile == gridDim.x - 1) *count = found + warp.total;
        }
    }
    __syncthreads();

    // Kept elements lie in front, the rest behind them.
#pragma unroll
    for (u32 p = 0; p < ITEMS / PACK<T>; ++p) {
        const u32 i = (p * THREADS + threadIdx.x) * PACK<T>;
        const FlagGroup group = groups[i / GROUP];
        u32 kept_before = group.before + __popc(group.mask & ((1u << i % GROUP) - 1));
#pragma unroll
        for (u32 k = 0; k < PACK<T>; ++k) {
            if (group.mask >> (i % GROUP + k) & 1) {
                exchange[kept_before++] = packs[p].items[k];
            } else if (Rest::IS_KEPT) {
                exchange[warp.total + i + k - kept_before] = packs[p].items[k];
            }
        }
    }
    __syncthreads();
    T* const tile_kept = kept + tile_before;
    for (u32 j = threadIdx.x; j < warp.total; j += THREADS) tile_kept[j] = exchange[j];
    if constexpr (Rest::IS_KEPT) {
        const u32 len = n - tile_first < TILE ? u32(n - tile_first) : TILE;
        T* const tile_rest = rest + (tile_first - tile_before);
        for (u32 j = warp.total + threadIdx.x; j < len; j += THREADS) tile_rest[j - warp.total] = exchange[j];
    }
}

// ---- histogram ---------------------------------------------------------------------------------------

// Counts of the values below `num_bins`, first in shared memory: one u32 for each bin. A block counts
// fewer than 2^32 values, since the memory of no GPU holds enough of them.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    histogram_shared(const T* __restrict__ values, u64 n, u32 num_bins, u64* counts) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    u32* bins = reinterpret_cast<u32*>(dyn_smem);
    for (u32 bin = threadIdx.x; bin < num_bins; bin += THREADS) bins[bin] = 0;
    __syncthreads();
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i * PACK<T> < n; i += step) {
        const Pack<T> pack = load_pack(values, i * PACK<T>, n, T(0));
#pragma unroll
        for (u32 k = 0; k < PACK<T>; ++k) {
            if (i * PACK<T> + k < n && pack.items[k] < num_bins) atomicAdd(bins + pack.items[k], 1u);
        }
    }
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < num_bins; bin += THREADS) {
        if (bins[bin] != 0) atomicAdd(counts + bin, u64(bins[bin]));
    }
}

// The same where the bins do not fit in shared memory.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    histogram_global(const T* __restrict__ values, u64 n, u32 num_bins, u64* counts) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (values[i] < num_bins) atomicAdd(counts + values[i], 1ull);
    }
}

// ---- segments ----------------------------------------------------------------------------------------

// Every `step`th of the first `len` values, from the one of number `first` on, combined with `result`.
template <typename T, typename Op>
__forceinline__ T reduce_every(const T* __restrict__ values, u32 len, u32 first, u32 step, T result, Op op) {
    constexpr u32 IN_FLIGHT = 4;
    for (u32 i = first; i < len; i += IN_FLIGHT * step) {
        T items[IN_FLIGHT];
#pragma unroll
        for (u32 k = 0; k < IN_FLIGHT; ++k) {
            if (i + k * step < len) items[k] = values[i + k * step];
        }
#pragma unroll
        for (u32 k = 0; k < IN_FLIGHT; ++k) {
            if (i + k * step < len) result = op(result, items[k]);
        }
    }
    return result;
}

// `lanes` lanes, a power of two, for each segment [offsets[s], offsets[s + 1]), cut off at the end of the
// values; a whole warp for one that is long for them.
template <typename T, typename Offset, typename Op>
__global__ void __launch_bounds__(THREADS)
    segmented_reduce(const T* __restrict__ values, u64 n, const Offset* __restrict__ offsets, u64 segments,
                     u32 lanes, T identity, T* __restrict__ out) {
    constexpr u32 LONG_FOR_LANE = 64;
    constexpr u64 AT_ONCE = 1 << 30;
    const Op op;
    const u32 own = lane_id() % lanes;
    const u64 step = u64(gridDim.x) * THREADS / lanes;
    // The first segment of the warp.
    u64 first = (u64(blockIdx.x) * WARPS + warp_id()) * (WARP / lanes);
    for (; first < segments; first += step) {
        const u64 segment = first + lane_id() / lanes;
        u64 start = 0, len = 0;
        if (segment < segments) {
            start = u64(offsets[segment]);
            const u64 next = u64(offsets[segment + 1]);
            const u64 end = next < n ? next : n;
            len = start < end ? end - start : 0;
        }
        const bool is_long = len > lanes * LONG_FOR_LANE;
        T result = reduce_every(values + start, is_long ? 0 : u32(len), own, lanes, identity, op);
        for (u32 offset = 1; offset < lanes; offset *= 2) {
            const T later = __shfl_down_sync(ALL_LANES, result, offset);
            if (own + offset < lanes) result = op(result, later);
        }
        if (own == 0 && segment < segments && !is_long) out[segment] = result;
        for (u32 left = __ballot_sync(ALL_LANES, own == 0 && is_long); left != 0; left &= left - 1) {
            const u32 lane = __ffs(left) - 1;
            const u64 from = __shfl_sync(ALL_LANES, start, lane);
            const u64 long_len = __shfl_sync(ALL_LANES, len, lane);
            T all = identity;
            for (u64 at = 0; at < long_len; at += AT_ONCE) {
                const u32 piece = u32(long_len - at < AT_ONCE ? long_len - at : AT_ONCE);
                all = reduce_every(values + from + at, piece, lane_id(), WARP, all, op);
            }
            all = warp_reduce(all, op);
            if (lane_id() == 0) out[first + lane / lanes] = all;
        }
    }
}

// The cuts of two sorted lists whose parts, merged, are the pieces of `tile` elements of the merged list
// (Green, McColl and Bader, "GPU Merge Path", 2012): splits[k] elements of `a` are among the first k * tile.
// Of equal elements, those of `a` come first.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    merge_path(const T* __restrict__ a, u64 a_len, const T* __restrict__ b, u64 b_len, u64 tile, u64* splits,
               u64 num_splits) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 k = u64(blockIdx.x) * THREADS + threadIdx.x; k < num_splits; k += step) {
        const u64 all = a_len + b_len;
        const u64 diagonal = k * tile < all ? k * tile : all;
        const u64 low = diagonal > b_len ? diagonal - b_len : 0;
        const u64 high = diagonal < a_len ? diagonal : a_len;
        splits[k] = partition_point(low, high, [=](u64 i) { return b[diagonal - 1 - i] < a[i]; });
    }
}
