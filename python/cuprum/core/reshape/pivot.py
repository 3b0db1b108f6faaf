"""Elements as labels of rows and columns: `pivot`, and with aggregations `pivot_table` and `crosstab`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, label_list, only_truth, plain_label
from cuprum.core.frame_construction import frame_of
from cuprum.core.groupby.aggregation import function_label
from cuprum.core.groupby.grouper import grouper_of
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.concat import concat

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import AggFunc, AggFuncs, FrameLike

__all__ = ["crosstab", "pivot", "pivot_table"]


@objects_where_mixed
def pivot(data: FrameLike, *, columns: Any, index: Any = ..., values: Any = ...) -> DataFrame:
    """Pivot a frame: make elements of columns the labels of rows and columns.

    Parameters
    ----------
    data : DataFrame
        The frame. As a method of frames, the frame itself.
    columns : label or list of labels
        The columns whose elements become labels of columns.
    index : label or list of labels, optional
        The columns whose elements become labels of rows; without it the row labels.
    values : label or list of labels, optional
        The column whose elements fill the frame. Of a list, and without it of all other columns, the labels
        are an outer level of the column labels.

    Returns
    -------
    DataFrame
        Labels in ascending order; missing where there is no row.

    Raises
    ------
    ValueError
        If two rows have the same labels.
    KeyError
        If a label is no column.

    See Also
    --------
    pivot_table : Aggregates rows of the same labels.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["a", "a", "b"], "l": ["x", "y", "x"], "v": [1.0, 2.0, 3.0]})
    >>> frame.pivot(columns="l", index="k", values="v").rename_axis(None)
    l    x    y
    a  1.0  2.0
    b  3.0  NaN
    """
    handle = frame_of(data, "data")._handle
    columns = label_list(columns)
    if not columns:
        raise ValueError("`columns` names no column")
    rows = None if index is ... else label_list(index)
    wanted = None if values is ... else label_list(values)
    for argument, labels in (("columns", columns), ("index", rows), ("values", wanted)):
        absent = [label for label in labels or [] if not handle.contains(label)]
        if absent:
            raise KeyError(f"The following '{argument}' labels are not columns of the DataFrame: {absent}")
    is_one = values is not ... and _is_label(values)
    return wrap_frame(handle.pivot(columns, rows, wanted, is_one))


def _is_label(labels: Any) -> bool:
    return isinstance(labels, tuple) or not is_list_like(labels)


@objects_where_mixed
def pivot_table(
    data: FrameLike,
    values: Any = None,
    index: Any = None,
    columns: Any = None,
    aggfunc: AggFunc | AggFuncs = "mean",
    fill_value: Any = None,
    margins: bool = False,
    dropna: bool = True,
    margins_name: str = "All",
    observed: bool = True,
    sort: bool = True,
    **kwargs: Any,
) -> DataFrame:
    """Make a table of aggregations by keys of rows and keys of columns.

    Parameters
    ----------
    data : DataFrame
        The frame. As a method of frames, the frame itself.
    values : label or list of labels, optional
        What is aggregated: one column, whose label is none of the result's, or several, whose labels are an
        outer level. Without it all columns that are no keys.
    index : label, array, Series, Grouper or list of these, optional
        The keys of rows, as for `DataFrame.groupby`.
    columns : label, array, Series, Grouper or list of these, optional
        The keys of columns.
    aggfunc : str, callable, list or dict, default ``"mean"``
        The aggregation; of a list names are an outer level, a dict has one for each column. ``"size"`` counts
        rows, whatever ``values`` are; without ``columns`` in a Series.
    fill_value : scalar, optional
        What stands for missing results.
    margins : bool, default False
        Whether to add a row and a column for all rows that have keys and values.
    dropna : bool, default True
        Whether to leave out rows and columns of missing results, and rows with missing keys.
    margins_name : str, default ``"All"``
        The label of the margins.
    observed : bool, default True
        Whether to leave out categories that no row has.
    sort : bool, default True
        Whether labels are in ascending order; if False, as they first appear.
    **kwargs : object
        Arguments of the aggregation, as ``ddof``.

    Returns
    -------
    DataFrame
        A row for each combination of the keys of rows and a column for each of those of columns; missing
        where there is no row.

    Raises
    ------
    ValueError
        If there are no keys.
    KeyError
        If a value is no column.
    NotImplementedError
        For ``margins`` without ``index`` or with ``"size"``.

    See Also
    --------
    pivot : For rows that need no aggregation.
    crosstab : Counts of arrays.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["a", "a", "b"], "l": ["x", "x", "y"], "v": [1, 2, 3]})
    >>> table = frame.pivot_table(values="v", index="k", columns="l", aggfunc="sum", fill_value=0)
    >>> table.rename_axis(None)
    l  x  y
    a  3  0
    b  0  3
    >>> frame.pivot_table("v", "k", "l", aggfunc="sum", margins=True).rename_axis(None)
    l       x     y  All
    a       3  <NA>    3
    b    <NA>     3    3
    All     3     3    6
    """
    data = frame_of(data, "data")
    if not isinstance(margins_name, str):
        raise ValueError("margins_name argument must be a string")
    rows, across = _key_list("index", index), _key_list("columns", columns)
    if margins and not rows:
        raise NotImplementedError("pivot_table does not support `margins` without `index`: of rows alone")
    if isinstance(aggfunc, list):
        pieces = [
            pivot_table(
                data, values, index, columns, function, fill_value, margins, dropna, margins_name,
                observed, sort, **kwargs,
            )
            for function in aggfunc
        ]  # fmt: skip
        return concat(pieces, keys=[function_label(function) for function in aggfunc], axis=1)
    if not rows and not across:
        raise ValueError("No group keys passed!")
    table = _Table(
        data, values, rows, across, aggfunc, fill_value, bool(dropna), bool(observed), bool(sort), kwargs
    )
    return table.made(margins_name if margins else None)


def _key_list(argument: str, keys: Any) -> list[Any]:
    """Return keys as a list: one label, array or Series, or those of a list."""
    if keys is None:
        return []
    if isinstance(keys, list):
        return list(keys)
    if isinstance(keys, Mapping):
        raise NotImplementedError(f"pivot_table does not support a mapping as `{argument}`")
    return [keys]


class _Table:
    """A table of aggregations."""

    def __init__(
        self,
        data: Any,
        values: Any,
        rows: list[Any],
        across: list[Any],
        aggfunc: Any,
        fill_value: Any,
        dropna: bool,
        observed: bool,
        sort: bool,
        kwargs: dict[str, Any],
    ) -> None:
        self.is_one = values is not None and _is_label(values)
        groupers = [(key, grouper_of(key)) for key in (*rows, *across)]
        named = [
            plain_label(grouper.key if grouper else key)
            for key, grouper in groupers
            if grouper or _is_label(key)
        ]
        labels = list(data._handle.labels())
        if values is None:
            self.values = [label for label in labels if label not in named]
        else:
            self.values = label_list(values)
            for label in self.values:
                if label not in labels:
                    raise KeyError(label)
            wanted = [label for label in labels if label in self.values or label in named]
            data = data[wanted]
        self.data, self.rows, self.across = data, rows, across
        self.aggfunc, self.kwargs, self.fill_value = aggfunc, kwargs, fill_value
        self.dropna, self.observed, self.sort = dropna, observed, sort

    def grouped(self, data: Any, keys: list[Any]) -> Any:
        """Return the aggregations of the groups of some rows by keys."""
        groups = data.groupby(keys, observed=self.observed, sort=self.sort, dropna=self.dropna)
        if isinstance(self.aggfunc, Mapping):
            found = groups.agg(dict(self.aggfunc), **self.kwargs)
        else:
            found = groups[self.values].agg(self.aggfunc, **self.kwargs)
        return found.to_frame(self.values[0]) if isinstance(found, objects.Series) else found

    def made(self, margins_name: str | None) -> Any:
        fill = plain_label(self.fill_value) if self._is_size() else self.fill_value
        layout = (len(self.rows), len(self.across), self.is_one, fill, self.dropna, self.sort)
        keys = [*self.rows, *self.across]
        if self._is_size():
            if margins_name is not None:
                raise NotImplementedError("pivot_table does not support `margins` with `aggfunc`='size'")
            groups = self.data.groupby(keys, observed=self.observed, sort=self.sort, dropna=self.dropna)
            table = groups.size()._handle.pivot_sizes(layout)
            return wrap_series(table) if isinstance(table, _cuprum.Series) else wrap_frame(table)
        groups = self.grouped(self.data, keys)
        margins = None if margins_name is None else self._margins(margins_name)
        table = wrap_frame(self.data._handle.pivot_groups(groups._handle, layout, margins))
        # Columns of no row have nothing but missing elements.
        return table if len(table) or not self.dropna else table.iloc[:, :0]

    def _is_size(self) -> bool:
        return isinstance(self.aggfunc, str) and self.aggfunc == "size"

    def _margins(self, name: str) -> tuple[Any, ...]:
        """Return the name of the margins and the aggregations by rows, by columns and of everything."""
        data = self.data
        if self.dropna:
            data = data[data.notna().all(axis=1)]
        by_rows = self.grouped(data, self.rows)._handle
        by_columns = self.grouped(data, self.across)._handle if self.across else None
        whole = objects.DataFrame(
            {label: [self._everything(data, label)] for label in self.values}, index=[0]
        )
        return name, by_rows, by_columns, whole._handle

    def _everything(self, data: Any, label: Any) -> Any:
        """Return the aggregation of all rows."""
        function = self.aggfunc[label] if isinstance(self.aggfunc, Mapping) else self.aggfunc
        key = objects.Series([0] * len(data), index=data.index, dtype="int64")
        found = data.groupby(key)[label].agg(function, **self.kwargs)
        if len(found):
            return found.iloc[0]
        try:  # a sum of nothing is 0
            return data[label].agg(function, **self.kwargs)
        except (TypeError, ValueError):
            return None


@objects_where_mixed
def crosstab(
    index: Any,
    columns: Any,
    values: Any = None,
    rownames: Any = None,
    colnames: Any = None,
    aggfunc: AggFunc | AggFuncs | None = None,
    margins: bool = False,
    margins_name: str = "All",
    dropna: bool = True,
    normalize: bool | Literal[0, 1, "all", "columns", "index"] = False,
) -> DataFrame:
    """Count the rows of each combination of keys, or aggregate values by them.

    Parameters
    ----------
    index : array, Series or list of these
        The keys of rows.
    columns : array, Series or list of these
        The keys of columns, of as many rows. Series are matched by label.
    values : array or Series, optional
        What is aggregated; only with ``aggfunc``.
    rownames : list-like, optional
        Names of the keys of rows; without it those of the Series, or ``row_0`` and so on.
    colnames : list-like, optional
        Names of the keys of columns; without it those of the Series, or ``col_0`` and so on.
    aggfunc : str, callable or list of these, optional
        The aggregation of ``values``; only with these. Of a list, the columns have one more level, of the
        functions' names.
    margins : bool, default False
        Whether to add a row and a column for all rows that have keys and values.
    margins_name : str, default ``"All"``
        The label of the margins.
    dropna : bool, default True
        Whether to leave out rows and columns of missing results.
    normalize : bool, ``"all"``, ``"index"``, ``"columns"``, 0 or 1, default False
        Whether to return shares of everything (True, ``"all"``), of each row (``"index"``, 0) or of each
        column (``"columns"``, 1).

    Returns
    -------
    DataFrame
        Numbers of rows, 0 where there is none; or aggregations, missing there.

    Raises
    ------
    ValueError
        If only one of ``values`` and ``aggfunc`` is given, or if everything (``"all"``) is what shares with
        margins are of and ``aggfunc`` is a list: the margin of one function is no sum of them all.

    Examples
    --------
    >>> import cuprum
    >>> k, l = cuprum.Series(["a", "a", "b"], name="k"), cuprum.Series(["x", "y", "x"], name="l")
    >>> cuprum.crosstab(k, l).rename_axis(None)
    l  x  y
    a  1  1
    b  1  0
    >>> cuprum.crosstab(k, l, normalize="index").rename_axis(None)
    l    x    y
    a  0.5  0.5
    b  1.0  0.0
    """
    if values is None and aggfunc is not None:
        raise ValueError("aggfunc cannot be used without values.")
    if values is not None and aggfunc is None:
        raise ValueError("values cannot be used without an aggfunc.")
    only_truth("crosstab", margins=margins, dropna=dropna)
    rows, across = _keys(index), _keys(columns)
    row_names, column_names = _names(rows, rownames, "row"), _names(across, colnames, "col")
    # Keys of one name are told apart by their numbers.
    numbers = range(len(rows) + len(across))
    given = [key for key in (*rows, *across) if isinstance(key, objects.Series)]
    labels = None
    if given:
        labels, *others = (key.index for key in given)
        for other in others:
            # Labels that repeat, in the same rows, stay as often as they are there.
            labels = labels if labels.equals(other) else labels.intersection(other, sort=False)
    frame = objects.DataFrame(dict(zip(numbers, (*rows, *across), strict=True)), index=labels)
    frame["values"] = 0 if values is None else values
    table = pivot_table(
        frame,
        "values",
        index=list(numbers[: len(rows)]),
        columns=list(numbers[len(rows) :]),
        aggfunc=len if aggfunc is None else aggfunc,
        fill_value=0 if values is None else None,
        margins=bool(margins),
        margins_name=margins_name,
        dropna=bool(dropna),
        observed=bool(dropna),
    )
    if normalize is not False:
        axes: dict[Any, Any] = {0: "index", 1: "columns"}
        of = "all" if normalize is True else axes.get(normalize, normalize)
        if margins and of == "all" and isinstance(aggfunc, (list, tuple)):
            raise ValueError(
                f"`normalize` is {normalize!r} with `margins` and a list as `aggfunc`: ask for each function by itself"
            )
        table = wrap_frame(table._handle.shares(str(of), bool(margins)))
    table.index = _named(table.index, row_names)
    table.columns = _named(table.columns, column_names)
    return table


def _named(labels: Any, names: list[Any]) -> Any:
    """Return labels with names for their last levels (a list of functions has one above the keys').

    Labels of a frame without columns have one level.
    """
    above = labels.nlevels - len(names)
    return labels.set_names([*labels.names[:above], *names]) if len(labels) or above == 0 else labels


def _keys(keys: Any) -> list[Any]:
    """Return the keys of one side: a list of arrays is several, one of elements is one."""
    several = isinstance(keys, (list, tuple)) and any(map(is_list_like, keys))
    return list(keys) if several else [keys]


def _names(keys: list[Any], names: Any, prefix: str) -> list[Any]:
    if names is None:
        found = [getattr(key, "name", None) for key in keys]
        return [f"{prefix}_{i}" if name is None else name for i, name in enumerate(found)]
    if len(names) != len(keys):
        raise AssertionError("arrays and names must have the same length")
    return list(names)
