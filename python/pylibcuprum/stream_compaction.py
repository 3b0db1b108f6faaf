"""Keeping some rows: masks, rows without nulls or NaN, distinct rows.

Rows that are kept stay in their order. -0.0 equals 0.0; ``KEEP_ANY`` keeps the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _stream_compaction as _rust
from pylibcuprum.expressions import Expression
from pylibcuprum.types import NanEquality, NullEquality
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = [
    "DuplicateKeepOption",
    "apply_boolean_mask",
    "apply_deletion_mask",
    "distinct",
    "distinct_indices",
    "drop_nans",
    "drop_nulls",
    "filter",
    "stable_distinct",
    "unique",
]


class DuplicateKeepOption(IntEnum):
    """The row that is kept of several equal ones."""

    KEEP_ANY = 0
    KEEP_FIRST = 1
    KEEP_LAST = 2
    KEEP_NONE = 3


def drop_nulls(
    source_table: TableLike,
    keys: Sequence[int],
    keep_threshold: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table that have enough values among some columns.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Table whose rows are chosen.
    keys : sequence of int
        Numbers of the columns that are looked at; without any all rows are kept.
    keep_threshold : int
        Number of values that are not null among ``keys`` from which on a row is kept; ``len(keys)`` keeps
        rows without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows that are kept, in their order.

    Raises
    ------
    IndexError
        Where a key is no column.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([1, None, 3]), Column.from_iterable_of_py([None, None, "c"])]
    >>> [column.to_pylist() for column in drop_nulls(table, [0, 1], 1).columns()]
    [[1, 3], [None, 'c']]

    >>> [column.to_pylist() for column in drop_nulls(table, [0, 1], 2).columns()]
    [[3], ['c']]
    """
    return _rust.drop_nulls(source_table, keys, keep_threshold, stream, mr)


def drop_nans(
    source_table: TableLike,
    keys: Sequence[int],
    keep_threshold: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table that have enough values other than NaN among some columns.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Table whose rows are chosen.
    keys : sequence of int
        Numbers of columns of floats; without any all rows are kept.
    keep_threshold : int
        Number of values that are not NaN among ``keys`` from which on a row is kept. Null is not NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows that are kept, in their order.

    Raises
    ------
    TypeError
        Where a key is not of floats.
    IndexError
        Where a key is no column.

    Examples
    --------
    >>> drop_nans([Column.from_iterable_of_py([1.0, float("nan"), None])], [0], 1).columns()[0].to_pylist()
    [1.0, None]
    """
    return _rust.drop_nans(source_table, keys, keep_threshold, stream, mr)


def apply_boolean_mask(
    source_table: TableLike,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table for which a mask is true.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Table whose rows are chosen.
    boolean_mask : Column
        A boolean for each row; null counts as false.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows for which the mask is true, in their order.

    Raises
    ------
    TypeError
        Where the mask is not of booleans.
    RuntimeError
        Where the mask has another number of rows.

    Examples
    --------
    >>> mask = Column.from_iterable_of_py([True, None, False])
    >>> apply_boolean_mask([Column.from_iterable_of_py([1, 2, 3])], mask).columns()[0].to_pylist()
    [1]
    """
    return _rust.apply_boolean_mask(source_table, boolean_mask, stream, mr)


def apply_deletion_mask(
    source_table: TableLike,
    deletion_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table without those for which a mask is true.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Table whose rows are chosen.
    deletion_mask : Column
        A boolean for each row; null counts as false.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows for which the mask is false or null, in their order.

    Raises
    ------
    TypeError
        Where the mask is not of booleans.
    RuntimeError
        Where the mask has another number of rows.

    Examples
    --------
    >>> mask = Column.from_iterable_of_py([True, None, False])
    >>> apply_deletion_mask([Column.from_iterable_of_py([1, 2, 3])], mask).columns()[0].to_pylist()
    [2, 3]
    """
    return _rust.apply_deletion_mask(source_table, deletion_mask, stream, mr)


def unique(
    input: TableLike,
    keys: Sequence[int],
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return one row, or none, of each run of neighbours with equal keys.

    Parameters
    ----------
    input : Table or sequence of Column
        Table whose rows are chosen.
    keys : sequence of int
        Numbers of the columns that are compared; without any no row is kept.
    keep : DuplicateKeepOption
        Row that is kept of several equal ones: ``KEEP_FIRST``, ``KEEP_LAST``, ``KEEP_NONE`` or ``KEEP_ANY``
        (the first).
    nulls_equal : NullEquality
        Whether null equals null. With ``UNEQUAL`` a row with a null field of a struct equals no other either.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows that are kept, in their order. NaN equals NaN.

    Raises
    ------
    IndexError
        Where a key is no column.

    See Also
    --------
    distinct : Equal rows wherever they are.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([1, 1, 2, 1])]
    >>> unique(table, [0], DuplicateKeepOption.KEEP_FIRST, NullEquality.EQUAL).columns()[0].to_pylist()
    [1, 2, 1]
    """
    return _rust.unique(input, keys, keep, nulls_equal, stream, mr)


def distinct(
    input: TableLike,
    keys: Sequence[int],
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return one row, or none, of all rows with equal keys.

    Parameters
    ----------
    input : Table or sequence of Column
        Table whose rows are chosen.
    keys : sequence of int
        Numbers of the columns that are compared; without any no row is kept.
    keep : DuplicateKeepOption
        Row that is kept of several equal ones: ``KEEP_FIRST``, ``KEEP_LAST``, ``KEEP_NONE`` or ``KEEP_ANY``
        (the first).
    nulls_equal : NullEquality
        Whether null equals null. With ``UNEQUAL`` a row with a null field of a struct equals no other either.
    nans_equal : NanEquality
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows that are kept, in their order.

    Raises
    ------
    IndexError
        Where a key is no column.

    See Also
    --------
    unique : Runs of equal neighbours.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([2, 1, 2, 3])]
    >>> distinct(table, [0], DuplicateKeepOption.KEEP_NONE, 0, 0).columns()[0].to_pylist()
    [1, 3]

    >>> nulls = [Column.from_iterable_of_py([1, 1, None, None])]
    >>> rules = DuplicateKeepOption.KEEP_LAST, NullEquality.UNEQUAL, NanEquality.ALL_EQUAL
    >>> distinct(nulls, [0], *rules).columns()[0].to_pylist()
    [1, None, None]
    """
    return _rust.distinct(input, keys, keep, nulls_equal, nans_equal, stream, mr)


def distinct_indices(
    input: TableLike,
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the rows that `distinct` by all columns keeps.

    Parameters
    ----------
    input : Table or sequence of Column
        Table whose rows are compared.
    keep : DuplicateKeepOption
        Row that is kept of several equal ones: ``KEEP_FIRST``, ``KEEP_LAST``, ``KEEP_NONE`` or ``KEEP_ANY``
        (the first).
    nulls_equal : NullEquality
        Whether null equals null.
    nans_equal : NanEquality
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, row numbers in ascending order.

    Examples
    --------
    >>> rules = DuplicateKeepOption.KEEP_LAST, NullEquality.EQUAL, NanEquality.ALL_EQUAL
    >>> distinct_indices([Column.from_iterable_of_py([2, 1, 2, None])], *rules).to_pylist()
    [1, 2, 3]
    """
    return _rust.distinct_indices(input, keep, nulls_equal, nans_equal, stream, mr)


def filter(
    predicate_table: TableLike,
    predicate_expr: Expression,
    filter_table: TableLike,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table for which a formula over another table is true.

    Parameters
    ----------
    predicate_table : Table or sequence of Column
        Table that the formula is computed over.
    predicate_expr : Expression
        Formula with a boolean result, see `pylibcuprum.expressions`.
    filter_table : Table or sequence of Column
        Table whose rows are chosen, of as many rows; it may be ``predicate_table`` itself.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows of ``filter_table`` for which the formula is true, not false or null, in their order.

    Raises
    ------
    TypeError
        Where the formula does not give booleans.
    RuntimeError
        Where the tables differ in the number of rows.

    Examples
    --------
    >>> from pylibcuprum.expressions import to_expression
    >>> numbers = [Column.from_iterable_of_py([1, 5, None])]
    >>> names = [Column.from_iterable_of_py(["x", "y", "z"])]
    >>> filter(numbers, to_expression("a > 2", ("a",)), names).columns()[0].to_pylist()
    ['y']
    """
    return _rust.filter(predicate_table, predicate_expr, filter_table, stream, mr)


# Rows that are kept stay in their order.
stable_distinct = distinct
