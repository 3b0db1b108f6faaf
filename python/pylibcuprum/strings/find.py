"""Finding texts in texts. Positions are characters from 0, -1 where there is none. Nulls stay null.

A target is one text for all rows, or a column with one for each (ValueError for another number of them); where that
is null so is the result.

Examples
--------
>>> texts, targets = Column.from_iterable_of_py(["abc", "abc"]), Column.from_iterable_of_py(["c", "x"])
>>> find(texts, targets).to_pylist(), starts_with(texts, targets).to_pylist()
([2, -1], [False, False])
"""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["contains", "ends_with", "find", "rfind", "starts_with"]


def find(
    input: Column,
    target: Column | Scalar,
    start: int = 0,
    stop: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of the first ``target`` between ``start`` and ``stop`` (-1: the end) (INT32)."""
    return _rust.find(input, target, start, stop, stream, mr)


def rfind(
    input: Column,
    target: Scalar,
    start: int = 0,
    stop: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of the last ``target`` between ``start`` and ``stop`` (INT32)."""
    return _rust.rfind(input, target, start, stop, stream, mr)


def contains(
    input: Column,
    target: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text has ``target`` (BOOL8)."""
    return _rust.contains(input, target, stream, mr)


def starts_with(
    input: Column,
    target: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text begins with ``target`` (BOOL8)."""
    return _rust.starts_with(input, target, stream, mr)


def ends_with(
    input: Column,
    target: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text ends with ``target`` (BOOL8)."""
    return _rust.ends_with(input, target, stream, mr)
