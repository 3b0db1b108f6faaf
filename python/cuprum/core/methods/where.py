"""Elements where a condition holds: where, mask, case_when."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    is_scalar,
)
from cuprum.core.chained_assignment import MIXING, warn_if_chained
from cuprum.core.construction import column_from
from cuprum.core.dtypes import CategoricalDtype
from cuprum.core.frame_construction import frame_handle
from cuprum.core.methods.elementwise import _or_none
from cuprum.core.missing import refuse_time_of_other_kind
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper
from cuprum.core.operands import along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        AnyObject,
        AnySeries,
        Axis,
        FrameOrSeries,
        Label,
    )


@overload
def mask(
    self: FrameOrSeries,
    cond: Any,
    other: Any = ...,
    *,
    inplace: Literal[True],
    axis: Axis | None = ...,
    level: Label = ...,
) -> None: ...
@overload
def mask(
    self: AnyObject,
    cond: Any,
    other: Any = ...,
    *,
    inplace: bool = ...,
    axis: Axis | None = ...,
    level: Label = ...,
) -> AnyObject: ...
@objects_where_mixed
def mask(
    self: FrameOrSeries,
    cond: Any,
    other: Any = None,
    *,
    inplace: bool = False,
    axis: Any = None,
    level: Any = None,
) -> Any:
    """Return the elements with those replaced where a condition is true.

    Parameters
    ----------
    cond : DataFrame, Series, array or callable
        Truth values, matched by label; a callable is given this object.
    other : scalar, Series, DataFrame, array or callable, optional
        What stands where the condition is true; a missing element by default.
    inplace : bool, default False
        Change this object and return None.
    axis : 0 or 'index', 1 or 'columns', optional
        Whether a Series as ``other`` of a frame has an element for each row or each column.
    level : int or level name, optional
        The level of a MultiIndex by which ``other`` is matched.

    Returns
    -------
    DataFrame, Series or None
        The same labels; None with ``inplace=True``.

    See Also
    --------
    Series.where : Replace elements where a condition is false.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 5, 9])
    >>> s.mask(s > 4, 0).to_list()
    [1, 0, 0]
    >>> s.mask(s > 4)
    0       1
    1    <NA>
    2    <NA>
    dtype: int64
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].mask(…)')
    return self._chosen(cond, other, inplace, axis, level, True)


def chosen(
    self: FrameOrSeries, cond: Any, other: Any, inplace: Any, axis: Any, level: Any, negated: bool
) -> Any:
    """Return elements where ``cond`` is true, or with ``negated`` false, and ``other`` elsewhere."""
    number = None if axis is None else axis_number(axis, self)
    if callable(cond):
        cond = cond(self)
    if callable(other):
        other = other(self)
    cond, other = objects.ours(cond), objects.ours(other)
    if inplace:
        handle: Any = self._handle
        refuse_time_of_other_kind(other, handle.dtypes() if self.ndim == 2 else [handle.dtype()])
    if level is not None and isinstance(other, Wrapper) and (other.ndim == self.ndim or number is not None):
        other = self.align(other, join="left", axis=number, level=level)[1]
    condition = cond._handle if isinstance(cond, Wrapper) else self._as_condition(cond)
    values = self._beside(other, number)
    return self._changed(
        lambda handle: handle.where(condition, values, bool(inplace), number == 1, negated), inplace
    )


def frame_as_condition(self: DataFrame, cond: Any) -> Any:
    """Return a condition as a handle: a frame, or an array of the same shape."""
    flat = isinstance(cond, (list, tuple)) and not any(is_list_like(row) for row in cond)
    if is_scalar(cond) or (len(cond) and flat):
        raise ValueError(f"Array conditional must be same shape as self: `cond` is {cond!r}")
    given = frame_handle(cond, self.index, self.columns, None)
    return given if len(given) else given.astype("bool")


def frame_beside(self: DataFrame, other: Any, axis: int | None) -> Any:
    """Return the values where a condition does not hold, as an operand of the handle."""
    if isinstance(other, objects.DataFrame):
        return other._handle
    if isinstance(other, objects.Series):
        if axis is None:
            raise ValueError(
                "Must specify axis=0 or 1: whether `other` has an element for every row or column"
            )
        return along(other, axis)
    if getattr(other, "ndim", 1) == 2:
        return frame_handle(other, self.index, self.columns, None)
    return column_from(other) if is_list_like(other) else _or_none(other)


@overload
def frame_where(
    self: DataFrame,
    cond: Any,
    other: Any = ...,
    *,
    inplace: Literal[True],
    axis: Axis | None = ...,
    level: Label = ...,
) -> None: ...
@overload
def frame_where(
    self: AnyFrame,
    cond: Any,
    other: Any = ...,
    *,
    inplace: bool = ...,
    axis: Axis | None = ...,
    level: Label = ...,
) -> AnyFrame: ...
@objects_where_mixed
def frame_where(
    self: DataFrame,
    cond: Any,
    other: Any = None,
    *,
    inplace: bool = False,
    axis: Any = None,
    level: Any = None,
) -> Any:
    """Return the elements with those replaced where a condition is false.

    Parameters
    ----------
    cond : DataFrame, Series, array or callable
        Truth values, matched by label; a Series is for all columns. A callable is given this frame.
    other : scalar, DataFrame, Series, array or callable, optional
        What stands where the condition is false; a missing element by default.
    inplace : bool, default False
        Change this object and return None.
    axis : 0 or 'index', 1 or 'columns', optional
        Whether a Series or a list as ``other`` has an element for each row or each column.
    level : int or level name, optional
        The level of a MultiIndex by which ``other`` is matched.

    Returns
    -------
    DataFrame or None
        The same labels; None with ``inplace=True``.

    Raises
    ------
    ValueError
        For an array of another shape, and for a Series as ``other`` without ``axis``.

    Notes
    -----
    An element that ``cond`` says nothing of, or for which the truth is missing, is kept with ``inplace`` and
    replaced without it.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1.0, None], "b": [None, 4.0]})
    >>> df.where(df > 2)
        a    b
    0 NaN  NaN
    1 NaN  4.0
    >>> df.where(df.notna(), df.mean(), axis=1)
         a    b
    0  1.0  4.0
    1  1.0  4.0
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].where(…)')
    return self._chosen(cond, other, inplace, axis, level, False)


def case_when(self: Series, caselist: Sequence[tuple[Any, Any]]) -> Series:
    """Return the values of the first case that holds for each element, and the element where none does.

    Parameters
    ----------
    caselist : list of tuples
        Pairs of a condition and what stands where it holds: a scalar, a Series or an array. Both may be
        functions of the Series.

    Returns
    -------
    Series
        The same labels.

    Raises
    ------
    TypeError
        For an argument that is no list of tuples.
    ValueError
        For an empty list, and for tuples that are no pairs.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 5, 9, None])
    >>> s.case_when([(s > 8, 0), (s > 4, -1)]).to_list()
    [1, -1, 0, nan]
    >>> s.case_when([(lambda s: s.isna(), 0)]).to_list()
    [1, 5, 9, 0]
    """
    if not isinstance(caselist, list):
        raise TypeError(f"The caselist argument should be a list; instead got {type(caselist)}")
    if not caselist:
        raise ValueError("provide at least one boolean condition, with a corresponding replacement.")
    for number, case in enumerate(caselist):
        if not isinstance(case, tuple):
            raise TypeError(f"Argument {number} must be a tuple; instead got {type(case)}.")
        if len(case) != 2:
            raise ValueError(
                f"Argument {number} must have length 2; a condition and replacement; instead got length {len(case)}."
            )
    result: Any = self
    if isinstance(result.dtype, CategoricalDtype):  # of which replacements need be none
        result = result.astype(result.dtype.categories.dtype)
    cases = [[part(self) if callable(part) else part for part in case] for case in caselist]
    for _, replacement in cases:
        result = _beside_number(result, replacement)
    for condition, replacement in reversed(cases):
        result = result.mask(condition, replacement)
    return result


def series_as_condition(self: Series, cond: Any) -> Any:
    """Return a condition as a column of as many rows."""
    if is_scalar(cond):
        raise ValueError(f"Array conditional must be same shape as self: `cond` is {cond!r}")
    column = column_from(cond)
    if len(column) != len(self):
        raise ValueError(
            f"Array conditional must be same shape as self: `cond` has {len(column)} elements for {len(self)}"
        )
    return column


def series_beside(self: Series, other: Any, axis: int | None) -> Any:
    """Return the values where a condition does not hold, as an operand of the handle; they are along the only axis."""
    if isinstance(other, Wrapper):
        return other._handle
    if not is_list_like(other):
        return _or_none(other)
    values = column_from(other)
    if len(values) == 1 != len(self):  # one for all, as of NumPy
        return _cuprum.Series(values).take(column_from([0] * len(self))).column()
    return values


@overload
def series_where(
    self: Series,
    cond: Any,
    other: Any = ...,
    *,
    inplace: Literal[True],
    axis: Axis | None = ...,
    level: Label = ...,
) -> None: ...
@overload
def series_where(
    self: AnySeries,
    cond: Any,
    other: Any = ...,
    *,
    inplace: bool = ...,
    axis: Axis | None = ...,
    level: Label = ...,
) -> AnySeries: ...
@objects_where_mixed
def series_where(
    self: Series, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
) -> Any:
    """Return the elements with those replaced where a condition is false.

    Parameters
    ----------
    cond : Series, array or callable
        Truth values, matched by label; a callable is given this Series.
    other : scalar, Series, array or callable, optional
        What stands where the condition is false; a missing element by default.
    inplace : bool, default False
        Change this object and return None.
    axis : 0 or 'index', optional
        The only axis of a Series. 1 raises ``ValueError``.
    level : int or level name, optional
        The level of a MultiIndex by which ``other`` is matched.

    Returns
    -------
    Series or None
        The same labels; None with ``inplace=True``.

    Raises
    ------
    ValueError
        For an array of another length.

    Notes
    -----
    An element whose label ``cond`` has not, or for which the truth is missing, is kept with ``inplace`` and
    replaced without it.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 5, 9])
    >>> s.where(s > 4)
    0    <NA>
    1       5
    2       9
    dtype: int64
    >>> s.where(s > 4, -s).to_list()
    [-1, 5, 9]
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].where(…)')
    return self._chosen(cond, other, inplace, axis, level, False)


def _beside_number(series: Any, value: Any) -> Any:
    """Return numbers in the type that they have beside a number, which has the type that it has alone."""
    import numpy as np

    if series.dtype.kind not in "iuf" or not is_scalar(value) or np.asarray(value).dtype.kind not in "iuf":
        return series
    common = np.result_type(np.dtype(series.dtype), np.asarray(value).dtype)
    return series if common == series.dtype else series.astype(str(common))
