"""Rows as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import DeviceMemoryResource, Table
from cuprum._cuprum import _tables as _rust
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["transpose"]


def transpose(
    input_table: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Table:
    """Return the rows as columns, which are of one type.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> table = [Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([3, 4])]
    >>> [column.to_pylist() for column in transpose(table).columns()]
    [[1, 3], [2, 4]]
    """
    return _rust.transpose(input_table, stream, mr)
