"""One column in, one column out, element by element. Nulls stay null."""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _elementwise as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "UnaryOperator",
    "bit_cast",
    "cast",
    "is_nan",
    "is_not_nan",
    "is_null",
    "is_supported_cast",
    "is_valid",
    "unary_operation",
]


class UnaryOperator(IntEnum):
    """Unary operators."""

    SIN = 0
    COS = 1
    TAN = 2
    ARCSIN = 3
    ARCCOS = 4
    ARCTAN = 5
    SINH = 6
    COSH = 7
    TANH = 8
    ARCSINH = 9
    ARCCOSH = 10
    ARCTANH = 11
    EXP = 12
    LOG = 13
    SQRT = 14
    CBRT = 15
    CEIL = 16
    FLOOR = 17
    ABS = 18
    RINT = 19
    BIT_COUNT = 20
    BIT_INVERT = 21
    NOT = 22
    NEGATE = 23


def unary_operation(
    input: Column,
    op: UnaryOperator,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return ``op`` of each element.

    Functions of circles, exponentials and roots give FLOAT64 for integers and the type of floats.

    Raises
    ------
    TypeError
        For a type that the operator does not take.
    NotImplementedError
        For ``BIT_COUNT``.

    Examples
    --------
    >>> unary_operation(Column.from_iterable_of_py([4.0, None]), UnaryOperator.SQRT).to_pylist()
    [2.0, None]
    """
    return _rust.unary_operation(input, op, stream, mr)


def is_null(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each element is null."""
    return _rust.is_null(input, stream, mr)


def is_valid(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each element is not null."""
    return _rust.is_valid(input, stream, mr)


def cast(
    input: Column,
    data_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the column as another type: numbers, booleans, decimals, times.

    Floats lose their fraction, times are rounded down. Text is for ``strings.convert``.

    Raises
    ------
    OverflowError
        For a value that the type does not hold.
    ValueError
        For NaN and infinities as integers.
    TypeError
        For types between which there is no cast.
    """
    return _rust.cast(input, data_type, stream, mr)


def bit_cast(
    input: Column,
    data_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the same memory as another type of the same width."""
    return _rust.bit_cast(input, data_type, stream, mr)


def is_nan(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each float is NaN; false for nulls. Other types are a TypeError."""
    return _rust.is_nan(input, stream, mr)


def is_not_nan(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each float is not NaN; true for nulls. Other types are a TypeError."""
    return _rust.is_not_nan(input, stream, mr)


def is_supported_cast(from_: DataType, to: DataType) -> bool:
    """Return whether `cast` takes these types."""
    return _rust.is_supported_cast(from_, to)
