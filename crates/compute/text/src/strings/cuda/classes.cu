// Classes of characters: tests of whole rows, and rows without characters of a class.
#include "cuprum/texts.cuh"

// Whether all characters of a row are of a kind, and there is one; of no kind is what is not ASCII.
struct AllOfKind {
    static bool test(StringView text, CharacterTable kinds, u32 kind) {
        for (u64 i = 0; i < text.size;) {
            const Character c = character_at(text.bytes + i);
            if (kind == 0 ? c.code >= 0x80 : (kinds[c.code] & kind) == 0) return false;
            i += c.size;
        }
        return kind == 0 || text.size > 0;
    }
};

// Whether a row has letters of one case and none of the others.
struct OneCase {
    static bool test(StringView text, CharacterTable kinds, u32 kind) {
        bool has_some = false;
        for (u64 i = 0; i < text.size;) {
            const Character c = character_at(text.bytes + i);
            const u32 own = kinds[c.code];
            if ((own & CASED & ~kind) != 0) return false;
            has_some = has_some || (own & kind) != 0;
            i += c.size;
        }
        return has_some;
    }
};

// Whether words begin in upper or title case, go on in lower case, and there is one.
struct TitleCase {
    static bool test(StringView text, CharacterTable kinds, u32) {
        bool has_some = false, is_inside = false;
        for (u64 i = 0; i < text.size;) {
            const Character c = character_at(text.bytes + i);
            const u32 kind = kinds[c.code];
            const bool begins = (kind & (UPPER | TITLE)) != 0, goes_on = (kind & LOWER) != 0;
            if ((begins && is_inside) || (!begins && goes_on && !is_inside)) return false;
            is_inside = begins || goes_on;
            has_some = has_some || is_inside;
            i += c.size;
        }
        return has_some;
    }
};

template <typename Test>
__global__ void __launch_bounds__(THREADS)
    test_characters(TextsDeviceView column, const u32* kinds, u32 kind, u8* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64, StringView text) {
        return Test::test(text, CharacterTable{kinds}, kind);
    });
}

// Rows with `replacement` for each character that goes: whose kinds are in `remove` and not in `keep`. All of them
// count as in `remove` with `removes_all`.
__global__ void __launch_bounds__(THREADS)
    filter_kinds(TextsDeviceView column, const u32* kinds, u32 remove, bool removes_all, u32 keep, const u8* replacement,
                 u64 size, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const CharacterTable table = {kinds};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        for (u64 i = 0; i < text.size;) {
            const Character c = character_at(text.bytes + i);
            const u32 kind = table[c.code];
            const bool goes = (removes_all || (kind & remove) != 0) && (kind & keep) == 0;
            out.put(goes ? StringView{replacement, size} : StringView{text.bytes + i, c.size});
            i += c.size;
        }
        return true;
    });
}

// Rows with `replacement` for each character in one of the ranges, which are pairs of code points, or with `keeps` for
// each in none.
__global__ void __launch_bounds__(THREADS)
    filter_ranges(TextsDeviceView column, const u32* ranges, u32 num_ranges, bool keeps, const u8* replacement, u64 size,
                  i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        for (u64 i = 0; i < text.size;) {
            const Character c = character_at(text.bytes + i);
            bool is_inside = false;
            for (u32 k = 0; k < num_ranges && !is_inside; ++k) {
                is_inside = ranges[2 * k] <= c.code && c.code <= ranges[2 * k + 1];
            }
            out.put(is_inside != keeps ? StringView{replacement, size} : StringView{text.bytes + i, c.size});
            i += c.size;
        }
        return true;
    });
}

// Rows with characters replaced by texts: `codes` in order, text k is at [starts[k], starts[k + 1]) of `texts`.
__global__ void __launch_bounds__(THREADS)
    translate_characters(TextsDeviceView column, const u32* codes, u32 num_codes, const u64* starts, const u8* texts,
                         i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        for (u64 i = 0; i < text.size;) {
            const Character c = character_at(text.bytes + i);
            u32 low = 0, high = num_codes;
            while (low < high) {
                const u32 middle = (low + high) / 2;
                if (codes[middle] < c.code) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            const bool is_found = low < num_codes && codes[low] == c.code;
            out.put(is_found ? StringView{texts + starts[low], starts[low + 1] - starts[low]}
                             : StringView{text.bytes + i, c.size});
            i += c.size;
        }
        return true;
    });
}
