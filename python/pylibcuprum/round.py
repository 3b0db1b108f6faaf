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
    """Return numbers rounded to ``decimal_places`` digits after the point, before it where negative.

    Integers stay unless it is negative. Decimals get the scale ``-decimal_places``.

    Examples
    --------
    >>> round(Column.from_iterable_of_py([0.5, 1.5, -2.5])).to_pylist()
    [1.0, 2.0, -3.0]
    """
    return _rust.round(source, decimal_places, round_method, stream, mr)


def round_decimal(
    source: Column,
    decimal_places: int = 0,
    round_method: RoundingMethod = RoundingMethod.HALF_UP,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `round` does of decimals; other types are a TypeError."""
    return _rust.round_decimal(source, decimal_places, round_method, stream, mr)
