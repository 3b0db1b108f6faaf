"""Bins of values."""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tables as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["Inclusive", "label_bins"]


class Inclusive(IntEnum):
    """Whether an edge belongs to its bin."""

    YES = 0
    NO = 1


def label_bins(
    input: Column,
    left_edges: Column,
    left_inclusive: Inclusive,
    right_edges: Column,
    right_inclusive: Inclusive,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the number (INT32) of the bin of each value, null where there is none.

    Bin ``i`` is between row ``i`` of both columns of edges, which ascend; bins do not overlap.

    Raises
    ------
    ValueError
        For edges of different number, with nulls, or that do not ascend.
    TypeError
        For edges of another type than the values.
    """
    left, right = (Inclusive(side) is Inclusive.YES for side in (left_inclusive, right_inclusive))
    return _rust.label_bins(input, left_edges, left, right_edges, right, stream, mr)
