"""Jaccard's index of texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["jaccard_index"]


def jaccard_index(
    input1: Column,
    input2: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return of how many different runs of ``width`` characters both texts have, over how many either has, as FLOAT32.

    A shorter text is one run. Null where either text is; 0 where both are empty. ValueError for a width below 2 and
    for other lengths.
    """
    return _rust.jaccard_index(input1, input2, width, stream, mr)
