// Folds of the rows of windows. A node holds the fold of 16 neighbouring rows, a node of the next level that
// of 16 nodes, and so on: any window is a few rows at its ends and a few nodes of each level between, so
// windows of 10 000 rows cost a thread some 70 reads; its neighbours share most of them. The result of a
// window depends only on the window and the rows. THREADS comes from the declaration in cuda.rs.
#include "cuprum/order.cuh"
#include "cuprum/window_folds.cuh"
#include "cuprum/windows.cuh"

constexpr u32 WARPS = THREADS / WARP;

inline u64 nodes_above(u64 count) { return (count + FAN - 1) / FAN; }

// ---- Nodes ------------------------------------------------------------------------------------------------

template <typename State>
__forceinline__ State shuffled_down(const State& state, u32 offset) {
    constexpr u32 WORDS = sizeof(State) / 8;
    u64 words[WORDS];
    memcpy(words, &state, sizeof(State));
#pragma unroll
    for (u32 w = 0; w < WORDS; ++w) words[w] = __shfl_down_sync(ALL_LANES, words[w], offset);
    State later;
    memcpy(&later, words, sizeof(State));
    return later;
}

// Writes the fold of each FAN of `count` states; all lanes of a warp take part.
template <typename F, typename Load>
__forceinline__ void write_nodes(u64 count, typename F::State* nodes, Load load) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 first = u64(blockIdx.x) * THREADS + warp_id() * WARP; first < count; first += step) {
        const u64 i = first + lane_id();
        typename F::State state = load(i);
#pragma unroll
        for (u32 offset = 1; offset < FAN; offset *= 2) state = F::combine(state, shuffled_down(state, offset));
        if (i % FAN == 0 && i < count) nodes[i / FAN] = state;
    }
}

// The nodes of the first level.
template <typename Rows>
__global__ void __launch_bounds__(THREADS) fold_rows(ColumnDeviceView column, const u32* words, u64 flip, u64* nodes) {
    using F = typename Rows::Fold;
    const Valid valid = {words, nullptr};
    write_nodes<F>(column.len, reinterpret_cast<typename F::State*>(nodes), [&](u64 row) {
        if (row >= column.len || !valid.get(row)) return F::identity();
        return Rows::load(column, row, flip);
    });
}

// The nodes of a level from those of the level below, which are `count` from `at` on.
template <typename F>
__global__ void __launch_bounds__(THREADS) fold_nodes(u64* nodes, u64 at, u64 count) {
    using State = typename F::State;
    State* const all = reinterpret_cast<State*>(nodes);
    write_nodes<F>(count, all + at + count, [&](u64 i) { return i < count ? all[at + i] : F::identity(); });
}

// The fold of the rows [start, end); windows longer than 2 FAN use nodes.
template <typename Rows>
__forceinline__ typename Rows::Fold::State fold_of(const ColumnDeviceView& column, const Valid& valid, u64 flip,
                                                   const u64* nodes, u64 start, u64 end) {
    using F = typename Rows::Fold;
    using State = typename F::State;
    const auto load = [&](u64 row) {
        return valid.get(row) ? Rows::load(column, row, flip) : F::identity();
    };
    State left = F::identity(), right = F::identity();
    if (nodes == nullptr || end - start <= 2 * FAN) {
        for (; start < end; ++start) left = F::combine(left, load(start));
        return left;
    }
    for (; start % FAN != 0; ++start) left = F::combine(left, load(start));
    while (end % FAN != 0) right = F::combine(load(--end), right);
    const State* level = reinterpret_cast<const State*>(nodes);
    for (u64 count = nodes_above(column.len);; count = nodes_above(count)) {
        start /= FAN;
        end /= FAN;
        if (end - start <= 2 * FAN) break;
        for (; start % FAN != 0; ++start) left = F::combine(left, level[start]);
        while (end % FAN != 0) right = F::combine(level[--end], right);
        level += count;
    }
    for (; start < end; ++start) left = F::combine(left, level[start]);
    return F::combine(left, right);
}

// The result of the window of every row, null where it has fewer than `least` values.
template <typename Rows>
__global__ void __launch_bounds__(THREADS)
    fold_windows(ColumnDeviceView column, const u32* words, const u32* ranks, Array<const i32*, 2> narrow_sizes,
                 Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes, u64 flip, const u64* nodes, u64 least, u32 how,
                 i64 ddof, bool in_halves, u64* wide, u32* narrow, u32* mask, u32* failed) {
    using F = typename Rows::Fold;
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, column.len};
    const Results out = {how, ddof, wide, narrow, failed, in_halves};
    write_mask<THREADS>(column.len, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const u64 count = valid.before(end) - valid.before(start);
        if (count < least) {
            out.put_nothing(row, IS_SAME<F, Extreme> ? NONE : 0);
            return false;
        }
        return F::write(out, row, fold_of<Rows>(column, valid, flip, nodes, start, end), count);
    });
}

// ---- Numbers and rows -------------------------------------------------------------------------------------

// Two columns side by side: the pairs of their values.
__global__ void __launch_bounds__(THREADS)
    side_by_side(ColumnDeviceView left, ColumnDeviceView right, f64* __restrict__ pairs) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < left.len; row += step) {
        pairs[2 * row] = left.value<f64>(row);
        pairs[2 * row + 1] = right.value<f64>(row);
    }
}

// A bit for each valid row.
__global__ void __launch_bounds__(THREADS) mark_valid(ColumnDeviceView column, u32* __restrict__ words) {
    write_mask<THREADS>(column.len, words, [&](u64 row) { return column.is_valid(row); });
}

// The functions of the rows of windows, numbered as `Asked` in cuda.rs.
enum Asked : u32 { COUNT_VALID, COUNT_ALL, ROW_NUMBER, NTH, NTH_VALID, NEIGHBOUR };

// A number for every row (`numbers`), or a row or NONE (`found`); null where the window has fewer than `least` rows. `n` is
// the place in the window, or how far the neighbour is away.
__global__ void __launch_bounds__(THREADS)
    look_at_windows(u64 rows, const u32* words, const u32* ranks, Array<const i32*, 2> narrow_sizes,
                    Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes, u64 least, u32 asked,
                    i64 n, i64* numbers, u32* found, u32* mask) {
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, rows};
    write_mask<THREADS>(rows, mask, [&](u64 row) {
        u64 start, end;
        windows.of(row, start, end);
        const bool enough = end - start >= least;
        const u64 first = valid.before(start), count = valid.before(end) - first;
        bool is_there = enough;
        i64 number = 0;
        u64 other = NONE;
        switch (asked) {
            case COUNT_VALID: number = count; break;
            case COUNT_ALL: number = end - start; break;
            case ROW_NUMBER:
                is_there = enough && start <= row && row < end;
                number = row + 1 - start;
                break;
            case NTH:
            case NTH_VALID: {
                const i64 all = asked == NTH ? end - start : count;
                const i64 place = n < 0 ? all + n : n;
                if (enough && place >= 0 && place < all) {
                    other = asked == NTH ? start + place : valid.row_of(first + place, start, end);
                }
                break;
            }
            default: {
                const __int128 at = __int128(row) + n;
                if (enough && at >= __int128(start) && at < __int128(end)) other = u64(at);
            }
        }
        if (numbers != nullptr) numbers[row] = is_there ? number : 0;
        if (found != nullptr) found[row] = u32(other);
        return is_there;
    });
}

// The rows of all windows, one window's after the other's, which begin at `starts`; `kept` are the valid rows where the
// others are left out. Sizes that others have changed meanwhile give NONE at worst.
__global__ void __launch_bounds__(THREADS)
    list_windows(u64 rows, const u64* __restrict__ starts, u64 total, const u32* kept, const u32* words, const u32* ranks,
                 Array<const i32*, 2> narrow_sizes, Array<const i64*, 2> wide_sizes, Array<i64, 2> sizes,
                 u32* __restrict__ found) {
    const Valid valid = {words, ranks};
    const Windows windows = {narrow_sizes, wide_sizes, sizes, rows};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < total; i += step) {
        const u64 row = piece_at(starts, 0, rows, i);
        u64 start, end;
        windows.of(row, start, end);
        const u64 place = i - starts[row], first = kept == nullptr ? start : valid.before(start);
        const u64 count = kept == nullptr ? end - start : valid.before(end) - first;
        found[i] = place >= count ? NONE : kept == nullptr ? u32(start + place) : kept[first + place];
    }
}

// ---- Sizes of windows -------------------------------------------------------------------------------------

// Groups of rows side by side, which begin at `starts`.
struct Groups {
    const u64* starts;
    u64 groups, rows;

    // The rows [start, end) of the group of a row.
    __forceinline__ void of(u64 row, u64& start, u64& end) const {
        const u64 group = piece_at(starts, 0, groups, row);
        start = starts[group];
        end = group + 1 < groups ? starts[group + 1] : rows;
    }
};

// So many rows before the end of each row and behind it, cut at the ends of its group.
template <typename I>
__global__ void __launch_bounds__(THREADS)
    windows_of_groups(const u64* starts, u64 groups, u64 rows, Array<i64, 2> sizes, I* __restrict__ before,
                      I* __restrict__ behind) {
    const Groups all = {starts, groups, rows};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < rows; row += step) {
        u64 first, last;
        all.of(row, first, last);
        u64 start, end;
        Windows::cut(row, sizes.at[0], sizes.at[1], i64(first), i64(last), start, end);
        before[row] = I(i64(row + 1 - start));
        behind[row] = I(i64(end - row - 1));
    }
}

// The position of a limit: below all possible keys, at a key, or above all.
enum Limit : i32 { BELOW = -1, AT = 0, ABOVE = 1 };

// Integers of up to 64 bits that fit signed ones, or words of the order of values; ascending.
struct NarrowKeys {
    using Key = i64;
    ColumnDeviceView column;
    bool descending, by_order;
    Array<u64, 4> reach;

    __forceinline__ Key get(u64 row) const {
        Key key = 0;
        with_stored(column.type_id, [&](auto type) {
            using T = decltype(type);
            if constexpr (sizeof(T) <= 8) {
                const T value = column.value<T>(row);
                key = by_order ? Key((is_nan(value) ? ~0ull : ordered(value)) ^ 1ull << 63) : Key(value);
            }
        });
        // The order turned round, without a number that has no opposite.
        return descending ? ~key : key;
    }

    __forceinline__ bool no_more(Key a, Key b) const { return a <= b; }

    template <u32 SIDE>
    __forceinline__ Limit limit(Key key, Key& at) const {
        const i64 by = i64(reach.at[2 * SIDE]);
        at = i64(u64(key) + u64(by));
        if (by >= 0) return at < key ? ABOVE : AT;
        return at > key ? BELOW : AT;
    }
};

// Integers of up to 128 bits.
struct WideKeys {
    using Key = __int128;
    ColumnDeviceView column;
    bool descending, by_order;
    Array<u64, 4> reach;

    __forceinline__ Key get(u64 row) const {
        Key key = 0;
        with_stored(column.type_id, [&](auto type) {
            using T = decltype(type);
            const T value = column.value<T>(row);
            if constexpr (sizeof(T) == 16) {
                key = Key(u64(value.high)) << 64 | Key(value.low);
            } else {
                key = Key(value);
            }
        });
        return descending ? ~key : key;
    }

    __forceinline__ bool no_more(Key a, Key b) const { return a <= b; }

    template <u32 SIDE>
    __forceinline__ Limit limit(Key key, Key& at) const {
        const Key by = Key(reach.at[2 * SIDE + 1]) << 64 | Key(reach.at[2 * SIDE]);
        const Key least = Key(1) << 127;
        if (by > 0 && key > ~least - by) return ABOVE;
        if (by < 0 && key < least - by) return BELOW;
        at = key + by;
        return AT;
    }
};

// Floats, among which NaN is larger than every number; ascending.
struct FloatKeys {
    using Key = f64;
    ColumnDeviceView column;
    bool descending, by_order;
    Array<u64, 4> reach;

    __forceinline__ Key get(u64 row) const {
        const f64 value = column.type_id == FLOAT32 ? f64(column.value<f32>(row)) : column.value<f64>(row);
        return descending ? -value : value;
    }

    __forceinline__ bool no_more(Key a, Key b) const { return a <= b || is_nan(descending ? a : b); }

    template <u32 SIDE>
    __forceinline__ Limit limit(Key key, Key& at) const {
        f64 by;
        memcpy(&by, reach.at + 2 * SIDE, sizeof(by));
        at = key + by;
        return AT;
    }
};

// The first row of [low, high) that `is_behind` holds for, as it then does for all behind it; nearer to `row`, one of them,
// it is found sooner.
template <typename Test>
__forceinline__ u64 first_near(u64 row, u64 low, u64 high, Test is_behind) {
    if (is_behind(row)) {
        u64 end = row;
        for (u64 step = 1;; step *= 2) {
            if (end - low < step) return partition_point(low, end, is_behind);
            if (!is_behind(end - step)) return partition_point(end - step + 1, end, is_behind);
            end -= step;
        }
    }
    u64 begin = row + 1;
    for (u64 step = 1;; step *= 2) {
        if (high - begin < step) return partition_point(begin, high, is_behind);
        if (is_behind(begin + step - 1)) return partition_point(begin, begin + step - 1, is_behind);
        begin += step;
    }
}

// The bound of a window on one side, numbered as `Bound` in device_ranges.rs.
enum Bound : u32 { UNBOUNDED, CLOSED, OPEN };

// The windows of rows near each row, in its group: a row that its group is not sorted at makes `unsorted` less.
template <typename I, typename Keys>
__global__ void __launch_bounds__(THREADS)
    windows_of_ranges(ColumnDeviceView column, const u32* words, const u32* ranks, const u64* starts, u64 groups,
                      bool nulls_first, bool descending, bool by_order, u32 start_bound, u32 end_bound,
                      Array<u64, 4> reach, I* __restrict__ before, I* __restrict__ behind, u64* unsorted) {
    const Valid valid = {words, ranks};
    const Groups all = {starts, groups, column.len};
    const Keys keys = {column, descending, by_order, reach};
    using Key = typename Keys::Key;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < column.len; row += step) {
        u64 first, last;
        all.of(row, first, last);
        // The rows that are not null, if all nulls are where they should be.
        const u64 count = valid.before(last) - valid.before(first);
        const u64 low = nulls_first ? last - count : first, high = low + count;
        const bool has_value = low <= row && row < high;
        bool fits = valid.get(row) == has_value;
        u64 start = nulls_first ? first : high, end = nulls_first ? low : last;
        if (has_value) {
            const Key own = keys.get(row);
            if (low < row && !keys.no_more(keys.get(row - 1), own)) fits = false;
            Key least = own, most = own;
            const Limit of_start = keys.template limit<0>(own, least), of_end = keys.template limit<1>(own, most);
            start = of_start == BELOW ? low : high;
            if (of_start == AT && start_bound != UNBOUNDED) {
                start = first_near(row, low, high, [&](u64 other) {
                    const Key key = keys.get(other);
                    return start_bound == OPEN ? !keys.no_more(key, least) : keys.no_more(least, key);
                });
            }
            end = of_end == BELOW ? low : high;
            if (of_end == AT && end_bound != UNBOUNDED) {
                end = first_near(row, low, high, [&](u64 other) {
                    const Key key = keys.get(other);
                    return end_bound == OPEN ? keys.no_more(most, key) : !keys.no_more(key, most);
                });
            }
        }
        if (start_bound == UNBOUNDED) start = first;
        if (end_bound == UNBOUNDED) end = last;
        if (end < start) end = start;
        before[row] = I(i64(row + 1 - start));
        behind[row] = I(i64(end - row - 1));
        if (!fits) atomicMin(unsorted, row);
    }
}
