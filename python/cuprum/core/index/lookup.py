"""Look-ups of labels in an `Index`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.construction import column_from
from cuprum.core.error_classes import of_pandas
from cuprum.core.index.duration_texts import duration_bound, named_duration
from cuprum.core.interop import to_numpy
from cuprum.core.label_construction import index_handle
from cuprum.core.missing import missing_value
from cuprum.core.reindexing import reindexed_by_level

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.typing import Array, FillMethod, ListLike, OneLabel, Scalar, Side

__all__ = ["refuse_several", "refuse_unhashable"]

_METHODS = {
    None: None,
    "pad": "pad",
    "ffill": "pad",
    "backfill": "backfill",
    "bfill": "backfill",
    "nearest": "nearest",
}


def refuse_unhashable(label: Any) -> None:
    """Fail for an argument that is no label."""
    if isinstance(label, slice):
        raise TypeError(f"{label!r} is no label")
    hash(label)


def refuse_several(key: Any) -> None:
    """Fail for an argument of `Index.get_loc` that is no label, in pandas' class."""
    try:
        refuse_unhashable(key)
    except TypeError as error:
        raise of_pandas("InvalidIndexError", f"`key` is {key!r}: {error}") from None


def get_loc(self: Index, key: Any) -> int | slice | Array:
    """Return the position of a label.

    Parameters
    ----------
    key : label
        The label; a tuple for a MultiIndex. Among times also a text of one, or of a part of a date
        (``'2024-01'``).

    Returns
    -------
    int, slice or numpy.ndarray
        An integer where the label occurs once. Where it occurs more than once, a slice among ascending
        labels, else a
        boolean mask. For a part of a date among labels that do not ascend the positions, a slice where they
        follow on.

    Raises
    ------
    KeyError
        Where the label does not occur.
    InvalidIndexError
        Where ``key`` cannot be a label, such as a list or a slice.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b", "c"]).get_loc("b")
    1
    >>> cuprum.Index(["a", "b", "b"]).get_loc("b")
    slice(1, 3, None)
    >>> cuprum.Index(["b", "a", "b"]).get_loc("b")
    array([ True, False,  True])
    """
    refuse_several(key)
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
    """Return for every label of a target the position that it has here.

    Parameters
    ----------
    target : Index or list-like
        The labels that are looked up.
    method : {``'pad'``, ``'ffill'``, ``'backfill'``, ``'bfill'``, ``'nearest'``}, optional
        The position for a label that is not there, among labels that ascend or descend: the position before
        its place
        (``'pad'``, ``'ffill'``), the one behind it (``'backfill'``, ``'bfill'``), or that of the
        ``'nearest'`` label, of two
        as near the greater.
    limit : int, optional
        How many labels in a row that are not there take the same position. Both indexes have to ascend.
    tolerance : number, length of time or list-like of these, optional
        How far a label may be from the one that is taken for it; one value for all, or one for each label of
        ``target``.

    Returns
    -------
    numpy.ndarray
        One integer for each label of ``target``, -1 where there is none.

    Raises
    ------
    ValueError
        Where a label of the index repeats, labels with ``method`` have no order, or ``limit`` or
        ``tolerance`` come without
        ``method``.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([10, 20, 30])
    >>> index.get_indexer([20, 25])
    array([ 1, -1])
    >>> index.get_indexer([9, 20, 26], method="nearest", tolerance=2)
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
        looked_up = index_handle(target)
        found = _places_in_range(self, looked_up)
        return to_numpy(self._handle.indexer(looked_up), copy=True).astype("intp") if found is None else found
    return _neighbours(self, index_handle(target), how, limit, tolerance)


def _places_in_range(self: Index, target: Any) -> Any:
    """Return the positions of integers in a range; None for labels of other kinds, which are looked up."""
    import numpy as np

    labels = self._labels_of_range()
    if not labels or target.nlevels() > 1 or str(target.dtype(0)) != "int64":
        return None
    least, most = sorted((labels[0], labels[-1]))
    column = target.column(0)
    if most - least >= 2**63 or column.null_count():
        return None
    wanted = to_numpy(column)
    within = (least <= wanted) & (wanted <= most)
    apart = np.where(within, wanted, labels.start) - labels.start
    return np.where(within & (apart % labels.step == 0), apart // labels.step, -1).astype("intp")


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
    """Return all positions of every label of a target, and which of them are nowhere.

    Parameters
    ----------
    target : Index or list-like
        The labels that are looked up.

    Returns
    -------
    tuple of two numpy.ndarray
        The positions here, label by label of ``target``, -1 for one that is nowhere; and the positions in
        ``target`` of
        those that are nowhere.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b", "b"]).get_indexer_non_unique(["b", "z", "a"])
    (array([ 1,  2, -1,  0]), array([1]))
    """
    rows, without = self._handle.indexer_non_unique(index_handle(target))
    return to_numpy(rows, copy=True), to_numpy(without, copy=True)


def get_indexer_for(self: Index, target: Any) -> Array:
    """Return the positions of the labels of a target, also where labels repeat.

    Parameters
    ----------
    target : Index or list-like
        The labels that are looked up.

    Returns
    -------
    numpy.ndarray
        All positions, label by label of ``target``, -1 for one that is nowhere.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b", "b"]).get_indexer_for(["b", "z"])
    array([ 1,  2, -1])
    """
    return self.get_indexer_non_unique(target)[0]


def isin(self: Index, values: Any, level: Any = None) -> Array:
    """Return which labels are among some values.

    Parameters
    ----------
    values : list-like
        The values; a scalar or a text is refused.
    level : label or int, optional
        The level of a MultiIndex whose labels are compared, by its name or number.

    Returns
    -------
    numpy.ndarray
        A boolean for each label. A missing label is among values with a missing one.

    Raises
    ------
    TypeError
        Where ``values`` is no list-like.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b", None])
    >>> index.isin(["b", "z"])
    array([False,  True, False])
    >>> index.isin([None])
    array([False, False,  True])
    """
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
    """Return the positions at which labels would be put in to keep the order.

    Parameters
    ----------
    value : label or list-like of labels
        The label to insert.
    side : {``'left'``, ``'right'``}, default ``'left'``
        Whether the position is before equal labels or behind them.
    sorter : list-like of int, optional
        The positions of the labels in ascending order, such as those of `argsort`. Without it the labels have
        to ascend.

    Returns
    -------
    int or numpy.ndarray
        A position for one label, or an array with one for each.

    Raises
    ------
    ValueError
        Where ``side`` is another word, or ``sorter`` has another length than the labels.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([10, 20, 20, 30])
    >>> index.searchsorted([5, 20, 99])
    array([0, 1, 4])
    >>> index.searchsorted([5, 20, 99], side="right")
    array([0, 3, 4])
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
    labels = self._labels_of_range()
    if labels is not None and type(value) is int and (labels.step > 0 or len(labels) < 2):
        # The labels below the value, and with `after` those that equal it.
        below = -((labels.start - value - after) // labels.step)
        return np.int64(min(max(below, 0), len(labels)))
    if not is_list_like(value):
        return np.int64(self._handle.searchsorted(plain_label(value), after))
    if isinstance(value, (list, tuple)) and not value:
        return np.array([], dtype="int64")
    return to_numpy(self._handle.searchsorted_each(index_handle(value), after)).astype("int64")


def get_slice_bound(self: Index, label: Any, side: Side) -> int:
    """Return the position at which a slice that begins or ends with a label does so.

    Parameters
    ----------
    label : label
        The label. One that is not there has the position at which it would be, if the labels ascend or
        descend.
    side : {``'left'``, ``'right'``}
        Whether the slice begins or ends with the label.

    Returns
    -------
    int
        The position of the label, or the one behind it for ``'right'``.

    Raises
    ------
    KeyError
        Where the label is not there and has no place, or repeats with others between.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b", "d"])
    >>> index.get_slice_bound("b", side="left"), index.get_slice_bound("b", side="right")
    (1, 2)
    >>> index.get_slice_bound("c", side="left")
    2
    """
    if side not in ("left", "right"):
        raise ValueError(f"Invalid value for side kwarg, must be either 'left' or 'right': {side}")
    refuse_unhashable(label)
    if label is None:
        raise KeyError(label)
    return _slice_bounds(self, label, None)[0] if side == "left" else _slice_bounds(self, None, label)[1]


def slice_locs(self: Index, start: Any = None, end: Any = None, step: int | None = None) -> tuple[int, int]:
    """Return the bounds of the positions from one label to another, both included.

    Parameters
    ----------
    start : label, optional
        The first label; by default the slice begins with the first row.
    end : label, optional
        The last label; by default the slice ends with the last row.
    step : int, optional
        The step of the slice. With a negative one it goes backwards from ``start`` to ``end``.

    Returns
    -------
    tuple of two int
        The first position and the one before which the slice ends.

    Raises
    ------
    KeyError
        Where a label is not there and the labels have no order.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b", "c", "d"])
    >>> index.slice_locs("b", "c")
    (1, 3)
    >>> index.slice_locs("c", "b", step=-1)
    (2, 0)
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
    """Return the positions from one label to another, both included, as a slice.

    Parameters
    ----------
    start : label, optional
        The first label; by default the slice begins with the first row.
    end : label, optional
        The last label; by default the slice ends with the last row.
    step : int, optional
        The step of the slice.

    Returns
    -------
    slice
        A slice of positions.

    Raises
    ------
    KeyError
        Where a label is not there and the labels have no order.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b", "c", "d"]).slice_indexer("b", "c")
    slice(1, 3, None)
    >>> cuprum.date_range("2024-01-30", periods=4).slice_indexer("2024-02")
    slice(2, 4, None)
    """
    first, stop = self.slice_locs(start, end, step)
    return slice(first, stop, step)


def find_label_range(self: Index, loc: slice) -> slice:
    """Return the positions that a slice of labels names, both ends included.

    Parameters
    ----------
    loc : slice
        A slice of labels.

    Returns
    -------
    slice
        A slice of positions.

    Raises
    ------
    TypeError
        Where ``loc`` is no slice.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b", "c", "d"]).find_label_range(slice("b", "c"))
    slice(1, 3, 1)
    """
    if not isinstance(loc, slice):
        raise TypeError(f"`loc` is {loc!r}, no slice of labels")
    first, stop = self.slice_locs(loc.start, loc.stop, loc.step)
    return slice(first, stop, 1 if loc.step is None else loc.step)


def asof(self: Index, label: Any) -> Scalar:
    """Return a label, or the last one before it where it is not there.

    Parameters
    ----------
    label : label
        The label that is looked up; list-likes are refused.

    Returns
    -------
    scalar
        The label that was found, a missing one where none is before ``label``.

    Raises
    ------
    ValueError
        Where the labels neither ascend nor descend.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["2013-12-31", "2014-01-02", "2014-01-03"])
    >>> index.asof("2014-01-01")
    '2013-12-31'
    >>> index.asof("1999-01-02")
    nan
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
    """Return for every label of an index the position of the last one here that is not behind it.

    Parameters
    ----------
    where : Index
        The labels that are looked up.
    mask : list-like of bool
        Which labels of this index are looked at: one truth value for each.

    Returns
    -------
    numpy.ndarray
        One position for each label of ``where``, -1 where there is none.

    Raises
    ------
    ValueError
        Where ``mask`` has another length than the labels.

    Notes
    -----
    The labels of this index have to ascend.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([10, 20, 30])
    >>> index.asof_locs(cuprum.Index([5, 20, 35]), [True, True, False])
    array([-1,  1,  1])
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
    """Return other labels as an index, and the positions that they have here.

    Parameters
    ----------
    target : list-like
        The wanted labels. They take the name of this index unless they bring one.
    method : {``'pad'``, ``'ffill'``, ``'backfill'``, ``'bfill'``, ``'nearest'``}, optional
        The position for a label that is not there; see `get_indexer`.
    level : label or int, optional
        A level of the one of both indexes that is a MultiIndex, by which the labels of the other are matched.
        Not together
        with ``method``.
    limit : int, optional
        How many labels in a row that are not there take the same position.
    tolerance : number, length of time or list-like of these, optional
        How far a label may be from the one that is taken for it.

    Returns
    -------
    tuple of Index and numpy.ndarray or None
        The labels, and their positions in this index, -1 for none; None where both have the same labels.

    Raises
    ------
    ValueError
        Where a label of this index repeats.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b"], name="k")
    >>> index.reindex(["b", "z"])
    (Index(['b', 'z'], dtype='str', name='k'), array([ 1, -1]))
    >>> index.reindex(["a", "b"])
    (Index(['a', 'b'], dtype='str', name='k'), None)
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
    """Return the labels of each group of rows.

    Parameters
    ----------
    values : list-like
        The group of each label.

    Returns
    -------
    dict of Index
        The labels in their order, by group. The groups ascend; rows of a missing group are left out.

    Raises
    ------
    ValueError
        Where ``values`` has another length than the labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([10, 20, 30, 40]).groupby(["x", "y", "x", None])
    {'x': Index([10, 30], dtype='int64'), 'y': Index([20], dtype='int64')}
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
