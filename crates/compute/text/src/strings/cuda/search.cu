// Plain text that is looked for, counted and replaced.
#include "cuprum/texts.cuh"

// The wanted text: one for all rows, or that of a column for each.
struct Wanted {
    StringView text;
    const TextsDeviceView& each;

    bool is_valid(u64 row) const { return each.len == 0 || each.is_valid(row); }
    StringView operator[](u64 row) const { return each.len == 0 ? text : each.string(row); }
};

// The position in characters of the first text that is looked for within the characters [start, stop), or of the last
// one; -1 where there is none, and 0 where it is null.
__global__ void __launch_bounds__(THREADS)
    find_in_texts(TextsDeviceView column, const u8* text, u64 size, TextsDeviceView each, i64 start, i64 stop,
                  bool has_stop, bool is_last, i32* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    const Wanted all_wanted = {{text, size}, each};
    map_texts<THREADS>(column, stage, out, [&](u64 row, StringView whole) -> i32 {
        if (!all_wanted.is_valid(row)) return 0;
        const StringView wanted = all_wanted[row];
        u64 first = 0;
        StringView part = whole;
        if (start != 0 || has_stop) {
            const u64 len = count_characters(whole);
            first = slice_position(start, len);
            const u64 last = has_stop ? slice_position(stop, len) : len;
            if (start > i64(len) || last < first) return -1;
            part = characters_between(whole, first, last);
        }
        const u64 at = is_last ? find_text_reverse(part, wanted, part.size) : find_text(part, wanted, 0);
        return at == NOT_FOUND ? -1 : at_most_i32(first + count_characters({part.bytes, at}));
    });
}

// Whether each row has the text: anywhere (0), at its start (1) or at its end (2).
__global__ void __launch_bounds__(THREADS)
    has_text(TextsDeviceView column, TextsDeviceView each, u32 place, u8* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64 row, StringView text) {
        if (!each.is_valid(row)) return false;
        const StringView wanted = each.string(row);
        if (place == 0) return find_text(text, wanted, 0) != NOT_FOUND;
        return place == 1 ? begins_with(text, wanted) : ends_with(text, wanted);
    });
}

// How often a text stands in each row, without overlap; the empty one before each character and at the end.
__global__ void __launch_bounds__(THREADS)
    count_in_texts(TextsDeviceView column, const u8* wanted, u64 size, i32* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64, StringView text) -> i32 {
        if (size == 0) return at_most_i32(count_characters(text) + 1);
        u64 count = 0;
        for (u64 at = 0; (at = find_text(text, {wanted, size}, at)) != NOT_FOUND; at += size) ++count;
        return at_most_i32(count);
    });
}

// Rows with the first `limit` occurrences of a text replaced; the empty one stands before each character and at the end.
__global__ void __launch_bounds__(THREADS)
    replace_text(TextsDeviceView column, const u8* wanted, u64 wanted_size, const u8* replacement, u64 size, u64 limit,
                 i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const StringView replaced = {replacement, size};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        u64 done = 0, left = limit;
        for (u64 at = 0; at <= text.size && left > 0; --left) {
            at = find_text(text, {wanted, wanted_size}, at);
            if (at == NOT_FOUND) break;
            out.put(StringView{text.bytes + done, at - done});
            out.put(replaced);
            done = at + wanted_size;
            at = wanted_size > 0 ? done : at < text.size ? at + character_at(text.bytes + at).size : at + 1;
        }
        out.put(StringView{text.bytes + done, text.size - done});
        return true;
    });
}

// Rows with the first `limit` occurrences of any of some texts replaced: of several in one place the first counts.
// Text k is at [starts[k], starts[k + 1]) of `texts`; those to look for come first, behind them what replaces each.
__global__ void __launch_bounds__(THREADS)
    replace_texts(TextsDeviceView column, const u8* texts, const u64* starts, u32 num_wanted, u64 limit,
                  i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const auto given = [&](u64 k) { return StringView{texts + starts[k], starts[k + 1] - starts[k]}; };
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        u64 done = 0, left = limit;
        for (u64 at = 0; at < text.size && left > 0;) {
            const StringView rest = {text.bytes + at, text.size - at};
            u32 k = 0;
            while (k < num_wanted && !begins_with(rest, given(k))) ++k;
            if (k == num_wanted) {
                ++at;
                continue;
            }
            out.put(StringView{text.bytes + done, at - done});
            out.put(given(num_wanted + k));
            at += given(k).size;
            done = at;
            --left;
        }
        out.put(StringView{text.bytes + done, text.size - done});
        return true;
    });
}
