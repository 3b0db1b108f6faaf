"""Row labels that are times: `DatetimeIndex` and `TimedeltaIndex`."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, DType, _tables
from cuprum.core import objects
from cuprum.core.accessors.datetime import DatetimeProperties
from cuprum.core.accessors.period import period_frequency, period_of_times
from cuprum.core.arguments import check_time_unit, is_mask, only_truth, plain_label, refuse_no_data
from cuprum.core.construction import cast_column, column_from
from cuprum.core.index.frequency import checked, kept_by_move, with_frequency
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.interop import to_numpy, to_values
from cuprum.core.label_construction import index_handle
from cuprum.core.tools.datetimes import to_datetime
from cuprum.core.tools.offsets import infer_freq, is_fixed, known_frequency, shown, spelled, to_offset
from cuprum.core.tools.timedeltas import to_timedelta
from cuprum.core.zones import zone_name, zone_of

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.period import PeriodIndex
    from cuprum.typing import Array, Frequency, Position, Scalar, Several, TimeUnit

__all__ = ["DatetimeIndex", "TimedeltaIndex"]


class _TimeIndex(Index):
    """Labels that are times: shown as texts in quotes."""

    __slots__ = ()

    def as_unit(self, unit: TimeUnit) -> Self:
        """Return the times in another unit.

        Parameters
        ----------
        unit : {``'s'``, ``'ms'``, ``'us'``, ``'ns'``}
            The unit. Times are rounded down to a coarser one.

        Returns
        -------
        DatetimeIndex or TimedeltaIndex
            As many labels as before, with the frequency of these.

        Raises
        ------
        ValueError
            For another unit.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01 12:30"]).as_unit("s")
        DatetimeIndex(['2024-01-01 12:30:00'], dtype='datetime64[s]', freq=None)
        >>> cuprum.TimedeltaIndex(["1.5s"]).as_unit("s")
        TimedeltaIndex(['0 days 00:00:01'], dtype='timedelta64[s]', freq=None)
        """
        check_time_unit(unit)
        zone = self.dtype.tz
        kind = "datetime64" if self.dtype.kind == "M" else "timedelta64"
        made = self.astype(f"{kind}[{unit}]" if zone is None else f"{kind}[{unit}, {zone}]")
        return wrap_index(made._handle.with_frequency(self._handle.frequency()))

    @property
    def unit(self) -> str | None:
        """The unit of the times: ``s``, ``ms``, ``us`` or ``ns``."""
        return self.dtype.unit

    @property
    def inferred_freq(self) -> str | None:
        """The frequency of regular times as a text; None where they are not regular, or fewer than three."""
        try:
            return infer_freq(self)
        except ValueError:
            return None

    @property
    def freq(self) -> Any:
        """The frequency that the times were made with, as pandas' offset; None where none is known.

        Slices and copies have it, and what holds or computes with the labels as they are. Assigning one checks it:
        ``ValueError`` where the times are not so.
        """
        text = self._handle.frequency()
        return None if text is None else to_offset(text)

    @freq.setter
    def freq(self, freq: Any) -> None:
        text, owner = checked(self, freq), self._owner
        if owner is not None:
            owner._relabelled(
                lambda handle: handle.with_index(handle.index().with_frequency(text)), inplace=True
            )
        self._handle = self._handle.with_frequency(text)

    @property
    def asi8(self) -> Array:
        """The times as 64-bit integers, in their unit, as a NumPy array; missing ones are the smallest."""
        return self.to_pandas().asi8

    @property
    def resolution(self) -> str:
        """The coarsest unit that tells all times apart from their neighbours: ``'day'``, ``'hour'`` and so on."""
        return str(self.to_pandas().resolution)

    @property
    def freqstr(self) -> str | None:
        """The frequency as a text, without its holidays; see `freq`."""
        return shown(self._handle.frequency())

    def _regular(self, made: Any) -> Any:
        """Return other labels with the frequency of these, where they have it."""
        return made._regular_as(self._handle.frequency()) if type(made) is type(self) else made

    def _regular_as(self, frequency: str) -> Index:
        """Return the labels with a frequency, if they have it."""
        try:
            return wrap_index(self._handle.with_frequency(checked(self, frequency)))
        except ValueError:
            return self

    def shift(self, periods: int = 1, freq: Frequency | None = None) -> Self:
        """Return the times moved by a number of periods of a frequency.

        Parameters
        ----------
        periods : int, default 1
            The number of periods; negative ones move back.
        freq : frequency or duration, optional
            The length of a period, such as ``'D'``, ``'2h'`` or an offset of pandas; by default the frequency
            of the labels.

        Returns
        -------
        DatetimeIndex or TimedeltaIndex
            As many labels as before.

        Raises
        ------
        ValueError
            Where the labels have no frequency and none is given.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.date_range("2024-01-01", periods=2)
        >>> index.shift(3)
        DatetimeIndex(['2024-01-04', '2024-01-05'], dtype='datetime64[us]', freq='D')
        >>> index.shift(1, freq="12h")
        DatetimeIndex(['2024-01-01 12:00:00', '2024-01-02 12:00:00'],
                      dtype='datetime64[us]', freq='D')
        """
        own = self._handle.frequency()
        if freq is None and own is None:
            raise ValueError("Cannot shift with no freq")
        moved = self + to_offset(own if freq is None else freq) * int(periods)
        return with_frequency(moved, own) if freq is None or spelled(freq) == own else moved

    def _arithmetic(self, other: Any, op: Any, reflected: bool) -> Any:
        made = super()._arithmetic(other, op, reflected)
        if not isinstance(made, Index):
            return made
        if self._handle.frequency() is None or op not in ("add", "sub") or (op == "sub" and reflected):
            return made
        return with_frequency(made, kept_by_move(self, other))

    @overload
    def __getitem__(self, key: Position) -> Scalar: ...
    @overload
    def __getitem__(self, key: Several) -> Self: ...
    def __getitem__(self, key: Any) -> Any:
        made = super().__getitem__(key)
        text = self._handle.frequency()
        if text is None or not isinstance(made, Index):
            return made
        # As in pandas: steps lengthen it, and neighbours that a mask chooses have it.
        if isinstance(key, slice):
            step = key.indices(len(self))[2]
            return made if step == 1 else with_frequency(made, to_offset(text) * step)
        import numpy as np

        if is_mask(key):
            rows = np.flatnonzero(column_from(key).to_pylist())
            if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
                return with_frequency(made, text)
        return with_frequency(made, None)

    def mean(self) -> Scalar:
        """Return the mean of the times.

        Returns
        -------
        Timestamp or Timedelta
            The mean; missing labels are skipped, and NaT is returned where there are no others.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01", None, "2024-01-03"]).mean()
        Timestamp('2024-01-02 00:00:00')
        """
        return self._series().mean()

    def std(self) -> Scalar:
        """Return the standard deviation of the times.

        Returns
        -------
        Timedelta
            The deviation of a sample; missing labels are skipped, and NaT is returned for fewer than two
            others.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.TimedeltaIndex(["1 day", "3 days", "5 days"]).std()
        Timedelta('2 days 00:00:00')
        """
        return self._series().std()

    def _through_dt(self, method: str, *args: Any) -> Any:
        column = getattr(self._series().dt, method)(*args)._handle.column()
        return wrap_index(_cuprum.Index.from_columns([column], self.names))

    def floor(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Self:
        """Return the times rounded down to a multiple of a frequency.

        Parameters
        ----------
        freq : frequency
            A fixed frequency, such as ``'h'``, ``'15min'`` or ``'D'``.
        ambiguous : bool, array or {``'raise'``, ``'NaT'``, ``'infer'``}, default ``'raise'``
            What becomes of times that clocks of the zone showed twice; see `Series.dt.tz_localize`.
        nonexistent : timedelta or str, default ``'raise'``
            What becomes of times that clocks of the zone skipped; see `Series.dt.tz_localize`.

        Returns
        -------
        DatetimeIndex or TimedeltaIndex
            As many labels as before, missing where these are. Times with a zone are rounded by its clocks.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01 12:59", None]).floor("h")
        DatetimeIndex(['2024-01-01 12:00:00', 'NaT'], dtype='datetime64[us]', freq=None)
        """
        return self._through_dt("floor", freq, ambiguous, nonexistent)

    def ceil(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Self:
        """Return the times rounded up to a multiple of a frequency.

        Parameters
        ----------
        freq : frequency
            A fixed frequency, such as ``'h'``, ``'15min'`` or ``'D'``.
        ambiguous : bool, array or {``'raise'``, ``'NaT'``, ``'infer'``}, default ``'raise'``
            What becomes of times that clocks of the zone showed twice; see `Series.dt.tz_localize`.
        nonexistent : timedelta or str, default ``'raise'``
            What becomes of times that clocks of the zone skipped; see `Series.dt.tz_localize`.

        Returns
        -------
        DatetimeIndex or TimedeltaIndex
            As many labels as before, missing where these are. Times with a zone are rounded by its clocks.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01 12:01", None]).ceil("h")
        DatetimeIndex(['2024-01-01 13:00:00', 'NaT'], dtype='datetime64[us]', freq=None)
        """
        return self._through_dt("ceil", freq, ambiguous, nonexistent)

    def round(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Self:  # type: ignore[override]
        """Return the times rounded to the nearest multiple of a frequency.

        Parameters
        ----------
        freq : frequency
            A fixed frequency, such as ``'h'``, ``'15min'`` or ``'D'``.
        ambiguous : bool, array or {``'raise'``, ``'NaT'``, ``'infer'``}, default ``'raise'``
            What becomes of times that clocks of the zone showed twice; see `Series.dt.tz_localize`.
        nonexistent : timedelta or str, default ``'raise'``
            What becomes of times that clocks of the zone skipped; see `Series.dt.tz_localize`.

        Returns
        -------
        DatetimeIndex or TimedeltaIndex
            As many labels as before, missing where these are. Halves are rounded to the even multiple.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01 12:30", "2024-01-01 13:30"]).round("h")
        DatetimeIndex(['2024-01-01 12:00:00', '2024-01-01 14:00:00'],
                      dtype='datetime64[us]', freq=None)
        >>> cuprum.TimedeltaIndex(["1 day 13h", None]).round("D")
        TimedeltaIndex(['2 days', NaT], dtype='timedelta64[us]', freq=None)
        """
        return self._through_dt("round", freq, ambiguous, nonexistent)


_BOUNDS = frozenset(f"is_{unit}_{end}" for unit in ("month", "quarter", "year") for end in ("start", "end"))


class DatetimeIndex(_TimeIndex, of="M"):
    """Labels that are timestamps, in a zone or none; their parts are attributes, as of the accessor ``dt``.

    Parameters
    ----------
    data : list-like
        Times, texts, or numbers: of nanoseconds since 1970 in UTC, or of the unit of ``dtype``.
    freq : frequency or ``'infer'``, optional
        The frequency that the times have, which is checked; by default that of the data.
    tz : str or tzinfo, optional
        The zone. Times without one are what clocks in it showed, others are converted to it.
    ambiguous : bool, array or {``'raise'``, ``'NaT'``, ``'infer'``}, default ``'raise'``
        What becomes of times that clocks of the zone showed twice; see `tz_localize`.
    dayfirst : bool, default False
        Whether the day stands before the month in texts.
    yearfirst : bool, default False
        Whether the year stands first in texts.
    dtype : dtype or str, optional
        The type, such as ``'datetime64[s]'`` or ``'datetime64[us, UTC]'``.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name; by default that of the data.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DatetimeIndex(["2024-01-31", None])
    DatetimeIndex(['2024-01-31', 'NaT'], dtype='datetime64[us]', freq=None)
    >>> cuprum.DatetimeIndex(["2020-03-29", "2020-03-30"], tz="Europe/Berlin").tz
    zoneinfo.ZoneInfo(key='Europe/Berlin')
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any = None,
        freq: Any = ...,
        tz: Any = ...,
        ambiguous: Any = "raise",
        dayfirst: bool = False,
        yearfirst: bool = False,
        dtype: Any = None,
        copy: bool = False,
        name: Any = None,
    ) -> Self:
        """Make an index of times, or of texts or numbers (of nanoseconds since 1970 in UTC, or of the unit of ``dtype``).

        Times without a zone are what clocks in ``tz`` showed (``ambiguous`` as for `tz_localize`), others are
        converted to it; a column or an index in another zone is refused, use `tz_convert`. ``freq`` is the frequency
        that they have, or ``'infer'``: ``ValueError`` where they have another one.
        """
        refuse_no_data("DatetimeIndex", data)
        only_truth("DatetimeIndex", copy=copy, dayfirst=dayfirst, yearfirst=yearfirst)
        handle = index_handle(data)
        if handle.nlevels() != 1:
            raise TypeError("a DatetimeIndex has one level")
        if dtype is not None:
            _cuprum.check_unit(dtype)
        wanted = None if dtype is None else DType(dtype)
        labels = objects.wrap_series(handle.to_series(0))
        if not len(labels):
            labels = labels.astype("int64").astype("datetime64[s]") if labels.dtype.kind != "M" else labels
        if wanted is not None and wanted.kind != "M":
            raise ValueError(f"Unexpected value for 'dtype': '{dtype}'. Must be a datetime64 dtype")
        tz = _zone(tz, wanted, labels.dtype.tz if hasattr(data, "dtype") else None)
        if labels.dtype.kind in "iuf":
            times = _since_1970(labels, "ns" if wanted is None else wanted.unit, tz)
        else:
            times = _times(labels, dayfirst, yearfirst)
        if wanted is not None and wanted.tz is None and times.dtype.tz is not None:
            raise ValueError(f"cannot supply both a tz and a timezone-naive dtype (i.e. {dtype})")
        if tz is not None:
            aware = times.dtype.tz is not None
            times = times.dt.tz_convert(tz) if aware else times.dt.tz_localize(tz, ambiguous)
        if wanted is not None and times.dtype.unit != wanted.unit:
            times = times.dt.as_unit(wanted.unit)
        names = handle.names() if name is None else [plain_label(name)]
        return _made(handle, times._handle.column(), names, freq)

    @property
    def values(self) -> Array:
        """The labels as a NumPy array; those of a zone are times of UTC, as of pandas."""
        return to_values(self._column())

    if TYPE_CHECKING:  # what `Series.dt` has, as labels
        year: Index
        month: Index
        day: Index
        hour: Index
        minute: Index
        second: Index
        microsecond: Index
        nanosecond: Index
        dayofweek: Index
        day_of_week: Index
        weekday: Index
        dayofyear: Index
        day_of_year: Index
        quarter: Index
        days_in_month: Index
        daysinmonth: Index
        is_leap_year: Array
        is_month_start: Array
        is_month_end: Array
        is_quarter_start: Array
        is_quarter_end: Array
        is_year_start: Array
        is_year_end: Array
    else:

        def __getattr__(self, name: str) -> Any:
            if not isinstance(getattr(DatetimeProperties, name, None), property):
                raise AttributeError(f"'DatetimeIndex' object has no attribute '{name}'")
            if name in _BOUNDS and self._handle.frequency() is not None:
                return getattr(
                    self.to_pandas(), name
                )  # by the business days and first months of the frequency
            part = getattr(self._series().dt, name)
            if part.dtype.kind == "b":
                return part.to_numpy()
            return wrap_index(_cuprum.Index.from_columns([part._handle.column()], self.names))

    def _with_own(self, made: Any, kept: bool = True) -> Any:
        """Return other times with the frequency of these, where they keep it."""
        text = self._handle.frequency()
        return wrap_index(made._handle.with_frequency(text)) if kept and text is not None else made

    @property
    def tz(self) -> datetime.tzinfo | None:
        """The time zone; None for times without one."""
        return zone_of(self.dtype.tz)

    @property
    def tzinfo(self) -> datetime.tzinfo | None:
        """The time zone, as `tz`."""
        return self.tz

    def to_julian_date(self) -> Index:
        """Return the times as Julian dates.

        Returns
        -------
        Index
            Days, and parts of days, since noon of the first of January of 4713 BC, as floating-point numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2000-01-01 12:00", "2000-01-02"]).to_julian_date()
        Index([2451545.0, 2451545.5], dtype='float64')
        """
        return Index(self.to_pandas().to_julian_date())

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Self:
        """Return times without a zone as what clocks in a zone showed.

        Parameters
        ----------
        tz : str, tzinfo or None
            The zone, such as ``'Europe/Berlin'``; None takes the zone away and keeps what clocks show.
        ambiguous : bool, array or {``'raise'``, ``'NaT'``, ``'infer'``}, default ``'raise'``
            What becomes of times that were shown twice: an error, a missing label, summer time (True),
            standard time (False),
            what the order of the times tells (``'infer'``), or a truth value for each.
        nonexistent : timedelta or str, default ``'raise'``
            What becomes of times that were skipped: an error (``'raise'``), a missing label (``'NaT'``), the
            next or the last time that there was (``'shift_forward'``, ``'shift_backward'``), or the time
            moved by a timedelta.

        Returns
        -------
        DatetimeIndex
            As many labels as before.

        Raises
        ------
        ValueError
            For a time that was shown twice or was skipped, with ``'raise'``.
        TypeError
            Where the labels have a zone and ``tz`` is another one; see `tz_convert`.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.DatetimeIndex(["2024-03-31 01:30", "2024-03-31 02:30"])
        >>> index.tz_localize("Europe/Berlin", nonexistent="shift_forward")
        DatetimeIndex(['2024-03-31 01:30:00+01:00', '2024-03-31 03:00:00+02:00'],
                      dtype='datetime64[us, Europe/Berlin]', freq=None)
        >>> index.tz_localize("Europe/Berlin", nonexistent="NaT").tz_localize(None)
        DatetimeIndex(['2024-03-31 01:30:00', 'NaT'], dtype='datetime64[us]', freq=None)
        """
        text = self._handle.frequency() or ""
        kept = text.endswith("D") or len(self) == 1 or {str(tz), str(self.tz)} <= {"None", "UTC"}
        return self._with_own(self._through_dt("tz_localize", tz, ambiguous, nonexistent), kept)

    def tz_convert(self, tz: Any) -> Self:
        """Return the same instants in another time zone.

        Parameters
        ----------
        tz : str, tzinfo or None
            The zone; None gives times without a zone, in UTC.

        Returns
        -------
        DatetimeIndex
            As many labels as before.

        Raises
        ------
        TypeError
            Where the labels have no zone; see `tz_localize`.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.DatetimeIndex(["2024-07-01 12:00"], tz="UTC")
        >>> index.tz_convert("Europe/Berlin")
        DatetimeIndex(['2024-07-01 14:00:00+02:00'],
                      dtype='datetime64[us, Europe/Berlin]', freq=None)
        """
        text = self._handle.frequency()
        return self._with_own(
            self._through_dt("tz_convert", tz), text is not None and not text.endswith("D") and is_fixed(text)
        )

    def snap(self, freq: Any = "S") -> Self:
        """Return the times moved to the nearest day of a frequency, at the same time of day.

        Parameters
        ----------
        freq : frequency, default ``'S'``
            The frequency, such as ``'MS'`` or ``'W-MON'``. One of a fixed length moves no time.

        Returns
        -------
        DatetimeIndex
            As many labels as before.

        Raises
        ------
        ValueError
            For the default, which pandas does not know as a frequency any more either.
        NotImplementedError
            For a frequency that only pandas knows.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-10", "2024-01-20"]).snap("MS")
        DatetimeIndex(['2024-01-01', '2024-02-01'], dtype='datetime64[us]', freq=None)
        """
        text = known_frequency(freq)
        if text is None:
            raise NotImplementedError(f"snap: `freq` = {freq!r} is not supported")
        if is_fixed(text):
            return self._through(self._series()._handle)
        return self._through(self._series()._handle.dt_snap(text))

    def indexer_at_time(self, time: Any, asof: bool = False) -> Array:
        """Return the positions of the labels at a time of day.

        Parameters
        ----------
        time : datetime.time or str
            The time of day, or a text such as ``'9:30'`` or ``'9:30:15 PM'``. It is what clocks of the zone
            show, or of the zone
            that a ``datetime.time`` has.
        asof : bool, default False
            True is refused.

        Returns
        -------
        numpy.ndarray
            The positions in ascending order. A missing label is at no time.

        Raises
        ------
        ValueError
            Where a text is no time, or ``time`` has a zone and the labels have none.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.date_range("2026-01-01", periods=3, freq="12h").indexer_at_time("12:00")
        array([1])
        """
        if asof:
            raise NotImplementedError("'asof' argument is not supported")
        wanted = _time_of_day("time", time)
        clocks = self
        if wanted.tzinfo is not None:
            if self.tz is None:
                raise ValueError("Index must be timezone aware.")
            clocks = self.tz_convert(wanted.tzinfo)
        return to_numpy(clocks._handle.rows_at_time(_microseconds(wanted)))

    def indexer_between_time(
        self, start_time: Any, end_time: Any, include_start: bool = True, include_end: bool = True
    ) -> Array:
        """Return the positions of the labels between two times of day.

        Parameters
        ----------
        start_time : datetime.time or str
            The first time of day; see `indexer_at_time`.
        end_time : datetime.time or str
            The last one. Where it is earlier than ``start_time``, the span goes over midnight.
        include_start : bool, default True
            Whether ``start_time`` belongs to the span.
        include_end : bool, default True
            Whether ``end_time`` belongs to the span.

        Returns
        -------
        numpy.ndarray
            The positions in ascending order. A missing label is in no span.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.date_range("2026-01-01", periods=3, freq="8h")
        >>> index.indexer_between_time("8:00", "16:00", include_end=False)
        array([1])
        >>> index.indexer_between_time("16:00", "7:00")
        array([0, 2])
        """
        start, end = _time_of_day("start_time", start_time), _time_of_day("end_time", end_time)
        inclusive = {(True, True): "both", (True, False): "left", (False, True): "right"}
        belong = inclusive.get((bool(include_start), bool(include_end)), "neither")
        rows = self._handle.rows_between_times(_microseconds(start), _microseconds(end), belong)
        return to_numpy(rows)

    def _through(self, handle: Any) -> Any:
        return wrap_index(_cuprum.Index.from_columns([handle.column()], self.names))

    @property
    def is_normalized(self) -> bool:
        """Whether all times are midnights."""
        return bool(self.to_pandas().is_normalized)

    @property
    def date(self) -> Array:
        """The days as ``datetime.date`` in a NumPy array."""
        return self.to_pandas().date

    @property
    def time(self) -> Array:
        """The times of day as ``datetime.time`` without a zone in a NumPy array."""
        return self.to_pandas().time

    @property
    def timetz(self) -> Array:
        """The times of day as ``datetime.time`` with their zone in a NumPy array."""
        return self.to_pandas().timetz

    def to_pydatetime(self) -> Array:
        """Return the times as ``datetime.datetime`` objects.

        Returns
        -------
        numpy.ndarray
            One object for each label, NaT for a missing one. Nanoseconds are cut off.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01 12:30"]).to_pydatetime()
        array([datetime.datetime(2024, 1, 1, 12, 30)], dtype=object)
        """
        return self.to_pandas().to_pydatetime()

    def to_period(self, freq: Any = None) -> PeriodIndex:
        """Return the periods of a frequency in which the times lie.

        Parameters
        ----------
        freq : frequency, optional
            The frequency, such as ``'M'``; by default that of the times, if they are regular.

        Returns
        -------
        PeriodIndex
            One period for each label.

        Raises
        ------
        ValueError
            Where ``freq`` is not given and the times are not regular.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-15", "2024-03-31"]).to_period("M")
        PeriodIndex(['2024-01', '2024-03'], dtype='period[M]')
        >>> cuprum.date_range("2024-01-31", periods=2, freq="ME").to_period()
        PeriodIndex(['2024-01', '2024-02'], dtype='period[M]')
        """
        frequency = period_of_times(self.freqstr or self.inferred_freq) if freq is None else freq
        column = Column.of_periods(self._column(), period_frequency(frequency))
        made: Any = wrap_index(_cuprum.Index.from_columns([column], self._handle.names()))
        return made

    def isocalendar(self) -> DataFrame:
        """Return year, week and day of ISO 8601.

        Returns
        -------
        DataFrame
            The columns ``year`` of ``int32``, ``week`` and ``day`` (Monday is 1) of ``uint32``, labelled by this
            index; missing (``<NA>``) for missing times.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-12-29", "2024-12-30"]).isocalendar()
                    year  week  day
        2024-12-29  2024    52    7
        2024-12-30  2025     1    1
        """
        frame = self._series().dt.isocalendar()
        frame.index = self
        return frame

    def normalize(self) -> Self:
        """Return the times at midnight.

        Returns
        -------
        DatetimeIndex
            As many labels as before. Midnight is that of the zone.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01 12:30", None]).normalize()
        DatetimeIndex(['2024-01-01', 'NaT'], dtype='datetime64[us]', freq=None)
        """
        made = self._through_dt("normalize")
        return made if self._handle.frequency() is None else self._regular(made)

    def strftime(self, date_format: str) -> Index:
        """Return the times as texts in a format.

        Parameters
        ----------
        date_format : str
            The format with Python's directives.

        Returns
        -------
        Index
            One text for each label, missing where it is.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-31", None]).strftime("%d.%m.%Y")
        Index(['31.01.2024', nan], dtype='str')
        """
        return self._through_dt("strftime", date_format)

    def day_name(self, locale: Any = None) -> Index:
        """Return the names of the days of the week.

        Parameters
        ----------
        locale : None, default None
            Refused: names are English.

        Returns
        -------
        Index
            One text for each label, missing where it is.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01", None]).day_name()
        Index(['Monday', nan], dtype='str')
        """
        return self._through_dt("day_name", locale)

    def month_name(self, locale: Any = None) -> Index:
        """Return the names of the months.

        Parameters
        ----------
        locale : None, default None
            Refused: names are English.

        Returns
        -------
        Index
            One text for each label, missing where it is.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeIndex(["2024-01-01", None]).month_name()
        Index(['January', nan], dtype='str')
        """
        return self._through_dt("month_name", locale)

    def _texts(self, rows: Sequence[int]) -> list[str]:
        labels = [self._label(row) for row in rows]
        if self.tz is not None:
            return _aware_texts(labels)
        texts = [str(label) for label in labels]
        if all(text == "NaT" or text.endswith(" 00:00:00") for text in texts):
            texts = [text.removesuffix(" 00:00:00") for text in texts]
        if not any(text.partition(".")[2].strip("0") for text in texts):
            texts = [text.partition(".")[0] for text in texts]
        return [f"'{text}'" for text in texts]


def _made(given: Any, column: Column, names: Any, freq: Any) -> Any:
    """Return an index of times that are said to have a frequency, or none; else with that of the given labels."""
    index = wrap_index(_cuprum.Index.from_columns([column], names))
    text = given.frequency()
    if freq is ... and text is not None and given.kind() == column.dtype.kind:
        same = given.column(0).dtype == column.dtype
        return wrap_index(index._handle.with_frequency(text)) if same else index
    return index if freq in (..., None) else wrap_index(index._handle.with_frequency(checked(index, freq)))


_TIMES_OF_DAY = ["%H:%M", "%H%M", "%I:%M%p", "%I:%M %p", "%I%M%p", "%I%M %p"]
_TIMES_OF_DAY += ["%H:%M:%S", "%H%M%S", "%I:%M:%S%p", "%I:%M:%S %p", "%I%M%S%p", "%I%M%S %p", "%I%p", "%I %p"]


def _time_of_day(argument: str, value: Any) -> datetime.time:
    """Return a time of day, or a text of one."""
    if isinstance(value, datetime.time):
        return value
    if isinstance(value, str):
        try:
            return datetime.time.fromisoformat(value)
        except ValueError:
            for text in _TIMES_OF_DAY:
                with suppress(ValueError):
                    return datetime.datetime.strptime(value.strip(), text).time()
        raise ValueError(f"Cannot convert `{argument}`={value!r} to a time")
    raise TypeError(f"`{argument}` is {value!r}: give a datetime.time or a text of one")


def _microseconds(time: datetime.time) -> int:
    return ((time.hour * 60 + time.minute) * 60 + time.second) * 10**6 + time.microsecond


def _aware_texts(labels: list[Any]) -> list[str]:
    """Return instants with as many digits behind the second as any of them needs."""
    known = [label for label in labels if str(label) != "NaT"]
    nanos = [label.microsecond * 1000 + getattr(label, "nanosecond", 0) for label in known]
    digits = next((n for n in (0, 3, 6) if not any(value % 10 ** (9 - n) for value in nanos)), 9)
    texts = []
    for label in labels:
        if str(label) == "NaT":
            texts.append("NaT")
            continue
        day, _, clock = label.isoformat().partition("T")
        at = max(clock.find("+"), clock.find("-"))
        fraction = f".{label.microsecond * 1000 + getattr(label, 'nanosecond', 0):09}"[: digits + 1]
        texts.append(f"{day} {clock[:8]}{fraction if digits else ''}{clock[at:]}")
    return [f"'{text}'" for text in texts]


class TimedeltaIndex(_TimeIndex, of="m"):
    """Labels that are durations.

    Parameters
    ----------
    data : list-like
        Durations, texts of them, or numbers: of nanoseconds, or of the unit of ``dtype``.
    freq : frequency or ``'infer'``, optional
        The frequency that the durations have, which is checked; by default that of the data.
    dtype : dtype or str, optional
        The type, such as ``'timedelta64[s]'``.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name; by default that of the data.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.TimedeltaIndex(["1 day", "02:30:00"])
    TimedeltaIndex(['1 days 00:00:00', '0 days 02:30:00'], dtype='timedelta64[us]',
                   freq=None)
    >>> cuprum.TimedeltaIndex([1_000_000_000])
    TimedeltaIndex(['0 days 00:00:01'], dtype='timedelta64[ns]', freq=None)
    """

    __slots__ = ()

    def __new__(
        cls, data: Any = None, freq: Any = ..., dtype: Any = None, copy: bool = False, name: Any = None
    ) -> Self:
        """Make an index of durations, of texts of them, or of integers: nanoseconds, or of the unit of ``dtype``.

        ``freq`` is the frequency that they have, or ``'infer'``: ``ValueError`` where they have another one.
        """
        refuse_no_data("TimedeltaIndex", data)
        only_truth("TimedeltaIndex", copy=copy)
        handle = index_handle(data)
        if handle.nlevels() != 1:
            raise TypeError("a TimedeltaIndex has one level")
        column = handle.column(0)
        wanted = None if dtype is None else DType(dtype)
        if wanted is not None and (wanted.kind != "m" or str(dtype) in ("timedelta64", "timedelta64[D]")):
            raise ValueError(f"dtype '{dtype}' is invalid, should be np.timedelta64 dtype")
        if column.dtype == "str":
            column = to_timedelta(objects.wrap_series(_cuprum.Series(column)))._handle.column()
        elif column.dtype.kind != "m":
            unit = "ns" if column.null_count() < len(column) else "s"
            column = _durations(column, unit if wanted is None else wanted.unit)
        column = cast_column(column, wanted)
        names = handle.names() if name is None else [plain_label(name)]
        return _made(handle, column, names, freq)

    def _part(self, name: str) -> Index:
        ticks = self._series().astype("int64")
        per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}.get(self.unit or "", 1)
        day = 86_400 * per_second if self.unit != "D" else 1
        within = ticks % day
        if name == "days":
            values = ticks // day
        elif self.unit == "D":
            values = ticks * 0
        elif name == "seconds":
            values = within // per_second
        else:
            values = within % per_second * (10**9 // per_second)
            values = values // 1000 if name == "microseconds" else values % 1000
        return wrap_index(_cuprum.Index.from_columns([values._handle.column()], self.names))

    @property
    def days(self) -> Index:
        """The whole days, rounded down."""
        return self._part("days")

    @property
    def seconds(self) -> Index:
        """The seconds beyond whole days, 0 to 86 399."""
        return self._part("seconds")

    @property
    def microseconds(self) -> Index:
        """The microseconds beyond whole seconds."""
        return self._part("microseconds")

    @property
    def nanoseconds(self) -> Index:
        """The nanoseconds beyond whole microseconds."""
        return self._part("nanoseconds")

    @property
    def components(self) -> DataFrame:
        """Days, hours, minutes, seconds, milliseconds, microseconds and nanoseconds as columns of a frame."""
        return self._series().dt.components.reset_index(drop=True)

    def to_pytimedelta(self) -> Array:
        """Return the durations as ``datetime.timedelta`` objects.

        Returns
        -------
        numpy.ndarray
            One object for each label, NaT for a missing one. Nanoseconds are cut off.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.TimedeltaIndex(["1 day 00:00:01"]).to_pytimedelta()
        array([datetime.timedelta(days=1, seconds=1)], dtype=object)
        """
        return self.to_pandas().to_pytimedelta()

    def sum(self) -> Scalar:
        """Return the sum of the durations.

        Returns
        -------
        Timedelta
            The sum; missing labels are skipped.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.TimedeltaIndex(["1 day", None, "2 days"]).sum()
        Timedelta('3 days 00:00:00')
        """
        return self._series().sum()

    def median(self) -> Scalar:
        """Return the median of the durations.

        Returns
        -------
        Timedelta
            The median; missing labels are skipped.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.TimedeltaIndex(["1 day", None, "2 days"]).median()
        Timedelta('1 days 12:00:00')
        """
        return self._series().median()

    def total_seconds(self) -> Index:
        """Return the durations in seconds.

        Returns
        -------
        Index
            Floating-point numbers, missing where the labels are.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.TimedeltaIndex(["1 day", "1.5s", None]).total_seconds()
        Index([86400.0, 1.5, nan], dtype='float64')
        """
        per_second = {"D": 1 / 86_400, "s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[self.unit or "ns"]
        values = self._series().astype("int64").astype("float64") / per_second
        return wrap_index(_cuprum.Index.from_columns([values._handle.column()], self.names))

    def _texts(self, rows: Sequence[int]) -> list[str]:
        frame = _cuprum.Series(self._column())
        some = frame.iloc(Column.from_iterable_of_py(list(rows), "int64"))
        texts = _cuprum.Series(some.column()).astype("str").column().to_pylist("NaT")
        return [text if text == "NaT" else f"'{text}'" for text in texts]


def _zone(tz: Any, dtype: DType | None, own: str | None) -> str | None:
    """Return the zone that the arguments of `DatetimeIndex` ask for: that of times which have one (``own``)."""
    asked = None if dtype is None else dtype.tz
    if tz is not ... and tz is not None:
        tz = zone_name(tz)
        if asked is not None and asked != tz:
            raise ValueError("cannot supply both a tz and a dtype with a tz")
        asked = tz
    if dtype is not None and dtype.tz is None and (asked or own):
        raise ValueError(f"cannot supply both a tz and a timezone-naive dtype (i.e. {dtype})")
    if own is not None and tz is None:
        raise ValueError(
            "Passed data is timezone-aware, incompatible with 'tz=None'. Use obj.tz_localize(None) instead."
        )
    if own is not None and asked not in (None, own):
        raise TypeError(f"data is already tz-aware {own}, unable to set specified tz: {asked}")
    return asked


def _since_1970(labels: Any, unit: str | None, tz: Any) -> Any:
    """Return numbers of a unit as times: instants where a zone is asked for, fractions are cut off."""
    if labels.dtype.kind == "f":
        import numpy as np

        labels = np.trunc(labels)
    times = labels.astype(f"datetime64[{unit}]")
    return times if tz is None else times.dt.tz_localize("UTC")


def _times(labels: Any, dayfirst: bool, yearfirst: bool) -> Any:
    """Return labels as times: texts of one form, or of several that ISO 8601 has."""
    try:
        return to_datetime(labels, dayfirst=dayfirst, yearfirst=yearfirst)
    except ValueError:
        if labels.dtype != "str":
            raise
        with suppress(ValueError):
            return to_datetime(labels, format="ISO8601")
        raise


def _durations(column: Column, unit: str | None) -> Column:
    """Return numbers as durations in a unit, fractions rounded (of nanoseconds cut off); empty labels of any kind as none."""
    if not len(column):
        return Column.from_iterable_of_py([], "timedelta64[s]")
    if column.dtype.kind == "f":
        given = objects.wrap_series(_cuprum.Series(_tables.column_nans_to_nulls(column)))
        whole = given.astype("int64")
        rest = 0 if unit == "ns" else (given - whole).round().astype("int64")  # as in pandas
        column = (whole + rest)._handle.column()
    elif column.null_count() == len(column):
        column = Column.filled(None, len(column))
    elif column.dtype.kind not in "iu":
        raise TypeError(f"labels of type {column.dtype} are no durations: use to_timedelta or astype first")
    return cast_column(cast_column(column, "int64"), f"timedelta64[{unit}]")
