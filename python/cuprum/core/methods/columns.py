"""Columns of a frame by label: selected, set, inserted, deleted."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    check_truth,
    integer_of,
    is_frame_like,
    is_list_like,
    is_mask,
    plain_label,
    plain_labels,
)
from cuprum.core.chained_assignment import SETITEM, warn_if_chained
from cuprum.core.completion import keys_of_columns
from cuprum.core.construction import column_from, element_column, elements_from, mask_column, rows_where
from cuprum.core.frame_construction import frame_handle
from cuprum.core.indexing import is_slice_of_positions, position_of, refuse_unordered
from cuprum.core.interop import is_pandas
from cuprum.core.label_positions import places_of
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.pandas_col import resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        Default,
        Label,
        ListLike,
        Several,
    )

_PLAIN = frozenset({int, float, bool, str})


@overload
def getitem(self: DataFrame, key: Label) -> Series: ...
@overload
def getitem(self: DataFrame, key: Several | DataFrame) -> DataFrame: ...
def getitem(self: DataFrame, key: Any) -> Any:
    """Return ``df[key]``: a column, or a frame of columns or rows."""
    if type(key) is str:
        try:
            return wrap_series(self._handle.column(key))
        except KeyError:
            return _below(self, (key,))
        except ValueError:
            return self._called(key)
    return _select(self, key)


def called(self: DataFrame, label: Any) -> DataFrame:
    """The columns of one label."""
    return self.loc[:, [label]]


def _below(self: DataFrame, prefix: tuple[Any, ...]) -> DataFrame:
    """The columns below an outer label; to be called while handling the ``KeyError``."""
    below = self._handle.select_prefix(list(prefix))
    if below is None:
        raise
    return wrap_frame(below)


def _select(self: DataFrame, key: Any) -> Any:
    if callable(key):
        key = resolved(key, self)
    refuse_unordered(key)
    if isinstance(key, slice):
        positions = is_slice_of_positions(key, self._handle.index())
        return wrap_frame(self._handle.iloc(key)) if positions else self.loc[key]
    if isinstance(key, objects.DataFrame):
        return self.where(key)
    if is_list_like(key) and not isinstance(key, tuple):
        if getattr(key, "ndim", 1) == 2:
            return self.where(wrap_frame(frame_handle(key, self.index, self.columns, None)))
        if is_mask(key):
            key = objects.ours(key)
            if not isinstance(key, objects.Series) and len(key) != len(self):
                raise ValueError(f"Item wrong length {len(key)} instead of {len(self)}.")
            return wrap_frame(rows_where(self._handle, key, self))
        labels = list(key)
        try:
            return wrap_frame(self._handle.select(plain_labels(labels)))
        except (KeyError, ValueError):
            return self.loc[:, labels]
    key = plain_label(key)
    try:
        return wrap_series(self._handle.column(key))
    except KeyError:
        return _below(self, key if isinstance(key, tuple) else (key,))
    except ValueError:
        return self._called(key)


def ipython_key_completions(self: DataFrame) -> list[Any]:
    """Return what a notebook offers between brackets."""
    return keys_of_columns(self)


def setitem(self: DataFrame, key: Any, value: Any) -> None:
    """Do ``df[key] = value``: set a column, columns, or rows by a mask or slice."""
    if sys.getrefcount(self) <= SETITEM:
        warn_if_chained(self, "use one key: df.loc[rows, columns] = values")
    if type(key) is str:
        self._set_column(key, value)
        return
    refuse_unordered(key)
    if is_frame_like(key) or is_mask(key):
        key = objects.ours(key)
    if isinstance(key, objects.DataFrame):
        self.where(~key, value, inplace=True)
    elif isinstance(key, slice):
        (self.iloc if is_slice_of_positions(key, self._handle.index()) else self.loc)[key] = value
    elif is_list_like(key) and not isinstance(key, tuple):
        if is_mask(key) and not isinstance(key, objects.Series) and len(key) != len(self):
            raise ValueError(f"Item wrong length {len(key)} instead of {len(self)}!")
        if is_mask(key) and (isinstance(value, objects.Series) or is_pandas(value, "Series")):
            self.iloc[mask_column(key, self)] = value  # by position, as in pandas
        elif is_mask(key):
            self.loc[key] = value
        else:
            self._set_columns(plain_labels(key), value)
    else:
        self._set_column(plain_label(key), value)


def set_column(self: DataFrame, label: Any, value: Any) -> None:
    """Set the columns of one label; below an outer label, all of them."""
    count = len(self._repeated(label))
    if count > 1 and is_list_like(value) and not isinstance(value, Mapping):
        table = getattr(value, "ndim", 1) == 2 or is_frame_like(value)
        if table or len(value) == count:
            _set_repeated(self, [label], value)  # an element or a column for each of them
            return
    if self._handle.num_levels() > 1 and (below := _labels_below(self, label)):
        if isinstance(value, objects.DataFrame) or is_frame_like(value):
            inner = objects.DataFrame(value)
            rest = [full[len(label) if isinstance(label, tuple) else 1 :] for full in below]
            wanted = [part[0] if len(part) == 1 else part for part in rest]
            if inner.shape[1] != len(below):
                raise ValueError("Columns must be same length as key")
            unnamed = len(below) == 1 and all(part in ("", ("",) * len(rest[0])) for part in wanted)
            if inner._handle.labels() != wanted and not unnamed:
                inner = inner.reindex(columns=wanted)
            parts = [wrap_series(inner._handle.column_at(i)) for i in range(len(below))]
        else:
            parts = [value] * len(below)
        columns = [(full, _as_values(full, part)) for full, part in zip(below, parts, strict=True)]
        self._relabelled(lambda handle: with_columns(handle, columns), inplace=True)
        return
    value = _as_values(label, value)
    self._relabelled(lambda handle: _with_column(handle, label, value), inplace=True)


def _labels_below(self: DataFrame, label: Any) -> list[tuple[Any, ...]]:
    """Return the labels of the columns below one of outer levels; none where it names a column or nothing."""
    if self._handle.contains(label):
        return []
    outer = label if isinstance(label, tuple) else (label,)
    return [full for full in self._handle.labels() if full[: len(outer)] == outer]


def repeated(self: DataFrame, label: Any) -> list[int]:
    """Return the positions of the columns called ``label``; none where labels are unique."""
    labels = self._handle.labels()
    return [] if len(set(labels)) == len(labels) else places_of(label, labels)


def _set_repeated(self: DataFrame, labels: list[Any], value: Any) -> None:
    """Set columns some of whose labels several columns have; those of each label are side by side."""

    def set_by_number(handle: Any) -> Any:
        own, names = handle.labels(), handle.level_names()
        new = [label for label in labels if not places_of(label, own)]
        numbered = wrap_frame(handle.with_labels(list(range(len(own)))))
        later = iter(range(len(own), len(own) + len(new)))
        places = [place for label in labels for place in (places_of(label, own) or [next(later)])]
        numbered._set_columns(places, value)
        return numbered._handle.with_labels([*own, *new], names)

    self._relabelled(set_by_number, inplace=True)


def set_columns(self: DataFrame, labels: list[Any], value: Any) -> None:
    """Set the columns of several labels, one each from ``value``."""
    own = self._handle.labels()
    if len(set(own)) < len(own) and any(len(places_of(label, own)) > 1 for label in labels):
        _set_repeated(self, labels, value)
        return
    if is_frame_like(value):
        value = objects.DataFrame(value)
    if isinstance(value, objects.DataFrame):
        parts: list[Any] = [wrap_series(value._handle.column_at(i)) for i in range(value.shape[1])]
    elif getattr(value, "ndim", 1) == 2:
        parts = [value[:, i] for i in range(value.shape[1])]
    elif isinstance(value, objects.Series) or is_pandas(value, "Series"):
        # One element for each column, by the labels 0, 1, …, as in pandas.
        value = objects.Series(value)
        if len(value) != len(labels):
            raise ValueError("Columns must be same length as key")
        parts = [value.loc[i] for i in range(len(labels))]
    elif isinstance(value, Mapping):
        raise TypeError("several columns cannot be set to a dict; give a list, or a DataFrame")
    elif is_list_like(value):
        value = list(value)
        if value and is_list_like(value[0]):
            parts = [list(part) for part in zip(*value, strict=True)]
        else:
            parts = value
    else:
        parts = [value] * len(labels)
    if len(parts) != len(labels):
        raise ValueError("Columns must be same length as key")
    columns = [(label, _as_values(label, part)) for label, part in zip(labels, parts, strict=True)]
    self._relabelled(lambda handle: with_columns(handle, columns), inplace=True)


def delitem(self: DataFrame, label: Any) -> None:
    """Do ``del df[label]``."""
    labels = [plain_label(label)]
    self._relabelled(lambda handle: handle.drop_columns(labels), inplace=True)


def contains(self: DataFrame, label: Any) -> bool:
    """Whether ``label`` is the label of a column."""
    hash(label)  # a `TypeError` for what is no label
    return self._handle.contains(plain_label(label))


def iter_(self: DataFrame) -> Iterator[Any]:
    """Iterate over the labels of the columns."""
    return iter(self._handle.labels())


def frame_keys(self: DataFrame) -> Index:
    """Return the column labels.

    Returns
    -------
    Index
        The same as ``columns``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1], "b": [2]}).keys()
    Index(['a', 'b'], dtype='str')
    """
    return self.columns


def frame_items(self: DataFrame) -> Iterator[tuple[Any, Series]]:
    """Iterate over the columns with their labels.

    Yields
    ------
    label
        The label of a column; a tuple for a MultiIndex.
    Series
        The column.

    Examples
    --------
    >>> import cuprum
    >>> for label, column in cuprum.DataFrame({"a": [1, 2], "b": [3.5, None]}).items():
    ...     print(label, column.to_list())
    a [1, 2]
    b [3.5, nan]
    """
    handle = self._handle
    for i, label in enumerate(handle.labels()):
        yield label, wrap_series(handle.column_at(i))


@overload
def frame_get(self: DataFrame, key: Label, default: None = ...) -> Series | None: ...
@overload
def frame_get(self: DataFrame, key: Label, default: Default) -> Series | Default: ...
@overload
def frame_get(self: DataFrame, key: ListLike, default: Any = ...) -> DataFrame: ...
def frame_get(self: DataFrame, key: Any, default: Any = None) -> Any:
    """Return the value under a key, or a default value where there is no such column.

    Parameters
    ----------
    key : label or list of labels
        What ``df[key]`` takes.
    default : object, optional
        The value to return where a label is not there.

    Returns
    -------
    Series, DataFrame or object
        ``df[key]``, or ``default``.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]})
    >>> df.get("a").to_list()
    [1, 2]
    >>> df.get("b", default="none")
    'none'
    """
    try:
        return self[key]
    except (KeyError, IndexError):
        return default


def frame_pop(self: DataFrame, item: Label) -> Series:
    """Remove a column and return it.

    Parameters
    ----------
    item : label
        The label of the column.

    Returns
    -------
    Series
        The column; the frame no longer has it.

    Raises
    ------
    KeyError
        For a label that is not there.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.pop("a").to_list()
    [1, 2]
    >>> df.columns.to_list()
    ['b']
    """
    label = plain_label(item)
    popped: list[Any] = []

    def without(handle: Any) -> Any:
        popped[:] = [wrap_frame(handle)[label]]
        return handle.drop_columns([label])

    self._relabelled(without, inplace=True)
    return popped[0]


def isetitem(self: DataFrame, loc: int | Sequence[int], value: Any) -> None:
    """Replace the column at a position, or several columns, in place.

    Parameters
    ----------
    loc : int or list of int
        The position of the column, or of several; negative ones count from the end.
    value : scalar, list-like or Series; for several columns a DataFrame or what makes one
        The new elements. A Series is matched by label.

    Raises
    ------
    IndexError
        For a position that is not there.
    ValueError
        For another number of elements than rows, or of columns than positions.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.isetitem(1, [5.5, 6.5])
    >>> df["b"].to_list()
    [5.5, 6.5]
    """
    width = self._handle.num_columns()
    given: Any = loc if is_list_like(loc) else [loc]
    places = [integer_of("loc", at) for at in given]
    for at in places:
        if not -width <= at < width:
            raise IndexError(f"`loc` is {at}; the frame has {width} columns")
    if is_list_like(loc):
        if not isinstance(value, objects.DataFrame):
            value = objects.DataFrame(value)
        if value.shape[1] != len(places):
            raise ValueError(f"Got {len(places)} positions in `loc` but value has {value.shape[1]} columns.")
        values = [value.iloc[:, i] for i in range(len(places))]
    else:
        values = [value]
    labels = self._handle.labels()
    made = [
        _column_beside(self._handle, _as_values(labels[at], one))
        for at, one in zip(places, values, strict=True)
    ]
    rows = len(self._handle)
    for column in made:
        if len(column) != rows:
            raise ValueError(f"`value` has {len(column)} elements for {rows} rows")

    def put(handle: Any) -> Any:
        columns = [handle.column_at(i).column() for i in range(width)]
        for at, column in zip(places, made, strict=True):
            columns[at] = column
        return handle.with_columns(columns)

    self._relabelled(put, inplace=True)


def insert(self: DataFrame, loc: int, column: Label, value: Any, allow_duplicates: bool = False) -> None:
    """Insert a column before a position, in place.

    Parameters
    ----------
    loc : int
        The position, from 0 to the number of columns, which stands for the end.
    column : label
        The label of the new column.
    value : scalar, list-like or Series
        The elements; a Series is matched by label.
    allow_duplicates : bool, default False
        Whether the label may be there already.

    Raises
    ------
    TypeError
        For a position that is no integer.
    ValueError
        For a negative position, and for a label that is there, unless ``allow_duplicates`` is set.
    IndexError
        For a position beyond either end.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]})
    >>> df.insert(0, "b", [0.5, None])
    >>> df
         b  a
    0  0.5  1
    1  NaN  2
    """
    check_truth("allow_duplicates", allow_duplicates)
    label = plain_label(column)
    at = position_of(loc)
    if at is None:
        raise TypeError(f"loc must be int, not {loc!r}")
    value = _as_values(label, value)

    def insert(handle: Any) -> Any:
        count = handle.num_columns()
        if at > count or at < -count:
            raise IndexError(f"index {loc} is out of bounds for axis 0 with size {count}")
        if at < 0:
            raise ValueError(f"`loc` is {loc}: give a position from 0 to {count}")
        if handle.contains(label) and not allow_duplicates:
            raise ValueError(f"cannot insert {label}, already exists")
        if not len(handle) and type(value) in (Column, _cuprum.Series) and len(value):
            handle = _with_rows_of(handle, value)
        return handle.insert(at, label, _column_beside(handle, value), allow_duplicates)

    self._relabelled(insert, inplace=True)


def assign(self: AnyFrame, **kwargs: Any) -> AnyFrame:
    """Return the frame with columns added or replaced.

    Parameters
    ----------
    **kwargs : scalar, list-like, Series or callable
        The elements of each column by its label. A callable is given the frame made so far, with the columns
        before it.

    Returns
    -------
    DataFrame
        New columns stand behind the others, in the order of the arguments.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]})
    >>> df.assign(b=lambda df: df.a * 10, c=lambda df: df.b + 1)
       a   b   c
    0  1  10  11
    1  2  20  21
    """
    result = self._snapshot()
    for name, value in kwargs.items():
        result._set_column(name, resolved(value, result))
    return result


def _as_values(label: Any, value: Any) -> Any:
    """Return the values that a user gives for a column: a handle of a series, a `Column`, or a scalar."""
    if type(value) in _PLAIN:
        return value
    if callable(value):
        raise TypeError(f"a column cannot be set to a callable; call it, or use assign({label}=…)")
    if isinstance(value, objects.Series):
        return value._handle
    if isinstance(value, Mapping) or is_pandas(value, "Series"):
        return objects.Series(value)._handle
    if isinstance(value, objects.DataFrame):
        if value.shape[1] != 1:
            raise ValueError(
                f"Cannot set a DataFrame with {value.shape[1]} columns to the single column {label}"
            )
        return value._handle.column_at(0)
    if not is_list_like(value):
        return value
    if getattr(value, "ndim", 1) == 2 and value.shape[1] == 1:
        value = value[:, 0]
    return elements_from(value)


def _with_column(handle: Any, label: Any, value: Any) -> Any:
    """Return a handle with a column of what `_as_values` gives; rows of a series matched by label."""
    kind = type(value)
    if kind is _cuprum.Series and (planned := handle.assign_planned(label, value)) is not None:
        return planned
    if not len(handle) and kind in (Column, _cuprum.Series) and len(value):
        handle = _with_rows_of(handle, value)
    if kind is Column:
        return handle.with_column(label, value)
    if kind is _cuprum.Series:
        return handle.assign(label, value)
    return handle.with_column(label, element_column(value, len(handle)))


def _with_rows_of(handle: Any, value: Any) -> Any:
    """Return a handle without rows with those of a column or series, missing; a name of its row labels stays."""
    index = value.index() if type(value) is _cuprum.Series else _cuprum.Index.range(0, len(value))
    names = handle.index().names()
    if len(names) == 1 == index.nlevels() and names[0] is not None:
        index = index.with_names(names)
    nowhere = column_from([None] * len(value), "int64")
    return handle.drop_index().take(nowhere).with_index(index)


def _column_beside(handle: Any, value: Any) -> Column:
    """Return what `_as_values` gives as a column for the rows of a handle; those of a series matched by label."""
    if type(value) is Column:
        return value
    if type(value) is _cuprum.Series:
        return handle.select_positions([]).assign(0, value).column_at(0).column()
    return element_column(value, len(handle))


def with_columns(handle: Any, columns: Iterable[tuple[Any, Any]]) -> Any:
    """Return a handle with columns set to the handles of series, columns or scalars under each label."""
    for label, value in columns:
        handle = _with_column(handle, label, value)
    return handle
