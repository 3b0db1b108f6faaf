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
    """Return the rows of a table as columns.

    Parameters
    ----------
    input_table : Table or sequence of Column
        Columns of one type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each row and a row for each column of ``input_table``.

    Raises
    ------
    TypeError
        Where columns are of different types.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> table = [Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([3, 4])]
    >>> [column.to_pylist() for column in transpose(table).columns()]
    [[1, 3], [2, 4]]
    """
    return _rust.transpose(input_table, stream, mr)
