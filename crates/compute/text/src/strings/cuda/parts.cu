// Texts that are parts of rows: characters by position, and without what stands at the ends.
#include "cuprum/texts.cuh"

// A set of characters: some code points in order, or where there are none, those of a kind.
struct CharacterSet {
    const u32* codes;
    u32 num_codes;
    CharacterTable kinds;
    u32 kind;

    bool contains(u32 code) const {
        if (codes == nullptr) return (kinds[code] & kind) != 0;
        u32 low = 0, high = num_codes;
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (codes[middle] < code) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < num_codes && codes[low] == code;
    }
};

// Rows without the characters of a set at their start, their end or both.
__global__ void __launch_bounds__(THREADS)
    strip_texts(TextsDeviceView column, bool at_start, bool at_end, const u32* codes, u32 num_codes, const u32* kinds,
                u32 kind, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const CharacterSet set = {codes, num_codes, {kinds}, kind};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        while (at_start && text.size > 0) {
            const Character c = character_at(text.bytes);
            if (!set.contains(c.code)) break;
            text.bytes += c.size;
            text.size -= c.size;
        }
        while (at_end && text.size > 0) {
            const Character c = character_before(text.bytes, text.size);
            if (!set.contains(c.code)) break;
            text.size -= c.size;
        }
        out.put(text);
        return true;
    });
}

// The characters [start, stop) of rows, by Python's rules; without an end where there is none.
__global__ void __launch_bounds__(THREADS)
    slice_texts(TextsDeviceView column, i64 start, i64 stop, bool has_stop, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        u64 first = u64(start), last = has_stop ? u64(stop) : ~0ull;
        if (start < 0 || (has_stop && stop < 0)) {
            const u64 len = count_characters(text);
            first = slice_position(start, len);
            last = has_stop ? slice_position(stop, len) : len;
        }
        out.put(characters_between(text, first, last));
        return true;
    });
}

// The characters from one position to another in steps, forwards or backwards, by Python's rules.
__global__ void __launch_bounds__(THREADS)
    step_over_texts(TextsDeviceView column, i64 start, bool has_start, i64 stop, bool has_stop, i64 step, i32* narrow,
                    u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        const i64 len = i64(count_characters(text));
        const i64 low = step > 0 ? 0 : -1, high = step > 0 ? len : len - 1;
        const auto place = [&](i64 at) {
            if (at < 0) return at + len > low ? at + len : low;
            return at < high ? at : high;
        };
        i64 next = has_start ? place(start) : step > 0 ? low : high;
        const i64 end = has_stop ? place(stop) : step > 0 ? high : low;
        // Steps longer than the text are all one.
        const i64 far = len + 1, by = step > far ? far : step < -far ? -far : step;
        if (by > 0) {
            i64 at = 0;
            for (u64 i = 0; i < text.size && next < end; ++at) {
                const Character c = character_at(text.bytes + i);
                if (at == next) {
                    out.put(StringView{text.bytes + i, c.size});
                    next += by;
                }
                i += c.size;
            }
        } else {
            i64 at = len - 1;
            for (u64 i = text.size; i > 0 && next > end; --at) {
                const Character c = character_before(text.bytes, i);
                i -= c.size;
                if (at == next) {
                    out.put(StringView{text.bytes + i, c.size});
                    next += by;
                }
            }
        }
        return true;
    });
}

// The character at a position, from the end where it is negative; null where there is none.
__global__ void __launch_bounds__(THREADS)
    characters_of_texts(TextsDeviceView column, i64 position, i32* narrow, u64* wide, u8* bytes, u32* validity) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, validity}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        u64 at = 0;
        if (position >= 0) {
            at = byte_of_character(text, u64(position));
            if (at == text.size) return false;
        } else {
            u64 back = u64(-(position + 1));
            at = text.size;
            do {
                if (at == 0) return false;
                at -= character_before(text.bytes, at).size;
            } while (back-- > 0);
        }
        out.put(StringView{text.bytes + at, character_at(text.bytes + at).size});
        return true;
    });
}

// Rows without a text that they begin, or end, with.
__global__ void __launch_bounds__(THREADS)
    remove_affix(TextsDeviceView column, const u8* affix, u64 size, bool at_end, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const StringView removed = {affix, size};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        if (at_end ? ends_with(text, removed) : begins_with(text, removed)) {
            if (!at_end) text.bytes += size;
            text.size -= size;
        }
        out.put(text);
        return true;
    });
}
