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
    """Return a part of each timestamp: year, month, day, weekday, hour and so on.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    component : DatetimeComponent
        The part. ``WEEKDAY`` is 1 (Monday) to 7; ``MICROSECOND`` are those of the millisecond, ``NANOSECOND``
        those of the microsecond.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT16, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> extract_datetime_component(times, DatetimeComponent.WEEKDAY).to_pylist()
    [4, None]
    """
    return _rust.extract_datetime_component(input, component, stream, mr)


def ceil_datetimes(
    input: Column,
    freq: RoundingFrequency,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp rounded up to a whole day, hour, minute and so on.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    freq : RoundingFrequency
        Unit that timestamps are rounded to.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Timestamps of the same type; nulls stay null.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> ceil_datetimes(times, RoundingFrequency.HOUR).to_arrow().to_pylist()
    [datetime.datetime(2024, 2, 29, 14, 0), None]
    """
    return _rust.ceil_datetimes(input, freq, stream, mr)


def floor_datetimes(
    input: Column,
    freq: RoundingFrequency,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp rounded down to a whole day, hour, minute and so on.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    freq : RoundingFrequency
        Unit that timestamps are rounded to.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Timestamps of the same type; nulls stay null.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> floor_datetimes(times, RoundingFrequency.HOUR).to_arrow().to_pylist()
    [datetime.datetime(2024, 2, 29, 13, 0), None]
    """
    return _rust.floor_datetimes(input, freq, stream, mr)


def round_datetimes(
    input: Column,
    freq: RoundingFrequency,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp rounded to the nearest whole day, hour, minute and so on.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    freq : RoundingFrequency
        Unit that timestamps are rounded to; halves go to the even multiple.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Timestamps of the same type; nulls stay null.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> round_datetimes(times, RoundingFrequency.DAY).to_arrow().to_pylist()
    [datetime.datetime(2024, 3, 1, 0, 0), None]
    """
    return _rust.round_datetimes(input, freq, stream, mr)


def add_calendrical_months(
    input: Column,
    months: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each timestamp a number of months later.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    months : Column or Scalar
        Months to add, of any integer type: for each row, or for all. Negative ones go back.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Timestamps of the same type, on the last day where a month is too short; null where either is null.

    Raises
    ------
    TypeError
        For a column that is not of timestamps, and for months that are no integers.
    RuntimeError
        Where a column of months has another number of rows.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> add_calendrical_months(times, Scalar.from_py(12)).to_arrow().to_pylist()
    [datetime.datetime(2025, 2, 28, 13, 45, 30), None]
    """
    return _rust.add_calendrical_months(input, months, stream, mr)


def day_of_year(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the day of the year of each timestamp, from 1.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT16, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> day_of_year(times).to_pylist()
    [60, None]
    """
    return _rust.day_of_year(input, stream, mr)


def is_leap_year(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether the year of each timestamp has 366 days.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> is_leap_year(times).to_pylist()
    [True, None]
    """
    return _rust.is_leap_year(input, stream, mr)


def last_day_of_month(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the last day of the month of each timestamp.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        TIMESTAMP_DAYS, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> days = last_day_of_month(Column.from_iterable_of_py([datetime(2024, 2, 3, 12), None]))
    >>> days.to_arrow().to_pylist()
    [datetime.date(2024, 2, 29), None]
    """
    return _rust.last_day_of_month(input, stream, mr)


def extract_quarter(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the quarter of the year of each timestamp, 1 to 4.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT16, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> extract_quarter(times).to_pylist()
    [1, None]
    """
    return _rust.extract_quarter(input, stream, mr)


def days_in_month(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of days of the month of each timestamp.

    Parameters
    ----------
    input : Column
        Timestamps of any unit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT16, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of timestamps.

    Examples
    --------
    >>> from datetime import datetime
    >>> times = Column.from_iterable_of_py([datetime(2024, 2, 29, 13, 45, 30), None])
    >>> days_in_month(times).to_pylist()
    [29, None]
    """
    return _rust.days_in_month(input, stream, mr)
