"""Moving rows: gather, scatter, choices between columns, and whole ranges of rows.

A gather map is a column of row numbers: row ``i`` of the result is row ``map[i]`` of the input. A scatter
map says the opposite: row ``i`` of the source goes to row ``map[i]`` of the result. Maps are of any integer
type; numbers below 0 count from the end.

Columns of every type are moved, with all that is inside, and nulls like values. Tables may be given as
sequences of columns. The inputs stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Table
from cuprum._cuprum import _copying as _rust
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = [
    "MaskAllocationPolicy",
    "OutOfBoundsPolicy",
    "allocate_like",
    "boolean_mask_scatter",
    "copy_if_else",
    "copy_range",
    "copy_range_in_place",
    "empty_like",
    "gather",
    "get_element",
    "scatter",
    "shift",
    "slice",
    "split",
]

ColumnOrTable = TypeVar("ColumnOrTable", Column, Table)


class OutOfBoundsPolicy(IntEnum):
    """The treatment of row numbers out of bounds."""

    NULLIFY = 0
    """A null row."""
    DONT_CHECK = 1
    """An IndexError: it is looked for all the same, since that costs little."""


class MaskAllocationPolicy(IntEnum):
    """Whether a new column gets a mask."""

    NEVER = 0
    """No mask."""
    RETAIN = 1
    """A mask if the other column has one."""
    ALWAYS = 2
    """A mask."""


def gather(
    source_table: TableLike,
    gather_map: Column,
    bounds_policy: OutOfBoundsPolicy,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows ``gather_map`` of a table; a null in the map gives a null row.

    Examples
    --------
    >>> table = Table([Column.from_iterable_of_py(["a", "b", "c"])])
    >>> rows = Column.from_iterable_of_py([2, -2, 7])
    >>> gather(table, rows, OutOfBoundsPolicy.NULLIFY).columns()[0].to_arrow().to_pylist()
    ['c', 'b', None]
    """
    nullify = OutOfBoundsPolicy(bounds_policy) is OutOfBoundsPolicy.NULLIFY
    return _rust.gather(source_table, gather_map, nullify, stream, mr)


def scatter(
    source: TableLike | list[Scalar],
    scatter_map: Column,
    target_table: TableLike,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return ``target_table`` with row ``scatter_map[i]`` replaced by row ``i`` of ``source``.

    Where several go to one row the last one wins. A list of scalars, one for each column, replaces every
    row of the map.

    Raises
    ------
    IndexError
        Where the map has a number that is no row of the target.
    ValueError
        Where the map has nulls.

    Examples
    --------
    >>> source = Table([Column.from_iterable_of_py([10, 20])])
    >>> target = Table([Column.from_iterable_of_py([1, 2, 3])])
    >>> scatter(source, Column.from_iterable_of_py([-1, 0]), target).columns()[0].to_arrow().to_pylist()
    [20, 2, 10]
    """
    return _rust.scatter(source, scatter_map, target_table, stream, mr)


def boolean_mask_scatter(
    input: TableLike | list[Scalar],
    target: TableLike,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return ``target`` with the rows where the mask is true replaced by those of ``input``, in order.

    A list of scalars, one for each column, replaces all of these rows. A null in the mask is false.

    Raises
    ------
    ValueError
        Where ``input`` has fewer rows than the mask has true ones.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, 2, 3]), Column.from_iterable_of_py([7, 8])
    >>> mask = Column.from_iterable_of_py([True, False, True])
    >>> boolean_mask_scatter([b], [a], mask).columns()[0].to_arrow().to_pylist()
    [7, 2, 8]
    """
    return _rust.boolean_mask_scatter(input, target, boolean_mask, stream, mr)


def copy_if_else(
    lhs: Column | Scalar,
    rhs: Column | Scalar,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return row by row ``lhs`` where the mask is true, ``rhs`` where it is false or null.

    Examples
    --------
    >>> mask = Column.from_iterable_of_py([True, False, None])
    >>> copy_if_else(Column.from_iterable_of_py([1, 2, 3]), Scalar.from_py(0), mask).to_arrow().to_pylist()
    [1, 0, 0]
    """
    return _rust.copy_if_else(lhs, rhs, boolean_mask, stream, mr)


def empty_like(
    input: ColumnOrTable, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> ColumnOrTable:
    """Return a column or table of the same types without rows.

    Examples
    --------
    >>> empty_like(Column.from_iterable_of_py([[1, 2]])).to_arrow().type
    ListType(list<item: int64>)
    """
    # Nothing is allocated, so nothing is given to a stream.
    return _rust.empty_like(input)


def allocate_like(
    input_column: Column,
    policy: MaskAllocationPolicy,
    size: int | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of ``size`` zeros of the same fixed-width type, all valid.

    Examples
    --------
    >>> allocate_like(Column.from_iterable_of_py([1.5]), MaskAllocationPolicy.NEVER, 2).to_arrow().to_pylist()
    [0.0, 0.0]
    """
    return _rust.allocate_like(input_column, MaskAllocationPolicy(policy), size, stream, mr)


def copy_range(
    input_column: Column,
    target_column: Column,
    input_begin: int,
    input_end: int,
    target_begin: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return ``target_column`` with the rows from ``target_begin`` on replaced by a range of the input.

    Raises
    ------
    IndexError
        Where a range leaves its column.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, 2, 3]), Column.from_iterable_of_py([7, 8, 9])
    >>> copy_range(a, b, 1, 3, 0).to_arrow().to_pylist()
    [2, 3, 9]
    """
    arguments = (input_column, target_column, input_begin, input_end, target_begin)
    return _rust.copy_range(*arguments, False, stream, mr)


def copy_range_in_place(
    input_column: Column,
    target_column: Column,
    input_begin: int,
    input_end: int,
    target_begin: int,
    stream: CudaStreamLike | None = None,
) -> Column:
    """Return what `copy_range` does, for columns of a fixed width alone.

    Columns never change here: others may share their memory. Take the one that is returned.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, 2, 3]), Column.from_iterable_of_py([7, 8, 9])
    >>> copy_range_in_place(a, b, 0, 1, 2).to_arrow().to_pylist()
    [7, 8, 1]
    """
    arguments = (input_column, target_column, input_begin, input_end, target_begin)
    return _rust.copy_range(*arguments, True, stream)


def shift(
    input: Column,
    offset: int,
    fill_value: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the rows moved down by ``offset`` (up, where it is negative); the free ones are filled.

    Examples
    --------
    >>> shift(Column.from_iterable_of_py([1, 2, 3]), 1, Scalar.from_py(0)).to_arrow().to_pylist()
    [0, 1, 2]
    """
    return _rust.shift(input, offset, fill_value, stream, mr)


def slice(
    input: ColumnOrTable, indices: Sequence[int], stream: CudaStreamLike | None = None
) -> list[ColumnOrTable]:
    """Return the rows ``[indices[0], indices[1])``, ``[indices[2], indices[3])``, …, sharing memory.

    Raises
    ------
    IndexError
        Where a range leaves the rows.
    ValueError
        Where the number of indices is odd, or a range ends before it begins.

    Examples
    --------
    >>> parts = slice(Column.from_iterable_of_py([10, 12, 14, 16]), [1, 3, 0, 1])
    >>> [part.to_arrow().to_pylist() for part in parts]
    [[12, 14], [10]]
    """
    return _rust.slice(input, indices)


def split(
    input: ColumnOrTable, splits: Sequence[int], stream: CudaStreamLike | None = None
) -> list[ColumnOrTable]:
    """Return the rows cut before each of the rows ``splits``: one part more than splits, sharing memory.

    Examples
    --------
    >>> parts = split(Column.from_iterable_of_py([10, 12, 14, 16]), [1, 3])
    >>> [part.to_arrow().to_pylist() for part in parts]
    [[10], [12, 14], [16]]
    """
    return _rust.split(input, splits)


def get_element(
    input_column: Column,
    index: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Scalar:
    """Return one row as a scalar.

    Examples
    --------
    >>> get_element(Column.from_iterable_of_py([1, None]), 0).to_py()
    1
    """
    # Scalars live on the host.
    return _rust.get_element(input_column, index)
