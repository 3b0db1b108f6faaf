"""Formulas, encodings, NaN as null."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Stream, Table
from cuprum._cuprum import _tables as _rust
from pylibcuprum.expressions import Expression

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["column_nans_to_nulls", "compute_column", "encode", "one_hot_encode"]


def column_nans_to_nulls(
    input: Column, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return floats with null where they are NaN; other types are a TypeError."""
    return _rust.column_nans_to_nulls(input, stream, mr)


def compute_column(
    input: TableLike, expr: Expression, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the column of a formula over the columns of a table."""
    return _rust.compute_column(input, expr, stream, mr)


def encode(
    input: TableLike, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[Table, Column]:
    """Return the distinct rows, sorted with nulls last, and for each row the number of its own (INT32).

    Examples
    --------
    >>> keys, numbers = encode([Column.from_iterable_of_py(["b", "a", "b"])])
    >>> keys.columns()[0].to_pylist(), numbers.to_pylist()
    (['a', 'b'], [1, 0, 1])
    """
    return _rust.encode(input, stream, mr)


def one_hot_encode(
    input: Column, categories: Column, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> Table:
    """Return for each category a column that says which rows are equal to it; null equals null."""
    return _rust.one_hot_encode(input, categories, stream, mr)
