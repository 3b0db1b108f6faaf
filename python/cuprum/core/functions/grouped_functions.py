"""Names that functions of groups may use: functions of Python, ``math``, NumPy and pandas, with their stand-ins."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from cuprum.core.functions.grouped_column import GroupedColumn, GroupedFrame, Record
from cuprum.core.functions.grouped_scalar import GroupedScalar, is_constant
from cuprum.core.functions.modules import FUNCTIONS, MATH, Names
from cuprum.core.functions.trace import NotTraced

__all__ = ["group_names"]


def _length(value: Any) -> Any:
    return value._row_set.length() if isinstance(value, (GroupedColumn, GroupedFrame)) else len(value)


def _only_constants(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: Any, **kwargs: Any) -> Any:
        if not all(map(is_constant, (*args, *kwargs.values()))):
            raise NotTraced(f"{name} of a group")
        return function(*args, **kwargs)

    called.__name__ = name
    return called


def _float(value: Any) -> Any:
    if isinstance(value, GroupedScalar) and value._kind in ("int", "float", "bool"):
        made = value._with_series("float", lambda: value._series.astype("float64"), "float")
        return made
    return _only_constants("float", float)(value)


_float.__name__ = "float"


def _is_missing(value: Any) -> Any:
    if isinstance(value, GroupedColumn):
        return value.isna()
    if isinstance(value, GroupedScalar):
        return value._with_series("isna", lambda: value._series.isna(), "bool")
    return _only_constants("isna", lambda one: one is None or one != one)(value)


def _is_not_missing(value: Any) -> Any:
    if isinstance(value, GroupedColumn):
        return value.notna()
    if isinstance(value, GroupedScalar):
        return value._with_series("notna", lambda: value._series.notna(), "bool")
    return not _is_missing(value)


def _of_one(name: str) -> Callable[[Any], Any]:
    """Return a function of ``math`` of a value of each group, which refuses what is an error for it."""

    def function(value: Any) -> Any:
        import numpy as np

        if is_constant(value):
            return getattr(math, name)(value)
        if not isinstance(value, GroupedScalar) or value._kind not in ("int", "float"):
            raise NotTraced(f"math.{name} of the elements of a group")
        of_series = getattr(np, {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}.get(name, name))
        made = value._with_series(f"math.{name}", lambda: of_series(value._series), "float")
        lost = made._series.isna() | (made._series.abs() == math.inf)
        value._groups.guard(lost & value._series.notna(), f"math.{name} of a number that it does not take")
        return made

    return function


_OF_MATH = ("sqrt", "exp", "log", "log10", "log1p", "expm1", "sin", "cos", "tan", "atan", "tanh")


def _of_numpy(name: str) -> Callable[..., Any]:
    """Return a function of NumPy of the elements of rows, or of values of groups."""

    def function(value: Any, *others: Any, **named: Any) -> Any:
        import numpy as np

        own = getattr(np, name)
        if others or named:
            raise NotTraced(f"numpy.{name} with several arguments")
        if isinstance(value, GroupedColumn):
            return value._of_function(f"numpy.{name}", own)
        if isinstance(value, GroupedScalar) and value._kind in ("int", "float"):
            made = value._with_series(f"numpy.{name}", lambda: own(value._series), "float")
            lost = made._series.isna() | (made._series.abs() == math.inf)
            # NumPy warns of values that it does not take.
            value._groups.guard(
                lost & value._series.notna(), f"numpy.{name} of a number that it does not take"
            )
            return made
        return _only_constants(f"numpy.{name}", own)(value)

    return function


def _reducing(name: str, method: str, **options: Any) -> Callable[..., Any]:
    """Return a function of NumPy that calls a method of a series."""

    def function(value: Any, **named: Any) -> Any:
        if not isinstance(value, GroupedColumn) or set(named) - set(options):
            raise NotTraced(f"numpy.{name} of other than the elements of a group, or with other arguments")
        return getattr(value, method)(**{**options, **named})

    return function


def _of_array(name: str, method: str, scale: float = 1.0) -> Callable[..., Any]:
    """Return a function of NumPy to which the elements are an array, without missing ones."""

    def function(value: Any, *share: Any) -> Any:
        if not isinstance(value, GroupedColumn) or len(share) != (method == "quantile"):
            raise NotTraced(f"numpy.{name} of other than the elements of a group, or with other arguments")
        if any(type(one) not in (int, float) for one in share):
            raise NotTraced(f"numpy.{name} of other than one constant share")
        value._row_set._groups.guard(value.isna().any()._series, f"numpy.{name} of missing elements")
        is_empty: Any = value._row_set.length() == 0
        value._row_set._groups.guard(is_empty._series, f"numpy.{name} of no elements")
        return getattr(value, method)(*(float(one) / scale for one in share))

    return function


def _absolute(value: Any) -> Any:
    return abs(value)


@functools.cache
def _numpy() -> dict[str, Any]:
    plain = (
        "sqrt",
        "exp",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sin",
        "cos",
        "tan",
        "tanh",
        "floor",
        "ceil",
    )
    return {
        **{name: _of_numpy(name) for name in plain},
        **{name: _reducing(name, name) for name in ("sum", "prod", "mean", "min", "max", "any", "all")},
        "amin": _reducing("amin", "min"),
        "amax": _reducing("amax", "max"),
        "std": _reducing("std", "std", ddof=0),
        "var": _reducing("var", "var", ddof=0),
        "median": _of_array("median", "median"),
        "quantile": _of_array("quantile", "quantile"),
        "percentile": _of_array("percentile", "quantile", 100.0),
        "abs": _absolute,
        "absolute": _absolute,
        "isnan": _is_missing,
        "pi": math.pi,
        "e": math.e,
        "inf": math.inf,
        "nan": math.nan,
    }


@functools.cache
def group_names() -> Names:
    """Return what functions of groups may name."""
    functions: dict[Any, Any] = {
        known: _only_constants(getattr(known, "__name__", "a function"), known) for known in FUNCTIONS
    }
    functions |= {getattr(math, name): _of_one(name) for name in _OF_MATH}
    functions |= {
        abs: abs, min: min, max: max, round: round, len: _length, float: _float,
        pow: lambda a, b: a**b, bool: lambda value: value if isinstance(value, GroupedScalar) and value._kind == "bool" else bool(value),
    }  # fmt: skip
    constants = {name: value for name, value in MATH.items() if not callable(value)}
    of_math = {**constants, **{name: _of_one(name) for name in _OF_MATH}}
    missing: dict[str, Any] = {
        "isna": _is_missing, "isnull": _is_missing, "notna": _is_not_missing, "notnull": _is_not_missing,
    }  # fmt: skip
    frames = {"pandas": missing, "cuprum": {**missing, "Series": Record}}
    return Names(functions, of_math, frames, _numpy)
