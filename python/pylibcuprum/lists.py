"""Lists, row by row: their elements as rows, one or some of them, found, sorted, made distinct, combined.

A column of lists gives a row for each of its rows; `explode_outer` and its like give one for each element. A
null list gives a null row. Finding, sorting and sets are for elements that are no lists or structs themselves.
The inputs stay as they are.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Table
from cuprum._cuprum import _lists as _rust
from pylibcuprum.copying import OutOfBoundsPolicy
from pylibcuprum.types import NanEquality, NullEquality, NullOrder, Order
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = [
    "ConcatenateNullPolicy",
    "DuplicateFindOption",
    "apply_boolean_mask",
    "apply_deletion_mask",
    "concatenate_list_elements",
    "concatenate_rows",
    "contains",
    "contains_nulls",
    "count_elements",
    "difference_distinct",
    "distinct",
    "explode",
    "explode_outer",
    "explode_outer_position",
    "explode_position",
    "extract_list_element",
    "have_overlap",
    "index_of",
    "intersect_distinct",
    "reverse",
    "segmented_gather",
    "sequences",
    "sort_lists",
    "union_distinct",
]


class ConcatenateNullPolicy(IntEnum):
    """The result of concatenating lists where one is null."""

    IGNORE = 0
    """It is left out; where all are null, so is the result."""
    NULLIFY_OUTPUT_ROW = 1
    """A null row."""


class DuplicateFindOption(IntEnum):
    """The position that is returned of several equal elements."""

    FIND_FIRST = 0
    """The first."""
    FIND_LAST = 1
    """The last."""


def explode(
    input: TableLike,
    explode_column_idx: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return a row for each element of the lists in a column, beside it the other columns of the list's row.

    Rows whose list is empty or null are left out.

    Raises
    ------
    IndexError
        Where there is no such column.
    TypeError
        Where it is not of lists.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([[1, 2], [], [3]]), Column.from_iterable_of_py(["a", "b", "c"])]
    >>> [column.to_arrow().to_pylist() for column in explode(table, 0).columns()]
    [[1, 2, 3], ['a', 'a', 'c']]
    """
    return _rust.explode(input, explode_column_idx, stream, mr)


def explode_outer(
    input: TableLike,
    explode_column_idx: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return what `explode` does, with a null element for rows whose list is empty or null.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([[1, 2], [], [3]]), Column.from_iterable_of_py(["a", "b", "c"])]
    >>> [column.to_arrow().to_pylist() for column in explode_outer(table, 0).columns()]
    [[1, 2, None, 3], ['a', 'a', 'b', 'c']]
    """
    return _rust.explode_outer(input, explode_column_idx, stream, mr)


def explode_position(
    input: TableLike,
    explode_column_idx: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return what `explode` does, before the elements a column with their positions in their lists (INT32)."""
    return _rust.explode_position(input, explode_column_idx, stream, mr)


def explode_outer_position(
    input: TableLike,
    explode_column_idx: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return what `explode_outer` does with positions, null where there is no element."""
    return _rust.explode_outer_position(input, explode_column_idx, stream, mr)


def concatenate_rows(
    input: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the lists of each row of a table, one column's after the other's, as one list.

    Null lists are left out; the result is null where all are.

    Examples
    --------
    >>> lists = [Column.from_iterable_of_py([[1, 2], [3]]), Column.from_iterable_of_py([[4], [5, 6]])]
    >>> concatenate_rows(lists).to_arrow().to_pylist()
    [[1, 2, 4], [3, 5, 6]]
    """
    return _rust.concatenate_rows(input, stream, mr)


def concatenate_list_elements(
    input: Column,
    null_policy: ConcatenateNullPolicy,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of the lists in each list, one inner list's after the other's.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[[1, 2], [3]], [[4]]])
    >>> concatenate_list_elements(lists, ConcatenateNullPolicy.IGNORE).to_arrow().to_pylist()
    [[1, 2, 3], [4]]
    """
    nullify = ConcatenateNullPolicy(null_policy) is ConcatenateNullPolicy.NULLIFY_OUTPUT_ROW
    return _rust.concatenate_list_elements(input, nullify, stream, mr)


def contains(
    input: Column,
    search_key: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each list has an element equal to a scalar, or to the row of a column.

    Null where the list or its key is null. NaN equals NaN, a null element equals nothing.

    Raises
    ------
    TypeError
        Where the key is not of the type of the elements.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[1, 2], [3]])
    >>> contains(lists, Column.from_iterable_of_py([2, 2])).to_arrow().to_pylist()
    [True, False]
    """
    return _rust.contains(input, search_key, stream, mr)


def contains_nulls(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each list has a null element; null where the list is null."""
    return _rust.contains_nulls(input, stream, mr)


def index_of(
    input: Column,
    search_key: Column | Scalar,
    find_option: DuplicateFindOption,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position (INT32) of the first or last element of each list that is equal to its key.

    −1 where there is none, null where the list or its key is null.

    Examples
    --------
    >>> lists, keys = Column.from_iterable_of_py([[1, 2, 1], [3]]), Column.from_iterable_of_py([1, 2])
    >>> index_of(lists, keys, DuplicateFindOption.FIND_LAST).to_arrow().to_pylist()
    [2, -1]
    """
    last = DuplicateFindOption(find_option) is DuplicateFindOption.FIND_LAST
    return _rust.index_of(input, search_key, last, stream, mr)


def reverse(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the elements of each list from the last to the first."""
    return _rust.reverse(input, stream, mr)


def segmented_gather(
    input: Column,
    gather_map_list: Column,
    bounds_policy: OutOfBoundsPolicy = OutOfBoundsPolicy.DONT_CHECK,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list at the positions that a list of ``gather_map_list`` has for it.

    Positions below 0 count from the end, a null one gives a null element.

    Raises
    ------
    IndexError
        Where a list has no such position, unless ``bounds_policy`` is ``NULLIFY``.

    Examples
    --------
    >>> lists, positions = Column.from_iterable_of_py([[1, 2], [3]]), Column.from_iterable_of_py([[-1, 0], [0, 0]])
    >>> segmented_gather(lists, positions).to_arrow().to_pylist()
    [[2, 1], [3, 3]]
    """
    nullify = OutOfBoundsPolicy(bounds_policy) is OutOfBoundsPolicy.NULLIFY
    return _rust.segmented_gather(input, gather_map_list, nullify, stream, mr)


def extract_list_element(
    input: Column,
    index: Column | int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return element ``index`` of each list, or the one that the row of a column of integers says.

    An index below 0 counts from the end. Null where the list has no such element.

    Examples
    --------
    >>> extract_list_element(Column.from_iterable_of_py([[1, 2], [3]]), 1).to_arrow().to_pylist()
    [2, None]
    """
    return _rust.extract_list_element(input, index, stream, mr)


def count_elements(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of elements of each list (INT32); null where the list is null."""
    return _rust.count_elements(input, stream, mr)


def sequences(
    starts: Column,
    sizes: Column,
    steps: Column | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a list ``start, start + step, …`` of the given size for each row; the step is 1 without ``steps``.

    Raises
    ------
    ValueError
        For a size below 0, and for nulls.

    Examples
    --------
    >>> starts, sizes = Column.from_iterable_of_py([1, 10]), Column.from_iterable_of_py([3, 2])
    >>> sequences(starts, sizes).to_arrow().to_pylist()
    [[1, 2, 3], [10, 11]]
    """
    return _rust.sequences(starts, sizes, steps, stream, mr)


def sort_lists(
    input: Column,
    sort_order: Order,
    na_position: NullOrder,
    stable: bool = False,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list in order.

    With ``NullOrder.BEFORE`` missing elements (null and NaN) are less than all others, so they come last where
    the order descends. The sort is stable with and without ``stable``.

    Examples
    --------
    >>> sort_lists(Column.from_iterable_of_py([[3, 1, 2], [5, 4]]), 0, 0).to_arrow().to_pylist()
    [[1, 2, 3], [4, 5]]
    """
    descending = Order(sort_order) is Order.DESCENDING
    after = NullOrder(na_position) is NullOrder.AFTER
    return _rust.sort_lists(input, descending, after is not descending, stream, mr)


def _equality(nulls_equal: NullEquality, nans_equal: NanEquality) -> tuple[bool, bool]:
    return (
        NullEquality(nulls_equal) is NullEquality.EQUAL,
        NanEquality(nans_equal) is NanEquality.ALL_EQUAL,
    )


def difference_distinct(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the distinct elements of each list that the list beside it does not have; null where either is."""
    return _rust.difference_distinct(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def have_overlap(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each list has an element that the list beside it has too; null where either is null."""
    return _rust.have_overlap(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def intersect_distinct(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the distinct elements of each list that the list beside it has too, in the order of ``lhs``."""
    return _rust.intersect_distinct(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def union_distinct(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the distinct elements of each list and the one beside it, those of ``lhs`` first."""
    return _rust.union_distinct(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def apply_boolean_mask(
    input: Column,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list for which the list of booleans beside it says true.

    Raises
    ------
    RuntimeError
        Where a list and its mask differ in length.

    Examples
    --------
    >>> lists, mask = Column.from_iterable_of_py([[1, 2], [3]]), Column.from_iterable_of_py([[True, False], [True]])
    >>> apply_boolean_mask(lists, mask).to_arrow().to_pylist()
    [[1], [3]]
    """
    return _rust.apply_boolean_mask(input, boolean_mask, stream, mr)


def apply_deletion_mask(
    input: Column,
    deletion_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list for which the list of booleans beside it does not say true."""
    return _rust.apply_deletion_mask(input, deletion_mask, stream, mr)


def distinct(
    input: Column,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list without those that are equal to an earlier one.

    Examples
    --------
    >>> distinct(Column.from_iterable_of_py([[2, 1, 2], [3]]), 0, 0).to_arrow().to_pylist()
    [[2, 1], [3]]
    """
    return _rust.distinct(input, *_equality(nulls_equal, nans_equal), stream, mr)
