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
    """Return for each row of ``needles`` the first row of ``haystack`` that is not before it (INT32).

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
    """Return for each row of ``needles`` the first row of ``haystack`` that is behind it (INT32)."""
    return _rust.upper_bound(haystack, needles, column_order, null_precedence, stream, mr)


def contains(
    haystack: Column,
    needles: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each needle is in ``haystack``; null for null needles. NaN equals NaN.

    Raises
    ------
    TypeError
        Where the columns are of different types.
    """
    return _rust.contains(haystack, needles, stream, mr)
