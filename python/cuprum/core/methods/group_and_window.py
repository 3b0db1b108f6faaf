"""Groups and windows: groupby, rolling, expanding, ewm, pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, Literal, Unpack, overload

from cuprum.core.first_call import on_first_call
from cuprum.core.mixed_types import objects_where_mixed

if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
    from cuprum.core.groupby.groups_of import groups_of
    from cuprum.core.series import Series
    from cuprum.core.window.ewm import ExponentialMovingWindow
    from cuprum.core.window.ewm import ewm as weighted_windows
    from cuprum.core.window.rolling import Expanding, Rolling
    from cuprum.core.window.rolling import expanding as windows_so_far
    from cuprum.core.window.rolling import rolling as windows_of_rows
    from cuprum.core.window.weighted import Window
    from cuprum.typing import (
        AnyObject,
        Closed,
        FrameOrSeries,
        GroupOptions,
        Keys,
        Label,
        LabelOrLabels,
        ListLike,
        P,
        Result,
        WindowSize,
    )
else:
    groups_of = on_first_call("cuprum.core.groupby.groups_of:groups_of")
    weighted_windows = on_first_call("cuprum.core.window.ewm:ewm")
    windows_so_far = on_first_call("cuprum.core.window.rolling:expanding")
    windows_of_rows = on_first_call("cuprum.core.window.rolling:rolling")


@overload
def pipe(
    self: AnyObject, func: Callable[Concatenate[AnyObject, P], Result], *args: P.args, **kwargs: P.kwargs
) -> Result: ...
@overload
def pipe(
    self: FrameOrSeries, func: tuple[Callable[..., Result], str], *args: Any, **kwargs: Any
) -> Result: ...
def pipe(self: FrameOrSeries, func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return the result of a function of this object.

    Parameters
    ----------
    func : callable or tuple
        A function whose first argument is the object; or a pair of a function and the name of the argument.
    *args : optional
        Arguments of the function.
    **kwargs : optional
        Keywords of the function.

    Returns
    -------
    object
        What the function returns. What it changes in its argument does not change this object.

    Examples
    --------
    >>> import cuprum
    >>> def scaled(data, by):
    ...     return data * by
    >>> cuprum.Series([1, 2]).pipe(scaled, by=10).to_list()
    [10, 20]
    >>> cuprum.Series([1, 2]).pipe((lambda by, data: data + by, "data"), 3).to_list()
    [4, 5]
    """
    this = self._with_attrs(self._snapshot())
    if isinstance(func, tuple):
        func, name = func
        if name in kwargs:
            raise ValueError(f"{name} is both the pipe target and a keyword argument")
        return func(*args, **{name: this}, **kwargs)
    return func(this, *args, **kwargs)


@overload
def groupby(
    self: DataFrame,
    by: Keys = ...,
    level: LabelOrLabels = ...,
    *,
    as_index: Literal[True] = ...,
    **options: Unpack[GroupOptions],
) -> DataFrameGroupBy[Series]: ...
@overload
def groupby(
    self: DataFrame,
    by: Keys = ...,
    level: LabelOrLabels = ...,
    *,
    as_index: Literal[False],
    **options: Unpack[GroupOptions],
) -> DataFrameGroupBy[DataFrame]: ...
@overload
def groupby(
    self: DataFrame,
    by: Keys = ...,
    level: LabelOrLabels = ...,
    *,
    as_index: bool = ...,
    **options: Unpack[GroupOptions],
) -> DataFrameGroupBy[Any]: ...
@overload
def groupby(
    self: FrameOrSeries,
    by: Keys = ...,
    level: LabelOrLabels = ...,
    *,
    as_index: Literal[True] = ...,
    **options: Unpack[GroupOptions],
) -> SeriesGroupBy[Series]: ...
@objects_where_mixed
def groupby(
    self: FrameOrSeries,
    by: Any = None,
    level: Any = None,
    *,
    as_index: bool = True,
    sort: bool = True,
    group_keys: bool = True,
    observed: bool = True,
    dropna: bool = True,
) -> Any:
    """Return groups of the rows with equal keys.

    Parameters
    ----------
    by : label, list of labels, Series, array, callable or Grouper, optional
        A column's label or a list of them; a Series, matched by label; arrays of the frame's length; a
        function of row labels; a `Grouper`.
    level : int, level name or list of them, optional
        Levels of the row labels as keys, instead of ``by``.
    as_index : bool, default True
        Keys become the row labels of results; else their first columns.
    sort : bool, default True
        Groups are in ascending order of their keys; else in order of first appearance.
    group_keys : bool, default True
        What ``apply`` puts one after the other is below the keys of its groups.
    observed : bool, default True
        Categories without rows make no groups. With False all combinations of the keys are groups, where one
        of these has categories; what nothing sums up to is 0, its mean is missing.
    dropna : bool, default True
        Rows with a missing key belong to no group; else missing keys make a group.

    Returns
    -------
    DataFrameGroupBy or SeriesGroupBy
        The groups, whose methods aggregate, transform or filter them.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"k": ["x", "y", "x", None], "v": [1, 2, 3, 4]})
    >>> df.groupby("k", as_index=False).sum()
       k  v
    0  x  4
    1  y  2
    >>> df.groupby("k", dropna=False)["v"].sum().to_list()
    [4, 2, 4]
    """
    return groups_of(
        self, by, level, bool(as_index), bool(sort), bool(dropna), bool(observed), bool(group_keys)
    )


@overload
def rolling(
    self: AnyObject,
    window: WindowSize,
    min_periods: int | None = ...,
    center: bool = ...,
    win_type: None = ...,
    on: Label = ...,
    closed: Closed | None = ...,
    step: int | None = ...,
    method: Literal["single"] = ...,
) -> Rolling[AnyObject]: ...
@overload
def rolling(
    self: AnyObject,
    window: int,
    min_periods: int | None = ...,
    center: bool = ...,
    *,
    win_type: str,
    on: Label = ...,
    closed: Closed | None = ...,
    step: int | None = ...,
    method: Literal["single"] = ...,
) -> Window[AnyObject]: ...
def rolling(
    self: FrameOrSeries,
    window: Any,
    min_periods: int | None = None,
    center: bool = False,
    win_type: Any = None,
    on: Any = None,
    closed: str | None = None,
    step: int | None = None,
    method: str = "single",
) -> Any:
    """Return windows that go along with the rows.

    Parameters
    ----------
    window : int, str, timedelta, offset or indexer
        So many rows, the last of which is the row itself; or a time of fixed length (``"2D"``): the rows
        whose time is less than that before the row's; or an object with ``get_window_bounds``, as pandas'
        indexers.
    min_periods : int, optional
        A statistic of fewer elements is missing: by default as many as the window has rows, of times 1.
    center : bool, default False
        The row is in the middle of its window.
    win_type : str, optional
        How rows are weighted, for `sum`, `mean`, `var` and `std`, which take what the weights need:
        ``'triang'``, ``'hann'``, ``'hamming'``, ``'blackman'``, ``'gaussian'`` (``std``), ``'exponential'``
        (``tau``) and others of `scipy.signal.windows`.
    on : label, optional
        The column of a frame that has the times, ascending or descending; else the row labels have them.
    closed : ``'right'``, ``'left'``, ``'both'`` or ``'neither'``, optional
        Which ends of windows belong to them; ``'right'`` by default.
    step : int, optional
        The result has only every so manyth row.
    method : ``'single'``, default ``'single'``
        Columns are looked at one by one. ``'table'`` is not supported.

    Returns
    -------
    Rolling or Window
        The windows, whose methods are statistics of each, as float64. Missing elements and infinities do not
        take part.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2, 4, 8]).rolling(2).sum()
    0     NaN
    1     3.0
    2     6.0
    3    12.0
    dtype: float64
    >>> cuprum.Series([1.0, None, 4.0]).rolling(2, min_periods=1).sum().to_list()
    [1.0, 1.0, 4.0]
    """
    return windows_of_rows(self, window, min_periods, center, win_type, on, closed, step, method)


def expanding(
    self: AnyObject, min_periods: int = 1, method: Literal["single"] = "single"
) -> Expanding[AnyObject]:
    """Return windows of all rows so far.

    Parameters
    ----------
    min_periods : int, default 1
        A statistic of fewer elements is missing.
    method : ``'single'``, default ``'single'``
        Columns are looked at one by one. ``'table'`` is not supported.

    Returns
    -------
    Expanding
        The windows, whose methods are statistics of each, as float64. Missing elements do not take part.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.0, None, 4.0]).expanding().mean().to_list()
    [1.0, 1.0, 2.5]
    >>> cuprum.Series([1.0, None, 4.0]).expanding(2).mean().to_list()
    [nan, nan, 2.5]
    """
    return windows_so_far(self, min_periods, method)


def ewm(
    self: AnyObject,
    com: float | None = None,
    span: float | None = None,
    halflife: float | str | datetime.timedelta | None = None,
    alpha: float | None = None,
    min_periods: int | None = 0,
    adjust: bool = True,
    ignore_na: bool = False,
    times: Label | ListLike = None,
    method: Literal["single"] = "single",
) -> ExponentialMovingWindow[AnyObject]:
    """Return windows of all rows so far, the more weighted the nearer.

    Parameters
    ----------
    com : float, optional
        Weights fade from row to row by ``com / (1 + com)``.
    span : float, optional
        Weights fade from row to row by ``(span - 1) / (span + 1)``.
    halflife : float, str or timedelta, optional
        Weights are half after so many rows; with ``times`` after that time.
    alpha : float, optional
        Weights fade from row to row by ``1 - alpha``. One of these four is given.
    min_periods : int, default 0
        A statistic of fewer elements is missing.
    adjust : bool, default True
        Weights begin with the first element; else it stands for all that might have been before it.
    ignore_na : bool, default False
        Weights fade from element to element that is not missing; else from row to row.
    times : list-like or label, optional
        The times of the rows: weights fade with them. There are means of these only.
    method : ``'single'``, default ``'single'``
        Columns are looked at one by one. ``'table'`` is not supported.

    Returns
    -------
    ExponentialMovingWindow
        The windows, whose methods are statistics of each, as float64.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([0.0, 3.0, None, 3.0]).ewm(alpha=0.5).mean().round(3).to_list()
    [0.0, 2.0, 2.0, 2.727]
    >>> days = cuprum.DatetimeIndex(["2026-01-01", "2026-01-02", "2026-01-04"])
    >>> cuprum.Series([0.0, 3.0, 0.0]).ewm(halflife="1D", times=days).mean()
    0    0.000000
    1    2.000000
    2    0.545455
    dtype: float64
    """
    return weighted_windows(self, com, span, halflife, alpha, min_periods, adjust, ignore_na, times, method)
