// Regular expressions as automata: the tables of `strings::automaton`, and searches with them.
#pragma once
#include "cuprum/characters.cuh"

// Where the tables of a pattern stand among their words, and what their states are.
struct AutomataLayout {
    u32 forward_at;
    u32 forward_stride;
    u32 forward_special;
    u32 reverse_at;
    u32 reverse_stride;
    u32 reverse_special;
};

// The table of one direction: the classes of bytes, the start states by the byte before, the next states.
struct Automaton {
    const u16* words;
    u32 stride;
    u32 num_special;

    static constexpr u32 DEAD = 0, UNDECIDED = 1;

    u32 start(u32 before) const { return words[256 + before]; }
    u32 next(u32 state, u8 byte) const { return words[513 + state * stride + words[byte]]; }
    u32 next_at_end(u32 state) const { return words[513 + state * stride + stride - 1]; }
    bool is_special(u32 state) const { return state < num_special; }
};

// Searches of a pattern in one text. `undecided` becomes true where a byte is met that the automata do not know.
struct Searcher {
    Automaton forward;
    Automaton reverse;
    bool undecided;

    Searcher(const u16* words, const AutomataLayout& layout)
        : forward{words + layout.forward_at, layout.forward_stride, layout.forward_special},
          reverse{words + layout.reverse_at, layout.reverse_stride, layout.reverse_special},
          undecided(false) {}

    // The end of the first match from a byte on, NOT_FOUND without one; of any with `is_any`.
    u64 find_end(StringView text, u64 from, bool is_any) {
        u64 last = NOT_FOUND;
        u32 state = forward.start(from == 0 ? 256 : text.bytes[from - 1]);
        for (u64 at = from; at < text.size; ++at) {
            // States tell of a match one byte late.
            state = forward.next(state, text.bytes[at]);
            if (!forward.is_special(state)) continue;
            if (state == Automaton::DEAD) return last;
            if (state == Automaton::UNDECIDED) {
                undecided = true;
                return NOT_FOUND;
            }
            last = at;
            if (is_any) return last;
        }
        state = forward.next_at_end(state);
        if (state == Automaton::UNDECIDED) undecided = true;
        return forward.is_special(state) && state > Automaton::UNDECIDED ? text.size : last;
    }

    // Where the match that ends at a byte begins, at `from` or behind it.
    u64 find_start(StringView text, u64 from, u64 end) {
        u64 first = end;
        u32 state = reverse.start(end == text.size ? 256 : text.bytes[end]);
        for (u64 at = end; at > from; --at) {
            state = reverse.next(state, text.bytes[at - 1]);
            if (!reverse.is_special(state)) continue;
            if (state == Automaton::DEAD) return first;
            if (state == Automaton::UNDECIDED) {
                undecided = true;
                return end;
            }
            first = at;
        }
        state = from == 0 ? reverse.next_at_end(state) : reverse.next(state, text.bytes[from - 1]);
        if (state == Automaton::UNDECIDED) undecided = true;
        return reverse.is_special(state) && state > Automaton::UNDECIDED ? from : first;
    }

    // The first match from a byte on; both ends are NOT_FOUND without one. Empty ones within a character are none.
    Span find(StringView text, u64 from) {
        for (;; ++from) {
            if (from > text.size) return {NOT_FOUND, NOT_FOUND};
            const u64 end = find_end(text, from, false);
            if (end == NOT_FOUND) return {NOT_FOUND, NOT_FOUND};
            const u64 start = find_start(text, from, end);
            if (!is_within_character(text, end) || start < end) return {start, end};
        }
    }

    // Whether there is a match.
    bool has_match(StringView text) {
        const u64 end = find_end(text, 0, true);
        if (end == NOT_FOUND) return false;
        return !is_within_character(text, end) || find(text, 0).end != NOT_FOUND;
    }

    static bool is_within_character(StringView text, u64 at) {
        return at < text.size && !begins_character(text.bytes[at]);
    }

    // The byte from which the next match is looked for: behind the last one, and behind a character more if it was
    // empty.
    static u64 behind(StringView text, Span found) {
        if (found.start < found.end) return found.end;
        return found.end < text.size ? found.end + character_at(text.bytes + found.end).size : found.end + 1;
    }

    // The next match of `regex`, whose iterators skip an empty match right behind another one. `last` is the last
    // match; both of its ends are NOT_FOUND at first.
    Span find_next(StringView text, Span last) {
        u64 from = last.end == NOT_FOUND ? 0 : last.end;
        Span found = find(text, from);
        if (found.start == found.end && found.end == last.end && found.end != NOT_FOUND) {
            found = find(text, behind(text, found));
        }
        return found;
    }
};
