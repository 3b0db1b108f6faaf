// Vowels and consonants of English words; see `tokens::stemmer`.
#include "cuprum/texts.cuh"

// Calls `f(is_vowel)` for every character of a word, until it returns false. Y is a vowel behind a consonant; at the start
// of a word it is none.
template <typename F>
void each_letter(StringView word, F f) {
    bool before = true;
    for (u64 at = 0; at < word.size; ++at) {
        const u8 byte = word.bytes[at];
        if (!begins_character(byte)) continue;
        before = byte == 'a' || byte == 'e' || byte == 'i' || byte == 'o' || byte == 'u' || (byte == 'y' && !before);
        if (!f(before)) return;
    }
}

// Whether the letter at a position, from the end where it is negative, is a vowel, or with `vowels` being false a
// consonant. There is a position for each row where `positions` has rows.
__global__ void __launch_bounds__(THREADS)
    is_letter_of_texts(TextsDeviceView column, bool vowels, i64 position, ColumnDeviceView positions,
                       u8* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64 row, StringView word) {
        const i64 at = positions.len > 0 ? i64(integer_at(positions, row)) : position;
        u64 place = u64(at);
        if (at < 0) {
            // Of the least number, too.
            const u64 from_end = 0 - u64(at), length = count_characters(word);
            if (from_end > length) return false;
            place = length - from_end;
        }
        bool is_found = false;
        each_letter(word, [&](bool is_vowel) {
            if (place == 0) is_found = is_vowel == vowels;
            return place-- > 0;
        });
        return is_found;
    });
}

// How often consonants follow vowels.
__global__ void __launch_bounds__(THREADS) measure_texts(TextsDeviceView column, i32* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64, StringView word) {
        u64 measure = 0;
        bool before = false;
        each_letter(word, [&](bool is_vowel) {
            measure += before && !is_vowel;
            before = is_vowel;
            return true;
        });
        return at_most_i32(measure);
    });
}
