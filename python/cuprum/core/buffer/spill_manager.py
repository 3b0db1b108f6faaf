"""The manager that moves memory out of the way when there is not enough of it.

Switched on by ``cuprum.set_option("spill", True)`` or ``CUPRUM_SPILL=on``; see `cuprum.options` for the
limits.
"""

from __future__ import annotations

from typing import NamedTuple

from cuprum import _cuprum

__all__ = ["ManagedBuffer", "SpillManager", "SpillStatistics", "get_global_manager"]


class ManagedBuffer(NamedTuple):
    """One allocation that the manager knows."""

    device: str
    """The device whose columns it holds: ``"cpu"``, ``"cuda:0"``, …"""
    tier: str
    """The tier of the bytes: ``"gpu"``, ``"cpu"`` or ``"disk"``."""
    nbytes: int
    spillable: bool
    """Whether it can be moved at this moment: nobody uses it and it was not exposed."""
    last_accessed: int
    """When it was last used, by a clock that counts uses."""


class SpillStatistics:
    """Counts of spilled bytes and of exposed memory, at the moment of the call.

    Level 0 counts nothing, 1 bytes and seconds of moves, 2 also exposures, with the frames of the program
    that led to each. The level is the option ``spill_stats``.
    """

    __slots__ = ("_text", "exposes", "level", "spill_totals")

    def __init__(self) -> None:
        self.level: int
        self.spill_totals: dict[tuple[str, str], tuple[int, float]]
        """Bytes and seconds by where from and where to, such as ``("gpu", "cpu")``."""
        self.exposes: dict[str, tuple[int, int, int]]
        """The number of spills, their bytes, and bytes that had to be brought back, by traceback."""
        self.level, self.spill_totals, self.exposes, self._text = _cuprum.spill_statistics()

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text


class SpillManager:
    """Knows every buffer that can be moved and moves the least recently used ones first."""

    __slots__ = ()

    @property
    def statistics(self) -> SpillStatistics:
        """The counts of spilled bytes and exposed memory so far; print them."""
        return SpillStatistics()

    def reset_statistics(self) -> None:
        """Forget what was counted so far.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.option_context("spill", True):
        ...     cuprum.core.buffer.get_global_manager().reset_statistics()
        """
        _cuprum.spill_reset_statistics()

    def buffers(self, order_by_access_time: bool = False) -> tuple[ManagedBuffer, ...]:
        """Return every allocation that is managed.

        Parameters
        ----------
        order_by_access_time : bool, default False
            Whether the least recently used comes first; else in no order.

        Returns
        -------
        tuple of ManagedBuffer
            The device, the tier, the bytes and the last use of each.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.option_context("spill", True):
        ...     series = cuprum.Series(range(1000))
        ...     buffers = cuprum.core.buffer.get_global_manager().buffers()
        >>> any(buffer.nbytes >= 8000 and buffer.tier == "cpu" for buffer in buffers)
        True
        """
        buffers = [ManagedBuffer(*buffer) for buffer in _cuprum.spill_buffers()]
        if order_by_access_time:
            buffers.sort(key=lambda buffer: buffer.last_accessed)
        return tuple(buffers)

    def usage(self) -> dict[tuple[str, str], int]:
        """Return the bytes of columns by device and tier.

        Returns
        -------
        dict
            Bytes under pairs such as ``("cpu", "disk")``: the device whose columns they are, and where they lie.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.option_context("spill", True):
        ...     series = cuprum.Series(range(1000))
        ...     usage = cuprum.core.buffer.get_global_manager().usage()
        >>> usage["cpu", "cpu"] >= 8000
        True
        """
        sums: dict[tuple[str, str], int] = {}
        for buffer in self.buffers():
            where = buffer.device, buffer.tier
            sums[where] = sums.get(where, 0) + buffer.nbytes
        return sums

    def spill_device_memory(self, nbytes: int, device: str = "cpu") -> int:
        """Move memory of a device away, the least recently used first.

        Parameters
        ----------
        nbytes : int
            The bytes that are moved at least, as far as there are so many that can be.
        device : str, default "cpu"
            The device: ``"cpu"``, from which memory goes to disk, or ``"cuda:0"`` and its kin.

        Returns
        -------
        int
            The bytes that were moved.

        Raises
        ------
        OSError
            Where the disk is full; the memory stays where it was then.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.option_context("spill", True):
        ...     series = cuprum.Series(range(1000))
        ...     moved = cuprum.core.buffer.get_global_manager().spill_device_memory(8000)
        >>> moved >= 8000, series.sum()
        (True, np.int64(499500))
        """
        return _cuprum.spill_device_memory(nbytes, device)

    def spill_to_device_limit(self, device_limit: int | None = None, device: str = "cpu") -> int:
        """Move the memory of a device that is over a limit away, the least recently used first.

        Parameters
        ----------
        device_limit : int, optional
            The bytes that may stay; those of the option ``spill_device_limit`` without it.
        device : str, default "cpu"
            The device: ``"cpu"``, or ``"cuda:0"`` and its kin.

        Returns
        -------
        int
            The bytes that were moved.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.option_context("spill", True):
        ...     series = cuprum.Series(range(1000))
        ...     moved = cuprum.core.buffer.get_global_manager().spill_to_device_limit(0)
        >>> moved >= 8000
        True
        """
        return _cuprum.spill_to_device_limit(device_limit, device)

    def __repr__(self) -> str:
        limit = _cuprum.spill_option("spill_device_limit")
        usage = ", ".join(f"{tier} of {device}: {n}B" for (device, tier), n in self.usage().items())
        return (
            f"<SpillManager spill_on_demand={_cuprum.spill_option('spill_on_demand')} "
            f"device_limit={'N/A' if limit is None else limit} | {usage or 'no buffers'}>"
        )


_MANAGER = SpillManager()


def get_global_manager() -> SpillManager | None:
    """Return the manager of memory that can be moved away.

    Returns
    -------
    SpillManager or None
        The one manager of the process; None while the option ``spill`` is off.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.core.buffer import get_global_manager
    >>> get_global_manager() is None
    True
    >>> with cuprum.option_context("spill", True):
    ...     get_global_manager() is None
    False
    """
    return _MANAGER if _cuprum.spill_option("spill") else None
