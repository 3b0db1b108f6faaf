"""`agg`: one value for each group and column, by names of aggregations and by functions of Python.

What an aggregation stands for runs over all groups at once, and so does what can be traced; other functions are called
with the elements of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.functions.results import column_of_values, like_elements
from cuprum.core.functions.trace import NotTraced
from cuprum.core.groupby.aggregation import (
    NAMES,
    check_distinct,
    function_name,
    function_parameter,
    labelled,
    passes_missing,
    refuse_nested,
    request,
)
from cuprum.core.groupby.calls import Aggregated, GroupCalls, Rows
from cuprum.core.groupby.traced import TracedGroups
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.slow_calls import Watch

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series  # noqa: F401 (in a base)
    from cuprum.typing import AggFunc, AggFuncs

__all__ = ["FrameAgg", "GroupAgg", "SeriesAgg"]

# The label of the result, the column, the function.
_Request = tuple[Any, Any, Any]


class GroupAgg(GroupCalls[Aggregated, Rows]):
    """The parts that `agg` of frames and of series share."""

    __slots__ = ()

    def _one_column(self, label: Any) -> Any:
        """The groups of one column."""
        raise NotImplementedError

    def _aggregate(self, requests: list[Any], min_count: int = 0, skipna: bool = True) -> Any:
        raise NotImplementedError

    def _aggregated(self, handle: Any) -> Any:
        raise NotImplementedError

    def _found(self, find: Any, *arguments: Any) -> Any:
        raise NotImplementedError

    def _by_name(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what a method does that is given by its name, or by a function that it stands for."""
        if isinstance(func, str) and not func.startswith("_") and func not in NAMES:
            method = getattr(type(self), func, None)
            if callable(method) or isinstance(method, property):
                return self._attribute(func, args, kwargs)
        name, parameter = function_name(func), function_parameter(func)
        if parameter is not None:
            kwargs.setdefault("ddof", int(parameter))
        if passes_missing(func):
            kwargs.setdefault("skipna", False)
        return getattr(self, name)(*args, **kwargs)

    def _results(
        self, requests: list[_Request], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> list[Column]:
        """Return a column of a value for each group for each request."""
        found: list[Column | None] = [None] * len(requests)
        at_once: TracedGroups | None = None
        watch: Watch | None = None
        together: dict[bool, list[tuple[int, Any]]] = {False: [], True: []}
        for number, (_, label, function) in enumerate(requests):
            if (isinstance(function, str) and function in NAMES) or self._stands_for(function, label):
                one = request(function, args, kwargs)
                together[bool(passes_missing(function))].append((number, (number, label, *one)))
            else:
                if callable(function):
                    try:
                        at_once = at_once or TracedGroups(self)
                        made = at_once.values(at_once.of_column(label, function, args, kwargs))
                        found[number] = like_elements(made, self._frame._handle.column(label).column())
                        continue
                    except NotTraced as why:
                        watch = watch or self._watch(function, why)
                with watch or nullcontext():
                    found[number] = self._one_column(label)._values_of(function, args, kwargs)
        for passes, each in together.items():
            if each:
                handle = self._aggregate([one for _, one in each], 0, not passes)
                keys = handle.num_columns() - len(each)
                for place, (number, _) in enumerate(each, keys):
                    found[number] = handle.column_at(place).column()
        return [column for column in found if column is not None]

    def _values_of(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Column:
        """Return the values of a method by name, or of a function of Python, for each group of a column."""
        if isinstance(function, str):
            result = self._by_name(function, args, dict(kwargs))
            if not isinstance(result, objects.Series) or len(result) != len(self._keys_index()):
                raise NotImplementedError(f"agg of several takes names of aggregations, not {function!r}")
            return result._handle.column()
        if not callable(function):
            function_name(function)  # raises, naming it
        rows, ends = self._rows_and_ends()
        series = self._frame._handle.column(self._selection).rename(self._name).take(rows)
        values = self._called(function, self._pieces(series, ends, False), args, kwargs)
        if not values:
            return series.slice(0, 0).column()
        return like_elements(column_of_values([_only(value) for value in values]), series.column())

    def _put(self, requests: list[_Request], columns: list[Column], names: list[Any] | None) -> Any:
        """Return a frame of results under their labels and the keys of their groups."""
        labels = [label for label, _, _ in requests]
        if not self._as_index:
            return self._with_keys(labels, columns, names)
        handle = _cuprum.DataFrame(labels, columns, self._keys_index()._handle)
        return wrap_frame(handle if names is None else handle.with_labels(labels, names))

    def _all_compiled(self, requests: list[_Request]) -> bool:
        """Whether one pass over the groups gives all results."""
        return all(
            (isinstance(f, str) and f in NAMES) or (self._stands_for(f, label) and not passes_missing(f))
            for _, label, f in requests
        )


class FrameAgg(GroupAgg["DataFrame", "DataFrame"]):
    """`agg` of groups of a frame."""

    __slots__ = ()

    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> DataFrame:
        """Aggregate the columns of each group by one or several functions.

        Parameters
        ----------
        func : str, callable, list or dict, optional
            The name of an aggregation (``"mean"``); a function that stands for one (``numpy.mean``, ``sum``,
            ``len``), or any function of the elements of a column in a group that returns one value; a list of
            them for each column; or a dict of column labels and these.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Further arguments of ``func``; without ``func`` named results, as ``mean_delay=("delay", "mean")``
            or `NamedAgg`.

        Returns
        -------
        DataFrame
            A row for each group. Of a list of functions the names of these are a second level of column
            labels.

        Raises
        ------
        KeyError
            If a column is none of the selected ones.
        TypeError
            If neither ``func`` nor named results are given, or a dict goes with further arguments.

        Notes
        -----
        A function that reductions, operations and conditions make up is computed for all groups at once
        (``lambda x: x.max() - x.min()``). Any other function is called for each group; a `PerformanceWarning`
        says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> g = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]}).groupby("k", as_index=False)
        >>> g.agg("sum")
           k  v
        0  x  4
        1  y  2
        >>> g.agg(low=("v", "min"), high=("v", "max"))
           k  low  high
        0  x    1     3
        1  y    2     2
        >>> g.agg({"v": ["min", "max"]}).columns.to_list()
        [('k', ''), ('v', 'min'), ('v', 'max')]
        """
        if func is None:
            return self._named(kwargs)
        if isinstance(func, Mapping):
            return self._by_column(func, args, kwargs)
        if is_list_like(func):
            check_distinct(list(func))
            pairs = _pairs(func)
            every = [(plain_label(label), pairs) for label in self._inputs()]
            return self._several(every, args, kwargs)
        if isinstance(func, str) or (self._stand_for_all(func) and function_name(func) != "size"):
            return self._by_name(func, args, kwargs)
        if not callable(func):
            function_name(func)  # raises, naming it
        inputs = self._inputs()
        if not len(self._keys_index()) or not inputs:
            index = self._keys_index()._handle
            return wrap_frame(self._frame._handle.select(inputs).slice(0, 0).with_index(index))
        requests = [(label, label, func) for label in inputs]
        return self._put(requests, self._results(requests, args, kwargs), self._frame._handle.level_names())

    aggregate = agg

    def _stand_for_all(self, func: Any) -> bool:
        return all(self._stands_for(func, label) for label in self._inputs())

    def _check(self, label: Any) -> None:
        raise NotImplementedError

    def _check_selected(self, label: Any) -> None:
        self._check(label)
        if self._selection is not None and plain_label(label) not in self._selection:
            raise KeyError(f"Label(s) [{label!r}] do not exist")

    def _named(self, pairs: dict[str, Any]) -> Any:
        """Return a column for each ``name=(column, function)``."""
        if not pairs:
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        requests = []
        for label, pair in pairs.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"`{label}` is {pair!r}; it must be a pair (column, aggregation)")
            self._check_selected(pair[0])
            requests.append((label, plain_label(pair[0]), pair[1]))
        return self._flat(requests, None)

    def _flat(self, requests: list[_Request], names: list[Any] | None) -> Any:
        """Return a column for each request, under a label of one level."""
        if self._all_compiled(requests):
            made = wrap_frame(
                self._aggregate([(to, label, *request(f, (), {})) for to, label, f in requests])
            )
            if names is None and any(name is not None for name in made._handle.level_names()):
                made.columns = made.columns.set_names([None] * made.columns.nlevels)
            return made
        return self._put(requests, self._results(requests, (), {}), names)

    def _by_column(self, func: Mapping[Any, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if args or kwargs:
            raise TypeError(
                f"agg of a dict takes no other arguments, which pandas ignores: {[*args, *kwargs]}"
            )
        refuse_nested(func)
        for label in func:
            self._check_selected(label)
        if any(is_list_like(f) for f in func.values()):
            every = [(plain_label(label), _pairs(fs)) for label, fs in func.items()]
            return self._several(every, (), {})
        requests = [(plain_label(label), plain_label(label), f) for label, f in func.items()]
        return self._flat(requests, self._frame._handle.level_names())

    def _several(
        self, every: list[tuple[Any, list[tuple[Any, Any]]]], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return a column for each pair of a column and an aggregation of it."""
        requests = [
            ((*(label if isinstance(label, tuple) else (label,)), name), label, f)
            for label, pairs in every
            for name, f in pairs
        ]
        if not requests:
            made = self._put([], [], None)
            if not self._as_index:
                made.columns = [(label, "") for label in made.columns]
            return made
        if self._all_compiled(requests):
            what = [
                (label, [(name, *request(f, args, kwargs)) for name, f in pairs]) for label, pairs in every
            ]
            try:
                return wrap_frame(self._handle.agg(self._inputs(), what))
            except NotImplementedError as error:
                raise TypeError(str(error)) from None
        names = [*(self._frame._handle.level_names() or [None]), None]
        return self._put(requests, self._results(requests, args, kwargs), names)


class SeriesAgg(GroupAgg[Aggregated, "Series"]):
    """`agg` of groups of a series."""

    __slots__ = ()

    @overload
    def agg(self, func: AggFunc, *args: Any, **kwargs: Any) -> Aggregated: ...
    @overload
    def agg(self, func: AggFuncs | None = ..., *args: Any, **kwargs: Any) -> DataFrame: ...
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Aggregate the elements of each group by one or several functions.

        Parameters
        ----------
        func : str, callable or list, optional
            The name of an aggregation (``"mean"``); a function that stands for one (``numpy.mean``, ``sum``,
            ``len``), or any function of the elements of a group that returns one value; or a list of them or
            of pairs of a label and one.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Further arguments of ``func``; without ``func`` named results, as ``low="min"``.

        Returns
        -------
        Series or DataFrame
            A value for each group; of several functions a frame with a column for each.

        Raises
        ------
        TypeError
            If neither ``func`` nor named results are given.

        Notes
        -----
        A function that cannot be computed for all groups at once is called for each group; a
        `PerformanceWarning` says so where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1, 2, 5], index=["x", "x", "y"], name="v").groupby(level=0)
        >>> groups.agg("sum")
        x    3
        y    5
        Name: v, dtype: int64
        >>> groups.agg(low="min", high="max")
           low  high
        x    1     2
        y    5     5
        """
        label = self._selection
        if isinstance(func, Mapping):
            refuse_nested({label: func})
        if func is None:
            if not kwargs:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            return self._each([(name, label, f) for name, f in kwargs.items()], (), {})
        if is_list_like(func):
            return self._each([(name, label, f) for name, f in _pairs(func)], args, kwargs)
        if isinstance(func, str) or (self._stands_for(func, label) and function_name(func) != "size"):
            return self._by_name(func, args, kwargs)
        column = self._results([(label, label, func)], args, kwargs)[0]
        if not self._as_index:
            return self._with_keys([self._name], [column], None)
        return wrap_series(_cuprum.Series(column, self._name, self._keys_index()._handle))

    aggregate = agg

    def _each(self, requests: list[_Request], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if requests and self._all_compiled(requests):
            return wrap_frame(
                self._aggregate([(to, label, *request(f, args, kwargs)) for to, label, f in requests])
            )
        return self._put(requests, self._results(requests, args, kwargs), None)


def _pairs(functions: Any) -> list[tuple[Any, Any]]:
    """Return functions with their labels: pairs of both are as they are given."""
    functions = list(functions) if is_list_like(functions) else [functions]
    if any(isinstance(f, (tuple, list)) for f in functions):
        return [(plain_label(f[0]), f[1]) if isinstance(f, (tuple, list)) else (f, f) for f in functions]
    return labelled(functions)


def _only(value: Any) -> Any:
    """Return the element of a series or index of one, as pandas does; others as lists."""
    if isinstance(value, (objects.Series, objects.Index)):
        elements = value.to_list()
        return elements[0] if len(elements) == 1 else elements
    return value
