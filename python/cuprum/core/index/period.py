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
    data
        Periods of pandas, texts, times, or a series or index of them.
    freq
        The frequency, as pandas has it for periods: ``'M'``, ``'Q-MAR'``, ``'2W'``. Needed for texts and times.
    dtype, name
        A type of periods in the place of ``freq``; the name of the labels.

    Examples
    --------
    >>> PeriodIndex(["2024-01", "2024-03"], freq="M")
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
        """Return the periods of years and other parts, as of pandas' method."""
        import pandas as pd

        parts = {"year": year, "quarter": quarter, "month": month, "day": day}
        parts |= {"hour": hour, "minute": minute, "second": second}
        return wrap_index(index_handle(pd.PeriodIndex.from_fields(**parts, freq=freq)))

    @classmethod
    def from_ordinals(cls, ordinals: Any, *, freq: Any, name: Any = None) -> Any:
        """Return the periods of ordinals, the number of spans since that of 1970."""
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
        """Return the times at which periods begin, or end; see `Series.dt.to_timestamp`."""
        made: Any = self._labels(self._parts().to_timestamp(freq, how))
        # As in pandas, which forgets it where it goes back from the next period to the end of this one.
        begins = str(how).upper() in ("S", "START", "BEGIN")
        if begins and len(made) > 2 and (known := made.inferred_freq) is not None:
            made.freq = known
        return made

    def asfreq(self, freq: Any = None, how: Any = "E") -> Index:
        """Return the periods of another frequency in which these end, or begin; see `Series.dt.asfreq`."""
        return self._labels(self._parts().asfreq(freq, how))

    def strftime(self, date_format: str) -> Index:
        """Return periods as texts in a format; see `Series.dt.strftime`."""
        return self._labels(self._parts().strftime(date_format))

    def shift(self, periods: int = 1, freq: Any = None) -> Index:
        """Return the labels so many periods later. ``TypeError`` for a ``freq``, which periods have."""
        if freq is not None:
            raise TypeError("`freq` argument is not supported for PeriodIndex.shift")
        return self + periods


def _index(column: Column, name: Any) -> Any:
    return wrap_index(_cuprum.Index.from_columns([column], [plain_label(name)]))


def period_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Any = None, name: Any = None
) -> PeriodIndex:
    """Return the periods from one to another, both included, or so many of them.

    Parameters
    ----------
    start, end
        Periods, or times and texts that lie in them.
    periods
        How many; with it one of the bounds.
    freq
        The frequency; that of ``start`` or ``end`` where these are periods, else ``'D'``.
    name
        The name of the index.

    Examples
    --------
    >>> period_range("2024-01", periods=3, freq="M")
    PeriodIndex(['2024-01', '2024-02', '2024-03'], dtype='period[M]')
    """
    import pandas as pd

    return PeriodIndex(pd.period_range(start, end, periods, freq, name))
