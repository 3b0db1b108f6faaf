"""Labels of rows and columns: renamed, set from columns, reset to columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    check_truth,
    is_list_like,
    is_no_default,
    names_of_levels,
    only_truth,
    plain_label,
    truth_of,
)
from cuprum.core.construction import (
    index_handle,
)
from cuprum.core.interop import is_pandas
from cuprum.core.label_columns import (
    has_mixed_labels,
    index_of_columns,
    level_column,
    level_columns,
    without_mixed_labels,
)
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
        LabelOrLabels,
        Renamer,
        RowAxis,
    )


def frame_droplevel(self: DataFrame, level: Any, axis: Axis = 0) -> DataFrame:
    """Return the frame without some levels of its row labels, or of the columns' with ``axis=1``."""
    return _with_axis(self, lambda labels: labels.droplevel(level), axis)


def frame_swaplevel(self: DataFrame, i: Any = -2, j: Any = -1, axis: Axis = 0) -> DataFrame:
    """Return the frame with two levels of its row labels, or of the columns', in each other's places."""
    return _with_axis(self, lambda labels: _hierarchical(labels, "swap").swaplevel(i, j), axis)


def frame_reorder_levels(self: DataFrame, order: Any, axis: Axis = 0) -> DataFrame:
    """Return the frame with the levels of its row labels, or of the columns', in another order."""
    return _with_axis(self, lambda labels: _hierarchical(labels, "reorder").reorder_levels(order), axis)


def _with_axis(self: DataFrame, change: Any, axis: Any) -> DataFrame:
    """Return the frame with changed labels of rows or columns."""
    number = axis_number(axis)
    return self.set_axis(change(self.columns if number else self.index), axis=number)


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
    """Return the frame with columns (labels), or arrays of its length, as the row labels.

    ``append`` keeps the present labels as outer levels; ``verify_integrity`` raises
    ``ValueError`` where a label occurs twice.
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
    """Return the frame with the row labels as its first columns, under the names of their levels.

    Unnamed ones are called ``index`` or ``level_0`` and so on; ``names`` gives others. With
    ``drop`` they are dropped. ``level`` names those to reset; all without it. In hierarchical
    columns the names go to level ``col_level``, and ``col_fill`` to the others (None: the names too).
    ``ValueError`` for a name that a column has, unless ``allow_duplicates``.
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
    """Return the frame with other labels: a dict of old and new ones, or a function of the old.

    ``columns`` or ``axis=1`` is for columns, ``index`` or a bare mapper for rows. Of labels of several
    levels every part is renamed, or those of one ``level``. With ``errors='raise'`` a label that is not
    there is a ``KeyError``.
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
    """Return the frame with names for the levels of its row labels (or column labels).

    ``mapper``, for the labels of ``axis``, is a name or a list of one for each level; None takes it away.
    So are ``index`` and ``columns``, which may be a dict of old and new names or a function of the old, too.
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
    """Return the frame with ``prefix`` before every column label, and every part of it; with ``axis=0`` row label."""
    return self._affixed(str(prefix), "", axis)


def frame_add_suffix(self: DataFrame, suffix: str, axis: Axis | None = None) -> DataFrame:
    """Return the frame with ``suffix`` after every column label, and every part of it; with ``axis=0`` row label."""
    return self._affixed("", str(suffix), axis)


def frame_affixed(self: DataFrame, prefix: str, suffix: str, axis: Any) -> Any:
    """Return the frame with a text before or behind each label of an axis."""
    handle = self._handle
    by_row = axis is not None and axis_number(axis) == 0
    affix = handle.affix_rows if by_row else handle.affix_columns
    return wrap_frame(affix(prefix, suffix))


def frame_set_axis(self: DataFrame, labels: Any, *, axis: Axis = 0) -> DataFrame:
    """Return the frame with other row labels (column labels, with ``axis=1``)."""
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
    """Return the series with other labels."""
    axis_number(axis, "Series")
    if labels is None:
        raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
    result = self._snapshot()
    result.index = labels
    return result


def series_droplevel(self: Series, level: Any, axis: RowAxis = 0) -> Series:
    """Return the series without some levels of its labels."""
    return self.set_axis(self.index.droplevel(level), axis=axis)


def series_swaplevel(self: Series, i: Any = -2, j: Any = -1) -> Series:
    """Return the series with two levels of its labels in each other's places."""
    return self.set_axis(_hierarchical(self.index, "swap").swaplevel(i, j))


def series_reorder_levels(self: Series, order: Any) -> Series:
    """Return the series with the levels of its labels in another order, of their names or numbers."""
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
    """Return the series under another name; with a dict or a callable, with other row labels.

    Of labels of several levels every part is renamed, or those of one ``level``. With ``errors='raise'``
    a label that is not there is a ``KeyError``.
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
    """Return the series with ``prefix`` before every row label, and every part of it."""
    return self._affixed(str(prefix), "", axis)


def series_add_suffix(self: Series, suffix: str, axis: RowAxis | None = None) -> Series:
    """Return the series with ``suffix`` after every row label, and every part of it."""
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
    """Return the series with names for the levels of its row labels: ``mapper`` or ``index``.

    ``index`` may also be a dict of old and new names or a function of the old; see `DataFrame.rename_axis`.
    """
    axis_number(axis, "Series")
    if mapper is not ...:
        if index is not ...:
            raise TypeError("Cannot specify both 'mapper' and 'index'")
        index = _no_mapping(mapper)
    if index is ...:
        return self._relabelled(lambda handle: handle, inplace)
    return self._relabelled(lambda handle: handle.with_index(_with_names(handle.index(), index)), inplace)


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
    """Return a frame with the row labels as columns before the values.

    With ``drop`` the series without these labels. ``level`` names those to reset; all without it.
    ``ValueError`` for a level of the name of the series, unless ``allow_duplicates``.
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
    """Return a frame of this one column, called ``name``; without one by its own name, or 0."""
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
