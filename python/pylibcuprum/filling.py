"""Columns from a rule: ranges of one value, sequences, repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Column, Scalar, Table, _copying
from cuprum._cuprum import _values as _rust
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["calendrical_month_sequence", "fill", "fill_in_place", "repeat", "sequence"]


def fill(
    destination: Column, begin: int, end: int, value: Scalar, stream: CudaStreamLike | None = None
) -> Column:
    """Return a column with a range of rows replaced by one value.

    Parameters
    ----------
    destination : Column
        Column of any type; it stays as it is.
    begin : int
        First row that is replaced.
    end : int
        Row behind the last one that is replaced.
    value : Scalar
        Value of the type of the column; it may be null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    Column
        As many rows as ``destination``.

    Raises
    ------
    IndexError
        Where the range leaves the column, or ends before it begins.
    TypeError
        Where ``value`` is of another type.

    Examples
    --------
    >>> fill(Column.from_iterable_of_py(["a", "b", "c"]), 1, 3, Scalar.from_py("x")).to_pylist()
    ['a', 'x', 'x']
    """
    return _rust.fill(destination, begin, end, value, stream)


def fill_in_place(
    destination: Column, begin: int, end: int, value: Scalar, stream: CudaStreamLike | None = None
) -> None:
    """Replace a range of rows of a column of a fixed width by one value, in place.

    Parameters
    ----------
    destination : Column
        Column of a fixed-width type. It changes.
    begin : int
        First row that is replaced.
    end : int
        Row behind the last one that is replaced.
    value : Scalar
        Value of the type of the column; it may be null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Raises
    ------
    TypeError
        For texts, lists and structs, and where ``value`` is of another type.
    IndexError
        Where the range leaves the column, or ends before it begins.

    Notes
    -----
    Where ``destination`` shares its memory with other columns, frames or libraries, it gets memory of its own
    first: they keep their rows.

    Examples
    --------
    >>> column = Column.from_iterable_of_py([1, 2, 3])
    >>> fill_in_place(column, 1, 3, Scalar.from_py(9))
    >>> column.to_pylist()
    [1, 9, 9]
    """
    _copying.fill_in_place(destination, begin, end, value, stream)


def sequence(size: int, init: Scalar, step: Scalar, stream: CudaStreamLike | None = None) -> Column:
    """Return the numbers ``init``, ``init + step``, ``init + 2 * step`` and so on.

    Parameters
    ----------
    size : int
        Number of rows, 0 or more.
    init : Scalar
        First number, not null.
    step : Scalar
        Difference of neighbours, of the type of ``init``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    Column
        ``size`` numbers of the type of ``init``.

    Raises
    ------
    TypeError
        Where ``init`` and ``step`` are no numbers of one type.
    ValueError
        For a negative ``size``, and where ``init`` or ``step`` is null.

    Examples
    --------
    >>> sequence(3, Scalar.from_py(1), Scalar.from_py(2)).to_pylist()
    [1, 3, 5]

    >>> sequence(3, Scalar.from_py(1.0), Scalar.from_py(-0.5)).to_pylist()
    [1.0, 0.5, 0.0]
    """
    return _rust.sequence(size, init, step, stream)


def repeat(input_table: TableLike, count: Column | int, stream: CudaStreamLike | None = None) -> Table:
    """Return each row of a table several times, its copies next to each other.

    Parameters
    ----------
    input_table : Table or sequence of Column
        Table whose rows are repeated.
    count : int or Column
        How often each row stands in the result: for all rows, or an integer for each row, without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    Table
        The copies in the order of the rows.

    Raises
    ------
    ValueError
        For negative counts, and for nulls among them.
    RuntimeError
        Where a column of counts has another number of rows than the table.

    See Also
    --------
    reshape.tile : Copies of the whole table.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py(["a", "b"])]
    >>> repeat(table, 2).columns()[0].to_pylist()
    ['a', 'a', 'b', 'b']

    >>> repeat(table, Column.from_iterable_of_py([0, 3])).columns()[0].to_pylist()
    ['b', 'b', 'b']
    """
    return _rust.repeat(input_table, count, stream)


def calendrical_month_sequence(
    n: int, init: Scalar, months: int, stream: CudaStreamLike | None = None
) -> Column:
    """Return timestamps that are a number of months apart.

    Parameters
    ----------
    n : int
        Number of rows, 0 or more.
    init : Scalar
        First timestamp.
    months : int
        Months from each timestamp to the next; it may be negative.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    Column
        ``n`` timestamps of the type of ``init``: row ``i`` is ``i * months`` months after ``init``, on the
        last day where the month is too short.

    Raises
    ------
    TypeError
        Where ``init`` is no timestamp.
    ValueError
        For a negative ``n``.

    Examples
    --------
    >>> from datetime import datetime
    >>> days = calendrical_month_sequence(3, Scalar.from_py(datetime(2024, 1, 31)), 1)
    >>> [str(day)[:10] for day in days.to_pylist()]
    ['2024-01-31', '2024-02-29', '2024-03-31']
    """
    return _rust.calendrical_month_sequence(n, init, months, stream)
