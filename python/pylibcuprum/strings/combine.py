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
    """Return the texts of each row of a table as one, with a separator between them.

    Parameters
    ----------
    strings_columns : Table or sequence of Column
        At least one column of texts.
    separator : Column or Scalar
        One separator for all rows, or a column with one for each.
    narep : Scalar, optional
        What stands for nulls; with a column of separators for null separators. Where it is null itself, so is
        the row. By default nulls count as empty texts.
    col_narep : Scalar, optional
        What stands for nulls beside a column of separators. Where it is null itself, so is the row.
    separate_nulls : SeparatorOnNulls, default SeparatorOnNulls.YES
        With ``NO`` no separator stands beside a null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A text for each row.

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

    >>> concatenate(columns, Scalar.from_py("-"), separate_nulls=SeparatorOnNulls.NO).to_pylist()
    ['a-b', 'c']
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
    """Return the texts of each list as one, with a separator between them.

    Parameters
    ----------
    lists_strings_column : Column
        Lists of texts.
    separator : Column or Scalar
        One separator for all lists, or a column with one for each.
    separator_narep : Scalar
        What stands for null separators; where it is null, so is the row.
    string_narep : Scalar
        What stands for null elements; where it is null, so are lists with a null.
    separate_nulls : SeparatorOnNulls
        With ``NO`` no separator stands beside a null.
    empty_list_policy : OutputIfEmptyList
        Result for an empty list: ``EMPTY_STRING`` or ``NULL_ELEMENT``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A text for each list, null where the list is null.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> lists = Column.from_iterable_of_py([["a", "b"], ["c", None], []])
    >>> null = Scalar.from_py(None, DataType(TypeId.STRING))
    >>> rules = SeparatorOnNulls.YES, OutputIfEmptyList.EMPTY_STRING
    >>> join_list_elements(lists, Scalar.from_py("-"), null, null, *rules).to_pylist()
    ['a-b', None, '']

    >>> join_list_elements(lists, Scalar.from_py("-"), null, Scalar.from_py("?"), *rules).to_pylist()
    ['a-b', 'c-?', '']
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
    """Return all texts of a column as one, with a separator between them.

    Parameters
    ----------
    input : Column
        Texts.
    separator : Scalar
        Text between neighbours.
    narep : Scalar
        What stands for nulls; with a null they are left out.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column of one row.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> texts, comma = Column.from_iterable_of_py(["a", None, "b"]), Scalar.from_py(",")
    >>> join_strings(texts, comma, Scalar.from_py("?")).to_pylist()
    ['a,?,b']

    >>> join_strings(texts, comma, Scalar.from_py(None, DataType(TypeId.STRING))).to_pylist()
    ['a,b']
    """
    return _rust.join_strings(input, separator, narep, stream, mr)
