// Values as equal ones of another type. THREADS comes from the declaration in exact_values.rs.
#include "cuprum/block.cuh"
#include "cuprum/column.cuh"
#include "cuprum/operators.cuh"

typedef __int128 i128;
typedef unsigned __int128 u128;

// A number of any type, as it is: `ExactNumber` in cpu.rs.
struct Number {
    i128 integer;
    f64 real;
    bool is_real;
};

template <typename T>
__forceinline__ Number number_of(T value) {
    if constexpr (IS_SAME<T, Decimal128>) {
        return {i128(u128(u64(value.high)) << 64 | value.low), 0, false};
    } else if constexpr (IS_FLOAT<T>) {
        return {0, f64(value), true};
    } else {
        return {i128(value), 0, false};
    }
}

// A conversion between units or scales: `value * factor / divisor`, where one of the two is 1. With `only_zero` the power of
// ten is beyond 128 bits, so 0 alone has an equal value.
struct Scaling {
    u64 factor_high, factor_low;
    u64 divisor_high, divisor_low;
    u64 only_zero;
};

__forceinline__ i128 wide(u64 high, u64 low) { return i128(u128(high) << 64 | low); }

__forceinline__ bool scale(const Scaling& by, i128& value) {
    if (value == 0) return true;
    if (by.only_zero != 0) return false;
    const i128 factor = wide(by.factor_high, by.factor_low), divisor = wide(by.divisor_high, by.divisor_low);
    if (factor != 1) {
        const i128 product = i128(u128(value) * u128(factor));
        if (product / factor != value) return false;
        value = product;
    }
    if (divisor == 1) return true;
    const i128 whole = value / divisor;
    if (whole * divisor != value) return false;
    value = whole;
    return true;
}

// Sets `value` to the value of T that equals a number; false where T has none.
template <typename T>
__forceinline__ bool equal_value(const Number& number, T& value) {
    if constexpr (IS_SAME<T, Decimal128>) {
        value = {u64(number.integer), i64(number.integer >> 64)};
        return true;
    } else if constexpr (IS_FLOAT<T>) {
        if (number.is_real) {
            value = T(number.real);
            return f64(value) == number.real;
        }
        // Integers beside floats have 64 bits.
        value = number.integer < 0 ? T(i64(number.integer)) : T(u64(number.integer));
        if (value >= T(18446744073709551616.0)) return false;
        return value < 0 ? i128(i64(value)) == number.integer : i128(u64(value)) == number.integer;
    } else {
        if (number.is_real) {
            // The bounds are powers of two, which floats hold.
            const f64 end = 2.0 * f64(u64(largest_of<T>()) / 2 + 1);
            if (!(number.real >= f64(smallest_of<T>()) && number.real < end)) return false;
            value = T(number.real);
            return f64(value) == number.real;
        }
        value = T(number.integer);
        return i128(value) == number.integer;
    }
}

// The values of a column as values of the type `to`, and the bits of those that equal one.
__global__ void __launch_bounds__(THREADS)
    exact_values(ColumnDeviceView column, Scaling scaling, i32 to, u8* __restrict__ values, u32* __restrict__ valid) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 begin = u64(blockIdx.x) * THREADS + warp_id() * WARP; begin < column.len; begin += step) {
        const u64 row = begin + lane_id();
        bool is_there = row < column.len && column.is_valid(row);
        Number number = {0, 0, false};
        if (is_there) {
            with_stored(column.type_id, [&](auto type) { number = number_of(column.value<decltype(type)>(row)); });
            is_there = number.is_real || scale(scaling, number.integer);
        }
        if (is_there) {
            with_stored(to, [&](auto type) {
                decltype(type) value;
                is_there = equal_value(number, value);
                if (is_there) reinterpret_cast<decltype(type)*>(values)[row] = value;
            });
        }
        const u32 bits = __ballot_sync(ALL_LANES, is_there);
        if (lane_id() == 0) valid[begin / 32] = bits;
    }
}
