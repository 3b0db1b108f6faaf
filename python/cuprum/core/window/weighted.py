"""`Window`: windows that go along with the rows and whose rows have weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core.construction import column_from
from cuprum.core.interop import to_numpy
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.window.statistics import Windowed, WindowStatistics

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Label, ListLike

__all__ = ["Window", "weighted"]


class Window(WindowStatistics[Windowed]):
    """Windows of weighted rows; see `DataFrame.rolling`."""

    __slots__ = ("_shape",)

    if TYPE_CHECKING:
        # The windows of one column, or of several.
        @overload
        def __getitem__(self, key: Label) -> Window[Series]: ...
        @overload
        def __getitem__(self, key: ListLike) -> Window[DataFrame]: ...
        def __getitem__(self, key: Any) -> Any: ...

    # The function that gives the weights of so many rows.
    _shape: Callable[..., Any]

    def _of(self, obj: Any) -> Any:
        made = type(self).__new__(type(self))
        made._obj, made._attributes, made._shape, made._kept = obj, self._attributes, self._shape, None
        if obj.ndim == 2:
            made._kept = self._kept
        return made

    def sum(self, numeric_only: bool = False, **kwargs: Any) -> Windowed:
        """Return the weighted sum of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.
        **kwargs : object
            What the weights need besides their number, as ``std`` of ``"gaussian"`` and ``tau`` of
            ``"exponential"``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).rolling(3, win_type="triang").sum()
        0    NaN
        1    NaN
        2    4.5
        dtype: float64
        >>> cuprum.Series([1, 2, 4]).rolling(3, win_type="gaussian").sum(std=1).round(3).to_list()
        [nan, nan, 5.033]
        """
        return self._weighted("sum", numeric_only, kwargs, _sums)

    def mean(self, numeric_only: bool = False, **kwargs: Any) -> Windowed:
        """Return the weighted mean of each window.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.
        **kwargs : object
            What the weights need besides their number, as ``std`` of ``"gaussian"`` and ``tau`` of
            ``"exponential"``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).rolling(3, win_type="triang").mean()
        0     NaN
        1     NaN
        2    2.25
        dtype: float64
        """
        return self._weighted("mean", numeric_only, kwargs, _means)

    def var(self, ddof: int = 1, numeric_only: bool = False, **kwargs: Any) -> Windowed:
        """Return the weighted variance of each window.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.
        **kwargs : object
            What the weights need besides their number, as ``std`` of ``"gaussian"`` and ``tau`` of
            ``"exponential"``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        NotImplementedError
            If a weight is zero, where pandas returns NaN.

        Notes
        -----
        As in pandas, weights go with the numbers of rows, not with their places in windows: row ``i`` has the
        weight ``i % window``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).rolling(3, win_type="triang").var().round(3)
        0      NaN
        1      NaN
        2    1.781
        dtype: float64
        """
        return self._weighted("var", numeric_only, kwargs, partial(_variances, ddof=ddof))

    def std(self, ddof: int = 1, numeric_only: bool = False, **kwargs: Any) -> Windowed:
        """Return the weighted standard deviation of each window.

        Parameters
        ----------
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers. A series of other elements raises
            ``NotImplementedError``.
        **kwargs : object
            What the weights need besides their number, as ``std`` of ``"gaussian"`` and ``tau`` of
            ``"exponential"``.

        Returns
        -------
        Series or DataFrame
            A ``float64`` value for each row of the object (each ``step``-th row, if ``step`` is given), under
            its row labels; NaN where a window has fewer than ``min_periods`` elements.

        Raises
        ------
        NotImplementedError
            If a weight is zero, where pandas returns NaN.

        Notes
        -----
        As in pandas, weights go with the numbers of rows, not with their places in windows: row ``i`` has the
        weight ``i % window``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4]).rolling(3, win_type="triang").std().round(3)
        0      NaN
        1      NaN
        2    1.335
        dtype: float64
        """
        import numpy as np

        return self._weighted(
            "std", numeric_only, kwargs, lambda *given: np.sqrt(_variances(*given, ddof=ddof))
        )

    def _weighted(self, name: str, numeric_only: bool, kwargs: dict[str, Any], compute: Any) -> Any:
        import numpy as np

        values = self._values(name, numeric_only)
        count = self._attributes["window"]
        weights = np.asarray(self._shape(count, **kwargs), dtype="float64")
        least = self._attributes["min_periods"]
        least = max(len(weights) if least is None else least, 1)
        offset = (len(weights) - 1) // 2 if self._attributes["center"] else 0

        def applied(series: Any) -> Any:
            numbers = np.concatenate([_numbers(series), np.full(max(offset, 0), np.nan)])
            with np.errstate(all="ignore"):
                return column_from(compute(numbers, weights, least)[max(offset, 0) :])

        handle = values._handle
        if values.ndim == 1:
            result = wrap_series(_cuprum.Series(applied(values), handle.name(), handle.index()))
        else:
            columns = [applied(values.iloc[:, at]) for at in range(values.shape[1])]
            frame = _cuprum.DataFrame(list(range(len(columns))), columns, handle.index())
            result = wrap_frame(frame.with_labels(handle.labels(), handle.level_names()))
        result = self._finished(result)
        step = self._attributes["step"]
        return result if step is None else result.iloc[::step]


def _numbers(series: Any) -> Any:
    """Return elements as floats; what is missing or infinite is NaN."""
    import numpy as np

    if series.dtype.kind not in "iufb":
        from pandas.errors import DataError

        raise DataError(f"Cannot aggregate non-numeric type: {series.dtype}")
    numbers = to_numpy(series.astype("float64")._handle.column(), na_value=np.nan)
    return np.where(np.isinf(numbers), np.nan, numbers)


def _totals(values: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Return for each row the weighted sum of its window, the sum of the weights, and how many have one."""
    import numpy as np

    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)
    sums, of_weights, counts = np.zeros(len(values)), np.zeros(len(values)), np.zeros(len(values), "int64")
    # Weight by weight, in pandas' order of additions.
    for at, weight in enumerate(weights.tolist()):
        behind = len(weights) - 1 - at
        if behind >= len(values):
            continue
        stop = len(values) - behind
        sums[behind:] += filled[:stop] * weight
        of_weights[behind:] += np.where(there[:stop], weight, 0.0)
        counts[behind:] += there[:stop]
    return sums, of_weights, counts


def _sums(values: Any, weights: Any, least: int) -> Any:
    import numpy as np

    sums, _, counts = _totals(values, weights)
    return np.where(counts < least, np.nan, sums)


def _means(values: Any, weights: Any, least: int) -> Any:
    import numpy as np

    sums, of_weights, counts = _totals(values, weights)
    return np.where((counts < least) | (of_weights == 0), np.nan, sums / of_weights)


def _variances(values: Any, weights: Any, least: int, *, ddof: int) -> Any:
    import numpy as np

    if len(weights) and np.abs(weights).min() <= np.abs(weights).max() * 1e-12:
        raise NotImplementedError("the variance of windows with weights of zero: choose another `win_type`")
    size, there = len(weights), ~np.isnan(values)
    if not size:
        return np.full(len(values), np.nan)
    own = np.where(there, np.resize(weights, len(values)), 0.0)
    filled = np.where(there, values, 0.0)
    count, total, weighted_sum = (_trailing(part, size) for part in (there, own, own * filled))
    means = weighted_sum / total
    squares = np.zeros(len(values))
    for behind in range(min(size, len(values))):
        stop = len(values) - behind
        squares[behind:] += own[:stop] * (filled[:stop] - means[behind:]) ** 2
    found = np.maximum(squares * size / ((size - ddof) * total), 0.0)
    found = np.where(count == 1, 0.0, found)
    return np.where((count < least) | (count <= ddof), np.nan, found)


def _trailing(values: Any, size: int) -> Any:
    """Return the sums of so many elements up to each."""
    import numpy as np

    sums = np.zeros(len(values), dtype="int64" if values.dtype.kind == "b" else values.dtype)
    for behind in range(min(size, len(values))):
        sums[behind:] += values[: len(values) - behind]
    return sums


# The weights of so many rows, symmetric: as `scipy.signal.windows` has them.


def _places(count: int) -> Any:
    import numpy as np

    return np.arange(count) / max(count - 1, 1)


def _cosines(*parts: float) -> Callable[[int], Any]:
    def weights(count: int) -> Any:
        import numpy as np

        if count == 1:
            return np.ones(1)
        angles = 2 * np.pi * _places(count) - np.pi
        return sum(part * np.cos(k * angles) for k, part in enumerate(parts))

    return weights


def _boxcar(count: int) -> Any:
    import numpy as np

    return np.ones(count)


def _triang(count: int) -> Any:
    import numpy as np

    half: Any = np.arange(1, (count + 1) // 2 + 1)
    if count % 2:
        half = 2 * half / (count + 1.0)
        return np.concatenate([half, half[-2::-1]])
    half = (2 * half - 1.0) / count
    return np.concatenate([half, half[::-1]])


def _bartlett(count: int) -> Any:
    import numpy as np

    return np.ones(1) if count == 1 else 1 - np.abs(2 * _places(count) - 1)


def _cosine(count: int) -> Any:
    import numpy as np

    return np.sin(np.pi / max(count, 1) * (np.arange(count) + 0.5))


def _gaussian(count: int, std: float) -> Any:
    import numpy as np

    return np.exp(-((np.arange(count) - (count - 1) / 2) ** 2) / (2 * std * std))


def _exponential(count: int, center: Any = None, tau: float = 1.0) -> Any:
    import numpy as np

    if center is not None:
        raise ValueError("If sym==True, center must be None.")
    return np.exp(-np.abs(np.arange(count) - (count - 1) / 2) / tau)


_SHAPES: dict[str, Callable[..., Any]] = {
    "boxcar": _boxcar,
    "triang": _triang,
    "bartlett": _bartlett,
    "hann": _cosines(0.5, 0.5),
    "hamming": _cosines(0.54, 0.46),
    "blackman": _cosines(0.42, 0.50, 0.08),
    "nuttall": _cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "blackmanharris": _cosines(0.35875, 0.48829, 0.14128, 0.01168),
    "flattop": _cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
    "cosine": _cosine,
    "gaussian": _gaussian,
    "exponential": _exponential,
}


def _shape_of(win_type: Any) -> Callable[..., Any]:
    """Return the function of a name that gives weights: one from here, or of SciPy where it is installed."""
    if not isinstance(win_type, str):
        raise ValueError(f"Invalid win_type {win_type}")
    if win_type in _SHAPES:
        return _SHAPES[win_type]
    try:
        from scipy.signal import windows
    except ImportError:
        raise ImportError(
            f"`win_type` is {win_type!r}, which SciPy knows: install scipy; known are {', '.join(_SHAPES)}"
        ) from None
    found: Any = getattr(windows, win_type, None)
    if win_type.startswith("_") or not callable(found):
        raise ValueError(f"Invalid win_type {win_type}")
    return found


def weighted(
    obj: Any, window: Any, min_periods: int | None, center: bool, win_type: Any, on: Any, step: Any
) -> Window[Any]:
    """Return the result of ``rolling`` of a frame or series with a ``win_type``."""
    shape = _shape_of(win_type)
    if hasattr(window, "get_window_bounds"):
        raise NotImplementedError("BaseIndexer subclasses not implemented with win_types.")
    if not hasattr(window, "__index__") or isinstance(window, bool) or window < 0:
        raise ValueError("window must be an integer 0 or greater")
    if window > len(obj) + 1 and window > 1 << 24:
        raise MemoryError(f"`window` is {window}: so many weights are not computed")
    made = Window.__new__(Window)
    made._obj, made._kept, made._shape = obj, on, shape
    given = {"window": int(window), "min_periods": min_periods, "center": center, "win_type": win_type}
    made._attributes = {**given, "on": on, "step": step, "method": "single"}
    return made
