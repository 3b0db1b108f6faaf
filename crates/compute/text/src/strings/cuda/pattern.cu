// Regular expressions that are looked for, counted and replaced.
#include "cuprum/automata.cuh"
#include "cuprum/texts.cuh"

// Notes that a row could not be decided.
inline void note(const Searcher& searcher, u32* undecided) {
    if (searcher.undecided) atomicOr(undecided, 1u);
}

// Whether a row has a match.
__global__ void __launch_bounds__(THREADS)
    match_texts(TextsDeviceView column, const u16* words, AutomataLayout layout, u32* undecided, u8* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64, StringView text) {
        Searcher searcher(words, layout);
        const bool is_found = searcher.has_match(text);
        note(searcher, undecided);
        return is_found;
    });
}

// The position in characters of the first match; -1 without one.
__global__ void __launch_bounds__(THREADS)
    find_match(TextsDeviceView column, const u16* words, AutomataLayout layout, u32* undecided, i32* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64, StringView text) -> i32 {
        Searcher searcher(words, layout);
        const Span found = searcher.find(text, 0);
        note(searcher, undecided);
        return found.start == NOT_FOUND ? -1 : at_most_i32(count_characters({text.bytes, found.start}));
    });
}

// The number of matches; an empty one may follow another one at once.
__global__ void __launch_bounds__(THREADS)
    count_matches(TextsDeviceView column, const u16* words, AutomataLayout layout, u32* undecided, i32* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    map_texts<THREADS>(column, stage, out, [&](u64, StringView text) -> i32 {
        Searcher searcher(words, layout);
        u64 count = 0;
        for (u64 from = 0; from <= text.size; ++count) {
            const Span found = searcher.find(text, from);
            if (found.start == NOT_FOUND) break;
            from = Searcher::behind(text, found);
        }
        note(searcher, undecided);
        return at_most_i32(count);
    });
}

// Rows with a text in the place of the first `limit` matches.
__global__ void __launch_bounds__(THREADS)
    replace_matches(TextsDeviceView column, const u16* words, AutomataLayout layout, u32* undecided,
                    const u8* replacement, u64 size, u64 limit, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        Searcher searcher(words, layout);
        Span last = {NOT_FOUND, NOT_FOUND};
        u64 done = 0;
        for (u64 left = limit; left > 0; --left) {
            last = searcher.find_next(text, last);
            if (last.start == NOT_FOUND) break;
            out.put(StringView{text.bytes + done, last.start - done});
            out.put(StringView{replacement, size});
            done = last.end;
        }
        out.put(StringView{text.bytes + done, text.size - done});
        note(searcher, undecided);
        return true;
    });
}
