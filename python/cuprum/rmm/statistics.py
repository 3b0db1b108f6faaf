"""Memory that a piece of code uses.

>>> import cuprum
>>> from cuprum.rmm import statistics
>>> statistics.enable_statistics()
>>> df = cuprum.DataFrame({"x": range(1_000_000)})
>>> with statistics.statistics():
...     doubled = df * 2
...     used = statistics.get_statistics()
>>> used.peak_bytes
8000000
>>> statistics.disable_statistics()
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager
from dataclasses import dataclass, field
from typing import Any

from cuprum._cuprum import Statistics
from cuprum.rmm import mr

__all__ = [
    "ProfilerRecords",
    "Statistics",
    "default_profiler_records",
    "disable_statistics",
    "enable_statistics",
    "get_statistics",
    "pop_statistics",
    "profiler",
    "push_statistics",
    "statistics",
]


def _adaptor() -> mr.StatisticsResourceAdaptor | None:
    current = mr.get_current_device_resource()
    return current if isinstance(current, mr.StatisticsResourceAdaptor) else None


def enable_statistics() -> None:
    """Count what is allocated from the current memory resource from now on.

    Nothing happens where it is counted already.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.rmm import statistics
    >>> statistics.enable_statistics()
    >>> series = cuprum.Series([1, 2, 3], dtype="int64")
    >>> statistics.get_statistics().current_bytes
    24
    >>> statistics.disable_statistics()
    """
    if _adaptor() is None:
        mr.set_current_device_resource(mr.StatisticsResourceAdaptor(mr.get_current_device_resource()))


def disable_statistics() -> None:
    """Stop counting, and allocate from the resource behind again.

    Nothing happens where nothing is counted.

    Examples
    --------
    >>> from cuprum.rmm import statistics
    >>> statistics.enable_statistics()
    >>> statistics.disable_statistics()
    >>> statistics.get_statistics() is None
    True
    """
    adaptor = _adaptor()
    if adaptor is not None:
        mr.set_current_device_resource(adaptor.get_upstream())


def get_statistics() -> Statistics | None:
    """Return the counts since the innermost `push_statistics`.

    Returns
    -------
    Statistics or None
        The current, the most and all bytes, and the numbers of allocations; None where nothing is counted.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.rmm import statistics
    >>> statistics.enable_statistics()
    >>> series = cuprum.Series([1, 2, 3], dtype="int64")
    >>> statistics.get_statistics().total_bytes
    24
    >>> statistics.disable_statistics()
    """
    adaptor = _adaptor()
    return None if adaptor is None else adaptor.allocation_counts


def push_statistics() -> Statistics | None:
    """Begin a section that counts from zero.

    Returns
    -------
    Statistics or None
        What the surrounding section has counted; None where nothing is counted.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.rmm import statistics
    >>> statistics.enable_statistics()
    >>> before = statistics.push_statistics()
    >>> series = cuprum.Series([1, 2, 3], dtype="int64")
    >>> statistics.pop_statistics().peak_bytes
    24
    >>> statistics.disable_statistics()
    """
    adaptor = _adaptor()
    return None if adaptor is None else adaptor.push_counters()


def pop_statistics() -> Statistics | None:
    """End the innermost section and return what it counted.

    Returns
    -------
    Statistics or None
        The counts of the section; None where nothing is counted.

    Raises
    ------
    IndexError
        Where no section was begun.

    Examples
    --------
    >>> from cuprum.rmm import statistics
    >>> statistics.enable_statistics()
    >>> before = statistics.push_statistics()
    >>> statistics.pop_statistics().total_bytes
    0
    >>> statistics.disable_statistics()
    """
    adaptor = _adaptor()
    return None if adaptor is None else adaptor.pop_counters()


@contextmanager
def statistics() -> Iterator[None]:
    """Count in a section of its own for the ``with`` block.

    Yields
    ------
    None
        `get_statistics` has the counts, within the block.

    Raises
    ------
    ValueError
        Where statistics are not enabled, or another resource became current inside the block.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.rmm import statistics
    >>> statistics.enable_statistics()
    >>> with statistics.statistics():
    ...     series = cuprum.Series([1, 2, 3], dtype="int64")
    ...     used = statistics.get_statistics()
    >>> used.peak_bytes
    24
    >>> statistics.disable_statistics()
    """
    adaptor = _adaptor()
    if adaptor is None:
        raise ValueError("statistics are not enabled; call enable_statistics() first")
    adaptor.push_counters()
    try:
        yield
    finally:
        if mr.get_current_device_resource() is not adaptor:
            raise ValueError("the current memory resource was changed inside the block")
        adaptor.pop_counters()


@dataclass
class MemoryRecord:
    """The counts under one name."""

    num_calls: int = 0
    memory_total: int = 0
    memory_peak: int = 0
    seconds: float = 0.0

    def add(self, memory_total: int, memory_peak: int, seconds: float) -> None:
        """Count one more call."""
        self.num_calls += 1
        self.memory_total += memory_total
        self.memory_peak = max(self.memory_peak, memory_peak)
        self.seconds += seconds


@dataclass
class ProfilerRecords:
    """Records by name."""

    records: dict[str, MemoryRecord] = field(default_factory=dict)

    def report(self, ordered_by: str = "memory_peak") -> str:
        """Return the records as a table.

        Parameters
        ----------
        ordered_by : str, default ``'memory_peak'``
            The field by which the largest record comes first: ``'num_calls'``, ``'memory_total'``,
            ``'memory_peak'`` or ``'seconds'``.

        Returns
        -------
        str
            A line of headings, and one for each record.

        Raises
        ------
        ValueError
            For another field.

        Examples
        --------
        >>> from cuprum.rmm import statistics
        >>> records = statistics.ProfilerRecords()
        >>> records.report()
        '   calls      peak bytes     total bytes    seconds  name'
        """
        if ordered_by not in MemoryRecord.__dataclass_fields__:
            raise ValueError(
                f"`ordered_by` is {ordered_by!r}; use one of {list(MemoryRecord.__dataclass_fields__)}"
            )
        rows = sorted(self.records.items(), key=lambda item: getattr(item[1], ordered_by), reverse=True)
        lines = [f"{'calls':>8} {'peak bytes':>15} {'total bytes':>15} {'seconds':>10}  name"]
        lines += [
            f"{r.num_calls:>8} {r.memory_peak:>15,} {r.memory_total:>15,} {r.seconds:>10.4f}  {name}"
            for name, r in rows
        ]
        return "\n".join(lines)


#: Where `profiler` keeps its records unless told otherwise.
default_profiler_records = ProfilerRecords()


class profiler(ContextDecorator):
    """Record time and memory of a function (as a decorator) or a ``with`` block.

    Parameters
    ----------
    records
        Where to keep the records.
    name
        The name to record under; a decorated function's own by default, needed for a block.

    Counts nothing where statistics are not enabled.
    """

    def __init__(self, *, records: ProfilerRecords = default_profiler_records, name: str = "") -> None:
        self._records = records
        self._name = name
        self._open: list[tuple[bool, float]] = []

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:  # type: ignore[override]
        """Record every call of ``func``."""
        name = self._name or f"{func.__module__}.{func.__qualname__}"

        @functools.wraps(func)
        def profiled(*args: Any, **kwargs: Any) -> Any:
            with profiler(records=self._records, name=name):
                return func(*args, **kwargs)

        return profiled

    def __enter__(self) -> profiler:
        if not self._name:
            raise ValueError("a block needs a `name` to be recorded under")
        self._open.append((push_statistics() is not None, time.perf_counter()))
        return self

    def __exit__(self, *exc: object) -> None:
        counting, start = self._open.pop()
        counted = pop_statistics() if counting else None
        if counted is not None:
            record = self._records.records.setdefault(self._name, MemoryRecord())
            record.add(counted.total_bytes, counted.peak_bytes, time.perf_counter() - start)
