"""What ``Series.dt`` is to type checkers: times and lengths of time differ in their dtype alone."""

from __future__ import annotations

from cuprum.core.accessors.datetime import DatetimeProperties
from cuprum.core.accessors.timedelta import TimedeltaProperties

__all__ = ["CombinedDatetimelikeProperties"]


class CombinedDatetimelikeProperties(DatetimeProperties, TimedeltaProperties):
    """The parts of times and of lengths of time."""
