// Rows of columns of one type to one value each, from left to right. THREADS comes from the declaration in cuda.rs.
// Elements that are null or NaN are left out.
#include "cuprum/column.cuh"

// Calls `f` with the elements of a row that are there.
template <typename T, typename F>
__forceinline__ void for_present(const ColumnDeviceView* columns, u32 num_columns, u64 row, F f) {
    for (u32 c = 0; c < num_columns; ++c) {
        if (!columns[c].is_valid(row)) continue;
        const T value = columns[c].value<T>(row);
        if (value == value) f(value);
    }
}

// Calls `f` with each of n rows.
template <typename F>
__forceinline__ void for_each_row(u64 n, F f) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) f(row);
}

// Sums: of floats in 64 bits, of integers modulo 2^64.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    row_sums(const ColumnDeviceView* __restrict__ columns, u32 num_columns, u64 n, u64* __restrict__ out) {
    for_each_row(n, [=](u64 row) {
        if constexpr (IS_FLOAT<T>) {
            f64 sum = 0;
            for_present<T>(columns, num_columns, row, [&](T value) { sum += f64(value); });
            out[row] = u64(__double_as_longlong(sum));
        } else {
            u64 sum = 0;
            for_present<T>(columns, num_columns, row, [&](T value) { sum += u64(value); });
            out[row] = sum;
        }
    });
}

// A number of 128 bits with a sign as the nearest float.
inline f64 nearest(u64 low, u64 high) {
    const bool is_negative = high >> 63 != 0;
    if (is_negative) {
        low = 0 - low;
        high = ~high + (low == 0 ? 1 : 0);
    }
    f64 value = f64(low);
    if (high != 0) {
        // The 64 bits from the first one on; what is lost is a last bit, which is far behind those that are kept.
        const u32 shift = 64 - __clzll(i64(high));
        u64 bits = high << (64 - shift) % 64;
        if (shift < 64) bits |= low >> shift;
        const u64 lost = shift < 64 ? low << (64 - shift) : low;
        value = f64(bits | (lost != 0 ? 1 : 0)) * __longlong_as_double(i64(1023 + shift) << 52);
    }
    return is_negative ? -value : value;
}

// Means; of nothing NaN. Sums of integers are exact.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    row_means(const ColumnDeviceView* __restrict__ columns, u32 num_columns, u64 n, f64* __restrict__ out) {
    for_each_row(n, [=](u64 row) {
        u64 count = 0;
        f64 sum = 0;
        if constexpr (IS_FLOAT<T>) {
            for_present<T>(columns, num_columns, row, [&](T value) {
                sum += f64(value);
                count += 1;
            });
        } else {
            u64 low = 0, high = 0;
            for_present<T>(columns, num_columns, row, [&](T value) {
                const u64 before = low;
                low += u64(value);
                high += (value < 0 ? ~0ull : 0) + (low < before ? 1 : 0);
                count += 1;
            });
            sum = nearest(low, high);
        }
        out[row] = sum / f64(count);
    });
}

// The smallest or largest elements, and whether there is one; of floats NaN where there is none.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    row_extremes(const ColumnDeviceView* __restrict__ columns, u32 num_columns, u64 n, bool smallest,
                 T* __restrict__ out, u8* __restrict__ found) {
    for_each_row(n, [=](u64 row) {
        T best = 0;
        bool is_found = false;
        for_present<T>(columns, num_columns, row, [&](T value) {
            if (!is_found || (smallest ? value < best : value > best)) best = value;
            is_found = true;
        });
        if constexpr (IS_FLOAT<T>) {
            if (!is_found) best = T(__longlong_as_double(0x7ff8000000000000));
        }
        out[row] = best;
        found[row] = is_found;
    });
}

// Whether some element of each row is true or, unless `any`, none is false.
__global__ void __launch_bounds__(THREADS)
    row_truths(const ColumnDeviceView* __restrict__ columns, u32 num_columns, u64 n, bool any,
               u8* __restrict__ out) {
    for_each_row(n, [=](u64 row) {
        bool truth = !any;
        for_present<u8>(columns, num_columns, row, [&](u8 value) {
            if ((value != 0) == any) truth = any;
        });
        out[row] = truth;
    });
}
