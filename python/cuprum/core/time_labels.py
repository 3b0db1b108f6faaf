"""Frames and series whose labels are times or periods: `resample`, `tz_convert`, `to_period` and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.construction import column_from
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    pass

__all__ = ["at_labels"]


def at_labels(
    obj: Any, index: Any, method: str | None, limit: int | None = None, fill_value: Any = None
) -> Any:
    """Return the rows with the labels of an index; for others that which ``method`` says, or ``fill_value``.

    ``ValueError`` where a label of ``obj`` repeats and, with a method, where they are not in order.
    """
    import numpy as np

    own = obj.index
    if not own.is_unique:
        raise ValueError("cannot reindex on an axis with duplicate labels")
    if not len(index):
        return obj._wrap(obj._handle.head(0).with_index(index._handle))
    if method is None and fill_value is None:
        return obj.reindex(index)
    rows = own.get_indexer(index, method, limit)
    present = rows >= 0
    if method is None:
        result = obj.reindex(index)
        return result if present.all() else _where(result, present, fill_value)
    taken = obj._wrap(
        obj._handle.take(Column.from_numpy(np.where(present, rows, 0))).with_index(index._handle)
    )
    return taken if present.all() else _where(taken, present, None)


def _where(obj: Any, present: Any, other: Any) -> Any:
    """Return elements of the rows that are ``present``, ``other`` in the rest."""
    flags = _cuprum.Series(column_from(present), None, obj._handle.index())
    return obj.where(wrap_series(flags), other)
