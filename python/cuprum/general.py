"""Functions of whole frames: `concat`, `merge`, `to_datetime`, `isna`, `unique` and their kin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuprum import _cuprum, frame
from cuprum.arguments import axis_number, is_frame_like, is_list_like, is_missing, only_default, plain_label
from cuprum.construction import column_from, series_handle
from cuprum.frame import IndexedFrame, wrap_frame, wrap_series
from cuprum.interop import is_pandas

__all__ = [
    "concat",
    "from_pandas",
    "isna",
    "isnull",
    "merge",
    "notna",
    "notnull",
    "to_datetime",
    "to_numeric",
    "unique",
]


def frame_of(obj: Any, argument: str) -> Any:
    """Return a frame for an argument that may be a named Series or pandas' kind."""
    if isinstance(obj, frame.DataFrame):
        return obj
    if is_frame_like(obj):
        return frame.DataFrame(obj)
    if is_pandas(obj, "Series"):
        obj = frame.Series(obj)
    if isinstance(obj, frame.Series):
        if obj.name is None:
            raise ValueError("Cannot merge a Series without a name")
        return obj.to_frame()
    raise TypeError(f"Can only merge Series or DataFrame objects, a {type(obj)} was passed as `{argument}`")


def concat(
    objs: Any,
    *,
    axis: Any = 0,
    join: str = "outer",
    ignore_index: bool = False,
    keys: Any = None,
    levels: Any = None,
    names: Any = None,
    verify_integrity: bool = False,
    sort: bool = False,
    copy: bool | None = None,
) -> Any:
    """Return frames or series one after the other, or side by side with ``axis=1``.

    Parameters
    ----------
    objs
        A list of frames and series, or a dict of them whose keys become ``keys``. None is left out.
    axis
        0: rows one after the other, columns matched by label. 1: side by side, rows matched by label.
    join
        ``'outer'`` keeps the labels of the other axis that any object has, missing where one has
        not; ``'inner'`` those that all have.
    ignore_index
        Labels of the axis become ``0, 1, …``.
    keys
        One label for each object: an outer level of the labels of the axis.
    names
        Names for the levels that ``keys`` makes.

    Examples
    --------
    >>> a, b = frame.DataFrame({"x": [1]}), frame.DataFrame({"x": [2], "y": ["q"]})
    >>> concat([a, b], ignore_index=True)
       x    y
    0  1  NaN
    1  2    q
    """
    only_default("concat", levels=(levels, None))
    if join not in ("inner", "outer"):
        raise ValueError("Only can inner (intersect) or outer (union) join the other axis")
    if isinstance(objs, (IndexedFrame, str)) or not is_list_like(objs):
        raise TypeError(
            f'first argument must be an iterable of cuprum objects, you passed an object of type "{type(objs).__name__}"'
        )
    if isinstance(objs, Mapping):
        keys = list(objs) if keys is None else list(keys)
        objs = [objs[key] for key in keys]
    objs = list(objs)
    if keys is not None:
        keys = list(keys)
        if len(keys) != len(objs):
            raise ValueError(
                f"The length of the keys ({len(keys)}) must match the length of the objects to concatenate ({len(objs)})"
            )
        keys = [key for key, obj in zip(keys, objs, strict=True) if obj is not None]
    objs = [_known(obj) for obj in objs if obj is not None]
    if not objs:
        raise ValueError("No objects to concatenate")
    if axis_number(axis) == 1:
        return _side_by_side(objs, join, ignore_index, keys, names, sort)
    result = _one_after_the_other(objs, join, ignore_index, sort)
    if keys is not None and not ignore_index:
        lengths = [len(obj) for obj in objs]
        level_names = list(names) if names is not None else [None]
        index = _cuprum.nest_index(result._handle.index(), keys, lengths, level_names[0])
        if len(level_names) > 1:
            index = index.with_names(level_names)
        result = result._wrap(result._handle.with_index(index))
    elif names is not None and not ignore_index:
        result = result.rename_axis(names)
    if verify_integrity and not result.index.is_unique:
        raise ValueError("Indexes have overlapping values")
    return result


def _known(obj: Any) -> Any:
    if isinstance(obj, IndexedFrame):
        return obj
    if is_pandas(obj, "DataFrame"):
        return frame.DataFrame(obj)
    if is_pandas(obj, "Series"):
        return frame.Series(obj)
    raise TypeError(
        f"cannot concatenate object of type '{type(obj)}'; only Series and DataFrame objs are valid"
    )


def _one_after_the_other(objs: list[Any], join: str, ignore_index: bool, sort: bool) -> Any:
    if all(isinstance(obj, frame.Series) for obj in objs):
        return wrap_series(_cuprum.concat_series([obj._handle for obj in objs], bool(ignore_index)))
    handles = [
        obj._handle
        if isinstance(obj, frame.DataFrame)
        else obj._handle.to_frame(0 if obj.name is None else None)
        for obj in objs
    ]
    handle = _cuprum.concat_rows(handles, join == "outer", bool(ignore_index))
    if sort:
        labels = handle.labels()
        handle = handle.select_positions(sorted(range(len(labels)), key=labels.__getitem__))
    return wrap_frame(handle)


def _side_by_side(objs: list[Any], join: str, ignore_index: bool, keys: Any, names: Any, sort: bool) -> Any:
    handles, labels = [], []
    unnamed = 0
    for i, obj in enumerate(objs):
        if isinstance(obj, frame.Series):
            own = obj.name if keys is None else keys[i]
            if own is None:
                own, unnamed = unnamed, unnamed + 1
            handles.append(obj._handle.to_frame(0))
            labels.append(plain_label(own))
        else:
            handles.append(obj._handle)
            own_labels = obj._handle.labels()
            if keys is not None:
                own_labels = [(keys[i], *(own if isinstance(own, tuple) else (own,))) for own in own_labels]
            labels += own_labels
    handle = _cuprum.concat_side_by_side(handles, join == "outer")
    if sort:
        handle = handle.sort_index(True)
    level_names = None if names is None else list(names)
    if ignore_index:
        labels, level_names = list(range(len(labels))), None
    return wrap_frame(handle.with_labels(labels, level_names))


def merge(
    left: Any,
    right: Any,
    how: str = "inner",
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_index: bool = False,
    right_index: bool = False,
    sort: bool = False,
    suffixes: Any = ("_x", "_y"),
    copy: bool | None = None,
    indicator: bool | str = False,
    validate: str | None = None,
) -> Any:
    """Return the rows of two frames paired by equal keys; see `DataFrame.merge`."""
    return frame_of(left, "left").merge(
        right, how, on, left_on, right_on, left_index, right_index, sort, suffixes, copy, indicator, validate
    )


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
    format
        A format with Python's directives; ISO 8601 and common forms without it.
    unit
        The unit of numbers: ``D``, ``s``, ``ms``, ``us`` or ``ns`` (the default).
    """
    only_default(
        "to_datetime",
        errors=(errors, "raise"),
        dayfirst=(dayfirst, False),
        utc=(utc, False),
        origin=(origin, "unix"),
        exact=(exact, True),
    )
    if isinstance(arg, (frame.DataFrame, Mapping)):
        return _from_parts(arg)
    if not is_list_like(arg):
        if is_missing(arg):
            return frame.Series([arg], dtype="datetime64[ns]").iloc[0]
        return to_datetime(frame.Series([arg]), format=format, unit=unit).iloc[0]
    if isinstance(arg, frame.Index):
        times = to_datetime(arg._series(), format=format, unit=unit)
        return frame.Index(times._handle.column(), name=arg.name)
    series = arg if isinstance(arg, frame.Series) else frame.Series(arg)
    kind = series.dtype.kind
    if kind == "M":
        result = series
    elif kind == "O":
        if format in ("ISO8601", "mixed"):
            format = None
        result = wrap_series(series._handle.to_datetime(format, "us"))
    elif kind in "iu":
        if format is not None:
            result = wrap_series(series._handle.astype("str").to_datetime(format, "us"))
        else:
            result = series.astype("int64").astype(f"datetime64[{unit or 'ns'}]")
            if unit not in (None, "ns", "us"):
                result = result.astype("datetime64[us]")
    elif kind == "f":
        if series.isna().all():
            result = (
                series.astype("int64")
                if len(series) == 0
                else frame.Series([None] * len(series), index=series.index)
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
    if isinstance(arg, frame.Series) or is_pandas(arg, "Series"):
        return result
    return frame.Index(result._handle.column())


def _nans_to_nulls(series: Any) -> Any:
    """Return a handle in which NaN is null."""
    return series._handle.where(series.notna()._handle.column(), None)


def _from_parts(parts: Any) -> Any:
    table = parts if isinstance(parts, frame.DataFrame) else frame.DataFrame(parts)
    names = {
        label: str(label).lower().removesuffix("s") if str(label) not in ("ms", "us", "ns") else label
        for label in table
    }
    columns = {name: table[label] for label, name in names.items()}
    missing = [name for name in ("year", "month", "day") if name not in columns]
    if missing:
        raise ValueError(
            f"to assemble mappings requires at least that [year, month, day] be specified: [{','.join(missing)}] is missing"
        )
    unknown = sorted(set(columns) - {"year", "month", "day", "hour", "minute", "second"})
    if unknown:
        raise ValueError(f"extra keys have been passed to the datetime assemblage: [{', '.join(unknown)}]")

    def text(name: str, width: int) -> Any:
        return (columns[name].astype("int64") + 10**width).astype("str").str.slice(1)

    day = text("year", 4).str.cat([text("month", 2), text("day", 2)], sep="-")
    times = to_datetime(day, format="%Y-%m-%d")
    for name, seconds in (("hour", 3600), ("minute", 60), ("second", 1)):
        if name in columns:
            microseconds = columns[name].astype("int64") * (seconds * 1_000_000)
            times = times + microseconds.astype("timedelta64[us]")
    return times


def to_numeric(arg: Any, errors: str = "raise") -> Any:
    """Return texts as numbers: int64 where all are whole, else float64.

    ``ValueError`` for a text that is none.
    """
    only_default("to_numeric", errors=(errors, "raise"))
    series = arg if isinstance(arg, frame.Series) else frame.Series(arg)
    if series.dtype.kind != "O":
        return series
    try:
        return series.astype("int64")
    except (ValueError, OverflowError):
        return series.astype("float64")


def isna(obj: Any) -> Any:
    """Return whether a scalar is missing, or where elements of a frame, series or list-like are."""
    if isinstance(obj, (IndexedFrame, frame.Index)):
        return obj.isna()
    if is_list_like(obj):
        return wrap_series(series_handle(obj, None, None, None)).isna().to_numpy()
    return is_missing(obj)


def notna(obj: Any) -> Any:
    """Return whether a scalar is not missing, or where elements are not."""
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


isnull = isna
notnull = notna


def unique(values: Any) -> Any:
    """Return the different elements in order of first appearance, a missing one once, as a NumPy array."""
    if isinstance(values, frame.Index):
        return values.unique()
    if isinstance(values, frame.Series):
        return values.unique()
    return wrap_series(_cuprum.Series(column_from(values))).unique()


def from_pandas(obj: Any) -> Any:
    """Return the frame, series or index that a pandas object is; raises ``TypeError`` for others."""
    if is_pandas(obj, "DataFrame"):
        return frame.DataFrame.from_pandas(obj)
    if is_pandas(obj, "Series"):
        return frame.Series.from_pandas(obj)
    if is_pandas(obj, "Index"):
        return frame.Index(obj)
    raise TypeError(f"from_pandas expects a pandas DataFrame, Series or Index, not {type(obj)}")
