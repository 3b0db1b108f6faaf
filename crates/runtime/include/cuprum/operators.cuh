// Associative operators, and the extremes of types. Of two equal values the left one wins, so that results do not depend on how values
// are grouped.
#pragma once
#include "cuprum/types.cuh"

// Sums of integers wrap.
struct Sum {
    template <typename T>
    T operator()(T a, T b) const {
        return a + b;
    }
    // Signed overflow is undefined in C++, so the widths that are not promoted go through unsigned.
    i32 operator()(i32 a, i32 b) const { return i32(u32(a) + u32(b)); }
    i64 operator()(i64 a, i64 b) const { return i64(u64(a) + u64(b)); }
};

// The smaller value; NaN loses against everything.
struct Min {
    template <typename T>
    T operator()(T a, T b) const {
        return b < a || a != a ? b : a;
    }
};

// The larger value; NaN loses against everything.
struct Max {
    template <typename T>
    T operator()(T a, T b) const {
        return b > a || a != a ? b : a;
    }
};

// The float of these bits.
inline f64 float_of(u64 bits) {
    f64 value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// The largest value of a type: of floats infinity.
template <typename T>
T largest_of() {
    if constexpr (IS_FLOAT<T>) {
        return T(float_of(0x7ff0000000000000ull));
    } else {
        return T(~0ull >> (64 - 8 * sizeof(T) + (IS_SIGNED<T> ? 1 : 0)));
    }
}

// The smallest value of a type: of floats minus infinity.
template <typename T>
T smallest_of() {
    if constexpr (IS_FLOAT<T>) {
        return -largest_of<T>();
    } else {
        return IS_SIGNED<T> ? T(1ull << (8 * sizeof(T) - 1)) : T(0);
    }
}
