"""Joins: rows paired by equal keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.arguments import is_frame_like, is_list_like, label_list, only_truth
from cuprum.core.attributes import with_common_attrs
from cuprum.core.error_classes import in_class_of_pandas, of_pandas
from cuprum.core.frame_construction import frame_of
from cuprum.core.interop import is_pandas
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame
from cuprum.core.reshape.concat import concat
from cuprum.core.reshape.merge_arrays import ArrayKeys, key_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import FrameLike, JoinHow, Keys, LabelOrLabels, Validate

__all__ = ["join", "merge"]


@objects_where_mixed
def merge(
    left: FrameLike,
    right: FrameLike,
    how: JoinHow = "inner",
    on: LabelOrLabels = None,
    left_on: Keys = None,
    right_on: Keys = None,
    left_index: bool = False,
    right_index: bool = False,
    sort: bool = False,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    copy: bool | None = None,
    indicator: bool | str = False,
    validate: Validate | None = None,
) -> DataFrame:
    """Merge two frames: pair their rows by equal keys, as a join of databases.

    Parameters
    ----------
    left : DataFrame or Series
        The frame whose columns come first; a Series needs a name. As a method of frames, the frame itself.
    right : DataFrame or Series
        The other frame.
    how : str, default ``"inner"``
        Which rows the result has: pairs alone with ``"inner"``, also all other rows of one side with
        ``"left"`` or ``"right"``, of both with ``"outer"``; every pair of rows with ``"cross"``; of a side
        those without a match with ``"left_anti"`` and ``"right_anti"``. ``"leftsemi"`` and ``"leftanti"``
        give the left rows with and without a match, with the left columns alone.
    on : label or list of labels, optional
        The key columns, which both sides have; without any key all columns that both have.
    left_on, right_on : label, array or list of these, optional
        The keys of each side, where their labels differ. An array has a key for each row. A label may name a
        level of the row labels.
    left_index : bool, default False
        Whether the row labels of ``left`` are its key.
    right_index : bool, default False
        Whether the row labels of ``right`` are its key.
    sort : bool, default False
        Whether rows are in order of their keys.
    suffixes : pair of str or None, default ``("_x", "_y")``
        What is appended to labels that both sides have; None appends nothing.
    copy : bool, optional
        Accepted for compatibility with pandas; it changes nothing.
    indicator : bool or str, default False
        Whether to add a column ``_merge``, or of another name, that says where a row is from:
        ``"left_only"``, ``"right_only"`` or ``"both"``.
    validate : str, optional
        Keys of which sides must not repeat: ``"1:1"``, ``"1:m"`` (left) or ``"m:1"`` (right); ``"m:m"``
        checks nothing.

    Returns
    -------
    DataFrame
        The columns of both, the keys once. Rows are in the order of the left side (``"right"``: of the right
        side, ``"outer"``: of the keys), labelled 0, 1, … where keys are columns. Columns of a side are
        missing in rows that it has not.

    Raises
    ------
    MergeError
        pandas' error, if there are no common columns, or keys repeat against ``validate``.
    ValueError
        If keys have types that do not compare, or ``how`` is something else.
    KeyError
        If a key is no column.

    See Also
    --------
    concat : Put frames side by side by row label.
    merge_asof : Pair rows by the nearest key.

    Notes
    -----
    Missing keys are equal to each other, as in pandas.

    A key given as an array stands in the result under the label that it meets, else as ``key_0`` and so on. A
    key that is a level of the row labels of both sides is one of the result.

    Examples
    --------
    >>> import cuprum
    >>> left = cuprum.DataFrame({"k": ["b", "c", None], "x": [1, 2, 3]})
    >>> right = cuprum.DataFrame({"k": ["b", "b", None], "y": [5, 6, 7]})
    >>> left.merge(right, on="k")
         k  x  y
    0    b  1  5
    1    b  1  6
    2  NaN  3  7

    Missing keys match each other. Rows without a match stay with ``how="left"``:

    >>> left.merge(right, on="k", how="left", indicator=True)
         k  x     y     _merge
    0    b  1     5       both
    1    b  1     6       both
    2    c  2  <NA>  left_only
    3  NaN  3     7       both
    """
    only_truth("merge", copy=copy)
    left, right = _frame_of(left, "left"), _frame_of(right, "right")
    if not is_list_like(suffixes) or len(suffixes) != 2:
        raise TypeError(f"Passing 'suffixes' as {suffixes!r} is not supported: give a pair of texts")
    arrays = ArrayKeys(left, right, [*map(key_list, (on, left_on, right_on))])
    levels = KeyLevels(arrays.left, arrays.right, arrays.keys, by_index=bool(left_index or right_index))
    left, right, keys = levels.left, levels.right, levels.keys
    name = _indicator_of(indicator, left, right)
    try:
        merged = left._handle.merge(
            right._handle,
            how,
            *keys,
            left_index=bool(left_index),
            right_index=bool(right_index),
            # Two of False or "" are none; one of False is a text beside another, as in pandas.
            suffixes=tuple(
                None if suffix is None or not any(suffixes) else str(suffix) for suffix in suffixes
            ),
            indicator=name,
            sort=bool(sort),
            validate=validate,
        )
    except ValueError as error:
        raise in_class_of_pandas(error) from None
    merged = arrays.restored(levels.restored(wrap_frame(merged)))
    if how == "right" and left_index and right_index:
        merged = _with_levels_of(right, left, merged)
    return with_common_attrs((left, right), merged)


def _with_levels_of(side: Any, other: Any, joined: Any) -> Any:
    """Return what is joined by row labels with the levels in the order of a side, where both have the same ones."""
    names, others = list(side.index.names), list(other.index.names)
    if names == others or len(names) != len(others) or None in names or set(names) != set(others):
        return joined
    return joined.reorder_levels(names)


def _indicator_of(indicator: bool | str, left: Any, right: Any) -> str | None:
    """Return the label of the column that says where rows are from; None without one."""
    if not indicator:
        return None
    if not isinstance(indicator, (bool, str)):
        raise ValueError("indicator option can only accept boolean or string arguments")
    label = "_merge" if indicator is True else indicator
    for frame in (left, right):
        if frame._handle.contains(label):
            raise ValueError(f"Cannot use name of an existing column for indicator column: {label!r}")
    return label


class KeyLevels:
    """Levels of row labels among the keys: they are columns while frames are merged."""

    def __init__(self, left: Any, right: Any, keys: list[list[Any] | None], *, by_index: bool) -> None:
        self.left, self.right, self.keys = left, right, keys
        on, left_on, right_on = keys
        sides = ((left, left_on if on is None else on), (right, right_on if on is None else on))
        of_levels = [
            {label for label in labels or () if _names_level(frame, label)} for frame, labels in sides
        ]
        # What becomes row labels again, and columns that nobody asked for.
        self._kept: list[Any] = []
        self._added: list[Any] = []
        if not any(of_levels):
            return
        if by_index:
            raise NotImplementedError(
                "merge does not support an index level as `left_on` or `right_on` beside row labels: use reset_index"
            )
        pairs = list(zip(sides[0][1] or (), sides[1][1] or (), strict=False))
        self._kept = [one for one, other in pairs if one == other and one in of_levels[0] & of_levels[1]]
        changed: list[Any] = []
        for side, (frame, labels) in enumerate(sides):
            renamed = {
                label: label if any(pair == (label, label) for pair in pairs) else f"\0level {side} {number}"
                for number, label in enumerate(labels or ())
                if label in of_levels[side]
            }
            self._added += [new for label, new in renamed.items() if new != label]
            columns = [
                frame.index.get_level_values(label).to_series().reset_index(drop=True).rename(new)
                for label, new in renamed.items()
            ]
            changed.append(concat([*columns, frame.reset_index(drop=True)], axis=1) if columns else frame)
            if on is None and labels is not None:
                keys = [keys[0], *keys[1:]]
                keys[1 + side] = [renamed.get(label, label) for label in labels]
        self.left, self.right = changed
        self.keys = keys

    def restored(self, merged: DataFrame) -> DataFrame:
        if self._added:
            merged = merged.drop(columns=self._added)
        return merged.set_index(self._kept) if self._kept else merged


def _names_level(frame: Any, label: Any) -> bool:
    return not frame._handle.contains(label) and label is not None and label in frame._handle.index_names()


@objects_where_mixed
def join(
    left: DataFrame,
    other: FrameLike | Sequence[FrameLike],
    on: LabelOrLabels = None,
    how: JoinHow = "left",
    lsuffix: str = "",
    rsuffix: str = "",
    sort: bool = False,
    validate: Validate | None = None,
    suffixes: Any = None,
) -> DataFrame:
    """Join the columns of other frames, with rows matched by row label.

    Parameters
    ----------
    left : DataFrame
        The frame whose columns come first. As a method of frames, the frame itself.
    other : DataFrame, Series or list of these
        The other frame; a Series needs a name. Several are joined by row label alone.
    on : label or list of labels, optional
        Columns of ``left``, or levels of its row labels, that are matched to the row labels of ``other``;
        without it its row labels.
    how : str, default ``"left"``
        Which rows the result has, as in `DataFrame.merge`.
    lsuffix : str, default ``""``
        The suffix for labels of ``left`` that both sides have.
    rsuffix : str, default ``""``
        The suffix for labels of ``other`` that both sides have.
    sort : bool, default False
        Whether rows are in order of their keys.
    validate : str, optional
        Keys of which sides must not repeat: ``"1:1"``, ``"1:m"``, ``"m:1"`` or ``"m:m"``.
    suffixes : pair of str, optional
        ``lsuffix`` and ``rsuffix`` in one, as in cuDF.

    Returns
    -------
    DataFrame
        The columns of all frames. Columns of a frame are missing in rows that it has not.

    Raises
    ------
    ValueError
        If labels of columns overlap without a suffix, or ``on`` or suffixes go with a list of frames.
    NotImplementedError
        For levels of row labels in ``on`` with other joins than ``"left"`` and ``"inner"``.

    Examples
    --------
    >>> import cuprum
    >>> left = cuprum.DataFrame({"x": [1, 2]}, index=["a", "b"])
    >>> left.join(cuprum.DataFrame({"y": [3, 4]}, index=["b", "c"]))
       x     y
    a  1  <NA>
    b  2     3

    With ``on`` a column of the frame is matched to the row labels of the other:

    >>> prices = cuprum.DataFrame({"price": [10, 20]}, index=["a", "b"])
    >>> cuprum.DataFrame({"item": ["b", "a", "b"]}).join(prices, on="item")
      item  price
    0    b     20
    1    a     10
    2    b     20
    """
    if isinstance(other, (list, tuple)):
        if on is not None:
            raise ValueError("Joining multiple DataFrames only supported for joining on index")
        if lsuffix or rsuffix or suffixes is not None:
            raise ValueError("Suffixes not supported when joining multiple DataFrames")
        if how in ("inner", "outer") and all(one.index.is_unique for one in (left, *other)):
            return concat([left, *other], axis=1, join=how, sort=bool(sort) or how == "outer")
        result = left
        for one in other:
            result = result.join(one, how=how, sort=sort, validate=validate)
        return result
    if suffixes is not None:
        if lsuffix or rsuffix:
            raise ValueError("Cannot specify both 'suffixes' and 'lsuffix'/'rsuffix'.")
        lsuffix, rsuffix = suffixes
    right = _frame_of(other, "other")
    if on is not None and any(_names_level(left, label) for label in label_list(on)):
        return _joined_by_levels(left, right, label_list(on), how, lsuffix, rsuffix, sort, validate)
    by_index = on is None
    try:
        crossed = how == "cross"
        if crossed and on is not None:
            raise of_pandas(
                "MergeError", "Can not pass on, right_on, left_on or set right_index=True or left_index=True"
            )
        joined = left._handle.merge(
            right._handle,
            how,
            left_on=None if by_index else label_list(on),
            left_index=by_index and not crossed,
            right_index=not crossed,
            # A label that both sides have is a text, even without a suffix, if the other has one.
            suffixes=(lsuffix, rsuffix) if lsuffix or rsuffix else (None, None),
            sort=bool(sort),
            validate=validate,
        )
    except ValueError as error:
        raise in_class_of_pandas(error) from None
    result = wrap_frame(joined)
    result = _with_levels_of(right, left, result) if how == "right" and by_index else result
    return with_common_attrs((left, right), result)


def _joined_by_levels(
    left: Any,
    right: Any,
    keys: list[Any],
    how: JoinHow,
    lsuffix: str,
    rsuffix: str,
    sort: bool,
    validate: Any,
) -> DataFrame:
    """Return a join by levels of the row labels, which are columns meanwhile."""
    if how not in ("left", "inner"):
        raise NotImplementedError(
            f"join by a level of row labels does not support `how`={how!r}: use reset_index"
        )
    names = left.index.names
    if None in names or any(name in left.columns for name in names):
        raise NotImplementedError("join by a level of row labels needs a name for each that is no column's")
    joined = join(left.reset_index(), right, keys, how, lsuffix, rsuffix, sort, validate)
    return joined.set_index(list(names))


def _frame_of(obj: Any, argument: str) -> Any:
    """Return a frame for an argument that may be a named Series or pandas' kind."""
    if isinstance(obj, objects.DataFrame) or is_frame_like(obj):
        return frame_of(obj, argument)
    if is_pandas(obj, "Series"):
        obj = objects.Series(obj)
    if isinstance(obj, objects.Series):
        if obj.name is None:
            raise ValueError("Cannot merge a Series without a name")
        return obj.to_frame()
    raise TypeError(f"Can only merge Series or DataFrame objects, a {type(obj)} was passed as `{argument}`")
