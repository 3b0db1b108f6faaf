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
    """Return the rows of tables that are sorted by their columns ``key_cols``, sorted; equal rows in table order.

    Raises
    ------
    ValueError
        Where a table is not sorted, and without tables or keys.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> tables = [[Column.from_iterable_of_py([1, 4])], [Column.from_iterable_of_py([2, 5])]]
    >>> merge(tables, [0], [Order.ASCENDING], [NullOrder.BEFORE]).columns()[0].to_pylist()
    [1, 2, 4, 5]
    """
    return _rust.merge(tables_to_merge, key_cols, column_order, null_precedence, stream, mr)
