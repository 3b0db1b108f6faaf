"""Sorted tables as one sorted table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import DeviceMemoryResource, Table
from cuprum._cuprum import _merge as _rust
from pylibcuprum.types import NullOrder, Order
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["merge"]


def merge(
    tables_to_merge: Sequence[TableLike],
    key_cols: Sequence[int],
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of several sorted tables as one sorted table.

    Parameters
    ----------
    tables_to_merge : sequence of Table or of sequences of Column
        At least one table; all have the same types and are sorted by their keys.
    key_cols : sequence of int
        Numbers of the columns that the tables are sorted by, at least one.
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
        All rows in order; rows with equal keys in the order of the tables.

    Raises
    ------
    ValueError
        Where a table is not sorted, and without tables or keys.
    TypeError
        Where the types of the tables differ.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> tables = [[Column.from_iterable_of_py([1, 4])], [Column.from_iterable_of_py([2, 5])]]
    >>> merge(tables, [0], [Order.ASCENDING], [NullOrder.BEFORE]).columns()[0].to_pylist()
    [1, 2, 4, 5]
    """
    return _rust.merge(tables_to_merge, key_cols, column_order, null_precedence, stream, mr)
