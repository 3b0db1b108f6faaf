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
    """Return each text with other characters than ASCII's letters and digits and ``.-_~`` as ``%`` and two digits for each byte."""
    return _rust.url_encode(input, stream, mr)


def url_decode(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with ``%`` and two hexadecimal digits as the byte that they name; what is not UTF-8 then is U+FFFD."""
    return _rust.url_decode(input, stream, mr)
