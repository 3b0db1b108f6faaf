// Windows of rows: which rows there are in each, and which of them are valid.
#pragma once
#include "cuprum/block.cuh"
#include "cuprum/column.cuh"
#include "cuprum/search.cuh"

// The validity of rows, and the number of valid rows before each word; without words all rows are valid.
struct Valid {
    const u32* words;
    const u32* ranks;

    __forceinline__ bool get(u64 row) const { return words == nullptr || (words[row / 32] >> row % 32 & 1) != 0; }

    __forceinline__ u64 before(u64 row) const {
        if (words == nullptr) return row;
        return ranks[row / 32] + __popc(words[row / 32] & ((1u << row % 32) - 1));
    }

    // The row of the valid one with this number, which is among the rows of a range.
    __forceinline__ u64 row_of(u64 number, u64 start, u64 end) const {
        if (words == nullptr) return number;
        const u64 word = partition_point(start / 32 + 1, end / 32 + 1, [&](u64 w) { return ranks[w] > number; }) - 1;
        u32 bits = words[word];
        for (u64 k = ranks[word]; k < number; ++k) bits &= bits - 1;
        return word * 32 + __ffs(bits) - 1;
    }
};

// The windows: so many rows before each row, itself included, and so many behind it; a number for each row, of 32 or 64
// bits, or one for all.
struct Windows {
    Array<const i32*, 2> narrow;
    Array<const i64*, 2> wide;
    Array<i64, 2> sizes;
    u64 rows;

    template <u32 SIDE>
    __forceinline__ i64 size(u64 row) const {
        if (narrow.at[SIDE] != nullptr) return narrow.at[SIDE][row];
        return wide.at[SIDE] != nullptr ? wide.at[SIDE][row] : sizes.at[SIDE];
    }

    // The rows [start, end) of a window in the rows [first, last), which are fewer than 2^32.
    static __forceinline__ void cut(u64 row, i64 before, i64 behind, i64 first, i64 last, u64& start, u64& end) {
        const i64 here = i64(row) + 1;
        start = u64(within(here - within(before, -FAR, FAR), first, last));
        end = u64(within(here + within(behind, -FAR, FAR), i64(start), last));
    }

    __forceinline__ void of(u64 row, u64& start, u64& end) const {
        cut(row, size<0>(row), size<1>(row), 0, i64(rows), start, end);
    }

private:
    static constexpr i64 FAR = 1ll << 33;

    static __forceinline__ i64 within(i64 x, i64 low, i64 high) { return x < low ? low : x > high ? high : x; }
};

// Calls `f(row)` for all rows and writes a bit of each result.
template <u32 THREADS, typename F>
__forceinline__ void write_mask(u64 rows, u32* mask, F f) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 first = u64(blockIdx.x) * THREADS + warp_id() * WARP; first < rows; first += step) {
        const u64 row = first + lane_id();
        const bool is_there = row < rows && f(row);
        const u32 bits = __ballot_sync(ALL_LANES, is_there);
        if (lane_id() == 0 && mask != nullptr) mask[first / WARP] = bits;
    }
}
