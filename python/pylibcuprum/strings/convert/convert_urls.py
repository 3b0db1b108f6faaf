"""Texts as URLs have them. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["url_decode", "url_encode"]


def url_encode(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text as a part of a URL has it.

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
        Texts in which other characters than ASCII's letters and digits and ``.-_~`` are ``%`` and two digits
        for each byte; null for nulls.

    Examples
    --------
    >>> url_encode(Column.from_iterable_of_py(["a b/é", None])).to_pylist()
    ['a%20b%2F%C3%A9', None]
    """
    return _rust.url_encode(input, stream, mr)


def url_decode(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text that is a part of a URL with its escaped characters as such.

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
        Texts in which ``%`` and two hexadecimal digits are the byte that they name; what is not UTF-8 then is
        U+FFFD; null for nulls.

    Examples
    --------
    >>> url_decode(Column.from_iterable_of_py(["a%20b", "100%", None])).to_pylist()
    ['a b', '100%', None]
    """
    return _rust.url_decode(input, stream, mr)
