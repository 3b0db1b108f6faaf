"""Function application on frames: agg, apply, transform, map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import functions, objects
from cuprum.core.arguments import axis_number, is_list_like, plain_label
from cuprum.core.function_results import as_method, rows_of, together
from cuprum.core.functions.results import column_of_values
from cuprum.core.groupby.aggregation import check_distinct, is_named, refuse_nested
from cuprum.core.label_positions import places_of
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.concat import concat
from cuprum.core.slow_calls import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AggFunc,
        AggFuncs,
        Axis,
        NaAction,
        OneLabel,
        ResultType,
    )


@overload
def frame_agg(
    self: DataFrame, func: AggFunc | Mapping[Any, AggFunc], axis: Axis = ..., *args: Any, **kwargs: Any
) -> Series: ...
@overload
def frame_agg(
    self: DataFrame, func: AggFuncs | None = ..., axis: Axis = ..., *args: Any, **kwargs: Any
) -> DataFrame: ...
def frame_agg(self: DataFrame, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
    """Return the result of one or several aggregations for every column.

    Parameters
    ----------
    func : str, callable, list or dict, optional
        The name of a method, or a function that is called with every column as a Series; a list of them; or a
        dict of columns and what is wanted of each. NumPy's functions and Python's ``sum``, ``min``, ``max``
        and ``len`` run as the aggregations that they stand for.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 aggregates columns, 1 rows.
    *args : optional
        Arguments of the function.
    **kwargs : optional
        Keywords of the function. Without ``func`` pairs ``name=(column, function)``.

    Returns
    -------
    Series, DataFrame or scalar
        A Series of one function, labelled by the columns; a DataFrame of several, with a row for each.
        Without ``func`` a row for each name, missing in the other columns.

    Raises
    ------
    TypeError
        Without ``func`` and pairs, and for arguments beside a dict.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 5]})
    >>> df.agg("sum")
    a    3
    b    8
    dtype: int64
    >>> df.agg(["sum", lambda s: s.max() - s.min()])
              a  b
    sum       3  8
    <lambda>  1  2
    >>> df.agg(low=("a", "min"), high=("b", "max"))
             a     b
    low      1  <NA>
    high  <NA>     5
    """
    if func is None:
        if axis_number(axis) == 1:
            raise NotImplementedError("Named aggregation is not supported when axis=1.")
        pairs = [pair[1] if isinstance(pair, tuple) and len(pair) == 2 else "sum" for pair in kwargs.values()]
        if all(self._is_aggregation(f) for f in pairs):
            return self._agg_by_name(None, axis, args, kwargs)
        found = {name: self[pair[0]]._one(pair[1], (), {}) for name, pair in kwargs.items()}
        columns: dict[Any, dict[Any, Any]] = {}
        for name, pair in kwargs.items():
            columns.setdefault(pair[0], {})[name] = found[name]
        return objects.DataFrame(
            {label: objects.Series(part).reindex(list(found)) for label, part in columns.items()}
        )
    if axis_number(axis) == 1 and (isinstance(func, Mapping) or is_list_like(func)):
        return self.T.agg(func, 0, *args, **kwargs).T
    if isinstance(func, Mapping):
        refuse_nested(func)
    parts = func.values() if isinstance(func, Mapping) else [func]
    several = [f for part in parts for f in (part if is_list_like(part) else [part])]
    if is_list_like(func) and not isinstance(func, Mapping):
        check_distinct(list(func))
    if all(self._is_aggregation(f) for f in several):
        return self._agg_by_name(func, axis, args, kwargs)
    if isinstance(func, Mapping):
        if args or kwargs:
            raise TypeError(f"agg of a dict takes no other arguments: {[*args, *kwargs]}")
        lists = any(is_list_like(f) for f in func.values())
        requests = _of_columns(self, func)
        results = [column.agg([f] if lists and not is_list_like(f) else f) for _, column, f in requests]
        return together(self, [label for label, _, _ in requests], results, 1)
    if is_list_like(func):
        return together(
            self,
            self._handle.labels(),
            [column.agg(func, 0, *args, **kwargs) for _, column in self.items()],
            1,
        )
    if isinstance(func, str):
        if axis_number(axis) == 1:
            kwargs = {**kwargs, "axis": 1}
        return self._method(func, args, kwargs)
    return self.apply(func, axis, args=args, **kwargs)


@overload
def frame_apply(
    self: DataFrame,
    func: Any,
    axis: Axis = ...,
    raw: bool = ...,
    *,
    result_type: Literal["expand", "broadcast"],
    **kwargs: Any,
) -> DataFrame: ...
@overload
def frame_apply(
    self: DataFrame,
    func: np.ufunc | AggFuncs,
    axis: Axis = ...,
    raw: bool = ...,
    result_type: ResultType | None = ...,
    **kwargs: Any,
) -> DataFrame: ...
@overload
def frame_apply(
    self: DataFrame,
    func: str | Callable[..., OneLabel],
    axis: Axis = ...,
    raw: bool = ...,
    result_type: ResultType | None = ...,
    **kwargs: Any,
) -> Series: ...
@overload
def frame_apply(
    self: DataFrame,
    func: Callable[..., Series],
    axis: Axis = ...,
    raw: bool = ...,
    result_type: ResultType | None = ...,
    **kwargs: Any,
) -> DataFrame: ...
@overload
def frame_apply(
    self: DataFrame,
    func: Callable[..., Any],
    axis: Axis = ...,
    raw: bool = ...,
    result_type: ResultType | None = ...,
    **kwargs: Any,
) -> Series: ...
def frame_apply(
    self: DataFrame,
    func: Any,
    axis: Any = 0,
    raw: bool = False,
    result_type: str | None = None,
    args: tuple[Any, ...] = (),
    by_row: Any = "compat",
    engine: Any = None,
    engine_kwargs: Any = None,
    **kwargs: Any,
) -> Any:
    """Return the results of a function of columns or rows, of a method by its name, or of several.

    Parameters
    ----------
    func : callable, str, list or dict
        A function of a column or row as a Series; or the name of a method, a list or a dict, as in `agg`.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 calls the function with columns, 1 with rows.
    raw : bool, default False
        Call the function with NumPy arrays.
    result_type : ``'expand'``, ``'broadcast'`` or ``'reduce'``, optional
        The handling of lists: ``'expand'`` makes columns of them, ``'broadcast'`` gives results the labels of
        the frame, ``'reduce'`` makes a Series of them.
    args : tuple, default ()
        Arguments of the function after the Series.
    by_row : ``'compat'`` or False, default ``'compat'``
        With False functions in lists and dicts are called with columns, not with elements.
    engine : ``'python'``, optional
        Other engines raise ``NotImplementedError``.
    engine_kwargs : None, default None
        Has to be None.
    **kwargs : optional
        Keywords of the function.

    Returns
    -------
    Series or DataFrame
        A Series where results are values; a DataFrame where they are Series, whose labels are columns with
        ``axis=1`` and rows else. Lists as results for rows are elements of a Series.

    Notes
    -----
    A function of rows that asks for elements by their labels (``row["a"]``) becomes one formula where it
    consists of numbers and texts, operators, branches, the methods of texts and the functions of ``math`` and
    NumPy. Else it is called for every row; where that takes long, a `PerformanceWarning` names what a formula
    cannot have.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 5]})
    >>> df.apply(lambda column: column.max() - column.min())
    a    1
    b    2
    dtype: int64
    >>> df.apply(lambda row: row["a"] * row["b"], axis=1)
    0     3
    1    10
    dtype: int64
    >>> df.apply(lambda row: [row["a"], row["b"]], axis=1, result_type="expand")
       0  1
    0  1  3
    1  2  5
    """
    if engine not in (None, "python") or engine_kwargs is not None:
        given = ("engine", engine) if engine not in (None, "python") else ("engine_kwargs", engine_kwargs)
        raise NotImplementedError(f"apply does not support `{given[0]}`={given[1]!r}; leave it at None")
    if result_type not in (None, "reduce", "broadcast", "expand"):
        raise ValueError(
            "invalid value for result_type, must be one of {None, 'reduce', 'broadcast', 'expand'}"
        )
    if by_row not in ("compat", False):
        raise ValueError(f"by_row={by_row} not allowed")
    of_rows = axis_number(axis) == 1
    args = tuple(args)
    if isinstance(func, Mapping):
        refuse_nested(func)
    if isinstance(func, Mapping) or is_list_like(func):
        if of_rows:
            return self.T.apply(func, 0, args=args, by_row=by_row, **kwargs).T
        requests = _of_columns(self, func)
        found = [
            column.apply(f, args, by_row=by_row, **kwargs)
            if is_list_like(f)
            else column._compatible(f, args, kwargs, by_row)
            for _, column, f in requests
        ]
        return together(self, [label for label, _, _ in requests], found, 1)
    if isinstance(func, str):
        return self.agg(func, axis, *args, **kwargs)
    if not callable(func):
        raise TypeError(f"apply takes functions and their names, not {func!r}")
    if type(func).__name__ == "ufunc":
        return func(self, *args, **kwargs)
    if result_type == "broadcast":
        return _broadcast(self, func, of_rows, args, kwargs)
    rows, columns = self.shape
    if not rows or not columns:
        return _of_nothing(self, func, of_rows, args, kwargs, result_type)
    if raw:
        import numpy as np

        def as_object(*values: Any, **named: Any) -> Any:
            result = func(*values, **named)
            # An array of texts has room for the length of the first one only.
            return np.array(result, dtype=object) if isinstance(result, str) else result

        array = np.apply_along_axis(as_object, int(of_rows), self.to_numpy(), *args, **kwargs)
        if array.ndim == 2:
            return objects.DataFrame(array, index=self.index, columns=self.columns)
        return objects.Series(array, index=self.index if of_rows else self.columns)
    if not args and not kwargs and result_type is None and is_named(func) and self._is_aggregation(func):
        return self._agg_by_name(func, axis, args, kwargs)
    if of_rows:
        return _by_row(self, func, args, kwargs, result_type)
    return self._by_column(func, args, kwargs, result_type)


def _of_columns(self: DataFrame, func: Any) -> list[tuple[Any, Any, Any]]:
    """Return labels, columns and what is wanted of each: by a dict, or the same of all."""
    if not isinstance(func, Mapping):
        return [(label, column, func) for label, column in self.items()]
    handle, requests = self._handle, []
    labels = handle.labels()
    for label, f in func.items():
        places = places_of(plain_label(label), labels)
        columns = [wrap_series(handle.column_at(at)) for at in places] or [self[label]]
        requests += [(label, column, f) for column in columns]
    return requests


def frame_has_missing(self: DataFrame) -> bool:
    """Whether an element is missing, NaN or not."""
    return any(wrap_series(self._handle.column_at(at)).hasnans for at in range(self.shape[1]))


def _by_row(
    self: DataFrame, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result_type: Any
) -> Any:
    """Return the results of a function of each row."""
    labels, index = self._handle.labels(), self._handle.index()
    columns = [self._handle.column_at(at).column() for at in range(len(labels))]
    try:
        column = functions.formula_of_rows(func, labels, columns, args, kwargs)
    except functions.NotTraced as why:
        rows = (row for _, row in self.iterrows())
        with functions.watch_of_elements(func, why):
            results = functions.called(as_method(func), rows, args, kwargs, index.label)
        first = results[0]
        if isinstance(first, objects.Series) and result_type != "reduce":
            return rows_of(results, index)
        if result_type == "expand" and is_list_like(first):
            if isinstance(first, (set, frozenset)):
                raise TypeError("'set' type is unordered") from None
            if isinstance(first, Mapping):
                return rows_of([objects.record(list(made), list(made.values())) for made in results], index)
            return rows_of([objects.record(list(range(len(made))), list(made)) for made in results], index)
        column = column_of_values(results)
    return wrap_series(_cuprum.Series(column, None, index))


def by_column(
    self: DataFrame, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result_type: Any
) -> Any:
    """Return the results of a function of each column, as a Series under their labels or side by side."""
    columns = self.columns
    pairs = ((label, column) for label, column in self.items())
    results = functions.called_for_each(as_method(func), pairs, args, kwargs, "in the column")
    first = results[0]
    if is_list_like(first) and result_type != "reduce" and not isinstance(first, Mapping):
        if isinstance(first, objects.Series):
            made = objects.DataFrame(dict(enumerate(results)))
        else:
            sizes = {len(result) for result in results}
            if len(sizes) > 1:
                return wrap_series(_cuprum.Series(column_of_values(results), None, columns._handle))
            made = objects.DataFrame({at: list(result) for at, result in enumerate(results)})
            if len(made) == len(self):
                made.index = self.index
        made.columns = columns
        return made
    if len({*map(type, results)}) > 1 or isinstance(first, _cuprum.DType):
        try:
            column = column_of_values(results)
        except TypeError:
            return objects.record(self._handle.labels(), results, None, self._handle.level_names())
        return wrap_series(_cuprum.Series(column, None, columns._handle))
    return wrap_series(_cuprum.Series(column_of_values(results), None, columns._handle))


def _broadcast(
    self: DataFrame, func: Any, of_rows: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return a frame of the same labels of what a function gives for each column or row."""
    this: Any = self.T if of_rows else self
    made = {}
    for at, (_, column) in enumerate(this.items()):
        result = func(column, *args, **kwargs)
        if is_list_like(result):
            result = list(result)
            if len(result) != len(column):
                raise ValueError("cannot broadcast result")
        made[at] = objects.Series(result, index=range(len(column)))
    frame = objects.DataFrame(made)
    frame.index, frame.columns = this.index, this.columns
    return frame.T if of_rows else frame


def _of_nothing(
    self: DataFrame, func: Any, of_rows: bool, args: tuple[Any, ...], kwargs: dict[str, Any], result_type: Any
) -> Any:
    """Return the result of `apply` for a frame without rows or columns."""
    if result_type == "expand":
        return self.copy()
    empty = objects.Series([], dtype="float64")
    if result_type != "reduce":
        probe = objects.Series(index=self.columns, dtype="float64") if of_rows else empty
        try:
            if isinstance(func(probe, *args, **kwargs), objects.Series):
                return self.copy()
        except Exception:
            return self.copy()
    labels = self.index if of_rows else self.columns
    result = func(empty, *args, **kwargs) if len(labels) else float("nan")
    return objects.Series(result, index=labels)


def frame_transform(self: DataFrame, func: Any, axis: Axis = 0, *args: Any, **kwargs: Any) -> DataFrame:
    """Return the result of a function of every column, with the same rows.

    Parameters
    ----------
    func : str, callable, list or dict
        The name of a method, or a function that is called with every column as a Series; a list of them, for
        a column for each pair; or a dict of columns and what is wanted of each.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 calls the function with columns, 1 with rows.
    *args : optional
        Arguments of the function.
    **kwargs : optional
        Keywords of the function.

    Returns
    -------
    DataFrame
        The same row labels; for a list columns with two levels.

    Raises
    ------
    ValueError
        For results of other rows, and where a function fails.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 5]})
    >>> df.transform(lambda column: column - column.min())
       a  b
    0  0  0
    1  1  2
    >>> df.transform({"a": "cumsum"})
       a
    0  1
    1  3
    """
    if axis_number(axis) == 1:
        return self.T.transform(func, 0, *args, **kwargs).T
    if is_list_like(func) and not isinstance(func, Mapping):
        check_distinct(list(func))
        func = list(func)
        found = [column.transform(func, 0, *args, **kwargs) for _, column in self.items()]
        return concat(found, axis=1, keys=self._handle.labels())
    if isinstance(func, Mapping):
        if not func:
            raise ValueError("No transform functions were provided")
        refuse_nested(func)
        absent = [label for label in func if not self._handle.contains(plain_label(label))]
        if absent:
            raise KeyError(f"Label(s) {absent} do not exist")
        lists = any(is_list_like(f) for f in func.values())
        requests = _of_columns(self, func)
        found = [
            column.transform([f] if lists and not is_list_like(f) else f, 0, *args, **kwargs)
            for _, column, f in requests
        ]
        return concat(found, axis=1, keys=[label for label, _, _ in requests])
    if isinstance(func, str):
        return self._transformed(lambda: self._method(func, args, kwargs))
    if not callable(func):
        raise TypeError(f"transform takes functions and their names, not {func!r}")

    def each_or_all() -> Any:
        try:
            return self.apply(func, args=args, **kwargs)
        except Exception:
            return func(self, *args, **kwargs)

    return self._transformed(each_or_all)


def frame_map(
    self: DataFrame, func: Callable[..., Any], na_action: NaAction | None = None, **kwargs: Any
) -> DataFrame:
    """Return the results of a function of each element.

    Parameters
    ----------
    func : callable
        A function of one element that returns one value.
    na_action : ``'ignore'``, optional
        With ``'ignore'`` missing elements stay missing and the function is not called with them.
    **kwargs : optional
        Keywords of the function.

    Returns
    -------
    DataFrame
        The same labels.

    See Also
    --------
    Series.map : When functions become formulas, and when they are called for every element.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 5]}).map(lambda x: x * 10)
        a   b
    0  10  30
    1  20  50
    >>> cuprum.DataFrame({"s": ["x", None]}).map(lambda x: x + "!", na_action="ignore")
         s
    0   x!
    1  NaN
    """
    if na_action not in (None, "ignore"):
        raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
    if not callable(func):
        raise TypeError(f"the first argument must be callable, not {func!r}")
    made, watch = [], Watch(func, "element")
    for at in range(self.shape[1]):
        column = wrap_series(self._handle.column_at(at))
        result = column._by_element(func, (), kwargs, na_action, watch=watch)
        if not isinstance(result, objects.Series):
            raise NotImplementedError("map takes functions that return one value, not a Series")
        made.append(result._handle.column())
    return wrap_frame(self._handle.with_columns(made))
