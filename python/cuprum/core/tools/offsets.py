"""Frequencies and offsets of pandas: what they mean for columns of times."""

from __future__ import annotations

import re
import time
import warnings
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.slow_calls import warn_if_slow

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series

__all__ = [
    "changed_clocks",
    "infer_freq",
    "is_fixed",
    "is_offset",
    "known_frequency",
    "moved",
    "rounded",
    "shown",
    "spelled",
    "through_pandas",
    "to_offset",
]

# Spelled by pandas as they are given.
_PLAIN = re.compile(r"([1-9][0-9]*)?(D|h|min|s|ms|us|ns|B|ME|MS|BME|BMS)")

_DAY = 86_400_000_000_000  # nanoseconds


def to_offset(freq: Any) -> Any:
    """Return pandas' offset for a text, a timedelta or an offset; ``ValueError`` for what is none."""
    from pandas.tseries.frequencies import to_offset

    if isinstance(freq, str) and freq.count("|") == 2:  # of `spelled`
        text, weekmask, holidays = freq.split("|")
        plain = to_offset(text)
        if hasattr(plain, "holidays"):
            return type(plain)(plain.n, False, weekmask, holidays.split(",") if holidays else None)
    return to_offset(freq)


def spelled(freq: Any) -> str | None:
    """Return a frequency as pandas writes it; None for one that no text says, as a DateOffset.

    Days of business of other weeks and those with holidays follow: ``"C|Mon Tue|2026-01-05"``. `to_offset` reads it.
    """
    if freq is None:
        return None
    if isinstance(freq, str) and (found := _PLAIN.fullmatch(freq)):
        return freq if found[1] != "1" else found[2]
    offset = to_offset(freq)
    text: str = offset.freqstr
    try:
        if to_offset(text) == offset:
            return text
        text += f"|{offset.weekmask}|{','.join(map(str, offset.holidays))}"
        return text if to_offset(text) == offset else None
    except (AttributeError, TypeError, ValueError):
        return None


def shown(frequency: str | None) -> str | None:
    """Return what is printed of a frequency that `spelled` returned: not its holidays, as in pandas."""
    return None if frequency is None else frequency.partition("|")[0]


def is_offset(value: Any) -> bool:
    """Whether a value is one of pandas' offsets."""
    if type(value).__module__.partition(".")[0] != "pandas":
        return False
    from pandas.tseries.offsets import BaseOffset

    return isinstance(value, BaseOffset)


def known_frequency(freq: Any) -> str | None:
    """Return a frequency as the text that the library knows it by; None for one that only pandas knows.

    ``ValueError`` for an argument that is no frequency.
    """
    if isinstance(freq, str) and _cuprum.is_frequency(freq):
        return freq
    offset = to_offset(freq)
    if offset is None:
        raise ValueError(f"`freq` is {freq!r}, no frequency")
    if offset.normalize:
        return None
    if type(offset).__name__ == "Week" and offset.weekday is None:
        return f"{7 * offset.n}D"
    return offset.freqstr if _cuprum.is_frequency(offset.freqstr) else None


def moved(times: Any, offset: Any, sign: int = 1) -> Any:
    """Return a series of times moved by an offset."""
    from pandas import DateOffset, Timedelta
    from pandas.errors import PerformanceWarning
    from pandas.tseries.offsets import Day, Tick

    handle, n = times._handle, sign * offset.n
    if isinstance(offset, (Tick, Day)) and not offset.normalize:
        if isinstance(offset, Day) and handle.dtype().kind == "M":
            return objects.wrap_series(handle.dt_offset(None, 0, n * _DAY, False))
        length = Timedelta(days=offset.n).as_unit("s") if isinstance(offset, Day) else Timedelta(offset)
        return times + length if sign > 0 else times - length
    if handle.dtype().kind != "M":
        raise TypeError(f"cannot move {handle.dtype()} by {offset!r}: durations have no calendar")
    normalize = bool(offset.normalize)
    if type(offset) is DateOffset:
        kwds = offset.kwds
        if set(kwds) <= {"months", "years"}:
            months = (kwds.get("months", 0) + 12 * kwds.get("years", 0)) * n
            if isinstance(months, int) and kwds:
                return objects.wrap_series(handle.dt_offset(None, months, 0, normalize))
    elif type(offset).__name__ == "Week" and offset.weekday is None:
        return objects.wrap_series(handle.dt_offset(None, 0, 7 * n * _DAY, normalize))
    elif _cuprum.is_frequency(offset.freqstr):
        return objects.wrap_series(handle.dt_offset((offset.freqstr, n), 0, 0, normalize))
    # Rules with holidays and the like, which pandas alone knows.
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PerformanceWarning)
        result = times.to_pandas() + offset if sign > 0 else times.to_pandas() - offset
    warn_if_slow(
        f"{offset!r} is worked out by pandas, which takes long: rules like it are not compiled",
        len(times),
        time.perf_counter() - began,
    )
    return through_pandas(result, times)


def through_pandas(result: Any, like: Any) -> Any:
    """Return a series of pandas with the row labels and the name of ``like``."""
    handle = like._handle
    column = objects.Series(result.reset_index(drop=True))._handle.column()
    return objects.wrap_series(_cuprum.Series(column, handle.name(), handle.index()))


def is_fixed(freq: Any) -> bool:
    """Whether a frequency is a fixed distance: days, or shorter units."""
    from pandas.tseries.offsets import Day, Tick

    return isinstance(to_offset(freq), (Day, Tick))


def rounded(series: Any, how: str, freq: Any, ambiguous: Any, nonexistent: Any) -> Any:
    """Return times or durations rounded by ``how`` to a multiple of a fixed distance."""
    clocks = changed_clocks(how, ambiguous, nonexistent)
    return objects.wrap_series(series._handle.dt_round(how, _distance(freq), *clocks))


def _distance(freq: Any) -> str:
    """Return the fixed distance that times are rounded to, as the library writes it."""
    try:
        text = known_frequency(freq)
    except (ValueError, TypeError) as error:
        raise ValueError(f"Invalid frequency: {freq}") from error
    if text is None or not is_fixed(text):
        raise ValueError(f"{to_offset(freq)!r} is a non-fixed frequency")
    return text


def changed_clocks(function: str, ambiguous: Any, nonexistent: Any) -> tuple[str, str]:
    """Return what becomes of times that clocks show twice or never, as the library names it."""
    if isinstance(ambiguous, bool):
        ambiguous = "earlier" if ambiguous else "later"
    elif not isinstance(ambiguous, str) or ambiguous not in {"raise", "NaT"}:
        raise NotImplementedError(f"{function}: `ambiguous` = {ambiguous!r} is not supported")
    if not isinstance(nonexistent, str):
        raise NotImplementedError(f"{function}: `nonexistent` = {nonexistent!r} is not supported")
    return ambiguous, nonexistent


def infer_freq(index: Index | Series | Any) -> str | None:
    """Return the frequency of regular times.

    Parameters
    ----------
    index : DatetimeIndex, TimedeltaIndex or Series
        The times, at least three.

    Returns
    -------
    str or None
        The frequency by its name; None where times are not regular.

    Raises
    ------
    TypeError
        If elements are no times.
    ValueError
        If there are fewer than three.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.infer_freq(cuprum.date_range("2026-01-31", periods=3, freq="ME"))
    'ME'
    >>> cuprum.infer_freq(cuprum.DatetimeIndex(["2026-01-01", "2026-01-02", "2026-01-04"])) is None
    True
    """
    import pandas as pd

    with warnings.catch_warnings():
        # The warning of an offset in another version of pandas is no advice about our own result.
        warnings.simplefilter("ignore", DeprecationWarning)
        return pd.infer_freq(index.to_pandas() if hasattr(index, "to_pandas") else index)
