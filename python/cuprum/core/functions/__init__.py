"""Functions of Python over elements and rows, as formulas where they can be one.

A function is *traced*: called with stand-ins for its arguments, which note what is done with them. Where it asks
whether a stand-in is true, it is called once for either answer, so that branches become choices between values.
What is noted becomes one formula (``_cuprum.formula_columns``) with the results of calling the function for
every element: Python's integers have no limit, its divisions by zero are errors, and so on. Where elements would show
a difference, there is a *guard*, a condition that no element may meet; all of them are looked at in one pass before.

Only functions that do nothing but compute are traced: what their code consists of is looked at first. What is no
formula, or meets a guard, is called for every element, with a `PerformanceWarning` that says why. So are functions
of windows, for which there are no formulas. Functions of groups are computed for all of them at once, by stand-ins of
their own (`groups`).
"""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from cuprum.core.functions import records
from cuprum.core.functions.formulas import formula_of_elements, formula_of_rows
from cuprum.core.functions.trace import NotTraced
from cuprum.errors import PerformanceWarning

__all__ = [
    "NotTraced",
    "called",
    "called_for_each",
    "formula_of_elements",
    "formula_of_rows",
    "frames_to_caller",
    "warn_of_calls",
    "warn_of_elements",
]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep


def called(
    function: Any,
    elements: Iterable[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    label_of: Callable[[int], Any],
) -> list[Any]:
    """Return the results of a function that is called for every element; what it raises has a note with the row."""
    results: list[Any] = []
    with records.allowed():
        for element in elements:
            try:
                results.append(function(element, *args, **kwargs))
            except Exception as error:
                error.add_note(f"in the row {label_of(len(results))!r}")
                raise
    return results


def warn_of_elements(function: Any, why: NotTraced) -> None:
    """Warn that a function is called for each element, and why it is no formula."""
    warn_of_calls(function, "element", f"a formula cannot have {why}")


def warn_of_calls(function: Any, each: str, why: str) -> None:
    """Warn whoever calls the library that a function is called for each element, group or window, and why."""
    warnings.warn(
        f"{_name_of(function)} is called for each {each}, which takes long: {why}",
        PerformanceWarning,
        stacklevel=frames_to_caller(),
    )


def called_for_each(
    function: Any,
    items: Iterable[tuple[Any, Any]],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    where: str,
) -> list[Any]:
    """Return the results of a function that is called for each of pairs of a label and an argument.

    What it raises has a note with ``where`` and the label, which may be a function that finds it.
    """
    results = []
    with records.allowed():
        for label, item in items:
            try:
                results.append(function(item, *args, **kwargs))
            except Exception as error:
                error.add_note(f"{where} {(label() if callable(label) else label)!r}")
                raise
    return results


def _name_of(function: Any) -> str:
    while isinstance(function, functools.partial) and not hasattr(function, "__name__"):
        function = function.func
    names = (getattr(function, name, None) for name in ("__qualname__", "__name__"))
    return next(filter(None, names), type(function).__name__)


def frames_to_caller() -> int:
    """Return the ``stacklevel`` for a warning of whoever calls the library."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        depth, frame = depth + 1, frame.f_back
    return depth
