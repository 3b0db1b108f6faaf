"""Files that are one table: what a user names as such, and where they are written to."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core.arguments import is_list_like
from cuprum.io.addresses import RemotePath, files_below, is_address, look
from cuprum.io.sources import (
    all_in_pieces,
    directory_target,
    file_in,
    in_pieces,
    local_directory,
    put,
    remote_path_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DatasetTarget", "dataset_of", "pieces_of"]


def dataset_of(data: Any, argument: str, storage_options: Any = None) -> _cuprum.Dataset:
    """Return the files that a user names: one, a list, a pattern, or all of a directory, with the keys of directories.

    Files and directories whose names begin with ``.`` or ``_`` are no part of a table. Of one file the directories
    are no keys, of several they are.
    """
    is_list = (
        is_list_like(data) and not isinstance(data, (memoryview, RemotePath)) and not hasattr(data, "read")
    )
    given = list(data) if is_list else [data]
    if not given:
        raise ValueError(f"`{argument}` names no files")
    parts: list[tuple[Any, list[str] | None]] = []
    for one in given:
        root = local_directory(one)
        place = one if isinstance(one, RemotePath) else remote_path_at(one, argument, storage_options)
        if root is not None:
            parts.append((root, None))
        elif place is None or (place is not one and "*" in one):
            parts += [(source, None) for source in all_in_pieces(one, argument, storage_options)]
        elif not (found := look(place)).is_directory:
            parts.append((in_pieces(place, found.length), None))
        else:
            below = list(files_below(place))
            shown = _cuprum.shown_in_order([names for _, _, names in below])
            if not shown:
                raise FileNotFoundError(f"`{argument}`: the directory {place.name!r} has no files")
            parts += [(in_pieces(*below[i][:2]), below[i][2][:-1]) for i in shown]
    return _cuprum.Dataset(parts)


def pieces_of(given: Any, argument: str, files: int) -> list[list[int]] | None:
    """Return which row groups or stripes of each file are read: one list of one file, as many as there are files of more."""
    if given is None:
        return None
    pieces: list[Any] = [given] if isinstance(given, int) else list(given)
    if files == 1 and not any(is_list_like(part) for part in pieces):
        pieces = [pieces]
    if len(pieces) != files or not all(is_list_like(part) for part in pieces):
        raise ValueError(f"`{argument}` is {given!r}; for {files} files it is as many lists")
    return [list(part) for part in pieces]


class DatasetTarget:
    """A directory that files are written below, which are made in ``path``; those that belong elsewhere are sent there."""

    def __init__(self, data: Any, argument: str, storage_options: Any = None, filesystem: Any = None) -> None:
        self.path = self._root = directory_target(data, argument, storage_options, filesystem)
        self._folder: Any = None
        own = filesystem is None or type(filesystem).__name__ == "LocalFileSystem"
        if is_address(self._root) or not own:
            self._put: Callable[..., Any] = partial(put, argument=argument, storage_options=storage_options)
            self._filesystem = filesystem
            self._folder = tempfile.TemporaryDirectory(prefix="cuprum-")
            self.path = self._folder.name

    def done(self) -> None:
        """All files are whole."""
        if self._folder is None:
            return
        with self._folder:
            for folder, _, names in os.walk(self.path):
                below = os.path.relpath(folder, self.path).replace(os.sep, "/")
                for name in names:
                    target = file_in(f"{self._root.rstrip('/')}/{below}", name, self._filesystem)
                    self._put(target, write=partial(shutil.copyfile, os.path.join(folder, name)))

    def dropped(self) -> None:
        """The files are not wanted."""
        if self._folder is not None:
            self._folder.cleanup()
