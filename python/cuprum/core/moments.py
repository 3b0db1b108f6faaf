"""Skewness and kurtosis, from sums of powers of the distances to the mean; correlations of columns with others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import axis_number, numpy_keywords
from cuprum.core.construction import frame_of, index_of_labels
from cuprum.core.interop import is_pandas
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Axis, CorrelationMethod, HasColumns

__all__ = ["FrameMoments", "SeriesMoments"]

# Of so many elements there is one.
_FEWEST = {"skew": 3, "kurt": 4}


def shape(name: str, count: Any, second: Any, higher: Any) -> Any:
    """Return the skewness or the excess kurtosis of samples, corrected for bias as pandas does (G1, G2).

    ``second`` and ``higher`` are the sums of the second and of the third or fourth powers. NaN where there are too
    few elements, or where all are the same.
    """
    import numpy as np

    n = np.asarray(count, dtype="float64")
    with np.errstate(all="ignore"):
        if name == "skew":
            found = n * np.sqrt(n - 1) / (n - 2) * higher / np.power(second, 1.5)
        else:
            scale = (n - 2) * (n - 3)
            found = n * (n + 1) * (n - 1) * higher / (scale * np.square(second)) - 3 * (n - 1) ** 2 / scale
    return np.where((n < _FEWEST[name]) | (np.asarray(second) == 0), np.nan, found)


class Moments(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    @overload
    def skew(
        self: HasColumns, *, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...
    ) -> Series: ...
    @overload
    def skew(self, *, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...) -> float: ...
    def skew(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
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
    def kurt(
        self: HasColumns, *, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...
    ) -> Series: ...
    @overload
    def kurt(self, *, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...) -> float: ...
    def kurt(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the excess kurtosis (unbiased); missing elements are skipped, of fewer than four it is NaN."""
        numpy_keywords("kurt", kwargs)
        return self._shape_of("kurt", axis, skipna, numeric_only)

    kurtosis = kurt

    def _shape_of(self, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        raise NotImplementedError


class SeriesMoments(Moments):
    """Skewness and kurtosis of a series."""

    __slots__ = ()

    def _shape_of(self, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        import numpy as np

        if axis is not None:
            axis_number(axis, "Series")
        series: Any = self
        dtype = series.dtype
        if dtype.kind not in "iufb":
            if numeric_only:
                raise TypeError(f"Series.{name} does not allow numeric_only=True with the type {dtype}")
            raise TypeError(f"dtype '{dtype}' does not support operation '{name}'")
        if not skipna and series.hasnans:
            return np.float64("nan")
        found = np.float64(shape(name, *series._handle.sums_of_powers(3 if name == "skew" else 4)))
        return np.float32(found) if str(dtype) == "float32" else found


class FrameMoments(Moments):
    """Skewness, kurtosis and correlations of the columns or rows of a frame."""

    __slots__ = ()

    def _shape_of(self, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        import numpy as np

        handle = self._handle.numbers() if numeric_only else self._handle
        columns = [wrap_series(handle.column_at(i)) for i in range(handle.shape()[1])]
        if axis is None:
            every = [column.astype("float64")._handle for column in columns]
            return wrap_series(_cuprum.concat_series(every, True))._shape_of(name, 0, skipna, False)
        if axis_number(axis) == 1:
            return wrap_frame(handle).T._shape_of(name, 0, skipna, False)
        found = np.array([column._shape_of(name, 0, skipna, False) for column in columns], dtype="float64")
        rows = index_of_labels(handle.labels()).with_names(handle.level_names())
        return objects.Series(found, index=objects.wrap_index(rows))

    def corrwith(
        self,
        other: DataFrame | Series | Any,
        axis: Axis = 0,
        drop: bool = False,
        method: CorrelationMethod = "pearson",
        numeric_only: bool = False,
        min_periods: int | None = None,
    ) -> Series:
        """Return the correlation of every column (row, with ``axis=1``) with a series, or with that of a frame.

        Rows are matched by label, pairs with a missing element skipped. Columns that only one of the frames has are
        missing behind the others, unless ``drop``. ``method`` is that of `Series.corr`; of fewer than
        ``min_periods`` pairs with a series the result is NaN.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b": [3.0, 1.0, 2.0]})
        >>> df.corrwith(cuprum.Series([2, 4, 6]))
        a    1.0
        b   -0.5
        dtype: float64
        """
        this: Any = wrap_frame(self._handle.numbers()) if numeric_only else self
        of_rows = axis_number(axis) == 1
        if isinstance(other, objects.Series) or is_pandas(other, "Series"):
            series = objects.Series(other)
            columns = this.T if of_rows else this
            found = [series.corr(column, method, min_periods) for _, column in columns.items()]
            return objects.Series(found, index=columns.columns, dtype="float64")
        other = frame_of(other, "other")
        other = wrap_frame(other._handle.numbers()) if numeric_only else other
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
