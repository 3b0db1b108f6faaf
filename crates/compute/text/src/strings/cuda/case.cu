// Upper, lower, title and swapped case. The mappings are those of `case.rs`, as tables.
#include "cuprum/texts.cuh"

// The mapping of characters: to itself where the table has 0, to another one, or to up to three.
struct CaseMapping {
    CharacterTable table;

    template <typename Out>
    void put(u32 code, Out& out) const {
        const u32 mapped = table[code];
        if (mapped <= LAST_CHARACTER) {
            out.put_character(mapped != 0 ? mapped : code);
            return;
        }
        const u32* const codes = table.words + (mapped - LAST_CHARACTER);
        for (u32 k = 0; k < 3 && codes[k] != 0; ++k) out.put_character(codes[k]);
    }
};

// The tables of a launch; `kinds` says of each character what it is, a word goes on behind those `inside` of it.
struct Cases {
    CaseMapping first;
    CaseMapping lower;
    CharacterTable kinds;
    u32 inside;

    bool is(u32 code, u32 kind) const { return (kinds[code] & kind) != 0; }

    // The condition `Final_Sigma` of the Unicode Standard (section 3.13): a letter with case before, none behind,
    // looking through characters that case ignores.
    bool is_final_sigma(StringView text, u64 at) const {
        u64 before = at;
        bool is_cased = false;
        while (before > 0) {
            const Character c = character_before(text.bytes, before);
            before -= c.size;
            if (is(c.code, CASE_IGNORABLE)) continue;
            is_cased = is(c.code, CASED);
            break;
        }
        if (!is_cased) return false;
        for (u64 behind = at + 2; behind < text.size;) {
            const Character c = character_at(text.bytes + behind);
            behind += c.size;
            if (!is(c.code, CASE_IGNORABLE)) return !is(c.code, CASED);
        }
        return true;
    }

    // The lower case of the character at a byte.
    template <typename Out>
    void put_lower(StringView text, u64 at, u32 code, Out& out) const {
        constexpr u32 SIGMA = 0x3a3;
        if (code < 0x80) {
            out.put(u8(code - 'A' < 26 ? code | 0x20 : code));
        } else if (code == SIGMA) {
            out.put_character(is_final_sigma(text, at) ? 0x3c2 : 0x3c3);
        } else {
            lower.put(code, out);
        }
    }
    template <typename Out>
    void put_first(u32 code, Out& out) const {
        if (code < 0x80) {
            out.put(u8(code - 'a' < 26 ? code ^ 0x20 : code));
        } else {
            first.put(code, out);
        }
    }
};

struct Upper {
    template <typename Out>
    static void put(const Cases& cases, StringView, u64, u32 code, bool&, Out& out) {
        cases.put_first(code, out);
    }
};

struct Lower {
    template <typename Out>
    static void put(const Cases& cases, StringView text, u64 at, u32 code, bool&, Out& out) {
        cases.put_lower(text, at, code, out);
    }
};

struct Swapped {
    template <typename Out>
    static void put(const Cases& cases, StringView text, u64 at, u32 code, bool&, Out& out) {
        if (cases.is(code, UPPER)) {
            cases.put_lower(text, at, code, out);
        } else if (cases.is(code, LOWER)) {
            cases.put_first(code, out);
        } else {
            out.put_character(code);
        }
    }
};

struct Capitalized {
    template <typename Out>
    static void put(const Cases& cases, StringView text, u64 at, u32 code, bool&, Out& out) {
        if (at == 0) {
            cases.put_first(code, out);
        } else {
            cases.put_lower(text, at, code, out);
        }
    }
};

struct Titled {
    template <typename Out>
    static void put(const Cases& cases, StringView text, u64 at, u32 code, bool& is_inside, Out& out) {
        if (is_inside) {
            cases.put_lower(text, at, code, out);
        } else {
            cases.put_first(code, out);
        }
        is_inside = cases.is(code, cases.inside);
    }
};

template <typename How>
__global__ void __launch_bounds__(THREADS)
    change_case(TextsDeviceView column, const u32* first, const u32* lower, const u32* kinds, u32 inside, i32* narrow,
                u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const Cases cases = {{{first}}, {{lower}}, {kinds}, inside};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        bool is_inside = false;
        for (u64 at = 0; at < text.size;) {
            const Character c = character_at(text.bytes + at);
            How::put(cases, text, at, c.code, is_inside, out);
            at += c.size;
        }
        return true;
    });
}
