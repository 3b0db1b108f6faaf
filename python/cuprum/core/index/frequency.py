"""The frequency of the times of an index, which slices and copies keep."""

from __future__ import annotations

from typing import Any

from cuprum.core import objects
from cuprum.core.tools.offsets import infer_freq, is_fixed, is_offset, spelled, to_offset

__all__ = ["checked", "kept_by_move", "with_frequency"]


def with_frequency(index: Any, freq: Any) -> Any:
    """Return an index whose times are known to have a frequency."""
    return objects.wrap_index(index._handle.with_frequency(spelled(freq)))


def checked(index: Any, freq: Any) -> str | None:
    """Return the text of a frequency that an index is said to have; ``ValueError`` where it has not.

    ``'infer'`` is the one that its times have.
    """
    if freq is None:
        return None
    if isinstance(freq, str) and freq == "infer":
        try:
            return spelled(infer_freq(index))
        except ValueError:
            return None
    offset = to_offset(freq)
    if len(index):
        import pandas as pd

        first, is_duration = index[0], index.dtype.kind == "m"
        try:
            if is_duration:
                expected: Any = pd.timedelta_range(first, periods=len(index), freq=offset, unit=index.unit)
            else:
                expected = pd.date_range(first, periods=len(index), freq=offset, unit=index.unit)
            conforms = bool((objects.Index(expected) == index).all())
        except (ValueError, TypeError):
            conforms = False
        if not conforms:
            raise ValueError(
                f"Inferred freq {index.inferred_freq} from passed values does not conform to passed "
                f"frequency {offset.freqstr}"
            )
    return spelled(offset)


def kept_by_move(index: Any, other: Any) -> str | None:
    """Return the frequency of times that are all moved by one duration, None where they may have none."""
    text = index._handle.frequency()
    if text is None or not is_fixed(text):
        return None
    import datetime

    import numpy as np

    if isinstance(other, (datetime.datetime, np.datetime64)):
        return text
    is_duration = isinstance(other, (datetime.timedelta, np.timedelta64))
    if not is_duration and is_offset(other):
        is_duration = is_fixed(other)
    if not is_duration or (text.endswith("D") and getattr(index.dtype, "tz", None) is not None):
        return None
    return text
