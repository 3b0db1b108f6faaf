// The hashed bytes of the values of columns: the numbers as they are stored, least significant byte first,
// and the bytes of text.
#pragma once
#include "cuprum/column.cuh"
#include "cuprum/hash.cuh"

// Every NaN is one; the two zeros are one where `ONE_ZERO` says so.
template <bool ONE_ZERO, typename T>
FixedBytes<sizeof(T)> bytes_of(T value) {
    u64 bits = 0;
    memcpy(&bits, &value, sizeof(T));
    if constexpr (IS_FLOAT<T>) {
        if (value != value) bits = sizeof(T) == 4 ? 0x7fc00000ull : 0x7ff8000000000000ull;
        if (ONE_ZERO && value == 0) bits = 0;
    }
    return {bits, 0};
}

// Calls `f` with a function from rows to the bytes of their values, as fits the type of the column; not
// for lists and structs. To be the same for all threads of a warp, so that they go one way.
template <bool ONE_ZERO, typename F>
__forceinline__ void with_bytes(const ColumnDeviceView& view, F f) {
    switch (view.type_id) {
        case INT8:
        case UINT8:
        case BOOL8: return f([&](u64 row) { return bytes_of<ONE_ZERO>(view.value<u8>(row)); });
        case INT16:
        case UINT16: return f([&](u64 row) { return bytes_of<ONE_ZERO>(view.value<u16>(row)); });
        case INT32:
        case UINT32:
        case TIMESTAMP_DAYS:
        case DURATION_DAYS:
        case DECIMAL32: return f([&](u64 row) { return bytes_of<ONE_ZERO>(view.value<u32>(row)); });
        case FLOAT32: return f([&](u64 row) { return bytes_of<ONE_ZERO>(view.value<f32>(row)); });
        case FLOAT64: return f([&](u64 row) { return bytes_of<ONE_ZERO>(view.value<f64>(row)); });
        case STRING:
            return f([&](u64 row) {
                const StringView string = view.string(row);
                return MemoryBytes{string.bytes, string.size};
            });
        case DECIMAL128: return f([&](u64 row) { return view.value<FixedBytes<16>>(row); });
        case EMPTY: return;
        default: return f([&](u64 row) { return bytes_of<ONE_ZERO>(view.value<u64>(row)); });
    }
}

// The column that holds the values: a dictionary's keys, or the column itself.
inline const ColumnDeviceView& values_of(const ColumnDeviceView& view) {
    return view.type_id == DICTIONARY32 ? view.child(1) : view;
}

// The row of `values_of(view)` with the value of a row that is not null.
inline u64 row_of_value(const ColumnDeviceView& view, u64 row) {
    return view.type_id == DICTIONARY32 ? view.key(row) : row;
}
