"""Texts and integers. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "from_integers",
    "hex_to_integers",
    "integers_to_hex",
    "is_hex",
    "is_integer",
    "to_integers",
]


def to_integers(
    input: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the integers that texts say.

    Raises
    ------
    ValueError
        For a text that says none.
    OverflowError
        For one that the type does not hold.
    """
    return _rust.to_integers(input, output_type, stream, mr)


def from_integers(
    integers: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return integers as texts."""
    return _rust.from_integers(integers, stream, mr)


def is_integer(
    input: Column,
    int_type: DataType | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is an integer of the type (INT64), with white space around it or none."""
    return _rust.is_integer(input, int_type, stream, mr)


def hex_to_integers(
    input: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the integers that hexadecimal digits say, perhaps behind ``0x``.

    ValueError for a text of anything else, OverflowError for one that the type, or 63 bits, do not hold.
    """
    return _rust.hex_to_integers(input, output_type, stream, mr)


def integers_to_hex(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return integers as hexadecimal digits, an even number of them; negative ones in two's complement."""
    return _rust.integers_to_hex(input, stream, mr)


def is_hex(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is hexadecimal digits, perhaps behind ``0x``."""
    return _rust.is_hex(input, stream, mr)
