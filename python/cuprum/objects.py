"""Objects around handles: the root of `DataFrame` and `Series`, and how they are made.

Objects hold one immutable handle of the extension module and replace it when they change, so that
taking a part of an object never lets later changes show through (pandas' copy-on-write). Modules
that would import each other find the classes here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Wrapper", "register", "set_handle", "wrap_frame", "wrap_series"]

_new = object.__new__


class Wrapper:
    """An object around a handle."""

    __slots__ = ("__weakref__", "_handle")
    __hash__ = None  # type: ignore[assignment]

    _wrap: Callable[[Any], Any]
    ndim: int

    def __len__(self) -> int:
        return len(self._handle)

    def _map(self, function: Callable[[Any], Any], inplace: bool = False) -> Any:
        """``function`` of the handle of every column, which keeps the number of rows."""
        raise NotImplementedError

    def _changed(self, handle: Any, inplace: bool = False) -> Any:
        """Return a new object around ``handle``; or put it in this one, which is returned."""
        if not inplace:
            return self._wrap(handle)
        set_handle(self, handle)
        return self

    def _replaced(self, handle: Any, inplace: bool) -> Any:
        """As `_changed`, but return None for a change in place."""
        result = self._changed(handle, inplace)
        return None if inplace else result


set_handle: Callable[[Any, Any], None] = Wrapper._handle.__set__  # type: ignore[attr-defined]

# The classes, which import this module; filled in by `cuprum/__init__.py`.
DataFrame: Any = None
Series: Any = None
Index: Any = None


def register(**names: Any) -> None:
    """Fill in the names that this module cannot import."""
    globals().update(names)


def wrap_series(handle: Any) -> Any:
    """Return a Series around a handle."""
    series = _new(Series)
    set_handle(series, handle)
    return series


def wrap_frame(handle: Any) -> Any:
    """Return a DataFrame around a handle."""
    frame = _new(DataFrame)
    set_handle(frame, handle)
    return frame
