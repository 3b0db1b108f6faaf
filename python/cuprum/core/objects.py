"""Objects around handles: the root of `DataFrame` and `Series`, and how they are made.

Modules that would import each other find the classes here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuprum.core.copy_on_write import Sharing, set_handle

__all__ = [
    "Wrapper",
    "is_of_users",
    "ours",
    "ours_or_labels",
    "register",
    "set_handle",
    "wrap_frame",
    "wrap_series",
]

_new = object.__new__


class Wrapper(Sharing):
    """An object around a handle."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._handle)

    def _map(self, function: Callable[[Any], Any], inplace: bool = False) -> Any:
        """``function`` of the handle of every column, which keeps the number of rows."""
        raise NotImplementedError


# The classes and functions that stand above this module and are needed below it; `cuprum/__init__.py` fills them in.
# Until then they are not there: a module of the core that imports one by name fails at once.
if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame as DataFrame
    from cuprum.core.dataframe import GroupFrame as GroupFrame
    from cuprum.core.index.index import Index as Index
    from cuprum.core.index.index import wrap_index as wrap_index
    from cuprum.core.index.range import RangeIndex as RangeIndex
    from cuprum.core.object_columns import FrameWithObjects as FrameWithObjects
    from cuprum.core.object_columns import SeriesOfObjects as SeriesOfObjects
    from cuprum.core.object_columns import from_pandas as from_pandas
    from cuprum.core.object_columns import mixed_by_pandas as mixed_by_pandas
    from cuprum.core.object_columns import operate_by_pandas as operate_by_pandas
    from cuprum.core.object_columns import record as record
    from cuprum.core.object_columns import set_elements as set_elements
    from cuprum.core.series import Series as Series


def ours(obj: Any) -> Any:
    """Return the frame or series that one of pandas is; anything else as it is."""
    pandas = sys.modules.get("pandas")
    if isinstance(obj, Wrapper) or pandas is None or not isinstance(obj, (pandas.Series, pandas.DataFrame)):
        return obj
    return (Series if obj.ndim == 1 else DataFrame).from_pandas(obj)


def ours_or_labels(obj: Any) -> Any:
    """Return the frame, series or index that one of pandas is; anything else as it is."""
    pandas = sys.modules.get("pandas")
    return Index(obj) if pandas is not None and isinstance(obj, pandas.Index) else ours(obj)


_set_of_series: Any = None
_set_of_frame: Any = None


def register(**names: Any) -> None:
    """Fill in the names that this module cannot import."""
    globals().update(names)
    globals().update(
        _set_of_series=vars(Series)["_handle"].__set__, _set_of_frame=vars(DataFrame)["_handle"].__set__
    )


def is_of_users(kind: type) -> bool:
    """Whether results are to be of a class of users: its ``_constructor`` is not the one that Dask's backend gives ours."""
    own = getattr(kind, "_constructor", None)
    return own is not None and all(
        own is not getattr(ours, "_constructor", None) for ours in (DataFrame, Series)
    )


def wrap_series(handle: Any) -> Any:
    """Return a Series around a handle."""
    series = _new(SeriesOfObjects if handle.has_objects() else Series)
    _set_of_series(series, handle)
    return series


def wrap_frame(handle: Any) -> Any:
    """Return a DataFrame around a handle."""
    frame = _new(FrameWithObjects if handle.has_objects() else DataFrame)
    _set_of_frame(frame, handle)
    return frame
