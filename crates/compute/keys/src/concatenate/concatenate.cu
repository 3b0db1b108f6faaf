// The kernels that put columns end to end: one launch for all of them, which looks up the layout
// in a table of pieces. Pieces ascend, and the first one starts at 0. THREADS comes from the declaration in
// cuda.rs.
#include "cuprum/block.cuh"
#include "cuprum/pack.cuh"
#include "cuprum/search.cuh"
#include "cuprum/types.cuh"

// Values of one size: piece p is `starts[p + 1] - starts[p]` of them at `addresses[p]`. A thread writes 16
// bytes, and reads as many at once where they come from one piece.
template <typename Value>
__global__ void __launch_bounds__(THREADS)
    join_values(const u64* __restrict__ addresses, const u64* __restrict__ starts, u64 pieces, u64 n,
                u8* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 word = u64(blockIdx.x) * THREADS + threadIdx.x; word * PACK<Value> < n; word += step) {
        u64 position = word * PACK<Value>;
        u64 piece = piece_at(starts, 0, pieces, position);
        const Value* source = reinterpret_cast<const Value*>(addresses[piece]);
        Pack<Value> pack;
        if (starts[piece + 1] >= position + PACK<Value>) {
            pack = load_pack(source + (position - starts[piece]), 0, PACK<Value>, Value{});
        } else {
            for (u32 k = 0; k < PACK<Value> && position < n; ++k, ++position) {
                while (position >= starts[piece + 1]) {
                    ++piece;
                    source = reinterpret_cast<const Value*>(addresses[piece]);
                }
                pack.items[k] = source[position - starts[piece]];
            }
        }
        store_pack(reinterpret_cast<Value*>(out), word * PACK<Value>, n, pack);
    }
}

// Validity: piece p is `starts[p + 1] - starts[p]` bits at `addresses[p]` from bit `first_bits[p]` on; where
// there is no address they are set. Bits behind the last one are 0.
__global__ void __launch_bounds__(THREADS)
    join_bits(const u64* __restrict__ addresses, const u64* __restrict__ first_bits,
              const u64* __restrict__ starts, u64 pieces, u64 n, u64 words, u32* __restrict__ out) {
    constexpr u32 BITS = 8 * sizeof(u32);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 word = u64(blockIdx.x) * THREADS + threadIdx.x; word < words; word += step) {
        const u64 begin = word * BITS;
        const u64 end = begin + BITS < n ? begin + BITS : n;
        u32 result = 0;
        u64 piece = begin < end ? piece_at(starts, 0, pieces, begin) : 0;
        for (u64 i = begin; i < end; ++i) {
            while (i >= starts[piece + 1]) ++piece;
            const u8* bits = reinterpret_cast<const u8*>(addresses[piece]);
            const u64 bit = first_bits[piece] + (i - starts[piece]);
            const bool is_set = bits == nullptr || (bits[bit / 8] >> bit % 8 & 1) != 0;
            result |= u32(is_set) << (i - begin);
        }
        out[word] = result;
    }
}

// Offset `i` of 4 or 8 bytes.
inline u64 offset_at(u64 address, u64 size, u64 i) {
    return size == 4 ? u64(reinterpret_cast<const i32*>(address)[i]) : reinterpret_cast<const u64*>(address)[i];
}

// The first and the last offset of each piece.
__global__ void __launch_bounds__(THREADS)
    offset_bounds(const u64* __restrict__ addresses, const u64* __restrict__ sizes,
                  const u64* __restrict__ starts, u64 pieces, u64* __restrict__ bounds) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 p = u64(blockIdx.x) * THREADS + threadIdx.x; p < pieces; p += step) {
        bounds[2 * p] = offset_at(addresses[p], sizes[p], 0);
        bounds[2 * p + 1] = offset_at(addresses[p], sizes[p], starts[p + 1] - starts[p]);
    }
}

// The offsets of all pieces, each of which becomes larger by `shifts[p]`, wrapping; the last one is `total`.
__global__ void __launch_bounds__(THREADS)
    join_all_offsets(const u64* __restrict__ addresses, const u64* __restrict__ sizes,
                 const u64* __restrict__ starts, const u64* __restrict__ shifts, u64 pieces, u64 n, u64 total,
                 u64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= n; i += step) {
        if (i == n) {
            out[i] = total;
        } else {
            const u64 p = piece_at(starts, 0, pieces, i);
            out[i] = offset_at(addresses[p], sizes[p], i - starts[p]) + shifts[p];
        }
    }
}
