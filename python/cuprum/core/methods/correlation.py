"""Correlation and covariance: corr, cov, corrwith, autocorr."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
)
from cuprum.core.correlation import correlation_of_series, correlations, is_named, refuse_texts
from cuprum.core.frame_construction import frame_of
from cuprum.core.interop import is_pandas
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import ours, wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        Axis,
        CorrelationMethod,
    )


def corrwith(
    self: DataFrame,
    other: DataFrame | Series | Any,
    axis: Axis = 0,
    drop: bool = False,
    method: CorrelationMethod = "pearson",
    numeric_only: bool = False,
    min_periods: int | None = None,
) -> Series:
    """Return the correlation of every column with a Series, or with the same column of another frame.

    Parameters
    ----------
    other : Series or DataFrame
        What the columns are compared with; rows are matched by label.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 correlates columns, 1 rows.
    drop : bool, default False
        Leave out the columns that only one of two frames has; else they are missing, behind the others.
    method : str or callable, default ``'pearson'``
        ``'pearson'``, ``'spearman'``, ``'kendall'`` or a function of two arrays, as in `Series.corr`.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only.
    min_periods : int, optional
        Of fewer pairs with a Series the result is NaN. No effect for a frame.

    Returns
    -------
    Series
        Correlations, labelled by the columns (rows, with ``axis=1``). Pairs with a missing element are
        skipped.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b": [3.0, 1.0, 2.0]})
    >>> df.corrwith(cuprum.Series([2, 4, 6]))
    a    1.0
    b   -0.5
    dtype: float64
    >>> df.corrwith(cuprum.DataFrame({"b": [1, 2, 3], "c": [1, 2, 3]}))
    b   -0.5
    a    NaN
    c    NaN
    dtype: float64
    """
    this: Any = wrap_frame(self._handle.numbers()) if numeric_only else self
    of_rows = axis_number(axis) == 1
    is_series = isinstance(other, objects.Series) or is_pandas(other, "Series")
    given: Any = objects.Series(other) if is_series else frame_of(other, "other")
    if numeric_only and not is_series:
        given = wrap_frame(given._handle.numbers())
    least = max(min_periods or 1, 0) if is_series else 1
    if is_named(method):
        if of_rows:
            refuse_texts(this._handle)
        else:
            this, given = _counts_of_times(this), _counts_of_times(given)
        return wrap_series(this._handle.corrwith(given._handle, of_rows, bool(drop), method, least))
    return _corrwith_called(this, given, of_rows, drop, method, least)


def _corrwith_called(this: Any, other: Any, of_rows: bool, drop: bool, method: Any, least: int) -> Any:
    """Return `corrwith` of a function of two arrays."""
    if isinstance(other, objects.Series):
        columns = this.T if of_rows else this
        found = [other.corr(column, method, least) for _, column in columns.items()]
        return objects.Series(found, index=columns.columns, dtype="float64")
    left, right = this.align(other, join="inner")
    if of_rows:
        left, right = left.T, right.T
    pairs = zip(left.items(), right.items(), strict=True)
    found = [column.corr(paired, method) for (_, column), (_, paired) in pairs]
    result = objects.Series(found, index=left.columns, dtype="float64")
    if drop:
        return result
    every = this.index.union(other.index) if of_rows else this.columns.union(other.columns)
    rest = every.difference(result.index)
    return result if not len(rest) else result.reindex([*result.index.to_list(), *rest.to_list()])


def frame_corr(
    self: DataFrame, method: CorrelationMethod = "pearson", min_periods: int = 1, numeric_only: bool = False
) -> DataFrame:
    """Return the correlation of every pair of columns.

    Parameters
    ----------
    method : str or callable, default ``'pearson'``
        ``'pearson'``, ``'spearman'``, ``'kendall'`` or a function of two arrays, as in `Series.corr`.
    min_periods : int, default 1
        A correlation of fewer pairs of elements is NaN.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only; else texts raise.

    Returns
    -------
    DataFrame
        Correlations, with the column labels in both directions. Pairs with a missing element are skipped.

    See Also
    --------
    DataFrame.corrwith : The correlation with a Series, or column by column with a frame.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2, 3, 4], "b": [2.0, 1.0, None, 5.0]})
    >>> df.corr().round(3)
           a      b
    a  1.000  0.839
    b  0.839  1.000
    >>> df.corr("spearman").round(3)
         a    b
    a  1.0  0.5
    b  0.5  1.0
    """
    handle = self._handle.numbers() if numeric_only else self._handle
    refuse_texts(handle)
    if not is_named(method):
        return correlations(wrap_frame(handle), method, min_periods or 1)
    return wrap_frame(handle.corr(method, max(min_periods, 0)))


def frame_cov(
    self: DataFrame, min_periods: int | None = None, ddof: int | None = 1, numeric_only: bool = False
) -> DataFrame:
    """Return the covariance of every pair of columns.

    Parameters
    ----------
    min_periods : int, optional
        A covariance of fewer pairs of elements is NaN.
    ddof : int, default 1
        The divisor is the number of pairs minus ``ddof``.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only; else texts raise.

    Returns
    -------
    DataFrame
        Covariances, with the column labels in both directions. Pairs with a missing element are skipped.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2, 3], "b": [2.0, 4.0, None]}).cov()
         a    b
    a  1.0  1.0
    b  1.0  2.0
    """
    handle = self._handle.numbers() if numeric_only else self._handle
    refuse_texts(handle)
    return wrap_frame(handle.cov(1 if ddof is None else ddof, max(min_periods or 1, 0)))


@objects_where_mixed
def series_cov(self: Series, other: Series, min_periods: int | None = None, ddof: int | None = 1) -> float:
    """Return the covariance with another Series.

    Parameters
    ----------
    other : Series
        The other elements; rows are matched by label.
    min_periods : int, optional
        Of fewer pairs of elements the result is NaN.
    ddof : int, default 1
        The divisor is the number of pairs minus ``ddof``.

    Returns
    -------
    float
        The covariance; pairs with a missing element are skipped.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.0, 2.0, 4.0])
    >>> s.cov(cuprum.Series([2.0, 4.0, None]))
    np.float64(1.0)
    >>> s.cov(cuprum.Series([2.0, 4.0, None]), min_periods=3)
    np.float64(nan)
    """
    degrees = 1 if ddof is None else ddof
    this, other = _counts_of_times(self), _counts_of_times(_other_series("cov", other))
    return _numpy_float(this._handle.cov(other._handle, degrees, max(min_periods or 1, 0)))


@objects_where_mixed
def series_corr(
    self: Series, other: Series, method: CorrelationMethod = "pearson", min_periods: int | None = None
) -> float:
    """Return the correlation with another Series.

    Parameters
    ----------
    other : Series
        The other elements; rows are matched by label.
    method : str or callable, default ``'pearson'``
        ``'pearson'``; ``'spearman'``, the correlation of ranks; ``'kendall'``, how many pairs are in the same
        order (tau-b); or a function of two arrays that returns a number.
    min_periods : int, optional
        Of fewer pairs of elements the result is NaN.

    Returns
    -------
    float
        The correlation; pairs with a missing element are skipped.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3, 4])
    >>> round(s.corr(cuprum.Series([1, 3, 2, 4])), 3)
    np.float64(0.8)
    >>> round(s.corr(cuprum.Series([1, 3, 2, 4]), method="kendall"), 3)
    np.float64(0.667)
    """
    this, other = _counts_of_times(self), _counts_of_times(_other_series("corr", other))
    if not is_named(method):
        return _numpy_float(correlation_of_series(this, other, method, min_periods or 1))
    return _numpy_float(this._handle.corr(other._handle, method, max(min_periods or 1, 0)))


def autocorr(self: Series, lag: int = 1) -> float:
    """Return the correlation of the elements with those some rows before them.

    Parameters
    ----------
    lag : int, default 1
        How many rows before.

    Returns
    -------
    float
        The correlation; pairs with a missing element are skipped.

    Examples
    --------
    >>> import cuprum
    >>> round(cuprum.Series([1.0, 2.0, 1.0, 4.0]).autocorr(), 3)
    np.float64(-0.756)
    """
    return self.corr(self.shift(lag))


def _numpy_float(value: float) -> Any:
    import numpy as np

    return np.float64(value)


def _counts_of_times(obj: Any) -> Any:
    """Return times and durations as integers in their unit, and other elements as they are."""
    if obj.ndim == 1:
        return obj.astype("int64") if obj.dtype.kind in "mM" else obj
    handle = obj._handle
    times = [
        label for label, dtype in zip(handle.labels(), handle.dtypes(), strict=True) if dtype.kind in "mM"
    ]
    return obj.astype(dict.fromkeys(times, "int64")) if times else obj


def _other_series(function: str, other: Any) -> Any:
    """Return a series of ours; ``TypeError`` for what is none."""
    series = ours(other)
    if not isinstance(series, objects.Series):
        raise TypeError(f"Series.{function} takes a Series as `other`, not {other!r}")
    return series
