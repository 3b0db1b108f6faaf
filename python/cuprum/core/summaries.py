"""Summaries: one value for each column or row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.across import codes_in_order, nunique_of_rows, quantile_of_rows, reduced_unlike_rows
from cuprum.core.arguments import (
    axis_number,
    check_truth,
    is_list_like,
    numpy_keywords,
    only_default,
    only_known,
    only_texts,
    only_truth,
    plain_label,
    truth_of,
)
from cuprum.core.correlation import correlation_of_series, correlations, is_of_sums, refuse_texts
from cuprum.core.groupby.aggregation import (
    function_label,
    function_name,
    function_parameter,
    request,
)
from cuprum.core.index.index import wrap_index
from cuprum.core.label_positions import are_repeated, numbered, places_of
from cuprum.core.missing import missing_element
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, ours, wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        Axis,
        CorrelationMethod,
        HasColumns,
        Interpolation,
        ListLike,
        RowAxis,
        Scalar,
    )

__all__ = ["FrameSummaries", "SeriesSummaries", "Summaries", "check_types"]


class Summaries(Wrapper):
    """What frames and series share; each is reduced by the class's ``_reduce``."""

    __slots__ = ()

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        raise NotImplementedError

    @overload
    def sum(
        self: HasColumns, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ..., min_count: int = ...
    ) -> Series: ...
    @overload
    def sum(
        self, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ..., min_count: int = ...
    ) -> Scalar: ...
    def sum(
        self,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        """Return the sum; missing elements are skipped, the sum of none is 0."""
        if kwargs:
            numpy_keywords("sum", kwargs)
        if min_count > 0:
            return self._total("sum", axis, skipna, numeric_only, min_count)
        return self._reduce("sum", axis, skipna, numeric_only)

    @overload
    def prod(
        self: HasColumns, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ..., min_count: int = ...
    ) -> Series: ...
    @overload
    def prod(
        self, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ..., min_count: int = ...
    ) -> Scalar: ...
    def prod(
        self,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        """Return the product; missing elements are skipped, the product of none is 1."""
        if kwargs:
            numpy_keywords("prod", kwargs)
        if min_count > 0:
            return self._total("prod", axis, skipna, numeric_only, min_count)
        return self._reduce("prod", axis, skipna, numeric_only)

    product = prod

    def _total(self, name: str, axis: Any, skipna: bool, numeric_only: bool, min_count: int) -> Any:
        """Return the sum or product of at least ``min_count`` elements that are not missing, else missing."""
        total = self._reduce(name, axis, skipna, numeric_only)
        count = self._reduce("count", axis, True, numeric_only)
        if isinstance(total, Wrapper):
            return total.where(count >= min_count)
        if count >= min_count:
            return total
        dtype = self._handle.dtype()
        return missing_element(dtype) if dtype.kind in "fMm" else float("nan")

    @overload
    def min(self: HasColumns, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
    @overload
    def min(self, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...) -> Scalar: ...
    def min(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the smallest element; missing ones are skipped, of none it is missing."""
        if kwargs:
            numpy_keywords("min", kwargs)
        return self._reduce("min", axis, skipna, numeric_only)

    @overload
    def max(self: HasColumns, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
    @overload
    def max(self, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...) -> Scalar: ...
    def max(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the largest element; missing ones are skipped, of none it is missing."""
        if kwargs:
            numpy_keywords("max", kwargs)
        return self._reduce("max", axis, skipna, numeric_only)

    @overload
    def mean(self: HasColumns, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
    @overload
    def mean(self, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...) -> float: ...
    def mean(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the mean; missing elements are skipped, of none it is missing."""
        if kwargs:
            numpy_keywords("mean", kwargs)
        return self._reduce("mean", axis, skipna, numeric_only)

    @overload
    def median(
        self: HasColumns, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...
    ) -> Series: ...
    @overload
    def median(self, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...) -> float: ...
    def median(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the median; missing elements are skipped, of none it is missing."""
        if kwargs:
            numpy_keywords("median", kwargs)
        return self._reduce("median", axis, skipna, numeric_only)

    @overload
    def std(
        self: HasColumns, axis: Axis = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
    ) -> Series: ...
    @overload
    def std(
        self, axis: Axis | None = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
    ) -> float: ...
    def std(
        self, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the standard deviation with divisor ``count - ddof``; missing elements are skipped."""
        if kwargs:
            numpy_keywords("std", kwargs)
        return self._reduce("std", axis, skipna, numeric_only, float(ddof))

    @overload
    def var(
        self: HasColumns, axis: Axis = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
    ) -> Series: ...
    @overload
    def var(
        self, axis: Axis | None = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
    ) -> float: ...
    def var(
        self, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the variance with divisor ``count - ddof``; missing elements are skipped."""
        if kwargs:
            numpy_keywords("var", kwargs)
        return self._reduce("var", axis, skipna, numeric_only, float(ddof))

    @overload
    def sem(
        self: HasColumns, axis: Axis = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
    ) -> Series: ...
    @overload
    def sem(
        self, axis: Axis | None = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
    ) -> float: ...
    def sem(
        self, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the standard error of the mean."""
        if kwargs:
            numpy_keywords("sem", kwargs)
        return self._reduce("sem", axis, skipna, numeric_only, float(ddof))

    @overload
    def any(self: HasColumns, *, axis: Axis = ..., bool_only: bool = ..., skipna: bool = ...) -> Series: ...
    @overload
    def any(self, *, axis: Axis | None = ..., bool_only: bool = ..., skipna: bool = ...) -> bool: ...
    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Return whether an element is true (not zero, not empty); missing ones are skipped, or with ``skipna=False`` true.

        With ``bool_only`` of the columns of truth values only; a series has to be of numbers.
        """
        if kwargs:
            numpy_keywords("any", kwargs)
        return self._chosen_truths("any", bool_only)._reduce("any", axis, skipna, False)

    @overload
    def all(self: HasColumns, axis: Axis = ..., bool_only: bool = ..., skipna: bool = ...) -> Series: ...
    @overload
    def all(self, axis: Axis | None = ..., bool_only: bool = ..., skipna: bool = ...) -> bool: ...
    def all(self, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Return whether every element is true (not zero, not empty); missing ones are skipped, or with ``skipna=False`` true.

        With ``bool_only`` of the columns of truth values only; a series has to be of numbers.
        """
        if kwargs:
            numpy_keywords("all", kwargs)
        return self._chosen_truths("all", bool_only)._reduce("all", axis, skipna, False)

    def _reduced_rows(self, name: str, parameter: float | None, skipna: bool) -> Any:
        """Return the reduction of every row."""
        handle = self._handle
        try:
            return wrap_series(handle.reduce(name, parameter, True, skipna))
        except (TypeError, NotImplementedError):
            made = reduced_unlike_rows(self, name, skipna)
            if made is None:
                raise
            return made

    def _chosen_truths(self, name: str, bool_only: Any) -> Any:
        """Return what ``any`` and ``all`` are of with ``bool_only``."""
        raise NotImplementedError


def _with_spans(handle: Any) -> Any:
    """Return a frame with times as how far they are from the first one, which spread as they do."""
    kinds = [kind.kind for kind in handle.dtypes()]
    if "M" not in kinds:
        return handle
    frame = wrap_frame(handle).copy()
    for at, kind in enumerate(kinds):
        if kind == "M":
            times = frame.iloc[:, at]
            frame.isetitem(at, times - times.min())
    return frame._handle


class FrameSummaries(Summaries):
    """Summaries of the columns or rows of a frame."""

    __slots__ = ()

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        skipna = truth_of("skipna", skipna)
        if numeric_only:
            return wrap_frame(self._handle.numbers())._reduce(name, axis, skipna, False, parameter)
        if name in ("any", "all"):
            if axis is None:
                return self._reduce(name, 0, skipna, False)._reduce(name, 0, skipna, False)
            if not self._handle.shape()[1] and axis_number(axis) == 0:
                return objects.Series([], index=self.columns, dtype="bool")
            if axis_number(axis) == 1 and not skipna:
                found = self._reduce(name, 1, True, False)
                # A missing element is true.
                return found if name == "all" else found | wrap_frame(self._handle).isna().any(axis=1)
        handle = self._handle
        if name == "std":
            handle = _with_spans(handle)
        try:
            if axis is None:
                columns = [handle.column_at(i) for i in range(handle.shape()[1])]
                if {column.dtype().kind for column in columns} & set("iuf"):
                    # Truth values are numbers among numbers.
                    columns = [c.astype("int64") if c.dtype().kind == "b" else c for c in columns]
                stacked = wrap_series(_cuprum.concat_series(columns, True))
                return stacked._reduce(name, 0, skipna, False, parameter)
            by_row = axis_number(axis) == 1
            kept = skipna or name == "count"
            if by_row and name in ("min", "max"):
                zones = {dtype.tz for dtype in handle.dtypes()}
                if None not in zones and len(zones) == 1:
                    # Instants are in the order of their times in UTC.
                    plain = self._map(lambda s: wrap_series(s).dt.tz_convert(None)._handle)
                    found = plain._reduce(name, 1, skipna, False)
                    return found.dt.tz_localize("UTC").dt.tz_convert(zones.pop())
            if by_row:
                return self._reduced_rows(name, parameter, kept)
            return self._beside_each_other(
                lambda: handle.reduce(name, parameter, False, kept),
                handle.labels(),
                lambda i: wrap_series(handle.column_at(i))._reduce(name, 0, kept, False, parameter),
            )
        except NotImplementedError as error:
            raise TypeError(str(error)) from None

    def _chosen_truths(self, name: str, bool_only: Any) -> Any:
        if not bool_only:
            return self
        handle = self._handle
        chosen = [i for i, dtype in enumerate(handle.dtypes()) if dtype.kind == "b"]
        return wrap_frame(handle.select_positions(chosen))

    def _beside_each_other(self, together: Any, labels: list[Any], value_of: Any) -> Any:
        """Return a Series of values of columns; of objects where they have no common type."""
        try:
            return wrap_series(together())
        except TypeError:
            values: list[Any] = []
            if len({dtype.kind for dtype in self._handle.dtypes()}) > 1:
                with suppress(TypeError):
                    values = [value_of(i) for i in range(len(labels))]
            if len(values) < len(labels):
                raise  # a column cannot be reduced; the error names it
        return objects.record(labels, values, None, self._handle.level_names())

    def count(self, axis: Axis = 0, numeric_only: bool = False) -> Series:
        """Return the number of elements in every column (row, with ``axis=1``) that are not missing."""
        return self._reduce("count", axis, True, numeric_only)

    def nunique(self, axis: Axis = 0, dropna: bool = True) -> Series:
        """Return the number of different elements in every column (row, with ``axis=1``).

        Missing ones count once unless ``dropna``.
        """
        if axis_number(axis) == 1:
            if not dropna:
                return nunique_of_rows(self, False)
            return self._reduce("nunique", axis, True, False)
        return wrap_series(self._handle.nunique(not dropna))

    @overload
    def quantile(
        self,
        q: float = ...,
        axis: Axis = ...,
        numeric_only: bool = ...,
        interpolation: Interpolation = ...,
        method: Literal["single"] = ...,
    ) -> Series: ...
    @overload
    def quantile(
        self,
        q: ListLike,
        axis: Axis = ...,
        numeric_only: bool = ...,
        interpolation: Interpolation = ...,
        method: Literal["single"] = ...,
    ) -> DataFrame: ...
    def quantile(
        self,
        q: Any = 0.5,
        axis: Any = 0,
        numeric_only: bool = False,
        interpolation: str = "linear",
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

    def describe(
        self,
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

    def idxmax(self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
        """Return the row label of the first largest element of every column.

        With ``axis=1`` the column label of that of every row; a Series of tuples where rows have several levels of
        labels. ``ValueError`` where there is none, and with ``skipna=False`` where an element is missing.
        """
        return self._labels_of("idxmax", axis, skipna, numeric_only)

    def idxmin(self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
        """Return the row label of the first smallest element of every column; see `idxmax`."""
        return self._labels_of("idxmin", axis, skipna, numeric_only)

    def _labels_of(self, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        handle = self._handle.numbers() if numeric_only else self._handle
        if axis_number(axis) == 0 and handle.index().nlevels() > 1:
            columns = [wrap_series(handle.column_at(i)) for i in range(handle.shape()[1])]
            found = [getattr(column, name)(skipna=skipna) for column in columns]
            return objects.record(handle.labels(), found, None, handle.level_names())
        by_row = axis_number(axis) == 1
        if by_row:
            codes = codes_in_order(wrap_frame(handle))
            handle = handle if codes is None else codes._handle
        return wrap_series(handle.labels_of(name == "idxmax", by_row, bool(skipna)))

    def corr(
        self, method: CorrelationMethod = "pearson", min_periods: int = 1, numeric_only: bool = False
    ) -> DataFrame:
        """Return the correlation of every pair of columns; see `Series.corr`."""
        handle = self._handle.numbers() if numeric_only else self._handle
        refuse_texts(handle)
        if not is_of_sums(method):
            return correlations(wrap_frame(handle), method, min_periods or 1)
        return wrap_frame(handle.corr(method, max(min_periods, 0)))

    def cov(
        self, min_periods: int | None = None, ddof: int | None = 1, numeric_only: bool = False
    ) -> DataFrame:
        """Return the covariance of every pair of columns; see `Series.cov`."""
        handle = self._handle.numbers() if numeric_only else self._handle
        refuse_texts(handle)
        return wrap_frame(handle.cov(1 if ddof is None else ddof, max(min_periods or 1, 0)))

    def _agg_by_name(self, func: Any, axis: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return every column reduced by name: a Series; by several in a list or dict of lists: a frame.

        Names are those of the methods; see `Series.agg` for the functions that stand for them.
        """
        if func is None:
            return self._named(kwargs)
        labels = self._handle.labels()
        if axis_number(axis) == 0 and is_list_like(func) and are_repeated(labels):
            return self._by_position(func, labels, args, kwargs)
        if axis_number(axis) == 1:
            if isinstance(func, Mapping) or is_list_like(func):
                raise NotImplementedError("agg of rows takes one aggregation: ask for each")
            name = function_name(func)
            if name == "size":
                _nothing_else(name, args, kwargs)
                return objects.Series([self.shape[1]] * len(self), index=self.index)
            if function_parameter(func) is not None:
                kwargs.setdefault("ddof", 0)
            return getattr(self, name)(*args, axis=1, **kwargs)
        if isinstance(func, Mapping):
            _nothing_else("agg of a dict", args, kwargs)  # pandas ignores them
            if not func:
                return objects.DataFrame()
            if any(is_list_like(f) for f in func.values()):
                columns = [
                    (plain_label(label), _named(fs if is_list_like(fs) else [fs], (), {}))
                    for label, fs in func.items()
                ]
                return self._several([(label, each) for label, each in columns if each], True)
            each = [(plain_label(label), *request(f, (), {})) for label, f in func.items()]
            return self._beside_each_other(
                lambda: self._handle.reduce_columns(each, True),
                [label for label, *_ in each],
                lambda i: wrap_series(self._handle.column(each[i][0]))._reduce(
                    each[i][1], 0, True, False, each[i][2]
                ),
            )
        if is_list_like(func):
            if kwargs.pop("numeric_only", False):
                return wrap_frame(self._handle.numbers())._agg_by_name(func, axis, args, kwargs)
            skipna = bool(kwargs.pop("skipna", True))
            try:
                return self._several(_named(func, args, kwargs), skipna)
            except TypeError:
                made = objects.mixed_by_pandas(type(self).agg, (self, func, 0, *args), kwargs)
                if made is None:
                    raise
                return made[0]
        name = function_name(func)
        if name in _PLAIN:
            _nothing_else(name, args, kwargs)
        _no_axis(name, args)
        if name == "size":
            return objects.Series([len(self)] * self.shape[1], index=self.columns)
        if name in ("first", "last"):
            return self._reduce(name, 0, True, False)
        if function_parameter(func) is not None:
            kwargs.setdefault("ddof", 0)
        return getattr(self, name)(*args, **kwargs)

    def _by_position(
        self, func: Any, labels: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return several aggregations of columns whose labels repeat; those of a label in a dict are of all its columns."""
        if isinstance(func, Mapping):
            absent = [label for label in func if not self._handle.contains(plain_label(label))]
            if absent:
                raise KeyError(f"Label(s) {absent} do not exist")
            func = {at: f for label, f in func.items() for at in places_of(plain_label(label), labels)}
        made = wrap_frame(numbered(self._handle))._agg_by_name(func, 0, args, kwargs)
        if isinstance(made, objects.DataFrame):
            handle = made._handle
            found = [labels[at] for at in handle.labels()]
            return wrap_frame(handle.with_labels(found, self._handle.level_names()))
        found = [labels[at] for at in made.index.to_list()]
        return (
            objects.record(found, made.to_list())
            if isinstance(made, objects.SeriesOfObjects)
            else made.set_axis(objects.Index(found))
        )

    def _named(self, pairs: dict[str, Any]) -> DataFrame:
        """Return a row for each ``name=(column, aggregation)``, missing in the other columns."""
        if not pairs:
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        requests = []
        for name, pair in pairs.items():
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"`{name}` is {pair!r}; it must be a pair (column, aggregation)")
            requests.append((name, plain_label(pair[0]), *request(pair[1], (), {})))
        made = self._several(requests, True)
        made.columns = made.columns.set_names([None] * made.columns.nlevels)
        return made

    def _several(self, what: list[Any], skipna: bool) -> DataFrame:
        """Return a row for each name of aggregations."""
        return wrap_frame(self._handle.agg(what, skipna))


# What Python's operators say of lists and dicts, as they do in pandas.
_OF_OBJECTS = frozenset({"sum", "min", "max"})


class SeriesSummaries(Summaries):
    """Summaries of a series."""

    __slots__ = ()

    def _chosen_truths(self, name: str, bool_only: Any) -> Any:
        if bool_only and self.dtype.kind in "mM":
            raise TypeError(f"Series.{name} does not allow bool_only=True with the type {self.dtype}")
        return self

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        skipna = truth_of("skipna", skipna)
        if axis is not None and axis != 0:
            axis_number(axis, "Series")
        if numeric_only and self.dtype.kind not in "iufb":
            raise TypeError(f"Series.{name} does not allow numeric_only=True with the type {self.dtype}")
        if name == "std" and self.dtype.kind == "M":
            return (self - self.min())._reduce(name, axis, skipna, False, parameter)
        try:
            value = self._handle.reduce(name, parameter)
        except (NotImplementedError, TypeError) as error:
            if name in _OF_OBJECTS and (self.dtype.element_type is not None or self.dtype.fields is not None):
                return getattr(self.astype(object), name)(skipna=skipna)
            raise TypeError(str(error)) from None
        if not skipna and name not in ("count", "size", "all") and self.hasnans:
            return True if name == "any" else missing_element(self.dtype)
        if value is None:
            kind = self._handle.dtype()
            return missing_element(kind if kind.kind in "Mm" else DType("float64"))
        return value

    def count(self) -> int:
        """Return the number of elements that are not missing."""
        return self._handle.reduce("count")

    @overload
    def quantile(
        self,
        q: float = ...,
        interpolation: Interpolation = ...,
        *,
        exact: bool = ...,
        quant_index: bool = ...,
    ) -> float: ...
    @overload
    def quantile(
        self, q: ListLike, interpolation: Interpolation = ..., *, exact: bool = ..., quant_index: bool = ...
    ) -> Series: ...
    def quantile(
        self, q: Any = 0.5, interpolation: str = "linear", *, exact: bool = True, quant_index: bool = True
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

    def idxmax(self, axis: RowAxis | None = 0, skipna: bool = True) -> Scalar:
        """Return the label of the first largest element; ``ValueError`` where there is none.

        With ``skipna=False`` also where an element is missing.
        """
        return self._extreme_label(True, axis, skipna)

    def idxmin(self, axis: RowAxis | None = 0, skipna: bool = True) -> Scalar:
        """Return the label of the first smallest element; see `idxmax`."""
        return self._extreme_label(False, axis, skipna)

    def _extreme_label(self, largest: bool, axis: Any, skipna: bool) -> Any:
        at = self._extreme_position(largest, axis, skipna)
        index = self._handle.index()
        label = wrap_index(index)[at]
        return int(label) if index.as_range() else label

    def argmax(self, axis: RowAxis | None = 0, skipna: bool = True) -> int:
        """Return the position of the first largest element; see `idxmax`."""
        return self._extreme_position(True, axis, skipna)

    def argmin(self, axis: RowAxis | None = 0, skipna: bool = True) -> int:
        """Return the position of the first smallest element; see `idxmax`."""
        return self._extreme_position(False, axis, skipna)

    def _extreme_position(self, largest: bool, axis: Any, skipna: bool) -> Any:
        axis_number(axis, "Series")
        import numpy as np

        return np.int64(self._handle.row_of(largest, bool(skipna)))

    @objects_where_mixed
    def cov(self, other: Series, min_periods: int | None = None, ddof: int | None = 1) -> float:
        """Return the covariance with another series, rows matched by label, missing pairs skipped.

        NaN where there are fewer than ``min_periods`` pairs.
        """
        degrees = 1 if ddof is None else ddof
        this, other = _counts_of_times(self), _counts_of_times(_other_series("cov", other))
        return _numpy_float(this._handle.cov(other._handle, degrees, max(min_periods or 1, 0)))

    @objects_where_mixed
    def corr(
        self, other: Series, method: CorrelationMethod = "pearson", min_periods: int | None = None
    ) -> float:
        """Return the correlation with another series, rows matched by label, missing pairs skipped.

        ``method`` is ``'pearson'``, ``'spearman'``, the correlation of ranks, ``'kendall'``, how many pairs are in
        the same order (tau-b), or a function of two arrays. NaN where there are fewer than ``min_periods`` pairs.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 3, 4]).corr(cuprum.Series([1, 3, 2, 4]), method="kendall")
        np.float64(0.6666666666666669)
        """
        this, other = _counts_of_times(self), _counts_of_times(_other_series("corr", other))
        if not is_of_sums(method):
            return _numpy_float(correlation_of_series(this, other, method, min_periods or 1))
        return _numpy_float(this._handle.corr(other._handle, method, max(min_periods or 1, 0)))

    def autocorr(self, lag: int = 1) -> float:
        """Return the correlation of the elements with those ``lag`` rows before them.

        Examples
        --------
        >>> import cuprum
        >>> round(cuprum.Series([1.0, 2.0, 1.0, 4.0]).autocorr(), 3)
        np.float64(-0.756)
        """
        this: Any = self
        return this.corr(this.shift(lag))

    def describe(
        self,
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
            told[name]()
            if name in told
            else values.quantile(next(quantiles))
            if "%" in name
            else float("nan")
            for name in names
        ]
        return objects.record(names, found, self._handle.name())

    def _agg_by_name(self, func: Any, axis: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
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
            each = [(plain_label(label), *request(f, (), {})) for label, f in func.items()]
            return wrap_series(self._handle.agg(each, True))
        if is_list_like(func):
            skipna = bool(kwargs.pop("skipna", True))
            return wrap_series(self._handle.agg(_named(func, args, kwargs), skipna))
        name = function_name(func)
        if name in _PLAIN:
            _nothing_else(name, args, kwargs)
        if function_parameter(func) is not None:
            kwargs.setdefault("ddof", 0)
        _no_axis(name, args)
        if name in ("first", "last"):
            return self._reduce(name, 0, True, False)
        return len(self) if name == "size" else getattr(self, name)(*args, **kwargs)


# Aggregations that have no arguments.
_PLAIN = frozenset(["size", "first", "last"])


# Aggregations whose first argument is the axis, which `agg` has itself.
_AXIS_FIRST = frozenset(["sum", "prod", "min", "max", "mean", "median", "std", "var", "sem", "all"])


def _no_axis(name: str, args: tuple[Any, ...]) -> None:
    if args and name in _AXIS_FIRST:
        raise TypeError(f"{name}() takes no positional arguments in agg, but {len(args)} were given")


def _nothing_else(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if args:
        raise TypeError(f"{name}() takes no positional arguments but {len(args)} were given")
    only_known(name, kwargs)


def _named(functions: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Return aggregations with their names, each with the further arguments of ``agg``."""
    return [(function_label(f), *request(f, args, kwargs)) for f in functions]


def _shares(percentiles: Any) -> list[float]:
    return [0.25, 0.5, 0.75] if percentiles is None else [float(share) for share in percentiles]


def check_types(include: Any, exclude: Any) -> None:
    """Fail for what is no type by which ``describe`` of a frame chooses columns."""
    for chosen in (include, exclude):
        if chosen is not None and not (isinstance(chosen, str) and chosen == "all"):
            objects.DataFrame({"": [0]}).select_dtypes(chosen)


def _numpy_float(value: float) -> Any:
    import numpy as np

    return np.float64(value)


def _counts_of_times(series: Any) -> Any:
    """Return times and durations as integers in their unit, and other elements as they are."""
    return series.astype("int64") if series.dtype.kind in "mM" else series


def _other_series(function: str, other: Any) -> Any:
    """Return a series of ours; ``TypeError`` for what is none."""
    series = ours(other)
    if not isinstance(series, objects.Series):
        raise TypeError(f"Series.{function} takes a Series as `other`, not {other!r}")
    return series


def _quantiles_of_decimals(series: Any, shares: list[Any], interpolation: str) -> Any:
    """Return the elements at shares of those that are not missing, labelled by the shares."""
    import numpy as np

    choose = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}.get(interpolation)
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
