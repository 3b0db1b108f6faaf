"""Numbers rounded to a number of digits."""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _elementwise as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["RoundingMethod", "round", "round_decimal"]


class RoundingMethod(IntEnum):
    """The rounding of ties."""

    HALF_UP = 0
    """Away from zero."""
    HALF_EVEN = 1
    """To the even one."""


def round(
    source: Column,
    decimal_places: int = 0,
    round_method: RoundingMethod = RoundingMethod.HALF_UP,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return numbers rounded to a number of decimal places.

    Parameters
    ----------
    source : Column
        Column of integers, floats or decimals.
    decimal_places : int, default 0
        Digits behind the point that are kept; a negative number rounds digits before it.
    round_method : RoundingMethod, default RoundingMethod.HALF_UP
        Rounding of ties: ``HALF_UP`` away from zero, ``HALF_EVEN`` to the even digit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Numbers of the same type; decimals get the scale ``-decimal_places``. Integers stay unless
        ``decimal_places`` is negative, nulls stay null.

    Raises
    ------
    TypeError
        For other types.

    Examples
    --------
    >>> round(Column.from_iterable_of_py([0.5, 1.5, -2.5])).to_pylist()
    [1.0, 2.0, -3.0]

    >>> round(Column.from_iterable_of_py([0.5, 1.5, -2.5]), round_method=RoundingMethod.HALF_EVEN).to_pylist()
    [0.0, 2.0, -2.0]

    >>> round(Column.from_iterable_of_py([1250, None]), -2).to_pylist()
    [1300, None]
    """
    return _rust.round(source, decimal_places, round_method, stream, mr)


def round_decimal(
    source: Column,
    decimal_places: int = 0,
    round_method: RoundingMethod = RoundingMethod.HALF_UP,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return decimals rounded to a number of decimal places, as `round` does.

    Parameters
    ----------
    source : Column
        Column of decimals.
    decimal_places : int, default 0
        Digits behind the point that are kept; a negative number rounds digits before it.
    round_method : RoundingMethod, default RoundingMethod.HALF_UP
        Rounding of ties: ``HALF_UP`` away from zero, ``HALF_EVEN`` to the even digit.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Decimals of the scale ``-decimal_places``.

    Raises
    ------
    TypeError
        For a column that is not of decimals.

    Examples
    --------
    >>> from decimal import Decimal
    >>> prices = Column.from_iterable_of_py([Decimal("1.25"), None])
    >>> round_decimal(prices, 1).to_pylist()
    [Decimal('1.3'), None]
    """
    return _rust.round_decimal(source, decimal_places, round_method, stream, mr)
