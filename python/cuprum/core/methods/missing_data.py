"""Missing data: isna, fillna, ffill, bfill, interpolate, dropna."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    fill_limit,
    is_list_like,
    label_list,
    only_known,
    only_texts,
    plain_label,
)
from cuprum.core.chained_assignment import METHOD, MIXING, warn_if_chained
from cuprum.core.construction import column_from
from cuprum.core.interop import is_pandas
from cuprum.core.label_positions import are_repeated, numbered, places_of_all
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        AnyObject,
        AnySeries,
        Axis,
        DropnaHow,
        FrameOrSeries,
        LabelOrLabels,
        LimitArea,
        LimitDirection,
        RowAxis,
    )


def isna(self: AnyObject) -> AnyObject:
    """Return True where an element is missing: null, or NaN."""
    return self._wrap(self._handle.isna())


def isnull(self: AnyObject) -> AnyObject:
    """Return True where an element is missing; the same as `isna`."""
    return self._wrap(self._handle.isna())


def notna(self: AnyObject) -> AnyObject:
    """Return True where an element is not missing."""
    return self._wrap(self._handle.notna())


def notnull(self: AnyObject) -> AnyObject:
    """Return True where an element is not missing; the same as `notna`."""
    return self._wrap(self._handle.notna())


@overload
def ffill(
    self: FrameOrSeries,
    *,
    axis: Axis | None = ...,
    inplace: Literal[True],
    limit: int | None = ...,
    limit_area: LimitArea | None = ...,
) -> None: ...
@overload
def ffill(
    self: AnyObject,
    *,
    axis: Axis | None = ...,
    inplace: bool = ...,
    limit: int | None = ...,
    limit_area: LimitArea | None = ...,
) -> AnyObject: ...
def ffill(
    self: FrameOrSeries,
    *,
    axis: Any = None,
    inplace: bool = False,
    limit: int | None = None,
    limit_area: Any = None,
) -> Any:
    """Return missing elements replaced by the last one before them that is not missing.

    ``limit`` is how many rows that one may be away. With ``limit_area='inside'`` only those between two
    that are not missing are replaced, with ``'outside'`` only the others.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.0, None, None]).ffill(limit=1)
    0    1.0
    1    1.0
    2    NaN
    dtype: float64
    """
    if inplace is True and sys.getrefcount(self) <= METHOD:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].ffill(…)')
    return _fill_from_neighbours(self, "ffill", True, axis, inplace, limit, limit_area)


@overload
def bfill(
    self: FrameOrSeries,
    *,
    axis: Axis | None = ...,
    inplace: Literal[True],
    limit: int | None = ...,
    limit_area: LimitArea | None = ...,
) -> None: ...
@overload
def bfill(
    self: AnyObject,
    *,
    axis: Axis | None = ...,
    inplace: bool = ...,
    limit: int | None = ...,
    limit_area: LimitArea | None = ...,
) -> AnyObject: ...
def bfill(
    self: FrameOrSeries,
    *,
    axis: Any = None,
    inplace: bool = False,
    limit: int | None = None,
    limit_area: Any = None,
) -> Any:
    """Return missing elements replaced by the next one after them that is not missing.

    ``limit`` and ``limit_area`` are those of `ffill`.
    """
    if inplace is True and sys.getrefcount(self) <= METHOD:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].bfill(…)')
    return _fill_from_neighbours(self, "bfill", False, axis, inplace, limit, limit_area)


def _fill_from_neighbours(
    self: FrameOrSeries, function: str, forward: bool, axis: Any, inplace: bool, limit: Any, limit_area: Any
) -> Any:
    limit = fill_limit(limit)
    if limit_area is not None:
        only_texts(limit_area=limit_area)
    if axis is not None and axis_number(axis, self) == 1:
        return _turned(self, function, inplace, limit=limit, limit_area=limit_area)
    return self._map(lambda s: s.fill_from_neighbours(forward, limit, limit_area), inplace)


def _turned(self: FrameOrSeries, function: str, inplace: bool, **arguments: Any) -> Any:
    """Return what a method makes of the columns where these are rows; they have one type then."""

    def turned(handle: Any) -> Any:
        if 0 in handle.shape():
            return handle.shallow_copy()
        rows = self._wrap(handle.drop_index()).T
        return handle.with_columns(getattr(rows, function)(**arguments).T._handle.columns())

    return self._changed(turned, inplace)


@overload
def interpolate(
    self: FrameOrSeries,
    method: str = ...,
    *,
    axis: Axis = ...,
    limit: int | None = ...,
    inplace: Literal[True],
    limit_direction: LimitDirection | None = ...,
    limit_area: LimitArea | None = ...,
    **kwargs: Any,
) -> None: ...
@overload
def interpolate(
    self: AnyObject,
    method: str = ...,
    *,
    axis: Axis = ...,
    limit: int | None = ...,
    inplace: bool = ...,
    limit_direction: LimitDirection | None = ...,
    limit_area: LimitArea | None = ...,
    **kwargs: Any,
) -> AnyObject: ...
def interpolate(
    self: FrameOrSeries,
    method: str = "linear",
    *,
    axis: Any = 0,
    limit: int | None = None,
    inplace: bool = False,
    limit_direction: str | None = None,
    limit_area: str | None = None,
    **kwargs: Any,
) -> Any:
    """Return missing elements replaced by what lies on the line between their neighbours.

    Parameters
    ----------
    method
        ``'linear'``: rows are at equal distances. ``'time'``, ``'index'``, ``'values'``: at those of their
        labels. Other methods, with their own arguments, are those of SciPy, through pandas: an
        ``ImportError`` without it.
    axis
        0: along the rows; 1: along the columns, which have one type then.
    limit
        How many rows away an element on the side of ``limit_direction`` may be.
    limit_direction
        ``'forward'`` (the default): elements before the first stay missing, those behind the last are as it;
        ``'backward'``, ``'both'``.
    limit_area
        With ``'inside'`` only elements between others are replaced, with ``'outside'`` only the others.

    ``TypeError`` for texts and other elements that lie on no line, ``ValueError`` for an unknown method.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.0, None, 4.0, None]).interpolate()
    0    1.0
    1    2.5
    2    4.0
    3    4.0
    dtype: float64
    """
    if inplace is True and sys.getrefcount(self) <= METHOD:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].interpolate(…)')
    if axis_number(axis, self) == 1:
        across = {"limit": limit, "limit_direction": limit_direction, "limit_area": limit_area}
        return _turned(self, "interpolate", inplace, method=method, **across, **kwargs)
    if limit_area not in (None, "inside", "outside"):
        raise ValueError(f"Invalid limit_area: expecting one of ['inside', 'outside'], got {limit_area}.")
    limit, side = fill_limit(limit), "forward" if limit_direction is None else limit_direction
    side = side.lower() if isinstance(side, str) else side
    if method not in ("linear", "time", "index", "values"):

        def by_pandas(handle: Any) -> Any:
            theirs = (
                self._around(handle)
                .to_pandas()
                .interpolate(
                    method, limit=limit, limit_direction=limit_direction, limit_area=limit_area, **kwargs
                )
            )
            return type(self)(theirs)._handle

        return self._changed(by_pandas, inplace)
    only_known("interpolate", kwargs)
    if side not in ("forward", "backward", "both"):
        raise ValueError(
            f"Invalid limit_direction: expecting one of ['forward', 'backward', 'both'], got '{side}'."
        )
    index = self.index
    if method == "time" and type(index).__name__ not in ("DatetimeIndex", "TimedeltaIndex"):
        raise ValueError(
            "time-weighted interpolation only works on Series or DataFrames with a DatetimeIndex or TimedeltaIndex"
        )
    if index.nlevels > 1 and method != "linear":
        raise ValueError("Only `method=linear` interpolation is supported on MultiIndexes.")
    places = None if method == "linear" else index._column()
    return self._changed(lambda handle: handle.interpolate(places, side, limit, limit_area), inplace)


def _fills(self: DataFrame, items: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return pairs of a label and what fills the columns under it, as the handle takes them.

    Several values for one column are by row label, for several columns (a label that repeats, an outer one) by
    column label.
    """
    pairs = []
    for given, value in items:
        label = plain_label(given)
        if isinstance(value, (objects.Series, Mapping)) or is_pandas(value, "Series"):
            if self._handle.names_one(label):
                value = objects.Series(value)._handle
            else:
                value = [(plain_label(below), one) for below, one in value.items()]
        pairs.append((label, value))
    return pairs


@overload
def frame_fillna(
    self: DataFrame,
    value: Any = ...,
    *,
    axis: Axis | None = ...,
    inplace: Literal[True],
    limit: int | None = ...,
) -> None: ...
@overload
def frame_fillna(
    self: AnyFrame,
    value: Any = ...,
    *,
    axis: Axis | None = ...,
    inplace: bool = ...,
    limit: int | None = ...,
) -> AnyFrame: ...
@objects_where_mixed
def frame_fillna(
    self: DataFrame, value: Any = None, *, axis: Any = None, inplace: bool = False, limit: int | None = None
) -> Any:
    """Return missing elements replaced by a scalar, by one for each column (a dict or Series), or by a frame's.

    The scalar must fit the type of the column, which becomes a wider one where that holds it. With ``limit``
    only that many missing elements of each column are replaced, the first; with ``axis=1`` of each row. A Series
    has one element for each row then, by row label.
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].fillna(…)')
    limit = fill_limit(limit)
    if value is None:
        raise ValueError("Must specify a fill 'value'.")
    if axis is not None and axis_number(axis) == 1:
        if isinstance(value, Mapping):
            raise ValueError(f"`axis`=1 goes with a scalar or a Series, not with {value!r}")
        if isinstance(value, objects.Series) or is_pandas(value, "Series"):
            if limit is not None:
                raise NotImplementedError("fillna of a Series does not support `axis`=1 with `limit`")
            if len(set(self._handle.dtypes())) > 1:
                kinds = ", ".join(dict.fromkeys(map(str, self._handle.dtypes())))
                raise ValueError(f"All columns must have the same dtype, but got dtypes: {kinds}")
            found = objects.Series(value)._handle
            _refuse_other_kind(found.dtype(), self._handle.dtypes())
            return self._changed(lambda handle: handle.fillna_with(found), inplace)
        if is_list_like(value):
            raise NotImplementedError(
                f"fillna does not support `axis`=1 with a {type(value).__name__}: give a scalar or a Series"
            )
        if limit is not None:
            return self._changed(lambda handle: handle.fillna_along_rows(value, limit), inplace)
    if isinstance(value, (Mapping, objects.Series)) or is_pandas(value, "Series"):
        pairs = _fills(self, value.items())
        return self._changed(lambda handle: handle.fillna_columns(pairs, limit), inplace)
    value = objects.ours(value)
    if isinstance(value, objects.DataFrame):
        if not value.columns.is_unique and not value.columns.equals(self.columns):
            from pandas.errors import InvalidIndexError

            raise InvalidIndexError("Cannot align with an object that has duplicate labels")
        return self._changed(lambda handle: handle.fillna_with(value._handle, False, limit), inplace)
    if is_list_like(value):
        raise TypeError(
            f'"value" parameter must be a scalar or dict, but you passed a "{type(value).__name__}"'
        )
    return self._changed(lambda handle: _filled(handle, value, limit), inplace)


@overload
def frame_dropna(
    self: DataFrame,
    *,
    axis: Axis = ...,
    how: DropnaHow | None = ...,
    thresh: int | None = ...,
    subset: LabelOrLabels = ...,
    inplace: Literal[True],
    ignore_index: bool = ...,
) -> None: ...
@overload
def frame_dropna(
    self: AnyFrame,
    *,
    axis: Axis = ...,
    how: DropnaHow | None = ...,
    thresh: int | None = ...,
    subset: LabelOrLabels = ...,
    inplace: bool = ...,
    ignore_index: bool = ...,
) -> AnyFrame: ...
def frame_dropna(
    self: DataFrame,
    *,
    axis: Any = 0,
    how: Any = None,
    thresh: int | None = None,
    subset: Any = None,
    inplace: bool = False,
    ignore_index: bool = False,
) -> Any:
    """Return the rows (columns, with ``axis=1``) without missing elements.

    ``how='all'`` drops only those with nothing else, ``thresh`` those with fewer others;
    ``subset`` names the columns that count, or with ``axis=1`` the rows.
    """
    if how is not None and thresh is not None:
        raise TypeError("You cannot set both the how and thresh arguments at the same time.")
    if how not in (None, "any", "all"):
        raise ValueError(f"invalid how option: {how}")
    if axis_number(axis) == 1:
        wanted = None if subset is None else label_list(subset)

        def full_columns(handle: Any) -> Any:
            looked_at = handle if wanted is None else _rows_labelled(handle, wanted)
            rows = len(looked_at)
            least = thresh if thresh is not None else (1 if how == "all" and rows else rows)
            if wanted is None:
                return handle.dropna_columns(least)
            counts = wrap_frame(looked_at).notna().sum().to_numpy()
            return handle.select_positions([at for at, count in enumerate(counts) if count >= least])

        return self._relabelled(full_columns, inplace)
    labels = [] if subset is None else label_list(subset)

    def full_rows(handle: Any) -> Any:
        if subset is None or labels:
            looked_at, wanted = handle, labels
            if labels and are_repeated(own := handle.labels()):
                looked_at, wanted = numbered(handle), places_of_all(labels, own)
            count = handle.shape()[1] if subset is None else len(wanted)
            needed = thresh if thresh is not None else (min(1, count) if how == "all" else count)
            found = looked_at.dropna(wanted, needed)
            handle = found if looked_at is handle else _labelled_as(found, handle)
        return handle.drop_index() if ignore_index else handle

    return self._replaced(full_rows, inplace)


@overload
def series_fillna(
    self: Series,
    value: Any = ...,
    *,
    axis: Axis | None = ...,
    inplace: Literal[True],
    limit: int | None = ...,
) -> None: ...
@overload
def series_fillna(
    self: AnySeries,
    value: Any = ...,
    *,
    axis: Axis | None = ...,
    inplace: bool = ...,
    limit: int | None = ...,
) -> AnySeries: ...
@objects_where_mixed
def series_fillna(
    self: Series, value: Any = None, *, axis: Any = None, inplace: bool = False, limit: int | None = None
) -> Any:
    """Return missing elements replaced by a scalar, or by those of a Series or dict with the same label.

    The scalar must fit the type, which becomes a wider one where that holds it. With ``limit`` only that many
    missing elements are replaced, the first.
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].fillna(…)')
    limit = fill_limit(limit)
    if value is None:
        raise ValueError("Must specify a fill 'value'.")
    if axis is not None:
        axis_number(axis, "Series")
    if isinstance(value, Mapping) or is_pandas(value, "Series"):
        value = objects.Series(value)
    if isinstance(value, objects.Series):
        values = value._handle
        return self._changed(lambda handle: handle.fillna_with(values, False, limit), inplace)
    if is_list_like(value):
        raise TypeError(
            f'"value" parameter must be a scalar, dict or Series, but you passed a "{type(value).__name__}"'
        )
    return self._changed(lambda handle: _filled(handle, value, limit), inplace)


@overload
def series_dropna(
    self: Series,
    *,
    axis: RowAxis = ...,
    inplace: Literal[True],
    how: DropnaHow | None = ...,
    ignore_index: bool = ...,
) -> None: ...
@overload
def series_dropna(
    self: AnySeries,
    *,
    axis: RowAxis = ...,
    inplace: bool = ...,
    how: DropnaHow | None = ...,
    ignore_index: bool = ...,
) -> AnySeries: ...
def series_dropna(
    self: Series, *, axis: Any = 0, inplace: bool = False, how: Any = None, ignore_index: bool = False
) -> Any:
    """Return the elements that are not missing; ``how`` ('any' or 'all') is the same for one column."""
    axis_number(axis, "Series")
    if how not in (None, "any", "all"):
        raise ValueError(f"dropna: invalid `how`: {how!r}")
    if ignore_index:
        return self._replaced(lambda handle: handle.dropna().drop_index(), inplace)
    return self._replaced(lambda handle: handle.dropna(), inplace)


def _labelled_as(handle: Any, like: Any) -> Any:
    return handle.with_labels(like.labels(), like.level_names())


def _refuse_other_kind(dtype: Any, dtypes: list[Any]) -> None:
    """Fail for values that are no numbers beside columns of numbers, and the other way around."""
    for own in dtypes:
        if (own.kind in "iuf") != (dtype.kind in "iuf"):
            raise ValueError(f"values of type {dtype} are not a suitable type to fill into {own}")


def _filled(handle: Any, value: Any, limit: int | None) -> Any:
    """Return a handle with missing elements replaced by one value, the first ``limit`` of each column."""
    return handle.fillna(value) if limit is None else handle.fillna_with(value, False, limit)


def _rows_labelled(handle: Any, labels: list[Any]) -> Any:
    """Return the rows with some labels; ``KeyError`` for those that are not there."""
    places = objects.wrap_index(handle.index()).get_indexer_for(objects.Index(labels))
    if (places < 0).any():
        raise KeyError([label for label, place in zip(labels, places, strict=True) if place < 0])
    return handle.take(column_from(places))
