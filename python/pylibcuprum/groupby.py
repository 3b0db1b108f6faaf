"""Aggregation, running values and moves of rows with equal keys.

Keys are compared as `pylibcuprum.join` does: NaN equals NaN and is no null. With ``NullPolicy.EXCLUDE`` rows
with a null key are in no group. Groups are in the order in which their first rows appear.

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
    """A column of values, and its aggregations in `GroupBy.aggregate` and `GroupBy.scan`.

    Parameters
    ----------
    values : Column
        A value for each row of the keys.
    aggregations : list of Aggregation
        The aggregation to compute, from `pylibcuprum.aggregation`.
    """

    def __init__(self, values: Column, aggregations: list[Aggregation]) -> None:
        self._values = values
        self._aggregations = list(aggregations)


class GroupBy:
    """The groups of rows with equal keys.

    Parameters
    ----------
    keys : Table or sequence of Column
        Keys, one column or several.
    null_handling : NullPolicy, default NullPolicy.EXCLUDE
        With ``EXCLUDE`` rows with a null key are in no group; with ``INCLUDE`` null is a key.
    keys_are_sorted : Sorted, default Sorted.NO
        A promise that nothing relies on: groups of sorted keys are in their order anyway.
    column_order : list of Order, optional
        Order of sorted keys; of no effect.
    null_precedence : list of NullOrder, optional
        Place of nulls in sorted keys; of no effect.

    Raises
    ------
    ValueError
        Where orders or precedences are of another number than key columns.

    Examples
    --------
    >>> keys = Table([Column.from_iterable_of_py(["b", "a", "b", None])])
    >>> GroupBy(keys).get_groups()[0], GroupBy(keys, NullPolicy.INCLUDE).get_groups()[0]
    ([0, 2, 3], [0, 2, 3, 4])
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
        """Return the keys of the groups, and the aggregations of each request.

        Parameters
        ----------
        requests : list of GroupByRequest
            Values and their aggregations.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        tuple of Table and list of Table
            The keys, a row for each group in the order of their first rows, and for each request a table with
            a column for each aggregation. Counts and row numbers are INT32, means and their like FLOAT64,
            sums of integers INT64 or UINT64. A group without values is null, but for counts, ``any`` and
            ``all``.

        Raises
        ------
        ValueError
            Where values have another number of rows than keys.
        NotImplementedError
            For an aggregation that there is not of groups of the type; TypeError for sums of texts.

        Examples
        --------
        >>> from pylibcuprum import aggregation
        >>> groups = GroupBy([Column.from_iterable_of_py(["b", "a", "b"])])
        >>> values = Column.from_iterable_of_py([1, None, 3])
        >>> request = GroupByRequest(values, [aggregation.sum(), aggregation.count()])
        >>> keys, results = groups.aggregate([request])
        >>> keys.columns()[0].to_pylist()
        ['b', 'a']

        >>> [column.to_pylist() for column in results[0].columns()]
        [[4, None], [2, 1]]
        """
        return _rust.aggregate(self._keys, self._nulls, *_asked(requests), stream, mr)

    def scan(
        self,
        requests: list[GroupByRequest],
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[Table, list[Table]]:
        """Return the keys of all rows, group after group, and running values of each request.

        Parameters
        ----------
        requests : list of GroupByRequest
            Values with sums, products, extremes, ranks or counts. ``count`` of all rows numbers the rows of a
            group from 0 on.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        tuple of Table and list of Table
            The keys, a row for each row that is in a group, and for each request a table with a column for
            each aggregation. Nulls stay null and do not take part; a NaN spreads to sums and products behind
            it.

        Raises
        ------
        NotImplementedError
            For other aggregations.

        Examples
        --------
        >>> from pylibcuprum import aggregation
        >>> groups = GroupBy([Column.from_iterable_of_py(["b", "a", "b"])])
        >>> request = GroupByRequest(Column.from_iterable_of_py([1, 2, 3]), [aggregation.sum()])
        >>> keys, results = groups.scan([request])
        >>> keys.columns()[0].to_pylist(), results[0].columns()[0].to_pylist()
        (['b', 'b', 'a'], [1, 4, 2])
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
        """Return the keys of all rows, group after group, and the values moved down in their groups.

        Parameters
        ----------
        values : Table or sequence of Column
            Columns whose rows are moved.
        offset : list of int
            Number of rows to move down for each column; up where it is negative.
        fill_values : list of Scalar
            Value of the free rows of each column, of its type; it may be null.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        tuple of Table and Table
            The keys and the moved values, a row for each row that is in a group.

        Raises
        ------
        ValueError
            Where offsets or fill values are of another number than columns.

        Examples
        --------
        >>> groups = GroupBy([Column.from_iterable_of_py(["b", "a", "b"])])
        >>> keys, moved = groups.shift([Column.from_iterable_of_py([1, 2, 3])], [1], [Scalar.from_py(0)])
        >>> keys.columns()[0].to_pylist(), moved.columns()[0].to_pylist()
        (['b', 'b', 'a'], [0, 1, 0])
        """
        return _rust.shift(self._keys, self._nulls, values, offset, fill_values, stream, mr)

    def replace_nulls(
        self,
        value: TableLike,
        replace_policies: list[ReplacePolicy],
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[Table, Table]:
        """Return the keys of all rows, group after group, and the values with nulls filled from neighbours.

        Parameters
        ----------
        value : Table or sequence of Column
            Columns with nulls.
        replace_policies : list of ReplacePolicy
            For each column ``PRECEDING`` or ``FOLLOWING``: the next value before or behind in the group
            stands in for a null.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        tuple of Table and Table
            The keys and the filled values, a row for each row that is in a group. A null without such a
            neighbour stays null.

        Raises
        ------
        ValueError
            Where policies are of another number than columns.

        Examples
        --------
        >>> groups = GroupBy([Column.from_iterable_of_py(["b", "a", "b"])])
        >>> values = [Column.from_iterable_of_py([1, None, None])]
        >>> keys, filled = groups.replace_nulls(values, [ReplacePolicy.PRECEDING])
        >>> keys.columns()[0].to_pylist(), filled.columns()[0].to_pylist()
        (['b', 'b', 'a'], [1, 1, None])
        """
        return _rust.replace_nulls(self._keys, self._nulls, value, replace_policies, stream, mr)

    def get_groups(
        self,
        values: TableLike | None = None,
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
    ) -> tuple[list[int], Table, Table]:
        """Return where each group begins, and the keys and values of all rows, group after group.

        Parameters
        ----------
        values : Table or sequence of Column, optional
            Values that are moved with their keys; none by default.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        tuple of list of int, Table and Table
            Offsets, one more than groups; the keys; the values (without columns where none are given). Rows
            that are in no group are left out.

        Examples
        --------
        >>> groups = GroupBy([Column.from_iterable_of_py(["b", "a", "b", None])])
        >>> offsets, keys, values = groups.get_groups([Column.from_iterable_of_py([1, 2, 3, 4])])
        >>> offsets, keys.columns()[0].to_pylist(), values.columns()[0].to_pylist()
        ([0, 2, 3], ['b', 'b', 'a'], [1, 3, 2])
        """
        offsets, (keys, moved) = _rust.get_groups(self._keys, self._nulls, values, stream, mr)
        return offsets, keys, moved


def _asked(requests: Sequence[GroupByRequest]) -> tuple[list[Column], list[list[Aggregation]]]:
    return [request._values for request in requests], [request._aggregations for request in requests]
