"""Where readers read and writers write: paths, bytes, open files, and addresses that `fsspec` opens."""

from __future__ import annotations

import errno
import glob
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cuprum.core.arguments import is_list_like

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = [
    "Remote",
    "Source",
    "all_in_pieces",
    "all_sources",
    "joined",
    "local_directory",
    "local_target",
    "name_of",
    "one_in_pieces",
    "one_source",
    "put",
]

# A path, bytes, or the name and the bytes of what is neither here nor in memory.
Source = str | bytes | tuple[str, bytes]
# The name of a file that is elsewhere, its length, and what fetches the bytes from one position to another.
Remote = tuple[str, int, Callable[[int, int], bytes]]


def one_source(data: Any, argument: str, storage_options: Any = None) -> Source:
    """Return what a user names as a source: a path, ``bytes``, an address, an open file."""
    if isinstance(data, (str, os.PathLike)) and not _is_opened(data):
        path = os.fspath(data)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if _is_address(path):
            with _fsspec(path, argument).open(path, "rb", **_options(storage_options)) as file:
                return _without_secrets(path), file.read()
        _only_for_addresses(storage_options)
        return _file(_local(path))
    _only_for_addresses(storage_options)
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    if _is_opened(data):
        with data as file:
            return _without_secrets(data.full_name), _bytes(file.read())
    if hasattr(data, "read"):
        return _bytes(data.read())
    raise ValueError(f"Invalid file path or buffer object type: {type(data)}")


def one_in_pieces(data: Any, argument: str, storage_options: Any = None) -> Source | Remote:
    """Return what a user names as a source for readers that need only some bytes of a file that is elsewhere."""
    if isinstance(data, (str, os.PathLike)) and not _is_opened(data):
        path = os.fspath(data)
        remote = _remote(path, argument, storage_options) if isinstance(path, str) else None
        if remote is not None:
            return remote
    return one_source(data, argument, storage_options)


def _remote(address: str, argument: str, storage_options: Any) -> Remote | None:
    """Return the file of an address; None where its length is not known, which only opening it tells."""
    if not _is_address(address):
        return None
    files, path = _fsspec(address, argument).core.url_to_fs(address, **_options(storage_options))
    try:
        known = files.info(path)
    except NotImplementedError:
        return None
    if known.get("type") == "directory" or known.get("size") is None:
        return None
    length = int(known["size"])

    def piece(start: int, end: int) -> bytes:
        content = files.cat_file(path, start=start, end=end)
        # Servers that know no ranges send all.
        return content[start:end] if len(content) == length else content

    return _without_secrets(address), length, piece


def all_sources(data: Any, argument: str, storage_options: Any = None) -> list[Source]:
    """Return the sources that a user names: one, a list of them, or a pattern of paths or addresses."""
    return [one_source(name, argument, storage_options) for name in _all(data, argument, storage_options)]


def all_in_pieces(data: Any, argument: str, storage_options: Any = None) -> list[Source | Remote]:
    """Return what `all_sources` does, for readers that need only some bytes of files that are elsewhere."""
    return [one_in_pieces(name, argument, storage_options) for name in _all(data, argument, storage_options)]


def _all(data: Any, argument: str, storage_options: Any) -> list[Any]:
    """Return what a user names, each on its own."""
    if is_list_like(data) and not hasattr(data, "read") and not isinstance(data, memoryview):
        parts = list(data)
        if not parts:
            raise ValueError(f"`{argument}` names no files")
        return [one for part in parts for one in _all(part, argument, storage_options)]
    if isinstance(data, (str, os.PathLike)) and not _is_opened(data):
        path = os.fspath(data)
        if isinstance(path, str) and any(mark in path for mark in "*?["):
            return list(_matches(path, argument, storage_options))
    return [data]


def local_directory(data: Any) -> str | None:
    """Return the path of a directory of this machine; None for all else that names a source."""
    if not isinstance(data, (str, os.PathLike)) or _is_opened(data):
        return None
    path = os.fspath(data)
    path = os.fsdecode(path) if isinstance(path, bytes) else path
    if _is_address(path):
        return None
    path = _local(path)
    return path if os.path.isdir(path) else None


def local_target(data: Any, argument: str) -> str:
    """Return the path of this machine that is to be written to."""
    if not isinstance(data, (str, os.PathLike)) or _is_opened(data):
        raise TypeError(f"`{argument}` must be a path, not {type(data).__name__}")
    path = os.fspath(data)
    path = os.fsdecode(path) if isinstance(path, bytes) else path
    if _is_address(path):
        raise NotImplementedError(
            f"`{argument}` is {_without_secrets(path)!r}: only local paths can be written so"
        )
    return _local(path)


def _matches(pattern: str, argument: str, storage_options: Any) -> list[str]:
    """Return what a pattern stands for, in the order of the names; itself, where there is such a file."""
    if _is_address(pattern):
        if "*" not in pattern:
            return [pattern]  # `?` and `[` have other meanings in addresses
        files = _fsspec(pattern, argument).open_files(pattern, "rb", **_options(storage_options))
        found = sorted(file.full_name for file in files)
    else:
        path = _local(pattern)
        if os.path.exists(path):
            return [path]
        found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(errno.ENOENT, f"`{argument}`: no file is like this", pattern)
    return found


def name_of(source: Source | Remote) -> str:
    """Return how messages call a source."""
    if isinstance(source, tuple):
        return source[0]
    return source if isinstance(source, str) else "<bytes>"


def joined(frames: Iterator[DataFrame], names: list[str]) -> DataFrame:
    """Return the rows of several files below each other; they have the same columns, of the same types.

    Row labels ``0, 1, …`` of each become such of all.
    """
    import cuprum

    parts = list(frames)
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    for part, name in zip(parts[1:], names[1:], strict=False):
        if list(part.columns) != list(first.columns):
            raise ValueError(
                f"{name} has the columns {list(part.columns)}, but {names[0]} has {list(first.columns)}"
            )
        for label, own, other in zip(first.columns, first.dtypes.tolist(), part.dtypes.tolist(), strict=True):
            if own != other:
                raise ValueError(f"column {label!r} is {other} in {name}, but {own} in {names[0]}")

    def is_plain(index: Any) -> bool:
        return isinstance(index, cuprum.RangeIndex) and (index.start, index.step, index.name) == (0, 1, None)

    return cuprum.concat(parts, ignore_index=all(is_plain(part.index) for part in parts))


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
    if isinstance(target, (str, os.PathLike)) and not _is_opened(target):
        path = os.fspath(target)
        if not _is_address(path):
            _only_for_addresses(storage_options)
            write(_writable(path))
            return None
        opened = _fsspec(path, argument).open(path, "wb", **_options(storage_options))
        ending = os.path.splitext(path)[1]
        _send(write, ending, lambda copy: _copy_into(opened, copy))
        return None
    _only_for_addresses(storage_options)
    if target is None:
        return _send(write, ending, lambda copy: copy.read())
    if _is_opened(target):
        _send(write, ending, lambda copy: _copy_into(target, copy))
        return None
    if not hasattr(target, "write"):
        raise TypeError(f"`{argument}` must be a path or an open file, not {type(target).__name__}")
    _send(write, ending, lambda copy: shutil.copyfileobj(copy, target, 1 << 20))
    return None


def _send(write: Callable[[str], Any], ending: str, use: Callable[[Any], Any]) -> Any:
    with tempfile.TemporaryDirectory(prefix="cuprum-") as folder:
        path = os.path.join(folder, "table" + ending)
        write(path)
        with open(path, "rb") as copy:
            return use(copy)


def _copy_into(opened: Any, copy: Any) -> None:
    with opened as file:
        shutil.copyfileobj(copy, file, 1 << 20)


def _writable(path: str) -> str:
    path = _local(path)
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise OSError(errno.ENOENT, f"Cannot save file into a non-existent directory: '{folder}'", path)
    return path


def _local(path: str) -> str:
    return os.path.expanduser(path.removeprefix("file://"))


def _file(path: str) -> str:
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    return path


def _bytes(content: Any) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(content)


def _is_address(path: str) -> bool:
    return "://" in path and not path.startswith("file://")


def _without_secrets(address: str) -> str:
    """Return an address as it may stand in messages: without user, password and signatures."""
    if address.startswith(("http://", "https://")):
        address = address.partition("?")[0]
    return re.sub(r"://[^/@]*@", "://", address)


def _is_opened(data: Any) -> bool:
    """Whether ``data`` is what ``fsspec.open`` returns: a file that a ``with`` statement opens."""
    return hasattr(data, "fs") and hasattr(data, "full_name")


def _options(storage_options: Any) -> dict[str, Any]:
    return dict(storage_options or {})


def _only_for_addresses(storage_options: Any) -> None:
    if storage_options:
        raise ValueError("storage_options passed with file object or non-fsspec file path")


def _fsspec(address: str, argument: str) -> Any:
    try:
        import fsspec
    except ImportError:
        raise ImportError(
            f"`{argument}` is {_without_secrets(address)!r}: addresses are opened by fsspec, which is not installed "
            "(`pip install fsspec`, and what it needs for this kind of address)"
        ) from None
    return fsspec
