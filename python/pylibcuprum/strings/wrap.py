"""Lines of a width. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["wrap"]


def wrap(
    input: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text in lines of at most ``width`` characters, cut at white space; longer words stay whole."""
    return _rust.wrap(input, width, stream, mr)
