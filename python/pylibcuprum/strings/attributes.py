"""Lengths of texts. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["code_points", "count_bytes", "count_characters"]


def count_characters(
    source_strings: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of characters of each text (INT32)."""
    return _rust.count_characters(source_strings, stream, mr)


def count_bytes(
    source_strings: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of bytes of each text in UTF-8 (INT32)."""
    return _rust.count_bytes(source_strings, stream, mr)


def code_points(
    source_strings: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers (Unicode) of the characters of all texts, one after the other, as INT32; nulls have none."""
    return _rust.code_points(source_strings, stream, mr)
