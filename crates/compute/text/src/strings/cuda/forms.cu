// Texts that are hexadecimal numbers, addresses and parts of URLs, and the numbers of characters.
#include "cuprum/texts.cuh"

// The number of characters of each row, 0 of a null.
__global__ void __launch_bounds__(THREADS) count_code_points(TextsDeviceView column, u64* __restrict__ counts) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, counts, [&](u64, StringView text) { return count_characters(text); });
}

// The numbers of the characters of each row, from where those of the row begin.
__global__ void __launch_bounds__(THREADS)
    write_code_points(TextsDeviceView column, const u64* starts, i32* __restrict__ points) {
    __shared__ Stage<STAGE> stage;
    for_each_text<THREADS>(column, stage, [&](u64 i, bool, bool is_valid, StringView text) {
        if (!is_valid) return;
        u64 at = starts[i];
        const u64 end = starts[i + 1];
        for (u64 k = 0; k < text.size && at < end; ++at) {
            const Character c = character_at(text.bytes + k);
            points[at] = i32(c.code);
            k += c.size;
        }
    });
}

// Hexadecimal digits of 63 bits at most, perhaps behind `0x`.
__global__ void __launch_bounds__(THREADS) parse_hexadecimal(TextsDeviceView column, i64* values, u64* first_bad) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, ParsedOut<i64>{values, first_bad, nullptr}, [&](StringView text, i64& value) {
        u64 at = text.size >= 2 && text.bytes[0] == '0' && (text.bytes[1] | 0x20) == 'x' ? 2 : 0;
        if (at == text.size) return false;
        u64 number = 0;
        for (; at < text.size; ++at) {
            const u32 digit = hexadecimal_digit(text.bytes[at]);
            if (digit > 15 || number >> 59 != 0) return false;
            number = number << 4 | digit;
        }
        value = i64(number);
        return true;
    });
}

// As many pairs of hexadecimal digits as the bits of an integer take that are among `all_bits`; one at least.
__global__ void __launch_bounds__(THREADS)
    print_hexadecimal(ColumnDeviceView column, u64 all_bits, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const u64 bits = integer_at(column, i) & all_bits;
        for (u32 shift = (63 - __clzll(i64(bits | 1))) / 8 * 8 + 8; shift > 0;) {
            shift -= 4;
            const u32 digit = u32(bits >> shift) & 15;
            out.put(u8(digit < 10 ? '0' + digit : 'A' + digit - 10));
        }
    });
}

// Four numbers with points between them, each of one byte and without zeros before it.
__global__ void __launch_bounds__(THREADS) parse_addresses(TextsDeviceView column, u32* values, u64* first_bad) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, ParsedOut<u32>{values, first_bad, nullptr}, [&](StringView text, u32& value) {
        u64 at = 0;
        for (u32 k = 0; k < 4; ++k) {
            if (k > 0 && (at == text.size || text.bytes[at++] != '.')) return false;
            const u64 first = at;
            u32 number = 0;
            for (; at < text.size && at - first < 3 && decimal_digit(text.bytes[at]) < 10; ++at) {
                number = number * 10 + decimal_digit(text.bytes[at]);
            }
            if (at == first || number > 255 || (at - first > 1 && text.bytes[first] == '0')) return false;
            value = value << 8 | number;
        }
        return at == text.size;
    });
}

__global__ void __launch_bounds__(THREADS)
    print_addresses(ColumnDeviceView column, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const u32 address = column.value<u32>(i);
        for (u32 k = 0; k < 4; ++k) {
            if (k > 0) out.put('.');
            put_number(out, address >> (24 - 8 * k) & 255);
        }
    });
}

__global__ void __launch_bounds__(THREADS) encode_urls(TextsDeviceView column, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        const auto put_digit = [&](u32 digit) { out.put(u8(digit < 10 ? '0' + digit : 'A' + digit - 10)); };
        for (u64 i = 0; i < text.size; ++i) {
            const u8 byte = text.bytes[i];
            const u32 letter = (u32(byte) | 0x20) - 'a';
            if (letter < 26 || decimal_digit(byte) < 10 || byte == '.' || byte == '-' || byte == '_' || byte == '~') {
                out.put(byte);
            } else {
                out.put('%');
                put_digit(byte >> 4);
                put_digit(byte & 15);
            }
        }
        return true;
    });
}

// The bytes of a part of a URL, where `%` and two hexadecimal digits are the byte that they name.
struct UrlBytes {
    StringView text;
    u64 at;  // of the next byte

    // The byte, which goes on to the next one; 0 behind the end.
    u32 next() {
        if (at >= text.size) return 0;
        const u8 byte = text.bytes[at];
        if (byte == '%' && at + 2 < text.size) {
            const u32 high = hexadecimal_digit(text.bytes[at + 1]), low = hexadecimal_digit(text.bytes[at + 2]);
            if ((high | low) < 16) {
                at += 3;
                return high << 4 | low;
            }
        }
        ++at;
        return byte;
    }
};

constexpr u32 REPLACEMENT_CHARACTER = 0xfffd;

// The next character; a replacement for the longest part of one that is none, as Unicode wants it and Rust has it
// (`String::from_utf8_lossy`).
inline u32 next_character(UrlBytes& bytes) {
    const u32 lead = bytes.next();
    if (lead < 0x80) return lead;
    if (lead < 0xc2 || lead > 0xf4) return REPLACEMENT_CHARACTER;
    const u32 more = 1 + (lead >= 0xe0) + (lead >= 0xf0);
    u32 code = lead & (0x3f >> more);
    // What may follow: no longer forms than needed, no surrogates, nothing beyond the last character.
    u32 low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80, high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    for (u32 k = 0; k < more; ++k) {
        const u64 before = bytes.at;
        const u32 byte = bytes.next();
        if (byte < low || byte > high) {
            bytes.at = before;
            return REPLACEMENT_CHARACTER;
        }
        code = code << 6 | (byte & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    return code;
}

__global__ void __launch_bounds__(THREADS) decode_urls(TextsDeviceView column, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        UrlBytes rest = {text, 0};
        while (rest.at < text.size) out.put_character(next_character(rest));
        return true;
    });
}
