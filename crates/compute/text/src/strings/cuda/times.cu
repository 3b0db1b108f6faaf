// Timestamps and durations as texts, and texts as durations.
#include "cuprum/calendar.cuh"
#include "cuprum/texts.cuh"

// How fine the times of a column are: those of `print::Resolution`, by number.
enum Resolution : u32 { DAYS = 0, SECONDS = 1, MILLISECONDS = 2, MICROSECONDS = 3, NANOSECONDS = 4 };

inline i64 time_at(const ColumnDeviceView& column, u64 row) { return i64(integer_at(column, row)); }

// The finest resolution that a valid row needs; `finest` is 0 before.
__global__ void __launch_bounds__(THREADS) finest_resolution(ColumnDeviceView column, i64 per_day, u32* finest) {
    __shared__ u32 of_warps[THREADS / WARP];
    const i64 nanos_of_unit = NANOSECONDS_OF_DAY / per_day;
    const u64 step = u64(gridDim.x) * THREADS;
    u32 own = DAYS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < column.len; i += step) {
        if (!column.is_valid(i)) continue;
        const i64 nanos = left_of_division(time_at(column, i), per_day) * nanos_of_unit;
        const u32 needed = nanos == 0                ? DAYS
                           : nanos % 1000000000 == 0 ? SECONDS
                           : nanos % 1000000 == 0    ? MILLISECONDS
                           : nanos % 1000 == 0       ? MICROSECONDS
                                                     : NANOSECONDS;
        own = needed > own ? needed : own;
    }
    const u32 of_block = block_reduce<THREADS>(own, [](u32 a, u32 b) { return a > b ? a : b; }, of_warps);
    if (threadIdx.x == 0 && of_block > 0) atomicMax(finest, of_block);
}

// `HH:MM:SS` and as many digits of the second as the resolution has.
template <typename Out>
void put_clock(Out& out, u64 nanos_of_day, u32 resolution) {
    const u32 second = u32(nanos_of_day / 1000000000), nanos = u32(nanos_of_day % 1000000000);
    out.put_digits(second / 3600, 2);
    out.put(':');
    out.put_digits(second / 60 % 60, 2);
    out.put(':');
    out.put_digits(second % 60, 2);
    if (resolution <= SECONDS) return;
    out.put('.');
    out.put_digits(resolution == MILLISECONDS   ? nanos / 1000000
                   : resolution == MICROSECONDS ? nanos / 1000
                                                : nanos,
                   3 * (resolution - SECONDS));
}

// `2020-01-31`, behind it the clock where the resolution has one.
__global__ void __launch_bounds__(THREADS)
    print_timestamps(ColumnDeviceView column, i64 per_day, u32 resolution, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const i64 time = time_at(column, i);
        const Civil date = civil_from_days(divided_down(time, per_day));
        const u64 year = u64(date.year < 0 ? -date.year : date.year);
        if (date.year < 0) out.put('-');
        out.put_digits(year, year < 10000 ? 4 : num_digits(year));
        out.put('-');
        out.put_digits(date.month, 2);
        out.put('-');
        out.put_digits(date.day, 2);
        if (resolution == DAYS) return;
        out.put(' ');
        put_clock(out, u64(left_of_division(time, per_day) * (NANOSECONDS_OF_DAY / per_day)), resolution);
    });
}

// `1 days`, behind it the clock where the resolution has one.
__global__ void __launch_bounds__(THREADS)
    print_durations(ColumnDeviceView column, i64 per_day, u32 resolution, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const i64 time = time_at(column, i), days = divided_down(time, per_day);
        if (days < 0) out.put('-');
        put_number(out, days < 0 ? 0 - u64(days) : u64(days));
        put_literal(out, " days");
        if (resolution == DAYS) return;
        out.put(' ');
        if (days < 0) out.put('+');
        put_clock(out, u64(left_of_division(time, per_day) * (NANOSECONDS_OF_DAY / per_day)), resolution);
    });
}

// ---- texts as durations -------------------------------------------------------------------------------

// A number of 18 digits at most, and of nothing else; negative where it is none.
inline i64 digits_of(StringView text) {
    if (text.size == 0 || text.size > 18) return -1;
    i64 number = 0;
    for (u64 i = 0; i < text.size; ++i) {
        const u32 digit = decimal_digit(text.bytes[i]);
        if (digit > 9) return -1;
        number = number * 10 + digit;
    }
    return number;
}

inline StringView behind(StringView text, u64 bytes) { return {text.bytes + bytes, text.size - bytes}; }

// The part before a byte; of the text nothing is left but what is behind it. All of it where there is no such byte,
// and then `text` is empty and null.
inline StringView part_before(StringView& text, u8 byte) {
    const u64 at = find_text(text, {&byte, 1}, 0);
    const StringView part = {text.bytes, at == NOT_FOUND ? text.size : at};
    text = at == NOT_FOUND ? StringView{nullptr, 0} : behind(text, at + 1);
    return part;
}

// `[-]N day[s]`, `[+|-]HH:MM[:SS[.f]]`, or the first followed by the second: `duration_nanos` of the CPU.
inline bool parse_duration(StringView text, __int128& nanos) {
    constexpr __int128 SECOND = 1000000000;
    nanos = 0;
    if (text.size == 0) return false;
    const u8 word[] = {' ', 'd', 'a', 'y'};
    const u64 at = find_text(text, {word, 4}, 0);
    if (at != NOT_FOUND) {
        const bool is_negative = at > 0 && text.bytes[0] == '-';
        const i64 days = digits_of({text.bytes + is_negative, at - is_negative});
        if (days < 0) return false;
        nanos = (is_negative ? -days : days) * __int128(NANOSECONDS_OF_DAY);
        text = behind(text, at + 4);
        if (text.size > 0 && text.bytes[0] == 's') text = behind(text, 1);
        if (text.size > 0 && text.bytes[0] != ' ') return false;
        while (text.size > 0) {
            const Character c = character_at(text.bytes);
            if (!is_whitespace(c.code)) break;
            text = behind(text, c.size);
        }
        if (text.size == 0) return true;
    }
    const bool is_negative = text.bytes[0] == '-';
    if (is_negative || text.bytes[0] == '+') text = behind(text, 1);
    const i64 hours = digits_of(part_before(text, ':'));
    if (hours < 0 || text.bytes == nullptr) return false;
    const i64 minutes = digits_of(part_before(text, ':'));
    i64 seconds = 0, fraction = 0;
    if (text.bytes != nullptr) {
        seconds = digits_of(part_before(text, '.'));
        if (text.bytes != nullptr) {
            if (text.size > 9) return false;
            fraction = digits_of(text);
            for (u64 i = text.size; i < 9; ++i) fraction *= 10;
        }
    }
    if (minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59 || fraction < 0) return false;
    const __int128 clock = (__int128(hours) * 3600 + minutes * 60 + seconds) * SECOND + fraction;
    nanos += is_negative ? -clock : clock;
    return true;
}

// Durations in units of so many nanoseconds, rounded down.
template <typename T>
__global__ void __launch_bounds__(THREADS)
    parse_durations(TextsDeviceView column, i64 nanos_of_unit, T* values, u64* first_bad, u32* validity) {
    __shared__ Stage<STAGE> stage;
    parse_texts<THREADS>(column, stage, ParsedOut<T>{values, first_bad, validity}, [&](StringView text, T& value) {
        __int128 nanos;
        if (!parse_duration(trimmed<is_space>(text), nanos)) return false;
        const __int128 rounded = nanos / nanos_of_unit - (nanos % nanos_of_unit < 0);
        value = T(rounded);
        return rounded == value;
    });
}
