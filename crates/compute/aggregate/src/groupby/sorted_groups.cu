// Values of groups by their place in the order of each. `rows` are the rows of the groups, group after group from `starts`
// on, each in the order of its values; the `counts` first of a group have one. THREADS comes from the declaration in
// sorted_groups.rs.
#include "cuprum/column.cuh"
#include "cuprum/quantiles.cuh"

constexpr u32 NONE = ~0u;

// The two places among `rows` that each of the quantiles of each group is between, NONE for groups without values.
__global__ void __launch_bounds__(THREADS)
    places_of_quantiles(const u64* __restrict__ starts, const u64* __restrict__ counts, u64 groups,
                        const f64* __restrict__ q, u64 num_q, u32* __restrict__ places) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < groups * num_q; i += step) {
        const u64 group = i / num_q, count = counts[group];
        const Place place(q[i % num_q], count > 0 ? count : 1);
        places[2 * i] = count > 0 ? u32(starts[group] + place.lower) : NONE;
        places[2 * i + 1] = count > 0 ? u32(starts[group] + place.upper) : NONE;
    }
}

// The quantiles of numbers of each group at all of `num_q` fractions, as f64 or as f32; 0 for groups without values.
__global__ void __launch_bounds__(THREADS)
    quantiles_of_groups(ColumnDeviceView column, const u32* __restrict__ rows, const u64* __restrict__ starts,
                        const u64* __restrict__ counts, u64 groups, const f64* __restrict__ q, u64 num_q, u32 kind,
                        f64* out, f32* narrow, u8* valid) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < groups * num_q; i += step) {
        const u64 group = i / num_q, count = counts[group];
        f64 result = 0;
        if (count > 0) {
            const Place place(q[i % num_q], count);
            const u32* const own = rows + starts[group];
            // With one zero: sorts do not tell the two apart.
            const f64 low = number_at(column, own[place.lower]) + 0.0;
            const f64 high = number_at(column, own[place.upper]) + 0.0;
            result = place.of(kind, low, high);
        }
        if (out != nullptr) out[i] = result;
        if (narrow != nullptr) narrow[i] = f32(result);
        valid[i] = count > 0;
    }
}

// See `ticks_between` in quantiles/cpu.rs.
inline i64 ticks_between(i64 low, i64 high, f64 fraction) {
    constexpr i64 EXACT = 1ll << 53;
    if (low > -EXACT && low < EXACT && high > -EXACT && high < EXACT) {
        return i64(between(f64(low), f64(high), fraction));
    }
    const u64 span = u64(high) - u64(low);
    if (fraction == 0.5) {
        // Rounded down, then towards zero.
        const i64 mean = (low & high) + ((low ^ high) >> 1);
        return mean < 0 && ((low ^ high) & 1) != 0 ? mean + 1 : mean;
    }
    f64 part = f64(span) * fraction;
    const f64 whole = round(part);
    part = fabs(part - whole) <= 4.0 * 2.220446049250313e-16 * whole ? whole : floor(part);
    const u64 ticks = part >= 18446744073709551616.0 ? span : u64(part);
    return i64(u64(low) + (ticks < span ? ticks : span));
}

// The time at a place between two neighbours, where none of them is it; see `tick` in quantiles/cpu.rs.
inline i64 time_at(u32 kind, const Place& place, i64 low, i64 high) {
    switch (kind) {
        case LOWER: return low;
        case HIGHER: return high;
        case MIDPOINT: return ticks_between(low, high, 0.5);
        case NEAREST: return place.goes_up() ? high : low;
        default: return ticks_between(low, high, place.fraction);
    }
}

// The quantiles of times of each group at all of `num_q` fractions, rounded towards zero; 0 for groups without values. Times
// have 32 bits where `narrow` is given.
__global__ void __launch_bounds__(THREADS)
    times_of_groups(ColumnDeviceView column, const u32* __restrict__ rows, const u64* __restrict__ starts,
                    const u64* __restrict__ counts, u64 groups, const f64* __restrict__ q, u64 num_q, u32 kind, i64* out,
                    i32* narrow, u8* valid) {
    const u64 step = u64(gridDim.x) * THREADS;
    const auto ticks = [&](u64 row) { return narrow != nullptr ? i64(column.value<i32>(row)) : column.value<i64>(row); };
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < groups * num_q; i += step) {
        const u64 group = i / num_q, count = counts[group];
        i64 result = 0;
        if (count > 0) {
            const Place place(q[i % num_q], count);
            const u32* const own = rows + starts[group];
            const i64 low = ticks(own[place.lower]);
            result = place.fraction == 0 ? low : time_at(kind, place, low, ticks(own[place.upper]));
        }
        if (out != nullptr) out[i] = result;
        if (narrow != nullptr) narrow[i] = i32(result);
        valid[i] = count > 0;
    }
}

// The row of the smallest or of the largest value of each group; NONE where there is none.
__global__ void __launch_bounds__(THREADS)
    extremes_of_groups(const u32* __restrict__ rows, const u64* __restrict__ starts, const u64* __restrict__ counts,
                       u64 groups, bool largest, u32* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        const u64 count = counts[group];
        out[group] = count == 0 ? NONE : rows[starts[group] + (largest ? count - 1 : 0)];
    }
}
