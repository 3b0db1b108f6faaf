// The kernels of contiguous_split. THREADS and TILE come from the declaration in cuda.rs.
#include "cuprum/pack.cuh"
#include "cuprum/types.cuh"

// ---- offsets that a layout depends on --------------------------------------------------------------

// Place i is an address and the number of bytes of the offset there, 4 or 8.
__global__ void __launch_bounds__(THREADS)
    gather_offsets(const u64* __restrict__ places, u64 n, i64* __restrict__ out) {
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= n) return;
    const u64 address = places[2 * i];
    out[i] = places[2 * i + 1] == 4 ? i64(*reinterpret_cast<const i32*>(address))
                                    : i64(*reinterpret_cast<const i64*>(address));
}

// ---- copying ----------------------------------------------------------------------------------------

enum Operation : u64 { COPY, REBASE32, REBASE64, SHIFT };

// One buffer of one block; cuda.rs writes it as words.
struct Piece {
    u64 begin;      // where it begins in the row of blocks
    u64 end;        // where its padding ends
    u64 source;     // an address; that of a word for masks
    u64 bytes;      // without padding; of masks those to be read
    u64 target;     // the address of its first byte, but for the shift
    u64 value;      // what is taken from offsets; the first bit of a mask
    u64 operation;  // and, in bits 2 and up, how many bits a mask has
};

// 16 bytes from an address that may be aligned to nothing, of a source that ends at `end`.
Word16 load_bytes(u64 address, u64 end) {
    Word16 word;
    const u32 misplaced = address & 3;
    if ((address & 15) == 0 && address + 16 <= end) {
        word = *reinterpret_cast<const Word16*>(address);
    } else if (address + 20 - misplaced <= end) {
        // Aligned words; the first begins before the address, but in the same word of the memory.
        const u32* words = reinterpret_cast<const u32*>(address - misplaced);
        u32 low = words[0];
#pragma unroll
        for (u32 k = 0; k < 4; ++k) {
            const u32 high = words[k + 1];
            word.parts[k] = u32((u64(high) << 32 | low) >> (8 * misplaced));
            low = high;
        }
    } else {
#pragma unroll
        for (u32 k = 0; k < 4; ++k) {
            u32 part = 0;
            for (u32 b = 0; b < 4; ++b) {
                const u64 at = address + 4 * k + b;
                if (at < end) part |= u32(*reinterpret_cast<const u8*>(at)) << (8 * b);
            }
            word.parts[k] = part;
        }
    }
    return word;
}

// Word `i` of the source of a mask; bytes behind its end are zero.
u32 load_mask_word(const Piece& piece, u64 i) {
    if (4 * i + 4 <= piece.bytes) return reinterpret_cast<const u32*>(piece.source)[i];
    u32 word = 0;
    for (u32 b = 0; b < 4; ++b) {
        if (4 * i + b < piece.bytes) {
            word |= u32(reinterpret_cast<const u8*>(piece.source)[4 * i + b]) << (8 * b);
        }
    }
    return word;
}

Word16 load_mask(const Piece& piece, u64 at) {
    Word16 word;
    const u64 bits = piece.operation >> 2;
    const u64 first = piece.value / 32 + at / 4;
    const u32 shift = piece.value % 32;
    u32 low = load_mask_word(piece, first);
#pragma unroll
    for (u32 k = 0; k < 4; ++k) {
        const u32 high = load_mask_word(piece, first + k + 1);
        const u64 begin = (at / 4 + k) * 32;
        const u64 rest = begin < bits ? bits - begin : 0;
        const u32 kept = rest >= 32 ? ~0u : (1u << rest) - 1;
        word.parts[k] = u32((u64(high) << 32 | low) >> shift) & kept;
        low = high;
    }
    return word;
}

template <typename T>
Word16 load_rebased(const Piece& piece, u64 at) {
    const u64 n = piece.bytes / sizeof(T);
    const u64 first = at / sizeof(T);
    Pack<T> pack = load_pack(reinterpret_cast<const T*>(piece.source), first, n, T(0));
#pragma unroll
    for (u32 k = 0; k < PACK<T>; ++k) {
        if (first + k < n) pack.items[k] -= T(piece.value);
    }
    return *reinterpret_cast<Word16*>(&pack);
}

// The 16 bytes of a piece from byte `at` on.
Word16 load_piece(const Piece& piece, u64 at) {
    switch (piece.operation & 3) {
        case COPY: return load_bytes(piece.source + at, piece.source + piece.bytes);
        case REBASE32: return load_rebased<i32>(piece, at);
        case REBASE64: return load_rebased<i64>(piece, at);
        default: return load_mask(piece, at);
    }
}

// Writes bytes [begin, end) of the row of blocks, a tile for each block of threads. `plan` has the pieces,
// and behind them the number of the first piece of every tile. Pieces begin and end at multiples of 64.
__global__ void __launch_bounds__(THREADS) copy_pieces(const u64* __restrict__ plan, u64 num_pieces,
                                                       u64 first_tile, u64 begin, u64 end, u64 shift) {
    constexpr u32 IN_FLIGHT = 4;
    constexpr u64 STEP = u64(THREADS) * 16;
    const Piece* pieces = reinterpret_cast<const Piece*>(plan);
    const u64 tile = begin + u64(blockIdx.x) * TILE;
    const u64 tile_end = tile + TILE < end ? tile + TILE : end;
    const u64 first = plan[num_pieces * (sizeof(Piece) / sizeof(u64)) + first_tile + blockIdx.x];
    for (u64 p = first; p < num_pieces && pieces[p].begin < tile_end; ++p) {
        const Piece piece = pieces[p];
        const u64 from = (piece.begin > tile ? piece.begin : tile) - piece.begin;
        const u64 to = (piece.end < tile_end ? piece.end : tile_end) - piece.begin;
        Word16* target = reinterpret_cast<Word16*>(piece.target + shift);
        for (u64 at = from + threadIdx.x * 16; at < to; at += IN_FLIGHT * STEP) {
            Word16 words[IN_FLIGHT];
#pragma unroll
            for (u32 k = 0; k < IN_FLIGHT; ++k) {
                if (at + k * STEP < to) words[k] = load_piece(piece, at + k * STEP);
            }
#pragma unroll
            for (u32 k = 0; k < IN_FLIGHT; ++k) {
                if (at + k * STEP < to) target[(at + k * STEP) / 16] = words[k];
            }
        }
    }
}
