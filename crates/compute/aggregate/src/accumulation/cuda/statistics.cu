// Statistics of the values of groups of rows, one word of 64 bits for each group and statistic, all 0 at first.
// THREADS and ITEMS come from the declaration in statistics.rs, and so do the bits of statistics.
//
// Everything is added, or kept where it is larger, as integers: no result depends on the order of rows. Floats
// are added as up to four integers, digits of `width` bits each below two to the power of `exponent`.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/column.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/row_groups.cuh"

constexpr u32 WARPS = THREADS / WARP;
constexpr u32 MOST_DIGITS = 4;

struct Global;  // statistics in device memory
struct Shared;  // in copies for each block first

// ---- values ------------------------------------------------------------------------------------------

// The ordered form of a value, see `compute::ordered`.
template <typename T>
inline u64 ordered(T value) {
    if constexpr (IS_FLOAT<T>) {
        const f64 wide = f64(value) + 0.0;  // one zero
        u64 bits;
        memcpy(&bits, &wide, sizeof(bits));
        return bits >> 63 ? ~bits : bits | 1ull << 63;
    } else {
        return u64(i64(value)) ^ (IS_SIGNED<T> ? 1ull << 63 : 0);
    }
}

template <typename T>
inline T from_ordered(u64 bits) {
    if constexpr (IS_FLOAT<T>) {
        bits = bits >> 63 ? bits & ~(1ull << 63) : ~bits;
        f64 wide;
        memcpy(&wide, &bits, sizeof(bits));
        return T(wide);
    } else {
        return T(bits ^ (IS_SIGNED<T> ? 1ull << 63 : 0));
    }
}

template <typename T>
inline bool is_value(const ColumnDeviceView& column, u64 row, T value) {
    return value == value && column.is_valid(row);
}

// Two to the power of `exponent`, which is one of normal numbers.
inline f64 power_of_two(i32 exponent) { return float_of(u64(1023 + exponent) << 52); }

// The exponents of the lowest bit and of the highest that a finite value of some columns has, both above 0, as words of
// `bounds`: 5000 less the least and 5000 more than the greatest; a third says whether a value is infinite. `bounds` was 0.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    exponents(const ColumnDeviceView* columns, u32 num_columns, u64* bounds) {
    i32 least = 4000, greatest = -4000;
    bool is_infinite = false;
    const u64 step = u64(gridDim.x) * THREADS;
    for (u32 c = 0; c < num_columns; ++c) {
        const ColumnDeviceView column = columns[c];
        for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < column.len; i += step) {
            const f64 value = f64(column.value<T>(i));
            if (!is_value(column, i, value) || value == 0) continue;
            u64 bits;
            memcpy(&bits, &value, sizeof(bits));
            const u32 stored = u32(bits >> 52) & 2047;
            if (stored == 2047) {
                is_infinite = true;
                continue;
            }
            const u64 fraction = bits & ((1ull << 52) - 1);
            // Subnormal numbers have the exponent of their highest bit.
            const i32 exponent = stored == 0 ? -1011 - __clzll(i64(fraction)) : i32(stored) - 1023;
            const i32 unit = (stored == 0 ? 1 : i32(stored)) - 1075;
            const u64 digits = stored == 0 ? fraction : fraction | 1ull << 52;
            least = Min()(least, unit + __ffsll(i64(digits)) - 1);
            greatest = Max()(greatest, exponent);
        }
    }
    least = warp_reduce(least, Min());
    greatest = warp_reduce(greatest, Max());
    is_infinite = __any_sync(ALL_LANES, is_infinite) != 0;
    if (lane_id() != 0) return;
    if (is_infinite) atomicOr(bounds + 2, 1ull);
    if (least > greatest) return;
    atomicMax(bounds, u64(5000 - least));
    atomicMax(bounds + 1, u64(5000 + greatest));
}

// ---- statistics --------------------------------------------------------------------------------------

inline void keep_larger(u64* at, u64 value) {
    if (*reinterpret_cast<volatile u64*>(at) < value) atomicMax(at, value);
}

inline void set_flags(u64* at, u64 flags) {
    if ((*reinterpret_cast<volatile u64*>(at) & flags) != flags) atomicOr(at, flags);
}

// The statistics of a column that are wanted: their bits, in the order in which their words lie in `state`.
struct Places {
    u32 count, low, high, digits, least, greatest, first, last, truth, zero, end;

    __forceinline__ Places(u32 wants, u32 num_digits) {
        u32 next = 0;
        const auto place = [&](u32 want, u32 words) {
            const u32 at = next;
            if ((wants & want) != 0) next += words;
            return at;
        };
        count = place(COUNT, 1);
        low = place(LOW, 1);
        high = place(HIGH, 1);
        digits = place(DIGITS, num_digits);
        least = place(LEAST, 1);
        greatest = place(GREATEST, 1);
        first = place(FIRST, 1);
        last = place(LAST, 1);
        truth = place(TRUTH, 1);
        zero = place(ZERO, 1);
        end = next;
    }
};

// The factor from floats to units of the first digit, and the worth of each digit in units of the next one.
struct Scale {
    f64 first, step;

    __forceinline__ Scale(i32 exponent, u32 width)
        : first(power_of_two(i32(width) - exponent)), step(power_of_two(i32(width))) {}
};

// The words of a group in device memory, `stride` apart.
struct GlobalWords {
    u64* at;
    u64 stride;

    __forceinline__ u64* word(u32 place) const { return at + place * stride; }
    __forceinline__ void count(u32 place) const { atomicAdd(word(place), 1ull); }
    __forceinline__ void add(u32 place, u64 value) const { atomicAdd(word(place), value); }
    // An addition in two steps: the second one takes the result of the first.
    __forceinline__ u32 begin_to_add(u32 place, u64 value) const {
        add(place, value);
        return 0;
    }
    __forceinline__ void end_to_add(u32, u64, u32) const {}
};

// One copy of the words of a group in shared memory. Sums are apart in two halves of 32 bits: an addition of 64 bits is a
// loop there, and halves that lie side by side would leave each thread of a warp half of the banks.
struct SharedWords {
    u32* low;    // of the first sum
    u64* at;     // of the first word, if sums were such
    u32 stride;  // from one statistic's to the next one's
    u32 high;    // from the lower half to the higher one

    __forceinline__ u64* word(u32 place) const { return at + place * stride; }
    // A block has fewer rows than 32 bits count.
    __forceinline__ void count(u32 place) const { atomicAdd(low + place * stride, 1u); }
    __forceinline__ void add(u32 place, u64 value) const { end_to_add(place, value, begin_to_add(place, value)); }
    __forceinline__ u32 begin_to_add(u32 place, u64 value) const {
        return atomicAdd(low + place * stride, u32(value));
    }
    __forceinline__ void end_to_add(u32 place, u64 value, u32 before) const {
        const u32 more = u32(value >> 32) + u32((u64(before) + u32(value)) >> 32);
        if (more != 0) atomicAdd(low + place * stride + high, more);
    }
};

// Sums: these statistics do not read the state first.
constexpr u32 SUMS = COUNT | LOW | HIGH | DIGITS;

// Added to this, a number is rounded to an integer, which the lower bits of the sum are.
constexpr f64 ROUNDER = 6755399441055744.0;
constexpr i64 ROUNDER_BITS = 0x4338000000000000;

// Accumulates a value; false where the digits of floats do not hold it, or it is infinite and nothing says
// so.
template <typename T, typename Words>
__forceinline__ bool take_in(T value, u64 row, const Words& words, u32 wants, const Places& places,
                             u32 num_digits, const Scale& scale) {
    bool is_held = true;
    if (wants & COUNT) words.count(places.count);
    if (wants & LEAST) keep_larger(words.word(places.least), ~ordered(value));
    if (wants & GREATEST) keep_larger(words.word(places.greatest), ordered(value));
    if (wants & FIRST) keep_larger(words.word(places.first), ~row);
    if (wants & LAST) keep_larger(words.word(places.last), row + 1);
    if ((wants & ZERO) && value == T(0)) keep_larger(words.word(places.zero), ~row);
    u64 flags = value != T(0) ? ANY_TRUE : ANY_FALSE;
    if constexpr (IS_FLOAT<T>) {
        if (wants & DIGITS) {
            const f64 wide = f64(value);
            f64 rest = wide * scale.first;
            if (!(fabs(rest) < scale.step)) {
                const bool is_infinite = wide - wide != 0;
                if (is_infinite) flags |= wide > 0 ? PLUS_INFINITY : MINUS_INFINITY;
                is_held = is_infinite && (wants & TRUTH) != 0;
            } else {
                // A value too small to be multiplied is not held.
                if (rest == 0) is_held = wide == 0;
#pragma unroll
                for (u32 k = 0; k < MOST_DIGITS; ++k) {
                    // Most values have fewer digits than the last of all.
                    if (k >= num_digits || rest == 0) break;
                    if (k > 0) rest *= scale.step;
                    const f64 rounded = rest + ROUNDER;
                    i64 digit;
                    memcpy(&digit, &rounded, sizeof(digit));
                    digit -= ROUNDER_BITS;
                    rest -= rounded - ROUNDER;
                    if (digit != 0) words.add(places.digits + k, u64(digit));
                }
                is_held = is_held && rest == 0;
            }
        }
    } else {
        if (wants & HIGH) {
            words.add(places.low, u64(value) & 0xffffffff);
            const u64 high = IS_SIGNED<T> ? u64(i64(value) >> 32) : u64(value) >> 32;
            if (high != 0) words.add(places.high, high);
        } else if (wants & LOW) {
            words.add(places.low, u64(i64(value)));
        }
    }
    if (wants & TRUTH) set_flags(words.word(places.truth), flags);
    return is_held;
}

// Accumulates the rows from `first_row` to before `n`, `step` apart, of the `held` groups from `first_group`
// on; false where a float is not held. `of` has the groups of rows, and `words_of` the address of a group's
// words.
template <typename T, typename Groups, typename WordsOf>
__forceinline__ bool take_rows(Groups& of, const ColumnDeviceView& column, const u32* rows, u64 first_row, u64 n,
                               u64 step, u64 groups, u32 first_group, u64 held, u32 wants, const Places& places,
                               u32 num_digits, const Scale& scale, WordsOf words_of) {
    bool fits = true;
    for (u64 begin = first_row + threadIdx.x; begin < n; begin += step) {
        typename Groups::Key keys[ITEMS];
        u32 group[ITEMS];
        T values[ITEMS];
        bool counts[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            keys[k] = row < n ? of.key(row) : 0;
            values[k] = row < n ? column.value<T>(row) : T(0);
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            const u32 id = row < n ? of.group(keys[k], row) : NONE;
            // Groups before the first one come out as large numbers.
            group[k] = id < groups ? id - first_group : NONE;
            counts[k] = group[k] < held && is_value(column, row, values[k]);
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            if (!counts[k]) continue;
            const u64 place = begin + k * THREADS, row = rows == nullptr ? place : u64(rows[place]);
            fits = take_in<T>(values[k], row, words_of(group[k]), wants, places, num_digits, scale) && fits;
        }
    }
    return fits;
}

// The same of floats of which sums are wanted, and counts where `counts` says so, in a column without a mask: what is wanted
// most, and where each instruction for a row counts. A digit of all rows of a thread comes before the next one of any, so that
// what waits for one has the others to do.
template <typename T, typename Groups, typename WordsOf>
__forceinline__ bool take_plain_floats(Groups& of, const T* values, u64 first_row, u64 n, u64 step, u32 first_group,
                                       u32 held, bool counts, const Places& places, u32 num_digits, const Scale& scale,
                                       WordsOf words_of) {
    bool fits = true;
    for (u64 begin = first_row + threadIdx.x; begin < n; begin += step) {
        const u32 left = n - begin < THREADS * ITEMS ? u32(n - begin) : THREADS * ITEMS;
        typename Groups::Key keys[ITEMS];
        u32 group[ITEMS];
        f64 rest[ITEMS];
        bool is_there[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const bool exists = k * THREADS < left;
            keys[k] = exists ? of.key(begin + k * THREADS) : 0;
            rest[k] = exists ? f64(values[begin + k * THREADS]) : 0.0;
        }
        bool is_more = false;
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u32 id = k * THREADS < left ? of.group(keys[k], begin + k * THREADS) : NONE;
            group[k] = id - first_group;
            is_there[k] = group[k] < held && rest[k] == rest[k];
            if (counts && is_there[k]) words_of(group[k]).count(places.count);
            const f64 value = is_there[k] ? rest[k] : 0.0;
            rest[k] = value * scale.first;
            // Values too large, infinite, or too small to be multiplied are not held.
            fits = fits && fabs(rest[k]) < scale.step && (rest[k] != 0 || value == 0);
            is_more = is_more || rest[k] != 0;
        }
#pragma unroll
        for (u32 d = 0; d < MOST_DIGITS; ++d) {
            // Most values have fewer digits than the last of all.
            if (d >= num_digits || !is_more) break;
            is_more = false;
            u64 digit[ITEMS];
            u32 before[ITEMS];
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                if (d > 0) rest[k] *= scale.step;
                const f64 rounded = rest[k] + ROUNDER;
                memcpy(&digit[k], &rounded, sizeof(rounded));
                digit[k] -= u64(ROUNDER_BITS);
                rest[k] -= rounded - ROUNDER;
                is_more = is_more || rest[k] != 0;
                before[k] = 0;
                if (is_there[k]) before[k] = words_of(group[k]).begin_to_add(places.digits + d, digit[k]);
            }
#pragma unroll
            for (u32 k = 0; k < ITEMS; ++k) {
                if (is_there[k]) words_of(group[k]).end_to_add(places.digits + d, digit[k], before[k]);
            }
        }
        fits = fits && !is_more;
    }
    return fits;
}

// Adds the statistics of the rows of `column` to `state`, statistic by statistic, with a word for each group,
// numbered by `of`. Rows whose number is no group are left out. With `Shared` a block
// has so many copies of all words in dynamic shared memory, a power of two, that its threads share.
//
// With `pieces`, three words for each block, it takes the rows from the first to before the second that are
// of the `held` groups from the third on, and no others. With `rows`, these are the numbers of the rows.
// `unfit` becomes 1 where a float is not held by its digits. For whole blocks.
template <typename T, typename Where, typename Groups>
__forceinline__ void accumulate_rows(Groups& of, const ColumnDeviceView& column, const u32* rows, const u64* pieces,
                                     u64 groups, u64 held, u32 wants, u32 num_digits, i32 exponent, u32 width,
                                     u32 copies, u64* shared, u64* state, u32* unfit) {
    const Places places(wants, num_digits);
    const u64 words = places.end * held;
    if constexpr (IS_SAME<Where, Shared>) {
        for (u64 i = threadIdx.x; i < words * copies; i += THREADS) shared[i] = 0;
        __syncthreads();
    }
    const u64* const piece = pieces == nullptr ? nullptr : pieces + 3 * u64(blockIdx.x);
    const u64 first_row = piece == nullptr ? u64(blockIdx.x) * THREADS * ITEMS : piece[0];
    const u64 n = piece == nullptr ? column.len : piece[1];
    const u64 first_group = piece == nullptr ? 0 : piece[2];
    const u64 step = u64(piece == nullptr ? gridDim.x : 1) * THREADS * ITEMS;
    const Scale scale(exponent, width);
    const u32 sums = places.least * u32(held);
    const auto take = [&](u32 wants, auto words_of) {
        return take_rows<T>(of, column, rows, first_row, n, step, groups, u32(first_group), held, wants, places,
                            num_digits, scale, words_of);
    };
    // Sums alone, which are wanted most, come without questions about all else.
    const auto take_wanted = [&](auto words_of) {
        if constexpr (IS_FLOAT<T>) {
            if ((wants & ~(COUNT | DIGITS)) == 0 && (wants & DIGITS) != 0 && column.mask_address == 0) {
                const T* const values = reinterpret_cast<const T*>(column.data_address) + column.offset;
                const u32 last = u32(groups - first_group < held ? groups - first_group : held);
                return take_plain_floats<T>(of, values, first_row, n, step, u32(first_group), last,
                                            (wants & COUNT) != 0, places, num_digits, scale, words_of);
            }
        }
        return (wants & ~SUMS) == 0 ? take(wants & SUMS, words_of) : take(wants, words_of);
    };
    bool fits;
    if constexpr (IS_SAME<Where, Shared>) {
        const u32 copy = threadIdx.x & (copies - 1);
        fits = take_wanted([&](u32 group) {
            const u32 at = group * copies + copy;
            return SharedWords{reinterpret_cast<u32*>(shared) + at, shared + at, u32(held) * copies, sums * copies};
        });
    } else {
        fits = take_wanted([&](u32 group) { return GlobalWords{state + group, groups}; });
    }
    if (!fits && unfit != nullptr) atomicOr(unfit, 1u);
    if constexpr (IS_SAME<Where, Shared>) {
        __syncthreads();
        // Blocks begin at different words, so that they do not meet.
        const u64 start = u64(blockIdx.x) * THREADS % (words + 1);
        for (u64 i = threadIdx.x; i < words; i += THREADS) {
            const u64 word = (start + i) % words;
            const u32 statistic = u32(word / held);
            const bool is_sum = statistic < places.least;
            const bool is_flags = (wants & TRUTH) && statistic == places.truth;
            u64 total = 0;
            for (u32 copy = 0; copy < copies; ++copy) {
                const u32* const half = reinterpret_cast<const u32*>(shared) + word * copies + copy;
                const u64 value = is_sum ? u64(half[sums * copies]) << 32 | half[0] : shared[word * copies + copy];
                total = is_sum ? total + value : is_flags ? total | value : value > total ? value : total;
            }
            if (total == 0) continue;
            u64* const to = state + statistic * groups + first_group + word % held;
            if (is_sum) {
                atomicAdd(to, total);
            } else if (is_flags) {
                set_flags(to, total);
            } else {
                keep_larger(to, total);
            }
        }
    }
}

// [`accumulate_rows`] by the ids of rows; without ids all rows are of group 0.
template <typename T, typename Where>
__global__ void __launch_bounds__(THREADS)
    accumulate(const u32* ids, ColumnDeviceView column, const u32* rows, const u64* pieces, u64 groups, u64 held,
               u32 wants, u32 num_digits, i32 exponent, u32 width, u32 copies, u64* state, u32* unfit) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    NumberedRows of(ids);
    accumulate_rows<T, Where>(of, column, rows, pieces, groups, held, wants, num_digits, exponent, width, copies,
                              reinterpret_cast<u64*>(dyn_smem), state, unfit);
}

// The same by codes of keys, `bound` of which are groups, in shared memory, see `CodedRows`. Bits of codes that are known are
// behind the words there. The third word becomes 1 where a float is not held by its digits.
template <typename T, typename Key>
__global__ void __launch_bounds__(THREADS)
    accumulate_by_codes(ColumnDeviceView keys, u64 least, u32 bound, const u32* __restrict__ known, u32* first_rows,
                        u32* told, ColumnDeviceView column, u32 wants, u32 num_digits, i32 exponent, u32 width,
                        u32 copies, u64* state) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    u64* const shared = reinterpret_cast<u64*>(dyn_smem);
    CodedRows<Key> of(keys, least, bound, known, first_rows);
    of.hold_known(reinterpret_cast<u32*>(shared + Places(wants, num_digits).end * u64(bound) * copies));
    accumulate_rows<T, Shared>(of, column, nullptr, nullptr, bound, bound, wants, num_digits, exponent, width, copies,
                               shared, state, told + 2);
    of.tell(told);
}

// The words of some of the groups of `state`, statistic by statistic.
__global__ void __launch_bounds__(THREADS)
    take_groups(const u64* __restrict__ state, u64 groups, u64 words, const u32* __restrict__ taken, u64 n,
                u64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < words * n; i += step) {
        out[i] = state[i / n * groups + taken[i % n]];
    }
}

// The first and the last row with a value, of columns of any type; `state` has a word for each that is wanted.
__global__ void __launch_bounds__(THREADS)
    ends(const u32* ids, ColumnDeviceView column, u64 groups, u32 wants, u64* state) {
    const Places places(wants, 0);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < column.len; i += step) {
        const u64 group = ids == nullptr ? 0 : ids[i];
        if (group >= groups || !column.is_valid(i)) continue;
        if (wants & COUNT) atomicAdd(state + places.count * groups + group, 1ull);
        if (wants & FIRST) keep_larger(state + places.first * groups + group, ~i);
        if (wants & LAST) keep_larger(state + places.last * groups + group, i + 1);
    }
}

// ---- results -----------------------------------------------------------------------------------------

// The sum of digits of `width` bits below two to the power of `exponent`, rounded once to the nearest.
inline f64 rounded(const i64 (&given)[MOST_DIGITS], u32 num_digits, i32 exponent, u32 width) {
    // Two more in front take the carries of the sums of digits.
    u64 digits[MOST_DIGITS + 2];
    bool is_negative = false;
    const u64 mask = (1ull << width) - 1;
    for (u32 attempt = 0; attempt < 2; ++attempt) {
        i64 carry = 0;
#pragma unroll
        for (u32 k = MOST_DIGITS; k > 0; --k) {
            digits[k + 1] = 0;
            if (k > num_digits) continue;
            const i64 digit = (is_negative ? -given[k - 1] : given[k - 1]) + carry;
            digits[k + 1] = u64(digit) & mask;
            carry = digit >> width;
        }
        digits[1] = u64(carry) & mask;
        const i64 top = carry >> width;
        digits[0] = u64(top);
        if (top >= 0) break;
        is_negative = true;
    }
    // The highest 64 bits, and whether anything is set below. Digits are only named by numbers known to the compiler, so
    // that they are in registers.
    u64 bits = 0;
    u32 have = 0;
    i32 unit = 0;  // of the last digit taken
    bool is_more = false;
#pragma unroll
    for (u32 at = 0; at < MOST_DIGITS + 2; ++at) {
        if (at >= num_digits + 2) break;
        const u32 room = 64 - have;
        if (have == 0) {
            if (digits[at] == 0) continue;
            bits = digits[at];
            have = 64 - u32(__clzll(i64(bits)));
            unit = exponent + i32(width) - i32(width * at);
        } else if (room >= width) {
            bits = bits << width | digits[at];
            have += width;
            unit -= i32(width);
        } else if (room > 0) {
            bits = bits << room | digits[at] >> (width - room);
            is_more |= (digits[at] & ((1ull << (width - room)) - 1)) != 0;
            have = 64;
            unit -= i32(room);
        } else {
            is_more |= digits[at] != 0;
        }
    }
    if (have == 0) return 0;
    const u32 shift = have > 53 ? have - 53 : 0;
    if (shift > 0) {
        const u64 half = 1ull << (shift - 1), below = bits & ((1ull << shift) - 1);
        bits >>= shift;
        if (below > half || (below == half && (is_more || (bits & 1)))) ++bits;
        unit += i32(shift);
    }
    const f64 value = ldexp(f64(bits), unit);
    return is_negative ? -value : value;
}

// Conversions of sums to results.
struct Sum64;   // integers that wrap
struct Sums;    // floats
struct Means;   // as floats
struct Whole;   // as integers, rounded towards zero

// The sums of each group, or their means, of the statistics that `wants` says; the count is among these for
// means. Sums of integers that are not `HIGH` are their low word; floats have flags.
template <typename T, typename How>
__global__ void __launch_bounds__(THREADS)
    finish_sums(const u64* __restrict__ state, u64 groups, u32 wants, u32 num_digits, i32 exponent, u32 width,
                bool is_signed, T* __restrict__ out) {
    const Places places(wants, num_digits);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        const auto word = [&](u32 place) { return state[place * groups + g]; };
        if constexpr (IS_SAME<How, Sum64>) {
            const u64 high = (wants & HIGH) ? word(places.high) << 32 : 0;
            out[g] = T(word(places.low) + high);
        } else {
            i64 digits[MOST_DIGITS] = {};
            u32 num = num_digits, bits = width;
            i32 top = exponent;
            u64 flags = 0;
            if (wants & DIGITS) {
#pragma unroll
                for (u32 k = 0; k < MOST_DIGITS; ++k) {
                    if (k < num_digits) digits[k] = i64(word(places.digits + k));
                }
                if (wants & TRUTH) flags = word(places.truth);
            } else {
                // Integers are two digits of 32 bits.
                num = 2;
                bits = 32;
                top = 64;
                const u64 low = word(places.low);
                if (wants & HIGH) {
                    digits[0] = i64(word(places.high) + (low >> 32));
                } else {
                    digits[0] = is_signed ? i64(low) >> 32 : i64(low >> 32);
                }
                digits[1] = i64(low & 0xffffffff);
            }
            const u64 count = (wants & COUNT) ? word(places.count) : 1;
            if constexpr (IS_SAME<How, Whole>) {
                // Three digits of 32 bits by long division.
                const bool is_negative = digits[0] < 0;
                u64 low = u64(digits[1]), high = u64(digits[0]);
                if (is_negative) {
                    high = ~high + (low == 0 ? 1 : 0);
                    low = (~low + 1) & 0xffffffff;
                }
                const u64 divisor = count == 0 ? 1 : count;
                const u64 rest = high % divisor;
                const u64 quotient = (high / divisor << 32) + ((rest << 32 | low) / divisor);
                out[g] = T(is_negative ? 0 - quotient : quotient);
            } else {
                f64 sum = rounded(digits, num, top, bits);
                if (flags & (PLUS_INFINITY | MINUS_INFINITY)) {
                    const f64 infinity = largest_of<f64>();
                    const bool both = (flags & PLUS_INFINITY) && (flags & MINUS_INFINITY);
                    sum = both ? infinity - infinity : (flags & PLUS_INFINITY) ? infinity : -infinity;
                }
                out[g] = T(IS_SAME<How, Means> ? sum / f64(count) : sum);
            }
        }
    }
}

// The smallest or the largest values. A zero has the sign of the first zero of its group.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    finish_extremes(const u64* __restrict__ state, u64 groups, u32 wants, u32 num_digits, bool smallest,
                    ColumnDeviceView column, T* __restrict__ out) {
    const Places places(wants, num_digits);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        const u64 bits = state[(smallest ? places.least : places.greatest) * groups + g];
        T value = from_ordered<T>(smallest ? ~bits : bits);
        if ((wants & ZERO) && value == T(0)) {
            const u64 row = state[places.zero * groups + g];
            if (row != 0) value = column.value<T>(~row);
        }
        out[g] = value;
    }
}

// The rows that are first or last; NONE for groups without a value.
__global__ void __launch_bounds__(THREADS)
    finish_rows(const u64* __restrict__ state, u64 groups, u32 wants, u32 num_digits, bool is_first,
                u32* __restrict__ rows) {
    const Places places(wants, num_digits);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        const u64 word = state[(is_first ? places.first : places.last) * groups + g];
        rows[g] = word == 0 ? NONE : is_first ? u32(~word) : u32(word - 1);
    }
}

// Whether any value is true, or all are.
__global__ void __launch_bounds__(THREADS)
    finish_truth(const u64* __restrict__ state, u64 groups, u32 wants, u32 num_digits, bool all,
                 u8* __restrict__ out) {
    const Places places(wants, num_digits);
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        const u64 flags = state[places.truth * groups + g];
        out[g] = all ? (flags & ANY_FALSE) == 0 : (flags & ANY_TRUE) != 0;
    }
}

// A bit for each group that has more values than `least`; words behind the last group are 0.
__global__ void __launch_bounds__(THREADS)
    counted(const u64* __restrict__ counts, u64 groups, u64 least, u64 words, u32* __restrict__ out) {
    const u64 step = u64(gridDim.x) * WARPS;
    for (u64 word = u64(blockIdx.x) * WARPS + warp_id(); word < words; word += step) {
        const u64 g = word * WARP + lane_id();
        const u32 bits = __ballot_sync(ALL_LANES, g < groups && counts[g] > least);
        if (lane_id() == 0) out[word] = bits;
    }
}

// The squares of the deviations from the mean of each row's group; NaN where there is no value.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    squares(const u32* ids, ColumnDeviceView column, u64 groups, const f64* __restrict__ means,
            f64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < column.len; i += step) {
        const u64 group = ids == nullptr ? 0 : ids[i];
        const T value = column.value<T>(i);
        const bool counts = group < groups && is_value(column, i, value);
        const f64 infinity = largest_of<f64>();
        // What has no deviation, from an infinite mean, is minus infinity, which is no square.
        const f64 deviation = counts ? f64(value) - means[group] : infinity - infinity;
        const bool has_none = counts && deviation != deviation;
        out[i] = has_none ? -infinity : deviation * deviation;
    }
}

// Sums of squares become variances (`root` 0), standard deviations (1) or standard errors (2); NaN for what is no sum of
// squares.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    finish_spreads(const f64* __restrict__ sums, const u64* __restrict__ counts, u64 groups, i64 ddof, u32 root,
                   T* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        const f64 infinity = largest_of<f64>(), sum = sums[g] < 0 ? infinity - infinity : sums[g];
        const f64 count = f64(counts[g]), variance = sum / (count - f64(ddof));
        out[g] = T(root == 0 ? variance : sqrt(root == 1 ? variance : variance / count));
    }
}

// Sums divided by counts, where there are some.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    divide(const f64* __restrict__ sums, const u64* counts, u64 groups, T* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        out[g] = T(counts == nullptr ? sums[g] : sums[g] / f64(counts[g]));
    }
}

// The values of rows in the order of `rows`, 0 where they are missing.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    values_of_rows(ColumnDeviceView column, const u32* __restrict__ rows, u64 n, f64* __restrict__ out) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u64 row = rows == nullptr ? i : rows[i];
        const T value = column.value<T>(row);
        out[i] = is_value(column, row, value) ? f64(value) : 0.0;
    }
}
