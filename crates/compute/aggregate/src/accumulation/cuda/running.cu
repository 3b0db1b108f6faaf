// Running reductions of rows in some order, of each segment of it by itself: a total for each tile, those in one block, then
// every tile from what comes before it. Nothing depends on the order of blocks. THREADS and ITEMS come from the
// declaration in running.rs.
#include "cuprum/order.cuh"
#include "cuprum/running.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 TILE = THREADS * ITEMS;
constexpr u32 NONE = ~0u;

// The operations of scans, numbered as `Running` in running.rs.
enum How : u32 { ADD_INTEGERS, MULTIPLY_INTEGERS, ADD_FLOATS, MULTIPLY_FLOATS, ADD_SINGLES, MULTIPLY_SINGLES, LEAST, GREATEST, LATEST, BITS_OF_ALL, BITS_OF_ANY, ODD_BITS };

constexpr u32 BEGINS = 1;   // a segment begins among these rows
constexpr u32 PRESENT = 2;  // one of these rows, of the last segment, takes part

// The state of rows: bits of a value, or the row that has it.
struct State {
    u64 bits;
    u32 row, flags;
};

template <typename T>
__forceinline__ T as_float(u64 bits) {
    T value;
    memcpy(&value, &bits, sizeof(T));
    return value;
}

template <typename T>
__forceinline__ u64 as_bits(T value) {
    u64 bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

__forceinline__ State combine(const State& a, const State& b, u32 how) {
    if (b.flags & BEGINS) return b;
    State both = b;
    both.flags = a.flags | b.flags;
    if ((a.flags & PRESENT) == 0) return both;
    if ((b.flags & PRESENT) == 0) {
        both.bits = a.bits;
        both.row = a.row;
        return both;
    }
    switch (how) {
        case ADD_INTEGERS: both.bits = a.bits + b.bits; break;
        case MULTIPLY_INTEGERS: both.bits = a.bits * b.bits; break;
        case ADD_FLOATS: both.bits = as_bits(as_float<f64>(a.bits) + as_float<f64>(b.bits)); break;
        case MULTIPLY_FLOATS: both.bits = as_bits(as_float<f64>(a.bits) * as_float<f64>(b.bits)); break;
        case ADD_SINGLES: both.bits = as_bits(as_float<f32>(a.bits) + as_float<f32>(b.bits)); break;
        case MULTIPLY_SINGLES: both.bits = as_bits(as_float<f32>(a.bits) * as_float<f32>(b.bits)); break;
        case LATEST: break;
        case BITS_OF_ALL: both.bits = a.bits & b.bits; break;
        case BITS_OF_ANY: both.bits = a.bits | b.bits; break;
        case ODD_BITS: both.bits = a.bits ^ b.bits; break;
        default:
            // The earlier one of equal values.
            if (how == LEAST ? b.bits >= a.bits : b.bits <= a.bits) {
                both.bits = a.bits;
                both.row = a.row;
            }
    }
    return both;
}

struct Running {
    using State = ::State;
    u32 how;

    __forceinline__ State identity() const { return {0, NONE, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const { return ::combine(a, b, how); }
};

// The bits of a value of up to 8 bytes as `how` combines them, and whether it is no NaN.
inline u64 bits_of(const ColumnDeviceView& column, u64 row, u32 how, bool& is_number) {
    const bool orders = how == LEAST || how == GREATEST;
    u64 bits = 0;
    is_number = true;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        if constexpr (IS_FLOAT<T>) {
            const T value = column.value<T>(row);
            is_number = value == value;
            const bool is_single = how == ADD_SINGLES || how == MULTIPLY_SINGLES;
            bits = orders ? ordered(f64(value)) : is_single ? as_bits(value) : as_bits(f64(value));
        } else if constexpr (sizeof(T) <= 8) {
            const T value = column.value<T>(row);
            bits = orders ? ordered(value) : u64(i64(value));
        }
    });
    return bits;
}

// The rows in their order: of a list, or all; backwards where `reverse` says so. Rows that follow each other and have
// different numbers in `segments` begin one.
struct Sequence {
    const u32* rows;
    const u32* segments;
    u64 n;
    bool reverse;

    __forceinline__ u64 row(u64 position) const {
        const u64 at = reverse ? n - 1 - position : position;
        return rows == nullptr ? at : u64(rows[at]);
    }
};

// The state of one row; of rows that there are not, which a list that others write to may have, a segment without values.
__forceinline__ State state_of(const ColumnDeviceView& column, const Sequence& order, u64 position, u32 how, u64& row) {
    row = order.row(position);
    if (row >= column.len) return {0, NONE, BEGINS};
    State state = {0, u32(row), 0};
    if (position == 0) {
        state.flags = BEGINS;
    } else if (order.segments != nullptr) {
        const u64 before = order.row(position - 1);
        if (before >= column.len || order.segments[before] != order.segments[row]) state.flags = BEGINS;
    }
    if (how == LATEST) {
        // The column says which rows are missing.
        if (column.value<u8>(row) == 0) state.flags |= PRESENT;
        return state;
    }
    bool is_number;
    state.bits = bits_of(column, row, how, is_number);
    if (is_number && column.is_valid(row)) state.flags |= PRESENT;
    return state;
}

// The total of each tile, two words each.
__global__ void __launch_bounds__(THREADS)
    total_tiles(ColumnDeviceView column, const u32* rows, const u32* segments, u64 n, bool reverse, u32 how, u64* totals) {
    __shared__ State of_warps[WARPS];
    const Sequence order = {rows, segments, n, reverse};
    const u64 first = u64(blockIdx.x) * TILE + threadIdx.x * ITEMS;
    State own = {0, NONE, 0};
    for (u32 k = 0; k < ITEMS && first + k < n; ++k) {
        u64 row;
        own = combine(own, state_of(column, order, first + k, how, row), how);
    }
    State total;
    before_own<THREADS>(own, Running{how}, of_warps, total);
    if (threadIdx.x == 0) {
        totals[2 * u64(blockIdx.x)] = total.bits;
        totals[2 * u64(blockIdx.x) + 1] = u64(total.flags) << 32 | total.row;
    }
}

// Turns the totals of tiles into the state before each.
__global__ void __launch_bounds__(THREADS) run_over_tiles(u64* totals, u64 tiles, u32 how) {
    // Two words are a state as it lies in memory.
    totals_before<THREADS, TILES>(reinterpret_cast<State*>(totals), tiles, Running{how});
}

// Writes the state at each row: its bits, in 64 or in 32 bits, or the row that has it, NONE for no row; rows
// that take no part have themselves, except with LATEST. With `exclusive` rows have the bits of the rows
// before them, `identity` where there are none, and `found` the row of that state, the number of rows where
// there is none. With `ends` only the last row of each segment is written, at the number of the segment below
// `places`, and only where a row took part. `valid` becomes 1 for rows that are not null. With `most` above
// 0, a sum of integers that is further from 0 makes `failed` 1.
__global__ void __launch_bounds__(THREADS)
    write_running(ColumnDeviceView column, const u32* rows, const u32* segments, u64 n, bool reverse, u32 how,
                  const u64* totals, bool exclusive, u64 identity, bool ends, u64 places, u64* wide, u32* narrow,
                  u32* found, u8* valid, i64 most, u32* failed) {
    __shared__ State of_warps[WARPS];
    const Sequence order = {rows, segments, n, reverse};
    const u64 first = u64(blockIdx.x) * TILE + threadIdx.x * ITEMS;
    State own = {0, NONE, 0}, total;
    for (u32 k = 0; k < ITEMS && first + k < n; ++k) {
        u64 row;
        own = combine(own, state_of(column, order, first + k, how, row), how);
    }
    const u64 tile = blockIdx.x;
    State state = {totals[2 * tile], u32(totals[2 * tile + 1]), u32(totals[2 * tile + 1] >> 32)};
    state = combine(state, before_own<THREADS>(own, Running{how}, of_warps, total), how);
    for (u32 k = 0; k < ITEMS && first + k < n; ++k) {
        u64 row;
        const State here = state_of(column, order, first + k, how, row);
        const bool has_before = (here.flags & BEGINS) == 0 && (state.flags & PRESENT) != 0;
        const u64 before = has_before ? state.bits : identity;
        const u32 row_before = has_before ? state.row : u32(column.len);
        state = combine(state, here, how);
        if (row >= column.len) continue;
        if (most > 0 && (here.flags & PRESENT) != 0) {
            // On overflow both addends have a sign that the sum has not.
            const u64 added = has_before ? before : 0;
            const bool over = ((added ^ state.bits) & (here.bits ^ state.bits)) >> 63 != 0;
            if (over || i64(state.bits) > most || i64(state.bits) < -most) atomicOr(failed, 1u);
        }
        u64 at = row;
        if (ends) {
            at = segments == nullptr ? 0 : u64(segments[row]);
            const u64 next = first + k + 1 < n ? order.row(first + k + 1) : column.len;
            const bool is_last = next >= column.len || (segments != nullptr && segments[next] != segments[row]);
            if (!is_last || at >= places || (state.flags & PRESENT) == 0) continue;
        }
        const bool takes_part = ends || (here.flags & PRESENT) != 0;
        const u64 bits = !takes_part ? here.bits : exclusive ? before : state.bits;
        if (wide != nullptr) wide[at] = bits;
        if (narrow != nullptr) narrow[at] = u32(bits);
        if (found != nullptr) {
            const bool is_there = (state.flags & PRESENT) != 0;
            const u32 reached = exclusive ? row_before : state.row;
            found[at] = how == LATEST ? (is_there ? state.row : NONE) : takes_part ? reached : u32(row);
        }
        if (valid != nullptr) valid[at] = column.is_valid(row);
    }
}

// The lowest bits of each word.
template <typename T>
__global__ void __launch_bounds__(THREADS) low_bits(const u64* __restrict__ words, u64 n, T* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[i] = T(words[i]);
}

// ---- Decimals ---------------------------------------------------------------------------------------------

// Sums of 128 bits in halves, and whether a part of one did not fit.
struct DecimalSum {
    struct State {
        u64 low, high, failed;
    };
    __forceinline__ State identity() const { return {0, 0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        const u64 low = a.low + b.low, high = a.high + b.high + (low < a.low ? 1 : 0);
        // It has not the sign that both have.
        const u64 over = ((a.high ^ high) & (b.high ^ high)) >> 63;
        return {low, high, a.failed | b.failed | over};
    }
};

__forceinline__ DecimalSum::State decimal(const ColumnDeviceView& column, u64 row) {
    if (!column.is_valid(row)) return {0, 0, 0};
    if (column.type_id == DECIMAL128) {
        const u64 at = column.offset + 2 * row;
        return {column.value<u64>(at), column.value<u64>(at + 1), 0};
    }
    const i64 value = column.type_id == DECIMAL32 ? i64(column.value<i32>(row)) : column.value<i64>(row);
    return {u64(value), u64(value >> 63), 0};
}

// The total of each tile, three words each.
__global__ void __launch_bounds__(THREADS) total_decimals(ColumnDeviceView column, u64* totals) {
    total_of_tile<THREADS, ITEMS>(column.len, DecimalSum(), reinterpret_cast<DecimalSum::State*>(totals),
                                  [&](u64 row) { return decimal(column, row); });
}

__global__ void __launch_bounds__(THREADS) run_over_decimals(u64* totals, u64 tiles) {
    totals_before<THREADS, TILES>(reinterpret_cast<DecimalSum::State*>(totals), tiles, DecimalSum());
}

// The sums up to each row, or of the rows before it; `failed` becomes 1 where a part of one did not fit.
__global__ void __launch_bounds__(THREADS)
    write_decimals(ColumnDeviceView column, const u64* totals, bool exclusive, u64* __restrict__ sums, u32* failed) {
    run_tile<THREADS, ITEMS>(
        column.len, DecimalSum(), reinterpret_cast<const DecimalSum::State*>(totals),
        [&](u64 row) { return decimal(column, row); },
        [&](u64 row, const DecimalSum::State& before, const DecimalSum::State& after) {
            sums[2 * row] = exclusive ? before.low : after.low;
            sums[2 * row + 1] = exclusive ? before.high : after.high;
            if (after.failed != 0) atomicOr(failed, 1u);
        });
}

// The smallest or the largest of values of 128 bits in halves, where there are any.
struct DecimalExtreme {
    struct State {
        u64 low, high, is_there;
    };
    bool smallest;

    __forceinline__ State identity() const { return {0, 0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        if (a.is_there == 0) return b;
        if (b.is_there == 0) return a;
        const bool is_less = a.high == b.high ? a.low < b.low : i64(a.high) < i64(b.high);
        return is_less == smallest ? a : b;
    }
};

__forceinline__ DecimalExtreme::State wide_decimal(const ColumnDeviceView& column, u64 row) {
    if (!column.is_valid(row)) return {0, 0, 0};
    const u64 at = column.offset + 2 * row;
    return {column.value<u64>(at), column.value<u64>(at + 1), 1};
}

// The extreme of each tile, three words each.
__global__ void __launch_bounds__(THREADS) decimal_extremes_of_tiles(ColumnDeviceView column, bool smallest, u64* totals) {
    total_of_tile<THREADS, ITEMS>(column.len, DecimalExtreme{smallest},
                                  reinterpret_cast<DecimalExtreme::State*>(totals),
                                  [&](u64 row) { return wide_decimal(column, row); });
}

__global__ void __launch_bounds__(THREADS) run_over_decimal_extremes(u64* totals, u64 tiles, bool smallest) {
    totals_before<THREADS, TILES>(reinterpret_cast<DecimalExtreme::State*>(totals), tiles, DecimalExtreme{smallest});
}

// The extreme of the values up to each row, 0 where there is none.
__global__ void __launch_bounds__(THREADS)
    write_decimal_extremes(ColumnDeviceView column, bool smallest, const u64* totals, u64* __restrict__ extremes) {
    run_tile<THREADS, ITEMS>(
        column.len, DecimalExtreme{smallest}, reinterpret_cast<const DecimalExtreme::State*>(totals),
        [&](u64 row) { return wide_decimal(column, row); },
        [&](u64 row, const DecimalExtreme::State&, const DecimalExtreme::State& after) {
            extremes[2 * row] = after.low;
            extremes[2 * row + 1] = after.high;
        });
}
