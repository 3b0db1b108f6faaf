"""Edit distances of texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["edit_distance"]


def edit_distance(
    input: Column,
    targets: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return how many characters have to be put in, taken out or replaced to make of each text that of ``targets``.

    These are as many, or one for all. Nulls count as empty texts. ValueError for another number of them, and where
    the one is null.
    """
    return _rust.edit_distance(input, targets, stream, mr)
