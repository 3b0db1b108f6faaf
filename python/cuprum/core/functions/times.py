"""Stand-ins for times: their parts, and their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuprum.core.functions.trace import NotTraced, Trace
from cuprum.core.functions.tracer import Traced

__all__ = ["Time"]

# Parts of a time that are integers, by their names for formulas, with their bounds.
_PARTS = {
    "year": ("year", -300_000, 300_000),
    "month": ("month", 1, 12),
    "day": ("day", 1, 31),
    "hour": ("hour", 0, 23),
    "minute": ("minute", 0, 59),
    "second": ("second", 0, 59),
    "microsecond": ("microsecond", 0, 999_999),
    "nanosecond": ("nanosecond", 0, 999),
    "quarter": ("quarter", 1, 4),
    "dayofweek": ("dayofweek", 0, 6),
    "day_of_week": ("dayofweek", 0, 6),
    "dayofyear": ("dayofyear", 1, 366),
    "day_of_year": ("dayofyear", 1, 366),
    "days_in_month": ("daysinmonth", 28, 31),
    "daysinmonth": ("daysinmonth", 28, 31),
}
_FLAGS = (
    "is_leap_year", "is_month_start", "is_month_end", "is_quarter_start", "is_quarter_end", "is_year_start",
    "is_year_end",
)  # fmt: skip


class Time(Traced):
    """A stand-in for a time; a missing one has no parts."""

    __slots__ = ()

    def __init__(self, trace: Trace, number: int, may_miss: bool) -> None:
        super().__init__(trace, number, "time", may_miss)

    __hash__ = None

    def _part(self, name: str, kind: str, bounds: tuple[int, int]) -> Traced:
        trace = self.trace
        if self.may_miss:
            trace.guard(trace.step("missing", self.number), "a missing time")
        part = trace.step("component", self.number, name)
        if kind == "int":
            part = trace.step("cast", part, "int64")
        return Traced(trace, part, kind, bounds=bounds)

    def __getattr__(self, name: str) -> Any:
        if name in _PARTS:
            part, low, high = _PARTS[name]
            return self._part(part, "int", (low, high))
        if name in _FLAGS:
            return self._part(name.replace("_", ""), "bool", (0, 1))
        raise NotTraced(f"the attribute `{name}` of a time")

    def weekday(self) -> Traced:
        """Return the day of the week, Monday being 0."""
        return self._part("dayofweek", "int", (0, 6))

    def isoweekday(self) -> Traced:
        """Return the day of the week, Monday being 1."""
        return self._part("isoday", "int", (1, 7))

    def __bool__(self) -> bool:
        return True

    def _refuse(self, *_: Any) -> Any:
        raise NotTraced("an operator of times")

    __neg__ = __pos__ = __abs__ = __trunc__ = __floor__ = __ceil__ = _refuse
    __round__: Callable[..., Any] = _refuse
    __format__: Callable[..., str] = _refuse
