// Prefixes over all tiles of a launch in one pass: decoupled look-back (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
//
// A tile publishes its own aggregate at once, and its inclusive prefix as soon as it knows it. To know
// it, a warp looks at the 32 tiles before, adds up aggregates back to the nearest prefix, and waits
// only for tiles that have published nothing yet. Such tiles run already, because tile numbers come from an
// atomic ticket.
//
// A value and its status travel in the same word, half a value of 8 bytes in each of two words, so that
// no fence has to order them: fences took most of the time of a scan.
#pragma once
#include "cuprum/block.cuh"

enum TileStatus : u32 { TILE_EMPTY = 0, TILE_AGGREGATE = 1, TILE_PREFIX = 2 };

// Words that a tile publishes values of a type with; 0 before the launch.
template <typename T>
constexpr u32 TILE_WORDS = sizeof(T) <= 4 ? 1 : 2;

// The next tile's number, the same for all threads of a block. `ticket` was 0 before the launch.
inline u64 next_tile(u64* ticket) {
    __shared__ u64 tile;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1ull);
    __syncthreads();
    return tile;
}

template <typename T>
struct Published {
    u32 status;
    T value;
};

// The words are polled on purpose while another block writes them, therefore `volatile`.
template <typename T>
void publish(u64* words, u64 tile, TileStatus status, T value) {
    volatile u64* at = words + tile * TILE_WORDS<T>;
    u64 bits = 0;
    memcpy(&bits, &value, sizeof(T));
#pragma unroll
    for (u32 w = 0; w < TILE_WORDS<T>; ++w) at[w] = u64(status) << 32 | u32(bits >> 32 * w);
}

// The published state of a tile; nothing where one of its words is newer than the other.
template <typename T>
Published<T> published(const u64* words, u64 tile) {
    const volatile u64* at = words + tile * TILE_WORDS<T>;
    const u64 low = at[0];
    const u64 high = TILE_WORDS<T> == 2 ? at[TILE_WORDS<T> - 1] : low;
    const u64 bits = TILE_WORDS<T> == 2 ? high << 32 | u32(low) : low;
    Published<T> found;
    found.status = low >> 32 == high >> 32 ? u32(low >> 32) : u32(TILE_EMPTY);
    memcpy(&found.value, &bits, sizeof(T));
    return found;
}

// Publishes the aggregate of a tile; to be called by one thread, before the look-back of the tile.
template <typename T>
void publish_aggregate(u64* words, u64 tile, T aggregate) {
    publish(words, tile, tile == 0 ? TILE_PREFIX : TILE_AGGREGATE, aggregate);
}

// All tiles before `tile`, combined; the result is the same in all lanes. To be called by one warp, once
// the aggregate is published.
template <typename T, typename Op>
T look_back(u64 tile, T aggregate, T identity, Op op, u64* words) {
    T before = identity;
    for (u64 end = tile; end > 0;) {
        // Lane 0 looks at the nearest tile.
        const bool exists = lane_id() < end;
        Published<T> found = {TILE_PREFIX, identity};
        for (;;) {
            if (exists) found = published<T>(words, end - 1 - lane_id());
            if (__all_sync(ALL_LANES, found.status != TILE_EMPTY)) break;
            __nanosleep(20);
        }
        const u32 with_prefix = __ballot_sync(ALL_LANES, exists && found.status == TILE_PREFIX);
        const u32 farthest = with_prefix != 0 ? __ffs(with_prefix) - 1 : WARP - 1;
        T value = exists && lane_id() <= farthest ? found.value : identity;
#pragma unroll
        for (u32 offset = 1; offset < WARP; offset *= 2) {
            // Higher lanes hold earlier tiles.
            const T earlier = __shfl_down_sync(ALL_LANES, value, offset);
            if (lane_id() + offset < WARP) value = op(earlier, value);
        }
        before = op(T(__shfl_sync(ALL_LANES, value, 0)), before);
        if (with_prefix != 0) break;
        end = end > WARP ? end - WARP : 0;
    }
    if (lane_id() == 0 && tile != 0) publish(words, tile, TILE_PREFIX, op(before, aggregate));
    return before;
}

// ---- In an order that the number of tiles alone decides ----------------------------------------------------
//
// The nearest prefix is another one at each run, and with it the order in which floats are added. Here tiles stand in
// groups of 32, and these in blocks of 32 groups; a tile adds up the aggregates before it in its group, those of the
// groups before in their block, and the prefix of the block, and nothing else. So it waits a little longer.

// `words` has TILE_WORDS for each tile, each group and each block, begun ones too, and one block more; `OrderedTiles` in
// primitives/cuda.rs makes them.
constexpr u64 GROUP_TILES = WARP, BLOCK_TILES = WARP * WARP;

// Up to 32 published values side by side, combined from the first to the last; the result is the same in all lanes.
template <typename T, typename Op>
T published_in_order(const u64* words, u64 first, u32 count, T identity, Op op) {
    T value = identity;
    const bool exists = lane_id() < count;
    for (;;) {
        const Published<T> found =
            exists ? published<T>(words, first + lane_id()) : Published<T>{TILE_PREFIX, identity};
        if (__all_sync(ALL_LANES, found.status != TILE_EMPTY)) {
            value = found.value;
            break;
        }
        __nanosleep(20);
    }
#pragma unroll
    for (u32 offset = 1; offset < WARP; offset *= 2) {
        const T later = __shfl_down_sync(ALL_LANES, value, offset);
        if (lane_id() + offset < WARP) value = op(value, later);
    }
    return __shfl_sync(ALL_LANES, value, 0);
}

// All tiles before `tile` of `num_tiles`, combined; the result is the same in all lanes. To be called by one warp.
template <typename T, typename Op>
T look_back_in_order(u64 tile, u64 num_tiles, T aggregate, T identity, Op op, u64* words) {
    u64* const groups = words + num_tiles * TILE_WORDS<T>;
    u64* const blocks = groups + (num_tiles / GROUP_TILES + 1) * TILE_WORDS<T>;
    const u64 group = tile / GROUP_TILES, block = tile / BLOCK_TILES;
    if (lane_id() == 0) publish(words, tile, TILE_AGGREGATE, aggregate);
    const T in_group =
        published_in_order(words, group * GROUP_TILES, u32(tile % GROUP_TILES), identity, op);
    if (lane_id() == 0 && tile % GROUP_TILES == GROUP_TILES - 1) {
        publish(groups, group, TILE_AGGREGATE, op(in_group, aggregate));
    }
    const T in_block = published_in_order(groups, block * WARP, u32(group % WARP), identity, op);
    const T before_block = published_in_order(blocks, block, block > 0 ? 1 : 0, identity, op);
    const T before = op(before_block, op(in_block, in_group));
    if (lane_id() == 0 && tile % BLOCK_TILES == BLOCK_TILES - 1) {
        publish(blocks, block + 1, TILE_PREFIX, op(before, aggregate));
    }
    return before;
}
