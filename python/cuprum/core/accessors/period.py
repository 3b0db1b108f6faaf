"""`series.dt` of periods: their parts, and the times at which they begin and end."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.objects import wrap_series
from cuprum.core.tools.offsets import to_offset

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["PeriodProperties", "period_frequency", "period_of_times"]


def period_frequency(freq: Any) -> str:
    """Return the frequency of periods, which pandas calls ``M`` where one of times is ``ME``, as a text.

    ``ValueError`` for what is none.
    """
    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of business days, which are refused
        dtype = pd.PeriodDtype(freq)
    return dtype.name.removeprefix("period[").removesuffix("]")


def period_of_times(freq: str | None) -> Any:
    """Return the frequency of the periods in which times that are regular lie; ``ValueError`` where they are not."""
    if freq is None:
        raise ValueError("You must pass a freq argument as current index has none.")
    from pandas.tseries.frequencies import get_period_alias

    offset = to_offset(freq)
    several = offset if hasattr(offset, "_period_dtype_code") else freq  # such as two ends of months
    return get_period_alias(freq) or several


class PeriodProperties(Accessor):
    """Parts and bounds of periods; made by ``series.dt``.

    Parts are those of the last day of a period, or of the time at which periods within a day begin, and missing where
    the period is.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # to checkers, the parts are those of times

        def __getattr__(self, name: str) -> Any:
            if name not in _PARTS:
                raise AttributeError(f"'PeriodProperties' object has no attribute '{name}'")
            found = getattr(self._times("dates").dt, name)
            return found.astype("int64") if found.dtype.kind == "i" else found

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_PARTS]

    def _times(self, which: Any) -> Series:
        return self._around(self._series._handle.column().times_of_periods(which))

    def _around(self, column: Any) -> Series:
        series = self._series
        return wrap_series(_cuprum.Series(column, series.name, series._handle.index()))

    @property
    def freq(self) -> Any:
        """The frequency, as pandas' offset."""
        import pandas as pd

        return pd.PeriodDtype(self._series.dtype.freq).freq

    @property
    def start_time(self) -> Series:
        """The times at which periods begin."""
        return self._times("start")

    @property
    def end_time(self) -> Series:
        """The last times in periods: a tick before the next begin."""
        return self._times("end")

    @property
    def week(self) -> Series:
        """The week of the year by ISO 8601."""
        week = self._times("dates").dt.isocalendar()["week"]
        return self._around(week.astype("int64")._handle.column())

    weekofyear = week

    @property
    def qyear(self) -> Series:
        """The year that a quarter belongs to, of the years of these periods; else the year."""
        return self._through_pandas("qyear")

    @property
    def quarter(self) -> Series:
        """The quarter of the year: of the years of these periods, if they are quarters."""
        return self._through_pandas("quarter")

    def to_timestamp(self, freq: Any = None, how: Any = "start") -> Series:
        """Return the times at which periods begin or end.

        Parameters
        ----------
        freq : str or offset, optional
            A frequency of periods, for the dates of those in which these begin; without it, and with
            ``how="end"``, the times of these.
        how : ``"start"`` or ``"end"``, default ``"start"``
            Whether the first or the last time of each period.

        Returns
        -------
        Series
            Times; missing for missing elements.

        Raises
        ------
        ValueError
            For another ``how``.

        Examples
        --------
        >>> import cuprum
        >>> months = cuprum.Series(["2024-01", "2024-02"]).astype("period[M]")
        >>> months.dt.to_timestamp()
        0   2024-01-01
        1   2024-02-01
        dtype: datetime64[us]
        >>> months.dt.to_timestamp(how="end").dt.day.to_list()
        [31, 29]
        """
        if _is_end(how):
            return self.end_time
        return self.start_time if freq is None else PeriodProperties(self.asfreq(freq, how))._times("dates")

    def asfreq(self, freq: Any = None, how: Any = "E") -> Series:
        """Return the periods of another frequency at the start or end of these.

        Parameters
        ----------
        freq : str or offset
            A frequency of periods, as ``"D"`` or ``"Y"``.
        how : ``"E"`` or ``"S"``, default ``"E"``
            Whether periods in which these end or begin; ``"end"`` and ``"start"`` are the same.

        Returns
        -------
        Series
            Periods; missing for missing elements.

        Raises
        ------
        ValueError
            For another ``how``, and for an argument that is no frequency of periods.

        Examples
        --------
        >>> import cuprum
        >>> months = cuprum.Series(["2024-01", "2024-02"]).astype("period[M]")
        >>> months.dt.asfreq("D").astype(str).to_list()
        ['2024-01-31', '2024-02-29']
        >>> months.dt.asfreq("D", how="S").astype(str).to_list()
        ['2024-01-01', '2024-02-01']
        """
        return self._around(self._series._handle.column().as_periods(period_frequency(freq), _is_end(how)))

    def strftime(self, date_format: str) -> Series:
        """Return the periods as texts in a format.

        Parameters
        ----------
        date_format : str
            The format, with Python's directives and pandas' ``%q`` (quarter), ``%f`` and ``%F`` (year of a
            quarter).

        Returns
        -------
        Series
            Texts; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> quarters = cuprum.Series(["2024-01", "2024-05"]).astype("period[Q]")
        >>> quarters.dt.strftime("%Y/%q").to_list()
        ['2024/1', '2024/2']
        """
        return self._through_pandas("strftime", date_format)

    def _through_pandas(self, name: str, *args: Any) -> Any:
        found = getattr(self._series.to_pandas().dt, name)
        made = objects.from_pandas(found(*args) if args else found)
        missing = self._series.isna()
        return made.mask(missing) if made.dtype.kind == "i" and missing.any() else made


def _is_end(how: Any) -> bool:
    name = str(how).lower()
    if name in ("e", "end", "finish"):
        return True
    if name in ("s", "start", "begin"):
        return False
    raise ValueError(f"`how` is {how!r}; known are 'start' and 'end'")


_PARTS = (
    "day",
    "day_of_week",
    "day_of_year",
    "dayofweek",
    "dayofyear",
    "days_in_month",
    "daysinmonth",
    "hour",
    "is_leap_year",
    "minute",
    "month",
    "second",
    "weekday",
    "year",
)
