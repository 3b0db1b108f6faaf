"""Columns as row labels and row labels as columns: set_index, reset_index, to_frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core.arguments import (
    check_truth,
    is_list_like,
    is_no_default,
    plain_label,
    truth_of,
)
from cuprum.core.label_columns import (
    has_mixed_labels,
    index_of_columns,
    level_column,
    level_columns,
    without_mixed_labels,
)
from cuprum.core.label_construction import index_handle
from cuprum.core.objects import wrap_frame

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        Label,
        LabelOrLabels,
    )


@overload
def set_index(
    self: DataFrame,
    keys: LabelOrLabels,
    *,
    drop: bool = ...,
    append: bool = ...,
    inplace: Literal[True],
    verify_integrity: bool = ...,
) -> None: ...
@overload
def set_index(
    self: AnyFrame,
    keys: LabelOrLabels,
    *,
    drop: bool = ...,
    append: bool = ...,
    inplace: bool = ...,
    verify_integrity: bool = ...,
) -> AnyFrame: ...
def set_index(
    self: DataFrame,
    keys: Any,
    *,
    drop: bool = True,
    append: bool = False,
    inplace: bool = False,
    verify_integrity: bool = False,
) -> Any:
    """Return the frame with columns or arrays as the row labels.

    Parameters
    ----------
    keys : label, list-like or list of both
        Labels of columns, and arrays with a label for each row; several make a MultiIndex.
    drop : bool, default True
        Take the columns out of the frame.
    append : bool, default False
        Keep the present labels as the outer levels.
    inplace : bool, default False
        Change this object and return None.
    verify_integrity : bool, default False
        Raise ``ValueError`` where a label occurs twice.

    Returns
    -------
    DataFrame or None
        The rows in their order; None with ``inplace=True``.

    Raises
    ------
    KeyError
        For a column that is not there.
    ValueError
        For an array of another length.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"k": ["x", "y"], "v": [1, 2]})
    >>> df.set_index("k").loc["y", "v"]
    np.int64(2)
    >>> df.set_index(["k", "v"], drop=False).index.names
    FrozenList(['k', 'v'])
    >>> df.set_index(cuprum.Index([10, 20]))
        k  v
    10  x  1
    20  y  2
    """
    drop = truth_of("drop", drop, integers=True)
    keys = keys if isinstance(keys, list) else [keys]
    if any(isinstance(key, (set, frozenset)) for key in keys):
        raise TypeError("`keys` has a set: keys are labels of columns, arrays, or lists of both")
    unknown = [key for key in keys if isinstance(key, range)]
    if unknown:  # hashable, and so a label, which no column has
        raise KeyError(f"None of {unknown} are in the columns")
    keys = [
        index_handle(key) if is_list_like(key) and not isinstance(key, tuple) else plain_label(key)
        for key in keys
    ]
    arrays = any(isinstance(key, _cuprum.Index) for key in keys)

    def label(handle: Any) -> Any:
        for key in keys if arrays else []:
            if isinstance(key, _cuprum.Index) and len(key) != len(handle):
                raise ValueError(
                    f"Length mismatch: Expected {len(handle)} rows, received array of length {len(key)}"
                )
        if not arrays and not append:
            result = handle.set_index(keys, drop)
        else:
            levels, names, gone = [], [], []
            for key in [handle.index(), *keys] if append else keys:
                if isinstance(key, _cuprum.Index):
                    levels += level_columns(key)
                    names += key.names()
                else:
                    levels.append(handle.column(key).column())
                    names.append(key)
                    gone.append(key)
            index = index_of_columns(levels, names)
            result = (handle.drop_columns(gone) if drop and gone else handle).with_index(index)
        if verify_integrity and not result.index().is_unique():
            raise ValueError("Index has duplicate keys")
        return result

    return self._relabelled(label, inplace)


@overload
def frame_reset_index(
    self: DataFrame,
    level: LabelOrLabels = ...,
    *,
    drop: bool = ...,
    inplace: Literal[True],
    col_level: Label = ...,
    col_fill: Label = ...,
    allow_duplicates: bool = ...,
    names: LabelOrLabels = ...,
) -> None: ...
@overload
def frame_reset_index(
    self: AnyFrame,
    level: LabelOrLabels = ...,
    *,
    drop: bool = ...,
    inplace: bool = ...,
    col_level: Label = ...,
    col_fill: Label = ...,
    allow_duplicates: bool = ...,
    names: LabelOrLabels = ...,
) -> AnyFrame: ...
def frame_reset_index(
    self: DataFrame,
    level: Any = None,
    *,
    drop: bool = False,
    inplace: bool = False,
    col_level: Any = 0,
    col_fill: Any = "",
    allow_duplicates: bool = False,
    names: Any = None,
) -> Any:
    """Return the frame with the row labels as its first columns, and rows labelled 0, 1, ….

    Parameters
    ----------
    level : int, level name or list of them, optional
        The levels that become columns; the others stay row labels. All by default.
    drop : bool, default False
        Drop the labels instead.
    inplace : bool, default False
        Change this object and return None.
    col_level : int or level name, default 0
        In columns of several levels: the level that the names go to.
    col_fill : label, default ``''``
        In columns of several levels: what the other levels have; None for the names, too.
    allow_duplicates : bool, default False
        Whether a name may be that of a column.
    names : str or list of str, optional
        The labels of the new columns; by default the names of the levels, or ``index``, or ``level_0`` and so
        on.

    Returns
    -------
    DataFrame or None
        The rows in their order; None with ``inplace=True``.

    Raises
    ------
    ValueError
        For a name that a column has, unless ``allow_duplicates`` is set.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"v": [1, 2]}, index=["x", "y"])
    >>> df.reset_index(names="k")
       k  v
    0  x  1
    1  y  2
    >>> df.reset_index(drop=True)
       v
    0  1
    1  2
    """
    check_truth("allow_duplicates", allow_duplicates)
    if isinstance(names, (Mapping, set, frozenset, tuple)):
        raise ValueError(f"Index names must be str or 1-dimensional list, not {names!r}")
    new = None if names is None else (list(names) if is_list_like(names) else [names])
    wanted = level if level is None or isinstance(level, (list, tuple)) else [level]

    def reset(handle: Any) -> Any:
        return _with_labels_as_columns(handle, wanted, drop, col_level, col_fill, new, allow_duplicates)

    return self._relabelled(reset, inplace)


@overload
def series_reset_index(
    self: Series,
    level: LabelOrLabels = ...,
    *,
    drop: bool = ...,
    name: Label = ...,
    inplace: Literal[True],
    allow_duplicates: bool = ...,
) -> None: ...
@overload
def series_reset_index(
    self: Series,
    level: LabelOrLabels = ...,
    *,
    drop: Literal[True],
    name: Label = ...,
    inplace: bool = ...,
    allow_duplicates: bool = ...,
) -> Series: ...
@overload
def series_reset_index(
    self: Series,
    level: LabelOrLabels = ...,
    *,
    drop: bool = ...,
    name: Label = ...,
    inplace: bool = ...,
    allow_duplicates: bool = ...,
) -> DataFrame: ...
def series_reset_index(
    self: Series,
    level: Any = None,
    *,
    drop: bool = False,
    name: Any = ...,
    inplace: bool = False,
    allow_duplicates: bool = False,
) -> Any:
    """Return a frame with the row labels as columns before the elements.

    Parameters
    ----------
    level : int, level name or list of them, optional
        The levels that become columns; the others stay row labels. All by default.
    drop : bool, default False
        Drop the labels and return a Series.
    name : label, optional
        The label of the column of elements; the name of the Series, or 0, by default.
    inplace : bool, default False
        Change this Series and return None; with ``drop=True`` only.
    allow_duplicates : bool, default False
        Whether the name of a level may be that of the Series.

    Returns
    -------
    DataFrame, Series or None
        A DataFrame; a Series with ``drop=True``; None with ``inplace=True``.

    Raises
    ------
    TypeError
        For ``inplace=True`` without ``drop=True``.
    ValueError
        For a level of the name of the Series, unless ``allow_duplicates`` is set.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], index=["x", "y"], name="v")
    >>> s.reset_index()
      index  v
    0     x  1
    1     y  2
    >>> s.reset_index(drop=True)
    0    1
    1    2
    Name: v, dtype: int64
    """
    check_truth("allow_duplicates", allow_duplicates)
    if drop:
        wanted = level if level is None or isinstance(level, (list, tuple)) else [level]
        return self._relabelled(
            lambda handle: _with_labels_as_columns(handle, wanted, True, 0, "", None), inplace
        )
    if inplace:
        raise TypeError("Cannot reset_index inplace on a Series to create a DataFrame")
    return self.to_frame(name).reset_index(level, allow_duplicates=allow_duplicates)


def to_frame(self: Series, name: Any = ...) -> DataFrame:
    """Return a frame of the Series as its only column.

    Parameters
    ----------
    name : label, optional
        The label of the column; by default the name of the Series, or 0 if it has none.

    Returns
    -------
    DataFrame
        The same row labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None], name="v").to_frame()
          v
    0     1
    1  <NA>
    >>> cuprum.Series([1, None], name="v").to_frame("w").columns.to_list()
    ['w']
    """
    if name is None:
        return wrap_frame(self._handle.to_frame(0).with_labels([None], [None]))
    own = name is ... or is_no_default(name)
    return wrap_frame(self._handle.to_frame(None if own else plain_label(name)))


def _with_labels_as_columns(
    handle: Any,
    level: Any,
    drop: bool,
    col_level: Any,
    col_fill: Any,
    names: list[Any] | None,
    allow_duplicates: bool = False,
) -> Any:
    """Return a handle whose row labels, or some levels of them, are its first columns; see `reset_index`."""
    index = handle.index()
    count = index.nlevels()
    which = list(range(count)) if level is None else sorted({index.level_position(one) for one in level})
    if names is not None:
        if len(names) != count:
            raise ValueError(f"`names` has {len(names)} names for {count} levels")
        index = index.with_names(names)
    if len(which) == count:
        result = handle.drop_index() if drop else _reset(handle.with_index(index), allow_duplicates)
    else:
        level_names = index.names()
        rest = [i for i in range(count) if i not in which]
        kept = index_of_columns([level_column(index, i) for i in rest], [level_names[i] for i in rest])
        result = handle
        if not drop:
            reset = index_of_columns(
                [level_column(index, i) for i in which],
                [f"level_{i}" if level_names[i] is None else level_names[i] for i in which],
            )
            result = _reset(handle.with_index(reset), allow_duplicates)
        result = result.with_index(kept)
    if not drop and handle.num_levels() > 1:
        given = [index.names()[level] for level in which]
        labels = [
            _placed(given[i] if isinstance(given[i], tuple) else label[:1], handle, col_level, col_fill)
            if i < len(which)
            else label
            for i, label in enumerate(result.labels())
        ]
        result = result.with_labels(labels, handle.level_names())
    return result


def _reset(handle: Any, allow_duplicates: bool) -> Any:
    """Return a handle with all levels of the row labels as its first columns."""
    index = handle.index()
    if not has_mixed_labels(index):
        return handle.reset_index(allow_duplicates)
    rows = _cuprum.Index.range(0, len(index)).column(0)
    levels = level_columns(index)
    made = handle.with_index(without_mixed_labels(index, lambda _: rows)).reset_index(allow_duplicates)
    return made.with_columns([*levels, *made.columns()[len(levels) :]])


def _placed(name: tuple[Any, ...], handle: Any, level: Any, fill: Any) -> Any:
    """Return the label of a column whose name, of one part or several, begins at a level; something else is in the others."""
    names, count = handle.level_names(), handle.num_levels()
    at = names.index(level) if level is not None and level in names else level
    if not isinstance(at, int) or not -count <= at < count:
        raise IndexError(f"`col_level` is {level!r}; the columns have {count} levels")
    if fill is None and len(name) not in (1, count):
        raise ValueError(
            f"the name {name!r} has neither one part nor {count}: give what the others have as `col_fill`"
        )
    fill = name[0] if fill is None else fill
    label = (*[fill] * (at % count), *name)
    if len(label) > count:
        raise ValueError(f"the name {name!r} does not fit {count} levels of labels from {level!r} on")
    return (*label, *[fill] * (count - len(label)))
