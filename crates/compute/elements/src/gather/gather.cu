// The kernels that move rows. THREADS and ITEMS come from the declaration in cuda.rs. A row number that is
// no row is the largest number of its type; rows of a second column are counted on from those of the first.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/column.cuh"
#include "cuprum/pack.cuh"
#include "cuprum/row_pieces.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u64 TILE = u64(THREADS) * ITEMS;

// ---- row numbers -------------------------------------------------------------------------------------

// The numbers of a map as row numbers. `first_outside` becomes the first position whose number is none of
// `num_rows`, and stays as it was where there is no such position; nulls do not count.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    row_numbers(ColumnDeviceView map, u64 num_rows, I* __restrict__ rows, u64* first_outside) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < map.len; i += step) {
        const bool is_valid = map.is_valid(i);
        // Negative ones are larger than every number of rows.
        const u64 row = integer_at(map, i);
        rows[i] = is_valid && row < num_rows ? I(row) : I(-1);
        if (is_valid && row >= num_rows) atomicMin(first_outside, i);
    }
}

// Negative numbers counted from the end.
__global__ void __launch_bounds__(THREADS)
    rows_from_end(ColumnDeviceView map, u64 num_rows, i64* __restrict__ rows) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < map.len; i += step) {
        const i64 row = i64(integer_at(map, i));
        rows[i] = row < 0 ? i64(u64(row) + num_rows) : row;
    }
}

// 1 where a boolean is true and not null.
__global__ void __launch_bounds__(THREADS) true_flags(ColumnDeviceView mask, u8* __restrict__ flags) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < mask.len; i += step) {
        flags[i] = mask.value<u8>(i) != 0 && mask.is_valid(i);
    }
}

// Row i * first_step of the first column where a flag is set, else row i * second_step of the second.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    choice_rows(const u8* __restrict__ flags, u64 n, u64 first_step, u64 second_start, u64 second_step,
                I* __restrict__ rows) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        rows[i] = I(flags[i] ? i * first_step : second_start + i * second_step);
    }
}

// Number i % width * step + i / width at each of n places: rows in turn from `width` pieces of `step` rows, and each row
// `width` times where `step` is 0.
template <typename I>
__global__ void __launch_bounds__(THREADS) interleaved_rows(u64 n, u64 width, u64 step, I* __restrict__ rows) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) {
        rows[i] = I(i % width * step + i / width);
    }
}

// The row of the source, counted from 1, that goes to a row: the last one. `sources` was 0 before the launch.
template <typename I>
__global__ void __launch_bounds__(THREADS) last_sources(const I* __restrict__ map, u64 n, I* sources) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        atomicMax(sources + map[i], I(i + 1));
    }
}

// Rows of the target, and behind its n rows those of the source, which are `source_step` apart.
template <typename I>
__global__ void __launch_bounds__(THREADS) scatter_rows(I* __restrict__ sources, u64 n, u64 source_step) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u64 source = sources[i];
        sources[i] = I(source == 0 ? i : n + (source - 1) * source_step);
    }
}

// The same as both for a map in no order: n numbers, ordered by all but their lowest
// WINDOW_BITS bits, each with its position; in shared memory, one block for each window of the target's rows.
template <typename I>
__global__ void __launch_bounds__(WINDOW_THREADS)
    scatter_windows(const I* __restrict__ map, const I* __restrict__ positions, u64 n, u64 target_rows,
                    u64 source_step, I* __restrict__ sources) {
    constexpr u32 WINDOW = 1 << WINDOW_BITS;
    constexpr u32 IN_FLIGHT = 4;
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    __shared__ u64 range[2];
    I* const last = reinterpret_cast<I*>(dyn_smem);
    if (threadIdx.x < 2 * WARP && lane_id() == 0) {
        const u64 window = blockIdx.x + warp_id();
        range[warp_id()] = partition_point(0, n, [=](u64 i) { return u64(map[i]) >> WINDOW_BITS >= window; });
    }
    for (u32 i = threadIdx.x; i < WINDOW; i += WINDOW_THREADS) last[i] = 0;
    __syncthreads();
    const u64 end = range[1];
    for (u64 i = range[0] + threadIdx.x; i < end; i += IN_FLIGHT * WINDOW_THREADS) {
        I rows[IN_FLIGHT], found[IN_FLIGHT];
#pragma unroll
        for (u32 k = 0; k < IN_FLIGHT; ++k) {
            if (i + k * WINDOW_THREADS >= end) break;
            rows[k] = map[i + k * WINDOW_THREADS];
            found[k] = positions[i + k * WINDOW_THREADS];
        }
#pragma unroll
        for (u32 k = 0; k < IN_FLIGHT; ++k) {
            if (i + k * WINDOW_THREADS < end) atomicMax(last + rows[k] % WINDOW, I(found[k] + 1));
        }
    }
    __syncthreads();
    const u64 first = u64(blockIdx.x) << WINDOW_BITS;
    for (u32 i = threadIdx.x; i < WINDOW && first + i < target_rows; i += WINDOW_THREADS) {
        const u64 source = last[i];
        sources[first + i] = I(source == 0 ? first + i : target_rows + (source - 1) * source_step);
    }
}

// ---- gather ------------------------------------------------------------------------------------------

// Values of one size from one column or two; zeros where there is no row.
template <typename Value, typename I>
__global__ void __launch_bounds__(THREADS)
    gather_values(ColumnDeviceView first, ColumnDeviceView second, const I* __restrict__ rows, u64 n,
                  u8* __restrict__ out) {
    const u64 start = u64(blockIdx.x) * TILE + threadIdx.x;
    u64 numbers[ITEMS];
    Value values[ITEMS];
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 i = start + item * THREADS;
        numbers[item] = i < n ? u64(rows[i]) : ~0ull;
    }
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 row = numbers[item];
        values[item] = Value{};
        if (row < first.len) {
            values[item] = first.value<Value>(row);
        } else if (row - first.len < second.len) {
            values[item] = second.value<Value>(row - first.len);
        }
    }
#pragma unroll
    for (u32 item = 0; item < ITEMS; ++item) {
        const u64 i = start + item * THREADS;
        if (i < n) reinterpret_cast<Value*>(out)[i] = values[item];
    }
}

// The validity of the rows, in words of 32; a warp makes 32 words. Rows that do not exist are null, and so
// are the bits behind the last row.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    gather_validity(ColumnDeviceView first, ColumnDeviceView second, const I* __restrict__ rows, u64 n,
                    u64 words, u32* __restrict__ out) {
    const u64 step = u64(gridDim.x) * WARPS * WARP;
    for (u64 word = (u64(blockIdx.x) * WARPS + warp_id()) * WARP; word < words; word += step) {
        u32 own = 0;
        for (u32 w = 0; w < WARP && (word + w) * WARP < n; ++w) {
            const u64 i = (word + w) * WARP + lane_id();
            const u64 row = i < n ? u64(rows[i]) : ~0ull;
            bool is_valid = false;
            if (row < first.len) {
                is_valid = first.is_valid(row);
            } else if (row - first.len < second.len) {
                is_valid = second.is_valid(row - first.len);
            }
            const u32 bits = __ballot_sync(ALL_LANES, is_valid);
            if (lane_id() == w) own = bits;
        }
        if (word + lane_id() < words) out[word + lane_id()] = own;
    }
}

// ---- strings and lists -------------------------------------------------------------------------------

// The length of each row by `offsets`; 0 where it is null or does not exist, and behind the last row.
template <typename Offset, typename I>
__global__ void __launch_bounds__(THREADS)
    gather_lengths(ColumnDeviceView column, const Offset* __restrict__ offsets, const I* __restrict__ rows,
                   u64 n, u64* __restrict__ lengths) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= n; i += step) {
        const u64 row = i < n ? u64(rows[i]) : ~0ull;
        const bool is_valid = row < column.len && column.is_valid(row);
        lengths[i] = is_valid ? u64(offsets[row + 1] - offsets[row]) : 0;
    }
}

// The characters of the rows, which start at `starts` of the output, `total` in all.
template <typename Offset, typename I>
__global__ void __launch_bounds__(THREADS)
    gather_bytes(const u8* __restrict__ bytes, const Offset* __restrict__ offsets, const I* __restrict__ rows,
                 const u64* __restrict__ starts, u64 n, u64 total, u8* __restrict__ out) {
    __shared__ u64 range[2];
    const u64 begin = u64(blockIdx.x) * THREADS * PACK<u8>;
    if (begin >= total) return;
    const u64 end = begin + THREADS * PACK<u8>;
    rows_of_tile(starts, n, begin, end < total ? end : total, range);
    u64 position = begin + threadIdx.x * PACK<u8>;
    if (position >= total) return;
    Pack<u8> pack;
    u64 row = piece_at(starts, range[0], range[1], position);
    u64 row_end = starts[row + 1];
    const u8* source = bytes + offsets[rows[row]] + (position - starts[row]);
    for (u32 k = 0; k < PACK<u8> && position + k < total; ++k) {
        if (position + k == row_end) {
            do ++row;
            while (starts[row + 1] == row_end);
            row_end = starts[row + 1];
            source = bytes + offsets[rows[row]] - k;
        }
        pack.items[k] = source[k];
    }
    store_pack(out, position, total, pack);
}

// The numbers of the elements of the rows, which start at `starts` of the output, `total` in all.
template <typename Offset, typename I, typename Element>
__global__ void __launch_bounds__(THREADS)
    element_rows(const Offset* __restrict__ offsets, const I* __restrict__ rows,
                 const u64* __restrict__ starts, u64 n, u64 total, Element* __restrict__ out) {
    for_each_piece<TILE>(starts, n, total, [=](u64 position, u64 row, u64 k) {
        out[position] = Element(u64(offsets[rows[row]]) + k);
    });
}
