// Merges of rows in order: of two runs side by side, each thread writes some rows, which begin where a diagonal of the two
// crosses the way of the merge (Odeh, Green, Mwassi, Shmueli and Birk 2012). The constants come from the declaration in
// cuda.rs: THREADS of every block, and ROWS that each of them writes.
#include "cuprum/order.cuh"
#include "cuprum/search.cuh"

// Rows that are compared column by column; all rows in order where there are no numbers.
struct Columns {
    const ColumnDeviceView* columns;
    RowOrder order;
    const u8* directions;
    const u32* rows;

    __forceinline__ u64 row(u64 place) const { return rows == nullptr ? place : rows[place]; }
    __forceinline__ bool is_before(u64 b, u64 a) const {
        return compare_rows(columns, row(b), columns, row(a), order, directions) < 0;
    }
};

// Runs `bounds[2 i]` to `bounds[2 i + 1]` and from there to `bounds[2 i + 2]` of n places become one, for each of `pairs`;
// equal rows of the first come first. `write(to, from)` moves a row from its place.
template <typename Order, typename Write>
__forceinline__ void merge_pairs(const Order& order, const u64* bounds, u64 pairs, u64 n, Write write) {
    const u64 step = u64(gridDim.x) * THREADS * ROWS;
    for (u64 first = (u64(blockIdx.x) * THREADS + threadIdx.x) * ROWS; first < n; first += step) {
        const u64 end = first + ROWS < n ? first + ROWS : n;
        u64 at = first;
        while (at < end) {
            const u64 pair = partition_point(1, pairs, [&](u64 i) { return bounds[2 * i] > at; }) - 1;
            const u64 begin = bounds[2 * pair], middle = bounds[2 * pair + 1], last = bounds[2 * pair + 2];
            const u64 diagonal = at - begin, others = last - middle;
            // The number of rows of the first run before this place.
            u64 a = partition_point(diagonal > others ? diagonal - others : 0,
                                    diagonal < middle - begin ? diagonal : middle - begin, [&](u64 i) {
                                        return order.is_before(middle + diagonal - 1 - i, begin + i);
                                    });
            u64 b = middle + diagonal - a;
            a += begin;
            const u64 stop = last < end ? last : end;
            for (; at < stop; ++at) {
                const bool is_second = a == middle || (b < last && order.is_before(b, a));
                write(at, is_second ? b++ : a++);
            }
        }
    }
}

// Merges two sorted runs, the places [begin, middle) and [middle, end), by their words. Each block writes a tile; its part
// of the first run is `splits[tile]` to `splits[tile + 1]`, as the merge path has it. Words and numbers of rows (their
// places, where there are none) go along; tiles are read and written in whole lines.
__global__ void __launch_bounds__(THREADS)
    merge_words(const u64* __restrict__ words, const u32* __restrict__ rows, u64 begin, u64 middle, u64 end,
                const u64* __restrict__ splits, u64* __restrict__ out_words, u32* __restrict__ out_rows) {
    constexpr u32 TILE = THREADS * ROWS;
    __shared__ u64 tile_words[TILE];
    __shared__ u32 tile_rows[TILE];
    const u64 from = begin + u64(blockIdx.x) * TILE;
    const u32 count = u32(end - from < TILE ? end - from : TILE);
    const u64 a = splits[blockIdx.x], b = u64(blockIdx.x) * TILE - a;
    const u32 of_a = u32(splits[blockIdx.x + 1] - a), of_b = count - of_a;
    for (u32 i = threadIdx.x; i < count; i += THREADS) {
        const u64 place = i < of_a ? begin + a + i : middle + b + (i - of_a);
        tile_words[i] = words[place];
        tile_rows[i] = rows == nullptr ? u32(place) : rows[place];
    }
    __syncthreads();
    const u32 diagonal = threadIdx.x * ROWS < count ? threadIdx.x * ROWS : count;
    u32 next_a = u32(partition_point(diagonal > of_b ? diagonal - of_b : 0, diagonal < of_a ? diagonal : of_a,
                                     [&](u64 i) { return tile_words[of_a + diagonal - 1 - u32(i)] < tile_words[i]; }));
    u32 next_b = of_a + diagonal - next_a;
    u64 merged_words[ROWS];
    u32 merged_rows[ROWS];
#pragma unroll
    for (u32 k = 0; k < ROWS; ++k) {
        if (diagonal + k >= count) break;
        const bool is_second = next_a == of_a || (next_b < count && tile_words[next_b] < tile_words[next_a]);
        const u32 next = is_second ? next_b++ : next_a++;
        merged_words[k] = tile_words[next];
        merged_rows[k] = tile_rows[next];
    }
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ROWS; ++k) {
        if (diagonal + k >= count) break;
        tile_words[diagonal + k] = merged_words[k];
        tile_rows[diagonal + k] = merged_rows[k];
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += THREADS) {
        if (out_words != nullptr) out_words[from + i] = tile_words[i];
        out_rows[from + i] = tile_rows[i];
    }
}

// ---- two columns of integers -----------------------------------------------------------------------------

// A key as an unsigned integer of the same order; with all bits in `flip` of the opposite one.
template <typename T>
__forceinline__ u64 key_of(T value, u64 flip) {
    return ordered(value) ^ flip;
}

// The rows of the first of two sorted columns that are before each tile of both, and before their end.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    split_runs(const T* __restrict__ first, u64 of_first, const T* __restrict__ second, u64 of_second, u64 flip,
               u64* __restrict__ splits, u64 num_splits) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x, rows = of_first + of_second;
    if (i >= num_splits) return;
    const u64 diagonal = i * THREADS * ROWS < rows ? i * THREADS * ROWS : rows;
    splits[i] = partition_point(diagonal > of_second ? diagonal - of_second : 0, diagonal < of_first ? diagonal : of_first,
                                [&](u64 a) {
                                    return key_of(second[diagonal - 1 - a], flip) < key_of(first[a], flip);
                                });
}

// Merges them: the keys, and the rows that they come from, those of the second column behind those of the first. Each block
// writes a tile, whose keys are read once, where they are.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    merge_runs(const T* __restrict__ first, u64 of_first, const T* __restrict__ second, u64 of_second, u64 flip,
               const u64* __restrict__ splits, T* __restrict__ out_keys, u32* __restrict__ out_rows) {
    constexpr u32 TILE = THREADS * ROWS;
    __shared__ T keys[TILE];
    __shared__ u32 rows[TILE];
    const u64 from = u64(blockIdx.x) * TILE, all = of_first + of_second;
    const u32 count = u32(all - from < TILE ? all - from : TILE);
    const u64 a = splits[blockIdx.x], b = from - a;
    const u32 of_a = u32(splits[blockIdx.x + 1] - a), of_b = count - of_a;
#pragma unroll
    for (u32 k = 0; k < ROWS; ++k) {
        const u32 i = k * THREADS + threadIdx.x;
        if (i < count) keys[i] = i < of_a ? first[a + i] : second[b + (i - of_a)];
    }
    __syncthreads();
    const u32 diagonal = threadIdx.x * ROWS < count ? threadIdx.x * ROWS : count;
    const auto key = [&](u32 i) { return key_of(keys[i], flip); };
    u32 next_a = u32(partition_point(diagonal > of_b ? diagonal - of_b : 0, diagonal < of_a ? diagonal : of_a,
                                     [&](u64 i) { return key(of_a + diagonal - 1 - u32(i)) < key(u32(i)); }));
    u32 next_b = of_a + diagonal - next_a;
    T merged_keys[ROWS];
    u32 merged_rows[ROWS];
#pragma unroll
    for (u32 k = 0; k < ROWS; ++k) {
        if (diagonal + k >= count) break;
        const bool is_second = next_a == of_a || (next_b < count && key(next_b) < key(next_a));
        const u32 next = is_second ? next_b++ : next_a++;
        merged_keys[k] = keys[next];
        merged_rows[k] = u32(is_second ? of_first + b + (next - of_a) : a + next);
    }
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ROWS; ++k) {
        if (diagonal + k >= count) break;
        keys[diagonal + k] = merged_keys[k];
        rows[diagonal + k] = merged_rows[k];
    }
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < ROWS; ++k) {
        const u32 i = k * THREADS + threadIdx.x;
        if (i >= count) break;
        out_keys[from + i] = keys[i];
        out_rows[from + i] = rows[i];
    }
}

// ---- columns of any types --------------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS)
    merge_columns(const ColumnDeviceView* columns, RowOrder order, const u8* directions, const u32* rows,
                  const u64* __restrict__ bounds, u64 pairs, u64 n, u32* __restrict__ out_rows) {
    const Columns by = {columns, order, directions, rows};
    merge_pairs(by, bounds, pairs, n, [&](u64 to, u64 from) { out_rows[to] = u32(by.row(from)); });
}
