"""Handles of row and column labels made of what users give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    is_list_like,
    plain_label,
    plain_labels,
)
from cuprum.core.construction import cast_column, cast_values, column_from
from cuprum.core.index.levels import levels_in_order
from cuprum.core.interop import is_pandas
from cuprum.core.label_columns import index_of_columns
from cuprum.core.tools.offsets import spelled

__all__ = [
    "index_handle",
    "index_of_labels",
    "level_of",
    "levels_of_arrays",
    "names_of",
    "wanted_rows",
    "with_levels_of",
]


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
    if labels is not None and not handle.num_columns():
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
