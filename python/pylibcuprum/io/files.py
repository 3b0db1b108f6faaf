"""Files that are written table by table, to paths or to open files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cuprum._cuprum import Table
from cuprum.io.sources import DeferredWriter

__all__ = ["FileWriter"]


class FileWriter:
    """Writers of the extension, one for each sink: what is no path gets the file when it is closed."""

    def __init__(self) -> None:
        self._writers: list[Any] = []
        self._targets: list[DeferredWriter] = []
        self._metadata: Any = None

    def _begin(self, sinks: Sequence[Any], writer: Callable[[str, int], Any]) -> None:
        for number, sink in enumerate(sinks):
            self._targets.append(DeferredWriter(sink, "sink"))
            self._writers.append(writer(self._targets[-1].path, number))

    def _write(self, number: int, table: Table, columns: list[Any]) -> None:
        if not self._writers:
            raise ValueError("the writer is closed, or was not made by `from_options`")
        self._writers[number].write(table, columns)

    def _close(self, look: Callable[[str, int], Any] | None = None) -> list[Any]:
        """End all files; return what ``look`` finds in each of them."""
        if not self._writers:
            raise ValueError("the writer is closed, or was not made by `from_options`")
        writers, self._writers = self._writers, []
        found = []
        try:
            for number, (writer, target) in enumerate(zip(writers, self._targets, strict=True)):
                writer.close()
                if look is not None:
                    found.append(look(target.path, number))
                target.done()
        finally:
            for target in self._targets:
                target.dropped()
        return found
