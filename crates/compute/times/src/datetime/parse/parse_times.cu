// Texts as times, in the forms of ISO 8601: `iso::parse_iso` of the CPU.
#include "cuprum/calendar.cuh"
#include "cuprum/texts.cuh"

// What is left of a text that is read from its start.
struct Rest {
    const u8* at;
    const u8* end;

    u64 size() const { return u64(end - at); }
    bool is_empty() const { return at == end; }
    bool begins_with(u8 byte) const { return at < end && *at == byte; }
    // Goes on behind a byte where that is next.
    bool skip(u8 byte) {
        if (!begins_with(byte)) return false;
        ++at;
        return true;
    }
    // Two digits; 100 and more where they are none.
    u32 two() {
        if (size() < 2) return 1000;
        const u32 high = decimal_digit(at[0]), low = decimal_digit(at[1]);
        at += 2;
        return high > 9 || low > 9 ? 1000 : high * 10 + low;
    }
    // A number of two digits, or of one where no second follows; 100 and more where it is none.
    u32 one_or_two() {
        if (is_empty() || decimal_digit(*at) > 9) return 1000;
        const u32 high = decimal_digit(*at++);
        return is_empty() || decimal_digit(*at) > 9 ? high : high * 10 + decimal_digit(*at++);
    }
};

// Seconds since 1970-01-01 UTC and nanoseconds of the second.
struct Instant {
    i64 seconds;
    u32 nanos;
};

// `Z` or `±HH[[:]MM[[:]SS]]` in seconds east of UTC.
inline bool parse_offset(Rest rest, i64& offset) {
    offset = 0;
    if (rest.skip('Z') || rest.skip('z')) return rest.is_empty();
    const bool is_west = rest.begins_with('-');
    if (!is_west && !rest.begins_with('+')) return false;
    ++rest.at;
    const u32 hours = rest.two();
    if (hours > 23) return false;
    i64 seconds = i64(hours) * 3600;
    for (i64 scale = 60; scale > 0 && !rest.is_empty(); scale = scale == 60) {
        rest.skip(':');
        const u32 value = rest.two();
        if (value > 59) return false;
        seconds += value * scale;
    }
    offset = is_west ? -seconds : seconds;
    return rest.is_empty();
}

// The text behind a date: nothing, or a time and a zone.
inline bool parse_time_of_day(Rest rest, Instant& time) {
    if (rest.is_empty()) return true;
    if (!rest.skip('T') && !rest.skip(' ') && !rest.skip('t')) return false;
    u32 hour;
    if (rest.size() >= 2 && decimal_digit(rest.at[0]) < 10 && rest.at[1] == ':') {
        hour = decimal_digit(*rest.at++);
    } else {
        hour = rest.two();
    }
    if (hour > 23) return false;
    time.seconds += i64(hour) * 3600;
    if (rest.skip(':')) {
        const u32 minute = rest.two();
        if (minute > 59) return false;
        time.seconds += minute * 60;
        if (rest.skip(':')) {
            const u32 second = rest.two();
            if (second > 59) return false;
            time.seconds += second;
            if (rest.skip('.') || rest.skip(',')) {
                u32 digits = 0;
                for (; !rest.is_empty() && decimal_digit(*rest.at) < 10; ++rest.at, ++digits) {
                    if (digits < 9) time.nanos = time.nanos * 10 + decimal_digit(*rest.at);
                }
                if (digits == 0) return false;
                for (; digits < 9; ++digits) time.nanos *= 10;
            }
        }
    }
    if (rest.skip(' ') && rest.is_empty()) return false;
    if (rest.is_empty()) return true;
    i64 offset;
    if (!parse_offset(rest, offset)) return false;
    time.seconds -= offset;
    return true;
}

inline bool parse_iso(StringView text, Instant& time) {
    Rest rest = {text.bytes, text.bytes + text.size};
    const u32 century = rest.two(), year_of_century = rest.two();
    if (century > 99 || year_of_century > 99) return false;
    Civil date = {century * 100 + year_of_century, 1, 1};
    if (!rest.is_empty()) {
        const u8 separator = *rest.at;
        if (separator == '-' || separator == '/') {
            ++rest.at;
            date.month = rest.one_or_two();
            if (!rest.is_empty()) {
                if (!rest.skip(separator)) return false;
                date.day = rest.one_or_two();
            }
        } else {
            date.month = rest.two();
            date.day = rest.two();
        }
    }
    if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > days_in_month(date)) return false;
    time = {days_from_civil(date) * SECONDS_OF_DAY, 0};
    return parse_time_of_day(rest, time);
}

// Times as units of which a day has so many, rounded down; whether they fit.
template <typename T>
bool in_units(Instant time, i64 per_day, T& value) {
    if (per_day == 1) {
        value = T(divided_down(time.seconds, SECONDS_OF_DAY));
        return i64(value) == divided_down(time.seconds, SECONDS_OF_DAY);
    }
    const i64 per_second = per_day / SECONDS_OF_DAY;
    const __int128 units = __int128(time.seconds) * per_second + time.nanos / (1000000000 / per_second);
    value = T(units);
    return units == value;
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_iso_times(TextsDeviceView column, i64 per_day, T* values, u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, ParsedOut<T>{values, first_bad, validity}, [&](StringView text, T& value) {
        Instant time;
        return parse_iso(text, time) && in_units(time, per_day, value);
    });
}
