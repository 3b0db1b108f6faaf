"""Bytes of a frame in memory: those of its own rows, without spilled columns."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum._cuprum import ChunkedPack, Table
from cuprum.core.objects import wrap_index

__all__ = ["bytes_in_memory", "bytes_of_rows"]


def bytes_in_memory(obj: Any) -> int:
    """Return the bytes of the rows of a frame, series or index, labels and all, that have not been spilled.

    Rows of a frame that others are slices of count once: each slice has its own.
    """
    return _bytes([column for column in _columns(obj, True) if not column._is_spilled()])


def bytes_of_rows(obj: Any, index: bool = True) -> int:
    """Return the bytes of the rows of a frame, series or index, spilled or not; of labels, too, if ``index``."""
    return _bytes(_columns(obj, index))


def _columns(obj: Any, index: bool) -> list[Any]:
    handle = obj._handle
    if isinstance(obj, cuprum.Index):
        columns, rows = [], handle
    else:
        columns = [handle.column()] if isinstance(obj, cuprum.Series) else list(handle.columns())
        rows = handle.index()
    if index and not isinstance(wrap_index(rows), cuprum.RangeIndex):
        columns += [rows.column(i) for i in range(rows.nlevels())]
    return columns


def _bytes(columns: list[Any]) -> int:
    return ChunkedPack.create(Table(columns), 1 << 20).get_total_contiguous_size() if columns else 0
