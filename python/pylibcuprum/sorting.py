"""Sorting rows: order, sorted tables, segments, ranks, top values.

Values are in the order of numbers, times, bytes of text and fields of structs; -0.0 equals 0.0, NaN is larger
than every other number. With ``NullOrder.BEFORE`` nulls are smaller than all values, so that they come last
where the order descends; with ``AFTER`` larger. Every sort is stable. Results do not depend on threads.

Examples
--------
>>> keys = [Column.from_iterable_of_py([3, None, 1])]
>>> sorted_order(keys, [Order.ASCENDING], [NullOrder.AFTER]).to_pylist()
[2, 0, 1]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _sorting as _rust
from pylibcuprum.aggregation import RankMethod
from pylibcuprum.types import NullOrder, NullPolicy, Order
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = [
    "is_sorted",
    "rank",
    "segmented_sort_by_key",
    "sort",
    "sort_by_key",
    "sorted_order",
    "stable_segmented_sort_by_key",
    "stable_sort",
    "stable_sort_by_key",
    "stable_sorted_order",
    "top_k",
    "top_k_order",
]


def sorted_order(
    source_table: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the row numbers in sorted order (INT32, or INT64 where they do not fit).

    ``column_order`` and ``null_precedence`` have an entry for every key; where they are empty, every key ascends
    and nulls are smaller than all values.

    Raises
    ------
    ValueError
        For orders or precedences of another number than there are keys.
    """
    return _rust.sorted_order(source_table, column_order, null_precedence, stream, mr)


def rank(
    input_view: Column,
    method: RankMethod,
    column_order: Order,
    null_handling: NullPolicy,
    null_precedence: NullOrder,
    percentage: bool,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the place of each element in the order of all, from 1.

    FLOAT64 for ``AVERAGE`` and for percentages, which are shares of the largest rank; else INT32. With
    ``NullPolicy.EXCLUDE`` nulls have no rank.
    """
    return _rust.rank(
        input_view, method, column_order, null_handling, null_precedence, percentage, stream, mr
    )


def is_sorted(
    tbl: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
) -> bool:
    """Return whether no row comes before its predecessor."""
    return _rust.is_sorted(tbl, column_order, null_precedence, stream)


def segmented_sort_by_key(
    values: TableLike,
    keys: TableLike,
    segment_offsets: Column,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of ``values`` with every segment in the order of its keys.

    Segment ``i`` is the rows from ``segment_offsets[i]`` up to ``segment_offsets[i + 1]``; rows in none stay.

    Raises
    ------
    IndexError
        For an offset that is no row.
    ValueError
        For offsets that decrease or are null.

    Examples
    --------
    >>> table, offsets = [Column.from_iterable_of_py([3, 1, 2, 0])], Column.from_iterable_of_py([0, 2, 4])
    >>> segmented_sort_by_key(table, table, offsets, [], []).columns()[0].to_pylist()
    [1, 3, 0, 2]
    """
    return _rust.segmented_sort_by_key(
        values, keys, segment_offsets, column_order, null_precedence, stream, mr
    )


def sort_by_key(
    values: TableLike,
    keys: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of ``values`` in the order of ``keys``.

    ``column_order`` and ``null_precedence`` have an entry for every key; where they are empty, every key ascends
    and nulls are smaller than all values.
    """
    return _rust.sort_by_key(values, keys, column_order, null_precedence, stream, mr)


def sort(
    source_table: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows in the order of all columns.

    ``column_order`` and ``null_precedence`` have an entry for every key; where they are empty, every key ascends
    and nulls are smaller than all values.
    """
    return _rust.sort_by_key(source_table, source_table, column_order, null_precedence, stream, mr)


def top_k(
    col: Column,
    k: int,
    sort_order: Order = Order.DESCENDING,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the ``k`` largest (or smallest) elements, best first; nulls only where there are too few values."""
    return _rust.top_k(col, k, sort_order, stream, mr)


def top_k_order(
    col: Column,
    k: int,
    sort_order: Order = Order.DESCENDING,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the row numbers of what `top_k` gives."""
    return _rust.top_k_order(col, k, sort_order, stream, mr)


# Every sort is stable.
stable_sorted_order = sorted_order
stable_segmented_sort_by_key = segmented_sort_by_key
stable_sort_by_key = sort_by_key
stable_sort = sort
