// Regular expressions as programs over characters: the instructions of `strings::program`, and the machine that runs
// them. All ways through a program are followed side by side, the better ones first (R. Cox, "Regular Expression
// Matching: the Virtual Machine Approach", 2009).
#pragma once
#include "cuprum/characters.cuh"

// As `strings::program` has it.
constexpr u32 MOST_SLOTS = 32;

struct Program {
    const u32* words;
    u32 num_instructions;
    u32 num_slots;
    CharacterTable kinds;

    enum Kind : u32 { CHARACTER, CLASS, SPLIT, SAVE, LOOK, MATCH };

    const u32* instruction(u32 number) const { return words + 4 * number; }

    // Whether an instruction takes a character.
    bool takes(const u32* instruction, u32 code) const {
        return takes((instruction[0] & 255) == CHARACTER, instruction, code);
    }
    bool takes(bool is_character, const u32* instruction, u32 code) const {
        if (is_character) return instruction[1] == code;
        const u32* const ascii = words + 4 * num_instructions + instruction[1];
        if (code < 128) return (ascii[code / 32] >> code % 32 & 1) != 0;
        const u32* const ranges = ascii + 4;
        u32 low = 0, high = instruction[2];
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (ranges[2 * middle + 1] < code) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < instruction[2] && ranges[2 * low] <= code;
    }

    // Whether a condition around a byte holds.
    bool holds(u32 look, StringView text, u64 at) const {
        const bool is_first = at == 0, is_last = at == text.size;
        switch (look) {
            case 0: return is_first;
            case 1: return is_last;
            case 2: return is_first || text.bytes[at - 1] == '\n';
            case 3: return is_last || text.bytes[at] == '\n';
            default: break;
        }
        const u32 before = is_first ? LAST_CHARACTER : character_before(text.bytes, at).code;
        const u32 behind = is_last ? LAST_CHARACTER : character_at(text.bytes + at).code;
        const bool is_ascii = look >= 6;
        const auto is_word = [&](u32 code) {
            if (is_ascii && code >= 0x80) return false;
            return (kinds[code] & WORD) != 0;
        };
        return (is_word(before) != is_word(behind)) == (look % 2 == 0);
    }
};

// A run of a program in which a character never has two ways: the words of `strings::program::one_way`.
struct OneWay {
    const Program& program;
    const u32* ways;
    u32 places[MOST_SLOTS];
    u32 best[MOST_SLOTS];

    OneWay(const Program& program, const u32* ways) : program(program), ways(ways) {}

    // Where a slot of the match that was found is; NOT_FOUND where its group takes no part.
    u64 found(u32 slot) const { return best[slot] == ~0u ? NOT_FOUND : u64(best[slot]); }

    bool hold(u32 looks, StringView text, u64 at) const {
        for (u32 look = 0; looks != 0; ++look, looks >>= 1) {
            if ((looks & 1) != 0 && !program.holds(look, text, at)) return false;
        }
        return true;
    }

    // Notes a byte in the slots of a set.
    static void note(u32* places, u32 slots, u64 at) {
        for (; slots != 0; slots &= slots - 1) places[__ffs(i32(slots)) - 1] = u32(at);
    }

    // Finds the match that begins at a byte.
    bool find(StringView text, u64 start) {
        bool is_found = false;
        for (u32 slot = 0; slot < program.num_slots; ++slot) places[slot] = ~0u;
        const u32* way = ways;
        for (u64 at = start;;) {
            const bool is_end = at == text.size;
            const Character c = is_end ? Character{0, 0} : character_at(text.bytes + at);
            const u32* taken = nullptr;
            const u32* const last = way + 1 + 5 * way[0];
            for (const u32* next = way + 1; next < last; next += 5) {
                const u32 kind = next[0] & 255;
                if (kind != Program::MATCH && (is_end || taken != nullptr || !program.takes(next, c.code))) continue;
                if (!hold(next[0] >> 8, text, at)) continue;
                if (kind != Program::MATCH) {
                    taken = next;
                    continue;
                }
                // The match counts if the better way ends in none.
                is_found = true;
                for (u32 slot = 0; slot < program.num_slots; ++slot) best[slot] = places[slot];
                note(best, next[4], at);
                break;
            }
            if (taken == nullptr) return is_found;
            note(places, taken[4], at);
            way = ways + taken[3];
            at += c.size;
        }
    }
};

// The memory of one run: words of a table with a column for each thread.
struct RunMemory {
    u32* words;
    u64 stride;

    u32& operator[](u64 i) const { return words[i * stride]; }
};

// The words that a run takes: two lists of ways with their places, marks of the instructions that are in a list, and a
// stack. Rust computes the same.
inline u64 run_words(u64 num_instructions, u64 num_slots) {
    return num_instructions * (2 * (1 + num_slots) + 1 + 4) + 4 * num_slots + 8;
}

// One run at a time of a program over texts of fewer than 2^32 bytes.
class Machine {
    const Program& program;
    const RunMemory memory;
    u32 generation;
    u32 counts[2];

    static constexpr u32 NOWHERE = ~0u;

    u64 list(u32 which) const { return u64(which) * program.num_instructions * (1 + program.num_slots); }
    u64 marks() const { return list(2); }
    u64 stack() const { return marks() + program.num_instructions; }
    u64 current() const { return stack() + 4 * u64(program.num_instructions) + 2 * u64(program.num_slots) + 8; }
    u32& way(u32 which, u32 i) const { return memory[list(which) + u64(i) * (1 + program.num_slots)]; }
    u32& place(u32 which, u32 i, u32 slot) const {
        return memory[list(which) + u64(i) * (1 + program.num_slots) + 1 + slot];
    }

    // Adds the instructions that can be reached from one without a character, each with the current places.
    void follow(u32 which, u32 number, StringView text, u64 at) {
        u32 depth = 0;
        memory[stack() + depth++] = number;
        while (depth > 0) {
            const u32 top = memory[stack() + --depth];
            if (top >= RESTORES) {
                // A place is what it was before the way that has been followed.
                memory[current() + (top - RESTORES)] = memory[stack() + --depth];
                continue;
            }
            for (u32 next = top;;) {
                if (memory[marks() + next] == generation) break;
                memory[marks() + next] = generation;
                const u32* const instruction = program.instruction(next);
                if (instruction[0] == Program::SPLIT) {
                    memory[stack() + depth++] = instruction[2];
                    next = instruction[1];
                } else if (instruction[0] == Program::SAVE) {
                    memory[stack() + depth++] = memory[current() + instruction[1]];
                    memory[stack() + depth++] = RESTORES + instruction[1];
                    memory[current() + instruction[1]] = u32(at);
                    next = instruction[3];
                } else if (instruction[0] == Program::LOOK) {
                    if (!program.holds(instruction[1], text, at)) break;
                    next = instruction[3];
                } else {
                    const u32 i = counts[which]++;
                    way(which, i) = next;
                    for (u32 slot = 0; slot < program.num_slots; ++slot) {
                        place(which, i, slot) = memory[current() + slot];
                    }
                    break;
                }
            }
        }
    }

    static constexpr u32 RESTORES = 0x80000000;

  public:
    Machine(const Program& program, RunMemory memory) : program(program), memory(memory), generation(0), counts{0, 0} {}

    // To be called before the first run.
    void begin() {
        for (u32 i = 0; i < program.num_instructions; ++i) memory[marks() + i] = 0;
    }

    // Where a slot of the match that was found is; NOT_FOUND where its group takes no part.
    u64 found(u32 slot) const {
        const u32 at = memory[current() + program.num_slots + slot];
        return at == NOWHERE ? NOT_FOUND : u64(at);
    }

    // Finds the first match from a byte on, or with `is_anchored` the one that begins there.
    bool find(StringView text, u64 from, bool is_anchored) {
        bool is_found = false;
        u32 now = 0;
        counts[now] = 0;
        ++generation;
        for (u64 at = from;; ) {
            if (!is_found && (at == from || !is_anchored)) {
                for (u32 slot = 0; slot < program.num_slots; ++slot) memory[current() + slot] = NOWHERE;
                follow(now, 0, text, at);
            }
            if (counts[now] == 0 && (is_found || is_anchored)) break;
            const bool is_end = at == text.size;
            const Character c = is_end ? Character{0, 1} : character_at(text.bytes + at);
            const u32 later = 1 - now;
            counts[later] = 0;
            ++generation;
            for (u32 i = 0; i < counts[now]; ++i) {
                const u32* const instruction = program.instruction(way(now, i));
                if (instruction[0] == Program::MATCH) {
                    // Worse ways do not count.
                    is_found = true;
                    for (u32 slot = 0; slot < program.num_slots; ++slot) {
                        memory[current() + program.num_slots + slot] = place(now, i, slot);
                    }
                    break;
                }
                if (is_end || !program.takes(instruction, c.code)) continue;
                for (u32 slot = 0; slot < program.num_slots; ++slot) {
                    memory[current() + slot] = place(now, i, slot);
                }
                follow(later, instruction[3], text, at + c.size);
            }
            if (is_end) break;
            now = later;
            at += c.size;
        }
        return is_found;
    }
};
