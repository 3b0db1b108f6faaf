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
    """Return the number of the bin that each value is in.

    Parameters
    ----------
    input : Column
        Values to sort into bins.
    left_edges : Column
        Lower edge of each bin, in ascending order, of the type of the values.
    left_inclusive : Inclusive
        Whether a value that is equal to the lower edge is in the bin.
    right_edges : Column
        Upper edge of each bin, in ascending order, of the type of the values. Bins do not overlap.
    right_inclusive : Inclusive
        Whether a value that is equal to the upper edge is in the bin.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, numbers of bins from 0; null for values that are in none, and for nulls.

    Raises
    ------
    ValueError
        For edges of different number, with nulls, or that do not ascend.
    TypeError
        For edges of another type than the values.

    Examples
    --------
    >>> values, edges = Column.from_iterable_of_py([1, 5, 9, None]), Column.from_iterable_of_py([0, 5, 9])
    >>> from pylibcuprum.copying import slice
    >>> left, right = slice(edges, [0, 2, 1, 3])
    >>> label_bins(values, left, Inclusive.YES, right, Inclusive.NO).to_pylist()
    [0, 1, None, None]

    >>> label_bins(values, left, Inclusive.NO, right, Inclusive.YES).to_pylist()
    [0, 0, 1, None]
    """
    left, right = (Inclusive(side) is Inclusive.YES for side in (left_inclusive, right_inclusive))
    return _rust.label_bins(input, left_edges, left, right_edges, right, stream, mr)
