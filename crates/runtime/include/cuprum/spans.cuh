// Parts of texts: how many each row has and where they begin and end, noted in two launches of one kernel.
//
// The first launch counts; when the counts have become offsets, the second one writes the spans of the parts, one row
// after the other, or a value for each. Positions are bytes of the column.
#pragma once
#include "cuprum/texts.cuh"

// What the first launch writes for each row, and the second one reads. Counts and offsets have 32 or 64 bits, and one of
// the two pointers is null.
struct PartOffsets {
    i32* narrow;
    u64* wide;

    u64 operator[](u64 i) const { return narrow != nullptr ? u64(narrow[i]) : wide[i]; }
    void set(u64 i, u64 count) const {
        if (narrow != nullptr) {
            narrow[i] = i32(count);
        } else {
            wide[i] = count;
        }
    }
};

// Counts the parts of a row.
struct CountedParts {
    u64 count;

    void put(u64, u64) { ++count; }
    template <typename T>
    void put(T) {
        ++count;
    }
};

// Where the spans of parts go.
struct SpansOut {
    u64* starts;
    u64* ends;

    bool is_counted() const { return starts == nullptr; }
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

// Writes the values of a row, and none that it has no place for.
template <typename T>
struct WrittenValues {
    T* at;
    T* end;

    void put(T value) {
        if (at < end) *at++ = value;
    }
};

// Calls `row(text, counted)` for each row where `is_counted`; else `write(i, first, count, text)` with the places of its
// parts, where it has any.
template <u32 THREADS, u32 STAGE, typename Row, typename Write>
void for_each_part_row(const TextsDeviceView& column, const PartOffsets& offsets, bool is_counted, Stage<STAGE>& stage,
                       Row row, Write write) {
    for_each_text<THREADS>(column, stage, [&](u64 i, bool exists, bool is_valid, StringView text) {
        if (!exists) return;
        if (is_counted) {
            CountedParts parts = {0};
            if (is_valid) row(text, parts);
            offsets.set(i, parts.count);
            return;
        }
        const u64 first = offsets[i], count = offsets[i + 1] - first;
        if (is_valid && count > 0) write(i, first, count, text);
    });
}

// Notes the parts that `row(text, parts)` puts into `parts`, beginning with the last one with `is_reverse`.
template <u32 THREADS, u32 STAGE, typename Row>
void note_parts(const TextsDeviceView& column, const PartOffsets& offsets, const SpansOut& out, bool is_reverse,
                Stage<STAGE>& stage, Row row) {
    for_each_part_row<THREADS>(column, offsets, out.is_counted(), stage, row,
                               [&](u64 i, u64 first, u64 count, StringView text) {
                                   WrittenParts parts = {out, column.start(i), is_reverse ? first + count - 1 : first,
                                                         count, is_reverse ? -1 : 1};
                                   row(text, parts);
                               });
}

// Notes the values that `row(text, values)` puts into `values`.
template <u32 THREADS, u32 STAGE, typename T, typename Row>
void note_values(const TextsDeviceView& column, const PartOffsets& offsets, T* out, Stage<STAGE>& stage, Row row) {
    for_each_part_row<THREADS>(column, offsets, out == nullptr, stage, row,
                               [&](u64, u64 first, u64 count, StringView text) {
                                   WrittenValues<T> values = {out + first, out + first + count};
                                   row(text, values);
                               });
}
