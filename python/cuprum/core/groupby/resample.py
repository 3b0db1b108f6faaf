"""`Resampler`: rows in bins of time, one after the other; and bins within groups.

Bins without rows are groups, too: sums over them are 0, means missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Generic, Self, TypeVar, overload

from cuprum import _cuprum
from cuprum.core.arguments import fill_limit, is_list_like
from cuprum.core.completion import keys_of_columns
from cuprum.core.error_classes import has_detail, with_detail
from cuprum.core.groupby.aggregation import function_label, is_named
from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from cuprum.core.groupby.grouped import VALUES, Grouped, GroupsMadeBy
from cuprum.core.groupby.keys import table_of, time_key, times_of_key
from cuprum.core.groupby.rows import BINS
from cuprum.core.groupby.time_bins import TimeBins
from cuprum.core.index.index import wrap_index
from cuprum.core.method_names import with_own_methods
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reindexing import at_labels
from cuprum.core.reshape.concat import concat

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AggFunc,
        AggFuncs,
        Label,
        LimitArea,
        LimitDirection,
        ListLike,
        P,
        Result,
        RowAxis,
    )

__all__ = ["GroupResampler", "Resampler", "resampled", "resampled_groups"]


def resampled(
    obj: Any,
    rule: Any,
    closed: Any,
    label: Any,
    on: Any,
    level: Any,
    origin: Any,
    offset: Any,
    group_keys: Any,
) -> Resampler[Any]:
    """Return the result of ``resample`` of a frame or series."""
    bins = TimeBins(rule, closed, label, origin, offset)
    return Resampler(obj._snapshot(), bins, time_key(obj, on, level), bool(group_keys))


def _groups(
    grouped: Grouped, obj: Any, as_index: bool, listed: bool, key: tuple[str, Any], group_keys: bool
) -> Any:
    """Return groups of bins of a frame, or of the frame that stands for a series."""
    if obj.ndim == 1:
        return SeriesGroupBy(grouped, [key], VALUES, True, listed, obj.name, group_keys)
    return DataFrameGroupBy(grouped, [key], None, as_index, listed, None, group_keys)


def in_bins(
    obj: Any, bins: TimeBins, key: tuple[str, Any], as_index: bool, group_keys: bool
) -> tuple[Any, Any]:
    """Return groups of the rows of a frame or series by times, and the times of an upsampled one."""
    table = table_of(obj)
    _, times = times_of_key(table, key)
    made_by = GroupsMadeBy("by_times", table, (key, as_index, bins.of(times), bins.spelled()))
    handle, upsampled = made_by.made()
    grouped = Grouped(handle, wrap_frame(handle.frame()), None, made_by)
    return _groups(grouped, obj, as_index, False, (BINS, key), group_keys), upsampled


def grouped_by_bins(obj: Any, grouper: Any, as_index: bool, listed: bool, group_keys: bool) -> Any:
    """Return the groups of bins of time alone; a list of them leaves rows in their order."""
    if obj.ndim == 1 and not as_index:
        raise TypeError("as_index=False only valid with DataFrame")
    key = time_key(obj, grouper.key, grouper.level)
    if not listed:
        return in_bins(obj, grouper.bins, key, as_index, group_keys)[0]
    table = table_of(obj)
    _, times = times_of_key(table, key)
    arguments = (key, as_index, grouper.bins.of(times), grouper.bins.spelled())
    made_by = GroupsMadeBy("by_bins", table, arguments)
    grouped = Grouped(made_by.groups(), wrap_frame(table), None, made_by)
    return _groups(grouped, obj, as_index, True, (BINS, key), group_keys)


def _one_value(func: Any) -> Any:
    """Return a function that fails where ``func`` returns several values, or rows."""

    @wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        value = func(*args, **kwargs)
        if getattr(value, "ndim", 0) > 1 or (getattr(value, "ndim", 0) == 1 and len(value) != 1):
            raise with_detail(ValueError("Must produce aggregated value"), "SeveralValues")
        return value

    return checked


# The object of bins and of their aggregations: a frame or a series.
Binned = TypeVar("Binned", covariant=True)


class _Aggregated(Generic[Binned]):
    """The aggregations of bins."""

    __slots__ = ("_bins", "_groups")

    _bins: TimeBins
    _groups: Any

    def _down(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Return an aggregation of every bin."""
        return getattr(self._groups, name)(*args, **kwargs)

    def sum(self, numeric_only: bool = False, min_count: int = 0) -> Binned:
        """Return the sum of the elements of each bin.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a bin with fewer is missing.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            The sum of no elements is 0 unless ``min_count`` is at least 1.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.DatetimeIndex(["2026-01-01", "2026-01-01", "2026-01-03"])
        >>> sold = cuprum.Series([1.0, 2.0, 4.0], days)
        >>> sold.resample("D").sum()
        2026-01-01    3.0
        2026-01-02    0.0
        2026-01-03    4.0
        Freq: D, dtype: float64
        >>> sold.resample("D").sum(min_count=1).to_list()
        [3.0, nan, 4.0]
        """
        return self._down("sum", numeric_only, min_count)

    def prod(self, numeric_only: bool = False, min_count: int = 0) -> Binned:
        """Return the product of the elements of each bin.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a bin with fewer is missing.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            The product of no elements is 1 unless ``min_count`` is at least 1.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 3, 4], times).resample("D").prod()
        2026-01-01    6
        2026-01-02    4
        Freq: D, dtype: int64
        """
        return self._down("prod", numeric_only, min_count)

    def min(self, numeric_only: bool = False, min_count: int = 0) -> Binned:
        """Return the smallest element of each bin.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a bin with fewer is missing.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 3, 4], times).resample("D").min()
        2026-01-01    2
        2026-01-02    4
        Freq: D, dtype: int64
        """
        return self._down("min", numeric_only, min_count)

    def max(self, numeric_only: bool = False, min_count: int = 0) -> Binned:
        """Return the largest element of each bin.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a bin with fewer is missing.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 3, 4], times).resample("D").max()
        2026-01-01    3
        2026-01-02    4
        Freq: D, dtype: int64
        """
        return self._down("max", numeric_only, min_count)

    def first(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Binned:
        """Return the first element of each bin that is not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a bin with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the first element of the bin, missing or not.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> values = cuprum.Series([None, 3.0, 4.0], times)
        >>> values.resample("D").first()
        2026-01-01    3.0
        2026-01-02    4.0
        Freq: D, dtype: float64
        >>> values.resample("D").first(skipna=False).to_list()
        [nan, 4.0]
        """
        return self._down("first", numeric_only, min_count, skipna)

    def last(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Binned:
        """Return the last element of each bin that is not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a bin with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the last element of the bin, missing or not.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2.0, None, 4.0], times).resample("D").last()
        2026-01-01    2.0
        2026-01-02    4.0
        Freq: D, dtype: float64
        """
        return self._down("last", numeric_only, min_count, skipna)

    def mean(self, numeric_only: bool = False) -> Binned:
        """Return the mean of the elements of each bin.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.DatetimeIndex(["2026-01-01", "2026-01-01", "2026-01-03"])
        >>> cuprum.Series([1, 2, 4], days).resample("D").mean()
        2026-01-01    1.5
        2026-01-02    NaN
        2026-01-03    4.0
        Freq: D, dtype: float64
        """
        return self._down("mean", numeric_only)

    def median(self, numeric_only: bool = False) -> Binned:
        """Return the median of the elements of each bin.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=4, freq="8h")
        >>> cuprum.Series([1, 2, 6, 4], times).resample("D").median()
        2026-01-01    2.0
        2026-01-02    4.0
        Freq: D, dtype: float64
        """
        return self._down("median", numeric_only)

    def std(self, ddof: int = 1, numeric_only: bool = False) -> Binned:
        """Return the standard deviation of the elements of each bin.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 6, 4], times).resample("D").std(ddof=0)
        2026-01-01    2.0
        2026-01-02    0.0
        Freq: D, dtype: float64
        """
        return self._down("std", ddof, numeric_only=numeric_only)

    def var(self, ddof: int = 1, numeric_only: bool = False) -> Binned:
        """Return the variance of the elements of each bin.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 6, 4], times).resample("D").var()
        2026-01-01    8.0
        2026-01-02    NaN
        Freq: D, dtype: float64
        """
        return self._down("var", ddof, numeric_only=numeric_only)

    def sem(self, ddof: int = 1, numeric_only: bool = False) -> Binned:
        """Return the standard error of the mean of each bin.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 6, 4], times).resample("D").sem()
        2026-01-01    2.0
        2026-01-02    NaN
        Freq: D, dtype: float64
        """
        return self._down("sem", ddof, numeric_only=numeric_only)

    def nunique(self) -> Binned:
        """Return the number of distinct elements of each bin, without missing ones.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            The dtype is ``int64``.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=4, freq="8h")
        >>> cuprum.Series(["a", "b", "a", None], times).resample("D").nunique()
        2026-01-01    2
        2026-01-02    0
        Freq: D, dtype: int64
        """
        return self._down("nunique")

    def count(self) -> Binned:
        """Return the number of elements of each bin that are not missing.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            The dtype is ``int64``.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2.0, None, 4.0], times).resample("D").count()
        2026-01-01    1
        2026-01-02    1
        Freq: D, dtype: int64
        """
        return self._groups.count()

    def size(self) -> Series:
        """Return the number of rows of each bin, missing elements or not.

        Returns
        -------
        Series
            The numbers, labelled by the times of the bins.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.DatetimeIndex(["2026-01-01", "2026-01-01", "2026-01-03"])
        >>> cuprum.Series([1.0, None, 4.0], days).resample("D").size()
        2026-01-01    2
        2026-01-02    0
        2026-01-03    1
        Freq: D, dtype: int64
        """
        return self._groups.size()

    def quantile(self, q: Any = 0.5, **kwargs: Any) -> Binned:
        """Return the value below which a share of each bin lies.

        Parameters
        ----------
        q : float or list-like of float, default 0.5
            The share, from 0 to 1. Several make a last level of the row labels.
        **kwargs : object
            ``interpolation`` and ``numeric_only``, as in `DataFrameGroupBy.quantile`.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.
            Missing for bins without elements.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> cuprum.Series([2, 6, 4], times).resample("D").quantile(0.25)
        2026-01-01    3.0
        2026-01-02    4.0
        Freq: D, dtype: float64
        """
        return self._down("quantile", q, **kwargs)

    def ohlc(self) -> DataFrame:
        """Return the first, largest, smallest and last element of each bin.

        Returns
        -------
        DataFrame
            Columns ``open``, ``high``, ``low`` and ``close``; of a frame they are a second level of column
            labels.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=4, freq="8h")
        >>> prices = cuprum.Series([3.0, 5.0, 2.0, 4.0], times)
        >>> prices.resample("D").ohlc()
                    open  high  low  close
        2026-01-01   3.0   5.0  2.0    2.0
        2026-01-02   4.0   4.0  4.0    4.0
        """
        return self._groups.ohlc()

    @overload
    def agg(self, func: AggFunc | Mapping[Any, AggFunc], *args: Any, **kwargs: Any) -> Binned: ...
    @overload
    def agg(self, func: AggFuncs | None = ..., *args: Any, **kwargs: Any) -> DataFrame: ...
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Aggregate the elements of each bin by one or several functions.

        Parameters
        ----------
        func : str, callable, list or dict, optional
            The name of a method; a function that stands for an aggregation, or any function of the elements
            of a bin; a list of them, for a column each; a dict of columns and these, of a series one of
            labels of results and these.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Further arguments of ``func``; without ``func`` named results, as in `DataFrameGroupBy.agg`.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time, in the order of time. Bins without rows are among them.

        Raises
        ------
        AttributeError
            If ``func`` is the name of no method.

        Examples
        --------
        >>> import cuprum
        >>> sold = cuprum.Series([1, 2, 3], cuprum.date_range("2026-01-01", periods=3, freq="16h"))
        >>> sold.resample("D").agg(["sum", "max"])
                    sum  max
        2026-01-01    3    2
        2026-01-02    3    3
        >>> sold.resample("D").agg(lambda elements: elements.max() - elements.min())
        2026-01-01    1
        2026-01-02    0
        Freq: D, dtype: int64
        """
        if isinstance(func, str):
            method = None if func.startswith("_") else getattr(type(self), func, None)
            if not callable(method):
                raise AttributeError(f"'{func}' is not a valid function for '{self._kind()}' object")
            return method(self, *args, **kwargs)
        groups = self._groups
        if isinstance(func, Mapping) and isinstance(groups, SeriesGroupBy):
            return groups.agg(None, *args, **{**func, **kwargs})
        if not callable(func):
            found = groups.agg(func, *args, **kwargs)
            if is_list_like(func) and isinstance(groups, SeriesGroupBy) and not isinstance(func, Mapping):
                # As in pandas, these functions without a name are not numbered.
                found.columns = [function_label(one) for one in func]
            return found
        try:
            return groups.agg(func if is_named(func) else _one_value(func), *args, **kwargs)
        except (AttributeError, KeyError):
            pass  # a function of several columns
        except ValueError as error:
            if not has_detail(error, "SeveralValues"):
                raise
        return groups.apply(func, *args, **kwargs)

    aggregate = agg
    apply = agg

    def _kind(self) -> str:
        """Return pandas' name of the class."""
        raise NotImplementedError

    def pipe(self, func: Callable[Concatenate[Self, P], Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Return the result of a function of the bins, for calls in a chain.

        Parameters
        ----------
        func : callable or tuple
            The function that is called with the bins; or a pair of it and the name of the parameter that they
            are passed as.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        object
            What ``func`` returns.

        Raises
        ------
        ValueError
            If ``kwargs`` has the name of a pair.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> bins = cuprum.Series([1, 2, 5], times).resample("D")
        >>> bins.pipe(lambda b: b.max() - b.min())
        2026-01-01    1
        2026-01-02    0
        Freq: D, dtype: int64
        """
        if isinstance(func, tuple):
            func, name = func
            if name in kwargs:
                raise ValueError(f"{name} is both the pipe target and a keyword argument")
            return func(*args, **{name: self}, **kwargs)
        return func(self, *args, **kwargs)


@with_own_methods
class Resampler(_Aggregated[Binned]):
    """The rows of a frame or series in bins of time; see `DataFrame.resample`.

    ``r["a"]`` and ``r[["a", "b"]]`` are groups of these columns.
    """

    __slots__ = ("_key", "_original", "_upsampled")
    _made_of: ClassVar = attrgetter("_original")  # see `subclasses`

    def __init__(self, obj: Any, bins: TimeBins, key: tuple[str, Any], group_keys: bool) -> None:
        self._bins = bins
        self._key = key
        self._original = obj
        self._groups, self._upsampled = in_bins(obj, bins, key, True, group_keys)

    def __reduce__(self) -> tuple[Any, ...]:
        return Resampler, (self._original, self._bins, self._key, self._groups._group_keys)

    def _kind(self) -> str:
        return "DatetimeIndexResampler" if self._upsampled.dtype.kind == "M" else "TimedeltaIndexResampler"

    def __repr__(self) -> str:
        bins = self._bins
        shown = {
            "freq": bins.shown(),
            "closed": bins.closed,
            "label": bins.label,
            "convention": "start",
            "origin": bins.origin,
        }
        if bins.offset is not None:
            shown["offset"] = bins.offset
        return f"{self._kind()} [{', '.join(f'{name}={value}' for name, value in shown.items())}]"

    @overload
    def __getitem__(self, key: Label) -> Resampler[Series]: ...
    @overload
    def __getitem__(self, key: ListLike) -> Resampler[DataFrame]: ...
    def __getitem__(self, key: Any) -> Any:
        try:
            return self._groups[key]
        except KeyError:
            if is_list_like(key) and not isinstance(key, tuple):
                raise
            raise KeyError(f"Column not found: {key}") from None

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_columns(self._original) if self._original.ndim == 2 else []

    if not TYPE_CHECKING:  # a column, which no checker knows

        def __getattr__(self, name: str) -> Any:
            if (
                not name.startswith("_")
                and self._original.ndim == 2
                and self._original._handle.contains(name)
            ):
                return self[name]
            raise AttributeError(f"'{self._kind()}' object has no attribute '{name}'")

    # Groups.

    def _rows(self) -> Any:
        """Return the rows in the order of their times."""
        frame = self._groups._frame
        if self._original.ndim == 2:
            return frame
        return wrap_series(frame._handle.column(VALUES).rename(self._original.name))

    def __len__(self) -> int:
        return len(self._groups)

    @property
    def ngroups(self) -> int:
        """The number of bins."""
        return len(self._groups)

    def __iter__(self) -> Iterator[tuple[Any, Binned]]:
        """Iterate over pairs of label and rows of the bin."""
        return iter(self._groups)

    @property
    def groups(self) -> dict[Any, int]:
        """The number of rows up to the end of every bin, in the order of times, under its label."""
        return self._groups.groups

    @property
    def indices(self) -> dict[Any, list[int]]:
        """The positions of the rows of every bin that has some, in the order of times, under its label."""
        return self._groups.indices

    def get_group(self, name: Any) -> Binned:
        """Return the rows of one bin.

        Parameters
        ----------
        name : timestamp or str
            The label of the bin.

        Returns
        -------
        Series or DataFrame
            The rows of the bin, in the order of time.

        Raises
        ------
        KeyError
            If there is no such bin, or it has no rows.

        Examples
        --------
        >>> import cuprum
        >>> times = cuprum.date_range("2026-01-01", periods=3, freq="12h")
        >>> bins = cuprum.Series([1, 2, 5], times).resample("D")
        >>> bins.get_group("2026-01-01").to_list()
        [1, 2]
        """
        return self._groups.get_group(name)

    # Aggregations.

    def _down(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if len(self._original):
            return super()._down(name, *args, **kwargs)
        # As in pandas, what nothing is aggregated to keeps its type.
        rows = self._original if self._key[0] == "level" else self._original.drop(columns=[self._key[1]])
        return rows.set_axis(self._groups.size().index)

    def transform(self, arg: Any, *args: Any, **kwargs: Any) -> Binned:
        """Return the result of a function of the bin, in each of its rows.

        Parameters
        ----------
        arg : str or callable
            As ``func`` of `DataFrameGroupBy.transform`: the name of an aggregation or of a method for rows,
            or a function.
        *args : object
            Further positional arguments of the function.
        **kwargs : object
            Keyword arguments of the function.

        Returns
        -------
        Series or DataFrame
            An element for each row, under its own label, in the order of time.

        Examples
        --------
        >>> import cuprum
        >>> sold = cuprum.Series([1, 2, 5], cuprum.date_range("2026-01-01", periods=3, freq="12h"))
        >>> sold.resample("D").transform("sum").to_list()
        [3, 3, 5]
        """
        return self._groups.transform(arg, *args, **kwargs)

    # Values at the ends of bins.

    def _up(self, method: str | None, limit: int | None = None, fill_value: Any = None) -> Any:
        if self._key != ("level", 0) or self._original.index.nlevels > 1:
            raise ValueError(
                "Upsampling from level= or on= selection is not supported, use .set_index(...) to explicitly set "
                "index to datetime-like"
            )
        rows = self._rows()
        handle = _cuprum.Index.from_columns([self._upsampled], rows.index.names)
        index = wrap_index(handle.with_frequency(self._bins.spelled()))
        return at_labels(rows, index, method, fill_limit(limit), fill_value)

    def asfreq(self, fill_value: Any = None) -> Binned:
        """Return the rows at the ends of bins, without aggregation.

        Parameters
        ----------
        fill_value : scalar, optional
            What stands where there is no row; missing without it. Elements that are missing stay so.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time.

        Raises
        ------
        ValueError
            If a time repeats, or the times are no row labels (``on``, ``level``).

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series([1.0, 2.0], cuprum.date_range("2026-01-01", periods=2))
        >>> days.resample("12h").asfreq()
        2026-01-01 00:00:00    1.0
        2026-01-01 12:00:00    NaN
        2026-01-02 00:00:00    2.0
        Freq: 12h, dtype: float64
        >>> days.resample("12h").asfreq(fill_value=0).to_list()
        [1.0, 0.0, 2.0]
        """
        return self._up(None, None, fill_value)

    def ffill(self, limit: int | None = None) -> Binned:
        """Return the rows at the ends of bins, or the last one before.

        Parameters
        ----------
        limit : int, optional
            How many bins one after the other may take the same row; without it any number.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time.

        Raises
        ------
        ValueError
            If a time repeats, or the times are no row labels (``on``, ``level``).

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series([1.0, 2.0], cuprum.date_range("2026-01-01", periods=2))
        >>> days.resample("8h").ffill()
        2026-01-01 00:00:00    1.0
        2026-01-01 08:00:00    1.0
        2026-01-01 16:00:00    1.0
        2026-01-02 00:00:00    2.0
        Freq: 8h, dtype: float64
        >>> days.resample("8h").ffill(limit=1).to_list()
        [1.0, 1.0, nan, 2.0]
        """
        return self._up("ffill", limit)

    def bfill(self, limit: int | None = None) -> Binned:
        """Return the rows at the ends of bins, or the next one after.

        Parameters
        ----------
        limit : int, optional
            How many bins one after the other may take the same row; without it any number.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time.

        Raises
        ------
        ValueError
            If a time repeats, or the times are no row labels (``on``, ``level``).

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series([1.0, 2.0], cuprum.date_range("2026-01-01", periods=2))
        >>> days.resample("12h").bfill()
        2026-01-01 00:00:00    1.0
        2026-01-01 12:00:00    2.0
        2026-01-02 00:00:00    2.0
        Freq: 12h, dtype: float64
        """
        return self._up("bfill", limit)

    def nearest(self, limit: int | None = None) -> Binned:
        """Return the rows that are nearest to the ends of bins.

        Parameters
        ----------
        limit : int, optional
            How many bins away from the row one may be; without it any number.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time. Of two rows as near it is the later one.

        Raises
        ------
        ValueError
            If a time repeats, or the times are no row labels (``on``, ``level``).

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series([1.0, 2.0], cuprum.date_range("2026-01-01", periods=2))
        >>> days.resample("6h").nearest().to_list()
        [1.0, 1.0, 2.0, 2.0, 2.0]
        """
        return self._up("nearest", limit)

    def interpolate(
        self,
        method: str = "linear",
        *,
        axis: RowAxis = 0,
        limit: int | None = None,
        limit_direction: LimitDirection = "forward",
        limit_area: LimitArea | None = None,
        **kwargs: Any,
    ) -> Binned:
        """Return the rows at the ends of bins, interpolated where there is none.

        Rows between the ends of bins are points of the line, too.

        Parameters
        ----------
        method : str, default ``"linear"``
            How to interpolate, as in `Series.interpolate`.
        axis : 0, ``"index"`` or ``"rows"``, default 0
            Accepted for compatibility with pandas.
        limit : int, optional
            How many elements one after the other are filled; without it any number.
        limit_direction : str, default ``"forward"``
            From where ``limit`` counts: ``"forward"``, ``"backward"`` or ``"both"``.
        limit_area : ``"inside"``, ``"outside"`` or None, default None
            Whether to fill only between elements or only outside of them.
        **kwargs : object
            Further arguments of `Series.interpolate`.

        Returns
        -------
        Series or DataFrame
            A row for each bin, labelled by its time.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.Series([1.0, 2.0], cuprum.date_range("2026-01-01", periods=2))
        >>> days.resample("12h").interpolate()
        2026-01-01 00:00:00    1.0
        2026-01-01 12:00:00    1.5
        2026-01-02 00:00:00    2.0
        Freq: 12h, dtype: float64
        """
        ends = self._up(None)
        rows = self._rows()
        others = rows.index.difference(ends.index)
        both = at_labels(rows, ends.index.union(others), None) if len(others) else ends
        whole = both.interpolate(
            method, axis=axis, limit=limit, limit_direction=limit_direction, limit_area=limit_area, **kwargs
        )
        return whole.reindex(ends.index) if len(others) else whole


# Bins within groups.


def resampled_groups(groups: Any, bins: TimeBins, on: Any) -> GroupResampler[Any]:
    """Return the result of ``resample`` of groups."""
    return GroupResampler(groups, bins, time_key(groups._frame, on, None))


class GroupResampler(_Aggregated[Binned]):
    """The rows of groups in bins of time of their own; see `DataFrameGroupBy.resample`.

    Results go by the keys of groups and the labels of bins. ``r["a"]`` and ``r[["a", "b"]]`` choose columns.
    """

    __slots__ = ("_key", "_of_groups")

    def __init__(self, groups: Any, bins: TimeBins, key: tuple[str, Any]) -> None:
        self._of_groups = groups
        self._bins = bins
        self._key = key
        if not groups._as_index:
            raise NotImplementedError("resample of groups does not support `as_index`=False; use reset_index")
        _, times = _cuprum.GroupBy.values_of_key(groups._frame._handle, key)
        if not bins.is_known:
            raise NotImplementedError(
                f"resample of groups does not support `rule`={bins.freq!r}, which only pandas knows"
            )
        handle = groups._handle.by_times_within(key, bins.of(times))
        grouped = Grouped(handle, wrap_frame(handle.frame()), None, groups._grouped._made_by)
        keys = [*groups._keys, key]
        if isinstance(groups, SeriesGroupBy):
            self._groups: Any = SeriesGroupBy(grouped, keys, groups._selection, True, True, groups._name)
        else:
            self._groups = DataFrameGroupBy(grouped, keys, groups._selection, True, True)

    def __reduce__(self) -> tuple[Any, ...]:
        return GroupResampler, (self._of_groups, self._bins, self._key)

    def _kind(self) -> str:
        return "DatetimeIndexResamplerGroupBy"

    def __repr__(self) -> str:
        bins = self._bins
        return f"{self._kind()} [freq={bins.shown()}, closed={bins.closed}, label={bins.label}, convention=start, origin={bins.origin}]"

    @overload
    def __getitem__(self, key: Label) -> GroupResampler[Series]: ...
    @overload
    def __getitem__(self, key: ListLike) -> GroupResampler[DataFrame]: ...
    def __getitem__(self, key: Any) -> Any:
        return GroupResampler(self._of_groups[key], self._bins, self._key)

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_columns(self._of_groups._frame)

    if not TYPE_CHECKING:  # a column, which no checker knows

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and name in self._of_groups._frame:
                return self[name]
            raise AttributeError(f"'{self._kind()}' object has no attribute '{name}'")

    def _each(self, function: Callable[[Resampler], Any]) -> Any:
        """Return the results of a function of the bins of each group, under the keys of the groups."""
        groups = self._of_groups
        found, keys = [], []
        for label, rows in groups:
            values = rows[groups._inputs()] if rows.ndim == 2 else rows
            found.append(function(Resampler(values, self._bins, self._key, False)))
            keys.append(groups._key(label))
        return concat(found, keys=keys, names=groups._key_names())

    def ffill(self, limit: int | None = None) -> Binned:
        """Return the rows at the ends of each group's bins, or the last one before.

        Parameters
        ----------
        limit : int, optional
            How many bins one after the other may take the same row; without it any number.

        Returns
        -------
        Series or DataFrame
            A row for each bin, group after group, labelled by the keys and the time.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.date_range("2026-01-01", periods=2)
        >>> df = cuprum.DataFrame({"k": ["x", "x"], "v": [1, 2]}, index=days)
        >>> df.groupby("k").resample("12h").ffill()["v"].to_list()
        [1, 1, 2]
        """
        return self._each(lambda bins: bins.ffill(limit))

    def bfill(self, limit: int | None = None) -> Binned:
        """Return the rows at the ends of each group's bins, or the next one after.

        Parameters
        ----------
        limit : int, optional
            How many bins one after the other may take the same row; without it any number.

        Returns
        -------
        Series or DataFrame
            A row for each bin, group after group, labelled by the keys and the time.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.date_range("2026-01-01", periods=2)
        >>> df = cuprum.DataFrame({"k": ["x", "x"], "v": [1, 2]}, index=days)
        >>> df.groupby("k").resample("12h").bfill()["v"].to_list()
        [1, 2, 2]
        """
        return self._each(lambda bins: bins.bfill(limit))

    def nearest(self, limit: int | None = None) -> Binned:
        """Return the rows that are nearest to the ends of each group's bins.

        Parameters
        ----------
        limit : int, optional
            How many bins away from the row one may be; without it any number.

        Returns
        -------
        Series or DataFrame
            A row for each bin, group after group, labelled by the keys and the time.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.date_range("2026-01-01", periods=2)
        >>> df = cuprum.DataFrame({"k": ["x", "x"], "v": [1, 2]}, index=days)
        >>> df.groupby("k").resample("12h").nearest()["v"].to_list()
        [1, 2, 2]
        """
        return self._each(lambda bins: bins.nearest(limit))

    def asfreq(self, fill_value: Any = None) -> Binned:
        """Return the rows at the ends of each group's bins, without aggregation.

        Parameters
        ----------
        fill_value : scalar, optional
            What stands where there is no row; missing without it.

        Returns
        -------
        Series or DataFrame
            A row for each bin, group after group, labelled by the keys and the time.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.date_range("2026-01-01", periods=2)
        >>> df = cuprum.DataFrame({"k": ["x", "x"], "v": [1, 2]}, index=days)
        >>> df.groupby("k").resample("12h").asfreq(fill_value=0)["v"].to_list()
        [1, 0, 2]
        """
        return self._each(lambda bins: bins.asfreq(fill_value))

    def interpolate(
        self,
        method: str = "linear",
        *,
        axis: RowAxis = 0,
        limit: int | None = None,
        limit_direction: str = "forward",
        limit_area: str | None = None,
    ) -> Binned:
        """Fail, as in pandas: it is to be done for each group by itself."""
        raise NotImplementedError(
            "Direct interpolation of MultiIndex data frames is not supported. If you tried to resample and "
            "interpolate on a grouped data frame, please use:\n"
            "`df.groupby(...).apply(lambda x: x.resample(...).interpolate(...))`\n"
            "instead, as resampling and interpolation has to be performed for each group independently."
        )
