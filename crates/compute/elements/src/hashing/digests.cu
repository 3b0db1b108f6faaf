// Digests of rows in hexadecimal. DIGEST_THREADS comes from the declaration in cuda.rs.
//
// MD5: RFC 1321. SHA-1 and SHA-2: FIPS 180-4. A thread digests a row.
#include "cuprum/value_bytes.cuh"

// The fractional parts of the cube roots of the first 80 primes. SHA-256 takes the upper halves.
__constant__ u64 CUBE_ROOTS[80] = {
    0x428a2f98d728ae22ull, 0x7137449123ef65cdull, 0xb5c0fbcfec4d3b2full, 0xe9b5dba58189dbbcull,
    0x3956c25bf348b538ull, 0x59f111f1b605d019ull, 0x923f82a4af194f9bull, 0xab1c5ed5da6d8118ull,
    0xd807aa98a3030242ull, 0x12835b0145706fbeull, 0x243185be4ee4b28cull, 0x550c7dc3d5ffb4e2ull,
    0x72be5d74f27b896full, 0x80deb1fe3b1696b1ull, 0x9bdc06a725c71235ull, 0xc19bf174cf692694ull,
    0xe49b69c19ef14ad2ull, 0xefbe4786384f25e3ull, 0x0fc19dc68b8cd5b5ull, 0x240ca1cc77ac9c65ull,
    0x2de92c6f592b0275ull, 0x4a7484aa6ea6e483ull, 0x5cb0a9dcbd41fbd4ull, 0x76f988da831153b5ull,
    0x983e5152ee66dfabull, 0xa831c66d2db43210ull, 0xb00327c898fb213full, 0xbf597fc7beef0ee4ull,
    0xc6e00bf33da88fc2ull, 0xd5a79147930aa725ull, 0x06ca6351e003826full, 0x142929670a0e6e70ull,
    0x27b70a8546d22ffcull, 0x2e1b21385c26c926ull, 0x4d2c6dfc5ac42aedull, 0x53380d139d95b3dfull,
    0x650a73548baf63deull, 0x766a0abb3c77b2a8ull, 0x81c2c92e47edaee6ull, 0x92722c851482353bull,
    0xa2bfe8a14cf10364ull, 0xa81a664bbc423001ull, 0xc24b8b70d0f89791ull, 0xc76c51a30654be30ull,
    0xd192e819d6ef5218ull, 0xd69906245565a910ull, 0xf40e35855771202aull, 0x106aa07032bbd1b8ull,
    0x19a4c116b8d2d0c8ull, 0x1e376c085141ab53ull, 0x2748774cdf8eeb99ull, 0x34b0bcb5e19b48a8ull,
    0x391c0cb3c5c95a63ull, 0x4ed8aa4ae3418acbull, 0x5b9cca4f7763e373ull, 0x682e6ff3d6b2b8a3ull,
    0x748f82ee5defb2fcull, 0x78a5636f43172f60ull, 0x84c87814a1f0ab72ull, 0x8cc702081a6439ecull,
    0x90befffa23631e28ull, 0xa4506cebde82bde9ull, 0xbef9a3f7b2c67915ull, 0xc67178f2e372532bull,
    0xca273eceea26619cull, 0xd186b8c721c0c207ull, 0xeada7dd6cde0eb1eull, 0xf57d4f7fee6ed178ull,
    0x06f067aa72176fbaull, 0x0a637dc5a2c898a6ull, 0x113f9804bef90daeull, 0x1b710b35131c471bull,
    0x28db77f523047d84ull, 0x32caab7b40c72493ull, 0x3c9ebe0a15c9bebcull, 0x431d67c49c100d4cull,
    0x4cc5d4becb3e42b6ull, 0x597f299cfc657e2aull, 0x5fcb6fab3ad6faecull, 0x6c44198c4a475817ull,
};

// The fractional parts of the square roots of the first 8 primes (SHA-512; the upper halves: SHA-256) and
// of the next 8 (SHA-384; the lower halves: SHA-224).
__constant__ u64 SQUARE_ROOTS[16] = {
    0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull, 0xa54ff53a5f1d36f1ull,
    0x510e527fade682d1ull, 0x9b05688c2b3e6c1full, 0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull,
    0xcbbb9d5dc1059ed8ull, 0x629a292a367cd507ull, 0x9159015a3070dd17ull, 0x152fecd8f70e5939ull,
    0x67332667ffc00b31ull, 0x8eb44a8768581511ull, 0xdb0c2e0d64f98fa7ull, 0x47b5481dbefa4fa4ull,
};

// 2^32 times the absolute sines of 1, 2, ….
__constant__ u32 SINES[64] = {
    0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 0xf57c0fafu, 0x4787c62au, 0xa8304613u,
    0xfd469501u, 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu, 0x6b901122u, 0xfd987193u,
    0xa679438eu, 0x49b40821u, 0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau, 0xd62f105du,
    0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u, 0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu,
    0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au, 0xfffa3942u, 0x8771f681u, 0x6d9d6122u,
    0xfde5380cu, 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u, 0x289b7ec6u, 0xeaa127fau,
    0xd4ef3085u, 0x04881d05u, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u, 0xf4292244u,
    0x432aff97u, 0xab9423a7u, 0xfc93a039u, 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u,
    0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u, 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu,
    0xeb86d391u,
};

__constant__ u8 MD5_ROTATIONS[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

__constant__ char HEX_DIGITS[17] = "0123456789abcdef";

template <typename Word>
Word rotate_right(Word x, u32 by) {
    return x >> by | x << (sizeof(Word) * 8 - by);
}

struct Md5 {
    using Word = u32;
    static constexpr bool IS_BIG_ENDIAN = false;
    static constexpr u32 LENGTH_BYTES = 8, DIGEST_BYTES = 16, STATE_WORDS = 4;

    static void start(u32* state) {
        state[0] = 0x67452301u;
        state[1] = 0xefcdab89u;
        state[2] = 0x98badcfeu;
        state[3] = 0x10325476u;
    }

    static void compress(u32* state, u32* block) {
        u32 a = state[0], b = state[1], c = state[2], d = state[3];
        for (u32 i = 0; i < 64; ++i) {
            u32 f, k;
            if (i < 16) {
                f = (b & c) | (~b & d);
                k = i;
            } else if (i < 32) {
                f = (d & b) | (~d & c);
                k = (5 * i + 1) % 16;
            } else if (i < 48) {
                f = b ^ c ^ d;
                k = (3 * i + 5) % 16;
            } else {
                f = c ^ (b | ~d);
                k = 7 * i % 16;
            }
            const u32 turned = rotate_left(a + f + SINES[i] + block[k], MD5_ROTATIONS[i / 16 * 4 + i % 4]);
            a = d;
            d = c;
            c = b;
            b += turned;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
};

struct Sha1 {
    using Word = u32;
    static constexpr bool IS_BIG_ENDIAN = true;
    static constexpr u32 LENGTH_BYTES = 8, DIGEST_BYTES = 20, STATE_WORDS = 5;

    static void start(u32* state) {
        Md5::start(state);
        state[4] = 0xc3d2e1f0u;
    }

    static void compress(u32* state, u32* block) {
        u32 a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (u32 i = 0; i < 80; ++i) {
            if (i >= 16) {
                block[i % 16] = rotate_left(
                    block[(i + 13) % 16] ^ block[(i + 8) % 16] ^ block[(i + 2) % 16] ^ block[i % 16], 1);
            }
            u32 f;
            if (i < 20) {
                f = ((b & c) | (~b & d)) + 0x5a827999u;
            } else if (i < 40) {
                f = (b ^ c ^ d) + 0x6ed9eba1u;
            } else if (i < 60) {
                f = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
            } else {
                f = (b ^ c ^ d) + 0xca62c1d6u;
            }
            const u32 next = rotate_left(a, 5) + f + e + block[i % 16];
            e = d;
            d = c;
            c = rotate_left(b, 30);
            b = a;
            a = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
};

// SHA-2 with words of 32 bits or of 64: it differs in rotations, rounds and where constants begin.
template <typename W>
struct Sha2 {
    using Word = W;
    static constexpr bool IS_BIG_ENDIAN = true, IS_WIDE = sizeof(W) == 8;
    static constexpr u32 LENGTH_BYTES = 2 * sizeof(W), STATE_WORDS = 8, ROUNDS = IS_WIDE ? 80 : 64;

    static W turned(W x, u32 a, u32 b, u32 c) {
        return rotate_right(x, a) ^ rotate_right(x, b) ^ rotate_right(x, c);
    }
    static W shifted(W x, u32 a, u32 b, u32 shift) {
        return rotate_right(x, a) ^ rotate_right(x, b) ^ x >> shift;
    }

    static void compress(W* state, W* block) {
        W s[8];
        for (u32 k = 0; k < 8; ++k) s[k] = state[k];
        for (u32 i = 0; i < ROUNDS; ++i) {
            if (i >= 16) {
                const W early = block[(i + 1) % 16], late = block[(i + 14) % 16];
                block[i % 16] += block[(i + 9) % 16] +
                                 (IS_WIDE ? shifted(early, 1, 8, 7) : shifted(early, 7, 18, 3)) +
                                 (IS_WIDE ? shifted(late, 19, 61, 6) : shifted(late, 17, 19, 10));
            }
            const W constant = IS_WIDE ? W(CUBE_ROOTS[i]) : W(CUBE_ROOTS[i] >> 32);
            const W first = s[7] + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constant + block[i % 16] +
                            (IS_WIDE ? turned(s[4], 14, 18, 41) : turned(s[4], 6, 11, 25));
            const W second = ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])) +
                             (IS_WIDE ? turned(s[0], 28, 34, 39) : turned(s[0], 2, 13, 22));
#pragma unroll
            for (u32 k = 7; k > 0; --k) s[k] = s[k - 1];
            s[4] += first;
            s[0] = first + second;
        }
        for (u32 k = 0; k < 8; ++k) state[k] += s[k];
    }
};

struct Sha256 : Sha2<u32> {
    static constexpr u32 DIGEST_BYTES = 32;
    static void start(u32* state) {
        for (u32 k = 0; k < 8; ++k) state[k] = u32(SQUARE_ROOTS[k] >> 32);
    }
};

struct Sha224 : Sha2<u32> {
    static constexpr u32 DIGEST_BYTES = 28;
    static void start(u32* state) {
        for (u32 k = 0; k < 8; ++k) state[k] = u32(SQUARE_ROOTS[8 + k]);
    }
};

struct Sha512 : Sha2<u64> {
    static constexpr u32 DIGEST_BYTES = 64;
    static void start(u64* state) {
        for (u32 k = 0; k < 8; ++k) state[k] = SQUARE_ROOTS[k];
    }
};

struct Sha384 : Sha2<u64> {
    static constexpr u32 DIGEST_BYTES = 48;
    static void start(u64* state) {
        for (u32 k = 0; k < 8; ++k) state[k] = SQUARE_ROOTS[8 + k];
    }
};

// A message of which bytes come one after the other.
template <typename A>
struct Message {
    using Word = typename A::Word;
    static constexpr u32 WORD_BYTES = sizeof(Word), BLOCK_BYTES = 16 * WORD_BYTES;
    Word state[A::STATE_WORDS];
    Word block[16];
    u64 length;

    void start() {
        A::start(state);
        length = 0;
    }

    static u32 shift(u32 byte_of_word) {
        return 8 * (A::IS_BIG_ENDIAN ? WORD_BYTES - 1 - byte_of_word : byte_of_word);
    }

    void add_byte(u8 byte) {
        const u32 at = u32(length++ % BLOCK_BYTES);
        const Word part = Word(byte) << shift(at % WORD_BYTES);
        Word& word = block[at / WORD_BYTES];
        word = at % WORD_BYTES == 0 ? part : word | part;
        if (at + 1 == BLOCK_BYTES) A::compress(state, block);
    }

    template <typename Bytes>
    void add(const Bytes& bytes) {
        for (u64 i = 0; i < bytes.size; ++i) add_byte(bytes.byte(i));
    }

    // Writes the digest.
    void finish(u8* hex) {
        const u64 bits = length * 8;
        add_byte(0x80);
        while (length % BLOCK_BYTES != BLOCK_BYTES - A::LENGTH_BYTES) add_byte(0);
        for (u32 i = 0; i < A::LENGTH_BYTES; ++i) {
            const u32 significance = A::IS_BIG_ENDIAN ? A::LENGTH_BYTES - 1 - i : i;
            add_byte(significance < 8 ? u8(bits >> 8 * significance) : 0);
        }
        for (u32 i = 0; i < A::DIGEST_BYTES; ++i) {
            const u8 byte = u8(state[i / WORD_BYTES] >> shift(i % WORD_BYTES));
            hex[2 * i] = HEX_DIGITS[byte >> 4];
            hex[2 * i + 1] = HEX_DIGITS[byte & 15];
        }
    }
};

// The digests of n rows, one after the other; nulls are left out.
template <typename A>
__global__ void __launch_bounds__(DIGEST_THREADS)
    digest_rows(const ColumnDeviceView* columns, u32 num_columns, u64 n, u8* hex) {
    const u64 row = u64(blockIdx.x) * DIGEST_THREADS + threadIdx.x;
    if (row >= n) return;
    Message<A> message;
    message.start();
    for (u32 c = 0; c < num_columns; ++c) {
        const ColumnDeviceView& column = columns[c];
        if (!column.is_valid(row)) continue;
        const bool is_list = column.type_id == LIST;
        const ColumnDeviceView& view = is_list ? column.child(1) : column;
        const u64 first = is_list ? column.start(row) : row;
        const u64 end = is_list ? column.start(row + 1) : row + 1;
        with_bytes<true>(values_of(view), [&](auto bytes) {
            for (u64 i = first; i < end; ++i) {
                if (view.is_valid(i)) message.add(bytes(row_of_value(view, i)));
            }
        });
    }
    message.finish(hex + row * 2 * A::DIGEST_BYTES);
}
