"""Functions of Python over groups, computed for all groups at once where they can be traced.

What is traced is in `cuprum.core.functions.grouped_scalar`; here are the groups that functions get, and their results as columns.
"""

from __future__ import annotations

import functools
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.construction import column_from
from cuprum.core.functions.bytecode import traceable_call
from cuprum.core.functions.grouped_column import GroupedColumn, GroupedFrame, Record
from cuprum.core.functions.grouped_functions import group_names
from cuprum.core.functions.grouped_scalar import GroupedScalar, Groups, RowSet, is_constant, kind_of
from cuprum.core.functions.trace import NotTraced
from cuprum.core.interop import to_numpy
from cuprum.core.objects import wrap_series

__all__ = ["TracedGroups"]


class TracedGroups:
    """The groups that functions get, and what functions make of them; methods raise `NotTraced`."""

    def __init__(self, by: Any) -> None:
        import numpy as np

        self._frame = by._frame._handle
        numbers = to_numpy(by._handle.ngroup().column()).astype("int64")
        count = self.count = by._handle.num_groups()
        # The groups of rows, -1 for rows in none.
        self.numbers = numbers
        self.positions = np.flatnonzero(numbers >= 0)
        self._is_whole = len(self.positions) == len(numbers)
        if not count or not np.bincount(numbers[self.positions], minlength=count).all():
            raise NotTraced("groups without rows")

        def aggregate(label: Any, name: str, parameter: float | None) -> Column:
            handle = by._handle.aggregate([(label, label, name, parameter)], 0, True)
            return handle.column_at(handle.num_columns() - 1).column()

        inside = wrap_series(_cuprum.Series(column_from(numbers[self.positions])))
        self._groups = Groups(inside, count, aggregate)

    def _elements(self, label: Any) -> GroupedColumn:
        column = self._frame.column(label).column()
        if not self._is_whole:
            column = _cuprum.Series(column).take(column_from(self.positions)).column()
        series = wrap_series(_cuprum.Series(column))
        return self._groups.noted(
            ("column", label), lambda: GroupedColumn(self._groups._row_set, series, label, [label])
        )

    def _found(self, func: Any, stand_in: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        call = traceable_call(func, args, kwargs, group_names())
        return self._together(self._groups.results(call, stand_in))

    def of_column(self, label: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a function of the elements of a column in each group: a stand-in."""
        return self._found(func, self._elements(label), args, kwargs)

    def of_rows(self, labels: list[Any], func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a function of the rows of each group: a stand-in."""
        columns = {label: functools.partial(self._elements, label) for label in labels}
        if len(columns) != len(labels):
            raise NotTraced("columns of one label")
        return self._found(func, GroupedFrame(self._groups._row_set, columns), args, kwargs)

    # Results.

    def _together(self, found: list[tuple[Any, Any]]) -> Any:
        """Return the results of all ways through a function, each for its groups."""
        if len(found) == 1:
            return found[0][1]
        results = [result for _, result in found]
        if all(isinstance(result, Record) for result in results):
            return self._records(found)
        if any(isinstance(result, (GroupedFrame, Record)) for result in results):
            raise NotTraced("results of which some are the rows of a group")
        kinds = {kind_of(result) for result in results}
        rows = [result for result in results if isinstance(result, GroupedColumn)]
        if len(kinds) > 1 and (rows or not kinds <= {"int", "float"}):
            raise NotTraced(f"results of different types ({' and '.join(sorted(kinds))})")
        if len(rows) not in (0, len(results)) or any(
            one._row_set is not self._groups._row_set for one in rows
        ):
            raise NotTraced("results of which some are the rows of a group")
        if rows:
            chosen = rows[-1]._series
            for way, result in reversed(found[:-1]):
                way = GroupedScalar(self._groups, way)
                chosen = result._series.where(self._groups._row_set.spread(way), chosen)
            names = {one._name for one in rows}
            return GroupedColumn(self._groups._row_set, chosen, names.pop() if len(names) == 1 else None)
        chosen = self._series(results[-1], kinds)
        for way, result in reversed(found[:-1]):
            chosen = self._series(result, kinds).where(way, chosen)
        return GroupedScalar(self._groups, chosen)

    def _series(self, result: Any, kinds: set[str]) -> Any:
        series = result._series if isinstance(result, GroupedScalar) else self._groups.constant(result)
        return series.astype("float64") if len(kinds) > 1 and kind_of(result) == "int" else series

    def _records(self, found: list[tuple[Any, Any]]) -> Record:
        labels = list(found[0][1]._values)
        if any(list(record._values) != labels for _, record in found):
            raise NotTraced("Series of different labels")
        return Record({
            label: self._together([(way, record._values[label]) for way, record in found]) for label in labels
        })  # fmt: skip

    def is_value(self, result: Any) -> bool:
        """Whether a result is a value for each group."""
        return isinstance(result, GroupedScalar) or is_constant(result)

    def values(self, result: Any) -> Column:
        """Return a result as a column with a value for each group."""
        if not self.is_value(result):
            raise NotTraced("results that are not one value")
        return self._series(result, set())._handle.column()

    def row_columns(self, record: Record) -> list[Column]:
        """Return the values of a series as columns of one type."""
        kinds = {"int", "float"} if record._kind == "float" else {record._kind}
        return [self._series(value, kinds)._handle.column() for value in record._values.values()]

    def elements(self, result: Any) -> Column:
        """Return a result as a column with an element for each row of the frame; missing for rows in no group."""
        import numpy as np

        if self.is_value(result):
            column = self.values(result)
            places = np.where(self.numbers >= 0, self.numbers, 0)
        elif isinstance(result, GroupedColumn) and result._row_set is self._groups._row_set:
            column = result._series._handle.column()
            places = np.maximum(np.cumsum(self.numbers >= 0) - 1, 0)
            if self._is_whole:
                return column
        else:
            raise NotTraced("results that are not as long as their groups")
        series = _cuprum.Series(column)
        if self._is_whole:
            return series.take(column_from(places)).column()
        where = _cuprum.Series(column_from(places)).where(column_from(self.numbers >= 0), None, False)
        return series.take(where.column()).column()

    def kept(self, result: Any) -> Any:
        """Return for each row of the frame whether a result is true for its group, as an array."""
        import numpy as np

        if not self.is_value(result) or kind_of(result) != "bool":
            raise NotTraced("results that are no truth values")
        flags = to_numpy(self.values(result)).astype(bool)
        kept = np.zeros(len(self.numbers), dtype=bool)
        kept[self.positions] = flags[self.numbers[self.positions]]
        return kept

    def rows(self, result: Any) -> tuple[Any, Any, bool]:
        """Return rows that are a result group after group, the number of each one's group, and whether they are all.

        They have the labels of the frame.
        """
        if not isinstance(result, (GroupedColumn, GroupedFrame)):
            raise NotTraced("results that are not rows")
        row_set: RowSet = result._row_set
        order = row_set.order()
        positions = self.positions if row_set.rows is None else self.positions[row_set.rows]
        if not len(order):
            raise NotTraced("rows that no group has")
        index = self._frame.index().take(column_from(positions[order]))
        numbers = to_numpy(row_set.numbers._handle.column())[order]
        if isinstance(result, GroupedColumn):
            column = result._series._handle.take(column_from(order)).column()
            handle: Any = _cuprum.Series(column, result._name, index)
        else:
            columns = [one()._series._handle.column() for one in result._columns.values()]
            table = _cuprum.DataFrame(list(result._columns), columns).take(column_from(order))
            handle = table.with_index(index)
            if self._frame.level_names() != [None]:
                handle = handle.with_labels(list(result._columns), self._frame.level_names())
        return handle, numbers, len(order) == len(self.positions)
