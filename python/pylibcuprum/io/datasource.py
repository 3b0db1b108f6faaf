"""Sources of bytes that are neither at a path nor in memory.

Examples
--------
>>> class Letter(Datasource):
...     def read(self) -> bytes:
...         return b"a\\n1\\n"
>>> from pylibcuprum.io import csv, types
>>> csv.read_csv(csv.CsvReaderOptions.builder(types.SourceInfo([Letter()])).build()).columns[0].to_pylist()
[1]
"""

from __future__ import annotations

__all__ = ["Datasource"]


class Datasource:
    """Something that gives bytes: what is derived from it has `read`."""

    def __init__(self) -> None:
        pass

    def read(self) -> bytes:
        """Return all bytes."""
        raise NotImplementedError(f"{type(self).__name__} has no `read`")
