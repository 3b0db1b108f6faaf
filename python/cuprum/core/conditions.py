"""Conditions of `where` and `mask`, and what stands where they do not hold."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.construction import column_from
from cuprum.core.dtypes import CategoricalDtype
from cuprum.core.missing import is_missing

__all__ = ["among_categories", "are_under", "as_other", "check_condition", "where_by_place"]


def check_condition(cond: Any) -> None:
    """Fail for conditions that are no truth values; missing ones may be of any type."""
    if cond.ndim == 1:
        others = [cond]
    else:
        dtypes = cond._handle.dtypes()
        others = [cond.iloc[:, at] for at, dtype in enumerate(dtypes) if dtype.kind != "b"]
    for column in others:
        if column.dtype.kind != "b" and column.notna().any():
            raise TypeError(f"Boolean array expected for the condition, not {column.dtype}")


def as_other(other: Any) -> Any:
    """Return what stands where a condition does not hold: a handle of a series, a column, a scalar, None."""
    if isinstance(other, objects.Series):
        return other._handle
    if is_list_like(other):
        return column_from(other)
    return None if is_missing(other) else other


def are_under(labels: list[Any], *handles: Any) -> bool:
    """Whether those of some values that are handles of frames have columns of these labels, in this order."""
    frames = [handle for handle in handles if isinstance(handle, _cuprum.DataFrame)]
    return all(handle.labels() == labels for handle in frames)


def where_by_place(handle: Any, condition: Any, values: Any, inplace: bool) -> Any:
    """Return what `where` does of frames with the same labels, some of which repeat: columns are matched by place."""
    numbers = list(range(handle.shape()[1]))
    given = [
        one.with_labels(numbers) if isinstance(one, _cuprum.DataFrame) else one for one in (condition, values)
    ]
    made = handle.with_labels(numbers).where(*given, inplace)
    return made.with_labels(handle.labels(), handle.level_names())


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
