"""`Rolling` and `Expanding`: windows of rows, of times, and of all rows so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Concatenate, Literal, Self, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import only_default, only_texts
from cuprum.core.construction import column_from
from cuprum.core.interop import to_numpy
from cuprum.core.label_columns import level_column
from cuprum.core.method_names import with_own_methods
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.window.statistics import Windowed, WindowStatistics, wrap
from cuprum.core.window.weighted import weighted

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Interpolation, Label, ListLike, P, Result, WindowRankMethod

__all__ = ["Expanding", "Rolling", "expanding", "expanding_of_groups", "rolling", "rolling_of_groups"]


class _RowWindows(WindowStatistics[Windowed]):
    """Windows whose rows all count the same."""

    __slots__ = ("_groups", "_keys", "_known", "_on", "_options", "_outer")

    # The arguments of `_cuprum.Rolling` behind the frame; the windows of these rows; the number of each row's
    # group; the levels of keys in front of the rows' labels, and of those that are columns of results; the
    # column that has the times.
    _options: dict[str, Any]
    _known: Any
    _groups: Any
    _keys: int
    _outer: int
    _on: Any

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self._obj, self._options, self._attributes, self._kept, self._groups, self._keys)
        return _windows, (type(self), *given, not self._outer, self._on)

    def _of(self, obj: Any) -> Any:
        return _made(type(self), obj, self)

    def _handle(self, obj: Any) -> Any:
        known = self._known.of(obj._handle)
        return _cuprum.Rolling(obj._handle, **self._options, groups=self._groups) if known is None else known

    def _finished(self, result: Any) -> Any:
        result = super()._finished(result)
        step = self._attributes.get("step")
        if step is not None:
            result = result.iloc[::step]
        return result.reset_index(level=list(range(self._outer))) if self._outer else result

    def _bounds(self, handle: Any) -> tuple[Any, Any, int]:
        """Return the first row of each window, the row behind the last, and of how many values a result is made."""
        import numpy as np

        preceding, following, min_periods = handle.extents()
        preceding, following = (
            each if isinstance(each, int) else to_numpy(each).astype(np.int64)
            for each in (preceding, following)
        )
        count = len(self._obj)
        rows = np.arange(1, count + 1)
        # No window is longer than all rows, however many it may have.
        limited = [np.clip(each, -count - 1, count + 1) for each in (preceding, following)]
        starts = np.clip(rows - limited[0], 0, count)
        return starts, np.clip(rows + limited[1], starts, count), min_periods

    def __iter__(self) -> Iterator[Windowed]:
        starts, ends, _ = self._bounds(self._handle(self._obj))
        rows, step = self._obj, self._attributes.get("step")
        if self._on is not None:
            rows = rows if self._kept is None else rows.drop(columns=self._kept)
            rows = rows.set_axis(self._on)
        elif self._keys:
            rows = rows.reset_index(level=list(range(self._keys)), drop=True)
        for start, end in zip(starts[::step].tolist(), ends[::step].tolist(), strict=True):
            yield rows.iloc[start:end]

    def count(self, numeric_only: bool = False) -> Windowed:
        """Return the number of elements of each window that are not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, None, 3.0]).rolling(2, min_periods=0).count()
        0    1.0
        1    1.0
        2    1.0
        dtype: float64
        """
        return self._computed("count", numeric_only)

    def sum(self, numeric_only: bool = False) -> Windowed:
        """Return the sum of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Notes
        -----
        Missing elements and infinities take no part.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4, 8]).rolling(2).sum()
        0     NaN
        1     3.0
        2     6.0
        3    12.0
        dtype: float64

        A window with a missing element has fewer elements than ``min_periods``, unless that is given:

        >>> cuprum.Series([1.0, None, 4.0]).rolling(2, min_periods=1).sum()
        0    1.0
        1    1.0
        2    4.0
        dtype: float64
        """
        return self._computed("sum", numeric_only)

    def mean(self, numeric_only: bool = False) -> Windowed:
        """Return the mean of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 3, 5]).rolling(2).mean()
        0    NaN
        1    2.0
        2    4.0
        dtype: float64
        >>> cuprum.Series([1, 3, 5]).expanding().mean().to_list()
        [1.0, 2.0, 3.0]
        """
        return self._computed("mean", numeric_only)

    def median(self, numeric_only: bool = False) -> Windowed:
        """Return the median of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 9, 3, 4]).rolling(3).median()
        0    NaN
        1    NaN
        2    3.0
        3    4.0
        dtype: float64
        """
        return self._finished_quantile("median", 0.5, "linear", numeric_only)

    def min(self, numeric_only: bool = False) -> Windowed:
        """Return the smallest element of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([3, 1, 2]).rolling(2).min()
        0    NaN
        1    1.0
        2    1.0
        dtype: float64
        """
        return self._computed("min", numeric_only)

    def max(self, numeric_only: bool = False) -> Windowed:
        """Return the largest element of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([3, 1, 2]).rolling(2).max()
        0    NaN
        1    3.0
        2    2.0
        dtype: float64
        """
        return self._computed("max", numeric_only)

    def std(self, ddof: int = 1, numeric_only: bool = False) -> Windowed:
        """Return the standard deviation of each window.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 3, 3]).rolling(2).std(ddof=0)
        0    NaN
        1    1.0
        2    0.0
        dtype: float64
        """
        return self._computed("std", numeric_only, float(ddof))

    def var(self, ddof: int = 1, numeric_only: bool = False) -> Windowed:
        """Return the variance of each window.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 3, 3]).rolling(2).var()
        0    NaN
        1    2.0
        2    0.0
        dtype: float64
        """
        return self._computed("var", numeric_only, float(ddof))

    def sem(self, ddof: int = 1, numeric_only: bool = False) -> Windowed:
        """Return the standard error of the mean of each window.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 3, 3]).rolling(2).sem()
        0    NaN
        1    1.0
        2    0.0
        dtype: float64
        """
        return self._computed("sem", numeric_only, float(ddof))

    def skew(self, numeric_only: bool = False) -> Windowed:
        """Return the skewness of each window, without bias.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements. Also NaN for fewer
            than three elements and where all are equal.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 6, 6]).rolling(3).skew().round(3)
        0      NaN
        1      NaN
        2    1.458
        3   -1.732
        dtype: float64
        """
        return self._computed("skew", numeric_only)

    def kurt(self, numeric_only: bool = False) -> Windowed:
        """Return the excess kurtosis of each window, without bias.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements. Also NaN for fewer
            than four elements and where all are equal.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4, 9]).expanding().kurt().round(3)
        0    NaN
        1    NaN
        2    NaN
        3    1.5
        dtype: float64
        """
        return self._computed("kurt", numeric_only)

    def first(self, numeric_only: bool = False) -> Windowed:
        """Return the first element of each window that is not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, None, 3.0]).rolling(2, min_periods=1).first()
        0    1.0
        1    1.0
        2    3.0
        dtype: float64
        """
        return self._computed("first", numeric_only)

    def last(self, numeric_only: bool = False) -> Windowed:
        """Return the last element of each window that is not missing.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, None, 3.0]).rolling(2, min_periods=1).last()
        0    1.0
        1    1.0
        2    3.0
        dtype: float64
        """
        return self._computed("last", numeric_only)

    def nunique(self, numeric_only: bool = False) -> Windowed:
        """Return the number of distinct elements of each window, without missing ones.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 1, 2]).rolling(2).nunique()
        0    NaN
        1    1.0
        2    2.0
        dtype: float64
        """
        return self._computed("nunique", numeric_only)

    def quantile(
        self, q: float, interpolation: Interpolation = "linear", numeric_only: bool = False
    ) -> Windowed:
        """Return the value below which a share of each window lies.

        Parameters
        ----------
        q : float
            The share, from 0 to 1.
        interpolation : str, default ``"linear"``
            What lies between two elements: ``"linear"``, ``"lower"``, ``"higher"``, ``"midpoint"`` or
            ``"nearest"``.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        ValueError
            If ``q`` is not from 0 to 1.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).rolling(2).quantile(0.25)
        0     NaN
        1    1.25
        2    2.50
        dtype: float64
        >>> cuprum.Series([1, 2, 4]).rolling(2).quantile(0.25, interpolation="higher").to_list()
        [nan, 2.0, 4.0]
        """
        only_texts(interpolation=interpolation)
        if not 0 <= q <= 1:
            raise ValueError(f"quantile value {q} not in [0, 1]")
        return self._finished_quantile("quantile", float(q), interpolation, numeric_only)

    def _finished_quantile(self, name: str, q: float, interpolation: str, numeric_only: bool) -> Any:
        values = self._values(name, numeric_only)
        return self._finished(wrap(self._handle(values).statistic("quantile", q, interpolation)))

    def rank(
        self,
        method: WindowRankMethod = "average",
        ascending: bool = True,
        pct: bool = False,
        numeric_only: bool = False,
    ) -> Windowed:
        """Return the rank of the last element of each window in it.

        Parameters
        ----------
        method : ``"average"``, ``"min"`` or ``"max"``, default ``"average"``
            Which of their ranks equal elements have.
        ascending : bool, default True
            Whether the smallest element has rank 1.
        pct : bool, default False
            Whether to divide ranks by the number of elements of the window.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements. Also NaN where the
            last element is missing.

        Raises
        ------
        ValueError
            For another ``method``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([3, 5, 4, 4]).rolling(3).rank()
        0    NaN
        1    NaN
        2    2.0
        3    1.5
        dtype: float64
        >>> cuprum.Series([3, 5, 4, 4]).rolling(3).rank(method="max", pct=True).round(3).to_list()
        [nan, nan, 0.667, 0.667]
        """
        if method not in ("average", "min", "max"):
            raise ValueError(f"Method '{method}' is not supported")
        return self._computed("rank", numeric_only, None, method, bool(ascending), bool(pct))

    def cov(
        self,
        other: DataFrame | Series | None = None,
        pairwise: bool | None = None,
        ddof: int = 1,
        numeric_only: bool = False,
    ) -> Windowed:
        """Return the covariance of each window with that of other elements.

        Parameters
        ----------
        other : DataFrame or Series, optional
            The other elements; rows are matched by label. Without it the object itself.
        pairwise : bool, optional
            Whether to pair each column with each column of ``other``, which is so by default for a frame
            without ``other``; else columns of equal labels are paired.
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A value for each row; of paired columns a row for each row and column of ``other``, labelled by
            both. Where row labels differ, the result has those of both.

        Raises
        ------
        NotImplementedError
            For windows with a ``step``.
        ValueError
            If ``other`` is no frame or series, or labels of columns repeat.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).rolling(2).cov(cuprum.Series([1, 3, 2]))
        0    NaN
        1    1.0
        2   -1.0
        dtype: float64
        >>> cuprum.DataFrame({"a": [1, 2], "b": [4, 2]}).rolling(2).cov().loc[1]
             a    b
        a  0.5 -1.0
        b -1.0  2.0
        """
        return self._paired_whole("cov", other, pairwise, ddof, numeric_only)

    def corr(
        self,
        other: DataFrame | Series | None = None,
        pairwise: bool | None = None,
        ddof: int = 1,
        numeric_only: bool = False,
    ) -> Windowed:
        """Return the correlation of each window with that of other elements.

        Parameters
        ----------
        other : DataFrame or Series, optional
            The other elements; rows are matched by label. Without it the object itself.
        pairwise : bool, optional
            Whether to pair each column with each column of ``other``, which is so by default for a frame
            without ``other``; else columns of equal labels are paired.
        ddof : int, default 1
            Accepted for compatibility with pandas; it changes nothing.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.

        Returns
        -------
        Series or DataFrame
            A value for each row; of paired columns a row for each row and column of ``other``, labelled by
            both. Where row labels differ, the result has those of both.

        Raises
        ------
        NotImplementedError
            For windows with a ``step``.
        ValueError
            If ``other`` is no frame or series, or labels of columns repeat.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4, 3]).rolling(3).corr(cuprum.Series([2, 4, 8, 9])).round(3)
        0      NaN
        1      NaN
        2    1.000
        3    0.756
        dtype: float64
        """
        return self._paired_whole("corr", other, pairwise, ddof, numeric_only)

    def _paired_whole(self, name: str, other: Any, pairwise: Any, ddof: int, numeric_only: bool) -> Any:
        if self._attributes.get("step") is not None:
            raise NotImplementedError(f"step not implemented for {name}")
        return self._paired(name, other, pairwise, numeric_only, int(ddof))

    def _aligned(self, values: Any, other: Any) -> Any:
        if self._options["what"] not in ("rows", "expanding") or self._groups is not None:
            return super()._aligned(values, other)
        return values.align(other, axis=0)

    def apply(
        self,
        func: Callable[..., Any],
        raw: bool = False,
        engine: Literal["cython"] | None = None,
        engine_kwargs: Any = None,
        args: Any = None,
        kwargs: Any = None,
    ) -> Windowed:
        """Apply a function to each window that has enough elements.

        Parameters
        ----------
        func : callable
            A function of a window that returns a number.
        raw : bool, default False
            Whether ``func`` gets an array of floats instead of a Series. Missing elements are NaN in both.
        engine : None or ``"cython"``, default None
            Accepted for compatibility with pandas; compilers are refused.
        engine_kwargs : None
            Accepted for compatibility with pandas; anything else is refused.
        args : tuple, optional
            Further positional arguments of ``func``.
        kwargs : dict, optional
            Keyword arguments of ``func``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        NotImplementedError
            For another ``engine``.

        Notes
        -----
        The function is called once for each window: methods as `sum` and `max` are much faster.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 3, 8]).rolling(2).apply(lambda window: window.max() - window.min())
        0    NaN
        1    2.0
        2    5.0
        dtype: float64
        >>> cuprum.Series([1, 3, 8]).rolling(2).apply(lambda window: window[-1], raw=True).to_list()
        [nan, 3.0, 8.0]
        """
        if engine not in (None, "cython") or engine_kwargs is not None:
            given = ("engine", engine) if engine not in (None, "cython") else ("engine_kwargs", engine_kwargs)
            raise NotImplementedError(f"apply does not support `{given[0]}`={given[1]!r}; leave it at None")
        if not isinstance(raw, bool):
            raise ValueError("raw parameter must be `True` or `False`")
        values = self._values("apply", False)
        starts, ends, least = self._bounds(self._handle(values))
        bounds = list(zip(starts.tolist(), ends.tolist(), strict=True))

        def applied(column: Any) -> Any:
            return _applied(column, bounds, least, func, raw, args or (), kwargs or {})

        if values.ndim == 1:
            return self._finished(applied(values))
        columns = [applied(values.iloc[:, at])._handle.column() for at in range(values.shape[1])]
        handle = values._handle
        frame = _cuprum.DataFrame(handle.labels(), columns, handle.index())
        return self._finished(wrap_frame(frame.with_labels(handle.labels(), handle.level_names())))

    def pipe(self, func: Callable[Concatenate[Self, P], Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Return the result of a function of the windows, for calls in a chain.

        Parameters
        ----------
        func : callable
            The function that is called with the windows.
        *args : object
            Further positional arguments of ``func``.
        **kwargs : object
            Keyword arguments of ``func``.

        Returns
        -------
        object
            What ``func`` returns.

        Examples
        --------
        >>> import cuprum
        >>> windows = cuprum.Series([1, 3, 8]).rolling(2)
        >>> windows.pipe(lambda w: w.max() - w.min())
        0    NaN
        1    2.0
        2    5.0
        dtype: float64
        """
        return func(self, *args, **kwargs)


def _applied(
    values: Any, bounds: list[tuple[int, int]], least: int, func: Any, raw: bool, args: Any, kwargs: Any
) -> Any:
    """Return the result of ``func`` for every window of a series."""
    import numpy as np

    numbers = values.to_numpy(dtype="float64", na_value=np.nan)
    numbers = np.where(np.isinf(numbers), np.nan, numbers)
    present = np.concatenate([[0], np.cumsum(~np.isnan(numbers))])
    windows = numbers if raw else type(values)(numbers, index=values.index).iloc
    results = np.full(len(numbers), np.nan)
    for row, (start, end) in enumerate(bounds):
        if present[end] - present[start] >= least:
            results[row] = func(windows[start:end], *args, **kwargs)
    return wrap_series(_cuprum.Series(column_from(results), values.name, values._handle.index()))


@with_own_methods
class Rolling(_RowWindows[Windowed]):
    """Windows that go along with the rows; see `DataFrame.rolling`."""

    __slots__ = ()

    if TYPE_CHECKING:
        # The windows of one column, or of several.
        @overload
        def __getitem__(self, key: Label) -> Rolling[Series]: ...
        @overload
        def __getitem__(self, key: ListLike) -> Rolling[DataFrame]: ...
        def __getitem__(self, key: Any) -> Any: ...


@with_own_methods
class Expanding(_RowWindows[Windowed]):
    """Windows of all rows so far; see `DataFrame.expanding`."""

    __slots__ = ()

    if TYPE_CHECKING:
        # The windows of one column, or of several.
        @overload
        def __getitem__(self, key: Label) -> Expanding[Series]: ...
        @overload
        def __getitem__(self, key: ListLike) -> Expanding[DataFrame]: ...
        def __getitem__(self, key: Any) -> Any: ...


class RollingGroupby(Rolling[Windowed]):
    """Windows that go along with the rows of each group."""

    __slots__ = ()

    @overload
    def __getitem__(self, key: Label) -> RollingGroupby[Series]: ...
    @overload
    def __getitem__(self, key: ListLike) -> RollingGroupby[DataFrame]: ...
    def __getitem__(self, key: Any) -> Any:
        chosen = super().__getitem__(key)
        if self._kept is not None and chosen._obj.ndim == 1:
            # The times label the rows of one column, as in pandas.
            chosen._obj = self._obj.reset_index(level=-1, drop=True).set_index(self._kept, append=True)[key]
        return chosen


class ExpandingGroupby(Expanding[Windowed]):
    """Windows of all rows of a group so far."""

    __slots__ = ()

    if TYPE_CHECKING:
        # The windows of one column, or of several.
        @overload
        def __getitem__(self, key: Label) -> ExpandingGroupby[Series]: ...
        @overload
        def __getitem__(self, key: ListLike) -> ExpandingGroupby[DataFrame]: ...
        def __getitem__(self, key: Any) -> Any: ...


def _made(cls: Any, obj: Any, like: Any) -> Any:
    made = cls.__new__(cls)
    made._obj, made._attributes, made._options = obj, like._attributes, like._options
    made._groups, made._keys, made._outer, made._on = like._groups, like._keys, like._outer, like._on
    made._known = like._known
    made._kept = like._kept if obj.ndim == 2 else None
    return made


def _windows(
    cls: Any,
    obj: Any,
    options: Any,
    attributes: Any,
    kept: Any,
    groups: Any,
    keys: int,
    as_index: bool = True,
    on: Any = None,
) -> Any:
    """Return windows; ``on`` are the times that label rows where they are not those of the column that stays."""
    made = cls.__new__(cls)
    made._obj, made._options, made._attributes, made._kept = obj, options, attributes, kept
    made._groups, made._keys, made._outer = groups, keys, 0 if as_index else keys
    made._on = on if kept is None or on is not None else objects.Index(obj[kept])
    handle = obj._handle.select([]) if obj.ndim == 2 else obj._handle
    made._known = _cuprum.Rolling(handle, **options, groups=groups)  # fails for windows that there are not
    return made


def rolling(
    obj: Any,
    window: Any,
    min_periods: Any,
    center: Any,
    win_type: Any,
    on: Any,
    closed: Any,
    step: Any,
    method: Any,
) -> Any:
    """Return the result of ``rolling`` of a frame or series."""
    times = _times(obj, 0, on)
    if win_type is not None:
        only_default("rolling with `win_type`", method=(method, "single"))
        periods = _checked(min_periods, center, closed, step)
        if closed is not None:
            raise ValueError("`closed` is of windows without `win_type`")
        return weighted(obj, window, periods, center, win_type, on, step)
    options = _options(obj, times, window, min_periods, center, win_type, closed, step, method)
    attributes = {
        "window": window,
        "min_periods": options["min_periods"],
        "center": center,
        "on": on,
        "closed": closed,
        "step": step,
        "method": method,
    }
    return _windows(Rolling, obj, options, attributes, on, None, 0)


def expanding(obj: Any, min_periods: Any, method: Any) -> Expanding[Any]:
    """Return the result of ``expanding`` of a frame or series."""
    only_default("expanding", method=(method, "single"))
    attributes = {"min_periods": min_periods, "method": method}
    options = _window("expanding", None, _periods(min_periods))
    return _windows(Expanding, obj, options, attributes, None, None, 0)


def rolling_of_groups(
    obj: Any,
    groups: Any,
    outer: int,
    as_index: bool,
    window: Any,
    min_periods: Any,
    center: Any,
    win_type: Any,
    on: Any,
    closed: Any,
    method: Any,
) -> RollingGroupby[Any]:
    """Return the result of ``rolling`` of groups: ``obj`` has their rows, group after group."""
    times = _times(obj, outer, on)
    options = _options(obj, times, window, min_periods, center, win_type, closed, None, method, groups)
    attributes = {
        "window": window,
        "min_periods": options["min_periods"],
        "center": center,
        "on": on,
        "closed": closed,
        "method": method,
    }
    return _windows(RollingGroupby, obj, options, attributes, on, groups, outer, as_index)


def expanding_of_groups(
    obj: Any, groups: Any, outer: int, min_periods: Any, method: Any
) -> ExpandingGroupby[Any]:
    """Return the result of ``expanding`` of groups: ``obj`` has their rows, group after group."""
    only_default("expanding", method=(method, "single"))
    attributes = {"min_periods": min_periods, "method": method}
    options = _window("expanding", None, _periods(min_periods))
    return _windows(ExpandingGroupby, obj, options, attributes, None, groups, outer)


def _window(
    what: str, size: Any, min_periods: Any, center: bool = False, closed: Any = None
) -> dict[str, Any]:
    given = {"what": what, "size": size, "min_periods": min_periods}
    return {**given, "center": center, "closed": closed or "right"}


def _periods(min_periods: Any) -> int | None:
    if min_periods is None:
        return None
    if isinstance(min_periods, bool) or not hasattr(min_periods, "__index__"):
        raise ValueError("min_periods must be an integer")
    if min_periods < 0:
        raise ValueError("min_periods must be >= 0")
    return int(min_periods)


def _options(
    obj: Any,
    times: Any,
    window: Any,
    min_periods: Any,
    center: Any,
    win_type: Any,
    closed: Any,
    step: Any,
    method: Any,
    groups: Any = None,
) -> dict[str, Any]:
    """Return what `_cuprum.Rolling` takes behind the frame; ``times`` is the column of those of rows."""
    only_default("rolling", win_type=(win_type, None), method=(method, "single"))
    periods = _checked(min_periods, center, closed, step)
    if hasattr(window, "get_window_bounds"):
        return _bounds_of(window, obj, periods, center, closed, step, groups)
    if hasattr(window, "__index__") and not isinstance(window, bool):
        if window < 0:
            raise ValueError("window must be an integer 0 or greater")
        return _window("rows", int(window), periods, center, closed)
    length = window if isinstance(window, str) else _nanoseconds(window)
    if times is None and not len(obj):  # which pandas takes whatever the rows are called
        times = column_from([], "datetime64[ns]")
    if length is None or times is None:
        raise ValueError("window must be an integer 0 or greater")
    return _window("span", (times, length), 1 if periods is None else periods, center, closed)


def _checked(min_periods: Any, center: Any, closed: Any, step: Any) -> int | None:
    """Return how many elements a window must have; fail for what no window has."""
    if not isinstance(center, bool):
        raise ValueError("center must be a boolean")
    if closed not in (None, "right", "both", "left", "neither"):
        raise ValueError("closed must be 'right', 'left', 'both' or 'neither'")
    if step is not None and (isinstance(step, bool) or not hasattr(step, "__index__")):
        raise ValueError("step must be an integer")
    if step is not None and step < 1:
        raise ValueError(f"`step` is {step}; it must be >= 1")
    return _periods(min_periods)


def _times(obj: Any, outer: int, on: Any) -> Any:
    """Return the column of the times of rows, ``None`` where they have none."""
    index = obj._handle.index()
    if on is None:
        column = level_column(index, outer) if index.nlevels() == outer + 1 else None
    elif obj.ndim == 1 or not obj._handle.contains(on):
        raise ValueError(f"invalid on specified as {on}, must be a column (of DataFrame), an Index or None")
    else:
        column = obj._handle.column(on).column()
    return None if column is None or column.dtype.kind not in "Mm" else column


def _nanoseconds(window: Any) -> int | None:
    """Return how long a duration is, ``None`` for what is none."""
    import datetime

    import numpy as np

    if isinstance(window, (datetime.timedelta, np.timedelta64)):
        return int(np.timedelta64(window).astype("timedelta64[ns]").astype(np.int64))
    nanoseconds = getattr(window, "nanos", None)  # of an offset of pandas that has a fixed length
    return None if nanoseconds is None else int(nanoseconds)


def _bounds_of(
    window: Any, obj: Any, periods: Any, center: bool, closed: Any, step: Any, groups: Any
) -> dict[str, Any]:
    """Return the windows that an object with ``get_window_bounds`` has, as pandas' indexers.

    It is asked for those of each group; ``groups`` are the numbers of those of the rows, one after the other.
    """
    import numpy as np

    if step is not None:
        raise NotImplementedError("`step` is not supported with windows that an object gives")
    default = getattr(window, "window_size", 0)
    periods = default if periods is None else periods
    cuts = [0, len(obj)]
    if groups is not None:
        cuts[1:1] = (np.flatnonzero(np.diff(to_numpy(groups).astype("int64"))) + 1).tolist()
    bounds: list[list[Any]] = [[], []]
    for first, last in pairwise(cuts):
        count = last - first
        made = window.get_window_bounds(count, periods, center, closed, step)
        if len(made[0]) != count or len(made[1]) != count:
            raise ValueError(
                f"start ({len(made[0])}) and end ({len(made[1])}) bounds must be of the length {count}"
            )
        for every, ends in zip(bounds, made, strict=True):
            every.append(np.asarray(ends).astype("int64") + first)
    columns = tuple(column_from(np.concatenate(every)) for every in bounds)
    return _window("bounds", columns, periods)
