"""pandas' expressions (``col("a") * 2``), and callables, which stand for what they make of a frame."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["is_deferred", "resolved"]


def is_deferred(value: Any) -> bool:
    """Whether a value is an expression of pandas; it imports nothing."""
    column = sys.modules.get("pandas.core.col")
    return column is not None and isinstance(value, column.Expression)


def resolved(value: Any, frame: Any) -> Any:
    """Return what a callable or an expression makes of a frame; all else as it is."""
    if is_deferred(value):  # which is callable, to be more of an expression
        return value._eval_expression(frame)
    return value(frame) if callable(value) else value
