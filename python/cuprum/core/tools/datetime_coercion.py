"""Coercion of values that are compared with times and durations: texts are parsed, dates are refused, as in pandas."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Any

from cuprum._cuprum import Column
from cuprum.core import objects

__all__ = ["as_element", "as_elements", "is_date", "refuse_date"]


def as_element(text: str, dtype: Any) -> Any:
    """Return a text as an element of a type of times or durations; ``TypeError`` where it is none."""
    import pandas as pd

    try:
        return pd.Timestamp(text, tz=dtype.tz) if dtype.kind == "M" else pd.Timedelta(text)
    except ValueError:
        raise TypeError(f"Invalid comparison between dtype={dtype} and {text!r}") from None


def as_elements(texts: Column, dtype: Any) -> Column:
    """Return texts as elements of a type of times or durations; ``TypeError`` where one is none."""
    import pandas as pd

    made: Any = objects.Index._kinds[dtype.kind]
    theirs = pd.DatetimeIndex if dtype.kind == "M" else pd.TimedeltaIndex
    try:
        return made(texts, dtype=str(dtype))._column()
    except ValueError:
        with suppress(ValueError):  # each may be of another form
            return made(theirs(texts.to_pylist(), dtype=str(dtype)))._column()
    raise TypeError(f"Invalid comparison between dtype={dtype} and texts that are none")


def is_date(value: Any) -> bool:
    """Whether a value is a day of Python, which is no time."""
    return isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)


def refuse_date(other: Any, dtype: Any) -> None:
    """Raise ``TypeError`` for a day of Python beside times."""
    if dtype.kind == "M" and is_date(other):
        raise TypeError(f"Invalid comparison between dtype={dtype} and date: use a Timestamp")
