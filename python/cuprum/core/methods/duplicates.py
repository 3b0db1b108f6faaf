"""Duplicates: unique, nunique, duplicated, drop_duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum.core import objects
from cuprum.core.arguments import (
    check_truth,
    label_list,
    plain_label,
)
from cuprum.core.interop import to_array
from cuprum.core.label_positions import are_repeated, numbered, places_of_all
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        AnySeries,
        Array,
        Keep,
        LabelOrLabels,
    )


@overload
def frame_drop_duplicates(
    self: DataFrame,
    subset: LabelOrLabels = ...,
    *,
    keep: Keep = ...,
    inplace: Literal[True],
    ignore_index: bool = ...,
) -> None: ...
@overload
def frame_drop_duplicates(
    self: AnyFrame,
    subset: LabelOrLabels = ...,
    *,
    keep: Keep = ...,
    inplace: bool = ...,
    ignore_index: bool = ...,
) -> AnyFrame: ...
def frame_drop_duplicates(
    self: DataFrame,
    subset: Any = None,
    *,
    keep: Any = "first",
    inplace: bool = False,
    ignore_index: bool = False,
) -> Any:
    """Return the rows without those that repeat another.

    Parameters
    ----------
    subset : label or list of labels, optional
        The columns that are compared; all by default.
    keep : ``'first'``, ``'last'`` or False, default ``'first'``
        Which of equal rows stays; False keeps none of them.
    inplace : bool, default False
        Change this object and return None.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    DataFrame or None
        The rows in their order; None with ``inplace=True``.

    Notes
    -----
    Missing elements equal each other.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 1, 2], "b": ["x", "y", "x"]})
    >>> df.drop_duplicates("a")
       a  b
    0  1  x
    2  2  x
    >>> df.drop_duplicates("a", keep=False, ignore_index=True)
       a  b
    0  2  x
    """
    check_truth("ignore_index", ignore_index)
    labels = _wanted_labels(self, subset)
    if subset is None and not self._handle.num_columns():
        return None if inplace else self.copy()  # rows without elements repeat none, as in pandas

    def distinct(handle: Any) -> Any:
        own = handle.labels()
        if labels and are_repeated(own):
            found = numbered(handle).drop_duplicates(places_of_all(labels, own), keep)
            found = found.with_labels(own, handle.level_names())
        else:
            found = handle.drop_duplicates(labels, keep)
        return found.drop_index() if ignore_index else found

    return self._replaced(distinct, inplace)


def frame_duplicated(self: DataFrame, subset: LabelOrLabels = None, keep: Keep = "first") -> Series:
    """Return where a row repeats another.

    Parameters
    ----------
    subset : label or list of labels, optional
        The columns that are compared; all by default.
    keep : ``'first'``, ``'last'`` or False, default ``'first'``
        Which of equal rows does not count as a repetition; with False all of them count.

    Returns
    -------
    Series
        Truth values under the row labels.

    Notes
    -----
    Missing elements equal each other.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 1, 2], "b": [None, None, 3.0]})
    >>> df.duplicated()
    0    False
    1     True
    2    False
    dtype: bool
    >>> df.duplicated(keep="last").to_list()
    [True, False, False]
    """
    if subset is None and not self._handle.num_columns():
        # Rows without elements repeat none, as in pandas.
        return objects.Series(False, index=self.index, dtype="bool")
    labels, own = _wanted_labels(self, subset), self._handle.labels()
    if labels and are_repeated(own):
        return wrap_series(numbered(self._handle).duplicated(places_of_all(labels, own), keep))
    return wrap_series(self._handle.duplicated(labels, keep))


def _wanted_labels(self: DataFrame, subset: Any) -> list[Any]:
    """Return the labels of columns in ``subset``, none for all; a tuple is one label where a column has it."""
    if isinstance(subset, tuple) and not self._handle.contains(plain_label(subset)):
        subset = list(subset)
    return [] if subset is None else label_list(subset)


def unique(self: Series) -> Array:
    """Return the different elements in order of first appearance.

    Returns
    -------
    numpy.ndarray or pandas.Categorical
        The elements, all missing ones as one; a ``Categorical`` for categories.

    See Also
    --------
    Series.drop_duplicates : The same with row labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([2, 1, 2]).unique()
    array([2, 1])
    >>> cuprum.Series(["b", None, "b", None]).unique()
    array(['b', nan], dtype=object)
    """
    return to_array(self._handle.unique().column(), copy=True)


def series_nunique(self: Series, dropna: bool = True) -> int:
    """Return the number of different elements.

    Parameters
    ----------
    dropna : bool, default True
        Leave missing elements out. With False all of them together count once.

    Returns
    -------
    int
        The count.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series(["x", None, "x"])
    >>> s.nunique(), s.nunique(dropna=False)
    (1, 2)
    """
    return self._handle.nunique(not dropna)


@overload
def series_drop_duplicates(
    self: Series, *, keep: Keep = ..., inplace: Literal[True], ignore_index: bool = ...
) -> None: ...
@overload
def series_drop_duplicates(
    self: AnySeries, *, keep: Keep = ..., inplace: bool = ..., ignore_index: bool = ...
) -> AnySeries: ...
def series_drop_duplicates(
    self: Series, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False
) -> Any:
    """Return the elements without those that repeat another.

    Parameters
    ----------
    keep : ``'first'``, ``'last'`` or False, default ``'first'``
        Which of equal elements stays; False keeps none of them.
    inplace : bool, default False
        Change this object and return None.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    Series or None
        The elements in their order; None with ``inplace=True``.

    Notes
    -----
    Missing elements equal each other.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([3, 1, 3])
    >>> s.drop_duplicates()
    0    3
    1    1
    dtype: int64
    >>> s.drop_duplicates(keep="last", ignore_index=True).to_list()
    [1, 3]
    """

    check_truth("ignore_index", ignore_index)

    def distinct(handle: Any) -> Any:
        handle = handle.drop_duplicates(keep)
        return handle.drop_index() if ignore_index else handle

    return self._replaced(distinct, inplace)


def series_duplicated(self: Series, keep: Keep = "first") -> Series:
    """Return where an element repeats another.

    Parameters
    ----------
    keep : ``'first'``, ``'last'`` or False, default ``'first'``
        Which of equal elements does not count as a repetition; with False all of them count.

    Returns
    -------
    Series
        Truth values under the row labels.

    Notes
    -----
    Missing elements equal each other.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series(["x", None, "x", None])
    >>> s.duplicated().to_list()
    [False, False, True, True]
    >>> s.duplicated(keep=False).to_list()
    [True, True, True, True]
    """
    return wrap_series(self._handle.duplicated(keep))
