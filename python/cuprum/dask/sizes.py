"""How many bytes of a frame are in memory: those that have been spilled to a file are not."""

from __future__ import annotations

from typing import Any

import cuprum

__all__ = ["bytes_in_memory"]


def bytes_in_memory(obj: Any) -> int:
    """Return the bytes of the values and labels of a frame, series or index that are in memory."""
    if isinstance(obj, cuprum.Index):
        return int(obj.memory_usage())
    usage = obj.memory_usage(index=True)
    return int(usage if obj.ndim == 1 else usage.sum())
