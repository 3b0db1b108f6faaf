"""Aggregations by name: the functions that pandas takes, and what stands for them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from cuprum.core.arguments import is_list_like, plain_label

__all__ = [
    "NAMES",
    "NamedAgg",
    "check_distinct",
    "function_label",
    "function_name",
    "function_parameter",
    "is_named",
    "labelled",
    "passes_missing",
    "refuse_nested",
    "request",
]

NAMES = frozenset(
    [
        "sum",
        "prod",
        "min",
        "max",
        "mean",
        "median",
        "var",
        "std",
        "sem",
        "count",
        "size",
        "nunique",
        "first",
        "last",
        "any",
        "all",
        "quantile",
    ]
)
_ALIASES = {"len": "size", "amin": "min", "amax": "max", "product": "prod", "average": "mean"}


class _ColumnAndAggregation(NamedTuple):
    column: Any
    aggfunc: Any


class NamedAgg(_ColumnAndAggregation):
    """A column and the aggregation of it, for keyword arguments of ``groupby(...).agg``.

    Further arguments are those of the aggregation, which are handed to it after the elements of a group.

    Examples
    --------
    >>> NamedAgg("delay", "mean")
    NamedAgg(column='delay', aggfunc='mean')
    """

    __slots__ = ()

    def __new__(cls, column: Any, aggfunc: Any, *args: Any, **kwargs: Any) -> Self:
        """Make one."""
        called: Any = aggfunc
        if args or (kwargs and isinstance(aggfunc, str)):
            called = functools.partial(_called_with, aggfunc, args, kwargs)
            called.__name__ = function_label(aggfunc)
        elif kwargs:
            called = functools.partial(aggfunc, **kwargs)
        return super().__new__(cls, column, called)


def _called_with(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], elements: Any) -> Any:
    """Return the result of a function, or a method by its name, for elements and further arguments."""
    if isinstance(function, str):
        return getattr(elements, function)(*args, **kwargs)
    return function(elements, *args, **kwargs)


def function_label(function: Any) -> Any:
    """Return the name under which pandas shows an aggregation."""
    if isinstance(function, str):
        return function
    while isinstance(function, functools.partial) and not hasattr(function, "__name__"):
        function = function.func
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__ if callable(function) else function


def labelled(functions: Any) -> list[tuple[Any, Any]]:
    """Return functions with the names under which pandas shows them: lambdas beside others have numbers."""
    named = [(function_label(function), function) for function in functions]
    if len(named) > 1:
        numbers = itertools.count()
        named = [(f"<lambda_{next(numbers)}>" if label == "<lambda>" else label, f) for label, f in named]
    return named


def passes_missing(function: Any) -> bool | None:
    """Whether a function that stands for an aggregation gives a missing element where there is one.

    None where what it gives depends on the order of the elements.
    """
    if isinstance(function, str):
        return False
    name = getattr(function, "__name__", "")
    if getattr(function, "__module__", None) == "builtins":
        return {"sum": True, "len": False}.get(name)
    # NumPy's other functions call the method of a series.
    return name in ("median", "average")


def function_parameter(function: Any) -> float | None:
    """Return the divisor's ``ddof`` of NumPy's own ``std`` and ``var``, which is 0; None for others."""
    if isinstance(function, str) or getattr(function, "__name__", "") not in (
        "std",
        "var",
        "nanstd",
        "nanvar",
    ):
        return None
    return 0.0


def function_name(function: Any) -> str:
    """Return the name of an aggregation given by name, as NumPy's function or as Python's.

    ``AttributeError`` for another name, ``NotImplementedError`` for a callable that stands for no aggregation.
    """
    if isinstance(function, str):
        name = _ALIASES.get(function, function)
        if name in NAMES:
            return name
        raise AttributeError(f"{function!r} is not an aggregation; known are {', '.join(sorted(NAMES))}")
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if module == "builtins" or module.split(".")[0] == "numpy":
        name = _ALIASES.get(name, name)
        if module != "builtins" and name.startswith("nan"):
            name = name[3:]
        if name in NAMES:
            return name
    if callable(function):
        raise NotImplementedError(
            f"{name or function!r} is a function of Python; give the name of an aggregation instead: "
            f"{', '.join(sorted(NAMES))}"
        )
    raise TypeError(f"{plain_label(function)!r} is not the name of an aggregation")


def is_named(function: Any) -> bool:
    """Whether a callable or a name stands for an aggregation, see `function_name`."""
    if isinstance(function, str):
        return function in NAMES or function in _ALIASES
    try:
        function_name(function)
    except (NotImplementedError, TypeError):
        return False
    return True


def request(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, float | None]:
    """Return the name of an aggregation, and its parameter of the further arguments of ``agg``.

    ``TypeError`` for arguments that it does not have.
    """
    name, parameter = function_name(function), function_parameter(function)
    takes = {"std": "ddof", "var": "ddof", "sem": "ddof", "quantile": "q"}.get(name)
    given = dict(kwargs)
    if args:
        given[takes or "args"] = args[0] if len(args) == 1 else args
    for argument, value in given.items():
        if argument != takes:
            raise TypeError(f"{name}() got an unexpected keyword argument {argument!r} from agg")
        parameter = float(value)
    return name, parameter


def refuse_nested(func: Mapping[Any, Any], of_series: bool = False) -> None:
    """Fail for a mapping of columns to mappings of names to functions; of a series, also of names to several."""
    if any(isinstance(one, Mapping) or (of_series and is_list_like(one)) for one in func.values()):
        from pandas.errors import SpecificationError

        raise SpecificationError("nested renamer is not supported")


def check_distinct(func: Any) -> None:
    """Fail for a list in which a function comes twice: their results would have the same label."""
    if len({*map(id, func)}) < len(func) or len({f for f in func if isinstance(f, str)}) < sum(
        isinstance(f, str) for f in func
    ):
        from pandas.errors import SpecificationError

        raise SpecificationError("Function names must be unique if there is no new column names assigned")
