"""Finding several texts in texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["contains_multiple", "find_multiple"]


def find_multiple(
    input: Column,
    targets: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each text the list of positions of all targets, -1 where there is none; also for nulls."""
    return _rust.find_multiple(input, targets, stream, mr)


def contains_multiple(
    input: Column,
    targets: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return for each target a column that says which texts have it."""
    return _rust.contains_multiple(input, targets, stream, mr)
