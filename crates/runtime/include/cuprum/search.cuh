// Binary search.
#pragma once
#include "cuprum/types.cuh"

// The first number of [low, high) that `is_behind` holds for, as it then does for all behind it; `high` where
// there is none.
template <typename Test>
inline u64 partition_point(u64 low, u64 high, Test is_behind) {
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (is_behind(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// The last of the pieces [low, high) that starts at `position` or before, as `low` does. Pieces ascend.
inline u64 piece_at(const u64* starts, u64 low, u64 high, u64 position) {
    return partition_point(low + 1, high, [=](u64 piece) { return starts[piece] > position; }) - 1;
}
