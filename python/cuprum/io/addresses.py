"""Addresses of the web and those that `fsspec` opens, and file systems that a user gives: what is there is found, fetched and sent, and messages are without secrets.

Where a connection fails it is tried again, unless the package of such addresses does so itself.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from cuprum.core.redaction import secrets_in, without_secrets, without_these
from cuprum.io.open_files import copy_all, read_all
from cuprum.io.web import Web, headers_in, is_web

__all__ = [
    "Found",
    "RemotePath",
    "content",
    "fetch",
    "files_below",
    "is_address",
    "is_opened",
    "look",
    "make_folder",
    "matches",
    "on",
    "open_to_write",
    "opened_content",
    "remote_path_of",
    "remote_path_opened",
    "send",
    "target_on",
]

Result = TypeVar("Result")

# Seconds before each further try.
WAITS = [0.1, 0.4, 1.6]
# Schemes of packages that have long tried themselves before they fail.
_TRY_THEMSELVES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl"}
# Errors that a further try does not change.
_FINAL = (
    FileNotFoundError,
    PermissionError,
    IsADirectoryError,
    NotImplementedError,
    ImportError,
    TypeError,
    ValueError,
)


class RemotePath(NamedTuple):
    """A file or a directory that is elsewhere."""

    files: Any
    path: str
    # The name in messages.
    name: str
    # Texts that messages must not have.
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"RemotePath({self.name!r})"

    def at(self, path: str) -> RemotePath:
        """Return another place of the same files."""
        return RemotePath(self.files, path, without_secrets(self.files.unstrip_protocol(path)), self.secrets)


def is_address(path: str) -> bool:
    """Whether a text is no path of this machine."""
    return "://" in path and not path.lower().startswith(("file://", "local://"))


def is_opened(data: Any) -> bool:
    """Whether ``data`` is what ``fsspec.open`` returns: a file that a ``with`` statement opens."""
    return hasattr(data, "fs") and hasattr(data, "full_name")


def remote_path_of(address: str, argument: str, storage_options: Any) -> RemotePath:
    """Return what is at an address."""
    options = dict(storage_options or {})
    name, secrets = without_secrets(address), secrets_in(address, options)
    if is_web(address):
        headers, options = headers_in(options)
        if Web.is_needed(options):
            return RemotePath(Web(headers), address, name, secrets)
        if headers:
            options["headers"] = {**options.get("headers", {}), **headers}
    fsspec = _fsspec(name, argument)
    nowhere = RemotePath(None, "", name, secrets)
    files, path = _told(nowhere, lambda: fsspec.core.url_to_fs(address, **options))
    return RemotePath(files, path, name, secrets)


def on(filesystem: Any, data: Any, argument: str, storage_options: Any) -> list[RemotePath]:
    """Return the files that are called so in a file system of fsspec or pyarrow: a path, a pattern, or a list of them."""
    places: list[RemotePath] = []
    for one in data if isinstance(data, (list, tuple)) else [data]:
        place = _place_on(filesystem, one, argument, storage_options)
        if not any(mark in place.path for mark in "*?[") or _is_there(place):
            places.append(place)
            continue
        found = matches(place)
        if not found:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place.name)
        places += found
    if not places:
        raise ValueError(f"`{argument}` names no files")
    return places


def target_on(filesystem: Any, path: Any, argument: str, storage_options: Any = None) -> Any:
    """Return what is written to for a path in a file system of fsspec or pyarrow: a path of this machine, or what opens it."""
    place = _place_on(filesystem, path, argument, storage_options)
    if type(filesystem).__name__ == "LocalFileSystem":
        return place.path
    return sys.modules["fsspec"].core.OpenFile(place.files, place.path, "wb")


def make_folder(opened: Any) -> None:
    """Make the directory of a file that is to be opened."""
    folder = opened.path.rpartition("/")[0]
    _told(remote_path_opened(opened).at(folder), lambda: opened.fs.makedirs(folder, True))


def remote_path_opened(opened: Any) -> RemotePath:
    """Return what ``fsspec.open`` returned as a place."""
    name = opened.full_name
    return RemotePath(
        opened.fs, opened.path, without_secrets(name), (*secrets_in(name), *_secrets_of(opened.fs))
    )


def _secrets_of(filesystem: Any) -> tuple[str, ...]:
    """Return what messages must not have of the options of a file system."""
    return secrets_in(
        "", [getattr(filesystem, "storage_options", None), getattr(filesystem, "storage_args", None)]
    )


def _is_there(place: RemotePath) -> bool:
    """Whether there is a file of just this name."""
    return bool(_tried(place, lambda: place.files.exists(place.path)))


def _place_on(filesystem: Any, path: Any, argument: str, storage_options: Any) -> RemotePath:
    if storage_options:
        raise ValueError(
            f"`storage_options` is a dict of {', '.join(map(repr, dict(storage_options)))}, and `filesystem` is given: "
            "it has its own"
        )
    arrow, fsspec = sys.modules.get("pyarrow.fs"), sys.modules.get("fsspec")
    is_arrow = arrow is not None and isinstance(filesystem, arrow.FileSystem)
    if not is_arrow and (fsspec is None or not isinstance(filesystem, fsspec.spec.AbstractFileSystem)):
        raise ValueError(f"`filesystem` must be of fsspec or pyarrow, not a {type(filesystem).__name__}")
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"`{argument}` must be a path, as `filesystem` is given, not {type(path).__name__}")
    path = os.fsdecode(path)
    if is_arrow:
        _fsspec(without_secrets(path), argument)
        from fsspec.implementations.arrow import ArrowFSWrapper

        # It cannot read the first bytes of a file without.
        files: Any = ArrowFSWrapper(filesystem, skip_instance_cache=True)
        files.cat_file = partial(files.cat_file, seekable=True)
        own = path
    else:
        files, own = filesystem, filesystem._strip_protocol(path)
    secrets = (*secrets_in(path), *_secrets_of(filesystem))
    return RemotePath(files, own, without_secrets(files.unstrip_protocol(own)), secrets)


def _fsspec(name: str, argument: str) -> Any:
    try:
        import fsspec
    except ImportError:
        raise ImportError(
            f"`{argument}` is {name!r}: addresses are opened by fsspec, which is not installed "
            "(`pip install fsspec`, and what it needs for this kind of address)"
        ) from None
    return fsspec


def _meant(error: Exception, place: RemotePath) -> Exception:
    """Return an exception of fsspec, or of what it uses, as it may be told."""
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    status = next(
        (s for s in (getattr(cause, "status", 0), getattr(cause, "code", 0)) if isinstance(s, int)), 0
    )
    # Where a server cannot be reached, fsspec says that the file is not there.
    away = isinstance(error, FileNotFoundError) and (
        status >= 400 or (isinstance(cause, OSError) and not isinstance(cause, FileNotFoundError))
    )
    if status in (404, 410) or (isinstance(error, FileNotFoundError) and not away):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place.name)
    if status in (401, 403) or isinstance(error, PermissionError):
        return PermissionError(errno.EACCES, os.strerror(errno.EACCES), place.name)
    if isinstance(error, IsADirectoryError):
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), place.name)
    told = cause if away else error
    text = without_these(str(told), place.secrets) or "it is not supported"
    for kind in (NotImplementedError, ImportError, TypeError, ValueError):
        if isinstance(told, kind):
            return kind(f"{place.name}: {text}")
    return OSError(f"{place.name}: {type(told).__name__}: {text}")


def _told(place: RemotePath, call: Callable[[], Result]) -> Result:
    """Return the result of a call; what it raises is raised as it may be told, with nothing behind it."""
    try:
        return call()
    except Exception as e:
        meant = _meant(e, place)
    raise meant


def _tried(place: RemotePath, call: Callable[[], Result]) -> Result:
    """Return the result of a call, which is tried again where that may help."""
    protocol = getattr(place.files, "protocol", "")
    own = {protocol} if isinstance(protocol, str) else set(protocol)
    for wait in [] if own & _TRY_THEMSELVES else WAITS:
        try:
            return call()
        except Exception as e:
            meant = _meant(e, place)
        if isinstance(meant, _FINAL):
            raise meant
        time.sleep(wait)
    return _told(place, call)


def content(place: RemotePath) -> bytes:
    """Return all bytes of a file."""
    return bytes(_tried(place, lambda: place.files.cat_file(place.path)))


def opened_content(opened: Any) -> tuple[str, bytes]:
    """Return the name and all bytes of what ``fsspec.open`` returned."""
    place = remote_path_opened(opened)

    def read() -> Any:
        with opened as file:
            return read_all(file)

    text = _told(place, read)
    return place.name, text.encode() if isinstance(text, str) else bytes(text)


class Found(NamedTuple):
    """The entry at a place: a directory, or a file with its length, unless only opening it tells."""

    is_directory: bool
    length: int | None

    @staticmethod
    def of(known: Any) -> Found:
        """Return what an entry of fsspec says."""
        is_directory, size = known.get("type") == "directory", known.get("size")
        return Found(is_directory, None if is_directory or size is None else int(size))


def look(place: RemotePath) -> Found:
    """Return what is at a place."""
    try:
        return Found.of(_tried(place, lambda: place.files.info(place.path)))
    except NotImplementedError:
        return Found(False, None)


def fetch(place: RemotePath, length: int, start: int, end: int) -> bytes:
    """Return the bytes from one position to another of a file so long."""

    def part() -> bytes:
        found: bytes = place.files.cat_file(place.path, start=start, end=end)
        # Servers that know no ranges send all.
        found = found[start:end] if len(found) == length else found
        if len(found) < end - start:
            raise ConnectionError(
                f"only {len(found)} bytes came: was the connection cut, or the file changed?"
            )
        return found

    return _tried(place, part)


def matches(place: RemotePath) -> list[RemotePath]:
    """Return the files that a pattern stands for, in the order of their names."""
    return [place.at(path) for path in sorted(_tried(place, lambda: place.files.glob(place.path)))]


def files_below(place: RemotePath) -> Iterator[tuple[RemotePath, int | None, list[str]]]:
    """Give the files of a directory and below, each with its length and its path from there."""
    root = place.path.rstrip("/")
    found = _tried(place, lambda: place.files.find(place.path, detail=True))
    for path, known in found.items():
        # Stores without directories have empty files of their names.
        if path.endswith("/") or path.strip("/") == root.strip("/"):
            continue
        yield place.at(path), Found.of(known).length, path[len(root) :].strip("/").split("/")


def open_to_write(address: str, place: RemotePath, storage_options: Any) -> Any:
    """Return what a ``with`` statement opens to write to an address."""
    if isinstance(place.files, Web):
        raise NotImplementedError(f"{place.name}: nothing is written to addresses of http and https")
    import fsspec

    return _told(place, lambda: fsspec.open(address, "wb", **dict(storage_options or {})))


def send(opened: Any, copy: Any, place: RemotePath) -> None:
    """Write an open file to what ``fsspec.open`` returned. After an error nothing is there, where the store can that."""

    def write() -> None:
        file = opened.__enter__()
        try:
            copy_all(copy, file)
            opened.__exit__(None, None, None)
        except BaseException:
            _give_up(opened)
            raise

    _told(place, write)


def _give_up(opened: Any) -> None:
    """Close a file so that it does not end as if it were whole."""
    for file in opened.fobjects[:1]:
        with suppress(Exception):
            file.discard()
        with suppress(Exception):
            # It would send what it has when it is closed or forgotten.
            file.closed = True
