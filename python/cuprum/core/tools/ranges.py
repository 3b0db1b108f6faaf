"""`date_range`, `bdate_range` and `timedelta_range`: regular times as indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_texts, plain_label
from cuprum.core.index.frequency import with_frequency
from cuprum.core.index.times import DatetimeIndex
from cuprum.core.missing import is_missing
from cuprum.core.tools.datetimes import to_datetime
from cuprum.core.tools.offsets import known_frequency
from cuprum.core.tools.timedeltas import to_timedelta
from cuprum.core.zones import zone_name

if TYPE_CHECKING:
    from cuprum.core.index.times import TimedeltaIndex
    from cuprum.typing import Closed, Frequency, Label, Side, TimeUnit

__all__ = ["bdate_range", "date_range", "timedelta_range"]


def date_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Frequency | None = None,
    tz: Any = None,
    normalize: bool = False,
    name: Label = None,
    inclusive: Closed = "both",
    *,
    unit: TimeUnit | None = None,
) -> DatetimeIndex:
    """Return a DatetimeIndex of regular times: three of ``start``, ``end``, ``periods`` and ``freq`` say which.

    Parameters
    ----------
    start, end
        Times, or texts of them. A day that ``freq`` does not name leads to the next one from ``start``, to
        the one before from ``end``.
    periods
        How many times.
    freq
        A frequency of pandas, as a text (``"15min"``, ``"2h30min"``, ``"W-MON"``, ``"BME"``, ``"QS-FEB"``), a
        timedelta or an offset; ``"D"`` without it. Without it, beside all others, times at equal distances.
        Rules with holidays, hours of business and fiscal years are worked out by pandas.
    tz
        The zone of the times. Days and longer distances are those of its clocks.
    normalize
        Takes the midnights of ``start`` and ``end``.
    inclusive
        Whether ``start`` and ``end`` belong to it: ``'both'``, ``'left'``, ``'right'`` or ``'neither'``.
    unit
        The unit of the type: ``'s'``, ``'ms'``, ``'us'`` or ``'ns'``; else that of what is given.

    The index remembers its frequency (`DatetimeIndex.freq`). Raises ``ValueError`` for fewer or more arguments than needed
    and for an unknown frequency, ``OverflowError`` for times that the type does not hold.

    Examples
    --------
    >>> date_range("2026-01-15", periods=3, freq="ME")
    DatetimeIndex(['2026-01-31', '2026-02-28', '2026-03-31'],
                  dtype='datetime64[us]', freq='ME')
    """
    if (freq is not None and known_frequency(freq) is None) or any(map(_has_zone, (start, end))):
        import pandas as pd

        freq = _or_day(start, end, periods, freq)
        times = pd.date_range(start, end, periods, freq, tz, normalize, name, inclusive, unit=unit)
        return DatetimeIndex(times)
    tz = None if tz is None else zone_name(tz)
    column = _times(start, end, periods, freq, tz, normalize, inclusive, unit)
    try:
        return with_frequency(objects.Index(column, name=name), _or_day(start, end, periods, freq))
    except TypeError as error:
        if tz is None:
            raise
        raise NotImplementedError(f"date_range does not support `tz`={tz!r}: {error}") from None


def _or_day(start: Any, end: Any, periods: Any, freq: Any) -> Any:
    """Return the frequency that is meant where none is given."""
    return "D" if freq is None and None in (start, end, periods) else freq


def _has_zone(value: Any) -> bool:
    return getattr(value, "tzinfo", None) is not None


def bdate_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Frequency | None = "B",
    tz: Any = None,
    normalize: bool = True,
    name: Label = None,
    weekmask: Any = None,
    holidays: Any = None,
    inclusive: Closed = "both",
    *,
    unit: TimeUnit | None = None,
) -> DatetimeIndex:
    """Return a DatetimeIndex of days from Monday to Friday; see `date_range`.

    ``weekmask`` (``"Sun Mon Wed"``) and ``holidays``, a list of days, go with a custom frequency, such as
    ``freq="C"``. ``ValueError`` for these with another one; ``TypeError`` without a frequency.

    Examples
    --------
    >>> bdate_range("2026-01-02", periods=2)
    DatetimeIndex(['2026-01-02', '2026-01-05'], dtype='datetime64[us]', freq='B')
    """
    if freq is None:
        raise TypeError("freq must be specified for bdate_range; use date_range instead")
    if weekmask is None and holidays is None and known_frequency(freq) is not None:
        return date_range(start, end, periods, freq, tz, normalize, name, inclusive, unit=unit)
    import pandas as pd

    times = pd.bdate_range(start, end, periods, freq, tz, normalize, name, weekmask, holidays, inclusive)
    times = times if unit is None else times.as_unit(unit)
    return DatetimeIndex(times)


def _times(
    start: Any, end: Any, periods: Any, freq: Any, tz: str | None, normalize: Any, inclusive: str, unit: Any
) -> Any:
    """Return the times of `date_range` as a column."""
    freq = _or_day(start, end, periods, freq)
    ends = [_one_time(argument, value) for argument, value in (("start", start), ("end", end))]
    return _regular(ends, periods, freq, unit, tz, bool(normalize), inclusive, False)


def timedelta_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Frequency | None = None,
    name: Label = None,
    closed: Side | None = None,
    *,
    unit: TimeUnit | None = None,
) -> TimedeltaIndex:
    """Return a TimedeltaIndex of regular durations; see `date_range`.

    ``start`` and ``end`` are durations, or texts or numbers as `to_timedelta` reads them; ``freq`` is a fixed
    distance, a day without it. ``closed`` says which of them belongs to it: ``'left'``, ``'right'``, or both.

    Examples
    --------
    >>> import datetime
    >>> timedelta_range(datetime.timedelta(hours=1), periods=2, freq="30min").to_pandas().tolist()
    [Timedelta('0 days 01:00:00'), Timedelta('0 days 01:30:00')]
    """
    freq = _or_day(start, end, periods, freq)
    if closed not in (None, "left", "right"):
        raise ValueError(f"Closed has to be either 'left', 'right' or None, not {closed!r}")
    ends = [_one_duration(argument, value) for argument, value in (("start", start), ("end", end))]
    column = _regular(ends, periods, freq, unit, None, False, closed or "both", True)
    return with_frequency(objects.Index(column, name=name), freq)


def _regular(ends: list[Any], periods: Any, freq: Any, *rest: Any) -> Any:
    if periods is not None:
        if isinstance(periods, bool) or not hasattr(periods, "__index__"):
            raise TypeError(f"periods must be an integer, got {periods}")
        periods = periods.__index__()
        if periods < 0:
            raise ValueError(f"Number of periods must be non-negative, not {periods}")
    if freq is not None:
        offset, freq = freq, known_frequency(freq)
        if freq is None:
            raise ValueError(f"`freq` is {offset!r}, which is no fixed distance: durations have no calendar")
    start, end = (None if end is None else end._handle.column() for end in ends)
    unit, _, _, inclusive, _ = rest
    only_texts(inclusive=inclusive, **({} if unit is None else {"unit": unit}))
    return _cuprum.regular_times(start, end, periods, freq, *rest)


def _one_time(argument: str, value: Any) -> Any:
    """Return a series of one time."""
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
    if is_missing(value):
        raise ValueError("Neither `start` nor `end` can be NaT")
    if is_list_like(value) or isinstance(value, bool):
        raise TypeError(f"`{argument}` is {value!r}: give a duration or a text of one")
    if isinstance(value, (str, int, float)):
        value = to_timedelta(value)
    series = objects.Series([plain_label(value)])
    if series.dtype.kind != "m":
        raise TypeError(f"`{argument}` is {value!r}: give a duration or a text of one")
    return series
