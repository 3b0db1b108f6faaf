// Hashes of rows. THREADS and ROWS come from the declaration in cuda.rs: a block has THREADS threads, each
// of which has ROWS rows in flight.
#include "cuprum/row_hash.cuh"

// ---- columns without nesting -------------------------------------------------------------------------

// Columns [first, end) of n rows. The hashes in `out` are continued unless `is_first`.
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
    add_columns<F, ROWS>(columns, first, end, begin, THREADS, n, seed, is_first != 0, hashes);
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
