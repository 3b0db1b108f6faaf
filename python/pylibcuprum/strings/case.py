"""Upper and lower case of all of Unicode. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["swapcase", "to_lower", "to_upper"]


def to_lower(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text in lower case."""
    return _rust.to_lower(input, stream, mr)


def to_upper(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text in upper case."""
    return _rust.to_upper(input, stream, mr)


def swapcase(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text with upper case in lower case and the other way round."""
    return _rust.swapcase(input, stream, mr)
