"""Texts several times. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["repeat_strings"]


def repeat_strings(
    input: Column,
    repeat_times: Column | int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text ``repeat_times`` times, or as often as the row of a column says; not at all below 0."""
    return _rust.repeat_strings(input, repeat_times, stream, mr)
