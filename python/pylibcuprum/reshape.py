"""The same values in another shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Stream, Table
from cuprum._cuprum import _tables as _rust

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["interleave_columns", "tile"]


def interleave_columns(
    source_table: TableLike, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the values of the first row, then those of the second, and so on, as one column.

    Raises
    ------
    TypeError
        Where columns are not of one type.
    """
    return _rust.interleave_columns(source_table, stream, mr)


def tile(
    source_table: TableLike, count: int, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Table:
    """Return the whole table ``count`` times, one copy behind the other."""
    return _rust.tile(source_table, count, stream, mr)
