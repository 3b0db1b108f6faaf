// What the rows of windows come to, of any order of additions: a state for each row, and what two states come to together.
#pragma once
#include "cuprum/column.cuh"
#include "cuprum/order.cuh"

constexpr u32 NONE = ~0u;

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

    // The degrees of freedom of so many values. Numbers of 128 bits are slow, and rare.
    __forceinline__ f64 freedom(u64 count) const {
        constexpr i64 FAR = 1ll << 53;
        return -FAR < ddof && ddof < FAR ? f64(i64(count) - ddof) : f64(__int128(count) - ddof);
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
    static __forceinline__ State of(T value, u64) {
        return {u64(i64(value))};
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
    static __forceinline__ State of(T value, u64) {
        return {f64(value), 0.0};
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
    static __forceinline__ State of(T stored, u64) {
        const f64 value = f64(stored);
        // Infinities have no deviation.
        return {1.0, value, value - value};
    }
    static __forceinline__ State combine(const State& a, const State& b) {
        if (a.count == 0.0) return b;
        if (b.count == 0.0) return a;
        return combine_present(a, b, [](f64 part, f64 all) { return part / all; });
    }
    // The same of two that have values: Chan, Golub and LeVeque (1979). `share_of(part, all)` is a quotient.
    template <typename Share>
    static __forceinline__ State combine_present(const State& a, const State& b, Share share_of) {
        const f64 count = a.count + b.count;
        const f64 apart = b.mean - a.mean, share = share_of(b.count, count);
        return {count, a.mean + apart * share, a.squares + b.squares + apart * apart * a.count * share};
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64 count) {
        const f64 variance = state.squares / out.freedom(count);
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
    static __forceinline__ State of(T value, u64) {
        const f64 own = value - value;
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
            out.put_float(row, state.products / out.freedom(count));
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

// The smallest value, the first of several, of values that are given back themselves; NaN is larger than all others. With all
// bits in `flip`, the greatest.
template <typename T>
struct Smallest {
    struct State {
        u64 key, bits;
    };
    static __forceinline__ State identity() { return {~0ull, 0}; }
    template <typename V>
    static __forceinline__ State of(V value, u64 flip) {
        u64 bits = 0;
        memcpy(&bits, &value, sizeof(value));
        // No number has the key of NaN, and nothing but integers that of nothing.
        if constexpr (IS_FLOAT<V>) return {(is_nan(value) ? ~1ull : ordered(f64(value))) ^ flip, bits};
        return {ordered(value) ^ flip, bits};
    }
    static __forceinline__ State combine(const State& a, const State& b) {
        // Of integers, equal keys are equal values, unless one is nothing, which has no bits.
        if (!IS_FLOAT<T> && a.key == b.key) return {a.key, a.bits | b.bits};
        return b.key < a.key ? b : a;
    }
    static __forceinline__ bool write(const Results& out, u64 row, const State& state, u64) {
        out.put(row, state.bits);
        return true;
    }
};

// The fold of rows of a type, by their values.
template <typename T, typename F>
struct Of {
    using Value = T;
    using Fold = F;
    static __forceinline__ typename F::State load(const ColumnDeviceView& column, u64 row, u64 flip) {
        return F::of(column.value<T>(row), flip);
    }
};
// The fold of rows that it reads itself.
template <typename T, typename F>
struct OfRows {
    using Value = T;
    using Fold = F;
    static __forceinline__ typename F::State load(const ColumnDeviceView& column, u64 row, u64 flip) {
        return F::template load<T>(column, row, flip);
    }
};
using WrappingI32 = Of<i32, WrappingSum>;
using WrappingI64 = Of<i64, WrappingSum>;
using PreciseI32 = Of<i32, PreciseSum>;
using PreciseI64 = Of<i64, PreciseSum>;
using PreciseU64 = Of<u64, PreciseSum>;
using PreciseF32 = Of<f32, PreciseSum>;
using PreciseF64 = Of<f64, PreciseSum>;
using ExactI32 = OfRows<i32, ExactSum>;
using ExactI64 = OfRows<i64, ExactSum>;
using ExactDecimal = OfRows<Decimal, ExactSum>;
using SpreadI32 = Of<i32, Spread>;
using SpreadI64 = Of<i64, Spread>;
using SpreadU64 = Of<u64, Spread>;
using SpreadF32 = Of<f32, Spread>;
using SpreadF64 = Of<f64, Spread>;
using ShapeF64 = Of<f64, Shape>;
using PairF64 = OfRows<f64, CoSpread>;
using ExtremeI32 = OfRows<i32, Extreme>;
using ExtremeI64 = OfRows<i64, Extreme>;
using ExtremeU64 = OfRows<u64, Extreme>;
using ExtremeF32 = OfRows<f32, Extreme>;
using ExtremeF64 = OfRows<f64, Extreme>;
using SmallestI32 = Of<i32, Smallest<i32>>;
using SmallestI64 = Of<i64, Smallest<i64>>;
using SmallestU64 = Of<u64, Smallest<u64>>;
using SmallestF32 = Of<f32, Smallest<f32>>;
using SmallestF64 = Of<f64, Smallest<f64>>;
