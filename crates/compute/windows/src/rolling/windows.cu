// Folds of the rows of windows. A node holds the fold of 16 neighbouring rows, a node of the next level that
// of 16 nodes, and so on: any window is a few rows at its ends and a few nodes of each level between, so
// windows of 10 000 rows cost a thread some 70 reads; its neighbours share most of them. The result of a
// window depends only on the window and the rows. THREADS comes from the declaration in cuda.rs.
#include "cuprum/order.cuh"
#include "cuprum/windows.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 NONE = ~0u;

inline u64 nodes_above(u64 count) { return (count + FAN - 1) / FAN; }

// ---- Folds of rows ---------------------------------------------------------------------------------------

enum How : u32 { TOTAL, MEAN, VARIANCE, ROOT, SKEWNESS, KURTOSIS, COVARIANCE, CORRELATION };

// The result that a kernel writes for a window, and its output memory.
struct Results {
    u32 how;
    i64 ddof;
    u64* wide;
    u32* narrow;
    u32* failed;
    bool in_halves;  // two words for each row

    __forceinline__ void put(u64 row, u64 bits) const {
        if (wide != nullptr) wide[row] = bits;
        if (narrow != nullptr) narrow[row] = u32(bits);
    }

    __forceinline__ void put_float(u64 row, f64 value) const {
        if (narrow != nullptr) {
            const f32 single = f32(value);
            u32 bits;
            memcpy(&bits, &single, sizeof(bits));
            narrow[row] = bits;
        } else {
            u64 bits;
            memcpy(&bits, &value, sizeof(bits));
            wide[row] = bits;
        }
    }

    __forceinline__ void put_nothing(u64 row, u64 bits) const {
        if (!in_halves) return put(row, bits);
        wide[2 * row] = bits;
        wide[2 * row + 1] = bits;
    }
};

// Sums of integers, which wrap.
struct WrappingSum {
    struct State {
        u64 sum;
    };
    static __forceinline__ State identity() { return {0}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64) {
        return {u64(i64(column.value<T>(row)))};
    }
    static __forceinline__ State combine(const State& a, const State& b) { return {a.sum + b.sum}; }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64) {
        out.put(row, state.sum);
        return true;
    }
};

// A sum of floats and its rounding errors: as exact as twice the digits.
struct PreciseSum {
    struct State {
        f64 sum, lost;
    };
    static __forceinline__ State identity() { return {0.0, 0.0}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64) {
        return {f64(column.value<T>(row)), 0.0};
    }
    // The sum and its rounding error (Knuth's `TwoSum`).
    static __forceinline__ State combine(const State& a, const State& b) {
        const f64 sum = a.sum + b.sum;
        const f64 part = sum - a.sum;
        const f64 error = (a.sum - (sum - part)) + (b.sum - part);
        return {sum, a.lost + b.lost + error};
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64 count) {
        // Infinities leave NaN in the rounding errors.
        const f64 total = isfinite(state.sum) ? state.sum + state.lost : state.sum;
        out.put_float(row, out.how == MEAN ? total / f64(count) : total);
        return true;
    }
};

// Sums of integers of up to 128 bits, exact or an error: of decimals and of times.
struct ExactSum {
    struct State {
        u64 low;
        i64 high;
        u64 fails;
    };
    static __forceinline__ __int128 value(const State& state) {
        return __int128(u64(state.high)) << 64 | __int128(state.low);
    }
    static __forceinline__ State identity() { return {0, 0, 0}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64) {
        if constexpr (sizeof(T) == 16) {
            return {column.value<u64>(column.offset + 2 * row), column.value<i64>(column.offset + 2 * row + 1), 0};
        } else {
            const i64 value = column.value<T>(row);
            return {u64(value), value >> 63, 0};
        }
    }
    static __forceinline__ State combine(const State& a, const State& b) {
        const u64 low = a.low + b.low, high = u64(a.high) + u64(b.high) + (low < a.low ? 1 : 0);
        // It has not the sign that both have.
        const bool over = ((u64(a.high) ^ high) & (u64(b.high) ^ high)) >> 63 != 0;
        return {low, i64(high), a.fails | b.fails | (over ? 1 : 0)};
    }

    // The mean with six digits more, to the nearest integer, halves to the even one; false where the sum does not fit with
    // them.
    static __forceinline__ bool mean_of_decimals(__int128& sum, u64 count) {
        const __int128 most = ~(__int128(1) << 127);
        if (sum > most / 1000000 || sum < (-most - 1) / 1000000) return false;
        sum *= 1000000;
        __int128 quotient = sum / count, rest = sum % __int128(count);
        if (rest < 0) {
            quotient -= 1;
            rest += count;
        }
        const __int128 other = __int128(count) - rest;
        sum = rest > other || (rest == other && (quotient & 1) != 0) ? quotient + 1 : quotient;
        return true;
    }

    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64 count) {
        __int128 result = value(state);
        bool fits = state.fails == 0;
        if (out.how == MEAN && out.in_halves) {
            fits = fits && mean_of_decimals(result, count);
        } else if (out.how == MEAN) {
            result /= __int128(count);
        }
        if (out.in_halves) {
            out.wide[2 * row] = u64(result);
            out.wide[2 * row + 1] = u64(result >> 64);
        } else {
            fits = fits && result == (out.wide != nullptr ? __int128(i64(result)) : __int128(i32(result)));
            out.put(row, u64(result));
        }
        if (!fits) atomicOr(out.failed, 1u);
        return true;
    }
};

// The number of values, their mean, and the sum of the squares of their deviations from it.
struct Spread {
    struct State {
        f64 count, mean, squares;
    };
    static __forceinline__ State identity() { return {0.0, 0.0, 0.0}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64) {
        const f64 value = f64(column.value<T>(row));
        // Infinities have no deviation.
        return {1.0, value, value - value};
    }
    // Chan, Golub and LeVeque (1979).
    static __forceinline__ State combine(const State& a, const State& b) {
        if (a.count == 0.0) return b;
        if (b.count == 0.0) return a;
        const f64 count = a.count + b.count;
        const f64 apart = b.mean - a.mean, share = b.count / count;
        return {count, a.mean + apart * share, a.squares + b.squares + apart * apart * a.count * share};
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64 count) {
        const f64 variance = state.squares / f64(__int128(count) - out.ddof);
        out.put_float(row, out.how == ROOT ? sqrt(variance) : variance);
        return true;
    }
};

// The number of values, their mean, and the sums of the second to fourth powers of their deviations.
struct Shape {
    struct State {
        f64 count, mean, m2, m3, m4;
    };
    static __forceinline__ State identity() { return {0.0, 0.0, 0.0, 0.0, 0.0}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64) {
        const f64 value = column.value<T>(row), own = value - value;
        return {1.0, value, own, own, own};
    }
    // Pebay (2008), as on the CPU.
    static __forceinline__ State combine(const State& a, const State& b) {
        if (a.count == 0.0) return b;
        if (b.count == 0.0) return a;
        const f64 n = a.count, m = b.count, count = n + m;
        const f64 apart = b.mean - a.mean, step = apart / count, squares = apart * step * n * m;
        const f64 m2 = a.m2 + b.m2 + squares;
        const f64 m3 = a.m3 + b.m3 + squares * step * (n - m) + 3.0 * step * (n * b.m2 - m * a.m2);
        const f64 m4 = a.m4 + b.m4 + squares * step * step * (n * n - n * m + m * m) +
                       6.0 * step * step * (n * n * b.m2 + m * m * a.m2) + 4.0 * step * (n * b.m3 - m * a.m3);
        return {count, a.mean + step * m, m2, m3, m4};
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64) {
        const f64 n = state.count, m2 = state.m2;
        f64 result = n * sqrt(n - 1.0) / (n - 2.0) * state.m3 / (m2 * sqrt(m2));
        if (out.how == KURTOSIS) {
            const f64 excess = n * (n + 1.0) * state.m4 / (m2 * m2) * (n - 1.0) - 3.0 * (n - 1.0) * (n - 1.0);
            result = excess / ((n - 2.0) * (n - 3.0));
        }
        out.put_float(row, m2 == 0.0 ? 0.0 : result);
        return m2 != 0.0;
    }
};

// Of pairs: how many there are, the means of both sides, and the sums of the products of their deviations.
struct CoSpread {
    struct State {
        f64 count, left, right, left_squares, right_squares, products;
    };
    static __forceinline__ State identity() { return {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64) {
        const u64 at = column.offset + 2 * row;
        const f64 left = column.value<f64>(at), right = column.value<f64>(at + 1);
        // Infinities have no deviation.
        const f64 x = left - left, y = right - right;
        return {1.0, left + x, right + y, x * x, y * y, x * y};
    }
    // Chan, Golub and LeVeque (1979), as on the CPU.
    static __forceinline__ State combine(const State& a, const State& b) {
        if (a.count == 0.0) return b;
        if (b.count == 0.0) return a;
        const f64 count = a.count + b.count, weight = a.count * b.count / count;
        const f64 x = b.left - a.left, y = b.right - a.right;
        return {count,
                a.left + x * b.count / count,
                a.right + y * b.count / count,
                a.left_squares + b.left_squares + x * x * weight,
                a.right_squares + b.right_squares + y * y * weight,
                a.products + b.products + x * y * weight};
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64 count) {
        if (out.how == COVARIANCE) {
            out.put_float(row, state.products / f64(__int128(count) - out.ddof));
            return true;
        }
        const f64 scale = sqrt(state.left_squares * state.right_squares);
        const f64 result = state.products / scale;
        // NaN, of infinite values, stays NaN.
        out.put_float(row, scale == 0.0 ? 0.0 : result > 1.0 ? 1.0 : result < -1.0 ? -1.0 : result);
        return scale != 0.0;
    }
};

// The row of the least value, the first of several; NaN is larger than all others. With all bits in `flip`, of the greatest.
struct Extreme {
    struct State {
        u64 key, row;
    };
    static __forceinline__ State identity() { return {~0ull, ~0ull}; }
    template <typename T>
    static __forceinline__ State load(const ColumnDeviceView& column, u64 row, u64 flip) {
        const T value = column.value<T>(row);
        return {(is_nan(value) ? ~0ull >> (64 - 8 * sizeof(T)) : ordered(value)) ^ flip, row};
    }
    static __forceinline__ State combine(const State& a, const State& b) {
        return b.key < a.key || (b.key == a.key && b.row < a.row) ? b : a;
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64) {
        out.put(row, state.row);
        return true;
    }
};

struct Decimal {
    u64 low, high;
};

// The fold of rows of a type.
template <typename T, typename F>
struct Of {
    using Value = T;
    using Fold = F;
};
using WrappingI32 = Of<i32, WrappingSum>;
using WrappingI64 = Of<i64, WrappingSum>;
using PreciseI32 = Of<i32, PreciseSum>;
using PreciseI64 = Of<i64, PreciseSum>;
using PreciseU64 = Of<u64, PreciseSum>;
using PreciseF32 = Of<f32, PreciseSum>;
using PreciseF64 = Of<f64, PreciseSum>;
using ExactI32 = Of<i32, ExactSum>;
using ExactI64 = Of<i64, ExactSum>;
using ExactDecimal = Of<Decimal, ExactSum>;
using SpreadI32 = Of<i32, Spread>;
using SpreadI64 = Of<i64, Spread>;
using SpreadU64 = Of<u64, Spread>;
using SpreadF32 = Of<f32, Spread>;
using SpreadF64 = Of<f64, Spread>;
using ShapeF64 = Of<f64, Shape>;
using PairF64 = Of<f64, CoSpread>;
using ExtremeI32 = Of<i32, Extreme>;
using ExtremeI64 = Of<i64, Extreme>;
using ExtremeU64 = Of<u64, Extreme>;
using ExtremeF32 = Of<f32, Extreme>;
using ExtremeF64 = Of<f64, Extreme>;

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
        return F::template load<typename Rows::Value>(column, row, flip);
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
        return valid.get(row) ? F::template load<typename Rows::Value>(column, row, flip) : F::identity();
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
