// Hashes of rows. THREADS and ROWS come from the declaration in cuda.rs: a block has THREADS threads, each
// of which has ROWS rows in flight.
#include "cuprum/value_bytes.cuh"

// ---- the functions: how a row's hash follows from its columns' values --------------------------------

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
        constexpr bool is_float = T(0.5) != T(0);
        if constexpr (is_float) {
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

// ---- columns without nesting -------------------------------------------------------------------------

// Columns [first, end) of n rows. What is in `out` counts unless `is_first`.
template <typename F, typename Word>
__global__ void __launch_bounds__(THREADS)
    hash_rows(const ColumnDeviceView* columns, u32 first, u32 end, u64 n, Word seed, u32 is_first, Word* out,
              Word* out_high) {
    const u64 begin = u64(blockIdx.x) * THREADS * ROWS + threadIdx.x;
    typename F::Hash hashes[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; ++r) {
        const u64 row = begin + r * THREADS;
        hashes[r] = F::start(seed);
        if (!is_first && row < n) hashes[r] = F::load(out, out_high, row);
    }
    for (u32 c = first; c < end; ++c) {
        const ColumnDeviceView view = columns[c];
        const bool starts = is_first && c == first;
        bool is_value[ROWS];
#pragma unroll
        for (u32 r = 0; r < ROWS; ++r) {
            const u64 row = begin + r * THREADS;
            is_value[r] = row < n && view.is_valid(row);
            if (row < n && !is_value[r]) hashes[r] = F::add_null(hashes[r], starts);
        }
        const auto add = [&](auto value) {
#pragma unroll
            for (u32 r = 0; r < ROWS; ++r) {
                if (!is_value[r]) continue;
                const u64 row = row_of_value(view, begin + r * THREADS);
                hashes[r] = F::add(hashes[r], starts, value(row), seed);
            }
        };
        if constexpr (IS_SAME<F, Identity>) {
            with_numbers(view, add);
        } else {
            with_bytes<F::ONE_ZERO>(values_of(view), add);
        }
    }
#pragma unroll
    for (u32 r = 0; r < ROWS; ++r) {
        const u64 row = begin + r * THREADS;
        if (row < n) F::store(hashes[r], out, out_high, row);
    }
}

// ---- branches of nested columns ----------------------------------------------------------------------

// Calls `f(row, is_valid)` in order for each element of level `stop` that a row of level 0 reaches; the
// level behind the last one is that of the leaf. Nothing is reached through a null list, and what is in a
// null struct is null.
template <typename F>
void visit_level(const ColumnDeviceView* levels, u32 num_levels, u32 stop, u64 row, F f) {
    u64 at[MAX_LEVELS + 1], end[MAX_LEVELS + 1];
    bool parent_is_valid[MAX_LEVELS + 1];
    u32 l = 0;
    at[0] = row;
    end[0] = row + 1;
    parent_is_valid[0] = true;
    for (;;) {
        if (at[l] == end[l]) {
            if (l == 0) return;
            --l;
            continue;
        }
        const u64 i = at[l]++;
        const bool is_valid = parent_is_valid[l] && (l == num_levels || levels[l].is_valid(i));
        if (l == stop) {
            f(i, is_valid);
            continue;
        }
        const ColumnDeviceView& level = levels[l];
        if (level.type_id != LIST) {
            ++l;
            at[l] = i;
            end[l] = i + 1;
            parent_is_valid[l] = is_valid;
        } else if (is_valid) {
            // The next level begins with the first element of the first list.
            const u64 base = level.start(0);
            ++l;
            at[l] = level.start(i) - base;
            end[l] = level.start(i + 1) - base;
            parent_is_valid[l] = true;
        }
    }
}

// One branch: the lists and structs on the way to a leaf, of whose values `leaves` has the hashes; null
// where the branch ends with a struct. Levels before `first_counted` belong to an earlier branch: of
// those only lists count, as if they were valid.
template <typename F>
__global__ void __launch_bounds__(THREADS)
    hash_branch(const ColumnDeviceView* columns, u32 first_level, u32 num_levels, u32 first_counted,
                u32 has_nulls, const u32* leaves, u64 n, u32 is_first, u32* out) {
    const u64 row = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (row >= n) return;
    const ColumnDeviceView* levels = columns + first_level;
    u32 hash = 0;
    bool is_nested = false;
    for (u32 l = 0; l < num_levels; ++l) {
        const bool is_counted = l >= first_counted;
        const bool is_list = levels[l].type_id == LIST;
        if (!is_counted && !is_list) continue;
        is_nested = true;
        if (has_nulls) {
            visit_level(levels, num_levels, l, row, [&](u64, bool is_valid) {
                hash = combine_hashes(hash, is_counted && !is_valid ? 0xffffffffu : 0);
            });
        }
        if (is_list) {
            visit_level(levels, num_levels, l, row, [&](u64 i, bool is_valid) {
                const u64 size = is_valid ? levels[l].start(i + 1) - levels[l].start(i) : 0;
                hash = combine_hashes(hash, F::of(FixedBytes<4>{u32(size), 0}, 0));
            });
        }
    }
    if (leaves != nullptr) {
        visit_level(levels, num_levels, num_levels, row, [&](u64 i, bool is_valid) {
            const u32 next = is_valid ? leaves[i] : 0xffffffffu;
            hash = is_nested ? combine_hashes(hash, next) : next;
        });
    }
    out[row] = is_first ? hash : combine_hashes(out[row], hash);
}
