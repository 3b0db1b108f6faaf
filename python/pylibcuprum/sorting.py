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
    """Return the row numbers of a table in sorted order.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Keys, most significant first.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, or INT64 where row numbers do not fit: a gather map of the sorted rows. Rows with equal keys
        stay in their order.

    Raises
    ------
    ValueError
        For orders or precedences of another number than there are keys.

    Examples
    --------
    >>> keys = [Column.from_iterable_of_py([3, None, 1])]
    >>> sorted_order(keys, [Order.ASCENDING], [NullOrder.AFTER]).to_pylist()
    [2, 0, 1]

    >>> sorted_order(keys, [Order.DESCENDING], [NullOrder.BEFORE]).to_pylist()
    [0, 2, 1]
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

    Parameters
    ----------
    input_view : Column
        Elements to rank.
    method : RankMethod
        Rank of equal elements: ``FIRST`` (by row), ``AVERAGE``, ``MIN``, ``MAX`` or ``DENSE`` (without gaps).
    column_order : Order
        Whether the smallest (``ASCENDING``) or the largest element has rank 1.
    null_handling : NullPolicy
        ``INCLUDE`` ranks nulls too; with ``EXCLUDE`` they have no rank.
    null_precedence : NullOrder
        Whether nulls are smaller (``BEFORE``) or larger (``AFTER``) than all values.
    percentage : bool
        Whether ranks are shares of the largest rank.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        FLOAT64 for ``AVERAGE`` and for shares, else INT32; null for nulls without a rank.

    Examples
    --------
    >>> from pylibcuprum.aggregation import RankMethod
    >>> scores = Column.from_iterable_of_py([10, 20, 10, None])
    >>> rules = Order.ASCENDING, NullPolicy.EXCLUDE, NullOrder.AFTER
    >>> rank(scores, RankMethod.MIN, *rules, False).to_pylist()
    [1, 3, 1, None]

    >>> rank(scores, RankMethod.DENSE, *rules, True).to_pylist()
    [0.5, 1.0, 0.5, None]
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
    """Return whether the rows of a table are in sorted order.

    Parameters
    ----------
    tbl : Table or sequence of Column
        Keys, most significant first.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    bool
        True where no row comes before its predecessor.

    Examples
    --------
    >>> is_sorted([Column.from_iterable_of_py([1, 1, None])], [Order.ASCENDING], [NullOrder.AFTER])
    True

    >>> is_sorted([Column.from_iterable_of_py([1, 1, None])], [], [])
    False
    """
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
    """Return the rows of a table with each segment of them sorted by keys.

    Parameters
    ----------
    values : Table or sequence of Column
        Rows that are sorted.
    keys : Table or sequence of Column
        Keys of the rows, most significant first.
    segment_offsets : Column
        Offsets that do not decrease: segment ``i`` is the rows from ``segment_offsets[i]`` up to
        ``segment_offsets[i + 1]``. Rows in no segment stay.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        As many rows as ``values``. Rows with equal keys stay in their order.

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
    """Return the rows of a table in the order of keys.

    Parameters
    ----------
    values : Table or sequence of Column
        Rows that are sorted.
    keys : Table or sequence of Column
        Keys of the rows, most significant first.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows of ``values``. Rows with equal keys stay in their order.

    Raises
    ------
    RuntimeError
        Where ``values`` and ``keys`` differ in the number of rows.
    ValueError
        For orders or precedences of another number than there are keys.

    Examples
    --------
    >>> names = [Column.from_iterable_of_py(["a", "b", "c"])]
    >>> keys = [Column.from_iterable_of_py([3, 1, None])]
    >>> sort_by_key(names, keys, [Order.ASCENDING], [NullOrder.AFTER]).columns()[0].to_pylist()
    ['b', 'a', 'c']

    >>> sort_by_key(names, keys, [], []).columns()[0].to_pylist()
    ['c', 'b', 'a']
    """
    return _rust.sort_by_key(values, keys, column_order, null_precedence, stream, mr)


def sort(
    source_table: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table sorted by all of its columns.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Rows that are sorted; the first column counts most.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The rows in order. Equal rows stay in their order.

    Raises
    ------
    ValueError
        For orders or precedences of another number than there are columns.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([3, None, 1])]
    >>> sort(table, [Order.DESCENDING], [NullOrder.BEFORE]).columns()[0].to_pylist()
    [3, 1, None]
    """
    return _rust.sort_by_key(source_table, source_table, column_order, null_precedence, stream, mr)


def top_k(
    col: Column,
    k: int,
    sort_order: Order = Order.DESCENDING,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the largest or smallest elements of a column, best first.

    Parameters
    ----------
    col : Column
        Elements to choose from.
    k : int
        Number of elements, 0 or more; all where there are fewer.
    sort_order : Order, default Order.DESCENDING
        ``DESCENDING`` for the largest elements, ``ASCENDING`` for the smallest.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        At most ``k`` elements in order. Nulls are taken only where there are too few values, at the end.

    Raises
    ------
    ValueError
        For a negative ``k``.

    Examples
    --------
    >>> top_k(Column.from_iterable_of_py([1, None, 5, 3]), 2).to_pylist()
    [5, 3]

    >>> top_k(Column.from_iterable_of_py([1, None, 5, 3]), 4, Order.ASCENDING).to_pylist()
    [1, 3, 5, None]
    """
    return _rust.top_k(col, k, sort_order, stream, mr)


def top_k_order(
    col: Column,
    k: int,
    sort_order: Order = Order.DESCENDING,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the row numbers of the largest or smallest elements of a column, best first.

    Parameters
    ----------
    col : Column
        Elements to choose from.
    k : int
        Number of elements, 0 or more; all where there are fewer.
    sort_order : Order, default Order.DESCENDING
        ``DESCENDING`` for the largest elements, ``ASCENDING`` for the smallest.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Row numbers of what `top_k` gives.

    Raises
    ------
    ValueError
        For a negative ``k``.

    Examples
    --------
    >>> top_k_order(Column.from_iterable_of_py([1, None, 5, 3]), 2).to_pylist()
    [2, 3]
    """
    return _rust.top_k_order(col, k, sort_order, stream, mr)


# Every sort is stable.
stable_sorted_order = sorted_order
stable_segmented_sort_by_key = segmented_sort_by_key
stable_sort_by_key = sort_by_key
stable_sort = sort
