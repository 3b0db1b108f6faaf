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
    """Return the skewness (unbiased); missing elements are skipped, of fewer than three it is NaN.

    Examples
    --------
    >>> import cuprum
    >>> round(cuprum.Series([1, 2, 6]).skew(), 3)
    np.float64(1.458)
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
    """Return the excess kurtosis (unbiased); missing elements are skipped, of fewer than four it is NaN."""
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
        columns = (wrap_series(handle.column_at(i)) for i in range(handle.shape()[1]))
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
    """Return how often each row occurs, labelled by its values, most frequent first; also categories that none has."""
    labels = self._handle.labels() if subset is None else label_list(subset)
    counts = self.groupby(labels, sort=False, dropna=dropna, observed=False).size().rename("count")
    if sort:
        counts = counts.sort_values(ascending=ascending)
    return (counts / counts.sum()).rename("proportion") if normalize else counts


def frame_mode(self: DataFrame, axis: Axis = 0, numeric_only: bool = False, dropna: bool = True) -> DataFrame:
    """Return the most frequent elements of every column, in order; missing ones below those of shorter columns.

    With ``dropna=False`` missing elements count as one. With ``axis=1`` those of every row, under 0, 1, ….

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
    """Return how often each element occurs, most frequent first, ties by first appearance.

    With ``normalize`` the shares of the total. With ``bins``, ascending ends or a number of intervals of equal width,
    how many numbers are in each interval.

    Examples
    --------
    >>> import cuprum
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
    """Return the most frequent elements, ascending."""
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
    """Return the value below which a share ``q`` of each column lies; see `Series.quantile`.

    A Series for one ``q``, a frame with a row for each of several. With ``axis=1`` of each row: several
    ``q`` give a row each, too. ``method`` is ``'single'``: whole rows (``'table'``) are not supported.
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
    """Return `Series.describe` of every column of numbers and times; of all where there is none.

    ``include='all'`` asks for all columns, other values of ``include`` and ``exclude`` choose them
    by type, as `select_dtypes` does. What is not told of a column is missing there.

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
    """Return the value below which a share ``q`` of the elements lies.

    One value for one ``q``, a Series labelled by them for several. Missing elements are skipped.
    Between two elements ``interpolation`` takes the point on the line (``'linear'``), one of them
    (``'lower'``, ``'higher'``, ``'nearest'``) or their mean (``'midpoint'``). Of decimals it takes
    elements alone, as in pandas: ``TypeError`` for the line and the mean. ``quant_index=False`` labels
    the values of several ``q`` with ``0, 1, …``. ``exact`` has no effect: they are exact.
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
    """Return a few values that tell what the elements are like.

    Of numbers count, mean, standard deviation, minimum, the quantiles at ``percentiles`` (the
    quartiles) and maximum. Of times the same as objects, and of other types objects: count, number
    of different elements, the most frequent one and its frequency. ``include`` and ``exclude`` choose
    columns of frames: here they change nothing.
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
