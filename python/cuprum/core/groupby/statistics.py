"""Statistics of groups that are no aggregations of the engine's: shapes, extremes, descriptions, correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_texts
from cuprum.core.construction import column_from
from cuprum.core.correlation import is_named
from cuprum.core.groupby.agg import GroupAgg
from cuprum.core.groupby.calls import Aggregated, Rows
from cuprum.core.groupby.counts import GroupCounts
from cuprum.core.interop import to_numpy
from cuprum.core.label_columns import has_mixed_labels, level_column
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.type_selection import check_types

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import CorrelationMethod, KeepOfTop

__all__ = ["FrameStatistics", "GroupStatistics", "SeriesStatistics"]

_Columns = list[tuple[Any, Column]]


class GroupStatistics(GroupAgg[Aggregated, Rows], GroupCounts[Aggregated, Rows]):
    """The methods that groups of frames and of series share."""

    __slots__ = ()

    def _put_each(self, columns: _Columns) -> Any:
        """Return a column of values of the groups for each column: a series of one of a series."""
        labels, values = [label for label, _ in columns], [column for _, column in columns]
        names = None if self._of_series() else self._frame._handle.level_names()
        if self._of_series():
            labels = [self._name]
        if not self._as_index:
            return self._with_keys(labels, values, names)
        index = self._keys_index()._handle
        if self._of_series():
            return wrap_series(_cuprum.Series(values[0], self._name, index))
        handle = _cuprum.DataFrame(labels, values, index)
        return wrap_frame(handle.with_labels(labels, names))

    def _values(self, names: list[str], labels: list[Any]) -> dict[tuple[Any, str], Any]:
        """Aggregations of columns, as series without labels, under column and name."""
        requests = [((label, name), label, name) for label in labels for name in names]
        columns = self._results(requests, (), {})
        return {to: wrap_series(_cuprum.Series(c)) for (to, _, _), c in zip(requests, columns, strict=True)}

    def _all_different(self) -> _Columns:
        """The numbers of different elements, a missing one among them."""
        labels = self._inputs()
        found = self._values(["nunique", "count", "size"], labels)
        return [
            (
                label,
                (
                    found[label, "nunique"] + (found[label, "count"] < found[label, "size"]).astype("int64")
                )._handle.column(),
            )
            for label in labels
        ]

    def _any_or_missing(self) -> _Columns:
        """Whether an element is true or missing."""
        labels = self._inputs()
        found = self._values(["any", "count", "size"], labels)
        return [
            (label, (found[label, "any"] | (found[label, "count"] < found[label, "size"]))._handle.column())
            for label in labels
        ]

    def _at_the_ends(self, last: bool, numeric_only: bool, min_count: int) -> _Columns:
        """The first or last element of each group, missing or not."""
        rows, ends = self._rows_and_ends()
        positions = to_numpy(rows).astype("int64")
        at = [
            (positions[start + length - 1 if last else start]).item() if length else None
            for start, length in ends
        ]
        places = (
            column_from(at)
            if any(place is not None for place in at)
            else column_from([None] * len(at), "int64")
        )
        columns = []
        for label in self._inputs(numeric_only):
            series = wrap_series(self._frame._handle.column(label).take(places)).reset_index(drop=True)
            if min_count > 0:
                counts = self._values(["size"], [label])[label, "size"]
                series = series.where(counts >= min_count)
            columns.append((label, series._handle.column()))
        return columns

    # Shapes.

    def skew(self, skipna: bool = True, numeric_only: bool = False) -> Aggregated:
        """Return the skewness of each group, without bias.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. NaN for fewer than three elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 6, 4], index=["x", "x", "x", "y"]).groupby(level=0).skew().round(3)
        x    1.458
        y      NaN
        dtype: float64
        """
        return self._found(self._handle.shape, self._inputs(numeric_only), False, bool(skipna))

    def kurt(self, skipna: bool = True, numeric_only: bool = False) -> Aggregated:
        """Return the excess kurtosis of each group, without bias.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, the result of a group with one is missing.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys. NaN for fewer than four elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4, 9, 4], index=["x", "x", "x", "x", "y"]).groupby(level=0).kurt().round(3)
        x    1.5
        y    NaN
        dtype: float64
        """
        return self._found(self._handle.shape, self._inputs(numeric_only), True, bool(skipna))

    def _quantile(self, q: Any, interpolation: str, numeric_only: bool) -> Any:
        """The values below which a share of every group lies, or several shares; see `quantile`."""
        only_texts(interpolation=interpolation)
        inputs = self._inputs(numeric_only)
        if any(self._frame._handle.column(label).dtype().kind == "b" for label in inputs):
            raise TypeError("Cannot use quantile with bool dtype")
        if is_list_like(q):
            return self._found(self._handle.quantiles, inputs, [float(share) for share in q], interpolation)
        return self._found(self._handle.quantile, inputs, float(q), interpolation)

    def _labels_of(self, largest: bool, skipna: bool, numeric_only: bool) -> Any:
        """The row labels of the first largest or smallest elements."""
        if self._frame._handle.index().nlevels() > 1:
            name = "idxmax" if largest else "idxmin"
            raise NotImplementedError(
                f"{name} of groups of rows with several levels of labels gives tuples, which are no elements: call it "
                "after reset_index(), whose row labels are positions for iloc"
            )
        labels = self._frame._handle.index()
        inputs = self._inputs(numeric_only)
        if not has_mixed_labels(labels):
            return self._aggregated(self._handle.labels_of_extremes(inputs, largest, bool(skipna)))
        groups = self._handle.with_frame(self._frame._handle.drop_index())
        rows = groups.labels_of_extremes(inputs, largest, bool(skipna))
        of_rows = _cuprum.Series(level_column(labels, 0))
        columns = rows.columns()
        found = [of_rows.take(column).column() for column in columns[-len(inputs) :]]
        return self._aggregated(rows.with_columns([*columns[: -len(inputs)], *found]))

    # Descriptions.

    def _described(self, labels: list[Any], percentiles: Any) -> list[tuple[Any, str, Column]]:
        """The statistics of columns: their labels, their names and a value for each group."""
        shares = [0.25, 0.5, 0.75] if percentiles is None else sorted({*map(float, percentiles)})
        told = []
        kinds = {label: self._frame._handle.column(label).dtype().kind for label in labels}
        every = {
            label: self._numbers_told(label, shares) if kind in "iufmM" else self._others_told(label)
            for label, kind in kinds.items()
        }
        # Those of which fewest is told come first, as in pandas.
        names = list(dict.fromkeys(name for found in sorted(every.values(), key=len) for name in found))
        for label, found in every.items():
            for name in names:
                column = found.get(name)
                if column is None:
                    column = column_from([None] * self._handle.num_groups(), "float64")
                told.append((label, name, column))
        return told

    def _numbers_told(self, label: Any, shares: list[float]) -> dict[str, Column]:
        """The statistics of numbers and durations, and of times, which have no standard deviation."""
        kind = self._frame._handle.column(label).dtype().kind
        names = ["count", "mean", "min"] if kind == "M" else ["count", "mean", "std", "min"]
        found = self._values([*names, "max"], [label])
        quantiles = [(to, label, "quantile", share) for to, share in enumerate(shares)]
        handle = self._aggregate(quantiles)
        keys = handle.num_columns() - len(quantiles)
        told = {name: found[label, name]._handle for name in names}
        told |= {_percent(share): handle.column_at(keys + at) for at, share in enumerate(shares)}
        told["max"] = found[label, "max"]._handle
        if kind in "mM":
            return {name: series.column() for name, series in told.items()}
        return {name: series.astype("float64").column() for name, series in told.items()}

    def _others_told(self, label: Any) -> dict[str, Column]:
        """The number of elements and of different ones, the most frequent one and how often it occurs."""
        import numpy as np

        found = self._values(["count", "nunique"], [label])
        rows, counts = self._counted([label], False, True, False, True)
        of = to_numpy(rows.column(0)).astype("int64")
        groups = self._handle.num_groups()
        first = np.full(groups, -1, dtype="int64")
        there = np.flatnonzero(counts > 0)
        first[of[there][::-1]] = there[::-1]
        at = column_from([None if place < 0 else place for place in first.tolist()], "int64")
        top = _cuprum.Series(rows.column(1)).take(at).column()
        freq = _cuprum.Series(column_from(counts)).take(at).column()
        return {
            "count": found[label, "count"]._handle.column(),
            "unique": found[label, "nunique"]._handle.column(),
            "top": top,
            "freq": freq,
        }

    # Rows and monotonic groups.

    def take(self, indices: Any) -> Rows:
        """Return the rows at some positions of each group.

        Parameters
        ----------
        indices : list-like of int
            Positions in each group from 0, negative ones from its end.

        Returns
        -------
        Series or DataFrame
            The rows group after group, in the order of ``indices``, under the keys and their own labels;
            under their own labels alone with ``group_keys=False`` or ``as_index=False``.

        Raises
        ------
        IndexError
            If a group has fewer rows.
        TypeError
            If ``indices`` is no list-like.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> df.groupby("k", group_keys=False).take([-1])
           v
        2  3
        1  2
        """
        import numpy as np

        if not is_list_like(indices):
            raise TypeError(f"take takes a list of `indices`, not {indices!r}")
        wanted = np.array(list(indices), dtype="int64")
        rows, ends = self._rows_and_ends()
        starts = np.array([start for start, _ in ends], dtype="int64")[:, None]
        lengths = np.array([length for _, length in ends], dtype="int64")[:, None]
        if len(wanted) and ((wanted >= lengths) | (wanted < -lengths)).any():
            raise IndexError("indices are out-of-bounds")
        at = (starts + np.where(wanted < 0, wanted + lengths, wanted)).ravel()
        positions = to_numpy(rows).astype("int64")[at]
        handle = self._frame._handle.select(self._inputs()).take(column_from(positions))
        if self._group_keys and self._as_index:
            handle = self._below_keys(handle, np.repeat(np.arange(len(ends)), len(wanted)))
        return self._around(handle.column_at(0) if self._of_series() else handle)


def _percent(share: float) -> str:
    text = f"{share * 100:.10g}"
    return f"{text}%"


class FrameStatistics(GroupStatistics["DataFrame", "DataFrame"]):
    """Statistics of groups of a frame."""

    __slots__ = ()

    def idxmax(self, skipna: bool = True, numeric_only: bool = False) -> DataFrame:
        """Return the row label of the first largest element of each column in each group.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, a group with one raises ``ValueError``.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        DataFrame
            A row of labels for each group.

        Raises
        ------
        ValueError
            If all elements of a group are missing; with ``skipna=False``, if one is.
        NotImplementedError
            For row labels of several levels.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 2], "v": [3, 5, 2]}, index=["a", "b", "c"])
        >>> df.groupby("k", as_index=False).idxmax()
           k  v
        0  1  b
        1  2  c
        """
        return self._labels_of(True, skipna, numeric_only)

    def idxmin(self, skipna: bool = True, numeric_only: bool = False) -> DataFrame:
        """Return the row label of the first smallest element of each column in each group.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, a group with one raises ``ValueError``.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        DataFrame
            A row of labels for each group.

        Raises
        ------
        ValueError
            If all elements of a group are missing; with ``skipna=False``, if one is.
        NotImplementedError
            For row labels of several levels.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 2], "v": [3, 5, 2]}, index=["a", "b", "c"])
        >>> df.groupby("k", as_index=False).idxmin()
           k  v
        0  1  a
        1  2  c
        """
        return self._labels_of(False, skipna, numeric_only)

    def ohlc(self) -> DataFrame:
        """Return the first, largest, smallest and last element of each column in each group.

        Returns
        -------
        DataFrame
            Columns ``open``, ``high``, ``low`` and ``close`` for each column, as a second level of labels.

        Raises
        ------
        DataError
            pandas' error, for columns that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "x", "y"], "v": [3, 5, 2]})
        >>> df.groupby("k").ohlc()["v"].rename_axis(None)
           open  high  low  close
        x     3     5    3      5
        y     2     2    2      2
        """
        told = [(label, name, column) for label in self._inputs() for name, column in _ohlc(self, label)]
        return self._told(told)

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> DataFrame:
        """Return a summary of the elements of each group, column by column.

        Parameters
        ----------
        percentiles : list-like of float, optional
            The shares whose quantiles are told, from 0 to 1; without it 0.25, 0.5 and 0.75.
        include : ``"all"``, dtype or list of dtypes, optional
            The columns to describe. Without it numbers and times, or all columns if there are none of these.
        exclude : dtype or list of dtypes, optional
            The columns to leave out.

        Returns
        -------
        DataFrame
            A row for each group; the names of the statistics are the last level of the column labels. Numbers
            have ``count``, ``mean``, ``std``, ``min``, quantiles and ``max``; others ``count``, ``unique``,
            ``top`` and ``freq``.

        Raises
        ------
        ValueError
            If ``exclude`` goes with ``include="all"``.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 2], "v": [1.0, 3.0, 5.0]})
        >>> df.groupby("k").describe()[("v", "mean")]
        k
        1    2.0
        2    5.0
        Name: (v, mean), dtype: float64
        >>> df.groupby("k").describe(percentiles=[0.5])["v"].columns.to_list()
        ['count', 'mean', 'std', 'min', '50%', 'max']
        """
        every = isinstance(include, str) and include == "all"
        if every and exclude is not None:
            raise ValueError("exclude must be None when include is 'all'")
        labels = self._inputs()
        if (include is not None or exclude is not None) and not every:
            chosen = wrap_frame(self._frame._handle.select(labels)).select_dtypes(include, exclude)
            labels = chosen._handle.labels()
        elif not every:
            kinds = [self._frame._handle.column(label).dtype().kind for label in labels]
            labels = [x for x, kind in zip(labels, kinds, strict=True) if kind in "iufmM"] or labels
        return self._told(self._described(labels, percentiles))

    def _told(self, told: list[tuple[Any, str, Column]]) -> Any:
        """Return values of groups under the labels of their columns and what they are."""
        labels = [(*(label if isinstance(label, tuple) else (label,)), name) for label, name, _ in told]
        columns = [column for _, _, column in told]
        names = [*(self._frame._handle.level_names() or [None]), None]
        if not self._as_index:
            return self._with_keys(labels, columns, names)
        handle = _cuprum.DataFrame(labels, columns, self._keys_index()._handle)
        return wrap_frame(handle.with_labels(labels, names))

    def corr(
        self, method: CorrelationMethod = "pearson", min_periods: int = 1, numeric_only: bool = False
    ) -> DataFrame:
        """Return the correlation of each pair of columns in each group.

        Parameters
        ----------
        method : ``"pearson"``, ``"kendall"``, ``"spearman"`` or callable, default ``"pearson"``
            The coefficient; or a function of two arrays of floats that returns one.
        min_periods : int, default 1
            The least number of rows in which both elements are not missing; with fewer the result is missing.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        DataFrame
            A row for each group and column, labelled by the key and the column; without the keys with
            ``group_keys=False`` or ``as_index=False``.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 1], "a": [1, 2, 3], "b": [3, 2, 1]})
        >>> df.groupby("k", group_keys=False).corr()
             a    b
        a  1.0 -1.0
        b -1.0  1.0
        """
        if not is_named(method) or method == "kendall":
            return self._of_each("corr", {"method": method, "min_periods": min_periods}, numeric_only)
        return self._of_pairs(self._handle.corr, numeric_only, method, max(min_periods, 0))

    def cov(self, min_periods: int | None = None, ddof: int = 1, numeric_only: bool = False) -> DataFrame:
        """Return the covariance of each pair of columns in each group.

        Parameters
        ----------
        min_periods : int, optional
            The least number of rows in which both elements are not missing, 1 without it; with fewer the
            result is missing.
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        DataFrame
            A row for each group and column, labelled by the key and the column; without the keys with
            ``group_keys=False`` or ``as_index=False``.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 1], "a": [1, 2, 3], "b": [3, 2, 1]})
        >>> df.groupby("k", group_keys=False).cov()
             a    b
        a  1.0 -1.0
        b -1.0  1.0
        """
        return self._of_pairs(self._handle.cov, numeric_only, ddof, max(min_periods or 1, 0))

    def _of_pairs(self, find: Any, numeric_only: bool, *options: Any) -> Any:
        inputs = self._inputs(numeric_only)
        if not self._handle.num_groups():
            return self._of_no_group(self._frame._handle.select(inputs))
        return wrap_frame(find(inputs, *options, self._group_keys and self._as_index))

    def corrwith(
        self,
        other: Any,
        drop: bool = False,
        method: CorrelationMethod = "pearson",
        numeric_only: bool = False,
    ) -> DataFrame:
        """Return the correlation of each column with another in each group.

        Parameters
        ----------
        other : Series or DataFrame
            The other columns; rows are matched by label, columns of a frame by label, too.
        drop : bool, default False
            Whether to leave out columns that only one of the frames has; if False, they are missing.
        method : ``"pearson"``, ``"kendall"``, ``"spearman"`` or callable, default ``"pearson"``
            The coefficient; or a function of two arrays of floats that returns one.
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.

        Returns
        -------
        DataFrame
            A row for each group, a column for each column.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 2, 2], "a": [1, 2, 3, 4]})
        >>> df.groupby("k").corrwith(cuprum.Series([1, 3, 3, 1]))["a"]
        k
        1    1.0
        2   -1.0
        Name: a, dtype: float64
        """
        return self._of_each("corrwith", {"other": other, "drop": drop, "method": method}, numeric_only)

    def _of_each(self, name: str, options: dict[str, Any], numeric_only: bool) -> Any:
        return self._by_group(lambda group: getattr(group, name)(**options), self._inputs(numeric_only))


class SeriesStatistics(GroupStatistics[Aggregated, "Series"]):
    """Statistics of groups of a series."""

    __slots__ = ()

    def idxmax(self, skipna: bool = True) -> Aggregated:
        """Return the row label of the first largest element of each group.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, a group with one raises ``ValueError``.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Raises
        ------
        ValueError
            If all elements of a group are missing; with ``skipna=False``, if one is.
        NotImplementedError
            For row labels of several levels.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 5, 2], index=["a", "b", "c"]).groupby([1, 1, 2]).idxmax()
        1    b
        2    c
        dtype: str
        """
        return self._labels_of(True, skipna, False)

    def idxmin(self, skipna: bool = True) -> Aggregated:
        """Return the row label of the first smallest element of each group.

        Parameters
        ----------
        skipna : bool, default True
            Whether to pass over missing elements; if False, a group with one raises ``ValueError``.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Raises
        ------
        ValueError
            If all elements of a group are missing; with ``skipna=False``, if one is.
        NotImplementedError
            For row labels of several levels.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 5, 2], index=["a", "b", "c"]).groupby([1, 1, 2]).idxmin()
        1    a
        2    c
        dtype: str
        """
        return self._labels_of(False, skipna, False)

    def ohlc(self) -> DataFrame:
        """Return the first, largest, smallest and last element of each group.

        Returns
        -------
        DataFrame
            Columns ``open``, ``high``, ``low`` and ``close``, a row for each group.

        Raises
        ------
        DataError
            pandas' error, for elements that are no numbers.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([3, 5, 2]).groupby([1, 1, 1]).ohlc()
           open  high  low  close
        1     3     5    2      2
        """
        return self._told(_ohlc(self, self._selection))

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> DataFrame:
        """Return a summary of the elements of each group.

        Parameters
        ----------
        percentiles : list-like of float, optional
            The shares whose quantiles are told, from 0 to 1; without it 0.25, 0.5 and 0.75.
        include : ``"all"``, dtype or list of dtypes, optional
            Accepted for compatibility with frames; it changes nothing.
        exclude : dtype or list of dtypes, optional
            Accepted for compatibility with frames; it changes nothing.

        Returns
        -------
        DataFrame
            A row for each group, a column for each statistic: of numbers ``count``, ``mean``, ``std``,
            ``min``, quantiles and ``max``, of others ``count``, ``unique``, ``top`` and ``freq``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, 3.0, 5.0]).groupby([1, 1, 2]).describe(percentiles=[0.5])
           count  mean       std  min  50%  max
        1    2.0   2.0  1.414214  1.0  2.0  3.0
        2    1.0   5.0       NaN  5.0  5.0  5.0
        """
        check_types(include, exclude)
        told = self._described([self._selection], percentiles)
        return self._told([(name, column) for _, name, column in told])

    def _told(self, told: list[tuple[str, Column]]) -> Any:
        labels, columns = [name for name, _ in told], [column for _, column in told]
        if not self._as_index:
            return self._with_keys(labels, columns, None)
        return wrap_frame(_cuprum.DataFrame(labels, columns, self._keys_index()._handle))

    def nlargest(self, n: int = 5, keep: KeepOfTop = "first") -> Series:
        """Return the largest elements of each group.

        Parameters
        ----------
        n : int, default 5
            The number of elements of each group.
        keep : ``"first"``, ``"last"`` or ``"all"``, default ``"first"``
            Which of equal elements to take where not all have a place; ``"all"`` may give more than ``n``.

        Returns
        -------
        Series
            The elements group after group, largest first, labelled by the keys and their own labels. Missing
            elements come last.

        Examples
        --------
        >>> import cuprum
        >>> top = cuprum.Series([1, 5, 3, 2]).groupby(["x", "x", "x", "y"]).nlargest(2)
        >>> top.to_list(), top.index.to_list()
        ([5, 3, 2], [('x', 1), ('x', 2), ('y', 3)])
        """
        return self._by_group(lambda group: group.nlargest(n, keep=keep), self._inputs())

    def nsmallest(self, n: int = 5, keep: KeepOfTop = "first") -> Series:
        """Return the smallest elements of each group.

        Parameters
        ----------
        n : int, default 5
            The number of elements of each group.
        keep : ``"first"``, ``"last"`` or ``"all"``, default ``"first"``
            Which of equal elements to take where not all have a place; ``"all"`` may give more than ``n``.

        Returns
        -------
        Series
            The elements group after group, smallest first, labelled by the keys and their own labels. Missing
            elements come last.

        Examples
        --------
        >>> import cuprum
        >>> least = cuprum.Series([1, 5, 3, 2]).groupby(["x", "x", "x", "y"]).nsmallest(2)
        >>> least.to_list(), least.index.to_list()
        ([1, 3, 2], [('x', 0), ('x', 2), ('y', 3)])
        """
        return self._by_group(lambda group: group.nsmallest(n, keep=keep), self._inputs())

    def corr(
        self, other: Any, method: CorrelationMethod = "pearson", min_periods: int | None = None
    ) -> Aggregated:
        """Return the correlation of each group with another series.

        Parameters
        ----------
        other : Series
            The other elements; rows are matched by label.
        method : ``"pearson"``, ``"kendall"``, ``"spearman"`` or callable, default ``"pearson"``
            The coefficient; or a function of two arrays of floats that returns one.
        min_periods : int, optional
            The least number of rows in which both elements are not missing; with fewer the result is missing.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 3, 4]).groupby(["x", "x", "y", "y"]).corr(cuprum.Series([1, 3, 3, 1]))
        x    1.0
        y   -1.0
        dtype: float64
        """
        if is_named(method) and method != "kendall" and self._is_matched(other):
            found = self._handle.corr_with(self._selection, other._handle, method, max(min_periods or 1, 0))
            return self._aggregated(found)
        return self._by_group(lambda group: group.corr(other, method, min_periods), self._inputs())

    def cov(self, other: Any, min_periods: int | None = None, ddof: int = 1) -> Aggregated:
        """Return the covariance of each group with another series.

        Parameters
        ----------
        other : Series
            The other elements; rows are matched by label.
        min_periods : int, optional
            The least number of rows in which both elements are not missing; with fewer the result is missing.
        ddof : int, default 1
            Delta degrees of freedom: the divisor is ``count - ddof``, the result missing where that is not
            positive.

        Returns
        -------
        Series or DataFrame
            A row for each group, labelled by its keys; with ``as_index=False`` a frame whose first columns
            are the keys.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 3, 4]).groupby(["x", "x", "y", "y"]).cov(cuprum.Series([1, 3, 3, 1]))
        x    1.0
        y   -1.0
        dtype: float64
        """
        if self._is_matched(other):
            found = self._handle.cov_with(self._selection, other._handle, ddof, max(min_periods or 1, 0))
            return self._aggregated(found)
        return self._by_group(lambda group: group.cov(other, min_periods, ddof), self._inputs())

    def _is_matched(self, other: Any) -> bool:
        """Whether a series has one element at most for every row."""
        return isinstance(other, objects.Series) and other.index.is_unique and self._handle.num_groups() > 0

    @property
    def is_monotonic_increasing(self) -> Series:
        """Whether the elements of every group never decrease and none is missing."""
        return self._put_each([(self._name, self._monotonic("lt"))])

    @property
    def is_monotonic_decreasing(self) -> Series:
        """Whether the elements of every group never increase and none is missing."""
        return self._put_each([(self._name, self._monotonic("gt"))])

    def _monotonic(self, broken_by: str) -> Column:
        import numpy as np

        rows, ends = self._rows_and_ends()
        series = _cuprum.Series(self._frame._handle.column(self._selection).take(rows).column())
        breaks = to_numpy(series.isna().column()).astype(bool)
        steps = series.binary(series.shift(1), broken_by).column()
        broken = to_numpy(steps) == True  # noqa: E712
        broken[[start for start, length in ends if length]] = False
        numbers = np.repeat(np.arange(len(ends)), [length for _, length in ends])
        return column_from(np.bincount(numbers[broken | breaks], minlength=len(ends)) == 0)


def _ohlc(groups: Any, label: Any) -> list[tuple[str, Column]]:
    from pandas.errors import DataError

    if groups._frame._handle.column(label).dtype().kind not in "iufb":
        raise DataError("No numeric types to aggregate")
    found = groups._values(["first", "max", "min", "last"], [label])
    names = {"open": "first", "high": "max", "low": "min", "close": "last"}
    return [(name, found[label, of]._handle.column()) for name, of in names.items()]
