// Parts of texts: how many each row has and where they begin and end, noted in two launches of one kernel.
//
// The first launch counts; when the counts have become offsets, the second one writes the spans of the parts, one row
// after the other. Positions are bytes of the column.
#pragma once
#include "cuprum/texts.cuh"

// Arguments of such a kernel. Counts and offsets have 32 or 64 bits, and one of the two pointers is null.
struct SpansOut {
    i32* narrow;
    u64* wide;
    u64* starts;
    u64* ends;

    u64 offset(u64 i) const { return narrow != nullptr ? u64(narrow[i]) : wide[i]; }
};

// Counts the parts of a row.
struct CountedParts {
    u64 count;

    void put(u64, u64) { ++count; }
};

// Writes the parts of a row from the first to the last or the other way round, and none that it has no place for.
struct WrittenParts {
    const SpansOut& out;
    u64 base;   // of the row among the bytes of the column
    u64 next;   // place
    u64 left;   // places
    i64 step;   // 1 or -1

    void put(u64 start, u64 end) {
        if (left == 0) return;
        out.starts[next] = base + start;
        out.ends[next] = base + end;
        next = u64(i64(next) + step);
        --left;
    }
};

// Notes the parts that `row(text, parts)` puts into `parts`, beginning with the last one with `is_reverse`.
template <u32 THREADS, u32 STAGE, typename Row>
void note_parts(const TextsDeviceView& column, const SpansOut& out, bool is_reverse, Stage<STAGE>& stage,
                Row row) {
    for_each_text<THREADS>(column, stage, [&](u64 i, bool exists, bool is_valid, StringView text) {
        if (!exists) return;
        if (out.starts == nullptr) {
            CountedParts parts = {0};
            if (is_valid) row(text, parts);
            if (out.narrow != nullptr) {
                out.narrow[i] = i32(parts.count);
            } else {
                out.wide[i] = parts.count;
            }
            return;
        }
        const u64 first = out.offset(i), count = out.offset(i + 1) - first;
        if (!is_valid || count == 0) return;
        WrittenParts parts = {out, column.start(i), is_reverse ? first + count - 1 : first, count,
                                        is_reverse ? -1 : 1};
        row(text, parts);
    });
}
