// Associative operators. Of two equal values the left one wins, so that results do not depend on how values
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
