// The proleptic Gregorian calendar, by the arithmetic of `datetime::calendar`. Days are counted from 1970-01-01.
#pragma once
#include "cuprum/types.cuh"

constexpr i64 SECONDS_OF_DAY = 86400;
constexpr i64 NANOSECONDS_OF_DAY = 86400000000000;

// a / b rounded down, and what is left then; b is positive.
__forceinline__ i64 divided_down(i64 a, i64 b) { return a / b - (a % b < 0); }
__forceinline__ i64 left_of_division(i64 a, i64 b) { return a % b + (a % b < 0 ? b : 0); }

struct Civil {
    i64 year;
    u32 month, day;
};

__forceinline__ Civil civil_from_days(i64 days) {
    const i64 shifted = days + 719468, era = divided_down(shifted, 146097);
    const u32 day_of_era = u32(shifted - era * 146097);
    const u32 year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const u32 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const u32 from_march = (5 * day_of_year + 2) / 153;
    const u32 day = day_of_year - (153 * from_march + 2) / 5 + 1;
    const u32 month = from_march < 10 ? from_march + 3 : from_march - 9;
    return {era * 400 + i64(year_of_era) + i64(month <= 2), month, day};
}

__forceinline__ i64 days_from_civil(Civil date) {
    const i64 year = date.year - (date.month <= 2), era = divided_down(year, 400);
    const u32 year_of_era = u32(year - era * 400);
    const u32 from_march = date.month > 2 ? date.month - 3 : date.month + 9;
    const u32 day_of_year = (153 * from_march + 2) / 5 + date.day - 1;
    return era * 146097 + i64(year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year) - 719468;
}

__forceinline__ bool is_leap_year(i64 year) { return year % (year % 100 == 0 ? 16 : 4) == 0; }

__forceinline__ u32 days_in_month(Civil date) {
    return date.month == 2 ? 28 + u32(is_leap_year(date.year)) : 30 + ((date.month ^ date.month >> 3) & 1);
}

// Seconds since 1970-01-01 UTC and nanoseconds of the second.
struct Instant {
    i64 seconds;
    u32 nanos;
};

// Times in units of a given number a day, rounded down; whether they fit.
template <typename T>
inline bool in_units(Instant time, i64 per_day, T& value) {
    if (per_day == 1) {
        value = T(divided_down(time.seconds, SECONDS_OF_DAY));
        return i64(value) == divided_down(time.seconds, SECONDS_OF_DAY);
    }
    const i64 per_second = per_day / SECONDS_OF_DAY;
    const __int128 units = __int128(time.seconds) * per_second + time.nanos / (1000000000 / per_second);
    value = T(units);
    return units == value;
}
