"""Characters removed from the ends. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.side_type import SideType
from pylibcuprum.utils import CudaStreamLike

__all__ = ["strip"]


def strip(
    input: Column,
    side: SideType = SideType.BOTH,
    to_strip: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text without the characters ``to_strip`` (white space where it is empty) at an end, or both."""
    return _rust.strip(input, side, to_strip, stream, mr)
