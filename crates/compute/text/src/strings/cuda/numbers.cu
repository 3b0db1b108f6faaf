// Integers and truth values as texts, and texts as these.
#include "cuprum/digits.cuh"
#include "cuprum/texts.cuh"

// The decimal digits of integers of any width.
__global__ void __launch_bounds__(THREADS) print_integers(ColumnDeviceView column, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const u64 value = integer_at(column, i);
        const bool is_negative = column.type_id != UINT64 && i64(value) < 0;
        if (is_negative) out.put('-');
        put_number(out, is_negative ? 0 - value : value);
    });
}

__global__ void __launch_bounds__(THREADS) print_bools(ColumnDeviceView column, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        if (column.value<u8>(i) != 0) {
            put_literal(out, "True");
        } else {
            put_literal(out, "False");
        }
    });
}

// Digits that 64 bits hold, whatever they are.
constexpr u32 MOST_DIGITS = 19;

// Integers as Rust reads them, with white space around them: a sign (unsigned types take no `-`), and digits.
// Values are the integers' two's complement.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_integers(TextsDeviceView column, bool is_signed, T* values, u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    const u64 highest = T(~T(0)) >> (is_signed ? 1 : 0);
    const ParsedOut<T> out = {values, first_bad, validity};
    parse_placed_texts<THREADS>(column, stage, out, [&](StringView text, bool is_staged, T& value) {
        text = trimmed_of_spaces(text);
        const bool is_negative = is_signed && text.size > 0 && text.bytes[0] == '-';
        u64 at = is_negative || (text.size > 0 && text.bytes[0] == '+');
        if (at == text.size) return false;
        const u64 limit = highest + is_negative;
        u64 number = 0;
        if (is_staged && text.size - at <= MOST_DIGITS) {
            if (!append_digits(number, text.bytes + at, u32(text.size - at)) || number > limit) return false;
        } else {
            const u64 tenth = limit / 10;
            for (; at < text.size; ++at) {
                const u32 digit = decimal_digit(text.bytes[at]);
                if (digit > 9 || number > tenth || (number == tenth && digit > limit - tenth * 10)) return false;
                number = number * 10 + digit;
            }
        }
        value = T(is_negative ? 0 - number : number);
        return true;
    });
}

__global__ void __launch_bounds__(THREADS)
    parse_bools(TextsDeviceView column, u8* values, u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, ParsedOut<u8>{values, first_bad, validity}, [&](StringView text, u8& value) {
        text = trimmed_of_spaces(text);
        value = is_literal(text, "True") || is_literal(text, "true") || is_literal(text, "TRUE");
        return value != 0 || is_literal(text, "False") || is_literal(text, "false") || is_literal(text, "FALSE");
    });
}
