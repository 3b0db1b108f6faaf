"""Levels of labels as columns, and columns as levels: labels of several kinds are columns of objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.arguments import plain_labels

__all__ = ["has_mixed_labels", "index_of_columns", "level_column", "level_columns", "without_mixed_labels"]


def level_column(index: Any, level: int) -> Column:
    """Return the labels of one level of a handle as a column; of objects where they are of several kinds."""
    try:
        return index.column(level)
    except NotImplementedError:
        labels = index.labels()
        parts = labels if index.nlevels() == 1 else [label[level] for label in labels]
        return Column.from_objects([float("nan") if part is None else part for part in parts])


def level_columns(index: Any) -> list[Column]:
    """Return the labels of all levels of a handle as columns; see `level_column`."""
    return [level_column(index, level) for level in range(index.nlevels())]


def index_of_columns(columns: Sequence[Column], names: Sequence[Any]) -> Any:
    """Return the handle of labels with a level for each column; objects are labels as they are."""
    if not any(column.is_of_objects() for column in columns):
        return _cuprum.Index.from_columns([*columns], [*names])
    levels = [plain_labels(column.to_pylist(None)) for column in columns]
    if len(levels) == 1:
        return _cuprum.object_index(levels[0]).with_names([*names])
    return _cuprum.label_index([*zip(*levels, strict=True)], [*names])


def has_mixed_labels(index: Any) -> bool:
    """Whether a level of a handle has labels of several kinds, which only objects can be."""
    return index.kind() in ("mixed", "levels") and any(c.is_of_objects() for c in level_columns(index))


def without_mixed_labels(index: Any, stand_ins: Any) -> Any:
    """Return a handle of labels in which what ``stand_ins`` gives for the objects stands for labels of several kinds."""
    if not has_mixed_labels(index):
        return index
    plain = [stand_ins(column) if column.is_of_objects() else column for column in level_columns(index)]
    return _cuprum.Index.from_columns(plain, index.names())
