"""``Series.dt`` for type checkers: times, durations and periods differ in their dtype alone."""

from __future__ import annotations

from cuprum.core.accessors.datetime import DatetimeProperties
from cuprum.core.accessors.period import PeriodProperties
from cuprum.core.accessors.timedelta import TimedeltaProperties

__all__ = ["CombinedDatetimelikeProperties"]


class CombinedDatetimelikeProperties(DatetimeProperties, TimedeltaProperties, PeriodProperties):
    """The parts of times, of lengths of time and of periods."""
