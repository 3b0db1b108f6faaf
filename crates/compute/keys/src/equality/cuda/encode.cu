// Codes of rows, as `encode` writes them out. THREADS comes from the declaration in encode.rs.
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"

// How the values of a key column become codes: 64 bits, from bit `shift` (0 or 64) on, of the ordered form less the least
// one; with `is_presence` 1 for valid values and 0 for missing ones.
struct CodeRule {
    u64 least_high, least_low;
    u64 shift;
    u64 missing;      // the code of missing values
    u32 nan_is_null;  // whether NaN is missing
    u32 is_presence;
};

// The ordered form of a value, NaN above all others: `ordered_with_nan` and `ordered_128` in ordered_bits.rs.
struct OrderedValue {
    u64 high, low;
    bool is_nan;
};

template <typename T>
__forceinline__ OrderedValue ordered_with_nan(const ColumnDeviceView& column, T value) {
    if constexpr (IS_SAME<T, Decimal128>) {
        return {u64(value.high) ^ 1ull << 63, value.low, false};
    } else {
        // Of truth values, all that is not 0 is true.
        if (sizeof(T) == 1 && column.type_id == BOOL8) return {0, u64(value != 0), false};
        if (is_nan(value)) return {0, ~0ull >> (64 - 8 * sizeof(T)), true};
        return {0, ordered(value), false};
    }
}

// The least and the greatest ordered form of a column's values, and whether there is a NaN; `range` was the greatest
// number, 0 and 0. Of 128 bits these are the higher halves; the lower halves of the values with the least and the
// greatest higher one follow where these are given.
__global__ void __launch_bounds__(THREADS) range_of_values(ColumnDeviceView column, const u64* high, u64* range) {
    const u64 step = u64(gridDim.x) * THREADS;
    u64 least = ~0ull, greatest = 0;
    bool has_nan = false;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < column.len; row += step) {
            if (!column.is_valid(row)) continue;
            const OrderedValue value = ordered_with_nan(column, column.value<T>(row));
            const u64 word = IS_SAME<T, Decimal128> && high == nullptr ? value.high : value.low;
            if (high == nullptr || value.high == high[0]) least = Min()(least, word);
            if (high == nullptr || value.high == high[1]) greatest = Max()(greatest, word);
            has_nan = has_nan || value.is_nan;
        }
    });
    least = warp_reduce(least, Min());
    greatest = warp_reduce(greatest, Max());
    const bool any_nan = __any_sync(ALL_LANES, has_nan);
    if (lane_id() != 0) return;
    atomicMin(range, least);
    atomicMax(range + 1, greatest);
    if (any_nan) atomicOr(range + 2, 1ull);
}

// Multiplies the codes of the rows from `first` on and adds those of a column.
__global__ void __launch_bounds__(THREADS)
    add_codes(ColumnDeviceView column, CodeRule rule, u64 scale, u64 first, u64* codes) {
    const u64 step = u64(gridDim.x) * THREADS;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < column.len; row += step) {
            OrderedValue value = {0, 0, false};
            bool is_there = column.is_valid(row);
            if (is_there) {
                value = ordered_with_nan(column, column.value<T>(row));
                is_there = !(value.is_nan && rule.nan_is_null != 0);
            }
            const u64 low = value.low - rule.least_low;
            const u64 high = value.high - rule.least_high - u64(value.low < rule.least_low);
            const u64 code = rule.is_presence != 0 ? u64(is_there) : !is_there ? rule.missing : rule.shift == 0 ? low : high;
            codes[first + row] = codes[first + row] * scale + code;
        }
    });
}

// Multiplies the codes of n rows and adds numbers.
__global__ void __launch_bounds__(THREADS) add_numbers(const u32* __restrict__ numbers, u64 n, u64 scale, u64* codes) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        codes[row] = codes[row] * scale + numbers[row];
    }
}
