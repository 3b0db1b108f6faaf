"""Quantiles of a column, and rows at the quantiles of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Stream, Table
from cuprum._cuprum import _tables as _rust
from pylibcuprum.types import Interpolation, NullOrder, Order, Sorted

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["quantile", "quantiles"]


def quantile(
    input: Column,
    q: Iterable[float],
    interp: Interpolation = Interpolation.LINEAR,
    ordered_indices: Column | None = None,
    exact: bool = True,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the quantile at each fraction (FLOAT64), null where there are no values. NaN does not take part.

    Raises
    ------
    ValueError
        For a fraction outside 0 to 1, and for ``ordered_indices`` and ``exact=False``, which do nothing here.
    TypeError
        For a column that is not of numbers.

    Examples
    --------
    >>> quantile(Column.from_iterable_of_py([1, 2, 4]), [0.25, 0.5]).to_pylist()
    [1.5, 2.0]
    """
    if ordered_indices is not None:
        raise ValueError("`ordered_indices` is not taken: values are selected, not sorted")
    if not exact:
        raise ValueError("`exact` is False; results are FLOAT64")
    return _rust.quantile(input, list(q), interp, stream, mr)


def quantiles(
    input: TableLike,
    q: Iterable[float],
    interp: Interpolation = Interpolation.NEAREST,
    is_input_sorted: Sorted = Sorted.NO,
    column_order: Sequence[Order] | None = None,
    null_precedence: Sequence[NullOrder] | None = None,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the rows at the quantiles of the sorted rows.

    Raises
    ------
    ValueError
        For a fraction outside 0 to 1, an interpolation between rows, and a table without rows.
    """
    return _rust.quantiles(
        input, list(q), interp, is_input_sorted, column_order or [], null_precedence or [], stream, mr
    )
