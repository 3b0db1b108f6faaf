// Folds of windows of one size of few rows. Rows stand in runs of neighbours, no longer than a window, one for each thread. What
// each row and those behind it in its run come to is in shared memory, and so a window is one of these states, whole runs between,
// whose fold its neighbours share, and the rows up to its last one: four additions for each row, whatever the size. THREADS comes
// from the declaration in short_windows.rs.
//
// A thread has the windows that end in its run. The result of a window depends on its rows and on where they are.
#include "cuprum/window_folds.cuh"
#include "cuprum/windows.cuh"

// A fold as it is in a block: of any states, or of such that have values.
template <typename F>
struct InBlock {
    using State = typename F::State;
    static constexpr bool HAS_TABLE = false;
    __forceinline__ explicit InBlock(const f64*) {}
    template <bool ALL_PRESENT>
    __forceinline__ State combine(const State& a, const State& b) const {
        return F::combine(a, b);
    }
    // The same where numbers of values follow from the code.
    template <bool ALL_PRESENT>
    __forceinline__ State combine_next(const State& a, const State& b) const {
        return F::combine(a, b);
    }
};

// Spreads have the inverses of the numbers of rows in a table: dividing takes longer than all else.
template <>
struct InBlock<Spread> {
    using State = Spread::State;
    static constexpr bool HAS_TABLE = true;
    const f64* inverses;
    __forceinline__ explicit InBlock(const f64* inverses) : inverses(inverses) {}
    template <bool ALL_PRESENT>
    __forceinline__ State combine(const State& a, const State& b) const {
        if (!ALL_PRESENT && a.count == 0.0) return b;
        if (!ALL_PRESENT && b.count == 0.0) return a;
        return Spread::combine_present(a, b, [&](f64 part, f64 all) { return part * inverses[u32(all)]; });
    }
    template <bool ALL_PRESENT>
    __forceinline__ State combine_next(const State& a, const State& b) const {
        if constexpr (!ALL_PRESENT) return combine<false>(a, b);
        return Spread::combine_present(a, b, [](f64 part, f64 all) { return part / all; });
    }
};

// The lengths of runs.
struct FourRows {
    static constexpr u32 ROWS = 4;
};
struct EightRows {
    static constexpr u32 ROWS = 8;
};

// Where a row of a tile is in shared memory, counted from as many rows before it as its windows reach back. There is a gap
// behind each run: threads are as far apart as their runs, and would meet in one bank.
template <u32 RUN>
__forceinline__ u32 slot(u32 place) {
    return place + place / RUN;
}

// A tile of a block. A place stands for the window of a row, and for the last row of that.
template <typename Rows, u32 RUN>
struct Tile {
    using F = typename Rows::Fold;
    using T = typename Rows::Value;
    using State = typename F::State;
    static constexpr u32 PLACES = THREADS * RUN;

    const ColumnDeviceView& column;
    const Valid valid;
    const Windows windows;
    const Results out;  // to shared memory
    const u64 flip, least;
    const u32 size, reach;     // of a window; places before the tile, in whole runs
    const u64 first_row;       // of the first place; numbers before row 0 are large ones
    const u64 first_window;    // that of the first place of the tile
    const InBlock<F> fold;
    State* const behind;       // for each place, its row and those behind it in the run
    u64* const values;         // of the rows, then results

    // The state of a place.
    template <bool ALL_PRESENT>
    __forceinline__ State load(u32 place) const {
        const u64 row = first_row + place;
        if (!ALL_PRESENT && (row >= column.len || !valid.get(row))) return F::identity();
        T value;
        memcpy(&value, values + slot<RUN>(place), sizeof(value));
        return F::of(value, flip);
    }

    // What the rows of a run and those behind them come to.
    template <bool ALL_PRESENT>
    __forceinline__ void fold_run(u32 run) const {
        State state = load<ALL_PRESENT>(run * RUN + RUN - 1);
        behind[slot<RUN>(run * RUN + RUN - 1)] = state;
#pragma unroll
        for (u32 k = RUN - 1; k > 0; --k) {
            state = fold.template combine_next<ALL_PRESENT>(load<ALL_PRESENT>(run * RUN + k - 1), state);
            behind[slot<RUN>(run * RUN + k - 1)] = state;
        }
    }

    // The windows of a thread's run: their results, and a bit for each that has one.
    template <bool ALL_PRESENT>
    __forceinline__ u32 fold_windows() const {
        const u32 own = reach + threadIdx.x * RUN, own_run = own / RUN;
        // Windows begin in two runs side by side.
        const u32 start = own + 1 - size, begun = start / RUN, into = start % RUN;
        // What is between the second of them and the own one, and between the first and the own one.
        State next = F::identity(), between = F::identity();
        const bool has_next = begun + 2 < own_run;
        bool has_between = begun + 1 < own_run;
        if (has_next) next = behind[slot<RUN>((begun + 2) * RUN)];
        for (u32 run = begun + 3; run < own_run; ++run) {
            next = fold.template combine<ALL_PRESENT>(next, behind[slot<RUN>(run * RUN)]);
        }
        if (has_between) {
            between = behind[slot<RUN>((begun + 1) * RUN)];
            if (has_next) between = fold.template combine<ALL_PRESENT>(between, next);
        }
        const State* const from = behind + slot<RUN>(start);
        State ahead = F::identity();
        u32 bits = 0;
#pragma unroll
        for (u32 k = 0; k < RUN; ++k) {
            const State last = load<ALL_PRESENT>(own + k);
            ahead = k == 0 ? last : fold.template combine_next<ALL_PRESENT>(ahead, last);
            if (into + k == RUN) {
                between = next;
                has_between = has_next;
            }
            const u32 is_second = into + k >= RUN;
            State state = from[k + is_second];
            // A window may be its thread's run.
            if (begun + is_second < own_run) {
                if (has_between) state = fold.template combine<ALL_PRESENT>(state, between);
                state = fold.template combine<ALL_PRESENT>(state, ahead);
            }
            u64 count = size;
            if constexpr (!ALL_PRESENT) {
                const u64 row = first_window + (threadIdx.x * RUN + k);
                if (row >= column.len) break;
                u64 begin, end;
                windows.of(row, begin, end);
                count = valid.before(end) - valid.before(begin);
            }
            // A half of a place for narrow results.
            const u64 at = out.narrow != nullptr ? 2 * slot<RUN>(own + k) : slot<RUN>(own + k);
            if (count < least) {
                out.put_nothing(at, 0);
            } else {
                bits |= u32(F::write(out, at, state, count)) << k;
            }
        }
        return bits;
    }
};

// The results of all rows; windows are of `sizes`, which come to RUN rows at least. `reach` is as many rows, in whole runs, as a
// window has before its last one.
template <typename Rows, typename Run>
__global__ void __launch_bounds__(THREADS)
    fold_short_windows(ColumnDeviceView column, const u32* words, const u32* ranks, Array<i64, 2> sizes, u32 reach,
                       u64 flip, u64 least, u32 how, i64 ddof, u64* wide, u32* narrow, u32* mask) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    __shared__ u32 flags[THREADS];
    constexpr u32 RUN = Run::ROWS;
    using T = typename Rows::Value;
    using OfTile = Tile<Rows, RUN>;
    using State = typename OfTile::State;
    const u32 size = u32(sizes.at[0] + sizes.at[1]), places = reach + OfTile::PLACES;
    State* const behind = reinterpret_cast<State*>(dyn_smem);
    u64* const values = reinterpret_cast<u64*>(behind + slot<RUN>(places));
    f64* const inverses = reinterpret_cast<f64*>(values + slot<RUN>(places));
    const u64 first = u64(blockIdx.x) * OfTile::PLACES, first_row = first + u64(sizes.at[1]) - reach;
    const Results out = {how, ddof, wide != nullptr ? values : nullptr,
                         narrow != nullptr ? reinterpret_cast<u32*>(values) : nullptr, nullptr, false};
    const OfTile tile = {column, {words, ranks}, {{}, {}, sizes, column.len}, out, flip, least, size, reach, first_row,
                         first, InBlock<typename Rows::Fold>(inverses), behind, values};

    if constexpr (InBlock<typename Rows::Fold>::HAS_TABLE) {
        for (u32 i = threadIdx.x + 1; i <= size; i += THREADS) inverses[i] = 1.0 / f64(i);
    }
#pragma unroll 4
    for (u32 place = threadIdx.x; place < places; place += THREADS) {
        const u64 row = first_row + place;
        const T value = row < column.len ? column.value<T>(row) : T(0);
        memcpy(values + slot<RUN>(place), &value, sizeof(value));
    }
    __syncthreads();

    // Whether all windows have all their rows, which are values.
    const bool all_present = words == nullptr && first_row < column.len && first_row + places <= column.len &&
                             first + OfTile::PLACES <= column.len;
    for (u32 run = threadIdx.x; run < places / RUN; run += THREADS) {
        if (all_present) {
            tile.template fold_run<true>(run);
        } else {
            tile.template fold_run<false>(run);
        }
    }
    __syncthreads();
    flags[threadIdx.x] = all_present ? tile.template fold_windows<true>() : tile.template fold_windows<false>();
    __syncthreads();

#pragma unroll 4
    for (u32 place = threadIdx.x; place < OfTile::PLACES; place += THREADS) {
        const u64 row = first + place;
        if (row >= column.len) break;
        const u32 at = slot<RUN>(reach + place);
        if (wide != nullptr) {
            wide[row] = values[at];
        } else {
            narrow[row] = reinterpret_cast<const u32*>(values)[2 * at];
        }
    }
    // A word has the bits of some runs.
    for (u32 word = threadIdx.x; word < OfTile::PLACES / 32; word += THREADS) {
        if (first + 32 * u64(word) >= column.len) break;
        u32 all = 0;
#pragma unroll
        for (u32 from = 0; from < 32; from += RUN) all |= flags[(32 * word + from) / RUN] << from;
        mask[first / 32 + word] = all;
    }
}
