"""Values that take the place of categories."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.dtypes import CategoricalDtype

__all__ = ["among_categories"]


def among_categories(values: Any, dtype: Any) -> Any:
    """Return a column or the handle of a series as categories of a type; ``TypeError`` for what is none of them."""
    if not isinstance(values, (Column, _cuprum.Series)):
        return values
    given = _cuprum.Series(values) if isinstance(values, Column) else values
    if isinstance(given.dtype(), CategoricalDtype):
        if given.dtype() != dtype:
            raise TypeError("Cannot set a Categorical with another, without identical categories")
        return values
    made = given.astype(dtype)
    if made.reduce("count") < given.reduce("count"):
        raise TypeError("Cannot setitem on a Categorical with a new category, set the categories first")
    return made.column() if isinstance(values, Column) else made
