"""Indexes as sets of labels, and two of them joined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_truth, plain_label
from cuprum.core.index.levels import level_at
from cuprum.core.index.regular import regular
from cuprum.core.interop import to_numpy
from cuprum.core.label_construction import index_handle

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.typing import Array, Label, OrderedHow


@regular
def difference(self: Index, other: Any, sort: bool | None = None) -> Index:
    """Return the labels that another index does not have.

    Parameters
    ----------
    other : Index or list-like
        The labels that are left out.
    sort : bool, optional
        Whether the result is sorted. By default it is where the labels can be; False keeps their order.

    Returns
    -------
    Index
        Each label once.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([3, 1, 2, 3])
    >>> index.difference([2])
    Index([1, 3], dtype='int64')
    >>> index.difference([2], sort=False)
    Index([3, 1], dtype='int64')
    """
    return _set_operation(self, other, "difference", sort)


@regular
def intersection(self: Index, other: Any, sort: bool | None = False) -> Index:
    """Return the labels that another index has too.

    Parameters
    ----------
    other : Index or list-like
        The other labels.
    sort : bool, optional
        Whether the result is sorted; False by default, which keeps the order here. None sorts labels that can
        be.

    Returns
    -------
    Index
        Each label once; the name where both have the same.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([3, 1, 2])
    >>> index.intersection([2, 3, 4])
    Index([3, 2], dtype='int64')
    >>> index.intersection([2, 3, 4], sort=None)
    Index([2, 3], dtype='int64')
    """
    return _set_operation(self, other, "intersection", sort)


@regular
def union(self: Index, other: Any, sort: bool | None = None) -> Index:
    """Return the labels of two indexes.

    Parameters
    ----------
    other : Index or list-like
        The other labels.
    sort : bool, optional
        Whether the result is sorted. By default it is where the labels can be; False puts those of ``other``
        last.

    Returns
    -------
    Index
        Each label as often as it is in the index that has it more often; the name where both have the same.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([3, 1])
    >>> index.union([2, 1])
    Index([1, 2, 3], dtype='int64')
    >>> index.union([2, 1], sort=False)
    Index([3, 1, 2], dtype='int64')
    >>> index.union([1, 1])
    Index([1, 1, 3], dtype='int64')
    """
    return _set_operation(self, other, "union", sort)


def symmetric_difference(self: Index, other: Any, result_name: Any = None, sort: bool | None = None) -> Index:
    """Return the labels that only one of two indexes has.

    Parameters
    ----------
    other : Index or list-like
        The other labels.
    result_name : label, optional
        The name of the result; by default that of both where it is the same.
    sort : bool, optional
        Whether the result is sorted. By default it is where the labels can be.

    Returns
    -------
    Index
        Each label once.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([1, 2, 3]).symmetric_difference([2, 3, 4])
    Index([1, 4], dtype='int64')
    """
    result = _set_operation(self, other, "symmetric_difference", sort)
    return result if result_name is None else result.rename(result_name)


def _set_operation(self: Index, other: Any, op: Any, sort: bool | None) -> Any:
    if sort not in (None, True, False):
        raise ValueError(
            f"The 'sort' keyword only takes the values of None, True, or False; {sort} was passed."
        )
    if not is_list_like(other):
        raise TypeError("Input must be Index or array-like")
    empty = isinstance(other, (list, tuple)) and not other
    handle = self._handle.slice(0, 0) if empty else index_handle(other)
    if self._handle.nlevels() > 1 and handle.nlevels() == 1:
        handle = _of_tuples(other, handle)
    if not hasattr(other, "names") and handle.nlevels() == self._handle.nlevels():
        handle = handle.with_names(self._handle.names())
    return objects.wrap_index(self._handle.set_operation(op, handle, sort))


@overload
def join(
    self: Index,
    other: Any,
    *,
    how: OrderedHow = ...,
    level: Label = ...,
    return_indexers: Literal[True],
    sort: bool = ...,
) -> tuple[Index, Array | None, Array | None]: ...
@overload
def join(
    self: Index,
    other: Any,
    *,
    how: OrderedHow = ...,
    level: Label = ...,
    return_indexers: bool = ...,
    sort: bool = ...,
) -> Index: ...
def join(
    self: Index,
    other: Any,
    *,
    how: str = "left",
    level: Any = None,
    return_indexers: bool = False,
    sort: bool = False,
) -> Any:
    """Return the labels of two indexes joined, and where they come from.

    Parameters
    ----------
    other : Index or list-like
        The other labels.
    how : {``'left'``, ``'right'``, ``'inner'``, ``'outer'``}, default ``'left'``
        Whose labels are kept: those here, those of ``other``, those of both, or those of either, sorted.
    level : label or int, optional
        A level of the one index that is a MultiIndex, by which it is joined with one of a single level. Two
        MultiIndexes
        with different names are joined by the levels whose names both have.
    return_indexers : bool, default False
        Whether the positions are returned as well.
    sort : bool, default False
        Whether the labels are sorted.

    Returns
    -------
    Index, or tuple of Index and two numpy.ndarray or None
        The labels; with ``return_indexers`` also their positions here and in ``other``, -1 where there is
        none. None stands
        for positions that are all there are, in order.

    Notes
    -----
    A label that repeats on both sides is there as often as there are pairs.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([1, 2, 3])
    >>> index.join([2, 3, 4], how="inner", return_indexers=True)
    (Index([2, 3], dtype='int64'), array([1, 2]), array([0, 1]))
    >>> index.join([4, 2], how="outer")
    Index([1, 2, 3, 4], dtype='int64')
    """
    if how not in ("left", "right", "inner", "outer"):
        raise ValueError(f"do not recognize join method {how}")
    only_truth("Index.join", sort=sort, return_indexers=return_indexers)
    right = other if isinstance(other, objects.Index) else objects.wrap_index(index_handle(other))
    _refuse_unlike_clocks(self, right)
    joined = _joined(self, right, how, level, bool(sort))
    return joined if return_indexers else joined[0]


def _refuse_unlike_clocks(left: Any, right: Any) -> None:
    """Fail for times with a zone beside such without one."""
    kinds = [
        one.dtype.kind if one.nlevels == 1 and hasattr(one.dtype, "kind") else "O" for one in (left, right)
    ]
    if kinds == ["M", "M"] and (left.dtype.tz is None) != (right.dtype.tz is None):
        raise TypeError("Cannot join tz-naive with tz-aware DatetimeIndex")


def _of_tuples(other: Any, handle: Any) -> Any:
    """Return labels that are tuples as labels of several levels; an index of others as it is."""
    labels = list(other)
    if labels and all(isinstance(label, tuple) for label in labels):
        return index_handle(labels)
    if hasattr(other, "names"):
        return handle
    raise TypeError("other must be a MultiIndex or a list of tuples")


def _joined(left: Any, right: Any, how: str, level: Any, sort: bool) -> tuple[Any, Any, Any]:
    depths = (left.nlevels, right.nlevels)
    if level is None and max(depths) > 1 and left.names != right.names:
        return _joined_by_names(left, right, how, sort)
    if level is not None and max(depths) > 1:
        return _joined_by_level(left, right, how, level, sort)
    sort = sort or how == "outer"
    if not (len(left) and len(right)):
        return _joined_with_none(left, right, how, sort)
    unique = left.is_unique or right.is_unique
    ascending = left.is_monotonic_increasing
    if left.equals(right) and unique and (not sort or ascending):
        return (right if how == "right" else left), None, None
    if not (left.is_unique and right.is_unique):
        return _joined_rows(
            left, right, how, sort or (ascending and right.is_monotonic_increasing and unique)
        )
    if how in ("left", "right") or left.equals(right):
        index = right if how == "right" else left
        if sort and not index.is_monotonic_increasing:
            index = index.sort_values()
    else:
        index = (
            left.intersection(right, sort=None if sort else False) if how == "inner" else left.union(right)
        )
        if how == "inner" and ascending and right.is_monotonic_increasing:
            index = index.sort_values()
    names = right.names if how == "right" else left.names
    index = objects.wrap_index(index._handle.with_names(names))
    rows = [
        None
        if side.equals(index) and len(side) == len(index) and how != "outer"
        else side.get_indexer_for(index)
        for side in (left, right)
    ]
    return index, rows[0], rows[1]


def _joined_with_none(left: Any, right: Any, how: str, sort: bool) -> tuple[Any, Any, Any]:
    """Return the join of two indexes, one or both of them empty."""
    import numpy as np

    nothing = left if len(right) else right
    kept = {"left": left, "right": right, "outer": right if len(right) else left, "inner": nothing}[how]
    rows = np.arange(len(kept))
    if sort and not kept.is_monotonic_increasing:
        kept, rows = kept.sort_values(return_indexer=True)
    left_rows, right_rows = (rows if len(side) else np.full(len(kept), -1) for side in (left, right))
    return kept, _unless_all(left_rows, len(left)), _unless_all(right_rows, len(right))


def _joined_rows(left: Any, right: Any, how: str, sort: bool) -> tuple[Any, Any, Any]:
    """Return the join of labels that repeat: every pair of rows with equal ones."""
    pairs = _pairs(left, right, how, sort)
    rows = [to_numpy(pairs[side]._handle.column(), na_value=-1).astype("intp") for side in ("l", "r")]
    index = _taken(left, right, rows, how)
    if how == "outer":
        return index, rows[0], rows[1]
    return index, _unless_all(rows[0], len(left)), _unless_all(rows[1], len(right))


def _unless_all(rows: Any, count: int) -> Any:
    """Return rows, or None where they are all that there are, in order."""
    import numpy as np

    return None if len(rows) == count and (rows == np.arange(count)).all() else rows


def _pairs(left: Any, right: Any, how: str, sort: bool) -> Any:
    frames = []
    for side, index in (("l", left), ("r", right)):
        handle = index._handle
        columns = [handle.column(i) for i in range(index.nlevels)]
        keys = [f"k{i}" for i in range(index.nlevels)]
        rows = _cuprum.Index.range(0, len(index)).column(0)
        frames.append(objects.wrap_frame(_cuprum.DataFrame([*keys, side], [*columns, rows])))
    keys = [f"k{i}" for i in range(left.nlevels)]
    return frames[0].merge(frames[1], how=how, on=keys, sort=sort)


def _taken(left: Any, right: Any, rows: Any, how: str) -> Any:
    """Return the labels of pairs of rows: those of the left side, where it has none those of the right."""
    import numpy as np

    if how == "right":
        return right.take(rows[1])
    if (rows[0] >= 0).all():
        return left.take(rows[0])
    both = _cuprum.Index.concat([left._handle, right._handle])
    at = np.where(rows[0] >= 0, rows[0], len(left) + rows[1])
    return objects.wrap_index(both.take(Column.from_numpy(at)).with_names(left.names))


def _joined_by_level(left: Any, right: Any, how: str, level: Any, sort: bool) -> tuple[Any, Any, Any]:
    """Return the join of an index of several levels with one of a single level, by one of the levels."""
    if left.nlevels > 1 and right.nlevels > 1:
        raise TypeError("Join on level between two MultiIndex objects is ambiguous")
    deep, flat = (left, right) if left.nlevels > 1 else (right, left)
    turned = left.nlevels == 1
    at = deep._handle.level_position(plain_label(level))
    if not flat.is_unique:
        raise NotImplementedError("Index joining on level is not implemented for labels that repeat")
    if sort:
        raise NotImplementedError("Index.join by a level does not support `sort`=True: sort the result")
    import numpy as np

    inner = how == "inner" or how == ("right" if deep is left else "left")
    found = flat.get_indexer_for(level_at(deep, at))
    rows = np.flatnonzero(found >= 0) if inner else np.arange(len(deep))
    index = deep if len(rows) == len(deep) and (rows == np.arange(len(deep))).all() else deep.take(rows)
    of_deep = None if index is deep and how != "outer" else rows
    of_flat = found[rows]
    return (index, of_flat, of_deep) if turned else (index, of_deep, of_flat)


def _joined_by_names(left: Any, right: Any, how: str, sort: bool) -> tuple[Any, Any, Any]:
    """Return the join by the levels whose names both have: these, then those that only one has."""
    shared = [name for name in left.names if name is not None and name in right.names]
    if not shared:
        raise ValueError("cannot join with no overlapping index names")
    if left.nlevels == 1 or right.nlevels == 1:
        return _joined_by_level(left, right, how, shared[0], sort)
    one, other = (
        objects.wrap_index(
            _cuprum.Index.from_columns(
                [side._handle.column(side._handle.level_position(name)) for name in shared], shared
            )
        )
        for side in (left, right)
    )
    pairs = _pairs(one, other, how, sort or how == "outer")
    rows = [to_numpy(pairs[side]._handle.column(), na_value=-1).astype("intp") for side in ("l", "r")]
    keys = _taken(one, other, rows, how)
    columns = {name: keys._handle.column(i) for i, name in enumerate(shared)}
    for side, at in ((left, rows[0]), (right, rows[1])):
        for i, name in enumerate(side.names):
            if name not in columns:
                series = objects.wrap_series(_cuprum.Series(side._handle.column(i)))
                columns[name] = (
                    series.reindex(at)._handle.column()
                    if (at < 0).any()
                    else series.take(at)._handle.column()
                )
    order = [*left.names, *[name for name in right.names if name not in left.names]]
    if how == "right":
        order = [*right.names, *[name for name in left.names if name not in right.names]]
    handle = _cuprum.Index.from_columns([columns[name] for name in order], order)
    if how == "outer":
        return objects.wrap_index(handle), rows[0], rows[1]
    return objects.wrap_index(handle), _unless_all(rows[0], len(left)), _unless_all(rows[1], len(right))
