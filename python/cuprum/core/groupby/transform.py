"""`transform`: a value for every row, of what its group gives, by name and by functions of Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.construction import column_from
from cuprum.core.functions.results import column_of_results
from cuprum.core.functions.trace import NotTraced
from cuprum.core.groupby.agg import GroupAgg
from cuprum.core.groupby.aggregation import NAMES, labelled, request
from cuprum.core.groupby.calls import Aggregated, Rows
from cuprum.core.groupby.traced import TracedGroups
from cuprum.core.interop import to_numpy
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import AggFunc, AggFuncs

__all__ = ["FrameTransform", "GroupTransform", "SeriesTransform"]

# The methods whose results have a value for every row.
_FOR_ROWS = frozenset(
    ["cumsum", "cumprod", "cummax", "cummin", "cumcount", "ngroup", "shift", "diff", "pct_change", "rank"]
    + ["ffill", "bfill"]
)
# Those that have one for every group and are no aggregations of the engine's.
_FOR_GROUPS = frozenset(["idxmax", "idxmin", "skew", "kurt"])


class GroupTransform(GroupAgg[Aggregated, Rows]):
    """The parts that `transform` of frames and of series share."""

    __slots__ = ()

    def _result(self, handle: Any) -> Any:
        raise NotImplementedError

    def _transform(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of one function, or method by its name, for every row."""
        inputs = self._inputs()
        if isinstance(func, str):
            if func in _FOR_ROWS:
                return getattr(self, func)(*args, **kwargs)
            if func not in NAMES and not (func in _FOR_GROUPS and hasattr(type(self), func)):
                raise ValueError(f"{func!r} is not a valid function name for transform(name)")
            if func == "size" and not self._of_series():
                return self._spread(self._handle.size())
            if func not in NAMES or args or kwargs:
                return self._spread(self._without_keys(getattr(self, func)(*args, **kwargs)))
        elif not callable(func):
            raise TypeError(f"transform takes functions and their names, not {func!r}")
        elif args or not all(self._stands_for(func, label) for label in inputs):
            return self._by_calls(func, args, kwargs)
        else:
            return self._spread(self._by_name_of_each(func, kwargs))
        name, _ = request(func, (), {})
        columns = [self._handle.transform(label, name).column() for label in inputs]
        return self._beside(inputs, columns)

    def _by_name_of_each(self, func: Any, kwargs: dict[str, Any]) -> Any:
        """Return an aggregation of each column that a function stands for."""
        inputs = self._inputs()
        requests = [(label, label, func) for label in inputs]
        columns = self._results(requests, (), kwargs)
        handle = _cuprum.DataFrame(inputs, columns)
        return handle.with_labels(inputs, self._frame._handle.level_names())

    def _without_keys(self, result: Any) -> Any:
        """Return a handle of the values of groups, which may stand behind keys."""
        handle = result._handle
        if result.ndim == 2 and not self._as_index:
            handle = handle.select_positions(list(range(len(self._keys), handle.num_columns())))
        return handle

    def _beside(self, labels: list[Any], columns: list[Column]) -> Any:
        """Return columns of a value for every row as the selected ones."""
        frame = self._frame._handle
        result = _cuprum.DataFrame(labels, columns, frame.index())
        return self._result(result.with_labels(labels, frame.level_names()))

    def _spread(self, handle: Any) -> Any:
        """Return for every row the value of its group, missing for rows in none."""
        numbers = _cuprum.Series(self._handle.ngroup().column())
        inside = numbers.binary_scalar(0, "ge", False).column()
        handle = handle.take(numbers.where(inside, None, False).column())
        handle = handle.with_index(self._frame._handle.index())
        if isinstance(handle, _cuprum.Series):
            return wrap_series(handle.rename(self._name))
        return self._result(handle)

    def _by_calls(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a function of Python for the elements of each column in each group."""
        inputs = self._inputs()
        columns: list[Column | None] = [None] * len(inputs)
        scalars = [False] * len(inputs)
        try:
            at_once = TracedGroups(self)
            for number, label in enumerate(inputs):
                made = at_once.of_column(label, func, args, kwargs)
                columns[number], scalars[number] = at_once.elements(made), at_once.is_value(made)
        except NotTraced as why:
            rows, ends = self._rows_and_ends()
            order = self._places(rows)
            with self._watch(func, why):
                for number, label in enumerate(inputs):
                    if columns[number] is None:
                        series = self._frame._handle.column(label).take(rows)
                        series = series.rename(self._name if self._of_series() else label)
                        column, scalars[number] = self._transformed(func, series, ends, args, kwargs)
                        columns[number] = _cuprum.Series(column).take(order).column()
        every = [column for column in columns if column is not None]
        kinds = {column.dtype.kind for column in every}
        if all(scalars) and "f" in kinds and kinds <= set("iuf"):
            # One row of values has one type.
            every = [_cuprum.Series(column).astype("float64").column() for column in every]
        return self._beside(inputs, every)

    def _places(self, rows: Column) -> Column:
        """Return where each row of the frame is in the order of groups; missing where it is in none."""
        import numpy as np

        positions = to_numpy(rows).astype("int64")
        places = np.full(len(self._frame), -1, dtype="int64")
        places[positions] = np.arange(len(positions))
        series = _cuprum.Series(column_from(places))
        if len(positions) == len(places):
            return series.column()
        inside = series.binary_scalar(0, "ge", False).column()
        return series.where(inside, None, False).column()

    def _transformed(
        self,
        func: Any,
        series: Any,
        ends: list[tuple[int, int]],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> tuple[Column, bool]:
        """Return the result of a function for the elements of a column, group after group.

        Also whether it was one value for each group.
        """
        import numpy as np

        pieces = self._pieces(series, ends, self._of_series())
        called = [(key, piece) for key, piece in pieces if len(piece)]
        values = self._called(func, iter(called), args, kwargs)
        if not values:
            return (series if len(series) else series.slice(0, 0)).column(), False
        if not any(is_list_like(value) for value in values):
            counts = [length for _, length in ends if length]
            column = column_of_results(values)
            return column_repeated(column, np.array(counts)), True
        parts = [
            _cuprum.Series(_as_long(value, piece)) for value, (_, piece) in zip(values, called, strict=True)
        ]
        try:
            return _cuprum.concat_series(parts, True).column(), False
        except TypeError:  # of several types: as Python's values
            return column_of_results([x for part in parts for x in wrap_series(part).to_list()]), False


def column_repeated(column: Column, counts: Any) -> Column:
    """Return each element of a column so many times."""
    import numpy as np

    positions = np.repeat(np.arange(len(column), dtype="int64"), counts)
    return _cuprum.Series(column).take(column_from(positions)).column()


def _as_long(value: Any, piece: Any) -> Column:
    """Return what a function gave for a group as a column with an element for each of its rows."""
    if isinstance(value, objects.DataFrame):
        raise ValueError("transform must return one column for each, not a DataFrame")
    if isinstance(value, objects.Series):
        handle, index = value._handle, piece._handle.index()
        return (handle if handle.index().equals(index) else handle.reindex(index)).column()
    if not is_list_like(value):
        return Column.filled(value, len(piece))
    column = column_from(value)
    if len(column) != len(piece):
        raise ValueError(f"Length of values ({len(column)}) does not match length of index ({len(piece)})")
    return column


class SeriesTransform(GroupTransform[Aggregated, "Series"]):
    """`transform` of groups of a series."""

    __slots__ = ()

    def transform(self, func: AggFunc, *args: Any, **kwargs: Any) -> Series:
        """Return the result of a function of the group, in each of its rows.

        Parameters
        ----------
        func : str or callable
            The name of an aggregation or of a method for rows (``"cumsum"``, ``"rank"``, ``"shift"``); or a
            function of the elements of a group, a Series whose ``name`` is the key, that returns one value or
            one for each element, a Series matched by label.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        Series
            An element for each row, under the row labels of the grouped series and in its order; missing for
            rows in no group.

        Raises
        ------
        NotImplementedError
            If ``func`` is a list.
        ValueError
            If the name is no such method, or a function returns another number of values.

        Notes
        -----
        A function that cannot be computed for all groups at once is called for each group; a
        `PerformanceWarning` says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 2, 5], index=["x", "x", "y"]).groupby(level=0)
        >>> groups.transform("max")
        x    2
        x    2
        y    5
        dtype: int64
        >>> groups.transform(lambda elements: elements - elements.mean())
        x   -0.5
        x    0.5
        y    0.0
        dtype: float64
        """
        if isinstance(func, list):
            raise NotImplementedError("transform of a series takes one `func`, not a list")
        return self._transform(func, args, kwargs)


class FrameTransform(GroupTransform["DataFrame", "DataFrame"]):
    """`transform` of groups of a frame."""

    __slots__ = ()

    def transform(self, func: AggFunc | AggFuncs | None = None, *args: Any, **kwargs: Any) -> DataFrame:
        """Return the result of a function of the group, in each of its rows, column by column.

        Parameters
        ----------
        func : str, callable, list or dict, optional
            The name of an aggregation or of a method for rows (``"cumsum"``, ``"rank"``, ``"shift"``); a
            function of the elements of a column in a group, a Series, that returns one value or one for each
            element; a list of them for each column; or a dict of labels of results and one, of the column of
            that label or of a pair ``(column, function)``.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``; without it named results, as ``total=("v", "sum")``.

        Returns
        -------
        DataFrame
            The row labels and the order of the grouped frame, without the keys; missing for rows in no group.
            Of a list the names of functions are a second level of column labels.

        Raises
        ------
        NotImplementedError
            If a dict has lists.
        ValueError
            If the name is no such method, or a function returns another number of values.

        Notes
        -----
        A function that cannot be computed for all groups at once is called for each group; a
        `PerformanceWarning` says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> df.groupby("k").transform("sum")
           v
        0  4
        1  2
        2  4
        >>> df.groupby("k").transform({"total": ("v", "sum"), "v": "min"})
           total  v
        0      4  1
        1      2  2
        2      4  1
        """
        if func is None:
            if not kwargs:
                raise TypeError("Must provide 'func' or tuples of '(column, function)'.")
            return self._by_label(kwargs, (), {})
        if isinstance(func, Mapping):
            if any(is_list_like(f) and not isinstance(f, tuple) for f in func.values()):
                raise NotImplementedError("transform takes no dict of lists as `func`")
            return self._by_label(func, args, kwargs)
        if is_list_like(func):
            pairs = labelled(func)
            results = [
                (
                    (*(label if isinstance(label, tuple) else (label,)), name),
                    self._one_column(label).transform(f, *args, **kwargs),
                )
                for label in self._inputs()
                for name, f in pairs
            ]
            names = [*(self._frame._handle.level_names() or [None]), None]
            return self._beside_each_other(results, names)
        return self._transform(func, args, kwargs)

    def __getitem__(self, key: Any) -> Any:
        raise NotImplementedError

    def _by_label(self, func: Mapping[Any, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        results = []
        for label, f in func.items():
            column, f = f if isinstance(f, tuple) else (label, f)
            results.append((plain_label(label), self[column].transform(f, *args, **kwargs)))
        return self._beside_each_other(results, None)

    def _beside_each_other(self, results: list[tuple[Any, Any]], names: list[Any] | None) -> Any:
        labels = [label for label, _ in results]
        columns = [result._handle.column() for _, result in results]
        handle = _cuprum.DataFrame(labels, columns, self._frame._handle.index())
        return wrap_frame(handle if names is None else handle.with_labels(labels, names))
