"""Texts of a given width. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.side_type import SideType
from pylibcuprum.utils import CudaStreamLike

__all__ = ["pad", "zfill", "zfill_by_widths"]


def pad(
    input: Column,
    width: int,
    side: SideType,
    fill_char: str,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text filled with a character up to ``width`` characters at an end, or at both."""
    return _rust.pad(input, width, side, fill_char, stream, mr)


def zfill(
    input: Column, width: int, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text filled with zeros up to ``width`` characters, behind its sign."""
    return _rust.zfill(input, width, stream, mr)


def zfill_by_widths(
    input: Column,
    widths: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `zfill` does, up to a width of its own for each text; null where that is."""
    return _rust.zfill_by_widths(input, widths, stream, mr)
