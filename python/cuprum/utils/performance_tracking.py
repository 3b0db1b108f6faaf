"""Allocations of functions that `cuprum.rmm.statistics.profiler` decorates, while statistics are on.

>>> import cuprum
>>> from cuprum.rmm import statistics
>>> from cuprum.utils.performance_tracking import get_memory_records
>>> get_memory_records() == statistics.default_profiler_records.records
True
"""

from __future__ import annotations

import sys
from typing import Any, TextIO

from cuprum.rmm import statistics

__all__ = ["get_memory_records", "print_memory_report"]


def get_memory_records() -> dict[str, Any]:
    """Return what the functions that `cuprum.rmm.statistics.profiler` decorates have allocated.

    Returns
    -------
    dict of records
        For each function by name how often it was called (``num_calls``), the bytes that it allocated
        (``memory_total``), the most at a time (``memory_peak``) and the ``seconds`` that it took.

    Notes
    -----
    Nothing is recorded while statistics are off.

    Examples
    --------
    >>> from cuprum.rmm import statistics
    >>> from cuprum.utils.performance_tracking import get_memory_records
    >>> get_memory_records() is statistics.default_profiler_records.records
    True
    """
    return statistics.default_profiler_records.records


def print_memory_report(file: TextIO = sys.stdout) -> None:
    """Print what `get_memory_records` returns as a table.

    Parameters
    ----------
    file : open file, default standard output
        Where the table is printed.

    Examples
    --------
    >>> import io
    >>> from cuprum.utils.performance_tracking import print_memory_report
    >>> file = io.StringIO()
    >>> print_memory_report(file)
    >>> file.getvalue().split()[:3]
    ['calls', 'peak', 'bytes']
    """
    print(statistics.default_profiler_records.report(), file=file)
