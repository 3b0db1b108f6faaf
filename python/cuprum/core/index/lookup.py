"""Look-ups of labels in an `Index`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.construction import column_from
from cuprum.core.index.duration_texts import duration_bound, named_duration
from cuprum.core.interop import to_numpy
from cuprum.core.label_construction import index_handle
from cuprum.core.missing import missing_value
from cuprum.core.reindexing import reindexed_by_level

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.typing import Array, FillMethod, ListLike, OneLabel, Scalar, Side

__all__ = ["refuse_unhashable"]

_METHODS = {
    None: None,
    "pad": "pad",
    "ffill": "pad",
    "backfill": "backfill",
    "bfill": "backfill",
    "nearest": "nearest",
}


def refuse_unhashable(label: Any) -> None:
    """Fail for what is no label."""
    if isinstance(label, slice):
        raise TypeError(f"{label!r} is no label")
    hash(label)


def get_loc(self: Index, key: Any) -> int | slice | Array:
    """Return the position of a label; where it occurs more than once a slice in ascending labels, else a
    NumPy mask; of a part of a date in labels that do not ascend the positions, a slice where they follow on.

    ``KeyError`` where it does not occur.
    """
    refuse_unhashable(key)
    named = named_duration(key, self._handle)
    try:
        rows = self._handle.locate(plain_label(key) if named is None else named)
    except (KeyError, TypeError):
        raise KeyError(key) from None
    if len(rows) == 1 and not (isinstance(key, str) and self._handle.names_span(key)):
        return rows.get(0)
    import numpy as np

    positions = to_numpy(rows).astype("int64")
    if self.is_monotonic_increasing and not len(positions):
        return self.slice_indexer(key, key)
    follow_on = len(positions) > 0 and positions[-1] - positions[0] == len(positions) - 1
    if self.is_monotonic_increasing and follow_on:
        return slice(int(positions.min()), int(positions.max()) + 1)
    if isinstance(key, str) and self._handle.names_span(key):
        return slice(int(positions[0]), int(positions[-1]) + 1) if follow_on else positions
    length: int = len(self)
    mask = np.zeros(length, dtype=bool)
    mask[positions] = True
    return mask


def get_indexer(
    self: Index, target: Any, method: FillMethod | None = None, limit: Any = None, tolerance: Any = None
) -> Array:
    """Return for every label of ``target`` the row that has it, -1 where there is none.

    Parameters
    ----------
    method
        Among labels that ascend or descend: for a label that is not there the row before its place
        (``'pad'``, ``'ffill'``), the one behind it (``'backfill'``, ``'bfill'``) or that of the label which is
        ``'nearest'``, of two as near the greater.
    limit
        How many labels in a row that are not there take the same row. They have to ascend.
    tolerance
        How far from its label the one of the row may be; a number or a length of time, or one for each.

    ``ValueError`` where a label of the index repeats.

    Examples
    --------
    >>> from cuprum import Index
    >>> Index([10, 20, 30]).get_indexer([9, 20, 26], method="nearest", tolerance=2)
    array([ 0,  1, -1])
    """
    how = _method(method)
    if how is not None and self._handle.nlevels() == 1 and str(self._handle.dtype(0)) == "category":
        raise NotImplementedError(f"method {method} not yet implemented for CategoricalIndex")
    if how is None:
        if limit is not None:
            raise ValueError("limit argument only valid if doing pad, backfill or nearest reindexing")
        if tolerance is not None:
            raise ValueError("tolerance argument only valid if doing pad, backfill or nearest reindexing")
        return to_numpy(self._handle.indexer(index_handle(target)), copy=True).astype("intp")
    return _neighbours(self, index_handle(target), how, limit, tolerance)


def _neighbours(self: Index, target: Any, how: str, limit: Any, tolerance: Any) -> Any:
    import numpy as np

    if not self.is_unique:
        raise ValueError("Reindexing only valid with uniquely valued Index objects")
    ascending = self._handle.is_monotonic_increasing()
    if not ascending and not self._handle.is_monotonic_decreasing():
        raise ValueError("index must be monotonic increasing or decreasing")
    if how == "nearest":
        rows = _nearest(self, target, limit, ascending)
    else:
        rows = self._beside(target, how, limit, ascending)
    if tolerance is not None:
        far = _distances(self, target, rows) > _tolerance(tolerance, len(target))
        rows = np.where(far, -1, rows)
    return rows


def beside(self: Index, target: Any, how: str, limit: Any, ascending: bool) -> Any:
    """Return the rows of labels, of those that are not there the row before or behind their place."""
    import numpy as np

    length = len(self)
    if ascending and limit is None:
        # Labels that are there are at their own places.
        place = to_numpy(self._handle.searchsorted_each(target, how == "pad")).astype("intp")
        rows = place - 1 if how == "pad" else np.where(place == length, -1, place)
        rows[to_numpy(target.missing())] = -1
        return rows
    rows = to_numpy(self._handle.indexer(target)).astype("intp")
    absent = rows < 0
    if ascending:
        place = to_numpy(self._handle.searchsorted_each(target, False)).astype("intp")
    else:
        turned = self[::-1]._handle
        place = length - to_numpy(turned.searchsorted_each(target, True)).astype("intp")
    beside = place - 1 if how == "pad" else np.where(place == length, -1, place)
    rows = np.where(absent, beside, rows)
    rows[to_numpy(target.missing()) & absent] = -1
    if limit is not None:
        if not target.is_monotonic_increasing() or not ascending:
            raise ValueError(
                f"limit argument for {how!r} method only well-defined if index and target are monotonic"
            )
        rows = np.where(absent & (_run_lengths(rows, absent, how == "backfill") > limit), -1, rows)
    return rows


def _nearest(self: Index, target: Any, limit: Any, ascending: bool) -> Any:
    import numpy as np

    if not len(self):
        return np.full(len(target), -1, dtype="intp")
    before, behind = (self._beside(target, how, limit, ascending) for how in ("pad", "backfill"))
    left, right = _distances(self, target, before), _distances(self, target, behind)
    closer = left < right if ascending else left <= right
    return np.where((closer | (behind < 0)) & (before >= 0), before, behind)


def _distances(self: Index, target: Any, rows: Any) -> Any:
    """Return how far labels are from those of rows; those at row -1 are not looked at."""
    import numpy as np

    if self._handle.nlevels() > 1:
        raise NotImplementedError("method='nearest' and `tolerance` not implemented for MultiIndex")
    if not len(self) or not len(target):
        return np.zeros(len(rows))
    ours = self._handle.take(Column.from_numpy(np.where(rows < 0, 0, rows)))
    labels, theirs = (objects.wrap_series(_cuprum.Series(index.column(0))) for index in (ours, target))
    if theirs.dtype.kind == "O" and labels.dtype.kind == "M":
        theirs = objects.wrap_index(_cuprum.Index.concat([ours.slice(0, 0), target]))._series()
    return abs(theirs - labels).to_numpy()


def get_indexer_non_unique(self: Index, target: Any) -> tuple[Array, Array]:
    """Return all rows of every label of ``target``, -1 for none; and where in it are those without."""
    rows, without = self._handle.indexer_non_unique(index_handle(target))
    return to_numpy(rows, copy=True), to_numpy(without, copy=True)


def get_indexer_for(self: Index, target: Any) -> Array:
    """Return the rows of the labels of ``target``, -1 for none, also where labels repeat."""
    return self.get_indexer_non_unique(target)[0]


def isin(self: Index, values: Any, level: Any = None) -> Array:
    """Return a NumPy array, true where a label is one of ``values``."""
    if not is_list_like(values):
        raise TypeError(
            "only list-like objects are allowed to be passed to isin(), you passed a "
            f"`{type(values).__name__}`"
        )
    index: Any = self if level is None else self.get_level_values(level)
    values = list(values) if isinstance(values, (Mapping, set, frozenset)) else values
    return to_numpy(index._handle.is_in(index_handle(values)), copy=True)


@overload
def searchsorted(self: Index, value: OneLabel, side: Side = ..., sorter: ListLike | None = ...) -> int: ...
@overload
def searchsorted(self: Index, value: ListLike, side: Side = ..., sorter: ListLike | None = ...) -> Array: ...
def searchsorted(self: Index, value: Any, side: str = "left", sorter: Any = None) -> Any:
    """Return where labels would be put into these, which ascend: before equal ones, or behind them.

    ``side`` is ``'left'`` or ``'right'``. With ``sorter``, the rows of the labels in ascending order, these
    need not ascend.
    """
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    if sorter is not None:
        if len(sorter) != len(self):
            raise ValueError(f"`sorter` has {len(sorter)} rows for {len(self)} labels")
        sorted_labels: Any = self.take(sorter)
        return sorted_labels.searchsorted(value, side)
    import numpy as np

    after = side == "right"
    if not is_list_like(value):
        return np.int64(self._handle.searchsorted(plain_label(value), after))
    if isinstance(value, (list, tuple)) and not value:
        return np.array([], dtype="int64")
    return to_numpy(self._handle.searchsorted_each(index_handle(value), after)).astype("int64")


def get_slice_bound(self: Index, label: Any, side: Side) -> int:
    """Return the row of a label at which a slice that begins (``'left'``) or ends (``'right'``) with it does.

    Of a label that is not there the row in which it would be, if the labels ascend or descend; else
    ``KeyError``, as for one that repeats with others between.
    """
    if side not in ("left", "right"):
        raise ValueError(f"Invalid value for side kwarg, must be either 'left' or 'right': {side}")
    refuse_unhashable(label)
    if label is None:
        raise KeyError(label)
    return _slice_bounds(self, label, None)[0] if side == "left" else _slice_bounds(self, None, label)[1]


def slice_locs(self: Index, start: Any = None, end: Any = None, step: int | None = None) -> tuple[int, int]:
    """Return the rows from the first label to the last, both included, as first row and end.

    With a negative ``step`` those of a slice that goes backwards from the first label to the last.
    """
    if step is not None and step < 0:
        first, stop = _slice_bounds(self, end, None)[0], _slice_bounds(self, None, start)[1]
        before_all = -1 - len(self)
        return (stop - 1 if stop else before_all), (first - 1 if first else before_all)
    return _slice_bounds(self, start, end)


def _slice_bounds(self: Index, start: Any, end: Any) -> tuple[int, int]:
    start, end = (None if label is None else plain_label(label) for label in (start, end))
    first, last = duration_bound(start, self._handle, False), duration_bound(end, self._handle, True)
    return self._handle.slice_bounds(first, last)


def slice_indexer(self: Index, start: Any = None, end: Any = None, step: int | None = None) -> slice:
    """Return the rows from the first label to the last, both included, as a slice."""
    first, stop = self.slice_locs(start, end, step)
    return slice(first, stop, step)


def find_label_range(self: Index, loc: slice) -> slice:
    """Return the rows that a slice of labels names, both ends included, as a slice of positions."""
    if not isinstance(loc, slice):
        raise TypeError(f"`loc` is {loc!r}, no slice of labels")
    first, stop = self.slice_locs(loc.start, loc.stop, loc.step)
    return slice(first, stop, 1 if loc.step is None else loc.step)


def asof(self: Index, label: Any) -> Scalar:
    """Return the label, or where it is not there the last one before it; a missing one if there is none.

    ``ValueError`` where the labels neither ascend nor descend.

    Examples
    --------
    >>> from cuprum import Index
    >>> Index(["2013-12-31", "2014-01-02", "2014-01-03"]).asof("2014-01-01")
    '2013-12-31'
    """
    if not self._handle.is_monotonic_increasing() and not self._handle.is_monotonic_decreasing():
        raise ValueError("index must be monotonic increasing or decreasing")
    if is_list_like(label) and not isinstance(label, tuple):
        raise TypeError("unhashable type: asof requires scalar valued input")
    try:
        row = self.get_loc(label)
    except KeyError:
        (row,) = self._beside(
            index_handle([label]), "pad", None, self._handle.is_monotonic_increasing()
        ).tolist()
        if row < 0:
            return missing_value(self._handle.dtype(0))
    if isinstance(row, slice):
        row = row.stop - 1
    return self[row]


def asof_locs(self: Index, where: Index, mask: Any) -> Array:
    """Return for every label of an index the row of the last of these that is not behind it.

    Only rows are looked at where ``mask``, a list-like of truth values, is true; -1 where none is there. The
    labels ascend.
    """
    import numpy as np

    mask = np.asarray(mask, dtype=bool)
    if len(mask) != len(self):
        raise ValueError(f"`mask` has {len(mask)} rows for {len(self)} labels")
    rows = np.flatnonzero(mask)
    known = self.take(rows)
    places = to_numpy(known._handle.searchsorted_each(index_handle(where), True)).astype("intp") - 1
    return np.where(places < 0, -1, rows[places]) if len(rows) else places


def reindex(
    self: Index,
    target: Any,
    method: FillMethod | None = None,
    level: Any = None,
    limit: Any = None,
    tolerance: Any = None,
) -> tuple[Index, Array | None]:
    """Return the labels ``target`` as an index, and where they are in this one; see `get_indexer`.

    The second is None where both have the same labels. ``target`` takes the name unless it brings one.
    With a ``level`` one of the two has several levels, by one of which the labels of the other are matched.
    """
    if isinstance(target, (list, tuple)) and not target:
        wanted = self._handle.slice(0, 0)
    else:
        target = target if hasattr(target, "__len__") else list(target)
        wanted = index_handle(target)
        if not hasattr(target, "name") and wanted.nlevels() == self._handle.nlevels():
            wanted = wanted.with_names(self._handle.names())
    index = objects.wrap_index(wanted)
    if level is not None and max(self.nlevels, index.nlevels) > 1:
        if method is not None:
            raise TypeError("Fill method not supported if level passed")
        return reindexed_by_level(self, index, level)
    if self.equals(index):
        return index, None
    if not self.is_unique:
        raise ValueError("cannot reindex on an axis with duplicate labels")
    return index, self.get_indexer(index, method, limit, tolerance)


def groupby(self: Index, values: Any) -> dict[Any, Index]:
    """Return the labels of each different element of a list-like of as many, under that element.

    The elements ascend; missing ones have no labels.
    """
    import numpy as np

    if isinstance(values, objects.Series) or not is_list_like(values):
        values = column_from(values)
    keys = objects.Index(values)
    if len(keys) != len(self):
        raise ValueError(f"`values` has {len(keys)} elements for {len(self)} labels")
    codes, uniques = keys.factorize(sort=True)
    order = np.argsort(codes, kind="stable")
    edges = np.searchsorted(codes[order], np.arange(len(uniques) + 1))
    return {key: self.take(order[edges[i] : edges[i + 1]]) for i, key in enumerate(uniques)}


def _method(method: Any) -> str | None:
    if method not in _METHODS:
        raise ValueError(
            "Invalid fill method. Expecting pad (ffill), backfill (bfill) or nearest. Got " + str(method)
        )
    return _METHODS[method]


def _tolerance(tolerance: Any, count: int) -> Any:
    import numpy as np

    if isinstance(tolerance, str):
        import pandas as pd

        tolerance = pd.Timedelta(tolerance)
    if hasattr(tolerance, "to_timedelta64"):
        tolerance = tolerance.to_timedelta64()
    given = np.asarray(tolerance)
    if given.size != count and given.size > 1:
        raise ValueError("list-like tolerance size must match target index size")
    if given.dtype.kind == "O" and not hasattr(given.reshape(-1)[0], "total_seconds"):
        raise ValueError(f"`tolerance` is {tolerance!r}, no number or length of time")
    return given.astype("timedelta64[ns]") if given.dtype.kind == "O" else given


def _run_lengths(rows: Any, absent: Any, backwards: bool) -> Any:
    """Return for labels that are not there the how-many-eth of those it is that take the same row."""
    import numpy as np

    if backwards:
        rows, absent = rows[::-1], absent[::-1]
    counts = np.cumsum(absent)
    starts = (
        np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]])) if len(rows) else np.array([], int)
    )
    before = (counts - absent)[starts]
    lengths = counts - np.repeat(before, np.diff(np.append(starts, len(rows))))
    return lengths[::-1] if backwards else lengths
