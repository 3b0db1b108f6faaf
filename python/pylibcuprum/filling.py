"""Columns from a rule: ranges of one value, sequences, repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Column, Scalar, Table
from cuprum._cuprum import _values as _rust
from pylibcuprum.traits import is_fixed_width
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["calendrical_month_sequence", "fill", "fill_in_place", "repeat", "sequence"]


def fill(
    destination: Column, begin: int, end: int, value: Scalar, stream: CudaStreamLike | None = None
) -> Column:
    """Return the column with the rows from ``begin`` up to ``end`` replaced by ``value``."""
    return _rust.fill(destination, begin, end, value, stream)


def fill_in_place(
    destination: Column, begin: int, end: int, value: Scalar, stream: CudaStreamLike | None = None
) -> Column:
    """Return what `fill` does, for columns of a fixed width alone.

    Columns never change here: others may share their memory. Take the one that is returned.

    Raises
    ------
    TypeError
        For texts, lists and structs.

    Examples
    --------
    >>> fill_in_place(Column.from_iterable_of_py([1, 2, 3]), 1, 3, Scalar.from_py(9)).to_pylist()
    [1, 9, 9]
    """
    if not is_fixed_width(destination.type()):
        raise TypeError(f"`destination` is {destination.type()}, which is not of a fixed width")
    return _rust.fill(destination, begin, end, value, stream)


def sequence(size: int, init: Scalar, step: Scalar, stream: CudaStreamLike | None = None) -> Column:
    """Return ``init, init + step, …``: numbers of their type.

    Examples
    --------
    >>> sequence(3, Scalar.from_py(1), Scalar.from_py(2)).to_pylist()
    [1, 3, 5]
    """
    return _rust.sequence(size, init, step, stream)


def repeat(input_table: TableLike, count: Column | int, stream: CudaStreamLike | None = None) -> Table:
    """Return each row ``count`` times, or as often as the row of a column says, the copies side by side."""
    return _rust.repeat(input_table, count, stream)


def calendrical_month_sequence(
    n: int, init: Scalar, months: int, stream: CudaStreamLike | None = None
) -> Column:
    """Return ``init`` and the timestamps ``months`` months later each, on the last day where a month is too short."""
    return _rust.calendrical_month_sequence(n, init, months, stream)
