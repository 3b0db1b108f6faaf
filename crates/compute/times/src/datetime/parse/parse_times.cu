// Texts as times, in the forms of ISO 8601 or in a format: `iso::parse_iso` and `parse::parse_items` of the CPU.
#include "cuprum/calendar.cuh"
#include "cuprum/texts.cuh"
#include "cuprum/time_fields.cuh"

// The rest of a text that is read from its start.
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

// The offset that a time of ISO 8601 ends with: `iso::stated_offset`.
inline bool parse_stated_offset(StringView text, i64& offset) {
    u64 at = 8;
    while (at < text.size && (text.bytes[at] | 0x20) != 't' && text.bytes[at] != ' ') ++at;
    while (at < text.size && text.bytes[at] != '+' && text.bytes[at] != '-' && (text.bytes[at] | 0x20) != 'z') ++at;
    return at < text.size && parse_offset({text.bytes + at, text.bytes + text.size}, offset);
}

// ---- Formats ------------------------------------------------------------------------------------------

// The steps that a format is read in, as `Steps` of Rust has them: a byte of text in lower case follows the first, the
// others are alone; fields have the numbers of `format::Field` behind them.
enum Step : u8 { BYTE = 0, WHITE_SPACE = 1, FIRST_FIELD = 2 };
struct Format {
    const u8* steps;
    u64 num_steps;
    const u8* names;  // of the months, then of the days of the week from Monday on: the size and nine bytes of each
};

constexpr i32 NONE = -1;

// What the fields of a format have said so far.
struct Parts {
    i32 year = NONE, century = NONE, year_of_century = NONE, month = NONE, day = NONE;
    i32 hour = 0, hour_12 = NONE, afternoon = NONE, minute = 0, second = 0;
    u32 nanos = 0;
    i32 day_of_year = NONE, week_sunday = NONE, week_monday = NONE, weekday = NONE;  // Monday is 0
    i32 iso_year = NONE, iso_week = NONE;
    bool has_offset = false;
    i64 offset = 0;
};

inline u8 in_lower_case(u8 byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

// Goes on behind a text in lower case where that is next, whatever its case.
inline bool skip_name(Rest& rest, const u8* name, u32 size) {
    if (rest.size() < size) return false;
    for (u32 i = 0; i < size; ++i) {
        if (in_lower_case(rest.at[i]) != name[i]) return false;
    }
    rest.at += size;
    return true;
}

template <u32 SIZE>
bool skip_word(Rest& rest, const char (&word)[SIZE]) {
    return skip_name(rest, reinterpret_cast<const u8*>(word), SIZE - 1);
}

// The number of the next of some names, or of their first letters.
inline i32 parse_name(Rest& rest, const u8* names, u32 num_names, u32 most_letters) {
    for (u32 i = 0; i < num_names; ++i) {
        const u8* name = names + i * NAME;
        if (skip_name(rest, name + 1, name[0] < most_letters ? name[0] : most_letters)) return i32(i);
    }
    return NONE;
}

// A number of up to `width` digits within [low, high], with a digit less where it is too large with it.
inline i32 parse_number(Rest& rest, u32 width, i32 low, i32 high) {
    u32 count = 0;
    while (count < width && count < rest.size() && decimal_digit(rest.at[count]) < 10) ++count;
    for (; count > 0; --count) {
        i32 value = 0;
        for (u32 i = 0; i < count; ++i) value = value * 10 + i32(decimal_digit(rest.at[i]));
        if (low <= value && value <= high) {
            rest.at += count;
            return value;
        }
    }
    return NONE;
}

// As many digits as `width`.
inline i32 parse_digits(Rest& rest, u32 width) {
    if (rest.size() < width) return NONE;
    i32 value = 0;
    for (u32 i = 0; i < width; ++i) {
        const u32 digit = decimal_digit(rest.at[i]);
        if (digit > 9) return NONE;
        value = value * 10 + i32(digit);
    }
    rest.at += width;
    return value;
}

inline bool is_ascii_whitespace(u8 byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
}

// Reads a field into the parts; whether it is there.
inline bool parse_field(u32 field, const Format& format, Rest& rest, Parts& parts) {
    const u8 *const months = format.names, *const weekdays = format.names + 12 * NAME;
    switch (field) {
        case YEAR: return (parts.year = parse_digits(rest, 4)) >= 0;
        case CENTURY: return (parts.century = parse_digits(rest, 2)) >= 0;
        case YEAR_OF_CENTURY: return (parts.year_of_century = parse_digits(rest, 2)) >= 0;
        case ISO_YEAR: return (parts.iso_year = parse_digits(rest, 4)) >= 0;
        case MONTH: return (parts.month = parse_number(rest, 2, 1, 12)) >= 0;
        case DAY: rest.skip(' '); return (parts.day = parse_number(rest, 2, 1, 31)) >= 0;
        case HOUR: return (parts.hour = parse_number(rest, 2, 0, 23)) >= 0;
        case HOUR_12: return (parts.hour_12 = parse_number(rest, 2, 1, 12)) >= 0;
        case MINUTE: return (parts.minute = parse_number(rest, 2, 0, 59)) >= 0;
        case SECOND: return (parts.second = parse_number(rest, 2, 0, 59)) >= 0;
        case FRACTION: {
            u32 count = 0, nanos = 0;
            for (; count < 9 && !rest.is_empty() && decimal_digit(*rest.at) < 10; ++count) {
                nanos = nanos * 10 + decimal_digit(*rest.at++);
            }
            if (count == 0) return false;
            for (; count < 9; ++count) nanos *= 10;
            parts.nanos = nanos;
            return true;
        }
        case NANOSECOND: {
            const i32 nanos = parse_digits(rest, 9);
            parts.nanos = u32(nanos);
            return nanos >= 0;
        }
        case DAY_OF_YEAR: return (parts.day_of_year = parse_number(rest, 3, 1, 366)) >= 0;
        case MONTH_NAME: return (parts.month = parse_name(rest, months, 12, NAME) + 1) > 0;
        case MONTH_SHORT: return (parts.month = parse_name(rest, months, 12, 3) + 1) > 0;
        case WEEKDAY_NAME: return (parts.weekday = parse_name(rest, weekdays, 7, NAME)) >= 0;
        case WEEKDAY_SHORT: return (parts.weekday = parse_name(rest, weekdays, 7, 3)) >= 0;
        case HALF_DAY:
            if (skip_word(rest, "am")) {
                parts.afternoon = 0;
            } else if (skip_word(rest, "pm")) {
                parts.afternoon = 1;
            } else {
                return false;
            }
            return true;
        case WEEK_SUNDAY: return (parts.week_sunday = parse_number(rest, 2, 0, 53)) >= 0;
        case WEEK_MONDAY: return (parts.week_monday = parse_number(rest, 2, 0, 53)) >= 0;
        case WEEKDAY_SUNDAY: {
            const i32 day = parse_number(rest, 1, 0, 6);
            parts.weekday = (day + 6) % 7;
            return day >= 0;
        }
        case WEEKDAY_ISO: {
            const i32 day = parse_number(rest, 1, 1, 7);
            parts.weekday = day - 1;
            return day >= 0;
        }
        case ISO_WEEK: return (parts.iso_week = parse_number(rest, 2, 1, 53)) >= 0;
        case OFFSET:
            // The longest offset that reads; eight bytes have a colon in one place but not in the other.
            for (u32 size = 9; size > 0; --size) {
                if (size == 8 || size > rest.size() || !parse_offset({rest.at, rest.at + size}, parts.offset)) continue;
                parts.has_offset = true;
                rest.at += size;
                return true;
            }
            return false;
        default:
            if (!skip_word(rest, "utc") && !skip_word(rest, "gmt") && !skip_word(rest, "z")) return false;
            if (!parts.has_offset) parts.offset = 0;
            parts.has_offset = true;
            return true;
    }
}

inline bool parse_parts(StringView text, const Format& format, Parts& parts) {
    Rest rest = {text.bytes, text.bytes + text.size};
    for (u64 i = 0; i < format.num_steps; ++i) {
        const u8 step = format.steps[i];
        if (step == BYTE) {
            if (rest.is_empty() || in_lower_case(*rest.at++) != format.steps[++i]) return false;
        } else if (step == WHITE_SPACE) {
            const u8* const before = rest.at;
            while (!rest.is_empty() && is_ascii_whitespace(*rest.at)) ++rest.at;
            if (rest.at == before) return false;
        } else if (!parse_field(step - FIRST_FIELD, format, rest, parts)) {
            return false;
        }
    }
    return rest.is_empty();
}

inline i64 start_of_year(i32 year) { return days_from_civil({year, 1, 1}); }

// Monday is 0; 1970-01-01 was a Thursday.
inline i32 weekday_of(i64 days) { return i32(left_of_division(days + 3, 7)); }

inline i64 start_of_iso_year(i32 year) {
    const i64 fourth = days_from_civil({year, 1, 4});
    return fourth - weekday_of(fourth);
}

// The day that the parts say: `Parts::days` of the CPU.
inline bool day_of(const Parts& parts, i32 year, i64& days) {
    if (parts.iso_year >= 0 && parts.iso_week >= 0) {
        days = start_of_iso_year(parts.iso_year) + (parts.iso_week - 1) * 7 + parts.weekday;
        return parts.weekday >= 0 && days < start_of_iso_year(parts.iso_year + 1);
    }
    if (year >= 0 && parts.day_of_year >= 0) {
        days = start_of_year(year) + parts.day_of_year - 1;
        return parts.day_of_year <= 365 || is_leap_year(year);
    }
    const bool is_of_week = year >= 0 && parts.weekday >= 0 && parts.month < 0 && parts.day < 0;
    if (is_of_week && (parts.week_sunday >= 0 || parts.week_monday >= 0)) {
        // Days before the first Sunday (Monday) are in week 0.
        const bool is_sunday = parts.week_sunday >= 0;
        const i32 first = (weekday_of(start_of_year(year)) + is_sunday) % 7, day = (parts.weekday + is_sunday) % 7;
        const i32 week = is_sunday ? parts.week_sunday : parts.week_monday;
        days = start_of_year(year) + (7 - first) % 7 + (week - 1) * 7 + day;
        return true;
    }
    const Civil date = {year >= 0 ? year : 1900, u32(parts.month >= 0 ? parts.month : 1),
                        u32(parts.day >= 0 ? parts.day : 1)};
    days = days_from_civil(date);
    return date.day <= days_in_month(date);
}

// The time that the parts say; a date that is not said is 1900-01-01.
inline bool resolve(const Parts& parts, Instant& time) {
    i32 year = parts.year;
    if (year < 0 && parts.century >= 0) {
        year = parts.century * 100 + (parts.year_of_century >= 0 ? parts.year_of_century : 0);
    } else if (year < 0 && parts.year_of_century >= 0) {
        // POSIX: 69 to 99 are of the twentieth century.
        year = parts.year_of_century + (parts.year_of_century < 69 ? 2000 : 1900);
    }
    const i32 hour = parts.hour_12 < 0 ? parts.hour : parts.hour_12 % 12 + (parts.afternoon == 1 ? 12 : 0);
    i64 days;
    if (!day_of(parts, year, days)) return false;
    time = {days * SECONDS_OF_DAY + hour * 3600 + parts.minute * 60 + parts.second - parts.offset, parts.nanos};
    return true;
}

// ---- Kernels ------------------------------------------------------------------------------------------

template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_iso_times(TextsDeviceView column, i64 per_day, T* values, u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, ParsedOut<T>{values, first_bad, validity}, [&](StringView text, T& value) {
        Instant time;
        return parse_iso(text, time) && in_units(time, per_day, value);
    });
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_times(TextsDeviceView column, i64 per_day, const u8* steps, u64 num_steps, const u8* names, T* values,
                u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    const Format format = {steps, num_steps, names};
    parse_texts<THREADS>(column, stage, ParsedOut<T>{values, first_bad, validity}, [&](StringView text, T& value) {
        Parts parts;
        Instant time;
        return parse_parts(text, format, parts) && resolve(parts, time) && in_units(time, per_day, value);
    });
}

// The seconds that each time is ahead of UTC by its own offset: of ISO 8601 where there is no format.
__global__ void __launch_bounds__(THREADS)
    parse_offsets(TextsDeviceView column, const u8* steps, u64 num_steps, const u8* names, i32* values, u64* first_bad,
                  u32* validity) {
    __shared__ Stage<STAGE> stage;
    const Format format = {steps, num_steps, names};
    parse_texts<THREADS>(column, stage, ParsedOut<i32>{values, first_bad, validity}, [&](StringView text, i32& value) {
        Parts parts;
        const bool is_said = steps == nullptr ? parse_stated_offset(text, parts.offset)
                                              : parse_parts(text, format, parts) && parts.has_offset;
        value = i32(parts.offset);
        return is_said;
    });
}
