"""From a traced function to a column: every way through its branches, as choices of one formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuprum import _cuprum
from cuprum.core.functions.bytecode import traceable_call
from cuprum.core.functions.texts import TEXT_STEPS, Text, put_together
from cuprum.core.functions.times import Time
from cuprum.core.functions.trace import TYPES, NotTraced, Trace
from cuprum.core.functions.tracer import INT64, Row, Traced, as_kind, kind_of, number_of

__all__ = ["formula_of_elements", "formula_of_rows"]

# Results that a function may have: each is one way through its branches.
MOST_WAYS = 64

# Errors that end a formula, not the function: too deep a tree, texts on a GPU where nothing goes by way of
# the host, and texts that take too much memory on ways that no element goes.
_NO_FORMULA = (ValueError, NotImplementedError, MemoryError, OverflowError)

_KINDS = {"bool": "bool", "string": "str", "str": "str", "float32": "float", "float64": "float"}
_TIMES = ("datetime64[s]", "datetime64[ms]", "datetime64[us]", "datetime64[ns]")
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")


class _Raised:
    """A way on which the function raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _ways(trace: Trace, call: Callable[[Any], Any], element: Any) -> list[tuple[int, Any]]:
    """Return the results of the function with the condition for each, on all ways through its branches."""
    results: list[tuple[int, Any]] = []
    answers: list[bool] = []
    while True:
        trace.answers, trace.asked = list(answers), []
        try:
            result: Any = call(element)
            if type(result) is str:
                result = put_together(trace, result)
            kind_of(result)
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
    errors = [result.error for _, result in results if isinstance(result, _Raised)]
    results = [(way, result) for way, result in results if not isinstance(result, _Raised)]
    if not results:
        raise NotTraced(f"the {type(errors[0]).__name__} that it raises for every element")
    kinds = {"float" if kind_of(result) == "np" else kind_of(result) for _, result in results}
    if "time" in kinds:
        raise NotTraced("times as results")
    flags = list(trace.guards)
    if kinds == {"int", "float"}:
        floats = [way for way, result in results if kind_of(result) in ("float", "np")]
        flags += floats
    elif len(kinds) > 1:
        raise NotTraced(f"results of different types ({' and '.join(sorted(kinds))})")
    try:
        # Texts are computed once, for guards and results; numbers in passes that write nothing but results.
        at_once = len(kinds) == 1 and any(step[0] in TEXT_STEPS for step in trace.steps)
        if at_once:
            chosen = _chosen(trace, results, next(iter(kinds)))
            *found, column = _cuprum.formula_columns(columns, trace.steps, [*flags, chosen])
            met = [bool(_cuprum.Series(flag).reduce("any")) for flag in found]
        else:
            met = _cuprum.formula_any(columns, trace.steps, flags) if flags else []
    except _NO_FORMULA as error:
        raise NotTraced(str(error)) from None
    for flag, is_met in zip(flags, met, strict=True):
        if is_met and flag in trace.guards:
            raise NotTraced(trace.guards[flag])
    if not at_once:
        kind = kinds.pop() if len(kinds) == 1 else "float" if any(met[len(trace.guards) :]) else "int"
        chosen = _chosen(trace, results, kind)
        try:
            (column,) = _cuprum.formula_columns(columns, trace.steps, [chosen])
        except _NO_FORMULA as error:
            raise NotTraced(str(error)) from None
    if column.null_count() == len(column) and str(column.dtype) == "str":
        raise NotTraced("missing texts alone as results")
    return column


def _chosen(trace: Trace, results: list[tuple[int, Any]], kind: str) -> int:
    """Return the step of the results, each where its condition holds."""

    def number(result: Any) -> int:
        if kind == "int" and kind_of(result) in ("float", "np"):
            return trace.literal(0)  # no element has it
        if kind in ("int", "float"):
            return as_kind(trace, result, kind)
        return number_of(trace, result)

    chosen = number(results[-1][1])
    for way, result in reversed(results[:-1]):
        chosen = trace.step("choose", way, number(result), chosen)
    if trace.present is not None:
        # As a list of results and NaN: integers become floats.
        if kind == "int":
            chosen, kind = trace.step("cast", chosen, "float64"), "float"
        nothing = trace.step("literal", None, TYPES[kind])
        return trace.step("choose", trace.present, chosen, nothing)
    if trace.steps[chosen][0] == "literal":
        # A column of as many rows.
        yes = trace.step("missing", trace.step("column", 0))
        chosen = trace.step("choose", yes, chosen, chosen)
    return chosen


def _element(trace: Trace, column: Any, position: int, *, is_numpy: bool = False) -> Traced:
    """Return the stand-in for the elements of a column."""
    name = str(column.dtype)
    number = trace.step("column", position)
    kind = "int" if name in _INTEGERS else _KINDS.get(name)
    if name in _TIMES and column.null_count() < len(column):
        return Time(trace, number, column.null_count() > 0)
    if kind is None:
        raise NotTraced(f"elements of type {name}")
    has_nulls = column.null_count() > 0
    if has_nulls and (kind not in ("float", "str") or column.null_count() == len(column)):
        raise NotTraced(f"missing elements of type {name}")
    if kind == "str":
        return Text(trace, number, frozenset([position]), has_nulls)
    if name not in ("bool", "float64", "int64"):
        number = trace.step("cast", number, TYPES[kind])
    bounds = INT64
    if kind == "int":
        if name == "int64":
            handle = _cuprum.Series(column)
            bounds = int(handle.reduce("min")), int(handle.reduce("max"))
        else:
            bits = int(name.lstrip("uint"))
            bounds = (0, 2**bits - 1) if name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return Traced(trace, number, "np" if kind == "float" and is_numpy else kind, has_nulls, bounds)


def formula_of_elements(
    function: Any, column: Any, args: tuple[Any, ...], kwargs: dict[str, Any], skips: bool = False
) -> Any:
    """Return the column of a function's results for the elements of a column; raises `NotTraced`.

    With ``skips`` the function does not get missing elements, whose results are missing.
    """
    trace = Trace([column])
    element = _element(trace, column, 0)
    if skips:
        if element.kind not in ("str", "float"):
            raise NotTraced("missing elements that are left out")
        element.may_miss = False
        trace.present = trace.negated(trace.step("missing", element.number))
        (is_any,) = _cuprum.formula_any([column], trace.steps, [trace.present])
        if not is_any:
            raise NotTraced("missing elements alone")
    return _formula([column], trace, _ways(trace, traceable_call(function, args, kwargs), element))


def formula_of_rows(
    function: Any, labels: list[Any], columns: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return the column of a function's results for the rows of columns; raises `NotTraced`.

    Rows of numbers alone are of NumPy's numbers, of one type, as in pandas; others of Python's.
    """
    trace = Trace(columns)
    names = [str(column.dtype) for column in columns]
    are_numbers = all(name in (*_INTEGERS, "uint64", "float32", "float64") for name in names)
    are_floats = are_numbers and any(name.startswith("float") for name in names)
    if are_numbers and len(set(names)) > 1 and not {*names} <= {"int64", "float64"}:
        raise NotTraced("rows of numbers of several types")
    if are_numbers and names[0] not in ("int64", "float64"):
        raise NotTraced(f"rows of {names[0]}")
    elements = {}
    for position, (label, column) in enumerate(zip(labels, columns, strict=True)):
        if type(label) is str and str(column.dtype) in (*_INTEGERS, *_KINDS, *_TIMES):
            try:
                element = _element(trace, column, position, is_numpy=are_numbers)
            except NotTraced:
                continue
            if are_floats and element.kind == "int":
                element = Traced(trace, as_kind(trace, element, "float"), "np")
            elements[label] = element
    if not elements or len(set(labels)) != len(labels):
        raise NotTraced("rows without elements that can be computed with, or labels that come twice")
    return _formula(columns, trace, _ways(trace, traceable_call(function, args, kwargs), Row(elements)))
