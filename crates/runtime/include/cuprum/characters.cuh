// Characters of UTF-8. Texts are valid, so each character is whole.
#pragma once
#include "cuprum/column.cuh"

// A part of a text.
struct Span {
    u64 start;
    u64 end;

    StringView of(StringView text) const { return {text.bytes + start, end - start}; }
};

struct Character {
    u32 code;
    u32 size;  // bytes
};

// Whether a byte is the first one of a character.
inline bool begins_character(u8 byte) { return (byte & 0xc0) != 0x80; }

inline Character character_at(const u8* at) {
    const u32 lead = at[0];
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xe0) return {(lead & 0x1f) << 6 | (at[1] & 0x3f), 2};
    if (lead < 0xf0) return {(lead & 0x0f) << 12 | u32(at[1] & 0x3f) << 6 | (at[2] & 0x3f), 3};
    return {(lead & 0x07) << 18 | u32(at[1] & 0x3f) << 12 | u32(at[2] & 0x3f) << 6 | (at[3] & 0x3f), 4};
}

// The character that ends before byte `end`, which is not the first of the text.
inline Character character_before(const u8* text, u64 end) {
    u64 at = end - 1;
    while (at > 0 && !begins_character(text[at])) --at;
    return character_at(text + at);
}

// A number for each character, in two levels: the first words say where the numbers of 128 neighbours begin. Made by
// `strings::characters`.
struct CharacterTable {
    const u32* words;

    u32 operator[](u32 code) const { return words[words[code >> 7] + (code & 127)]; }
};

constexpr u32 LAST_CHARACTER = 0x10ffff;

// White space of Unicode: Rust's `char::is_whitespace`.
inline bool is_whitespace(u32 code) {
    if (code < 0x80) return code == ' ' || (code >= 0x09 && code <= 0x0d);
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

// The same with Python's separators of ASCII: `categories::is_space`.
inline bool is_space(u32 code) { return is_whitespace(code) || (code >= 0x1c && code <= 0x1f); }

// Bits of the table of kinds, as `strings::characters` sets them.
enum CharacterKind : u32 {
    LETTER = 1,
    DECIMAL = 2,
    DIGIT = 4,
    NUMERIC = 8,
    SPACE = 16,
    LOWER = 32,
    UPPER = 64,
    TITLE = 128,
    CASE_IGNORABLE = 256,
    WORD = 512,
    CASED = LOWER | UPPER | TITLE,
};

inline u32 encoded_size(u32 code) { return 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000); }

// The bytes of a character, the first the least significant.
inline u32 encoded(u32 code) {
    if (code < 0x80) return code;
    if (code < 0x800) return (0xc0 | code >> 6) | (0x80 | (code & 0x3f)) << 8;
    if (code < 0x10000) {
        return (0xe0 | code >> 12) | (0x80 | (code >> 6 & 0x3f)) << 8 | (0x80 | (code & 0x3f)) << 16;
    }
    return (0xf0 | code >> 18) | (0x80 | (code >> 12 & 0x3f)) << 8 | (0x80 | (code >> 6 & 0x3f)) << 16 |
           (0x80 | (code & 0x3f)) << 24;
}

inline u64 count_characters(StringView text) {
    u64 count = 0;
    for (u64 i = 0; i < text.size; ++i) count += begins_character(text.bytes[i]);
    return count;
}

// The byte at which character `n` begins; the size of the text where it has no more than n.
inline u64 byte_of_character(StringView text, u64 n) {
    u64 i = 0;
    for (; i < text.size; ++i) {
        if (begins_character(text.bytes[i]) && n-- == 0) break;
    }
    return i;
}

// A length or a position as it is returned.
inline i32 at_most_i32(u64 count) { return count > 2147483647 ? 2147483647 : i32(count); }

// The characters [first, last) of a text, fewer where it ends before.
inline StringView characters_between(StringView text, u64 first, u64 last) {
    if (last <= first) return {text.bytes, 0};
    const u64 from = byte_of_character(text, first);
    const StringView rest = {text.bytes + from, text.size - from};
    return {rest.bytes, byte_of_character(rest, last - first)};
}

// Whether two texts of one size are the same.
inline bool same_text(const u8* a, const u8* b, u64 size) {
    for (u64 i = 0; i < size; ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}

inline bool equal_texts(StringView a, StringView b) { return a.size == b.size && same_text(a.bytes, b.bytes, a.size); }

// A text without the characters at its ends that IS holds for, such as `is_space`.
template <bool IS(u32)>
StringView trimmed(StringView text) {
    while (text.size > 0) {
        const Character c = character_at(text.bytes);
        if (!IS(c.code)) break;
        text.bytes += c.size;
        text.size -= c.size;
    }
    while (text.size > 0) {
        const Character c = character_before(text.bytes, text.size);
        if (!IS(c.code)) break;
        text.size -= c.size;
    }
    return text;
}

// A text without white space at its ends. Most have none, which their outer bytes say.
__forceinline__ StringView trimmed_of_spaces(StringView text) {
    const auto is_mark = [](u8 byte) { return u32(byte) - 0x21 < 0x7f - 0x21; };
    if (text.size > 0 && is_mark(text.bytes[0]) && is_mark(text.bytes[text.size - 1])) return text;
    return trimmed<is_space>(text);
}

// Whether a text is a word of a kernel's own source: `is_literal(text, "True")`.
template <u32 SIZE>
bool is_literal(StringView text, const char (&word)[SIZE]) {
    if (text.size != SIZE - 1) return false;
    for (u32 i = 0; i + 1 < SIZE; ++i) {
        if (text.bytes[i] != u8(word[i])) return false;
    }
    return true;
}

// The value of a digit; 10 and more where it is none.
inline u32 decimal_digit(u8 byte) { return u32(byte) - '0'; }

// The value of a hexadecimal digit; 16 where it is none.
inline u32 hexadecimal_digit(u8 byte) {
    if (decimal_digit(byte) < 10) return decimal_digit(byte);
    const u32 letter = (u32(byte) | 0x20) - 'a';
    return letter < 6 ? letter + 10 : 16;
}

constexpr u64 NOT_FOUND = ~0ull;

// The first byte from `from` on where a text stands in another one.
inline u64 find_text(StringView text, StringView wanted, u64 from) {
    if (wanted.size == 0) return from <= text.size ? from : NOT_FOUND;
    const u8 first = wanted.bytes[0];
    for (u64 i = from; i + wanted.size <= text.size; ++i) {
        if (text.bytes[i] == first && same_text(text.bytes + i, wanted.bytes, wanted.size)) return i;
    }
    return NOT_FOUND;
}

// The last byte before `end` behind which a text stands that ends there or before.
inline u64 find_text_reverse(StringView text, StringView wanted, u64 end) {
    if (wanted.size > end) return NOT_FOUND;
    for (u64 i = end - wanted.size + 1; i-- > 0;) {
        if (same_text(text.bytes + i, wanted.bytes, wanted.size)) return i;
    }
    return NOT_FOUND;
}

// Whether a text begins, or ends, with another one.
inline bool begins_with(StringView text, StringView wanted) {
    return wanted.size <= text.size && same_text(text.bytes, wanted.bytes, wanted.size);
}
inline bool ends_with(StringView text, StringView wanted) {
    return wanted.size <= text.size &&
           same_text(text.bytes + (text.size - wanted.size), wanted.bytes, wanted.size);
}

// Positions of Python's slices: `at` from the end where it is negative, within [0, len].
inline u64 slice_position(i64 at, u64 len) {
    if (at >= 0) return u64(at) < len ? u64(at) : len;
    const u64 from_end = u64(-(at + 1)) + 1;
    return from_end < len ? len - from_end : 0;
}
