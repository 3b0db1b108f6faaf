"""The engine of `agg`: reductions by name."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    only_known,
    plain_label,
)
from cuprum.core.groupby.aggregation import (
    function_label,
    function_name,
    function_parameter,
    request,
)
from cuprum.core.label_positions import are_repeated, numbered, places_of
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series


def beside_each_other(self: DataFrame, together: Any, labels: list[Any], value_of: Any) -> Any:
    """Return a Series of values of columns; of objects where they have no common type."""
    try:
        return wrap_series(together())
    except TypeError:
        values: list[Any] = []
        if len({dtype.kind for dtype in self._handle.dtypes()}) > 1:
            with suppress(TypeError):
                values = [value_of(i) for i in range(len(labels))]
        if len(values) < len(labels):
            raise  # a column cannot be reduced; the error names it
    return objects.record(labels, values, None, self._handle.level_names())


def frame_agg_by_name(
    self: DataFrame, func: Any, axis: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return every column reduced by name: a Series; by several in a list or dict of lists: a frame.

    Names are those of the methods; see `Series.agg` for the functions that stand for them.
    """
    if func is None:
        return self._named(kwargs)
    labels = self._handle.labels()
    if axis_number(axis) == 0 and is_list_like(func) and are_repeated(labels):
        return _by_position(self, func, labels, args, kwargs)
    if axis_number(axis) == 1:
        if isinstance(func, Mapping) or is_list_like(func):
            raise NotImplementedError("agg of rows takes one aggregation: ask for each")
        name = function_name(func)
        if name == "size":
            _nothing_else(name, args, kwargs)
            return objects.Series([self.shape[1]] * len(self), index=self.index)
        if function_parameter(func) is not None:
            kwargs.setdefault("ddof", 0)
        return getattr(self, name)(*args, axis=1, **kwargs)
    if isinstance(func, Mapping):
        _nothing_else("agg of a dict", args, kwargs)  # pandas ignores them
        if not func:
            return objects.DataFrame()
        if any(is_list_like(f) for f in func.values()):
            columns = [
                (plain_label(label), _named(fs if is_list_like(fs) else [fs], (), {}))
                for label, fs in func.items()
            ]
            return self._several([(label, each) for label, each in columns if each], True)
        each = [(plain_label(label), *request(f, (), {})) for label, f in func.items()]
        return self._beside_each_other(
            lambda: self._handle.reduce_columns(each, True),
            [label for label, *_ in each],
            lambda i: wrap_series(self._handle.column(each[i][0]))._reduce(
                each[i][1], 0, True, False, each[i][2]
            ),
        )
    if is_list_like(func):
        if kwargs.pop("numeric_only", False):
            return wrap_frame(self._handle.numbers())._agg_by_name(func, axis, args, kwargs)
        skipna = bool(kwargs.pop("skipna", True))
        try:
            return self._several(_named(func, args, kwargs), skipna)
        except TypeError:
            made = objects.mixed_by_pandas(type(self).agg, (self, func, 0, *args), kwargs)
            if made is None:
                raise
            return made[0]
    name = function_name(func)
    if name in _PLAIN:
        _nothing_else(name, args, kwargs)
    _no_axis(name, args)
    if name == "size":
        return objects.Series([len(self)] * self.shape[1], index=self.columns)
    if name in ("first", "last"):
        return self._reduce(name, 0, True, False)
    if function_parameter(func) is not None:
        kwargs.setdefault("ddof", 0)
    return getattr(self, name)(*args, **kwargs)


def _by_position(
    self: DataFrame, func: Any, labels: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return several aggregations of columns whose labels repeat; those of a label in a dict are of all its columns."""
    if isinstance(func, Mapping):
        absent = [label for label in func if not self._handle.contains(plain_label(label))]
        if absent:
            raise KeyError(f"Label(s) {absent} do not exist")
        func = {at: f for label, f in func.items() for at in places_of(plain_label(label), labels)}
    made = wrap_frame(numbered(self._handle))._agg_by_name(func, 0, args, kwargs)
    if isinstance(made, objects.DataFrame):
        handle = made._handle
        found = [labels[at] for at in handle.labels()]
        return wrap_frame(handle.with_labels(found, self._handle.level_names()))
    found = [labels[at] for at in made.index.to_list()]
    return (
        objects.record(found, made.to_list())
        if isinstance(made, objects.SeriesOfObjects)
        else made.set_axis(objects.Index(found))
    )


def named(self: DataFrame, pairs: dict[str, Any]) -> DataFrame:
    """Return a row for each ``name=(column, aggregation)``, missing in the other columns."""
    if not pairs:
        raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
    requests = []
    for name, pair in pairs.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"`{name}` is {pair!r}; it must be a pair (column, aggregation)")
        requests.append((name, plain_label(pair[0]), *request(pair[1], (), {})))
    made = self._several(requests, True)
    made.columns = made.columns.set_names([None] * made.columns.nlevels)
    return made


def several(self: DataFrame, what: list[Any], skipna: bool) -> DataFrame:
    """Return a row for each name of aggregations."""
    return wrap_frame(self._handle.agg(what, skipna))


def series_agg_by_name(
    self: Series, func: Any, axis: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return one aggregation by name, or a Series of several in a list or dict (of labels and names).

    Names are those of the methods; NumPy's functions and Python's ``sum``, ``min``, ``max`` and
    ``len`` stand for theirs. Other callables raise ``NotImplementedError``.
    """
    axis_number(axis, "Series")
    if func is None:
        if not kwargs:
            raise TypeError("Must provide 'func' or named aggregation **kwargs.")
        func, kwargs = kwargs, {}
    if isinstance(func, Mapping):
        _nothing_else("agg of a dict", args, kwargs)  # pandas ignores them
        each = [(plain_label(label), *request(f, (), {})) for label, f in func.items()]
        return wrap_series(self._handle.agg(each, True))
    if is_list_like(func):
        skipna = bool(kwargs.pop("skipna", True))
        return wrap_series(self._handle.agg(_named(func, args, kwargs), skipna))
    name = function_name(func)
    if name in _PLAIN:
        _nothing_else(name, args, kwargs)
    if function_parameter(func) is not None:
        kwargs.setdefault("ddof", 0)
    _no_axis(name, args)
    if name in ("first", "last"):
        return self._reduce(name, 0, True, False)
    return len(self) if name == "size" else getattr(self, name)(*args, **kwargs)


# Aggregations that have no arguments.
_PLAIN = frozenset(["size", "first", "last"])


# Aggregations whose first argument is the axis, which `agg` has itself.
_AXIS_FIRST = frozenset(["sum", "prod", "min", "max", "mean", "median", "std", "var", "sem", "all"])


def _no_axis(name: str, args: tuple[Any, ...]) -> None:
    if args and name in _AXIS_FIRST:
        raise TypeError(f"{name}() takes no positional arguments in agg, but {len(args)} were given")


def _nothing_else(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if args:
        raise TypeError(f"{name}() takes no positional arguments but {len(args)} were given")
    only_known(name, kwargs)


def _named(functions: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Return aggregations with their names, each with the further arguments of ``agg``."""
    return [(function_label(f), *request(f, args, kwargs)) for f in functions]
