// Rows with more text: filled up to a width, repeated, with a part replaced.
#include "cuprum/texts.cuh"

// A number of a column of integers, 0 where it is negative.
inline u64 count_at(const ColumnDeviceView& counts, u64 row) {
    const u64 count = integer_at(counts, row);
    return counts.type_id != UINT64 && i64(count) < 0 ? 0 : count;
}

// Rows with a character added up to `width` characters: at the start (1), at the end (2) or on both sides (3).
__global__ void __launch_bounds__(THREADS)
    pad_texts(TextsDeviceView column, u64 width, u32 sides, u32 fill, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const u32 encoding = encoded(fill);
    const StringView filler = {reinterpret_cast<const u8*>(&encoding), encoded_size(fill)};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        const u64 len = count_characters(text), missing = len < width ? width - len : 0;
        const u64 left = sides == 1 ? missing : sides == 2 ? 0 : missing / 2 + (missing & width & 1);
        out.put_times(filler, left);
        out.put(text);
        out.put_times(filler, missing - left);
        return true;
    });
}

// Rows with zeros behind their sign up to `width` characters, or the width that a column has for each.
__global__ void __launch_bounds__(THREADS)
    zero_fill_texts(TextsDeviceView column, u64 width, ColumnDeviceView widths, i32* narrow, u64* wide, u8* bytes,
                    u32* validity) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const u8 zero = '0';
    make_texts<THREADS>(column, {narrow, wide, bytes, validity}, in_stage, out_stage, [&](u64 i, StringView text, auto& out) {
        u64 wanted = width;
        if (widths.len > 0) {
            if (!widths.is_valid(i)) return false;
            wanted = count_at(widths, i);
        }
        const u64 len = count_characters(text), sign = text.size > 0 && (text.bytes[0] == '+' || text.bytes[0] == '-');
        out.put(StringView{text.bytes, sign});
        out.put_times(StringView{&zero, 1}, len < wanted ? wanted - len : 0);
        out.put(StringView{text.bytes + sign, text.size - sign});
        return true;
    });
}

// Rows `count` times in a row, or as often as a column says.
__global__ void __launch_bounds__(THREADS)
    repeat_texts(TextsDeviceView column, u64 count, ColumnDeviceView counts, i32* narrow, u64* wide, u8* bytes,
                 u32* validity) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, validity}, in_stage, out_stage, [&](u64 i, StringView text, auto& out) {
        u64 wanted = count;
        if (counts.len > 0) {
            if (!counts.is_valid(i)) return false;
            wanted = count_at(counts, i);
        }
        out.put_times(text, wanted);
        return true;
    });
}

// Rows with their characters [start, stop) replaced, by Python's rules for slices.
__global__ void __launch_bounds__(THREADS)
    replace_slices(TextsDeviceView column, i64 start, i64 stop, bool has_stop, const u8* replacement, u64 size,
                   i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        const u64 len = count_characters(text);
        const u64 first = slice_position(start, len), last = has_stop ? slice_position(stop, len) : len;
        out.put(characters_between(text, 0, first));
        out.put(StringView{replacement, size});
        out.put(characters_between(text, first < last ? last : first, len));
        return true;
    });
}
