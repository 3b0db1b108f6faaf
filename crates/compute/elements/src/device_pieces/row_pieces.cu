// Pieces of rows: how many each row has, and the row, the position and the element of a list that each piece is. THREADS
// and ITEMS come from the declaration in mod.rs. The largest number stands for no element.
#include "cuprum/column.cuh"
#include "cuprum/row_pieces.cuh"

constexpr u64 TILE = u64(THREADS) * ITEMS;

// The length of each list, but at least `least`; null lists have none. 0 behind the last row.
__global__ void __launch_bounds__(THREADS)
    list_lengths(const ColumnDeviceView* __restrict__ lists, u64 n, u64 least, u64* __restrict__ lengths) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= n; i += step) {
        const u64 len = i < n && lists->is_valid(i) ? lists->start(i + 1) - lists->start(i) : 0;
        lengths[i] = i == n ? 0 : len < least ? least : len;
    }
}

// The numbers of a column of integers, and 0 behind them. `odd` becomes 1 where one is below 0 or does not fit 32 bits;
// it was 0 before.
__global__ void __launch_bounds__(THREADS)
    counted_lengths(ColumnDeviceView counts, u64* __restrict__ lengths, u32* odd) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= counts.len; i += step) {
        const u64 count = i < counts.len ? integer_at(counts, i) : 0;
        lengths[i] = count;
        if (count >> 32 != 0) atomicOr(odd, 1u);
    }
}

// The row of each piece.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    piece_rows(const u64* __restrict__ starts, u64 n, u64 total, Row* __restrict__ rows) {
    for_each_piece<TILE>(starts, n, total, [=](u64 position, u64 row, u64) { rows[position] = Row(row); });
}

// The position of each piece in its row.
__global__ void __launch_bounds__(THREADS)
    piece_positions(const u64* __restrict__ starts, u64 n, u64 total, i32* __restrict__ positions) {
    for_each_piece<TILE>(starts, n, total, [=](u64 position, u64, u64 k) { positions[position] = i32(k); });
}

// The element of its row's list that each piece is, from the first one on or, `reversed`, from the last; none behind the
// end of the list.
template <typename Element>
__global__ void __launch_bounds__(THREADS)
    piece_elements(const ColumnDeviceView* __restrict__ lists, const u64* __restrict__ starts, u64 n, u64 total,
                   bool reversed, Element* __restrict__ elements) {
    for_each_piece<TILE>(starts, n, total, [=](u64 position, u64 row, u64 k) {
        const u64 first = lists->start(row);
        const u64 len = lists->is_valid(row) ? lists->start(row + 1) - first : 0;
        elements[position] = k < len ? Element(first + (reversed ? len - 1 - k : k)) : Element(-1);
    });
}

// The values at the given places.
__global__ void __launch_bounds__(THREADS)
    values_at(const u64* __restrict__ values, const u64* __restrict__ places, u64 n, u64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[i] = values[places[i]];
}
