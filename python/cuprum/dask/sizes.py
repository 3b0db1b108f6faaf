"""How many bytes of a frame are in memory: columns that have been spilled are not."""

from __future__ import annotations

from typing import Any

import cuprum

__all__ = ["bytes_in_memory"]


def bytes_in_memory(obj: Any) -> int:
    """Return the bytes of the values and labels of a frame, series or index that have not been spilled."""
    handle = obj._handle
    if isinstance(obj, cuprum.Index):
        return _of_labels(handle, int(obj.memory_usage()))
    if isinstance(obj, cuprum.Series):
        own, columns = [obj.memory_usage(index=False)], [handle.column()]
    else:
        own, columns = obj.memory_usage(index=False).to_list(), handle.columns()
    there = sum(int(n) for n, column in zip(own, columns, strict=True) if not column._is_spilled())
    return there + _of_labels(handle.index(), int(obj.index.memory_usage()))


def _of_labels(index: Any, nbytes: int) -> int:
    """Return the bytes of labels, none where one of their levels has been spilled."""
    if not nbytes:
        return 0
    return 0 if any(index.column(i)._is_spilled() for i in range(index.nlevels())) else nbytes
