"""Texts and floats. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["from_floats", "is_float", "to_floats"]


def to_floats(
    strings: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the floats that texts say. A text that says none is a ValueError."""
    return _rust.to_floats(strings, output_type, stream, mr)


def from_floats(
    floats: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return floats as texts: the shortest that give the same float back."""
    return _rust.from_floats(floats, stream, mr)


def is_float(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each text is a float, with white space around it or none."""
    return _rust.is_float(input, stream, mr)
