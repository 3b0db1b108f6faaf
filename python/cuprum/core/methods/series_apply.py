"""Function application on series: agg, apply, transform, map."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core import functions, objects
from cuprum.core.accessors.categorical import mapped_categories
from cuprum.core.arguments import axis_number, is_list_like, plain_label
from cuprum.core.construction import cast_column
from cuprum.core.function_results import rows_of, together
from cuprum.core.functions.results import column_of_values, look_up, mapping_series
from cuprum.core.groupby.aggregation import (
    check_distinct,
    function_label,
    is_named,
    passes_missing,
    refuse_nested,
)
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_series
from cuprum.core.reshape.concat import concat
from cuprum.core.slow_calls import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AggFunc,
        AggFuncs,
        ByRow,
        NaAction,
        OneLabel,
        RowAxis,
        Scalar,
    )


@overload
def series_agg(self: Series, func: AggFunc, axis: RowAxis = ..., *args: Any, **kwargs: Any) -> Scalar: ...
@overload
def series_agg(
    self: Series, func: AggFuncs | None = ..., axis: RowAxis = ..., *args: Any, **kwargs: Any
) -> Series: ...
def series_agg(self: Series, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
    """Return the result of one or several aggregations for the Series.

    Parameters
    ----------
    func : str, callable, list or dict, optional
        The name of a method, or a function that is called with the Series; a list of them; or a dict of
        labels and functions. NumPy's functions and Python's ``sum``, ``min``, ``max`` and ``len`` run as the
        aggregations that they stand for.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    *args : optional
        Arguments of the function.
    **kwargs : optional
        Keywords of the function. Without ``func`` pairs ``label=function``.

    Returns
    -------
    scalar or Series
        A scalar of one function; a Series of several, labelled by the names of functions or the labels given.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 5])
    >>> s.agg("sum")
    np.int64(8)
    >>> s.agg(["sum", lambda s: s.max() - s.min()])
    sum         8
    <lambda>    4
    dtype: int64
    >>> s.agg(low="min", high="max")
    low     1
    high    5
    dtype: int64
    """
    axis_number(axis, "Series")
    if func is None:
        if not kwargs:
            raise TypeError("Must provide 'func' or named aggregation **kwargs.")
        func, kwargs = kwargs, {}
    several = func.values() if isinstance(func, Mapping) else func if is_list_like(func) else [func]
    if all(self._is_aggregation(f) for f in several) and several:
        return self._agg_by_name(func, axis, args, kwargs)
    if isinstance(func, Mapping):
        refuse_nested(func, of_series=True)
        if args or kwargs:
            raise TypeError(f"agg of a dict takes no other arguments: {[*args, *kwargs]}")
        found = {label: self._one(f, args, kwargs) for label, f in func.items()}
        return together(self, list(found), list(found.values()), 0)
    if is_list_like(func):
        labels = [function_label(f) for f in func]
        return together(self, labels, [self._one(f, args, kwargs) for f in func], 1)
    return self._one(func, args, kwargs)


def series_has_missing(self: Series) -> bool:
    """Whether an element is missing."""
    return self.hasnans


def one(self: Series, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the result of one function for the series."""
    if self._is_aggregation(func):
        return self._agg_by_name(func, 0, args, dict(kwargs))
    if isinstance(func, str):
        return self._method(func, args, kwargs)
    if not callable(func):
        raise TypeError(f"{plain_label(func)!r} is not the name of an aggregation")
    if passes_missing(func) and is_named(func) and not args and not kwargs:
        return self._agg_by_name(func, 0, (), {"skipna": False})
    return func(self, *args, **kwargs)


@overload
def series_apply(
    self: Series, func: AggFuncs, args: tuple[Any, ...] = ..., *, by_row: ByRow = ..., **kwargs: Any
) -> DataFrame: ...
@overload
def series_apply(
    self: Series,
    func: str | Callable[..., OneLabel],
    args: tuple[Any, ...] = ...,
    *,
    by_row: ByRow = ...,
    **kwargs: Any,
) -> Series: ...
@overload
def series_apply(
    self: Series,
    func: Callable[..., Series],
    args: tuple[Any, ...] = ...,
    *,
    by_row: ByRow = ...,
    **kwargs: Any,
) -> DataFrame: ...
@overload
def series_apply(
    self: Series, func: Callable[..., Any], args: tuple[Any, ...] = ..., *, by_row: ByRow = ..., **kwargs: Any
) -> Series: ...
def series_apply(
    self: Series, func: Any, args: tuple[Any, ...] = (), *, by_row: Any = "compat", **kwargs: Any
) -> Any:
    """Return the results of a function of each element, of a method by its name, or of several.

    Parameters
    ----------
    func : callable, str, list or dict
        A function of an element; or the name of a method, a list or a dict, as in `agg`, each called with
        elements if it can be.
    args : tuple, default ()
        Arguments of the function after the element.
    by_row : ``'compat'`` or False, default ``'compat'``
        With False the function is called with the Series.
    **kwargs : optional
        Keywords of the function.

    Returns
    -------
    Series, DataFrame or scalar
        A Series under the same labels; Series as results become the rows of a frame, lists the elements of a
        Series.

    Notes
    -----
    A function becomes one formula where it can, see `map`.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 5]).apply(lambda x, factor: x * factor, args=(2,))
    0     2
    1    10
    dtype: int64
    >>> cuprum.Series([1, 5]).apply(lambda s: s.max(), by_row=False)
    np.int64(5)
    """
    if by_row not in ("compat", False):
        raise ValueError(f"by_row={by_row} not allowed")
    args = tuple(args)
    if isinstance(func, Mapping):
        refuse_nested(func)
        found = [self._compatible(f, args, kwargs, by_row) for f in func.values()]
        return together(self, list(func), found, 0)
    if is_list_like(func):
        found = [self._compatible(f, args, kwargs, by_row) for f in func]
        return together(self, [function_label(f) for f in func], found, 1)
    if isinstance(func, str):
        return self._one(func, args, kwargs)
    if type(func).__name__ == "ufunc" or (by_row is False and callable(func)):
        return func(self, *args, **kwargs)
    if not callable(func):
        raise TypeError(f"apply takes functions and their names, not {func!r}")
    return self._by_element(func, args, kwargs, None)


def compatible(self: Series, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], by_row: Any) -> Any:
    """Return the result of one of several functions: for each element, or for the series if it takes none."""
    if isinstance(func, str) or is_named(func) or not by_row:
        return self._one(func, args, kwargs)
    return self._elements_or_all(func, args, kwargs, (ValueError, AttributeError, TypeError))


def elements_or_all(
    self: Series,
    func: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    errors: tuple[type[Exception], ...],
) -> Any:
    """Return the result of a function for each element; for the series where elements raise one of ``errors``."""
    if type(func).__name__ == "ufunc":
        return func(self, *args, **kwargs)
    try:
        return self._by_element(func, args, kwargs, None)
    except Warning:
        raise
    except errors:
        return func(self, *args, **kwargs)


@overload
def series_transform(
    self: Series, func: AggFunc, axis: RowAxis = ..., *args: Any, **kwargs: Any
) -> Series: ...
@overload
def series_transform(
    self: Series, func: AggFuncs, axis: RowAxis = ..., *args: Any, **kwargs: Any
) -> DataFrame: ...
def series_transform(self: Series, func: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
    """Return the result of a function of the Series, with the same rows.

    Parameters
    ----------
    func : str, callable, list or dict
        The name of a method, a function of each element, or of the Series if it takes no elements; a list, or
        a dict of labels and functions.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    *args : optional
        Arguments of the function.
    **kwargs : optional
        Keywords of the function.

    Returns
    -------
    Series or DataFrame
        The same row labels; a DataFrame with a column for each of several functions.

    Raises
    ------
    ValueError
        For results of other rows, and where a function fails.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 6])
    >>> s.transform(lambda x: x - x.mean())
    0   -2.0
    1   -1.0
    2    3.0
    dtype: float64
    >>> s.transform(["cumsum", "abs"])
       cumsum  abs
    0       1    1
    1       3    2
    2       9    6
    """
    axis_number(axis, "Series")
    if is_list_like(func) and not isinstance(func, Mapping):
        check_distinct(list(func))
        func = {function_label(f): f for f in func}
    if isinstance(func, Mapping):
        if not func:
            raise ValueError("No transform functions were provided")
        refuse_nested(func)
        found = [self.transform(f, 0, *args, **kwargs) for f in func.values()]
        return concat(found, axis=1, keys=list(func))
    if isinstance(func, str):
        return self._transformed(lambda: self._method(func, args, kwargs))
    if not callable(func):
        raise TypeError(f"transform takes functions and their names, not {func!r}")
    this: Any = self._snapshot()  # what the function changes is not changed here
    return self._transformed(lambda: this._elements_or_all(func, args, kwargs, (Exception,)))


def series_map(
    self: Series,
    func: Callable[..., Any] | Mapping[Any, Any] | Series | str | None = None,
    na_action: NaAction | None = None,
    engine: Any = None,
    **kwargs: Any,
) -> Series:
    """Return for every element what a dict or a Series has under it, or what a function returns for it.

    Parameters
    ----------
    func : callable, dict or Series, optional
        A function of one element, or where elements are looked up: the keys of a dict, the row labels of a
        Series.
    na_action : ``'ignore'``, optional
        With ``'ignore'`` missing elements stay missing; they are neither looked up nor handed to a function.
    engine : None, default None
        Other engines raise ``NotImplementedError``.
    **kwargs : optional
        Keywords of the function; refused with a dict or a Series.

    Returns
    -------
    Series
        The same labels. Missing where a dict or a Series has nothing; a dict that makes values for other keys
        (``collections.defaultdict``) is asked for them.

    Notes
    -----
    A function of numbers and texts, of operators, branches, the methods of texts and the functions of
    ``math`` and NumPy becomes one formula, with the results that calling it for every element would have.
    What no formula can have, and what would show a difference (integers beyond 64 bits, errors), has it
    called for every element; where that takes long, a `PerformanceWarning` names it.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 5, 12])
    >>> s.map(lambda x: "few" if x < 10 else "many")
    0     few
    1     few
    2    many
    dtype: str
    >>> s.map({1: "one", 5: "five"})
    0     one
    1    five
    2     NaN
    dtype: str
    """
    if engine is not None:
        raise NotImplementedError(f"map does not support `engine`={engine!r}; leave it at None")
    if na_action not in (None, "ignore"):
        raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
    func = objects.ours(func)
    if kwargs and (isinstance(func, (Mapping, objects.Series)) or not callable(func)):
        raise TypeError(f"map hands {[*kwargs]} to functions, and looks up in what is none")
    if isinstance(func, Mapping):
        if hasattr(type(func), "__missing__") or any(isinstance(key, tuple) for key in func):
            return self._by_element(look_up(func), (), {}, na_action, warns=False)
        func = mapping_series(func, self.dtype)
    if callable(func) and not isinstance(func, objects.Series):
        return self._by_element(func, (), kwargs, na_action)
    if not isinstance(func, objects.Series):
        raise TypeError(f"map takes a function, a dict or a Series, not a {type(func).__name__}")
    column = self._handle.column()
    if column.categories() is not None:
        mapped = mapped_categories(column, func, na_action)
        if mapped is not None:
            return wrap_series(_cuprum.Series(mapped, self._handle.name(), self._handle.index()))
    return wrap_series(self._handle.map(func._handle, na_action == "ignore"))


def by_element(
    self: Series,
    func: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    na_action: Any,
    warns: bool = True,
    watch: Watch | None = None,
) -> Any:
    """Return the results of a function of each element; with ``na_action='ignore'`` not of missing ones."""
    if not len(self):
        return self.copy()
    column, label_of = self._handle.column(), self._handle.index().label
    if (known := column.categories()) is not None:
        mapped = mapped_categories(column, lambda element: func(element, *args, **kwargs), na_action)
        if mapped is not None:
            return wrap_series(_cuprum.Series(mapped, self._handle.name(), self._handle.index()))
        column = cast_column(column, known[0].dtype)
    skips = na_action == "ignore" and self.hasnans
    try:
        results = functions.formula_of_elements(func, column, args, kwargs, skips)
    except functions.NotTraced as why:
        made = self.to_list()
        rows = [row for row, x in enumerate(made) if not is_missing(x)] if skips else range(len(made))
        elements = [made[row] for row in rows] if skips else made
        # Nothing else than a function can be done with objects.
        warns = warns and not column.is_of_objects()
        with functions.watch_of_elements(func, why, watch) if warns else nullcontext():
            found = functions.called(func, elements, args, kwargs, lambda at: label_of(rows[at]))
        if not skips:
            made = found
        for row, result in zip(rows, found, strict=True) if skips else ():
            made[row] = result
        if isinstance(made[0], objects.Series):
            return rows_of(made, self._handle.index(), sort=False)
        results = column_of_values(made)
    return wrap_series(_cuprum.Series(results, self._handle.name(), self._handle.index()))
