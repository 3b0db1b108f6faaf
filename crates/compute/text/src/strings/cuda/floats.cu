// Floats as texts, and texts as floats; both right to the last digit.
#include "cuprum/digits.cuh"
#include "cuprum/texts.cuh"

// The layout of a float of 64 or 32 bits.
template <typename T>
struct Layout {
    static constexpr u32 DIGITS = sizeof(T) == 8 ? 53 : 24;  // binary ones, the first of them not stored
    static constexpr i32 LEAST = sizeof(T) == 8 ? -1022 : -126;  // exponent of the smallest normal number
    static constexpr u64 ONE = 1ull << (DIGITS - 1);             // of the exponent, and the digit that is not stored
    static constexpr u64 SIGN = 1ull << (8 * sizeof(T) - 1);
    static constexpr u64 INFINITE = SIGN - ONE;
    static constexpr u64 NOT_A_NUMBER = INFINITE + ONE / 2;

    static u64 bits(T value) {
        if constexpr (sizeof(T) == 8) {
            return u64(__double_as_longlong(value));
        } else {
            return __float_as_uint(value);
        }
    }
    static T value(u64 bits) {
        if constexpr (sizeof(T) == 8) {
            return __longlong_as_double(i64(bits));
        } else {
            return __uint_as_float(u32(bits));
        }
    }
    // A number without sign is `digits` × 2^`exponent`.
    static u64 digits(u64 bits) { return bits < ONE ? bits : (bits & (ONE - 1)) | ONE; }
    static i32 exponent(u64 bits) {
        const i32 stored = i32(bits / ONE);
        return (stored > 0 ? stored - 1 : 0) + LEAST - i32(DIGITS - 1);
    }
};

// ⌊log₂ 10ⁿ⌋, for n within ±1000.
inline i32 log2_of_power(i32 n) { return n * 1741647 >> 19; }

// 128 bits of a number that is at least 2¹²⁷.
struct Wide {
    u64 high;
    u64 low;

    void increment() {
        ++low;
        high += low == 0;
    }
};

// 10ⁿ as its first 128 binary digits, beginning with a one; the others are cut off. Made by `powers_of_ten`.
struct PowersOfTen {
    static constexpr i32 FIRST = -342, LAST = 324;
    const u64* words;

    Wide operator[](i32 n) const { return {words[2 * (n - FIRST)], words[2 * (n - FIRST) + 1]}; }
    // Whether nothing was cut off: 5⁵⁵ is the last that 128 bits hold.
    static bool is_exact(i32 n) { return n >= 0 && n <= 55; }
};

// ---- floats as texts ----------------------------------------------------------------------------------

// `digits` × 10^`exponent`.
struct Decimal {
    u64 digits;
    i32 exponent;
};

// The product of a power and a number, without its lower 128 bits; the last bit also says whether there are any.
inline u64 product_to_odd(Wide power, u64 number) {
    const u64 carried = __umul64hi(power.low, number), low = power.high * number + carried;
    const u64 high = __umul64hi(power.high, number) + (low < carried);
    return high | (low > 1);
}

// The shortest decimal number that is read as this float (which is neither 0 nor infinite), and of those the nearest
// to it: Raffaello Giulietti's Schubfach ("The Schubfach way to render doubles", 2020), in the form that Alexander
// Bolz's C++ has, which also gives one digit where one is enough.
template <typename T>
Decimal shortest(u64 bits, PowersOfTen powers) {
    const u64 c = Layout<T>::digits(bits);
    const i32 q = Layout<T>::exponent(bits);
    // Integers that have all their digits.
    if (q <= 0 && q > -i32(Layout<T>::DIGITS) && (c & ((1ull << -q) - 1)) == 0) return {c >> -q, 0};
    // Decimals that are read as this float lie between the middles to its neighbours; these, too, where it is even. The lower
    // neighbour of a power of two is nearer.
    const bool is_closer = bits % Layout<T>::ONE == 0 && bits > Layout<T>::ONE;
    const u64 is_odd = c & 1;
    // ⌊log₁₀ 2^q⌋, or of three quarters of it.
    const i32 k = (q * 1262611 - (is_closer ? 524031 : 0)) >> 22;
    const i32 shift = q + log2_of_power(-k) + 1;
    Wide power = powers[-k];
    if (!PowersOfTen::is_exact(-k)) power.increment();
    const u64 lower = product_to_odd(power, (4 * c - 2 + is_closer) << shift) + is_odd;
    const u64 value = product_to_odd(power, 4 * c << shift);
    const u64 upper = product_to_odd(power, (4 * c + 2) << shift) - is_odd;
    // All three are in quarters of 10^k.
    const u64 s = value / 4;
    if (s >= 10) {
        const u64 tens = s / 10;
        const bool is_lower_inside = lower <= 40 * tens, is_upper_inside = 40 * tens + 40 <= upper;
        if (is_lower_inside != is_upper_inside) return {tens + is_upper_inside, k + 1};
    }
    const bool is_lower_inside = lower <= 4 * s, is_upper_inside = 4 * s + 4 <= upper;
    if (is_lower_inside != is_upper_inside) return {s + is_upper_inside, k};
    const u64 middle = 4 * s + 2;
    return {s + (value > middle || (value == middle && (s & 1) != 0)), k};
}

inline u64 power_of_ten(u32 n) {
    u64 power = 1;
    for (; n > 0; --n) power *= 10;
    return power;
}

// A number as Python's `repr` has it: in full from 0.0001 to below 10¹⁶, else with an exponent.
template <typename Out>
void put_decimal(Out& out, Decimal number) {
    u64 digits = number.digits;
    i32 exponent = number.exponent;
    for (; digits % 10 == 0; digits /= 10) ++exponent;
    const i32 count = i32(num_digits(digits)), point = count + exponent;
    if (point < -3 || point > 16) {
        const u64 last = power_of_ten(u32(count - 1));
        out.put_digits(digits / last, 1);
        if (count > 1) out.put('.');
        out.put_digits(digits % last, u32(count - 1));
        const u32 power = u32(point > 0 ? point - 1 : 1 - point);
        out.put('e');
        out.put(point > 0 ? '+' : '-');
        out.put_digits(power, power < 100 ? 2 : 3);
    } else if (point <= 0) {
        put_literal(out, "0.");
        out.put_digits(digits, u32(count - point));
    } else if (point < count) {
        const u64 whole = power_of_ten(u32(count - point));
        out.put_digits(digits / whole, u32(point));
        out.put('.');
        out.put_digits(digits % whole, u32(count - point));
    } else {
        out.put_digits(digits, u32(count));
        out.put_digits(0, u32(point - count));
        put_literal(out, ".0");
    }
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    print_floats(ColumnDeviceView column, const u64* powers, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const u64 all = Layout<T>::bits(column.value<T>(i)), bits = all & ~Layout<T>::SIGN;
        if (bits > Layout<T>::INFINITE) return put_literal(out, "nan");
        if (bits != all) out.put('-');
        if (bits == Layout<T>::INFINITE) return put_literal(out, "inf");
        if (bits == 0) return put_literal(out, "0.0");
        put_decimal(out, shortest<T>(bits, PowersOfTen{powers}));
    });
}

// ---- texts as floats ----------------------------------------------------------------------------------

// A decimal number as a text has it: 0.d₁d₂… × 10^`point`, where d₁ is not 0.
struct DecimalText {
    static constexpr u32 MOST = 19;  // digits that 64 bits hold
    const u8* digits;                // d₁, perhaps with a point among those behind it
    const u8* end;
    i64 point;
    u64 first;      // the number that the first MOST digits are, or all where there are fewer
    u32 num_first;  // how many these are; 0 where all digits are zeros
    bool has_more;  // whether other digits than zeros are behind them
};

// Digits, perhaps with a point, perhaps with an exponent; whether a text is nothing else.
inline bool parse_decimal(StringView text, DecimalText& number) {
    const u8 *at = text.bytes, *const end = text.bytes + text.size;
    bool has_digits = false, has_point = false;
    number = {nullptr, nullptr, 0, 0, 0, false};
    for (; at < end; ++at) {
        if (*at == '.' && !has_point) {
            has_point = true;
            continue;
        }
        const u32 digit = decimal_digit(*at);
        if (digit > 9) break;
        has_digits = true;
        if (number.digits == nullptr) {
            if (digit == 0) {
                number.point -= has_point;
                continue;
            }
            number.digits = at;
        }
        number.point += !has_point;
        if (number.num_first < DecimalText::MOST) {
            number.first = number.first * 10 + digit;
            ++number.num_first;
        } else {
            number.has_more = number.has_more || digit != 0;
        }
    }
    number.end = at;
    if (!has_digits) return false;
    if (at < end && (*at | 0x20) == 'e') {
        ++at;
        const bool is_negative = at < end && *at == '-';
        if (is_negative || (at < end && *at == '+')) ++at;
        if (at == end) return false;
        i64 exponent = 0;
        for (; at < end && decimal_digit(*at) < 10; ++at) {
            // Beyond, all numbers are 0 or infinite.
            if (exponent < 0x10000) exponent = exponent * 10 + decimal_digit(*at);
        }
        number.point += is_negative ? -exponent : exponent;
    }
    return at == end;
}

// `number` × `power`, which is 10ⁿ or a little less or more, as the bits of a float: of the nearest one, in the middle
// of the even one, or of the one below. `is_sure` says that the product with the next larger power comes to the same.
template <typename T>
u64 scaled(u64 number, Wide power, i32 n, bool is_rounded, bool& is_sure) {
    using L = Layout<T>;
    const i32 zeros = __clzll(i64(number));
    number <<= zeros;
    const u64 carried = __umul64hi(number, power.low), last = number * power.low;
    u64 low = number * power.high + carried, high = __umul64hi(number, power.high) + (low < carried);
    // The other product is larger by less than one in `low`, so nothing of `high` changes unless that carries; there is
    // something behind `high` in both.
    is_sure = low != 0 && (low + 1) << 1 != 0;
    i32 exponent = log2_of_power(n) + 64 - zeros;
    if (high >> 63 == 0) {
        high = high << 1 | low >> 63;
        low <<= 1;
        --exponent;
    }
    // Now 2^`exponent` is the first bit of `high`.
    if (exponent > 1 - L::LEAST) return L::INFINITE;
    const i32 missing = exponent < L::LEAST ? L::LEAST - exponent : 0;
    if (missing > i32(L::DIGITS)) return 0;
    const u32 dropped = 64 - L::DIGITS + u32(missing);
    const u64 kept = dropped < 64 ? high >> dropped : 0;
    const u64 bits = missing > 0 ? kept : kept + u64(exponent - L::LEAST) * L::ONE;
    if (!is_rounded) return bits;
    const u64 half = 1ull << (dropped - 1);
    const bool is_half = (high & half) != 0, has_more = ((high & (half - 1)) | low | last) != 0;
    return bits + (is_half && (has_more || (kept & 1) != 0));
}

// The digits of the middle between a float and the next one, all of them: of m × 2^e those of m × 2^e, or of
// m × 5^−e where e is negative. There are 768 at most, nine to a word, the last ones in the first.
template <typename T>
struct Middle {
    static constexpr u32 WORD = 1000000000;
    u32 words[sizeof(T) == 8 ? 86 : 14];
    u32 num_digits;
    i32 point;  // how many of them are before it

    explicit Middle(u64 bits) {
        u64 m = 2 * Layout<T>::digits(bits) + 1;
        const i32 e = Layout<T>::exponent(bits) - 1;
        u32 num_words = 0;
        for (; m > 0; m /= WORD) words[num_words++] = u32(m % WORD);
        for (i32 left = e < 0 ? -e : e; left > 0;) {
            u32 factor = 1;
            for (u32 k = 0; k < 12 && left > 0; ++k, --left) factor *= e < 0 ? 5 : 2;
            u64 carried = 0;
            for (u32 i = 0; i < num_words; ++i) {
                carried += u64(words[i]) * factor;
                words[i] = u32(carried % WORD);
                carried /= WORD;
            }
            if (carried > 0) words[num_words++] = u32(carried);
        }
        num_digits = 9 * (num_words - 1) + ::num_digits(words[num_words - 1]);
        point = i32(num_digits) + (e < 0 ? e : 0);
    }

    // The digit behind `i` others; zeros at the end.
    u32 digit(u32 i) const {
        if (i >= num_digits) return 0;
        const u32 behind = num_digits - 1 - i;
        return u32(words[behind / 9] / power_of_ten(behind % 9) % 10);
    }

    // Whether a number is less (negative), the same (0) or more.
    i32 compare(const DecimalText& number) const {
        if (number.point != point) return number.point < point ? -1 : 1;
        u32 i = 0;
        for (const u8* at = number.digits; at < number.end; ++at) {
            if (*at == '.') continue;
            const u32 own = digit(i++), other = decimal_digit(*at);
            if (own != other) return other < own ? -1 : 1;
        }
        for (; i < num_digits; ++i) {
            if (digit(i) != 0) return -1;
        }
        return 0;
    }
};

// The bits of the float nearest to a number, the even one in the middle of two. It lies between two products of its
// first digits and a power of ten, after Daniel Lemire ("Number Parsing at a Gigabyte per Second", 2021); where these
// become different floats, all digits are compared with those of the middle.
template <typename T>
u64 nearest(const DecimalText& number, PowersOfTen powers) {
    if (number.num_first == 0) return 0;
    const i64 n = number.point - number.num_first;
    if (n < PowersOfTen::FIRST) return 0;
    if (n > 308) return Layout<T>::INFINITE;
    const Wide power = powers[i32(n)];
    Wide above = power;
    if (!PowersOfTen::is_exact(i32(n))) above.increment();
    bool is_sure;
    const u64 bits = scaled<T>(number.first, power, i32(n), true, is_sure);
    if (bits == scaled<T>(number.first + number.has_more, above, i32(n), true, is_sure)) return bits;
    const u64 below = scaled<T>(number.first, power, i32(n), false, is_sure);
    const i32 compared = Middle<T>(below).compare(number);
    return below + (compared > 0 || (compared == 0 && (below & 1) != 0));
}

// Whether a text is a word in lower case, whatever its own case.
template <u32 SIZE>
bool is_word(StringView text, const char (&word)[SIZE]) {
    if (text.size != SIZE - 1) return false;
    for (u32 i = 0; i + 1 < SIZE; ++i) {
        if ((text.bytes[i] | 0x20) != u8(word[i])) return false;
    }
    return true;
}

// Reads digits of a stage, perhaps with a point, as the bits of a float, eight at a time; false where a text has anything else,
// more digits than 64 bits hold, or is nearly in the middle of two floats.
template <typename T>
bool parse_plain(StringView text, PowersOfTen powers, u64& bits) {
    if (text.size == 0 || text.size > DecimalText::MOST + 1) return false;
    const u32 size = u32(text.size);
    u32 whole = size;
    for (u32 at = 0; at < size; at += 8) {
        const u64 others = other_than_digits(bytes_at(text.bytes + at, size - at < 8 ? size - at : 8));
        if (others == 0) continue;
        // Bytes behind the text are no digits.
        whole = at + (u32(__ffsll(i64(others))) - 1) / 8;
        break;
    }
    const bool has_point = whole < size;
    if (has_point && text.bytes[whole] != '.') return false;
    const u32 behind = size - whole - has_point;
    if (whole + behind == 0 || whole + behind > DecimalText::MOST) return false;
    u64 number = 0;
    // Those before the point are digits.
    append_digits(number, text.bytes, whole);
    if (!append_digits(number, text.bytes + (size - behind), behind)) return false;
    bits = 0;
    if (number == 0) return true;
    const i32 n = -i32(behind);
    bool is_sure;
    bits = scaled<T>(number, powers[n], n, true, is_sure);
    return is_sure || PowersOfTen::is_exact(n);
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_floats(TextsDeviceView column, const u64* powers, T* values, u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    const ParsedOut<T> out = {values, first_bad, validity};
    parse_placed_texts<THREADS>(column, stage, out, [&](StringView text, bool is_staged, T& value) {
        text = trimmed_of_spaces(text);
        u64 sign = 0;
        if (text.size > 0 && (text.bytes[0] == '-' || text.bytes[0] == '+')) {
            sign = text.bytes[0] == '-' ? Layout<T>::SIGN : 0;
            ++text.bytes;
            --text.size;
        }
        DecimalText number;
        u64 bits = 0;
        if (is_staged && parse_plain<T>(text, PowersOfTen{powers}, bits)) {
            // Nearly all are.
        } else if (parse_decimal(text, number)) {
            bits = nearest<T>(number, PowersOfTen{powers});
        } else if (is_word(text, "inf") || is_word(text, "infinity")) {
            bits = Layout<T>::INFINITE;
        } else if (is_word(text, "nan")) {
            bits = Layout<T>::NOT_A_NUMBER;
        } else {
            return false;
        }
        value = Layout<T>::value(sign | bits);
        return true;
    });
}
