"""Two operands in, one column out, element by element; one of them may be a scalar.

The result is null where an operand is, but for the operators whose names begin with ``NULL``. Values are
computed in the type that both promote to and then cast to the one asked for; integers in the latter, where it
is one of integers with more room. ``DIV`` of integers is rounded towards zero, ``FLOOR_DIV`` down; ``MOD`` of
integers has the sign of the dividend, ``PYMOD`` that of the divisor. ``TRUE_DIV`` of decimals is computed in
FLOAT64.
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
    """Return the result of an operator for each pair of elements.

    Parameters
    ----------
    lhs : Column or Scalar
        Left operands; a scalar stands for all rows.
    rhs : Column or Scalar
        Right operands; one of both sides is a column.
    op : BinaryOperator
        The operator.
    output_type : DataType
        Type of the result. Comparisons and what is logical give BOOL8.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows as the operands, null where one of them is, but for operators whose names begin with
        ``NULL``.

    Raises
    ------
    TypeError
        For types that the operator does not take or give, and for ``GENERIC_BINARY`` and ``INVALID_BINARY``.
    ValueError
        Where both operands are scalars, or differ in the number of rows.

    Notes
    -----
    ``DIV``, ``FLOOR_DIV`` and ``MOD`` of integers by 0 give 0. ``MOD`` has the sign of the dividend,
    ``PYMOD`` that of the divisor, and ``PMOD`` none where the divisor has none. Shifts lose the bits that
    leave the type of ``lhs``, all of them from its width on; by a negative number they are null. ``ATAN2`` of
    ``y`` and ``x`` is the angle of a point.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([7, -7]), Column.from_iterable_of_py([2, 2])
    >>> binary_operation(a, b, BinaryOperator.DIV, a.type()).to_pylist()
    [3, -3]

    >>> nulls, one = Column.from_iterable_of_py([1, None]), Scalar.from_py(1)
    >>> from pylibcuprum import TypeId
    >>> binary_operation(nulls, one, BinaryOperator.EQUAL, DataType(TypeId.BOOL8)).to_pylist()
    [True, None]
    >>> binary_operation(nulls, one, BinaryOperator.NULL_EQUALS, DataType(TypeId.BOOL8)).to_pylist()
    [True, False]
    """
    return _rust.binary_operation(lhs, rhs, op, output_type, stream, mr)


def is_supported_operation(out: DataType, lhs: DataType, rhs: DataType, op: BinaryOperator) -> bool:
    """Return whether `binary_operation` has an operator for some types.

    Parameters
    ----------
    out : DataType
        Type of the result.
    lhs : DataType
        Type of the left operands.
    rhs : DataType
        Type of the right operands.
    op : BinaryOperator
        The operator.

    Returns
    -------
    bool
        False where `binary_operation` raises TypeError.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> number, text = DataType(TypeId.INT64), DataType(TypeId.STRING)
    >>> is_supported_operation(number, number, number, BinaryOperator.ADD)
    True

    >>> is_supported_operation(number, text, number, BinaryOperator.ADD)
    False
    """
    return _rust.is_supported_operation(out, lhs, rhs, op)
