"""Frames and series whose labels are times or periods: `resample`, `tz_convert`, `to_period` and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.arguments import axis_number, only_default, only_truth
from cuprum.core.construction import column_from
from cuprum.core.objects import Wrapper, wrap_series
from cuprum.core.tools.offsets import is_fixed, known_frequency

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.groupby.resample import Resampler
    from cuprum.core.series import Series
    from cuprum.typing import Axis, Closed, Convention, FillMethod, Frequency, Label, PeriodSide, Side

__all__ = ["FrameTimeLabels", "SeriesTimeLabels", "at_labels"]


def at_labels(
    obj: Any, index: Any, method: str | None, limit: int | None = None, fill_value: Any = None
) -> Any:
    """Return the rows with the labels of an index; for others that which ``method`` says, or ``fill_value``.

    ``ValueError`` where a label of ``obj`` repeats and, with a method, where they are not in order.
    """
    import numpy as np

    own = obj.index
    if not own.is_unique:
        raise ValueError("cannot reindex on an axis with duplicate labels")
    if not len(index):
        return obj._wrap(obj._handle.head(0).with_index(index._handle))
    if method is None and fill_value is None:
        return obj.reindex(index)
    rows = own.get_indexer(index, method, limit)
    present = rows >= 0
    if method is None:
        result = obj.reindex(index)
        return result if present.all() else _where(result, present, fill_value)
    taken = obj._wrap(
        obj._handle.take(Column.from_numpy(np.where(present, rows, 0))).with_index(index._handle)
    )
    return taken if present.all() else _where(taken, present, None)


def _where(obj: Any, present: Any, other: Any) -> Any:
    """Return elements of the rows that are ``present``, ``other`` in the rest."""
    flags = _cuprum.Series(column_from(present), None, obj._handle.index())
    return obj.where(wrap_series(flags), other)


class TimeLabels(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def resample(
        self,
        rule: Frequency,
        closed: Side | None = None,
        label: Side | None = None,
        convention: Convention = "start",
        on: Label = None,
        level: Label = None,
        origin: Any = "start_day",
        offset: Any = None,
        group_keys: bool = False,
    ) -> Resampler[Self]:
        """Return the rows in bins of time, one after the other: a `Resampler` with every aggregation of groups.

        Parameters
        ----------
        rule
            How long bins are: a frequency as of `date_range`.
        closed
            Which end belongs to a bin, ``'left'`` or ``'right'``. Without it the right one of bins that end
            with months, quarters, years and weeks (``ME``, ``QE``, ``YE``, ``BME``, ``BQE``, ``BYE``, ``W``) and
            for ``origin`` ``'end'`` and ``'end_day'``, else the left one.
        label
            Which end bins are called by; without it that of ``closed`` when that is not given.
        convention
            Of periods, which pandas resamples: whether shorter ones begin at their start or end.
        on, level
            A column or a level of row labels that has the times, instead of the row labels.
        origin
            From where bins of fixed length are counted: ``'start_day'`` (midnight of the first time), ``'start'``
            (the first time), ``'epoch'`` (1970), ``'end'``, ``'end_day'`` or a time.
        offset
            A length of time behind the origin.
        group_keys
            Whether the results of functions for bins go by these, too.

        Rows are taken in the order of their times; those without one are in no bin. Days and longer bins are those
        of the clocks of a zone, hours go on while these are changed. ``TypeError`` where there are no times,
        ``ValueError`` for what is no frequency, side, origin or offset.

        Examples
        --------
        >>> import cuprum
        >>> sold = cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01 18:00", periods=3, freq="4h"))
        >>> sold.resample("D").sum()
        2026-01-01    3
        2026-01-02    3
        Freq: D, dtype: int64
        """
        from cuprum.core.groupby.resample import resampled

        if convention not in ("start", "end", "s", "e"):
            raise ValueError(f"Unsupported value {convention} for `convention`")
        if self._handle.index().kind() == "period" and on is None and level is None:
            from cuprum.core.object_columns import from_pandas

            theirs = self.to_pandas()  # type: ignore[attr-defined]
            return from_pandas(theirs.resample(rule, closed, label, convention, group_keys=group_keys))
        return resampled(self, rule, closed, label, on, level, origin, offset, group_keys)

    def asfreq(
        self,
        freq: Frequency,
        method: FillMethod | None = None,
        how: PeriodSide | None = None,
        normalize: bool = False,
        fill_value: Any = None,
    ) -> Self:
        """Return the rows at regular times from the first row label to the last one.

        Parameters
        ----------
        freq
            The distance of the times: a frequency as of `date_range`.
        method
            Which row stands for a time without one: the last one before (``'ffill'``, ``'pad'``), the next one
            (``'bfill'``, ``'backfill'``) or the ``'nearest'``; by default none does.
        how
            Is for periods, which there are none of.
        normalize
            Times become midnights.
        fill_value
            Stands for missing rows where no ``method`` is given.

        ``TypeError`` for row labels that are no times, ``ValueError`` where they repeat.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series([1, 2], cuprum.date_range("2026-01-01", periods=2))
        >>> days.asfreq("12h", method="ffill")
        2026-01-01 00:00:00    1
        2026-01-01 12:00:00    1
        2026-01-02 00:00:00    2
        Freq: 12h, dtype: int64
        """
        from cuprum.core.tools.ranges import date_range

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
                regular = (
                    date_range(first, last, freq=freq, unit=index.unit).tz_localize("UTC").tz_convert(zone)
                )
            else:
                first, last = (time.tz_localize(None) for time in (first, last))
                regular = date_range(first, last, freq=freq, unit=index.unit).tz_localize(zone)
            regular = regular.rename(index.name)
        if method is not None:
            fill_value = None
        rows = at_labels(self._snapshot(), regular, method, None, fill_value)
        return rows.set_axis(rows.index.normalize()) if normalize else rows

    def at_time(self, time: Any, asof: bool = False, axis: Axis | None = None) -> Self:
        """Return the rows at a time of day; see `DatetimeIndex.indexer_at_time`.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01", periods=3, freq="12h")).at_time("12:00")
        2026-01-01 12:00:00    2
        Freq: 12h, dtype: int64
        """
        _only_rows(self, "at_time", axis)
        rows: Any = self
        return _rows_at(rows, _times_of(self, "at_time").indexer_at_time(time, asof))

    def between_time(
        self, start_time: Any, end_time: Any, inclusive: Closed = "both", axis: Axis | None = None
    ) -> Self:
        """Return the rows between two times of day, over midnight where the first one is later.

        ``inclusive`` says which of both belong to them: ``'both'``, ``'left'``, ``'right'`` or ``'neither'``. See
        `DatetimeIndex.indexer_between_time`.

        Examples
        --------
        >>> import cuprum
        >>> hours = cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01", periods=3, freq="8h"))
        >>> hours.between_time("16:00", "7:00")
        2026-01-01 00:00:00    1
        2026-01-01 16:00:00    3
        dtype: int64
        """
        _only_rows(self, "between_time", axis)
        if inclusive not in ("both", "left", "right", "neither"):
            raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
        first, last = inclusive in ("both", "left"), inclusive in ("both", "right")
        index = _times_of(self, "between_time")
        rows: Any = self
        return _rows_at(rows, index.indexer_between_time(start_time, end_time, first, last))

    def tz_localize(
        self,
        tz: Any,
        axis: Axis = 0,
        level: Any = None,
        copy: bool | None = None,
        ambiguous: Any = "raise",
        nonexistent: Any = "raise",
    ) -> Self:
        """Return the object with the times of its row labels as what clocks in ``tz`` showed.

        None takes the zone away. ``ambiguous`` and ``nonexistent`` are those of `DatetimeProperties.tz_localize`.
        """
        only_default("tz_localize", level=(level, None))
        only_truth("tz_localize", copy=copy)
        return self._with_times(axis, "tz_localize", tz, ambiguous, nonexistent)

    def tz_convert(self, tz: Any, axis: Axis = 0, level: Any = None, copy: bool | None = None) -> Self:
        """Return the object with the instants of its row labels in another time zone; None for UTC without one."""
        only_default("tz_convert", level=(level, None))
        only_truth("tz_convert", copy=copy)
        return self._with_times(axis, "tz_convert", tz)

    def _with_times(self, axis: Any, change: str, *args: Any) -> Any:
        this: Any = self
        columns = axis_number(axis, self) == 1
        labels = this.columns if columns else this.index
        if not hasattr(labels, change):
            raise TypeError("index is not a valid DatetimeIndex or PeriodIndex")
        return this.set_axis(getattr(labels, change)(*args), axis=axis)


class FrameTimeLabels(TimeLabels):
    """Labels of the rows and columns of a frame that are times or periods."""

    __slots__ = ()

    def to_period(self, freq: Any = None, axis: Axis = 0, copy: bool | None = None) -> DataFrame:
        """Return the frame with the periods of a frequency in which its row labels lie; see `Series.dt.to_period`.

        With ``axis=1`` its column labels.
        """
        only_truth("to_period", copy=copy)
        return self._with_times(axis, "to_period", freq)

    def to_timestamp(
        self, freq: Any = None, how: str = "start", axis: Axis = 0, copy: bool | None = None
    ) -> DataFrame:
        """Return the frame with the times at which its row labels, periods, begin or end.

        With ``axis=1`` its column labels.
        """
        only_truth("to_timestamp", copy=copy)
        return self._with_times(axis, "to_timestamp", freq, how)


class SeriesTimeLabels(TimeLabels):
    """Labels of the rows of a series that are times or periods."""

    __slots__ = ()

    def to_period(self, freq: Any = None, copy: bool | None = None) -> Series:
        """Return the series with the periods of a frequency in which its row labels lie; see `Series.dt.to_period`."""
        only_truth("to_period", copy=copy)
        return self._with_times(0, "to_period", freq)

    def to_timestamp(self, freq: Any = None, how: str = "start", copy: bool | None = None) -> Series:
        """Return the series with the times at which its row labels, periods, begin or end."""
        only_truth("to_timestamp", copy=copy)
        return self._with_times(0, "to_timestamp", freq, how)


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
