"""Functions of each element: abs, clip, round, isin, between, scale."""

from __future__ import annotations

import operator
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, _elementwise
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    integer_of,
    is_list_like,
    numpy_keywords,
    plain_label,
)
from cuprum.core.binary_comparison import found_bytes, is_bytes
from cuprum.core.chained_assignment import MIXING, warn_if_chained
from cuprum.core.construction import cast_column, column_from
from cuprum.core.frame_construction import frame_handle
from cuprum.core.interop import is_pandas
from cuprum.core.label_positions import with_changed
from cuprum.core.missing import is_missing
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.operands import along, row_of
from cuprum.core.tools.datetime_coercion import is_date

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyObject,
        Axis,
        Closed,
        FrameOrSeries,
        RoundingHow,
    )


def round_(self: FrameOrSeries, ndigits: int = 0) -> Any:
    """The result of Python's ``round``."""
    return self.round(ndigits)


def abs_(self: AnyObject) -> AnyObject:
    """Return the absolute values of the elements.

    Returns
    -------
    DataFrame or Series
        The same labels; missing elements stay missing.

    Raises
    ------
    TypeError
        For texts, times and other elements without a sign.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([-1.5, 2.0, None]).abs()
    0    1.5
    1    2.0
    2    NaN
    dtype: float64
    >>> cuprum.DataFrame({"a": [-1, 2]}).abs()["a"].to_list()
    [1, 2]
    """
    return self._wrap(self._handle.unary("abs"))


@overload
def clip(
    self: FrameOrSeries,
    lower: Any = ...,
    upper: Any = ...,
    *,
    axis: Axis | None = ...,
    inplace: Literal[True],
) -> None: ...
@overload
def clip(
    self: AnyObject, lower: Any = ..., upper: Any = ..., *, axis: Axis | None = ..., inplace: bool = ...
) -> AnyObject: ...
@objects_where_mixed
def clip(
    self: FrameOrSeries,
    lower: Any = None,
    upper: Any = None,
    *,
    axis: Any = None,
    inplace: bool = False,
    **kwargs: Any,
) -> Any:
    """Return the elements limited to the range from a lower to an upper bound.

    Parameters
    ----------
    lower : scalar, Series, DataFrame or list-like, optional
        The lower bound. A Series is matched by label; a list has one bound for each element of a Series, for
        each column of a frame, or with ``axis=0`` for each of its rows. A missing bound does not limit.
    upper : scalar, Series, DataFrame or list-like, optional
        The upper bound, given in the same ways.
    axis : 0 or 'index', 1 or 'columns', optional
        Whether a Series as a bound of a frame is matched with its rows or its columns.
    inplace : bool, default False
        Change this object and return None.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    DataFrame or Series
        The same labels; missing elements stay missing. None with ``inplace=True``.

    Raises
    ------
    ValueError
        For a Series as a bound of a frame without ``axis``, and for a list of another length.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 5, 9])
    >>> s.clip(2, 8).to_list()
    [2, 5, 8]
    >>> s.clip([2, 2, 2], [8, 4, 8]).to_list()
    [2, 4, 8]
    >>> cuprum.DataFrame({"a": [1, 5], "b": [7, 3]}).clip(upper=cuprum.Series([4, 6]), axis=0)
       a  b
    0  1  4
    1  5  3
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].clip(…)')
    numpy_keywords("clip", kwargs)
    number = None if axis is None else axis_number(axis, self)
    if not is_list_like(lower) and not is_list_like(upper):
        low, high = _or_none(lower), _or_none(upper)
        return self._map(lambda s: _limited(s, low, high), inplace)
    made: Any = self
    for name, bound in (("lower", lower), ("upper", upper)):
        if is_list_like(bound):
            values, along_columns = made._limits(name, bound, number)
            ends = (values, None) if name == "lower" else (None, values)
            made = made._wrap(made._handle.clip_with(*ends, along_columns))
        elif bound is not None:
            made = made.clip(**{name: bound})
    return self._changed(lambda _: made._handle, inplace)


def frame_limits(self: DataFrame, name: str, bound: Any, axis: int | None) -> tuple[Any, bool]:
    """Return limits as an operand of the handle, and whether they are along the columns."""
    if getattr(bound, "ndim", 1) == 2:
        if isinstance(bound, objects.DataFrame) or is_pandas(bound, "DataFrame"):
            return objects.DataFrame(bound)._handle, False
        return frame_handle(bound, self.index, self.columns, None), False
    if isinstance(bound, objects.Series) or is_pandas(bound, "Series"):
        if axis is None:
            raise ValueError("Must specify axis=0 or 1")
        return along(objects.Series(bound), axis), axis == 1
    if axis == 0:
        return _column_of_limits(name, bound), False
    values = list(bound)
    if len(values) != self.shape[1]:
        raise ValueError(f"`{name}` has {len(values)} elements for {self.shape[1]} columns")
    return row_of(self._handle.labels(), values), True


def frame_round(
    self: DataFrame,
    decimals: int | Mapping[Any, int] | Series = 0,
    *,
    how: RoundingHow = "half_even",
    **kwargs: Any,
) -> DataFrame:
    """Return the numbers rounded to some decimal places.

    Parameters
    ----------
    decimals : int, dict or Series, default 0
        How many places; negative numbers round tens. A dict or a Series gives them by column label; columns
        that it lacks stay as they are.
    how : ``'half_even'`` or ``'half_up'``, default ``'half_even'``
        Where a number in the middle goes: to the even neighbour, or away from 0.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    DataFrame
        The same labels and dtypes; columns of other elements stay as they are.

    Raises
    ------
    TypeError
        For places in a dict or Series that are no integers.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [0.125, 2.5], "b": [1.26, None]})
    >>> df.round(1)
         a    b
    0  0.1  1.3
    1  2.5  NaN
    >>> df.round({"a": 2})
          a     b
    0  0.12  1.26
    1  2.50   NaN
    """
    numpy_keywords("round", kwargs)
    _check_rounding(how)
    if not isinstance(decimals, (Mapping, objects.Series)):
        decimals = integer_of("decimals", decimals, truths=True)
        if how == "half_even":
            return wrap_frame(self._handle.round(decimals))
        return self._map(lambda handle: _rounded(handle, decimals, how))
    if isinstance(decimals, objects.Series) and not decimals.index.is_unique:
        raise ValueError("Index of decimals must be unique")
    places = dict(decimals.items())
    if not all(hasattr(n, "__index__") for n in places.values()):
        raise TypeError("Values in decimals must be integers")
    handle = self._handle
    for label, n in places.items():
        handle = with_changed(handle, plain_label(label), partial(_rounded, decimals=int(n), how=how))
    return self._around(handle)


def frame_isin(self: DataFrame, values: Iterable[Any]) -> DataFrame:
    """Return where elements are among some values.

    Parameters
    ----------
    values : list-like, dict, Series or DataFrame
        The values for all columns; a dict has those of each column. With a Series or a DataFrame an element
        is compared only with what has its label (labels).

    Returns
    -------
    DataFrame
        Truth values under the same labels. A missing element is found in a list with a missing value, and
        never in a Series or a DataFrame.

    Raises
    ------
    ValueError
        For a Series or DataFrame with labels that repeat.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": ["x", None]})
    >>> df.isin([2, "x"])
           a      b
    0  False   True
    1   True  False
    >>> df.isin({"b": [None]})
           a      b
    0  False  False
    1  False   True
    """
    values = objects.ours(values)
    if isinstance(values, objects.DataFrame):
        if not (values.columns.is_unique and values.index.is_unique):
            raise ValueError("cannot compute isin with a duplicate axis.")
        return _equal_under_labels(self, lambda label: values[label] if label in values.columns else None)
    if isinstance(values, objects.Series):
        if not values.index.is_unique:
            raise ValueError("cannot compute isin with a duplicate axis.")
        return _equal_under_labels(self, lambda label: values)
    if isinstance(values, Mapping):
        return self._map(lambda s: wrap_series(s).isin(values.get(s.name(), []))._handle)
    return self._map(lambda s: wrap_series(s).isin(values)._handle)


def _equal_under_labels(self: DataFrame, given: Any) -> DataFrame:
    """Return where elements equal those under their labels in the series that ``given`` has for a column."""

    def equal(handle: Any) -> Any:
        column, other = wrap_series(handle), given(handle.name())
        if other is not None:
            try:
                other = other.reindex(self.index)
                return ((column == other) & other.notna())._handle
            except TypeError:  # no element equals one of another kind
                pass
        return _cuprum.Series(Column.filled(False, len(self)), handle.name(), handle.index())

    return self._map(equal)


def series_limits(self: Series, name: str, bound: Any, axis: int | None) -> tuple[Any, bool]:
    """Return limits as an operand of the handle, and that they are along the rows, the only axis."""
    if isinstance(bound, objects.Series) or is_pandas(bound, "Series"):
        return objects.Series(bound)._handle, False
    return _column_of_limits(name, bound), False


def _column_of_limits(name: str, bound: Any) -> Column:
    try:
        return column_from(bound)
    except TypeError as error:
        raise TypeError(f"`{name}`: {error}") from None


def series_round(self: Series, decimals: int = 0, *, how: RoundingHow = "half_even", **kwargs: Any) -> Series:
    """Return the numbers rounded to some decimal places.

    Parameters
    ----------
    decimals : int, default 0
        How many places; negative numbers round tens.
    how : ``'half_even'`` or ``'half_up'``, default ``'half_even'``
        Where a number in the middle goes: to the even neighbour, or away from 0.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    Series
        The same labels and dtype; missing elements stay missing.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([0.5, 1.5, 2.5, None])
    >>> s.round().to_list()
    [0.0, 2.0, 2.0, nan]
    >>> s.round(how="half_up").to_list()
    [1.0, 2.0, 3.0, nan]
    >>> cuprum.Series([1234]).round(-2).to_list()
    [1200]
    """
    numpy_keywords("round", kwargs)
    _check_rounding(how)
    return wrap_series(_rounded(self._handle, integer_of("decimals", decimals, truths=True), how))


def series_isin(self: Series, values: Iterable[Any]) -> Series:
    """Return where elements are among some values.

    Parameters
    ----------
    values : list-like
        The values; a text raises ``TypeError``.

    Returns
    -------
    Series
        Truth values under the same labels. A missing element is found where ``values`` have a missing one.

    Notes
    -----
    Numbers are missing as NaN: None in a list of numbers is passed over. Values of another kind are found
    nowhere.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series(["x", "y", None])
    >>> s.isin(["x", "z"]).to_list()
    [True, False, False]
    >>> s.isin(["x", None]).to_list()
    [True, False, True]
    """
    if not is_list_like(values):
        raise TypeError(
            "only list-like objects are allowed to be passed to isin(), you passed a "
            f"`{type(values).__name__}`"
        )
    values = list(values) if isinstance(values, (Mapping, set, frozenset)) else values
    if is_bytes(self.dtype):
        there = found_bytes(self, values)
        return wrap_series(_cuprum.Series(there, self.name, self._handle.index()))
    nested = self.dtype.element_type is not None or self.dtype.fields is not None
    if nested and self.dtype.subtype is None:
        raise NotImplementedError(f"isin does not support elements of type {self.dtype}")
    if isinstance(values, (list, tuple)) and self.dtype.kind in "iuf":
        values = [value for value in values if value is not None]  # a missing number is NaN
    elif isinstance(values, (list, tuple)) and self.dtype.kind == "M":
        values = [value for value in values if not is_date(value)]
    try:
        column = column_from(values)
    except TypeError:
        # Elements of unlike types: those of each kind by themselves.
        values = list(values)
        kinds = {type(value) for value in values}
        if len(kinds) < 2:
            raise
        found = [self.isin([value for value in values if type(value) is kind]) for kind in kinds]
        result = found[0]
        for other in found[1:]:
            result = result | other
        return result
    try:
        return wrap_series(self._handle.isin(column))
    except (TypeError, ValueError):  # of other types, or texts that are no times
        never = Column.filled(False, len(self))
        return wrap_series(_cuprum.Series(never, self.name, self._handle.index()))


def between(self: Series, left: Any, right: Any, inclusive: Closed = "both") -> Series:
    """Return where elements lie between two bounds.

    Parameters
    ----------
    left : scalar or list-like
        The lower bound, or one for each element.
    right : scalar or list-like
        The upper bound, or one for each element.
    inclusive : ``'both'``, ``'left'``, ``'right'`` or ``'neither'``, default ``'both'``
        Which bounds belong to the range.

    Returns
    -------
    Series
        Truth values under the same labels; False for missing elements.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3, None])
    >>> s.between(1, 2).to_list()
    [True, True, False, False]
    >>> s.between(1, 2, inclusive="left").to_list()
    [True, False, False, False]
    """
    if inclusive not in ("both", "left", "right", "neither"):
        raise ValueError("Inclusive has to be either string of 'both','left', 'right', or 'neither'.")
    lower = self >= left if inclusive in ("both", "left") else self > left
    upper = self <= right if inclusive in ("both", "right") else self < right
    return lower & upper


def _limited(handle: Any, low: Any, high: Any) -> Any:
    """Return elements between two ends; truth values beyond an end are it, and with it objects."""
    if handle.dtype().kind != "b" or all(end is None or isinstance(end, bool) for end in (low, high)):
        return handle.clip(low, high)
    series = wrap_series(handle)
    for end, is_beyond in ((low, operator.lt), (high, operator.gt)):
        if end is not None and (beyond := is_beyond(series, end)).any():
            series = series.astype(object).mask(beyond, end)
    return series._handle


def _or_none(value: Any) -> Any:
    return None if is_missing(value) else value


def _check_rounding(how: Any) -> None:
    if how not in ("half_even", "half_up"):
        raise ValueError(f"`how` is {how!r}; known are 'half_even' and 'half_up'")


def _rounded(handle: Any, decimals: Any, how: str) -> Any:
    """Return a handle of a series rounded to places."""
    dtype = handle.dtype()
    if how == "half_even" or not (dtype.kind in "iuf" or dtype.precision is not None):
        return handle.round(decimals)
    column = _elementwise.round(handle.column(), operator.index(decimals), _HALF_UP, None, None)
    return _cuprum.Series(cast_column(column, dtype), handle.name(), handle.index())


# Of `pylibcuprum.round.RoundingMethod`.
_HALF_UP = 0


def scale(self: AnyObject) -> AnyObject:
    """Return the elements of each column scaled to the range from 0 to 1.

    Returns
    -------
    DataFrame or Series
        Floats under the same labels: 0 for the smallest element of a column, 1 for the largest. Missing where
        all elements are the same.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([2, 4, 3]).scale().to_list()
    [0.0, 1.0, 0.5]
    >>> cuprum.Series([2.0, None, 4.0]).scale().to_list()
    [0.0, nan, 1.0]
    """
    low, high = self.min(), self.max()
    return (self - low) / (high - low)
