"""Lengths of texts. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["code_points", "count_bytes", "count_characters"]


def count_characters(
    source_strings: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of characters of each text.

    Parameters
    ----------
    source_strings : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of texts.

    Examples
    --------
    >>> count_characters(Column.from_iterable_of_py(["né", "", None])).to_pylist()
    [2, 0, None]
    """
    return _rust.count_characters(source_strings, stream, mr)


def count_bytes(
    source_strings: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of bytes of each text in UTF-8.

    Parameters
    ----------
    source_strings : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of texts.

    Examples
    --------
    >>> count_bytes(Column.from_iterable_of_py(["né", "", None])).to_pylist()
    [3, 0, None]
    """
    return _rust.count_bytes(source_strings, stream, mr)


def code_points(
    source_strings: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the Unicode code points of the characters of all texts, one after the other.

    Parameters
    ----------
    source_strings : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, a row for each character; nulls have none.

    Raises
    ------
    TypeError
        For a column that is not of texts.

    Examples
    --------
    >>> code_points(Column.from_iterable_of_py(["né", None, "a"])).to_pylist()
    [110, 233, 97]
    """
    return _rust.code_points(source_strings, stream, mr)
