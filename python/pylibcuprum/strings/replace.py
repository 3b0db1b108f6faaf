"""Parts of texts replaced. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["replace", "replace_multiple", "replace_slice"]


def replace(
    input: Column,
    target: Scalar,
    repl: Scalar,
    maxrepl: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the first ``maxrepl`` (all below 0) ``target`` replaced. An empty one is a ValueError."""
    return _rust.replace(input, target, repl, maxrepl, stream, mr)


def replace_multiple(
    input: Column,
    target: Column,
    repl: Column,
    maxrepl: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the first ``maxrepl`` (all below 0) occurrences of any ``target`` replaced.

    By what stands beside it in ``repl``, or the only one there. No targets are a ValueError.
    """
    return _rust.replace_multiple(input, target, repl, maxrepl, stream, mr)


def replace_slice(
    input: Column,
    repl: Scalar | None = None,
    start: int = 0,
    stop: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the characters from ``start`` up to ``stop`` (-1: the end) replaced."""
    return _rust.replace_slice(input, repl, start, stop, stream, mr)
