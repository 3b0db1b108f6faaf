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
    """Return whether elements of a type have an order, as sorting and comparisons need.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for every type that ``<`` is defined for; of nested types as far as the type itself says.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_relationally_comparable(DataType(TypeId.STRING))
    True
    """
    return _rust.is_relationally_comparable(typ)


def is_equality_comparable(typ: DataType) -> bool:
    """Return whether elements of a type can be compared for equality.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for all types that have elements; of nested types as far as the type itself says.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_equality_comparable(DataType(TypeId.LIST)), is_equality_comparable(DataType(TypeId.EMPTY))
    (True, False)
    """
    return _rust.is_equality_comparable(typ)


def is_numeric(typ: DataType) -> bool:
    """Return whether a type is an integer, a float or the boolean type.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        False for decimals, times and durations.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_numeric(DataType(TypeId.BOOL8)), is_numeric(DataType(TypeId.DECIMAL64))
    (True, False)
    """
    return _rust.is_numeric(typ)


def is_numeric_not_bool(typ: DataType) -> bool:
    """Return whether a type is an integer or a float.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        False for BOOL8, decimals, times and durations.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_numeric_not_bool(DataType(TypeId.FLOAT64)), is_numeric_not_bool(DataType(TypeId.BOOL8))
    (True, False)
    """
    return _rust.is_numeric_not_bool(typ)


def is_index_type(typ: DataType) -> bool:
    """Return whether rows can be numbered by a type.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for integers, signed or not; these are the types of gather maps.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_index_type(DataType(TypeId.INT32)), is_index_type(DataType(TypeId.BOOL8))
    (True, False)
    """
    return _rust.is_index_type(typ)


def is_unsigned(typ: DataType) -> bool:
    """Return whether a type is an unsigned integer or the boolean type.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for UINT8 to UINT64 and BOOL8.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_unsigned(DataType(TypeId.UINT8)), is_unsigned(DataType(TypeId.INT8))
    (True, False)
    """
    return _rust.is_unsigned(typ)


def is_integral(typ: DataType) -> bool:
    """Return whether a type is an integer or the boolean type.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for INT8 to INT64, UINT8 to UINT64 and BOOL8.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_integral(DataType(TypeId.INT64)), is_integral(DataType(TypeId.BOOL8))
    (True, True)
    """
    return _rust.is_integral(typ)


def is_integral_not_bool(typ: DataType) -> bool:
    """Return whether a type is an integer.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for INT8 to INT64 and UINT8 to UINT64.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_integral_not_bool(DataType(TypeId.INT64)), is_integral_not_bool(DataType(TypeId.BOOL8))
    (True, False)
    """
    return _rust.is_integral_not_bool(typ)


def is_floating_point(typ: DataType) -> bool:
    """Return whether a type is a float.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for FLOAT32 and FLOAT64.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_floating_point(DataType(TypeId.FLOAT32)), is_floating_point(DataType(TypeId.DECIMAL64))
    (True, False)
    """
    return _rust.is_floating_point(typ)


def is_boolean(typ: DataType) -> bool:
    """Return whether a type is the boolean type.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for BOOL8 alone.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_boolean(DataType(TypeId.BOOL8)), is_boolean(DataType(TypeId.UINT8))
    (True, False)
    """
    return _rust.is_boolean(typ)


def is_timestamp(typ: DataType) -> bool:
    """Return whether a type is a timestamp.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for the types whose names begin with TIMESTAMP, of any unit.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_timestamp(DataType(TypeId.TIMESTAMP_DAYS)), is_timestamp(DataType(TypeId.DURATION_DAYS))
    (True, False)
    """
    return _rust.is_timestamp(typ)


def is_fixed_point(typ: DataType) -> bool:
    """Return whether a type is a decimal.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for DECIMAL32, DECIMAL64 and DECIMAL128, of any scale.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_fixed_point(DataType(TypeId.DECIMAL64)), is_fixed_point(DataType(TypeId.FLOAT64))
    (True, False)
    """
    return _rust.is_fixed_point(typ)


def is_duration(typ: DataType) -> bool:
    """Return whether a type is a duration.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for the types whose names begin with DURATION, of any unit.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_duration(DataType(TypeId.DURATION_SECONDS)), is_duration(DataType(TypeId.TIMESTAMP_SECONDS))
    (True, False)
    """
    return _rust.is_duration(typ)


def is_chrono(typ: DataType) -> bool:
    """Return whether a type is a timestamp or a duration.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for TIMESTAMP and DURATION types of any unit.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_chrono(DataType(TypeId.DURATION_DAYS)), is_chrono(DataType(TypeId.INT64))
    (True, False)
    """
    return _rust.is_chrono(typ)


def is_dictionary(typ: DataType) -> bool:
    """Return whether a type is the dictionary type.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for DICTIONARY32 alone.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_dictionary(DataType(TypeId.DICTIONARY32)), is_dictionary(DataType(TypeId.STRING))
    (True, False)
    """
    return _rust.is_dictionary(typ)


def is_fixed_width(typ: DataType) -> bool:
    """Return whether all elements of a type take the same number of bytes.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for numbers, booleans, decimals, timestamps and durations.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_fixed_width(DataType(TypeId.INT32)), is_fixed_width(DataType(TypeId.STRING))
    (True, False)
    """
    return _rust.is_fixed_width(typ)


def is_compound(typ: DataType) -> bool:
    """Return whether columns of a type have child columns.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        True for texts, lists, structs and dictionaries.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_compound(DataType(TypeId.STRING)), is_compound(DataType(TypeId.INT32))
    (True, False)
    """
    return _rust.is_compound(typ)


def is_nested(typ: DataType) -> bool:
    """Return whether a type is a list or a struct.

    Parameters
    ----------
    typ : DataType
        The type that is asked about.

    Returns
    -------
    bool
        False for texts and dictionaries, although they have child columns (see `is_compound`).

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_nested(DataType(TypeId.STRUCT)), is_nested(DataType(TypeId.STRING))
    (True, False)
    """
    return _rust.is_nested(typ)


def is_bit_castable(source: DataType, target: DataType) -> bool:
    """Return whether a column of one type can be read as another without a change of its memory.

    Parameters
    ----------
    source : DataType
        The type of the column.
    target : DataType
        The type that its memory would be read as.

    Returns
    -------
    bool
        True for two fixed-width types whose elements have the same number of bytes, which `unary.bit_cast`
        takes.

    Raises
    ------
    TypeError
        For anything but a DataType.

    Examples
    --------
    >>> from pylibcuprum.types import TypeId
    >>> is_bit_castable(DataType(TypeId.INT64), DataType(TypeId.TIMESTAMP_SECONDS))
    True
    >>> is_bit_castable(DataType(TypeId.INT64), DataType(TypeId.INT32))
    False
    """
    return _rust.is_bit_castable(source, target)
