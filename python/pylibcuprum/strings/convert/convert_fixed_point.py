"""Texts and decimals. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Stream
from cuprum._cuprum import _strings as _rust

__all__ = ["from_fixed_point", "to_fixed_point"]


def to_fixed_point(
    input: Column, output_type: DataType, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the decimals that texts say.

    Raises
    ------
    ValueError
        For a text that is none, or has digits beyond the scale.
    """
    return _rust.to_fixed_point(input, output_type, stream, mr)


def from_fixed_point(
    input: Column, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return decimals as texts with all digits of their scale."""
    return _rust.from_fixed_point(input, stream, mr)
