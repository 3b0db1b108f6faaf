"""Reductions: one value for each column or row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    numpy_keywords,
    truth_of,
)
from cuprum.core.axis1 import codes_in_order, nunique_of_rows, reduced_unlike_rows
from cuprum.core.index.index import wrap_index
from cuprum.core.missing import missing_element
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        Axis,
        FrameOrSeries,
        RowAxis,
        Scalar,
    )


@overload
def sum_(
    self: DataFrame, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ..., min_count: int = ...
) -> Series: ...
@overload
def sum_(
    self: FrameOrSeries,
    axis: Axis | None = ...,
    skipna: bool = ...,
    numeric_only: bool = ...,
    min_count: int = ...,
) -> Scalar: ...
def sum_(
    self: FrameOrSeries,
    axis: Any = 0,
    skipna: bool = True,
    numeric_only: bool = False,
    min_count: int = 0,
    **kwargs: Any,
) -> Any:
    """Return the sum of the elements.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    min_count : int, default 0
        The result is missing where fewer than this many elements are not missing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.

    Notes
    -----
    The sum of no elements is 0, unless ``min_count`` is 1 or more.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, None]})
    >>> df.sum()
    a    3.0
    b    0.5
    dtype: float64
    >>> df.sum(axis=1)
    0    1.5
    1    2.0
    dtype: float64
    >>> cuprum.Series([None, None], dtype="float64").sum(min_count=1)
    np.float64(nan)
    """
    if kwargs:
        numpy_keywords("sum", kwargs)
    if min_count > 0:
        return _total(self, "sum", axis, skipna, numeric_only, min_count)
    return self._reduce("sum", axis, skipna, numeric_only)


@overload
def prod(
    self: DataFrame, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ..., min_count: int = ...
) -> Series: ...
@overload
def prod(
    self: FrameOrSeries,
    axis: Axis | None = ...,
    skipna: bool = ...,
    numeric_only: bool = ...,
    min_count: int = ...,
) -> Scalar: ...
def prod(
    self: FrameOrSeries,
    axis: Any = 0,
    skipna: bool = True,
    numeric_only: bool = False,
    min_count: int = 0,
    **kwargs: Any,
) -> Any:
    """Return the product of the elements.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    min_count : int, default 0
        The result is missing where fewer than this many elements are not missing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.

    Notes
    -----
    The product of no elements is 1, unless ``min_count`` is 1 or more.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([2, 3, 4]).prod()
    np.int64(24)
    >>> cuprum.Series([2.0, None]).prod(skipna=False)
    np.float64(nan)
    """
    if kwargs:
        numpy_keywords("prod", kwargs)
    if min_count > 0:
        return _total(self, "prod", axis, skipna, numeric_only, min_count)
    return self._reduce("prod", axis, skipna, numeric_only)


def _total(
    self: FrameOrSeries, name: str, axis: Any, skipna: bool, numeric_only: bool, min_count: int
) -> Any:
    """Return the sum or product of at least ``min_count`` elements that are not missing, else missing."""
    total: Any = self._reduce(name, axis, skipna, numeric_only)
    count = self._reduce("count", axis, True, numeric_only)
    if isinstance(total, (objects.DataFrame, objects.Series)):
        return total.where(count >= min_count)
    if count >= min_count:
        return total
    dtype = self._handle.dtype()
    return missing_element(dtype) if dtype.kind in "fMm" else float("nan")


@overload
def min_(self: DataFrame, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
@overload
def min_(
    self: FrameOrSeries, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...
) -> Scalar: ...
def min_(
    self: FrameOrSeries, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
) -> Any:
    """Return the smallest element.

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
        Missing where there are no elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([3.0, None, 1.5]).min()
    np.float64(1.5)
    >>> cuprum.DataFrame({"a": [1, 2], "b": [5, 0]}).min(axis=1)
    0    1
    1    0
    dtype: int64
    """
    if kwargs:
        numpy_keywords("min", kwargs)
    return self._reduce("min", axis, skipna, numeric_only)


@overload
def max_(self: DataFrame, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
@overload
def max_(
    self: FrameOrSeries, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...
) -> Scalar: ...
def max_(
    self: FrameOrSeries, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
) -> Any:
    """Return the largest element.

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
        Missing where there are no elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([3.0, None, 1.5]).max()
    np.float64(3.0)
    >>> cuprum.Series([3.0, None, 1.5]).max(skipna=False)
    np.float64(nan)
    """
    if kwargs:
        numpy_keywords("max", kwargs)
    return self._reduce("max", axis, skipna, numeric_only)


@overload
def mean(self: DataFrame, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
@overload
def mean(
    self: FrameOrSeries, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...
) -> float: ...
def mean(
    self: FrameOrSeries, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
) -> Any:
    """Return the mean of the elements.

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
        Missing where there are no elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None, 4]).mean()
    np.float64(2.5)
    >>> cuprum.DataFrame({"a": [1, 2], "s": ["x", "y"]}).mean(numeric_only=True)
    a    1.5
    dtype: float64
    """
    if kwargs:
        numpy_keywords("mean", kwargs)
    return self._reduce("mean", axis, skipna, numeric_only)


@overload
def median(self: DataFrame, axis: Axis = ..., skipna: bool = ..., numeric_only: bool = ...) -> Series: ...
@overload
def median(
    self: FrameOrSeries, axis: Axis | None = ..., skipna: bool = ..., numeric_only: bool = ...
) -> float: ...
def median(
    self: FrameOrSeries, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any
) -> Any:
    """Return the median: the middle element, or the mean of the two in the middle.

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
        Missing where there are no elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2, 10]).median()
    np.float64(2.0)
    >>> cuprum.DataFrame({"a": [1, 2, 4], "b": [0.5, None, 1.5]}).median()
    a    2.0
    b    1.0
    dtype: float64
    """
    if kwargs:
        numpy_keywords("median", kwargs)
    return self._reduce("median", axis, skipna, numeric_only)


@overload
def std(
    self: DataFrame, axis: Axis = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
) -> Series: ...
@overload
def std(
    self: FrameOrSeries,
    axis: Axis | None = ...,
    skipna: bool = ...,
    ddof: int = ...,
    numeric_only: bool = ...,
) -> float: ...
def std(
    self: FrameOrSeries,
    axis: Any = 0,
    skipna: bool = True,
    ddof: int = 1,
    numeric_only: bool = False,
    **kwargs: Any,
) -> Any:
    """Return the standard deviation of the elements.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    ddof : int, default 1
        The divisor of the squares is the number of elements minus ``ddof``: 1 for a sample, 0 for a
        population.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.
        Missing where there are not more than ``ddof`` elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 3, None, 5]).std()
    np.float64(2.0)
    >>> cuprum.Series([2, 4, 4, 4, 5, 5, 7, 9]).std(ddof=0)
    np.float64(2.0)
    """
    if kwargs:
        numpy_keywords("std", kwargs)
    return self._reduce("std", axis, skipna, numeric_only, float(ddof))


@overload
def var(
    self: DataFrame, axis: Axis = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
) -> Series: ...
@overload
def var(
    self: FrameOrSeries,
    axis: Axis | None = ...,
    skipna: bool = ...,
    ddof: int = ...,
    numeric_only: bool = ...,
) -> float: ...
def var(
    self: FrameOrSeries,
    axis: Any = 0,
    skipna: bool = True,
    ddof: int = 1,
    numeric_only: bool = False,
    **kwargs: Any,
) -> Any:
    """Return the variance of the elements.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    ddof : int, default 1
        The divisor is the number of elements minus ``ddof``: 1 for a sample, 0 for a population.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.
        Missing where there are not more than ``ddof`` elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 3, None, 5]).var()
    np.float64(4.0)
    >>> cuprum.DataFrame({"a": [1, 3], "b": [2, 2]}).var(ddof=0)
    a    1.0
    b    0.0
    dtype: float64
    """
    if kwargs:
        numpy_keywords("var", kwargs)
    return self._reduce("var", axis, skipna, numeric_only, float(ddof))


@overload
def sem(
    self: DataFrame, axis: Axis = ..., skipna: bool = ..., ddof: int = ..., numeric_only: bool = ...
) -> Series: ...
@overload
def sem(
    self: FrameOrSeries,
    axis: Axis | None = ...,
    skipna: bool = ...,
    ddof: int = ...,
    numeric_only: bool = ...,
) -> float: ...
def sem(
    self: FrameOrSeries,
    axis: Any = 0,
    skipna: bool = True,
    ddof: int = 1,
    numeric_only: bool = False,
    **kwargs: Any,
) -> Any:
    """Return the standard error of the mean.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    skipna : bool, default True
        Skip missing elements. With False a missing element makes the result missing.
    ddof : int, default 1
        The divisor of the variance is the number of elements minus ``ddof``.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only. A Series of another dtype raises ``TypeError``.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    scalar or Series
        A scalar for a Series and for ``axis=None``; else a Series, labelled by the columns, or with
        ``axis=1`` by the row labels.
        Missing where there are not more than ``ddof`` elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 3, None, 5, 7]).sem().round(4)
    np.float64(1.291)
    >>> cuprum.Series([1]).sem()
    np.float64(nan)
    """
    if kwargs:
        numpy_keywords("sem", kwargs)
    return self._reduce("sem", axis, skipna, numeric_only, float(ddof))


@overload
def any_(self: DataFrame, *, axis: Axis = ..., bool_only: bool = ..., skipna: bool = ...) -> Series: ...
@overload
def any_(
    self: FrameOrSeries, *, axis: Axis | None = ..., bool_only: bool = ..., skipna: bool = ...
) -> bool: ...
def any_(
    self: FrameOrSeries, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any
) -> Any:
    """Return whether an element is true: not zero and not empty.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    bool_only : bool, default False
        Use the columns of truth values only. A Series of times or durations raises ``TypeError``.
    skipna : bool, default True
        Skip missing elements. With False a missing element counts as true.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    bool or Series
        A truth value for a Series and for ``axis=None``; else a Series of them. False where there are no
        elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [0, 1], "b": [0, 0]}).any()
    a     True
    b    False
    dtype: bool
    >>> s = cuprum.Series([None, 0.0])
    >>> s.any(), s.any(skipna=False)
    (np.False_, True)
    """
    if kwargs:
        numpy_keywords("any", kwargs)
    return self._chosen_truths("any", bool_only)._reduce("any", axis, skipna, False)


@overload
def all_(self: DataFrame, axis: Axis = ..., bool_only: bool = ..., skipna: bool = ...) -> Series: ...
@overload
def all_(self: FrameOrSeries, axis: Axis | None = ..., bool_only: bool = ..., skipna: bool = ...) -> bool: ...
def all_(
    self: FrameOrSeries, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any
) -> Any:
    """Return whether every element is true: not zero and not empty.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', or None, default 0
        0 gives one value for each column, 1 one for each row, None one value for the whole frame. A Series
        takes 0 and None only.
    bool_only : bool, default False
        Use the columns of truth values only. A Series of times or durations raises ``TypeError``.
    skipna : bool, default True
        Skip missing elements. With False a missing element counts as true, which changes nothing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    bool or Series
        A truth value for a Series and for ``axis=None``; else a Series of them. True where there are no
        elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [2, 1], "b": [1, 0]}).all()
    a     True
    b    False
    dtype: bool
    >>> cuprum.DataFrame({"a": [2, 1], "b": [1, 0]}).all(axis=None)
    np.False_
    """
    if kwargs:
        numpy_keywords("all", kwargs)
    return self._chosen_truths("all", bool_only)._reduce("all", axis, skipna, False)


def _reduced_rows(self: FrameOrSeries, name: str, parameter: float | None, skipna: bool) -> Any:
    """Return the reduction of every row."""
    handle = self._handle
    try:
        return wrap_series(handle.reduce(name, parameter, True, skipna))
    except (TypeError, NotImplementedError):
        made = reduced_unlike_rows(self, name, skipna)
        if made is None:
            raise
        return made


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


def frame_reduce(
    self: DataFrame, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
) -> Any:
    """Return a reduction of each column or row by its name, a Series; of everything for ``axis=None``."""
    skipna = truth_of("skipna", skipna)
    if numeric_only:
        return wrap_frame(self._handle.numbers())._reduce(name, axis, skipna, False, parameter)
    if name in ("any", "all"):
        if axis is None:
            return self._reduce(name, 0, skipna, False)._reduce(name, 0, skipna, False)
        if not self._handle.num_columns() and axis_number(axis) == 0:
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
            columns = [handle.column_at(i) for i in range(handle.num_columns())]
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
            return _reduced_rows(self, name, parameter, kept)
        return self._beside_each_other(
            lambda: handle.reduce(name, parameter, False, kept),
            handle.labels(),
            lambda i: wrap_series(handle.column_at(i))._reduce(name, 0, kept, False, parameter),
        )
    except NotImplementedError as error:
        raise TypeError(str(error)) from None


def frame_chosen_truths(self: DataFrame, name: str, bool_only: Any) -> Any:
    """Return the columns of `any` and `all`, all of them or those of truth values; no dtype is refused."""
    if not bool_only:
        return self
    handle = self._handle
    chosen = [i for i, dtype in enumerate(handle.dtypes()) if dtype.kind == "b"]
    return wrap_frame(handle.select_positions(chosen))


def frame_count(self: DataFrame, axis: Axis = 0, numeric_only: bool = False) -> Series:
    """Return the number of elements in every column that are not missing.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 counts in every column, 1 in every row.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only.

    Returns
    -------
    Series
        Counts (``int64``), labelled by the columns, or with ``axis=1`` by the row labels.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]})
    >>> df.count()
    a    3
    b    2
    dtype: int64
    >>> df.count(axis=1).to_list()
    [2, 1, 2]
    """
    return self._reduce("count", axis, True, numeric_only)


def frame_nunique(self: DataFrame, axis: Axis = 0, dropna: bool = True) -> Series:
    """Return the number of different elements in every column.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 counts in every column, 1 in every row.
    dropna : bool, default True
        Leave missing elements out. With False all of them together count once.

    Returns
    -------
    Series
        Counts (``int64``), labelled by the columns, or with ``axis=1`` by the row labels.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 1, 2], "b": ["x", None, None]})
    >>> df.nunique()
    a    2
    b    1
    dtype: int64
    >>> df.nunique(dropna=False)
    a    2
    b    2
    dtype: int64
    """
    if axis_number(axis) == 1:
        if not dropna:
            return nunique_of_rows(self, False)
        return self._reduce("nunique", axis, True, False)
    return wrap_series(self._handle.nunique(not dropna))


def frame_idxmax(self: DataFrame, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
    """Return the row label of the largest element of every column.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 gives the row label for every column, 1 the column label for every row.
    skipna : bool, default True
        Skip missing elements. With False a missing element raises ``ValueError``.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only.

    Returns
    -------
    Series
        Labels, of the first of several equal elements; tuples where they have several levels.

    Raises
    ------
    ValueError
        For a column (row) without an element that is not missing.

    See Also
    --------
    Series.idxmax : The same of a Series.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 9], "b": [5, 3]}, index=["x", "y"])
    >>> df.idxmax()
    a    y
    b    x
    dtype: str
    >>> df.idxmax(axis=1)
    x    b
    y    a
    dtype: str
    """
    return self._labels_of("idxmax", axis, skipna, numeric_only)


def frame_idxmin(self: DataFrame, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
    """Return the row label of the smallest element of every column.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 gives the row label for every column, 1 the column label for every row.
    skipna : bool, default True
        Skip missing elements. With False a missing element raises ``ValueError``.
    numeric_only : bool, default False
        Use the columns of numbers and truth values only.

    Returns
    -------
    Series
        Labels, of the first of several equal elements; tuples where they have several levels.

    Raises
    ------
    ValueError
        For a column (row) without an element that is not missing.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 9], "b": [5, 3]}, index=["x", "y"])
    >>> df.idxmin()
    a    x
    b    y
    dtype: str
    >>> df.idxmin(axis="columns")
    x    a
    y    b
    dtype: str
    """
    return self._labels_of("idxmin", axis, skipna, numeric_only)


def labels_of(self: DataFrame, name: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
    """Return the label of the largest or smallest element of each column or row: ``idxmax`` or ``idxmin``."""
    handle = self._handle.numbers() if numeric_only else self._handle
    if axis_number(axis) == 0 and handle.index().nlevels() > 1:
        columns = [wrap_series(handle.column_at(i)) for i in range(handle.num_columns())]
        found = [getattr(column, name)(skipna=skipna) for column in columns]
        return objects.record(handle.labels(), found, None, handle.level_names())
    by_row = axis_number(axis) == 1
    if by_row:
        codes = codes_in_order(wrap_frame(handle))
        handle = handle if codes is None else codes._handle
    return wrap_series(handle.labels_of(name == "idxmax", by_row, bool(skipna)))


# What Python's operators say of lists and dicts, as they do in pandas.
_OF_OBJECTS = frozenset({"sum", "min", "max"})


def series_chosen_truths(self: Series, name: str, bool_only: Any) -> Any:
    """Return the series: ``bool_only`` chooses among columns."""
    if bool_only and self.dtype.kind in "mM":
        raise TypeError(f"Series.{name} does not allow bool_only=True with the type {self.dtype}")
    return self


def series_reduce(
    self: Series, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
) -> Any:
    """Return a reduction of the elements by its name."""
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


def series_count(self: Series) -> int:
    """Return the number of elements that are not missing.

    Returns
    -------
    int
        The count; ``len`` counts missing elements, too.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.5, None, float("nan")])
    >>> s.count(), len(s)
    (np.int64(1), 3)
    """
    return self._handle.reduce("count")


def series_idxmax(self: Series, axis: RowAxis | None = 0, skipna: bool = True) -> Scalar:
    """Return the row label of the largest element.

    Parameters
    ----------
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    skipna : bool, default True
        Skip missing elements. With False a missing element raises ``ValueError``.

    Returns
    -------
    label
        The label of the first of several equal elements; a tuple for a MultiIndex.

    Raises
    ------
    ValueError
        For a Series without an element that is not missing.

    See Also
    --------
    Series.argmax : The position of the element.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([4, 9, None], index=["a", "b", "c"])
    >>> s.idxmax()
    'b'
    >>> s.idxmax(skipna=False)
    Traceback (most recent call last):
        ...
    ValueError: Encountered an NA value with skipna=False
    """
    return _extreme_label(self, True, axis, skipna)


def series_idxmin(self: Series, axis: RowAxis | None = 0, skipna: bool = True) -> Scalar:
    """Return the row label of the smallest element.

    Parameters
    ----------
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    skipna : bool, default True
        Skip missing elements. With False a missing element raises ``ValueError``.

    Returns
    -------
    label
        The label of the first of several equal elements; a tuple for a MultiIndex.

    Raises
    ------
    ValueError
        For a Series without an element that is not missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([4, None, 1], index=["a", "b", "c"]).idxmin()
    'c'
    """
    return _extreme_label(self, False, axis, skipna)


def _extreme_label(self: Series, largest: bool, axis: Any, skipna: bool) -> Any:
    at = _extreme_position(self, largest, axis, skipna)
    index = self._handle.index()
    label = wrap_index(index)[at]
    return int(label) if index.as_range() else label


def argmax(self: Series, axis: RowAxis | None = 0, skipna: bool = True) -> int:
    """Return the position of the largest element.

    Parameters
    ----------
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    skipna : bool, default True
        Skip missing elements. With False a missing element raises ``ValueError``.

    Returns
    -------
    int
        The position of the first of several equal elements, from 0.

    Raises
    ------
    ValueError
        For a Series without an element that is not missing.

    See Also
    --------
    Series.idxmax : The label of the element.

    Examples
    --------
    >>> import cuprum
    >>> int(cuprum.Series([4, 9, None], index=["a", "b", "c"]).argmax())
    1
    """
    return _extreme_position(self, True, axis, skipna)


def argmin(self: Series, axis: RowAxis | None = 0, skipna: bool = True) -> int:
    """Return the position of the smallest element.

    Parameters
    ----------
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.
    skipna : bool, default True
        Skip missing elements. With False a missing element raises ``ValueError``.

    Returns
    -------
    int
        The position of the first of several equal elements, from 0.

    Raises
    ------
    ValueError
        For a Series without an element that is not missing.

    Examples
    --------
    >>> import cuprum
    >>> int(cuprum.Series([4, None, 1], index=["a", "b", "c"]).argmin())
    2
    """
    return _extreme_position(self, False, axis, skipna)


def _extreme_position(self: Series, largest: bool, axis: Any, skipna: bool) -> Any:
    axis_number(axis, "Series")
    import numpy as np

    return np.int64(self._handle.row_of(largest, bool(skipna)))
