"""Selection: head, tail, take, sample, xs, get, filter, select, squeeze."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    label_list,
    plain_label,
)
from cuprum.core.construction import (
    column_from,
    positions_to_take,
)
from cuprum.core.filtering import filtered
from cuprum.core.index.index import Index
from cuprum.core.indexing import (
    by_label,
)
from cuprum.core.label_positions import places_of
from cuprum.core.methods.columns import _as_values, _column_beside
from cuprum.core.missing import missing_element
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.pandas_col import is_deferred, resolved
from cuprum.core.sample import draw, generator, likelihoods, sample_size
from cuprum.core.type_selection import places_of_types

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyObject,
        Axis,
        FrameOrSeries,
        Label,
        LabelOrLabels,
        ListLike,
        RowAxis,
        Scalar,
    )


def select(self: DataFrame, /, *args: Any, **kwargs: Any) -> DataFrame:
    """Return some columns, and such as are computed, in the order of the arguments.

    Parameters
    ----------
    *args : label or expression
        Labels of columns, and expressions (``cuprum.col("a") * 2``) whose result has a name; or one list of
        them.
    **kwargs : scalar, list-like, Series or callable
        Columns that are computed as by `assign`; later arguments see them.

    Returns
    -------
    DataFrame
        The same rows.

    Raises
    ------
    KeyError
        For a column that is not there.
    TypeError
        For a set, for several lists, and for an expression whose result is no Series or has no name.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.select("b", c=cuprum.col("a") * 10)
       b   c
    0  3  10
    1  4  20
    >>> df.select(["b", "a"]).columns.to_list()
    ['b', 'a']
    """
    items = list(args)
    if any(isinstance(item, (set, frozenset)) for item in args):
        raise TypeError("`select` takes no set, whose elements have no order: give a list")
    lists = [
        item for item in args if not is_deferred(item) and not isinstance(item, tuple) and is_list_like(item)
    ]
    if lists:
        if len(args) > 1:
            raise TypeError("a list of items is the only one of `args`: give them one by one, or all in it")
        items = list(args[0])
    result = self._snapshot()
    parts: list[Any] = []
    for item in items:
        if not is_deferred(item):
            parts.append(result[[item]])
            continue
        column = resolved(item, result)
        if getattr(column, "ndim", None) != 1:
            raise TypeError(f"`args` has {item!r}, which gives a {type(column).__name__} and no Series")
        if column.name is None:
            raise TypeError(f"`args` has {item!r}, whose result has no name: use rename")
        _check_depth(self, column.name)
        parts.append(result._computed_column(column.name, column))
    for name, value in kwargs.items():
        _check_depth(self, name)
        parts.append(result._computed_column(name, resolved(value, result)))
    handle = result._handle
    labels = [label for part in parts for label in part._handle.labels()]
    columns = [column for part in parts for column in part._handle.columns()]
    chosen = _cuprum.DataFrame(labels, columns, handle.index())
    if not labels:
        return wrap_frame(handle.select_positions([]))
    return wrap_frame(chosen.with_labels(labels, handle.level_names()))


def _check_depth(self: DataFrame, name: Any) -> None:
    """Fail for the name of a new column that has not as many parts as the labels have levels."""
    levels = self._handle.num_levels()
    if levels > 1 and (not isinstance(name, tuple) or len(name) != levels):
        raise TypeError(f"{name!r} is no label of {levels} levels: use rename with a tuple")


def computed_column(self: DataFrame, label: Any, value: Any) -> DataFrame:
    """Set all columns called ``label`` to what was computed and return it as one column."""
    label = plain_label(label)
    places = self._repeated(label)
    if len(places) > 1:
        column, columns = _column_beside(self._handle, _as_values(label, value)), self._handle.columns()
        for at in places:
            columns[at] = column
        self._relabelled(lambda handle: handle.with_columns(columns), inplace=True)
    else:
        self._set_column(label, value)
    at = places_of(label, self._handle.labels())[0]
    return wrap_frame(self._handle.select_positions([at]))


def frame_filter(
    self: DataFrame,
    arg: Any = None,
    /,
    like: str | None = None,
    regex: str | None = None,
    axis: Axis | None = None,
    *,
    items: ListLike | None = None,
    cond: Any = None,
    na: Any = False,
) -> DataFrame:
    """Return the rows for which a mask is true, or the columns with some labels.

    Parameters
    ----------
    arg : callable, expression or list of labels, optional
        A function of the frame or an expression is a mask, see ``cond``; a list has labels, see ``items``.
    like : str, optional
        Take the columns with this text in their label.
    regex : str, optional
        Take the columns in whose label this pattern is found.
    axis : 0 or 'index', 1 or 'columns', optional
        Whether rows or columns are chosen: by default rows by a mask, columns by labels.
    items : list of labels, optional
        Take the columns with these labels, in this order; those that are not there are passed over.
    cond : list-like of bool, Series, callable or expression, optional
        Truth values: as many as there are rows, a Series matched by label, a function that makes such of the
        frame, or an expression.
    na : bool or ``'raise'``, default False
        What missing truth values are; ``'raise'`` for a ``ValueError``.

    Returns
    -------
    DataFrame
        The rows (columns) that are chosen; by a mask in their order.

    Raises
    ------
    TypeError
        For none or several ways to choose, and for an argument that is no mask.
    ValueError
        For a missing truth value with ``na='raise'``.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"one": [1, 4], "two": [2, 5]})
    >>> df.filter(cuprum.col("two") > 2)
       one  two
    1    4    5
    >>> df.filter(like="tw")
       two
    0    2
    1    5
    >>> df.filter(cond=[True, None])
       one  two
    0    1    2
    """
    return filtered(self, arg, like, regex, axis, items, cond, na)


def select_dtypes(self: DataFrame, include: Any = None, exclude: Any = None) -> DataFrame:
    """Return the columns of some dtypes.

    Parameters
    ----------
    include : dtype, str or list of them, optional
        The dtypes to take: dtypes, their names, or kinds such as ``'number'`` and ``'datetime'``.
        ``'category'`` stands for all categories.
    exclude : dtype, str or list of them, optional
        The dtypes to leave out.

    Returns
    -------
    DataFrame
        The columns in their order.

    Raises
    ------
    ValueError
        Without ``include`` and ``exclude``, and for dtypes that no column can have.
    TypeError
        For texts of NumPy.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, 1.5], "c": ["x", "y"]})
    >>> df.select_dtypes("number").columns.to_list()
    ['a', 'b']
    >>> df.select_dtypes(exclude=["float64"]).columns.to_list()
    ['a', 'c']
    """
    chosen = places_of_types(self._handle.dtypes(), include, exclude)
    return wrap_frame(self._handle.select_positions(chosen))


def frame_squeeze(self: DataFrame, axis: Axis | None = None) -> DataFrame | Series | Scalar:
    """Return the only column or row of a frame as a Series, or its only element.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', optional
        Look at the rows only (0) or at the columns only (1).

    Returns
    -------
    Series, scalar or DataFrame
        A DataFrame of several rows and columns is returned as it is, as a new object.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]})
    >>> df.squeeze()
    0    1
    1    2
    Name: a, dtype: int64
    >>> df.head(1).squeeze(), df.head(1).squeeze(axis=1).to_list()
    (np.int64(1), [1])
    """
    which = None if axis is None else axis_number(axis)
    rows, columns = self.shape
    one_row, one_column = rows == 1 and which != 1, columns == 1 and which != 0
    if one_column:
        column = wrap_series(self._handle.column_at(0))
        return column.squeeze() if one_row else column
    return self.iloc[0] if one_row else self._snapshot()


@overload
def xs(
    self: DataFrame, key: Label, axis: Axis = ..., level: LabelOrLabels = ..., drop_level: bool = ...
) -> DataFrame | Series: ...
@overload
def xs(
    self: FrameOrSeries, key: Label, axis: Axis = ..., level: None = ..., drop_level: bool = ...
) -> Scalar: ...
@overload
def xs(
    self: AnyObject, key: Label, axis: Axis = ..., level: LabelOrLabels = ..., drop_level: bool = ...
) -> AnyObject: ...
@objects_where_mixed
def xs(self: FrameOrSeries, key: Any, axis: Any = 0, level: Any = None, drop_level: bool = True) -> Any:
    """Return the rows under a label, or under labels of some levels, without these levels.

    Parameters
    ----------
    key : label or tuple of labels
        A label, or labels of the outer levels, or of those that ``level`` names.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for rows, 1 for columns of a frame.
    level : int, level name or list of them, optional
        The levels that ``key`` has labels of.
    drop_level : bool, default True
        Leave out the levels that ``key`` names; they stay if there are no others.

    Returns
    -------
    DataFrame, Series or scalar
        The rows; a Series for one row of a frame, an element for one of a Series.

    Raises
    ------
    KeyError
        Where no row has the labels.
    TypeError
        For a list as ``key``.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_product([["a", "b"], [1, 2]], names=["p", "q"])
    >>> s = cuprum.Series([1, 2, 3, 4], index=rows)
    >>> s.xs("a").to_dict()
    {1: 1, 2: 2}
    >>> s.xs(2, level="q").to_dict()
    {'a': 2, 'b': 4}
    """
    if isinstance(key, list):
        raise TypeError("list keys are not supported in xs, pass a tuple instead")
    if axis_number(axis, self) == 1:
        return _columns_under(self, key, level, drop_level)
    index = self._handle.index()
    if level is None:
        parts = key if isinstance(key, tuple) else (key,)
        complete = self.ndim == 1 and len(parts) == index.nlevels()
        if slice(None) not in parts and (drop_level or index.nlevels() == 1 or complete):
            return by_label(self, key if self.ndim == 1 else (key, slice(None)))
        wanted = [(i, plain_label(part)) for i, part in enumerate(parts) if part != slice(None)]
    else:
        levels = label_list(list(level) if isinstance(level, tuple) else level)
        labels = list(key) if isinstance(level, (list, tuple)) and isinstance(key, tuple) else [key]
        if len(levels) != len(labels):
            raise ValueError(f"`key` has {len(labels)} labels for the {len(levels)} levels of `level`")
        numbers = [index.level_position(one) for one in levels]
        wanted = list(zip(numbers, (plain_label(label) for label in labels), strict=True))
        if drop_level and not isinstance(level, (list, tuple)) and isinstance(key, str):
            # A part of a date names several labels, which tell rows apart.
            level_index = _cuprum.Index.from_columns([index.levels(numbers[0])], [None])
            drop_level = not level_index.names_span(key)
    return self._wrap(self._handle.cross_section(wanted, not drop_level))


def _columns_under(self: FrameOrSeries, key: Any, level: Any, drop_level: bool) -> Any:
    """Return the columns under a label; see `xs`."""
    handle = self._handle
    places = wrap_series(
        _cuprum.Series(column_from(range(handle.num_columns())), None, handle.columns_index())
    )
    found: Any = places.xs(key, level=level, drop_level=drop_level)
    if level is None and drop_level and isinstance(found, objects.Series) and list(found.index) == [""]:
        return self.loc[:, key]  # empty texts stand for want of inner labels
    if getattr(found, "ndim", 0) == 0:
        at = int(found)
        return wrap_series(handle.column_at(at)) if drop_level else self._wrap(handle.select_positions([at]))
    labels = found.index
    return self._wrap(handle.select_positions(found.to_list()).with_labels(labels.to_list(), labels.names))


def head(self: AnyObject, n: int = 5) -> AnyObject:
    """Return the first rows.

    Parameters
    ----------
    n : int, default 5
        How many; a negative number for all but the last ``-n``.

    Returns
    -------
    DataFrame or Series
        Fewer rows where there are not as many.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3, 4])
    >>> s.head(2).to_list()
    [1, 2]
    >>> s.head(-1).to_list()
    [1, 2, 3]
    """
    return self._wrap(self._handle.head(n))


def tail(self: AnyObject, n: int = 5) -> AnyObject:
    """Return the last rows.

    Parameters
    ----------
    n : int, default 5
        How many; a negative number for all but the first ``-n``.

    Returns
    -------
    DataFrame or Series
        Fewer rows where there are not as many.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2, 3]})
    >>> df.tail(2)
       a
    1  2
    2  3
    >>> df.tail(-1)["a"].to_list()
    [2, 3]
    """
    return self._wrap(self._handle.tail(n))


def take(self: AnyObject, indices: ListLike, axis: Axis = 0) -> AnyObject:
    """Return the rows or columns at some positions.

    Parameters
    ----------
    indices : list of int
        The positions; negative ones count from the end.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 for rows, 1 for columns of a frame.

    Returns
    -------
    DataFrame or Series
        The rows (columns) in the order of the positions, which may repeat.

    Raises
    ------
    IndexError
        For a position that is not there.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([10, 20, 30]).take([2, 0, -1])
    2    30
    0    10
    2    30
    dtype: int64
    >>> cuprum.DataFrame({"a": [1], "b": [2]}).take([1], axis=1).columns.to_list()
    ['b']
    """
    if axis_number(axis, self) == 1:
        by_position: Any = self.iloc
        return by_position[:, positions_to_take(indices).to_pylist()]
    return self._wrap(self._handle.iloc(positions_to_take(indices)))


def sample(
    self: AnyObject,
    n: int | None = None,
    frac: float | None = None,
    replace: bool = False,
    weights: Label | ListLike = None,
    random_state: Any = None,
    axis: Axis | None = None,
    ignore_index: bool = False,
) -> AnyObject:
    """Return rows or columns that are drawn at random.

    Parameters
    ----------
    n : int, optional
        How many; 1 without ``frac``.
    frac : float, optional
        The share of the rows (columns) instead of ``n``.
    replace : bool, default False
        Whether a row may be drawn more than once.
    weights : label, list-like or Series, optional
        How likely rows are drawn: a column by label, a list, or a Series matched by label; missing ones weigh
        nothing. All are equally likely by default.
    random_state : int or random generator of NumPy, optional
        A seed, or a source of random numbers; NumPy's own, as `numpy.random.seed` left it, by default.
    axis : 0 or 'index', 1 or 'columns', optional
        0, the default, draws rows, 1 columns.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    DataFrame or Series
        The rows (columns) in the order in which they are drawn.

    Raises
    ------
    ValueError
        For more rows than there are without ``replace``, and for ``n`` with ``frac``.

    Notes
    -----
    With the same ``random_state`` the rows are those that pandas draws.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([10, 20, 30, 40])
    >>> s.sample(2, random_state=0).to_list()
    [30, 40]
    >>> s.sample(frac=0.5, weights=[0, 1, None, 1], random_state=0, ignore_index=True).index.to_list()
    [0, 1]
    """
    number = 0 if axis is None else axis_number(axis, self)
    length = len(self) if number == 0 else self._handle.num_columns()
    size = sample_size(n, frac, replace, length)
    chances = None if weights is None else likelihoods(self, weights, number)
    positions = draw(length, size, replace, chances, generator(random_state))
    drawn: Any = self.take(positions.tolist() if number else positions, number)
    return drawn.reset_index(drop=True) if ignore_index else drawn


def series_filter(
    self: Series,
    arg: Any = None,
    /,
    like: str | None = None,
    regex: str | None = None,
    axis: Any = None,
    *,
    items: Any = None,
    cond: Any = None,
    na: Any = False,
) -> Series:
    """Return the elements for which a mask is true, or with some labels.

    Parameters
    ----------
    arg : callable or list of labels, optional
        A function of the Series is a mask, see ``cond``; a list has labels, see ``items``.
    like : str, optional
        Take the elements with this text in their label.
    regex : str, optional
        Take the elements in whose label this pattern is found.
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.
    items : list of labels, optional
        Take the elements with these labels, in this order; those that are not there are passed over.
    cond : list-like of bool, Series or callable, optional
        Truth values: as many as there are elements, a Series matched by label, or a function that makes such
        of the Series.
    na : bool or ``'raise'``, default False
        What missing truth values are; ``'raise'`` for a ``ValueError``.

    Returns
    -------
    Series
        The elements that are chosen; by a mask in their order.

    Raises
    ------
    TypeError
        For none or several ways to choose, and for an argument that is no mask.
    ValueError
        For a missing truth value with ``na='raise'``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 5, 9], index=["one", "five", "nine"])
    >>> s.filter(lambda s: s > 4)
    five    5
    nine    9
    dtype: int64
    >>> s.filter(like="ne").index.to_list()
    ['one', 'nine']
    >>> s.filter(cond=[True, None, True], na=True).to_list()
    [1, 5, 9]
    """
    return filtered(self, arg, like, regex, axis, items, cond, na)


# Elements that `items` makes at a time.
_AT_A_TIME = 4096


def _element(self: Series, row: int) -> Any:
    value = self._handle.get(row)
    return missing_element(self._handle.dtype()) if value is None else value


def series_get(self: Series, key: Any, default: Any = None) -> Any:
    """Return the value under a key, or a default value where there is no such label.

    Parameters
    ----------
    key : label, list of labels or slice
        What ``s[key]`` takes.
    default : object, optional
        The value to return where a label is not there.

    Returns
    -------
    scalar, Series or object
        ``s[key]``, or ``default``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], index=["a", "b"])
    >>> s.get("a")
    np.int64(1)
    >>> s.get("z", default=0)
    0
    """
    try:
        return self[key]
    except (KeyError, IndexError):
        return default


def series_pop(self: Series, item: Label) -> Scalar:
    """Remove the element under a label and return it.

    Parameters
    ----------
    item : label
        The label.

    Returns
    -------
    scalar
        The element; the Series no longer has it.

    Raises
    ------
    KeyError
        For a label that is not there.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], index=["a", "b"])
    >>> s.pop("a")
    np.int64(1)
    >>> s.to_dict()
    {'b': 2}
    """
    value = self[item]
    self.drop(item, inplace=True)
    return value


def item(self: Series) -> Scalar:
    """Return the only element as a Python object.

    Returns
    -------
    scalar
        The element.

    Raises
    ------
    ValueError
        Unless there is exactly one element.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([5]).item()
    5
    """
    if len(self) != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return self.to_list()[0]


def series_squeeze(self: Series, axis: RowAxis | None = None) -> Series | Scalar:
    """Return the only element, or a Series of several as it is.

    Parameters
    ----------
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    scalar or Series
        A Series of any other length is returned as a new object.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([5]).squeeze()
    np.int64(5)
    >>> cuprum.Series([5, 6]).squeeze().to_list()
    [5, 6]
    """
    if axis is not None:
        axis_number(axis, "Series")
    return _element(self, 0) if len(self) == 1 else self._snapshot()


def series_keys(self: Series) -> Index:
    """Return the row labels.

    Returns
    -------
    Index
        The same as ``index``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2], index=["a", "b"]).keys()
    Index(['a', 'b'], dtype='str')
    """
    return self.index


def iteritems(self: Series) -> Iterator[tuple[Any, Any]]:
    """Iterate over the elements with their labels; the same as `items`.

    Returns
    -------
    iterator of tuples
        Pairs of a label and an element.

    Examples
    --------
    >>> import cuprum
    >>> list(cuprum.Series([1.5, None], index=["a", "b"]).iteritems())
    [('a', 1.5), ('b', nan)]
    """
    return self.items()


def series_items(self: Series) -> Iterator[tuple[Any, Any]]:
    """Iterate over the elements with their labels.

    Returns
    -------
    iterator of tuples
        Pairs of a label and an element, as Python objects.

    Notes
    -----
    Slow: methods of the whole Series are many times faster.

    Examples
    --------
    >>> import cuprum
    >>> list(cuprum.Series([1.5, None], index=["a", "b"]).items())
    [('a', 1.5), ('b', nan)]
    """
    whole = wrap_series(self._handle)
    pieces = (whole.iloc[row : row + _AT_A_TIME] for row in range(0, len(whole), _AT_A_TIME))
    return chain.from_iterable(zip(piece.index.to_list(), piece.to_list(), strict=True) for piece in pieces)
