// Rows numbered by their keys. THREADS and ITEMS come from the declaration in kernels.rs.
//
// A key is a code that is looked for in a hash table, or the whole row, which is compared; for those that index a table see
// codes.cu.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/look_back.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/equality.cuh"

constexpr u32 WARPS = THREADS / WARP;

// ---- digests -----------------------------------------------------------------------------------------

// A digest for each of n rows, masked by `kept`; and a bit for those that count, where there are words
// for them.
__global__ void __launch_bounds__(THREADS)
    digest_rows(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u64 kept,
                u64* __restrict__ digests, u32* __restrict__ valid) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 first = u64(blockIdx.x) * THREADS * ITEMS + warp_id() * WARP; first < n; first += step) {
        const u64 begin = first + lane_id();
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<WholeRows>(columns, parts, num_columns, begin, n, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            const u32 word = __ballot_sync(ALL_LANES, counts[k]);
            if (valid != nullptr && lane_id() == 0 && row < n) valid[row / 32] = word;
            const u64 digest = keys[k] & kept;
            if (row < n) digests[row] = digest == NO_CODE ? 0 : digest;
        }
    }
}

// Sets the flag where a row differs from the first row of its number, below `num`.
__global__ void __launch_bounds__(THREADS)
    check_numbers(const ColumnDeviceView* columns, u32 num_columns, u64 n, const u32* __restrict__ ids,
                  const u32* __restrict__ first_rows, u64 num, u32* flag) {
    const u64 step = u64(gridDim.x) * THREADS;
    bool differs = false;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        const u32 id = ids[row];
        if (id >= num) continue;
        const u32 first = first_rows[id];
        differs = differs || (first != row && !equal_rows(columns, row, columns, first, num_columns));
    }
    if (differs) set_flag(flag);
}

// ---- few rows ----------------------------------------------------------------------------------------

// Whether a row has a value in every column that `drops` has a bit for.
inline bool counts_as_key(const ColumnDeviceView* columns, u32 num_columns, u64 drops, u64 row) {
    for (u32 c = 0; c < num_columns; ++c) {
        u64 hash = 0;
        if ((drops >> c & 1) != 0 && !hashed_value(columns[c], row, hash)) return false;
    }
    return true;
}

// Group ids of n rows, a thread for each in one block; `num` becomes their number. Quadratic.
__global__ void __launch_bounds__(THREADS)
    number_few(const ColumnDeviceView* columns, u32 num_columns, u64 drops, u64 n, u32* __restrict__ ids,
               u32* __restrict__ first_rows, u32* __restrict__ num) {
    __shared__ u32 numbers[THREADS];
    __shared__ u32 warp_totals[WARPS];
    const u32 row = threadIdx.x;
    const bool counts = row < n && counts_as_key(columns, num_columns, drops, row);
    u32 first = 0;
    if (counts) {
        while (first < row && !equal_rows(columns, row, columns, first, num_columns)) ++first;
    }
    const bool is_first = counts && first == row;
    const u32 up_to_own = warp_inclusive_scan(is_first ? 1u : 0u, Sum());
    const u32 warp_total = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const WarpPrefix<u32> warps = scan_warps<THREADS>(warp_total, 0u, Sum(), warp_totals);
    const u32 number = warps.before + up_to_own - 1;
    if (is_first) first_rows[number] = row;
    numbers[row] = number;
    __syncthreads();
    if (row < n) ids[row] = counts ? numbers[first] : NONE;
    if (row == 0) num[0] = warps.total;
}

// The id of the first of `num_others` build rows with the key of each of n probe rows.
__global__ void __launch_bounds__(THREADS)
    find_few(const ColumnDeviceView* columns, const ColumnDeviceView* others, u32 num_columns, u64 drops, u64 n,
             u64 num_others, const u32* __restrict__ ids, u32* __restrict__ found) {
    const u64 row = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (row >= n) return;
    u64 other = num_others;
    if (counts_as_key(columns, num_columns, drops, row)) {
        other = 0;
        while (other < num_others && !equal_rows(columns, row, others, other, num_columns)) ++other;
    }
    found[row] = other == num_others ? NONE : ids[other];
}

// The kinds of joins, numbered as `PairKind` in brute_force.rs.
enum PairKind : u32 { INNER, LEFT, FULL, SEMI, ANTI };

// The pairs of n rows and of `num_others` others, of which there are WARP at most, that have equal keys: row after row, by the
// order of the others. LEFT and FULL have NONE for a row that has no partner, FULL has the others without one behind all; SEMI
// are the rows that have one, ANTI those that have none. One block, a thread for each row; the columns of the others follow
// those of the rows. `num` becomes how many there are.
__global__ void __launch_bounds__(THREADS)
    pair_few(const ColumnDeviceView* columns, u32 num_columns, u64 drops, u64 n, u64 num_others, u32 kind,
             u32* __restrict__ left, u32* __restrict__ right, u32* __restrict__ num) {
    __shared__ u32 warp_totals[WARPS];
    __shared__ u32 found;
    const ColumnDeviceView* const others = columns + num_columns;
    const u32 row = threadIdx.x;
    if (row == 0) found = 0;
    __syncthreads();
    u32 own = 0;
    if (row < n && counts_as_key(columns, num_columns, drops, row)) {
        for (u32 other = 0; other < num_others; ++other) {
            if (equal_rows(columns, row, others, other, num_columns)) own |= 1u << other;
        }
        if (own != 0) atomicOr(&found, own);
    }
    u32 count = 0;
    if (row < n) {
        switch (kind) {
            case INNER: count = __popc(own); break;
            case SEMI: count = own != 0; break;
            case ANTI: count = own == 0; break;
            default: count = own != 0 ? __popc(own) : 1;
        }
    }
    const u32 up_to_own = warp_inclusive_scan(count, Sum());
    const u32 warp_total = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const WarpPrefix<u32> warps = scan_warps<THREADS>(warp_total, 0u, Sum(), warp_totals);
    u32 at = warps.before + up_to_own - count;
    if (kind == SEMI || kind == ANTI) {
        if (count != 0) left[at] = row;
    } else if (count != 0 && own == 0) {
        left[at] = row;
        right[at] = NONE;
    } else {
        for (u32 rest = own; rest != 0; rest &= rest - 1, ++at) {
            left[at] = row;
            right[at] = __ffs(rest) - 1;
        }
    }
    __syncthreads();
    const u32 all = num_others < WARP ? (1u << num_others) - 1 : ALL_LANES;
    const u32 alone = kind == FULL ? all & ~found : 0;
    if (row < WARP && (alone >> row & 1) != 0) {
        const u32 place = warps.total + __popc(alone & ((1u << row) - 1));
        left[place] = NONE;
        right[place] = row;
    }
    if (row == 0) num[0] = warps.total + __popc(alone);
}

// ---- ranges of keys ----------------------------------------------------------------------------------

// Sets the flag where one of n rows of some columns differs from that of the others.
__global__ void __launch_bounds__(THREADS)
    differing_rows(const ColumnDeviceView* columns, const ColumnDeviceView* others, u32 num_columns, u64 n, u32* flag) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        if (equal_rows(columns, row, others, row, num_columns)) continue;
        set_flag(flag);
        return;
    }
}

// For each column of up to 8 bytes, which have up to `most` rows, the least and the greatest ordered form and whether any value
// is missing. `ranges` was the greatest number, 0 and 0 for each.
__global__ void __launch_bounds__(THREADS)
    key_ranges(const ColumnDeviceView* columns, u32 num_columns, u64 most, u64* ranges) {
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    const u64 first = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x;
    for (u32 c = 0; c < num_columns; ++c) {
        const ColumnDeviceView column = columns[c];
        const u64 n = column.len < most ? column.len : most;
        u64 least = ~0ull, greatest = 0;
        bool misses = false;
        for (u64 begin = first; begin < n; begin += step) {
            u64 bits[ITEMS];
            bool is_there[ITEMS];
            ordered_values(column, begin, n, bits, is_there);
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                misses = misses || (!is_there[k] && begin + k * THREADS < n);
                if (!is_there[k]) continue;
                least = Min()(least, bits[k]);
                greatest = Max()(greatest, bits[k]);
            }
        }
        least = warp_reduce(least, Min());
        greatest = warp_reduce(greatest, Max());
        const bool any_misses = __any_sync(ALL_LANES, misses);
        if (lane_id() != 0) continue;
        if (least <= greatest) {
            atomicMin(ranges + 3 * c, least);
            atomicMax(ranges + 3 * c + 1, greatest);
        }
        if (any_misses) atomicOr(ranges + 3 * c + 2, 1ull);
    }
}

// ---- tables ------------------------------------------------------------------------------------------

// A slot of a table of codes; the number is a row at first.
struct __align__(16) CodeSlot {
    u64 code;
    u32 number, unused;
};

// A slot that other threads may change meanwhile, in one access: two would both go to memory.
__forceinline__ CodeSlot changing_slot(const u32* table, u64 at) {
#ifndef CUPRUM_EMULATOR
    const ulonglong2 words = __ldcg(reinterpret_cast<const ulonglong2*>(table) + at);
    return {words.x, u32(words.y), 0};
#else
    const u32* const slot = table + 4 * at;
    return {changing(reinterpret_cast<const u64*>(slot)), changing(slot + 2), 0};
#endif
}

// The slot at which the probe for a key begins.
template <typename Key>
__forceinline__ u64 first_slot(u64 key, u32 bits) {
    return (IS_SAME<Key, Codes> ? mixed(key) : key) >> (64 - bits);
}

// A row whose probe goes on, at a slot.
struct Waiting {
    u64 key;
    u32 row, at;
};

// The rows of a warp whose probes go on. They wait until all lanes have one: in a loop of each lane by itself nearly all
// lanes would wait for the few that have any.
struct Searches {
    static constexpr u32 ROOM = WARP * (ITEMS + 1);

    Waiting* waiting;  // ROOM of them
    u32 num;

    // All lanes come here, those with a row that goes on and others.
    __forceinline__ void push(bool goes_on, const Waiting& own) {
        const u32 mask = __ballot_sync(ALL_LANES, goes_on);
        if (goes_on) waiting[num + __popc(mask & ((1u << lane_id()) - 1))] = own;
        num += __popc(mask);
    }

    // A row for each lane, as far as there are some; false for lanes without.
    __forceinline__ bool pop(Waiting& own) {
        const u32 count = num < WARP ? num : WARP;
        num -= count;
        __syncwarp();
        const bool has_own = lane_id() < count;
        if (has_own) own = waiting[num + lane_id()];
        __syncwarp();
        return has_own;
    }
};

// Puts rows into a hash table of 2 to the power of `bits` slots, linear probing: each slot gets the first row
// of its key, and each row the number of its slot where there are `slots`, NONE where it does not count. Flags: a probe took
// more than `most_steps`, and the table is given up; a key repeats; a row has no code (the range was estimated) and is left
// out.
//
// A slot of codes is four u32: the code and, as the third, the row; one of whole rows is the row. The table
// was NONE. A thread looks at the first slots of its rows at once; rows that are not there go on with others. The columns may
// have been moved: then `rows` says which rows theirs were, and those are what the table gets; first slots that are free are
// taken at once. The rows are in two to the power of `range_bits` ranges, which are gone over side by side.
template <typename Key>
__global__ void __launch_bounds__(THREADS)
    insert_rows(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, const u32* __restrict__ rows,
                u32 range_bits, u32* table, u32 bits, u64 most_steps, u32* __restrict__ slots, u32* flags) {
    constexpr bool IS_CODE = IS_SAME<Key, Codes>;
    __shared__ Waiting waiting[WARPS][Searches::ROOM];
    Searches searches = {waiting[warp_id()], 0};
    const u64 mask = (1ull << bits) - 1;
    const bool takes_first = IS_CODE && rows != nullptr;
    constexpr u64 TILE = THREADS * ITEMS;
    const u64 tiles_of_range = ((n + TILE - 1) / TILE + (1ull << range_bits) - 1) >> range_bits;
    const u64 tiles = tiles_of_range << range_bits;
    bool is_repeated = false;
    u64 tile = blockIdx.x;
    while (tile < tiles || searches.num > 0) {
        if (tile < tiles) {
            if (__any_sync(ALL_LANES, changing(flags) != 0)) return;
            const u64 range = tile & ((1ull << range_bits) - 1);
            const u64 begin = (range * tiles_of_range + (tile >> range_bits)) * TILE + threadIdx.x;
            u64 keys[ITEMS];
            bool counts[ITEMS];
            u32 goes_on = 0;
            keys_of_rows<Key>(columns, parts, num_columns, begin, n, keys, counts);
            if constexpr (IS_CODE) {
                CodeSlot found[ITEMS];
                u32 numbers[ITEMS];
#pragma unroll
                for (u32 k = 0; k < ITEMS; ++k) {
                    const u64 row = begin + k * THREADS;
                    numbers[k] = rows != nullptr && row < n ? rows[row] : u32(row);
                    found[k] = {NO_CODE, NONE, 0};
                    if (counts[k] && keys[k] == NO_CODE) {
                        counts[k] = false;
                        set_flag(flags + 2);
                    }
                    if (counts[k]) found[k] = changing_slot(table, first_slot<Key>(keys[k], bits));
                }
#pragma unroll
                for (u32 k = 0; k < ITEMS; ++k) {
                    if (!counts[k]) continue;
                    const u64 row = begin + k * THREADS, at = first_slot<Key>(keys[k], bits);
                    bool is_new = false;
                    if (takes_first && found[k].code == NO_CODE) {
                        found[k].code = atomicCAS(reinterpret_cast<u64*>(table + 4 * at), NO_CODE, keys[k]);
                        is_new = found[k].code == NO_CODE;
                    }
                    if (!is_new && found[k].code != keys[k]) {
                        goes_on |= 1u << k;
                        continue;
                    }
                    is_repeated = is_repeated || !is_new;
                    if (found[k].number > numbers[k]) atomicMin(table + 4 * at + 2, numbers[k]);
                    if (slots != nullptr) slots[row] = u32(at);
                }
            } else {
#pragma unroll
                for (u32 k = 0; k < ITEMS; ++k) goes_on |= counts[k] ? 1u << k : 0;
            }
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                const u64 row = begin + k * THREADS;
                if (slots != nullptr && row < n && !counts[k]) slots[row] = NONE;
                // A first slot that would have been taken is another's.
                const u64 at = (first_slot<Key>(keys[k], bits) + (takes_first ? 1 : 0)) & mask;
                searches.push(goes_on >> k & 1, {keys[k], u32(row), u32(at)});
            }
            tile += gridDim.x;
        }
        while (searches.num >= WARP || (tile >= tiles && searches.num > 0)) {
            Waiting own = {0, 0, 0};
            const bool has_own = searches.pop(own);
            bool goes_on = has_own, is_full = false;
            if (has_own) {
                u32* const first_row = IS_CODE ? table + 4 * u64(own.at) + 2 : table + own.at;
                u32 before;  // what is there as the first row
                bool is_new;
                if constexpr (IS_CODE) {
                    CodeSlot found = changing_slot(table, own.at);
                    is_new = found.code == NO_CODE;
                    if (is_new) {
                        found.code = atomicCAS(reinterpret_cast<u64*>(table + 4 * u64(own.at)), NO_CODE, own.key);
                        is_new = found.code == NO_CODE;
                        found.number = NONE;
                    }
                    before = found.number;
                    goes_on = !is_new && found.code != own.key;
                } else {
                    before = changing(first_row);
                    if (before == NONE) before = atomicCAS(first_row, NONE, own.row);
                    is_new = before == NONE;
                    // Any row of the key stands for it.
                    goes_on = !is_new && !equal_rows(columns, own.row, columns, before, num_columns);
                }
                if (!goes_on) {
                    is_repeated = is_repeated || !is_new;
                    const u32 row = IS_CODE && rows != nullptr ? rows[own.row] : own.row;
                    if (before > row) atomicMin(first_row, row);
                    if (slots != nullptr) slots[own.row] = own.at;
                } else {
                    own.at = u32((own.at + 1) & mask);
                    const u64 steps = (own.at - first_slot<Key>(own.key, bits)) & mask;
                    is_full = steps == 0 || steps > most_steps;
                }
            }
            if (__any_sync(ALL_LANES, is_full)) {
                if (lane_id() == 0) set_flag(flags);
                return;
            }
            searches.push(goes_on, own);
        }
    }
    if (is_repeated) set_flag(flags + 1);
}

// The part of each row, by the upper bits of its code's hash, and the number of rows of each tile of
// `tile_rows` in each part: counts[part * tiles + tile]. A part occupies one piece of a table of any size.
__global__ void __launch_bounds__(THREADS)
    count_parts(const ColumnDeviceView* columns, const u64* parts, u32 num_columns, u64 n, u64 tile_rows,
                u8* __restrict__ part_of_row, u32* __restrict__ counts_of_parts) {
    constexpr u32 PARTS = 256;
    static_assert(PARTS <= THREADS, "a thread for each part");
    __shared__ u32 bins[PARTS];
    if (threadIdx.x < PARTS) bins[threadIdx.x] = 0;
    __syncthreads();
    const u64 first = u64(blockIdx.x) * tile_rows;
    const u64 end = n - first < tile_rows ? n : first + tile_rows;
    for (u64 begin = first + threadIdx.x; begin < end; begin += THREADS * ITEMS) {
        u64 keys[ITEMS];
        bool counts[ITEMS];
        keys_of_rows<Codes>(columns, parts, num_columns, begin, end, keys, counts);
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            if (row >= end) break;
            const u32 part = u32(mixed(keys[k]) >> 56);
            part_of_row[row] = u8(part);
            atomicAdd(bins + part, 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x < PARTS) counts_of_parts[u64(threadIdx.x) * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// The value at the place of each of n rows. The rows of a tile have places in runs, which a block reads.
__global__ void __launch_bounds__(THREADS)
    back_in_order(const u32* __restrict__ at_places, const u32* __restrict__ places, u64 n, u64 tile_rows,
                  u32* __restrict__ out) {
    const u64 first = u64(blockIdx.x) * tile_rows;
    const u64 end = n - first < tile_rows ? n : first + tile_rows;
    for (u64 begin = first + threadIdx.x; begin < end; begin += THREADS * ITEMS) {
        u32 own[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) own[k] = begin + k * THREADS < end ? places[begin + k * THREADS] : 0;
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) own[k] = at_places[own[k]];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (begin + k * THREADS < end) out[begin + k * THREADS] = own[k];
        }
    }
}

// ---- numbers -----------------------------------------------------------------------------------------

// A bit for the first row of each slot. Rows are every `step`-th u32 of the table from `first` on; `words` was 0.
__global__ void __launch_bounds__(THREADS)
    mark_first_rows(const u32* __restrict__ table, u64 slots, u32 step, u32 first, u32* words) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < slots; i += stride) {
        const u32 row = table[i * step + first];
        if (row != NONE) atomicOr(words + row / 32, 1u << row % 32);
    }
}

// The first rows in the table become their numbers: how many bits are set before theirs. `numbers`, where they are
// wanted, have them side by side; where only those are, the table stays as it is.
__global__ void __launch_bounds__(THREADS)
    number_slots(u32* __restrict__ table, u64 slots, u32 step, u32 first, const u32* __restrict__ words,
                 const u32* __restrict__ ranks, u32* __restrict__ numbers, bool only_those) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < slots; i += stride) {
        const u32 row = table[i * step + first];
        if (row == NONE) continue;
        const u32 number = ranks[row / 32] + __popc(words[row / 32] & ((1u << row % 32) - 1));
        if (!only_those) table[i * step + first] = number;
        if (numbers != nullptr) numbers[i] = number;
    }
}

// The slots of rows become the numbers in these.
__global__ void __launch_bounds__(THREADS)
    numbers_of_slots(const u32* __restrict__ numbers, u64 n, u32* __restrict__ slots) {
    const u64 stride = u64(gridDim.x) * THREADS * ITEMS;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += stride) {
        u32 own[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) own[k] = begin + k * THREADS < n ? slots[begin + k * THREADS] : NONE;
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) own[k] = own[k] == NONE ? NONE : numbers[own[k]];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (begin + k * THREADS < n) slots[begin + k * THREADS] = own[k];
        }
    }
}

// The number of each row's code in a hash table of other rows; `missed` where no row has it, NONE where the
// row does not count. Counts the missed. Whole rows are compared with the row in `first` of each number, if
// it is given; else the table's numbers are rows.
template <typename Key>
__global__ void __launch_bounds__(THREADS)
    find_numbers(const ColumnDeviceView* columns, const ColumnDeviceView* others, const u64* parts,
                 u32 num_columns, u64 n, const u32* __restrict__ table, u32 bits, const u32* __restrict__ first,
                 u32 missed, u32* __restrict__ numbers, u32* num_missed) {
    constexpr bool IS_CODE = IS_SAME<Key, Codes>;
    const CodeSlot* __restrict__ const code_slots = reinterpret_cast<const CodeSlot*>(table);
    __shared__ Waiting waiting[WARPS][Searches::ROOM];
    Searches searches = {waiting[warp_id()], 0};
    const u64 mask = (1ull << bits) - 1;
    const u64 step = u64(gridDim.x) * THREADS * ITEMS;
    u32 own_missed = 0;
    u64 first_row = u64(blockIdx.x) * THREADS * ITEMS + warp_id() * WARP;
    while (first_row < n || searches.num > 0) {
        if (first_row < n) {
            const u64 begin = first_row + lane_id();
            u64 keys[ITEMS];
            bool counts[ITEMS];
            u32 goes_on = 0;
            keys_of_rows<Key>(columns, parts, num_columns, begin, n, keys, counts);
            if constexpr (IS_CODE) {
                CodeSlot found[ITEMS];
#pragma unroll
                for (u32 k = 0; k < ITEMS; ++k) {
                    found[k] = {NO_CODE, NONE, 0};
                    if (counts[k]) found[k] = code_slots[first_slot<Key>(keys[k], bits)];
                }
#pragma unroll
                for (u32 k = 0; k < ITEMS; ++k) {
                    const u64 row = begin + k * THREADS;
                    if (row >= n) continue;
                    // A row that the table does not know of may have the code that is no key's.
                    const bool is_missed = counts[k] && found[k].code == NO_CODE;
                    const bool is_there = counts[k] && !is_missed && found[k].code == keys[k];
                    own_missed += is_missed ? 1 : 0;
                    if (counts[k] && !is_there && !is_missed) {
                        goes_on |= 1u << k;
                    } else {
                        numbers[row] = is_there ? found[k].number : is_missed ? missed : NONE;
                    }
                }
            } else {
#pragma unroll
                for (u32 k = 0; k < ITEMS; ++k) {
                    goes_on |= counts[k] ? 1u << k : 0;
                    if (begin + k * THREADS < n && !counts[k]) numbers[begin + k * THREADS] = NONE;
                }
            }
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                // The first slot of a code was another's.
                const u64 at = (first_slot<Key>(keys[k], bits) + (IS_CODE ? 1 : 0)) & mask;
                searches.push(goes_on >> k & 1, {keys[k], u32(begin + k * THREADS), u32(at)});
            }
            first_row += step;
        }
        while (searches.num >= WARP || (first_row >= n && searches.num > 0)) {
            Waiting own = {0, 0, 0};
            const bool has_own = searches.pop(own);
            bool goes_on = false;
            if (has_own) {
                u32 number;
                bool is_missed;
                if constexpr (IS_CODE) {
                    const CodeSlot found = code_slots[own.at];
                    number = found.number;
                    is_missed = found.code == NO_CODE;
                    goes_on = !is_missed && found.code != own.key;
                } else {
                    number = table[own.at];
                    is_missed = number == NONE;
                    goes_on = !is_missed && !equal_rows(columns, own.row, others,
                                                        first == nullptr ? number : first[number], num_columns);
                }
                if (!goes_on) {
                    own_missed += is_missed ? 1 : 0;
                    numbers[own.row] = is_missed ? missed : number;
                }
                own.at = u32((own.at + 1) & mask);
            }
            searches.push(goes_on, own);
        }
    }
    add_up(own_missed, num_missed);
}

// Gives the missed rows their numbers, which are those that they have among themselves behind `known` others.
__global__ void __launch_bounds__(THREADS)
    number_missed(const u32* __restrict__ rows, const u32* __restrict__ own, u64 n, u32 known,
                  u32* __restrict__ numbers) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) numbers[rows[i]] = known + own[i];
}

// `rows[which[i]]` for each of n.
__global__ void __launch_bounds__(THREADS)
    take_rows(const u32* __restrict__ rows, const u32* __restrict__ which, u64 n, u32* __restrict__ out) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) out[i] = rows[which[i]];
}

// Row numbers in 64 bits; NONE becomes -1.
__global__ void __launch_bounds__(THREADS) wide_rows(const u32* __restrict__ rows, u64 n, i64* __restrict__ out) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) {
        out[i] = rows[i] == NONE ? -1 : i64(rows[i]);
    }
}

// Row numbers in 32 bits; numbers that do not fit become NONE.
__global__ void __launch_bounds__(THREADS) narrow_rows(ColumnDeviceView rows, u32* __restrict__ out) {
    const u64 stride = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < rows.len; i += stride) {
        const u64 row = rows.value<u64>(i);
        out[i] = row < NONE ? u32(row) : NONE;
    }
}
