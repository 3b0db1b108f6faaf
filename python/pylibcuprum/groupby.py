"""Aggregation, running values and moves of rows with equal keys.

Keys are compared as `pylibcuprum.join` does: NaN equals NaN and is no null. With ``NullPolicy.EXCLUDE`` rows with
a null key are in no group. Groups are in the order in which their first rows appear.

Examples
--------
>>> from pylibcuprum import Column, Table, aggregation
>>> keys = Table([Column.from_iterable_of_py(["b", "a", "b"])])
>>> request = GroupByRequest(Column.from_iterable_of_py([1, 2, 3]), [aggregation.sum()])
>>> keys, results = GroupBy(keys).aggregate([request])
>>> keys.columns()[0].to_pylist(), results[0].columns()[0].to_pylist()
(['b', 'a'], [4, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Table
from cuprum._cuprum import _groupby as _rust
from pylibcuprum.aggregation import Aggregation
from pylibcuprum.replace import ReplacePolicy
from pylibcuprum.types import NullOrder, NullPolicy, Order, Sorted
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["GroupBy", "GroupByRequest"]


class GroupByRequest:
    """Aggregations of a column of values."""

    def __init__(self, values: Column, aggregations: list[Aggregation]) -> None:
        self._values = values
        self._aggregations = list(aggregations)


class GroupBy:
    """The groups of rows with equal keys.

    ``keys_are_sorted``, with the order and the null precedence of the keys, is a promise that nothing relies on:
    groups of sorted keys are in their order anyway.
    """

    def __init__(
        self,
        keys: TableLike,
        null_handling: NullPolicy = NullPolicy.EXCLUDE,
        keys_are_sorted: Sorted = Sorted.NO,
        column_order: list[Order] | None = None,
        null_precedence: list[NullOrder] | None = None,
    ) -> None:
        self._keys = keys if isinstance(keys, Table) else Table(list(keys))
        self._nulls = NullPolicy(null_handling)
        Sorted(keys_are_sorted)
        for name, entries, kind in (
            ("column_order", column_order, Order),
            ("null_precedence", null_precedence, NullOrder),
        ):
            if entries and len(entries) != self._keys.num_columns():
                raise ValueError(
                    f"`{name}` has {len(entries)} entries for {self._keys.num_columns()} key columns"
                )
            for entry in entries or []:
                if not isinstance(entry, kind):
                    raise TypeError(f"`{name}` has {entry!r}, which is no {kind.__name__}")

    def aggregate(
        self,
        requests: list[GroupByRequest],
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[Table, list[Table]]:
        """Return the keys of the groups, and for each request a table with a column for each aggregation.

        Counts and rows are INT32, means and their like FLOAT64, sums of integers INT64 or UINT64. A group without
        values is null, but for counts, ``any`` and ``all``.
        """
        return _rust.aggregate(self._keys, self._nulls, *_asked(requests), stream, mr)

    def scan(
        self,
        requests: list[GroupByRequest],
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[Table, list[Table]]:
        """Return the keys of all rows, group after group, and their running sums, products and extremes, ranks or numbers.

        ``count`` of all rows numbers the rows of a group from 0 on. Nulls stay null and do not take part; a NaN
        spreads to sums and products behind it. Other aggregations are a NotImplementedError.
        """
        return _rust.scan(self._keys, self._nulls, *_asked(requests), stream, mr)

    def shift(
        self,
        values: TableLike,
        offset: list[int],
        fill_values: list[Scalar],
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[Table, Table]:
        """Return the keys of all rows, group after group, and the values moved down in their groups."""
        return _rust.shift(self._keys, self._nulls, values, offset, fill_values, stream, mr)

    def replace_nulls(
        self,
        value: TableLike,
        replace_policies: list[ReplacePolicy],
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[Table, Table]:
        """Return the keys of all rows, group after group, and the values with nulls filled from neighbours."""
        return _rust.replace_nulls(self._keys, self._nulls, value, replace_policies, stream, mr)

    def get_groups(
        self,
        values: TableLike | None = None,
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[list[int], Table, Table]:
        """Return where each group begins, the keys of all rows, group after group, and their values."""
        offsets, (keys, moved) = _rust.get_groups(self._keys, self._nulls, values, stream, mr)
        return offsets, keys, moved


def _asked(requests: Sequence[GroupByRequest]) -> tuple[list[Column], list[list[Aggregation]]]:
    return [request._values for request in requests], [request._aggregations for request in requests]
