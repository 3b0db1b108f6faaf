"""Groups of rows with equal keys: `DataFrameGroupBy` and `SeriesGroupBy`.

Aggregations are named; they run over all groups at once. Groups are in ascending order of their
keys, or in order of first appearance with ``sort=False``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import (
    is_list_like,
    is_scalar,
    only_default,
    only_known,
    plain_label,
    plain_labels,
)
from cuprum.core.construction import column_from
from cuprum.core.elements import mapping_series
from cuprum.core.groupby.aggregation import (
    function_label,
    function_name,
    function_parameter,
    request,
)
from cuprum.core.groupby.grouper import Grouper, grouper_of
from cuprum.core.groupby.rows import GroupRows
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["VALUES", "DataFrameGroupBy", "SeriesGroupBy"]


def _keys(original: Any, target: Any, by: Any, level: Any) -> list[tuple[Any, Any]]:
    """Return what ``by`` and ``level`` stand for as the keys of `_cuprum.GroupBy`.

    ``target`` is a snapshot of ``original``: a series that is a column of that is the one of this.
    """
    if level is not None:
        levels = level if isinstance(level, (list, tuple)) else [level]
        return [("level", plain_label(one)) for one in levels]
    if by is None:
        raise TypeError("You have to supply one of 'by' and 'level'")
    grouper = grouper_of(by)
    if grouper is not None:
        return [_key_of_grouper(target, grouper)]
    handle, names = target._handle, target._handle.index().names()
    contains = handle.contains if target.ndim == 2 else lambda label: False
    many = isinstance(by, list)
    as_rows = many and by and len(by) == len(target) and all(map(is_scalar, by))
    if as_rows and not any(contains(plain_label(one)) or one in names for one in by):
        return [(None, column_from(by))]  # a key for each row
    return [_key(original, target, key, contains) for key in (by if many else [by])]


def _key_of_grouper(target: Any, grouper: Grouper) -> tuple[Any, Any]:
    from cuprum.core.groupby.resample import labels_of_bins, time_key

    if grouper.bins is not None:
        return labels_of_bins(target, grouper)
    if grouper.key is None and grouper.level is None:
        raise TypeError("Grouper() names no `key`, no `level` and no `freq`")
    return time_key(target, grouper.key, grouper.level)


def _key(original: Any, target: Any, key: Any, contains: Any) -> tuple[Any, Any]:
    grouper = grouper_of(key)
    if grouper is not None:
        return _key_of_grouper(target, grouper)
    if isinstance(key, objects.Series):
        if target.ndim == 2 and contains(key.name):
            column = key._handle.reindex(target._handle.index()).column()
            if original._handle.has_column(key.name, column):
                return "label", key.name
        return "series", key._handle
    if isinstance(key, Mapping):
        return "mapping", mapping_series(key, target.index.dtype)._handle
    if callable(key):
        index = target.index
        name = None if index.nlevels > 1 else plain_label(index.name)
        return name, column_from([key(label) for label in index.to_list()])
    if is_list_like(key) and not isinstance(key, tuple):
        return plain_label(getattr(key, "name", None)), column_from(key)
    if target.ndim == 1 and plain_label(key) not in target._handle.index().names():
        raise KeyError(key)
    return "label", plain_label(key)


def groups_of(
    target: Any, by: Any, level: Any, as_index: bool, sort: bool, dropna: bool, observed: bool
) -> DataFrameGroupBy | SeriesGroupBy:
    """Return what ``groupby`` of a frame or series does."""
    original, target = target, target._snapshot()
    alone = by[0] if isinstance(by, list) and len(by) == 1 else by
    grouper = grouper_of(alone) if level is None else None
    if grouper is not None and grouper.bins is not None:
        from cuprum.core.groupby.resample import grouped_by_bins

        return grouped_by_bins(target, grouper, as_index, isinstance(by, list))
    if grouper is not None and alone is by:
        sort, dropna = grouper.sort, grouper.dropna
    keys = _keys(original, target, by, level)
    of_series = isinstance(target, objects.Series)
    if of_series and not as_index:
        raise TypeError("as_index=False only valid with DataFrame")
    label = VALUES
    table = wrap_frame(target._handle.to_frame(label)) if of_series else target
    handle = _cuprum.GroupBy(table._handle, keys, sort, as_index, dropna, observed)
    if of_series:
        return SeriesGroupBy(handle, table, keys, label, True, isinstance(by, list), target.name)
    listed = is_list_like(by) and not isinstance(by, tuple)
    return DataFrameGroupBy(handle, table, keys, None, as_index, listed)


# What the column of a series is called in the frame that is grouped in its place.
VALUES = "\0values"

# The methods whose results have a value for every row.
_FOR_ROWS = frozenset(
    ["cumsum", "cumprod", "cummax", "cummin", "cumcount", "ngroup", "shift", "diff", "pct_change", "rank"]
    + ["ffill", "bfill"]
)


class _GroupBy(GroupRows):
    """What both kinds of groups share: aggregations."""

    __slots__ = ("_as_index", "_frame", "_handle", "_keys", "_listed", "_name", "_selection")

    def __init__(
        self,
        handle: Any,
        target: DataFrame,
        keys: list[tuple[Any, Any]],
        selection: Any,
        as_index: bool,
        listed: bool,
        name: Any = None,
    ) -> None:
        self._handle = handle
        self._frame = target
        self._keys = keys
        self._selection = selection
        self._as_index = as_index
        self._listed = listed
        self._name = name

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
        try:
            return self._handle.aggregate(requests, min_count, skipna)
        except (NotImplementedError, TypeError) as error:
            raise TypeError(str(error).replace(f"column '{VALUES}': ", "")) from None

    def _quantiles(self, q: Any, numeric_only: bool) -> Any:
        return self._handle.quantiles(self._inputs(numeric_only), [float(share) for share in q])

    # Aggregations.

    def sum(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """Return the sum of every group; missing elements are skipped, the sum of none is 0.

        The sum of fewer than ``min_count`` elements is missing, and with ``skipna=False`` that of a group
        with a missing element. So it is with the other aggregations that have these parameters.
        """
        return self._all("sum", numeric_only, None, min_count, skipna)

    def prod(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """Return the product of every group; missing elements are skipped, the product of none is 1."""
        return self._all("prod", numeric_only, None, min_count, skipna)

    def mean(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """Return the mean of every group; missing elements are skipped, of none it is missing."""
        return self._all("mean", numeric_only, None, 0, skipna)

    def median(self, numeric_only: bool = False, skipna: bool = True) -> Any:
        """Return the median of every group; missing elements are skipped, of none it is missing."""
        return self._all("median", numeric_only, None, 0, skipna)

    def min(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """Return the smallest element of every group; missing ones are skipped."""
        return self._all("min", numeric_only, None, min_count, skipna)

    def max(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """Return the largest element of every group; missing ones are skipped."""
        return self._all("max", numeric_only, None, min_count, skipna)

    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """Return the first element of every group that is not missing."""
        only_default("first", skipna=(skipna, True))
        return self._all("first", numeric_only, None, min_count, True)

    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """Return the last element of every group that is not missing."""
        only_default("last", skipna=(skipna, True))
        return self._all("last", numeric_only, None, min_count, True)

    def std(self, ddof: int = 1, *, numeric_only: bool = False, skipna: bool = True) -> Any:
        """Return the standard deviation of every group with divisor ``count - ddof``."""
        return self._all("std", numeric_only, float(ddof), 0, skipna)

    def var(self, ddof: int = 1, *, numeric_only: bool = False, skipna: bool = True) -> Any:
        """Return the variance of every group with divisor ``count - ddof``."""
        return self._all("var", numeric_only, float(ddof), 0, skipna)

    def sem(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> Any:
        """Return the standard error of the mean of every group; see `std`."""
        return self._all("sem", numeric_only, float(ddof), 0, skipna)

    def count(self) -> Any:
        """Return the number of elements of every group that are not missing."""
        return self._all("count")

    def nunique(self, dropna: bool = True) -> Any:
        """Return the number of different elements of every group; missing ones are not counted."""
        only_default("nunique", dropna=(dropna, True))
        return self._all("nunique")

    def any(self, skipna: bool = True) -> Any:
        """Return whether an element of the group is true; missing ones are skipped."""
        only_default("any", skipna=(skipna, True))
        return self._all("any")

    def all(self, skipna: bool = True) -> Any:
        """Return whether every element of the group is true; missing ones are skipped."""
        only_default("all", skipna=(skipna, True))
        return self._all("all")

    def size(self) -> Any:
        """Return the number of rows of every group; a frame with the column ``size`` if not ``as_index``."""
        sizes = wrap_series(self._handle.size())
        return sizes if self._as_index else sizes.reset_index(name="size")

    def _by_name(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One aggregation by its name, with the arguments of its method."""
        name, parameter = function_name(func), function_parameter(func)
        if parameter is not None:
            kwargs.setdefault("ddof", int(parameter))
        return getattr(self, name)(*args, **kwargs)

    def transform(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """Return for every row its group's value of a named aggregation.

        Also a method for rows by its name (``'cumsum'``, ``'rank'``, ``'shift'`` …), called with the
        other arguments.
        """
        if isinstance(func, str) and func in _FOR_ROWS:
            return getattr(self, func)(*args, **kwargs)
        _no_others("transform", args, kwargs)
        name, inputs = function_name(func), self._inputs()
        columns = [self._handle.transform(label, name).column() for label in inputs]
        frame = self._frame._handle
        result = _cuprum.DataFrame(inputs, columns, frame.index())
        return self._result(result.with_labels(inputs, frame.level_names()))

    def apply(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """Fail: functions are not called for every group; `agg` and `transform` take names."""
        raise NotImplementedError(
            "apply does not call functions for every group: use agg or transform with the name of an "
            "aggregation, the methods for rows (shift, rank, cumsum, head, …), or iterate over the groups"
        )

    def rolling(
        self,
        window: Any,
        min_periods: int | None = None,
        center: bool = False,
        win_type: Any = None,
        on: Any = None,
        closed: str | None = None,
        method: str = "single",
    ) -> Any:
        """Return windows that go along with the rows of each group; see `DataFrame.rolling`.

        Results have the rows group after group, labelled by their keys and their own labels.
        """
        from cuprum.core.window.rolling import rolling_of_groups

        obj, groups = self._in_order()
        outer, as_index = len(self._keys), self._as_index
        return rolling_of_groups(
            obj, groups, outer, as_index, window, min_periods, center, win_type, on, closed, method
        )

    def expanding(self, min_periods: int = 1, method: str = "single") -> Any:
        """Return windows of all rows of a group so far; see `rolling` and `DataFrame.expanding`.

        Keys label the results of ``as_index=False``, too, as in pandas.
        """
        from cuprum.core.window.rolling import expanding_of_groups

        obj, groups = self._in_order()
        return expanding_of_groups(obj, groups, min_periods, method)

    def resample(
        self,
        rule: Any,
        closed: str | None = None,
        label: str | None = None,
        convention: str | None = None,
        on: Any = None,
        origin: Any = "start_day",
        offset: Any = None,
        group_keys: bool = False,
        *,
        include_groups: bool = False,
    ) -> Any:
        """Return the rows of each group in bins of time; see `DataFrame.resample`.

        The bins of a group go from its first time to its last one. Results go by the keys of groups and the
        labels of bins.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.date_range("2026-01-01", periods=4)
        >>> sold = cuprum.DataFrame({"k": ["x", "y", "x", "x"], "v": [1, 2, 3, 4]}, index=days)
        >>> sold.groupby("k").resample("2D")["v"].sum()
        k
        x  2026-01-01    1
           2026-01-03    7
        y  2026-01-02    2
        Name: v, dtype: int64
        """
        from cuprum.core.groupby.resample import resampled_groups
        from cuprum.core.groupby.time_bins import TimeBins

        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        only_default("resample of groups", convention=(convention, None), group_keys=(group_keys, False))
        return resampled_groups(self, TimeBins(rule, closed, label, origin, offset), on)

    def _in_order(self) -> tuple[Any, Any]:
        """Return the rows group after group, and the number of each row's group."""
        handle, groups = self._handle.in_order(self._inputs())
        return self._result(handle), groups

    def pipe(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Return ``func(self, *args, **kwargs)``."""
        return func(self, *args, **kwargs)


class DataFrameGroupBy(_GroupBy):
    """The rows of a frame in groups; see `DataFrame.groupby`.

    ``g["a"]`` and ``g[["a", "b"]]`` choose the columns that are aggregated.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<cuprum.DataFrameGroupBy: {self.ngroups} groups by {self._key_names()}>"

    def _inputs(self, numeric_only: bool = False) -> list[Any]:
        labels = self._handle.value_labels() if self._selection is None else self._selection
        if not numeric_only:
            return labels
        return [label for label in labels if self._frame._handle.column(label).dtype().kind in "iufb"]

    def __getitem__(self, key: Any) -> Any:
        if self._selection is not None:
            raise IndexError(f"Column(s) {self._selection} already selected")
        if isinstance(key, tuple) and not self._frame._handle.contains(key):
            raise ValueError(
                "Cannot subset columns with a tuple with more than one element. Use a list instead."
            )
        if is_list_like(key) and not isinstance(key, tuple):
            labels = plain_labels(key)
            for label in labels:
                self._check(label)
            return DataFrameGroupBy(
                self._handle, self._frame, self._keys, labels, self._as_index, self._listed
            )
        label = plain_label(key)
        self._check(label)
        return SeriesGroupBy(
            self._handle, self._frame, self._keys, label, self._as_index, self._listed, label
        )

    def _check(self, label: Any) -> None:
        if not self._frame._handle.contains(label):
            self._frame._handle.column(label)  # raises KeyError, naming the closest

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self._frame._handle.contains(name):
            return self[name]
        raise AttributeError(f"'DataFrameGroupBy' object has no attribute '{name}'")

    def _aggregated(self, handle: Any) -> DataFrame:
        return wrap_frame(handle)

    def _result(self, handle: Any) -> DataFrame:
        return wrap_frame(handle)

    def quantile(self, q: Any = 0.5, interpolation: str = "linear", numeric_only: bool = False) -> DataFrame:
        """Return the value below which a share ``q`` of every group lies, interpolated between neighbours.

        Several shares make a last level of the row labels.
        """
        only_default("quantile", interpolation=(interpolation, "linear"))
        if is_list_like(q):
            return wrap_frame(self._quantiles(q, numeric_only))
        return self._all("quantile", numeric_only, float(q))

    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> DataFrame:
        """Return named aggregations of every group.

        Parameters
        ----------
        func
            A name (``'mean'``) or a function that stands for one (``numpy.mean``, ``sum``, ``len``):
            for every column; a list of them: a column for each pair; a dict of columns and names or
            lists of names.
        **kwargs
            Named results: ``mean_delay=("delay", "mean")`` or `NamedAgg`.

        Other callables raise ``NotImplementedError``.

        Examples
        --------
        >>> import cuprum
        >>> g = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]}).groupby("k", as_index=False)
        >>> g.agg(low=("v", "min"), high=("v", "max"))
           k  low  high
        0  x    1     3
        1  y    2     2
        """
        if func is None:
            if not kwargs:
                raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
            requests = []
            for label, pair in kwargs.items():
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise TypeError(f"`{label}` is {pair!r}; it must be a pair (column, aggregation)")
                requests.append((label, plain_label(pair[0]), *request(pair[1], (), {})))
            return wrap_frame(self._aggregate(requests))
        if isinstance(func, Mapping):
            if args or kwargs:
                raise TypeError(
                    f"agg of a dict takes no other arguments, which pandas ignores: {[*args, *kwargs]}"
                )
            for label in func:
                self._check(label)
            if any(is_list_like(f) for f in func.values()):
                columns = [(plain_label(label), _named(fs, (), {})) for label, fs in func.items()]
                return self._several(columns)
            return wrap_frame(
                self._aggregate(
                    [
                        (plain_label(label), plain_label(label), *request(f, (), {}))
                        for label, f in func.items()
                    ]
                )
            )
        if is_list_like(func):
            return self._several(_named(func, args, kwargs))
        return self._by_name(func, args, kwargs)

    aggregate = agg

    def _several(self, what: list[Any]) -> DataFrame:
        """Return a column for each pair of a column and an aggregation of it."""
        try:
            return wrap_frame(self._handle.agg(self._inputs(), what))
        except NotImplementedError as error:
            raise TypeError(str(error)) from None


def _named(functions: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Return aggregations, one or several, as pandas names them."""
    functions = functions if is_list_like(functions) else [functions]
    return [(function_label(f), *request(f, args, kwargs)) for f in functions]


def _no_others(function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Fail for arguments that an aggregation by name does not take."""
    if args:
        raise TypeError(f"{function}() takes no positional arguments for an aggregation, not {args!r}")
    only_known(function, kwargs)


class SeriesGroupBy(_GroupBy):
    """The elements of one column in groups."""

    __slots__ = ()

    def _inputs(self, numeric_only: bool = False) -> list[Any]:
        dtype = self._frame._handle.column(self._selection).dtype()
        if numeric_only and dtype.kind not in "iufb":
            raise TypeError(f"`numeric_only`=True does not go with a series of {dtype}")
        return [self._selection]

    def __repr__(self) -> str:
        return f"<cuprum.SeriesGroupBy: {self.ngroups} groups of {self._name!r} by {self._key_names()}>"

    def _aggregated(self, handle: Any) -> Any:
        return self._result(handle) if self._as_index else wrap_frame(handle)

    def _result(self, handle: Any) -> Series:
        return wrap_series(handle.column_at(0).rename(self._name))

    def quantile(self, q: Any = 0.5, interpolation: str = "linear", numeric_only: bool = False) -> Any:
        """Return the value below which a share ``q`` of every group lies, interpolated between neighbours.

        Several shares make a last level of the row labels.
        """
        only_default("quantile", interpolation=(interpolation, "linear"))
        if not is_list_like(q):
            return self._all("quantile", numeric_only, float(q))
        return self._result(self._quantiles(q, numeric_only))

    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Return one named aggregation of every group, or a frame with a column for each of several.

        ``func`` is a name, a function that stands for one, or a list of them; keyword arguments name
        results: ``low="min"``. Other callables raise ``NotImplementedError``.
        """
        label = self._selection
        if func is None or isinstance(func, Mapping):
            named = kwargs if func is None else dict(func)
            if not named:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            if isinstance(func, Mapping):
                raise ValueError("nested renamer is not supported")
            requests = [(name, label, *request(f, (), {})) for name, f in named.items()]
            return wrap_frame(self._aggregate(requests))
        if is_list_like(func):
            requests = [(function_label(f), label, *request(f, args, kwargs)) for f in func]
            return wrap_frame(self._aggregate(requests))
        return self._by_name(func, args, kwargs)

    aggregate = agg

    def size(self) -> Any:
        """Return the number of rows of every group."""
        sizes = wrap_series(self._handle.size()).rename(self._name)
        return sizes if self._as_index else sizes.reset_index(name="size")

    def unique(self) -> Any:
        """Fail: lists are no elements of a column yet."""
        raise NotImplementedError("unique of groups needs list columns; use drop_duplicates before grouping")

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """Return how often each element occurs in every group, most frequent first, ties as they appear.

        Categories are counted in every group, also those that it does not have. With ``as_index=False`` a
        frame of the keys, the elements and the column ``count``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"k": [1, 1, 1], "v": ["b", "a", "b"]}).groupby("k")["v"].value_counts()
        k  v
        1  b    2
           a    1
        Name: count, dtype: int64
        """
        only_default("value_counts", normalize=(normalize, False), bins=(bins, None))
        counts = self._handle.value_counts(self._selection, bool(sort), bool(ascending), bool(dropna))
        index = counts.index()
        if index.nlevels() > len(self._key_names()):
            index = index.with_names([*index.names()[:-1], plain_label(self._name)])
        result = wrap_series(counts.with_index(index))
        return result if self._as_index else result.reset_index()
