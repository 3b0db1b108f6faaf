"""Statistics: quantile, describe, mode, value_counts, skew, kurt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    check_truth,
    is_list_like,
    label_list,
    numpy_keywords,
    only_default,
    only_texts,
    only_truth,
    truth_of,
)
from cuprum.core.axis1 import (
    mode_of_rows,
    quantile_of_rows,
)
from cuprum.core.cut import bins_of
from cuprum.core.missing import missing_element
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.type_selection import check_types

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        Axis,
        FrameOrSeries,
        Interpolation,
        LabelOrLabels,
        ListLike,
    )


@overload
def skew(self: DataFrame, *, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
@overload
def skew(
    self: FrameOrSeries, *, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...
) -> float: ...
def skew(
    self: FrameOrSeries, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
) -> Any:
    """Return the skewness of the elements, corrected for bias.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.
        NaN for fewer than three elements.

    Examples
    --------
    >>> import cuprum
    >>> round(cuprum.Series([1, 2, 6]).skew(), 3)
    np.float64(1.458)
    >>> cuprum.DataFrame({"a": [1, 2, 6], "b": [1, None, 2]}).skew().round(3)
    a    1.458
    b      NaN
    dtype: float64
    """
    numpy_keywords("skew", kwargs)
    return self._shape_of("skew", axis, skipna, numeric_only)


@overload
def kurt(self: DataFrame, *, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
@overload
def kurt(
    self: FrameOrSeries, *, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...
) -> float: ...
def kurt(
    self: FrameOrSeries, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
) -> Any:
    """Return the excess kurtosis of the elements, corrected for bias: 0 for a normal distribution.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.
        NaN for fewer than four elements.

    Examples
    --------
    >>> import cuprum
    >>> round(cuprum.Series([1, 2, 3, 10]).kurt(), 3)
    np.float64(3.228)
    >>> cuprum.DataFrame({"a": [1, 2, 3, 10], "b": [1, 2, None, 4]}).kurt().round(3)
    a    3.228
    b      NaN
    dtype: float64
    """
    numpy_keywords("kurt", kwargs)
    return self._shape_of("kurt", axis, skipna, numeric_only)


def series_shape_of(self: Series, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
    """Return the skewness or kurtosis of the elements."""
    import numpy as np

    if axis is not None:
        axis_number(axis, "Series")
    handle: Any = self._handle
    dtype = self.dtype
    if numeric_only and dtype.kind not in "iufb":
        raise TypeError(f"Series.{name} does not allow numeric_only=True with the type {dtype}")
    found = np.float64(getattr(handle, name)(bool(skipna)))
    return np.float32(found) if str(dtype) == "float32" else found


def frame_shape_of(self: DataFrame, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
    """Return the skewness or kurtosis of each column or row; of everything for ``axis=None``."""
    handle = self._handle.numbers() if numeric_only else self._handle
    if axis is None:
        columns = (wrap_series(handle.column_at(i)) for i in range(handle.num_columns()))
        every = [column.astype("float64")._handle for column in columns]
        return wrap_series(_cuprum.concat_series(every, True))._shape_of(name, 0, skipna, False)
    if axis_number(axis) == 1:
        return wrap_frame(handle).T._shape_of(name, 0, skipna, False)
    return wrap_series(getattr(handle, name)(bool(skipna)))


def frame_value_counts(
    self: DataFrame,
    subset: LabelOrLabels = None,
    normalize: bool = False,
    sort: bool = True,
    ascending: bool = False,
    dropna: bool = True,
) -> Series:
    """Return how often each row occurs.

    Parameters
    ----------
    subset : label or list of labels, optional
        The columns that are compared; all by default.
    normalize : bool, default False
        Return shares of the total instead of counts.
    sort : bool, default True
        Sort by frequency; else rows are in order of first appearance.
    ascending : bool, default False
        Sort the least frequent first.
    dropna : bool, default True
        Leave rows with a missing element out.

    Returns
    -------
    Series
        The counts, named ``count`` (shares: ``proportion``), under a MultiIndex of the values.

    Notes
    -----
    Categories that no row has are counted as well, with 0.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 1, 2], "b": ["x", "x", None]})
    >>> df.value_counts()
    a  b
    1  x    2
    Name: count, dtype: int64
    >>> df.value_counts("a", normalize=True).round(2)
    a
    1    0.67
    2    0.33
    Name: proportion, dtype: float64
    """
    labels = self._handle.labels() if subset is None else label_list(subset)
    counts = self.groupby(labels, sort=False, dropna=dropna, observed=False).size().rename("count")
    if sort:
        counts = counts.sort_values(ascending=ascending)
    return (counts / counts.sum()).rename("proportion") if normalize else counts


def frame_mode(self: DataFrame, axis: Axis = 0, numeric_only: bool = False, dropna: bool = True) -> DataFrame:
    """Return the most frequent elements of every column.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 looks at columns, 1 at rows.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only.
    dropna : bool, default True
        Leave missing elements out. With False all of them together count as one value.

    Returns
    -------
    DataFrame
        Each column has its most frequent elements, ascending, and missing ones below them where other columns
        have more. With ``axis=1`` those of each row, in columns 0, 1, ….

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": ["x", "y", "x"], "b": [0.5, 2.0, 1.5]}).mode()
         a    b
    0    x  0.5
    1  NaN  1.5
    2  NaN  2.0
    """
    dropna = truth_of("dropna", dropna, integers=True)
    frame = wrap_frame(self._handle.numbers() if numeric_only else self._handle)
    if axis_number(axis) == 1 and len(frame):
        try:
            return mode_of_rows(frame, dropna)
        except TypeError:  # types that have no order among each other
            return objects.from_pandas(frame.to_pandas().mode(1, False, dropna))
    return wrap_frame(frame._handle.mode(dropna))


def series_value_counts(
    self: Series,
    normalize: bool = False,
    sort: bool | None = True,
    ascending: bool = False,
    bins: Any = None,
    dropna: bool = True,
) -> Series:
    """Return how often each element occurs.

    Parameters
    ----------
    normalize : bool, default False
        Return shares of the total instead of counts.
    sort : bool, default True
        Sort by frequency; else elements are in order of first appearance, intervals in their own order.
    ascending : bool, default False
        Sort the least frequent first.
    bins : int or list of edges, optional
        Count numbers and times in intervals: as many of equal width, or those between ascending edges.
    dropna : bool, default True
        Leave missing elements out. With False they are counted under one missing label.

    Returns
    -------
    Series
        The counts, named ``count`` (shares: ``proportion``), labelled by the elements. Equally frequent ones
        are in order of first appearance.

    Raises
    ------
    TypeError
        For ``bins`` where elements are neither numbers nor times.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["x", None, "y", "y"]).value_counts(dropna=False)
    y      2
    x      1
    NaN    1
    Name: count, dtype: int64
    >>> cuprum.Series([1, 2, 2, 7]).value_counts(bins=[0, 2, 8])
    (-0.001, 2.0]    3
    (2.0, 8.0]       1
    Name: count, dtype: int64
    """
    # pandas takes None, which Dask hands on, for False.
    sort = False if sort is None else truth_of("sort", sort, integers=True)
    normalize = truth_of("normalize", normalize, integers=True)
    ascending = truth_of("ascending", ascending, integers=True)
    dropna = truth_of("dropna", dropna, integers=True)
    if bins is not None:
        return _binned_counts(self, bins, normalize, sort, ascending, dropna)
    return wrap_series(self._handle.value_counts(normalize, sort, ascending, dropna))


def _binned_counts(
    self: Series, bins: Any, normalize: bool, sort: bool, ascending: bool, dropna: bool
) -> Series:
    """Return how many elements are in each interval."""
    import numpy as np

    if self.dtype.kind not in "iufmM":
        raise TypeError("bins argument only works with numeric data.")
    intervals, codes = bins_of(self, bins)
    counts = np.bincount(codes[codes >= 0], minlength=len(intervals))
    order = np.arange(len(intervals))
    if dropna and not counts.any():
        order = order[:0]
    if sort:
        order = order[np.argsort(counts[order] if ascending else -counts[order], kind="stable")]
    shown = counts[order] / len(self) if normalize else counts[order]
    rows = intervals.take(order).rename(None)
    return objects.Series(shown, index=rows, name="proportion" if normalize else "count")


def series_mode(self: Series, dropna: bool = True) -> Series:
    """Return the most frequent elements.

    Parameters
    ----------
    dropna : bool, default True
        Leave missing elements out. With False all of them together count as one value.

    Returns
    -------
    Series
        The elements that occur most often, ascending, labelled 0, 1, ….

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([3, 1, 3, 1, 2]).mode()
    0    1
    1    3
    dtype: int64
    >>> cuprum.Series([1.0, None, None]).mode(dropna=False).to_list()
    [nan]
    """
    return wrap_series(self._handle.mode(truth_of("dropna", dropna, integers=True)))


@overload
def frame_quantile(
    self: DataFrame,
    q: float = ...,
    axis: Axis = ...,
    numeric_only: bool = ...,
    interpolation: Interpolation = ...,
    method: Literal["single"] = ...,
) -> Series: ...
@overload
def frame_quantile(
    self: DataFrame,
    q: ListLike,
    axis: Axis = ...,
    numeric_only: bool = ...,
    interpolation: Interpolation = ...,
    method: Literal["single"] = ...,
) -> DataFrame: ...
def frame_quantile(
    self: DataFrame,
    q: Any = 0.5,
    axis: Any = 0,
    numeric_only: bool = False,
    interpolation: Any = "linear",
    method: str = "single",
) -> Any:
    """Return the value below which a share of each column lies.

    Parameters
    ----------
    q : float or list of float, default 0.5
        The share, from 0 to 1, or several.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 takes quantiles of columns, 1 of rows.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only.
    interpolation : str, default ``'linear'``
        What lies between two elements: ``'linear'``, ``'lower'``, ``'higher'``, ``'nearest'`` or
        ``'midpoint'``.
    method : ``'single'``, default ``'single'``
        Columns are looked at one by one. ``'table'`` raises ``NotImplementedError``.

    Returns
    -------
    Series or DataFrame
        A Series named ``q``, labelled by the columns (rows, with ``axis=1``); for several ``q`` a DataFrame
        with a row for each.

    See Also
    --------
    Series.quantile : The same of a Series.

    Notes
    -----
    Missing elements are skipped.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b": [10.0, None, 20.0]})
    >>> df.quantile(0.5)
    a     2.0
    b    15.0
    Name: 0.5, dtype: float64
    >>> df.quantile([0, 0.25])
            a     b
    0.00  1.0  10.0
    0.25  1.5  12.5
    """
    if method not in ("single", "table"):
        raise ValueError(f"Invalid method: {method}. Method must be in {{'single', 'table'}}.")
    only_default("quantile", method=(method, "single"))
    frame = wrap_frame(self._handle.numbers()) if numeric_only else self
    if axis_number(axis) == 1:
        if not is_list_like(q) and interpolation == "linear":
            return self._reduce("quantile", axis, True, numeric_only, float(q)).rename(float(q))
        several = [float(x) for x in q] if is_list_like(q) else [float(q)]
        of_rows = quantile_of_rows(frame, several, interpolation)
        if not is_list_like(q):
            return of_rows[0].rename(float(q))
        return objects.DataFrame(dict(enumerate(of_rows)), index=self.index).set_axis(several, axis=1).T
    if is_list_like(q):
        shares = [float(x) for x in q]
        parts = [column.quantile(shares, interpolation) for _, column in frame.items()]
        result = objects.DataFrame(dict(enumerate(parts)), index=shares)._handle
        return wrap_frame(result.with_labels(frame._handle.labels(), self._handle.level_names()))
    if interpolation == "linear":
        return frame._reduce("quantile", 0, True, False, float(q)).rename(float(q))
    values = [column.quantile(q, interpolation) for _, column in frame.items()]
    return objects.Series(values, index=frame.columns, name=float(q))


def frame_describe(
    self: DataFrame,
    percentiles: ListLike | None = None,
    include: Any = None,
    exclude: Any = None,
) -> DataFrame:
    """Return count, mean, quantiles and other values that summarize each column.

    Parameters
    ----------
    percentiles : list of float, optional
        Shares from 0 to 1 whose quantiles are shown; the quartiles by default.
    include : ``'all'``, dtype or list of dtypes, optional
        Which columns are described, as in `select_dtypes`; ``'all'`` for all of them.
    exclude : dtype or list of dtypes, optional
        Which columns are left out, as in `select_dtypes`. Refused with ``include='all'``.

    Returns
    -------
    DataFrame
        A column for each column that is described, a row for each value; missing where a column has no such
        value.

    See Also
    --------
    Series.describe : Which values there are for which dtypes.

    Notes
    -----
    Without ``include`` and ``exclude`` the columns of numbers and times are described, or all where there is
    none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"n": [1, 2, 3], "s": ["x", "y", "x"]}).describe(include="all")
              n    s
    count   3.0    3
    unique  NaN    2
    top     NaN    x
    freq    NaN    2
    mean    2.0  NaN
    std     1.0  NaN
    min     1.0  NaN
    25%     1.5  NaN
    50%     2.0  NaN
    75%     2.5  NaN
    max     3.0  NaN
    """
    every = isinstance(include, str) and include == "all"
    if every and exclude is not None:
        raise ValueError("exclude must be None when include is 'all'")
    chosen = include is not None or exclude is not None
    frame = self.select_dtypes(include, exclude) if chosen and not every else self
    handle = frame._handle.describe(_shares(percentiles), chosen)
    made = wrap_frame(handle.with_labels(handle.labels(), self._handle.level_names()))
    if not any(dtype == "str" for dtype in handle.dtypes()):
        return made
    # What columns without a mean are like are counts and elements: objects.
    columns, rows = handle.columns(), made.index
    for at, column in enumerate(columns):
        if column.dtype == "str":
            described = frame[handle.labels()[at]].describe(percentiles)
            if len(described) < len(rows) and described.dtype.kind == "i":
                described = described.astype("float64")  # as the columns that have those rows
            columns[at] = described.reindex(rows)._handle.column()
    return wrap_frame(made._handle.with_columns(columns))


@overload
def series_quantile(
    self: Series,
    q: float = ...,
    interpolation: Interpolation = ...,
    *,
    exact: bool = ...,
    quant_index: bool = ...,
) -> float: ...
@overload
def series_quantile(
    self: Series,
    q: ListLike,
    interpolation: Interpolation = ...,
    *,
    exact: bool = ...,
    quant_index: bool = ...,
) -> Series: ...
def series_quantile(
    self: Series, q: Any = 0.5, interpolation: str = "linear", *, exact: bool = True, quant_index: bool = True
) -> Any:
    """Return the value below which a share of the elements lies.

    Parameters
    ----------
    q : float or list of float, default 0.5
        The share, from 0 to 1, or several.
    interpolation : str, default ``'linear'``
        What lies between two elements: the point on the line (``'linear'``), one of them (``'lower'``,
        ``'higher'``, ``'nearest'``) or their mean (``'midpoint'``).
    exact : bool, default True
        Has no effect: quantiles are exact.
    quant_index : bool, default True
        Label the values of several ``q`` by them; else by 0, 1, ….

    Returns
    -------
    scalar or Series
        One value for one ``q``, missing where there are no elements; a Series for several.

    Raises
    ------
    TypeError
        For ``'linear'`` and ``'midpoint'`` of decimals.

    Notes
    -----
    Missing elements are skipped.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, None, 4])
    >>> s.quantile()
    np.float64(2.0)
    >>> s.quantile([0.25, 0.5])
    0.25    1.5
    0.50    2.0
    dtype: float64
    >>> s.quantile(0.4, interpolation="lower")
    np.int64(1)
    """
    only_texts(interpolation=interpolation)
    only_truth("quantile", exact=exact)
    check_truth("quant_index", quant_index)
    if self.dtype.precision is not None:
        found = _quantiles_of_decimals(self, list(q) if is_list_like(q) else [q], interpolation)
        if not is_list_like(q):
            return found.iloc[0]
        return found if quant_index else found.reset_index(drop=True)
    if is_list_like(q):
        found = wrap_series(self._handle.quantile([float(x) for x in q], interpolation))
        return found if quant_index else found.reset_index(drop=True)
    value = self._handle.quantile([float(q)], interpolation).get(0)
    return missing_element(self.dtype) if value is None else value


def series_describe(
    self: Series,
    percentiles: ListLike | None = None,
    include: Any = None,
    exclude: Any = None,
) -> Series:
    """Return count, mean, quantiles and other values that summarize the elements.

    Parameters
    ----------
    percentiles : list of float, optional
        Shares from 0 to 1 whose quantiles are shown; the quartiles by default.
    include : dtype or list of dtypes, optional
        Has no effect on a Series.
    exclude : dtype or list of dtypes, optional
        Has no effect on a Series.

    Returns
    -------
    Series
        For numbers and times ``count``, ``mean``, ``std`` (not of times), ``min``, the quantiles and ``max``;
        for other dtypes ``count``, ``unique``, ``top`` (the most frequent element) and ``freq``. Numbers where
        all of these are, as of categories that are numbers, else objects.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2, 4]).describe(percentiles=[0.5])
    count    3.000000
    mean     2.333333
    std      1.527525
    min      1.000000
    50%      2.000000
    max      4.000000
    dtype: float64
    >>> cuprum.Series(["x", "y", "x", None]).describe()
    count     3
    unique    2
    top       x
    freq      2
    dtype: object
    """
    check_types(include, exclude)
    shares = _shares(percentiles)
    described = wrap_series(self._handle.describe(shares))
    if described.dtype.kind != "O":
        return described
    values: Any = self
    told = {name: getattr(values, name) for name in ("count", "mean", "std", "min", "max")}
    told["unique"] = values.nunique
    if values.count():
        told["top"] = lambda: values.value_counts().index[0]
        told["freq"] = lambda: values.value_counts().iloc[0]
    names = described.index.to_list()
    quantiles = iter(sorted(shares))
    found = [
        told[name]() if name in told else values.quantile(next(quantiles)) if "%" in name else float("nan")
        for name in names
    ]
    if values.dtype == "category" and values.cat.categories.dtype.kind in "iuf" and values.count():
        return objects.Series(found, index=names, name=self.name)
    return objects.record(names, found, self._handle.name())


def _shares(percentiles: Any) -> list[float]:
    return [0.25, 0.5, 0.75] if percentiles is None else [float(share) for share in percentiles]


def _quantiles_of_decimals(series: Any, shares: list[Any], interpolation: str) -> Any:
    """Return the elements at shares of those that are not missing, labelled by the shares."""
    import numpy as np

    choose: Any = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}.get(interpolation)
    if choose is None:
        raise TypeError(
            f"quantile of {series.dtype} takes no `interpolation`={interpolation!r}: 'lower', 'higher' or 'nearest'"
        )
    if any(not 0 <= share <= 1 for share in shares):
        raise ValueError(f"percentiles should all be in the interval [0, 1]: {shares}")
    known = series.dropna().sort_values()
    places = choose(np.array(shares, dtype="float64") * (len(known) - 1)).astype("int64")
    rows = known.take(places) if len(known) else series.reindex([None] * len(shares))
    return rows.set_axis(objects.Index([float(share) for share in shares], dtype="float64"))
