"""Parts of timestamps, rounding, months. Nulls stay null; other types than timestamps are a TypeError."""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _datetime as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "DatetimeComponent",
    "RoundingFrequency",
    "add_calendrical_months",
    "ceil_datetimes",
    "day_of_year",
    "days_in_month",
    "extract_datetime_component",
    "extract_quarter",
    "floor_datetimes",
    "is_leap_year",
    "last_day_of_month",
    "round_datetimes",
]


class DatetimeComponent(IntEnum):
    """A part of a timestamp."""

    YEAR = 0
    MONTH = 1
    DAY = 2
    WEEKDAY = 3
    HOUR = 4
    MINUTE = 5
    SECOND = 6
    MILLISECOND = 7
    MICROSECOND = 8
    NANOSECOND = 9


class RoundingFrequency(IntEnum):
    """Frequencies that timestamps are rounded to."""

    DAY = 0
    HOUR = 1
    MINUTE = 2
    SECOND = 3
    MILLISECOND = 4
    MICROSECOND = 5
    NANOSECOND = 6


def extract_datetime_component(
    input: Column,
    component: DatetimeComponent,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a part of each timestamp (INT16).

    ``WEEKDAY`` is 1 (Monday) to 7, ``MICROSECOND`` those of the millisecond, ``NANOSECOND`` those of the microsecond.
    """
    return _rust.extract_datetime_component(input, component, stream, mr)


def ceil_datetimes(
    input: Column,
    freq: RoundingFrequency,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp rounded up."""
    return _rust.ceil_datetimes(input, freq, stream, mr)


def floor_datetimes(
    input: Column,
    freq: RoundingFrequency,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp rounded down."""
    return _rust.floor_datetimes(input, freq, stream, mr)


def round_datetimes(
    input: Column,
    freq: RoundingFrequency,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp rounded to the nearest multiple, halves to the even one."""
    return _rust.round_datetimes(input, freq, stream, mr)


def add_calendrical_months(
    input: Column,
    months: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the timestamps so many months later, on the last day where a month is too short."""
    return _rust.add_calendrical_months(input, months, stream, mr)


def day_of_year(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the day of the year, from 1 (INT16)."""
    return _rust.day_of_year(input, stream, mr)


def is_leap_year(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether the year has 366 days."""
    return _rust.is_leap_year(input, stream, mr)


def last_day_of_month(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the last day of the month (TIMESTAMP_DAYS)."""
    return _rust.last_day_of_month(input, stream, mr)


def extract_quarter(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the quarter, 1 to 4 (INT16)."""
    return _rust.extract_quarter(input, stream, mr)


def days_in_month(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of days of the month (INT16)."""
    return _rust.days_in_month(input, stream, mr)
