"""Features of the build."""

from __future__ import annotations

__all__ = ["is_ptds_enabled"]


def is_ptds_enabled() -> bool:
    """Return whether the build gives each thread a default stream of its own.

    Returns
    -------
    bool
        Always False: streams are objects here (see `pylibcuprum.utils`).

    Examples
    --------
    >>> is_ptds_enabled()
    False
    """
    return False
