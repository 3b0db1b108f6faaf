// Prefixes over all tiles of a launch in one pass: decoupled look-back (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
//
// A tile publishes its own aggregate at once, and its inclusive prefix as soon as it knows it. To know
// it, a warp looks at the 32 tiles before, adds up aggregates back to the nearest prefix, and waits
// only for tiles that have published nothing yet. Those run already, because tile numbers come from
// an atomic ticket.
#pragma once
#include "cuprum/block.cuh"

enum TileStatus : u32 { TILE_EMPTY = 0, TILE_AGGREGATE = 1, TILE_PREFIX = 2 };

// The next tile's number, the same for all threads of a block. `ticket` was 0 before the launch.
inline u64 next_tile(u64* ticket) {
    __shared__ u64 tile;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1ull);
    __syncthreads();
    return tile;
}

// What was published, read behind the status that announces it. The status is polled on purpose while
// another block writes it, therefore `volatile`.
template <typename T>
T published(const T* at) {
    return *reinterpret_cast<const volatile T*>(at);
}

template <typename T>
void publish(u64 tile, T value, TileStatus announced, T* values, u32* status) {
    *reinterpret_cast<volatile T*>(values + tile) = value;
    __threadfence();
    *reinterpret_cast<volatile u32*>(status + tile) = announced;
}

// All tiles before `tile`, combined; the result is the same in all lanes. To be called by one warp.
// `status` was 0 before the launch; `aggregates` and `prefixes` may hold anything.
template <typename T, typename Op>
T look_back(u64 tile, T aggregate, T identity, Op op, u32* status, T* aggregates, T* prefixes) {
    if (lane_id() == 0) {
        if (tile == 0) {
            publish(tile, aggregate, TILE_PREFIX, prefixes, status);
        } else {
            publish(tile, aggregate, TILE_AGGREGATE, aggregates, status);
        }
    }
    T before = identity;
    for (u64 end = tile; end > 0;) {
        // Lane 0 looks at the nearest tile.
        const bool exists = lane_id() < end;
        const u64 at = exists ? end - 1 - lane_id() : 0;
        u32 state = TILE_PREFIX;
        for (;;) {
            if (exists) state = published(status + at);
            if (__all_sync(ALL_LANES, state != TILE_EMPTY)) break;
            __nanosleep(20);
        }
        __threadfence();
        const u32 with_prefix = __ballot_sync(ALL_LANES, exists && state == TILE_PREFIX);
        const u32 farthest = with_prefix != 0 ? __ffs(with_prefix) - 1 : WARP - 1;
        T value = identity;
        if (exists && lane_id() <= farthest) {
            value = state == TILE_PREFIX ? published(prefixes + at) : published(aggregates + at);
        }
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
    if (lane_id() == 0 && tile != 0) {
        publish(tile, op(before, aggregate), TILE_PREFIX, prefixes, status);
    }
    return before;
}
