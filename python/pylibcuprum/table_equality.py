"""Whether tables are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import _tables as _rust
from pylibcuprum.types import NullEquality
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["tables_equal"]


def tables_equal(
    left: TableLike,
    right: TableLike,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    stream: CudaStreamLike | None = None,
) -> bool:
    """Return whether two tables have the same types and equal rows in the same order.

    Parameters
    ----------
    left : Table or sequence of Column
        First table.
    right : Table or sequence of Column
        Second table.
    nulls_equal : NullEquality, default NullEquality.EQUAL
        Whether null equals null. With ``UNEQUAL`` a table with nulls equals none, not even itself.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    bool
        True where types, numbers of rows and all values agree. NaN equals NaN, and -0.0 equals 0.0.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> numbers = [Column.from_iterable_of_py([1, None])]
    >>> tables_equal(numbers, numbers), tables_equal(numbers, numbers, NullEquality.UNEQUAL)
    (True, False)

    >>> tables_equal([Column.from_iterable_of_py([1])], [Column.from_iterable_of_py([1.0])])
    False
    """
    return _rust.tables_equal(left, right, nulls_equal, stream)
