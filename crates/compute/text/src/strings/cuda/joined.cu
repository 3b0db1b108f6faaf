// The texts of lists as one for each list. Each element is a piece of text with what stands around it, whatever the length
// of its list; the rows are runs of pieces. A list without elements has a piece for what stands at its ends.
#include "cuprum/row_pieces.cuh"
#include "cuprum/texts.cuh"

// The rows of lists and their elements, and what stands between and around these.
struct Joined {
    const ColumnDeviceView& lists;
    const TextsDeviceView& elements;
    const TextsDeviceView& separators;  // one for all, or one for each row
    const u8* between;                  // where a separator is null, if one is given
    bool has_between;
    u64 between_size;

    u64 place_of(u64 row) const { return separators.len == 1 ? 0 : row; }
    u64 count(u64 row) const { return lists.is_valid(row) ? lists.start(row + 1) - lists.start(row) : 0; }
    u64 element(u64 row, u64 k) const { return lists.start(row) + k; }
    bool has_separator(u64 row) const { return has_between || separators.is_valid(place_of(row)); }
    StringView separator(u64 row) const {
        const u64 place = place_of(row);
        return separators.is_valid(place) ? separators.string(place) : StringView{between, between_size};
    }
};

// Which of the rows have a text, as far as their elements do not matter; `first` becomes NOT_FOUND.
__global__ void __launch_bounds__(THREADS)
    rows_of_texts(const ColumnDeviceView* __restrict__ lists, TextsDeviceView separators, bool has_between,
                  bool empty_is_text, u32* __restrict__ validity, u64* __restrict__ first) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x, n = lists->len;
    const bool is_there = i < n && lists->is_valid(i) && (has_between || separators.is_valid(separators.len == 1 ? 0 : i)) &&
                          (empty_is_text || lists->start(i + 1) > lists->start(i));
    const u32 bits = __ballot_sync(ALL_LANES, is_there);
    if (i >= n) return;
    if (lane_id() == 0) validity[i / WARP] = bits;
    first[i] = NOT_FOUND;
}

// Finds the first valid element of each row, where wanted, and makes rows null that have a null, where they do.
__global__ void __launch_bounds__(THREADS)
    look_at_elements(const ColumnDeviceView* __restrict__ lists, TextsDeviceView elements, const u64* __restrict__ starts,
                     u64 n, u64 total, bool nulls_spread, bool finds_first, u32* validity, u64* first) {
    for_each_piece<THREADS>(starts, n, total, [=](u64, u64 row, u64 k) {
        if (!lists->is_valid(row) || k >= lists->start(row + 1) - lists->start(row)) return;
        if (!elements.is_valid(lists->start(row) + k)) {
            if (nulls_spread) atomicAnd(&validity[row / WARP], ~(1u << row % WARP));
        } else if (finds_first) {
            atomicMin(&first[row], k);
        }
    });
}

// The pieces of rows that have a text. `open` and `close` stand around a row; `na_rep` for null elements. These have
// separators like others where `separates_nulls`; else separators stand between the others.
__global__ void __launch_bounds__(THREADS)
    put_elements(const ColumnDeviceView* __restrict__ lists, TextsDeviceView elements, TextsDeviceView separators,
                 const u8* literals, bool has_between, u64 between_size, u64 open_size, u64 close_size, u64 na_size,
                 bool separates_nulls, const u64* __restrict__ starts, u64 n, u64 total,
                 const u32* __restrict__ validity, const u64* __restrict__ first, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    __shared__ u64 range[2];
    const Joined joined = {*lists, elements, separators, literals, has_between, between_size};
    const StringView open = {literals + between_size, open_size}, close = {open.bytes + open_size, close_size};
    const StringView missing = {close.bytes + close_size, na_size};
    const u64 begin = u64(blockIdx.x) * THREADS, piece = begin + threadIdx.x;
    const u64 end = begin + THREADS < total ? begin + THREADS : total;
    rows_of_tile(starts, n, begin, end, range);
    u64 row = 0;
    bool is_there = piece < end;
    if (is_there) {
        row = piece_at(starts, range[0], range[1], piece);
        is_there = (validity[row / WARP] >> row % WARP & 1) != 0;
    }
    make_row<THREADS>({narrow, wide, bytes, nullptr}, total, is_there, stage, [&](auto& out) {
        const u64 k = piece - starts[row], count = joined.count(row);
        if (k == 0) out.put(open);
        if (k < count) {
            const u64 element = joined.element(row, k);
            const bool is_valid = elements.is_valid(element);
            if (separates_nulls ? k > 0 : is_valid && first[row] < k) out.put(joined.separator(row));
            out.put(is_valid ? elements.string(element) : missing);
        }
        if (k + 1 >= count) out.put(close);
        return true;
    });
}

// Where each of n rows begins and the last one ends, of offsets of their pieces.
__global__ void __launch_bounds__(THREADS)
    offsets_of_rows(const i32* __restrict__ narrow, const u64* __restrict__ wide, const u64* __restrict__ starts, u64 n,
                    i32* __restrict__ narrow_rows, u64* __restrict__ wide_rows) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i > n) return;
    if (narrow != nullptr) {
        narrow_rows[i] = narrow[starts[i]];
    } else {
        wide_rows[i] = wide[starts[i]];
    }
}
