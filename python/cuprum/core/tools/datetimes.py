"""`to_datetime`: times from texts, numbers and columns of parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default, only_truth
from cuprum.core.interop import is_pandas
from cuprum.core.missing import is_missing
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
    origin: Any = "unix",
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
        ``'raise'``: ``ValueError`` names the element that is no time; ``'coerce'``: it is missing.
    dayfirst
        ``1/2/2013`` is the first of February. Texts that begin with the year need a ``format`` then.
    utc
        Makes instants in UTC: of times without a zone, and of texts with offsets from UTC, which otherwise
        have to be the same in all.
    format
        A format with Python's directives. Without it that of the first text, if it is like ``1/2/2013`` or
        ``31.12.2013 05:30``, else ISO 8601; ``'mixed'`` and ``'ISO8601'`` are that one.
    cache
        Says how texts are read, which is the same for all.
    unit
        The unit of numbers: ``D``, ``s``, ``ms``, ``us`` or ``ns`` (the default).
    origin
        From when numbers count: ``'unix'`` (1970), ``'julian'`` (days since noon of 1 January 4713 BC),
        a time, or so many units after 1970.
    """
    if errors not in ("raise", "coerce"):
        raise ValueError(f"errors must be one of 'raise', or 'coerce'; `errors` is {errors!r}")
    only_default("to_datetime", yearfirst=(yearfirst, False), exact=(exact, True))
    only_truth("to_datetime", cache=cache, utc=utc, dayfirst=dayfirst)
    if isinstance(arg, (objects.DataFrame, Mapping)):
        only_default(
            "to_datetime of parts", unit=(unit, None), format=(format, None), origin=(origin, "unix")
        )
        parts = arg if isinstance(arg, objects.DataFrame) else objects.DataFrame(arg)
        times = wrap_series(parts._snapshot()._handle.to_datetime(errors == "coerce"))
        return times.dt.tz_localize("UTC") if utc else times
    whole: dict[str, Any] = {"errors": errors, "dayfirst": dayfirst, "utc": utc}
    whole |= {"format": format, "unit": unit, "origin": origin}
    if not is_list_like(arg):
        arg = None if is_missing(arg) else arg
        return to_datetime(objects.Series([arg]), **whole).iloc[0]
    if isinstance(arg, objects.Index):
        return objects.Index(to_datetime(arg._series(), **whole)._handle.column(), name=arg.name)
    series = arg if isinstance(arg, objects.Series) else objects.Series(arg)
    handle = series._snapshot()._handle
    result = wrap_series(
        handle.to_datetime(format, bool(utc), bool(dayfirst), unit, _moment(origin, unit), errors == "coerce")
    )
    if isinstance(arg, objects.Series) or is_pandas(arg, "Series"):
        return result
    return objects.Index(result._handle.column())


def _moment(origin: Any, unit: Any) -> Any:
    """Return an origin as None (1970), ``'julian'`` or nanoseconds after 1970."""
    if isinstance(origin, str) and origin in ("unix", "julian"):
        return None if origin == "unix" else origin
    if isinstance(origin, bool) or origin != origin:
        raise TypeError(f"`origin` is {origin!r}; give a time, a number of units, 'unix' or 'julian'")
    if isinstance(origin, (int, float)):
        import pandas as pd

        try:
            origin = pd.Timestamp(origin, unit=unit or "ns")
        except (OverflowError, pd.errors.OutOfBoundsDatetime):
            raise ValueError(f"origin {origin!r} is Out of Bounds") from None
    times = objects.Series([origin])
    try:
        times = times.astype("datetime64[ns]")
    except (TypeError, ValueError):
        raise ValueError(f"origin {origin!r} cannot be converted to a Timestamp") from None
    return int(times.astype("int64").iloc[0])
