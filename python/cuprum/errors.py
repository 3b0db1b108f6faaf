"""Errors and warnings, under the names that pandas gives them: its own, but for what Cuprum warns of."""

from __future__ import annotations

from typing import Any

__all__ = ["PerformanceWarning"]


class PerformanceWarning(Warning):
    """Something is done in a way that takes long."""


def __getattr__(name: str) -> Any:
    """Return what pandas has under a name: `MergeError`, `EmptyDataError`, …"""
    if name.startswith("_"):
        raise AttributeError(f"module 'cuprum.errors' has no attribute {name!r}")
    from pandas import errors

    try:
        return getattr(errors, name)
    except AttributeError:
        raise AttributeError(f"module 'cuprum.errors' has no attribute {name!r}") from None
