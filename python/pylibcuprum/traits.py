"""Predicates of data types.

Every function takes a `DataType` and raises `TypeError` for anything else.
"""

from __future__ import annotations

from cuprum._cuprum import DataType
from cuprum._cuprum import _traits as _rust

__all__ = [
    "is_bit_castable",
    "is_boolean",
    "is_chrono",
    "is_compound",
    "is_dictionary",
    "is_duration",
    "is_equality_comparable",
    "is_fixed_point",
    "is_fixed_width",
    "is_floating_point",
    "is_index_type",
    "is_integral",
    "is_integral_not_bool",
    "is_nested",
    "is_numeric",
    "is_numeric_not_bool",
    "is_relationally_comparable",
    "is_timestamp",
    "is_unsigned",
]


def is_relationally_comparable(typ: DataType) -> bool:
    """Whether elements have an order; for nested types, as far as the type itself says.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_relationally_comparable(DataType(TypeId.STRING))
    True
    """
    return _rust.is_relationally_comparable(typ)


def is_equality_comparable(typ: DataType) -> bool:
    """Whether elements can be told equal; for nested types, as far as the type itself says.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_equality_comparable(DataType(TypeId.LIST))
    True
    """
    return _rust.is_equality_comparable(typ)


def is_numeric(typ: DataType) -> bool:
    """Whether it is an integer, a float or a boolean.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_numeric(DataType(TypeId.BOOL8))
    True
    """
    return _rust.is_numeric(typ)


def is_numeric_not_bool(typ: DataType) -> bool:
    """Whether it is an integer or a float.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_numeric_not_bool(DataType(TypeId.BOOL8))
    False
    """
    return _rust.is_numeric_not_bool(typ)


def is_index_type(typ: DataType) -> bool:
    """Whether rows can be numbered by it: integers, signed or not.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_index_type(DataType(TypeId.INT32))
    True
    """
    return _rust.is_index_type(typ)


def is_unsigned(typ: DataType) -> bool:
    """Whether it is an unsigned integer or a boolean.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_unsigned(DataType(TypeId.UINT8))
    True
    """
    return _rust.is_unsigned(typ)


def is_integral(typ: DataType) -> bool:
    """Whether it is an integer or a boolean.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_integral(DataType(TypeId.BOOL8))
    True
    """
    return _rust.is_integral(typ)


def is_integral_not_bool(typ: DataType) -> bool:
    """Whether it is an integer.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_integral_not_bool(DataType(TypeId.BOOL8))
    False
    """
    return _rust.is_integral_not_bool(typ)


def is_floating_point(typ: DataType) -> bool:
    """Whether it is a float.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_floating_point(DataType(TypeId.FLOAT32))
    True
    """
    return _rust.is_floating_point(typ)


def is_boolean(typ: DataType) -> bool:
    """Whether it is the boolean type.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_boolean(DataType(TypeId.BOOL8))
    True
    """
    return _rust.is_boolean(typ)


def is_timestamp(typ: DataType) -> bool:
    """Whether it is a point in time.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_timestamp(DataType(TypeId.TIMESTAMP_DAYS))
    True
    """
    return _rust.is_timestamp(typ)


def is_fixed_point(typ: DataType) -> bool:
    """Whether it is a decimal.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_fixed_point(DataType(TypeId.DECIMAL64))
    True
    """
    return _rust.is_fixed_point(typ)


def is_duration(typ: DataType) -> bool:
    """Whether it is a length of time.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_duration(DataType(TypeId.DURATION_SECONDS))
    True
    """
    return _rust.is_duration(typ)


def is_chrono(typ: DataType) -> bool:
    """Whether it is a point in time or a length of time.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_chrono(DataType(TypeId.DURATION_DAYS))
    True
    """
    return _rust.is_chrono(typ)


def is_dictionary(typ: DataType) -> bool:
    """Whether it is the dictionary type.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_dictionary(DataType(TypeId.DICTIONARY32))
    True
    """
    return _rust.is_dictionary(typ)


def is_fixed_width(typ: DataType) -> bool:
    """Whether all elements have one size.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_fixed_width(DataType(TypeId.STRING))
    False
    """
    return _rust.is_fixed_width(typ)


def is_compound(typ: DataType) -> bool:
    """Whether its columns have columns inside: text, lists, structs, dictionaries.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_compound(DataType(TypeId.STRING))
    True
    """
    return _rust.is_compound(typ)


def is_nested(typ: DataType) -> bool:
    """Whether it is a list or a struct.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_nested(DataType(TypeId.STRUCT))
    True
    """
    return _rust.is_nested(typ)


def is_bit_castable(source: DataType, target: DataType) -> bool:
    """Whether a column of one type can be read as one of the other without touching its memory.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_bit_castable(DataType(TypeId.INT64), DataType(TypeId.TIMESTAMP_SECONDS))
    True
    """
    return _rust.is_bit_castable(source, target)
