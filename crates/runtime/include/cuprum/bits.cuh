// Bits of masks: words of 32, the least significant bit first.
#pragma once
#include "cuprum/block.cuh"
#include "cuprum/pack.cuh"

// Whether bit `i` is set; every bit is where there are none.
inline bool is_set(const u8* bits, u64 i) { return bits == nullptr || (bits[i / 8] >> i % 8 & 1) != 0; }

// Ones at the positions of [begin, end) that are among the 32 from `first` on.
inline u32 ones_between(u64 begin, u64 end, u64 first) {
    const u64 from = begin > first ? begin - first : 0;
    const u64 to = end > first ? end - first : 0;
    if (from >= 32 || from >= to) return 0;
    return (~0u << from) & (to < 32 ? (1u << to) - 1 : ~0u);
}

// The 32 bits from bit `at` on of the words [first_word, last_word]. Bits of other words are 0, also of
// those before the first: `at` may be negative.
__forceinline__ u32 bits_at(const u32* words, i64 first_word, i64 last_word, i64 at) {
    const i64 word = at >> 5;
    const u32 shift = u32(at) & 31;
    u32 bits = first_word <= word && word <= last_word ? words[word] >> shift : 0;
    if (shift != 0 && first_word <= word + 1 && word + 1 <= last_word) bits |= words[word + 1] << (32 - shift);
    return bits;
}

// The same for 128 bits, read 16 bytes at a time.
__forceinline__ Pack<u32> pack_of_bits_at(const u32* words, i64 first_word, i64 last_word, i64 at) {
    Pack<u32> pack;
    const u32 shift = u32(at) & 31;
    const u32 misplaced = u32(u64(words) / 4 + u64(at >> 5)) & 3;
    const i64 aligned = (at >> 5) - misplaced;
    if (aligned < first_word || aligned + 7 > last_word) {
#pragma unroll
        for (u32 k = 0; k < 4; ++k) pack.items[k] = bits_at(words, first_word, last_word, at + k * 32);
        return pack;
    }
    const Word16* const from = reinterpret_cast<const Word16*>(words + aligned);
    const Word16 low = from[0];
    Word16 high = {};
    if (misplaced != 0 || shift != 0) high = from[1];
    u32 own[8] = {low.parts[0],  low.parts[1],  low.parts[2],  low.parts[3],
                  high.parts[0], high.parts[1], high.parts[2], high.parts[3]};
    // Indexed by constants, to stay in registers.
#pragma unroll
    for (u32 step = 2; step > 0; step /= 2) {
        if ((misplaced & step) != 0) {
#pragma unroll
            for (u32 k = 0; k + step < 8; ++k) own[k] = own[k + step];
        }
    }
#pragma unroll
    for (u32 k = 0; k < 4; ++k) pack.items[k] = u32((u64(own[k + 1]) << 32 | own[k]) >> shift);
    return pack;
}

// Sets bits that were 0 at places of their own, one for each lane with `is_set`. Places that follow each
// other from lane to lane become one write for each word. All lanes take part; those without a place give
// `exists` as false.
template <typename Place>
__forceinline__ void set_bits_in_runs(u32* words, Place place, bool exists, bool is_set) {
    const u32 bits = __ballot_sync(ALL_LANES, exists && is_set);
    const Place previous = __shfl_up_sync(ALL_LANES, place, 1);
    const bool is_first = lane_id() == 0 || !exists || place != previous + 1 || place % 32 == 0;
    const u32 later_firsts = __ballot_sync(ALL_LANES, is_first) & ~((2u << lane_id()) - 1);
    const u32 len = (later_firsts != 0 ? __ffs(later_firsts) - 1 : WARP) - lane_id();
    if (!is_first) return;
    if (len == WARP) {
        // A whole word, which nobody else writes.
        words[place / 32] = bits;
        return;
    }
    const u32 of_run = bits >> lane_id() & ((1u << len) - 1);
    if (of_run != 0) atomicOr(words + place / 32, of_run << place % 32);
}
