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
    """Return the rows in the order of their labels as a NumPy array; equal ones stay in the order of rows.

    Missing labels come last or ``'first'``. ``axis``, ``kind``, ``order`` and ``stable`` are those of NumPy's
    function, which change nothing.
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
    """Return the labels in order; missing ones last, or ``'first'``.

    ``key`` is a function of an Index whose result is sorted by instead. With ``return_indexer`` a pair of the
    labels and their rows in this index.

    Examples
    --------
    >>> from cuprum import Index
    >>> Index([10, 100, 1]).sort_values(ascending=False, return_indexer=True)
    (Index([100, 10, 1], dtype='int64'), array([1, 0, 2]))
    """
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
    """Return the labels in order and their rows in this index; see `MultiIndex.sortlevel` for several levels.

    ``level`` and ``sort_remaining`` change nothing where there is one level.
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
    """Return the smallest label; a missing one where there is none, or is one missing without ``skipna``."""
    return self._extreme("min", axis, skipna, out)


def max_(self: Index, axis: Any = None, skipna: bool = True, *, out: Any = None) -> Scalar:
    """Return the largest label; a missing one where there is none, or is one missing without ``skipna``."""
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
    """Return the row of the smallest label, the first of several.

    ``ValueError`` where there is none, or without ``skipna`` one is missing.
    """
    return _row_of_extreme(self, "argmin", True, axis, skipna)


def argmax(self: Index, axis: Any = None, skipna: bool = True) -> int:
    """Return the row of the largest label, the first of several.

    ``ValueError`` where there is none, or without ``skipna`` one is missing.
    """
    return _row_of_extreme(self, "argmax", False, axis, skipna)


def _row_of_extreme(self: Index, name: str, smallest: bool, axis: Any, skipna: bool) -> int:
    _only_axis(axis)
    if not len(self):
        raise ValueError(f"attempt to get {name} of an empty sequence")
    if self._handle.nlevels() > 1:
        return self._rows_in_order(smallest)[0]
    missing = self.isna()
    if missing.any():
        if not skipna:
            raise ValueError("Encountered an NA value with skipna=False")
        if missing.all():
            raise ValueError("Encountered all NA values")
    return self._rows_in_order(smallest)[0]


def any_(self: Index, *, axis: Any = None, out: Any = None, keepdims: bool = False) -> bool:
    """Return whether a label is true: a number that is not 0, a text that is not empty."""
    return _truth(self, "any", axis, out, keepdims)


def all_(self: Index, *, axis: Any = None, out: Any = None, keepdims: bool = False) -> bool:
    """Return whether all labels are true: numbers that are not 0, texts that are not empty."""
    return _truth(self, "all", axis, out, keepdims)


def _truth(self: Index, name: str, axis: Any, out: Any, keepdims: Any) -> Any:
    numpy_keywords(name, {"out": out, "keepdims": keepdims})
    _only_axis(axis)
    dtype = self._handle.dtype(0)
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
    """Return how often each label occurs, most frequent first, ties by first appearance, those of several levels in their order.

    With ``normalize`` the shares of the total.
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
