// Merges of rows in order: of two runs side by side, each thread writes some rows, which begin where a diagonal of the two
// crosses the way of the merge (Odeh, Green, Mwassi, Shmueli and Birk 2012). The constants come from the declaration in
// cuda.rs: THREADS of every block, and ROWS that each of them writes.
#include "cuprum/order.cuh"
#include "cuprum/search.cuh"

// Rows whose words say how they compare.
struct Words {
    const u64* words;

    // Whether the row at place `b` comes before the one at place `a`.
    __forceinline__ bool is_before(u64 b, u64 a) const { return words[b] < words[a]; }
};

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

// The rows, and their words, which go along.
__global__ void __launch_bounds__(THREADS)
    merge_words(const u64* __restrict__ words, const u32* rows, const u64* __restrict__ bounds, u64 pairs, u64 n,
                u64* __restrict__ out_words, u32* __restrict__ out_rows) {
    merge_pairs(Words{words}, bounds, pairs, n, [&](u64 to, u64 from) {
        out_words[to] = words[from];
        out_rows[to] = rows == nullptr ? u32(from) : rows[from];
    });
}

__global__ void __launch_bounds__(THREADS)
    merge_columns(const ColumnDeviceView* columns, RowOrder order, const u8* directions, const u32* rows,
                  const u64* __restrict__ bounds, u64 pairs, u64 n, u32* __restrict__ out_rows) {
    const Columns by = {columns, order, directions, rows};
    merge_pairs(by, bounds, pairs, n, [&](u64 to, u64 from) { out_rows[to] = u32(by.row(from)); });
}
