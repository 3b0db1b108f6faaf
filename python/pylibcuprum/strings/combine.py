"""Texts put together."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["OutputIfEmptyList", "SeparatorOnNulls", "concatenate", "join_list_elements", "join_strings"]


class SeparatorOnNulls(IntEnum):
    """Whether a separator stands beside a null."""

    YES = 0
    NO = 1


class OutputIfEmptyList(IntEnum):
    """The result of joining an empty list."""

    EMPTY_STRING = 0
    NULL_ELEMENT = 1


def concatenate(
    strings_columns: TableLike,
    separator: Column | Scalar,
    narep: Scalar | None = None,
    col_narep: Scalar | None = None,
    separate_nulls: SeparatorOnNulls = SeparatorOnNulls.YES,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the texts of each row, with a separator between them: one for all rows, or a column with one for each.

    Nulls count as empty texts. With one separator ``narep`` stands for them; with a column of separators
    ``col_narep`` does, and ``narep`` for null separators. Where what stands for a null is null itself, so is the row.
    With ``SeparatorOnNulls.NO`` no separator stands beside a null.

    Raises
    ------
    ValueError
        For ``col_narep`` beside one separator, and for no columns.
    RuntimeError
        Where there are not as many separators as rows.

    Examples
    --------
    >>> columns = [Column.from_iterable_of_py(["a", None]), Column.from_iterable_of_py(["b", "c"])]
    >>> concatenate(columns, Scalar.from_py("-"), Scalar.from_py("?")).to_pylist()
    ['a-b', '?-c']
    """
    if col_narep is not None and not isinstance(separator, Column):
        raise ValueError("`col_narep` is given beside one separator, with which `narep` stands for nulls")
    separates = SeparatorOnNulls(separate_nulls) is SeparatorOnNulls.YES
    return _rust.concatenate(strings_columns, separator, narep, col_narep, separates, stream, mr)


def join_list_elements(
    lists_strings_column: Column,
    separator: Column | Scalar,
    separator_narep: Scalar,
    string_narep: Scalar,
    separate_nulls: SeparatorOnNulls,
    empty_list_policy: OutputIfEmptyList,
    stream: CudaStreamLike | None = None,
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
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return all texts as one, in a column of one row. Nulls are left out, or are ``narep``."""
    return _rust.join_strings(input, separator, narep, stream, mr)
