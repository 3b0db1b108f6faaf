"""Rows and columns by other labels: reindex, reindex_like, drop, truncate."""

from __future__ import annotations

from contextlib import suppress
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
    """Return the rows, and of a frame the columns, with the labels of another object.

    Parameters
    ----------
    other : DataFrame or Series
        The object whose labels are taken.
    method : str, optional
        Which row stands for a label that is not there: ``'ffill'``, ``'bfill'`` or ``'nearest'``, as in
        `reindex`.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    limit : int, optional
        How many labels without a row one row may stand for.
    tolerance : scalar or list-like, optional
        How far from a label that of the row may be.

    Returns
    -------
    DataFrame or Series
        The labels of ``other`` in their order; missing elements where there is no such label here.

    Raises
    ------
    ValueError
        Where a label occurs twice here.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], index=["a", "b"])
    >>> s.reindex_like(cuprum.Series([0, 0, 0], index=["b", "c", "a"]))
    b       2
    c    <NA>
    a       1
    dtype: int64
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
    """Return the rows, or of a frame the columns, without those of some labels.

    Parameters
    ----------
    labels : label or list of labels, optional
        The labels of rows, or with ``axis=1`` of columns.
    axis : 0 or 'index', 1 or 'columns', default 0
        What ``labels`` are for.
    index : label or list of labels, optional
        The labels of rows.
    columns : label or list of labels, optional
        The labels of columns; without effect on a Series.
    level : int or level name, optional
        The level of a MultiIndex that the labels are of.
    inplace : bool, default False
        Change this object and return None.
    errors : ``'raise'`` or ``'ignore'``, default ``'raise'``
        Whether labels that are not there raise ``KeyError``.

    Returns
    -------
    DataFrame, Series or None
        The rows and columns that are left, in their order; None with ``inplace=True``.

    Raises
    ------
    KeyError
        For a label that is not there, unless ``errors='ignore'``.
    ValueError
        For no labels, and for ``labels`` with ``index`` or ``columns``.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"])
    >>> df.drop("x")
       a  b
    y  2  4
    >>> df.drop(columns=["a", "z"], errors="ignore")
       b
    x  3
    y  4
    >>> cuprum.Series([1, 2, 3]).drop([0, 2])
    1    2
    dtype: int64
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
    """Return the rows or columns from one label to another.

    Parameters
    ----------
    before : label, optional
        The first label that is kept; among times a moment: ``'2016-01'`` is the first midnight of January.
    after : label, optional
        The last label that is kept; among times a moment, too.
    axis : 0 or 'index', 1 or 'columns', optional
        0, the default, for rows, 1 for columns.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    DataFrame or Series
        The rows (columns) between the labels, both ends included.

    Raises
    ------
    ValueError
        For labels that are not sorted, and for ``after`` before ``before``.

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
    """Return the rows and columns with some labels, in their order.

    Parameters
    ----------
    labels : list-like, optional
        Labels of rows, or with ``axis=1`` of columns.
    index : list-like, optional
        Labels of rows.
    columns : list-like, optional
        Labels of columns.
    axis : 0 or 'index', 1 or 'columns', optional
        What ``labels`` are for; the rows by default.
    **kwargs : optional
        ``fill_value``: what stands where there is no such label. ``method`` (``'ffill'``, ``'bfill'``,
        ``'nearest'``), ``limit`` and ``tolerance``: which row or column stands for a label that is not there,
        as in `Index.get_indexer`. ``level``: the level of a MultiIndex by which labels are matched.

    Returns
    -------
    DataFrame
        The labels that are asked for; missing elements where there is no such label here.

    Raises
    ------
    ValueError
        Where a label occurs twice here.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2]}, index=[10, 20])
    >>> df.reindex([10, 15, 20], method="ffill")
        a
    10  1
    15  1
    20  2
    >>> df.reindex(columns=["b", "a"], fill_value=0)
        b  a
    10  0  1
    20  0  2
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
    """Return the elements with some labels, in their order.

    Parameters
    ----------
    index : list-like, optional
        The labels that are asked for.
    **kwargs : optional
        ``fill_value``: what stands where there is no such label. ``method`` (``'ffill'``, ``'bfill'``,
        ``'nearest'``), ``limit`` and ``tolerance``: which element stands for a label that is not there, as in
        `Index.get_indexer`. ``level``: the level of a MultiIndex by which labels are matched.

    Returns
    -------
    Series
        The labels that are asked for; missing elements where there is no such label here.

    Raises
    ------
    ValueError
        Where a label occurs twice here.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2], index=["a", "b"])
    >>> s.reindex(["b", "z"])
    b       2
    z    <NA>
    dtype: int64
    >>> s.reindex(["b", "z"], fill_value=0).to_list()
    [2, 0]
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
        unknown = column.to_pylist()
        with suppress(TypeError, ValueError):
            found = wrap_series(_cuprum.Series(column).isin(index.to_series(0).column())).to_list()
            unknown = [label for label, is_there in zip(unknown, found, strict=True) if not is_there]
        reason = f" ({error.args[0]})" if isinstance(error, ValueError) else ""
        raise KeyError(f"{unknown} not found in axis{reason}") from None


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
