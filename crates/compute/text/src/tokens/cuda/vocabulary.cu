// Tables of texts, and the numbers that they give tokens and parts of words.
#include "cuprum/spans.cuh"
#include "cuprum/text_table.cuh"
#include "cuprum/tokens.cuh"

// Enters all rows of a column into a table whose slots are free, and sees the bytes of the longest one, which was 0.
__global__ void __launch_bounds__(THREADS)
    enter_texts(TextsDeviceView texts, i32* slots, u64 num_slots, u64* longest) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    u64 size = 0;
    if (i < texts.len) {
        enter_text(texts, slots, num_slots, i32(i));
        size = texts.string(i).size;
    }
    size = warp_reduce(size, [](u64 a, u64 b) { return a < b ? b : a; });
    if (lane_id() == 0 && size > 0) atomicMax(longest, size);
}

// The numbers of the tokens of each row; `otherwise` for those that the table does not have.
__global__ void __launch_bounds__(THREADS)
    numbers_of_tokens(TextsDeviceView column, TextsDeviceView texts, const i32* slots, u64 num_slots, i32 otherwise,
                      const u64* words, u64 count, u32 kind, i32* narrow, u64* wide, i32* values) {
    __shared__ Stage<STAGE> stage;
    const Delimiters delimiters(words, count, kind);
    const TextTable table = {texts, slots, num_slots};
    const bool is_counted = values == nullptr;
    note_values<THREADS>(column, {narrow, wide}, values, stage, [&](StringView text, auto& numbers) {
        delimiters.each(text, [&](Span token) {
            // Every token has a number.
            const i32 row = is_counted ? otherwise : table.find(token.of(text));
            numbers.put(row == NO_ROW ? otherwise : row);
        });
    });
}

// Two texts as if they were one.
struct TwoTexts {
    StringView first, second;
    u64 size;

    u8 byte(u64 i) const { return i < first.size ? first.bytes[i] : second.bytes[i - first.size]; }
    u32 word(u64 i) const {
        return u32(byte(i)) | u32(byte(i + 1)) << 8 | u32(byte(i + 2)) << 16 | u32(byte(i + 3)) << 24;
    }
    bool operator==(StringView other) const {
        return size == other.size && same_text(first.bytes, other.bytes, first.size) &&
               same_text(second.bytes, other.bytes + first.size, second.size);
    }
};

// The first `size` bytes of a text, or fewer, without a part of a character.
inline u64 whole_characters(StringView text, u64 size) {
    if (size >= text.size) return text.size;
    while (size > 0 && !begins_character(text.bytes[size])) --size;
    return size;
}

// Calls `f` with the number of every part of a word; false as soon as there is none.
template <typename F>
bool each_part(StringView word, const TextTable& table, u64 longest, F f) {
    const u8 behind[2] = {'#', '#'};
    for (u64 at = 0; at < word.size;) {
        const StringView prefix = {behind, at == 0 ? 0ull : 2ull}, rest = {word.bytes + at, word.size - at};
        u64 size = whole_characters(rest, longest > prefix.size ? longest - prefix.size : 0);
        i32 row = NO_ROW;
        for (; size > 0; size = whole_characters(rest, size - 1)) {
            const TwoTexts part = {prefix, {rest.bytes, size}, prefix.size + size};
            row = table.find(murmur3_x86_32(part, 0), [&](StringView other) { return part == other; });
            if (row != NO_ROW) break;
        }
        if (row == NO_ROW) return false;
        f(row);
        at += size;
    }
    return true;
}

// The numbers of the parts of the words of each row, `most` words at most; `unknown` for a word that parts do not make up.
__global__ void __launch_bounds__(THREADS)
    numbers_of_parts(TextsDeviceView column, TextsDeviceView texts, const i32* slots, u64 num_slots, u64 longest,
                     i32 unknown, u64 most, const u64* words, u64 count, u32 kind, i32* narrow, u64* wide, i32* values) {
    __shared__ Stage<STAGE> stage;
    const Delimiters delimiters(words, count, kind);
    const TextTable table = {texts, slots, num_slots};
    note_values<THREADS>(column, {narrow, wide}, values, stage, [&](StringView text, auto& numbers) {
        u64 left = most;
        for (Span token = delimiters.next(text, 0); token.start < token.end && left > 0; --left) {
            const StringView word = token.of(text);
            // Twice: no number is given before the last part is found.
            if (each_part(word, table, longest, [](i32) {})) {
                each_part(word, table, longest, [&](i32 row) { numbers.put(row); });
            } else {
                numbers.put(unknown);
            }
            token = delimiters.next(text, token.end);
        }
    });
}

// The row of a text.
__global__ void __launch_bounds__(THREADS)
    find_text_row(TextsDeviceView texts, const i32* slots, u64 num_slots, const u8* text, u64 size, i32* out) {
    if (threadIdx.x == 0) *out = TextTable{texts, slots, num_slots}.find(StringView{text, size});
}
