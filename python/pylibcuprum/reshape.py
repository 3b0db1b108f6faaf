"""The same values in another shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceBuffer, DeviceMemoryResource, Table
from cuprum._cuprum import _tables as _rust
from cuprum._cuprum import _to_array as _arrays
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["interleave_columns", "table_to_array", "tile"]


def interleave_columns(
    source_table: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the values of the first row, then those of the second, and so on, as one column.

    Parameters
    ----------
    source_table : Table or sequence of Column
        At least one column; all are of one type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows as the table has values.

    Raises
    ------
    TypeError
        Where columns are not of one type.
    ValueError
        For a table without columns.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([3, None])]
    >>> interleave_columns(table).to_pylist()
    [1, 3, 2, None]
    """
    return _rust.interleave_columns(source_table, stream, mr)


def tile(
    source_table: TableLike,
    count: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table several times, one copy of the whole table below the other.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Table that is repeated.
    count : int
        Number of copies, 0 or more.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        ``count`` times as many rows.

    Raises
    ------
    ValueError
        For a negative ``count``.

    See Also
    --------
    filling.repeat : The copies of each row next to each other.

    Examples
    --------
    >>> tile([Column.from_iterable_of_py([1, None])], 2).columns()[0].to_pylist()
    [1, None, 1, None]
    """
    return _rust.tile(source_table, count, stream, mr)


def table_to_array(
    input_table: TableLike, ptr: DeviceBuffer, size: int, stream: CudaStreamLike | None = None
) -> None:
    """Write the columns of a table one behind the other into a buffer.

    Parameters
    ----------
    input_table : Table or sequence of Column
        Columns of one fixed-width type, without nulls.
    ptr : DeviceBuffer
        Buffer of any device with room for the values.
    size : int
        Number of bytes of all values.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream whose work is done before the values are written.

    Returns
    -------
    None
        The values are in ``ptr`` once ``stream`` has done its work.

    Raises
    ------
    TypeError
        Where columns are not of one type of a fixed width, and for an address in place of a buffer.
    ValueError
        Where a column has nulls, there is none, or ``size`` is not that of the values.
    IndexError
        Where the buffer has fewer bytes.

    Notes
    -----
    pylibcudf takes an address. Here it is refused, as it says neither where its memory ends nor who keeps it.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> array = DeviceBuffer(size=6)
    >>> columns = [Column.from_iterable_of_py(v, DataType(TypeId.INT8)) for v in ([1, 2, 3], [4, 5, 6])]
    >>> table_to_array(Table(columns), array, 6)
    >>> list(array.tobytes())
    [1, 2, 3, 4, 5, 6]
    """
    return _arrays.table_to_array(input_table, ptr, size, stream)
