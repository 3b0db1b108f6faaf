// Functions of generated kernels: reading and writing of rows, and the operations of elements, which
// are those of the CPU to the bit. The kernel itself is put behind this text.
#include "cuprum/calendar.cuh"
#include "cuprum/types.cuh"

constexpr u32 THREADS = 256;
constexpr u32 WARP = 32;
constexpr u32 ALL_LANES = 0xffffffff;

// A column that is read: the address of its first value, that of its mask (0 where all are valid), and which
// bit of this belongs to the first row.
struct FormulaInput {
    u64 values;
    u64 mask;
    u64 first_bit;
};

// A column that is written. `mask_words` are written of the mask, those behind the last row as zeros.
struct FormulaOutput {
    u64 values;
    u64 mask;
    u64 mask_words;
};

// ---- Rows ------------------------------------------------------------------------------------------------

// Bytes that one access moves.
template <u32 BYTES>
struct Moved;
template <>
struct Moved<1> {
    u8 word;
};
template <>
struct Moved<2> {
    u16 word;
};
template <>
struct Moved<4> {
    u32 word;
};
template <>
struct Moved<8> {
    u64 word;
};
template <>
struct __align__(16) Moved<16> {
    u32 words[4];
};

// Consecutive elements of a thread, 16 bytes at most.
template <typename T, u32 N>
struct __align__(sizeof(T) * N) Elements {
    T at[N];
};

// Elements [row, row + N), all of which are there, at an address that is a multiple of their size.
template <typename T, u32 N>
__forceinline__ void load(Elements<T, N>& to, const FormulaInput& from, u64 row) {
    const T* const first = reinterpret_cast<const T*>(from.values) + row;
    *reinterpret_cast<Moved<sizeof(T) * N>*>(&to) = *reinterpret_cast<const Moved<sizeof(T) * N>*>(first);
}

// The same of n rows, anywhere: zeros behind the last.
template <typename T, u32 N>
__forceinline__ void load_some(Elements<T, N>& to, const FormulaInput& from, u64 row, u64 n) {
    const T* const first = reinterpret_cast<const T*>(from.values) + row;
#pragma unroll
    for (u32 k = 0; k < N; ++k) to.at[k] = row + k < n ? first[k] : T(0);
}

// The element of a row, where rows are read in any order.
template <typename T>
__forceinline__ T value_at(const FormulaInput& from, u64 row) {
    return reinterpret_cast<const T*>(from.values)[row];
}

// The validity of a row.
__forceinline__ bool bit_at(const FormulaInput& from, u64 row) {
    const u64 bit = from.first_bit + row;
    return (reinterpret_cast<const u8*>(from.mask)[bit / 8] >> (bit & 7) & 1) != 0;
}

template <typename T, u32 N>
__forceinline__ void store(const FormulaOutput& to, u64 row, u64 n, const Elements<T, N>& from) {
    T* const first = reinterpret_cast<T*>(to.values) + row;
    if (row + N <= n) {
        *reinterpret_cast<Moved<sizeof(T) * N>*>(first) = *reinterpret_cast<const Moved<sizeof(T) * N>*>(&from);
    } else {
#pragma unroll
        for (u32 k = 0; k < N; ++k) {
            if (row + k < n) first[k] = from.at[k];
        }
    }
}

// The validity of the rows [row, row + N) of n.
template <u32 N>
__forceinline__ u32 load_bits(const FormulaInput& from, u64 row, u64 n) {
    if (row >= n) return 0;
    const u64 bit = from.first_bit + row;
    const u8* const bytes = reinterpret_cast<const u8*>(from.mask) + bit / 8;
    const u32 shift = u32(bit) & 7;
    const u32 count = row + N <= n ? N : u32(n - row);
    u32 bits = bytes[0];
#pragma unroll
    for (u32 k = 1; k * 8 < N + 7; ++k) {
        if (shift + count > k * 8) bits |= u32(bytes[k]) << k * 8;
    }
    return bits >> shift & ((1u << count) - 1);
}

// The same of rows that are all there, where the first row's bit begins a byte.
template <u32 N>
__forceinline__ u32 load_whole_bits(const FormulaInput& from, u64 row) {
    const u8* const bytes = reinterpret_cast<const u8*>(from.mask) + (from.first_bit + row) / 8;
    u32 bits = bytes[0];
    if constexpr (N > 8) bits |= u32(bytes[1]) << 8;
    return bits >> (u32(row) & 7) & ((1u << N) - 1);
}

// Writes whether the rows [row, row + N) are valid, the lanes of a warp having consecutive ones: bits behind
// the last row are 0.
template <u32 N>
__forceinline__ void store_bits(const FormulaOutput& to, u64 row, u64 n, u32 bits) {
    const u32 count = row >= n ? 0 : row + N <= n ? N : u32(n - row);
    bits &= (1u << count) - 1;
    u32 word;
    if constexpr (N == 1) {
        word = __ballot_sync(ALL_LANES, bits != 0);
    } else {
        word = bits << (row & 31);
#pragma unroll
        for (u32 step = 1; step < WARP / N; step *= 2) word |= __shfl_xor_sync(ALL_LANES, word, step);
    }
    if ((row & 31) == 0 && row / 32 < to.mask_words) reinterpret_cast<u32*>(to.mask)[row / 32] = word;
}

// ---- Types -----------------------------------------------------------------------------------------------

// In which sums, differences and products of integers wrap.
template <typename T>
struct Wrapping {
    typedef u32 Type;
};
template <>
struct Wrapping<i64> {
    typedef u64 Type;
};
template <>
struct Wrapping<u64> {
    typedef u64 Type;
};
template <>
struct Wrapping<f32> {
    typedef f32 Type;
};
template <>
struct Wrapping<f64> {
    typedef f64 Type;
};

template <typename T>
constexpr T lowest() {
    return IS_SIGNED<T> ? T(u64(1) << (sizeof(T) * 8 - 1)) : T(0);
}
template <typename T>
constexpr T highest() {
    return T(~lowest<T>());
}

// A literal, which is handed over as the bits of 8 bytes.
template <typename T>
__forceinline__ T literal(u64 bits) {
    if constexpr (IS_SAME<T, f64>) {
        return __longlong_as_double(i64(bits));
    } else if constexpr (IS_SAME<T, f32>) {
        return __uint_as_float(u32(bits));
    } else {
        return T(bits);
    }
}

// As Rust's `as`: integers wrap, floats become the nearest integer towards zero that there is, NaN 0.
template <typename T, typename S>
__forceinline__ T convert(S value) {
    if constexpr (IS_FLOAT<S> && !IS_FLOAT<T>) {
        const f64 wide = f64(value);
        // The power of two above the highest value, exactly.
        const f64 above = 2.0 * f64(T(1) << (sizeof(T) * 8 - (IS_SIGNED<T> ? 2 : 1)));
        if (!(wide > f64(lowest<T>()))) return wide != wide ? T(0) : lowest<T>();
        return wide >= above ? highest<T>() : T(wide);
    } else {
        return T(value);
    }
}

// Whether a float, without its fraction, is a value of the integer type T.
template <typename T>
__forceinline__ bool fits(f64 value) {
    const f64 above = 2.0 * f64(T(1) << (sizeof(T) * 8 - (IS_SIGNED<T> ? 2 : 1)));
    const f64 whole = trunc(value);
    return whole >= (IS_SIGNED<T> ? -above : 0.0) && whole < above;
}

// Whether an integer is a value of the integer type T.
template <typename T>
__forceinline__ bool fits(i64 value) {
    return i64(T(value)) == value && (IS_SIGNED<T> || value >= 0);
}
template <typename T>
__forceinline__ bool fits(u64 value) {
    return u64(T(value)) == value && (!IS_SIGNED<T> || T(value) >= T(0));
}

// ---- Arithmetic ------------------------------------------------------------------------------------------

template <typename T>
__forceinline__ T add(T a, T b) {
    typedef typename Wrapping<T>::Type W;
    return T(W(a) + W(b));
}
template <typename T>
__forceinline__ T sub(T a, T b) {
    typedef typename Wrapping<T>::Type W;
    return T(W(a) - W(b));
}
template <typename T>
__forceinline__ T mul(T a, T b) {
    typedef typename Wrapping<T>::Type W;
    return T(W(a) * W(b));
}

// Rounded down; by zero 0 for integers.
template <typename T>
__forceinline__ T floor_div(T a, T b) {
    if constexpr (IS_FLOAT<T>) {
        if (b == T(0)) return a / b;
        const T rest = fmod(a, b);
        T quotient = (a - rest) / b;
        if (rest != T(0) && (rest < T(0)) != (b < T(0))) quotient -= T(1);
        if (quotient == T(0)) return copysign(T(0), a / b);
        const T down = floor(quotient);
        return quotient - down > T(0.5) ? down + T(1) : down;
    } else {
        if (b == T(0)) return T(0);
        if constexpr (IS_SIGNED<T>) {
            if (b == T(-1)) return sub(T(0), a);
            const T quotient = T(a / b);
            return T(a % b) != T(0) && (a < T(0)) != (b < T(0)) ? T(quotient - 1) : quotient;
        } else {
            return T(a / b);
        }
    }
}

// With the sign of the divisor; by zero 0 for integers.
template <typename T>
__forceinline__ T modulo(T a, T b) {
    if constexpr (IS_FLOAT<T>) {
        const T rest = fmod(a, b);
        if (b == T(0)) return rest;
        if (rest == T(0)) return copysign(T(0), b);
        return (rest < T(0)) != (b < T(0)) ? rest + b : rest;
    } else {
        if (b == T(0)) return T(0);
        if constexpr (IS_SIGNED<T>) {
            if (b == T(-1)) return T(0);
            const T rest = T(a % b);
            return rest != T(0) && (rest < T(0)) != (b < T(0)) ? add(rest, b) : rest;
        } else {
            return T(a % b);
        }
    }
}

template <typename T>
__forceinline__ T power(T a, T b) {
    if constexpr (IS_FLOAT<T>) {
        // Roots and reciprocals are exact, which `pow` of a GPU is not.
        if (b == T(2)) return a * a;
        if (b == T(1)) return a;
        if (b == T(-1)) return T(1) / a;
        return b == T(0.5) && a > T(0) ? sqrt(a) : pow(a, b);
    } else {
        T result = 1;
        while (b > T(0)) {
            if ((b & T(1)) != T(0)) result = mul(result, a);
            a = mul(a, a);
            b = T(b >> 1);
        }
        return result;
    }
}

// −1, 0 or 1; NaN stays.
template <typename T>
__forceinline__ T sign(T x) {
    if (x != x) return x;
    return T(int(x > T(0)) - int(x < T(0)));
}

template <typename T>
__forceinline__ T absolute(T x) {
    if constexpr (IS_FLOAT<T>) {
        return fabs(x);
    } else {
        return x < T(0) ? sub(T(0), x) : x;
    }
}

// As Rust's standard library has them.
template <typename T>
__forceinline__ T area_sine(T x) {
    const T size = fabs(x), inverse = T(1) / size;
    return copysign(log1p(size + size / (hypot(T(1), inverse) + inverse)), x);
}
template <typename T>
__forceinline__ T area_cosine(T x) {
    if (x < T(1)) return sqrt(T(-1));
    return log(x + sqrt(x - T(1)) * sqrt(x + T(1)));
}
template <typename T>
__forceinline__ T area_tangent(T x) {
    return T(0.5) * log1p(T(2) * x / (T(1) - x));
}

// The rounded value, or x where the scaling left the range of floats.
template <typename T>
__forceinline__ T finite_or(T x, T rounded) {
    return isfinite(rounded) ? rounded : x;
}

// To a multiple of the unit, halves away from zero or to the even one; it may not fit T.
template <typename T>
__forceinline__ __int128 multiple_of(T x, u64 unit, bool halves_go_up) {
    const __int128 value = x, units = unit;
    const __int128 quotient = value / units, rest = value % units;
    const __int128 size = rest < 0 ? -rest : rest, other_half = units - size;
    const bool away = size > other_half || (size == other_half && (halves_go_up || (quotient & 1) != 0));
    return (quotient + (away ? (value < 0 ? -1 : 1) : 0)) * units;
}

// To places behind the point (`direction` 1) or before it (-1), by a power of ten.
__forceinline__ f64 rounded_halves(f64 value, f64 factor, i32 direction, bool halves_go_up) {
    const auto nearest = [=](f64 x) { return halves_go_up ? round(x) : rint(x); };
    f64 result;
    if (direction == 0) {
        result = nearest(value);
    } else if (direction > 0) {
        // The whole part needs no scaling, which would cost digits.
        const f64 whole = trunc(value);
        result = whole + nearest((value - whole) * factor) / factor;
    } else {
        result = isinf(factor) ? 0.0 * value : nearest(value / factor) * factor;
    }
    return isfinite(result) ? copysign(result, value) : value;
}

// Whether a signed and an unsigned number are equal, and in this order.
__forceinline__ bool equal(i64 a, u64 b) { return a >= 0 && u64(a) == b; }
__forceinline__ bool below(i64 a, u64 b) { return a < 0 || u64(a) < b; }

// ---- Arithmetic of times, which may not fit --------------------------------------------------------------

struct Cell {
    i64 value;
    bool is_null, fits;
};

__forceinline__ Cell cell(__int128 value) { return {i64(value), false, value == __int128(i64(value))}; }
__forceinline__ bool is_scaled(i64 value, i64 factor) { return cell(__int128(value) * factor).fits; }

// Both in units of the finer one, which have to fit, too.
__forceinline__ Cell time_sum(i64 a, i64 of_a, i64 b, i64 of_b) {
    if (!is_scaled(a, of_a) || !is_scaled(b, of_b)) return {0, false, false};
    return cell(__int128(a * of_a) + b * of_b);
}
__forceinline__ Cell time_difference(i64 a, i64 of_a, i64 b, i64 of_b) {
    if (!is_scaled(a, of_a) || !is_scaled(b, of_b)) return {0, false, false};
    return cell(__int128(a * of_a) - b * of_b);
}
__forceinline__ Cell time_floor_div(i64 a, i64 of_a, i64 b, i64 of_b) {
    if (!is_scaled(a, of_a) || !is_scaled(b, of_b)) return {0, false, false};
    const i64 x = a * of_a, y = b * of_b;
    if (y == 0) return {0, true, true};
    if (y == -1) return cell(-__int128(x));
    return {floor_div(x, y), false, true};
}
__forceinline__ Cell time_modulo(i64 a, i64 of_a, i64 b, i64 of_b) {
    if (!is_scaled(a, of_a) || !is_scaled(b, of_b)) return {0, false, false};
    return {modulo(a * of_a, b * of_b), b == 0, true};
}
__forceinline__ Cell time_times(i64 a, i64 b) { return cell(__int128(a) * b); }
__forceinline__ Cell time_divided(i64 a, i64 b) {
    if (b == 0) return {0, true, true};
    if (b == -1) return cell(-__int128(a));
    return {a / b, false, true};
}
// A duration times or divided by a float: without its fraction.
__forceinline__ Cell time_of_float(f64 value, f64 by) {
    if (value != value || (isinf(value) && by == 0.0)) return {0, true, true};
    if (!(fabs(value) < 9223372036854775808.0)) return {0, false, false};
    return {convert<i64>(value), false, true};
}
// ---- Decimals, as integers of 128 bits ---------------------------------------------------------------------

typedef __int128 i128;
typedef unsigned __int128 u128;

struct Digits {
    i128 value;
    bool fits;
};

__forceinline__ i128 wide(u64 high, u64 low) { return i128(u128(high) << 64 | u128(low)); }
__forceinline__ Digits digits(i128 value) { return {value, true}; }
__forceinline__ Digits digits_sum(Digits a, Digits b) {
    const i128 sum = i128(u128(a.value) + u128(b.value));
    return {sum, a.fits && b.fits && ((a.value ^ sum) & (b.value ^ sum)) >= 0};
}
__forceinline__ Digits digits_difference(Digits a, Digits b) {
    const i128 difference = i128(u128(a.value) - u128(b.value));
    return {difference, a.fits && b.fits && ((a.value ^ b.value) & (a.value ^ difference)) >= 0};
}
__forceinline__ Digits digits_product(i128 a, i128 b) {
    const i128 product = i128(u128(a) * u128(b));
    // Two numbers of 64 bits have a product of 128; others are seldom.
    if (i128(i64(a)) == a && i128(i64(b)) == b) return {product, true};
    if (a == 0) return {product, true};
    if (a == -1) return {product, b != wide(u64(1) << 63, 0)};
    return {product, product / a == b};
}
// The digits beyond the scale are cut off.
__forceinline__ Digits digits_quotient(i128 a, i128 b) {
    if (b == 0) return {0, true};
    if (b == -1) return {i128(-u128(a)), a != wide(u64(1) << 63, 0)};
    return {a / b, true};
}
// Rounded down, of one scale; by zero 0, which is null.
__forceinline__ Digits digits_floor_div(Digits a, Digits b) {
    if (b.fits && b.value == 0) return {0, true};
    if (!a.fits || !b.fits) return {0, false};
    const Digits quotient = digits_quotient(a.value, b.value);
    if (b.value == -1) return quotient;
    const bool is_below = a.value % b.value != 0 && (a.value < 0) != (b.value < 0);
    return {quotient.value - is_below, true};
}
// With the sign of the divisor.
__forceinline__ Digits digits_modulo(Digits a, Digits b) {
    if (b.fits && b.value == 0) return {0, true};
    if (!a.fits || !b.fits) return {0, false};
    if (b.value == -1) return {0, true};
    const i128 rest = a.value % b.value;
    return {rest != 0 && (rest < 0) != (b.value < 0) ? rest + b.value : rest, true};
}
__forceinline__ Digits digits_negative(i128 a) { return {i128(-u128(a)), a != wide(u64(1) << 63, 0)}; }
__forceinline__ Digits digits_absolute(i128 a) { return a < 0 ? digits_negative(a) : digits(a); }
// a / unit, halves to the even one or away from zero.
__forceinline__ i128 digits_rounded(i128 a, i128 unit, bool halves_go_up) {
    const i128 quotient = a / unit, rest = a % unit;
    const i128 size = rest < 0 ? -rest : rest, other_half = unit - size;
    const bool away = size > other_half || (size == other_half && (halves_go_up || (quotient & 1) != 0));
    return quotient + (away ? (a < 0 ? -1 : 1) : 0);
}
// value / unit, or value · unit, as the nearest float. The quotient is made to 64 bits, the last of which says whether
// something is left: 53 of them decide.
__forceinline__ f64 digits_ratio(i128 value, i128 unit) {
    if (value == 0) return 0.0;
    const bool negative = value < 0;
    const u128 size = negative ? -u128(value) : u128(value), by = u128(unit);
    u128 quotient = size / by, rest = size % by;
    i32 exponent = 0;
    bool is_inexact = false;
    while (u64(quotient >> 63) == 0) {
        rest <<= 1;
        quotient <<= 1;
        if (rest >= by) {
            rest -= by;
            quotient |= 1;
        }
        exponent -= 1;
    }
    while (u64(quotient >> 64) != 0) {
        is_inexact |= (u64(quotient) & 1) != 0;
        quotient >>= 1;
        exponent += 1;
    }
    const u64 bits = u64(quotient) | u64(is_inexact || rest != 0);
    const f64 power = __longlong_as_double(i64(exponent + 1023) << 52);
    const f64 result = f64(bits) * power;
    return negative ? -result : result;
}
// A float in units of 1 / unit, halves to even: its digits are whole and a fraction of 53 bits, whose product with the
// unit has 192.
__forceinline__ Digits digits_of_float(f64 value, i128 unit) {
    const f64 size = fabs(value);
    if (!(size < 170141183460469231731687303715884105728.0)) return {0, false};
    const f64 whole = trunc(size), part = size - whole;
    const u64 of_whole = u64(__double_as_longlong(whole)), of_part = u64(__double_as_longlong(part));
    i128 digits_of_whole = 0;
    if (whole != 0.0) {
        const i32 exponent = i32(of_whole >> 52) - 1075;
        const u64 bits = (of_whole & 0xfffffffffffffull) | 0x10000000000000ull;
        digits_of_whole = exponent < 0 ? i128(bits >> -exponent) : i128(u128(bits) << exponent);
    }
    i128 digits_of_part = 0;
    if (part != 0.0) {
        // part = bits / 2^shift, and shift is 53 at least.
        const i32 biased = i32(of_part >> 52), shift = 1075 - (biased == 0 ? 1 : biased);
        const u64 bits = (of_part & 0xfffffffffffffull) | (biased == 0 ? 0 : 0x10000000000000ull);
        const u128 low = u128(bits) * u64(u128(unit)), sum = u128(bits) * u64(u128(unit) >> 64) + (low >> 64);
        // The product is sum · 2^64 + lowest.
        const u64 lowest = u64(low);
        bool half, is_more;
        if (shift <= 64) {
            digits_of_part = i128(shift == 64 ? sum : sum << (64 - shift) | u128(lowest >> shift));
            half = (lowest >> (shift - 1) & 1) != 0;
            is_more = (lowest << (65 - shift)) != 0;
        } else {
            const i32 more = shift - 64;
            digits_of_part = more < 128 ? i128(sum >> more) : i128(0);
            half = more <= 128 && (u64(sum >> (more - 1)) & 1) != 0;
            const u128 below = more <= 128 ? sum & ((u128(1) << (more - 1)) - 1) : sum;
            is_more = below != 0 || lowest != 0;
        }
        if (half && (is_more || (digits_of_part & 1) != 0)) digits_of_part += 1;
        // A whole number is even with any part where the unit is 1.
        if (unit == 1 && half && !is_more) digits_of_part = digits_of_whole & 1;
    }
    const Digits scaled = digits_product(digits_of_whole, unit);
    const Digits sum = digits_sum(scaled, digits(digits_of_part));
    return value < 0.0 ? Digits{-sum.value, sum.fits} : sum;
}
// -1, 0 or 1 by the order of two decimals, which were scaled to the finer scale: a value that overflows is
// further from zero.
__forceinline__ i32 sign_of(i128 a) { return int(a > 0) - int(a < 0); }
__forceinline__ i32 digits_order(Digits a, i128 unscaled_a, Digits b, i128 unscaled_b) {
    if (!a.fits) return sign_of(unscaled_a);
    if (!b.fits) return -sign_of(unscaled_b);
    return int(a.value > b.value) - int(a.value < b.value);
}

// ---- Texts, as bytes ---------------------------------------------------------------------------------------

struct Text {
    const u8* at;
    u64 size;
};

// The text of a row of a column whose offsets and characters are two inputs.
template <typename Offset>
__forceinline__ Text text_at(const FormulaInput& offsets, const FormulaInput& characters, u64 row, bool is_there) {
    if (!is_there || offsets.values == 0) return {nullptr, 0};
    const Offset* const at = reinterpret_cast<const Offset*>(offsets.values) + row;
    return {reinterpret_cast<const u8*>(characters.values) + at[0], u64(at[1] - at[0])};
}
// Eight bytes, the first the least significant: texts begin anywhere, and nothing around them is read.
__forceinline__ u64 text_word(const u8* at) {
    const u32 beside = u32(reinterpret_cast<u64>(at)) & 7;
    if (beside == 0) return *reinterpret_cast<const u64*>(at);
    u64 word = 0;
    if (beside == 4) {
        const u32* const halves = reinterpret_cast<const u32*>(at);
        return u64(halves[0]) | u64(halves[1]) << 32;
    }
#pragma unroll
    for (u32 k = 0; k < 8; ++k) word |= u64(at[k]) << 8 * k;
    return word;
}
// Whether two texts of one size are the same.
__forceinline__ bool same_bytes(const u8* a, const u8* b, u64 size) {
    u64 i = 0;
    for (; i + 8 <= size; i += 8) {
        if (text_word(a + i) != text_word(b + i)) return false;
    }
    for (; i < size; ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}
__forceinline__ bool text_equal(Text a, Text b) { return a.size == b.size && same_bytes(a.at, b.at, a.size); }
// Below 0, 0 or above by the bytes.
__forceinline__ i32 text_order(Text a, Text b) {
    const u64 both = a.size < b.size ? a.size : b.size;
    u64 i = 0;
    for (; i + 8 <= both; i += 8) {
        const u64 x = text_word(a.at + i), y = text_word(b.at + i);
        if (x == y) continue;
        const u32 shift = u32(__ffsll(i64(x ^ y)) - 1) & ~7u;
        return i32(x >> shift & 255) - i32(y >> shift & 255);
    }
    for (; i < both; ++i) {
        if (a.at[i] != b.at[i]) return i32(a.at[i]) - i32(b.at[i]);
    }
    return int(a.size > b.size) - int(a.size < b.size);
}
__forceinline__ bool text_starts_with(Text a, Text b) {
    return a.size >= b.size && same_bytes(a.at, b.at, b.size);
}
__forceinline__ bool text_ends_with(Text a, Text b) {
    return a.size >= b.size && same_bytes(a.at + (a.size - b.size), b.at, b.size);
}
__forceinline__ bool text_contains(Text a, Text b) {
    if (b.size == 0) return true;
    for (u64 i = 0; i + b.size <= a.size; ++i) {
        if (a.at[i] == b.at[0] && same_bytes(a.at + i, b.at, b.size)) return true;
    }
    return false;
}
__forceinline__ i32 at_most_i32(u64 count) { return count > 2147483647 ? 2147483647 : i32(count); }
__forceinline__ i32 text_bytes(Text a) { return at_most_i32(a.size); }
// Bytes that begin with the bits 10 go on with a character.
__forceinline__ i32 text_characters(Text a) {
    u64 count = a.size, i = 0;
    for (; i + 8 <= a.size; i += 8) {
        const u64 word = text_word(a.at + i);
        count -= __popcll(word >> 7 & ~(word >> 6) & 0x0101010101010101ull);
    }
    for (; i < a.size; ++i) count -= (a.at[i] & 0xc0) == 0x80;
    return at_most_i32(count);
}
// Among texts in the order of their bytes.
template <typename Offset>
__forceinline__ bool text_is_in(Text a, const FormulaInput& offsets, const FormulaInput& characters, u64 count) {
    u64 low = 0, high = count;
    while (low < high) {
        const u64 middle = (low + high) / 2;
        const i32 order = text_order(text_at<Offset>(offsets, characters, middle, true), a);
        if (order == 0) return true;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

// ---- Parts of times: days are counted from 1970-01-01, see the calendar of the CPU --------------------------

__forceinline__ i64 first_day(i64 year) {
    const i64 before = year - 1, era = floor_div(before, i64(400));
    const u32 year_of_era = u32(before - era * 400);
    return era * 146097 + i64(year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + 306) - 719468;
}
__forceinline__ i32 weekday(i64 days) { return i32(modulo(days + 3, i64(7))); }
__forceinline__ i32 day_of_year(i64 days, i64 year) { return i32(days - first_day(year)) + 1; }
// The Thursday of the week, whose year is that of the week in ISO 8601.
__forceinline__ i64 thursday(i64 days) { return days - weekday(days) + 3; }
// Steps of a day within a cycle of them.
__forceinline__ i32 step_of_day(i64 time, i64 per_day, i64 steps, i64 cycle) {
    const i64 rest = modulo(time, per_day);
    return i32((per_day >= steps ? rest / (per_day / steps) : rest * (steps / per_day)) % cycle);
}

// -1, 0 or 1 by the order of two times in their own units.
__forceinline__ i32 time_order(i64 a, i64 of_a, i64 b, i64 of_b) {
    const __int128 x = __int128(a) * of_a, y = __int128(b) * of_b;
    return int(x > y) - int(x < y);
}
