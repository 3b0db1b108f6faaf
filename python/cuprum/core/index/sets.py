"""Set operations of indexes: union, intersection and differences of labels."""

from __future__ import annotations

from typing import Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like

__all__ = ["set_operation"]


def set_operation(index: Any, other: Any, op: str, sort: Any) -> Any:
    """Return the labels that ``op`` makes of two indexes, in order where ``sort`` is not False.

    Labels of several kinds, which have no order, stay in order of first appearance. The name is kept where
    both have it, or ``other`` is no index.
    """
    if sort not in (None, True, False):
        raise ValueError(
            f"The 'sort' keyword only takes the values of None, True, or False; {sort} was passed."
        )
    if not is_list_like(other):
        raise TypeError("Input must be Index or array-like")
    named = isinstance(other, objects.Index) or hasattr(other, "names")
    other = objects.Index(other)
    names = list(index.names)
    if named and len(other.names) == len(names):
        names = [a if a == b else None for a, b in zip(names, other.names, strict=True)]
    if op != "symmetric_difference":
        ranges = index._handle.range_operation(op, other._handle)
        if ranges is not None and (op != "union" or sort is not False):
            return objects.wrap_index(ranges.with_names(names))
    labels, stay = _labels(index, other, op)
    if sort is not False and not stay:
        labels = _ordered(labels)
    return objects.wrap_index(labels._handle.with_names(names))


def _labels(index: Any, other: Any, op: str) -> tuple[Any, bool]:
    """Return the labels, and whether they are to stay in this order."""
    if op == "intersection":
        return _once(index, _isin(index, other)), False
    if op == "difference":
        return _once(index, ~_isin(index, other)), not len(other)
    if op == "symmetric_difference":
        return _once(index, ~_isin(index, other)).append(_once(other, ~_isin(other, index))), False
    if not len(other) or index.equals(other):
        return index, True
    if not len(index):
        return other, True
    if index.is_unique and other.is_unique:
        return index.append(other[~_isin(other, index)]), False
    # Of every label as many as the side has that has more.
    mine = index._handle.labels()
    counts: dict[Any, int] = {}
    for label in mine:
        counts[label] = counts.get(label, 0) + 1
    more = []
    for at, label in enumerate(other._handle.labels()):
        if counts.get(label, 0) > 0:
            counts[label] -= 1
        else:
            more.append(at)
    return index.append(other[more]) if more else index, False


def _isin(index: Any, other: Any) -> Any:
    try:
        return index.isin(other)
    except (TypeError, NotImplementedError):  # labels of several kinds, or levels
        import numpy as np

        known = set(other._handle.labels())
        return np.array([label in known for label in index._handle.labels()], dtype=bool)


def _once(index: Any, keep: Any) -> Any:
    return index[keep].unique()


def _ordered(index: Any) -> Any:
    try:
        return index.sort_values()
    except (TypeError, NotImplementedError):
        return index
