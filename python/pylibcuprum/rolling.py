"""Windows: a value for every row from the rows around it.

The window of a row is ``preceding`` rows that end with the row itself and ``following`` rows behind it, cut at the
ends of the column. Nulls do not take part unless an aggregation says so, NaN is what `pylibcuprum.aggregation`
says. A result is null where its window has fewer values than ``min_periods`` (for counts, ``nth_element`` and
collected elements: fewer rows).

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
    """A range that reaches to the last row whose value is away by no more than ``delta``."""

    _bound = "closed"

    def __init__(self, delta: Scalar) -> None:
        self.delta = delta


class BoundedOpen:
    """A range that reaches to the last row whose value is away by less than ``delta``."""

    _bound = "open"

    def __init__(self, delta: Scalar) -> None:
        self.delta = delta


if TYPE_CHECKING:
    RangeWindowType: TypeAlias = Unbounded | CurrentRow | BoundedClosed | BoundedOpen


class RollingRequest:
    """An aggregation of the windows of a column, with the values that a window needs."""

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
    """Return the aggregation of the window of every row.

    Sizes are numbers of rows: one for all windows, or a column with one for each. Counts and rows are INT32, means
    and spreads FLOAT64, sums of integers INT64 or UINT64.

    Raises
    ------
    ValueError
        For windows of a fixed size without a row, sizes that are null, and ``min_periods`` below 0.
    NotImplementedError
        For an aggregation that there is not of windows of the type.
    OverflowError
        Where a sum of decimals or durations does not fit.
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
    """Return the preceding and following rows of the windows of values near that of each row.

    Groups are runs of equal rows of ``group_keys`` (without columns: all rows), and ``orderby`` is sorted in each
    by ``order`` and ``null_order``, in which nulls that are ``BEFORE`` are smaller than all values. The window of a
    null is all nulls of its group, that of a NaN all NaN; on sides that are `Unbounded` more. A delta is of the
    type of ``orderby``, for times a duration of the same unit; one below 0 reaches to the other side of the row.

    Raises
    ------
    ValueError
        Where ``orderby`` is not sorted, and for a delta that is null or not finite.
    TypeError
        For a delta of another type.

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
    """Return a column for each request: its aggregation of the windows of `make_range_windows`.

    Raises
    ------
    ValueError
        Where values have another number of rows than ``orderby``; otherwise as both functions.
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
    """Return whether windows of values of the type have the aggregation."""
    return _rust.is_valid_rolling_aggregation(source, agg)
