"""Row labels that are periods: `PeriodIndex` and `period_range`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.accessors.period import PeriodProperties, period_frequency
from cuprum.core.arguments import only_truth, plain_label
from cuprum.core.construction import cast_column, column_from
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.label_construction import index_handle
from cuprum.core.objects import wrap_series

__all__ = ["PeriodIndex", "period_range"]


class PeriodIndex(Index, of="period"):
    """Labels that are months, quarters or other spans of the calendar.

    A text names a period (``"2024-01"``, ``"2024Q1"``), or all periods in one that is longer (``"2024"``).

    Parameters
    ----------
    data : list-like, optional
        Periods of pandas, texts, times, or a series or index of them.
    freq : frequency, optional
        The frequency, as pandas has it for periods: ``'M'``, ``'Q-MAR'``, ``'2W'``. Needed for texts and
        times.
    dtype : dtype or str, optional
        A type of periods, in the place of ``freq``.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name; by default that of the data.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.PeriodIndex(["2024-01", "2024-03"], freq="M")
    PeriodIndex(['2024-01', '2024-03'], dtype='period[M]')
    """

    __slots__ = ()

    def __new__(
        cls, data: Any = None, freq: Any = None, dtype: Any = None, copy: bool = False, name: Any = None
    ) -> Any:
        """Make an index of periods. ``ValueError`` where texts or times come without a frequency."""
        only_truth("PeriodIndex", copy=copy)
        column = column_from([] if data is None else data)
        if freq is None and dtype is not None:
            freq = str(dtype).removeprefix("period[").removesuffix("]")
        frequency = column.dtype.freq if freq is None else period_frequency(freq)
        if frequency is None:
            raise ValueError("freq not specified and cannot be inferred")
        if column.dtype.freq not in (None, frequency):
            raise ValueError(
                f"periods of the frequency {column.dtype.freq} are not of {frequency}: use asfreq"
            )
        if column.dtype.freq is None:
            column = cast_column(column, f"period[{frequency}]")
        return _index(column, getattr(data, "name", None) if name is None else name)

    @classmethod
    def from_fields(
        cls,
        *,
        year: Any = None,
        quarter: Any = None,
        month: Any = None,
        day: Any = None,
        hour: Any = None,
        minute: Any = None,
        second: Any = None,
        freq: Any = None,
    ) -> Any:
        """Return the periods of years and other parts of the calendar.

        Parameters
        ----------
        year : int or list-like of int, optional
            The years.
        quarter : int or list-like of int, optional
            The quarters, 1 to 4; without months.
        month : int or list-like of int, optional
            The months, 1 to 12.
        day : int or list-like of int, optional
            The days of the month.
        hour : int or list-like of int, optional
            The hours.
        minute : int or list-like of int, optional
            The minutes.
        second : int or list-like of int, optional
            The seconds.
        freq : frequency, optional
            The frequency, such as ``'M'``; with ``quarter`` by default ``'Q-DEC'``.

        Returns
        -------
        PeriodIndex
            One period for each element of the list-likes; a number counts for all.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.PeriodIndex.from_fields(year=[2024, 2025], month=3, freq="M")
        PeriodIndex(['2024-03', '2025-03'], dtype='period[M]')
        >>> cuprum.PeriodIndex.from_fields(year=[2024, 2024], quarter=[1, 2])
        PeriodIndex(['2024Q1', '2024Q2'], dtype='period[Q-DEC]')
        """
        import pandas as pd

        parts = {"year": year, "quarter": quarter, "month": month, "day": day}
        parts |= {"hour": hour, "minute": minute, "second": second}
        return wrap_index(index_handle(pd.PeriodIndex.from_fields(**parts, freq=freq)))

    @classmethod
    def from_ordinals(cls, ordinals: Any, *, freq: Any, name: Any = None) -> Any:
        """Return the periods of ordinals.

        Parameters
        ----------
        ordinals : list-like of int
            The numbers of spans since that of the first of January of 1970.
        freq : frequency
            The frequency, such as ``'M'``.
        name : label, optional
            The name of the index.

        Returns
        -------
        PeriodIndex
            One period for each ordinal.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.PeriodIndex.from_ordinals([0, 648], freq="M")
        PeriodIndex(['1970-01', '2024-01'], dtype='period[M]')
        """
        column = Column.of_periods(cast_column(column_from(ordinals), "int64"), period_frequency(freq))
        return _index(column, name)

    @property
    def dt(self) -> Any:
        """None: the parts are attributes of the index."""
        raise AttributeError("'PeriodIndex' object has no attribute 'dt'")

    def _texts(self, rows: Sequence[int]) -> list[Any]:
        return [f"'{self._label(row)}'" for row in rows]

    def _parts(self) -> PeriodProperties:
        return PeriodProperties(wrap_series(_cuprum.Series(self._column())))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or (not hasattr(PeriodProperties, name) and name not in dir(self._parts())):
            raise AttributeError(f"'PeriodIndex' object has no attribute '{name}'")
        found = getattr(self._parts(), name)
        return self._labels(found) if isinstance(found, objects.Series) else found

    def _labels(self, series: Any) -> Index:
        return wrap_index(_cuprum.Index.from_columns([series._handle.column()], self._handle.names()))

    @property
    def freqstr(self) -> str:
        """The frequency as a text."""
        return str(self.dtype.freq)

    @property
    def ordinal(self) -> Index:
        """The ordinals."""
        return self.astype("int64")

    def to_timestamp(self, freq: Any = None, how: Any = "start") -> Index:
        """Return the times at which the periods begin or end.

        Parameters
        ----------
        freq : frequency, optional
            A frequency: the times are the last days of its periods in which these begin, or the beginnings of
            these for one of
            days or shorter. Without effect at the end.
        how : {``'start'``, ``'end'``}, default ``'start'``
            Whether the times are the first or the last of the periods; ``'S'`` and ``'E'`` are other words.

        Returns
        -------
        DatetimeIndex
            One time for each period, with the frequency of the times where they are regular.

        See Also
        --------
        Series.dt.to_timestamp : The same for elements.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.PeriodIndex(["2024-01", "2024-03"], freq="M")
        >>> index.to_timestamp()
        DatetimeIndex(['2024-01-01', '2024-03-01'], dtype='datetime64[us]', freq=None)
        >>> index.to_timestamp(how="end")
        DatetimeIndex(['2024-01-31 23:59:59.999999', '2024-03-31 23:59:59.999999'],
                      dtype='datetime64[us]', freq=None)
        """
        made: Any = self._labels(self._parts().to_timestamp(freq, how))
        # As in pandas, which forgets it where it goes back from the next period to the end of this one.
        begins = str(how).upper() in ("S", "START", "BEGIN")
        if begins and len(made) > 2 and (known := made.inferred_freq) is not None:
            made.freq = known
        return made

    def asfreq(self, freq: Any = None, how: Any = "E") -> Index:
        """Return the periods of another frequency in which these end or begin.

        Parameters
        ----------
        freq : frequency, optional
            The other frequency.
        how : {``'E'``, ``'S'``}, default ``'E'``
            Whether the periods are those in which these end or begin; ``'end'`` and ``'start'`` are other
            words.

        Returns
        -------
        PeriodIndex
            As many periods as before.

        See Also
        --------
        Series.dt.asfreq : The same for elements.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.PeriodIndex(["2024", "2025"], freq="Y")
        >>> index.asfreq("M")
        PeriodIndex(['2024-12', '2025-12'], dtype='period[M]')
        >>> index.asfreq("M", how="S")
        PeriodIndex(['2024-01', '2025-01'], dtype='period[M]')
        """
        return self._labels(self._parts().asfreq(freq, how))

    def strftime(self, date_format: str) -> Index:
        """Return the periods as texts in a format.

        Parameters
        ----------
        date_format : str
            The format with Python's directives, and those of pandas for periods, such as ``'%q'`` for the
            quarter.

        Returns
        -------
        Index
            One text for each period.

        See Also
        --------
        Series.dt.strftime : The same for elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.PeriodIndex(["2024Q1", "2024Q3"], freq="Q").strftime("%Y/%q")
        Index(['2024/1', '2024/3'], dtype='str')
        """
        return self._labels(self._parts().strftime(date_format))

    def shift(self, periods: int = 1, freq: Any = None) -> Index:
        """Return the periods some spans later.

        Parameters
        ----------
        periods : int, default 1
            The number of spans; negative ones are earlier.
        freq : None, default None
            Refused: periods have their frequency.

        Returns
        -------
        PeriodIndex
            As many periods as before.

        Raises
        ------
        TypeError
            Where ``freq`` is given.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.PeriodIndex(["2024-01", "2024-12"], freq="M").shift(2)
        PeriodIndex(['2024-03', '2025-02'], dtype='period[M]')
        """
        if freq is not None:
            raise TypeError("`freq` argument is not supported for PeriodIndex.shift")
        return self + periods


def _index(column: Column, name: Any) -> Any:
    return wrap_index(_cuprum.Index.from_columns([column], [plain_label(name)]))


def period_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Any = None, name: Any = None
) -> PeriodIndex:
    """Return the periods from one to another, both included.

    Parameters
    ----------
    start : period, time or str, optional
        The first period, or a time or text that lies in it.
    end : period, time or str, optional
        The last period, as ``start``.
    periods : int, optional
        How many periods, together with one of the bounds.
    freq : frequency, optional
        The frequency, such as ``'M'``; by default that of bounds which are periods, else days.
    name : label, optional
        The name of the index.

    Returns
    -------
    PeriodIndex
        The periods in ascending order.

    Raises
    ------
    ValueError
        Unless exactly two of ``start``, ``end`` and ``periods`` are given.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.period_range("2024-01", periods=3, freq="M")
    PeriodIndex(['2024-01', '2024-02', '2024-03'], dtype='period[M]')
    >>> cuprum.period_range("2024-02-28", "2024-03-01")
    PeriodIndex(['2024-02-28', '2024-02-29', '2024-03-01'], dtype='period[D]')
    """
    import pandas as pd

    return PeriodIndex(pd.period_range(start, end, periods, freq, name))
