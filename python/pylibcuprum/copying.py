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
    """Return the rows of a table that a column of row numbers names, in that order.

    Parameters
    ----------
    source_table : Table or sequence of Column
        Table whose rows are taken.
    gather_map : Column
        Row numbers of any integer type; negative ones count from the end, a null gives a null row.
    bounds_policy : OutOfBoundsPolicy
        ``NULLIFY`` gives a null row for a number out of bounds, ``DONT_CHECK`` an IndexError.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A row for each element of ``gather_map``, with the columns of ``source_table``.

    Raises
    ------
    IndexError
        For a row number out of bounds, unless ``bounds_policy`` is ``NULLIFY``.
    TypeError
        Where ``gather_map`` is not of integers.

    Examples
    --------
    >>> table = Table([Column.from_iterable_of_py(["a", "b", "c"])])
    >>> rows = Column.from_iterable_of_py([2, -2, 7])
    >>> gather(table, rows, OutOfBoundsPolicy.NULLIFY).columns()[0].to_arrow().to_pylist()
    ['c', 'b', None]

    >>> rows = Column.from_iterable_of_py([None, 0])
    >>> gather(table, rows, OutOfBoundsPolicy.DONT_CHECK).columns()[0].to_pylist()
    [None, 'a']
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

    Parameters
    ----------
    source : Table, sequence of Column or list of Scalar
        Rows that are written; a list with a scalar for each column replaces every row of the map.
    scatter_map : Column
        Row numbers of any integer type, without nulls; negative ones count from the end. Of several rows for
        one place the last one wins.
    target_table : Table or sequence of Column
        Table that the rows go to, with columns of the same types; it stays as it is.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        As many rows as ``target_table``.

    Raises
    ------
    IndexError
        Where the map has a number that is no row of the target.
    ValueError
        Where the map has nulls, or another number of rows than ``source``.
    TypeError
        Where columns of source and target differ in type.

    Examples
    --------
    >>> source = Table([Column.from_iterable_of_py([10, 20])])
    >>> target = Table([Column.from_iterable_of_py([1, 2, 3])])
    >>> scatter(source, Column.from_iterable_of_py([-1, 0]), target).columns()[0].to_arrow().to_pylist()
    [20, 2, 10]

    >>> scatter([Scalar.from_py(0)], Column.from_iterable_of_py([1, 2]), target).columns()[0].to_pylist()
    [1, 0, 0]
    """
    return _rust.scatter(source, scatter_map, target_table, stream, mr)


def boolean_mask_scatter(
    input: TableLike | list[Scalar],
    target: TableLike,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return ``target`` with the rows where a mask is true replaced by those of ``input``, in order.

    Parameters
    ----------
    input : Table, sequence of Column or list of Scalar
        Rows that are written, at least as many as the mask has true ones; a list with a scalar for each
        column replaces all of these rows.
    target : Table or sequence of Column
        Table that the rows go to, with columns of the same types; it stays as it is.
    boolean_mask : Column
        A boolean for each row of ``target``; null counts as false.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        As many rows as ``target``.

    Raises
    ------
    ValueError
        Where ``input`` has fewer rows than the mask has true ones, or the mask has another length than
        ``target``.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, 2, 3]), Column.from_iterable_of_py([7, 8])
    >>> mask = Column.from_iterable_of_py([True, False, True])
    >>> boolean_mask_scatter([b], [a], mask).columns()[0].to_arrow().to_pylist()
    [7, 2, 8]

    >>> mask = Column.from_iterable_of_py([None, True, False])
    >>> boolean_mask_scatter([Scalar.from_py(0)], [a], mask).columns()[0].to_pylist()
    [1, 0, 3]
    """
    return _rust.boolean_mask_scatter(input, target, boolean_mask, stream, mr)


def copy_if_else(
    lhs: Column | Scalar,
    rhs: Column | Scalar,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each row the value of ``lhs`` where a mask is true, and that of ``rhs`` elsewhere.

    Parameters
    ----------
    lhs : Column or Scalar
        Values where the mask is true; a scalar stands for all rows.
    rhs : Column or Scalar
        Values where the mask is false or null, of the type of ``lhs``.
    boolean_mask : Column
        A boolean for each row.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows as the mask. Nulls of the chosen side stay null.

    Raises
    ------
    TypeError
        Where both sides differ in type.
    ValueError
        Where a column has another number of rows than the mask.

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

    Parameters
    ----------
    input : Column or Table
        What the types are taken from.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: nothing is allocated.
    mr : DeviceMemoryResource, optional
        Of no effect: nothing is allocated.

    Returns
    -------
    Column or Table
        The same kind as ``input``, with 0 rows and the types inside of nested columns.

    Examples
    --------
    >>> empty_like(Column.from_iterable_of_py([[1, 2]])).to_arrow().type
    ListType(list<item: int64>)

    >>> empty_like(Table([Column.from_iterable_of_py(["a"])])).shape()
    (0, 1)
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
    """Return a new column of zeros of the type of another one.

    Parameters
    ----------
    input_column : Column
        Column of a fixed-width type.
    policy : MaskAllocationPolicy
        Of no effect: columns without nulls have no mask.
    size : int, optional
        Number of rows; that of ``input_column`` by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column without nulls, whose values nobody is to rely on.

    Raises
    ------
    TypeError
        For texts, lists, structs and dictionaries.

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
    """Return a column with some rows replaced by a range of rows of another column.

    Parameters
    ----------
    input_column : Column
        Column that the rows are taken from.
    target_column : Column
        Column that the rows go to, of the same type; it stays as it is.
    input_begin : int
        First row that is taken.
    input_end : int
        Row behind the last one that is taken.
    target_begin : int
        Row that the first one goes to.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows as ``target_column``.

    Raises
    ------
    IndexError
        Where a range leaves its column.
    TypeError
        Where both columns differ in type.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, 2, 3]), Column.from_iterable_of_py([7, 8, 9])
    >>> copy_range(a, b, 1, 3, 0).to_arrow().to_pylist()
    [2, 3, 9]
    """
    arguments = (input_column, target_column, input_begin, input_end, target_begin)
    return _rust.copy_range(*arguments, stream, mr)


def copy_range_in_place(
    input_column: Column,
    target_column: Column,
    input_begin: int,
    input_end: int,
    target_begin: int,
    stream: CudaStreamLike | None = None,
) -> Column:
    """Copy a range of rows into another column of a fixed width, in place.

    Parameters
    ----------
    input_column : Column
        Column that the rows are taken from.
    target_column : Column
        Column that the rows go to, of the same fixed-width type. It changes.
    input_begin : int
        First row that is taken.
    input_end : int
        Row behind the last one that is taken.
    target_begin : int
        Row that the first one goes to.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    Column
        ``target_column`` itself.

    Raises
    ------
    IndexError
        Where a range leaves its column.
    TypeError
        For texts, lists and structs, and where both columns differ in type.

    Notes
    -----
    Where ``target_column`` shares its memory with other columns, frames or libraries, it gets memory of its own
    first: they keep their rows.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, 2, 3]), Column.from_iterable_of_py([7, 8, 9])
    >>> copy_range_in_place(a, b, 0, 1, 2) is b
    True
    >>> b.to_pylist()
    [7, 8, 1]
    """
    arguments = (input_column, target_column, input_begin, input_end, target_begin)
    return _rust.copy_range_in_place(*arguments, stream)


def shift(
    input: Column,
    offset: int,
    fill_value: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the rows moved down by ``offset`` rows, with free rows filled.

    Parameters
    ----------
    input : Column
        Column whose rows are moved.
    offset : int
        Number of rows to move down; up where it is negative.
    fill_value : Scalar
        Value of the free rows, of the type of the column; it may be null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows as ``input``.

    Raises
    ------
    TypeError
        Where ``fill_value`` is of another type.

    Examples
    --------
    >>> shift(Column.from_iterable_of_py([1, 2, 3]), 1, Scalar.from_py(0)).to_arrow().to_pylist()
    [0, 1, 2]

    >>> from pylibcuprum import DataType, TypeId
    >>> null = Scalar.from_py(None, DataType(TypeId.INT64))
    >>> shift(Column.from_iterable_of_py([1, 2, 3]), -1, null).to_pylist()
    [2, 3, None]
    """
    return _rust.shift(input, offset, fill_value, stream, mr)


def slice(
    input: ColumnOrTable, indices: Sequence[int], stream: CudaStreamLike | None = None
) -> list[ColumnOrTable]:
    """Return ranges of rows of a column or table, which share its memory.

    Parameters
    ----------
    input : Column or Table
        What the rows are taken from.
    indices : sequence of int
        Pairs of a first row and the row behind the last one; ranges may overlap.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect, as nothing is copied.

    Returns
    -------
    list of Column or list of Table
        One part for each pair, in the order of the pairs.

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
    """Return a column or table cut into parts, which share its memory.

    Parameters
    ----------
    input : Column or Table
        The column or table to cut.
    splits : sequence of int
        Row numbers that do not decrease; there is a cut before each.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect, as nothing is copied.

    Returns
    -------
    list of Column or list of Table
        One part more than ``splits`` has elements.

    Raises
    ------
    IndexError
        For a split beyond the last row.
    ValueError
        Where splits decrease.

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
    """Return one row of a column as a scalar.

    Parameters
    ----------
    input_column : Column
        Column that the value is taken from.
    index : int
        Row number, from 0.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: scalars live on the host.
    mr : DeviceMemoryResource, optional
        Of no effect, as ``stream``.

    Returns
    -------
    Scalar
        The value, a null one for a null row.

    Raises
    ------
    IndexError
        For a row that there is not; negative ones do not count from the end.

    Examples
    --------
    >>> get_element(Column.from_iterable_of_py([1, None]), 0).to_py()
    1

    >>> get_element(Column.from_iterable_of_py([1, None]), 1).is_valid()
    False
    """
    # Scalars live on the host.
    return _rust.get_element(input_column, index)
