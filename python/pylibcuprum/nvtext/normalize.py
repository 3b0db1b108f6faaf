"""White space made even. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Stream
from cuprum._cuprum import _tokens as _rust

__all__ = ["normalize_spaces"]


def normalize_spaces(
    input: Column,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with one space for each run of white space (up to U+0020), none at either end."""
    return _rust.normalize_spaces(input, stream, mr)
