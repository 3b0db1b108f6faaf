"""Columns from and to the objects of other libraries, sharing memory where the layouts agree."""

from __future__ import annotations

from typing import Any

from cuprum._cuprum import Column, columns_from_arrow, columns_to_stream
from cuprum.interop import as_column, to_numpy

__all__ = ["as_column", "from_arrow", "to_arrow", "to_numpy"]


def from_arrow(obj: Any) -> Column | tuple[list[str], list[Column]]:
    """Return the column of an Arrow array, or names and columns of a stream of record batches.

    Examples
    --------
    >>> from_arrow(Column.from_iterable_of_py([1, 2])).size()
    2
    """
    if hasattr(obj, "__arrow_c_stream__"):
        names, columns, _ = columns_from_arrow(obj)
        return names, columns
    return Column.from_arrow(obj)


def to_arrow(columns: list[Column], names: list[str]) -> object:
    """Return columns of one length as an Arrow stream of one record batch, in a PyCapsule."""
    return columns_to_stream(names, columns, columns[0].size() if columns else 0)
