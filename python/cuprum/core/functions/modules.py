"""Functions of Python, ``math``, NumPy and pandas that can be traced, by what stands for them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from cuprum.core.functions.texts import TEXT_METHODS, Text, length, number_from, text_of
from cuprum.core.functions.trace import NotTraced
from cuprum.core.functions.tracer import Traced, arithmetic, as_kind, function_of_float, integer, kind_of

__all__ = ["ELEMENTS", "FUNCTIONS", "MATH", "MISSING", "Names", "numpy_functions"]


class Names(NamedTuple):
    """Names that a function may use: functions, members of ``math``, of pandas and Cuprum, and of NumPy."""

    functions: dict[Any, Any]
    math: dict[str, Any]
    frames: dict[str, dict[str, Any]]
    numpy: Callable[[], dict[str, Any]]
    # Whether texts may be formatted, and lists and dicts made.
    formats: bool = False
    collects: bool = True


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
            # An infinite result of an infinity is no error.
            infinite, was_infinite = (
                trace.step("==", trace.step("abs", step), trace.literal(math.inf))
                for step in (made.number, number)
            )
            is_infinite = trace.step("choose", infinite, trace.literal(True), trace.literal(False))
            is_infinite = trace.both(is_infinite, trace.negated(was_infinite))
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
    if value.kind in ("float", "np") or value.may_miss:
        return Traced(value.trace, value.trace.step("missing", value.number), "bool")
    return False


def _is_not_missing(value: Any) -> Any:
    return not _is_missing(value)


def _is_instance(value: Any, types: Any) -> Any:
    """Return the result of ``isinstance``: a missing text is a float."""
    if not isinstance(value, Text):
        raise NotTraced("isinstance of what is no text")
    asked = types if isinstance(types, tuple) else (types,)
    known = {FUNCTIONS[float]: "float", FUNCTIONS[int]: "int", FUNCTIONS[bool]: "bool", FUNCTIONS[str]: "str"}
    if any(one not in known for one in asked):
        raise NotTraced("isinstance of other types than str, int, float and bool")
    kinds = {known[one] for one in asked}
    if not value.may_miss or {"str", "float"} <= kinds or not {"str", "float"} & kinds:
        return "str" in kinds or (value.may_miss and "float" in kinds)
    is_missing = value.trace.step("missing", value.number)
    flag = is_missing if "float" in kinds else value.trace.negated(is_missing)
    return Traced(value.trace, flag, "bool")


def _fabs(value: Any) -> Any:
    return abs(_real(value))


def _float(value: Any) -> Any:
    if not isinstance(value, Traced):
        return float(value)
    if isinstance(value, Text):
        return number_from(value, "float")
    return Traced(value.trace, as_kind(value.trace, value, "float"), "float", value.may_miss)


def _bool(value: Any) -> Any:
    return value if isinstance(value, Traced) and value.kind == "bool" else bool(value)


def _int(value: Any) -> Any:
    return number_from(value, "int") if isinstance(value, Text) else integer("trunc", value)


def _only_number(function: Callable[[Any], Any], name: str) -> Callable[..., Any]:
    def called(value: Any, *others: Any, **named: Any) -> Any:
        if others or named:
            raise NotTraced(f"{name} with several arguments")
        return function(value)

    return called


def _real(value: Any) -> Any:
    """Return a number as a float, as functions of ``math`` take it."""
    if isinstance(value, Text):
        raise TypeError("must be real number, not str")
    return _float(value)


def _is_infinite(value: Any) -> Any:
    if not isinstance(value, Traced):
        return math.isinf(value)
    return abs(_real(value)) == math.inf


def _is_finite(value: Any) -> Any:
    if not isinstance(value, Traced):
        return math.isfinite(value)
    return abs(_real(value)) < math.inf


def _log(value: Any, base: Any = None) -> Any:
    logarithm = _of_math("log", "log", "a number that is not positive")
    return logarithm(value) if base is None else logarithm(value) / logarithm(base)


def _pow(value: Any, exponent: Any) -> Any:
    if not isinstance(value, Traced) and not isinstance(exponent, Traced):
        return math.pow(value, exponent)
    return _real(value) ** _real(exponent)


MATH: dict[str, Any] = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "tau": math.tau,
    "fabs": _fabs,
    "isnan": lambda value: _is_missing(_real(value)),
    "isinf": _is_infinite,
    "isfinite": _is_finite,
    "degrees": lambda value: _real(value) * (180.0 / math.pi),
    "radians": lambda value: _real(value) * (math.pi / 180.0),
    "pow": _pow,
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
    "log": _log,
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
    len: length,
    str: _only_number(text_of, "str"),
    isinstance: _is_instance,
    divmod: lambda a, b: (a // b, a % b),
    pow: lambda a, b: a**b,
    **TEXT_METHODS,
}


def _of_numpy(name: str, op: str) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        import numpy as np

        if not isinstance(value, Traced):
            return getattr(np, name)(value)
        if value.kind in ("str", "bool"):
            raise NotTraced(f"numpy.{name} of {'a text' if value.kind == 'str' else 'a bool'}")
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

    def scaled(factor: float, name: str) -> Callable[[Any], Any]:
        def function(value: Any) -> Any:
            if kind_of(value) in ("str", "bool"):
                raise NotTraced(f"numpy.{name} of a {kind_of(value)}")
            number = as_kind(value.trace, value, "float") if isinstance(value, Traced) else None
            return (
                value * factor
                if number is None
                else arithmetic("*", Traced(value.trace, number, "np", value.may_miss), factor)
            )

        return _only_number(function, f"numpy.{name}")

    return {
        **{name: _of_numpy(name, name) for name in same},
        **{name: _of_numpy(name, op) for name, op in other.items()},
        **{name: rounded(name) for name in ("floor", "ceil", "trunc", "rint")},
        **{name: scaled(180.0 / math.pi, name) for name in ("degrees", "rad2deg")},
        **{name: scaled(math.pi / 180.0, name) for name in ("radians", "deg2rad")},
        "isfinite": lambda value: _is_finite(value),
        "isinf": lambda value: _is_infinite(value),
        "abs": absolute,
        "absolute": absolute,
        "isnan": lambda value: _is_missing(_real(value)),
        "pi": math.pi,
        "e": math.e,
        "inf": math.inf,
        "nan": math.nan,
    }


ELEMENTS = Names(
    FUNCTIONS, MATH, {"pandas": MISSING, "cuprum": MISSING}, numpy_functions, formats=True, collects=False
)
