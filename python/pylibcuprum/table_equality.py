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

    NaN equals NaN, -0.0 equals 0.0; with ``NullEquality.UNEQUAL`` a table with nulls equals none.
    """
    return _rust.tables_equal(left, right, nulls_equal, stream)
