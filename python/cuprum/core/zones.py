"""Time zones of Python as names; instants and durations as pandas' objects."""

from __future__ import annotations

import datetime
from typing import Any

__all__ = ["timedelta", "timestamp", "zone_name"]


def zone_name(zone: Any) -> str:
    """Return the name of a time zone: of the IANA database, or an offset such as ``+01:00``.

    Parameters
    ----------
    zone
        A name, or an object of ``zoneinfo``, ``datetime.timezone``, pytz or dateutil.

    Raises
    ------
    TypeError
        For a zone without a name.

    Examples
    --------
    >>> zone_name(datetime.timezone(datetime.timedelta(hours=-5)))
    '-05:00'
    """
    if isinstance(zone, str):
        return zone
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    if isinstance(name, str):
        return name
    if zone is datetime.UTC or str(zone) in {"UTC", "tzutc()"}:
        return "UTC"
    offset = zone.utcoffset(None)
    if offset is None:
        raise TypeError(f"the time zone {zone!r} has no name")
    minutes, rest = divmod(int(offset.total_seconds()), 60)
    if rest:
        raise TypeError(f"the time zone {zone!r} has an offset of {offset}, which is no whole minutes")
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def timestamp(ticks: int, unit: str, zone: str | None) -> Any:
    """Return an instant as a ``pandas.Timestamp``, in a zone if there is one; days are counted in seconds."""
    import numpy as np
    import pandas as pd

    instant = pd.Timestamp(np.datetime64(ticks, unit))  # type: ignore[call-overload]
    return instant if zone is None else instant.tz_localize("UTC").tz_convert(zone)


def timedelta(ticks: int, unit: str) -> Any:
    """Return a duration as a ``pandas.Timedelta``; days are counted in seconds."""
    import numpy as np
    import pandas as pd

    return pd.Timedelta(np.timedelta64(ticks, unit))  # type: ignore[call-overload]
