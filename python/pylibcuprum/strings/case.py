"""Upper and lower case of all of Unicode. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["swapcase", "to_lower", "to_upper"]


def to_lower(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text in lower case.

    Parameters
    ----------
    input : Column
        Texts.
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
        For a column that is not of texts.

    Examples
    --------
    >>> to_lower(Column.from_iterable_of_py(["ÄB", None])).to_pylist()
    ['äb', None]
    """
    return _rust.to_lower(input, stream, mr)


def to_upper(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text in upper case, which may have more characters.

    Parameters
    ----------
    input : Column
        Texts.
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
        For a column that is not of texts.

    Examples
    --------
    >>> to_upper(Column.from_iterable_of_py(["straße", None])).to_pylist()
    ['STRASSE', None]
    """
    return _rust.to_upper(input, stream, mr)


def swapcase(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text with upper case in lower case and the other way round.

    Parameters
    ----------
    input : Column
        Texts.
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
        For a column that is not of texts.

    Examples
    --------
    >>> swapcase(Column.from_iterable_of_py(["Ab", None])).to_pylist()
    ['aB', None]
    """
    return _rust.swapcase(input, stream, mr)
