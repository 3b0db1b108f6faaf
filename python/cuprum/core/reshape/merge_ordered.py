"""Joins of rows in an order: by the nearest key, and with gaps filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import label_list
from cuprum.core.frame_construction import frame_of
from cuprum.core.interop import to_numpy
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.concat import concat
from cuprum.core.reshape.merge import merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import AsofDirection, FrameLike, OrderedHow

__all__ = ["merge_asof", "merge_ordered"]

_DIRECTIONS = ("backward", "forward", "nearest")


@objects_where_mixed
def merge_asof(
    left: FrameLike,
    right: FrameLike,
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_index: bool = False,
    right_index: bool = False,
    by: Any = None,
    left_by: Any = None,
    right_by: Any = None,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    tolerance: Any = None,
    allow_exact_matches: bool = True,
    direction: AsofDirection = "backward",
) -> DataFrame:
    """Return the rows of ``left``, each beside the row of ``right`` whose key is the nearest in a direction.

    Parameters
    ----------
    left, right
        The frames. Their keys ascend.
    on, left_on, right_on, left_index, right_index
        The keys, numbers or times of one type: the label of a column of both, of each, or the row labels. Row labels
        of ``left`` beside a column of ``right`` are refused.
    by, left_by, right_by
        The labels of columns that have to be equal besides; missing ones equal each other.
    suffixes
        Appended to labels that both sides have.
    tolerance
        How far apart keys may be: a number, or a length of time.
    allow_exact_matches
        Whether equal keys match.
    direction
        ``'backward'`` for the last key that is not greater, ``'forward'`` for the first that is not less,
        ``'nearest'`` for the nearer of both, of two as near the one before.

    Returns
    -------
    DataFrame
        Row labels are those of ``left`` where one of the keys is row labels, else 0, 1, …; columns of ``right`` are
        missing in rows without a match.

    Examples
    --------
    >>> from cuprum import DataFrame
    >>> left = DataFrame({"t": [1, 5, 10], "a": ["x", "y", "z"]})
    >>> right = DataFrame({"t": [1, 2, 3, 6, 7], "b": [1, 2, 3, 6, 7]})
    >>> merge_asof(left, right, on="t", tolerance=2)
        t  a     b
    0   1  x     1
    1   5  y     3
    2  10  z  <NA>
    """
    if direction not in _DIRECTIONS:
        raise ValueError(f"direction invalid: {direction}")
    if not isinstance(allow_exact_matches, bool):
        raise ValueError(f"allow_exact_matches must be boolean, passed {allow_exact_matches}")
    sides = (frame_of(left, "left"), frame_of(right, "right"))
    ons = _sides("on", on, (left_on, right_on), (bool(left_index), bool(right_index)))
    bys = _sides("by", by, (left_by, right_by), (False, False), needed=False)
    if left_index and ons[1]:
        raise NotImplementedError(
            "merge_asof does not support `left_index` with `right_on`: make the row labels a column, or the column row "
            "labels"
        )
    keys = [_key(side, labels) for side, labels in zip(sides, ons, strict=True)]
    for key, name in zip(keys, ("left", "right"), strict=True):
        if key.dtype.kind not in "iufmM":
            raise TypeError(f"Incompatible merge dtype, {key.dtype} on the {name}: keys are numbers or times")
        if key.hasnans:
            raise ValueError(f"Merge keys contain null values on {name} side")
        if not key.is_monotonic_increasing:
            raise ValueError(f"{name} keys must be sorted")
    if keys[0].dtype != keys[1].dtype:
        dtypes = " and ".join(repr(key.dtype) for key in keys)
        raise ValueError(f"incompatible merge keys [0] {dtypes}, must be the same type")
    codes = _codes([side[labels] for side, labels in zip(sides, bys, strict=True)]) if bys[0] else None
    limit = _tolerance(tolerance, keys[0].dtype)
    rows = _matches(keys, codes, direction, allow_exact_matches, limit)
    named = [*zip(*bys, strict=True), *zip(*ons, strict=False)]
    shared = [ours for ours, theirs in named if ours == theirs]
    found = _taken(sides[1].drop(columns=shared), rows)
    result = _side_by_side(sides[0].reset_index(drop=True), found, suffixes)
    if not left_index and not right_index:
        return result
    return result.set_axis(sides[0].index if len(rows) or left_index else sides[1].index[:0])


@objects_where_mixed
def merge_ordered(
    left: FrameLike,
    right: FrameLike,
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_by: Any = None,
    right_by: Any = None,
    fill_method: Literal["ffill"] | None = None,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    how: OrderedHow = "outer",
) -> DataFrame:
    """Return the rows of both frames paired by equal keys, in the order of the keys.

    Parameters
    ----------
    left, right, on, left_on, right_on, suffixes
        As of `merge`.
    left_by, right_by
        Labels of columns: for every group of one side, in the order of their first rows, the other side is merged
        anew.
    fill_method
        ``'ffill'``: what a side has no row for has its elements of the row before.
    how
        ``'outer'``, ``'inner'``, ``'left'`` or ``'right'``.

    Examples
    --------
    >>> from cuprum import DataFrame
    >>> left = DataFrame({"k": ["a", "c"], "l": [1, 2]})
    >>> merge_ordered(left, DataFrame({"k": ["b", "c"], "r": [3, 4]}), fill_method="ffill")
       k  l     r
    0  a  1  <NA>
    1  b  1     3
    2  c  2     4
    """
    if how not in ("outer", "inner", "left", "right"):
        raise ValueError(f"`how` is {how!r}; it is 'outer', 'inner', 'left' or 'right'")
    if fill_method not in (None, "ffill"):
        raise ValueError("fill_method must be 'ffill' or None")
    if left_by is not None and right_by is not None:
        raise ValueError("Can only group either left or right frames")
    left, right = frame_of(left, "left"), frame_of(right, "right")

    def one(a: Any, b: Any) -> Any:
        return _ordered(a, b, (on, left_on, right_on), fill_method, suffixes, how)

    if left_by is None and right_by is None:
        return one(left, right)
    grouped, labels = (left, label_list(left_by)) if right_by is None else (right, label_list(right_by))
    absent = [label for label in labels if label not in grouped.columns]
    if absent:
        raise KeyError(absent[0])
    other = right if grouped is left else left
    parts = []
    by_label = all(label in other.columns for label in labels)
    for key, part in grouped.groupby(labels, sort=False):
        rest = other
        if by_label:
            same = [other[label] == value for label, value in zip(labels, key, strict=True)]
            rest = other[same[0] if len(same) == 1 else _all(same)]
            if not len(rest):
                more = [label for label in other.columns if label not in part.columns]
                parts.append(part.reindex(columns=[*part.columns, *more]).reset_index(drop=True))
                continue
        made = one(part, rest) if grouped is left else one(rest, part)
        for label, value in zip(labels, key, strict=True):
            made[label] = objects.Series([value] * len(made), index=made.index, dtype=part[label].dtype)
        parts.append(made)
    if not parts:
        return one(left, right)
    result = concat(parts, ignore_index=True)
    return result[list(parts[0].columns)]


def _all(conditions: list[Any]) -> Any:
    found = conditions[0]
    for condition in conditions[1:]:
        found = found & condition
    return found


def _ordered(
    left: Any, right: Any, keys: tuple[Any, Any, Any], fill_method: str | None, suffixes: Any, how: OrderedHow
) -> Any:
    on, left_on, right_on = keys
    if fill_method is None:
        return merge(left, right, how, on, left_on, right_on, sort=True, suffixes=suffixes)
    names = ("left", "row"), ("right", "row")
    numbered = [_numbered(side, name) for side, name in zip((left, right), names, strict=True)]
    merged = merge(numbered[0], numbered[1], how, on, left_on, right_on, sort=True)
    filled = [
        _taken(side, to_numpy(merged[name].ffill()._handle.column(), na_value=-1).astype("int64"))
        for side, name in zip((left, right), names, strict=True)
    ]
    shared = [label for label in left.columns if label in merged.columns and label in right.columns]
    result = _side_by_side(filled[0], filled[1].drop(columns=shared), suffixes)
    for label in shared:
        result[label] = merged[label]
    return result


def _numbered(frame: Any, name: Any) -> Any:
    """Return a frame with the numbers of its rows as one column more."""
    rows = _cuprum.Index.range(0, len(frame)).column(0)
    return wrap_frame(_cuprum.DataFrame([*frame.columns, name], [*_columns(frame), rows]))


def _columns(frame: Any) -> list[Column]:
    return [frame._handle.column_at(i).column() for i in range(len(frame.columns))]


def _taken(frame: Any, rows: Any) -> Any:
    """Return rows of a frame, missing ones for -1, under 0, 1, …"""
    return frame.reset_index(drop=True).reindex(rows).reset_index(drop=True)


def _side_by_side(left: Any, right: Any, suffixes: Any) -> Any:
    return merge(left, right, "left", left_index=True, right_index=True, suffixes=suffixes)


def _sides(
    name: str, both: Any, each: tuple[Any, Any], by_index: tuple[bool, bool], *, needed: bool = True
) -> tuple[list[Any], list[Any]]:
    """Return the labels of the columns that are keys, of either side; none for row labels."""
    if both is not None:
        if any(one is not None for one in each) or any(by_index):
            raise ValueError(
                f'Can only pass argument "{name}" OR "left_{name}" and "right_{name}", not a combination of both.'
            )
        each = (both, both)
    labels = tuple([] if one is None else label_list(one) for one in each)
    for side, is_index, here in zip(("left", "right"), by_index, labels, strict=True):
        if is_index and here:
            raise ValueError(f'Can only pass argument "{side}_{name}" OR "{side}_index" not both.')
        if needed and not is_index and not here:
            raise ValueError(f'Must pass "{name}", or "{side}_{name}" or "{side}_index".')
        if needed and len(here) > 1:
            raise ValueError(f"can only asof on a key for {side}")
    if not needed and len(labels[0]) != len(labels[1]):
        raise ValueError("left_by and right_by must be the same length")
    return labels  # type: ignore[return-value]


def _key(frame: Any, labels: list[Any]) -> Any:
    """Return the key of a side as a Series under 0, 1, …; without labels the row labels."""
    if labels:
        return frame[labels[0]].reset_index(drop=True)
    if frame.index.nlevels > 1:
        raise ValueError("a key of row labels has one level")
    return wrap_series(_cuprum.Series(frame.index._handle.column(0)))


def _codes(keys: list[Any]) -> tuple[Any, Any]:
    """Return numbers of the different rows of two frames: equal ones have the same, missing ones equal each other."""
    for position, (ours, theirs) in enumerate(zip(keys[0].dtypes, keys[1].dtypes, strict=True)):
        if ours != theirs:
            raise ValueError(
                f"incompatible merge keys [{position}] {ours!r} and {theirs!r}, must be the same type"
            )
    names = [None] * len(keys[0].columns)
    sides = [_cuprum.Index.from_columns(_columns(key), names) for key in keys]
    codes, _ = objects.wrap_index(_cuprum.Index.concat(sides)).factorize(use_na_sentinel=False)
    return codes[: len(keys[0])], codes[len(keys[0]) :]


def _tolerance(tolerance: Any, dtype: Any) -> Any:
    """Return how far apart keys may be, in the unit of times; None without a limit."""
    if tolerance is None:
        return None
    import numbers

    import numpy as np
    import pandas as pd

    problem = f"incompatible tolerance {tolerance}, must be compat with type {dtype!r}"
    if dtype.kind in "mM":
        if not hasattr(tolerance, "total_seconds") and not isinstance(tolerance, np.timedelta64):
            raise ValueError(problem)
        limit: Any = (
            pd.Timedelta(tolerance).as_unit("ns").value // pd.Timedelta(1, dtype.unit).as_unit("ns").value
        )
    elif isinstance(tolerance, bool) or not isinstance(
        tolerance, numbers.Integral if dtype.kind in "iu" else numbers.Real
    ):
        raise ValueError(problem)
    else:
        limit = tolerance
    if limit < 0:
        raise ValueError(f"tolerance must be positive, got {tolerance}")
    return limit


def _matches(keys: list[Any], codes: Any, direction: str, exact: bool, limit: Any) -> Any:
    """Return for every left key the row of the right one that it matches, -1 for none."""
    import numpy as np

    left, right = keys
    if codes is None:
        order = np.arange(len(right))
        columns = [[key._handle.column()] for key in keys]
    else:
        # By the numbers first; keys ascend already.
        order = np.argsort(codes[1], kind="stable")
        numbers = codes[0], codes[1][order]
        columns = [
            [Column.from_numpy(code), key._handle.column()]
            for code, key in zip(numbers, (left, right.take(order)), strict=True)
        ]
    wanted, known = (_cuprum.Index.from_columns(some, [None] * len(some)) for some in columns)

    def beside(forward: bool) -> tuple[Any, Any]:
        """Return the place of the last key before, or the first one behind, and how far away it is."""
        place = to_numpy(known.searchsorted_each(wanted, exact != forward)).astype("int64") - (not forward)
        found = (place >= 0) & (place < len(order))
        if len(order):
            at = order[np.where(found, place, 0)]
            if codes is not None:
                found &= codes[1][at] == codes[0]
            gaps = _gaps(left, right, at, forward)
            if limit is not None:
                found &= gaps <= limit
        else:
            at, gaps = place, np.zeros(len(left))
        return np.where(found, at, -1), gaps

    if direction != "nearest":
        return beside(direction == "forward")[0]
    (before, near), (behind, far) = beside(False), beside(True)
    return np.where((before >= 0) & ((behind < 0) | (near <= far)), before, behind)


def _gaps(left: Any, right: Any, at: Any, forward: bool) -> Any:
    """Return how far the right keys at some rows are from the left ones, where they are on the side asked for."""
    import numpy as np

    ours, theirs = (
        to_numpy(key._handle.column().flat() if key.dtype.kind == "M" else key._handle.column())
        for key in (left, right)
    )
    if ours.dtype.kind in "mM":
        ours, theirs = ours.view("int64"), theirs.view("int64")
    theirs = theirs[at]
    low, high = (ours, theirs) if forward else (theirs, ours)
    if ours.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return np.where(low == high, 0, high - low)
    # As unsigned integers the distance of any two fits; what lies on the other side is not looked at.
    return high.astype("int64").view("uint64") - low.astype("int64").view("uint64")
