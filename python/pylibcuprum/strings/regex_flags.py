"""Flags of regular expressions."""

from __future__ import annotations

from enum import IntFlag

__all__ = ["RegexFlags"]


class RegexFlags(IntFlag):
    """Flags of regular expressions."""

    DEFAULT = 0
    IGNORECASE = 2
    """Case does not matter."""
    MULTILINE = 8
    """``^`` and ``$`` match at lines."""
    DOTALL = 16
    """The dot matches line ends too."""
