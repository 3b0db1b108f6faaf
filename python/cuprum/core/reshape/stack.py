"""Labels of columns as labels of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_truth
from cuprum.core.index.multiindex import MultiIndex
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.unstack import labels_in_order, levels_of

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["stack"]


@objects_where_mixed
def stack(
    frame: DataFrame,
    level: Any = -1,
    dropna: Any = ...,
    sort: Any = ...,
    future_stack: bool = True,
) -> DataFrame | Series:
    """Stack labels of columns below the labels of rows.

    Parameters
    ----------
    frame : DataFrame
        The frame. As a method of frames, the frame itself.
    level : label, int or list of these, default -1
        The levels of the column labels that become inner levels of the row labels.
    dropna : bool, optional
        Whether to leave out missing elements; only with ``future_stack=False``, where they are left out
        without it.
    sort : bool, optional
        Only with ``future_stack=False``, where it changes nothing.
    future_stack : bool, default True
        Whether to keep all elements in their order; if False, the form before pandas 3, for columns of one
        level of labels.

    Returns
    -------
    DataFrame or Series
        A row for each row and each label of the levels, in their order; a Series where no level is left.
        Columns that become one take their common type.

    Raises
    ------
    ValueError
        If ``dropna`` or ``sort`` go with ``future_stack=True``, or labels of columns repeat.
    NotImplementedError
        For ``future_stack=False`` with several levels of column labels.

    See Also
    --------
    unstack : The way back.
    melt : Rows with columns of labels instead of row labels.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, 2], "b": [3, None]})
    >>> frame.stack()
    0  a       1
       b       3
    1  a       2
       b    <NA>
    dtype: int64
    >>> frame.stack(future_stack=False).to_list()
    [1, 3, 2]
    """
    if not future_stack:
        if frame._handle.num_levels() > 1:
            raise NotImplementedError(
                "stack of several levels of labels does not support `future_stack`=False"
            )
        only_truth(
            "stack",
            **{name: given for name, given in (("dropna", dropna), ("sort", sort)) if given is not ...},
        )
        made = stack(frame, level)
        return made if dropna is not ... and not dropna else made.dropna()
    for name, given in (("dropna", dropna), ("sort", sort)):
        if given is not ...:
            raise ValueError(
                f"{name} must be unspecified with future_stack=True: stack keeps all rows in order"
            )
    if not frame.columns.is_unique:
        raise ValueError("Columns with duplicate values are not supported in stack")
    levels = levels_of(level)
    if is_list_like(level):
        _refuse_levels(levels, frame)
    if not frame.shape[1] and len(set(levels)) == frame._handle.num_levels():
        # There is nothing whose type elements could have.
        return objects.Series([], index=_no_rows(frame), dtype="float64")
    made = frame._handle.stack(levels)
    known = [*labels_in_order(frame.index), *_stacked_labels(frame, levels)]
    if any(labels is not None for labels in known):
        made = made.with_index(made.index().with_levels(known))
    return wrap_frame(made) if isinstance(made, _cuprum.DataFrame) else wrap_series(made)


def _refuse_levels(levels: list[Any], frame: Any) -> None:
    """Fail for levels named twice, and for names beside numbers."""
    names = frame.columns.names
    if not all(level in names for level in levels) and not all(isinstance(level, int) for level in levels):
        raise ValueError(
            "level should contain all level names or all level numbers, not a mixture of the two."
        )
    columns = frame._handle.columns_index()
    numbers = [columns.level_position(level) for level in levels]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"level should not contain duplicate values, got level numbers {numbers}")


def _no_rows(frame: Any) -> Any:
    """Return row labels of no rows with the levels of the rows and of the columns."""
    names = [*frame.index.names, *frame.columns.names]
    return MultiIndex.from_arrays([[] for _ in names], names=names)


def _stacked_labels(frame: Any, levels: list[Any]) -> list[Any]:
    """Return the result of `labels_in_order` for the levels of the columns that become levels of the rows."""
    columns = frame._handle.columns_index()
    numbers = list(dict.fromkeys(columns.level_position(level) for level in levels))
    index = objects.wrap_index(columns)
    of_levels = labels_in_order(index)
    return [of_levels[number] for number in numbers]
