// The matches of regular expressions with their groups, by programs over characters, and what is made of them.
#include "cuprum/automata.cuh"
#include "cuprum/program.cuh"
#include "cuprum/spans.cuh"

// Which matches of a row are noted.
enum Matches : u32 {
    FIRST = 0,
    // An empty match may follow another one at once.
    ALL = 1,
    // It may not, as iterators of `regex` have it.
    APART = 2,
};

// Notes the matches of rows, in two launches: how many there are (FIRST: one at most; as flags or counts, if that is all
// that is wanted; in offsets each counts `offsets_each` times), then where they and their groups are among the bytes of
// the column; NOT_FOUND for groups that take no part. Match k of all has group g at k * match_step + g * group_step.
// Automata say where matches are, where there are some; the program, or its ways, where their groups are.
__global__ void __launch_bounds__(THREADS)
    note_matches(TextsDeviceView column, const u32* instructions, u32 num_instructions, u32 num_slots, const u32* kinds,
                 const u32* ways, const u16* words, AutomataLayout layout, u32* memory, u32 which, u8* flags, i32* counts,
                 u32 offsets_each, i32* narrow, u64* wide, u64* starts, u64* ends, u64 match_step, u64 group_step,
                 u32 first_group, u32 num_groups, i64* row_numbers, i64* match_numbers) {
    const u64 threads = u64(gridDim.x) * THREADS, thread = u64(blockIdx.x) * THREADS + threadIdx.x;
    const Program program = {instructions, num_instructions, num_slots, {kinds}};
    Machine machine(program, RunMemory{memory + thread, threads});
    if (memory != nullptr) machine.begin();
    OneWay one_way(program, ways);
    const PartOffsets offsets = {narrow, wide};
    const bool are_placed = starts != nullptr;
    for (u64 row = thread; row < column.len; row += threads) {
        u64 count = 0, next = 0;
        if (are_placed) next = offsets[row] / offsets_each;
        const u64 most = are_placed ? offsets[row + 1] / offsets_each - next : ~0ull;
        if (column.is_valid(row) && most > 0) {
            const StringView text = column.string(row);
            const u64 base = column.start(row);
            Searcher searcher(words, layout);
            u64 last_end = NOT_FOUND;
            for (u64 from = 0; from <= text.size && count < most;) {
                Span found = {NOT_FOUND, NOT_FOUND};
                bool is_known = false;
                if (words != nullptr) {
                    found = searcher.find(text, from);
                    is_known = !searcher.undecided;
                    if (is_known && found.start == NOT_FOUND) break;
                    searcher.undecided = false;
                }
                // The first launch asks for no groups.
                const bool has_way = is_known && ways != nullptr;
                if (!is_known || (are_placed && first_group + num_groups > 1)) {
                    const bool is_there = has_way ? one_way.find(text, found.start)
                                                  : machine.find(text, is_known ? found.start : from, is_known);
                    if (!is_there) break;
                    if (!is_known) found = {machine.found(0), machine.found(1)};
                }
                from = Searcher::behind(text, found);
                if (which == APART) {
                    if (found.start == found.end && found.end == last_end) continue;
                    last_end = found.end;
                }
                if (are_placed) {
                    const u64 k = next + count;
                    for (u32 i = 0; i < num_groups; ++i) {
                        const u32 slot = 2 * (first_group + i);
                        u64 at = found.start, end = found.end;
                        if (slot > 0) {
                            at = has_way ? one_way.found(slot) : machine.found(slot);
                            end = has_way ? one_way.found(slot + 1) : machine.found(slot + 1);
                        }
                        const u64 place = k * match_step + i * group_step;
                        const bool is_there = at != NOT_FOUND && end != NOT_FOUND;
                        starts[place] = is_there ? base + at : NOT_FOUND;
                        ends[place] = is_there ? base + end : NOT_FOUND;
                    }
                    if (row_numbers != nullptr) row_numbers[k] = i64(row);
                    if (match_numbers != nullptr) match_numbers[k] = i64(count);
                }
                ++count;
                if (which == FIRST) break;
            }
        }
        if (are_placed) continue;
        if (flags != nullptr) flags[row] = count > 0;
        if (counts != nullptr) counts[row] = at_most_i32(count);
        if (narrow != nullptr) narrow[row] = i32(count * offsets_each);
        if (wide != nullptr) wide[row] = count * offsets_each;
    }
}

// The position in characters of the only match of each row; -1 without one.
__global__ void __launch_bounds__(THREADS)
    places_of_matches(TextsDeviceView column, const i32* narrow, const u64* wide, const u64* starts,
                      i32* __restrict__ out) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= column.len) return;
    const auto offset = [&](u64 row) { return narrow != nullptr ? u64(narrow[row]) : wide[row]; };
    i32 place = 0;
    if (column.is_valid(i)) {
        const u64 match = offset(i);
        const StringView text = column.string(i);
        place = -1;
        if (match < offset(i + 1)) place = at_most_i32(count_characters({text.bytes, starts[match] - column.start(i)}));
    }
    out[i] = place;
}

// Rows with what a replacement comes to in the place of their first `limit` matches. A piece of a replacement is three
// numbers: 0, where it begins among `literals`, and its bytes; or 1 and the number of a group.
__global__ void __launch_bounds__(THREADS)
    replace_with_groups(TextsDeviceView column, const i32* narrow_rows, const u64* wide_rows, const u64* starts,
                        const u64* ends, u64 group_step, const u32* pieces, u32 num_pieces, const u8* literals, u64 limit,
                        i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    const auto offset = [&](u64 row) { return narrow_rows != nullptr ? u64(narrow_rows[row]) : wide_rows[row]; };
    const u8* const all = reinterpret_cast<const u8*>(column.bytes_address);
    const bool is_valid = i < column.len && column.is_valid(i);
    make_row<THREADS>({narrow, wide, bytes, nullptr}, column.len, is_valid, stage, [&](auto& out) {
        const u64 end = column.start(i + 1);
        u64 done = column.start(i), match = offset(i), last = offset(i + 1);
        if (last - match > limit) last = match + limit;
        for (; match < last; ++match) {
            out.put(StringView{all + done, starts[match] - done});
            for (u32 p = 0; p < num_pieces; ++p) {
                const u32* const piece = pieces + 3 * p;
                if (piece[0] == 0) {
                    out.put(StringView{literals + piece[1], piece[2]});
                    continue;
                }
                const u64 place = match + piece[1] * group_step;
                if (starts[place] != NOT_FOUND) out.put(StringView{all + starts[place], ends[place] - starts[place]});
            }
            done = ends[match];
        }
        out.put(StringView{all + done, end - done});
        return true;
    });
}
