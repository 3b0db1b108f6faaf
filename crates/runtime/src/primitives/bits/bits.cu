// Kernels of bits. Words have 32 bits, the least significant one first. THREADS comes from the declaration
// in cuda.rs.
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

// Ones at the positions of [begin, end) that are among the 32 from `first` on.
inline u32 ones_between(u64 begin, u64 end, u64 first) {
    const u64 from = begin > first ? begin - first : 0;
    const u64 to = end > first ? end - first : 0;
    if (from >= 32 || from >= to) return 0;
    return (~0u << from) & (to < 32 ? (1u << to) - 1 : ~0u);
}

// The 32 bits from bit `at` on of the words [first_word, last_word]. Bits of other words are 0, also of
// those before the first: `at` may be negative.
inline u32 bits_at(const u32* words, i64 first_word, i64 last_word, i64 at) {
    const i64 word = at >> 5;
    const u32 shift = u32(at) & 31;
    u32 bits = first_word <= word && word <= last_word ? words[word] >> shift : 0;
    if (shift != 0 && first_word <= word + 1 && word + 1 <= last_word) bits |= words[word + 1] << (32 - shift);
    return bits;
}

// The `bits` bits of each of `count` masks, which begin at `begins`, combined, from bit `start` of `out` on; all other bits of `out`
// become 0. Adds the number of ones to `ones`, which was 0 before the launch.
template <typename Op>
__global__ void __launch_bounds__(THREADS)
    combine_bits(Array<const u32*, MASKS> masks, Array<u64, MASKS> begins, u32 count, u64 bits, u64 start,
                 u32* __restrict__ out, u64 words, u64* ones) {
    __shared__ u64 warp_results[WARPS];
    const Op op;
    u64 found = 0;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < words; i += step) {
        const u32 inside = ones_between(start, start + bits, i * 32);
        u32 result = 0;
        if (inside != 0) {
#pragma unroll
            for (u32 m = 0; m < MASKS; ++m) {
                if (m >= count) break;
                const i64 at = i64(begins[m]) + i64(i * 32) - i64(start);
                const u32 own = bits_at(masks[m], i64(begins[m] / 32), i64((begins[m] + bits - 1) / 32), at);
                result = m == 0 ? own : op(result, own);
            }
            result &= inside;
        }
        out[i] = result;
        found += __popc(result);
    }
    found = block_reduce<THREADS>(found, Sum(), warp_results);
    if (threadIdx.x == 0) atomicAdd(ones, found);
}

// Adds the number of ones to `count`, which was 0 before the launch.
template <typename Count>
__global__ void __launch_bounds__(THREADS)
    count_ones(const u32* __restrict__ words, u64 offset, u64 bits, Count* count) {
    __shared__ Count warp_results[WARPS];
    Count ones = 0;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = offset / 32 + u64(blockIdx.x) * THREADS + threadIdx.x; i * 32 < offset + bits; i += step) {
        ones += __popc(words[i] & ones_between(offset, offset + bits, i * 32));
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
            // What follows in this thread lies behind.
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
