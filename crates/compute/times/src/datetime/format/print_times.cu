// Times as texts in a format: `format::push_time` of the CPU.
#include "cuprum/calendar.cuh"
#include "cuprum/texts.cuh"
#include "cuprum/time_fields.cuh"

// The pieces of a format, two bytes each: 0 and a byte of text, or a field, counted from FIRST_FIELD, and its padding.
constexpr u32 TEXT = 0, FIRST_FIELD = 1;
enum Padding : u8 { WITH_ZERO = 0, WITH_SPACE = 1, UNPADDED = 2 };

// Monday is 0; 1970-01-01 was a Thursday.
inline u32 weekday_of(i64 days) { return u32(left_of_division(days + 3, 7)); }

// From 0.
inline u32 day_of_year(i64 days, i64 year) { return u32(days - days_from_civil({year, 1, 1})); }

// A point in time as people write it.
struct Time {
    i64 days;
    Civil date;
    u32 second;  // of the day
    u32 nanos;

    Time(i64 time, i64 per_day) {
        days = divided_down(time, per_day);
        date = civil_from_days(days);
        const i64 of_day = left_of_division(time, per_day) * (NANOSECONDS_OF_DAY / per_day);
        second = u32(of_day / 1000000000);
        nanos = u32(of_day % 1000000000);
    }
    u32 hour() const { return second / 3600; }
};

template <typename Out>
void put_year(Out& out, i64 year) {
    const u64 size = u64(year < 0 ? -year : year);
    if (year < 0) out.put('-');
    out.put_digits(size, size < 10000 ? 4 : num_digits(size));
}

// The first letters of a name; `names` has the size and nine bytes of each.
template <typename Out>
void put_name(Out& out, const u8* names, u32 number, u32 most_letters) {
    const u8* name = names + number * NAME;
    out.put(StringView{name + 1, name[0] < most_letters ? name[0] : most_letters});
}

template <typename Out>
void put_field(Out& out, const Time& time, u32 field, u8 padding, const u8* months) {
    const u8* const weekdays = months + 12 * NAME;
    const u32 weekday = weekday_of(time.days);
    const i64 thursday = time.days - weekday + 3;
    u32 number = 0;
    switch (field) {
        case YEAR: return put_year(out, time.date.year);
        case ISO_YEAR: return put_year(out, civil_from_days(thursday).year);
        case FRACTION: return out.put_digits(time.nanos / 1000, 6);
        case NANOSECOND: return out.put_digits(time.nanos, 9);
        case DAY_OF_YEAR: {
            const u32 day = day_of_year(time.days, time.date.year) + 1;
            return out.put_digits(day, padding == UNPADDED ? num_digits(day) : 3);
        }
        case MONTH_NAME: return put_name(out, months, time.date.month - 1, NAME);
        case MONTH_SHORT: return put_name(out, months, time.date.month - 1, 3);
        case WEEKDAY_NAME: return put_name(out, weekdays, weekday, NAME);
        case WEEKDAY_SHORT: return put_name(out, weekdays, weekday, 3);
        case HALF_DAY:
            out.put(time.hour() < 12 ? 'A' : 'P');
            return out.put('M');
        case WEEKDAY_SUNDAY: return out.put_digits((weekday + 1) % 7, 1);
        case WEEKDAY_ISO: return out.put_digits(weekday + 1, 1);
        case CENTURY: {
            const i64 century = divided_down(time.date.year, 100);
            number = u32(century < 0 ? 0 : century > 99 ? 99 : century);
            break;
        }
        case YEAR_OF_CENTURY: number = u32(left_of_division(time.date.year, 100)); break;
        case MONTH: number = time.date.month; break;
        case DAY: number = time.date.day; break;
        case HOUR: number = time.hour(); break;
        case HOUR_12: number = (time.hour() + 11) % 12 + 1; break;
        case MINUTE: number = time.second / 60 % 60; break;
        case SECOND: number = time.second % 60; break;
        // Moved so that whole weeks divide it.
        case WEEK_SUNDAY: number = (day_of_year(time.days, time.date.year) + 7 - (weekday + 1) % 7) / 7; break;
        case WEEK_MONDAY: number = (day_of_year(time.days, time.date.year) + 7 - weekday) / 7; break;
        case ISO_WEEK: number = day_of_year(thursday, civil_from_days(thursday).year) / 7 + 1; break;
        // Times here have no zone: offset and zone are empty.
        default: return;
    }
    if (padding == WITH_SPACE && number < 10) out.put(' ');
    out.put_digits(number, padding == WITH_ZERO || number > 9 ? 2 : 1);
}

__global__ void __launch_bounds__(THREADS)
    print_times(ColumnDeviceView column, i64 per_day, const u8* pieces, u64 num_pieces, const u8* names, i32* narrow,
                u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> stage;
    make_texts_of_rows<THREADS>(column, {narrow, wide, bytes, nullptr}, stage, [&](u64 i, auto& out) {
        const Time time(i64(integer_at(column, i)), per_day);
        for (u64 k = 0; k < num_pieces; ++k) {
            const u8 field = pieces[2 * k], other = pieces[2 * k + 1];
            if (field == TEXT) {
                out.put(other);
            } else {
                put_field(out, time, field - FIRST_FIELD, other, names);
            }
        }
    });
}
