"""Time zones: when the clocks of one were changed, and will be.

Examples
--------
>>> make_timezone_transition_table("/usr/share/zoneinfo", "Etc/UTC").num_rows()
0
"""

from __future__ import annotations

import calendar
import os
import re
import struct
from collections.abc import Callable

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from pylibcuprum.types import DataType, TypeId
from pylibcuprum.utils import CudaStreamLike

__all__ = ["make_timezone_transition_table"]

# The calendar repeats after so many years.
_YEARS = 400
_DAY = 86400
_NEVER = 2**63 - 1


def make_timezone_transition_table(
    tzif_dir: str,
    timezone_name: str,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return when the clocks of a time zone are changed, and what they are ahead of UTC from then on.

    Parameters
    ----------
    tzif_dir : str
        Folder with the files of time zones, ``/usr/share/zoneinfo`` for example.
    timezone_name : str
        Name of the zone, ``Europe/Vienna`` for example.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        Two columns: TIMESTAMP_SECONDS in UTC and DURATION_SECONDS. The first row has the offset of standard
        time before all changes; then come the changes that the file lists, and two for each of the 400 years
        from 1970 on, as its rule says. No rows for a zone that is always UTC.

    Raises
    ------
    FileNotFoundError
        Where there is no such zone.
    ValueError
        For a file that is damaged, or none of a time zone.

    Examples
    --------
    >>> make_timezone_transition_table("/usr/share/zoneinfo", "Etc/UTC").num_rows()
    0
    """
    path = os.path.join(os.fspath(tzif_dir), timezone_name)
    with open(path, "rb") as file:
        changes, kinds, rule = _parsed(file.read(), path)
    times: list[int] = []
    offsets: list[int] = []
    if changes:
        for at, kind in changes:
            times.append(at)
            offsets.append(kinds[kind][0])
        standard = next((i for i, (_, kind) in enumerate(changes) if not kinds[kind][1]), 0)
        times.insert(0, times[standard])
        offsets.insert(0, offsets[standard])
    else:
        if kinds[0][0] == 0 and "," not in rule:
            return _table([], [], stream, mr)
        times, offsets = [_NEVER], [kinds[0][0]]
    plain, summer, begins, ends = _rule(rule, offsets[-1], path)
    for year in range(1970, 1970 + _YEARS):
        pairs = [(begins(year) - plain, summer), (ends(year) - summer, plain)]
        for at, offset in sorted(pairs, key=lambda pair: pair[0]):
            times.append(at)
            offsets.append(offset)
    return _table(times, offsets, stream, mr)


def _table(
    times: list[int], offsets: list[int], stream: CudaStreamLike | None, mr: DeviceMemoryResource | None
) -> Table:
    import numpy as np

    columns = [
        Column.from_array_interface(np.array(times, "datetime64[s]")),
        Column.from_array_interface(np.array(offsets, "timedelta64[s]")),
    ]
    if not times:
        types = DataType(TypeId.TIMESTAMP_SECONDS), DataType(TypeId.DURATION_SECONDS)
        columns = [Column.from_iterable_of_py([], of) for of in types]
    table = Table(columns)
    return table if stream is None and mr is None else table.copy(stream, mr)


def _parsed(data: bytes, path: str) -> tuple[list[tuple[int, int]], list[tuple[int, bool]], str]:
    """The changes with numbers of what comes then, what can come (offset, summer time), and the rule."""

    def header(at: int) -> tuple[int, ...]:
        if data[at : at + 4] != b"TZif":
            raise ValueError(f"{path} is no file of a time zone")
        return struct.unpack_from(">4xc15x6I", data, at)

    try:
        version, is_utc, is_std, leaps, count, kinds, chars = header(0)
        at, size = 44, 4
        if version >= b"2":  # type: ignore[operator]
            at += count * 5 + kinds * 6 + chars + leaps * 8 + is_std + is_utc
            _, is_utc, is_std, leaps, count, kinds, chars = header(at)
            at, size = at + 44, 8
        times = struct.unpack_from(f">{count}{'q' if size == 8 else 'i'}", data, at)
        at += count * size
        numbers = data[at : at + count]
        at += count
        known = [struct.unpack_from(">iB", data, at + 6 * i) for i in range(kinds)]
        at += kinds * 6 + chars + leaps * (size + 4) + is_std + is_utc
    except struct.error:
        raise ValueError(f"{path} is cut short") from None
    if not known or len(numbers) < count or any(number >= len(known) for number in numbers):
        raise ValueError(f"{path} is damaged: it has {len(known)} offsets")
    rule = data[at:].strip(b"\n").decode("ascii", "replace") if size == 8 else ""
    pairs = list(zip(times, numbers, strict=True))
    return pairs, [(offset, bool(summer)) for offset, summer in known], rule


_NAME = r"(?:<[^>]+>|[A-Za-z]{3,})"
_CLOCK = r"[+-]?\d{1,3}(?::\d{1,2}(?::\d{1,2})?)?"
_RULE = re.compile(
    rf"{_NAME}(?P<plain>{_CLOCK})(?:{_NAME}(?P<summer>{_CLOCK})?(?:,(?P<begins>[^,]+),(?P<ends>[^,]+))?)?"
)


def _rule(rule: str, last: int, path: str) -> tuple[int, int, Callable[[int], int], Callable[[int], int]]:
    """Offsets of standard and summer time, and when (on the clock) each year has it begin and end."""

    def year_begin(year: int) -> int:
        return calendar.timegm((year, 1, 1, 0, 0, 0))

    if not rule:
        return last, last, year_begin, year_begin
    found = _RULE.fullmatch(rule)
    if found is None:
        raise ValueError(f"{path} has the rule {rule!r}, which is none")
    plain = -_seconds(found["plain"])
    if found["begins"] is None:
        return plain, plain, year_begin, year_begin
    summer = plain + 3600 if found["summer"] is None else -_seconds(found["summer"])
    return plain, summer, _day(found["begins"], path), _day(found["ends"], path)


def _seconds(clock: str) -> int:
    sign = -1 if clock.startswith("-") else 1
    parts = [int(part) for part in clock.lstrip("+-").split(":")] + [0, 0]
    return sign * (parts[0] * 3600 + parts[1] * 60 + parts[2])


def _day(text: str, path: str) -> Callable[[int], int]:
    """When a rule like ``M3.2.0/2`` applies in a year."""
    day, _, clock = text.partition("/")
    at = _seconds(clock) if clock else 7200
    by_week = re.fullmatch(r"M(\d{1,2})\.([1-5])\.([0-6])", day)
    if by_week is None and re.fullmatch(r"J?\d{1,3}", day) is None:
        raise ValueError(f"{path} has the rule {text!r}, which is none")

    def seconds(year: int) -> int:
        if by_week is not None:
            month, week, weekday = (int(part) for part in by_week.groups())
            first, days = calendar.monthrange(year, month)
            # Sunday is 0 there, and Monday here.
            of_month = (weekday - first - 1) % 7 + 7 * (week - 1)
            while of_month >= days:
                of_month -= 7
            return calendar.timegm((year, month, 1 + of_month, 0, 0, 0)) + at
        number = int(day.lstrip("J"))
        if day.startswith("J"):
            # February 29th is never counted.
            number -= 0 if calendar.isleap(year) and number >= 60 else 1
        return calendar.timegm((year, 1, 1, 0, 0, 0)) + number * _DAY + at

    return seconds
