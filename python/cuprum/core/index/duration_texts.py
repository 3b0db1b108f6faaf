"""Texts among labels that are durations: what they name."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["duration_bound", "named_duration"]


def named_duration(text: Any, index: Any) -> Any:
    """Return the duration that a text is among labels of such (a handle of an index), None for everything else."""
    if not isinstance(text, str) or index.nlevels() != 1 or index.dtype(0).kind != "m":
        return None
    import pandas as pd

    try:
        return pd.Timedelta(text)
    except ValueError:
        return None


def duration_bound(text: Any, index: Any, last: bool) -> Any:
    """Return where a slice of labels that are durations begins or ends at a text; other bounds as they are.

    ``"6 days"`` are all durations from six days on that are below seven, ``"144 hours"`` those below 145 hours:
    the finest unit that is written counts, as in pandas.
    """
    named = named_duration(text, index)
    if named is None:
        return text
    import pandas as pd

    step = _finest_unit(text, named)
    first = named.round(step)
    if not last:
        return first
    end = first + pd.tseries.frequencies.to_offset(step) - pd.Timedelta(1, "ns")
    return max(first, end.floor(index.dtype(0).unit))


# From the coarsest to the finest; and what the letters of ISO 8601 stand for, weeks having the days' resolution.
_UNITS = ("D", "h", "min", "s", "ms", "us", "ns")
_OF_ISO = {"W": "D", "D": "D", "H": "h", "M": "min", "S": "s"}


def _finest_unit(text: str, named: Any) -> str:
    """Return the finest unit that a text is written in, or that its value needs (``"1.5 min"`` are seconds)."""
    import pandas as pd

    words = re.findall(r"[^\W\d_]+", text)
    if text.strip().lstrip("+-").startswith("P"):
        units = [_OF_ISO[letter] for letter in "".join(words) if letter in _OF_ISO]
    else:
        units = [pd.Timedelta(f"1 {word}").resolution_string for word in words]
        units.append("s" if ":" in text else units[-1] if units else "ns")
    return max(*units, named.resolution_string, key=_UNITS.index)
