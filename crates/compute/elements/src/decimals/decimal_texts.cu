// Decimals as texts, and texts as decimals.
#include "cuprum/texts.cuh"

typedef unsigned __int128 Magnitude;

constexpr u64 TEN_TO_19 = 10000000000000000000ull;

inline __int128 stored_at(const ColumnDeviceView& column, u64 row) {
    if (column.type_id == DECIMAL128) {
        const Decimal128 value = column.value<Decimal128>(row);
        return __int128(Magnitude(u64(value.high)) << 64 | value.low);
    }
    return i64(integer_at(column, row));
}

// The last `width` digits of a number, with zeros before it.
template <typename Out>
void put_wide_digits(Out& out, Magnitude number, u32 width) {
    if (width > 19) {
        out.put_digits(u64(number / TEN_TO_19), width - 19);
        out.put_digits(u64(number % TEN_TO_19), 19);
    } else {
        out.put_digits(u64(number), width);
    }
}

// Decimals as `scalar::decimal_text` has them: with all digits of the scale, or with an exponent where it is beyond
// those that Arrow knows.
__global__ void __launch_bounds__(THREADS) print_decimals(ColumnDeviceView column, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const __int128 stored = stored_at(column, i);
        if (stored < 0) out.put('-');
        const Magnitude number = stored < 0 ? -Magnitude(stored) : Magnitude(stored);
        const u64 upper = u64(number / TEN_TO_19);
        const u32 count = upper > 0 ? 19 + num_digits(upper) : num_digits(u64(number));
        const i32 scale = column.scale;
        if (scale > 127 || scale < -128) {
            put_wide_digits(out, number, count);
            out.put('e');
            if (scale < 0) out.put('-');
            put_number(out, scale < 0 ? u64(-i64(scale)) : u64(scale));
        } else if (scale >= 0) {
            put_wide_digits(out, number, count);
            if (number != 0) out.put_digits(0, u32(scale));
        } else {
            const u32 places = u32(-scale);
            Magnitude power = 1;
            for (u32 k = 0; k < places && k < count; ++k) power *= 10;
            put_wide_digits(out, count > places ? number / power : 0, count > places ? count - places : 1);
            out.put('.');
            put_wide_digits(out, count > places ? number % power : number, places);
        }
    });
}

constexpr Magnitude LARGEST = ~Magnitude(0) >> 1;

// Whether a number with one more digit is one of 127 bits, which it becomes then.
inline bool add_digit(Magnitude& number, u32 digit) {
    if (number > LARGEST / 10) return false;
    number = number * 10 + digit;
    return number <= LARGEST;
}

// An integer of 32 bits as Rust reads it.
inline bool parse_exponent(const u8* at, const u8* end, i64& exponent) {
    const bool is_negative = at < end && *at == '-';
    if (is_negative || (at < end && *at == '+')) ++at;
    if (at == end) return false;
    i64 number = 0;
    for (; at < end; ++at) {
        const u32 digit = decimal_digit(*at);
        if (digit > 9) return false;
        number = number * 10 + digit;
        if (number > 2147483648) return false;
    }
    exponent = is_negative ? -number : number;
    return exponent <= 2147483647;
}

// A text as an integer in units of 10^scale, as `decimals::parse` of the CPU: digits with a sign, a point and an
// exponent; no digit may lie beyond the scale.
inline bool parse_decimal(StringView text, i32 scale, __int128& value) {
    text = trimmed<is_whitespace>(text);
    const u8 *at = text.bytes, *const end = text.bytes + text.size;
    const bool is_negative = at < end && *at == '-';
    if (is_negative || (at < end && *at == '+')) ++at;
    Magnitude number = 0;
    bool has_digits = false, has_point = false;
    i64 places = 0;
    for (; at < end && (*at | 0x20) != 'e'; ++at) {
        if (*at == '.' && !has_point) {
            has_point = true;
            continue;
        }
        const u32 digit = decimal_digit(*at);
        if (digit > 9 || !add_digit(number, digit)) return false;
        has_digits = true;
        places += has_point;
    }
    i64 exponent = 0;
    if (!has_digits || (at < end && !parse_exponent(at + 1, end, exponent))) return false;
    const i64 from = exponent - places;
    if (places > 2147483647 || from < -2147483648ll) return false;
    if (number != 0) {
        // More than so many steps leave nothing, or do not fit.
        i64 steps = from - scale;
        if (steps > 38 || steps < -38) return false;
        for (; steps > 0; --steps) {
            if (!add_digit(number, 0)) return false;
        }
        for (; steps < 0; ++steps) {
            if (number % 10 != 0) return false;
            number /= 10;
        }
    }
    value = is_negative ? -__int128(number) : __int128(number);
    return true;
}

template <typename T>
void parse_decimals_as(const TextsDeviceView& column, i32 scale, ParsedOut<T> out) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, out, [&](StringView text, T& value) {
        __int128 stored;
        if (!parse_decimal(text, scale, stored)) return false;
        value = T(stored);
        return stored == value;
    });
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_decimals(TextsDeviceView column, i32 scale, T* values, u64* first_bad) {
    parse_decimals_as<T>(column, scale, {values, first_bad, nullptr});
}

// Values of 128 bits: two words each.
__global__ void __launch_bounds__(THREADS)
    parse_wide_decimals(TextsDeviceView column, i32 scale, u64* values, u64* first_bad) {
    parse_decimals_as<__int128>(column, scale, {reinterpret_cast<__int128*>(values), first_bad, nullptr});
}
