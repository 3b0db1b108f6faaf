// Times of rows: rounded, moved by months, put together, or at their places in a zone, by the arithmetic of the CPU.
#include "cuprum/block.cuh"
#include "cuprum/calendar.cuh"
#include "cuprum/column.cuh"
#include "cuprum/search.cuh"

enum Outcome : u32 { IS_MADE, IS_NULL, IS_REFUSED };

// Where times go, and the least row that was refused, which is ~0 before. Values may be left out, and validity is there
// where rows become null.
template <typename T>
struct TimesOut {
    T* values;
    u64* first_bad;
    u32* validity;
};

// Makes a time of each of n rows: `row(i, time)` says whether there is one. Others get 0; what T does not hold is refused.
template <typename T, typename Row>
void map_times(u64 n, const TimesOut<T>& out, Row row) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 first = u64(blockIdx.x) * THREADS; first < n; first += step) {
        const u64 i = first + threadIdx.x;
        i64 time = 0;
        Outcome outcome = i < n ? row(i, time) : IS_NULL;
        if (outcome == IS_MADE && i64(T(time)) != time) outcome = IS_REFUSED;
        if (i < n && out.values != nullptr) out.values[i] = outcome == IS_MADE ? T(time) : T(0);
        const u32 made = __ballot_sync(ALL_LANES, outcome == IS_MADE);
        const u32 refused = __ballot_sync(ALL_LANES, outcome == IS_REFUSED);
        if (lane_id() != 0 || i >= n) continue;
        if (out.validity != nullptr) out.validity[i / WARP] = made;
        if (refused != 0) atomicMin(out.first_bad, i + u64(__ffs(refused) - 1));
    }
}

// What 64 bits hold of a number.
inline Outcome made_of(__int128 time, i64& made) {
    made = i64(time);
    return time == made ? IS_MADE : IS_REFUSED;
}

enum RoundingMode : u32 { FLOOR = 0, CEIL = 1, HALF_EVEN = 2 };

template <typename T>
__global__ void __launch_bounds__(THREADS)
    round_times(ColumnDeviceView column, i64 period, u32 mode, T* values, u64* first_bad) {
    map_times(column.len, TimesOut<T>{values, first_bad, nullptr}, [&](u64 i, i64& time) -> Outcome {
        if (!column.is_valid(i)) return IS_NULL;
        const i64 value = column.value<T>(i), quotient = divided_down(value, period);
        const i64 rest = left_of_division(value, period), other = period - rest;
        const bool is_up = mode == CEIL ? rest > 0
                                        : mode == HALF_EVEN && (rest > other || (rest == other && (quotient & 1) != 0));
        return made_of(is_up ? __int128(value) + other : __int128(value) - rest, time);
    });
}

// An integer of up to 64 bits; unsigned ones that do not fit saturate.
inline i64 saturated_at(const ColumnDeviceView& column, u64 row) {
    const i64 value = i64(integer_at(column, row));
    return value < 0 && column.type_id == UINT64 ? 0x7fffffffffffffff : value;
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    add_months(ColumnDeviceView column, ColumnDeviceView months, bool has_months, i64 all_months, i64 per_day,
               T* values, u64* first_bad) {
    map_times(column.len, TimesOut<T>{values, first_bad, nullptr}, [&](u64 i, i64& time) -> Outcome {
        if (!column.is_valid(i) || (has_months && !months.is_valid(i))) return IS_NULL;
        const i64 value = column.value<T>(i);
        const Civil date = civil_from_days(divided_down(value, per_day));
        const __int128 moved = __int128(date.year * 12 + date.month - 1) + (has_months ? saturated_at(months, i) : all_months);
        // Beyond the years of any unit the arithmetic of the calendar could overflow.
        const __int128 most = __int128(1) << 52;
        if (moved > most || moved < -most) return IS_REFUSED;
        Civil to = {divided_down(i64(moved), 12), u32(left_of_division(i64(moved), 12)) + 1, 1};
        const u32 last = days_in_month(to);
        to.day = date.day < last ? date.day : last;
        return made_of(__int128(days_from_civil(to)) * per_day + left_of_division(value, per_day), time);
    });
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    times_of_components(const ColumnDeviceView* columns, u32 given, u64 n, i64 per_day, T* values, u64* first_bad) {
    map_times(n, TimesOut<T>{values, first_bad, nullptr}, [&](u64 i, i64& time) -> Outcome {
        i64 parts[7];
        u32 column = 0;
        bool is_valid = true;
        for (u32 part = 0; part < 7; ++part) {
            parts[part] = 0;
            if ((given >> part & 1) == 0) continue;
            is_valid &= columns[column].is_valid(i);
            parts[part] = saturated_at(columns[column++], i);
        }
        if (!is_valid) return IS_NULL;
        const i64 most[7] = {999999999, 12, 31, 23, 59, 59, 999999999};
        bool is_time = parts[0] >= -999999999 && parts[1] >= 1 && parts[2] >= 1;
        for (u32 part = 0; part < 7; ++part) is_time &= parts[part] <= most[part] && (part == 0 || parts[part] >= 0);
        if (!is_time) return IS_REFUSED;
        const Civil date = {parts[0], u32(parts[1]), u32(parts[2])};
        if (date.day > days_in_month(date)) return IS_REFUSED;
        const i64 seconds = parts[3] * 3600 + parts[4] * 60 + parts[5];
        return in_units({days_from_civil(date) * SECONDS_OF_DAY + seconds, u32(parts[6])}, per_day, time) ? IS_MADE
                                                                                                          : IS_REFUSED;
    });
}

// ---- Zones --------------------------------------------------------------------------------------------

// The kinds of places: `zones::pieces::Place`.
enum PlaceKind : i64 { MOVED = 0, AT = 1, BEFORE = 2, NUMBER = 3, NOWHERE = 4 };

// Seconds of 400 years, in which days of the week and leap years come again.
constexpr i64 CYCLE = 146097 * SECONDS_OF_DAY;

// Each time at the place that its piece of time says; times of 32 bits are days, others have `per_second` units.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    place_times(ColumnDeviceView column, i64 per_second, i64 first, i64 last, i64 repeats_from, const i64* starts,
                const i64* places, u64 count, i64* values, u64* first_bad, u32* validity) {
    map_times(column.len, TimesOut<i64>{values, first_bad, validity}, [&](u64 i, i64& time) -> Outcome {
        if (!column.is_valid(i)) return IS_NULL;
        const i64 value = i64(column.value<T>(i)) * (sizeof(T) == 4 ? SECONDS_OF_DAY : 1);
        const i64 seconds = divided_down(value, per_second);
        if (seconds < first || seconds > last) return IS_REFUSED;
        const i64 cycles = seconds < repeats_from ? 0 : (seconds - repeats_from) / CYCLE * CYCLE;
        const u64 piece = partition_point(1, count, [&](u64 k) { return starts[k] > seconds - cycles; }) - 1;
        const i64 kind = places[2 * piece], number = places[2 * piece + 1];
        __int128 made = number;
        switch (kind) {
            case MOVED: made = __int128(value) + __int128(number) * per_second; break;
            case AT: made = __int128(number + cycles) * per_second; break;
            case BEFORE: made = __int128(number + cycles) * per_second - 1; break;
            case NUMBER: break;
            case NOWHERE: return IS_NULL;
            default: return IS_REFUSED;
        }
        // The least number is no time.
        if (made == __int128(i64(1ull << 63))) return IS_REFUSED;
        return made_of(made, time);
    });
}
