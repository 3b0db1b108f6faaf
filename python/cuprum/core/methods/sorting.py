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
    """Return the rows in the order of their labels; equal ones keep their order.

    Missing labels come last, or ``'first'``. ``level`` names the levels that are the most
    significant; the others follow unless ``sort_remaining`` is False. Labels of one level are
    sorted by that one, whatever ``level`` is, as in pandas. ``key`` is a function of an Index,
    called for every level, whose result is sorted by instead. With ``axis=1`` the columns, in
    the order of their labels.
    """
    check_kind(kind)
    only_texts(na_position=na_position)
    if axis_number(axis, self) == 1:
        options = {"level": level, "ascending": ascending, "na_position": na_position}
        options |= {"sort_remaining": sort_remaining, "key": key}

        def by_label(handle: Any) -> Any:
            places = column_from(range(handle.shape()[1]))
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
    """Return the place of every element in the order of its column, from 1, as float64.

    Parameters
    ----------
    axis
        1 for the places in the order of their rows.
    method
        What equal elements get: the mean of their places (``'average'``), the first (``'min'``)
        or last (``'max'``) of them, one each in row order (``'first'``), or places counted
        without repetition (``'dense'``).
    na_option
        Missing elements stay missing (``'keep'``), or come before (``'top'``) or after
        (``'bottom'``) all others.
    pct
        Places as shares of the last one.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([30, 10, 30, 20]).rank(method="min").to_list()
    [3.0, 1.0, 3.0, 2.0]
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
    """Return the rows sorted by columns, the first of ``by`` being the most significant.

    ``by`` are labels of columns or names of index levels. ``ascending`` is one flag or one for
    each. Missing elements come last (or ``'first'``); equal rows keep their order. ``key`` is a
    function of a whole Series, called for every column, whose result is sorted by instead. With
    ``axis=1`` columns are sorted by the elements of rows, of which ``by`` has the labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"s": ["b", "C", "a"]}).sort_values("s", key=lambda s: s.str.lower())
       s
    2  a
    0  b
    1  C
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
    """Return the ``n`` rows with the largest values in ``columns``, largest first; ties in row order.

    With ``keep='last'`` ties are in the order of the rows from the end, with ``'all'`` those of the last row that
    is taken are all there.
    """
    for label in label_list(columns):
        _refuse_what_is_no_number("nlargest", self._handle.column(label).column())
    labels = label_list(columns)
    return wrap_frame(_top(self._handle, n, keep, lambda handle, n: handle.top(n, labels, True), labels))


def frame_nsmallest(self: DataFrame, n: int, columns: LabelOrLabels, keep: KeepOfTop = "first") -> DataFrame:
    """Return the ``n`` rows with the smallest values in ``columns``, smallest first; ties in row order.

    With ``keep='last'`` ties are in the order of the rows from the end, with ``'all'`` those of the last row that
    is taken are all there.
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
    """Return the positions that would sort the rows by the columns ``by`` (all of them), as a NumPy array.

    ``ascending`` and ``na_position`` are those of `sort_values`. Rows with equal values keep their order.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [2, 1, 2], "b": [1, 5, 0]}).argsort()
    array([1, 2, 0])
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
    """Return where the rows of another frame would be put among these, which are in order, as a NumPy array.

    Columns are matched by position. ``side='left'`` is before rows that are equal, ``'right'`` behind them;
    missing elements are where ``na_position`` says. ``ValueError`` for another number of columns.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, 1, 2], "b": [3, 5, 1]})
    >>> frame.searchsorted(cuprum.DataFrame({"a": [1], "b": [4]}))
    array([1], dtype=int32)
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
    """Return the elements in order, missing ones last (or ``'first'``); equal ones keep their order.

    ``key`` is a function of the whole Series whose result is sorted by instead.
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
    """Return the positions that would sort the elements; equal ones keep their order.

    ``ascending`` and ``na_position`` are those of `sort_values`.
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
    """Return a NumPy array of numbers of the different elements, and an Index of these; see `Index.factorize`."""
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
    """Return where values would be put among these elements, which ascend; see `Index.searchsorted`."""
    return objects.Index(self).searchsorted(value, side, sorter)


def series_nlargest(self: Series, n: int = 5, keep: KeepOfTop = "first") -> Series:
    """Return the ``n`` largest elements, largest first; equal ones in row order; missing ones left out.

    With ``keep='last'`` equal ones are in the order of the rows from the end, with ``'all'`` those that equal the
    last one are all there.
    """
    _refuse_what_is_no_number("nlargest", self._handle.column())
    return wrap_series(_top(self._handle, n, keep, lambda handle, n: handle.top(n, True), None))


def series_nsmallest(self: Series, n: int = 5, keep: KeepOfTop = "first") -> Series:
    """Return the ``n`` smallest elements, smallest first; equal ones in row order; missing ones left out.

    With ``keep='last'`` equal ones are in the order of the rows from the end, with ``'all'`` those that equal the
    last one are all there.
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
    n = max(n, 0)
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
    """Return how many of the edges ``bins``, which ascend, are below each element, or equal to it (``int32``).

    As in cuDF, the numbers are labelled 0, 1, ….

    With ``right`` an edge that is equal does not count. Missing for missing elements. ``ValueError`` for edges that
    do not ascend or are missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([0.2, 6.4, 3.0]).digitize([0.0, 1.0, 2.5, 4.0]).to_list()
    [1, 4, 3]
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
