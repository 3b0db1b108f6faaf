"""Labels of rows as labels of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label, plain_labels
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import LabelOrLabels, Scalar

__all__ = ["labels_in_order", "levels_of", "unstack"]


@overload
def unstack(
    df: Series, level: LabelOrLabels = ..., fill_value: Scalar = ..., sort: bool = ...
) -> DataFrame: ...
@overload
def unstack(
    df: DataFrame, level: LabelOrLabels = ..., fill_value: Scalar = ..., sort: bool = ...
) -> DataFrame | Series: ...
@objects_where_mixed
def unstack(df: Any, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
    """Unstack levels of the row labels: make their labels those of columns.

    Parameters
    ----------
    df : DataFrame or Series
        The object. As a method, the object itself.
    level : label, int or list of these, default -1
        The levels of the row labels.
    fill_value : scalar, optional
        What stands where there is no row; missing without it.
    sort : bool, default True
        Whether rows and columns are in the order of their labels, missing ones first; if False, as they first
        appear.

    Returns
    -------
    DataFrame or Series
        A row for each label of the other levels and a column for each label of ``level``; of a frame below
        the label of its column. A frame whose rows have one level gives a Series of all columns one below the
        other.

    Raises
    ------
    ValueError
        If two rows have the same labels, or a Series has one level of labels.

    See Also
    --------
    DataFrame.stack : The way back.

    Notes
    -----
    As in pandas, labels of columns of several levels, and of levels of which some labels have no row, are in
    order of first appearance in any case.

    Examples
    --------
    >>> import cuprum
    >>> labels = cuprum.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")])
    >>> series = cuprum.Series([1, 2, 3], index=labels)
    >>> series.unstack()
       x     y
    a  1     2
    b  3  <NA>
    >>> series.unstack(level=0, fill_value=0)
       a  b
    x  1  3
    y  2  0
    """
    if not isinstance(df, (objects.DataFrame, objects.Series)):
        raise TypeError(f"`df` must be a DataFrame or a Series, not a {type(df).__name__}")
    if is_list_like(fill_value):
        raise ValueError(f"`fill_value` must be a scalar, not {fill_value!r}")
    handle: Any = df._handle
    levels = levels_of(level)
    if isinstance(df, objects.DataFrame) and handle.index().nlevels() == 1:
        # Nothing is missing that `fill_value` could stand for.
        for one in levels:
            handle.index().level_position(one)
        made = handle.unstack_columns()
        # Levels have the labels of columns and rows in the order that those are in.
        known = [*labels_in_order(df.columns), *labels_in_order(df.index)]
        if any(labels is not None for labels in known):
            made = made.with_index(made.index().with_levels(known))
        return wrap_series(made)
    if df.ndim == 2 and len(levels) > 1 and handle.columns_index().nlevels() > 1:
        # As in pandas one level after the other, with a column for every combination.
        numbers = [handle.index().level_position(one) for one in levels]
        while numbers:
            number = numbers.pop(0)
            df = wrap_frame(df._handle.unstack([number], plain_label(fill_value), bool(sort)))
            numbers = [other if other < number else other - 1 for other in numbers]
        return df
    numbers = [handle.index().level_position(one) for one in levels]
    if len(levels) == handle.index().nlevels() == 1:
        raise ValueError("index must be a MultiIndex to unstack, it has one level")
    return wrap_frame(handle.unstack(numbers, plain_label(fill_value), bool(sort)))


def levels_of(level: Any) -> list[Any]:
    """Return one level or several as a list; a tuple is several."""
    return plain_labels(level) if is_list_like(level) else [plain_label(level)]


def labels_in_order(index: Any) -> list[Any]:
    """Return the labels of every level in the order that a level of a `MultiIndex` has them; None for those of one level that ascend."""
    if index.nlevels > 1:
        # Also those that no row has: levels know of them.
        return [level._column() for level in index.levels]
    if index._handle.kind() in ("range", "mixed") or index.is_monotonic_increasing:
        return [None]
    return [index.dropna().unique()._column()]
