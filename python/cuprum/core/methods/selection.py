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
    """Return the columns that are named, and such as are computed, in the order of the arguments.

    Each is a label, or an expression (``cuprum.col("a") * 2``) whose result has a name; or one list of them. What
    is given under a name is computed as by `assign`, and later arguments see it.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.select("b", c=cuprum.col("a") * 10)
       b   c
    0  3  10
    1  4  20
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
    arg
        A function of the frame or an expression is a mask, see ``cond``; any other list has labels, see ``items``.
    like, regex
        Columns with this text in their label, or whose label this pattern is found in.
    axis
        Whether rows (0) or columns (1) are chosen: by default rows by a mask, columns by labels.
    items
        Labels; those that are there are taken, in this order.
    cond
        Truth values: a list or an array of as many as there are rows, a series matched by label, a function that
        makes such of the frame, or an expression.
    na
        What missing truth values are: True, False, or ``'raise'``, a ``ValueError``.

    ``TypeError`` for none or several of these, and for what is no mask.

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
    """
    return filtered(self, arg, like, regex, axis, items, cond, na)


def select_dtypes(self: DataFrame, include: Any = None, exclude: Any = None) -> DataFrame:
    """Return the columns of some types: a type, ``'number'``, ``'datetime'``, ``'str'``, or a list of them.

    A type of categories without any stands for all of them. What no column can be of is refused: texts of NumPy
    (``TypeError``), units of times that columns do not have, and ordered categories without any (``ValueError``).
    """
    chosen = places_of_types(self._handle.dtypes(), include, exclude)
    return wrap_frame(self._handle.select_positions(chosen))


def frame_squeeze(self: DataFrame, axis: Axis | None = None) -> DataFrame | Series | Scalar:
    """Return the column of a frame of one, its row, or its element if it has one of both.

    ``axis`` 0 is for the row only, 1 for the column. Other frames as they are, in an object of their own.
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
    key
        A label, or a tuple of labels of the outer levels, or of those that ``level`` names.
    axis
        0 for rows, 1 for columns of a frame.
    level
        The names or numbers of the levels that ``key`` has labels of.
    drop_level
        Whether the result is without the levels that ``key`` names; they stay if there are no others.

    Raises ``KeyError`` where no row has the labels and ``TypeError`` for a list as ``key``.

    Examples
    --------
    >>> import cuprum
    >>> rows = cuprum.MultiIndex.from_product([["a", "b"], [1, 2]], names=["p", "q"])
    >>> cuprum.Series([1, 2, 3, 4], index=rows).xs(2, level="q")
    p
    a    2
    b    4
    dtype: int64
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
    places = wrap_series(_cuprum.Series(column_from(range(handle.shape()[1])), None, handle.columns_index()))
    found: Any = places.xs(key, level=level, drop_level=drop_level)
    if level is None and drop_level and isinstance(found, objects.Series) and list(found.index) == [""]:
        return self.loc[:, key]  # empty texts stand for want of inner labels
    if getattr(found, "ndim", 0) == 0:
        at = int(found)
        return wrap_series(handle.column_at(at)) if drop_level else self._wrap(handle.select_positions([at]))
    labels = found.index
    return self._wrap(handle.select_positions(found.to_list()).with_labels(labels.to_list(), labels.names))


def head(self: AnyObject, n: int = 5) -> AnyObject:
    """Return the first ``n`` rows; for negative ``n`` all but the last ``-n``."""
    return self._wrap(self._handle.head(n))


def tail(self: AnyObject, n: int = 5) -> AnyObject:
    """Return the last ``n`` rows; for negative ``n`` all but the first ``-n``."""
    return self._wrap(self._handle.tail(n))


def take(self: AnyObject, indices: ListLike, axis: Axis = 0) -> AnyObject:
    """Return the rows (columns, with ``axis=1``) at some positions, negative ones from the end."""
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
    """Return ``n`` rows (or a fraction ``frac`` of them) in random order; 1 without either.

    Parameters
    ----------
    replace
        A row may be drawn more than once.
    weights
        How likely rows are to be drawn: a column by label, a list, or a series matched by label;
        missing ones weigh nothing. Without it all are equally likely.
    random_state
        A seed, or a source of random numbers of NumPy: the rows are those that pandas draws with it. Without
        it they are drawn from NumPy's own, as `numpy.random.seed` left it.
    axis
        1 draws columns.
    ignore_index
        The rows are labelled 0, 1, ….

    ``ValueError`` for more rows than there are unless ``replace``.
    """
    number = 0 if axis is None else axis_number(axis, self)
    length = len(self) if number == 0 else self._handle.shape()[1]
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
    """Return the rows for which a mask is true, or with some labels; see `DataFrame.filter`."""
    return filtered(self, arg, like, regex, axis, items, cond, na)


# Elements that `items` makes at a time.
_AT_A_TIME = 4096


def _element(self: Series, row: int) -> Any:
    value = self._handle.get(row)
    return missing_element(self._handle.dtype()) if value is None else value


def series_get(self: Series, key: Any, default: Any = None) -> Any:
    """Return ``self[key]``, or ``default`` where there is no such label."""
    try:
        return self[key]
    except (KeyError, IndexError):
        return default


def series_pop(self: Series, item: Label) -> Scalar:
    """Return the element under a label, and take it out of the series; ``KeyError`` where there is none."""
    value = self[item]
    self.drop(item, inplace=True)
    return value


def item(self: Series) -> Scalar:
    """Return the only element; ``ValueError`` unless there is exactly one."""
    if len(self) != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return self.to_list()[0]


def series_squeeze(self: Series, axis: RowAxis | None = None) -> Series | Scalar:
    """Return the element of a series of one; any other series as it is, in an object of its own."""
    if axis is not None:
        axis_number(axis, "Series")
    return _element(self, 0) if len(self) == 1 else self._snapshot()


def series_keys(self: Series) -> Index:
    """Return the row labels."""
    return self.index


def iteritems(self: Series) -> Iterator[tuple[Any, Any]]:
    """Iterate over pairs of label and element; see `items`."""
    return self.items()


def series_items(self: Series) -> Iterator[tuple[Any, Any]]:
    """Iterate over pairs of label and element: slow; prefer methods of the whole series."""
    whole = wrap_series(self._handle)
    pieces = (whole.iloc[row : row + _AT_A_TIME] for row in range(0, len(whole), _AT_A_TIME))
    return chain.from_iterable(zip(piece.index.to_list(), piece.to_list(), strict=True) for piece in pieces)
