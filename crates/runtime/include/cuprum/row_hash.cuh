// Hashes of rows of columns without nesting: how a row's hash follows from the values of its columns.
#pragma once
#include "cuprum/value_bytes.cuh"

// Hashes of 32 bits are computed with the same seed for each value and combined; `of` is the hash of one.
template <typename Of>
struct Combining {
    using Hash = u32;
    static constexpr bool ONE_ZERO = true;

    static Hash start(u32 seed) { return seed; }
    template <typename Value>
    static Hash add(Hash before, bool is_first, Value value, u32 seed) {
        return combined(before, is_first, Of::of(value, seed));
    }
    static Hash add_null(Hash before, bool is_first) { return combined(before, is_first, 0xffffffffu); }
    static Hash combined(Hash before, bool is_first, u32 next) {
        return is_first ? next : combine_hashes(before, next);
    }
    static Hash load(const u32* out, const u32*, u64 row) { return out[row]; }
    static void store(Hash hash, u32* out, u32*, u64 row) { out[row] = hash; }
};

struct Murmur3 : Combining<Murmur3> {
    template <typename Bytes>
    static u32 of(const Bytes& bytes, u32 seed) {
        return murmur3_x86_32(bytes, seed);
    }
};

struct XxHash32 : Combining<XxHash32> {
    template <typename Bytes>
    static u32 of(const Bytes& bytes, u32 seed) {
        return xxhash_32(bytes, seed);
    }
};

// The values themselves: integers are cut to 32 bits, floats lose their fraction and stop at the ends.
struct Identity : Combining<Identity> {
    template <typename T>
    static u32 of(T value, u32) {
        if constexpr (IS_FLOAT<T>) {
            if (!(value > 0)) return 0;
            return value >= T(4294967295.0) ? 0xffffffffu : u32(value);
        } else {
            return u32(value);
        }
    }
};

// Hashes of 64 and of 128 bits are the next value's seed.
struct XxHash64 {
    using Hash = u64;
    static constexpr bool ONE_ZERO = false;

    static Hash start(u64 seed) { return seed; }
    template <typename Bytes>
    static Hash add(Hash before, bool, const Bytes& bytes, u64) {
        return xxhash_64(bytes, before);
    }
    static Hash add_null(Hash, bool) { return ~0ull; }
    static Hash load(const u64* out, const u64*, u64 row) { return out[row]; }
    static void store(Hash hash, u64* out, u64*, u64 row) { out[row] = hash; }
};

struct Murmur3Wide {
    using Hash = Hash128;
    static constexpr bool ONE_ZERO = false;

    static Hash start(u64 seed) { return {seed, 0}; }
    template <typename Bytes>
    static Hash add(Hash before, bool, const Bytes& bytes, u64) {
        return murmur3_x64_128(bytes, before.low);
    }
    static Hash add_null(Hash, bool) { return {~0ull, ~0ull}; }
    static Hash load(const u64* out, const u64* out_high, u64 row) { return {out[row], out_high[row]}; }
    static void store(Hash hash, u64* out, u64* out_high, u64 row) {
        out[row] = hash.low;
        out_high[row] = hash.high;
    }
};

// Numbers as they are, for Identity.
template <typename F>
void with_numbers(const ColumnDeviceView& view, F f) {
    switch (view.type_id) {
        case INT8: return f([&](u64 row) { return view.value<i8>(row); });
        case INT16: return f([&](u64 row) { return view.value<i16>(row); });
        case UINT16: return f([&](u64 row) { return view.value<u16>(row); });
        case INT32:
        case UINT32: return f([&](u64 row) { return view.value<u32>(row); });
        case INT64:
        case UINT64: return f([&](u64 row) { return view.value<u64>(row); });
        case FLOAT32: return f([&](u64 row) { return view.value<f32>(row); });
        case FLOAT64: return f([&](u64 row) { return view.value<f64>(row); });
        default: return f([&](u64 row) { return view.value<u8>(row); });
    }
}

// Adds columns [first, end) to the hashes of ITEMS of n rows, which are `step` apart from `begin` on. The
// hashes are continued unless `is_first`.
template <typename F, u32 ITEMS, typename Word>
__forceinline__ void add_columns(const ColumnDeviceView* columns, u32 first, u32 end, u64 begin, u32 step, u64 n, Word seed,
                 bool is_first, typename F::Hash (&hashes)[ITEMS]) {
    for (u32 c = first; c < end; ++c) {
        const ColumnDeviceView view = columns[c];
        // A copy and no reference to one of two, so that its fields are in registers.
        ColumnDeviceView values = view;
        if (view.type_id == DICTIONARY32) values = view.child(1);
        const bool starts = is_first && c == first;
        bool is_value[ITEMS];
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            const u64 row = begin + r * step;
            is_value[r] = row < n && view.is_valid(row);
            if (row < n && !is_value[r]) hashes[r] = F::add_null(hashes[r], starts);
        }
        const auto add = [&](auto value) {
#pragma unroll
            for (u32 r = 0; r < ITEMS; ++r) {
                if (!is_value[r]) continue;
                const u64 row = row_of_value(view, begin + r * step);
                hashes[r] = F::add(hashes[r], starts, value(row), seed);
            }
        };
        if constexpr (IS_SAME<F, Identity>) {
            with_numbers(view, add);
        } else {
            with_bytes<F::ONE_ZERO>(values, add);
        }
    }
}
