"""Handles of frames and series made of what users give: dicts, lists, arrays, frames of others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from numbers import Integral
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    is_frame_like,
    is_list_like,
    is_no_default,
    plain_label,
    plain_labels,
    truth_of,
    under_missing_labels,
)
from cuprum.core.construction import (
    _KEEPS_NAN,
    _intervals,
    _is_objects,
    _with_nulls,
    cast_column,
    cast_values,
    column_from,
    element_column,
    elements_from,
    leaves_intervals_open,
)
from cuprum.core.dtypes import names_object
from cuprum.core.interop import as_column, is_pandas
from cuprum.core.label_construction import _name, index_handle, levels_of_arrays, with_levels_of
from cuprum.core.nulls import without_nan
from cuprum.core.objects import Wrapper

__all__ = [
    "frame_from_arrow",
    "frame_from_pandas",
    "frame_handle",
    "frame_of",
    "made_with_nan",
    "series_from_pandas",
    "series_handle",
]


def frame_of(obj: Any, argument: str) -> Any:
    """Return a frame for an argument that may be one of pandas'."""
    if isinstance(obj, objects.DataFrame):
        return obj
    if is_frame_like(obj):
        return objects.DataFrame(obj)
    raise TypeError(f"`{argument}` must be a DataFrame, not a {type(obj).__name__}")


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


def _untyped_column(size: int, dtype: Any = None) -> Column:
    """Return ``size`` missing elements of a type: objects without a ``dtype``."""
    return Column.from_objects([float("nan")] * size) if dtype is None else element_column(None, size, dtype)


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


# Kinds of elements beside objects in an array of objects of pandas: those without a type there.
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
            # A series without a name takes the given one.
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
        if len(labels) != handle.num_columns():
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
    # Nobody else writes to memory that is the array's own.
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
