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
                self._selection is None and len(groups.value_labels()) == frame._handle.num_columns()
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
        """Return the result of a method of the handle; what elements do not have is a ``TypeError``, as in pandas."""
        try:
            return find(*arguments)
        except (NotImplementedError, TypeError) as error:
            raise TypeError(str(error).replace(f"column '{VALUES}': ", "")) from None

    # Aggregations.

    def sum(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Aggregated:
        """Return the sum of the elements of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a group with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Raises
        ------
        TypeError
            For a column whose type has no sum.

        Notes
        -----
        The sum of no elements is 0 unless ``min_count`` is at least 1. Texts are joined.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1.0, None, 3.0]})
        >>> df.groupby("k")["v"].sum()
        k
        x    4.0
        y    0.0
        Name: v, dtype: float64

        A group without elements that are not missing sums to 0 unless ``min_count`` asks for one:

        >>> df.groupby("k")["v"].sum(min_count=1)
        k
        x    4.0
        y    NaN
        Name: v, dtype: float64
        """
        return self._all("sum", numeric_only, None, min_count, skipna)

    def prod(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Aggregated:
        """Return the product of the elements of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        min_count : int, default 0
            The least number of elements that are not missing; the result of a group with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Raises
        ------
        TypeError
            For a column whose type has no product.

        Notes
        -----
        The product of no elements is 1 unless ``min_count`` is at least 1.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [2, 5, 3]})
        >>> df.groupby("k")["v"].prod()
        k
        x    6
        y    5
        Name: v, dtype: int64
        """
        return self._all("prod", numeric_only, None, min_count, skipna)

    def mean(self, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the mean of the elements of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Raises
        ------
        TypeError
            For a column whose type has no mean, as texts.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1.0, None, 3.0], "s": ["a", "b", "c"]})
        >>> df.groupby("k", as_index=False).mean(numeric_only=True)
           k    v
        0  x  2.0
        1  y  NaN
        """
        return self._all("mean", numeric_only, None, 0, skipna)

    def median(self, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the median of the elements of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Raises
        ------
        TypeError
            For a column whose type has no median, as texts.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x", "x"], "v": [1, 2, 3, 8]})
        >>> df.groupby("k")["v"].median()
        k
        x    3.0
        y    2.0
        Name: v, dtype: float64
        """
        return self._all("median", numeric_only, None, 0, skipna)

    def min(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the smallest element of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        min_count : int, default -1
            The least number of elements that are not missing; the result of a group with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is that of the column.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [3, 2, 1], "s": ["b", "c", None]})
        >>> df.groupby("k", as_index=False).min()
           k  v  s
        0  x  1  b
        1  y  2  c
        """
        return self._all("min", numeric_only, None, min_count, skipna)

    def max(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the largest element of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        min_count : int, default -1
            The least number of elements that are not missing; the result of a group with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is that of the column.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [3, 2, 1], "s": ["b", "c", None]})
        >>> df.groupby("k", as_index=False).max()
           k  v  s
        0  x  3  b
        1  y  2  c
        """
        return self._all("max", numeric_only, None, min_count, skipna)

    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the first element of each group that is not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        min_count : int, default -1
            The least number of elements that are not missing; the result of a group with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the first element of the group, missing or not.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is that of the column.

        See Also
        --------
        head : The first rows of each group.
        nth : Rows of each group by their number.

        Notes
        -----
        Each column is looked at by itself: the elements of a result's row may come from several rows.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [None, 2.0, 3.0]})
        >>> df.groupby("k")["v"].first()
        k
        x    2.0
        y    3.0
        Name: v, dtype: float64
        >>> df.groupby("k")["v"].first(skipna=False)
        k
        x    NaN
        y    3.0
        Name: v, dtype: float64
        """
        if not skipna:
            return self._put_each(self._at_the_ends(False, numeric_only, min_count))
        return self._all("first", numeric_only, None, min_count, True)

    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Aggregated:
        """Return the last element of each group that is not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        min_count : int, default -1
            The least number of elements that are not missing; the result of a group with fewer is missing.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the last element of the group, missing or not.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is that of the column.

        See Also
        --------
        tail : The last rows of each group.
        nth : Rows of each group by their number.

        Notes
        -----
        Each column is looked at by itself: the elements of a result's row may come from several rows.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [1.0, None, 3.0]})
        >>> df.groupby("k")["v"].last()
        k
        x    1.0
        y    3.0
        Name: v, dtype: float64
        >>> df.groupby("k")["v"].last(skipna=False)
        k
        x    NaN
        y    3.0
        Name: v, dtype: float64
        """
        if not skipna:
            return self._put_each(self._at_the_ends(True, numeric_only, min_count))
        return self._all("last", numeric_only, None, min_count, True)

    def std(self, ddof: int = 1, *, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the standard deviation of the elements of each group.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [1, 3, 5]})
        >>> df.groupby("k")["v"].std(ddof=0)
        k
        x    1.0
        y    0.0
        Name: v, dtype: float64

        With the default ``ddof`` a group of one element has none:

        >>> df.groupby("k")["v"].std().round(3)
        k
        x    1.414
        y      NaN
        Name: v, dtype: float64
        """
        return self._all("std", numeric_only, float(ddof), 0, skipna)

    def var(self, ddof: int = 1, *, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the variance of the elements of each group.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [1, 3, 5]})
        >>> df.groupby("k")["v"].var()
        k
        x    2.0
        y    NaN
        Name: v, dtype: float64
        """
        return self._all("var", numeric_only, float(ddof), 0, skipna)

    def sem(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> Aggregated:
        """Return the standard error of the mean of each group.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        See Also
        --------
        std : The standard deviation, which is divided by the root of the number of elements.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [1, 3, 5]})
        >>> df.groupby("k")["v"].sem()
        k
        x    1.0
        y    NaN
        Name: v, dtype: float64
        """
        return self._all("sem", numeric_only, float(ddof), 0, skipna)

    def count(self) -> Aggregated:
        """Return the number of elements of each group that are not missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is ``int64``.

        See Also
        --------
        size : The number of rows, missing elements or not.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [1.0, None, 3.0], "s": ["a", "b", None]})
        >>> df.groupby("k", as_index=False).count()
           k  v  s
        0  x  1  2
        1  y  1  0
        """
        return self._all("count")

    def nunique(self, dropna: bool = True) -> Aggregated:
        """Return the number of distinct elements of each group.

        Parameters
        ----------
        dropna : bool, default True
            Whether to leave missing elements out; if False, they count as one element.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is ``int64``.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "x", "y"], "v": ["a", "b", "a", None]})
        >>> df.groupby("k")["v"].nunique()
        k
        x    2
        y    0
        Name: v, dtype: int64
        >>> df.groupby("k")["v"].nunique(dropna=False)
        k
        x    2
        y    1
        Name: v, dtype: int64
        """
        return self._all("nunique") if dropna else self._put_each(self._all_different())

    def any(self, skipna: bool = True) -> Aggregated:
        """Return whether any element of each group is true.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, they are true.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is ``bool``; False for a group without elements.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [0.0, 2.0, None]})
        >>> df.groupby("k")["v"].any()
        k
        x     True
        y    False
        Name: v, dtype: bool
        >>> df.groupby("k")["v"].any(skipna=False)
        k
        x    True
        y    True
        Name: v, dtype: bool
        """
        return self._all("any") if skipna else self._put_each(self._any_or_missing())

    def all(self, skipna: bool = True) -> Aggregated:
        """Return whether all elements of each group are true.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, they are true, which gives the same result.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. The dtype is ``bool``; True for a group without elements.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y", "y"], "v": [0.0, 2.0, 3.0, None]})
        >>> df.groupby("k")["v"].all()
        k
        x    False
        y     True
        Name: v, dtype: bool
        """
        only_truth("all", skipna=skipna)
        return self._all("all")

    def size(self) -> Sizes:
        """Return the number of rows of each group.

        Returns
        -------
        Series or DataFrame
            The numbers, labelled by the keys; with ``as_index=False`` a frame of the keys and the column
            ``size``.

        See Also
        --------
        count : The number of elements that are not missing.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1.0, 2.0, None]})
        >>> df.groupby("k").size()
        k
        x    2
        y    1
        dtype: int64
        >>> df.groupby("k", as_index=False).size()
           k  size
        0  x     2
        1  y     1
        """
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
        """Return windows that move along the rows of each group.

        Parameters
        ----------
        window : int, str, timedelta or indexer
            The number of rows up to the row itself; or a length of time before it (``"2D"``); or an object
            with ``get_window_bounds``, as pandas' indexers, which is asked for each group.
        min_periods : int, optional
            The least number of elements that are not missing; with fewer a result is missing. Without it the
            rows of the window, 1 for windows of time.
        center : bool, default False
            Whether the row is the middle of its window instead of its last row.
        win_type : None
            Accepted for compatibility with pandas; weights are refused.
        on : label, optional
            The column that has the times of windows of time; without it the row labels have them.
        closed : str, optional
            Which ends belong to a window: ``"right"`` (the default), ``"left"``, ``"both"`` or ``"neither"``.
        method : ``"single"``, default ``"single"``
            Accepted for compatibility with pandas; ``"table"`` is refused.

        Returns
        -------
        RollingGroupby
            The windows, whose methods are the statistics of `Rolling`. Results have the rows group after
            group, labelled by the keys and their own labels; with ``as_index=False`` keys are columns.

        Raises
        ------
        ValueError
            For a length of time without times, and for an argument that is no window, side or number.

        See Also
        --------
        DataFrame.rolling : Windows of the rows of a whole frame.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x", "x"], "v": [1, 2, 3, 4]})
        >>> sums = df.groupby("k")["v"].rolling(2).sum()
        >>> sums.to_list(), sums.index.to_list()
        ([nan, 4.0, 7.0, nan], [('x', 0), ('x', 2), ('x', 3), ('y', 1)])
        """
        obj, groups = self._in_order()
        outer, as_index = len(self._keys), self._as_index
        return rolling_of_groups(
            obj, groups, outer, as_index, window, min_periods, center, win_type, on, closed, method
        )

    def expanding(self, min_periods: int = 1, method: Literal["single"] = "single") -> ExpandingGroupby[Rows]:
        """Return windows of all rows of each group up to a row.

        Parameters
        ----------
        min_periods : int, default 1
            The least number of elements that are not missing; with fewer a result is missing.
        method : ``"single"``, default ``"single"``
            Accepted for compatibility with pandas; ``"table"`` is refused.

        Returns
        -------
        ExpandingGroupby
            The windows, whose methods are the statistics of `Expanding`. Results have the rows group after
            group, labelled by the keys and their own labels, as in pandas also with ``as_index=False``.

        See Also
        --------
        DataFrame.expanding : Windows of the rows of a whole frame.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> sums = df.groupby("k")["v"].expanding().sum()
        >>> sums.to_list(), sums.index.to_list()
        ([1.0, 4.0, 2.0], [('x', 0), ('x', 2), ('y', 1)])
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
        """Return the rows of each group in bins of time.

        The bins of a group go from its first time to its last one.

        Parameters
        ----------
        rule : str, timedelta or offset
            The length of a bin, a frequency as of `date_range`.
        closed : ``"left"`` or ``"right"``, optional
            The end that belongs to a bin; without it the right one of ``ME``, ``QE``, ``YE``, ``BME``,
            ``BQE``, ``BYE``, ``W`` and of origins at the end, else the left one.
        label : ``"left"`` or ``"right"``, optional
            The end that labels a bin; the default is found as that of ``closed``.
        convention : ``"start"``, ``"end"``, ``"s"`` or ``"e"``, optional
            Accepted for compatibility with pandas; it changes nothing.
        on : label, optional
            The column that has the times; without it the row labels have them.
        origin : str or timestamp, default ``"start_day"``
            From where bins of fixed length are counted: ``"start_day"``, ``"start"``, ``"epoch"``, ``"end"``,
            ``"end_day"`` or a time.
        offset : timedelta or str, optional
            A length of time that is added to ``origin``.
        group_keys : bool, default False
            Only False.
        include_groups : bool, default False
            Only False.

        Returns
        -------
        GroupResampler
            The bins, whose methods are aggregations. Results are labelled by the keys of the groups and the
            times of bins.

        Raises
        ------
        NotImplementedError
            For groups with ``as_index=False``.
        TypeError
            If there are no times.

        See Also
        --------
        DataFrame.resample : Bins of the rows of a whole frame.

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
        """Return exponentially weighted windows of the rows of each group up to a row.

        Exactly one of ``com``, ``span``, ``halflife`` and ``alpha`` says how weights fade, unless there are
        ``times``.

        Parameters
        ----------
        com : float, optional
            Center of mass, at least 0: weights fade by ``com / (1 + com)`` from row to row.
        span : float, optional
            Span, at least 1: weights fade by ``(span - 1) / (span + 1)``.
        halflife : float, str or timedelta, optional
            The number of rows after which a weight is a half; with ``times`` a length of time.
        alpha : float, optional
            Smoothing factor, above 0 and at most 1: weights fade by ``1 - alpha``.
        min_periods : int, default 0
            The least number of elements that are not missing; with fewer a result is missing.
        adjust : bool, default True
            Whether weights begin with the first element; if False, that one stands for all that might have
            been before it.
        ignore_na : bool, default False
            Whether weights fade from element to element that is not missing instead of from row to row.
        times : list-like, optional
            The times of the rows of the grouped object, in its order. Only `mean` is defined with them.
        method : ``"single"``, default ``"single"``
            Accepted for compatibility with pandas; ``"table"`` is refused.

        Returns
        -------
        ExponentialMovingWindowGroupby
            The windows, whose methods are weighted statistics. Results have the rows group after group,
            labelled by the keys and their own labels, as in pandas also with ``as_index=False``.

        See Also
        --------
        DataFrame.ewm : Windows of the rows of a whole frame.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1.0, 2.0, 4.0]})
        >>> means = df.groupby("k")["v"].ewm(alpha=0.5).mean()
        >>> means.to_list(), means.index.to_list()
        ([1.0, 3.0, 2.0], [('x', 0), ('x', 2), ('y', 1)])
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
        """Return the result of a function of the groups, for calls in a chain.

        Parameters
        ----------
        func : callable or tuple
            The function that is called with the groups; or a pair of it and the name of the parameter that
            they are passed as.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        object
            What ``func`` returns.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 2, 5]).groupby(["x", "x", "y"])
        >>> groups.pipe(lambda g: g.max() - g.min())
        x    1
        y    0
        dtype: int64
        """
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
        """Return the value below which a share of each group lies, column by column.

        Parameters
        ----------
        q : float or list-like of float, default 0.5
            The share, from 0 to 1. Several make a last level of the row labels.
        interpolation : str, default ``"linear"``
            What lies between two elements: ``"linear"``, ``"lower"``, ``"higher"``, ``"midpoint"`` or
            ``"nearest"``.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        DataFrame
            A row for each group, or for each pair of a group and a share. Missing for groups without
            elements.

        Raises
        ------
        TypeError
            For columns of booleans, texts and other types without quantiles.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [1, 4, 5]})
        >>> df.groupby("k", as_index=False).quantile()
           k    v
        0  x  2.5
        1  y  5.0
        >>> df.groupby("k").quantile([0, 0.5])["v"].to_list()
        [1.0, 2.5, 5.0, 5.0]
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
        """Apply a function to the rows of each group and put the results together.

        Parameters
        ----------
        func : callable or str
            A function of the rows of a group, a frame without the keys whose ``name`` is the key; or the name
            of a method of groups.
        *args : object
            Further positional arguments of ``func``.
        engine : ``"auto"``, ``"cudf"`` or ``"jit"``, default ``"auto"``
            Accepted for compatibility with cuDF; all give the same result. A ``func`` that has a parameter of
            this name gets it.
        include_groups : bool, default False
            Only False: keys are not among the columns that ``func`` sees.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        Series or DataFrame
            Scalars and lists make a Series with an element for each group; Series of equal labels a frame
            with a row for each group. Other Series and frames stand one after the other, below the keys of
            their groups unless ``group_keys=False`` or ``as_index=False``.

        Raises
        ------
        ValueError
            With ``include_groups=True``.

        Notes
        -----
        A function that reductions, operations and conditions of columns make up is computed for all groups at
        once. Any other function is called for each group; a `PerformanceWarning` says so where that takes
        long.

        What a function raises has a note with the key of the group.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3], "w": [4, 5, 7]})
        >>> df.groupby("k").apply(lambda g: (g["v"] * g["w"]).sum())
        k
        x    25
        y    10
        dtype: int64

        A function that returns rows gives them below the keys of their groups:

        >>> df.groupby("k", group_keys=False).apply(lambda g: g.nlargest(1, "v"))
           v  w
        2  3  7
        1  2  5
        """
        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        return self._applied(func, args, _with_engine(func, engine, kwargs))

    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> DataFrame:
        """Return the rows of the groups for which a function is true.

        Parameters
        ----------
        func : callable
            A function of the rows of a group, a frame with the keys whose ``name`` is the key; it returns a
            truth value. A missing value is false.
        dropna : bool, default True
            Whether to leave the other rows out; if False, they stay and all their elements are missing.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        DataFrame
            The rows in their order, under their own labels.

        Raises
        ------
        TypeError
            If ``func`` returns something else than a truth value.

        Notes
        -----
        A function that cannot be computed for all groups at once is called for each group; a
        `PerformanceWarning` says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> df.groupby("k").filter(lambda g: len(g) > 1)
           k  v
        0  x  1
        2  x  3
        >>> df.groupby("k").filter(lambda g: g["v"].sum() > 3, dropna=False)
             k     v
        0    x     1
        1  NaN  <NA>
        2    x     3
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
        """Return the value below which a share of each group lies.

        Parameters
        ----------
        q : float or list-like of float, default 0.5
            The share, from 0 to 1. Several make a last level of the row labels.
        interpolation : str, default ``"linear"``
            What lies between two elements: ``"linear"``, ``"lower"``, ``"higher"``, ``"midpoint"`` or
            ``"nearest"``.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        Series or DataFrame
            A value for each group, or for each pair of a group and a share; a frame with ``as_index=False``.
            Missing for groups without elements.

        Raises
        ------
        TypeError
            For elements without quantiles, as booleans and texts.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 4, 5]).groupby(["x", "x", "y"])
        >>> groups.quantile()
        x    2.5
        y    5.0
        dtype: float64
        >>> groups.quantile(0.5, interpolation="lower")
        x    1
        y    5
        dtype: int64
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
        """Apply a function to the elements of each group and put the results together.

        Parameters
        ----------
        func : callable or str
            A function of the elements of a group, a Series whose ``name`` is the key; or the name of a method
            of groups.
        *args : object
            Further positional arguments of ``func``.
        engine : ``"auto"``, ``"cudf"`` or ``"jit"``, default ``"auto"``
            Accepted for compatibility with cuDF; all give the same result. A ``func`` that has a parameter of
            this name gets it.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        Series or DataFrame
            Scalars make a Series with an element for each group. Series and frames stand one after the other,
            below the keys of their groups unless ``group_keys=False``. Dicts make another level of labels.

        Notes
        -----
        A function that cannot be computed for all groups at once is called for each group; a
        `PerformanceWarning` says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 2, 5], index=["x", "x", "y"]).groupby(level=0)
        >>> groups.apply(max)
        x    2
        y    5
        dtype: int64
        >>> groups.apply(lambda elements: elements.max() - elements.min())
        x    1
        y    0
        dtype: int64
        """
        kwargs = _with_engine(func, engine, kwargs)
        if callable(func) and not args and not kwargs and self._stands_for(func, self._selection):
            return self._by_name(func, (), {})
        return self._applied(func, args, kwargs)

    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> Series:
        """Return the elements of the groups for which a function is true.

        Parameters
        ----------
        func : callable or str
            A function of the elements of a group, a Series; or the name of a method of it. A missing result
            is false.
        dropna : bool, default True
            Whether to leave the other elements out; if False, they stay and are missing.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        Series
            The elements in their order, under their own labels.

        Raises
        ------
        TypeError
            If ``func`` returns several values.

        Notes
        -----
        A function that cannot be computed for all groups at once is called for each group; a
        `PerformanceWarning` says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 2, 5], index=["x", "x", "y"]).groupby(level=0)
        >>> groups.filter(lambda elements: elements.sum() < 4)
        x    1
        x    2
        dtype: int64
        >>> groups.filter(lambda elements: elements.sum() < 4, dropna=False)
        x       1
        x       2
        y    <NA>
        dtype: int64
        """
        called = methodcaller(func, *args, **kwargs) if isinstance(func, str) else func
        given = ((), {}) if isinstance(func, str) else (args, kwargs)
        return self._filter(called, bool(dropna), *given, _is_truthy)

    def size(self) -> Aggregated:
        """Return the number of elements of each group, missing ones among them.

        Returns
        -------
        Series or DataFrame
            The numbers, labelled by the keys and named as the series; with ``as_index=False`` a frame of the
            keys and the column ``size``.

        See Also
        --------
        count : The number of elements that are not missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, None, 2.0], name="v").groupby(["x", "x", "y"]).size()
        x    2
        y    1
        Name: v, dtype: int64
        """
        sizes = wrap_series(self._handle.size()).rename(self._name)
        return sizes if self._as_index else sizes.reset_index(name="size")
