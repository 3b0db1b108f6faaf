"""An end of a text, or both."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["SideType"]


class SideType(IntEnum):
    """An end of a text, or both."""

    LEFT = 0
    RIGHT = 1
    BOTH = 2
