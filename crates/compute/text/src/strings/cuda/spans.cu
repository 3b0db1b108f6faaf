// The parts of rows between separators, and the matches in them; texts of these.
#include "cuprum/automata.cuh"
#include "cuprum/spans.cuh"

struct Spaces {
    CharacterTable kinds;

    bool contains(u32 code) const {
        if (code < 0x80) return code == ' ' || code - 9 < 5 || code - 28 < 4;
        return (kinds[code] & SPACE) != 0;
    }
    // The first byte from one on where a character is none of these, or is one.
    u64 skip(StringView text, u64 at, bool are_spaces) const {
        while (at < text.size) {
            const Character c = character_at(text.bytes + at);
            if (contains(c.code) != are_spaces) break;
            at += c.size;
        }
        return at;
    }
    // The same backwards.
    u64 skip_back(StringView text, u64 end, bool are_spaces) const {
        while (end > 0) {
            const Character c = character_before(text.bytes, end);
            if (contains(c.code) != are_spaces) break;
            end -= c.size;
        }
        return end;
    }
};

// The parts between spaces, at most `limit` cuts.
template <typename Parts>
void split_at_spaces(StringView text, const Spaces& spaces, u64 limit, bool is_reverse, Parts& parts) {
    if (is_reverse) {
        u64 end = spaces.skip_back(text, text.size, true);
        for (u64 cuts = 0; end > 0; ++cuts) {
            const u64 start = cuts == limit ? 0 : spaces.skip_back(text, end, false);
            parts.put(start, end);
            end = spaces.skip_back(text, start, true);
        }
        return;
    }
    u64 start = spaces.skip(text, 0, true);
    for (u64 cuts = 0; start < text.size; ++cuts) {
        const u64 end = cuts == limit ? text.size : spaces.skip(text, start, false);
        parts.put(start, end);
        start = spaces.skip(text, end, true);
    }
}

// The parts between occurrences of a text, at most `limit` cuts.
template <typename Parts>
void split_at_text(StringView text, StringView separator, u64 limit, bool is_reverse, Parts& parts) {
    if (is_reverse) {
        u64 end = text.size;
        for (u64 cuts = 0; cuts < limit; ++cuts) {
            const u64 at = find_text_reverse(text, separator, end);
            if (at == NOT_FOUND) break;
            parts.put(at + separator.size, end);
            end = at;
        }
        parts.put(0, end);
        return;
    }
    u64 start = 0;
    for (u64 cuts = 0; cuts < limit; ++cuts) {
        const u64 at = find_text(text, separator, start);
        if (at == NOT_FOUND) break;
        parts.put(start, at);
        start = at + separator.size;
    }
    parts.put(start, text.size);
}

// The parts between occurrences of a text, or between spaces where there is none.
__global__ void __launch_bounds__(THREADS)
    split_texts(TextsDeviceView column, const u8* separator, u64 size, const u32* kinds, u64 limit, bool is_reverse,
                i32* narrow, u64* wide, u64* starts, u64* ends) {
    __shared__ Stage<STAGE> stage;
    note_parts<THREADS>(column, {narrow, wide}, {starts, ends}, is_reverse, stage,
                        [&](StringView text, auto& parts) {
                            if (separator == nullptr) {
                                split_at_spaces(text, Spaces{{kinds}}, limit, is_reverse, parts);
                            } else {
                                split_at_text(text, {separator, size}, limit, is_reverse, parts);
                            }
                        });
}

// Three parts: before a text, the text, and behind it. Without it the whole row is the first one, or the last one with
// `is_last`.
__global__ void __launch_bounds__(THREADS)
    part_texts(TextsDeviceView column, const u8* separator, u64 size, bool is_last, i32* narrow, u64* wide,
               u64* starts, u64* ends) {
    __shared__ Stage<STAGE> stage;
    const StringView wanted = {separator, size};
    note_parts<THREADS>(column, {narrow, wide}, {starts, ends}, false, stage,
                        [&](StringView text, auto& parts) {
                            const u64 end = text.size;
                            const u64 at = is_last ? find_text_reverse(text, wanted, end) : find_text(text, wanted, 0);
                            if (at != NOT_FOUND) {
                                parts.put(0, at);
                                parts.put(at, at + size);
                                parts.put(at + size, end);
                            } else if (is_last) {
                                parts.put(0, 0);
                                parts.put(0, 0);
                                parts.put(0, end);
                            } else {
                                parts.put(0, end);
                                parts.put(end, end);
                                parts.put(end, end);
                            }
                        });
}

// The matches of a pattern, or the parts between them, with at most `limit` cuts: the first ones, or the last ones with
// `is_reverse`.
__global__ void __launch_bounds__(THREADS)
    match_spans(TextsDeviceView column, const u16* words, AutomataLayout layout, u32* undecided, bool are_between,
                u64 limit, bool is_reverse, i32* narrow, u64* wide, u64* starts, u64* ends) {
    __shared__ Stage<STAGE> stage;
    note_parts<THREADS>(
        column, {narrow, wide}, {starts, ends}, false, stage, [&](StringView text, auto& parts) {
            Searcher searcher(words, layout);
            const auto each = [&](auto f) {
                u64 count = 0;
                for (u64 from = 0; from <= text.size; ++count) {
                    const Span found = searcher.find(text, from);
                    if (found.start == NOT_FOUND || !f(found, count)) break;
                    from = Searcher::behind(text, found);
                }
                return count;
            };
            if (!are_between) {
                each([&](Span found, u64) {
                    parts.put(found.start, found.end);
                    return true;
                });
            } else {
                u64 skipped = 0, start = 0;
                if (is_reverse) {
                    const u64 count = each([](Span, u64) { return true; });
                    skipped = count > limit ? count - limit : 0;
                }
                each([&](Span found, u64 count) {
                    if (!is_reverse && count == limit) return false;
                    if (count < skipped) return true;
                    parts.put(start, found.start);
                    start = found.end;
                    return true;
                });
                parts.put(start, text.size);
            }
            if (searcher.undecided) atomicOr(undecided, 1u);
        });
}

// ---- texts of parts ----------------------------------------------------------------------------------

// A text of each of n parts; of those that are NOT_FOUND the empty one, or null where validity is asked for.
__global__ void __launch_bounds__(THREADS)
    texts_of_parts(const u8* column_bytes, const u64* starts, const u64* ends, u64 n, i32* narrow, u64* wide, u8* bytes,
                   u32* validity) {
    __shared__ Stage<STAGE> stage;
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    const bool is_there = i < n && starts[i] != NOT_FOUND;
    make_row<THREADS>({narrow, wide, bytes, validity}, n, is_there, stage, [&](auto& out) {
        out.put(StringView{column_bytes + starts[i], u64(ends[i] - starts[i])});
        return true;
    });
}

// A text of part number `part` of each of n rows, counted from the last one with `from_end`; null where there is none.
__global__ void __launch_bounds__(THREADS)
    texts_of_part(const u8* column_bytes, const i32* narrow_rows, const u64* wide_rows, const u64* starts,
                  const u64* ends, u64 n, u64 part, bool from_end, i32* narrow, u64* wide, u8* bytes,
                  u32* validity) {
    __shared__ Stage<STAGE> stage;
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    const auto row_start = [&](u64 row) { return narrow_rows != nullptr ? u64(narrow_rows[row]) : wide_rows[row]; };
    u64 place = 0;
    bool is_there = false;
    if (i < n) {
        const u64 first = row_start(i), count = row_start(i + 1) - first;
        place = first + (from_end ? count - 1 - part : part);
        is_there = part < count && starts[place] != NOT_FOUND;
    }
    make_row<THREADS>({narrow, wide, bytes, validity}, n, is_there, stage, [&](auto& out) {
        out.put(StringView{column_bytes + starts[place], u64(ends[place] - starts[place])});
        return true;
    });
}
