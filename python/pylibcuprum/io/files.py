"""Files that are written table by table, to paths or to open files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cuprum._cuprum import Table
from cuprum.io.sources import put

__all__ = ["FileWriter"]


class FileWriter:
    """Writers of the extension, one for each sink: what is no path gets the file when it is closed."""

    def __init__(self) -> None:
        self._writers: list[Any] = []
        self._sinks: list[Any] = []
        self._paths: list[str] = []
        self._folder: Any = None
        self._metadata: Any = None

    def _begin(self, sinks: Sequence[Any], writer: Callable[[str, int], Any]) -> None:
        self._sinks = list(sinks)
        for number, sink in enumerate(self._sinks):
            path = os.fspath(sink) if isinstance(sink, (str, os.PathLike)) else None
            if path is None or "://" in path:
                self._folder = self._folder or tempfile.TemporaryDirectory(prefix="cuprum-")
                path = os.path.join(self._folder.name, str(number))
            else:
                path = os.path.expanduser(path)
            self._paths.append(path)
            self._writers.append(writer(path, number))

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
            for number, (writer, sink, path) in enumerate(
                zip(writers, self._sinks, self._paths, strict=True)
            ):
                writer.close()
                if look is not None:
                    found.append(look(path, number))
                if self._folder is not None and path.startswith(self._folder.name):
                    put(sink, "sink", partial(shutil.copyfile, path))
        finally:
            if self._folder is not None:
                self._folder.cleanup()
        return found
