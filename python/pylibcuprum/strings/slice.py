"""Characters by position. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["slice_strings"]


def slice_strings(
    input: Column,
    start: Column | Scalar | None = None,
    stop: Column | Scalar | None = None,
    step: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the characters of each text from ``start`` up to ``stop`` in steps, as Python's slices do.

    Raises
    ------
    TypeError
        For columns of positions.
    ValueError
        For a step of 0.
    """
    return _rust.slice_strings(input, start, stop, step, stream, mr)
