"""Time zones of Python as names, and the other way round."""

from __future__ import annotations

import datetime
from typing import Any

__all__ = ["zone_name", "zone_of"]


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
        return "UTC" if zone == "utc" else zone.removeprefix("dateutil/")
    file = getattr(zone, "_filename", None)  # of dateutil, which knows zones by their files
    if isinstance(file, str) and "zoneinfo/" in file:
        return file.rpartition("zoneinfo/")[2]
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    if isinstance(name, str):
        return name
    if zone is datetime.UTC or str(zone) in {"UTC", "tzutc()"}:
        return "UTC"
    if not isinstance(zone, datetime.tzinfo):
        raise TypeError(f"`tz` is {zone!r}; it is the name of a zone or an object of one")
    offset = zone.utcoffset(None)
    if offset is None:
        raise TypeError(f"the time zone {zone!r} has no name")
    minutes, rest = divmod(int(offset.total_seconds()), 60)
    if rest:
        raise TypeError(f"the time zone {zone!r} has an offset of {offset}, which is no whole minutes")
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def zone_of(name: str | None) -> datetime.tzinfo | None:
    """Return the zone of that name as the object that pandas has for it; None where there is none."""
    if name is None:
        return None
    import pandas as pd

    return pd.DatetimeTZDtype("ns", name).tz
