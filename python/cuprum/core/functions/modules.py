"""Functions of Python, ``math``, NumPy and pandas that can be traced, by what stands for them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from cuprum.core.functions.stand_ins import Traced, as_kind, function_of_float, integer, kind_of
from cuprum.core.functions.trace import NotTraced

__all__ = ["FUNCTIONS", "MATH", "MISSING", "numpy_functions"]


def _of_math(name: str, op: str, refuses: str | None) -> Callable[[Any], Any]:
    """Return a function of ``math``: what it ``refuses`` is an error for it, a NaN or an infinity for a formula."""

    def function(value: Any) -> Any:
        if not isinstance(value, Traced):
            return getattr(math, name)(value)
        if value.kind == "str":
            raise TypeError("must be real number, not str")
        trace = value.trace
        number = as_kind(trace, value, "float")
        made = Traced(trace, trace.step(op, number), "float", value.may_miss)
        if refuses is not None:
            is_infinite = trace.step("==", trace.step("abs", made.number), trace.literal(math.inf))
            is_infinite = trace.step("choose", is_infinite, trace.literal(True), trace.literal(False))
            is_new = trace.both(
                trace.step("missing", made.number), trace.negated(trace.step("missing", number))
            )
            trace.guard(trace.step("|", is_infinite, is_new), f"math.{name} of {refuses}")
        return made

    function.__name__ = name
    return function


def _is_missing(value: Any) -> Any:
    if not isinstance(value, Traced):
        return value is None or value != value
    if value.kind in ("float", "np"):
        return Traced(value.trace, value.trace.step("missing", value.number), "bool")
    return False


def _is_not_missing(value: Any) -> Any:
    return not _is_missing(value)


def _fabs(value: Any) -> Any:
    return abs(_float(value))


def _float(value: Any) -> Any:
    if not isinstance(value, Traced):
        return float(value)
    if value.kind == "str":
        raise NotTraced("float of a text")
    return Traced(value.trace, as_kind(value.trace, value, "float"), "float", value.may_miss)


def _bool(value: Any) -> Any:
    return value if isinstance(value, Traced) and value.kind == "bool" else bool(value)


def _int(value: Any) -> Any:
    return integer("trunc", value)


def _only_number(function: Callable[[Any], Any], name: str) -> Callable[..., Any]:
    def called(value: Any, *others: Any, **named: Any) -> Any:
        if others or named:
            raise NotTraced(f"{name} with several arguments")
        return function(value)

    return called


def _is_infinite(value: Any) -> Any:
    if not isinstance(value, Traced):
        return math.isinf(value)
    return abs(_float(value)) == math.inf


MATH: dict[str, Any] = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "tau": math.tau,
    "fabs": _fabs,
    "isnan": lambda value: _is_missing(_float(value)),
    "isinf": _is_infinite,
    "floor": lambda value: integer("floor", value),
    "ceil": lambda value: integer("ceil", value),
    "trunc": lambda value: integer("trunc", value),
    "sqrt": _of_math("sqrt", "sqrt", "a negative number"),
    "atan": _of_math("atan", "atan", None),
    "tanh": _of_math("tanh", "tanh", None),
    "asinh": _of_math("asinh", "asinh", "an infinity"),
    **{
        name: _of_math(name, name, "a number that it does not take")
        for name in ("exp", "expm1", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "sinh", "cosh")
    },
    "log": _only_number(_of_math("log", "log", "a number that is not positive"), "math.log"),
    "acosh": _of_math("acosh", "acosh", "a number below 1"),
    "atanh": _of_math("atanh", "atanh", "a number of 1 or beyond"),
}

MISSING: dict[str, Any] = {
    "isna": _is_missing,
    "isnull": _is_missing,
    "notna": _is_not_missing,
    "notnull": _is_not_missing,
}

FUNCTIONS: dict[Any, Any] = {
    **{getattr(math, name): function for name, function in MATH.items() if callable(function)},
    abs: abs,
    min: min,
    max: max,
    round: round,
    float: _float,
    int: _only_number(_int, "int"),
    bool: _bool,
}


def _of_numpy(name: str, op: str) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        import numpy as np

        if not isinstance(value, Traced):
            return getattr(np, name)(value)
        if value.kind in ("str", "bool"):
            raise NotTraced(f"numpy.{name} of a {value.kind}")
        return function_of_float(op, value, kind="np")

    return _only_number(function, f"numpy.{name}")


@functools.cache
def numpy_functions() -> dict[str, Any]:
    """Return what is traced of NumPy: functions of floats, and of what becomes one."""
    same = ("sqrt", "exp", "expm1", "log", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    other = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh"}

    def absolute(value: Any) -> Any:
        if kind_of(value) in ("str", "bool"):
            raise NotTraced(f"numpy.abs of a {kind_of(value)}")
        is_float = isinstance(value, Traced) and value.kind != "int"
        return function_of_float("abs", value, kind="np") if is_float else abs(value)

    def rounded(name: str) -> Callable[[Any], Any]:
        def function(value: Any) -> Any:
            if isinstance(value, Traced) and value.kind in ("int", "bool"):
                raise NotTraced(f"numpy.{name} of an integer")
            return _of_numpy(name, name)(value)

        return function

    return {
        **{name: _of_numpy(name, name) for name in same},
        **{name: _of_numpy(name, op) for name, op in other.items()},
        **{name: rounded(name) for name in ("floor", "ceil", "trunc", "rint")},
        "abs": absolute,
        "absolute": absolute,
        "isnan": lambda value: _is_missing(_float(value)),
        "pi": math.pi,
        "e": math.e,
        "inf": math.inf,
        "nan": math.nan,
    }
