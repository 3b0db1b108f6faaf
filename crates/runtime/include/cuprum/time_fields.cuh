// The fields of formats of times, with the numbers of `datetime::format::Field`.
#pragma once
#include "cuprum/types.cuh"

enum Field : u32 {
    YEAR,
    YEAR_OF_CENTURY,
    CENTURY,
    MONTH,
    DAY,
    HOUR,
    HOUR_12,
    MINUTE,
    SECOND,
    FRACTION,
    NANOSECOND,
    DAY_OF_YEAR,
    MONTH_NAME,
    MONTH_SHORT,
    WEEKDAY_NAME,
    WEEKDAY_SHORT,
    HALF_DAY,
    WEEK_SUNDAY,
    WEEK_MONDAY,
    WEEKDAY_SUNDAY,
    WEEKDAY_ISO,
    ISO_YEAR,
    ISO_WEEK,
    OFFSET,
    ZONE,
};

// Bytes of an entry of the names of months and days: its size, and room for the longest.
constexpr u32 NAME = 10;
