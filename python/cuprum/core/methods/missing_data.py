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
    """Return where elements are missing: null, or NaN.

    Returns
    -------
    DataFrame or Series
        Truth values under the same labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["x", None, ""]).isna()
    0    False
    1     True
    2    False
    dtype: bool
    >>> cuprum.DataFrame({"a": [1, None], "b": [float("nan"), 2.0]}).isna()
           a      b
    0  False   True
    1   True  False
    """
    return self._wrap(self._handle.isna())


def isnull(self: AnyObject) -> AnyObject:
    """Return where elements are missing; the same as `isna`.

    Returns
    -------
    DataFrame or Series
        Truth values under the same labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["x", None, ""]).isnull().to_list()
    [False, True, False]
    """
    return self._wrap(self._handle.isna())


def notna(self: AnyObject) -> AnyObject:
    """Return where elements are not missing.

    Returns
    -------
    DataFrame or Series
        Truth values under the same labels; False for null and NaN.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.0, None, float("nan")]).notna().to_list()
    [True, False, False]
    """
    return self._wrap(self._handle.notna())


def notnull(self: AnyObject) -> AnyObject:
    """Return where elements are not missing; the same as `notna`.

    Returns
    -------
    DataFrame or Series
        Truth values under the same labels; False for null and NaN.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["x", None, ""]).notnull().to_list()
    [True, False, True]
    """
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

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', optional
        0, the default, looks in the rows above, 1 in the columns on the left.
    inplace : bool, default False
        Change this object and return None.
    limit : int, optional
        How many rows away that element may be; any number by default.
    limit_area : ``'inside'`` or ``'outside'``, optional
        Replace only elements between two that are not missing, or only the others.

    Returns
    -------
    DataFrame, Series or None
        The same labels; elements before the first stay missing. None with ``inplace=True``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.0, None, None])
    >>> s.ffill().to_list()
    [1.0, 1.0, 1.0]
    >>> s.ffill(limit=1)
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

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', optional
        0, the default, looks in the rows below, 1 in the columns on the right.
    inplace : bool, default False
        Change this object and return None.
    limit : int, optional
        How many rows away that element may be; any number by default.
    limit_area : ``'inside'`` or ``'outside'``, optional
        Replace only elements between two that are not missing, or only the others.

    Returns
    -------
    DataFrame, Series or None
        The same labels; elements after the last stay missing. None with ``inplace=True``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([None, None, 3.0, None]).bfill().to_list()
    [3.0, 3.0, 3.0, nan]
    >>> cuprum.DataFrame({"a": [None, 1.0], "b": [2.0, None]}).bfill(axis=1)
         a    b
    0  2.0  2.0
    1  1.0  NaN
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
    method : str, default ``'linear'``
        ``'linear'``: rows are at equal distances. ``'time'``, ``'index'``, ``'values'``: at those of their
        labels. Other methods, with their own arguments, are those of SciPy, through pandas.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 goes along the rows; 1 along the columns, which have one dtype then.
    limit : int, optional
        How many rows away an element on the side of ``limit_direction`` may be.
    inplace : bool, default False
        Change this object and return None.
    limit_direction : ``'forward'``, ``'backward'`` or ``'both'``, optional
        ``'forward'``, the default: elements before the first stay missing, those behind the last are as it.
    limit_area : ``'inside'`` or ``'outside'``, optional
        Replace only elements between two that are not missing, or only the others.
    **kwargs : optional
        Arguments of a method of SciPy, such as ``order``.

    Returns
    -------
    DataFrame, Series or None
        The same labels. None with ``inplace=True``.

    Raises
    ------
    TypeError
        For texts and other elements that lie on no line.
    ValueError
        For an unknown method, and for ``'time'`` with row labels that are no times.
    ImportError
        For a method of SciPy without it.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.0, None, 4.0, None], index=[0, 1, 3, 4])
    >>> s.interpolate()
    0    1.0
    1    2.5
    3    4.0
    4    4.0
    dtype: float64
    >>> s.interpolate("index", limit_area="inside").to_list()
    [1.0, 2.0, 4.0, nan]
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
    """Return missing elements replaced by other ones.

    Parameters
    ----------
    value : scalar, dict, Series or DataFrame
        What stands for missing elements: one for all, one for each column (a dict or Series), or those under
        the same labels of a frame.
    axis : 0 or 'index', 1 or 'columns', optional
        With 1 a Series has one element for each row, by row label, and ``limit`` goes along the rows.
    inplace : bool, default False
        Change this object and return None.
    limit : int, optional
        How many missing elements of each column are replaced, from the first on; all by default.

    Returns
    -------
    DataFrame or None
        The same labels; None with ``inplace=True``.

    Raises
    ------
    ValueError
        Without ``value``.
    TypeError
        For a list.

    Notes
    -----
    A column that does not hold the value becomes one of a wider dtype, or of objects.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, None, None], "b": ["x", None, "z"]})
    >>> df.fillna({"a": 0, "b": "?"})
       a  b
    0  1  x
    1  0  ?
    2  0  z
    >>> df.fillna({"a": 0}, limit=1)
          a    b
    0     1    x
    1     0  NaN
    2  <NA>    z
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
    """Return the rows or columns without missing elements.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 drops rows, 1 columns.
    how : ``'any'`` or ``'all'``, optional
        Drop those with any missing element, the default, or those with nothing else.
    thresh : int, optional
        Keep those with at least this many elements that are not missing. Refused together with ``how``.
    subset : label or list of labels, optional
        The columns that are looked at; with ``axis=1`` the rows.
    inplace : bool, default False
        Change this object and return None.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    DataFrame or None
        The rows and columns that are left, in their order; None with ``inplace=True``.

    Raises
    ------
    TypeError
        For ``how`` with ``thresh``.
    KeyError
        For a label of ``subset`` that is not there.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1.0, None, None], "b": [4.0, 5.0, None]})
    >>> df.dropna()
         a    b
    0  1.0  4.0
    >>> df.dropna(how="all", ignore_index=True)
         a    b
    0  1.0  4.0
    1  NaN  5.0
    >>> df.dropna(subset="b").index.to_list()
    [0, 1]
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
            count = handle.num_columns() if subset is None else len(wanted)
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
    """Return missing elements replaced by other ones.

    Parameters
    ----------
    value : scalar, Series or dict
        What stands for missing elements: one for all, or those under the same labels.
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.
    inplace : bool, default False
        Change this object and return None.
    limit : int, optional
        How many missing elements are replaced, from the first on; all by default.

    Returns
    -------
    Series or None
        The same labels; None with ``inplace=True``.

    Raises
    ------
    ValueError
        Without ``value``.
    TypeError
        For a list.

    Notes
    -----
    Where the dtype does not hold the value, it becomes a wider one, or that of objects.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, None, None])
    >>> s.fillna(0).to_list()
    [1, 0, 0]
    >>> s.fillna({2: 9}).to_list()
    [1, nan, 9]
    >>> s.fillna(0.5, limit=1).to_list()
    [1.0, 0.5, nan]
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
    """Return the elements that are not missing.

    Parameters
    ----------
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    inplace : bool, default False
        Change this object and return None.
    how : ``'any'`` or ``'all'``, optional
        Has no effect on a Series.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    Series or None
        The elements in their order; None with ``inplace=True``.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, None, 3])
    >>> s.dropna()
    0    1
    2    3
    dtype: int64
    >>> s.dropna(ignore_index=True).index.to_list()
    [0, 1]
    """
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
