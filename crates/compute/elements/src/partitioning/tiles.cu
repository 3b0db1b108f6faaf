// The kernels of partitioning into at most PARTS partitions: rows are counted by partition, tile by tile, and
// then all columns moved in one pass. A tile orders its rows in shared memory, so that those of a partition
// leave in runs. THREADS, COUNTING_THREADS, PARTS and the rows of a thread come from the declaration in tiles.rs.
#include "cuprum/bits.cuh"
#include "cuprum/block.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/row_hash.cuh"
#include "cuprum/types.cuh"

constexpr u32 WARPS = THREADS / WARP;
static_assert(PARTS == 256 && PARTS <= THREADS, "numbers of one byte, and a thread for each partition");

// Rows of a tile, by the rows of each thread, and how many blocks a multiprocessor is to hold. With many
// partitions it takes large tiles for runs of some length. Shared memory is not for more than that: what
// it leaves of a multiprocessor's memory is where loads are on their way.
struct SmallTile {
    static constexpr u32 ITEMS = ITEMS_OF_SMALL;
    static constexpr u32 BLOCKS = 4;
};
struct LargeTile {
    static constexpr u32 ITEMS = ITEMS_OF_LARGE;
    static constexpr u32 BLOCKS = 2;
};
template <typename Size>
constexpr u32 TILE = THREADS * Size::ITEMS;

// The offset of place `i` of a tile in shared memory: with gaps, so that the rows of a warp do not meet in
// one bank when partitions take turns.
constexpr u32 with_gaps(u32 i) { return i + i / WARP; }
static_assert(with_gaps(TILE<LargeTile>) <= 65536, "places in a tile have 16 bits");

// Partitions by a column of their numbers, in place of a hash function.
struct PartitionMap {};
// Partitions by the bits of row numbers from bit `seed` on; values that are no row numbers come last.
struct HighBits {};

// The partition of each row, and how many rows of each tile are in each: counts[partition * tiles + tile].
// `By` is the kind of the columns: keys to be hashed, or a map. `first_outside` becomes the first row whose
// number in the map is no partition, and stays as it was where there is none; the row counts for partition 0.
template <typename By, typename Size, typename Count>
__global__ void __launch_bounds__(COUNTING_THREADS)
    count_rows(const ColumnDeviceView* columns, u32 num_columns, u64 n, u32 seed, u32 num_partitions,
               u8* __restrict__ partitions, Count* __restrict__ counts, u64* first_outside) {
    constexpr u32 ITEMS = 4;
    __shared__ u32 bins[PARTS];
    if (threadIdx.x < PARTS) bins[threadIdx.x] = 0;
    __syncthreads();
    const u64 tile_first = u64(blockIdx.x) * TILE<Size>;
    for (u64 first = tile_first; first < tile_first + TILE<Size>; first += COUNTING_THREADS * ITEMS) {
        const u64 begin = first + threadIdx.x;
        u32 own[ITEMS];
        if constexpr (IS_SAME<By, PartitionMap>) {
            u64 outside = ~0ull;
            with_numbers(columns[0], [&](auto value) {
                u32 numbers[ITEMS];
#pragma unroll
                for (u32 r = 0; r < ITEMS; ++r) {
                    const u64 row = begin + r * COUNTING_THREADS;
                    const u64 number = row < n ? u64(value(row)) : 0;
                    numbers[r] = number < PARTS ? u32(number) : PARTS;
                }
#pragma unroll
                for (u32 r = 0; r < ITEMS; ++r) {
                    const bool is_inside = numbers[r] < num_partitions;
                    own[r] = is_inside ? numbers[r] : 0;
                    const u64 row = begin + r * COUNTING_THREADS;
                    if (!is_inside && row < n && row < outside) outside = row;
                }
            });
            if (outside != ~0ull) atomicMin(first_outside, outside);
        } else if constexpr (IS_SAME<By, HighBits>) {
            u32 numbers[ITEMS];
#pragma unroll
            for (u32 r = 0; r < ITEMS; ++r) {
                const u64 row = begin + r * COUNTING_THREADS;
                numbers[r] = row < n ? columns[0].value<u32>(row) : 0;
            }
#pragma unroll
            for (u32 r = 0; r < ITEMS; ++r) {
                const u32 number = numbers[r] >> seed;
                own[r] = number < num_partitions ? number : num_partitions - 1;
            }
        } else {
            u32 hashes[ITEMS];
#pragma unroll
            for (u32 r = 0; r < ITEMS; ++r) hashes[r] = By::start(seed);
            add_columns<By, ITEMS>(columns, 0, num_columns, begin, COUNTING_THREADS, n, seed, true, hashes);
#pragma unroll
            for (u32 r = 0; r < ITEMS; ++r) own[r] = partition_of_hash(hashes[r], num_partitions);
        }
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            const u64 row = begin + r * COUNTING_THREADS;
            if (row >= n) break;
            partitions[row] = u8(own[r]);
            atomicAdd(bins + own[r], 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x < num_partitions) {
        counts[u64(threadIdx.x) * gridDim.x + blockIdx.x] = bins[threadIdx.x];
    }
}

// The offset of each partition, from the running sums of its counts; and behind them the first row outside.
template <typename Place>
__global__ void __launch_bounds__(THREADS)
    partition_starts(const Place* __restrict__ bases, u64 tiles, u32 num_partitions, const u64* first_outside,
                     u64* __restrict__ starts) {
    if (threadIdx.x < num_partitions) starts[threadIdx.x] = bases[threadIdx.x * tiles];
    if (threadIdx.x == 0) starts[num_partitions] = *first_outside;
}

// ---- moving ------------------------------------------------------------------------------------------

// A column that is moved; addresses are numbers, so that Rust can declare them.
struct MovedColumn {
    u64 source;       // the first row's value; 0 for the numbers of the rows
    u64 target;       // 0 where there are no values but only a mask
    u64 mask;         // words of validity, or 0; the first row's bit is `first_bit`
    u64 target_mask;  // words of zeros, or 0 where no row is null
    u64 first_bit;
    u64 width;  // of a value: 1, 2, 4 or 8 bytes; 16 for 8 bytes of each 16
};

// The destinations of a tile's rows, and the memory they pass through; all of it shared, since the registers
// are for values on their way. A thread reads only those of `destinations` that it has written itself.
template <typename Size, typename Place>
struct Tile {
    u64 first;
    u32 len;
    const u16* places;          // of each row, in the tile
    const Place* destinations;  // of each place, in the result
    u64* exchange;              // for values by place
    u8* flags;                  // for validity by place
};

// One column of a tile, a value of each STEP. For all threads.
template <u32 STEP, typename Value, typename Size, typename Place>
__forceinline__ void move_column(const MovedColumn& column, u64 n, const Tile<Size, Place>& tile) {
    constexpr u32 ITEMS = Size::ITEMS;
    Value* const exchange = reinterpret_cast<Value*>(tile.exchange);
    u8* const flags = tile.flags;
    const u32 warp_row = warp_id() * WARP * ITEMS;
    const u32 first_row = warp_row + lane_id();
    const Value* const source = reinterpret_cast<const Value*>(column.source) + (tile.first + first_row) * STEP;
    Value* const target = reinterpret_cast<Value*>(column.target);
    const bool has_values = column.target != 0;
    const bool has_mask = column.mask != 0;
    Value values[ITEMS];
    if (has_values) {
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            const u32 row = first_row + r * WARP;
            if (column.source == 0) {
                values[r] = Value(tile.first + row);
            } else if (row < tile.len) {
                values[r] = source[r * WARP * STEP];
            }
        }
    }
    u32 own_valid = 0;
    if (has_mask && lane_id() < ITEMS) {
        // The bits of the warp's rows, one word in each of the first lanes.
        const u64 bit = column.first_bit + tile.first + warp_row + lane_id() * WARP;
        const u64 last_word = (column.first_bit + n - 1) / 32;
        own_valid = bits_at(reinterpret_cast<const u32*>(column.mask), 0, i64(last_word), i64(bit));
    }
    __syncthreads();  // what the last column left has been read
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 row = first_row + r * WARP;
        const u32 valid = has_mask ? __shfl_sync(ALL_LANES, own_valid, r) : 0;
        if (row >= tile.len) continue;
        const u32 place = tile.places[row];
        if (has_values) exchange[place] = values[r];
        if (has_mask) flags[place] = u8(valid >> lane_id() & 1);
    }
    __syncthreads();
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 i = threadIdx.x + r * THREADS;
        const bool exists = i < tile.len;
        const Place destination = tile.destinations[i];
        if (has_values && exists) target[u64(destination) * STEP] = exchange[with_gaps(i)];
        if (has_mask) {
            u32* const words = reinterpret_cast<u32*>(column.target_mask);
            set_bits_in_runs(words, destination, exists, exists && flags[with_gaps(i)] != 0);
        }
    }
}

// The columns of one width, which follow each other from column `c` on; returns where the next ones begin.
template <u32 STEP, typename Value, typename Size, typename Place>
__forceinline__ u32 move_columns(const MovedColumn* columns, u32 c, u32 num_columns, u32 width, u64 n,
                                 const Tile<Size, Place>& tile) {
    for (; c < num_columns && columns[c].width == width; ++c) {
        move_column<STEP, Value>(columns[c], n, tile);
    }
    return c;
}

// Moves the rows of n to their partitions, in the order they have. `partitions` has that of each row and
// `bases` the running sums of the counts of tiles; where there are no `partitions`, row 0 goes to partition
// `first_partition`, each one after that to the next, and `bases` has the start of each partition. Columns come
// with the widest values first. `places_of_rows`, where they are wanted, become where each row is moved to. The dynamic
// shared memory has, for each of its TILE rows, 2 + sizeof(Place) bytes, and 9 for each place with gaps.
template <typename Size, typename Place>
__global__ void __launch_bounds__(THREADS, Size::BLOCKS)
    move_tiles(const u8* __restrict__ partitions, const Place* __restrict__ bases, u64 n, u32 num_partitions,
               u32 first_partition, const u64* __restrict__ column_words, u32 num_columns,
               Place* __restrict__ places_of_rows) {
    constexpr u32 ITEMS = Size::ITEMS;
    constexpr u32 TILE = ::TILE<Size>;
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    u64* const exchange = reinterpret_cast<u64*>(dyn_smem);
    Place* const destinations = reinterpret_cast<Place*>(exchange + with_gaps(TILE));
    u16* const places = reinterpret_cast<u16*>(destinations + TILE);
    u8* const flags = reinterpret_cast<u8*>(places + TILE);
    // Before there are values and validity: counts, places and the partition of each place.
    u16(*const warp_counts)[PARTS] = reinterpret_cast<u16(*)[PARTS]>(dyn_smem);
    Place* const part_places = reinterpret_cast<Place*>(warp_counts + WARPS);
    static_assert(WARPS * PARTS * 2 + PARTS * sizeof(Place) <= TILE * 8, "they fit where the values come");
    u8* const part_at = flags;
    __shared__ u32 warp_totals[WARPS];
#pragma unroll
    for (u32 warp = 0; warp < WARPS; ++warp) {
        if (threadIdx.x < PARTS) warp_counts[warp][threadIdx.x] = 0;
    }
    const u64 first = u64(blockIdx.x) * TILE;
    const u32 len = n - first < TILE ? u32(n - first) : TILE;
    const u32 first_row = warp_id() * WARP * ITEMS + lane_id();
    // The turn of the tile's first row, where partitions take turns.
    const u32 turn = (blockIdx.x % num_partitions * (TILE % num_partitions) + first_partition) % num_partitions;
    u32 parts[ITEMS];
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 row = first_row + r * WARP;
        // Rows missing behind the end count for the last partition, and come last there.
        parts[r] = PARTS - 1;
        if (row < len) {
            parts[r] = partitions == nullptr ? (turn + row) % num_partitions : partitions[first + row];
        }
    }
    // Lanes with the same partition, bit by bit.
    u32 peers[ITEMS], ranks[ITEMS];
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) peers[r] = ALL_LANES;
    const u32 bits = len == TILE ? 32 - __clz(num_partitions - 1) : 8;
    for (u32 bit = 0; bit < bits; ++bit) {
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            const bool is_set = parts[r] >> bit & 1;
            const u32 with_bit = __ballot_sync(ALL_LANES, is_set);
            peers[r] &= is_set ? with_bit : ~with_bit;
        }
    }
    __syncthreads();
    u16* const counts = warp_counts[warp_id()];
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 peers_before = __popc(peers[r] & ((1u << lane_id()) - 1));
        const u32 count = counts[parts[r]];
        __syncwarp();
        if (peers_before == 0) counts[parts[r]] = u16(count + __popc(peers[r]));
        __syncwarp();
        ranks[r] = count + peers_before;
    }
    __syncthreads();

    // Each thread looks after one partition.
    const u32 own = threadIdx.x;
    u32 total = 0;
    if (own < PARTS) {
#pragma unroll
        for (u32 warp = 0; warp < WARPS; ++warp) {
            const u32 count = warp_counts[warp][own];
            warp_counts[warp][own] = u16(total);
            total += count;
        }
    }
    const u32 up_to_own = warp_inclusive_scan(total, Sum());
    const u32 warp_total = __shfl_sync(ALL_LANES, up_to_own, WARP - 1);
    const u32 start = scan_warps<THREADS>(warp_total, 0u, Sum(), warp_totals).before + up_to_own - total;
    if (own < PARTS) {
#pragma unroll
        for (u32 warp = 0; warp < WARPS; ++warp) warp_counts[warp][own] += u16(start);
        if (own < num_partitions) {
            Place base;
            if (partitions != nullptr) {
                base = bases[u64(own) * gridDim.x + blockIdx.x];
            } else {
                // Rows of earlier tiles whose turn it was.
                const u64 first_row = (own + num_partitions - first_partition) % num_partitions;
                base = bases[own] + Place((first + num_partitions - 1 - first_row) / num_partitions);
            }
            part_places[own] = base - start;
        }
    }
    __syncthreads();
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 in_tile = ranks[r] + counts[parts[r]], row = first_row + r * WARP;
        const u32 place = with_gaps(in_tile);
        places[row] = u16(place);
        if (places_of_rows != nullptr && row < len) places_of_rows[first + row] = part_places[parts[r]] + in_tile;
        part_at[place] = u8(parts[r]);
    }
    __syncthreads();
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        const u32 i = threadIdx.x + r * THREADS;
        destinations[i] = i < len ? part_places[part_at[with_gaps(i)]] + i : 0;
    }
    const MovedColumn* const columns = reinterpret_cast<const MovedColumn*>(column_words);
    const Tile<Size, Place> tile = {first, len, places, destinations, exchange, flags};
    // Width after width, not in one loop with a switch: what the compiler keeps in registers for one width
    // would stay there for all.
    u32 c = 0;
    c = move_columns<2, u64>(columns, c, num_columns, 16, n, tile);
    c = move_columns<1, u64>(columns, c, num_columns, 8, n, tile);
    c = move_columns<1, u32>(columns, c, num_columns, 4, n, tile);
    c = move_columns<1, u16>(columns, c, num_columns, 2, n, tile);
    move_columns<1, u8>(columns, c, num_columns, 1, n, tile);
}
