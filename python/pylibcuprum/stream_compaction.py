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
    """Return the rows with at least ``keep_threshold`` values among the columns ``keys``; all without keys.

    Raises
    ------
    IndexError
        Where a key is no column.
    """
    return _rust.drop_nulls(source_table, keys, keep_threshold, stream, mr)


def drop_nans(
    source_table: TableLike,
    keys: Sequence[int],
    keep_threshold: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows with at least ``keep_threshold`` values that are not NaN among the columns ``keys``.

    All rows without keys.

    Raises
    ------
    TypeError
        Where a key is not of floats.
    """
    return _rust.drop_nans(source_table, keys, keep_threshold, stream, mr)


def apply_boolean_mask(
    source_table: TableLike,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows for which the mask is true, not false or null.

    Raises
    ------
    TypeError
        Where the mask is not of booleans.
    RuntimeError
        Where it has another number of rows.
    """
    return _rust.apply_boolean_mask(source_table, boolean_mask, stream, mr)


def apply_deletion_mask(
    source_table: TableLike,
    deletion_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows for which the mask is false or null."""
    return _rust.apply_deletion_mask(source_table, deletion_mask, stream, mr)


def unique(
    input: TableLike,
    keys: Sequence[int],
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows that are kept of each run of neighbours with equal ``keys``; none without keys.

    NaN equals NaN. With unequal nulls a row with a null field of a struct equals no other either.
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
    """Return the rows that are kept of those with equal ``keys``; none without keys.

    With unequal nulls a row with a null field of a struct equals no other either.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([2, 1, 2, 3])]
    >>> distinct(table, [0], DuplicateKeepOption.KEEP_NONE, 0, 0).columns()[0].to_pylist()
    [1, 3]
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
    """Return the numbers of the rows that `distinct` by all columns keeps (INT32)."""
    return _rust.distinct_indices(input, keep, nulls_equal, nans_equal, stream, mr)


def filter(
    predicate_table: TableLike,
    predicate_expr: Expression,
    filter_table: TableLike,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of ``filter_table`` for which the formula over ``predicate_table`` is true."""
    return _rust.filter(predicate_table, predicate_expr, filter_table, stream, mr)


# Rows that are kept stay in their order.
stable_distinct = distinct
