"""Features of the build."""

from __future__ import annotations

__all__ = ["is_ptds_enabled"]


def is_ptds_enabled() -> bool:
    """Return whether each thread has a default stream of its own: false."""
    return False
