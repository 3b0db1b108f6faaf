// Runs of characters of one text, which the lanes of a warp look at side by side.
#pragma once
#include "cuprum/block.cuh"
#include "cuprum/characters.cuh"

// The run of `width` characters that begins at a byte of a text; of a shorter text, unless it is empty, the whole. False
// where none begins there.
inline bool run_at(StringView text, u64 at, u64 width, StringView& run) {
    if (at >= text.size || !begins_character(text.bytes[at])) return false;
    // Others cannot have as many characters.
    const bool is_first = at == 0;
    if (width > text.size - at && !is_first) return false;
    u64 end = at, count = 0;
    for (; count < width && end < text.size; ++count) end += character_at(text.bytes + end).size;
    if (count < width && !is_first) return false;
    run = {text.bytes + at, end - at};
    return true;
}

// The lanes before this one.
inline u32 lanes_before() { return (1u << lane_id()) - 1; }

// The number of characters of a text, for all lanes of a warp.
inline u64 warp_count_characters(StringView text) {
    u64 count = 0;
    for (u64 base = 0; base < text.size; base += WARP) {
        const u64 at = base + lane_id();
        count += __popc(__ballot_sync(ALL_LANES, at < text.size && begins_character(text.bytes[at])));
    }
    return count;
}
