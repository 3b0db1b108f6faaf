"""Functions of Python over elements and rows, as formulas where they can be one.

A function is *traced*: called with stand-ins for its arguments, which note what is done with them. Where it asks
whether a stand-in is true, it is called once for either answer, so that branches become choices between values.
What is noted becomes one formula (``_cuprum.formula_columns``) with the results of calling the function for
every element: Python's integers have no limit, its divisions by zero are errors, and so on. Where elements would show
a difference, there is a *guard*, a condition that no element may meet; all of them are looked at in one pass before.

Only functions that do nothing but compute are traced: what their code consists of is looked at first. What is no
formula, or meets a guard, is called for every element, with a `PerformanceWarning` that says why.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import math
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from cuprum import _cuprum
from cuprum.errors import PerformanceWarning

__all__ = ["called", "formula_of_elements", "formula_of_rows"]

INT64 = (-(2**63), 2**63 - 1)
# Integers up to here are floats without a loss.
EXACT = 2**53
# Results that a function may have: each is one way through its branches.
MOST_WAYS = 64
# Operations that are noted.
MOST_STEPS = 2000
# Questions on one way: a loop that asks for ever is none for a formula.
MOST_QUESTIONS = 10_000
# Powers that are products.
MOST_FACTORS = 8


class NotTraced(Exception):
    """What a function does that formulas have not."""


# ---- What may be traced ----------------------------------------------------------------------------------

_OPERATIONS = (
    "BINARY_OP",
    "BINARY_SUBSCR",
    "BUILD_TUPLE",
    "CACHE",
    "CALL",
    "CALL_KW",
    "COMPARE_OP",
    "CONTAINS_OP",
    "COPY",
    "COPY_FREE_VARS",
    "END_FOR",
    "EXTENDED_ARG",
    "FOR_ITER",
    "GET_ITER",
    "JUMP_BACKWARD",
    "JUMP_FORWARD",
    "JUMP_IF_FALSE_OR_POP",
    "JUMP_IF_TRUE_OR_POP",
    "KW_NAMES",
    "LOAD_ASSERTION_ERROR",
    "LOAD_ATTR",
    "LOAD_COMMON_CONSTANT",
    "LOAD_CONST",
    "LOAD_DEREF",
    "LOAD_GLOBAL",
    "LOAD_METHOD",
    "LOAD_SMALL_INT",
    "NOP",
    "NOT_TAKEN",
    "POP_ITER",
    "POP_TOP",
    "PRECALL",
    "PUSH_NULL",
    "RAISE_VARARGS",
    "RESUME",
    "RETURN_CONST",
    "RETURN_VALUE",
    "SWAP",
    "TO_BOOL",
    "UNARY_INVERT",
    "UNARY_NEGATIVE",
    "UNARY_NOT",
    "UNARY_POSITIVE",
    "UNPACK_SEQUENCE",
)
_FAMILIES = ("LOAD_FAST", "STORE_FAST", "POP_JUMP_")
_NAMES = {
    "BUILD_LIST": "a list",
    "BUILD_MAP": "a dict",
    "BUILD_SET": "a set",
    "BUILD_STRING": "formatting of texts",
    "FORMAT_VALUE": "formatting of texts",
    "FORMAT_SIMPLE": "formatting of texts",
    "IMPORT_NAME": "an import",
    "IS_OP": "`is`",
    "LOAD_CLOSURE": "a function inside of it",
    "MAKE_CELL": "a function inside of it",
    "MAKE_FUNCTION": "a function inside of it",
    "PUSH_EXC_INFO": "`try`",
    "BEFORE_WITH": "`with`",
    "SETUP_FINALLY": "`try`",
    "STORE_ATTR": "an attribute that it assigns to",
    "STORE_GLOBAL": "a global that it assigns to",
    "STORE_SUBSCR": "an element that it assigns to",
    "YIELD_VALUE": "`yield`",
}


class _Visited(threading.local):
    """The functions that are being looked at, by this thread."""

    def __init__(self) -> None:
        self.functions: list[Any] = []

    def __contains__(self, function: Any) -> bool:
        return any(known is function for known in self.functions)

    def append(self, function: Any) -> None:
        self.functions.append(function)

    def pop(self) -> None:
        self.functions.pop()


_VISITED = _Visited()


def _check_code(code: types.CodeType) -> None:
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise NotTraced("`yield` or `await`")
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise NotTraced("a parameter with `*`")
    before = None
    for step in dis.get_instructions(code):
        name = step.opname
        is_none = (
            before is not None and before.opname in ("LOAD_CONST", "RETURN_CONST") and before.argval is None
        )
        known = name in _OPERATIONS or name.startswith(_FAMILIES) or (name == "IS_OP" and is_none)
        if not known:
            raise NotTraced(_NAMES.get(name, f"the operation {name}"))
        before = step


def _shown(value: Any, name: str) -> Any:
    """Return what a traced function sees of a value that it names: constants, and functions that note calls."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is tuple:
        return tuple(_shown(part, name) for part in value)
    if value is math:
        return _Namespace("math", _MATH)
    if callable(value):
        for known, function in _FUNCTIONS.items():
            if value is known:
                return function
    if isinstance(value, types.FunctionType):
        return _traceable(value)
    if isinstance(value, type) and issubclass(value, Exception):
        return value
    if value is range:
        return value
    module = value.__name__ if isinstance(value, types.ModuleType) else type(value).__module__
    if module == "numpy":
        if isinstance(value, types.ModuleType):
            return _Namespace("numpy", _numpy_functions())
        if type(value).__name__ == "ufunc":
            functions = _numpy_functions()
            if value.__name__ in functions:
                return functions[value.__name__]
        if type(value).__name__ in ("float64", "int64", "bool"):
            return value
    if module in ("pandas", "cuprum") and isinstance(value, types.ModuleType):
        return _Namespace(module, _MISSING)
    raise NotTraced(f"`{name}`, which is {_described(value)}")


def _described(value: Any) -> str:
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    return f"a {type(value).__name__}"


def _traceable(function: types.FunctionType) -> types.FunctionType:
    """Return a function of the same code that sees nothing but what can be traced."""
    if function in _VISITED:
        raise NotTraced("a call of itself")
    _VISITED.append(function)
    try:
        code = function.__code__
        _check_code(code)
        names: dict[str, Any] = {"__builtins__": {"AssertionError": AssertionError}}
        for step in dis.get_instructions(code):
            name = step.argval
            if step.opname != "LOAD_GLOBAL" or name in names:
                continue
            if name in function.__globals__:
                names[name] = _shown(function.__globals__[name], name)
            elif hasattr(builtins, name):
                names[name] = _shown(getattr(builtins, name), name)
            else:
                raise NotTraced(f"the name `{name}`, which is not there")
        cells = []
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                raise NotTraced(f"`{name}`, which has no value") from None
            cells.append(types.CellType(_shown(value, name)))
        defaults = tuple(_shown(value, "a default") for value in function.__defaults__ or ())
        made = types.FunctionType(code, names, function.__name__, defaults, tuple(cells))
        made.__kwdefaults__ = {k: _shown(v, k) for k, v in (function.__kwdefaults__ or {}).items()}
        return made
    finally:
        _VISITED.pop()


class _Namespace:
    """The functions and constants of a module that can be traced."""

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        self._name = name
        self._members = members

    def __getattr__(self, name: str) -> Any:
        try:
            return self._members[name]
        except KeyError:
            raise NotTraced(f"{self._name}.{name}") from None


# ---- Stand-ins -------------------------------------------------------------------------------------------


class Trace:
    """What is noted of a function."""

    def __init__(self) -> None:
        self.steps: list[tuple[Any, ...]] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self.answers: list[bool] = []
        self.asked: list[int] = []
        self.guards: dict[int, str] = {}
        self.questions = 0

    def step(self, *step: Any) -> int:
        key = (*step, *(type(part) for part in step))
        if step[0] == "literal" and isinstance(step[1], float):
            key = (*key, step[1].hex())
        known = self._known.get(key)
        if known is None:
            if len(self.steps) >= MOST_STEPS:
                raise NotTraced(f"more than {MOST_STEPS} operations")
            self.steps.append(step)
            known = self._known[key] = len(self.steps) - 1
        return known

    def literal(self, value: Any) -> int:
        return self.step("literal", value, _TYPES[_kind(value)])

    def both(self, left: int, right: int) -> int:
        return self.step("&", left, right)

    def negated(self, flag: int) -> int:
        return self.step("choose", flag, self.literal(False), self.literal(True))

    def way(self) -> int:
        """Return the condition under which the function is where it is."""
        way = self.literal(True)
        for flag, answer in zip(self.asked, self.answers, strict=False):
            way = self.both(way, flag if answer else self.negated(flag))
        return way

    def guard(self, flag: int, what: str) -> None:
        """Note that no row on the way here may be so."""
        self.guards.setdefault(self.both(self.way(), flag), what)

    def ask(self, flag: int) -> bool:
        self.questions += 1
        if self.questions > MOST_QUESTIONS:
            raise NotTraced(f"more than {MOST_QUESTIONS} questions whether something is true")
        if flag in self.asked:
            return self.answers[self.asked.index(flag)]
        if len(self.asked) == len(self.answers):
            self.answers.append(True)
        self.asked.append(flag)
        return self.answers[len(self.asked) - 1]


_TYPES = {"bool": "bool", "int": "int64", "float": "float64", "np": "float64", "str": "str"}


def _kind(value: Any) -> str:
    if isinstance(value, Traced):
        return value.kind
    for kind, python in (("bool", bool), ("int", int), ("float", float), ("str", str)):
        if type(value) is python:
            return kind
    name = type(value).__name__
    if type(value).__module__ == "numpy" and name in ("float64", "int64", "bool"):
        return {"float64": "np", "int64": "int", "bool": "bool"}[name]
    raise NotTraced("None" if value is None else f"a {type(value).__name__}")


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
        return _arithmetic(op, other, self) if reflected else _arithmetic(op, self, other)

    def __bool__(self) -> bool:
        if self.kind == "bool":
            return self.trace.ask(self.number)
        nothing = "" if self.kind == "str" else 0
        return bool(_compare("!=", self, nothing))

    def __neg__(self) -> Any:
        return _arithmetic("-", 0, self) if self.kind in ("int", "bool") else _function("-", self)

    def __pos__(self) -> Any:
        return _arithmetic("+", 0, self) if self.kind == "bool" else self

    def __abs__(self) -> Any:
        if self.kind == "str":
            raise NotTraced("abs of a text")
        if self.kind in ("float", "np"):
            return _function("abs", self)
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
        return _integer("rint", self)

    def __trunc__(self) -> Any:
        return _integer("trunc", self)

    def __floor__(self) -> Any:
        return _integer("floor", self)

    def __ceil__(self) -> Any:
        return _integer("ceil", self)

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

    def __str__(self) -> str:
        raise NotTraced("str")

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        raise NotTraced("formatting of texts")

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
            return _arithmetic(operator, *inputs)
        if method == "__call__" and function.__name__ in _COMPARISONS and not kwargs:
            return _compare(_COMPARISONS[function.__name__], *inputs)
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
        setattr(Traced, f"__{name}__", lambda self, other, op=op: _compare(op, self, other))
    # Defining equality took the hash away, which is as wanted: a set would not ask for it.


_operators()


def _trace_of(*values: Any) -> Trace:
    return next(value.trace for value in values if isinstance(value, Traced))


def _bounds(value: Any) -> tuple[int, int]:
    if isinstance(value, Traced):
        return (0, 1) if value.kind == "bool" else value.bounds
    return int(value), int(value)


def _number(trace: Trace, value: Any) -> int:
    if isinstance(value, Traced):
        return value.number
    kind = _kind(value)
    plain = {"bool": bool, "int": int, "float": float, "np": float, "str": str}[kind](value)
    if kind == "int" and not INT64[0] <= plain <= INT64[1]:
        raise NotTraced("an integer beyond 64 bits")
    return trace.literal(plain)


def _as_kind(trace: Trace, value: Any, kind: str) -> int:
    """Return the step of a value as an integer or a float."""
    if not isinstance(value, Traced):
        if kind == "int":
            return _number(trace, int(value))
        try:
            return trace.literal(float(value))
        except OverflowError:
            raise NotTraced("an integer beyond the range of floats") from None
    own = "float" if value.kind == "np" else value.kind
    return value.number if own == kind else trace.step("cast", value.number, _TYPES[kind])


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


def _arithmetic(op: str, left: Any, right: Any) -> Any:
    trace = _trace_of(left, right)
    kinds = {_kind(left), _kind(right)}
    if "str" in kinds:
        raise NotTraced(f"`{op}` of a text")
    if op in "&|^":
        if kinds == {"bool"}:
            return Traced(trace, trace.step(op, _number(trace, left), _number(trace, right)), "bool")
        raise NotTraced(f"`{op}` of numbers")
    if op == "**":
        return _power(trace, left, right)
    if kinds <= {"int", "bool"} and op != "/":
        return _of_integers(trace, op, left, right)
    is_numpy = "np" in kinds
    if kinds <= {"int", "bool"}:
        for value in (left, right):
            _is_beyond(trace, value, EXACT, "a quotient of integers beyond 2 ** 53")
    a, b = _as_kind(trace, left, "float"), _as_kind(trace, right, "float")
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
    a, b = _as_kind(trace, left, "int"), _as_kind(trace, right, "int")
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
    kind = _kind(base)
    if kind in ("int", "bool") and _kind(exponent) == "int":
        if not 0 <= exponent <= MOST_FACTORS:
            raise NotTraced(f"`**` of integers with the exponent {exponent}")
        result: Any = 1
        for _ in range(exponent):
            result = _of_integers(trace, "*", result, base) if isinstance(result, Traced) else +base
        return result
    number = _as_kind(trace, base, "float")
    made = trace.step("**", number, trace.literal(float(exponent)))
    size = trace.step("abs", made)
    is_infinite = _null_free(trace, trace.step("==", size, trace.literal(math.inf)), base)
    is_new = trace.both(trace.step("missing", made), trace.negated(trace.step("missing", number)))
    trace.guard(trace.step("|", is_infinite, is_new), "a power that is no finite number")
    return Traced(trace, made, "np" if "np" in (kind, _kind(exponent)) else "float", _may_miss(base))


def _null_free(trace: Trace, flag: int, *operands: Any) -> int:
    """Return a condition that is false where an operand is missing."""
    if not _may_miss(*operands):
        return flag
    return trace.step("choose", flag, trace.literal(True), trace.literal(False))


def _compare(op: str, left: Any, right: Any) -> Any:
    trace = _trace_of(left, right)
    for value in (left, right):
        if value is None or isinstance(value, (tuple, Row)):
            return _unlike(op)
    kinds = {_kind(left), _kind(right)}
    if "str" in kinds and kinds != {"str"}:
        return _unlike(op)
    if kinds & {"float", "np"}:
        for value in (left, right):
            if _kind(value) == "int":
                _is_beyond(trace, value, EXACT, "a comparison of a float with an integer beyond 2 ** 53")
        a, b = _as_kind(trace, left, "float"), _as_kind(trace, right, "float")
    elif kinds == {"int", "bool"}:
        a, b = _as_kind(trace, left, "int"), _as_kind(trace, right, "int")
    else:
        a, b = _number(trace, left), _number(trace, right)
    if op == "!=":
        flag = trace.negated(trace.step("==", a, b))
    else:
        flag = _null_free(trace, trace.step(op, a, b), left, right)
    return Traced(trace, flag, "bool")


def _unlike(op: str) -> bool:
    if op in ("==", "!="):
        return op == "!="
    raise TypeError(f"'{op}' not supported between instances of these types")


def _function(op: str, value: Traced, *, kind: str | None = None) -> Traced:
    trace = value.trace
    number = _as_kind(trace, value, "float")
    return Traced(trace, trace.step(op, number), kind or value.kind, value.may_miss)


def _integer(op: str, value: Any) -> Any:
    """Return a float rounded to an integer of Python."""
    if not isinstance(value, Traced):
        by_name: dict[str, Callable[[Any], Any]] = {
            "rint": round,
            "trunc": int,
            "floor": math.floor,
            "ceil": math.ceil,
        }
        return by_name[op](value)
    if value.kind == "str":
        raise NotTraced("an integer of a text")
    if value.kind == "bool":
        return _arithmetic("+", 0, value)
    if value.kind == "int":
        return value
    trace = value.trace
    rounded = trace.step(op, value.number)
    fits = trace.step("<=", trace.step("abs", rounded), trace.literal(float(EXACT)))
    fits = trace.step("choose", fits, trace.literal(True), trace.literal(False))
    trace.guard(trace.negated(fits), "a float beyond 2 ** 53, or NaN, as an integer")
    safe = trace.step("choose", fits, rounded, trace.literal(0.0))
    return Traced(trace, trace.step("cast", safe, "int64"), "int", bounds=(-EXACT, EXACT))


def _of_math(name: str, op: str, refuses: str | None) -> Callable[[Any], Any]:
    """Return a function of ``math``: what it ``refuses`` is an error for it, a NaN or an infinity for a formula."""

    def function(value: Any) -> Any:
        if not isinstance(value, Traced):
            return getattr(math, name)(value)
        if value.kind == "str":
            raise TypeError("must be real number, not str")
        trace = value.trace
        number = _as_kind(trace, value, "float")
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
    return Traced(value.trace, _as_kind(value.trace, value, "float"), "float", value.may_miss)


def _bool(value: Any) -> Any:
    return value if isinstance(value, Traced) and value.kind == "bool" else bool(value)


def _int(value: Any) -> Any:
    return _integer("trunc", value)


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


_MATH: dict[str, Any] = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "tau": math.tau,
    "fabs": _fabs,
    "isnan": lambda value: _is_missing(_float(value)),
    "isinf": _is_infinite,
    "floor": lambda value: _integer("floor", value),
    "ceil": lambda value: _integer("ceil", value),
    "trunc": lambda value: _integer("trunc", value),
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

_MISSING: dict[str, Any] = {
    "isna": _is_missing,
    "isnull": _is_missing,
    "notna": _is_not_missing,
    "notnull": _is_not_missing,
}

_FUNCTIONS: dict[Any, Any] = {
    **{getattr(math, name): function for name, function in _MATH.items() if callable(function)},
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
        return _function(op, value, kind="np")

    return _only_number(function, f"numpy.{name}")


@functools.cache
def _numpy_functions() -> dict[str, Any]:
    """Return what is traced of NumPy: functions of floats, and of what becomes one."""
    same = ("sqrt", "exp", "expm1", "log", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    other = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh"}

    def absolute(value: Any) -> Any:
        if _kind(value) in ("str", "bool"):
            raise NotTraced(f"numpy.abs of a {_kind(value)}")
        is_float = isinstance(value, Traced) and value.kind != "int"
        return _function("abs", value, kind="np") if is_float else abs(value)

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


class Row:
    """A stand-in for a row: its elements by their labels."""

    def __init__(self, elements: dict[Any, Traced]) -> None:
        object.__setattr__(self, "_elements", elements)

    def __getitem__(self, label: Any) -> Any:
        if type(label) is not str or label not in self._elements:
            raise NotTraced(f"row[{label!r}]")
        return self._elements[label]

    def __getattr__(self, name: str) -> Any:
        from cuprum.core import objects

        if hasattr(objects.Series, name) or name not in self._elements:
            raise NotTraced(f"the attribute `{name}` of a row")
        return self._elements[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise NotTraced("an attribute that it assigns to")


# ---- From a function to a column -------------------------------------------------------------------------


class _Raised:
    """A way on which the function raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _traceable_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[Any], Any]:
    """Return the function of one element or row, of traceable parts."""
    if isinstance(function, functools.partial):
        args, kwargs = (*function.args, *args), {**function.keywords, **kwargs}
        if function.args:
            raise NotTraced("functools.partial with positional arguments")
        function = function.func
    if isinstance(function, types.FunctionType):
        shown: Any = _traceable(function)
    else:
        shown = _shown(function, "the function itself")
        if not callable(shown) or isinstance(shown, (type, _Namespace)):
            raise NotTraced(f"the function itself, which is {_described(function)}")
    args = tuple(_shown(value, "an argument") for value in args)
    kwargs = {name: _shown(value, name) for name, value in kwargs.items()}
    return lambda element: shown(element, *args, **kwargs)


def _ways(trace: Trace, call: Callable[[Any], Any], element: Any) -> list[tuple[int, Any]]:
    """Return the results of the function with the condition for each, on all ways through its branches."""
    results: list[tuple[int, Any]] = []
    answers: list[bool] = []
    while True:
        trace.answers, trace.asked = list(answers), []
        try:
            result: Any = call(element)
            _kind(result)
        except NotTraced:
            raise
        except RecursionError:
            raise NotTraced("a recursion") from None
        except Exception as error:  # of the function, which raises it for an element
            result = _Raised(error)
        # An answer that was not needed is one that the function gave up before.
        answers = trace.answers[: len(trace.asked)]
        trace.answers = answers
        results.append((trace.way(), result))
        if isinstance(result, _Raised):
            trace.guard(trace.literal(True), f"{type(result.error).__name__}: {result.error}")
        if len(results) > MOST_WAYS:
            raise NotTraced(f"more than {MOST_WAYS} ways through its branches")
        while answers and not answers[-1]:
            answers.pop()
        if not answers:
            return results
        answers[-1] = False


def _formula(columns: list[Any], trace: Trace, results: list[tuple[int, Any]]) -> Any:
    """Return the column of the results, each where its condition holds."""
    results = [(way, result) for way, result in results if not isinstance(result, _Raised)]
    if not results:
        raise NotTraced("an error for every element")
    kinds = {"float" if _kind(result) == "np" else _kind(result) for _, result in results}
    flags = list(trace.guards)
    if kinds == {"int", "float"}:
        floats = [way for way, result in results if _kind(result) in ("float", "np")]
        flags += floats
    elif len(kinds) > 1:
        raise NotTraced(f"results of different types ({' and '.join(sorted(kinds))})")
    try:
        met = _cuprum.formula_any(columns, trace.steps, flags) if flags else []
    except ValueError as error:  # too deep
        raise NotTraced(str(error)) from None
    for flag, is_met in zip(flags, met, strict=True):
        if is_met and flag in trace.guards:
            raise NotTraced(trace.guards[flag])
    kind = kinds.pop() if len(kinds) == 1 else "float" if any(met[len(trace.guards) :]) else "int"

    def number(result: Any) -> int:
        if kind == "int" and _kind(result) in ("float", "np"):
            return trace.literal(0)  # no element has it
        if kind in ("int", "float"):
            return _as_kind(trace, result, kind)
        return _number(trace, result)

    chosen = number(results[-1][1])
    for way, result in reversed(results[:-1]):
        chosen = trace.step("choose", way, number(result), chosen)
    if trace.steps[chosen][0] == "literal":
        # A column of as many rows.
        yes = trace.step("missing", trace.step("column", 0))
        chosen = trace.step("choose", yes, chosen, chosen)
    try:
        return _cuprum.formula_columns(columns, trace.steps, [chosen])[0]
    except ValueError as error:
        raise NotTraced(str(error)) from None


_KINDS = {"bool": "bool", "string": "str", "str": "str", "float32": "float", "float64": "float"}
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")


def _element(trace: Trace, column: Any, position: int, *, is_numpy: bool = False) -> Traced:
    """Return the stand-in for the elements of a column."""
    name = str(column.dtype)
    number = trace.step("column", position)
    kind = "int" if name in _INTEGERS else _KINDS.get(name)
    if kind is None:
        raise NotTraced(f"elements of type {name}")
    has_nulls = column.null_count() > 0
    if has_nulls and kind != "float":
        raise NotTraced(f"missing elements of type {name}")
    if name not in ("bool", "float64", "int64") and kind != "str":
        number = trace.step("cast", number, _TYPES[kind])
    bounds = INT64
    if kind == "int":
        if name == "int64":
            handle = _cuprum.Series(column)
            bounds = int(handle.reduce("min")), int(handle.reduce("max"))
        else:
            bits = int(name.lstrip("uint"))
            bounds = (0, 2**bits - 1) if name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return Traced(trace, number, "np" if kind == "float" and is_numpy else kind, has_nulls, bounds)


def formula_of_elements(function: Any, column: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the column of a function's results for the elements of a column; raises `NotTraced`."""
    trace = Trace()
    element = _element(trace, column, 0)
    return _formula([column], trace, _ways(trace, _traceable_call(function, args, kwargs), element))


def formula_of_rows(
    function: Any, labels: list[Any], columns: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return the column of a function's results for the rows of columns; raises `NotTraced`.

    Rows of numbers alone are of NumPy's numbers, of one type, as in pandas; others of Python's.
    """
    trace = Trace()
    names = [str(column.dtype) for column in columns]
    are_numbers = all(name in (*_INTEGERS, "uint64", "float32", "float64") for name in names)
    are_floats = are_numbers and any(name.startswith("float") for name in names)
    if are_numbers and len(set(names)) > 1 and not {*names} <= {"int64", "float64"}:
        raise NotTraced("rows of numbers of several types")
    if are_numbers and names[0] not in ("int64", "float64"):
        raise NotTraced(f"rows of {names[0]}")
    elements = {}
    for position, (label, column) in enumerate(zip(labels, columns, strict=True)):
        if type(label) is str and str(column.dtype) in (*_INTEGERS, *_KINDS):
            try:
                element = _element(trace, column, position, is_numpy=are_numbers)
            except NotTraced:
                continue
            if are_floats and element.kind == "int":
                element = Traced(trace, _as_kind(trace, element, "float"), "np")
            elements[label] = element
    if not elements or len(set(labels)) != len(labels):
        raise NotTraced("rows without elements that can be computed with, or labels that come twice")
    return _formula(columns, trace, _ways(trace, _traceable_call(function, args, kwargs), Row(elements)))


def called(
    function: Any, elements: Any, args: tuple[Any, ...], kwargs: dict[str, Any], why: NotTraced
) -> Any:
    """Return the results of a function that is called for every element, with a warning that says why."""
    name = getattr(function, "__qualname__", None) or type(function).__name__
    warnings.warn(
        f"{name} is called for each element, which takes long: a formula cannot have {why}",
        PerformanceWarning,
        stacklevel=4,
    )
    return [function(element, *args, **kwargs) for element in elements]
