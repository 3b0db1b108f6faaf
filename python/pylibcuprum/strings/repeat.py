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
    """Return each text repeated a number of times.

    Parameters
    ----------
    input : Column
        Texts.
    repeat_times : Column or int
        Number of times for all texts, or a column with one for each; below 0 it is 0.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null where the text or its number is null.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["ab", "c", None])
    >>> repeat_strings(texts, 2).to_pylist()
    ['abab', 'cc', None]

    >>> repeat_strings(texts, Column.from_iterable_of_py([0, 3, 1])).to_pylist()
    ['', 'ccc', None]
    """
    return _rust.repeat_strings(input, repeat_times, stream, mr)
