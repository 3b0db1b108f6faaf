"""``Series.dt``: parts and functions of times. Missing elements stay missing."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.accessors.period import period_frequency, period_of_times
from cuprum.core.arguments import check_time_unit, only_default, only_texts
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.tools.clocks import are_each_treated, localized_each
from cuprum.core.tools.offsets import changed_clocks, rounded
from cuprum.core.zones import zone_name, zone_of

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Frequency, TimeUnit

__all__ = ["DatetimeProperties"]


class DatetimeProperties(Accessor):
    """Parts and functions of times; made by ``series.dt``."""

    __slots__ = ()

    def __init__(self, series: Series) -> None:
        if series._handle.dtype() == "date32":
            series = series.astype("datetime64[s]")
        if series._handle.dtype().kind != "M":
            raise AttributeError("Can only use .dt accessor with datetimelike values")
        self._series = series

    def _component(self, name: str) -> Series:
        return wrap_series(self._series._handle.dt_component(name))

    def _flag(self, name: str) -> Series:
        return self._component(name).fillna(False)

    @property
    def time(self) -> Series:
        """The times of day that clocks show, as ``datetime.time``: objects, NaT where a time is missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2024-01-05 09:30"])).dt.time
        0    09:30:00
        dtype: object
        """
        return self._of_day("time")

    @property
    def timetz(self) -> Series:
        """The times of day that clocks show, with their zone; see `time`."""
        return self._of_day("timetz")

    def _of_day(self, name: str) -> Series:
        series = self._series
        elements = Column.from_objects(getattr(objects.Index(series), name))
        return wrap_series(_cuprum.Series(elements, series.name, series._handle.index()))

    @property
    def freq(self) -> str | None:
        """The frequency of regular times as a text; None where they are not regular, or fewer than three."""
        labels: Any = objects.Index(self._series)
        return labels.inferred_freq

    def to_period(self, freq: Any = None) -> Series:
        """Return the periods in which the times lie.

        Parameters
        ----------
        freq : str or offset, optional
            A frequency of periods, as ``"M"``, ``"Q-MAR"`` or ``"2W"``; without it that of regular times.

        Returns
        -------
        Series
            Periods, of times with a zone by what its clocks show; missing for missing elements.

        Raises
        ------
        ValueError
            If there is no ``freq`` and times are not regular.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series(cuprum.date_range("2024-01-30", periods=3))
        >>> days.dt.to_period("M").astype(str).to_list()
        ['2024-01', '2024-01', '2024-02']
        """
        frequency = period_of_times(self.freq) if freq is None else freq
        series = self._series
        column = Column.of_periods(series._handle.column(), period_frequency(frequency))
        return wrap_series(_cuprum.Series(column, series.name, series._handle.index()))

    def to_pydatetime(self) -> Series:
        """Return the times as ``datetime.datetime`` objects.

        Returns
        -------
        Series
            Objects; they have no nanoseconds.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2024-01-05 09:30"])).dt.to_pydatetime().to_list()
        [datetime.datetime(2024, 1, 5, 9, 30)]
        """
        series = self._series
        objects = Column.from_objects([*series.to_pandas().dt.to_pydatetime()])
        return wrap_series(_cuprum.Series(objects, series.name, series._handle.index()))

    @property
    def year(self) -> Series:
        """The year."""
        return self._component("year")

    @property
    def month(self) -> Series:
        """The month, 1 to 12."""
        return self._component("month")

    @property
    def day(self) -> Series:
        """The day of the month, from 1."""
        return self._component("day")

    @property
    def hour(self) -> Series:
        """The hour."""
        return self._component("hour")

    @property
    def minute(self) -> Series:
        """The minute."""
        return self._component("minute")

    @property
    def second(self) -> Series:
        """The second."""
        return self._component("second")

    @property
    def microsecond(self) -> Series:
        """The microseconds of the second."""
        return self._component("microsecond")

    @property
    def nanosecond(self) -> Series:
        """The nanoseconds of the microsecond."""
        return self._component("nanosecond")

    @property
    def dayofweek(self) -> Series:
        """The day of the week, Monday being 0."""
        return self._component("dayofweek")

    day_of_week = dayofweek
    weekday = dayofweek

    @property
    def dayofyear(self) -> Series:
        """The day of the year, from 1."""
        return self._component("dayofyear")

    day_of_year = dayofyear

    @property
    def quarter(self) -> Series:
        """The quarter of the year, from 1."""
        return self._component("quarter")

    @property
    def days_in_month(self) -> Series:
        """The number of days of the month."""
        return self._component("days_in_month")

    daysinmonth = days_in_month

    @property
    def is_leap_year(self) -> Series:
        """Whether the year has 366 days."""
        return self._flag("is_leap_year")

    @property
    def is_month_start(self) -> Series:
        """Whether it is the first day of the month."""
        return self._flag("is_month_start")

    @property
    def is_month_end(self) -> Series:
        """Whether it is the last day of the month."""
        return self._flag("is_month_end")

    @property
    def is_quarter_start(self) -> Series:
        """Whether it is the first day of the quarter."""
        return self._flag("is_quarter_start")

    @property
    def is_quarter_end(self) -> Series:
        """Whether it is the last day of the quarter."""
        return self._flag("is_quarter_end")

    @property
    def is_year_start(self) -> Series:
        """Whether it is the first day of the year."""
        return self._flag("is_year_start")

    @property
    def is_year_end(self) -> Series:
        """Whether it is the last day of the year."""
        return self._flag("is_year_end")

    @property
    def unit(self) -> str:
        """The unit of the times: ``s``, ``ms``, ``us`` or ``ns``."""
        return self._series.dtype.unit  # type: ignore[return-value]

    @property
    def tz(self) -> tzinfo | None:
        """The time zone; None for times without one."""
        return zone_of(self._series.dtype.tz)

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return times without a zone as what clocks in a zone showed.

        Parameters
        ----------
        tz : str, tzinfo or None
            The zone; None takes the zone away and leaves what clocks show.
        ambiguous : ``"raise"``, ``"NaT"``, ``"infer"``, bool or array of bool, default ``"raise"``
            What becomes of times that were shown twice: an error, a missing element, what the order of times
            tells, summer time (True) or standard time (False), for all or for each element.
        nonexistent : str or timedelta, default ``"raise"``
            What becomes of times that were skipped: an error with ``"raise"``, a missing element with
            ``"NaT"``, the nearest time that there was with ``"shift_forward"`` and ``"shift_backward"``, or
            the time moved by a timedelta.

        Returns
        -------
        Series
            Times of the zone; missing elements stay missing.

        Raises
        ------
        TypeError
            If times have a zone already and ``tz`` is another.

        See Also
        --------
        tz_convert : The same instants in another zone.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.Series(cuprum.to_datetime(["2026-01-05 09:30", "2026-07-05 09:30"]))
        >>> times.dt.tz_localize("Europe/Berlin")
        0   2026-01-05 09:30:00+01:00
        1   2026-07-05 09:30:00+02:00
        dtype: datetime64[us, Europe/Berlin]

        An hour that clocks show twice needs ``ambiguous``:

        >>> autumn = cuprum.Series(cuprum.to_datetime(["2026-10-25 02:30"]))
        >>> autumn.dt.tz_localize("Europe/Berlin", ambiguous=False)
        0   2026-10-25 02:30:00+01:00
        dtype: datetime64[us, Europe/Berlin]
        """
        if tz is not None and are_each_treated(ambiguous, nonexistent):
            return localized_each(self._series, tz, ambiguous, nonexistent)
        ambiguous, nonexistent = changed_clocks("tz_localize", ambiguous, nonexistent)
        zone = None if tz is None else zone_name(tz)
        return wrap_series(self._series._handle.dt_localize(zone, ambiguous, nonexistent))

    def tz_convert(self, tz: Any) -> Series:
        """Return the same instants as clocks in another zone show them.

        Parameters
        ----------
        tz : str, tzinfo or None
            The zone; None gives times without a zone, in UTC.

        Returns
        -------
        Series
            Times of the zone; missing elements stay missing.

        Raises
        ------
        TypeError
            If times have no zone.

        See Also
        --------
        tz_localize : Give times without a zone one.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.Series(cuprum.to_datetime(["2026-01-05 09:30"])).dt.tz_localize("UTC")
        >>> times.dt.tz_convert("Asia/Tokyo")
        0   2026-01-05 18:30:00+09:00
        dtype: datetime64[us, Asia/Tokyo]
        """
        return wrap_series(self._series._handle.dt_convert_zone(None if tz is None else zone_name(tz)))

    @property
    def date(self) -> Series:
        """The day that clocks show, of dtype ``date32``: its elements are ``datetime.date``."""
        return wrap_series(self._series._handle.dt_date())

    def isocalendar(self) -> DataFrame:
        """Return year, week and day of the week of each time by ISO 8601.

        Returns
        -------
        DataFrame
            Columns ``year`` of ``int32``, ``week`` and ``day`` (Monday is 1) of ``uint32``, under the row labels;
            missing (``<NA>``) for missing elements. They print and compare as those of pandas, whose dtypes
            ``Int32`` and ``UInt32`` have a mask of their own.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05", "2027-01-01"])).dt.isocalendar()
           year  week  day
        0  2026     2    1
        1  2026    53    5
        """
        handle = self._series._handle
        parts = [handle.dt_component(name).column() for name in ("iso_year", "iso_week", "iso_day")]
        parts[1:] = [part.cast("uint32") for part in parts[1:]]
        return wrap_frame(_cuprum.DataFrame(["year", "week", "day"], parts, handle.index()))

    def floor(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return the times rounded down to a multiple of a length of time.

        Parameters
        ----------
        freq : str, timedelta or offset
            A fixed length of time, as ``"h"``, ``"15min"`` or ``"D"``; months and longer ones are refused.
        ambiguous : ``"raise"``, ``"NaT"`` or bool, default ``"raise"``
            What becomes of results that clocks of the zone show twice: an error, a missing element, the first
            (True) or the second time (False).
        nonexistent : ``"raise"``, ``"NaT"``, ``"shift_forward"`` or ``"shift_backward"``, default ``"raise"``
            What becomes of results that clocks of the zone skip.

        Returns
        -------
        Series
            Times of the same unit and zone; missing elements stay missing.

        Raises
        ------
        ValueError
            For a frequency of no fixed length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05 09:38"])).dt.floor("15min")
        0   2026-01-05 09:30:00
        dtype: datetime64[us]
        """
        return rounded(self._series, "floor", freq, ambiguous, nonexistent)

    def ceil(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return the times rounded up to a multiple of a length of time.

        Parameters
        ----------
        freq : str, timedelta or offset
            A fixed length of time, as ``"h"``, ``"15min"`` or ``"D"``; months and longer ones are refused.
        ambiguous : ``"raise"``, ``"NaT"`` or bool, default ``"raise"``
            What becomes of results that clocks of the zone show twice: an error, a missing element, the first
            (True) or the second time (False).
        nonexistent : ``"raise"``, ``"NaT"``, ``"shift_forward"`` or ``"shift_backward"``, default ``"raise"``
            What becomes of results that clocks of the zone skip.

        Returns
        -------
        Series
            Times of the same unit and zone; missing elements stay missing.

        Raises
        ------
        ValueError
            For a frequency of no fixed length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05 09:38"])).dt.ceil("15min")
        0   2026-01-05 09:45:00
        dtype: datetime64[us]
        """
        return rounded(self._series, "ceil", freq, ambiguous, nonexistent)

    def round(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return the times rounded to the nearest multiple of a length of time.

        Parameters
        ----------
        freq : str, timedelta or offset
            A fixed length of time, as ``"h"``, ``"15min"`` or ``"D"``; months and longer ones are refused.
        ambiguous : ``"raise"``, ``"NaT"`` or bool, default ``"raise"``
            What becomes of results that clocks of the zone show twice: an error, a missing element, the first
            (True) or the second time (False).
        nonexistent : ``"raise"``, ``"NaT"``, ``"shift_forward"`` or ``"shift_backward"``, default ``"raise"``
            What becomes of results that clocks of the zone skip.

        Returns
        -------
        Series
            Times of the same unit and zone, halves at the even multiple; missing elements stay missing.

        Raises
        ------
        ValueError
            For a frequency of no fixed length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05 09:38"])).dt.round("15min")
        0   2026-01-05 09:45:00
        dtype: datetime64[us]
        """
        return rounded(self._series, "round", freq, ambiguous, nonexistent)

    def normalize(self) -> Series:
        """Return the times at midnight of their day.

        Returns
        -------
        Series
            Times of the same unit and zone; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05 09:38", None])).dt.normalize()
        0   2026-01-05
        1          NaT
        dtype: datetime64[us]
        """
        return self.floor("D")

    def strftime(self, date_format: str) -> Series:
        """Return the times as texts in a format.

        Parameters
        ----------
        date_format : str
            The format, with Python's directives.

        Returns
        -------
        Series
            Texts; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05 09:38", None])).dt.strftime("%d.%m.%Y")
        0    05.01.2026
        1           NaN
        dtype: str
        """
        only_texts(date_format=date_format)
        return wrap_series(self._series._handle.dt_strftime(date_format))

    def day_name(self, locale: Any = None) -> Series:
        """Return the English name of the day of the week of each time.

        Parameters
        ----------
        locale : None
            Only None: other languages are refused.

        Returns
        -------
        Series
            Texts; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05"])).dt.day_name().to_list()
        ['Monday']
        """
        only_default("day_name", locale=(locale, None))
        return self.strftime("%A")

    def month_name(self, locale: Any = None) -> Series:
        """Return the English name of the month of each time.

        Parameters
        ----------
        locale : None
            Only None: other languages are refused.

        Returns
        -------
        Series
            Texts; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05"])).dt.month_name().to_list()
        ['January']
        """
        only_default("month_name", locale=(locale, None))
        return self.strftime("%B")

    def as_unit(self, unit: TimeUnit) -> Series:
        """Return the times in another unit.

        Parameters
        ----------
        unit : ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``
            The unit.

        Returns
        -------
        Series
            Times of the same zone. A coarser unit cuts off what it cannot tell.

        Raises
        ------
        ValueError
            For another unit.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_datetime(["2026-01-05 09:38"])).dt.as_unit("s")
        0   2026-01-05 09:38:00
        dtype: datetime64[s]
        """
        check_time_unit(unit)
        zone = self._series.dtype.tz
        return self._series.astype(f"datetime64[{unit}]" if zone is None else f"datetime64[{unit}, {zone}]")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]
