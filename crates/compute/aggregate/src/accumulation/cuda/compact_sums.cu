// Sums of more groups than have copies of their statistics in shared memory, as integers of words of 32 bits. THREADS and ITEMS
// come from the declaration in compact_sums.rs.
#include "cuprum/column.cuh"
#include "cuprum/operators.cuh"
#include "cuprum/row_groups.cuh"

// The integers that floats are: of `bits` bits below two to the power of `exponent`, the lowest `spare` of which are 0, since
// no digit is for them.
struct Unit {
    i32 exponent;
    u32 bits, spare;

    __forceinline__ Unit(i32 exponent, u32 bits, u32 num_digits, u32 width)
        : exponent(exponent), bits(bits), spare(bits > num_digits * width ? bits - num_digits * width : 0) {}
};

// A value as such an integer: three words of 32 bits from word `start` on, and the value of all words above.
struct Term {
    u32 words[3];
    u32 start, above;
};

// A value as a term; false, and a term of zeros, where it is too large or has bits that the unit has none for.
template <typename T>
__forceinline__ bool term_of(T value, const Unit& unit, Term& term) {
    if constexpr (IS_FLOAT<T>) {
        const f64 wide = f64(value);
        u64 bits;
        memcpy(&bits, &wide, sizeof(bits));
        const u32 stored = u32(bits >> 52) & 2047;
        u64 digits = bits & ((1ull << 52) - 1);
        if (stored != 0) digits |= 1ull << 52;
        i32 shift = i32(stored != 0 ? stored : 1) - 1075 - (unit.exponent - i32(unit.bits));
        // Infinity is larger than any exponent.
        bool is_held = shift + 53 <= i32(unit.bits);
        if (shift < i32(unit.spare)) {
            is_held = is_held && (digits == 0 || __ffsll(i64(digits)) - 1 >= i32(unit.spare) - shift);
            if (shift < 0) digits = shift > -64 ? digits >> -shift : 0;
            shift = Max()(shift, 0);
        }
        if (!is_held) {
            digits = 0;
            shift = 0;
        }
        const u32 within = u32(shift) & 31;
        u64 low = digits << within;
        u32 high = u32(digits >> 1 >> (63 - within));
        const bool is_negative = (bits >> 63) != 0 && digits != 0;
        if (is_negative) {
            low = 0 - low;
            high = ~high + (low == 0 ? 1 : 0);
        }
        term = {{u32(low), u32(low >> 32), high}, u32(shift) >> 5, is_negative ? ~0u : 0};
        return is_held;
    } else {
        const u32 above = IS_SIGNED<T> && value < T(0) ? ~0u : 0;
        const u64 bits = u64(i64(value));
        // Unsigned numbers of 64 bits are no negative ones.
        term = {{u32(bits), u32(bits >> 32), above}, 0, above};
        return true;
    }
}

// Adds the terms of rows to the sums whose first words `sum_of` has, the others `stride` apart. One word of all rows comes
// before the next one of any, so that what waits for a carry has the others to do. Whoever makes a word overflow carries to
// the next one.
template <typename SumOf>
__forceinline__ void add_terms(const Term (&terms)[ITEMS], u32 num_words, u32 stride, SumOf sum_of) {
    u32 carry[ITEMS];
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) carry[r] = 0;
#pragma unroll
    for (u32 k = 0; k < 3; ++k) {
        u32 given[ITEMS], before[ITEMS];
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) {
            given[r] = terms[r].words[k] + carry[r];
            carry[r] = given[r] < carry[r] ? 1 : 0;
            before[r] = 0;
            if (given[r] == 0) continue;
            const u32 word = terms[r].start + k;
            if (word < num_words) before[r] = atomicAdd(sum_of(r) + word * stride, given[r]);
        }
#pragma unroll
        for (u32 r = 0; r < ITEMS; ++r) carry[r] += before[r] + given[r] < given[r] ? 1 : 0;
    }
#pragma unroll
    for (u32 r = 0; r < ITEMS; ++r) {
        if (terms[r].above + carry[r] == 0) continue;
        for (u32 word = terms[r].start + 3; word < num_words; ++word) {
            const u32 given = terms[r].above + carry[r];
            // Either nothing is carried to a number above 0, or to one below.
            if (given == 0) break;
            const u32 before = atomicAdd(sum_of(r) + word * stride, given);
            carry[r] = (given < carry[r] ? 1 : 0) + (before + given < given ? 1 : 0);
        }
    }
}

// 64 bits of an integer of words of 32 bits, `stride` apart, from bit `from` on, which may be below the first.
__forceinline__ u64 bits_from(const u32* words, u32 stride, u32 num_words, i32 from) {
    const auto word = [&](i32 i) -> u64 {
        if (i < 0) return 0;
        if (i < i32(num_words)) return words[u32(i) * stride];
        return words[(num_words - 1) * stride] >> 31 ? ~0u : 0;
    };
    const i32 first = from >> 5;
    const u32 within = u32(from) & 31;
    const u64 low = word(first) | word(first + 1) << 32;
    return within == 0 ? low : low >> within | word(first + 2) << (64 - within);
}

// Adds the sum of a group to the one in device memory, whose words are `groups` apart.
__forceinline__ void add_sum(const u32* sum, u32 stride, u32 num_words, u64* to, u64 groups, u32 num_digits, u32 width,
                             u32 bits) {
    const auto add = [&](u32 place, u64 value) {
        if (value != 0) atomicAdd(to + place * groups, value);
    };
    if (num_digits == 0) {
        // Integers are the sum of their lower 32 bits and that of the upper ones.
        add(0, *sum);
        add(1, bits_from(sum, stride, num_words, 32));
    } else {
        // From the unit of the sum to that of the last digit.
        i32 from = i32(bits) - i32(num_digits * width);
        for (u32 k = num_digits; k > 0; --k, from += i32(width)) {
            const u64 digit = bits_from(sum, stride, num_words, from);
            add(k - 1, k == 1 ? digit : digit & ((1ull << width) - 1));
        }
    }
}

// Adds the sums of the groups of rows to `state`, and their counts with `counts`: what `accumulate` in statistics.cu does, in
// 12 to 28 bytes of shared memory for each group, where its words would take more than there is. `of` has the
// groups of rows; rows whose number is no group count nowhere. `num_digits` is 0 for integers. `unfit`
// becomes 1 where a float is not held by its digits. For whole blocks.
template <typename T, typename Groups>
__forceinline__ void add_compactly(Groups& of, const ColumnDeviceView& column, u64 groups, bool counts, u32 num_digits,
                                   i32 exponent, u32 width, u32 bits, u32 num_words, u32* shared, u64* state,
                                   u32* unfit) {
    const u32 stride = u32(groups);
    u32* const counted = shared;
    u32* const sums = counted + (counts ? stride : 0);
    for (u32 i = threadIdx.x; i < (num_words + (counts ? 1 : 0)) * stride; i += THREADS) counted[i] = 0;
    __syncthreads();
    const Unit unit(exponent, bits, num_digits, width);
    const u64 n = column.len, step = u64(gridDim.x) * THREADS * ITEMS;
    bool fits = true;
    for (u64 begin = u64(blockIdx.x) * THREADS * ITEMS + threadIdx.x; begin < n; begin += step) {
        typename Groups::Key keys[ITEMS];
        u32 group[ITEMS];
        T values[ITEMS];
        Term terms[ITEMS];
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            keys[k] = row < n ? of.key(row) : 0;
            values[k] = row < n ? column.value<T>(row) : T(0);
        }
#pragma unroll
        for (u32 k = 0; k < ITEMS; ++k) {
            const u64 row = begin + k * THREADS;
            group[k] = row < n ? of.group(keys[k], row) : NONE;
            const bool is_there = group[k] < stride && values[k] == values[k] && column.is_valid(begin + k * THREADS);
            // A block has fewer rows than 32 bits count.
            if (counts && is_there) atomicAdd(counted + group[k], 1u);
            // Missing values add no word, and so need no sum.
            fits = term_of(is_there ? values[k] : T(0), unit, terms[k]) && fits;
        }
        add_terms(terms, num_words, stride, [&](u32 k) { return sums + group[k]; });
    }
    if (!fits && unfit != nullptr) atomicOr(unfit, 1u);
    __syncthreads();
    // Blocks begin at different groups, so that they do not meet.
    const u32 start = blockIdx.x * THREADS % stride;
    for (u32 i = threadIdx.x; i < stride; i += THREADS) {
        const u32 id = (start + i) % stride;
        if (counts && counted[id] != 0) atomicAdd(state + id, u64(counted[id]));
        add_sum(sums + id, stride, num_words, state + id + (counts ? groups : 0), groups, num_digits, width, bits);
    }
}

// [`add_compactly`] by the ids of rows, in dynamic shared memory.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    compact_sums(const u32* __restrict__ ids, ColumnDeviceView column, u64 groups, bool counts, u32 num_digits,
                 i32 exponent, u32 width, u32 bits, u32 num_words, u64* state, u32* unfit) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    NumberedRows of(ids);
    add_compactly<T>(of, column, groups, counts, num_digits, exponent, width, bits, num_words,
                     reinterpret_cast<u32*>(dyn_smem), state, unfit);
}

// The same by codes of keys, `bound` of which are groups, see `CodedRows`. Bits of codes that are known are behind the sums.
// The third word becomes 1 where a float is not held by its digits.
template <typename T, typename Key>
__global__ void __launch_bounds__(THREADS)
    compact_sums_by_codes(ColumnDeviceView keys, u64 least, u32 bound, const u32* __restrict__ known, u32* first_rows,
                          u32* told, ColumnDeviceView column, bool counts, u32 num_digits, i32 exponent, u32 width,
                          u32 bits, u32 num_words, u64* state) {
    extern __shared__ __align__(16) unsigned char dyn_smem[];
    u32* const shared = reinterpret_cast<u32*>(dyn_smem);
    CodedRows<Key> of(keys, least, bound, known, first_rows);
    of.hold_known(shared + (num_words + (counts ? 1 : 0)) * bound);
    add_compactly<T>(of, column, bound, counts, num_digits, exponent, width, bits, num_words, shared, state, told + 2);
    of.tell(told);
}
