"""Time zones of Python as names, and instants as objects of Python."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

__all__ = ["instant", "zone_name"]

_PER_SECOND = {"D": 1, "s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


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


def instant(ticks: int, unit: str, zone: str) -> Any:
    """Return an instant in a zone: a ``pandas.Timestamp``, or without pandas a ``datetime.datetime``."""
    try:
        import pandas as pd
    except ImportError:
        pass
    else:
        if unit == "D":
            ticks, unit = ticks * 86_400, "s"
        return pd.Timestamp(ticks, unit=unit, tz="UTC").as_unit(unit).tz_convert(zone)
    per_second = _PER_SECOND[unit] if unit != "D" else 1
    seconds, rest = divmod(ticks * (86_400 if unit == "D" else 1), per_second)
    micros, lost = divmod(rest * 10**6, per_second)
    if lost:
        raise ValueError(f"an instant of {ticks} {unit} has nanoseconds, which need pandas")
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(
        seconds=seconds, microseconds=micros
    )
    return moment.astimezone(_zone(zone))


def _zone(name: str) -> datetime.tzinfo:
    if name[:1] in "+-":
        hours, _, minutes = name[1:].partition(":")
        offset = datetime.timedelta(hours=int(hours), minutes=int(minutes or 0))
        return datetime.timezone(-offset if name[0] == "-" else offset)
    return ZoneInfo(name)
