// The groups of rows, for kernels that add up by group. THREADS comes from those who include this.
#pragma once
#include "cuprum/column.cuh"
#include "cuprum/operators.cuh"

constexpr u32 NONE = ~0u;

// By numbers that were written down; without ids all rows are of group 0.
struct NumberedRows {
    typedef u32 Key;
    const u32* ids;

    __forceinline__ explicit NumberedRows(const u32* ids) : ids(ids) {}
    __forceinline__ u32 key(u64 row) const { return ids == nullptr ? 0 : ids[row]; }
    __forceinline__ u32 group(u32 key, u64) const { return key; }
};

// By codes: keys of 4 or 8 bytes, counted from the least; the codes below `bound` are groups. Most of these
// are known; for each of the others a word has its first row, else NONE. So an accumulation by codes needs no
// pass over the keys to know which there are.
template <typename K>
struct CodedRows {
    typedef K Key;
    const K* keys;
    K least;
    u32 bound;
    const u32* known;  // a bit for each code
    u32* first_rows;
    bool is_outside, is_late;

    __forceinline__ CodedRows(const ColumnDeviceView& column, u64 least, u32 bound, const u32* known, u32* first_rows)
        : keys(reinterpret_cast<const K*>(column.data_address) + column.offset), least(K(least)), bound(bound),
          known(known), first_rows(first_rows), is_outside(false), is_late(false) {}
    // With the known codes in `bits` of shared memory; a barrier follows before rows are looked at.
    __forceinline__ void hold_known(u32* bits) {
        for (u32 i = threadIdx.x; i < (bound + 31) / 32; i += THREADS) bits[i] = known[i];
        known = bits;
    }
    __forceinline__ K key(u64 row) const { return keys[row]; }
    __forceinline__ u32 group(K key, u64 row) {
        const K code = key - least;
        if (code >= bound) {
            is_outside = true;
            return NONE;
        }
        if ((known[u32(code) / 32] >> u32(code) % 32 & 1) == 0) {
            is_late = true;
            u32* const first = first_rows + u32(code);
            if (*reinterpret_cast<const volatile u32*>(first) > u32(row)) atomicMin(first, u32(row));
        }
        return u32(code);
    }
    // Sets the first word where a key is no group, and the second where one was not known.
    __forceinline__ void tell(u32* told) const {
        if (is_outside) atomicOr(told, 1u);
        if (is_late) atomicOr(told + 1, 1u);
    }
};
