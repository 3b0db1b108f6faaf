"""Labels of rows and columns: renamed, set from columns, reset to columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    names_of_levels,
    only_truth,
    plain_label,
)
from cuprum.core.interop import is_pandas
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        AnySeries,
        Axis,
        ErrorsIgnored,
        Label,
        Renamer,
        RowAxis,
    )


def frame_droplevel(self: DataFrame, level: Any, axis: Axis = 0) -> DataFrame:
    """Return the frame without some levels of its row or column labels.

    Parameters
    ----------
    level : int, level name or list of them
        The levels that are dropped; one has to stay.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels.

    Returns
    -------
    DataFrame
        The same rows and columns.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["p", "q"])
    >>> cuprum.DataFrame({"v": [5, 6]}, index=rows).droplevel("p").index.to_list()
    [1, 2]
    """
    return _with_axis(self, lambda labels: labels.droplevel(level), axis)


def frame_swaplevel(self: DataFrame, i: Any = -2, j: Any = -1, axis: Axis = 0) -> DataFrame:
    """Return the frame with two levels of its row or column labels in each other's places.

    Parameters
    ----------
    i : int or level name, default -2
        One level; the second to last by default.
    j : int or level name, default -1
        The other level; the last by default.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels.

    Returns
    -------
    DataFrame
        The rows and columns in their order.

    Raises
    ------
    TypeError
        For labels of one level.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1), ("y", 2)])
    >>> cuprum.DataFrame({"v": [5, 6]}, index=rows).swaplevel().index.to_list()
    [(1, 'x'), (2, 'y')]
    """
    return _with_axis(self, lambda labels: _hierarchical(labels, "swap").swaplevel(i, j), axis)


def frame_reorder_levels(self: DataFrame, order: Any, axis: Axis = 0) -> DataFrame:
    """Return the frame with the levels of its row or column labels in another order.

    Parameters
    ----------
    order : list of int or level names
        All levels, in the new order.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels.

    Returns
    -------
    DataFrame
        The rows and columns in their order.

    Raises
    ------
    TypeError
        For labels of one level.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1, True), ("y", 2, False)])
    >>> cuprum.DataFrame({"v": [5, 6]}, index=rows).reorder_levels([2, 0, 1]).index.to_list()
    [(True, 'x', 1), (False, 'y', 2)]
    """
    return _with_axis(self, lambda labels: _hierarchical(labels, "reorder").reorder_levels(order), axis)


def _with_axis(self: DataFrame, change: Any, axis: Any) -> DataFrame:
    """Return the frame with changed labels of rows or columns."""
    number = axis_number(axis)
    return self.set_axis(change(self.columns if number else self.index), axis=number)


@overload
def frame_rename(
    self: DataFrame,
    mapper: Renamer = ...,
    *,
    index: Renamer = ...,
    columns: Renamer = ...,
    axis: Axis | None = ...,
    copy: bool | None = ...,
    inplace: Literal[True],
    level: Label = ...,
    errors: ErrorsIgnored = ...,
) -> None: ...
@overload
def frame_rename(
    self: AnyFrame,
    mapper: Renamer = ...,
    *,
    index: Renamer = ...,
    columns: Renamer = ...,
    axis: Axis | None = ...,
    copy: bool | None = ...,
    inplace: bool = ...,
    level: Label = ...,
    errors: ErrorsIgnored = ...,
) -> AnyFrame: ...
def frame_rename(
    self: DataFrame,
    mapper: Any = None,
    *,
    index: Any = None,
    columns: Any = None,
    axis: Any = None,
    copy: bool | None = None,
    inplace: bool = False,
    level: Any = None,
    errors: str = "ignore",
) -> Any:
    """Return the frame with other row or column labels.

    Parameters
    ----------
    mapper : dict, Series or callable, optional
        Old and new labels, or a function of an old one; of the rows, or of what ``axis`` says.
    index : dict, Series or callable, optional
        The same for the row labels.
    columns : dict, Series or callable, optional
        The same for the column labels.
    axis : 0 or 'index', 1 or 'columns', optional
        What ``mapper`` is for; the rows by default.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    inplace : bool, default False
        Change this object and return None.
    level : int or level name, optional
        Rename labels of this level only; all by default.
    errors : ``'ignore'`` or ``'raise'``, default ``'ignore'``
        Whether a label of a dict that is not there raises ``KeyError``.

    Returns
    -------
    DataFrame or None
        The same rows and columns; None with ``inplace=True``.

    Raises
    ------
    KeyError
        With ``errors='raise'``, for a label that is not there.
    TypeError
        For no labels, and for ``mapper`` with ``index`` or ``columns``.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.rename(columns={"a": "x", "c": "y"})
       x  b
    0  1  3
    1  2  4
    >>> df.rename(str.upper, axis=1).columns.to_list()
    ['A', 'B']
    >>> df.rename({0: "first"}).index.to_list()
    ['first', 1]
    """
    only_truth("rename", copy=copy)
    if index is not None or columns is not None:
        if mapper is not None or axis is not None:
            which = "axis" if axis is not None else "mapper"
            raise TypeError(f"Cannot specify both '{which}' and any of 'index' or 'columns'")
    elif mapper is None:
        raise TypeError("must pass an index to rename")
    elif axis is not None and axis_number(axis) == 1:
        columns = mapper
    else:
        index = mapper
    for given in (index, columns):
        if isinstance(given, objects.Series) and not given.index.is_unique:
            raise ValueError("Cannot rename with a Series with non-unique index")
    if isinstance(columns, objects.Series):
        columns = columns.to_dict()

    def rename(handle: Any) -> Any:
        if columns is not None:
            renamed = _renamed(handle.columns_index(), columns, level, errors)
            handle = handle.rename_columns(*renamed)
        if index is not None:
            handle = _renamed_rows(handle, index, level, errors)
        return handle

    return self._relabelled(rename, inplace, True if callable(index) or callable(columns) else None)


@overload
def frame_rename_axis(
    self: DataFrame,
    mapper: Any = ...,
    *,
    index: Any = ...,
    columns: Any = ...,
    axis: Axis = ...,
    inplace: Literal[True],
) -> None: ...
@overload
def frame_rename_axis(
    self: AnyFrame,
    mapper: Any = ...,
    *,
    index: Any = ...,
    columns: Any = ...,
    axis: Axis = ...,
    inplace: bool = ...,
) -> AnyFrame: ...
def frame_rename_axis(
    self: DataFrame,
    mapper: Any = ...,
    *,
    index: Any = ...,
    columns: Any = ...,
    axis: Any = 0,
    inplace: bool = False,
) -> Any:
    """Return the frame with other names of the levels of its row or column labels.

    Parameters
    ----------
    mapper : label or list of labels, optional
        The name, or one for each level; None takes it away. Of the rows, or of what ``axis`` says.
    index : label, list of labels, dict or callable, optional
        The names for the rows; also a dict of old and new names or a function of an old one.
    columns : label, list of labels, dict or callable, optional
        The same for the columns.
    axis : 0 or 'index', 1 or 'columns', default 0
        What ``mapper`` is for.
    inplace : bool, default False
        Change this object and return None.

    Returns
    -------
    DataFrame or None
        The same labels under other names; None with ``inplace=True``.

    Raises
    ------
    TypeError
        For ``mapper`` with ``index`` or ``columns``.
    ValueError
        For a dict or a function as ``mapper``: `rename` changes labels.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]})
    >>> df.rename_axis("row").index.name
    'row'
    >>> df.rename_axis(index={None: "row"}, columns="column").columns
    Index(['a'], dtype='str', name='column')
    """
    if mapper is not ...:
        if index is not ... or columns is not ...:
            raise TypeError("Cannot specify both 'mapper' and any of 'index' or 'columns'")
        if axis_number(axis) == 1:
            columns = _no_mapping(mapper)
        else:
            index = _no_mapping(mapper)

    def name(handle: Any) -> Any:
        if index is not ...:
            handle = handle.with_index(_with_names(handle.index(), index))
        if columns is not ...:
            names = _level_names(handle.level_names(), columns)
            handle = handle.with_labels(handle.labels(), names)
        return handle

    return self._relabelled(name, inplace)


def frame_add_prefix(self: DataFrame, prefix: str, axis: Axis | None = None) -> DataFrame:
    """Return the frame with a text before every column or row label.

    Parameters
    ----------
    prefix : str
        The text; it stands before every part of labels of several levels.
    axis : 0 or 'index', 1 or 'columns', optional
        0 for the row labels, 1 for the column labels, which are the default.

    Returns
    -------
    DataFrame
        The same elements; labels become texts.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1], "b": [2]}).add_prefix("x_")
       x_a  x_b
    0    1    2
    """
    return self._affixed(str(prefix), "", axis)


def frame_add_suffix(self: DataFrame, suffix: str, axis: Axis | None = None) -> DataFrame:
    """Return the frame with a text after every column or row label.

    Parameters
    ----------
    suffix : str
        The text; it stands after every part of labels of several levels.
    axis : 0 or 'index', 1 or 'columns', optional
        0 for the row labels, 1 for the column labels, which are the default.

    Returns
    -------
    DataFrame
        The same elements; labels become texts.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1], "b": [2]}).add_suffix("_x")
       a_x  b_x
    0    1    2
    >>> cuprum.DataFrame({"a": [1]}).add_suffix("_x", axis=0).index.to_list()
    ['0_x']
    """
    return self._affixed("", str(suffix), axis)


def frame_affixed(self: DataFrame, prefix: str, suffix: str, axis: Any) -> Any:
    """Return the frame with a text before or behind each label of an axis."""
    handle = self._handle
    by_row = axis is not None and axis_number(axis) == 0
    affix = handle.affix_rows if by_row else handle.affix_columns
    return wrap_frame(affix(prefix, suffix))


def frame_set_axis(self: DataFrame, labels: Any, *, axis: Axis = 0) -> DataFrame:
    """Return the frame with other row or column labels.

    Parameters
    ----------
    labels : list-like
        A label for each row (column, with ``axis=1``).
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for the row labels, 1 for the column labels.

    Returns
    -------
    DataFrame
        The same elements in their order.

    Raises
    ------
    ValueError
        For another number of labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).set_axis(["x", "y"])
       a  b
    x  1  3
    y  2  4
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).set_axis(["x", "y"], axis=1).columns.to_list()
    ['x', 'y']
    """
    if labels is None:
        raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
    result = self._snapshot()
    if axis_number(axis) == 1:
        result.columns = labels
    else:
        result.index = labels
    return result


def _hierarchical(labels: Any, verb: str) -> Any:
    if labels.nlevels == 1:
        raise TypeError(f"Can only {verb} levels on a hierarchical axis.")
    return labels


def series_set_axis(self: Series, labels: Any, *, axis: RowAxis = 0) -> Series:
    """Return the Series with other labels.

    Parameters
    ----------
    labels : list-like
        A label for each element.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    Series
        The same elements in their order.

    Raises
    ------
    ValueError
        For another number of labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2]).set_axis(["x", "y"])
    x    1
    y    2
    dtype: int64
    """
    axis_number(axis, "Series")
    if labels is None:
        raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
    result = self._snapshot()
    result.index = labels
    return result


def series_droplevel(self: Series, level: Any, axis: RowAxis = 0) -> Series:
    """Return the Series without some levels of its labels.

    Parameters
    ----------
    level : int, level name or list of them
        The levels that are dropped; one has to stay.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    Series
        The same elements.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1), ("y", 2)])
    >>> cuprum.Series([5, 6], index=rows).droplevel(1)
    x    5
    y    6
    dtype: int64
    """
    return self.set_axis(self.index.droplevel(level), axis=axis)


def series_swaplevel(self: Series, i: Any = -2, j: Any = -1) -> Series:
    """Return the Series with two levels of its labels in each other's places.

    Parameters
    ----------
    i : int or level name, default -2
        One level; the second to last by default.
    j : int or level name, default -1
        The other level; the last by default.

    Returns
    -------
    Series
        The elements in their order.

    Raises
    ------
    TypeError
        For labels of one level.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1), ("y", 2)])
    >>> cuprum.Series([5, 6], index=rows).swaplevel().index.to_list()
    [(1, 'x'), (2, 'y')]
    """
    return self.set_axis(_hierarchical(self.index, "swap").swaplevel(i, j))


def series_reorder_levels(self: Series, order: Any) -> Series:
    """Return the Series with the levels of its labels in another order.

    Parameters
    ----------
    order : list of int or level names
        All levels, in the new order.

    Returns
    -------
    Series
        The elements in their order.

    Raises
    ------
    TypeError
        For labels of one level.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["p", "q"])
    >>> cuprum.Series([5, 6], index=rows).reorder_levels(["q", "p"]).index.to_list()
    [(1, 'x'), (2, 'y')]
    """
    return self.set_axis(_hierarchical(self.index, "reorder").reorder_levels(order))


@overload
def series_rename(
    self: Series,
    index: Any = ...,
    *,
    axis: RowAxis | None = ...,
    copy: bool | None = ...,
    inplace: Literal[True],
    level: Label = ...,
    errors: ErrorsIgnored = ...,
) -> None: ...
@overload
def series_rename(
    self: AnySeries,
    index: Any = ...,
    *,
    axis: RowAxis | None = ...,
    copy: bool | None = ...,
    inplace: bool = ...,
    level: Label = ...,
    errors: ErrorsIgnored = ...,
) -> AnySeries: ...
def series_rename(
    self: Series,
    index: Any = None,
    *,
    axis: Any = None,
    copy: bool | None = None,
    inplace: bool = False,
    level: Any = None,
    errors: str = "ignore",
) -> Series | None:
    """Return the Series under another name, or with other row labels.

    Parameters
    ----------
    index : label, dict, Series or callable, optional
        A label is the new name. A dict or a Series has old and new row labels, a function makes new ones of
        the old.
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    inplace : bool, default False
        Change this object and return None.
    level : int or level name, optional
        Rename row labels of this level only; all by default.
    errors : ``'ignore'`` or ``'raise'``, default ``'ignore'``
        Whether a label of a dict that is not there raises ``KeyError``.

    Returns
    -------
    Series or None
        The same elements; None with ``inplace=True``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], index=["a", "b"])
    >>> s.rename("v").name
    'v'
    >>> s.rename({"a": "x"})
    x    1
    b    2
    dtype: int64
    """
    only_truth("rename", copy=copy)
    if axis is not None:
        axis_number(axis, "Series")
    if isinstance(index, objects.Series) or is_pandas(index, "Series"):
        if not index.index.is_unique:
            raise ValueError("Cannot rename with a Series with non-unique index")
        index = dict(zip(index.index, index.to_list(), strict=True))
    if callable(index) or isinstance(index, Mapping):
        return self._relabelled(
            lambda handle: _renamed_rows(handle, index, level, errors),
            inplace,
            True if callable(index) else None,
        )
    name = plain_label(index)
    return self._relabelled(lambda handle: handle.rename(name), inplace)


def series_add_prefix(self: Series, prefix: str, axis: RowAxis | None = None) -> Series:
    """Return the Series with a text before every row label.

    Parameters
    ----------
    prefix : str
        The text; it stands before every part of labels of several levels.
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    Series
        The same elements; labels become texts.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2]).add_prefix("row_")
    row_0    1
    row_1    2
    dtype: int64
    """
    return self._affixed(str(prefix), "", axis)


def series_add_suffix(self: Series, suffix: str, axis: RowAxis | None = None) -> Series:
    """Return the Series with a text after every row label.

    Parameters
    ----------
    suffix : str
        The text; it stands after every part of labels of several levels.
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    Series
        The same elements; labels become texts.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2]).add_suffix("_x").index.to_list()
    ['0_x', '1_x']
    """
    return self._affixed("", str(suffix), axis)


def series_affixed(self: Series, prefix: str, suffix: str, axis: Any) -> Any:
    """Return the series with a text before or behind each row label."""
    if axis is not None:
        axis_number(axis, "Series")
    return wrap_series(self._handle.affix_rows(prefix, suffix))


@overload
def series_rename_axis(
    self: Series, mapper: Any = ..., *, index: Any = ..., axis: RowAxis = ..., inplace: Literal[True]
) -> None: ...
@overload
def series_rename_axis(
    self: AnySeries, mapper: Any = ..., *, index: Any = ..., axis: RowAxis = ..., inplace: bool = ...
) -> AnySeries: ...
def series_rename_axis(
    self: Series, mapper: Any = ..., *, index: Any = ..., axis: Any = 0, inplace: bool = False
) -> Series | None:
    """Return the Series with other names of the levels of its row labels.

    Parameters
    ----------
    mapper : label or list of labels, optional
        The name, or one for each level; None takes it away.
    index : label, list of labels, dict or callable, optional
        The same; also a dict of old and new names or a function of an old one.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    inplace : bool, default False
        Change this object and return None.

    Returns
    -------
    Series or None
        The same labels under other names; None with ``inplace=True``.

    Raises
    ------
    TypeError
        For ``mapper`` with ``index``.
    ValueError
        For a dict or a function as ``mapper``: `rename` changes labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2]).rename_axis("row").index.name
    'row'
    >>> rows = cuprum.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["p", "q"])
    >>> cuprum.Series([5, 6], index=rows).rename_axis(index={"p": "r"}).index.names
    FrozenList(['r', 'q'])
    """
    axis_number(axis, "Series")
    if mapper is not ...:
        if index is not ...:
            raise TypeError("Cannot specify both 'mapper' and 'index'")
        index = _no_mapping(mapper)
    if index is ...:
        return self._relabelled(lambda handle: handle, inplace)
    return self._relabelled(lambda handle: handle.with_index(_with_names(handle.index(), index)), inplace)


def _no_mapping(mapper: Any) -> Any:
    if callable(mapper) or isinstance(mapper, Mapping):
        raise ValueError("Use `.rename` to alter labels with a mapper.")
    return mapper


def _with_names(index: Any, names: Any) -> Any:
    return index.with_names(_level_names(index.names(), names))


def _level_names(old: list[Any], names: Any) -> list[Any]:
    """Return the names that levels called ``old`` get: a name, a list of them, or a dict or function of the old."""
    if callable(names):
        return [names(name) for name in old]
    if isinstance(names, Mapping):
        return [names.get(name, name) for name in old]
    return names_of_levels(names, len(old))


def _renamed(index: Any, change: Any, level: Any, errors: str) -> tuple[list[tuple[Any, Any]], Any, bool]:
    """Return pairs of old and new labels, the number of the level they are of, and whether all must be there."""
    depth = index.nlevels()
    only = None if level is None else index.level_position(plain_label(level))
    if isinstance(change, Mapping):
        pairs = [(plain_label(old), plain_label(new)) for old, new in change.items()]
        return pairs, only, errors == "raise"
    if not callable(change):
        raise TypeError(f"'{type(change).__name__}' object is not callable")
    labels = index.labels()
    if depth > 1:
        labels = [p for label in labels for i, p in enumerate(label) if only in (None, i)]
    return [(label, plain_label(change(label))) for label in labels], only, False


def _renamed_rows(handle: Any, change: Any, level: Any, errors: str) -> Any:
    """Return a handle with the row labels that ``change``, a mapping, a function or a series, gives for its own."""
    if isinstance(change, objects.Series):
        change = change.to_dict()
    return handle.rename_rows(*_renamed(handle.index(), change, level, errors))
