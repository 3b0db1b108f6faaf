// Distances between the texts of two rows. A warp has one row.
#include "cuprum/hash.cuh"
#include "cuprum/text_runs.cuh"

constexpr u32 WARPS = THREADS / WARP;

// The rows of the other column: as many as there are, or one for all.
inline StringView text_of_row(const TextsDeviceView& column, u64 row) {
    const u64 own = column.len == 1 ? 0 : row;
    return column.is_valid(own) ? column.string(own) : StringView{nullptr, 0};
}

// ---- Jaccard's index ---------------------------------------------------------------------------------

// Slots of a table of hashes in shared memory, and the most bytes of two texts that it is enough for.
constexpr u64 SHARED_SLOTS = 512, MOST_SHARED_BYTES = 256;
// A free slot is 0; others have a hash and the texts that it is of.
constexpr u64 OF_FIRST = 1ull << 32, OF_SECOND = 1ull << 33;

// The slots for runs of so many bytes: a power of two, at least twice as many.
inline u64 num_slots(u64 bytes) {
    u64 slots = 1;
    while (slots < 2 * bytes && slots < 1ull << 33) slots *= 2;
    return slots;
}

// The slots in device memory that each row needs; 0 behind the last one.
__global__ void __launch_bounds__(THREADS)
    slots_of_rows(TextsDeviceView column, TextsDeviceView other, u64* __restrict__ sizes) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i > column.len) return;
    u64 slots = 0;
    if (i < column.len && column.is_valid(i) && other.is_valid(i)) {
        const u64 bytes = column.string(i).size + other.string(i).size;
        if (bytes > MOST_SHARED_BYTES) slots = num_slots(bytes);
    }
    sizes[i] = slots;
}

// What a text has of the hashes in a table, for this lane.
struct Counted {
    u64 hashes;  // different ones
    u64 both;    // of these, those that the other text has too
};

// Enters the hashes of the runs of a text. For all lanes of a warp.
inline Counted enter_runs(StringView text, u64 width, u64* slots, u64 num, u64 own, u64 others) {
    Counted counted = {0, 0};
    for (u64 at = lane_id(); at < text.size; at += WARP) {
        StringView run;
        if (!run_at(text, at, width, run)) continue;
        const u64 hash = murmur3_x86_32(MemoryBytes{run.bytes, run.size}, 0);
        for (u64 slot = hash & (num - 1);; slot = (slot + 1) & (num - 1)) {
            u64 there = atomicCAS(&slots[slot], 0ull, hash | own);
            if (there != 0) {
                if ((there & 0xffffffffull) != hash) continue;
                there = atomicOr(&slots[slot], own);
            }
            if ((there & own) == 0) {
                ++counted.hashes;
                counted.both += (there & others) != 0;
            }
            break;
        }
    }
    return counted;
}

// Jaccard's index of the runs of each of the rows [first, last); where the slots of rows begin, `base` being that of the
// first row.
__global__ void __launch_bounds__(THREADS)
    jaccard_of_texts(TextsDeviceView column, TextsDeviceView other, u64 width, u64 first, u64 last,
                     const u64* __restrict__ starts, u64 base, u64* memory, f32* __restrict__ out) {
    __shared__ u64 shared[WARPS][SHARED_SLOTS];
    const u64 row = first + u64(blockIdx.x) * WARPS + warp_id();
    if (row >= last) return;
    if (!column.is_valid(row) || !other.is_valid(row)) {
        if (lane_id() == 0) out[row] = 0;
        return;
    }
    const StringView a = column.string(row), b = other.string(row);
    const u64 num_own = starts[row + 1] - starts[row];
    u64* const slots = num_own > 0 ? memory + (starts[row] - base) : shared[warp_id()];
    const u64 num = num_own > 0 ? num_own : num_slots(a.size + b.size);
    for (u64 i = lane_id(); i < num; i += WARP) slots[i] = 0;
    __syncwarp();
    const Counted ours = enter_runs(a, width, slots, num, OF_FIRST, OF_SECOND);
    __syncwarp();
    const Counted theirs = enter_runs(b, width, slots, num, OF_SECOND, OF_FIRST);
    const auto sum = [](u64 x, u64 y) { return x + y; };
    const u64 hashes = warp_reduce(ours.hashes + theirs.hashes, sum), both = warp_reduce(theirs.both, sum);
    const u64 either = hashes - both;
    if (lane_id() == 0) out[row] = either == 0 ? 0.0f : f32(both) / f32(either);
}

// ---- edit distance -----------------------------------------------------------------------------------

// Rows of the table that are computed at once.
constexpr u64 STRIP = 64;

// The bytes of device memory that each row needs: one for each of the longer text, where one strip may not do; 0 behind
// the last one.
__global__ void __launch_bounds__(THREADS)
    rises_of_rows(TextsDeviceView column, TextsDeviceView targets, u64* __restrict__ sizes) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i > column.len) return;
    u64 size = 0;
    if (i < column.len) {
        const u64 a = text_of_row(column, i).size, b = text_of_row(targets, i).size;
        if (a > STRIP && b > STRIP) size = a > b ? a : b;
    }
    sizes[i] = size;
}

// Characters of a text, STRIP after STRIP.
struct Strips {
    StringView text;
    u64 base;    // the first byte of a part of WARP that has the next character
    u64 before;  // characters before it

    // The characters from number `first` on, two of them for each lane: number `lane` and WARP behind it. There is none
    // with the largest number. `codes` has room for all. For all lanes of a warp.
    void next(u64 first, u32* codes, u32& low, u32& high) {
        codes[lane_id()] = codes[lane_id() + WARP] = ~0u;
        __syncwarp();
        while (base < text.size) {
            const u64 at = base + lane_id();
            const bool begins = at < text.size && begins_character(text.bytes[at]);
            const u32 characters = __ballot_sync(ALL_LANES, begins);
            // Of characters before the first one it is a large number.
            const u64 place = before + __popc(characters & lanes_before()) - first;
            if (begins && place < STRIP) codes[place] = character_at(text.bytes + at).code;
            if (before + __popc(characters) > first + STRIP) break;
            before += __popc(characters);
            base += WARP;
        }
        __syncwarp();
        low = codes[lane_id()];
        high = codes[lane_id() + WARP];
        __syncwarp();
    }
};

// The edit distance of two texts, for all lanes of a warp: Myers' algorithm in Hyyrö's form, as on the CPU. `pattern` has
// no more characters than the other one, `length` of them; `rises` has a byte for each of `text` where it has more than
// STRIP.
inline u64 edit_distance(StringView pattern, u64 length, StringView text, u32* codes, i8* rises) {
    Strips strips = {pattern, 0, 0};
    u64 score = length;
    for (u64 first = 0; first < length; first += STRIP) {
        const u64 left = length - first, height = left < STRIP ? left : STRIP;
        const bool is_last = left <= STRIP;
        u32 low, high;
        strips.next(first, codes, low, high);
        u64 up = ~0ull, down = 0;
        for (u64 base = 0; base < text.size; base += WARP) {
            const u64 at = base + lane_id();
            const bool begins = at < text.size && begins_character(text.bytes[at]);
            const u32 code = begins ? character_at(text.bytes + at).code : 0;
            // By how much the table rises from column to column in the last row of the strip above: 1 in row 0.
            const i32 own_above = first > 0 && begins ? rises[at] : 1;
            i32 own_below = 0;
            for (u32 columns = __ballot_sync(ALL_LANES, begins); columns != 0; columns &= columns - 1) {
                const i32 lane = __ffs(columns) - 1;
                const u32 c = __shfl_sync(ALL_LANES, code, lane);
                const i32 above = __shfl_sync(ALL_LANES, own_above, lane);
                u64 equal = __ballot_sync(ALL_LANES, low == c);
                equal |= u64(__ballot_sync(ALL_LANES, high == c)) << 32;
                const u64 vertical = equal | down;
                equal |= u64(above < 0);
                const u64 horizontal = (((equal & up) + up) ^ up) | equal;
                u64 rise = down | ~(horizontal | up), fall = up & horizontal;
                const i32 below = i32(rise >> (height - 1) & 1) - i32(fall >> (height - 1) & 1);
                if (is_last) score += u64(i64(below));
                if (i32(lane_id()) == lane) own_below = below;
                rise = rise << 1 | u64(above > 0);
                fall = fall << 1 | u64(above < 0);
                up = fall | ~(vertical | rise);
                down = rise & vertical;
            }
            if (!is_last && begins) rises[at] = i8(own_below);
        }
    }
    return score;
}

// The edit distance of each of the rows [first, last) to that of `targets`, which may be one for all; nulls are empty.
// `starts` say where the memory of rows begins, `base` being that of the first row.
__global__ void __launch_bounds__(THREADS)
    edit_distances(TextsDeviceView column, TextsDeviceView targets, u64 first, u64 last,
                   const u64* __restrict__ starts, u64 base, i8* memory, i32* __restrict__ out) {
    __shared__ u32 codes[WARPS][STRIP];
    const u64 row = first + u64(blockIdx.x) * WARPS + warp_id();
    if (row >= last) return;
    const StringView a = text_of_row(column, row), b = text_of_row(targets, row);
    const u64 a_length = warp_count_characters(a), b_length = warp_count_characters(b);
    const bool is_shorter = a_length <= b_length;
    const StringView pattern = is_shorter ? a : b, text = is_shorter ? b : a;
    const u64 length = is_shorter ? a_length : b_length;
    u64 distance = is_shorter ? b_length : a_length;
    if (length > 0) {
        i8* const rises = memory + (starts[row] - base);
        distance = edit_distance(pattern, length, text, codes[warp_id()], rises);
    }
    if (lane_id() == 0) out[row] = at_most_i32(distance);
}
