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

    Parameters
    ----------
    input : Column
        Texts.
    output_type : DataType
        Decimal type of the result, with its scale.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Decimals; null for nulls.

    Raises
    ------
    ValueError
        For a text that is none, or has digits beyond the scale.
    TypeError
        For a type that is no decimal.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> to_fixed_point(Column.from_iterable_of_py(["1.5", None]), DataType(TypeId.DECIMAL64, -2)).to_pylist()
    [Decimal('1.50'), None]
    """
    return _rust.to_fixed_point(input, output_type, stream, mr)


def from_fixed_point(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return decimals as texts with all digits of their scale.

    Parameters
    ----------
    input : Column
        Decimals.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Examples
    --------
    >>> from decimal import Decimal
    >>> from_fixed_point(Column.from_iterable_of_py([Decimal("1.50"), None])).to_pylist()
    ['1.50', None]
    """
    return _rust.from_fixed_point(input, stream, mr)


def is_fixed_point(
    input: Column,
    decimal_type: DataType | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text says a number that fits a decimal type.

    Parameters
    ----------
    input : Column
        Texts.
    decimal_type : DataType, optional
        Decimal type; DECIMAL64 of scale 0 by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls. A number is digits with a sign, a point and an exponent if need be. Digits
        beyond the scale do not count.

    Raises
    ------
    TypeError
        For a type that is no decimal.

    Examples
    --------
    >>> is_fixed_point(Column.from_iterable_of_py(["1.5", "-2e3", "1.2.3", ""])).to_pylist()
    [True, True, False, False]

    >>> from pylibcuprum import TypeId
    >>> is_fixed_point(Column.from_iterable_of_py(["1e30", None]), DataType(TypeId.DECIMAL128)).to_pylist()
    [True, None]
    """
    return _rust.is_fixed_point(input, decimal_type, stream, mr)
