"""Null and NaN apart: counts of nulls, and NaN as null."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, _tables

__all__ = ["without_nan"]


def without_nan(handle: Any) -> Any:
    """Return a handle of a frame, a series or an index of one level with NaN as null."""
    if isinstance(handle, _cuprum.DataFrame):
        return handle.with_columns([_without_nan(column) for column in handle.columns()])
    if isinstance(handle, _cuprum.Series):
        return _cuprum.Series(_without_nan(handle.column()), handle.name(), handle.index())
    if handle.nlevels() != 1 or handle.kind() != "f":
        return handle
    return _cuprum.Index.from_columns([_without_nan(handle.column(0))], handle.names())


def _without_nan(column: Column) -> Column:
    return _tables.column_nans_to_nulls(column) if column.dtype.kind == "f" else column
