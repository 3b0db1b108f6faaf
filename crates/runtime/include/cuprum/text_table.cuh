// A table of texts: the number of the first row that has a text.
//
// It has open addressing, row numbers in its slots and -1 in free ones; less than half of it is taken.
#pragma once
#include "cuprum/characters.cuh"
#include "cuprum/hash.cuh"

constexpr i32 NO_ROW = -1;

struct TextTable {
    const TextsDeviceView& texts;
    const i32* slots;
    u64 num_slots;  // a power of two

    static u64 hash(StringView text) { return murmur3_x86_32(MemoryBytes{text.bytes, text.size}, 0); }

    // The row of a text; NO_ROW where there is none.
    i32 find(StringView text) const {
        return find(hash(text), [=](StringView other) { return equal_texts(text, other); });
    }

    // The row of the text with a hash that `is_equal` holds for.
    template <typename Equal>
    i32 find(u64 hash, Equal is_equal) const {
        for (u64 slot = hash & (num_slots - 1);; slot = (slot + 1) & (num_slots - 1)) {
            const i32 row = slots[slot];
            if (row == NO_ROW || is_equal(texts.string(u64(row)))) return row;
        }
    }
};

// Enters a row. Those with the same text meet in one slot, where the first of them stays.
inline void enter_text(const TextsDeviceView& texts, i32* slots, u64 num_slots, i32 row) {
    const StringView text = texts.string(u64(row));
    for (u64 slot = TextTable::hash(text) & (num_slots - 1);; slot = (slot + 1) & (num_slots - 1)) {
        const i32 there = atomicCAS(&slots[slot], NO_ROW, row);
        if (there == NO_ROW) return;
        if (equal_texts(texts.string(u64(there)), text)) {
            atomicMin(&slots[slot], row);
            return;
        }
    }
}
