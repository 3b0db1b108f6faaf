"""Functions of Python that are called with the rows of each group: `apply`, `filter`, `pipe`.

What can be traced is computed for all groups at once (`traced`). For other functions rows are gathered once, group after
group; each group is a slice of them. What the functions return is put together
as pandas does: values under the keys of the groups, series as rows of a frame or one after the other, frames one after
the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import functions, objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.construction import column_from
from cuprum.core.functions.grouped_column import GroupedColumn, GroupedFrame, Record
from cuprum.core.functions.results import column_of_values, columns_across
from cuprum.core.functions.trace import NotTraced
from cuprum.core.groupby.aggregation import is_named, passes_missing
from cuprum.core.groupby.traced import TracedGroups
from cuprum.core.index.index import wrap_index
from cuprum.core.interop import to_numpy
from cuprum.core.label_columns import index_of_columns, level_columns
from cuprum.core.objects import is_of_users, set_handle, wrap_frame, wrap_series
from cuprum.core.reshape.concat import concat
from cuprum.core.slow_calls import Watch
from cuprum.core.subclasses import own

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
else:
    from typing import TypeVar

__all__ = ["GroupCalls"]

_WHY = "aggregations and methods of groups by name ('mean', 'cumsum', head, …) are faster"


# Results of groups: aggregations, rows of the groups, aggregations of one column of a frame, and numbers of
# rows: frames or series.
if TYPE_CHECKING:
    Aggregated = TypeVar("Aggregated", covariant=True, default="Series")
    Rows = TypeVar("Rows", covariant=True, default="Series")
    ByColumn = TypeVar("ByColumn", covariant=True, default="Series")
    Sizes = TypeVar("Sizes", covariant=True, default="Series")
else:  # before Python 3.13 there are no defaults
    Aggregated, Rows, ByColumn, Sizes = map(TypeVar, ("Aggregated", "Rows", "ByColumn", "Sizes"))


class GroupCalls(Generic[Aggregated, Rows]):
    """The methods of groups that call functions of Python."""

    __slots__ = ()

    _made_of: ClassVar = attrgetter("_grouped.owner")  # see `subclasses`
    _as_index: bool
    _frame: DataFrame
    _grouped: Any
    _group_keys: bool
    _handle: Any
    _keys: list[tuple[Any, Any]]
    _name: Any
    _selection: Any

    def _inputs(self, numeric_only: bool = False) -> list[Any]:
        """The labels of the columns that functions see."""
        raise NotImplementedError

    def _key_names(self) -> list[Any]:
        raise NotImplementedError

    def _of_series(self) -> bool:
        raise NotImplementedError

    # The groups.

    def _keys_index(self) -> Index:
        """The keys of the groups, in the order of results."""
        return wrap_index(self._handle.size().index())

    def _rows_and_ends(self) -> tuple[Column, list[tuple[int, int]]]:
        """The rows group after group, and where each group begins among them and how many rows it has."""
        rows, offsets = self._handle.rows_by_group()
        return rows, [(start, end - start) for start, end in pairwise(to_numpy(offsets).tolist())]

    def _pieces(self, table: Any, ends: list[tuple[int, int]], named: bool) -> Iterator[tuple[Any, Any]]:
        """Pairs of key and rows of each group of a table in the order of groups; ``named`` by the key."""
        owner: Any = self._grouped.owner
        is_own = is_of_users(type(owner))  # of a class of users, which the pieces are of, too
        for key, (start, length) in zip(self._keys_index().to_list(), ends, strict=True):
            handle = table.slice(start, length)
            if isinstance(handle, _cuprum.Series):
                piece = wrap_series(handle.rename(key) if named else handle)
                yield key, own(owner, piece) if is_own else piece
            elif is_own:
                group = own(owner, wrap_frame(handle))
                object.__setattr__(group, "name", key)
                yield key, group
            else:
                group = object.__new__(objects.GroupFrame)
                set_handle(group, handle)
                group.name = key
                yield key, group

    def _called(
        self,
        func: Any,
        pieces: Iterator[tuple[Any, Any]],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> list[Any]:
        """The results of a function for each group."""
        return functions.called_for_each(func, pieces, args, kwargs, "in the group")

    def _watch(self, func: Any, why: NotTraced) -> Watch:
        """Return what warns that a function is called for each group, once for all columns, and why."""
        return Watch(func, "group", f"it cannot be computed for all groups at once (reason: {why}); {_WHY}")

    def _stands_for(self, func: Any, label: Any) -> bool:
        """Whether an aggregation gives what a function does for the elements of a column."""
        if not is_named(func):
            return False
        if passes_missing(func) is not None:
            return True
        # Python compares the values of categories, and keeps or skips missing ones as they come.
        elements = wrap_series(self._frame._handle.column(label))
        return bool(elements.dtype != "category" and not elements.hasnans)

    # apply.

    def _applied(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of `apply`."""
        if isinstance(func, str):
            return self._attribute(func, args, kwargs)
        if not callable(func):
            raise TypeError(f"apply func should be callable, not {func!r}")
        try:
            return self._applied_at_once(func, args, kwargs)
        except NotTraced as why:
            with self._watch(func, why):
                return self._by_group(func, self._inputs(), args, kwargs, True)

    def _applied_at_once(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of `apply` with a function that can be traced."""
        traced, inputs, of_series = TracedGroups(self), self._inputs(), self._of_series()
        made = traced.of_column(inputs[0], func, args, kwargs) if of_series else None
        if not of_series:
            made = traced.of_rows(inputs, func, args, kwargs)
        if isinstance(made, Record):
            if of_series:
                raise NotTraced("a Series for each group of a series")
            return self._rows_of(list(made._values), traced.row_columns(made), [None])
        if traced.is_value(made):
            return self._under_keys(traced.values(made), None)
        index = self._frame._handle.index()
        if isinstance(made, GroupedColumn) and not of_series and (traced.count < 2 or not index.is_unique()):
            # Where all groups have the same labels, these become columns.
            raise NotTraced("elements of rows whose labels may be the same in all groups")
        handle, numbers, are_all = traced.rows(made)
        if (
            isinstance(made, GroupedFrame)
            and list(made._columns) != inputs
            and len(self._frame._handle.level_names()) > 1
        ):
            raise NotTraced("other columns of several levels of labels")
        rows, _ = self._handle.rows_by_group()
        in_order = are_all and (of_series or isinstance(made, GroupedFrame))
        return self._placed(handle, numbers, rows if in_order else None)

    def _by_group(
        self,
        func: Any,
        inputs: list[Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        in_order: bool = False,
    ) -> Any:
        """Return the result of a function of some columns of each group, put together.

        Results that have the rows of their groups may be brought ``in_order`` of the rows of the frame.
        """
        rows, ends = self._rows_and_ends()
        table = self._frame._handle.select(inputs).take(rows)
        table = table.column_at(0).rename(self._name) if self._of_series() else table
        values = self._called(func, self._pieces(table, ends, True), args, kwargs or {})
        if not values:
            return self._of_no_group(table)
        return self._put_together(values, table, rows, ends if in_order else None)

    def _attribute(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a method by its name, or a property."""
        if name.startswith("_") or not hasattr(type(self), name):
            raise TypeError(f"apply func should be callable, not {name!r}")
        found = getattr(self, name)
        if callable(found):
            return found(*args, **kwargs)
        if args or kwargs:
            raise ValueError(f"Cannot pass arguments to property {name}")
        return found

    def _of_no_group(self, table: Any) -> Any:
        """Return the columns without rows, under the keys of no group."""
        keyed = self._group_keys and (self._as_index or self._of_series())
        index = self._keys_index()._handle if keyed else _cuprum.Index.range(0, 0)
        return self._around(table.slice(0, 0).with_index(index))

    def _around(self, handle: Any) -> Any:
        return wrap_series(handle.rename(self._name)) if self._of_series() else wrap_frame(handle)

    def _put_together(
        self, values: list[Any], table: Any, rows: Column, ends: list[tuple[int, int]] | None
    ) -> Any:
        of_series = self._of_series()
        first = values[0] if of_series else next((value for value in values if value is not None), None)
        if isinstance(first, objects.DataFrame) or (of_series and isinstance(first, objects.Series)):
            return self._one_after_the_other(values, table, rows, ends)
        if of_series and isinstance(first, dict):
            table = objects.DataFrame(values, index=self._keys_index())
            return table.stack().rename(self._name)
        if isinstance(first, objects.Series):
            return self._as_rows(values, table, rows, ends)
        if first is None and not of_series:
            return wrap_frame(table.slice(0, 0).with_index(_cuprum.Index.range(0, 0)))
        name = None
        if is_list_like(first) and hasattr(first, "dtype"):
            name = tuple(self._selection) if isinstance(self._selection, list) else self._selection
        return self._under_keys(column_of_values(values), name)

    def _under_keys(self, column: Column, name: Any) -> Any:
        """Return a value for each group under the keys; ``name`` is that of values of frames."""
        of_series = self._of_series()
        if of_series:
            name = self._name
        if self._as_index:
            return wrap_series(_cuprum.Series(column, name, self._keys_index()._handle))
        if isinstance(self._selection, list):
            if len(self._selection) != 1:
                raise ValueError(
                    "apply with as_index=False takes functions that return one value of one column, "
                    f"not of the columns {self._selection}"
                )
            label = self._selection[0]
        else:
            label = self._selection if not of_series else self._name
        return self._with_keys([label], [column], None)

    def _one_after_the_other(
        self, values: list[Any], table: Any, rows: Column, ends: list[tuple[int, int]] | None
    ) -> Any:
        """Return results of several rows one after the other, below the keys of their groups."""
        import numpy as np

        found = [(number, value) for number, value in enumerate(values) if value is not None]
        handle = concat([value for _, value in found])._handle
        counts = [len(value) for _, value in found]
        numbers = np.repeat(np.array([number for number, _ in found], dtype="int64"), counts)
        in_order = (
            not self._group_keys
            and ends is not None
            and (self._of_series() or isinstance(found[0][1], objects.DataFrame))
            and all(
                value is not None and value._handle.index().equals(table.slice(*end).index())
                for value, end in zip(values, ends, strict=True)
            )
        )
        return self._placed(handle, numbers, rows if in_order else None)

    def _placed(self, handle: Any, numbers: Any, rows: Column | None) -> Any:
        """Return rows that come group after group below the keys of their groups, or in the order of the frame.

        ``numbers`` are their groups; ``rows`` are given where every group has all of its rows.
        """
        if self._group_keys:
            if self._as_index:
                handle = self._below_keys(handle, numbers)
        elif rows is not None:
            handle = handle.take(self._order_of(rows, handle))
        if isinstance(handle, _cuprum.Series) and self._of_series():
            handle = handle.rename(self._name)
        return wrap_series(handle) if isinstance(handle, _cuprum.Series) else wrap_frame(handle)

    def _below_keys(self, handle: Any, numbers: Any) -> Any:
        """Return rows with the keys of their groups, by number, above their own labels."""
        keys, inner = self._keys_index()._handle.take(column_from(numbers)), handle.index()
        levels = [*level_columns(keys), *level_columns(inner)]
        return handle.with_index(index_of_columns(levels, [*keys.names(), *inner.names()]))

    def _order_of(self, rows: Column, table: Any) -> Column:
        """Return how to bring rows that are in the order of groups back into that of the frame.

        Rows of one label stay together, where its first one is, as in pandas.
        """
        import numpy as np

        positions = to_numpy(rows).astype("int64")
        index = table.index()
        if not index.is_unique():
            codes, _ = self._frame._handle.index().factorize(False, True)
            positions = to_numpy(codes).astype("int64")[positions]
        return column_from(np.argsort(positions, kind="stable"))

    def _as_rows(
        self, values: list[Any], table: Any, rows: Column, ends: list[tuple[int, int]] | None
    ) -> Any:
        """Return series of the same labels as the rows of a frame, others one after the other."""
        first = next(value for value in values if value is not None)
        labels = _labels_of(first)
        if any(value is not None and _labels_of(value) != labels for value in values):
            whole = [
                objects.Series(v.to_list(), index=v.index) if isinstance(v, objects.SeriesOfObjects) else v
                for v in values
            ]
            return self._one_after_the_other(whole, table, rows, ends)
        names = list(first.index.names)
        if names == [None]:
            own = {plain_label(value.name) for value in values if value is not None}
            own |= {None} if any(value is None for value in values) else set()
            names = list(own) if len(own) == 1 else [None]
        return self._rows_of(labels, columns_across(values, len(labels)), names)

    def _rows_of(self, labels: list[Any], columns: list[Column], names: list[Any]) -> Any:
        """Return columns of a value for each group as a frame under the keys."""
        if self._as_index:
            handle = _cuprum.DataFrame(labels, columns, self._keys_index()._handle)
            return wrap_frame(handle.with_labels(labels, names))
        return self._with_keys(labels, columns, names)

    def _with_keys(self, labels: list[Any], columns: list[Column], names: list[Any] | None) -> DataFrame:
        """Return a frame of columns behind the keys of the groups, without those of a name it has."""
        keys = self._keys_index()._handle
        depth = max((len(label) if isinstance(label, tuple) else 1 for label in labels), default=1)
        before: list[tuple[Any, Column]] = []
        for number, name in enumerate(self._key_names()):
            if name is None:
                name = "index" if keys.nlevels() == 1 else f"level_{number}"
            full = name if depth == 1 or isinstance(name, tuple) else (name, *[""] * (depth - 1))
            if full not in labels:
                before.append((full, keys.column(number)))
        every = [*(label for label, _ in before), *labels]
        handle = _cuprum.DataFrame(every, [*(column for _, column in before), *columns])
        return wrap_frame(handle if names is None else handle.with_labels(every, names))

    # filter.

    def _filter(
        self,
        func: Any,
        dropna: bool,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        is_true: Callable[[Any], bool],
    ) -> Any:
        """Return the rows of the groups for which a function's result is true; see `filter`."""
        import numpy as np

        handle = self._frame._handle
        shown = handle if self._selection is None else handle.select(self._inputs())
        try:
            return self._kept(shown, self._kept_at_once(shown.labels(), func, args, kwargs), dropna)
        except NotTraced as why:
            watch = self._watch(func, why)
        rows, ends = self._rows_and_ends()
        table = shown.take(rows)
        if self._of_series():
            table = table.column_at(0).rename(self._name)
        with watch:
            results = self._called(func, self._pieces(table, ends, not self._of_series()), args, kwargs)
        kept = list(map(is_true, results))
        positions = to_numpy(rows).astype("int64")
        mask = np.zeros(len(self._frame), dtype=bool)
        mask[positions[np.repeat(np.array(kept, dtype=bool), [length for _, length in ends])]] = True
        return self._kept(shown, mask, dropna)

    def _kept_at_once(
        self, labels: list[Any], func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return for each row whether a function that can be traced is true for its group."""
        traced = TracedGroups(self)
        if self._of_series():
            return traced.kept(traced.of_column(labels[0], func, args, kwargs))
        return traced.kept(traced.of_rows(labels, func, args, kwargs))

    def _kept(self, shown: Any, mask: Any, dropna: bool) -> Any:
        """Return the rows for which a mask is true; or all rows, the others missing."""
        import numpy as np

        handle = self._frame._handle
        column = column_from(mask)
        result = shown.column_at(0) if self._of_series() else shown
        if dropna:
            return self._around(result.filter(column))
        places = _cuprum.Series(column_from(np.arange(len(mask)))).where(column, None, False)
        return self._around(result.take(places.column()).with_index(handle.index()))


def _labels_of(value: Any) -> list[Any]:
    return value.index.to_list()
