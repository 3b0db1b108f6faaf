// Places of rows among rows in order. THREADS of every block comes from the declaration in cuda.rs.
#include "cuprum/order.cuh"
#include "cuprum/search.cuh"

// For each of n needles the first of `num_rows` rows in order that is not before it, or that is behind it where
// `behind` is set.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    find_bounds(const ColumnDeviceView* haystack, u64 num_rows, const ColumnDeviceView* needles, u64 n, RowOrder order,
                const u8* directions, u32 behind, Row* places) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        places[i] = Row(partition_point(0, num_rows, [&](u64 row) {
            const i32 compared = compare_rows(haystack, row, needles, i, order, directions);
            return behind != 0 ? compared > 0 : compared >= 0;
        }));
    }
}

// Whether a value is NaN; null is not.
inline bool is_nan_at(const ColumnDeviceView& view, u64 row) {
    return view.type_id != STRING && view.is_valid(row) && comparable(view, row).is_missing;
}

// Sets the first flag where there is a null, and the second one where there is a NaN.
template <typename Flag>
__global__ void __launch_bounds__(THREADS) find_missing(const ColumnDeviceView* columns, u64 n, Flag* flags) {
    const ColumnDeviceView view = columns[0];
    const u64 step = u64(gridDim.x) * THREADS;
    bool has_null = false, has_nan = false;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        has_null = has_null || !view.is_valid(i);
        has_nan = has_nan || is_nan_at(view, i);
    }
    if (has_null) atomicOr(flags, 1u);
    if (has_nan) atomicOr(flags + 1, 1u);
}

// Whether each of n needles is among the values of a column that `rows` has in order; `missing` says whether there is
// a null among them, and whether a NaN.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    find_members(const ColumnDeviceView* haystack, const Row* rows, u64 num_rows, const ColumnDeviceView* needles,
                 u64 n, RowOrder order, const u32* missing, u8* found) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (!needles[0].is_valid(i) || is_nan_at(needles[0], i)) {
            found[i] = missing[needles[0].is_valid(i)] != 0;
            continue;
        }
        const u64 place = partition_point(0, num_rows, [&](u64 k) {
            return compare_rows(haystack, rows[k], needles, i, order, nullptr) >= 0;
        });
        found[i] = place < num_rows && compare_rows(haystack, rows[place], needles, i, order, nullptr) == 0;
    }
}
