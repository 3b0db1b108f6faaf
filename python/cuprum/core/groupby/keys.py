"""The keys of groups that the arguments of `groupby` and `resample` stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    is_list_like,
    is_scalar,
    plain_label,
)
from cuprum.core.construction import column_from
from cuprum.core.functions.results import mapping_series
from cuprum.core.groupby.grouped import VALUES
from cuprum.core.groupby.grouper import Grouper, grouper_of
from cuprum.core.index.index import wrap_index

__all__ = ["keys_of", "table_of", "time_key", "times_of_key", "with_bins_as_columns"]


def keys_of(original: Any, target: Any, by: Any, level: Any) -> list[tuple[Any, Any]]:
    """Return what ``by`` and ``level`` stand for as the keys of `_cuprum.GroupBy`.

    ``target`` is a snapshot of ``original``: a series that is a column of that is the one of this.
    """
    if level is not None:
        levels = level if isinstance(level, (list, tuple)) else [level]
        if target.index.nlevels == 1:
            _check_only_level(levels, target.index.name)
        if by is None or target.index.nlevels == 1:  # as in pandas the labels are the keys there
            return [("level", plain_label(one)) for one in levels]
        return _keys_of_levels(target, by, levels)
    if by is None:
        raise TypeError("You have to supply one of 'by' and 'level'")
    grouper = grouper_of(by)
    if grouper is not None:
        return [_key_of_grouper(target, grouper)]
    handle, names = target._handle, target._handle.index_names()
    contains = handle.contains if target.ndim == 2 else lambda label: False
    many = isinstance(by, list)
    are_values = many and by and all(map(is_scalar, by))
    if (
        are_values
        and not any(contains(plain_label(one)) or one in names for one in by)
        and len(by) == len(target)
    ):
        return [(None, _key_column(by))]  # a key for each row
    return [_key(original, target, key, contains) for key in (by if many else [by])]


def _check_only_level(levels: Any, name: Any) -> None:
    """Fail for levels that labels of one level have not."""
    for level in levels:
        if isinstance(level, str) and level != name:
            raise ValueError(f"level name {level} is not the name of the index")
        if isinstance(level, int) and level != name and level not in (0, -1):
            raise ValueError("level > 0 or level < -1 only valid with MultiIndex")


def _keys_of_levels(target: Any, by: Any, levels: Any) -> list[tuple[Any, Any]]:
    """Return keys that functions and mappings make of the labels of levels."""
    each = [objects.ours(one) for one in (by if isinstance(by, list) else [by])]
    if len(each) != len(levels):
        raise NotImplementedError(f"groupby has {len(each)} keys in `by` for {len(levels)} levels in `level`")
    keys = []
    for one, level in zip(each, levels, strict=True):
        if not (callable(one) or isinstance(one, (Mapping, objects.Series))):
            raise NotImplementedError(
                f"groupby with `level` takes functions, mappings and series of its labels as `by`, not {one!r}"
            )
        labels = target.index.get_level_values(level)
        keys.append((plain_label(labels.name), column_from(labels.map(one))))
    return keys


def _key_of_grouper(target: Any, grouper: Grouper) -> tuple[Any, Any]:
    if grouper.bins is not None:
        return labels_of_bins(target, grouper)
    if grouper.key is None and grouper.level is None:
        raise TypeError("Grouper() names no `key`, no `level` and no `freq`")
    return time_key(target, grouper.key, grouper.level)


def with_bins_as_columns(target: Any, by: Any, table: Any, keys: list[Any]) -> tuple[Any, list[Any]]:
    """Return a handle of a table whose columns of times are the bins that they are keys by, and the keys.

    As keys they are no values. A column that is a key twice stays as it is.
    """
    keys = list(keys)
    for number, one in enumerate(by if isinstance(by, list) and len(by) == len(keys) else ()):
        grouper = grouper_of(one)
        if grouper is None or grouper.bins is None:
            continue
        key = time_key(target, grouper.key, grouper.level)
        if key[0] == "label" and key not in keys:
            table = table.with_column(key[1], keys[number][1])
            keys[number] = key
    return table, keys


def _key_column(values: Any) -> Column:
    """Return a key for each row as a column; of objects where they have no type."""
    try:
        return column_from(values)
    except TypeError:
        return Column.from_objects([*values])


def _key(original: Any, target: Any, key: Any, contains: Any) -> tuple[Any, Any]:
    grouper = grouper_of(key)
    if grouper is not None:
        return _key_of_grouper(target, grouper)
    key = objects.ours(key)
    if isinstance(key, objects.Series):
        if target.ndim == 2 and contains(key.name):
            column = key._handle.reindex(target._handle.index()).column()
            if original._handle.has_column(key.name, column):
                return "label", key.name
        return "series", key._handle
    if isinstance(key, Mapping):
        return "mapping", mapping_series(key, target.index.dtype)._handle
    if callable(key):
        index = target.index
        name = None if index.nlevels > 1 else plain_label(index.name)
        return name, _key_column([key(label) for label in index.to_list()])
    if is_list_like(key) and not isinstance(key, tuple):
        return plain_label(getattr(key, "name", None)), _key_column(key)
    if target.ndim == 1 and plain_label(key) not in target._handle.index_names():
        raise KeyError(key)
    return "label", plain_label(key)


def time_key(obj: Any, key: Any, level: Any) -> tuple[str, Any]:
    """Return what stands for the times of a frame or series: a column, a level or all row labels."""
    index = obj.index
    if key is not None:
        if level is not None:
            raise ValueError("The Grouper cannot specify both a key and a level!")
        label = plain_label(key)
        if obj.ndim == 2 and obj._handle.contains(label):
            return "label", label
        if label in index.names:
            return "level", label
        raise KeyError(f"The grouper name {key} is not found")
    if level is None:
        if index.nlevels > 1:
            raise TypeError(
                "Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of 'MultiIndex'"
            )
        return "level", 0
    number = plain_label(level)
    if number not in index.names and not (
        isinstance(number, int) and -index.nlevels <= number < index.nlevels
    ):
        raise ValueError(f"The level {level} is not valid")
    return "level", number


def times_of_key(table: Any, key: tuple[str, Any]) -> tuple[Any, Any]:
    """Return the name and the column of the times that a key stands for."""
    name, times = _cuprum.GroupBy.values_of_key(table, key)
    if times.dtype.kind not in "mM":
        kind = "Index"
        if key[0] == "level" and table.index().nlevels() == 1:
            kind = type(wrap_index(table.index())).__name__
        raise TypeError(
            f"Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of '{kind}'"
        )
    return name, times


def table_of(obj: Any) -> Any:
    """Return the handle of a frame, or of the one that stands for a series."""
    return obj._handle.to_frame(VALUES) if obj.ndim == 1 else obj._handle


def labels_of_bins(obj: Any, grouper: Any) -> tuple[Any, Any]:
    """Return the label of every row's bin as one of several keys."""
    name, times = times_of_key(table_of(obj), time_key(obj, grouper.key, grouper.level))
    return name, _cuprum.GroupBy.labels_of_times(times, grouper.bins.of(times))
