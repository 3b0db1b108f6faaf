"""Lines of a width. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Stream
from cuprum._cuprum import _strings as _rust

__all__ = ["wrap"]


def wrap(
    input: Column,
    width: int,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text in lines of at most ``width`` characters, cut at white space; longer words stay whole."""
    return _rust.wrap(input, width, stream, mr)
