// The place of every element in the order of its row, by counting. THREADS of every block, MOST_COLUMNS and ROWS, the
// rows of a tile, one for each lane, come from the declaration in cuda.rs.
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"

constexpr u32 WARPS = THREADS / WARP;

// As `number_of` in sorting/cuda.rs numbers the methods.
enum Method : u32 { AVERAGE, MINIMUM, MAXIMUM, FIRST, DENSE };

// How elements are ranked.
struct RankRule {
    u32 method;
    u32 descending;
    u32 missing_first;
    u32 keeps_missing;  // missing elements have no rank
    u32 as_share;
};

// The ranks of the elements of n rows: columns lie `stride` elements apart, a multiple of 32. `valid` gets the bits of
// elements with a rank, where missing elements have none and some may be missing.
//
// A warp has a column of the tile, a lane one of its rows.
__global__ void __launch_bounds__(THREADS)
    rank_rows(const ColumnDeviceView* columns, u32 num_columns, u64 n, RankRule rule, u64 stride, f64* __restrict__ ranks,
              u32* __restrict__ valid) {
    __shared__ u64 words[MOST_COLUMNS * ROWS];
    __shared__ u32 missing[MOST_COLUMNS];   // of each column the rows
    __shared__ u32 is_first[MOST_COLUMNS];  // of each column the rows in which no earlier element is equal
    const u32 lane = lane_id();
    for (u64 begin = u64(blockIdx.x) * ROWS; begin < n; begin += u64(gridDim.x) * ROWS) {
        const u64 row = begin + lane;
        for (u32 c = warp_id(); c < num_columns; c += WARPS) {
            const Comparable value = row < n ? comparable(columns[c], row) : Comparable{0, 0, true};
            const u32 bits = __ballot_sync(ALL_LANES, value.is_missing);
            words[c * ROWS + lane] = value.is_missing ? 0 : rule.descending != 0 ? ~value.low : value.low;
            if (lane == 0) missing[c] = bits;
        }
        __syncthreads();
        u32 num_ranked = 0;
        for (u32 k = 0; k < num_columns; ++k) num_ranked += rule.keeps_missing == 0 || (missing[k] >> lane & 1) == 0;
        // Missing elements equal each other; where they have no rank they are behind all others.
        const auto is_before = [&](u32 k, bool own_missing, u64 own) {
            const bool is_missing = (missing[k] >> lane & 1) != 0;
            if (is_missing == own_missing) return words[k * ROWS + lane] < own;
            return is_missing == (rule.missing_first != 0);
        };
        const auto is_equal = [&](u32 k, bool own_missing, u64 own) {
            return ((missing[k] >> lane & 1) != 0) == own_missing && words[k * ROWS + lane] == own;
        };
        if (rule.method == DENSE) {
            for (u32 c = warp_id(); c < num_columns; c += WARPS) {
                const bool own_missing = (missing[c] >> lane & 1) != 0;
                const u64 own = words[c * ROWS + lane];
                bool first = !(own_missing && rule.keeps_missing != 0);
                for (u32 k = 0; k < c; ++k) first = first && !is_equal(k, own_missing, own);
                const u32 bits = __ballot_sync(ALL_LANES, first);
                if (lane == 0) is_first[c] = bits;
            }
            __syncthreads();
        }
        for (u32 c = warp_id(); c < num_columns; c += WARPS) {
            const bool own_missing = (missing[c] >> lane & 1) != 0;
            const u64 own = words[c * ROWS + lane];
            u32 before = 0, equal = 0, earlier = 0, distinct = 0, distinct_before = 0;
            for (u32 k = 0; k < num_columns; ++k) {
                const bool comes_before = is_before(k, own_missing, own);
                if (rule.method == DENSE) {
                    const bool first = (is_first[k] >> lane & 1) != 0;
                    distinct += first;
                    distinct_before += first && comes_before;
                } else {
                    const bool is_same = is_equal(k, own_missing, own);
                    before += comes_before;
                    equal += is_same;
                    earlier += is_same && k < c;
                }
            }
            f64 rank = 0;
            switch (rule.method) {
                case AVERAGE: rank = f64(2 * before + equal + 1) / 2; break;
                case MINIMUM: rank = f64(before + 1); break;
                case MAXIMUM: rank = f64(before + equal); break;
                case FIRST: rank = f64(before + earlier + 1); break;
                default: rank = f64(distinct_before + 1); break;
            }
            if (rule.as_share != 0) rank /= rule.method == DENSE ? f64(distinct) : f64(num_ranked);
            const bool has_rank = !(own_missing && rule.keeps_missing != 0);
            if (row < n) ranks[c * stride + row] = has_rank ? rank : 0;
            const u32 bits = __ballot_sync(ALL_LANES, has_rank && row < n);
            if (lane == 0 && valid != nullptr) valid[(c * stride + begin) / 32] = bits;
        }
        __syncthreads();
    }
}
