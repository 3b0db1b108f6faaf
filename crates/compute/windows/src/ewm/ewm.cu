// Exponentially weighted means and covariances of the rows up to each: the state of rows is a mean with a
// weight, which fades by as much as all rows behind have it fade. The constants come from the declaration in
// cuda.rs.
#include "cuprum/order.cuh"
#include "cuprum/running.cuh"

constexpr u32 NONE = ~0u;

// The decay of weights, as `Weights` in cuda.rs has it.
struct Weights {
    f64 fade, alpha;
    u32 adjust, ignore_missing, of_times;
    u32 unused;
};

// Two columns of numbers, or one twice; a row is missing where a value of it is (null or NaN).
struct Rows {
    ColumnDeviceView left, right;

    __forceinline__ bool get(u64 row, f64& x, f64& y) const {
        x = number_at(left, row);
        y = number_at(right, row);
        return left.is_valid(row) && right.is_valid(row) && x == x && y == y;
    }
};

// 1 for each row that is missing.
__global__ void __launch_bounds__(THREADS)
    mark_missing(ColumnDeviceView left, ColumnDeviceView right, u8* __restrict__ missing) {
    const Rows rows = {left, right};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < left.len; row += step) {
        f64 x, y;
        missing[row] = !rows.get(row, x, y);
    }
}

// The last row with a value up to each, and by how much weights fade, and what a new value weighs, so many rows behind the last
// one: powers and quotients for each row would take longer than all else.
struct Gaps {
    const u32* latest;
    const f64* shares;
};

// By how much all before a row fades with it, and its own weight. Adjusted weights are 1 for a new value; others are parts
// of 1, which depend on the rows since the last value.
__forceinline__ void weigh(const Weights& weights, const Gaps& gaps, u64 row, bool is_there, f64& fade, f64& weight) {
    if (weights.adjust != 0) {
        fade = is_there || weights.ignore_missing == 0 ? weights.fade : 1.0;
        weight = is_there ? 1.0 : 0.0;
        return;
    }
    fade = 1.0;
    weight = 0.0;
    if (!is_there) return;
    const u32 last = row > 0 ? gaps.latest[row - 1] : NONE;
    if (last == NONE) {
        fade = 0.0;
        weight = 1.0;
        return;
    }
    const u64 gap = weights.ignore_missing != 0 ? 1 : row - last;
    if (gap < GAPS) {
        fade = gaps.shares[2 * gap];
        weight = gaps.shares[2 * gap + 1];
        return;
    }
    const f64 left = pow(weights.fade, f64(gap));
    const f64 next = weights.of_times != 0 ? 1.0 - left : weights.alpha;
    fade = left / (left + next);
    weight = next / (left + next);
}

// The mean of two parts with weights; of equal ones the same without rounding.
__forceinline__ f64 mean_of(f64 a, f64 weight_a, f64 b, f64 weight_b) {
    if (a == b) return a;
    const f64 all = weight_a + weight_b;
    if (all == 0.0) return b;
    // An infinite value whose weight is 0 is still infinite.
    const f64 part = weight_a == 0.0 && (a - a) != 0.0 ? a : weight_a * a;
    return (part + weight_b * b) / all;
}

struct Mean {
    struct State {
        f64 fade, weight, mean;
        u64 count;
    };
    __forceinline__ State identity() const { return {1.0, 0.0, 0.0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        const f64 fade = a.fade * b.fade, before = a.weight * b.fade;
        if (b.count == 0) return {fade, before, a.mean, a.count};
        if (a.count == 0) return {fade, b.weight, b.mean, b.count};
        return {fade, before + b.weight, mean_of(a.mean, before, b.mean, b.weight), a.count + b.count};
    }
    static __forceinline__ State load(const Rows& rows, const Weights& weights, const Gaps& gaps, u64 row) {
        f64 x, y, fade, weight;
        const bool is_there = rows.get(row, x, y);
        weigh(weights, gaps, row, is_there, fade, weight);
        return {fade, weight, is_there ? x : 0.0, is_there};
    }
    // The mean, or the sum.
    static __forceinline__ bool result(const State& state, const Weights&, u64, u32 how, f64& out) {
        out = how == 1 ? state.mean * state.weight : state.mean;
        return true;
    }
};

struct Covariance {
    struct State {
        f64 fade, weight, squares, left, right, covariance;
        u64 count;
    };
    __forceinline__ State identity() const { return {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        State both = a.count == 0 ? b : a;
        const f64 before = a.weight * b.fade, all = before + b.weight;
        both.fade = a.fade * b.fade;
        both.weight = all;
        both.squares = a.squares * (b.fade * b.fade) + b.squares;
        both.count = a.count + b.count;
        if (a.count == 0 || b.count == 0) return both;
        both.left = mean_of(a.left, before, b.left, b.weight);
        both.right = mean_of(a.right, before, b.right, b.weight);
        const f64 share = all == 0.0 ? 1.0 : b.weight / all;
        const f64 apart = (b.left - a.left) * (b.right - a.right) * share * (1.0 - share);
        const f64 covariance = mean_of(a.covariance, before, b.covariance, b.weight) + apart;
        // Infinities have no deviation.
        both.covariance = covariance + (covariance - covariance);
        return both;
    }
    static __forceinline__ State load(const Rows& rows, const Weights& weights, const Gaps& gaps, u64 row) {
        f64 x, y, fade, weight;
        const bool is_there = rows.get(row, x, y);
        weigh(weights, gaps, row, is_there, fade, weight);
        return {fade, weight, weight * weight, is_there ? x : 0.0, is_there ? y : 0.0, 0.0, is_there};
    }
    // With a bias (`how` 0), or corrected for the weights; one value has no such.
    static __forceinline__ bool result(const State& state, const Weights& weights, u64 gap, u32 how, f64& out) {
        out = state.covariance;
        if (how == 0) return true;
        f64 weight = state.weight, squares = state.squares;
        if (weights.adjust == 0 && weights.ignore_missing == 0 && gap > 0) {
            const f64 fade = pow(weights.fade, f64(gap));
            weight *= fade;
            squares *= fade * fade;
        }
        const f64 freedom = weight * weight - squares;
        out *= weight * weight / freedom;
        return state.count > 1 && freedom > 0.0;
    }
};

template <typename Op>
__global__ void __launch_bounds__(THREADS)
    total_weighted(ColumnDeviceView left, ColumnDeviceView right, Weights weights, const u32* latest, const f64* shares,
                   u64* totals) {
    const Rows rows = {left, right};
    const Gaps gaps = {latest, shares};
    total_of_tile<THREADS, ITEMS>(left.len, Op(), reinterpret_cast<typename Op::State*>(totals),
                                  [&](u64 row) { return Op::load(rows, weights, gaps, row); });
}

template <typename Op>
__global__ void __launch_bounds__(THREADS) run_over_weighted(u64* totals, u64 tiles) {
    totals_before<THREADS, TILES>(reinterpret_cast<typename Op::State*>(totals), tiles, Op());
}

// The result of the rows up to each; null of fewer values than `least`.
template <typename Op>
__global__ void __launch_bounds__(THREADS)
    write_weighted(ColumnDeviceView left, ColumnDeviceView right, Weights weights, const u32* latest, const f64* shares,
                   const u64* totals, u64 least, u32 how, f64* __restrict__ out, u8* __restrict__ valid) {
    using State = typename Op::State;
    const Rows rows = {left, right};
    const Gaps gaps = {latest, shares};
    run_tile<THREADS, ITEMS>(
        left.len, Op(), reinterpret_cast<const State*>(totals),
        [&](u64 row) { return Op::load(rows, weights, gaps, row); },
        [&](u64 row, const State&, const State& state) {
            const u64 gap = latest != nullptr && latest[row] != NONE ? row - latest[row] : 0;
            f64 result = 0.0;
            const bool is_there = state.count >= least && Op::result(state, weights, gap, how, result);
            out[row] = is_there ? result : 0.0;
            valid[row] = is_there;
        });
}

// Rows at times: a weight is multiplied by `fade` for each `half_life` between two rows.
struct Times {
    ColumnDeviceView times;
    f64 fade, half_life;

    // The remaining share of a weight from one row to another.
    __forceinline__ f64 between(u64 from, u64 to) const {
        const i64 passed = i64(times.value<u64>(to) - times.value<u64>(from));
        return pow(fade, f64(passed) / half_life);
    }
};

// The product of two factors by which weights fade. It stays a positive finite number where both factors are: zero times an
// infinite sum would be NaN, which the CPU, which fades row by row, does not get.
__forceinline__ f64 faded_twice(f64 a, f64 b) {
    constexpr f64 GREATEST = 1.7976931348623157e308, LEAST = 4.9406564584124654e-324;
    const f64 both = a * b;
    if (both == 0.0 && a != 0.0 && b != 0.0) return LEAST;
    if (both - both != 0.0 && a - a == 0.0 && b - b == 0.0) return GREATEST;
    return both;
}

// Means at times: sums of values and of weights as of the last value, which rows behind it leave as they are.
struct AtTimes {
    struct State {
        f64 lead, within, trail;  // what weights fade by up to the first value, from that to the last one, and behind it
        f64 total, weight;
        u64 count;
    };
    __forceinline__ State identity() const { return {1.0, 1.0, 1.0, 0.0, 0.0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        State both = a;
        if (b.count == 0) {
            (a.count == 0 ? both.lead : both.trail) = faded_twice(a.count == 0 ? a.lead : a.trail, b.lead);
            return both;
        }
        if (a.count == 0) {
            both = b;
            both.lead = faded_twice(a.lead, b.lead);
            return both;
        }
        const f64 left = faded_twice(faded_twice(a.trail, b.lead), b.within);
        both.within = faded_twice(a.within, left);
        both.trail = b.trail;
        both.total = a.total * left + b.total;
        both.weight = a.weight * left + b.weight;
        both.count = a.count + b.count;
        return both;
    }
    // `latest` has the last row with a value up to each, where weights are not adjusted.
    static __forceinline__ State load(const Rows& rows, const Times& at, const Weights& weights, const u32* latest,
                                      u64 row) {
        f64 x, y;
        const bool is_there = rows.get(row, x, y);
        if (weights.adjust != 0) {
            const f64 fade = row == 0 || (!is_there && weights.ignore_missing != 0) ? 1.0 : at.between(row - 1, row);
            return {fade, 1.0, 1.0, is_there ? x : 0.0, is_there ? 1.0 : 0.0, is_there};
        }
        if (!is_there) return {1.0, 1.0, 1.0, 0.0, 0.0, 0};
        const u32 last = row > 0 ? latest[row - 1] : NONE;
        if (last == NONE) return {0.0, 1.0, 1.0, x, 1.0, 1};
        const f64 left = at.between(weights.ignore_missing != 0 ? row - 1 : last, row);
        const f64 next = weights.of_times != 0 ? 1.0 - left : weights.alpha, all = left + next;
        return {left / all, 1.0, 1.0, next * x / all, next / all, 1};
    }
};

__global__ void __launch_bounds__(THREADS)
    total_at_times(ColumnDeviceView column, ColumnDeviceView times, f64 half_life, Weights weights, const u32* latest,
                   u64* totals) {
    const Rows rows = {column, column};
    const Times at = {times, weights.fade, half_life};
    total_of_tile<THREADS, ITEMS>(column.len, AtTimes(), reinterpret_cast<AtTimes::State*>(totals),
                                  [&](u64 row) { return AtTimes::load(rows, at, weights, latest, row); });
}

__global__ void __launch_bounds__(THREADS) run_over_times(u64* totals, u64 tiles) {
    totals_before<THREADS, TILES>(reinterpret_cast<AtTimes::State*>(totals), tiles, AtTimes());
}

// The mean of the rows up to each; null of fewer values than `least`.
__global__ void __launch_bounds__(THREADS)
    write_at_times(ColumnDeviceView column, ColumnDeviceView times, f64 half_life, Weights weights, const u32* latest,
                   const u64* totals, u64 least, f64* __restrict__ out, u8* __restrict__ valid) {
    const Rows rows = {column, column};
    const Times at = {times, weights.fade, half_life};
    run_tile<THREADS, ITEMS>(
        column.len, AtTimes(), reinterpret_cast<const AtTimes::State*>(totals),
        [&](u64 row) { return AtTimes::load(rows, at, weights, latest, row); },
        [&](u64 row, const AtTimes::State&, const AtTimes::State& state) {
            const bool is_there = state.count >= least;
            out[row] = is_there ? state.total / state.weight : 0.0;
            valid[row] = is_there;
        });
}
