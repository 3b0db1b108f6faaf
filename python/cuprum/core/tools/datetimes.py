"""`to_datetime`: times from texts, numbers and columns of parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, is_missing, only_default, only_truth
from cuprum.core.interop import is_pandas
from cuprum.core.objects import wrap_series

__all__ = ["to_datetime"]


def to_datetime(
    arg: Any,
    errors: str = "raise",
    dayfirst: bool = False,
    yearfirst: bool = False,
    utc: bool = False,
    format: str | None = None,
    exact: bool = True,
    unit: str | None = None,
    origin: str = "unix",
    cache: bool = True,
) -> Any:
    """Return texts, numbers or a frame of parts as timestamps.

    Parameters
    ----------
    arg
        A Series, a list-like, an Index or one scalar of texts or of numbers of ``unit`` since 1970; or
        a frame with the columns ``year``, ``month``, ``day`` and perhaps ``hour``, ``minute``,
        ``second``.
    errors
        ``'raise'``: ``ValueError`` names the text that is no time.
    utc
        Makes instants in UTC: of times without a zone, and of texts with offsets from UTC, which otherwise
        have to be the same in all.
    format
        A format with Python's directives; ISO 8601 and common forms without it.
    cache
        Says how texts are read, which is the same for all.
    unit
        The unit of numbers: ``D``, ``s``, ``ms``, ``us`` or ``ns`` (the default).
    """
    only_default(
        "to_datetime",
        errors=(errors, "raise"),
        dayfirst=(dayfirst, False),
        yearfirst=(yearfirst, False),
        origin=(origin, "unix"),
        exact=(exact, True),
    )
    only_truth("to_datetime", cache=cache, utc=utc)
    if isinstance(arg, (objects.DataFrame, Mapping)):
        times = _from_parts(arg)
        return times.dt.tz_localize("UTC") if utc else times
    if not is_list_like(arg):
        if is_missing(arg):
            return objects.Series([arg], dtype="datetime64[ns]").iloc[0]
        return to_datetime(objects.Series([arg]), utc=utc, format=format, unit=unit).iloc[0]
    if isinstance(arg, objects.Index):
        times = to_datetime(arg._series(), utc=utc, format=format, unit=unit)
        return objects.Index(times._handle.column(), name=arg.name)
    series = arg if isinstance(arg, objects.Series) else objects.Series(arg)
    kind = series.dtype.kind
    if kind == "M":
        result = series._snapshot()
    elif kind == "O":
        if format in ("ISO8601", "mixed"):
            format = None
        result = wrap_series(series._handle.to_datetime(format, _unit_of(series, format), bool(utc)))
    elif kind in "iu":
        if format is not None:
            result = wrap_series(series._handle.astype("str").to_datetime(format, "us", bool(utc)))
        else:
            result = series.astype("int64").astype(f"datetime64[{unit or 'ns'}]")
            if unit not in (None, "ns", "us"):
                result = result.astype("datetime64[us]")
    elif kind == "f":
        if series.isna().all():
            result = (
                series.astype("int64")
                if len(series) == 0
                else objects.Series([None] * len(series), index=series.index)
            )
            result = result.where(result.isna()).astype("int64").astype("datetime64[ns]")
        else:
            scale = {"D": 86_400_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}[
                unit or "ns"
            ]
            ticks = (series * scale).round()
            result = ticks._wrap(_nans_to_nulls(ticks)).astype("int64").astype("datetime64[ns]")
    else:
        raise TypeError(f"{series.dtype} cannot be converted to datetime")
    if utc:
        result = result.dt.tz_localize("UTC") if result.dtype.tz is None else result.dt.tz_convert("UTC")
    if isinstance(arg, objects.Series) or is_pandas(arg, "Series"):
        return result
    return objects.Index(result._handle.column())


def _unit_of(texts: Any, format: str | None) -> str:
    """Return the unit of texts: nanoseconds where a fraction of a second has more than six digits."""
    if format is not None and "%f" not in format:
        return "us"
    # No time of day with such a fraction is shorter: 00:00:00.0000000.
    if len(texts) and (texts.str.len() >= 16).any() and texts.str.contains(r"\d[.,]\d{7}").any():
        return "ns"
    return "us"


def _nans_to_nulls(series: Any) -> Any:
    """Return a handle in which NaN is null."""
    return series._handle.where(series.notna()._handle.column(), None, False)


_PARTS = {
    **{name: name for name in ("year", "month", "day", "hour", "minute", "second", "ms", "us", "ns")},
    "h": "hour",
    "m": "minute",
    "s": "second",
    "millisecond": "ms",
    "microsecond": "us",
    "nanosecond": "ns",
}


def _from_parts(parts: Any) -> Any:
    """Return the times whose parts are the columns of a frame; missing where a part is."""
    table = parts if isinstance(parts, objects.DataFrame) else objects.DataFrame(parts)
    columns, unknown = {}, []
    for label in table:
        name = str(label).lower()
        part = _PARTS.get(name) or _PARTS.get(name.removesuffix("s"))
        if part is None:
            unknown.append(str(label))
        elif part in columns:
            raise ValueError(f"cannot assemble with duplicate keys: {label!r} is {part!r} once more")
        else:
            columns[part] = _whole(table[label], label)
    missing = [name for name in ("year", "month", "day") if name not in columns]
    if missing:
        raise ValueError(
            f"to assemble mappings requires at least that [year, month, day] be specified: [{','.join(missing)}] is missing"
        )
    if unknown:
        raise ValueError(
            f"extra keys have been passed to the datetime assemblage: [{', '.join(sorted(unknown))}]"
        )

    def text(name: str, width: int, least: int, most: int) -> Any:
        column = columns[name]
        wrong = (column < least) | (column > most)
        if wrong.any():
            value = column[wrong].iloc[0]
            raise ValueError(f"cannot assemble the datetimes: {name} {value} is not in {least} to {most}")
        return (column + 10**width).astype("str").str.slice(1)

    day = text("year", 4, 0, 9999).str.cat([text("month", 2, 1, 12), text("day", 2, 1, 31)], sep="-")
    times = to_datetime(day, format="%Y-%m-%d").rename(None)
    for name, microseconds in _MICROSECONDS.items():
        if name in columns:
            times = times + (columns[name] * microseconds).astype("timedelta64[us]")
    return times + columns["ns"].astype("timedelta64[ns]") if "ns" in columns else times


_MICROSECONDS = {
    "hour": 3_600_000_000,
    "minute": 60_000_000,
    "second": 1_000_000,
    "ms": 1_000,
    "us": 1,
}


def _whole(column: Any, label: Any) -> Any:
    """Return a column of parts of times as integers."""
    if column.dtype.kind == "f":
        if (column != column.round())[column.notna()].any():
            raise ValueError(f"cannot assemble the datetimes: column {label!r} contains fractional values")
        column = wrap_series(_nans_to_nulls(column))
    return column.astype("int64")
