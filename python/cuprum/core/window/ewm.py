"""`ExponentialMovingWindow`: all rows so far, the more weighted the nearer they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core.arguments import only_default
from cuprum.core.construction import column_from
from cuprum.core.reshape.concat import concat
from cuprum.core.window.statistics import Windowed, WindowStatistics, wrap

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Label, ListLike

__all__ = ["ExponentialMovingWindow", "ExponentialMovingWindowGroupby", "ewm", "ewm_of_groups"]


class ExponentialMovingWindow(WindowStatistics[Windowed]):
    """All rows so far, whose weights fade; see `DataFrame.ewm`."""

    __slots__ = ("_decay", "_weights")

    if TYPE_CHECKING:
        # The windows of one column, or of several.
        @overload
        def __getitem__(self, key: Label) -> ExponentialMovingWindow[Series]: ...
        @overload
        def __getitem__(self, key: ListLike) -> ExponentialMovingWindow[DataFrame]: ...
        def __getitem__(self, key: Any) -> Any: ...

    # The arguments of `_cuprum.Exponential` behind the frame; at times these, and a half-life in their unit.
    _weights: tuple[Any, ...]
    _decay: Any

    def _of(self, obj: Any) -> Any:
        made = type(self).__new__(type(self))
        made._obj, made._attributes, made._weights, made._kept = obj, self._attributes, self._weights, None
        made._decay = self._decay
        return made

    def _handle(self, obj: Any) -> Any:
        return _cuprum.Exponential(obj._handle, *self._weights)

    def _computed(self, name: str, numeric_only: bool, *arguments: Any) -> Any:
        if self._decay is not None:
            raise NotImplementedError(f"{name} is not implemented with times")
        return super()._computed(name, numeric_only, *arguments)

    def _paired(self, name: str, other: Any, pairwise: Any, numeric_only: bool, parameter: Any) -> Any:
        if self._decay is not None:
            raise NotImplementedError(f"{name} is not implemented with times")
        return super()._paired(name, other, pairwise, numeric_only, parameter)

    def _aligned(self, values: Any, other: Any) -> Any:
        return values.align(other, axis=0)

    def mean(self, numeric_only: bool = False) -> Windowed:
        """Return the exponentially weighted mean up to each row.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row, under its label; NaN where fewer than ``min_periods`` elements
            are not missing.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, None, 4.0]).ewm(alpha=0.5).mean()
        0    1.0
        1    1.0
        2    3.4
        dtype: float64
        >>> cuprum.Series([1.0, None, 4.0]).ewm(alpha=0.5, adjust=False).mean().round(3).to_list()
        [1.0, 1.0, 3.25]
        """
        if self._decay is None:
            return self._computed("mean", numeric_only, False)
        return self._mean_at(self._values("mean", numeric_only))

    def _mean_at(self, values: Any) -> Any:
        """Return the mean of the elements up to every row of rows at times."""
        times, half_life = self._decay
        return wrap(self._handle(values).mean_at(times.column(), half_life))

    def sum(self, numeric_only: bool = False) -> Windowed:
        """Return the exponentially weighted sum up to each row.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row, under its label; NaN where fewer than ``min_periods`` elements
            are not missing.

        Raises
        ------
        NotImplementedError
            With ``adjust=False`` or ``times``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).ewm(alpha=0.5).sum()
        0    1.00
        1    2.50
        2    5.25
        dtype: float64
        """
        if not self._weights[1]:
            raise NotImplementedError("sum is not implemented with adjust=False")
        return self._computed("sum", numeric_only, False)

    def var(self, bias: bool = False, numeric_only: bool = False) -> Windowed:
        """Return the exponentially weighted variance up to each row.

        Parameters
        ----------
        bias : bool, default False
            Whether to leave out the correction for the weights.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row, under its label; NaN where fewer than ``min_periods`` elements
            are not missing. Without ``bias`` also NaN for one element.

        Raises
        ------
        NotImplementedError
            With ``times``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).ewm(alpha=0.5).var()
        0    NaN
        1    0.5
        2    2.5
        dtype: float64
        >>> cuprum.Series([1, 2, 4]).ewm(alpha=0.5).var(bias=True).round(3).to_list()
        [0.0, 0.222, 1.429]
        """
        return self._computed("var", numeric_only, bool(bias))

    def std(self, bias: bool = False, numeric_only: bool = False) -> Windowed:
        """Return the exponentially weighted standard deviation up to each row.

        Parameters
        ----------
        bias : bool, default False
            Whether to leave out the correction for the weights.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row, under its label; NaN where fewer than ``min_periods`` elements
            are not missing. Without ``bias`` also NaN for one element.

        Raises
        ------
        NotImplementedError
            With ``times``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).ewm(alpha=0.5).std()
        0         NaN
        1    0.707107
        2    1.581139
        dtype: float64
        """
        return self._computed("std", numeric_only, bool(bias))

    def cov(
        self, other: Any = None, pairwise: bool | None = None, bias: bool = False, numeric_only: bool = False
    ) -> Windowed:
        """Return the exponentially weighted covariance with other elements up to each row.

        Parameters
        ----------
        other : DataFrame or Series, optional
            The other elements; rows are matched by label. Without it the object itself.
        pairwise : bool, optional
            Whether to pair each column with each column of ``other``, which is so by default for a frame
            without ``other``; else columns of equal labels are paired.
        bias : bool, default False
            Whether to leave out the correction for the weights.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A value for each row; of paired columns a row for each row and column of ``other``, labelled by
            both.

        Raises
        ------
        NotImplementedError
            With ``times``, and for windows of groups.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).ewm(alpha=0.5).cov(cuprum.Series([1, 3, 7])).round(3)
        0    NaN
        1    1.0
        2    5.0
        dtype: float64
        """
        return self._paired("cov", other, pairwise, numeric_only, bool(bias))

    def corr(self, other: Any = None, pairwise: bool | None = None, numeric_only: bool = False) -> Windowed:
        """Return the exponentially weighted correlation with other elements up to each row.

        Parameters
        ----------
        other : DataFrame or Series, optional
            The other elements; rows are matched by label. Without it the object itself.
        pairwise : bool, optional
            Whether to pair each column with each column of ``other``, which is so by default for a frame
            without ``other``; else columns of equal labels are paired.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A value for each row; of paired columns a row for each row and column of ``other``, labelled by
            both.

        Raises
        ------
        NotImplementedError
            With ``times``, and for windows of groups.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).ewm(alpha=0.5).corr(cuprum.Series([1, 3, 4])).round(3)
        0      NaN
        1    1.000
        2    0.928
        dtype: float64
        """
        return self._paired("corr", other, pairwise, numeric_only, True)

    def __iter__(self) -> Iterator[Windowed]:
        yield self._obj


class ExponentialMovingWindowGroupby(ExponentialMovingWindow[Windowed]):
    """All rows of a group so far, whose weights fade; see `DataFrameGroupBy.ewm`."""

    __slots__ = ("_ends",)

    if TYPE_CHECKING:
        # The windows of one column, or of several.
        @overload
        def __getitem__(self, key: Label) -> ExponentialMovingWindowGroupby[Series]: ...
        @overload
        def __getitem__(self, key: ListLike) -> ExponentialMovingWindowGroupby[DataFrame]: ...
        def __getitem__(self, key: Any) -> Any: ...

    # The start of each group among the rows and its size.
    _ends: list[tuple[int, int]]

    def _of(self, obj: Any) -> Any:
        made = super()._of(obj)
        made._ends = self._ends
        return made

    def _computed(self, name: str, numeric_only: bool, *arguments: Any) -> Any:
        if self._decay is not None:
            raise NotImplementedError(f"{name} is not implemented with times")
        values = self._values(name, numeric_only)
        parts = [wrap(group.statistic(name, *arguments)) for group in self._groups(values)]
        if not parts:
            return wrap(self._handle(values).statistic(name, *arguments))
        return parts[0] if len(parts) == 1 else concat(parts)

    def __iter__(self) -> Iterator[Windowed]:
        raise NotImplementedError("iterating over exponential windows of groups")

    def _groups(self, values: Any) -> list[Any]:
        """Return the weights of the rows of each group."""
        return [_cuprum.Exponential(values._handle.slice(*end), *self._weights) for end in self._ends]

    def _mean_at(self, values: Any) -> Any:
        times, half_life = self._decay
        parts = [
            wrap(group.mean_at(times.slice(*end).column(), half_life))
            for group, end in zip(self._groups(values), self._ends, strict=True)
        ]
        if not parts:
            return super()._mean_at(values)
        return parts[0] if len(parts) == 1 else concat(parts)

    def _paired(self, name: str, other: Any, pairwise: Any, numeric_only: bool, parameter: Any) -> Any:
        raise NotImplementedError(f"{name} of exponential windows of groups")


def ewm_of_groups(
    obj: Any, ends: list[tuple[int, int]], *options: Any
) -> ExponentialMovingWindowGroupby[Any]:
    """Return the result of ``ewm`` of groups: ``obj`` has their rows, group after group."""
    like = ewm(obj, *options)
    made = ExponentialMovingWindowGroupby.__new__(ExponentialMovingWindowGroupby)
    made._obj, made._kept, made._ends = like._obj, None, ends
    made._attributes, made._weights, made._decay = like._attributes, like._weights, like._decay
    return made


def ewm(
    obj: Any,
    com: Any,
    span: Any,
    halflife: Any,
    alpha: Any,
    min_periods: Any,
    adjust: Any,
    ignore_na: Any,
    times: Any,
    method: Any,
) -> ExponentialMovingWindow[Any]:
    """Return the result of ``ewm`` of a frame or series."""
    only_default("ewm", method=(method, "single"))
    made = ExponentialMovingWindow.__new__(ExponentialMovingWindow)
    made._obj, made._kept = obj, None
    given = {"com": com, "span": span, "halflife": halflife, "alpha": alpha}
    min_periods = 0 if min_periods is None else int(min_periods)
    rest = {"min_periods": max(min_periods, 1), "adjust": adjust, "ignore_na": ignore_na}
    timed = {} if times is None else {"times": times}
    made._attributes = {**given, **rest, **timed, "method": method}
    made._decay = None
    if times is not None:
        made._decay = _timed(times, halflife, len(obj))
        others = {"com": com, "span": span, "alpha": alpha}
        fades = any(each is not None for each in others.values())
        if fades and not adjust:
            raise NotImplementedError(
                "None of com, span, or alpha can be specified if times is provided and adjust=False"
            )
        mass = _center_of_mass(**others, halflife=None) if fades else 1.0
    else:
        mass = _center_of_mass(**given)
    made._weights = (mass, bool(adjust), bool(ignore_na), min_periods)
    return made


def _timed(times: Any, halflife: Any, count: int) -> Any:
    """Return a handle of the times, one for each row, and the half-life in their unit."""
    import datetime

    import numpy as np
    import pandas as pd

    column = column_from(times)
    if column.dtype.kind != "M":
        raise ValueError("times must be datetime64 dtype.")
    if len(column) != count:
        raise ValueError("times must be the same length as the object.")
    if not isinstance(halflife, (str, datetime.timedelta, np.timedelta64)):
        raise ValueError("halflife must be a timedelta convertible object")
    if column.null_count():
        raise ValueError("Cannot convert NaT values to integer")
    series = _cuprum.Series(column.flat() if column.dtype.tz is not None else column)
    if column.dtype.unit == "D":
        series = series.astype("datetime64[s]")
    ticks = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[str(series.dtype().unit)]
    return series, pd.Timedelta(halflife).as_unit("ns").value * ticks / 1e9


def _center_of_mass(com: Any, span: Any, halflife: Any, alpha: Any) -> float:
    given = [each for each in (com, span, halflife, alpha) if each is not None]
    if len(given) > 1:
        raise ValueError("comass, span, halflife, and alpha are mutually exclusive")
    if com is not None:
        if com < 0:
            raise ValueError("comass must satisfy: comass >= 0")
        return float(com)
    if span is not None:
        if span < 1:
            raise ValueError("span must satisfy: span >= 1")
        return (span - 1) / 2
    if halflife is not None:
        if not isinstance(halflife, (int, float)):
            raise ValueError(
                f"`halflife` is {halflife!r}: it can only be a timedelta convertible argument if times is not None."
            )
        if halflife <= 0:
            raise ValueError("halflife must satisfy: halflife > 0")
        return 1 / (1 - math.exp(math.log(0.5) / halflife)) - 1
    if alpha is not None:
        if alpha <= 0 or alpha > 1:
            raise ValueError("alpha must satisfy: 0 < alpha <= 1")
        return (1 - alpha) / alpha
    raise ValueError("Must pass one of comass, span, halflife, or alpha")
