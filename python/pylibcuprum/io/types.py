"""What files are read from, and tables with the names of their columns.

Examples
--------
>>> from pylibcuprum.column import Column
>>> table = Table([Column.from_iterable_of_py([1, 2])])
>>> TableWithMetadata(table, [("a", [])]).column_names()
['a']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum._cuprum import Column, DeviceMemoryResource, Stream, Table

__all__ = ["SourceInfo", "TableWithMetadata"]


class SourceInfo:
    """Files to read: paths, addresses, ``bytes`` or open files."""

    def __init__(self, sources: Sequence[Any]) -> None:
        if isinstance(sources, (str, bytes)) or not isinstance(sources, Sequence):
            raise TypeError(f"`sources` is a {type(sources).__name__}; it is a list of sources")
        if not sources:
            raise ValueError("`sources` is empty; it names at least one file")
        self._sources = list(sources)


class TableWithMetadata:
    """A table, and the names of its columns: ``(name, names of children)`` of each."""

    def __init__(self, tbl: Table, column_names: Sequence[tuple[str, Any]]) -> None:
        if len(column_names) != tbl.num_columns():
            raise ValueError(
                f"`column_names` has {len(column_names)} names for a table of {tbl.num_columns()} columns"
            )
        self.tbl = tbl
        self._names = list(column_names)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the table."""
        return self.tbl.columns()

    def column_names(self, include_children: bool = False) -> list[Any]:
        """Return the names of the columns, with those of their children if asked for."""
        return list(self._names) if include_children else [name for name, _ in self._names]


def with_names(frame: Any, stream: Stream | None, mr: DeviceMemoryResource | None) -> TableWithMetadata:
    """Return the columns of a frame that was read; categories are their values."""
    for label, dtype in zip(frame.columns, frame.dtypes.tolist(), strict=True):
        if dtype.name == "category":
            frame[label] = frame[label].astype(dtype.categories.dtype)
        elif dtype.name.startswith("list"):
            raise NotImplementedError(
                f"column {label!r} is of type {dtype}; names of children are not read yet"
            )
    table, _ = frame.to_pylibcudf()
    if stream is not None or mr is not None:
        table = table.copy(stream, mr)
    return TableWithMetadata(table, [(str(label), []) for label in frame.columns])
