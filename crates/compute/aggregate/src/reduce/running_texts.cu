// Texts one behind the other, up to each row: each row is the beginning of all of them together. The constants come from the
// declaration in running_texts.rs.
#include "cuprum/column.cuh"

// The size of each text, 0 of nulls and behind the last one.
__global__ void __launch_bounds__(THREADS) sizes_of_texts(TextsDeviceView column, u64* __restrict__ sizes) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row <= column.len; row += step) {
        sizes[row] = row < column.len && column.is_valid(row) ? column.start(row + 1) - column.start(row) : 0;
    }
}

// The size of all texts up to each that is there, 0 of nulls and behind the last one; `ends` says where texts end.
__global__ void __launch_bounds__(THREADS)
    sizes_up_to(TextsDeviceView column, const u64* __restrict__ ends, u64* __restrict__ sizes) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row <= column.len; row += step) {
        sizes[row] = row < column.len && column.is_valid(row) ? ends[row] : 0;
    }
}

// The bytes of rows that are as long as `offsets` says, each the beginning of the bytes of `column`, which has no nulls; ITEMS
// side by side for each thread.
__global__ void __launch_bounds__(THREADS)
    write_beginnings(TextsDeviceView column, const u64* __restrict__ offsets, u64 rows, u64 total, u8* __restrict__ out) {
    const u8* const bytes = column.string(0).bytes;
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 first = (u64(blockIdx.x) * THREADS + threadIdx.x) * ITEMS; first < total; first += step) {
        // The last row that begins no later.
        u64 row = 0, behind = rows;
        while (behind - row > 1) {
            const u64 middle = row + (behind - row) / 2;
            (offsets[middle] <= first ? row : behind) = middle;
        }
        for (u64 i = first; i < first + ITEMS && i < total; ++i) {
            while (offsets[row + 1] <= i) ++row;
            out[i] = bytes[i - offsets[row]];
        }
    }
}
