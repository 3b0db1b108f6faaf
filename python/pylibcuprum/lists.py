"""Lists, row by row: their elements as rows, one or some of them, found, sorted, made distinct, combined.

A column of lists gives a row for each of its rows; `explode_outer` and its like give one for each element. A
null list gives a null row. Finding, sorting and sets are for elements that are no lists or structs
themselves. The inputs stay as they are.
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
    """Return a row for each element of the lists in a column, with the other columns repeated beside it.

    Parameters
    ----------
    input : Table or sequence of Column
        Table with a column of lists.
    explode_column_idx : int
        Number of the column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The same columns, with elements in place of lists, in the order of rows and elements. Rows whose list
        is empty or null are left out.

    Raises
    ------
    IndexError
        Where there is no such column.
    TypeError
        Where the column is not of lists.

    See Also
    --------
    explode_outer : Keeps rows whose list is empty or null.

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
    """Return the result of `explode`, with a null element for rows whose list is empty or null.

    Parameters
    ----------
    input : Table or sequence of Column
        Table with a column of lists.
    explode_column_idx : int
        Number of the column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The same columns, with elements in place of lists, in the order of rows and elements.

    Raises
    ------
    IndexError
        Where there is no such column.
    TypeError
        Where the column is not of lists.

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
    """Return the result of `explode`, with the positions of the elements in their lists.

    Parameters
    ----------
    input : Table or sequence of Column
        Table with a column of lists.
    explode_column_idx : int
        Number of the column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The columns of `explode`, with one of positions (INT32, from 0) right before the elements. Rows whose
        list is empty or null are left out.

    Raises
    ------
    IndexError
        Where there is no such column.
    TypeError
        Where the column is not of lists.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py(["a", "b"]), Column.from_iterable_of_py([[10, 20], [30]])]
    >>> [column.to_pylist() for column in explode_position(table, 1).columns()]
    [['a', 'a', 'b'], [0, 1, 0], [10, 20, 30]]
    """
    return _rust.explode_position(input, explode_column_idx, stream, mr)


def explode_outer_position(
    input: TableLike,
    explode_column_idx: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the result of `explode_outer`, with the positions of the elements in their lists.

    Parameters
    ----------
    input : Table or sequence of Column
        Table with a column of lists.
    explode_column_idx : int
        Number of the column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The columns of `explode_outer`, with one of positions (INT32, from 0) right before the elements; null
        where there is no element.

    Raises
    ------
    IndexError
        Where there is no such column.
    TypeError
        Where the column is not of lists.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([[10, 20], None]), Column.from_iterable_of_py(["a", "b"])]
    >>> [column.to_pylist() for column in explode_outer_position(table, 0).columns()]
    [[0, 1, None], [10, 20, None], ['a', 'a', 'b']]
    """
    return _rust.explode_outer_position(input, explode_column_idx, stream, mr)


def concatenate_rows(
    input: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the lists of each row of a table, one column's after the other's, as one list.

    Parameters
    ----------
    input : Table or sequence of Column
        Columns of lists of one type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list for each row. Null lists are left out; the result is null where all are.

    Raises
    ------
    TypeError
        For columns that are not of lists, or whose types differ.

    Examples
    --------
    >>> lists = [Column.from_iterable_of_py([[1, 2], [3]]), Column.from_iterable_of_py([[4], [5, 6]])]
    >>> concatenate_rows(lists).to_arrow().to_pylist()
    [[1, 2, 4], [3, 5, 6]]

    >>> nulls = [Column.from_iterable_of_py([[1], None]), Column.from_iterable_of_py([None, [2]])]
    >>> concatenate_rows(nulls).to_pylist()
    [[1], [2]]
    """
    return _rust.concatenate_rows(input, stream, mr)


def concatenate_list_elements(
    input: Column,
    null_policy: ConcatenateNullPolicy,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of the lists in each list as one list, in order.

    Parameters
    ----------
    input : Column
        Column of lists of lists.
    null_policy : ConcatenateNullPolicy
        ``IGNORE`` leaves null inner lists out; with ``NULLIFY_OUTPUT_ROW`` a row that has one is null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list for each row; null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of lists of lists.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[[1, 2], [3]], [[4]]])
    >>> concatenate_list_elements(lists, ConcatenateNullPolicy.IGNORE).to_arrow().to_pylist()
    [[1, 2, 3], [4]]

    >>> nulls = Column.from_iterable_of_py([[[1], None], [[2]]])
    >>> concatenate_list_elements(nulls, ConcatenateNullPolicy.NULLIFY_OUTPUT_ROW).to_pylist()
    [None, [2]]
    """
    nullify = ConcatenateNullPolicy(null_policy) is ConcatenateNullPolicy.NULLIFY_OUTPUT_ROW
    return _rust.concatenate_list_elements(input, nullify, stream, mr)


def contains(
    input: Column,
    search_key: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each list has an element that is equal to a key.

    Parameters
    ----------
    input : Column
        Column of lists.
    search_key : Column or Scalar
        Key of each row, or one key for all; of the type of the elements.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null where the list or its key is null. NaN equals NaN, a null element equals nothing.

    Raises
    ------
    TypeError
        Where the key is not of the type of the elements.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[1, 2], [3]])
    >>> contains(lists, Column.from_iterable_of_py([2, 2])).to_arrow().to_pylist()
    [True, False]

    >>> from pylibcuprum import Scalar
    >>> contains(Column.from_iterable_of_py([[1, None], [], None]), Scalar.from_py(2)).to_pylist()
    [False, False, None]
    """
    return _rust.contains(input, search_key, stream, mr)


def contains_nulls(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each list has a null element.

    Parameters
    ----------
    input : Column
        Column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null where the list is null.

    Raises
    ------
    TypeError
        For a column that is not of lists.

    Examples
    --------
    >>> contains_nulls(Column.from_iterable_of_py([[1, None], [2], None])).to_pylist()
    [True, False, None]
    """
    return _rust.contains_nulls(input, stream, mr)


def index_of(
    input: Column,
    search_key: Column | Scalar,
    find_option: DuplicateFindOption,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of an element that is equal to a key in each list.

    Parameters
    ----------
    input : Column
        Column of lists.
    search_key : Column or Scalar
        Key of each row, or one key for all; of the type of the elements.
    find_option : DuplicateFindOption
        Which of several equal elements is meant, ``FIND_FIRST`` or ``FIND_LAST``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, positions from 0, -1 where there is none; null where the list or its key is null.

    Raises
    ------
    TypeError
        Where the key is not of the type of the elements.

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
    """Return each list with its elements from the last to the first.

    Parameters
    ----------
    input : Column
        Column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many lists; null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of lists.

    Examples
    --------
    >>> reverse(Column.from_iterable_of_py([[1, 2, None], None])).to_pylist()
    [[None, 2, 1], None]
    """
    return _rust.reverse(input, stream, mr)


def segmented_gather(
    input: Column,
    gather_map_list: Column,
    bounds_policy: OutOfBoundsPolicy = OutOfBoundsPolicy.DONT_CHECK,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list at the positions that another list names.

    Parameters
    ----------
    input : Column
        Column of lists.
    gather_map_list : Column
        Column of as many lists of integers: positions from 0; negative ones count from the end, a null gives
        a null element.
    bounds_policy : OutOfBoundsPolicy, default OutOfBoundsPolicy.DONT_CHECK
        ``NULLIFY`` gives a null element for a position that there is not, ``DONT_CHECK`` an IndexError.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list for each list of positions.

    Raises
    ------
    IndexError
        Where a list has no such position, unless ``bounds_policy`` is ``NULLIFY``.
    RuntimeError
        Where both columns differ in the number of rows.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[1, 2], [3]])
    >>> segmented_gather(lists, Column.from_iterable_of_py([[-1, 0], [0, 0]])).to_pylist()
    [[2, 1], [3, 3]]

    >>> far = Column.from_iterable_of_py([[5], [0]])
    >>> segmented_gather(lists, far, OutOfBoundsPolicy.NULLIFY).to_pylist()
    [[None], [3]]
    """
    nullify = OutOfBoundsPolicy(bounds_policy) is OutOfBoundsPolicy.NULLIFY
    return _rust.segmented_gather(input, gather_map_list, nullify, stream, mr)


def extract_list_element(
    input: Column,
    index: Column | int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the element at one position of each list.

    Parameters
    ----------
    input : Column
        Column of lists.
    index : int or Column
        Position from 0, for all lists or an integer for each; negative ones count from the end.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        An element for each list; null where the list has no such element.

    Raises
    ------
    TypeError
        For a column that is not of lists, and for positions that are no integers.

    Examples
    --------
    >>> extract_list_element(Column.from_iterable_of_py([[1, 2], [3]]), 1).to_arrow().to_pylist()
    [2, None]

    >>> extract_list_element(Column.from_iterable_of_py([[1, 2], [], None]), -1).to_pylist()
    [2, None, None]
    """
    return _rust.extract_list_element(input, index, stream, mr)


def count_elements(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the number of elements of each list.

    Parameters
    ----------
    input : Column
        Column of lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, nulls among the elements included; null where the list is null.

    Raises
    ------
    TypeError
        For a column that is not of lists.

    Examples
    --------
    >>> count_elements(Column.from_iterable_of_py([[1, None], [], None])).to_pylist()
    [2, 0, None]
    """
    return _rust.count_elements(input, stream, mr)


def sequences(
    starts: Column,
    sizes: Column,
    steps: Column | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a list of numbers that are a step apart for each row.

    Parameters
    ----------
    starts : Column
        First number of each list.
    sizes : Column
        Number of elements of each list, 0 or more.
    steps : Column, optional
        Difference of neighbours in each list, of the type of ``starts``; 1 by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Lists of the type of ``starts``.

    Raises
    ------
    ValueError
        For a size below 0, and for nulls.
    RuntimeError
        Where the columns differ in the number of rows.

    Examples
    --------
    >>> starts, sizes = Column.from_iterable_of_py([1, 10]), Column.from_iterable_of_py([3, 2])
    >>> sequences(starts, sizes).to_arrow().to_pylist()
    [[1, 2, 3], [10, 11]]

    >>> sequences(starts, sizes, Column.from_iterable_of_py([2, -1])).to_pylist()
    [[1, 3, 5], [10, 9]]
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
    """Return each list with its elements in order.

    Parameters
    ----------
    input : Column
        Column of lists.
    sort_order : Order
        ``ASCENDING`` or ``DESCENDING``.
    na_position : NullOrder
        With ``BEFORE`` missing elements (null and NaN) are less than all others, so they come last where the
        order descends.
    stable : bool, default False
        Of no effect: the sort is always stable.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many lists; null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of lists.

    Examples
    --------
    >>> sort_lists(Column.from_iterable_of_py([[3, 1, 2], [5, 4]]), 0, 0).to_arrow().to_pylist()
    [[1, 2, 3], [4, 5]]

    >>> lists = Column.from_iterable_of_py([[3, None, 1]])
    >>> sort_lists(lists, Order.DESCENDING, NullOrder.BEFORE).to_pylist()
    [[3, 1, None]]
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
    """Return the distinct elements of each list that the list beside it does not have.

    Parameters
    ----------
    lhs : Column
        Column of lists.
    rhs : Column
        Column of as many lists of the same type.
    nulls_equal : NullEquality, default NullEquality.EQUAL
        Whether null equals null.
    nans_equal : NanEquality, default NanEquality.ALL_EQUAL
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Lists in the order of ``lhs``; null where either list is null.

    Raises
    ------
    TypeError
        For columns that are not of lists, and for elements of different types.
    RuntimeError
        Where both columns differ in the number of rows.

    Examples
    --------
    >>> left = Column.from_iterable_of_py([[1, 2, 2, None], [3]])
    >>> right = Column.from_iterable_of_py([[1], None])
    >>> difference_distinct(left, right).to_pylist()
    [[2, None], None]
    """
    return _rust.difference_distinct(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def have_overlap(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each list has an element that the list beside it has too.

    Parameters
    ----------
    lhs : Column
        Column of lists.
    rhs : Column
        Column of as many lists of the same type.
    nulls_equal : NullEquality, default NullEquality.EQUAL
        Whether null equals null.
    nans_equal : NanEquality, default NanEquality.ALL_EQUAL
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null where either list is null.

    Raises
    ------
    TypeError
        For columns that are not of lists, and for elements of different types.
    RuntimeError
        Where both columns differ in the number of rows.

    Examples
    --------
    >>> left = Column.from_iterable_of_py([[1, 2], [3], None])
    >>> right = Column.from_iterable_of_py([[2], [4], [1]])
    >>> have_overlap(left, right).to_pylist()
    [True, False, None]
    """
    return _rust.have_overlap(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def intersect_distinct(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the distinct elements of each list that the list beside it has too.

    Parameters
    ----------
    lhs : Column
        Column of lists.
    rhs : Column
        Column of as many lists of the same type.
    nulls_equal : NullEquality, default NullEquality.EQUAL
        Whether null equals null.
    nans_equal : NanEquality, default NanEquality.ALL_EQUAL
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Lists in the order of ``lhs``; null where either list is null.

    Raises
    ------
    TypeError
        For columns that are not of lists, and for elements of different types.
    RuntimeError
        Where both columns differ in the number of rows.

    Examples
    --------
    >>> left = Column.from_iterable_of_py([[2, 1, 2], [3]])
    >>> right = Column.from_iterable_of_py([[1, 2], None])
    >>> intersect_distinct(left, right).to_pylist()
    [[2, 1], None]
    """
    return _rust.intersect_distinct(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def union_distinct(
    lhs: Column,
    rhs: Column,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the distinct elements of each list and the list beside it.

    Parameters
    ----------
    lhs : Column
        Column of lists.
    rhs : Column
        Column of as many lists of the same type.
    nulls_equal : NullEquality, default NullEquality.EQUAL
        Whether null equals null.
    nans_equal : NanEquality, default NanEquality.ALL_EQUAL
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Lists with the elements of ``lhs`` first; null where either list is null.

    Raises
    ------
    TypeError
        For columns that are not of lists, and for elements of different types.
    RuntimeError
        Where both columns differ in the number of rows.

    Examples
    --------
    >>> left = Column.from_iterable_of_py([[2, 1, 2], [3]])
    >>> right = Column.from_iterable_of_py([[1, 4], None])
    >>> union_distinct(left, right).to_pylist()
    [[2, 1, 4], None]
    """
    return _rust.union_distinct(lhs, rhs, *_equality(nulls_equal, nans_equal), stream, mr)


def apply_boolean_mask(
    input: Column,
    boolean_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list for which a mask is true.

    Parameters
    ----------
    input : Column
        Column of lists.
    boolean_mask : Column
        Column of lists of booleans, of the same lengths; null counts as false.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many lists, elements in their order; null for nulls.

    Raises
    ------
    RuntimeError
        Where a list and its mask differ in length.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[1, 2], [3]])
    >>> mask = Column.from_iterable_of_py([[True, False], [None]])
    >>> apply_boolean_mask(lists, mask).to_pylist()
    [[1], []]
    """
    return _rust.apply_boolean_mask(input, boolean_mask, stream, mr)


def apply_deletion_mask(
    input: Column,
    deletion_mask: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the elements of each list without those for which a mask is true.

    Parameters
    ----------
    input : Column
        Column of lists.
    deletion_mask : Column
        Column of lists of booleans, of the same lengths; null counts as false.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many lists, elements in their order; null for nulls.

    Raises
    ------
    RuntimeError
        Where a list and its mask differ in length.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([[1, 2], [3]])
    >>> mask = Column.from_iterable_of_py([[True, None], [False]])
    >>> apply_deletion_mask(lists, mask).to_pylist()
    [[2], [3]]
    """
    return _rust.apply_deletion_mask(input, deletion_mask, stream, mr)


def distinct(
    input: Column,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each list without elements that are equal to an earlier one.

    Parameters
    ----------
    input : Column
        Column of lists.
    nulls_equal : NullEquality
        Whether null equals null.
    nans_equal : NanEquality
        Whether NaN equals NaN.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many lists, elements in their order; null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of lists.

    Examples
    --------
    >>> distinct(Column.from_iterable_of_py([[2, 1, 2], [3]]), 0, 0).to_arrow().to_pylist()
    [[2, 1], [3]]

    >>> nulls = Column.from_iterable_of_py([[1, None, None]])
    >>> distinct(nulls, NullEquality.UNEQUAL, NanEquality.ALL_EQUAL).to_pylist()
    [[1, None, None]]
    """
    return _rust.distinct(input, *_equality(nulls_equal, nans_equal), stream, mr)
