// Rows by codes of their keys that index a table. THREADS, ITEMS and FEW_WORDS come from the declaration in direct_address.rs.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/equality.cuh"

constexpr u32 WARPS = THREADS / WARP;

// The first row of every code; the second flag says that a code repeats. `table` was NONE and has `bound` codes. Rows
// whose code is not below that are left out, which the third flag says: the bound was estimated, or somebody writes to the
// columns meanwhile.
__global__ void __launch_bounds__(THREADS)
    first_rows(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u64 bound, u32* table,
               u32* flags) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    bool is_repeated = false, is_outside = false;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        u32 found[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            is_outside = is_outside || (counts[k] && keys[k] >= bound);
            counts[k] = counts[k] && keys[k] < bound;
            found[k] = counts[k] ? changing(table + keys[k]) : 0;
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u32 row = u32(begin + k * THREADS);
            if (!counts[k]) continue;
            // Rows ascend, so nearly always an earlier one is there.
            if (found[k] > row) found[k] = atomicMin(table + keys[k], row);
            is_repeated = is_repeated || found[k] != NONE;
        }
    }
    if (is_repeated) set_flag(flags + 1);
    if (is_outside) set_flag(flags + 2);
}

// The entry of the table of `bound` codes for the code of each row; `missed` where there is none, or the code is not below
// the bound; NONE where the row does not count. Counts those that missed.
__global__ void __launch_bounds__(THREADS)
    numbers_of_codes(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n,
                     u64 bound, const u32* __restrict__ table, u32 missed, u32* __restrict__ numbers, u32* num_missed) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    u32 own_missed = 0;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        u32 found[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            found[k] = counts[k] && keys[k] < bound ? table[keys[k]] : NONE;
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            const bool is_missed = counts[k] && found[k] == NONE;
            own_missed += is_missed ? 1 : 0;
            if (row < n) numbers[row] = is_missed ? missed : found[k];
        }
    }
    add_up(own_missed, num_missed);
}

// The first rows in a table of few codes, which are below 32 * FEW_WORDS, become their numbers, see `number_slots`; `first_rows`
// gets them in order, and `num` how many there are. One block.
__global__ void __launch_bounds__(THREADS)
    number_few_codes(u32* __restrict__ table, u64 codes, u32* __restrict__ first_rows, u32* __restrict__ num) {
    constexpr u32 OWN = FEW_WORDS / THREADS;
    static_assert(FEW_WORDS % THREADS == 0, "each thread has as many words");
    __shared__ u32 words[FEW_WORDS];
    __shared__ u32 ranks[FEW_WORDS];
    __shared__ u32 warp_totals[WARPS];
    for (u32 i = threadIdx.x; i < FEW_WORDS; i += THREADS) words[i] = 0;
    __syncthreads();
    for (u64 i = threadIdx.x; i < codes; i += THREADS) {
        const u32 row = table[i];
        if (row != NONE) atomicOr(words + row / 32, 1u << row % 32);
    }
    __syncthreads();
    u32 own = 0;
    for (u32 k = 0; k < OWN; ++k) own += __popc(words[threadIdx.x * OWN + k]);
    const u32 up_to_own = warp_inclusive_scan(own, Sum());
    const u32 warp_total = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const WarpPrefix<u32> warps = scan_warps<THREADS>(warp_total, 0u, Sum(), warp_totals);
    u32 rank = warps.before + up_to_own - own;
    for (u32 k = 0; k < OWN; ++k) {
        ranks[threadIdx.x * OWN + k] = rank;
        rank += __popc(words[threadIdx.x * OWN + k]);
    }
    __syncthreads();
    for (u64 i = threadIdx.x; i < codes; i += THREADS) {
        const u32 row = table[i];
        if (row == NONE) continue;
        const u32 number = ranks[row / 32] + __popc(words[row / 32] & ((1u << row % 32) - 1));
        table[i] = number;
        first_rows[number] = row;
    }
    if (threadIdx.x == 0) num[0] = warps.total;
}

// A bit for each of `codes` that has a first row, and how many these are.
__global__ void __launch_bounds__(THREADS)
    mark_known_codes(const u32* __restrict__ first_rows, u32 codes, u32* __restrict__ known, u32* num) {
    u32 own = 0;
    for (u32 word = blockIdx.x * WARPS + warp_id(); word < (codes + 31) / 32; word += gridDim.x * WARPS) {
        const u32 code = word * WARP + lane_id();
        const bool is_known = code < codes && first_rows[code] != NONE;
        const u32 bits = __ballot_sync(ALL_LANES, is_known);
        if (lane_id() == 0) known[word] = bits;
        own += is_known ? 1 : 0;
    }
    add_up(own, num);
}

// The code of each row, see `CodedRows`; NONE for those that have none.
template <typename Key>
__global__ void __launch_bounds__(THREADS)
    codes_of_rows(ColumnDeviceView keys, u64 least, u32 bound, const u32* __restrict__ known, u32* first_rows, u32* told,
                  u32* __restrict__ codes) {
    CodedRows<Key> of(keys, least, bound, known, first_rows);
    const u64 n = keys.len, step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        Key own[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            own[k] = row < n ? of.key(row) : 0;
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            if (row < n) codes[row] = of.group(own[k], row);
        }
    }
    of.tell(told);
}

// The code of each number, of a table that has the numbers of codes, NONE for those that have none.
__global__ void __launch_bounds__(THREADS)
    codes_of_numbers(const u32* __restrict__ table, u32 codes, u32* __restrict__ out) {
    for (u32 code = blockIdx.x * THREADS + threadIdx.x; code < codes; code += gridDim.x * THREADS) {
        if (table[code] != NONE) out[table[code]] = code;
    }
}

// The number of rows of some columns, of up to `most` rows each, with a code that the table does not have:
// the second number. The first column, whose codes are in the table, is left out.
__global__ void __launch_bounds__(THREADS)
    count_missed_codes(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 most, u64 bound,
                       const u32* __restrict__ table, u32* numbers) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    u32 own_missed = 0;
    for (u32 c = 1; c < num_columns; ++c) {
        const u64 n = columns[c].len < most ? columns[c].len : most;
        for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
            u64 keys[ITEMS];
            bool counts[ITEMS];
            keys_of_rows<Codes>(columns + c, parts, 1, begin, n, keys, counts);
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                own_missed += counts[k] && (keys[k] >= bound || table[keys[k]] == NONE) ? 1 : 0;
            }
        }
    }
    add_up(own_missed, numbers + 1);
}

// ---- bits --------------------------------------------------------------------------------------------

// Sets the bit of the code of each of n rows, of those below the bound.
__global__ void __launch_bounds__(THREADS)
    mark_codes(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u64 bound, u32* marked) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (!counts[k] || keys[k] >= bound) continue;
            u32* const word = marked + keys[k] / 32;
            const u32 bit = 1u << keys[k] % 32;
            if ((changing(word) & bit) == 0) atomicOr(word, bit);
        }
    }
}

// A bit for each of n rows whose code is marked, or with `there` false for each other one. Words behind the last row are not
// written.
__global__ void __launch_bounds__(THREADS)
    rows_of_codes(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u64 bound,
                  const u32* __restrict__ marked, bool there, u32* __restrict__ words) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 first = u64(blockIdx.x) * THREADS * ITEMS + warp_id() * WARP; first < n; first += step) {
        const u64 begin = first + lane_id();
        u64 keys[ITEMS];
        bool counts[ITEMS];
        u32 found[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            found[k] = counts[k] && keys[k] < bound ? marked[keys[k] / 32] >> keys[k] % 32 & 1 : 0;
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            const u32 word = __ballot_sync(ALL_LANES, row < n && (found[k] != 0) == there);
            if (lane_id() == 0 && row < n) words[row / 32] = word;
        }
    }
}
