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

    Raises
    ------
    TypeError
        Where columns are not of one type.
    """
    return _rust.interleave_columns(source_table, stream, mr)


def tile(
    source_table: TableLike,
    count: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the whole table ``count`` times, one copy behind the other."""
    return _rust.tile(source_table, count, stream, mr)


def table_to_array(
    input_table: TableLike, ptr: DeviceBuffer, size: int, stream: CudaStreamLike | None = None
) -> None:
    """Write the columns one behind the other, ``size`` bytes together, once ``stream`` has done what it was given.

    ``ptr`` is a DeviceBuffer of any device with room for them; an address, which pylibcudf takes, is a TypeError:
    it says neither where its memory ends nor who keeps it.

    Raises
    ------
    TypeError
        Where columns are not of one type of a fixed width.
    ValueError
        Where a column has nulls, there is none, or ``size`` is not that of the values.
    IndexError
        Where the buffer has fewer bytes.

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
