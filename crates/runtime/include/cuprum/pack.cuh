// Sixteen bytes at a time: the widest access of one thread.
#pragma once
#include "cuprum/types.cuh"

template <typename T>
constexpr u32 PACK = 16 / sizeof(T);

template <typename T>
struct __align__(16) Pack {
    T items[PACK<T>];
};

// A whole aligned pack is moved as one word of 16 bytes, which the compiler does not find by itself
// for small elements.
struct __align__(16) Word16 {
    u32 parts[4];
};

template <typename T>
bool is_aligned16(const T* pointer) {
    return (u64(pointer) & 15) == 0;
}

// Elements [i, i + PACK) of n; `otherwise` beyond the end. i is a multiple of PACK.
template <typename T>
Pack<T> load_pack(const T* from, u64 i, u64 n, T otherwise) {
    Pack<T> pack;
    if (i + PACK<T> <= n && is_aligned16(from)) {
        *reinterpret_cast<Word16*>(&pack) = *reinterpret_cast<const Word16*>(from + i);
    } else {
#pragma unroll
        for (u32 k = 0; k < PACK<T>; ++k) pack.items[k] = i + k < n ? from[i + k] : otherwise;
    }
    return pack;
}

// Stores elements [i, i + PACK) of n; nothing beyond the end. i is a multiple of PACK.
template <typename T>
void store_pack(T* to, u64 i, u64 n, const Pack<T>& pack) {
    if (i + PACK<T> <= n && is_aligned16(to)) {
        *reinterpret_cast<Word16*>(to + i) = *reinterpret_cast<const Word16*>(&pack);
    } else {
#pragma unroll
        for (u32 k = 0; k < PACK<T>; ++k) {
            if (i + k < n) to[i + k] = pack.items[k];
        }
    }
}
