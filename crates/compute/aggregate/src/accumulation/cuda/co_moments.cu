// Products of deviations of pairs of numbers in groups; without `ids` all rows are one group. Pairs in which a number is
// missing are NaN twice. THREADS comes from the declaration in co_moments.rs.
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"

__forceinline__ f64 missing() { return float_of(0x7ff8000000000000ull); }

inline f64 number(const ColumnDeviceView& column, u64 row) {
    f64 number = 0.0;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        if constexpr (sizeof(T) <= 8) number = f64(column.value<T>(row));
    });
    return number;
}

__global__ void __launch_bounds__(THREADS)
    pairs_of_rows(ColumnDeviceView left, ColumnDeviceView right, f64* __restrict__ a, f64* __restrict__ b) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < left.len; row += step) {
        const f64 x = number(left, row), y = number(right, row);
        const bool is_there = left.is_valid(row) && right.is_valid(row) && x == x && y == y;
        a[row] = is_there ? x : missing();
        b[row] = is_there ? y : missing();
    }
}

// Distances to a finite number of each group: equal values have deviations of exactly 0.
__global__ void __launch_bounds__(THREADS)
    distances(const u32* ids, u64 n, u64 groups, const f64* first_a, const f64* first_b, f64* __restrict__ a,
              f64* __restrict__ b) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u64 group = ids == nullptr ? 0 : u64(ids[row]);
        if (group >= groups) continue;
        if (isfinite(first_a[group])) a[row] -= first_a[group];
        if (isfinite(first_b[group])) b[row] -= first_b[group];
    }
}

// The products of deviations, and their squares in place of the numbers.
__global__ void __launch_bounds__(THREADS)
    products_of_deviations(const u32* ids, u64 n, u64 groups, const f64* mean_a, const f64* mean_b, f64* __restrict__ a,
                           f64* __restrict__ b, f64* __restrict__ products) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u64 group = ids == nullptr ? 0 : u64(ids[row]);
        if (group >= groups) {
            products[row] = missing();
            continue;
        }
        const f64 x = a[row] - mean_a[group], y = b[row] - mean_b[group];
        a[row] = x * x;
        b[row] = y * y;
        products[row] = x * y;
    }
}

// The moments of each group, side by side: both means, both sums of squares, and that of products. A column with an
// infinity has a mean that is none, and no deviations.
__global__ void __launch_bounds__(THREADS)
    finish_moments(u64 groups, const i64* counts, const f64* first_a, const f64* first_b, const f64* mean_a,
                   const f64* mean_b, const f64* squares_a, const f64* squares_b, const f64* products, f64* out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        f64* const moments = out + 5 * group;
        const bool is_empty = counts[group] == 0;
        const bool a_ends = isfinite(mean_a[group]), b_ends = isfinite(mean_b[group]);
        const f64 a = isfinite(first_a[group]) ? first_a[group] : 0.0, b = isfinite(first_b[group]) ? first_b[group] : 0.0;
        moments[0] = is_empty ? 0.0 : a + mean_a[group];
        moments[1] = is_empty ? 0.0 : b + mean_b[group];
        moments[2] = is_empty ? 0.0 : a_ends ? squares_a[group] : missing();
        moments[3] = is_empty ? 0.0 : b_ends ? squares_b[group] : missing();
        moments[4] = is_empty ? 0.0 : a_ends && b_ends ? products[group] : missing();
    }
}

// Results computed from moments, numbered as `Made` in co_moments.rs.
enum Made : u32 { COVARIANCE, CORRELATION, SQUARES };

__global__ void __launch_bounds__(THREADS)
    make_of_moments(u64 groups, const i64* counts, const f64* moments, u32 made, i64 ddof, u64 least,
                    f64* __restrict__ out, u8* __restrict__ valid) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        const f64* const own = moments + 5 * group;
        const u64 count = counts[group];
        bool is_there = count > 0 && count >= least;
        f64 result = own[2];
        if (made == COVARIANCE) {
            const __int128 freedom = __int128(count) - ddof;
            is_there = is_there && freedom > 0;
            result = own[4] / f64(freedom);
        } else if (made == CORRELATION) {
            const f64 scale = sqrt(own[2] * own[3]);
            is_there = is_there && scale != 0.0;
            result = own[4] / scale;
            result = result > 1.0 ? 1.0 : result < -1.0 ? -1.0 : result;
        }
        out[group] = is_there ? result : 0.0;
        valid[group] = is_there;
    }
}
