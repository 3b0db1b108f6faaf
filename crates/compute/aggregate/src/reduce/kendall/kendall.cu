// Pairs of rows in unlike order, and pairs that tie (Knight 1966). Values are words of 64 bits that compare as they do.
// The constants come from the declaration in cuda.rs.
#include "cuprum/block.cuh"
#include "cuprum/order.cuh"

constexpr u32 TILE = THREADS * ITEMS;

struct Add {
    __forceinline__ u64 operator()(u64 a, u64 b) const { return a + b; }
};

// Adds the counts of all threads of a block to `total`.
__forceinline__ void add_up(u64 count, u64* total) {
    __shared__ u64 of_warps[THREADS / WARP];
    count = block_reduce<THREADS>(count, Add(), of_warps);
    if (threadIdx.x == 0 && count > 0) atomicAdd(total, count);
}

// The words of two columns of numbers, and whether a row has both: neither null nor NaN.
__global__ void __launch_bounds__(THREADS)
    words_of_pairs(ColumnDeviceView left, ColumnDeviceView right, u64* __restrict__ lefts, u64* __restrict__ rights,
                   u8* __restrict__ present) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < left.len; row += step) {
        const f64 x = number_at(left, row), y = number_at(right, row);
        lefts[row] = ordered(x);
        rights[row] = ordered(y);
        present[row] = left.is_valid(row) && right.is_valid(row) && !is_nan(x) && !is_nan(y);
    }
}

// Adds to `total` how many pairs are within runs of equal neighbours; rows are equal where they are in `others`, too, if that
// is given. The last row of a run looks for the first one, at distances that double.
__global__ void __launch_bounds__(THREADS)
    count_ties(const u64* __restrict__ words, const u64* __restrict__ others, u64 n, u64* total) {
    const auto equal = [&](u64 a, u64 b) {
        return words[a] == words[b] && (others == nullptr || others[a] == others[b]);
    };
    const u64 step = u64(gridDim.x) * THREADS;
    u64 count = 0;
    for (u64 last = u64(blockIdx.x) * THREADS + threadIdx.x; last < n; last += step) {
        if (last + 1 < n && equal(last, last + 1)) continue;
        u64 first = last, reach = 1;
        while (reach <= last && equal(last - reach, last)) {
            first = last - reach;
            reach *= 2;
        }
        // Rows from `first` on are equal to the last one, `other` is not, if there is one.
        u64 other = reach <= last ? last - reach + 1 : 0;
        while (other < first) {
            const u64 middle = other + (first - other) / 2;
            if (equal(middle, last)) {
                first = middle;
            } else {
                other = middle + 1;
            }
        }
        const u64 before = last - first;
        count += before * (before + 1) / 2;
    }
    add_up(count, total);
}

// How many of `len` ascending words are below `word`, or below and equal to it.
__forceinline__ u64 words_before(const u64* words, u64 len, u64 word, bool with_equal) {
    u64 low = 0;
    while (len > 0) {
        const u64 half = len / 2;
        const u64 middle = words[low + half];
        if (middle < word || (with_equal && middle == word)) {
            low += half + 1;
            len -= half + 1;
        } else {
            len = half;
        }
    }
    return low;
}

// The place of a word in its pair of runs of `width` words, merged with equal ones of the left run first; `greater` grows by
// how many words of the left run are above one of the right run.
__forceinline__ u64 merged_place(const u64* words, u64 n, u64 width, u64 i, u64& greater) {
    const u64 begin = i / (2 * width) * (2 * width), middle = begin + width;
    if (middle >= n) return i;
    if (i < middle) {
        const u64 end = middle + width < n ? middle + width : n;
        return i + words_before(words + middle, end - middle, words[i], false);
    }
    const u64 before = words_before(words + begin, width, words[i], true);
    greater += width - before;
    return i - (width - before);
}

// Sorts each tile and adds to `total` how many of its pairs were in descending order.
__global__ void __launch_bounds__(THREADS)
    sort_tiles(const u64* __restrict__ words, u64 n, u64* __restrict__ sorted, u64* total) {
    __shared__ u64 runs[TILE], merged[TILE];
    const u64 first = u64(blockIdx.x) * TILE;
    const u64 len = n - first < TILE ? n - first : TILE;
    for (u32 i = threadIdx.x; i < len; i += THREADS) runs[i] = words[first + i];
    u64 count = 0;
    for (u32 width = 1; width < TILE; width *= 2) {
        __syncthreads();
        for (u32 i = threadIdx.x; i < len; i += THREADS) merged[merged_place(runs, len, width, i, count)] = runs[i];
        __syncthreads();
        for (u32 i = threadIdx.x; i < len; i += THREADS) runs[i] = merged[i];
    }
    for (u32 i = threadIdx.x; i < len; i += THREADS) sorted[first + i] = runs[i];
    add_up(count, total);
}

// Merges runs of `width` words two by two and adds to `total` how many pairs of them were in descending order.
__global__ void __launch_bounds__(THREADS)
    merge_runs(const u64* __restrict__ words, u64 n, u64 width, u64* __restrict__ merged, u64* total) {
    const u64 step = u64(gridDim.x) * THREADS;
    u64 count = 0;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        merged[merged_place(words, n, width, i, count)] = words[i];
    }
    add_up(count, total);
}
