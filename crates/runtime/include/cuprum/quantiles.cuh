// Quantiles: their places among ordered values, and their interpolation.
#pragma once
#include "cuprum/types.cuh"

// Interpolations of a quantile, as `kind_of` in quantiles/cuda.rs numbers them; STRAIGHT is linear from the
// lower one alone.
enum Kind : u32 { LINEAR, LOWER, HIGHER, MIDPOINT, NEAREST, STRAIGHT };

inline bool is_infinite(f64 x) { return x == x && x - x != 0; }

// See `between` in quantiles/cpu.rs.
inline f64 between(f64 low, f64 high, f64 fraction) {
    if (low == high || fraction == 0) return low;
    if (is_infinite(low) || is_infinite(high)) return low + high;
    if (fraction < 0.5) return low + (high - low) * fraction;
    return high - (high - low) * (1 - fraction);
}

// The place of the quantile `q` of `count` values: behind the lower of two neighbours by a fraction.
struct Place {
    u64 lower, upper;
    f64 fraction;

    Place(f64 q, u64 count) {
        const f64 place = f64(count - 1) * q, whole = floor(place);
        lower = u64(whole) < count ? u64(whole) : count - 1;
        upper = lower + 1 < count ? lower + 1 : lower;
        fraction = place - whole;
    }

    // Whether the upper neighbour is the nearer one; of two that are as near it is the one at the even place.
    bool goes_up() const { return fraction > 0.5 || (fraction == 0.5 && lower % 2 == 1); }

    // The value there between the two neighbours.
    f64 of(u32 kind, f64 low, f64 high) const {
        switch (kind) {
            case LINEAR: return between(low, high, fraction);
            case STRAIGHT: return low == high || fraction == 0 ? low : low + (high - low) * fraction;
            case LOWER: return low;
            case HIGHER: return fraction == 0 ? low : high;
            case MIDPOINT: return fraction == 0 ? low : between(low, high, 0.5);
            default: return goes_up() ? high : low;
        }
    }
};
