// Elements of lists: by position, marked ones, and numbers in steps. THREADS and ITEMS come from the declaration in
// cuda.rs. The largest number stands for no element.
#include "cuprum/column.cuh"
#include "cuprum/row_pieces.cuh"

constexpr u64 TILE = u64(THREADS) * ITEMS;
constexpr u64 NONE = ~0ull;

// ---- positions ---------------------------------------------------------------------------------------

// The place of position `index` among `len` elements, counted from the end below 0; NONE where there is none.
inline u64 place_of(i64 index, u64 len) {
    const u64 place = index < 0 ? len + u64(index) : u64(index);
    return place < len ? place : NONE;
}

// The same of row i of a column of integers; NONE for nulls.
inline u64 place_at(const ColumnDeviceView& indices, u64 i, u64 len) {
    if (!indices.is_valid(i)) return NONE;
    const u64 index = integer_at(indices, i);
    // Beyond the largest signed number, so beyond every list.
    if (indices.type_id == UINT64 && i64(index) < 0) return NONE;
    return place_of(i64(index), len);
}

inline u64 length_of(const ColumnDeviceView& lists, u64 row) {
    return lists.is_valid(row) ? lists.start(row + 1) - lists.start(row) : 0;
}

// The element at a position of each list: of `indices`, else at `index`.
template <typename Element>
__global__ void __launch_bounds__(THREADS)
    elements_at(const ColumnDeviceView* __restrict__ lists, u64 n, ColumnDeviceView indices, bool has_indices,
                i64 index, Element* __restrict__ elements) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u64 len = length_of(*lists, row);
        const u64 place = has_indices ? place_at(indices, row, len) : place_of(index, len);
        elements[row] = place == NONE ? Element(-1) : Element(lists->start(row) + place);
    }
}

// The element of its row's list that each of the positions of rows stands for. `first_outside` becomes the first piece
// whose position the list does not have, and stays as it was where there is none; nulls do not count.
template <typename Element>
__global__ void __launch_bounds__(THREADS)
    elements_at_pieces(const ColumnDeviceView* __restrict__ lists, ColumnDeviceView positions,
                       const u64* __restrict__ starts, u64 n, u64 total, Element* __restrict__ elements,
                       u64* first_outside) {
    for_each_piece<TILE>(starts, n, total, [=](u64 piece, u64 row, u64) {
        const u64 place = place_at(positions, piece, length_of(*lists, row));
        elements[piece] = place == NONE ? Element(-1) : Element(lists->start(row) + place);
        if (place == NONE && positions.is_valid(piece)) atomicMin(first_outside, piece);
    });
}

// `first` becomes the first of n rows that has not as many pieces in both; it stays as it was where there is none.
__global__ void __launch_bounds__(THREADS)
    first_unequal_count(const u64* __restrict__ a, const u64* __restrict__ b, u64 n, u64* first) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        if (a[row + 1] - a[row] != b[row + 1] - b[row]) atomicMin(first, row);
    }
}

// ---- marked elements ---------------------------------------------------------------------------------
//
// Marks are 0 or 1, and 0 behind the last element. Their running sum, `ranks`, says how many are marked before each.

// Writes a mark for each of n elements.
template <typename F>
__forceinline__ void mark(u64 n, u64* marks, F is_marked) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i <= n; i += step) {
        marks[i] = i < n && is_marked(i) ? 1 : 0;
    }
}

// Elements that are valid, or those that are not.
__global__ void __launch_bounds__(THREADS)
    mark_by_validity(ColumnDeviceView elements, bool valid, u64* __restrict__ marks) {
    mark(elements.len, marks, [&](u64 i) { return elements.is_valid(i) == valid; });
}

// Booleans that are true, or those that are not.
__global__ void __launch_bounds__(THREADS)
    mark_true(ColumnDeviceView booleans, bool wanted, u64* __restrict__ marks) {
    mark(booleans.len, marks,
         [&](u64 i) { return (booleans.value<u8>(i) != 0 && booleans.is_valid(i)) == wanted; });
}

// Elements that have the number of their row's key, or of the only key. The mark behind the last one is 0 already.
__global__ void __launch_bounds__(THREADS)
    mark_keys(const u32* __restrict__ numbers, const u32* __restrict__ keys, bool is_one,
              const u64* __restrict__ starts, u64 n, u64 total, u64* __restrict__ marks) {
    for_each_piece<TILE>(starts, n, total, [=](u64 piece, u64 row, u64) {
        marks[piece] = numbers[piece] == keys[is_one ? 0 : row];
    });
}

inline bool is_nan(const ColumnDeviceView& column, u64 row) {
    if (column.type_id == FLOAT32) return column.value<f32>(row) != column.value<f32>(row);
    if (column.type_id == FLOAT64) return column.value<f64>(row) != column.value<f64>(row);
    return false;
}

// Elements that are the first of their value, by `words` of bits where there are any, and that the other list has, or
// has not: `numbers` has the largest number for those that it has not. Null elements equal no other one with `nulls`,
// NaN no other one with `nans`.
__global__ void __launch_bounds__(THREADS)
    mark_members(ColumnDeviceView elements, const u32* __restrict__ words, const u32* __restrict__ numbers, bool found,
                 bool nulls, bool nans, u64* __restrict__ marks) {
    mark(elements.len, marks, [&](u64 i) {
        const bool is_valid = elements.is_valid(i);
        const bool equals_none = is_valid ? nans && is_nan(elements, i) : nulls;
        const bool is_first = words == nullptr || equals_none || (words[i / 32] >> i % 32 & 1) != 0;
        return is_first && (numbers == nullptr || (numbers[i] != ~0u && !equals_none) == found);
    });
}

// The numbers of the marked elements, ascending.
template <typename Element>
__global__ void __launch_bounds__(THREADS)
    marked_elements(const u64* __restrict__ ranks, u64 n, Element* __restrict__ elements) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        if (ranks[i + 1] != ranks[i]) elements[ranks[i]] = Element(i);
    }
}

// Whether each of n rows has a marked element; `starts` are the rows' first elements.
__global__ void __launch_bounds__(THREADS)
    has_marked(const u64* __restrict__ ranks, const u64* __restrict__ starts, u64 n, u8* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        out[row] = ranks[starts[row + 1]] != ranks[starts[row]];
    }
}

// The position of the first or last marked element of each row, -1 where there is none.
__global__ void __launch_bounds__(THREADS)
    position_of_marked(const u64* __restrict__ ranks, const u64* __restrict__ starts, u64 n, bool last,
                       i32* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u64 begin = starts[row], end = starts[row + 1];
        const u64 before = ranks[begin], all = ranks[end];
        // The wanted one is in front of the first place with so many marks before it.
        const u64 wanted = last ? all : before + 1;
        const u64 behind = partition_point(begin, end, [=](u64 i) { return ranks[i] >= wanted; });
        out[row] = before == all ? -1 : i32(behind - 1 - begin);
    }
}

// Whether `all` pieces of each of n rows are marked; otherwise whether one is, or there are none.
__global__ void __launch_bounds__(THREADS)
    has_all_marked(const u64* __restrict__ ranks, const u64* __restrict__ starts, u64 n, bool all, u8* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u64 begin = starts[row], end = starts[row + 1];
        const u64 marked = ranks[end] - ranks[begin];
        out[row] = all ? marked == end - begin : begin == end || marked > 0;
    }
}

// ---- numbers -----------------------------------------------------------------------------------------

// The elements of n lists whose first ones are `first`, each a step behind the one before: 1 where there are no steps.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    stepping(ColumnDeviceView first, ColumnDeviceView steps, bool has_steps, const u64* __restrict__ starts, u64 n,
             u64 total, T* __restrict__ out) {
    for_each_piece<TILE>(starts, n, total, [=](u64 piece, u64 row, u64 k) {
        const T from = first.value<T>(row), step = has_steps ? steps.value<T>(row) : T(1);
        if constexpr (IS_FLOAT<T>) {
            out[piece] = from + step * T(k);
        } else {
            // Wraps around, in every width.
            out[piece] = T(u64(from) + u64(step) * k);
        }
    });
}
