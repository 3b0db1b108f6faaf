"""The order of labels, and summaries of them: sorting, extremes, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import check_kind, numpy_keywords, only_default, only_truth
from cuprum.core.index.regular import regular
from cuprum.core.interop import to_numpy

if TYPE_CHECKING:
    from collections.abc import Callable

    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import Array, NaPosition, Scalar, SortKind


def rows_in_order(self: Index, ascending: Any = True, na_position: str = "last") -> Any:
    """Return the rows in the order of the labels; equal ones stay in the order of rows."""
    if na_position not in ("first", "last"):
        raise ValueError(f"invalid na_position: {na_position}")
    levels = [self._handle.column(level) for level in range(self._handle.nlevels())]
    several = list(ascending) if isinstance(ascending, (list, tuple)) else [ascending] * len(levels)
    flags = [bool(one) for one in several]
    rows = _cuprum.Series(_cuprum.Index.range(0, len(self)).column(0))
    return to_numpy(rows.sort_by(levels, flags, na_position).column(), copy=True)


def argsort(
    self: Index,
    *,
    axis: Literal[0, -1] | None = -1,
    kind: SortKind | None = "quicksort",
    order: Any = None,
    stable: Any = None,
    ascending: bool = True,
    na_position: NaPosition = "last",
) -> Array:
    """Return the positions that put the labels in order.

    Parameters
    ----------
    axis : {-1, 0, None}, default -1
        Labels have one axis.
    kind : {``'quicksort'``, ``'mergesort'``, ``'heapsort'``, ``'stable'``}, default ``'quicksort'``
        Without effect: equal labels always stay in the order of rows.
    order : None, default None
        A parameter of NumPy's function; other values than None are refused.
    stable : bool, optional
        Without effect, as ``kind``.
    ascending : bool, default True
        Whether the smallest label comes first.
    na_position : {``'first'``, ``'last'``}, default ``'last'``
        Where missing labels come.

    Returns
    -------
    numpy.ndarray
        The position of the first label in order, of the second and so on.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([30, None, 10, 20])
    >>> index.argsort()
    array([2, 3, 0, 1])
    >>> index.argsort(ascending=False, na_position="first")
    array([1, 0, 3, 2])
    """
    if axis not in (-1, 0, None):
        raise ValueError(f"`axis` is {axis!r}: labels have one axis, 0")
    check_kind(kind)
    if order is not None:
        raise ValueError(f"Cannot specify `order`={order!r}: labels have no fields")
    only_truth("Index.argsort", stable=stable)
    return self._rows_in_order(ascending, na_position)


@overload
def sort_values(
    self: Index,
    *,
    return_indexer: Literal[True],
    ascending: bool = ...,
    na_position: NaPosition = ...,
    key: Callable[[Any], Any] | None = ...,
) -> tuple[Index, Array]: ...
@overload
def sort_values(
    self: Index,
    *,
    return_indexer: bool = ...,
    ascending: bool = ...,
    na_position: NaPosition = ...,
    key: Callable[[Any], Any] | None = ...,
) -> Index: ...
@regular
def sort_values(
    self: Index,
    *,
    return_indexer: bool = False,
    ascending: bool = True,
    na_position: str = "last",
    key: Any = None,
) -> Any:
    """Return the labels in order.

    Parameters
    ----------
    return_indexer : bool, default False
        Whether the positions in this index are returned as well.
    ascending : bool, default True
        Whether the smallest label comes first.
    na_position : {``'first'``, ``'last'``}, default ``'last'``
        Where missing labels come.
    key : function, optional
        A function of an Index that returns as many values, by which the labels are sorted.

    Returns
    -------
    Index, or tuple of Index and numpy.ndarray
        The labels, equal ones in the order of rows; with ``return_indexer`` also their positions.

    Raises
    ------
    ValueError
        Where ``key`` returns another number of values.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([10, 100, 1]).sort_values(ascending=False, return_indexer=True)
    (Index([100, 10, 1], dtype='int64'), array([1, 0, 2]))
    >>> cuprum.Index(["b", "A", None]).sort_values(key=lambda labels: labels.str.lower(), na_position="first")
    Index([nan, 'A', 'b'], dtype='str')
    """
    labels_of_range = self._labels_of_range()
    if (
        labels_of_range is not None
        and key is None
        and not return_indexer
        and na_position in ("first", "last")
    ):
        in_order = bool(ascending) == (labels_of_range.step > 0)
        return objects.wrap_index(self._handle) if in_order else self[::-1]
    plain = key is None and ascending and na_position == "last" and not return_indexer
    if plain and self._handle.kind() != "mixed":
        return objects.wrap_index(self._handle.sorted(True))
    keys: Any = self
    if key is not None:
        keys = objects.Index(key(self))
        if len(keys) != len(self):
            raise ValueError("User-provided `key` function must not change the shape of the array.")
    rows = keys._rows_to_sort_by(bool(ascending), na_position)
    labels = self.take(rows)
    return (labels, rows) if return_indexer else labels


def rows_to_sort_by(self: Index, ascending: bool, na_position: str) -> Any:
    """Return the rows of the labels in order; a kind of index may order by something else."""
    return self._rows_in_order(ascending, na_position)


def sortlevel(
    self: Index,
    level: Any = None,
    ascending: Any = True,
    sort_remaining: bool | None = None,
    na_position: NaPosition = "first",
) -> tuple[Index, Array]:
    """Return the labels in order, and their positions in this index.

    Parameters
    ----------
    level : label or int, optional
        The only level, by its name or number; others are refused.
    ascending : bool or list of one bool, default True
        Whether the smallest label comes first.
    sort_remaining : bool, optional
        Without effect: there are no other levels.
    na_position : {``'first'``, ``'last'``}, default ``'first'``
        Where missing labels come.

    Returns
    -------
    tuple of Index and numpy.ndarray
        The labels in order and their positions.

    See Also
    --------
    MultiIndex.sortlevel : The same for several levels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([30, 10, 20]).sortlevel()
    (Index([10, 20, 30], dtype='int64'), array([1, 2, 0]))
    >>> cuprum.Index([30, None, 20]).sortlevel(ascending=False)
    (Index([<NA>, 30, 20], dtype='int64'), array([1, 0, 2]))
    """
    only_truth("Index.sortlevel", sort_remaining=sort_remaining)
    if level is not None:
        self._handle.level_position(level)
    if isinstance(ascending, list):
        if len(ascending) != 1:
            raise TypeError("ascending must be a list of bool values of length 1")
        (ascending,) = ascending
    if not isinstance(ascending, bool):
        raise TypeError("ascending must be a bool value")
    return self.sort_values(return_indexer=True, ascending=ascending, na_position=na_position)


def min_(self: Index, axis: Any = None, skipna: bool = True, *, out: Any = None) -> Scalar:
    """Return the smallest label.

    Parameters
    ----------
    axis : {None, 0, -1}, optional
        Labels have one axis.
    skipna : bool, default True
        Whether missing labels are skipped; else the result is missing where one is.
    out : None, default None
        A parameter of NumPy's function; other values than None are refused.

    Returns
    -------
    scalar
        The label, a tuple for a MultiIndex; a missing value where there is none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([30, None, 10]).min()
    np.int64(10)
    >>> cuprum.Index(["b", None, "a"]).min(skipna=False)
    nan
    """
    return self._extreme("min", axis, skipna, out)


def max_(self: Index, axis: Any = None, skipna: bool = True, *, out: Any = None) -> Scalar:
    """Return the largest label.

    Parameters
    ----------
    axis : {None, 0, -1}, optional
        Labels have one axis.
    skipna : bool, default True
        Whether missing labels are skipped; else the result is missing where one is.
    out : None, default None
        A parameter of NumPy's function; other values than None are refused.

    Returns
    -------
    scalar
        The label, a tuple for a MultiIndex; a missing value where there is none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([30, None, 10]).max()
    np.int64(30)
    >>> cuprum.Index(["b", None, "a"]).max(skipna=False)
    nan
    """
    return self._extreme("max", axis, skipna, out)


def extreme(self: Index, name: str, axis: Any, skipna: bool, out: Any) -> Any:
    """Return the smallest or largest label: ``name`` is ``'min'`` or ``'max'``."""
    numpy_keywords(name, {"out": out})
    _only_axis(axis)
    if self._handle.nlevels() > 1:
        if not len(self):
            return float("nan")
        return self[int(self._rows_in_order(name == "min")[0])]
    return getattr(self._series(), name)(skipna=bool(skipna))


def argmin(self: Index, axis: Any = None, skipna: bool = True) -> int:
    """Return the position of the smallest label.

    Parameters
    ----------
    axis : {None, 0, -1}, optional
        Labels have one axis.
    skipna : bool, default True
        Whether missing labels are skipped; else one is refused.

    Returns
    -------
    int
        The position, the first one of several.

    Raises
    ------
    ValueError
        Where there is no label, all are missing, or one is missing without ``skipna``.

    Examples
    --------
    >>> import cuprum
    >>> int(cuprum.Index([30, None, 10]).argmin())
    2
    """
    return _row_of_extreme(self, "argmin", True, axis, skipna)


def argmax(self: Index, axis: Any = None, skipna: bool = True) -> int:
    """Return the position of the largest label.

    Parameters
    ----------
    axis : {None, 0, -1}, optional
        Labels have one axis.
    skipna : bool, default True
        Whether missing labels are skipped; else one is refused.

    Returns
    -------
    int
        The position, the first one of several.

    Raises
    ------
    ValueError
        Where there is no label, all are missing, or one is missing without ``skipna``.

    Examples
    --------
    >>> import cuprum
    >>> int(cuprum.Index([30, None, 10]).argmax())
    0
    """
    return _row_of_extreme(self, "argmax", False, axis, skipna)


def _row_of_extreme(self: Index, name: str, smallest: bool, axis: Any, skipna: bool) -> int:
    _only_axis(axis)
    if not len(self):
        raise ValueError(f"attempt to get {name} of an empty sequence")
    if self._handle.nlevels() > 1:
        return self._rows_in_order(smallest)[0]
    labels = self._labels_of_range()
    if labels is not None:
        return 0 if smallest == (labels.step > 0) else len(labels) - 1
    missing = self.isna()
    if missing.any():
        if not skipna:
            raise ValueError("Encountered an NA value with skipna=False")
        if missing.all():
            raise ValueError("Encountered all NA values")
    return self._rows_in_order(smallest)[0]


def any_(self: Index, *, axis: Any = None, out: Any = None, keepdims: bool = False) -> bool:
    """Return whether a label is true: a number that is not 0, a text that is not empty.

    Parameters
    ----------
    axis : {None, 0, -1}, optional
        Labels have one axis.
    out : None, default None
        A parameter of NumPy's function; other values than None are refused.
    keepdims : bool, default False
        A parameter of NumPy's function; True is refused.

    Returns
    -------
    bool
        False where there is no label. A missing number counts as true, a missing text as false.

    Raises
    ------
    TypeError
        For labels of other kinds, such as times.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([0, 0, 2]).any()
    np.True_
    >>> cuprum.Index(["", None]).any()
    np.False_
    """
    return _truth(self, "any", axis, out, keepdims)


def all_(self: Index, *, axis: Any = None, out: Any = None, keepdims: bool = False) -> bool:
    """Return whether all labels are true: numbers that are not 0, texts that are not empty.

    Parameters
    ----------
    axis : {None, 0, -1}, optional
        Labels have one axis.
    out : None, default None
        A parameter of NumPy's function; other values than None are refused.
    keepdims : bool, default False
        A parameter of NumPy's function; True is refused.

    Returns
    -------
    bool
        True where there is no label. A missing number counts as true, a missing text as false.

    Raises
    ------
    TypeError
        For labels of other kinds, such as times.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([1, 2, None]).all()
    np.True_
    >>> cuprum.Index(["a", None]).all()
    np.False_
    """
    return _truth(self, "all", axis, out, keepdims)


def _truth(self: Index, name: str, axis: Any, out: Any, keepdims: Any) -> Any:
    numpy_keywords(name, {"out": out, "keepdims": keepdims})
    _only_axis(axis)
    labels = self._labels_of_range()
    if labels is not None:
        return len(labels) > (0 in labels) if name == "any" else 0 not in labels
    dtype = self._handle.dtype(0)
    if self._handle.kind() == "mixed" and not len(self):
        import numpy as np

        return np.bool_(name == "all")
    if self._handle.nlevels() > 1 or self._handle.kind() == "mixed":
        raise TypeError(f"cannot perform {name} with this index type: {type(self).__name__}")
    if dtype.kind not in "iufb" and dtype != "str":
        raise TypeError(f"'{dtype}' with dtype {dtype} does not support operation '{name}'")
    # A missing number counts as true, a missing text as false, as NumPy and pandas have it.
    series = self._series()
    if dtype == "str":
        series = series.fillna("") != ""
    return getattr(series, name)(skipna=dtype == "str")


def value_counts(
    self: Index,
    normalize: bool = False,
    sort: bool = True,
    ascending: bool = False,
    bins: Any = None,
    dropna: bool = True,
) -> Series:
    """Return how often each label occurs.

    Parameters
    ----------
    normalize : bool, default False
        Whether shares of the total are returned instead of numbers.
    sort : bool, default True
        Whether the most frequent labels come first; else those that appear first.
    ascending : bool, default False
        Whether the least frequent labels come first.
    bins : int or list-like, optional
        The number of intervals that numbers are counted in, or the bounds of these. Refused for a MultiIndex.
    dropna : bool, default True
        Whether missing labels are left out.

    Returns
    -------
    Series
        The numbers under the labels. Equally frequent labels come by first appearance, those of a MultiIndex
        in their order.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["b", "a", "b", None])
    >>> index.value_counts()
    b    2
    a    1
    Name: count, dtype: int64
    >>> index.value_counts(normalize=True, dropna=False)
    b      0.50
    a      0.25
    NaN    0.25
    Name: proportion, dtype: float64
    """
    if self._handle.nlevels() > 1:
        only_default("MultiIndex.value_counts", bins=(bins, None))
        # Equally frequent rows come in the order of their labels, as in pandas.
        counts = self.to_frame(index=False).value_counts(None, normalize, False, False, dropna)
        counts = counts.sort_index()
        if sort:
            counts = counts.sort_values(ascending=ascending, kind="stable")
        return counts.rename_axis(index=self._handle.names())
    return self._series().value_counts(normalize, sort, ascending, bins, dropna)


def _only_axis(axis: Any) -> None:
    if axis not in (None, 0, -1):
        raise ValueError(f"`axis` must be fewer than the number of dimensions (1), not {axis!r}")
