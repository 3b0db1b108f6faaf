"""Texts and decimals. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["from_fixed_point", "is_fixed_point", "to_fixed_point"]


def to_fixed_point(
    input: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the decimals that texts say.

    Raises
    ------
    ValueError
        For a text that is none, or has digits beyond the scale.
    """
    return _rust.to_fixed_point(input, output_type, stream, mr)


def from_fixed_point(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return decimals as texts with all digits of their scale."""
    return _rust.from_fixed_point(input, stream, mr)


def is_fixed_point(
    input: Column,
    decimal_type: DataType | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether texts say numbers that fit ``decimal_type``, DECIMAL64 of scale 0 by default (BOOL8).

    A number is digits with a sign, a point and an exponent if need be. Digits beyond the scale do not count.

    Examples
    --------
    >>> is_fixed_point(Column.from_iterable_of_py(["1.5", "-2e3", "1.2.3", ""])).to_pylist()
    [True, True, False, False]
    """
    return _rust.is_fixed_point(input, decimal_type, stream, mr)
