"""Finding rows among sorted ones, and values among others.

Order is that of `pylibcuprum.sorting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _search as _rust
from pylibcuprum.types import NullOrder, Order
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["contains", "lower_bound", "upper_bound"]


def lower_bound(
    haystack: TableLike,
    needles: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return where each row would be put into a sorted table, before rows that are equal to it.

    Parameters
    ----------
    haystack : Table or sequence of Column
        Sorted table that is searched.
    needles : Table or sequence of Column
        Rows that are looked for, with columns of the same types.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, for each row of ``needles`` the number of the first row of ``haystack`` that is not before it;
        the number of rows where there is none.

    See Also
    --------
    upper_bound : The places behind equal rows.

    Examples
    --------
    >>> hay, needles = [Column.from_iterable_of_py([1, 3, 3])], [Column.from_iterable_of_py([3, 0])]
    >>> lower_bound(hay, needles, [Order.ASCENDING], [NullOrder.BEFORE]).to_pylist()
    [1, 0]
    """
    return _rust.lower_bound(haystack, needles, column_order, null_precedence, stream, mr)


def upper_bound(
    haystack: TableLike,
    needles: TableLike,
    column_order: Sequence[Order],
    null_precedence: Sequence[NullOrder],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return where each row would be put into a sorted table, behind rows that are equal to it.

    Parameters
    ----------
    haystack : Table or sequence of Column
        Sorted table that is searched.
    needles : Table or sequence of Column
        Rows that are looked for, with columns of the same types.
    column_order : sequence of Order
        Order of each key; where it is empty, every key ascends.
    null_precedence : sequence of NullOrder
        Whether the nulls of each key are smaller (``BEFORE``) or larger (``AFTER``) than all values; where it
        is empty, they are smaller.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, for each row of ``needles`` the number of the first row of ``haystack`` that is behind it; the
        number of rows where there is none.

    See Also
    --------
    lower_bound : The places before equal rows.

    Examples
    --------
    >>> hay, needles = [Column.from_iterable_of_py([1, 3, 3])], [Column.from_iterable_of_py([3, 0])]
    >>> upper_bound(hay, needles, [Order.ASCENDING], [NullOrder.BEFORE]).to_pylist()
    [3, 0]
    """
    return _rust.upper_bound(haystack, needles, column_order, null_precedence, stream, mr)


def contains(
    haystack: Column,
    needles: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each value is among the values of another column.

    Parameters
    ----------
    haystack : Column
        Values that are searched.
    needles : Column
        Values that are looked for, of the same type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8 for each row of ``needles``; null for null needles, also where ``haystack`` has nulls. NaN
        equals NaN.

    Raises
    ------
    TypeError
        Where the columns are of different types.

    Examples
    --------
    >>> contains(Column.from_iterable_of_py([1, 3]), Column.from_iterable_of_py([3, 4, None])).to_pylist()
    [True, False, None]
    """
    return _rust.contains(haystack, needles, stream, mr)
