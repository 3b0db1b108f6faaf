"""White space made even. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["normalize_spaces"]


def normalize_spaces(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with one space for each run of white space, and none at either end.

    Parameters
    ----------
    input : Column
        Texts. White space is all characters up to U+0020.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Examples
    --------
    >>> normalize_spaces(Column.from_iterable_of_py(["  a   b ", None])).to_pylist()
    ['a b', None]
    """
    return _rust.normalize_spaces(input, stream, mr)
