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
    """Return the rows that do not repeat another in the columns ``subset`` (all).

    ``keep`` is ``'first'``, ``'last'`` or False for none of the repeated ones.
    """
    check_truth("ignore_index", ignore_index)
    labels = _wanted_labels(self, subset)
    if subset is None and not self._handle.shape()[1]:
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
    """Return True where a row repeats one that ``keep`` keeps, in the columns ``subset`` (all)."""
    if subset is None and not self._handle.shape()[1]:
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
    """Return the different elements in order of first appearance, a missing one once.

    They are a NumPy array; categories a ``Categorical`` of pandas.
    """
    return to_array(self._handle.unique().column(), copy=True)


def series_nunique(self: Series, dropna: bool = True) -> int:
    """Return the number of different elements; missing ones count once unless ``dropna``."""
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
    """Return the rows without repeated elements; ``keep`` is ``'first'``, ``'last'`` or False for none."""

    check_truth("ignore_index", ignore_index)

    def distinct(handle: Any) -> Any:
        handle = handle.drop_duplicates(keep)
        return handle.drop_index() if ignore_index else handle

    return self._replaced(distinct, inplace)


def series_duplicated(self: Series, keep: Keep = "first") -> Series:
    """Return True where an element repeats one that ``keep`` keeps."""
    return wrap_series(self._handle.duplicated(keep))
