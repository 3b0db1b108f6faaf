"""Groups of rows with equal keys: `DataFrameGroupBy` and `SeriesGroupBy`.

Aggregations are named; they run over all groups at once. Groups are in ascending order of their
keys, or in order of first appearance with ``sort=False``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum, frame
from cuprum._cuprum import Column
from cuprum.aggregation import function_label, function_name, function_parameter
from cuprum.arguments import is_list_like, only_default, plain_label, plain_labels
from cuprum.construction import column_from
from cuprum.frame import wrap_frame, wrap_series
from cuprum.index import wrap_index

if TYPE_CHECKING:
    from cuprum.dataframe import DataFrame
    from cuprum.index import Index
    from cuprum.series import Series

__all__ = ["DataFrameGroupBy", "SeriesGroupBy"]


def _keys(target: Any, by: Any, level: Any) -> tuple[list[Any], list[Column]]:
    """Return names and columns of the keys that ``by`` and ``level`` stand for."""
    handle = target._handle
    names: list[Any] = []
    columns: list[Column] = []
    index = handle.index()

    def add_level(at: Any) -> None:
        at = index.level_position(plain_label(at))
        names.append(index.names()[at])
        columns.append(index.column(at))

    if level is not None:
        for one in level if isinstance(level, (list, tuple)) else [level]:
            add_level(one)
        return names, columns
    if by is None:
        raise TypeError("You have to supply one of 'by' and 'level'")
    many = isinstance(by, list)
    if isinstance(by, tuple) and not (hasattr(handle, "contains") and handle.contains(by)):
        many = True
    for key in by if many else [by]:
        if isinstance(key, frame.Series):
            names.append(key.name)
            columns.append(key._handle.reindex(index).column())
        elif isinstance(key, Mapping):
            names.append(None)
            columns.append(target.index.to_series().map(key)._handle.column())
        elif callable(key):
            raise NotImplementedError(
                "groupby does not call functions of the row labels: give the keys as a Series"
            )
        elif is_list_like(key) and not isinstance(key, tuple):
            names.append(plain_label(getattr(key, "name", None)))
            columns.append(column_from(key))
        else:
            label = plain_label(key)
            if hasattr(handle, "contains") and not handle.contains(label) and label in index.names():
                add_level(label)
            elif hasattr(handle, "contains"):
                names.append(label)
                columns.append(handle.column(label).column())
            else:
                add_level(label)
    if not names:
        raise ValueError("No group keys passed!")
    return names, columns


def groups_of_frame(
    target: DataFrame, by: Any, level: Any, as_index: bool, sort: bool, dropna: bool
) -> DataFrameGroupBy:
    """Return what `DataFrame.groupby` does."""
    names, columns = _keys(target, by, level)
    pairs = list(zip(names, columns, strict=True))
    handle = _cuprum.GroupBy(target._handle, pairs, bool(sort), bool(as_index), bool(dropna))
    return DataFrameGroupBy(
        handle, target, names, columns, None, bool(as_index), is_list_like(by) and not isinstance(by, tuple)
    )


def groups_of_series(
    target: Series, by: Any, level: Any, as_index: bool, sort: bool, dropna: bool
) -> SeriesGroupBy:
    """Return what `Series.groupby` does."""
    if not as_index:
        raise TypeError("as_index=False only valid with DataFrame")
    names, columns = _keys(target, by, level)
    label = "\0values"
    table = wrap_frame(target._handle.to_frame(label))
    handle = _cuprum.GroupBy(
        table._handle, list(zip(names, columns, strict=True)), bool(sort), True, bool(dropna)
    )
    return SeriesGroupBy(handle, table, names, columns, label, True, isinstance(by, list), target.name)


def _parameter(name: str, q: float, ddof: int) -> float | None:
    if name == "quantile":
        return float(q)
    return float(ddof) if name in ("std", "var") else None


class _GroupBy:
    """What both kinds of groups share."""

    __slots__ = ("_as_index", "_frame", "_handle", "_key_columns", "_keys", "_listed", "_selection")

    def __init__(
        self,
        handle: Any,
        target: DataFrame,
        keys: list[Any],
        key_columns: list[Column],
        selection: Any,
        as_index: bool,
        listed: bool,
    ) -> None:
        self._handle = handle
        self._frame = target
        self._keys = keys
        self._key_columns = key_columns
        self._selection = selection
        self._as_index = as_index
        self._listed = listed

    @property
    def ngroups(self) -> int:
        """The number of groups."""
        return self._handle.num_groups()

    def __len__(self) -> int:
        return self._handle.num_groups()

    def _all(self, function: str, numeric_only: bool = False, parameter: float | None = None) -> Any:
        """One aggregation of every selected column."""
        raise NotImplementedError

    def _part(self, table: DataFrame) -> Any:
        """Return what a group of the rows of ``table`` is."""
        raise NotImplementedError

    # Aggregations.

    def sum(self, numeric_only: bool = False, min_count: int = 0, **kwargs: Any) -> Any:
        """Return the sum of every group; missing elements are skipped, the sum of none is 0."""
        total = self._all("sum", numeric_only)
        if min_count <= 0:
            return total
        if not self._as_index:
            only_default("sum", min_count=(min_count, 0))
        return total.where(self._all("count", numeric_only) >= min_count)

    def prod(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """Return the product of every group; missing elements are skipped, the product of none is 1."""
        total = self._all("prod", numeric_only)
        if min_count <= 0:
            return total
        if not self._as_index:
            only_default("prod", min_count=(min_count, 0))
        return total.where(self._all("count", numeric_only) >= min_count)

    def mean(self, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the mean of every group; missing elements are skipped, of none it is missing."""
        return self._all("mean", numeric_only)

    def median(self, numeric_only: bool = False) -> Any:
        """Return the median of every group; missing elements are skipped, of none it is missing."""
        return self._all("median", numeric_only)

    def min(self, numeric_only: bool = False, min_count: int = -1, **kwargs: Any) -> Any:
        """Return the smallest element of every group; missing ones are skipped."""
        return self._all("min", numeric_only)

    def max(self, numeric_only: bool = False, min_count: int = -1, **kwargs: Any) -> Any:
        """Return the largest element of every group; missing ones are skipped."""
        return self._all("max", numeric_only)

    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """Return the first element of every group that is not missing."""
        only_default("first", skipna=(skipna, True))
        return self._all("first", numeric_only)

    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> Any:
        """Return the last element of every group that is not missing."""
        only_default("last", skipna=(skipna, True))
        return self._all("last", numeric_only)

    def std(self, ddof: int = 1, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the standard deviation of every group with divisor ``count - ddof``."""
        return self._all("std", numeric_only, float(ddof))

    def var(self, ddof: int = 1, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the variance of every group with divisor ``count - ddof``."""
        return self._all("var", numeric_only, float(ddof))

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

    # Rows.

    def ngroup(self, ascending: bool = True) -> Series:
        """Return for every row the number of its group, in the order of results; missing for rows in none."""
        numbers = wrap_series(self._handle.ngroup())
        inside = numbers >= 0
        if not inside.all():
            numbers = numbers.where(inside)  # the others are in no group
        return numbers if ascending else (self.ngroups - 1) - numbers

    def _labels(self) -> list[Any]:
        """The keys of the groups in the order of results."""
        labels = wrap_index(self._handle.size().index()).to_list()
        # A list of one key gives tuples of one, as in pandas.
        return [(label,) for label in labels] if self._listed and len(self._keys) == 1 else labels

    def _sorted_rows(self) -> tuple[DataFrame, list[int], Column]:
        """The rows group by group, the sizes of groups, and the positions of the rows."""
        numbers = self._handle.ngroup()
        order = numbers.argsort(True)
        sizes = self._handle.size().column().to_pylist()
        outside = len(numbers) - sum(sizes)
        rows = order.column().slice(outside, len(numbers) - outside)
        return wrap_frame(self._frame._handle.take(rows)), sizes, rows

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of key and rows of the group."""
        table, sizes, _ = self._sorted_rows()
        start = 0
        for label, size in zip(self._labels(), sizes, strict=True):
            yield label, self._part(wrap_frame(table._handle.slice(start, size)))
            start += size

    def get_group(self, name: Any) -> Any:
        """Return the rows of the group with the key ``name``; ``KeyError`` where there is none."""
        labels = self._labels()
        if name not in labels:
            raise KeyError(name)
        numbers = wrap_series(self._handle.ngroup())
        return self._part(
            wrap_frame(self._frame._handle.filter((numbers == labels.index(name))._handle.column()))
        )

    @property
    def groups(self) -> dict[Any, Index]:
        """The row labels of every group under its key."""
        table, sizes, _ = self._sorted_rows()
        index, found, start = table.index, {}, 0
        for label, size in zip(self._labels(), sizes, strict=True):
            found[label] = index[start : start + size]
            start += size
        return found

    @property
    def indices(self) -> dict[Any, Any]:
        """The positions of the rows of every group under its key, as NumPy arrays."""
        _, sizes, rows = self._sorted_rows()
        from cuprum.interop import to_numpy

        positions, found, start = to_numpy(rows), {}, 0
        for label, size in zip(self._labels(), sizes, strict=True):
            found[label] = positions[start : start + size]
            start += size
        return found

    def _ends(self, n: int, last: bool) -> Any:
        _table, sizes, rows = self._sorted_rows()
        kept: list[int] = []
        start = 0
        for size in sizes:
            count = min(n, size) if n >= 0 else max(size + n, 0)
            first = start + size - count if last else start
            kept += range(first, first + count)
            start += size
        at = _cuprum.Series(rows).iloc(Column.from_iterable_of_py(kept, "int64")).sort_values(True, "last")
        return self._part(wrap_frame(self._frame._handle.take(at.column())))

    def head(self, n: int = 5) -> Any:
        """Return the first ``n`` rows of every group, in the order of the rows."""
        return self._ends(n, False)

    def tail(self, n: int = 5) -> Any:
        """Return the last ``n`` rows of every group, in the order of the rows."""
        return self._ends(n, True)

    def _places(self) -> tuple[Any, Any]:
        """The place of every row in the rows sorted by group, and the first place of its group."""
        order = self._handle.ngroup().argsort(True)
        places = order.drop_index().argsort(True).with_index(self._frame._handle.index())
        table = _cuprum.DataFrame(["place"], [places.column()], places.index())
        keys = list(zip(self._keys, self._key_columns, strict=True))
        first = _cuprum.GroupBy(table, keys, False, True, False).transform("place", "min")
        return wrap_series(places.rename(None)), wrap_series(first.rename(None))

    def cumcount(self, ascending: bool = True) -> Series:
        """Return the number of every row in its group, from 0; from the end with ``ascending=False``."""
        if not ascending:
            ones = _cuprum.DataFrame(
                ["one"], [Column.from_scalar(1, len(self._frame))], self._frame._handle.index()
            )
            keys = list(zip(self._keys, self._key_columns, strict=True))
            sizes = _cuprum.GroupBy(ones, keys, False, True, False).transform("one", "size")
            return wrap_series(sizes.rename(None)) - 1 - self.cumcount()
        places, first = self._places()
        return places - first

    def nth(self, n: int) -> Any:
        """Return row ``n`` of every group that has so many, in the order of the rows."""
        if not isinstance(n, int):
            raise NotImplementedError("nth takes one number")
        kept = self.cumcount() == n if n >= 0 else self.cumcount(ascending=False) == -n - 1
        inside = wrap_series(self._handle.ngroup()) >= 0
        return self._part(wrap_frame(self._frame._handle.filter((kept & inside)._handle.column())))

    def apply(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """Fail: functions are not called for every group; `agg` and `transform` take names."""
        raise NotImplementedError(
            "apply does not call functions for every group; use agg or transform with the name of an aggregation, "
            "or iterate over the groups"
        )

    def pipe(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Return ``func(self, *args, **kwargs)``."""
        return func(self, *args, **kwargs)


class DataFrameGroupBy(_GroupBy):
    """The rows of a frame in groups; see `DataFrame.groupby`.

    ``g["a"]`` and ``g[["a", "b"]]`` choose the columns that are aggregated.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<cuprum.DataFrameGroupBy: {self.ngroups} groups by {self._keys}>"

    def _columns(self) -> list[Any]:
        return self._handle.value_labels() if self._selection is None else self._selection

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
                self._handle, self._frame, self._keys, self._key_columns, labels, self._as_index, self._listed
            )
        label = plain_label(key)
        self._check(label)
        return SeriesGroupBy(
            self._handle,
            self._frame,
            self._keys,
            self._key_columns,
            label,
            self._as_index,
            self._listed,
            label,
        )

    def _check(self, label: Any) -> None:
        if not self._frame._handle.contains(label):
            self._frame._handle.column(label)  # raises KeyError, naming the closest

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self._frame._handle.contains(name):
            return self[name]
        raise AttributeError(f"'DataFrameGroupBy' object has no attribute '{name}'")

    def _all(self, function: str, numeric_only: bool = False, parameter: float | None = None) -> DataFrame:
        columns = self._columns()
        if numeric_only:
            columns = [c for c in columns if self._frame._handle.column(c).dtype().kind in "iufb"]
        requests = [(label, label, function, parameter) for label in columns]
        try:
            return wrap_frame(self._handle.aggregate(requests))
        except NotImplementedError as error:
            raise TypeError(str(error)) from None

    def _part(self, table: DataFrame) -> DataFrame:
        return table if self._selection is None else table[self._selection]

    def quantile(
        self, q: float = 0.5, interpolation: str = "linear", numeric_only: bool = False
    ) -> DataFrame:
        """Return the value below which a share ``q`` of every group lies, interpolated between neighbours."""
        only_default("quantile", interpolation=(interpolation, "linear"))
        if is_list_like(q):
            raise NotImplementedError("quantile of groups takes one `q`: ask for each")
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
        >>> g = frame.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]}).groupby("k", as_index=False)
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
                requests.append((label, *_request(pair[0], pair[1])))
            return self._aggregate(requests)
        ddof, q = kwargs.pop("ddof", None), kwargs.pop("q", None)
        only_default(
            "agg", **{name: (value, None) for name, value in kwargs.items() if name != "numeric_only"}
        )
        parameter = ddof if q is None else q
        if isinstance(func, Mapping):
            for label in func:
                self._check(label)
            if any(is_list_like(f) for f in func.values()):
                requests = [
                    (_joined(label, function_label(f)), *_request(label, f))
                    for label, functions in func.items()
                    for f in (functions if is_list_like(functions) else [functions])
                ]
            else:
                requests = [(label, *_request(label, f)) for label, f in func.items()]
            return self._aggregate(requests)
        if is_list_like(func):
            requests = [
                (_joined(label, function_label(f)), *_request(label, f))
                for label in self._columns()
                for f in func
            ]
            return self._aggregate(requests)
        name = function_name(func)
        if name == "size":
            return self.size()
        parameter = function_parameter(func) if parameter is None else parameter
        return self._all(name, kwargs.get("numeric_only", False), parameter)

    aggregate = agg

    def _aggregate(self, requests: list[tuple[Any, Any, str, float | None]]) -> DataFrame:
        try:
            return wrap_frame(self._handle.aggregate(requests))
        except NotImplementedError as error:
            raise TypeError(str(error)) from None

    def transform(self, func: Any, *args: Any, **kwargs: Any) -> DataFrame:
        """Return for every row its group's value of a named aggregation, column by column."""
        name = function_name(func)
        parts = [self._handle.transform(label, name) for label in self._columns()]
        columns = [part.column() for part in parts]
        return wrap_frame(_cuprum.DataFrame(self._columns(), columns, self._frame._handle.index()))


def _request(column: Any, function: Any) -> tuple[Any, str, float | None]:
    return plain_label(column), function_name(function), function_parameter(function)


def _joined(label: Any, name: str) -> tuple[Any, ...]:
    return (*label, name) if isinstance(label, tuple) else (label, name)


class SeriesGroupBy(_GroupBy):
    """The elements of one column in groups."""

    __slots__ = ("_name",)

    def __init__(
        self,
        handle: Any,
        target: DataFrame,
        keys: list[Any],
        key_columns: list[Column],
        selection: Any,
        as_index: bool,
        listed: bool,
        name: Any,
    ) -> None:
        super().__init__(handle, target, keys, key_columns, selection, as_index, listed)
        self._name = name

    def __repr__(self) -> str:
        return f"<cuprum.SeriesGroupBy: {self.ngroups} groups of {self._name!r} by {self._keys}>"

    def _all(self, function: str, numeric_only: bool = False, parameter: float | None = None) -> Any:
        label = self._selection
        try:
            table = self._handle.aggregate([(label, label, function, parameter)])
        except NotImplementedError as error:
            raise TypeError(str(error)) from None
        if not self._as_index:
            return wrap_frame(table)
        return wrap_series(table.column_at(0).rename(self._name))

    def _part(self, table: DataFrame) -> Series:
        return wrap_series(table._handle.column(self._selection).rename(self._name))

    def quantile(self, q: Any = 0.5, interpolation: str = "linear", numeric_only: bool = False) -> Any:
        """Return the value below which a share ``q`` of every group lies, interpolated between neighbours.

        Several shares make a second level of the row labels.
        """
        only_default("quantile", interpolation=(interpolation, "linear"))
        if not is_list_like(q):
            return self._all("quantile", False, float(q))
        if not self._as_index:
            raise NotImplementedError("quantile of groups takes one `q` unless as_index")
        shares = [float(x) for x in q]
        parts = [self._all("quantile", False, share)._handle for share in shares]
        stacked = _cuprum.concat_series(parts, False)
        index = stacked.index()
        share_column = Column.from_iterable_of_py(
            [s for s, p in zip(shares, parts, strict=True) for _ in range(len(p))]
        )
        levels = [index.column(i) for i in range(index.nlevels())]
        labels = _cuprum.Index.from_columns([*levels, share_column], [*index.names(), None])
        # Group by group, the shares in the order asked for.
        count = len(parts[0])
        order = [s * count + g for g in range(count) for s in range(len(shares))]
        rows = Column.from_iterable_of_py(order, "int64")
        return wrap_series(stacked.with_index(labels).take(rows).rename(self._name))

    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Return one named aggregation of every group, or a frame with a column for each of several.

        ``func`` is a name, a function that stands for one, or a list of them; keyword arguments name
        results: ``low="min"``. Other callables raise ``NotImplementedError``.
        """
        label = self._selection
        ddof, q = kwargs.pop("ddof", None), kwargs.pop("q", None)
        if func is None or isinstance(func, Mapping):
            named = kwargs if func is None else dict(func)
            if not named:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            if isinstance(func, Mapping):
                raise ValueError("nested renamer is not supported")
            requests = [(name, *_request(label, f)) for name, f in named.items()]
            return wrap_frame(self._handle.aggregate(requests))
        if is_list_like(func):
            requests = [(function_label(f), *_request(label, f)) for f in func]
            return wrap_frame(self._handle.aggregate(requests))
        name = function_name(func)
        if name == "size":
            return self.size()
        parameter = ddof if q is None else q
        return self._all(name, False, function_parameter(func) if parameter is None else parameter)

    aggregate = agg

    def size(self) -> Any:
        """Return the number of rows of every group."""
        sizes = wrap_series(self._handle.size()).rename(self._name)
        return sizes if self._as_index else sizes.reset_index(name="size")

    def transform(self, func: Any, *args: Any, **kwargs: Any) -> Series:
        """Return for every row its group's value of a named aggregation."""
        return wrap_series(self._handle.transform(self._selection, function_name(func)).rename(self._name))

    def unique(self) -> Any:
        """Fail: lists are no elements of a column yet."""
        raise NotImplementedError("unique of groups needs list columns; use drop_duplicates before grouping")

    def value_counts(
        self, normalize: bool = False, sort: bool = True, ascending: bool = False, dropna: bool = True
    ) -> Series:
        """Return how often each element occurs in every group, most frequent first."""
        only_default("value_counts", normalize=(normalize, False))
        keys = list(
            zip(
                [*self._keys, self._name],
                [*self._key_columns, self._frame._handle.column(self._selection).column()],
                strict=True,
            )
        )
        handle = _cuprum.GroupBy(self._frame._handle, keys, True, True, dropna)
        counts = wrap_series(handle.size()).rename("count")
        if not sort:
            return counts
        table = counts.to_frame("\0count")
        index = table._handle.index()
        levels = [f"\0{i}" for i in range(index.nlevels() - 1)]
        for i, name in enumerate(levels):
            table[name] = index.column(i)
        flags = [True] * len(levels) + [ascending]
        return wrap_series(
            table._handle.sort_values([*levels, "\0count"], flags, "last").column("\0count").rename("count")
        )
