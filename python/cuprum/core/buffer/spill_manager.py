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
        """Forget what was counted so far."""
        _cuprum.spill_reset_statistics()

    def buffers(self, order_by_access_time: bool = False) -> tuple[ManagedBuffer, ...]:
        """Return every allocation that is managed, the least recently used first if asked for."""
        buffers = [ManagedBuffer(*buffer) for buffer in _cuprum.spill_buffers()]
        if order_by_access_time:
            buffers.sort(key=lambda buffer: buffer.last_accessed)
        return tuple(buffers)

    def usage(self) -> dict[tuple[str, str], int]:
        """Return the bytes of columns by device and tier, such as ``("cpu", "disk")``."""
        sums: dict[tuple[str, str], int] = {}
        for buffer in self.buffers():
            where = buffer.device, buffer.tier
            sums[where] = sums.get(where, 0) + buffer.nbytes
        return sums

    def spill_device_memory(self, nbytes: int, device: str = "cpu") -> int:
        """Move at least ``nbytes`` of a device's memory away, as far as they can be; return how many went.

        Raises ``OSError`` where the disk is full; the memory stays where it was then.
        """
        return _cuprum.spill_device_memory(nbytes, device)

    def spill_to_device_limit(self, device_limit: int | None = None, device: str = "cpu") -> int:
        """Move what is over ``device_limit`` (or over the option's) away; return how many bytes went."""
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
    """Return the manager of this process, or None while the option ``spill`` is off."""
    return _MANAGER if _cuprum.spill_option("spill") else None
