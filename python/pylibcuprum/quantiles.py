"""Quantiles of a column, and rows at the quantiles of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _tables as _rust
from pylibcuprum.copying import OutOfBoundsPolicy, gather
from pylibcuprum.sorting import is_sorted
from pylibcuprum.stream_compaction import drop_nans, drop_nulls
from pylibcuprum.traits import is_floating_point
from pylibcuprum.types import Interpolation, NullOrder, Order, Sorted
from pylibcuprum.unary import cast
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["quantile", "quantiles"]


def quantile(
    input: Column,
    q: Iterable[float],
    interp: Interpolation = Interpolation.LINEAR,
    ordered_indices: Column | None = None,
    exact: bool = True,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the quantiles of a column of numbers at several fractions.

    Parameters
    ----------
    input : Column
        Numbers. Nulls and NaN do not take part.
    q : iterable of float
        Fractions from 0 to 1.
    interp : Interpolation, default Interpolation.LINEAR
        What lies between two values: ``LINEAR``, ``LOWER``, ``HIGHER``, ``MIDPOINT`` or ``NEAREST``.
    ordered_indices : Column, optional
        Row numbers of those that take part, in ascending order of their values. Without them all rows take
        part, in any order.
    exact : bool, default True
        Whether results are FLOAT64. Else they are of the type of the column, and the fraction of what lies
        between two integers is cut off.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A row for each fraction, null where there are no values.

    Raises
    ------
    ValueError
        For a fraction outside 0 to 1, and for ``ordered_indices`` that are null or not in the order of the
        values.
    IndexError
        For a row number that is none.
    TypeError
        For a column that is not of numbers.

    Examples
    --------
    >>> numbers = Column.from_iterable_of_py([4, 1, None, 2])
    >>> quantile(numbers, [0.25, 0.5]).to_pylist()
    [1.5, 2.0]

    >>> quantile(numbers, [0.25, 0.5], exact=False).to_pylist()
    [1, 2]

    >>> quantile(numbers, [0.5], ordered_indices=Column.from_iterable_of_py([1, 0])).to_pylist()
    [2.5]
    """
    fractions = list(q)
    if ordered_indices is not None:
        input = _in_order(input, ordered_indices)
    if exact:
        return _rust.quantile(input, fractions, interp, stream, mr)
    between = Interpolation(interp) in (Interpolation.LINEAR, Interpolation.MIDPOINT)
    rows = drop_nulls([input], [0], 1)
    if is_floating_point(input.type()):
        rows = drop_nans(rows, [0], 1)
    if between or rows.num_rows() == 0:
        return cast(_rust.quantile(input, fractions, interp), input.type(), stream, mr)
    # Rows, so that no digit of an integer is lost.
    return quantiles(rows, fractions, interp, stream=stream, mr=mr).columns()[0]


def _in_order(values: Column, rows: Column) -> Column:
    if rows.null_count():
        raise ValueError(f"`ordered_indices` has {rows.null_count()} nulls")
    ordered = gather([values], rows, OutOfBoundsPolicy.DONT_CHECK)
    known = drop_nulls(ordered, [0], 1)
    if not is_sorted(known, [Order.ASCENDING], [NullOrder.AFTER]):
        raise ValueError("`ordered_indices` are not in ascending order of the values")
    return ordered.columns()[0]


def quantiles(
    input: TableLike,
    q: Iterable[float],
    interp: Interpolation = Interpolation.NEAREST,
    is_input_sorted: Sorted = Sorted.NO,
    column_order: Sequence[Order] | None = None,
    null_precedence: Sequence[NullOrder] | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows of a table at several fractions of its sorted rows.

    Parameters
    ----------
    input : Table or sequence of Column
        Table with at least one row; the first column counts most.
    q : iterable of float
        Fractions from 0 to 1.
    interp : Interpolation, default Interpolation.NEAREST
        The row that is taken between two: ``LOWER``, ``HIGHER`` or ``NEAREST``.
    is_input_sorted : Sorted, default Sorted.NO
        ``YES`` takes the rows as they are, which is not checked.
    column_order : sequence of Order, optional
        Order of each column; all ascend by default.
    null_precedence : sequence of NullOrder, optional
        Whether the nulls of each column are smaller (``BEFORE``) or larger (``AFTER``) than all values;
        smaller by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A row of ``input`` for each fraction.

    Raises
    ------
    ValueError
        For a fraction outside 0 to 1, an interpolation between rows, and a table without rows.

    Examples
    --------
    >>> table = [Column.from_iterable_of_py([3, 1, 2]), Column.from_iterable_of_py(["c", "a", "b"])]
    >>> [column.to_pylist() for column in quantiles(table, [0.0, 0.5]).columns()]
    [[1, 2], ['a', 'b']]
    """
    return _rust.quantiles(
        input, list(q), interp, is_input_sorted, column_order or [], null_precedence or [], stream, mr
    )
