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

import warnings
from typing import Any

from cuprum.core.functions.formulas import formula_of_elements, formula_of_rows
from cuprum.core.functions.trace import NotTraced
from cuprum.errors import PerformanceWarning

__all__ = ["NotTraced", "called", "formula_of_elements", "formula_of_rows"]


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
