"""Frames and series from and to other forms: files, other libraries, Python objects."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.copy_on_write import attrs_of
from cuprum.core.interop import to_pandas_array
from cuprum.core.objects import Wrapper

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["exact_to_pandas"]


def exact_to_pandas(obj: DataFrame | Series) -> Any:
    """Return the frame or series as pandas has it, in which integers beside missing elements are nullable ones."""
    import pandas as pd

    def values(column: Column) -> Any:
        return to_pandas_array(column, nullable=column.dtype.kind in "iu" and bool(column.null_count()))

    index = _labels_to_pandas(obj.index, True)
    if isinstance(obj, objects.Series):
        made = pd.Series(values(obj._handle.column()), index=index, name=obj.name, copy=False)
        return _with_attrs(made, obj)
    return _frame_to_pandas(obj, index, values)


def _frame_to_pandas(frame: Any, index: Any, values: Callable[[Column], Any]) -> Any:
    """Return pandas' frame of the ``values`` of columns; objects stay such."""
    import pandas as pd

    arrays = {}
    for i, column in enumerate(frame._handle.columns()):
        array = values(column)
        # Arrays are looked through for texts, times and so on.
        arrays[i] = pd.Series(array, index=index, dtype=object) if column.is_of_objects() else array
    made = pd.DataFrame(arrays, index=index, copy=False)
    made.columns = frame.columns.to_pandas()
    return _with_attrs(made, frame)


def _labels_to_pandas(index: Any, nullable: bool) -> Any:
    """Return the row labels as pandas has them; integers with missing ones stay such if ``nullable``."""
    # Labels of several levels or kinds have no type of ours.
    whole = getattr(index.dtype, "kind", "O") in "iu"
    return index.to_pandas(nullable=True) if nullable and whole and index.hasnans else index.to_pandas()


def _with_attrs(made: Any, source: Any) -> Any:
    """Return a frame or series with the ``attrs`` of another, of pandas or ours."""
    attrs = attrs_of(source) if isinstance(source, Wrapper) else getattr(source, "attrs", None)
    if attrs:
        made.attrs = deepcopy(attrs)
    return made
