"""`DataType`, the type of the elements of a column, and the choices that algorithms take.

Examples
--------
>>> DataType(TypeId.DECIMAL64, -2)
DataType(TypeId.DECIMAL64, scale=-2)
>>> DataType(TypeId.INT32).typestr
'<i4'
"""

from __future__ import annotations

from enum import IntEnum

from cuprum import _cuprum
from cuprum._cuprum import DataType

__all__ = [
    "DataType",
    "Interpolation",
    "MaskState",
    "NanEquality",
    "NanPolicy",
    "NullAware",
    "NullEquality",
    "NullOrder",
    "NullPolicy",
    "Order",
    "OutputNullability",
    "Sorted",
    "TypeId",
    "size_of",
]


class TypeId(IntEnum):
    """Names a type without its scale; the numbers are libcudf's."""

    EMPTY = 0
    INT8 = 1
    INT16 = 2
    INT32 = 3
    INT64 = 4
    UINT8 = 5
    UINT16 = 6
    UINT32 = 7
    UINT64 = 8
    FLOAT32 = 9
    FLOAT64 = 10
    BOOL8 = 11
    TIMESTAMP_DAYS = 12
    TIMESTAMP_SECONDS = 13
    TIMESTAMP_MILLISECONDS = 14
    TIMESTAMP_MICROSECONDS = 15
    TIMESTAMP_NANOSECONDS = 16
    DURATION_DAYS = 17
    DURATION_SECONDS = 18
    DURATION_MILLISECONDS = 19
    DURATION_MICROSECONDS = 20
    DURATION_NANOSECONDS = 21
    DICTIONARY32 = 22
    STRING = 23
    LIST = 24
    DECIMAL32 = 25
    DECIMAL64 = 26
    DECIMAL128 = 27
    STRUCT = 28
    NUM_TYPE_IDS = 29


class Interpolation(IntEnum):
    """The interpolation of a quantile between two elements."""

    LINEAR = 0
    LOWER = 1
    HIGHER = 2
    MIDPOINT = 3
    NEAREST = 4


class MaskState(IntEnum):
    """States of a new null mask; columns without nulls have none."""

    UNALLOCATED = 0
    UNINITIALIZED = 1
    ALL_VALID = 2
    ALL_NULL = 3


class NanEquality(IntEnum):
    """Whether NaN equals NaN."""

    ALL_EQUAL = 0
    UNEQUAL = 1


class NanPolicy(IntEnum):
    """Whether NaN counts as null."""

    NAN_IS_NULL = 0
    NAN_IS_VALID = 1


class NullEquality(IntEnum):
    """Whether null equals null."""

    EQUAL = 0
    UNEQUAL = 1


class NullAware(IntEnum):
    """Whether a function of the user's sees nulls."""

    NO = 0
    YES = 1


class OutputNullability(IntEnum):
    """Whether the result of a function of the user's may have nulls."""

    PRESERVE = 0
    ALL_VALID = 1


class NullOrder(IntEnum):
    """Whether nulls are larger (AFTER) or smaller (BEFORE) than every value."""

    AFTER = 0
    BEFORE = 1


class NullPolicy(IntEnum):
    """Whether nulls take part."""

    EXCLUDE = 0
    INCLUDE = 1


class Order(IntEnum):
    """The order of sorted elements."""

    ASCENDING = 0
    DESCENDING = 1


class Sorted(IntEnum):
    """Whether an input is known to be sorted."""

    NO = 0
    YES = 1


def size_of(t: DataType) -> int:
    """Return the number of bytes that one element of a fixed-width type takes.

    Parameters
    ----------
    t : DataType
        Type of a number, boolean, decimal, timestamp or duration.

    Returns
    -------
    int
        Number of bytes.

    Raises
    ------
    TypeError
        For text, lists, structs, dictionaries and EMPTY.

    Examples
    --------
    >>> size_of(DataType(TypeId.DECIMAL128))
    16
    """
    return _cuprum.size_of(t)
