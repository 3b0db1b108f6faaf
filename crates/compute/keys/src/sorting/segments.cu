// Segments of rows. THREADS comes from the declaration in segmented.rs.
#include "cuprum/types.cuh"

// A number for each row that puts segments, which begin at `offsets` and end at the next one, in order; those of rows before
// the first and behind the last are their own.
__global__ void __launch_bounds__(THREADS)
    segment_numbers(const u64* __restrict__ offsets, u64 num_offsets, u64 rows, u64* __restrict__ numbers) {
    const u64 first = num_offsets == 0 ? rows : offsets[0], last = num_offsets == 0 ? rows : offsets[num_offsets - 1];
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < rows; row += step) {
        if (row < first) {
            numbers[row] = row;
        } else if (row >= last) {
            numbers[row] = row + num_offsets;
        } else {
            // The number of segments that begin up to here.
            u64 low = 0, high = num_offsets;
            while (low < high) {
                const u64 middle = low + (high - low) / 2;
                if (offsets[middle] <= row) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            numbers[row] = first + low;
        }
    }
}
