"""The host's memory that Cuprum keeps to use it again."""

from __future__ import annotations

from cuprum._cuprum import trim_memory

__all__ = ["trim"]


def trim() -> None:
    """Give memory that nothing uses back to the system, now.

    Memory of what was deleted is kept for less than a second, so that the next operation need not ask the system for it.
    This is for who measures, or waits for another process to have the memory. Frames, series and what look-ups
    have built stay as they are.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": range(10**6)})
    >>> del frame
    >>> cuprum.memory.trim()
    """
    trim_memory()
