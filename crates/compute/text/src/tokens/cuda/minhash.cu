// Sketches of texts: the least permuted hashes of their runs. A warp has one row.
#include "cuprum/hash.cuh"
#include "cuprum/text_runs.cuh"

constexpr u64 PRIME = (1ull << 61) - 1;

inline u64 modulo_prime(u64 x) {
    const u64 sum = (x & PRIME) + (x >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

inline u32 hash_run(StringView run, u32 seed) { return murmur3_x86_32(MemoryBytes{run.bytes, run.size}, seed); }
inline u64 hash_run(StringView run, u64 seed) { return murmur3_x64_128(MemoryBytes{run.bytes, run.size}, seed).low; }

inline u32 permuted(u32 hash, u32 a, u32 b) { return u32(modulo_prime(u64(hash) * a + b)); }
inline u64 permuted(u64 hash, u64 a, u64 b) { return modulo_prime(hash * a + b); }

// Writes the least permuted hashes of the runs that begin at `positions` places, 0 where there are none;
// `run_at(at, run)` says whether one begins at a place. For all lanes of a warp.
template <typename Hash, typename RunAt>
void put_sketch(u64 positions, RunAt run_at, const Hash* a, const Hash* b, u64 num, Hash seed, Hash* out) {
    constexpr u32 EACH = 4;  // places of a lane
    for (u64 tile = 0; tile < num; tile += WARP * EACH) {
        Hash least[EACH], factors[EACH], added[EACH];
        bool has_any = false;
#pragma unroll
        for (u32 k = 0; k < EACH; ++k) {
            const u64 place = tile + k * WARP + lane_id();
            least[k] = Hash(-1);
            factors[k] = place < num ? a[place] : 0;
            added[k] = place < num ? b[place] : 0;
        }
        for (u64 base = 0; base < positions; base += WARP) {
            StringView run = {nullptr, 0};
            const bool is_run = base + lane_id() < positions && run_at(base + lane_id(), run);
            const Hash own = is_run ? hash_run(run, seed) : Hash(0);
            const u32 runs = __ballot_sync(ALL_LANES, is_run);
            has_any = has_any || runs != 0;
            for (u32 left = runs; left != 0; left &= left - 1) {
                const Hash hash = __shfl_sync(ALL_LANES, own, __ffs(left) - 1);
#pragma unroll
                for (u32 k = 0; k < EACH; ++k) {
                    const Hash next = permuted(hash, factors[k], added[k]);
                    least[k] = next < least[k] ? next : least[k];
                }
            }
        }
#pragma unroll
        for (u32 k = 0; k < EACH; ++k) {
            const u64 place = tile + k * WARP + lane_id();
            if (place < num) out[place] = has_any ? least[k] : Hash(0);
        }
    }
}

// The number of hashes of each row, 0 of nulls, and 0 behind the last one.
__global__ void __launch_bounds__(THREADS)
    sketch_lengths(ColumnDeviceView column, u64 num, u64* __restrict__ lengths) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i <= column.len) lengths[i] = i < column.len && column.is_valid(i) ? num : 0;
}

// The sketches of texts of runs of `width` characters; that of a row begins at `starts`.
template <typename Hash>
__global__ void __launch_bounds__(THREADS)
    sketch_texts(TextsDeviceView column, u64 width, Hash seed, const Hash* __restrict__ a, const Hash* __restrict__ b,
                 u64 num, const u64* __restrict__ starts, Hash* __restrict__ out) {
    const u64 row = u64(blockIdx.x) * (THREADS / WARP) + warp_id();
    if (row >= column.len || !column.is_valid(row)) return;
    const StringView text = column.string(row);
    put_sketch(text.size, [&](u64 at, StringView& run) { return run_at(text, at, width, run); }, a, b, num, seed,
               out + starts[row]);
}

// The same of lists of texts, of runs of `width` texts. Nulls in lists have no bytes.
template <typename Hash>
__global__ void __launch_bounds__(THREADS)
    sketch_lists(const ColumnDeviceView* __restrict__ lists, TextsDeviceView texts, u64 width, Hash seed,
                 const Hash* __restrict__ a, const Hash* __restrict__ b, u64 num, const u64* __restrict__ starts,
                 Hash* __restrict__ out) {
    const u64 row = u64(blockIdx.x) * (THREADS / WARP) + warp_id();
    if (row >= lists->len || !lists->is_valid(row)) return;
    const u64 first = lists->start(row), count = lists->start(row + 1) - first;
    const u64 own_width = width < count ? width : count;
    const u64 runs = count == 0 ? 0 : count - own_width + 1;
    const auto run_at = [&](u64 at, StringView& run) {
        const u64 from = texts.start(first + at);
        run = {reinterpret_cast<const u8*>(texts.bytes_address) + from, texts.start(first + at + own_width) - from};
        return true;
    };
    put_sketch(runs, run_at, a, b, num, seed, out + starts[row]);
}
