"""Texts backwards. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["reverse"]


def reverse(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the characters of each text from the last to the first."""
    return _rust.reverse(input, stream, mr)
