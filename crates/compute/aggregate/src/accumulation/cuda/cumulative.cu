// Running sums, products and extremes of all rows of a column in one pass. Values that are null or NaN take no part. What
// is combined with what depends on the number of rows alone. THREADS and ITEMS come from the declaration in cumulative.rs.
#include "cuprum/column.cuh"
#include "cuprum/look_back.cuh"
#include "cuprum/operators.cuh"

constexpr u32 WARPS = THREADS / WARP;

struct RunningSum {
    template <typename R>
    static R identity() {
        // That of 0.0 would make 0.0 of -0.0.
        return IS_FLOAT<R> ? R(-0.0) : R(0);
    }
    template <typename R>
    R operator()(R a, R b) const {
        return Sum()(a, b);
    }
};

struct RunningProduct {
    template <typename R>
    static R identity() {
        return R(1);
    }
    template <typename R>
    R operator()(R a, R b) const {
        if constexpr (IS_FLOAT<R>) {
            return a * b;
        } else {
            return R(u64(a) * u64(b));
        }
    }
};

struct RunningMin {
    template <typename R>
    static R identity() {
        return largest_of<R>();
    }
    template <typename R>
    R operator()(R a, R b) const {
        return b < a ? b : a;
    }
};

struct RunningMax {
    template <typename R>
    static R identity() {
        return smallest_of<R>();
    }
    template <typename R>
    R operator()(R a, R b) const {
        return b > a ? b : a;
    }
};

// Writes for each row what all rows up to it come to, stored as `size` bytes.
template <typename R, typename Op>
__global__ void __launch_bounds__(THREADS)
    running_column(ColumnDeviceView column, u64 num_tiles, u32 size, u8* out, u64* ticket, u64* words) {
    __shared__ R of_warps[WARPS];
    __shared__ R tile_before;
    const Op op;
    const R identity = Op::template identity<R>();
    const u64 tile = next_tile(ticket);
    const u64 first = (tile * WARPS + warp_id()) * WARP * ITEMS + lane_id();
    // The value of each row, the lanes' rows side by side, then what the rows of the warp come to.
    R values[ITEMS];
    u32 is_nan = 0;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        if constexpr (sizeof(T) <= 8) {
            T stored[ITEMS];
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                const u64 row = first + k * WARP;
                stored[k] = row < column.len ? column.value<T>(row) : T(0);
            }
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                const u64 row = first + k * WARP;
                const bool is_number = stored[k] == stored[k];
                const bool takes_part = is_number && row < column.len && column.is_valid(row);
                values[k] = takes_part ? R(stored[k]) : identity;
                if (!is_number) is_nan |= 1u << k;
            }
        }
    });
    R of_warp = identity;
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k) {
        const R up_to_lane = warp_inclusive_scan(values[k], op);
        values[k] = op(of_warp, up_to_lane);
        of_warp = op(of_warp, R(__shfl_sync(ALL_LANES, up_to_lane, WARP - 1)));
    }
    const WarpPrefix<R> warp = scan_warps<THREADS>(of_warp, identity, op, of_warps);
    if (warp_id() == 0) {
        const R before = look_back_in_order(tile, num_tiles, warp.total, identity, op, words);
        if (lane_id() == 0) tile_before = before;
    }
    __syncthreads();
    const R before = op(tile_before, warp.before);
#pragma unroll
    for (u32 k = 0; k < ITEMS; ++k) {
        const u64 row = first + k * WARP;
        R value = op(before, values[k]);
        if constexpr (IS_FLOAT<R>) {
            if ((is_nan >> k & 1) != 0) value = R(float_of(0x7ff8000000000000ull));
        }
        if (row >= column.len) continue;
        switch (size) {
            case 1: reinterpret_cast<u8*>(out)[row] = u8(value); break;
            case 2: reinterpret_cast<u16*>(out)[row] = u16(value); break;
            case 4:
                if constexpr (sizeof(R) == 4) {
                    reinterpret_cast<R*>(out)[row] = value;
                } else {
                    reinterpret_cast<u32*>(out)[row] = u32(value);
                }
                break;
            default: reinterpret_cast<R*>(out)[row] = value;
        }
    }
}
