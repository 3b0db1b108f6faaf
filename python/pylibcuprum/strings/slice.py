"""Characters by position. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["slice_strings"]


def slice_strings(
    input: Column,
    start: Column | Scalar | None = None,
    stop: Column | Scalar | None = None,
    step: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a range of the characters of each text, as Python's slices do.

    Parameters
    ----------
    input : Column
        Texts.
    start : Scalar, optional
        First position; negative ones count from the end. The start by default. A column is refused.
    stop : Scalar, optional
        Position behind the last one; negative ones count from the end. The end by default. A column is
        refused.
    step : Scalar, optional
        Distance of the positions, 1 by default; a negative one goes backwards.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Raises
    ------
    TypeError
        For columns of positions.
    ValueError
        For a step of 0.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abcd", None])
    >>> slice_strings(texts, Scalar.from_py(1), Scalar.from_py(3)).to_pylist()
    ['bc', None]

    >>> slice_strings(texts, Scalar.from_py(-2)).to_pylist()
    ['cd', None]
    """
    return _rust.slice_strings(input, start, stop, step, stream, mr)
