// Codes of values, texts, structs and lists. See `list_keys/mod.rs`.
#include "cuprum/order.cuh"
#include "cuprum/texts.cuh"

constexpr u8 END = 0x00, VALUE = 0x20;

// The least value of a type that is stored as T, in its ordered form.
template <typename T>
constexpr u64 least_ordered() {
    if constexpr (IS_FLOAT<T>) {
        return sizeof(T) == 4 ? 0x007fffffull : 0x000fffffffffffffull;  // of -infinity
    } else {
        return IS_SIGNED<T> ? (1ull << 63) - (1ull << (8 * sizeof(T) - 1)) : 0;
    }
}

// The code of a value of so many bytes: seven bits in each byte, the highest first.
template <typename Out>
void put_code(Out& out, u64 high, u64 low, u32 size) {
    const u32 septets = (8 * size + 6) / 7;
    for (u32 i = septets; i-- > 0;) {
        const u32 at = 7 * i;
        u64 bits = at < 64 ? low >> at : high >> (at - 64);
        if (at < 64 && at > 57) bits |= high << (64 - at);
        out.put(u8((bits & 0x7f) | (i + 1 == septets ? VALUE : 0)));
    }
}

// The codes of values of a fixed width. Where `missing` is 0, missing ones are null.
__global__ void __launch_bounds__(THREADS)
    codes_of_values(ColumnDeviceView column, bool is_nan_missing, u8 missing, i32* narrow, u64* wide, u8* bytes,
                    u32* validity) {
    __shared__ Stage<STAGE> stage;
    const u64 row = u64(blockIdx.x) * THREADS + threadIdx.x;
    make_row<THREADS>({narrow, wide, bytes, validity}, column.len, row < column.len, stage, [&](auto& out) {
        bool is_there = column.is_valid(row);
        if (is_there) {
            with_stored(column.type_id, [&](auto type) {
                using T = decltype(type);
                const T value = column.value<T>(row);
                if constexpr (IS_SAME<T, Decimal128>) {
                    put_code(out, u64(value.high) ^ 1ull << 63, value.low, 16);
                } else if (column.type_id == BOOL8) {
                    put_code(out, 0, u64(value != 0), 1);
                } else if (!is_nan(value)) {
                    put_code(out, 0, ordered(value) - least_ordered<T>(), sizeof(T));
                } else if (is_nan_missing) {
                    is_there = false;
                } else {
                    const u64 nan = sizeof(T) == 4 ? 0xffffffffull : ~0ull;
                    put_code(out, 0, nan - least_ordered<T>(), sizeof(T));
                }
            });
        }
        if (!is_there && missing != 0) out.put(missing);
        return is_there || missing != 0;
    });
}

// The codes of texts.
__global__ void __launch_bounds__(THREADS)
    codes_of_texts(TextsDeviceView column, u8 missing, i32* narrow, u64* wide, u8* bytes, u32* validity) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    for_each_text<THREADS>(column, in_stage, [&](u64, bool exists, bool is_valid, StringView text) {
        make_row<THREADS>({narrow, wide, bytes, validity}, column.len, exists, out_stage, [&](auto& out) {
            if (!is_valid) {
                if (missing != 0) out.put(missing);
                return missing != 0;
            }
            out.put(VALUE);
            for (u64 i = 0; i < text.size; ++i) {
                const u8 byte = text.bytes[i];
                if (byte < 2) out.put(u8(1));
                out.put(byte < 2 ? u8(byte + 2) : byte);
            }
            out.put(END);
            return true;
        });
    });
}

// The codes of structs or lists, the first of the columns, from those of their fields or elements, which follow; without
// what is around a code they are keys.
__global__ void __launch_bounds__(THREADS)
    joined_codes(const ColumnDeviceView* columns, u32 num_parts, bool is_key, u8 missing, i32* narrow, u64* wide,
                 u8* bytes, u32* validity) {
    __shared__ Stage<STAGE> stage;
    const ColumnDeviceView& column = columns[0];
    const u64 row = u64(blockIdx.x) * THREADS + threadIdx.x;
    make_row<THREADS>({narrow, wide, bytes, validity}, column.len, row < column.len, stage, [&](auto& out) {
        if (!column.is_valid(row)) {
            if (!is_key && missing != 0) out.put(missing);
            return missing != 0;
        }
        const bool is_list = column.type_id == LIST;
        u64 first = row, end = row + 1;
        if (is_list) {
            // Offsets stay within the elements, unless others write to them meanwhile.
            const u64 before = column.start(0), most = columns[1].len;
            first = column.start(row) - before;
            end = column.start(row + 1) - before;
            end = end < most ? end : most;
        }
        if (!is_key) out.put(VALUE);
        bool is_whole = true;
        for (u32 p = 1; p <= num_parts; ++p) {
            const ColumnDeviceView& part = columns[p];
            if (missing == 0 && part.mask_address != 0) {
                for (u64 i = first; i < end; ++i) is_whole = is_whole && part.is_valid(i);
            }
            if (first >= end) continue;
            const u64 from = part.start(first);
            out.put(StringView{reinterpret_cast<const u8*>(part.data_address) + from, part.start(end) - from});
        }
        if (!is_key && is_list) out.put(END);
        return is_whole;
    });
}
