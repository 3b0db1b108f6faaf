// Ranks of rows in order, and the best rows. The constants come from the declaration in cuda.rs: THREADS of every
// block, ROWS that a thread has in flight.
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"
#include "cuprum/search.cuh"

constexpr u32 WARPS = THREADS / WARP;

// ---- ranks -------------------------------------------------------------------------------------------

// 1 for each of n rows in order that equals its predecessor.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    mark_equal(const ColumnDeviceView* columns, RowOrder order, const Row* rows, u64 n, u8* ties) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        ties[i] = i > 0 && compare_rows(columns, rows[i - 1], columns, rows[i], order, nullptr) == 0;
    }
}

inline bool is_missing(const ColumnDeviceView& view, u64 row) {
    return view.type_id == STRING ? !view.is_valid(row) : comparable(view, row).is_missing;
}

// The number of n rows in order, the missing ones last, that are not missing; nothing is written where none
// is missing.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    count_present(const ColumnDeviceView* columns, const Row* rows, u64 n, u64* present) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (is_missing(columns[0], rows[i]) && (i == 0 || !is_missing(columns[0], rows[i - 1]))) *present = i;
    }
}

// As `RankMethod` in mod.rs numbers them.
enum Method : u32 { AVERAGE, MINIMUM, MAXIMUM, FIRST, DENSE };

// The rank of each of n rows in order. Equal rows are a run; runs are numbered from 1 and begin at `starts`.
// Rows from `present` on have no rank.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    write_ranks(const Row* rows, const Row* runs, const Row* starts, u64 num_runs, u64 n, const u64* present,
                u32 method, u32 as_share, f64* ranks, u8* valid) {
    const u64 step = u64(gridDim.x) * THREADS;
    const u64 ranked = *present;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u64 row = rows[i], run = runs[i];
        valid[row] = i < ranked;
        if (i >= ranked) {
            ranks[row] = 0;
            continue;
        }
        const u64 start = starts[run - 1], end = run < num_runs ? u64(starts[run]) : n;
        f64 rank = 0;
        switch (method) {
            case AVERAGE: rank = f64(start + end + 1) / 2; break;
            case MINIMUM: rank = f64(start + 1); break;
            case MAXIMUM: rank = f64(end); break;
            case FIRST: rank = f64(i + 1); break;
            default: rank = f64(run); break;
        }
        if (as_share != 0) rank /= method == DENSE ? f64(runs[ranked - 1]) : f64(ranked);
        ranks[row] = rank;
    }
}

// The ranks of the rows of groups, the first column, by the second one; n rows in the order of both. Runs of
// groups are numbered from 1 and begin at `group_starts`. If `keeps`, missing values, the last of each group,
// have no rank.
__global__ void __launch_bounds__(THREADS)
    write_ranks_within(const ColumnDeviceView* columns, const u32* rows, const u32* runs, const u32* starts, u64 num_runs,
                       const u32* group_runs, const u32* group_starts, u64 num_groups, u64 n, bool keeps, u32 method,
                       u32 as_share, f64* __restrict__ ranks, u8* __restrict__ valid) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u64 row = rows[i], group = group_runs[i], run = runs[i];
        const u64 first = group_starts[group - 1], last = group < num_groups ? u64(group_starts[group]) : n;
        u64 ranked = columns[0].value<u32>(row) == ~0u ? first : last;
        if (keeps) ranked = partition_point(first, ranked, [&](u64 j) { return is_missing(columns[1], rows[j]); });
        valid[row] = i < ranked;
        if (i >= ranked) {
            ranks[row] = 0;
            continue;
        }
        const u64 before = starts[run - 1] - first, up_to = (run < num_runs ? u64(starts[run]) : n) - first;
        const u64 place_of_run = run - runs[first] + 1;
        f64 rank = 0;
        switch (method) {
            case AVERAGE: rank = f64(before + up_to + 1) / 2; break;
            case MINIMUM: rank = f64(before + 1); break;
            case MAXIMUM: rank = f64(up_to); break;
            case FIRST: rank = f64(i - first + 1); break;
            default: rank = f64(place_of_run); break;
        }
        if (as_share != 0) rank /= method == DENSE ? f64(runs[ranked - 1] - runs[first] + 1) : f64(ranked - first);
        ranks[row] = rank;
    }
}

// ---- the best rows -----------------------------------------------------------------------------------

// The word of a value, the best one being the smallest; all ones for missing values.
inline u64 word_of(Comparable value, u32 descending) {
    if (value.is_missing) return ~0ull;
    return descending != 0 ? ~value.low : value.low;
}

// The best word of `each` random ones in every piece of n / count rows.
template <typename Number>
__global__ void __launch_bounds__(THREADS)
    sample_words(const ColumnDeviceView* columns, u64 n, u32 descending, u64 count, u64 each, Number* words) {
    const u64 i = u64(blockIdx.x) * WARPS + warp_id();
    if (i >= count) return;
    const u64 piece = n / count;
    u64 best = ~0ull;
    for (u64 k = lane_id(); k < each; k += WARP) {
        u64 mixed = (i * each + k + 1) * 0x9e3779b97f4a7c15ull;
        mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93ull;
        best = Min()(best, word_of(comparable(columns[0], i * piece + (mixed >> 16) % piece), descending));
    }
    best = warp_reduce(best, Min());
    if (lane_id() == 0) words[i] = best;
}

// The word before which there are `at` of `count`, by counting.
template <typename Number>
__global__ void __launch_bounds__(THREADS) find_limit(const Number* words, u64 count, u64 at, Number* limit) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= count) return;
    const u64 word = words[i];
    u64 before = 0;
    for (u64 j = 0; j < count; ++j) before += words[j] < word || (words[j] == word && j < i);
    if (before == at) *limit = word;
}

// The rows whose words are at most the limit, in no order, and these; counts those without room too.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    select_best(const ColumnDeviceView* columns, u64 n, u32 descending, const u64* limit_at, u64 room, Row* rows,
                u64* words, u64* count) {
    const ColumnDeviceView view = columns[0];
    const u64 limit = *limit_at;
    const u64 first = u64(blockIdx.x) * THREADS + threadIdx.x;
    const u64 step = u64(gridDim.x) * THREADS;
    with_stored(view.type_id, [&](auto type) {
        using T = decltype(type);
        for (u64 begin = first; begin < n; begin += ROWS * step) {
            T values[ROWS];
#pragma unroll
            for (u32 r = 0; r < ROWS; ++r) {
                if (begin + r * step < n) values[r] = view.value<T>(begin + r * step);
            }
#pragma unroll
            for (u32 r = 0; r < ROWS; ++r) {
                const u64 row = begin + r * step;
                if (row >= n) continue;
                const Comparable value = comparable_of(values[r]);
                if (value.is_missing || word_of(value, descending) > limit || !view.is_valid(row)) continue;
                const u64 place = atomicAdd(count, 1ull);
                if (place >= room) continue;
                rows[place] = Row(row);
                words[place] = word_of(value, descending);
            }
        }
    });
}

// The first k of `count` rows by their words, then by their numbers: a warp counts, for each, the rows before it.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    order_best(const Row* rows, const u64* words, u64 count, u64 k, Row* best) {
    const u64 i = u64(blockIdx.x) * WARPS + warp_id();
    if (i >= count) return;
    const u64 word = words[i];
    const Row row = rows[i];
    u64 before = 0;
    for (u64 j = lane_id(); j < count; j += WARP) before += words[j] < word || (words[j] == word && rows[j] < row);
    before = warp_reduce(before, Sum());
    if (lane_id() == 0 && before < k) best[before] = row;
}
