"""Two objects side by side: equals, compare, align, combine, update."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import axis_number, is_list_like, only_truth
from cuprum.core.binary_comparison import is_bytes
from cuprum.core.chained_assignment import METHOD, warn_if_chained
from cuprum.core.functions.results import like_elements
from cuprum.core.missing import is_missing, missing_element
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, ours
from cuprum.core.reindexing import with_columns_at, with_rows_at
from cuprum.core.reshape.concat import concat
from cuprum.core.slow_calls import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyObject,
        Axis,
        ErrorsIgnored,
        FrameOrSeries,
        Label,
        OrderedHow,
        RowAxis,
        Scalar,
    )


@overload
def compare(
    self: AnyObject,
    other: AnyObject,
    align_axis: Literal[1, "columns"] = ...,
    keep_shape: bool = ...,
    keep_equal: bool = ...,
    result_names: tuple[Label, Label] = ...,
) -> DataFrame: ...
@overload
def compare(
    self: AnyObject,
    other: AnyObject,
    align_axis: RowAxis,
    keep_shape: bool = ...,
    keep_equal: bool = ...,
    result_names: tuple[Label, Label] = ...,
) -> AnyObject: ...
def compare(
    self: FrameOrSeries,
    other: Any,
    align_axis: Any = 1,
    keep_shape: bool = False,
    keep_equal: bool = False,
    result_names: Any = ("self", "other"),
) -> Any:
    """Return the elements that differ from another object with the same labels.

    Parameters
    ----------
    other : DataFrame or Series
        An object of the same kind and with the same labels.
    align_axis : 0 or 'index', 1 or 'columns', default 1
        The two elements stand in columns beside each other (1), or in rows below each other (0).
    keep_shape : bool, default False
        Keep rows and columns without a difference.
    keep_equal : bool, default False
        Keep elements that are equal; else they are missing.
    result_names : tuple of two str, default ``('self', 'other')``
        What the two sides are called in the labels.

    Returns
    -------
    DataFrame or Series
        A Series of a Series with ``align_axis=0``, else a DataFrame.

    Notes
    -----
    Missing elements equal each other.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["a", "b", "c"]).compare(cuprum.Series(["a", "x", "c"]))
      self other
    1    b     x
    >>> cuprum.Series([1, 2]).compare(cuprum.Series([1, 5]), keep_shape=True, keep_equal=True)
       self  other
    0     1      1
    1     2      5
    """
    left: Any = self
    other = objects.ours(other)
    if not isinstance(other, Wrapper) or left.ndim != other.ndim:
        ours, theirs = type(self).__name__, type(other).__name__
        raise TypeError(f"can only compare '{ours}' (not '{theirs}' as `other`) with '{ours}'")
    right: Any = other
    if not isinstance(result_names, tuple):
        raise TypeError(
            f"Passing 'result_names' as a {type(result_names)} is not supported. "
            "Provide 'result_names' as a tuple instead."
        )
    if align_axis not in (0, 1, "index", "rows", "columns"):
        raise ValueError(f"`align_axis` is {align_axis!r}: no axis named so")
    below = align_axis not in (1, "columns")
    dtypes = left._handle.dtypes() if left.ndim == 2 else [left.dtype]
    differs = None
    if any(map(is_bytes, dtypes)):  # which are compared one by one
        differs = (~((left == right).fillna(False) | (left.isna() & right.isna())))._handle
    made = left._handle.compare(right._handle, differs, below, keep_shape, keep_equal, result_names)
    if below and left.ndim == 1:
        return objects.wrap_series(made.column_at(0).rename(left.name))
    return objects.wrap_frame(made)


@overload
def align(
    self: AnyObject,
    other: FrameOrSeries,
    join: OrderedHow = ...,
    axis: Axis | None = ...,
    level: Label = ...,
    copy: bool | None = ...,
    fill_value: Scalar = ...,
) -> tuple[AnyObject, FrameOrSeries]: ...
@overload
def align(
    self: AnyObject,
    other: Any,
    join: OrderedHow = ...,
    axis: Axis | None = ...,
    level: Label = ...,
    copy: bool | None = ...,
    fill_value: Scalar = ...,
) -> tuple[AnyObject, Any]: ...
def align(
    self: AnyObject,
    other: Any,
    join: OrderedHow = "outer",
    axis: Any = None,
    level: Any = None,
    copy: bool | None = None,
    fill_value: Any = None,
) -> tuple[AnyObject, Any]:
    """Return this object and another one with the same labels.

    Parameters
    ----------
    other : DataFrame or Series
        The other object. A Series is not aligned with a DataFrame, only the other way round.
    join : ``'outer'``, ``'inner'``, ``'left'`` or ``'right'``, default ``'outer'``
        Whose labels both get: those of either, of both, of this object, of the other.
    axis : 0 or 'index', 1 or 'columns', optional
        Align rows or columns only; both by default. Of a frame beside a Series it has to be given.
    level : int or level name, optional
        A level of the MultiIndex of one object, by which the labels of the other are matched.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    fill_value : scalar, optional
        What stands where a frame had no such row or column, and for all that is missing in a Series or beside
        one.

    Returns
    -------
    tuple
        This object and the other one, in their own dtypes where nothing is missing.

    Raises
    ------
    ValueError
        For a frame beside a Series without ``axis``.

    Notes
    -----
    Labels that are the same in both are matched by position, even if they repeat. Otherwise a label that
    repeats pairs each of its rows (columns) with every one of the other object.

    Examples
    --------
    >>> import cuprum
    >>> left, right = cuprum.Series([1, 2]).align(cuprum.Series([3, 4], index=[1, 2]), join="inner")
    >>> left.to_list(), right.to_list()
    ([2], [3])
    >>> left, right = cuprum.Series([1, 2]).align(cuprum.Series([3, 4], index=[1, 2]), fill_value=0)
    >>> left.to_list(), right.to_list()
    ([1, 2, 0], [0, 3, 4])
    """
    only_truth("align", copy=copy)
    if join not in ("outer", "inner", "left", "right"):
        raise ValueError(f"`join` is {join!r}; it is 'outer', 'inner', 'left' or 'right'")
    left: Any = self
    which = None if axis is None else axis_number(axis, self)
    other = objects.ours(other)
    if not isinstance(other, (objects.DataFrame, objects.Series)) or left.ndim < other.ndim:
        raise TypeError(
            f"`other` is a {type(other).__name__}, which a {type(self).__name__} is not aligned with"
        )
    if level is None and which != 1:
        other, level = _by_names(left.index, other)
        if level is not None and other.ndim == 2:
            raise NotImplementedError("align of frames by a level of row labels: say `level` and `axis`=0")
    if other.ndim == 2:
        for axis in (0, 1) if which is None else (which,):
            left, other = _joined(left, other, axis, axis, join, level, fill_value)
        return left, other
    if left.ndim == 2 and which is None:
        raise ValueError("Must specify `axis`=0 or 1")
    left, other = _joined(left, other, which or 0, 0, join, level, None)
    if fill_value is None:
        return left, other
    # As in pandas, all that is missing in a series is filled.
    return left.fillna(fill_value), other.fillna(fill_value)


def first_valid_index(self: FrameOrSeries) -> Scalar:
    """Return the label of the first row with an element that is not missing.

    Returns
    -------
    label or None
        A tuple for a MultiIndex; None where all elements are missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([None, 2.0, None], index=["a", "b", "c"]).first_valid_index()
    'b'
    """
    return _label_at(self, self._handle.first_valid_row())


def last_valid_index(self: FrameOrSeries) -> Scalar:
    """Return the label of the last row with an element that is not missing.

    Returns
    -------
    label or None
        A tuple for a MultiIndex; None where all elements are missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"x": [1.0, None, None], "y": [1.0, 2.0, None]}).last_valid_index()
    1
    """
    return _label_at(self, self._handle.last_valid_row())


def _label_at(self: FrameOrSeries, row: int | None) -> Any:
    return None if row is None else self.index[row]


@objects_where_mixed
def frame_combine_first(self: DataFrame, other: DataFrame) -> DataFrame:
    """Return the elements of this frame, and where they are missing those of another one.

    Parameters
    ----------
    other : DataFrame
        The frame that missing elements are taken from, by row and column label.

    Returns
    -------
    DataFrame
        The rows and columns of either frame, in the order of their labels.

    Examples
    --------
    >>> import cuprum
    >>> first = cuprum.DataFrame({"a": [None, 1.0]})
    >>> first.combine_first(cuprum.DataFrame({"a": [5.0, 6.0], "b": [7, 8]}))
         a  b
    0  5.0  7
    1  1.0  8
    """
    return objects.wrap_frame(self._handle.combine_first(objects.ours(other)._handle))


@objects_where_mixed
def frame_combine(
    self: DataFrame,
    other: DataFrame,
    func: Callable[..., Any],
    fill_value: Any = None,
    overwrite: bool = True,
) -> DataFrame:
    """Return the result of a function of the columns of two frames with the same label.

    Parameters
    ----------
    other : DataFrame
        The other frame; rows and columns are matched by label.
    func : callable
        A function of two Series with the rows of either frame; it returns a Series, an array or a scalar.
    fill_value : scalar, optional
        What stands for missing elements when the function is called.
    overwrite : bool, default True
        Whether the function is called where the other frame has no element in a column; if not, the column
        stays.

    Returns
    -------
    DataFrame
        The rows and columns of either frame.

    Examples
    --------
    >>> import cuprum
    >>> larger = lambda left, right: left.where(left > right, right)
    >>> left = cuprum.DataFrame({"a": [0, 5]})
    >>> left.combine(cuprum.DataFrame({"a": [3, 3]}), larger)
       a
    0  3
    1  5
    >>> left.combine(cuprum.DataFrame({"a": [None, 9.0]}), larger, fill_value=-1)
         a
    0  0.0
    1  9.0
    """
    *handles, sides = self._handle.align_in_order(objects.ours(other)._handle)
    columns = []
    for at, present in enumerate(sides):
        left, right = (objects.wrap_series(handle.column_at(at)) for handle in handles)
        if not overwrite and not right.notna().any():
            columns.append(left)
            continue
        if fill_value is not None:
            left, right = left.fillna(fill_value), right.fillna(fill_value)
        dtype = concat([side for side, there in zip((left, right), present, strict=True) if there]).dtype
        columns.append(func(left.astype(dtype), right.astype(dtype)))
    shape = objects.wrap_frame(handles[0])
    made = objects.DataFrame(dict(enumerate(columns)), index=shape.index)
    made.columns = shape.columns
    return made


def frame_update(
    self: DataFrame,
    other: Any,
    join: Literal["left"] = "left",
    overwrite: bool = True,
    filter_func: Callable[..., Any] | None = None,
    errors: ErrorsIgnored = "ignore",
) -> None:
    """Replace elements by those of another frame that are not missing, in place and by label.

    Parameters
    ----------
    other : DataFrame or what one is made of
        Where elements are taken from; rows and columns that are not here are left out.
    join : ``'left'``, default ``'left'``
        The rows stay; other values raise ``NotImplementedError``.
    overwrite : bool, default True
        Replace all elements; with False missing ones only.
    filter_func : callable, optional
        A function of a column that returns True where elements may be replaced.
    errors : ``'ignore'`` or ``'raise'``, default ``'ignore'``
        ``'raise'`` raises ``ValueError`` where both frames have an element.

    Raises
    ------
    ValueError
        With ``errors='raise'``, where both frames have an element.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.update({"b": [None, 5]})
    >>> df
       a  b
    0  1  3
    1  2  5
    """
    if sys.getrefcount(self) <= METHOD:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].combine_first(…)')
    if join != "left":
        raise NotImplementedError("Only left join is supported")
    if errors not in ("ignore", "raise"):
        raise ValueError("The parameter errors must be either 'ignore' or 'raise'")
    if not isinstance(other, objects.DataFrame):
        other = objects.DataFrame(other)
    allowed = None
    if filter_func is not None:
        allowed = self._map(lambda column: objects.Series(filter_func(objects.wrap_series(column)))._handle)

    def updated(handle: Any) -> Any:
        replaceable = None if allowed is None else allowed._handle
        return handle.update(other._handle, not overwrite, errors == "raise", replaceable)

    self._relabelled(updated, True)


@objects_where_mixed
def series_combine_first(self: Series, other: Series) -> Series:
    """Return the elements of this Series, and where they are missing those of another one.

    Parameters
    ----------
    other : Series
        The Series that missing elements are taken from, by label.

    Returns
    -------
    Series
        The rows of either Series, in the order of their labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.0, None]).combine_first(cuprum.Series([3.0, 4.0, 5.0]))
    0    1.0
    1    4.0
    2    5.0
    dtype: float64
    """
    return objects.wrap_series(self._handle.combine_first(objects.ours(other)._handle))


@objects_where_mixed
def series_combine(
    self: Series, other: Any, func: Callable[[Any, Any], Any], fill_value: Any = None
) -> Series:
    """Return the result of a function of each two elements with the same label.

    Parameters
    ----------
    other : Series or scalar
        A Series, whose labels join those of this one, or a scalar, which goes with every element.
    func : callable
        A function of two elements. It is called for every row, with a `PerformanceWarning` where that takes
        long.
    fill_value : scalar, optional
        What stands where one Series has no such label; a missing element by default.

    Returns
    -------
    Series
        The results, under the labels of either Series.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 5]).combine(cuprum.Series([4, 2]), max)
    0    4
    1    5
    dtype: int64
    >>> cuprum.Series([1, 5]).combine(cuprum.Series([4]), max, fill_value=0).to_list()
    [4, 5]
    """
    left: Any = self
    watch = Watch(func, "two elements", "operators and methods of whole series are faster")
    other = objects.ours(other)
    if not isinstance(other, objects.Series):
        if is_list_like(other):
            raise TypeError(f"combine takes a Series or a scalar, not a {type(other).__name__}")
        values = [func(element, other) for element in watch.over(left.to_list())]
        return _like(left, values, left.index, left.name)
    rows, places = _paired(left.index, other.index)
    sides = []
    for side, of in zip((left, other), places, strict=True):
        fill = missing_element(side.dtype) if fill_value is None else fill_value
        elements = side.to_list()
        sides.append([elements[place] if place >= 0 else fill for place in of])
    values = [func(one, two) for one, two in watch.over(zip(*sides, strict=True))]
    return _like(left, values, rows, left.name if left.name == other.name else None)


def series_update(self: Series, other: Any) -> None:
    """Replace elements by those of another Series that are not missing, in place and by label.

    Parameters
    ----------
    other : Series, dict or list
        Where elements are taken from; labels that are not here are left out.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3])
    >>> s.update(cuprum.Series([4, None, 6]))
    >>> s.to_list()
    [4, 2, 6]
    """
    if sys.getrefcount(self) <= METHOD:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].combine_first(…)')
    if not isinstance(other, objects.Series):
        other = objects.Series(other)

    self._changed(lambda handle: handle.update(other._handle), True)


def _like(left: Any, values: list[Any], rows: Any, name: Any) -> Any:
    """Return values as a series, of the type of another where that holds them and is of their kind."""
    made = like_elements(objects.Series(values)._handle.column(), left._handle.column())
    return objects.wrap_series(_cuprum.Series(made, name, rows._handle))


def _paired(left: Any, right: Any) -> tuple[Any, list[Any]]:
    """Return the union of two indexes, and where its labels are in each of them, -1 for nowhere.

    The first of several rows with a label goes with the first of the other, the second with the second.
    """
    rows = left.union(right)
    if left.equals(rows) and right.equals(rows):
        return rows, [range(len(rows))] * 2
    if left.is_unique and right.is_unique:
        return rows, [index.get_indexer(rows).tolist() for index in (left, right)]
    turns = [_numbered(index.to_list()) for index in (rows, left, right)]
    known = [{turn: row for row, turn in enumerate(side)} for side in turns[1:]]
    return rows, [[side.get(turn, -1) for turn in turns[0]] for side in known]


def _numbered(labels: list[Any]) -> list[tuple[Any, int]]:
    """Return every label with the number of times that it came before; missing ones are one label."""
    seen: dict[Any, int] = {}
    numbered = []
    for label in labels:
        key = None if is_missing(label) else label
        numbered.append((key, seen.setdefault(key, 0)))
        seen[key] += 1
    return numbered


def _by_names(labels: Any, other: Any) -> tuple[Any, Any]:
    """Return an object with the levels of its row labels in the order of others, and the level that is the only one."""
    theirs = other.index
    if max(labels.nlevels, theirs.nlevels) == 1 or labels.names == theirs.names or labels.equals(theirs):
        return other, None
    common = [name for name in labels.names if name is not None and name in theirs.names]
    if not common:
        raise ValueError("cannot join with no overlapping index names")
    if min(labels.nlevels, theirs.nlevels) == 1:
        return other, common[0]
    if labels.nlevels == theirs.nlevels == len(common):
        return other.reorder_levels(labels.names), None
    raise NotImplementedError(
        "row labels some of whose levels are in both objects: use reset_index and merge on these"
    )


def _joined(
    left: Any, right: Any, axis: int, other_axis: int, join: str, level: Any, fill_value: Any
) -> tuple[Any, Any]:
    """Return two objects with the same labels along an axis of each, which are joined and found by position.

    ``fill_value`` stands where one of them had no such label.
    """
    own, theirs = (
        side.columns if number else side.index for side, number in ((left, axis), (right, other_axis))
    )
    if own.equals(theirs):
        return left.copy(), right.copy()
    if max(own.nlevels, theirs.nlevels) == 1:
        level = None
    index, *places = own.join(theirs, how=join, level=level, return_indexers=True)
    made = []
    for side, number, at in ((left, axis, places[0]), (right, other_axis, places[1])):
        if at is None:
            made.append(side.set_axis(index, axis=number))
        elif number:
            made.append(with_columns_at(side, index, at, fill_value))
        else:
            made.append(side._wrap(with_rows_at(side._handle, index, at, fill_value)))
    return made[0], made[1]


def equals(self: FrameOrSeries, other: Any) -> bool:
    """Return whether another object has equal elements, labels and dtypes.

    Parameters
    ----------
    other : object
        The object to compare with; a DataFrame or Series of this library or of pandas may be equal.

    Returns
    -------
    bool
        True for equal objects; missing elements equal each other.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.0, None])
    >>> s.equals(cuprum.Series([1.0, None]))
    True
    >>> cuprum.Series([1, 2]).equals(cuprum.Series([1.0, 2.0]))
    False
    """
    if not isinstance(other, Wrapper):
        other = ours(other)
    alike = isinstance(other, Wrapper) and other.ndim == self.ndim
    return alike and self._handle.equals(other._handle)
