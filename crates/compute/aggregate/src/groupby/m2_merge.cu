// Counts, means and sums of squared deviations of parts, merged in the order of the rows of each group (Chan,
// Golub and LeVeque 1979). The constants come from the declaration in m2_merge.rs.
#include "cuprum/column.cuh"
#include "cuprum/running.cuh"

// The fields of parts: counts of 64 bits, means and squares; `parts` says which are there.
struct Parts {
    ColumnDeviceView parts, counts, means, squares;
};

// The counts of parts as floats, 0 for those that are missing; `failed` becomes 1 where one is below 0 or a field is null.
__global__ void __launch_bounds__(THREADS)
    look_at_parts(ColumnDeviceView parts, ColumnDeviceView counts, ColumnDeviceView means, ColumnDeviceView squares,
                  f64* __restrict__ numbers, u32* failed) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < parts.len; row += step) {
        const bool is_part = parts.is_valid(row);
        const i64 count = counts.value<i64>(row);
        numbers[row] = is_part ? f64(count) : 0.0;
        if (is_part && (count < 0 || !counts.is_valid(row) || !means.is_valid(row) || !squares.is_valid(row))) {
            atomicOr(failed, 1u);
        }
    }
}

struct Spread {
    struct State {
        u64 count;
        f64 mean, squares;
        u64 begins;  // a group begins among these rows
    };
    __forceinline__ State identity() const { return {0, 0.0, 0.0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        if (b.begins != 0) return b;
        State both = a.count == 0 ? b : a;
        both.begins = a.begins;
        if (a.count == 0 || b.count == 0) return both;
        const f64 n = f64(a.count), m = f64(b.count), apart = b.mean - a.mean;
        both.count = a.count + b.count;
        both.mean = a.mean + apart * m / (n + m);
        both.squares = a.squares + b.squares + apart * apart * (n * m / (n + m));
        return both;
    }
};

// The part at a place in the order of groups.
__forceinline__ Spread::State part_at(const Parts& parts, const u32* ids, const u32* rows, u64 i) {
    const u64 row = rows[i], begins = i == 0 || ids[i] != ids[i - 1];
    const u64 count = parts.parts.is_valid(row) ? parts.counts.value<u64>(row) : 0;
    // A part of nothing has no mean.
    if (count == 0) return {0, 0.0, 0.0, begins};
    return {count, parts.means.value<f64>(row), parts.squares.value<f64>(row), begins};
}

// The total of each tile, four words each; rows are in the order of `ids`.
__global__ void __launch_bounds__(THREADS)
    total_parts(ColumnDeviceView parts, ColumnDeviceView counts, ColumnDeviceView means, ColumnDeviceView squares,
                const u32* ids, const u32* rows, u64* totals) {
    const Parts all = {parts, counts, means, squares};
    total_of_tile<THREADS, ITEMS>(parts.len, Spread(), reinterpret_cast<Spread::State*>(totals),
                                  [&](u64 i) { return part_at(all, ids, rows, i); });
}

__global__ void __launch_bounds__(THREADS) run_over_parts(u64* totals, u64 tiles) {
    totals_before<THREADS, TILES>(reinterpret_cast<Spread::State*>(totals), tiles, Spread());
}

// Merges the parts of each group; nothing is written of groups without rows.
__global__ void __launch_bounds__(THREADS)
    write_parts(ColumnDeviceView parts, ColumnDeviceView counts, ColumnDeviceView means, ColumnDeviceView squares,
                const u32* ids, const u32* rows, const u64* totals, u64 groups, i64* __restrict__ out_counts,
                f64* __restrict__ out_means, f64* __restrict__ out_squares) {
    const Parts all = {parts, counts, means, squares};
    run_tile<THREADS, ITEMS>(
        parts.len, Spread(), reinterpret_cast<const Spread::State*>(totals),
        [&](u64 i) { return part_at(all, ids, rows, i); },
        [&](u64 i, const Spread::State&, const Spread::State& state) {
            const u64 group = ids[i];
            if (group >= groups || (i + 1 < parts.len && ids[i + 1] == group)) return;
            out_counts[group] = i64(state.count);
            out_means[group] = state.mean;
            out_squares[group] = state.squares;
        });
}
