"""Columns, row labels and frames from what users hand in."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import asdict, is_dataclass
from numbers import Integral
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType, _tables
from cuprum.core import objects
from cuprum.core.arguments import (
    element_of,
    is_frame_like,
    is_list_like,
    is_mask,
    is_no_default,
    plain_label,
    plain_labels,
    truth_of,
    under_missing_labels,
)
from cuprum.core.dtypes import IntervalDtype, names_object
from cuprum.core.index.frequency import spelled
from cuprum.core.index.levels import levels_in_order
from cuprum.core.interop import as_column, column_from_pandas, is_pandas
from cuprum.core.label_columns import index_of_columns
from cuprum.core.missing import is_missing
from cuprum.core.nulls import without_nan
from cuprum.core.objects import Wrapper

__all__ = [
    "cast_column",
    "cast_values",
    "column_from",
    "elements_from",
    "frame_handle",
    "frame_of",
    "index_handle",
    "index_of_labels",
    "is_naive_time",
    "leaves_intervals_open",
    "level_of",
    "levels_of_arrays",
    "made_with_nan",
    "names_of",
    "parts_of_intervals",
    "positions_column",
    "positions_to_take",
    "refuse_offsets",
    "series_handle",
    "wanted_rows",
    "with_default_widths",
]


def frame_of(obj: Any, argument: str) -> Any:
    """Return a frame for an argument that may be one of pandas'."""
    if isinstance(obj, objects.DataFrame):
        return obj
    if is_frame_like(obj):
        return objects.DataFrame(obj)
    raise TypeError(f"`{argument}` must be a DataFrame, not a {type(obj).__name__}")


def cast_column(column: Column, dtype: Any) -> Column:
    """Return a column cast to a type."""
    if leaves_intervals_open(dtype):
        return _intervals(column, dtype)
    if dtype is None or (column.dtype == dtype and not _names_categories(dtype)):
        return column
    refuse_offsets(column, dtype)
    categories = getattr(dtype, "categories", None)
    if categories is not None and column.null_count() == len(column):
        # Elements that are missing are of the type of any categories.
        column = Column.all_null_like(column_from(categories), len(column))
    return _cuprum.Series(column).astype(dtype).column()


_INTERVALS = re.compile(r"interval(?:\[(.+?)(?:, (left|right|both|neither))?\])?", re.IGNORECASE)


def parts_of_intervals(dtype: Any) -> tuple[Any, str | None] | None:
    """Return the type of the bounds and the closed side that a dtype of intervals names, None for what it leaves open.

    None where it is no dtype of intervals.
    """
    if isinstance(dtype, str):
        found = _INTERVALS.fullmatch(dtype)
        return found and (found[1], found[2])
    if is_pandas(dtype, "IntervalDtype"):
        return None if dtype.subtype is None else str(dtype.subtype), dtype.closed
    if isinstance(dtype, DType) and dtype.subtype is not None:
        return dtype.subtype, dtype.closed
    return None


def leaves_intervals_open(dtype: Any) -> bool:
    """Whether a dtype is one of intervals and does not say all of them."""
    parts = parts_of_intervals(dtype)
    return parts is not None and None in parts


def _intervals(column: Column, dtype: Any) -> Column:
    """Return intervals of what their dtype leaves open as they are; ``TypeError`` for what is none."""
    parts = parts_of_intervals(dtype)
    assert parts is not None, dtype
    subtype: Any = column.dtype.subtype
    closed = column.dtype.closed
    if subtype is None:
        if column.null_count() < len(column):
            raise TypeError(f"elements of type {column.dtype} are no intervals")
        column = Column.filled(None, len(column))
        subtype, closed = "float64" if len(column) else "int64", "right"
    return cast_column(column, IntervalDtype(parts[0] or subtype, parts[1] or closed))


def refuse_offsets(column: Column, dtype: Any) -> None:
    """Fail for texts with offsets from UTC that are to be times without a zone, which would lose them."""
    if column.dtype != "str" or not is_naive_time(dtype):
        return
    texts = objects.wrap_series(_cuprum.Series(column))
    texts = texts[texts.str.contains(r"[0-9]\s*[Zz]|:.*[+-]|\+").fillna(False)]
    # Of several offsets there is no column; then one of the texts alone tells.
    if _has_zone(texts) or any(_has_zone(texts.iloc[at : at + 1]) for at in range(min(len(texts), 1000))):
        raise ValueError(
            f"cannot supply both a tz and a timezone-naive dtype (i.e. {DType(dtype)}): the texts have offsets from "
            "UTC; use to_datetime, or a dtype with a zone"
        )


def _has_zone(texts: Any) -> bool:
    """Whether texts are times with offsets from UTC."""
    with suppress(ValueError, TypeError, OverflowError, NotImplementedError):
        return texts._handle.to_datetime(None, False, False, None, None, False).dtype().tz is not None
    return False


def is_naive_time(dtype: Any) -> bool:
    """Whether a dtype is one of times without a zone."""
    try:
        found = DType(dtype)
    except (TypeError, ValueError, NotImplementedError):
        return False
    return found.kind == "M" and found.tz is None


def cast_values(column: Column, dtype: Any) -> Column:
    """Return a column of given values as a type; ``ValueError`` for fractions that are to be integers."""
    cast = cast_column(column, dtype)
    if column.dtype.kind == "f" and cast.dtype.kind in "iu":
        given, whole = _cuprum.Series(column), _cuprum.Series(cast).astype("float64")
        if any(given.binary(whole, op).reduce("any") for op in ("lt", "gt")):
            raise ValueError("Trying to coerce float values to integers")
    return cast


def _names_categories(dtype: Any) -> bool:
    return (dtype if isinstance(dtype, str) else getattr(dtype, "name", None)) == "category"


def column_from(values: Any, dtype: Any = None) -> Column:
    """Return a column of the elements of a list-like: a Series or Index gives its own, without labels."""
    kind = type(values)
    if kind is list and dtype is None:
        return _column_of_list(values)
    if kind is list and values and (periods := _periods(values)) is not None:
        return cast_column(periods, dtype)
    if dtype is not None:
        if leaves_intervals_open(dtype):
            return _intervals(column_from(values), dtype)
        _cuprum.check_unit(dtype)
    elif "numpy" in sys.modules and kind is sys.modules["numpy"].ndarray and values.dtype.kind != "O":
        return _with_nulls(Column.from_numpy(values))
    if kind is not list:
        if isinstance(values, Wrapper):
            if not isinstance(values, objects.Series):
                raise TypeError("a column needs a sequence of scalars, not a DataFrame")
            return cast_column(values._handle.column(), dtype)
        if isinstance(values, objects.Index):
            return cast_column(values._column(), dtype)
        if isinstance(values, (Mapping, set, frozenset)):
            raise TypeError(f"a column needs a sequence of scalars, not a {kind.__name__}: order matters")
        if not isinstance(values, Column) and _is_objects(values):
            return column_from(values.tolist(), dtype)
        if isinstance(values, Column) or hasattr(values, "dtype") or hasattr(values, "__arrow_c_array__"):
            typed = isinstance(values, Column) or is_pandas(values, "Series")
            column = as_column(values)
            if not isinstance(values, Column):
                column = _with_nulls(column)
            return (cast_column if typed else cast_values)(column, dtype)
    if dtype is None:
        return _with_nulls(_cuprum.with_default_width(as_column(values)))
    if not isinstance(values, (list, tuple, range)):
        values = list(values)
    try:
        return _with_nulls(as_column(values, dtype))
    except TypeError:
        if not _names_categories(dtype):
            wanted = DType(dtype)  # a type that is none is the error to report
            if dtype is str or str(dtype) in ("str", "string"):
                return as_column([None if is_missing(value) else str(value) for value in values], dtype)
            found = as_column(values)
            _refuse_times(found, wanted.kind)
            return cast_values(found, dtype)
        return cast_values(as_column(values), dtype)


def _column_of_list(values: list[Any], kept: bool = False) -> Column:
    """Return a column of the type that the elements of a list have; see `Column.from_scalars` for ``kept``."""
    periods = _periods(values) if values else None
    if periods is not None:
        return periods
    return _with_nulls(_cuprum.with_default_width(Column.from_scalars(values, kept=kept)))


def _periods(values: list[Any]) -> Column | None:
    """Return pandas' periods in a list as a column; None where they are none, or of several frequencies."""
    if values[0] is None or is_missing(values[0]):
        first = next((value for value in values if not is_missing(value)), None)
    else:
        first = values[0]
    if not is_pandas(first, "Period"):
        return None
    import pandas as pd

    with suppress(ValueError, TypeError):
        return column_from_pandas(pd.PeriodIndex(values))
    return None


def with_default_widths(handle: Any, inferred: list[bool]) -> Any:
    """Return a handle of a frame with the columns whose type nothing said as wide as the options have numbers."""
    if _cuprum.default_bitwidth("integer") is None and _cuprum.default_bitwidth("float") is None:
        return handle
    columns = zip(handle.columns(), inferred, strict=True)
    return handle.with_columns(
        [_cuprum.with_default_width(column) if is_inferred else column for column, is_inferred in columns]
    )


def _with_nulls(column: Column) -> Column:
    """Return elements that come in, NaN as null where results are not those of pandas."""
    if column.dtype.kind != "f" or _cuprum.pandas_compatible() or _KEEPS_NAN.get():
        return column
    return _tables.column_nans_to_nulls(column)


# Whether NaN that comes in stays NaN, whatever the options say.
_KEEPS_NAN = ContextVar("_KEEPS_NAN", default=False)


def made_with_nan(nan_as_null: bool | None, make: Callable[..., Any], *args: Any) -> Any:
    """Return the handle that ``make`` gives, in which NaN is null or stays NaN as ``nan_as_null`` says.

    None leaves it to the option ``mode.pandas_compatible``.
    """
    if nan_as_null is None or is_no_default(nan_as_null):
        return make(*args)
    if truth_of("nan_as_null", nan_as_null):
        return without_nan(make(*args))
    token = _KEEPS_NAN.set(True)
    try:
        return make(*args)
    finally:
        _KEEPS_NAN.reset(token)


def _refuse_times(given: Column, kind: str) -> None:
    """Raise ``TypeError`` for times that are to be numbers; a cast says what they count."""
    if given.dtype.kind in "mM" and kind in "iufb":
        raise TypeError(f"elements of type {given.dtype} are no numbers: use astype")


def _is_objects(values: Any) -> bool:
    return hasattr(values, "__array_interface__") and getattr(values.dtype, "kind", "") == "O"


def element_column(value: Any, size: int, dtype: Any = None) -> Column:
    """Return a column of ``size`` times one scalar, or the element of an array without dimensions."""
    value = element_of(value)
    if dtype is None and value is None:
        return Column.from_objects([None] * size)
    if dtype is None:
        return _with_nulls(_cuprum.with_default_width(_filled(value, size)))
    if names_object(dtype):
        return elements_from([value] * size, dtype)
    if leaves_intervals_open(dtype):
        return _intervals(_filled(value, size), dtype)
    _cuprum.check_unit(dtype)
    if size > 1:
        with suppress(TypeError):
            return Column.filled(value, size, dtype)
    column = Column.filled(value, size)
    if not _names_categories(dtype):
        _refuse_times(column, DType(dtype).kind)
    return cast_column(column, dtype)


def _untyped_column(size: int, dtype: Any = None) -> Column:
    """Return ``size`` missing elements of a type: objects without a ``dtype``."""
    return Column.from_objects([float("nan")] * size) if dtype is None else element_column(None, size, dtype)


def _filled(value: Any, size: int) -> Column:
    try:
        return Column.filled(value, size)
    except TypeError:
        return Column.from_objects([value] * size)  # what has no type


def positions_column(indices: Any) -> Column:
    """Return positions as a column for the handles' ``iloc``; an empty list is one of integers."""
    if isinstance(indices, (list, tuple)) and not indices:
        return Column.from_iterable_of_py([], "int64")
    return column_from(indices)


def positions_to_take(indices: Any) -> Column:
    """Return the positions that ``take`` is given: truth values are the numbers 1 and 0, as in pandas."""
    column = positions_column(indices)
    return cast_column(column, "int64") if column.dtype.kind == "b" else column


# Row labels.


def index_handle(labels: Any, length: int | None = None) -> Any:
    """Return a handle of the row labels in ``labels``; None makes ``0, 1, …`` for ``length`` rows."""
    if labels is None:
        return _cuprum.Index.range(0, length or 0)
    if isinstance(labels, objects.Index):
        return labels._handle
    if isinstance(labels, range):
        return _cuprum.Index.range(labels.start, labels.stop, labels.step)
    if isinstance(labels, objects.SeriesOfObjects):
        return _labels_handle(labels.to_list(), labels.name)
    if isinstance(labels, objects.Series):
        handle = labels._handle
        return _cuprum.Index.from_columns([handle.column()], [handle.name()])
    if is_pandas(labels, "RangeIndex"):
        return _cuprum.Index.range(labels.start, labels.stop, labels.step, _name(labels.name))
    if is_pandas(labels, "MultiIndex"):
        levels = list(map(level_of, levels_in_order(labels)))
        handle = index_of_columns(levels, [_name(name) for name in labels.names])
        # Also those that no row has.
        known = [level_of(level) for level in labels.levels]
        alike = all(one.dtype == own.dtype for one, own in zip(known, levels, strict=True))
        return handle.with_levels([*known]) if alike else handle
    if not is_list_like(labels):
        raise TypeError(f"Index(...) must be called with a collection of some kind, {labels!r} was passed")
    name = _name(getattr(labels, "name", None)) if is_pandas(labels, "Index", "Series") else None
    if not hasattr(labels, "dtype") and (
        hasattr(labels, "__arrow_c_array__") or hasattr(labels, "__arrow_c_stream__")
    ):
        column = column_from(labels)
        categories = column.categories()
        # As pandas: labels are the values of a dictionary.
        labels = column if categories is None else cast_values(column, categories[0].dtype)
    if not hasattr(labels, "dtype") and not isinstance(labels, Column):
        labels = list(labels)
        if labels and all(isinstance(label, tuple) for label in labels):
            if all(len(label) == 1 for label in labels):
                return _cuprum.object_index(plain_labels(labels)).with_names([name])
            return index_of_columns(
                [level_of(list(level)) for level in zip(*labels, strict=True)], [None] * len(labels[0])
            )
        return _labels_handle(labels, name)
    if is_pandas(labels, "DatetimeIndex", "TimedeltaIndex"):
        return _frequency_of_pandas(labels, _labels_handle(labels, name))
    return _labels_handle(labels, name)


def level_of(labels: Any) -> Column:
    """Return a level of labels; of none, whose type nothing says, one of texts, which take the type of what they meet."""
    try:
        column = column_from(labels)
    except TypeError:  # of several kinds
        return Column.from_objects(plain_labels(labels))
    untyped = not len(column) and (
        isinstance(labels, (list, tuple)) or str(getattr(labels, "dtype", "")) == "object"
    )
    return cast_column(column, "str") if untyped else column


def _frequency_of_pandas(labels: Any, handle: Any) -> Any:
    """Return a handle of labels that are times with the frequency that they have in pandas."""
    freq = getattr(labels, "freq", None)
    if freq is None or handle.nlevels() != 1 or handle.kind() not in ("M", "m"):
        return handle
    return handle.with_frequency(spelled(freq))


def _labels_handle(labels: Any, name: Any) -> Any:
    """Return a handle of the labels of one level: a column, or as they are where they are of several kinds."""
    if isinstance(labels, list) and not labels:
        return _cuprum.object_index([]).with_names([name])
    try:
        return _cuprum.Index.from_columns([column_from(labels)], [name])
    except TypeError:
        if isinstance(labels, Column):
            raise
        labels = plain_labels(labels)
        of = (
            _cuprum.object_index if any(isinstance(label, tuple) for label in labels) else _cuprum.label_index
        )
        return of(labels).with_names([name])


def levels_of_arrays(labels: Any) -> Any:
    """Return a list of lists or arrays, which frames and series take for levels of labels, as an index of these."""
    arrays = (list, objects.Index, objects.Series)
    if (
        type(labels) is not list
        or not labels
        or (not isinstance(labels[0], arrays) and not hasattr(labels[0], "dtype"))
    ):
        return labels
    if not all(isinstance(level, arrays) or getattr(level, "ndim", 0) == 1 for level in labels):
        return labels
    columns = [level_of(level) for level in labels]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("all arrays must be same length")
    names = [plain_label(getattr(level, "name", None)) for level in labels]
    return objects.wrap_index(index_of_columns(columns, names))


def index_of_labels(labels: Sequence[Any]) -> Any:
    """Return column labels as row labels, as reductions of a frame have them."""
    return _cuprum.label_index(list(labels))


def names_of(labels: Any) -> list[Any] | None:
    """Return the names of the levels of an index, or that of a series; None for a list-like without names."""
    if isinstance(labels, objects.Series) or is_pandas(labels, "Series"):
        return [_name(labels.name)]
    names = (
        getattr(labels, "names", None)
        if isinstance(labels, objects.Index) or is_pandas(labels, "Index")
        else None
    )
    return None if names is None else plain_labels(names)


def with_levels_of(handle: Any, labels: Any) -> Any:
    """Return the frame with the names of the levels of ``labels``, where these have names, and their categories.

    Without columns, its labels are of the kind of ``labels``.
    """
    if labels is not None and not handle.shape()[1]:
        return handle.with_kind_of_labels(index_handle(labels))
    names = names_of(labels)
    if names is None or len(names) != handle.num_levels():
        return handle
    # Levels of several kinds are no index of their own here.
    levels = getattr(labels, "levels", [labels]) if is_pandas(labels, "Index") else [labels]
    hierarchical = isinstance(labels, objects.Index) and len(names) > 1
    if hierarchical or any(str(level.dtype) in _UNTOLD for level in levels):
        return handle.with_levels_of(index_handle(labels))
    return handle if all(name is None for name in names) else handle.with_labels(handle.labels(), names)


# Types of column labels that the labels themselves do not tell.
_UNTOLD = frozenset(["category", "int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32"])


def wanted_rows(labels: Any, present: Any) -> Any:
    """Return a handle of the labels that rows are to have, named as those ``present`` if they bring no name."""
    if isinstance(labels, (list, tuple)) and not labels:
        return present.slice(0, 0)
    wanted = index_handle(labels)
    if hasattr(labels, "name") or wanted.nlevels() != present.nlevels():
        return wanted
    return wanted.with_names(present.names())


def _name(name: Any) -> Any:
    return plain_label(name)


# Series.


def series_handle(data: Any, index: Any, dtype: Any, name: Any) -> Any:
    """Return the handle that the arguments of ``Series(...)`` stand for."""
    index = levels_of_arrays(index)
    if isinstance(data, objects.Series) or is_pandas(data, "Series"):
        handle = data._snapshot()._handle if isinstance(data, objects.Series) else series_from_pandas(data)
        if index is not None:
            handle = handle.reindex(index_handle(index))
        if leaves_intervals_open(dtype):
            handle = _cuprum.Series(cast_column(handle.column(), dtype), handle.name(), handle.index())
        elif dtype is not None:
            handle = handle.astype(dtype)
        return handle if name is None else handle.rename(name)
    if isinstance(data, Mapping):
        rows = index_handle(_as_range(list(data)) or None)
        elements = elements_from(list(data.values()), dtype) if data else _untyped_column(0, dtype)
        handle = _cuprum.Series(elements, name, rows)
        return handle if index is None else handle.reindex(index_handle(index))
    if data is None:
        labels = index_handle(index, 0)
        of_floats = dtype is None and len(labels)  # as in pandas
        column = (
            element_column(float("nan"), len(labels)) if of_floats else _untyped_column(len(labels), dtype)
        )
        return _cuprum.Series(column, name, labels)
    if not is_list_like(data):
        labels = index_handle(index, 1)
        return _cuprum.Series(element_column(data, len(labels), dtype), name, labels)
    if name is None and (isinstance(data, objects.Index) or is_pandas(data, "Index")):
        name = _name(data.name)
    if isinstance(data, Wrapper) or getattr(data, "ndim", 1) != 1:
        raise ValueError(f"Data must be 1-dimensional, got ndim of {getattr(data, 'ndim', 2)} instead")
    of_nothing = isinstance(data, (list, tuple)) and not data
    column = _untyped_column(0, dtype) if of_nothing else elements_from(data, dtype)
    if index is None:
        return _cuprum.Series(column, name)
    labels = index_handle(index)
    return _cuprum.Series(column, name, labels)


def _as_range(labels: list[Any]) -> Any:
    """Return integers at equal distances as a range, which pandas has for the keys of a mapping; others as they are."""
    if len(labels) < 2 or not all(isinstance(one, Integral) and not isinstance(one, bool) for one in labels):
        return labels
    first, second, last = (int(labels[row]) for row in (0, 1, -1))
    step = second - first
    stop = last + step
    equal = range(first, stop, step) if step and -(2**63) <= stop < 2**63 else ()
    return equal if list(equal) == labels else labels


def series_from_pandas(series: Any, objects: bool = False) -> Any:
    """Return a handle of a pandas Series: values, name and row labels; see `_of_pandas` for ``objects``."""
    return _cuprum.Series(_of_pandas(series, objects), _name(series.name), index_handle(series.index))


def elements_from(values: Any, dtype: Any = None) -> Column:
    """Return a column of the elements of a list-like: `column_from`, but of objects where no other type holds them.

    Texts are such with a ``dtype`` of objects, too.
    """
    of_objects = names_object(dtype)
    if dtype is None and type(values) is list and _are_nothing(values):
        return Column.from_objects(values)
    try:
        if dtype is None and type(values) is list:
            return _column_of_list(values, kept=True)
        column = column_from(values, None if of_objects else dtype)
        if not of_objects or column.dtype == "str":
            nothing = dtype is None and _is_objects(values) and column.null_count() == len(column)
            return Column.from_objects(values) if nothing else column
    except (TypeError, OverflowError, NotImplementedError):
        of_objects = of_objects or (
            dtype is None and (isinstance(values, (list, tuple)) or _is_objects(values))
        )
        if not of_objects or any(isinstance(value, Wrapper) for value in values):
            raise
    return Column.from_objects(values)


def _are_nothing(values: list[Any]) -> bool:
    """Whether a list has elements, all of them None: none of them has a type."""
    return bool(values) and values[0] is values[-1] is None and values.count(None) == len(values)


# What the elements of an array of objects in pandas may be beside objects here: what pandas has no type for.
_OBJECTS_OF_PANDAS = ("date32", "decimal", "list", "struct", "binary")


def _of_pandas(series: Any, objects: bool) -> Column:
    """Return the column of a pandas Series.

    Objects get the type that they have in common. Where they have none, they are objects here, too; and if ``objects``
    where pandas has another type that they could have had.
    """
    if getattr(series.dtype, "kind", "") != "O" or series.dtype != object:
        return column_from(series)
    try:
        column = column_from(series)
    except (TypeError, OverflowError, NotImplementedError):
        return Column.from_objects(series)
    untyped = column.null_count() == len(column)
    if untyped or (objects and not str(column.dtype).startswith(_OBJECTS_OF_PANDAS)):
        return Column.from_objects(series)
    return column


# Frames.


def frame_from_pandas(source: Any, objects: bool = False) -> Any:
    """Return a handle of a pandas DataFrame: columns, their labels and row labels; see `_of_pandas` for ``objects``."""
    labels = plain_labels(source.columns)
    columns = []
    for i, label in enumerate(labels):
        try:
            columns.append(_of_pandas(source.iloc[:, i], objects))
        except (TypeError, OverflowError) as error:
            error.add_note(f"in column {label!r} of the pandas DataFrame")
            raise
    handle = _cuprum.DataFrame(labels, columns, index_handle(source.index))
    return with_levels_of(handle, source.columns)


def frame_handle(data: Any, index: Any, columns: Any, dtype: Any) -> Any:
    """Return the handle that the arguments of ``DataFrame(...)`` stand for."""
    for name, labels in (("index", index), ("columns", columns)):
        if isinstance(labels, (set, frozenset)):
            raise ValueError(f"{name} cannot be a set")
    index, columns = levels_of_arrays(index), levels_of_arrays(columns)
    return with_levels_of(_frame_handle(data, index, columns, dtype), columns)


def _column_labels(columns: Any) -> list[Any]:
    if not is_list_like(columns):
        raise TypeError(f"Index(...) must be called with a collection of some kind, {columns!r} was passed")
    return plain_labels(columns)


def _frame_handle(data: Any, index: Any, columns: Any, dtype: Any) -> Any:
    if isinstance(data, Mapping):
        return _typed(_from_mapping(data, index, columns, dtype), None)
    if isinstance(data, objects.DataFrame) or is_pandas(data, "DataFrame"):
        handle = data._snapshot()._handle if isinstance(data, objects.DataFrame) else frame_from_pandas(data)
        return _typed(_selected(handle, index, columns), dtype)
    if isinstance(data, objects.Series) or is_pandas(data, "Series"):
        handle = data._snapshot()._handle if isinstance(data, objects.Series) else series_from_pandas(data)
        label = handle.name()
        if label is None:
            # What has no name takes the one that is given.
            handle = _relabelled(handle.to_frame(0), None, columns)
            return _typed(_selected(handle, index, None), dtype)
        if columns is not None and index is None and label not in _column_labels(columns):
            handle = handle.slice(0, 0)
        return _typed(_selected(handle.to_frame(None), index, columns), dtype)
    if data is None:
        labels = [] if columns is None else _column_labels(columns)
        rows = index_handle(index, 0)
        empty = _untyped_column(len(rows), dtype)
        return _cuprum.DataFrame(labels, [empty] * len(labels), rows)
    if isinstance(data, objects.Index):
        handle = data.to_frame(index=False)._handle
        return _typed(_relabelled(handle, index, columns), dtype)
    if isinstance(data, Column):
        return _typed(_relabelled(_cuprum.DataFrame([0], [data]), index, columns), dtype)
    if hasattr(data, "__array_interface__") or _is_numpy(data):
        handle = _from_numpy(data)
        fields = getattr(data.dtype, "names", None)
        if fields and columns is not None:
            columns = _column_labels(columns)
            for name in columns:
                if name not in fields:
                    raise ValueError(f"no field of name {name}")
            handle = _selected(handle, None, columns)
        return _typed(_relabelled(handle, index, columns), dtype)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _typed(_selected(frame_from_arrow(data), index, columns), dtype)
    if not is_list_like(data):
        if index is None or columns is None:
            raise ValueError("DataFrame constructor not properly called!")
        labels, rows = _column_labels(columns), index_handle(index)
        return _cuprum.DataFrame(labels, [element_column(data, len(rows), dtype)] * len(labels), rows)
    if getattr(data, "ndim", 0) == 1 and hasattr(data, "dtype"):  # an array of pandas
        return _typed(_relabelled(_cuprum.DataFrame([0], [column_from(data)]), index, columns), dtype)
    return _from_rows(list(data), index, columns, dtype)


def _is_numpy(data: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(data, numpy.ndarray)


def frame_from_arrow(data: Any) -> Any:
    """Return a handle of an object that exports an Arrow stream or struct array."""
    names, columns, rows = _cuprum.columns_from_arrow(data)
    return _cuprum.DataFrame(names, columns, _cuprum.Index.range(0, rows))


def _typed(handle: Any, dtype: Any) -> Any:
    if dtype is None:
        return handle
    if leaves_intervals_open(dtype):
        return handle.with_columns([_intervals(column, dtype) for column in handle.columns()])
    typed = handle.astype(dtype)
    for given, kind in zip(handle.columns(), typed.dtypes(), strict=True):
        if given.dtype.kind == "f" and kind.kind in "iu":
            cast_values(given, kind)
    return typed


def _selected(handle: Any, index: Any, columns: Any) -> Any:
    """Rows and columns of a frame by label; labels that it has not are missing."""
    if columns is not None:
        labels = _column_labels(columns)
        rows = handle.index()
        missing = Column.filled(None, len(rows))
        parts = [handle.column(label).column() if handle.contains(label) else missing for label in labels]
        handle = _cuprum.DataFrame(labels, parts, rows)
    return handle if index is None else handle.reindex(index_handle(index))


def _relabelled(handle: Any, index: Any, columns: Any) -> Any:
    """Return the frame with labels for its columns and rows by position."""
    if columns is not None:
        labels = _column_labels(columns)
        if len(labels) != handle.shape()[1]:
            raise ValueError(
                f"Shape of passed values is {handle.shape()}, indices imply {(len(handle), len(labels))}"
            )
        handle = handle.with_labels(labels)
    return handle if index is None else handle.with_index(index_handle(index))


def _from_numpy(data: Any) -> Any:
    names = getattr(data.dtype, "names", None)
    if names:
        return _cuprum.DataFrame(list(names), [column_from(data[name]) for name in names])
    if data.ndim == 1:
        return _cuprum.DataFrame([0], [column_from(data)])
    if data.ndim != 2:
        raise ValueError(f"Must pass 2-d input. shape={data.shape}")
    rows, count = data.shape
    if count == 0 or _is_objects(data):
        columns = [elements_from(data[:, i]) for i in range(count)]
        return _cuprum.DataFrame(list(range(count)), columns, _cuprum.Index.range(0, rows))
    import numpy as np

    values = np.ma.asarray(data) if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    flat = values.ravel(order="F")
    # What is the array's own, nobody else writes to.
    column = _with_nulls(as_column(flat, copy=flat.base is not None))
    return _cuprum.DataFrame.from_stacked(column, rows, count)


def _is_series(row: Any) -> bool:
    return isinstance(row, objects.Series) or is_pandas(row, "Series")


def _by_unique_label(row: Any) -> dict[Any, Any]:
    """Return the elements of a series by label; ``InvalidIndexError`` where labels repeat."""
    items = list(row.items())
    found = dict(items)
    if len(found) < len(items):
        from pandas.errors import InvalidIndexError

        raise InvalidIndexError("Reindexing only valid with uniquely valued Index objects")
    return found


def _from_rows(rows: list[Any], index: Any, columns: Any, dtype: Any) -> Any:
    """Return a frame of a list: of dicts, of sequences, or of the elements of one column."""
    first = rows[0] if rows else None
    if first is None and not rows:
        labels = [] if columns is None else _column_labels(columns)
        own = index_handle(index, 0)
        empty = _untyped_column(len(own), dtype)
        return _cuprum.DataFrame(labels, [empty] * len(labels), own)
    if first is not None and getattr(first, "ndim", 1) > 1:
        raise ValueError(f"Must pass 2-d input. shape={(len(rows), *first.shape)}")
    if is_dataclass(first) and not isinstance(first, type):
        rows = [asdict(row) for row in rows]
        first = rows[0]
    if _is_series(first):
        if not all(map(_is_series, rows)):
            raise TypeError(
                "rows that are Series cannot stand beside others; give all of them as Series or lists"
            )
        if index is None and any(row.name is not None for row in rows):
            unnamed = (f"Unnamed {i}" for i in range(len(rows)))
            index = [next(unnamed) if row.name is None else row.name for row in rows]
        rows = [_by_unique_label(row) for row in rows]
        first = rows[0]
    if isinstance(first, Mapping):
        labels = list(dict.fromkeys(label for row in rows for label in row))
        if columns is not None:
            labels = _column_labels(columns)
        known = set().union(*rows)
        parts = [
            elements_from([row.get(label) for row in rows], dtype)
            if label in known
            else element_column(
                float("nan") if names_object(dtype) or dtype is None else None, len(rows), dtype
            )
            for label in labels
        ]
    elif is_list_like(first):
        names = getattr(first, "_fields", None)  # named tuples
        widths = {len(row) for row in rows}
        count = max(widths)
        if columns is not None:
            labels = _column_labels(columns)
            if len(labels) != count:
                raise ValueError(f"{len(labels)} columns passed, passed data had {count} columns")
        else:
            labels = list(names) if names else list(range(count))
        if len(widths) > 1:
            rows = [[*row, *[None] * (count - len(row))] for row in rows]
        parts = [elements_from(list(part), dtype) for part in zip(*rows, strict=True)] if count else []
    else:
        labels = [0] if columns is None else _column_labels(columns)
        if len(labels) != 1:
            raise ValueError(
                f"Shape of passed values is {(len(rows), 1)}, indices imply {(len(rows), len(labels))}"
            )
        parts = [elements_from(rows, dtype)]
    return _cuprum.DataFrame(labels, parts, index_handle(index, len(rows)))


def _from_mapping(data: Mapping[Any, Any], index: Any, columns: Any, dtype: Any) -> Any:
    """Return a frame of a dict: series are matched by label, scalars repeated."""
    items = {plain_label(label): values for label, values in data.items()}
    labels = list(items)
    if columns is not None:
        labels = _column_labels(columns)
        if any(label not in items for label in labels):
            items = under_missing_labels(items, labels)
    if index is None:
        kinds = [_source_kind(items[label]) for label in labels if label in items]
        if "dict" in kinds and "list" in kinds:
            raise ValueError("Mixing dicts with non-Series may lead to ambiguous ordering.")
    sources: list[Any] = []
    for label in labels:
        if label not in items:
            sources.append((_untyped_column(1, dtype),))
            continue
        values = items[label]
        kind = type(values)
        if kind is not list and kind is not tuple:
            if isinstance(values, objects.Series):
                sources.append(_cast(values._handle, dtype))
                continue
            if is_pandas(values, "Series"):
                sources.append(_cast(series_from_pandas(values), dtype))
                continue
            if isinstance(values, Mapping):
                sources.append((_cast(series_handle(values, None, None, None), dtype),))
                continue
            if not is_list_like(values):
                sources.append((element_column(values, 1, dtype),))
                continue
        try:
            sources.append(elements_from(values, dtype))
        except (TypeError, OverflowError) as error:
            error.add_note(f"in column {label!r}")
            raise
    rows = None if index is None else index_handle(index)
    if rows is None and not any(label in items for label in labels):
        rows = _cuprum.Index.range(0, 0)
    return _cuprum.DataFrame.from_sources(labels, sources, rows)


def _source_kind(values: Any) -> str:
    if type(values) in (list, tuple):
        return "list"
    if isinstance(values, objects.Series) or is_pandas(values, "Series"):
        return "series"
    if isinstance(values, Mapping):
        return "dict"
    return "list" if is_list_like(values) else "scalar"


def _cast(handle: Any, dtype: Any) -> Any:
    return handle if dtype is None else handle.astype(dtype)


def mask_column(mask: Any, target: Wrapper) -> Column:
    """Return a boolean mask for the rows of ``target`` as a column; a series is matched by label."""
    mask = objects.ours(mask)
    if isinstance(mask, objects.Series):
        handle = mask._handle
        rows = target._handle.index()
        if not handle.index().equals(rows):
            missing = handle.column().null_count()
            handle = handle.reindex(rows)
            if handle.column().null_count() > missing:
                raise IndexError(
                    "Unalignable boolean Series provided as indexer (index of the boolean Series and of "
                    "the indexed object do not match)."
                )
        return handle.column()
    column = column_from(mask, None if is_mask(mask) else "bool")
    if len(column) != len(target):
        raise IndexError(f"Boolean index has wrong length: {len(column)} instead of {len(target)}")
    return column


def pandas_column(values: Any) -> Column:
    """Return a column of a pandas array."""
    return column_from_pandas(values)
