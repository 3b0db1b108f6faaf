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
