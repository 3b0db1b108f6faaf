"""White space made even. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["normalize_spaces"]


def normalize_spaces(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with one space for each run of white space (up to U+0020), none at either end."""
    return _rust.normalize_spaces(input, stream, mr)
