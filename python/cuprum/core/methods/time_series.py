"""Time series: resample, asfreq, asof, between_time, zones, periods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    label_list,
    only_default,
    only_truth,
)
from cuprum.core.first_call import on_first_call
from cuprum.core.reindexing import at_labels
from cuprum.core.tools.offsets import is_fixed, known_frequency
from cuprum.core.tools.ranges import date_range

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.groupby.resample import Resampler, resampled
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyObject,
        Axis,
        Closed,
        Convention,
        FillMethod,
        FrameOrSeries,
        Frequency,
        Label,
        LabelOrLabels,
        ListLike,
        OneLabel,
        PeriodSide,
        Scalar,
        Side,
    )
else:
    resampled = on_first_call("cuprum.core.groupby.resample:resampled")


@overload
def asof(self: DataFrame, where: OneLabel, subset: LabelOrLabels = ...) -> Series: ...
@overload
def asof(self: DataFrame, where: ListLike, subset: LabelOrLabels = ...) -> DataFrame: ...
@overload
def asof(self: FrameOrSeries, where: OneLabel, subset: LabelOrLabels = ...) -> Scalar: ...
@overload
def asof(self: AnyObject, where: ListLike, subset: LabelOrLabels = ...) -> AnyObject: ...
def asof(self: FrameOrSeries, where: Any, subset: Any = None) -> Any:
    """Return the last row at or before a label that has no missing element.

    Parameters
    ----------
    where : label or list-like of labels
        A label, or several, which become the row labels of the result.
    subset : label or list of labels, optional
        The columns of a frame that must not be missing; all by default. Refused for a Series.

    Returns
    -------
    scalar, Series or DataFrame
        For a label an element of a Series and a row of a frame; for several an object like this one. Missing
        where there is no such row.

    Raises
    ------
    ValueError
        For row labels that do not ascend.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.0, None, 4.0], index=[10, 20, 30])
    >>> s.asof(25)
    np.float64(1.0)
    >>> s.asof([5, 30])
    5     NaN
    30    4.0
    dtype: float64
    """
    if not self.index.is_monotonic_increasing:
        raise ValueError("asof requires a sorted index")
    if isinstance(self, objects.Series):
        if subset is not None:
            raise ValueError("subset is not valid for Series")
        valid = self.notna()
    else:
        chosen = self if subset is None else self[label_list(subset)]
        valid = ~chosen.isna().any(axis=1)
    if isinstance(where, str) and self.index.dtype.kind == "M":
        import pandas as pd

        where = pd.Timestamp(where, tz=self.index.dtype.tz)  # the row is called by the time, as in pandas
    labels = objects.Index(
        list(where) if isinstance(where, tuple) else where if is_list_like(where) else [where]
    )
    rows = self.index.asof_locs(labels, valid.to_numpy())
    found = self.reset_index(drop=True).reindex(rows).set_axis(labels)
    return found if is_list_like(where) else found.iloc[-1]


def resample(
    self: AnyObject,
    rule: Frequency,
    closed: Side | None = None,
    label: Side | None = None,
    convention: Convention = "start",
    on: Label = None,
    level: Label = None,
    origin: Any = "start_day",
    offset: Any = None,
    group_keys: bool = False,
) -> Resampler[AnyObject]:
    """Return the rows in bins of time, one after the other.

    Parameters
    ----------
    rule : str or offset
        How long bins are: a frequency as of `date_range`.
    closed : ``'left'`` or ``'right'``, optional
        Which end belongs to a bin. By default the right one of bins that end with months, quarters, years and
        weeks (``ME``, ``QE``, ``YE``, ``BME``, ``BQE``, ``BYE``, ``W``) and for ``origin`` ``'end'`` and
        ``'end_day'``, else the left one.
    label : ``'left'`` or ``'right'``, optional
        Which end bins are called by; by default that of ``closed`` when that is not given.
    convention : ``'start'`` or ``'end'``, default ``'start'``
        Of periods, which pandas resamples: whether shorter ones begin at their start or end.
    on : label, optional
        A column that has the times, instead of the row labels.
    level : int or level name, optional
        A level of the row labels that has the times.
    origin : str or timestamp, default ``'start_day'``
        From where bins of fixed length are counted: ``'start_day'`` (midnight of the first time), ``'start'``
        (the first time), ``'epoch'`` (1970), ``'end'``, ``'end_day'`` or a time.
    offset : str or timedelta, optional
        A length of time behind the origin.
    group_keys : bool, default False
        Whether the results of functions for bins go by these, too.

    Returns
    -------
    Resampler
        The bins, with every aggregation of groups.

    Raises
    ------
    TypeError
        Where there are no times.
    ValueError
        For an argument that is no frequency, side, origin or offset.

    Notes
    -----
    Rows are taken in the order of their times; those without one are in no bin. Days and longer bins are
    those of the clocks of a zone, hours go on while these are changed.

    Examples
    --------
    >>> import cuprum
    >>> sold = cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01 18:00", periods=3, freq="4h"))
    >>> sold.resample("D").sum()
    2026-01-01    3
    2026-01-02    3
    Freq: D, dtype: int64
    >>> sold.resample("8h", label="right").max()
    2026-01-02 00:00:00    2
    2026-01-02 08:00:00    3
    Freq: 8h, dtype: int64
    """
    if convention not in ("start", "end", "s", "e"):
        raise ValueError(f"Unsupported value {convention} for `convention`")
    if self._handle.index().kind() == "period" and on is None and level is None:
        theirs = self.to_pandas()
        return objects.from_pandas(theirs.resample(rule, closed, label, convention, group_keys=group_keys))
    return resampled(self, rule, closed, label, on, level, origin, offset, group_keys)


def asfreq(
    self: AnyObject,
    freq: Frequency,
    method: FillMethod | None = None,
    how: PeriodSide | None = None,
    normalize: bool = False,
    fill_value: Any = None,
) -> AnyObject:
    """Return the rows at regular times from the first row label to the last one.

    Parameters
    ----------
    freq : str or offset
        The distance of the times: a frequency as of `date_range`.
    method : str, optional
        Which row stands for a time without one: the last one before (``'ffill'``, ``'pad'``), the next one
        (``'bfill'``, ``'backfill'``) or the ``'nearest'``; none by default.
    how : ``'start'`` or ``'end'``, optional
        Has no effect: it is for periods.
    normalize : bool, default False
        Turn times into midnights.
    fill_value : scalar, optional
        What stands for missing rows where no ``method`` is given.

    Returns
    -------
    DataFrame or Series
        A row for each time; missing elements where there was none.

    Raises
    ------
    TypeError
        For row labels that are no times.
    ValueError
        For row labels that repeat.

    Examples
    --------
    >>> import cuprum
    >>> days = cuprum.Series([1, 2], cuprum.date_range("2026-01-01", periods=2))
    >>> days.asfreq("12h")
    2026-01-01 00:00:00       1
    2026-01-01 12:00:00    <NA>
    2026-01-02 00:00:00       2
    Freq: 12h, dtype: int64
    >>> days.asfreq("12h", method="ffill").to_list()
    [1, 1, 2]
    """
    if how not in (None, "start", "end", "S", "E"):
        raise ValueError(f"`how` is {how!r}; known are 'start' and 'end', of periods")
    index = _times_of(self, "asfreq")
    if not len(index) or index._handle.column(0).null_count() == len(index):
        regular = index[:0]
    else:
        zone = index.tz
        first, last = index.min(), index.max()
        if zone is None:
            regular = date_range(first, last, freq=freq, unit=index.unit)
        elif is_fixed(freq) and not _is_days(freq):
            first, last = (time.tz_convert("UTC").tz_localize(None) for time in (first, last))
            regular = date_range(first, last, freq=freq, unit=index.unit).tz_localize("UTC").tz_convert(zone)
        else:
            first, last = (time.tz_localize(None) for time in (first, last))
            regular = date_range(first, last, freq=freq, unit=index.unit).tz_localize(zone)
        regular = regular.rename(index.name)
    if method is not None:
        fill_value = None
    rows = at_labels(self._snapshot(), regular, method, None, fill_value)
    return rows.set_axis(rows.index.normalize()) if normalize else rows


def at_time(self: AnyObject, time: Any, asof: bool = False, axis: Axis | None = None) -> AnyObject:
    """Return the rows at a time of day.

    Parameters
    ----------
    time : str or datetime.time
        The time of day; one with a zone is that of its zone.
    asof : bool, default False
        Has to be False.
    axis : 0 or 'index', optional
        1 raises ``NotImplementedError``.

    Returns
    -------
    DataFrame or Series
        The rows whose labels have the time.

    Raises
    ------
    TypeError
        For row labels that are no times.

    See Also
    --------
    between_time : The rows between two times of day.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01", periods=3, freq="12h"))
    >>> s.at_time("12:00")
    2026-01-01 12:00:00    2
    Freq: 12h, dtype: int64
    """
    _only_rows(self, "at_time", axis)
    rows: Any = self
    return _rows_at(rows, _times_of(self, "at_time").indexer_at_time(time, asof))


def between_time(
    self: AnyObject, start_time: Any, end_time: Any, inclusive: Closed = "both", axis: Axis | None = None
) -> AnyObject:
    """Return the rows between two times of day.

    Parameters
    ----------
    start_time : str or datetime.time
        The first time of day.
    end_time : str or datetime.time
        The last time of day; before the first one for a range over midnight.
    inclusive : ``'both'``, ``'left'``, ``'right'`` or ``'neither'``, default ``'both'``
        Which ends belong to the range.
    axis : 0 or 'index', optional
        1 raises ``NotImplementedError``.

    Returns
    -------
    DataFrame or Series
        The rows in their order.

    Raises
    ------
    TypeError
        For row labels that are no times.

    Examples
    --------
    >>> import cuprum
    >>> hours = cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01", periods=3, freq="8h"))
    >>> hours.between_time("16:00", "7:00")
    2026-01-01 00:00:00    1
    2026-01-01 16:00:00    3
    dtype: int64
    >>> hours.between_time("0:00", "8:00", inclusive="left").to_list()
    [1]
    """
    _only_rows(self, "between_time", axis)
    if inclusive not in ("both", "left", "right", "neither"):
        raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
    first, last = inclusive in ("both", "left"), inclusive in ("both", "right")
    index = _times_of(self, "between_time")
    rows: Any = self
    return _rows_at(rows, index.indexer_between_time(start_time, end_time, first, last))


def tz_localize(
    self: AnyObject,
    tz: Any,
    axis: Axis = 0,
    level: Any = None,
    copy: bool | None = None,
    ambiguous: Any = "raise",
    nonexistent: Any = "raise",
) -> AnyObject:
    """Return the object with the times of its labels as what clocks in a zone showed.

    Parameters
    ----------
    tz : str, tzinfo or None
        The zone; None takes the zone away.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels of a frame.
    level : None, default None
        Other values raise ``NotImplementedError``.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    ambiguous : str or list of bool, default ``'raise'``
        The meaning of a time that clocks showed twice, as in `DatetimeProperties.tz_localize`.
    nonexistent : str or timedelta, default ``'raise'``
        The meaning of a time that clocks never showed, as in `DatetimeProperties.tz_localize`.

    Returns
    -------
    DataFrame or Series
        The same elements.

    Raises
    ------
    TypeError
        For labels that are no times, or have a zone.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], cuprum.date_range("2026-01-01", periods=2))
    >>> s.tz_localize("Europe/Berlin").index[0].isoformat()
    '2026-01-01T00:00:00+01:00'
    """
    only_default("tz_localize", level=(level, None))
    only_truth("tz_localize", copy=copy)
    return _with_times(self, axis, "tz_localize", tz, ambiguous, nonexistent)


def tz_convert(
    self: AnyObject, tz: Any, axis: Axis = 0, level: Any = None, copy: bool | None = None
) -> AnyObject:
    """Return the object with the instants of its labels in another time zone.

    Parameters
    ----------
    tz : str, tzinfo or None
        The zone; None gives the times of UTC without a zone.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels of a frame.
    level : None, default None
        Other values raise ``NotImplementedError``.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    DataFrame or Series
        The same elements.

    Raises
    ------
    TypeError
        For labels that are no times, or have no zone.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1], cuprum.date_range("2026-07-01", periods=1, tz="UTC"))
    >>> s.tz_convert("Europe/Berlin").index[0].isoformat()
    '2026-07-01T02:00:00+02:00'
    >>> s.tz_convert(None).index[0].isoformat()
    '2026-07-01T00:00:00'
    """
    only_default("tz_convert", level=(level, None))
    only_truth("tz_convert", copy=copy)
    return _with_times(self, axis, "tz_convert", tz)


def _with_times(self: FrameOrSeries, axis: Any, change: str, *args: Any) -> Any:
    columns = axis_number(axis, self) == 1
    labels = self.axes[columns]
    if not hasattr(labels, change):
        raise TypeError("index is not a valid DatetimeIndex or PeriodIndex")
    return self.set_axis(getattr(labels, change)(*args), axis=axis)


def frame_to_period(self: DataFrame, freq: Any = None, axis: Axis = 0, copy: bool | None = None) -> DataFrame:
    """Return the frame with the periods in which its labels lie.

    Parameters
    ----------
    freq : str or offset, optional
        The frequency of the periods; that of the labels by default.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    DataFrame
        The same elements under a PeriodIndex.

    Raises
    ------
    TypeError
        For labels that are no times.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]}, cuprum.date_range("2026-01-31", periods=2))
    >>> df.to_period("M")
             a
    2026-01  1
    2026-02  2
    """
    only_truth("to_period", copy=copy)
    return _with_times(self, axis, "to_period", freq)


def frame_to_timestamp(
    self: DataFrame, freq: Any = None, how: str = "start", axis: Axis = 0, copy: bool | None = None
) -> DataFrame:
    """Return the frame with the times at which its labels, periods, begin or end.

    Parameters
    ----------
    freq : str or offset, optional
        Give the dates of the periods of this frequency in which those begin; no effect with ``how='end'``.
    how : ``'start'`` or ``'end'``, default ``'start'``
        The begin or the end of the periods.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    DataFrame
        The same elements under a DatetimeIndex.

    Raises
    ------
    TypeError
        For labels that are no periods.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]}, cuprum.period_range("2026-01", periods=2, freq="M"))
    >>> df.to_timestamp()
                a
    2026-01-01  1
    2026-02-01  2
    """
    only_truth("to_timestamp", copy=copy)
    return _with_times(self, axis, "to_timestamp", freq, how)


def series_to_period(self: Series, freq: Any = None, copy: bool | None = None) -> Series:
    """Return the Series with the periods in which its row labels lie.

    Parameters
    ----------
    freq : str or offset, optional
        The frequency of the periods; that of the labels by default.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    Series
        The same elements under a PeriodIndex.

    Raises
    ------
    TypeError
        For labels that are no times.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], cuprum.date_range("2026-01-31", periods=2))
    >>> s.to_period("M").index
    PeriodIndex(['2026-01', '2026-02'], dtype='period[M]')
    >>> s.to_period().index
    PeriodIndex(['2026-01-31', '2026-02-01'], dtype='period[D]')
    """
    only_truth("to_period", copy=copy)
    return _with_times(self, 0, "to_period", freq)


def series_to_timestamp(
    self: Series, freq: Any = None, how: str = "start", copy: bool | None = None
) -> Series:
    """Return the Series with the times at which its row labels, periods, begin or end.

    Parameters
    ----------
    freq : str or offset, optional
        Give the dates of the periods of this frequency in which those begin; no effect with ``how='end'``.
    how : ``'start'`` or ``'end'``, default ``'start'``
        The begin or the end of the periods.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    Series
        The same elements under a DatetimeIndex.

    Raises
    ------
    TypeError
        For labels that are no periods.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], cuprum.period_range("2026-01", periods=2, freq="M"))
    >>> s.to_timestamp().index
    DatetimeIndex(['2026-01-01', '2026-02-01'], dtype='datetime64[us]', freq=None)
    >>> s.to_timestamp(how="end").index[0].isoformat()
    '2026-01-31T23:59:59.999999'
    """
    only_truth("to_timestamp", copy=copy)
    return _with_times(self, 0, "to_timestamp", freq, how)


def _rows_at(rows: Any, positions: Any) -> Any:
    """Return the rows at positions; where they are equally far apart, their times keep a frequency."""
    count = len(positions)
    if count:
        first, last = int(positions[0]), int(positions[-1])
        step = (last - first) // (count - 1) if count > 1 else 1
        if step > 0 and (positions[1:] - positions[:-1] == step).all():
            return rows.iloc[first : last + 1 : step]
    return rows.take(positions)


def _times_of(obj: Any, function: str) -> Any:
    """Return the row labels, which are times."""
    index = obj.index
    if index.nlevels > 1 or type(index).__name__ != "DatetimeIndex":
        raise TypeError(f"Index must be DatetimeIndex, not {type(index).__name__}, for {function}")
    return index


def _is_days(freq: Any) -> bool:
    return (known_frequency(freq) or "").endswith("D")


def _only_rows(obj: Any, function: str, axis: Any) -> None:
    if axis is not None and axis_number(axis, obj) == 1:
        raise NotImplementedError(f"{function} does not support `axis`=1")
