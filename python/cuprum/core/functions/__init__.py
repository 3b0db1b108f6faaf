"""Functions of Python over elements and rows, as formulas where they can be one.

A function is *traced*: called with stand-ins for its arguments, which note what is done with them. Where it asks
whether a stand-in is true, it is called once for either answer, so that branches become choices between values.
What is noted becomes one formula (``_cuprum.formula_columns``) with the results of calling the function for
every element: Python's integers have no limit, its divisions by zero are errors, and so on. Where elements would show
a difference, there is a *guard*, a condition that no element may meet; all of them are looked at in one pass before.

Only functions that do nothing but compute are traced: what their code consists of is looked at first. What is no
formula, or meets a guard, is called for every element; where that takes long, a `PerformanceWarning` says why. So are functions
of windows, for which there are no formulas. Functions of groups are computed for all of them at once, by stand-ins of
their own (`groups`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cuprum.core.functions.formulas import formula_of_elements, formula_of_rows
from cuprum.core.functions.trace import NotTraced
from cuprum.core.slow_calls import Watch, current

__all__ = [
    "NotTraced",
    "called",
    "called_for_each",
    "formula_of_elements",
    "formula_of_rows",
    "watch_of_elements",
]


def called(
    function: Any,
    elements: Iterable[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    label_of: Callable[[int], Any],
) -> list[Any]:
    """Return the results of a function that is called for every element; what it raises has a note with the row.

    The `Watch` that is current warns of the calls.
    """
    results: list[Any] = []
    watch = current()
    for element in elements if watch is None else watch.over(elements):
        try:
            results.append(function(element, *args, **kwargs))
        except Exception as error:
            error.add_note(f"in the row {label_of(len(results))!r}")
            raise
    return results


def watch_of_elements(function: Any, why: NotTraced, watch: Watch | None = None) -> Watch:
    """Return what warns that a function is called for each element, and why it is no formula.

    ``watch`` is that of the columns of a frame, which are warned of together.
    """
    watch = watch or Watch(function, "element")
    return watch.because(
        f"it cannot be computed for the whole column at once (reason: {why}); operators and methods of columns are faster"
    )


def called_for_each(
    function: Any,
    items: Iterable[tuple[Any, Any]],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    where: str,
) -> list[Any]:
    """Return the results of a function that is called for each of pairs of a label and an argument.

    What it raises has a note with ``where`` and the label, which may be a function that finds it. The `Watch` that is
    current warns of them.
    """
    results = []
    watch = current()
    for label, item in items if watch is None else watch.over(items):
        try:
            results.append(function(item, *args, **kwargs))
        except Exception as error:
            error.add_note(f"{where} {(label() if callable(label) else label)!r}")
            raise
    return results
