// Totals of all rows of a column in one pass: counts, sums, extremes, truth values and squares of distances, in words of 64 bits
// that are all 0 at first. The constants come from the declaration in column_totals.rs.
//
// Sums of floats are exact and need no look at the column first. A sum is LIMBS digits of LIMB_BITS bits each, for all exponents
// that floats have. A block has three digits of its own in registers, of DIGIT_BITS bits below an exponent that it reads off a
// sample; what these do not hold goes to the limbs value by value. So the sample decides how fast a sum is, not what it is.
#include "cuprum/block.cuh"
#include "cuprum/column.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/order.cuh"
#include "cuprum/pack.cuh"

constexpr u32 WARPS = THREADS / WARP;
// Digits of a block. Values that have more than two of them are rare.
constexpr u32 DIGITS_HELD = 3;
// Values of a thread whose digits fit a word: 62 bits, less those of a digit.
constexpr u64 MOST_TAKEN = 1ull << (62 - DIGIT_BITS);
// The exponents that a block's digits may be below: the digits are normal numbers then.
constexpr i32 LEAST_TOP = -850, GREATEST_TOP = 1010;
// Exponents that the digits have room for above the values of a sample.
constexpr i32 HEADROOM = 8;

// ---- limbs -----------------------------------------------------------------------------------------------

// Adds `magnitude` × 2^`unit`, or takes it away.
inline void add_to_limbs(u64* limbs, u64 magnitude, bool is_negative, i32 unit) {
    const u32 place = u32(unit + i32(BITS_BELOW));
    u32 limb = place / LIMB_BITS, room = LIMB_BITS - place % LIMB_BITS;
    constexpr u64 MASK = (1ull << LIMB_BITS) - 1;
    u64 part = (magnitude << (LIMB_BITS - room)) & MASK;
    for (magnitude >>= room;; magnitude >>= LIMB_BITS, ++limb) {
        if (part != 0) atomicAdd(limbs + limb, is_negative ? 0 - part : part);
        if (magnitude == 0) break;
        part = magnitude & MASK;
    }
}

inline void add_integer(u64* limbs, i64 value, i32 unit) {
    add_to_limbs(limbs, value < 0 ? 0 - u64(value) : u64(value), value < 0, unit);
}

// Adds a finite float.
inline void add_float(u64* limbs, f64 value) {
    const u64 bits = u64(__double_as_longlong(value)), fraction = bits & ((1ull << 52) - 1);
    const u32 stored = u32(bits >> 52) & 2047;
    const u64 digits = stored == 0 ? fraction : fraction | 1ull << 52;
    add_to_limbs(limbs, digits, bits >> 63 != 0, (stored == 0 ? 1 : i32(stored)) - 1075);
}

// ---- digits of a block -----------------------------------------------------------------------------------

inline f64 power_of_two(i32 exponent) { return float_of(u64(1023 + exponent) << 52); }

// The digits below two to the power of `top`. Added to the rounder of a digit, a number is rounded to a multiple of the digit's
// unit, and its lower bits are the digit.
struct Window {
    i32 top;
    f64 limit;
    f64 rounders[DIGITS_HELD];

    __forceinline__ explicit Window(i32 top) : top(top), limit(power_of_two(top)) {
#pragma unroll
        for (u32 d = 0; d < DIGITS_HELD; ++d) rounders[d] = 1.5 * power_of_two(unit(d) + 52);
    }
    __forceinline__ i32 unit(u32 d) const { return top - i32((d + 1) * DIGIT_BITS); }
};

// The sum of a thread.
struct OwnSum {
    u64 digits[DIGITS_HELD];
    u32 infinities;

    // Adds numbers, 0 for rows that have none; these are `there`. What is NaN is taken out of it.
    template <u32 N>
    __forceinline__ void add(f64 (&x)[N], u32& there, const Window& window, u64* limbs) {
        bool fits = true;
#pragma unroll
        for (u32 k = 0; k < N; ++k) fits = fits && fabs(x[k]) < window.limit;
        if (!fits) {
#pragma unroll
            for (u32 k = 0; k < N; ++k) {
                if (fabs(x[k]) < window.limit) continue;
                if (x[k] != x[k]) {
                    there &= ~(1u << k);
                } else if (x[k] - x[k] != 0) {
                    infinities |= x[k] > 0 ? PLUS_INFINITY : MINUS_INFINITY;
                } else {
                    add_float(limbs, x[k]);
                }
                x[k] = 0;
            }
        }
        bool has_more = false;
#pragma unroll
        for (u32 k = 0; k < N; ++k) {
            digits[0] += take(x[k], window.rounders[0]);
            digits[1] += take(x[k], window.rounders[1]);
            has_more = has_more || x[k] != 0;
        }
        if (!has_more) return;
        u64 last = 0;
#pragma unroll
        for (u32 k = 0; k < N; ++k) {
            last += take(x[k], window.rounders[2]);
            if (x[k] != 0) add_float(limbs, x[k]);
        }
        digits[2] += last - N * u64(__double_as_longlong(window.rounders[2]));
    }

    // Adds up the sums of the threads of a block, each less the rounders of `taken` numbers; for all threads.
    __forceinline__ void finish(u64 taken, const Window& window, u64* limbs, u64* shared) {
#pragma unroll
        for (u32 d = 0; d < DIGITS_HELD; ++d) {
            const u64 own = d < 2 ? digits[d] - taken * u64(__double_as_longlong(window.rounders[d])) : digits[d];
            // In halves, whose sums fit.
            const u64 low = block_reduce<THREADS>(own & 0xffffffff, Sum(), shared);
            __syncthreads();
            const u64 high = block_reduce<THREADS>(u64(i64(own) >> 32), Sum(), shared);
            if (threadIdx.x == 0) {
                add_integer(limbs, i64(low), window.unit(d));
                add_integer(limbs, i64(high), window.unit(d) + 32);
            }
            __syncthreads();
        }
    }

  private:
    // Takes the digit off a number.
    static __forceinline__ u64 take(f64& x, f64 rounder) {
        const f64 rounded = x + rounder;
        x -= rounded - rounder;
        return u64(__double_as_longlong(rounded));
    }
};

// ---- rows ------------------------------------------------------------------------------------------------

// Rows of a thread in flight: 64 bytes of wide values.
template <typename T>
constexpr u32 ROWS = sizeof(T) == 8 ? 8 : 16;

// The rows of a column, in whole packs of 16 bytes from before the first row on.
template <typename T>
struct PackedRows {
    static constexpr u32 PACKS = ROWS<T> / PACK<T>;
    static constexpr u64 TILE = THREADS * ROWS<T>;
    static constexpr u32 ALL = u32((1ull << ROWS<T>) - 1);
    const T* values;  // of the first pack
    const u8* bits;
    u64 first_bit;    // of the first pack's first value; may be before the mask's begin
    u64 lead;         // values before the first row
    u64 end;          // behind the last row

    __forceinline__ explicit PackedRows(const ColumnDeviceView& column) {
        const T* const from = reinterpret_cast<const T*>(column.data_address) + column.offset;
        lead = (u64(from) & 15) / sizeof(T);
        values = from - lead;
        bits = reinterpret_cast<const u8*>(column.mask_address);
        first_bit = column.offset - lead;
        end = lead + column.len;
    }

    // The values of this thread in a tile that begins at `first`, and which of them there are.
    __forceinline__ void load(u64 first, T (&loaded)[ROWS<T>], u32& there) const {
        if (first >= lead && first + TILE <= end) {
            there = ALL;
#pragma unroll
            for (u32 p = 0; p < PACKS; ++p) {
                Pack<T> own;
                *reinterpret_cast<Word16*>(&own) = *reinterpret_cast<const Word16*>(values + first + pack(p));
#pragma unroll
                for (u32 k = 0; k < PACK<T>; ++k) loaded[p * PACK<T> + k] = own.items[k];
            }
        } else {
            there = 0;
#pragma unroll
            for (u32 k = 0; k < ROWS<T>; ++k) {
                const u64 at = first + pack(k / PACK<T>) + k % PACK<T>;
                const bool exists = lead <= at && at < end;
                loaded[k] = exists ? values[at] : T(0);
                there |= u32(exists) << k;
            }
        }
        if (bits == nullptr) return;
#pragma unroll
        for (u32 p = 0; p < PACKS; ++p) {
            const u32 own = there >> (p * PACK<T>) & ((1u << PACK<T>) - 1);
            if (own == 0) continue;
            const u64 bit = first_bit + first + pack(p);
            there &= ~(own << (p * PACK<T>)) | (valid(bit, own) & own) << (p * PACK<T>);
        }
    }

  private:
    static __forceinline__ u64 pack(u32 p) { return u64(p * THREADS + threadIdx.x) * PACK<T>; }

    // The validity of a pack: only the bits of `own` are read, others are 0 or anything.
    __forceinline__ u32 valid(u64 bit, u32 own) const {
        // Bits before the first row may be before the mask.
        const u32 skipped = u32(__ffs(own)) - 1, last = 31 - u32(__clz(own));
        const u64 from = (bit + skipped) / 8, to = (bit + last) / 8;
        u32 found = 0;
#pragma unroll
        for (u32 k = 0; k < PACK<T> / 8 + 2; ++k) {
            if (from + k <= to) found |= u32(bits[from + k]) << 8 * k;
        }
        return found >> ((bit + skipped) % 8) << skipped;
    }
};

// ---- a sample --------------------------------------------------------------------------------------------

// The result of `block_reduce`, for all threads.
template <typename T, typename Op>
__forceinline__ T of_block(T own, Op op, T* shared) {
    const T total = block_reduce<THREADS>(own, op, shared);
    __syncthreads();
    if (threadIdx.x == 0) shared[0] = total;
    __syncthreads();
    const T result = shared[0];
    __syncthreads();
    return result;
}

constexpr i32 NO_EXPONENT = -5000;

// Two to its power is more than a finite number; NO_EXPONENT of 0.
inline i32 exponent_above(f64 value) {
    if (value == 0) return NO_EXPONENT;
    const u64 bits = u64(__double_as_longlong(value));
    const u32 stored = u32(bits >> 52) & 2047;
    return stored == 0 ? -1010 - __clzll(i64(bits & ((1ull << 52) - 1))) : i32(stored) - 1022;
}

// The digits that most numbers of a sample fit; others are 0. For all threads.
__forceinline__ Window window_of(const f64 (&sample)[SAMPLED], i32* shared) {
    i32 exponents[SAMPLED], numbers = 0;
#pragma unroll
    for (u32 k = 0; k < SAMPLED; ++k) {
        exponents[k] = exponent_above(sample[k]);
        numbers += exponents[k] != NO_EXPONENT;
    }
    numbers = of_block(numbers, Sum(), shared);
    i32 top = 0, most_held = 0;
    for (i32 bound = 2000; numbers > 0;) {
        i32 greatest = NO_EXPONENT, held = 0;
#pragma unroll
        for (u32 k = 0; k < SAMPLED; ++k) {
            if (exponents[k] <= bound) greatest = Max()(greatest, exponents[k]);
        }
        greatest = of_block(greatest, Max(), shared);
        if (greatest == NO_EXPONENT) break;
        // Numbers of so many exponents less have all their bits in the digits.
        bound = greatest - (i32(DIGITS_HELD * DIGIT_BITS) - HEADROOM - 53);
#pragma unroll
        for (u32 k = 0; k < SAMPLED; ++k) held += bound < exponents[k] && exponents[k] <= greatest;
        // Few that are far larger than the others go to the limbs one by one.
        held = of_block(held, Sum(), shared);
        if (held > most_held) {
            top = greatest;
            most_held = held;
        }
        if (2 * held >= numbers) break;
    }
    top += HEADROOM;
    return Window(top < LEAST_TOP ? LEAST_TOP : top > GREATEST_TOP ? GREATEST_TOP : top);
}

// Some rows of a column, spread evenly: the finite ones, and which of them there are. All blocks have the same.
template <typename T>
__forceinline__ u32 sample_of(const ColumnDeviceView& column, f64 (&sample)[SAMPLED]) {
    u32 there = 0;
#pragma unroll
    for (u32 k = 0; k < SAMPLED; ++k) {
        const u64 row = (u64(k) * THREADS + threadIdx.x) * column.len / (SAMPLED * THREADS);
        const f64 value = f64(column.value<T>(row));
        const bool counts = column.is_valid(row) && value - value == 0;
        sample[k] = counts ? value : 0.0;
        there |= u32(counts) << k;
    }
    return there;
}

// The mean of a sample, as its first value and the mean distance to it: that of equal values is exact. For all threads.
__forceinline__ f64 center_of(const f64 (&sample)[SAMPLED], u32 there, f64* shared, i32* numbers) {
    const i32 first = of_block(there != 0 ? i32(threadIdx.x) : i32(THREADS), Min(), numbers);
    if (first == i32(THREADS)) return 0;
    f64 own = 0;
#pragma unroll
    for (u32 k = SAMPLED; k > 0; --k) {
        if (there >> (k - 1) & 1) own = sample[k - 1];
    }
    if (threadIdx.x == u32(first)) shared[0] = own;
    __syncthreads();
    const f64 value = shared[0];
    __syncthreads();
    f64 distances = 0;
#pragma unroll
    for (u32 k = 0; k < SAMPLED; ++k) {
        if (there >> k & 1) distances += sample[k] - value;
    }
    const f64 mean = value + of_block(distances, Sum(), shared) / f64(of_block(i32(__popc(there)), Sum(), numbers));
    return mean - mean == 0 ? mean : value;
}

// ---- totals ----------------------------------------------------------------------------------------------

// The totals that a kernel may make: what is not among them costs nothing, so that so many BLOCKS have enough registers.
struct Sums {
    static constexpr u32 MOST = COUNT | LOW | HIGH | DIGITS, BLOCKS = 4;
};
struct Spreads {
    static constexpr u32 MOST = COUNT | LOW | HIGH | DIGITS | SQUARES, BLOCKS = 3;
};
struct Extremes {
    static constexpr u32 MOST = COUNT | LEAST | GREATEST, BLOCKS = 4;
};
struct Everything {
    static constexpr u32 MOST = ~0u, BLOCKS = 2;
};

struct BitwiseOr {
    u64 operator()(u64 a, u64 b) const { return a | b; }
};

// The ordered form of a value; of floats that of 64 bits.
template <typename T>
inline u64 ordered_wide(T value) {
    if constexpr (IS_FLOAT<T>) {
        return ordered(f64(value));
    } else {
        return ordered(value);
    }
}

inline f64 squared_distance(f64 value, f64 center) {
    const f64 distance = value - center;
    return distance * distance;
}

// Adds the totals of a column that are `wanted` to `state`. Distances are those from `*center`, or from the mean of a sample,
// which is then a word of `state`.
template <typename T, typename What>
__global__ void __launch_bounds__(THREADS, What::BLOCKS)
    total_column(ColumnDeviceView column, const f64* center, u32 wanted, u64* state) {
    __shared__ u64 shared[WARPS];
    __shared__ f64 floats[WARPS];
    __shared__ i32 numbers[WARPS];
    const u32 wants = wanted & What::MOST;
    const PackedRows<T> rows(column);
    const bool has_digits = IS_FLOAT<T> && (wants & DIGITS) != 0;
    const bool has_squares = (wants & SQUARES) != 0;
    u64* const sum_limbs = state + FIRST_LIMB;
    u64* const square_limbs = sum_limbs + LIMBS;

    Window window(0), square_window(0);
    f64 middle = 0;
    if (has_digits || has_squares) {
        f64 sample[SAMPLED];
        const u32 there = sample_of<T>(column, sample);
        if (has_digits) window = window_of(sample, numbers);
        if (has_squares) {
            middle = center != nullptr ? *center : center_of(sample, there, floats, numbers);
#pragma unroll
            for (u32 k = 0; k < SAMPLED; ++k) {
                const f64 square = there >> k & 1 ? squared_distance(sample[k], middle) : 0.0;
                sample[k] = square - square == 0 ? square : 0.0;
            }
            square_window = window_of(sample, numbers);
            if (blockIdx.x == 0 && threadIdx.x == 0) state[CENTER_WORD] = u64(__double_as_longlong(middle));
        }
    }

    OwnSum sum = {}, squares = {};
    u64 count = 0, low = 0, high = 0, truth = 0, taken = 0;
    // All values are below the first and above the second, or the same.
    T least = largest_of<T>(), greatest = smallest_of<T>();
    const u64 step = u64(gridDim.x) * rows.TILE;
    for (u64 first = blockIdx.x * rows.TILE; first < rows.end; first += step) {
        T values[ROWS<T>];
        u32 there;
        rows.load(first, values, there);
        if constexpr (IS_FLOAT<T>) {
            // What is missing is NaN: it is neither less nor more.
            if ((wants & (LEAST | GREATEST)) != 0 && there != rows.ALL) {
                const T infinity = largest_of<T>();
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) values[k] = there >> k & 1 ? values[k] : infinity - infinity;
            }
            if (!has_digits) {
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) there &= ~(u32(values[k] != values[k]) << k);
            }
            if (wants & LEAST) {
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) least = values[k] < least ? values[k] : least;
            }
            if (wants & GREATEST) {
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) greatest = values[k] > greatest ? values[k] : greatest;
            }
        } else {
            if (wants & LEAST) {
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) least = (there >> k & 1) && values[k] < least ? values[k] : least;
            }
            if (wants & GREATEST) {
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) {
                    greatest = (there >> k & 1) && values[k] > greatest ? values[k] : greatest;
                }
            }
            if (there != rows.ALL) {
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) values[k] = there >> k & 1 ? values[k] : T(0);
            }
            if (wants & LOW) {
                const bool in_halves = (wants & HIGH) != 0;
#pragma unroll
                for (u32 k = 0; k < ROWS<T>; ++k) {
                    const u64 bits = u64(i64(values[k]));
                    low += in_halves ? bits & 0xffffffff : bits;
                    high += IS_SIGNED<T> ? u64(i64(bits) >> 32) : bits >> 32;
                }
            }
        }
        if (has_squares) {
            constexpr u32 HALF = ROWS<T> / 2;
#pragma unroll
            for (u32 from = 0; from < ROWS<T>; from += HALF) {
                f64 own[HALF];
                u32 counted = ~0u;
#pragma unroll
                for (u32 k = 0; k < HALF; ++k) {
                    const f64 square = squared_distance(f64(values[from + k]), middle);
                    own[k] = (there >> (from + k) & 1) != 0 ? square : 0.0;
                }
                squares.add(own, counted, square_window, square_limbs);
            }
        }
        if constexpr (IS_FLOAT<T>) {
            if (has_digits) {
                constexpr u32 HALF = ROWS<T> / 2;
#pragma unroll
                for (u32 from = 0; from < ROWS<T>; from += HALF) {
                    f64 own[HALF];
                    u32 counted = there >> from;
#pragma unroll
                    for (u32 k = 0; k < HALF; ++k) own[k] = (counted >> k & 1) != 0 ? f64(values[from + k]) : 0.0;
                    sum.add(own, counted, window, sum_limbs);
                    there &= counted << from | ~(((1u << HALF) - 1) << from);
                }
            }
        }
        if (wants & TRUTH) {
#pragma unroll
            for (u32 k = 0; k < ROWS<T>; ++k) {
                if (there >> k & 1) truth |= values[k] == T(0) ? ANY_FALSE : ANY_TRUE;
            }
        }
        count += __popc(there);
        taken += ROWS<T>;
        if ((has_digits || has_squares) && taken > MOST_TAKEN - ROWS<T>) {
            // Rare: a column of very many rows on a small device.
#pragma unroll
            for (u32 d = 0; d < DIGITS_HELD; ++d) {
                const u64 added = d < 2 ? taken : 0;
                const auto give = [&](OwnSum& own, const Window& of, u64* limbs) {
                    const u64 digit = own.digits[d] - added * u64(__double_as_longlong(of.rounders[d]));
                    add_integer(limbs, i64(digit), of.unit(d));
                    own.digits[d] = 0;
                };
                if (has_digits) give(sum, window, sum_limbs);
                if (has_squares) give(squares, square_window, square_limbs);
            }
            taken = 0;
        }
    }

    const auto add = [&](u32 word, u64 own) {
        const u64 total = block_reduce<THREADS>(own, Sum(), shared);
        if (threadIdx.x == 0 && total != 0) atomicAdd(state + word, total);
        __syncthreads();
    };
    const auto keep_larger = [&](u32 word, u64 own) {
        const u64 total = block_reduce<THREADS>(own, Max(), shared);
        if (threadIdx.x == 0 && total != 0) atomicMax(state + word, total);
        __syncthreads();
    };
    const auto set_flags = [&](u32 word, u64 own) {
        const u64 total = block_reduce<THREADS>(own, BitwiseOr(), shared);
        if (threadIdx.x == 0 && total != 0) atomicOr(state + word, total);
        __syncthreads();
    };
    if (wants & COUNT) add(COUNT_WORD, count);
    if (!IS_FLOAT<T> && (wants & LOW)) add(LOW_WORD, low);
    if (!IS_FLOAT<T> && (wants & HIGH)) add(HIGH_WORD, high);
    if (wants & LEAST) keep_larger(LEAST_WORD, count > 0 ? ~ordered_wide(least) : 0);
    if (wants & GREATEST) keep_larger(GREATEST_WORD, count > 0 ? ordered_wide(greatest) : 0);
    if (wants & TRUTH) set_flags(TRUTH_WORD, truth);
    if (has_digits) {
        sum.finish(taken, window, sum_limbs, shared);
        set_flags(INFINITY_WORD, sum.infinities);
    }
    if (has_squares) {
        squares.finish(taken, square_window, square_limbs, shared);
        set_flags(SQUARE_INFINITY_WORD, squares.infinities);
    }
}

// The first row that is zero, twice, and one more where it is negative; `first` was ~0. Rows behind one that was found are
// passed over.
template <typename T>
__global__ void __launch_bounds__(THREADS) first_zero(ColumnDeviceView column, u64* first) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 begin = u64(blockIdx.x) * THREADS; begin < column.len; begin += step) {
        if (of_another_block(first) / 2 < begin) return;
        const u64 row = begin + threadIdx.x;
        if (row >= column.len || !column.is_valid(row)) continue;
        const T value = column.value<T>(row);
        if (value == T(0)) atomicMin(first, 2 * row + (T(1) / value < T(0)));
    }
}
