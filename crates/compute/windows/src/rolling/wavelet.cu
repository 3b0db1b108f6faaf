// Places and numbers of values in windows of any length, in steps that depend on the number of different values alone: a
// wavelet matrix (Claude and Navarro 2012). Of each bit of the values' codes, the highest first, it has which of them are 0
// and how many of these there are before every 32 values; for the next bit, the values whose bit is 0 stand before the
// others. So the values of a window stay side by side, apart by their leading bits. THREADS comes from the declaration in
// wavelet.rs.
#include "cuprum/quantiles.cuh"
#include "cuprum/order.cuh"
#include "cuprum/windows.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 NONE = ~0u;

// ---- Making one -------------------------------------------------------------------------------------------

// The number of each 32 codes with a bit that is 0; one number more, which is 0.
__global__ void __launch_bounds__(THREADS)
    count_zeros(const u32* __restrict__ codes, u64 count, u32 bit, u32* __restrict__ zeros) {
    const u64 step = u64(gridDim.x) * THREADS, end = (count / WARP + 2) * WARP;
    for (u64 first = u64(blockIdx.x) * THREADS + warp_id() * WARP; first < end; first += step) {
        const u64 i = first + lane_id();
        const u32 bits = __ballot_sync(ALL_LANES, i < count && (codes[i] >> bit & 1) == 0);
        if (lane_id() == 0) zeros[first / WARP] = __popc(bits);
    }
}

// The entries of a bit, from `at` on: which of 32 codes have a 0 there, and in the upper half how many before them do, as
// `before` says, whose last number counts all. The codes with a 0 move before the others.
__global__ void __launch_bounds__(THREADS)
    split_codes(const u32* __restrict__ codes, u64 count, u32 bit, const u32* __restrict__ before, u64 at,
                u64* __restrict__ entries, u32* __restrict__ moved) {
    const u64 step = u64(gridDim.x) * THREADS, words = count / WARP + 1;
    const u64 all = before[words];
    for (u64 first = u64(blockIdx.x) * THREADS + warp_id() * WARP; first < words * WARP; first += step) {
        const u64 i = first + lane_id();
        const u32 code = i < count ? codes[i] : 0;
        const bool is_zero = i < count && (code >> bit & 1) == 0;
        const u32 bits = __ballot_sync(ALL_LANES, is_zero);
        const u64 zeros = before[first / WARP];
        if (lane_id() == 0) entries[at + first / WARP] = zeros << 32 | bits;
        const u64 own = zeros + __popc(bits & ((1u << lane_id()) - 1));
        if (i < count) moved[is_zero ? own : all + i - own] = code;
    }
}

// The numbers of runs of equal values as their codes, from 0 on: of values in their order, the one at `rows[i]` is in the
// run `runs[i]`.
__global__ void __launch_bounds__(THREADS)
    write_codes(const u32* __restrict__ rows, const u32* __restrict__ runs, u64 count, u32* __restrict__ codes) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < count; i += step) codes[rows[i]] = runs[i] - 1;
}

inline bool is_nan_at(const ColumnDeviceView& column, u64 row) {
    const f64 value = column.type_id == FLOAT32   ? f64(column.value<f32>(row))
                      : column.type_id == FLOAT64 ? column.value<f64>(row)
                                                  : 0.0;
    return value != value;
}

// Of each row the number, from 1 on, of the last one before it with its value; 0 where there is none, and for rows that
// equal nothing. `rows` are in the order of the values' numbers, those of one value ascending.
__global__ void __launch_bounds__(THREADS)
    write_previous(ColumnDeviceView column, const u32* __restrict__ ids, const u32* __restrict__ rows, bool nulls_equal,
                   bool nans_equal, u32* __restrict__ previous) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < column.len; i += step) {
        const u64 row = rows[i];
        bool has_equal = i > 0 && ids[i] == ids[i - 1];
        if (!nulls_equal && !column.is_valid(row)) has_equal = false;
        if (!nans_equal && column.is_valid(row) && is_nan_at(column, row)) has_equal = false;
        previous[row] = has_equal ? rows[i - 1] + 1 : 0;
    }
}

// ---- Asking one -------------------------------------------------------------------------------------------

struct Wavelet {
    const u64* entries;
    u64 count;
    u32 bits;

    // The number of the first `end` codes of a level with a 0 in its bit.
    __forceinline__ u64 zeros(u32 level, u64 end) const {
        const u64 entry = entries[level * (count / WARP + 1) + end / WARP];
        return (entry >> 32) + __popc(u32(entry) & ((1u << end % WARP) - 1));
    }

    // A part of a window: codes side by side on a level.
    struct Part {
        u64 start, end;
    };

    // Its codes with a 0, and those with a 1, on the next level.
    __forceinline__ void split(u32 level, const Part& part, Part& zero, Part& one) const {
        zero = {zeros(level, part.start), zeros(level, part.end)};
        const u64 all = zeros(level, count);
        one = {all + part.start - zero.start, all + part.end - zero.end};
    }

    // The code with the number `place` in the order of the codes of a part.
    __forceinline__ u32 at(u32 level, Part part, u64 place, u32 code) const {
        for (; level < bits; ++level) {
            Part zero, one;
            split(level, part, zero, one);
            const u64 number = zero.end - zero.start;
            const bool is_one = place >= number;
            if (is_one) place -= number;
            part = is_one ? one : zero;
            code = code << 1 | is_one;
        }
        return code;
    }

    // The codes with the numbers `place` and, where `both` are wanted, the next, in the order of the codes of a window.
    __forceinline__ void at_both(Part part, u64 place, bool both, u32& low, u32& high) const {
        u32 code = 0;
        for (u32 level = 0; level < bits; ++level) {
            Part zero, one;
            split(level, part, zero, one);
            const u64 number = zero.end - zero.start;
            if (place < number && place + both >= number) {
                low = at(level + 1, zero, place, code << 1);
                high = at(level + 1, one, 0, code << 1 | 1);
                return;
            }
            const bool is_one = place >= number;
            if (is_one) place -= number;
            part = is_one ? one : zero;
            code = code << 1 | is_one;
        }
        low = high = code;
    }

    // The number of a window's codes below one, and of those equal to it.
    __forceinline__ void around(Part part, u32 code, u64& below, u64& equal) const {
        below = 0;
        for (u32 level = 0; level < bits; ++level) {
            Part zero, one;
            split(level, part, zero, one);
            const bool is_one = (code >> (bits - 1 - level) & 1) != 0;
            if (is_one) below += zero.end - zero.start;
            part = is_one ? one : zero;
        }
        equal = part.end - part.start;
    }
};

// The quantile `q` of every window, null where it has fewer than `least` values, of which there is one at least. `values` are
// those of the codes.
__global__ void __launch_bounds__(THREADS)
    quantiles_of_windows(u64 rows, const u32* words, const u32* ranks, Array<const i32*, 2> narrow_sizes,
                         Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes, u64 least, const u64* entries, u64 count,
                         u32 bits, const f64* values, f64 q, u32 kind, f64* __restrict__ out, u32* mask) {
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, rows};
    const Wavelet wavelet = {entries, count, bits};
    write_mask<THREADS>(rows, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const Wavelet::Part part = {valid.before(start), valid.before(end)};
        if (part.end - part.start < least) {
            out[row] = 0.0;
            return false;
        }
        const Place place(q, part.end - part.start);
        u32 low, high;
        wavelet.at_both(part, place.lower, place.upper > place.lower && place.fraction != 0, low, high);
        // There is one zero.
        out[row] = place.of(kind, values[low] + 0.0, values[high] + 0.0);
        return true;
    });
}

// The rank of a value among `number`, of which so many are below it and so many equal; the method as `number_of` in
// sorting/cuda.rs numbers it.
inline f64 rank_of(u64 below, u64 equal, u64 number, u32 method, bool descending, bool as_share) {
    const u64 before = descending ? number - below - equal : below;
    f64 rank = f64(before) + (f64(equal) + 1.0) / 2.0;
    if (method == 1) rank = f64(before) + 1.0;
    if (method == 2) rank = f64(before + equal);
    return as_share ? rank / f64(number) : rank;
}

// The ranks of the last rows of all windows in them, null where these are.
__global__ void __launch_bounds__(THREADS)
    ranks_in_windows(u64 rows, const u32* words, const u32* ranks, Array<const i32*, 2> narrow_sizes,
                     Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes, u64 least, const u64* entries, u64 count,
                     u32 bits, const u32* codes, u32 method, bool descending, bool as_share, f64* __restrict__ out,
                     u32* mask) {
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, rows};
    const Wavelet wavelet = {entries, count, bits};
    write_mask<THREADS>(rows, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const Wavelet::Part part = {valid.before(start), valid.before(end)};
        const u64 number = part.end - part.start;
        if (number < least || start == end || !valid.get(end - 1)) {
            out[row] = 0.0;
            return false;
        }
        u64 before, equal;
        wavelet.around(part, codes[part.end - 1], before, equal);
        out[row] = rank_of(before, equal, number, method, descending, as_share);
        return true;
    });
}

// ---- Short windows ----------------------------------------------------------------------------------------

// Words of the order of numbers, every NaN the greatest; of those that are null any.
__global__ void __launch_bounds__(THREADS) write_keys(ColumnDeviceView column, u64* __restrict__ keys) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < column.len; row += step) {
        with_stored(column.type_id, [&](auto type) {
            using T = decltype(type);
            if constexpr (sizeof(T) <= 8) {
                const T value = column.value<T>(row);
                keys[row] = is_nan(value) ? ~0ull : ordered(value);
            }
        });
    }
}

// The number of a window's values below a key, and of those equal to it.
__forceinline__ void count_around(const Valid& valid, const u64* keys, u64 start, u64 end, u64 key, u64& below,
                                  u64& equal) {
    below = equal = 0;
    for (u64 row = start; row < end; ++row) {
        if (!valid.get(row)) continue;
        below += keys[row] < key;
        equal += keys[row] == key;
    }
}

// As `quantiles_of_windows`, by comparing the values of a window with each other.
__global__ void __launch_bounds__(THREADS)
    quantiles_of_short_windows(ColumnDeviceView column, const u64* __restrict__ keys, const u32* words, const u32* ranks,
                               Array<i64, 2> sizes, u64 least, f64 q, u32 kind, f64* __restrict__ out, u32* mask) {
    const Valid valid = {words, ranks};
    const Windows windows = {{}, {}, sizes, column.len};
    write_mask<THREADS>(column.len, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const u64 count = valid.before(end) - valid.before(start);
        if (count < least) {
            out[row] = 0.0;
            return false;
        }
        const Place place(q, count);
        u64 low = end, high = end;
        for (u64 other = start; other < end && (low == end || high == end); ++other) {
            if (!valid.get(other)) continue;
            u64 below, equal;
            count_around(valid, keys, start, end, keys[other], below, equal);
            if (below <= place.lower && place.lower < below + equal) low = other;
            if (below <= place.upper && place.upper < below + equal) high = other;
        }
        // Values that others have changed meanwhile may have no place.
        if (low == end || high == end) low = high = start;
        // There is one zero.
        out[row] = place.of(kind, number_at(column, low) + 0.0, number_at(column, high) + 0.0);
        return true;
    });
}

// As `ranks_in_windows`, by comparing the last value of a window with all of it.
__global__ void __launch_bounds__(THREADS)
    ranks_in_short_windows(u64 rows, const u64* __restrict__ keys, const u32* words, const u32* ranks,
                           Array<i64, 2> sizes, u64 least, u32 method, bool descending, bool as_share,
                           f64* __restrict__ out, u32* mask) {
    const Valid valid = {words, ranks};
    const Windows windows = {{}, {}, sizes, rows};
    write_mask<THREADS>(rows, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const u64 number = valid.before(end) - valid.before(start);
        if (number < least || start == end || !valid.get(end - 1)) {
            out[row] = 0.0;
            return false;
        }
        u64 below, equal;
        count_around(valid, keys, start, end, keys[end - 1], below, equal);
        out[row] = rank_of(below, equal, number, method, descending, as_share);
        return true;
    });
}

// ---- Different values -------------------------------------------------------------------------------------

// The number of distinct values of every window: of its rows, of all with `has_all` and of the valid ones
// else, that have no equal row before them in it. Codes are those of `write_previous`; without entries they
// are read one by one. 0, and null, where the window has fewer than `least` values, or rows with
// `counts_rows`.
__global__ void __launch_bounds__(THREADS)
    count_distinct(u64 rows, const u32* words, const u32* ranks, Array<const i32*, 2> narrow_sizes,
                   Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes, u64 least, const u32* previous,
                   const u64* entries, u64 count, u32 bits, bool has_all, bool counts_rows,
                   u64* __restrict__ numbers, u32* mask) {
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, rows};
    const Wavelet wavelet = {entries, count, bits};
    write_mask<THREADS>(rows, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const Wavelet::Part of_values = {valid.before(start), valid.before(end)};
        const Wavelet::Part part = has_all ? Wavelet::Part{start, end} : of_values;
        const bool is_there = (counts_rows ? end - start : of_values.end - of_values.start) >= least;
        u64 number = 0, equal;
        // The row before the window has the number `start`.
        if (is_there && entries == nullptr) {
            for (u64 i = part.start; i < part.end; ++i) number += previous[i] <= part.start;
        } else if (is_there && part.start < part.end) {
            wavelet.around(part, u32(part.start) + 1, number, equal);
        }
        numbers[row] = number;
        return is_there;
    });
}

// The rows of the values that no earlier row of a window has, one window's after the other's, which begin at `starts`; a
// warp for each window. Otherwise as `count_distinct`; `kept` are the valid rows. Sizes that others have changed meanwhile
// give NONE at worst.
__global__ void __launch_bounds__(THREADS)
    list_distinct(u64 rows, const u64* __restrict__ starts, const u32* kept, const u32* words, const u32* ranks,
                  Array<const i32*, 2> narrow_sizes, Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes,
                  const u32* __restrict__ previous, u32* __restrict__ found) {
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, rows};
    for (u64 row = u64(blockIdx.x) * WARPS + warp_id(); row < rows; row += u64(gridDim.x) * WARPS) {
        u64 at = starts[row];
        const u64 last = starts[row + 1];
        u64 start, end;
        windows.of(row, start, end);
        if (kept != nullptr) {
            start = valid.before(start);
            end = valid.before(end);
        }
        for (u64 first = start; first < end && at < last; first += WARP) {
            const u64 i = first + lane_id();
            const bool is_new = i < end && previous[i] <= start;
            const u32 bits = __ballot_sync(ALL_LANES, is_new);
            const u64 place = at + __popc(bits & ((1u << lane_id()) - 1));
            if (is_new && place < last) found[place] = kept == nullptr ? u32(i) : kept[i];
            at += __popc(bits);
        }
        for (u64 place = at + lane_id(); place < last; place += WARP) found[place] = NONE;
    }
}
