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
    """Return regular times as a DatetimeIndex.

    Three of ``start``, ``end``, ``periods`` and ``freq`` say which.

    Parameters
    ----------
    start : str, datetime or timestamp, optional
        The first time. One that ``freq`` does not name leads to the next one that it does.
    end : str, datetime or timestamp, optional
        The last time. One that ``freq`` does not name leads to the one before.
    periods : int, optional
        The number of times.
    freq : str, timedelta or offset, optional
        The frequency, one of pandas' (``"15min"``, ``"2h30min"``, ``"W-MON"``, ``"BME"``, ``"QS-FEB"``);
        ``"D"`` where one of the others is missing. Beside all others, and without it, times are at equal
        distances.
    tz : str or tzinfo, optional
        The zone of the times; days and longer distances are those of its clocks.
    normalize : bool, default False
        Whether to take the midnights of ``start`` and ``end``.
    name : label, optional
        The name of the index.
    inclusive : ``"both"``, ``"left"``, ``"right"`` or ``"neither"``, default ``"both"``
        Which of ``start`` and ``end`` belong to it.
    unit : ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``, optional
        The unit of the type; without it that of what is given.

    Returns
    -------
    DatetimeIndex
        The times, with their frequency as ``freq``.

    Raises
    ------
    ValueError
        If fewer or more arguments than needed are given, or the frequency is unknown.
    OverflowError
        For times that the type does not hold.

    See Also
    --------
    bdate_range : Days from Monday to Friday.

    Notes
    -----
    Frequencies with holidays, hours of business and fiscal years are worked out by pandas.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.date_range("2026-01-15", periods=3, freq="ME")
    DatetimeIndex(['2026-01-31', '2026-02-28', '2026-03-31'],
                  dtype='datetime64[us]', freq='ME')
    >>> cuprum.date_range("2026-01-01", "2026-01-03", inclusive="left")
    DatetimeIndex(['2026-01-01', '2026-01-02'], dtype='datetime64[us]', freq='D')
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
    """Return days of business as a DatetimeIndex, from Monday to Friday.

    Parameters
    ----------
    start : str, datetime or timestamp, optional
        The first day; a day of the weekend leads to the next Monday.
    end : str, datetime or timestamp, optional
        The last day.
    periods : int, optional
        The number of days.
    freq : str, timedelta or offset, default ``"B"``
        The frequency; ``"C"`` and others that begin with it take ``weekmask`` and ``holidays``.
    tz : str or tzinfo, optional
        The zone of the times.
    normalize : bool, default True
        Whether to take the midnights of ``start`` and ``end``.
    name : label, optional
        The name of the index.
    weekmask : str, optional
        The days of business of a week, as ``"Sun Mon Wed"``.
    holidays : list-like, optional
        Days that are none of business.
    inclusive : ``"both"``, ``"left"``, ``"right"`` or ``"neither"``, default ``"both"``
        Which of ``start`` and ``end`` belong to it.
    unit : ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``, optional
        The unit of the type.

    Returns
    -------
    DatetimeIndex
        The days.

    Raises
    ------
    TypeError
        If ``freq`` is None.
    ValueError
        If ``weekmask`` or ``holidays`` go with another frequency.

    See Also
    --------
    date_range : Regular times of other frequencies.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.bdate_range("2026-01-02", periods=2)
    DatetimeIndex(['2026-01-02', '2026-01-05'], dtype='datetime64[us]', freq='B')
    >>> cuprum.bdate_range("2026-01-02", periods=2, freq="C", holidays=["2026-01-05"]).day.to_list()
    [2, 6]
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
    """Return regular durations as a TimedeltaIndex.

    Three of ``start``, ``end``, ``periods`` and ``freq`` say which.

    Parameters
    ----------
    start : str, timedelta or number, optional
        The first duration, as `to_timedelta` reads it.
    end : str, timedelta or number, optional
        The last duration.
    periods : int, optional
        The number of durations.
    freq : str, timedelta or offset, optional
        A fixed distance; a day where one of the others is missing.
    name : label, optional
        The name of the index.
    closed : ``"left"``, ``"right"`` or None, default None
        Which of ``start`` and ``end`` belongs to it; both without it.
    unit : ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``, optional
        The unit of the type; without it that of what is given.

    Returns
    -------
    TimedeltaIndex
        The durations, with their frequency as ``freq``.

    Raises
    ------
    ValueError
        If fewer or more arguments than needed are given, or ``freq`` is no fixed distance.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.timedelta_range("1h", periods=3, freq="30min")
    TimedeltaIndex(['0 days 01:00:00', '0 days 01:30:00', '0 days 02:00:00'],
                   dtype='timedelta64[us]', freq='30min')
    >>> cuprum.timedelta_range("0h", "1D", freq="12h", closed="left")
    TimedeltaIndex(['0 days 00:00:00', '0 days 12:00:00'], dtype='timedelta64[us]',
                   freq='12h')
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
