// Radix sort by digits of eight bits, the lowest first: one kernel counts all digits, and for each
// digit one pass reads every key once and writes it once, to its place among all keys (Adinets and
// Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022).
//
// The constants come from the declaration in cuda.rs: a block of a pass has THREADS threads, and each of
// them has so many elements in flight as `PassShape` says.
#include "cuprum/block.cuh"
#include "cuprum/look_back.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/pack.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 DIGIT_BITS = 8;
constexpr u32 DIGITS = 1 << DIGIT_BITS;
static_assert(THREADS == DIGITS, "each thread looks after one digit");

// The digit at `shift` of a key whose bits count up to `end`.
struct Digit {
    u32 shift, mask;

    template <typename K>
    u32 of(K key) const {
        return u32(key >> shift) & mask;
    }
};

inline Digit digit_of_pass(u32 begin, u32 end, u32 pass) {
    const u32 shift = begin + pass * DIGIT_BITS;
    const u32 bits = end - shift < DIGIT_BITS ? end - shift : DIGIT_BITS;
    return {shift, (1u << bits) - 1};
}

// ---- counting ----------------------------------------------------------------------------------------

// Adds to `counts`, DIGITS for each pass, how often each digit occurs. The dynamic shared memory has a bin of
// 32 bits for each of them; a block counts fewer than 2^32 keys, since the memory of no GPU holds enough.
//
// Additions of 1 are what shared memory does fastest, also where a warp has one digit; all else that
// is done for a digit costs time.
template <typename K>
__global__ void __launch_bounds__(COUNTING_THREADS)
    count_digits(const K* __restrict__ keys, u64 n, u32 begin, u32 end, u64* counts) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    constexpr u32 PACKS = 4;
    constexpr u64 TILE = u64(COUNTING_THREADS) * PACKS * PACK<K>;
    u32* const bins = reinterpret_cast<u32*>(dyn_smem);
    const u32 passes = (end - begin + DIGIT_BITS - 1) / DIGIT_BITS;
    const K mask = K(K(~K(0)) >> (sizeof(K) * 8 - (end - begin)));
    for (u32 bin = threadIdx.x; bin < passes * DIGITS; bin += COUNTING_THREADS) bins[bin] = 0;
    __syncthreads();
    for (u64 first = u64(blockIdx.x) * TILE; first < n; first += u64(gridDim.x) * TILE) {
        const u64 begin_of_thread = first + threadIdx.x * PACK<K>;
        Pack<K> packs[PACKS];
#pragma unroll
        for (u32 p = 0; p < PACKS; ++p) {
            packs[p] = load_pack(keys, begin_of_thread + p * COUNTING_THREADS * PACK<K>, n, K(0));
        }
        const bool is_whole = first + TILE <= n;
#pragma unroll
        for (u32 p = 0; p < PACKS; ++p) {
#pragma unroll
            for (u32 k = 0; k < PACK<K>; ++k) {
                if (!is_whole && begin_of_thread + p * COUNTING_THREADS * PACK<K> + k >= n) break;
                const K key = K(packs[p].items[k] >> begin) & mask;
#pragma unroll
                for (u32 pass = 0; pass < sizeof(K); ++pass) {
                    const u32 digit = u32(key >> pass * DIGIT_BITS) % DIGITS;
                    if (pass < passes) atomicAdd(bins + pass * DIGITS + digit, 1u);
                }
            }
        }
    }
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < passes * DIGITS; bin += COUNTING_THREADS) {
        if (bins[bin] != 0) atomicAdd(counts + bin, u64(bins[bin]));
    }
}

// ---- planning ----------------------------------------------------------------------------------------

// The source and the destination of a pass.
enum Buffer : u32 { NONE, INPUT, RESULT, SPARE };

// Turns the counts of each pass into the first places of its digits, at `places + pass * stride`, and
// decides from where to where each pass moves keys (`moves`, two for each): nowhere where all keys have
// one digit. The last pass that moves writes to the result; one moves in any case. For one block.
template <typename Count>
__global__ void __launch_bounds__(THREADS)
    plan_passes(const Count* counts, u64 n, u32 passes, u64* places, u64 stride, u32* moves) {
    __shared__ u64 warp_totals[WARPS];
    __shared__ u32 has_one_digit[sizeof(u64)];
    for (u32 pass = 0; pass < passes; ++pass) {
        const u64 count = counts[pass * DIGITS + threadIdx.x];
        const u64 up_to_digit = warp_inclusive_scan(count, Sum());
        const u64 warp_total = __shfl_sync(ALL_LANES, up_to_digit, WARP - 1);
        const WarpPrefix<u64> warps = scan_warps<THREADS>(warp_total, u64(0), Sum(), warp_totals);
        places[pass * stride + threadIdx.x] = warps.before + up_to_digit - count;
        const int is_all = __syncthreads_or(count == n);
        if (threadIdx.x == 0) has_one_digit[pass] = is_all;
    }
    if (threadIdx.x != 0) return;
    u32 left = 0;
    for (u32 pass = 0; pass < passes; ++pass) left += has_one_digit[pass] == 0;
    if (left == 0) {
        has_one_digit[0] = 0;
        left = 1;
    }
    u32 from = INPUT;
    for (u32 pass = 0; pass < passes; ++pass) {
        u32 to = NONE;
        if (has_one_digit[pass] == 0) to = left-- % 2 == 1 ? RESULT : SPARE;
        moves[pass * 2] = from;
        moves[pass * 2 + 1] = to;
        if (to != NONE) from = to;
    }
}

// ---- a pass ------------------------------------------------------------------------------------------

struct KeysAlone {
    static constexpr bool HAS_PAYLOAD = false;
};
struct WithPayload {
    static constexpr bool HAS_PAYLOAD = true;
};

// The sizes of a pass for its elements.
template <typename K, typename P, bool HAS_PAYLOAD>
struct PassShape {
    // Of an element in shared memory.
    static constexpr u32 BYTES = HAS_PAYLOAD && sizeof(P) > sizeof(K) ? sizeof(P) : sizeof(K);
    static constexpr u32 ITEMS = BYTES == 8 ? (HAS_PAYLOAD ? PAIRS_OF_8 : KEYS_OF_8)
                                            : (HAS_PAYLOAD ? PAIRS_OF_4 : KEYS_OF_4);
    static constexpr u32 TILE = THREADS * ITEMS;
    // Blocks that a multiprocessor is to hold: the compiler keeps to so few registers.
    static constexpr u32 BLOCKS = HAS_PAYLOAD && BYTES == 8 ? 2 : 3;
};

// The word that a tile publishes of a digit: a status and a number in one, so that no fence has to order
// them. A launch has at most 2^30 - 1 elements.
constexpr u32 COUNT_BITS = 30;
constexpr u32 COUNT_MASK = (1u << COUNT_BITS) - 1;

inline void publish_count(u32* word, TileStatus status, u32 count) {
    *reinterpret_cast<volatile u32*>(word) = u32(status) << COUNT_BITS | count;
}

// Earlier tiles that a block looks at at once.
constexpr u32 LOOKED_AT = 4;

// The number of elements of all tiles before `tile` with the digit of this thread. `words` are those of the
// digit in tile 0.
inline u32 count_before(const u32* words, u64 tile) {
    u32 before = 0;
    while (tile > 0) {
        // The nearest first; before tile 0 there is nothing.
        u32 found[LOOKED_AT];
#pragma unroll
        for (u32 k = 0; k < LOOKED_AT; ++k) {
            found[k] = u32(TILE_PREFIX) << COUNT_BITS;
            if (k < tile) found[k] = *static_cast<const volatile u32*>(words + (tile - 1 - k) * DIGITS);
        }
        bool is_missing = false;
#pragma unroll
        for (u32 k = 0; k < LOOKED_AT; ++k) {
            is_missing = is_missing || found[k] >> COUNT_BITS == TILE_EMPTY;
            if (is_missing) continue;
            before += found[k] & COUNT_MASK;
            if (found[k] >> COUNT_BITS == TILE_PREFIX) return before;
            --tile;
        }
        if (is_missing) __nanosleep(20);
    }
    return before;
}

// A warp's next place for a digit, the same as lanes take it up in order of the lanes. `next` has the places of
// all digits, `lanes` a word of zeros for each, which it leaves so. All lanes take part, each with a digit.
__forceinline__ u32 take_place(u32* next, u32* lanes, u32 digit) {
    atomicOr(lanes + digit, 1u << lane_id());
    __syncwarp();
    const u32 peers = lanes[digit];
    __syncwarp();
    const u32 last = WARP - 1 - __clz(peers);
    u32 place = 0;
    if (lane_id() == last) {
        place = next[digit];
        next[digit] = place + __popc(peers);
    }
    place = __shfl_sync(ALL_LANES, place, last);
    if (lane_id() == last) lanes[digit] = 0;
    __syncwarp();
    return place + __popc(peers & ((1u << lane_id()) - 1));
}

// A small number of BITS bits for each of ITEMS elements, several in one register.
template <u32 ITEMS, u32 BITS>
struct Packed {
    static constexpr u32 IN_WORD = 32 / BITS;
    u32 words[(ITEMS + IN_WORD - 1) / IN_WORD];

    // In order of the elements.
    void set(u32 r, u32 number) {
        const u32 others = r % IN_WORD == 0 ? 0 : words[r / IN_WORD];
        words[r / IN_WORD] = others | number << r % IN_WORD * BITS;
    }
    u32 get(u32 r) const { return words[r / IN_WORD] >> r % IN_WORD * BITS & ((1u << BITS) - 1); }
};

// Moves the elements [first, end) by the digit of a pass, in order within each digit. Elements of a digit go
// to places from `places[slot]` on, and `places[slot + 1]` receives the first places of the next launch of
// this pass. `words` were 0 before the launch, as was `tickets[slot]`.
template <typename K, typename P, typename What>
__global__ void __launch_bounds__(THREADS, (PassShape<K, P, What::HAS_PAYLOAD>::BLOCKS))
    sort_pass(const K* keys, const P* payload, K* result_keys, P* result_payload, K* spare_keys,
              P* spare_payload, u64 first, u64 end, u32 begin_bit, u32 end_bit, u32 pass, u32 slot,
              const u32* moves, u64* places, u64* tickets, u32* words) {
    using Shape = PassShape<K, P, What::HAS_PAYLOAD>;
    constexpr u32 ITEMS = Shape::ITEMS;
    constexpr u32 TILE = Shape::TILE;
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    unsigned char* const exchange = dyn_smem;
    u32* const warp_counts = reinterpret_cast<u32*>(exchange + TILE * Shape::BYTES);
    u32* const warp_lanes = warp_counts + WARPS * DIGITS;
    __shared__ u32 warp_totals[WARPS];
    __shared__ u64 digit_places[DIGITS];
    const u32 from = moves[pass * 2], to = moves[pass * 2 + 1];
    if (to == NONE) return;
    const K* __restrict__ from_keys = from == INPUT ? keys : from == RESULT ? result_keys : spare_keys;
    K* __restrict__ to_keys = to == RESULT ? result_keys : spare_keys;
    const Digit digit = digit_of_pass(begin_bit, end_bit, pass);

    const u64 tile = next_tile(tickets + slot);
    const u64 tile_first = first + tile * TILE;
    const u32 len = end - tile_first < TILE ? u32(end - tile_first) : TILE;
    // Without a payload registers suffice, and whole tiles need no comparisons.
    const bool is_whole = !What::HAS_PAYLOAD && len == TILE;
    u32* const counts = warp_counts + warp_id() * DIGITS;
    u32* const lanes = warp_lanes + warp_id() * DIGITS;
    for (u32 d = lane_id(); d < DIGITS; d += WARP) counts[d] = lanes[d] = 0;
    // Elements missing behind the last key have the highest digit, and come last of it.
    const u32 at = warp_id() * WARP * ITEMS + lane_id();
    K items[ITEMS];
    if (is_whole) {
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) items[r] = from_keys[tile_first + at + r * WARP];
    } else {
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            items[r] = at + r * WARP < len ? from_keys[tile_first + at + r * WARP] : K(~K(0));
        }
    }
    // Counted before they are ranked, so that the next tiles know soon.
    __syncwarp();
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) atomicAdd(counts + digit.of(items[r]), 1u);
    __syncthreads();

    // Each thread looks after one digit.
    const u32 own = threadIdx.x;
    u32 total = 0;
#pragma unroll
    for (u32 warp = 0; warp < WARPS; ++warp) {
        const u32 count = warp_counts[warp * DIGITS + own];
        warp_counts[warp * DIGITS + own] = total;
        total += count;
    }
    u32* const own_words = words + own;
    publish_count(own_words + tile * DIGITS, tile == 0 ? TILE_PREFIX : TILE_AGGREGATE, total);
    const u32 up_to_own = warp_inclusive_scan(total, Sum());
    const u32 warp_total = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const u32 in_tile = scan_warps<THREADS>(warp_total, 0u, Sum(), warp_totals).before + up_to_own - total;
#pragma unroll
    for (u32 warp = 0; warp < WARPS; ++warp) warp_counts[warp * DIGITS + own] += in_tile;
    __syncthreads();

    // Into the order of the digits: a warp goes on from the places that its digits have reached.
    K* const exchanged_keys = reinterpret_cast<K*>(exchange);
    Packed<ITEMS, 16> exchange_places;
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 place = take_place(counts, lanes, digit.of(items[r]));
        exchanged_keys[place] = items[r];
        exchange_places.set(r, place);
    }
    const u32 before = count_before(own_words, tile);
    if (tile != 0) publish_count(own_words + tile * DIGITS, TILE_PREFIX, before + total);
    const u64 place = places[u64(slot) * DIGITS + own] + before;
    digit_places[own] = place - in_tile;
    if (tile == gridDim.x - 1) places[(u64(slot) + 1) * DIGITS + own] = place + total;
    __syncthreads();

    if (is_whole) {
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            const u32 i = threadIdx.x + r * THREADS;
            const K key = exchanged_keys[i];
            to_keys[digit_places[digit.of(key)] + i] = key;
        }
        return;
    }
    Packed<ITEMS, DIGIT_BITS> digits;
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 i = threadIdx.x + r * THREADS;
        const K key = exchanged_keys[i];
        const u32 d = digit.of(key);
        digits.set(r, d);
        if (i < len) to_keys[digit_places[d] + i] = key;
    }
    if constexpr (What::HAS_PAYLOAD) {
        // Not read earlier, since fewer values in flight are better than fewer blocks.
        const P* __restrict__ from_payload =
            from == INPUT ? payload : from == RESULT ? result_payload : spare_payload;
        P* __restrict__ to_payload = to == RESULT ? result_payload : spare_payload;
        P* const exchanged = reinterpret_cast<P*>(exchange);
        P values[ITEMS];
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            if (at + r * WARP < len) values[r] = from_payload[tile_first + at + r * WARP];
        }
        __syncthreads();
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            if (at + r * WARP < len) exchanged[exchange_places.get(r)] = values[r];
        }
        __syncthreads();
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            const u32 i = threadIdx.x + r * THREADS;
            if (i < len) to_payload[digit_places[digits.get(r)] + i] = exchanged[i];
        }
    }
}
