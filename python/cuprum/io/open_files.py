"""Files that a user has opened: read to their end, and written to until they have taken everything.

A file without a buffer (a socket, a pipe, what unpacks, a file of a store) may return fewer bytes than it was asked
for, and take fewer than it was given.
"""

from __future__ import annotations

import io
from typing import Any

__all__ = ["copy_all", "read_all", "read_whole", "write_all"]

# Bytes offered to a file that has not taken everything at once, and asked of one that has to be told a size.
_PIECE = 1 << 16


def read_all(file: Any) -> Any:
    """Return what an open file has up to its end, bytes or a text: it is read until nothing comes."""
    parts: list[Any] = []
    sizes: tuple[int, ...] = ()
    while True:
        try:
            part = file.read(*sizes)
        except TypeError:
            if parts or sizes:
                raise
            sizes = (_PIECE,)
            continue
        if part is None:
            raise BlockingIOError(f"{type(file).__name__}.read returned None: the file has no bytes yet")
        if not len(part):
            break
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    return "".join(parts) if parts and isinstance(parts[0], str) else b"".join(parts)


def read_whole(file: Any) -> Any:
    """Return the result of `read_all`, from the start of a file that can go there.

    For formats that say at their end, or anywhere, where everything is: pandas reads the whole of such a file, too.
    """
    if hasattr(file, "seekable") and file.seekable():
        file.seek(0)
    return read_all(file)


def write_all(file: Any, content: bytes | str) -> None:
    """Write bytes or a text to an open file, which says how many it took; one that says nothing took all."""
    taken = _taken(file, content)
    while taken < len(content):
        taken += _taken(file, content[taken : taken + _PIECE])


def copy_all(source: Any, file: Any) -> None:
    """Write what is left of an open file of ours to one of a user."""
    while block := source.read(1 << 20):
        write_all(file, block)


def _taken(file: Any, part: bytes | str) -> int:
    count = file.write(part)
    if count is None and isinstance(file, io.RawIOBase):
        count = 0
    if isinstance(count, bool) or not hasattr(count, "__index__"):
        return len(part)
    if part and count <= 0:
        raise BlockingIOError(f"{type(file).__name__}.write took {count} of {len(part)}")
    return min(int(count), len(part))
