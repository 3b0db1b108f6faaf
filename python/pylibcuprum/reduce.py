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
    """Return an aggregation of a column as a scalar.

    Parameters
    ----------
    col : Column
        Values. Nulls do not take part unless the aggregation says so.
    agg : Aggregation
        The aggregation to compute, from `pylibcuprum.aggregation`.
    data_type : DataType
        Type of the result.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Scalar
        The result; null where there are no values, but for counts, ``any`` (false) and ``all`` (true).

    Raises
    ------
    TypeError
        Where the result has no cast to ``data_type``.
    NotImplementedError
        For an aggregation that there is not of the type.
    OverflowError
        Where the result does not fit ``data_type``.

    Notes
    -----
    Sums of integers wrap in 64 bits. NaN is what `pylibcuprum.aggregation` says.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId, aggregation
    >>> column = Column.from_iterable_of_py([1, None, 3])
    >>> reduce(column, aggregation.mean(), DataType(TypeId.FLOAT64)).to_py()
    2.0

    >>> reduce(column, aggregation.count(), DataType(TypeId.INT64)).to_py()
    3
    """
    return _rust.reduce(col, agg, data_type, stream, mr)


def scan(
    col: Column,
    agg: Aggregation,
    inclusive: ScanType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return running values of a column: sums, products, extremes, ranks or weighted means.

    Parameters
    ----------
    col : Column
        Values. Nulls stay null and do not take part; a NaN spreads to sums and products behind it.
    agg : Aggregation
        ``sum``, ``product``, ``min``, ``max``, ``rank`` or ``ewma`` of `pylibcuprum.aggregation`.
    inclusive : ScanType
        Whether a row takes part in its own value. An ``EXCLUSIVE`` scan begins with 0, 1, the largest or the
        smallest value of the type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows, of the type of the column; sums and products of BOOL8 are INT64. A rank is the place
        among all values, FLOAT64 for ``AVERAGE`` and shares, else INT32. An exponentially weighted mean is
        FLOAT64, and that of the rows before where the value is null.

    Raises
    ------
    NotImplementedError
        For other aggregations, and types without them.
    OverflowError
        Where a value does not fit the type.

    Examples
    --------
    >>> scan(Column.from_iterable_of_py([1, None, 3]), aggregation.sum(), ScanType.INCLUSIVE).to_pylist()
    [1, None, 4]

    >>> scan(Column.from_iterable_of_py([1, 2, 3]), aggregation.sum(), ScanType.EXCLUSIVE).to_pylist()
    [0, 1, 3]
    """
    return _rust.scan(col, agg, ScanType(inclusive) is ScanType.EXCLUSIVE, stream, mr)


def minmax(
    col: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[Scalar, Scalar]:
    """Return the smallest and the largest value of a column.

    Parameters
    ----------
    col : Column
        Values. Nulls do not take part, NaN is the largest.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Scalar and Scalar
        The smallest and the largest value, in the type of the column; null where there are no values.

    Examples
    --------
    >>> minmax(Column.from_iterable_of_py([3, None, 1]))
    (Scalar<int64>(1), Scalar<int64>(3))
    """
    least = reduce(col, aggregation.min(), col.type(), stream, mr)
    return least, reduce(col, aggregation.max(), col.type(), stream, mr)


def is_valid_reduce_aggregation(source: DataType, agg: Aggregation) -> bool:
    """Return whether `reduce` has an aggregation of values of a type.

    Parameters
    ----------
    source : DataType
        Type of the values.
    agg : Aggregation
        The aggregation that is asked about.

    Returns
    -------
    bool
        False where `reduce` raises NotImplementedError.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> text = DataType(TypeId.STRING)
    >>> [is_valid_reduce_aggregation(text, agg) for agg in (aggregation.max(), aggregation.sum())]
    [True, False]
    """
    return _rust.is_valid_reduce_aggregation(source, agg)


def unique_count(
    source: Column, null_handling: NullPolicy, nan_handling: NanPolicy, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of runs of equal neighbours in a column.

    Parameters
    ----------
    source : Column
        Elements that are compared.
    null_handling : NullPolicy
        Whether runs of nulls count (``INCLUDE``).
    nan_handling : NanPolicy
        Whether NaN is a value (``NAN_IS_VALID``) or null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    int
        Number of runs.

    Examples
    --------
    >>> runs = Column.from_iterable_of_py([1, 1, None, 1])
    >>> unique_count(runs, NullPolicy.INCLUDE, NanPolicy.NAN_IS_VALID)
    3

    >>> unique_count(runs, NullPolicy.EXCLUDE, NanPolicy.NAN_IS_VALID)
    2
    """
    return _rust.unique_count(source, null_handling, nan_handling, stream)


def distinct_count(
    source: Column, null_handling: NullPolicy, nan_handling: NanPolicy, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of distinct values of a column.

    Parameters
    ----------
    source : Column
        Elements that are compared.
    null_handling : NullPolicy
        Whether null counts as a value (``INCLUDE``).
    nan_handling : NanPolicy
        Whether NaN is a value (``NAN_IS_VALID``) or null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    int
        Number of distinct values.

    Examples
    --------
    >>> numbers = Column.from_iterable_of_py([1.0, 1.0, float("nan"), None])
    >>> distinct_count(numbers, NullPolicy.INCLUDE, NanPolicy.NAN_IS_VALID)
    3

    >>> distinct_count(numbers, NullPolicy.INCLUDE, NanPolicy.NAN_IS_NULL)
    2
    """
    return _rust.distinct_count(source, null_handling, nan_handling, stream)


def unique_count_table(
    source: TableLike, nulls_equal: NullEquality, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of runs of equal neighbours among the rows of a table.

    Parameters
    ----------
    source : Table or sequence of Column
        Rows that are compared.
    nulls_equal : NullEquality
        Whether null equals null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    int
        Number of runs.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([1, 1, None, None])]
    >>> unique_count_table(table, NullEquality.EQUAL), unique_count_table(table, NullEquality.UNEQUAL)
    (2, 3)
    """
    return _rust.unique_count_table(source, nulls_equal, stream)


def distinct_count_table(
    source: TableLike, nulls_equal: NullEquality, stream: CudaStreamLike | None = None
) -> int:
    """Return the number of distinct rows of a table.

    Parameters
    ----------
    source : Table or sequence of Column
        Rows that are compared.
    nulls_equal : NullEquality
        Whether null equals null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    int
        Number of distinct rows.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([1, 2, 1, None, None])]
    >>> distinct_count_table(table, NullEquality.EQUAL), distinct_count_table(table, NullEquality.UNEQUAL)
    (3, 4)
    """
    return _rust.distinct_count_table(source, nulls_equal, stream)
