"""Summaries: one value for each column or row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    missing_element,
    numpy_keywords,
    only_default,
    only_known,
)
from cuprum.core.groupby.aggregation import function_name, function_parameter
from cuprum.core.index.index import wrap_index
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["FrameSummaries", "SeriesSummaries", "Summaries"]

_NAN = float("nan")


class Summaries(Wrapper):
    """What frames and series share; each is reduced by the class's ``_reduce``."""

    __slots__ = ()

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        raise NotImplementedError

    def sum(
        self,
        *,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        """Return the sum; missing elements are skipped, the sum of none is 0."""
        numpy_keywords("sum", kwargs)
        return self._total("sum", axis, skipna, numeric_only, min_count)

    def prod(
        self,
        *,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        """Return the product; missing elements are skipped, the product of none is 1."""
        numpy_keywords("prod", kwargs)
        return self._total("prod", axis, skipna, numeric_only, min_count)

    product = prod

    def _total(self, name: str, axis: Any, skipna: bool, numeric_only: bool, min_count: int) -> Any:
        """Return the sum or product of at least ``min_count`` elements that are not missing, else missing."""
        total = self._reduce(name, axis, skipna, numeric_only)
        if min_count <= 0:
            return total
        count = self._reduce("count", axis, True, numeric_only)
        if isinstance(total, Wrapper):
            return total.where(count >= min_count)
        return total if count >= min_count else float("nan")

    def min(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the smallest element; missing ones are skipped, of none it is missing."""
        numpy_keywords("min", kwargs)
        return self._reduce("min", axis, skipna, numeric_only)

    def max(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the largest element; missing ones are skipped, of none it is missing."""
        numpy_keywords("max", kwargs)
        return self._reduce("max", axis, skipna, numeric_only)

    def mean(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the mean; missing elements are skipped, of none it is missing."""
        numpy_keywords("mean", kwargs)
        return self._reduce("mean", axis, skipna, numeric_only)

    def median(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the median; missing elements are skipped, of none it is missing."""
        numpy_keywords("median", kwargs)
        return self._reduce("median", axis, skipna, numeric_only)

    def std(
        self, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the standard deviation with divisor ``count - ddof``; missing elements are skipped."""
        numpy_keywords("std", kwargs)
        return self._reduce("std", axis, skipna, numeric_only, float(ddof))

    def var(
        self, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the variance with divisor ``count - ddof``; missing elements are skipped."""
        numpy_keywords("var", kwargs)
        return self._reduce("var", axis, skipna, numeric_only, float(ddof))

    def sem(
        self, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the standard error of the mean."""
        numpy_keywords("sem", kwargs)
        std = self._reduce("std", axis, skipna, numeric_only, float(ddof))
        count = self._reduce("count", axis, True, numeric_only)
        return std / count**0.5

    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Return whether an element is true (not zero, not empty); missing ones are skipped, or with ``skipna=False`` true."""
        numpy_keywords("any", kwargs)
        only_default("any", bool_only=(bool_only, False))
        return self._reduce("any", axis, skipna, False)

    def all(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Return whether every element is true (not zero, not empty); missing ones are skipped, or with ``skipna=False`` true."""
        numpy_keywords("all", kwargs)
        only_default("all", bool_only=(bool_only, False))
        return self._reduce("all", axis, skipna, False)


class FrameSummaries(Summaries):
    """Summaries of the columns or rows of a frame."""

    __slots__ = ()

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        if numeric_only:
            return wrap_frame(self._handle.numbers())._reduce(name, axis, skipna, False, parameter)
        if name in ("any", "all"):
            if axis is None:
                return self._reduce(name, 0, skipna, False)._reduce(name, 0, skipna, False)
            if axis_number(axis) == 1:
                only_default(f"{name} of rows", skipna=(skipna, True))
        handle = self._handle
        try:
            if axis is None:
                columns = [handle.column_at(i) for i in range(handle.shape()[1])]
                stacked = wrap_series(_cuprum.concat_series(columns, True))
                return stacked._reduce(name, 0, skipna, False, parameter)
            by_row = axis_number(axis) == 1
            return wrap_series(handle.reduce(name, parameter, by_row, skipna or name == "count"))
        except NotImplementedError as error:
            raise TypeError(str(error)) from None

    def count(self, axis: Any = 0, numeric_only: bool = False) -> Series:
        """Return the number of elements in every column (row, with ``axis=1``) that are not missing."""
        return self._reduce("count", axis, True, numeric_only)

    def nunique(self, axis: Any = 0, dropna: bool = True) -> Series:
        """Return the number of different elements in every column (row, with ``axis=1``).

        Missing ones count once unless ``dropna``.
        """
        if axis_number(axis) == 1:
            only_default("nunique of rows", dropna=(dropna, True))
            return self._reduce("nunique", axis, True, False)
        return wrap_series(self._handle.nunique(not dropna))

    def quantile(
        self, q: Any = 0.5, axis: Any = 0, numeric_only: bool = False, interpolation: str = "linear"
    ) -> Any:
        """Return the value below which a share ``q`` of each column lies; see `Series.quantile`.

        A Series for one ``q``, a frame with a row for each of several. With ``axis=1`` of each row,
        for one ``q`` and linear interpolation.
        """
        if axis_number(axis) == 1:
            only_default("quantile of rows", interpolation=(interpolation, "linear"))
            if is_list_like(q):
                raise NotImplementedError("quantile of rows takes one `q`: ask for each")
            return self._reduce("quantile", axis, True, numeric_only, float(q)).rename(float(q))
        frame = wrap_frame(self._handle.numbers()) if numeric_only else self
        if is_list_like(q):
            shares = [float(x) for x in q]
            parts = {label: column.quantile(shares, interpolation) for label, column in frame.items()}
            return objects.DataFrame(parts, index=shares)
        if interpolation == "linear":
            return frame._reduce("quantile", 0, True, False, float(q)).rename(float(q))
        values = [column.quantile(q, interpolation) for _, column in frame.items()]
        return objects.Series(values, index=frame.columns, name=float(q))

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> DataFrame:
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
        return wrap_frame(handle.with_labels(handle.labels(), self._handle.level_names()))

    def idxmax(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
        """Return the row label of the first largest element of every column.

        With ``axis=1`` the column label of that of every row. ``ValueError`` where there is none, and with
        ``skipna=False`` where an element is missing.
        """
        return self._labels_of("idxmax", axis, skipna, numeric_only)

    def idxmin(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
        """Return the row label of the first smallest element of every column; see `idxmax`."""
        return self._labels_of("idxmin", axis, skipna, numeric_only)

    def _labels_of(self, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Series:
        frame = wrap_frame(self._handle.numbers()) if numeric_only else self
        if axis_number(axis) == 1:
            return frame._labels_in_rows(name, skipna)
        labels = [getattr(column, name)(skipna=skipna) for _, column in frame.items()]
        return objects.Series(labels, index=frame.columns)

    def _labels_in_rows(self, name: str, skipna: bool) -> Series:
        """Return the label of the column in which a row is largest or smallest, for every row."""
        if not self.shape[1]:
            raise ValueError(f"Can't get {name} of an empty DataFrame")
        missing = self.isna()
        if not skipna and missing.any(axis=None):
            raise ValueError("Encountered an NA value with skipna=False")
        if missing.all(axis=1).any():
            raise ValueError("Encountered all NA values")
        extremes = self.max(axis=1) if name == "idxmax" else self.min(axis=1)
        positions = objects.Series([-1] * len(self), index=self.index, dtype="int64")
        # The first column that has the value of the row is the last one to be written.
        for at, (_, column) in reversed(list(enumerate(self.items()))):
            positions = positions.where(column != extremes, at)
        labels = _cuprum.label_index(self._handle.labels()).take(positions._handle.column())
        if labels.nlevels() > 1:
            raise NotImplementedError(f"{name} with `axis`=1 does not support hierarchical columns")
        return wrap_series(_cuprum.Series(labels.column(0), None, self._handle.index()))

    def corr(self, method: str = "pearson", min_periods: int = 1, numeric_only: bool = False) -> DataFrame:
        """Return Pearson's correlation of every pair of columns; see `Series.corr`."""
        return self._of_pairs(numeric_only, lambda a, b: a.corr(b, method, min_periods))

    def cov(self, min_periods: int | None = None, ddof: int = 1, numeric_only: bool = False) -> DataFrame:
        """Return the covariance of every pair of columns; see `Series.cov`."""
        return self._of_pairs(numeric_only, lambda a, b: a.cov(b, min_periods, ddof))

    def _of_pairs(self, numeric_only: bool, function: Callable[[Any, Any], float]) -> DataFrame:
        frame = wrap_frame(self._handle.numbers()) if numeric_only else self
        columns = [column for _, column in frame.items()]
        values = [[function(left, right) for left in columns] for right in columns]
        parts = [Column.from_iterable_of_py(part, "float64") for part in values]
        labels = frame._handle.labels()
        handle = _cuprum.DataFrame(labels, parts, _cuprum.label_index(labels))
        return wrap_frame(handle.with_labels(labels, frame._handle.level_names()))

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Return every column reduced by name: a Series; by several in a list or dict of lists: a frame.

        Names are those of the methods; see `Series.agg` for the functions that stand for them.
        """
        if func is None:
            return self._named(kwargs)
        if axis_number(axis) == 1:
            if isinstance(func, Mapping) or is_list_like(func):
                raise NotImplementedError("agg of rows takes one aggregation: ask for each")
            return getattr(self, function_name(func))(*args, axis=1, **kwargs)
        if isinstance(func, Mapping):
            _nothing_else("agg of a dict", args, kwargs)  # pandas ignores them
            if any(is_list_like(f) for f in func.values()):
                listed = {label: list(f) if is_list_like(f) else [f] for label, f in func.items()}
                names = list(dict.fromkeys(function_name(f) for fs in listed.values() for f in fs))
                parts = {
                    label: objects.Series(
                        [self[label].agg(f) for f in fs],
                        index=[function_name(f) for f in fs],
                    )
                    for label, fs in listed.items()
                }
                return objects.DataFrame(parts, index=names)
            return objects.Series([self[label].agg(f) for label, f in func.items()], index=list(func))
        if is_list_like(func):
            names = [function_name(f) for f in func]
            return objects.DataFrame(
                {label: [column.agg(f, 0, *args, **kwargs) for f in func] for label, column in self.items()},
                index=names,
            )
        name = function_name(func)
        if name in _PLAIN:
            _nothing_else(name, args, kwargs)
        if name == "size":
            return objects.Series([len(self)] * self.shape[1], index=self.columns)
        if name in ("first", "last"):
            return self._reduce(name, 0, True, False)
        if function_parameter(func) is not None:
            kwargs.setdefault("ddof", 0)
        return getattr(self, name)(*args, **kwargs)

    aggregate = agg

    def _named(self, pairs: dict[str, Any]) -> DataFrame:
        """Return a row for each ``name=(column, aggregation)``, missing in the other columns."""
        if not pairs:
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        rows: dict[Any, dict[str, Any]] = {}
        for name, pair in pairs.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"`{name}` is {pair!r}; it must be a pair (column, aggregation)")
            rows.setdefault(pair[0], {})[name] = self[pair[0]].agg(pair[1])
        parts = {label: objects.Series(list(v.values()), index=list(v)) for label, v in rows.items()}
        return objects.DataFrame(parts, index=list(pairs))


class SeriesSummaries(Summaries):
    """Summaries of a series."""

    __slots__ = ()

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        if axis is not None and axis != 0:
            axis_number(axis, "Series")
        if numeric_only and self.dtype.kind not in "iufb":
            raise TypeError(f"Series.{name} does not allow numeric_only=True with the type {self.dtype}")
        if not skipna and name not in ("count", "size") and self.hasnans:
            if name == "any":
                return True
            if name != "all":
                return missing_element(self.dtype)
        try:
            value = self._handle.reduce(name, parameter)
        except NotImplementedError as error:
            raise TypeError(str(error)) from None
        if value is None:
            kind = self._handle.dtype()
            return missing_element(kind if kind.kind in "Mm" else DType("float64"))
        return value

    def count(self) -> int:
        """Return the number of elements that are not missing."""
        return self._handle.reduce("count")

    def quantile(self, q: Any = 0.5, interpolation: str = "linear") -> Any:
        """Return the value below which a share ``q`` of the elements lies.

        One value for one ``q``, a Series labelled by them for several. Missing elements are skipped.
        Between two elements ``interpolation`` takes the point on the line (``'linear'``), one of them
        (``'lower'``, ``'higher'``, ``'nearest'``) or their mean (``'midpoint'``).
        """
        if is_list_like(q):
            return wrap_series(self._handle.quantile([float(x) for x in q], interpolation))
        value = self._handle.quantile([float(q)], interpolation).get(0)
        return missing_element(self.dtype) if value is None else value

    def idxmax(self, axis: Any = 0, skipna: bool = True) -> Any:
        """Return the label of the first largest element; ``ValueError`` where there is none.

        With ``skipna=False`` also where an element is missing.
        """
        return self._extreme_label(True, axis, skipna)

    def idxmin(self, axis: Any = 0, skipna: bool = True) -> Any:
        """Return the label of the first smallest element; see `idxmax`."""
        return self._extreme_label(False, axis, skipna)

    def _extreme_label(self, largest: bool, axis: Any, skipna: bool) -> Any:
        axis_number(axis, "Series")
        if not skipna and self.hasnans:
            raise ValueError("Encountered an NA value with skipna=False")
        top = self._handle.top(1, largest)
        if not len(top):
            name = "idxmax" if largest else "idxmin"
            raise ValueError(
                f"Can't get {name} of an empty Series"
                if not len(self)
                else f"Encountered all NA values in {name}"
            )
        label = wrap_index(top.index())[0]
        return int(label) if self._handle.index().as_range() else label

    def argmax(self, axis: Any = 0, skipna: bool = True) -> int:
        """Return the position of the first largest element; see `idxmax`."""
        return self._extreme_position(True, axis, skipna)

    def argmin(self, axis: Any = 0, skipna: bool = True) -> int:
        """Return the position of the first smallest element; see `idxmax`."""
        return self._extreme_position(False, axis, skipna)

    def _extreme_position(self, largest: bool, axis: Any, skipna: bool) -> Any:
        rows = wrap_series(self._handle.drop_index())
        at = rows._extreme_label(largest, axis, skipna)
        import numpy as np

        return np.int64(at)

    def first_valid_index(self) -> Any:
        """Return the label of the first element that is not missing; None where all are."""
        kept = self._handle.dropna()
        return wrap_index(kept.index())[0] if len(kept) else None

    def last_valid_index(self) -> Any:
        """Return the label of the last element that is not missing; None where all are."""
        kept = self._handle.dropna()
        return wrap_index(kept.index())[-1] if len(kept) else None

    def cov(self, other: Series, min_periods: int | None = None, ddof: int = 1) -> float:
        """Return the covariance with another series, rows matched by label, missing pairs skipped.

        NaN where there are fewer than ``min_periods`` pairs.
        """
        left, right = self._deviations(other)
        if len(left) < (min_periods or 1) or len(left) <= ddof:
            return _NAN
        return (left * right).sum() / (len(left) - ddof)

    def corr(self, other: Series, method: str = "pearson", min_periods: int | None = None) -> float:
        """Return Pearson's correlation with another series, rows matched by label, missing pairs skipped.

        NaN where there are fewer than ``min_periods`` pairs.
        """
        only_default("corr", method=(method, "pearson"))
        left, right = self._deviations(other)
        if len(left) < (min_periods or 1):
            return _NAN
        scale = ((left * left).sum() * (right * right).sum()) ** 0.5
        return (left * right).sum() / scale if scale else _NAN

    def _deviations(self, other: Series) -> tuple[Series, Series]:
        """The differences to the mean of the elements of both that have a partner."""
        both = _cuprum.concat_side_by_side([self._handle.to_frame(0), other._handle.to_frame(1)], False)
        table = wrap_frame(both.dropna([], 2)).astype("float64")
        return table[0] - table[0].mean(), table[1] - table[1].mean()

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Series:
        """Return a few values that tell what the elements are like.

        Of numbers count, mean, standard deviation, minimum, the quantiles at ``percentiles`` (the
        quartiles) and maximum. Of times the same as texts. Of other types, as texts, count, number
        of different elements, the most frequent one and its frequency. ``include`` and ``exclude`` choose
        columns of frames: they are refused.
        """
        only_default("Series.describe", include=(include, None), exclude=(exclude, None))
        return wrap_series(self._handle.describe(_shares(percentiles)))

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Return one aggregation by name, or a Series of several in a list or dict (of labels and names).

        Names are those of the methods; NumPy's functions and Python's ``sum``, ``min``, ``max`` and
        ``len`` stand for theirs. Other callables raise ``NotImplementedError``.
        """
        axis_number(axis, "Series")
        if func is None:
            if not kwargs:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            func, kwargs = kwargs, {}
        if isinstance(func, Mapping):
            _nothing_else("agg of a dict", args, kwargs)  # pandas ignores them
            labels, functions = list(func), list(func.values())
        elif is_list_like(func):
            functions = list(func)
            labels = [function_name(f) for f in functions]
        else:
            name = function_name(func)
            if name in _PLAIN:
                _nothing_else(name, args, kwargs)
            if function_parameter(func) is not None:
                kwargs.setdefault("ddof", 0)
            if name in ("first", "last"):
                return self._reduce(name, 0, True, False)
            return len(self) if name == "size" else getattr(self, name)(*args, **kwargs)
        values = [self.agg(f, 0, *args, **kwargs) for f in functions]
        return objects.Series(values, index=labels, name=self.name)

    aggregate = agg


# Aggregations that have no arguments.
_PLAIN = frozenset(["size", "first", "last"])


def _nothing_else(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if args:
        raise TypeError(f"{name}() takes no positional arguments but {len(args)} were given")
    only_known(name, kwargs)


def _shares(percentiles: Any) -> list[float]:
    return [0.25, 0.5, 0.75] if percentiles is None else [float(share) for share in percentiles]
