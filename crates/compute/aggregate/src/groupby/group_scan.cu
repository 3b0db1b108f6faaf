// Values of groups for each of their rows. `places` are the groups of rows, `rows` the rows of groups from
// `offsets` on, one group after the other, `positions` the position of each row there. Others may have
// written to this memory: no value read from it is an address unchecked. THREADS comes from the declaration
// in group_scan.rs.
#include "cuprum/column.cuh"
#include "cuprum/search.cuh"

constexpr u32 NONE = ~0u;

// The last place of each group in `order`, counted from 1; 0 where it has none. `place_of` was 0.
__global__ void __launch_bounds__(THREADS) places_of_groups(ColumnDeviceView order, u64 groups, u32* place_of) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < order.len; i += step) {
        const i64 group = i64(integer_at(order, i));
        if (order.is_valid(i) && group >= 0 && u64(group) < groups) atomicMax(place_of + group, u32(i + 1));
    }
}

// The place of the group of each row; NONE for rows in none.
__global__ void __launch_bounds__(THREADS)
    places_of_rows(const u32* __restrict__ ids, u64 n, u64 groups, const u32* place_of, u32* __restrict__ places) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u32 id = ids[row];
        places[row] = id >= groups ? NONE : place_of == nullptr ? id : place_of[id] - 1;
    }
}

// The position of each row in `rows`.
__global__ void __launch_bounds__(THREADS) positions_of_rows(const u32* __restrict__ rows, u64 n, u32* positions) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) positions[rows[i]] = u32(i);
}

// 1 for each group that has rows, and 0 behind the last.
__global__ void __launch_bounds__(THREADS) groups_with_rows(ColumnDeviceView offsets, u64* __restrict__ flags) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < offsets.len; i += step) {
        flags[i] = i + 1 < offsets.len && offsets.value<u32>(i) < offsets.value<u32>(i + 1) ? 1 : 0;
    }
}

// The number of each row's group, -1 for rows in none.
__global__ void __launch_bounds__(THREADS)
    numbers_of_rows(ColumnDeviceView places, const u64* __restrict__ numbers, u64 groups, i64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < places.len; row += step) {
        const u32 place = places.value<u32>(row);
        out[row] = place < groups ? i64(numbers[place]) : -1;
    }
}

// The columns of groups and their rows.
struct Groups {
    const ColumnDeviceView &places, &rows, &offsets, &positions;

    // The number of a row in its group and how many rows that has; false for rows in no group.
    bool place_in_group(u64 row, u64& number, u64& size) const {
        const u64 place = places.value<u32>(row);
        if (place + 1 >= offsets.len) return false;
        const u64 start = offsets.value<u32>(place), end = offsets.value<u32>(place + 1);
        const u64 position = positions.value<u32>(row);
        number = position - start;
        size = end - start;
        return start <= position && position < end && end <= rows.len;
    }
};

// The number of each row in its group from 0 on, or from the last one.
__global__ void __launch_bounds__(THREADS)
    numbers_in_groups(ColumnDeviceView places, ColumnDeviceView rows, ColumnDeviceView offsets, ColumnDeviceView positions,
                      bool ascending, i64* __restrict__ out, u8* __restrict__ valid) {
    const Groups groups = {places, rows, offsets, positions};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < places.len; row += step) {
        u64 number = 0, size = 1;
        valid[row] = groups.place_in_group(row, number, size);
        if (!valid[row]) number = 0, size = 1;
        out[row] = i64(ascending ? number : size - 1 - number);
    }
}

inline i64 end_of_slice(i64 end, i64 size) {
    // No size is large enough to overflow.
    return end >= 0 ? end : end + size;
}

// 1 for each row whose number in its group is in a range, 0 for others.
__global__ void __launch_bounds__(THREADS)
    rows_of_slice(ColumnDeviceView places, ColumnDeviceView rows, ColumnDeviceView offsets, ColumnDeviceView positions,
                  bool has_start, i64 start, bool has_stop, i64 stop, u8* __restrict__ out) {
    const Groups groups = {places, rows, offsets, positions};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < places.len; row += step) {
        u64 number, size;
        bool is_inside = groups.place_in_group(row, number, size);
        if (is_inside && has_start) is_inside = end_of_slice(start, i64(size)) <= i64(number);
        if (is_inside && has_stop) is_inside = i64(number) < end_of_slice(stop, i64(size));
        out[row] = is_inside;
    }
}

// The row that is `periods` rows before each in its group; NONE where there is none.
__global__ void __launch_bounds__(THREADS)
    shifted_rows(ColumnDeviceView places, ColumnDeviceView rows, ColumnDeviceView offsets, ColumnDeviceView positions,
                 i64 periods, u32* __restrict__ out) {
    const Groups groups = {places, rows, offsets, positions};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < places.len; row += step) {
        u64 number, size;
        u32 source = NONE;
        if (groups.place_in_group(row, number, size)) {
            // Wraps for periods that no group is as long as.
            const u64 from = number - u64(periods);
            if (from < size) source = rows.value<u32>(positions.value<u32>(row) - number + from);
        }
        out[row] = source;
    }
}

// 1 for each of `rows` that a column has a value at, and 0 behind the last.
__global__ void __launch_bounds__(THREADS)
    flags_of_values(ColumnDeviceView rows, ColumnDeviceView column, u32* __restrict__ flags) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= rows.len; i += step) {
        const u64 row = i < rows.len ? u64(rows.value<u32>(i)) : column.len;
        flags[i] = row < column.len && column.is_valid(row) ? 1 : 0;
    }
}

// The n-th row of each group, of those that `before` counts, from its end for negative n; the smallest number where there
// is none. `before` has how many count before each of `rows`, and in all.
__global__ void __launch_bounds__(THREADS)
    nth_rows(ColumnDeviceView rows, ColumnDeviceView offsets, const u32* before, i64 n, i64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group + 1 < offsets.len; group += step) {
        u64 low = offsets.value<u32>(group), high = offsets.value<u32>(group + 1);
        out[group] = i64(1ull << 63);
        if (low > high || high > rows.len) continue;
        const u64 first = before == nullptr ? low : before[low], end = before == nullptr ? high : before[high];
        // Wraps for numbers that no group is as long as.
        const u64 wanted = n < 0 ? end - first + u64(n) : u64(n);
        if (wanted >= end - first) continue;
        if (before == nullptr) {
            low += wanted;
        } else {
            // The last position before which no more count is the one that does.
            while (high - low > 1) {
                const u64 middle = low + (high - low) / 2;
                if (before[middle] <= first + wanted) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
        }
        out[group] = rows.value<u32>(low);
    }
}

// The segment of each of n rows: the last one that begins up to it. The first begins at row 0.
__global__ void __launch_bounds__(THREADS)
    segments_of_rows(const u32* __restrict__ starts, u64 segments, u64 n, u32* __restrict__ ids) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        u64 low = 0, high = segments;
        while (high - low > 1) {
            const u64 middle = low + (high - low) / 2;
            if (starts[middle] <= row) {
                low = middle;
            } else {
                high = middle;
            }
        }
        ids[row] = u32(low);
    }
}

// The place of the group of each of n rows of groups, one group after the other.
__global__ void __launch_bounds__(THREADS) places_in_order(ColumnDeviceView offsets, u64 n, u32* __restrict__ places) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        places[i] = u32(partition_point(0, offsets.len, [&](u64 place) { return offsets.value<u32>(place) > i; }));
    }
}

// Numbers, NONE where they are not below a bound.
__global__ void __launch_bounds__(THREADS)
    numbers_below(const u32* __restrict__ numbers, u64 n, u64 bound, u32* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u32 number = numbers[i];
        out[i] = number < bound ? number : NONE;
    }
}

// The group of each of `total` elements of lists, the only column: the id of its list; NONE for elements of null lists.
__global__ void __launch_bounds__(THREADS)
    elements_of_groups(const ColumnDeviceView* columns, const u32* __restrict__ ids, u64 total,
                       u32* __restrict__ out) {
    const ColumnDeviceView& lists = columns[0];
    const u64 step = u64(gridDim.x) * THREADS, base = lists.start(0);
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < total; i += step) {
        const u64 row = partition_point(0, lists.len, [&](u64 list) { return lists.start(list + 1) > base + i; });
        out[i] = row < lists.len && lists.is_valid(row) ? ids[row] : NONE;
    }
}

// The group of each row that is an element of the set of its group, NONE for others: rows that are the first with their
// value, as `first` has bits, and where they are no values that are equal, nulls and NaN.
__global__ void __launch_bounds__(THREADS)
    groups_of_elements(const u32* __restrict__ ids, ColumnDeviceView column, const u32* __restrict__ first,
                       bool with_nulls, bool nulls_equal, bool nans_equal, u32* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < column.len; row += step) {
        bool is_kept = (first[row / 32] >> row % 32 & 1) != 0;
        if (!column.is_valid(row)) {
            is_kept = with_nulls && (is_kept || !nulls_equal);
        } else if (!nans_equal && column.type_id == FLOAT32) {
            is_kept = is_kept || column.value<f32>(row) != column.value<f32>(row);
        } else if (!nans_equal && column.type_id == FLOAT64) {
            is_kept = is_kept || column.value<f64>(row) != column.value<f64>(row);
        }
        out[row] = is_kept ? ids[row] : NONE;
    }
}
