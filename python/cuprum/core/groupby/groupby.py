"""Groups of rows with equal keys: `DataFrameGroupBy` and `SeriesGroupBy`.

Aggregations by name run over all groups at once, and so do functions of Python that can be traced; others are called
for each. Groups are in
ascending order of their keys, or in order of first appearance with ``sort=False``.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, Self, get_args, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import (
    is_list_like,
    only_truth,
    plain_label,
    plain_labels,
)
from cuprum.core.completion import keys_of_columns
from cuprum.core.construction import column_from
from cuprum.core.groupby.agg import FrameAgg, SeriesAgg
from cuprum.core.groupby.calls import Aggregated, ByColumn, Rows, Sizes
from cuprum.core.groupby.counts import FrameCounts, SeriesCounts
from cuprum.core.groupby.grouped import VALUES, Grouped
from cuprum.core.groupby.rows import GroupRows
from cuprum.core.groupby.statistics import FrameStatistics, GroupStatistics, SeriesStatistics
from cuprum.core.groupby.through_pandas import FrameGroupsThroughPandas, GroupsThroughPandas
from cuprum.core.groupby.time_bins import TimeBins
from cuprum.core.groupby.transform import FrameTransform, GroupTransform, SeriesTransform
from cuprum.core.interop import to_numpy
from cuprum.core.method_names import with_own_methods
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.window.ewm import ewm_of_groups
from cuprum.core.window.rolling import expanding_of_groups, rolling_of_groups
from cuprum.typing import GroupEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.groupby.resample import GroupResampler
    from cuprum.core.series import Series
    from cuprum.core.window.ewm import ExponentialMovingWindowGroupby
    from cuprum.core.window.rolling import ExpandingGroupby, RollingGroupby
    from cuprum.typing import (
        Closed,
        Convention,
        Frequency,
        Interpolation,
        Label,
        ListLike,
        OneLabel,
        P,
        Result,
        Side,
    )

__all__ = ["DataFrameGroupBy", "SeriesGroupBy"]


def _with_engine(func: Any, engine: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a function, with ``engine`` if the function has a parameter of that name."""
    if engine == "auto":
        return kwargs
    with suppress(TypeError, ValueError):  # what has no signature
        if "engine" in inspect.signature(func).parameters:
            return {**kwargs, "engine": engine}
    if engine not in get_args(GroupEngine):
        raise ValueError(f"`engine` is {engine!r}; known are {', '.join(get_args(GroupEngine))}")
    return kwargs


class _GroupBy(
    GroupRows[Rows],
    GroupTransform[Aggregated, Rows],
    GroupStatistics[Aggregated, Rows],
    GroupsThroughPandas,
    Generic[Aggregated, Rows, Sizes],
):
    """The aggregations that groups of frames and of series share."""

    __slots__ = (
        "_as_index",
        "_given_name",
        "_group_keys",
        "_grouped",
        "_keys",
        "_listed",
        "_observed",
        "_selection",
        "_sort",
        "_used",
    )

    def __init__(
        self,
        grouped: Grouped,
        keys: list[tuple[Any, Any]],
        selection: Any,
        as_index: bool,
        listed: bool,
        name: Any = None,
        group_keys: bool = True,
        sort: bool = True,
        observed: bool = True,
    ) -> None:
        self._grouped = grouped
        self._used: Grouped | None = None
        self._keys = keys
        self._selection = selection
        self._as_index = as_index
        self._listed = listed
        self._given_name = name
        self._group_keys = group_keys
        self._sort = sort
        self._observed = observed

    @property
    def _computed(self) -> tuple[Any, DataFrame]:
        """The groups and the frame that values are computed of.

        As in pandas, which keeps some of the columns of a frame when it first needs them: all of its columns, and a
        series, are as they are each time, those that are selected, or left beside keys, as they were the first time.
        """
        if self._used is None:
            groups, frame = self._grouped.now()
            if self._of_series() or (
                self._selection is None and len(groups.value_labels()) == frame._handle.shape()[1]
            ):
                return groups, frame
            self._used = self._grouped.as_it_is()
        return self._used.now()

    @property
    def _handle(self) -> Any:
        return self._computed[0]

    @property
    def _frame(self) -> DataFrame:  # type: ignore[override]
        return self._computed[1]

    @property
    def _whole(self) -> DataFrame:  # type: ignore[override]
        """The frame that rows are taken from, and columns, as it is now."""
        return self._grouped.now()[1]

    @property
    def _name(self) -> Any:
        return self._grouped.name(self._given_name)

    @property
    def ndim(self) -> int:
        """The number of axes of what is grouped: 2 of a frame, 1 of a series."""
        return 1 if self._of_series() else 2

    @property
    def ngroups(self) -> int:
        """The number of groups."""
        return self._handle.num_groups()

    def __len__(self) -> int:
        return self._handle.num_groups()

    def _key_names(self) -> list[Any]:
        return self._handle.key_names()

    def _all(
        self,
        function: str,
        numeric_only: bool = False,
        parameter: float | None = None,
        min_count: int = 0,
        skipna: bool = True,
    ) -> Any:
        """One aggregation of every selected column; missing where too few elements of a group are not."""
        requests = [(label, label, function, parameter) for label in self._inputs(numeric_only)]
        return self._aggregated(self._aggregate(requests, max(min_count, 0), bool(skipna)))

    def _aggregated(self, handle: Any) -> Any:
        """Return what a handle of the groups' values stands for."""
        raise NotImplementedError

    def _aggregate(
        self, requests: list[tuple[Any, Any, str, float | None]], min_count: int = 0, skipna: bool = True
    ) -> Any:
        return self._asked(self._handle.aggregate, requests, min_count, skipna)

    def _found(self, find: Any, *arguments: Any) -> Any:
        """Return what a method of the handle finds for each group."""
        return self._aggregated(self._asked(find, *arguments))

    def _asked(self, find: Any, *arguments: Any) -> Any:
        """Return what a method of the handle does; what elements do not have is a ``TypeError``, as in pandas."""
        try:
            return find(*arguments)
        except (NotImplementedError, TypeError) as error:
            raise TypeError(str(error).replace(f"column '{VALUES}': ", "")) from None

    # Aggregations.

    def sum(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Aggregated:
        """Return the sum of every group; missing elements are skipped, the sum of none is 0.

        The sum of fewer than ``min_count`` elements is missing, and with ``skipna=False`` that of a group
        with a missing element. So it is with the other aggregations that have these parameters.
        """
        return self._all("sum", numeric_only, None, min_count, skipna)

    def prod(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Aggregated:
        """Return the product of every group; missing elements are skipped, the product of none is 1."""
        return self._all("prod", numeric_only, None, min_count, skipna)

    def mean(self, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the mean of every group; missing elements are skipped, of none it is missing."""
        return self._all("mean", numeric_only, None, 0, skipna)

    def median(self, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the median of every group; missing elements are skipped, of none it is missing."""
        return self._all("median", numeric_only, None, 0, skipna)

    def min(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the smallest element of every group; missing ones are skipped."""
        return self._all("min", numeric_only, None, min_count, skipna)

    def max(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the largest element of every group; missing ones are skipped."""
        return self._all("max", numeric_only, None, min_count, skipna)

    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the first element of every group that is not missing, or with ``skipna=False`` the first of all."""
        if not skipna:
            return self._put_each(self._at_the_ends(False, numeric_only, min_count))
        return self._all("first", numeric_only, None, min_count, True)

    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the last element of every group that is not missing, or with ``skipna=False`` the last of all."""
        if not skipna:
            return self._put_each(self._at_the_ends(True, numeric_only, min_count))
        return self._all("last", numeric_only, None, min_count, True)

    def std(self, ddof: int = 1, *, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the standard deviation of every group with divisor ``count - ddof``."""
        return self._all("std", numeric_only, float(ddof), 0, skipna)

    def var(self, ddof: int = 1, *, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the variance of every group with divisor ``count - ddof``."""
        return self._all("var", numeric_only, float(ddof), 0, skipna)

    def sem(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the standard error of the mean of every group; see `std`."""
        return self._all("sem", numeric_only, float(ddof), 0, skipna)

    def count(self) -> Aggregated:
        """Return the number of elements of every group that are not missing."""
        return self._all("count")

    def nunique(self, dropna: bool = True) -> Aggregated:
        """Return the number of different elements of every group; missing ones count once unless ``dropna``."""
        return self._all("nunique") if dropna else self._put_each(self._all_different())

    def any(self, skipna: bool = True) -> Aggregated:
        """Return whether an element of the group is true; missing ones are skipped, or with ``skipna=False`` true."""
        return self._all("any") if skipna else self._put_each(self._any_or_missing())

    def all(self, skipna: bool = True) -> Aggregated:
        """Return whether every element of the group is true; missing ones are skipped, or with ``skipna=False`` true.

        The two are the same, so that ``skipna`` changes no result.
        """
        only_truth("all", skipna=skipna)
        return self._all("all")

    def size(self) -> Sizes:
        """Return the number of rows of every group; a frame with the column ``size`` if not ``as_index``."""
        sizes = wrap_series(self._handle.size())
        return sizes if self._as_index else sizes.reset_index(name="size")

    def rolling(
        self,
        window: Any,
        min_periods: int | None = None,
        center: bool = False,
        win_type: Any = None,
        on: Label = None,
        closed: Closed | None = None,
        method: Literal["single"] = "single",
    ) -> RollingGroupby[Rows]:
        """Return windows that go along with the rows of each group; see `DataFrame.rolling`.

        Results have the rows group after group, labelled by their keys and their own labels.
        """
        obj, groups = self._in_order()
        outer, as_index = len(self._keys), self._as_index
        return rolling_of_groups(
            obj, groups, outer, as_index, window, min_periods, center, win_type, on, closed, method
        )

    def expanding(self, min_periods: int = 1, method: Literal["single"] = "single") -> ExpandingGroupby[Rows]:
        """Return windows of all rows of a group so far; see `rolling` and `DataFrame.expanding`.

        Keys label the results of ``as_index=False``, too, as in pandas.
        """
        obj, groups = self._in_order()
        return expanding_of_groups(obj, groups, len(self._keys), min_periods, method)

    def resample(
        self,
        rule: Frequency,
        closed: Side | None = None,
        label: Side | None = None,
        convention: Convention | None = None,
        on: Label = None,
        origin: Any = "start_day",
        offset: Any = None,
        group_keys: bool = False,
        *,
        include_groups: bool = False,
    ) -> GroupResampler[Rows]:
        """Return the rows of each group in bins of time; see `DataFrame.resample`.

        The bins of a group go from its first time to its last one. Results go by the keys of groups and the
        labels of bins.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.date_range("2026-01-01", periods=4)
        >>> sold = cuprum.DataFrame({"k": ["x", "y", "x", "x"], "v": [1, 2, 3, 4]}, index=days)
        >>> sums = sold.groupby("k").resample("2D")["v"].sum()
        >>> sums.to_list(), sums.index.get_level_values("k").to_list()
        ([1, 7, 2], ['x', 'x', 'y'])
        """
        from cuprum.core.groupby.resample import resampled_groups

        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        if convention not in (None, "start", "end", "s", "e"):
            raise ValueError(f"Unsupported value {convention} for `convention`")
        only_truth("resample of groups", group_keys=group_keys)
        return resampled_groups(self, TimeBins(rule, closed, label, origin, offset), on)

    def ewm(
        self,
        com: float | None = None,
        span: float | None = None,
        halflife: Any = None,
        alpha: float | None = None,
        min_periods: int | None = 0,
        adjust: bool = True,
        ignore_na: bool = False,
        times: Any = None,
        method: Literal["single"] = "single",
    ) -> ExponentialMovingWindowGroupby[Rows]:
        """Return all rows of a group so far, the more weighted the nearer; see `rolling` and `DataFrame.ewm`.

        Keys label the results of ``as_index=False``, too, as in pandas.
        """
        obj, _ = self._in_order()
        rows, ends = self._rows_and_ends()
        if times is not None:
            given = column_from(times)
            times = given if len(given) != len(self._frame) else _cuprum.Series(given).take(rows).column()
        return ewm_of_groups(
            obj, ends, com, span, halflife, alpha, min_periods, adjust, ignore_na, times, method
        )

    def _in_order(self) -> tuple[Any, Any]:
        """Return the rows group after group, and the number of each row's group."""
        handle, groups = self._handle.in_order(self._inputs())
        if not self._of_series():
            handle = handle.with_labels(handle.labels(), self._frame._handle.level_names())
        if self._in_bins():  # rows are labelled by their bin, not by their time
            places = self._among_results(to_numpy(groups).astype("int64"))
            index = handle.index()
            inner = [index.column(i) for i in range(1, index.nlevels())]
            outer = self._keys_index()._handle.take(column_from(places)).column(0)
            handle = handle.with_index(_cuprum.Index.from_columns([outer, *inner], index.names()))
        return self._result(handle), groups

    @overload
    def pipe(
        self, func: Callable[Concatenate[Self, P], Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def pipe(self, func: tuple[Callable[..., Result], str], *args: Any, **kwargs: Any) -> Result: ...
    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """Return ``func(self, *args, **kwargs)``; ``func`` may be a pair of it and an argument's name."""
        if isinstance(func, tuple):
            func, name = func
            return func(*args, **{name: self}, **kwargs)
        return func(self, *args, **kwargs)


@with_own_methods
class DataFrameGroupBy(
    FrameAgg,
    FrameTransform,
    FrameCounts[ByColumn],
    FrameStatistics,
    FrameGroupsThroughPandas,
    _GroupBy["DataFrame", "DataFrame", ByColumn],
):
    """The rows of a frame in groups; see `DataFrame.groupby`.

    ``g["a"]`` and ``g[["a", "b"]]`` choose the columns that are aggregated.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<cuprum.DataFrameGroupBy: {self.ngroups} groups by {self._key_names()}>"

    def _inputs(self, numeric_only: bool = False) -> list[Any]:
        labels = self._handle.value_labels() if self._selection is None else self._selection
        _check_numeric_only(numeric_only)
        if not numeric_only:
            return labels
        return [label for label in labels if self._frame._handle.column(label).dtype().kind in "iufb"]

    @overload
    def __getitem__(self, key: Label) -> SeriesGroupBy[ByColumn]: ...
    @overload
    def __getitem__(self, key: ListLike) -> DataFrameGroupBy[ByColumn]: ...
    def __getitem__(self, key: Any) -> Any:
        if self._selection is not None:
            raise IndexError(f"Column(s) {self._selection} already selected")
        if isinstance(key, tuple) and not self._whole._handle.contains(key):
            raise ValueError(
                "Cannot subset columns with a tuple with more than one element. Use a list instead."
            )
        if is_list_like(key) and not isinstance(key, tuple):
            labels = plain_labels(key)
            for label in labels:
                self._check(label)
            return DataFrameGroupBy(
                self._grouped,
                self._keys,
                labels,
                self._as_index,
                self._listed,
                None,
                self._group_keys,
                self._sort,
                self._observed,
            )
        label = plain_label(key)
        self._check(label)
        return self._one_column(label)

    def _one_column(self, label: Any) -> Any:
        # A column of its own, which no later change of the frame shows in, as in pandas.
        return SeriesGroupBy(
            self._grouped.as_it_is(),
            self._keys,
            label,
            self._as_index,
            self._listed,
            self._whole._handle.column(label).name(),
            self._group_keys,
            self._sort,
            self._observed,
        )

    def _check(self, label: Any) -> None:
        if not self._whole._handle.contains(label):
            self._whole._handle.column(label)  # raises KeyError, naming the closest

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_columns(self._whole)

    def __dir__(self) -> list[str]:
        labels = keys_of_columns(self._whole)
        return [*super().__dir__(), *(one for one in labels if isinstance(one, str) and one.isidentifier())]

    if not TYPE_CHECKING:  # a column, which no checker knows

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and self._whole._handle.contains(name):
                return self[name]
            raise AttributeError(f"'DataFrameGroupBy' object has no attribute '{name}'")

    def _aggregated(self, handle: Any) -> DataFrame:
        return wrap_frame(handle)

    def _result(self, handle: Any) -> DataFrame:
        return wrap_frame(handle)

    def quantile(
        self, q: Any = 0.5, interpolation: Interpolation = "linear", numeric_only: bool = False
    ) -> DataFrame:
        """Return the value below which a share ``q`` of every group lies, interpolated between neighbours.

        Several shares make a last level of the row labels. ``interpolation`` is that of `Series.quantile`.
        """
        return self._quantile(q, interpolation, numeric_only)

    def _of_series(self) -> bool:
        return False

    @overload
    def apply(
        self,
        func: Callable[..., OneLabel],
        *args: Any,
        engine: GroupEngine = ...,
        include_groups: Literal[False] = ...,
        **kwargs: Any,
    ) -> ByColumn: ...
    @overload
    def apply(
        self,
        func: str | Callable[..., Series | DataFrame],
        *args: Any,
        engine: GroupEngine = ...,
        include_groups: Literal[False] = ...,
        **kwargs: Any,
    ) -> DataFrame: ...
    @overload
    def apply(
        self,
        func: Callable[..., Any],
        *args: Any,
        engine: GroupEngine = ...,
        include_groups: Literal[False] = ...,
        **kwargs: Any,
    ) -> ByColumn: ...
    def apply(
        self, func: Any, *args: Any, engine: Any = "auto", include_groups: bool = False, **kwargs: Any
    ) -> Any:
        """Return what a function makes of each group, put together.

        Parameters
        ----------
        func
            Called with the rows of each group as a frame, without the keys, whose ``name`` is the key, and with the
            other arguments; or the name of a method of groups.
        engine
            cuDF's ways to call it, ``'auto'``, ``'cudf'`` or ``'jit'``, which give the same here; it is passed to a
            ``func`` that has a parameter of this name.
        include_groups
            False: keys are not among the columns.

        A value, or a list, for each group gives a Series under the keys; Series of the same labels give a frame with
        a row for each group; other Series and frames are put one after the other, below the keys of their
        groups unless ``group_keys=False`` or ``as_index=False``. What a function raises has a note with the key of the
        group. What reductions, operations and conditions of columns make is computed for all groups at once
        (``lambda g: (g.v * g.w).sum() / g.w.sum()``); for anything else the function is called for each group; where
        that takes long, a `PerformanceWarning` says so.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3], "w": [4, 5, 7]})
        >>> df.groupby("k").apply(lambda g: (g["v"] * g["w"]).sum())
        k
        x    25
        y    10
        dtype: int64
        """
        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        return self._applied(func, args, _with_engine(func, engine, kwargs))

    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> DataFrame:
        """Return the rows of the groups for which a function's result is true.

        ``func`` is called with the rows of each group as a frame, keys and all, whose ``name`` is the key, and with the
        other arguments. With ``dropna=False`` the other rows stay, and all of them is missing. Where it cannot be
        computed for all groups at once and takes long, a `PerformanceWarning` says so. ``TypeError`` for a result that is no truth value.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> df.groupby("k").filter(lambda g: len(g) > 1)
           k  v
        0  x  1
        2  x  3
        """
        return self._filter(func, bool(dropna), args, kwargs, _is_true)


def _check_numeric_only(value: Any) -> None:
    if not (isinstance(value, bool) or type(value).__name__ == "bool"):
        raise ValueError(f"numeric_only accepts only Boolean values, not {value!r}")


def _is_true(value: Any) -> bool:
    """Whether a function says that a group stays: a missing value says no, a number nothing."""
    import numpy as np

    if isinstance(value, (objects.DataFrame, objects.Series)) and value.size == 1:
        value = value.squeeze()
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if is_list_like(value) or not is_missing(value):
        raise TypeError(f"filter function returned a {type(value).__name__}, but expected a scalar bool")
    return False


def _is_truthy(value: Any) -> bool:
    """Whether a function says that the elements of a group stay: a missing value says no."""
    if is_list_like(value):
        raise TypeError("the filter must return a boolean result")
    return not is_missing(value) and bool(value)


@with_own_methods
class SeriesGroupBy(
    SeriesAgg[Aggregated],
    SeriesTransform[Aggregated],
    SeriesCounts[Aggregated],
    SeriesStatistics[Aggregated],
    _GroupBy[Aggregated, "Series", Aggregated],
):
    """The elements of one column in groups."""

    __slots__ = ()

    def _inputs(self, numeric_only: bool = False) -> list[Any]:
        dtype = self._frame._handle.column(self._selection).dtype()
        _check_numeric_only(numeric_only)
        if numeric_only and dtype.kind not in "iufb":
            raise TypeError(f"`numeric_only`=True does not go with a series of {dtype}")
        return [self._selection]

    def __repr__(self) -> str:
        return f"<cuprum.SeriesGroupBy: {self.ngroups} groups of {self._name!r} by {self._key_names()}>"

    def _aggregated(self, handle: Any) -> Any:
        return self._result(handle) if self._as_index else wrap_frame(handle)

    def _result(self, handle: Any) -> Series:
        return wrap_series(handle.column_at(0).rename(self._name))

    def quantile(
        self, q: Any = 0.5, interpolation: Interpolation = "linear", numeric_only: bool = False
    ) -> Aggregated:
        """Return the value below which a share ``q`` of every group lies, interpolated between neighbours.

        Several shares make a last level of the row labels. ``interpolation`` is that of `Series.quantile`.
        """
        return self._quantile(q, interpolation, numeric_only)

    def _of_series(self) -> bool:
        return True

    def _one_column(self, label: Any) -> Any:
        return self

    @overload
    def apply(
        self,
        func: str | Callable[..., OneLabel | Series],
        *args: Any,
        engine: GroupEngine = ...,
        **kwargs: Any,
    ) -> Aggregated: ...
    @overload
    def apply(
        self, func: Callable[..., DataFrame], *args: Any, engine: GroupEngine = ..., **kwargs: Any
    ) -> DataFrame: ...
    @overload
    def apply(
        self, func: Callable[..., Any], *args: Any, engine: GroupEngine = ..., **kwargs: Any
    ) -> Aggregated: ...
    def apply(self, func: Any, *args: Any, engine: Any = "auto", **kwargs: Any) -> Any:
        """Return what a function makes of the elements of each group, put together.

        ``func`` is called with the elements of each group as a Series, whose ``name`` is the key, and with the other
        arguments; or it is the name of a method of groups. A value for each group gives a Series under the keys;
        Series and frames are put one after the other, below the keys of their groups unless ``group_keys=False``; dicts
        make another level of labels. Where the function cannot be computed for all groups at once, a
        `PerformanceWarning` says so. ``engine`` is that of `DataFrameGroupBy.apply`.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 5], index=["x", "x", "y"]).groupby(level=0).apply(max)
        x    2
        y    5
        dtype: int64
        """
        kwargs = _with_engine(func, engine, kwargs)
        if callable(func) and not args and not kwargs and self._stands_for(func, self._selection):
            return self._by_name(func, (), {})
        return self._applied(func, args, kwargs)

    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> Series:
        """Return the elements of the groups for which a function's result is true.

        ``func`` is called with the elements of each group as a Series, or is the name of a method of it, and the other
        arguments. With ``dropna=False`` the other elements stay and are missing. Where it cannot be
        computed for all groups at once and takes long, a `PerformanceWarning` says so. ``TypeError`` for a result that is no truth value.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 2, 5], index=["x", "x", "y"]).groupby(level=0)
        >>> groups.filter(lambda elements: elements.sum() < 4)
        x    1
        x    2
        dtype: int64
        """
        called = methodcaller(func, *args, **kwargs) if isinstance(func, str) else func
        given = ((), {}) if isinstance(func, str) else (args, kwargs)
        return self._filter(called, bool(dropna), *given, _is_truthy)

    def size(self) -> Aggregated:
        """Return the number of rows of every group."""
        sizes = wrap_series(self._handle.size()).rename(self._name)
        return sizes if self._as_index else sizes.reset_index(name="size")
