// Kernels of bits. Words have 32 bits, the least significant one first. THREADS and ITEMS come from
// the declaration in cuda.rs: a thread has ITEMS words in flight where it counts them.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/pack.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 MASKS = 8;

struct And {
    u32 operator()(u32 a, u32 b) const { return a & b; }
};
struct Or {
    u32 operator()(u32 a, u32 b) const { return a | b; }
};

// The `bits` bits of each of `count` masks, which begin at `begins`, combined, from bit `start` of `out` on; all
// other bits of `out` become 0. Adds the number of ones to `ones`, if any, which was 0 before the launch.
template <typename Op>
__global__ void __launch_bounds__(THREADS)
    combine_bits(Array<const u32*, MASKS> masks, Array<u64, MASKS> begins, u32 count, u64 bits, u64 start,
                 u32* __restrict__ out, u64 words, u64* ones) {
    __shared__ u64 warp_results[WARPS];
    // Indexed by a loop, for which each thread would need a copy in memory.
    __shared__ const u32* mask_words[MASKS];
    __shared__ u64 mask_begins[MASKS];
    if (threadIdx.x == 0) {
#pragma unroll
        for (u32 m = 0; m < MASKS; ++m) {
            mask_words[m] = masks[m];
            mask_begins[m] = begins[m];
        }
    }
    __syncthreads();
    const Op op;
    u64 found = 0;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 p = u64(blockIdx.x) * THREADS + threadIdx.x; p * PACK<u32> < words; p += step) {
        const u64 first_bit = p * PACK<u32> * 32;
        const bool is_inside = start <= first_bit && first_bit + PACK<u32> * 32 <= start + bits;
        Pack<u32> result;
        for (u32 m = 0; m < count; ++m) {
            const u64 begin = mask_begins[m];
            const i64 last_word = bits == 0 ? -1 : i64((begin + bits - 1) / 32);
            const i64 at = i64(begin + first_bit) - i64(start);
            const Pack<u32> own = pack_of_bits_at(mask_words[m], i64(begin / 32), last_word, at);
#pragma unroll
            for (u32 k = 0; k < PACK<u32>; ++k) {
                result.items[k] = m == 0 ? own.items[k] : op(result.items[k], own.items[k]);
            }
        }
#pragma unroll
        for (u32 k = 0; k < PACK<u32>; ++k) {
            if (!is_inside) result.items[k] &= ones_between(start, start + bits, first_bit + k * 32);
            found += __popc(result.items[k]);
        }
        store_pack(out, p * PACK<u32>, words, result);
    }
    if (ones == nullptr) return;
    found = block_reduce<THREADS>(found, Sum(), warp_results);
    if (threadIdx.x == 0) atomicAdd(ones, found);
}

// Adds the number of ones to `count`, which was 0 before the launch.
template <typename Count>
__global__ void __launch_bounds__(THREADS)
    count_ones(const u32* __restrict__ words, u64 offset, u64 bits, Count* count) {
    __shared__ Count warp_results[WARPS];
    Count ones = 0;
    const u64 end = (offset + bits + 31) / 32;
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 first = offset / 32 + u64(blockIdx.x) * THREADS * ITEMS; first < end; first += step) {
        const u64 i = first + threadIdx.x;
        u32 own[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) own[k] = i + k * THREADS < end ? words[i + k * THREADS] : 0;
        if (first * 32 < offset || (first + THREADS * ITEMS) * 32 > offset + bits) {
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) own[k] &= ones_between(offset, offset + bits, (i + k * THREADS) * 32);
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) ones += __popc(own[k]);
    }
    ones = block_reduce<THREADS>(ones, Sum(), warp_results);
    if (threadIdx.x == 0) atomicAdd(count, ones);
}

// The number of ones between each pair of bounds, which are positions from the start of the words; one
// warp for each.
template <typename Count>
__global__ void __launch_bounds__(THREADS)
    count_segments(const u32* __restrict__ words, const u64* __restrict__ bounds, u64 segments,
                   Count* __restrict__ counts) {
    const u64 step = u64(gridDim.x) * WARPS;
    for (u64 segment = u64(blockIdx.x) * WARPS + warp_id(); segment < segments; segment += step) {
        const u64 begin = bounds[2 * segment];
        const u64 end = bounds[2 * segment + 1];
        Count ones = 0;
        for (u64 i = begin / 32 + lane_id(); i * 32 < end; i += WARP) {
            ones += __popc(words[i] & ones_between(begin, end, i * 32));
        }
        ones = warp_reduce(ones, Sum());
        if (lane_id() == 0) counts[segment] = ones;
    }
}

// Lowers `first` to the position of the first one, counted from `offset`.
template <typename Position>
__global__ void __launch_bounds__(THREADS)
    find_one(const u32* __restrict__ words, u64 offset, u64 bits, Position* first) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = offset / 32 + u64(blockIdx.x) * THREADS + threadIdx.x; i * 32 < offset + bits; i += step) {
        const u32 word = words[i] & ones_between(offset, offset + bits, i * 32);
        if (word != 0) {
            // Later words of this thread lie behind.
            atomicMin(first, Position(i * 32 + __ffs(word) - 1 - offset));
            return;
        }
    }
}

// Sets the bits [begin, end), of which there are some, to ones or to zeros.
template <typename Word>
__global__ void __launch_bounds__(THREADS) write_bits(Word* words, u64 begin, u64 end, u32 value) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = begin / 32 + u64(blockIdx.x) * THREADS + threadIdx.x; i * 32 < end; i += step) {
        const Word chosen = ones_between(begin, end, i * 32);
        if (chosen == ~Word(0)) {
            words[i] = value != 0 ? chosen : 0;
        } else {
            words[i] = value != 0 ? words[i] | chosen : words[i] & ~chosen;
        }
    }
}

// A one for each of n bytes that is not 0. A thread makes 16 bits. Adds the number of ones to `ones`, which
// was 0 before the launch.
template <typename Half>
__global__ void __launch_bounds__(THREADS)
    pack(const u8* __restrict__ bytes, u64 n, Half* __restrict__ out, u64 halves, u64* ones) {
    __shared__ u64 warp_results[WARPS];
    u64 found = 0;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < halves; i += step) {
        const Pack<u8> pack = load_pack(bytes, i * 16, n, u8(0));
        u32 bits = 0;
#pragma unroll
        for (u32 k = 0; k < 16; ++k) bits |= u32(pack.items[k] != 0) << k;
        out[i] = Half(bits);
        found += __popc(bits);
    }
    found = block_reduce<THREADS>(found, Sum(), warp_results);
    if (threadIdx.x == 0) atomicAdd(ones, found);
}

// A byte for each bit. A thread takes 16 bits.
template <typename Byte>
__global__ void __launch_bounds__(THREADS)
    unpack(const u32* __restrict__ words, u64 offset, u64 bits, Byte* __restrict__ out) {
    const i64 last_word = i64((offset + bits - 1) / 32);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i * 16 < bits; i += step) {
        const u32 word = bits_at(words, 0, last_word, i64(offset + i * 16));
        Pack<Byte> pack;
#pragma unroll
        for (u32 k = 0; k < 16; ++k) pack.items[k] = Byte(word >> k & 1);
        store_pack(out, i * 16, bits, pack);
    }
}
