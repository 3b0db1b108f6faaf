// Columns of any nesting, as kernels see them: `ColumnDeviceView` of the crate `column`, whose layout is
// compared with this one when a kernel that takes views is compiled.
#pragma once
#include "cuprum/types.cuh"

// Data types by number; those of timestamps, durations and decimals give only the stored type.
enum TypeId : i32 {
    EMPTY = 0,
    INT8 = 1,
    INT16 = 2,
    INT32 = 3,
    INT64 = 4,
    UINT8 = 5,
    UINT16 = 6,
    UINT32 = 7,
    UINT64 = 8,
    FLOAT32 = 9,
    FLOAT64 = 10,
    BOOL8 = 11,
    TIMESTAMP_DAYS = 12,
    TIMESTAMP_SECONDS = 13,
    TIMESTAMP_MILLISECONDS = 14,
    TIMESTAMP_MICROSECONDS = 15,
    TIMESTAMP_NANOSECONDS = 16,
    DURATION_DAYS = 17,
    DURATION_SECONDS = 18,
    DURATION_MILLISECONDS = 19,
    DURATION_MICROSECONDS = 20,
    DURATION_NANOSECONDS = 21,
    DICTIONARY32 = 22,
    STRING = 23,
    LIST = 24,
    DECIMAL32 = 25,
    DECIMAL64 = 26,
    DECIMAL128 = 27,
    STRUCT = 28,
};

// The bytes of a string.
struct StringView {
    const u8* bytes;
    u64 size;
};

// Rows are counted from the first of the view. Addresses are numbers, so that Rust can declare them.
struct ColumnDeviceView {
    u64 data_address;      // the values, or the characters of strings
    u64 mask_address;      // 0 where there is no mask
    u64 children_address;  // of the first of the children's views, which lie side by side
    u64 offset;            // where in the data, the mask and the children the first row is
    u64 len;
    u64 num_children;
    i32 type_id;
    i32 scale;  // of decimals

    // Whether the row is not null.
    bool is_valid(u64 row) const {
        if (mask_address == 0) return type_id != EMPTY;
        const u64 bit = offset + row;
        return reinterpret_cast<const u8*>(mask_address)[bit / 8] >> bit % 8 & 1;
    }

    // The stored value of a row of fixed width.
    template <typename T>
    T value(u64 row) const {
        return reinterpret_cast<const T*>(data_address)[offset + row];
    }

    const ColumnDeviceView& child(u64 i) const {
        return reinterpret_cast<const ColumnDeviceView*>(children_address)[i];
    }

    // The offset of the row among the characters of strings, or the rows of child 1 of lists; that of the row
    // behind the last one is its end.
    u64 start(u64 row) const {
        const ColumnDeviceView& offsets = child(0);
        const u64 i = offset + row;
        return offsets.type_id == INT32 ? u64(offsets.value<i32>(i)) : u64(offsets.value<i64>(i));
    }

    StringView string(u64 row) const {
        const u64 first = start(row);
        return {reinterpret_cast<const u8*>(data_address) + first, start(row + 1) - first};
    }

    // The row of a struct's fields, and of a dictionary's indices, that belongs to a row.
    u64 row_of_children(u64 row) const { return offset + row; }

    // The row of a dictionary's keys, child 1, that a valid row stands for.
    u64 key(u64 row) const {
        const ColumnDeviceView& indices = child(0);
        const u64 i = row_of_children(row);
        switch (indices.type_id) {
            case UINT8: return indices.value<u8>(i);
            case UINT16: return indices.value<u16>(i);
            case UINT32: return indices.value<u32>(i);
            default: return indices.value<u64>(i);
        }
    }
};

// A column of texts: `TextsDeviceView` of the crate `column`.
struct TextsDeviceView {
    u64 bytes_address;    // of all rows
    u64 offsets_address;  // of the first row's
    u64 mask_address;     // 0 where there is no mask
    u64 first_bit;        // of the mask
    u64 len;
    u64 is_wide;          // whether offsets have 64 bits

    bool is_valid(u64 row) const {
        if (mask_address == 0) return true;
        const u64 bit = first_bit + row;
        return reinterpret_cast<const u8*>(mask_address)[bit / 8] >> bit % 8 & 1;
    }

    // Where the row begins among the bytes; that of the row behind the last one is its end.
    u64 start(u64 row) const {
        if (is_wide) return u64(reinterpret_cast<const i64*>(offsets_address)[row]);
        return u64(reinterpret_cast<const i32*>(offsets_address)[row]);
    }

    StringView string(u64 row) const {
        const u64 first = start(row);
        return {reinterpret_cast<const u8*>(bytes_address) + first, start(row + 1) - first};
    }
};

// A decimal of 128 bits as it is stored.
struct __align__(16) Decimal128 {
    u64 low;
    i64 high;
};

// Calls `f(T())` with the type that the values of a column are stored as; not for text.
template <typename F>
__forceinline__ void with_stored(i32 type_id, F f) {
    switch (type_id) {
        case INT8: return f(i8());
        case UINT8:
        case BOOL8: return f(u8());
        case INT16: return f(i16());
        case UINT16: return f(u16());
        case INT32:
        case TIMESTAMP_DAYS:
        case DURATION_DAYS:
        case DECIMAL32: return f(i32());
        case UINT32: return f(u32());
        case UINT64: return f(u64());
        case FLOAT32: return f(f32());
        case FLOAT64: return f(f64());
        case DECIMAL128: return f(Decimal128());
        default: return f(i64());
    }
}

// A number of up to 64 bits as a float; 0 for others.
inline f64 number_at(const ColumnDeviceView& column, u64 row) {
    f64 value = 0;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        if constexpr (sizeof(T) <= 8) value = f64(column.value<T>(row));
    });
    return value;
}

// An integer of up to 64 bits: its two's complement, with its sign; 0 for others.
inline u64 integer_at(const ColumnDeviceView& column, u64 row) {
    u64 value = 0;
    with_stored(column.type_id, [&](auto type) {
        using T = decltype(type);
        if constexpr (sizeof(T) <= 8) value = u64(i64(column.value<T>(row)));
    });
    return value;
}
