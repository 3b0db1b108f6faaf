"""Addresses of four numbers (IPv4). Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["integers_to_ipv4", "ipv4_to_integers", "is_ipv4"]


def ipv4_to_integers(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return addresses as UINT32, the first number being the highest byte. ValueError for a text that is none."""
    return _rust.ipv4_to_integers(input, stream, mr)


def integers_to_ipv4(
    integers: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return UINT32 as addresses; TypeError for other types."""
    return _rust.integers_to_ipv4(integers, stream, mr)


def is_ipv4(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is an address: four numbers up to 255 without zeros before them."""
    return _rust.is_ipv4(input, stream, mr)
