// Texts row by row: read by way of shared memory, and made in two launches of one kernel.
//
// A block has one row for each thread. The characters of its rows lie side by side, so they are moved to shared memory
// in whole packs where they fit the stage, and what the threads write is moved back the same way; longer ones are read
// and written where they are. A kernel that makes texts is launched twice, see `elements::string_map::cuda`: the first
// time its threads measure, the second time, when the sizes have become offsets, they write.
#pragma once
#include "cuprum/block.cuh"
#include "cuprum/characters.cuh"
#include "cuprum/column.cuh"
#include "cuprum/pack.cuh"

// Room for STAGE bytes that begin anywhere in a pack.
template <u32 STAGE>
struct __align__(16) Stage {
    u8 bytes[STAGE + 16];
};

// The place in a stage that has the same position within a pack as an address.
inline u32 place_in_pack(const u8* at) { return u32(reinterpret_cast<u64>(at)) & 15; }

// Moves bytes from and to addresses with one position within a pack; for all threads of a block.
template <u32 THREADS>
void move_bytes(const u8* from, u8* to, u64 size) {
    const u32 in_pack = place_in_pack(from);
    const u64 unaligned = in_pack == 0 ? 0 : 16 - in_pack;
    const u64 head = unaligned < size ? unaligned : size;
    const u64 packs = (size - head) / 16;
    if (threadIdx.x < head) to[threadIdx.x] = from[threadIdx.x];
    for (u64 i = threadIdx.x; i < packs; i += THREADS) {
        reinterpret_cast<Word16*>(to + head)[i] = reinterpret_cast<const Word16*>(from + head)[i];
    }
    const u64 tail = head + packs * 16 + threadIdx.x;
    if (tail < size) to[tail] = from[tail];
}

// Calls `row(i, exists, is_valid, text, is_staged)` in every thread of a block, with the text of its row of the column, and
// whether that is in the stage.
template <u32 THREADS, u32 STAGE, typename Row>
void for_each_placed_text(const TextsDeviceView& column, Stage<STAGE>& stage, Row row) {
    const u64 first = u64(blockIdx.x) * THREADS, i = first + threadIdx.x;
    const u64 end = first + THREADS < column.len ? first + THREADS : column.len;
    // The row's own place is read beside the block's, so that nothing waits for it behind the barrier.
    const bool exists = i < end, is_valid = exists && column.is_valid(i);
    const u64 start = is_valid ? column.start(i) : 0, own_end = is_valid ? column.start(i + 1) : 0;
    const u64 from = column.start(first), size = column.start(end) - from;
    const u8* bytes = reinterpret_cast<const u8*>(column.bytes_address) + from;
    const bool is_staged = size <= STAGE;
    if (is_staged) {
        u8* const staged = stage.bytes + place_in_pack(bytes);
        move_bytes<THREADS>(bytes, staged, size);
        bytes = staged;
    }
    __syncthreads();
    const StringView text = {is_valid ? bytes + (start - from) : bytes, own_end - start};
    row(i, exists, is_valid, text, is_staged);
}

// The same without the last.
template <u32 THREADS, u32 STAGE, typename Row>
void for_each_text(const TextsDeviceView& column, Stage<STAGE>& stage, Row row) {
    for_each_placed_text<THREADS>(column, stage, [&](u64 i, bool exists, bool is_valid, StringView text, bool) {
        row(i, exists, is_valid, text);
    });
}

// Writes a value for each row of a column of texts, that of `row(i, text)`; 0 where it is null.
template <u32 THREADS, u32 STAGE, typename T, typename Row>
void map_texts(const TextsDeviceView& column, Stage<STAGE>& stage, T* out, Row row) {
    for_each_text<THREADS>(column, stage, [&](u64 i, bool exists, bool is_valid, StringView text) {
        if (exists) out[i] = is_valid ? T(row(i, text)) : T(0);
    });
}

// Where values go that are read from texts, and what could not be read: the least such row, which is ~0 before, and the
// validity of the rows where these become null.
template <typename T>
struct ParsedOut {
    T* values;
    u64* first_bad;
    u32* validity;
};

// Reads a value from each row of a column of texts: `parse(text, is_staged, value)` says whether it could. Others, and nulls,
// get 0.
template <u32 THREADS, u32 STAGE, typename T, typename Parse>
void parse_placed_texts(const TextsDeviceView& column, Stage<STAGE>& stage, ParsedOut<T> out, Parse parse) {
    for_each_placed_text<THREADS>(column, stage, [&](u64 i, bool exists, bool is_valid, StringView text, bool is_staged) {
        T value = T(0);
        const bool is_good = is_valid && parse(text, is_staged, value);
        if (exists) out.values[i] = is_good ? value : T(0);
        const u32 good = __ballot_sync(ALL_LANES, is_good), bad = __ballot_sync(ALL_LANES, is_valid && !is_good);
        if (lane_id() != 0 || !exists) return;
        if (out.validity != nullptr) out.validity[i / WARP] = good;
        if (bad != 0) atomicMin(out.first_bad, i + (__ffs(bad) - 1));
    });
}

// The same with `parse(text, value)`.
template <u32 THREADS, u32 STAGE, typename T, typename Parse>
void parse_texts(const TextsDeviceView& column, Stage<STAGE>& stage, ParsedOut<T> out, Parse parse) {
    parse_placed_texts<THREADS>(column, stage, out,
                                [&](StringView text, bool, T& value) { return parse(text, value); });
}

// ---- texts that are made -----------------------------------------------------------------------------

// Arguments of a kernel that makes texts. Sizes and offsets have 32 or 64 bits, and one of the two pointers is null. In
// the second launch they are offsets, and there are bytes. Validity is there where rows may become null.
struct TextsOut {
    i32* narrow;
    u64* wide;
    u8* bytes;
    u32* validity;

    bool is_measured() const { return bytes == nullptr; }
    u64 offset(u64 i) const { return narrow != nullptr ? u64(narrow[i]) : wide[i]; }
    void set_size(u64 i, u64 size) const {
        if (narrow != nullptr) {
            narrow[i] = i32(size);
        } else {
            wide[i] = size;
        }
    }
};

// The number of decimal digits; of 0, too, one.
inline u32 num_digits(u64 number) {
    u32 digits = 1;
    for (; number >= 10000; number /= 10000) digits += 4;
    return digits + (number >= 10) + (number >= 100) + (number >= 1000);
}

// Counts the bytes of a row; what is more than 64 bits hold is as much as they hold.
struct MeasuredText {
    u64 size;

    void add(u64 more) { size = size + more < size ? ~0ull : size + more; }
    void put(u8) { ++size; }
    void put(StringView text) { add(text.size); }
    void put_character(u32 code) { size += encoded_size(code); }
    void put_digits(u64, u32 width) { size += width; }
    void put_times(StringView text, u64 times) {
        if (text.size != 0 && times > ~0ull / text.size) {
            size = ~0ull;
        } else {
            add(text.size * times);
        }
    }
};

// The bytes of a character, one by one.
template <typename Out>
void put_encoded(Out& out, u32 code) {
    u32 bytes = encoded(code);
    for (; bytes >= 0x100; bytes >>= 8) out.put(u8(bytes));
    out.put(u8(bytes));
}

// Writes the bytes of a row to shared memory, and none behind its end, whatever others do to the rows in the meantime.
struct StagedText {
    u8* at;
    u8* end;

    void put(u8 byte) {
        if (at < end) *at++ = byte;
    }
    void put(StringView text) {
        for (u64 i = 0; i < text.size && at < end; ++i) *at++ = text.bytes[i];
    }
    void put_character(u32 code) { put_encoded(*this, code); }
    void put_times(StringView text, u64 times) {
        for (u64 k = 0; k < times && at < end; ++k) put(text);
    }
    // The last `width` decimal digits of a number, with zeros before it.
    void put_digits(u64 number, u32 width) {
        for (u32 k = width; k-- > 0;) {
            const u64 rest = number / 10;
            if (k < u64(end - at)) at[k] = u8('0' + (number - rest * 10));
            number = rest;
        }
        at += width < u64(end - at) ? width : u64(end - at);
    }
};

// The same to device memory, eight bytes at a time: threads write far from each other there.
struct WrittenText {
    u8* start;
    u8* at;
    u8* end;
    u64 word;  // bytes that are not stored yet, each at its place in eight

    static u32 place(const u8* at) { return u32(reinterpret_cast<u64>(at)) & 7; }

    void put(u8 byte) {
        if (at >= end) return;
        word |= u64(byte) << 8 * place(at);
        ++at;
        if (place(at) != 0) return;
        if (u64(at - start) >= 8) {
            reinterpret_cast<u64*>(at)[-1] = word;
            word = 0;
        } else {
            store_bytes(8);
        }
    }
    void put(StringView text) {
        for (u64 i = 0; i < text.size; ++i) put(text.bytes[i]);
    }
    void put_character(u32 code) { put_encoded(*this, code); }
    void put_times(StringView text, u64 times) {
        for (u64 k = 0; k < times && at < end; ++k) put(text);
    }
    // See `StagedText`.
    void put_digits(u64 number, u32 width) {
        constexpr u32 MOST_DIGITS = 20;
        for (; width > MOST_DIGITS; --width) put('0');
        if (width == 0) return;
        u64 power = 1;
        for (u32 k = 1; k < width; ++k) power *= 10;
        for (; power > 0; power /= 10) put(u8('0' + number / power % 10));
    }
    // To be called when the row is whole.
    void finish() {
        if (place(at) != 0) store_bytes(place(at));
    }

  private:
    // The pending bytes, one by one: the first `behind` of these eight, but for those before the row.
    void store_bytes(u32 behind) {
        u8* const first = at - behind;
        for (u32 k = first < start ? u32(start - first) : 0; k < behind; ++k) first[k] = u8(word >> 8 * k);
        word = 0;
    }
};

// Texts of a kernel's own source: `put_literal(out, "True")`.
template <u32 SIZE, typename Out>
void put_literal(Out& out, const char (&text)[SIZE]) {
    for (u32 i = 0; i + 1 < SIZE; ++i) out.put(u8(text[i]));
}

// Decimal digits, as many as there are.
template <typename Out>
void put_number(Out& out, u64 number) {
    out.put_digits(number, num_digits(number));
}

// The row of this thread, which `row(text)` writes in every thread of a block where it is valid; `row` returns whether
// it stays so. There are n rows.
template <u32 THREADS, u32 STAGE, typename Row>
void make_row(const TextsOut& out, u64 n, bool is_valid, Stage<STAGE>& stage, Row row) {
    const u64 first = u64(blockIdx.x) * THREADS, i = first + threadIdx.x;
    if (out.is_measured()) {
        MeasuredText text = {0};
        if (is_valid) is_valid = row(text);
        if (i < n) out.set_size(i, is_valid ? text.size : 0);
        if (out.validity != nullptr) {
            const u32 bits = __ballot_sync(ALL_LANES, is_valid);
            if (lane_id() == 0 && i < n) out.validity[i / WARP] = bits;
        }
        return;
    }
    const u64 end = first + THREADS < n ? first + THREADS : n;
    const u64 from = out.offset(first), size = out.offset(end) - from;
    u8* const bytes = out.bytes + from;
    const bool is_staged = size <= STAGE;
    u8* const target = is_staged ? stage.bytes + place_in_pack(bytes) : bytes;
    if (is_valid) {
        u8* const own = target + (out.offset(i) - from);
        u8* const own_end = target + (out.offset(i + 1) - from);
        if (is_staged) {
            StagedText text = {own, own_end};
            row(text);
        } else {
            WrittenText text = {own, own, own_end, 0};
            row(text);
            text.finish();
        }
    }
    if (!is_staged) return;
    __syncthreads();
    move_bytes<THREADS>(target, bytes, size);
}

// Makes a text of each valid row of a column of texts: `row(i, text, out)` puts it into `out`, and returns whether
// there is one.
template <u32 THREADS, u32 STAGE, typename Row>
void make_texts(const TextsDeviceView& column, const TextsOut& out, Stage<STAGE>& in_stage, Stage<STAGE>& out_stage,
                Row row) {
    for_each_text<THREADS>(column, in_stage, [&](u64 i, bool, bool is_valid, StringView text) {
        make_row<THREADS>(out, column.len, is_valid, out_stage, [&](auto& made) { return row(i, text, made); });
    });
}

// Makes a text of each valid row of any column: `row(i, out)` puts it into `out`.
template <u32 THREADS, u32 STAGE, typename Row>
void make_texts_of_rows(const ColumnDeviceView& column, const TextsOut& out, Stage<STAGE>& stage, Row row) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    const bool is_valid = i < column.len && column.is_valid(i);
    make_row<THREADS>(out, column.len, is_valid, stage, [&](auto& made) {
        row(i, made);
        return true;
    });
}
