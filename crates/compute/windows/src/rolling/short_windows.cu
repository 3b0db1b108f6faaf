// Folds of windows of one size of few rows. Rows stand in runs of neighbours, no longer than a window. What each row and those
// behind it in its run come to is in shared memory, and so a window is two of these states, and whole runs between, whose fold
// the rows of a run share: some four additions for each row, whatever the size. THREADS comes from the declaration in
// short_windows.rs.
//
// A thread has the windows that end in its run. The result of a window depends on its rows and on where they are.
#include "cuprum/window_folds.cuh"
#include "cuprum/windows.cuh"

// A fold as it is in a block.
template <typename F>
struct InBlock {
    static constexpr bool HAS_TABLE = false;
    __forceinline__ explicit InBlock(const f64*) {}
    __forceinline__ typename F::State combine(const typename F::State& a, const typename F::State& b) const {
        return F::combine(a, b);
    }
};

// Spreads have the inverses of the numbers of rows in a table: dividing takes longer than all else.
template <>
struct InBlock<Spread> {
    static constexpr bool HAS_TABLE = true;
    const f64* inverses;
    __forceinline__ explicit InBlock(const f64* inverses) : inverses(inverses) {}
    __forceinline__ Spread::State combine(const Spread::State& a, const Spread::State& b) const {
        return Spread::combine(a, b, [&](f64 part, f64 all) { return part * inverses[u32(all)]; });
    }
};

// The rows of a tile, and so many before it as its windows reach back. A slot has a gap behind each run: threads are as far
// apart as their runs, and would meet in one bank of shared memory.
struct Slots {
    u32 log_run;

    __forceinline__ u32 operator()(u32 place) const { return place + (place >> log_run); }
};

// The results of all rows; windows are of `sizes`, which come to between a run of two to the power of `log_run` rows and
// MOST. `reach` is as many rows, in whole runs, as a window has before its last one. A row's tile is that of its window.
template <typename Rows>
__global__ void __launch_bounds__(THREADS)
    fold_short_windows(ColumnDeviceView column, const u32* words, const u32* ranks, Array<i64, 2> sizes, u32 log_run,
                       u32 reach, u64 flip, u64 least, u32 how, i64 ddof, u64* wide, u32* narrow, u32* mask) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    __shared__ u32 flags[THREADS];
    using F = typename Rows::Fold;
    using T = typename Rows::Value;
    using State = typename F::State;
    const Valid valid = {words, ranks};
    const Windows windows = {{}, {}, sizes, column.len};
    const Slots slot = {log_run};
    const u32 run = 1u << log_run, tile = THREADS << log_run, size = u32(sizes.at[0] + sizes.at[1]);
    const u32 places = reach + tile;
    State* const behind = reinterpret_cast<State*>(dyn_smem);
    u64* const values = reinterpret_cast<u64*>(behind + slot(places));
    f64* const inverses = reinterpret_cast<f64*>(values + slot(places));
    const InBlock<F> fold(inverses);
    const u64 first = u64(blockIdx.x) * tile;
    // The last row of the window at a place; numbers before the first row are large ones.
    const u64 first_row = first + u64(sizes.at[1]) - reach;

    if constexpr (InBlock<F>::HAS_TABLE) {
        for (u32 i = threadIdx.x + 1; i <= size; i += THREADS) inverses[i] = 1.0 / f64(i);
    }
#pragma unroll 4
    for (u32 place = threadIdx.x; place < places; place += THREADS) {
        const u64 row = first_row + place;
        const T value = row < column.len ? column.value<T>(row) : T(0);
        memcpy(values + slot(place), &value, sizeof(value));
    }
    __syncthreads();

    const auto load = [&](u32 place) {
        const u64 row = first_row + place;
        if (row >= column.len || !valid.get(row)) return F::identity();
        T value;
        memcpy(&value, values + slot(place), sizeof(value));
        return F::of(value, flip);
    };
    for (u32 own = threadIdx.x; own < places >> log_run; own += THREADS) {
        State state = F::identity();
        for (u32 k = run; k-- > 0;) {
            const u32 place = (own << log_run) + k;
            state = fold.combine(load(place), state);
            behind[slot(place)] = state;
        }
    }
    __syncthreads();

    const u32 own = reach + (threadIdx.x << log_run);
    // Windows begin in two runs side by side, or three where the last begins one.
    u32 begun = (own + 1 - size) >> log_run, bits = 0;
    const u32 own_run = own >> log_run;
    // What comes between the second of them and the own one.
    State between = F::identity(), next = F::identity();
    for (u32 other = begun + 2; other < own_run; ++other) next = fold.combine(next, behind[slot(other << log_run)]);
    bool is_between = begun + 1 < own_run;
    if (is_between) between = begun + 2 < own_run ? fold.combine(behind[slot((begun + 1) << log_run)], next)
                                                  : behind[slot((begun + 1) << log_run)];
    State ahead = F::identity();
    const Results out = {how, ddof, wide != nullptr ? values : nullptr,
                         narrow != nullptr ? reinterpret_cast<u32*>(values) : nullptr, nullptr, false};
    for (u32 k = 0; k < run; ++k) {
        const u32 place = own + k, start = place + 1 - size;
        ahead = k == 0 ? load(place) : fold.combine(ahead, load(place));
        if (start >> log_run != begun) {
            ++begun;
            between = next;
            is_between = begun + 1 < own_run;
        }
        const u64 row = first + (place - reach);
        if (row >= column.len) break;
        u64 from, to;
        windows.of(row, from, to);
        const u64 count = valid.before(to) - valid.before(from);
        // A half of a place for narrow results.
        const u64 at = narrow != nullptr ? 2 * slot(place) : slot(place);
        if (count < least) {
            out.put_nothing(at, 0);
            continue;
        }
        State state = behind[slot(start)];
        if (begun != own_run) {
            if (is_between) state = fold.combine(state, between);
            state = fold.combine(state, ahead);
        }
        bits |= u32(F::write(out, at, state, count)) << k;
    }
    flags[threadIdx.x] = bits;
    __syncthreads();

#pragma unroll 4
    for (u32 place = threadIdx.x; place < tile; place += THREADS) {
        const u64 row = first + place;
        if (row >= column.len) break;
        const u32 at = slot(reach + place);
        if (wide != nullptr) {
            wide[row] = values[at];
        } else {
            narrow[row] = reinterpret_cast<const u32*>(values)[2 * at];
        }
    }
    // Runs have at most as many rows as a word has bits.
    for (u32 word = threadIdx.x; word < tile / 32; word += THREADS) {
        if (first + 32 * u64(word) >= column.len) break;
        u32 all = 0;
        for (u32 from = 0; from < 32; from += run) all |= flags[(32 * word + from) >> log_run] << from;
        mask[first / 32 + word] = all;
    }
}
