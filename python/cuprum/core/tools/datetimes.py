"""`to_datetime`: times from texts, numbers and columns of parts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack, overload

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default, only_texts, only_truth
from cuprum.core.interop import is_pandas
from cuprum.core.missing import is_missing
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_series
from cuprum.core.stack_level import frames_to_caller

if TYPE_CHECKING:
    import pandas as pd

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.times import DatetimeIndex
    from cuprum.core.series import Series
    from cuprum.typing import DatetimeOptions, ErrorsCoerced, ListLike, OneLabel

__all__ = ["to_datetime"]


@overload
def to_datetime(
    arg: Series | DataFrame | Mapping[str, Any],
    errors: ErrorsCoerced = ...,
    **options: Unpack[DatetimeOptions],
) -> Series: ...
@overload
def to_datetime(
    arg: OneLabel, errors: ErrorsCoerced = ..., **options: Unpack[DatetimeOptions]
) -> pd.Timestamp: ...
@overload
def to_datetime(
    arg: ListLike, errors: ErrorsCoerced = ..., **options: Unpack[DatetimeOptions]
) -> DatetimeIndex: ...
@objects_where_mixed
def to_datetime(
    arg: Any,
    errors: ErrorsCoerced = "raise",
    dayfirst: bool = False,
    yearfirst: bool = False,
    utc: bool = False,
    format: str | None = None,
    exact: Any = ...,
    unit: str | None = None,
    origin: Any = "unix",
    cache: bool = True,
) -> Any:
    """Convert texts, numbers or a frame of parts to times.

    Parameters
    ----------
    arg : scalar, list-like, Series, Index, DataFrame or dict
        Texts, or numbers of ``unit`` since ``origin``; or a frame with the columns ``year``, ``month``,
        ``day`` and perhaps ``hour``, ``minute`` and ``second``.
    errors : ``"raise"`` or ``"coerce"``, default ``"raise"``
        What becomes of what is no time: an error or a missing element.
    dayfirst : bool, default False
        Whether the day comes first: ``1/2/2013`` is the first of February.
    yearfirst : bool, default False
        Whether the year comes first: ``10/11/12`` is in November 2010, or with ``dayfirst`` in December.
    utc : bool, default False
        Whether to return times in UTC: of times without a zone, and of texts with offsets from UTC, which
        otherwise have to be the same in all.
    format : str, optional
        A format with Python's directives, ``"ISO8601"`` for any form of that in each text, or ``"mixed"`` for
        any format. Without it that of the first text.
    exact : bool, default True
        Whether a whole text has to be in the format; if False, its first part that is. Not with ``"mixed"``
        and ``"ISO8601"``.
    unit : str, optional
        The unit of numbers: ``"D"``, ``"s"``, ``"ms"``, ``"us"`` or ``"ns"`` (without it).
    origin : ``"unix"``, ``"julian"``, timestamp or number, default ``"unix"``
        From when numbers count: 1970, noon of 1 January 4713 BC (in days), a time, or so many units after
        1970.
    cache : bool, default True
        Accepted for compatibility with pandas; it changes nothing.

    Returns
    -------
    Timestamp, DatetimeIndex or Series
        A Series of a Series or a frame, pandas' Timestamp of a scalar, else a DatetimeIndex. Missing elements
        are NaT.

    Raises
    ------
    ValueError
        If something is no time, with ``errors="raise"``, or ``exact`` goes with another format than it may.

    Notes
    -----
    Texts like ``1/2/2013``, ``1/2/13 5:30 PM``, ``31.12.2013 05:30``, ``5 Jan 2013`` and ISO 8601 are read at
    once; what is in another format pandas reads, every different text once, which takes longer.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.to_datetime(cuprum.Series(["2026-01-05 09:30", None]))
    0   2026-01-05 09:30:00
    1                   NaT
    dtype: datetime64[us]
    >>> cuprum.to_datetime(["2026-01-05", "x"], errors="coerce")
    DatetimeIndex(['2026-01-05', 'NaT'], dtype='datetime64[us]', freq=None)
    >>> cuprum.to_datetime(cuprum.Series(["5/1/2026", "6/1/2026"]), dayfirst=True)
    0   2026-01-05
    1   2026-01-06
    dtype: datetime64[us]
    """
    if errors not in ("raise", "coerce"):
        raise ValueError(f"errors must be one of 'raise', or 'coerce'; `errors` is {errors!r}")
    if exact is not ... and format in ("mixed", "ISO8601"):
        raise ValueError("Cannot use 'exact' when 'format' is 'mixed' or 'ISO8601'")
    exact = exact is ... or exact
    only_truth("to_datetime", cache=cache, utc=utc, dayfirst=dayfirst, yearfirst=yearfirst, exact=exact)
    weeks = isinstance(format, str) and re.search("%[UW]", format)
    if weeks and not (re.search("%[aAwu]", str(format)) and re.search("%[Yy]", str(format))):
        raise ValueError("Cannot use '%W' or '%U' without day and year")
    if isinstance(format, str) and format not in ("mixed", "ISO8601"):
        _check_weeks_of_iso(format)
    if not exact and format is None:
        if is_list_like(arg) and not isinstance(arg, (objects.DataFrame, Mapping)):
            raise NotImplementedError("to_datetime of several supports `exact`=False with a `format` only")
        exact = True  # a single text is a time as a whole
    if isinstance(arg, (objects.DataFrame, Mapping)):
        only_default(
            "to_datetime of parts", unit=(unit, None), format=(format, None), origin=(origin, "unix")
        )
        parts = arg if isinstance(arg, objects.DataFrame) else objects.DataFrame(arg)
        for label, column in parts.items():
            if column.dtype.kind == "b":
                raise ValueError(f"cannot assemble the datetimes: column {label!r} has dtype bool")
        times = wrap_series(parts._snapshot()._handle.to_datetime(errors == "coerce"))
        return times.dt.tz_localize("UTC") if utc else times
    if unit in _LONG_UNITS and (is_list_like(arg) or not is_missing(arg)):
        return _of_long_units(arg, unit, errors, utc, origin)
    whole: dict[str, Any] = {"errors": errors, "dayfirst": dayfirst, "yearfirst": yearfirst, "utc": utc}
    only_texts(**{name: text for name, text in {"format": format, "unit": unit}.items() if text is not None})
    whole |= {"format": format, "exact": ... if exact else False, "unit": unit, "origin": origin}
    if not is_list_like(arg):
        if isinstance(arg, str) and arg in ("now", "today"):
            import pandas as pd

            return pd.to_datetime(arg, utc=utc)
        arg = None if is_missing(arg) else arg
        return to_datetime(objects.Series([arg]), **whole).iloc[0]
    has_type = getattr(getattr(arg, "dtype", None), "kind", "O") != "O"
    arg = objects.ours_or_labels(arg)
    if isinstance(arg, objects.Index):
        return objects.Index(to_datetime(arg._series(), **whole)._handle.column(), name=arg.name)
    series = arg if isinstance(arg, objects.Series) else objects.Series(arg)
    if isinstance(series, objects.SeriesOfObjects) and not series.count():
        series = series.astype("float64")
    if series.dtype == "str" and not exact:
        series = _within(series, str(format), errors)
    handle, moment = series._snapshot()._handle, _moment(origin, unit)
    result: Any
    if series.dtype == "str" and moment is None:
        result = _of_texts(series, format, errors, bool(dayfirst), bool(yearfirst), bool(utc), unit)
    else:
        coerce = errors == "coerce"
        result = wrap_series(handle.to_datetime(format, bool(utc), bool(dayfirst), unit, moment, coerce))
    if (series.dtype.kind == "f" if unit is None else not has_type) and not series.count():
        result = result.dt.as_unit("s")  # as in pandas, where neither elements nor their type say it
    if isinstance(arg, objects.Series) or is_pandas(arg, "Series"):
        return result
    return objects.Index(result._handle.column())


def _of_texts(
    texts: Any,
    format: str | None,
    errors: ErrorsCoerced,
    dayfirst: bool,
    yearfirst: bool,
    utc: bool,
    unit: str | None,
) -> Any:
    """Return texts as times. What is in no format that the engine knows pandas reads, every different text once."""

    def by_pandas() -> Any:
        options: dict[str, Any] = {"format": format, "errors": errors, "utc": utc, "unit": unit}
        return _read_by_pandas(texts, dayfirst=dayfirst, yearfirst=yearfirst, **options)

    coerce = errors == "coerce"
    if format == "mixed" and (dayfirst or yearfirst):
        return by_pandas()
    try:
        known = _year_first(texts, dayfirst) if format is None and yearfirst else format
        times = wrap_series(texts._snapshot()._handle.to_datetime(known, utc, dayfirst, unit, None, coerce))
        if not coerce or known not in (None, "ISO8601"):
            return times
        # The engine does not know all forms of ISO 8601, and takes the format of a first text that pandas finds none in.
        unread = texts[times.isna()].str.contains("[0-9]").fillna(False).any()
        if not unread or (format is None and _has_format(texts, dayfirst)):
            return times
    except (ValueError, OverflowError, NotImplementedError):
        if format not in (None, "mixed", "ISO8601") and not coerce:
            raise
    return by_pandas()


def _has_format(texts: Any, dayfirst: bool) -> bool:
    """Whether pandas finds a format in the first text, which it then reads all others in."""
    from pandas.tseries.api import guess_datetime_format

    first = next((text for text in texts.dropna().head(1).to_list()), "")
    return guess_datetime_format(first, dayfirst=dayfirst) is not None


def _read_by_pandas(texts: Any, **options: Any) -> Any:
    """Return texts as the times that pandas makes of them."""
    import pandas as pd

    codes, distinct = texts.factorize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        times = pd.to_datetime(pd.Index(distinct.to_list(), dtype=object), **options)
    for one in caught:
        warnings.warn(str(one.message), one.category, stacklevel=frames_to_caller())
    if times.dtype.kind != "M":
        raise NotImplementedError("to_datetime gives no objects: the texts are times of different kinds")
    known = objects.Series(objects.Index(times))
    found = known.reindex(codes) if (codes < 0).any() else known.take(codes)
    return found.set_axis(texts.index).rename(texts.name)


def _check_weeks_of_iso(format: str) -> None:
    """Fail for a format whose parts of an ISO week name no day."""
    named = set(re.findall("%(.)", format.replace("%%", "").replace("%-", "%")))
    if not named & {"G", "V"}:
        return
    if "G" in named and "j" in named:
        raise ValueError(
            "Day of the year directive '%j' is not compatible with ISO year directive '%G'. Use '%Y' instead."
        )
    if "G" not in named and "Y" in named:
        raise ValueError(
            "ISO week directive '%V' is incompatible with the year directive '%Y'. Use the ISO year '%G' instead."
        )
    if not {"G", "V"} <= named or not named & {"A", "a", "w", "u"}:
        one, other = ("year", "'%G'"), ("week", "'%V'")
        if "G" not in named:
            one, other = other, one
        raise ValueError(
            f"ISO {one[0]} directive {one[1]} must be used with the ISO {other[0]} directive {other[1]} and a weekday "
            "directive '%A', '%a', '%w', or '%u'."
        )


# Units that no type of times counts, in those that are next to them.
_LONG_UNITS = {"W": (7, "D"), "h": (3600, "s"), "m": (60, "s")}


def _of_long_units(arg: Any, unit: str, errors: ErrorsCoerced, utc: bool, origin: Any) -> Any:
    """Return numbers of weeks, hours or minutes as times."""
    factor, of = _LONG_UNITS[unit]
    if origin not in ("unix", "julian") and isinstance(origin, (int, float)):
        origin = origin * factor
    if not is_list_like(arg):
        return to_datetime(arg * factor, unit=of, errors=errors, utc=utc, origin=origin)
    numbers = arg if isinstance(arg, (objects.Series, objects.Index)) else objects.Index(arg)
    if not numbers.notna().any():
        return to_datetime(arg, unit=of, errors=errors, utc=utc, origin=origin)
    if numbers.dtype.kind not in "iuf":
        raise NotImplementedError(
            f"to_datetime supports `unit`={unit!r} of numbers only, not of {numbers.dtype}"
        )
    bound = 2**62 // factor
    if numbers.dtype.kind in "iu" and bool((abs(objects.Series(numbers).astype("float64")) > bound).any()):
        raise ValueError(f"some numbers of the unit {unit!r} are out of the range of times")
    times = to_datetime(numbers * factor, unit=of, errors=errors, utc=utc, origin=origin)
    if numbers.dtype.kind == "f" and bool((numbers.dropna() % 1 != 0).any()):
        # Parts of a unit are counted in nanoseconds, whatever they come to.
        return times.dt.as_unit("ns") if isinstance(times, objects.Series) else times.as_unit("ns")
    return times


def _year_first(series: Any, dayfirst: bool) -> str | None:
    """Return the format of texts that begin with a year of two digits, as the first does; None for others."""
    known = series.dropna()
    first = known.iloc[0] if len(known) else ""
    found = re.fullmatch(r"(\d\d)([-/.])(\d\d?)\2(\d\d?)( \d\d?:\d\d(:\d\d)?)?", first)
    if found is None:
        return None
    _, sign, second, third, time, seconds = found.groups()
    month, day = (third, second) if dayfirst else (second, third)
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        raise NotImplementedError(
            f"to_datetime does not support `yearfirst`=True of {first!r}; give a `format`"
        )
    parts = ("%y", "%d", "%m") if dayfirst else ("%y", "%m", "%d")
    return sign.join(parts) + (" %H:%M" if time else "") + (":%S" if seconds else "")


# Patterns of directives.
_DIRECTIVES = {
    "Y": r"\d\d\d\d",
    "y": r"\d\d",
    "m": r"1[0-2]|0[1-9]|[1-9]",
    "d": r"3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]",
    "H": r"2[0-3]|[0-1]\d|\d",
    "I": r"1[0-2]|0[1-9]|[1-9]| [1-9]",
    "M": r"[0-5]\d|\d",
    "S": r"6[0-1]|[0-5]\d|\d",
    "f": r"[0-9]{1,9}",
    "j": r"36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9]",
    "p": r"(?i:am|pm)",
    "b": r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    "B": r"(?i:january|february|march|april|may|june|july|august|september|october|november|december)",
    "a": r"(?i:mon|tue|wed|thu|fri|sat|sun)",
    "A": r"(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
    "%": "%",
}


def _within(series: Any, format: str, errors: ErrorsCoerced) -> Any:
    """Return what of each text is first in a format; missing, or a ValueError, where nothing is."""
    pattern, characters = "", iter(format)
    for character in characters:
        if character == "%":
            directive = next(characters, "")
            if directive not in _DIRECTIVES:
                raise NotImplementedError(
                    f"to_datetime does not support `exact`=False with %{directive} in `format`"
                )
            pattern += f"(?:{_DIRECTIVES[directive]})"
        else:
            pattern += r"\s+" if character.isspace() else re.escape(character)
    found = series.str.extract(f"({pattern})", expand=False)
    if errors == "raise":
        unlike = series[found.isna() & series.notna()]
        if len(unlike):
            raise ValueError(f'time data "{unlike.iloc[0]}" doesn\'t match format "{format}"')
    return found


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
