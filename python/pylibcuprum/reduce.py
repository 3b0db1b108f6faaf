"""A column to one value, or to running values; numbers of distinct values."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Scalar
from cuprum._cuprum import _reduce as _rust
from pylibcuprum import aggregation
from pylibcuprum.aggregation import Aggregation
from pylibcuprum.types import NanPolicy, NullEquality, NullPolicy
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = [
    "ScanType",
    "distinct_count",
    "distinct_count_table",
    "is_valid_reduce_aggregation",
    "minmax",
    "reduce",
    "scan",
    "unique_count",
    "unique_count_table",
]


class ScanType(IntEnum):
    """Whether a row takes part in its own running value."""

    INCLUSIVE = 0
    EXCLUSIVE = 1


def reduce(
    col: Column,
    agg: Aggregation,
    data_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Scalar:
    """Return an aggregation of a column as a scalar of ``data_type``.

    Null where there are no values, but for counts, ``any`` (false) and ``all`` (true). Sums of integers wrap in 64
    bits. NaN is what `pylibcuprum.aggregation` says.

    Raises
    ------
    TypeError
        Where the result has no cast to ``data_type``.
    NotImplementedError
        For an aggregation that there is not of the type.
    OverflowError
        Where the result does not fit ``data_type``.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId, aggregation
    >>> column = Column.from_iterable_of_py([1, None, 3])
    >>> reduce(column, aggregation.mean(), DataType(TypeId.FLOAT64)).to_py()
    2.0
    """
    return _rust.reduce(col, agg, data_type, stream, mr)


def scan(
    col: Column,
    agg: Aggregation,
    inclusive: ScanType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the running sum, product, minimum or maximum in the type of the column, or ranks or weighted means.

    Sums and products of BOOL8 are INT64. Nulls stay null and do not take part; a NaN spreads to sums and products behind it. An exclusive scan begins
    with 0, 1, the largest or the smallest value of the type. A rank is the place among all values, FLOAT64 for
    ``AVERAGE`` and shares, else INT32; an exponentially weighted mean is FLOAT64, and that of the rows before where
    the value is null.

    Raises
    ------
    NotImplementedError
        For other aggregations, and types without them.
    OverflowError
        Where a value does not fit the type.
    """
    return _rust.scan(col, agg, ScanType(inclusive) is ScanType.EXCLUSIVE, stream, mr)


def minmax(
    col: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[Scalar, Scalar]:
    """Return the smallest and the largest value."""
    least = reduce(col, aggregation.min(), col.type(), stream, mr)
    return least, reduce(col, aggregation.max(), col.type(), stream, mr)


def is_valid_reduce_aggregation(source: DataType, agg: Aggregation) -> bool:
    """Return whether `reduce` has the aggregation of the type."""
    return _rust.is_valid_reduce_aggregation(source, agg)


def unique_count(
    source: Column, null_handling: NullPolicy, nan_handling: NanPolicy, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of runs of equal neighbours; those of nulls do not count with ``NullPolicy.EXCLUDE``."""
    return _rust.unique_count(source, null_handling, nan_handling, stream)


def distinct_count(
    source: Column, null_handling: NullPolicy, nan_handling: NanPolicy, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of distinct values; null is one with ``NullPolicy.INCLUDE``."""
    return _rust.distinct_count(source, null_handling, nan_handling, stream)


def unique_count_table(
    source: TableLike, nulls_equal: NullEquality, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of runs of equal rows."""
    return _rust.unique_count_table(source, nulls_equal, stream)


def distinct_count_table(
    source: TableLike, nulls_equal: NullEquality, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of distinct rows."""
    return _rust.distinct_count_table(source, nulls_equal, stream)
