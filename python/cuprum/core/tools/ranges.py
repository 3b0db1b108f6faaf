"""`date_range` and `timedelta_range`: regular times as indexes."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default, plain_label
from cuprum.core.missing import is_missing

__all__ = ["date_range", "timedelta_range"]


def date_range(
    start: Any = None,
    end: Any = None,
    periods: Any = None,
    freq: Any = None,
    tz: Any = None,
    normalize: bool = False,
    name: Any = None,
    inclusive: str = "both",
    *,
    unit: str | None = None,
) -> Any:
    """Return a DatetimeIndex of regular times: three of ``start``, ``end``, ``periods`` and ``freq`` say which.

    Parameters
    ----------
    start, end
        Times, or texts of them. A day that ``freq`` does not name leads to the next one from ``start``, to
        the one before from ``end``.
    periods
        How many times.
    freq
        A number, if not 1, and a unit: ``ns``, ``us``, ``ms``, ``s``, ``min``, ``h``, ``D`` (the default),
        ``W-MON`` and so on, ``B``, ``MS``, ``ME``, ``QS``, ``QE``, ``YS``, ``YE``, the last four also with
        a month: ``QS-FEB``. Without it, beside all others, times at equal distances.
    tz
        The zone of the times. Days and longer distances are those of its clocks.
    normalize
        Takes the midnights of ``start`` and ``end``.
    inclusive
        Whether ``start`` and ``end`` belong to it: ``'both'``, ``'left'``, ``'right'`` or ``'neither'``.
    unit
        The unit of the type: ``'s'``, ``'ms'``, ``'us'`` or ``'ns'``; else that of what is given.

    The index does not remember its frequency. Raises ``ValueError`` for fewer or more arguments than needed
    and for an unknown frequency, ``NotImplementedError`` for one that only pandas knows, ``OverflowError``
    for times that the type does not hold.

    Examples
    --------
    >>> date_range("2026-01-15", periods=3, freq="ME")
    DatetimeIndex(['2026-01-31', '2026-02-28', '2026-03-31'],
                  dtype='datetime64[us]', freq=None)
    """
    tz = None if tz is None else str(tz)
    column = _times(start, end, periods, freq, tz, normalize, inclusive, unit)
    try:
        return objects.Index(column, name=name)
    except TypeError as error:
        if tz is None:
            raise
        raise NotImplementedError(f"date_range does not support `tz`={tz!r}: {error}") from None


def _times(
    start: Any, end: Any, periods: Any, freq: Any, tz: str | None, normalize: Any, inclusive: str, unit: Any
) -> Any:
    """Return the times of `date_range` as a column."""
    if freq is None and (start is None or end is None or periods is None):
        freq = "D"
    ends = [_one_time(argument, value) for argument, value in (("start", start), ("end", end))]
    return _regular(ends, periods, freq, unit, tz, bool(normalize), inclusive, False)


def timedelta_range(
    start: Any = None,
    end: Any = None,
    periods: Any = None,
    freq: Any = None,
    name: Any = None,
    closed: str | None = None,
    *,
    unit: str | None = None,
) -> Any:
    """Return a TimedeltaIndex of regular durations; see `date_range`.

    ``start`` and ``end`` are durations; ``freq`` is a fixed distance, a day without it. ``closed`` says
    which of them belongs to it: ``'left'``, ``'right'``, or both.

    Examples
    --------
    >>> import datetime
    >>> timedelta_range(datetime.timedelta(hours=1), periods=2, freq="30min").to_pandas().tolist()
    [Timedelta('0 days 01:00:00'), Timedelta('0 days 01:30:00')]
    """
    if freq is None and (start is None or end is None or periods is None):
        freq = "D"
    if closed not in (None, "left", "right"):
        raise ValueError(f"Closed has to be either 'left', 'right' or None, not {closed!r}")
    ends = [_one_duration(argument, value) for argument, value in (("start", start), ("end", end))]
    column = _regular(ends, periods, freq, unit, None, False, closed or "both", True)
    return objects.Index(column, name=name)


def _regular(ends: list[Any], periods: Any, freq: Any, *rest: Any) -> Any:
    if periods is not None:
        if isinstance(periods, bool) or not hasattr(periods, "__index__"):
            raise TypeError(f"periods must be an integer, got {periods}")
        periods = periods.__index__()
        if periods < 0:
            raise ValueError(f"Number of periods must be non-negative, not {periods}")
    if freq is not None and not isinstance(freq, str):
        freq = getattr(freq, "freqstr", freq)
        if not isinstance(freq, str):
            raise NotImplementedError(f"`freq` is {freq!r}: give a text such as '15min'")
    start, end = (None if end is None else end._handle.column() for end in ends)
    return _cuprum.regular_times(start, end, periods, freq, *rest)


def _one_time(argument: str, value: Any) -> Any:
    """Return a series of one time."""
    from cuprum.core.tools.datetimes import to_datetime

    if value is None:
        return None
    if is_missing(value):
        raise ValueError("Neither `start` nor `end` can be NaT")
    if is_list_like(value) or isinstance(value, (bool, int, float)):
        raise TypeError(f"`{argument}` is {value!r}: give a time or a text of one")
    time = to_datetime(objects.Series([value]))
    if time.dtype.tz is not None:
        raise NotImplementedError(f"`{argument}` is {value!r}: give the local time, and the zone as `tz`")
    return time


def _one_duration(argument: str, value: Any) -> Any:
    """Return a series of one duration."""
    if value is None:
        return None
    series = objects.Series([plain_label(value)]) if not is_missing(value) else None
    if series is None:
        raise ValueError("Neither `start` nor `end` can be NaT")
    if series.dtype.kind != "m":
        only_default("timedelta_range of texts and numbers", **{argument: (value, None)})
    return series
