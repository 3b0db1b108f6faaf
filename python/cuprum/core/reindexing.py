"""Rows and columns under other labels: what `reindex`, `align` and `Index.reindex` have in common."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import only_known, only_truth, plain_label
from cuprum.core.construction import column_from
from cuprum.core.index.levels import level_at
from cuprum.core.label_construction import index_handle, wanted_rows
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_frame, wrap_series

__all__ = ["ReindexOptions", "at_labels", "reindexed_by_level", "with_columns_at", "with_rows_at"]


class ReindexOptions:
    """The arguments of `reindex` besides the labels."""

    def __init__(self, given: dict[str, Any]) -> None:
        known = ("method", "fill_value", "limit", "tolerance", "level", "copy")
        only_known("reindex", {name: value for name, value in given.items() if name not in known})
        only_truth("reindex", copy=given.get("copy"))
        self.method, self.limit = given.get("method"), given.get("limit")
        self.tolerance, self.fill_value = given.get("tolerance"), given.get("fill_value")
        self.level = given.get("level")
        if self.level is not None and self.method is not None:
            raise TypeError("Fill method not supported if level passed")

    @property
    def are_plain(self) -> bool:
        """Whether labels are those that are asked for, and no others."""
        return self.method is None and self.limit is None and self.tolerance is None and self.level is None

    def found(self, index: Any, wanted: Any) -> tuple[Any, Any]:
        """Return the labels and the places of an index that they are at, -1 for none."""
        if self.level is not None and max(index.nlevels, wanted.nlevels) > 1:
            return reindexed_by_level(index, wanted, self.level)
        return wanted, index.get_indexer(wanted, self.method, self.limit, self.tolerance)

    def columns(self, frame: Any, labels: Any) -> Any:
        """Return the columns that are taken for some labels."""
        wanted = (
            labels if isinstance(labels, objects.Index) else objects.Index(labels, name=frame.columns.name)
        )
        index, places = self.found(frame.columns, wanted)
        return with_columns_at(frame, index, places, self.fill_value)

    @property
    def fills(self) -> bool:
        """Whether something else than missing elements stands where there is no row."""
        return not is_missing(self.fill_value)

    def rows(self, handle: Any, labels: Any) -> Any:
        """Return the rows of a handle with some labels."""
        if self.level is None:
            wanted = wanted_rows(labels, handle.index())
        else:
            wanted = index_handle(labels)
        if self.are_plain and not self.fills:
            return handle.reindex(wanted)
        index, found = self.found(objects.wrap_index(handle.index()), objects.wrap_index(wanted))
        return with_rows_at(handle, index, found, self.fill_value)


def with_rows_at(handle: Any, index: Any, places: Any, fill_value: Any = None) -> Any:
    """Return the rows of a handle at some places under the labels of an index; -1 is a missing row, or ``fill_value``."""
    there = column_from(places >= 0)
    rows = _cuprum.Series(column_from(places)).where(there, None, False).column()
    made = handle.drop_index().take(rows).with_index(index._handle)
    if is_missing(fill_value):
        return made
    present = _cuprum.Series(there, None, index._handle)
    obj = wrap_series(made) if isinstance(made, _cuprum.Series) else wrap_frame(made)
    fill_value = plain_label(fill_value)  # whose type yields to that of the column, as in pandas
    return obj._map(lambda s: s.where(present, fill_value, False))._handle


def with_columns_at(frame: Any, index: Any, places: Any, fill_value: Any = None) -> Any:
    """Return the columns of a frame at some places under the labels of an index; -1 is a missing column."""
    handle = frame._handle
    absent = Column.filled(float("nan") if is_missing(fill_value) else fill_value, len(handle))
    columns = [handle.column_at(at).column() if at >= 0 else absent for at in places.tolist()]
    made = wrap_frame(_cuprum.DataFrame(list(range(len(columns))), columns, handle.index()))
    made.columns = index
    return made


def reindexed_by_level(index: Any, wanted: Any, level: Any) -> tuple[Any, Any]:
    """Return the labels that `reindex` by a level gives, and the places of an index that they are at.

    Of an index of several levels those whose part of ``level`` is wanted, in that order among neighbours that agree in
    the levels before it; of an index of one level those of ``wanted``, which has several, in its order.
    """
    import numpy as np

    if index.nlevels > 1 and wanted.nlevels > 1:
        raise TypeError("Join on level between two MultiIndex objects is ambiguous")
    if index.nlevels == 1:
        at = wanted._handle.level_position(plain_label(level))
        return wanted, index.get_indexer(level_at(wanted, at))
    at = index._handle.level_position(plain_label(level))
    if not wanted.is_unique:
        raise NotImplementedError("reindex by a `level` takes no labels that repeat")
    found = wanted.get_indexer_for(level_at(index, at))
    places = np.flatnonzero(found >= 0)
    changes = np.zeros(len(places), dtype=bool)
    for level_before in range(at):
        codes = np.asarray(index.codes[level_before])[places]
        changes[1:] |= codes[1:] != codes[:-1]
    places = places[np.lexsort([found[places], np.cumsum(changes)])]
    return index.take(places), places


def at_labels(
    obj: Any, index: Any, method: str | None, limit: int | None = None, fill_value: Any = None
) -> Any:
    """Return the rows with the labels of an index; for others that which ``method`` says, or ``fill_value``.

    ``ValueError`` where a label of ``obj`` repeats and, with a method, where they are not in order.
    """
    import numpy as np

    own = obj.index
    if not own.is_unique:
        raise ValueError("cannot reindex on an axis with duplicate labels")
    if not len(index):
        return obj._wrap(obj._handle.head(0).with_index(index._handle))
    if method is None and fill_value is None:
        return obj.reindex(index)
    rows = own.get_indexer(index, method, limit)
    present = rows >= 0
    if method is None:
        result = obj.reindex(index)
        return result if present.all() else _where(result, present, fill_value)
    taken = obj._wrap(
        obj._handle.take(Column.from_numpy(np.where(present, rows, 0))).with_index(index._handle)
    )
    return taken if present.all() else _where(taken, present, None)


def _where(obj: Any, present: Any, other: Any) -> Any:
    """Return elements of the rows that are ``present``, ``other`` in the rest."""
    flags = _cuprum.Series(column_from(present), None, obj._handle.index())
    return obj.where(wrap_series(flags), other)
