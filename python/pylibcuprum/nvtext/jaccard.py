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
    """Return Jaccard's index of the runs of characters of two texts, row by row.

    It is how many different runs both texts have, over how many either has.

    Parameters
    ----------
    input1 : Column
        Texts.
    input2 : Column
        As many texts.
    width : int
        Number of characters of a run, at least 2; a shorter text is one run.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        FLOAT32 from 0 to 1; 0 where both texts are empty, null where either is null.

    Raises
    ------
    ValueError
        For a ``width`` below 2, and for columns of different lengths.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abcd", None])
    >>> jaccard_index(texts, Column.from_iterable_of_py(["bcde", "a"]), 2).to_pylist()
    [0.5, None]
    """
    return _rust.jaccard_index(input1, input2, width, stream, mr)
