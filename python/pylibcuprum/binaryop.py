"""Two operands in, one column out, element by element; one of them may be a scalar.

The result is null where an operand is, but for the operators whose names begin with ``NULL``. Values are
computed in the type that both promote to and then cast to the one asked for; integers in the latter, where it is
one of integers with more room. ``DIV`` of integers is rounded towards zero, ``FLOOR_DIV`` down; ``MOD`` of integers
has the sign of the dividend, ``PYMOD`` that of the divisor. ``TRUE_DIV`` of decimals is computed in FLOAT64.
"""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Scalar
from cuprum._cuprum import _elementwise as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["BinaryOperator", "binary_operation", "is_supported_operation"]


class BinaryOperator(IntEnum):
    """Binary operators."""

    ADD = 0
    SUB = 1
    MUL = 2
    DIV = 3
    TRUE_DIV = 4
    FLOOR_DIV = 5
    MOD = 6
    PMOD = 7
    PYMOD = 8
    POW = 9
    INT_POW = 10
    LOG_BASE = 11
    ATAN2 = 12
    SHIFT_LEFT = 13
    SHIFT_RIGHT = 14
    SHIFT_RIGHT_UNSIGNED = 15
    BITWISE_AND = 16
    BITWISE_OR = 17
    BITWISE_XOR = 18
    LOGICAL_AND = 19
    LOGICAL_OR = 20
    EQUAL = 21
    NOT_EQUAL = 22
    LESS = 23
    GREATER = 24
    LESS_EQUAL = 25
    GREATER_EQUAL = 26
    NULL_EQUALS = 27
    NULL_MAX = 28
    NULL_MIN = 29
    NULL_NOT_EQUALS = 30
    GENERIC_BINARY = 31
    NULL_LOGICAL_AND = 32
    NULL_LOGICAL_OR = 33
    INVALID_BINARY = 34


def binary_operation(
    lhs: Column | Scalar,
    rhs: Column | Scalar,
    op: BinaryOperator,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return ``op`` of each pair of elements as ``output_type``, null where one of them is unless it says otherwise.

    Comparisons and what is logical give BOOL8. ``MOD`` has the sign of the dividend, ``PYMOD`` that of the divisor,
    and ``PMOD`` none where the divisor has none. Shifts lose the bits that leave the type of ``lhs``, all of them
    from its width on; by a negative number they are null. ``ATAN2`` of ``y`` and ``x`` is the angle of a point.

    Raises
    ------
    TypeError
        For types that the operator does not take or give, and for ``GENERIC_BINARY`` and ``INVALID_BINARY``.
    ValueError
        Where both operands are scalars.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([7, -7]), Column.from_iterable_of_py([2, 2])
    >>> binary_operation(a, b, BinaryOperator.DIV, a.type()).to_pylist()
    [3, -3]
    """
    return _rust.binary_operation(lhs, rhs, op, output_type, stream, mr)


def is_supported_operation(out: DataType, lhs: DataType, rhs: DataType, op: BinaryOperator) -> bool:
    """Return whether `binary_operation` takes these types."""
    return _rust.is_supported_operation(out, lhs, rhs, op)
