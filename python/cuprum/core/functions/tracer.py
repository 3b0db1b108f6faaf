"""Stand-ins for elements and rows, and what Python's operators note of them.

Results are those of Python, element by element: integers have no limit and divisions by zero are errors, which a
guard keeps out; where integers cannot come near a limit, their bounds say so and no guard is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from cuprum.core import objects
from cuprum.core.functions.trace import TYPES, NotTraced, Trace, plain_kind

__all__ = [
    "EXACT",
    "INT64",
    "Row",
    "Traced",
    "arithmetic",
    "as_kind",
    "compare",
    "function_of_float",
    "integer",
    "kind_of",
    "number_of",
]

INT64 = (-(2**63), 2**63 - 1)
# Integers up to here are floats without a loss.
EXACT = 2**53
# Powers that are products.
MOST_FACTORS = 8


def kind_of(value: Any) -> str:
    """Return what a value or a stand-in is to Python: "bool", "int", "float", "np" (NumPy's float) or "str"."""
    return value.kind if isinstance(value, Traced) else plain_kind(value)


class Traced:
    """A stand-in for an element, or for what is computed of some."""

    __slots__ = ("bounds", "kind", "may_miss", "number", "trace")

    def __init__(
        self, trace: Trace, number: int, kind: str, may_miss: bool = False, bounds: tuple[int, int] = INT64
    ) -> None:
        self.trace = trace
        self.number = number
        self.kind = kind
        self.may_miss = may_miss
        self.bounds = bounds

    __hash__ = None  # type: ignore[assignment]

    def _arithmetic(self, op: str, other: Any, reflected: bool) -> Any:
        return arithmetic(op, other, self) if reflected else arithmetic(op, self, other)

    def __bool__(self) -> bool:
        if self.kind == "bool":
            return self.trace.ask(self.number)
        return bool(compare("!=", self, "" if self.kind == "str" else 0))

    def __neg__(self) -> Any:
        return arithmetic("-", 0, self) if self.kind in ("int", "bool") else function_of_float("-", self)

    def __pos__(self) -> Any:
        return arithmetic("+", 0, self) if self.kind == "bool" else self

    def __abs__(self) -> Any:
        if self.kind == "str":
            raise NotTraced("abs of a text")
        if self.kind in ("float", "np"):
            return function_of_float("abs", self)
        if self.kind == "bool":
            return +self
        low, high = self.bounds
        if low == INT64[0]:
            least = self.trace.step("==", self.number, self.trace.literal(low))
            self.trace.guard(least, "an integer beyond 64 bits")
        bounds = (0, min(max(abs(low), abs(high)), INT64[1]))
        return Traced(self.trace, self.trace.step("abs", self.number), "int", bounds=bounds)

    def __invert__(self) -> Any:
        raise NotTraced("`~`")

    def __round__(self, digits: Any = None) -> Any:
        if digits is not None:
            raise NotTraced("round with digits")
        return integer("rint", self)

    def __trunc__(self) -> Any:
        return integer("trunc", self)

    def __floor__(self) -> Any:
        return integer("floor", self)

    def __ceil__(self) -> Any:
        return integer("ceil", self)

    def __float__(self) -> float:
        raise NotTraced("a function that takes a float")

    def __int__(self) -> int:
        raise NotTraced("a function that takes an int")

    __index__ = __int__

    def __iter__(self) -> Iterator[Any]:
        raise NotTraced("iteration over an element")

    def __contains__(self, part: Any) -> bool:
        raise NotTraced("`in` a text")

    def __getitem__(self, key: Any) -> Any:
        raise NotTraced("a part of an element, by `[]`")

    def __len__(self) -> int:
        raise NotTraced("len")

    def __lshift__(self, other: Any) -> Any:
        raise NotTraced("`<<`")

    def __rshift__(self, other: Any) -> Any:
        raise NotTraced("`>>`")

    __rlshift__, __rrshift__ = __lshift__, __rshift__

    def __str__(self) -> str:
        raise NotTraced("str")

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        from cuprum.core.functions.texts import formatted

        return self.trace.mark(formatted(self, how))

    def __getattr__(self, name: str) -> Any:
        raise NotTraced(f"the attribute `{name}` of an element")

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        operator = {"add": "+", "subtract": "-", "multiply": "*"}.get(function.__name__)
        operator = operator or {
            "true_divide": "/",
            "divide": "/",
            "floor_divide": "//",
            "remainder": "%",
        }.get(function.__name__)
        if method == "__call__" and operator and not kwargs:
            return arithmetic(operator, *inputs)
        if method == "__call__" and function.__name__ in _COMPARISONS and not kwargs:
            return compare(_COMPARISONS[function.__name__], *inputs)
        raise NotTraced(f"numpy.{function.__name__}")


_COMPARISONS = {
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}


def _operators() -> None:
    """Give stand-ins the operators."""
    for name, op in {
        "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
        "and": "&", "or": "|", "xor": "^",
    }.items():  # fmt: skip
        setattr(Traced, f"__{name}__", lambda self, other, op=op: self._arithmetic(op, other, False))
        setattr(Traced, f"__r{name}__", lambda self, other, op=op: self._arithmetic(op, other, True))
    for name, op in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
        setattr(Traced, f"__{name}__", lambda self, other, op=op: compare(op, self, other))
    # Defining equality took the hash away, which is as wanted: a set would not ask for it.


_operators()


def _trace_of(*values: Any) -> Trace:
    return next(value.trace for value in values if isinstance(value, Traced))


def _bounds(value: Any) -> tuple[int, int]:
    if isinstance(value, Traced):
        return (0, 1) if value.kind == "bool" else value.bounds
    return int(value), int(value)


def number_of(trace: Trace, value: Any) -> int:
    """Return the step that has a value."""
    if isinstance(value, Traced):
        return value.number
    kind = kind_of(value)
    plain = {"bool": bool, "int": int, "float": float, "np": float, "str": str}[kind](value)
    if kind == "int" and not INT64[0] <= plain <= INT64[1]:
        raise NotTraced("an integer beyond 64 bits")
    return trace.literal(plain)


def as_kind(trace: Trace, value: Any, kind: str) -> int:
    """Return the step of a value as an integer or a float."""
    if not isinstance(value, Traced):
        if kind == "int":
            return number_of(trace, int(value))
        try:
            return trace.literal(float(value))
        except OverflowError:
            raise NotTraced("an integer beyond the range of floats") from None
    if value.kind == "time":
        raise NotTraced("a time as a number")
    own = "float" if value.kind == "np" else value.kind
    return value.number if own == kind else trace.step("cast", value.number, TYPES[kind])


def _is_beyond(trace: Trace, value: Any, limit: int, what: str) -> None:
    """Note that no integer may be above a limit, in either direction."""
    low, high = _bounds(value)
    if -limit <= low and high <= limit:
        return
    if not isinstance(value, Traced):
        raise NotTraced(what)
    above = trace.step(">", value.number, trace.literal(limit))
    below = trace.step("<", value.number, trace.literal(-limit))
    trace.guard(trace.step("|", above, below), what)


def _may_miss(*values: Any) -> bool:
    return any(isinstance(value, Traced) and value.may_miss for value in values)


def arithmetic(op: str, left: Any, right: Any) -> Any:
    """Return the result of an operator, one of whose operands is a stand-in."""
    trace = _trace_of(left, right)
    kinds = {kind_of(left), kind_of(right)}
    if "str" in kinds:
        raise NotTraced(f"`{op}` of a text")
    if "time" in kinds:
        raise NotTraced(f"`{op}` of a time")
    if op in "&|^":
        if kinds == {"bool"}:
            return Traced(trace, trace.step(op, number_of(trace, left), number_of(trace, right)), "bool")
        raise NotTraced(f"`{op}` of numbers")
    if op == "**":
        return _power(trace, left, right)
    if kinds <= {"int", "bool"} and op != "/":
        return _of_integers(trace, op, left, right)
    is_numpy = "np" in kinds
    if kinds <= {"int", "bool"}:
        for value in (left, right):
            _is_beyond(trace, value, EXACT, "a quotient of integers beyond 2 ** 53")
    a, b = as_kind(trace, left, "float"), as_kind(trace, right, "float")
    if op in ("/", "//", "%") and not (is_numpy and op == "/"):
        b = _divisor(trace, right, b, 1.0)
    made = trace.step(op, a, b)
    return Traced(trace, made, "np" if is_numpy else "float", _may_miss(left, right))


def _divisor(trace: Trace, right: Any, number: int, instead: Any) -> int:
    """Return a divisor that is not 0 in any row, also where the way to it is not gone."""
    if not isinstance(right, Traced):
        if right == 0:
            raise ZeroDivisionError("division by zero")
        return number
    if right.kind == "int" and (right.bounds[0] > 0 or right.bounds[1] < 0):
        return number
    is_zero = _null_free(trace, trace.step("==", number, trace.literal(type(instead)(0))), right)
    trace.guard(is_zero, "a division by zero")
    return trace.step("choose", is_zero, trace.literal(instead), number)


def _of_integers(trace: Trace, op: str, left: Any, right: Any) -> Any:
    a, b = as_kind(trace, left, "int"), as_kind(trace, right, "int")
    (low, high), (least, most) = _bounds(left), _bounds(right)
    if op in ("//", "%"):
        b = _divisor(trace, right, b, 1)
        if low == INT64[0] and least <= -1 <= most:
            raise NotTraced("a quotient beyond 64 bits")
        largest = max(abs(low), abs(high)) if op == "//" else max(abs(least), abs(most))
        return Traced(trace, trace.step(op, a, b), "int", bounds=(-largest, largest))
    if op == "+":
        bounds = low + least, high + most
    elif op == "-":
        bounds = low - most, high - least
    else:
        products = [x * y for x in (low, high) for y in (least, most)]
        bounds = min(products), max(products)
    if bounds[0] < INT64[0] or bounds[1] > INT64[1]:
        # As floats, whose error is far below what is left to 2 ** 63.
        x, y = (trace.step("abs", trace.step("cast", n, "float64")) for n in (a, b))
        size = trace.step("*" if op == "*" else "+", x, y)
        trace.guard(trace.step(">", size, trace.literal(9.2e18)), "an integer beyond 64 bits")
        bounds = max(bounds[0], INT64[0]), min(bounds[1], INT64[1])
    return Traced(trace, trace.step(op, a, b), "int", bounds=bounds)


def _power(trace: Trace, base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Traced):
        raise NotTraced("`**` with an exponent of elements")
    kind = kind_of(base)
    if kind in ("int", "bool") and kind_of(exponent) == "int":
        if not 0 <= exponent <= MOST_FACTORS:
            raise NotTraced(f"`**` of integers with the exponent {exponent}")
        result: Any = 1
        for _ in range(exponent):
            result = _of_integers(trace, "*", result, base) if isinstance(result, Traced) else +base
        return result
    number = as_kind(trace, base, "float")
    made = trace.step("**", number, trace.literal(float(exponent)))
    size = trace.step("abs", made)
    is_infinite = _null_free(trace, trace.step("==", size, trace.literal(math.inf)), base)
    is_new = trace.both(trace.step("missing", made), trace.negated(trace.step("missing", number)))
    trace.guard(trace.step("|", is_infinite, is_new), "a power that is no finite number")
    return Traced(trace, made, "np" if "np" in (kind, kind_of(exponent)) else "float", _may_miss(base))


def _null_free(trace: Trace, flag: int, *operands: Any) -> int:
    """Return a condition that is false where an operand is missing."""
    if not _may_miss(*operands):
        return flag
    return trace.step("choose", flag, trace.literal(True), trace.literal(False))


def compare(op: str, left: Any, right: Any) -> Any:
    """Return the result of a comparison, one of whose operands is a stand-in."""
    trace = _trace_of(left, right)
    for value in (left, right):
        if value is None or isinstance(value, (tuple, Row)):
            return _unlike(op)
    kinds = {kind_of(left), kind_of(right)}
    if ("str" in kinds and kinds != {"str"}) or ("time" in kinds and kinds != {"time"}):
        return _unlike(op)
    if "str" in kinds and op not in ("==", "!="):
        for value in (left, right):
            if _may_miss(value):  # which is a NaN, and no text
                trace.guard(trace.step("missing", value.number), "a missing text that is compared")
    if kinds & {"float", "np"}:
        for value in (left, right):
            if kind_of(value) == "int":
                _is_beyond(trace, value, EXACT, "a comparison of a float with an integer beyond 2 ** 53")
        a, b = as_kind(trace, left, "float"), as_kind(trace, right, "float")
    elif kinds == {"int", "bool"}:
        a, b = as_kind(trace, left, "int"), as_kind(trace, right, "int")
    else:
        a, b = number_of(trace, left), number_of(trace, right)
    if op == "!=":
        flag = trace.negated(trace.step("==", a, b))
    else:
        flag = _null_free(trace, trace.step(op, a, b), left, right)
    return Traced(trace, flag, "bool")


def _unlike(op: str) -> bool:
    if op in ("==", "!="):
        return op == "!="
    raise TypeError(f"'{op}' not supported between instances of these types")


def function_of_float(op: str, value: Traced, *, kind: str | None = None) -> Traced:
    """Return what a function gives that knows floats alone."""
    trace = value.trace
    number = as_kind(trace, value, "float")
    return Traced(trace, trace.step(op, number), kind or value.kind, value.may_miss)


def integer(op: str, value: Any) -> Any:
    """Return a float rounded to an integer of Python."""
    if not isinstance(value, Traced):
        by_name: dict[str, Callable[[Any], Any]] = {
            "rint": round,
            "trunc": int,
            "floor": math.floor,
            "ceil": math.ceil,
        }
        return by_name[op](value)
    if value.kind in ("str", "time"):
        raise NotTraced("an integer of a text or a time")
    if value.kind == "bool":
        return arithmetic("+", 0, value)
    if value.kind == "int":
        return value
    trace = value.trace
    rounded = trace.step(op, value.number)
    fits = trace.step("<=", trace.step("abs", rounded), trace.literal(float(EXACT)))
    fits = trace.step("choose", fits, trace.literal(True), trace.literal(False))
    trace.guard(trace.negated(fits), "a float beyond 2 ** 53, or NaN, as an integer")
    safe = trace.step("choose", fits, rounded, trace.literal(0.0))
    return Traced(trace, trace.step("cast", safe, "int64"), "int", bounds=(-EXACT, EXACT))


class Row:
    """A stand-in for a row: its elements by their labels."""

    def __init__(self, elements: dict[Any, Traced]) -> None:
        object.__setattr__(self, "_elements", elements)

    def __getitem__(self, label: Any) -> Any:
        if type(label) is not str or label not in self._elements:
            raise NotTraced(f"row[{label!r}]")
        return self._elements[label]

    def __getattr__(self, name: str) -> Any:
        if hasattr(objects.Series, name) or name not in self._elements:
            raise NotTraced(f"the attribute `{name}` of a row")
        return self._elements[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise NotTraced("an attribute that it assigns to")

    def __len__(self) -> int:
        raise NotTraced("len of a row")

    def __iter__(self) -> Iterator[Any]:
        raise NotTraced("iteration over a row")

    def __contains__(self, label: Any) -> bool:
        raise NotTraced("`in` a row")
