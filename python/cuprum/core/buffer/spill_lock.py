"""`acquire_spill_lock`: memory whose address is in use stays where it is for a while."""

from __future__ import annotations

import threading
from contextlib import ContextDecorator
from typing import Any

from cuprum._cuprum import SpillLock as _Lock

__all__ = ["SpillLock", "acquire_spill_lock", "get_spill_lock"]


class SpillLock:
    """Keeps the buffers whose addresses were asked for where they are, as long as it lives."""

    __slots__ = ("_locks",)

    def __init__(self) -> None:
        self._locks: list[_Lock] = []

    def add(self, lock: _Lock) -> None:
        """Keep one more buffer where it is.

        Parameters
        ----------
        lock : SpillLock of the extension module
            The hold on the buffer, which ``get_ptr`` gives.

        Examples
        --------
        >>> import cuprum
        >>> from cuprum.core.buffer import acquire_spill_lock, get_spill_lock
        >>> series = cuprum.Series([1, 2, 3])
        >>> with acquire_spill_lock() as lock:
        ...     address = series.data.get_ptr(mode="read")  # adds the buffer of the series to `lock`
        >>> lock is get_spill_lock()
        False
        """
        self._locks.append(lock)


class _OfThread(threading.local):
    lock: SpillLock | None = None
    depth: int = 0


_of_thread = _OfThread()


def get_spill_lock() -> SpillLock | None:
    """Return the lock of this thread.

    Returns
    -------
    SpillLock or None
        The lock of the outermost `acquire_spill_lock` around the call; None outside of it.

    Examples
    --------
    >>> from cuprum.core.buffer import acquire_spill_lock, get_spill_lock
    >>> with acquire_spill_lock() as lock:
    ...     get_spill_lock() is lock
    True
    """
    return _of_thread.lock


class acquire_spill_lock(ContextDecorator):
    """Keep memory whose address is asked for in a block or function from being moved until its end.

    Outside of it ``get_ptr`` exposes a buffer that can be moved, for good. A context manager and a
    decorator; it may be nested, where the outermost counts, and is for one thread.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.core.buffer import acquire_spill_lock
    >>> series = cuprum.Series([1, 2, 3])
    >>> with acquire_spill_lock():
    ...     address = series.data.get_ptr(mode="read")
    >>> series.data.exposed
    False
    """

    def __enter__(self) -> SpillLock:
        if _of_thread.lock is None:
            _of_thread.lock = SpillLock()
        _of_thread.depth += 1
        return _of_thread.lock

    def __exit__(self, *_: Any) -> None:
        _of_thread.depth -= 1
        if _of_thread.depth == 0:
            _of_thread.lock = None
