// Tokens that are counted, noted, replaced and put together.
#include "cuprum/spans.cuh"
#include "cuprum/text_table.cuh"
#include "cuprum/tokens.cuh"

// The number of tokens of each row; nulls have none.
__global__ void __launch_bounds__(THREADS)
    count_tokens_of_texts(TextsDeviceView column, const u64* words, u64 count, u32 kind, i32* __restrict__ out) {
    __shared__ Stage<STAGE> stage;
    const Delimiters delimiters(words, count, kind);
    map_texts<THREADS>(column, stage, out, [&](u64, StringView text) {
        u64 tokens = 0;
        delimiters.each(text, [&](Span) { ++tokens; });
        return at_most_i32(tokens);
    });
}

// The places of all runs of n tokens of each row: from the first byte of the first one to the end of the last one.
__global__ void __launch_bounds__(THREADS)
    note_tokens(TextsDeviceView column, const u64* words, u64 count, u32 kind, u64 n, i32* narrow, u64* wide, u64* starts,
                u64* ends) {
    __shared__ Stage<STAGE> stage;
    const Delimiters delimiters(words, count, kind);
    note_parts<THREADS>(column, {narrow, wide}, {starts, ends}, false, stage, [&](StringView text, auto& parts) {
        Span last = delimiters.next(text, 0), first = last;
        for (u64 k = 1; k < n && last.start < last.end; ++k) last = delimiters.next(text, last.end);
        while (last.start < last.end) {
            parts.put(first.start, last.end);
            last = delimiters.next(text, last.end);
            first = n == 1 ? last : delimiters.next(text, first.end);
        }
    });
}

// The tokens of n runs of them, each run with `separator` between them.
__global__ void __launch_bounds__(THREADS)
    texts_of_token_runs(const u8* column_bytes, const u64* starts, const u64* ends, u64 n, const u64* words, u64 count,
                        u32 kind, const u8* separator, u64 size, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    const Delimiters delimiters(words, count, kind);
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    make_row<THREADS>({narrow, wide, bytes, nullptr}, n, i < n, stage, [&](auto& out) {
        const StringView run = {column_bytes + starts[i], ends[i] - starts[i]};
        bool is_first = true;
        delimiters.each(run, [&](Span token) {
            if (!is_first) out.put(StringView{separator, size});
            is_first = false;
            out.put(token.of(run));
        });
        return true;
    });
}

// Puts a row with other tokens where `replace(token, out)` puts one in its place.
template <typename Out, typename Replace>
void put_replaced(StringView text, const Delimiters& delimiters, Out& out, Replace replace) {
    u64 done = 0;
    delimiters.each(text, [&](Span token) {
        out.put(StringView{text.bytes + done, token.start - done});
        if (!replace(token.of(text), out)) out.put(token.of(text));
        done = token.end;
    });
    out.put(StringView{text.bytes + done, text.size - done});
}

// Rows with the tokens that a table of targets has replaced by the replacement of the same number, or the only one.
__global__ void __launch_bounds__(THREADS)
    replace_tokens_of_texts(TextsDeviceView column, TextsDeviceView targets, const i32* slots, u64 num_slots,
                            TextsDeviceView replacements, const u64* words, u64 count, u32 kind, i32* narrow, u64* wide,
                            u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const Delimiters delimiters(words, count, kind);
    const TextTable table = {targets, slots, num_slots};
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        put_replaced(text, delimiters, out, [&](StringView token, auto& out) {
            const i32 row = table.find(token);
            if (row == NO_ROW) return false;
            out.put(replacements.string(replacements.len == 1 ? 0 : u64(row)));
            return true;
        });
        return true;
    });
}

// Rows with the tokens of fewer than `least` characters replaced.
__global__ void __launch_bounds__(THREADS)
    filter_tokens_of_texts(TextsDeviceView column, u64 least, const u8* replacement, u64 size, const u64* words, u64 count,
                           u32 kind, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const Delimiters delimiters(words, count, kind);
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        put_replaced(text, delimiters, out, [&](StringView token, auto& out) {
            if (token.size >= least && count_characters(token) >= least) return false;
            out.put(StringView{replacement, size});
            return true;
        });
        return true;
    });
}

// Rows with one space between their tokens.
__global__ void __launch_bounds__(THREADS)
    join_tokens_of_texts(TextsDeviceView column, const u64* words, u64 count, u32 kind, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const Delimiters delimiters(words, count, kind);
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        bool is_first = true;
        delimiters.each(text, [&](Span token) {
            if (!is_first) out.put(u8(' '));
            is_first = false;
            out.put(token.of(text));
        });
        return true;
    });
}

// ---- runs of characters and rows ---------------------------------------------------------------------

// Calls `f(start, end)` with every run of n characters of a text.
template <typename F>
void each_window(StringView text, u64 n, F f) {
    if (n > text.size) return;
    u64 start = 0, end = 0, count = 0;
    for (; count < n && end < text.size; ++count) end += character_at(text.bytes + end).size;
    if (count < n) return;
    for (;;) {
        f(start, end);
        if (end == text.size) return;
        start += character_at(text.bytes + start).size;
        end += character_at(text.bytes + end).size;
    }
}

// The places of all runs of n characters of each row.
__global__ void __launch_bounds__(THREADS)
    note_windows(TextsDeviceView column, u64 n, i32* narrow, u64* wide, u64* starts, u64* ends) {
    __shared__ Stage<STAGE> stage;
    note_parts<THREADS>(column, {narrow, wide}, {starts, ends}, false, stage, [&](StringView text, auto& parts) {
        each_window(text, n, [&](u64 start, u64 end) { parts.put(start, end); });
    });
}

// The hashes of all runs of n characters of each row.
__global__ void __launch_bounds__(THREADS)
    hash_windows(TextsDeviceView column, u64 n, u32 seed, i32* narrow, u64* wide, u32* values) {
    __shared__ Stage<STAGE> stage;
    note_values<THREADS>(column, {narrow, wide}, values, stage, [&](StringView text, auto& hashes) {
        each_window(text, n, [&](u64 start, u64 end) {
            hashes.put(murmur3_x86_32(MemoryBytes{text.bytes + start, end - start}, seed));
        });
    });
}

// Whether each row has a text that is not empty.
__global__ void __launch_bounds__(THREADS) flag_texts(TextsDeviceView column, u8* __restrict__ out) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i < column.len) out[i] = column.is_valid(i) && column.start(i + 1) > column.start(i);
}

// Each of `num_runs` runs of n of the rows `kept`, with `separator` between them.
__global__ void __launch_bounds__(THREADS)
    texts_of_row_runs(TextsDeviceView column, const u64* kept, u64 num_runs, u64 n, const u8* separator, u64 size,
                      i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    make_row<THREADS>({narrow, wide, bytes, nullptr}, num_runs, i < num_runs, stage, [&](auto& out) {
        for (u64 k = 0; k < n; ++k) {
            if (k > 0) out.put(StringView{separator, size});
            out.put(column.string(kept[i + k]));
        }
        return true;
    });
}
