"""Joins of rows in an order: by the nearest key, and with gaps filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from cuprum.core.arguments import is_list_like, label_list
from cuprum.core.error_classes import in_class_of_pandas, of_pandas
from cuprum.core.frame_construction import frame_of
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame
from cuprum.core.reshape.merge import KeyLevels
from cuprum.core.reshape.merge_arrays import ArrayKeys, key_list

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
    """Merge two frames by the nearest key instead of an equal one.

    Parameters
    ----------
    left : DataFrame or Series
        The frame whose rows the result has. Its keys ascend.
    right : DataFrame or Series
        The other frame. Its keys ascend.
    on : label, optional
        The key column of both: numbers or times of one type.
    left_on : label, optional
        The key column of ``left``.
    right_on : label, optional
        The key column of ``right``.
    left_index : bool, default False
        Whether the row labels of ``left`` are its key; not beside a column of ``right``.
    right_index : bool, default False
        Whether the row labels of ``right`` are its key.
    by : label or list of labels, optional
        Columns of both that have to be equal besides.
    left_by : label or list of labels, optional
        Those of ``left``, where their labels differ.
    right_by : label or list of labels, optional
        Those of ``right``.
    suffixes : pair of str or None, default ``("_x", "_y")``
        What is appended to labels that both sides have; None appends nothing.
    tolerance : number, timedelta or str, optional
        How far apart keys may be; without it any distance.
    allow_exact_matches : bool, default True
        Whether equal keys match.
    direction : ``"backward"``, ``"forward"`` or ``"nearest"``, default ``"backward"``
        Which key of ``right`` matches: the last that is not greater, the first that is not less, or the
        nearer of both, of two as near the one before.

    Returns
    -------
    DataFrame
        A row for each row of ``left``, in its order. Row labels are those of ``left`` where one of the keys
        is row labels, else 0, 1, …; columns of ``right`` are missing in rows without a match.

    Raises
    ------
    ValueError
        If keys are not in ascending order, or an argument is given for both sides and for one.
    TypeError
        If keys are neither numbers nor times.
    NotImplementedError
        For ``left_index`` with ``right_on``.

    Notes
    -----
    Missing elements of the columns of ``by`` are equal to each other.

    Examples
    --------
    >>> import cuprum
    >>> left = cuprum.DataFrame({"t": [1, 5, 10], "a": ["x", "y", "z"]})
    >>> right = cuprum.DataFrame({"t": [1, 2, 3, 6, 7], "b": [1, 2, 3, 6, 7]})
    >>> cuprum.merge_asof(left, right, on="t", tolerance=2)
        t  a     b
    0   1  x     1
    1   5  y     3
    2  10  z  <NA>
    >>> cuprum.merge_asof(left, right, on="t", direction="forward")["b"].to_list()
    [1, 6, nan]
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
    keys = tuple(labels[0] if labels else None for labels in ons)
    merged = sides[0]._handle.merge_asof(
        sides[1]._handle,
        keys,
        list(zip(*bys, strict=True)),
        direction,
        tolerance,
        allow_exact_matches,
        _suffixes(suffixes),
    )
    return wrap_frame(merged)


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
    """Merge two frames by equal keys, with rows in the order of the keys.

    Parameters
    ----------
    left : DataFrame or Series
        The frame whose columns come first.
    right : DataFrame or Series
        The other frame.
    on : label or list of labels, optional
        The key columns, which both sides have; without any key all columns that both have.
    left_on, right_on : label, array or list of these, optional
        The keys of each side, where their labels differ. An array has a key for each row. A label may name a
        level of the row labels.
    left_by : label or list of labels, optional
        Columns of ``left``: ``right`` is merged anew with every group of its rows that are equal there, in
        order of first appearance.
    right_by : label or list of labels, optional
        The same with the sides exchanged; not with ``left_by``.
    fill_method : ``"ffill"`` or None, default None
        Whether a side that has no row takes the elements of the row before.
    suffixes : pair of str or None, default ``("_x", "_y")``
        What is appended to labels that both sides have; None appends nothing.
    how : ``"outer"``, ``"inner"``, ``"left"`` or ``"right"``, default ``"outer"``
        Which rows the result has.

    Returns
    -------
    DataFrame
        The columns of both, the keys once. Columns of a side are missing in rows that it has not, unless they
        are filled.

    Raises
    ------
    ValueError
        For another ``how`` or ``fill_method``, and for groups of both sides.
    MergeError
        pandas' error, if only one side has keys.

    Examples
    --------
    >>> import cuprum
    >>> left = cuprum.DataFrame({"k": ["a", "c"], "l": [1, 2]})
    >>> right = cuprum.DataFrame({"k": ["b", "c"], "r": [3, 4]})
    >>> cuprum.merge_ordered(left, right)
       k     l     r
    0  a     1  <NA>
    1  b  <NA>     3
    2  c     2     4
    >>> cuprum.merge_ordered(left, right, fill_method="ffill")
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
    arrays = ArrayKeys(left, right, [*map(key_list, (on, left_on, right_on))])
    levels = KeyLevels(arrays.left, arrays.right, arrays.keys, by_index=False)
    on, left_on, right_on = levels.keys
    keys = (left_on, right_on) if on is None else (on, on)
    if (keys[0] is None) != (keys[1] is None) or (on is not None and (left_on or right_on)):
        raise of_pandas("MergeError", "name the keys with `on`, or with `left_on` and `right_on`")
    by = left_by if right_by is None else right_by
    groups = None if by is None else (right_by is None, label_list(by))
    try:
        merged = levels.left._handle.merge_ordered(
            levels.right._handle,
            how,
            None if keys[0] is None else keys,
            groups,
            fill_method is not None,
            _suffixes(suffixes),
        )
    except ValueError as error:
        raise in_class_of_pandas(error) from None
    return arrays.restored(levels.restored(wrap_frame(merged)))


def _suffixes(suffixes: Any) -> tuple[str | None, str | None]:
    """Return what is appended to labels that both sides have; two of False or "" are none."""
    if not is_list_like(suffixes) or len(suffixes) != 2:
        raise TypeError(f"Passing 'suffixes' as {suffixes!r} is not supported: give a pair of texts")
    left, right = (None if suffix is None or not any(suffixes) else str(suffix) for suffix in suffixes)
    return left, right


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
