"""Texts among labels that are durations: what they name."""

from __future__ import annotations

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

    ``"6 days"`` are all durations from six days on that are below seven, as of pandas.
    """
    named = named_duration(text, index)
    if named is None:
        return text
    import pandas as pd

    step = named.resolution_string
    first = named.round(step)
    if not last:
        return first
    end = first + pd.tseries.frequencies.to_offset(step) - pd.Timedelta(1, "ns")
    return end.floor(index.dtype(0).unit)
