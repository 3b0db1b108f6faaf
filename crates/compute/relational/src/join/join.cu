// Pairs of rows with equal keys. THREADS and ITEMS come from the declaration in cuda.rs. Rows of the right table
// are numbered by their keys, and each row of the left one has the number of its key, or NONE.
#include "cuprum/bits.cuh"
#include "cuprum/search.cuh"

constexpr u32 NONE = ~0u;
constexpr u64 TILE = u64(THREADS) * ITEMS;

// The number of right rows of each number; `counts` was 0.
__global__ void __launch_bounds__(THREADS)
    count_numbers(const u32* __restrict__ numbers, u64 n, u64* counts) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (numbers[i] != NONE) atomicAdd(counts + numbers[i], 1ull);
    }
}

// The number of pairs of each left row, 0 behind the last one: `alone` for a row without a partner.
__global__ void __launch_bounds__(THREADS)
    count_pairs(const u32* __restrict__ numbers, const u64* __restrict__ starts, u64 n, u64 alone,
                u64* __restrict__ counts) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= n; i += step) {
        const u32 number = i < n ? numbers[i] : NONE;
        counts[i] = number != NONE ? starts[number + 1] - starts[number] : i < n ? alone : 0;
    }
}

// The pairs of the left rows, `total` in all, which begin at `offsets`. `rows` are the right rows by number.
__global__ void __launch_bounds__(THREADS)
    write_pairs(const u32* __restrict__ numbers, const u64* __restrict__ starts, const u32* __restrict__ rows,
                const u64* __restrict__ offsets, u64 n, u64 total, u32* __restrict__ left,
                u32* __restrict__ right) {
    __shared__ u64 range[2];
    const u64 begin = u64(blockIdx.x) * TILE;
    if (begin >= total) return;
    const u64 end = begin + TILE < total ? begin + TILE : total;
    if (threadIdx.x == 0) range[0] = piece_at(offsets, 0, n, begin);
    if (threadIdx.x == 32) range[1] = piece_at(offsets, 0, n, end - 1) + 1;
    __syncthreads();
    for (u64 at = begin + threadIdx.x; at < end; at += THREADS) {
        const u64 row = piece_at(offsets, range[0], range[1], at);
        const u32 number = numbers[row];
        left[at] = u32(row);
        right[at] = number == NONE ? NONE : rows[starts[number] + (at - offsets[row])];
    }
}

// Sets the bits of numbers that left rows have; `words` was 0.
__global__ void __launch_bounds__(THREADS) mark_numbers(const u32* __restrict__ numbers, u64 n, u32* words) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u32 number = numbers[i];
        if (number == NONE) continue;
        const u32 bit = 1u << number % 32;
        if ((*reinterpret_cast<volatile u32*>(words + number / 32) & bit) == 0) {
            atomicOr(words + number / 32, bit);
        }
    }
}

// Sets the bits of right rows whose number is not marked; `words` was 0.
__global__ void __launch_bounds__(THREADS)
    mark_unmatched(const u32* __restrict__ numbers, const u32* __restrict__ marked, u64 n, u32* words) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u32 number = numbers[i];
        const bool has_partner = number != NONE && is_set(reinterpret_cast<const u8*>(marked), number);
        if (!has_partner) atomicOr(words + i / 32, 1u << i % 32);
    }
}

// All pairs of rows, in order.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    all_pairs(u64 pairs, u64 right_rows, I* __restrict__ left, I* __restrict__ right) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < pairs; i += step) {
        left[i] = I(i / right_rows);
        right[i] = I(i % right_rows);
    }
}

// The left and the right row of each pair. Pair `i` is left row `first + i / width` and right row `i % width`; numbers of
// pairs fit 32 bits.
__global__ void __launch_bounds__(THREADS)
    rows_of_pairs(const u32* __restrict__ numbers, u64 n, u64 width, u64 first, u32* __restrict__ left,
                  u32* __restrict__ right) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u32 number = numbers[i];
        left[i] = u32(first) + number / u32(width);
        right[i] = number % u32(width);
    }
}

// Sets the bits of left rows that have a pair whose bit is set; pairs are numbered as above.
__global__ void __launch_bounds__(THREADS)
    mark_left_rows(const u32* __restrict__ pairs, u64 num_words, u64 width, u64 first, u32* marked) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 word = u64(blockIdx.x) * THREADS + threadIdx.x; word < num_words; word += step) {
        u32 bits = pairs[word];
        while (bits != 0) {
            const u64 pair = word * 32 + __ffs(bits) - 1;
            const u64 row = pair / width, next = (row + 1) * width - word * 32;
            const u64 place = first + row;
            const u32 bit = 1u << place % 32;
            if ((*reinterpret_cast<volatile u32*>(marked + place / 32) & bit) == 0) atomicOr(marked + place / 32, bit);
            // One pair of a row is enough.
            bits &= next < 32 ? ~0u << next : 0;
        }
    }
}
