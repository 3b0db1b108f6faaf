// The order of rows: their keys as words, and the ties in these.
//
// The constants come from the declaration in cuda.rs: THREADS of every block, ROWS that a thread has in flight.
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"

// ---- few rows ----------------------------------------------------------------------------------------

// The place of each of n rows is the number of rows before it: a warp counts them. Quadratic.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    order_few(const ColumnDeviceView* columns, RowOrder order, const u8* directions, u64 n, Row* rows) {
    const u64 row = (u64(blockIdx.x) * THREADS + threadIdx.x) / WARP;
    if (row >= n) return;
    u32 before = 0;
    for (u64 other = lane_id(); other < n; other += WARP) {
        const i32 compared = compare_rows(columns, other, columns, row, order, directions);
        before += compared < 0 || (compared == 0 && other < row);
    }
    before = warp_reduce(before, Sum());
    if (lane_id() == 0) rows[before] = Row(row);
}

// Sets `disorder` where a row comes before its predecessor.
template <typename Flag>
__global__ void __launch_bounds__(THREADS)
    find_disorder(const ColumnDeviceView* columns, RowOrder order, const u8* directions, u64 n, Flag* disorder) {
    const u64 step = u64(gridDim.x) * THREADS;
    bool is_disorder = false;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x + 1; row < n && !is_disorder; row += step) {
        is_disorder = compare_rows(columns, row - 1, columns, row, order, directions) > 0;
    }
    if (is_disorder) atomicOr(disorder, 1u);
}

// ---- ranges ------------------------------------------------------------------------------------------

struct Wide {
    u64 high, low;
};
inline bool is_less(Wide a, Wide b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }
struct Smaller {
    Wide operator()(Wide a, Wide b) const { return is_less(b, a) ? b : a; }
};
struct Larger {
    Wide operator()(Wide a, Wide b) const { return is_less(a, b) ? b : a; }
};

// The values of all threads combined, right in thread 0. `shared` is free after the next __syncthreads().
template <typename Op>
Wide reduce_wide(Wide value, Op op, Wide* shared) {
#pragma unroll
    for (u32 offset = 1; offset < WARP; offset *= 2) {
        const Wide later = {__shfl_down_sync(ALL_LANES, value.high, offset),
                            __shfl_down_sync(ALL_LANES, value.low, offset)};
        if (lane_id() + offset < WARP) value = op(value, later);
    }
    if (lane_id() == 0) shared[warp_id()] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 warp = 1; warp < THREADS / WARP; ++warp) value = op(value, shared[warp]);
    }
    return value;
}

// The range of the values that are neither null nor NaN, RANGE_WORDS for each column: the smallest and the
// largest one (128 bits each), their number; of texts the bytes that all begin with, the most bytes.
struct Range {
    Wide low, high;
    u64 present, shared, longest;
};
__device__ constexpr u64 NO_END = ~0ull;

__forceinline__ void write_range(Range range, u64* at, Wide* wides, u64* numbers) {
    const Wide low = reduce_wide(range.low, Smaller(), wides);
    __syncthreads();
    const Wide high = reduce_wide(range.high, Larger(), wides);
    const u64 present = block_reduce<THREADS>(range.present, Sum(), numbers);
    __syncthreads();
    const u64 shared = block_reduce<THREADS>(range.shared, Min(), numbers);
    __syncthreads();
    const u64 longest = block_reduce<THREADS>(range.longest, Max(), numbers);
    __syncthreads();
    if (threadIdx.x != 0) return;
    at[0] = low.high;
    at[1] = low.low;
    at[2] = high.high;
    at[3] = high.low;
    at[4] = present;
    at[5] = shared;
    at[6] = longest;
}

// A row that is not null, among the first ones, to compare all others with; n where there is none.
inline u64 some_valid_row(const ColumnDeviceView& view, u64 n) {
    constexpr u64 most = 4096;
    u64 row = 0;
    while (row < n && row < most && !view.is_valid(row)) ++row;
    return row < most ? row : n;
}

// The range of each block for each column, of n rows.
template <typename Number>
__global__ void __launch_bounds__(THREADS)
    key_ranges(const ColumnDeviceView* columns, u32 num_columns, u64 n, Number* ranges) {
    __shared__ Wide wides[THREADS / WARP];
    __shared__ u64 numbers[THREADS / WARP];
    const u64 first = u64(blockIdx.x) * THREADS + threadIdx.x;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u32 c = 0; c < num_columns; ++c) {
        const ColumnDeviceView view = columns[c];
        Range range = {{NO_END, NO_END}, {0, 0}, 0, NO_END, 0};
        if (view.type_id == STRING) {
            const u64 like = some_valid_row(view, n);
            if (like < n) range.shared = view.start(like + 1) - view.start(like);
            else range.shared = 0;
            for (u64 row = first; row < n; row += step) {
                if (!view.is_valid(row)) continue;
                const StringView text = view.string(row);
                ++range.present;
                range.longest = text.size > range.longest ? text.size : range.longest;
                if (range.shared == 0) continue;
                StringView other = view.string(like);
                other.size = range.shared;
                range.shared = common_prefix(text, other, 0);
            }
        } else {
            with_stored(view.type_id, [&](auto type) {
                using T = decltype(type);
                u64 low = NO_END, high = 0;  // of values of up to 8 bytes, which one word is enough for
                for (u64 begin = first; begin < n; begin += ROWS * step) {
#pragma unroll
                    for (u32 r = 0; r < ROWS; ++r) {
                        const u64 row = begin + r * step;
                        if (row >= n || !view.is_valid(row)) continue;
                        const Comparable value = comparable_of(view.value<T>(row));
                        if (value.is_missing) continue;
                        ++range.present;
                        if constexpr (sizeof(T) <= 8) {
                            low = Min()(low, value.low);
                            high = Max()(high, value.low);
                        } else {
                            const Wide wide = {value.high, value.low};
                            range.low = Smaller()(range.low, wide);
                            range.high = Larger()(range.high, wide);
                        }
                    }
                }
                if (sizeof(T) <= 8 && range.present > 0) {
                    range.low = {0, low};
                    range.high = {0, high};
                }
            });
        }
        write_range(range, ranges + (u64(blockIdx.x) * num_columns + c) * RANGE_WORDS, wides, numbers);
    }
}

// Combines the ranges of all blocks: a block for each column.
template <typename Number>
__global__ void __launch_bounds__(THREADS)
    combine_ranges(const Number* parts, u64 num_parts, u32 num_columns, Number* ranges) {
    __shared__ Wide wides[THREADS / WARP];
    __shared__ u64 numbers[THREADS / WARP];
    Range range = {{NO_END, NO_END}, {0, 0}, 0, NO_END, 0};
    for (u64 part = threadIdx.x; part < num_parts; part += THREADS) {
        const u64* at = parts + (part * num_columns + blockIdx.x) * RANGE_WORDS;
        range.low = Smaller()(range.low, Wide{at[0], at[1]});
        range.high = Larger()(range.high, Wide{at[2], at[3]});
        range.present += at[4];
        range.shared = Min()(range.shared, at[5]);
        range.longest = Max()(range.longest, at[6]);
    }
    write_range(range, ranges + u64(blockIdx.x) * RANGE_WORDS, wides, numbers);
}

// ---- words -------------------------------------------------------------------------------------------

// A piece of a word: bits of the code of a column's values. See `layout.rs`.
struct KeyField {
    u64 origin;                 // taken from a value before all else
    u64 low, high;              // of the values that are left
    u64 base, absent;           // the first code of values, the code where there is none
    u64 skip;                   // bytes at the start of texts
    u32 column, kind;
    u32 shift, bits;            // which bits of the code
    u32 descending, missing_first;
};
// VALUE is all 64 bits of the compared value; of decimals of 128 bits the low half, HIGH is the other one.
// MISSING is one bit; a text's number of KIND_TEXT + w has w bytes, and four bits for how many there are.
enum Kind : u32 { KIND_VALUE, KIND_HIGH, KIND_MISSING, KIND_TEXT };

__device__ constexpr u32 MOST_LEADING = 7;

// The first `width` bytes of a text, at most MOST_LEADING, most significant first, then four bits for how many there are; `width + 1` stands
// for more.
__forceinline__ u64 leading(StringView text, u64 skip, u32 width) {
    const u64 size = text.size > skip ? text.size - skip : 0;
    u64 word = 0;
    // All loads at once: most texts have all of these bytes.
#pragma unroll
    for (u32 i = 0; i < MOST_LEADING; ++i) {
        if (i < width) word = word << 8 | (i < size ? u64(text.bytes[skip + i]) : 0);
    }
    return word << 4 | (size > width ? width + 1 : size);
}

// Adds a field to the words of COUNT rows, `rows[r]` of which exists where bit r of `exists` is set.
template <u32 COUNT>
__forceinline__ void add_field(const ColumnDeviceView* columns, const KeyField& field, const u64 (&rows)[COUNT],
                               u32 exists, u64 (&words)[COUNT]) {
    const ColumnDeviceView view = columns[field.column];
    u64 values[COUNT];
    u32 present = 0;
#pragma unroll
    for (u32 r = 0; r < COUNT; ++r) {
        values[r] = 0;
        if ((exists >> r & 1) != 0 && view.is_valid(rows[r])) present |= 1u << r;
    }
    if (field.kind >= KIND_TEXT) {
#pragma unroll
        for (u32 r = 0; r < COUNT; ++r) {
            if ((present >> r & 1) == 0) continue;
            values[r] = leading(view.string(rows[r]), field.skip, field.kind - KIND_TEXT);
        }
    } else if (view.type_id != STRING) {
        with_stored(view.type_id, [&](auto type) {
            using T = decltype(type);
#pragma unroll
            for (u32 r = 0; r < COUNT; ++r) {
                if ((present >> r & 1) == 0) continue;
                const Comparable value = comparable_of(view.value<T>(rows[r]));
                values[r] = field.kind == KIND_HIGH ? value.high : value.low;
                if (value.is_missing) present &= ~(1u << r);
            }
        });
    }
    const u64 mask = field.bits >= 64 ? ~0ull : (1ull << field.bits) - 1;
#pragma unroll
    for (u32 r = 0; r < COUNT; ++r) {
        const bool is_present = (present >> r & 1) != 0;
        u64 code;
        if (field.kind == KIND_MISSING) {
            code = is_present == (field.missing_first != 0);
        } else {
            const u64 value = values[r] - field.origin;
            code = field.descending ? field.high - value : value - field.low;
            code = is_present ? code + field.base : field.absent;
        }
        words[r] = (field.bits >= 64 ? 0 : words[r] << field.bits) | (code >> field.shift & mask);
    }
}

// One word, the fields [first, end), of n rows: those of `map`, or all in order.
template <typename Word, typename Row>
__global__ void __launch_bounds__(THREADS)
    fill_words(const ColumnDeviceView* columns, const KeyField* fields, u32 first, u32 end, const Row* map, u64 n,
               Word* out) {
    const u64 begin = u64(blockIdx.x) * THREADS * ROWS + threadIdx.x;
    u64 rows[ROWS];
    u64 words[ROWS];
    u32 exists = 0;
#pragma unroll
    for (u32 r = 0; r < ROWS; ++r) {
        const u64 i = begin + r * THREADS;
        words[r] = 0;
        rows[r] = 0;
        if (i >= n) continue;
        exists |= 1u << r;
        rows[r] = map != nullptr ? u64(map[i]) : i;
    }
    for (u32 f = first; f < end; ++f) {
        const KeyField field = fields[f];
        add_field(columns, field, rows, exists, words);
    }
#pragma unroll
    for (u32 r = 0; r < ROWS; ++r) {
        if ((exists >> r & 1) != 0) out[begin + r * THREADS] = Word(words[r]);
    }
}

// ---- codes -------------------------------------------------------------------------------------------

// A code of 32 bits keeps the order of words of 64: a sample says how many codes each bucket of the words between its
// least and its greatest gets, and words outside have codes by the logarithm of their distance. The least
// word there can be and the greatest have codes of their own.
constexpr u32 BUCKETS = 1u << BUCKET_BITS;
constexpr u32 TAIL_BITS = 20;                          // of a distance, behind its highest bit
constexpr u32 TAIL = 64u << TAIL_BITS;                 // codes on either side
constexpr u32 FIRST_CODE = TAIL + 1;                   // of what is inside
constexpr u32 FIRST_ABOVE = ~0u - TAIL;
constexpr u32 INSIDE = FIRST_ABOVE - FIRST_CODE;
constexpr u32 OWN_FIRST = 0, OWN_LAST = ~0u;

// The range inside, from a sample: the complement of the least, and the greatest.
struct Inside {
    u64 low, high;
    u32 shift;

    __forceinline__ explicit Inside(const u64* range) : low(~range[0]), high(range[1]) {
        shift = low < high ? __clzll(i64(high - low)) : 0;
    }
    // The bucket of a word in the highest bits.
    __forceinline__ u64 stretched(u64 word) const { return word - low << shift; }
    __forceinline__ bool has(u64 word) const { return low <= word && word <= high; }
};

// Grows with a distance, which is not 0; below TAIL.
__forceinline__ u32 tail_code(u64 distance) {
    const u32 top = 63 - __clzll(i64(distance));
    const u64 behind = top >= TAIL_BITS ? distance >> (top - TAIL_BITS) : distance << (TAIL_BITS - top);
    return top << TAIL_BITS | (u32(behind) & ((1u << TAIL_BITS) - 1));
}

__forceinline__ u32 code_of(u64 word, u64 greatest, const Inside& inside, const u32* starts) {
    if (word == 0) return OWN_FIRST;
    if (word >= greatest) return OWN_LAST;
    if (word < inside.low) return TAIL - tail_code(inside.low - word);
    if (word > inside.high) return FIRST_ABOVE + tail_code(word - inside.high);
    const u64 stretched = inside.stretched(word);
    const u32 bucket = u32(stretched >> (64 - BUCKET_BITS));
    const u32 behind = u32(stretched << BUCKET_BITS >> 32), start = starts[bucket];
    return FIRST_CODE + start + u32(u64(behind) * (starts[bucket + 1] - start) >> 32);
}

// A row of each of `count` pieces of n rows.
template <typename Row>
__global__ void __launch_bounds__(THREADS) sample_rows(u64 n, u64 count, Row* rows) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= count) return;
    const u64 piece = n / count;
    rows[i] = Row(i * piece + (i * 0x9e3779b97f4a7c15ull >> 32) % piece);
}

// The bytes that sampled words begin with, so many in each behind `base`, as 256 bits that were 0; the least and the greatest word
// are left out.
template <typename Word>
__global__ void __launch_bounds__(THREADS)
    sample_bytes(const Word* words, u64 count, u64 greatest, u64 base, u32 digits, u32* seen) {
    __shared__ u32 own[256 / 32];
    if (threadIdx.x < 256 / 32) own[threadIdx.x] = 0;
    __syncthreads();
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    const u64 word = i < count ? words[i] : 0;
    for (u32 digit = word == 0 || word >= greatest ? 0 : digits; digit > 0; --digit) {
        const u32 byte = u32((word - base) >> (8 * digit - 4) & 255), bit = 1u << byte % 32;
        if ((*reinterpret_cast<volatile u32*>(own + byte / 32) & bit) == 0) atomicOr(own + byte / 32, bit);
    }
    __syncthreads();
    if (threadIdx.x >= 256 / 32) return;
    const u32 bits = own[threadIdx.x];
    if ((bits & ~*reinterpret_cast<volatile u32*>(seen + threadIdx.x)) != 0) atomicOr(seen + threadIdx.x, bits);
}

// The ranks of all bytes, for an alphabet. A thread for each.
__forceinline__ void rank_bytes(const u32* seen, u16* ranks) {
    static_assert(THREADS == 256, "a thread for each byte");
    ranks[threadIdx.x] = Alphabet::rank(seen, threadIdx.x);
    __syncthreads();
}

// Sampled words become numbers of their alphabet.
template <typename Word>
__global__ void __launch_bounds__(THREADS)
    spread_words(Word* words, u64 count, u64 greatest, u64 base, u32 digits, const u32* seen) {
    __shared__ u16 ranks[256];
    rank_bytes(seen, ranks);
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i < count) words[i] = Alphabet{ranks, base, digits}.spread(words[i], greatest);
}

// The range of sampled words, `range` was 0; the least and the greatest word are left out.
template <typename Word>
__global__ void __launch_bounds__(THREADS) sample_range(const Word* words, u64 count, u64 greatest, u64* range) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    const u64 word = i < count ? words[i] : 0;
    const bool counts = word != 0 && word < greatest;
    const u64 below = warp_reduce(counts ? ~word : 0, Max());
    const u64 above = warp_reduce(counts ? word : 0, Max());
    if (lane_id() != 0 || above == 0) return;
    atomicMax(range, below);
    atomicMax(range + 1, above);
}

// The number of sampled words in each bucket; `counts` was 0.
template <typename Word>
__global__ void __launch_bounds__(THREADS)
    sample_buckets(const Word* words, u64 count, u64 greatest, const u64* range, u32* counts) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= count) return;
    const Inside inside(range);
    const u64 word = words[i];
    if (word == 0 || word >= greatest || !inside.has(word)) return;
    atomicAdd(counts + (inside.stretched(word) >> (64 - BUCKET_BITS)), 1u);
}

// The first code of each bucket, and one more: nine tenths of the codes by the sample, the rest to all alike. For
// one block.
template <typename Count>
__global__ void __launch_bounds__(THREADS) plan_codes(const Count* counts, u64 count, u32* starts) {
    constexpr u32 OWN = BUCKETS / THREADS;
    __shared__ u32 warp_totals[THREADS / WARP];
    const u64 each = u64(INSIDE) / 10 * 9 / count;
    u32 widths[OWN];
    u32 total = 0;
#pragma unroll
    for (u32 k = 0; k < OWN; ++k) {
        widths[k] = u32(counts[threadIdx.x * OWN + k] * each) + INSIDE / 10 / BUCKETS;
        total += widths[k];
    }
    const u32 up_to_own = warp_inclusive_scan(total, Sum());
    const u32 warp_total = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    u32 start = scan_warps<THREADS>(warp_total, 0u, Sum(), warp_totals).before + up_to_own - total;
#pragma unroll
    for (u32 k = 0; k < OWN; ++k) {
        starts[threadIdx.x * OWN + k] = start;
        start += widths[k];
    }
    if (threadIdx.x == THREADS - 1) starts[BUCKETS] = start;
}

// Counts in `shared` the sampled words whose code another one has, but for codes of one word where `own` says so.
// `slots` of them, a power of two and more than there are words, were OWN_LAST.
template <typename Word>
__global__ void __launch_bounds__(THREADS)
    count_shared_codes(const Word* words, u64 count, u64 greatest, const u64* range, const u32* starts, bool own,
                       u32* table, u64 slots, u32* shared) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    bool is_shared = false;
    if (i < count) {
        u32 code = code_of(words[i], greatest, Inside(range), starts);
        const bool is_own = code == OWN_FIRST || code == OWN_LAST;
        if (code == OWN_LAST) --code;
        u64 at = u64(code) * 0x9e3779b97f4a7c15ull >> 32;
        for (;; ++at) {
            if (own && is_own) break;
            u32* const slot = table + (at & (slots - 1));
            u32 found = *reinterpret_cast<volatile u32*>(slot);
            if (found == OWN_LAST) found = atomicCAS(slot, OWN_LAST, code);
            if (found == OWN_LAST) break;
            is_shared = found == code;
            if (is_shared) break;
        }
    }
    const u32 together = __popc(__ballot_sync(ALL_LANES, is_shared));
    if (lane_id() == 0 && together > 0) atomicAdd(shared, together);
}

struct Words;    // as they are
struct Spelled;  // as numbers of an alphabet

// The codes of the first word of n rows, made of the fields [first, end). An alphabet is of the bytes that are `seen`.
template <typename Code, typename Of>
__global__ void __launch_bounds__(THREADS)
    fill_codes(const ColumnDeviceView* columns, const KeyField* fields, u32 first, u32 end, u64 n, u64 greatest,
               const u32* seen, u64 base, u32 digits, const u64* range, const u32* starts, Code* out) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    constexpr bool IS_SPELLED = IS_SAME<Of, Spelled>;
    __shared__ u16 ranks[IS_SPELLED ? 256 : 1];
    if constexpr (IS_SPELLED) rank_bytes(seen, ranks);
    const Alphabet alphabet = {ranks, base, digits};
    u32* const own_starts = reinterpret_cast<u32*>(dyn_smem);
    for (u32 i = threadIdx.x; i <= BUCKETS; i += THREADS) own_starts[i] = starts[i];
    __syncthreads();
    const Inside inside(range);
    const u64 step = u64(gridDim.x) * THREADS * CODED_ROWS;
    for (u64 begin = u64(blockIdx.x) * THREADS * CODED_ROWS + threadIdx.x; begin < n; begin += step) {
        u64 rows[CODED_ROWS];
        u64 words[CODED_ROWS];
        u32 exists = 0;
#pragma unroll
        for (u32 r = 0; r < CODED_ROWS; ++r) {
            words[r] = 0;
            rows[r] = begin + r * THREADS;
            if (rows[r] < n) exists |= 1u << r;
        }
        for (u32 f = first; f < end; ++f) {
            const KeyField field = fields[f];
            add_field(columns, field, rows, exists, words);
        }
#pragma unroll
        for (u32 r = 0; r < CODED_ROWS; ++r) {
            if ((exists >> r & 1) == 0) continue;
            const u64 word = IS_SPELLED ? alphabet.spread(words[r], greatest) : words[r];
            out[rows[r]] = code_of(word, IS_SPELLED ? ~0ull : greatest, inside, own_starts);
        }
    }
}

// 1 for each row that has the code of its predecessor, but for codes of one word where `own` says so.
template <typename Code>
__global__ void __launch_bounds__(THREADS) mark_shared_codes(const Code* codes, u64 n, bool own, u8* ties) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u32 code = codes[i];
        const bool is_own = own && (code == OWN_FIRST || code == OWN_LAST);
        ties[i] = i > 0 && code == codes[i - 1] && !is_own;
    }
}

// ---- ties --------------------------------------------------------------------------------------------

// 1 for each row that has the word of its predecessor, and is in the same run where there are runs.
template <typename Word, typename Row>
__global__ void __launch_bounds__(THREADS) mark_ties(const Word* words, const Row* runs, u64 n, u8* ties) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        ties[i] = i > 0 && words[i] == words[i - 1] && (runs == nullptr || runs[i] == runs[i - 1]);
    }
}

// A bit in `wanted`, which was 0, for the first row of the run of ties around each of `count` places of n; what is not below n
// is no place. Places far behind the first row of their run are counted in `left`.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    mark_runs(const Row* places, u64 count, const u8* ties, u64 n, u32* wanted, u32* left) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < count; i += step) {
        const u64 place = places[i];
        if (place >= n) continue;
        u64 head = place;
        while (ties[head] && place - head < SHORT) --head;
        if (ties[head]) {
            atomicAdd(left, 1u);
        } else if (head + 1 < n && ties[head + 1]) {
            atomicOr(wanted + head / 32, 1u << head % 32);
        }
    }
}

// Brings the rows of each run of ties into order, by insertion; longer runs than SHORT are counted in `left`.
// With `wanted`, only runs whose first rows have their bit set.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    refine_short(const u8* ties, u64 n, const u32* wanted, const ColumnDeviceView* columns, RowOrder order,
                 const u8* directions, Row* rows, u32* left) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i + 1 < n; i += step) {
        if (wanted != nullptr && (wanted[i / 32] >> i % 32 & 1) == 0) continue;
        if (ties[i] || !ties[i + 1]) continue;
        u64 len = 2;
        while (i + len < n && ties[i + len] && len <= SHORT) ++len;
        if (len > SHORT) {
            atomicAdd(left, 1u);
            continue;
        }
        for (u64 j = i + 1; j < i + len; ++j) {
            const Row row = rows[j];
            u64 place = j;
            while (place > i && compare_rows(columns, row, columns, rows[place - 1], order, directions) < 0) {
                rows[place] = rows[place - 1];
                --place;
            }
            rows[place] = row;
        }
    }
}

// 1 for the first row of each run and 0 for its other rows, as numbers to add up and as flags.
template <typename Row>
__global__ void __launch_bounds__(THREADS) run_heads(const u8* ties, u64 n, Row* heads, u8* flags) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        heads[i] = ties[i] == 0;
        flags[i] = ties[i] == 0;
    }
}

// Of the runs, which are numbered from 1 and begin at `starts`, those that are long.
template <typename Row>
inline bool is_long(const Row* starts, u64 num_runs, u64 run, u64 n) {
    return (run < num_runs ? u64(starts[run]) : n) - starts[run - 1] > SHORT;
}

// Marks the long runs whose rows are not in order, and finds how many bytes all texts of a run begin with alike at
// least (`depth`), where the first column has texts.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    find_disordered_runs(const Row* runs, const Row* starts, u64 num_runs, const Row* rows, u64 n,
                         const ColumnDeviceView* columns, RowOrder order, const u8* directions, u32* disordered,
                         u64* depth) {
    const u64 step = u64(gridDim.x) * THREADS;
    const bool has_text = columns[order.first].type_id == STRING;
    u64 least = NO_END;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x + 1; i < n; i += step) {
        const u64 run = runs[i];
        if (runs[i - 1] != run || !is_long(starts, num_runs, run, n)) continue;
        const u64 a = rows[i - 1], b = rows[i];
        if (compare_rows(columns, a, columns, b, order, directions) > 0) atomicOr(disordered + run - 1, 1u);
        if (!has_text) continue;
        const ColumnDeviceView& texts = columns[order.first];
        if (!texts.is_valid(a) || !texts.is_valid(b)) continue;
        const StringView x = texts.string(a), y = texts.string(b);
        const u64 alike = common_prefix(x, y, order.skip);
        if (alike < x.size || alike < y.size) least = alike < least ? alike : least;
    }
    if (least != NO_END) atomicMin(depth, least);
}

// 1 for each row of a run that is not in order.
template <typename Row>
__global__ void __launch_bounds__(THREADS)
    rows_of_disordered_runs(const Row* runs, const u32* disordered, u64 n, u8* flags) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        flags[i] = disordered[runs[i] - 1] != 0;
    }
}

// `from[map[i]]` for each of n numbers.
template <typename Value, typename Row>
__global__ void __launch_bounds__(THREADS) take_numbers(const Value* from, const Row* map, u64 n, Value* out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[i] = from[map[i]];
}

// To place `places[i]` for each of n numbers; the places differ.
template <typename Row>
__global__ void __launch_bounds__(THREADS) put_numbers(const Row* numbers, const Row* places, u64 n, Row* out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) out[places[i]] = numbers[i];
}
