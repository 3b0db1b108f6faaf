// Rows that are kept by their values or their neighbours, as bits: a warp for each word. THREADS comes from
// the declaration in neighbours.rs.
#include "cuprum/block.cuh"
#include "cuprum/value_bytes.cuh"

constexpr u32 WARPS = THREADS / WARP;

// Writes a bit for each of n rows that `selected` says is kept; words behind are 0 already.
template <typename F>
__forceinline__ void write_words(u64 n, u32* words, F selected) {
    const u64 step = u64(gridDim.x) * WARPS;
    for (u64 word = u64(blockIdx.x) * WARPS + warp_id(); word * WARP < n; word += step) {
        const u64 row = word * WARP + lane_id();
        const u32 bits = __ballot_sync(ALL_LANES, row < n && selected(row));
        if (lane_id() == 0) words[word] = bits;
    }
}

// Whether two rows have the same value: NaN is one, zeros are one, and null is null.
inline bool equal_values(const ColumnDeviceView& column, u64 a, u64 b) {
    const bool is_valid = column.is_valid(a);
    if (is_valid != column.is_valid(b)) return false;
    if (!is_valid) return true;
    if (column.type_id == STRING) {
        const StringView x = column.string(a), y = column.string(b);
        if (x.size != y.size) return false;
        for (u64 i = 0; i < x.size; ++i) {
            if (x.bytes[i] != y.bytes[i]) return false;
        }
        return true;
    }
    bool is_equal = true;
    with_bytes<true>(column, [&](auto bytes) {
        const auto x = bytes(a), y = bytes(b);
        if constexpr (!IS_SAME<decltype(bytes(a)), MemoryBytes>) is_equal = x.low == y.low && x.high == y.high;
    });
    return is_equal;
}

enum Keep : u32 { KEEP_FIRST, KEEP_LAST, KEEP_NONE };

// The rows that are kept of each run of equal neighbours; without `nulls_equal` a row with a null is a run of its own.
__global__ void __launch_bounds__(THREADS)
    keep_of_runs(const ColumnDeviceView* columns, u32 num_columns, u64 n, bool nulls_equal, u32 keep,
                 u32* __restrict__ words) {
    const auto starts = [&](u64 row) {
        if (row == 0 || row == n) return true;
        for (u32 c = 0; c < num_columns; ++c) {
            if (!nulls_equal && !columns[c].is_valid(row)) return true;
            if (!equal_values(columns[c], row - 1, row)) return true;
        }
        return false;
    };
    write_words(n, words, [&](u64 row) {
        if (keep == KEEP_FIRST) return starts(row);
        return starts(row + 1) && (keep == KEEP_LAST || starts(row));
    });
}

// The rows with at least `threshold` values that are no NaN, of columns of floats; nulls are none.
__global__ void __launch_bounds__(THREADS)
    keep_without_nans(const ColumnDeviceView* columns, u32 num_columns, u64 n, u64 threshold, u32* __restrict__ words) {
    write_words(n, words, [&](u64 row) {
        u64 count = 0;
        for (u32 c = 0; c < num_columns; ++c) {
            const ColumnDeviceView& column = columns[c];
            const f64 value = column.type_id == FLOAT32 ? f64(column.value<f32>(row)) : column.value<f64>(row);
            count += value == value || !column.is_valid(row) ? 1 : 0;
        }
        return count >= threshold;
    });
}

// The rows for which a mask is false or null.
__global__ void __launch_bounds__(THREADS) keep_not_true(ColumnDeviceView mask, u32* __restrict__ words) {
    write_words(mask.len, words, [&](u64 row) { return mask.value<u8>(row) == 0 || !mask.is_valid(row); });
}
