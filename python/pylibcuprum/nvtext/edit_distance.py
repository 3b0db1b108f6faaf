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
    """Return the Levenshtein distance of each text to a target.

    It is the number of characters that have to be put in, taken out or replaced to make the target of the
    text.

    Parameters
    ----------
    input : Column
        Texts. Nulls count as empty texts.
    targets : Column
        Target of each text, or one for all. Nulls count as empty texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32 without nulls.

    Raises
    ------
    ValueError
        For another number of targets, and where the one for all is null.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["kitten", None])
    >>> edit_distance(texts, Column.from_iterable_of_py(["sitting", "ab"])).to_pylist()
    [3, 2]
    """
    return _rust.edit_distance(input, targets, stream, mr)
