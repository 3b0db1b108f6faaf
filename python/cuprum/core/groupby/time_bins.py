"""Bins of times as pandas describes them: a frequency, which ends belong to bins, from where they are counted."""

from __future__ import annotations

import re
import warnings
from typing import Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.construction import cast_column, column_from
from cuprum.core.stack_level import frames_to_caller
from cuprum.core.tools.offsets import is_fixed, known_frequency, spelled, to_offset

__all__ = ["TimeBins"]

_ORIGINS = ("epoch", "start", "start_day", "end", "end_day")
# Frequencies of last days, which end a bin and name it unless told otherwise.
_LAST_DAYS = frozenset(["ME", "YE", "QE", "BME", "BYE", "BQE", "W"])
_NO_EFFECT = (
    "The '{}' keyword does not take effect when resampling with a 'freq' that is not Tick-like "
    "(h, m, s, ms, us, ns)"
)
_NO_EFFECT_ON_DAYS = (
    "The '{}' keyword does not take effect when resampling with a Day 'freq' unless the index is a "
    "timezone-naive DatetimeIndex"
)


class TimeBins:
    """The bins of times; read from the arguments of ``resample`` and `Grouper`.

    ``ValueError`` for an argument that is no frequency, side, origin or offset.
    """

    __slots__ = ("_length", "_origin", "_text", "closed", "freq", "label", "offset", "origin")

    def __init__(self, freq: Any, closed: Any, label: Any, origin: Any, offset: Any) -> None:
        for name, side in (("label", label), ("closed", closed)):
            if side not in (None, "left", "right"):
                raise ValueError(f"Unsupported value {side} for `{name}`")
        self.freq = freq
        # Weeks without a day of the week are no multiples of seven days here.
        plain_week = type(freq).__name__ == "Week" and getattr(freq, "weekday", 0) is None
        self._text = None if plain_week else known_frequency(freq)
        if self._text is None:
            rule, count = to_offset(freq).rule_code, to_offset(freq).n
        else:
            rule, count = self._text.lstrip("-0123456789 "), -1 if self._text.lstrip().startswith("-") else 1
        if count == 0:
            raise ZeroDivisionError(f"`rule` is {freq!r}: bins have some length")
        if count < 0:
            raise ValueError(f"`rule` is {freq!r}: bins do not go backwards")
        by_end = rule.partition("-")[0] in _LAST_DAYS or (
            isinstance(origin, str) and origin in ("end", "end_day")
        )
        self.closed = closed or ("right" if by_end else "left")
        self.label = label or ("right" if by_end else "left")
        self.origin, self.offset = origin, _duration(offset)
        self._origin = _origin(origin)
        self._length = 0 if offset is None else int(self.offset.as_unit("ns").value)
        if self._text is None or not re.fullmatch(r"D|h|min|s|ms|us|ns", rule):
            self._without_effect(_NO_EFFECT)

    def _without_effect(self, message: str, offset: bool = True) -> None:
        for name, given in (("offset", offset and self.offset is not None), ("origin", self._has_origin())):
            if given:
                warnings.warn(message.format(name), RuntimeWarning, stacklevel=frames_to_caller())

    def _has_origin(self) -> bool:
        return not (isinstance(self.origin, str) and self.origin == "start_day")

    @property
    def is_known(self) -> bool:
        """Whether the bins can be told without looking at times: pandas alone knows the others."""
        return self._text is not None

    def of(self, times: Any) -> tuple[Any, bool, bool, Any, int]:
        """Return the bins of a column of times, as the library takes them.

        ``TypeError`` for a column of other elements, ``ValueError`` for durations and a frequency of the calendar.
        """
        dtype = times.dtype
        if dtype.kind not in "mM":
            raise TypeError(
                "Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got times of " + str(dtype)
            )
        is_day = self._text is not None and self._text.endswith("D")
        if is_day and (dtype.kind == "m" or dtype.tz is not None):
            self._without_effect(_NO_EFFECT_ON_DAYS, dtype.kind == "M")
        if dtype.kind == "m" and (self._text is None or not is_fixed(self._text)):
            raise ValueError(
                "Resampling on a TimedeltaIndex requires fixed-duration `freq`, e.g. '24h' or '3D', "
                f"not {to_offset(self.freq)}"
            )
        bins = self._points(times) if self._text is None else self._text
        return bins, self.closed == "right", self.label == "right", self._origin, self._length

    def _points(self, times: Any) -> tuple[Any, bool]:
        """Return the points between bins by a frequency that only pandas knows, and whether they are last days."""
        import pandas as pd

        offset = to_offset(self.freq)
        of_ends = offset.rule_code.partition("-")[0] in _LAST_DAYS
        series = objects.wrap_series(_cuprum.Series(times))
        first, last = series.min(), series.max()
        if pd.isna(first):
            return times, of_ends
        first, last = first.normalize(), last.normalize()
        first = pd.Timestamp(offset.rollback(first) if self.closed == "left" else first - offset)
        points = pd.date_range(
            freq=offset,
            start=first,
            end=pd.Timestamp(last + offset),
            unit=times.dtype.unit,
            ambiguous=True,
            nonexistent="shift_forward",
        )
        return cast_column(column_from(points), times.dtype), of_ends

    def spelled(self) -> str | None:
        """Return the frequency of the labels of bins."""
        return spelled(self.freq)

    def shown(self) -> Any:
        """Return the frequency as pandas shows it."""
        return to_offset(self.freq)


def _origin(origin: Any) -> Any:
    """Return from where bins are counted: a name, or a column of one time."""
    if isinstance(origin, str) and origin in _ORIGINS:
        return origin
    wanted = (
        "'origin' should be equal to 'epoch', 'start', 'start_day', 'end', 'end_day' or should be a Timestamp"
    )
    return column_from([_scalar("Timestamp", origin, wanted)])


def _duration(offset: Any) -> Any:
    """Return a duration as pandas' scalar; None for None."""
    return None if offset is None else _scalar("Timedelta", offset, "'offset' should be a Timedelta")


def _scalar(kind: str, value: Any, wanted: str) -> Any:
    """Return pandas' scalar of a value; ``ValueError`` that begins with what is ``wanted`` for none."""
    import pandas as pd

    reason: Exception | None = None
    try:
        made = getattr(pd, kind)(value)
    except (ValueError, TypeError) as error:
        made, reason = pd.NaT, error
    if made is pd.NaT:
        raise ValueError(f"{wanted} convertible type. Got '{value}' instead.") from reason
    return made
