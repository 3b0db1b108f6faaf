"""Rows and columns by other labels: reindex, reindex_like, drop, truncate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    label_list,
    only_truth,
    plain_label,
    plain_labels,
)
from cuprum.core.construction import column_from
from cuprum.core.index.levels import level_at
from cuprum.core.label_construction import names_of
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reindexing import ReindexOptions

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyObject,
        Axis,
        ErrorsIgnored,
        FillMethod,
        FrameOrSeries,
        Label,
        LabelOrLabels,
        Scalar,
    )


def reindex_like(
    self: AnyObject,
    other: Any,
    method: FillMethod | None = None,
    copy: bool | None = None,
    limit: int | None = None,
    tolerance: Any = None,
) -> AnyObject:
    """Return the rows, and of a frame the columns, with the labels of ``other``; missing where there is none.

    ``method``, ``limit`` and ``tolerance`` are those of `reindex`.
    """
    only_truth("reindex_like", copy=copy)
    this, how = cast("Any", self), {"method": method, "limit": limit, "tolerance": tolerance}
    labels = {"index": other.index} if self.ndim == 1 else {"index": other.index, "columns": other.columns}
    return this.reindex(**labels, **how)


@overload
def drop(
    self: FrameOrSeries,
    labels: LabelOrLabels = ...,
    *,
    axis: Axis = ...,
    index: LabelOrLabels = ...,
    columns: LabelOrLabels = ...,
    level: Label = ...,
    inplace: Literal[True],
    errors: ErrorsIgnored = ...,
) -> None: ...
@overload
def drop(
    self: AnyObject,
    labels: LabelOrLabels = ...,
    *,
    axis: Axis = ...,
    index: LabelOrLabels = ...,
    columns: LabelOrLabels = ...,
    level: Label = ...,
    inplace: bool = ...,
    errors: ErrorsIgnored = ...,
) -> AnyObject: ...
def drop(
    self: FrameOrSeries,
    labels: Any = None,
    *,
    axis: Any = 0,
    index: Any = None,
    columns: Any = None,
    level: Any = None,
    inplace: bool = False,
    errors: str = "raise",
) -> Any:
    """Return the rows but some (``labels`` or ``index``), of a frame also the columns but some, by label.

    ``KeyError`` for a label that is not there, unless ``errors='ignore'``. With ``level`` labels are those of one of
    several levels, and it is a ``KeyError`` where none of them is there.
    """
    if labels is not None:
        if index is not None or columns is not None:
            raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
        if axis_number(axis, self) == 1:
            columns = labels
        else:
            index = labels
    elif index is None and columns is None:
        raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
    elif self.ndim == 2 and axis_number(axis) == 1:
        raise ValueError("Cannot specify both 'axis' and 'index'/'columns'")
    gone = label_list(columns) if columns is not None and self.ndim == 2 else []
    if errors not in ("raise", "ignore"):
        raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
    if level is not None:

        def without_parts(handle: Any) -> Any:
            if columns is not None and self.ndim == 2:
                kept = _without_parts(handle.columns_index(), columns, level, errors)
                handle = handle.select_positions(kept.nonzero()[0].tolist())
            if index is None:
                return handle
            return handle.filter(column_from(_without_parts(handle.index(), index, level, errors)))

        return (self._relabelled if index is None else self._replaced)(without_parts, inplace)

    def without(handle: Any) -> Any:
        if gone:
            known = [label for label in gone if errors != "ignore" or handle.contains(label)]
            handle = handle.drop_columns(known)
        return handle if index is None else _without_rows(handle, index, errors)

    return (self._relabelled if index is None else self._replaced)(without, inplace)


def truncate(
    self: AnyObject,
    before: Scalar = None,
    after: Scalar = None,
    axis: Axis | None = None,
    copy: bool | None = None,
) -> AnyObject:
    """Return the rows (columns, with ``axis=1``) from one label to another, which have to be sorted.

    Among times ``before`` and ``after`` are moments: ``'2016-01'`` is the first midnight of January.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2, 3, 4]).truncate(before=1, after=2).to_list()
    [2, 3]
    """
    only_truth("truncate", copy=copy)
    columns = axis is not None and axis_number(axis, self) == 1
    labels = self.axes[columns]
    if labels.nlevels == 1 and labels.dtype.kind == "M":
        import pandas as pd

        before, after = (None if end is None else pd.to_datetime(end) for end in (before, after))
    handle: Any = self._handle
    cut = handle.truncate_columns if columns else handle.truncate
    return self._wrap(cut(plain_label(before), plain_label(after))).copy()


@objects_where_mixed
def frame_reindex(
    self: DataFrame,
    labels: LabelOrLabels = None,
    *,
    index: LabelOrLabels = None,
    columns: LabelOrLabels = None,
    axis: Axis | None = None,
    **kwargs: Any,
) -> DataFrame:
    """Return the rows (and columns) with some labels, in their order; missing where there is none.

    Parameters
    ----------
    labels, axis
        Labels of rows, or with ``axis=1`` of columns.
    **kwargs
        ``fill_value``: what stands where there is none. ``method``, ``limit`` and ``tolerance``: which row or column
        is taken for a label that is not there, see `Index.get_indexer`. ``level``: labels are matched with those of
        one of several levels.

    ``ValueError`` where a label occurs twice here.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2]}, index=[10, 20]).reindex([10, 15, 20], method="ffill")
        a
    10  1
    15  1
    20  2
    """
    options = ReindexOptions(kwargs)
    if axis is not None and (index is not None or columns is not None):
        raise TypeError("Cannot specify both 'axis' and any of 'index' or 'columns'")
    if labels is not None:
        if index is not None and columns is not None:
            raise TypeError("Cannot specify all of 'labels', 'index', 'columns'.")
        if axis is not None and axis_number(axis) == 1:
            columns = labels
        else:
            index = labels
    handle = self._snapshot()._handle
    if index is not None:
        handle = options.rows(handle, index)
    if columns is not None and not options.are_plain:
        return options.columns(wrap_frame(handle), columns)
    if columns is not None:
        wanted, own = plain_labels(columns), handle.labels()
        absent = [label for label in wanted if not handle.contains(label)]
        if wanted != own:
            if len(set(own)) < len(own):
                raise ValueError("cannot reindex on an axis with duplicate labels")
            handle = handle.reindex_columns(wanted)
        if options.fills and absent:
            filled = Column.filled(options.fill_value, len(handle))
            every = [
                filled if label in absent else handle.column_at(at).column()
                for at, label in enumerate(handle.labels())
            ]
            handle = handle.with_columns(every)
        names = names_of(columns)
        if names is not None and len(names) == handle.num_levels():
            handle = handle.with_labels(handle.labels(), names)
    return wrap_frame(handle)


@objects_where_mixed
def series_reindex(self: Series, index: LabelOrLabels = None, **kwargs: Any) -> Series:
    """Return the rows with the labels ``index``, in its order; missing where there is none.

    ``fill_value`` stands where there is none; ``method``, ``limit`` and ``tolerance`` say which row is taken for a
    label that is not there, see `Index.get_indexer`; with ``level`` labels are matched with those of one of several
    levels. ``ValueError`` where a label occurs twice here.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2], index=["a", "b"]).reindex(["b", "z"], fill_value=0)
    b    2
    z    0
    dtype: int64
    """
    axis = kwargs.pop("axis", None)
    if axis is not None:
        axis_number(axis, "Series")
    options = ReindexOptions(kwargs)
    if index is None:
        return self._snapshot()
    return self._wrap(options.rows(self._handle, index))


def _without_rows(handle: Any, labels: Any, errors: str) -> Any:
    """Return a handle without the rows of some labels; ``errors='ignore'`` passes over unknown ones."""
    index = handle.index()
    if index.kind() in ("levels", "mixed"):
        return handle.filter(index.rows_without(label_list(labels), errors == "ignore"))
    try:
        column = column_from(labels if is_list_like(labels) and not isinstance(labels, tuple) else [labels])
    except TypeError:  # labels of several kinds
        return handle.filter(index.rows_without(label_list(labels), errors == "ignore"))
    if not len(column):
        return handle.shared()
    if errors == "ignore":
        try:
            known = index.to_series(0).isin(column).column()
        except TypeError:
            return handle
        kept = wrap_series(_cuprum.Series(known))
        return handle.filter((~kept)._handle.column())
    try:
        return handle.drop_rows(column)
    except (KeyError, TypeError, ValueError) as error:  # labels that do not compare are not there
        raise KeyError(f"{column.to_pylist()} not found in axis ({error.args[0]})") from None


def _without_parts(index: Any, labels: Any, level: Any, errors: str) -> Any:
    """Return an array that is true for the labels whose part in one of several levels is not among some."""
    if index.nlevels() == 1:
        raise AssertionError("axis must be a MultiIndex")
    at = index.level_position(plain_label(level))
    values, gone = level_at(objects.wrap_index(index), at), label_list(labels)
    if errors != "ignore":
        known = values.unique()
        absent = [label for label in gone if not known.isin([label]).any()]
        if absent:
            raise KeyError(f"labels {absent} not found in level")
    return ~values.isin(gone)
