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
    """Return for each function how often it was called, the bytes it allocated and the most at a time."""
    return statistics.default_profiler_records.records


def print_memory_report(file: TextIO = sys.stdout) -> None:
    """Print what `get_memory_records` returns as a table."""
    print(statistics.default_profiler_records.report(), file=file)
