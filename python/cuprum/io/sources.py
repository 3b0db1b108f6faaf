"""Sources of readers and targets of writers: paths, bytes, open files, and addresses that `fsspec` opens."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import stat
import tempfile
import urllib.parse
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from cuprum.core.arguments import is_list_like
from cuprum.io.addresses import (
    RemotePath,
    content,
    fetch,
    is_address,
    is_opened,
    look,
    make_folder,
    matches,
    open_to_write,
    opened_content,
    remote_path_of,
    remote_path_opened,
    send,
    target_on,
)
from cuprum.io.open_files import copy_all, read_all, read_whole

__all__ = [
    "DeferredWriter",
    "Remote",
    "Source",
    "all_in_pieces",
    "all_sources",
    "append",
    "directory_target",
    "file_in",
    "in_pieces",
    "local_directory",
    "name_of",
    "one_in_pieces",
    "one_source",
    "one_whole",
    "put",
    "remote_path_at",
]

# A path, bytes, or the name and the bytes of what is neither here nor in memory.
Source = str | bytes | tuple[str, bytes]
# The name of a file that is elsewhere, its length, and what fetches the bytes from one position to another.
Remote = tuple[str, int, Callable[[int, int], bytes]]


def one_source(data: Any, argument: str, storage_options: Any = None) -> Source:
    """Return what a user names as a source: a path, ``bytes``, an address, an open file."""
    if isinstance(data, RemotePath):
        return data.name, content(data)
    if isinstance(data, (str, os.PathLike)) and not is_opened(data):
        path = os.fspath(data)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if is_address(path):
            place = remote_path_of(path, argument, storage_options)
            return place.name, content(place)
        _only_for_addresses(storage_options)
        return _file(_local(path))
    _only_for_addresses(storage_options)
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    if is_opened(data):
        return opened_content(data)
    if hasattr(data, "read"):
        return _bytes(read_all(data))
    raise ValueError(f"Invalid file path or buffer object type: {type(data)}")


def one_whole(data: Any, argument: str, storage_options: Any = None) -> Source:
    """Return the result of `one_source`, but of an open file all that it has, wherever it is."""
    if hasattr(data, "read") and not is_opened(data):
        _only_for_addresses(storage_options)
        return _bytes(read_whole(data))
    return one_source(data, argument, storage_options)


def one_in_pieces(data: Any, argument: str, storage_options: Any = None) -> Source | Remote:
    """Return what a user names as a source for readers that need only some bytes of a file that is elsewhere."""
    place = data if isinstance(data, RemotePath) else remote_path_at(data, argument, storage_options)
    if place is None:
        return one_whole(data, argument, storage_options)
    return in_pieces(place, look(place).length)


def in_pieces(place: RemotePath, length: int | None) -> Source | Remote:
    """Return a file that is elsewhere, of which some bytes are needed; all are fetched where its length is not known."""
    if length is None:
        return place.name, content(place)
    return place.name, length, partial(fetch, place, length)


def all_sources(data: Any, argument: str, storage_options: Any = None) -> list[Source]:
    """Return the sources that a user names: one, a list of them, or a pattern of paths or addresses."""
    return [one_source(one, argument, options) for one, options in _all(data, argument, storage_options)]


def all_in_pieces(data: Any, argument: str, storage_options: Any = None) -> list[Source | Remote]:
    """Return the result of `all_sources`, for readers that need only some bytes of files that are elsewhere."""
    return [one_in_pieces(one, argument, options) for one, options in _all(data, argument, storage_options)]


def _all(data: Any, argument: str, storage_options: Any) -> list[tuple[Any, Any]]:
    """Return what a user names, each on its own, with the options that open it."""
    if is_list_like(data) and not isinstance(data, (memoryview, RemotePath)) and not hasattr(data, "read"):
        parts = list(data)
        if not parts:
            raise ValueError(f"`{argument}` names no files")
        return [one for part in parts for one in _all(part, argument, storage_options)]
    if isinstance(data, (str, os.PathLike)) and not is_opened(data):
        path = os.fspath(data)
        if isinstance(path, str) and any(mark in path for mark in "*?["):
            return _matches(path, argument, storage_options)
    return [(data, storage_options)]


def remote_path_at(data: Any, argument: str, storage_options: Any) -> RemotePath | None:
    """Return what is at an address; None for all else that names a source."""
    if isinstance(data, str) and is_address(data):
        return remote_path_of(data, argument, storage_options)
    return None


def local_directory(data: Any) -> str | None:
    """Return the path of a directory of this machine; None for all else that names a source."""
    if not isinstance(data, (str, os.PathLike)) or is_opened(data):
        return None
    path = os.fspath(data)
    path = os.fsdecode(path) if isinstance(path, bytes) else path
    if is_address(path):
        return None
    path = _local(path)
    return path if os.path.isdir(path) else None


def directory_target(data: Any, argument: str, storage_options: Any, filesystem: Any = None) -> str:
    """Return the path or the address of the directory that is to be written to."""
    if filesystem is not None:
        target = target_on(filesystem, data, argument, storage_options)
        return target if isinstance(target, str) else target.path
    if not isinstance(data, (str, os.PathLike)) or is_opened(data):
        raise TypeError(f"`{argument}` must be a path, not {type(data).__name__}")
    path = os.fspath(data)
    path = os.fsdecode(path) if isinstance(path, bytes) else path
    if is_address(path):
        return path
    _only_for_addresses(storage_options)
    return _local(path)


def file_in(directory: str, name: str, filesystem: Any = None) -> Any:
    """Return what a file in a directory is called, which is made where it has to be there before."""
    if filesystem is not None:
        target = target_on(filesystem, f"{directory}/{name}", "path")
        if not isinstance(target, str):
            make_folder(target)
            return target
    if is_address(directory):
        return f"{directory}/{name}"
    os.makedirs(directory, exist_ok=True)
    return os.path.join(directory, name)


def _matches(pattern: str, argument: str, storage_options: Any) -> list[tuple[Any, Any]]:
    """Return what a pattern stands for, in the order of the names; itself, where there is such a file."""
    found: list[Any]
    if is_address(pattern):
        if "*" not in pattern:
            return [(pattern, storage_options)]  # `?` and `[` have other meanings in addresses
        place = remote_path_of(pattern, argument, storage_options)
        name, found = place.name, list(matches(place))
    else:
        _only_for_addresses(storage_options)
        name = path = _local(pattern)
        found = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(errno.ENOENT, f"`{argument}`: no file is like this", name)
    return [(one, None) for one in found]


def name_of(source: Source | Remote) -> str:
    """Return how messages call a source."""
    if isinstance(source, tuple):
        return source[0]
    return source if isinstance(source, str) else "the input"


class DeferredWriter:
    """A file that is written piece by piece at ``path``; where it belongs elsewhere, it is sent there once it is whole."""

    def __init__(self, target: Any, argument: str, storage_options: Any = None) -> None:
        is_path = isinstance(target, (str, os.PathLike)) and not is_opened(target)
        path = os.fspath(target) if is_path else None
        path = os.fsdecode(path) if isinstance(path, bytes) else path
        self._folder: Any = None
        if path is not None and not is_address(path):
            _only_for_addresses(storage_options)
            self.path = _link_target(_local(path))
            if os.path.isdir(self.path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.path)
            return
        if path is None and not hasattr(target, "write") and not is_opened(target):
            raise TypeError(f"`{argument}` must be a path or an open file, not {type(target).__name__}")
        self._send = partial(put, target, argument, storage_options=storage_options)
        self._folder = tempfile.TemporaryDirectory(prefix="cuprum-")
        self.path = os.path.join(self._folder.name, "table")

    def done(self) -> None:
        """The file is whole."""
        if self._folder is not None:
            with self._folder:
                self._send(partial(shutil.copyfile, self.path))

    def dropped(self) -> None:
        """The file is not wanted."""
        if self._folder is not None:
            self._folder.cleanup()


def put(
    target: Any,
    argument: str,
    write: Callable[[str], Any],
    *,
    storage_options: Any = None,
    ending: str = "",
) -> bytes | None:
    """Have ``write`` write the path ``target``; for an address or an open file a copy that is sent there.

    Without a target its bytes are returned. What is sent has been written whole before.
    """
    if isinstance(target, (str, os.PathLike)) and not is_opened(target):
        path = os.fspath(target)
        if not is_address(path):
            _only_for_addresses(storage_options)
            write(_writable(path))
            return None
        place = remote_path_of(path, argument, storage_options)
        opened = open_to_write(path, place, storage_options)
        ending = os.path.splitext(place.name)[1]
        _send(write, ending, lambda copy: send(opened, copy, place))
        return None
    _only_for_addresses(storage_options)
    if target is None:
        return _send(write, ending, lambda copy: copy.read())
    if is_opened(target):
        place = remote_path_opened(target)
        _send(write, ending, lambda copy: send(target, copy, place))
        return None
    if not hasattr(target, "write"):
        raise TypeError(f"`{argument}` must be a path or an open file, not {type(target).__name__}")
    _send(write, ending, lambda copy: copy_all(copy, target))
    return None


def append(path: str, content: bytes, *, is_new: bool = False) -> None:
    """Write bytes at the end of a file, all or none of them; with ``is_new`` of one that is not there yet.

    Of what a pipe or a device has got nothing is taken back.
    """
    path = _local(path)
    with open(path, "xb" if is_new else "ab", buffering=0) as file:
        before, left = file.tell() if file.seekable() else None, memoryview(content)
        try:
            while left:
                left = left[file.write(left) :]
        except BaseException:
            with suppress(OSError):
                if is_new:
                    os.remove(path)
                elif before is not None:
                    file.truncate(before)
            raise


def _send(write: Callable[[str], Any], ending: str, use: Callable[[Any], Any]) -> Any:
    with tempfile.TemporaryDirectory(prefix="cuprum-") as folder:
        path = os.path.join(folder, "table" + ending)
        write(path)
        with open(path, "rb") as copy:
            return use(copy)


def _link_target(path: str) -> str:
    """Return a path, for a link to what is not there that of what it points to: it stays a link."""
    return os.path.realpath(path) if os.path.islink(path) and not os.path.exists(path) else path


def _writable(path: str) -> str:
    path = _link_target(_local(path))
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise OSError(errno.ENOENT, f"Cannot save file into a non-existent directory: '{folder}'", path)
    return path


def _local(path: str) -> str:
    """Return a path of this machine, which may be a ``file`` URL; ``ValueError`` for one of another host."""
    scheme, mark, rest = path.partition("://")
    if not mark or scheme.lower() not in ("file", "local"):
        return os.path.expanduser(path)
    if scheme.lower() == "file":
        host, _, below = rest.partition("/")
        if host.lower() == "localhost":
            rest = f"/{below}"
        elif host not in ("", ".", "..") and not host.startswith("~"):
            raise ValueError(
                f"the URL 'file://{host}/…' is of the host {host!r}: files of this machine have none"
            )
        rest = urllib.parse.unquote(rest)
    return os.path.expanduser(rest)


def _file(path: str) -> str:
    """Return the path of a file; what the system says of one that is not there, or a directory, is raised."""
    if stat.S_ISDIR(os.stat(path).st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    return path


def _bytes(content: Any) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(content)


def _only_for_addresses(storage_options: Any) -> None:
    if storage_options:
        raise ValueError("storage_options passed with file object or non-fsspec file path")
