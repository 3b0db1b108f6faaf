"""Sorting and ranks: sort_values, sort_index, rank, argsort, nlargest, searchsorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, Table, _search
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    check_kind,
    check_truth,
    flag_per_label,
    integer_of,
    is_list_like,
    label_list,
    only_default,
    only_texts,
    only_truth,
    truth_of,
)
from cuprum.core.axis1 import rank_in_rows
from cuprum.core.construction import cast_column, column_from
from cuprum.core.frame_construction import frame_of
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.interop import to_numpy
from cuprum.core.label_columns import index_of_columns, level_column
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.unstack import levels_of

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        AnyObject,
        AnySeries,
        Array,
        Axis,
        FrameOrSeries,
        KeepOfTop,
        LabelOrLabels,
        ListLike,
        NaOption,
        NaPosition,
        OneLabel,
        RankMethod,
        Side,
        SortIndexOptions,
        SortKind,
        SortOptions,
    )


@overload
def sort_index(
    self: FrameOrSeries, *, inplace: Literal[True], **options: Unpack[SortIndexOptions]
) -> None: ...
@overload
def sort_index(self: AnyObject, *, inplace: bool = ..., **options: Unpack[SortIndexOptions]) -> AnyObject: ...
def sort_index(
    self: FrameOrSeries,
    *,
    axis: Any = 0,
    level: Any = None,
    ascending: Any = True,
    inplace: bool = False,
    kind: str = "quicksort",
    na_position: str = "last",
    sort_remaining: bool = True,
    ignore_index: bool = False,
    key: Any = None,
) -> Any:
    """Return the rows or columns sorted by their labels.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 sorts rows, 1 columns of a frame.
    level : int, level name or list of them, optional
        The levels that are sorted by first. Labels of one level are sorted by that one, whatever ``level``
        is.
    ascending : bool or list of bool, default True
        The direction, or one for each level.
    inplace : bool, default False
        Change this object and return None.
    kind : ``'quicksort'``, ``'mergesort'``, ``'heapsort'`` or ``'stable'``, default ``'quicksort'``
        Has no effect: the sort is always stable.
    na_position : ``'first'`` or ``'last'``, default ``'last'``
        Where missing labels are put, in either direction.
    sort_remaining : bool, default True
        Sort by the other levels as well, after ``level``.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….
    key : callable, optional
        A function of an Index, called for every level, whose result is sorted by instead.

    Returns
    -------
    DataFrame, Series or None
        The rows in their new order, equal labels in the old one; None with ``inplace=True``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3], index=["b", "C", "a"])
    >>> s.sort_index()
    C    2
    a    3
    b    1
    dtype: int64
    >>> s.sort_index(key=lambda index: index.str.lower(), ascending=False).index.to_list()
    ['C', 'b', 'a']
    """
    check_kind(kind)
    only_texts(na_position=na_position)
    if axis_number(axis, self) == 1:
        options = {"level": level, "ascending": ascending, "na_position": na_position}
        options |= {"sort_remaining": sort_remaining, "key": key}

        def by_label(handle: Any) -> Any:
            places = column_from(range(handle.num_columns()))
            series = wrap_series(_cuprum.Series(places, None, handle.columns_index()))
            order = series.sort_index(**options).to_list()
            moved = handle.select_positions(order)
            return moved.with_labels(list(range(len(order))), [None]) if ignore_index else moved

        return self._relabelled(by_label, inplace, key)
    plain = level is None and key is None and na_position == "last" and not is_list_like(ascending)
    wanted = None if level is None else levels_of(level)
    given = ascending if not is_list_like(ascending) else list(ascending)
    upwards = truth_of("ascending", ascending, integers=True) if plain else None

    def sort(handle: Any) -> Any:
        if upwards is not None and handle.index().kind() == "mixed":
            rows = wrap_index(handle.index())._rows_in_order(upwards)
            handle = handle.take(column_from(rows))
        elif upwards is not None:
            handle = handle.sort_index(upwards)
        else:
            index = handle.index()
            levels = range(index.nlevels())
            # Of one level that is the one: as in pandas, whatever `level` calls it.
            whole = wanted is None or len(levels) == 1
            named = levels if whole else [index.level_position(one) for one in wanted or ()]
            flags = flag_per_label(given, len(named), "ascending")
            rest = [i for i in levels if i not in named and sort_remaining]
            if len(flags) > 1:
                flags += [True] * len(rest)
            keys = [_sort_key(index, i, key) for i in [*named, *rest]]
            handle = handle.sort_by(keys, flags, na_position)
        return handle.drop_index() if ignore_index else handle

    return self._replaced(sort, inplace, key)


def rank(
    self: AnyObject,
    axis: Axis = 0,
    method: RankMethod = "average",
    numeric_only: bool = False,
    na_option: NaOption = "keep",
    ascending: bool = True,
    pct: bool = False,
) -> AnyObject:
    """Return the place of every element in the order of its column, from 1.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 ranks the elements of each column, 1 those of each row.
    method : ``'average'``, ``'min'``, ``'max'``, ``'first'`` or ``'dense'``, default ``'average'``
        What equal elements get: the mean, the first or the last of their places, one each in row order, or
        places counted without repetition.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    na_option : ``'keep'``, ``'top'`` or ``'bottom'``, default ``'keep'``
        Missing elements stay missing, or come before or after all others.
    ascending : bool, default True
        Whether the smallest element has the first place.
    pct : bool, default False
        Return places as shares of the last one.

    Returns
    -------
    DataFrame or Series
        Places as float64 under the same labels.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([30, 10, 30, None])
    >>> s.rank().to_list()
    [2.5, 1.0, 2.5, nan]
    >>> s.rank(method="min", na_option="bottom").to_list()
    [2.0, 1.0, 2.0, 4.0]
    """
    handle = self._handle
    only_texts(method=method, na_option=na_option)
    if numeric_only and self.ndim == 2:
        handle = handle.numbers()
    elif numeric_only and handle.dtype().kind not in "iufb":
        raise TypeError(f"Series.rank does not allow numeric_only=True with the type {handle.dtype()}")
    if axis_number(axis, self) == 1:
        return rank_in_rows(self._wrap(handle), method, na_option, bool(ascending), bool(pct))
    return self._wrap(handle.rank(method, bool(ascending), na_option, bool(pct)))


def _sort_key(index: Any, level: int, key: Any) -> Column:
    """Return the labels of one level, or what the function ``key`` makes of them."""
    labels = level_column(index, level)
    if key is None:
        return labels
    return column_from(key(wrap_index(index_of_columns([labels], [index.names()[level]]))))


@overload
def frame_sort_values(
    self: DataFrame, by: LabelOrLabels, *, inplace: Literal[True], **options: Unpack[SortOptions]
) -> None: ...
@overload
def frame_sort_values(
    self: AnyFrame, by: LabelOrLabels, *, inplace: bool = ..., **options: Unpack[SortOptions]
) -> AnyFrame: ...
def frame_sort_values(
    self: DataFrame,
    by: Any,
    *,
    axis: Any = 0,
    ascending: Any = True,
    inplace: bool = False,
    kind: str = "quicksort",
    na_position: str = "last",
    ignore_index: bool = False,
    key: Any = None,
) -> Any:
    """Return the rows sorted by columns.

    Parameters
    ----------
    by : label or list of labels
        Labels of columns or names of index levels, the first being the most significant; with ``axis=1``
        labels of rows.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 sorts rows, 1 columns, by the elements of rows.
    ascending : bool or list of bool, default True
        The direction, or one for each label of ``by``.
    inplace : bool, default False
        Change this object and return None.
    kind : ``'quicksort'``, ``'mergesort'``, ``'heapsort'`` or ``'stable'``, default ``'quicksort'``
        Has no effect: the sort is always stable.
    na_position : ``'first'`` or ``'last'``, default ``'last'``
        Where missing elements are put, in either direction.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….
    key : callable, optional
        A function of a whole Series, called for every column, whose result is sorted by instead.

    Returns
    -------
    DataFrame or None
        The rows in their new order, equal ones in the old one; None with ``inplace=True``.

    Raises
    ------
    KeyError
        For a label that is not there.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"s": ["b", "C", "a"], "n": [2, None, 2]})
    >>> df.sort_values(["n", "s"], ascending=[True, False])
       s     n
    0  b     2
    2  a     2
    1  C  <NA>
    >>> df.sort_values("s", key=lambda s: s.str.lower())["s"].to_list()
    ['a', 'b', 'C']
    >>> df.sort_values("n", na_position="first", ignore_index=True)
       s     n
    0  C  <NA>
    1  b     2
    2  a     2
    """
    check_kind(kind)
    only_texts(na_position=na_position)
    labels = label_list(by)
    if not labels:  # by nothing, as in pandas
        return self._replaced(lambda handle: handle, inplace)
    flags = flag_per_label(ascending, len(labels), "ascending")
    if axis_number(axis) == 1:

        def by_rows(handle: Any) -> Any:
            order = _order_of_columns(wrap_frame(handle), labels, flags, na_position, key)
            moved = handle.select_positions(order)
            return moved.with_labels(list(range(len(order))), [None]) if ignore_index else moved

        return self._relabelled(by_rows, inplace)

    def column(handle: Any, label: Any) -> Any:
        index = handle.index()
        if not handle.contains(label) and label in index.names():
            column = index.column(index.level_position(label))
        else:
            column = handle.column(label).column()
        return column if key is None else column_from(key(wrap_series(_cuprum.Series(column, label, index))))

    def sort(handle: Any) -> Any:
        keys = [column(handle, label) for label in labels]
        return handle.sort_by(keys, flags, na_position, bool(ignore_index))

    return self._replaced(sort, inplace, key)


def frame_nlargest(self: DataFrame, n: int, columns: LabelOrLabels, keep: KeepOfTop = "first") -> DataFrame:
    """Return the rows with the largest values in some columns.

    Parameters
    ----------
    n : int
        How many rows.
    columns : label or list of labels
        The columns that are compared, the first being the most significant.
    keep : ``'first'``, ``'last'`` or ``'all'``, default ``'first'``
        Of rows with equal values take the first or the last ones; ``'all'`` takes all that equal the last
        row, which may be more than ``n``.

    Returns
    -------
    DataFrame
        The rows, largest first; rows with missing values come last.

    Raises
    ------
    TypeError
        For columns that are neither numbers nor times.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 3, 2, 3], "b": ["w", "x", "y", "z"]})
    >>> df.nlargest(2, "a")
       a  b
    1  3  x
    3  3  z
    >>> df.nlargest(1, "a", keep="all")["b"].to_list()
    ['x', 'z']
    """
    for label in label_list(columns):
        _refuse_what_is_no_number("nlargest", self._handle.column(label).column())
    labels = label_list(columns)
    return wrap_frame(_top(self._handle, n, keep, lambda handle, n: handle.top(n, labels, True), labels))


def frame_nsmallest(self: DataFrame, n: int, columns: LabelOrLabels, keep: KeepOfTop = "first") -> DataFrame:
    """Return the rows with the smallest values in some columns.

    Parameters
    ----------
    n : int
        How many rows.
    columns : label or list of labels
        The columns that are compared, the first being the most significant.
    keep : ``'first'``, ``'last'`` or ``'all'``, default ``'first'``
        Of rows with equal values take the first or the last ones; ``'all'`` takes all that equal the last
        row, which may be more than ``n``.

    Returns
    -------
    DataFrame
        The rows, smallest first; rows with missing values come last.

    Raises
    ------
    TypeError
        For columns that are neither numbers nor times.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 3, None, 1], "b": ["w", "x", "y", "z"]})
    >>> df.nsmallest(2, "a")
       a  b
    0  1  w
    3  1  z
    >>> df.nsmallest(1, "a", keep="last")["b"].to_list()
    ['z']
    """
    for label in label_list(columns):
        _refuse_what_is_no_number("nsmallest", self._handle.column(label).column())
    labels = label_list(columns)
    return wrap_frame(_top(self._handle, n, keep, lambda handle, n: handle.top(n, labels, False), labels))


def frame_argsort(
    self: DataFrame,
    by: LabelOrLabels = None,
    axis: Axis = 0,
    kind: SortKind = "quicksort",
    order: Any = None,
    ascending: Any = True,
    na_position: NaPosition = "last",
) -> Array:
    """Return the positions that would sort the rows.

    Parameters
    ----------
    by : label or list of labels, optional
        The columns that are sorted by; all by default.
    axis : 0 or 'index', default 0
        1 raises ``NotImplementedError``.
    kind : ``'quicksort'``, ``'mergesort'``, ``'heapsort'`` or ``'stable'``, default ``'quicksort'``
        Has no effect: the sort is always stable.
    order : None, default None
        Has to be None.
    ascending : bool or list of bool, default True
        The direction, or one for each column.
    na_position : ``'first'`` or ``'last'``, default ``'last'``
        Where missing elements are put, in either direction.

    Returns
    -------
    numpy.ndarray
        A position for each row; rows with equal values keep their order.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [2, 1, 2], "b": [1, 5, 0]})
    >>> df.argsort()
    array([1, 2, 0])
    >>> df.argsort("a", ascending=False)
    array([0, 2, 1])
    """
    import numpy as np

    if axis_number(axis, "DataFrame"):
        raise NotImplementedError("argsort does not support `axis`=1")
    only_default("argsort", order=(order, None))
    check_kind(kind)
    only_texts(na_position=na_position)
    labels = self._handle.labels() if by is None else label_list(by)
    if not labels:
        return np.arange(len(self))
    keys = self[labels].reset_index(drop=True)
    keys.columns = range(len(labels))
    moved = keys.sort_values(
        list(range(len(labels))), ascending=ascending, na_position=na_position, kind="stable"
    )
    return moved.index.to_numpy(copy=True)


def frame_searchsorted(
    self: DataFrame,
    values: DataFrame,
    side: Side = "left",
    ascending: bool = True,
    na_position: NaPosition = "last",
) -> Array:
    """Return where the rows of another frame would be put among these, which are in order.

    Parameters
    ----------
    values : DataFrame
        The rows that are looked for; columns are matched by position.
    side : ``'left'`` or ``'right'``, default ``'left'``
        Before or behind rows that are equal.
    ascending : bool, default True
        The order that the rows are in.
    na_position : ``'first'`` or ``'last'``, default ``'last'``
        Where missing elements are put, in either direction.

    Returns
    -------
    numpy.ndarray
        The position of each row of ``values``, as int32.

    Raises
    ------
    ValueError
        For another number of columns.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 1, 2], "b": [3, 5, 1]})
    >>> df.searchsorted(cuprum.DataFrame({"a": [1, 2], "b": [4, 1]}))
    array([1, 2], dtype=int32)
    >>> df.searchsorted(cuprum.DataFrame({"a": [1, 2], "b": [4, 1]}), side="right")
    array([1, 3], dtype=int32)
    """
    wanted = frame_of(values, "values").nans_to_nulls()._handle.columns()
    own = self.nans_to_nulls()._handle.columns()
    if len(wanted) != len(own):
        raise ValueError(f"`values` has {len(wanted)} columns, the frame has {len(own)}")
    if side not in ("left", "right"):
        raise ValueError(f"`side` is {side!r}, neither 'left' nor 'right'")
    if na_position not in ("first", "last"):
        raise ValueError(f"invalid na_position: {na_position!r}")
    check_truth("ascending", ascending)
    # Nulls come before all else, in either direction, for True.
    before = (na_position == "first") == ascending
    orders, nulls = [int(not ascending)] * len(own), [int(before)] * len(own)
    bound = _search.lower_bound if side == "left" else _search.upper_bound
    return to_numpy(bound(Table(own), Table(wanted), orders, nulls, None, None), copy=True)


def _order_of_columns(
    frame: Any, labels: list[Any], flags: list[bool], na_position: Any, key: Any
) -> list[int]:
    """Return the positions of the columns in the order of the elements of rows with some labels."""
    keys: dict[int, Any] = {}
    for label in labels:
        row = frame.loc[[label]]
        if len(row) > 1:
            raise ValueError(f"The index label {label!r} is not unique.")
        elements = row.T.iloc[:, 0].rename(label)
        keys[len(keys)] = (elements if key is None else key(elements)).reset_index(drop=True)
    ascending: Any = flags if len(flags) > 1 else flags[0]
    order = objects.DataFrame(keys).sort_values(list(keys), ascending=ascending, na_position=na_position)
    return order.index.to_list()


@overload
def series_sort_values(self: Series, *, inplace: Literal[True], **options: Unpack[SortOptions]) -> None: ...
@overload
def series_sort_values(
    self: AnySeries, *, inplace: bool = ..., **options: Unpack[SortOptions]
) -> AnySeries: ...
def series_sort_values(
    self: Series,
    *,
    axis: Any = 0,
    ascending: Any = True,
    inplace: bool = False,
    kind: str = "quicksort",
    na_position: str = "last",
    ignore_index: bool = False,
    key: Any = None,
) -> Any:
    """Return the elements in order.

    Parameters
    ----------
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    ascending : bool, default True
        The direction.
    inplace : bool, default False
        Change this object and return None.
    kind : ``'quicksort'``, ``'mergesort'``, ``'heapsort'`` or ``'stable'``, default ``'quicksort'``
        Has no effect: the sort is always stable.
    na_position : ``'first'`` or ``'last'``, default ``'last'``
        Where missing elements are put, in either direction.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….
    key : callable, optional
        A function of the whole Series whose result is sorted by instead.

    Returns
    -------
    Series or None
        The elements under their labels, equal ones in the old order; None with ``inplace=True``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([3, None, 1])
    >>> s.sort_values()
    2       1
    0       3
    1    <NA>
    dtype: int64
    >>> s.sort_values(ascending=False, na_position="first").to_list()
    [nan, 3, 1]
    >>> cuprum.Series(["b", "C", "a"]).sort_values(key=lambda s: s.str.lower()).to_list()
    ['a', 'b', 'C']
    """
    check_kind(kind)
    only_texts(na_position=na_position)
    axis_number(axis, "Series")
    (upwards,) = flag_per_label(ascending, 1, "ascending")

    def sort(handle: Any) -> Any:
        column = handle.column() if key is None else column_from(key(wrap_series(handle.shared())))
        return handle.sort_by([column], [upwards], na_position, bool(ignore_index))

    return self._replaced(sort, inplace, key)


def series_argsort(
    self: Series,
    axis: Literal[0, -1, "index", "rows"] = 0,
    kind: SortKind = "quicksort",
    order: Any = None,
    stable: Any = None,
    *,
    ascending: bool = True,
    na_position: NaPosition = "last",
) -> Series:
    """Return the positions that would sort the elements.

    Parameters
    ----------
    axis : 0, 'index' or -1, default 0
        The only axis of a Series. 1 raises ``ValueError``.
    kind : ``'quicksort'``, ``'mergesort'``, ``'heapsort'`` or ``'stable'``, default ``'quicksort'``
        Has no effect: the sort is always stable.
    order : None, default None
        Has to be None.
    stable : bool, optional
        Has no effect: the sort is always stable.
    ascending : bool, default True
        The direction.
    na_position : ``'first'`` or ``'last'``, default ``'last'``
        Where missing elements are put, in either direction.

    Returns
    -------
    Series
        Positions, under the row labels of this Series; equal elements keep their order.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([3, 1, None])
    >>> s.argsort().to_list()
    [1, 0, 2]
    >>> s.argsort(ascending=False, na_position="first").to_list()
    [2, 0, 1]
    """
    if axis != -1:  # NumPy's function gives it
        axis_number(axis, "Series")
    check_kind(kind)
    only_default("argsort", order=(order, None))
    only_truth("argsort", stable=stable)
    check_truth("ascending", ascending)
    if ascending and na_position == "last":
        return wrap_series(self._handle.argsort(True))
    rows = self.to_frame(0).argsort(ascending=ascending, na_position=na_position)
    return objects.Series(rows, index=self.index, name=self.name)


def factorize(self: Series, sort: bool = False, use_na_sentinel: bool = True) -> tuple[Array, Index]:
    """Return the elements as numbers of the different ones, and the different ones.

    Parameters
    ----------
    sort : bool, default False
        Number the different elements in ascending order; else in order of first appearance.
    use_na_sentinel : bool, default True
        Missing elements have the number -1. With False they are one of the different elements.

    Returns
    -------
    codes : numpy.ndarray
        The number of each element.
    uniques : Index
        The different elements.

    Examples
    --------
    >>> import cuprum
    >>> codes, letters = cuprum.Series(["b", "a", None, "b"]).factorize()
    >>> codes.tolist(), letters.to_list()
    ([0, 1, -1, 0], ['b', 'a'])
    """
    return objects.Index(self).rename(None).factorize(sort, use_na_sentinel)


@overload
def series_searchsorted(
    self: Series, value: OneLabel, side: Side = ..., sorter: ListLike | None = ...
) -> int: ...
@overload
def series_searchsorted(
    self: Series, value: ListLike, side: Side = ..., sorter: ListLike | None = ...
) -> Array: ...
def series_searchsorted(self: Series, value: Any, side: Any = "left", sorter: Any = None) -> Any:
    """Return where values would be put among these elements, which ascend.

    Parameters
    ----------
    value : scalar or list-like
        The values to look for.
    side : ``'left'`` or ``'right'``, default ``'left'``
        Before or behind elements that are equal.
    sorter : list of int, optional
        The positions that would sort the elements, if these are in another order.

    Returns
    -------
    int or numpy.ndarray
        A position of a scalar, an array of them of a list-like.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 3, 5])
    >>> s.searchsorted([0, 3, 4]).tolist()
    [0, 1, 2]
    >>> s.searchsorted([3], side="right").tolist()
    [2]
    """
    return objects.Index(self).searchsorted(value, side, sorter)


def series_nlargest(self: Series, n: int = 5, keep: KeepOfTop = "first") -> Series:
    """Return the largest elements.

    Parameters
    ----------
    n : int, default 5
        How many.
    keep : ``'first'``, ``'last'`` or ``'all'``, default ``'first'``
        Of equal elements take the first or the last ones; ``'all'`` takes all that equal the last one, which
        may be more than ``n``.

    Returns
    -------
    Series
        The elements under their labels, largest first; missing ones come last.

    Raises
    ------
    TypeError
        For elements that are neither numbers nor times.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 3, None, 3])
    >>> s.nlargest(2)
    1    3
    3    3
    dtype: int64
    >>> s.nlargest(1, keep="all").index.to_list()
    [1, 3]
    """
    _refuse_what_is_no_number("nlargest", self._handle.column())
    return wrap_series(_top(self._handle, n, keep, lambda handle, n: handle.top(n, True), None))


def series_nsmallest(self: Series, n: int = 5, keep: KeepOfTop = "first") -> Series:
    """Return the smallest elements.

    Parameters
    ----------
    n : int, default 5
        How many.
    keep : ``'first'``, ``'last'`` or ``'all'``, default ``'first'``
        Of equal elements take the first or the last ones; ``'all'`` takes all that equal the last one, which
        may be more than ``n``.

    Returns
    -------
    Series
        The elements under their labels, smallest first; missing ones come last.

    Raises
    ------
    TypeError
        For elements that are neither numbers nor times.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 3, None, 1])
    >>> s.nsmallest(2)
    0    1
    3    1
    dtype: int64
    >>> s.nsmallest(1, keep="last").index.to_list()
    [3]
    """
    _refuse_what_is_no_number("nsmallest", self._handle.column())
    return wrap_series(_top(self._handle, n, keep, lambda handle, n: handle.top(n, False), None))


def _refuse_what_is_no_number(function: str, column: Column) -> None:
    """Fail for elements that are neither numbers nor times."""
    dtype = column.dtype
    if dtype.kind == "O" and dtype.precision is None:
        raise TypeError(f"Cannot use method {function!r} with dtype {dtype}")


def _top(handle: Any, n: int, keep: Any, top: Any, labels: list[Any] | None) -> Any:
    """Return the ``n`` rows that ``top`` finds, or those among equal ones that ``keep`` says."""
    n = max(integer_of("n", n, truths=True), 0)
    if keep == "last":
        import numpy as np

        reverse = column_from(np.arange(len(handle) - 1, -1, -1))
        return top(handle.take(reverse), n)
    if keep not in ("first", "all"):
        raise ValueError('keep must be either "first", "last" or "all"')
    found = top(handle, n)
    if keep == "first" or not n or len(found) < n:
        return found
    # Rows equal to the last one that are not among them come next in the order.
    return top(handle, n + _equal_to(found, handle, n, labels) - _equal_to(found, found, n, labels))


def _equal_to(found: Any, handle: Any, n: int, labels: list[Any] | None) -> int:
    """Return how many rows of ``handle`` equal row ``n - 1`` of ``found`` in some columns."""
    equal: Any = None
    for label in [None] if labels is None else labels:
        column, last = (handle, found) if label is None else (handle.column(label), found.column(label))
        value = last.get(n - 1)
        same = column.isna() if is_missing(value) else column.binary_scalar(value, "eq", False)
        equal = same if equal is None else equal.binary(same, "and")
    return int(equal.reduce("sum"))


def digitize(self: Series, bins: Any, right: bool = False) -> Series:
    """Return how many of some ascending edges are below each element, or equal to it.

    Parameters
    ----------
    bins : list-like
        The edges, ascending, none missing.
    right : bool, default False
        Do not count an edge that is equal.

    Returns
    -------
    Series
        Numbers (``int32``), missing for missing elements, labelled 0, 1, … as in cuDF.

    Raises
    ------
    ValueError
        For edges that do not ascend or are missing.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([0.2, 6.4, 1.0, None])
    >>> s.digitize([0.0, 1.0, 2.5, 4.0]).to_list()
    [1, 4, 2, nan]
    >>> s.digitize([0.0, 1.0, 2.5, 4.0], right=True).to_list()
    [1, 4, 1, nan]
    """
    check_truth("right", right)
    handle = self._handle
    given = column_from(bins)
    edges = cast_column(given, "float64" if given.dtype.kind in "iu" and handle.dtype().kind == "f" else None)
    if _cuprum.Series(edges).isna().reduce("any"):
        raise ValueError("`bins` has a missing edge")
    if not _cuprum.Index.from_columns([edges], [None]).is_monotonic_increasing():
        raise ValueError("`bins` has to ascend")
    values = handle.column()
    if edges.dtype.kind == "f" and values.dtype.kind in "iu":
        values = cast_column(values, "float64")
    elif edges.dtype != values.dtype:
        edges = cast_column(edges, values.dtype)
    bound = _search.lower_bound if right else _search.upper_bound
    numbers = bound(Table([edges]), Table([values]), [0], [0], None, None)
    found = _cuprum.Series(numbers, handle.name())
    missing = handle.isna()
    return wrap_series(found.where(handle.notna().column(), None, False) if missing.reduce("any") else found)
