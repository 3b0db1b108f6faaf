// Sums and means of decimals, exact. The stored integers are accumulated, for each group, as a count, the sum
// of the lower 32 bits and that of the upper ones: see statistics.cu. THREADS comes from the declaration in
// decimal_sums.rs.
#include "cuprum/column.cuh"

// The lower and the upper half of integers of 128 bits.
__global__ void __launch_bounds__(THREADS)
    split_decimals(ColumnDeviceView column, u64* __restrict__ low, i64* __restrict__ high) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < column.len; row += step) {
        low[row] = column.value<u64>(column.offset + 2 * row);
        high[row] = column.value<i64>(column.offset + 2 * row + 1);
    }
}

struct Wide {
    u64 low, high;
};

// `low + (high << 32)`, with a signed `high`; `above` is the part beyond 64 bits.
inline u64 joined(u64 low, u64 high, i64& above) {
    const u64 sum = low + (high << 32);
    above = (i64(high) >> 32) + (sum < low ? 1 : 0);
    return sum;
}

inline Wide negated(Wide value) { return {~value.low + 1, ~value.high + (value.low == 0 ? 1 : 0)}; }

// The mean of `count` values with a sum, with six digits more, to the nearest integer, halves to the even one. False where
// the sum does not fit with these digits.
inline bool mean_of(Wide sum, u64 count, Wide& mean) {
    const bool is_negative = i64(sum.high) < 0;
    if (is_negative) sum = negated(sum);
    u32 digits[4] = {u32(sum.low), u32(sum.low >> 32), u32(sum.high), u32(sum.high >> 32)};
    u64 carry = 0;
    for (u32 k = 0; k < 4; ++k) {
        carry += u64(digits[k]) * 1000000;
        digits[k] = u32(carry);
        carry >>= 32;
    }
    const bool is_least = digits[3] == 1u << 31 && (digits[2] | digits[1] | digits[0]) == 0;
    if (carry != 0 || (digits[3] >> 31 != 0 && !(is_negative && is_least))) return false;
    u64 rest = 0;
    for (u32 k = 4; k > 0; --k) {
        const u64 part = rest << 32 | digits[k - 1];
        digits[k - 1] = u32(part / count);
        rest = part % count;
    }
    mean = {u64(digits[1]) << 32 | digits[0], u64(digits[3]) << 32 | digits[2]};
    if (rest > count - rest || (rest == count - rest && (mean.low & 1) != 0)) {
        mean.low += 1;
        mean.high += mean.low == 0 ? 1 : 0;
    }
    if (is_negative) mean = negated(mean);
    return true;
}

// The sums of each group, or their means, as two words each; `high` has the sums of the upper halves of
// decimals of 128 bits. Says in `failed` where one does not fit.
__global__ void __launch_bounds__(THREADS)
    finish_decimals(const u64* __restrict__ state, const u64* high, u64 groups, bool means, u64* __restrict__ out,
                    u32* failed) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        i64 above = 0;
        Wide sum = {joined(state[groups + g], state[2 * groups + g], above), 0};
        bool fits = true;
        if (high == nullptr) {
            sum.high = u64(above);
        } else {
            // The lower halves have no sign.
            const u64 before = u64(above) & 0xffffffff;
            i64 top = 0;
            const u64 upper = joined(high[groups + g], high[2 * groups + g], top);
            sum.high = upper + before;
            top += sum.high < upper ? 1 : 0;
            fits = top == i64(sum.high) >> 63;
        }
        const u64 count = state[g];
        Wide result = sum;
        if (means) {
            result = {0, 0};
            if (count != 0 && fits) fits = mean_of(sum, count, result);
        }
        if (!fits) atomicOr(failed, 1u);
        out[2 * g] = result.low;
        out[2 * g + 1] = result.high;
    }
}

// The sums of durations of each group, of 32 bits where `narrow` is given. Says in `failed` where one does not fit.
__global__ void __launch_bounds__(THREADS)
    finish_durations(const u64* __restrict__ state, u64 groups, i64* out, i32* narrow, u32* failed) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 g = u64(blockIdx.x) * THREADS + threadIdx.x; g < groups; g += step) {
        i64 above = 0;
        const i64 sum = i64(joined(state[groups + g], state[2 * groups + g], above));
        const bool fits = above == sum >> 63 && (narrow == nullptr || sum == i32(sum));
        if (!fits) atomicOr(failed, 1u);
        if (out != nullptr) out[g] = sum;
        if (narrow != nullptr) narrow[g] = i32(sum);
    }
}
