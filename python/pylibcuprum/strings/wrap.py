"""Lines of a width. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["wrap"]


def wrap(
    input: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text in lines of at most a number of characters, cut at white space.

    Parameters
    ----------
    input : Column
        Texts.
    width : int
        Number of characters of a line, at least 1; longer words stay whole.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts, with line ends in place of white space; null for nulls.

    Raises
    ------
    ValueError
        For a ``width`` of 0.

    Examples
    --------
    >>> wrap(Column.from_iterable_of_py(["the quick brown fox", None]), 10).to_pylist()
    ['the quick\\nbrown fox', None]
    """
    return _rust.wrap(input, width, stream, mr)
