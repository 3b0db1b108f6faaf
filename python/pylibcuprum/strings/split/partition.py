"""Texts cut in two at a delimiter. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Table
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["partition", "rpartition"]


def partition(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return three columns: what is before the first delimiter, it, and what is behind. An empty one is a ValueError."""
    if delimiter is None:
        raise NotImplementedError("`delimiter` is None; white space is none here")
    return _rust.partition(input, delimiter, stream, mr)


def rpartition(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return three columns: what is before the last delimiter, it, and what is behind. An empty one is a ValueError."""
    if delimiter is None:
        raise NotImplementedError("`delimiter` is None; white space is none here")
    return _rust.rpartition(input, delimiter, stream, mr)
