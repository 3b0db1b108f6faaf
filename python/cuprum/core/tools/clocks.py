"""Times that clocks of a zone show twice or never, treated element by element."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from cuprum.core.arguments import is_list_like

if TYPE_CHECKING:
    import numpy as np

    from cuprum.core.series import Series

__all__ = ["are_each_treated", "localized_each"]


def are_each_treated(ambiguous: Any, nonexistent: Any) -> bool:
    """Whether `localized_each` is for these arguments of ``tz_localize``."""
    is_inferred = isinstance(ambiguous, str) and ambiguous == "infer"
    return is_inferred or is_list_like(ambiguous) or isinstance(nonexistent, timedelta)


def localized_each(times: Series, tz: Any, ambiguous: Any, nonexistent: Any) -> Series:
    """Return times as what clocks in a zone showed, with a treatment of each: see `are_each_treated`."""
    if isinstance(nonexistent, timedelta):
        times = _beyond_gaps(times, tz, nonexistent)
        nonexistent = "raise"
    if isinstance(ambiguous, str) and ambiguous == "infer":
        ambiguous = _summer_by_order(times, tz)
    elif is_list_like(ambiguous):
        ambiguous = _truth_values(ambiguous, len(times))
    else:
        return times.dt.tz_localize(tz, ambiguous, nonexistent)
    summer, winter = (times.dt.tz_localize(tz, is_summer, nonexistent) for is_summer in (True, False))
    return summer.where(ambiguous, winter)


def _truth_values(ambiguous: Any, count: int) -> np.ndarray:
    import numpy as np

    values = np.asarray(ambiguous)
    if values.dtype.kind != "b":
        raise TypeError(f"`ambiguous` is an array of {values.dtype}, not of truth values")
    if len(values) != count:
        raise ValueError(
            f"Length of ambiguous bool-array must be the same size as vals: {len(values)}, not {count}"
        )
    return values


def _beyond_gaps(times: Series, tz: Any, distance: timedelta) -> Series:
    """Return the times, those that clocks skip moved by a distance."""

    def skipped(of: Series) -> Series:
        return of.dt.tz_localize(tz, True, "NaT").isna() & of.notna()

    are_skipped = skipped(times)
    # Others are left out, so that none of them becomes too large.
    moved = (times.where(are_skipped) + distance).astype(times.dtype)
    times = times.where(~are_skipped, moved)
    if skipped(times).any():
        raise ValueError(f"The provided timedelta will relocalize on a nonexistent time: {distance}")
    return times


def _summer_by_order(times: Series, tz: Any) -> np.ndarray:
    """Whether times that clocks show twice are in summer time: those before the clock goes back among them are.

    ``ValueError`` for neighbours that do not show where it goes back, as in pandas.
    """
    import numpy as np
    from pandas import Timestamp

    is_twice = times.dt.tz_localize(tz, "NaT", "shift_forward").isna() & times.notna()
    rows = np.flatnonzero(is_twice.to_numpy())
    is_summer = np.zeros(len(times), bool)
    if not len(rows):
        return is_summer
    shown = times.iloc[rows].to_numpy()
    cuts = np.flatnonzero(np.diff(rows) != 1) + 1
    for of_group, group in zip(np.split(shown, cuts), np.split(rows, cuts), strict=True):
        back = np.flatnonzero(np.diff(of_group) <= np.timedelta64(0, "s"))
        if not len(back):
            first = Timestamp(of_group[0])
            raise ValueError(f"Cannot infer dst time from {first} as there are no repeated times")
        if len(back) > 1:
            raise ValueError(f"There are {len(back)} dst switches when there should only be 1.")
        is_summer[group[: back[0] + 1]] = True
    return is_summer
