"""Texts put together."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Stream
from cuprum._cuprum import _strings as _rust

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["OutputIfEmptyList", "SeparatorOnNulls", "concatenate", "join_list_elements", "join_strings"]


class SeparatorOnNulls(IntEnum):
    """Whether a separator stands beside a null."""

    YES = 0
    NO = 1


class OutputIfEmptyList(IntEnum):
    """What a list of nothing becomes."""

    EMPTY_STRING = 0
    NULL_ELEMENT = 1


def concatenate(
    strings_columns: TableLike,
    separator: Column | Scalar,
    narep: Scalar | None = None,
    col_narep: Scalar | None = None,
    separate_nulls: SeparatorOnNulls = SeparatorOnNulls.YES,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the texts of each row, with a separator between them.

    Null where a text is, unless ``narep`` stands for it.

    Raises
    ------
    NotImplementedError
        For separators of each row, ``col_narep`` and ``SeparatorOnNulls.NO``.
    """
    if isinstance(separator, Column):
        raise NotImplementedError("`separator` is a column; there is one for all rows")
    if col_narep is not None:
        raise NotImplementedError("`col_narep` is given; there is one separator for all rows")
    if SeparatorOnNulls(separate_nulls) is SeparatorOnNulls.NO:
        raise NotImplementedError("`separate_nulls` is NO; a separator stands beside every text")
    return _rust.concatenate(strings_columns, separator, narep, stream, mr)


def join_list_elements(
    lists_strings_column: Column,
    separator: Column | Scalar,
    separator_narep: Scalar,
    string_narep: Scalar,
    separate_nulls: SeparatorOnNulls,
    empty_list_policy: OutputIfEmptyList,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the texts of each list with a separator between them, one for all lists or one of each row.

    Null where a list is, or a separator without ``separator_narep``, and for lists with a null unless ``string_narep``
    stands for it.
    """
    separates = SeparatorOnNulls(separate_nulls) is SeparatorOnNulls.YES
    is_text = OutputIfEmptyList(empty_list_policy) is OutputIfEmptyList.EMPTY_STRING
    return _rust.join_list_elements(
        lists_strings_column, separator, separator_narep, string_narep, separates, is_text, stream, mr
    )


def join_strings(
    input: Column,
    separator: Scalar,
    narep: Scalar,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return all texts as one, in a column of one row. Nulls are left out, or are ``narep``."""
    return _rust.join_strings(input, separator, narep, stream, mr)
