"""Windows: a value for every row from the rows around it.

The window of a row is ``preceding`` rows that end with the row itself and ``following`` rows behind it, cut
at the ends of the column. Nulls do not take part unless an aggregation says so, NaN is what
`pylibcuprum.aggregation` says. A result is null where its window has fewer values than ``min_periods`` (for
counts, ``nth_element`` and collected elements: fewer rows).

Examples
--------
>>> from pylibcuprum import Column, aggregation
>>> rolling_window(Column.from_iterable_of_py([1, 10, 100]), 2, 0, 1, aggregation.sum()).to_pylist()
[1, 11, 110]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Scalar, Table
from cuprum._cuprum import _rolling as _rust
from pylibcuprum.aggregation import Aggregation
from pylibcuprum.types import NullOrder, Order
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum._cuprum import TableLike

__all__ = [
    "BoundedClosed",
    "BoundedOpen",
    "CurrentRow",
    "RollingRequest",
    "Unbounded",
    "grouped_range_rolling_window",
    "is_valid_rolling_aggregation",
    "make_range_windows",
    "rolling_window",
]


class Unbounded:
    """A range that reaches to the end of the group."""

    _bound = "unbounded"


class CurrentRow:
    """A range that reaches to the last row with the value of the current one."""

    _bound = "current_row"


class BoundedClosed:
    """A range that reaches to the last row whose value is away by no more than ``delta``.

    Parameters
    ----------
    delta : Scalar
        Distance, of the type of the values; for times a duration of the same unit.
    """

    _bound = "closed"

    def __init__(self, delta: Scalar) -> None:
        self.delta = delta


class BoundedOpen:
    """A range that reaches to the last row whose value is away by less than ``delta``.

    Parameters
    ----------
    delta : Scalar
        Distance, of the type of the values; for times a duration of the same unit.
    """

    _bound = "open"

    def __init__(self, delta: Scalar) -> None:
        self.delta = delta


if TYPE_CHECKING:
    RangeWindowType: TypeAlias = Unbounded | CurrentRow | BoundedClosed | BoundedOpen


class RollingRequest:
    """An aggregation of the windows of a column, with the number of values that a window needs.

    Parameters
    ----------
    values : Column
        Values that are aggregated.
    min_periods : int
        Number of values that a window needs; the result is null where it has fewer.
    aggregation : Aggregation
        The aggregation to compute, from `pylibcuprum.aggregation`.
    """

    def __init__(self, values: Column, min_periods: int, aggregation: Aggregation) -> None:
        self._values = values
        self._min_periods = min_periods
        self._aggregation = aggregation


def rolling_window(
    source: Column,
    preceding_window: Column | int,
    following_window: Column | int,
    min_periods: int,
    agg: Aggregation,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the aggregation of a window of rows around every row.

    Parameters
    ----------
    source : Column
        Values that are aggregated. Nulls do not take part unless the aggregation says so.
    preceding_window : int or Column
        Number of rows of a window that end with the row itself: for all windows, or an integer for each.
    following_window : int or Column
        Number of rows of a window behind the row: for all windows, or an integer for each.
    min_periods : int
        Number of values that a window needs, 0 or more; the result is null where it has fewer.
    agg : Aggregation
        The aggregation to compute, from `pylibcuprum.aggregation`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows. Counts and row numbers are INT32, means and spreads FLOAT64, sums of integers INT64 or
        UINT64.

    Raises
    ------
    ValueError
        For windows of a fixed size without a row, sizes that are null, and ``min_periods`` below 0.
    NotImplementedError
        For an aggregation that there is not of windows of the type.
    OverflowError
        Where a sum of decimals or durations does not fit.

    Notes
    -----
    Windows are cut at the ends of the column.

    Examples
    --------
    >>> from pylibcuprum import aggregation
    >>> numbers = Column.from_iterable_of_py([1, None, 3])
    >>> rolling_window(numbers, 2, 0, 1, aggregation.sum()).to_pylist()
    [1, 1, 3]

    >>> rolling_window(numbers, 3, 0, 2, aggregation.sum()).to_pylist()
    [None, None, 4]
    """
    return _rust.rolling_window(source, preceding_window, following_window, min_periods, agg, stream, mr)


def make_range_windows(
    group_keys: TableLike,
    orderby: Column,
    order: Order,
    null_order: NullOrder,
    preceding: RangeWindowType,
    following: RangeWindowType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return how many rows around each row have a value near its own.

    Parameters
    ----------
    group_keys : Table or sequence of Column
        Groups are runs of equal rows; without columns all rows are one group.
    orderby : Column
        Values that are sorted in each group.
    order : Order
        Order of ``orderby``.
    null_order : NullOrder
        Whether nulls of ``orderby`` are smaller (``BEFORE``) or larger (``AFTER``) than all values.
    preceding : Unbounded, CurrentRow, BoundedClosed or BoundedOpen
        How far a window reaches towards earlier rows.
    following : Unbounded, CurrentRow, BoundedClosed or BoundedOpen
        How far a window reaches towards later rows.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Sizes of the windows for `rolling_window`: preceding rows (with the row itself) and following ones.

    Raises
    ------
    ValueError
        Where ``orderby`` is not sorted, and for a delta that is null or not finite.
    TypeError
        For a delta of another type.

    Notes
    -----
    The window of a null is all nulls of its group, that of a NaN all NaN; on sides that are `Unbounded` more.
    A delta below 0 reaches to the other side of the row.

    Examples
    --------
    >>> days = Column.from_iterable_of_py([1, 2, 2, 5])
    >>> order = Order.ASCENDING, NullOrder.BEFORE
    >>> day = BoundedClosed(Scalar.from_py(1))
    >>> windows = make_range_windows(Table([], 4), days, *order, day, CurrentRow())
    >>> [rows.to_pylist() for rows in windows]
    [[1, 2, 3, 1], [0, 1, 0, 0]]
    """
    return _rust.make_range_windows(group_keys, orderby, order, null_order, preceding, following, stream, mr)


def grouped_range_rolling_window(
    group_keys: TableLike,
    orderby: Column,
    order: Order,
    null_order: NullOrder,
    preceding: RangeWindowType,
    following: RangeWindowType,
    requests: Sequence[RollingRequest],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return aggregations of windows of values near that of each row.

    Parameters
    ----------
    group_keys : Table or sequence of Column
        Groups are runs of equal rows; without columns all rows are one group.
    orderby : Column
        Values that are sorted in each group.
    order : Order
        Order of ``orderby``.
    null_order : NullOrder
        Whether nulls of ``orderby`` are smaller (``BEFORE``) or larger (``AFTER``) than all values.
    preceding : Unbounded, CurrentRow, BoundedClosed or BoundedOpen
        How far a window reaches towards earlier rows.
    following : Unbounded, CurrentRow, BoundedClosed or BoundedOpen
        How far a window reaches towards later rows.
    requests : sequence of RollingRequest
        Values and their aggregations.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each request, with a row for each row of ``orderby``. Windows are those of
        `make_range_windows`.

    Raises
    ------
    ValueError
        Where values have another number of rows than ``orderby``; otherwise as both functions.
    NotImplementedError
        For an aggregation that there is not of windows of the type.

    Examples
    --------
    >>> from pylibcuprum import aggregation
    >>> groups, days = [Column.from_iterable_of_py(["a", "a", "b"])], Column.from_iterable_of_py([1, 2, 9])
    >>> request = RollingRequest(Column.from_iterable_of_py([10, 20, 30]), 1, aggregation.sum())
    >>> near = BoundedClosed(Scalar.from_py(1)), CurrentRow()
    >>> sums = grouped_range_rolling_window(groups, days, Order.ASCENDING, NullOrder.BEFORE, *near, [request])
    >>> sums.columns()[0].to_pylist()
    [10, 30, 30]
    """
    return _rust.grouped_range_rolling_window(
        group_keys,
        orderby,
        order,
        null_order,
        preceding,
        following,
        [request._values for request in requests],
        [request._min_periods for request in requests],
        [request._aggregation for request in requests],
        stream,
        mr,
    )


def is_valid_rolling_aggregation(source: DataType, agg: Aggregation) -> bool:
    """Return whether windows of values of a type have an aggregation.

    Parameters
    ----------
    source : DataType
        Type of the values.
    agg : Aggregation
        The aggregation that is asked about.

    Returns
    -------
    bool
        False where `rolling_window` raises NotImplementedError.

    Examples
    --------
    >>> from pylibcuprum import TypeId, aggregation
    >>> is_valid_rolling_aggregation(DataType(TypeId.INT64), aggregation.mean())
    True

    >>> is_valid_rolling_aggregation(DataType(TypeId.STRING), aggregation.mean())
    False
    """
    return _rust.is_valid_rolling_aggregation(source, agg)
