"""Finding texts in texts. Positions are characters from 0, -1 where there is none. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Stream
from cuprum._cuprum import _strings as _rust

__all__ = ["contains", "ends_with", "find", "rfind", "starts_with"]


def find(
    input: Column,
    target: Column | Scalar,
    start: int = 0,
    stop: int = -1,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of the first ``target`` between ``start`` and ``stop`` (-1: the end) (INT32).

    Raises
    ------
    TypeError
        For a column of targets.
    """
    return _rust.find(input, target, start, stop, stream, mr)


def rfind(
    input: Column,
    target: Scalar,
    start: int = 0,
    stop: int = -1,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of the last ``target`` between ``start`` and ``stop`` (INT32)."""
    return _rust.rfind(input, target, start, stop, stream, mr)


def contains(
    input: Column,
    target: Column | Scalar,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text has ``target``. A column of targets is a TypeError."""
    return _rust.contains(input, target, stream, mr)


def starts_with(
    input: Column,
    target: Column | Scalar,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text begins with ``target``. A column of targets is a TypeError."""
    return _rust.starts_with(input, target, stream, mr)


def ends_with(
    input: Column,
    target: Column | Scalar,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text ends with ``target``. A column of targets is a TypeError."""
    return _rust.ends_with(input, target, stream, mr)
