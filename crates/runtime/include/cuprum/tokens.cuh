// Tokens of texts: the longest runs of characters without a delimiter, as `tokens::delimiters` finds them.
#pragma once
#include "cuprum/characters.cuh"

// How delimiters are written down; see `Delimiters`.
enum DelimiterKind : u32 {
    DELIMITER_BYTES = 0,
    DELIMITER_CHARACTERS = 1,
    DELIMITER_TEXTS = 2,
};

// Delimiters between tokens: two words with a bit for each character below 128; or `count` characters; or `count` texts,
// none of them empty: where each begins and the last one ends, then their bytes.
struct Delimiters {
    const u64* words;
    u64 count;
    u32 kind;
    u64 low, high;  // the bits

    Delimiters(const u64* words, u64 count, u32 kind)
        : words(words), count(count), kind(kind), low(0), high(0) {
        if (kind != DELIMITER_BYTES) return;
        low = words[0];
        high = words[1];
    }

    // The first byte from `at` on where there is no character of the set, or is one.
    u64 skip(StringView row, u64 at, bool are_delimiters) const {
        if (kind == DELIMITER_BYTES) {
            while (at < row.size && has_byte(row.bytes[at]) == are_delimiters) ++at;
            return at;
        }
        while (at < row.size) {
            const Character c = character_at(row.bytes + at);
            if (has_character(c.code) != are_delimiters) break;
            at += c.size;
        }
        return at;
    }

    // The first token at or behind a place of a row; an empty one where there is none.
    Span next(StringView row, u64 from) const {
        u64 start = from;
        if (kind != DELIMITER_TEXTS) {
            start = skip(row, start, true);
            return {start, skip(row, start, false)};
        }
        for (u64 size; (size = text_at(row, start)) > 0;) start += size;
        u64 end = start;
        // No text begins within a character.
        while (end < row.size && text_at(row, end) == 0) ++end;
        return {start, end};
    }

    // Calls `f` with every token of a row, from left to right.
    template <typename F>
    void each(StringView row, F f) const {
        for (Span token = next(row, 0); token.start < token.end; token = next(row, token.end)) f(token);
    }

  private:
    bool has_byte(u8 byte) const { return byte < 128 && ((byte < 64 ? low : high) >> (byte & 63) & 1) != 0; }

    bool has_character(u32 code) const {
        for (u64 k = 0; k < count; ++k) {
            if (words[k] == code) return true;
        }
        return false;
    }

    // The size of the first text that stands at a place of a row; 0 where none does.
    u64 text_at(StringView row, u64 at) const {
        const u8* const texts = reinterpret_cast<const u8*>(words + count + 1);
        const StringView rest = {row.bytes + at, row.size - at};
        for (u64 k = 0; k < count; ++k) {
            const StringView text = {texts + words[k], words[k + 1] - words[k]};
            if (begins_with(rest, text)) return text.size;
        }
        return 0;
    }
};
